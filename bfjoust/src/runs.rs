//! Charges that went alike, told together: a match at 33 lengths is mostly the same charge 33 times.
//!
//! Nothing is lost by it. In a run the outcome is the same, and the cycles grow by the same number from one length to
//! the next. So each charge can be told from the first and the last.

/// Charges in a row that went alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<H> {
    /// The first length and the last.
    pub lengths: (usize, usize),
    /// How they went.
    pub how: H,
    /// The cycles of the first charge and of the last.
    pub cycles: (u64, u64),
}

/// Gathers charges, each with its length, how it went and its cycles, into as few rows as tell all of them.
pub fn runs<H: PartialEq>(charges: impl IntoIterator<Item = (usize, H, u64)>) -> Vec<Run<H>> {
    let mut runs: Vec<Run<H>> = Vec::new();
    // From one charge of the last run to the next: so many cells, so many cycles.
    let mut step: Option<(i128, i128)> = None;
    for (length, how, cycles) in charges {
        if let Some(run) = runs.last_mut() {
            let to = |from: i128, now: i128| now - from;
            let next = (to(run.lengths.1 as i128, length as i128), to(run.cycles.1.into(), cycles.into()));
            let goes_on = step.map_or(next.0 > 0 && next.1 >= 0, |step| step == next);
            if run.how == how && goes_on {
                (run.lengths.1, run.cycles.1, step) = (length, cycles, Some(next));
                continue;
            }
        }
        runs.push(Run { lengths: (length, length), how, cycles: (cycles, cycles) });
        step = None;
    }
    runs
}

/// The first and the last of a run as a text: `135-167`, or one number where they are the same.
pub fn span<T: PartialEq + std::fmt::Display>((first, last): (T, T)) -> String {
    if first == last { first.to_string() } else { format!("{first}\u{2013}{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_that_went_alike_are_one_row() {
        let equal = runs((135..=167).map(|length| (length, "won", 390)));
        assert_eq!(equal, [Run { lengths: (135, 167), how: "won", cycles: (390, 390) }]);
        let growing = runs((135..=167).map(|length| (length, "won", 255 + length as u64)));
        assert_eq!(growing, [Run { lengths: (135, 167), how: "won", cycles: (390, 422) }]);
    }

    #[test]
    fn a_row_ends_where_a_charge_could_not_be_told_from_it() {
        let told =
            runs([(1, 'a', 5), (2, 'a', 6), (3, 'a', 8), (4, 'a', 10), (5, 'b', 12), (6, 'b', 11), (6, 'b', 11)]);
        let rows: Vec<_> = told.iter().map(|run| (run.lengths, run.how, run.cycles)).collect();
        let b = |length, cycles| ((length, length), 'b', (cycles, cycles));
        assert_eq!(rows, [((1, 2), 'a', (5, 6)), ((3, 4), 'a', (8, 10)), b(5, 12), b(6, 11), b(6, 11)]);
        assert_eq!((span(told[0].lengths), span(told[2].lengths)), ("1\u{2013}2".to_owned(), "5".to_owned()));
        assert!(runs::<()>([]).is_empty());
    }
}
