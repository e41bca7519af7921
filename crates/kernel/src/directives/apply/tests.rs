//! Bodies applied to the toy room: given three robots and three rules, when a body is applied, then this is so.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::Game;
use crate::State;
use crate::directives::{
    Names, Seen, Sight, alone, dry_run, evaluate, moved_since,
    syntax::parse,
    toy::{self, Toy},
};
use crate::display::lines;
use crate::world::Op;

const SETTING: Setting<'_> =
    Setting { because: "proposal 12 by Ann", mode: Mode::AllOrNone, posted: None, tried: false };

fn read(text: &str) -> Body {
    parse(text, &|words| Toy::mechanics().owns(words)).unwrap()
}

fn applied(text: &str) -> Result<(State<Toy>, Applied), Failure> {
    let mut dice = toy::dice();
    let mut d = toy::draft(toy::room(), &mut dice);
    let applied = apply(&read(text), &mut d, &SETTING)?;
    Ok((d.finish().state, applied))
}

#[track_caller]
fn holds(body: &str, that: &str) {
    let (state, _) = applied(body).unwrap_or_else(|why| panic!("{body}: {why:?}"));
    let sight: Arc<dyn Sight> = Arc::new(Seen::new(&state, toy::now()));
    assert_eq!(evaluate(&sight, that), Ok(Value::Bool(true)), "{body}\n{that}");
}

#[track_caller]
fn refused(body: &str, line: usize, part: &str) {
    let mut dice = toy::dice();
    let mut d = toy::draft(toy::room(), &mut dice);
    let why = apply(&read(body), &mut d, &SETTING).expect_err(body);
    assert!(why.line == line && why.refusal.say.contains(part), "{body}: {why:?}");
    let after = d.finish();
    assert!(
        after.changes.is_empty() && after.state.world == toy::room().world && after.state.rules == toy::room().rules
    );
}

#[test]
fn rules_are_made_and_changed_in_order() {
    holds(
        "=> create rule \"Mercy\": Be [kind](#=kind).",
        "rule(\"Mercy\").number = 8 and rule(\"Mercy\").text = \"Be kind.\"",
    );
    holds(
        "=> create rule \"Mercy\" number 5\n```\nestablishes: mercy, grace\n\nBe kind.\n```",
        "establishes(\"grace\") and rule(5).text is \"Be kind.\"",
    );
    holds("=> amend rule 2: replace \"48\" with \"50\"", "timeout-hours = 50");
    holds(
        "=> amend rule 2: replace \"after 48 hours\" with \"after 2 days or [72](#timeout-hours) hours\"",
        "timeout-hours = 72",
    );
    holds(
        "=> append to rule 2: So be it.\n=> amend rule 2: replace \"So be it\" with \"Amen\"",
        "\"amen\" in rule(2).text and timeout-hours = 48",
    );
    holds("=> rewrite rule 2: After [12](#timeout-hours) hours it is over.", "timeout-hours = 12");
    holds(
        "=> rewrite rule 2\n```\nestablishes: end\nA proposal times out after 48 hours.\n```",
        "establishes(\"end\")",
    );
    holds("=> retitle the race to \"The Sprint\"\n=> renumber The Sprint to 9", "rule(9).title is \"The Sprint\"");
    holds("=> repeal rule 7\n=> create rule \"The Race\": Again.", "rule(\"The Race\").number = 3");
    holds(
        "=> create rule \"Mercy\" number 5\n```\nestablishes: mercy\n\nBe [kind](#=kind).\n```\n=> repeal rule 5\n\
         => create rule \"Cruelty\": Be less [kind](#=kind).",
        "not establishes(\"mercy\")",
    );
    let (state, applied) = applied("=> repeal rule 7\n=> amend rule 2: replace \"48\" with \"9\"").unwrap();
    assert!(
        ["race", "time-out"]
            .iter()
            .all(|id| state.rules.get(id).unwrap().revisions().last().unwrap().why == SETTING.because)
    );
    assert_eq!(applied.base.into_iter().collect::<Vec<_>>(), [("race".into(), Some(0)), ("time-out".into(), Some(0))]);
}

