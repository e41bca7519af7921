//! Notices: announcements of the contestmaster before an act (seed 000, J7 to J9, J20).
//!
//! There are three kinds of waiting. A section changes without three objections from members (J7), CURRENT TOURNAMENT
//! after a week (J8). A program goes on or off the Hill after a week (J20). A notice is specific, and nothing happens
//! by itself: the contestmaster must act, and does exactly what the notice says. The text after an edit is worked out
//! in `edits`, the Hill after a removal in `hill`.

use serde::{Deserialize, Serialize};

use super::{
    contract,
    edits::{self, Edit},
    figures,
    game::{D, Joust, Tables},
    places::{self, DROPPED},
    playable,
    programs::{self, Status},
    reading::{CONTRACT, Figures},
    start,
    tasks::CAME_TO_NOTHING,
};
use kernel::{
    Act, Display, Event, Id, Instant, Mechanic, Refusal, State,
    display::{Cell, Document, Offer, cells},
    entry::Audience,
    table::Row,
    time::{days_after, minute},
};
use kit::ballot;

/// Most notices that can still be done: more than anybody could keep in mind.
const OPEN_MAX_COUNT: usize = 100;

/// The subject of a notice that a new tournament begins (J12).
const RESTART: &str = "restart";

/// How many notices that are over are kept for display; the journal has them all.
const OVER_MAX_COUNT: usize = 50;

/// The rule of changes of the text.
pub(super) const OPENING: &str = "BRAINFUCK JOUST, J7";

/// The rule of changes of CURRENT TOURNAMENT by notice.
pub(super) const BY_NOTICE: &str = "BRAINFUCK JOUST, J8";

/// The rule that nobody else changes the text.
pub(super) const NOBODY_ELSE: &str = "BRAINFUCK JOUST, J9";

/// The rule of the Hill's notices.
pub(super) const SUBMISSION: &str = "Submission, J20";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let intend = Act::new("intend", |Intend { what, subject, text }, d| intend(what, subject, text, d));
    let object = Act::new("object", |Object { id }, d| object(id, d)).by(CONTRACT);
    let unobject = Act::new("unobject", |Object { id }, d| unobject(id, d)).by(CONTRACT).player();
    let intents = Display::new("intents", |state, asked| Ok(intents(state, asked.viewer.now))).also("notices");
    Mechanic::new("notices")
        .table::<Objection>()
        .table::<Notice>()
        .act(intend.by(CONTRACT).public("joust intend WHAT SUBJECT TEXT"))
        .act(object.about(|Object { id }, state| meant(id, state)))
        .act(unobject.about(|Object { id }, state| meant(id, state)))
        .hears(|event, d| match event {
            Event::Forgotten(seat) => forgotten(seat, d),
            Event::Happened(DROPPED, with) => with["program"].as_u64().into_iter().for_each(|is| dropped(d, is)),
            Event::Happened(CAME_TO_NOTHING, with) => with["notice"].as_u64().into_iter().for_each(|is| spend(d, is)),
            Event::Resumed(_) | Event::Mended(_) | Event::Happened(..) | Event::Instant(_) => {}
        })
        .display(intents.listed(5))
}

kit::args! {
    /// The arguments of `intend` (J7, J8, J20).
    Intend {
        what: Kind,
        /// What it is about: a program, or a section of the contract.
        subject: Option<String>,
        text: Option<String>,
    }

    /// The arguments of `object` and `unobject` (J7).
    Object { id: u64 }
}

// ---- state

/// What can be announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// A new text for a section, without three objections.
    Amend,
    /// A new value for a figure, without three objections.
    Set,
    /// The end of a section, without three objections.
    Repeal,
    /// The return of a section that was repealed, without three objections.
    Enact,
    /// A change of CURRENT TOURNAMENT after a week.
    Tournament,
    /// A program for the Hill after a week.
    Add,
    /// A program off the Hill after a week.
    Remove,
}

/// An announced intent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Notice {
    /// Its number.
    pub id: u64,
    /// What is intended.
    pub what: What,
    /// When it was announced.
    pub at: Instant,
    /// Where it stands.
    pub stands: Stands,
}

/// That somebody objects to a notice, a member or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Objection {}

impl Row<Joust> for Objection {
    type Key = (u64, Id);
    const TABLE: &'static str = "objections";

