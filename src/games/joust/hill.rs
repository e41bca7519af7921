//! The Hill: the best programs of the running tournament, in order (seed 000, J12).
//!
//! Who enters and who drops by a challenge is reckoned in `challenge`; here are the places themselves, what tenure and
//! outlived challenges are counted from, removal and addition by notice (J20), and changes of the Hill's own figures.
//! Absent: when any of that happens (`agenda`), and what a place is worth (`knights`, `points`).

use std::sync::Arc;

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

use super::{
    D, Joust,
    agenda::{self, Task, as_of},
    challenge, emit, figures, knights, names, notation, notices, phases,
    programs::{self, Status},
    reading::{Figures, Terms},
};
use crate::kernel::{
    Instant, Num, Seq,
    display::{Document, Offer, counted},
};

// ---- state

/// The Hill, as of everything that is done with; what is still on the agenda is not yet seen here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Hill {
    /// Best first: the place in it, from 1, is the rank.
    pub(super) places: Vector<Place>,
    /// The figures that are in force at this point of the agenda.
    pub(super) terms: Terms,
    /// The figures that the last change on the agenda brings; those of the contract's text.
    pub(super) coming: Terms,
    /// How many arrivals there were: of equals, the later one ranks lower (J24).
    arrivals: u64,
    /// The last challenge that was played, with its table of pairs.
    pub(super) last: Option<Arc<Fought>>,
    /// The last one of the tournament before, for who asks about a match of it.
    pub(super) before: Option<Arc<Fought>>,
    /// The challenges that each program took part in: a stretch for each stay. Kept because the tables of pairs of all
    /// challenges would not fit into a state; the entry of the one that is asked for holds it.
    fought: OrdMap<u64, Vec<Stretch>>,
}

/// The first and the last of consecutive challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stretch {
    /// The number of the first.
    first: u64,
    /// The number of the last so far.
    last: u64,
    /// The entry that tells the last.
    seq: Seq,
    /// Whether the program took part in no challenge since.
    over: bool,
}

/// A program on the Hill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Which program.
    pub(super) program: u64,
    /// Since when, without a break: the deemed time of its challenge, the start, or the act that added it.
    pub(super) since: Instant,
    /// The how-manieth arrival it was.
    pub(super) arrival: u64,
    /// How many challenges by others it outlived (J37).
    pub(super) outlived: u32,
    /// Since when it is a knight by something else than its age under the present figures.
    pub(super) knighted: Option<Instant>,
    /// Its touches in the last challenge; none before its first.
    pub(super) touches: Option<i64>,
    /// Its score in the last challenge, where something else than touches ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<Num>,
    /// Whether the publication after its month was called for.
    pub(super) reveal_called: bool,
}

/// A challenge that was played, and the entry that tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Fought {
    /// How it went.
    pub(super) outcome: challenge::Outcome,
    /// The entry.
    pub(super) seq: Seq,
}

impl Hill {
    /// A program's rank, from 1, and its place.
    pub(super) fn find(&self, program: u64) -> Option<(usize, &Place)> {
        self.places
            .iter()
            .enumerate()
            .find(|(_, place)| place.program == program)
            .map(|(index, place)| (index + 1, place))
    }

    /// The programs in the order of their arrival.
    pub(super) fn by_arrival(&self) -> Vec<u64> {
        let mut places: Vec<&Place> = self.places.iter().collect();
        places.sort_by_key(|place| place.arrival);
        places.into_iter().map(|place| place.program).collect()
    }

    /// Whether a program comes after another where they meet, and so has `+` and `-` exchanged where each length is fought
    /// twice (J49): it arrived on the Hill later, or would. Of two that are not both there, that is the newer one.
    pub(super) fn is_later(&self, one: u64, other: u64) -> bool {
        let arrival = |program| self.find(program).map(|(_, place)| place.arrival);
        match (arrival(one), arrival(other)) {
            (Some(one), Some(other)) => one > other,
            _ => one > other,
        }
    }

