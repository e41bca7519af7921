//! Duties (4E53): what is owed, by when, and what was done for it.
//!
//! A change here is of these rows alone. Who asks for what stands with each mechanic.

use serde::{Deserialize, Serialize};

use crate::{
    clock::hands,
    figures::JIFFY_RDAYS,
    game::{BNomic, D},
    ministries::posts,
};
use kernel::{Id, Refusal, State, table::Row};

// ---- state

/// That the Minister of Ministry must put the Clock On.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Start {
    /// Midnights of the room after which that is late.
    pub(crate) until: u64,
}

impl Row<BNomic> for Start {
    type Key = ();
    const TABLE: &'static str = "clock_duty";

    fn told((): &(), _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        match is {
            Some(_) => "the Minister of Ministry owes that the Clock is put On".to_owned(),
            None => "nobody owes that the Clock is put On".to_owned(),
        }
    }
}

/// A duty of a ministry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Duty {
    /// Whose.
    pub(crate) ministry: Id,
    /// What is to be done.
    pub(crate) text: String,
    /// Who asks for it.
    pub(crate) by: Id,
    /// Midnights of the room after which it is late; none while the ministry is Vacant (B53.4).
    pub(crate) until: Option<u64>,
    /// Who held the ministry last while this is owed, and until when it was theirs to do. Whoever resigns and takes it
    /// again is no new Minister (B53.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<(Id, u64)>,
}

impl Row<BNomic> for Duty {
    type Key = u64;
    const TABLE: &'static str = "duties";

    fn told(number: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        match (was, is) {
            (None, Some(is)) => {
                format!("duty {number} of {}: {}", posts::ever_called(state, &is.ministry), is.text)
            }
            (Some(_), None) => format!("duty {number} is not owed any more"),
            (Some(was), Some(is)) if was.until != is.until => match is.until {
                Some(until) => format!("duty {number} is late after rday {until}"),
                None => format!("duty {number} waits for a Minister"),
            },
            _ => String::new(),
        }
    }
}

/// When putting the Clock On is late, while that is owed.
pub(crate) fn start(state: &State<BNomic>) -> Option<u64> {
    state.rows::<Start>().get(&()).map(|start| start.until)
}

// ---- decide

/// Midnights after which a duty that arises now is late (B53.1, B30.4).
pub(crate) fn deadline(d: &D<'_>) -> Result<u64, Refusal> {
    Ok(hands::rdays(d).saturating_add(d.rules.need_count(&JIFFY_RDAYS)?))
}

/// A duty arises; gives its number.
pub(crate) fn arises(d: &mut D<'_>, duty: Duty) -> u64 {
    let number = d.next_number::<Duty>();
    d.put(&number, duty);
    number
}

/// A ministry changes hands: a new Minister gets the full time for every duty, and a vacancy none. Who held it last
/// gets what was left (B53.4). `left` is whoever leaves it now.
pub(crate) fn handed(d: &mut D<'_>, ministry: &Id, left: Option<&Id>) {
    let theirs: Vec<(u64, Duty)> = d
        .rows::<Duty>()
        .iter()
        .filter(|(_, duty)| duty.ministry == *ministry)
        .map(|(number, duty)| (*number, duty.clone()))
        .collect();
    let holder = posts::minister(d, ministry);
    let until = if holder.is_some() { deadline(d).ok() } else { None };
    for (number, mut duty) in theirs {
        if let (Some(left), Some(until)) = (left, duty.until) {
            duty.before = Some((left.clone(), until));
        }
        let old = duty.before.as_ref().filter(|(before, _)| Some(before) == holder.as_ref()).map(|(_, until)| *until);
        duty.until = if holder.is_some() { old.or(until) } else { None };
        d.put(&number, duty);
    }
    if posted(d, ministry) && start(d).is_some() {
        match until {
            Some(until) => d.put(&(), Start { until }),
            None => drop(d.delete::<Start>(&())),
        }
    }
}

/// A ministry ends with its rule, and what it owed with it (B45.1).
pub(crate) fn ended(d: &mut D<'_>, ministry: &Id) {
    let theirs = d.rows::<Duty>().iter().filter(|(_, duty)| duty.ministry == *ministry);
    let gone: Vec<u64> = theirs.map(|(number, _)| *number).collect();
    for number in &gone {
        d.delete::<Duty>(number);
    }
    if !gone.is_empty() {
        let gone: Vec<String> = gone.iter().map(u64::to_string).collect();
        d.tell_all(format!("A ministry ends with its rule, and what it owed with it: duty {}.", gone.join(", ")));
    }
}

/// Whether a ministry is the one whose Minister puts the Clock On.
pub(crate) fn posted(state: &State<BNomic>, ministry: &Id) -> bool {
    posts::find(state, CLOCK_MINISTRY).is_ok_and(|found| found == *ministry)
}

/// The ministry that owes that the Clock goes On.
pub(crate) const CLOCK_MINISTRY: &str = "Ministry";

// ---- display

/// How long there is for something, in words.
pub(crate) fn time_left(state: &State<BNomic>, until: Option<u64>) -> String {
    match until {
        None => "while Vacant, no time runs".to_owned(),
        Some(until) if until <= hands::rdays(state) => "late".to_owned(),
        Some(until) if until - hands::rdays(state) == 1 => "1 rday".to_owned(),
        Some(until) => format!("{} rdays", until - hands::rdays(state)),
    }
}
