//! The contract's frame: the office of contestmaster, members, the contest's beginning and end (seed 000, J1 to J6, J9,
//! J10).
//!
//! The text names the contestmaster, so amending the name moves the office (J3). Advice in the text refuses nothing
//! (J5): an adjudication is published and changes nothing (J4). The text begins in `new_room` and changes by `notices`;
//! the start's programs stand in `start`.

use serde::{Deserialize, Serialize};

use super::{
    game::{D, Joust, Tables},
    hosting,
    reading::{self, CONTRACT, Figures, MEMBERSHIP},
    tasks::Task,
};
use kernel::{
    Act, Display, Event, Id, Instant, Mechanic, Refusal, State,
    display::{Block, Cell, Document},
    entry::Audience,
    frame::Standing,
    table::Row,
    time::minute,
};
use kit::{args::Join, seats};

/// The kind of the objects of seats.
pub(super) const PLAYER: &str = "player";
/// What members are called, who are players of this kind.
pub(super) const MEMBER: &str = "member";

/// Longest adjudication, in characters: a page.
const ADJUDICATION_MAX_CHARS: usize = 4000;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let join = Act::new("join", |Join { name }, d| join(name, d)).by(CONTRACT).by(MEMBERSHIP).public("join");
    let leave = Act::plain("leave", leave).by(CONTRACT).player().public("leave");
    let adjudicate = Act::new("adjudicate", |Adjudicate { text, about }, d| adjudicate(&text, about, d));
    let terminate = Act::plain("terminate", terminate).by(CONTRACT).public("joust terminate");
    Mechanic::new("contract")
        .table::<Contract>()
        .act(join)
        .act(leave)
        .act(adjudicate.by(CONTRACT).public("joust adjudicate TEXT"))
        .act(terminate)
        .settle(settle)
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                forgotten(seat, d);
            }
        })
        .corrects(|path, to, d| (path == "contestmaster").then(|| correct_office(to, d)))
        .display(Display::new("members", |state, _| Ok(show_members(state))).listed(4))
        .display(Display::new("contract", |state, _| Ok(show_contract(state))).listed(6))
        .display(Display::new("sections", |state, _| Ok(reading::sections(state))).listed(7))
}

kit::args! {
    /// The arguments of `adjudicate` (J4).
    Adjudicate {
        text: String,
        /// The entry that it is about.
        about: Option<u64>,
    }
}

// ---- state

/// The contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Contract {
    /// The name in the text when the holder of the office was found.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) named: String,
    /// Whose seat it was: the office stays with the seat until the text changes, whatever seats are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) contestmaster: Option<Id>,
    /// Whether the contest goes on.
    #[serde(default, skip_serializing_if = "Phase::is_waiting")]
    pub(super) phase: Phase,
}

impl Row<Joust> for Contract {
    type Key = ();
    const TABLE: &'static str = "contract";

    fn told((): &(), was: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        let of = |row: Option<&Self>| row.cloned().unwrap_or_default();
        let (was, is) = (of(was), of(is));
        let office =
            (was.contestmaster != is.contestmaster || was.named != is.named).then(|| match &is.contestmaster {
                Some(seat) => format!("{} holds the office of contestmaster", state.frame.name_of(seat)),
                None => "nobody holds the office of contestmaster".to_owned(),
            });
        let phase = (was.phase != is.phase).then(|| is.stands());
        office.into_iter().chain(phase).collect::<Vec<_>>().join(". ")
    }
}

/// Whether the contest goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// It has not begun (J46).
    #[default]
    Waiting,
    /// Since then.
    Running {
        /// The start.
        since: Instant,
    },
    /// Until then.
    Ended {
        /// The end (J6).
        at: Instant,
    },
}

impl Phase {
    fn is_waiting(&self) -> bool {
        *self == Self::Waiting
    }
}

/// The contract.
pub(super) fn contract(joust: &Tables) -> &Contract {
    static UNOPENED: Contract = Contract { named: String::new(), contestmaster: None, phase: Phase::Waiting };
    joust.rows::<Contract>().get(&()).unwrap_or(&UNOPENED)
}

impl Contract {
    /// Whether the contest has begun and not ended.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running { .. })
    }

    /// Whether it has not begun.
    pub(super) fn is_waiting(&self) -> bool {
        self.phase.is_waiting()
    }

    /// When it ended.
    pub(super) fn ended(&self) -> Option<Instant> {
        match self.phase {
            Phase::Ended { at } => Some(at),
            Phase::Waiting | Phase::Running { .. } => None,
        }
    }

    /// Where the contest stands, as a sentence.
    pub(super) fn stands(&self) -> String {
        match self.phase {
            Phase::Waiting => "The contest has not begun.".to_owned(),
            Phase::Running { since } => format!("The contest runs since {}.", minute(since)),
            Phase::Ended { at } => format!("The contract ended at {}.", minute(at)),
        }
    }
}

/// The seats of all members.
pub(super) fn members(d: &State<Joust>) -> impl Iterator<Item = &Id> {
    d.frame.seats.iter().filter(|(_, seat)| seat.standing == Standing::Player).map(|(id, _)| id)
}

