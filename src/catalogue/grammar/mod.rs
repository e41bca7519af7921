//! The text grammar: a message becomes the commands that it holds, each read or refused on its own.
//!
//! ```text
//! message  = command *( ( ";" / line break ) command )       a command that takes the rest of the text ends the list
//! command  = [ "@" room ] [ N "times" ] name [ "@" room ] *argument [ N "times" ]     N may be a name or a word: "A Few", "three"
//! argument = name ":" value / name "=" value / marker value / value
//! value    = word / quotation / somebody's name, as all words that are left or up to an amount
//! ```
//!
//! Capitals, stray punctuation at the end of words, a prefix before a later line and characters that nobody sees are
//! forgiven, and so are comments where the rules know such. A `name:` that the command does not have is text. In a command whose text is needed, a line break before the
//! text is a space; where the text can be left out, the next line belongs to it unless it begins with a command. Several actions in a message happen in the order written, and one that cannot be read does not
//! stop the others (4E7, B7.4), with one exception: after an unknown name that may have been meant to take the rest of
//! the text, nothing is read, since a program or a speech would otherwise be taken for commands. Where rules take actions by
//! letter, that holds only if nothing behind the unknown name is a command as a whole. A speech goes up to a line
//! “end text”, where there is one.
//!
//! What a value means is absent, and so is every condition.

mod asked;
mod closing;
mod count;
mod courtesies;
mod dependent;
mod english;
mod leaving;
mod near;
mod parting;
mod paying;
mod putting_off;
mod rooms;
mod steps;
mod values;
pub(crate) mod waits;
mod words;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc};

use asked::is_asked;
pub(super) use closing::closes;
use count::{skip_following, times};
pub(super) use putting_off::put_off;
use putting_off::{hinted, listed_in_vain, waits_of};
pub use rooms::Spoken;
pub(crate) use steps::TEXT_END_LINE;
use steps::seen;
pub(super) use steps::{Step, endless, steps};
use words::{Reader, Word};
pub(super) use words::{is_bare, join, quote, split};

use super::{
    Catalogue,
    clean::{folded, quoted, without_stops},
    error::{GrammarError, Problem},
    kind::{self, VALUE_MAX_WORDS},
    spec::{Command, Kind, Param, ROOM_KEY},
    typed::{Times, Typed, accept, is_short, missing},
};
use crate::service::port::LINE_MAX_BYTES;

/// Longest message that is read, in bytes: what adapters let through, checked again here for those that do not.
pub const MESSAGE_MAX_BYTES: usize = LINE_MAX_BYTES;

/// Most actions that one message may ask for, repetitions counted: each is decided and journalled by itself, and a room
/// must not be held by one line.
pub const MESSAGE_MAX_ACTIONS: u32 = 100;

/// Reads a message, its prefix already taken off; `files` says how many files came with it. A text that a file or further
/// lines may bring can be missing: see [`Typed::takes_file`] and [`Typed::awaits_text`]. A message without any word is an empty list.
pub fn parse(catalogue: &Catalogue, text: &str, files: usize) -> Vec<Result<Typed, GrammarError>> {
    parse_among(catalogue, &[], text, files)
}

