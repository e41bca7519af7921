//! The layout of a document's figures: grids as heat maps, graphs as maps, and pictures in dots.
//!
//! There is one layout, so that the web's SVG and a picture's PNG show the same. It gives the place of each name and
//! number, and the colour of each cell. Colours say nothing that the numbers in the cells do not say too. The web and
//! the pictures paint it.

mod font;
mod graph;
mod picture;

pub use font::{ADVANCE, HEIGHT};
pub use graph::{Disc, Ring, Stroke, beside};
pub use picture::png;

use kernel::display::{Block, Cell, Document, Raster};

/// A grid with more cells than this is a table to read, and no figure.
const FIGURE_MAX_CELLS: usize = 2500;

/// A picture with more dots than this is not drawn.
const RASTER_MAX_PIXELS: usize = 200_000;

/// How wide and high a dot of a picture is, in units of the layout.
const DOT: usize = 2;

/// More figures of one document than this are not drawn.
const FIGURE_MAX_COUNT: usize = 4;

/// Longest name of a row or column that is shown whole, in characters.
const NAME_MAX_CHARS: usize = 24;

/// Longest text of a cell that is shown whole, in characters.
const CELL_MAX_CHARS: usize = 8;

/// The room around a text in a cell, in units of the layout, which are pixels of the font.
const PAD: usize = 3;

/// The room around the figure, and between two.
const MARGIN: usize = 8;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Colours from the lowest number to the highest. Each step is lighter than the one before, so that the order can be
/// seen without telling colours apart.
const RAMP: [[i64; 3]; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// A filled rectangle with what stands in it.
pub struct Square<'a> {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
    /// The colour of its number and of the text on it; nothing where there is no number.
    pub colours: Option<(Colour, Colour)>,
    pub text: Label,
    /// The whole text, and where it leads.
    pub cell: &'a Cell,
    /// The names of its row and column, whole.
    pub names: (&'a str, &'a str),
}

/// A text. Its place is its upper left corner, or where it is turned, the lower left.
pub struct Label {
    pub x: usize,
    pub y: usize,
    pub text: String,
    /// Whether it is read from below to above.
    pub turned: bool,
}

/// A rectangle of a picture.
pub struct Fill {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
    pub colour: Colour,
}

/// Where everything is.
#[derive(Default)]
pub struct Layout<'a> {
    pub width: usize,
    pub height: usize,
    pub squares: Vec<Square<'a>>,
    pub fills: Vec<Fill>,
    /// The names of rows and columns.
    pub names: Vec<Label>,
    /// The edges of a graph, which lie below its vertices.
    pub strokes: Vec<Stroke>,
    /// The vertices of a graph, and the marks of its legend.
    pub discs: Vec<Disc<'a>>,
    /// What is drawn around a place that was asked for, over the edges and under the vertices.
    pub rings: Vec<Ring>,
    /// What can be said of a graph in a sentence, for who cannot see it.
    pub says: String,
}

/// The layout of a document's figures; nothing where it has none, or none that can be drawn.
pub fn layout(document: &Document) -> Option<Layout<'_>> {
    of_figures(document.blocks.iter())
}

/// The layout of one block.
pub fn of_block(block: &Block) -> Option<Layout<'_>> {
    of_figures(std::iter::once(block))
}

fn of_figures<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<Layout<'a>> {
    let mut layout = Layout { height: MARGIN, ..Layout::default() };
    let mut count = 0;
    for block in blocks {
        match block {
            Block::Grid { columns, rows } => {
                let cells = columns.len().checked_mul(rows.len())?;
                if cells > FIGURE_MAX_CELLS || cells == 0 {
                    return None;
                }
                layout.grid(columns, rows);
            }
            Block::Raster(raster) => {
                let dots: usize = raster.rows.iter().map(String::len).sum();
                if dots > RASTER_MAX_PIXELS || dots == 0 {
                    return None;
                }
                layout.raster(raster);
            }
            Block::Graph(graph) => layout.graph(graph)?,
            _ => continue,
        }
        count += 1;
        if count > FIGURE_MAX_COUNT {
            return None;
        }
    }
    (count > 0).then_some(layout)
}

impl<'a> Layout<'a> {
    /// Dots of a row that look alike are one rectangle: what a picture is made of stays put for long.
    fn raster(&mut self, raster: &Raster) {
        let names = raster.row_names.iter().map(|(_, name)| width_of(&cut(name, NAME_MAX_CHARS)));
        let left = MARGIN + names.max().unwrap_or(0) + PAD;
        let mut x = left;
        for (dot, name) in [(b'L', &raster.things.0), (b'R', &raster.things.1)] {
            let (y, text) = (self.height, cut(name, NAME_MAX_CHARS));
            self.fills.push(Fill { x, y, width: HEIGHT, height: HEIGHT, colour: shade(dot) });
            x += HEIGHT + PAD;
            let width = width_of(&text);
            self.names.push(Label { x, y, text, turned: false });
            x += width + 3 * PAD;
        }
        self.width = self.width.max(x);
        let top = self.height + HEIGHT + PAD;
        for (row, name) in &raster.row_names {
            let text = cut(name, NAME_MAX_CHARS);
            let (x, y) = (left - PAD - width_of(&text), (top + row * DOT).saturating_sub(HEIGHT / 2));
            self.names.push(Label { x, y, text, turned: false });
        }
        for (row, dots) in raster.rows.iter().enumerate() {
            let mut column = 0;
            for same in dots.as_bytes().chunk_by(|one, other| one == other) {
                let (x, y, width) = (left + column * DOT, top + row * DOT, same.len() * DOT);
                self.fills.push(Fill { x, y, width, height: DOT, colour: shade(same[0]) });
                column += same.len();
            }
        }
        let below = top + raster.rows.len() * DOT + PAD;
        let mut right = left + raster.rows.iter().map(String::len).max().unwrap_or(0) * DOT;
        for (column, name) in &raster.column_names {
            let (x, text) = (left + column * DOT, cut(name, NAME_MAX_CHARS));
            right = right.max(x + width_of(&text));
            self.names.push(Label { x, y: below, text, turned: false });
        }
        self.width = self.width.max(right + MARGIN);
        self.height = below + HEIGHT + MARGIN;
    }

    fn grid(&mut self, columns: &'a [String], rows: &'a [(String, Vec<Cell>)]) {
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

/// The colour of a dot of a picture: two that most people can tell apart for the things, and grey for how much.
fn shade(dot: u8) -> Colour {
    match dot {
        b'L' => [0, 110, 220],
        b'R' => [220, 50, 32],
        b'X' => [130, 40, 150],
        b'a'..=b'h' => [200 - (dot - b'a') * 22; 3],
        _ => [236, 237, 240],
    }
}

/// How wide a text is.
pub fn width_of(text: &str) -> usize {
    text.chars().count() * ADVANCE
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['~']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_picture_is_a_png_of_the_layouts_size() {
        let bytes = png(&matrix(11)).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let matrix = matrix(11);
        let layout = layout(&matrix).unwrap();
        let (width, height) = reader.info().size();
        assert_eq!((width as usize, height as usize), (layout.width * 2, layout.height * 2));
        assert!(bytes.len() < 100_000, "{}", bytes.len());
    }

    #[test]
    fn everything_lies_within_the_figure() {
        for size in [1, 2, 11, 50] {
            let matrix = matrix(size);
            let layout = layout(&matrix).unwrap();
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
        assert!(png(&Document::say("x")).is_none());
        assert!(png(&matrix(0)).is_none());
        assert!(png(&matrix(51)).is_none());
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
