//! The Hill: the best programs of the running tournament, in order (seed 000, J12).
//!
//! Who enters and who drops by a challenge is reckoned in `challenge`; here are the places themselves, what tenure and
//! outlived challenges are counted from, removal and addition by notice (J20), and changes of the Hill's own figures.
//! Absent: when any of that happens (`agenda`), and what a place is worth (`knights`, `points`).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{
    D, Joust, Tables,
    agenda::{self, Task, as_of},
    challenge::{self, Outcome},
    contract, displays, figures, knights, made, names, notation, notices, phases,
    programs::{self, Status},
    reading::{Figures, Terms},
    scoring,
};
use kernel::{
    Display, Instant, Mechanic, Num, Seq, State,
    display::{Cell, Document, Offer, counted},
    table::Row,
    time::day,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("hill")
        .table::<Hill>()
        .table::<Place>()
        .table::<Stay>()
        .table::<Fought>()
        .settle(settle)
        .made(made::made)
        .display(Display::new("hill", |state, asked| Ok(show(state, asked.viewer.now))).listed(0))
}

// ---- state

/// The Hill, as of everything that is done with; what is still on the agenda is not yet seen here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) reveal_called: bool,
    /// The number of the first challenge of this stay: it has taken part in every one since.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
}

impl Row<Joust> for Place {
    type Key = u64;
    const TABLE: &'static str = "places";

    fn told(program: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        let named = || format!("{} (#{program})", programs::name_of(&state.tables, *program));
        match (was, is) {
            (None, Some(is)) => format!("{} comes to the Hill, as rank {}", named(), is.rank),
            (Some(was), Some(is)) if was.knighted != is.knighted => format!("{} is a Knight", named()),
            // The challenge tells ranks and touches, and the agenda a publication.
            (Some(_), Some(_)) => String::new(),
            (_, None) => format!("{} leaves the Hill", named()),
        }
    }
}

