//! `watch`: a charge as a film in a terminal, two cycles in a line of it.
//!
//! Time runs down and the tape across. Each half of a sign is a cell in a cycle, in the colour of its value: darker the
//! nearer to 0, green above it and orange below. The left pointer is blue, the right one red, and where both are it is
//! white. Without colour, cells that are not 0 are drawn, and pointers as signs. Any moment is played from the
//! beginning, which takes some milliseconds at most: so stepping back is stepping.

use std::io::{self, IsTerminal as _, Write};
use std::ops::Range;

use clap::Args;

use super::failure::Failure;
use super::one::{One, told};
use super::screen::{Key, Screen};
use crate::{Charge, Frame, Program, Rules, Setup, Side, play, trace};

/// Lines of what is no terminal, and columns.
const LINES: usize = 24;
const COLUMNS: usize = 80;

/// Lines that tell of the newest cycle, one of each side, and one of keys.
const WORDS_LINES: usize = 4;

/// Values of a tape that are told in figures, around each pointer.
const AROUND_CELLS: isize = 4;

#[derive(Debug, Args)]
pub(super) struct Watch {
    #[command(flatten)]
    one: One,
    /// The cycle to begin with
    #[arg(long, default_value_t = 0)]
    at: u64,
}

/// A charge that is watched.
struct Film {
    left: Program,
    right: Program,
    setup: Setup,
    rules: Rules,
    outcome: Charge,
    /// Whether it is drawn in colour: not where the environment's `NO_COLOR` is set to anything.
    is_coloured: bool,
}

impl Watch {
    pub(super) fn run(self, rules: &mut Rules, out: &mut dyn Write) -> Result<(), Failure> {
        let (left, right, setup) = self.one.read(rules)?;
        let outcome = play(&left, &right, &[setup], rules)[0];
        let is_coloured = std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
        let film = Film { left, right, setup, rules: rules.clone(), outcome, is_coloured };
        if io::stdout().is_terminal()
            && let Some(screen) = Screen::open()
        {
            return film.play(self.at, screen, out);
        }
        film.show(self.at.min(film.outcome.cycles), (COLUMNS, LINES - WORDS_LINES), "\n", out)
    }
}

impl Film {
    /// Plays it, by keys.
    fn play(&self, at: u64, mut screen: Screen, out: &mut dyn Write) -> Result<(), Failure> {
        /// What one key leaps over, and the most cycles of a moment.
        const LEAP_CYCLES: u64 = 100;
        const SPEED_MAX_CYCLES: u64 = 1 << 14;
        let last = self.outcome.cycles;
        let (mut at, mut speed, mut is_playing) = (at.min(last), 1, false);
        write!(out, "{}", Screen::BEGIN)?;
        let done = loop {
            let (columns, lines) = screen.size().unwrap_or((COLUMNS, LINES));
            let lines = lines.saturating_sub(WORDS_LINES).max(1);
            // The newest cycle stays in its place.
            let above = lines.saturating_sub((at as usize + 1).div_ceil(2));
            write!(out, "{}{}", Screen::TOP, Screen::LINE.repeat(above))?;
            let shown = self.show(at, (columns, lines), Screen::LINE, out).and_then(|()| {
                let doing = if is_playing { "plays" } else { "stands" };
                let keys = format!("space plays, arrows step, page {LEAP_CYCLES}, home, end, + -, q ends");
                write!(out, "{}{}", cut(format!("{doing}, {speed} a step: {keys}"), columns), Screen::REST)?;
                Ok(out.flush()?)
            });
            if shown.is_err() {
                break shown;
            }
            match screen.key(is_playing) {
                Some(Key::Quit) => break Ok(()),
                Some(Key::Pause) => is_playing = !is_playing && at < last,
                Some(Key::Step) => (at, is_playing) = (at + 1, false),
                Some(Key::Back) => (at, is_playing) = (at.saturating_sub(1), false),
                Some(Key::Leap) => at += LEAP_CYCLES,
                Some(Key::LeapBack) => at = at.saturating_sub(LEAP_CYCLES),
                Some(Key::Start) => (at, is_playing) = (0, false),
                Some(Key::End) => at = last,
                Some(Key::Faster) => speed = (speed * 2).min(SPEED_MAX_CYCLES),
                Some(Key::Slower) => speed = (speed / 2).max(1),
                Some(Key::Other) => {}
                None => at += if is_playing { speed } else { 0 },
            }
            at = at.min(last);
            is_playing &= at < last;
        };
        write!(out, "{}", Screen::END)?;
        out.flush()?;
        done
    }

