//! Where the parts of a map lie, and what the picture of one has in which colour.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    super::{Ground, layout::layout, painted},
    *,
};
use kernel::display::{Block, Document};

/// Vertices at these places, all joined to the first, with as many there as their place in the list.
fn star(places: impl IntoIterator<Item = (i64, i64)>) -> Graph {
    let places: Vec<Place> = places.into_iter().map(|(x, y)| Place::new(x, y)).collect();
    let vertex = |(index, at): (usize, &Place)| Vertex {
        at: *at,
        cell: Cell::new(at.to_string()),
        group: (index % 4 > 0).then_some(index % 3),
        there: (0..index).map(|who| Cell::new(format!("Player {who}"))).collect(),
        turned: 0,
    };
    Graph {
        centre: places[0],
        asked: None,
        vertices: places.iter().enumerate().map(vertex).collect(),
        edges: places[1..].iter().map(|place| (places[0], *place)).collect(),
        groups: ["Ada", "Bo", "Somebody with a name that is much too long"].map(Cell::new).to_vec(),
        ungrouped: "nobody’s".to_owned(),
        turned: "mirrored".to_owned(),
        total: places.len(),
    }
}

proptest! {
    /// Wherever vertices lie, nothing of their map lies outside of it. A straight line joins neighbours only, and each
    /// edge that has an end in it is there.
    #[test]
    fn a_map_lies_within_its_figure(
        places in proptest::collection::btree_set((-1_000_000_000_i64..1_000_000_000, -20_i64..20), 1..30),
        near in proptest::collection::btree_set((-6_i64..6, -20_i64..20), 1..30),
    ) {
        let all: BTreeSet<(i64, i64)> = near.union(&places).copied().collect();
        for graph in [star(places.clone()), star(near), star(all)] {
            let block = Block::Graph(graph.clone());
            let layout = layout(std::slice::from_ref(&block)).unwrap();
            let window = graph.window(PICTURE_SIDE_COUNT, PICTURE_SIDE_COUNT).unwrap();
            for disc in &layout.discs {
                prop_assert!(disc.x >= disc.radius && disc.x + disc.radius < layout.width);
                prop_assert!(disc.y >= disc.radius && disc.y + disc.radius < layout.height);
                if let Some(chip) = &disc.chip {
                    prop_assert!(chip.x + chip.width <= layout.width && chip.y + chip.height <= layout.height);
                    prop_assert!(chip.text.x + width_of(&chip.text.text) <= chip.x + chip.width + 1);
                }
            }
            for label in &layout.names {
                prop_assert!(label.x + width_of(&label.text) <= layout.width && label.y + HEIGHT <= layout.height);
            }
            for stroke in &layout.strokes {
                prop_assert!(stroke.points.iter().all(|(x, y)| *x < layout.width && *y < layout.height));
            }
            let seen = |(a, b): &&(Place, Place)| window.holds(*a) || window.holds(*b) || window.is_crossed(*a, *b);
            prop_assert_eq!(layout.strokes.len(), graph.edges.iter().filter(seen).count());
        }
    }
}

/// An edge that passes through goes from border to border on its own straight line, and one that passes by is not drawn.
#[test]
fn an_edge_that_passes_through_goes_from_border_to_border() {
    let mut graph = star([(0, 0), (2, 2)]);
    let far = Place::new(i64::MIN, i64::MIN);
    graph.edges = vec![
        (Place::new(-10, 1), Place::new(30, 1)),
        (Place::new(-1, -3), Place::new(3, 5)),
        (Place::new(-9, 8), Place::new(9, 9)),
        (Place::new(-1, 3), Place::new(0, 4)),
        (far, Place::new(i64::MAX, i64::MAX)),
    ];
    let block = Block::Graph(graph);
    let layout = layout(std::slice::from_ref(&block)).unwrap();
    let [level, steep, across] = &layout.strokes[..] else { panic!("{}", layout.strokes.len()) };
    let (first, last) = (&layout.discs[0], &layout.discs[1]);
    let (half, middle) = (ROOMY.0 / 2, (first.y + last.y) / 2);
    assert_eq!(level.points, [(first.x - half, middle), (last.x + half, middle)]);
    // From (1/4, -1/2) to (7/4, 5/2).
    assert_eq!(steep.points, [(first.x + half / 2, first.y + half), (last.x - half / 2, last.y - half)]);
    assert_eq!(across.points, [(first.x - half, first.y + half), (last.x + half, last.y - half)]);
    assert!(layout.strokes.iter().all(|stroke| stroke.far));
}

/// Who is turned stands on another ground, is counted apart, and is explained below.
#[test]
fn whoever_is_turned_is_told_apart() {
    let mut graph = star([(0, 0), (1, 0), (2, 0), (3, 0)]);
    for (vertex, (names, turned)) in graph.vertices.iter_mut().zip([
        (vec!["Ada"], 0),
        (vec!["Bo"], 1),
        (vec!["Ada", "Bo"], 1),
        (vec!["Ada", "Bo"], 2),
    ]) {
        (vertex.there, vertex.turned) = (names.into_iter().map(Cell::new).collect(), turned);
    }
    let block = Block::Graph(graph.clone());
    let map = layout(std::slice::from_ref(&block)).unwrap();
    let chips: Vec<_> = map.discs.iter().filter_map(|disc| disc.chip.as_ref()).collect();
    let shown: Vec<_> = chips.iter().map(|chip| (chip.text.text.as_str(), (chip.ground, chip.ink))).collect();
    assert_eq!(shown, [("Ada", CHIP), ("Bo", TURNED_CHIP), ("1+1", CHIP), ("2", TURNED_CHIP)]);
    assert!(map.names.iter().any(|label| label.text == "mirrored"));
    assert_eq!(map.fills.len(), 2);
    graph.vertices.iter_mut().for_each(|vertex| vertex.turned = 0);
    let block = Block::Graph(graph);
    assert!(
        layout(std::slice::from_ref(&block)).unwrap().fills.is_empty(),
        "nobody is turned, and nothing is explained"
    );
}

