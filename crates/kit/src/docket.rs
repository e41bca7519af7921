//! Documents with numbers: proposals, calls, notices. Which are open, which is meant, which a list shows.
//!
//! Everything here reads rows by number and gives plain values; the words of refusals are the game's. Each game says
//! who may make one, and what becomes of it.

use kernel::{
    Refusal,
    directives::syntax,
    display::{Cell, Document},
    mechanic::listing,
    rulebook::source::blanked,
    table::{Record, Rows},
};

/// Longest text of a document, in bytes: the longest known ruleset fits, and a message of it can still be read.
pub const TEXT_MAX_BYTES: usize = 64 * 1024;

/// Documents that a refusal names where it is not said which one is meant: as many as fit a sentence.
const NAMED_MAX_COUNT: usize = 5;

/// Refuses a line in which a directive stands behind other words, as a title would. It would be prose, though nobody
/// means it so.
///
/// # Errors
///
/// A [`Refusal`] with the directive as it can be typed.
pub fn unmarked(text: &str, instead: &str) -> Result<(), Refusal> {
    /// Characters of a directive that the refusal repeats.
    const SHOWN_MAX_CHARS: usize = 60;
    // Comments say nothing.
    let (text, mut fenced) = (blanked(text), false);
    for line in text.lines().map(str::trim) {
        fenced ^= line.starts_with("```");
        let Some((before, directive)) = line.split_once("=>").filter(|(before, _)| !fenced && !before.is_empty())
        else {
            continue;
        };
        let title = before.trim().trim_end_matches([':', '-', ',']).trim_end();
        let marked = title.len() > 1 && title.starts_with(['"', '\u{201c}']) && title.ends_with(['"', '\u{201d}']);
        let reads = || {
            let body = syntax::parse(&format!("=>{directive}"), &|_| false);
            body.is_ok_and(|body| body.count() == 1 && body.malformed().is_empty())
        };
        if marked || reads() {
            let shown: String = directive.trim().chars().take(SHOWN_MAX_CHARS).collect();
            return Err(Refusal::new(format!(
                "a line that does something begins with “=>”: “=> {shown}” stands in a line of its own, and nothing is submitted. \
                 Where a message has one line only, the command without its text asks for the lines"
            ))
            .instead(instead));
        }
    }
    Ok(())
}

/// A document with a number.
pub trait Numbered: Record {
    /// What the display of one is called: `proposal`.
    const DISPLAY: &'static str;

    /// Its number.
    fn number(&self) -> u64;

    /// Number and title, as sentences call it.
    fn label(&self) -> String;

    /// Whether nothing has become of it yet.
    fn is_open(&self) -> bool;

    /// What is said of it, for the thread of its own that a network may keep.
    fn about(&self, document: Document) -> Document {
        document.about(format!("{}/{}", Self::DISPLAY, self.number()), self.label())
    }
}

/// Which document is meant where none is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant<'s, R> {
    /// None is open.
    None,
    /// The only open one.
    One(&'s R),
    /// Several are open: the first of them, and what all are called.
    Several(&'s R, String),
}

/// Why a text is none that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It is empty.
    Empty,
    /// It is too long; its length in bytes.
    Long(usize),
}

/// The open ones, the oldest first.
pub fn open<R: Numbered>(rows: &Rows<u64, R>) -> impl DoubleEndedIterator<Item = &R> {
    rows.values().filter(|row| row.is_open())
}

/// Those that are over, the latest first.
pub fn over<R: Numbered>(rows: &Rows<u64, R>) -> impl Iterator<Item = &R> {
    rows.values().rev().filter(|row| !row.is_open())
}

/// The only open one, where there is one.
pub fn only<R: Numbered>(rows: &Rows<u64, R>) -> Meant<'_, R> {
    let mut all = open(rows);
    match (all.next(), all.next()) {
        (None, _) => Meant::None,
        (Some(one), None) => Meant::One(one),
        (Some(first), Some(_)) => {
            let labels: Vec<String> = open(rows).take(NAMED_MAX_COUNT).map(R::label).collect();
            Meant::Several(first, labels.join("; "))
        }
    }
}

/// A page of a list: of those given, the latest first, as many as it shows of the ones before a number. Also how many
/// are older than those.
pub fn page<'s, R: Numbered>(
    latest_first: impl Iterator<Item = &'s R>,
    before: Option<u64>,
    shown_max_count: usize,
) -> (Vec<&'s R>, usize) {
    let mut all = latest_first.filter(|row| before.is_none_or(|before| row.number() < before));
    (all.by_ref().take(shown_max_count).collect(), all.count())
}

/// Displays of single ones, for the list of displays.
pub fn listings<'s, R: Numbered + 's>(rows: impl Iterator<Item = &'s R>, shown_max_count: usize) -> Vec<Cell> {
    rows.take(shown_max_count).map(|row| listing(&format!("{}/{}", R::DISPLAY, row.number()))).collect()
}

/// A title as it is kept: in one line, with single blanks.
pub fn one_line(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text as it is kept: with plain ends of lines and nothing blank around it.
///
/// # Errors
///
/// Where nothing is left of it, or it is longer than [`TEXT_MAX_BYTES`].
pub fn text(text: &str) -> Result<String, Unfit> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    match text.len() {
        0 => Err(Unfit::Empty),
        bytes if bytes > TEXT_MAX_BYTES => Err(Unfit::Long(bytes)),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, serde::Serialize)]
    struct Note(u64, bool);

    impl Numbered for Note {
        const DISPLAY: &'static str = "note";
        fn number(&self) -> u64 {
            self.0
        }
        fn label(&self) -> String {
            format!("note {}", self.0)
        }
        fn is_open(&self) -> bool {
            self.1
        }
    }

    fn notes(open: &[bool]) -> Rows<u64, Note> {
        let mut rows = Rows::default();
        for (number, open) in (1..).zip(open) {
            rows.insert(number, Note(number, *open));
        }
        rows
    }

    #[test]
    fn given_one_open_when_none_is_named_then_it_is_meant() {
        assert_eq!(only(&notes(&[false, true])), Meant::One(&Note(2, true)));
        assert_eq!(only(&notes(&[false])), Meant::None);
    }

    #[test]
    fn given_many_open_when_none_is_named_then_the_first_are_told() {
        let many = notes(&[true; 7]);
        let told = "note 1; note 2; note 3; note 4; note 5".to_owned();
        assert_eq!(only(&many), Meant::Several(&Note(1, true), told));
    }

    #[test]
    fn given_more_than_a_page_when_it_is_shown_then_the_older_ones_are_counted() {
        let rows = notes(&[false, false, true, false]);
        let numbers = |page: (Vec<&Note>, usize)| (page.0.iter().map(|note| note.0).collect::<Vec<_>>(), page.1);
        assert_eq!(numbers(page(over(&rows), None, 2)), (vec![4, 2], 1));
        assert_eq!(numbers(page(over(&rows), Some(2), 2)), (vec![1], 0));
    }

    #[test]
    fn given_a_text_when_it_is_kept_then_only_what_surrounds_it_goes() {
        assert_eq!(text(" one\r\ntwo "), Ok("one\ntwo".to_owned()));
        assert_eq!(text(" \n"), Err(Unfit::Empty));
        assert_eq!(text(&"x".repeat(TEXT_MAX_BYTES + 1)), Err(Unfit::Long(TEXT_MAX_BYTES + 1)));
    }
}
