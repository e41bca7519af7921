//! Moves that are set, and when types of moves are evaluated (S56 to S60): the rows, and questions about them.
//!
//! Of each player the latest move of a type is kept, and its text is sealed. A move is set in `super`, judged in
//! `judged`, and executed in `evaluation`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{board::Move, kind::Kind};
use crate::{
    end,
    game::{D, Spacenomic},
    law::{Thing, times_enacted},
    stats::called,
};
use kernel::{Id, Instant, Row, State, display::Document, entry::Audience, time::minute};

// ---- state

/// A move that is set, by type and player: of each player the latest one (S60). Its text is sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Sealed {
    /// Its name in the table of secrets.
    pub(super) secret: Id,
    /// The salted hash of its words.
    pub(super) hash: String,
    /// When it was set.
    pub(super) at: Instant,
    /// The move itself, where it was set openly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) open: Option<What>,
    /// What came of it, before it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) published: Option<Published>,
}

/// A move that was published at its evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Published {
    /// The move; nothing where its text is not kept any more.
    pub(super) what: Option<What>,
    /// The salt of its hash, in hexadecimal.
    pub(super) salt: String,
    /// Whether it was executed.
    pub(super) executed: bool,
}

impl Row<Spacenomic> for Sealed {
    type Key = (Kind, Id);
    const TABLE: &'static str = "moves";

    fn told((kind, player): &(Kind, Id), was: Option<&Self>, is: Option<&Self>, state: &State<Spacenomic>) -> String {
        let (kind, name) = (kind.word(), called(state, player));
        let published = was.and_then(|was| Some((was, was.published.as_ref()?)));
        match (is, published) {
            // It goes in the same entry, and is told then.
            (Some(Self { published: Some(_), .. }), _) => String::new(),
            (Some(is), _) => format!("{name} has a {kind} move set, with the hash {}", is.hash),
            (None, Some((was, Published { what, salt, executed }))) => {
                let what = what.as_ref().map_or_else(|| "a move that is not kept any more".to_owned(), What::to_string);
                let done = if *executed { "executed" } else { "not executed" };
                format!("{name}: {what}, {done}; salt {salt}, hash {}", was.hash)
            }
            (None, None) => format!("{name} has no {kind} move set"),
        }
    }
}

/// A type that rules state now (S56): when it is evaluated next, and the rule that says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Timing {
    /// The next evaluation.
    pub(super) next: Instant,
    /// The rule that states the type.
    pub(super) rule: Id,
    /// Its version as it was when the time was set: a modification sets it anew (S62).
    pub(super) version: u32,
    /// The number of times that the rule came into effect.
    pub(super) enacted: usize,
}

impl Row<Spacenomic> for Timing {
    type Key = Kind;
    const TABLE: &'static str = "evaluations";

    fn told(kind: &Kind, _: Option<&Self>, is: Option<&Self>, _: &State<Spacenomic>) -> String {
        match is {
            Some(is) => format!("{} moves are evaluated next at {}", kind.word(), minute(is.next)),
            None => format!("{} moves are not evaluated any more", kind.word()),
        }
    }
}

/// The order in which types are evaluated (S58).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Phi {
    order: Vec<Kind>,
}

impl Row<Spacenomic> for Phi {
    type Key = ();
    const TABLE: &'static str = "phi";

    fn told((): &(), _: Option<&Self>, is: Option<&Self>, _: &State<Spacenomic>) -> String {
        let words: Vec<&str> = is.into_iter().flat_map(|is| &is.order).map(Kind::word).collect();
        format!("moves are evaluated in the order: {}", words.join(", "))
    }
}

/// A player's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(super) enum What {
    /// On the map: of the types of the seed.
    Mapped(Move),
    /// As a rule that invented the type lists it.
    Listed {
        /// The type.
        of: Kind,
        /// The move, in the words of the list.
        words: String,
    },
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mapped(what) => what.fmt(f),
            Self::Listed { of, words } => write!(f, "{} {words}", of.word()),
        }
    }
}

impl What {
    /// Of which type it is.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Mapped(what) => what.kind(),
            Self::Listed { of, .. } => of.clone(),
        }
    }

    /// A move as it was kept.
    pub(super) fn kept(text: &str, kind: &Kind) -> Option<Self> {
        match kind {
            Kind::Named(name) => {
                let words = text.strip_prefix(&**name)?.strip_prefix(' ')?;
                Some(Self::Listed { of: kind.clone(), words: words.to_owned() })
            }
            _ => text.parse().ok().filter(|what: &Move| what.kind() == *kind).map(Self::Mapped),
        }
    }
}

