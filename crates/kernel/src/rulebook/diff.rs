//! What changed between two texts, for people.
//!
//! Rules are paragraphs, so lines alone would show too much. A text is cut into sentences, and a long list of those
//! that stayed is left out. Markup is not compared, since people compare what they read.

use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices, group_diff_ops};

use crate::display::Block;

/// How many sentences or lines around a change are shown with it.
const CONTEXT_COUNT: usize = 1;

/// What makes one list of texts of another. All comparisons go through this one, since each kind of list has the
/// algorithms compiled anew.
pub(super) fn ops(algorithm: Algorithm, old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    capture_diff_slices(algorithm, old, new)
}

/// The changed lines, marked with `-` and `+`, and a line around each change.
pub fn lines(old: &str, new: &str) -> String {
    let [before, after] =
        [old, new].map(|text| if text.is_empty() { Vec::new() } else { text.split('\n').collect::<Vec<&str>>() });
    let hunks = group_diff_ops(ops(Algorithm::Myers, &before, &after), CONTEXT_COUNT);
    let changes = hunks.iter().flatten().flat_map(|op| op.iter_changes(&before, &after));
    changes.map(|change| format!("{}{}", change.tag(), change.value())).collect::<Vec<_>>().join("\n")
}

/// The changed sentences, marked with `-` and `+`, as a block; `None` where the texts are equal.
pub fn block(old: &str, new: &str) -> Option<Block> {
    let (before, after) = (sentences(old), sentences(new));
    let hunks: Vec<String> = group_diff_ops(ops(Algorithm::Myers, &before, &after), CONTEXT_COUNT)
        .iter()
        .filter(|hunk| hunk.iter().any(|op| !matches!(op, DiffOp::Equal { .. })))
        .map(|hunk| {
            // What stays and holds no word, as the end of a comment, tells nothing of where a change stands.
            let tells = |text: &str, tag: ChangeTag| {
                tag != ChangeTag::Equal || text.contains(|char: char| char.is_alphanumeric())
            };
            let changes = hunk.iter().flat_map(|op| op.iter_changes(&before, &after));
            changes.filter(move |change| tells(change.value(), change.tag())).map(|change| {
                let sign = match change.tag() {
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                    ChangeTag::Equal => ' ',
                };
                format!("{sign} {}\n", change.value())
            })
        })
        .map(Iterator::collect)
        .collect();
    (!hunks.is_empty()).then(|| Block::Code { lang: "diff".to_owned(), text: hunks.join("  …\n") })
}

/// Both texts in one, word by word: `after [-48-]{+50+} hours`.
pub fn inline(old: &str, new: &str) -> String {
    let (before, after) = (words(old), words(new));
    let mut out = String::new();
    for op in ops(Algorithm::Myers, &before, &after) {
        let (gone, come) = (before[op.old_range()].concat(), after[op.new_range()].concat());
        match op {
            DiffOp::Equal { .. } => out.push_str(&gone),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                if !gone.is_empty() {
                    out.extend(["[-", &gone, "-]"]);
                }
                if !come.is_empty() {
                    out.extend(["{+", &come, "+}"]);
                }
            }
        }
    }
    out
}

/// Lines, cut further after the ends of sentences; blank lines are left out.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        for (at, _) in line.match_indices(". ").filter(|(at, _)| !numbering(&line[..*at])) {
            found.push(line[start..=at].trim());
            start = at + 1;
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Whether a point after this would be that of a numbered item: `7`, `- a`.
fn numbering(line: &str) -> bool {
    let item = line.trim_start_matches([' ', '-', '*']);
    item.len() <= 1 || item.bytes().all(|byte| byte.is_ascii_digit())
}

/// Words and single punctuation marks, each with the white space that follows it kept apart.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_alphanumeric() {
            rest.find(|c: char| !c.is_alphanumeric())
        } else if first.is_whitespace() {
            rest.find(|c: char| !c.is_whitespace())
        } else {
            Some(first.len_utf8())
        };
        let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
        found.push(word);
        rest = tail;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_changed_are_shown_with_their_neighbours() {
        let old = "One stays. Two stays. It takes 48 hours. Three stays.\n\n1. Four stays. Five stays.\n2. Six goes.";
        let new = "One stays. Two stays. It takes 50 hours. Three stays.\n\n1. Four stays. Five stays.\n2. Six went.";
        let Some(Block::Code { lang, text }) = block(old, new) else { panic!() };
        assert_eq!(lang, "diff");
        let expected = "  Two stays.\n- It takes 48 hours.\n+ It takes 50 hours.\n  Three stays.\n  …\n  Five stays.\n- 2. Six goes.\n+ 2. Six went.\n";
        assert_eq!(text, expected);
        assert_eq!(block(old, old), None);
    }

    #[test]
    fn one_line_shows_the_words() {
        for (old, new, expected) in [
            ("after 48 hours", "after 50 hours", "after [-48-]{+50+} hours"),
            ("a b", "a, b", "a{+,+} b"),
            ("a b", "a", "a[- b-]"),
            ("é", "é", "é"),
        ] {
            assert_eq!(inline(old, new), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn taking_one_side_of_an_inline_diff_gives_that_text(old in "[ab ,é]{0,12}", new in "[ab ,é]{0,12}") {
            let mut sides = (String::new(), String::new());
            let mut rest = &*inline(&old, &new);
            while !rest.is_empty() {
                let (opener, closer) = if rest.starts_with("[-") { ("[-", "-]") } else { ("{+", "+}") };
                if let Some((inner, tail)) = rest.strip_prefix(opener).and_then(|rest| rest.split_once(closer)) {
                    if opener == "[-" { sides.0.push_str(inner) } else { sides.1.push_str(inner) }
                    rest = tail;
                } else {
                    let end = rest.find(['[', '{']).unwrap_or(rest.len());
                    sides.0.push_str(&rest[..end]);
                    sides.1.push_str(&rest[..end]);
                    rest = &rest[end..];
                }
            }
            assert_eq!(sides, (old, new));
        }
    }
}
