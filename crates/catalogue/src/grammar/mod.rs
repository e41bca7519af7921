//! The text grammar: a message becomes the commands that it holds, each read as a whole or refused as a whole.
//!
//! ```text
//! message     = item *( ( ";" / line break ) item )
//! item        = [ "@" room ] [ "as" NAME ":" ] [ "I" ] ( transaction / later / repeated )
//! later       = "at" TIME ":" repeated *( ";" repeated )      to the end of the line
//! repeated    = [ COUNT "times" ] command
//! transaction = "begin transaction" sep *( ( assert / later / repeated ) sep ) "end transaction"
//! command     = name *( key ":" value / marker value / value / "@" room ) ( [ REASON ] / TEXT )
//! REASON      = "because" WORDS     to the end of the line; ";" belongs to it
//! TEXT        = to a line “end text”, or one between ";"; without it to the end of the message
//! ```
//!
//! Capitals, typographic quotation marks, blanks and a prefix are forgiven. So are a full stop at the very end of a
//! command without a text, and the order of values whose kinds differ. Comments are blanks where the rules know such
//! (B5.2). Nothing else is: what is left over refuses its command. A refused command does not stop the others (B7.4).
//! Behind an unknown name nothing more is read, since a text whose first word is misspelt must not act.
//!
//! What a value means is read in `bind`; conditions are the game's.

mod args;
mod near;
mod rooms;
mod steps;
mod text;
mod words;

#[cfg(test)]
mod tests;

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

pub use rooms::Spoken;
pub(super) use steps::{Step, steps};
use words::{Reader, is_line};
pub use words::{closes, ends_text, reason_behind};
pub(super) use words::{is_bare, join, quote, split};

use super::{
    Catalogue,
    clean::{folded, quoted, without_stop},
    error::{GrammarError, Problem},
    kind::VALUE_MAX_WORDS,
    spec::{BECAUSE, Command, Kind, Param, ROOM_KEY},
    typed::{MESSAGE_MAX_ACTIONS, Times, Typed, accept, missing},
};
use kernel::{Num, own_command::OwnCommand, rulebook::source::blanked};
use port::{LINE_MAX_BYTES, TEXT_END};

/// Longest message that is read, in bytes: what adapters let through, checked again here for those that do not.
pub const MESSAGE_MAX_BYTES: usize = LINE_MAX_BYTES;

/// Most words of a name: `withdraw from the game`.
const NAME_MAX_WORDS: usize = 5;

/// Reads a message, its prefix already taken off; `files` says how many files came with it. A text that a file or further
/// lines may bring can be missing: see [`Typed::takes_file`] and [`Typed::awaits_text`]. A message without any word is an empty list.
pub fn parse(catalogue: &Catalogue, text: &str, files: usize) -> Vec<Result<Typed, GrammarError>> {
    parse_among(catalogue, &[], text, files)
}

/// The same where rooms of several games may be meant. A line that names one is read as it is said there. What is said
/// in one of them only is taken for that.
pub fn parse_among(
    catalogue: &Catalogue,
    rooms: &[Spoken],
    text: &str,
    files: usize,
) -> Vec<Result<Typed, GrammarError>> {
    if text.len() > MESSAGE_MAX_BYTES {
        let problem = Problem::TooLong { bytes: text.len(), max_bytes: MESSAGE_MAX_BYTES };
        return vec![Err(GrammarError::new(problem))];
    }
    let comments = catalogue.knows_comments() || rooms.iter().any(|room| room.catalogue.knows_comments());
    let seen = seen(comments, text);
    let mut line = Line { rooms, ..Line::new(catalogue, Reader::new(text, &seen), files) };
    let mut out = Vec::new();
    let mut left = MESSAGE_MAX_ACTIONS;
    loop {
        line.reader.skip_separators();
        if line.reader.peek().is_none() {
            return out;
        }
        let read = line.among();
        // What a name stands for only the room knows, which counts it again.
        let times = match &read {
            Ok(Typed { times: Times::Count(count), .. }) => *count,
            _ => 1,
        };
        let Some(still) = left.checked_sub(times) else {
            out.push(Err(GrammarError::new(Problem::TooMany { max: MESSAGE_MAX_ACTIONS })));
            return out;
        };
        left = still;
        match read {
            Ok(typed) => {
                line.files = line.files.saturating_sub(usize::from(typed.takes_file().is_some()));
                out.push(Ok(typed));
            }
            Err(mut error) => {
                let ends = line.lost;
                line.reader.skip_separators();
                error.unread |= ends && line.reader.peek().is_some();
                out.push(Err(error));
                if ends {
                    return out;
                }
            }
        }
    }
}

