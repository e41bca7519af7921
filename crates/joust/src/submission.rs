//! Submitting: a program goes in privately, three times a week, and stays in (seed 000, J11, J13 to J19, J46, J47,
//! J54).
//!
//! The text is sealed and never repeated, not even in a refusal. Before the contest begins a program waits, and may be
//! taken back. Afterwards it becomes a challenge at the moment when the room has all of it. A text is read out of
//! messages, files and links before an action reaches the game; the challenge itself stands in `challenge`.

use sha2::{Digest, Sha256};

use super::{
    acts, challenge, contract, figures,
    game::{D, Joust, Secret},
    house, names,
    programs::{self, Program, Status, kept},
    reading::{CONTRACT, Figures, PROGRAMS},
    tasks,
    tournament::Notation,
};
use kernel::{
    Act, Id, Mechanic, Refusal,
    display::{Block, Cell, Document},
    time::{minute, next_week, week_start},
};

/// Largest program that is taken, in bytes of its text, comments included. The rules set no limit (J54). This one is
/// the product's, so that no program is a burden to the room's store or to a connection.
pub const PROGRAM_MAX_BYTES: usize = 1024 * 1024;

/// The rule that submissions go by.
const RULE: &str = "Submission, J14";

/// Most programs that the contestmaster may have handed in and not yet used: two Hills of ten.
const HELD_MAX_PROGRAMS: usize = 20;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let submit = Act::new("submit", |Submit { name, code }, d| submit(name, code, d));
    let retract = Act::new("retract", |Retract { name }, d| retract(&name, d)).by(CONTRACT).player();
    let add = Act::new("add", |Add { name, code }, d| match code {
        Some(code) => hand_in(&name, code, d),
        None => acts::add(&name, d),
    });
    Mechanic::new("submission")
        .act(submit.by(CONTRACT))
        .act(retract.about(|Retract { name }, state| programs::meant(&name, state)).binds(programs::numbered))
        .act(add.by(CONTRACT).about(|Add { name, .. }, state| programs::meant(&name, state)).binds(programs::numbered))
}

kit::args! {
    /// The arguments of `submit` (J13).
    Submit {
        /// What it is called; the bot finds a name where there is none.
        name: Option<String>,
        code: Secret,
    }

    /// The arguments of `retract` (J47).
    Retract { name: String }

    /// The arguments of `add`: a program is handed in to start with or to be added; without code, it is added as noticed
    /// (J20).
    Add { name: String, code: Option<Secret> }
}

// ---- decide

/// Somebody submits a program (J13).
///
/// # Errors
///
/// A [`Refusal`] that repeats nothing of the text. It comes in public, for what is no program, and for a name that is
/// taken. It comes beyond the week's allowance, and where the contract's figures allow no challenge.
fn submit(name: Option<String>, code: Secret, d: &mut D<'_>) -> Result<Document, Refusal> {
    private(d, "joust submit NAME CODE")?;
    let (name, code) = apart(name, code);
    let owner = contract::seat(d)?;
    contract::settle(d);
    defined(d)?;
    let notation = parse(&code, "joust submit NAME CODE", d)?;
    let name = match name {
        Some(name) => free(&name, d).map_err(|refusal| refusal.instead("joust submit OTHER-NAME CODE"))?,
        None => invent(&owner, d),
    };
    let by_master = contract::contract(&d.tables).contestmaster.as_ref() == Some(&owner);
    allowance(&owner, by_master, d)?;
    let warnings = warnings(&code, notation);
    let (program, hash) = receive((name.clone(), owner, by_master), Status::Waiting, &code, notation, d);
    let received = format!("{name} is received at {}, {}.", minute(d.at), sum(&code));
    let mut reply = Document::say(received).para(seal_told(&hash));
    reply = if contract::contract(&d.tables).is_running() {
        let at = d.at;
        let number = challenge::enqueue(d, program, at)?;
        let before = tasks::challenges_before(&d.tables, number);
        let turn = match before {
            0 => "it is next".to_owned(),
            1 => "1 comes before it".to_owned(),
            n => format!("{n} come before it"),
        };
        reply.para(format!("It is the challenger of challenge {number}; {turn}. It cannot be withdrawn."))
    } else {
        reply.para("The contest has not begun: the program waits, and until then “⁅joust retract⁆” takes it back.")
    };
    Ok(if warnings.is_empty() { reply } else { reply.para("It plays as it is, but:").with(Block::List(warnings)) })
}

