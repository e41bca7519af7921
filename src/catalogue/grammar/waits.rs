//! Words that say when something shall be, on what condition, or that it is in doubt: one table for all who read sentences.
//!
//! It is asked before a title of what follows (`parting`), behind whoever goes or comes (`english`), at the head of lines
//! (`steps`), behind an action in the line below it, and behind a vote. Where one of them means fewer senses, it says why.
//! Which times the Clock of a room knows besides is absent: whoever asks brings them.

use crate::{catalogue::clean::folded, kernel::rulebook::numeral::MONTHS};

/// What some words say of an action beside which they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sense {
    /// When it is done.
    Time,
    /// The same at the beginning only, before a period: `end nday 8`.
    Edge,
    /// The same before a time only: `at`. Prose is full of them.
    Toward,
    /// On what it hangs.
    Condition,
    /// On what another action hangs, behind them: `otherwise`.
    Other,
    /// That it may be meant.
    Doubt,
    /// That it is not meant.
    Denial,
}

use Sense::{Condition, Denial, Doubt, Edge, Other, Time, Toward};

const TABLE: [(&str, Sense); 91] = [
    ("tomorrow", Time),
    ("tonight", Time),
    ("later", Time),
    ("soon", Time),
    ("next", Time),
    ("nday", Time),
    ("ndays", Time),
    ("nweek", Time),
    ("nweeks", Time),
    ("ndelay", Time),
    ("ndelays", Time),
    ("midnight", Time),
    ("noon", Time),
    ("eventually", Time),
    ("someday", Time),
    ("sometime", Time),
    ("effective", Time),
    ("as of", Time),
    ("as from", Time),
    ("end of", Time),
    ("start of", Time),
    ("beginning of", Time),
    ("this morning", Time),
    ("this afternoon", Time),
    ("this evening", Time),
    ("this weekend", Time),
    ("in the morning", Time),
    ("in the afternoon", Time),
    ("in the evening", Time),
    ("in due time", Time),
    ("in due course", Time),
    ("monday", Time),
    ("tuesday", Time),
    ("wednesday", Time),
    ("thursday", Time),
    ("friday", Time),
    ("saturday", Time),
    ("sunday", Time),
    ("end", Edge),
    ("start", Edge),
    ("beginning", Edge),
    ("at", Toward),
    ("in", Toward),
    ("by", Toward),
    ("on", Toward),
    ("from", Toward),
    ("during", Toward),
    ("if", Condition),
    ("iff", Condition),
    ("unless", Condition),
    ("when", Condition),
    ("whenever", Condition),
    ("once", Condition),
    ("until", Condition),
    ("till", Condition),
    ("while", Condition),
    ("after", Condition),
    ("before", Condition),
    ("provided", Condition),
    ("providing", Condition),
    ("assuming", Condition),
    ("supposing", Condition),
    ("should", Condition),
    ("pending", Condition),
    ("contingent", Condition),
    ("conditional", Condition),
    ("conditionally", Condition),
    ("depending", Condition),
    ("subject to", Condition),
    ("given that", Condition),
    ("in case", Condition),
    ("on condition", Condition),
    ("on the condition", Condition),
    ("with the condition", Condition),
    ("as soon as", Condition),
    ("as long as", Condition),
    ("so long as", Condition),
    ("otherwise", Other),
    ("else", Other),
    ("maybe", Doubt),
    ("perhaps", Doubt),
    ("possibly", Doubt),
    ("probably", Doubt),
    ("presumably", Doubt),
    ("hopefully", Doubt),
    ("not", Denial),
    ("never", Denial),
    ("kidding", Denial),
    ("joking", Denial),
    ("fool", Denial),
    ("says", Denial),
];

/// What begins so and says nothing of the kind.
const IDIOMS: [&str; 19] = [
    "after all",
    "at all",
    "at last",
    "at once",
    "by all means",
    "if anything",
    "if i may",
    "if you ask",
    "in the end",
    "not only",
    "once again",
    "once and for",
    "once more",
    "should be",
    "should do",
    "should have",
    "should help",
    "should make",
    "should work",
];

