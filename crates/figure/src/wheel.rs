//! The layout of a round of moments: a disc for each on a circle, from the top with the clock, a ring around the one that
//! is now, and beside each what happens then.

use super::graph::NOWHERE;
use super::layout::{ADVANCE, Colour, Disc, HEIGHT, Label, Layout, MARGIN, NAME_MAX_CHARS, PAD, Ring, cut, width_of};
use kernel::display::Wheel;

/// More moments than this have no room.
const MOMENTS_MAX_COUNT: usize = 24;

/// How far it is from the middle to the discs, in units of the layout, for each moment of the round and at least.
const FARTHER: usize = 6;
const NEAREST: usize = 44;

/// How large a disc is.
const RADIUS: usize = 9;

/// What is over, what is still to come, and when something happens.
const OVER: (Colour, Colour) = ([110, 112, 118], [255; 3]);
const TO_COME: (Colour, Colour) = ([201, 203, 207], [0; 3]);
const DUE: (Colour, Colour) = ([230, 159, 0], [0; 3]);

impl Layout<'_> {
    /// Adds a wheel; nothing where it has no moment, or more than it has room for.
    pub(super) fn wheel(&mut self, wheel: &Wheel) -> Option<()> {
        let count = wheel.moments.len();
        if count == 0 || count > MOMENTS_MAX_COUNT {
            return None;
        }
        let far = NEAREST.max(FARTHER * count);
        let beside: Vec<String> = wheel.moments.iter().map(|(_, due)| cut(&due.join(", "), NAME_MAX_CHARS)).collect();
        // Those in the first half of the round stand at the right.
        let is_right = |index: usize| 2 * index <= count;
        let widest = |right: bool| {
            let texts = beside.iter().enumerate().filter(|(index, _)| is_right(*index) == right);
            texts.map(|(_, text)| width_of(text)).max().unwrap_or(0)
        };
        let (at_left, at_right) = (widest(false), widest(true));
        let middle_x = MARGIN + at_left + PAD + RADIUS + far;
        let middle_y = self.height + RADIUS + PAD + far;
        let name = cut(&wheel.name, far / ADVANCE);
        let x = middle_x - width_of(&name) / 2;
        self.names.push(Label { x, y: middle_y - HEIGHT / 2, text: name, turned: false });
        for (index, ((name, due), text)) in wheel.moments.iter().zip(beside).enumerate() {
            let (x, y) = on_circle((middle_x, middle_y), far, index, count);
            let (ground, ink) = if index < wheel.now {
                OVER
            } else if due.is_empty() {
                TO_COME
            } else {
                DUE
            };
            let mark = cut(name, 2);
            let half = width_of(&mark) / 2;
            let mark = Label { x: x - half, y: y - HEIGHT / 2, text: mark, turned: false };
            let title = if due.is_empty() { name.clone() } else { format!("{name}: {}", due.join(", ")) };
            self.discs.push(Disc { x, y, radius: RADIUS, ground, ink, mark, chip: None, title, cell: &NOWHERE });
            if index == wheel.now {
                self.rings.push(Ring { x, y, radius: RADIUS + PAD });
            }
            if !text.is_empty() {
                let away = RADIUS + 2 * PAD;
                let x = if is_right(index) { x + away } else { x - away - width_of(&text) };
                self.names.push(Label { x, y: y - HEIGHT / 2, text, turned: false });
            }
        }
        self.width = self.width.max(middle_x + far + RADIUS + 2 * PAD + at_right + MARGIN);
        self.height = middle_y + far + RADIUS + PAD + MARGIN;
        Some(())
    }
}

/// A place on a circle, the first at the top, the others with the clock.
fn on_circle((x, y): (usize, usize), far: usize, index: usize, count: usize) -> (usize, usize) {
    let turn = std::f64::consts::TAU * index as f64 / count as f64;
    let along = |middle: usize, part: f64| middle.saturating_add_signed((part * far as f64).round() as isize);
    (along(x, turn.sin()), along(y, -turn.cos()))
}
