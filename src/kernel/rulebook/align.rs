//! Where the marked places of a text went when somebody rewrote what is visible of it.
//!
//! Players write prose, not markup. After an edit each live figure must be found again: in the same sentence, at the
//! place where it stood, whatever its value is now. Texts are cut into words, punctuation and numerals; a numeral
//! counts as equal to any other that the same word follows, so that context and not value decides. What such a diff
//! leaves open is settled by the words around. A figure is never bound to anything but a numeral; a name or a term is
//! bound anew only where it alone was replaced. Absent from here: markup that the new text brings along (`amend`).

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{
    amount::{self, Page},
    numeral::{Form, Numeral, counting, numerals},
    source::{Mark, Span, Text, inside},
};

/// Most pairs of numerals that are compared in one replaced stretch; beyond that they are paired in their order.
const PAIRS_MAX_COUNT: usize = 250_000;
/// Most words that a name or a term may be replaced by.
const NAME_MAX_WORDS: usize = 6;

/// Words after a numeral that say nothing about what it counts.
const NO_UNITS: [&str; 20] = [
    "and", "or", "of", "to", "for", "in", "on", "at", "by", "with", "if", "then", "than", "the", "a", "is", "are",
    "as", "from", "when",
];

/// Where a marked place is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// Where, in the new visible text.
    pub(super) at: Range<usize>,
    /// Whether there was no other candidate.
    pub(super) sure: bool,
}

/// A word, a numeral or a punctuation mark.
struct Token {
    at: Range<usize>,
    /// What it must equal to be the same: the folded word; for a numeral, that it is one and the word after it.
    id: String,
}

/// Finds each marked place of a text in what its visible text became. `same` says how many bytes at the beginning
/// and at the end are known to be untouched. What counts is found outside comments as if these were not there; only
/// what is then found nowhere may have gone into one.
pub(super) fn align(old: &Text, new: &str, same: (usize, usize)) -> Vec<Option<Found>> {
    let plain = align_in(old, (old.visible(), new), same);
    let read = Text::parse(new);
    let comments = if **read.visible() == *new { read.comments() } else { &[] };
    if comments.is_empty() && old.comments().is_empty() {
        return plain;
    }
    let mut found = align_in(old, (&blanked(old.visible(), old.comments()), &blanked(new, comments)), same);
    for (index, plain) in plain.into_iter().enumerate() {
        let Some(plain) = plain.filter(|_| found[index].is_none()) else { continue };
        let overlaps = |other: &Found| other.at.start < plain.at.end && plain.at.start < other.at.end;
        let hidden = inside(comments, plain.at.start) || !old.spans()[index].counts;
        if hidden && !found.iter().flatten().any(overlaps) {
            found[index] = Some(plain);
        }
    }
    found
}

/// A text with blanks in the place of its comments: the rest stands where it stood.
fn blanked(text: &str, comments: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    for comment in comments {
        out.push_str(&text[out.len()..comment.start]);
        out.extend(std::iter::repeat_n(' ', comment.len()));
    }
    out.push_str(&text[out.len()..]);
    out
}

/// The same in two texts as they are to be read.
fn align_in(old: &Text, (visible, new): (&str, &str), same: (usize, usize)) -> Vec<Option<Found>> {
    let scene = Scene::new(old, visible, new, same);
    let mut found: Vec<Option<Found>> = Vec::with_capacity(old.spans().len());
    let mut open: Vec<Open> = Vec::new();
    for span in old.spans() {
        match scene.place(span) {
            Ok(place) => found.push(place),
            Err(place) => {
                open.push(Open { index: found.len(), ..place });
                found.push(None);
            }
        }
    }
    while let Some(first) = open.first() {
        let hull = first.hull.clone();
        let (group, rest): (Vec<Open>, Vec<Open>) = open.into_iter().partition(|place| place.hull == hull);
        scene.settle(&group, &mut found);
        open = rest;
    }
    scene.moved(new, &mut found);
    scene.whole(&mut found);
    for (span, found) in old.spans().iter().zip(&mut found) {
        let units = found.as_ref().map(|found| (amount::unit(visible, &span.at), amount::unit(new, &found.at)));
        if let Some((Some(was), Some(now))) = units
            && was != now
        {
            // Two days are not two hours: what counted hours does not go on with the new number.
            *found = None;
        }
    }
    found
}

