//! Several actions in one line, as sentences: `I vote FOR 3. I give Dan m5.` (4E7, B7.3, B7.4)
//!
//! A full stop parts them where the next sentence begins like an action, and nothing of it is dropped in silence: it is done,
//! or refused by itself. Behind a vote so does “then”, and a reason goes on over all but a full stop. Where a remark, a time
//! or a condition stands before the action in its sentence, nobody guesses: all is refused. What no action begins stays with
//! what is before it. What a reason is worth is absent.

use std::sync::Arc;

use super::{
    Command, Found, GrammarError, Kind, Line, Problem, Times, Typed, courtesies, ends,
    english::{LEAVE, is_timed},
    kind, listed_in_vain, sayable, times,
    waits::{self, Sense},
    waits_of,
};
use crate::catalogue::clean::{folded, without_stops};

/// What ends a sentence.
pub(super) const STOPS: [char; 4] = ['.', '!', '?', '\u{2026}'];

/// Words with which a reason begins.
pub(super) const REASONS: [&str; 5] = ["because", "since", "as", "for", "so"];

/// The words of a vote.
const VOTED: [&str; 4] = ["for", "against", "abstain", "shelve"];

/// Words that join two sentences.
const JOINTS: [&str; 2] = ["and", "then"];

/// Words between two numbers.
const AND: [&str; 3] = ["and", "&", "+"];

/// Words that may stand between a vote and what is done next, besides numbers.
const OF_VOTES: [&str; 22] = [
    "for",
    "against",
    "abstain",
    "shelve",
    "on",
    "proposal",
    "proposals",
    "no",
    "number",
    "numbers",
    "and",
    "then",
    "i",
    "hereby",
    "vote",
    "it",
    "this",
    "that",
    "the",
    "please",
    "too",
    "again",
];

/// What an action behind it may hang on; all of the table, since a message of its own costs less than an act that was not
/// meant.
const HEDGES: [Sense; 7] =
    [Sense::Time, Sense::Edge, Sense::Toward, Sense::Condition, Sense::Other, Sense::Doubt, Sense::Denial];

/// At how many words from its first a sentence may begin with a time or a condition: `But then, if ...`.
const HEDGE_MAX_WORDS: usize = 3;

/// How the next words look behind a vote.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Like an action.
    Act,
    /// Like an action or a shout, and nobody should guess.
    Doubtful,
    /// Like anything else.
    Words,
}

impl Line<'_, '_> {
    /// Whether a command that has all it needs ends here, since another sentence begins that is an action.
    pub(super) fn parts(&mut self, command: &Command, found: &Found) -> bool {
        let lacks = command
            .params
            .iter()
            .any(|param| command.demands(param, &found.args) && !found.args.contains_key(&param.name));
        let stops = self.reader.before().ends_with(STOPS);
        let beside = stops || self.reader.before().ends_with(',') || self.says_please();
        if lacks || !self.is_letter_without_text(command) || !beside {
            return false;
        }
        let here = self.reader.at();
        self.skip_courtesy(command);
        self.parted = stops && self.says_i() && self.begins_act();
        self.parted || self.reader.at() > here
    }

    /// The same among the words of its last value, which begins at a position.
    ///
    /// # Errors
    ///
    /// [`Problem::Apart`] for what may be an action and may be none.
    pub(super) fn parts_behind(&mut self, command: &Command, words: &[String], begun: usize) -> Result<bool, Problem> {
        if !self.is_letter_without_text(command) {
            return Ok(false);
        }
        let before = self.reader.before();
        let stops = before.ends_with(STOPS);
        // Anything but a list is a name, which may have a stop in it.
        if !command.params.iter().any(|param| param.list) {
            let here = self.reader.at();
            self.skip_courtesy(command);
            self.parted = stops && self.says_i() && self.begins_act();
            return Ok(self.parted || self.reader.at() > here);
        }
        let depth =
            |sign: [char; 2]| words.iter().flat_map(|word| word.chars()).filter(|char| sign.contains(char)).count();
        if depth(['(', '[']) > depth([')', ']']) {
            return Ok(false);
        }
        let mut behind = *self;
        let joined = behind.skips(&JOINTS);
        if !stops && !joined && !before.ends_with([',', '-', '\u{2013}', '\u{2014}']) {
            return Ok(false);
        }
        let next = behind.next_behind(joined);
        let sentence = Sentence::of(self.reader.seen_since(begun));
        let parts = match next {
            Next::Words => false,
            Next::Doubtful => return Err(Problem::Apart),
            Next::Act if stops && is_hedge(self.reader.seen_since(begun)) => return Err(Problem::Apart),
            Next::Act if stops => true,
            Next::Act if sentence.is_plain() => true,
            Next::Act if sentence.reasons() => false,
            Next::Act if sentence.is_hedged() || behind.says_i() || (sentence.is_first && joined) => {
                return Err(Problem::Apart);
            }
            Next::Act => false,
        };
        if parts {
            self.reader = behind.reader;
            self.parted = true;
        }
        Ok(parts)
    }

