//! Ways on a map that a law keeps: the shortest from one place to another.

use std::collections::{BTreeMap, VecDeque};

use rhai::{Array, Dynamic, Engine};

use super::{
    super::{
        fault::{Given, faulty},
        values::value,
    },
    look::charge,
};

/// What tells places apart: they are whatever a room keeps, such as objects, numbers and texts.
fn key(place: &Dynamic) -> Given<String> {
    Ok(format!("{:?}", value(place)?))
}

/// The places on the shortest way from one to another, both included; of several that are as short, the one whose lines
/// are named first. Lines lead both ways. Without a way there are none.
fn route(from: &Dynamic, to: &Dynamic, lines: &Array) -> Given<Array> {
    charge(lines.len())?;
    let mut places: BTreeMap<String, (Dynamic, Vec<String>)> = BTreeMap::new();
    for line in lines {
        let ends =
            line.read_lock::<Array>().filter(|ends| ends.len() == 2).map(|ends| [ends[0].clone(), ends[1].clone()]);
        let [one, other] = ends.ok_or_else(|| faulty("a line of a map joins two places: [here, there]"))?;
        let keys = [key(&one)?, key(&other)?];
        for (place, own, joined) in [(one, &keys[0], &keys[1]), (other, &keys[1], &keys[0])] {
            places.entry(own.clone()).or_insert_with(|| (place, Vec::new())).1.push(joined.clone());
        }
    }
    let (start, end) = (key(from)?, key(to)?);
    if start == end {
        return Ok(vec![from.clone()]);
    }
    let mut before: BTreeMap<String, String> = BTreeMap::from([(start.clone(), start.clone())]);
    let mut reached = VecDeque::from([start.clone()]);
    while let Some(here) = reached.pop_front() {
        let joined = places.get(&here).map_or(&[][..], |(_, joined)| joined);
        charge(joined.len())?;
        for there in joined {
            if !before.contains_key(there) {
                before.insert(there.clone(), here.clone());
                reached.push_back(there.clone());
            }
        }
        if before.contains_key(&end) {
            break;
        }
    }
    let mut way = Vec::new();
    let mut here = &end;
    while let Some(earlier) = before.get(here) {
        way.extend(places.get(here).map(|(place, _)| place.clone()));
        if *here == start {
            break;
        }
        here = earlier;
    }
    way.reverse();
    Ok(way)
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("route", |from: Dynamic, to: Dynamic, lines: Array| route(&from, &to, &lines));
}
