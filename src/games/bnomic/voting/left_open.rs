//! What stands behind the word of a vote and leaves open what the vote is on, casts another one, or takes it back (B7.1,
//! B15.17): `FOR 1-3 except 2`, `1 FOR, 2 AGAINST`, `1 FOR. I meant 2.`
//!
//! A vote that may be none is worse than one that has to be said again: whatever may exclude, add or retract refuses all of
//! it. Absent: times and conditions (`catalogue::grammar::waits`).

use super::{
    Word,
    said::{TO_COME, before_reason, begins_reason, ends_sentence, is_filler, number},
};

/// Characters of what stands behind a vote that its refusal repeats.
const SHOWN_MAX_CHARS: usize = 40;

/// Words that take something out of a list.
const EXCEPT: [&str; 12] = [
    "except",
    "excepting",
    "excepted",
    "exception",
    "excluding",
    "excluded",
    "excludes",
    "barring",
    "skipping",
    "skip",
    "omitting",
    "leaving",
];
/// The same before a number or “the”: otherwise they say something else, as in “not bad”.
const EXCEPT_BEFORE: [&str; 4] = ["not", "without", "minus", "save"];
/// The same in two words.
const EXCEPT_PAIRS: [[&str; 2]; 4] = [["other", "than"], ["apart", "from"], ["aside", "from"], ["all", "but"]];
/// Words before those.
const LEADS: [&str; 9] = ["but", "and", "all", "only", "though", "of", "them", "these", "those"];
/// Words that stand beside a number which a vote may be on as well.
const MORE: [&str; 18] = [
    "", "and", "or", "to", "through", "also", "too", "as", "well", "plus", "for", "maybe", "perhaps", "possibly",
    "probably", "then", "likewise", "&",
];
/// Such words that say nothing themselves and stand before anything.
const BETWEEN: [&str; 7] = ["or", "to", "through", "maybe", "perhaps", "possibly", "probably"];
/// With what one goes on to speak of the word or the number before it.
const VERBS: [&str; 18] = [
    "is", "isn't", "isn’t", "are", "aren't", "aren’t", "was", "were", "has", "does", "looks", "seems", "would",
    "could", "should", "will", "won't", "won’t",
];
/// Who is quoted.
const QUOTES: [&str; 5] = ["said", "says", "quoth", "wrote", "writes"];
/// What takes back what stands before it, where a sentence or a part of one begins with it.
const RETRACTIONS: [&str; 38] = [
    "scratch that",
    "scratch this",
    "scratch it",
    "cancel",
    "ignore",
    "forget it",
    "forget that",
    "forget this",
    "strike that",
    "strike this",
    "strike it",
    "disregard",
    "retract",
    "i retract",
    "i withdraw",
    "i take that",
    "i take it",
    "i take this",
    "i take back",
    "that was a joke",
    "that's a joke",
    "that’s a joke",
    "that is a joke",
    "that was a test",
    "this is a test",
    "joke",
    "test",
    "undo",
    "nope",
    "nah",
    "oops",
    "wait no",
    "on second thought",
    "on second thoughts",
    "i'd rather not",
    "i’d rather not",
    "i would rather not",
    "never mind",
];
/// The same, wherever they stand behind the vote.
const UNMEANT: [&str; 6] = ["i meant", "i mean", "didn't mean", "didn’t mean", "did not mean", "don't mean"];
/// What may stand before them.
const FILLERS: [&str; 8] = ["sorry", "actually", "but", "no", "well", "ok", "please", "hm"];

/// A part of what stands behind the word of a vote: up to a comma or a stop, or between brackets.
#[derive(Default)]
pub(super) struct Part<'t> {
    words: Vec<&'t str>,
    /// Whether it stands between brackets, where a reason does.
    is_aside: bool,
}

impl<'t> Part<'t> {
    /// The words as they are compared.
    fn plain(&self) -> Vec<String> {
        self.words.iter().map(|word| plain(word)).filter(|word| !word.is_empty()).collect()
    }

