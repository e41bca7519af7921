//! What a law leaves to the room's dice.
//!
//! Each draw is a number of the entry, under its own name or that of the law's rule, so that anybody can check it
//! afterwards.

use rhai::{Array, Dynamic, Engine, ImmutableString};

use kernel::rulebook::is_key;

use super::{
    super::{
        fault::{Given, faulty},
        limits::ACT_MAX_DRAWS,
        run::{Mode, On, on},
        values::{as_number, as_object},
    },
    look::{charge, get},
};

/// Most faces of one die.
const FACES_MAX_COUNT: u64 = 1_000_000_000;

/// Draws a number from 0, under the name of the rule where it has none of its own.
fn drawn(lent: &mut On<'_>, bound: u64, name: Option<&str>) -> Given<u64> {
    lent.run.undecided = true;
    if !matches!(lent.run.mode, Mode::Act) {
        return Err(faulty("dice are drawn by acts and what follows, not by looking"));
    }
    charge(10)?;
    if lent.run.taken(lent.stage).drawn >= ACT_MAX_DRAWS {
        return Err(faulty(format!("an act draws at most {ACT_MAX_DRAWS} numbers with all that follows")));
    }
    if bound == 0 || bound > FACES_MAX_COUNT {
        return Err(faulty(format!("there is nothing to draw from: 1 to {FACES_MAX_COUNT} things")));
    }
    let label = match name {
        Some(name) if !is_key(name) => {
            return Err(faulty(format!("“{name}” is no name of a draw: small letters, digits and hyphens")));
        }
        Some(name) => name.to_owned(),
        None => lent.run.rule().map(ToString::to_string).unwrap_or_default(),
    };
    Ok(lent.stage.draw(&label, bound))
}

fn pick(lent: &mut On<'_>, list: &mut Array, name: Option<&str>) -> Given<Dynamic> {
    let at = drawn(lent, u64::try_from(list.len()).unwrap_or_default(), name)?;
    Ok(list.remove(usize::try_from(at).unwrap_or_default()))
}

/// One of a list; `()` of an empty one.
fn pick_one(mut list: Array, name: Option<&str>) -> Given<Dynamic> {
    charge(list.len())?;
    if list.is_empty() { Ok(Dynamic::UNIT) } else { on(|lent| pick(lent, &mut list, name)) }
}

/// A number from 1.
fn draw(faces: i64, name: Option<&str>) -> Given<i64> {
    let drawn = on(|lent| drawn(lent, u64::try_from(faces).unwrap_or_default(), name))?;
    Ok(i64::try_from(drawn).unwrap_or_default() + 1)
}

fn pick_several(list: &Array, count: i64) -> Given<Array> {
    charge(list.len())?;
    let mut left = list.clone();
    let count = usize::try_from(count).unwrap_or_default().min(left.len());
    on(|lent| (0..count).map(|_| pick(lent, &mut left, None)).collect())
}

/// One of a list, each as likely as its number says; `()` where none has any.
fn weighted(list: &Array, attr: &str) -> Given<Dynamic> {
    on(|lent| {
        let mut weights = Vec::new();
        for is in list {
            let Some(obj) = as_object(is) else { return Err(faulty("pick_by picks objects")) };
            let weight = get(lent, &obj, attr)?;
            let weight = as_number(&weight).and_then(|weight| weight.to_u64());
            weights.push(weight.ok_or_else(|| faulty(format!("“{attr}” is no whole number from 0")))?);
        }
        let all = weights.iter().try_fold(0_u64, |sum, weight| sum.checked_add(*weight));
        let all = all.ok_or_else(|| faulty(format!("the numbers of “{attr}” are too large together")))?;
        if all == 0 {
            return Ok(Dynamic::UNIT);
        }
        let mut at = drawn(lent, all, None)?;
        for (is, weight) in list.iter().zip(weights) {
            if at < weight {
                return Ok(is.clone());
            }
            at -= weight;
        }
        Ok(Dynamic::UNIT)
    })
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("draw", |faces: i64| draw(faces, None));
    engine.register_fn("draw", |faces: i64, name: ImmutableString| draw(faces, Some(&name)));
    engine.register_fn("pick", |list: Array| pick_one(list, None));
    engine.register_fn("pick", |list: Array, name: ImmutableString| pick_one(list, Some(&name)));
    engine.register_fn("pick", |list: Array, count: i64| pick_several(&list, count));
    engine.register_fn("shuffle", |list: Array| {
        let count = i64::try_from(list.len()).unwrap_or_default();
        pick_several(&list, count)
    });
    engine.register_fn("pick_by", |list: Array, attr: ImmutableString| weighted(&list, &attr));
}