    /// The entry of the latest challenge in which two programs met.
    pub(super) fn met(&self, one: u64, other: u64) -> Option<Seq> {
        let of = |program| self.fought.get(&program).map_or(&[][..], Vec::as_slice);
        // Within a stay a program takes part in every challenge, so that the earlier of two ends is common to both.
        let common = |(one, other): (&Stretch, &Stretch)| {
            let end = if one.last <= other.last { one } else { other };
            (end.last >= one.first.max(other.first)).then_some(end.seq)
        };
        let pairs = of(one).iter().flat_map(|a| of(other).iter().map(move |b| (a, b)));
        pairs.filter_map(common).max()
    }

    /// Counts a challenge for everybody who took part in it.
    fn remember(&mut self, outcome: &challenge::Outcome, seq: Seq) {
        for standing in &outcome.ranked {
            let stretches = self.fought.entry(standing.program).or_default();
            match stretches.last_mut().filter(|stretch| !stretch.over) {
                Some(stretch) => (stretch.last, stretch.seq) = (outcome.number, seq),
                None => {
                    let number = outcome.number;
                    stretches.push(Stretch { first: number, last: number, seq, over: false });
                }
            }
        }
        if let Some(dropped) = outcome.dropped {
            self.leaves(dropped);
        }
    }

    /// Ends a program's stretch of challenges.
    fn leaves(&mut self, program: u64) {
        if let Some(stretch) = self.fought.get_mut(&program).and_then(|stretches| stretches.last_mut()) {
            stretch.over = true;
        }
    }

    fn put(&mut self, program: u64, since: Instant) {
        self.arrivals += 1;
        self.places.push_back(Place {
            program,
            since,
            arrival: self.arrivals,
            outlived: 0,
            knighted: None,
            touches: None,
            score: None,
            reveal_called: false,
        });
    }
}

// ---- facts

/// What happens to the Hill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A program takes the last place: at the start, or by notice.
    Put {
        /// Which program.
        program: u64,
        /// As of when.
        at: Instant,
    },
    /// A program leaves: by notice, or because the Hill shrinks.
    Taken {
        /// Which program.
        program: u64,
        /// As of when.
        at: Instant,
    },
    /// Another tournament begins: nobody stays.
    Emptied {
        /// As of when.
        at: Instant,
    },
    /// A challenge was played.
    Fought(challenge::Outcome),
    /// A challenge that cannot be played is struck by a moderator.
    Voided {
        /// The challenger.
        program: u64,
        /// When it was deemed to occur.
        at: Instant,
    },
    /// A program became a knight by something else than its age under the present figures.
    Knighted {
        /// Which program.
        program: u64,
        /// As of when.
        at: Instant,
    },
    /// The publication after a program's month is called for, or is not to happen.
    RevealCalled {
        /// Which program.
        program: u64,
    },
    /// The contract's text gives other figures; the change is on the agenda.
    Coming(Terms),
    /// Other figures are in force.
    Terms(Terms),
}

// ---- decide

/// Takes a program off the Hill.
pub(super) fn take(d: &mut D<'_>, program: u64, at: Instant) {
    let since = d.game.hill.find(program).map(|(_, place)| place.since);
    emit(d, Fact::Taken { program, at });
    if let Some(since) = since {
        after_drop(d, program, since, at);
    }
}

/// What follows a drop, however it came: notices about the program are spent, and its submitter may be asked to reveal
/// its code (J32).
pub(super) fn after_drop(d: &mut D<'_>, program: u64, since: Instant, at: Instant) {
    notices::dropped(d, program);
    let Ok(weeks) = Figures::of(&d.rules).count(&figures::ASK_WEEKS) else { return };
    let Some(dropped) = d.game.programs.get(program).filter(|program| program.revealed.is_none()) else { return };
    if knights::weeks_after(since, weeks) > at {
        return;
    }
    let (name, owner) = (dropped.name.clone(), dropped.owner.clone());
    let offer = Offer { label: "Reveal".to_owned(), line: format!("joust reveal {name}"), at_seq: d.seq };
    let mut ask = Document::say(format!(
        "{name} dropped from the Hill after {}. The contract (REVEALING, 2) suggests that you show its code now. You need not.",
        crate::kernel::time::between(since, at)
    ));
    ask.offers.push(offer);
    d.tell(&owner, ask);
}

