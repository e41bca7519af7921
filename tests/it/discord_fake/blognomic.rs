//! The story of a Dynasty of BlogNomic on Discord, by a rulebook that its moderator brought along. There are an
//! opening, a Proposal by window and votes by buttons. A run of the Master Control Program, a virus, a judgment and a
//! short circuit follow.

use super::{Arg, CHANNEL, GUILD, Person, World, ann, args, bob, moderator};
use crate::fakes::discord::Message;

/// A page of a wiki.
const PAGE: &[u8] = include_bytes!("../../rehearsals/blognomic/scenes/ruleset.wiki");

/// Hours from the opening, on a Monday at noon, to the end of that day.
const TO_THE_END_OF_MONDAY_HOURS: i64 = 12;

pub(super) fn cat() -> Person {
    Person::new(504, "Cat")
}

/// The latest message that a person sees in the channel with this in it and a button of this label.
pub(super) async fn offered(world: &World, to: &Person, part: &str, label: &str) -> Message {
    world
        .fake
        .until(&format!("{label} under {part}"), |state| {
            let mut shown = state.shown(CHANNEL, to.id).into_iter().rev();
            let fits =
                |held: &&Message| held.text().contains(part) && held.buttons().iter().any(|(held, _)| held == label);
            shown.find(fits).cloned()
        })
        .await
}

/// Somebody types a slash command; the answer.
pub(super) async fn does(world: &World, who: &Person, name: &str, given: &[(&str, &str)]) -> String {
    let token = world.fake.slash(who, CHANNEL, name, &args(given));
    let answer = world.fake.answer(&token).await;
    answer.text()
}

/// Somebody presses a button; what they are told alone, where it is a refusal.
pub(super) async fn presses(world: &World, who: &Person, message: &Message, label: &str) -> String {
    let token = world.fake.press(who, message, label);
    world.fake.answer(&token).await.text()
}

pub(super) async fn opened(world: &World) {
    let file = Arg::File("ruleset.txt", PAGE.to_vec());
    let given = [
        ("game", Arg::Text("blognomic")),
        ("name", Arg::Text("main")),
        ("sure", Arg::Text("yes")),
        ("rulebook-file", file),
    ];
    world.fake.slash(&moderator(), CHANNEL, "room open", &given);
    world.fake.sees(&moderator(), CHANNEL, "18 rules were read from your file").await;
    world.fake.sees(&ann(), CHANNEL, "“/robot apply name:NAME link:LINK”").await;
    world.fake.registered(GUILD, "robot").await;
    for (person, name) in [(ann(), "Ann"), (bob(), "Bob"), (cat(), "Cat")] {
        does(world, &person, "robot apply", &[("name", name), ("link", "https://example.org/")]).await;
        does(world, &moderator(), "admin set-up", &[("robot", name)]).await;
    }
    world.fake.sees(&ann(), CHANNEL, "Cat is a Robot, with 70 Power. Mod gets 10 Power for the set-up.").await;
}

