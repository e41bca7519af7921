//! Courtesies beside an act: `Hello all. I give Ann m1. Thanks!` (4E7, B7.4)
//!
//! They change nothing of it, before it or behind it, and before whoever goes (B4.8). What puts an act off, takes it back or
//! says more of it is none. Absent: which other words stand beside acts (`parting`, `waits`).

use super::{
    Command, GrammarError, Line, Problem, Reader, ends,
    english::LEAVE,
    folded, is_prose,
    parting::STOPS,
    steps,
    waits::{self, Sense},
};

/// With what a courtesy begins.
const COURTESIES: [&str; 31] = [
    "sadly",
    "goodbye",
    "bye",
    "farewell",
    "adieu",
    "ciao",
    "cheers",
    "sorry",
    "apologies",
    "thanks",
    "thank",
    "alas",
    "regretfully",
    "unfortunately",
    "regards",
    "best",
    "good",
    "well",
    "hello",
    "hi",
    "hey",
    "greetings",
    "please",
    "everyone",
    "friends",
    "all",
    "ok",
    "okay",
    "welcome",
    "congratulations",
    "congrats",
];

/// The one that needs no comma before it.
const PLEASE: &str = "please";

/// What no courtesy says. Words that stand before a time only are in many: “goodbye, and thanks in advance”.
const NO_COURTESIES: [Sense; 4] = [Sense::Time, Sense::Condition, Sense::Doubt, Sense::Denial];

/// What somebody else does who is spoken of.
const SAYS: [&str; 12] =
    ["say", "says", "said", "write", "writes", "wrote", "think", "thinks", "thought", "would", "could", "asked"];

/// What a remark says that tells of what comes behind it that it is not meant, or not now.
const UNMEANT: [&str; 26] = [
    "following",
    "mean",
    "meant",
    "serious",
    "next",
    "later",
    "until",
    "wait",
    "sure",
    "joke",
    "kidding",
    "test",
    "testing",
    "quote",
    "quoting",
    "imagine",
    "suppose",
    "pretend",
    "example",
    "doubt",
    "only",
    "must",
    "told",
    "type",
    "read",
    "stop",
];

/// Most words of a greeting with a comma behind it.
const ADDRESS_MAX_WORDS: usize = 5;

/// Most words of a remark before an act: a sentence or two, as a line of a chat has them.
const REMARK_MAX_WORDS: usize = 60;

/// Most words of a courtesy that stands beside an act.
const COURTESY_MAX_WORDS: usize = 6;

/// Whether some words, to the end of a line, are a courtesy to those who stay, or nothing.
pub(super) fn is_farewell(said: &[&str]) -> bool {
    said.first().is_none_or(|word| begins(word)) && waits::among(said, &NO_COURTESIES).is_none()
}

/// Whether a word tells what somebody says.
pub(super) fn says(word: &str) -> bool {
    SAYS.contains(&&*plain(word))
}

/// Whether a word begins a courtesy.
pub(super) fn begins(word: &str) -> bool {
    COURTESIES.contains(&&*plain(word))
}

fn plain(word: &str) -> String {
    folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))
}

impl Line<'_, '_> {
    /// Goes over a greeting before an act in the same line, with a stop or a comma behind it.
    pub(super) fn skip_greeting(&mut self) {
        if !self.catalogue.takes_letters() {
            return;
        }
        let mut over = *self;
        if over.skip_sentence() && over.says_i() && over.begins_act() {
            self.reader = over.reader;
            return;
        }
        let mut over = *self;
        if over.skip_address() {
            self.reader = over.reader;
        }
    }

    /// Goes over a greeting up to the comma behind which an act begins: `Hello all, I give Ann m1`. What somebody is said to
    /// say, do or think is none.
    fn skip_address(&mut self) -> bool {
        let mut count = 0;
        while let Some(word) = self.reader.bare() {
            count += 1;
            let says_more = says(&word) || word.contains(|char: char| char.is_ascii_digit());
            let ends = word.ends_with(STOPS) || word.ends_with([':', '"']);
            if (count == 1 && !begins(&word)) || says_more || ends || count > ADDRESS_MAX_WORDS {
                return false;
            }
            if waits::begins(&[&word]).is_some_and(|(sense, _)| NO_COURTESIES.contains(&sense)) {
                return false;
            }
            if word.ends_with(',') {
                self.reader.skip_space(false);
                if self.says_i() && self.begins_act() {
                    return true;
                }
            }
        }
        false
    }

