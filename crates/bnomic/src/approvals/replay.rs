//! Playing again what happened since an approval was announced, in a room in which its display is right (4E50).
//!
//! It starts from the room of before the entry of the announcement, so that whatever else that entry did, before and after
//! it, is played too. What cannot happen there is left out and told. Absent: what is kept to be played again, and what is
//! made of the outcome (`approvals`).

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value as Json;

use super::{
    Approval, Approvals, BNomic, D, Deed, Doer, Fact, Given, Id, Missed, Numbers, Refusal, State, What, clerk, drafted,
    intents,
    says::{tell, touched},
    society,
};
use kernel::{
    Game, Path,
    engine::SETTLE_MAX_ROUNDS,
    entry::Change,
    mechanic::parted,
    rulebook::{RuleAct, RuleOp, Splice},
    time::minute,
};

/// What is being worked out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sim {
    /// The number of the announcement.
    pub(super) number: u64,
    /// The display that is right.
    pub(super) given: Given,
    /// What it says, by paths: an approval that was announced earlier is not right about that (BX10).
    pinned: BTreeSet<Path>,
    /// The last numbers that were given in the room before what is played now: nothing gets them here.
    pub(super) given_numbers: Numbers,
    /// The approvals that the entry at hand performed, in order.
    performed: Vec<Arc<Deed>>,
}

/// What comes of playing again what happened since an announcement.
pub(super) struct Replay {
    /// The room as it would be.
    pub(super) after: State<BNomic>,
    /// What could not happen there, in lines.
    pub(super) left_out: Vec<String>,
}

/// Plays what happened since an approval was announced again, its display being right (B50.6). What the entry at hand did
/// before counts as done.
pub(super) fn replay(d: &D<'_>, number: u64, approval: &Approval) -> Replay {
    let state: &State<BNomic> = d;
    let given = approval.given();
    let mut run = Run {
        room: state,
        after: approval.base.clone(),
        sim: Sim {
            number,
            pinned: pinned(&approval.base, &given),
            given,
            given_numbers: Numbers::default(),
            performed: Vec::new(),
        },
        left_out: Vec::new(),
    };
    let since = approval.base.seq;
    // The entry of the announcement comes first; older versions kept the room in the midst of it.
    let (own, later): (Vec<_>, Vec<_>) = state
        .game
        .approvals
        .log
        .iter()
        .filter(|deed| deed.seq > since)
        .cloned()
        .partition(|deed| approval.whole && deed.seq == since + 1);
    own.iter().for_each(|deed| run.again(deed));
    // Where that entry cannot happen as a whole with its own display being right, the display is right nevertheless.
    if !approval.whole || intents::by(&run.after, number).is_none() {
        run.tell(intents::by(state, number));
    }
    later.iter().for_each(|deed| run.again(deed));
    if d.emitted() > 0 {
        let what = What::Outside { changes: d.changes().to_vec() };
        run.again(&Arc::new(Deed { seq: d.seq, at: d.at, numbers: None, what }));
    }
    Replay { after: run.after, left_out: run.left_out }
}

/// What a display says, by paths.
fn pinned(base: &State<BNomic>, given: &Given) -> BTreeSet<Path> {
    let (_, changes) = drafted(base.clone(), base.at, Doer::default(), true, |d| {
        // What rests on the rest of the announcing entry is told there.
        let _ = tell(d, given);
    });
    given.says.iter().map(|(path, _)| path.clone()).chain(changes.iter().filter_map(touched)).collect()
}

/// The playing.
struct Run<'a> {
    /// The room as it is.
    room: &'a State<BNomic>,
    after: State<BNomic>,
    sim: Sim,
    left_out: Vec<String>,
}

