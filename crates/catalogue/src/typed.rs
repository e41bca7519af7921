//! A typed command, once it is known which one it is and which words belong to which parameter.
//!
//! The values are still texts. [`bind`](super::bind()) asks the room what they mean there.

use std::{collections::BTreeMap, fmt, sync::Arc};

use super::{
    clean::{is_invisible, is_line_break, prose, quoted},
    error::{GrammarError, Problem},
    grammar::{closes, is_bare, join, quote, split},
    kind::{self, one_of},
    lookup::Lookup,
    spec::{BECAUSE, Command, Kind, Param, ROOM_KEY, RoomUse},
};
use kernel::{Refusal, display::MARKS};

/// Most actions that one message may ask for, repetitions counted. Each is decided and journalled by itself, and a room
/// must not be held by one line.
pub const MESSAGE_MAX_ACTIONS: u32 = 100;

/// Longest line that its sender is told to send again in another form, in bytes.
const SAID_AGAIN_MAX_BYTES: usize = 200;

/// What a journal holds in place of a secret text.
const KEPT_SECRET: &str = "(kept secret)";

/// One command with its values, read but not judged.
#[derive(Clone, PartialEq, Eq)]
pub struct Typed {
    /// Which command.
    pub command: Arc<Command>,
    /// The text of each parameter that was given, by the parameter's name. A list is one text, its words as in a line.
    pub args: BTreeMap<String, String>,
    /// The room that was named, as it was named.
    pub room: Option<String>,
    /// How often it is to be done.
    pub times: Times,
    /// The reason that is given for it, which changes nothing.
    pub reason: Option<String>,
    /// The line for the journal: as it was sent, or without its secrets where the command takes any.
    pub said: String,
    /// Other ways to read the same words, and whether each keeps the order of the usage line. Only a room knows which
    /// of them is meant.
    pub others: Vec<(bool, BTreeMap<String, String>)>,
    /// Whether the values as they stand here keep that order.
    pub in_order: bool,
}

/// How often something is to be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Times {
    /// So often, from 1 to [`MESSAGE_MAX_ACTIONS`].
    Count(u32),
    /// As often as something says that only a room knows: `A Few`.
    Named(String),
}

impl Times {
    /// Whether that is once.
    pub fn is_once(&self) -> bool {
        *self == Self::Count(1)
    }

    /// The number, as a room knows it: whole and positive, whatever it is called (4E7, B7.5).
    ///
    /// # Errors
    /// A [`Refusal`] where the room knows no such number, or it cannot be a number of times.
    pub fn count(&self, lookup: &dyn Lookup) -> Result<u32, Refusal> {
        let words = match self {
            Self::Count(count) => return Ok(*count),
            Self::Named(words) => words,
        };
        let Some(number) = lookup.number(words) else {
            let shown = quoted(words).unwrap_or_else(|| "that".to_owned());
            return Err(Refusal::new(format!("{shown} is no number here, so nothing is done that many times")));
        };
        let count = number.to_u64().and_then(|count| u32::try_from(count).ok());
        let count = count.filter(|count| (1..=MESSAGE_MAX_ACTIONS).contains(count));
        count.ok_or_else(|| GrammarError::new(Problem::Times { max: MESSAGE_MAX_ACTIONS }).into())
    }
}

/// A link that stands where a program or a file is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The parameter that its contents fill.
    pub param: String,
    /// The address. It is only ever fetched when it begins with `https://`.
    pub url: String,
}

impl Typed {
    /// The same from named values, for an adapter that asks for each of them in a field of its own. A text that may come
    /// by a file or in further lines can be missing, as in [`parse`](super::parse).
    ///
    /// # Errors
    /// As [`parse`](super::parse), for what is missing, unknown or not of its kind.
    pub fn from_args(
        command: &Arc<Command>,
        args: impl IntoIterator<Item = (String, String)>,
        room: Option<String>,
    ) -> Result<Self, GrammarError> {
        let mut kept = BTreeMap::new();
        for (name, value) in args {
            let Some(param) = command.param(&name) else {
                return Err(GrammarError::of(command, Problem::NoSuchParam));
            };
            kept.insert(name, accept(command, param, &value)?);
        }
        let mut typed = Self::new(command, kept, room, Times::Count(1))?;
        typed.said = typed.redacted();
        Ok(typed)
    }

