//! How far a value goes that is no text: a word, or as many as its kind is made of.
//!
//! Names of people and times are read beside (`english`, `steps`). Whether a value is one of its kind is absent.

use super::{
    Command, Found, Kind, Line, Param, Problem, ROOM_KEY, VALUE_MAX_WORDS, bare_text, dependent, ends, folded, join,
    kind, marked, times, without_stops,
};

/// Most words that are joined to the name of a display, as in `match alpha beta`.
const DISPLAY_MAX_WORDS: usize = 4;

impl Line<'_, '_> {
    /// A value that is not the rest of the message: a word, or as many as its kind is made of.
    pub(super) fn value(&mut self, command: &Command, found: &Found, param: &Param) -> Result<String, Problem> {
        if param.list {
            return self.words(command, found, usize::MAX).map(|words| join(&words));
        }
        if self.reader.at_quote() {
            return self.one_word();
        }
        match param.kind {
            Kind::Phrase => {
                let words = self.words(command, found, usize::MAX)?.join(" ");
                let words = match self.catalogue.takes_letters() && dependent::announces(command) {
                    true => dependent::bare(&words).to_owned(),
                    false => words,
                };
                // Commas stand between several, and nothing behind the last.
                Ok(if param.several { without_stops(&words).to_owned() } else { words })
            }
            Kind::Word => {
                self.skip_display(param);
                self.words_before_choice(command, found, param)
            }
            Kind::When => self.occasion(command, param),
            Kind::Player => self.somebody(command, found, param),
            Kind::Id => {
                self.skip_noun(param);
                self.one_word()
            }
            Kind::Display => self.words(command, found, DISPLAY_MAX_WORDS).map(|words| words.join("/")),
            Kind::Rule => {
                self.skip_to_number();
                self.one_word()
            }
            kind if kind.spans_words() => self.longest(param),
            _ => self.one_word(),
        }
    }

    /// Goes over `the display` before the name of one.
    fn skip_display(&mut self, param: &Param) {
        let (mut ahead, mut word) = (self.reader, String::new());
        while param.name == "display" && ["", "the", "public"].contains(&&*word) {
            word = ahead.bare().map_or("display".to_owned(), |word| folded(&word));
        }
        ahead.skip_space(false);
        if word == "display" && !ahead.at_stop() {
            self.reader = ahead;
        }
    }

    /// Goes over `rule` before the number of one, and over `and` between two.
    fn skip_to_number(&mut self) {
        let mut ahead = self.reader;
        loop {
            let before = ahead;
            let Some(word) = ahead.bare().map(|word| folded(without_stops(&word))) else { return };
            if word.trim_start_matches('#').starts_with(|char: char| char.is_ascii_digit()) {
                self.reader = before;
                return;
            }
            if !["rule", "rules", "and"].contains(&&*word) {
                return;
            }
            ahead.skip_space(false);
        }
    }

    pub(super) fn one_word(&mut self) -> Result<String, Problem> {
        let Some(word) = self.reader.word().map_err(|_| Problem::OpenQuote)? else { return Ok(String::new()) };
        if word.quoted {
            // `"CURRENT TOURNAMENT": a new text`
            let _ = self.reader.eat(':') || self.reader.eat(',');
        }
        Ok(bare_text(word))
    }

    /// The words up to the next name or marker, or the end.
    pub(super) fn words(&mut self, command: &Command, found: &Found, max: usize) -> Result<Vec<String>, Problem> {
        let (mut words, begun) = (Vec::new(), self.reader.at());
        while words.len() < max {
            self.reader.skip_space(false);
            let mut ahead = self.reader;
            let named = ahead.key(|key| key == ROOM_KEY || command.param(key).is_some()).is_some();
            let marked = marked(&mut { self.reader }, command, found).is_some();
            let mut ahead = self.reader;
            let repeated = !matches!(times(&mut ahead), Ok(None)) && ends(&mut ahead);
            let room = !words.is_empty() && { self.reader }.eat('@');
            if self.reader.at_stop() || named || marked || repeated || room {
                break;
            }
            if !words.is_empty() && self.parts_behind(command, &words, begun)? {
                break;
            }
            if !self.only_stops() {
                words.push(self.listed(command)?);
            }
        }
        Ok(words)
    }

    /// A word; several where one that is chosen comes next and stands only after them: `Foreign Relations down 1`.
    fn words_before_choice(&mut self, command: &Command, found: &Found, param: &Param) -> Result<String, Problem> {
        let after = command.places().skip_while(|other| other.name != param.name).nth(1);
        let choice = after.filter(|next| next.kind == Kind::Choice && !found.args.contains_key(&next.name));
        let (mut here, mut words) = (self.reader, Vec::new());
        while let Some(choice) = choice.filter(|_| words.len() < VALUE_MAX_WORDS) {
            let mut ahead = here;
            let Some(word) = ahead.bare() else { break };
            if !words.is_empty() && kind::read(choice, without_stops(&word)).is_ok() {
                self.reader = here;
                return Ok(without_stops(&words.join(" ")).to_owned());
            }
            words.push(word);
            here = ahead;
        }
        self.one_word()
    }

    /// As many words as together make a value of the kind; the first one alone when none do.
    fn longest(&mut self, param: &Param) -> Result<String, Problem> {
        let mut ahead = self.reader;
        let mut text = String::new();
        let mut best = None;
        for _ in 0..VALUE_MAX_WORDS {
            let Some(word) = ahead.bare() else { break };
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&word);
            let value = without_stops(&text);
            if kind::read(param, value).is_ok() {
                best = Some((value.to_owned(), ahead));
            }
        }
        match best {
            Some((value, after)) => {
                self.reader = after;
                param.unit.iter().for_each(|unit| self.reader.unit(unit));
                Ok(value)
            }
            None => self.one_word(),
        }
    }
}