/// The order of the types (S58).
pub(in super::super) fn phi(state: &State<Spacenomic>) -> &[Kind] {
    state.row::<Phi>(&()).map_or(&[], |phi| &phi.order)
}

/// The types of which a move is set.
pub(super) fn kinds(state: &State<Spacenomic>) -> Vec<&Kind> {
    let mut kinds: Vec<&Kind> = state.rows::<Sealed>().keys().map(|(kind, _)| kind).collect();
    kinds.dedup();
    kinds
}

/// The moves of a type that are set, by player.
pub(super) fn set_of<'s>(state: &'s State<Spacenomic>, kind: &Kind) -> impl Iterator<Item = (&'s Id, &'s Sealed)> {
    let all = state.rows::<Sealed>().range((kind.clone(), Id::default())..);
    all.take_while(move |((other, _), _)| other == kind).map(|((_, player), sealed)| (player, sealed))
}

/// The move of a type that a player has set.
pub(super) fn set_by<'s>(state: &'s State<Spacenomic>, kind: &Kind, player: &Id) -> Option<&'s Sealed> {
    state.row::<Sealed>(&(kind.clone(), player.clone()))
}

/// The moves that a player has set, in the order in which they are evaluated.
pub(super) fn in_order<'a>(state: &'a State<Spacenomic>, me: &Id) -> Vec<(&'a Kind, &'a Sealed)> {
    let all = state.rows::<Sealed>().iter();
    let mut mine: Vec<_> =
        all.filter(|((_, player), _)| player == me).map(|((kind, _), sealed)| (kind, sealed)).collect();
    // What is never evaluated comes last.
    mine.sort_by_key(|(kind, _)| {
        let at = next(state, kind);
        (at.is_none(), at, phi(state).iter().position(|other| other == *kind))
    });
    mine
}

/// When a type is evaluated next.
pub(in super::super) fn next(state: &State<Spacenomic>, kind: &Kind) -> Option<Instant> {
    kind.period(state)?;
    if end::is_over(state).is_some() || !Thing::Evaluation.is_in(&state.rules) {
        return None;
    }
    state.row::<Timing>(kind).map(|timing| timing.next)
}

/// Whether the rule that made a type what it was when its time was set is gone.
pub(super) fn is_gone(state: &State<Spacenomic>, kind: &Kind) -> bool {
    match (kind.rule(&state.rules), state.row::<Timing>(kind)) {
        (None, _) => true,
        (Some(rule), Some(tied)) => tied.rule != *rule.id() || tied.enacted != times_enacted(rule),
        (Some(_), None) => false,
    }
}

/// Says of a player who pauses that a move which is executed makes em active again (S82). Of one that a rule invented,
/// nobody but em knows whether it makes em inactive then.
pub(in super::super) fn warning(state: &State<Spacenomic>, player: &Id) -> Option<&'static str> {
    let mapped = |(kind, _): &(&Kind, &Sealed)| kind.thing().is_some();
    let set = in_order(state, player);
    if set.is_empty() {
        None
    } else if set.iter().all(mapped) {
        Some("You have a move set: if it is executed, you are active again.")
    } else {
        Some(
            "You have a move set: if it is executed, your pause is over, and you are active again unless the move itself makes you inactive.",
        )
    }
}

// ---- changes

/// Keeps a player's move of a type, or none. Nobody reads the one before it any more.
pub(super) fn store(d: &mut D<'_>, kind: &Kind, player: &Id, to: Option<Sealed>) {
    let key = (kind.clone(), player.clone());
    match to {
        Some(to) => d.put(&key, to),
        None => drop(d.delete::<Sealed>(&key)),
    }
}

/// Puts the next evaluation of a type at an instant; whether there is such a type.
pub(in super::super) fn put_at(d: &mut D<'_>, kind: &Kind, next: Instant) -> bool {
    d.edit::<Timing>(kind, |timing| timing.next = next)
}

/// Orders the types anew (S58).
pub(in super::super) fn order(d: &mut D<'_>, to: Vec<Kind>) {
    d.upsert::<Phi>(&(), |phi| phi.order = to);
}

/// A document for a player alone, on eir move.
pub(super) fn tell(d: &mut D<'_>, player: &Id, text: String) {
    d.say(Audience::Seat(player.clone()), Document::say(text));
}
