//! Votes on proposals (4E15, 4E20): who votes, which words count, which vote is final.
//!
//! Absent: what the votes lead to (`tally`, `passing`).

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    BNomic, D, Id, Instant, Refusal, State,
    display::{Block, Cell, Document},
    emergency, emit,
    figures::BETRAYAL_FINE,
    law::{Thing, established},
    moments, passing,
    proposals::{self, Status},
    public, quantities, society,
    stats::called,
};
use crate::{
    catalogue::grammar::waits::{self, Sense},
    kernel::rulebook::source::Text,
};

/// Characters of what is no vote that its refusal repeats.
const SHOWN_MAX_CHARS: usize = 40;
/// Most words of a time.
const TIME_MAX_WORDS: usize = 7;
/// Most Proposals that `1-3` means: more than a ballot has.
const SPREAD_MAX_COUNT: u64 = 50;

// ---- state

/// All votes, by proposal and by voter: of each voter the latest (B15.13).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Votes {
    cast: OrdMap<Id, OrdMap<Id, Vote>>,
}

/// A vote that was cast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// What it says.
    pub(super) word: Word,
    /// When it was cast.
    pub(super) at: Instant,
}

/// What a vote says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    For,
    Against,
    Abstain,
    Shelve,
}

impl Word {
    /// The words that are votes (B15.17).
    pub(super) const ALL: [Self; 4] = [Self::For, Self::Against, Self::Abstain, Self::Shelve];

    /// The word itself.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::For => "FOR",
            Self::Against => "AGAINST",
            Self::Abstain => "ABSTAIN",
            Self::Shelve => "SHELVE",
        }
    }
}

/// The Final Votes of present Registered Voters on a proposal (B15.19).
pub(super) fn finals<'a>(state: &'a State<BNomic>, proposal: &Id) -> Vec<(&'a Id, Word)> {
    let Some(votes) = state.game.votes.cast.get(proposal) else { return Vec::new() };
    let voters = votes.iter().filter(|(voter, _)| society::is_voter(state, voter));
    voters.map(|(voter, vote)| (voter, vote.word)).collect()
}

/// Who voted on a proposal and is no Registered Voter.
pub(super) fn uncounted(state: &State<BNomic>, proposal: &Id) -> Vec<Id> {
    let Some(votes) = state.game.votes.cast.get(proposal) else { return Vec::new() };
    votes.keys().filter(|voter| !society::is_voter(state, voter)).cloned().collect()
}

// ---- facts

/// What happens to votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A vote was cast, or taken back by an undo.
    Cast {
        /// On which proposal.
        proposal: Id,
        /// Whose.
        voter: Id,
        /// The vote.
        to: Option<Vote>,
        /// The latest one before it.
        was: Option<Vote>,
    },
}

// ---- decide

/// A Registered Voter votes on an Open proposal (B15.12, B15.17).
///
/// # Errors
///
/// A [`Refusal`] for whoever has no vote, on what is not Open, and for a word that is no vote: an earlier vote stands.
pub(super) fn vote(on: Option<u64>, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Proposals)?;
    established(&d.rules, Thing::Suffrage)?;
    let me = society::player(d)?;
    public(d, "vote 3 FOR")?;
    let by = Thing::Proposals.rule(&d.rules);
    let said = Said::of(d, on, text, d.at);
    let meant = meant(d, &said.numbers);
    let (word, meant) = match said.word {
        Ok(word) => (word, meant?),
        Err(why) => {
            let meant = meant.unwrap_or_default();
            let before = meant.iter().flatten().find_map(|proposal| d.game.votes.cast.get(proposal)?.get(&me));
            let stands = before.map_or_else(String::new, |vote| format!("; your vote {} stands", vote.word.word()));
            let number = meant.iter().flatten().next().map_or(3, |proposal| proposals::number(d, proposal));
            let of_emergency =
                Some(&meant).filter(|meant| meant.is_empty()).and_then(|_| emergency::voted_for(d, text));
            if let Some(instead) = of_emergency {
                let say = format!("{why}; the vote on a Refresh Proposal is one of its own");
                return Err(Refusal::new(say).by(by).instead(instead));
            }
            let instead = match said.later {
                Some((when, word)) => format!("{when}: vote {number} {}", word.word()),
                None => format!("vote {number} FOR"),
            };
            return Err(Refusal::new(format!("{why}{stands}")).by(by).instead(instead));
        }
    };
    let (mut reply, mut refused) = (Document::default(), Vec::new());
    for proposal in meant {
        match proposal.and_then(|proposal| cast(d, &me, &proposal, word)) {
            Ok(said) => reply.blocks.extend(said.blocks),
            Err(why) => refused.push(why),
        }
    }
    // One that cannot be cast does not stop the others (B7.4).
    match refused.first() {
        Some(why) if reply.blocks.is_empty() => Err(why.clone()),
        _ => {
            let not = |reply: Document, why: Refusal| {
                reply.para(format!("Not that, and the rest is done: {}.", why.say.trim_end_matches('.')))
            };
            Ok(refused.into_iter().fold(reply, not))
        }
    }
}

