//! CTCP: what other clients ask a client, answered privately and seldom.
//!
//! The crate's own answers are unthrottled and go into channels, so its feature is off. Only `VERSION`, `PING` and
//! `TIME` are answered, whoever asks, one in [`CTCP_EVERY`]. `ACTION` is somebody talking and is left alone.

use std::time::Duration;

use tokio::time::Instant;

/// The pause between two answers, for everybody together.
pub(super) const CTCP_EVERY: Duration = Duration::from_secs(10);

/// Longest argument that a `PING` gets back, in bytes: clients send a time.
const PING_ARGUMENT_MAX_BYTES: usize = 64;

/// Answers CTCP.
#[derive(Debug, Default)]
pub(super) struct Ctcp {
    last: Option<Instant>,
}

/// What is inside the marks, when a message is CTCP at all.
pub(super) fn request(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('\x01')?;
    Some(inside.strip_suffix('\x01').unwrap_or(inside))
}

impl Ctcp {
    /// The answer to a request, without the marks; `None` when there is none or it is too soon. `time` is asked only
    /// when it is wanted.
    pub(super) fn answer(&mut self, request: &str, now: Instant, time: impl FnOnce() -> String) -> Option<String> {
        let (word, argument) = request.split_once(' ').unwrap_or((request, ""));
        let word = word.to_ascii_uppercase();
        if !matches!(word.as_str(), "VERSION" | "PING" | "TIME")
            || self.last.is_some_and(|last| now < last + CTCP_EVERY)
        {
            return None;
        }
        self.last = Some(now);
        Some(match word.as_str() {
            "VERSION" => format!("VERSION Rulekeeper {}", env!("CARGO_PKG_VERSION")),
            "TIME" => format!("TIME {}", time()),
            _ => {
                let mut end = argument.len().min(PING_ARGUMENT_MAX_BYTES);
                while !argument.is_char_boundary(end) {
                    end -= 1;
                }
                format!("PING {}", &argument[..end])
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time() -> String {
        "noon".to_owned()
    }

    #[test]
    fn three_questions_are_answered_and_one_in_ten_seconds() {
        let mut ctcp = Ctcp::default();
        let start = Instant::now();
        assert!(ctcp.answer("VERSION", start, time).unwrap().starts_with("VERSION Rulekeeper "));
        assert_eq!(ctcp.answer("ping 123", start + CTCP_EVERY / 2, time), None);
        assert_eq!(ctcp.answer("ping 123", start + CTCP_EVERY, time).as_deref(), Some("PING 123"));
        assert_eq!(ctcp.answer("TIME", start + CTCP_EVERY * 2, time).as_deref(), Some("TIME noon"));
    }

    #[test]
    fn an_action_or_something_unknown_is_not_answered_and_costs_nothing() {
        let mut ctcp = Ctcp::default();
        let start = Instant::now();
        for word in ["ACTION waves", "DCC SEND x", "FINGER", ""] {
            assert_eq!(ctcp.answer(word, start, time), None);
        }
        assert!(ctcp.answer("TIME", start, time).is_some());
    }

    #[test]
    fn a_long_ping_is_cut_between_characters() {
        let answer = Ctcp::default().answer(&format!("PING x{}", "é".repeat(100)), Instant::now(), time).unwrap();
        assert!(answer.len() <= "PING ".len() + PING_ARGUMENT_MAX_BYTES);
    }

    #[test]
    fn marks_are_taken_off_even_when_one_is_missing() {
        assert_eq!(request("\x01VERSION\x01"), Some("VERSION"));
        assert_eq!(request("\x01VERSION"), Some("VERSION"));
        assert_eq!(request("VERSION"), None);
    }
}