#[test]
fn figures_are_set_by_key_and_by_meaning() {
    holds("=> set timeout-hours to 50", "timeout-hours = 50");
    holds("=> set timeout hours to 24 * 3", "timeout-hours = 72");
    holds("=> set hours until times out to 50.", "timeout-hours = 50");
    holds("=> set prizes to 9, 6 and 1", "sum(prizes) = 16 and item(prizes, 2) = 6");
    holds("=> set judge to Bob", "judge is \"Bob\"");
    holds("=> appoint Ann Lee as the Judge", "judge is \"Ann Lee\"");
    holds("=> appoint Ann Lee Judge", "judge is \"Ann Lee\"");
}

#[test]
fn attributes_move_for_one_for_several_and_for_groups() {
    holds("=> set power of Ann to power of Bob + 1/3", "power of Ann = 2 + 1/3");
    holds("=> set colour of Ann to deep blue", "colour of Ann is \"deep blue\"");
    holds("=> set motto of Ann to Onwards, always", "motto of Ann is \"Onwards, always\"");
    holds("=> set motto of Ann to \"We \" + \"win\"", "motto of Ann is \"We win\"");
    holds("=> set active of Bob to no", "count(robots where active) = 2");
    holds("=> set inventory of Ann to Fuel, Box", "length(Ann.inventory) = 2 and \"fuel\" in Ann.inventory");
    holds("=> set owner of tower to Ann Lee", "owner of tower = Ann Lee");
    holds("=> raise power of every robot by 1", "sum(robots, \"power\") = 12 + 1/3");
    holds("=> raise Ann's power by 2.\n=> lower power of Bob by 1", "Ann.power = 7 and Bob.power = 1");
    holds(
        "=> raise power of every robot where power < 3 by power",
        "Ann.power = 5 and Bob.power = 4 and Ann Lee.power = 14/3",
    );
    holds(
        "=> raise power of robot \"Bob\" by 1\n=> raise power of player “Ann Lee” by 1",
        "Bob.power = 3 and Ann Lee.power > 3",
    );
    holds("=> award 3 spare parts to Ann, Bob and Ann Lee", "sum(robots, \"spare parts\") = 9");
    holds("=> award max(robots, \"power\") - 1 power to Bob", "Bob.power = 6");
    holds("=> transfer 3 power from Ann to Bob", "Ann.power = 2 and Bob.power = 5");
    holds("=> give 2 Box to Ann\n=> take a box from Bob", "length(Ann.inventory) = 2 and length(Bob.inventory) = 0");
    holds("=> transfer a Box from Bob to Ann", "\"Box\" in Ann.inventory and length(Bob.inventory) = 0");
    holds("=> give 4 spare parts to Bob", "Bob.spare parts = 4");
    holds("=> give power / 2 + 1 power to Ann and Bob", "Ann.power = 17/2 and Bob.power = 4");
    holds("=> give a spare part to Bob\n=> give a power to Ann", "Bob.spare parts = 1 and Ann.power = 6");
}

#[test]
fn attributes_and_objects_come_and_go() {
    holds(
        "=> define charm of every robot: whole number from 0 to 10, 5 at first\n=> raise charm of Ann by 2",
        "Ann.charm = 7 and Bob.charm = 5",
    );
    holds(
        "=> define mood of robot: one of calm, wild at heart\n=> set mood of Ann to Wild at Heart",
        "Ann.mood is \"wild at heart\" and Bob.mood is \"calm\"",
    );
    holds(
        "=> define friend of robot: a robot\n=> set friend of Ann to Bob\n=> raise power of friend of Ann by 1",
        "Bob.power = 3",
    );
    holds(
        "=> define charm of robot: number\n=> set charm of Ann to 4\n=> undefine charm\n=> define charm of robot: number",
        "Ann.charm = 0",
    );
    holds(
        "=> create beacon \"North Star\"\n=> set owner of North Star to Ann",
        "owner of North Star = Ann and count(beacons) = 2",
    );
    holds("=> destroy tower", "count(beacons) = 0 and not (exists(\"tower\"))");
}

