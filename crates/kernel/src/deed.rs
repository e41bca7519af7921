//! What a room can be asked to do: by players, by time, by long work, by moderators.

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::{
    Id, Seq,
    doer::Doer,
    engine::Replayed,
    entry::Due,
    frame::{ClockMode, Designation, Manner},
};

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
        invocation: Json,
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
        result: Json,
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

/// What a moderator can do to a room.
#[derive(Clone, Debug)]
pub enum Moderation {
    /// Open it.
    Open {
        /// Under this name.
        name: String,
        /// With its time passing so.
        clock: ClockMode,
        /// With days of this zone.
        zone: String,
        /// With this public forum, so that the channel hears that the room is open.
        forum: Option<Id>,
        /// With these options of the game.
        options: Map<String, Json>,
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
        designation: Option<Designation>,
    },
    /// Announce in a forum in another manner.
    Manner {
        /// Which forum.
        forum: Id,
        /// How from now on.
        manner: Manner,
    },
    /// Pause, resume, or move the hands of its clock.
    Clock {
        /// How its time passes from now on.
        mode: ClockMode,
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
    /// Take an entry back.
    Undo {
        /// How the room would be without it.
        replayed: Arc<Replayed>,
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
