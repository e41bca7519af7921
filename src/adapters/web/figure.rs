//! Figures: a document's grid as a heat map, in SVG that stands in the page.
//!
//! Names take their colour from the page, by day and by night; numbers take theirs from the cell that they stand on.
//! Nothing that a player wrote reaches the picture unescaped. What the numbers count is absent.

use std::fmt::Write as _;

use crate::kernel::display::Cell;

/// Largest grid that is drawn, in cells: beyond it the numbers could not be read, and a table says more.
const FIGURE_MAX_CELLS: usize = 64 * 64;

/// Longest name beside a row or above a column, in characters; a longer one is cut.
const LABEL_MAX_CHARS: usize = 20;

/// How wide a character is taken to be, in pixels: a little more than the fonts named below need on average.
const CHAR_PIXELS: usize = 8;

/// The height of a cell, in pixels: as much as a finger or a line of text needs.
const CELL_HEIGHT_PIXELS: usize = 26;

/// The smallest width of a cell, in pixels.
const CELL_WIDTH_MIN_PIXELS: usize = 36;

/// The space around the whole, in pixels.
const MARGIN_PIXELS: usize = 6;

/// Colours from the lowest number to the highest, as red, green and blue: each step is lighter than the one before, so
/// that the order can be seen without telling colours apart.
const RAMP: [(i64, i64, i64); 5] = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)];

/// A grid as a heat map; nothing where there is nothing to draw, or too much.
pub(super) fn heat_map(name: &str, columns: &[String], rows: &[(String, Vec<Cell>)]) -> Option<String> {
    let cells = columns.len().saturating_mul(rows.len());
    if cells == 0 || cells > FIGURE_MAX_CELLS {
        return None;
    }
    let longest = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|name| name.chars().count().min(LABEL_MAX_CHARS)).max().unwrap_or(0)
    };
    let texts = rows.iter().flat_map(|(_, cells)| cells).map(|cell| cell.text.chars().count());
    let width = (texts.max().unwrap_or(0) * CHAR_PIXELS + 10).clamp(CELL_WIDTH_MIN_PIXELS, CELL_WIDTH_MIN_PIXELS * 4);
    let left = MARGIN_PIXELS + longest(&mut rows.iter().map(|(name, _)| name)) * CHAR_PIXELS + 8;
    // Names above columns stand at 60 degrees: seven eighths of their length upwards, half of it to the right.
    let above = longest(&mut columns.iter()) * CHAR_PIXELS;
    let top = MARGIN_PIXELS + above * 7 / 8 + 12;
    let (all_wide, all_high) = (
        left + columns.len() * width + above / 2 + MARGIN_PIXELS,
        top + rows.len() * CELL_HEIGHT_PIXELS + MARGIN_PIXELS,
    );
    let scale = Scale::of(rows.iter().flat_map(|(_, cells)| cells));

    let mut out = String::new();
    let fail = "writing into a string does not fail";
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_wide} {all_high}\" width=\"{all_wide}\" \
         height=\"{all_high}\" role=\"img\" aria-label=\"{}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"13\">",
        escaped(name)
    )
    .expect(fail);
    for (index, column) in columns.iter().enumerate() {
        let (x, y) = (left + index * width + width / 2, top - 6);
        let label = escaped(&shortened(column));
        write!(out, "<text transform=\"translate({x} {y}) rotate(-60)\" fill=\"currentColor\">{label}</text>")
            .expect(fail);
    }
    for (index, (row, cells)) in rows.iter().enumerate() {
        let y = top + index * CELL_HEIGHT_PIXELS;
        let (x, middle) = (left - 8, y + CELL_HEIGHT_PIXELS / 2 + 5);
        let label = escaped(&shortened(row));
        write!(out, "<text x=\"{x}\" y=\"{middle}\" text-anchor=\"end\" fill=\"currentColor\">{label}</text>")
            .expect(fail);
        for (at, (column, cell)) in columns.iter().zip(cells).enumerate() {
            let x = left + at * width;
            let (fill, text) = scale.colours(&cell.text);
            let (wide, high) = (width - 1, CELL_HEIGHT_PIXELS - 1);
            write!(out, "<g><title>{}, {}: {}</title>", escaped(row), escaped(column), escaped(&cell.text))
                .expect(fail);
            write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" {fill}/>").expect(fail);
            if !cell.text.is_empty() {
                let (x, colour) = (x + width / 2, text.unwrap_or("currentColor"));
                let text = escaped(&shortened(&cell.text));
                write!(out, "<text x=\"{x}\" y=\"{middle}\" text-anchor=\"middle\" fill=\"{colour}\">{text}</text>")
                    .expect(fail);
            }
            out.push_str("</g>");
        }
    }
    out.push_str("</svg>");
    Some(out)
}