    fn told((notice, seat): &(u64, Id), _: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        let does = if is.is_some() { "objects to" } else { "does not object to" };
        format!("{} {does} notice {notice}", state.frame.name_of(seat))
    }
}

impl Row<Joust> for Notice {
    type Key = u64;
    const TABLE: &'static str = "notices";

    fn told(id: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<Joust>) -> String {
        let Some(is) = is else { return format!("notice {id} is gone") };
        match (was, is.stands) {
            (None, _) => format!("notice {id} is announced: {}", is.words(state)),
            (Some(was), stands) if was.stands == stands => String::new(),
            (Some(_), Stands::Open) => format!("notice {id} can be done"),
            (Some(_), Stands::Done { .. }) => format!("notice {id} is done"),
            (Some(_), Stands::Spent { .. }) => format!("notice {id} is spent"),
        }
    }
}

/// What is intended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum What {
    /// A change of a section, which three objections block.
    Section(Edit),
    /// A change of CURRENT TOURNAMENT, for which only the notice counts.
    Tournament(Edit),
    /// A new tournament with a Hill of its own.
    Restart {
        /// The programs that it starts with; the bot's own where none are named.
        programs: Vec<u64>,
    },
    /// A program for the Hill.
    Add {
        /// Which.
        program: u64,
        /// Which one makes room for it.
        removing: Option<u64>,
    },
    /// A program off the Hill.
    Remove {
        /// Which.
        program: u64,
    },
}

/// Where a notice stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stands {
    /// It can be done, now or later.
    Open,
    /// It was done.
    Done {
        /// When.
        at: Instant,
    },
    /// What it was about is gone.
    Spent {
        /// When.
        at: Instant,
    },
}

/// A notice that can be done.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or it is over.
pub(super) fn notice(joust: &Tables, id: u64) -> Result<&Notice, Refusal> {
    let none = || Refusal::new(format!("there is no notice {id}")).instead("show intents");
    let notice = joust.rows::<Notice>().get(&id).ok_or_else(none)?;
    match notice.stands {
        Stands::Open => Ok(notice),
        Stands::Done { at } => Err(Refusal::new(format!("notice {id} was done at {}", minute(at)))),
        Stands::Spent { at } => {
            Err(Refusal::new(format!("notice {id} is spent since {}: its program left the Hill", minute(at)))
                .by(SUBMISSION))
        }
    }
}

/// The seats that object to a notice, members or not.
fn objectors(joust: &Tables, notice: u64) -> impl Iterator<Item = &Id> {
    ballot::on(joust.rows::<Objection>(), notice).map(|(seat, _)| seat)
}

/// A notice stands elsewhere; of those that are over the oldest are kept no longer.
pub(super) fn set(d: &mut D<'_>, notice: u64, to: Stands) {
    d.edit::<Notice>(&notice, |notice| notice.stands = to);
    let over = d.rows::<Notice>().values().filter(|notice| notice.stands != Stands::Open);
    let over: Vec<u64> = over.map(|notice| notice.id).collect();
    for id in &over[..over.len().saturating_sub(OVER_MAX_COUNT)] {
        d.delete::<Notice>(id);
        ballot::clear::<_, _, Objection>(d, id);
    }
}

impl Notice {
    /// The change of a section that it announces.
    fn edit(&self) -> Option<&Edit> {
        match &self.what {
            What::Section(edit) | What::Tournament(edit) => Some(edit),
            What::Restart { .. } | What::Add { .. } | What::Remove { .. } => None,
        }
    }

    /// Gives the office that it gives to somebody under another name.
    fn name(&mut self, name: &str) {
        if let What::Section(edit) | What::Tournament(edit) = &mut self.what {
            edit.name(name);
        }
    }

    /// The objections that count: of those who are members now (J7).
    pub(super) fn objections(&self, state: &State<Joust>) -> usize {
        objectors(&state.tables, self.id).filter(|seat| contract::is_member(state, seat)).count()
    }

