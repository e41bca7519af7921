//! The programs that the room knows: whose they are, where they stand, and who may read them.
//!
//! A program is a record without its text: the text lies sealed under `program/N`, and the record holds the salted hash
//! (seed 000, J11, J17, J34, J35). Absent: how a program comes in (`submission`) and how it fares on the Hill (`hill`).

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{D, Joust, emit, notation::Notation, submission};
use crate::kernel::{Id, Instant, Refusal, display::Block, draft::sealed_block, game::Viewer};

/// What the ids of sealed texts begin with; the program's number follows.
const SECRET: &str = "program/";

// ---- state

/// All programs that were ever received, by number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Programs {
    all: OrdMap<u64, Program>,
    /// Which program a name in lower case stands for: the one that was up last under it. Kept because every command
    /// that names a program asks.
    named: OrdMap<String, u64>,
}

/// A program, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its number in the room, from 1.
    pub id: u64,
    /// What it is called.
    pub name: String,
    /// The seat of its submitter.
    pub owner: Id,
    /// Whether it is one of the bot's own, with which the Hill starts (J45).
    pub house: bool,
    /// Whether its submitter was the contestmaster then: such a program never earns points (J81).
    pub by_master: bool,
    /// The salted hash of its text.
    pub hash: String,
    /// When the room had the whole of it (J16).
    pub received: Instant,
    /// Where it stands.
    pub status: Status,
    /// Since when everybody may read it.
    pub revealed: Option<Instant>,
    /// The notation by which its text was last found to be a program.
    #[serde(default, skip_serializing_if = "Notation::is_plain")]
    pub notation: Notation,
}

/// Where a program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Received before the contest began (J46).
    Waiting,
    /// Handed in by the contestmaster, to start with or to be added by notice (J20, J45).
    Held,
    /// Taken back before the contest began; its text is destroyed (J47).
    Retracted,
    /// Its challenge waits for its turn.
    Queued {
        /// The challenge's number.
        challenge: u64,
    },
    /// On the Hill.
    Hill,
    /// Its challenge did not get it onto the Hill.
    Missed {
        /// When its challenge is deemed to have occurred.
        at: Instant,
    },
    /// It was on the Hill and dropped.
    Dropped {
        /// As of when.
        at: Instant,
    },
}

impl Program {
    /// Under which id its text is sealed.
    pub(super) fn secret(&self) -> Id {
        format!("{SECRET}{}", self.id).into()
    }

    /// Whether its text is kept: of what was taken back, only what was public before (J34).
    pub(super) fn is_kept(&self) -> bool {
        self.status != Status::Retracted || self.revealed.is_some()
    }

    /// Whether its name is taken: it is on the Hill, or may come there (J17).
    pub(super) fn is_up(&self) -> bool {
        matches!(self.status, Status::Waiting | Status::Held | Status::Queued { .. } | Status::Hill)
    }
}

impl Programs {
    /// The number of the next program.
    pub(super) fn next(&self) -> u64 {
        self.all.get_max().map_or(1, |(id, _)| id + 1)
    }

    /// A program by number.
    pub(super) fn get(&self, id: u64) -> Option<&Program> {
        self.all.get(&id)
    }

    /// A program's name; its number where there is none.
    pub(super) fn name(&self, id: u64) -> String {
        self.get(id).map_or_else(|| format!("#{id}"), |program| program.name.clone())
    }

    /// All programs, oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Program> {
        self.all.values()
    }

    /// The texts that are kept, with their hashes.
    pub(super) fn seals(&self) -> Vec<(Id, String)> {
        let kept = self.iter().filter(|program| program.is_kept());
        kept.map(|program| (program.secret(), program.hash.clone())).collect()
    }

    /// A program as people name it: `Alpha`, whatever the capitals; `#3` where the name was used again since. Of several
    /// with one name, the one that was up last.
    pub(super) fn find(&self, text: &str) -> Option<&Program> {
        let text = text.trim();
        if let Ok(id) = text.trim_start_matches('#').parse::<u64>() {
            return self.get(id);
        }
        self.named.get(&text.to_ascii_lowercase()).and_then(|id| self.get(*id))
    }

    /// What names a program and no other: its name, or its number where the name stands for another.
    pub(super) fn handle(&self, program: &Program) -> String {
        if self.find(&program.name).is_some_and(|named| named.id == program.id) {
            return program.name.clone();
        }
        format!("#{}", program.id)
    }

    /// Lets a name stand for a program: it has just come up under it.
    pub(super) fn name_means(&mut self, id: u64) {
        if let Some(program) = self.all.get(&id) {
            self.named.insert(program.name.to_ascii_lowercase(), id);
        }
    }

    /// Calls a program something else. Its old name goes back to the last of those that have it.
    fn call(&mut self, id: u64, name: &str) {
        let Some(was) = self.get(id).map(|program| program.name.to_ascii_lowercase()) else { return };
        self.with(id, |program| name.clone_into(&mut program.name));
        if self.named.get(&was) == Some(&id) {
            self.named.remove(&was);
            let other = self.iter().rev().find(|other| other.name.eq_ignore_ascii_case(&was)).map(|other| other.id);
            self.named.extend(other.map(|other| (was, other)));
        }
        self.named.entry(name.to_ascii_lowercase()).or_insert(id);
    }

    /// As [`Self::find`], for an action.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where there is no such program.
    pub(super) fn need(&self, text: &str) -> Result<&Program, Refusal> {
        let shown: String = text.chars().take(super::names::NAME_MAX_CHARS).collect();
        // What is no name may be a program in the wrong place, and is not repeated.
        let what = if super::names::is_program_name(&shown) {
            format!(" called “{shown}”")
        } else if super::names::is_program_number(&shown) {
            format!(" {shown}")
        } else {
            String::new()
        };
        self.find(text).ok_or_else(|| Refusal::new(format!("there is no program{what} in this room")).instead("hill"))
    }

    /// Changes a program; nothing where there is none.
    pub(super) fn with(&mut self, id: u64, change: impl FnOnce(&mut Program)) {
        if let Some(program) = self.all.get_mut(&id) {
            change(program);
        }
    }
}

