//! Whether a figure may be a part only of what an amendment writes: `5 and 5`, `7:00 in the evening`, `a quarter of 100`.
//!
//! What is one amount is read whole or not at all (`amount`). Of what only may be one the figure is played, and whoever
//! votes is told that it is a guess. Too much is told rather than too little. Absent: how a figure is found again in an
//! edited text (`align`).

use std::ops::Range;

use super::numeral::numerals;

/// How far from a figure one looks for what may belong to it.
const NEAR_MAX_CHARS: usize = 24;

/// Words that make another amount of the one beside them, or another time.
const PARTS: [&str; 21] = [
    "minus",
    "less",
    "plus",
    "between",
    "twice",
    "thrice",
    "times",
    "half",
    "halves",
    "quarter",
    "quarters",
    "third",
    "thirds",
    "past",
    "morning",
    "afternoon",
    "evening",
    "night",
    "noon",
    "dozen",
    "percent",
];

/// Signs and words that join what stands before them to the figure behind them.
const JOINTS: [&str; 14] = ["-", "--", "\u{2212}", "–", "—", "±", "&", ":", ";", "/", "and", "or", "to", "than"];

/// How many words on either side of a figure say that nothing was written beside it.
const CONTEXT_WORDS: usize = 3;

/// A text after an edit.
pub(super) struct Edited<'a> {
    /// All of it.
    pub(super) text: &'a str,
    /// What was written.
    pub(super) written: &'a Range<usize>,
    /// Where its figures stand.
    pub(super) places: &'a [Range<usize>],
}

impl Edited<'_> {
    /// Whether the figure at a place may be a part only of the amount that was written there: then it is played, and whoever
    /// votes is told that it is a guess. Only the sides are looked at that were changed.
    pub(super) fn is_doubtful(&self, at: &Range<usize>, (before, after): (bool, bool)) -> bool {
        let Self { text, written, .. } = self;
        // What was written elsewhere is no part of it.
        if written.start > at.end + 1 || at.start > written.end + 1 {
            return false;
        }
        let doubtful_before = || {
            let part = near(text.get(written.start..at.start.max(written.start))?, true);
            let from = at.start - part.len();
            Some(
                self.holds_more(from, part)
                    || is_part(part)
                    || (numerals(part, true).is_empty() && self.joins(at.start)),
            )
        };
        let doubtful_after = || {
            let part = near(text.get(at.end..written.end.max(at.end))?, false);
            Some(self.holds_more(at.end, part) || is_part(part) || part.starts_with('%'))
        };
        (before && doubtful_before() == Some(true)) || (after && doubtful_after() == Some(true))
    }

    /// Whether a part that begins at a place holds a number that is none of the figures, be it one sign as `½` is.
    fn holds_more(&self, from: usize, part: &str) -> bool {
        let is_free =
            |start: usize, end: usize| !self.places.iter().any(|place| place.start < end && start < place.end);
        let numbers = numerals(part, true).into_iter().map(|numeral| numeral.at);
        let digits =
            part.char_indices().filter(|(_, char)| char.is_numeric()).map(|(at, char)| at..at + char.len_utf8());
        numbers.chain(digits).any(|number| is_free(from + number.start, from + number.end))
    }

    /// Whether a sign or a word that was written right before a place joins something to it.
    fn joins(&self, at: usize) -> bool {
        let bare = self.text[..at].trim_end_matches(' ');
        JOINTS.iter().any(|joint| {
            let lead = bare.strip_suffix(joint).filter(|lead| lead.len() >= self.written.start);
            lead.is_some_and(|lead| {
                let is_word = joint.chars().all(char::is_alphabetic);
                // At the beginning of a line stands the mark of an item.
                let begins = lead.trim().is_empty() || lead.trim_end_matches([' ', '*']).ends_with('\n');
                if is_word { lead.ends_with(' ') } else { !begins }
            })
        })
    }
}

/// Whether words make another amount, or another time, of a figure beside them.
fn is_part(words: &str) -> bool {
    let said: Vec<String> = self::words(words).collect();
    let half = |pair: &[String]| ["a", "p"].contains(&&*pair[0]) && pair[1] == "m";
    said.iter().any(|word| PARTS.contains(&&**word)) || said.windows(2).any(half)
}

