//! Times as players say them (4E7, 4E14): of the Clock, of UTC, and durations counted as 4E14 counts them.
//!
//! A period means its start, the next time that it comes, unless its end is named (B7.8). X ndays last to the end of
//! the nday after X changes, and X ndelays likewise. X nweeks last to the end of the same nday that much later, X rdays
//! through X midnights (B14.13 to B14.15). Acts at such a time are set in `schedule`.

use serde::{Deserialize, Serialize};

use super::{
    calendar,
    clock::hands::{self, Moment},
    figures::JIFFY_RDAYS,
    game::BNomic,
    law::{Thing, established},
    quantities,
};
use kernel::{
    Instant, Num, Refusal, State,
    rulebook::numeral::numerals,
    time::{coming::coming, minute},
};

/// A time at which something is to happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum When {
    /// An instant of UTC.
    At(Instant),
    /// When a period begins.
    Starts(Period),
    /// When one ends.
    Ends(Period),
    /// When a duration is over, which was counted from this nday on.
    After {
        /// What is counted.
        until: Until,
        /// The duration as it was said.
        said: String,
        /// When that was.
        from: Moment,
    },
}

/// A period of the Clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Period {
    /// An nday, in this nweek or in whichever comes next.
    Nday {
        /// The nweek.
        nweek: Option<i64>,
        /// The nday.
        nday: i64,
    },
    /// An nweek, or the next one.
    Nweek(Option<i64>),
    /// A Voting Period.
    Voting,
    /// An ndelay of this number, or the next one.
    Ndelay(Option<i64>),
}

/// How far a duration goes: counts of the room, as they are when it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Until {
    /// To the end of the nday that began with this change.
    Changes(u64),
    /// To the end of the ndelay that is in progress after so many changes.
    Ndelays(u64),
    /// To the end of this nday, or of what the Clock goes past it from (B14.15).
    Nday(Moment),
    /// To this midnight.
    Rdays(u64),
}

/// How the Clock turns from one nday to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// The nday that ends.
    pub(super) from: Moment,
    /// The one that begins.
    pub(super) to: Moment,
    /// Changes of the nday before this one.
    pub(super) changes: u64,
    /// Whether a Voting Period ends.
    pub(super) voting_ends: bool,
    /// Whether one begins.
    pub(super) voting_begins: bool,
}

impl Turn {
    /// Whether the nweek changes.
    pub(super) fn new_nweek(&self) -> bool {
        self.from.nweek != self.to.nweek
    }

    /// Whether the nday changes: not where the nweek is set alone (B14.11).
    pub(super) fn new_nday(&self) -> bool {
        self.from.nday != self.to.nday || !self.new_nweek()
    }
}

impl When {
    /// Whether it is at the end of what a turn of the Clock ends.
    pub(super) fn ends_at(&self, turn: &Turn) -> bool {
        match self {
            Self::At(_) | Self::Starts(_) => false,
            Self::Ends(Period::Nday { nweek, nday }) => {
                turn.new_nday() && turn.from.nday == *nday && nweek.is_none_or(|nweek| nweek == turn.from.nweek)
            }
            Self::Ends(Period::Nweek(nweek)) => turn.new_nweek() && nweek.is_none_or(|nweek| nweek == turn.from.nweek),
            Self::Ends(Period::Voting) => turn.voting_ends,
            Self::Ends(Period::Ndelay(_)) => false,
            Self::After { until: Until::Changes(changes), .. } => turn.new_nday() && turn.changes >= *changes,
            Self::After { until: Until::Nday(moment), .. } => turn.new_nday() && turn.to > *moment,
            Self::After { until: Until::Ndelays(_) | Until::Rdays(_), .. } => false,
        }
    }

    /// Whether it is at the start of what a turn of the Clock begins.
    pub(super) fn starts_at(&self, turn: &Turn) -> bool {
        match self {
            Self::Starts(Period::Nday { nweek, nday }) => {
                turn.new_nday() && turn.to.nday == *nday && nweek.is_none_or(|nweek| nweek == turn.to.nweek)
            }
            Self::Starts(Period::Nweek(nweek)) => turn.new_nweek() && nweek.is_none_or(|nweek| nweek == turn.to.nweek),
            Self::Starts(Period::Voting) => turn.voting_begins,
            Self::Starts(Period::Ndelay(_)) | Self::At(_) | Self::Ends(_) | Self::After { .. } => false,
        }
    }
}

