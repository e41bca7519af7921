//! What a rehearsal came to: everything that was said and done, and every expectation that was not met.
//!
//! The text looks like a rehearsal; the JSON, one object a line, is a public interface. The text has no colours, since
//! it goes into files and pipes.

use std::collections::BTreeSet;

use serde::Serialize;

use kernel::Seq;

/// What a rehearsal came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The name of its file.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// All that was said and done, in order.
    pub events: Vec<Event>,
    /// What was not as expected.
    pub unmet: Vec<Unmet>,
    /// How many expectations were looked at.
    pub expectations: usize,
    /// The command lines that somebody who was refused was told to type instead.
    pub hints: BTreeSet<String>,
    /// What somebody was told to do and could not have done where they read it, with the reason.
    pub unfit: BTreeSet<String>,
}

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Time passed.
    Time {
        /// It is now, RFC 3339.
        at: String,
    },
    /// Somebody said something.
    Said {
        /// The line of the rehearsal.
        line: usize,
        /// Who.
        by: String,
        /// Where: a channel, `private`, or `aside`.
        place: String,
        /// What.
        text: String,
    },
    /// The bot answered.
    Replied {
        /// To whom.
        to: String,
        /// `done`, `refused`, `shown` or `fault`.
        kind: &'static str,
        /// Whether it was for the speaker alone.
        private: bool,
        /// What, line by line.
        lines: Vec<String>,
    },
    /// The bot announced something.
    Announced {
        /// Where: a channel, or `@` and a name.
        to: String,
        /// What, line by line.
        lines: Vec<String>,
    },
    /// An entry was made.
    Entry {
        /// In which room.
        room: String,
        /// Its number.
        seq: Seq,
        /// When it took effect, RFC 3339.
        at: String,
        /// Why it was made.
        cause: String,
    },
    /// The rehearsal itself did something.
    Did {
        /// The line of the rehearsal.
        line: usize,
        /// What.
        what: String,
    },
    /// Something was not as expected.
    Unmet(Unmet),
}

/// Something that was not as expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// The file.
    pub file: String,
    /// The line in it.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What was instead.
    pub instead: String,
}

impl Report {
    /// Whether everything was as expected.
    pub fn is_met(&self) -> bool {
        self.unmet.is_empty()
    }

    /// Everything as text, line by line.
    pub fn text(&self) -> String {
        let mut out = format!("# {}: {}\n", self.name, self.title);
        for event in &self.events {
            event.tell(&mut out);
        }
        out.push_str(&match self.unmet.len() {
            0 => format!("# {}: all {} expectations are met\n", self.name, self.expectations),
            unmet => format!("# {}: {unmet} unmet, of {} expectations\n", self.name, self.expectations),
        });
        out
    }

    /// What was not as expected, as text.
    pub fn complaints(&self) -> String {
        self.unmet.iter().map(Unmet::text).collect::<Vec<_>>().join("\n")
    }

    /// Everything as JSON, one object a line.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Begin<'a> {
            event: &'static str,
            file: &'a str,
            title: &'a str,
        }
        #[derive(Serialize)]
        struct End<'a> {
            event: &'static str,
            file: &'a str,
            expectations: usize,
            unmet: usize,
        }
        let begin = Begin { event: "begin", file: &self.name, title: &self.title };
        let (expectations, unmet) = (self.expectations, self.unmet.len());
        let end = End { event: "end", file: &self.name, expectations, unmet };
        let lines = [json(&begin)].into_iter().chain(self.events.iter().map(json)).chain([json(&end)]);
        lines.map(|line| line + "\n").collect()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an event holds nothing that JSON cannot")
}

impl Unmet {
    /// As text: where, what was expected, what was instead.
    pub fn text(&self) -> String {
        let instead = self.instead.replace('\n', "\n        ");
        format!("{}:{}: expected {}\n    but {instead}", self.file, self.line, self.expected)
    }
}

impl Event {
    fn tell(&self, out: &mut String) {
        match self {
            Self::Time { at } => out.push_str(&format!("at {at}\n")),
            Self::Said { by, place, text, .. } => {
                out.push_str(&format!("{by} ({place}): {}\n", text.replace('\n', "\n  : ")));
            }
            Self::Replied { kind, private, lines, .. } => {
                let sign = match (*kind, private) {
                    ("refused", _) => "<!",
                    ("fault", _) => "<fault",
                    (_, true) => "<<",
                    (_, false) => "<",
                };
                told(out, &format!("  {sign} "), lines);
            }
            Self::Announced { to, lines } => told(out, &format!("{to}> "), lines),
            Self::Entry { room, seq, at, cause } => {
                out.push_str(&format!("# entry {seq} of {room}, {at}: {cause}\n"));
            }
            Self::Did { what, .. } => out.push_str(&format!("{what}\n")),
            Self::Unmet(unmet) => out.push_str(&format!("!! {}\n", unmet.text())),
        }
    }
}

fn told(out: &mut String, head: &str, lines: &[String]) {
    for line in lines {
        out.push_str(head);
        out.push_str(line);
        out.push('\n');
    }
}