    /// From when it can be done, and until when, as the contract reads now.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the contract does not say.
    pub(super) fn window(&self, state: &State<Joust>) -> Result<(Instant, Option<Instant>), Refusal> {
        let reading = Figures::of(&state.rules);
        let after = |key| Ok::<_, Refusal>(days_after(self.at, reading.count(key)?));
        Ok(match &self.what {
            What::Section(_) => {
                playable::amendment(&state.rules)?;
                (after(&figures::WAIT_DAYS)?, Some(after(&figures::WINDOW_DAYS)?))
            }
            What::Tournament(_) | What::Restart { .. } => (after(&figures::TOURNAMENT_NOTICE_DAYS)?, None),
            What::Add { .. } | What::Remove { .. } => (after(&figures::HILL_NOTICE_DAYS)?, None),
        })
    }

    pub(super) fn rule(&self) -> &'static str {
        match &self.what {
            What::Section(_) => OPENING,
            What::Tournament(_) | What::Restart { .. } => BY_NOTICE,
            What::Add { .. } | What::Remove { .. } => SUBMISSION,
        }
    }

    /// What is intended, in words.
    pub(super) fn words(&self, state: &State<Joust>) -> String {
        let name = |program: u64| programs::told_apart(&state.tables, program);
        match &self.what {
            What::Section(edit) | What::Tournament(edit) => {
                edit.words(&state.rules, matches!(self.stands, Stands::Done { .. }))
            }
            What::Restart { programs } if programs.is_empty() => {
                "a new tournament begins, with the bot's programs on its Hill".to_owned()
            }
            What::Restart { programs } => {
                let names: Vec<String> = programs.iter().map(|program| name(*program)).collect();
                format!("a new tournament begins, with {} on its Hill", names.join(", "))
            }
            What::Add { program, removing: None } => format!("{} comes to the Hill", name(*program)),
            What::Add { program, removing: Some(removing) } => {
                format!("{} comes to the Hill in the place of {}", name(*program), name(*removing))
            }
            What::Remove { program } => format!("{} leaves the Hill", name(*program)),
        }
    }

    /// Whether it can still be done, now or later.
    fn is_alive(&self, state: &State<Joust>, now: Instant) -> bool {
        let in_time = match self.window(state) {
            Ok((_, Some(until))) => now <= until,
            Ok((_, None)) => true,
            Err(_) => false,
        };
        let fits = match &self.what {
            What::Section(edit) | What::Tournament(edit) => edit.plan(&state.rules).is_ok(),
            What::Restart { .. } | What::Add { .. } | What::Remove { .. } => true,
        };
        self.stands == Stands::Open && in_time && fits
    }
}

// ---- decide

/// The contestmaster announces an intent.
///
/// # Errors
///
/// A [`Refusal`] for anybody else (J9), and for what could not be done as the contract and the Hill stand.
fn intend(what: Kind, subject: Option<String>, text: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    contract::contestmaster(d, if matches!(what, Kind::Add | Kind::Remove) { SUBMISSION } else { NOBODY_ELSE })?;
    let missing = || Refusal::new("what it is about is missing").instead("joust intend WHAT SUBJECT TEXT");
    let subject = subject.filter(|subject| !subject.trim().is_empty()).ok_or_else(missing)?;
    let text = text.as_deref();
    let what = match what {
        Kind::Amend => What::Section(edits::amend(&subject, text, &d.rules)?),
        Kind::Set => What::Section(edits::set(&subject, text, &d.rules)?),
        Kind::Repeal => What::Section(edits::repeal(&subject, text, &d.rules)?),
        Kind::Enact => What::Section(edits::enact(&subject, text, &d.rules)?),
        Kind::Tournament if subject.trim().eq_ignore_ascii_case(RESTART) => What::Restart { programs: fresh(text, d)? },
        Kind::Tournament => What::Tournament(edits::tournament(&subject, text, &d.rules)?),
        Kind::Add => addition(&subject, text, d)?,
        Kind::Remove => removal(&subject, text, d)?,
    };
    let open = d.rows::<Notice>().values().filter(|notice| notice.is_alive(d, d.at)).count();
    if open >= OPEN_MAX_COUNT {
        return Err(Refusal::new(format!("{open} notices can still be done; do some first")).instead("show intents"));
    }
    let id = d.next_number::<Notice>();
    let notice = Notice { id, what, at: d.at, stands: Stands::Open };
    let document = announcement(d, &notice)?;
    d.put(&id, notice);
    d.say(Audience::Public, document);
    Ok(Document::say(format!(
        "Announced as notice {id}. Nothing happens by itself: “⁅joust do {id}⁆” when its time has come."
    )))
}

