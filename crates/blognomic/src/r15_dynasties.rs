//! Dynasties (rule 15): who is Control Unit, what a Dynasty is called, and Imperial efficiency.
//!
//! Every way to a new Control Unit ends in [`begin`], and so in an Ascension (N93, N107). Absent: vetoes with their
//! annulment, strikes and nominations (`veto`), and what a new Control Unit may do in its first days (`ascension`).

use serde::{Deserialize, Serialize};

use super::{
    ascension,
    figures::{EFFICIENCY_LEAST, EFFICIENCY_MOST, EFFICIENCY_OWN},
    game::{BlogNomic, D, public},
    law::{Thing, established},
    roster,
    stats::{EFFICIENCY, ROBOT},
    undoing::Given,
    voting,
};
use kernel::{
    Act, Display, Id, Instant, Mechanic, Num, Refusal, Seq, State,
    display::{Cell, Document},
    table::Row,
    time::minute,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("the range of Imperial efficiency")
        .table::<Dynasty>()
        .act(
            Act::new("rate", |Rate { robot, rating }, d| rate(&robot, rating, d))
                .by(Thing::Dynasties.word())
                .player()
                .note("Imperial efficiency"),
        )
        .display(Display::new("dynasties", |state, _| Ok(show(state))).listed(6))
        .settle(settle)
}

kit::args! {
    /// The arguments of `rate` (N105).
    Rate { robot: Id, rating: i64 }
}

// ---- state

/// A Dynasty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dynasty {
    /// Who began it as Control Unit.
    pub(super) founder: Id,
    /// Who is Control Unit; nobody while the office is vacant (N13, N103).
    pub(super) holder: Option<Id>,
    /// What it is called.
    pub(super) name: String,
    /// When it began.
    pub(super) since: Instant,
    /// How it came about, in words.
    pub(super) how: String,
    /// Strikes on its Control Unit (N101).
    #[serde(default)]
    pub(super) strikes: u64,
    /// Who was Deactivated when it began: whoever sleeps on until it ends is removed (N110). An instant does not tell who
    /// was so before it and who only after it.
    #[serde(default)]
    pub(super) asleep: Vec<Id>,
    /// The Ascension Address, once it was posted (N113).
    #[serde(default)]
    pub(super) address: Option<String>,
    /// The entry in which it began; nothing for those that are older than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seq: Option<Seq>,
}

impl Row<BlogNomic> for Dynasty {
    type Key = u64;
    const TABLE: &'static str = "dynasties";
}

/// The Dynasty that goes on.
pub(super) fn now(state: &State<BlogNomic>) -> Option<&Dynasty> {
    state.rows::<Dynasty>().get_max().map(|(_, dynasty)| dynasty)
}

/// How many there were, the present one included: its number.
pub(super) fn count(state: &State<BlogNomic>) -> u64 {
    state.rows::<Dynasty>().get_max().map_or(0, |(number, _)| *number)
}

/// The Control Unit, where the office is not vacant.
pub(super) fn control_unit(state: &State<BlogNomic>) -> Option<&Id> {
    now(state)?.holder.as_ref()
}

/// Changes the present Dynasty.
pub(super) fn alter(d: &mut D<'_>, change: impl FnOnce(&mut Dynasty)) {
    d.edit(&count(d), change);
}

// ---- guards

/// The Control Unit, where that is who acts. Several rules name it; each act asks for its own.
///
/// # Errors
///
/// A [`Refusal`] that names it.
pub(super) fn acting(d: &D<'_>) -> Result<Id, Refusal> {
    let me = roster::robot(d)?;
    if control_unit(d) == Some(&me) {
        return Ok(me);
    }
    let holder = match control_unit(d) {
        Some(cu) => format!("{} is Control Unit", d.frame.name_of(cu)),
        None => "there is none now".to_owned(),
    };
    let refusal = Refusal::new(format!("only the Control Unit does that, and {holder}")).instead("show dynasties");
    Err(match established(&d.rules, Thing::Dynasties) {
        Ok(()) => refusal.by(Thing::Dynasties.rule(&d.rules)),
        Err(_) => refusal,
    })
}

