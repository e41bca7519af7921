//! `rulekeeper practice`: a console in which nothing is for good.
//!
//! It keeps everything in memory. Its clock stands at the same instant in every run, and chance is the same as well. So
//! the same lines always bring about the same, word for word. The guides begin with such lines, and a test plays them.

use std::path::PathBuf;

use super::{error::Error, program, ruleset::text_of};
use kernel::Instant;

/// When every practice begins: Monday, 2 November 2026, 10:00 UTC, in seconds since the beginning of 1970.
const BEGINS_AT_SECONDS: i64 = 1_793_613_600;

/// Try things out: nothing is kept, the clock stands until you move it, and dice fall alike every time
#[derive(Debug, clap::Args)]
pub struct Practice {
    /// A game of your own to begin with: a folder of rules, its zip, or one file with all of them
    #[arg(value_name = "DIR")]
    ruleset: Option<PathBuf>,
}

/// When every practice begins.
///
/// # Errors
///
/// [`Error::Failed`], where that were no time.
fn begins() -> Result<Instant, Error> {
    Instant::from_second(BEGINS_AT_SECONDS).map_err(|why| Error::Failed(why.to_string()))
}

impl Practice {
    /// Runs the console until its input ends, `quit` is typed or a signal comes.
    ///
    /// # Errors
    /// As [`program::practise`].
    pub async fn run(self) -> Result<(), Error> {
        let rules = self.ruleset.as_deref().map(text_of).transpose()?;
        program::practise(begins()?, rules).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_practice_begins_on_a_monday_morning() {
        let at = Instant::from_second(BEGINS_AT_SECONDS).unwrap();
        assert_eq!(at.to_string(), "2026-11-02T10:00:00Z");
        assert_eq!(at.to_zoned(jiff::tz::TimeZone::UTC).weekday(), jiff::civil::Weekday::Monday);
    }
}
