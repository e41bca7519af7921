//! The layout of a graph: a map with axes, edges, a disc for each vertex, chips that name who is there, and a legend.
//!
//! An edge is straight. One with a vertex in its way is bent around it. One whose other end lies outside leads to the
//! border, and one that passes through goes from border to border. Every group has its letter beside its colour, so that nobody needs to tell colours apart.

use super::layout::{
    ADVANCE, Chip, Colour, Disc, Fill, HEIGHT, Label, Layout, MARGIN, NAME_MAX_CHARS, PAD, Ring, Stroke, cut, width_of,
};
use kernel::display::{Cell, Graph, PICTURE_SIDE_COUNT, Place, Vertex, Window, counted};

/// A map of at most so many vertices' width and height has room for names below its vertices.
const ROOMY_SIDE_COUNT: i64 = 9;

/// From one vertex to the next and the size of a disc, in units of the layout, where there is room and where not.
const ROOMY: (usize, usize) = (48, 10);
const CLOSE: (usize, usize) = (24, 7);

/// From the edge of a disc to the ring around it.
const RING_GAP: usize = 3;

/// From one end of a bent line to the other, in pieces.
const BEND_PIECES: i64 = 12;

/// The ground of a disc and the letter on it, for each group in turn: told apart by most who are colour-blind, and each
/// readable.
const GROUPS: [(Colour, Colour); 7] = [
    ([230, 159, 0], [0; 3]),
    ([86, 180, 233], [0; 3]),
    ([0, 158, 115], [0; 3]),
    ([240, 228, 66], [0; 3]),
    ([0, 114, 178], [255; 3]),
    ([213, 94, 0], [0; 3]),
    ([204, 121, 167], [0; 3]),
];

/// The ground of a vertex in no group.
const UNGROUPED: Colour = [201, 203, 207];

/// Who is there: readable by day and by night.
const CHIP: (Colour, Colour) = ([92, 58, 158], [255; 3]);

/// The same of who is turned: as light as the other is dark.
const TURNED_CHIP: (Colour, Colour) = ([222, 208, 247], [48, 22, 104]);

/// What stands beside the picture of a graph where only pictures can be shown.
pub fn beside(graph: &Graph) -> Vec<String> {
    graph.window(PICTURE_SIDE_COUNT, PICTURE_SIDE_COUNT).map(|window| graph.said(window)).unwrap_or_default()
}

/// From points of the plane to units of the layout.
#[derive(Clone, Copy)]
struct Plane {
    window: Window,
    left: usize,
    top: usize,
    /// From one vertex to the next.
    step: usize,
    radius: usize,
}

impl Plane {
    /// Where a point of the window lies.
    fn at(self, place: Place) -> (usize, usize) {
        let part =
            |from: i64, to: i64| usize::try_from(to.saturating_sub(from)).unwrap_or(0) * self.step + self.step / 2;
        (self.left + part(self.window.low.x, place.x), self.top + part(place.y, self.window.high.y))
    }

    fn wide(self) -> usize {
        self.at(self.window.high).0 - self.left + self.step / 2
    }

    fn high(self) -> usize {
        self.at(self.window.low).1 - self.top + self.step / 2
    }

    /// The way of an edge as far as it lies inside; nothing of one that passes by. It is bent where a vertex is in the way.
    fn way(self, a: Place, b: Place, in_the_way: bool) -> Option<Vec<(usize, usize)>> {
        match (self.window.holds(a), self.window.holds(b)) {
            (true, true) if !in_the_way => Some(vec![self.at(a), self.at(b)]),
            (true, true) => Some(self.bent(a.min(b), a.max(b))),
            _ => Some(self.window.part(a, b)?.map(|part| self.along(a, b, part)).to_vec()),
        }
    }

    /// A point of the straight line between two, after a part of the way.
    fn along(self, a: Place, b: Place, (part, whole): (i128, i128)) -> (usize, usize) {
        let (a, b, Window { low, high }) = (a.tamed(), b.tamed(), self.window);
        // In half steps from the border, which is half a step away from the first row and column.
        let halves = |from: i64, to: i64, zero: i64, sign: i128| {
            let (from, to, zero) = (i128::from(from) * 2, i128::from(to) * 2, i128::from(zero) * 2);
            let step = i128::try_from(self.step).unwrap_or(0);
            let far = (sign * (from - zero) + 1) * whole + sign * (to - from) * part;
            usize::try_from(far * step / (2 * whole)).unwrap_or(0)
        };
        (self.left + halves(a.x, b.x, low.x, 1), self.top + halves(a.y, b.y, high.y, -1))
    }

