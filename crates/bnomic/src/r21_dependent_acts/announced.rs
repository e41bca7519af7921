//! The acts that were announced (4E21, 4E22): what each is, what it needs, and how it stands.
//!
//! An act that ends here by what befell its announcer is told once. Announcing, answering and performing stand above.

use std::collections::BTreeSet;

use laws::Announced;
use serde::{Deserialize, Serialize};

use super::needs::Needs;
use crate::{
    approvals::{self, drafted},
    clock::hands,
    figures::{OBJECTION_FROM, OBJECTION_UNTIL, PERFORM_NDAYS, SUPPORT_NDAYS, WAITED_NDAYS},
    game::{BNomic, D},
    law::{Thing, established},
    ministries::posts,
    society::players,
    stats::called,
    tweaks,
};
use kernel::{Id, Refusal, Seq, State, table::Row};

/// The act that performs one.
pub(crate) const PERFORMING: &str = "perform";

// ---- state

/// An act that was announced, by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Intent {
    /// Counts from 1.
    pub(crate) number: u64,
    /// Who announced it.
    pub(crate) by: Id,
    /// Changes of the nday when it was announced.
    pub(crate) changes: u64,
    /// What it is.
    pub(crate) act: Act,
    /// Who objected.
    pub(crate) objected: Vec<Id>,
    /// Who supported it.
    pub(crate) supported: Vec<Id>,
    /// Changes of the nday when its support was complete.
    pub(crate) complete: Option<u64>,
    /// What became of it.
    pub(crate) ended: Option<Ended>,
    /// Midnights of the room when it was announced, for what waits in rdays.
    pub(crate) rdays: u64,
    /// Changes of the nday when the rdays of its wait were over.
    pub(crate) waited: Option<u64>,
    /// In which entry a display was given that is to be approved; 0 for all else.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) entry: Seq,
    /// How many changes the approval of a display made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) made: Option<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What can be announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Act {
    /// A ministry is usurped with support (B48.5).
    Usurp {
        /// Which.
        ministry: Id,
    },
    /// A tweak is activated (B77.2).
    Tweak {
        /// Whose, and in which nweek it was submitted.
        tweak: Id,
    },
    /// A display is approved (B50.4).
    Approve(approvals::Given),
    /// Whatever the law of a rule says needs others.
    Law(Announced),
}

/// What became of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ended {
    /// It was performed.
    Performed,
    /// It cannot be performed any more.
    Lapsed,
}

/// Why an act cannot be performed to which enough Players objected: that is told when the last of them does.
pub(crate) const OBJECTED: &str = "Players objected";

/// How an act stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It may become ripe.
    Waits,
    /// It can be performed.
    Ripe,
    /// It can no longer be performed, since …
    Dead(&'static str),
}

pub(crate) fn needs(state: &State<BNomic>, act: &Act) -> Result<Needs, Refusal> {
    match act {
        Act::Usurp { .. } => posts::needs(state),
        Act::Tweak { .. } => tweaks::needs(state),
        Act::Approve(_) => drafted::needs(state),
        Act::Law(act) => of_law(state, act),
    }
}

/// What an act of a law needs, as that says it: `without 2 objections within 2 ndays`.
fn of_law(state: &State<BNomic>, act: &Announced) -> Result<Needs, Refusal> {
    let needs = act.needs(state).ok_or_else(|| Refusal::new(format!("no law has {} any more", act.words(state))))?;
    let counted = |words: &str| {
        let (count, unit) = words.split_once(' ')?;
        match (count.parse().ok()?, unit.trim_end_matches('s')) {
            (count, "nday") => Some((Some(count), None)),
            (count, "rday" | "day") => Some((None, Some(count))),
            _ => None,
        }
    };
    let (wait, rdays) = match &needs.within {
        None => (None, None),
        Some(words) => counted(words).ok_or_else(|| {
            Refusal::new(format!(
                "the law of {} counts “{words}”, and intentions are counted in ndays or rdays",
                act.words(state)
            ))
        })?,
    };
    Ok(Needs {
        without: needs.objections.and_then(|most| u64::try_from(most).ok()),
        with: u64::try_from(needs.support).ok().filter(|least| *least > 0),
        wait,
        rdays,
    })
}

