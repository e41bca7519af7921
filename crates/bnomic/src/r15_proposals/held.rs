//! The total text of proposals that are not over: it is bounded so that the effects of all of it fit into one entry.
//!
//! The sum is kept, so that a submission costs the same among thousands. Bodies and statuses change in many ways (by
//! their authors, by directives, by an undo). So the sum follows the changes themselves, and no caller has to tell it.
//! The bound of a single text is judged at its submission.

use super::{
    self as proposals,
    status::{Status, status},
};
use crate::{
    game::{BNomic, D},
    stats::{BODY, PROPOSAL, STATUS},
};
use kernel::{Id, Path, Refusal, State, Value, entry::Change, table::Row, world::Op};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Most text of the proposals that are Pending or Open, in bytes: what all of them do when they pass fits into one entry.
const OPEN_MAX_BYTES: usize = 8 * 1024 * 1024;

// ---- state

/// The bytes of all texts of proposals that are not over; nothing before they were first counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Held {
    pub(crate) bytes: usize,
}

impl Row<BNomic> for Held {
    type Key = ();
    const TABLE: &'static str = "text_held";
}

/// What was counted last.
fn counted(state: &State<BNomic>) -> Option<usize> {
    state.rows::<proposals::Held>().get(&()).map(|held| held.bytes)
}

/// The bytes of one, as it is now.
fn bytes(state: &State<BNomic>, proposal: &Id) -> usize {
    if !state.world.exists(proposal) || status(state, proposal) == Status::Historical {
        return 0;
    }
    state.world.get(&BODY, proposal).map_or(0, |body| body.len())
}

// ---- decide

/// Refuses a text for which all that wait for votes would be more than one entry can hold. `but` is the proposal that it
/// takes the place of.
///
/// # Errors
///
/// A [`Refusal`] that says how much is left.
pub(super) fn has_room(d: &mut D<'_>, text: &str, but: Option<&Id>) -> Result<(), Refusal> {
    let held = match counted(d) {
        Some(held) => held,
        None => {
            let held = d.world.of_kind(PROPOSAL).map(|id| bytes(d, id)).sum();
            d.put(&(), Held { bytes: held });
            held
        }
    };
    let held = held.saturating_sub(but.map_or(0, |id| bytes(d, id)));
    if held + text.len() <= OPEN_MAX_BYTES {
        return Ok(());
    }
    let left = OPEN_MAX_BYTES.saturating_sub(held);
    Err(Refusal::new(format!(
        "proposals that are not over have at most {OPEN_MAX_BYTES} bytes of text together, and {left} are left"
    ))
    .instead("show proposals"))
}

// ---- settle

/// What a proposal was before some changes, as far as they touch it.
#[derive(Default)]
struct Before {
    /// Whether it was there, where that changed.
    exists: Option<bool>,
    status: Option<Value>,
    body: Option<Value>,
}

impl Before {
    /// The first change of something says what it was.
    fn note(&mut self, at: &Path, was: &Value) {
        let slot = match &*at.attr {
            attr if *attr == *BODY.id => &mut self.body,
            attr if *attr == *STATUS.id => &mut self.status,
            _ => return,
        };
        slot.get_or_insert_with(|| was.clone());
    }

    /// The bytes that it had then.
    fn bytes(&self, state: &State<BNomic>, id: &Id) -> usize {
        if !self.exists.unwrap_or_else(|| state.world.exists(id)) {
            return 0;
        }
        let then = |held: &Option<Value>, at: Path| held.clone().unwrap_or_else(|| state.world.value(&at));
        if then(&self.status, STATUS.of(id)) == Value::Text(Status::Historical.word().to_owned()) {
            return 0;
        }
        if let Value::Text(body) = then(&self.body, BODY.of(id)) { body.len() } else { 0 }
    }
}

