//! The room of a game as laws see it: a draft, lent for one call.
//!
//! What a law may set, name and create is judged by the game, as of a directive.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use kernel::{
    Draft, Id, Instant, Outcome, Refusal, State, Value,
    directives::Lawful,
    entry::Change,
    own_command::{OwnCommand, is_taken},
    rulebook::Rule,
    world::{EVERYTHING, Op},
};

use super::{
    called,
    declared::{GAME, PERSON, SUSPENDED},
    moments::calendar,
    tables::{Announced, Enacted, PENDING, is_sealed},
};

/// How a game announces an act of a law.
pub type Announce<G> = fn(&mut Draft<'_, G>, Announced) -> Outcome;

/// What something is called that happens, and what laws see of it.
pub type Event = (&'static str, &'static [&'static str]);

/// A game whose rules may hold laws: what its time and offices are called.
pub trait Hosts: Lawful {
    /// What its mechanics tell of by name ([`kernel::Mechanics::happened`]) and rules may follow: `pass`. An act of that
    /// name is followed by way of what is told, so that whoever asks to join has not joined.
    const EVENTS: &'static [Event] = &[];

    /// What laws see of acts beside what their commands take, by act.
    const BESIDE: &'static [Event] = &[];

    /// What laws see of something that happens by the game, under these names, or of an act that they bar; nothing where
    /// nothing is called so.
    fn holds(name: &str) -> Option<BTreeSet<String>> {
        let owned = |fields: &[&str]| fields.iter().map(|field| (*field).to_owned()).collect::<BTreeSet<_>>();
        let of =
            |all: &[Event], name: &str| all.iter().find(|(known, _)| *known == name).map(|(_, fields)| owned(fields));
        let event = of(Self::EVENTS, name);
        let called = act_called::<Self>(name);
        let is_typed = |act: &&str| !called::names(Self::NAME, act).is_empty();
        let is_called = |act: &&str| called.as_ref().is_some_and(|name| *name == Self::named(act));
        let act = Self::mechanics().acts().filter(is_typed).find(is_called);
        let held = act.map(|act| {
            let beside = of(Self::BESIDE, act).unwrap_or_default();
            called::params(Self::NAME, act).into_iter().chain(beside).chain(["by".to_owned()]).collect()
        });
        match (event, held) {
            (None, None) => None,
            (event, held) => Some(event.into_iter().chain(held).flatten().collect()),
        }
    }

    /// The acts that no bar reaches, since a rule lets nothing stop them or the room has them beside its rules.
    const UNBARRED: &'static [&'static str] = &["leave"];

    /// Acts that nobody causes another to do: they do nothing by themselves, or several things.
    const UNCAUSED: &'static [&'static str] = &[];

    /// Acts that are for nobody's eyes but their doer's, wherever they are typed: bars see who does one and nothing more,
    /// and nothing follows it.
    const PRIVATE: &'static [&'static str] = &[];

    /// Whether no law is played now, whatever the rules say.
    fn rests(_state: &State<Self>) -> bool {
        false
    }

    /// What rules call acts, where that is not what players type for them.
    const NAMED: &'static [(&'static str, &'static str)] = &[];

    /// What rules call an act: as players type it, and by its name where nobody does.
    fn named(act: &str) -> String {
        match (Self::NAMED.iter().find(|(known, _)| *known == act), called::names(Self::NAME, act).first()) {
            (Some((_, name)), _) => (*name).to_owned(),
            (None, Some(typed)) => typed.clone(),
            (None, None) => act.replace('_', " "),
        }
    }

    /// Whatever else is typed for acts, each with what rules call the act: aliases, and commands that do the same.
    fn aliases() -> BTreeMap<String, String> {
        let acts = || Self::mechanics().acts();
        let own: BTreeSet<String> =
            acts().map(Self::named).chain(Self::EVENTS.iter().map(|(name, _)| (*name).to_owned())).collect();
        let typed = acts().flat_map(|act| called::names(Self::NAME, act).iter().map(move |name| (name, act)));
        let others = typed.filter(|(name, _)| !own.contains(*name));
        others.map(|(name, act)| (name.clone(), Self::named(act))).collect()
    }

    /// The room's time, by the names that its rules use: `nday`, `nweek`.
    fn time(state: &State<Self>, at: Instant) -> Vec<(&'static str, Value)> {
        calendar(at, &Self::zone(state))
    }

    /// The zone of the days and weeks that laws wait for.
    fn zone(state: &State<Self>) -> TimeZone {
        TimeZone::get(&state.frame.zone).unwrap_or(TimeZone::UTC)
    }

    /// The kinds of objects that this game alone has by itself, also while there are none: no law declares them.
    const KINDS: &'static [&'static str];

    /// The things of a kind that the game keeps beside its world and shows to everybody: `vote`. Nothing where it keeps no
    /// such kind.
    fn things(_state: &State<Self>, _kind: &str) -> Option<Vec<Id>> {
        None
    }

    /// What everybody is shown of a thing, or of an object beside its attributes.
    fn seen(_state: &State<Self>, _obj: &Id, _name: &str) -> Option<Value> {
        None
    }

    /// Puts what an act of the game is about in the place of the words that name it, for laws to look at.
    fn given(_state: &State<Self>, _act: &str, _args: &mut serde_json::Map<String, Json>) {}

    /// Announces an act of a law that needs others, where the game's own rules have a way for such acts. Else laws announce
    /// it themselves, and what is announced has commands of its own.
    const ANNOUNCE: Option<Announce<Self>> = None;

    /// The kind of those who play.
    fn player() -> &'static str {
        "player"
    }

    /// The kinds of those who have a seat and do not play.
    const PEOPLE: &'static [&'static str] = &[PERSON];

    /// What rules take an object for: its kind, or [`SUSPENDED`] and [`PERSON`] where it is a player's and e does not play.
    fn taken_for(state: &State<Self>, obj: &Id) -> Option<Id> {
        state.world.kind(obj).cloned()
    }

    /// Makes a player of somebody who has a seat and is none.
    ///
    /// # Errors
    ///
    /// Why not: most games say by rules of their own who plays.
    fn admit(_seat: &Id, _d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        Err(Refusal::new("this game says by its own rules who plays"))
    }

    /// Lets a player rest, who is one to no rule but those that say so.
    ///
    /// # Errors
    ///
    /// As [`Hosts::admit`].
    fn suspend(_seat: &Id, _d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        Err(Refusal::new("this game says by its own rules who plays"))
    }

    /// Ends that somebody plays; what e has as a player may be kept for a return.
    ///
    /// # Errors
    ///
    /// As [`Hosts::admit`].
    fn dismiss(_seat: &Id, _keeps: bool, _d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        Err(Refusal::new("this game says by its own rules who plays"))
    }

    /// Refuses a name for something new, or for one object: another has it, or it means something else here.
    ///
    /// # Errors
    ///
    /// Which of the two.
    fn nameable(state: &State<Self>, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
        names_nothing(state, name, but)
    }

    /// Whether rules give an office of a name, also while nobody holds it.
    fn is_office(_state: &State<Self>, _name: &str) -> bool {
        false
    }

    /// Who holds an office that the game itself gives.
    fn holders(_state: &State<Self>, _office: &str) -> Vec<Id> {
        Vec::new()
    }

    /// Refuses whoever has no seat, and whoever does not play now where the game can say why.
    ///
    /// # Errors
    ///
    /// Why, and what e can do about it.
    fn plays(_state: &State<Self>, seat: Option<&Id>) -> Result<(), Refusal> {
        match seat {
            Some(_) => Ok(()),
            None => Err(Refusal::unseated()),
        }
    }

    /// The instant after a length of time that the rules count in units of their own: `2 ndays`. Minutes, hours, days and
    /// weeks need no word here.
    fn due(_state: &kernel::State<Self>, _words: &str) -> Option<Instant> {
        None
    }

    /// A length of time as the game counts it from now on, where its own time may go faster or slower.
    fn counted(_state: &kernel::State<Self>, _words: &str) -> Option<Json> {
        None
    }

    /// When such a length of time is over, as things stand; the present instant where it is. Nothing where nobody knows.
    fn over(_state: &kernel::State<Self>, _counted: &Json) -> Option<Instant> {
        None
    }
}