    /// The word of another vote in a reason: the part begins with one and its number (`2 AGAINST`, `against 2`), or one in
    /// capitals stands beside a number.
    fn other(&self, is_other: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let of_list = |word: &&&str| number(word).is_some() || is_filler(word);
        let listed = self.words.iter().take_while(of_list).count();
        let numbered = |words: &[&str]| words.iter().any(|word| number(word).is_some());
        let begun = self.words.get(listed).copied().filter(|word| !self.is_aside && is_other(word)).filter(|_| {
            let behind = self.words[listed + 1..].iter().take_while(of_list).count();
            numbered(&self.words[..listed]) || numbered(&self.words[listed + 1..][..behind])
        });
        begun.or_else(|| {
            let loud = |word: &str| Word::ALL.iter().any(|vote| vote.word() == word.trim_matches([',', ':', '.', '!']));
            let pair = self.words.windows(2).find(|pair| {
                (loud(pair[0]) && number(pair[1]).is_some()) || (number(pair[0]).is_some() && loud(pair[1]))
            })?;
            pair.iter().copied().find(|word| loud(word)).filter(|_| !self.is_aside)
        })
    }

    /// Whether it takes back one of the numbers of a vote: `but not 2`.
    fn takes_out(&self, numbers: &[u64]) -> bool {
        let words = self.plain();
        let lead = words.iter().take_while(|word| LEADS.contains(&&***word)).count();
        let takes = |word: &str| EXCEPT.contains(&word) || EXCEPT_BEFORE.contains(&word);
        let behind = words[lead..].split_first().filter(|(word, _)| takes(word));
        let of_list = |word: &&String| number(word).is_some() || is_filler(word) || *word == "for";
        let mut listed = behind.iter().flat_map(|(_, behind)| behind.iter().take_while(of_list));
        listed.any(|word| number(word).is_some_and(|number| numbers.contains(&number)))
    }

    /// Whether it takes anything out of a list, by whatever name.
    fn excepts(&self) -> bool {
        let words = self.plain();
        let two = |one: &str, two: &str| {
            EXCEPT_PAIRS.contains(&[one, two])
                || (EXCEPT_BEFORE.contains(&one) && (number(two).is_some() || two == "the"))
        };
        words.iter().any(|word| EXCEPT.contains(&&**word)) || words.windows(2).any(|pair| two(&pair[0], &pair[1]))
    }

    /// Whether it is no more than an exception: `2 excepted`, `except the second`, `all but 2`.
    fn is_exception(&self) -> bool {
        const SHORT_MAX_WORDS: usize = 5;
        self.plain().len() <= SHORT_MAX_WORDS && self.excepts()
    }

    /// Whether it says something of what stands before it, `is bad`, or who said that.
    fn tells(&self) -> bool {
        self.words.first().is_some_and(|word| VERBS.contains(&&*plain(word)))
    }

    /// Whether it says that somebody else said it: `said Bob`, `he said`.
    fn quotes(&self) -> bool {
        let words = self.plain();
        let said = words.iter().position(|word| QUOTES.contains(&&**word));
        said.is_some_and(|at| at == 0 || (at == 1 && words.len() == 2))
    }

    /// Whether it takes back all that stands before it.
    fn retracts(&self) -> bool {
        let words = self.plain();
        let lead = words.iter().take_while(|word| FILLERS.contains(&&***word)).count();
        // “Sorry, 2.”, “Actually, 2.”, “Actually no”
        let alone = words[lead..].iter().all(|word| number(word).is_some() || is_filler(word));
        let instead = lead > 0 && lead < words.len() && alone;
        let refuses = lead > 0
            && words[..lead].iter().any(|word| *word == "actually")
            && words[..lead].contains(&"no".to_owned());
        let said = format!("{} ", words[lead..].join(" "));
        let begins = |phrase: &str| said.strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '));
        let among = |phrase: &str| format!(" {said}").contains(&format!(" {phrase} "));
        instead
            || refuses
            || RETRACTIONS.iter().any(|phrase| begins(phrase))
            || UNMEANT.iter().any(|phrase| among(phrase))
    }