    /// What the words here are, behind a vote; or behind a word that joins them to it.
    fn next_behind(&self, joined: bool) -> Next {
        if !self.begins_act() {
            return Next::Words;
        }
        let mut end = self.reader;
        end.skip_command();
        let mut line = Line { reader: self.reader.up_to(end.at()), files: 0, ..*self };
        let _ = times(&mut line.reader);
        line.reader.skip_space(false);
        if line.says_i() {
            return Next::Act;
        }
        let said = line.reader.at();
        let whole = { line }.command().is_ok();
        let Some(command) = line.spoken() else { return Next::Words };
        if is_timed(&command) {
            return Next::Act;
        }
        // Prose begins so as well: “Propose something better”, “Begin again”.
        if let Some(rest) = command.rest() {
            let named = line.reader.seen_since(said).split_whitespace().count() > 1;
            line.reader.skip_space(false);
            return match named || line.reader.at_quote() {
                true => Next::Act,
                // What stands below it may belong to it.
                false if rest.kind == Kind::Actions && line.reader.at_stop() => Next::Doubtful,
                false => Next::Words,
            };
        }
        match command.action == LEAVE && !joined {
            true if whole && line.reader.at_stop() => Next::Doubtful,
            true => Next::Words,
            false => Next::Act,
        }
    }

    /// A word among others, with the signs behind it where these say how the others are meant.
    pub(super) fn listed(&mut self, command: &Command) -> Result<String, Problem> {
        let (mut ahead, lists) = (self.reader, command.params.iter().any(|param| param.list || param.several));
        match ahead.bare().filter(|_| lists && self.is_letter_without_text(command)) {
            Some(word) => {
                self.reader = ahead;
                Ok(word)
            }
            None => self.one_word(),
        }
    }

    /// Whether another number comes next of what a command takes one of: `unschedule 1, 2 and 3`. It is done for each by
    /// itself (B7.4).
    pub(super) fn lists(&self, command: &Command, found: &Found) -> bool {
        let [param] = &command.params[..] else { return false };
        let single = found.room.is_none() && found.times.is_none();
        if !single || !self.is_letter_without_text(command) {
            return false;
        }
        let mut ahead = *self;
        let joined = ahead.skips(&AND) || self.reader.before().ends_with([',', '&', '+']);
        ahead.reader.skip_space(false);
        let is_next = match param.kind {
            Kind::Id => { ahead.reader }.bare().is_some_and(|word| kind::read(param, without_stops(&word)).is_ok()),
            // Nobody is called so that a name could have a comma or “and” in it (B4.2).
            Kind::Player => {
                let next = { ahead.reader }.bare().unwrap_or_default();
                let is_name = !waits::is_no_name(&next) && !courtesies::says(&next);
                is_name && !courtesies::is_farewell(&[&next]) && !ahead.says_i() && !ahead.begins_act()
            }
            _ => false,
        };
        joined && is_next
    }