/// Whether other words stand before and behind a figure than did before, or it is another one.
pub(super) fn changed_beside(was: (&str, &Range<usize>), now: (&str, &Range<usize>)) -> (bool, bool) {
    let ((before, shown, after), (before_now, shown_now, after_now)) = (context(was), context(now));
    let other = shown != shown_now;
    (other || before != before_now, other || after != after_now)
}

/// A figure with the words around it.
fn context<'t>((text, at): (&'t str, &Range<usize>)) -> (Vec<&'t str>, &'t str, Vec<&'t str>) {
    let before = text.get(..at.start).unwrap_or_default().split_whitespace().rev().take(CONTEXT_WORDS).collect();
    let after = text.get(at.end..).unwrap_or_default().split_whitespace().take(CONTEXT_WORDS).collect();
    (before, text.get(at.clone()).unwrap_or_default(), after)
}

/// The end of a part of a text, or its beginning, within a sentence and near enough.
fn near(part: &str, from_end: bool) -> &str {
    let ends = |at: usize| {
        part[at..].starts_with('\n') || (part[at..].starts_with(". ") && part[at + 2..].starts_with(char::is_uppercase))
    };
    let bounds: Vec<usize> = part.char_indices().map(|(at, _)| at).collect();
    if from_end {
        let from = bounds.iter().rev().nth(NEAR_MAX_CHARS - 1).copied().unwrap_or(0);
        let from = bounds.iter().rev().copied().find(|at| ends(*at)).map_or(from, |at| from.max(at + 1));
        &part[from..]
    } else {
        let to = bounds.get(NEAR_MAX_CHARS).copied().unwrap_or(part.len());
        let to = bounds.iter().copied().find(|at| ends(*at)).map_or(to, |at| to.min(at));
        &part[..to]
    }
}

/// Its words, in lower case and without marks around them.
fn words(part: &str) -> impl Iterator<Item = String> {
    let bare = |word: &str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    part.split([' ', '\n', '.', '(', ')']).map(bare).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in which `«` and `»` stand around what was written, `{` and `}` around the figure, `[` and `]` around another.
    fn judged(said: &str) -> bool {
        let (mut text, mut marks) = (String::new(), Vec::new());
        for char in said.chars() {
            if "«»{}[]".contains(char) { marks.push((char, text.len())) } else { text.push(char) }
        }
        let place = |open: char, close: char| {
            let find = |wanted: char| marks.iter().find(|(char, _)| *char == wanted).map(|(_, at)| *at);
            Some(find(open)?..find(close)?)
        };
        let (edited, at) = (place('«', '»').expect("an edit"), place('{', '}').expect("a figure"));
        let places: Vec<_> = place('[', ']').into_iter().chain([at.clone()]).collect();
        Edited { text: &text, written: &edited, places: &places }.is_doubtful(&at, (true, true))
    }

    #[test]
    fn what_may_be_a_part_of_an_amount_is_a_guess() {
        for said in [
            "gives «32,{5}» money",
            "gives «1'{000}» money",
            "gives «6 — {1/403}» money",
            "gives «32 -- {1/2}» money",
            "gives «minus {5}» money",
            "gives «- {5}» money",
            "gives «{97}½» money",
            "gives «{7}%» of it",
            "after «between 20 and {30} days»",
            "after «20 (twenty) to {30} days»",
            "costs «5;{6}»",
            "costs «5: {6}»",
            "costs «32 ± {2}»",
            "after «{25} days times 2»",
            "after «twice {25} days»",
            "after «a quarter of {100} days»",
            "after «{6 days} (144 hours)»",
            "at «{7:00} P M»",
            "at «{7:00} in the evening»",
            "at «5 minutes past {21:00}»",
            "gives «A Few and {2} points»",
            "gives «m50 or m{100}»",
        ] {
            assert!(judged(said), "{said}");
        }
    }

    #[test]
    fn what_is_written_plainly_is_none() {
        for said in [
            "gives «{7}» money",
            "gives «{6 + 1/403}» money",
            "after «{30 days}»",
            "after «{6 days and 12 hours}»",
            "after «{6 days and an hour}»",
            "d ^ «{2} + [2½]»",
            "at «{9:00 pm}»",
            "«Each gets {5} points and the others [3].»",
            "«from [2] to {5} points»",
            "- «{5} points»",
            "«Rules:\n- {5} points\n- none for the rest»",
            "after {25 days}. «Nobody minds 3 of them.»",
            "«Nobody minds 3 of them.» It takes {25 days}.",
        ] {
            assert!(!judged(said), "{said}");
        }
    }
}
