//! Laws in a room of Spacenomic: they follow acts, days and what passes, bar acts, and move money.

use kernel::{Game, Num, Value};
use laws::testing::Room;
use serde_json::{Value as Json, json};

use super::game::Spacenomic;

/// A room that Ann opens on a Monday, to end in another year.
fn open() -> Room<Spacenomic> {
    let Json::Object(options) = json!({"ends": "2027-11-02T08:00:00Z"}) else { unreachable!() };
    Room::open("Ann", "2026-11-02T08:00:00Z", options)
}

fn account(room: &Room<Spacenomic>) -> Num {
    match room.value("player/ann.account") {
        Value::Num(account) => account,
        other => panic!("an account is a number, and not {other}"),
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
        r#"after("nod", |a| { a.by.account += 3; say(`${a.by} has nodded`); });
        forbid("rest", |a| a.by.account > 2, "the rich do not rest");
        forbid("consent give", |a| true, "the game goes on");"#,
    );
    let before = account(&room);

    let said = room.act("Ann", &json!("nod")).expect("e nods");

    assert!(told(&said, &["Ann has nodded."]).len() == 1, "{said:?}");
    assert_eq!(&account(&room) - &before, 3.into());
    let refusal = room.act("Ann", &json!("rest")).unwrap_err();
    assert!(refusal.say.contains("the rich do not rest"), "{refusal:?}");
    room.act("Ann", &json!("give_consent")).expect("no bar reaches a consent");
}

#[test]
fn what_is_proposed_voted_and_passed_is_told() {
    let mut room = open();
    room.law(
        "Hearing",
        r#"after("propose", |a| say(`${a.by} makes ${a.name}`));
        after("vote", |a| if a.vote < 1 { say(`a vote of ${a.vote}`); });
        after("pass", |a| { a.author.account += 100; say(`${a.name} has passed`); });"#,
    );
    let proposal = json!({"propose": {"title": "Tea", "text": "=> encourage drinking tea"}});

    let mut said = room.act("Ann", &proposal).expect("it is made");
    said.extend(room.act("Ann", &json!({"vote": {"on": 1, "vote": "1/2"}})).expect("it is cast"));

    let words = ["Ann makes", "a vote", "has passed"];
    assert_eq!(told(&said, &words), ["Ann makes Tea.", "a vote of 1/2.", "Tea has passed."]);
    assert!(account(&room) >= 100.into());
}

#[test]
fn days_and_incomes_come_and_a_secret_move_is_followed_by_nothing() {
    let mut room = open();
    room.law(
        "Days",
        r#"at("start of day", [3], || say("the third begins"));
        after("income", |a| say("the day's income is paid"));
        after("move set", |a| say("somebody moves"));"#,
    );

    let said = room.act("Ann", &json!({"set_move": {"what": "go (1, 1)"}})).expect("it is set");
    assert_eq!(told(&said, &["somebody"]), [""; 0]);
    let said = room.to("2026-11-03T12:00:00Z");

    assert!(told(&said, &["the third begins."]).len() == 1, "{said:?}");
    assert!(!told(&said, &["income is paid."]).is_empty(), "{said:?}");
}

#[test]
fn objects_of_a_law_come_and_go_with_it() {
    let mut room = open();
    room.law(
        "Flags",
        r#"kind("flag"); define("holder of flag: a player"); there_is("flag", "The Red Flag");
        action("flag take", [], |a| { let flag = the("The Red Flag"); flag.holder = a.by; });"#,
    );

    room.act("Ann", &json!({"law": {"act": "flag take", "args": {}}})).expect("e takes it");

    assert_eq!(room.value("flag/the-red-flag.holder"), Value::Ref("player/ann".into()));
    assert_eq!(Spacenomic::mechanics().commands(&room.state).len(), 1);
}

/// Between two lines of a body the rules are read anew.
#[test]
fn a_body_is_done_line_by_line() {
    open().is_done_line_by_line("player", "Ann", "", true);
}
