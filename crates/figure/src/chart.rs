//! The layout of numbers over time: a line for each thing, with its name where the line ends.

use super::layout::{Colour, Curve, Fill, HEIGHT, Label, Layout, MARGIN, NAME_MAX_CHARS, PAD, Stroke, cut, width_of};
use kernel::display::Chart;

/// How wide and high the lines may run, in units of the layout.
const WIDE: usize = 240;
const HIGH: usize = 120;

/// Marks along the axis of numbers, at most.
const MARKS_MAX_COUNT: i64 = 6;

/// The colours of lines: told apart by most who are colour-blind, and seen on dark ground and on light. A chart with
/// more lines shows the first.
const LINES: [Colour; 8] = [
    [0, 158, 115],
    [230, 159, 0],
    [0, 114, 178],
    [213, 94, 0],
    [204, 121, 167],
    [86, 180, 233],
    [140, 120, 80],
    [128, 128, 128],
];

/// From numbers to the height where they are drawn.
struct Axis {
    low: i64,
    high: i64,
    /// From one mark to the next.
    step: i64,
    top: usize,
    least_first: bool,
}

impl Axis {
    /// An axis with marks at round numbers that holds all of some numbers.
    fn of(numbers: impl Iterator<Item = i64> + Clone, top: usize, least_first: bool) -> Option<Self> {
        let (low, high) = (numbers.clone().min()?, numbers.max()?);
        // Of ranks only those that somebody has; of amounts, from nothing on.
        let (low, high) = if least_first { (low, high) } else { (low.min(0), high.max(0)) };
        let span = high.checked_sub(low)?.max(1);
        let mut steps = (0..18).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i64.pow(power)));
        let step = steps.find(|step| span / step < MARKS_MAX_COUNT)?;
        let high = if low == high { low + step } else { high };
        Some(Self { low, high, step, top, least_first })
    }

    fn at(&self, number: i64) -> usize {
        let span = i128::from(self.high) - i128::from(self.low);
        let from_top = if self.least_first {
            i128::from(number) - i128::from(self.low)
        } else {
            i128::from(self.high) - i128::from(number)
        };
        self.top + usize::try_from(from_top * HIGH as i128 / span).unwrap_or(0)
    }

    fn marks(&self) -> impl Iterator<Item = i64> {
        let first = if self.least_first { self.low } else { self.low.div_euclid(self.step) * self.step };
        (0..=MARKS_MAX_COUNT)
            .filter_map(move |index| first.checked_add(index.checked_mul(self.step)?))
            .filter(|mark| (self.low..=self.high).contains(mark))
    }
}

impl Layout<'_> {
    /// Adds a chart; nothing where it has no line between two moments.
    pub(super) fn chart(&mut self, chart: &Chart) -> Option<()> {
        let drawn: Vec<_> = chart.lines.iter().take(LINES.len()).collect();
        let numbers = drawn.iter().flat_map(|(_, numbers)| numbers.iter().copied().flatten());
        let last = chart.moments.len().checked_sub(1).filter(|last| *last > 0)?;
        let top = self.height + HEIGHT + 2 * PAD;
        let axis = Axis::of(numbers, top, chart.least_first)?;
        let names = axis.marks().map(|mark| width_of(&mark.to_string()));
        let left = MARGIN + names.max().unwrap_or(0) + PAD;
        let text = cut(&chart.measure, NAME_MAX_CHARS);
        self.names.push(Label { x: MARGIN, y: self.height, text, turned: false });
        for mark in axis.marks() {
            let (text, y) = (mark.to_string(), axis.at(mark));
            self.names.push(Label {
                x: left - PAD - width_of(&text),
                y: y.saturating_sub(HEIGHT / 2),
                text,
                turned: false,
            });
        }
        let place = |moment: usize| left + PAD + moment * WIDE / last;
        let bottom = top + HIGH + PAD;
        let frame = vec![(left, top - PAD), (left, bottom), (left + WIDE + 2 * PAD, bottom)];
        self.strokes.push(Stroke { points: frame, far: false, title: String::new() });
        let mut free = 0;
        for (moment, name) in chart.moments.iter().enumerate() {
            let text = cut(name, NAME_MAX_CHARS);
            let x = place(moment).saturating_sub(width_of(&text) / 2);
            if x >= free {
                free = x + width_of(&text) + PAD;
                self.width = self.width.max(free + MARGIN);
                self.names.push(Label { x, y: bottom + PAD, text, turned: false });
            }
        }
        let mut ends = Vec::new();
        for ((name, numbers), colour) in drawn.into_iter().zip(LINES) {
            let points = numbers.iter().take(chart.moments.len()).enumerate();
            let mut points: Vec<_> = points.filter_map(|(at, number)| Some((place(at), axis.at((*number)?)))).collect();
            let Some(end) = points.last().copied() else { continue };
            if points.len() == 1 {
                // A line from a point to itself is a dot.
                points.push(end);
            }
            // The line of who left ends where they did, and its name stands at the right all the same.
            ends.push((end.1, colour, cut(name, NAME_MAX_CHARS)));
            let latest = numbers.iter().copied().flatten().next_back().unwrap_or(0);
            self.curves.push(Curve { points, colour, title: format!("{name}: {latest}") });
        }
        ends.sort_by_key(|(y, ..)| *y);
        let x = left + WIDE + 4 * PAD;
        let mut free = self.height;
        for (y, colour, text) in ends {
            let y = y.saturating_sub(HEIGHT / 2).max(free);
            free = y + HEIGHT + 1;
            self.fills.push(Fill { x, y: y + 1, width: HEIGHT - 2, height: HEIGHT - 2, colour });
            self.width = self.width.max(x + HEIGHT + PAD + width_of(&text) + MARGIN);
            self.names.push(Label { x: x + HEIGHT + PAD, y, text, turned: false });
        }
        let left_out = chart.lines.len().saturating_sub(LINES.len());
        if left_out > 0 {
            let text = format!("and {left_out} more");
            self.width = self.width.max(x + width_of(&text) + MARGIN);
            self.names.push(Label { x, y: free, text, turned: false });
            free += HEIGHT;
        }
        self.height = (bottom + PAD + HEIGHT).max(free) + MARGIN;
        Some(())
    }
}
