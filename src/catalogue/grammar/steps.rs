//! Commands that stand in another command: what is to be done later, or all or none.
//!
//! How far such a text goes, where the time ends that stands before it, and which steps it consists of; what of a message
//! has no effect. What a step means is absent.

use std::borrow::Cow;

use super::{
    Kind, Line, MESSAGE_MAX_ACTIONS, VALUE_MAX_WORDS,
    closing::Close,
    english::AFTER,
    waits::{self, Sense},
    words::Reader,
};
use crate::{
    catalogue::{
        Catalogue,
        clean::{folded, without_stops},
        error::{GrammarError, Problem},
        spec::{Command, Param},
        typed::{Typed, missing},
    },
    kernel::rulebook::source::blanked,
};

/// The word before what must be true, among the commands of a transaction.
const ASSERT: &str = "assert";

/// The line that ends the text of a command, where others come after it.
pub(crate) const TEXT_END_LINE: &str = "end text";
const TEXT_ENDS: [&str; 2] = [TEXT_END_LINE, "end of text"];

/// Most sentences in a text of which a room is asked whether they are actions.
const SENTENCES_MAX_COUNT: usize = 20;

/// How deep commands stand in each other that are read while one looks how far the outermost goes: deeper ones are refused
/// where they are bound, wherever they end.
pub(super) const HELD_MAX_LEVELS: usize = 3;

/// A step of such a text.
pub(in crate::catalogue) enum Step {
    /// A command.
    Act(Typed),
    /// Something that must be true at this place.
    Assert {
        /// The step as it was sent.
        said: String,
        /// What must be true.
        what: String,
    },
    /// What is neither.
    Unread {
        /// The step as it was sent.
        said: String,
        /// What is wrong with it.
        error: GrammarError,
    },
}

/// Reads the steps of a text.
pub(in crate::catalogue) fn steps(catalogue: &Catalogue, text: &str) -> Vec<Step> {
    let seen = seen(catalogue.takes_letters(), text);
    let mut line = Line { asserting: true, ..Line::new(catalogue, Reader::new(text, &seen), 0) };
    let mut out = Vec::new();
    loop {
        line.reader.skip_separators();
        if line.reader.peek().is_none() {
            return out;
        }
        let (start, mark) = (line.reader.at(), text_end(line.reader));
        // Where no text stands, what ends one means nothing.
        if let Some((_, after)) = mark.filter(|(at, _)| *at == start) {
            line.reader = after;
            continue;
        }
        if out.len() as u64 >= u64::from(MESSAGE_MAX_ACTIONS) {
            let error = GrammarError::new(Problem::TooMany { max: MESSAGE_MAX_ACTIONS });
            out.push(Step::Unread { said: "...".to_owned(), error });
            return out;
        }
        let (step, ends) = line.step();
        out.push(step);
        match mark {
            Some((_, after)) if ends => line.reader = after,
            None if ends => return out,
            _ => {}
        }
    }
}

/// Why the text of a command may not end where the message does.
pub(in crate::catalogue) fn endless(typed: &Typed, word: String) -> GrammarError {
    GrammarError::of(&typed.command, Problem::Endless { word: super::sayable(word), mark: TEXT_END_LINE })
}

/// A message as it is read: with blanks for what has no effect in it, where the rules know such (4E5, B5.2).
pub(super) fn seen<'t>(letters: bool, text: &'t str) -> Cow<'t, str> {
    if !letters {
        return text.into();
    }
    // A line that begins so is somebody else's, to its end.
    let quoted = |line: &str| line.trim_start().starts_with('>');
    let seen = blanked(text);
    let lines = seen.split_inclusive('\n').map(|line| match quoted(line) {
        true => {
            line.chars().map(|char| if char == '\n' { "\n".to_owned() } else { " ".repeat(char.len_utf8()) }).collect()
        }
        false => line.to_owned(),
    });
    lines.collect::<String>().into()
}