    /// The same with a reason for it, in one line; one of blanks is none.
    ///
    /// # Errors
    /// When the command takes no reason.
    pub fn because(mut self, reason: Option<&str>) -> Result<Self, GrammarError> {
        let words = prose(reason.unwrap_or_default());
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            return Ok(self);
        }
        if !self.command.takes_reason() {
            return Err(GrammarError::of(&self.command, Problem::NoSuchParam));
        }
        self.reason = Some(line);
        self.said = self.redacted();
        Ok(self)
    }

    pub(super) fn new(
        command: &Arc<Command>,
        args: BTreeMap<String, String>,
        room: Option<String>,
        times: Times,
    ) -> Result<Self, GrammarError> {
        if room.is_some() && command.room == RoomUse::None {
            return Err(GrammarError::of(command, Problem::NoRoom));
        }
        let demanded = |param: &&Param| command.demands(param, &args) && !args.contains_key(&param.name);
        if let Some(param) = command.params.iter().find(|param| demanded(param) && !param.comes_later()) {
            return Err(missing(command, param));
        }
        Ok(Self {
            command: command.clone(),
            args,
            room,
            times,
            reason: None,
            said: String::new(),
            others: Vec::new(),
            in_order: true,
        })
    }

    /// The parameter that an attached file fills: one that may come as a file and has no value yet.
    pub fn takes_file(&self) -> Option<&Param> {
        self.command.params.iter().find(|param| param.comes_later() && !self.args.contains_key(&param.name))
    }

    /// The parameter without which the command makes no sense, and whose text may come in a file or in further lines.
    pub fn awaits_text(&self) -> Option<&Param> {
        let demanded = |param: &&Param| self.command.demands(param, &self.args) && !self.args.contains_key(&param.name);
        self.command.params.iter().find(|param| demanded(param) && param.comes_later())
    }

    /// Gives a parameter the contents of a file, of a link, or of further lines; for a link it replaces the address.
    ///
    /// # Errors
    /// When there is no such parameter, or the text is not of its kind.
    pub fn fill(&mut self, param: &str, text: &str) -> Result<(), GrammarError> {
        let command = self.command.clone();
        let Some(param) = command.param(param) else {
            return Err(GrammarError::of(&command, Problem::NoSuchParam));
        };
        self.args.insert(param.name.clone(), accept(&command, param, text)?);
        if !command.is_secret() {
            self.said = self.line();
        }
        Ok(())
    }

    /// The link that stands in place of a program or a file. One that is not https is returned too: to be refused.
    pub fn link(&self) -> Option<Link> {
        let linked = self.command.params.iter().filter(|param| matches!(param.kind, Kind::Code | Kind::File));
        let mut links = linked.filter_map(|param| {
            let url = self.args.get(&param.name)?.trim();
            let scheme = url.split_once("://").map(|(scheme, _)| scheme)?;
            let one = matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "ftp" | "file")
                && !url.contains(char::is_whitespace);
            one.then(|| Link { param: param.name.clone(), url: url.to_owned() })
        });
        links.next()
    }

    /// Whether it is one line that can be told again as it was sent.
    pub fn is_short_line(&self) -> bool {
        let bytes = 1..=SAID_AGAIN_MAX_BYTES;
        !self.command.is_secret() && bytes.contains(&self.said.len()) && !self.said.contains(is_line_break)
    }

    /// Whether a secret text is among the values, so that the line has no place in a public channel.
    pub fn holds_secret(&self) -> bool {
        self.command.params.iter().any(|param| param.secret && self.args.contains_key(&param.name))
    }

    /// The rule that keeps such a text secret, where its command names one.
    pub fn secret_by(&self) -> Option<&str> {
        self.command.params.iter().filter(|param| param.secret).find_map(|param| param.secret_by.as_deref())
    }

    /// The whole as one line with every value named, which parses to the same. It holds the secrets.
    pub fn line(&self) -> String {
        self.written(self.reason.as_deref(), |_, value| value.to_owned())
    }

    /// Every way in which its words can be read.
    pub fn readings(&self) -> impl Iterator<Item = Self> {
        let others = self.others.iter().map(|(_, args)| args);
        std::iter::once(&self.args).chain(others).map(|args| self.with(args.clone()))
    }

    /// The same with other values.
    pub(super) fn with(&self, args: BTreeMap<String, String>) -> Self {
        Self { args, others: Vec::new(), in_order: true, ..self.clone() }
    }

    /// The line without its secrets.
    pub(super) fn redacted(&self) -> String {
        self.written(self.shown_reason(), |param, value| self.shown(param, value))
    }

    /// The reason as others may see it.
    pub(super) fn shown_reason(&self) -> Option<&str> {
        self.reason.as_deref().map(|reason| if self.command.is_secret() { KEPT_SECRET } else { reason })
    }

    /// A value as others may see it.
    pub(super) fn shown(&self, param: &Param, value: &str) -> String {
        // A program that strayed into a neighbouring parameter is as secret as in its own.
        let shown = !param.secret && (!self.command.is_secret() || quoted(value).is_some());
        if shown { value.to_owned() } else { KEPT_SECRET.to_owned() }
    }

    fn written(&self, reason: Option<&str>, shown: impl Fn(&Param, &str) -> String) -> String {
        let mut line = match &self.times {
            Times::Count(1) => String::new(),
            Times::Count(count) => format!("{count} times "),
            Times::Named(words) => format!("{words} times "),
        };
        line.push_str(&self.command.name);
        if let Some(room) = &self.room {
            line.push_str(&format!(" {ROOM_KEY}={}", quote(room)));
        }
        for param in &self.command.params {
            let Some(value) = self.args.get(&param.name) else { continue };
            let value = shown(param, value);
            if is_bare(&value) && !param.is_greedy() {
                line.push_str(&format!(" {}:{value}", param.name));
            } else {
                line.push_str(&format!(" {}={}", param.name, quote(&value)));
            }
        }
        if let Some(reason) = reason {
            line.push_str(&format!(" {BECAUSE} {reason}"));
        }
        line
    }
}