/// A place that was asked for has a ring, where the picture shows it.
#[test]
fn what_was_asked_for_has_a_ring() {
    let mut graph = star([(0, 0), (1, 0), (1, 1)]);
    for (asked, rings) in [(None, 0), (Some((1, 0)), 1), (Some((0, 1)), 1), (Some((5, 5)), 0)] {
        graph.asked = asked.map(|(x, y)| Place::new(x, y));
        let block = Block::Graph(graph.clone());
        let layout = layout(std::slice::from_ref(&block)).unwrap();
        assert_eq!(layout.rings.len(), rings, "{asked:?}");
        assert_eq!(layout.says.contains("A ring is around"), rings > 0, "{}", layout.says);
        for ring in &layout.rings {
            assert!(ring.x > ring.radius && ring.y > ring.radius && ring.x + ring.radius < layout.width);
        }
    }
    graph.asked = Some(Place::new(1, 0));
    let (ringed, bare) = (Block::Graph(graph.clone()), Block::Graph(Graph { asked: None, ..graph }));
    let png = |block: &Block| {
        let document = Document::titled("map", "Map").with(block.clone());
        painted(&document, Ground::Light).unwrap().bytes
    };
    assert_ne!(png(&ringed), png(&bare));
}

/// Given three in a row, the outer ones joined, then the line goes around the one between.
#[test]
fn an_edge_that_reaches_far_goes_around_what_lies_between() {
    let block = Block::Graph(star([(0, 0), (1, 0), (2, 0)]));
    let layout = layout(std::slice::from_ref(&block)).unwrap();
    let far = layout.strokes.iter().find(|stroke| stroke.far).unwrap();
    let between = &layout.discs[1];
    let nearest = far.points.iter().map(|(x, y)| x.abs_diff(between.x).pow(2) + y.abs_diff(between.y).pow(2)).min();
    assert!(nearest.unwrap() > between.radius.pow(2), "{:?}", far.points);
    assert_eq!(far.title, "(0, 0) to (2, 0)");
}

/// An edge that leads out of the picture leads to its border, in its own direction.
#[test]
fn an_edge_that_leads_out_leads_to_the_border() {
    let mut graph = star([(0, 0), (2, 2)]);
    graph.edges = vec![(Place::new(0, 0), Place::new(i64::MAX, 0)), (Place::new(2, 2), Place::new(3, 100))];
    let block = Block::Graph(graph);
    let layout = layout(std::slice::from_ref(&block)).unwrap();
    let [level, steep] = &layout.strokes[..] else { panic!("two") };
    let (from, to) = (level.points[0], level.points[1]);
    assert_eq!((from.1, to.0 - from.0), (to.1, 5 * ROOMY.0 / 2));
    let (from, to) = (steep.points[0], steep.points[1]);
    assert_eq!((from.0, from.1 - to.1), (to.0, ROOMY.0 / 2));
}

/// Names that have room are shown, and others counted.
#[test]
fn a_chip_says_who_is_there_or_how_many() {
    let mut graph = star([(0, 0), (1, 0), (2, 0), (8, 0)]);
    for (vertex, names) in graph.vertices.iter_mut().zip([vec![], vec!["Bo"], vec!["Maximilian"], vec!["Bo", "Cy"]]) {
        vertex.there = names.into_iter().map(Cell::new).collect();
    }
    let texts = |graph: &Graph| {
        let block = Block::Graph(graph.clone());
        let layout = layout(std::slice::from_ref(&block)).unwrap();
        layout.discs.iter().filter_map(|disc| Some(disc.chip.as_ref()?.text.text.clone())).collect::<Vec<_>>()
    };
    assert_eq!(texts(&graph), ["Bo", "Maximi~", "2"]);
    graph.vertices[3].at.x = 9;
    assert_eq!(texts(&graph), ["Bo", "1", "2"]);
}

/// The picture has each thing in its colour where the layout has it.
#[test]
fn the_picture_of_a_map_is_painted_where_things_are() {
    let mut graph = star([(0, 0), (1, 0), (3, 0)]);
    graph.vertices[1].there.clear();
    let document = Document::titled("map", "Space").with(Block::Graph(graph));
    let bytes = painted(&document, Ground::Light).unwrap().bytes;
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let layout = layout(&document.blocks).unwrap();
    let at = |x: usize, y: usize| {
        let start = (y * layout.width * 4 + x) * 4;
        [pixels[start], pixels[start + 1], pixels[start + 2]]
    };
    let [first, second, ..] = &layout.discs[..] else { panic!("three") };
    assert_eq!(at(first.x * 4, first.y * 4), UNGROUPED);
    assert_eq!(at(second.x * 4, (second.y - 7) * 4), GROUPS[1].0);
    assert_ne!(at((first.x + second.x) * 2, first.y * 4), [255; 3], "the edge between neighbours");
    assert_eq!(at(2, 2), [255; 3], "paper");
    let chip = layout.discs[2].chip.as_ref().unwrap();
    assert_eq!(at(chip.x * 4 + 1, chip.y * 4 + 1), CHIP.0);
}
