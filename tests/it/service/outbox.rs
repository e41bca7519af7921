//! Announcements on their way out, as adapters ask for them.

use std::{pin::pin, task::Poll, time::Duration};

use port::Delivery;

use super::*;

/// How long an announcement that waits may take to be handed out before it counts as lost. The clock of the bot stands
/// still, so that a lease which was forgotten never runs out.
const LOST_AFTER: Duration = Duration::from_secs(20);

/// How many announcements are asked for by somebody who stops asking, each time a little later.
const ASKED_COUNT: usize = 60;

/// Asks for an announcement and stops asking after so many looks.
async fn asks_and_leaves(hub: &Hub, looks: usize) -> Option<Delivery> {
    let mut asked = pin!(hub.next_delivery(NETWORK));
    for _ in 0..looks {
        if let Poll::Ready(delivery) = futures::poll!(&mut asked) {
            return Some(delivery);
        }
        tokio::task::yield_now().await;
    }
    None
}

#[tokio::test]
async fn whoever_stops_waiting_for_an_announcement_loses_none() {
    let mut bot = Bot::with_joust().await;
    let mut left = 0;
    for number in 0..ASKED_COUNT {
        bot.say("op #nomic", &format!("joust adjudicate Word {number}.")).await;
        let delivery = match asks_and_leaves(&bot.hub, number * 4).await {
            Some(delivery) => delivery,
            None => {
                left += 1;
                let next = tokio::time::timeout(LOST_AFTER, bot.hub.next_delivery(NETWORK)).await;
                next.unwrap_or_else(|_| panic!("announcement {number} is lost"))
            }
        };
        reads(&plain(&delivery.document), &[&format!("Word {number}.")]);
        assert_eq!(delivery.attempts, 0, "it was handed out before");
        bot.hub.delivered(delivery.id).await;
    }
    assert!(left > 0, "nobody ever stopped waiting");
    assert!(bot.told().await.is_empty());
}

/// What was handed out when the process ended, and is not known to have arrived, is offered by the next one at once. No
/// time passes here in which a lease could run out.
#[tokio::test]
async fn what_was_on_its_way_at_the_end_is_offered_again_at_once() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "joust adjudicate Begun.").await;
    let first = bot.hub.delivery_now(NETWORK).await.expect("the outbox can be read").expect("it waits");
    bot.hub.drain().await;
    bot.hub = Bot::open(&bot.store, &bot.clock, &bot.entropy, None).await;
    let again = bot.hub.delivery_now(NETWORK).await.expect("the outbox can be read").expect("it waits again");
    assert_eq!((again.id, again.attempts), (first.id, 1));
    bot.hub.delivered(again.id).await;
    assert!(bot.told().await.is_empty());
}

/// A network that lags keeps what it was given, and once it says nothing more somebody else may have it.
#[tokio::test]
async fn what_is_still_being_delivered_is_offered_to_nobody_else() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "joust adjudicate Begun.").await;
    let first = bot.hub.delivery_now(NETWORK).await.expect("the outbox can be read").expect("it waits");
    // Another process on the same database.
    let other = Bot::open(&bot.store, &bot.clock, &bot.entropy, None).await;
    for _ in 0..5 {
        bot.clock.advance_to(bot.clock.now() + Duration::from_secs(100));
        for hub in [&bot.hub, &other] {
            assert_eq!(hub.delivery_now(NETWORK).await.expect("the outbox can be read"), None);
        }
        bot.hub.renew_delivery(first.id).await;
        other.renew_delivery(first.id).await;
    }
    bot.clock.advance_to(bot.clock.now() + Duration::from_secs(121));
    let again = other.delivery_now(NETWORK).await.expect("the outbox can be read").expect("nobody holds it");
    assert_eq!((again.id, again.attempts), (first.id, 1));
    // Who held it before holds it no more.
    bot.hub.renew_delivery(first.id).await;
    bot.clock.advance_to(bot.clock.now() + Duration::from_secs(121));
    assert!(bot.hub.delivery_now(NETWORK).await.expect("the outbox can be read").is_some());
}