/// The programs that a new tournament is to start with, as the contestmaster names them.
fn fresh(text: Option<&str>, d: &D<'_>) -> Result<Vec<u64>, Refusal> {
    if !contract::contract(&d.tables).is_running() {
        return Err(Refusal::new("no tournament runs yet").by(BY_NOTICE).instead("joust start"));
    }
    let names: Vec<String> = text.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    start::named(&names, d)
}

fn addition(subject: &str, text: Option<&str>, d: &D<'_>) -> Result<What, Refusal> {
    let program = programs::need(&d.tables, subject)?;
    if program.status == Status::Retracted {
        return Err(Refusal::new(format!("the program {} was taken back", program.name)).by(SUBMISSION));
    }
    let program = program.id;
    let removing = match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => None,
        Some(name) => Some(on_hill(name, d)?),
    };
    if removing == Some(program) {
        return Err(Refusal::new("a program cannot make room for itself").by(SUBMISSION));
    }
    Ok(What::Add { program, removing })
}

fn removal(subject: &str, text: Option<&str>, d: &D<'_>) -> Result<What, Refusal> {
    edits::nothing_more(text, "joust intend remove PROGRAM")?;
    Ok(What::Remove { program: on_hill(subject, d)? })
}

pub(super) fn on_hill(name: &str, d: &D<'_>) -> Result<u64, Refusal> {
    let program = programs::need(&d.tables, name)?;
    if places::place(&d.tables, program.id).is_some() {
        return Ok(program.id);
    }
    Err(Refusal::new(format!("the program {} is not on the Hill", program.name)).by(SUBMISSION).instead("hill"))
}

/// What an act is about that names a notice.
pub(super) fn meant(id: u64, state: &State<Joust>) -> Option<String> {
    state.rows::<Notice>().get(&id).map(|notice| format!("notice {}", notice.id))
}

/// Somebody objects (J7). It counts while the objector is a member.
///
/// # Errors
///
/// A [`Refusal`] in private, and for notices that objections do not touch.
fn object(id: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    contract::announced(d, &format!("joust object {id}"))?;
    let notice = notice(&d.tables, id)?.clone();
    if !matches!(notice.what, What::Section(_)) {
        return Err(Refusal::new(format!("for notice {id} only the time of notice counts, objections do not"))
            .by(notice.rule()));
    }
    let seat = contract::seat(d)?;
    let objection = (id, seat.clone());
    if d.row::<Objection>(&objection).is_some() {
        return Err(Refusal::new(format!("you object to notice {id} already")).by(OPENING));
    }
    d.put(&objection, Objection {});
    let counts = contract::is_member(d, &seat);
    tally(d, id, &seat, "objects to");
    Ok(Document::say(if counts {
        format!("Your objection to notice {id} stands.")
    } else {
        format!(
            "Your objection to notice {id} is noted; it counts only if you are a member when the contestmaster acts."
        )
    }))
}

/// Somebody withdraws an objection.
///
/// # Errors
///
/// A [`Refusal`] in private, and where e does not object.
fn unobject(id: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    contract::announced(d, &format!("joust unobject {id}"))?;
    let seat = d.actor()?;
    notice(&d.tables, id)?;
    if d.delete::<Objection>(&(id, seat.clone())).is_none() {
        return Err(Refusal::new(format!("you do not object to notice {id}")).instead(format!("joust object {id}")));
    }
    tally(d, id, &seat, "no longer objects to");
    Ok(Document::say(format!("Your objection to notice {id} is withdrawn.")))
}

fn tally(d: &mut D<'_>, id: u64, seat: &Id, does: &str) {
    let objections = d.rows::<Notice>().get(&id).map_or(0, |notice| notice.objections(d));
    let name = d.frame.name_of(seat).to_owned();
    d.tell_all(format!("{name} {does} notice {id}. Objections from members: {objections}."));
}

