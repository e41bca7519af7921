//! Laws in this game: what its time, its offices and its acts are called in them, and which acts no bar reaches.
//!
//! The rules say none of that of laws; the rulings do (`docs/rulings/bnomic.md`, B4.8 and B0.19).

use super::{
    clock::hands::{self, Moment},
    effects,
    game::BNomic,
    happenings,
    ministries::posts,
};
use kernel::{Id, Instant, State, Value};

impl laws::Hosts for BNomic {
    const EVENTS: &'static [&'static str] = happenings::ALL;
    const NAMED: &'static [(&'static str, &'static str)] = &[
        ("object_to", "object"),
        ("take", happenings::TOOK),
        ("give_mackerel", "mackerel give"),
        ("resubmit", "draft again"),
        ("activate_tweak", "activate"),
        ("answer_duty", "answer"),
        ("remove_minister", "ministry remove"),
        ("record_relation", "ambassador record"),
        ("apply_proposal", "chairman apply"),
        ("apply_tweak", "chairman tweak"),
    ];

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

    // What a header says that a Ministry keeps is no kind yet: the rule that has it declares it.
    fn has_kind(state: &State<Self>, kind: &str) -> bool {
        effects::KINDS.contains(&kind) || state.world.kinds().iter().any(|known| **known == *kind)
    }

    fn holder(state: &State<Self>, office: &str) -> Option<Id> {
        posts::minister(state, &posts::find(state, office).ok()?)
    }
}
