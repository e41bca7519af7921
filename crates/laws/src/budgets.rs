//! What laws take by themselves within an hour of the room's time: what they set for later, what the game's time wakes.
//!
//! What somebody types is that person's to pay. What a law has set for later it pays for, with all that follows. What
//! the game's time brings is done in any case, and each law pays for what it does then. A law that has nothing left
//! lets its deeds wait for the next hour, in their order. While the room has nothing left, that holds for every law
//! that has taken its even share: no law takes another one's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use kernel::{
    Draft, Id, Instant, State,
    display::Document,
    draft::{Payer, Taken},
    entry::Audience,
    rulebook::Rule,
    table::Row,
    time::minute,
};

use super::{
    limits::{
        ASKS_MAX_COUNT, DEED_OPERATIONS, HOUR_MAX_BYTES, HOUR_MAX_MESSAGES, HOUR_MAX_OPERATIONS, LATER_MAX_COUNT,
        ROOM_ASKS_MAX_COUNT, ROOM_HOUR_MAX_BYTES, ROOM_HOUR_MAX_MESSAGES, ROOM_HOUR_MAX_OPERATIONS,
        ROOM_LATER_MAX_COUNT,
    },
    room::Hosts,
    tables::{Ask, Enacted, Later},
};

/// What the law of a rule has taken by itself within an hour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Budget {
    /// Which hour, counted since 1970.
    hour: i64,
    /// Operations.
    pub(crate) operations: u64,
    /// Bytes of the journal.
    pub(crate) bytes: u64,
    /// Announcements.
    pub(crate) announced: u64,
}

impl<G> Row<G> for Budget {
    type Key = Id;
    const TABLE: &'static str = "law_budgets";
}

/// A bound of what one law takes, and of what all laws of a room do.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    /// Of what.
    pub(crate) of: &'static str,
    most: u64,
    of_room: u64,
}

impl Bound {
    const fn new(of: &'static str, most: u64, of_room: u64) -> Self {
        Self { of, most, of_room }
    }

    /// Whether a law that has taken so much of all that was taken may go on: there is some left, or it has not had its
    /// share among so many laws.
    fn leaves(self, own: u64, all: u64, laws: usize) -> bool {
        let share = self.of_room / u64::try_from(laws).unwrap_or(u64::MAX).max(1);
        own < self.most && (all < self.of_room || own < share)
    }
}

/// Places of what is set for later.
const LATER: Bound = Bound::new("deeds that wait", LATER_MAX_COUNT, ROOM_LATER_MAX_COUNT);
/// Places of what is asked of players.
const ASKS: Bound = Bound::new("things that are asked", ASKS_MAX_COUNT, ROOM_ASKS_MAX_COUNT);
/// What is bounded by the hour.
const BY_THE_HOUR: [Bound; 3] = [
    Bound::new("operations", HOUR_MAX_OPERATIONS, ROOM_HOUR_MAX_OPERATIONS),
    Bound::new("bytes", HOUR_MAX_BYTES, ROOM_HOUR_MAX_BYTES),
    Bound::new("announcements", HOUR_MAX_MESSAGES, ROOM_HOUR_MAX_MESSAGES),
];

/// What a law may take in an instant of the game's time without a word of it in the entry: such instants are few.
const UNTOLD: [u64; 3] = [50_000, 8_192, 5];

/// The hour of an instant.
fn hour(at: Instant) -> i64 {
    at.as_second().div_euclid(3_600)
}

impl Budget {
    fn all(&self) -> [u64; 3] {
        [self.operations, self.bytes, self.announced]
    }

    /// When the next hour begins.
    fn ends(&self) -> Instant {
        Instant::from_second((self.hour + 1) * 3_600).unwrap_or(Instant::MAX)
    }
}

/// The laws that have nothing left, by rule, each with when it goes on and what it has none of.
fn spent<G: Hosts>(state: &State<G>) -> BTreeMap<Id, (Instant, Bound)> {
    let (rows, laws) = (state.rows::<Budget>(), state.rows::<Enacted>().len());
    let mut all: BTreeMap<i64, [u64; 3]> = BTreeMap::new();
    for row in rows.values() {
        let sums = all.entry(row.hour).or_default();
        sums.iter_mut().zip(row.all()).for_each(|(sum, own)| *sum += own);
    }
    let lacks = |row: &Budget| {
        let each = BY_THE_HOUR.into_iter().zip(row.all()).zip(all.get(&row.hour)?);
        each.into_iter().find(|((bound, own), all)| !bound.leaves(*own, **all, laws)).map(|((bound, _), _)| bound)
    };
    rows.iter().filter_map(|(rule, row)| Some((rule.clone(), (row.ends(), lacks(row)?)))).collect()
}

/// When the law of a rule goes on that has nothing left; nothing where it has.
pub(crate) fn rests_until<G: Hosts>(state: &State<G>, rule: &Id) -> Option<Instant> {
    spent(state).get(rule).map(|(until, _)| *until).filter(|until| *until > state.at)
}