    /// What stands before an act in its line and is none, in sentences of its own that say neither when nor on what condition
    /// nor that it is not meant, and where the act begins: `I agree with Ann. I give Ann m1.` (B7.4)
    pub(super) fn remark_before_act(&self, start: usize, error: &GrammarError) -> Option<(String, usize)> {
        let act = self.act_behind(start)?;
        let said = act.seen_since(start);
        let tried = self.catalogue.takes_letters() && error.command.is_none();
        let remark = said.trim().trim_end_matches(STOPS).to_owned();
        (tried && is_prose(&error.problem, said)).then_some((remark, act.at()))
    }

    /// Where the next act begins in the line of one that is refused for what stands beside it: `I panic. That is fair. I give
    /// Ann m1.` It is read by itself (B7.4).
    pub(super) fn act_behind_refused(&self, start: usize, error: &GrammarError) -> Option<usize> {
        let command = error.command.as_ref()?;
        let is_beside = matches!(error.problem, Problem::Extra { .. } | Problem::IllTyped { .. });
        let tried = is_beside && self.is_letter_without_text(command) && command.action != LEAVE;
        self.act_behind(start).filter(|_| tried).map(|act| act.at())
    }

    /// Where an act begins behind sentences that say nothing of it.
    fn act_behind(&self, start: usize) -> Option<Reader<'_>> {
        let mut over = Line { reader: self.reader.to(start), ..*self };
        let mut sentence = start;
        for _ in 0..REMARK_MAX_WORDS {
            let word = over.reader.bare()?;
            if word.contains([':', '(', ')', '[', ']', '"', '\u{201c}', '\u{201d}']) {
                return None;
            }
            if !word.ends_with(STOPS) {
                continue;
            }
            let said = over.reader.seen_since(sentence);
            let words: Vec<&str> = said.split_whitespace().collect();
            let puts_off = matches!(waits::begins(&words), Some((sense, _)) if NO_COURTESIES.contains(&sense))
                || waits::is_all(&words, &|_| false)
                || waits::among(&words, &[Sense::Time, Sense::Condition, Sense::Doubt]).is_some()
                || words.iter().any(|word| says(word) || UNMEANT.contains(&&*plain(word)));
            if puts_off || steps::carries(said) {
                return None;
            }
            over.reader.skip_space(false);
            if over.says_i() && over.begins_act() {
                // Nobody loses a seat by words that may have been another's (B4.8).
                let leaves = { over }.spoken().is_none_or(|command| command.action == LEAVE);
                return (!leaves).then_some(over.reader);
            }
            sentence = over.reader.at();
        }
        None
    }

    /// Whether “please” comes next and nothing behind it.
    pub(super) fn says_please(&self) -> bool {
        let mut ahead = self.reader;
        let says = ahead.bare().is_some_and(|word| plain(&word) == PLEASE);
        says && (ahead.before().ends_with(STOPS) || ends(&mut ahead))
    }

    /// Goes over a courtesy behind an act that has all it needs, where it ends the line or another act follows.
    pub(super) fn skip_courtesy(&mut self, command: &Command) {
        let mut over = *self;
        let before = over.reader.before();
        let (stops, comma) = (before.ends_with(STOPS), before.ends_with(','));
        let beside = stops || comma || self.says_please();
        // What stands beside leaving is looked at more closely.
        let is_other = !over.is_letter_without_text(command) || command.action == LEAVE;
        if is_other || !beside || !over.skip_sentence() {
            return;
        }
        if over.reader.at_stop() || (stops && over.says_i() && over.begins_act()) {
            self.reader = over.reader;
        }
    }

    /// Goes over a sentence of a few words that is a courtesy, and over blanks behind it; whether there was one. Who speaks of
    /// oneself or of figures in it says more: `Sorry, I meant m1.`
    fn skip_sentence(&mut self) -> bool {
        let (start, mut count) = (self.reader.at(), 0);
        while let Some(word) = self.reader.bare() {
            count += 1;
            let says_more = plain(&word) == "i" || word.contains(|char: char| char.is_ascii_digit());
            if (count == 1 && !begins(&word)) || says_more || count > COURTESY_MAX_WORDS || word.ends_with('?') {
                return false;
            }
            if word.ends_with(STOPS) {
                break;
            }
        }
        let said: Vec<&str> = self.reader.seen_since(start).split_whitespace().collect();
        let is_plain = waits::among(&said, &NO_COURTESIES).is_none();
        self.reader.skip_space(false);
        count > 0 && is_plain
    }
}