#[test]
fn two_kinds_have_attributes_of_one_name() {
    const BOTH: &str = "=> define colour of beacon: whole number from 1 to 9, 4 at first\n";
    let both = |then: &str, that: &str| holds(&format!("{BOTH}{then}"), that);
    both("", "Ann.colour is \"red\" and tower.colour = 4");
    both(
        "=> raise colour of tower by 2\n=> set colour of Ann to deep blue",
        "Ann.colour is \"deep blue\" and tower.colour = 6 and sum(beacons, \"colour\") = 6",
    );
    both("=> undefine colour of robots\n=> raise colour of tower by 1", "tower.colour = 5");
    both("=> undefine colour of every beacon", "Ann.colour is \"red\"");
    both("=> undefine colour of beacon\n=> undefine colour\n=> define colour of robot: number", "Ann.colour = 0");
    for (then, part) in [
        ("=> set colour of tower to red", "colour of tower would be red, and it is a whole number from 1 to 9"),
        ("=> raise colour of tower by 9", "colour of tower would be 13"),
        ("=> define colour of beacon: text", "“colour” is defined already, for every beacon"),
        ("=> undefine colour", "write “undefine colour of beacon” or “undefine colour of robot”"),
        ("=> undefine colour of rule", "no attribute is called “colour of rule”"),
        ("=> set colour to 3", "as in “set colour of tower to …” or “set colour of Ann to …”"),
        ("=> require colour = 4", "“colour” may be “colour of beacon” or “colour of robot”: say whose it is"),
    ] {
        refused(&format!("{BOTH}{then}"), 2, part);
    }
    let run = dry_run(&toy::room(), &read(BOTH), toy::now(), &SETTING, &alone);
    assert_eq!(run.state, ["+ every beacon has colour: a whole number from 1 to 9, at first 4"]);
}

#[test]
fn conditions_and_own_words() {
    holds(
        "=> if power of Ann > 3:\n```\nlower power of Ann by 1\nraise power of Bob by 1\n```\n=> if 1 > 2: repeal rule 1",
        "Ann.power = 4 and Bob.power = 3",
    );
    holds("=> require power of Ann > 3\n=> recharge Bob", "Bob.power = 10");
}

#[test]
fn nothing_happens_where_anything_is_refused() {
    let first = "=> raise power of Ann by 1\n=> repeal rule 7\n";
    for (then, part) in [
        ("=> repeal rule 1", "stands as long as the game"),
        ("=> repeal rule 99", "no rule in force is called “99”"),
        ("=> repeal rule 7", "no rule in force is called “7”"),
        ("=> amend rule 2: replace \"49\" with \"50\"", "“49” does not stand in Time Out"),
        ("=> amend rule 2: replace \"o\" with \"u\"", "times; quote more"),
        ("=> raise power of Zed by 1", "nobody and nothing here is called “Zed”"),
        ("=> raise power of Ann by 100", "power of Ann would be 106, and it is a number from 0 to 50"),
        ("=> lower power of every robot by 3", "power of Bob would be -1"),
        ("=> raise strength of Ann by 1", "Ann has no “strength”"),
        ("=> set spare parts of Ann to 1/2", "a whole number from 0 to 50"),
        ("=> set colour of Ann to green", "is none of its values"),
        ("=> set timeout-hours to 5000", "out of the bounds"),
        ("=> set timeout-hours to soon", "it is no number"),
        ("=> set nothing in particular to 5", "no figure of the rules"),
        ("=> define power of robot: number", "defined already"),
        ("=> define charm of ghost: number", "no kind of object called “ghost”"),
        ("=> define charm of robot: whatever", "does not say which values"),
        ("=> define charm of robot: number from 1 to 5, 9 at first", "cannot be “9” at first"),
        ("=> give 5 Box to Ann", "cannot hold another"),
        ("=> take 2 Box from Bob", "not so many"),
        ("=> transfer 9 power from Ann to Bob", "would be -3"),
        ("=> transfer -1 power from Ann to Bob", "goes the other way"),
        ("=> transfer 1 power from Ann to Ann", "from one to another"),
        ("=> destroy Ann", "is a player"),
        ("=> create robot Ann", "called “Ann” already"),
        ("=> require power of Ann > 30", "does not hold"),
        ("=> require power of Ann", "is yes or no"),
        ("=> retitle rule 2 to \"Time Out\"", "called so already"),
        ("=> renumber rule 2 to 1", "has the number 1 already"),
        ("=> create rule \"Time Out\": x", "called “Time Out” already"),
        ("=> create rule \"x\" number 2: x", "has the number 2 already"),
        ("=> frobnicate", "no word that a directive begins with"),
        ("=> appoint Ann as King", "no office “King”"),
    ] {
        refused(&format!("{first}{then}"), 3, part);
    }
    refused("prose\n=> if 1 > 0:\n```\nraise power of Ann by 1\nrepeal rule 1\n```", 5, "stands as long");
}

