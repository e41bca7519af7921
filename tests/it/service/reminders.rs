//! Reminders: whoever asked is told what waits for them, before its end, once, wherever they want it.

use kernel::display::plain;
use port::{Delivery, Destination};

use crate::house::{Folder, House, SERVICE, at};
use port::clock::Clock;
use store::{Options, Store};

/// A room of BlogNomic with three Robots and a Proposal of Ann's, which runs out of time on 2026-11-04 at 08:00.
async fn with_proposal(folder: &Folder) -> House {
    let mut house = House::open(&folder.database()).await;
    house.does("Goethe", "room open blognomic main").await;
    // The virus of a Monday might halve the hours of a Proposal, and the dice are none of these tests'.
    house.does("Goethe", "correct law/13 suspended because it is none of this story").await;
    for name in ["Ann", "Bob", "Cat"] {
        house.does(name, &format!("robot apply {name} https://example.org/")).await;
        house.does("Goethe", &format!("admin set-up {name}")).await;
    }
    house.does("Ann", "propose \"Longer\" => set timeout-hours to 72").await;
    told(&house).await;
    house
}

/// Everything that was to be told since the last time.
async fn all(house: &House) -> Vec<Delivery> {
    let mut out = Vec::new();
    while let Some(delivery) = house.hub.delivery_now(SERVICE).await.expect("the outbox can be read") {
        house.hub.delivered(delivery.id).await;
        out.push(delivery);
    }
    out
}

/// What reminders were told, each with whom it is for.
async fn told(house: &House) -> Vec<String> {
    let written = |delivery: Delivery| {
        let text = plain(&delivery.document);
        let to = match &delivery.to {
            Destination::Person(account) => account.id.clone(),
            Destination::Forum(forum) => format!("{} {}", forum.channel, delivery.document.calls.join("+")),
        };
        (delivery.id < 0).then(|| format!("{to}: {}", text.trim()))
    };
    all(house).await.into_iter().filter_map(written).collect()
}

async fn restarted(folder: &Folder, house: House) -> House {
    let now = house.clock.now();
    house.close().await;
    let store = Store::open(&folder.database(), Options::default()).await.expect("the database opens");
    House::with(store, Clock::manual(now)).await
}

#[tokio::test]
async fn who_asked_is_reminded_once_before_the_end_also_after_a_restart() {
    let folder = Folder::new();
    let mut house = with_proposal(&folder).await;
    assert!(house.is_refused("Zed", "remind on").await.contains("you have no seat there"));
    let shown = house.does("Bob", "remind").await;
    assert!(
        shown.contains("Nobody reminds you here") && shown.contains("Proposal 1 (Longer) waits for your vote"),
        "{shown}"
    );
    let set = house.does("Bob", "remind on before 6 hours").await;
    assert!(set.contains("told in private what waits for your vote, 6 h before its end"), "{set}");
    house.does("Cat", "remind on").await;
    house.to("2026-11-03T19:59:00Z").await;
    assert_eq!(told(&house).await, Vec::<String>::new());

    // Cat is told 12 hours before, and Bob later; who has voted or did not ask is not.
    house.to("2026-11-03T20:00:01Z").await;
    let cat = told(&house).await;
    assert!(
        matches!(&cat[..], [one] if one.starts_with("cat: Proposal 1 (Longer) waits for your vote, until")),
        "{cat:?}"
    );
    let mut house = restarted(&folder, house).await;
    house.to("2026-11-04T01:59:00Z").await;
    assert_eq!(told(&house).await, Vec::<String>::new(), "once is enough");
    house.does("Cat", "vote for").await;
    house.to("2026-11-04T02:00:01Z").await;
    let bob = told(&house).await;
    assert!(matches!(&bob[..], [one] if one.starts_with("bob: Proposal 1 (Longer)")), "{bob:?}");
    assert!(bob[0].contains("@main show proposal/1"), "{bob:?}");

    house.does("Bob", "vote against").await;
    let shown = house.does("Bob", "remind").await;
    assert!(shown.contains("6 h before") && shown.contains("Nothing waits for you now."), "{shown}");
    assert!(house.does("Bob", "remind off").await.contains("not reminded any more"));
    assert!(house.does("Bob", "remind off").await.contains("You were not reminded"));
}

#[tokio::test]
async fn a_reminder_that_does_not_arrive_is_tried_again_and_waits_in_the_inbox() {
    let folder = Folder::new();
    let mut house = with_proposal(&folder).await;
    house.does("Bob", "remind on before 3 days").await;
    let first = house.hub.delivery_now(SERVICE).await.unwrap().expect("it is time at once");
    assert!(first.id < 0);
    // The process ends before anybody knows whether it arrived.
    let mut house = restarted(&folder, house).await;
    house.does("Cat", "vote for").await;
    let again = all_reminders(&house).await;
    assert_eq!(again.len(), 1, "{again:?}");
    house.hub.abandon_delivery(again[0].id, "no private messages").await;
    house.does("Ann", "show proposals").await;
    assert!(all_reminders(&house).await.is_empty());
    assert!(house.does("Bob", "privately inbox").await.contains("waits for your vote"));
}

/// The reminders that wait, not yet delivered.
async fn all_reminders(house: &House) -> Vec<Delivery> {
    let mut out = Vec::new();
    while let Some(delivery) = house.hub.delivery_now(SERVICE).await.expect("the outbox can be read") {
        if delivery.id < 0 {
            out.push(delivery);
        } else {
            house.hub.delivered(delivery.id).await;
        }
    }
    out
}

#[tokio::test]
async fn who_wants_it_in_the_channel_is_called_there_with_the_others() {
    let folder = Folder::new();
    let mut house = with_proposal(&folder).await;
    for name in ["Bob", "Cat"] {
        let set = house.does(name, "remind on before 1 day in channel").await;
        assert!(set.contains("called in the channel"), "{set}");
    }
    house.to("2026-11-03T08:00:01Z").await;
    let told = told(&house).await;
    assert!(
        matches!(&told[..], [one] if one.starts_with("#main bob+cat: Proposal 1 (Longer) waits for your votes")),
        "{told:?}"
    );
}

#[tokio::test]
async fn what_is_to_be_done_is_told_at_once_and_nothing_while_the_room_is_paused() {
    let folder = Folder::new();
    let mut house = with_proposal(&folder).await;
    house.does("Goethe", "remind on").await;
    house.does("Ann", "cfj raise \"What is oil\" => take 5 power from Bob").await;
    let call = told(&house).await;
    assert!(
        matches!(&call[..], [one] if one.contains("Call for Judgment 1") && one.contains("waits for your vote")),
        "{call:?}"
    );
    for name in ["Ann", "Bob", "Cat"] {
        house.does(name, "cfj vote 1 for").await;
    }
    let turn = told(&house).await;
    assert!(matches!(&turn[..], [one] if one.starts_with("goethe: It is your turn: Call for Judgment 1")), "{turn:?}");

    house.does("Bob", "remind on").await;
    house.does("Goethe", "pause").await;
    house.clock.advance_to(at("2026-11-04T00:00:00Z"));
    house.hub.remind().await.expect("the store can be read");
    assert_eq!(told(&house).await, Vec::<String>::new());
}

#[tokio::test]
async fn who_is_forgotten_is_reminded_of_nothing() {
    let folder = Folder::new();
    let mut house = with_proposal(&folder).await;
    house.does("Bob", "remind on before 3 days").await;
    told(&house).await;
    house.does("Bob", "privately forget me yes").await;
    assert_eq!(house.hub.store().reminders().await.unwrap(), []);
}