/// Takes a program off the Hill as noticed (J20).
pub(super) fn remove_by_notice(d: &mut D<'_>, at: Instant, notice: u64, program: u64) {
    let name = d.game.programs.name(program);
    if d.game.hill.find(program).is_none() {
        notices::spend(d, notice);
        d.tell_all(format!(
            "The removal of {name} by notice {notice}{} does nothing: the program dropped before.",
            as_of(d, at)
        ));
        return;
    }
    take(d, program, at);
    let count = d.game.hill.places.len();
    d.tell_all(format!(
        "{name} is removed from the Hill by notice {notice}{}. {}; those below move up.",
        as_of(d, at),
        if count == 1 { "1 program remains".to_owned() } else { format!("{count} programs remain") }
    ));
}

/// Puts a program on the Hill as noticed, in the place of another where the notice says so (J20).
pub(super) fn add_by_notice(d: &mut D<'_>, at: Instant, notice: u64, program: u64, removing: Option<u64>) {
    let name = d.game.programs.name(program);
    if let Some(why) = cannot_add(&d.game, program, removing) {
        notices::spend(d, notice);
        d.tell_all(format!("The addition of {name} by notice {notice}{} does nothing: {why}.", as_of(d, at)));
        return;
    }
    if let Some(removing) = removing {
        take(d, removing, at);
    }
    emit(d, Fact::Put { program, at });
    let hash = d.game.programs.get(program).map(|program| program.hash.clone()).unwrap_or_default();
    let instead = removing.map(|removing| format!(", in the place of {}", d.game.programs.name(removing)));
    d.tell_all(format!(
        "{name} is added to the Hill by notice {notice}{}{}. It stands last until the next challenge. Hash of its code: {hash}",
        instead.unwrap_or_default(),
        as_of(d, at)
    ));
}

/// Why a program cannot be added to the Hill as it is now; nothing where it can.
pub(super) fn cannot_add(joust: &Joust, program: u64, removing: Option<u64>) -> Option<String> {
    let hill = &joust.hill;
    let added = joust.programs.get(program)?;
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
    if let Some(other) = joust.programs.iter().filter(up).find(|other| names::confusable(&other.name, &added.name)) {
        return Some(format!("another program with its name, {}, is up", other.name));
    }
    if let Some(removing) = removing
        && hill.find(removing).is_none()
    {
        return Some(format!("{}, which it was to replace, is not on the Hill", joust.programs.name(removing)));
    }
    let Some(size) = hill.terms.size else {
        return Some("the contract does not say how many programs the Hill holds".to_owned());
    };
    let count = hill.places.len() - usize::from(removing.is_some());
    (count >= size).then(|| format!("the Hill holds {} and no more", counted(size, "program")))
}

/// Brings other figures of the Hill into force: knights of the old figures stay knights, new ones are made, and what
/// does not fit drops (J12).
pub(super) fn change_terms(d: &mut D<'_>, at: Instant, terms: Terms) {
    for (program, at) in knights::by_change(&d.game.hill, &terms, at) {
        emit(d, Fact::Knighted { program, at });
    }
    let size = terms.size;
    emit(d, Fact::Terms(terms));
    let Some(size) = size else { return };
    let surplus: Vec<u64> = d.game.hill.places.iter().skip(size).map(|place| place.program).collect();
    if surplus.is_empty() {
        return;
    }
    let names: Vec<String> = surplus.iter().map(|program| d.game.programs.name(*program)).collect();
    for program in surplus.into_iter().rev() {
        take(d, program, at);
    }
    let holds = counted(size, "program");
    d.tell_all(format!("The Hill holds {holds} from now on{}: {} dropped.", as_of(d, at), names.join(", ")));
}

