//! What a game is to the kernel: a pure state, and functions over it.
//!
//! A game learns the time and random numbers only from the [`Draft`] that is handed to it. It changes something only by
//! emitting into that draft. It knows nothing of accounts, networks and storage.

use std::{collections::BTreeMap, sync::Arc};

use imbl::OrdMap;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value as Json;

use super::{
    Id, Instant, Refusal, Seq,
    display::Block,
    draft::{Draft, Opened},
    entry::{Cause, Due},
    frame::Frame,
    mechanic::{Mechanics, Needs, Occasion, Outcome},
    rulebook::{LiveKey, Rule, Rulebook},
    table::{Row, Rows, Tables, Unread},
    world::World,
};

/// All that there is to know about a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "G: 'static", deserialize = "G: Game"))]
pub struct State<G: 'static> {
    /// What every room has.
    pub frame: Frame,
    /// What rules can name.
    pub world: World,
    /// The rules as they read now.
    pub rules: Rulebook,
    /// The machinery that no rule names.
    #[serde(rename = "game")]
    pub tables: Tables<G>,
    /// Rows of it that this version of the program cannot read: kept as they are written, and folded by key.
    #[serde(default, skip_serializing_if = "Unread::is_empty")]
    pub unread: Unread,
    /// The last entry folded in.
    pub seq: Seq,
    /// When it took effect: no later entry takes effect before it.
    pub at: Instant,
    /// When scripts of rules ran.
    #[serde(skip)]
    pub ran: Ran,
}

/// When scripts of rules ran last, by rule, as far as this process knows: that is no part of what a room is, and two rooms
/// that differ in nothing else are the same.
#[derive(Clone, Debug, Default)]
pub struct Ran(pub(crate) OrdMap<Id, LastRun>);

/// The last entry in which the script of a rule ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastRun {
    /// The entry.
    pub seq: Seq,
    /// When it took effect.
    pub at: Instant,
    /// How many operations the script took in it, with all that it did.
    pub operations: u64,
}

impl Ran {
    /// When the script of a rule ran last; nothing where it did not.
    pub fn last(&self, rule: &Id) -> Option<LastRun> {
        self.0.get(rule).copied()
    }

    /// Whether none ran.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for Ran {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<G: Game> State<G> {
    /// A row of the game's tables.
    pub fn row<R: Row<G>>(&self, key: &R::Key) -> Option<&R> {
        self.tables.row(key)
    }

    /// All rows of a kind, by key.
    pub fn rows<R: Row<G>>(&self) -> &Rows<R::Key, R> {
        self.tables.rows()
    }

    /// The last number that was given, by what it counts; 0 before the first. Entries of before numbers were counted do
    /// not say it: then the tables do ([`Mechanic::counts`]).
    ///
    /// [`Mechanic::counts`]: crate::mechanic::Mechanic::counts
    pub fn last_number(&self, of: &str) -> u64 {
        self.frame.last_number(of).max(G::mechanics().last_number(self, of))
    }

    /// Raises the counts of the frame to what the tables say: then the frame alone says every last number.
    pub(crate) fn count_tables(&mut self) {
        for (of, last) in G::mechanics().last_numbers(self) {
            self.frame.count(of.into(), last);
        }
    }
}