/// Whether a line that is no command says of those below it when they are done, or that they are one: without it they are
/// something else.
pub(super) fn carries(said: &str) -> bool {
    let said = said.trim();
    let sent: Vec<&str> = said.split_whitespace().collect();
    let words: Vec<String> =
        sent.iter().map(|word| folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))).collect();
    // “In other news” and “not much to say” begin greetings; who doubts means what stands before.
    let waits = matches!(waits::begins(&sent), Some((Sense::Time | Sense::Condition, _)));
    // `Here is a proposal, "Title"`: what stands below may be its text.
    let quotes = said.contains(['"', '\u{201c}']);
    let is_number =
        |word: Option<&String>| word.is_some_and(|word| word.starts_with(|char: char| char.is_ascii_digit()));
    let announces = |(at, word): (usize, &String)| {
        ["proposal", "proposals", "tweak"].contains(&&**word) && quotes && !is_number(words.get(at + 1))
    };
    said.ends_with([':', '\u{ff1a}'])
        || words.iter().enumerate().any(announces)
        || words.iter().any(|word| word == "transaction")
        || waits
        || words.first().is_some_and(|word| word == ASSERT)
}

/// Whether the first line of what was said heads those below it.
pub(super) fn heads(said: &str) -> bool {
    said.trim_start().split_once('\n').is_some_and(|(line, _)| line.trim_end().ends_with([':', '\u{ff1a}']))
}

/// Whether a line ends a text.
pub(super) fn is_text_end(line: &str) -> bool {
    TEXT_ENDS.contains(&&*folded(without_stops(line.trim())))
}

/// Where the next line stands that ends a text, and where it is over.
fn text_end(mut reader: Reader<'_>) -> Option<(usize, Reader<'_>)> {
    loop {
        reader.skip_separators();
        reader.peek()?;
        let from = reader.at();
        reader.skip_command();
        if is_text_end(reader.seen_since(from)) {
            return Some((from, reader));
        }
    }
}

impl<'t> Line<'_, 't> {
    /// The text that goes up to a line that ends it, or to the end of the message.
    pub(super) fn text(&mut self) -> &'t str {
        let begun = self.reader;
        match text_end(begun) {
            Some((at, after)) => {
                self.reader = after;
                // A semicolon before the words that end a text stands between commands, and is none of it.
                let text = begun.up_to(at).remainder().trim_end();
                text.strip_suffix(';').unwrap_or(text).trim_end()
            }
            None => self.reader.rest(),
        }
    }
}

impl Line<'_, '_> {
    /// Where the next command stands that can be read as a whole, among those that a message may hold.
    pub(super) fn next_act(mut self) -> Option<usize> {
        for _ in 0..MESSAGE_MAX_ACTIONS {
            self.reader.skip_separators();
            self.reader.peek()?;
            let start = self.reader;
            if { self }.among().is_ok() {
                return Some(start.at());
            }
            self.reader.skip_command();
        }
        None
    }

    /// The step that begins here, and whether all that follows may be the text of one that cannot be read.
    fn step(&mut self) -> (Step, bool) {
        let start = self.reader.at();
        self.prefix();
        let mut ahead = self.reader;
        if ahead.bare().is_some_and(|word| folded(without_stops(&word)) == ASSERT) {
            let mut from = ahead;
            let _ = from.phrase("that");
            self.reader = from;
            self.reader.skip_command();
            let what = self.reader.seen_since(from.at()).trim().to_owned();
            return (Step::Assert { said: self.reader.since(start).trim().to_owned(), what }, false);
        }
        let unread = |said: &str, error| Step::Unread { said: said.trim().to_owned(), error };
        match self.command() {
            Ok(typed) if self.catalogue.takes_letters() && super::is_asked(&typed) => {
                (unread(&typed.said, GrammarError::of(&typed.command, Problem::Asked)), false)
            }
            Ok(typed) => {
                let awaited = typed.awaits_text().map(|param| missing(&typed.command, param));
                let endless = typed.swallows.clone().map(|word| endless(&typed, word));
                let wrong = awaited.or(endless);
                (wrong.map_or_else(|| Step::Act(typed.clone()), |error| unread(&typed.said, error)), false)
            }
            Err(error) => {
                let ends = super::ends_the_list(self.catalogue, &error);
                self.reader.skip_command();
                (unread(self.reader.since(start), error), ends)
            }
        }
    }

