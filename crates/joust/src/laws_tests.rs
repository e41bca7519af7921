//! Laws in a contest: sections of the contract that follow acts and weeks, bar acts, and move points.

use kernel::{Game, Num, Refusal, Value};
use laws::testing::Room;
use serde_json::json;

use super::{
    contract,
    game::{D, Joust},
    testkit::code,
};

/// A contest that Goethe opened on a Monday; Ann is a member.
fn open() -> Room<Joust> {
    let mut room = Room::open("Goethe", "2026-11-02T08:00:00Z", Default::default());
    room.act("Ann", &json!({"join": {}})).expect("e joins");
    room
}

fn points(room: &Room<Joust>) -> Num {
    match room.value("player/ann.points") {
        Value::Num(points) => points,
        other => panic!("points are a number, and not {other}"),
    }
}

fn told<'a>(said: &'a [String], words: &[&str]) -> Vec<&'a str> {
    said.iter().map(String::as_str).filter(|line| words.iter().any(|word| line.contains(word))).collect()
}

#[test]
fn a_law_follows_an_act_of_the_game_and_bars_another() {
    let mut room = open();
    room.law(
        "Meddling",
        r#"after("joust adjudicate", |a| { let ann = the("Ann"); ann.points += 3; say(`${a.by} has judged`); });
        forbid("joust intend", |a| a.by == holder("contestmaster") && count("member") == 1, "too few to announce to");
        forbid("leave", |a| true, "nobody leaves");"#,
    );

    let said = room.act("Goethe", &json!({"adjudicate": {"text": "It was fair."}})).expect("it is published");

    assert_eq!(told(&said, &["judged"]), ["Goethe has judged."]);
    assert_eq!(points(&room), 3.into());
    let refusal =
        room.act("Goethe", &json!({"intend": {"what": "set", "subject": "objections", "text": "4"}})).unwrap_err();
    assert!(refusal.say.contains("too few to announce to"), "{refusal:?}");
    room.act("Ann", &json!("leave")).expect("no bar reaches whoever leaves");
}

#[test]
fn weeks_begin_on_mondays_and_members_come_and_go() {
    let mut room = open();
    room.law(
        "Weeks",
        r#"at("start of week", || for m in all("member") { m.points += 1; });
        after("leave", |a| say(`farewell, ${a.by}`));"#,
    );

    room.to("2026-11-17T08:00:00Z");

    assert_eq!(points(&room), 2.into());
    let said = room.act("Ann", &json!("leave")).expect("e leaves");
    assert_eq!(told(&said, &["farewell"]), ["farewell, Ann."]);
    room.to("2026-11-24T08:00:00Z");
    assert_eq!(points(&room), 2.into());
}

#[test]
fn no_law_sees_a_program_and_none_is_played_when_the_contract_has_ended() {
    let mut room = open();
    room.law(
        "Spying",
        r#"forbid("submit", |a| a.code != (), "a law has seen it");
        after("submit", |a| say("somebody submits"));
        action("boast", [], |a| say("look at me"));"#,
    );

    let privately = |d: &mut D<'_>| {
        d.public = false;
        Joust::mechanics().take(&json!({"submit": {"name": "spy", "code": code("spy")}}), d).map(drop)
    };
    let said = room.does("Ann", privately).expect("it is received");
    assert_eq!(told(&said, &["somebody"]), [""; 0]);

    let boast = json!({"law": {"act": "boast", "args": {}}});
    room.act("Ann", &boast).expect("the law adds it");
    room.act("Goethe", &json!("terminate")).expect("the contestmaster ends it");
    assert!(contract::contract(&room.state.tables).ended().is_some());
    let refusal: Refusal = room.act("Ann", &boast).unwrap_err();
    assert!(refusal.say.contains("no rule in force"), "{refusal:?}");
    assert!(Joust::mechanics().commands(&room.state).is_empty());
}