/// Words that are nobody's name without quotation marks, beside those of the table. What is nobody's name with them either is
/// the game's to say.
const NO_NAMES: [&str; 39] = [
    "a",
    "an",
    "us",
    "we",
    "them",
    "they",
    "him",
    "her",
    "he",
    "she",
    "this",
    "that",
    "these",
    "those",
    "here",
    "there",
    "too",
    "also",
    "again",
    "now",
    "today",
    "yes",
    "no",
    "up",
    "as",
    "with",
    "and",
    "or",
    "but",
    "so",
    "please",
    "thanks",
    "immediately",
    "asap",
    "anyway",
    "already",
    "instead",
    "under",
    "yet",
];

/// Words before a time or a condition that stands alone: `but only if`, `that is, tomorrow`.
const LEADS: [&str; 27] = [
    "but", "only", "and", "just", "or", "though", "however", "well", "then", "also", "even", "please", "ok", "okay",
    "oh", "that", "this", "it", "is", "i", "mean", "my", "vote", "counts", "holds", "stands", "valid",
];

/// Words of a time, beside months and those of the table: they say when by themselves.
const UNITS: [&str; 17] = [
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "hour",
    "hours",
    "minute",
    "minutes",
    "rday",
    "rdays",
    "voting",
    "ballotday",
    "utc",
];

/// Words in a time that say nothing by themselves.
const BETWEEN: [&str; 30] = [
    "of", "the", "this", "that", "a", "an", "and", "or", "period", "time", "from", "now", "then", "please", "thanks",
    "sharp", "exactly", "latest", "earliest", "earlier", "not", "one", "two", "three", "four", "five", "six", "few",
    "couple", "only",
];

/// Most words of a phrase in the lists here.
const PHRASE_MAX_WORDS: usize = 3;
/// Most words of a time that only the Clock of a room knows.
const TIME_MAX_WORDS: usize = 7;
/// Most words of a sentence that takes back what stands before it.
const DENIAL_MAX_WORDS: usize = 4;

fn plain(word: &str) -> String {
    folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))
}

/// The first words as they are compared: as many as a phrase of the lists here has at most.
fn head(words: &[&str]) -> Vec<String> {
    words.iter().take(PHRASE_MAX_WORDS).map(|word| plain(word)).collect()
}

/// How many words of a phrase some words begin with: all of them, or none.
fn begins_with(head: &[String], phrase: &str) -> Option<usize> {
    let count = phrase.split(' ').count();
    let all = head.len() >= count && phrase.split(' ').zip(head).all(|(wanted, word)| word == wanted);
    all.then_some(count)
}

/// What the first of some words say, and how many these are.
pub(crate) fn begins(words: &[&str]) -> Option<(Sense, usize)> {
    let head = head(words);
    if idiom(&head).is_some() {
        return None;
    }
    let found = TABLE.iter().filter_map(|(phrase, sense)| Some((*sense, begins_with(&head, phrase)?)));
    found.max_by_key(|(_, count)| *count)
}

fn idiom(head: &[String]) -> Option<usize> {
    IDIOMS.iter().find_map(|idiom| begins_with(head, idiom))
}

/// Whether a word says something else than a name where somebody asks to join: `join soon`, `join us` (4E4).
pub(crate) fn is_no_name(word: &str) -> bool {
    let word = plain(word);
    NO_NAMES.contains(&&*word) || TABLE.iter().any(|(phrase, sense)| *phrase == word && *sense != Edge)
}

/// The first of some words that have one of these senses, as they stand.
pub(crate) fn among(words: &[&str], senses: &[Sense]) -> Option<String> {
    let mut at = 0;
    while at < words.len() {
        if let Some((_, count)) = begins(&words[at..]).filter(|(sense, _)| senses.contains(sense)) {
            let said: Vec<String> = words[at..at + count].iter().map(|word| plain(word)).collect();
            return Some(said.join(" "));
        }
        at += idiom(&head(&words[at..])).unwrap_or(1);
    }
    None
}