    /// Whether a command that began there has a text that goes on to the end of the message: its writer has not ended it,
    /// with a line or a quotation mark.
    fn is_open(&self, typed: &Typed, begun: usize) -> bool {
        let text = typed.command.rest().filter(|param| param.kind == Kind::Text);
        let taken = text.and_then(|text| typed.args.get(&text.name));
        let to_end = |taken: &String| self.reader.since(begun).trim_end().ends_with(taken.trim_end());
        self.reader.peek().is_none() && taken.is_some_and(to_end)
    }

    /// What begins like an action of its own in a text that was taken to the end of the message: the first word of the
    /// first one that is called by its name, and sentences before that.
    pub(super) fn swallowed(&self, typed: &Typed, begun: usize) -> (Option<String>, Vec<Typed>) {
        let mut sentences = Vec::new();
        if !self.is_open(typed, begun) {
            return (None, sentences);
        }
        let mut reader = self.reader.to(begun);
        loop {
            reader.skip_command();
            reader.skip_separators();
            if reader.peek().is_none() {
                return (None, sentences);
            }
            let word = { reader }.bare();
            let mut end = reader;
            end.skip_command();
            let mut inside = Line { reader: reader.up_to(end.at()), files: 0, ..*self };
            // Prose often begins with "in" or "on" as well.
            let is_act = |typed: &Typed| {
                let timed = typed.command.params.iter().any(|param| param.kind == Kind::When);
                !timed || end.seen_since(reader.at()).contains(':')
            };
            let named = { inside }.begins_command();
            let act = inside.command().ok().filter(is_act);
            if (Line { reader, ..*self }).asserts() || (named && act.is_some()) {
                return (word, sentences);
            }
            // Prose is never searched for what only a sentence before a text of its own would be.
            let whole = |typed: &Typed| typed.command.rest().is_none_or(|rest| rest.kind == Kind::Actions);
            sentences.extend(act.filter(|act| whole(act) && sentences.len() < SENTENCES_MAX_COUNT));
        }
    }

    /// Whether a step begins here that must be true.
    fn asserts(&self) -> bool {
        let mut ahead = self.reader;
        ahead.bare().is_some_and(|word| folded(without_stops(&word)) == ASSERT)
    }

    /// The text of commands in a command: up to the line that ends it, or what is set for later.
    pub(super) fn actions(&mut self, param: &Param) -> Result<String, Problem> {
        debug_assert_eq!(param.kind, Kind::Actions);
        self.reader.skip_separators();
        // A time on a line of its own heads all that stands below it.
        let heads = self.reader.seen_since(self.reader.before().len()).contains('\n');
        let Some(mark) = param.until.first() else { return Ok(self.later(heads)) };
        let first = self.reader.at();
        let close = self.close(param);
        match close {
            Close::At(before, after) => {
                self.reader = after;
                Ok(before.since(first).trim().to_owned())
            }
            Close::Nowhere | Close::Anywhere => {
                let _ = self.reader.rest();
                let (mark, several) = (mark.clone(), matches!(close, Close::Anywhere));
                Err(Problem::NoEnd { mark, several })
            }
        }
    }

    /// Commands that are set for later: up to the end of a line, and over semicolons only, or over all lines below a time
    /// that heads them. In a transaction what must be true ends them too, since it cannot be set for later; and a line that
    /// ends a text where none is open.
    fn later(&mut self, heads: bool) -> String {
        let first = self.reader.at();
        loop {
            self.one_for_later();
            let text = self.reader.since(first).trim().to_owned();
            let mut ahead = self.reader;
            let goes_on = heads || ahead.peek() == Some(';') || !ahead.at_stop();
            ahead.skip_separators();
            if let Some((_, after)) = text_end(ahead).filter(|(at, _)| *at == ahead.at()) {
                self.reader = after;
                return text;
            }
            if !goes_on || ahead.peek().is_none() || (self.asserting && Self { reader: ahead, ..*self }.asserts()) {
                return text;
            }
            self.reader = ahead;
        }
    }

