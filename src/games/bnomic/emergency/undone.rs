//! What of an emergency (4E0) can be taken back: each vote and each Refresh Proposal by itself, all else only where the
//! State of Emergency stands as it left it.
//!
//! Absent: what happens in one (`emergency`, `rounds`).

use super::{BNomic, Due, Fact, INCREMENT, State, called};

/// What came between, as a clause, where a fact is not what holds any more: then it cannot be taken back alone.
pub(in crate::games::bnomic) fn moved_on(fact: &Fact, state: &State<BNomic>) -> Option<String> {
    let now = state.game.emergency.crisis.as_ref();
    match fact {
        Fact::Crisis { to, .. } => (now != to.as_deref()).then(|| "the State of Emergency went on since".to_owned()),
        Fact::Refresh { pep, to, .. } => match now {
            Some(crisis) if crisis.round > 0 => Some("the first ballot was made since".to_owned()),
            Some(crisis) if crisis.refresh.get(pep) == to.as_ref() => None,
            Some(_) => Some(format!("{} changed the Refresh Proposal since", called(state, pep))),
            None => Some("the State of Emergency ended since".to_owned()),
        },
        Fact::Voted { pep, round, to, .. } => match now {
            Some(crisis) if crisis.round != *round => Some(format!("round {round} was counted since")),
            Some(crisis) if crisis.votes.get(pep) == to.as_ref() => None,
            Some(_) => Some(format!("{} voted again since", called(state, pep))),
            None => Some("the State of Emergency ended since".to_owned()),
        },
        _ => None,
    }
}

/// What happened by itself in an entry that was taken back, in words.
pub(in crate::games::bnomic) fn was_due(due: &Due) -> String {
    match &*due.key {
        INCREMENT => "an increment of the Pause".to_owned(),
        _ => "what a message left open, judged".to_owned(),
    }
}

/// The fact that takes another back.
pub(in crate::games::bnomic) fn inverse(fact: &Fact) -> Fact {
    match fact.clone() {
        Fact::Mind { pep, paranoid } => Fact::Mind { pep, paranoid: !paranoid },
        Fact::Enough { to, was } => Fact::Enough { to: was, was: to },
        Fact::Crisis { to, was } => Fact::Crisis { to: was, was: to },
        Fact::Refresh { pep, to, was } => Fact::Refresh { pep, to: was, was: to },
        Fact::Voted { pep, round, to, was } => Fact::Voted { pep, round, to: was, was: to },
        Fact::Hoisted { to, was } => Fact::Hoisted { to: was, was: to },
        Fact::LetGo { noted } => Fact::LetGo { noted },
        Fact::Selected { to, was } => Fact::Selected { to: was, was: to },
        Fact::Certain { to, was } => Fact::Certain { to: was, was: to },
        Fact::Meanwhile => Fact::Meanwhile,
    }
}