/// A figure whose place must be chosen among several.
#[derive(Clone)]
struct Open {
    index: usize,
    tokens: Range<usize>,
    hull: Range<usize>,
}

struct Scene<'a> {
    old: &'a Text,
    /// What is read of the old text.
    visible: &'a str,
    new: &'a str,
    before: Vec<Token>,
    after: Vec<Token>,
    /// Where each old token went.
    map: Vec<Option<usize>>,
    /// How many tokens at the beginning and at the end are untouched.
    head: usize,
    tail: usize,
    /// How much longer the new text is, in bytes, modulo two's complement.
    shift: isize,
    numerals: Vec<Numeral>,
}

impl<'a> Scene<'a> {
    fn new(old: &'a Text, visible: &'a str, new: &'a str, (prefix, suffix): (usize, usize)) -> Self {
        let (before, after) = (tokens(visible), tokens(new));
        let shift = new.len().cast_signed() - visible.len().cast_signed();
        let pairs = before.iter().zip(&after);
        let head = pairs.take_while(|(a, b)| a.at == b.at && a.at.end <= prefix).count();
        let pairs = before[head..].iter().rev().zip(after[head..].iter().rev());
        let end = visible.len() - suffix;
        let moved = |a: &Token| a.at.start.wrapping_add_signed(shift)..a.at.end.wrapping_add_signed(shift);
        let tail = pairs.take_while(|(a, b)| moved(a) == b.at && a.at.start >= end).count();
        let mut map: Vec<Option<usize>> = (0..before.len()).map(|index| (index < head).then_some(index)).collect();
        for index in 0..tail {
            map[before.len() - 1 - index] = Some(after.len() - 1 - index);
        }
        let ids = |tokens: &'_ [Token]| tokens.iter().map(|token| token.id.clone()).collect::<Vec<String>>();
        let (left, right) = (ids(&before[head..before.len() - tail]), ids(&after[head..after.len() - tail]));
        for op in capture_diff_slices(Algorithm::Myers, &left, &right) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                for offset in 0..len {
                    map[head + old_index + offset] = Some(head + new_index + offset);
                }
            }
        }
        Self { old, visible, new, before, after, map, head, tail, shift, numerals: numerals(new, true) }
    }

    /// The place of a span where it is plain; what is known of it where it must be chosen.
    fn place(&self, span: &Span) -> Result<Option<Found>, Open> {
        let tokens = within(&self.before, &span.at);
        if tokens.end <= self.head && !tokens.is_empty() {
            return Ok(Some(Found { at: span.at.clone(), sure: true }));
        }
        if tokens.start >= self.before.len() - self.tail && !tokens.is_empty() {
            let at = span.at.start.wrapping_add_signed(self.shift)..span.at.end.wrapping_add_signed(self.shift);
            return Ok(Some(Found { at, sure: true }));
        }
        let left = tokens.start;
        let hull = self.map[..left].iter().rev().find_map(|to| *to).map_or(0, |to| to + 1)
            ..self.map[tokens.end..].iter().find_map(|to| *to).unwrap_or(self.after.len());
        if tokens.is_empty() || hull.is_empty() {
            return Ok(None);
        }
        let number = span.mark() == Mark::Number;
        let several = number && self.several(span);
        let first = self.map[tokens.start];
        let together = tokens.clone().all(|index| {
            self.map[index].is_some() && self.map[index] == first.map(|first| first + index - tokens.start)
        });
        if let (true, Some(first)) = (together, first) {
            let to = first..first + tokens.len();
            if !several || to == hull {
                let at = self.trimmed(span, &tokens, &to);
                return Ok(at.map(|at| Found { at, sure: true }));
            }
        }
        if number {
            return Err(Open { index: 0, tokens, hull });
        }
        let alone = self.gap(&tokens) == tokens;
        let words = self.after[hull.clone()].iter().filter(|token| is_word(&token.id)).count();
        let fits = alone && (1..=NAME_MAX_WORDS).contains(&words);
        // Two untouched words on one side say that it is the same sentence.
        let near = |at: Option<usize>, to: usize| at.is_some_and(|at| self.map.get(at) == Some(&Some(to)));
        let sure =
            (hull.start >= 2 && near(left.checked_sub(1), hull.start - 1) && near(left.checked_sub(2), hull.start - 2))
                || (near(Some(tokens.end), hull.end) && near(Some(tokens.end + 1), hull.end + 1));
        Ok(fits.then(|| Found { at: self.after[hull.start].at.start..self.after[hull.end - 1].at.end, sure }))
    }

    /// Chooses places for the figures that compete for one stretch of the new text.
    fn settle(&self, group: &[Open], found: &mut [Option<Found>]) {
        let Some(first) = group.first() else { return };
        let hull = &first.hull;
        let stretch = self.after[hull.start].at.start..self.after[hull.end - 1].at.end;
        let spans = self.old.spans();
        let inside = |numeral: &&Numeral| stretch.start <= numeral.at.start && numeral.at.end <= stretch.end;
        let mut offered: Vec<&Numeral> = self.numerals.iter().filter(inside).collect();
        // What stood in words may stand in a word by now that is a figure only there: `twice`, `third`.
        let counting =
            if group.iter().any(|place| self.worded(&spans[place.index])) { counting(self.new) } else { Vec::new() };
        let free = |word: &&Numeral| offered.iter().all(|n| n.at.end <= word.at.start || word.at.end <= n.at.start);
        let words: Vec<&Numeral> = counting.iter().filter(inside).filter(free).collect();
        offered.extend(words);
        offered.sort_by_key(|numeral| numeral.at.start);
        if let ([only], true) = (group, group.iter().any(|place| self.several(&spans[place.index]))) {
            found[only.index] = self.longest_run(&offered, self.gap(&only.tokens) == only.tokens);
            return;
        }
        // Numerals that are not live compete too: they take their own successors away.
        let gap = self.gap(&first.tokens);
        let mut wanted: Vec<(Option<usize>, Range<usize>)> =
            group.iter().map(|place| (Some(place.index), place.tokens.clone())).collect();
        for index in gap {
            let live = group.iter().any(|place| place.tokens.contains(&index));
            if self.before[index].id.starts_with('#') && self.map[index].is_none() && !live {
                wanted.push((None, index..index + 1));
            }
        }
        wanted.sort_by_key(|(_, tokens)| tokens.start);
        let even = wanted.len() == offered.len();
        for (want, offer) in self.pairs(&wanted, &offered) {
            if let (Some(index), tokens) = &wanted[want] {
                let numeral = offered[offer];
                let spelled = numeral.form == Form::Words && self.before[tokens.start].id.starts_with('#');
                let to = within(&self.after, &numeral.at);
                let exact = (to.len() == 1 && tokens.len() == 1).then(|| self.trimmed(&spans[*index], tokens, &to));
                let at = exact.flatten().unwrap_or_else(|| numeral.at.clone());
                found[*index] = Some(Found { at, sure: even && !spelled });
            }
        }
    }

    /// Finds what is lost so far and stands, word for word and with the same word after it, in exactly one place that
    /// is new: a sentence was moved.
    fn moved(&self, new: &str, found: &mut [Option<Found>]) {
        let mut claimed = vec![false; self.after.len()];
        let kept = found.iter().flatten().map(|found| within(&self.after, &found.at));
        for index in kept.flatten().chain(self.map.iter().copied().flatten()) {
            claimed[index] = true;
        }
        let written = |text: &str, token: &Token| text[token.at.clone()].to_lowercase();
        let stand: Vec<String> = self.after.iter().map(|token| written(new, token)).collect();
        for (span, found) in self.old.spans().iter().zip(found).filter(|(_, found)| found.is_none()) {
            let tokens = within(&self.before, &span.at);
            let number = span.mark() == Mark::Number;
            let until = tokens.end + usize::from(number && tokens.end < self.before.len());
            let words: Vec<String> =
                self.before[tokens.start..until].iter().map(|token| written(self.visible, token)).collect();
            if tokens.is_empty() {
                continue;
            }
            let stands = |from: &usize| {
                let to = from + tokens.len();
                claimed[*from..to].iter().all(|claimed| !claimed) && stand[*from..].starts_with(&words)
            };
            let mut places = (0..(stand.len() + 1).saturating_sub(words.len())).filter(stands);
            if let (Some(from), None) = (places.next(), places.next()) {
                let to = from..from + tokens.len();
                *found = self.trimmed(span, &tokens, &to).map(|at| Found { at, sure: false });
                claimed[to].fill(true);
            }
        }
    }

    /// Takes the whole of an amount of which a figure was found in a part, and loses what is a part of something else.
    fn whole(&self, found: &mut [Option<Found>]) {
        let numbers = |span: &&Span| span.mark() == Mark::Number;
        let (before, after) = (amount::figures(self.visible), amount::figures(self.new));
        let (old, new) = (Page { text: self.visible, numerals: &before }, Page { text: self.new, numerals: &after });
        let places: Vec<Option<Range<usize>>> = self
            .old
            .spans()
            .iter()
            .zip(&*found)
            .map(|(span, found)| Some(found.as_ref().filter(|_| numbers(&span))?.at.clone()))
            .collect();
        for (index, (span, found)) in self.old.spans().iter().zip(found).enumerate() {
            let list = self.several(span) && amount::value(self.old.shown(span)).is_none();
            let Some(place) = found.as_mut().filter(|_| numbers(&span) && !list) else { continue };
            let over = |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
            let free = |numeral: &Numeral| {
                let others = places.iter().enumerate().filter(|(other, _)| *other != index);
                !others.filter_map(|(_, place)| place.as_ref()).any(|place| over(place, &numeral.at))
            };
            let was_free = |numeral: &Numeral| {
                let mut others = self.old.spans().iter().enumerate().filter(|(other, _)| *other != index);
                !others.any(|(_, other)| numbers(&other) && over(&other.at, &numeral.at))
            };
            match amount::whole((&old, &span.at), (&new, &place.at), free, was_free) {
                Some(at) => place.at = at,
                None => *found = None,
            }
        }
    }

    /// The best way to pair figures with numerals in order.
    fn pairs(&self, wanted: &[(Option<usize>, Range<usize>)], offered: &[&Numeral]) -> Vec<(usize, usize)> {
        if wanted.len() * offered.len() > PAIRS_MAX_COUNT {
            return (0..wanted.len().min(offered.len())).map(|index| (index, index)).collect();
        }
        let width = offered.len() + 1;
        let mut best = vec![0_u32; (wanted.len() + 1) * width];
        for want in (0..wanted.len()).rev() {
            for offer in (0..offered.len()).rev() {
                let pair = self.likeness(&wanted[want].1, offered[offer]) + best[(want + 1) * width + offer + 1];
                let skip = best[(want + 1) * width + offer].max(best[want * width + offer + 1]);
                best[want * width + offer] = pair.max(skip);
            }
        }
        let (mut want, mut offer) = (0, 0);
        let mut pairs = Vec::new();
        while want < wanted.len() && offer < offered.len() {
            let here = best[want * width + offer];
            let pair = self.likeness(&wanted[want].1, offered[offer]) + best[(want + 1) * width + offer + 1];
            if here == pair {
                pairs.push((want, offer));
                (want, offer) = (want + 1, offer + 1);
            } else if here == best[want * width + offer + 1] {
                offer += 1;
            } else {
                want += 1;
            }
        }
        pairs
    }

    fn likeness(&self, tokens: &Range<usize>, numeral: &Numeral) -> u32 {
        let to = within(&self.after, &numeral.at);
        let next = |all: &[Token], index: usize| all.get(index).map(|token| plain(&token.id).to_owned());
        let last = |all: &[Token], index: usize| index.checked_sub(1).and_then(|index| next(all, index));
        let same = |a: Option<String>, b: Option<String>| a.is_some() && a == b;
        let digits = |id: &str| id.starts_with('#');
        let written = &self.visible[self.before[tokens.start].at.start..self.before[tokens.end - 1].at.end];
        let mut score = 1;
        if same(next(&self.before, tokens.end), next(&self.after, to.end)) {
            score += 4;
        }
        if same(last(&self.before, tokens.start), last(&self.after, to.start)) {
            score += 4;
        }
        if digits(&self.before[tokens.start].id) == (numeral.form != Form::Words) {
            score += 2;
        }
        if numerals(written, true).first().is_some_and(|was| was.value == numeral.value) {
            score += 3;
        }
        score
    }

    /// The longest list of numerals with nothing but separators between them.
    fn longest_run(&self, offered: &[&Numeral], alone: bool) -> Option<Found> {
        let mut runs: Vec<(Range<usize>, usize)> = Vec::new();
        for numeral in offered {
            let tokens = within(&self.after, &numeral.at);
            match runs.last_mut() {
                Some((run, count)) if self.separators(run.end, tokens.start) => {
                    (run.end, *count) = (tokens.end, *count + 1);
                }
                _ => runs.push((tokens, 1)),
            }
        }
        let sure = alone && runs.len() == 1;
        let longest = runs.into_iter().rev().max_by_key(|(_, count)| *count)?.0;
        let at = self.after[longest.start].at.start..self.after[longest.end - 1].at.end;
        Some(Found { at, sure })
    }

    fn separators(&self, from: usize, to: usize) -> bool {
        const SEPARATORS: [&str; 14] =
            ["/", ",", ";", "+", "&", "-", "and", "or", "on", "at", "just", "before", "gmt", "utc"];
        self.after[from..to].iter().all(|token| SEPARATORS.contains(&&*token.id))
    }

    /// The replaced stretch of the old text around some of its tokens.
    fn gap(&self, tokens: &Range<usize>) -> Range<usize> {
        let start = self.map[..tokens.start].iter().rposition(Option::is_some).map_or(0, |index| index + 1);
        let end = self.map[tokens.end..].iter().position(Option::is_some).map_or(self.map.len(), |at| tokens.end + at);
        start..end
    }

    /// Whether a figure stands in words.
    fn worded(&self, span: &Span) -> bool {
        span.mark() == Mark::Number && numerals(self.old.shown(span), false).is_empty()
    }

    fn several(&self, span: &Span) -> bool {
        numerals(self.old.shown(span), true).len() > 1
    }

    /// New tokens as a place, less what stood outside the span in its first and last token: `48` in `48th`.
    fn trimmed(&self, span: &Span, from: &Range<usize>, to: &Range<usize>) -> Option<Range<usize>> {
        let lead = span.at.start.saturating_sub(self.before[from.start].at.start);
        let trail = self.before[from.end - 1].at.end.saturating_sub(span.at.end);
        let (start, end) = (self.after[to.start].at.start + lead, self.after[to.end - 1].at.end.checked_sub(trail)?);
        // What was a part of a longer numeral may be none by itself in the new one: `48` in `48 1/403`.
        let is_numeral = |text: Option<&str>| text.is_some_and(|text| !numerals(text, true).is_empty());
        let fits = !is_numeral(self.visible.get(span.at.clone())) || is_numeral(self.new.get(start..end));
        (start < end && fits).then_some(start..end)
    }
}

