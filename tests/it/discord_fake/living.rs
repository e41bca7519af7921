//! A proposal is one message that lives: votes show in it, its buttons go when it is over, also after a restart; one that
//! was deleted holds up nothing. What an act is answered with is for the doer alone, since the channel hears of it.

use std::time::Duration;

use super::{
    CHANNEL, GUILD, OTHER_CHANNEL, World, ann, args,
    blognomic::{cat, offered, opened, posts, presses},
    bob, moderator,
};
use crate::fakes::discord::{Fake, Fault, Message, Person};
use port::{Account, ForumAddress, Line, Place, ReplyKind, Sent, Speaker};

async fn world() -> World {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    let mut world = World::on(fake, |settings| settings.refresh = Duration::from_millis(5)).await;
    world.connect().await;
    opened(&world).await;
    posts(&world, &ann(), "Longer", "More time.\n=> set timeout-hours to 72", "Proposal 1 by Ann").await;
    world
}

/// The message of a proposal, once it stands so.
pub(super) async fn shows(world: &World, id: u64, part: &str) -> Message {
    let wanted = |message: &&Message| message.id == id && message.says().contains(part);
    let what = format!("“{part}” in message {id}");
    world.fake.until(&what, |state| state.shown(CHANNEL, cat().id).into_iter().find(wanted).cloned()).await
}

/// Cat acts while the bot is not connected.
pub(super) async fn votes_elsewhere(world: &World, text: &str) {
    let account = Account { service: "discord".to_owned(), id: cat().id.to_string() };
    let from = Speaker {
        account: Some(account),
        sign_in: None,
        nick: cat().name.to_owned(),
        operator: false,
        moderates: Vec::new(),
    };
    let forum = ForumAddress { service: "discord".to_owned(), channel: CHANNEL.to_string() };
    let line = Line {
        origin: "elsewhere".to_owned(),
        from,
        place: Place::Forum(forum),
        text: text.to_owned(),
        attachments: Vec::new(),
        sent: Sent::Whole,
    };
    let replies = world.hub.hear(line).await;
    assert_eq!(replies[0].kind, ReplyKind::Announced, "{replies:?}");
}

