//! Courtesies beside an act: `Hello all. I give Ann m1. Thanks!` (4E7, B7.4)
//!
//! They change nothing of it, before it or behind it, and before whoever goes (B4.8). What puts an act off, takes it back or
//! says more of it is none. Absent: which other words stand beside acts (`parting`, `waits`).

use super::{
    Command, Line, folded,
    parting::STOPS,
    waits::{self, Sense},
};

/// With what a courtesy begins.
const COURTESIES: [&str; 28] = [
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
];

/// What no courtesy says. Words that stand before a time only are in many: “goodbye, and thanks in advance”.
const NO_COURTESIES: [Sense; 4] = [Sense::Time, Sense::Condition, Sense::Doubt, Sense::Denial];

/// Most words of a courtesy that stands beside an act.
const COURTESY_MAX_WORDS: usize = 6;

/// Whether some words, to the end of a line, are a courtesy to those who stay, or nothing.
pub(super) fn is_farewell(said: &[&str]) -> bool {
    said.first().is_none_or(|word| begins(word)) && waits::among(said, &NO_COURTESIES).is_none()
}

fn begins(word: &str) -> bool {
    COURTESIES.contains(&&*plain(word))
}

fn plain(word: &str) -> String {
    folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))
}

impl Line<'_, '_> {
    /// Goes over a greeting before an act in the same line.
    pub(super) fn skip_greeting(&mut self) {
        let mut over = *self;
        if over.catalogue.takes_letters() && over.skip_sentence() && over.says_i() && over.begins_act() {
            self.reader = over.reader;
        }
    }

    /// Goes over a courtesy behind an act that has all it needs, where it ends the line or another act follows.
    pub(super) fn skip_courtesy(&mut self, command: &Command) {
        let mut over = *self;
        let is_letter = over.is_letter_without_text(command) && over.reader.before().ends_with(STOPS);
        if is_letter && over.skip_sentence() && (over.reader.at_stop() || (over.says_i() && over.begins_act())) {
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