/// Whether a seat is a member's.
pub(super) fn is_member(d: &State<Joust>, seat: &Id) -> bool {
    d.frame.seats.get(seat).is_some_and(|seat| seat.standing == Standing::Player)
}

// ---- guards

/// Refuses what the contract does not have any more: itself, once it has ended, or what a section established.
///
/// # Errors
///
/// A [`Refusal`] that says what is missing.
pub(super) fn established(d: &D<'_>, thing: &str) -> Result<(), Refusal> {
    if thing == CONTRACT { in_force(d) } else { Ok(Figures::of(&d.rules).established(thing)?) }
}

/// Refuses once the contract has ended, by J6.
fn in_force(d: &D<'_>) -> Result<(), Refusal> {
    match contract(&d.tables).ended() {
        None => Ok(()),
        Some(at) => Err(Refusal::new(format!("the contract ended at {}; only its displays stay", minute(at)))
            .by("BRAINFUCK JOUST, J6")
            .instead("hill")),
    }
}

/// Refuses what was not said in public: the contract has it happen by announcement.
///
/// # Errors
///
/// A [`Refusal`] that says where to say it.
pub(super) fn announced(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("this happens by announcement: say it in a public channel of the room").instead(line))
}

/// The contestmaster, where that is who acts.
///
/// # Errors
///
/// A [`Refusal`] that names the office's holder.
pub(super) fn contestmaster(d: &mut D<'_>, rule: &str) -> Result<Id, Refusal> {
    let actor = seat(d)?;
    settle(d);
    if contract(&d.tables).contestmaster.as_ref() == Some(&actor) {
        return Ok(actor);
    }
    let holder = match contract(&d.tables).contestmaster.as_ref() {
        Some(seat) => format!("{} is contestmaster", d.frame.name_of(seat)),
        None if contract(&d.tables).named.is_empty() => "the contract names nobody".to_owned(),
        None => format!("the contract names {}, who has no seat here yet", contract(&d.tables).named),
    };
    Err(Refusal::new(format!("only the contestmaster does that, and {holder}")).by(rule).instead("contract"))
}

/// The seat of whoever acts; one is made for a newcomer, who is no member by that (J13).
///
/// # Errors
///
/// A [`Refusal`] where the newcomer's name is taken for somebody else's.
pub(super) fn seat(d: &mut D<'_>) -> Result<Id, Refusal> {
    match d.actor_seat() {
        Some(seat) => Ok(seat),
        None => {
            let name = d.doer.name.clone();
            new_seat(d, &name)
        }
    }
}

fn new_seat(d: &mut D<'_>, name: &str) -> Result<Id, Refusal> {
    seats::take(d, PLAYER, name, Standing::Outsider)
}

// ---- decide

/// Somebody becomes a member, by announcement, at once (J10).
///
/// # Errors
///
/// A [`Refusal`] for members, and for a name that is taken.
fn join(name: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let renamed = match (d.actor_seat(), &name) {
        (Some(seat), Some(name)) if !d.frame.name_of(&seat).eq_ignore_ascii_case(name.trim()) => {
            seats::rename(d, seat, name, "join")?;
            true
        }
        _ => false,
    };
    let seat = match (d.actor_seat(), name) {
        (Some(seat), _) => seat,
        (None, Some(name)) => new_seat(d, &name)?,
        (None, None) => seat(d)?,
    };
    if is_member(d, &seat) {
        let held = d.frame.name_of(&seat);
        return match renamed {
            true => Ok(Document::say(format!("Your seat is called {held} from now on."))),
            false => Err(Refusal::new("you are a member already").instead("show members")),
        };
    }
    seats::stand(d, &seat, Standing::Player);
    let name = d.frame.name_of(&seat).to_owned();
    d.tell_all(format!("{name} is a member of the contest."));
    hosting::of_player(d, hosting::JOINED, &seat);
    Ok(Document::say("You are a member from now on; Monday's award counts whoever is a member then."))
}

/// Somebody ceases to be a member (J10).
///
/// # Errors
///
/// A [`Refusal`] for others than members.
fn leave(d: &mut D<'_>) -> Result<Document, Refusal> {
    let seat = d.actor()?;
    if !is_member(d, &seat) {
        return Err(Refusal::new("you are no member").instead("join"));
    }
    cease(&seat, d);
    Ok(Document::say("You are no member any more. Your programs stay where they are; they earn no more points."))
}

/// Membership ends where somebody asked to be forgotten; their office and their programs stay.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    if is_member(d, seat) {
        cease(seat, d);
    }
}

fn cease(seat: &Id, d: &mut D<'_>) {
    seats::stand(d, seat, Standing::Outsider);
    let name = d.frame.name_of(seat).to_owned();
    d.tell_all(format!("{name} is no member of the contest any more."));
    hosting::of_player(d, hosting::LEFT, seat);
}

