//! The Threat Flag (4E40): who hoists it, and how it follows the number of Paranoid PEPs.
//!
//! Mental states stand in `emergency::crisis`.

use serde::{Deserialize, Serialize};

use super::{
    clock::hands,
    emergency::crisis::paranoid,
    figures::THREAT_PEPS,
    game::{BNomic, D},
    law::{Thing, established},
    ministries::posts::{self, Post},
};
use kernel::{
    Act, Mechanic, Refusal, State, Value,
    display::Document,
    table::Row,
    world::{Attr, AttrDef, Op, Range},
};

/// The kind of the flagpole, and its one object (4E40).
pub(super) const FLAGPOLE: &str = "flagpole";

pub(super) const THE_FLAGPOLE: &str = "flagpole/main";

/// The flag that flies on it.
pub(super) const FLAG: Attr<String> = Attr::new("flag");

/// The flags, by ascending threat.
pub(super) const FLAGS: [&str; 5] = [PINK_PONIES, "Polka Dots", "Setting Orange", "Jolly Roger", "Black Watch Plaid"];

/// The flag of no threat at all.
pub(super) const PINK_PONIES: &str = "Pink Ponies";

/// What the fourth Paranoid hoists, and what is left of it afterwards.
pub(super) const BLACK_WATCH_PLAID: &str = FLAGS[4];

pub(super) const JOLLY_ROGER: &str = FLAGS[3];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let hoist = Act::new("hoist", |Hoist { flag }, d| hoist(&flag, d));
    Mechanic::new("flag").table::<Hoisted>().act(hoist.by(Thing::Threat.word()).player().public("hoist Polka Dots"))
}

kit::args! {
    /// The arguments of `hoist` (4E40).
    Hoist { flag: String }
}

// ---- state

/// When the flag was hoisted last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hoisted {
    /// Changes of the nday until then.
    pub(super) changes: u64,
}

impl Row<BNomic> for Hoisted {
    type Key = ();
    const TABLE: &'static str = "hoisted";
}

pub(super) fn flag(state: &State<BNomic>) -> String {
    state.world.get(&FLAG, &THE_FLAGPOLE.into()).unwrap_or_default()
}

/// Defines the flagpole.
pub(super) fn define(d: &mut D<'_>) {
    let range = Range::OneOf(FLAGS.iter().map(|flag| (*flag).to_owned()).collect());
    let default = Value::Text(PINK_PONIES.to_owned());
    let def = AttrDef { id: FLAG.id.into(), scope: FLAGPOLE.into(), range, default, by: Some("4E40".into()) };
    d.op(Op::Define(def));
    d.op(Op::Create { obj: THE_FLAGPOLE.into(), kind: FLAGPOLE.into() });
}

// ---- decide

/// The Minister of Ministry hoists a flag, once an nday (4E40).
///
/// # Errors
///
/// A [`Refusal`] for others, a second time in an nday, and while many are Paranoid. Also for a flag that the Minister
/// does not choose or that flies already.
fn hoist(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let by = Thing::Threat.rule(&d.rules);
    if !posts::holds(d, &me, Post::Ministry) {
        return Err(Refusal::new("only the Minister of Ministry hoists a flag").by(by).instead("show ministries"));
    }
    let wanted = words.trim().trim_end_matches('.').to_lowercase();
    let wanted = wanted.strip_prefix("the ").unwrap_or(&wanted);
    let wanted = wanted.strip_suffix(" flag").unwrap_or(wanted);
    let found = FLAGS.iter().find(|flag| flag.to_lowercase() == wanted && **flag != BLACK_WATCH_PLAID);
    let Some(found) = found else {
        return Err(Refusal::new(format!("the Minister hoists one of {}", FLAGS[..4].join(", ")))
            .by(by)
            .instead("hoist Polka Dots"));
    };
    if threatened(d) == Some(true) {
        return Err(Refusal::new(format!("while so many PEPs are Paranoid the flag is {BLACK_WATCH_PLAID}"))
            .by(by)
            .instead("show emergency"));
    }
    if flag(d) == **found {
        return Err(Refusal::new(format!("the Threat Flag is {found} already")).by(by).instead("show emergency"));
    }
    let now = Hoisted { changes: hands::changes(d) };
    if d.rows::<Hoisted>().get(&()) == Some(&now) {
        return Err(Refusal::new("the flag was changed in this nday already").by(by).instead("show emergency"));
    }
    d.put(&(), now);
    fly(d, found);
    Ok(Document::say("Done."))
}

fn fly(d: &mut D<'_>, to: &str) {
    if flag(d) != to {
        d.set(&FLAG, &THE_FLAGPOLE.into(), to.to_owned());
        d.tell_all(format!("The Threat Flag is {to}."));
    }
}

/// The flag follows the number of Paranoid PEPs, by a number of its own (B40.5); whether it changes.
pub(super) fn follow(d: &mut D<'_>) -> bool {
    let to = match (threatened(d), flag(d) == BLACK_WATCH_PLAID) {
        (Some(true), false) => BLACK_WATCH_PLAID,
        (Some(false), true) => JOLLY_ROGER,
        _ => return false,
    };
    fly(d, to);
    true
}

/// Whether so many PEPs are Paranoid that the flag is Black Watch Plaid (B40.5); `None` where no rule says.
fn threatened(state: &State<BNomic>) -> Option<bool> {
    established(&state.rules, Thing::Threat).ok()?;
    let bar = state.rules.need_count(&THREAT_PEPS).ok()?;
    let paranoid = if established(&state.rules, Thing::Emergency).is_ok() { paranoid(state).len() } else { 0 };
    Some(paranoid as u64 >= bar)
}
