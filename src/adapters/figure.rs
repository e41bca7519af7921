//! Figures: the grids of a document as a heat map, in SVG for the web and in PNG where only pictures can be shown.
//!
//! Both are drawn from one layout, so that they show the same. The picture's letters come from a font of a few pixels
//! that is part of the program: a machine without fonts draws the same picture. Colours say nothing that the numbers
//! in the cells do not say too. Pages and links are absent.

mod font;

use crate::kernel::display::{Block, Cell, Document};

/// A grid with more cells than this is a table to read, and no figure.
const FIGURE_MAX_CELLS: usize = 2500;

/// More grids of one document than this are not drawn.
const FIGURE_MAX_COUNT: usize = 4;

/// Longest name of a row or column that is shown whole, in characters.
const NAME_MAX_CHARS: usize = 24;

/// Longest text of a cell that is shown whole, in characters.
const CELL_MAX_CHARS: usize = 8;

/// The unit of the layout is a pixel of the font; a picture shows each as so many.
const PICTURE_SCALE: usize = 2;

/// The room around a text in a cell.
const PAD: usize = 3;

/// The room around the figure, and between two.
const MARGIN: usize = 8;

type Colour = [u8; 3];

const PAPER: Colour = [255, 255, 255];
const INK: Colour = [32, 33, 36];
const NOTHING: Colour = [236, 237, 240];

/// A filled rectangle.
struct Fill {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    colour: Colour,
}

/// A text. Its place is its upper left corner, or where it is turned, the lower left.
struct Label {
    x: usize,
    y: usize,
    text: String,
    /// Whether it is read from below to above.
    turned: bool,
    colour: Colour,
}

/// Where everything is.
#[derive(Default)]
struct Layout {
    width: usize,
    height: usize,
    fills: Vec<Fill>,
    labels: Vec<Label>,
}

/// The figure of a document as SVG, without a declaration, to stand in a page; nothing where the document has no grid
/// that can be drawn.
pub fn svg(document: &Document) -> Option<String> {
    let layout = layout(document)?;
    let (width, height) = (layout.width, layout.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" \
         role=\"img\" font-family=\"monospace\" font-size=\"10\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        width * PICTURE_SCALE,
        height * PICTURE_SCALE,
        escaped(&document.title),
        hex(PAPER),
    );
    for Fill { x, y, width, height, colour } in &layout.fills {
        out.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
            hex(*colour)
        ));
    }
    for label in &layout.labels {
        let long = width_of(&label.text);
        let (x, y) = if label.turned { (label.x + font::HEIGHT, label.y) } else { (label.x, label.y + font::HEIGHT) };
        let turn = if label.turned { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        out.push_str(&format!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{}\" textLength=\"{long}\" lengthAdjust=\"spacingAndGlyphs\"{turn}>{}</text>",
            hex(label.colour),
            escaped(&label.text)
        ));
    }
    out.push_str("</svg>");
    Some(out)
}

/// The figure of a document as PNG; nothing where the document has no grid that can be drawn.
pub fn png(document: &Document) -> Option<Vec<u8>> {
    let layout = layout(document)?;
    let (width, height) = (layout.width * PICTURE_SCALE, layout.height * PICTURE_SCALE);
    let mut picture = Picture { width, pixels: PAPER.repeat(width * height) };
    for Fill { x, y, width, height, colour } in &layout.fills {
        picture.fill(*x, *y, *width, *height, *colour);
    }
    for label in &layout.labels {
        for (index, char) in label.text.chars().enumerate() {
            for (column, bits) in font::glyph(char).into_iter().enumerate() {
                for row in (0..font::HEIGHT).filter(|row| bits & (1 << row) != 0) {
                    let along = index * font::ADVANCE + column;
                    let (x, y) = if label.turned {
                        (label.x + row, (label.y).saturating_sub(along + 1))
                    } else {
                        (label.x + along, label.y + row)
                    };
                    picture.fill(x, y, 1, 1, label.colour);
                }
            }
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&picture.pixels).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Fills a rectangle, in units of the layout.
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        for row in y * PICTURE_SCALE..(y + height) * PICTURE_SCALE {
            let start = (row * self.width + x * PICTURE_SCALE) * 3;
            let line = self.pixels.get_mut(start..start + width * PICTURE_SCALE * 3).unwrap_or_default();
            for pixel in line.chunks_exact_mut(3) {
                pixel.copy_from_slice(&colour);
            }
        }
    }
}

fn layout(document: &Document) -> Option<Layout> {
    let mut layout = Layout { width: 0, height: MARGIN, ..Layout::default() };
    let grids = document.blocks.iter().filter_map(|block| match block {
        Block::Grid { columns, rows } => Some((columns, rows)),
        _ => None,
    });
    let mut count = 0;
    for (columns, rows) in grids {
        count += 1;
        if count > FIGURE_MAX_COUNT || columns.len().checked_mul(rows.len())? > FIGURE_MAX_CELLS || rows.is_empty() {
            return None;
        }
        layout.grid(columns, rows);
    }
    (count > 0).then_some(layout)
}

