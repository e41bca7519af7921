//! Being forgotten: what a person leaves behind, and that nothing shows whose it was.

use port::gallery::{Filter, Gallery};

use super::*;

#[tokio::test]
async fn the_forgotten_leave_their_deeds_and_nothing_else() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", "joust submit Bobbin >+").await;
    bot.told().await;
    let warned = bot.say("Bob", "forget me").await;
    reads(&warned, &["(privately) This removes", "Bob in @main", "forget me yes"]);
    reads(&bot.say("Bob", "me").await, &["Bob in @main"]);
    reads(&bot.say("Bob #nomic", "forget me yes").await, &["(privately) You are forgotten here."]);
    let told = bot.told().await;
    reads(&told[0], &["#nomic: Somebody asked to be forgotten; their seat is called former"]);
    assert!(!told[0].contains("Bob"), "{told:?}");

    reads(&bot.say("Bob", "me").await, &["You asked to be forgotten", "former", "in @main", "join NAME"]);
    let players = bot.say("Ann #nomic", "show players").await;
    assert!(players.contains("former") && !players.contains("Bob"), "{players}");
    let history = bot.say("Ann #nomic", "history").await;
    assert!(!history.contains("joust submit name:Bobbin"), "the texts are gone: {history}");
    reads(&history, &["former", "joust submit"]);
    reads(&bot.say("Bob", "forget me yes").await, &["The bot knows nothing of you"]);
    reads(&bot.say("Bob #nomic", "join").await, &["You are a member"]);
}

/// All that can be asked of a room, by a player and by a stranger, as text. That is what it is now, what it was as of
/// every entry, every entry, every page of the journal and the feed.
async fn everything(bot: &mut Bot) -> Vec<(String, String)> {
    let last = bot.seq("main");
    let mut asked = vec![
        "history".to_owned(),
        "history Op".to_owned(),
        "history since 1".to_owned(),
        "history player".to_owned(),
        "why contestmaster".to_owned(),
        "rules".to_owned(),
        "rule search contest".to_owned(),
        "rule history opening".to_owned(),
        "show displays".to_owned(),
    ];
    let displays = [
        "hill",
        "members",
        "players",
        "points",
        "queue",
        "programs",
        "contract",
        "rule/opening",
        "intents",
        "program/Lance",
    ];
    for display in displays {
        asked.push(format!("show {display}"));
        asked.extend((1..=last).map(|seq| format!("show {display} as of {seq}")));
    }
    asked.extend((1..=last).flat_map(|seq| [format!("history {seq}"), format!("why {seq}")]));
    let mut found = Vec::new();
    for text in asked {
        let answer = bot.say("Ann #nomic", &text).await;
        assert!(!answer.contains("no display"), "{text}: {answer}");
        found.push((text, answer));
    }
    let page = |path: String, document: &_| (path, serde_json::to_string(document).expect("JSON"));
    let hub = &bot.hub;
    for announced in hub.announcements("main").await.expect("a feed") {
        found.push(page(format!("feed {}", announced.seq), &announced.document));
    }
    for seq in 1..=last {
        let told = hub.entry("main", seq).await.expect("an entry");
        found.push(page(format!("entry/{seq}"), &told.document));
        found.extend(told.announced.iter().map(|document| page(format!("announced/{seq}"), document)));
    }
    let overview = hub.overview("main").await.expect("a room");
    found.push(page("about".to_owned(), &overview.about));
    let glance = overview.glance;
    found.extend(glance.first.iter().map(|document| page("first".to_owned(), document)));
    found.extend(glance.news.iter().map(|news| page("news".to_owned(), &news.document)));
    let names: Vec<_> = glance.seats.iter().map(|(_, name)| name).collect();
    let labels: Vec<_> = glance.waiting.iter().map(|waits| &waits.label).collect();
    found.push(("glance".to_owned(), format!("{names:?} {labels:?} {:?}", glance.due)));
    for kind in ["", "join", "submit", "moderator"] {
        let filter = Filter { kind: kind.to_owned(), ..Filter::default() };
        let leaf = hub.journal("main", &filter).await.expect("a journal");
        found.push(page(format!("journal/{kind}"), &leaf.document));
        found.push((format!("sentences/{kind}"), format!("{:?}", leaf.entries)));
    }
    found
}

/// Where a word stands by itself, in any case.
fn holds(text: &str, name: &str) -> bool {
    text.split(|char: char| !char.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(name))
}

