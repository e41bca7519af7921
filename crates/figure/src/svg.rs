//! A layout as SVG, with links on cells and vertices.
//!
//! Names take the colour of the ground that the figure stands on, which is the page's by day and by night. Numbers take
//! theirs from the cell that they stand on. Nothing that a player wrote gets in unescaped.

use std::fmt::Write as _;

use super::layout::{Colour, Curve, Disc, HEIGHT, Label, Layout, Ring, Square, Stroke, layout, width_of};
use kernel::display::{Block, Cell};

/// How many pixels of a page a unit of the layout is high and wide. It makes letters about as large as those of the page,
/// and cells that a finger can hit.
const PIXELS: usize = 2;

/// Writing into a string does not fail.
const FAIL: &str = "writing into a string does not fail";

/// A grid as a heat map, a graph as a map, or a picture, with a name, its cells leading where `href` says. There is
/// nothing where there is nothing to draw, or too much.
pub fn svg(name: &str, block: &Block, href: impl Fn(&Cell) -> Option<String>) -> Option<String> {
    let layout = layout(std::slice::from_ref(block))?;
    let (width, height) = (layout.width, layout.height);
    // A map is seen as a whole or not at all; numbers are read one by one.
    let class = if matches!(block, Block::Graph(_)) { " class=\"map\"" } else { "" };
    let root = format!(
        "{class} viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" role=\"group\" aria-label=\"{}\"",
        width * PIXELS,
        height * PIXELS,
        escaped(name)
    );
    Some(written(&layout, &root, "", href))
}

/// The layout as SVG, with attributes of its root, and what lies below everything.
pub(super) fn written(layout: &Layout<'_>, root: &str, ground: &str, href: impl Fn(&Cell) -> Option<String>) -> String {
    let mut out = String::new();
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\"{root} font-family=\"DejaVu Sans Mono, Consolas, monospace\" \
         font-size=\"9\">"
    )
    .expect(FAIL);
    if !layout.says.is_empty() {
        write!(out, "<desc>{}</desc>", escaped(&layout.says)).expect(FAIL);
    }
    out.push_str(ground);
    for label in &layout.names {
        write_label(&mut out, label, "currentColor");
    }
    for fill in &layout.fills {
        let (x, y, wide, high, colour) = (fill.x, fill.y, fill.width, fill.height, hex(fill.colour));
        write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{colour}\"/>").expect(FAIL);
    }
    for square in &layout.squares {
        write_square(&mut out, square, href(square.cell));
    }
    write_strokes(&mut out, &layout.strokes);
    for Curve { points, colour, title } in &layout.curves {
        let (line, colour, title) = (line(points), hex(*colour), escaped(title));
        write!(
            out,
            "<path d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\">\
             <title>{title}</title></path>"
        )
        .expect(FAIL);
    }
    for Ring { x, y, radius } in &layout.rings {
        write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"#e0007a\" stroke-width=\"2\"/>"
        )
        .expect(FAIL);
    }
    for disc in &layout.discs {
        write_disc(&mut out, disc, href(disc.cell));
    }
    out.push_str("</svg>");
    out
}

/// A cell of a grid, as one thing to point at.
fn write_square(out: &mut String, square: &Square<'_>, link: Option<String>) {
    match &link {
        Some(link) => write!(out, "<a href=\"{}\">", escaped(link)),
        None => write!(out, "<g>"),
    }
    .expect(FAIL);
    let ((row, column), text) = (square.names, &square.cell.text);
    write!(out, "<title>{}, {}: {}</title>", escaped(row), escaped(column), escaped(text)).expect(FAIL);
    let (fill, ink) = match square.colours {
        Some((ground, ink)) => (format!("fill=\"{}\"", hex(ground)), hex(ink)),
        None => ("fill=\"#808080\" fill-opacity=\"0.15\"".to_owned(), "currentColor".to_owned()),
    };
    let (x, y, wide, high) = (square.x, square.y, square.width, square.height);
    write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" {fill}/>").expect(FAIL);
    if !square.text.text.is_empty() {
        write_label(out, &square.text, &ink);
    }
    out.push_str(if link.is_some() { "</a>" } else { "</g>" });
}

/// A line through points, as a path says it.
fn line(points: &[(usize, usize)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
    format!("M{}", points.join("L"))
}

/// Edges between neighbours as one line, because nobody asks for one of them; one that reaches farther says where it goes.
fn write_strokes(out: &mut String, strokes: &[Stroke]) {
    let near: String = strokes.iter().filter(|stroke| !stroke.far).map(|stroke| line(&stroke.points)).collect();
    if !near.is_empty() {
        write!(out, "<path d=\"{near}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.5\"/>").expect(FAIL);
    }
    for stroke in strokes.iter().filter(|stroke| stroke.far) {
        let (line, title) = (line(&stroke.points), escaped(&stroke.title));
        write!(
            out,
            "<path d=\"{line}\" fill=\"none\" stroke=\"#d55e00\" stroke-dasharray=\"4 2\"><title>{title}</title></path>"
        )
        .expect(FAIL);
    }
}

/// A vertex with its mark and who is there, as one thing to point at.
fn write_disc(out: &mut String, disc: &Disc<'_>, link: Option<String>) {
    match &link {
        Some(link) => write!(out, "<a href=\"{}\">", escaped(link)),
        None => write!(out, "<g>"),
    }
    .expect(FAIL);
    if !disc.title.is_empty() {
        write!(out, "<title>{}</title>", escaped(&disc.title)).expect(FAIL);
    }
    let (x, y, radius, ground) = (disc.x, disc.y, disc.radius, hex(disc.ground));
    write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{ground}\" stroke=\"currentColor\"/>")
        .expect(FAIL);
    if !disc.mark.text.is_empty() {
        write_label(out, &disc.mark, &hex(disc.ink));
    }
    if let Some(chip) = &disc.chip {
        let (x, y, wide, high, fill) = (chip.x, chip.y, chip.width, chip.height, hex(chip.ground));
        write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\"/>").expect(FAIL);
        write_label(out, &chip.text, &hex(chip.ink));
    }
    out.push_str(if link.is_some() { "</a>" } else { "</g>" });
}

