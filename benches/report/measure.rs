//! Takes times and shows them: the only place of the report that reads a clock or prints.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

/// How a run measures.
pub(crate) struct Bench {
    in_earnest: bool,
}

impl Bench {
    /// A run that takes its time, or one that only shows that everything works.
    pub(crate) fn new(in_earnest: bool) -> Self {
        Self { in_earnest }
    }

    /// How often to do what one would do `rounds` times in earnest.
    pub(crate) fn rounds(&self, rounds: usize) -> usize {
        if self.in_earnest { rounds } else { 1 }
    }

    /// The folder whose disk is measured.
    pub(crate) fn folder(&self) -> PathBuf {
        std::env::var_os("RULEKEEPER_BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from)
    }
}

/// How long one thing took, many times.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Times `once`, `rounds` times (at least once).
    pub(crate) fn of(rounds: usize, mut once: impl FnMut()) -> Self {
        let mut times: Vec<_> = (0..rounds.max(1)).map(|_| time(&mut once)).collect();
        times.sort();
        Self(times)
    }

    /// Half of them took no longer.
    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }

    /// That share of them took no longer.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        self.0[(self.0.len() - 1) * percent / 100]
    }

    /// A line of the report.
    pub(crate) fn row(&self, what: &str) -> Row {
        Row { what: what.to_owned(), median: self.median(), p99: self.percentile(99), note: String::new() }
    }
}

/// How long one call takes.
#[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
fn time(once: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    once();
    start.elapsed()
}

/// A line of the report.
pub(crate) struct Row {
    what: String,
    median: Duration,
    p99: Duration,
    note: String,
}

impl Row {
    /// Adds how its median compares with another's.
    pub(crate) fn ratio_to(mut self, name: &str, other: &Times) -> Self {
        let ratio = self.median.as_secs_f64() / other.median().as_secs_f64();
        self.note = format!("{ratio:.2} x {name}");
        self
    }

    /// Adds how many of something that comes to in a second.
    pub(crate) fn rate(mut self, count: u64, unit: &str) -> Self {
        let rate = count as f64 / self.median.as_secs_f64();
        self.note = match rate {
            1e6.. => format!("{:.0} M {unit}/s", rate / 1e6),
            1e3.. => format!("{:.0} k {unit}/s", rate / 1e3),
            _ => format!("{rate:.1} {unit}/s"),
        };
        self
    }
}

/// Shows the report.
#[expect(clippy::print_stdout, reason = "a report is printed")]
pub(crate) fn print(rows: &[Row]) {
    let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
    println!("{:width$}  {:>10}  {:>10}  compared", "", "median", "p99");
    for Row { what, median, p99, note } in rows {
        let line = format!("{what:width$}  {:>10}  {:>10}  {note}", shown(*median), shown(*p99));
        println!("{}", line.trim_end());
    }
}

/// A duration to three figures.
fn shown(time: Duration) -> String {
    let nanoseconds = time.as_nanos() as f64;
    let (value, unit) = match nanoseconds {
        1e9.. => (nanoseconds / 1e9, "s"),
        1e6.. => (nanoseconds / 1e6, "ms"),
        1e3.. => (nanoseconds / 1e3, "us"),
        _ => (nanoseconds, "ns"),
    };
    let places = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.places$} {unit}")
}
