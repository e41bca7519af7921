//! A figure as PNG, where only pictures can be shown. Its letters come from a font of a few pixels that is part of the
//! program: a machine without fonts draws the same picture.

use super::{Colour, Disc, Label, Ring, Stroke, font, layout};
use kernel::display::Document;

/// How many pixels of the picture a unit of the layout is wide and high.
const SCALE: usize = 2;

const PAPER: Colour = [255, 255, 255];
const INK: Colour = [32, 33, 36];

/// An edge between neighbours, and one that reaches farther.
const EDGE: Colour = [140, 143, 150];
const FAR_EDGE: Colour = [176, 72, 40];

/// What was asked for.
const ASKED: Colour = [200, 0, 100];

/// A cell without a number.
const NOTHING: Colour = [236, 237, 240];

/// The figure of a document as PNG; nothing where the document has nothing that can be drawn.
pub fn png(document: &Document) -> Option<Vec<u8>> {
    let layout = layout(document)?;
    let (width, height) = (layout.width * SCALE, layout.height * SCALE);
    let mut picture = Picture { width, pixels: PAPER.repeat(width * height) };
    for fill in &layout.fills {
        picture.fill(fill.x, fill.y, fill.width, fill.height, fill.colour);
    }
    for square in &layout.squares {
        let (ground, ink) = square.colours.unwrap_or((NOTHING, INK));
        picture.fill(square.x, square.y, square.width, square.height, ground);
        picture.write(&square.text, ink);
    }
    for stroke in &layout.strokes {
        picture.draw(stroke);
    }
    for ring in &layout.rings {
        picture.ring(ring);
    }
    for disc in &layout.discs {
        picture.put(disc);
    }
    for name in &layout.names {
        picture.write(name, INK);
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
        for row in y * SCALE..(y + height) * SCALE {
            let start = (row * self.width + x * SCALE) * 3;
            let line = self.pixels.get_mut(start..start + width * SCALE * 3).unwrap_or_default();
            for pixel in line.chunks_exact_mut(3) {
                pixel.copy_from_slice(&colour);
            }
        }
    }

    /// Draws a line through its points, as wide as a unit of the layout.
    fn draw(&mut self, stroke: &Stroke) {
        let colour = if stroke.far { FAR_EDGE } else { EDGE };
        for pair in stroke.points.windows(2) {
            let [(from_x, from_y), (to_x, to_y)] = [pair[0], pair[1]].map(|(x, y)| (x * SCALE, y * SCALE));
            let steps = from_x.abs_diff(to_x).max(from_y.abs_diff(to_y)).max(1);
            for step in 0..=steps {
                let x = (from_x * (steps - step) + to_x * step) / steps;
                let y = (from_y * (steps - step) + to_y * step) / steps;
                self.dots(x, y, SCALE, colour);
                self.dots(x, y + 1, SCALE, colour);
            }
        }
    }

    /// Paints a vertex, its mark, and who is there.
    fn put(&mut self, disc: &Disc<'_>) {
        for (radius, colour) in [((disc.radius + 1) * SCALE - 1, INK), (disc.radius * SCALE, disc.ground)] {
            for row in 0..=2 * radius {
                let half = (radius * radius - radius.abs_diff(row).pow(2)).isqrt();
                if let (Some(x), Some(y)) =
                    ((disc.x * SCALE).checked_sub(half), (disc.y * SCALE + row).checked_sub(radius))
                {
                    self.dots(x, y, 2 * half + 1, colour);
                }
            }
        }
        self.write(&disc.mark, disc.ink);
        if let Some(chip) = &disc.chip {
            self.fill(chip.x, chip.y, chip.width, chip.height, chip.ground);
            self.write(&chip.text, chip.ink);
        }
    }

    /// Draws a ring and leaves what it goes around as it is.
    fn ring(&mut self, ring: &Ring) {
        let (outer, inner) = ((ring.radius + 1) * SCALE, (ring.radius - 1) * SCALE);
        let (middle, top) = (ring.x * SCALE, (ring.y * SCALE).saturating_sub(outer));
        for row in 0..=2 * outer {
            let away = outer.abs_diff(row);
            let reach = |radius: usize| radius.pow(2).checked_sub(away.pow(2)).map(usize::isqrt);
            let (Some(far), near) = (reach(outer), reach(inner)) else { continue };
            let left = middle.saturating_sub(far);
            match near {
                None => self.dots(left, top + row, 2 * far + 1, ASKED),
                Some(near) => {
                    self.dots(left, top + row, far - near, ASKED);
                    self.dots(middle + near + 1, top + row, far - near, ASKED);
                }
            }
        }
    }

    /// Dots of the picture beside each other.
    fn dots(&mut self, x: usize, y: usize, count: usize, colour: Colour) {
        let start = (y * self.width + x) * 3;
        let end = (y * self.width + (x + count).min(self.width)) * 3;
        for pixel in self.pixels.get_mut(start..end).unwrap_or_default().chunks_exact_mut(3) {
            pixel.copy_from_slice(&colour);
        }
    }

    fn write(&mut self, label: &Label, colour: Colour) {
        for (index, char) in label.text.chars().enumerate() {
            for (column, bits) in font::glyph(char).into_iter().enumerate() {
                for row in (0..font::HEIGHT).filter(|row| bits & (1 << row) != 0) {
                    let along = index * font::ADVANCE + column;
                    let (x, y) = if label.turned {
                        (label.x + row, (label.y).saturating_sub(along + 1))
                    } else {
                        (label.x + along, label.y + row)
                    };
                    self.fill(x, y, 1, 1, colour);
                }
            }
        }
    }
}