/// The kinds of objects that every game has by itself.
pub(crate) const OF_EVERY_GAME: [&str; 6] = ["player", PERSON, SUSPENDED, "rule", GAME, EVERYTHING];

/// Whoever acts and plays.
///
/// # Errors
///
/// Why e does not play.
pub fn player<G: Hosts>(d: &Draft<'_, G>) -> Result<Id, Refusal> {
    G::plays(d, d.actor_seat().as_ref())?;
    d.actor()
}

/// The kind of proposals, where the game has them by itself.
pub const PROPOSAL: &str = "proposal";

/// Refuses a name by which something is found, but for one object.
///
/// # Errors
///
/// That it is.
pub fn names_nothing<G: Lawful>(state: &State<G>, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
    match G::find(state, name) {
        Ok(other) if Some(&other) != but => Err(Refusal::new(format!("something here is called “{name}” already"))),
        _ => Ok(()),
    }
}

/// Whether the program has a command or a display of a name by itself.
pub(crate) fn is_of_program<G: Hosts>(name: &str) -> bool {
    is_taken(G::NAME, name) || name == PENDING || G::mechanics().has_display(name)
}

/// Whether a command is one of a law's that is for nobody's eyes but its doer's.
pub(crate) fn is_private<G: Hosts>(state: &State<G>, invocation: &Json) -> bool {
    let Some(name) = invocation.get(OwnCommand::ACT).and_then(|typed| typed.get("act")).and_then(Json::as_str) else {
        return false;
    };
    let mut acts = state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts);
    acts.any(|act| act.name == name && act.forum == "private") || is_sealed(state, name)
}

/// What laws call the act of a game that players call so; nothing where they call none so.
pub fn act_called<G: Hosts>(name: &str) -> Option<String> {
    /// What laws call each act of a game, by every name of it.
    type Names = Arc<BTreeMap<String, String>>;
    static KNOWN: LazyLock<Mutex<BTreeMap<&str, Names>>> = LazyLock::new(Default::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let names = known.entry(G::NAME).or_insert_with(|| {
        let own = G::mechanics().acts().map(G::named).map(|name| (name.clone(), name));
        let mut names = G::aliases();
        names.extend(own);
        names.into()
    });
    names.get(name).cloned()
}

/// The operations on the world from some change on, each with whose act it was made in.
pub(crate) fn operations<G: Hosts>(d: &Draft<'_, G>, from: usize) -> Vec<(Op, Option<Id>)> {
    placed(d, from).map(|(op, _)| op).collect()
}

/// The same, each with how many changes were made before it.
pub(crate) fn placed<G: Hosts>(d: &Draft<'_, G>, from: usize) -> impl Iterator<Item = ((Op, Option<Id>), usize)> {
    d.changes_since(from).zip(from..).filter_map(|((change, whose), at)| match change {
        Change::World(op) => Some(((op.clone(), whose.cloned()), at)),
        _ => None,
    })
}

/// What the law of a rule signs with: its rule by its number.
pub(crate) fn sign<G: Hosts>(rule: &Rule) -> String {
    kernel::rulebook::views::called(rule, G::numbering())
}