/// What an act is, as the end of “… announces the intention to”.
pub(crate) fn words(state: &State<BNomic>, act: &Act) -> String {
    match act {
        Act::Usurp { ministry } => format!("usurp {}", posts::ever_called(state, ministry)),
        Act::Tweak { tweak } => format!("activate {}", tweaks::label(state, tweak)),
        Act::Approve(given) => approvals::sentence(given),
        Act::Law(act) => format!("do {}", act.words(state)),
    }
}

/// When an act can be performed: from so many changes of the nday after its announcement, to so many. `None` where a
/// figure that says so is gone.
pub(crate) fn window(state: &State<BNomic>, intent: &Intent, needs: Needs) -> Option<(u64, u64)> {
    let need = |key| state.rules.need_count(key).ok();
    if needs.rdays.is_some() {
        let from = intent.waited?.saturating_sub(intent.changes);
        return Some((from, from.saturating_add(need(&WAITED_NDAYS)?)));
    }
    let support = match intent.complete {
        Some(complete) => {
            let from = complete.saturating_sub(intent.changes);
            Some((from, from.saturating_add(need(&PERFORM_NDAYS)?)))
        }
        None => None,
    };
    let waited = match (needs.without, needs.wait) {
        (None, _) => None,
        (Some(_), Some(wait)) => {
            let from = wait.saturating_add(1);
            Some((from, wait.saturating_add(need(&WAITED_NDAYS)?)))
        }
        (Some(_), None) => Some((need(&OBJECTION_FROM)?.saturating_add(1), need(&OBJECTION_UNTIL)?)),
    };
    // Where both are needed, the time to perform runs from the later of the two (B22.4).
    match (waited, support, needs.with) {
        (Some(waited), None, None) => Some(waited),
        (None, Some(support), _) => Some(support),
        (Some(waited), Some(support), _) => Some((waited.0.max(support.0), waited.1.max(support.1))),
        (None | Some(_), None, _) => None,
    }
}

/// The rule that an act waits for, or that says it is over; where that is gone, the one by which it is.
pub(crate) fn rule_of(state: &State<BNomic>, intent: &Intent) -> Option<String> {
    let needs = match needs(state, &intent.act) {
        Ok(needs) => needs,
        Err(why) => return why.rule,
    };
    let thing = match needs {
        _ if stage(state, intent) == Stage::Dead(OBJECTED) => Thing::Objecting,
        // A law that asks for rdays says so in its own rule.
        Needs { rdays: Some(_), .. } if !matches!(intent.act, Act::Law(_)) => Thing::Displays,
        Needs { with: Some(_), without, .. } if without.is_none() || intent.complete.is_none() => Thing::Supporting,
        _ => Thing::Objecting,
    };
    established(&state.rules, thing).map_or_else(|why| why.rule, |()| Some(thing.rule(&state.rules)))
}

pub(crate) fn stage(state: &State<BNomic>, intent: &Intent) -> Stage {
    if intent.ended.is_some() {
        return Stage::Dead("it is over");
    }
    let Ok(needs) = needs(state, &intent.act) else { return Stage::Dead("the rule that allows it is gone") };
    if !players::is_player(state, &intent.by) {
        return Stage::Dead("whoever announced it is no Player any more");
    }
    if needs.without.is_some_and(|bar| intent.objected.len() as u64 >= bar) {
        return Stage::Dead(OBJECTED);
    }
    let elapsed = hands::changes(state).saturating_sub(intent.changes);
    if needs.rdays.is_some() && intent.waited.is_none() {
        return Stage::Waits;
    }
    if needs.rdays.is_some() && needs.with.is_some() && intent.complete.is_none() {
        return Stage::Dead("it found too little support in time");
    }
    if needs.with.is_some() && intent.complete.is_none() {
        let limit = state.rules.need_count(&SUPPORT_NDAYS).ok();
        return match limit {
            Some(limit) if elapsed <= limit => Stage::Waits,
            _ => Stage::Dead("it found too little support in time"),
        };
    }
    match window(state, intent, needs) {
        None => Stage::Dead("no rule says when"),
        Some((_, until)) if elapsed > until => Stage::Dead("its time is over"),
        Some((from, _)) if elapsed < from => Stage::Waits,
        Some(_) => Stage::Ripe,
    }
}