impl When {
    /// The time in words, with the names that ndays have now.
    pub(super) fn words(&self, state: &State<BNomic>) -> String {
        let next = |which: &str, nweek: &Option<i64>| match nweek {
            Some(nweek) => format!("nweek {nweek}"),
            None => format!("{which} nweek"),
        };
        match self {
            Self::At(at) => minute(*at),
            Self::Starts(Period::Nday { nweek, nday }) => format!("the start of {}", nday_of(state, *nweek, *nday)),
            Self::Ends(Period::Nday { nweek, nday }) => format!("the end of {}", nday_of(state, *nweek, *nday)),
            Self::Starts(Period::Nweek(nweek)) => format!("the start of {}", next("the next", nweek)),
            Self::Ends(Period::Nweek(nweek)) => format!("the end of {}", next("the", nweek)),
            Self::Starts(Period::Voting) => "the start of voting".to_owned(),
            Self::Ends(Period::Voting) => "the end of voting".to_owned(),
            Self::Starts(Period::Ndelay(None)) => "the start of the next ndelay".to_owned(),
            Self::Ends(Period::Ndelay(None)) => "the end of the ndelay".to_owned(),
            Self::Starts(Period::Ndelay(Some(ndelay))) => format!("the start of ndelay {ndelay}"),
            Self::Ends(Period::Ndelay(Some(ndelay))) => format!("the end of ndelay {ndelay}"),
            Self::After { said, from, .. } => format!("{said} from {from} on"),
        }
    }
}

/// How many ndays an nweek has, where a time is an nday beyond them.
pub(super) fn beyond(state: &State<BNomic>, when: &When) -> Option<i64> {
    let (When::Starts(Period::Nday { nday, .. }) | When::Ends(Period::Nday { nday, .. })) = when else { return None };
    hands::last_nday(state).filter(|last| nday > last)
}

fn nday_of(state: &State<BNomic>, nweek: Option<i64>, nday: i64) -> String {
    let nday = calendar::day(state, nday);
    nweek.map_or_else(|| format!("nday {nday}"), |nweek| format!("nday {nday} of nweek {nweek}"))
}

/// Which edge of a period somebody named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

/// A time from what a player writes, as it is said now.
///
/// # Errors
///
/// A [`Refusal`] where it is none, or is over already.
pub(super) fn read(state: &State<BNomic>, text: &str, at: Instant) -> Result<When, Refusal> {
    let plain = text.trim().trim_end_matches(['.', '!', ':']).to_lowercase().replace(',', " ");
    let all = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = after(&all, &["at ", "on ", "in ", "after "]);
    let words = after(words, &["the "]);
    let (edge, words) = match (after(words, &["start of ", "beginning of "]), after(words, &["end of "])) {
        (rest, _) if rest != words => (Some(Edge::Start), rest),
        (_, rest) if rest != words => (Some(Edge::End), rest),
        // Something is after a period when that is over.
        _ if all.starts_with("after ") => (Some(Edge::End), words),
        _ => (None, words),
    };
    let words = after(words, &["the "]);
    let words = &*plainly(state, words, edge);
    if edge != Some(Edge::Start)
        && let Some(when) = duration(state, words)?
    {
        return Ok(when);
    }
    if let Some(period) = period(state, words)? {
        established(&state.rules, Thing::Clock)?;
        return Ok(if edge == Some(Edge::End) { When::Ends(period) } else { When::Starts(period) });
    }
    if edge == Some(Edge::End) && matches!(words, "nday" | "this nday") {
        let until = Until::Changes(hands::changes(state));
        return Ok(When::After { until, said: "this nday".to_owned(), from: hands::now(state) });
    }
    let by = || Thing::Actions.rule(&state.rules);
    match coming(words, at, edge == Some(Edge::End)) {
        Some((instant, day)) => {
            let instant = match (edge, day) {
                (Some(Edge::End), false) if !all.starts_with("after ") => {
                    return Err(Refusal::new("an instant has no end; name a day")
                        .by(by())
                        .instead("schedule 5 June: clock on"));
                }
                (Some(Edge::End), true) => hands::midnight_after(instant),
                _ => instant,
            };
            if instant > at { Ok(When::At(instant)) } else { Err(Refusal::new(OVER).by(by())) }
        }
        None => {
            let shown: String = text.trim().chars().take(SHOWN_MAX_CHARS).collect();
            Err(Refusal::new(format!(
                "“{shown}” is no time of the Clock or of UTC, as nday 8, end of nweek 151, 2 ndays or 2026-11-02 10:00 is"
            ))
            .by(by())
            .instead("schedule nday 8: clock on"))
        }
    }
}

