//! Laws in a room of B Nomic: they follow acts and the Clock, bar acts, and move mackerel.

use kernel::{Game as _, Id, Num, Refusal, Value};
use laws::testing::Room;
use serde_json::{Value as Json, json};

use super::{
    game::{BNomic, D},
    stats::{NDAY, RUNNING, THE_CLOCK},
};

const ANN: &str = "player/ann";

/// A room in nday 1 of nweek 135 with the Clock On, and Ann for its one Player with a seat.
fn open() -> Room<BNomic> {
    let mut room = Room::open("Ann", "2026-11-02T08:00:00Z", Default::default());
    clock_on(&mut room);
    room
}

fn clock_on(room: &mut Room<BNomic>) {
    room.does("Ann", |d| {
        d.set(&RUNNING, &THE_CLOCK.into(), true);
        Ok(())
    })
    .expect("the Clock is On");
}

fn number(room: &Room<BNomic>, at: &str) -> Num {
    match room.value(at) {
        Value::Num(number) => number,
        other => panic!("{at} is {other}"),
    }
}

fn propose(title: &str, text: &str) -> Json {
    json!({"propose": {"title": title, "text": text}})
}

/// What was said of some lines, in their order.
fn told<'a>(said: &'a [String], words: &[&str]) -> Vec<&'a str> {
    said.iter().map(String::as_str).filter(|line| words.iter().any(|word| line.contains(word))).collect()
}

#[test]
fn a_law_follows_an_act_of_the_game_and_bars_another() {
    let mut room = open();
    room.law(
        "Meddling",
        r#"after("propose", |a| { a.by.mackerel += 7; say(`${a.by} submits ${a.proposal.title}`); });
        forbid("take ministry", |a| a.by.mackerel > 3, "the rich hold nothing");
        forbid("leave", |a| true, "nobody leaves");"#,
    );
    let before = number(&room, "player/ann.mackerel");

    let said = room.act("Ann", &propose("Kindness", "Be kind.")).expect("it is submitted");

    assert_eq!(told(&said, &["submits"]), ["Ann submits Kindness."]);
    assert_eq!(&number(&room, "player/ann.mackerel") - &before, 7.into());
    let refusal = room.act("Ann", &json!({"take": {"ministry": "Law"}})).unwrap_err();
    assert!(refusal.say.contains("the rich hold nothing"), "{refusal:?}");
    room.act("Ann", &json!("leave")).expect("no restriction is on forfeiting");
}

