//! The places on the Hill, and the challenges for them: the rows, questions about them, and their changes.
//!
//! Why a program comes or goes stands in `hill`, `challenge` and `start`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{
    game::{D, Joust, Tables},
    outcome::{self, Outcome},
    programs::{self, Program, Status},
    reading::Terms,
};
use kernel::{Instant, Num, Seq, State, display::counted, table::Row, time::months_after};

/// What happens to a program that leaves the Hill, however that came.
pub(super) const DROPPED: &str = "dropped";

// ---- state

/// The Hill, as of everything that is done with; what is still on the agenda is not yet seen here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Hill {
    /// The figures that are in force at this point of the agenda.
    pub(super) terms: Terms,
    /// The figures that the last change on the agenda brings; those of the contract's text.
    pub(super) coming: Terms,
    /// The number of the last challenge that was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
    /// That of the last one of the tournament before, for who asks about a match of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
}

impl Row<Joust> for Hill {
    type Key = ();
    const TABLE: &'static str = "hill";

    fn told((): &(), was: Option<&Self>, is: Option<&Self>, _: &State<Joust>) -> String {
        let terms = |row: Option<&Self>| row.map(|hill| hill.terms.clone()).unwrap_or_default();
        let is = terms(is);
        let Some(size) = is.size.filter(|_| is != terms(was)) else { return String::new() };
        format!("the Hill holds {} at most, by the figures in force now", counted(size, "program"))
    }
}

/// A program on the Hill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Place {
    /// Which program.
    pub(super) program: u64,
    /// Its rank, from 1.
    pub(super) rank: usize,
    /// Since when, without a break: the deemed time of its challenge, the start, or the act that added it.
    pub(super) since: Instant,
    /// The order of arrival: of equals, the later one ranks lower (J24).
    pub(super) arrival: u64,
    /// How many challenges by others it outlived (J37).
    pub(super) outlived: u32,
    /// Since when it is a knight by something else than its age under the present figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) knighted: Option<Instant>,
    /// Its touches in the last challenge; none before its first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) touches: Option<i64>,
    /// Its score in the last challenge, where something else than touches ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<Num>,
    /// Whether the publication after its month was called for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) reveal_called: bool,
    /// The number of the first challenge of this stay: it has taken part in every one since.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
}

impl Row<Joust> for Place {
    type Key = u64;
    const TABLE: &'static str = "places";

    fn told(program: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        let named = || match programs::program(&state.tables, *program) {
            Some(held) => format!("{} (#{program})", held.name),
            // It is as if it had never been sent.
            None => format!("program #{program}"),
        };
        match (was, is) {
            (None, Some(is)) => format!("{} comes to the Hill, as rank {}", named(), is.rank),
            (Some(was), Some(is)) if was.knighted != is.knighted => format!("{} is a Knight", named()),
            // The challenge tells ranks and touches, and the agenda a publication.
            (Some(_), Some(_)) => String::new(),
            (_, None) => format!("{} leaves the Hill", named()),
        }
    }
}

/// A stay on the Hill that is over, by the program and the number of the first challenge in it. Kept because the tables
/// of pairs of all challenges would not fit into a state. The entry of the one that is asked for holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Stay {
    /// The number of the last challenge in it.
    last: u64,
    /// The entry that tells that.
    seq: Seq,
}

impl Row<Joust> for Stay {
    type Key = (u64, u64);
    const TABLE: &'static str = "stays";
}

/// A challenge that was played, and the entry that tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Fought {
    /// How it went.
    pub(super) outcome: Outcome,
    /// The entry.
    pub(super) seq: Seq,
}

impl Row<Joust> for Fought {
    type Key = u64;
    const TABLE: &'static str = "results";

    fn told(_: &u64, _: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        is.map_or_else(String::new, |is| played(&is.outcome, state))
    }
}

/// How a challenge went, in a line.
pub(super) fn played(outcome: &Outcome, state: &State<Joust>) -> String {
    let named = |id| format!("{} (#{id})", programs::name_of(&state.tables, id));
    let dropped = outcome.dropped.map_or_else(String::new, |id| format!(", {} drops", named(id)));
    let (by, lengths) = (named(outcome.challenger), outcome::listed(&outcome.lengths));
    format!("challenge {} by {by} is played, its lengths {lengths}{dropped}", outcome.number)
}

/// The Hill.
pub(super) fn hill(joust: &Tables) -> &Hill {
    static UNOPENED: LazyLock<Hill> = LazyLock::new(Hill::default);
    joust.rows::<Hill>().get(&()).unwrap_or(&UNOPENED)
}

/// The place of a program that is on the Hill.
pub(super) fn place(joust: &Tables, program: u64) -> Option<&Place> {
    joust.rows::<Place>().get(&program)
}

/// The places, best first.
pub(super) fn ranked(joust: &Tables) -> Vec<&Place> {
    let mut places: Vec<&Place> = joust.rows::<Place>().values().collect();
    places.sort_by_key(|place| place.rank);
    places
}

/// The programs on the Hill in the order of their arrival.
pub(super) fn by_arrival(joust: &Tables) -> Vec<u64> {
    let mut places: Vec<&Place> = joust.rows::<Place>().values().collect();
    places.sort_by_key(|place| place.arrival);
    places.into_iter().map(|place| place.program).collect()
}

/// Whether a program comes after another where they meet, and so has `+` and `-` exchanged where each length is fought
/// twice (J49). It arrived on the Hill later, or would. Of two that are not both there, that is the newer one.
pub(super) fn is_later(joust: &Tables, one: u64, other: u64) -> bool {
    match (place(joust, one), place(joust, other)) {
        (Some(one), Some(other)) => one.arrival > other.arrival,
        _ => one > other,
    }
}