/// The contestmaster hands a program in, to start with or to be added by notice (J20, J45).
///
/// # Errors
///
/// As [`submit`], and for anybody else.
fn hand_in(name: &str, code: Secret, d: &mut D<'_>) -> Result<Document, Refusal> {
    private(d, "joust add NAME CODE")?;
    let owner = contract::contestmaster(d, "Submission, J20")?;
    defined(d)?;
    let notation = parse(&code.0, "joust add NAME CODE", d)?;
    let name = free(name, d).map_err(|refusal| refusal.instead("joust add OTHER-NAME CODE"))?;
    let held = d.rows::<programs::Program>().values().filter(|program| program.status == Status::Held).count();
    if held >= HELD_MAX_PROGRAMS {
        return Err(Refusal::new(format!("{HELD_MAX_PROGRAMS} programs are handed in and not used yet"))
            .instead("show programs"));
    }
    let warnings = warnings(&code.0, notation);
    let (_, hash) = receive((name.clone(), owner, true), Status::Held, &code.0, notation, d);
    let reply = Document::say(format!("{name} is handed in. It has {}.", sum(&code.0))).para(seal_told(&hash)).para(
        "It comes to the Hill by “⁅joust start⁆”, where you name it, or by notice: “⁅joust intend add NAME⁆”. It brings no challenge.",
    );
    Ok(if warnings.is_empty() { reply } else { reply.para("It plays as it is, but:").with(Block::List(warnings)) })
}

/// How long a text is as it is kept, and its hash: whoever sent it sees that nothing is missing.
fn sum(text: &str) -> String {
    let text = kept(text);
    let bytes = if text.len() == 1 { "byte" } else { "bytes" };
    format!("{} {bytes}, SHA-256 {}", text.len(), hex::encode(Sha256::digest(&text)))
}

/// What everybody can check a program by once it is public: salted, so that nobody can confirm a guess by it.
fn seal_told(hash: &str) -> String {
    format!("Hash of its text with a salt, which the journal has: {hash}")
}

/// A submitter takes a program back before the contest begins (J47), the only withdrawal that there is (J18).
///
/// # Errors
///
/// A [`Refusal`] once it has begun, and for programs of others.
fn retract(name: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let actor = d.actor()?;
    let program = programs::need(&d.tables, name)?.clone();
    if program.owner != actor {
        return Err(Refusal::new(format!("the program {} is not yours", program.name))
            .by("CURRENT TOURNAMENT, J47")
            .instead("show yours"));
    }
    let shown = format!("joust program {}", programs::handle(&d.tables, &program));
    if program.status == Status::Retracted {
        return Err(Refusal::new(format!("the program {} was taken back already", program.name))
            .by("CURRENT TOURNAMENT, J47")
            .instead(shown));
    }
    if !matches!(program.status, Status::Waiting | Status::Held) {
        return Err(Refusal::new(format!("the program {} cannot be withdrawn: what is submitted stays", program.name))
            .by("Submission, J18")
            .instead(shown));
    }
    d.edit::<Program>(&program.id, |program| program.status = Status::Retracted);
    if program.revealed.is_some() {
        let say = format!("{} is taken back. Its code was published, and stays so.", program.name);
        return Ok(Document::say(say));
    }
    Ok(Document::say(format!("{} is taken back, and nobody reads its text any more.", program.name)))
}

/// Refuses a text that others could read (J15).
fn private(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if !d.public {
        return Ok(());
    }
    let say =
        "programs go in privately: what stands in a public channel is no submission, and everybody may have read it";
    Err(Refusal::new(say).by("Submission, J15").instead(line))
}

/// The name and the text, where a player left the name out and the text was taken for it.
fn apart(name: Option<String>, code: Secret) -> (Option<String>, String) {
    let Secret(code) = code;
    match name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        Some(name) if !names::is_program_name(&name) && name.contains(['>', '<', '+', '[', ']', '.', ',']) => {
            (None, format!("{name} {code}"))
        }
        other => (other, code),
    }
}

/// Refuses everything where the contract does not say what a program is (J11).
fn defined(d: &D<'_>) -> Result<(), Refusal> {
    Ok(Figures::of(&d.rules).established(PROGRAMS)?)
}

