//! How fast a charge and a challenge are played, on one core.

use bfjoust::{Program, Rules, Setup, charge, pair, play};
use joust::house::house;

use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 20;

/// One charge that lasts to the cap, and a match over all lengths that does not.
pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let rules = Rules::agora();
    let parse = |source: &str| Program::parse(source).expect("the bench's programs balance");
    let idler = parse("+[.]");
    let runner = parse(&format!("{}[-]", ">".repeat(150)));
    let sweeper = parse("+[>[-]+]");
    let lengths: Vec<usize> = rules.lengths().collect();

    let cycles = charge(&idler, &idler, 151, &rules).cycles;
    let capped = Times::of(bench.rounds(ROUNDS), || {
        charge(&idler, &idler, 151, &rules);
    });
    let played: u64 = pair(&runner, &sweeper, &lengths, &rules).iter().map(|charge| charge.cycles).sum();
    let matched = Times::of(bench.rounds(ROUNDS), || {
        pair(&runner, &sweeper, &lengths, &rules);
    });
    // A challenge on the Hill that a contest starts with: the newcomer's ten matches, where all others are stored, and all
    // fifty-five after figures were amended.
    let hill: Vec<Program> = house().iter().map(|(_, text)| parse(text)).collect();
    let newcomer = parse(&format!("{}{}", ">+>->+>-".repeat(4), "(>[-])".repeat(160)));
    let setups: Vec<Setup> = rules.setups().collect();
    let mut entry = || hill.iter().for_each(|held| drop(play(held, &newcomer, &setups, &rules)));
    let entered = Times::of(bench.rounds(ROUNDS), &mut entry);
    let whole = Times::of(bench.rounds(ROUNDS), || {
        entry();
        for (place, left) in hill.iter().enumerate() {
            hill[place + 1..].iter().for_each(|right| drop(play(left, right, &setups, &rules)));
        }
    });
    vec![
        entered.row("joust: a challenge on the Hill, all 33 lengths, the others' matches stored"),
        whole.row("joust: the same with nothing stored"),
        capped.row("joust: a charge to the cap").rate(cycles, "cycles"),
        matched.row("joust: a match over all lengths").rate(played, "cycles"),
    ]
}