    /// A curve beside the straight line, as far from it as there is room between two rows.
    fn bent(self, a: Place, b: Place) -> Vec<(usize, usize)> {
        let signed = |(x, y): (usize, usize)| (i64::try_from(x).unwrap_or(0), i64::try_from(y).unwrap_or(0));
        let ((ax, ay), (bx, by)) = (signed(self.at(a)), signed(self.at(b)));
        let (dx, dy) = (bx - ax, by - ay);
        let long = (dx * dx + dy * dy).isqrt().max(1);
        // Half as far from the line as its handle is a curve.
        let away = i64::try_from(self.step).unwrap_or(0) * 4 / 5;
        let (handle_x, handle_y) = ((ax + bx) / 2 + dy * away / long, (ay + by) / 2 - dx * away / long);
        let curve = |from: i64, handle: i64, to: i64, piece: i64| {
            let rest = BEND_PIECES - piece;
            (from * rest * rest + 2 * handle * piece * rest + to * piece * piece) / (BEND_PIECES * BEND_PIECES)
        };
        let unsigned = |value: i64| usize::try_from(value).unwrap_or(0);
        (0..=BEND_PIECES)
            .map(|piece| (unsigned(curve(ax, handle_x, bx, piece)), unsigned(curve(ay, handle_y, by, piece))))
            .collect()
    }
}

impl<'a> Layout<'a> {
    /// Adds a graph; nothing where it has no vertex.
    pub(super) fn graph(&mut self, graph: &'a Graph) -> Option<()> {
        let window = graph.window(PICTURE_SIDE_COUNT, PICTURE_SIDE_COUNT)?;
        let side = (window.high.x - window.low.x).max(window.high.y - window.low.y) + 1;
        let (step, radius) = if side <= ROOMY_SIDE_COUNT { ROOMY } else { CLOSE };
        let rows = (window.low.y..=window.high.y).map(|y| width_of(&y.to_string()));
        let left = MARGIN + rows.max().unwrap_or(0) + PAD;
        let plane = Plane { window, left, top: self.height, step, radius };
        self.axes(plane);
        let before = self.strokes.len();
        for (a, b) in &graph.edges {
            if let Some(points) = plane.way(*a, *b, graph.is_between(*a, *b)) {
                self.strokes.push(Stroke { points, far: !a.is_next_to(*b), title: graph.joined(*a, *b) });
            }
        }
        let seen: Vec<&Vertex> = graph.vertices.iter().filter(|vertex| window.holds(vertex.at)).collect();
        for vertex in &seen {
            let (x, y) = plane.at(vertex.at);
            let chip = chip(vertex, plane);
            let cell = &vertex.cell;
            self.discs.push(Disc {
                chip,
                title: graph.told(vertex),
                ..disc(graph, vertex.group, (x, y), radius, cell)
            });
        }
        let asked = graph.asked.filter(|asked| window.holds(*asked));
        self.rings.extend(asked.map(|asked| {
            let (x, y) = plane.at(asked);
            Ring { x, y, radius: radius + RING_GAP }
        }));
        let ringed = asked.map_or_else(String::new, |asked| format!(" A ring is around {asked}."));
        self.says = format!(
            "{} of {} and {}, from {} below at the left to {} above at the right.{ringed}",
            seen.len(),
            if graph.total == 1 { "1 vertex".to_owned() } else { format!("{} vertices", graph.total) },
            counted(self.strokes.len() - before, "edge"),
            window.low,
            window.high
        );
        self.width = self.width.max(left + plane.wide() + MARGIN);
        self.height = plane.top + plane.high() + PAD + HEIGHT + MARGIN;
        self.legend(graph, &seen);
        Some(())
    }

    /// The coordinates at the left and below, as far as they have room.
    fn axes(&mut self, plane: Plane) {
        let Window { low, high } = plane.window;
        for row in low.y..=high.y {
            let (text, (_, y)) = (row.to_string(), plane.at(Place::new(low.x, row)));
            self.names.push(Label { x: plane.left - PAD - width_of(&text), y: y - HEIGHT / 2, text, turned: false });
        }
        let (mut free, y) = (0, plane.top + plane.high() + PAD);
        for column in low.x..=high.x {
            let (text, (middle, _)) = (column.to_string(), plane.at(Place::new(column, low.y)));
            let x = middle.saturating_sub(width_of(&text) / 2);
            if x >= free {
                free = x + width_of(&text) + PAD;
                self.width = self.width.max(free);
                self.names.push(Label { x, y, text, turned: false });
            }
        }
    }

