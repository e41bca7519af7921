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

    /// How many entries a room has that has gone on for years: a million, or what `RULEKEEPER_BENCH_ENTRIES` says.
    pub(crate) fn many(&self) -> usize {
        const MILLION: usize = 1_000_000;
        let said = std::env::var("RULEKEEPER_BENCH_ENTRIES").ok();
        let said = said.map(|said| said.parse().expect("RULEKEEPER_BENCH_ENTRIES is a number"));
        if self.in_earnest { said.unwrap_or(MILLION) } else { 1 }
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
        Self::then(rounds, &mut once, |()| ()).0
    }

    /// Times `once`, and does `after` with what it gave, untimed; with the last that `after` gave.
    pub(crate) fn then<T, R>(rounds: usize, mut once: impl FnMut() -> T, mut after: impl FnMut(T) -> R) -> (Self, R) {
        let mut times = Vec::with_capacity(rounds.max(1));
        loop {
            let (taken, given) = time(&mut once);
            let last = after(given);
            times.push(taken);
            if times.len() >= rounds {
                times.sort();
                return (Self(times), last);
            }
        }
    }

    /// Times that something else has taken.
    pub(crate) fn from(mut times: Vec<Duration>) -> Self {
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
        let taken = Some((self.median(), self.percentile(99)));
        Row { what: what.to_owned(), taken, note: String::new() }
    }
}

/// How long one call takes.
#[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
fn time<T>(once: &mut impl FnMut() -> T) -> (Duration, T) {
    let start = Instant::now();
    let given = once();
    (start.elapsed(), given)
}

/// How long something takes that begins here and ends elsewhere.
pub(crate) struct Watch(Instant);

impl Watch {
    #[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    #[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
    pub(crate) fn taken(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A steady rate.
pub(crate) struct Pace {
    watch: Watch,
    every: Duration,
    next: Duration,
}

impl Pace {
    /// So many times a second.
    pub(crate) fn of(rate: usize) -> Self {
        Self { watch: Watch::start(), every: Duration::from_secs_f64(1.0 / rate as f64), next: Duration::ZERO }
    }

    /// Waits for the next turn, which comes in time however late this one was.
    #[expect(clippy::disallowed_methods, reason = "a bench waits by a clock")]
    pub(crate) fn wait(&mut self) {
        std::thread::sleep(self.next.saturating_sub(self.watch.taken()));
        self.next += self.every;
    }
}

/// A line of the report.
pub(crate) struct Row {
    what: String,
    /// Median and 99th percentile; nothing where no time was measured.
    taken: Option<(Duration, Duration)>,
    note: String,
}

impl Row {
    /// A line without a time.
    pub(crate) fn noted(what: &str, note: &str) -> Self {
        Self { what: what.to_owned(), taken: None, note: note.to_owned() }
    }

    /// Adds a note.
    pub(crate) fn note(mut self, note: &str) -> Self {
        if !self.note.is_empty() {
            self.note.push_str("; ");
        }
        self.note.push_str(note);
        self
    }

    /// Adds how it compares with another: the median with the median, the 99th percentile with that.
    pub(crate) fn ratio_to(self, name: &str, other: &Times) -> Self {
        let Some((median, p99)) = self.taken else { return self };
        let ratio = |of: Duration, to: Duration| of.as_secs_f64() / to.as_secs_f64();
        let (median, p99) = (ratio(median, other.median()), ratio(p99, other.percentile(99)));
        self.note(&format!("{median:.2} x {name}, p99 {p99:.2} x"))
    }

    /// Adds how many of something that comes to in a second.
    pub(crate) fn rate(self, count: u64, unit: &str) -> Self {
        let Some((median, _)) = self.taken else { return self };
        let rate = count as f64 / median.as_secs_f64();
        self.note(&match rate {
            1e6.. => format!("{:.0} M {unit}/s", rate / 1e6),
            1e4.. => format!("{:.0} k {unit}/s", rate / 1e3),
            1e3.. => format!("{rate:.0} {unit}/s"),
            _ => format!("{rate:.1} {unit}/s"),
        })
    }
}

/// Shows the report.
#[expect(clippy::print_stdout, reason = "a report is printed")]
pub(crate) fn print(rows: &[Row]) {
    let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
    println!("{:width$}  {:>10}  {:>10}  compared", "", "median", "p99");
    for Row { what, taken, note } in rows {
        let (median, p99) = taken.map_or_else(Default::default, |(median, p99)| (shown(median), shown(p99)));
        let line = format!("{what:width$}  {median:>10}  {p99:>10}  {note}");
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
