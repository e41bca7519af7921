//! Rules as of two moments, side by side.

use askama::Template;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::render::clean;
use kernel::display::{Block, Document};

/// Longest paragraph of which the words are compared, in words; longer ones are shown whole.
const COMPARED_MAX_WORDS: usize = 5000;

/// The rules as of two moments, ready to be laid out.
#[derive(Template)]
#[template(path = "changes.html")]
pub(crate) struct Changes {
    pub(crate) path: String,
    /// The moments as typed, and the entries that they mean.
    pub(crate) typed: (String, String),
    pub(crate) entries: (u64, u64),
    pub(crate) rules: Vec<Changed>,
}

pub(crate) struct Changed {
    anchor: String,
    title: String,
    href: String,
    rows: Vec<(Vec<Piece>, Vec<Piece>)>,
}

/// A piece of a paragraph, and whether it differs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    differs: bool,
}

/// A rule that reads otherwise: its display, as it was, and as it is.
pub(crate) type Differing<'r> = (String, Option<&'r Document>, Option<&'r Document>);

/// The rules that read otherwise, each as it was and as it is; those that are gone last.
pub(crate) fn differing<'r>(old: &'r [Document], new: &'r [Document]) -> Vec<Differing<'r>> {
    let of = |rules: &'r [Document], id: &str| rules.iter().find(|rule| rule.id == id);
    let is = new.iter().map(|rule| (rule.id.clone(), of(old, &rule.id), Some(rule)));
    let gone = old.iter().filter(|rule| of(new, &rule.id).is_none());
    let all = is.chain(gone.map(|rule| (rule.id.clone(), Some(rule), None)));
    all.filter(|(_, old, new)| old.map(texts) != new.map(texts)).collect()
}

impl Changed {
    /// A rule with its place on the page, and where it leads.
    pub(crate) fn new((_, old, new): &Differing<'_>, anchor: String, href: String) -> Self {
        Self {
            anchor,
            title: clean(&new.or(*old).map(|rule| rule.title.clone()).unwrap_or_default()),
            href,
            rows: rows(&old.map(texts).unwrap_or_default(), &new.map(texts).unwrap_or_default()),
        }
    }
}

/// What a rule says, its title first, without what the program adds in tables.
pub(crate) fn texts(rule: &Document) -> Vec<String> {
    let of = |block: &Block| match block {
        Block::Para(text) => Some(text.clone()),
        Block::Code { text, .. } => Some(text.trim_end().to_owned()),
        _ => None,
    };
    std::iter::once(rule.title.clone()).chain(rule.blocks.iter().filter_map(of)).collect()
}

/// Paragraphs beside those that came in their place.
fn rows(old: &[String], new: &[String]) -> Vec<(Vec<Piece>, Vec<Piece>)> {
    let plain = |text: &String| vec![Piece { text: clean(text), differs: false }];
    let whole = |text: &String| vec![Piece { text: clean(text), differs: true }];
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (was, is) = (&old[op.old_range()], &new[op.new_range()]);
        match op {
            // What stayed says where a change stands, and much of it says nothing more.
            DiffOp::Equal { .. } => rows.extend(was.iter().take(1).map(|text| (plain(text), plain(text)))),
            _ => {
                for index in 0..was.len().max(is.len()) {
                    rows.push(match (was.get(index), is.get(index)) {
                        (Some(was), Some(is)) => compared(was, is),
                        (Some(was), None) => (whole(was), Vec::new()),
                        (None, Some(is)) => (Vec::new(), whole(is)),
                        (None, None) => continue,
                    });
                }
            }
        }
    }
    rows
}

/// Two paragraphs, word by word.
fn compared(was: &str, is: &str) -> (Vec<Piece>, Vec<Piece>) {
    let (was, is) = (clean(was), clean(is));
    let (old, new): (Vec<&str>, Vec<&str>) = (was.split_inclusive(' ').collect(), is.split_inclusive(' ').collect());
    if old.len().max(new.len()) > COMPARED_MAX_WORDS {
        return (vec![Piece { text: was, differs: true }], vec![Piece { text: is, differs: true }]);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let differs = !matches!(op, DiffOp::Equal { .. });
        for (side, text) in [(&mut left, old[op.old_range()].concat()), (&mut right, new[op.new_range()].concat())] {
            side.extend((!text.is_empty()).then_some(Piece { text, differs }));
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_stand_beside_those_that_came_in_their_place() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let rows = rows(
            &texts(&["7. Tea", "Tea is 2 cups.", "Stays.", "Goes."]),
            &texts(&["7. Tea", "Tea is 3 cups.", "Stays."]),
        );
        let said = |pieces: &[Piece]| {
            let of = |piece: &Piece| if piece.differs { format!("[{}]", piece.text) } else { piece.text.clone() };
            pieces.iter().map(of).collect::<String>()
        };
        let told: Vec<_> = rows.iter().map(|(left, right)| (said(left), said(right))).collect();
        let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        assert_eq!(
            told,
            [
                pair("7. Tea", "7. Tea"),
                pair("Tea is [2 ]cups.", "Tea is [3 ]cups."),
                pair("Stays.", "Stays."),
                pair("[Goes.]", ""),
            ]
        );
    }
}
