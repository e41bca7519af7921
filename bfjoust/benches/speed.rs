//! How many cycles a second the machine plays on one core, over charges of different kinds.
//!
//! Each kind runs to the cap or close to it, so that start-up does not count. Figures are for comparing two versions
//! on one machine, never for a test.

use std::time::Instant;

use bfjoust::{Program, Rules, charge};

/// Cycles to play of each kind: long enough that a clock's grain does not matter.
const PLAYED_MIN_CYCLES: u64 = 200_000_000;

#[expect(clippy::print_stdout, reason = "a bench reports by printing")]
#[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
fn main() {
    // `cargo test --benches` runs this too, without the flag: then once through is enough.
    let cycles_min = if std::env::args().any(|argument| argument == "--bench") { PLAYED_MIN_CYCLES } else { 1 };
    let rules = Rules::agora();
    let hold = format!("{}{}", ">".repeat(60), "+[.]");
    let cases = [
        ("both idle in a loop", "+[.]".to_owned(), "+[.]".to_owned()),
        ("lock on a flag", "[+]".to_owned(), format!("{}[-]", ">".repeat(150))),
        ("nested counters", "-[>-[>-[+]<-]<-]".to_owned(), "-[>-[>-[+]<-]<-]".to_owned()),
        ("sweep against a shudder", "+[>[-]+]".to_owned(), "[++--]".to_owned()),
        ("two on one cell", hold.clone(), format!("{}[+-]", ">".repeat(90))),
    ];
    for (name, left, right) in cases {
        let parse = |source: &str| Program::parse(source).expect("the bench's programs balance");
        let (left, right) = (parse(&left), parse(&right));
        let start = Instant::now();
        let mut cycles = 0;
        let mut charges = 0_u64;
        while cycles < cycles_min {
            cycles += charge(&left, &right, 151, &rules).cycles;
            charges += 1;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:26} {:6.0} M cycles/s  ({} cycles a charge)", cycles as f64 / seconds / 1e6, cycles / charges);
    }
}
