//! Whether a figure may be a part only of the amount that an amendment writes: `32,5`, `between 20 and 30 days`.
//!
//! What cannot be read as one amount (`amount`) is played as far as it can be read, and whoever votes is told that it is a
//! guess. Too much is told rather than too little. Absent: how a figure is found again in an edited text (`align`).

use std::ops::Range;

use super::numeral::{Numeral, numerals};

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

/// Whether a figure that was found in an edited part of a text may be a part only of the amount that is written there: then
/// it is played, and whoever votes is told that it is a guess. `places` are those of all figures of the text;
/// only the sides that were changed are looked at.
pub(super) fn is_doubtful(
    text: &str,
    edited: &Range<usize>,
    (at, (before, after)): (&Range<usize>, (bool, bool)),
    places: &[Range<usize>],
) -> bool {
    if !before && !after {
        return false;
    }
    // What was written elsewhere is no part of it.
    if edited.start > at.end + 1 || at.start > edited.end + 1 {
        return false;
    }
    // Another number beside it, one sign as `½` among them; and whether there is no number at all.
    let others = |from: usize, part: &str| {
        let is_other = |numeral: &Numeral| {
            let (start, end) = (from + numeral.at.start, from + numeral.at.end);
            !places.iter().any(|place| place.start < end && start < place.end)
        };
        let all = numerals(part, true);
        let digit =
            |(at, char): (usize, char)| char.is_numeric() && !places.iter().any(|place| place.contains(&(from + at)));
        (all.iter().any(is_other) || part.char_indices().any(digit), all.is_empty())
    };
    let is_part = |part: &str| {
        let said: Vec<String> = words(part).collect();
        let half = |pair: &[String]| ["a", "p"].contains(&&*pair[0]) && pair[1] == "m";
        said.iter().any(|word| PARTS.contains(&&**word)) || said.windows(2).any(half)
    };
    let before = before
        && text.get(edited.start..at.start.max(edited.start)).is_some_and(|part| {
            let part = near(part, true);
            let bare = part.trim_end_matches(' ');
            let joined = JOINTS.iter().any(|joint| {
                bare.strip_suffix(joint).is_some_and(|lead| {
                    let lead = &text[..at.start - (part.len() - lead.len())];
                    let is_word = joint.chars().all(char::is_alphabetic);
                    // At the beginning of a line stands the mark of an item.
                    let begins = lead.trim().is_empty() || lead.trim_end_matches([' ', '*']).ends_with('\n');
                    if is_word { lead.ends_with(' ') } else { !begins }
                })
            });
            let (other, none) = others(at.start - part.len(), part);
            other || is_part(part) || (joined && none)
        });
    let after = after
        && text.get(at.end..edited.end.max(at.end)).is_some_and(|part| {
            let part = near(part, false);
            others(at.end, part).0 || is_part(part) || part.starts_with('%')
        });
    before || after
}

/// How many words on either side of a figure say that nothing was written beside it.
const CONTEXT_WORDS: usize = 3;

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
        is_doubtful(&text, &edited, (&at, (true, true)), &places)
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
