//! Standard input, line by line, never more of it in memory than one line may have: a pipe, or a terminal that knows no
//! editor. It is read on a thread of its own, because a read from a terminal cannot be given up. The thread is left
//! behind when the program ends.

use std::io::{self, BufRead, BufReader, Read};

use tokio::sync::mpsc;

use port::LINE_MAX_BYTES;

/// How many lines are read ahead.
const AHEAD_MAX_LINES: usize = 1;

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// A line that is longer than any that is read; it is not kept.
    TooLong {
        /// How long it is.
        bytes: u64,
    },
    /// A line as long as a terminal gives one that has no editor: it may be cut, and is not kept.
    Cut,
    /// What was typed is no text; it is not kept.
    NoText,
    /// Somebody gave up the line that they were typing.
    GivenUp,
}

/// The longest line that a terminal without an editor gives, in bytes: the rest of it is gone.
const TERMINAL_LINE_MAX_BYTES: usize = 4095;

/// Reads lines until there are no more, from a terminal or something that cuts none.
///
/// # Errors
///
/// When the thread cannot be started.
pub fn read_lines(from: impl Read + Send + 'static, terminal: bool) -> io::Result<mpsc::Receiver<Input>> {
    let (sender, receiver) = mpsc::channel(AHEAD_MAX_LINES);
    std::thread::Builder::new().name("console-input".to_owned()).spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let read = next(&mut from).unwrap_or_else(|error| {
                tracing::warn!(%error, "the console's input broke off");
                None
            });
            // Nobody listens any more, or there is nothing more to say.
            let Some(input) = read else { return };
            let input = if terminal { uncut(input) } else { input };
            if sender.blocking_send(input).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// The next line; nothing at the end.
fn next(from: &mut impl BufRead) -> io::Result<Option<Input>> {
    let (mut kept, mut bytes, mut began) = (Vec::new(), 0_u64, false);
    loop {
        let held = match from.fill_buf() {
            Ok(held) => held,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if held.is_empty() {
            return Ok(began.then(|| whole(&kept, bytes)));
        }
        began = true;
        let end = held.iter().position(|byte| *byte == b'\n');
        let part = &held[..end.unwrap_or(held.len())];
        bytes += part.len() as u64;
        if bytes <= LINE_MAX_BYTES as u64 {
            kept.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        from.consume(used);
        if end.is_some() {
            return Ok(Some(whole(&kept, bytes)));
        }
    }
}

/// A line that a terminal cannot have cut.
fn uncut(input: Input) -> Input {
    match input {
        Input::Line(text) if text.len() >= TERMINAL_LINE_MAX_BYTES => Input::Cut,
        input => input,
    }
}

/// A line, if it is not too long.
pub(super) fn whole(kept: &[u8], bytes: u64) -> Input {
    if bytes > LINE_MAX_BYTES as u64 {
        return Input::TooLong { bytes };
    }
    let text = String::from_utf8_lossy(kept);
    Input::Line(text.strip_suffix('\r').unwrap_or(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Vec<Input> {
        // A reader of few bytes at a time, as a pipe may be.
        let mut from = BufReader::with_capacity(7, text);
        std::iter::from_fn(|| next(&mut from).unwrap()).collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn lines_are_told_apart_and_the_last_needs_no_end() {
        assert_eq!(
            all(b"hill\r\n\nhelp joust submit\nme"),
            [line("hill"), line(""), line("help joust submit"), line("me")]
        );
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_counted_and_not_kept() {
        let most = "x".repeat(LINE_MAX_BYTES);
        assert_eq!(all(format!("{most}\nhill\n").as_bytes()), [line(&most), line("hill")]);
        let more = LINE_MAX_BYTES as u64 + 1;
        assert_eq!(all(format!("{most}x\nhill\n").as_bytes()), [Input::TooLong { bytes: more }, line("hill")]);
    }

    #[test]
    fn a_line_that_a_terminal_may_have_cut_is_none() {
        let short = line(&"x".repeat(TERMINAL_LINE_MAX_BYTES - 1));
        assert_eq!(uncut(short.clone()), short);
        assert_eq!(uncut(line(&"x".repeat(TERMINAL_LINE_MAX_BYTES))), Input::Cut);
    }

    #[test]
    fn what_is_no_text_is_read_as_far_as_it_is() {
        assert_eq!(all(b"\xff\xfehill\n"), [line("\u{fffd}\u{fffd}hill")]);
    }
}