/// The tokens that a place touches.
fn within(tokens: &[Token], at: &Range<usize>) -> Range<usize> {
    let start = tokens.partition_point(|token| token.at.end <= at.start);
    let end = tokens.partition_point(|token| token.at.start < at.end);
    start..end.max(start)
}

fn is_word(id: &str) -> bool {
    id.starts_with(|c: char| c.is_alphanumeric() || c == '#')
}

/// What a token is to its neighbours: any numeral is as good as another.
fn plain(id: &str) -> &str {
    if id.starts_with('#') { "#" } else { id }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut done = 0;
    for numeral in numerals(text, false) {
        words(text, done..numeral.at.start, &mut out);
        done = numeral.at.end;
        out.push(Token { at: numeral.at, id: "#".to_owned() });
    }
    words(text, done..text.len(), &mut out);
    for index in 0..out.len().saturating_sub(1) {
        let unit = &out[index + 1].id;
        if out[index].id == "#" && unit.starts_with(char::is_alphanumeric) && !NO_UNITS.contains(&unit.as_str()) {
            out[index].id = format!("#{unit}");
        }
    }
    out
}

fn words(text: &str, stretch: Range<usize>, out: &mut Vec<Token>) {
    let mut word: Option<usize> = None;
    let end = stretch.end;
    let stray = |out: &mut Vec<Token>, at: Range<usize>| out.push(Token { id: text[at.clone()].to_lowercase(), at });
    for (offset, c) in text[stretch.clone()].char_indices() {
        let at = stretch.start + offset;
        if c.is_alphanumeric() || c == '_' {
            word.get_or_insert(at);
            continue;
        }
        if let Some(start) = word.take() {
            stray(out, start..at);
        }
        if !c.is_whitespace() {
            stray(out, at..at + c.len_utf8());
        }
    }
    if let Some(start) = word {
        stray(out, start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the places of a text go: `key=shown`, with a question mark where that was a guess.
    fn went(source: &str, new: &str) -> String {
        let old = Text::parse(source);
        let found = align(&old, new, (0, 0));
        let shown = |(span, found): (&Span, &Option<Found>)| match found {
            Some(found) => format!("{}={}{}", span.name(), &new[found.at.clone()], if found.sure { "" } else { "?" }),
            None => format!("{} lost", span.name()),
        };
        old.spans().iter().zip(&found).map(shown).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn figures_are_found_by_their_context() {
        let hours = "A proposal fails after [48](#k) hours.";
        for (source, new, expected) in [
            (hours, "A proposal fails after 50 hours.", "k=50"),
            (hours, "A  Proposal fails\nafter 48 HOURS!", "k=48"),
            (hours, "A proposal fails after two days.", "k lost"),
            (hours, "A proposal fails after 2 days.", "k lost"),
            (hours, "A proposal fails after 485 hours.", "k=485"),
            (hours, "A proposal never fails.", "k lost"),
            (hours, "After 3 votes a proposal fails after 72 hours.", "k=72"),
            (hours, "With 3 votes against it, or when 48 hours have passed, a proposal fails.", "k=48?"),
            (hours, "48 hours", "k=48"),
            (hours, "", "k lost"),
            ("gains [10](#a) Power, loses [5](#b) Power", "gains 5 Power, loses 10 Power", "a=5; b=10"),
            ("gains [10](#a) Power, loses [5](#b) points", "loses 5 points", "a lost; b=5"),
            ("gains [10](#a) Power, loses [5](#b) points", "gains 10 Power", "a=10; b lost"),
            ("gains [10](#a) Power, 3 times", "gains 11 Power, 4 times", "a=11"),
            ("range [[-1](#a),[1](#b)]", "range [-2,2]", "a=-2; b=2"),
            ("the [2](#k)nd day", "the 3rd day", "k=3"),
            ("costs m[50](#k) now", "costs m80 now", "k=80"),
            ("pays [6 + 1/403](#k) units", "pays 7 1/403 units", "k=7 1/403"),
            ("within [two](#k) days", "within three days", "k=three"),
            ("within [two](#k) days", "within 3 days", "k=3"),
            // What stands in a comment takes no figure away, and holds one only where it is nowhere else.
            ("gains [1](#k) point", "gains [[ 1 ]] 2 points", "k=2"),
            ("gains [1](#k) point", "gains 2 /* was 1 point */ points", "k=2"),
            ("gains [1](#k) point, [[ 1 point ]] each", "gains 3 points, [[ 1 point ]] each", "k=3"),
            ("gains [1](#k) point, or [2](#l)", "gains [[ 1 point ]] nothing, or 2", "k=1; l=2"),
            ("gains [[ [1](#k) point ]] nothing", "gains 1 point", "k=1"),
        ] {
            assert_eq!(went(source, new), expected, "{source} -> {new}");
        }
    }

    #[test]
    fn lists_and_moments_go_as_a_whole() {
        for (source, new, expected) in [
            ("points [8/5/3](#p), then 0", "points 10/8/5/3, then 0", "p=10/8/5/3"),
            ("points [8/5/3](#p) each", "points 8, 5 and 3 each", "p=8, 5 and 3"),
            ("points [8/5/3](#p) each", "points 9/6/4 each", "p=9/6/4"),
            ("points [8/5/3](#p) each", "none each", "p lost"),
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
    fn names_and_terms_move_only_where_they_alone_were_replaced() {
        let name = "Its contestmaster is [Goethe](#@c), who decides.";
        for (source, new, expected) in [
            (name, "Its contestmaster is Ann Lee, who decides.", "c=Ann Lee"),
            (name, "Its contestmaster is goethe, who rules.", "c=goethe"),
            ("It is [Goethe](#@c).", "All is over.", "c=over?"),
            (name, "Ann decides.", "c lost"),
            (name, "Its contestmaster is whoever among us has won the most points, who decides.", "c lost"),
            ("A [mackerel](#=m) is a coin.", "A herring is a coin.", "m=herring"),
            ("One [mackerel](#=m). Two.", "Three. One mackerel.", "m=mackerel"),
            ("A [mackerel](#=m) is a coin.", "Nothing is a coin.", "m lost"),
        ] {
            assert_eq!(went(source, new), expected, "{source} -> {new}");
        }
    }

    #[test]
    fn a_figure_is_lost_where_its_time_is_counted_in_another_unit() {
        let rule = "It is over after [48](#k) hours of waiting.";
        for (source, new, expected) in [
            (rule, "It is over after 72 hours of waiting.", "k=72"),
            (rule, "It is over after 2 days of waiting.", "k lost"),
            ("After [1](#k) week it ends.", "After 2 weeks it ends.", "k=2"),
            ("It gains [5](#k) Power.", "It gains 6 points.", "k=6"),
        ] {
            assert_eq!(went(source, new), expected, "{source} -> {new}");
        }
    }

    #[test]
    fn a_part_of_a_longer_numeral_is_lost_where_nothing_of_it_is_left() {
        assert_eq!(went(" [48](#k) 1/403-6", "-61/403-6"), "k lost");
        assert_eq!(went("[48](#k)th day", "49th day"), "k=49");
    }

    /// An amount is taken whole or, where it is a part of something else, not at all.
    #[test]
    fn amounts_of_several_numerals_go_as_a_whole() {
        let fee = "gives [6 + 1/403](#k) money units to nowhere";
        for (amount, expected) in [
            ("7 1/2 + 1/403", "k=7 1/2 + 1/403"),
            ("6.5 + 1/403", "k=6.5 + 1/403"),
            ("6 - 1/403", "k=6 - 1/403"),
            ("6 + 1/403 + 1/2", "k=6 + 1/403 + 1/2"),
            ("6 + 2 1/403", "k=6 + 2 1/403"),
            ("6 + 1/403/5", "k=6 + 1/403/5"),
            ("7 + 1/403", "k=7 + 1/403"),
            ("6 thousand", "k=6 thousand"),
            ("6 squared", "k lost"),
            ("6 * d", "k lost"),
            ("**7**", "k=7"),
        ] {
            let new = format!("gives {amount} money units to nowhere");
            assert_eq!(went(fee, &new).replace('?', ""), expected, "{new}");
        }
        let range = "from [-1](#a) to [1](#b), unless";
        let hour = "at [21:00](#k) each";
        let formula = "of [2](#a) / (d ^ [2](#b) + [2](#c)), where";
        let period = "a period of [6](#k) days. This";
        for (source, new, expected) in [
            (range, "from -1 to 1/2/2, unless", "a=-1; b=1/2/2"),
            (range, "from -2 to 1 + 1/2, unless", "a=-2; b=1 + 1/2"),
            (hour, "at 9:00 pm each", "k=9:00 pm"),
            (hour, "at 9:00 CET each", "k lost"),
            (hour, "at 9:00 or 21:00 each", "k=9:00 or 21:00"),
            (formula, "of 3 / (d ^ 4 + 5), where", "a=3; b=4; c=5"),
            (formula, "of 2 / (d ^ 2 + 1 + 2), where", "a=2; b=2; c=1 + 2"),
            (formula, "of 2 / (d ^ 2 - 2), where", "a=2; b=2; c lost"),
            (formula, "of 1 + 2 / (d ^ 2 + 2), where", "a lost; b=2; c=2"),
            (period, "a period of 6 days and 12 hours. This", "k=6 days and 12 hours"),
            (period, "a period of 6 days (7 on feast days). This", "k=6 days (7 on feast days)"),
            (period, "a period of 6 days (144 hours). This", "k=6"),
            (period, "a period of 6 days and an hour. This", "k=6 days and an hour"),
            (period, "a period of 6 days and 3 votes. This", "k=6"),
            (period, "a period of 6 hours and 2 days. This", "k lost"),
            ("lasts [6 days and 12 hours](#k) now", "lasts 5 days now", "k=5"),
            ("lasts [6 days and 12 hours](#k) now", "lasts 7 days and 6 hours now", "k=7 days and 6 hours"),
            ("lasts [6 days and 12 hours](#k) now", "lasts 5 hours now", "k lost"),
            ("up to [1](#k) vote", "from -1 to 1/2 vote", "k=1/2"),
            ("up to [2](#k) votes", "2 to 3 votes", "k=2 to 3"),
            // What went on before goes on as before.
            ("from 5 to [10](#k) points", "from 5 to 12 points", "k=12"),
            ("151 +/- [16](#k) cells", "151 +/- 17 cells", "k=17"),
        ] {
            assert_eq!(went(source, new).replace('?', ""), expected, "{source} -> {new}");
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
            for found in align(&old, &new, (0, 0)).into_iter().flatten() {
                assert!(new.get(found.at.clone()).is_some_and(|shown| !numerals(shown, true).is_empty()), "{:?}", &new[found.at]);
            }
        }

        #[test]
        fn nothing_moves_in_a_text_that_did_not_change((head, tail) in (PROSE, PROSE), figure in "(48|two|x y|8/5/3)") {
            let old = Text::parse(format!("{head} [{figure}](#k) {tail}"));
            for (span, found) in old.spans().iter().zip(align(&old, old.visible(), (0, 0))) {
                assert_eq!(found.map(|found| found.at), Some(span.at.clone()));
            }
        }
    }
}
