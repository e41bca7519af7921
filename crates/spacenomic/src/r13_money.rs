//! Money (S63 to S66): accounts in exact rational numbers, and transfers.
//!
//! The price of a vertex stands in `owners`, daily income in `income`, and what proposals pay in `pay`.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::{
    activity,
    game::{D, Spacenomic},
    law::Thing,
    moves::stir::poorer,
    roster::{by_name, player},
    stats::{ACCOUNT, called},
};
use kernel::{Act, Id, Mechanic, Num, Refusal, display::Document};

/// The word for where money goes that nobody gets.
const NOWHERE: &str = "nowhere";

/// Places behind the point of a number that is shown as a decimal one.
const DECIMALS_SHOWN_COUNT: usize = 6;

/// Longest fraction that is written out unasked, in bits of its two numbers: a line on a phone. An income can have
/// thousands of digits.
const WRITTEN_MAX_BITS: u64 = 200;

// ---- the mechanic

/// Money as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let transfer = Act::new("transfer", |Transfer { amount, to }, d: &mut D<'_>| pay(&amount, &to, d));
    Mechanic::new("money").act(transfer.by(Thing::Money.word()).player().public("pay 5 to NAME"))
}

kit::args! {
    /// The arguments of `transfer` (S64).
    Transfer { amount: Num, to: String }
}

/// An amount in words: `90 402/403 money units`.
pub(super) fn mixed(amount: &Num) -> String {
    let unit = if *amount == Num::from(1) { "money unit" } else { "money units" };
    format!("{} {unit}", short(amount))
}

/// Whether an amount is too long to be written out unasked.
pub(super) fn is_long(amount: &Num) -> bool {
    let exact = amount.as_rational();
    exact.numer().bits() + exact.denom().bits() > WRITTEN_MAX_BITS
}

/// An amount, exact where that is no longer than a line.
pub(super) fn short(amount: &Num) -> String {
    if is_long(amount) { decimal(amount) } else { amount.to_string() }
}

/// An amount as a decimal number, cut towards zero where it has no end: `about 90.997518`.
pub(super) fn decimal(amount: &Num) -> String {
    let scale = num_traits::pow(BigInt::from(10), DECIMALS_SHOWN_COUNT);
    let scaled = amount.as_rational() * &scale;
    let cut = scaled.trunc().to_integer();
    let sign = if cut.is_negative() { "-" } else { "" };
    let (whole, part) = (cut.abs() / &scale, cut.abs() % &scale);
    let part = format!("{part:0>DECIMALS_SHOWN_COUNT$}");
    let part = part.trim_end_matches('0');
    let shown = if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") };
    if (scaled - cut).is_zero() { shown } else { format!("about {shown}") }
}

/// Where money shall go, if anywhere.
fn to_whom(d: &D<'_>, to: &str, me: &Id) -> Result<Option<Id>, Refusal> {
    if to.trim().eq_ignore_ascii_case(NOWHERE) {
        return Ok(None);
    }
    let by = Thing::Money.rule(&d.rules);
    let to = by_name(d, to).map_err(|refusal| Refusal { rule: Some(by.clone()), ..refusal })?;
    if to == *me {
        let say = "money goes to another player or to nowhere, not to oneself";
        return Err(Refusal::new(say).by(by).instead("pay 5 to NAME"));
    }
    Ok(Some(to))
}

/// A player transfers money from eir own account (S64).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and for what is not above zero or more than the account holds. Also
/// for whom it cannot go to.
fn pay(amount: &Num, to: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let to = to_whom(d, to, &me)?;
    spend(d, &me, amount)?;
    let name = called(d, &me);
    let whom = match &to {
        Some(to) => {
            d.add(&ACCOUNT, to, amount.clone());
            called(d, to)
        }
        None => NOWHERE.to_owned(),
    };
    activity::acted(d, &me);
    d.tell_all(format!("{name} transfers {} to {whom}.", mixed(amount)));
    poorer(d, &me, "Your transfer");
    let left = d.world.get(&ACCOUNT, &me).unwrap_or_default();
    Ok(Document::say(format!("You have {}.", mixed(&left))))
}

/// Takes money out of a player's account by eir own will (S64, S66).
///
/// # Errors
///
/// A [`Refusal`] for what is not above zero, or more than the account holds.
pub(super) fn spend(d: &mut D<'_>, player: &Id, amount: &Num) -> Result<(), Refusal> {
    let by = Thing::Money.rule(&d.rules);
    let held = d.world.get(&ACCOUNT, player).unwrap_or_default();
    if amount.is_zero() || amount.is_negative() {
        return Err(Refusal::new("an amount that is transferred is above zero").by(by).instead("pay 5 to NAME"));
    }
    if *amount > held {
        let say = format!("{} is more than your account holds, which is {}", mixed(amount), mixed(&held));
        return Err(Refusal::new(say).by(by).instead("show people"));
    }
    d.add(&ACCOUNT, player, -amount);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fractions_are_cut_and_short_ones_are_not() {
        assert_eq!(short(&"90 402/403".parse().unwrap()), "90 402/403");
        let long: Num = format!("1/{}", "3".repeat(90)).parse().unwrap();
        assert_eq!((mixed(&long).as_str(), is_long(&long)), ("about 0 money units", true));
    }

    #[test]
    fn decimals_say_where_they_are_cut() {
        for (exact, shown) in [
            ("90 402/403", "about 90.997518"),
            ("-4 1/403", "about -4.002481"),
            ("1/4", "0.25"),
            ("-1/1000000", "-0.000001"),
            ("-1/3000000", "about 0"),
            ("97", "97"),
        ] {
            assert_eq!(decimal(&exact.parse().unwrap()), shown, "{exact}");
        }
    }
}