/// Counts what was changed since it was counted last in this entry.
pub(crate) fn settle(d: &mut D<'_>) -> bool {
    let Some(held) = counted(d) else { return false };
    let changes = d.changes();
    let is_counted = |change: &Change| matches!(change, Change::Row(row) if *row.table == *Held::TABLE);
    let from = changes.iter().rposition(is_counted).map_or(0, |last| last + 1);
    let mut touched: BTreeMap<&Id, Before> = BTreeMap::new();
    for change in &changes[from..] {
        match change {
            Change::World(Op::Create { obj, kind } | Op::Restore { obj, kind, .. }) if **kind == *PROPOSAL => {
                touched.entry(obj).or_default().exists.get_or_insert(false);
            }
            Change::World(Op::Destroy { obj, kind, was }) if **kind == *PROPOSAL => {
                let before = touched.entry(obj).or_default();
                before.exists.get_or_insert(true);
                was.iter().for_each(|(at, was)| before.note(at, was));
            }
            Change::World(Op::Set { at, was, .. }) if [BODY.id, STATUS.id].contains(&&*at.attr) => {
                touched.entry(&at.obj).or_default().note(at, was);
            }
            _ => {}
        }
    }
    let before: usize = touched.iter().map(|(id, before)| before.bytes(d, id)).sum();
    let now: usize = touched.keys().map(|id| bytes(d, id)).sum();
    if before == now {
        return false;
    }
    d.put(&(), Held { bytes: (held + now).saturating_sub(before) });
    true
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use serde_json::{Value as Json, json};

    use super::*;
    use kernel::{
        Instant,
        deed::{Deed, Moderation},
        dice::Seed,
        doer::Doer,
        engine::{Context, Engine, Recorded, Replay, Table},
        frame::ClockMode,
        work::Bench,
    };

    #[derive(Default)]
    struct Play {
        engine: Engine<BNomic>,
        past: Vec<Recorded>,
    }

    impl Play {
        /// Does something, folds its entry as a restart would, and counts anew.
        fn does(&mut self, deed: Deed) {
            let step = self.engine.decide(deed, &context()).expect("it is allowed");
            let entry = step.entry.expect("it has an entry");
            self.engine.fold(&entry).expect("it can be folded");
            self.past.push(Recorded { entry, act: step.act, opened: BTreeMap::new() });
            let state = self.engine.state();
            let anew: usize = state.world.of_kind(PROPOSAL).map(|id| bytes(state, id)).sum();
            assert!(counted(state).is_none_or(|held| held == anew), "{:?}, and {anew}", counted(state));
        }

        fn acts(&mut self, invocation: Json) {
            let (by, command) = (doer(), "test".to_owned());
            self.does(Deed::Act {
                by,
                command,
                invocation,
                public: true,
                private: false,
                forum: None,
                followed: false,
            });
        }

        fn moderates(&mut self, act: Moderation) {
            self.does(Deed::Moderate { by: doer(), act });
        }

        fn corrects(&mut self, path: &str, to: &str) {
            let (path, to, reason) = (path.to_owned(), to.to_owned(), "a test".to_owned());
            self.moderates(Moderation::Correct { path, to, reason });
        }

        /// Takes an entry back.
        fn undoes(&mut self, seq: u64) {
            let stop = AtomicBool::new(false);
            let bench = Bench { open: &|_| None, cache: &(), stop: &stop, progress: &|_, _| {} };
            let begun = Engine::<BNomic>::default().replay(seq, &self.past, &context(), &bench);
            let Replay::Done(replayed) = begun.expect("it can be taken back") else {
                unreachable!("nothing is before it")
            };
            self.moderates(Moderation::Undo { replayed, reason: "a test".to_owned(), sure: true });
        }

        fn held(&self) -> Option<usize> {
            counted(self.engine.state())
        }
    }

    fn context() -> Context {
        Context {
            now: Instant::UNIX_EPOCH,
            seed: Seed([1; 32]),
            fresh: Seed([2; 32]),
            salt: [0; 16],
            opened: Default::default(),
            would_be: Vec::new(),
            fixed: Default::default(),
        }
    }

    fn doer() -> Doer {
        Doer { person: "p1".into(), name: "Ann".to_owned() }
    }

    fn text(length: usize) -> String {
        "x".repeat(length)
    }

    #[test]
    fn the_sum_follows_every_way_in_which_a_text_changes() {
        let mut play = Play::default();
        play.moderates(Moderation::Open {
            name: "main".to_owned(),
            clock: ClockMode::Live,
            zone: "UTC".to_owned(),
            forum: None,
            options: Default::default(),
        });
        assert_eq!(play.held(), None, "nobody has asked yet");
        play.acts(json!({"propose": {"title": "One", "text": text(10)}}));
        assert_eq!(play.held(), Some(10));
        play.acts(json!({"propose": {"title": "Two", "text": text(100)}}));
        play.acts(json!({"revise": {"proposal": 1, "title": "One", "text": text(1000)}}));
        assert_eq!(play.held(), Some(1100));
        play.acts(json!({"withdraw": {"proposal": 2, "sure": "yes"}}));
        assert_eq!(play.held(), Some(1000));
        play.undoes(5);
        assert_eq!(play.held(), Some(1100), "a withdrawal is taken back");
        play.undoes(3);
        assert_eq!(play.held(), Some(1000), "a submission is taken back");
        play.corrects("proposal/1.body", &text(7));
        play.corrects("proposal/1.status", "Historical");
        assert_eq!(play.held(), Some(0));
        play.corrects("proposal/1.status", "Open");
        assert_eq!(play.held(), Some(7));
    }
}