/// Whether a viewer may read a program's text: everybody once it is revealed, its submitter in private at any time
/// (J34, J35).
pub(super) fn may_read(program: &Program, viewer: &Viewer) -> bool {
    let own = viewer.private && viewer.seat.as_ref() == Some(&program.owner);
    program.is_kept() && (program.revealed.is_some() || own)
}

/// Whether everybody may read something sealed: the text of a revealed program, and of the bot's own ones (J35).
pub(super) fn is_open(programs: &Programs, secret: &str) -> bool {
    let number = secret.strip_prefix(SECRET).and_then(|number| number.parse().ok());
    let program = number.and_then(|number| programs.get(number));
    program.is_some_and(|program| program.house || program.revealed.is_some())
}

/// The program's text, for a document that only those receive who may read it.
pub(super) fn code(program: &Program) -> Block {
    sealed_block(&program.secret())
}

/// Whether traces and cycle counts against a program tell a person nothing that e may not know (J35).
pub(super) fn open_to(program: &Program, seat: &Id) -> bool {
    program.house || program.revealed.is_some() || program.owner == *seat
}

// ---- facts

/// What happens to a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The room has it.
    Received(Program),
    /// Its challenge waits for its turn.
    Queued {
        /// Which program.
        program: u64,
        /// The challenge's number.
        challenge: u64,
    },
    /// It was taken back.
    Retracted {
        /// Which program.
        program: u64,
    },
    /// Its code was published.
    Revealed {
        /// Which program.
        program: u64,
        /// When.
        at: Instant,
    },
    /// It was called as its submitter was, who asked to be forgotten.
    Named {
        /// Which program.
        program: u64,
        /// What it is called from now on.
        name: String,
    },
}

// ---- decide

/// Programs that are called as their submitter was get another name where that person asked to be forgotten: what the
/// seat is shown under.
pub(super) fn forgotten(seat: &Id, d: &mut D<'_>) {
    let name = d.frame.name_of(seat).to_owned();
    let known: Vec<&str> = d.frame.bygone.iter().filter(|gone| gone.seat == *seat).map(|gone| &*gone.text).collect();
    let tells = |program: &&Program| {
        program.owner == *seat
            && program.name != name
            && known.iter().any(|known| known.eq_ignore_ascii_case(&program.name))
    };
    let telling: Vec<u64> = d.game.programs.iter().filter(tells).map(|program| program.id).collect();
    for program in telling {
        emit(d, Fact::Named { program, name: name.clone() });
    }
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(joust: &mut Joust, fact: &Fact) {
    match fact {
        Fact::Received(program) => submission::received(joust, program),
        Fact::Retracted { program } => submission::retracted(joust, *program),
        Fact::Queued { .. } | Fact::Revealed { .. } | Fact::Named { .. } => {}
    }
    let programs = &mut joust.programs;
    match fact {
        Fact::Received(program) => {
            programs.all.insert(program.id, program.clone());
            programs.name_means(program.id);
        }
        Fact::Queued { program, challenge } => {
            programs.with(*program, |program| program.status = Status::Queued { challenge: *challenge });
        }
        Fact::Retracted { program } => programs.with(*program, |program| program.status = Status::Retracted),
        Fact::Revealed { program, at } => {
            programs.with(*program, |program| program.revealed = program.revealed.or(Some(*at)));
        }
        Fact::Named { program, name } => programs.call(*program, name),
    }
}

/// Why a program cannot come to the Hill as the tournament reads; nothing where its text is known to be a program.
pub(super) fn written_otherwise(joust: &Joust, program: &Program) -> Option<String> {
    let now = joust.hill.coming.notation?;
    (program.notation != now).then(|| {
        format!(
            "the program {} was sent when CURRENT TOURNAMENT read programs otherwise, and has to be sent anew",
            program.name
        )
    })
}

/// Whose name a program stands under, for announcements.
pub(super) fn by<'a>(d: &'a D<'_>, program: &'a Program) -> &'a str {
    d.frame.name_of(&program.owner)
}

#[cfg(test)]
mod tests;
