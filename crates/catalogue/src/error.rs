//! Why a line is no command, as data, and as a sentence for whoever typed it.
//!
//! A sentence repeats a player's word only where that word can be no secret. It never repeats one of a command that
//! takes secret text, and never anything but letters, digits and joints.

use std::sync::Arc;

use super::{
    clean::quoted,
    kind::one_of,
    spec::{Command, Kind},
};
use kernel::Refusal;

/// With what directives begin: who types one as a command is told where it stands.
const DIRECTIVES: [&str; 12] = [
    "set", "award", "raise", "increase", "lower", "decrease", "amend", "repeal", "create", "appoint", "define",
    "destroy",
];

/// A command that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct GrammarError {
    /// The command that was meant, where that much is known.
    pub command: Option<Arc<Command>>,
    /// What is wrong.
    pub problem: Problem,
    /// Whether something stood after it in the message that was therefore not read.
    pub unread: bool,
}

impl GrammarError {
    /// Whether the line begins with a word that begins no command at all.
    pub fn begins_nothing(&self) -> bool {
        let second = |word: &Option<String>| word.as_ref().is_some_and(|word| word.contains(' '));
        self.command.is_none() && matches!(&self.problem, Problem::Unknown { word, .. } if !second(word))
    }
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The message is longer than a message may be.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The greatest length in bytes.
        max_bytes: usize,
    },
    /// The message asks for more actions than one message may.
    TooMany {
        /// The greatest number of them.
        max: u32,
    },
    /// No command has this name.
    Unknown {
        /// The word as typed, where it may be repeated.
        word: Option<String>,
        /// The name that comes nearest, if any does.
        nearest: Option<String>,
        /// Whether it only looks the same: letters of another script.
        lookalike: bool,
    },
    /// A first word that needs a second one.
    Half {
        /// The first word.
        head: String,
        /// What can follow it.
        seconds: Vec<String>,
    },
    /// A required parameter has no value.
    Missing {
        /// Its name in capitals, as the usage line has it.
        param: String,
        /// Its line of help.
        help: String,
        /// Whether a file would do.
        file: bool,
    },
    /// More words than the command takes.
    Extra {
        /// The first of them, where it may be repeated.
        word: Option<String>,
        /// Its place among the words behind the name, from 1.
        at: usize,
    },
    /// “because” without a reason.
    NoReason,
    /// A parameter was given two values.
    Twice {
        /// Its name.
        param: String,
    },
    /// A value is not of its parameter's kind.
    IllTyped {
        /// The name of the parameter.
        param: String,
        /// What it should be, as a clause that begins in lower case.
        why: String,
    },
    /// The line is missing that ends what the command takes.
    NoEnd {
        /// The line.
        mark: String,
    },
    /// A text that may end before the commands do among which it stands.
    Endless {
        /// The line that ends the text.
        mark: &'static str,
    },
    /// The last word of several commands.
    Several {
        /// The word.
        word: String,
        /// Their names.
        names: Vec<String>,
    },
    /// The name of a command in quotation marks.
    Quoted {
        /// The name.
        name: String,
    },
    /// An unclosed quotation mark.
    OpenQuote,
    /// A number of times that is not a whole number from 1 up.
    Times {
        /// The greatest number of times.
        max: u32,
    },
    /// The same words are something else in one room and in another.
    WhichRoom {
        /// The rooms in which they are something.
        rooms: Vec<String>,
        /// The whole line as it is said in the first of them.
        line: Option<String>,
    },
    /// A command that everybody gives for themselves was given in the name of something.
    SpeaksForItself,
    /// A room was named for a command that concerns none.
    NoRoom,
    /// A named parameter that the command does not have, from an adapter that names them.
    NoSuchParam,
}

impl GrammarError {
    pub(crate) fn new(problem: Problem) -> Self {
        Self { command: None, problem, unread: false }
    }

    pub(crate) fn of(command: &Arc<Command>, problem: Problem) -> Self {
        Self { command: Some(command.clone()), problem, unread: false }
    }

    fn takes_one_number(&self) -> bool {
        let params = self.command.as_ref().map_or(&[][..], |command| &command.params);
        matches!(params, [param] if param.kind == Kind::Id)
    }

