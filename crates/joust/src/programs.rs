//! The programs that the room knows: whose they are, where they stand, and who may read them.
//!
//! A program is a record without its text. The text lies sealed under `program/N`, and the record holds the salted hash
//! (seed 000, J11, J17, J34, J35). Programs come in by `submission`, fare on the Hill in `hill`, and are shown in
//! `roster`.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    game::{D, Joust, Tables},
    names,
    tournament::Notation,
};
use kernel::{
    Event, Id, Instant, Mechanic, Refusal, State,
    display::{Block, Cell},
    draft::sealed_block,
    table::Row,
    viewer::Viewer,
};

/// What the ids of sealed texts begin with; the program's number follows.
const SECRET: &str = "program/";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("programs")
        .table::<Named>()
        .table::<Program>()
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                forgotten(seat, d);
            }
        })
        .seals(|state: &State<Joust>| sealed(&state.tables))
        .is_open(|state: &State<Joust>, secret| is_open(&state.tables, secret))
}

// ---- state

/// What a name stands for, by the name in lower case. Kept because every command that names a program asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Named {
    /// The program that was up last under it.
    program: u64,
}

impl Row<Joust> for Named {
    type Key = String;
    const TABLE: &'static str = "names";
}

/// A program, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Program {
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
    /// Whether it was sent as a challenger: such a program counts in its submitter's week (J14).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sent: bool,
    /// Since when everybody may read it.
    pub revealed: Option<Instant>,
    /// The notation by which its text was last found to be a program.
    pub notation: Notation,
}

/// Where a program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// Received before the contest began (J46).
    Waiting,
    /// Handed in by the contestmaster, to start with or to be added by notice (J20, J45).
    Held,
    /// Taken back before the contest began; nobody reads its text (J47).
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

    /// Whether its text is there to be read: of what was taken back, only what was public before (J34).
    pub(super) fn is_kept(&self) -> bool {
        self.status != Status::Retracted || self.revealed.is_some()
    }

    /// Whether its name is taken: it is on the Hill, or may come there (J17).
    pub(super) fn is_up(&self) -> bool {
        matches!(self.status, Status::Waiting | Status::Held | Status::Queued { .. } | Status::Hill)
    }
}

impl Row<Joust> for Program {
    type Key = u64;
    const TABLE: &'static str = "programs";

    fn told(id: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        let Some(is) = is else { return format!("the program #{id} is gone") };
        let Some(was) = was else {
            let owner = state.frame.name_of(&is.owner);
            return format!("{} (#{id}) by {owner} is received, its hash {}", is.name, is.hash);
        };
        let named = format!("{} (#{id})", is.name);
        let status = match is.status {
            _ if was.status == is.status => None,
            Status::Queued { challenge } => Some(format!("challenge {challenge} is that of {named}")),
            Status::Retracted => Some(format!("{named} is taken back")),
            Status::Missed { .. } => Some(format!("{named} does not come to the Hill")),
            // Its place on the Hill says so.
            Status::Waiting | Status::Held | Status::Hill | Status::Dropped { .. } => None,
        };
        let revealed = (was.revealed != is.revealed).then(|| match is.revealed {
            Some(_) => format!("the code of {named} is public"),
            None => format!("the code of {named} is not public any more"),
        });
        let name = (was.name != is.name).then(|| format!("the program #{id} is called {} from now on", is.name));
        let notation =
            (was.notation != is.notation).then(|| format!("{named} is a program as the tournament reads now"));
        [status, revealed, name, notation].into_iter().flatten().collect::<Vec<_>>().join(". ")
    }
}

/// A program by number.
pub(super) fn program(joust: &Tables, id: u64) -> Option<&Program> {
    joust.rows::<Program>().get(&id)
}

/// A program's name; its number where there is none.
pub(super) fn name_of(joust: &Tables, id: u64) -> String {
    program(joust, id).map_or_else(|| format!("#{id}"), |program| program.name.clone())
}

/// The texts that are kept, with their hashes.
pub(super) fn sealed(joust: &Tables) -> Vec<(Id, String)> {
    let kept = joust.rows::<Program>().values().filter(|program| program.is_kept());
    kept.map(|program| (program.secret(), program.hash.clone())).collect()
}

/// A program as people name it: `Alpha`, whatever the capitals; `#3` where the name was used again since. Of several
/// with one name, the one that was up last.
pub(super) fn find<'a>(joust: &'a Tables, text: &str) -> Option<&'a Program> {
    let text = text.trim();
    if let Ok(id) = text.trim_start_matches('#').parse::<u64>() {
        return program(joust, id);
    }
    joust.rows::<Named>().get(&text.to_ascii_lowercase()).and_then(|named| program(joust, named.program))
}

/// What names a program and no other: its name, or its number where the name stands for another.
pub(super) fn handle(joust: &Tables, program: &Program) -> String {
    if find(joust, &program.name).is_some_and(|named| named.id == program.id) {
        return program.name.clone();
    }
    format!("#{}", program.id)
}

/// As [`find`], for an action.
///
/// # Errors
///
/// A [`Refusal`] where there is no such program.
pub(super) fn need<'a>(joust: &'a Tables, text: &str) -> Result<&'a Program, Refusal> {
    let shown: String = text.chars().take(names::NAME_MAX_CHARS).collect();
    // What is no name may be a program in the wrong place, and is not repeated.
    let what = if names::is_program_name(&shown) {
        format!(" called “{shown}”")
    } else if names::is_program_number(&shown) {
        format!(" {shown}")
    } else {
        String::new()
    };
    find(joust, text).ok_or_else(|| Refusal::new(format!("there is no program{what} in this room")).instead("hill"))
}