/// From where to where the numbers of a grid go, in thousandths.
struct Scale {
    low: i64,
    high: i64,
}

impl Scale {
    fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Self {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for number in cells.filter_map(|cell| thousandths(&cell.text)) {
            (low, high) = (low.min(number), high.max(number));
        }
        Self { low, high }
    }

    /// The attributes that fill a cell, and the colour of the number on it.
    fn colours(&self, text: &str) -> (String, Option<&'static str>) {
        let Some(number) = thousandths(text) else {
            return ("fill=\"#808080\" fill-opacity=\"0.15\"".to_owned(), None);
        };
        let span = i128::from(self.high) - i128::from(self.low);
        let steps = (RAMP.len() - 1) as i128 * 1000;
        let place = if span == 0 { steps / 2 } else { (i128::from(number) - i128::from(self.low)) * steps / span };
        let step = usize::try_from(place / 1000).unwrap_or(0).min(RAMP.len() - 2);
        let part = i64::try_from(place - step as i128 * 1000).unwrap_or(0);
        let (from, to) = (RAMP[step], RAMP[step + 1]);
        let mix = |from: i64, to: i64| from + (to - from) * part / 1000;
        let (r, g, b) = (mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2));
        // As bright as the eye finds it; beyond the middle black can be read better than white.
        let bright = (299 * r + 587 * g + 114 * b) / 1000;
        (format!("fill=\"#{r:02x}{g:02x}{b:02x}\""), Some(if bright > 120 { "#000000" } else { "#ffffff" }))
    }
}

/// A whole number or a fraction, in thousandths: exact enough for a colour.
fn thousandths(text: &str) -> Option<i64> {
    let (above, below) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    let (above, below): (i64, i64) = (above.parse().ok()?, below.parse().ok()?);
    above.checked_mul(1000)?.checked_div(below)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LABEL_MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(LABEL_MAX_CHARS - 1).chain(['…']).collect()
}

/// A text as XML holds it, in an element or in an attribute. What XML or a reader's eye cannot bear, control characters
/// and those that turn the direction of writing, becomes a replacement character.
pub(super) fn escaped(text: &str) -> String {
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
        let rows: Vec<(String, Vec<Cell>)> = columns
            .iter()
            .zip(numbers)
            .map(|(name, row)| (name.clone(), row.iter().map(|text| Cell::new(*text)).collect()))
            .collect();
        heat_map("touches", &columns, &rows)
    }

    #[test]
    fn numbers_become_colours_in_their_order() {
        let svg = grid(&["a", "b"], &[&["", "0"], &["43", "43/2"]]).unwrap();
        assert!(svg.contains("#440154") && svg.contains("#fde725") && svg.contains("#21918c"), "{svg}");
        assert!(svg.contains("fill-opacity"), "the empty cell has no number: {svg}");
        assert_eq!(svg.matches("<g>").count(), 4);
        roxmltree::Document::parse(&svg).unwrap();
    }

    #[test]
    fn equal_numbers_are_no_trouble_and_neither_is_what_is_no_number() {
        assert!(grid(&["a"], &[&["7"]]).unwrap().contains("#21918c"));
        assert!(grid(&["a"], &[&["1/0"]]).unwrap().contains("1/0"));
        assert!(grid(&["a"], &[&["9223372036854775807"]]).is_some());
        assert_eq!(grid(&[], &[]), None);
    }

    #[test]
    fn a_hostile_name_is_text() {
        let svg = grid(&["<script>\"'&\u{202e}\u{7}"], &[&["<b>"]]).unwrap();
        assert!(!svg.contains("<script") && !svg.contains("<b>") && !svg.contains('\u{202e}'), "{svg}");
        let parsed = roxmltree::Document::parse(&svg).unwrap();
        assert!(parsed.descendants().any(|node| node.text().is_some_and(|text| text.starts_with("<script>\"'&"))));
    }

    #[test]
    fn a_grid_that_nobody_could_read_is_not_drawn() {
        let names: Vec<String> = (0..65).map(|n| n.to_string()).collect();
        let rows: Vec<_> = names.iter().map(|name| (name.clone(), vec![Cell::new("1"); 65])).collect();
        assert_eq!(heat_map("", &names, &rows), None);
    }
}