/// Why a vote that is set for later could never be cast, whatever is Open then: it says when, or on what condition.
pub(super) fn never(on: Option<u64>, text: &str, d: &D<'_>) -> Option<String> {
    Said::read(on, &Said::spelt(d, text), &|words| moments::is_time(d, words, d.at), |_| Some(0)).word.err()
}

/// Whether all that a vote says can be cast: in a transaction nothing happens by half (B12.3).
///
/// # Errors
///
/// The first [`Refusal`] among them.
pub(super) fn all_can_be_cast(on: Option<u64>, text: &str, d: &D<'_>) -> Result<(), Refusal> {
    meant(d, &Said::of(d, on, text, d.at).numbers)?.into_iter().try_for_each(|proposal| is_open(d, &proposal?))
}

fn is_open(d: &D<'_>, proposal: &Id) -> Result<(), Refusal> {
    let status = proposals::status(d, proposal);
    if status == Status::Open {
        return Ok(());
    }
    let say = format!("{} is {}: only Open proposals are voted on", proposals::label(d, proposal), status.word());
    Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("show ballot"))
}

/// A vote as it was said.
struct Said {
    /// The numbers of the proposals that it is on.
    numbers: Vec<u64>,
    /// Its word; or why it has none.
    word: Result<Word, String>,
    /// The time at which it would be cast, as it begins a command, where it says one instead of a reason.
    later: Option<(String, Word)>,
}

impl Said {
    /// A vote in which a Proposal may be called by an official quantity: `A Few FOR` (B30.1). Behind the word such a name may
    /// belong to a reason, and stays one.
    fn spelt(state: &State<BNomic>, text: &str) -> String {
        let (numbers, rest) = at_word(text);
        format!("{}{rest}", quantities::spelt(state, numbers))
    }

    /// Reads a vote as it is meant now.
    fn of(state: &State<BNomic>, on: Option<u64>, text: &str, now: Instant) -> Said {
        let is_time = |words: &str| moments::is_time(state, words, now);
        Said::read(on, &Said::spelt(state, text), &is_time, |title| titled(state, title))
    }

