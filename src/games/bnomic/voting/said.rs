//! A vote as its words have it (4E15): which numbers, which word, and what behind it is a reason (B7.3, B15.17).
//!
//! Absent: what leaves open what a vote is on (`left_open`), and whether it can be cast.

use super::{
    BNomic, Instant, State, Word,
    left_open::{Cast, parts},
};
use crate::{
    catalogue::grammar::waits::{self, Sense},
    games::bnomic::{
        moments,
        proposals::{self, Status},
        quantities,
    },
    kernel::rulebook::source::Text,
};

/// Characters of what is no vote that its refusal repeats.
const SHOWN_MAX_CHARS: usize = 40;
/// Most words of a time.
const TIME_MAX_WORDS: usize = 7;
/// In place of the number of a Proposal that is still to come.
pub(super) const TO_COME: u64 = u64::MAX;
/// Most Proposals that `1-3` means: more than a ballot has.
const SPREAD_MAX_COUNT: u64 = 50;

/// A vote as it was said.
pub(super) struct Said {
    /// The numbers of the proposals that it is on.
    pub(super) numbers: Vec<u64>,
    /// Its word; or why it has none.
    pub(super) word: Result<Word, String>,
    /// The time at which it would be cast, as it begins a command, where it says one instead of a reason.
    pub(super) later: Option<(String, Word)>,
}

impl Said {
    /// A vote in which a Proposal may be called by an official quantity: `A Few FOR` (B30.1). Behind the word such a name may
    /// belong to a reason, and stays one.
    pub(super) fn spelt(state: &State<BNomic>, text: &str) -> String {
        let (numbers, rest) = at_word(text);
        format!("{}{rest}", quantities::spelt(state, numbers))
    }

    /// Reads a vote as it is meant now.
    pub(super) fn of(state: &State<BNomic>, on: Option<u64>, text: &str, now: Instant) -> Said {
        let is_time = |words: &str| moments::is_time(state, words, now);
        Said::read(on, &Said::spelt(state, text), &is_time, &|title| titled(state, title))
    }