/// Whether some words say nothing but when, on what condition, or that something is not meant: `but only if Dan does`,
/// `at nday 11`, `just kidding`. What such words begin and another clause ends says something else: `if it passes, we lose`.
pub(crate) fn is_all(words: &[&str], is_time: &dyn Fn(&str) -> bool) -> bool {
    let words: Vec<&str> = words.iter().copied().filter(|word| !plain(word).is_empty()).collect();
    let mut rest = &words[..];
    let (mut only, mut speaks) = (false, false);
    while let Some(first) = rest.first().map(|word| plain(word)) {
        let is_said = begins(rest).is_some() || timed(rest, is_time) > 0;
        if is_said || !LEADS.contains(&&*first) {
            break;
        }
        only |= first == "only";
        speaks |= first == "is";
        rest = &rest[1..];
    }
    let takes_back = ["kidding", "joking", "april fool", "april fools"];
    if words.len() <= DENIAL_MAX_WORDS
        && (0..words.len()).any(|at| takes_back.iter().any(|said| begins_with(&head(&words[at..]), said).is_some()))
    {
        return true;
    }
    let is_time_of_day = rest.first().is_some_and(|word| self::is_time_of_day(&plain(word)));
    if is_time_of_day || timed(rest, is_time) > 0 {
        return is_when(rest, is_time);
    }
    match begins(rest) {
        Some((Time | Edge | Toward, _)) => is_when(rest, is_time),
        Some((Condition, count)) => only || !has_clause(&rest[count..]),
        Some((Doubt, count)) => rest.len() == count || is_all(&rest[count..], is_time),
        // “It is not” denies something else.
        Some((Denial, _)) if speaks => false,
        Some((Denial, count)) => {
            const STILL: [&str; 7] = ["really", "yet", "now", "today", "so", "quite", "mind"];
            let behind = &rest[count..];
            let says = plain(rest[0]) == "says" && behind.len() <= 2;
            let still = behind.len() == 1 && STILL.contains(&&*plain(behind[0]));
            behind.is_empty() || says || still || is_all(behind, is_time)
        }
        Some((Other, _)) | None => false,
    }
}

/// Whether some words say nothing but what is taken out of a list before them: `not 2`, `but not 2 and 3`.
pub(crate) fn takes_out(words: &[&str]) -> bool {
    let words: Vec<String> = words.iter().map(|word| plain(word)).filter(|word| !word.is_empty()).collect();
    let lead = words.iter().take_while(|word| LEADS.contains(&&***word)).count();
    let behind = words[lead..].split_first().filter(|(first, _)| EXCEPT.contains(&&***first));
    behind.is_some_and(|(_, behind)| {
        behind.iter().any(|word| is_number(word))
            && behind.iter().all(|word| is_number(word) || OF_LISTS.contains(&&**word))
    })
}

/// How many words at the beginning are a time of the Clock.
fn timed(words: &[&str], is_time: &dyn Fn(&str) -> bool) -> usize {
    let most = words.len().min(TIME_MAX_WORDS);
    let says = |count: &usize| {
        let said = words[..*count].join(" ");
        let said = said.trim_matches(|sign: char| !sign.is_alphanumeric());
        said.contains(|char: char| !char.is_ascii_digit()) && is_time(said)
    };
    (1..=most).rev().find(says).unwrap_or(0)
}

/// Whether words are a time from the first to the last, or one on a condition.
fn is_when(words: &[&str], is_time: &dyn Fn(&str) -> bool) -> bool {
    let (mut at, mut says) = (0, false);
    while at < words.len() {
        let (rest, word) = (&words[at..], plain(words[at]));
        let clock = timed(rest, is_time);
        if clock > 0 {
            (at, says) = (at + clock, true);
            continue;
        }
        at += match begins(rest) {
            Some((Time, count)) => {
                says = true;
                count
            }
            Some((Edge | Toward, count)) => count,
            Some((Condition, count)) if !AROUND.contains(&&*word) => return says && !has_clause(&rest[count..]),
            _ if UNITS.contains(&&*word) || MONTHS.contains(&&*word) || is_time_of_day(&word) => {
                says = true;
                1
            }
            _ if AROUND.contains(&&*word) || BETWEEN.contains(&&*word) => 1,
            _ if is_number(&word) => 1,
            Some((Doubt, count)) => count,
            _ => return false,
        };
    }
    says
}

fn is_number(word: &str) -> bool {
    word.starts_with(|char: char| char.is_ascii_digit())
}

/// Words with which a number is taken out of a list, in a sentence or a line of its own: `not 2`, `but not 2 and 3`.
const EXCEPT: [&str; 7] = ["not", "except", "excepting", "excluding", "without", "minus", "save"];
/// Words between the numbers of a list.
const OF_LISTS: [&str; 7] = ["and", "or", "number", "numbers", "proposal", "proposals", "please"];

/// Conditions that may stand before a time as well: `not before nday 8`.
const AROUND: [&str; 4] = ["after", "before", "until", "till"];