/// A stay on the Hill that is over, by the program and the number of the first challenge in it. Kept because the tables of
/// pairs of all challenges would not fit into a state; the entry of the one that is asked for holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    let (by, lengths) = (named(outcome.challenger), challenge::listed(&outcome.lengths));
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
/// twice (J49): it arrived on the Hill later, or would. Of two that are not both there, that is the newer one.
pub(super) fn is_later(joust: &Tables, one: u64, other: u64) -> bool {
    match (place(joust, one), place(joust, other)) {
        (Some(one), Some(other)) => one.arrival > other.arrival,
        _ => one > other,
    }
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

// ---- what happens to it, for entries of now and of before

/// A program takes the last place.
pub(super) fn arrives(joust: &mut Tables, program: u64, since: Instant) {
    let arrival = 1 + joust.rows::<Place>().values().map(|place| place.arrival).max().unwrap_or_default();
    let rank = joust.rows::<Place>().len() + 1;
    joust.rows_mut::<Place>().insert(program, Place { program, rank, since, arrival, ..Place::default() });
    programs::stands(joust, program, Status::Hill);
}

/// A program leaves, and those below move up.
pub(super) fn leaves(joust: &mut Tables, program: u64, at: Instant) {
    if let Some((first, stay)) = staying(joust, program) {
        joust.rows_mut::<Stay>().insert((program, first), stay);
    }
    if let Some(gone) = joust.rows_mut::<Place>().remove(&program) {
        for program in by_arrival(joust) {
            if let Some(place) = joust.rows_mut::<Place>().get_mut(&program).filter(|place| place.rank > gone.rank) {
                place.rank -= 1;
            }
        }
    }
    programs::stands(joust, program, Status::Dropped { at });
}

/// Another tournament begins: nobody stays.
pub(super) fn emptied(joust: &mut Tables, at: Instant) {
    for program in by_arrival(joust) {
        leaves(joust, program, at);
    }
    let hill = joust.rows_mut::<Hill>().entry(()).or_default();
    if let Some(last) = hill.last.take()
        && let Some(old) = hill.before.replace(last)
    {
        joust.rows_mut::<Fought>().remove(&old);
    }
}

/// Replaces the places by what a challenge made of them.
pub(super) fn fought(joust: &mut Tables, outcome: Outcome, seq: Seq) {
    let (number, challenger, at) = (outcome.number, outcome.challenger, outcome.deemed);
    if outcome.dropped == Some(challenger) {
        joust.rows_mut::<Stay>().insert((challenger, number), Stay { last: number, seq });
        programs::stands(joust, challenger, Status::Missed { at });
    } else {
        arrives(joust, challenger, at);
    }
    for (index, standing) in outcome.ranked.iter().enumerate() {
        if let Some(place) = joust.rows_mut::<Place>().get_mut(&standing.program) {
            place.rank = index + 1;
            place.touches = Some(standing.touches);
            place.score.clone_from(&standing.score);
            place.outlived += u32::from(standing.outlived);
            place.first = place.first.or(Some(number));
        }
    }
    let dropped = outcome.dropped;
    joust.rows_mut::<Fought>().insert(number, Fought { outcome, seq });
    if let Some(old) = joust.rows_mut::<Hill>().entry(()).or_default().last.replace(number) {
        joust.rows_mut::<Fought>().remove(&old);
    }
    if let Some(dropped) = dropped.filter(|dropped| *dropped != challenger) {
        leaves(joust, dropped, at);
    }
}

// ---- decide

/// Puts a program on the Hill, last.
pub(super) fn put(d: &mut D<'_>, program: u64, at: Instant) {
    d.rework(|joust| {
        arrives(joust, program, at);
        programs::name_means(joust, program);
    });
}

/// Takes a program off the Hill.
pub(super) fn take(d: &mut D<'_>, program: u64, at: Instant) {
    let since = place(&d.tables, program).map(|place| place.since);
    d.rework(|joust| leaves(joust, program, at));
    if let Some(since) = since {
        after_drop(d, program, since, at);
    }
}

/// What follows a drop, however it came: notices about the program are spent, and its submitter may be asked to reveal
/// its code (J32).
pub(super) fn after_drop(d: &mut D<'_>, program: u64, since: Instant, at: Instant) {
    notices::dropped(d, program);
    let Ok(weeks) = Figures::of(&d.rules).count(&figures::ASK_WEEKS) else { return };
    let Some(dropped) = programs::program(&d.tables, program).filter(|program| program.revealed.is_none()) else {
        return;
    };
    if knights::weeks_after(since, weeks) > at {
        return;
    }
    let (name, owner) = (dropped.name.clone(), dropped.owner.clone());
    let offer = Offer::new("Reveal", format!("joust reveal {name}"), d.seq);
    let mut ask = Document::say(format!(
        "{name} dropped from the Hill after {}. The contract (REVEALING, 2) suggests that you show its code now. You need not.",
        kernel::time::between(since, at)
    ));
    ask.offers.push(offer);
    d.tell(&owner, ask);
}

/// Takes a program off the Hill as noticed (J20).
pub(super) fn remove_by_notice(d: &mut D<'_>, at: Instant, notice: u64, program: u64) {
    let name = programs::name_of(&d.tables, program);
    if place(&d.tables, program).is_none() {
        notices::spend(d, notice);
        d.tell_all(format!(
            "The removal of {name} by notice {notice}{} does nothing: the program dropped before.",
            as_of(d, at)
        ));
        return;
    }
    take(d, program, at);
    let count = d.rows::<Place>().len();
    d.tell_all(format!(
        "{name} is removed from the Hill by notice {notice}{}. {}; those below move up.",
        as_of(d, at),
        if count == 1 { "1 program remains".to_owned() } else { format!("{count} programs remain") }
    ));
}

/// Puts a program on the Hill as noticed, in the place of another where the notice says so (J20).
pub(super) fn add_by_notice(d: &mut D<'_>, at: Instant, notice: u64, program: u64, removing: Option<u64>) {
    let name = programs::name_of(&d.tables, program);
    if let Some(why) = cannot_add(&d.tables, program, removing) {
        notices::spend(d, notice);
        d.tell_all(format!("The addition of {name} by notice {notice}{} does nothing: {why}.", as_of(d, at)));
        return;
    }
    if let Some(removing) = removing {
        take(d, removing, at);
    }
    put(d, program, at);
    let hash = programs::program(&d.tables, program).map(|program| program.hash.clone()).unwrap_or_default();
    let instead = removing.map(|removing| format!(", in the place of {}", programs::name_of(&d.tables, removing)));
    d.tell_all(format!(
        "{name} is added to the Hill by notice {notice}{}{}. It stands last until the next challenge. Hash of its code: {hash}",
        instead.unwrap_or_default(),
        as_of(d, at)
    ));
}

/// Why a program cannot be added to the Hill as it is now; nothing where it can.
pub(super) fn cannot_add(joust: &Tables, program: u64, removing: Option<u64>) -> Option<String> {
    let added = programs::program(joust, program)?;
    if let Some(why) = programs::written_otherwise(joust, added) {
        return Some(why);
    }
    match added.status {
        Status::Held | Status::Missed { .. } | Status::Dropped { .. } => {}
        Status::Retracted => return Some(format!("the program {} was taken back", added.name)),
        Status::Waiting | Status::Queued { .. } | Status::Hill => {
            return Some(format!("the program {} is on the Hill or in the queue already", added.name));
        }
    }
    let up = |other: &&programs::Program| other.id != program && other.is_up();
    if let Some(other) =
        joust.rows::<programs::Program>().values().filter(up).find(|other| names::confusable(&other.name, &added.name))
    {
        return Some(format!("another program with its name, {}, is up", other.name));
    }
    if let Some(removing) = removing
        && place(joust, removing).is_none()
    {
        return Some(format!("{}, which it was to replace, is not on the Hill", programs::name_of(joust, removing)));
    }
    let Some(size) = hill(joust).terms.size else {
        return Some("the contract does not say how many programs the Hill holds".to_owned());
    };
    let count = joust.rows::<Place>().len() - usize::from(removing.is_some());
    (count >= size).then(|| format!("the Hill holds {} and no more", counted(size, "program")))
}

/// Brings other figures of the Hill into force: knights of the old figures stay knights, new ones are made, and what
/// does not fit drops (J12).
pub(super) fn change_terms(d: &mut D<'_>, at: Instant, terms: Terms) {
    for (program, at) in knights::by_change(&d.tables, &terms, at) {
        d.edit::<Place>(&program, |place| place.knighted = place.knighted.or(Some(at)));
    }
    let size = terms.size;
    d.upsert::<Hill>(&(), |hill| hill.terms = terms);
    let Some(size) = size else { return };
    let surplus: Vec<u64> = ranked(&d.tables).into_iter().skip(size).map(|place| place.program).collect();
    if surplus.is_empty() {
        return;
    }
    let names: Vec<String> = surplus.iter().map(|program| programs::name_of(&d.tables, *program)).collect();
    for program in surplus.into_iter().rev() {
        take(d, program, at);
    }
    let holds = counted(size, "program");
    d.tell_all(format!("The Hill holds {holds} from now on{}: {} dropped.", as_of(d, at), names.join(", ")));
}

/// Puts a change of the Hill's figures on the agenda where the contract's text changed them.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    let terms = Figures::of(&d.rules).terms();
    if !contract::contract(&d.tables).is_running() || terms == hill(&d.tables).coming {
        return false;
    }
    let notation = terms.notation.filter(|_| terms.notation != hill(&d.tables).coming.notation);
    d.upsert::<Hill>(&(), |hill| hill.coming = terms.clone());
    let at = d.at;
    agenda::schedule(d, at, phases::ACTS, Task::Terms(terms));
    if let Some(notation) = notation {
        notation::schedule(d, at, phases::ACTS, notation);
    }
    true
}

