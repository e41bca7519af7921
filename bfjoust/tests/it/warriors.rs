//! What the corpus of warriors scores: each program against each, on all lengths in both polarities.

use bfjoust::{Machine, Program, Rules, Setup, Side, play};

use crate::corpus::{depth, warriors};

/// Where the scores are kept.
const SCORES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/warriors.scores.txt");

/// What the file of scores says of itself.
const HEAD: &str = "\
# What the programs of warriors.txt score under egojoust: of each, its margins as the left program against each, itself
# too, in the order of the lines. A margin is charges won less charges lost, of 21 lengths in two polarities.
";

/// `UPDATE_SCORES=1` writes them anew. The plain machine plays one charge of each pair to its end; the bench all.
#[test]
fn warriors_score_what_is_written_down() {
    let rules = Rules::egojoust();
    let setups: Vec<Setup> = rules.setups().collect();
    let entries = warriors();
    let parse = |text: &str| Program::parse_as(text, rules.notation).expect("the corpus has no mistakes");
    let programs: Vec<Program> = entries.iter().map(|entry| parse(entry.text)).collect();
    let mut margins = vec![vec![0_i64; programs.len()]; programs.len()];
    for left in 0..programs.len() {
        for right in 0..programs.len() {
            let charges = play(&programs[left], &programs[right], &setups, &rules);
            let worth = |side| charges.iter().filter(|charge| charge.winner == Some(side)).count() as i64;
            margins[left][right] = worth(Side::Left) - worth(Side::Right);
            let one = (left * 29 + right * 13) % setups.len();
            let machine = Machine::set_up(&programs[left], &programs[right], setups[one], &rules).finish();
            assert_eq!(charges[one], machine, "{} - {} on {:?}", entries[left].name, entries[right].name, setups[one]);
        }
    }
    let row = |row: &Vec<i64>| row.iter().map(|margin| format!("{margin:4}")).collect::<String>();
    let lines = entries.iter().zip(&margins).map(|(entry, margins)| format!("{:18}{}\n", entry.name, row(margins)));
    let written = HEAD.to_owned() + &lines.collect::<String>();
    if std::env::var_os("UPDATE_SCORES").is_some() {
        std::fs::write(SCORES, &written).expect("the corpus can be written");
    }
    assert_eq!(std::fs::read_to_string(SCORES).expect("the scores are there"), written);
}

#[test]
fn warriors_nest_as_deep_as_real_ones() {
    let deepest = warriors().iter().map(|entry| depth(entry.text)).max();
    assert!(deepest.is_some_and(|deepest| deepest >= 125), "{deepest:?}");
}