/// `18:00`
fn is_time_of_day(word: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once(':').is_some_and(|(hour, minute)| digits(hour) && digits(minute))
}

/// Whether another clause stands behind a condition, to which it belongs: `it passes, we lose`, `it passes I panic`.
fn has_clause(words: &[&str]) -> bool {
    const OF_TAILS: [&str; 8] = ["and", "or", "but", "nor", "not", "only", "please", "of"];
    const TAILS: [&str; 5] = ["that is", "i mean", "i think", "i guess", "i suppose"];
    const JOINED: [&str; 14] =
        ["and", "or", "than", "that", "as", "what", "which", "who", "says", "say", "thinks", "think", "knows", "one"];
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let tail = |tail: &[&str]| {
        let said: Vec<String> = tail.iter().map(|word| self::plain(word)).collect();
        tail.len() == 1 || OF_TAILS.contains(&&*said[0]) || TAILS.contains(&&*said.join(" ")) || begins(tail).is_some()
    };
    let comma = words.iter().position(|word| word.ends_with(',')).map(|at| &words[at + 1..]);
    let behind_comma = comma.is_some_and(|behind| !behind.is_empty() && !tail(behind));
    let then = plain.iter().position(|word| word == "then").is_some_and(|at| at > 0 && at + 1 < plain.len());
    // No more than a short sentence stands before its clause without a comma.
    let joined =
        |at: usize| ["i", "we"].contains(&&*plain[at]) && at + 1 < plain.len() && !JOINED.contains(&&*plain[at - 1]);
    behind_comma || then || (2..plain.len().min(4)).any(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(said: &str) -> bool {
        let words: Vec<&str> = said.split_whitespace().collect();
        is_all(&words, &|words: &str| ["Thirnight", "nday 11", "the end of voting"].contains(&words))
    }

    #[test]
    fn what_says_only_when_or_on_what_condition_is_told_from_reasons() {
        for said in [
            "if Dan does",
            "Only if Dan does.",
            "but only if Dan and I agree",
            "Only if Dan says we win.",
            "in case Bob does",
            "Tomorrow.",
            "at nday 11",
            "on Thirnight",
            "Thirnight",
            "18:00",
            "this evening",
            "at the end of voting, please",
            "after nday 11",
            "Not before nday 11.",
            "when Bob does",
            "Should 2 pass.",
            "Unless Dan objects, of course.",
            "If Dan does, that is.",
            "subject to 2",
            "tomorrow if Dan does",
            "That is, if Dan does.",
            "Maybe.",
            "Perhaps not.",
            "Not really.",
            "Just kidding!",
            "April fool!",
            "in two weeks",
            "on 5 June",
            "Later perhaps.",
        ] {
            assert!(bare(said), "{said}");
        }
        for said in [
            "",
            "if it passes I panic.",
            "If 2 passes, we lose.",
            "if 2 passes then Dan wins",
            "Tomorrow we die.",
            "Tomorrow is another day.",
            "Next time do it better.",
            "At last!",
            "After all, it is merry.",
            "Once again.",
            "Should be fun.",
            "Not bad at all.",
            "It is not bad.",
            "it is not",
            "see 4E20",
            "on principle",
            "In the spirit of the rules.",
            "Perhaps it helps.",
            "Good!",
            "only a draft",
            "it is only fair",
            "otherwise nothing changes",
            "2 is better",
            "Later perhaps it helps.",
        ] {
            assert!(!bare(said), "{said}");
        }
    }

    #[test]
    fn what_takes_numbers_out_of_a_list_is_told_from_reasons() {
        let takes_out = |said: &str| super::takes_out(&said.split_whitespace().collect::<Vec<_>>());
        for said in ["not 2", "but not 2 and 3.", "Except 2.", "without number 2"] {
            assert!(takes_out(said), "{said}");
        }
        for said in ["", "not 2 bad", "not and", "not bad", "2 is better", "except Moon"] {
            assert!(!takes_out(said), "{said}");
        }
    }

    /// A phrase that another one begins would never be found.
    #[test]
    fn no_words_stand_in_the_table_twice() {
        for (at, (phrase, _)) in TABLE.iter().enumerate() {
            assert!(TABLE[..at].iter().all(|(other, _)| other != phrase), "{phrase}");
            assert!(!IDIOMS.contains(phrase), "{phrase}");
            assert!(phrase.split(' ').count() <= PHRASE_MAX_WORDS, "{phrase}");
        }
    }
}