/// The instant at which a program on the Hill will have been there for its month (J31); nothing where nothing is due.
pub(super) fn month_over(place: &Place, months: i64) -> Option<Instant> {
    (!place.reveal_called).then(|| kernel::time::months_after(place.since, months))
}

// ---- display

/// The programs on the Hill, best first.
fn show(state: &State<Joust>, now: Instant) -> Document {
    let last = last(&state.tables);
    let ranked_by = last.map(|last| last.outcome.play.scoring).filter(|scoring| !scoring.is_touches());
    let rows = ranked(&state.tables).into_iter().filter_map(|place| {
        let program = programs::program(&state.tables, place.program)?;
        let mut row = vec![
            Cell::new(place.rank.to_string()),
            displays::named(state, program),
            Cell::new(state.frame.name_of(&program.owner)),
            Cell::new(place.touches.map(|touches| touches.to_string()).unwrap_or_default()),
        ];
        if ranked_by.is_some() {
            row.push(Cell::new(place.score.as_ref().map(scoring::shown).unwrap_or_default()));
        }
        row.extend([
            Cell::new(match knights::knighthood(state, place, now) {
                Some((true, _)) => "Knight".to_owned(),
                Some((false, from)) => format!("from {}", day(from)),
                None => String::new(),
            }),
            Cell::new(day(place.since)),
        ]);
        Some(row)
    });
    let score = ranked_by.map(|scoring| scoring.word());
    let columns = ["rank", "program", "by", "touches"].into_iter().chain(score).chain(["Knight", "since"]);
    let mut document =
        Document::titled("hill", "The Hill").table_or(contract::contract(&state.tables).stands(), columns, rows);
    if let Some(last) = last {
        let name = programs::name_of(&state.tables, last.outcome.challenger);
        document = document.para(format!("After challenge {}, by {name}.", last.outcome.number));
    }
    match agenda::challenges(&state.tables).count() {
        0 => document,
        1 => document.para("One challenge waits."),
        n => document.para(format!("{n} challenges wait.")),
    }
}

#[cfg(test)]
mod tests;
