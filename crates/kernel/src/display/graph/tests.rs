//! What a graph reads like in characters, and that no line is wider than its reader's.

use proptest::prelude::*;

use super::*;
use crate::display::{Block, Document, lines_within};

const fn at(x: i64, y: i64) -> Place {
    Place::new(x, y)
}

/// A square of so many vertices a side, joined as a king moves, with the first corner at a place.
fn square(corner: Place, side: i64) -> Graph {
    let places: Vec<Place> = (0..side).flat_map(|x| (0..side).map(move |y| at(corner.x + x, corner.y + y))).collect();
    let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let edges = places.iter().flat_map(|a| steps.map(|(x, y)| (*a, at(a.x + x, a.y + y))));
    let edges = edges.filter(|(_, b)| places.contains(b)).collect();
    let vertex = |place: &Place| Vertex {
        at: *place,
        cell: Cell::new(place.to_string()).showing(format!("map/{},{}", place.x, place.y)),
        ..Vertex::default()
    };
    Graph {
        asked: None,
        total: places.len(),
        centre: corner,
        vertices: places.iter().map(vertex).collect(),
        edges,
        groups: Vec::new(),
        ungrouped: "nobody’s".to_owned(),
        turned: "mirrored".to_owned(),
    }
}

/// Three by three, of which Ada has two and Bo one. Two of them stand on one vertex, with a hole in the edges and a far
/// one.
fn inhabited() -> Graph {
    let mut graph = square(at(-1, 0), 3);
    graph.groups = vec![Cell::new("Ada"), Cell::new("Bo")];
    for (place, group) in [(at(-1, 0), 0), (at(0, 1), 0), (at(1, 2), 1)] {
        graph.vertices.iter_mut().find(|vertex| vertex.at == place).unwrap().group = Some(group);
    }
    for (place, names) in [(at(0, 1), vec!["Ada", "Cy"]), (at(1, 0), vec!["Bo"])] {
        graph.vertices.iter_mut().find(|vertex| vertex.at == place).unwrap().there =
            names.into_iter().map(Cell::new).collect();
    }
    graph.edges.retain(|edge| ![(at(-1, 0), at(0, 1)), (at(-1, 1), at(-1, 2)), (at(0, 2), at(1, 1))].contains(edge));
    graph.edges.push((at(-1, 0), at(1, 2)));
    graph
}

fn shown(graph: Graph, columns: usize) -> String {
    lines_within(&Document::titled("map", "Space").with(Block::Graph(graph)), columns).join("\n")
}