/// Refuses what is no program as the contract reads (J11); gives the notation by which it is one. A line with a text is to
/// be typed where there is none.
pub(super) fn parse(code: &str, line: &str, d: &D<'_>) -> Result<Notation, Refusal> {
    if code.trim().is_empty() {
        return Err(Refusal::new("the program's text is missing").instead(line));
    }
    if code.len() > PROGRAM_MAX_BYTES {
        let say = format!("a program has at most {PROGRAM_MAX_BYTES} bytes here, comments included");
        return Err(Refusal::new(say).by("CURRENT TOURNAMENT, J54"));
    }
    let notation = Figures::of(&d.rules).notation()?;
    let parsed = bfjoust::Program::parse_as(code, notation.engine());
    parsed.map(|_| notation).map_err(|why| Refusal::new(why.to_string()).by("Programs, J11"))
}

/// What the submitter alone is told about a text that plays, and probably not as meant.
pub(super) fn warnings(code: &str, notation: Notation) -> Vec<Cell> {
    bfjoust::warnings_as(code, notation.engine()).into_iter().map(|warning| Cell::new(warning.to_string())).collect()
}

/// A program's name that none on the Hill, in the queue or waiting could be mistaken for (J17).
fn free(name: &str, d: &D<'_>) -> Result<String, Refusal> {
    let name = names::program_name(name)?;
    let house = house::house().map(|(name, _)| name);
    let reserved = contract::contract(&d.tables).contestmaster.as_ref() != d.actor_seat().as_ref();
    let held =
        d.rows::<programs::Program>().values().filter(|program| program.is_up()).map(|program| program.name.as_str());
    let taken = held.chain(house.into_iter().filter(|_| reserved)).find(|held| names::confusable(held, &name));
    match taken {
        None => Ok(name),
        Some(taken) if taken.eq_ignore_ascii_case(&name) => {
            Err(Refusal::new(format!("the name {taken} is taken")).by("Submission, J17"))
        }
        Some(taken) => Err(Refusal::new(format!("the name {taken} is taken, and this one could be mistaken for it"))
            .by("Submission, J17")),
    }
}

/// A name for a program whose submitter gave none.
fn invent(owner: &Id, d: &D<'_>) -> String {
    let seat = d.frame.name_of(owner);
    let letters: String = seat.chars().filter(char::is_ascii_alphanumeric).take(names::NAME_MAX_CHARS - 8).collect();
    let base =
        if letters.starts_with(|first: char| first.is_ascii_alphabetic()) { letters } else { "program".to_owned() };
    (1_u64..)
        .map(|n| format!("{base}-{n}"))
        .find(|name| programs::find(&d.tables, name).is_none() && free(name, d).is_ok())
        .unwrap_or(base)
}

/// Refuses beyond the allowance of the week (J14, J19).
fn allowance(owner: &Id, by_master: bool, d: &D<'_>) -> Result<(), Refusal> {
    let key = if by_master { &figures::CONTESTMASTER_WEEKLY_PROGRAMS } else { &figures::WEEKLY_PROGRAMS };
    let allowed: u64 = Figures::of(&d.rules).count(key)?;
    // Programs are numbered as they come in, and one that was taken back gives its place in the week back (J47).
    let this_week =
        d.rows::<programs::Program>().values().rev().take_while(|program| program.received >= week_start(d.at));
    let counts = |program: &&Program| program.owner == *owner && program.sent && program.status != Status::Retracted;
    let sent = this_week.filter(counts).count() as u64;
    if sent < allowed {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "you sent {sent} of {allowed} programs this week; the next week begins at {}",
        minute(next_week(d.at))
    ))
    .by(RULE)
    .instead("joust test CODE"))
}

/// Seals and records a program; gives its number and its hash.
fn receive(
    (name, owner, by_master): (String, Id, bool),
    status: Status,
    code: &str,
    notation: Notation,
    d: &mut D<'_>,
) -> (u64, String) {
    let id = d.next_number::<Program>();
    let hash = d.seal(format!("program/{id}").into(), kept(code).into_bytes());
    let (received, house, sent) = (d.at, false, status == Status::Waiting);
    let hash_told = hash.clone();
    let program = Program { id, name, owner, house, by_master, hash, received, status, sent, revealed: None, notation };
    programs::receive(d, program);
    (id, hash_told)
}

#[cfg(test)]
mod tests;