pub(super) fn labels(message: &Message) -> Vec<String> {
    message.buttons().into_iter().map(|(label, _)| label).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_is_one_message_that_shows_its_votes_and_ends_without_buttons() {
    let mut world = world().await;
    let opening = world.fake.sees(&cat(), CHANNEL, "The First Dynasty of Mod begins").await;
    assert!(opening.text().contains("BlogNomic is open here"), "what one instant announces is one message");
    let first = offered(&world, &bob(), "Proposal 1 by Ann", "FOR").await;
    presses(&world, &bob(), &first, "FOR").await;
    let voted = shows(&world, first.id, "Votes: 2 FOR, 0 AGAINST").await;
    assert!(labels(&voted).iter().any(|label| label == "AGAINST"), "{:?}", voted.buttons());
    // Each act stands in the channel as words, too, and its own answer is for who acted.
    world.fake.sees(&cat(), CHANNEL, "Bob votes FOR on Proposal 1").await;
    let why = world.fake.press(&cat(), &voted, "Why?");
    let why = world.fake.answer(&why).await;
    assert_eq!(why.only, Some(cat().id), "{}", why.text());

    // The process ends, and what happens meanwhile is shown by the next.
    world.stop().await;
    votes_elsewhere(&world, "vote 1 against").await;
    world.restart().await;
    let later = shows(&world, first.id, "Votes: 2 FOR, 1 AGAINST").await;
    presses(&world, &moderator(), &later, "FOR").await;
    world.fake.sees(&cat(), CHANNEL, "can be enacted by an Admin").await;
    world.fake.answer(&world.fake.slash(&moderator(), CHANNEL, "admin enact", &args(&[]))).await;
    let over = shows(&world, first.id, "it is Enacted").await;
    assert_eq!(labels(&over), Vec::<String>::new());
    world.end().await;
}

/// Given a proposal with votes, its button tells each their own, and how to cast one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_tells_everybody_their_own_vote_alone() {
    let world = world().await;
    let first = offered(&world, &bob(), "Proposal 1 by Ann", "Your vote").await;
    let asks = |person| {
        let token = world.fake.press(&person, &first, "Your vote");
        let fake = &world.fake;
        async move {
            let answer = fake.answer(&token).await;
            assert_eq!(answer.only, Some(person.id), "{}", answer.text());
            answer
        }
    };
    let none = asks(bob()).await;
    assert!(none.text().contains("Proposal 1 (Longer): you have not voted on it."), "{}", none.text());
    assert!(none.text().contains("It ends at"), "{}", none.text());
    assert!(
        ["FOR", "AGAINST"].iter().all(|vote| labels(&none).iter().any(|label| label == vote)),
        "{:?}",
        labels(&none)
    );
    presses(&world, &bob(), &none, "AGAINST").await;
    shows(&world, first.id, "1 FOR, 1 AGAINST").await;
    let cast = asks(bob()).await;
    assert!(cast.text().contains("Proposal 1 (Longer): you voted AGAINST."), "{}", cast.text());
    assert_eq!(labels(&cast), Vec::<String>::new());
    let own = asks(ann()).await;
    assert!(own.text().contains("you voted FOR"), "{}", own.text());
    let nobody = asks(Person::new(599, "Nobody")).await;
    assert!(nobody.text().contains("You have no seat in main, and no vote"), "{}", nobody.text());
    // Pressed when it is over, it says so.
    for person in [cat(), moderator()] {
        presses(&world, &person, &first, "FOR").await;
    }
    world.fake.sees(&cat(), CHANNEL, "can be enacted by an Admin").await;
    let ripe = asks(cat()).await;
    assert!(ripe.text().contains("you voted FOR"), "{}", ripe.text());
    world.fake.answer(&world.fake.slash(&moderator(), CHANNEL, "admin enact", &args(&[]))).await;
    let over = world.fake.slash(&bob(), CHANNEL, "voted", &args(&[("on", "proposal 1")]));
    let over = world.fake.answer(&over).await.text();
    assert!(over.contains("Nobody votes on “proposal/1” now"), "{over}");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_somebody_deletes_is_left_alone() {
    let world = world().await;
    let first = offered(&world, &bob(), "Proposal 1 by Ann", "FOR").await;
    shows(&world, first.id, "it is Pending").await;
    world.fake.state().messages.iter_mut().filter(|held| held.id == first.id).for_each(|held| held.deleted = true);
    world.fake.answer(&world.fake.slash(&bob(), CHANNEL, "vote", &args(&[("vote", "FOR")]))).await;
    world.fake.sees(&cat(), CHANNEL, "Bob votes FOR on Proposal 1").await;
    let room = world.hub.rooms()[0].id;
    while !world.store.living(room, "discord").await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    posts(&world, &bob(), "Next", "Nothing.", "Proposal 2 by Bob").await;
    let next = offered(&world, &cat(), "Proposal 2 by Bob", "FOR").await;
    presses(&world, &cat(), &next, "FOR").await;
    shows(&world, next.id, "Votes: 2 FOR").await;
    world.end().await;
}

/// Given a channel that the bot may not write to for a while. Then what came meanwhile shows once it may again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_in_a_channel_that_is_shut_goes_on_when_it_is_open_again() {
    let world = world().await;
    let first = offered(&world, &bob(), "Proposal 1 by Ann", "FOR").await;
    shows(&world, first.id, "it is Pending").await;
    world.fake.state().closed.insert(CHANNEL);
    let edit = format!("/api/v10/channels/{CHANNEL}/messages/{}", first.id);
    let edits = |requests: &[(String, String)]| {
        requests.iter().filter(|(method, path)| method == "PATCH" && *path == edit).count()
    };
    let before = edits(&world.fake.state().requests);
    votes_elsewhere(&world, "vote 1 against").await;
    world.fake.until("an edit that is refused", |state| (edits(&state.requests) > before).then_some(())).await;
    world.fake.state().closed.remove(&CHANNEL);
    shows(&world, first.id, "1 AGAINST").await;
    world.end().await;
}

