//! A list of figures that loses one is no list: nobody plays by the next figure in its place, in any rule of any game.

use std::ops::Range;

use kernel::{
    Game, Instant,
    rulebook::{Keys, Live, NumKind, Outcome, RuleSource, Rulebook, amend::replace_at, numeral::numerals, views},
};

/// What stands in the place of a figure that is none any more.
const WORDS: &str = "plenty";

/// Takes each figure of each list out of the rules that a game brings, each by itself; how many there are.
fn none_closes_up<G: Game>(rules: &[(&str, &str)]) -> usize {
    let mut book = Rulebook::default();
    for (id, file) in rules {
        let rule = RuleSource::parse(*id, file).expect("the rule can be read");
        book.apply(&rule.enact("the room was opened"), 1, Instant::UNIX_EPOCH);
    }
    let keys = Keys::of(G::keys(), [&book]);
    let mut taken = 0;
    for key in keys.iter().filter(|key| key.kind == NumKind::List) {
        let (first, _) = book.places(key.key).next().expect("a list is given");
        let places: Vec<Range<usize>> = first.places(key.key).map(|span| span.at.clone()).collect();
        let figures = places.iter().flat_map(|at| {
            let found = numerals(&first.text().visible()[at.clone()], true);
            found.into_iter().map(|one| at.start + one.at.start..at.start + one.at.end)
        });
        // Words in the place of a figure, and nothing in the place of one that stands by itself.
        let words = figures.map(|at| (at, WORDS));
        let gone = places.iter().filter(|_| places.len() > 1).map(|at| (at.clone(), ""));
        for (at, new) in words.chain(gone) {
            let edit = replace_at(first, at.clone(), new).expect("it can be taken out");
            let mut after = book.clone();
            after.apply(&edit.op, 2, Instant::UNIX_EPOCH);
            assert_eq!(after.live_list(key), Live::Absent, "{} without {at:?}", key.key);
            let lines = edit.rebindings.iter().filter(|line| *line.key == *key.key);
            assert!(lines.clone().all(|line| line.outcome == Outcome::Lost), "{}", key.key);
            assert_eq!(lines.count(), places.len(), "{}", key.key);
            assert!(views::unbound(&book, &after, &keys).iter().any(|said| said.contains(key.meaning)), "{}", key.key);
            taken += 1;
        }
    }
    taken
}

#[test]
fn a_list_that_loses_a_figure_is_unbound_as_a_whole() {
    let all = [
        none_closes_up::<joust::Joust>(&joust::figures::SECTIONS),
        none_closes_up::<blognomic::BlogNomic>(blognomic::law::RULES),
        none_closes_up::<spacenomic::Spacenomic>(spacenomic::law::RULES),
        none_closes_up::<bnomic::BNomic>(bnomic::law::RULES),
    ];
    assert!(all.iter().sum::<usize>() > 10, "{all:?} figures stand in lists");
}
