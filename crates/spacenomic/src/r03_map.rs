//! The map of Space (S35, S67, S84): vertices, edges, owners and places of players, as a picture or in characters.
//!
//! A picture has room for a part of Space. Which part a map shows follows from its reader, or from the place that is
//! asked for. Space itself stands in `space`; maps are drawn by `kernel::display`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    displays,
    game::Spacenomic,
    law::Thing,
    location,
    roster::{is_player, players},
    space::{self, GOD, Space, Spot, owner_called, player_owned},
    stats::{LOCATION, called},
};
use kernel::{
    Asked, Display, Id, Mechanic, Refusal, State,
    display::{Block, Cell, Document, Graph, PICTURE_SIDE_COUNT, Place, Vertex, Window, counted},
    viewer::Viewer,
};

/// Most edges that pass through a map without an end in it, the first by their ends: more would cover what is there.
const CROSSING_MAX_COUNT: usize = 200;

/// Most vertices that an answer names as joined to one.
const JOINED_MAX_COUNT: usize = 40;

// ---- the mechanic

/// Space to look at, as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let shown = |state: &State<Spacenomic>, asked: Asked<'_>| match asked.words() {
        whole if whole.is_empty() => Ok(show(state, asked.viewer)),
        at => around(state, &at, asked.viewer),
    };
    Mechanic::new("map").display(Display::new("space", shown).also("map").fits(|_| true).listed(displays::SPACE))
}

impl From<Spot> for Place {
    fn from(Spot { x, y }: Spot) -> Self {
        Self { x, y }
    }
}

/// Who stands where.
fn standing(state: &State<Spacenomic>) -> BTreeMap<Spot, Vec<&Id>> {
    let mut found: BTreeMap<Spot, Vec<&Id>> = BTreeMap::new();
    for player in players(state) {
        if let Some(at) = location::of(state, player) {
            found.entry(at).or_default().push(player);
        }
    }
    found
}

/// Where most of Space lies, for who is on no vertex. It is the vertex nearest to the middle of all columns and of all
/// rows that vertices have. A few vertices that lie far away move neither of them.
fn middle(space: &Space) -> Spot {
    let median = |of: fn(Spot) -> i64| {
        let mut all: Vec<i64> = space.vertices().map(|(at, _)| of(at)).collect();
        let half = all.len() / 2;
        if all.is_empty() { 0 } else { *all.select_nth_unstable(half).1 }
    };
    let middle = Spot { x: median(|at| at.x), y: median(|at| at.y) };
    let all = space.vertices().map(|(at, _)| at);
    all.min_by_key(|at| (at.square_to(middle), *at)).unwrap_or(middle)
}

/// As much of Space as a picture shows, with a place in the middle; whether it was asked for.
fn graph(state: &State<Spacenomic>, centre: Spot, asked: bool) -> Graph {
    let space = space::of(state);
    let places = space.vertices().map(|(at, _)| at.into());
    let window = Window::of(places, centre.into(), PICTURE_SIDE_COUNT, PICTURE_SIDE_COUNT);
    let seen: Vec<(Spot, &Id)> =
        space.vertices().filter(|(at, _)| window.is_some_and(|window| window.holds((*at).into()))).collect();
    // Who owns the most comes first only by chance: the order of ids stays as it is while owners come and go.
    let owned = Thing::Owners.is_in(&state.rules);
    let owners: BTreeSet<&Id> =
        seen.iter().map(|(_, owner)| *owner).filter(|owner| owned && ***owner != *GOD).collect();
    let owners: Vec<&Id> = owners.into_iter().collect();
    let people = standing(state);
    let vertex = |(at, owner): &(Spot, &Id)| {
        let mut there: Vec<&Id> = people.get(at).into_iter().flatten().copied().collect();
        there.sort_by_key(|player| location::mirrored(state, player));
        let person = |player: &&Id| {
            let path = LOCATION.of(player);
            Cell::new(called(state, player)).from_path(path).showing("people")
        };
        Vertex {
            at: (*at).into(),
            cell: Cell::new(at.to_string()).completing(format!("{},{}", at.x, at.y)).showing(display(*at)),
            group: owners.iter().position(|other| other == owner),
            turned: there.iter().filter(|player| location::mirrored(state, player)).count(),
            there: there.iter().map(person).collect(),
        }
    };
    let holds = |at: Spot| window.is_some_and(|window| window.holds(at.into()));
    let ways = seen.iter().flat_map(|(from, _)| space.neighbours(*from).map(|to| (*from, to)));
    // An edge between two that are seen is met from either side, and one that leads out from one.
    let edges = ways.filter(|(from, to)| from < to || !holds(*to)).map(|(from, to)| (from.min(to), from.max(to)));
    // Without an end that is seen only an edge that reaches far comes through.
    let far = |(from, to): &(Spot, Spot)| from.x.abs_diff(to.x) > 1 || from.y.abs_diff(to.y) > 1;
    let through = space
        .edges()
        .filter(far)
        .filter(|(from, to)| window.is_some_and(|window| window.is_crossed((*from).into(), (*to).into())));
    Graph {
        centre: centre.into(),
        asked: asked.then(|| centre.into()),
        edges: edges.chain(through.take(CROSSING_MAX_COUNT)).map(|(from, to)| (from.into(), to.into())).collect(),
        vertices: seen.iter().map(vertex).collect(),
        groups: owners.iter().map(|owner| group(state, owner)).collect(),
        ungrouped: if owned { GOD.to_owned() } else { "nobody's".to_owned() },
        turned: "mirrored".to_owned(),
        total: space.size(),
    }
}