/// The same where rooms of several games may be meant: a line that names one is read as it is said there, and what is said in
/// one of them only is taken for that.
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
    let letters = catalogue.takes_letters() || rooms.iter().any(|room| room.catalogue.takes_letters());
    let seen = seen(letters, text);
    let mut line = Line { rooms, ..Line::new(catalogue, Reader::new(text, &seen), files) };
    let mut out = Vec::new();
    // Where the next command stands behind what is none, once that is known.
    let mut acts_at = None;
    let mut left = MESSAGE_MAX_ACTIONS;
    // What the line above says of the one that is being read, where that may not be meant.
    let mut headed: Option<String> = None;
    // Where the list began that is being read: in the message, and in what was read.
    let mut list = (0, 0);
    loop {
        line.reader.skip_separators();
        if line.reader.peek().is_none() {
            return out;
        }
        let start = line.reader.at();
        let is_listed = line.again.is_some();
        if !is_listed {
            list = (start, out.len());
        }
        let read = line.among().and_then(|typed| match catalogue.takes_letters() {
            true if is_asked(&typed) => Err(GrammarError::of(&typed.command, Problem::Asked)),
            true if typed.command.action == english::LEAVE && headed.is_some() => {
                Err(GrammarError::of(&typed.command, Problem::Instead { word: headed.take() }))
            }
            _ => Ok(typed),
        });
        headed = None;
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
                // What is said behind the last of a list is said of all of it.
                if is_listed {
                    out.truncate(list.1);
                    if let Problem::Waits { instead, .. } = &mut error.problem {
                        *instead = None;
                        let mut end = line.reader;
                        end.skip_command();
                        error = hinted(error, end.seen_since(list.0));
                    }
                }
                // What says nothing of the act that stands behind it in its line is passed over, and told.
                if let Some((remark, behind)) = line.remark_before_act(start, &error) {
                    line.reader = line.reader.to(behind);
                    out.push(Err(GrammarError::new(Problem::Remark { said: sayable(remark) })));
                    continue;
                }
                if let Some(behind) = line.act_behind_refused(start, &error) {
                    line.reader = line.reader.to(behind);
                    out.push(Err(error));
                    continue;
                }
                let mut ends = ends_the_list(catalogue, &error);
                line.reader.skip_command();
                line.reader.skip_separators();
                let said = line.reader.since(start);
                headed = (error.command.is_none() && leaving::is_headed(said))
                    .then(|| sayable(said.trim().to_owned()))
                    .flatten();
                let carries = catalogue.takes_letters()
                    && match &error.command {
                        None => steps::carries(said),
                        // A time that cannot be read is none for what stands below it.
                        Some(command) => english::is_timed(command) && steps::heads(said),
                    };
                ends |= carries;
                if ends
                    && !carries
                    && (catalogue.takes_letters() || catalogue.takes_lists())
                    && is_prose(&error.problem, line.reader.since(start))
                {
                    let here = line.reader.at();
                    acts_at = acts_at.filter(|at| *at >= here).or_else(|| line.next_act());
                    ends = acts_at.is_none();
                }
                error.unread = ends && (error.command.is_none() || carries) && line.reader.peek().is_some();
                out.push(Err(error));
                if ends {
                    return out;
                }
            }
        }
    }
}

/// Whether a line that is no command is prose, which holds nothing of what stands below it: no word of it was misspelt, or
/// it is a short word that many begin a line with.
fn is_prose(problem: &Problem, said: &str) -> bool {
    match problem {
        Problem::Unsaid | Problem::Several { .. } => true,
        Problem::Unknown { nearest: None, .. } => true,
        // Nobody misspells the shortest names: “OK” is no “on”.
        Problem::Unknown { nearest: Some(near), .. } => {
            near.len() <= NAME_MISSPELT_MIN_BYTES && !said.contains(['"', ':'])
        }
        _ => false,
    }
}

/// Whether what follows may be the text of the command that failed.
fn ends_the_list(catalogue: &Catalogue, error: &GrammarError) -> bool {
    match (&error.command, &error.problem) {
        (Some(command), _) => command.rest().is_some(),
        (None, Problem::Unknown { nearest: Some(near), .. }) => {
            catalogue.get(near).is_some_and(|command| command.rest().is_some())
        }
        (None, Problem::Half { .. } | Problem::Times { .. } | Problem::WhichRoom { .. } | Problem::Vote { .. }) => {
            false
        }
        (None, _) => true,
    }
}

#[derive(Clone, Copy)]
struct Line<'c, 't> {
    catalogue: &'c Catalogue,
    /// The rooms that may be named or meant.
    rooms: &'c [Spoken],
    reader: Reader<'t>,
    files: usize,
    /// How many commands this one stands in.
    depth: usize,
    /// Whether what must be true may stand beside it.
    asserting: bool,
    /// Whether the next command stands in the same line, behind a full stop.
    parted: bool,
    /// Whether this one is said in a sentence, and not by its name.
    told: bool,
    /// The command that is meant again, with the next number of a list.
    again: Option<&'c Arc<Command>>,
}

/// What the arguments of a command amount to while they are read.
#[derive(Default)]
struct Found {
    args: BTreeMap<String, String>,
    room: Option<String>,
    times: Option<Times>,
}

impl<'c, 't> Line<'c, 't> {
    fn new(catalogue: &'c Catalogue, reader: Reader<'t>, files: usize) -> Self {
        Self {
            catalogue,
            rooms: &[],
            reader,
            files,
            depth: 0,
            asserting: false,
            parted: false,
            told: false,
            again: None,
        }
    }

