//! The layout of a grid: a heat map, whose colours say nothing that the numbers in the cells do not say too.

use super::layout::{ADVANCE, Colour, HEIGHT, Label, Layout, MARGIN, NAME_MAX_CHARS, PAD, Square, cut, width_of};
use kernel::display::Cell;

/// A grid with more cells than this is a table to read, and no figure.
const FIGURE_MAX_CELLS: usize = 2500;

/// Longest text of a cell that is shown whole, in characters.
const CELL_MAX_CHARS: usize = 8;

/// Colours from the lowest number to the highest. Each step is lighter than the one before, so that the order can be
/// seen without telling colours apart.
const RAMP: [[i64; 3]; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

impl<'a> Layout<'a> {
    /// Adds a grid; nothing where it has no cell, or more than a figure has.
    pub(super) fn grid(&mut self, columns: &'a [String], rows: &'a [(String, Vec<Cell>)]) -> Option<()> {
        let cells = columns.len().checked_mul(rows.len())?;
        if cells > FIGURE_MAX_CELLS || cells == 0 {
            return None;
        }
        let longest = |texts: &[String]| texts.iter().map(|text| width_of(text)).max().unwrap_or(0);
        let texts = rows.iter().flat_map(|(_, cells)| cells).map(|cell| width_of(&cut(&cell.text, CELL_MAX_CHARS)));
        let cell_width = texts.max().unwrap_or(0).max(2 * ADVANCE) + 2 * PAD;
        let cell_height = HEIGHT + 2 * PAD;
        let names: Vec<String> = rows.iter().map(|(name, _)| cut(name, NAME_MAX_CHARS)).collect();
        let heads: Vec<String> = columns.iter().map(|name| cut(name, NAME_MAX_CHARS)).collect();
        // Names that are no wider than their columns are read without turning one's head.
        let turned = longest(&heads) + PAD > cell_width;
        let left = MARGIN + longest(&names) + PAD;
        let top = self.height + if turned { longest(&heads) } else { HEIGHT } + PAD;
        for (index, text) in heads.into_iter().enumerate() {
            let wide = if turned { HEIGHT } else { width_of(&text) };
            let x = left + index * cell_width + cell_width.saturating_sub(wide) / 2;
            let y = if turned { top - PAD } else { top - PAD - HEIGHT };
            self.names.push(Label { x, y, text, turned });
        }
        let scale = Scale::of(rows.iter().flat_map(|(_, cells)| cells));
        for (index, (text, (name, cells))) in names.into_iter().zip(rows).enumerate() {
            let y = top + index * cell_height;
            let x = left - PAD - width_of(&text);
            self.names.push(Label { x, y: y + PAD, text, turned: false });
            for (index, (column, cell)) in columns.iter().zip(cells).enumerate() {
                let x = left + index * cell_width;
                let text = cut(&cell.text, CELL_MAX_CHARS);
                let inner = x + cell_width.saturating_sub(width_of(&text)) / 2;
                self.squares.push(Square {
                    x,
                    y,
                    width: cell_width - 1,
                    height: cell_height - 1,
                    colours: scale.colours(&cell.text),
                    text: Label { x: inner, y: y + PAD, text, turned: false },
                    cell,
                    names: (name, column),
                });
            }
        }
        self.width = self.width.max(left + columns.len() * cell_width + MARGIN);
        self.height = top + rows.len() * cell_height + MARGIN;
        Some(())
    }
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

    /// The colour of a cell, and that of the text on it; nothing for what is no number.
    fn colours(&self, text: &str) -> Option<(Colour, Colour)> {
        let number = thousandths(text)?;
        let span = i128::from(self.high) - i128::from(self.low);
        let steps = (RAMP.len() - 1) as i128 * 1000;
        let place = if span == 0 { steps / 2 } else { (i128::from(number) - i128::from(self.low)) * steps / span };
        let step = usize::try_from(place / 1000).unwrap_or(0).min(RAMP.len() - 2);
        let part = i64::try_from(place - step as i128 * 1000).unwrap_or(0);
        let (from, to) = (RAMP[step], RAMP[step + 1]);
        let mixed = [0, 1, 2].map(|at| from[at] + (to[at] - from[at]) * part / 1000);
        // As bright as the eye finds it; beyond the middle black can be read better than white.
        let bright = (299 * mixed[0] + 587 * mixed[1] + 114 * mixed[2]) / 1000;
        let ink = if bright > 120 { [0; 3] } else { [255; 3] };
        Some((mixed.map(|channel| u8::try_from(channel).unwrap_or(u8::MAX)), ink))
    }
}

/// A whole number or a fraction, in thousandths: exact enough for a colour.
fn thousandths(text: &str) -> Option<i64> {
    let (above, below) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    let (above, below): (i64, i64) = (above.parse().ok()?, below.parse().ok()?);
    above.checked_mul(1000)?.checked_div(below)
}

#[cfg(test)]
mod tests {
    use super::{super::layout::layout, *};
    use kernel::display::{Block, Document};

    fn matrix(size: usize) -> Document {
        let rows = (0..size)
            .map(|row| {
                let cell = |column: usize| Cell::new((row as i64 * 2 - column as i64).to_string());
                (format!("program{row}"), (0..size).map(cell).collect())
            })
            .collect();
        let columns = (0..size).map(|column| format!("<{column}>")).collect();
        Document::titled("matrix", "Touches & charges").with(Block::Grid { columns, rows })
    }

    #[test]
    fn everything_lies_within_the_figure() {
        for size in [1, 2, 11, 50] {
            let matrix = matrix(size);
            let layout = layout(&matrix.blocks).unwrap();
            for square in &layout.squares {
                assert!(square.x + square.width <= layout.width && square.y + square.height <= layout.height);
            }
            for label in layout.names.iter().chain(layout.squares.iter().map(|square| &square.text)) {
                let long = width_of(&label.text);
                let (right, bottom) =
                    if label.turned { (label.x + HEIGHT, label.y) } else { (label.x + long, label.y + HEIGHT) };
                assert!(right <= layout.width && bottom <= layout.height && (!label.turned || label.y >= long));
            }
        }
    }

    #[test]
    fn no_grid_or_one_that_nobody_could_read_is_no_figure() {
        assert!(layout(&Document::say("x").blocks).is_none());
        assert!(layout(&matrix(0).blocks).is_none());
        assert!(layout(&matrix(51).blocks).is_none());
    }

    #[test]
    fn numbers_become_colours_in_their_order() {
        let cells = ["0", "43", "43/2", ""].map(Cell::new);
        let scale = Scale::of(cells.iter());
        assert_eq!(scale.colours("0"), Some(([68, 1, 84], [255; 3])));
        assert_eq!(scale.colours("43"), Some(([253, 231, 37], [0; 3])));
        assert_eq!(scale.colours("43/2").unwrap().0, [33, 145, 140]);
        assert_eq!(scale.colours(""), None);
        assert_eq!(scale.colours("1/0"), None);
        // Equal numbers are no trouble, and neither are the greatest.
        let one = [Cell::new("7")];
        assert_eq!(Scale::of(one.iter()).colours("7").unwrap().0, [33, 145, 140]);
        let great = [Cell::new("9223372036854775807")];
        assert_eq!(Scale::of(great.iter()).colours("9223372036854775807"), None);
    }
}
