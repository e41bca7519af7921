//! The layout of a picture in small squares.

use super::layout::{Colour, Fill, HEIGHT, Label, Layout, MARGIN, NAME_MAX_CHARS, PAD, Strip, cut, width_of};
use kernel::display::Raster;

/// A picture with more dots than this is not drawn.
const RASTER_MAX_PIXELS: usize = 200_000;

/// How wide and high a dot of a picture is, in units of the layout.
const DOT: usize = 2;

impl Layout<'_> {
    /// Dots of a row that look alike are one rectangle: what a picture is made of stays put for long.
    pub(super) fn raster(&mut self, raster: &Raster) -> Option<()> {
        let dots: usize = raster.rows.iter().map(String::len).sum();
        if dots > RASTER_MAX_PIXELS || dots == 0 {
            return None;
        }
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
        let columns = raster.rows.iter().map(String::len).max().unwrap_or(0);
        let height = raster.rows.len() * DOT;
        self.strip = Some(Strip { x: left, y: top, columns, height, dot: DOT, nothing: shade(b'.') });
        let mut right = left + columns * DOT;
        for (column, name) in &raster.column_names {
            let (x, text) = (left + column * DOT, cut(name, NAME_MAX_CHARS));
            right = right.max(x + width_of(&text));
            self.names.push(Label { x, y: below, text, turned: false });
        }
        self.width = self.width.max(right + MARGIN);
        self.height = below + HEIGHT + MARGIN;
        Some(())
    }
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
