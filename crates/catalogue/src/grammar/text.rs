//! Commands that take a text or other commands: the values before it, and how far it goes.
//!
//! Values before a text stand in the order of the usage line, since nothing else tells where the text begins.

use std::sync::Arc;

use super::{
    BECAUSE, Command, Found, GrammarError, Kind, Line, Param, Problem, ROOM_KEY, TEXT_END, VALUE_MAX_WORDS, accept,
    folded, is_line, missing,
    words::{Reader, is_name},
};
use crate::{
    clean::{is_line_break, without_stop},
    kind,
};

impl<'t> Line<'_, 't> {
    /// Reads what stands behind the name of a command.
    pub(super) fn arguments(&mut self, command: &Arc<Command>, found: &mut Found) -> Result<(), GrammarError> {
        match open_text(command) {
            Some(_) => self.up_to_text(command, found),
            None => self.values(command, found),
        }
    }

    /// Goes over what stands behind the name of a command that was refused: to the end of what could be its text. Where it
    /// has one, the end of its first line.
    pub(super) fn skip_arguments(&mut self, command: &Arc<Command>) -> Option<usize> {
        let Some(text) = open_text(command) else {
            self.skip_words();
            return None;
        };
        let mut line = self.reader;
        line.skip_line();
        match text.kind {
            Kind::Actions => {
                self.skip_actions(text, None);
                self.skip_words();
            }
            Kind::Text => {
                let _ = self.text();
            }
            _ => {
                let _ = self.reader.rest();
            }
        }
        Some(line.at().min(self.reader.at()))
    }

    fn up_to_text(&mut self, command: &Arc<Command>, found: &mut Found) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        loop {
            let before = self.reader;
            self.reader.skip_space(self.awaits(command, found));
            let next = command.places().find(|param| !found.args.contains_key(&param.name));
            if next.is_some_and(|param| param.kind == Kind::Actions && !param.until.is_empty()) {
                self.reader.skip_separators();
            }
            if self.tail(command, found)? {
                return Ok(());
            }
            if self.reader.at_stop() {
                let commented = next.is_some_and(|text| text.rest && command.demands(text, &found.args))
                    && !self.reader.since(before.at()).trim().is_empty();
                match self.text_below(command, found).filter(|_| !commented) {
                    Some(below) => self.reader = below,
                    None if commented && self.reader.peek().is_none() => self.reader = before,
                    None => return Ok(()),
                }
            }
            let here = self.reader;
            let is_text = next.is_some_and(|param| param.rest);
            if (found.args.is_empty() || !is_text) && found.room.is_none() {
                self.at_room(found)?;
                if self.reader.at() > here.at() {
                    continue;
                }
            }
            if let Some((key, sign)) = self.reader.key(|key| key == ROOM_KEY || command.param(key).is_some()) {
                self.named(command, found, &key, sign)?;
                continue;
            }
            let mut free = command.params.iter().filter(|param| !found.args.contains_key(&param.name));
            let marked = free.find(|param| param.marker.as_deref().is_some_and(|marker| self.reader.phrase(marker)));
            let Some(param) = marked.or_else(|| self.place(command, found)) else {
                let word = self.reader.word().map_err(|_| fail(Problem::OpenQuote))?;
                let shown = word.filter(|_| !command.is_secret()).and_then(|word| super::sayable(word.text));
                return Err(fail(Problem::Extra { word: shown, at: found.args.len() + 1 }));
            };
            if param.rest {
                // What has no effect in a text is kept with it.
                let commented =
                    matches!(param.kind, Kind::Text | Kind::Code) && !here.since(before.at()).trim().is_empty();
                self.reader = if commented { before } else { self.reader };
                return self.take_rest(command, found, param);
            }
            let value = match param.kind {
                Kind::When => self.occasion(command, param)?,
                _ => self.longest(command, param)?,
            };
            found.args.insert(param.name.clone(), value);
            // A quotation ends with its mark, and a blank comes behind it.
            let is_apart = self.reader.at_stop() || self.reader.peek().is_none_or(char::is_whitespace);
            if self.reader.since(here.at()).ends_with(['"', '\u{201d}']) && !is_apart {
                return Err(fail(Problem::Extra { word: None, at: found.args.len() + 1 }));
            }
        }
    }

    /// Reads the reason that stands behind the values of a command, and behind what ends its text.
    fn tail(&mut self, command: &Arc<Command>, found: &mut Found) -> Result<bool, GrammarError> {
        let mut ahead = self.reader;
        let given = command.rest().is_none_or(|rest| found.args.contains_key(&rest.name) || !rest.is_text(&found.args));
        if !given || !command.takes_reason() || ahead.bare().is_none_or(|word| folded(&word) != BECAUSE) {
            return Ok(false);
        }
        self.reader = ahead;
        let reason = self.reason();
        if reason.is_empty() {
            return Err(GrammarError::of(command, Problem::NoReason));
        }
        found.reason = Some(reason);
        Ok(true)
    }

    /// Words that are no text, up to the reason or the end of the command.
    fn short_words(&mut self) -> Result<String, Problem> {
        let (mut words, mut ahead) = (Vec::new(), self.reader);
        while let Some(word) = ahead.word().map_err(|_| Problem::OpenQuote)? {
            if !word.quoted && folded(&word.text) == BECAUSE {
                break;
            }
            words.push(word.text);
            self.reader = ahead;
        }
        Ok(without_stop(&words.join(" ")).to_owned())
    }

    /// Whether the text of a command is still to come and nothing else can bring it.
    fn awaits(&self, command: &Command, found: &Found) -> bool {
        command.rest().is_some_and(|rest| {
            let given = found.args.contains_key(&rest.name) || (rest.comes_later() && self.files > 0);
            let at_once = rest.kind == Kind::Actions && rest.until.is_empty();
            command.demands(rest, &found.args) && !given && !at_once
        })
    }

    /// The parameter that stands next: the first without a value, unless it can be left out and the next word is none.
    fn place<'p>(&self, command: &'p Arc<Command>, found: &Found) -> Option<&'p Param> {
        let mut open = command.places().filter(|param| !found.args.contains_key(&param.name));
        let first = open.next()?;
        let fits = |param: &Param| {
            let word = { self.reader }.word().ok().flatten();
            word.is_some_and(|word| word.quoted || kind::read(param, &word.text).is_ok())
        };
        if first.skippable && !fits(first) { open.next().or(Some(first)) } else { Some(first) }
    }

    /// Where the text of a command begins in a later line. The text is all that is still to come, and what stands there
    /// is no command.
    fn text_below(&self, command: &Command, found: &Found) -> Option<Reader<'t>> {
        let next = command.places().find(|param| !found.args.contains_key(&param.name))?;
        if !next.rest
            || next.kind == Kind::Actions
            || (next.comes_later() && self.files > 0)
            || self.reader.peek() == Some(';')
        {
            return None;
        }
        let mut below = Line { files: 0, ..*self };
        below.reader.skip_space(true);
        (!below.reader.at_stop() && !below.begins_command()).then_some(below.reader)
    }

    fn named(&mut self, command: &Arc<Command>, found: &mut Found, key: &str, sign: char) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        let twice = || fail(Problem::Twice { param: key.to_owned() });
        let Some(param) = command.param(key) else {
            let word = self.reader.word().map_err(|_| fail(Problem::OpenQuote))?;
            let name = word.map(|word| word.text).filter(|name| !name.is_empty());
            let Some(name) = name.filter(|_| found.room.is_none()) else { return Err(twice()) };
            found.room = Some(name);
            return Ok(());
        };
        if found.args.contains_key(key) {
            return Err(twice());
        }
        self.reader.skip_space(param.rest);
        if self.reader.peek().is_none() || (self.reader.at_stop() && !param.rest) {
            return Err(missing(command, param));
        }
        let value = match param.rest {
            true => self.named_rest(command, param, sign).map_err(fail)?,
            false => self.longest(command, param)?,
        };
        found.args.insert(param.name.clone(), accept(command, param, &value)?);
        Ok(())
    }

    /// A text by its name: up to its end, or a quotation if the writer ended it with one.
    fn named_rest(&mut self, command: &Command, param: &Param, sign: char) -> Result<String, Problem> {
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
        let text = if param.kind == Kind::Text { self.text() } else { self.reader.rest() };
        Ok(text.trim().to_owned())
    }

    /// Reads the text of a command.
    fn take_rest(&mut self, command: &Arc<Command>, found: &mut Found, param: &Param) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        let value = match param.kind {
            Kind::Actions => self.actions(param).map_err(fail)?,
            Kind::Text if !param.is_text(&found.args) => self.short_words().map_err(fail)?,
            Kind::Text => self.short_quotation(param).unwrap_or_else(|| self.text().trim().to_owned()),
            _ => {
                let mut text = self.reader.rest().trim();
                if let Some((before, late, value)) = marked_at_end(command, found, text) {
                    found.args.insert(late.name.clone(), accept(command, late, value)?);
                    text = before;
                }
                // A marker with nothing after it announces a text that never came.
                let marker =
                    command.params.iter().find_map(|late| late.marker.as_deref().filter(|it| folded(text) == *it));
                if marker.is_some() {
                    return Err(missing(command, param));
                }
                text.to_owned()
            }
        };
        found.args.insert(param.name.clone(), accept(command, param, &value)?);
        self.reader.skip_space(false);
        self.tail(command, found).map(drop)
    }

    /// A short text that its writer quoted: it ends with its mark, where the command does.
    fn short_quotation(&mut self, param: &Param) -> Option<String> {
        let mut ahead = self.reader;
        ahead.skip_space(true);
        let word = ahead.word().ok().flatten().filter(|word| word.quoted && param.is_short())?;
        ahead.skip_space(false);
        ahead.at_stop().then(|| self.reader = ahead)?;
        Some(word.text)
    }

    /// The text that goes up to a line that ends it, or to the end of the message.
    fn text(&mut self) -> &'t str {
        let begun = self.reader;
        match find_line(begun, &[TEXT_END]) {
            Some((at, after, _)) => {
                self.reader = begun.to(after);
                // A semicolon before the words that end a text stands between commands, and is none of it.
                let text = begun.up_to(at).remainder().trim_end();
                text.strip_suffix(';').unwrap_or(text).trim_end()
            }
            None => self.reader.rest(),
        }
    }

    /// The commands that one takes: up to the line that ends them, or to the end of the line.
    fn actions(&mut self, param: &Param) -> Result<String, Problem> {
        let first = self.reader.at();
        let Some(mark) = param.until.first() else {
            self.skip_later(None);
            return Ok(self.reader.since(first).trim().to_owned());
        };
        match self.skip_transaction(mark) {
            Some(end) => Ok(self.reader.to(end).since(first).trim().to_owned()),
            None => {
                self.lost = true;
                Err(Problem::NoEnd { mark: mark.clone() })
            }
        }
    }

    fn skip_actions(&mut self, param: &Param, mark: Option<&str>) {
        match param.until.first() {
            Some(mark) => {
                let _ = self.skip_transaction(mark);
            }
            None => {
                // The time stands before them.
                let mut ahead = self.reader;
                while let Some(word) = ahead.bare() {
                    if word.ends_with([':', '\u{ff1a}']) {
                        self.reader = ahead;
                        break;
                    }
                }
                self.skip_later(mark);
            }
        }
    }

    /// Goes over commands that are set for later: to the end of the line, over semicolons; in a transaction not over what
    /// ends that.
    fn skip_later(&mut self, mark: Option<&str>) {
        loop {
            self.reader.skip_space(false);
            self.skip_item(mark);
            let mut ahead = self.reader;
            if !ahead.eat(';') || mark.is_some_and(|mark| ahead.is_line(mark)) {
                return;
            }
            self.reader = ahead;
        }
    }

    /// Goes over the commands of a transaction and over the line that ends it; where they end.
    fn skip_transaction(&mut self, mark: &str) -> Option<usize> {
        loop {
            self.reader.skip_separators();
            self.reader.peek()?;
            let start = self.reader.at();
            if self.reader.is_line(mark) {
                self.prefix();
                mark.split(' ').for_each(|_| drop(self.reader.bare()));
                return Some(start);
            }
            self.skip_item(Some(mark));
        }
    }

    /// Goes over a command, whatever it means; in a transaction not over the line that ends that.
    fn skip_item(&mut self, mark: Option<&str>) {
        self.prefix();
        let _ = self.at_room(&mut Found::default());
        let _ = self.speaks_for();
        self.skip_i();
        let _ = self.times();
        self.prefix();
        let mut named = *self;
        let rest = named.name().ok().and_then(|command| open_text(&command).cloned());
        let Some(rest) = rest else {
            self.skip_words();
            return;
        };
        self.reader = named.reader;
        match rest.kind {
            Kind::Actions => {
                self.skip_actions(&rest, mark);
                if !rest.until.is_empty() {
                    self.skip_words();
                }
            }
            _ => {
                let marks: Vec<&str> = [TEXT_END].into_iter().chain(mark).collect();
                match find_line(self.reader, &marks) {
                    Some((_, after, TEXT_END)) => self.reader = self.reader.to(after),
                    Some((at, _, _)) => self.reader = self.reader.to(at),
                    None => {
                        self.reader.rest();
                    }
                }
            }
        }
    }

    /// Goes over the words of a command that takes no text, and over its reason, which goes to the end of the line.
    fn skip_words(&mut self) {
        loop {
            let mut ahead = self.reader;
            if ahead.bare().is_some_and(|word| folded(&word) == BECAUSE) {
                self.reader.skip_line();
                return;
            }
            match self.reader.token(is_name) {
                Ok(Some(_)) => {}
                Ok(None) => return,
                Err(_) => {
                    self.reader.rest();
                    return;
                }
            }
        }
    }

    /// A time: the words up to one that ends in a colon.
    fn occasion(&mut self, command: &Arc<Command>, param: &Param) -> Result<String, GrammarError> {
        let (mut reader, mut words) = (self.reader, Vec::new());
        while words.len() <= VALUE_MAX_WORDS
            && let Some(word) = reader.bare()
        {
            if let Some(last) = word.strip_suffix([':', '\u{ff1a}']) {
                words.extend((!last.is_empty()).then(|| last.to_owned()));
                self.reader = reader;
                return accept(command, param, &words.join(" "));
            }
            words.push(word);
        }
        let name = param.name.to_uppercase();
        let why = format!("{name} is a time with a colon after it, and then comes what is done");
        Err(GrammarError::of(command, Problem::IllTyped { param: param.name.clone(), why }))
    }
}

