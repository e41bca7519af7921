//! What people write who write sentences: `I forfeit`, `take the Ministry of Time`, `give m5 to Ann`.
//!
//! Only how a command is called and in which order its values stand; which command a longer name means stands beside. A
//! text is never searched for such words: in prose they would be found too easily.

use std::sync::Arc;

use super::{
    Command, Found, GrammarError, Kind, Line, Param, Problem, VALUE_MAX_WORDS, courtesies, dependent, folded, is_short,
    kind,
    parting::STOPS,
    waits::{self, Sense},
    without_stops,
};

/// Words that say nothing between the others.
const FILLERS: [&str; 7] = ["of", "the", "a", "this", "my", "to", "hereby"];

/// Words between “I” and what is done that change nothing of it.
const BESIDE_I: [&str; 7] = ["hereby", "also", "now", "then", "therefore", "thus", "further"];

/// Most words of a name that say something.
const PHRASE_MAX_WORDS: usize = 5;

/// The action that ends one's part in the game, and the one that begins it.
pub(super) const LEAVE: &str = "leave";
pub(super) const JOIN: &str = "join";

/// The word before what must be over.
pub(super) const AFTER: &str = "after";

/// Whose request or proposal some words mean: `Ivy's request`, `the request of Ivy`.
fn whose(words: &str) -> &str {
    let owner = ["'s request", "\u{2019}s request", "'s refresh proposal", "\u{2019}s refresh proposal"]
        .iter()
        .find_map(|behind| words.strip_suffix(behind));
    let words = owner.unwrap_or(words);
    let before = ["the request of ", "request of ", "of ", "from "];
    before.iter().find_map(|before| words.strip_prefix(before)).unwrap_or(words)
}

/// Whether a command begins with a time.
pub(super) fn is_timed(command: &Command) -> bool {
    command.places().next().is_some_and(|param| param.kind == Kind::When)
}

