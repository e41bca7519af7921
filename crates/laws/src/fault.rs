//! Why a function of a law ended before its end.
//!
//! A refusal is part of the game: the act does not happen, and its doer reads why. A fault is the law's: an error, or a
//! limit. It changes nothing, is told with rule and line, and counts towards the law's suspension. A refusal that whatever
//! follows by itself did not ask for is told so, too, and counts for nothing.

use rhai::{Dynamic, EvalAltResult, Position};

use kernel::Refusal;

/// What is wrong with a function that does not come to its end.
pub(crate) const TOO_LONG: &str = "it takes more operations than a law may";

/// The same where they call each other.
pub(crate) const TOO_DEEP: &str = "its functions call each other too deep";

/// The end of a call before its end.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The rules do not allow it.
    Refused(Refusal, Cause),
    /// The law cannot be carried out.
    Fault(Fault),
}

/// What refused something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The function itself, by `require`.
    Required,
    /// What it is about is no more, and the function itself ended it: that is its end, and what it did stands.
    Died,
    /// Anything else, at this place of the law.
    Other(Position),
}

impl Stop {
    /// What goes on to whoever asked for an act that stopped so, or for a part of a document: where it stopped is a place
    /// of another text.
    pub(crate) fn outward(self) -> Self {
        match self {
            Self::Refused(why, Cause::Other(_)) => Self::Refused(why, Cause::Other(Position::NONE)),
            stop => stop,
        }
    }
}

/// What is wrong with a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the law, from 1; nothing where it is about no line.
    pub line: Option<usize>,
    /// The character of the line, from 1.
    pub column: Option<usize>,
    /// What is wrong, as a sentence without its full stop.
    pub why: String,
    /// Whether the law only rests: something that it reads is gone from the rules. That does not count against it.
    pub rests: bool,
    /// Whether something was refused to the law: that does not count against it, either.
    pub refused: bool,
    /// Whether it is a condition's that the law asks, and was told of that.
    pub elsewhere: bool,
}

impl Fault {
    /// A fault that is about no line.
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self { line: None, column: None, why: why.into(), rests: false, refused: false, elsewhere: false }
    }

    /// That something was refused to a law, at a place of it.
    pub(crate) fn refused(why: Refusal, at: Position) -> Self {
        let by = why.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
        Self { line: at.line(), column: at.position(), refused: true, ..Self::new(format!("{}{by}", why.say)) }
    }

    /// The fault with its place: `line 3, character 7 (...): why`.
    pub fn told(&self, source: &str) -> String {
        let Some(line) = self.line else { return self.why.clone() };
        let text = clipped(source.lines().nth(line - 1).unwrap_or_default(), self.column);
        let at = self.column.map(|column| format!(", character {column}")).unwrap_or_default();
        if text.is_empty() {
            format!("line {line}{at}: {}", self.why)
        } else {
            format!("line {line}{at} (“{text}”): {}", self.why)
        }
    }
}

/// Longest piece of a line that is quoted, in characters.
const QUOTED_MAX_CHARS: usize = 60;

/// A line as it is quoted: of a long one, the piece that the fault is about.
fn clipped(line: &str, column: Option<usize>) -> String {
    let line: Vec<char> = line.trim_end().chars().collect();
    let from = match column {
        Some(column) if line.len() > QUOTED_MAX_CHARS => column.saturating_sub(QUOTED_MAX_CHARS / 2).min(line.len()),
        _ => 0,
    };
    let end = (from + QUOTED_MAX_CHARS).min(line.len());
    let piece: String = line[from..end].iter().collect();
    let (head, tail) = (if from > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    format!("{head}{}{tail}", piece.trim())
}

/// What natives give.
pub(crate) type Given<T> = Result<T, Box<EvalAltResult>>;

/// A stop on its way through the engine.
pub(crate) fn stopped(stop: Stop) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(Dynamic::from(stop), Position::NONE))
}

/// A refusal on its way through the engine.
pub(crate) fn refused(why: impl Into<String>) -> Box<EvalAltResult> {
    stopped(Refusal::new(why).into())
}

/// A fault on its way through the engine.
pub(crate) fn faulty(why: impl Into<String>) -> Box<EvalAltResult> {
    stopped(Stop::Fault(Fault::new(why)))
}

/// A law that rests, on its way through the engine.
pub(crate) fn resting(why: impl Into<String>) -> Box<EvalAltResult> {
    stopped(Stop::Fault(Fault { rests: true, ..Fault::new(why) }))
}

/// Why, to whoever asked for it.
impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Refused(why, _) => why,
            Stop::Fault(fault) => Self::new(fault.why),
        }
    }
}

impl From<Refusal> for Stop {
    fn from(why: Refusal) -> Self {
        Self::Refused(why, Cause::Other(Position::NONE))
    }
}
