//! What is said beside leaving: `I forfeit the game, since I have no time.` (4E4, 4E7)
//!
//! No restriction may be placed on it (B4.8), so that a reason, a courtesy or a word for “at once” keeps nobody. Anything else
//! may say that something else is given up (`I quit as Chairman`), that it is not meant (`I forfeit. That was a joke.`) or that
//! somebody is away for a while: whoever means it is told the one word that does it. Absent: courtesies beside other acts.

use super::{
    Command, Line, Problem, Reader, courtesies,
    english::LEAVE,
    folded,
    parting::{REASONS, STOPS},
    sayable,
    waits::{self, Sense},
    waits_of, without_stops,
};

/// What one leaves.
const GAMES: [&[&str]; 7] =
    [&["the", "game"], &["this", "game"], &["the", "nomic"], &["this", "nomic"], &["b", "nomic"], &["bnomic"], &["b"]];

/// Words that say that it is now.
const NOW: [&[&str]; 12] = [
    &["effective", "immediately"],
    &["effective", "now"],
    &["with", "immediate", "effect"],
    &["starting", "now"],
    &["as", "of", "now"],
    &["as", "of", "today"],
    &["right", "now"],
    &["at", "once"],
    &["immediately"],
    &["hereby"],
    &["today"],
    &["now"],
];

/// What says how one leaves.
const MANNERS: [&[&str]; 14] = [
    &["with", "regret"],
    &["with", "regrets"],
    &["with", "a", "heavy", "heart"],
    &["once", "and", "for", "all"],
    &["for", "good"],
    &["for", "ever"],
    &["forever"],
    &["finally"],
    &["gladly"],
    &["permanently"],
    &["voluntarily"],
    &["too"],
    &["again"],
    &["and"],
];

/// With what a reason begins, which goes on to the end of its sentence.
const WHY: [&[&str]; 22] = [
    &["because"],
    &["since"],
    &["due", "to"],
    &["as", "i"],
    &["as", "my"],
    &["as", "we"],
    &["as", "it"],
    &["as", "there"],
    &["as", "life"],
    &["as", "work"],
    &["for", "lack"],
    &["for", "want"],
    &["for", "personal"],
    &["for", "private"],
    &["for", "family"],
    &["for", "health"],
    &["for", "various"],
    &["no", "time"],
    &["i", "have", "no", "time"],
    &["i", "have", "no", "more", "time"],
    &["i", "am", "too", "busy"],
    &["it", "was", "fun"],
];

/// What tells that words beside it are another's, or not meant.
const UNMEANT: [&str; 21] = [
    "say", "says", "said", "write", "writes", "wrote", "would", "could", "joke", "jokes", "joking", "kidding", "mean",
    "meant", "test", "testing", "pretend", "quote", "quoting", "undo", "wrong",
];

/// Words before what takes it back.
const LEADS: [&str; 10] = ["but", "only", "and", "or", "just", "though", "however", "then", "even", "well"];

/// With what a sentence or a part of one begins that takes back what stands before it.
const RETRACTIONS: [&str; 4] = ["nope", "wait", "actually", "nah"];

fn plain(word: &str) -> String {
    folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))
}

/// Goes over some words if they come next.
fn over<'t>(mut reader: Reader<'t>, wanted: &[&str]) -> Option<Reader<'t>> {
    wanted.iter().all(|wanted| reader.bare().is_some_and(|word| plain(&word) == *wanted)).then_some(reader)
}

/// Goes over one of some phrases.
fn over_any<'t>(reader: Reader<'t>, phrases: &[&[&str]]) -> Option<Reader<'t>> {
    phrases.iter().find_map(|phrase| over(reader, phrase))
}