/// A body posted on the toy's rules, done in a room in which others were done since.
fn applied_late(since: &str, body: &str) -> Result<(State<Toy>, Applied), Failure> {
    let posted = Posted { rules: toy::room().rules, names: [("cat".to_owned(), Id::from("robot/ann"))].into(), seq: 0 };
    let (state, _) = applied(since).unwrap();
    let mut dice = toy::dice();
    let mut d = toy::draft(state, &mut dice);
    let applied = apply(&read(body), &mut d, &Setting { posted: Some(&posted), ..SETTING })?;
    Ok((d.finish().state, applied))
}

#[test]
fn a_rule_is_the_one_that_was_called_so_when_the_body_was_posted() {
    let swapped = "=> renumber rule 2 to 9\n=> create rule \"Feasts\" number 2: We feast.\n=> renumber rule 7 to 3";
    let body = "=> append to rule 2: So be it.\n=> retitle rule 7 to \"The Sprint\"\n=> if rule(7).number = 3: repeal the race";
    let (state, applied) = applied_late(swapped, body).unwrap();
    let text = |id: &str| state.rules.get(id).unwrap().text().visible().to_string();
    assert!(text("time-out").ends_with("So be it.") && text("feasts") == "We feast.", "{}", text("time-out"));
    assert!(state.rules.in_force("race").is_none());
    let said: Vec<String> = applied.outcomes.iter().flat_map(|one| one.result.clone().unwrap()).collect();
    assert_eq!(said, ["rule 2 of then, Time Out, is rule 9 now", "rule 7 of then, The Race, is rule 3 now"]);
    // What is gone is told and nothing is done, though another rule is called so by now.
    let gone = applied_late("=> repeal rule 7\n=> create rule \"Feasts\" number 7: We feast.", "=> repeal rule 7");
    let why = gone.unwrap_err().refusal.say;
    assert!(why.contains("“7” was The Race when this was posted") && why.contains("no longer in force"), "{why}");
    // So is whoever was called so then, in amounts as well.
    let (state, _) = applied_late("", "=> raise power of Cat by Cat.power / 5").unwrap();
    assert_eq!(state.world.value(&Path::new("robot/ann", "power")), Value::Num(6.into()));
    // A body's own rules are called by their titles, and its numbers are those of before.
    holds(
        "=> create rule \"Ti\" number 3: Tea.\n=> append to rule Ti: And cake.\n=> renumber rule Ti to 4",
        "\"cake\" in rule(\"Ti\").text and rule(4).title is \"Ti\"",
    );
}