    fn command(&mut self) -> Result<Typed, GrammarError> {
        let start = self.reader.at();
        self.parted = false;
        if let Some(command) = self.again.take() {
            return self.once_more(command);
        }
        self.skip_greeting();
        self.prefix();
        let mut found = Found { room: self.at_room()?, ..Found::default() };
        self.as_in(found.room.as_deref());
        let mut ahead = self.reader;
        let following = self.catalogue.takes_letters() && skip_following(&mut ahead);
        found.times = times(&mut ahead).map_err(GrammarError::new)?;
        if found.times.is_some() {
            ahead.skip_space(false);
            ahead.eat(',');
            ahead.skip_space(false);
            let following = (self.catalogue.takes_letters() && skip_following(&mut ahead)) || following;
            let _ = ahead.eat(':');
            ahead.skip_space(false);
            // What stands in other lines may be meant as well, or not.
            if self.catalogue.takes_letters() && (ahead.at_stop() || (following && ahead.is_followed())) {
                return Err(GrammarError::new(Problem::Repeats));
            }
            self.reader = ahead;
            self.prefix();
            if found.room.is_none() {
                found.room = self.at_room()?;
                self.as_in(found.room.as_deref());
            }
        }
        let command = self.said()?;
        self.arguments(&command, &mut found).map_err(|error| {
            let mut end = self.reader;
            end.skip_command();
            let error = GrammarError { command: Some(command.clone()), ..error };
            hinted(error, end.seen_since(start))
        })?;
        if self.repeats_behind(&command) {
            return Err(GrammarError::of(&command, Problem::Repeats));
        }
        if let Some((said, behind)) = self.waits_behind(&command) {
            let error = GrammarError::of(&command, waits_of(said));
            let error = hinted(error, &format!("{} {said}", self.reader.seen_since(start).trim()));
            // It is no action of its own.
            self.reader = self.reader.to(behind);
            return Err(error);
        }
        if let Some((below, end)) = self.said_below(&command) {
            self.reader = self.reader.to(end);
            let word = sayable(without_stops(&below).to_owned());
            return Err(GrammarError::of(&command, Problem::Instead { word }));
        }
        let times = found.times.unwrap_or(Times::Count(1));
        let mut typed = Typed::new(&command, found.args, found.room, times)?;
        (typed.swallows, typed.sentences) = self.swallowed(&typed, start);
        let said = self.reader.since(start).trim();
        typed.said = match self.again {
            _ if command.is_secret() => typed.redacted(),
            Some(_) => said.trim_end_matches(',').to_owned(),
            None => said.to_owned(),
        };
        if self.again.is_some()
            && let Some(error) = listed_in_vain(&typed)
        {
            self.again = None;
            return Err(error);
        }
        Ok(typed)
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
    fn at_room(&mut self) -> Result<Option<String>, GrammarError> {
        let mut ahead = self.reader;
        ahead.skip_space(false);
        if !ahead.eat('@') || ahead.at_stop() || ahead.peek().is_some_and(char::is_whitespace) {
            return Ok(None);
        }
        let word = ahead.word().map_err(|_| GrammarError::new(Problem::OpenQuote))?;
        self.reader = ahead;
        self.reader.skip_space(false);
        Ok(word.map(|word| if word.quoted { word.text } else { without_stops(&word.text).to_owned() }))
    }

    /// The command that comes next, by its longest name.
    fn name(&mut self) -> Result<Arc<Command>, GrammarError> {
        let open = |_| GrammarError::new(Problem::OpenQuote);
        let mut behind = self.reader;
        let first = behind.word().map_err(open)?.map(|word| word.text).unwrap_or_default();
        if let Some(command) = self.known() {
            return Ok(command);
        }
        self.reader = behind;
        let second = behind.bare();
        let (one, two) = (folded(without_stops(&first)), second.as_deref().map(|word| folded(without_stops(word))));
        Err(GrammarError::new(self.unknown(&one, two.as_deref())))
    }

    /// The same, where one comes next.
    fn known(&mut self) -> Option<Arc<Command>> {
        let mut ahead = self.reader;
        let one = folded(without_stops(&ahead.word().ok()??.text));
        let mut behind = ahead;
        let both = behind.bare().and_then(|two| self.catalogue.get(&format!("{one} {}", folded(without_stops(&two)))));
        let (command, after) = match both {
            Some(command) => (command, behind),
            None => (self.catalogue.get(&one)?, ahead),
        };
        self.reader = after;
        Some(command.clone())
    }

    fn arguments(&mut self, command: &Arc<Command>, found: &mut Found) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        self.pays(command, found);
        loop {
            let before = self.reader;
            self.reader.skip_space(self.breaks_are_spaces(command, found));
            let next = command.places().find(|param| !found.args.contains_key(&param.name));
            if next.is_some_and(|param| param.kind == Kind::Actions) {
                self.reader.skip_separators();
            }
            let text = next.filter(|param| param.rest && matches!(param.kind, Kind::Text | Kind::Code));
            let commented = !self.reader.since(before.at()).trim().is_empty();
            // What has no effect in a text is kept with it.
            let begins = if commented { before } else { self.reader };
            if self.reader.at_stop() && !(commented && text.is_some_and(|text| command.demands(text, &found.args))) {
                let Some(below) = self.text_below(command, found) else { return Ok(()) };
                self.reader = below;
            }
            // A program or a speech may hold such a word; nothing else begins with it.
            let place = self.place(command, found);
            // A room that stands behind the break is that of the first command that this one holds.
            let holds = next.is_some_and(|param| param.kind == Kind::Actions);
            if (found.args.is_empty() || place.is_none_or(|param| !param.rest))
                && !(holds && self.reader.since(before.at()).contains(['\n', ';']))
                && let Some(room) = self.at_room()?
            {
                if found.room.replace(room).is_some() {
                    return Err(fail(Problem::Twice { param: ROOM_KEY.to_owned() }));
                }
                continue;
            }
            if self.parted || self.parts(command, found) {
                return Ok(());
            }
            if let Some((key, sign)) = self.reader.key(|key| key == ROOM_KEY || command.param(key).is_some()) {
                self.named(command, found, &key, sign)?;
                continue;
            }
            if let Some(param) = marked(&mut self.reader, command, found) {
                self.take(command, found, param)?;
                continue;
            }
            if let Some(times) = self.times_at_end(command).map_err(fail)? {
                if found.times.replace(times).is_some() {
                    return Err(fail(Problem::Twice { param: "the number of times".to_owned() }));
                }
                continue;
            }
            if place.is_none_or(|param| !param.rest) && self.only_stops() {
                continue;
            }
            match place {
                Some(param) if self.guesses_title(command, param, found) => return Err(fail(Problem::Untitled)),
                Some(param) if unquoted(command, param, { self.reader }.rest()) => {
                    let word = self.reader.word().map_err(|_| fail(Problem::OpenQuote))?;
                    let word = word.and_then(|word| sayable(word.text));
                    return Err(fail(Problem::Unquoted { word }));
                }
                Some(param) => {
                    self.reader = if text.is_some_and(|text| text.name == param.name) { begins } else { self.reader };
                    self.take(command, found, param)?;
                }
                None if self.lists(command, found) => {
                    (self.again, self.parted) = (self.catalogue.get(&command.name), true);
                    return Ok(());
                }
                None => {
                    if let Some(said) = self.waits_here(command) {
                        return Err(fail(waits_of(said)));
                    }
                    if self.skip_remark(command).map_err(fail)? || self.skip_how(command) {
                        continue;
                    }
                    let word = self.reader.word().map_err(|_| fail(Problem::OpenQuote))?;
                    let shown = word.filter(|_| !command.is_secret()).and_then(|word| sayable(word.text));
                    return Err(fail(Problem::Extra { word: shown }));
                }
            }
        }
    }

