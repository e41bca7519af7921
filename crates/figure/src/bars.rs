//! The layout of amounts: a bar each, and a line at how much the first one needs.

use super::layout::{ADVANCE, Colour, Fill, HEIGHT, Label, Layout, MARGIN, NAME_MAX_CHARS, PAD, Stroke, cut, width_of};
use kernel::display::Bars;

/// How long the longest bar is, in units of the layout.
const LONG: u64 = 160;

/// How thick one is.
const THICK: usize = HEIGHT + 4;

/// The colours of bars, in their order: told apart by most who are colour-blind.
const COLOURS: [Colour; 4] = [[0, 158, 115], [213, 94, 0], [0, 114, 178], [150, 150, 150]];

impl Layout<'_> {
    /// Adds bars; nothing where there are none.
    pub(super) fn bars(&mut self, bars: &Bars) -> Option<()> {
        let needed = bars.needed.as_ref().map(|(needed, _)| *needed);
        let most = bars.bars.iter().map(|(_, amount)| *amount).chain(needed).max()?.max(1);
        let long = |amount: u64| usize::try_from(u128::from(amount) * u128::from(LONG) / u128::from(most)).unwrap_or(0);
        let names: Vec<String> = bars.bars.iter().map(|(name, _)| cut(name, NAME_MAX_CHARS)).collect();
        let left = MARGIN + names.iter().map(|name| width_of(name)).max()? + PAD;
        let top = self.height;
        for (index, ((text, (_, amount)), colour)) in
            names.into_iter().zip(&bars.bars).zip(COLOURS.into_iter().cycle()).enumerate()
        {
            let y = top + index * (THICK + PAD);
            let (middle, width) = (y + (THICK - HEIGHT) / 2, long(*amount));
            let number = amount.to_string();
            self.names.push(Label { x: left - PAD - width_of(&text), y: middle, text, turned: false });
            self.fills.push(Fill { x: left, y, width, height: THICK, colour });
            self.width = self.width.max(left + width + PAD + width_of(&number) + MARGIN);
            self.names.push(Label { x: left + width + PAD, y: middle, text: number, turned: false });
        }
        let mut bottom = top + bars.bars.len() * (THICK + PAD);
        if let Some((needed, name)) = &bars.needed {
            let (x, text) = (left + long(*needed), cut(&format!("{name}: {needed}"), NAME_MAX_CHARS));
            self.strokes.push(Stroke { points: vec![(x, top - 2), (x, bottom)], far: true, title: text.clone() });
            let begin = x.saturating_sub(width_of(&text)).max(MARGIN);
            self.width = self.width.max(begin + width_of(&text) + ADVANCE + MARGIN);
            self.names.push(Label { x: begin, y: bottom + PAD, text, turned: false });
            bottom += PAD + HEIGHT;
        }
        self.height = bottom + MARGIN;
        Some(())
    }
}
