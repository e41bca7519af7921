//! What laws declare, look at and ask for.

use kernel::{Game, display::plain, game::Viewer};
use serde_json::json;

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
    assert_eq!(room.refuses("bob", "rule", json!({})), "that is for the Judge alone");
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
    assert!(room.refuses("ann", "crown", json!({"who": "Nobody"})).contains("who of “crown” cannot be"));
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
            "You are asked for “decide matter:Matter”, with verdict: one of guilty, free, until 2026-11-06"
        ),
        "{said:?}"
    );
    assert_eq!(said[1], "You are asked for “plead matter:Matter”.");
    assert!(room.shows("pending").unwrap().contains("Judge is asked for “decide matter:Matter”"));
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
    assert_eq!(said[0], "You are asked for “turn”.");
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

// ---- what laws hear, and of what

#[test]
fn what_is_done_in_private_is_not_followed() {
    let law = r#"
        action("whisper", #{forum: "private"}, ["x: text"], |a| { a.by.points += 1; });
        after("whisper", |a| say(`heard ${a.x}`));
        after("change of points of player", |a| say("a change"));
    "#;
    let bar =
        r#"forbid("whisper", |a| a.x != (), "it is seen"); forbid("whisper", |a| a.by == the("Cid"), "not Cid");"#;
    let mut room = Room::with(&[(2, law), (3, bar)]);
    assert_eq!(room.acts("ann", "whisper", json!({"x": "secretz"})), ["a change."]);
    assert_eq!(room.refuses("cid", "whisper", json!({"x": "secretz"})), "not Cid");
}

#[test]
fn a_law_performs_nothing_that_happens_by_the_game() {
    for event in ["give", "overdue", "new sock", "end of day"] {
        let law = format!(
            "after(\"give\", |a| say(\"heard\")); action(\"forge\", [], |a| perform(\"{event}\", #{{by: a.by}}));"
        );
        let mut room = Room::with(&[(2, &law)]);
        let (answer, said) = room.act("ann", "forge", json!({}));
        let why = format!("“{event}” happens by the game itself, and no law performs it");
        assert!(answer.unwrap().contains(&why) && !said.contains(&"heard.".to_owned()), "{said:?}");
    }
}

#[test]
fn an_object_that_a_law_says_there_is_is_new() {
    let law = r#"after("new crime", |a| say(`new ${a.of}`)); there_is("crime", "Theft");"#;
    assert!(Room::new().law(2, law).contains(&"new Theft.".to_owned()));
}

#[test]
fn an_object_is_named_among_those_of_its_kind() {
    let law = r#"
        kind("thing");
        kind("box");
        action("mk", [], |a| { create("thing", #{name: "Shield"}); create("box", #{name: "Shield"}); create("box", #{}); });
        action("use it", ["t: a thing"], |a| say(`used ${a.t}`));
        action("open it", ["b: a box"], |a| say("opened"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "mk", json!({}));
    for words in ["Shield", "thing/1", "1"] {
        assert_eq!(room.acts("ann", "use it", json!({"t": words})), ["used Shield."], "{words}");
    }
    assert_eq!(room.acts("ann", "open it", json!({"b": "2"})), ["opened."]);
    room.acts("ann", "mk", json!({}));
    assert_eq!(room.refuses("ann", "use it", json!({"t": "Shield"})), "“Shield” may be any of thing/1, thing/2");
}

#[test]
fn acts_that_are_not_counted_are_no_zero() {
    let law = r#"let act = "gi" + "ve"; action("ask it", [], |a| say(`${times(act, #{}, "nday")}`));"#;
    let answer = Room::with(&[(2, law)]).act("ann", "ask it", json!({})).0.unwrap();
    assert!(answer.contains("“give” is not counted"), "{answer}");
}

#[test]
fn a_refused_act_is_an_event() {
    let law = r#"
        deed("damage", ["of: a player"], |a| { a.of.points -= 1; });
        action("strike", ["who: a player"], |a| { say("a blow"); perform("damage", #{of: a.who, by: a.by}); });
        forbid("damage", |a| a.of == the("Ann"), "Ann is spared");
        after("refused damage", |a| say(`${a.by} tried ${a.of}: ${a.why}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (answer, said) = room.act("bob", "strike", json!({"who": "Ann"}));
    assert_eq!(answer, Ok("Ann is spared. Nothing happened.".to_owned()));
    assert_eq!(said, ["Bob tried Ann: Ann is spared."]);
    assert_eq!(room.acts("ann", "strike", json!({"who": "Bob"})), ["a blow."]);
}

#[test]
fn a_refused_act_of_the_game_is_an_event() {
    let law = r#"
        forbid("give", |a| a.to == "ann", "Ann takes nothing");
        after("refused give", |a| { a.by.points += 1; say(`${a.by} could not give ${a.amount}: ${a.why}`); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (answer, said) = room.native("bob", "give", json!({"to": "cid", "amount": 7}));
    assert_eq!(
        answer,
        Ok("Points of Bob would be -5, and it is a whole number of at least 0. Nothing happened.".to_owned())
    );
    assert_eq!(said, ["Bob could not give 7: points of Bob would be -5, and it is a whole number of at least 0."]);
    let (answer, said) = room.native("bob", "give", json!({"to": "ann", "amount": 1}));
    assert_eq!(answer, Ok("Ann takes nothing. Nothing happened.".to_owned()));
    assert_eq!(said, ["Bob could not give 1: Ann takes nothing."]);
    assert_eq!((room.value("player/bob.points"), room.value("player/cid.points")), ("4".into(), "0".into()));
    // Who has no seat makes no entry, and nobody does where no law follows it.
    assert!(room.native("zed", "give", json!({"to": "cid", "amount": 1})).0.is_err());
    room.directives("=> repeal rule 2");
    assert!(room.native("bob", "give", json!({"to": "cid", "amount": 70})).0.is_err());
}

#[test]
fn a_parameter_that_is_left_out_is_what_it_is_at_first() {
    let law = r#"
        kind("sock");
        action("knit", ["color: one of Blue, Black, Black at first", "count: whole number from 1 to 3, 2 at first",
            "whose: a player, Bob at first"], |a| say(`${a.count} ${a.color} for ${a.whose}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "knit", json!({})), ["2 Black for Bob."]);
    assert_eq!(room.acts("ann", "knit", json!({"count": 3, "whose": "Cid"})), ["3 Black for Cid."]);
    let why = room.refuses("ann", "knit", json!({"count": 4}));
    assert_eq!(why, "count of “knit” cannot be 4: it is whole number from 1 to 3, 2 at first");
    let commands = Toy::mechanics().commands(&room.state);
    assert!(commands[0].params.iter().all(|param| !param.required), "{:?}", commands[0].params);
    let said = room.law(3, r#"action("darn", ["count: whole number from 1 to 3, 4 at first"], |a| ());"#);
    assert!(said[0].contains("“4” is not whole number from 1 to 3"), "{said:?}");
}

#[test]
fn the_shortest_way_leads_along_lines() {
    let law = r#"
        action("go", ["from: whole number", "to: whole number"], |a| {
            let lines = [[1, 2], [2, 3], [3, 4], [1, 5], [5, 4], [7, 8]];
            say(`${route(a.from, a.to, lines)}`);
        });
        action("walk", [], |a| say(route(the("Ann"), the("Cid"), [[the("Cid"), the("Bob")], [the("Bob"), the("Ann")]])
            .map(|who| who.name).reduce(|all, name| all + name, "")));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let mut goes = |from: i64, to: i64| room.acts("ann", "go", json!({"from": from, "to": to})).concat();
    assert_eq!([goes(1, 4), goes(4, 1), goes(3, 3)], ["[1, 5, 4].", "[4, 5, 1].", "[3]."]);
    assert_eq!([goes(1, 3), goes(1, 8), goes(1, 9)], ["[1, 2, 3].", "[].", "[]."]);
    assert_eq!(room.acts("ann", "walk", json!({})), ["AnnBobCid."]);
    let said = room.law(3, r#"display("way", "Way", |me| table(["a"], [route(1, 2, [[1]])]));"#);
    assert!(said[0].contains("is in force"), "{said:?}");
    assert!(room.shows("way").unwrap_err().contains("a line of a map joins two places"));
}

#[test]
fn what_is_announced_says_with_what() {
    let law = r#"
        kind("matter");
        deed("late", ["n: whole number"], |a| ());
        action("plan", [], |a| { create("matter", #{name: "Big Matter"}); schedule("1 day", "late", #{n: 3}); });
        action("crown", #{needs: "without objection within 2 ndays"}, ["who: a player", "why: text"], |a| ());
        action("decide", ["matter: a matter", "verdict: one of guilty, free"], |a| ());
        action("sue", [], |a| ask(the("Bob"), "decide", #{matter: the("Big Matter")}));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "plan", json!({}));
    let said = room.acts("ann", "crown", json!({"who": "Bob", "why": "e is good"}));
    assert!(said[0].starts_with("Ann announces “crown who:Bob why:\"e is good\"”, number 1"), "{said:?}");
    let said = room.acts("ann", "sue", json!({}));
    assert_eq!(
        said[0].lines().next().unwrap(),
        "You are asked for “decide matter:\"Big Matter\"”, with verdict: one of guilty, free."
    );
    let viewer = Viewer { seat: Some("player/bob".into()), private: true, ..Viewer::default() };
    let page = Toy::mechanics().show(&room.state, "pending", &viewer).unwrap();
    let lines: Vec<&str> = page.offers.iter().map(|offer| &*offer.line).collect();
    assert_eq!(
        lines,
        ["law object 1", "decide matter:\"Big Matter\" verdict:guilty", "decide matter:\"Big Matter\" verdict:free"]
    );
    let page = plain(&page);
    assert!(page.contains("“crown who:Bob why:\"e is good\"” by Ann") && page.contains("“late n:3”, at "), "{page}");
}

// ---- acts in acts

#[test]
fn an_act_that_nobody_defines_is_an_event() {
    let law = r#"
        action("ring", [], |a| perform("bell", #{by: a.by, loud: true}));
        after("bell", |a| if a.loud { say(`${a.by} rings`); });
    "#;
    assert_eq!(Room::with(&[(2, law)]).acts("ann", "ring", json!({})), ["Ann rings."]);
}

#[test]
fn a_group_by_itself_falls_by_itself() {
    let law = r#"
        action("try it", ["n: whole number"], |a| {
            let done = attempt(|| { a.by.points -= a.n; require(a.by.points > 1, "too poor"); });
            say(`${done}`);
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "try it", json!({"n": 4})), ["false."]);
    assert_eq!(room.value("player/ann.points"), "5");
    assert_eq!(room.acts("ann", "try it", json!({"n": 3})), ["true."]);
    assert_eq!(room.value("player/ann.points"), "2");
}

#[test]
fn a_follower_stops_nobody_s_act() {
    let law = r#"
        after("give", |a| { a.by.points += 100; require(false, "only if"); });
        after("give", |a| say("heard"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (answer, said) = room.native("ann", "give", json!({"to": "bob", "amount": 1}));
    assert_eq!((answer, said), (Ok(String::new()), vec!["heard.".to_owned()]));
    assert_eq!(room.value("player/ann.points"), "4");
}

// ---- directives

#[test]
fn values_come_into_directives_after_those_are_read() {
    let law = r#"
        action("name it", ["title: text"], |a| apply("=> retitle rule 1 to {title}", #{title: a.title}));
        action("fine", ["who: a player", "n: whole number"], |a| apply("=> lower points of {who} by {n}", #{who: a.who, n: a.n}));
        action("evil", ["what: text"], |a| apply(`=> ${a.what}`));
        action("worse", ["what: text"], |a| apply(a.what));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "name it", json!({"title": "X => repeal rule 1"}));
    let rule = room.state.rules.get("constitution").unwrap();
    assert!(rule.in_force() && rule.label().starts_with("X => repeal"));
    room.acts("bob", "fine", json!({"who": "Ann", "n": 2}));
    assert_eq!(room.value("player/ann.points"), "3");
    for act in ["evil", "worse"] {
        let answer = room.act("ann", act, json!({"what": "repeal rule 1"})).0.unwrap();
        assert!(answer.contains("directives are written out in the law"), "{answer}");
    }
    assert!(room.state.rules.get("constitution").unwrap().in_force());
}

#[test]
fn a_document_of_directives_is_applied_portion_by_portion() {
    let law = r#"
        kind("trick", #{changes: true});
        define("text of trick: text");
        action("teach", ["text: text"], |a| create("trick", #{name: "Roll", text: a.text}));
        action("perform it", [], |a| {
            let left = apply(find("trick", #{}).text, #{portions: true});
            for line in left { say(line); }
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let text = "=> raise points of Ann by 1\n=> raise points of Nobody by 1\n=> raise points of Bob by 1";
    room.acts("ann", "teach", json!({ "text": text }));
    let said = room.acts("ann", "perform it", json!({}));
    assert!(said.len() == 1 && said[0].contains("Nobody"), "{said:?}");
    assert_eq!((room.value("player/ann.points"), room.value("player/bob.points")), ("6".into(), "3".into()));
}

// ---- changes

#[test]
fn a_change_of_a_native_act_is_handed_back() {
    let law = r#"
        change("give", |a| if a.amount > 1 { a.amount = 1; });
        change("give", |a| if a.amount == 0 { a.to = find("player", #{points: 0}); });
        after("give", |a| say(`${a.by} gives ${a.amount} to ${a.to}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (_, said) = room.native("ann", "give", json!({"to": "bob", "amount": 3, "note": "  as typed "}));
    assert_eq!(said, ["Ann gives 1 to bob."]);
    assert_eq!((room.value("player/ann.points"), room.value("player/bob.points")), ("4".into(), "3".into()));
    let (_, said) = room.native("ann", "give", json!({"to": "bob", "amount": 0}));
    assert_eq!(said, ["Ann gives 0 to Cid."]);
}

#[test]
fn the_strongest_rule_has_the_last_word_on_a_change() {
    let mut room =
        Room::with(&[(2, r#"change("give", |a| a.amount = 2);"#), (3, r#"change("give", |a| a.amount = 3);"#)]);
    room.native("ann", "give", json!({"to": "bob", "amount": 1})).0.unwrap();
    assert_eq!(room.value("player/bob.points"), "4");
}

#[test]
fn a_change_that_goes_wrong_changes_nothing() {
    let law = r#"change("give", |a| { a.amount = 0; let x = 1 / 0; });"#;
    let mut room = Room::with(&[(2, law)]);
    let (_, said) = room.native("ann", "give", json!({"to": "bob", "amount": 2}));
    assert!(said[0].contains("nothing is divided by 0"), "{said:?}");
    assert_eq!(room.value("player/bob.points"), "4");
}

#[test]
fn no_law_stops_what_nothing_stops() {
    let mut room = Room::with(&[(2, r#"forbid("leave", |a| true, "stay"); forbid("give", |a| true, "keep it");"#)]);
    assert_eq!(room.native("ann", "leave", json!({})).0.unwrap(), "gone");
    assert_eq!(room.native("ann", "give", json!({"to": "bob", "amount": 0})).0.unwrap_err(), "keep it");
}

// ---- documents

const DEVICES: &str = r#"
    kind("device", #{law: true});
    define("text of device: a law");
    define("owner of device: a player", #{gone: "destroy"});
    action("build", ["name: text", "text: a law"], |a| create("device", #{name: a.name, text: a.text, owner: a.by}));
    action("use", ["device: a device", "power: text", "choices?: answers"], |a| {
        let power = parts(a.device).find(|p| p.name == a.power);
        require(power != (), `${a.device} has no power ${a.power}`);
        let choices = answers(power.invoke, a.choices);
        let done = attempt(|| run(a.device, a.power, #{by: a.by} + choices));
        if !done { say("it has no effect"); }
    });
    for device in all("device") {
        for p in parts(device) {
            if p.after != () { after(p.after, |act| run(device, p.name, #{by: device.owner, act: act})); }
        }
    }
"#;

const SHIELD: &str = "A shield.\n\n```law\n\
    part(\"Throw\", #{invoke: [\"victim: a player\", \"hard?: yes/no\"]}, |a| { require(a.victim != a.by, \"not you\"); a.victim.points -= 1; });\n\
    part(\"Sting\", #{after: \"give\"}, |a| { a.act.by.points -= 1; say(`${a.act.by} is stung`); });\n\
    part(\"Note\", #{size: 3});\n```\n";

#[test]
fn a_document_has_parts_that_rules_run() {
    let mut room = Room::with(&[(2, DEVICES)]);
    room.acts("bob", "build", json!({"name": "Bramble Shield", "text": SHIELD}));
    let throw = json!({"device": "Bramble Shield", "power": "Throw", "choices": "victim: Ann, hard: yes"});
    room.acts("bob", "use", throw);
    assert_eq!(room.value("player/ann.points"), "4");
    let at_self = json!({"device": "Bramble Shield", "power": "Throw", "choices": "victim: Bob"});
    assert_eq!(room.acts("bob", "use", at_self), ["it has no effect."]);
    let nobody = json!({"device": "Bramble Shield", "power": "Throw"});
    assert_eq!(room.refuses("bob", "use", nobody), "“the choices” needs victim: a player");
}

#[test]
fn what_a_document_listens_to_comes_and_goes_with_it() {
    let mut room = Room::with(&[(2, DEVICES)]);
    let give = |room: &mut Room| room.native("ann", "give", json!({"to": "cid", "amount": 0})).1;
    assert!(give(&mut room).is_empty());
    let said = room.acts("bob", "build", json!({"name": "Shield", "text": SHIELD}));
    assert_eq!(said, ["The law of rule 2, Rule 2, adds “after give”."]);
    assert_eq!(give(&mut room), ["Ann is stung."]);
    room.directives("=> destroy Shield");
    assert!(give(&mut room).is_empty());
}

#[test]
fn a_document_that_cannot_be_read_is_refused_with_its_line() {
    let mut room = Room::with(&[(2, DEVICES)]);
    let bad = "x\n```law\npart(\"A\", |a| 1);\naction(\"b\", [], |a| 1);\n```\n";
    let why = room.refuses("bob", "build", json!({"name": "Bad", "text": bad}));
    assert!(why.contains("line 2") && why.contains("declares parts and attributes alone"), "{why}");
    let refuses = "x\n```law\npart(\"Throw\", #{invoke: []}, |a| { let x = [1][5]; });\n```\n";
    room.acts("bob", "build", json!({"name": "Ill", "text": refuses}));
    // What goes wrong in a document is no fault of the law that tries it.
    let (answer, said) = room.act("bob", "use", json!({"device": "Ill", "power": "Throw"}));
    assert_eq!((answer.as_deref(), &said[..]), (Ok("Done."), &["it has no effect.".to_owned()][..]));
}

#[test]
fn a_document_may_give_its_objects_attributes() {
    let law = r#"
        kind("match", #{law: true});
        kind("stone");
        define("text of match: a law");
        action("begin", ["text: a law"], |a| { create("match", #{name: "M", text: a.text}); create("stone", #{}); });
        action("step", [], |a| run(find("match", #{}), "step", #{portions: true}));
    "#;
    let text = "x\n```law\ndefine(\"weight of stone: whole number from 1 to 3\");\n\
                part(\"step\", |a| { let s = find(\"stone\", #{}); s.weight += 1; s.weight = 9; s.weight += 1; });\n```\n";
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "begin", json!({ "text": text }));
    let said = room.acts("ann", "step", json!({}));
    assert!(said.len() == 1 && said[0].starts_with("Of step of M this was not done: "), "{said:?}");
    assert_eq!(room.value("stone/1.weight"), "3");
}

#[test]
fn somebody_speaks_for_what_a_law_lets_em_speak_for() {
    let law = r#"
        kind("firm");
        are("firm", "owner");
        are("player", "owner");
        define("chief of firm: a player");
        define("code of firm: text of 2 characters from ATGC, AA at first");
        action("found", ["name: text"], |a| create("firm", #{name: a.name, chief: a.by}));
        action("sign", #{who: "owner"}, [], |a| say(`${a.by} signs`));
        action("recode", ["to: text"], |a| { let f = find("firm", #{}); f.code = a.to; });
        speaks_for("firm", |who, firm| firm.chief == who);
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "found", json!({"name": "Acme"}));
    let speak = |room: &mut Room, by: &str, of: &str| room.native(by, "law", json!({"act": "sign", "as": of}));
    assert_eq!(speak(&mut room, "ann", "Acme").1, ["Acme signs."]);
    assert_eq!(speak(&mut room, "bob", "Acme").0.unwrap_err(), "you do not speak for Acme");
    assert_eq!(speak(&mut room, "ann", "Bob").0.unwrap_err(), "nobody speaks for Bob");
    assert_eq!(room.value("firm/1.code"), "AA");
    room.acts("ann", "recode", json!({"to": "GC"}));
    assert!(room.refuses("ann", "recode", json!({"to": "XY"})).contains("2 characters of ATGC"));
    assert_eq!(room.value("firm/1.code"), "GC");
}

#[test]
fn a_map_has_numbers_beside_its_squares() {
    let law = r##"display("map", "Map", |me| grid([["#", "."], [".", 3]]));"##;
    insta::assert_snapshot!(Room::with(&[(2, law)]).shows("map").unwrap());
}

// ---- what must hold, conditions, objects, lifetimes

#[test]
fn what_must_always_hold_is_seen_to() {
    let law = r#"
        define("cap of player: whole number from 0, 6 at first");
        whenever(|| { for p in players() { if p.points > p.cap { p.points = p.cap; } } });
    "#;
    let mut room = Room::new();
    room.directives("=> set points of ann to 9");
    room.law(2, law);
    assert_eq!(room.value("player/ann.points"), "6");
    room.native("ann", "give", json!({"to": "bob", "amount": 5})).0.unwrap();
    assert_eq!((room.value("player/ann.points"), room.value("player/bob.points")), ("1".into(), "6".into()));
}

#[test]
fn a_condition_answers_with_any_value() {
    let mut room = Room::with(&[
        (2, r#"condition("rank", |p| if p.points > 3 { "rich" } else { 7 });"#),
        (3, r#"action("ask", ["of: a player"], |a| say(`${holds("rank", a.of)} ${holds("unknown", a.of)}`));"#),
    ]);
    assert_eq!(room.acts("ann", "ask", json!({"of": "Ann"})), ["rich false."]);
    assert_eq!(room.acts("ann", "ask", json!({"of": "Bob"})), ["7 false."]);
}

#[test]
fn a_condition_changes_nothing() {
    let law = r#"
        condition("paid", |who| { who.points -= 1; true });
        action("test", [], |a| say(`${holds("paid", a.by)}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (answer, _said) = room.act("ann", "test", json!({}));
    assert!(answer.unwrap().contains("a condition change nothing"));
    assert_eq!(room.value("player/ann.points"), "5");
}

#[test]
fn an_object_is_there_while_its_law_is() {
    let law = r#"
        there_is("crime", "Theft", #{class: "Felony"});
        define("class of crime: one of Misdemeanor, Felony");
        define("crime of player: a crime");
        are("player", "holder");
        are("crime", "holder");
        define("weight of holder: whole number from 0, 2 at first");
        action("steal", [], |a| { a.by.crime = the("Theft"); a.by.weight += 1; let theft = the("Theft"); theft.weight = 5; });
        action("confess", [], |a| { a.by.crime = (); });
    "#;
    let mut room = Room::new();
    let said = room.law(2, law);
    assert_eq!(room.value("crime/theft.class"), "Felony", "{said:?}");
    room.acts("ann", "steal", json!({}));
    assert_eq!(room.value("player/ann.weight"), "3");
    room.acts("ann", "confess", json!({}));
    room.directives("=> repeal rule 2");
    assert!(!room.state.world.exists("crime/theft"));
    assert_eq!(room.state.world.named("weight").len() + room.state.world.named("class").len(), 0);
    assert!(room.state.world.values_of(&"player/ann".into()).all(|(at, _)| *at.attr == *"points"));
}

#[test]
fn an_object_waits_for_the_rule_that_gives_it_an_attribute() {
    let mut room = Room::with(&[(2, r#"there_is("crime", "Theft", #{class: "Felony"});"#)]);
    assert_eq!(room.value("crime/theft.class"), "nothing");
    room.law(3, r#"define("class of crime: one of Misdemeanor, Felony");"#);
    assert_eq!(room.value("crime/theft.class"), "Felony");
    room.directives("=> set class of theft to Misdemeanor");
    room.law(4, r#"define("size of crime: whole number");"#);
    assert_eq!(room.value("crime/theft.class"), "Misdemeanor");
}

#[test]
fn what_names_something_gone_ends_stays_or_begins_again() {
    let law = r#"
        kind("box");
        kind("label");
        kind("mark");
        kind("note");
        define("on of label: a box", #{gone: "destroy"});
        define("on of mark: a box", #{gone: "keep"});
        define("on of note: a box", #{nothing: "Nowhere"});
        action("pack", [], |a| {
            let b = create("box", #{});
            for k in ["label", "mark", "note"] { create(k, #{on: b}); }
        });
        action("burn", [], |a| destroy(find("box", #{})));
        display("notes", "Notes", |me| table(all("note"), ["name", "on"]));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "pack", json!({}));
    room.acts("ann", "burn", json!({}));
    let world = &room.state.world;
    assert_eq!((world.count("label"), world.count("mark"), world.count("note")), (0, 1, 1));
    assert_eq!((room.value("mark/1.on"), room.value("note/1.on")), ("1".into(), "nothing".into()));
    assert!(room.shows("notes").unwrap().contains("Nowhere"));
}

#[test]
fn an_amended_range_keeps_what_fits() {
    let mut room = Room::with(&[(2, r#"define("hp of player: whole number from 0, 4 at first");"#)]);
    room.directives("=> set hp of ann to 9\n=> set hp of bob to 2");
    room.directives("=> amend rule 2: replace \"from 0, 4\" with \"from 0 to 5, 3\"");
    let hp = |room: &Room, who: &str| room.value(&format!("player/{who}.hp"));
    assert_eq!((hp(&room, "ann"), hp(&room, "bob"), hp(&room, "cid")), ("3".into(), "2".into(), "4".into()));
    room.directives("=> repeal rule 2");
    room.law(3, r#"define("hp of player: whole number from 0, 4 at first");"#);
    assert_eq!(hp(&room, "bob"), "4");
}

#[test]
fn what_moves_from_rule_to_rule_survives() {
    let mut room = Room::with(&[(
        2,
        r#"kind("sock"); define("hp of player: whole number"); action("knit", [], |a| create("sock", #{}));"#,
    )]);
    room.acts("ann", "knit", json!({}));
    room.directives("=> set hp of ann to 3");
    room.directives(
        "=> repeal rule 2\n=> create rule 4 \"Moved\":\n~~~~\n```law\nkind(\"sock\"); define(\"hp of player: whole number\");\n```\n~~~~",
    );
    assert_eq!((room.state.world.count("sock"), room.value("player/ann.hp")), (1, "3".into()));
    room.directives("=> repeal rule 4");
    assert_eq!(room.state.world.count("sock"), 0);
}

#[test]
fn the_room_itself_has_attributes() {
    let law = r#"
        define("pot of game: whole number from 0");
        action("pay in", ["n: whole number from 1"], |a| { a.by.points -= a.n; let g = game(); g.pot += a.n; say(`${g.pot} ${g.nday}`); });
        after("change of pot of game", |a| say(`from ${a.was} to ${a.now}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "pay in", json!({"n": 2})), ["2 10.", "from 0 to 2."]);
    room.directives("=> repeal rule 2");
    assert!(!room.state.world.exists("game/room"));
}

#[test]
fn objects_are_listed_in_the_order_in_which_they_came() {
    let law = r#"
        kind("sock");
        define("tags of sock: list of texts");
        action("knit", [], |a| { for i in 0..12 { create("sock", #{}); } say(`${all("sock")[10].name}`); });
        action("tag", [], |a| { let s = all("sock")[1]; s.tags += "x"; s.tags += "y"; s.tags -= "x"; say(`${s.tags.len()} ${"y" in s.tags}`); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "knit", json!({})), ["11."]);
    assert_eq!(room.acts("ann", "tag", json!({})), ["1 true."]);
    assert_eq!(room.value("sock/2.tags"), "{y}");
}

#[test]
fn the_rule_that_takes_precedence_has_the_name() {
    let mut room = Room::with(&[(3, r#"action("punish", [], |a| say("three"));"#)]);
    let said = room.law(2, r#"action("punish", [], |a| say("two"));"#);
    assert!(
        said.iter().any(|line| {
            line == "“punish” of rule 3, Rule 3, rests: another rule has that name. It is reached as “rule-3 punish”."
        }),
        "{said:?}"
    );
    assert_eq!(room.acts("ann", "punish", json!({})), ["two."]);
    assert_eq!(room.acts("ann", "rule-3 punish", json!({})), ["three."]);
    let commands = Toy::mechanics().commands(&room.state);
    let names: Vec<&str> = commands.iter().map(|command| &*command.name).collect();
    assert_eq!(names, ["punish", "rule-3 punish"]);
    let notes = Toy::mechanics().notes(&room.state, &"r3".into());
    assert!(notes[0].contains("It is reached as “⁅rule-3 punish⁆”"), "{notes:?}");
    let said = room.law(4, r#"action("rule-3 punish", [], |a| ());"#);
    assert!(said[0].contains("no command of a law begins with “rule-”"), "{said:?}");
    room.directives("=> repeal rule 2");
    assert_eq!(room.acts("ann", "punish", json!({})), ["three."]);
    assert!(room.act("ann", "rule-3 punish", json!({})).0.is_err());
}

#[test]
fn the_game_s_own_kinds_and_acts_are_no_law_s() {
    let said = Room::new().law(2, r#"kind("player");"#);
    assert!(said[0].contains("the game has the kind “player” by itself"), "{said:?}");
    let said = Room::new().law(2, r#"action("give", [], |a| 1);"#);
    assert!(said[0].contains("the game has the act “give” by itself"), "{said:?}");
    let said = Room::new().law(2, r#"define("points of player: whole number");"#);
    assert!(said.iter().any(|line| line.contains("is defined already, and not by a law")), "{said:?}");
}

#[test]
fn nothing_new_takes_a_name_that_something_has() {
    let mut room = Room::with(&[(
        2,
        r#"
        kind("team");
        action("found", ["name: text"], |a| { nameable(a.name); create("team", #{name: a.name}); });
        action("rename", ["team: a team", "name: text"], |a| { nameable(a.name, a.team); say("free"); });
    "#,
    )]);
    room.acts("ann", "found", json!({"name": "Reds"}));
    for taken in ["Reds", "Bob"] {
        assert!(room.refuses("bob", "found", json!({"name": taken})).contains(&format!("“{taken}” already")));
    }
    assert_eq!(room.acts("bob", "rename", json!({"team": "Reds", "name": "Reds"})), ["free."]);
    assert!(room.refuses("bob", "rename", json!({"team": "Reds", "name": "Bob"})).contains("“Bob” already"));
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
fn a_law_takes_up_a_kind_of_which_there_is_something() {
    let mut room = Room::new();
    room.does("zed", |d| d.op(kernel::world::Op::Create { obj: "hat/1".into(), kind: "hat".into() }));
    let said = room.law(2, r#"kind("hat"); action("count", [], |a| say(`${count("hat")}`));"#);
    assert!(said[0].contains("command “count”"), "{said:?}");
    assert_eq!(room.acts("ann", "count", json!({})), ["1."]);
}

#[test]
fn within_a_law_its_own_name_means_its_own_act() {
    let strong = r#"
        action("punish", [], |a| say("strong"));
        deed("note", [], |a| say("strong note"));
        condition("mild", || "strong");
    "#;
    let weak = r#"
        forbid("punish", |a| a.by.points < 1, "the poor do not punish");
        after("punish", |a| say(`${a.by} punished`));
        after("refused punish", |a| say(`${a.by} did not`));
        action("punish", #{limit: "once an nday"}, [], |a| {
            say(`weak, ${holds("mild")}, ${times("punish", #{by: a.by}, "nday")}`);
            perform("note", #{});
            schedule("2 ndays", "note", #{});
        });
        deed("note", [], |a| say("weak note"));
        condition("mild", || "weak");
    "#;
    let mut room = Room::with(&[(2, strong), (3, weak)]);
    assert_eq!(room.acts("cid", "punish", json!({})), ["strong."]);
    let told = room.acts("ann", "rule-3 punish", json!({}));
    assert_eq!(told, ["weak, weak, 0.", "weak note.", "Ann punished."]);
    assert!(room.refuses("ann", "rule-3 punish", json!({})).contains("once an nday"));
    assert_eq!(room.acts("cid", "rule-3 punish", json!({})), ["Cid did not."]);
    assert_eq!(room.passes(48), ["weak note."]);
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

#[test]
fn what_a_rule_says_there_is_is_there_anew_where_it_is_destroyed() {
    let law = r#"
        there_is("crime", "Theft", #{class: "Felony"});
        define("class of crime: text");
        define("count of crime: whole number");
        action("pardon", [], |a| { let it = find("crime", #{name: "Theft"}); it.count = 3; destroy(it); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let told = room.acts("ann", "pardon", json!({}));
    assert_eq!(told, ["“Theft” is there anew: rule 2, Rule 2, says that there is one."]);
    let theft = room.state.world.of_kind("crime").next().cloned().unwrap();
    let value = |name: &str| room.value(&format!("{theft}.{name}"));
    assert_eq!((value("class"), value("count")), ("Felony".into(), "0".into()));
    room.directives("=> repeal rule 2");
    assert_eq!(room.state.world.of_kind("crime").count(), 0);
    // A law that always destroys it does so once an entry.
    let never = r#"there_is("crime", "Theft"); whenever(|| for it in all("crime") { destroy(it); }); action("nod", [], |a| ());"#;
    room.law(2, never);
    room.acts("ann", "nod", json!({}));
    assert_eq!(room.state.world.of_kind("crime").count(), 0);
}

#[test]
fn a_display_that_goes_wrong_names_its_rule_and_line() {
    let mut room = Room::with(&[(2, r#"display("sum", "Sum", |me| 1 / 0);"#)]);
    let why = room.shows("sum").unwrap_err();
    assert!(why.contains("line 1") && why.contains("nothing is divided by 0"), "{why}");
    room.directives("=> repeal rule 2");
}

#[test]
fn an_amended_first_value_changes_nobody() {
    let law = |first: u32| format!("define(\"hp of player: whole number from 0, {first} at first\");");
    let mut room = Room::with(&[(2, &law(10))]);
    room.directives("=> set hp of Ann to 3");
    room.directives("=> amend rule 2: replace \"10\" with \"7\"");
    assert_eq!((room.value("player/ann.hp"), room.value("player/bob.hp")), ("3".into(), "10".into()));
    room.directives("=> amend rule 2: replace \"from 0, 7\" with \"from 0 to 5, 5\"");
    assert_eq!((room.value("player/ann.hp"), room.value("player/bob.hp")), ("3".into(), "5".into()));
}

#[test]
fn choices_without_a_name_go_on_with_the_one_before() {
    let law = r#"action("use", ["with: answers"], |a| {
        let got = answers(["victims: list of players", "words?: text"], a["with"]);
        say(`${got.victims.len()}, ${got.words}`);
    });"#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "use", json!({"with": "victims:Ann, Bob, words: well, well"})), ["2, well, well."]);
    let why = room.refuses("ann", "use", json!({"with": "Ann, Bob"}));
    assert!(why.ends_with("it is choices by name, as in “victim:Ann”"), "{why}");
}