    /// Reads `2 FOR`, `FOR on proposals 2, 3 and 5`, `2 FOR because it is merry` (B7.3): behind the word may stand more
    /// numbers, and then a reason. Comments say nothing (4E5).
    fn read(on: Option<u64>, text: &str, is_time: &dyn Fn(&str) -> bool, titled: impl Fn(&str) -> Option<u64>) -> Said {
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
        let (mut rest, mut last) = (&tokens[at + 1..], tokens[at]);
        // A mark behind the word ends the vote, and a reason follows.
        if !last.ends_with(['.', ',', ';', ':', '!', '-', '\u{2014}']) {
            let listed = rest.iter().take_while(|token| number(token).is_some() || is_filler(token)).count();
            // “on” behind the last number is no word of them.
            let listed = rest[..listed].iter().rposition(|token| number(token).is_some()).map_or(0, |at| at + 1);
            rest[..listed].iter().filter_map(|token| number(token)).for_each(&mut add);
            last = rest[..listed].last().copied().unwrap_or(last);
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
        let parts = parts(rest);
        let aloud: Vec<&str> = parts.iter().filter(|part| !part.is_aside).flat_map(|part| part.words.clone()).collect();
        let other = match begins_reason(&aloud) {
            true => parts.iter().find_map(|part| part.other(&is_other)),
            false => aloud.iter().copied().find(|token| is_other(token)),
        };
        if let Some(other) = other {
            let other = bare(other);
            let why =
                format!("“{}” and “{other}” could be two votes, and neither is cast: say one a line", word.word());
            return Said { numbers, word: Err(why), later: None };
        }
        if let Some(open) = left_open(&parts, last, rest, &numbers) {
            let why = format!(
                "“{open}” leaves open what the vote is on, and none is cast: say all its numbers before the word"
            );
            return Said { numbers, word: Err(why), later: None };
        }
        // Where a number would stand stands what the vote is on.
        let target = said.first().filter(|_| numbers.is_empty() && !last.ends_with([',', ';'])).map(|_| said.join(" "));
        if let Some(target) = target.filter(|target| !is_only_one(target)) {
            let target = without_noun(target.trim_end_matches(['.', '!', '?', ',']));
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

/// A part of what stands behind the word of a vote: up to a comma or a stop, or between brackets.
#[derive(Default)]
struct Part<'t> {
    words: Vec<&'t str>,
    /// Whether it stands between brackets, where a reason does.
    is_aside: bool,
}

impl<'t> Part<'t> {
    /// The word of another vote, where the part begins with one and its number: `2 AGAINST`, `AGAINST 2`.
    fn other(&self, is_other: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let of_list = |word: &&&str| number(word).is_some() || is_filler(word);
        let listed = self.words.iter().take_while(of_list).count();
        let numbered = |words: &[&str]| words.iter().any(|word| number(word).is_some());
        let word = self.words.get(listed).copied().filter(|word| !self.is_aside && is_other(word))?;
        let behind = self.words[listed + 1..].iter().take_while(of_list).count();
        let is_vote = numbered(&self.words[..listed]) || numbered(&self.words[listed + 1..][..behind]);
        is_vote.then_some(word)
    }

    /// Whether it takes back one of the numbers of a vote: `but not 2`.
    fn takes_back(&self, numbers: &[u64]) -> bool {
        const LEADS: [&str; 9] = ["but", "and", "all", "only", "though", "of", "them", "these", "those"];
        const EXCEPT: [&str; 7] = ["not", "except", "excepting", "excluding", "without", "minus", "save"];
        let words: Vec<String> = self.words.iter().map(|word| plain(word)).collect();
        let lead = words.iter().take_while(|word| LEADS.contains(&&***word)).count();
        let behind = words[lead..].split_first().filter(|(word, _)| EXCEPT.contains(&&***word));
        let of_list = |word: &&String| number(word).is_some() || is_filler(word) || *word == "for";
        let mut listed = behind.iter().flat_map(|(_, behind)| behind.iter().take_while(of_list));
        listed.any(|word| number(word).is_some_and(|number| numbers.contains(&number)))
    }

    /// Whether it says something of the number before it: `is bad`.
    fn tells(&self) -> bool {
        const VERBS: [&str; 12] =
            ["is", "isn't", "isn’t", "are", "aren't", "aren’t", "was", "were", "has", "does", "looks", "seems"];
        self.words.first().is_some_and(|word| VERBS.contains(&&*plain(word)))
    }

    /// Whether it names more that the vote may be on, and says nothing of that: `or 2`, `2 and 3 too`.
    fn adds(&self) -> bool {
        const MORE: [&str; 10] = ["", "or", "to", "through", "also", "too", "as", "well", "plus", "for"];
        const BETWEEN: [&str; 3] = ["or", "to", "through"];
        let of_list = |word: &&&str| number(word).is_some() || is_filler(word) || MORE.contains(&&*plain(word));
        let listed = self.words.iter().take_while(of_list).count();
        let goes_on = listed < self.words.len() && !begins_reason(&self.words[listed..]);
        let between = self.words.first().is_some_and(|word| BETWEEN.contains(&&*plain(word)));
        (between || !goes_on) && self.words[..listed].iter().any(|word| number(word).is_some())
    }
}

/// The parts of what stands behind the word of a vote. `(2)` is the number in it.
fn parts<'t>(tokens: &[&'t str]) -> Vec<Part<'t>> {
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

/// What leaves open which Proposals a vote is on: `FOR 1 or 2`, `1 FOR, 2 too`, `FOR 1-3 except 2`.
fn left_open(parts: &[Part<'_>], last: &str, rest: &[&str], numbers: &[u64]) -> Option<String> {
    // A number in brackets behind the word is said beside it.
    let is_beside = |part: &Part<'_>| part.words.len() == 1 && rest[0].starts_with('(') && !last.ends_with(',');
    let added = parts.first().filter(|part| !part.is_aside && !is_beside(part) && part.adds());
    // What is said of a number takes it out of the list: `FOR 1 and 2, 3 is bad`.
    let told = parts.first().filter(|part| number(last).is_some() && part.tells() && !part.is_aside);
    let open = told.or(added).or_else(|| parts.iter().find(|part| part.takes_back(numbers)))?;
    let shown: String = open.words.join(" ").chars().take(SHOWN_MAX_CHARS).collect();
    Some(shown.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned())
}

/// A word without the signs around it, as it is compared.
fn plain(word: &str) -> String {
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

/// The number of the one Open Proposal that is called so.
pub(super) fn titled(state: &State<BNomic>, title: &str) -> Option<u64> {
    let title = without_noun(title.trim());
    let open = proposals::all(state, Status::Open);
    let mut called = open.iter().filter(|proposal| proposals::is_called(state, proposal, title));
    let only = called.next().filter(|_| called.next().is_none())?;
    u64::try_from(proposals::number(state, only)).ok()
}

/// Why words that stand in the place of a Proposal's number are none.
pub(super) fn no_target(words: &str) -> String {
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
fn ends_sentence(token: &str) -> bool {
    token.ends_with(['.', '!', '?', ':', '-', '\u{2014}', '\u{2026}'])
}

/// Whether some words are a reason from their first on.
fn begins_reason(tokens: &[&str]) -> bool {
    const REASONS: [&str; 5] = ["because", "since", "as", "for", "so"];
    let word = |at: usize| tokens.get(at).map(|token| token.trim_end_matches(',').to_lowercase()).unwrap_or_default();
    // `so long as`
    let waits = waits::begins(tokens).is_some();
    word(0).starts_with(['(', '[', '-', '\u{2013}', '\u{2014}']) || (REASONS.contains(&&*word(0)) && !waits)
}

/// The words up to a reason.
fn before_reason<'t, 's>(tokens: &'t [&'s str]) -> &'t [&'s str] {
    let stop = tokens.iter().position(|token| ends_sentence(token)).map_or(tokens.len(), |at| at + 1);
    let mut at = 0;
    while at < stop && !begins_reason(&tokens[at..]) {
        // “as soon as” has a word of reasons in it.
        at += waits::begins(&tokens[at..]).map_or(1, |(_, count)| count);
    }
    &tokens[..at.min(stop)]
}

/// `1-3` and `1,2` as the numbers that they mean.
pub(super) fn spread(token: &str) -> Vec<String> {
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
fn number(token: &str) -> Option<u64> {
    let digits = token.trim_matches(['#', ':', ',', '.', '!', '\u{2026}']);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Whether a word between numbers of proposals says nothing of its own.
fn is_filler(token: &str) -> bool {
    ["on", "proposal", "proposals", "no", "number", "numbers", "and", ",", "i", "vote"]
        .contains(&&*token.to_lowercase())
}

/// Casts a vote on a proposal.
fn cast(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) -> Result<Document, Refusal> {
    is_open(d, proposal)?;
    let was = d.game.votes.cast.get(proposal).and_then(|votes| votes.get(me)).cloned();
    let to = Some(Vote { word, at: d.at });
    emit(d, Fact::Cast { proposal: proposal.clone(), voter: me.clone(), to, was: was.clone() });
    society::voted(d, me);
    let (name, label) = (called(d, me), proposals::label(d, proposal));
    let instead = was.map_or_else(String::new, |was| format!(", after {}", was.word.word()));
    let document = Document::say(format!("{name} votes {} on {label}{instead}.", word.word()));
    let document = proposals::about(d, proposal, document);
    d.say(crate::kernel::entry::Audience::Public, document);
    betrayal(d, me, proposal, word);
    Ok(Document::say(format!("Your vote on {label} is {}.", word.word())))
}

/// A vote AGAINST a Twin's proposal is a Felony; it is for a court to fine it (B15.14).
fn betrayal(d: &mut D<'_>, me: &Id, proposal: &Id, word: Word) {
    let Some(author) = proposals::author(d, proposal) else { return };
    if word != Word::Against || !society::are_twins(d, me, &author) {
        return;
    }
    let fine = d.rules.need(&BETRAYAL_FINE).map_or_else(|_| String::new(), |fine| format!("; the fine is m{fine}"));
    let (name, theirs) = (called(d, me), called(d, &author));
    d.tell_all(format!("{name} is the Twin of {theirs}: that vote is Blood Betrayal, a Felony{fine}."));
}

/// The proposals that a vote is on: those named, each or why not, or the only one that is Open.
fn meant(d: &D<'_>, numbers: &[u64]) -> Result<Vec<Result<Id, Refusal>>, Refusal> {
    if !numbers.is_empty() {
        return Ok(numbers.iter().map(|number| proposals::need(d, *number)).collect());
    }
    match &proposals::all(d, Status::Open)[..] {
        [only] => Ok(vec![Ok(only.clone())]),
        [] => Err(Refusal::new("nothing is Open").by(Thing::Proposals.rule(&d.rules)).instead("show ballot")),
        _ => Err(Refusal::new("several proposals are Open; say the number of yours").instead("vote 3 FOR")),
    }
}

/// A proposal gets another text: no vote on the former one counts for it. Whether there were any.
pub(super) fn annul(d: &mut D<'_>, proposal: &Id) -> bool {
    let votes = d.game.votes.cast.get(proposal).cloned().unwrap_or_default();
    for (voter, was) in &votes {
        emit(d, Fact::Cast { proposal: proposal.clone(), voter: voter.clone(), to: None, was: Some(was.clone()) });
    }
    !votes.is_empty()
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BNomic, fact: &Fact) {
    let Fact::Cast { proposal, voter, to, .. } = fact;
    let votes = game.votes.cast.entry(proposal.clone()).or_default();
    match to {
        Some(vote) => votes.insert(voter.clone(), vote.clone()),
        None => votes.remove(voter),
    };
}

/// What came between, as a clause, where a fact is not what holds any more: then it cannot be taken back alone.
pub(super) fn moved_on(fact: &Fact, state: &State<BNomic>) -> Option<String> {
    let Fact::Cast { proposal, voter, to, .. } = fact;
    let (name, label) = (called(state, voter), proposals::label(state, proposal));
    if passing::is_counted(state, proposal) {
        return Some(format!("{label} was counted since"));
    }
    let now = state.game.votes.cast.get(proposal).and_then(|votes| votes.get(voter));
    (now != to.as_ref()).then(|| format!("{name} voted on {label} again since"))
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    let Fact::Cast { proposal, voter, to, was } = fact.clone();
    Fact::Cast { proposal, voter, to: was, was: to }
}

// ---- display

/// The votes on a proposal.
pub(super) fn show(state: &State<BNomic>, proposal: &Id) -> Vec<Block> {
    let Some(votes) = state.game.votes.cast.get(proposal).filter(|votes| !votes.is_empty()) else { return Vec::new() };
    let row = |(voter, vote): (&Id, &Vote)| {
        let counts = if passing::counts(state, proposal, voter) { "" } else { "no Registered Voter" };
        vec![Cell::new(called(state, voter)), Cell::new(vote.word.word()), Cell::new(counts)]
    };
    let head = ["voter", "Final Vote", ""].map(str::to_owned).to_vec();
    vec![Block::Table { head, rows: votes.iter().map(row).collect() }]
}
