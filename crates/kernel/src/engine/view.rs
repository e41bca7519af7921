//! What of a room anybody may read while it goes on, whatever its game.
//!
//! [`View`] hides the type of the game; a [`State`] answers it from its game's mechanics and words. Looking changes
//! nothing.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{
    Engine, Table,
    journal::{RESEED, read_entry},
    public::{self, Disclosed},
};
use crate::deed::Deed;
use crate::display::{Block, Cell, Document};
use crate::draft::Supposed;
use crate::entry::{Because, Change, Due, Entry};
use crate::frame::{ClockMode, Frame};
use crate::game::Game;
use crate::mechanic::Made;
use crate::own_command::OwnCommand;
use crate::rulebook::{Keys, Rule, Rulebook};
use crate::state::State;
use crate::told::{because, told, valued};
use crate::viewer::Viewer;
use crate::waiting::Waiting;
use crate::work::{Bench, Work};
use crate::world::World;
use crate::{Id, Instant, Num, Path, Refusal, Seq};

/// The phase of the instant at which a room takes another seed: after everything that a game may have due then.
const RESEED_RANK: u8 = u8::MAX;

/// A room's state that anybody may read while the room goes on.
pub trait View: Send + Sync {
    /// The word for the game.
    fn game(&self) -> &'static str;
    /// What every room has.
    fn frame(&self) -> &Frame;
    /// What rules can name.
    fn world(&self) -> &World;
    /// The rules.
    fn rules(&self) -> &Rulebook;
    /// How a rule is played otherwise than it reads, in sentences.
    fn notes(&self, rule: &Id) -> Vec<String>;
    /// The live numbers that the engine plays by.
    fn keys(&self) -> Keys;
    /// The last entry folded in.
    fn seq(&self) -> Seq;
    /// When the last entry took effect.
    fn at(&self) -> Instant;
    /// The next thing that happens by itself.
    fn next_due(&self) -> Option<Due>;
    /// What that is called, in words of the game, and when it is.
    fn coming(&self) -> Option<(String, Instant)>;
    /// What was due and is set aside, in the same words, with when it was due and why it could not be done.
    fn aside(&self) -> Vec<(String, Instant, String)>;
    /// The sealed things that must be open for a deed.
    fn opens(&self, deed: &Deed) -> Vec<Id>;
    /// What a deed supposes to have been otherwise: it is worked out from the journal before the deed is decided.
    fn supposes(&self, deed: &Deed) -> Vec<Supposed>;
    /// The sealed things that a display judges by, for whoever may read them.
    fn reads(&self, id: &str, viewer: &Viewer) -> Vec<Id>;
    /// Whether everybody may read something sealed.
    fn is_open(&self, secret: &str) -> bool;
    /// The seat that may read something sealed beside whoever sealed it.
    fn reader(&self, secret: &str) -> Option<Id>;
    /// Whether a display is for its viewer's eyes alone.
    fn is_personal(&self, display: &str) -> bool;
    /// The commands that the room has by its own rules.
    fn commands(&self) -> Vec<Arc<OwnCommand>>;
    /// What is wrong as things stand, or probably not meant, in sentences.
    fn warnings(&self) -> Vec<String>;
    /// What the rules bring to a room that has none, a line each.
    fn brings(&self) -> Vec<String>;
    /// What a script would add as the law of a rule.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    fn check_law(&self, script: &str) -> Result<Document, Refusal>;
    /// What waits for people.
    fn waiting(&self) -> Vec<Waiting>;
    /// The offices, each with the seats of whoever holds it.
    fn offices(&self) -> Vec<(String, Vec<Id>)>;
    /// The proposals that wait, each with its number and its text.
    fn proposed(&self) -> Vec<(u64, String)>;
    /// The room as it would be if a proposal passed now, on a copy that is thrown away.
    ///
    /// # Errors
    ///
    /// Where there is no such proposal, or it would do nothing.
    fn passed(&self, number: u64) -> Result<Box<dyn Table>, Refusal>;
    /// The long work that the room waits for.
    fn work(&self) -> Option<Work>;
    /// The sealed things that must be there, with their salted hashes.
    fn seals(&self) -> Vec<(Id, String)>;
    /// The displays, for completion.
    fn displays(&self) -> Vec<Cell>;
    /// A view of the state at the moment of looking.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where there is no such display, or the viewer may not see it.
    fn display(&self, id: &str, viewer: &Viewer) -> Result<Document, Refusal>;
    /// What an action is about in this state, where that can change.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the action cannot be read.
    fn about(&self, invocation: &Json) -> Result<Option<String>, Refusal>;
    /// Whether an action is one that nothing stops, no pause and no ban.
    fn is_free(&self, invocation: &Json) -> bool;
    /// The entry as of which a display is best seen, where that is not the last one.
    fn seen_at(&self, id: &str) -> Option<Seq>;
    /// The number that some words stand for by the rules.
    fn number(&self, words: &str) -> Option<Num>;
    /// Whether one line may say that something is done several times.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the rule that allows it is gone.
    fn repeats(&self) -> Result<(), Refusal>;
    /// The number of a proposal that players name.
    ///
    /// # Errors
    ///
    /// Where there is none of that name, or the game has no names for them.
    fn proposal(&self, words: &str) -> Result<u64, Refusal>;
    /// The rule that a path goes back to.
    fn rule_of(&self, path: &Path) -> Option<String>;
    /// What made something that is no value of the world.
    fn made(&self, what: &str) -> Option<Made>;
    /// The title of a display that every room has, where the rules give it another.
    fn heading(&self, display: &str) -> Option<&'static str>;
    /// Who can be named as a player and has no seat: each id with its names.
    fn unseated(&self) -> Vec<(Id, Vec<String>)>;
    /// The rulings on what the rules leave unclear.
    fn rulings(&self) -> &'static str;
    /// What stands before the number of a rule.
    fn numbering(&self) -> &'static str;
    /// The version of a rule, where the rules of the game count by versions.
    fn version(&self, rule: &Rule) -> Option<u32>;
    /// What a rule has beside its text, shown below it.
    fn beside(&self, rule: &Rule) -> Vec<Block>;
    /// An entry of this room's journal as everybody may read it at this point. It is without what was told to somebody
    /// alone, without private channels, and without what its game keeps back.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn public(&self, entry: &str) -> Result<Entry, String>;
    /// The same as it is written into a file, with what proves it.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn disclosed(&self, entry: &str) -> Result<Disclosed, String>;
    /// A change of such an entry in words: empty where nothing is to be told, `None` where there are none for it.
    fn told(&self, change: &Change) -> Option<String>;
    /// What changes come from beside their entry's own cause, in words.
    fn because(&self, by: &Because) -> String;
    /// What players call an object.
    fn called(&self, obj: &Id) -> String;
    /// A value as players know it.
    fn valued(&self, path: &Path) -> String;
    /// Plays a long work, away from the room.
    fn play(&self, work: &Work, bench: &Bench<'_>) -> Option<Json>;
    /// The room's time at a moment of the world's: never before its last entry.
    fn time(&self, now: Instant) -> Instant {
        match self.frame().clock {
            ClockMode::Live => now.max(self.at()),
            ClockMode::Manual(at) | ClockMode::Paused(at) => at.max(self.at()),
        }
    }
}

impl<G: Game> View for State<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }
    fn frame(&self) -> &Frame {
        &self.frame
    }
    fn world(&self) -> &World {
        &self.world
    }
    fn notes(&self, rule: &Id) -> Vec<String> {
        G::mechanics().notes(self, rule)
    }
    fn rules(&self) -> &Rulebook {
        &self.rules
    }
    fn keys(&self) -> Keys {
        Keys::of(G::mechanics().keys(self), [&self.rules])
    }
    fn seq(&self) -> Seq {
        self.seq
    }
    fn at(&self) -> Instant {
        self.at
    }
    fn next_due(&self) -> Option<Due> {
        if self.frame.closed || matches!(self.frame.clock, ClockMode::Paused(_)) {
            return None;
        }
        let reseed = self.frame.reseed_at().map(|at| Due { at, rank: RESEED_RANK, key: RESEED.into() });
        G::mechanics().next_due(self).into_iter().chain(reseed).min()
    }
    fn coming(&self) -> Option<(String, Instant)> {
        let due = self.next_due()?;
        if *due.key == *RESEED {
            return Some(("another seed for the dice".to_owned(), due.at));
        }
        Some((G::mechanics().called(self, &due), due.at))
    }
    fn aside(&self) -> Vec<(String, Instant, String)> {
        let mut aside = G::mechanics().dues(self);
        aside.retain(|due| self.frame.is_aside(due));
        aside.dedup();
        let told =
            |due: Due| Some((G::mechanics().called(self, &due), due.at, self.frame.aside.get(&due.key)?.why.clone()));
        aside.into_iter().filter_map(told).collect()
    }
    fn opens(&self, deed: &Deed) -> Vec<Id> {
        match deed {
            Deed::Due(due) if *due.key == *RESEED => Vec::new(),
            Deed::Due(due) => G::mechanics().opens(self, due),
            Deed::Act { .. } | Deed::Moderate { .. } | Deed::Work { .. } => G::mechanics().opens_always(self),
            Deed::Attest { .. } => Vec::new(),
        }
    }
    fn supposes(&self, deed: &Deed) -> Vec<Supposed> {
        match deed {
            Deed::Act { by, invocation, .. } => G::mechanics().supposes(self, Some((by, invocation))),
            Deed::Due(_) => G::mechanics().supposes(self, None),
            _ => Vec::new(),
        }
    }
    fn reads(&self, id: &str, viewer: &Viewer) -> Vec<Id> {
        G::mechanics().reads(self, id, viewer)
    }
    fn is_open(&self, secret: &str) -> bool {
        G::mechanics().is_open(self, secret)
    }
    fn reader(&self, secret: &str) -> Option<Id> {
        G::mechanics().reader(self, secret)
    }
    fn is_personal(&self, display: &str) -> bool {
        G::mechanics().is_personal(self, display)
    }
    fn warnings(&self) -> Vec<String> {
        G::mechanics().warnings(self)
    }
    fn brings(&self) -> Vec<String> {
        G::mechanics().differs(&State::unopened(), self)
    }
    fn commands(&self) -> Vec<Arc<OwnCommand>> {
        G::mechanics().commands(self)
    }
    fn check_law(&self, script: &str) -> Result<Document, Refusal> {
        G::mechanics().check(self, script)
    }
    fn waiting(&self) -> Vec<Waiting> {
        G::mechanics().waiting(self)
    }
    fn offices(&self) -> Vec<(String, Vec<Id>)> {
        G::offices(self)
    }
    fn proposed(&self) -> Vec<(u64, String)> {
        G::mechanics().proposed(self)
    }
    fn passed(&self, number: u64) -> Result<Box<dyn Table>, Refusal> {
        let state = G::mechanics().passed(self, number)?;
        Ok(Box::new(Engine::of(state)))
    }
    fn work(&self) -> Option<Work> {
        G::mechanics().work(self)
    }
    fn seals(&self) -> Vec<(Id, String)> {
        G::mechanics().seals(self)
    }
    fn displays(&self) -> Vec<Cell> {
        G::mechanics().listed(self)
    }
    fn display(&self, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
        let viewer = Viewer { now: viewer.now.max(self.at), ..viewer.clone() };
        let mut document = G::mechanics().show(self, id, &viewer)?;
        document.as_of.get_or_insert(self.seq);
        Ok(document)
    }
    fn about(&self, invocation: &Json) -> Result<Option<String>, Refusal> {
        G::mechanics().about(self, invocation)
    }
    fn is_free(&self, invocation: &Json) -> bool {
        G::mechanics().is_unstoppable(self, invocation)
    }
    fn seen_at(&self, id: &str) -> Option<Seq> {
        G::mechanics().seen_at(self, id)
    }
    fn rule_of(&self, path: &Path) -> Option<String> {
        G::rule_of(self, path)
    }
    fn made(&self, what: &str) -> Option<Made> {
        G::mechanics().made(self, what)
    }
    fn heading(&self, display: &str) -> Option<&'static str> {
        G::heading(display)
    }
    fn number(&self, words: &str) -> Option<Num> {
        G::number(self, words)
    }

    fn repeats(&self) -> Result<(), Refusal> {
        G::repeats(self)
    }
    fn proposal(&self, words: &str) -> Result<u64, Refusal> {
        G::proposal(self, words)
    }
    fn numbering(&self) -> &'static str {
        G::numbering()
    }
    fn version(&self, rule: &Rule) -> Option<u32> {
        G::version(rule)
    }
    fn beside(&self, rule: &Rule) -> Vec<Block> {
        let of_mechanics = G::mechanics().under(self, rule.id());
        G::beside(self, rule).into_iter().chain(of_mechanics).collect()
    }
    fn unseated(&self) -> Vec<(Id, Vec<String>)> {
        G::unseated(self)
    }
    fn rulings(&self) -> &'static str {
        G::rulings()
    }
    fn public(&self, entry: &str) -> Result<Entry, String> {
        Ok(public::public(self, read_entry(entry)?))
    }
    fn disclosed(&self, entry: &str) -> Result<Disclosed, String> {
        let stored = serde_json::from_str(entry).map_err(|why| why.to_string())?;
        public::disclosed(self, stored, read_entry(entry)?)
    }
    fn told(&self, change: &Change) -> Option<String> {
        told(self, change)
    }
    fn because(&self, by: &Because) -> String {
        because(self, by)
    }
    fn called(&self, obj: &Id) -> String {
        G::called(self, obj)
    }
    fn valued(&self, path: &Path) -> String {
        valued(self, &path.attr, &self.world.value(path))
    }
    fn play(&self, work: &Work, bench: &Bench<'_>) -> Option<Json> {
        G::mechanics().play(work, bench)
    }
}