    /// How many words of a name come next, where another name stands behind it: `ratify Yan and Zed`.
    pub(super) fn first_of_names(&self, command: &Command) -> Option<usize> {
        let [_] = &command.params[..] else { return None };
        let (mut ahead, mut count) = (self.reader, 0);
        while let Some(word) = ahead.bare().filter(|_| self.is_letter_without_text(command)) {
            if AND.contains(&&*folded(&word)) {
                return Some(count).filter(|count| *count > 0);
            }
            count += 1;
            if word.ends_with(',') {
                return Some(count);
            }
        }
        None
    }

    /// Reads the next number of such a list.
    pub(super) fn once_more(&mut self, command: &Arc<Command>) -> Result<Typed, GrammarError> {
        let mut found = Found::default();
        let start = self.reader.at();
        let _ = self.skips(&AND);
        self.arguments(command, &mut found)
            .map_err(|problem| GrammarError { command: Some(command.clone()), ..problem })?;
        let times = found.times.unwrap_or(Times::Count(1));
        let mut typed = Typed::new(command, found.args, found.room, times)?;
        let number = typed.args.values().next().cloned().unwrap_or_default();
        // A question about the last is one about all.
        let asks = self.reader.seen_since(start).trim_end_matches(['!', ' ']).ends_with('?');
        typed.said = format!("{command} {number}{}", if asks { "?" } else { "" });
        if let Some((said, behind)) = self.waits_behind(command) {
            let error = GrammarError::of(command, waits_of(said));
            self.reader = self.reader.to(behind);
            return Err(error);
        }
        // A sentence behind a name is none of it: `Yan and Zed. That was a joke.`
        let said = self.reader.seen_since(start).split_whitespace();
        let name = number.split_whitespace().count();
        let mut words = said.skip_while(|word| AND.contains(&&*folded(word))).take(name);
        if let Some(word) = words.find(|word| word.ends_with(STOPS)).and_then(|_| words.next()) {
            return Err(GrammarError::of(command, Problem::Extra { word: sayable(without_stops(word).to_owned()) }));
        }
        listed_in_vain(&typed).map_or(Ok(typed), Err)
    }

    /// Whether the line behind an action holds nothing but how often.
    pub(super) fn repeats_behind(&self, command: &Command) -> bool {
        let mut behind = self.reader;
        if self.parted || !self.is_letter_without_text(command) || !behind.at_stop() {
            return false;
        }
        behind.skip_separators();
        let counted = matches!(times(&mut behind), Ok(Some(_)));
        counted && !behind.before().ends_with(':') && ends(&mut behind)
    }

    /// All that is left of an action, where it says that it is not done now: `I forfeit. At nday 8.`
    pub(super) fn waits_here(&self, command: &Command) -> Option<&str> {
        let mut end = self.reader;
        end.skip_command();
        let said = end.seen_since(self.reader.at());
        let words: Vec<&str> = said.split_whitespace().collect();
        (self.is_letter_without_text(command) && waits::is_all(&words, &|_| false)).then_some(said)
    }

    /// What stands in the line behind an action and says that it is not done now: `vote 1 FOR; but only if Dan does` (B7.1).
    /// It, and where it ends.
    pub(super) fn waits_behind(&self, command: &Command) -> Option<(&str, usize)> {
        let mut behind = self.reader;
        if self.parted || !self.is_letter_without_text(command) || !behind.at_stop() {
            return None;
        }
        behind.skip_separators();
        let below = Line { reader: behind, files: 0, ..*self };
        behind.skip_command();
        let (said, end) = (behind.seen_since(below.reader.at()).trim(), behind.at());
        // A time that heads what stands below it is none of what stands above.
        let heads = said.ends_with([':', '\u{ff1a}'])
            || ({ below }.spoken().is_some_and(|command| is_timed(&command)) && {
                behind.skip_separators();
                behind.peek()
            }
            .is_some());
        let words: Vec<&str> = said.split_whitespace().collect();
        let puts_off = waits::is_all(&words, &|_| false) || waits::takes_out(&words);
        (!heads && puts_off).then_some((said, end))
    }

    pub(super) fn is_letter_without_text(&self, command: &Command) -> bool {
        self.catalogue.takes_letters() && command.rest().is_none() && command.acts_in_game()
    }

    pub(super) fn says_i(&self) -> bool {
        { self.reader }.bare().is_some_and(|word| folded(&word) == "i")
    }