/// Why nothing is set for such a time.
const OVER: &str = "that time is over";

/// The same time in words that say which nweek and nday is meant: `nday 8 of the next nweek`, `the next nday`, `nyear 15`.
fn plainly(state: &State<BNomic>, words: &str, edge: Option<Edge>) -> String {
    let now = hands::now(state);
    let of = |count: i64| format!("of nweek {}", now.nweek.saturating_add(count));
    let nyear = words.strip_prefix("nyear ").and_then(|nyear| nyear.parse::<i64>().ok());
    let nweek = |nyear: i64| match edge {
        Some(Edge::End) => calendar::first_nweek(state, nyear.checked_add(1)?)?.checked_sub(1),
        _ => calendar::first_nweek(state, nyear),
    };
    match (words, nyear.and_then(nweek)) {
        (_, Some(nweek)) => format!("nweek {nweek}"),
        ("next nweek", _) if edge == Some(Edge::End) => format!("nweek {}", now.nweek.saturating_add(1)),
        // It ends with its nweek.
        ("next voting" | "next voting period", _) if edge == Some(Edge::End) && hands::votes_run(state) => {
            format!("nweek {}", now.nweek.saturating_add(1))
        }
        ("next ndelay", _) if edge == Some(Edge::End) && !hands::is_on(state) => {
            format!("ndelay {}", hands::ndelay(state).saturating_add(1))
        }
        ("next nday", _) => {
            let next = hands::wrapped(state, Moment { nday: now.nday.saturating_add(1), ..now });
            format!("nday {} of nweek {}", next.nday, next.nweek)
        }
        _ => {
            words.replace("of the next nweek", &of(1)).replace("of next nweek", &of(1)).replace("of this nweek", &of(0))
        }
    }
}

/// Most characters of what was typed that a refusal repeats.
const SHOWN_MAX_CHARS: usize = 40;

/// What comes after one of these words, or all of it.
fn after<'t>(text: &'t str, words: &[&str]) -> &'t str {
    words.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text)
}

/// `2 ndays`, `a jiffy`: a duration, to its end.
fn duration(state: &State<BNomic>, words: &str) -> Result<Option<When>, Refusal> {
    let (count, unit) = if words == "a jiffy" {
        (state.rules.need_count(&JIFFY_RDAYS)?, "rdays")
    } else {
        let Some((number, unit)) = words.rsplit_once(' ') else { return Ok(None) };
        if !UNITS.contains(&unit) {
            return Ok(None);
        }
        let spelled = || match number {
            "a" | "an" => Some(Num::from(1)),
            // “two ndays” is as good as “2 ndays”.
            number => {
                numerals(number, true).first().filter(|whole| whole.at == (0..number.len())).map(|n| n.value.clone())
            }
        };
        let Some(number) = quantities::read(state, number).ok().or_else(spelled) else { return Ok(None) };
        match number.to_u64().filter(|_| number.is_whole()) {
            Some(count) => (count, unit),
            None => return Err(Refusal::new("a duration is a whole number of ndays, ndelays, nweeks or rdays")),
        }
    };
    established(&state.rules, Thing::Clock)?;
    let from = hands::now(state);
    let until = match unit.trim_end_matches('s') {
        "nday" => Until::Changes(hands::changes(state).saturating_add(count)),
        "ndelay" => Until::Ndelays(hands::ndelays(state).saturating_add(count)),
        "nweek" => {
            let nweeks = i64::try_from(count).unwrap_or(i64::MAX);
            Until::Nday(Moment { nweek: from.nweek.saturating_add(nweeks), nday: from.nday })
        }
        _ if count == 0 => return Err(Refusal::new("no rdays are no later time").instead("schedule 2 rdays: clock on")),
        _ => Until::Rdays(hands::rdays(state).saturating_add(count)),
    };
    Ok(Some(When::After { until, said: words.to_owned(), from }))
}

