//! The map of Space (S35, S67, S84): a window of it in characters, with owners, edges and players.
//!
//! A character map has room for edges between neighbours by coordinates; edges that reach farther are listed. Absent:
//! Space itself (`space`).

use std::collections::BTreeMap;

use super::{
    Id, Refusal, Spacenomic, State,
    display::{Block, Cell, Document},
    location, society,
    space::{self, Spot, owner_called, player_owned},
    stats::called,
};
use crate::kernel::game::Viewer;

/// Vertices that a window is wide: with four characters each it fits a line of IRC.
const WINDOW_WIDTH_COUNT: i64 = 17;
/// Vertices that a window is high.
const WINDOW_HEIGHT_COUNT: i64 = 11;
/// Most lines of a list below the window.
const LISTED_MAX_COUNT: usize = 60;

/// A part of the plane: two corners, both inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    low: Spot,
    high: Spot,
}

impl Window {
    fn holds(self, at: Spot) -> bool {
        (self.low.x..=self.high.x).contains(&at.x) && (self.low.y..=self.high.y).contains(&at.y)
    }

    /// As large as a window gets, around a place.
    fn around(at: Spot) -> Self {
        let (right, up) = (WINDOW_WIDTH_COUNT / 2, WINDOW_HEIGHT_COUNT / 2);
        Self { low: Spot { x: at.x - right, y: at.y - up }, high: Spot { x: at.x + right, y: at.y + up } }
    }

    /// The whole of Space where it fits; else around whoever looks, or around the middle.
    fn of(state: &State<Spacenomic>, middle: Option<Spot>) -> Option<Self> {
        let mut all = state.game.space.vertices().map(|(at, _)| at);
        let first = all.next()?;
        let whole = all.fold(Self { low: first, high: first }, |Self { low, high }, at| Self {
            low: Spot { x: low.x.min(at.x), y: low.y.min(at.y) },
            high: Spot { x: high.x.max(at.x), y: high.y.max(at.y) },
        });
        let (width, height) = (whole.high.x - whole.low.x + 1, whole.high.y - whole.low.y + 1);
        if width <= WINDOW_WIDTH_COUNT && height <= WINDOW_HEIGHT_COUNT {
            return Some(whole);
        }
        let centre = Spot { x: whole.low.x + width / 2, y: whole.low.y + height / 2 };
        Some(Self::around(middle.unwrap_or(centre)))
    }
}

/// Who stands where.
fn standing(state: &State<Spacenomic>) -> BTreeMap<Spot, Vec<Id>> {
    let mut found: BTreeMap<Spot, Vec<Id>> = BTreeMap::new();
    for player in society::players(state) {
        if let Some(at) = location::of(state, player) {
            found.entry(at).or_default().push(player.clone());
        }
    }
    found
}

/// A mark for each player who owns something: `A`, `B` and so on; `*` where the letters are used up.
fn marks(state: &State<Spacenomic>, window: Window) -> BTreeMap<Id, char> {
    let shown = state.game.space.vertices().filter(|(at, _)| window.holds(*at));
    let owners: std::collections::BTreeSet<&Id> =
        shown.map(|(_, owner)| owner).filter(|owner| player_owned(state, owner)).collect();
    let letters = ('A'..='Z').chain(std::iter::repeat('*'));
    owners.into_iter().cloned().zip(letters).collect()
}

/// The window in characters: a vertex is the mark of its owner and how many players stand there.
fn picture(state: &State<Spacenomic>, window: Window, marks: &BTreeMap<Id, char>) -> String {
    let (graph, people) = (&state.game.space, standing(state));
    let mut lines = Vec::new();
    for y in (window.low.y..=window.high.y).rev() {
        let (mut row, mut below) = (String::new(), String::new());
        for x in window.low.x..=window.high.x {
            let at = Spot { x, y };
            let here = graph.owner(at).map_or(' ', |owner| marks.get(owner).copied().unwrap_or('o'));
            let count = match people.get(&at).map_or(0, Vec::len) {
                0 => ' ',
                many => u32::try_from(many).ok().and_then(|many| char::from_digit(many, 10)).unwrap_or('+'),
            };
            let (right, down, corner) = (Spot { x: x + 1, y }, Spot { x, y: y - 1 }, Spot { x: x + 1, y: y - 1 });
            let inside = |a: Spot, b: Spot| window.holds(a) && window.holds(b) && graph.joined(a, b);
            row.push(here);
            row.push(if count == ' ' && inside(at, right) { '-' } else { count });
            row.push_str(if inside(at, right) { "--" } else { "  " });
            below.push(if inside(at, down) { '|' } else { ' ' });
            below.push(' ');
            below.push(match (inside(at, corner), inside(down, right)) {
                (true, true) => 'X',
                (true, false) => '\\',
                (false, true) => '/',
                (false, false) => ' ',
            });
            below.push(' ');
        }
        lines.push(row.trim_end().to_owned());
        if y > window.low.y {
            lines.push(below.trim_end().to_owned());
        }
    }
    lines.join("\n")
}

