//! Several actions in one line, as sentences: `I vote FOR 3. I give Dan m5.` (4E7, B7.3, B7.4)
//!
//! A full stop parts them where the next sentence begins like an action, and nothing of it is dropped in silence: it is done,
//! or refused by itself. Behind a vote so does “then”, and a reason goes on over all but a full stop. What no action
//! begins stays with what is before it. What a reason is worth is absent.

use super::{Command, Found, Line, Problem, english::is_timed, times};
use crate::catalogue::clean::{folded, without_stops};

/// What ends a sentence.
pub(super) const STOPS: [char; 4] = ['.', '!', '?', '\u{2026}'];

/// Words with which a reason begins.
const REASONS: [&str; 5] = ["because", "since", "as", "for", "so"];

impl Line<'_, '_> {
    /// Whether a command that has all it needs ends here, since another sentence begins that is an action.
    pub(super) fn parts(&mut self, command: &Command, found: &Found) -> bool {
        let lacks = command
            .params
            .iter()
            .any(|param| command.demands(param, &found.args) && !found.args.contains_key(&param.name));
        if lacks || !self.is_letter_without_text(command) || !self.reader.before().ends_with(STOPS) {
            return false;
        }
        self.parted = self.says_i() && self.begins_act();
        self.parted
    }

    /// The same among the words of its last value.
    pub(super) fn parts_behind(&mut self, command: &Command, words: &[String]) -> bool {
        if !self.is_letter_without_text(command) {
            return false;
        }
        let before = self.reader.before();
        let stops = before.ends_with(STOPS);
        // Anything but a list is a name, which may have a stop in it.
        if !command.params.iter().any(|param| param.list) {
            self.parted = stops && self.says_i() && self.begins_act();
            return self.parted;
        }
        let depth =
            |sign: [char; 2]| words.iter().flat_map(|word| word.chars()).filter(|char| sign.contains(char)).count();
        if depth(['(', '[']) > depth([')', ']']) {
            return false;
        }
        let reasoned = words.iter().skip(1).any(|word| REASONS.contains(&&*folded(word)));
        let mut behind = *self;
        let joined = behind.skips(&["and", "then"]);
        let marked = joined || before.ends_with([',', '-', '\u{2014}']);
        if (stops || (marked && !reasoned)) && behind.begins_act() {
            self.reader = behind.reader;
            self.parted = true;
        }
        self.parted
    }

    /// A word among others, with the signs behind it where these say how the others are meant.
    pub(super) fn listed(&mut self, command: &Command) -> Result<String, Problem> {
        let (mut ahead, lists) = (self.reader, command.params.iter().any(|param| param.list));
        match ahead.bare().filter(|_| lists && self.is_letter_without_text(command)) {
            Some(word) => {
                self.reader = ahead;
                Ok(word)
            }
            None => self.one_word(),
        }
    }

    fn is_letter_without_text(&self, command: &Command) -> bool {
        self.catalogue.takes_letters() && command.rest().is_none() && command.acts_in_game()
    }

    fn says_i(&self) -> bool {
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
    fn begins_act(&self) -> bool {
        let mut end = self.reader;
        end.skip_command();
        let mut line = Line { reader: self.reader.up_to(end.at()), files: 0, ..*self };
        let _ = times(&mut line.reader);
        line.reader.skip_space(false);
        // Prose often begins with "in" or "on" as well.
        let is_act = |command: &Command| {
            command.acts_in_game() && (!is_timed(command) || end.seen_since(self.reader.at()).contains(':'))
        };
        line.spoken().is_some_and(|command| is_act(&command))
    }
}