impl<'t> Line<'_, 't> {
    /// The command that comes next: by its name, with `I` before it, or by the last word of a name of two words where that
    /// is the end of one only.
    pub(super) fn said(&mut self) -> Result<Arc<Command>, GrammarError> {
        let start = self.reader;
        match self.spoken() {
            Some(command) => Ok(command),
            None => {
                self.reader = start;
                self.name()
            }
        }
    }

    /// The same, where one comes next; else nothing is told.
    pub(super) fn spoken(&mut self) -> Option<Arc<Command>> {
        let start = self.reader.at();
        let named = { *self }.known().is_some();
        let command = self.called()?;
        let command = if named { command } else { self.paid(command) };
        self.told = !named;
        if command.action == LEAVE {
            self.skip_game();
        }
        // What a courtesy says behind it changes nothing, and nothing is asked of whoever goes (B4.8).
        let parts = self.reader.since(start).trim_end().ends_with(['.', ',', '!', ';']);
        let reads_remarks = command.action == LEAVE && self.catalogue.takes_letters();
        if parts && !reads_remarks && [LEAVE, JOIN].contains(&&*command.action) {
            let mut over = self.reader;
            over.skip_command();
            let said: Vec<&str> = over.seen_since(self.reader.at()).split_whitespace().collect();
            if courtesies::is_farewell(&said) {
                self.reader = over;
            }
        }
        if command.action == JOIN {
            self.skip_to_name();
        }
        Some(self.sibling(&command).unwrap_or(command))
    }

    /// Goes over what stands between a request to join and the name: `the game under the name Ian` (4E4).
    fn skip_to_name(&mut self) {
        const NAMES: [&[&str]; 5] =
            [&["under", "the", "name"], &["by", "the", "name"], &["with", "the", "name"], &["as"], &["called"]];
        let begun = self.reader;
        let goes_over = |reader: &mut super::Reader<'_>, wanted: &[&str]| {
            let mut ahead = *reader;
            let all =
                wanted.iter().all(|wanted| ahead.bare().is_some_and(|word| folded(without_stops(&word)) == *wanted));
            ahead.skip_space(false);
            if all {
                *reader = ahead;
            }
            all
        };
        let mut ahead = begun;
        let game = goes_over(&mut ahead, &["the", "game"]);
        let named = NAMES.iter().any(|words| goes_over(&mut ahead, words));
        let _ = named && goes_over(&mut ahead, &["of"]);
        // Where a name stands alone, it may begin with such words.
        let told = game || NAMES[..3].iter().any(|words| goes_over(&mut { begun }, words));
        if (named && told && !ahead.at_stop()) || (game && ahead.at_stop()) {
            self.reader = ahead;
        }
    }

    fn called(&mut self) -> Option<Arc<Command>> {
        let start = self.reader;
        if let Some(command) = self.phrase() {
            return Some(command);
        }
        if let Some(command) = self.known() {
            // `after nday 8` means the end of it: the word is part of the time.
            let mut ahead = start;
            if is_timed(&command) && ahead.bare().is_some_and(|word| folded(&word) == AFTER) {
                self.reader = start;
            }
            return Some(command);
        }
        if let Some(command) = self.at_a_time(start) {
            return Some(command);
        }
        let mut ahead = start;
        if ahead.bare().is_some_and(|word| folded(&word) == "i") {
            let mut behind = ahead;
            while behind.bare().is_some_and(|word| BESIDE_I.contains(&&*folded(without_stops(&word)))) {
                ahead = behind;
            }
            self.reader = ahead;
            return self.known().or_else(|| self.by_last_word(ahead));
        }
        self.by_last_word(start)
    }

    /// The command with a name of several words between which others stand that say nothing: `turn the Clock On`, `start of
    /// the transaction`.
    pub(super) fn phrase(&mut self) -> Option<Arc<Command>> {
        let (mut ahead, mut said, mut over) = (self.reader, Vec::new(), 0);
        let mut found = None;
        while said.len() < PHRASE_MAX_WORDS && !ahead.at_stop() {
            let Some(word) = ahead.bare() else { break };
            let word = folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()));
            // Signs before the words are an ornament.
            let is_first = said.is_empty() && (["i", ""].contains(&&*word) || (over > 0 && BESIDE_I.contains(&&*word)));
            ahead.skip_space(false);
            if is_first || (!said.is_empty() && FILLERS.contains(&&*word)) {
                over += 1;
                continue;
            }
            said.push(word);
            if said == [dependent::INTEND]
                && let Some(behind) = dependent::over_how(ahead)
            {
                (ahead, over) = (behind, over + 1);
                ahead.skip_space(false);
            }
            let named = || self.catalogue.get(&said.join(" ")).cloned();
            if said.len() > 2 || (said.len() == 2 && over > 0) {
                found = named().map(|command| (command, ahead)).or(found);
            }
        }
        let (command, after) = found?;
        self.reader = after;
        Some(command)
    }

    /// The command that sets something for a time, where a time with a colon stands alone: `tomorrow: vote 3 FOR`.
    fn at_a_time(&mut self, from: super::Reader<'_>) -> Option<Arc<Command>> {
        let mut ahead = self.reader.to(from.at());
        let words: Vec<String> = std::iter::from_fn(|| ahead.bare()).take(VALUE_MAX_WORDS).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // What stands before a time only is a command already, and no condition is a time.
        let is_time = matches!(waits::begins(&words), Some((Sense::Time | Sense::Edge, _)));
        if !is_time || !words.iter().any(|word| word.ends_with([':', '\u{ff1a}'])) {
            return None;
        }
        self.catalogue.commands().iter().find(|command| is_timed(command)).cloned()
    }

    fn by_last_word(&mut self, from: super::Reader<'_>) -> Option<Arc<Command>> {
        let mut ahead = self.reader.to(from.at());
        let word = folded(without_stops(&ahead.bare()?));
        // What moderators and everybody do in rooms is said in full.
        let is = |command: &&Arc<Command>| {
            !command.group.games.is_empty() && command.name.split_once(' ').is_some_and(|(_, last)| last == word)
        };
        let mut found = self.catalogue.commands().iter().filter(is);
        let only = found.next().filter(|_| found.next().is_none()).cloned()?;
        self.reader = ahead;
        Some(only)
    }

    /// Somebody's name: all words that are left where nothing else comes, or those before an amount; else one word.
    pub(super) fn somebody(&mut self, command: &Command, found: &Found, param: &Param) -> Result<String, Problem> {
        let mut after =
            command.places().filter(|other| other.name != param.name && !found.args.contains_key(&other.name));
        match after.next() {
            None => {
                let most = self.first_of_names(command).unwrap_or(VALUE_MAX_WORDS);
                let words = self.words(command, found, most)?.join(" ");
                return Ok(whose(&words).to_owned());
            }
            Some(next) if next.kind == Kind::Phrase => {}
            Some(_) => return self.one_word(),
        }
        let (mut here, mut words) = (self.reader, Vec::new());
        while words.len() < VALUE_MAX_WORDS {
            let mut ahead = here;
            let Some(word) = ahead.bare() else { break };
            // A unit may stand apart: `Ann m 2`.
            let unit = word.chars().count() == 1 && { ahead }.bare().is_some_and(|next| kind::begins_amount(&next));
            if !words.is_empty() && (kind::begins_amount(&word) || unit) {
                self.reader = here;
                return Ok(without_stops(&words.join(" ")).to_owned());
            }
            words.push(word);
            here = ahead;
        }
        self.one_word()
    }

    /// A short text that its writer quoted: it ends with its mark, where the command does.
    pub(super) fn short_quotation(&mut self, param: &Param) -> Option<String> {
        let mut ahead = self.reader;
        ahead.skip_space(true);
        if param.kind != Kind::Text || !is_short(param) || !ahead.at_quote() {
            return None;
        }
        let word = ahead.word().ok().flatten()?;
        ahead.skip_space(false);
        ahead.at_stop().then(|| self.reader = ahead)?;
        Some(word.text)
    }

    /// Whether a title stands next that only its writer could tell from the text behind it: `I propose that we play on`, `a new
    /// rule: text`.
    pub(super) fn guesses_title(&self, command: &Command, param: &Param, found: &Found) -> bool {
        const NO_TITLES: [&str; 9] = ["a", "an", "the", "that", "to", "this", "we", "my", "our"];
        let before_text = command.rest().is_some_and(|rest| rest.kind == Kind::Text);
        if param.name != "title" || param.kind != Kind::Word || !before_text || !self.catalogue.takes_letters() {
            return false;
        }
        let word = { self.reader }.bare();
        let behind_number = !found.args.is_empty() && self.reader.before().ends_with(':');
        word.is_some_and(|word| self.told || behind_number || NO_TITLES.contains(&&*word))
    }

    /// Goes over what a number is the number of: `withdraw proposal 3`.
    pub(super) fn skip_noun(&mut self, param: &Param) {
        let mut ahead = self.reader;
        let is_noun = |word: &str| {
            let one = word.strip_suffix('s').unwrap_or(word);
            ["to", "the", "no"].contains(&word) || [&*param.name, "number", "intention", "act", "action"].contains(&one)
        };
        let mut here = ahead;
        while here.bare().is_some_and(|word| is_noun(&folded(without_stops(&word)))) {
            here.skip_space(false);
            ahead = here;
        }
        if { ahead }.bare().is_some_and(|word| kind::read(param, without_stops(&word)).is_ok()) {
            self.reader = ahead;
        }
    }

    /// The command of two words that is meant where the second word of another one stands before the number: `chairman
    /// apply tweak 1`.
    fn sibling(&mut self, command: &Arc<Command>) -> Option<Arc<Command>> {
        command.places().next().filter(|param| param.kind == Kind::Id)?;
        let mut ahead = self.reader;
        let word = folded(without_stops(&ahead.bare()?));
        let other = self.catalogue.get(&format!("{} {word}", command.head()?))?.clone();
        let number = other.places().next().filter(|param| param.kind == Kind::Id)?;
        kind::read(number, without_stops(&{ ahead }.bare()?)).ok()?;
        self.reader = ahead;
        Some(other)
    }

    /// Whether a player who could stand here stands behind the word for it: `give m5 to Ann`.
    pub(super) fn comes_later(&self, param: &Param) -> bool {
        let Some(marker) = param.marker.as_deref().filter(|_| param.kind == Kind::Player) else { return false };
        let mut ahead = self.reader;
        while let Ok(Some(word)) = ahead.word() {
            if !word.quoted && folded(&word.text) == marker {
                return true;
            }
            // What is said in another sentence belongs to that.
            if !word.quoted && word.text.ends_with(STOPS) {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::{Catalogue, parse};

    fn read(text: &str) -> Vec<String> {
        let catalogue = Catalogue::all().for_games(&["bnomic"]);
        let one = |typed: &crate::catalogue::Typed| {
            let args: Vec<String> = typed.args.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{} {}", typed.command.name, args.join(" ")).trim().to_owned()
        };
        parse(&catalogue, text, 0).iter().map(|typed| typed.as_ref().map_or_else(|_| "?".to_owned(), one)).collect()
    }

    #[test]
    fn a_sentence_is_as_good_as_a_command() {
        for (said, meant) in [
            ("I forfeit.", "leave"),
            ("forfeit", "leave"),
            ("I forfeit the game.", "leave"),
            ("I forfeit. Goodbye, all of you", "leave"),
            ("I forfeit, sadly", "leave"),
            ("I forfeit. Who would not?", "?"),
            ("I forfeit since I have no time", "leave"),
            ("I forfeit law", "?"),
            ("Leave Ann in peace", "?"),
            ("I forfeit, if 1 passes", "?"),
            ("leave, at nday 8", "?"),
            ("I forfeit. Tomorrow.", "?"),
            ("I forfeit, perhaps", "?"),
            ("I forfeit. Not really.", "?"),
            ("I forfeit. April fool!", "?"),
            ("I forfeit?!", "?"),
            ("join. Hello!", "join"),
            ("join?", "?"),
            ("I hereby forfeit!", "leave"),
            ("I hereby give Bob m5", "mackerel give amount=m5 to=Bob"),
            ("> hi; give Bob m5", ""),
            ("--- End of Transaction ---", "?"),
            ("** Begin the Transaction **", "?"),
            ("I forfeit?", "?"),
            ("give Bob m5?", "?"),
            ("tomorrow\ngive Bob m5", "?"),
            ("The following is a transaction:\ngive Bob m5", "?"),
            ("Start of the Transaction:\nclock on\nEnd of Transaction.", "transaction actions=clock on"),
            ("I begin a transaction; clock on; I end my transaction", "transaction actions=clock on"),
            ("three times give Bob m1", "mackerel give amount=m1 to=Bob"),
            ("3 times", "?"),
            ("I also give Bob m1", "mackerel give amount=m1 to=Bob"),
            ("pay A Few to Bob", "mackerel give amount=A Few to=Bob"),
            ("ministry pay Law up 5", "ministry pay amount=5 ministry=Law way=up"),
            ("I pay 5 points to increase the Retainer of Law.", "ministry pay amount=5 points ministry=Law way=up"),
            ("pay 5 to lower Foreign Relations' Retainer", "ministry pay amount=5 ministry=Foreign Relations way=down"),
            ("take Goods, Play and Judging", "ministry take ministry=Goods, Play and Judging"),
            ("join soon", "?"),
            ("join \"soon\"", "join name=soon"),
            ("draft withdraw proposal 3 yes", "draft withdraw proposal=3 sure=yes"),
            ("chairman apply tweak 1 => clock", "chairman tweak text==> clock tweak=1"),
            ("intend retitle 16 \"Bar\"", "intend retitle rule=16 title=Bar"),
            ("mackerel give Beast m 2", "mackerel give amount=m 2 to=Beast"),
            ("I give Bob m1", "mackerel give amount=m1 to=Bob"),
            ("give m1 to Bob", "mackerel give amount=m1 to=Bob"),
            ("mackerel give A Few to \"Ann Lee\"", "mackerel give amount=A Few to=Ann Lee"),
            ("I give Ann Lee m1", "mackerel give amount=m1 to=Ann Lee"),
            ("give m1 to Ann Lee.", "mackerel give amount=m1 to=Ann Lee"),
            ("mackerel give the Ministry of Law A Few", "mackerel give amount=A Few to=the Ministry of Law"),
            ("ratify Ann Lee 2 times", "ratify player=Ann Lee"),
            ("mackerel give Ann A Few", "mackerel give amount=A Few to=Ann"),
            ("turn the Clock On", "clock on"),
            ("I put the Clock Off.", "clock off"),
            ("I am Paranoid", "panic"),
            ("I set my Mental State to Calm.", "calm"),
            ("usurp Law", "ministry usurp ministry=Law"),
            ("I resign from the Ministry of Law", "ministry resign ministry=from the Ministry of Law"),
            ("I object to intention 2", "object intent=2"),
            ("support 2", "support intent=2"),
            ("answer duty 2: it is right", "answer duty=2 text=it is right"),
            ("I ratify Ivy's request", "ratify player=Ivy"),
            ("ratify the request of Ann Lee", "ratify player=Ann Lee"),
            ("I take the Ministry of Time", "ministry take ministry=the Ministry of Time"),
            ("resign Law", "ministry resign ministry=Law"),
            ("tomorrow: vote 3 FOR", "schedule actions=vote 3 FOR when=tomorrow"),
            ("after 2 ndays: clock on", "schedule actions=clock on when=after 2 ndays"),
            ("End of nday 3: clock on", "schedule actions=clock on when=End of nday 3"),
        ] {
            let meant: Vec<&str> = Some(meant).filter(|meant| !meant.is_empty()).into_iter().collect();
            assert_eq!(read(said), meant, "{said}");
        }
        // What moderators do, and what several names end in, is said in full.
        for said in ["I think so", "open bnomic main", "close", "object 3 I", "i"] {
            assert!(read(said).iter().all(|meant| meant == "?"), "{said}");
        }
    }

    #[test]
    fn numbers_in_a_list_are_acts_of_their_own() {
        assert_eq!(
            read("unschedule 1, 2 and 3"),
            ["unschedule number=1", "unschedule number=2", "unschedule number=3"]
        );
        assert_eq!(read("support 1 & 2; calm"), ["support intent=1", "support intent=2", "calm"]);
        assert_eq!(read("support 1 2"), ["?"]);
    }

    #[test]
    fn what_waits_behind_an_action_stops_it() {
        for said in
            ["give Bob m1; but only if Dan does", "panic\ntomorrow", "vote 1 FOR\n2 times", "I forfeit; at nday 8"]
        {
            assert_eq!(read(said)[0], "?", "{said}");
        }
        for said in ["panic\nat nday 8: calm", "panic\nat nday 8\ncalm", "panic\nAfter all.", "panic\ntomorrow:\ncalm"]
        {
            assert_eq!(read(said)[0], "panic", "{said}");
        }
    }

    #[test]
    fn prose_below_a_command_is_not_searched_for_it() {
        let text = "propose \"x\"\nTake the Ministry of Time from Ann.\nI give nothing.";
        assert_eq!(read(text).len(), 1);
    }
}
