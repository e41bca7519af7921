//! Exact numbers, and how values are written and compared.
//!
//! Division is exact: what is no whole number is a fraction. A number beyond its bound is a fault, never a float.

use std::cmp::Ordering;

use num_traits::Zero as _;
use rhai::{Dynamic, Engine, ImmutableString};

use kernel::{Num, time::minute};

use super::super::{
    ballots,
    fault::{Given, faulty},
    limits::NUMBER_MAX_BITS,
    names::called,
    params::shown,
    run::on,
    values::{Moment, Obj, Ratio, as_number, as_text, number, same},
    weight,
};

/// A number that a script may go on with.
fn within(value: Num) -> Given<Dynamic> {
    if Ratio(value.clone()).bits() > NUMBER_MAX_BITS {
        return Err(faulty("a number becomes too long"));
    }
    Ok(number(&value))
}

/// Charges for what is worked out of two numbers: that takes the square of their length.
fn worked(one: &Num, other: &Num) -> Given<()> {
    let long = |number: &Num| Ratio(number.clone()).bits() / BITS_OF_A_LIMB;
    let limbs = usize::try_from(long(one).max(long(other))).unwrap_or(usize::MAX);
    weight::charge(limbs.saturating_mul(limbs).saturating_mul(LIMB_OPERATIONS))
}

/// Bits that are multiplied at once.
const BITS_OF_A_LIMB: u64 = 64;
/// Operations for each two limbs: a fraction is brought to its lowest terms.
const LIMB_OPERATIONS: usize = 16;

fn of(held: &Dynamic) -> Given<Num> {
    as_number(held).ok_or_else(|| faulty(format!("{} is no number", called(held.type_name()))))
}

fn divided(one: &Dynamic, other: &Dynamic) -> Given<Dynamic> {
    let (one, other) = (of(one)?, of(other)?);
    worked(&one, &other)?;
    if other.as_rational().is_zero() {
        return Err(faulty("nothing is divided by 0"));
    }
    within(Num::from(one.as_rational() / other.as_rational()))
}

fn compared(one: &Dynamic, other: &Dynamic) -> Given<Ordering> {
    let (one, other) = (of(one)?, of(other)?);
    worked(&one, &other)?;
    Ok(one.cmp(&other))
}

macro_rules! arithmetic {
    ($engine:expr, $sign:literal, $does:expr) => {{
        let does = |one: &Num, other: &Num| -> Given<Dynamic> {
            worked(one, other)?;
            within($does(one, other))
        };
        $engine.register_fn($sign, move |one: Ratio, other: Ratio| does(&one.0, &other.0));
        $engine.register_fn($sign, move |one: Ratio, other: i64| does(&one.0, &Num::from(other)));
        $engine.register_fn($sign, move |one: i64, other: Ratio| does(&Num::from(one), &other.0));
    }};
}

macro_rules! comparison {
    ($engine:expr, $sign:literal, $holds:expr) => {{
        let holds = $holds;
        let compares = move |one: &Num, other: &Num| -> Given<bool> {
            worked(one, other)?;
            Ok(holds(one.cmp(other)))
        };
        $engine.register_fn($sign, move |one: Ratio, other: Ratio| compares(&one.0, &other.0));
        $engine.register_fn($sign, move |one: Ratio, other: i64| compares(&one.0, &Num::from(other)));
        $engine.register_fn($sign, move |one: i64, other: Ratio| compares(&Num::from(one), &other.0));
        $engine.register_fn($sign, move |one: Moment, other: Moment| holds(one.cmp(&other)));
    }};
}

/// Rounds a number.
fn rounded(held: &Dynamic, up: bool) -> Given<Dynamic> {
    let value = of(held)?;
    worked(&value, &value)?;
    let rational = value.as_rational();
    within(Num::from(if up { rational.ceil() } else { rational.floor() }))
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Ratio>("fraction");
    arithmetic!(engine, "+", |one: &Num, other: &Num| one + other);
    arithmetic!(engine, "-", |one: &Num, other: &Num| one - other);
    arithmetic!(engine, "*", |one: &Num, other: &Num| Num::from(one.as_rational() * other.as_rational()));
    engine.register_fn("/", |one: i64, other: i64| divided(&one.into(), &other.into()));
    engine.register_fn("/", |one: Ratio, other: i64| divided(&Dynamic::from(one), &other.into()));
    engine.register_fn("/", |one: i64, other: Ratio| divided(&one.into(), &Dynamic::from(other)));
    engine.register_fn("/", |one: Ratio, other: Ratio| divided(&Dynamic::from(one), &Dynamic::from(other)));
    engine.register_fn("-", |one: Ratio| number(&-&one.0));
    comparison!(engine, "<", |order: Ordering| order.is_lt());
    comparison!(engine, "<=", |order: Ordering| order.is_le());
    comparison!(engine, ">", |order: Ordering| order.is_gt());
    comparison!(engine, ">=", |order: Ordering| order.is_ge());
    engine.register_fn("floor", |held: Dynamic| rounded(&held, false));
    engine.register_fn("ceil", |held: Dynamic| rounded(&held, true));
    engine.register_fn("read_number", |text: ImmutableString| -> Dynamic {
        text.trim().parse().map_or(Dynamic::UNIT, |read: Num| number(&read))
    });
    engine.register_fn("min", |one: Dynamic, other: Dynamic| -> Given<Dynamic> {
        Ok(if compared(&one, &other)?.is_le() { one } else { other })
    });
    engine.register_fn("max", |one: Dynamic, other: Dynamic| -> Given<Dynamic> {
        Ok(if compared(&one, &other)?.is_ge() { one } else { other })
    });

    // What is compared with something of another type is another thing, and no fault.
    engine.register_fn("==", |one: Obj, other: Obj| one == other);
    engine.register_fn("!=", |one: Obj, other: Obj| one != other);
    engine.register_fn("==", |one: Ratio, other: Dynamic| same(&Dynamic::from(one), &other));
    engine.register_fn("!=", |one: Ratio, other: Dynamic| !same(&Dynamic::from(one), &other));
    engine.register_fn("==", |one: Moment, other: Dynamic| same(&Dynamic::from(one), &other));
    engine.register_fn("!=", |one: Moment, other: Dynamic| !same(&Dynamic::from(one), &other));
    engine.register_fn("==", |one: Obj, other: Dynamic| same(&Dynamic::from(one), &other));
    engine.register_fn("!=", |one: Obj, other: Dynamic| !same(&Dynamic::from(one), &other));
    engine.register_fn("==", |one: Dynamic, other: Obj| same(&one, &Dynamic::from(other)));
    engine.register_fn("!=", |one: Dynamic, other: Obj| !same(&one, &Dynamic::from(other)));

    for name in ["to_string", "to_debug"] {
        engine.register_fn(name, |obj: Obj| on(|lent| ballots::called(lent.stage, &lent.run.registry, &obj.0)));
        engine.register_fn(name, |ratio: Ratio| ratio.0.to_string());
        engine.register_fn(name, |at: Moment| minute(at.0));
    }
    engine.register_fn("+", |text: ImmutableString, held: Dynamic| -> Given<String> {
        weight::gone_through([&held])?;
        let made = format!("{text}{}", on(|lent| worded(lent.stage, &held)));
        weight::made(made.len())?;
        Ok(made)
    });
}

/// A value within a text.
fn worded(stage: &dyn super::super::stage::Stage, held: &Dynamic) -> String {
    as_text(held).unwrap_or_else(|| shown(stage, held))
}