    /// Goes over some words; whether any came.
    fn skips(&mut self, words: &[&str]) -> bool {
        let mut any = false;
        loop {
            let mut ahead = self.reader;
            if ahead.bare().is_none_or(|word| !words.contains(&folded(without_stops(&word)).as_str())) {
                return any;
            }
            ahead.skip_space(false);
            (self.reader, any) = (ahead, true);
        }
    }

    /// Whether what comes next begins like an action.
    pub(super) fn begins_act(&self) -> bool {
        let mut end = self.reader;
        end.skip_command();
        let mut line = Line { reader: self.reader.up_to(end.at()), files: 0, ..*self };
        let _ = times(&mut line.reader);
        line.reader.skip_space(false);
        // Prose often begins with "in" or "on" as well.
        let said = end.seen_since(self.reader.at());
        let is_act = |command: &Command| command.acts_in_game() && (!is_timed(command) || said.contains(':'));
        !takes_back(said) && line.spoken().is_some_and(|command| is_act(&command))
    }
}

/// Whether a sentence takes back what stands before it, and takes no ministry: `I take that back.`
fn takes_back(said: &str) -> bool {
    let words: Vec<String> = said.split_whitespace().take(4).map(Sentence::plain).collect();
    let [i, take, what, back] = &words[..] else { return false };
    i == "i" && take == "take" && ["that", "this", "it", "them", "all"].contains(&&**what) && back == "back"
}

/// Whether the last of some sentences says only when or on what condition something is done: `1 FOR. If it fails.`
fn is_hedge(said: &str) -> bool {
    let words: Vec<&str> = said.split_whitespace().collect();
    let sentence = words.split_inclusive(|word| word.ends_with(STOPS)).next_back().unwrap_or(&[]);
    waits::is_all(sentence, &|_| false)
}

/// The words of a vote since its sentence began.
struct Sentence<'s> {
    words: Vec<&'s str>,
    /// Whether the vote itself stands in it.
    is_first: bool,
}

impl<'s> Sentence<'s> {
    fn of(said: &'s str) -> Self {
        let words: Vec<&str> = said.split_whitespace().collect();
        let stop = words.iter().rposition(|word| word.trim_end_matches([')', ']', '"', '\u{201d}']).ends_with(STOPS));
        let from = stop.map_or(0, |at| at + 1);
        Self { words: words[from..].to_vec(), is_first: from == 0 }
    }

    fn plain(word: &str) -> String {
        folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))
    }

    /// Whether nothing but a vote stands in it.
    fn is_plain(&self) -> bool {
        let is_of_vote = |word: &&str| {
            let word = Self::plain(word);
            word.is_empty() || word.starts_with(|char: char| char.is_ascii_digit()) || OF_VOTES.contains(&&*word)
        };
        self.is_first && self.words.iter().all(is_of_vote)
    }

    /// Whether a time or a condition begins at a word.
    fn waits(&self, at: usize) -> bool {
        waits::begins(&self.words[at..]).is_some_and(|(sense, _)| HEDGES.contains(&sense))
    }

    /// Whether it speaks of a time or a condition, before a reason.
    fn is_hedged(&self) -> bool {
        let most = if self.is_first { self.words.len() } else { HEDGE_MAX_WORDS };
        // A phrase may go on behind them.
        (0..most.min(self.words.len())).any(|at| self.waits(at))
    }

    /// Whether a reason stands in it, behind the word of the vote and before any time or condition of another sentence.
    fn reasons(&self) -> bool {
        let is_voted = |word: &&str| VOTED.contains(&&*Self::plain(word));
        let voted = self.words.iter().position(is_voted).filter(|_| self.is_first);
        for (at, word) in self.words.iter().enumerate().skip(voted.unwrap_or(0)) {
            let plain = Self::plain(word);
            if !self.is_first && self.waits(at) {
                return false;
            }
            let of_vote = self.is_first && voted.is_none();
            if (voted != Some(at) && REASONS.contains(&&*plain)) || (word.ends_with(':') && !of_vote) {
                return true;
            }
        }
        false
    }
}