fn write_label(out: &mut String, label: &Label, colour: &str) {
    let long = width_of(&label.text);
    // Letters stand on their line, which is one unit above the lower edge.
    let (x, y) = if label.turned { (label.x + HEIGHT - 1, label.y) } else { (label.x, label.y + HEIGHT - 1) };
    let turn = if label.turned { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let text = escaped(&label.text);
    write!(
        out,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" textLength=\"{long}\" lengthAdjust=\"spacingAndGlyphs\"{turn}>{text}</text>"
    )
    .expect(FAIL);
}

pub(super) fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A text as XML holds it, in an element or in an attribute. What XML or a reader's eye cannot bear, control characters
/// and those that turn the direction of writing, becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            char => out.push(visible(char)),
        }
    }
    out
}

/// A character, or the replacement for one that must not reach a page.
pub fn visible(char: char) -> char {
    match char {
        '\n' | '\t' => char,
        char if char.is_control() => '\u{fffd}',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => '\u{fffd}',
        '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        char => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::display::{Graph, Place, Vertex};

    fn grid(names: &[&str], numbers: &[&[&str]]) -> Option<String> {
        let columns: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let cell = |text: &&str| Cell::new(*text).showing(format!("x/{text}"));
        let rows: Vec<(String, Vec<Cell>)> =
            columns.iter().zip(numbers).map(|(name, row)| (name.clone(), row.iter().map(cell).collect())).collect();
        let href = |cell: &Cell| cell.shows.clone().filter(|_| !cell.text.is_empty());
        svg("touches", &Block::Grid { columns, rows }, href)
    }

    #[test]
    fn every_number_stands_in_its_colour_and_leads_somewhere() {
        let svg = grid(&["a", "b"], &[&["", "0"], &["43", "43/2"]]).unwrap();
        assert!(svg.contains("#440154") && svg.contains("#fde725") && svg.contains("#21918c"), "{svg}");
        assert!(svg.contains("fill-opacity"), "the empty cell has no number: {svg}");
        assert_eq!((svg.matches("<g>").count(), svg.matches("<a href=\"x/").count()), (1, 3), "{svg}");
        roxmltree::Document::parse(&svg).unwrap();
    }

    #[test]
    fn a_hostile_name_is_text() {
        let svg = grid(&["<script>\"'&\u{202e}\u{7}"], &[&["<b>"]]).unwrap();
        assert!(!svg.contains("<script") && !svg.contains("<b>") && !svg.contains('\u{202e}'), "{svg}");
        let parsed = roxmltree::Document::parse(&svg).unwrap();
        assert!(parsed.descendants().any(|node| node.text().is_some_and(|text| text.starts_with("<script>\"'&"))));
    }

    /// Given a vertex of Ada's with two on it, one of nobody, and edges near and far. Then the map says all of it to
    /// who looks and to who cannot.
    #[test]
    fn a_graph_is_a_map_in_svg() {
        let vertex = |x: i64, y: i64, group: Option<usize>| Vertex {
            at: Place::new(x, y),
            cell: Cell::new(Place::new(x, y).to_string()).showing(format!("map/{x},{y}")),
            group,
            there: Vec::new(),
            turned: 0,
        };
        let mut vertices = vec![vertex(0, 0, Some(0)), vertex(1, 1, None), vertex(2, 0, None)];
        vertices[0].there = vec![Cell::new("Bo"), Cell::new("<Cy>")];
        vertices[0].turned = 1;
        let place = |vertex: &Vertex| vertex.at;
        let (a, b, c) = (place(&vertices[0]), place(&vertices[1]), place(&vertices[2]));
        let edges = vec![(a, b), (c, a), (c, Place::new(9, 0)), (Place::new(-4, -3), Place::new(5, 6))];
        let groups = vec![Cell::new("Ada & Co").showing("people")];
        let graph = Graph {
            centre: a,
            asked: Some(b),
            vertices,
            edges,
            groups,
            ungrouped: "nobody’s".to_owned(),
            turned: "mirrored".to_owned(),
            total: 4,
        };
        let svg = svg("Space", &Block::Graph(graph), |cell| cell.shows.clone()).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        insta::assert_snapshot!(svg.replace('>', ">\n"));
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(svg("Space", &Block::Graph(Graph::default()), |_| None), None);
        assert_eq!(grid(&[], &[]), None);
    }
}
