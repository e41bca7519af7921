//! Facts of journals of before, when each mechanic wrote its own: read, folded onto the tables, and never written. So are
//! the rows of then that count.
//!
//! What a fact said that something was before is not read: folding never asked for it.

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{
    activity::done::Activity,
    clock::hands,
    counters::{self, Counter},
    emergency::{self, crisis},
    game::{BNomic, Tables},
    intents::announced,
    ministries,
    obligations::duties,
    passing, posted, proposals, schedule,
    society::players,
    stats::PROPOSAL,
    tweaks, victory, voting,
};
use kernel::{
    Id, Instant, Mechanic, Seq, State,
    before::{Around, Before},
    table::Row,
};

/// Under which keys the last numbers were kept of duties, and of what is set for later.
const DUTY: &str = "duty";
const SCHEDULE: &str = "schedule";

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let counted = |key: &'static str| move |state: &State<BNomic>| counters::last(state, key);
    Mechanic::new("before")
        .former_table::<Counter>()
        .counts(PROPOSAL, counted(PROPOSAL))
        .counts(victory::TROPHY, counted(victory::TROPHY))
        .counts(duties::Duty::TABLE, counted(DUTY))
        .counts(schedule::Later::TABLE, counted(SCHEDULE))
}

/// The facts of the mechanics, each as its journals have it.
macro_rules! facts {
    ($($mechanic:ident { $($variants:tt)* })*) => {
        /// A change to the machinery, by the mechanic that it belongs to.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Fact {
            $($mechanic($mechanic),)*
            /// Nothing: what stood where taking an entry back left the clockwork as it was.
            Kept,
        }
        $(
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(rename_all = "snake_case")]
            pub enum $mechanic { $($variants)* }
        )*
    };
}

facts! {
    Clock {
        Midnight { at: Instant, counts: bool },
        Ndelays { to: u64 },
        Begun { to: Option<hands::Nday> },
        WasOn { to: bool },
        On { to: bool },
        Chairman { to: bool },
        Voting { to: Option<i64> },
    }
    Society {
        Request { seat: Id, to: Option<players::Request> },
        Acted { player: Id, to: Option<i64> },
        Founders { to: Vec<String> },
        Voted { player: Id, to: Option<i64> },
    }
    Ministry {
        Tenure { ministry: Id, to: ministries::Tenure },
    }
    Vote {
        Cast { proposal: Id, voter: Id, to: Option<voting::Vote> },
    }
    Tally {
        Counted { proposal: Id, to: Option<Box<passing::Record>> },
        Scored { proposal: Id, to: Vec<String> },
    }
    Intent {
        Intent { number: u64, to: Option<Box<announced::Intent>> },
    }
    Tweak {
        Tweak { tweak: Id, to: Option<tweaks::Tweak> },
    }
    Relation {
        Relation { nomic: String, to: Option<String> },
    }
    Duty {
        Duty { number: u64, to: Option<Box<duties::Duty>> },
        Start { to: Option<u64> },
    }
    Victory {
        Holds { condition: Id, to: bool },
        Trophies { to: i64 },
    }
    Emergency {
        Selected { to: Option<emergency::Selected> },
        Certain { to: Option<Vec<Id>> },
        Mind { pep: Id, paranoid: bool },
        Enough { to: Vec<Id> },
        Crisis { to: Option<Box<Crisis>> },
        Refresh { pep: Id, to: Option<String> },
        Voted { pep: Id, round: u64, to: Option<Id> },
        Hoisted { to: Option<u64> },
        Meanwhile,
        LetGo {},
    }
    Proposal {
        Numbered { to: i64 },
        Held { to: Option<usize> },
    }
    Schedule {
        Later { number: u64, to: Option<Box<schedule::Later>> },
        Undone {},
    }
    Posted {
        Posted { text: Id, to: Option<posted::Post> },
    }
    Approval {
        Before,
        Opened { number: u64 },
        After,
        Happened {},
        Closed {},
    }
}

/// A State of Emergency with what was proposed and voted in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crisis {
    #[serde(flatten)]
    crisis: crisis::Crisis,
    refresh: OrdMap<Id, String>,
    votes: OrdMap<Id, Id>,
}