#[test]
fn a_title_is_no_number_and_no_other_rule_s() {
    refused("=> retitle rule 7 to \"time out\"", 1, "rule 2 is called “Time Out” already");
    refused("=> create rule \"Time Out\": Again.", 1, "rule 2 is called “Time Out” already");
    refused("=> retitle rule 7 to \"2\"", 1, "taken for the number of a rule");
    refused("=> create rule \"Rule 2\": Again.", 1, "taken for the number of a rule");
    holds("=> retitle rule 7 to \"2nd Race\"", "rule(7).title is \"2nd Race\"");
}

#[test]
fn a_figure_is_set_to_an_amount_and_nothing_beside_it() {
    holds("=> set timeout-hours to timeout-hours / 2 + 1", "timeout-hours = 25");
    holds("=> set timeout-hours to 72 hours", "timeout-hours = 72 and \"72 hours.\" in rule(2).text");
    holds("=> set timeout-hours to seventy-two hours", "timeout-hours = 72");
    for (to, why) in [
        ("2 days", "a number of hours, and not of “days”"),
        ("60 minutes", "a number of hours, and not of “minutes”"),
        ("60%", "a number of hours"),
        ("about 3", "it holds more than a number: “about”"),
        ("3 bananas", "and not of “bananas”"),
        ("3 and so on", "it is a number of hours"),
        ("not 3", "it holds more than a number: “not”"),
        ("[3](#prizes)", "it holds more than a number"),
        ("3, 5", "it holds 2 numbers"),
        ("nothing", "it is no number"),
    ] {
        refused(&format!("=> set timeout-hours to {to}"), 1, why);
    }
}

#[test]
fn words_of_directives_go_before_names() {
    let mut dice = toy::dice();
    let mut d = toy::draft(toy::room(), &mut dice);
    for name in ["every robot", "robots"] {
        d.op(Op::Create { obj: format!("robot/{}", name.replace(' ', "-")).into(), kind: "robot".into() });
        d.overwrite(Path::new(format!("robot/{}", name.replace(' ', "-")), "motto"), Value::Text("Me".to_owned()));
    }
    let state = d.finish().state;
    for name in [
        "robots",
        "every robot",
        "now",
        "Nothing",
        "Power",
        "timeout hours",
        "tower",
        "it",
        "Ann and Bob",
        "Ann, Bob",
        "7",
    ] {
        assert!(crate::directives::spoken_for(&state, name), "{name}");
    }
    for name in ["Ann", "Cog", "Bob Lee", "7 Dwarfs"] {
        assert!(!crate::directives::spoken_for(&state, name), "{name}");
    }
    let mut dice = toy::dice();
    let mut d = toy::draft(state, &mut dice);
    apply(&read("=> raise power of every robot by count(robots)"), &mut d, &SETTING).unwrap();
    assert_eq!(d.world.value(&Path::new("robot/bob", "power")), Value::Num(7.into()));
    apply(&read("=> lower power of \"every robot\" by 1"), &mut d, &SETTING).unwrap();
    assert_eq!(d.world.value(&Path::new("robot/every-robot", "power")), Value::Num(6.into()));
    assert_eq!(d.world.value(&Path::new("robot/bob", "power")), Value::Num(7.into()));
    refused("=> define timeout-hours of robot: number", 1, "is a figure of the rules already");
}

#[test]
fn what_is_refused_can_be_left_out() {
    let mut dice = toy::dice();
    let mut d = toy::draft(toy::room(), &mut dice);
    let body = read(
        "=> raise power of Ann by 1\n=> repeal rule 1\n=> if 1 > 0:\n```\nlower power of Bob by 1\nrepeal rule 1\n```\n=> raise power of Ann by 1",
    );
    let applied = apply(&body, &mut d, &Setting { mode: Mode::LeaveOutRefused, ..SETTING }).unwrap();
    let refused: Vec<usize> = applied.outcomes.iter().filter(|one| one.result.is_err()).map(|one| one.line).collect();
    assert_eq!((refused, applied.outcomes.len()), (vec![2, 6], 6));
    assert_eq!(d.world.value(&Path::new("robot/ann", "power")), Value::Num(7.into()));
    assert_eq!(d.world.value(&Path::new("robot/bob", "power")), Value::Num(1.into()));
}

