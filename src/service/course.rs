//! How a figure of everybody moved, read backwards from the journal: a chart beside the history of a column.

use std::collections::BTreeMap;

use kernel::{
    Id, Instant, Num, Path, Value,
    display::{Block, Chart, Picture},
    engine::View,
    entry::Change,
    time::{day, seconds_after},
    world::Op,
};

use super::{
    deed::NotDone,
    hub::{Handle, Hub},
    journal::READ_PAGE_ENTRIES,
};

/// Most entries that a chart is made of; what lies before is left out.
const ENTRIES_MAX_COUNT: usize = 4 * READ_PAGE_ENTRIES as usize;

/// How many moments a chart shows.
const MOMENTS_COUNT: i64 = 12;

/// A chart that spans less than this tells times, and no days.
const DAYS_MIN_SECONDS: i64 = 2 * 86_400;

/// A figure of one object, from now back.
struct Course {
    /// What it was from each instant on, the newest first.
    steps: Vec<(Instant, Option<Num>)>,
    /// What it was before the last of them.
    before: Option<Num>,
}

impl Course {
    /// Takes note that it came to be what it was from an instant on.
    fn moved(&mut self, at: Instant, before: Option<Num>) {
        self.steps.push((at, std::mem::replace(&mut self.before, before)));
    }

    fn at(&self, at: Instant) -> Option<&Num> {
        let step = self.steps.iter().find(|(from, _)| *from <= at);
        step.map_or(self.before.as_ref(), |(_, number)| number.as_ref())
    }
}

/// How an attribute of numbers moved, by its name, of all that have it: in words and as a chart. There is nothing where
/// there is no such attribute, or it never moved.
///
/// # Errors
///
/// Where the journal cannot be read.
pub(super) async fn of(hub: &Hub, handle: &Handle, attr: &str, now: Instant) -> Result<Vec<Block>, NotDone> {
    let view = handle.view();
    let attr: Id = attr.trim().to_lowercase().into();
    let mut courses = present(&*view, &attr);
    if courses.is_empty() {
        return Ok(Vec::new());
    }
    let needle = format!(".{attr}\"");
    let (mut before, mut left, mut first) = (view.seq() + 1, ENTRIES_MAX_COUNT, now);
    while left > 0 {
        let page = hub.store().holding(handle.id, (&needle, None), (0, before), READ_PAGE_ENTRIES).await?;
        let Some(last) = page.last() else { break };
        before = last.seq;
        for entry in page.iter().take(left) {
            let Ok(open) = view.public(&entry.json) else { continue };
            for change in open.changes.iter().rev() {
                if back(&mut courses, change, &attr, open.at) {
                    // The chart begins with what was before.
                    first = seconds_after(open.at, -1);
                }
            }
        }
        left = left.saturating_sub(page.len());
    }
    if first >= now {
        return Ok(Vec::new());
    }
    let chart = chart(&*view, &courses, &attr, (first, now));
    Ok(vec![Block::Para(told(&chart)), Block::Picture(Picture::Chart(chart))])
}

/// What everybody has now.
fn present(view: &dyn View, attr: &Id) -> BTreeMap<Id, Course> {
    let world = view.world();
    let having = world.named(attr).iter().flat_map(|def| world.having(def));
    let course = |obj: &Id| match world.value(&Path::new(obj.clone(), attr.clone())) {
        Value::Num(number) => Some((obj.clone(), Course { steps: Vec::new(), before: Some(number) })),
        _ => None,
    };
    having.filter_map(course).collect()
}