#[test]
fn a_map_in_characters() {
    insta::assert_snapshot!(shown(inhabited(), 80), @r"
    Space
    2: o---o---B
     :   X | / |
    1: o---A2--o
     : | \ | X |
    0: A---o---o1
       -1  0   1
    A Ada, B Bo, o nobody’s. A figure counts who is there.
    There: (0, 1): Ada, Cy; (1, 0): Bo.
    Edges that reach farther: (-1, 0) to (1, 2).
    ");
}

#[test]
fn a_point_is_between_two_others_on_their_line_only() {
    assert!(at(1, 1).is_between(at(0, 0), at(2, 2)) && at(0, 3).is_between(at(0, 4), at(0, -9)));
    assert!(!at(1, 0).is_between(at(0, 0), at(2, 1)) && !at(3, 3).is_between(at(0, 0), at(2, 2)));
    assert!(!at(0, 0).is_between(at(0, 0), at(2, 2)));
}

#[test]
fn what_does_not_fit_is_left_out_around_the_middle_and_said() {
    let mut graph = square(at(95, -4), 25);
    graph.centre = at(99, 5);
    insta::assert_snapshot!(shown(graph, 40), @r"
    Space
    9: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    8: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    7: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    6: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    5: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    4: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    3: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    2: o---o---o---o---o---o---o---o---o
     : | X | X | X | X | X | X | X | X |
    1: o---o---o---o---o---o---o---o---o
       95  96  97  98  99  100 101 102 103
    o nobody’s. A figure counts who is
      there.
    Shown from (95, 1) to (103, 9): 81 of
      625 vertices.
    ");
}

#[test]
fn of_no_vertex_that_is_said() {
    assert_eq!(shown(Graph::default(), 80), "Space\nThere is no vertex.");
}

/// Given more owners than there are marks, then each mark but the last stands for one of them only.
#[test]
fn marks_are_told_apart_as_long_as_there_are_any() {
    let graph = Graph { groups: (0..60).map(|who| Cell::new(who.to_string())).collect(), ..square(at(0, 0), 1) };
    let marks: Vec<char> = (0..60).map(|group| graph.mark(Some(group))).collect();
    let first: BTreeSet<char> = marks.iter().copied().take_while(|mark| *mark != OTHER_MARK).collect();
    assert_eq!((first.len(), marks[59], graph.mark(None), graph.mark(Some(60))), (MARKS.len(), '*', 'o', 'o'));
    assert!(!first.contains(&UNGROUPED_MARK));
}

/// Given somebody mirrored beside somebody who is not, and somebody mirrored alone, then the map marks both places and its
/// words say who.
#[test]
fn whoever_is_turned_is_told_apart() {
    let mut graph = inhabited();
    for vertex in graph.vertices.iter_mut().filter(|vertex| !vertex.there.is_empty()) {
        vertex.turned = 1;
    }
    insta::assert_snapshot!(shown(graph, 80));
}

/// Given edges that end on neither side of the part that is seen, then those that pass through it are named.
#[test]
fn edges_that_pass_through_are_said() {
    let mut graph = square(at(0, 0), 3);
    graph.edges = vec![(at(-5, 1), at(7, 1)), (at(-5, 9), at(7, 9)), (at(-9, -9), at(1, 1))];
    let said = graph.said(graph.window(17, 9).unwrap());
    assert_eq!(said, ["Edges that reach farther: (-9, -9) to (1, 1).", "Edges that pass through: (-5, 1) to (7, 1)."]);
}

#[test]
fn ten_on_one_vertex_are_a_plus() {
    let mut graph = square(at(0, 0), 1);
    graph.vertices[0].there = (0..10).map(|who| Cell::new(format!("P{who}"))).collect();
    assert_eq!(graph.drawn(80), ["0: o+", "   0"]);
    graph.vertices[0].there.pop();
    assert_eq!(graph.drawn(80)[0], "0: o9");
}

#[test]
fn names_in_a_map_are_texts_of_the_document() {
    let mut document = Document::titled("map", "Space").with(Block::Graph(inhabited()));
    let cells: Vec<String> = document.cells().map(|cell| cell.text.clone()).collect();
    assert_eq!(cells.iter().filter(|text| *text == "Ada").count(), 2, "an owner, and there: {cells:?}");
    document.each_text(&mut |text| *text = text.replace("Ada", "former1"));
    assert!(!serde_json::to_string(&document).unwrap().contains("Ada"));
}

/// Whether a line and the inside of a window meet, otherwise worked out: no axis separates them, nor the line itself.
fn meets(window: Window, a: Place, b: Place) -> bool {
    let (low, high) = ((window.low.x * 2 - 1, window.low.y * 2 - 1), (window.high.x * 2 + 1, window.high.y * 2 + 1));
    let (a, b) = ((a.x * 2, a.y * 2), (b.x * 2, b.y * 2));
    let apart = |a: i64, b: i64, low: i64, high: i64| a.max(b) <= low || a.min(b) >= high;
    if apart(a.0, b.0, low.0, high.0) || apart(a.1, b.1, low.1, high.1) {
        return false;
    }
    let side = |(x, y): (i64, i64)| ((b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0)).signum();
    let sides = [(low.0, low.1), (low.0, high.1), (high.0, low.1), (high.0, high.1)].map(side);
    !(sides.iter().all(|side| *side >= 0) || sides.iter().all(|side| *side <= 0))
}

proptest! {
    /// An edge is in the picture where it and the part that is seen meet. Where it comes in and goes out lies on the
    /// border.
    #[test]
    fn a_line_is_cut_where_it_meets_the_border(
        low in (-4_i64..4, -4_i64..4), size in (0_i64..5, 0_i64..5), a in (-12_i64..12, -12_i64..12), b in (-12_i64..12, -12_i64..12),
    ) {
        prop_assume!(a != b);
        let window = Window { low: at(low.0, low.1), high: at(low.0 + size.0, low.1 + size.1) };
        let (a, b) = (at(a.0, a.1), at(b.0, b.1));
        let part = window.part(a, b);
        prop_assert_eq!(part.is_some(), meets(window, a, b));
        for (part, whole) in part.into_iter().flatten() {
            prop_assert!((0..=whole).contains(&part) && whole > 0);
            let inside = |from: i64, to: i64, low: i64, high: i64| {
                let (from, to) = (i128::from(from), i128::from(to));
                let twice = 2 * (from * whole + (to - from) * part);
                (i128::from(2 * low - 1) * whole..=i128::from(2 * high + 1) * whole).contains(&twice)
            };
            prop_assert!(inside(a.x, b.x, window.low.x, window.high.x) && inside(a.y, b.y, window.low.y, window.high.y));
        }
    }

    /// Wherever vertices lie and however narrow the reader, a map is drawn within it, around its middle, and no line is
    /// empty.
    #[test]
    fn a_map_fits_whoever_reads_it(
        places in proptest::collection::btree_set((-1_000_000_000_i64..1_000_000_000, -30_i64..30), 1..40),
        centre in (-1_000_000_000_i64..1_000_000_000, -30_i64..30),
        columns in 20_usize..130,
    ) {
        let places: Vec<Place> = places.into_iter().map(|(x, y)| at(x, y)).collect();
        let vertices = places.iter().map(|place| Vertex { at: *place, ..Vertex::default() }).collect();
        let graph = Graph { centre: at(centre.0, centre.1), vertices, ..Graph::default() };
        let lines = graph.drawn(columns);
        prop_assert!(lines.len() <= 2 * 9);
        prop_assert!(lines.iter().all(|line| line.chars().count() <= columns && !line.trim().is_empty()));
        let window = graph.window(17, 9).unwrap();
        prop_assert!(window.high.x - window.low.x < 17 && window.high.y - window.low.y < 9);
        for (low, high, centre, all) in [
            (window.low.x, window.high.x, centre.0, places.iter().map(|place| place.x).collect::<Vec<_>>()),
            (window.low.y, window.high.y, centre.1, places.iter().map(|place| place.y).collect()),
        ] {
            let (least, most) = (*all.iter().min().unwrap(), *all.iter().max().unwrap());
            prop_assert!(low >= least && high <= most, "nothing is wasted on where nothing is");
            prop_assert!((low..=high).contains(&centre) || centre < least || centre > most);
        }
    }
}
