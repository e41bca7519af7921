//! Laws in this game: what its time, its offices and its acts are called in them, and which acts no bar reaches.
//!
//! The rules say none of that of laws; the rulings do (`docs/rulings/bnomic.md`, B4.8 and B0.19).

use super::{
    clock::hands::{self, Moment},
    effects,
    game::BNomic,
    happenings, moments,
    ministries::posts,
};
use serde_json::Value as Json;

use kernel::{Id, Instant, State, Value};

impl laws::Hosts for BNomic {
    const EVENTS: &'static [&'static str] = happenings::ALL;
    const NAMED: &'static [(&'static str, &'static str)] = &[("take", happenings::TOOK)];

    // No restriction is on forfeiting (B4.8), and the Procedure of an emergency holds against all rules (B0.19).
    const UNBARRED: &'static [&'static str] = &[
        "leave",
        "panic",
        "calm",
        "emergency_forum",
        "emergency_start",
        "emergency_increment",
        "emergency_object",
        "emergency_refresh",
        "emergency_withdraw",
        "emergency_vote",
        "apply_refresh",
    ];

    fn time(state: &State<Self>, _at: Instant) -> Vec<(&'static str, Value)> {
        let Moment { nweek, nday } = hands::now(state);
        vec![("nday", Value::Num(nday.into())), ("nweek", Value::Num(nweek.into()))]
    }

    fn counted(state: &State<Self>, words: &str) -> Option<Json> {
        serde_json::to_value(moments::counted(state, words)?).ok()
    }

    // Of several, whatever comes first.
    fn over(state: &State<Self>, counted: &Json) -> Option<Instant> {
        let all: Vec<moments::Until> = serde_json::from_value(counted.clone()).ok()?;
        all.iter().filter_map(|until| moments::over(state, until)).min()
    }

    // What a header says that a Ministry keeps is no kind yet: the rule that has it declares it.
    fn has_kind(state: &State<Self>, kind: &str) -> bool {
        effects::KINDS.contains(&kind) || state.world.kinds().iter().any(|known| **known == *kind)
    }

    fn holder(state: &State<Self>, office: &str) -> Option<Id> {
        posts::minister(state, &posts::find(state, office).ok()?)
    }
}