/// The contestmaster publishes a decision of a dispute. It binds nobody and changes nothing (J4).
///
/// # Errors
///
/// A [`Refusal`] for anybody else, and for an entry that there is not.
fn adjudicate(text: &str, about: Option<u64>, d: &mut D<'_>) -> Result<Document, Refusal> {
    contestmaster(d, "BRAINFUCK JOUST, J4")?;
    let text = text.trim();
    if text.is_empty() || text.chars().count() > ADJUDICATION_MAX_CHARS {
        return Err(Refusal::new(format!("an adjudication has 1 to {ADJUDICATION_MAX_CHARS} characters"))
            .instead("joust adjudicate TEXT"));
    }
    if let Some(entry) = about.filter(|entry| *entry == 0 || *entry >= d.seq) {
        return Err(Refusal::new(format!("there is no entry {entry}")).instead("history"));
    }
    let of = about.map(|entry| format!(" on entry {entry}")).unwrap_or_default();
    d.say(
        Audience::Public,
        Document::titled(String::new(), format!("The contestmaster's adjudication{of}")).para(text),
    );
    Ok(Document::say("Published. It is advice: it changes nothing by itself."))
}

/// The contestmaster ends the contract by one announcement (J6).
///
/// # Errors
///
/// A [`Refusal`] for anybody else.
fn terminate(d: &mut D<'_>) -> Result<Document, Refusal> {
    contestmaster(d, "BRAINFUCK JOUST, J6")?;
    let at = d.at;
    d.upsert::<Contract>(&(), |contract| contract.phase = Phase::Ended { at });
    let waiting = d.rows::<Task>().len();
    let rest = match waiting {
        0 => String::new(),
        1 => " One thing that was due before is still done.".to_owned(),
        n => format!(" {n} things that were due before are still done."),
    };
    d.tell_all(format!("The contestmaster ends the contract. Nothing is due any more; the displays stay.{rest}"));
    Ok(Document::say("The contract has ended."))
}

/// A moderator puts somebody into the office that the text names nobody's seat for.
///
/// # Errors
///
/// A [`Refusal`] where there is no such seat.
fn correct_office(to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let found = d.frame.seats.iter().find(|(id, seat)| ***id == *to || seat.name.eq_ignore_ascii_case(to.trim()));
    let Some(seat) = found.map(|(id, _)| id.clone()) else {
        return Err(Refusal::new("nobody of that name has a seat here").instead("members"));
    };
    let name = contract(&d.tables).named.clone();
    // A correction fills the office where the text cannot: it never makes text and office say different things (J3).
    let named = d.frame.seats.values().any(|seat| seat.name.eq_ignore_ascii_case(&name));
    if named && d.frame.name_of(&seat) != name {
        return Err(Refusal::new(format!("the contract names {name}, and who sits under that name holds the office"))
            .by("BRAINFUCK JOUST, J3")
            .instead("joust intend set contestmaster NAME"));
    }
    d.upsert::<Contract>(&(), |contract| contract.contestmaster = Some(seat));
    Ok(())
}

// ---- due

/// Follows the contestmaster's name in the text (J3). Whoever sits under it holds the office from then on, under
/// whatever name, until the text changes.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    // Where the text names nobody, nobody holds the office.
    let name = Figures::of(&d.rules).contestmaster().unwrap_or_default();
    let office = contract(&d.tables);
    let is_same = office.named == name;
    if is_same && office.contestmaster.is_some() {
        return false;
    }
    let seat = d.frame.seats.iter().find(|(_, seat)| seat.name.eq_ignore_ascii_case(&name)).map(|(id, _)| id.clone());
    if is_same && seat.is_none() {
        return false;
    }
    // A seat that lost its name, and with it its name in the text, keeps the office.
    let moved = !office.named.is_empty() && (seat.is_none() || office.contestmaster != seat);
    let is_here = seat.is_some();
    d.upsert::<Contract>(&(), |contract| (contract.named, contract.contestmaster) = (name.clone(), seat));
    if moved && !name.is_empty() {
        d.tell_all(match is_here {
            true => format!("{name} is contestmaster from now on."),
            false => format!("The contract names {name} as contestmaster, and nobody sits here under that name yet."),
        });
    }
    true
}

// ---- display

/// The members, and who holds the office.
fn show_members(state: &State<Joust>) -> Document {
    let cells: Vec<Cell> = members(state).map(|seat| state.frame.name_of(seat)).map(Cell::named).collect();
    let holder = match contract(&state.tables).contestmaster.as_ref() {
        Some(seat) => format!("{} is contestmaster.", state.frame.name_of(seat)),
        None => "Nobody holds the office of contestmaster.".to_owned(),
    };
    let document = Document::titled("members", "Members");
    let document = if cells.is_empty() {
        document.para("Nobody is a member yet: join.")
    } else {
        document.with(Block::List(cells))
    };
    document.para(holder)
}

/// The text of the contract.
fn show_contract(state: &State<Joust>) -> Document {
    let mut document = Document::titled("contract", "The contract").para(contract(&state.tables).stands());
    for rule in state.rules.rules() {
        document =
            document.para(format!("{}. {}", rule.number(), rule.label())).para(rule.text().visible().to_string());
    }
    document
}

#[cfg(test)]
mod tests;
