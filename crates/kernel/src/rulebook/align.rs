//! Where the marked places of a text went when its visible part was rewritten.
//!
//! Players write prose, not markup. One diff of words, numerals and punctuation says what an edit left untouched. A
//! place whose neighbours and tokens all stayed stays. In a replaced stretch a figure is bound where there was one
//! numeral and is one. A name or a word is bound where it alone was replaced. Everything else is unbound, and told by
//! the caller. Markup in the new text is read in `amend`.

use std::ops::Range;

use similar::{Algorithm, DiffOp};

use super::{
    diff,
    numeral::{Form, Numeral, beside, counted, numerals},
    source::{Mark, Span, Text, blanked, comments, fences, inside as is_inside},
    units::unit_at,
    weekdays::{list_around, weekdays},
};

/// Most words that a name or a term may be replaced by.
const NAME_MAX_WORDS: usize = 6;
/// What makes another amount of the numeral beside it: among such signs no numeral is the only candidate.
const SIGNS: [&str; 11] = ["+", "-", "\u{2212}", "–", "—", "±", "*", "×", "/", "÷", "^"];

/// Finds each marked place of a text in what its visible text became. `same` says how many bytes at the beginning
/// and at the end are known to be untouched; what is `taken` is no candidate. A comment takes no figure away: only what
/// is found nowhere else may have gone into one or come out of one.
pub(super) fn align(old: &Text, new: &str, same: (usize, usize), taken: &[Range<usize>]) -> Vec<Option<Range<usize>>> {
    let mut found = align_in(old, (&blanked(old.visible()), &blanked(new)), same, taken);
    let hidden = comments(new, &fences(new));
    if !hidden.is_empty() || !old.comments().is_empty() {
        for (index, at) in align_in(old, (old.visible(), new), same, taken).into_iter().enumerate() {
            let Some(at) = at.filter(|_| found[index].is_none()) else { continue };
            let moved = is_inside(&hidden, at.start) || !old.spans()[index].counts;
            if moved && !found.iter().flatten().any(|other| other.start < at.end && at.start < other.end) {
                found[index] = Some(at);
            }
        }
    }
    found
}

/// The same in two texts as they are to be read.
fn align_in(
    old: &Text,
    (visible, new): (&str, &str),
    same: (usize, usize),
    taken: &[Range<usize>],
) -> Vec<Option<Range<usize>>> {
    let mut scene = Scene::new(visible, new, same);
    scene.figures.1.retain(|one| !taken.iter().any(|at| at.start < one.at.end && one.at.start < at.end));
    let place = |span: &Span| scene.place(span).filter(|at| unit_at(visible, &span.at) == unit_at(new, at));
    // A list of days that was marked whole is marked whole where days were added to it.
    let is_list = |at: &Range<usize>| weekdays(&visible[at.clone()]).is_ok() && list_around(visible, at.clone()) == *at;
    let whole = |span: &Span| place(span).map(|at| if is_list(&span.at) { list_around(new, at) } else { at });
    old.spans().iter().map(whole).collect()
}

struct Scene<'a> {
    old: &'a str,
    new: &'a str,
    before: Vec<Range<usize>>,
    after: Vec<Range<usize>>,
    /// Where each old token went.
    map: Vec<Option<usize>>,
    /// The numerals of both texts, number words among them.
    figures: (Vec<Numeral>, Vec<Numeral>),
}