/// A message as it is read: with blanks for what has no effect in it, where the rules know such (4E5, B5.2).
fn seen(comments: bool, text: &str) -> Cow<'_, str> {
    if comments { blanked(text).into() } else { text.into() }
}

#[derive(Clone, Copy)]
struct Line<'c, 't> {
    catalogue: &'c Catalogue,
    /// The rooms that may be named or meant.
    rooms: &'c [Spoken],
    reader: Reader<'t>,
    files: usize,
    /// Whether nothing more can be read behind what was refused.
    lost: bool,
}

/// What the arguments of a command amount to while they are read.
#[derive(Default)]
struct Found {
    args: BTreeMap<String, String>,
    /// Other ways to read the same words, and whether each keeps the order of the usage line.
    others: Vec<(bool, BTreeMap<String, String>)>,
    /// Whether the first way keeps that order.
    in_order: bool,
    room: Option<String>,
    reason: Option<String>,
}

impl<'c, 't> Line<'c, 't> {
    fn new(catalogue: &'c Catalogue, reader: Reader<'t>, files: usize) -> Self {
        Self { catalogue, rooms: &[], reader, files, lost: false }
    }

    /// The command that comes next. The position is then at its end, whatever becomes of it.
    fn command(&mut self) -> Result<Typed, GrammarError> {
        let start = self.reader.at();
        self.lost = false;
        self.prefix();
        let mut found = Found { in_order: true, ..Found::default() };
        if let Err(open) = self.at_room(&mut found) {
            return Err(self.gives_up(open));
        }
        self.as_in(found.room.as_deref());
        let speaks_for = self.speaks_for();
        self.skip_i();
        let times = self.times();
        self.prefix();
        let command = match self.name() {
            Ok(command) => command,
            Err(error) => return Err(self.gives_up(error)),
        };
        let begun = self.reader;
        if let Err(error) = self.arguments(&command, &mut found) {
            self.reader = begun;
            let end = self.skip_arguments(&command);
            let unread = self.reader.to(end.unwrap_or(begun.at())).goes_on();
            // What may be the text of a command that failed is no command.
            return Err(GrammarError { command: Some(command), unread: end.is_some() && unread, ..error });
        }
        if let Some(name) = speaks_for {
            let Some(param) = command.param(OwnCommand::AS).filter(|_| command.own) else {
                return Err(GrammarError::of(&command, Problem::SpeaksForItself));
            };
            let name = accept(&command, param, &name)?;
            if found.args.insert(param.name.clone(), name.clone()).is_some() {
                return Err(GrammarError::of(&command, Problem::Twice { param: param.name.clone() }));
            }
            found.others.iter_mut().for_each(|(_, args)| drop(args.insert(param.name.clone(), name.clone())));
        }
        let times = times.map_err(|problem| GrammarError::of(&command, problem))?;
        let mut typed = Typed::new(&command, found.args, found.room, times)?;
        (typed.others, typed.in_order, typed.reason) = (found.others, found.in_order, found.reason);
        typed.said = match command.is_secret() {
            true => typed.redacted(),
            false => self.reader.since(start).trim().to_owned(),
        };
        Ok(typed)
    }

    /// What is wrong, where nobody knows what the rest of the message would be.
    fn gives_up(&mut self, error: GrammarError) -> GrammarError {
        self.lost = true;
        error
    }

    /// Goes over the prefix that a player puts before every line, although only the first one needs it.
    fn prefix(&mut self) {
        let mut ahead = self.reader;
        if (ahead.eat('!') || ahead.eat('/')) && ahead.peek().is_some_and(|char| char.is_alphanumeric() || char == '@')
        {
            self.reader = ahead;
        }
    }

    /// `@main`, `@"the main room"`.
    fn at_room(&mut self, found: &mut Found) -> Result<(), GrammarError> {
        let mut ahead = self.reader;
        ahead.skip_space(false);
        if !ahead.eat('@') || ahead.at_stop() || ahead.peek().is_some_and(char::is_whitespace) {
            return Ok(());
        }
        let word = ahead.word().map_err(|_| GrammarError::new(Problem::OpenQuote))?;
        self.reader = ahead;
        self.reader.skip_space(false);
        found.room = word.map(|word| if word.quoted { word.text } else { without_stop(&word.text).to_owned() });
        Ok(())
    }