/// Puts a row in its place, or removes it.
fn set<R: Row<BNomic>>(game: &mut Tables, key: &R::Key, to: Option<&R>) {
    game.set(key, to.cloned());
}

/// Changes a row, from its default where there is none.
fn change<R: Row<BNomic> + Default>(game: &mut Tables, key: &R::Key, change: impl FnOnce(&mut R)) {
    let mut row = game.rows::<R>().get(key).cloned().unwrap_or_default();
    change(&mut row);
    set(game, key, Some(&row).filter(|row| **row != R::default()));
}

/// A number of a kind, which may be the last.
fn count_up(game: &mut Tables, of: &str, number: u64) {
    let last = game.rows::<Counter>().get(of).map_or(0, |counter| counter.last);
    count(game, of, last.max(i64::try_from(number).unwrap_or(i64::MAX)));
}

/// The last number of a kind.
fn count(game: &mut Tables, of: &str, last: i64) {
    set(game, &of.into(), (last > 0).then_some(Counter { last }).as_ref());
}

impl Before for BNomic {
    type Fact = Fact;

    fn fold(tables: &mut Tables, fact: &Fact, around: &Around<'_>) {
        fold(tables, fact, around.seq);
    }

    fn told(fact: &Fact, _state: &State<Self>) -> Option<String> {
        matches!(fact, Fact::Emergency(Emergency::Meanwhile)).then(|| emergency::MEANWHILE.to_owned())
    }
}