impl Line<'_, '_> {
    /// Goes over what one leaves, and that it is now: `forfeit the game now.`
    pub(super) fn skip_game(&mut self) {
        let mut ahead = self.reader;
        let remarks = self.catalogue.takes_letters();
        // `#b` is a channel.
        if { ahead }.bare().is_some_and(|word| word.starts_with('#')) {
            return;
        }
        ahead = over_any(ahead, &GAMES[..if remarks { GAMES.len() } else { 2 }]).unwrap_or(ahead);
        ahead = over_any(ahead, &NOW).unwrap_or(ahead);
        let ended = ahead.before().ends_with(['.', ',', '!', ';']);
        ahead.skip_space(false);
        if ended || ahead.at_stop() || remarks {
            self.reader = ahead;
        }
    }

    /// Goes over a remark of whoever leaves, up to an action in a sentence of its own; whether there was one.
    ///
    /// # Errors
    ///
    /// What puts it off or takes it back, and what may be given up instead.
    pub(super) fn skip_remark(&mut self, command: &Command) -> Result<bool, Problem> {
        let before = self.reader.before();
        if command.action != LEAVE || !self.catalogue.takes_letters() || self.reader.at_stop() {
            return Ok(false);
        }
        if before.ends_with('?') {
            return Err(Problem::Asked);
        }
        let (start, mut over) = (self.reader.at(), *self);
        loop {
            let mut word = over.reader;
            if word.word().map_err(|_| Problem::OpenQuote)?.is_none() {
                break;
            }
            over.reader = word;
            if word.before().ends_with(STOPS) && over.says_i() && over.begins_act() {
                break;
            }
        }
        let words: Vec<&str> = over.reader.seen_since(start).split_whitespace().collect();
        let apart = before.ends_with(|sign: char| ".,!;:-\u{2013}\u{2014}\u{2026}".contains(sign))
            || words.first().is_some_and(|word| word.starts_with(|sign: char| !sign.is_alphanumeric()));
        if let Some(said) = put_off(&words, apart) {
            return Err(waits_of(&said.join(" ")));
        }
        if !is_remark(&words) || self.leaves_a_channel() {
            let word = sayable(without_stops(&words.join(" ")).to_owned());
            return Err(Problem::Instead { word });
        }
        self.reader = over.reader;
        Ok(true)
    }

    /// Whether no more than “leave” was said: with a reason or a goodbye beside it, people say so when they leave a
    /// channel.
    fn leaves_a_channel(&self) -> bool {
        self.reader.before().split_whitespace().next_back().is_some_and(|word| plain(word) == "leave")
    }

    /// What stands in the line below an act by which one leaves, and is neither an action nor a courtesy: `I forfeit` and
    /// `That was a joke.` below it.
    ///
    /// It, and where it ends.
    pub(super) fn said_below(&self, command: &Command) -> Option<(String, usize)> {
        if command.action != LEAVE || !self.catalogue.takes_letters() || self.parted {
            return None;
        }
        let mut below = Line { files: 0, ..*self };
        below.reader.skip_separators();
        let start = below.reader.at();
        let mut end = below.reader;
        end.skip_command();
        let words: Vec<&str> = end.seen_since(start).split_whitespace().collect();
        let is_act = { below }.among().is_ok() || { below }.begins_command() || below.begins_act();
        (!words.is_empty() && !is_act && !is_remark(&words)).then(|| (words.join(" "), end.at()))
    }
}

/// Whether a line above says that what stands below it is another's, or not meant, or not now.
pub(super) fn is_headed(above: &str) -> bool {
    let words: Vec<&str> = above.split_whitespace().collect();
    words.iter().any(|word| UNMEANT.contains(&&*plain(word)))
        || put_off(&words, true).is_some()
        || waits::among(&words, &UNSAID).is_some()
}