    /// Reads `2 FOR`, `FOR on proposals 2, 3 and 5`, `2 FOR because it is merry` (B7.3): behind the word may stand more
    /// numbers, and then a reason. Comments say nothing (4E5).
    pub(super) fn read(
        on: Option<u64>,
        text: &str,
        is_time: &dyn Fn(&str) -> bool,
        titled: &dyn Fn(&str) -> Option<u64>,
    ) -> Said {
        let text = unbracketed(on, &Text::parse(text).in_force());
        let tokens: Vec<String> = text.split_whitespace().flat_map(spread).collect();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let mut numbers: Vec<u64> = on.into_iter().collect();
        let mut add = |number| {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        };
        let bare = |token: &str| {
            token.trim_matches(|sign: char| sign.is_ascii_punctuation() || "“”".contains(sign)).to_owned()
        };
        let vote = |token: &str| Word::ALL.into_iter().find(|word| word.word().eq_ignore_ascii_case(&bare(token)));
        let mut at = tokens.iter().position(|token| number(token).is_none() && !is_filler(token));
        // A title may stand where a number would, before the word of the vote (B7.3); “tomorrow” is one in marks only.
        let is_numbered = on.is_some() || tokens.iter().take(at.unwrap_or(0)).any(|token| number(token).is_some());
        let named = at.filter(|from| !is_numbered && vote(tokens[*from]).is_none()).and_then(|from| {
            let to = tokens.iter().position(|token| vote(token).is_some())?;
            let title = &tokens[from..to];
            let number = titled(title.join(" ").trim_end_matches([':', ',', '.']))?;
            (!waits::is_all(title, is_time)).then_some((to, number))
        });
        match named {
            Some((to, number)) => {
                add(number);
                at = Some(to);
            }
            None => tokens.iter().take(at.unwrap_or(tokens.len())).filter_map(|token| number(token)).for_each(&mut add),
        }
        let word = at.and_then(|at| vote(tokens[at]));
        let (Some(at), Some(word)) = (at, word) else {
            let behind = &tokens[at.unwrap_or(tokens.len())..];
            let words = behind.iter().take_while(|token| number(token).is_none()).count();
            behind[words..].iter().filter_map(|token| number(token)).for_each(&mut add);
            let shown: String = behind[..words].join(" ").chars().take(SHOWN_MAX_CHARS).collect();
            if behind.first().is_some_and(|word| ["all", "everything"].contains(&&*word.to_lowercase())) {
                return Said { numbers, word: Err(no_target("all")), later: None };
            }
            let word =
                Err(format!("a vote is FOR, AGAINST, ABSTAIN or SHELVE, and “{}” is ignored", shown.trim_matches('"')));
            return Said { numbers, word, later: None };
        };
        let (mut rest, mut last, mut before) = (&tokens[at + 1..], tokens[at], None);
        // A mark behind the word ends the vote, and a reason follows; behind a colon its numbers may: “FOR: 1, 2”.
        let is_list = numbers.is_empty() && last.ends_with(':');
        let mut add = |number| {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        };
        if is_list || !last.ends_with(['.', ',', ';', ':', '!', '-', '\u{2014}']) {
            let mut listed = rest.iter().take_while(|token| number(token).is_some() || is_filler(token)).count();
            // So does one behind a number: “FOR 1. 3 cheers!”
            listed = rest[..listed].iter().position(|token| ends_sentence(token)).map_or(listed, |at| at + 1);
            // “on” behind the last number is no word of them.
            let listed = rest[..listed].iter().rposition(|token| number(token).is_some()).map_or(0, |at| at + 1);
            rest[..listed].iter().filter_map(|token| number(token)).for_each(&mut add);
            last = rest[..listed].last().copied().unwrap_or(last);
            before = listed.checked_sub(2).map_or(Some(tokens[at]), |at| Some(rest[at]));
            rest = &rest[listed..];
        }
        // A time or a condition is no reason: a Vote is cast now (B7.1, B7.8). A reason may speak of one.
        let said: &[&str] = if ends_sentence(last) { &[] } else { before_reason(rest) };
        if let Some(waits) = waiting(said, rest, is_time) {
            let why = format!(
                "a vote is cast now, or set for a time that stands before it (“at nday 12: vote 1 FOR”); “{waits}” is no reason"
            );
            let later = when(rest, is_time).map(|when| (when, word));
            return Said { numbers, word: Err(why), later };
        }
        let is_other =
            |token: &str| vote(token).is_some_and(|other| other != Word::For || bare(token) == Word::For.word());
        let cast = Cast { numbers: &numbers, last, before, rest, titled };
        let parts = parts(rest);
        if let Some(other) = cast.other(&parts, &is_other) {
            let other = bare(other);
            let why =
                format!("“{}” and “{other}” could be two votes, and neither is cast: say one a line", word.word());
            return Said { numbers, word: Err(why), later: None };
        }
        if let Some(open) = cast.left_open(&parts) {
            let why = format!(
                "“{open}” leaves open what the vote is on, and none is cast: say all its numbers before the word"
            );
            return Said { numbers, word: Err(why), later: None };
        }
        if let Some(back) = cast.taken_back(&parts) {
            let why = format!("“{back}” may take the vote back, and none is cast: a reason stands behind “because”");
            return Said { numbers, word: Err(why), later: None };
        }
        // Where a number would stand stands what the vote is on.
        let target = said.first().filter(|_| numbers.is_empty() && !last.ends_with([',', ';'])).map(|_| said.join(" "));
        if let Some(target) = target.filter(|target| !is_only_one(target)) {
            let target = without_noun(target.trim_end_matches(['.', '!', '?', ',']));
            let target = ["please", "now", "too"].iter().fold(target, |target, word| {
                target.strip_suffix(word).filter(|title| title.ends_with(' ')).map_or(target, str::trim_end)
            });
            match titled(target) {
                Some(number) => numbers.push(number),
                None => return Said { numbers, word: Err(no_target(target)), later: None },
            }
        }
        Said { numbers, word: Ok(word), later: None }
    }
}

/// The words of a vote before its word, and the rest.
fn at_word(text: &str) -> (&str, &str) {
    let is_word = |token: &str| {
        let bare = token.trim_matches(|sign: char| !sign.is_alphanumeric());
        Word::ALL.into_iter().any(|word| word.word().eq_ignore_ascii_case(bare))
    };
    let tokens = text.split_inclusive(char::is_whitespace);
    let before: usize = tokens.take_while(|token| !is_word(token)).map(str::len).sum();
    text.split_at(before)
}

