//! Dynasties (rule 15): how one begins, and what it is called.
//!
//! Every way to a new Control Unit ends in [`begin`], and so in an Ascension (N93, N107). All else is law.

use serde_json::json;

use super::{
    dynasty::{self, Dynasty, control_unit, count, now, slept_through},
    game::{BlogNomic, D},
    law::Thing,
    roster,
    stats::ROBOT,
};
use kernel::{
    Display, Game, Id, Mechanic, Refusal, Seq, State, Value, Verb,
    display::{Cell, Document},
    time::minute,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("dynasties")
        .table::<Dynasty>()
        .display(Display::new("dynasties", |state, _| Ok(show(state))).listed(6))
        .verb(Verb::new(&["vacate"], |said, d| vacate(said.sentence(), d)))
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
        asleep: roster::asleep(d),
        seq: d.seq,
    };
    d.put(&(count(d) + 1), dynasty);
    BlogNomic::mechanics().happened(dynasty::BEGUN, &json!({ "by": cu }), d);
    let asleep = before.map(|before| slept_through(d, &before)).unwrap_or_default();
    let robots = d.world.of_kind(ROBOT).cloned().collect();
    let list = |all: Vec<Id>| Value::List(all.into_iter().map(Value::Ref).collect());
    let given = [("by", Value::Ref(cu.clone())), ("robots", list(robots)), ("asleep", list(asleep))];
    let told = laws::done(d, "ascend", &given).and_then(Result::ok).map(|told| told.to_string());
    d.tell_all(format!("{name} begins: {how}.{}", told.unwrap_or_default()));
}

/// Leaves the office vacant, as a directive has it (N103).
fn vacate(office: &str, d: &mut D<'_>) -> Result<Option<String>, Refusal> {
    let held = control_unit(d).cloned().filter(|_| dynasty::is_office(office));
    let none = || Refusal::new(format!("nobody holds an office “{office}”")).instead("dynasties");
    held.ok_or_else(none).map(|cu| dynasty::vacate(d, &cu)).map(|()| None)
}

/// Takes a Dynasty back that began with an entry of which the effects are taken back (N59); gives how many there were
/// before it, too.
///
/// # Errors
///
/// A [`Refusal`] where another one has begun since.
pub(super) fn give_back(d: &mut D<'_>, seq: Seq) -> Result<Option<(Dynasty, u64)>, Refusal> {
    let found = d.rows::<Dynasty>().iter().rev().find(|(_, dynasty)| dynasty.seq == seq);
    let Some((&number, dynasty)) = found else { return Ok(None) };
    if number < count(d) || number == 1 {
        let name = dynasty.called(d);
        return Err(Refusal::new(format!("with entry {seq} began {name}, and nothing before it comes back"))
            .by(Thing::Tracker.rule(&d.rules))
            .instead("cfj list"));
    }
    Ok(d.delete::<Dynasty>(&number).map(|dynasty| (dynasty, number - 1)))
}

/// Begins a Dynasty again that was taken back; whether no other has begun since.
pub(super) fn use_up(d: &mut D<'_>, dynasty: &Dynasty, after: u64) -> bool {
    let last = count(d) == after;
    if last {
        d.put(&(after + 1), dynasty.clone());
    }
    last
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

/// All Dynasties, the present one first (N95, N96).
fn show(state: &State<BlogNomic>) -> Document {
    let rows = state.rows::<Dynasty>().values().rev().map(|dynasty| {
        vec![
            Cell::new(dynasty.called(state)),
            Cell::new(minute(dynasty.since)),
            Cell::new(state.frame.redaction_of_kept().text(&dynasty.how)),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let holder = match control_unit(state) {
        Some(cu) => format!("{} is Control Unit.", state.frame.name_of(cu)),
        None => "The office of Control Unit is vacant.".to_owned(),
    };
    Document::titled("dynasties", "Dynasties").para(holder).table(["Dynasty", "since", "how"], rows)
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