/// A kind of play: its list of mechanics, and how it speaks. The state of a room lies in the tables of the mechanics.
pub trait Game: Before + Speech + Copy + Default + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The word for it: `joust`.
    const NAME: &'static str;
    /// The version of its tables that this program writes.
    const SCHEMA: u16;

    /// The live numbers that the engine plays by.
    fn keys() -> &'static [LiveKey];

    /// What it is made of, in the order in which things follow by themselves.
    fn mechanics() -> &'static Mechanics<Self>;

    /// Writes the rules and the first objects of a new room; the frame is open already.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the options do not fit the game.
    fn open(options: &serde_json::Map<String, Json>, d: &mut Draft<'_, Self>) -> Outcome;

    /// The rules that it brings along, by their names in a room, as files with a header: none where rooms bring their own.
    fn shipped() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Asks for what an act needs, in the words of this game.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names what is missing.
    fn guard(needs: &Needs, d: &Draft<'_, Self>) -> Result<(), Refusal>;

    /// Does something with what this game does around it: a log of changes, a note of who acted.
    fn within<T>(_on: Occasion<'_, Self>, d: &mut Draft<'_, Self>, does: impl FnOnce(&mut Draft<'_, Self>) -> T) -> T {
        does(d)
    }
}

/// What journals of older versions hold beside tables.
pub trait Before: Sized {
    /// A change to the machinery, as those versions wrote it.
    type Fact: Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Folds a fact into the tables. Total.
    fn fold(tables: &mut Tables<Self>, fact: &Self::Fact, around: &Around<'_>);

    /// A fact of an older version of the program, as the last version with facts would have written it. `version` is the
    /// schema of the entry that holds it.
    fn upcast(_version: u16, fact: Json) -> Json {
        fact
    }

    /// A fact of the journal as everybody may read it at this point, or one that changes nothing in its place. What it
    /// gives is folded where a room is opened from a public archive.
    fn public(fact: Self::Fact, _state: &State<Self>) -> Self::Fact {
        fact
    }

    /// Whether a fact is of the form that [`Before::public`] gives in the place of one that it keeps back. A public
    /// archive may tell such facts without proof, and no others.
    fn is_kept(_fact: &Self::Fact) -> bool {
        false
    }

    /// A fact in words, for people who read the record: empty where the rest of its entry says it, `None` where its
    /// fields say enough.
    fn told(_fact: &Self::Fact, _state: &State<Self>) -> Option<String> {
        None
    }

    /// Whether everybody may know at this point what an entry with this fact drew.
    fn tells_draws(_fact: &Self::Fact, _state: &State<Self>) -> bool {
        true
    }
}

/// How a game speaks: names, numbers, and what rules are called.
pub trait Speech: Sized {
    /// The display that a refusal points to where it knows no better.
    const CHIEF: &'static str;

    /// The rulings on what the rules leave unclear, as Markdown with a heading for each: `docs/rulings/<game>.md`.
    fn rulings() -> &'static str;

    /// The attributes of a seat's object by which others know who it is, beside its name: an address, a link. They are
    /// taken out of what is shown of the past where somebody asked to be forgotten.
    fn personal() -> &'static [&'static str] {
        &[]
    }

    /// What players call an object.
    fn called(state: &State<Self>, obj: &Id) -> String {
        if let Some(seat) = state.frame.seats.get(obj) {
            return seat.name.clone();
        }
        match state.world.value(&super::Path::new(obj.clone(), "name")) {
            super::Value::Text(name) if !name.is_empty() => name,
            _ => obj.split_once('/').map_or(&**obj, |(_, tail)| tail).to_owned(),
        }
    }

    /// A value as people know it, where that stands elsewhere than in the world.
    fn shown(state: &State<Self>, at: &super::Path) -> String {
        state.world.value(at).to_string()
    }

    /// How the game writes a value of an attribute, where that names no object: an amount with its unit.
    fn expressed(_attr: &str, value: &super::Value) -> String {
        value.to_string()
    }

    /// The number that some words stand for by the rules, such as “A Few”: for how often something is done.
    fn number(_state: &State<Self>, _words: &str) -> Option<super::Num> {
        None
    }

    /// Whether one line may say that something is done several times.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the rule that allows it is gone.
    fn repeats(_state: &State<Self>) -> Result<(), Refusal> {
        Ok(())
    }

    /// The number of a proposal that players name.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the game knows proposals by their numbers only, or where none or several are called so.
    fn proposal(_state: &State<Self>, _words: &str) -> Result<u64, Refusal> {
        Err(Refusal::new("a proposal is named by its number here"))
    }

    /// Who can be named as a player and has no seat: each id with its names.
    fn unseated(_state: &State<Self>) -> Vec<(Id, Vec<String>)> {
        Vec::new()
    }

    /// Which rule a path of the world goes back to, for `/why`.
    fn rule_of(_state: &State<Self>, _path: &super::Path) -> Option<String> {
        None
    }

    /// The title of a display that every room has, where the rules give it another.
    fn heading(_display: &str) -> Option<&'static str> {
        None
    }

    /// What stands before the number of a rule wherever one is shown: `4E`.
    fn numbering() -> &'static str {
        ""
    }

    /// The version of a rule, in a game whose rules count by versions; else its revisions are counted.
    fn version(_rule: &Rule) -> Option<u32> {
        None
    }

    /// What a rule has beside its text, shown below it.
    fn beside(_state: &State<Self>, _rule: &Rule) -> Vec<Block> {
        Vec::new()
    }

    /// Words, in lower case, that the rules take for one thing: whoever searches for one finds all.
    fn alike() -> &'static [&'static [&'static str]] {
        &[]
    }

    /// What becomes of what falls due while a moderator pauses the room, as a clause.
    fn paused() -> &'static str {
        "what is due meanwhile does not happen"
    }
}

