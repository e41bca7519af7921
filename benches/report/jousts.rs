//! How fast a charge is played, on one core.

use bfjoust::{Program, Rules, charge, pair};

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
    vec![
        capped.row("joust: a charge to the cap").rate(cycles, "cycles"),
        matched.row("joust: a match over all lengths").rate(played, "cycles"),
    ]
}