    fn sentence(&self) -> String {
        let name = self.command.as_ref().map_or("", |command| command.name.as_str());
        let mut say = match &self.problem {
            Problem::TooLong { bytes, max_bytes } => {
                format!("This message is {bytes} bytes long, and {max_bytes} is the most. Send a long text as a file.")
            }
            Problem::TooMany { max } => format!("One message holds {max} actions at most; the rest was not read."),
            Problem::Unknown { word, nearest, lookalike } => {
                let subject = word.as_deref().and_then(quoted);
                match (subject, nearest, lookalike) {
                    (_, Some(near), true) => {
                        format!("That only looks like “{near}”: some of its letters belong to another script.")
                    }
                    (Some(word), Some(near), _) => format!("There is no command {word}. Did you mean “{near}”?"),
                    (None, Some(near), _) => format!("There is no such command. Did you mean “{near}”?"),
                    (Some(quoted), None, _) if word.as_deref().is_some_and(|word| DIRECTIVES.contains(&word)) => {
                        format!("There is no command {quoted}: it is a word of directives, which stand in proposals.")
                    }
                    (Some(word), None, _) => format!("There is no command {word}."),
                    (None, None, _) => "There is no such command.".to_owned(),
                }
            }
            Problem::Half { head, seconds } => format!("After “{head}” comes {}.", one_of(seconds)),
            Problem::Missing { param, help, file } => {
                let file = if *file { ", or an attached file" } else { "" };
                format!("“{name}” needs {param}{file}: {}.", lower_first(help))
            }
            Problem::Extra { word: Some(number), .. } if self.takes_one_number() && number.parse::<u32>().is_ok() => {
                format!("“{name}” takes one number at a time: “{name} {number}” does it for {number}.")
            }
            Problem::Extra { word, at } => {
                let is_name = word.as_ref().is_some_and(|word| word.starts_with(char::is_alphabetic)) && *at > 1;
                let marks = if is_name { " A name of several words stands in quotation marks." } else { "" };
                let word = word.as_deref().and_then(quoted).unwrap_or_else(|| "something".to_owned());
                format!("“{name}” takes nothing more, and {word} is left over, as word {at} behind the name.{marks}")
            }
            Problem::NoReason => format!("Behind “because” comes the reason for “{name}”, up to the end of the line."),
            Problem::Twice { param } => format!("“{name}” got {param} twice."),
            Problem::IllTyped { why, .. } => format!("In “{name}”, {why}."),
            Problem::NoEnd { mark } => {
                format!("“{name}” goes on up to “{mark}”, and that never comes: nothing is done.")
            }
            Problem::Endless { mark } => format!(
                "The text of “{name}” goes on to the end, and nobody can tell what else may be meant by it: put “{mark}” \
                 behind it."
            ),
            Problem::Several { word, names } => format!("“{word}” alone may be {}: say which.", one_of(names)),
            Problem::Quoted { name } => format!("The name of a command stands without quotation marks: {name}."),
            Problem::OpenQuote => {
                return "A quotation mark is opened and never closed. What stands behind it was not read.".to_owned();
            }
            Problem::Times { max } => format!("Something is done once, twice or up to {max} times, a whole number."),
            Problem::WhichRoom { rooms, .. } => {
                let rooms: Vec<String> = rooms.iter().map(|room| format!("@{room}")).collect();
                format!("Say which room, at the beginning: {}.", rooms.join(", "))
            }
            Problem::SpeaksForItself => format!(
                "Everybody gives “{name}” for themselves. “as NAME:” stands before a command that a law of the room adds, where \
                 one says who speaks for NAME."
            ),
            Problem::NoRoom => format!("“{name}” concerns no room, so none can be named for it."),
            Problem::NoSuchParam => format!("“{name}” takes nothing of that name."),
        };
        if self.unread {
            say.push_str(" What came after it was not read.");
        }
        say
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    // “FOR or AGAINST” stays as it is.
    if chars.clone().nth(1).is_some_and(char::is_uppercase) {
        return text.to_owned();
    }
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// No rule of a game speaks about spelling, so the refusal names none; it says how the command is typed.
impl From<GrammarError> for Refusal {
    fn from(error: GrammarError) -> Self {
        let refusal = Self::new(error.sentence());
        match (&error.command, &error.problem) {
            (Some(command), _) => command.instead(refusal),
            (None, Problem::Unknown { nearest: Some(_), .. } | Problem::TooLong { .. } | Problem::TooMany { .. }) => {
                refusal
            }
            (None, Problem::WhichRoom { line: Some(line), .. }) => refusal.instead(line),
            (None, Problem::Half { head, .. }) => refusal.instead(format!("help {head}")),
            (None, _) => refusal.instead("help"),
        }
    }
}