/// An owner: what a former player owned is for sale (S70), and said to be no player's.
fn group(state: &State<Spacenomic>, owner: &Id) -> Cell {
    let name = owner_called(state, owner);
    let name = if player_owned(state, owner) { name } else { format!("{name}, who is no player") };
    Cell::new(name).showing("people")
}

/// The display of the map around a place.
fn display(at: Spot) -> String {
    format!("space/{},{}", at.x, at.y)
}

fn document(state: &State<Spacenomic>, centre: Spot, asked: bool) -> Document {
    let space = space::of(state);
    let size = if space.size() == 1 { "1 vertex".to_owned() } else { format!("{} vertices", space.size()) };
    let title = format!("Space: {size}, {}", counted(space.edges().count(), "edge"));
    let graph = graph(state, centre, asked);
    let part = graph.vertices.len() < graph.total;
    let document = Document::titled("space", title).with(Block::Graph(graph));
    if part { document.para("“⁅show space 1,2⁆” shows the part around a place.") } else { document }
}

/// The map as whoever looks sees it first: around em.
fn show(state: &State<Spacenomic>, viewer: &Viewer) -> Document {
    let here = viewer.seat.as_ref().and_then(|seat| location::of(state, seat));
    document(state, here.unwrap_or_else(|| middle(&space::of(state))), false)
}

/// The map around a place, and what there is to say of it.
///
/// # Errors
///
/// A [`Refusal`] for what is no pair of coordinates.
fn around(state: &State<Spacenomic>, at: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let at: Spot = at.parse().map_err(|why: space::NoSpot| Refusal::new(why.to_string()).instead("show space"))?;
    let graph = space::of(state);
    let about = match graph.owner(at) {
        None => format!("There is no vertex {at}."),
        Some(_) if !Thing::Owners.is_in(&state.rules) => format!("{at} is joined to {}.", joined(state, at)),
        Some(owner) => {
            format!("{at} belongs to {} and is joined to {}.", owner_called(state, owner), joined(state, at))
        }
    };
    let mut document = document(state, at, true).para(about);
    document.id = display(at);
    let mine = viewer.seat.as_ref().filter(|seat| is_player(state, seat));
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

/// What a vertex is joined to, in words.
fn joined(state: &State<Spacenomic>, at: Spot) -> String {
    let all: Vec<String> = space::of(state).neighbours(at).map(|other| other.to_string()).collect();
    let more = all.len().saturating_sub(JOINED_MAX_COUNT);
    match (all.is_empty(), more) {
        (true, _) => "nothing".to_owned(),
        (false, 0) => all.join(", "),
        (false, more) => format!("{} and {more} more", all[..JOINED_MAX_COUNT].join(", ")),
    }
}

/// A square root as exact as it is: `2`, `sqrt 5`.
fn root(square: i128) -> String {
    let near = square.isqrt();
    if near * near == square { near.to_string() } else { format!("sqrt {square}") }
}

#[cfg(test)]
mod tests {
    use super::{super::space::VERTICES_MAX_COUNT, *};

    /// S35: of the largest Space that the bot keeps a picture shows a part, and says which.
    #[test]
    fn s35_of_the_largest_space_a_part_is_drawn() {
        let (mut state, mut space, size) = (State::<Spacenomic>::unopened(), Space::default(), 120_000);
        assert_eq!(usize::try_from(size), Ok(VERTICES_MAX_COUNT));
        let at = |index: i64| Spot { x: index % 316, y: index / 316 };
        for index in 0..size {
            space.set_vertex(at(index), Some(&GOD.into()));
        }
        for (index, step) in (0..size).flat_map(|index| [(index, 1), (index, 316)]) {
            if index + step < size && at(index).square_to(at(index + step)) == 1 {
                space.set_edge(at(index), at(index + step), true);
            }
        }
        space.lay(&mut state.tables);
        let document = show(&state, &Viewer::default());
        let graph = document.blocks.iter().find_map(|block| match block {
            Block::Graph(graph) => Some(graph),
            _ => None,
        });
        let graph = graph.expect("it is a map");
        assert_eq!((graph.vertices.len(), graph.total), (625, 120_000));
        let window = graph.window(PICTURE_SIDE_COUNT, PICTURE_SIDE_COUNT).expect("it has a part");
        assert!(graph.said(window).iter().any(|line| line.contains(": 625 of 120000 vertices.")));
        assert!(document.title.contains("120000 vertices"), "{}", document.title);
    }
}