impl Row<BNomic> for Intent {
    type Key = u64;
    const TABLE: &'static str = "intents";

    fn told(number: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let Some(is) = is else { return format!("intention {number} is gone") };
        let Some(was) = was else {
            return format!("{} intends to {} (intention {number})", called(state, &is.by), words(state, &is.act));
        };
        let names = |all: &[Id]| match all {
            [] => "nobody".to_owned(),
            all => all.iter().map(|id| called(state, id)).collect::<Vec<_>>().join(", "),
        };
        let objected = (was.objected != is.objected).then(|| format!("objected to by {}", names(&is.objected)));
        let supported = (was.supported != is.supported).then(|| format!("supported by {}", names(&is.supported)));
        let ended = is.ended.filter(|ended| was.ended != Some(*ended)).map(|ended| match ended {
            Ended::Performed => "performed".to_owned(),
            Ended::Lapsed => "cannot be performed any more".to_owned(),
        });
        let told: Vec<String> = [objected, supported, ended].into_iter().flatten().collect();
        if told.is_empty() { String::new() } else { format!("intention {number}: {}", told.join("; ")) }
    }
}

pub(crate) fn put(d: &mut D<'_>, intent: Intent) {
    let number = intent.number;
    d.put(&number, intent);
}

pub(crate) fn need(state: &State<BNomic>, number: u64) -> Result<Intent, Refusal> {
    let none = || Refusal::new(format!("no act of number {number} was announced")).instead("show intents");
    state.rows::<Intent>().get(&number).cloned().ok_or_else(none)
}

// ---- decide

/// The number under which an act was announced last.
pub(crate) fn announced(state: &State<BNomic>, act: &Act) -> Option<u64> {
    state.rows::<Intent>().values().rev().find(|intent| intent.act == *act).map(|intent| intent.number)
}

/// A display that was announced to be approved, and who announced it.
pub(crate) fn approval(state: &State<BNomic>, number: u64) -> Option<(&Id, &approvals::Given)> {
    let intent = state.rows::<Intent>().get(&number)?;
    if let Act::Approve(given) = &intent.act { Some((&intent.by, given)) } else { None }
}

/// The entry in which a display was given that somebody can approve now.
pub(crate) fn ripe_approval(state: &State<BNomic>, number: u64, by: &Id) -> Option<Seq> {
    let intent = state.rows::<Intent>().get(&number).filter(|intent| intent.by == *by && intent.entry > 0)?;
    (stage(state, intent) == Stage::Ripe).then_some(intent.entry)
}

// ---- due

/// Somebody is no Player any more: what was announced ends with that (B4.9).
pub(crate) fn left(d: &mut D<'_>, player: &Id) {
    end(d, "whoever announced it forfeited", |intent| intent.by == *player);
}

/// Somebody leaves an office: what was announced as its holder ends with that (BX6).
pub(crate) fn left_office(d: &mut D<'_>, player: &Id, ministry: &Id) {
    let state: &State<BNomic> = d;
    let is_of = |intent: &&Intent| match &intent.act {
        Act::Law(act) => act.who(state).is_some_and(|who| posts::find(state, who).is_ok_and(|id| id == *ministry)),
        _ => false,
    };
    let of_office: BTreeSet<u64> = state.rows::<Intent>().values().filter(is_of).map(|intent| intent.number).collect();
    end(d, "whoever announced it left the office for it", |intent| {
        intent.by == *player && of_office.contains(&intent.number)
    });
}

fn end(d: &mut D<'_>, why: &str, ends: impl Fn(&Intent) -> bool) {
    let made = d.rows::<Intent>().values();
    let over: Vec<Intent> = made.filter(|intent| intent.ended.is_none() && ends(intent)).cloned().collect();
    for mut intent in over {
        let (name, number, what) = (called(d, &intent.by), intent.number, words(d, &intent.act));
        // That one which Players objected to is over was told then.
        let was_over = matches!(stage(d, &intent), Stage::Dead(_));
        intent.ended = Some(Ended::Lapsed);
        put(d, intent);
        if !was_over {
            d.tell_all(format!("Intention {number} of {name}, to {what}, has lapsed: {why}."));
        }
    }
}
