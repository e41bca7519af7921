//! How far commands go that end with a line of their own (4E12, B12.1).
//!
//! Others of their kind may stand among them, now or for a later time, and texts in which anything may stand: what ends one
//! of these is not their end. Where two lines could be it, nobody guesses, since what follows the first would be done by
//! itself. What the commands mean is absent.

use super::{
    Kind, Line, Param,
    english::is_timed,
    steps::{HELD_MAX_LEVELS, is_text_end},
    times,
    words::Reader,
};
use crate::{
    catalogue::{Catalogue, clean::folded},
    kernel::rulebook::source::blanked,
};

/// Most that may be open in each other: none is done in another, so that deeper ones need no reading.
const NESTED_MAX_COUNT: u32 = 8;

/// Where the commands end.
pub(super) enum Close<'t> {
    /// Before one position and with another.
    At(Reader<'t>, Reader<'t>),
    /// Nowhere in the message.
    Nowhere,
    /// With the one line or with another.
    Anywhere,
}

/// A line, or what stands between two semicolons.
struct Segment<'t> {
    before: Reader<'t>,
    from: Reader<'t>,
    to: Reader<'t>,
    says: Says,
}

/// What a segment says of ends, wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Nothing.
    Nothing,
    /// That such commands begin, and nothing else.
    Begin,
    /// That they end; in full, or in a word that a story may end with.
    End { full: bool },
    /// That a text ends.
    EndText,
}

/// What goes on behind a segment.
enum Opens {
    Nothing,
    Commands,
    Text,
}

/// How much is open while one goes along.
struct Open {
    depth: u32,
    /// How deep the text that is open stands.
    text: Option<u32>,
}

/// Whether a line ends the commands of a parameter that come line by line, behind those that came before it.
pub(in crate::catalogue) fn closes(catalogue: &Catalogue, param: &Param, before: &str, line: &str) -> bool {
    if !param.is_ended_by(line) {
        return false;
    }
    let text = format!("{before}\n{line}");
    let seen = blanked(&text);
    let reading = Line::new(catalogue, Reader::new(&text, &seen), 0);
    let segments = reading.segments(param);
    let Some((last, others)) = segments.split_last() else { return true };
    let mut open = Open { depth: 1, text: None };
    for segment in others {
        match segment.says {
            Says::End { full: false } if open.text == Some(open.depth) => {}
            _ => reading.goes_over(&mut open, segment),
        }
    }
    // What follows is not known, and which line it shall be was said.
    let is_story = last.says == Says::End { full: false } && open.text.is_some();
    last.says == Says::Nothing || (open.depth <= 1 && !is_story)
}

impl<'t> Line<'_, 't> {
    /// Where the commands of a parameter end that begin here.
    pub(super) fn close(&self, param: &Param) -> Close<'t> {
        let segments = self.segments(param);
        if !segments.iter().any(|segment| matches!(segment.says, Says::End { .. })) {
            return Close::Nowhere;
        }
        let mut open = Open { depth: 1, text: None };
        let mut found = None;
        for (index, segment) in segments.iter().enumerate() {
            if let Says::End { full } = segment.says {
                let in_text = open.text == Some(open.depth);
                if in_text && is_text(&segments[index..], full, found.is_some()) {
                    continue;
                }
                if open.depth == 0 {
                    return Close::Anywhere;
                }
                if open.depth == 1 && found.is_none() {
                    found = Some((segment.before, segment.to));
                }
            }
            if open.depth > NESTED_MAX_COUNT {
                return Close::Nowhere;
            }
            self.goes_over(&mut open, segment);
        }
        found.map_or(Close::Nowhere, |(before, after)| Close::At(before, after))
    }

    fn goes_over(&self, open: &mut Open, segment: &Segment<'t>) {
        match segment.says {
            Says::EndText => open.depth = open.text.take().unwrap_or(open.depth),
            Says::End { .. } => {
                open.depth = open.depth.saturating_sub(1);
                open.text = open.text.filter(|depth| *depth <= open.depth);
            }
            Says::Begin => open.depth += 1,
            Says::Nothing if open.text.is_none() => match self.opens(segment) {
                Opens::Nothing => {}
                Opens::Commands => open.depth += 1,
                Opens::Text => open.text = Some(open.depth),
            },
            Says::Nothing => {}
        }
    }

    fn segments(&self, param: &Param) -> Vec<Segment<'t>> {
        let (mut reader, mut found) = (self.reader, Vec::new());
        loop {
            let before = reader;
            reader.skip_separators();
            if reader.peek().is_none() {
                return found;
            }
            let from = reader;
            reader.skip_command();
            let said = reader.seen_since(from.at());
            let says = if is_text_end(said) {
                Says::EndText
            } else if param.is_ended_by(said) {
                Says::End { full: folded(said).split_whitespace().count() > 1 }
            } else if self.begins_alone(from, reader) {
                Says::Begin
            } else {
                Says::Nothing
            };
            found.push(Segment { before, from, to: reader, says });
        }
    }

    /// Whether a segment holds no more than the name of a command that ends with a line of its own.
    fn begins_alone(&self, from: Reader<'t>, to: Reader<'t>) -> bool {
        let mut line = Line { reader: from.up_to(to.at()), files: 0, ..*self };
        line.prefix();
        let named = line.phrase().or_else(|| line.known());
        let ends = named.and_then(|command| command.rest().map(|rest| !rest.until.is_empty())).unwrap_or_default();
        line.reader.skip_space(false);
        ends && line.reader.at_stop()
    }

    /// What a segment begins that goes on behind it.
    fn opens(&self, segment: &Segment<'t>) -> Opens {
        let mut line = Line { reader: segment.from.up_to(segment.to.at()), files: 0, ..*self };
        for _ in 0..=HELD_MAX_LEVELS {
            line.reader.skip_separators();
            line.prefix();
            let begun = line;
            let _ = line.at_room();
            let _ = times(&mut line.reader);
            let Some(command) = line.spoken() else { return Opens::Nothing };
            if is_timed(&command) {
                let when = command.places().next().map(|when| line.occasion(&command, when));
                if when.is_some_and(|when| when.is_ok()) {
                    continue;
                }
                return Opens::Nothing;
            }
            let Some(rest) = command.rest() else { return Opens::Nothing };
            return match rest.kind {
                Kind::Actions if !rest.until.is_empty() => Opens::Commands,
                Kind::Text if begun.leaves_open(rest) => Opens::Text,
                _ => Opens::Nothing,
            };
        }
        Opens::Nothing
    }

    /// Whether the text of the command that stands here goes on below it: nothing in its line says where it ends.
    fn leaves_open(mut self, rest: &Param) -> bool {
        let begun = self.reader.at();
        let Ok(typed) = self.command() else { return true };
        match typed.args.get(&rest.name) {
            Some(taken) => self.reader.since(begun).trim_end().ends_with(taken.trim_end()),
            None => typed.awaits_text().is_some(),
        }
    }
}

/// Whether a line that could end the commands belongs to the text that is open there. Lines come after it; all of its own
/// have ended, or not.
fn is_text(from: &[Segment<'_>], full: bool, ended: bool) -> bool {
    let later = &from[1..];
    let ends = |segments: &[Segment<'_>]| segments.iter().any(|segment| matches!(segment.says, Says::End { .. }));
    let begin = later.iter().position(|segment| segment.says == Says::Begin).unwrap_or(later.len());
    match later.iter().position(|segment| segment.says == Says::EndText) {
        Some(at) if full => begin > at && ends(&later[at..]),
        Some(_) => true,
        None => !full && (ended || ends(&later[..begin])),
    }
}