impl Layout {
    fn grid(&mut self, columns: &[String], rows: &[(String, Vec<Cell>)]) {
        let texts = || rows.iter().flat_map(|(_, cells)| cells).map(|cell| cut(&cell.text, CELL_MAX_CHARS));
        let cell_width = texts().map(|text| width_of(&text)).max().unwrap_or(0).max(font::HEIGHT) + 2 * PAD;
        let cell_height = font::HEIGHT + 2 * PAD;
        let names: Vec<String> = rows.iter().map(|(name, _)| cut(name, NAME_MAX_CHARS)).collect();
        let heads: Vec<String> = columns.iter().map(|name| cut(name, NAME_MAX_CHARS)).collect();
        let left = MARGIN + names.iter().map(|name| width_of(name)).max().unwrap_or(0) + PAD;
        let top = self.height + heads.iter().map(|name| width_of(name)).max().unwrap_or(0) + PAD;
        for (index, head) in heads.into_iter().enumerate() {
            let x = left + index * cell_width + (cell_width - font::HEIGHT) / 2;
            self.labels.push(Label { x, y: top - PAD, text: head, turned: true, colour: INK });
        }
        let greatest = rows.iter().flat_map(|(_, cells)| cells).filter_map(value).map(f64::abs).fold(0.0, f64::max);
        for (index, (name, (_, cells))) in names.into_iter().zip(rows).enumerate() {
            let y = top + index * cell_height;
            let x = left - PAD - width_of(&name);
            self.labels.push(Label { x, y: y + PAD, text: name, turned: false, colour: INK });
            for (index, cell) in cells.iter().take(columns.len()).enumerate() {
                let x = left + index * cell_width;
                let colour = value(cell).map_or(NOTHING, |value| heat(value, greatest));
                self.fills.push(Fill { x, y, width: cell_width - 1, height: cell_height - 1, colour });
                let text = cut(&cell.text, CELL_MAX_CHARS);
                let x = x + (cell_width - width_of(&text)) / 2;
                self.labels.push(Label { x, y: y + PAD, text, turned: false, colour: on(colour) });
            }
        }
        self.width = self.width.max(left + columns.len() * cell_width + MARGIN);
        self.height = top + rows.len() * cell_height + MARGIN;
    }
}

/// The number in a cell, for its colour alone: what is shown is the text.
fn value(cell: &Cell) -> Option<f64> {
    let text = cell.text.trim().replace('\u{2212}', "-");
    match text.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (above.parse::<f64>().ok()?, below.parse::<f64>().ok()?);
            Some(above / below)
        }
        None => text.parse().ok(),
    }
    .filter(|value: &f64| value.is_finite())
}

/// Blue above nought and orange below, which most people can tell apart; nought is grey.
fn heat(value: f64, greatest: f64) -> Colour {
    let share = if greatest > 0.0 { (value.abs() / greatest).min(1.0) } else { 0.0 };
    let full: Colour = if value > 0.0 { [33, 102, 172] } else { [200, 80, 20] };
    let mut out = NOTHING;
    for (channel, full) in out.iter_mut().zip(full) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mix of two bytes is a byte")]
        let mixed = (f64::from(*channel) + (f64::from(full) - f64::from(*channel)) * share).round() as u8;
        *channel = mixed;
    }
    out
}

/// Ink that can be read on a colour.
fn on(colour: Colour) -> Colour {
    let [red, green, blue] = colour.map(u32::from);
    if red * 3 + green * 6 + blue > 1250 { INK } else { PAPER }
}

fn width_of(text: &str) -> usize {
    text.chars().count() * font::ADVANCE
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['~']).collect()
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
        let layout = layout(&matrix(11)).unwrap();
        let (width, height) = reader.info().size();
        assert_eq!((width as usize, height as usize), (layout.width * 2, layout.height * 2));
        assert!(bytes.len() < 100_000, "{}", bytes.len());
    }

    #[test]
    fn the_svg_shows_every_number_and_name_escaped() {
        let svg = svg(&matrix(3)).unwrap();
        for text in [">-2<", ">program2<", "&lt;1&gt;", "Touches &amp; charges"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(!svg.contains("<1>"));
    }

    #[test]
    fn everything_lies_within_the_figure() {
        for size in [1, 2, 11, 50] {
            let layout = layout(&matrix(size)).unwrap();
            for fill in &layout.fills {
                assert!(fill.x + fill.width <= layout.width && fill.y + fill.height <= layout.height);
            }
            for label in &layout.labels {
                let long = width_of(&label.text);
                let (right, bottom) = if label.turned {
                    (label.x + font::HEIGHT, label.y)
                } else {
                    (label.x + long, label.y + font::HEIGHT)
                };
                assert!(right <= layout.width && bottom <= layout.height && (!label.turned || label.y >= long));
            }
        }
    }

    #[test]
    fn no_grid_or_too_great_a_one_is_no_figure() {
        assert!(png(&Document::say("x")).is_none());
        assert!(svg(&matrix(51)).is_none());
    }

    #[test]
    fn colours_follow_the_sign_and_size() {
        assert_eq!(heat(0.0, 9.0), NOTHING);
        let [red, _, blue] = heat(9.0, 9.0);
        assert!(blue > red);
        let [red, _, blue] = heat(-9.0, 9.0);
        assert!(red > blue);
        assert_eq!(value(&Cell::new("-1/2")), Some(-0.5));
        assert_eq!(value(&Cell::new("-")), None);
    }
}