    fn begins_between(&self) -> bool {
        self.words.first().is_some_and(|word| BETWEEN.contains(&&*plain(word)))
    }

    /// Whether it says no more than `or 2`, `maybe 2`.
    fn is_doubtful(&self) -> bool {
        let words = self.plain();
        self.begins_between()
            && words.len() > 1
            && words[1..].iter().all(|word| number(word).is_some() || is_filler(word))
    }

    fn is_filler(&self) -> bool {
        self.plain().iter().all(|word| FILLERS.contains(&&**word))
    }

    fn is_number(&self) -> bool {
        self.plain().iter().all(|word| number(word).is_some() || is_filler(word))
    }

    /// What more it names that the vote may be on, where it says nothing of that: `or 2`, `2 and 3 too`, `and Moon`.
    fn adds(&self, numbers: &[u64], titled: &dyn Fn(&str) -> Option<u64>) -> bool {
        let of_list = |word: &&&str| number(word).is_some() || is_filler(word) || MORE.contains(&&*plain(word));
        let listed = self.words.iter().take_while(of_list).count();
        let goes_on = listed < self.words.len() && !begins_reason(&self.words[listed..]);
        let between = self.begins_between();
        let more = |word: &&str| MORE.contains(&&*plain(word));
        let lead = self.words.iter().take_while(|word| more(word)).count();
        let tail = self.words[lead..].iter().rev().take_while(|word| more(word)).count();
        let title = self.words[lead..self.words.len() - tail].join(" ");
        let title = title.trim_matches(|sign: char| !sign.is_alphanumeric());
        let is_another = |number: u64| number != TO_COME && !numbers.contains(&number);
        let is_another = !title.is_empty() && !numbers.is_empty() && titled(title).is_some_and(is_another);
        is_another || ((between || !goes_on) && self.words[..listed].iter().any(|word| number(word).is_some()))
    }

    fn shown(&self) -> String {
        let shown: String = self.words.join(" ").chars().take(SHOWN_MAX_CHARS).collect();
        shown.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned()
    }
}

/// The parts of what stands behind the word of a vote. `(2)` is the number in it.
pub(super) fn parts<'t>(tokens: &[&'t str]) -> Vec<Part<'t>> {
    let (mut parts, mut part) = (Vec::new(), Part::default());
    for token in tokens {
        let called = token.strip_prefix('(').and_then(|token| token.split_once(')')).map(|(inner, _)| inner);
        let called = called.filter(|inner| number(inner).is_some());
        if called.is_none() && token.starts_with(['(', '[']) {
            parts.push(std::mem::take(&mut part));
            part.is_aside = true;
        }
        part.words.push(called.unwrap_or(token));
        let ends = match part.is_aside {
            true => token.contains([')', ']']),
            false => token.ends_with([',', ';']) || ends_sentence(token),
        };
        if ends {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.push(part);
    parts.retain(|part| part.words.iter().any(|word| !plain(word).is_empty()));
    parts
}

/// What a vote was read from, as far as it is known where something behind it is looked at.
pub(super) struct Cast<'a> {
    /// The numbers that it is on.
    pub(super) numbers: &'a [u64],
    /// The last token of it: its word, or the last number of the list behind that.
    pub(super) last: &'a str,
    /// The one before that, where a list stands behind the word.
    pub(super) before: Option<&'a str>,
    /// The tokens behind it.
    pub(super) rest: &'a [&'a str],
    /// Which Open Proposal has a title.
    pub(super) titled: &'a dyn Fn(&str) -> Option<u64>,
}