/// A vote with `1` for `(1)`, as a Proposal is called whose number is to come (BX9). Behind the word brackets may hold what is
/// said beside it, where a number stands before it.
fn unbracketed(on: Option<u64>, text: &str) -> String {
    let bare = |text: &str| {
        let (mut kept, mut rest) = (String::new(), text);
        while let Some((before, (inner, after))) =
            rest.split_once('(').and_then(|(before, behind)| Some((before, behind.split_once(')')?)))
        {
            let is_list = inner.contains(|char: char| char.is_ascii_digit())
                && inner.split_whitespace().all(|word| word == "and" || word.chars().all(is_of_numbers));
            kept.push_str(before);
            match is_list {
                // `(1)(2)`
                true if after.starts_with('(') => kept.extend([inner, " "]),
                true => kept.push_str(inner),
                false => kept.extend(["(", inner, ")"]),
            }
            rest = after;
        }
        kept + rest
    };
    let (numbers, rest) = at_word(text);
    let is_numbered = on.is_some() || numbers.contains(|char: char| char.is_ascii_digit());
    format!("{}{}", bare(numbers), if is_numbered { rest.to_owned() } else { bare(rest) })
}

/// Whether a sign stands in lists of numbers.
fn is_of_numbers(sign: char) -> bool {
    sign.is_ascii_digit() || "#,&-\u{2013}".contains(sign)
}

/// A time among some words that only the Clock knows: `at the end of voting`.
fn time(tokens: &[&str], is_time: &dyn Fn(&str) -> bool) -> Option<String> {
    const BEFORE: [&str; 4] = ["before", "until", "by", "from"];
    const AT: [&str; 4] = ["at", "on", "in", "after"];
    (0..tokens.len()).find_map(|at| {
        let first = tokens[at].to_lowercase();
        let from = if BEFORE.contains(&&*first) { at + 1 } else { at };
        if from == at && !AT.contains(&&*first) {
            return None;
        }
        longest_time(&tokens[from..], is_time)
    })
}

fn longest_time(tokens: &[&str], is_time: &dyn Fn(&str) -> bool) -> Option<String> {
    let to = tokens.len().min(TIME_MAX_WORDS);
    let said = |to: usize| tokens[..to].join(" ").trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned();
    (1..=to).rev().map(said).find(|words| words.contains(|char: char| !char.is_ascii_digit()) && is_time(words))
}

/// The first time among some words, as it begins what is set for it.
fn when(tokens: &[&str], is_time: &dyn Fn(&str) -> bool) -> Option<String> {
    let words = (0..tokens.len()).find_map(|at| longest_time(&tokens[at..], is_time))?.to_lowercase();
    let begins = ["at ", "on ", "in ", "after "].iter().any(|word| words.starts_with(word));
    Some(if begins { words } else { format!("at {words}") })
}

/// What says when a vote shall be cast, or on what condition: anywhere in its sentence before a reason, and where behind
/// that nothing else stands between two stops or brackets (B15.17).
fn waiting(said: &[&str], rest: &[&str], is_time: &dyn Fn(&str) -> bool) -> Option<String> {
    // A reason may doubt and deny: “FOR, it is not bad”. Who only doubts or denies gives none.
    const NO_REASONS: [Sense; 2] = [Sense::Time, Sense::Condition];
    let alone = |part: &[&str]| {
        let words = part.join(" ");
        waits::is_all(part, is_time).then(|| words.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned())
    };
    let opens = |token: &str| token.starts_with(['(', '[', '-', '\u{2013}', '\u{2014}']);
    let closes = |token: &str| token.ends_with([')', ']']) || ends_sentence(token);
    let among = waits::among(said, &NO_REASONS).or_else(|| time(said, is_time));
    among.or_else(|| {
        let (mut from, mut found) = (0, None);
        for at in 0..rest.len() {
            let behind = at > from && (opens(rest[at]) || closes(rest[at - 1]));
            // “because it is good, but only if Dan does”
            let turns = at > from && rest[at - 1].ends_with(',') && rest[at].eq_ignore_ascii_case("but");
            if behind || turns {
                found = found.or_else(|| alone(&rest[from..at]));
                from = at;
            }
        }
        found.or_else(|| alone(&rest[from..]))
    })
}

