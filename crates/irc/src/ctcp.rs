//! CTCP: what other clients ask a client, answered privately and seldom.
//!
//! The crate's own answers are unthrottled and go into channels, so its feature is off. Five questions are answered,
//! each person one in [`CTCP_EVERY`], and all people together [`CTCP_MAX_COUNT`] in that time: whoever asks under many
//! names gets no more. `ACTION` is somebody talking and is left alone.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The pause between two answers to one person.
pub(super) const CTCP_EVERY: Duration = Duration::from_secs(10);

/// Most answers to all people within that time.
pub(super) const CTCP_MAX_COUNT: usize = 5;

/// Longest argument that a `PING` gets back, in bytes: clients send a time.
const PING_ARGUMENT_MAX_BYTES: usize = 64;

/// What is answered, as `CLIENTINFO` lists it.
const ANSWERED: &[&str] = &["CLIENTINFO", "PING", "SOURCE", "TIME", "VERSION"];

/// Answers CTCP.
#[derive(Debug, Default)]
pub(super) struct Ctcp {
    /// Who was answered within the last [`CTCP_EVERY`], and when.
    answered: VecDeque<(String, Instant)>,
}

/// What is inside the marks, when a message is CTCP at all.
pub(super) fn request(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('\x01')?;
    Some(inside.strip_suffix('\x01').unwrap_or(inside))
}

impl Ctcp {
    /// The answer to a request of somebody (their nick, folded), without the marks; `None` when there is none or it is
    /// too soon. `time` is asked only when it is wanted; `source` is where the program can be had.
    pub(super) fn answer(
        &mut self,
        request: &str,
        (who, source): (&str, &str),
        now: Instant,
        time: impl FnOnce() -> String,
    ) -> Option<String> {
        let (word, argument) = request.split_once(' ').unwrap_or((request, ""));
        let word = word.to_ascii_uppercase();
        self.answered.retain(|(_, at)| now < *at + CTCP_EVERY);
        if !ANSWERED.contains(&word.as_str())
            || self.answered.len() >= CTCP_MAX_COUNT
            || self.answered.iter().any(|(other, _)| other == who)
        {
            return None;
        }
        self.answered.push_back((who.to_owned(), now));
        Some(match word.as_str() {
            "CLIENTINFO" => format!("CLIENTINFO {}", ANSWERED.join(" ")),
            "SOURCE" => format!("SOURCE {source}"),
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

    const URL: &str = "https://example.org/source";

    fn time() -> String {
        "noon".to_owned()
    }

    #[test]
    fn five_questions_are_answered_and_each_person_once_in_ten_seconds() {
        let mut ctcp = Ctcp::default();
        let start = Instant::now();
        assert!(ctcp.answer("VERSION", ("al", URL), start, time).unwrap().starts_with("VERSION Rulekeeper "));
        assert_eq!(ctcp.answer("ping 123", ("al", URL), start + CTCP_EVERY / 2, time), None);
        assert_eq!(ctcp.answer("ping 123", ("bo", URL), start + CTCP_EVERY / 2, time).as_deref(), Some("PING 123"));
        assert_eq!(ctcp.answer("ping 123", ("al", URL), start + CTCP_EVERY, time).as_deref(), Some("PING 123"));
        assert_eq!(ctcp.answer("TIME", ("al", URL), start + CTCP_EVERY * 2, time).as_deref(), Some("TIME noon"));
        let all = ctcp.answer("clientinfo", ("bo", URL), start + CTCP_EVERY * 2, time).unwrap();
        assert_eq!(all, "CLIENTINFO CLIENTINFO PING SOURCE TIME VERSION");
        let source = ctcp.answer("SOURCE", ("cy", URL), start + CTCP_EVERY * 2, time).unwrap();
        assert_eq!(source, "SOURCE https://example.org/source");
    }

    #[test]
    fn who_asks_under_many_names_gets_no_more() {
        let mut ctcp = Ctcp::default();
        let start = Instant::now();
        let answered = (0..100).filter(|n| ctcp.answer("TIME", (&n.to_string(), URL), start, time).is_some()).count();
        assert_eq!((answered, ctcp.answered.len()), (CTCP_MAX_COUNT, CTCP_MAX_COUNT));
        assert!(ctcp.answer("TIME", ("al", URL), start + CTCP_EVERY, time).is_some());
    }

    #[test]
    fn an_action_or_something_unknown_is_not_answered_and_costs_nothing() {
        let mut ctcp = Ctcp::default();
        let start = Instant::now();
        for word in ["ACTION waves", "DCC SEND x", "FINGER", ""] {
            assert_eq!(ctcp.answer(word, ("al", URL), start, time), None);
        }
        assert!(ctcp.answer("TIME", ("al", URL), start, time).is_some());
    }

    #[test]
    fn a_long_ping_is_cut_between_characters() {
        let ping = format!("PING x{}", "é".repeat(100));
        let answer = Ctcp::default().answer(&ping, ("al", URL), Instant::now(), time).unwrap();
        assert!(answer.len() <= "PING ".len() + PING_ARGUMENT_MAX_BYTES);
    }

    #[test]
    fn marks_are_taken_off_even_when_one_is_missing() {
        assert_eq!(request("\x01VERSION\x01"), Some("VERSION"));
        assert_eq!(request("\x01VERSION"), Some("VERSION"));
        assert_eq!(request("VERSION"), None);
    }
}