impl Cast<'_> {
    /// The word of another vote behind it.
    pub(super) fn other<'t>(&self, behind: &[Part<'t>], is_other: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let first = behind.first().filter(|part| !part.is_aside).map(|part| part.words[0]);
        // `1, 2: FOR, FOR, AGAINST`: the same word again begins no reason, as “for” does.
        let again = first.filter(|word| {
            let bare = word.trim_matches([',', ';', '.', '!', '/']);
            let is_vote = |same: &dyn Fn(&str, &str) -> bool| Word::ALL.iter().any(|vote| same(vote.word(), bare));
            is_vote(&|vote, bare| vote == bare)
                || (bare.len() < word.len() && is_vote(&|vote, bare| vote.eq_ignore_ascii_case(bare)))
        });
        let aloud: Vec<&'t str> =
            behind.iter().filter(|part| !part.is_aside).flat_map(|part| part.words.clone()).collect();
        again.or_else(|| match begins_reason(&aloud) {
            true => behind.iter().find_map(|part| part.other(is_other)),
            false => aloud.iter().copied().find(|token| is_other(token)),
        })
    }

    /// What takes it back, or tells it of somebody else.
    pub(super) fn taken_back(&self, behind: &[Part<'_>]) -> Option<String> {
        let is_told = |part: &&Part<'_>| !part.is_aside && part.tells() && self.last.ends_with(char::is_alphanumeric);
        let told = behind.first().filter(is_told).filter(|_| number(self.last).is_none());
        // “Sorry, 2.”
        let instead = behind.windows(2).find(|pair| pair[0].is_filler() && pair[1].is_number()).map(|pair| &pair[1]);
        let stop = behind.iter().position(|part| part.words.last().is_some_and(|word| ends_sentence(word)));
        let sentence = if ends_sentence(self.last) { &[] } else { &behind[..stop.map_or(behind.len(), |at| at + 1)] };
        let quoted = sentence.iter().find(|part| part.quotes());
        told.or(instead).or(quoted).or_else(|| behind.iter().find(|part| part.retracts())).map(Part::shown)
    }

    /// What leaves open which Proposals it is on: `FOR 1 or 2`, `1 FOR, 2 too`, `FOR 1-3 except 2`.
    pub(super) fn left_open(&self, behind: &[Part<'_>]) -> Option<String> {
        let Cast { numbers, last, rest, .. } = self;
        // A number in brackets behind the word is said beside it.
        let is_beside = |part: &Part<'_>| part.words.len() == 1 && rest[0].starts_with('(') && !last.ends_with(',');
        let plain_first = behind.first().filter(|part| !part.is_aside);
        let added = plain_first.filter(|part| !is_beside(part) && part.adds(numbers, self.titled));
        let aside = behind.iter().find(|part| part.is_aside && part.is_doubtful());
        // What is said of a number takes it out of the list: `FOR 1 and 2, 3 is bad`, `FOR 1, 3 cheers for Ann`.
        let goes_on = |part: &&Part<'_>| {
            let apart = self.before.is_some_and(|before| before.ends_with([',', ':']));
            let spoken = apart && !begins_reason(&part.words);
            number(last).is_some()
                && last.ends_with(char::is_alphanumeric)
                && (part.tells() || spoken && !is_courtesy(&part.words))
        };
        let told = plain_first.filter(goes_on);
        let said = before_reason(rest);
        let several = numbers.len() > 1;
        let until = parts(said);
        let excepted = until.iter().find(|part| several && part.excepts()).map(Part::shown);
        let but = until
            .first()
            .filter(|part| several && !ends_sentence(last) && plain(part.words[0]) == "but")
            .map(Part::shown);
        let reason = behind.iter().position(|part| begins_reason(&part.words)).unwrap_or(behind.len());
        let later = behind[..reason].iter().skip(1).find(|part| several && part.is_exception());
        let out = || behind.iter().find(|part| part.takes_out(numbers)).map(Part::shown);
        told.or(added).or(aside).map(Part::shown).or(excepted).or(but).or_else(|| later.map(Part::shown)).or_else(out)
    }
}

/// Whether some words behind a number say no more than thanks: `FOR 1, 2 please`.
fn is_courtesy(words: &[&str]) -> bool {
    const SAID: [&str; 8] = ["please", "too", "again", "now", "thanks", "both", "all", "of"];
    words.first().is_some_and(|word| SAID.contains(&&*plain(word)))
}

/// A word without the signs around it, as it is compared.
fn plain(word: &str) -> String {
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}