    /// The parameter that stands next: the first without a value, unless it can be left out and the next word is none.
    fn place<'p>(&self, command: &'p Command, found: &Found) -> Option<&'p Param> {
        let mut open = command.places().filter(|param| !found.args.contains_key(&param.name));
        let first = open.next()?;
        let fits = |param: &Param| {
            let word = { self.reader }.word().ok().flatten();
            word.is_some_and(|word| match param.kind {
                // Any word could be a name, so that here a name stands in quotation marks.
                Kind::Proposal => word.quoted || kind::numbered(without_stops(&word.text)).is_some(),
                _ => kind::read(param, without_stops(&word.text)).is_ok(),
            })
        };
        if (first.skippable && !fits(first)) || self.comes_later(first) {
            open.next().or(Some(first))
        } else {
            Some(first)
        }
    }

    /// Whether the text of a command is still to come and nothing else can bring it.
    fn breaks_are_spaces(&self, command: &Command, found: &Found) -> bool {
        command.rest().is_some_and(|rest| {
            command.demands(rest, &found.args) && !found.args.contains_key(&rest.name) && !(rest.file && self.files > 0)
        })
    }

    /// Where the text of a command begins in a later line: the text is all that is still to come, and what stands there is
    /// no command.
    fn text_below(&self, command: &Command, found: &Found) -> Option<Reader<'t>> {
        let next = command.places().find(|param| !found.args.contains_key(&param.name))?;
        if !next.rest || next.marker.is_some() || (next.file && self.files > 0) || self.reader.peek() == Some(';') {
            return None;
        }
        let mut below = Line { files: 0, ..*self };
        below.reader.skip_space(true);
        let start = below.reader;
        if start.at_stop() {
            return None;
        }
        (!below.begins_command()).then_some(start)
    }

    /// Whether a command begins here.
    fn begins_command(&mut self) -> bool {
        self.prefix();
        // A number that is written out begins prose as well: “Two times two is four”.
        let written = count::is_written(self.reader);
        let _ = written && times(&mut self.reader).is_ok();
        self.at_room().is_err() || !matches!(times(&mut self.reader), Ok(None)) || self.name().is_ok()
    }

    fn named(&mut self, command: &Arc<Command>, found: &mut Found, key: &str, sign: char) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        let twice = || fail(Problem::Twice { param: key.to_owned() });
        let Some(param) = command.param(key) else {
            let word = self.reader.word().map_err(|_| fail(Problem::OpenQuote))?;
            let Some(word) = word else { return Ok(()) };
            let name = if word.quoted { word.text } else { without_stops(&word.text).to_owned() };
            return if found.room.replace(name).is_some() { Err(twice()) } else { Ok(()) };
        };
        if found.args.contains_key(key) {
            return Err(twice());
        }
        let attached = self.reader.peek().is_some_and(|char| !char.is_whitespace());
        self.reader.skip_space(param.rest);
        let mut ahead = self.reader;
        if !attached && !param.rest && ahead.key(|key| command.param(key).is_some()).is_some() {
            return Err(missing(command, param));
        }
        if self.reader.at_stop() && !(param.rest && self.reader.peek().is_some()) {
            return Err(missing(command, param));
        }
        let value = if param.rest {
            self.named_rest(command, sign).map_err(fail)?
        } else if param.list && self.reader.at_quote() {
            self.one_word().map_err(fail)?
        } else {
            self.value(command, found, param).map_err(fail)?
        };
        if value.is_empty() {
            return Err(missing(command, param));
        }
        found.args.insert(param.name.clone(), accept(command, param, &value)?);
        Ok(())
    }

    /// The rest of the message, or a quotation if the writer ended the text with one.
    fn named_rest(&mut self, command: &Command, sign: char) -> Result<String, Problem> {
        if self.reader.at_quote() {
            let mut ahead = self.reader;
            match ahead.word() {
                Ok(Some(word)) => {
                    let mut after = ahead;
                    after.skip_space(false);
                    let closed = after.at_stop() || after.key(|key| command.param(key).is_some()).is_some();
                    if sign == '=' || closed {
                        self.reader = ahead;
                        return Ok(word.text);
                    }
                }
                _ if sign == '=' => return Err(Problem::OpenQuote),
                _ => {}
            }
        }
        Ok(self.reader.rest().trim().to_owned())
    }

    /// Reads the value of a parameter that was not named.
    fn take(&mut self, command: &Arc<Command>, found: &mut Found, param: &Param) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        let value = if param.kind == Kind::Actions {
            self.actions(param).map_err(fail)?
        } else if param.rest {
            if !command.demands(param, &found.args) && self.skip_how(command) && self.reader.at_stop() {
                return Ok(());
            }
            if let Some(quoted) = self.short_quotation(param) {
                found.args.insert(param.name.clone(), accept(command, param, &quoted)?);
                return Ok(());
            }
            let text = if param.kind == Kind::Text { self.text() } else { self.reader.rest() };
            let mut text = text.trim();
            if is_short(param) && self.catalogue.takes_letters() && dependent::announces(command) {
                text = dependent::bare(text);
            }
            if param.kind == Kind::Code
                && let Some((before, late, value)) = marked_at_end(command, found, text)
            {
                found.args.insert(late.name.clone(), accept(command, late, value)?);
                text = before;
            }
            // A marker with nothing after it announces a text that never came.
            if param.marker.as_deref().is_some_and(|marker| folded(without_stops(text)) == marker) {
                return Err(missing(command, param));
            }
            text.to_owned()
        } else {
            let marked = self.reader.at_quote();
            let value = self.value(command, found, param).map_err(fail)?;
            if param.kind == Kind::Name && !marked && self.catalogue.takes_letters() && waits::is_no_name(&value) {
                return Err(fail(Problem::NoName { word: sayable(value) }));
            }
            value
        };
        found.args.insert(param.name.clone(), accept(command, param, &value)?);
        Ok(())
    }

    /// Goes over a word that is punctuation only.
    fn only_stops(&mut self) -> bool {
        let mut ahead = self.reader;
        let stops = ahead.bare().is_some_and(|text| without_stops(&text).is_empty());
        if stops {
            self.reader = ahead;
        }
        stops
    }

    /// `3 times` at the end of a command that takes no text.
    fn times_at_end(&mut self, command: &Command) -> Result<Option<Times>, Problem> {
        if command.rest().is_some() {
            return Ok(None);
        }
        let mut ahead = self.reader;
        let read = times(&mut ahead);
        if !matches!(read, Ok(None)) && ends(&mut ahead) {
            self.reader = ahead;
            return read;
        }
        Ok(None)
    }
}

