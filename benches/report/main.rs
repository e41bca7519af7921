//! One command that reports how fast the program is: `cargo bench --bench report [CHAPTER]`.
//!
//! Durations of one machine mean nothing on another. So whatever can be is shown as a ratio to something that the same
//! machine does at the same time. A durable action is compared to a bare commit on the same disk.
//! `RULEKEEPER_BENCH_FOLDER` names the folder, and with it the disk; without it the temporary folder serves.
//! `RULEKEEPER_BENCH_ENTRIES` makes the old journals shorter than a million entries, which take a minute to be made.
//! The chapter on load takes four minutes, all others together one.
//!
//! A chapter is a file beside this one with a function `rows`, listed in [`CHAPTERS`]. Nothing here is a test: a test
//! that depends on speed fails on a busy day.

mod discord;
mod disk;
mod jousts;
mod laws;
mod load;
mod measure;
mod rooms;
mod space;
mod store;
mod tally;
mod votes;

use measure::{Bench, Row};

type Chapter = (&'static str, fn(&Bench) -> Vec<Row>);

/// What is measured, in the order in which it is shown.
const CHAPTERS: [Chapter; 10] = [
    ("disk", disk::rows),
    ("store", store::rows),
    ("rooms", rooms::rows),
    ("jousts", jousts::rows),
    ("space", space::rows),
    ("discord", discord::rows),
    ("tally", tally::rows),
    ("laws", laws::rows),
    ("votes", votes::rows),
    ("load", load::rows),
];

fn main() {
    if let Ok(told) = std::env::var(load::VARIABLE) {
        return load::process(&told);
    }
    // Cargo passes `--bench`; `cargo test --benches` does not, and then once through is enough.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let bench = Bench::new(arguments.iter().any(|argument| argument == "--bench"));
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let rows: Vec<Row> = CHAPTERS
        .into_iter()
        .filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|word| word == name))
        .flat_map(|(_, rows)| rows(&bench))
        .collect();
    measure::print(&rows);
}