/// Folds a fact of before onto the tables. Total.
fn fold(game: &mut Tables, fact: &Fact, seq: Seq) {
    let vote = |whose: &Id| crisis::Vote { whose: whose.clone() };
    let refresh = |text: &String| crisis::Refresh { text: text.clone() };
    match fact {
        Fact::Clock(fact) => change(game, &(), |time: &mut hands::Time| match *fact {
            Clock::Midnight { at, counts } => {
                time.midnight = Some(at);
                time.rdays += u64::from(counts);
            }
            Clock::Ndelays { to } => time.ndelays = to,
            Clock::Begun { to } => time.begun = to,
            Clock::WasOn { to } => time.was_on = to,
            Clock::On { to } => time.on = to,
            Clock::Chairman { to } => time.chairman = to,
            Clock::Voting { to } => time.voting = to,
        }),
        Fact::Society(fact) => match fact {
            Society::Request { seat, to } => set(game, seat, to.as_ref()),
            Society::Acted { player, to } => change(game, player, |done: &mut Activity| done.acted = *to),
            Society::Voted { player, to } => change(game, player, |done: &mut Activity| done.voted = *to),
            Society::Founders { to } => change(game, &(), |all: &mut players::Founders| all.names.clone_from(to)),
        },
        Fact::Ministry(Ministry::Tenure { ministry, to }) => {
            change(game, ministry, |tenure: &mut ministries::Tenure| tenure.clone_from(to));
        }
        Fact::Vote(Vote::Cast { proposal, voter, to }) => set(game, &(proposal.clone(), voter.clone()), to.as_ref()),
        Fact::Tally(Tally::Counted { proposal, to }) => set(game, proposal, to.as_deref()),
        Fact::Tally(Tally::Scored { proposal, to }) => {
            if let Some(record) = game.rows_mut::<passing::Record>().get_mut(proposal) {
                record.scored.clone_from(to);
            }
        }
        Fact::Intent(Intent::Intent { number, to }) => {
            let entry = game.rows::<announced::Intent>().get(number).map_or(0, |intent| intent.entry);
            let mut to = to.as_deref().cloned();
            to.iter_mut().for_each(|to| to.entry = entry);
            set(game, number, to.as_ref());
        }
        // Its row came first.
        Fact::Approval(Approval::Opened { number }) => {
            if let Some(intent) = game.rows_mut::<announced::Intent>().get_mut(number) {
                intent.entry = seq;
            }
        }
        Fact::Tweak(Tweak::Tweak { tweak, to }) => set(game, tweak, to.as_ref()),
        Fact::Duty(Duty::Duty { number, to }) => {
            set(game, number, to.as_deref());
            count_up(game, DUTY, *number);
        }
        Fact::Duty(Duty::Start { to }) => set(game, &(), to.map(|until| duties::Start { until }).as_ref()),
        Fact::Victory(Victory::Holds { condition, to }) => {
            change(game, condition, |trigger: &mut victory::Trigger| trigger.holds = *to);
        }
        Fact::Victory(Victory::Trophies { to }) => count(game, victory::TROPHY, *to),
        Fact::Emergency(fact) => match fact {
            Emergency::Selected { to } => set(game, &(), to.as_ref()),
            Emergency::Certain { to } => set(game, &(), to.clone().map(|peps| crisis::Declared { peps }).as_ref()),
            Emergency::Mind { pep, paranoid } => set(game, pep, paranoid.then_some(crisis::Paranoid {}).as_ref()),
            Emergency::Enough { to } => {
                let peps = Some(to.clone()).filter(|peps| !peps.is_empty());
                set(game, &(), peps.map(|peps| crisis::Enough { peps }).as_ref());
            }
            Emergency::Crisis { to } => {
                set(game, &(), to.as_ref().map(|to| &to.crisis));
                *game.rows_mut::<crisis::Refresh>() =
                    to.iter().flat_map(|to| &to.refresh).map(|(by, text)| (by.clone(), refresh(text))).collect();
                *game.rows_mut::<crisis::Vote>() =
                    to.iter().flat_map(|to| &to.votes).map(|(by, whose)| (by.clone(), vote(whose))).collect();
            }
            Emergency::Refresh { pep, to } if !game.rows::<crisis::Crisis>().is_empty() => {
                set(game, pep, to.as_ref().map(refresh).as_ref());
            }
            Emergency::Voted { pep, round, to }
                if game.rows::<crisis::Crisis>().values().any(|crisis| crisis.round == *round) =>
            {
                set(game, pep, to.as_ref().map(vote).as_ref());
            }
            Emergency::Refresh { .. }
            | Emergency::Voted { .. }
            | Emergency::Hoisted { .. }
            | Emergency::Meanwhile
            | Emergency::LetGo {} => {}
        },
        Fact::Proposal(Proposal::Numbered { to }) => count(game, PROPOSAL, *to),
        Fact::Proposal(Proposal::Held { to }) => set(game, &(), to.map(|bytes| proposals::Held { bytes }).as_ref()),
        Fact::Schedule(Schedule::Later { number, to }) => {
            set(game, number, to.as_deref());
            count_up(game, SCHEDULE, *number);
        }
        Fact::Posted(Posted::Posted { text, to }) => set(game, text, to.as_ref()),
        Fact::Schedule(Schedule::Undone {}) | Fact::Relation(_) | Fact::Approval(_) | Fact::Kept => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// B50.6: what journals of before hold of an approval that waits says in which entry its display was given.
    #[test]
    fn b50_6_an_approval_of_before_waits_on() {
        let act = json!({ "approve": { "display": "society", "says": [] } });
        let row = json!({ "number": 1, "by": "ann", "changes": 0, "act": act, "objected": [], "supported": [],
            "complete": null, "ended": null });
        let (first, again) = (json!({ "intent": { "intent": { "number": 1, "to": row } } }), 9);
        let opened = json!({ "approval": { "opened": { "number": 1, "display": "society", "says": [] } } });
        let deed = json!({ "seq": 5, "at": "2026-11-02T10:00:00Z", "what": { "missed": {} } });
        let others =
            [json!("before"), json!("after"), json!({ "happened": deed }), json!({ "closed": { "number": 2 } })];
        let others = others.map(|fact| json!({ "approval": fact }));
        let mut game = Tables::default();
        let mut folds = |facts: &[serde_json::Value], seq| {
            for fact in facts {
                fold(&mut game, &serde_json::from_value(fact.clone()).expect("it can be read"), seq);
            }
        };
        folds(&[first.clone(), opened], 4);
        folds(&others, 5);
        folds(&[first], again);
        assert_eq!(game.rows::<announced::Intent>().get(&1).map(|intent| intent.entry), Some(4));
    }
}