#[test]
fn a_dry_run_shows_all_that_would_happen_and_changes_nothing() {
    let state = toy::room();
    let body = read(
        "=> raise power of every robot by 30\n=> set timeout-hours to 50\n=> amend rule 7: replace \"8, 5 and 3\" with \"9 or 8\"\n\
         => create rule \"Mercy\": Be kind.\n=> create beacon North\n=> define charm of robot: number, 1/2 at first",
    );
    let run = dry_run(&state, &body, toy::now(), &SETTING, &alone);
    assert_eq!(state, toy::room());
    assert!(run.happens);
    assert_eq!(run.warnings, Vec::<String>::new());
    insta::assert_snapshot!(lines(&run.document()).join("\n"));
    assert_eq!(moved_since(&run.base, &state.rules), Vec::<String>::new());
    let (later, _) = applied("=> amend rule 2: replace \"48\" with \"49\"").unwrap();
    assert_eq!(moved_since(&run.base, &later.rules), ["Time Out"]);
    let there = "=> amend rule 2: replace \"48\" with \"49\"";
    let (back, _) = applied(&format!("{there}\n=> amend rule 2: replace \"49\" with \"48\"")).unwrap();
    assert_eq!(moved_since(&run.base, &back.rules), Vec::<String>::new(), "it reads as it did");
}

#[test]
fn a_dry_run_says_all_that_is_wrong_at_once() {
    let body = read(
        "=> raise power of every robot by 31\n=> repael rule 7\n=> repeal rule 2\n=> raise power of Ann by 99\n[[\n=> repeal rule 7\n]]",
    );
    let run = dry_run(&toy::room(), &body, toy::now(), &SETTING, &alone);
    assert!(!run.happens);
    assert_eq!(run.refused().map(|(one, _)| one.line).collect::<Vec<_>>(), [2, 4]);
    insta::assert_snapshot!(lines(&run.document()).join("\n"));
    let run = dry_run(&toy::room(), &body, toy::now(), &Setting { mode: Mode::LeaveOutRefused, ..SETTING }, &alone);
    assert!(run.happens && run.summary().contains("left out"));
    let run = dry_run(&toy::room(), &read("Just words."), toy::now(), &SETTING, &alone);
    assert!(run.summary().contains("no directive"));
}

/// Something that happens to the things of a room between the posting of a text and its doing.
#[derive(Clone, Copy, Debug)]
enum Befalls {
    Made,
    Ended,
    Renamed,
}

/// One after the other: whatever is called `North` ends, or gets another name, or something comes to be called so.
fn befall(d: &mut Draft<'_, Toy>, what: Befalls) {
    let held = Toy::find(d, "North").ok();
    match (what, held) {
        (Befalls::Made, None) => drop(Toy::create(d, &"beacon".into(), "North").unwrap()),
        (Befalls::Ended, Some(obj)) => drop(Toy::destroy(d, &obj).unwrap()),
        (Befalls::Renamed, Some(obj)) => {
            let name = format!("South {}", d.emitted());
            d.overwrite(Path::new(obj, "name"), Value::Text(name));
        }
        (Befalls::Made, Some(_)) | (Befalls::Ended | Befalls::Renamed, None) => {}
    }
}

/// Lines that do something to `North`, and nothing to anything else.
const TO_NORTH: [&str; 8] = [
    "=> destroy North",
    "=> set owner of North to Ann",
    "=> set owner of \"north\" to Ann",
    "=> set North's owner to Ann",
    "=> set North.owner to Ann",
    "=> if owner of North is nobody: set owner of North to Ann",
    "=> if exists(\"North\"): set owner of North to Ann",
    "=> require North is North\n=> set owner of North to Ann",
];