    /// Whose mark is whose, in lines below.
    fn legend(&mut self, graph: &'a Graph, seen: &[&'a Vertex]) {
        let mut shown: Vec<Option<&'a Vertex>> = vec![None; graph.groups.len() + 1];
        for vertex in seen {
            let place = vertex.group.filter(|group| *group < graph.groups.len()).unwrap_or(graph.groups.len());
            shown[place].get_or_insert(vertex);
        }
        let radius = CLOSE.1;
        let (line, right) = (2 * radius + 2 * PAD, self.width);
        let (mut x, mut y) = (MARGIN, self.height + radius);
        for vertex in shown.into_iter().flatten() {
            let text = cut(graph.group_name(vertex), NAME_MAX_CHARS);
            let wide = 2 * radius + PAD + width_of(&text);
            if x > MARGIN && x + wide + MARGIN > right {
                (x, y) = (MARGIN, y + line);
            }
            let cell = vertex.group.and_then(|group| graph.groups.get(group)).unwrap_or(&NOWHERE);
            let title = graph.group_name(vertex).to_owned();
            self.discs.push(Disc { title, ..disc(graph, vertex.group, (x + radius, y), radius, cell) });
            let name = Label { x: x + 2 * radius + PAD, y: y - HEIGHT / 2, text, turned: false };
            self.names.push(name);
            self.width = self.width.max(x + wide + MARGIN);
            x += wide + 3 * PAD;
        }
        if seen.iter().any(|vertex| vertex.turned > 0) {
            (x, y) = (MARGIN, y + line);
            for ((ground, _), text) in [(CHIP, format!("not {}", graph.turned)), (TURNED_CHIP, graph.turned.clone())] {
                let (side, text) = (HEIGHT + 2, cut(&text, NAME_MAX_CHARS));
                self.fills.push(Fill { x, y: y - side / 2, width: 2 * side, height: side, colour: ground });
                let label = Label { x: x + 2 * side + PAD, y: y - HEIGHT / 2, text, turned: false };
                x = label.x + width_of(&label.text) + 3 * PAD;
                self.width = self.width.max(x - 3 * PAD + MARGIN);
                self.names.push(label);
            }
        }
        self.height = y + radius + MARGIN;
    }
}

/// A cell that leads nowhere.
pub(super) static NOWHERE: Cell = Cell { text: String::new(), source: None, completes: None, shows: None };

fn disc<'a>(graph: &Graph, group: Option<usize>, (x, y): (usize, usize), radius: usize, cell: &'a Cell) -> Disc<'a> {
    let known = group.filter(|group| *group < graph.groups.len());
    let (ground, ink) = known.map_or((UNGROUPED, [0; 3]), |group| GROUPS[group % GROUPS.len()]);
    let text = known.map(|group| graph.mark(Some(group)).to_string()).unwrap_or_default();
    let mark = Label { x: x - ADVANCE / 2, y: y - HEIGHT / 2, text, turned: false };
    Disc { x, y, radius, ground, ink, mark, chip: None, title: String::new(), cell }
}

/// The name of whoever is there alone, where it has room; else how many are there, those who are turned counted after a
/// plus.
fn chip(vertex: &Vertex, plane: Plane) -> Option<Chip> {
    let most = (plane.step - PAD - 1) / ADVANCE;
    let text = match &vertex.there[..] {
        [] => return None,
        [one] if one.text.chars().count() <= most => one.text.clone(),
        [one] if plane.step == ROOMY.0 => cut(&one.text, most),
        all if vertex.turned == 0 || vertex.turned == all.len() => cut(&all.len().to_string(), most),
        all => cut(&format!("{}+{}", all.len() - vertex.turned, vertex.turned), most),
    };
    let (ground, ink) = if vertex.turned == vertex.there.len() { TURNED_CHIP } else { CHIP };
    let (x, y) = plane.at(vertex.at);
    let (width, height) = (width_of(&text) + PAD, HEIGHT + 2);
    // Under the disc, or where that has no room, over its lower edge.
    let top = y + plane.radius.min(plane.step / 2 - height + 1);
    let left = x - width / 2;
    let text = Label { x: left + PAD / 2 + 1, y: top + 1, text, turned: false };
    Some(Chip { x: left, y: top, width, height, ground, ink, text })
}

#[cfg(test)]
mod tests;
