//! Figures: a document's grid as a heat map, in SVG that stands in the page, each cell a link to what tells more.
//!
//! Names take their colour from the page, by day and by night; numbers take theirs from the cell that they stand on.
//! Nothing that a player wrote reaches the picture unescaped. Where everything stands is absent: the layout is shared
//! with pictures.

use std::fmt::Write as _;

use crate::{
    adapters::figure::{Colour, HEIGHT, Label, of_block, width_of},
    kernel::display::{Block, Cell},
};

/// How many pixels a unit of the layout is high and wide, times two: letters about as large as those of the page, and
/// cells that a finger can hit.
const HALF_PIXELS: usize = 4;

/// A grid as a heat map, or a picture, with a name, its cells leading where `href` says; nothing where there is nothing to draw, or
/// too much.
pub(super) fn drawn(name: &str, block: &Block, href: impl Fn(&Cell) -> Option<String>) -> Option<String> {
    let layout = of_block(block)?;
    let (width, height) = (layout.width, layout.height);
    let mut out = String::new();
    let fail = "writing into a string does not fail";
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" \
         role=\"group\" aria-label=\"{}\" font-family=\"DejaVu Sans Mono, Consolas, monospace\" font-size=\"9\">",
        width * HALF_PIXELS / 2,
        height * HALF_PIXELS / 2,
        escaped(name)
    )
    .expect(fail);
    for label in &layout.names {
        write_label(&mut out, label, "currentColor");
    }
    for fill in &layout.fills {
        let (x, y, wide, high, colour) = (fill.x, fill.y, fill.width, fill.height, hex(fill.colour));
        write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{colour}\"/>").expect(fail);
    }
    for square in &layout.squares {
        let link = href(square.cell);
        match &link {
            Some(link) => write!(out, "<a href=\"{}\">", escaped(link)),
            None => write!(out, "<g>"),
        }
        .expect(fail);
        let ((row, column), text) = (square.names, &square.cell.text);
        write!(out, "<title>{}, {}: {}</title>", escaped(row), escaped(column), escaped(text)).expect(fail);
        let (fill, ink) = match square.colours {
            Some((ground, ink)) => (format!("fill=\"{}\"", hex(ground)), hex(ink)),
            None => ("fill=\"#808080\" fill-opacity=\"0.15\"".to_owned(), "currentColor".to_owned()),
        };
        let (x, y, wide, high) = (square.x, square.y, square.width, square.height);
        write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" {fill}/>").expect(fail);
        if !square.text.text.is_empty() {
            write_label(&mut out, &square.text, &ink);
        }
        out.push_str(if link.is_some() { "</a>" } else { "</g>" });
    }
    out.push_str("</svg>");
    Some(out)
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
    .expect("writing into a string does not fail");
}

fn hex([red, green, blue]: Colour) -> String {
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
pub(super) fn visible(char: char) -> char {
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

    fn grid(names: &[&str], numbers: &[&[&str]]) -> Option<String> {
        let columns: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let cell = |text: &&str| Cell::new(*text).showing(format!("x/{text}"));
        let rows: Vec<(String, Vec<Cell>)> =
            columns.iter().zip(numbers).map(|(name, row)| (name.clone(), row.iter().map(cell).collect())).collect();
        let href = |cell: &Cell| cell.shows.clone().filter(|_| !cell.text.is_empty());
        drawn("touches", &Block::Grid { columns, rows }, href)
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

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(grid(&[], &[]), None);
    }
}