impl Run<'_> {
    fn again(&mut self, deed: &Arc<Deed>) {
        self.sim.given_numbers = self.sim.given_numbers.or_later(deed.numbers.unwrap_or_default());
        let follows =
            |other: &Arc<Deed>| other.seq == deed.seq && matches!(other.what, What::Act { .. } | What::Due(_));
        let refused = match &deed.what {
            What::Act { person, name, public, forum, action } => {
                let doer = Doer { person: person.clone(), name: name.clone() };
                self.step(deed, doer, *public, |d| {
                    d.forum.clone_from(forum);
                    let known = |action: &Json| BNomic::mechanics().act(action).is_ok();
                    match serde_json::from_str(action).ok().filter(known) {
                        Some(action) => BNomic::mechanics().take(&action, d).map(|_| ()),
                        None => Err(Refusal::new("this version of the program does not know such an action")),
                    }
                })
            }
            What::Due(due) => self.step(deed, Doer::default(), true, |d| {
                BNomic::mechanics().due(due, d);
                Ok(())
            }),
            // It happens where its act, or its instant, is played.
            What::Approved { .. } if self.room.game.approvals.log.iter().any(follows) => {
                self.sim.performed.push(deed.clone());
                return;
            }
            What::Approved { by, .. } => {
                self.sim.performed.push(deed.clone());
                self.step(deed, Doer::default(), true, |d| {
                    if let (Some(sim), What::Approved { number, .. }) = (d.game.approvals.sim.clone(), &deed.what) {
                        approved(&sim, *number, d);
                    }
                    society::acted(d, by);
                    Ok(())
                })
            }
            // Its instant comes here too.
            What::Missed(_) => return,
            What::Outside { changes } => self.step(deed, Doer::default(), true, |d| {
                changes.iter().for_each(|change| redo(d, change));
                Ok(())
            }),
        };
        self.sim.performed.clear();
        if let Some(refusal) = refused {
            self.left_out.push(format!("{} at {}: {}", words(self.room, deed), minute(deed.at), refusal.say));
        }
    }

    /// Makes the display right where the announcement itself was not played.
    fn tell(&mut self, by: Option<Id>) {
        let what = What::Outside { changes: Vec::new() };
        let deed = Deed { seq: self.after.seq + 1, at: self.after.at, numbers: None, what };
        let given = self.sim.given.clone();
        let refused = self.step(&deed, Doer::default(), true, |d| {
            // Announcing it is an act too, and what the display says of whoever did so comes last.
            if let Some(by) = by {
                society::acted(d, &by);
            }
            tell(d, &given)?;
            clerk::is_right(d);
            Ok(())
        });
        self.left_out.extend(refused.map(|why| format!("what the display says: {}", why.say)));
    }

    /// Takes the state one step on, with whatever follows by itself; it stays as it was where the step is refused.
    fn step(
        &mut self,
        deed: &Deed,
        doer: Doer,
        public: bool,
        act: impl FnOnce(&mut D<'_>) -> Result<(), Refusal>,
    ) -> Option<Refusal> {
        let mut refused = None;
        let mut state = self.after.clone();
        let sim = Some(Arc::new(self.sim.clone()));
        state.game.approvals = Approvals { sim, ..Approvals::default() };
        state.seq = deed.seq.saturating_sub(1);
        let (after, changes) = drafted(state, deed.at, doer, public, |d| {
            refused = act(d).err();
            for _ in 0..SETTLE_MAX_ROUNDS {
                if refused.is_some() || !BNomic::mechanics().settle(d) {
                    break;
                }
            }
        });
        if refused.is_none() {
            self.after = after;
            self.misses(deed, &changes);
        }
        refused
    }

    /// Tells what was set for its time and cannot happen here, where it did happen in the room.
    fn misses(&mut self, deed: &Deed, changes: &[Change<super::super::Fact>]) {
        let log = &self.room.game.approvals.log;
        for missed in changes.iter().filter_map(missed) {
            let same = |other: &Missed| (other.number, other.time) == (missed.number, missed.time);
            if !log.iter().any(|deed| matches!(&deed.what, What::Missed(other) if same(other))) {
                let at = minute(deed.at);
                self.left_out
                    .push(format!("{} (entry {}, set for later) at {at}: {}", missed.what, deed.seq, missed.why));
            }
        }
    }
}

/// Another approval is performed in what is being worked out: it makes of it what it made of the room. Where two displays
/// speak of the same, the one that was announced later is right (BX10). Whether the entry at hand performed it.
pub(super) fn approved(sim: &Sim, number: u64, d: &mut D<'_>) -> bool {
    let changes = sim.performed.iter().find_map(|deed| match &deed.what {
        What::Approved { number: other, changes, .. } if *other == number => Some(changes),
        _ => None,
    });
    let Some(changes) = changes else { return false };
    let speaks = |change: &&Change<super::super::Fact>| {
        number > sim.number || touched(change).is_none_or(|path| !sim.pinned.contains(&path))
    };
    changes.iter().filter(speaks).for_each(|change| redo(d, change));
    true
}

/// Does a recorded change again, but for what the working out keeps no account of.
fn redo(d: &mut D<'_>, change: &Change<super::super::Fact>) {
    match change {
        Change::Fact(super::super::Fact::Approval(_)) => {}
        Change::Rule(RuleOp { rule, act: RuleAct::Amend { splice, .. }, why }) => {
            let Some((from, splice)) = here(d, rule, splice) else { return };
            d.rule(RuleOp::new(rule.clone(), RuleAct::Amend { from, splice }).because(why.clone()));
        }
        change => d.emit(change.clone()),
    }
}

/// Where an amendment finds its words in a text that reads otherwise elsewhere: in their old place, else in the only one.
fn here(d: &D<'_>, rule: &str, splice: &Splice) -> Option<(u32, Splice)> {
    let rule = d.rules.in_force(rule)?;
    let source = rule.text().source();
    if splice.apply(source).is_some() {
        return Some((rule.revision(), splice.clone()));
    }
    let mut found = source.match_indices(&splice.old).map(|(at, _)| at);
    match (found.next().filter(|_| !splice.old.is_empty()), found.next()) {
        (Some(at), None) => Some((rule.revision(), Splice { at, ..splice.clone() })),
        _ => None,
    }
}

fn missed(change: &Change<super::super::Fact>) -> Option<&Missed> {
    match change {
        Change::Fact(super::super::Fact::Approval(Fact::Happened(deed))) => match &deed.what {
            What::Missed(missed) => Some(missed),
            _ => None,
        },
        _ => None,
    }
}

/// Who did what, for the list of what is left out.
fn words(state: &State<BNomic>, deed: &Deed) -> String {
    match &deed.what {
        What::Act { person, name, action, .. } => {
            let who = state.frame.seat_of(person).map_or_else(|| name.clone(), |(_, seat)| seat.name.clone());
            let action = serde_json::from_str(action).unwrap_or(Json::Null);
            let kind = parted(&action).map_or("something", |(kind, _)| kind).replace('_', " ");
            format!("{who}, {kind} (entry {})", deed.seq)
        }
        _ => format!("entry {}", deed.seq),
    }
}