#[tokio::test]
async fn a_forgotten_name_is_shown_nowhere_any_more() {
    let mut bot = Bot::with_joust().await;
    bot.say("Cy #nomic", "join").await;
    bot.say("Bob", "joust submit Lance >+").await;
    bot.say("Cy", "joust submit Axe >>+").await;
    bot.wait("2026-11-24T00:00:00Z").await;
    bot.say("op #nomic", "correct player/bob.points 7 because the hill fell on Bob").await;
    bot.say("op #nomic", "seat give bob net/ann").await;
    bot.say("Ann #nomic", "join Bob").await;
    reads(&bot.say("Ann", "why").await, &["Bob"]);
    // What was announced of Bob so far has reached nobody yet.
    let before = everything(&mut bot).await;
    assert!(before.iter().filter(|(_, text)| holds(text, "bob")).count() > 30, "the search finds what is there");

    bot.say("Bob", "forget me yes").await;
    let told = bot.told().await;
    assert!(told.len() > 5, "{told:?}");
    for text in &told {
        assert!(!holds(text, "bob"), "{text}");
    }
    for (what, text) in everything(&mut bot).await {
        assert!(!holds(&text, "bob"), "{what}: {text}");
    }
    let former = bot.say("Ann #nomic", "show players").await;
    let former = former.split_whitespace().find(|word| word.starts_with("former")).expect("a name").to_owned();
    for line in ["history Bob", "history player/bob", "history player/bob.points"] {
        reads(&bot.say("Ann #nomic", line).await, &["Nothing is on record about that"]);
    }
    let refused = bot.say("Ann", "why").await;
    assert!(!holds(&refused, "bob"), "{refused}");

    // Nor does whoever remembers the old id learn from it whose it was.
    for line in ["why player/bob.points", "history player/bob", "show player/bob"] {
        let told = bot.say("Ann #nomic", line).await;
        assert!(!told.contains(&former), "{line}: {told}");
    }

    // Who reads on finds the same facts under the other name, and can ask about them.
    reads(&bot.say("Ann #nomic", &format!("history {former}")).await, &["joust submit", "join"]);
    let path = format!("player/{former}.points");
    reads(&bot.say("Ann #nomic", &format!("why {former}")).await, &[&path]);
    reads(&bot.say("Ann #nomic", &format!("why {path}")).await, &[&path, "It is 7", "entry", "correct"]);
    reads(&bot.say("op #nomic", &format!("correct {path} 8 because it rose")).await, &[&path, "is 8"]);

    // A namesake is somebody else, and shown as such.
    reads(&bot.say("Dot #nomic", "join Bob").await, &["You are a member"]);
    let seq = bot.seq("main");
    reads(&bot.say("Ann #nomic", &format!("history {seq}")).await, &["Bob takes a seat"]);
    reads(&bot.told().await.join("\n"), &["Bob is a member of the contest"]);
    reads(&bot.say("Ann #nomic", &format!("show players as of {seq}")).await, &[&former, "Bob"]);
    let then = bot.say("Ann #nomic", &format!("show players as of {}", seq - 3)).await;
    assert!(!holds(&then, "bob"), "{then}");

    reads(
        &bot.say("op #nomic", "export").await,
        &["The public history", "with the names of those who asked to be forgotten"],
    );

    // The journal says what it said, and folds to what it folded to.
    let room = bot.store.rooms().await.expect("rooms").remove(0);
    let proved = rulekeeper::service::archive::verify(&bot.store, &room).await.expect("it can be read");
    assert_eq!(proved.found, Vec::<String>::new());
}

/// The contract names its contestmaster, and keeps naming the same seat.
#[tokio::test]
async fn an_office_keeps_its_holder_under_another_name() {
    let mut bot = Bot::with_joust().await;
    bot.say("op", "forget me yes").await;
    let told = bot.told().await.join("\n");
    assert!(!told.contains("contestmaster"), "{told}");
    for (what, text) in everything(&mut bot).await {
        assert!(!holds(&text, "op") || what == "history Op", "{what}: {text}");
    }
    reads(&bot.say("Ann #nomic", "show contract").await, &["Its contestmaster is former"]);
    reads(&bot.say("op #nomic", "joust terminate").await, &["The contract has ended"]);
}

/// In BlogNomic the roster says where a Robot's weblog is, which is as good as a name.
#[tokio::test]
async fn a_link_goes_with_whom_it_leads_to() {
    let mut bot = Bot::new().await;
    bot.say("op #blog", "room open blognomic main").await;
    for link in ["https://bob.example/old", "https://bob.example/new"] {
        bot.say("Bob #blog", &format!("robot apply Bob {link}")).await;
    }
    bot.say("op #blog", "admin set-up Bob").await;
    reads(&bot.say("Ann #blog", "why Bob").await, &["https://bob.example/new"]);
    bot.say("Bob", "forget me yes").await;
    let told = bot.told().await;
    assert!(told.iter().all(|text| !text.contains("bob.example")), "{told:?}");
    let last = bot.seq("main");
    let asked = (1..=last).flat_map(|seq| {
        [
            format!("history {seq}"),
            format!("why {seq}"),
            format!("show robots as of {seq}"),
            format!("show gndt as of {seq}"),
        ]
    });
    for text in asked.chain(["history", "show robots", "show players", "why former2"].map(str::to_owned)) {
        let answer = bot.say("op #blog", &text).await;
        assert!(!answer.contains("bob.example") && !holds(&answer, "bob"), "{text}: {answer}");
    }
}

/// What others wrote is theirs, and reads the same whether something happened since or not.
#[tokio::test]
async fn what_others_wrote_reads_the_same_at_once_and_later() {
    let mut bot = Bot::new().await;
    bot.say("op #blog", "room open blognomic main").await;
    bot.say("Bob #blog", "robot apply Bob bob@example.org").await;
    bot.say("op #blog", "admin set-up Bob").await;
    bot.say("op #blog", "propose \"Ask Bob\" => set timeout-hours to 73").await;
    bot.say("Bob", "forget me yes").await;
    let at_once = bot.say("op #blog", "proposals").await;
    bot.say("op #blog", "vote 1 AGAINST").await;
    let later = bot.say("op #blog", "proposals").await;
    let titled =
        |text: &str| text.lines().find_map(|line| Some(line.split_once("Ask ")?.1.split(' ').next()?.to_owned()));
    assert_eq!(titled(&at_once), titled(&later), "{at_once}\n{later}");
}