/// Names shorter than that come near to any short word, in bytes.
const NAME_MISSPELT_MIN_BYTES: usize = 3;

/// The marker of reasons.
const BECAUSE: &str = "because";

/// A parameter whose marker comes next.
fn marked<'p>(reader: &mut Reader<'_>, command: &'p Command, found: &Found) -> Option<&'p Param> {
    let free = command.params.iter().filter(|param| !found.args.contains_key(&param.name));
    let mut marked = free.filter_map(|param| Some((param, param.marker.as_deref()?)));
    let (param, marker) = marked.find(|(_, marker)| reader.phrase(marker))?;
    if marker == BECAUSE {
        // "because of the flood" gives the flood as the reason.
        reader.phrase("of");
    }
    Some(param)
}

/// Whether a text that nothing announced is the rest of the word before it: its marker comes later, as in `to AI,
/// Motherboard because it fell`.
fn unquoted(command: &Command, param: &Param, text: &str) -> bool {
    let Some(marker) = param.marker.as_deref().filter(|_| param.rest && !command.is_secret()) else { return false };
    let before = command.places().take_while(|other| other.name != param.name).last();
    let one_word = before.is_some_and(|before| matches!(before.kind, Kind::Word));
    one_word && text.split_whitespace().skip(1).any(|word| folded(word) == marker)
}

/// A word that an error may hold, since a sentence may repeat it.
fn sayable(word: String) -> Option<String> {
    quoted(&word).map(|_| word)
}

fn bare_text(word: Word) -> String {
    let stripped = without_stops(&word.text);
    if word.quoted || stripped.is_empty() { word.text } else { stripped.to_owned() }
}

fn ends(reader: &mut Reader<'_>) -> bool {
    reader.skip_space(false);
    reader.at_stop()
}

/// `>+[-] against joust3`: a marker and one word at the very end of a program, where they would be a comment.
fn marked_at_end<'p, 't>(command: &'p Command, found: &Found, text: &'t str) -> Option<(&'t str, &'p Param, &'t str)> {
    let (before, value) = text.rsplit_once(char::is_whitespace)?;
    let (before, marker) = before.trim_end().rsplit_once(char::is_whitespace)?;
    let mut free = command.params.iter().filter(|param| !param.rest && !found.args.contains_key(&param.name));
    let param = free.find(|param| param.marker.as_deref() == Some(folded(marker).as_str()))?;
    Some((before.trim_end(), param, without_stops(value)))
}
