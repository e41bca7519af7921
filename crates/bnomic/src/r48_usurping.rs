//! Usurping ministries (4E48): Retainers that fall and are paid for, and who takes a ministry from its holder.
//!
//! Holders come and go in `ministries`.

use num_rational::BigRational;
use serde::Deserialize;

use super::{
    clock::hands,
    figures::{RETAINER_FALL, RETAINER_RATE, USURP_RETAINER, USURP_RETAINER_SUPPORTED},
    game::{BNomic, D},
    law::{Thing, established},
    ministries::{
        self,
        posts::{find, minister},
    },
    quantities, society,
    stats::{MINISTRY, RETAINER, SCORE, called},
};
use kernel::{
    Act, Id, Mechanic, Num, Refusal,
    display::{Document, counted},
    rulebook::LiveKey,
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let usurp = Act::new("usurp", |Which { ministry }, d| ministries::each(&ministry, d, usurp))
        .by(Thing::Retainers.word())
        .player()
        .public("ministry usurp NAME");
    let pay = Act::new("pay", |Pay { ministry, amount, way }, d| {
        let amount = quantities::points(d, &amount)?;
        pay(&ministry, &amount, way, d)
    });
    Mechanic::new("usurping").act(usurp).act(pay.by(Thing::Retainers.word()).player().public("ministry pay NAME up 5"))
}

kit::args! {
    /// The arguments of `usurp` (B48.5).
    Which { ministry: String }

    /// The arguments of `pay` (B48.4).
    Pay { ministry: String, amount: String, way: Way }
}

// ---- decide

/// A Player usurps a ministry alone (B48.5, B48.6).
///
/// # Errors
///
/// A [`Refusal`] while its Retainer lasts, for whoever held it in this nweek or the one before, and for its holder.
fn usurp(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let ministry = find(d, words)?;
    spent(d, &ministry, &me, &USURP_RETAINER)?;
    let nweek = hands::nweeks(d);
    let held = ministries::held_last(d, &ministry, &me);
    if held.is_some_and(|held| held >= nweek - 1) {
        let name = called(d, &ministry);
        return Err(Refusal::new(format!("you held {name} in this nweek or the one before"))
            .by(Thing::Retainers.rule(&d.rules))
            .instead(format!("intend usurp {name}")));
    }
    if let Some(held) = minister(d, &ministry).filter(|held| society::are_twins(d, held, &me)) {
        let name = called(d, &ministry);
        return Err(Refusal::new(format!("{}, who holds {name}, is your Twin", called(d, &held)))
            .by(Thing::Retainers.rule(&d.rules))
            .instead(format!("intend usurp {name}")));
    }
    seize(d, &ministry, &me)
}

/// Takes a ministry from whoever holds it.
fn seize(d: &mut D<'_>, ministry: &Id, me: &Id) -> Result<Document, Refusal> {
    let before = minister(d, ministry);
    ministries::release(d, ministry);
    ministries::install(d, ministry, me)?;
    let (mine, name) = (called(d, me), called(d, ministry));
    let from = before.map_or_else(|| "which was Vacant".to_owned(), |before| format!("from {}", called(d, &before)));
    d.tell_all(format!("{mine} usurps {name}, {from}."));
    Ok(Document::say(ministries::capital(format!("{name} is yours."))))
}

/// A Player usurps a ministry with support: only the Retainer bars it, as it stands when performed (B48.5).
///
/// # Errors
///
/// A [`Refusal`] while its Retainer lasts, and for its holder.
pub(super) fn usurp_with_support(me: &Id, ministry: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    spent(d, ministry, me, &USURP_RETAINER_SUPPORTED)?;
    seize(d, ministry, me)
}

/// Refuses while a ministry's Retainer lasts, and its own holder.
fn spent(d: &D<'_>, ministry: &Id, me: &Id, key: &LiveKey) -> Result<(), Refusal> {
    let (name, by) = (called(d, ministry), Thing::Retainers.rule(&d.rules));
    if !d.world.exists(ministry) {
        return Err(Refusal::new("that ministry is gone").by(by).instead("show ministries"));
    }
    let refuse = |say: String| Err(Refusal::new(say).by(by.clone()).instead("show ministries"));
    if minister(d, ministry).as_ref() == Some(me) {
        return refuse(format!("you hold {name} already; one usurps from somebody else or a vacancy"));
    }
    let (retainer, spent) = (d.world.get(&RETAINER, ministry).unwrap_or_default(), d.rules.need(key)?);
    if retainer > spent {
        return refuse(format!("{name} can be usurped at a Retainer of {spent} or less, and it stands at {retainer}"));
    }
    Ok(())
}

/// Which way a Retainer is moved.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// To more.
    Up,
    /// To less.
    Down,
}

/// A Player pays points to move a Retainer (B48.4).
///
/// # Errors
///
/// A [`Refusal`] where the amount is not whole, not positive, or more than the score.
fn pay(words: &str, amount: &Num, way: Way, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let ministry = find(d, words)?;
    let held = d.world.get(&SCORE, &me).unwrap_or_default();
    if !amount.is_whole() || amount.is_negative() || amount.is_zero() || *amount > held {
        return Err(Refusal::new(format!("you pay a whole number of points from 1 to your score, which is {held}"))
            .by(Thing::Retainers.rule(&d.rules))
            .instead("show society"));
    }
    let moved = Num::from(BigRational::clone(amount.as_rational()) * d.rules.need(&RETAINER_RATE)?.as_rational());
    d.add(&SCORE, &me, -amount);
    d.add(&RETAINER, &ministry, if way == Way::Up { moved } else { -&moved });
    let (mine, name) = (called(d, &me), called(d, &ministry));
    let now = d.world.get(&RETAINER, &ministry).unwrap_or_default();
    d.tell_all(format!("{mine} pays {}; the Retainer of {name} is {now}.", counted(amount, "point")));
    Ok(Document::say(format!("The Retainer of {name} is {now}.")))
}

// ---- due

/// An nweek ends: Retainers fall (B48.2).
pub(super) fn retainers_fall(d: &mut D<'_>) {
    let played = established(&d.rules, Thing::Ministries).and(established(&d.rules, Thing::Retainers));
    let (Ok(()), Ok(fall)) = (played, d.rules.need(&RETAINER_FALL)) else { return };
    let all: Vec<Id> = d.world.of_kind(MINISTRY).cloned().collect();
    for ministry in &all {
        d.add(&RETAINER, ministry, -&fall);
    }
}