// ---- decide

/// Begins a Dynasty with its Ascension (N107, N108).
pub(super) fn begin(d: &mut D<'_>, cu: &Id, how: &str) {
    let before = now(d).cloned();
    // Dynasties are counted by person (N96).
    let times = d.rows::<Dynasty>().values().filter(|dynasty| dynasty.founder == *cu).count() + 1;
    let name = format!("The {} Dynasty of {}", ordinal(times), d.frame.name_of(cu));
    let dynasty = Dynasty {
        founder: cu.clone(),
        holder: Some(cu.clone()),
        name: name.clone(),
        since: d.at,
        how: how.to_owned(),
        strikes: 0,
        asleep: roster::asleep(d),
        address: None,
        seq: Some(d.seq),
    };
    d.put(&(count(d) + 1), dynasty);
    voting::void_deferrals(d, cu);
    let told = ascension::reset(d, cu, before.as_ref());
    d.tell_all(format!("{name} begins: {how}.{told}"));
}

/// Takes a Dynasty back that began with an entry of which the effects are taken back (N59).
///
/// # Errors
///
/// A [`Refusal`] where another one has begun since.
pub(super) fn give_back(d: &mut D<'_>, seq: Seq) -> Result<Option<Given>, Refusal> {
    let mut latest = d.rows::<Dynasty>().iter().rev();
    let Some((&number, dynasty)) = latest.find(|(_, dynasty)| dynasty.seq == Some(seq)) else { return Ok(None) };
    if number < count(d) || number == 1 {
        return Err(Refusal::new(format!("with entry {seq} began {}, and nothing before it comes back", dynasty.name))
            .by(Thing::Tracker.rule(&d.rules))
            .instead("cfj raise TITLE TEXT"));
    }
    let dynasty = d.delete::<Dynasty>(&number).map(Box::new);
    Ok(dynasty.map(|dynasty| Given::Office { dynasty, after: number - 1 }))
}

/// Begins a Dynasty again that was taken back; whether no other has begun since.
pub(super) fn use_up(d: &mut D<'_>, dynasty: &Dynasty, after: u64) -> bool {
    let last = count(d) == after;
    if last {
        d.put(&(after + 1), dynasty.clone());
    }
    last
}

/// Leaves the office vacant where somebody held it (N13).
pub(super) fn vacate(d: &mut D<'_>, robot: &Id) {
    if control_unit(d) != Some(robot) {
        return;
    }
    alter(d, |dynasty| dynasty.holder = None);
    d.tell_all("The office of Control Unit is vacant.");
}

/// The Control Unit rates a Subject (N105, N106).
///
/// # Errors
///
/// A [`Refusal`] for others, for the Control Unit itself, and beyond the range.
fn rate(who: &Id, rating: i64, d: &mut D<'_>) -> Result<Document, Refusal> {
    acting(d)?;
    public(d, "cu efficiency NAME 3")?;
    let who = roster::other(d, who, None)?;
    // Without a range nobody is rated.
    d.rules.need(&EFFICIENCY_LEAST)?;
    d.rules.need(&EFFICIENCY_MOST)?;
    let rating = Num::from(rating);
    may_have(d, &who, &rating)?;
    d.set(&EFFICIENCY, &who, rating.clone());
    let name = d.frame.name_of(&who).to_owned();
    d.tell_all(format!("The Control Unit sets the Imperial efficiency of {name} to {rating}."));
    Ok(Document::say(format!("{name} has {rating}.")))
}

/// What the efficiency of a Subject lies between, while the rules give a range that holds anything.
fn range(state: &State<BlogNomic>) -> Option<(Num, Num)> {
    established(&state.rules, Thing::Dynasties).ok()?;
    Some((state.rules.need(&EFFICIENCY_LEAST).ok()?, state.rules.need(&EFFICIENCY_MOST).ok()?))
}

/// Whether words name the office of the Control Unit.
pub(super) fn is_office(words: &str) -> bool {
    let words = words.trim().to_lowercase();
    matches!(words.strip_prefix("the ").unwrap_or(&words), "control unit" | "empress" | "emperor")
}

