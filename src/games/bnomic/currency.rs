//! Points, currency and mackerel (4E17, 4E33, 4E34): giving, exchanging, and what every nweek brings.
//!
//! A gift or an exchange happens whole or not at all: where one of the two values cannot hold its new amount, neither
//! moves (B33.2, B33.3). Absent: what earns points.

use num_rational::BigRational;

use super::{
    D, Id, Refusal,
    display::Document,
    figures::{MACKEREL_NWEEK, MACKEREL_RATE, MACKEREL_START},
    law::{Thing, established},
    public, quantities, society,
    stats::{ACTIVE, MACKEREL, SCORE, called},
};
use crate::kernel::Num;

/// Gives a new Player the mackerel that one has at first (B11.2, B34.1).
pub(super) fn endow(d: &mut D<'_>, player: &Id) {
    if established(&d.rules, Thing::Currency).is_ok()
        && let Ok(start) = d.rules.need(&MACKEREL_START)
    {
        d.set(&MACKEREL, player, start);
    }
}

/// A Player gives mackerel to another (B33.2).
///
/// # Errors
///
/// A [`Refusal`] for outsiders, for oneself, and for an amount that the purse does not hold.
pub(super) fn give(amount: &str, to: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Currency)?;
    let me = society::player(d)?;
    public(d, "mackerel give NAME m5")?;
    let to = society::other(d, to, Some(&me))?;
    let amount = purse(d, amount)?;
    let held = d.world.get(&MACKEREL, &me).unwrap_or_default();
    let by = Thing::Currency.rule(&d.rules);
    if held.is_zero() || amount.is_negative() || !amount.is_whole() || amount > held {
        return Err(Refusal::new(format!("you give a whole amount from 0 to what you have, which is m{held}"))
            .by(by)
            .instead("show society"));
    }
    d.add(&MACKEREL, &me, -&amount);
    d.add(&MACKEREL, &to, amount.clone());
    let (mine, theirs) = (called(d, &me), called(d, &to));
    d.tell_all(format!("{mine} gives m{amount} to {theirs}."));
    Ok(Document::say("Done."))
}

/// A Player exchanges points for mackerel (B33.3).
///
/// # Errors
///
/// A [`Refusal`] for outsiders, for an amount beyond the score, and where the result would be no whole number.
pub(super) fn exchange(amount: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Currency)?;
    established(&d.rules, Thing::Points)?;
    let me = society::player(d)?;
    public(d, "mackerel exchange 3")?;
    let points = quantities::read(d, amount)?;
    let (held, rate) = (d.world.get(&SCORE, &me).unwrap_or_default(), d.rules.need(&MACKEREL_RATE)?);
    let by = Thing::Currency.rule(&d.rules);
    if !points.is_whole() || points.is_negative() || points > held {
        return Err(Refusal::new(format!(
            "you exchange a whole number of points from 0 to your score, which is {held}"
        ))
        .by(by)
        .instead("show society"));
    }
    let gained = Num::from(BigRational::clone(points.as_rational()) * rate.as_rational());
    if !gained.is_whole() {
        return Err(Refusal::new(format!(
            "{points} points are m{gained} at a rate of {rate}, which no purse holds; nothing is exchanged"
        ))
        .by(by)
        .instead("mackerel exchange 2"));
    }
    d.add(&SCORE, &me, -&points);
    d.add(&MACKEREL, &me, gained.clone());
    let mine = called(d, &me);
    d.tell_all(format!("{mine} exchanges {points} points for m{gained}."));
    Ok(Document::say(format!("You gain m{gained}.")))
}

/// An amount of mackerel as people write it: `m50`, `50m`, `50 macks`, a bare number, a quantity with a name (B34.1).
fn purse(d: &D<'_>, words: &str) -> Result<Num, Refusal> {
    let lower = words.trim().to_lowercase();
    let bare = ["mackerel", "macks", "mack"].iter().find_map(|unit| lower.strip_suffix(unit));
    let bare = bare.unwrap_or(&lower).trim();
    let digits = |text: &str| text.starts_with(|char: char| char.is_ascii_digit() || char == '-');
    let bare = bare.strip_prefix('m').filter(|rest| digits(rest)).unwrap_or(bare);
    let bare = bare.strip_suffix('m').filter(|rest| digits(rest)).unwrap_or(bare);
    quantities::read(d, bare)
}

/// An nweek begins: the Active are paid (B34.2).
pub(super) fn nweek_begins(d: &mut D<'_>) {
    if established(&d.rules, Thing::Currency).is_err() {
        return;
    }
    let Ok(paid) = d.rules.need(&MACKEREL_NWEEK) else { return };
    let active: Vec<Id> =
        society::players(d).filter(|id| d.world.get(&ACTIVE, id).unwrap_or_default()).cloned().collect();
    if active.is_empty() {
        return;
    }
    for player in &active {
        d.add(&MACKEREL, player, paid.clone());
    }
    let names: Vec<String> = active.iter().map(|id| called(d, id)).collect();
    d.tell_all(format!("The Active Players gain m{paid}: {}.", names.join(", ")));
}