/// A Proposal that comes by a window is corrected, voted on by buttons, and changes a rule and a figure.
async fn proposed(world: &mut World) {
    let token = world.fake.slash(&ann(), CHANNEL, "propose", &args(&[("title", "Longer")]));
    let text = "More time, and no oil.\n=> set timeout-hours to 72\n=> amend rule 17: replace \"oil\" with \"watre, @everyone\"";
    let token = world.fake.fill(&ann(), &token, text).await;
    world.fake.answer(&token).await;
    let first = offered(world, &bob(), "Proposal 1 by Ann.", "FOR").await;
    let choices = world.fake.complete(&bob(), CHANNEL, "vote", "on", "").await;
    assert_eq!(choices, [("Proposal 1 (Longer)".to_owned(), "1".to_owned())]);
    let mend = [("proposal", "1"), ("old", "watre"), ("new", "water")];
    does(world, &moderator(), "admin mend-proposal", &mend).await;
    world.fake.sees(&bob(), CHANNEL, "as its proposer asked; the votes stay").await;

    // What was offered about the text as it was is refused; what is offered now counts.
    let stale = presses(world, &bob(), &first, "FOR").await;
    assert!(stale.contains("as it was posted") && stale.contains("after revision 1"), "{stale}");
    let now = offered(world, &bob(), "the votes stay", "FOR").await;
    let voted = presses(world, &bob(), &now, "FOR").await;
    assert!(voted.contains("Your vote on Proposal 1 ("), "{voted}");
    presses(world, &cat(), &now, "AGAINST").await;
    world.fake.sees(&ann(), CHANNEL, "Cat votes AGAINST on Proposal 1 (").await;
    presses(world, &moderator(), &now, "FOR").await;
    let ripe = offered(world, &moderator(), "can be enacted by an Admin", "Enact").await;
    world.restart().await;
    let no = presses(world, &bob(), &ripe, "Enact").await;
    assert!(no.contains("Admin"), "{no}");
    presses(world, &moderator(), &ripe, "Enact").await;
    world.fake.sees(&bob(), CHANNEL, "Ann gains 10 Power").await;
    assert!(does(world, &bob(), "rule show", &[("rule", "7")]).await.contains("longer than 72 hours"));
    assert!(does(world, &bob(), "rule show", &[("rule", "The Feast")]).await.contains("drink water, @everyone"));
    let late = presses(world, &cat(), &now, "FOR").await;
    assert!(late.contains("is not voted on: it is Enacted"), "{late}");
}

/// Posts a Proposal by window, and waits until everybody sees it.
pub(super) async fn posts(world: &World, who: &Person, title: &str, text: &str, seen: &str) {
    let token = world.fake.slash(who, CHANNEL, "propose", &args(&[("title", title)]));
    let token = world.fake.fill(who, &token, text).await;
    world.fake.answer(&token).await;
    world.fake.sees(&cat(), CHANNEL, seen).await;
}