impl<'a> Scene<'a> {
    fn new(old: &'a str, new: &'a str, (prefix, suffix): (usize, usize)) -> Self {
        let (before, after) = (tokens(old), tokens(new));
        let (end, shift) = (old.len() - suffix, new.len().wrapping_sub(old.len()));
        let head = before.iter().zip(&after).take_while(|(a, b)| a == b && a.end <= prefix).count();
        let rest = before[head..].iter().rev().zip(after[head..].iter().rev());
        let moved = |at: &Range<usize>| at.start.wrapping_add(shift)..at.end.wrapping_add(shift);
        let tail = rest.take_while(|(a, b)| moved(a) == **b && a.start >= end).count();
        let mut map: Vec<Option<usize>> = (0..before.len()).map(|index| (index < head).then_some(index)).collect();
        for index in 1..=tail {
            map[before.len() - index] = Some(after.len() - index);
        }
        let words = |text: &str, tokens: &[Range<usize>]| -> Vec<String> {
            tokens[head..tokens.len() - tail].iter().map(|at| text[at.clone()].to_lowercase()).collect()
        };
        let (was, is) = (words(old, &before), words(new, &after));
        let [was, is] = [&was, &is].map(|words| words.iter().map(String::as_str).collect::<Vec<&str>>());
        for op in diff::ops(Algorithm::Patience, &was, &is) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                (0..len).for_each(|offset| map[head + old_index + offset] = Some(head + new_index + offset));
            }
        }
        Self { old, new, before, after, map, figures: (numerals(old, true), numerals(new, true)) }
    }

    fn place(&self, span: &Span) -> Option<Range<usize>> {
        let tokens = within(&self.before, &span.at);
        let left = self.map[..tokens.start].iter().rposition(Option::is_some);
        let right = self.map[tokens.end..].iter().position(Option::is_some).map(|at| tokens.end + at);
        // The stretch between the untouched neighbours, as it was and as it is.
        let gap = left.map_or(0, |at| at + 1)..right.unwrap_or(self.map.len());
        let hull = left.and_then(|at| self.map[at]).map_or(0, |to| to + 1)
            ..right.and_then(|at| self.map[at]).unwrap_or(self.after.len());
        if tokens.is_empty() || hull.is_empty() {
            return None;
        }
        let first = self.map[tokens.start];
        let stays =
            tokens.clone().all(|at| self.map[at].is_some() && self.map[at] == first.map(|to| to + at - tokens.start));
        let stays = first.filter(|_| stays).map(|first| first..first + tokens.len());
        let is_number = span.mark() == Mark::Number;
        if let Some(to) = stays.clone().filter(|to| !is_number || *to == hull) {
            return self.trimmed(span, &tokens, &to);
        }
        let (gap_at, hull_at) = (stretch(&self.before, &gap), stretch(&self.after, &hull));
        let were = inside(&self.figures.0, &gap_at);
        let are = inside(&self.figures.1, &hull_at);
        let held = inside(were, &span.at);
        let shown = &self.new[hull_at.clone()];
        let counts = || counted(shown, false).or_else(|| counted(shown, true)).is_some();
        if !is_number || held.is_empty() || (are.is_empty() && counts()) {
            let fits = match is_number {
                true => !are.is_empty() || counts(),
                false => (1..=NAME_MAX_WORDS).contains(&shown.split_whitespace().count()),
            };
            return (gap == tokens && fits).then_some(hull_at);
        }
        let signs = |text: &str, tokens: &[Range<usize>], figures: &[Numeral]| {
            let sign = |at: &&Range<usize>| SIGNS.contains(&&text[(*at).clone()]);
            let free = |at: &&Range<usize>| figures.iter().all(|one| at.end <= one.at.start || one.at.end <= at.start);
            tokens.iter().filter(sign).filter(free).count()
        };
        let even = were.len() == 1
            && are.len() == 1
            && signs(self.old, &self.before[gap.clone()], were) == signs(self.new, &self.after[hull], are);
        match (even, held) {
            (true, [_]) => self.trimmed(span, &tokens, &within(&self.after, &are[0].at)),
            // A moment goes as a whole, and a list while each of its figures is one.
            (_, [_, _, ..]) if gap == tokens => {
                let is_whole = held.iter().any(|one| one.form == Form::Date) || beside(shown, true).is_none();
                let whole = || Some(are.first()?.at.start..are.last()?.at.end);
                if is_whole { whole() } else { stays.and_then(|to| self.trimmed(span, &tokens, &to)) }
            }
            _ => None,
        }
    }

    /// New tokens as a place, less what stood outside the span in its first and last token: `48` in `48th`.
    fn trimmed(&self, span: &Span, from: &Range<usize>, to: &Range<usize>) -> Option<Range<usize>> {
        let lead = span.at.start.saturating_sub(self.before[from.start].start);
        let trail = self.before[from.end - 1].end.saturating_sub(span.at.end);
        let (start, end) = (self.after[to.start].start + lead, self.after[to.end - 1].end.checked_sub(trail)?);
        let is_numeral = |text: Option<&str>| text.is_some_and(|text| !numerals(text, true).is_empty());
        let fits = !is_numeral(self.old.get(span.at.clone())) || is_numeral(self.new.get(start..end));
        (start < end && fits).then_some(start..end)
    }
}

/// The tokens that a place touches.
fn within(tokens: &[Range<usize>], at: &Range<usize>) -> Range<usize> {
    let start = tokens.partition_point(|token| token.end <= at.start);
    let end = tokens.partition_point(|token| token.start < at.end);
    start..end.max(start)
}