    /// The picture of a cycle with what came before it above, and words about it below.
    fn show(&self, at: u64, (columns, lines): (usize, usize), end: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let from = at.saturating_sub(2 * lines as u64 - 1);
        let frames = trace(&self.left, &self.right, self.setup, &self.rules);
        let frames: Vec<Frame> = frames.skip(from as usize).take((at - from) as usize + 1).collect();
        // An odd one out is the oldest, so that the newest is always whole.
        let (odd, pairs) = frames.split_at(frames.len() % 2);
        let rows = odd.iter().map(|frame| (None, frame)).chain(pairs.chunks(2).map(|pair| (Some(&pair[0]), &pair[1])));
        for (upper, lower) in rows {
            let row = if self.is_coloured { line } else { signs };
            write!(out, "{}{end}", row(upper, lower, columns))?;
        }
        let Some(frame) = frames.last() else { return Ok(()) };
        let ended = frame.outcome.map_or_else(String::new, |outcome| format!(": {}", told(&outcome)));
        let cycle = format!("cycle {} of {}{ended}", frame.cycle, self.outcome.cycles);
        write!(out, "{}{end}", cut(cycle, columns))?;
        for (side, place) in [(Side::Left, 0), (Side::Right, 1)] {
            let symbol = frame.symbols[place].map_or("ended".to_owned(), |symbol| format!("plays {symbol}"));
            let (pointer, cells) = (frame.pointers[place], &frame.cells);
            let around = (pointer - AROUND_CELLS..=pointer + AROUND_CELLS)
                .filter_map(|cell| Some((cell, *cells.get(usize::try_from(cell).ok()?)?)))
                .map(|(cell, value)| if cell == pointer { format!("[{value}]") } else { value.to_string() });
            let around: Vec<String> = around.collect();
            let told = format!("{:5} on {pointer}, {symbol}: {}", side.as_str(), around.join(" "));
            write!(out, "{}{end}", cut(told, columns))?;
        }
        Ok(())
    }
}

/// What of a line of words has room in a terminal: a line that wraps pushes the film off its top.
fn cut(mut words: String, columns: usize) -> String {
    // All words are ASCII.
    words.truncate(columns);
    words
}

/// The cells of each column: of a tape that is wider than the terminal, several.
fn groups(cells: usize, columns: usize) -> impl Iterator<Item = Range<usize>> {
    let each = cells.div_ceil(columns.max(1));
    (0..cells).step_by(each).map(move |from| from..(from + each).min(cells))
}

/// Two cycles as a line without colour: which cells are not 0, the earlier cycle above, and the pointers of the later.
fn signs(upper: Option<&Frame>, lower: &Frame, columns: usize) -> String {
    let sign = |group: Range<usize>| match pointers_in(lower, &group) {
        (true, true) => 'X',
        (true, false) => '>',
        (false, true) => '<',
        (false, false) => {
            let is_set = |frame: &Frame| frame.cells[group.clone()].iter().any(|value| *value != 0);
            match (upper.is_some_and(is_set), is_set(lower)) {
                (true, true) => '\u{2588}',
                (true, false) => '\u{2580}',
                (false, true) => '\u{2584}',
                (false, false) => ' ',
            }
        }
    };
    groups(lower.cells.len(), columns).map(sign).collect()
}

/// Whether the left pointer is on one of some cells in a row, and the right one.
fn pointers_in(frame: &Frame, cells: &Range<usize>) -> (bool, bool) {
    let is_in = |at: isize| usize::try_from(at).is_ok_and(|at| cells.contains(&at));
    (is_in(frame.pointers[0]), is_in(frame.pointers[1]))
}

/// Two cycles as a line of half blocks, the earlier one above.
fn line(upper: Option<&Frame>, lower: &Frame, columns: usize) -> String {
    let mut text = String::new();
    for group in groups(lower.cells.len(), columns) {
        let [above, below] =
            [upper, Some(lower)].map(|frame| frame.map_or([0; 3], |frame| colour(frame, group.clone())));
        let [[red, green, blue], [r, g, b]] = [above, below];
        text += &format!("\x1b[38;2;{red};{green};{blue};48;2;{r};{g};{b}m\u{2580}");
    }
    text + "\x1b[0m"
}

/// What some cells in a row look like: a pointer on one of them, or else the value that is furthest from 0.
fn colour(frame: &Frame, cells: Range<usize>) -> [u8; 3] {
    match pointers_in(frame, &cells) {
        (true, true) => return [255, 255, 255],
        (true, false) => return [60, 130, 255],
        (false, true) => return [255, 60, 60],
        (false, false) => {}
    }
    let value = frame.cells[cells].iter().map(|&value| value.cast_signed()).max_by_key(|value| value.unsigned_abs());
    let value = value.unwrap_or_default();
    let bright = match value.unsigned_abs() {
        0 => return [16, 16, 16],
        // Small values are most of what there is to see.
        size => 70 + u8::try_from(size.ilog2() * 22).unwrap_or(u8::MAX),
    };
    if value > 0 { [16, bright, bright / 2] } else { [bright, bright / 2, 16] }
}
