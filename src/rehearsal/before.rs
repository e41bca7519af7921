//! A rehearsal with something before it: what it holds has to hold as well in a room that has seen more.
//!
//! The rehearsal itself happens at the times at which it would have happened anyhow.

use jiff::SignedDuration;

use super::{
    moment::{Moment, start},
    parse::BadScript,
    script::{Act, Item, Place, Script},
};

/// The name of the lines that [`Script::after`] puts before a rehearsal.
const BEFORE: &str = "before";

impl Script {
    /// The same rehearsal with something before it: these lines, in the first room that it opens, which opens so many
    /// days earlier. The rest happens at the times at which it would have happened anyhow. What is told of the lines
    /// before names them `before`.
    ///
    /// # Errors
    ///
    /// [`BadScript::Lines`] where the lines cannot be read.
    pub fn after(&self, days: i64, before: &str) -> Result<Self, BadScript> {
        let before = Self::parse(BEFORE, before, None)?;
        let is_act = |item: &Item| matches!(item, Item::Act(_));
        let room = self.items.iter().position(|(_, item)| matches!(item, Item::Act(Act::Room(_))));
        let room = room.unwrap_or(self.items.len());
        let follows = self.items.iter().skip(room + 1).position(|(_, item)| is_act(item));
        let split = follows.map_or(self.items.len(), |index| room + 1 + index);
        let place = Place { file: BEFORE.into(), line: 0 };
        let mut begin = start();
        let mut opening = Vec::new();
        for (at, item) in &self.items[..split] {
            match item {
                Item::Act(Act::At(moment)) => begin = moment.seen_from(begin),
                other => opening.push((at.clone(), other.clone())),
            }
        }
        let earlier = begin.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(begin);
        let mut items = vec![(place.clone(), Item::Act(Act::At(Moment::Exact(earlier))))];
        items.extend(opening);
        items.extend(before.items);
        items.push((place, Item::Act(Act::At(Moment::Exact(begin)))));
        items.extend(self.items[split..].iter().cloned());
        Ok(Self { items, ..self.clone() })
    }
}