    /// `as Acme:`, `as "The Firm":`: in whose name the command is said, if that is what comes next.
    fn speaks_for(&mut self) -> Option<String> {
        let (mut ahead, mut words) = (self.reader, Vec::new());
        ahead.bare().filter(|word| folded(word) == OwnCommand::AS)?;
        while words.len() < VALUE_MAX_WORDS
            && let Some(word) = ahead.word().ok()?
        {
            let name = word.text.strip_suffix(':').filter(|_| !word.quoted).map(str::to_owned);
            let ends = name.is_some() || (word.quoted && ahead.eat(':'));
            words.push(name.unwrap_or(word.text));
            if ends {
                self.reader = ahead;
                self.reader.skip_space(false);
                return Some(words.join(" "));
            }
        }
        None
    }

    /// Goes over the “I” of a sentence.
    fn skip_i(&mut self) {
        let mut ahead = self.reader;
        if ahead.bare().is_some_and(|word| folded(&word) == "i") {
            ahead.skip_space(false);
            if !ahead.at_stop() {
                self.reader = ahead;
            }
        }
    }

    /// `3 times`, `A Few times`: how often, if that is what comes next. Nothing but a whole number from 1 up is a number of
    /// times (4E7, B7.5); what a name stands for only a room knows.
    fn times(&mut self) -> Result<Times, Problem> {
        let (mut ahead, mut words) = (self.reader, Vec::new());
        while words.len() <= VALUE_MAX_WORDS
            && let Some(word) = ahead.bare()
        {
            if folded(&word) != "times" {
                words.push(word);
                continue;
            }
            let number = match &words[..] {
                [only] => only.parse::<Num>().ok(),
                [article, ..] if is_article(article) => {
                    self.reader = ahead;
                    self.reader.skip_space(false);
                    return Ok(Times::Named(words.join(" ")));
                }
                _ => None,
            };
            let Some(number) = number else { break };
            self.reader = ahead;
            self.reader.skip_space(false);
            let times = number.to_u64().and_then(|times| u32::try_from(times).ok());
            let times = times.filter(|times| (1..=MESSAGE_MAX_ACTIONS).contains(times));
            return times.map(Times::Count).ok_or(Problem::Times { max: MESSAGE_MAX_ACTIONS });
        }
        Ok(Times::Count(1))
    }

    /// The command that comes next, by its longest name.
    fn name(&mut self) -> Result<Arc<Command>, GrammarError> {
        let (mut ahead, mut said, mut found) = (self.reader, String::new(), None);
        for _ in 0..NAME_MAX_WORDS {
            let Some(word) = ahead.bare() else { break };
            let word = folded(&word);
            let is_last = { ahead }.at_end();
            let bare = if is_last { without_stop(&word) } else { &word };
            said = if said.is_empty() { bare.to_owned() } else { format!("{said} {bare}") };
            found = match self.catalogue.named(&said) {
                [] => found,
                // What one game calls so by name, another may call so as well.
                named => match named.iter().position(|command| command.name == said) {
                    Some(at) => Some((&named[at..=at], ahead)),
                    None => Some((named, ahead)),
                },
            };
        }
        match found {
            Some(([only], after)) => {
                self.reader = after;
                Ok(only.clone())
            }
            Some((several, after)) => {
                let word = self.reader.to(after.at()).since(self.reader.at()).trim().to_owned();
                let names = several.iter().map(|command| command.name.clone()).collect();
                Err(GrammarError::new(Problem::Several { word, names }))
            }
            None => {
                let mut ahead = self.reader;
                let one = ahead.word().map_err(|_| GrammarError::new(Problem::OpenQuote))?;
                let quoted = one.as_ref().is_some_and(|word| word.quoted);
                let one = one.map(|word| folded(without_stop(&word.text))).unwrap_or_default();
                let two = { ahead }.bare().map(|word| folded(without_stop(&word)));
                self.reader = ahead;
                let _ = self.reader.skip_command();
                if quoted && !self.catalogue.named(&one).is_empty() {
                    return Err(GrammarError::new(Problem::Quoted { name: one }));
                }
                Err(GrammarError::new(self.unknown(&one, two.as_deref())))
            }
        }
    }

    /// Whether a command begins here.
    fn begins_command(mut self) -> bool {
        self.prefix();
        let _ = self.at_room(&mut Found::default());
        let _ = self.speaks_for();
        self.skip_i();
        self.times().is_err() || self.name().is_ok()
    }
}

/// Whether a word can begin the name of a number (4E30).
fn is_article(word: &str) -> bool {
    ["a", "an"].contains(&&*folded(word))
}

/// A word that an error may hold, since a sentence may repeat it.
fn sayable(word: String) -> Option<String> {
    quoted(&word).map(|_| word)
}
