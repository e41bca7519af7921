//! Finds the source in the text of its rule.
//!
//! A rule keeps it in a fence, and what stands outside of one is prose that nothing reads. A rulebook that a room brings
//! along may be flat text in which the source follows the prose without a mark. As it is brought in, the lines
//! themselves have to show where it begins, and the source gets its fence. `parse` refuses a source that an amendment
//! broke, and no part of a source is ever run as if it were the whole. The caller knows which rule it is.

use std::ops::Range;

/// Where the source stands in a rule's visible text, in bytes: in the last fence.
pub(crate) fn locate(text: &str) -> Option<Range<usize>> {
    let mut open: Option<(&str, usize)> = None;
    let mut last = None;
    for (start, line) in lines(text) {
        let marks = line.trim_start();
        match open {
            None => {
                let fence = ["```", "~~~"].into_iter().find(|fence| marks.starts_with(fence));
                open = fence.map(|fence| (fence, start + line.len()));
            }
            Some((fence, begin)) if marks.starts_with(fence) => (open, last) = (None, Some(begin..start)),
            Some(_) => {}
        }
    }
    // A fence that is never closed goes to the end, as Markdown has it.
    open.map(|(_, begin)| begin..text.len()).or(last)
}

/// Where the source stands in a text without a fence that is brought along: from the first line of code, with the comments
/// right before it, to the end. `None` where no line looks like code.
pub(crate) fn unfenced(text: &str) -> Option<Range<usize>> {
    let mut comments = None;
    for (start, line) in lines(text) {
        let line = line.trim();
        if is_code(line) {
            return Some(comments.unwrap_or(start)..text.len());
        }
        if line.starts_with("//") {
            comments = comments.or(Some(start));
        } else if !line.is_empty() {
            comments = None;
        }
    }
    None
}

/// Whether prose never looks like that. A line of code with a full stop in it is wrong, and still code.
fn is_code(line: &str) -> bool {
    let line = line.to_lowercase();
    let opens = |word: &str| line.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('('));
    let is_comment = line.starts_with("//");
    !is_comment && (line.contains(['=', '{', '}']) || (opens("if") || opens("loop")) && !line.contains('.'))
}

/// The lines with their ends, and where each begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        locate(text).map(|range| &text[range])
    }

    fn found_flat(text: &str) -> Option<&str> {
        unfenced(text).map(|range| &text[range])
    }

    #[test]
    fn a_fence_holds_it() {
        assert_eq!(found("Prose.\n\n```text\nX = 1\n```\n\nMore = prose.\n"), Some("X = 1\n"));
        assert_eq!(found("~~~\n// only this\n~~~\n"), Some("// only this\n"));
        assert_eq!(found("```\nX = 1"), Some("X = 1"));
        assert_eq!(found("```\n```"), Some(""));
        // “Printed at the end of this rule”: a block before it is none of it.
        assert_eq!(found("~~~\nX = 1\n~~~\nProse.\n```\nY = 2\n```\nThe end."), Some("Y = 2\n"));
    }

    #[test]
    fn flat_text_shows_where_it_begins() {
        let prose = "Each has a copy.\n\nif. It depends.\nloop (robots). Once for each.\n//. Such lines are comments.\n\
                     Who disagrees asks.\n\n";
        for source in
            ["// What it is\n\n// First\nif (power(self) > 1)\n{\n X = 1\n}\n", "X = 1\n", "if(X > 1.5) { }\n"]
        {
            assert_eq!(found_flat(&format!("{prose}{source}")), Some(source));
            assert_eq!(found(&format!("{prose}{source}")), None);
        }
        assert_eq!(found_flat(prose), None);
        assert_eq!(found_flat(""), None);
    }

    #[test]
    fn a_broken_source_is_not_shortened() {
        let broken = "// One\nif (X > 3. {\n}\n\nThis was a comment.\nif (X > 4) {\n}\n";
        assert_eq!(found_flat(&format!("Prose.\n{broken}")), Some(broken));
    }
}
