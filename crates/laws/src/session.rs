//! One use of the laws in force: by an act, or by a look that changes nothing.

use kernel::{Draft, Instant, State, dice, draft::Payer};

use super::{
    faults,
    fuel::{fill, fuel},
    limits::ACT_MAX_OPERATIONS,
    reading,
    room::Hosts,
    run::{Mode, Run},
    sealed,
    stage::Stage,
    ways,
};

/// Does something with the laws in force; nothing where there are none.
pub(crate) fn with<G: Hosts, T>(
    d: &mut Draft<'_, G>,
    mode: Mode,
    does: impl FnOnce(&mut dyn Stage, &mut Run) -> T,
) -> Option<T> {
    let registry = reading::in_force(d)?;
    let mut run = Run::new(registry, mode, d);
    let others = d.meter().others;
    if d.payer == Payer::Each && !d.meter().running {
        d.meter().others = d.meter().operations;
    }
    let left = d.meter().left().min(ACT_MAX_OPERATIONS);
    let outer = fill(left);
    let within = std::mem::replace(&mut d.meter().running, true);
    let acts = matches!(run.mode, Mode::Act);
    let done = does(d, &mut run);
    sealed::publish(d, &mut run);
    if acts {
        ways::note_run(d, &run);
    }
    d.meter().running = within;
    d.meter().spend(left.saturating_sub(fuel()));
    d.meter().others = others;
    fill(outer);
    faults::tell(d, &run);
    Some(done)
}

/// Looks at the laws as a room stands; nothing where there is none.
pub(crate) fn look<G: Hosts, T>(
    state: &State<G>,
    now: Instant,
    does: impl FnOnce(&mut dyn Stage, &mut Run) -> T,
) -> Option<T> {
    looking(state, now, |d| with(d, Mode::Look, does))
}

/// Looks at a copy of a room. What is offered there is offered as of its last entry, since there comes none of this.
pub(crate) fn looking<G: Hosts, T>(state: &State<G>, now: Instant, does: impl FnOnce(&mut Draft<'_, G>) -> T) -> T {
    let mut dice = dice::Dice::new(dice::Seed([0; 32]), state.seq, Default::default());
    let mut d = Draft::new(state.clone(), now.max(state.at), Default::default(), false, &mut dice, [0; 16]);
    d.seq = state.seq;
    does(&mut d)
}