/// Notices may write the name of somebody who asked to be forgotten into the contract. They name em as the contract
/// would by now, so that what is done is still what was announced.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    let Some(gone) = d.frame.redacted.iter().rev().find(|gone| gone.seat == *seat).cloned() else { return };
    let names = |notice: &&Notice| {
        notice.stands == Stands::Open
            && notice.edit().and_then(Edit::named).is_some_and(|to| to.eq_ignore_ascii_case(&gone.text))
    };
    let naming: Vec<u64> = d.rows::<Notice>().values().filter(names).map(|notice| notice.id).collect();
    for notice in naming {
        d.edit::<Notice>(&notice, |notice| notice.name(&gone.shown));
    }
}

/// Notices about a program that dropped are spent (J20), as of when it is deemed to have done so (J29).
fn dropped(d: &mut D<'_>, program: u64) {
    let about = |notice: &&Notice| {
        notice.stands == Stands::Open
            && match &notice.what {
                What::Remove { program: removed } => *removed == program,
                What::Add { removing, .. } => *removing == Some(program),
                What::Section(_) | What::Tournament(_) | What::Restart { .. } => false,
            }
    };
    let spent: Vec<u64> = d.rows::<Notice>().values().filter(about).map(|notice| notice.id).collect();
    let at = match programs::program(&d.tables, program).map(|held| held.status) {
        Some(Status::Dropped { at }) => at,
        _ => d.at,
    };
    for notice in spent {
        set(d, notice, Stands::Spent { at });
    }
}

/// A notice that was done came to nothing: the program dropped before its turn.
fn spend(d: &mut D<'_>, notice: u64) {
    set(d, notice, Stands::Spent { at: d.at });
}

// ---- display

/// What is announced of an intent: the exact change, when it can be done, and a button to object.
fn announcement(d: &D<'_>, notice: &Notice) -> Result<Document, Refusal> {
    let id = notice.id;
    let (from, until) = notice.window(d)?;
    let mut document = Document::titled(String::new(), format!("Notice {id}: {}", notice.words(d)));
    if let What::Section(edit) | What::Tournament(edit) = &notice.what {
        let plan = edit.plan(&d.rules)?;
        for block in plan.blocks() {
            document = document.with(block);
        }
        let mut after = d.rules.clone();
        after.apply(&plan.op, d.seq, d.at);
        if let Some(settled) = edits::settled(&after) {
            after.apply(&settled, d.seq, d.at);
        }
        for line in edits::stops(&d.rules, &after, "then") {
            document = document.para(line);
        }
    }
    if let What::Add { program, .. } = &notice.what
        && let Some(program) = programs::program(&d.tables, *program)
    {
        document = document.para(format!("Hash of its code: {}", program.hash));
    }
    let when = match until {
        Some(until) => format!("The contestmaster can do this from {} to {}", minute(from), minute(until)),
        None => format!("The contestmaster can do this from {} on", minute(from)),
    };
    if !matches!(notice.what, What::Section(_)) {
        return Ok(document.para(format!("{when}.")));
    }
    let allowed: usize = Figures::of(&d.rules).count(&figures::OBJECTIONS)?;
    document = document.para(format!("{when}, unless {allowed} members object."));
    document.offers.push(Offer::new("Object", format!("joust object {id}"), d.seq));
    Ok(document)
}

/// The notices, the latest first.
fn intents(state: &State<Joust>, now: Instant) -> Document {
    let row = |notice: &Notice| {
        let window = match (notice.stands, notice.window(state)) {
            (Stands::Done { at }, _) => format!("done {}", minute(at)),
            (Stands::Spent { at }, _) => format!("spent {}", minute(at)),
            (Stands::Open, Ok((from, None))) => format!("from {}", minute(from)),
            (Stands::Open, Ok((_, Some(until)))) if until < now => format!("lapsed {}", minute(until)),
            (Stands::Open, Ok((from, Some(until)))) => format!("from {} to {}", minute(from), minute(until)),
            (Stands::Open, Err(_)) => "suspended".to_owned(),
        };
        cells![
            Cell::named(notice.id.to_string()),
            notice.words(state),
            window,
            match &notice.what {
                What::Section(_) => notice.objections(state).to_string(),
                _ => String::new(),
            },
        ]
    };
    let rows = state.rows::<Notice>().values().rev().map(row);
    let document = Document::titled("intents", "Announced intents");
    document.table_or("Nothing is announced.", ["notice", "what", "when", "objections"], rows)
}

#[cfg(test)]
mod tests;