/// What laws have set for later, with when it is done as things stand: what shares that instant is done in the order of
/// those for which it was set, and of their ranks.
pub(crate) fn coming<G: Hosts>(state: &State<G>) -> Vec<(Instant, u64, &Later)> {
    let spent = spent(state);
    let comes = |later: &Later| spent.get(&later.rule).map_or(later.at, |(until, _)| later.at.max(*until));
    let all = state.rows::<Later>().iter().map(|(number, later)| (comes(later), *number, later));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|(_, number, later)| (later.at, later.rank, *number));
    all
}

/// How many places the law of a rule has among such, and how many all have.
fn places<'a>(rule: &Id, all: impl Iterator<Item = &'a Id>) -> (u64, u64) {
    all.fold((0, 0), |(own, all), known| (own + u64::from(known == rule), all + 1))
}

/// Which bound keeps the law of a rule from setting one thing more for later, or from asking for one.
pub(crate) fn is_full<G: Hosts>(state: &State<G>, rule: &Id, asks: bool) -> Option<String> {
    let (bound, (own, all)) = match asks {
        true => (ASKS, places(rule, state.rows::<Ask>().values().map(|ask| &ask.rule))),
        false => (LATER, places(rule, state.rows::<Later>().values().map(|later| &later.rule))),
    };
    let full = !bound.leaves(own, all, state.rows::<Enacted>().len());
    let (whose, most) =
        if own < bound.most { ("all laws together have", bound.of_room) } else { ("a law has", bound.most) };
    full.then(|| format!("{whose} at most {most} {}", bound.of))
}

/// Keeps what laws have taken by themselves in an entry. Nothing follows from it, so it says that it did nothing.
pub(crate) fn keep<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let mut taken = match d.payer.clone() {
        Payer::Asker => return false,
        Payer::Each => std::mem::take(d.taken()),
        Payer::Rule(rule) => {
            // What is written down here is no more of it.
            let all = d.all_taken();
            let kept = std::mem::replace(d.taken().entry(rule.clone()).or_default(), all);
            let entry = if kept == Taken::default() { DEED_OPERATIONS } else { 0 };
            let more = Taken { operations: all.operations + entry, ..all }.since(kept);
            if more.operations + more.in_turn == 0 { BTreeMap::new() } else { [(rule, more)].into() }
        }
    };
    if d.payer == Payer::Each {
        taken.retain(|_, taken| amounts(taken).into_iter().zip(UNTOLD).any(|(own, most)| own > most));
    }
    taken.retain(|rule, _| d.row::<Enacted>(rule).is_some());
    if taken.is_empty() {
        return false;
    }
    let (before, hour) = (spent(d), hour(d.at));
    for (rule, taken) in taken {
        let was = d.row::<Budget>(&rule).filter(|row| row.hour == hour).cloned().unwrap_or_default();
        let [operations, bytes, announced] = amounts(&taken);
        let is = Budget {
            hour,
            operations: was.operations + operations,
            bytes: was.bytes + bytes,
            announced: was.announced + announced,
        };
        d.put(&rule, is);
    }
    for (rule, (until, bound)) in spent(d) {
        if until > d.at && before.get(&rule).is_none_or(|(known, _)| *known < until) {
            let label = d.rules.get(&rule).map(Rule::label).unwrap_or_default();
            let text = format!(
                "The law of {label} has taken all {} that it may take by itself in an hour. What it has set for later \
                 waits until {}.",
                bound.of,
                minute(until)
            );
            d.say(Audience::Moderators, Document::say(text));
        }
    }
    false
}

fn amounts(taken: &Taken) -> [u64; 3] {
    let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    [taken.operations + taken.in_turn, count(taken.bytes), count(taken.announced)]
}

/// What the law of a rule has taken by itself, and what of it waits, in sentences.
pub(crate) fn told<G: Hosts>(state: &State<G>, rule: &Id) -> Option<String> {
    let row = state.row::<Budget>(rule).filter(|row| row.hour == hour(state.at));
    let (later, _) = places(rule, state.rows::<Later>().values().map(|later| &later.rule));
    let (asks, _) = places(rule, state.rows::<Ask>().values().map(|ask| &ask.rule));
    if row.is_none() && later + asks == 0 {
        return None;
    }
    let part = |(bound, own): (Bound, u64)| format!("{own} of {} {}", bound.most, bound.of);
    let by_the_hour = BY_THE_HOUR.into_iter().zip(row.cloned().unwrap_or_default().all());
    let all: Vec<String> = by_the_hour.chain([(LATER, later), (ASKS, asks)]).map(part).collect();
    let rests =
        rests_until(state, rule).map(|until| format!(" What it has set for later waits until {}.", minute(until)));
    Some(format!("By itself it has taken in this hour: {}.{}", all.join(", "), rests.unwrap_or_default()))
}