/// Puts a change of the Hill's figures on the agenda where the contract's text changed them.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    let terms = Figures::of(&d.rules).terms();
    if !d.game.contract.is_running() || terms == d.game.hill.coming {
        return false;
    }
    let notation = terms.notation.filter(|_| terms.notation != d.game.hill.coming.notation);
    emit(d, Fact::Coming(terms.clone()));
    let at = d.at;
    agenda::schedule(d, at, phases::ACTS, Task::Terms(terms));
    if let Some(notation) = notation {
        notation::schedule(d, at, phases::ACTS, notation);
    }
    true
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(joust: &mut Joust, fact: &Fact, seq: Seq) {
    let Joust { hill, programs, .. } = joust;
    match fact {
        Fact::Put { program, at } => {
            hill.put(*program, *at);
            programs.with(*program, |program| program.status = Status::Hill);
            programs.name_means(*program);
        }
        Fact::Taken { program, at } => {
            hill.leaves(*program);
            hill.places.retain(|place| place.program != *program);
            programs.with(*program, |program| program.status = Status::Dropped { at: *at });
        }
        Fact::Voided { program, at } => {
            programs.with(*program, |program| program.status = Status::Missed { at: *at });
        }
        Fact::Emptied { at } => {
            for place in std::mem::take(&mut hill.places) {
                hill.leaves(place.program);
                programs.with(place.program, |program| program.status = Status::Dropped { at: *at });
            }
            hill.before = hill.last.take().or(hill.before.take());
        }
        Fact::Fought(outcome) => fight(hill, programs, outcome, seq),
        Fact::Knighted { program, at } => with(hill, *program, |place| place.knighted = place.knighted.or(Some(*at))),
        Fact::RevealCalled { program } => with(hill, *program, |place| place.reveal_called = true),
        Fact::Coming(terms) => hill.coming = terms.clone(),
        Fact::Terms(terms) => hill.terms = terms.clone(),
    }
}

/// What takes a fact back. Figures follow the text by themselves; who is on the Hill is not undone but corrected by the
/// contest going on.
pub(super) fn inverse(fact: &Fact) -> Option<super::Fact> {
    match fact {
        Fact::Coming(_) | Fact::Terms(_) | Fact::Knighted { .. } | Fact::RevealCalled { .. } => Some(super::Fact::Kept),
        Fact::Put { .. } | Fact::Taken { .. } | Fact::Emptied { .. } | Fact::Voided { .. } | Fact::Fought(_) => None,
    }
}

fn with(hill: &mut Hill, program: u64, change: impl FnOnce(&mut Place)) {
    if let Some(place) = hill.places.iter_mut().find(|place| place.program == program) {
        change(place);
    }
}

/// Replaces the places by what a challenge made of them.
fn fight(hill: &mut Hill, programs: &mut programs::Programs, outcome: &challenge::Outcome, seq: Seq) {
    let at = outcome.deemed;
    let entered = outcome.dropped != Some(outcome.challenger);
    if entered {
        hill.put(outcome.challenger, at);
        programs.with(outcome.challenger, |program| program.status = Status::Hill);
    } else {
        programs.with(outcome.challenger, |program| program.status = Status::Missed { at });
    }
    if let Some(dropped) = outcome.dropped.filter(|_| entered) {
        programs.with(dropped, |program| program.status = Status::Dropped { at });
    }
    let mut held: Vec<Place> = std::mem::take(&mut hill.places).into_iter().collect();
    for standing in outcome.ranked.iter().filter(|standing| Some(standing.program) != outcome.dropped) {
        if let Some(index) = held.iter().position(|place| place.program == standing.program) {
            let mut place = held.swap_remove(index);
            place.touches = Some(standing.touches);
            place.score = standing.score.clone();
            place.outlived += u32::from(standing.outlived);
            hill.places.push_back(place);
        }
    }
    hill.remember(outcome, seq);
    hill.last = Some(Arc::new(Fought { outcome: outcome.clone(), seq }));
}

/// The instant at which a program on the Hill will have been there for its month (J31); nothing where nothing is due.
pub(super) fn month_over(place: &Place, months: i64) -> Option<Instant> {
    (!place.reveal_called).then(|| crate::kernel::time::months_after(place.since, months))
}

/// Marks that the publication of a program was called for.
pub(super) fn call_reveal(d: &mut D<'_>, program: u64) {
    emit(d, Fact::RevealCalled { program });
}

#[cfg(test)]
mod tests;