/// Something that was due inside a moderator's pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lapse {
    /// What it is, in words.
    pub what: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of something that was due inside a moderator's pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It never happens.
    Never,
    /// It happens when the room goes on.
    Late,
    /// It happens as long after the pause as it was due after its beginning: what players could have averted meanwhile.
    PutOff,
}

/// What made something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// How it stands and how it comes about, in sentences.
    pub say: String,
    /// The last entry that made it so.
    pub entry: Option<Seq>,
    /// The rule that it follows.
    pub rule: Option<String>,
    /// The figures of the rules that it is made of, by their keys.
    pub figures: Vec<&'static str>,
}

/// What a fact is folded with.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// What every room has, as it is at this point of the entry.
    pub frame: &'a Frame,
    /// The world as it is at this point of the entry.
    pub world: &'a World,
    /// The rules as they read at this point of the entry.
    pub rules: &'a Rulebook,
    /// The entry's number.
    pub seq: Seq,
    /// When the entry takes effect.
    pub at: Instant,
}

/// Who looks at a display.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Viewer {
    /// The viewer as a person, as rooms know people; nothing for somebody who was never seen.
    pub person: Option<Id>,
    /// The viewer's seat, if any.
    pub seat: Option<Id>,
    /// Whether the viewer moderates the room.
    pub moderator: bool,
    /// Whether nobody else will see it.
    pub private: bool,
    /// The long work that is being played for the room, with how much of it is done, and of how much.
    pub progress: Option<(Id, usize, usize)>,
    /// The moment of looking, by the room's clock. A state is never seen as it was before its last entry, so that the
    /// default means the moment of that entry.
    pub now: Instant,
    /// What the game asked to be opened for this look (`Display::reads`), by id.
    pub opened: BTreeMap<Id, Opened>,
}

/// Something that a room is asked to do.
#[derive(Debug)]
pub enum Deed {
    /// A player or an outsider acts. The invocation is the action as the catalogue bound it.
    Act {
        /// Who, as a person; a seat is found or, where the game allows, made.
        by: Doer,
        /// The command, for the journal.
        command: String,
        /// The action in its externally tagged form.
        invocation: serde_json::Value,
        /// Whether it was said where everybody can read it.
        public: bool,
        /// Whether what was typed is for nobody else's eyes.
        private: bool,
        /// The channel in which it was said; nothing where that was none.
        forum: Option<Id>,
        /// Whether the same message goes on with another action.
        followed: bool,
    },
    /// What is due next happens.
    Due(Due),
    /// A long work came back.
    Work {
        /// Which one.
        id: Id,
        /// With what.
        result: serde_json::Value,
    },
    /// The hash of the journal so far is announced.
    Attest {
        /// The entry whose hash it is: the last one.
        seq: Seq,
        /// The hash, in hexadecimal.
        hash: String,
    },
    /// A moderator acts, outside the rules.
    Moderate {
        /// Who.
        by: Doer,
        /// What.
        act: Moderation,
    },
}