/// A duration in words, as it is counted from now on: `2 ndays`, and `3 ndays or ndelays` for whatever comes first.
pub(super) fn counted(state: &State<BNomic>, words: &str) -> Option<Vec<Until>> {
    let words = words.trim().to_lowercase();
    let (first, others) = words.split_once(" or ").map_or((words.as_str(), None), |(first, rest)| (first, Some(rest)));
    let count = first.rsplit_once(' ')?.0;
    let others = others.into_iter().flat_map(|rest| rest.split(" or "));
    let whole = |unit: &str| if unit.contains(' ') { unit.to_owned() } else { format!("{count} {unit}") };
    let all: Vec<String> = std::iter::once(first.to_owned()).chain(others.map(whole)).collect();
    let until = |words: &String| match duration(state, words) {
        Ok(Some(When::After { until, .. })) => Some(until),
        _ => None,
    };
    all.iter().map(until).collect()
}

/// When a duration is over, as the Clock goes; the present instant where it is. Nothing where nobody knows, since the Clock
/// goes Off before.
pub(super) fn over(state: &State<BNomic>, until: &Until) -> Option<Instant> {
    let midnights =
        |from: Instant, count: u64| (0..count.min(AHEAD_MAX_COUNT)).fold(from, |at, _| hands::midnight_after(at));
    let ahead = || hands::ahead(state).take(AHEAD_MAX_COUNT as usize);
    match *until {
        Until::Changes(last) => match last.checked_sub(hands::changes(state)) {
            None => Some(state.at),
            Some(more) => ahead().nth(usize::try_from(more).ok()?)?.1,
        },
        Until::Nday(last) if hands::now(state) > last => Some(state.at),
        Until::Nday(last) => ahead().find(|(moment, _)| *moment > last)?.1,
        Until::Ndelays(last) => {
            let Some(more) = last.checked_sub(hands::ndelays(state)) else { return Some(state.at) };
            // While the Clock is On the first of them begins when it goes Off.
            let begins = match hands::is_on(state) {
                true => ahead().map_while(|(_, begins)| begins).last()?,
                false => hands::next_midnight_of(state)?,
            };
            Some(midnights(begins, if hands::is_on(state) { more + 1 } else { more }))
        }
        Until::Rdays(last) => match last.checked_sub(hands::rdays(state)) {
            None | Some(0) => Some(state.at),
            Some(more) => Some(midnights(hands::next_midnight_of(state)?, more - 1)),
        },
    }
}

/// Most ndays and midnights that are looked ahead.
const AHEAD_MAX_COUNT: u64 = 4_000;

/// What durations are counted in.
const UNITS: [&str; 10] = ["nday", "ndays", "ndelay", "ndelays", "nweek", "nweeks", "rday", "rdays", "day", "days"];