/// Whether a picture in characters has room for an edge.
fn drawn(a: Spot, b: Spot) -> bool {
    (a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1
}

fn document(state: &State<Spacenomic>, window: Option<Window>) -> Document {
    let graph = &state.game.space;
    let title = format!(
        "Space: {}, {}",
        if graph.size() == 1 { "1 vertex".to_owned() } else { format!("{} vertices", graph.size()) },
        super::display::counted(graph.edges().count(), "edge")
    );
    let document = Document::titled("space", title);
    let Some(window) = window else { return document.para("There is no vertex.") };
    let marks = marks(state, window);
    let mut document = document
        .para(format!("From {} at the bottom left to {} at the top right.", window.low, window.high))
        .with(Block::Code { lang: "map".to_owned(), text: picture(state, window, &marks) });
    let legend: Vec<String> = marks.iter().map(|(owner, mark)| format!("{mark} {}", called(state, owner))).collect();
    let legend = if legend.is_empty() { String::new() } else { format!("{}, ", legend.join(", ")) };
    document = document.para(format!(
        "Vertices of: {legend}o nobody who is a player. A figure beside one says how many players are there."
    ));
    let people = standing(state);
    let rows: Vec<Vec<Cell>> = graph
        .vertices()
        .filter(|(at, owner)| window.holds(*at) && (***owner != *space::GOD || people.contains_key(at)))
        .map(|(at, owner)| {
            let names = people.get(&at).into_iter().flatten().map(|player| called(state, player));
            let owner = Cell::new(owner_called(state, owner));
            vec![
                Cell::new(at.to_string()).showing(format!("space/{},{}", at.x, at.y)),
                owner,
                Cell::new(names.collect::<Vec<_>>().join(", ")),
            ]
        })
        .collect();
    let left_out = rows.len().saturating_sub(LISTED_MAX_COUNT);
    if !rows.is_empty() {
        let head = ["", "owner", "there"].map(str::to_owned).to_vec();
        document = document.with(Block::Table { head, rows: rows.into_iter().take(LISTED_MAX_COUNT).collect() });
    }
    if left_out > 0 {
        document = document.para(format!("{left_out} more are left out; “show space 1,2” looks around a place."));
    }
    let far: Vec<Cell> = graph
        .edges()
        .filter(|(a, b)| !drawn(*a, *b) && (window.holds(*a) || window.holds(*b)))
        .take(LISTED_MAX_COUNT)
        .map(|(a, b)| Cell::new(format!("{a} to {b}")))
        .collect();
    if !far.is_empty() {
        document = document.para("Edges that reach farther:").with(Block::List(far));
    }
    document
}

/// The map as whoever looks sees it first.
pub(super) fn show(state: &State<Spacenomic>, viewer: &Viewer) -> Document {
    let middle = viewer.seat.as_ref().and_then(|seat| location::of(state, seat));
    document(state, Window::of(state, middle))
}

/// The map around a place, and what there is to say of it.
///
/// # Errors
///
/// A [`Refusal`] for what is no pair of coordinates.
pub(super) fn around(state: &State<Spacenomic>, at: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let at: Spot = at.parse().map_err(|why: space::NoSpot| Refusal::new(why.to_string()).instead("show space"))?;
    let mut document = document(state, Some(Window::around(at)));
    document.id = format!("space/{},{}", at.x, at.y);
    let graph = &state.game.space;
    let about = match graph.owner(at) {
        None => format!("There is no vertex {at}."),
        Some(owner) => {
            let joined: Vec<String> = graph.neighbours(at).map(|other| other.to_string()).collect();
            let joined = if joined.is_empty() { "nothing".to_owned() } else { joined.join(", ") };
            format!("{at} belongs to {} and is joined to {joined}.", owner_called(state, owner))
        }
    };
    document = document.para(about);
    let mine = viewer.seat.as_ref().filter(|seat| society::is_player(state, seat));
    let Some(me) = mine else { return Ok(document) };
    let (edges, straight) = match location::of(state, me) {
        None => ("infinite".to_owned(), "infinite".to_owned()),
        Some(here) => {
            let steps = graph.distances(here).get(&at).map_or_else(|| "infinite".to_owned(), u64::to_string);
            (steps, root(here.square_to(at)))
        }
    };
    Ok(document.para(format!("From where you are: graphwise distance {edges}, coordinatewise distance {straight}.")))
}

/// A square root as exact as it is: `2`, `sqrt 5`.
fn root(square: i128) -> String {
    let near = square.isqrt();
    if near * near == square { near.to_string() } else { format!("sqrt {square}") }
}