    /// Goes over one of them: to the end of its line, or over more lines where it takes a text or several actions.
    fn one_for_later(&mut self) {
        let start = self.reader;
        let mut held = Line { files: 0, depth: self.depth + 1, ..*self };
        let typed = if held.depth > HELD_MAX_LEVELS { None } else { held.command().ok() };
        let Some(typed) = typed else {
            self.reader.skip_command();
            return;
        };
        self.reader = held.reader;
        if !self.is_open(&typed, start.at()) {
            return;
        }
        // Nobody says where the text ends: not behind a line in which a command begins.
        let mut ahead = start;
        loop {
            ahead.skip_command();
            let end = ahead;
            ahead.skip_separators();
            if ahead.peek().is_none() {
                return;
            }
            let below = Line { reader: ahead, ..held };
            if end.peek() != Some(';') && (below.asserts() || { below }.begins_command()) {
                self.reader = end;
                return;
            }
        }
    }

    /// A time: the words up to one that ends in a colon; where none does, up to the name of a parameter or of a command, or
    /// all there are.
    pub(super) fn occasion(&mut self, command: &Command, param: &Param) -> Result<String, Problem> {
        let is_key = |mut reader: Reader<'_>| reader.key(|key| command.param(key).is_some()).is_some();
        let (mut reader, mut words) = (self.reader, Vec::new());
        let mut named = None;
        while words.len() <= VALUE_MAX_WORDS {
            reader.skip_space(false);
            let here = reader;
            if here.at_stop() || is_key(here) {
                named = named.or_else(|| (!words.is_empty()).then(|| (here, words.join(" "))));
                break;
            }
            // The word that says of what the end is meant is none of a command.
            let after = words.is_empty() && { here }.bare().is_some_and(|word| folded(&word) == AFTER);
            let ahead = Line { reader: here, files: 0, ..*self };
            // A sentence begins with “I”, or behind a comma.
            let sentence = { here }.bare().is_some_and(|word| folded(&word) == "i") || here.before().ends_with(',');
            let begins = !after && ({ ahead }.known().is_some() || (sentence && { ahead }.spoken().is_some()));
            if begins && named.is_none() {
                named = Some((here, words.join(" ")));
            }
            let Some(word) = reader.bare() else { break };
            if let Some(last) = word.strip_suffix([':', '\u{ff1a}']) {
                words.extend((!last.is_empty()).then(|| last.to_owned()));
                self.reader = reader;
                return Ok(words.join(" "));
            }
            words.push(without_stops(&word).to_owned());
        }
        match named.filter(|(_, words)| !words.is_empty()) {
            Some((after, words)) => {
                self.reader = after;
                Ok(words)
            }
            None => {
                let name = param.name.to_uppercase();
                let why = format!("{name} is a time with a colon after it, and then comes what is done");
                Err(Problem::IllTyped { param: param.name.clone(), why })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::parse;

    /// Each command of a message as its name and its arguments, or the reason why it is none.
    fn read(text: &str) -> Vec<String> {
        let one = |typed: Result<Typed, GrammarError>| match typed {
            Ok(typed) => {
                let args: Vec<String> = typed.args.iter().map(|(name, value)| format!("{name}={value}")).collect();
                format!("{} {}", typed.command, args.join(" "))
            }
            Err(error) => error.to_string(),
        };
        parse(Catalogue::all(), text, 0).into_iter().map(one).collect()
    }

    /// B7.8: a time ends with a colon, a name or a command; what is done then goes on over semicolons, not over a line in
    /// which a command begins.
    #[test]
    fn b7_8_a_time_and_what_is_done_then_are_told_apart() {
        for (text, expected) in [
            ("at nday 8: clock on; clock off", &["schedule actions=clock on; clock off when=nday 8"][..]),
            ("at 10:00: clock on\nclock off", &["schedule actions=clock on when=10:00", "clock off "]),
            ("on nday 8, clock on", &["schedule actions=clock on when=nday 8"]),
            (
                "in 2 ndays propose \"T\" =>\n=> set x to 3\nclock on",
                &["schedule actions=propose \"T\" =>\n=> set x to 3 when=2 ndays", "clock on "],
            ),
            ("at 10:00: clock on\nhill", &["schedule actions=clock on when=10:00", "joust hill "]),
            ("at 10:00: clock on; end text; clock off", &["schedule actions=clock on when=10:00", "clock off "]),
            (
                "at 10:00: tweak so; be it; end text; clock on\nclock off",
                &["schedule actions=tweak so; be it; end text; clock on when=10:00", "clock off "],
            ),
            ("schedule when:tomorrow actions=\"clock on\"", &["schedule actions=clock on when=tomorrow"]),
            (
                "schedule clock on",
                &["In “schedule”, WHEN is a time with a colon after it, and then comes what is done."],
            ),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    /// However deep commands stand in each other, reading them ends.
    #[test]
    fn commands_in_commands_are_read_to_a_depth() {
        assert_eq!(read(&"at 10:00: ".repeat(800)).len(), 1);
        assert_eq!(read(&"at 10:00: begin; ".repeat(400)).len(), 1);
    }

    /// B12.1: a transaction ends with its mark, and only there.
    #[test]
    fn b12_1_a_transaction_ends_with_its_mark() {
        for (text, expected) in [
            (
                "begin transaction; clock on; END transaction. clock off",
                &["“transaction” goes on up to “end transaction”, and that never comes: nothing is done."][..],
            ),
            (
                "BEGIN\nclock on\n!assert a = \"b; end\"\nEnd!\nclock off",
                &["transaction actions=clock on\n!assert a = \"b; end\"", "clock off "],
            ),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    /// B12.3: what is no command is a step of its own, in its place.
    #[test]
    fn b12_3_steps_keep_their_order() {
        let told = |step: &Step| match step {
            Step::Act(typed) => format!("act {}", typed.said),
            Step::Assert { what, .. } => format!("assert {what}"),
            Step::Unread { said, .. } => format!("unread {said}"),
        };
        let read: Vec<String> = steps(
            Catalogue::all(),
            "clock on; assert that 1 = 1\nAssert: score of Ann > 3; 2 times clock off; ministry tkae Law; propose \"T\" so; be it",
        )
        .iter()
        .map(told)
        .collect();
        let expected = [
            "act clock on",
            "assert 1 = 1",
            "assert score of Ann > 3",
            "act 2 times clock off",
            "unread ministry tkae Law",
            "act propose \"T\" so; be it",
        ];
        assert_eq!(read, expected);
    }

    /// B12.1: a text among commands ends where its writer says; where something of it may be meant as a command and nobody
    /// says, that is told.
    #[test]
    fn b12_1_a_text_among_commands_ends_with_its_mark() {
        let told = |step: &Step| match step {
            Step::Act(typed) => {
                let text = typed.command.rest().and_then(|text| typed.args.get(&text.name));
                text.map_or_else(|| typed.said.clone(), |text| format!("{}: {text}", typed.command.name))
            }
            Step::Assert { what, .. } => format!("assert {what}"),
            Step::Unread { error, .. } => error.to_string(),
        };
        let endless = |command: &str, word: &str| {
            format!(
                "The text of “{command}” goes on to the end, and in it “{word}” begins like an action of its own. Put “end text” \
                 before it, or after it where it belongs to the text."
            )
        };
        for (text, expected) in [
            (
                "propose \"T\" so\nbe it\nEnd text.\nclock on",
                vec!["propose: so\nbe it".to_owned(), "clock on".to_owned()],
            ),
            (
                "tweak a; b; end of text; clock on; end text; clock off",
                ["tweak: a; b", "clock on", "clock off"].map(str::to_owned).to_vec(),
            ),
            ("tweak vote of no use\nclock on\nend text", vec!["tweak: vote of no use\nclock on".to_owned()]),
            ("propose \"T\" so\nclock on", vec![endless("propose", "clock")]),
            ("tweak so; assert 1 = 1", vec![endless("tweak", "assert")]),
            ("challenge society Ann has 3; show society", vec![endless("challenge", "show")]),
            (
                "propose title:T text=\"so; clock on\"; clock off",
                vec!["propose: so; clock on".to_owned(), "clock off".to_owned()],
            ),
        ] {
            let read: Vec<String> = steps(Catalogue::all(), text).iter().map(told).collect();
            assert_eq!(read, expected, "{text}");
        }
    }
}
