//! What waits: deeds set for later, limits, acts that need others, what is asked, what is sealed.

use kernel::{Game, directives::Names, display::plain, engine::View as _, viewer::Viewer};
use serde_json::{Value as Json, json};

use crate::toy::{Room, Toy};

// ---- time and limits

#[test]
fn deeds_are_set_for_later_and_taken_off() {
    let law = r#"
        deed("pay", ["to: a player", "amount: whole number"], |a| { a.to.points += a.amount; say(`${a.to} is paid`); });
        action("promise", ["to: a player"], |a| schedule("2 ndays", "pay", #{to: a.to, amount: 3}));
        action("break", ["to: a player"], |a| unschedule("pay", #{to: a.to}));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "promise", json!({"to": "Bob"}));
    room.acts("ann", "promise", json!({"to": "Cid"}));
    room.acts("ann", "break", json!({"to": "Cid"}));
    // What comes is told in words.
    let (what, _) = room.state.coming().unwrap();
    assert!(what.starts_with("“pay” of rule 2, "), "{what}");
    assert!(room.passes(47).is_empty());
    assert_eq!(room.passes(2), ["Bob is paid."]);
    assert_eq!((room.value("player/bob.points"), room.value("player/cid.points")), ("5".into(), "0".into()));
}

#[test]
fn what_a_law_set_for_later_ends_with_it() {
    let law = r#"
        deed("pay", [], |a| say("paid"));
        action("promise", [], |a| schedule("2 ndays", "pay", #{}));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "promise", json!({}));
    room.directives("=> repeal rule 2");
    assert!(room.passes(72).is_empty());
}

/// Of what waits for an act that is amended, what that does not take any more ends, and is told.
#[test]
fn what_an_amended_act_does_not_take_lapses_with_a_sentence() {
    let law = r#"
        deed("end", ["who: a player"], |a| say("ended"));
        deed("pay", ["n: whole number"], |a| say("paid"));
        action("answer", ["n: whole number", "t: text"], |a| say("answered"));
        action("plan", [], |a| {
            schedule("2 ndays", "end", #{who: a.by});
            schedule("2 ndays", "pay", #{n: 9});
            ask("Judge", "answer", #{n: 3}, "3 ndays");
            ask(the("Bob"), "answer", #{n: 7});
        });
        after("overdue", |a| say("overdue"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "plan", json!({}));
    let before = room.state.clone();
    let said = room.directives(
        r#"=> amend rule 2: replace "["who: a player"]" with "["whom: a player"]"
=> amend rule 2: replace "["n: whole number"]" with "["n: whole number from 5"]"
=> amend rule 2: replace "["n: whole number", "t: text"]" with "["n: whole number from 5", "t: text"]""#,
    );
    let told = said.join("\n");
    assert!(told.contains("“end”, set for 2026-11-04 10:00 UTC, is not done: “end” needs whom: a player."), "{told}");
    assert!(told.contains("Judge is not asked for “answer n:3” any more: n of “answer” cannot be 3"), "{told}");
    assert!(!told.contains("“pay”, set") && !told.contains("n:7"), "{told}");
    let differs = Toy::mechanics().differs(&before, &room.state).join("\n");
    assert!(differs.contains("“end”, set for 2026-11-04 10:00 UTC, is not done"), "{differs}");
    assert!(differs.contains("“answer n:3” is not asked for any more"), "{differs}");
    assert_eq!(room.passes(200), ["paid."]);
}

#[test]
fn what_is_asked_ends_with_the_command_that_it_asks_for() {
    let law = r#"
        action("answer", ["n: whole number"], |a| say("answered"));
        action("plan", [], |a| ask("Judge", "answer", #{n: 3}, "3 ndays"));
        after("overdue", |a| say("overdue"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "plan", json!({}));
    let said = room.directives(r#"=> amend rule 2: replace "action("answer"" with "action("reply"""#);
    assert!(
        said.iter().any(|line| line == "Judge is not asked for “answer n:3” any more: no law has “answer” any more.")
    );
    assert!(room.passes(200).is_empty());
}

#[test]
fn limits_count_what_was_done() {
    let law = r#"
        action("dance", #{limit: "once an nday"}, [], |a| require(a.by.points > 0, "you are too poor"));
        action("rule", #{who: "Judge", limit: "once an nweek for the office"}, [], |a| ());
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.refuses("cid", "dance", json!({})), "you are too poor");
    room.directives("=> set points of cid to 1");
    room.acts("cid", "dance", json!({}));
    assert_eq!(
        room.refuses("cid", "dance", json!({})),
        "“dance” is for once an nday, and you did it once in this nday"
    );
    room.acts("ann", "dance", json!({}));
    room.passes(24);
    room.acts("cid", "dance", json!({}));
    assert_eq!(room.refuses("bob", "rule", json!({})), "that is for the Judge alone; ask Ann");
    room.acts("ann", "rule", json!({}));
    assert!(room.refuses("ann", "rule", json!({})).contains("it was done once in this nweek"));
}

#[test]
fn laws_ask_how_often_something_was_done() {
    let law = r#"
        forbid("give", |a| times("give", #{by: a.by}, "nday") >= 2, "two gifts a day");
    "#;
    let mut room = Room::with(&[(2, law)]);
    let give = |room: &mut Room, by: &str| room.native(by, "give", json!({"to": "cid", "amount": 0})).0;
    give(&mut room, "ann").unwrap();
    give(&mut room, "ann").unwrap();
    assert_eq!(give(&mut room, "ann").unwrap_err(), "two gifts a day");
    give(&mut room, "bob").unwrap();
    room.passes(24);
    give(&mut room, "ann").unwrap();
}

#[test]
fn a_private_forum_reaches_the_command() {
    let law = r#"action("whisper", #{forum: "private"}, [], |a| ()); action("shout", [], |a| ());"#;
    let room = Room::with(&[(2, law)]);
    let commands = <crate::toy::Toy as kernel::Game>::mechanics().commands(&room.state);
    let private: Vec<(&str, bool)> = commands.iter().map(|command| (&*command.name, command.private)).collect();
    assert_eq!(private, [("whisper", true), ("shout", false)]);
}

// ---- acts that need others, and what is asked of players

#[test]
fn an_act_without_objection_is_done_at_its_time() {
    let law = r#"
        action("crown", #{needs: "without objection within 2 ndays", limit: "once an nweek"}, ["who: a player"], |a| {
            a.who.points += 1;
            say(`${a.by} crowns ${a.who}`);
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert!(room.refuses("ann", "crown", json!({"who": "Nobody"})).contains("there is no player “Nobody”"));
    let said = room.acts("ann", "crown", json!({"who": "Bob"}));
    assert!(
        said[0].starts_with("Ann announces “crown who:Bob”, number 1: it is done without objection within 2 ndays"),
        "{said:?}"
    );
    room.acts("bob", "crown", json!({"who": "Cid"}));
    room.acts("cid", "law object", json!({"intent": 2}));
    assert_eq!(room.refuses("cid", "law object", json!({"intent": 2})), "you object already");
    assert!(room.shows("pending").unwrap().contains("Cid object"));
    assert!(room.passes(47).is_empty());
    let said = room.passes(2);
    assert_eq!(
        said,
        [
            "Ann crowns Bob.",
            "“crown” of Ann, number 1, is done without objection within 2 ndays.",
            "“crown” of Bob, number 2, is not done: 1 object.",
        ]
    );
    assert_eq!((room.value("player/bob.points"), room.value("player/cid.points")), ("3".into(), "0".into()));
}

#[test]
fn an_act_with_support_is_done_as_soon_as_it_has_that() {
    let law = r#"action("feast", #{needs: "with 2 support"}, [], |a| { a.by.points += 1; });"#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "feast", json!({}));
    assert_eq!(room.refuses("ann", "law support", json!({"intent": 1})), "nobody supports what e announced emself");
    room.acts("bob", "law support", json!({"intent": 1}));
    assert_eq!(room.value("player/ann.points"), "5");
    let said = room.acts("cid", "law support", json!({"intent": 1}));
    assert_eq!(said, ["Cid supports “feast”, number 1.", "“feast” of Ann, number 1, is done with 2 support."]);
    assert_eq!(room.value("player/ann.points"), "6");
    room.acts("ann", "feast", json!({}));
    let said = room.passes(49);
    assert_eq!(said, ["“feast” of Ann, number 2, is not done: 0 support it."]);
    room.acts("ann", "feast", json!({}));
    room.directives("=> repeal rule 2");
    assert!(room.passes(49).is_empty() && room.shows("pending").is_err());
}

const DUTY: &str = r#"
    kind("matter");
    define("verdict of matter: one of open, guilty, free");
    action("sue", [], |a| { let c = create("matter", #{name: "Matter"}); ask("Judge", "decide", #{matter: c}, "4 ndays"); ask(the("Bob"), "plead", #{matter: c}); });
    action("decide", #{who: "Judge"}, ["matter: a matter", "verdict: one of guilty, free"], |a| { a.matter.verdict = a.verdict; });
    action("plead", ["matter: a matter"], |a| ());
    after("overdue", |a| { say(`${a.by} is late with ${a.act} of ${a.matter}`); });
"#;

#[test]
fn what_somebody_is_asked_for_ends_when_it_is_done() {
    let mut room = Room::with(&[(2, DUTY)]);
    let said = room.acts("cid", "sue", json!({}));
    assert!(
        said[0].starts_with(
            "Rule 2 asks you for “decide matter:Matter”, with verdict: one of guilty, free, until 2026-11-06"
        ),
        "{said:?}"
    );
    assert_eq!(said[1], "Rule 2 asks you for “plead matter:Matter”.");
    assert!(room.shows("pending").unwrap().contains("Rule 2 asks Judge for “decide matter:Matter”"));
    room.acts("ann", "decide", json!({"matter": "Matter", "verdict": "free"}));
    room.acts("bob", "plead", json!({"matter": "Matter"}));
    assert!(room.shows("pending").is_err(), "nothing waits any more");
    assert!(room.passes(200).is_empty());
}

#[test]
fn a_duty_past_its_time_is_overdue_once() {
    let mut room = Room::with(&[(2, DUTY)]);
    room.acts("cid", "sue", json!({}));
    assert_eq!(room.passes(200), ["Ann is late with decide of Matter."]);
    assert!(room.passes(200).is_empty());
}

/// A duty is over, with a sentence, when nothing that its owner could do would fulfil it; it stays while something may.
#[test]
fn a_duty_that_nobody_can_do_is_over() {
    let law = r#"
        kind("matter");
        kind("verdict");
        define("state of matter: one of open, closed");
        action("sue", [], |a| {
            create("verdict", #{name: "Free"});
            ask("Judge", "decide", #{matter: create("matter", #{name: "Matter"})}, "4 ndays");
        });
        action("decide", #{who: "Judge"}, ["matter: a matter", "verdict: a verdict"], |a| {
            require(a.matter.state == "open", `${a.matter} is closed`);
            require(a.by.points > 0, "you are too poor");
            say(`${a.verdict}`);
        });
    "#;
    let bar = |when: &str| format!(r#"forbid("decide", |a| {when}, "nobody decides");"#);
    let told = |does: &dyn Fn(&mut Room) -> Vec<String>| {
        let mut room = Room::with(&[(2, law)]);
        room.acts("bob", "sue", json!({}));
        let said = does(&mut room);
        let said = said.into_iter().find(|line| line.contains("is not asked for"));
        assert_eq!(room.state.rows::<crate::tables::Ask>().is_empty(), said.is_some(), "{said:?}");
        said.map(|line| line.split_once(" any more: ").expect("it says why").1.to_owned())
    };
    let directives = |text: &'static str| told(&|room: &mut Room| room.directives(text));
    assert_eq!(directives("=> destroy Matter").as_deref(), Some("1 is no more."));
    assert_eq!(directives("=> set state of Matter to closed").as_deref(), Some("Matter is closed."));
    assert_eq!(directives("=> repeal rule 2").as_deref(), Some("the law that asked for it is gone."));
    let none = directives("=> destroy Free");
    assert_eq!(none.as_deref(), Some("“decide” needs verdict: a verdict, and there is none."));
    let barred = |when: &str| told(&|room: &mut Room| room.law(3, &bar(when)));
    assert_eq!(barred(r#"a.matter.state == "open""#).as_deref(), Some("nobody decides."));
    // Another day, another holder or another choice may be let pass.
    for may in ["clock().nday > 0", "a.by != ()", "a.verdict != ()"] {
        assert_eq!(barred(may), None, "{may}");
    }
    assert_eq!(directives("=> set points of ann to 0"), None);
}

#[test]
fn an_act_that_is_tried_is_refused_before_it_is_announced() {
    let law = |options: &str| {
        format!("action(\"spend\", #{{{options}}}, [\"n: whole number\"], |a| {{ a.by.points -= a.n; }});")
    };
    let mut room = Room::with(&[(2, &law(r#"needs: "without 2 objections within 1 day", tried: true"#))]);
    assert!(room.refuses("bob", "spend", json!({"n": 3})).contains("points"));
    assert!(room.acts("bob", "spend", json!({"n": 2})).concat().contains("Bob announces"));
    assert_eq!(room.value("player/bob.points"), "2");
    room.passes(25);
    assert_eq!(room.value("player/bob.points"), "0");
    assert!(Room::new().law(2, &law("tried: true"))[0].contains("an act that needs others"));
}

#[test]
fn an_act_asks_for_itself_anew() {
    let law = r#"
        action("report", #{who: "Judge"}, [], |a| ask("Judge", "report", #{}, "2 ndays"));
        after("overdue", |a| say(`${a.act} is late`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    for _ in 0..3 {
        room.acts("ann", "report", json!({}));
        assert!(room.passes(24).is_empty());
    }
    assert_eq!(room.passes(48), ["report is late."]);
}

#[test]
fn what_is_asked_waits_for_whoever_is_asked() {
    let law = r#"
        action("call", [], |a| ask("Judge", "decide", #{}, "2 ndays"));
        action("decide", #{who: "Judge"}, [], |a| ());
    "#;
    let mut room = Room::with(&[(2, law)]);
    let waits = |room: &Room| {
        let all = <crate::toy::Toy as kernel::Game>::mechanics().waiting(&room.state);
        all.into_iter().map(|it| (it.display, it.line, it.of, it.until.at().is_some())).collect::<Vec<_>>()
    };
    room.acts("bob", "call", json!({}));
    let of =
        |has_end| vec![("pending/1".to_owned(), "decide".to_owned(), vec![kernel::Id::from("player/ann")], has_end)];
    assert_eq!(waits(&room), of(true));
    assert!(room.shows("pending/1").unwrap().contains("Rule 2 asks Judge for “decide”, until"));
    room.passes(49);
    assert_eq!(waits(&room), of(false));
    assert!(room.shows("pending/1").unwrap().contains("Rule 2 asks Judge for “decide”, late"));
    room.acts("ann", "decide", json!({}));
    assert!(waits(&room).is_empty() && room.shows("pending/1").is_err());
}

/// A line that lacked them would be refused.
#[test]
fn what_waits_says_what_is_to_be_added() {
    let law = r#"
        action("call", [], |a| ask("Judge", "answer", #{n: 3}));
        action("answer", ["n: whole number", "the_word: text", "why?: text"], |a| ());
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("bob", "call", json!({}));
    let waits = Toy::mechanics().waiting(&room.state).remove(0);
    assert_eq!(waits.label, "“answer n:3” is asked for, with the_word: text");
    assert_eq!(waits.line, "answer n:3 the-word:THE_WORD");
}

// ---- sealed acts

const BIDS: &str = r#"
    define("best of game: whole number");
    action("bid", #{sealed: true, keep: "last"}, ["amount: whole number from 1"], |a| {
        require(a.amount <= a.by.points, "you have not so many points");
        a.by.points -= a.amount;
    });
    action("call", [], |a| schedule("1 nday", "hammer"));
    action("open all", [], |a| for bid in opened("bid") { say(`${bid.by} bids ${bid.amount}`); });
    deed("hammer", [], |a| {
        let g = game();
        for bid in opened("bid") { if bid.amount > g.best { g.best = bid.amount; say(`${bid.by} leads`); } }
        discard("bid");
    });
"#;

#[test]
fn a_sealed_act_is_checked_kept_and_opened_by_its_law() {
    let mut room = Room::with(&[
        (2, BIDS),
        (3, r#"forbid("bid", |a| a.by == the("Bob"), "Bob may not bid"); after("bid", |a| say(`heard ${a.amount}`));"#),
    ]);
    assert_eq!(room.refuses("cid", "bid", json!({"amount": 1})), "you have not so many points");
    let said = room.acts("ann", "bid", json!({"amount": 5}));
    assert!(said.len() == 1 && said[0].starts_with("Ann does “bid” under seal, number 1. Its hash: "), "{said:?}");
    room.acts("ann", "bid", json!({"amount": 3}));
    room.acts("bob", "bid", json!({"amount": 2}));
    assert_eq!(room.value("player/ann.points"), "5", "it was only checked");
    let rows = serde_json::to_string(&room.state.rows::<crate::Sealed>().iter().collect::<Vec<_>>()).unwrap();
    assert!(!rows.contains("amount"), "{rows}");
    room.acts("cid", "call", json!({}));
    let said = room.passes(25);
    assert_eq!(said[0], "“bid” of Ann, number 2, was: amount: 3. Its salt: 00000000000000000000000000000000");
    assert_eq!(said[2..], ["Number 3 is void: Bob may not bid.", "Ann leads.", "heard 3."]);
    assert_eq!(room.value("game/room.best"), "3");
    assert!(room.state.rows::<crate::Sealed>().is_empty());
}

#[test]
fn a_sealed_act_ends_unopened_with_its_law() {
    let mut room = Room::with(&[(2, BIDS), (3, r#"action("spy", [], |a| opened("bid"));"#)]);
    room.acts("ann", "bid", json!({"amount": 5}));
    assert!(room.act("bob", "spy", json!({})).0.unwrap().contains("is no sealed act of this law"));
    room.directives("=> repeal rule 2");
    assert!(room.state.rows::<crate::Sealed>().is_empty());
}

#[test]
fn an_act_opens_what_is_sealed() {
    let mut room = Room::with(&[(2, BIDS)]);
    room.acts("ann", "bid", json!({"amount": 5}));
    let said = room.acts("cid", "open all", json!({}));
    assert!(said[0].starts_with("“bid” of Ann, number 1, was: amount: 5.") && said[1] == "Ann bids 5.", "{said:?}");
}

#[test]
fn what_is_replaced_or_ends_unopened_can_be_brought_back() {
    let mut room = Room::with(&[(2, BIDS)]);
    room.acts("ann", "bid", json!({"amount": 5}));
    let before = room.state.clone();
    room.acts("ann", "bid", json!({"amount": 4}));
    room.directives("=> repeal rule 2");
    // As an undo leaves it.
    room.state.tables = before.tables;
    room.state.rules = before.rules;
    assert_eq!(room.acts("cid", "open all", json!({})).last().unwrap(), "Ann bids 5.");
}

#[test]
fn what_is_lost_stops_nothing_else() {
    let mut room = Room::with(&[(2, BIDS)]);
    room.acts("ann", "bid", json!({"amount": 5}));
    room.acts("bob", "bid", json!({"amount": 2}));
    room.secrets.remove("law/1");
    let said = room.acts("cid", "open all", json!({}));
    assert_eq!(said[0], "“bid” of Ann, number 1, cannot be opened: it is not kept any more.");
    assert_eq!(said[2], "Bob bids 2.");
    assert_eq!(room.state.rows::<crate::Sealed>().len(), 1);
}

#[test]
fn a_sealed_act_counts_when_it_is_sealed() {
    let law = r#"action("bid", #{sealed: true, limit: "once a day"}, ["amount: whole number"], |a| ());"#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "bid", json!({"amount": 1}));
    assert!(room.refuses("ann", "bid", json!({"amount": 2})).contains("you did it once in this day"));
}

#[test]
fn a_sealed_act_asks_somebody_for_something() {
    let law = r#"
        action("hit", #{sealed: true}, ["how: text"], |a| ask("Judge", "turn", #{}));
        action("hint", #{sealed: true}, ["how: text"], |a| ask(the("Bob"), "tell", #{how: a.how}));
        action("turn", [], |a| ());
        action("tell", ["how: text"], |a| ());
    "#;
    let mut room = Room::with(&[(2, law)]);
    let said = room.acts("bob", "hit", json!({"how": "softly"}));
    assert_eq!(said[0], "Rule 2 asks you for “turn”.");
    let why = room.act("bob", "hint", json!({"how": "softly"})).0.unwrap_err();
    assert!(why.contains("asks others with words that are sealed"), "{why}");
    assert!(!said.iter().any(|line| line.contains("softly")), "{said:?}");
}

#[test]
fn an_office_may_read_what_is_sealed_for_it() {
    let law = r#"action("bid", #{sealed: #{reader: "Judge"}}, ["amount: whole number"], |a| ()); after("bid", |a| say(`${a.amount}`));"#;
    let mut room = Room::with(&[(2, law)]);
    let said = room.acts("bob", "bid", json!({"amount": 37}));
    assert_eq!(said[1], "You may read “bid” number 1: “show sealed”.");
    assert!(said.iter().all(|line| !line.contains("amount")), "{said:?}");
    let shows = |seat: &str| {
        let mut viewer = Viewer { seat: Some(seat.into()), private: true, ..Viewer::default() };
        for id in Toy::mechanics().reads(&room.state, "sealed", &viewer) {
            viewer.opened.insert(id.clone(), room.secrets[&id].clone());
        }
        plain(&Toy::mechanics().show(&room.state, "sealed", &viewer).unwrap())
    };
    assert!(shows("player/ann").contains("1: “bid” of Bob: amount: 37"), "{}", shows("player/ann"));
    assert!(shows("player/bob").contains("amount: 37") && !shows("player/cid").contains("37"));
    assert_eq!(Toy::mechanics().reader(&room.state, "law/1"), Some("player/ann".into()));
    let command = Toy::mechanics().commands(&room.state).remove(0);
    assert!(command.sealed && command.private);
}

#[test]
fn options_of_the_wrong_kind_are_errors() {
    for (options, why) in [
        ("limit: 3", "the option “limit” is a text"),
        ("who: 5", "the option “who” is a text"),
        ("sealed: 1", "the option “sealed” is true or false"),
        ("sealed: #{office: \"Judge\"}", "there is no option “office”"),
        ("sealed: #{reader: 5}", "the option “reader” is a text"),
        ("examples: \"a\"", "the option “examples” is a list"),
    ] {
        let law = format!("action(\"bid\", #{{{options}}}, [], |a| ());");
        let said = Room::new().law(2, &law);
        assert!(said[0].contains(why), "{options}: {said:?}");
    }
}

#[test]
fn what_is_sealed_fulfils_what_is_asked_and_tells_nothing() {
    let law = r#"
        action("bid", #{sealed: true}, ["on: one of Hat, Coat"], |a| ());
        action("open", [], |a| { for bid in opened("bid") { say(`${bid.on}`); } });
        action("call", [], |a| { ask(the("Bob"), "bid", #{}); ask(the("Bob"), "bid", #{on: "Hat"}); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "call", json!({}));
    let asks = |room: &Room| room.state.rows::<crate::tables::Ask>().len();
    assert_eq!(asks(&room), 2);
    room.acts("bob", "bid", json!({"on": "Hat"}));
    assert_eq!(asks(&room), 1);
    room.acts("ann", "open", json!({}));
    assert_eq!(asks(&room), 0);
}

// ---- what names mean that wait

/// How something is set for later that is about the lamp called Big.
#[derive(Clone, Copy, Debug)]
enum Waits {
    Announced,
    AnnouncedOfSeveral,
    Set,
    SetWithin,
    SpokenFor,
    Written,
}

const LAMPS: &str = r#"
    kind("lamp", #{law: true, changes: true});
    define("lit of lamp: yes/no, no at first");
    define("text of lamp: a law");
    action("make", ["name: text"], |a| create("lamp", #{name: a.name}));
    action("break", ["lamp: a lamp"], |a| destroy(a.lamp));
    action("light", ["lamp: a lamp"], |a| { a.lamp.lit = true; });
    action("propose", #{needs: "with support"}, ["lamp: a lamp"], |a| { a.lamp.lit = true; });
    action("announce", #{needs: "with support"}, ["lamps: list of lamps"], |a| for one in a.lamps { one.lit = true; });
    action("shine", #{who: "lamp"}, [], |a| { a.by.lit = true; });
    action("bid", ["does: a command"], |a| cause(a.by, a.does));
    action("write", ["lamp: a lamp", "text: a law"], |a| { a.lamp.text = a.text; });
    action("read", ["lamp: a lamp"], |a| apply(a.lamp.text, #{portions: true}));
    speaks_for("lamp", |who, lamp| true);
"#;

/// Sets it for later; what is done then.
fn set(room: &mut Room, how: Waits) -> (&'static str, Json) {
    let light = json!({"law": {"act": "light", "args": {"lamp": "Big"}}});
    let mut bound = |act: Json| {
        let mut kept = Json::Null;
        room.does("ann", |d| kept = Toy::mechanics().bound(&act, d));
        ("ann", kept["law"].clone())
    };
    match how {
        Waits::Set => return bound(light),
        Waits::SetWithin => {
            let step = json!([{"said": "light Big", "times": 1, "act": light}]);
            return bound(json!({"law": {"act": "bid", "args": {"does": step}}}));
        }
        Waits::SpokenFor => return bound(json!({"law": {"act": "shine", "args": {}, "as": "Big"}})),
        Waits::Announced => drop(room.acts("ann", "propose", json!({"lamp": "Big"}))),
        Waits::AnnouncedOfSeveral => drop(room.acts("ann", "announce", json!({"lamps": "Big, Other"}))),
        Waits::Written => {
            room.acts("ann", "write", json!({"lamp": "Other", "text": "=> set lit of Big to yes"}));
            return ("ann", json!({"act": "read", "args": {"lamp": "Other"}}));
        }
    }
    ("bob", json!({"act": "law support", "args": {"intent": 1}}))
}

/// Whatever waits is done to what its words named when it was set, whatever comes and goes since, and else to nothing.
#[test]
fn what_waits_means_what_its_words_named() {
    use Waits::*;
    for how in [Announced, AnnouncedOfSeveral, Set, SetWithin, SpokenFor, Written] {
        for comes in ["", "b", "bm", "bmb", "bmbm", "m"] {
            let mut room = Room::with(&[(2, LAMPS)]);
            room.acts("ann", "make", json!({"name": "Big"}));
            room.acts("ann", "make", json!({"name": "Other"}));
            let (by, act) = set(&mut room, how);
            for sign in comes.chars() {
                let there = Toy::find(&room.state, "Big").is_ok();
                match sign {
                    'b' if there => drop(room.acts("ann", "break", json!({"lamp": "Big"}))),
                    'm' if !there => drop(room.acts("ann", "make", json!({"name": "Big"}))),
                    _ => {}
                }
            }
            let done = room.native(by, "law", act);
            let is_there = room.state.world.exists("lamp/1");
            for lamp in room.state.world.of_kind("lamp") {
                let meant =
                    **lamp == *"lamp/1" || (matches!(how, AnnouncedOfSeveral) && is_there && **lamp == *"lamp/2");
                let lit = room.value(&format!("{lamp}.lit"));
                assert_eq!(lit, meant.to_string(), "{how:?} {comes}: {lamp}, {done:?}");
            }
            if !is_there {
                let told = format!("{done:?}");
                assert!(told.contains("is gone") || matches!(how, Written), "{how:?} {comes}: {told}");
            }
        }
    }
}