/// What of some words puts off what stands before them, or takes it back.
fn put_off<'w>(words: &'w [&'w str], apart: bool) -> Option<&'w [&'w str]> {
    let mut sentences = words.split_inclusive(|word| word.ends_with(STOPS));
    let first = sentences.next()?;
    let takes_back = |part: &[&str]| {
        let word = |at: usize| part.get(at).map(|word| plain(word)).unwrap_or_default();
        // “No time for it” takes nothing back.
        let no = word(0) == "no"
            && (part[0].ends_with([',', '.', '!']) || ["", "wait", "i", "not", "sorry"].contains(&&*word(1)));
        no || waits::is_all(part, &|_| false) || RETRACTIONS.contains(&&*word(0))
    };
    let mut parts: Vec<&[&str]> = first.split_inclusive(|word| word.ends_with(',')).collect();
    parts = parts.into_iter().flat_map(before_but).collect();
    let mut reasons = false;
    for (at, part) in parts.iter().enumerate() {
        let lead = part.iter().take_while(|word| LEADS.contains(&&*plain(word))).count();
        let begun = waits::begins(&part[lead..]).map(|(sense, _)| sense);
        reasons |= begun.is_none() && part.get(lead).is_some_and(|word| REASONS.contains(&&*plain(word)));
        let begins = matches!(begun, Some(Sense::Time | Sense::Condition | Sense::Doubt));
        // What is said in one breath with it belongs to it, up to a reason.
        let is_reason = |word: &&str| plain(word) != "for" && REASONS.contains(&&*plain(word));
        let reason = part.iter().position(is_reason).unwrap_or(part.len());
        let among = at == 0 && !apart && waits::among(&part[..reason], &UNSAID).is_some();
        if takes_back(part) || (!reasons && (begins || among)) {
            return Some(part);
        }
    }
    sentences.find(|sentence| takes_back(sentence))
}

/// What says that it is not now, and is no remark.
const UNSAID: [Sense; 3] = [Sense::Time, Sense::Condition, Sense::Doubt];

/// A part of a sentence as what stands before `but` and what stands from there on.
fn before_but<'w>(part: &'w [&'w str]) -> Vec<&'w [&'w str]> {
    let but = part.iter().position(|word| plain(word) == "but").filter(|at| *at > 0);
    but.map_or_else(|| vec![part], |at| vec![&part[..at], &part[at..]])
}

/// Whether some words say no more than why or how one leaves.
fn is_remark(words: &[&str]) -> bool {
    let ends = |word: &&str| word.ends_with(STOPS) || word.ends_with([':', ';']);
    words.split_inclusive(ends).all(|sentence| {
        if sentence.iter().any(|word| UNMEANT.contains(&&*plain(word))) {
            return false;
        }
        let begins = |part: &[&str], phrases: &[&[&str]]| {
            phrases.iter().find(|said| begins_with(part, said)).map(|said| said.len())
        };
        let mut rest = sentence;
        while !rest.is_empty() {
            // Signs by themselves, as a dash, say nothing.
            if plain(rest[0]).is_empty() {
                rest = &rest[1..];
            } else if begins(rest, &WHY).is_some() {
                return true;
            } else if let Some(over) = begins(rest, &NOW).or_else(|| begins(rest, &MANNERS)) {
                rest = &rest[over..];
            } else {
                let part = rest.iter().position(|word| word.ends_with(',')).map_or(rest.len(), |at| at + 1);
                // “All my points” is none, where “goodbye, all” is one.
                let of_you = plain(rest[part - 1]) == "you";
                let speaks = part == 1 || of_you || !["all", "everyone", "friends", "well"].contains(&&*plain(rest[0]));
                if !speaks || part > COURTESY_MAX_WORDS || !courtesies::is_farewell(&rest[..part]) {
                    return false;
                }
                rest = &rest[part..];
            }
        }
        true
    })
}

/// Most words of a courtesy to those who stay.
const COURTESY_MAX_WORDS: usize = 8;

fn begins_with(words: &[&str], said: &[&str]) -> bool {
    words.len() >= said.len() && words.iter().zip(said).all(|(word, said)| plain(word) == *said)
}