/// The parameter of a command that takes what follows, without a marker before it.
fn open_text(command: &Command) -> Option<&Param> {
    command.rest().filter(|rest| rest.marker.is_none())
}

/// The next line, or part between semicolons, that holds nothing but one of some words: where it begins, where it ends, and
/// which it is.
pub(super) fn find_line<'m>(reader: Reader<'_>, marks: &[&'m str]) -> Option<(usize, usize, &'m str)> {
    let (text, mut from) = (reader.remainder(), 0);
    loop {
        let part = &text[from..];
        let length = part.find(|char| char == ';' || is_line_break(char)).unwrap_or(part.len());
        if let Some(mark) = marks.iter().find(|mark| is_line(&part[..length], mark)) {
            return Some((reader.at() + from, reader.at() + from + length, mark));
        }
        from += length;
        from += text[from..].chars().next()?.len_utf8();
    }
}

/// `>+[-] against joust3`: a marker and one word at the very end of a program, where they would be a comment.
fn marked_at_end<'p, 't>(command: &'p Command, found: &Found, text: &'t str) -> Option<(&'t str, &'p Param, &'t str)> {
    let (before, value) = text.rsplit_once(char::is_whitespace)?;
    let (before, marker) = before.trim_end().rsplit_once(char::is_whitespace)?;
    let mut free = command.params.iter().filter(|param| !param.rest && !found.args.contains_key(&param.name));
    let param = free.find(|param| param.marker.as_deref() == Some(folded(marker).as_str()))?;
    Some((before.trim_end(), param, without_stop(value)))
}
