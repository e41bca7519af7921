//! What laws hear and do: events, acts in acts, directives, changes, documents.

use kernel::{Game, display::plain, viewer::Viewer};
use serde_json::json;

use crate::toy::{Room, Toy};

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
    assert_eq!(answer, Ok("Ann is spared (Rule 2). Nothing happened.".to_owned()));
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
    assert_eq!(answer, Ok("Ann takes nothing (Rule 2). Nothing happened.".to_owned()));
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
        "Rule 2 asks you for “decide matter:\"Big Matter\"”, with verdict: one of guilty, free."
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
    assert_eq!(said, ["Changed by rule 2, of “give” of Ann: amount is 1 now, and was 3.", "Ann gives 1 to bob."]);
    assert_eq!((room.value("player/ann.points"), room.value("player/bob.points")), ("4".into(), "3".into()));
    let (_, said) = room.native("ann", "give", json!({"to": "bob", "amount": 0}));
    assert_eq!(said, ["Changed by rule 2, of “give” of Ann: to is Cid now, and was “bob”.", "Ann gives 0 to Cid."]);
}

/// A refusal says what to type instead, and an act what its doer reads.
#[test]
fn an_act_answers_and_its_refusal_says_what_to_type() {
    let law = r#"
        kind("pot");
        action("fill", ["n: whole number"], |a| {
            require(a.n > 0, "there is nothing in it", line("fill", #{n: 1}));
            if a.n > 9 { refuse("that is too much", "fill 9"); }
            if find("pot") == () { create("pot", #{}); }
            answer(`It holds ${a.n}.`);
            let done = attempt(|| refuse("it leaks"), |why| say(`Alas, ${why}`));
            if !done { say(`${due("2 days", due("1 day"))}`); }
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    let (answer, said) = room.act("ann", "fill", json!({"n": 3}));
    assert_eq!(answer.as_deref(), Ok("It holds 3."));
    assert_eq!(said[0], "Alas, it leaks.");
    assert!(said[1].starts_with("20"), "{said:?}");
    assert!(room.refuses("ann", "fill", json!({"n": 10})).contains("that is too much"));
}

/// What a law puts into an act is no line of the program's.
#[test]
fn a_change_to_a_text_of_several_lines_is_told_to_its_doer_alone() {
    let law = r#"change("give", |a| a.note = "x\nCorrection by a moderator");"#;
    let mut room = Room::with(&[(2, law)]);
    let (_, said) = room.native("ann", "give", json!({"to": "bob", "amount": 1, "note": "for you"}));
    let whole = "Of “give”, note reads now:\n“x\nCorrection by a moderator”";
    assert_eq!(said, ["Changed by rule 2, of “give” of Ann: note is another text now.", whole]);
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
    assert_eq!((answer.as_deref(), &said[..]), (Ok("“use” is done."), &["it has no effect.".to_owned()][..]));
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

#[test]
fn a_display_that_goes_wrong_names_its_rule_and_line() {
    let mut room = Room::with(&[(2, r#"display("sum", "Sum", |me| 1 / 0);"#)]);
    let why = room.shows("sum").unwrap_err();
    assert!(why.contains("line 1") && why.contains("nothing is divided by 0"), "{why}");
    room.directives("=> repeal rule 2");
}

#[test]
fn the_functions_that_there_are_belong_to_the_shape_of_the_table_of_laws() {
    Room::new();
    let shape = schemars::schema_for!(crate::tables::Enacted);
    let takes = shape.get("vocabulary").and_then(|all| all.get("perform"));
    assert_eq!(takes, Some(&json!([1, 2])));
}

#[test]
fn lists_are_the_oldest_first_whatever_things_are_called() {
    let law = r#"
        kind("lamp"); define("lit of lamp: yes/no");
        action("light", ["which: a lamp"], |a| a.which.lit = true);
        action("list", [], |a| {
            say(`${all("lamp").map(|lamp| lamp.name)}`);
            say(`${all("lamp", #{lit: true}).map(|lamp| lamp.name)}`);
            say(`${find("lamp", #{lit: true})} of ${count("lamp")}`);
        });
        display("lamps", "Lamps", |me| table(all("lamp"), ["name"]));
    "#;
    let mut room = Room::with(&[(2, law)]);
    for name in ["Zeta", "Mu", "Alpha"] {
        room.directives(&format!("=> create lamp \"{name}\""));
    }
    for which in ["Alpha", "Zeta"] {
        room.acts("ann", "light", json!({ "which": which }));
    }
    let said = room.acts("ann", "list", json!({}));
    assert_eq!(said, [r#"["Zeta", "Mu", "Alpha"]."#, r#"["Zeta", "Alpha"]."#, "Zeta of 3."]);
    let page = room.shows("lamps").unwrap();
    let place = |name: &str| page.find(name).unwrap();
    assert!(place("Zeta") < place("Mu") && place("Mu") < place("Alpha"), "{page}");
}

/// However many objects there are, a law goes through them for as long as it has operations.
#[test]
fn no_number_of_objects_ends_a_law() {
    const COUNT: usize = 5_000;
    let law = r#"
        kind("sock"); define("n of sock: whole number");
        action("lay", ["from: whole number"], |a| for n in a.from..a.from + 500 { create("sock", #{n: n}); });
        action("sum", [], |a| { let sum = 0; for sock in all("sock") { sum += sock.n; } say(`${sum}`); });
        display("socks", "Socks", |me| table(all("sock"), ["name", "n"]));
        display("long", "Long", |me| table(["", "", ""], all("sock").map(|sock| ["a rather long line for each", sock.n, sock.n])));
    "#;
    let mut room = Room::with(&[(2, law)]);
    (0..COUNT / 500).for_each(|part| drop(room.acts("ann", "lay", json!({"from": part * 500}))));
    assert_eq!(room.acts("ann", "sum", json!({})), [format!("{}.", COUNT * (COUNT - 1) / 2)]);
    assert!(room.shows("socks").unwrap().contains("4999"));
    let long = room.shows("long").unwrap();
    let shown = long.matches("a rather").count();
    assert!(
        (1_001..COUNT).contains(&shown) && long.contains(&format!("{} more are not shown.", COUNT - shown)),
        "{shown}"
    );
}

/// A method hands back what it was called on, and that is no change.
#[test]
fn what_looks_calls_methods_of_values() {
    let law = r#"
        kind("pot"); define("those of pot: list of players"); define("words of pot: text");
        action("lay", [], |a| create("pot", #{name: "Pot", those: [a.by], words: "a b"}));
        condition("any", |x| x.those.len() == 1 && x.words.contains("b") && x.name.len() == 3);
        forbid("give", |a| find("pot", #{}).those.len() > 0 && a.amount == 1, "not with a pot");
        display("pots", "Pots", |me| table(["n", "m"], all("pot").map(|x| [x.those.len() + 10, x.words.split(" ").len()])));
        action("ask", [], |a| say(`${holds("any", find("pot", #{}))} ${a.by.name.to_upper()}`));
        action("cheat", [], |a| holds("set", find("pot", #{})));
        condition("set", |x| x.words = "c");
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.acts("ann", "lay", json!({}));
    assert_eq!(room.acts("ann", "ask", json!({})), ["true ANN."]);
    assert!(room.native("ann", "give", json!({"to": "bob", "amount": 1})).0.unwrap_err().contains("not with a pot"));
    let page = room.shows("pots").unwrap();
    assert!(page.contains("11") && page.contains('2'), "{page}");
    assert!(room.act("ann", "cheat", json!({})).0.unwrap().contains("change nothing"));
}

#[test]
fn a_function_that_takes_another_number_of_things_is_refused_when_it_is_read() {
    for (law, line, wants) in [
        ("action(\"go\", [],\n|| say(\"x\"));", 2, "act go"),
        ("after(\"give\", |a, b| say(\"x\"));", 1, "after give"),
        ("at(\"start of nday\", |a| say(\"x\"));", 1, "at start of nday"),
        ("kind(\"sock\"); speaks_for(\"sock\", |who| true);", 1, "speaks for sock"),
        ("deed(\"pay\", [\"n: whole number\"], || say(\"x\"));", 1, "act pay"),
        ("fn none() { say(\"x\"); }\nafter(\"give\", none);", 1, "after give"),
    ] {
        let said = Room::new().law(2, law).join("\n");
        let wanted = format!("the function of “{wants}” is given");
        assert!(said.contains(&wanted) && said.contains(&format!("line {line}")), "{said}");
    }
}

/// A figure that a law declares is one of the game's: it has a kind, bounds, a meaning, and something that stops without it.
#[test]
fn a_law_declares_the_figures_that_it_plays_by() {
    let rule = "Votes last [5](#vote-hours) hours; [half](#vote-share) of them pass, at [21:00](#vote-end), and \
                [the most](#@vote-choice) count on [Mondays](#@vote-days).\n\n```law\n\
                figure(\"vote-hours: count from 1 to 9\", \"number of hours of a vote\", \"nothing is voted on\");\n\
                figure(\"vote-share: percent\", \"share of votes\", \"nothing passes\");\n\
                figure(\"vote-end: time of day\", \"time at which votes end\", \"they do not end\");\n\
                figure(\"vote-choice: one of the least, the most\", \"choice of votes\", \"the least count\");\n\
                figure(\"vote-days: weekdays\", \"days of votes\", \"there are none\");\n\
                action(\"ask\", [], |a| say(`${number(\"vote-hours\")} ${number(\"vote-share\")} ${number(\"vote-end\")} \
                ${word(\"vote-choice\")} ${word(\"vote-days\")}`));\n\
                action(\"wrong\", [], |a| number(\"vote-days\"));\n```";
    let mut room = Room::new();
    room.rule(2, rule);
    assert_eq!(room.acts("ann", "ask", json!({})), ["5 50 75600 the most Monday."]);
    assert!(room.act("ann", "wrong", json!({})).0.unwrap().contains("word(\"vote-days\")"));
    // By what it means, and within its bounds.
    room.directives("=> set number of hours of a vote to 7");
    room.directives("=> set choice of votes to the least");
    assert_eq!(room.acts("ann", "ask", json!({})), ["7 50 75600 the least Monday."]);
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| room.directives("=> set vote-hours to 12")));
    assert!(refused.is_err(), "{refused:?}");
    room.directives("=> amend rule 2: replace \"last 7 hours\" with \"last long\"");
    let why = room.refuses("ann", "ask", json!({}));
    assert!(why.contains("no rule gives the number of hours of a vote, so nothing is voted on"), "{why}");
}

#[test]
fn a_figure_that_is_none_is_refused_when_it_is_read() {
    for (figure, why) in [
        ("\"-hours: count\", \"hours\", \"none\"", "is no key of a figure"),
        ("\"hours: counts\", \"hours\", \"none\"", "is no kind of figure; there are count, whole number"),
        ("\"hours: count from 9 to 1\", \"hours\", \"none\"", "bounds are the wrong way round"),
        ("\"hours: count from x\", \"hours\", \"none\"", "“x” is no whole number"),
        ("\"hours\", \"hours\", \"none\"", "is no figure: “key: kind”"),
        ("\"hours: count\", \"\", \"none\"", "says what it is"),
    ] {
        let said = Room::new().law(2, &format!("figure({figure});")).join("\n");
        assert!(said.contains(why), "{said}");
    }
}

// ---- whose words they are

/// Whatever a law says is its rule's, by a number that no title of a player's can change.
#[test]
fn what_a_law_says_answers_shows_and_asks_carries_its_rule() {
    let law = r#"
        action("hail", ["words?: text"], |a| {
            say("Correction by a moderator: Ann has 9 points");
            tell(a.by, "Your account was unlinked");
            ask(a.by, "hail", #{words: "x\nCorrection by a moderator"}, "4 days");
            "Done"
        });
        display("votes", "Votes on Proposal 2", |me| "Ann FOR");
    "#;
    let mut room = Room::with(&[(2, law)]);
    let mut said = Vec::new();
    room.does("ann", |d| {
        let act = json!({"law": {"act": "hail", "args": {}}});
        let answer = Toy::mechanics().take(&act, d).unwrap();
        said.push(plain(&answer));
        assert!(Toy::mechanics().settle_all(d));
        said.extend(d.said().iter().map(|say| plain(&say.document)));
    });
    assert_eq!(
        said,
        [
            "[rule 2] Done",
            "[rule 2] Correction by a moderator: Ann has 9 points.",
            "[rule 2] Your account was unlinked.",
            "Rule 2 asks you for “hail words:\"x Correction by a moderator\"”, until 2026-11-06 10:00 UTC.",
        ]
    );
    assert!(room.shows("votes").unwrap().starts_with("Votes on Proposal 2 (rule 2)"));
}

/// Nothing that a law says or shows is turned round, hidden, or broken into a line of its own.
#[test]
fn what_a_law_says_and_shows_reads_as_it_is() {
    let law = r#"
        kind("sock");
        action("hail", [], |a| {
            say("a\u202eb\u200bc");
            create("sock", #{name: "Le\u202eft"});
            "d\u2066e"
        });
        display("socks", "So\u202ecks", |me| table(["what"], [["x\nCorrection by a moderator"], ["y\u202ez"]]));
        action("fail", #{help: "Fail\nEveryone: vote 3 FOR"}, [], |a| refuse("no\nCorrection\u202e by a moderator"));
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "hail", json!({})), ["abc."]);
    assert!(room.shows("objects/sock").unwrap().contains("- Left"));
    let page = room.shows("socks").unwrap();
    assert_eq!(page.lines().collect::<Vec<_>>(), ["Socks (rule 2)", "what", "x / Correction by a moderator", "yz"]);
    let commands = Toy::mechanics().commands(&room.state);
    assert_eq!(commands.iter().find(|own| own.name == "fail").unwrap().help, "Fail Everyone: vote 3 FOR");
    room.does("ann", |d| {
        let why = Toy::mechanics().take(&json!({"law": {"act": "fail", "args": {}}}), d).unwrap_err();
        assert_eq!(why.say, "no Correction by a moderator");
    });
}

/// A title of a display is one line, in which there is something to see.
#[test]
fn a_display_has_a_title_of_one_line() {
    for title in [r"", r"\u200b", r"Votes\nCorrection by a moderator"] {
        let mut room = Room::with(&[]);
        let said = room.law(2, &format!("display(\"votes\", \"{title}\", |me| \"all\");"));
        assert!(said.iter().any(|said| said.contains("title of a display")), "{title:?}: {said:?}");
    }
}

/// A parameter is words, or a map of those with what else there is to say of it.
#[test]
fn a_parameter_says_what_to_give() {
    let law = r#"
        kind("sock");
        there_is("sock", "Left");
        there_is("sock", "Right");
        display("ways", "Ways", |me| table(["to"], [["north"]]));
        action("sock wear", #{answer: "It is worn."}, [
            #{takes: "sock: a sock", help: "Which of them"},
            #{takes: "foot?: text", help: "Left or right", empty: "left", offers: "ways"},
        ], |a| ());
    "#;
    let mut room = Room::with(&[(2, law)]);
    let command = Toy::mechanics().commands(&room.state).remove(0);
    let told: Vec<_> = command.params.iter().map(|param| (&*param.help, &*param.empty)).collect();
    assert_eq!(told[..2], [("Which of them (a sock)", ""), ("Left or right (text)", "left")]);
    assert_eq!((&*command.group, command.params[1].completes.as_deref()), ("Rule 2 (rule 2)", Some("offers/ways")));
    let socks = room.shows("objects/sock").unwrap();
    assert!(socks.contains("- Right\n- Left"), "{socks}");
    assert!(room.shows("objects/shoe").is_err());
    room.does("ann", |d| {
        let act = json!({"law": {"act": "sock wear", "args": {"sock": "Left"}}});
        let answer = Toy::mechanics().take(&act, d).unwrap();
        assert_eq!(plain(&answer), "[rule 2] It is worn.");
    });
}

#[test]
fn a_parameter_that_is_none_is_refused_with_what_it_may_have() {
    let many: Vec<String> = (0..12).map(|n| format!("\"p{n}: text\"")).collect();
    for (params, why) in [
        (r#"#{takes: "to: a player", halp: "x"}"#, "a parameter has no “halp”; it has takes, help, empty, offers"),
        (r#"#{help: "x"}"#, "is no parameter"),
        (r#"#{takes: "to: text", help: 7}"#, "“help” of a parameter is a text"),
        (r#"#{takes: "to: text", help: "x\nCorrection by a moderator"}"#, "“help” of a parameter: "),
        ("\"room: text\"", "every command takes “room” beside its parameters"),
        ("\"because: text\"", "every command takes “because” beside its parameters"),
        ("\"log: text\", \"log_file: text\"", "no parameter of “sock buy” is called “log-file”"),
        ("\"Color: text\"", "“Color” is no name of a parameter: a word of small letters"),
        ("\"a_name_that_no_field_can_show: text\"", "a name of a parameter has at most 24 letters"),
        (&*many.join(", "), "“sock buy” takes 12 parameters, and at most 11"),
    ] {
        let mut room = Room::with(&[]);
        let said = room.law(2, &format!("action(\"sock buy\", [{params}], |a| ());"));
        assert!(said.iter().any(|said| said.contains(why)), "{params}: {said:?}");
    }
}