/// A person who acts, and what is known of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doer {
    /// The person's opaque id.
    pub person: Id,
    /// The name that a seat made now would get.
    pub name: String,
}

/// What a moderator can do to a room.
#[derive(Clone, Debug)]
pub enum Moderation {
    /// Open it.
    Open {
        /// Under this name.
        name: String,
        /// With its time passing so.
        clock: super::frame::ClockMode,
        /// With days of this zone.
        zone: String,
        /// With this public forum, so that the channel hears that the room is open.
        forum: Option<Id>,
        /// With these options of the game.
        options: serde_json::Map<String, serde_json::Value>,
    },
    /// Close it.
    Close {
        /// Why, where the moderator says so.
        reason: Option<String>,
    },
    /// Open it again after it was closed.
    Reopen,
    /// Bind, designate or unbind a forum.
    Designate {
        /// Which.
        forum: Id,
        /// As what; `None` unbinds it.
        designation: Option<super::frame::Designation>,
    },
    /// Announce in a forum in another manner.
    Manner {
        /// Which forum.
        forum: Id,
        /// How from now on.
        manner: super::frame::Manner,
    },
    /// Pause, resume, or move the hands of its clock.
    Clock {
        /// How its time passes from now on.
        mode: super::frame::ClockMode,
        /// Why, where the moderator says so.
        reason: Option<String>,
    },
    /// Set a value, with a reason.
    Correct {
        /// `player/ann.points`, or a place of the game's machinery.
        path: String,
        /// As typed.
        to: String,
        /// Why.
        reason: String,
    },
    /// Say which place of a rule gives a figure.
    Bind {
        /// The rule.
        rule: Id,
        /// The figure, by its key or by words of its meaning.
        key: String,
        /// The words where it stands; `None` releases it in that rule.
        words: Option<String>,
        /// Why.
        reason: String,
    },
    /// Say whether the program plays a rule as its words are now.
    Settle {
        /// The rule.
        rule: Id,
        /// Whether people do what it says, and the program does not.
        by_hand: bool,
        /// Why.
        reason: String,
    },
    /// Have a rule read as the program has it by now.
    Renew {
        /// The rule; each that nobody changed where none is named.
        rule: Option<Id>,
        /// Why.
        reason: String,
    },
    /// Take an entry back.
    Undo {
        /// How the room would be without it.
        replayed: Arc<super::engine::Replayed>,
        /// Why.
        reason: String,
        /// Whether it is done; else the answer only says what would come out otherwise.
        sure: bool,
    },
    /// Take the name off a seat, because whoever sits there asked to be forgotten.
    Forget {
        /// Which.
        seat: Id,
    },
    /// Tell the room's moderators something that happened around the room, and put it on record.
    Note {
        /// What, in sentences.
        text: String,
        /// A channel in which moderators read it too, who moderate by a right of their network and cannot be listed.
        forum: Option<Id>,
    },
    /// Give a seat to another person, whose former account is lost.
    Give {
        /// Which.
        seat: Id,
        /// Whose it is from now on.
        to: Id,
        /// Why, where the moderator says so.
        reason: Option<String>,
    },
    /// Tell everybody that the person who sealed things under a seat lets whoever has it now read them.
    Entrust {
        /// Which seat.
        seat: Id,
    },
    /// Give a person's seat to the person they turned out to be.
    Hand {
        /// Whose it was.
        from: Id,
        /// Whose it is.
        to: Id,
    },
}

impl Cause {
    /// The seat that acted, if a seat did.
    pub fn actor(&self) -> Option<&Id> {
        match self {
            Self::Action { actor, .. } => actor.as_ref(),
            Self::Due(_) | Self::Job(_) | Self::Moderator { .. } => None,
        }
    }

    /// One word or two for lists: the command, the due thing, the work.
    pub fn label(&self) -> String {
        match self {
            Self::Action { command, .. } => command.clone(),
            Self::Due(due) => due.key.to_string(),
            Self::Job(id) => id.to_string(),
            Self::Moderator { act, .. } => format!("{act} (moderator)"),
        }
    }
}