/// A secret value never reaches a log by way of `{:?}`.
impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed({})", self.redacted())
    }
}

/// A text without the line that ends it, where it was sent with one.
fn ended(param: &Param, text: &str) -> String {
    let last = text.trim_end().rsplit([';', '\n']).next().unwrap_or_default();
    let before = text.trim_end().strip_suffix(last).unwrap_or_default();
    if param.until.is_empty() || !closes(param, last) {
        return text.to_owned();
    }
    before.trim_end().trim_end_matches(';').trim_end().to_owned()
}

pub(super) fn missing(command: &Arc<Command>, param: &Param) -> GrammarError {
    let problem =
        Problem::Missing { param: param.name.to_uppercase(), help: param.help.clone(), file: param.comes_later() };
    GrammarError::of(command, problem)
}

/// What a player wrote, as prose without the marks of a command: where a text has those, the program names something to do.
fn unmarked(raw: &str) -> String {
    prose(raw).replace(MARKS, "")
}

/// The text of a value in the form in which it is kept, if it can be one.
pub(super) fn accept(command: &Arc<Command>, param: &Param, raw: &str) -> Result<String, GrammarError> {
    let text = match param.kind {
        Kind::Code | Kind::File => raw.to_owned(),
        // A title may need the joiners of its script; whatever is compared is folded first.
        Kind::Text | Kind::Word => unmarked(raw),
        Kind::Actions => ended(param, &unmarked(raw)),
        _ => raw.chars().filter(|char| !is_invisible(*char)).collect::<String>().trim().to_owned(),
    };
    let ill = |why: String| {
        // The sentence about a choice quotes what was typed instead, which may be a misplaced secret.
        let why = match param.kind {
            Kind::Choice if command.is_secret() => {
                format!("{} must be {}", param.name.to_uppercase(), one_of(&param.choices))
            }
            _ => why,
        };
        GrammarError::of(command, Problem::IllTyped { param: param.name.clone(), why })
    };
    if param.list {
        let words = split(&text);
        for word in &words {
            kind::read(param, word).map_err(ill)?;
        }
        return Ok(join(&words));
    }
    let value = kind::read(param, &text).map_err(ill)?;
    match (param.kind, value.as_str()) {
        (Kind::Choice | Kind::Name, Some(canonical)) => Ok(canonical.to_owned()),
        _ => Ok(text),
    }
}