#[test]
fn the_ends_and_starts_of_ndays_go_by_rule() {
    let mut room = open();
    room.law("First", r#"at("end of nday", [2, 3], || say(`first, in ${clock().nday}`)); at("start of nday", || say(`it is ${clock().nday}`));"#);
    room.law("Second", r#"at("end of nday", || say("second"));"#);

    let said = room.to("2026-11-05T12:00:00Z");

    let wanted = ["second.", "it is 2.", "first, in 2.", "second.", "it is 3.", "first, in 3.", "second.", "it is 4."];
    assert_eq!(told(&said, &["first", "second", "it is"]), wanted);
}

#[test]
fn all_of_one_instant_goes_by_rule_and_then_by_place() {
    let mut room = open();
    room.law(
        "First",
        r#"at("end of nweek", || say(`the end of nweek ${clock().nweek}`));
        at("end of nday", [12], || say("the last nday"));
        at("start of nday", || say(`a start in ${clock().nweek}/${clock().nday}`));"#,
    );
    room.law("Second", r#"at("end of nweek", || say("second")); at("start of nweek", || say("another nweek"));"#);
    room.does("Ann", |d| {
        d.set(&NDAY, &THE_CLOCK.into(), 12);
        Ok(())
    })
    .expect("it is nday 12");
    clock_on(&mut room);

    let said = room.to("2026-11-03T12:00:00Z");

    let words = ["nweek 135.", "the last nday", "a start", "second", "another"];
    let wanted = ["the end of nweek 135.", "the last nday.", "second.", "a start in 136/1.", "another nweek."];
    assert_eq!(told(&said, &words), wanted);
}

#[test]
fn what_passes_is_told_with_its_author_and_then_that_it_is_historical() {
    let mut room = open();
    room.law(
        "Dividends",
        r#"define("hue of proposal: one of Red, Blank");
        after("vote", |a| say(`${a.by} is ${a.vote}`));
        after("pass", |a| { a.author.mackerel += 5; say(`${a.proposal.title} passes as ${a.proposal.hue}`); });
        after("historical", |a| { a.proposal.hue = "Blank"; say(`${a.proposal.title} is over`); });"#,
    );
    room.act("Ann", &propose("Kindness", "=> set Ann's mackerel to 100")).expect("it is submitted");
    room.does("Ann", |d| {
        d.set(&NDAY, &THE_CLOCK.into(), 9);
        Ok(())
    })
    .expect("voting begins");
    let said = room.act("Ann", &json!({"vote": {"on": 1, "vote": "FOR"}})).expect("it is cast");
    assert_eq!(told(&said, &["is FOR"]), ["Ann is FOR."]);
    room.does("Ann", |d| {
        d.set(&NDAY, &THE_CLOCK.into(), 12);
        Ok(())
    })
    .expect("it is nday 12");
    clock_on(&mut room);

    let said = room.to("2026-11-03T12:00:00Z");

    let words = ["passes as", "is over"];
    assert_eq!(told(&said, &words), ["Kindness passes as Red.", "Kindness is over."]);
    assert!(number(&room, "player/ann.mackerel") >= 105.into());
    assert_eq!(room.value("proposal/1.hue"), Value::Text("Blank".to_owned()));
}

#[test]
fn who_comes_to_an_office_is_told_by_what_its_holder_is_called() {
    let mut room = open();
    room.law(
        "Offices",
        r#"after("take ministry", |a| if a.office == "Rulekeeper" && holder("the Rulekeeper") == a.by { say("a new Rulekeeper"); });
        after("leave", |a| say(`farewell, ${a.by}`));"#,
    );

    let said = room.act("Ann", &json!({"take": {"ministry": "Law"}})).expect("it is vacant");

    assert_eq!(told(&said, &["a new"]), ["a new Rulekeeper."]);
    let said = room.act("Ann", &json!("leave")).expect("e forfeits");
    assert_eq!(told(&said, &["farewell"]), ["farewell, Ann."]);
}

#[test]
fn what_a_law_defines_stays_while_its_rule_does() {
    let mut room = open();
    let said = room.law(
        "Vigor",
        r#"define("vigor of player: whole number from 0, 10 at first"); kind("hat"); there_is("hat", "The Old Hat");"#,
    );
    assert_eq!(number(&room, "player/ann.vigor"), 10.into(), "{said:?}");
    assert!(room.state.world.exists("hat/the-old-hat"));

    room.does("Ann", |d| repeal("vigor", d)).expect("it is repealed");

    assert!(room.state.world.def("vigor", "player").is_none());
    assert!(!room.state.world.exists("hat/the-old-hat"));
    assert!(room.state.world.exists(ANN));
}

#[test]
fn what_follows_a_document_comes_after_all_of_it_and_to_an_end() {
    let mut room = open();
    room.law(
        "Merry-go-round",
        r#"after("take ministry", |a| {
            say(`${a.by} has it, at ${a.by.score}`);
            apply(if a.by.name == "Ann" { "=> appoint Beast as Rulekeeper" } else { "=> appoint Ann as Rulekeeper" });
        });"#,
    );

    let both = "=> appoint Ann as Rulekeeper\n=> set Ann's score to 3";
    let said = room.does("", |d| kit::effects::carry_out(d, both, "a test", "").map(drop)).expect("it is done");

    assert_eq!(told(&said, &["has it"])[..1], ["Ann has it, at 3."]);
    let last = said.last().expect("something is said");
    assert!(last.contains("an act makes at most 100 announcements"), "{last}");
}

fn repeal(rule: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    d.rule(kernel::rulebook::RuleOp::new(Id::from(rule), kernel::rulebook::RuleAct::Repeal));
    Ok(())
}

#[test]
fn somebody_who_joins_is_told_of_when_e_is_a_player() {
    let mut room = open();
    room.law("Welcome", r#"after("join", |a| { a.by.mackerel += 1; say(`welcome, ${a.by}`); });"#);

    let said = room.act("Bob", &json!({"join": {"name": "Bob"}})).expect("e asks");
    assert_eq!(told(&said, &["welcome"]), [""; 0]);

    let said = room.does("", |d| super::society::seat_by_hand(d, &"player/bob".into())).expect("e is one");
    assert_eq!(told(&said, &["welcome"]), ["welcome, Bob."]);
}

/// Between two lines of a body the rules are read anew.
#[test]
fn a_body_is_done_line_by_line() {
    open().is_done_line_by_line("player", "Ann", "", true);
}

/// Whatever a checker of laws finds in these, it finds in laws that are played and right.
#[test]
fn nothing_is_wrong_with_the_laws_that_are_shipped() {
    let room = open();
    let found = BNomic::mechanics().warnings(&room.state);
    let of_laws: Vec<_> = found.iter().filter(|line| line.contains(" law of ")).collect();
    assert!(of_laws.is_empty(), "{of_laws:#?}");
}

/// Whoever meets a command of a law that is shipped reads what it does, how it is typed, and what to give.
#[test]
fn commands_of_laws_that_are_shipped_explain_themselves() {
    assert_eq!(open().undescribed(), Vec::<String>::new());
}
