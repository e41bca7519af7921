//! Why a line is no command, as data, and as a sentence for whoever typed it.
//!
//! A sentence repeats a player's word only where that word can be no secret: never from a command that takes secret
//! text, and never anything but letters, digits and joints.

use std::sync::Arc;

use super::{
    clean::quoted,
    grammar::TEXT_END_LINE,
    kind::one_of,
    spec::{Command, Kind},
};
use crate::kernel::Refusal;

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
    /// A sentence with “I” that says no action.
    Unsaid,
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
    /// Several words where one stands, without quotation marks.
    Unquoted {
        /// The second of them, where it may be repeated.
        word: Option<String>,
    },
    /// More words than the command takes.
    Extra {
        /// The first of them, where it may be repeated.
        word: Option<String>,
    },
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
        /// Whether more than one line could be it.
        several: bool,
    },
    /// A text that may end before the commands do among which it stands.
    Endless {
        /// The first word of what may be a command, where it may be repeated.
        word: Option<String>,
        /// The line that ends the text.
        mark: &'static str,
    },
    /// A title in a sentence without quotation marks: where it ends is anybody's guess.
    Untitled,
    /// What may be an action of its own behind others, and may be a remark.
    Apart,
    /// What stands where a name would and means something else in a sentence.
    NoName {
        /// The word, where it may be repeated.
        word: Option<String>,
    },
    /// How often something is done, in a line without it.
    Repeats,
    /// What stands in the line behind an action says that it is not done now.
    Waits {
        /// That line, where it may be repeated.
        said: Option<String>,
        /// How the action is set for its time, where that is known.
        instead: Option<String>,
    },
    /// What stands before an action in its line and says nothing of it.
    Remark {
        /// What it says, where it may be repeated.
        said: Option<String>,
    },
    /// What reads like a vote without the word for it.
    Vote {
        /// The same with it.
        instead: String,
    },
    /// The last word of several commands.
    Several {
        /// The word.
        word: String,
        /// Their names.
        names: Vec<String>,
    },
    /// What stands behind a command may be what is given up instead.
    Instead {
        /// The words, where they may be repeated.
        word: Option<String>,
    },
    /// A question, where an action was meant or was not.
    Asked,
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
    },
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
            Problem::Unsaid => "There is no command “i”. This sentence is no action that the bot knows.".to_owned(),
            Problem::Half { head, seconds } => format!("After “{head}” comes {}.", one_of(seconds)),
            Problem::Missing { param, help, file } => {
                let file = if *file { ", or an attached file" } else { "" };
                format!("“{name}” needs {param}{file}: {}.", lower_first(help))
            }
            Problem::Unquoted { word } => {
                let word = word.as_deref().and_then(quoted).unwrap_or_else(|| "something".to_owned());
                format!("“{name}” takes one word there, and {word} is left over: put several words in quotation marks.")
            }
            Problem::Extra { word: Some(number) } if self.takes_one_number() && number.parse::<u32>().is_ok() => {
                format!("“{name}” takes one number at a time: “{name} {number}” does it for {number}.")
            }
            Problem::Extra { word } => match word.as_deref().and_then(quoted) {
                Some(word) => format!("“{name}” takes nothing more, and {word} is left over."),
                None => format!("“{name}” takes nothing more, and something is left over."),
            },
            Problem::Twice { param } => format!("“{name}” got {param} twice."),
            Problem::IllTyped { why, .. } => format!("In “{name}”, {why}."),
            Problem::NoEnd { mark, several: true } => format!(
                "“{name}” goes on up to “{mark}”, and more than one line could be its end: nothing is done. A text in it \
                 ends with a line “{TEXT_END_LINE}”."
            ),
            Problem::NoEnd { mark, several: false } => {
                format!("“{name}” goes on up to “{mark}”, and that never comes: nothing is done.")
            }
            Problem::Endless { word, mark } => {
                let word = word.as_deref().and_then(quoted).unwrap_or_else(|| "a later part".to_owned());
                format!(
                    "The text of “{name}” goes on to the end, and in it {word} begins like an action of its own. Put \
                     “{mark}” before it, or after it where it belongs to the text."
                )
            }
            Problem::Untitled => {
                "A title that is said in a sentence stands in quotation marks: nothing is submitted.".to_owned()
            }
            Problem::Apart => format!(
                "What stands behind this “{name}” may be an action for now, for later or none: nothing is done. Send that in \
                 a message of its own."
            ),
            Problem::NoName { word } => {
                let word = word.as_deref().and_then(quoted).unwrap_or_else(|| "that".to_owned());
                let bare = word.trim_matches(['\u{201c}', '\u{201d}']);
                format!(
                    "{word} identifies nobody, since it means something else in a sentence. Who wants that very name says \
                     “{name} \"{bare}\"”."
                )
            }
            Problem::Repeats => {
                "How often something is done stands in the line in which it is said, before each action or \
                                 behind it: “3 times give Bob m1”. Nothing is done."
                    .to_owned()
            }
            Problem::Remark { said } => {
                let said = said.as_deref().and_then(quoted).unwrap_or_else(|| "What stands before it".to_owned());
                format!("{said} is no action that the bot knows, and is passed over.")
            }
            Problem::Vote { .. } => "A vote begins with the word “vote”: nothing is done.".to_owned(),
            Problem::Several { word, names } => format!("“{word}” alone may be {}: say which.", one_of(names)),
            Problem::Waits { said, instead } => {
                let said = said.as_deref().and_then(quoted).map_or_else(String::new, |said| format!(", {said},"));
                let how = if instead.is_some() { String::new() } else { format!(": “at nday 8: {name}”") };
                format!(
                    "What stands behind this “{name}”{said} says that it is not meant for now: nothing is done. A time stands \
                     before what is done then{how}."
                )
            }
            Problem::Instead { word } => {
                let word = word.as_deref().and_then(quoted).unwrap_or_else(|| "what stands behind it".to_owned());
                format!(
                    "“{name}” gives up the whole game, and with {word} beside it something else may be meant: nothing is done."
                )
            }
            Problem::Asked => {
                format!("A question does nothing: say it without the question mark, where you mean to do “{name}” now.")
            }
            Problem::OpenQuote => "A quotation mark is opened and never closed.".to_owned(),
            Problem::Times { max } => format!("Something is done once, twice or up to {max} times, a whole number."),
            Problem::WhichRoom { rooms } => {
                let rooms: Vec<String> = rooms.iter().map(|room| format!("@{room}")).collect();
                format!("Say which room, at the beginning: {}.", rooms.join(", "))
            }
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
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// No rule of a game speaks about spelling, so the refusal names none; it says how the command is typed.
impl From<GrammarError> for Refusal {
    fn from(error: GrammarError) -> Self {
        let refusal = Self::new(error.sentence());
        match (&error.command, &error.problem) {
            // What one word is like that stands for several is seen best in a line that is right.
            (Some(command), Problem::Unquoted { .. }) => {
                refusal.instead(command.examples.first().cloned().unwrap_or_else(|| command.usage()))
            }
            (_, Problem::Waits { instead: Some(instead), .. } | Problem::Vote { instead }) => {
                refusal.instead(instead.clone())
            }
            (Some(command), _) => refusal.instead(command.usage()),
            (None, Problem::Remark { .. }) => refusal,
            (None, Problem::Unknown { nearest: Some(_), .. } | Problem::TooLong { .. } | Problem::TooMany { .. }) => {
                refusal
            }
            (None, Problem::Half { head, .. }) => refusal.instead(format!("help {head}")),
            (None, _) => refusal.instead("help"),
        }
    }
}
