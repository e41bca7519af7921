//! A graph whose vertices have whole coordinates: the content of a map, and how it reads in characters.
//!
//! Edges and coordinates are two things here: an edge may join what lies far apart, and neighbours may lack one. A
//! picture has room for a part of the plane only. Which part is worked out here, for characters and for drawn pictures
//! alike, and what it leaves out is told. Painters choose colours and lines.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Serialize};

use super::cell::Cell;

/// Vertices that a picture is wide and high at most: more could not be told apart.
pub const PICTURE_SIDE_COUNT: i64 = 25;

/// Vertices that a map in characters is wide at most. With four characters each and its margin it fits a line of IRC
/// and a narrow terminal.
const TEXT_WIDTH_COUNT: i64 = 17;

/// Vertices that a map in characters is high at most, so that it is seen whole on a terminal.
const TEXT_HEIGHT_COUNT: i64 = 9;

/// Characters from one vertex to the next.
const STEP_CHARS: usize = 4;

/// Most items of a sentence below a map; how many more there are is said.
const LISTED_MAX_COUNT: usize = 40;

/// The marks of groups, in order: no `o`, which marks what belongs to none, and no `X` and no `x`, which is where edges cross.
const MARKS: &str = "ABCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnpqrstuvwyz";

/// The mark of a group after those, and of a vertex that belongs to none.
const OTHER_MARK: char = '*';
const UNGROUPED_MARK: char = 'o';

/// What stands beside the figure of a vertex where somebody is who is turned.
const TURNED_MARK: char = '~';

/// Farthest coordinate that lines are worked out with: what lies beyond is drawn as if it lay there.
const COORDINATE_MAX_COUNT: i64 = 1 << 56;

/// A point of the plane.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Place {
    /// To the right.
    pub x: i64,
    /// Upwards.
    pub y: i64,
}

/// A part of the plane: two corners, both inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Below at the left.
    pub low: Place,
    /// Above at the right.
    pub high: Place,
}

/// A graph, or as much of it as anybody could look at at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Graph {
    /// What lies in the middle where not all of it fits.
    pub centre: Place,
    /// The place that somebody asked for, which is marked where it is seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Place>,
    /// No two of them on one place.
    pub vertices: Vec<Vertex>,
    /// Each once, in either direction; one that reaches out of the picture, or through it, has one end or none among the
    /// vertices.
    pub edges: Vec<(Place, Place)>,
    /// Whose the vertices are: each group has a mark by its place in this list.
    pub groups: Vec<Cell>,
    /// What a vertex is that belongs to no group: `nobody’s`.
    pub ungrouped: String,
    /// What is said of those at a vertex who are turned: `mirrored`.
    pub turned: String,
    /// How many vertices there are in all, of which these are a part.
    pub total: usize,
}

/// A vertex.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Vertex {
    /// Where it is.
    pub at: Place,
    /// What it is called, and where that leads.
    pub cell: Cell,
    /// The group that it belongs to, by place in the list.
    pub group: Option<usize>,
    /// Who or what is there, those who are turned last.
    pub there: Vec<Cell>,
    /// How many of them are turned.
    pub turned: usize,
}

impl Place {
    /// A point.
    pub const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    /// The same, not so far away that products of two coordinates could not be counted.
    pub fn tamed(self) -> Self {
        let tame = |value: i64| value.clamp(-COORDINATE_MAX_COUNT, COORDINATE_MAX_COUNT);
        Self::new(tame(self.x), tame(self.y))
    }

    /// Whether two points are next to each other: a step along a line, a column or across.
    pub fn is_next_to(self, other: Self) -> bool {
        self != other && self.x.abs_diff(other.x) <= 1 && self.y.abs_diff(other.y) <= 1
    }