/// What became impossible is enacted by hand, a figure that a Proposal defined is updated and undone. The past of a
/// rule is looked at.
async fn amended(world: &World) {
    posts(world, &bob(), "First", "=> amend rule 7: replace \"longer than\" with \"more than\"", "Proposal 2 by Bob.")
        .await;
    // While one is pending, a vote needs no number.
    for person in [ann(), moderator()] {
        let voted = does(world, &person, "vote", &[("vote", "FOR")]).await;
        assert!(voted.contains("Your vote on Proposal 2 ("), "{voted}");
    }
    posts(world, &cat(), "Second", "=> amend rule 7: replace \"longer than\" with \"beyond\"", "Proposal 3 by Cat.")
        .await;
    let which = world.fake.slash(&bob(), CHANNEL, "vote", &args(&[("vote", "FOR")]));
    assert!(world.fake.answer(&which).await.text().contains("Say which of these you mean"));
    for person in [ann(), moderator()] {
        does(world, &person, "vote", &[("on", "3"), ("vote", "FOR")]).await;
    }
    does(world, &moderator(), "admin enact", &[]).await;
    let stuck = does(world, &moderator(), "admin enact", &[]).await;
    assert!(stuck.contains("Proposal 3 (Second) cannot be enacted as it is") && stuck.contains("line 1"), "{stuck}");
    let done = does(world, &moderator(), "admin enact", &[("proposal", "3"), ("how", "by-hand")]).await;
    assert!(done.contains("/admin apply proposal:3"), "{done}");
    world.fake.sees(&bob(), CHANNEL, "It was enacted by hand by Mod.").await;

    let charm = "=> define charm of robot: whole number from 0 to 10, 5 at first";
    posts(world, &ann(), "Charm", charm, "Proposal 4 by Ann.").await;
    for person in [bob(), moderator()] {
        does(world, &person, "vote", &[("vote", "FOR")]).await;
    }
    does(world, &moderator(), "admin enact", &[]).await;
    let columns = does(world, &bob(), "show", &[("display", "columns")]).await;
    assert!(columns.contains("charm") && columns.contains("a whole number from 0 to 10"), "{columns}");
    let set = [("robot", "Bob"), ("stat", "charm"), ("to", "7"), ("ground", "it is owed")];
    let logged = does(world, &cat(), "gndt set", &set).await;
    world.fake.sees(&ann(), CHANNEL, "GNDT: charm of Bob is 7, was 5. Ground: it is owed").await;
    let entry = logged.split("entry ").nth(1).and_then(|rest| rest.split(';').next()).expect("the entry");
    does(world, &ann(), "gndt undo", &[("entry", entry), ("reason", "nobody may do that")]).await;
    world.fake.sees(&bob(), CHANNEL, "Whoever disputes that raises a Call for Judgment.").await;
    let robots = does(world, &bob(), "robots", &[]).await;
    assert!(robots.contains("charm"), "{robots}");

    let history = does(world, &bob(), "rule history", &[("rule", "7")]).await;
    assert!(history.contains("All changes of") && history.contains("Proposal 2 (First)"), "{history}");
    let then = does(world, &bob(), "rule show", &[("rule", "7"), ("as-of", "1")]).await;
    assert!(then.contains("longer than forty-eight hours") && then.contains("as of entry 1"), "{then}");
    let now = does(world, &bob(), "rule show", &[("rule", "7")]).await;
    assert!(now.contains("more than 72 hours"), "{now}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dynasty_is_played_from_a_page_of_a_wiki_to_a_short_circuit() {
    let mut world = World::new().await;
    opened(&world).await;
    proposed(&mut world).await;

    // The program of the page, with what it changed; who wants every line asks for it.
    does(&world, &ann(), "mcp", &[("keyword", "PRODUCT")]).await;
    let run = world.fake.sees(&bob(), CHANNEL, "Ann runs the Master Control Program with PRODUCT:").await.text();
    assert!(run.contains("Ann's power: 60 becomes 50") && run.contains(": /show display:run/"), "{run}");
    let id = run.rsplit("display:").next().and_then(|rest| rest.split_whitespace().next()).expect("where to see it");
    let whole = does(&world, &bob(), "show", &[("display", id)]).await;
    assert!(whole.contains("RECHARGE") && whole.contains(": no"), "{whole}");

    // At the end of Monday the virus comes by itself: rule 10, its first numeral, halved.
    let dice = [("infected-rule", 9), ("infected-number", 0), ("infection", 0)];
    let dice = dice.map(|(label, number)| (label.to_owned(), number)).to_vec();
    world.hub.fix_dice(&world.hub.rooms()[0], dice).await;
    world.pass(jiff::SignedDuration::from_hours(TO_THE_END_OF_MONDAY_HOURS));
    world.fake.sees(&bob(), CHANNEL, "in rule 10, Spare Parts: it halves 50, which becomes 25.").await;

    // A Call for Judgment, upheld and carried out by buttons.
    let token = world.fake.slash(&cat(), CHANNEL, "cfj raise", &args(&[("title", "What is oil")]));
    let token = world.fake.fill(&cat(), &token, "Water is dear.\n=> take 5 power from Bob").await;
    world.fake.answer(&token).await;
    let call = offered(&world, &cat(), "What is oil", "FOR").await;
    for person in [ann(), cat(), moderator()] {
        presses(&world, &person, &call, "FOR").await;
    }
    let upheld = offered(&world, &moderator(), "is upheld", "Carry out").await;
    world.restart().await;
    presses(&world, &moderator(), &upheld, "Carry out").await;
    world.fake.sees(&ann(), CHANNEL, "Mod carries out Call for Judgment 1").await;

    // The Control Unit gives everything away and short-circuits.
    does(&world, &moderator(), "power give", &[("amount", "80"), ("to", "Ann")]).await;
    world.fake.sees(&ann(), CHANNEL, "The First Dynasty of Ann begins: Mod short-circuits").await;
    world.restart().await;
    let robots = does(&world, &cat(), "robots", &[]).await;
    assert!(["Mod", "Ann", "Bob", "Cat"].iter().all(|name| robots.contains(name)), "{robots}");
    let dynasties = does(&world, &cat(), "dynasties", &[]).await;
    assert!(
        dynasties.contains("The First Dynasty of Mod") && dynasties.contains("The First Dynasty of Ann"),
        "{dynasties}"
    );
    amended(&world).await;
    world.end().await;
}