/// Given a channel where the bot may neither embed nor attach. Then the message stands there as a text, and lives as one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_without_frames_is_kept_up_to_date_as_a_text() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL, OTHER_CHANNEL]);
    fake.state().bare.insert(CHANNEL);
    let mut world = World::on(fake, |settings| settings.refresh = Duration::from_millis(5)).await;
    world.connect().await;
    opened(&world).await;
    posts(&world, &ann(), "Longer", "More time.\n=> set timeout-hours to 72", "Proposal 1 by Ann").await;
    let first = offered(&world, &bob(), "Proposal 1 by Ann", "FOR").await;
    presses(&world, &bob(), &first, "FOR").await;
    let voted = shows(&world, first.id, "Votes: 2 FOR, 0 AGAINST").await;
    assert!(voted.body["embeds"].as_array().is_none_or(Vec::is_empty), "{}", voted.body);
    assert!(labels(&voted).iter().any(|label| label == "Your vote"), "{:?}", labels(&voted));
    world.end().await;
}

/// Given a message that Discord has wait for a minute, others are revised meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_has_to_wait_holds_up_no_other() {
    let world = world().await;
    posts(&world, &bob(), "Other", "Nothing.", "Proposal 2 by Bob").await;
    let first = offered(&world, &cat(), "Proposal 1 by Ann", "Your vote").await;
    let other = offered(&world, &cat(), "Proposal 2 by Bob", "Your vote").await;
    let edit = format!("/channels/{CHANNEL}/messages/{}", first.id);
    let path = format!("/api/v10{edit}");
    let edits =
        |requests: &[(String, String)]| requests.iter().filter(|(method, at)| method == "PATCH" && *at == path).count();
    let before = edits(&world.fake.state().requests);
    // As long as the bot waits out at all.
    world.fake.fault("PATCH", &edit, Fault::Limit(59.0), 1);
    presses(&world, &cat(), &first, "FOR").await;
    world.fake.until("the edit that has to wait", |state| (edits(&state.requests) > before).then_some(())).await;
    presses(&world, &cat(), &other, "AGAINST").await;
    shows(&world, other.id, "1 FOR, 1 AGAINST").await;
    assert_eq!(edits(&world.fake.state().requests), before + 1, "the first still waits");
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_menus_of_messages_and_people_answer_who_chose_alone() {
    let world = world().await;
    let first = offered(&world, &bob(), "Proposal 1 by Ann", "FOR").await;
    shows(&world, first.id, "it is Pending").await;
    for (menu, part) in [("Vote", "it is Pending"), ("Why?", "as of entry"), ("History", "propose")] {
        let token = world.fake.choose(&bob(), CHANNEL, menu, first.id);
        let answer = world.fake.answer(&token).await;
        assert!(answer.only == Some(bob().id) && answer.text().contains(part), "{menu}: {}", answer.text());
        assert!(menu != "Vote" || labels(&answer).iter().any(|label| label == "FOR"), "{:?}", answer.buttons());
    }
    let token = world.fake.choose(&bob(), CHANNEL, "What they did", ann().id);
    let answer = world.fake.answer(&token).await;
    assert!(answer.only == Some(bob().id) && answer.text().contains("Entries of Ann"), "{}", answer.text());
    for (menu, target) in [("Vote", 12), ("What they did", 999)] {
        let token = world.fake.choose(&bob(), CHANNEL, menu, target);
        let none = world.fake.answer(&token).await;
        assert!(none.text().contains("Nothing is known of that here"), "{}", none.text());
    }
    world.end().await;
}