    /// Whether it lies on the straight line between two other points.
    pub fn is_between(self, a: Self, b: Self) -> bool {
        let (at, a, b) = (self.tamed(), a.tamed(), b.tamed());
        let far = |from: Self, to: Self| (i128::from(to.x) - i128::from(from.x), i128::from(to.y) - i128::from(from.y));
        let (to_a, to_b) = (far(at, a), far(at, b));
        // On the line where they point the same way or opposite ways, and between where opposite.
        to_a.0 * to_b.1 == to_a.1 * to_b.0 && to_a.0 * to_b.0 + to_a.1 * to_b.1 < 0
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl Window {
    /// The part of the plane in which these points lie, or as much of it as may be so wide and high. It has `centre` in
    /// the middle as far as there is something on both sides of it. Nothing of nothing.
    pub fn of(places: impl IntoIterator<Item = Place>, centre: Place, wide: i64, high: i64) -> Option<Self> {
        let mut places = places.into_iter();
        let first = places.next()?;
        let (mut low, mut top) = (first, first);
        for Place { x, y } in places {
            low = Place::new(low.x.min(x), low.y.min(y));
            top = Place::new(top.x.max(x), top.y.max(y));
        }
        let (left, right) = span(low.x, top.x, centre.x, wide);
        let (below, above) = span(low.y, top.y, centre.y, high);
        Some(Self { low: Place::new(left, below), high: Place::new(right, above) })
    }

    /// Whether a point is inside.
    pub fn holds(self, at: Place) -> bool {
        (self.low.x..=self.high.x).contains(&at.x) && (self.low.y..=self.high.y).contains(&at.y)
    }
}

impl Window {
    /// From which to which part of the straight line between two points it lies in here, the half step around the
    /// window's own points included. It is two fractions of the way, each with its denominator above zero. Nothing
    /// where it passes by.
    pub fn part(self, a: Place, b: Place) -> Option<[(i128, i128); 2]> {
        let (a, b) = (a.tamed(), b.tamed());
        let doubled = |value: i64| i128::from(value) * 2;
        let (mut enters, mut leaves) = ((0, 1), (1, 1));
        for (from, to, low, high) in [(a.x, b.x, self.low.x, self.high.x), (a.y, b.y, self.low.y, self.high.y)] {
            let (from, way) = (doubled(from), doubled(to) - doubled(from));
            let (low, high) = (doubled(low) - 1, doubled(high) + 1);
            if way == 0 {
                if !(low..=high).contains(&from) {
                    return None;
                }
                continue;
            }
            // Towards which side it goes says which of the two it meets first.
            let (first, last) = if way > 0 { (low - from, high - from) } else { (from - high, from - low) };
            let whole = way.abs();
            if first * enters.1 > enters.0 * whole {
                enters = (first, whole);
            }
            if last * leaves.1 < leaves.0 * whole {
                leaves = (last, whole);
            }
        }
        // A line that touches a corner only is not seen.
        (enters.0 * leaves.1 < leaves.0 * enters.1).then_some([enters, leaves])
    }

    /// Whether an edge passes through here and has neither end here.
    pub fn is_crossed(self, a: Place, b: Place) -> bool {
        !self.holds(a) && !self.holds(b) && self.part(a, b).is_some()
    }
}

/// As much of a line as may be so long, with a point in the middle as far as the line goes on around it.
fn span(low: i64, high: i64, centre: i64, most: i64) -> (i64, i64) {
    let most = most.max(1);
    if high.saturating_sub(low) < most {
        return (low, high);
    }
    let last = high.saturating_sub(most - 1);
    let from = centre.saturating_sub(most / 2).clamp(low, last);
    (from, from.saturating_add(most - 1))
}

impl Graph {
    /// The part of it that a picture of at most so many vertices' width and height shows; nothing where it has no vertex.
    pub fn window(&self, wide: i64, high: i64) -> Option<Window> {
        Window::of(self.vertices.iter().map(|vertex| vertex.at), self.centre, wide, high)
    }

    /// The character that stands for a vertex of a group, or of none.
    pub fn mark(&self, group: Option<usize>) -> char {
        match group.filter(|group| *group < self.groups.len()) {
            Some(group) => MARKS.chars().nth(group).unwrap_or(OTHER_MARK),
            None => UNGROUPED_MARK,
        }
    }

    /// What a vertex's group is called.
    pub fn group_name(&self, vertex: &Vertex) -> &str {
        vertex.group.and_then(|group| self.groups.get(group)).map_or(self.ungrouped.as_str(), |cell| &cell.text)
    }

    /// Who is at a vertex, in words.
    fn people(&self, vertex: &Vertex) -> String {
        let plain = vertex.there.len().saturating_sub(vertex.turned);
        let name = |(index, cell): (usize, &Cell)| match index < plain {
            true => cell.text.clone(),
            false => format!("{} ({})", cell.text, self.turned),
        };
        vertex.there.iter().enumerate().map(name).collect::<Vec<_>>().join(", ")
    }

    /// A vertex in words.
    pub fn told(&self, vertex: &Vertex) -> String {
        let mut out = format!("{}: {}", vertex.cell.text, self.group_name(vertex));
        if !vertex.there.is_empty() {
            out.push_str(&format!("; there: {}", self.people(vertex)));
        }
        out
    }

    /// All of it as a table: every vertex with its group, who is there, and what it is joined to.
    pub fn table(&self) -> (Vec<String>, Vec<Vec<Cell>>) {
        let mut joined: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
        for (a, b) in &self.edges {
            joined.entry(*a).or_default().insert(*b);
            joined.entry(*b).or_default().insert(*a);
        }
        let row = |vertex: &Vertex| {
            let group = vertex.group.and_then(|group| self.groups.get(group)).cloned();
            let there = match &vertex.there[..] {
                [one] => Cell { text: self.people(vertex), ..one.clone() },
                _ => Cell::new(self.people(vertex)),
            };
            let others: Vec<String> = joined.get(&vertex.at).into_iter().flatten().map(Place::to_string).collect();
            let whose = group.unwrap_or_else(|| Cell::new(self.ungrouped.clone()));
            vec![vertex.cell.clone(), whose, there, Cell::new(others.join(" "))]
        };
        let head = ["", "whose", "there", "joined to"].map(str::to_owned).to_vec();
        (head, self.vertices.iter().map(row).collect())
    }

    /// It in characters, no wider than so many columns. It has a line for each row of vertices and one between two,
    /// with the coordinates at the left and below. So no line is empty and none depends on the one before.
    pub fn drawn(&self, columns: usize) -> Vec<String> {
        let Some(window) = self.text_window(columns) else { return Vec::new() };
        let margin = margin(window);
        let edges: BTreeSet<(Place, Place)> = self.edges.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        let joined = |a: Place, b: Place| window.holds(a) && window.holds(b) && edges.contains(&(a, b));
        let shown: BTreeMap<Place, &Vertex> = self.vertices.iter().map(|vertex| (vertex.at, vertex)).collect();
        let mut out = Vec::new();
        for y in (window.low.y..=window.high.y).rev() {
            let (mut row, mut below) = (format!("{y:>margin$}: "), format!("{:>margin$}: ", ""));
            for x in window.low.x..=window.high.x {
                let at = Place::new(x, y);
                let (right, down, across) = (Place::new(x + 1, y), Place::new(x, y - 1), Place::new(x + 1, y - 1));
                let (mark, there) = match shown.get(&at) {
                    Some(vertex) => (self.mark(vertex.group), digit(vertex.there.len())),
                    None => (' ', None),
                };
                let level = if joined(at, right) { '-' } else { ' ' };
                let turned = shown.get(&at).is_some_and(|vertex| vertex.turned > 0);
                row.extend([mark, there.unwrap_or(level), if turned { TURNED_MARK } else { level }, level]);
                let upright = if joined(at, down) { '|' } else { ' ' };
                let crossing = match (joined(at, across), joined(down, right)) {
                    (true, true) => 'X',
                    (true, false) => '\\',
                    (false, true) => '/',
                    (false, false) => ' ',
                };
                below.extend([upright, ' ', crossing, ' ']);
            }
            out.push(row.trim_end().to_owned());
            if y > window.low.y {
                out.push(below.trim_end().to_owned());
            }
        }
        out.push(axis(window, margin, columns));
        out
    }

    /// What goes below it in characters: whose mark is whose, and what there is no room for.
    pub fn legend(&self, columns: usize) -> Vec<String> {
        let Some(window) = self.text_window(columns) else { return vec!["There is no vertex.".to_owned()] };
        let seen = || self.vertices.iter().filter(|vertex| window.holds(vertex.at));
        let groups: BTreeSet<usize> = seen().filter_map(|vertex| vertex.group).collect();
        let whose = groups.iter().filter_map(|group| Some((*group, self.groups.get(*group)?)));
        let mut marks: Vec<String> =
            whose.map(|(group, cell)| format!("{} {}", self.mark(Some(group)), cell.text)).collect();
        if seen().any(|vertex| self.mark(vertex.group) == UNGROUPED_MARK) {
            marks.push(format!("{UNGROUPED_MARK} {}", self.ungrouped));
        }
        let turned = match seen().any(|vertex| vertex.turned > 0) {
            true => format!(", {TURNED_MARK} beside it says that somebody there is {}", self.turned),
            false => String::new(),
        };
        let mut out = vec![format!("{}. A figure counts who is there{turned}.", listed(marks, ", "))];
        out.extend(self.said(window));
        out
    }

    /// An edge by what its ends are called, or by where they are.
    pub fn joined(&self, a: Place, b: Place) -> String {
        let name = |at: Place| self.vertices.iter().find(|vertex| vertex.at == at).map(|vertex| &vertex.cell.text);
        let end = |at: Place| name(at).filter(|name| !name.is_empty()).map_or_else(|| at.to_string(), Clone::clone);
        format!("{} to {}", end(a), end(b))
    }

    /// Whether a vertex stands on the straight line between two others.
    pub fn is_between(&self, a: Place, b: Place) -> bool {
        self.vertices.iter().any(|vertex| vertex.at.is_between(a, b))
    }

    /// What a picture of a part does not say in words: who is where, which edges reach far, and what part it is.
    pub fn said(&self, window: Window) -> Vec<String> {
        let mut out = Vec::new();
        let seen = self.vertices.iter().filter(|vertex| window.holds(vertex.at) && !vertex.there.is_empty());
        let there: Vec<String> = seen.map(|vertex| format!("{}: {}", vertex.cell.text, self.people(vertex))).collect();
        if !there.is_empty() {
            out.push(format!("There: {}.", listed(there, "; ")));
        }
        let far = self.edges.iter().filter(|(a, b)| !a.is_next_to(*b) && (window.holds(*a) || window.holds(*b)));
        let far: Vec<String> = far.map(|(a, b)| self.joined(*a, *b)).collect();
        if !far.is_empty() {
            out.push(format!("Edges that reach farther: {}.", listed(far, "; ")));
        }
        let through = self.edges.iter().filter(|(a, b)| window.is_crossed(*a, *b));
        let through: Vec<String> = through.map(|(a, b)| self.joined(*a, *b)).collect();
        if !through.is_empty() {
            out.push(format!("Edges that pass through: {}.", listed(through, "; ")));
        }
        let shown = self.vertices.iter().filter(|vertex| window.holds(vertex.at)).count();
        if shown < self.total {
            let Window { low, high } = window;
            out.push(format!("Shown from {low} to {high}: {shown} of {} vertices.", self.total));
        }
        out
    }

    /// The part that is shown in characters.
    fn text_window(&self, columns: usize) -> Option<Window> {
        let widest = margin(self.window(i64::MAX, TEXT_HEIGHT_COUNT)?);
        let room = columns.saturating_sub(widest + 2) / STEP_CHARS;
        let wide = i64::try_from(room).unwrap_or(TEXT_WIDTH_COUNT).clamp(1, TEXT_WIDTH_COUNT);
        self.window(wide, TEXT_HEIGHT_COUNT)
    }

    /// Every cell, in reading order.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        let vertices = self.vertices.iter().flat_map(|vertex| std::iter::once(&vertex.cell).chain(&vertex.there));
        vertices.chain(&self.groups)
    }

    /// Goes through every text that a reader sees, or that comes back from one.
    pub(super) fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        for vertex in &mut self.vertices {
            vertex.cell.each_text(change);
            vertex.there.iter_mut().for_each(|cell| cell.each_text(change));
        }
        self.groups.iter_mut().for_each(|cell| cell.each_text(change));
        change(&mut self.ungrouped);
        change(&mut self.turned);
    }
}