/// Why a program cannot come to the Hill as the tournament reads; nothing where its text is known to be a program.
pub(super) fn written_otherwise(joust: &Tables, program: &Program) -> Option<String> {
    let now = hill(joust).coming.notation?;
    (program.notation != now).then(|| {
        format!(
            "the program {} was sent when CURRENT TOURNAMENT read programs otherwise, and has to be sent anew",
            program.name
        )
    })
}

/// The last challenge that was played, with its table of pairs.
pub(super) fn last(joust: &Tables) -> Option<&Fought> {
    joust.rows::<Fought>().get(&hill(joust).last?)
}

/// The entry of the latest challenge in which two programs met.
pub(super) fn met(joust: &Tables, one: u64, other: u64) -> Option<Seq> {
    // Within a stay a program takes part in every challenge, so that the earlier of two ends is common to both.
    let common = |((first, one), (since, other)): ((u64, Stay), (u64, Stay))| {
        let end = if one.last <= other.last { one } else { other };
        (end.last >= first.max(since)).then_some(end.seq)
    };
    let others: Vec<_> = stays_of(joust, other).collect();
    let pairs = stays_of(joust, one).flat_map(|one| others.iter().map(move |other| (one, *other)));
    pairs.filter_map(common).max()
}

/// The stays of a program in which it took part in challenges, each with the number of the first.
fn stays_of(joust: &Tables, program: u64) -> impl Iterator<Item = (u64, Stay)> {
    let over = joust.rows::<Stay>().range((program, 0)..=(program, u64::MAX)).map(|((_, first), stay)| (*first, *stay));
    over.chain(staying(joust, program))
}

/// The stay that lasts, as it would be if it ended now.
fn staying(joust: &Tables, program: u64) -> Option<(u64, Stay)> {
    let (first, last) = (place(joust, program)?.first?, last(joust)?);
    Some((first, Stay { last: last.outcome.number, seq: last.seq }))
}

/// The instant at which a program on the Hill will have been there for its month (J31); nothing where nothing is due.
pub(super) fn month_over(place: &Place, months: i64) -> Option<Instant> {
    (!place.reveal_called).then(|| months_after(place.since, months))
}

// ---- changes

/// A program takes the last place.
pub(super) fn arrives(d: &mut D<'_>, program: u64, since: Instant) {
    let rank = d.rows::<Place>().len() + 1;
    comes(d, Place { program, rank, since, ..Place::default() });
}

/// A program takes a place, as the latest of all.
fn comes(d: &mut D<'_>, place: Place) {
    let arrival = 1 + d.rows::<Place>().values().map(|place| place.arrival).max().unwrap_or_default();
    let program = place.program;
    d.put(&program, Place { arrival, ..place });
    programs::stands(d, program, Status::Hill);
}

/// A program leaves, and those below move up.
pub(super) fn leaves(d: &mut D<'_>, program: u64, at: Instant) {
    goes(d, program, at);
    in_order(d);
}

/// A program leaves its place empty.
fn goes(d: &mut D<'_>, program: u64, at: Instant) {
    if let Some((first, stay)) = staying(&d.tables, program) {
        d.put(&(program, first), stay);
    }
    d.delete::<Place>(&program);
    programs::stands(d, program, Status::Dropped { at });
}

/// Brings the ranks in order where they do not count from 1, one by one: of equals, the later arrival ranks lower (J24).
pub(super) fn in_order(d: &mut D<'_>) {
    let mut places: Vec<&Place> = d.rows::<Place>().values().collect();
    places.sort_by_key(|place| (place.rank, place.arrival));
    let programs: Vec<u64> = places.into_iter().map(|place| place.program).collect();
    for (program, rank) in programs.into_iter().zip(1..) {
        d.edit::<Place>(&program, |place| place.rank = rank);
    }
}

/// Another tournament begins: nobody stays.
pub(super) fn emptied(d: &mut D<'_>, at: Instant) {
    for program in by_arrival(&d.tables) {
        goes(d, program, at);
    }
    if let Some(last) = hill(&d.tables).last {
        let old = hill(&d.tables).before;
        d.upsert::<Hill>(&(), |hill| (hill.last, hill.before) = (None, Some(last)));
        old.map(|old| d.delete::<Fought>(&old));
    }
}

/// Replaces the places by what a challenge made of them.
pub(super) fn fought(d: &mut D<'_>, outcome: Outcome) {
    let (number, challenger, at, seq) = (outcome.number, outcome.challenger, outcome.deemed, d.seq);
    let falls = outcome.dropped == Some(challenger);
    for (standing, rank) in outcome.ranked.iter().zip(1..) {
        let fares = |place: Place| Place {
            rank,
            touches: Some(standing.touches),
            score: standing.score.clone(),
            outlived: place.outlived + u32::from(standing.outlived),
            first: place.first.or(Some(number)),
            ..place
        };
        let program = standing.program;
        if program != challenger {
            d.edit::<Place>(&program, |place| *place = fares(place.clone()));
        } else if !falls {
            comes(d, fares(Place { program, since: at, ..Place::default() }));
        }
    }
    let dropped = outcome.dropped;
    d.put(&number, Fought { outcome, seq });
    let old = hill(&d.tables).last;
    d.upsert::<Hill>(&(), |hill| hill.last = Some(number));
    old.map(|old| d.delete::<Fought>(&old));
    if falls {
        d.put(&(challenger, number), Stay { last: number, seq });
        programs::stands(d, challenger, Status::Missed { at });
    } else if let Some(dropped) = dropped {
        leaves(d, dropped, at);
    }
}