/// Takes a change back; whether it was one to the attribute.
fn back(courses: &mut BTreeMap<Id, Course>, change: &Change, attr: &Id, at: Instant) -> bool {
    let mut moved = |obj: &Id, before: &dyn Fn(Option<&Num>) -> Option<Num>| {
        let course = courses.get_mut(obj);
        course.map(|course| course.moved(at, before(course.before.as_ref()))).is_some()
    };
    let number = |value: &Value| match value {
        Value::Num(number) => Some(number.clone()),
        _ => None,
    };
    match change {
        Change::World(Op::Add { at: path, by }) if path.attr == *attr => {
            moved(&path.obj, &|after| after.map(|after| after - by))
        }
        Change::World(Op::Set { at: path, was, .. }) if path.attr == *attr => moved(&path.obj, &|_| number(was)),
        Change::World(Op::Create { obj, .. } | Op::Restore { obj, .. }) => moved(obj, &|_| None),
        _ => false,
    }
}

/// Where each line of a chart begins and ends, for who sees no pictures.
fn told(chart: &Chart) -> String {
    let line = |(name, numbers): &(String, Vec<Option<i64>>)| {
        let mut known = numbers.iter().copied().flatten();
        let first = known.next()?;
        let last = known.next_back().unwrap_or(first);
        Some(if first == last { format!("{name} {last}") } else { format!("{name} {first} to {last}") })
    };
    let lines: Vec<String> = chart.lines.iter().filter_map(line).collect();
    let from = chart.moments.first().map_or("", String::as_str);
    format!("{} from {from} until now: {}.", chart.measure, lines.join(", "))
}

fn chart(view: &dyn View, courses: &BTreeMap<Id, Course>, attr: &Id, (first, now): (Instant, Instant)) -> Chart {
    let span = now.as_second().saturating_sub(first.as_second());
    let moment = |index: i64| {
        let second = first.as_second() + span * index / (MOMENTS_COUNT - 1);
        Instant::from_second(second).unwrap_or(now)
    };
    let moments: Vec<Instant> = (0..MOMENTS_COUNT - 1).map(moment).chain([now]).collect();
    let name = |at: &Instant| match span < DAYS_MIN_SECONDS {
        true => at.to_string()[11..16].to_owned(),
        false => day(*at)[5..].to_owned(),
    };
    let mut lines: Vec<_> = courses
        .iter()
        .map(|(obj, course)| {
            let numbers: Vec<_> = moments.iter().map(|at| course.at(*at).and_then(Num::floor)).collect();
            (view.called(obj), numbers)
        })
        .collect();
    lines.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.last().copied().flatten()));
    let measure = view.world().named(attr).first().map_or_else(|| attr.to_string(), |def| view.world().called(def));
    let moments = moments.iter().map(name).collect();
    Chart { measure, moments, lines, least_first: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Instant {
        Instant::from_second(second).unwrap()
    }

    /// Given what somebody has now, and the changes that led there, read backwards. Then every moment has its number.
    #[test]
    fn a_course_is_read_backwards() {
        let (obj, attr): (Id, Id) = ("player/ann".into(), "points".into());
        let path = Path::new(obj.clone(), attr.clone());
        let mut courses: BTreeMap<Id, Course> =
            [(obj.clone(), Course { steps: Vec::new(), before: Some(Num::from(9)) })].into();
        let other = Path::new("player/bob", "points");
        for (change, second, moved) in [
            (Op::Set { at: path.clone(), to: Value::Num(9.into()), was: Value::Num(7.into()) }, 40, true),
            (Op::Add { at: path.clone(), by: 2.into() }, 30, true),
            (Op::Add { at: other, by: 2.into() }, 25, false),
            (Op::Add { at: Path::new(obj.clone(), "power"), by: 2.into() }, 22, false),
            (Op::Create { obj: obj.clone(), kind: "player".into() }, 20, true),
        ] {
            assert_eq!(back(&mut courses, &Change::World(change), &attr, at(second)), moved, "at {second}");
        }
        let numbers: Vec<_> =
            [19, 20, 29, 30, 39, 40, 50].map(|second| courses[&obj].at(at(second)).and_then(Num::floor)).to_vec();
        assert_eq!(numbers, [None, Some(5), Some(5), Some(7), Some(7), Some(9), Some(9)]);
    }
}