/// How wide the coordinates at the left are.
fn margin(window: Window) -> usize {
    [window.low.y, window.high.y].map(|y| y.to_string().len()).into_iter().max().unwrap_or(0)
}

/// The coordinates below: each under its column, and left out where it has no room.
fn axis(window: Window, margin: usize, columns: usize) -> String {
    let mut out = format!("{:>margin$}  ", "");
    let start = out.len();
    for (column, x) in (window.low.x..=window.high.x).enumerate() {
        let (place, text) = (start + column * STEP_CHARS, x.to_string());
        if column == 0 || out.len() < place && place + text.len() <= columns {
            out.push_str(&" ".repeat(place - out.len()));
            out.push_str(&text);
        }
    }
    out
}

/// How many are there, in one character; nothing of nobody.
fn digit(count: usize) -> Option<char> {
    match count {
        0 => None,
        1..=9 => u32::try_from(count).ok().and_then(|count| char::from_digit(count, 10)),
        _ => Some('+'),
    }
}

/// Items of a sentence, and how many are left out of it.
fn listed(mut items: Vec<String>, between: &str) -> String {
    let more = items.len().saturating_sub(LISTED_MAX_COUNT);
    items.truncate(LISTED_MAX_COUNT);
    let out = items.join(between);
    if more > 0 { format!("{out}{between}and {more} more") } else { out }
}

#[cfg(test)]
mod tests;