/// The numerals that a stretch of a text holds.
fn inside<'n>(figures: &'n [Numeral], at: &Range<usize>) -> &'n [Numeral] {
    let start = figures.partition_point(|one| one.at.end <= at.start);
    let end = figures.partition_point(|one| one.at.start < at.end);
    &figures[start..end.max(start)]
}

/// Where some tokens stand.
fn stretch(tokens: &[Range<usize>], which: &Range<usize>) -> Range<usize> {
    tokens[which.start].start..tokens[which.end - 1].end
}

/// Words, numerals, marks of comments and single signs.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut figures = numerals(text, false).into_iter().peekable();
    let mut at = 0;
    while let Some(char) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let end = if let Some(figure) = figures.next_if(|figure| figure.at.start == at) {
            figure.at.end
        } else if is_word(char) {
            let end = at + rest.find(|char: char| !is_word(char)).unwrap_or(rest.len());
            figures.peek().map_or(end, |figure| end.min(figure.at.start))
        } else if ["/*", "*/", "[[", "]]"].iter().any(|mark| rest.starts_with(mark)) {
            at + 2
        } else {
            at + char.len_utf8()
        };
        if !char.is_whitespace() {
            out.push(at..end);
        }
        at = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the places of a text go: `key=shown`.
    fn went(source: &str, new: &str) -> String {
        let old = Text::parse(source);
        let found = align(&old, new, (0, 0), &[]);
        let shown = |(span, found): (&Span, &Option<Range<usize>>)| match found {
            Some(at) => format!("{}={}", span.name(), &new[at.clone()]),
            None => format!("{} unbound", span.name()),
        };
        old.spans().iter().zip(&found).map(shown).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_figure_goes_where_there_is_one_candidate() {
        let hours = "A proposal fails after [48](#k) hours.";
        let formula = "of [2](#a) / (d ^ [2](#b) + [2](#c)), where";
        for (source, new, expected) in [
            (hours, "A proposal fails after 50 hours.", "k=50"),
            (hours, "A  Proposal fails\nafter 48 HOURS!", "k=48"),
            (hours, "A proposal fails after 485 hours.", "k=485"),
            (hours, "After 3 votes a proposal fails after 72 hours.", "k=72"),
            (hours, "48 hours", "k=48"),
            ("gains [10](#a) Power, loses [5](#b) Power", "gains 5 Power, loses 10 Power", "a=5; b=10"),
            ("gains [10](#a) Power, loses [5](#b) points", "loses 5 points", "a unbound; b=5"),
            ("gains [10](#a) Power, 3 times", "gains 11 Power, 4 times", "a=11"),
            ("range [[-1](#a),[1](#b)]", "range [-2,2]", "a=-2; b=2"),
            ("costs [10](#a) or [5](#b) Power", "is worth 3 or 4 votes", "a=3; b=4"),
            ("the [2](#k)nd day", "the 3rd day", "k=3"),
            ("costs m[50](#k) now", "costs m80 now", "k=80"),
            ("pays [6 + 1/403](#k) units", "pays 7 1/403 units", "k=7 1/403"),
            ("within [two](#k) days", "within three days", "k=three"),
            ("within [two](#k) days", "within 3 days", "k=3"),
            ("[forty-eight](#k) hours", "fifty-six hours", "k=fifty-six"),
            ("it is [halved](#k) then", "it is quartered then", "k=quartered"),
            ("at [21:00](#k) each", "at 9:00 pm each", "k=9:00 pm"),
            ("151 +/- [16](#k) cells", "151 +/- 17 cells", "k=17"),
            (formula, "of 3 / (d ^ 4 + 5), where", "a=3; b=4; c=5"),
            ("it happens [48](#k) times", "it happens twice times", "k=twice"),
            // What stands in a comment takes no figure away, and holds one only where it is nowhere else.
            ("gains [1](#k) point", "gains [[ 1 ]] 2 points", "k=2"),
            ("gains [1](#k) point, [[ 1 point ]] each", "gains 3 points, [[ 1 point ]] each", "k=3"),
            ("gains [[ [1](#k) point ]] nothing", "gains 1 point", "k=1"),
        ] {
            assert_eq!(went(source, new), expected, "{source} -> {new}");
        }
    }

    #[test]
    fn what_is_unclear_is_unbound() {
        let hours = "A proposal fails after [48](#k) hours.";
        let fee = "gives [6 + 1/403](#k) money";
        for (source, new) in [
            (hours, "A proposal never fails."),
            (hours, ""),
            (hours, "With 3 votes against it, or when 48 hours have passed, a proposal fails."),
            (hours, "A proposal fails after 24 or 48 hours."),
            // Of two numerals in the place of two none is the only candidate.
            ("after 3 votes or [48](#k) hours it fails", "after 5 ballots and 72 hours it fails"),
            // Two days are not two hours.
            (hours, "A proposal fails after two days."),
            (hours, "A proposal fails after 48 ndays."),
            (hours, "A proposal fails after 48% of the votes."),
            (fee, "gives 6 - 1/403 money"),
            (fee, "gives 7 1/2 + 1/403 money"),
            (fee, "gives 6 * d money"),
            (fee, "gives - 6 money"),
            ("range to [1](#k), unless", "range to 1/2/2, unless"),
            ("it is [halved](#k) then", "it is forgotten then"),
            ("[48](#k) 1/403-6", "61/403-6"),
        ] {
            assert_eq!(went(source, new), "k unbound", "{source} -> {new}");
        }
    }

    #[test]
    fn lists_and_moments_go_as_a_whole() {
        for (source, new, expected) in [
            ("points [8/5/3](#p), then 0", "points 10/8/5/3, then 0", "p=10/8/5/3"),
            ("points [8/5/3](#p) each", "points 8, 5 and 3 each", "p=8, 5 and 3"),
            ("points [8/5/3](#p) each", "points 9/6/4 each", "p=9/6/4"),
            ("points [8/5/3](#p) each", "points 8/5 each", "p=8/5"),
            ("points [8/5/3](#p) each", "points 8/5/3 and more each", "p=8/5/3"),
            ("points [8/5/3](#p) each", "points lots/5/3 each", "p unbound"),
            ("points [8/5/3](#p) each", "points 8/some/3 each", "p unbound"),
            ("points [8/5/3](#p) each", "points 8/5/none each", "p unbound"),
            ("points [8/5/3](#p) each", "none each", "p unbound"),
            (
                "ends [23:22:19 on 19 February 2005](#e) GMT",
                "ends 12:00 on 1 March 2006 GMT",
                "e=12:00 on 1 March 2006",
            ),
            ("ends [23:22:19 on 19 February 2005](#e) GMT", "ends 1 March 2006 GMT", "e=1 March 2006"),
        ] {
            assert_eq!(went(source, new), expected, "{source} -> {new}");
        }
    }

    #[test]
    fn names_words_and_terms_move_only_where_they_alone_were_replaced() {
        let name = "Its contestmaster is [Goethe](#@c), who decides.";
        for (source, new, expected) in [
            (name, "Its contestmaster is Ann Lee, who decides.", "c=Ann Lee"),
            (name, "Its contestmaster is goethe, who rules.", "c=goethe"),
            (name, "Ann decides.", "c unbound"),
            (name, "Its contestmaster is whoever among us has won the most points, who decides.", "c unbound"),
            ("by 2, [rounded down](#@r), plus", "by 3, rounded up, plus", "r=rounded up"),
            ("by 2, [rounded down](#@r), plus", "by 2, plus", "r unbound"),
            ("A [mackerel](#=m) is a coin.", "A herring is a coin.", "m=herring"),
            ("One [mackerel](#=m). Two.", "Three. One mackerel.", "m=mackerel"),
            ("A [mackerel](#=m) is a coin.", "Nothing is a coin.", "m unbound"),
        ] {
            assert_eq!(went(source, new), expected, "{source} -> {new}");
        }
    }

    const PROSE: &str = "(48|-6|1/403|8/5/3|two|hours|days|after|\\[|\\]|,|\\.| |\n|é){0,24}";

    proptest::proptest! {
        #[test]
        fn a_figure_is_never_bound_to_anything_but_a_numeral(
            (head, tail) in (PROSE, PROSE),
            figure in "(48|two|6 \\+ 1/403|8/5/3)",
            new in PROSE,
        ) {
            let old = Text::parse(format!("{head} [{figure}](#k) {tail}"));
            for at in align(&old, &new, (0, 0), &[]).into_iter().flatten() {
                assert!(new.get(at.clone()).is_some_and(|shown| !numerals(shown, true).is_empty()), "{:?}", &new[at]);
            }
        }

        #[test]
        fn nothing_moves_in_a_text_that_did_not_change((head, tail) in (PROSE, PROSE), figure in "(48|two|x y|8/5/3)") {
            let old = Text::parse(format!("{head} [{figure}](#k) {tail}"));
            for (span, found) in old.spans().iter().zip(align(&old, old.visible(), (0, 0), &[])) {
                assert_eq!(found, Some(span.at.clone()));
            }
        }
    }
}
