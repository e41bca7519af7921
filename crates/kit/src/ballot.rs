//! Votes in a table, by what they are on and who cast them.
//!
//! Who may vote and what a count leads to, each game says.

use kernel::{
    Draft, Game, Id,
    table::{Key, Record, Row, Rows},
};

/// The votes on something, by voter.
pub fn on<Q: Ord + Clone, V: Record>(votes: &Rows<(Q, Id), V>, question: Q) -> impl Iterator<Item = (&Id, &V)> {
    let from = votes.range((question.clone(), Id::default())..);
    from.take_while(move |((on, _), _)| *on == question).map(|((_, voter), vote)| (voter, vote))
}

/// How many votes on something count as a game says.
pub fn count<Q: Ord + Clone, V: Record>(
    votes: &Rows<(Q, Id), V>,
    question: Q,
    counts: impl Fn(&Id, &V) -> bool,
) -> u64 {
    on(votes, question).filter(|(voter, vote)| counts(voter, vote)).count() as u64
}

/// How many of some voters have not voted on something.
pub fn missing<'v, Q: Ord + Clone, V: Record>(
    votes: &Rows<(Q, Id), V>,
    question: &Q,
    voters: impl Iterator<Item = &'v Id>,
) -> u64 {
    voters.filter(|voter| !votes.contains_key(&(question.clone(), (*voter).clone()))).count() as u64
}

/// Takes all votes off something; whether there were any.
pub fn clear<G, Q, V>(d: &mut Draft<'_, G>, question: &Q) -> bool
where
    G: Game,
    Q: Key,
    V: Row<G, Key = (Q, Id)>,
{
    let voters: Vec<Id> = on(d.rows::<V>(), question.clone()).map(|(voter, _)| voter.clone()).collect();
    for voter in &voters {
        d.delete::<V>(&(question.clone(), voter.clone()));
    }
    !voters.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes() -> Rows<(u64, Id), bool> {
        let mut votes = Rows::default();
        for (on, voter, vote) in [(1, "ann", true), (2, "ann", false), (2, "bo", true), (3, "cy", true)] {
            votes.insert((on, voter.into()), vote);
        }
        votes
    }

    #[test]
    fn given_votes_on_several_when_one_is_counted_then_the_others_do_not_count() {
        let of: Vec<(Id, bool)> = on(&votes(), 2).map(|(voter, vote)| (voter.clone(), *vote)).collect();
        assert_eq!(of, [("ann".into(), false), ("bo".into(), true)]);
        assert_eq!(count(&votes(), 2, |_, vote| *vote), 1);
        assert_eq!(on(&votes(), 4).count(), 0);
    }

    #[test]
    fn given_voters_when_some_voted_then_the_rest_is_missing() {
        let voters: [Id; 3] = ["ann".into(), "bo".into(), "cy".into()];
        assert_eq!(missing(&votes(), &2, voters.iter()), 1);
        assert_eq!(missing(&votes(), &4, voters.iter()), 3);
    }
}
