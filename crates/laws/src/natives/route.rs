//! Ways on a map that a law keeps: the shortest from one place to another.

use std::collections::BTreeMap;

use pathfinding::directed::bfs::bfs;
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
    // Each line is gone through when it is read, and from either end.
    charge(lines.len() * 3)?;
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
    let joined = |here: &String| places.get(here).map(|(_, joined)| joined.clone()).unwrap_or_default();
    let way = bfs(&start, joined, |here| *here == end).unwrap_or_default();
    Ok(way.iter().filter_map(|here| places.get(here)).map(|(place, _)| place.clone()).collect())
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("route", |from: Dynamic, to: Dynamic, lines: Array| route(&from, &to, &lines));
}