proptest! {
    /// What is posted is done to what it named then, whatever comes and goes, or to nothing.
    #[test]
    fn a_posted_text_means_what_its_names_meant(
        line in 0_usize..TO_NORTH.len(),
        before in prop::collection::vec(0_usize..3, 0..4),
        after in prop::collection::vec(0_usize..3, 0..6),
    ) {
        const ALL: [Befalls; 3] = [Befalls::Made, Befalls::Ended, Befalls::Renamed];
        let mut dice = toy::dice();
        let mut d = toy::draft(toy::room(), &mut dice);
        before.into_iter().for_each(|what| befall(&mut d, ALL[what]));
        let meant = Toy::find(&d, "North").ok();
        let post = crate::directives::Post::of(&d, TO_NORTH[line]);
        after.into_iter().for_each(|what| befall(&mut d, ALL[what]));
        let (posted, state) = (post.posted(&d), State::clone(&d));
        let done = apply(&read(TO_NORTH[line]), &mut d, &Setting { posted: Some(&posted), ..SETTING });
        let changed: Vec<Id> = d.world.since(&state.world).into_iter().filter_map(|difference| match difference {
            crate::world::Difference::Went { obj, .. } => Some(obj),
            crate::world::Difference::Value { at, .. } => Some(at.obj),
            _ => None,
        }).collect();
        match meant.or_else(|| Toy::find(&state, "North").ok()) {
            Some(meant) if state.world.exists(&meant) => {
                prop_assert!(changed.iter().all(|obj| *obj == meant), "{changed:?} {done:?}");
                prop_assert_eq!(changed.len(), usize::from(done.is_ok()));
            }
            Some(_) => {
                prop_assert_eq!(changed, Vec::<Id>::new());
                prop_assert_eq!(done.is_ok(), TO_NORTH[line].contains("exists"));
            }
            None => prop_assert_eq!(changed, Vec::<Id>::new()),
        }
    }

    /// No id is given twice, whatever things are called.
    #[test]
    fn an_id_is_given_once(names in prop::collection::vec("(North|north|North!|7|!|tower)", 1..12)) {
        let mut dice = toy::dice();
        let mut d = toy::draft(toy::room(), &mut dice);
        let mut given: Vec<Id> = d.world.of_kind("beacon").cloned().collect();
        for name in names {
            let held: Vec<Id> = d.world.of_kind("beacon").cloned().collect();
            held.iter().for_each(|obj| drop(Toy::destroy(&mut d, obj).unwrap()));
            let obj = d.create(&"beacon".into(), &name);
            prop_assert!(!given.contains(&obj), "{obj}");
            given.push(obj);
        }
    }

    #[test]
    fn a_body_happens_wholly_or_not_at_all(picked in prop::collection::vec(0_usize..12, 0..8)) {
        const LINES: [&str; 12] = [
            "=> raise power of Ann by 20", "=> lower power of Bob by 1", "=> repeal rule 7", "=> transfer 2 power from Ann to Bob",
            "=> create rule \"A\": B", "=> amend rule 2: replace \"48\" with \"49\"", "=> set timeout-hours to 48", "=> destroy tower",
            "=> create beacon tower", "=> give a Box to Ann", "=> if power of Bob > 2: take a Box from Bob", "=> require power of Ann < 30",
        ];
        let text: Vec<&str> = picked.into_iter().map(|index| LINES[index]).collect();
        let body = read(&text.join("\n"));
        let run = dry_run(&toy::room(), &body, toy::now(), &SETTING, &alone);
        let mut dice = toy::dice();
        let mut d = toy::draft(toy::room(), &mut dice);
        let done = apply(&body, &mut d, &SETTING);
        prop_assert_eq!(done.is_ok(), run.happens);
        let finished = d.finish();
        // What was emitted, folded again, gives the same state.
        let mut again = toy::room();
        for change in &finished.changes {
            crate::draft::fold(&mut again, change, finished.state.seq, toy::now()).unwrap();
        }
        prop_assert_eq!(&again.world, &finished.state.world);
        prop_assert_eq!(&again.rules, &finished.state.rules);
        if done.is_err() {
            prop_assert!(finished.changes.is_empty());
        }
    }
}