/// Refuses a rating beyond the range, and one of the Control Unit that is not its own figure (N106).
///
/// # Errors
///
/// A [`Refusal`] that says which ratings there are.
pub(super) fn may_have(state: &State<BlogNomic>, robot: &Id, rating: &Num) -> Result<(), Refusal> {
    let say = if control_unit(state) == Some(robot) {
        "the Control Unit's own efficiency is always the same".to_owned()
    } else {
        match range(state) {
            Some((least, most)) if least > most => {
                format!("Imperial efficiency lies between {least} and {most}, and nothing does")
            }
            Some((least, most)) if *rating < least || *rating > most => {
                format!("Imperial efficiency lies between {least} and {most}")
            }
            _ => return Ok(()),
        }
    };
    Err(Refusal::new(say).by(Thing::Dynasties.rule(&state.rules)).instead("cu efficiency NAME 3"))
}

// ---- due

/// Cuts or raises the ratings that an amended range no longer holds, and keeps the Control Unit's at its own figure (N106, N133).
fn settle(d: &mut D<'_>) -> bool {
    let (range, cu) = (range(d).filter(|(least, most)| least <= most), control_unit(d));
    let own = established(&d.rules, Thing::Dynasties).ok().and_then(|()| d.rules.need(&EFFICIENCY_OWN).ok());
    let held = |robot: &Id| {
        let rating = d.world.get(&EFFICIENCY, robot)?;
        let to = match (&range, &own) {
            _ if cu == Some(robot) => own.clone()?,
            (Some((_, most)), _) if rating > *most => most.clone(),
            (Some((least, _)), _) if rating < *least => least.clone(),
            _ => return None,
        };
        (to != rating).then(|| (robot.clone(), to, rating))
    };
    let Some((robot, to, was)) = d.world.of_kind(ROBOT).find_map(held) else { return false };
    let name = d.frame.name_of(&robot).to_owned();
    d.set(&EFFICIENCY, &robot, to.clone());
    let way = if to < was { "cut" } else { "raised" };
    d.tell_all(format!("The Imperial efficiency of {name} is {way} to {to}, as the rules have it now."));
    true
}

/// The first, second, third ... of somebody's Dynasties.
fn ordinal(number: usize) -> String {
    const WORDS: [&str; 12] = [
        "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth", "Eleventh",
        "Twelfth",
    ];
    if let Some(word) = WORDS.get(number.saturating_sub(1)) {
        return (*word).to_owned();
    }
    let end = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

// ---- display

/// The Ascension Addresses by the names of their Dynasties, the latest first (N113).
pub(super) fn addresses(state: &State<BlogNomic>) -> impl Iterator<Item = (&str, &str)> {
    let posted = state.rows::<Dynasty>().values().rev();
    posted.filter_map(|dynasty| Some((dynasty.name.as_str(), dynasty.address.as_deref()?)))
}

/// All Dynasties, the present one first (N95, N96).
fn show(state: &State<BlogNomic>) -> Document {
    let rows = state.rows::<Dynasty>().values().rev().map(|dynasty| {
        vec![
            Cell::new(dynasty.name.clone()),
            Cell::new(minute(dynasty.since)),
            Cell::new(dynasty.how.clone()),
            Cell::new(dynasty.strikes.to_string()),
            dynasty.address.as_ref().map_or_else(Cell::default, |_| Cell::new("posted").showing("weblog")),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let holder = match control_unit(state) {
        Some(cu) => format!("{} is Control Unit.", state.frame.name_of(cu)),
        None => "The office of Control Unit is vacant.".to_owned(),
    };
    Document::titled("dynasties", "Dynasties")
        .para(holder)
        .table(["Dynasty", "since", "how", "strikes", "Ascension Address"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N96: dynasties are counted per person, in words.
    #[test]
    fn n96_ordinals_read_well() {
        for (number, word) in [(1, "First"), (12, "Twelfth"), (13, "13th"), (21, "21st"), (112, "112th"), (22, "22nd")]
        {
            assert_eq!(ordinal(number), word);
        }
    }
}
