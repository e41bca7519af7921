//! A charge as a text that other programs can play: each picture by what has changed since the one before.

use std::fmt;

use crate::charge::{Charge, Reason, Side};
use crate::presets::LENGTH_MAX_CELLS;
use crate::watch::Frame;

/// The first line of a film.
const HEAD: &str = "bfjoust film 1";

/// What a line of a film should have been and is not. Its `Display` is a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmError {
    /// The line, counted from 1.
    pub line: usize,
}

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            1 => write!(f, "Line 1 is not \"{HEAD}\", as a film of this version begins."),
            2 => write!(f, "Line 2 is not \"length\" with a number of cells from 1 to {LENGTH_MAX_CELLS}."),
            line => write!(f, "Line {line} is no picture of a film: a part of it is unknown or off the tape."),
        }
    }
}

impl std::error::Error for FilmError {}

/// The lines of a film, without line ends, made as they are asked for. Nothing comes of no pictures.
///
/// The first line is `bfjoust film 1`, where 1 is the version of this format. The second is `length N`, the cells of
/// the tape with both flags. Each further line is a picture, in parts with a blank between. A part that is left out is
/// as in the picture before; a picture in which nothing has changed is an empty line. Before the first one all cells
/// are 0, both pointers are on cell 0 and both programs have ended.
///
/// | part | what it says |
/// |---|---|
/// | `@N` | cycles played before it; else one more than in the picture before, 0 in the first |
/// | `lN`, `rN` | the cell of the left or right pointer, from 0; -1 or the length where it has run off |
/// | `LS`, `RS` | the symbol that the left or right side plays next, one of `+-<>.[]`; `_` at the end of a program |
/// | `N=V` | cell N, from 0, holds V, from 0 to 255 |
/// | `!W:R` | the end: W is `left`, `right` or `none`, R is `flag`, `edge`, `both` or `cap` |
pub fn film(frames: impl IntoIterator<Item = Frame>) -> impl Iterator<Item = String> {
    let mut last: Option<Frame> = None;
    frames.into_iter().flat_map(move |frame| {
        let mut lines = Vec::new();
        let before = last.take().unwrap_or_else(|| {
            lines.extend([HEAD.to_owned(), format!("length {}", frame.cells.len())]);
            dark(frame.cells.len())
        });
        let is_first = !lines.is_empty();
        let mut parts = Vec::new();
        if frame.cycle != if is_first { 0 } else { before.cycle.saturating_add(1) } {
            parts.push(format!("@{}", frame.cycle));
        }
        for (side, sign) in ["l", "r"].iter().enumerate() {
            if frame.pointers[side] != before.pointers[side] {
                parts.push(format!("{sign}{}", frame.pointers[side]));
            }
        }
        for (side, sign) in ["L", "R"].iter().enumerate() {
            if frame.symbols[side] != before.symbols[side] {
                parts.push(format!("{sign}{}", frame.symbols[side].unwrap_or('_')));
            }
        }
        for (cell, value) in frame.cells.iter().enumerate() {
            if before.cells.get(cell) != Some(value) {
                parts.push(format!("{cell}={value}"));
            }
        }
        if let Some(Charge { winner, reason, .. }) = frame.outcome {
            parts.push(format!("!{}:{}", winner.map_or("none", Side::as_str), reason.as_str()));
        }
        lines.push(parts.join(" "));
        last = Some(frame);
        lines
    })
}

/// The pictures of a film, from its lines without their ends. After an error there is no further one.
///
/// # Errors
/// [`FilmError`] for the first line that is none of a film.
pub fn read_film<'a>(lines: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = Result<Frame, FilmError>> {
    let mut lines = lines.into_iter().zip(1..);
    let mut last: Option<Frame> = None;
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let (before, is_first) = match last.take() {
            Some(last) => (Ok(last), false),
            None => (begin(&mut lines), true),
        };
        let next = before.and_then(|before| match lines.next() {
            Some((text, line)) => picture(text, before, is_first).map(Some).ok_or(FilmError { line }),
            None => Ok(None),
        });
        is_over = !matches!(next, Ok(Some(_)));
        let frame = next.transpose()?;
        last = frame.clone().ok();
        Some(frame)
    })
}

/// What all pictures are told from.
fn dark(length: usize) -> Frame {
    Frame { cycle: 0, cells: vec![0; length], pointers: [0, 0], symbols: [None, None], outcome: None }
}

fn begin<'a>(lines: &mut impl Iterator<Item = (&'a str, usize)>) -> Result<Frame, FilmError> {
    if lines.next().is_none_or(|(text, _)| text != HEAD) {
        return Err(FilmError { line: 1 });
    }
    let length = lines.next().and_then(|(text, _)| text.strip_prefix("length ")?.parse().ok());
    let length = length.filter(|length| (1..=LENGTH_MAX_CELLS).contains(length));
    length.map(dark).ok_or(FilmError { line: 2 })
}

/// The picture that a line makes of the one before.
fn picture(text: &str, mut frame: Frame, is_first: bool) -> Option<Frame> {
    frame.cycle = if is_first { 0 } else { frame.cycle.saturating_add(1) };
    for part in text.split_ascii_whitespace() {
        let mut signs = part.chars();
        match (signs.next()?, signs.as_str()) {
            ('@', cycle) => frame.cycle = cycle.parse().ok()?,
            (side @ ('l' | 'r'), cell) => {
                let cell: isize = cell.parse().ok()?;
                frame.pointers[usize::from(side == 'r')] = cell;
                if cell < -1 || cell > frame.cells.len() as isize {
                    return None;
                }
            }
            (side @ ('L' | 'R'), symbol) => {
                let symbol: char = symbol.parse().ok()?;
                if !"+-<>.[]_".contains(symbol) {
                    return None;
                }
                frame.symbols[usize::from(side == 'R')] = (symbol != '_').then_some(symbol);
            }
            ('!', end) => {
                let (winner, reason) = end.split_once(':')?;
                let winner = match winner {
                    "none" => None,
                    name => Some([Side::Left, Side::Right].into_iter().find(|side| side.as_str() == name)?),
                };
                let reasons = [Reason::Flag, Reason::Edge, Reason::Both, Reason::Cap];
                let reason = reasons.into_iter().find(|known| known.as_str() == reason)?;
                frame.outcome = Some(Charge { winner, reason, cycles: 0 });
            }
            _ => {
                let (cell, value) = part.split_once('=')?;
                *frame.cells.get_mut(cell.parse::<usize>().ok()?)? = value.parse().ok()?;
            }
        }
    }
    if let Some(charge) = &mut frame.outcome {
        charge.cycles = frame.cycle;
    }
    Some(frame)
}