/// The number of the one Open Proposal that is called so.
pub(in crate::games::bnomic) fn titled(state: &State<BNomic>, title: &str) -> Option<u64> {
    let title = without_noun(title.trim());
    let open = proposals::all(state, Status::Open);
    let mut called = open.iter().filter(|proposal| proposals::is_called(state, proposal, title));
    let only = called.next().filter(|_| called.next().is_none())?;
    u64::try_from(proposals::number(state, only)).ok()
}

/// Why words that stand in the place of a Proposal's number are none.
pub(in crate::games::bnomic) fn no_target(words: &str) -> String {
    const SEVERAL: [&str; 6] = ["all", "everything", "each", "every", "both", "any"];
    if words.split(' ').next().is_some_and(|word| SEVERAL.contains(&&*word.to_lowercase())) {
        return "each Proposal is voted on by its number: “vote 1, 2 FOR” votes on two".to_owned();
    }
    let shown: String = words.chars().take(SHOWN_MAX_CHARS).collect();
    format!("no Open Proposal is called “{shown}”")
}

/// Whether words mean the one Proposal that is there, whatever it is called.
fn is_only_one(words: &str) -> bool {
    const ONE: [&str; 5] = ["it", "this", "that", "one", "proposal"];
    const BESIDE: [&str; 9] = ["the", "this", "that", "only", "open", "please", "too", "again", "now"];
    let mut words = words.split(' ').map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase());
    words.all(|word| ONE.contains(&&*word) || BESIDE.contains(&&*word))
}

fn without_noun(words: &str) -> &str {
    let words = words.strip_prefix("the ").unwrap_or(words);
    words.split_once(' ').filter(|(noun, _)| noun.eq_ignore_ascii_case("proposal")).map_or(words, |(_, title)| title)
}

/// Whether a word of a vote ends what is said of it: a reason may follow.
pub(super) fn ends_sentence(token: &str) -> bool {
    token.ends_with(['.', '!', '?', ':', '-', '\u{2014}', '\u{2026}'])
}

/// Whether some words are a reason from their first on.
pub(super) fn begins_reason(tokens: &[&str]) -> bool {
    const REASONS: [&str; 5] = ["because", "since", "as", "for", "so"];
    let word = |at: usize| tokens.get(at).map(|token| token.trim_end_matches(',').to_lowercase()).unwrap_or_default();
    // `so long as`
    let waits = waits::begins(tokens).is_some();
    word(0).starts_with(['(', '[', '-', '\u{2013}', '\u{2014}']) || (REASONS.contains(&&*word(0)) && !waits)
}

/// The words up to a reason.
pub(super) fn before_reason<'t, 's>(tokens: &'t [&'s str]) -> &'t [&'s str] {
    let stop = tokens.iter().position(|token| ends_sentence(token)).map_or(tokens.len(), |at| at + 1);
    let mut at = 0;
    while at < stop && !begins_reason(&tokens[at..]) {
        // “as soon as” has a word of reasons in it.
        at += waits::begins(&tokens[at..]).map_or(1, |(_, count)| count);
    }
    &tokens[..at.min(stop)]
}

/// `1-3` and `1,2` as the numbers that they mean.
pub(in crate::games::bnomic) fn spread(token: &str) -> Vec<String> {
    let listed = token.trim_matches([',', ':', '.', '!']);
    if listed.contains([',', '+', '&'])
        && listed.split([',', '+', '&']).all(|part| part.starts_with(|char: char| char.is_ascii_digit()))
    {
        let last = token.trim_start_matches(',').split([',', '+', '&']).filter(|part| !part.is_empty());
        return last.flat_map(spread).collect();
    }
    let ends = token.trim_end_matches([',', ':', '.', '!']).split_once(['-', '\u{2013}']);
    let ends = ends.and_then(|(from, to)| Some((from.parse::<u64>().ok()?, to.parse::<u64>().ok()?)));
    match ends.filter(|(from, to)| from < to && to - from < SPREAD_MAX_COUNT) {
        Some((from, to)) => (from..=to).map(|number| number.to_string()).collect(),
        None => vec![token.to_owned()],
    }
}

/// A number of a proposal among the words of a vote.
pub(super) fn number(token: &str) -> Option<u64> {
    let digits = token.trim_matches(['#', ':', ',', '.', '!', '\u{2026}']);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Whether a word between numbers of proposals says nothing of its own.
pub(super) fn is_filler(token: &str) -> bool {
    ["on", "proposal", "proposals", "no", "number", "numbers", "and", ",", "i", "vote"]
        .contains(&&*token.to_lowercase())
}