/// A program's name, with its number where the name stands for another by now.
pub(super) fn told_apart(joust: &Tables, id: u64) -> String {
    let name = name_of(joust, id);
    match find(joust, &name) {
        Some(named) if named.id != id => format!("{name} (#{id})"),
        _ => name,
    }
}

/// A program comes in.
pub(super) fn receive(d: &mut D<'_>, program: Program) {
    let id = program.id;
    d.put(&id, program);
    name_means(d, id);
}

/// Lets a name stand for a program: it has just come up under it.
pub(super) fn name_means(d: &mut D<'_>, program: u64) {
    if let Some(name) = self::program(&d.tables, program).map(|held| held.name.to_ascii_lowercase()) {
        d.put(&name, Named { program });
    }
}

/// Calls a program something else. Its old name goes back to the last of those that have it.
fn call(d: &mut D<'_>, program: u64, name: &str) {
    let Some(was) = self::program(&d.tables, program).map(|held| held.name.to_ascii_lowercase()) else { return };
    d.edit::<Program>(&program, |held| name.clone_into(&mut held.name));
    if d.row::<Named>(&was) == Some(&Named { program }) {
        let other = d.rows::<Program>().values().rev().find(|other| other.name.eq_ignore_ascii_case(&was));
        match other.map(|other| other.id) {
            Some(program) => d.put(&was, Named { program }),
            None => drop(d.delete::<Named>(&was)),
        }
    }
    let name = name.to_ascii_lowercase();
    if d.row::<Named>(&name).is_none() {
        d.put(&name, Named { program });
    }
}

/// Lets a program stand elsewhere.
pub(super) fn stands(d: &mut D<'_>, program: u64, status: Status) {
    d.edit::<Program>(&program, |program| program.status = status);
}

/// Whether a viewer may read a program's text: everybody once it is revealed, its submitter in private at any time
/// (J34, J35).
pub(super) fn may_read(program: &Program, viewer: &Viewer) -> bool {
    let own = viewer.private && viewer.seat.as_ref() == Some(&program.owner);
    program.is_kept() && (program.revealed.is_some() || own)
}

/// Whether everybody may read something sealed: the text of a revealed program, and of the bot's own ones (J35).
fn is_open(joust: &Tables, secret: &str) -> bool {
    let number = secret.strip_prefix(SECRET).and_then(|number| number.parse().ok());
    let program = number.and_then(|number| program(joust, number));
    program.is_some_and(|program| program.house || program.revealed.is_some())
}

/// A program's text as it is kept and hashed. Blank space around it and the way in which its lines end are no part of
/// it. So whoever copies it from a screen can check its hash.
pub(super) fn kept(code: &str) -> String {
    code.trim().replace("\r\n", "\n").replace('\r', "\n")
}

/// The program's text, for a document that only those receive who may read it.
pub(super) fn code(program: &Program) -> Block {
    sealed_block(&program.secret())
}

/// Whether traces and cycle counts against a program tell a person nothing that e may not know (J35).
pub(super) fn open_to(program: &Program, seat: &Id) -> bool {
    program.house || program.revealed.is_some() || program.owner == *seat
}

// ---- decide

/// Programs that are called as their submitter was get another name where that person asked to be forgotten: what the
/// seat is shown under.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    let name = d.frame.name_of(seat).to_owned();
    let known: Vec<&str> = d.frame.redacted.iter().filter(|gone| gone.seat == *seat).map(|gone| &*gone.text).collect();
    let tells = |program: &&Program| {
        program.owner == *seat
            && program.name != name
            && known.iter().any(|known| known.eq_ignore_ascii_case(&program.name))
    };
    let telling: Vec<u64> = d.rows::<Program>().values().filter(tells).map(|program| program.id).collect();
    for program in telling {
        call(d, program, &name);
    }
}

/// Whose name a program stands under, for announcements.
pub(super) fn by<'a>(d: &'a D<'_>, program: &'a Program) -> &'a str {
    d.frame.name_of(&program.owner)
}

/// What an act is about that names a program.
pub(super) fn meant(name: &str, state: &State<Joust>) -> Option<String> {
    let program = find(&state.tables, name)?;
    Some(format!("the program {} (#{})", program.name, program.id))
}

/// The arguments of an act that names a program, with its number, which no other gets.
pub(super) fn numbered(mut args: Json, d: &mut D<'_>) -> Json {
    let name = args.get("name").filter(|_| args.get("code").is_none_or(Json::is_null));
    if let Some(program) = name.and_then(Json::as_str).and_then(|name| find(&d.tables, name)) {
        args["name"] = format!("#{}", program.id).into();
    }
    args
}

// ---- display

/// A program's part of a display's name: what names it without the sign of a number, which would end a web address.
pub(super) fn part(joust: &Tables, program: &Program) -> String {
    handle(joust, program).trim_start_matches('#').to_owned()
}

/// The two programs that stand behind a display's name.
pub(super) fn two(rest: &str) -> (&str, &str) {
    rest.split_once('/').unwrap_or((rest, ""))
}

/// The same by number.
pub(super) fn part_of(joust: &Tables, id: u64) -> String {
    program(joust, id).map_or_else(|| id.to_string(), |program| part(joust, program))
}

/// The display of the match of two programs, by their parts of its name.
pub(super) fn met(one: &str, other: &str) -> String {
    format!("match/{one}/{other}")
}

/// A program's name, with its number where the name stands for another program.
pub(super) fn named(state: &State<Joust>, program: &Program) -> Cell {
    let handle = handle(&state.tables, program);
    let text = if handle == program.name { handle.clone() } else { format!("{} ({handle})", program.name) };
    Cell::new(text).completing(handle).showing(format!("program/{}", part(&state.tables, program)))
}

#[cfg(test)]
mod tests;