/// `nday 8`, `ballotday of nweek 152`, `152/8`, `nweek 152`, `voting`.
fn period(state: &State<BNomic>, words: &str) -> Result<Option<Period>, Refusal> {
    match words {
        "voting" | "voting period" | "next voting" | "next voting period" => return Ok(Some(Period::Voting)),
        "nweek" | "next nweek" | "this nweek" => return Ok(Some(Period::Nweek(None))),
        "ndelay" | "next ndelay" | "this ndelay" => return Ok(Some(Period::Ndelay(None))),
        _ => {}
    }
    if let Some(number) = words.strip_prefix("ndelay ") {
        let number = quantities::read(state, number).ok().and_then(|number| number.to_i64()).filter(|n| *n >= 0);
        return Ok(number.map(|number| Period::Ndelay(Some(number))));
    }
    if let Some((nweek, nday)) = words.split_once('/')
        && let (Ok(nweek), Ok(nday)) = (nweek.trim().parse::<i64>(), nday.trim().parse::<i64>())
    {
        return hand(nweek).and_then(|nweek| Ok(Some(Period::Nday { nweek: Some(nweek), nday: hand(nday)? })));
    }
    let (nweek, rest) = match words.split_once("nweek ") {
        None => (None, words),
        Some((before, number)) => {
            let (number, rest) = number.split_once(" nday ").map_or((number, None), |(n, rest)| (n, Some(rest)));
            let Ok(nweek) = quantities::read(state, number) else { return Ok(None) };
            let nweek = hand(nweek.to_i64().unwrap_or_default())?;
            let before = before.trim_end().trim_end_matches(" of").trim_end_matches(" in").trim();
            match (before.is_empty(), rest) {
                (true, None) => return Ok(Some(Period::Nweek(Some(nweek)))),
                (true, Some(rest)) => return named_nday(state, rest, Some(nweek)),
                (false, None) => (Some(nweek), before),
                (false, Some(_)) => return Ok(None),
            }
        }
    };
    named_nday(state, rest.strip_prefix("nday ").unwrap_or(rest), nweek)
        .map(|period| period.filter(|_| rest.starts_with("nday ") || rest.chars().all(char::is_alphabetic)))
}

fn named_nday(state: &State<BNomic>, words: &str, nweek: Option<i64>) -> Result<Option<Period>, Refusal> {
    let nday = match calendar::called(state, words) {
        Some(nday) => Some(nday),
        None => match quantities::read(state, words) {
            Ok(number) => Some(hand(number.to_i64().unwrap_or_default())?),
            Err(_) => None,
        },
    };
    Ok(nday.map(|nday| Period::Nday { nweek, nday }))
}

/// What a hand of the Clock can say: a positive integer (B14.1).
fn hand(number: i64) -> Result<i64, Refusal> {
    if number >= 1 {
        return Ok(number);
    }
    Err(Refusal::new("nweeks and ndays are counted from 1").instead("schedule nday 8: clock on"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(from: (i64, i64), to: (i64, i64), changes: u64) -> Turn {
        let moment = |(nweek, nday)| Moment { nweek, nday };
        let (from, to) = (moment(from), moment(to));
        Turn { from, to, changes, voting_ends: from.nweek != to.nweek, voting_begins: from.nday < 9 && to.nday >= 9 }
    }

    fn last(until: Until) -> When {
        When::After { until, said: String::new(), from: Moment { nweek: 150, nday: 5 } }
    }

    /// B14.13, B14.15: to the end of the nday after so many changes, and past an nday that is jumped over.
    #[test]
    fn b14_13_durations_end_with_an_nday() {
        let two = last(Until::Changes(7));
        assert!(!two.ends_at(&turn((150, 11), (150, 12), 5)) && !two.ends_at(&turn((150, 12), (151, 1), 6)));
        assert!(two.ends_at(&turn((151, 1), (151, 2), 7)));
        let nweek = last(Until::Nday(Moment { nweek: 151, nday: 5 }));
        assert!(!nweek.ends_at(&turn((151, 4), (151, 5), 9)) && nweek.ends_at(&turn((151, 5), (151, 6), 9)));
        assert!(nweek.ends_at(&turn((151, 3), (151, 9), 9)));
    }

    /// B14.11: what was jumped over neither began nor ended.
    #[test]
    fn b14_11_a_jump_is_one_turn() {
        let jump = turn((150, 5), (150, 9), 3);
        let nday = |nday| Period::Nday { nweek: None, nday };
        assert!(When::Ends(nday(5)).ends_at(&jump) && When::Starts(nday(9)).starts_at(&jump));
        for skipped in 6..=8 {
            assert!(!When::Ends(nday(skipped)).ends_at(&jump) && !When::Starts(nday(skipped)).starts_at(&jump));
        }
        assert!(When::Starts(Period::Voting).starts_at(&jump) && !When::Ends(Period::Nweek(None)).ends_at(&jump));
    }
}
