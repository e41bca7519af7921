//! Facts of journals of earlier versions, which had them in the place of changes of rows, folded onto the tables.
//!
//! Nothing emits these any more, and the value that each replaced is not read. The rows themselves belong to their
//! mechanics.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    alterations::{self, Alteration, LOG_MAX_ENTRIES},
    dynasty::{self, Dynasty},
    enactment::Settings,
    game::{BlogNomic, Tables},
    holdings::Holding,
    inventory::Inventory,
    judgment::Call,
    power,
    power::Claimed,
    program::Day,
    proposal::{self, Claim, Proposal, Stands, Verdict, Wording},
    roster::Member,
    undoing::Undoing,
    veto, virus,
    votes::{self, Question, Vote},
};
use kernel::{
    Id, Instant, Num, Seq, State,
    before::{Around, Before},
    table::Row,
};

/// Declares enums of facts as journals have them, and what holds one of each.
macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident { $($variants:tt)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($variants)* }
    )*};
}

facts! {
    /// A change to the machinery, by the mechanic that it belonged to.
    Fact {
        Roster(Roster),
        Proposal(Docket),
        Vote(Voting),
        Dynasty(Reign),
        Tracker(Tracker),
        Holding(Held),
        Run(Run),
        Virus(Virus),
        Veto(Veto),
        Call(Judgment),
        Entry(Entry),
        Automatic { on: bool },
        Kept,
    }
    /// Who is a Robot.
    Roster {
        Row { robot: Id, to: Option<Member> },
    }
    /// Proposals.
    Docket {
        Made(Box<Posted>),
        Unmade { number: u64 },
        Corrected { number: u64, to: Arc<str> },
        Uncorrected { number: u64 },
        Stands { number: u64, to: Stands, was: Stands },
        Claim { number: u64, to: Option<Claim>, was: Option<Claim>, #[serde(default)] seq: Option<Seq> },
        Told { number: u64, verdict: Option<Verdict> },
    }
    /// Votes on Proposals.
    Voting {
        Cast { proposal: u64, robot: Id, to: Option<Vote> },
    }
    /// Dynasties.
    Reign {
        Begun(Box<Dynasty>),
        Unbegun {},
        Now { to: Box<Dynasty> },
    }
    /// The log of the GNDT.
    Tracker {
        Logged(Box<Alteration>),
        Undone { seq: Seq, #[serde(default)] by: Option<Undoing> },
        Redone { seq: Seq },
    }
    /// What things have cost.
    Held {
        Things { robot: Id, to: Inventory },
        Part { robot: Id, part: String, to: Option<Num> },
    }
    /// Runs of the Master Control Program.
    Run {
        Ran { robot: Id, to: Option<Day> },
    }
    /// The virus.
    Virus {
        Seen { at: Instant },
        Loose { to: Option<String> },
    }
    /// Vetoes and nominations.
    Veto {
        Vetoed { proposal: u64, to: Option<u64> },
        Request { proposal: u64, to: Option<Vec<(Id, Vote)>> },
        Nomination { nominee: Id, to: Option<Vec<(Id, Vote)>> },
    }
    /// Calls for Judgment.
    Judgment {
        Stands { number: u64, to: Option<Box<Raised>> },
    }
    /// Claims for entries in weblogs.
    Entry {
        Claimed { robot: Id, day: String, stands: bool, #[serde(default)] made: Option<Claimed> },
    }
}

/// A Proposal with its texts and votes in one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posted {
    #[serde(flatten)]
    proposal: Proposal,
    texts: Vec<Arc<str>>,
    ballot: BTreeMap<Id, Vote>,
}

/// A Call with its votes in one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raised {
    #[serde(flatten)]
    call: Call,
    ballot: BTreeMap<Id, Vote>,
}

impl Before for BlogNomic {
    type Fact = Fact;

    fn fold(tables: &mut Tables, fact: &Fact, around: &Around<'_>) {
        fold(tables, fact, around.seq);
    }

    fn told(fact: &Fact, state: &State<Self>) -> Option<String> {
        Some(told(fact, state))
    }
}

// ---- fold

/// Makes these the votes on something, and no others.
fn ballot(game: &mut Tables, on: &Question, votes: impl IntoIterator<Item = (Id, Vote)>) {
    let held = game.rows::<votes::Vote>().range((on.clone(), Id::default())..).map(|(key, _)| key.clone());
    let held: Vec<_> = held.take_while(|(question, _)| question == on).collect();
    for key in held {
        game.set::<Vote>(&key, None);
    }
    for (robot, vote) in votes {
        game.set(&(on.clone(), robot), Some(vote));
    }
}

/// Folds a fact. Total.
fn fold(game: &mut Tables, fact: &Fact, seq: Seq) {
    match fact.clone() {
        Fact::Roster(Roster::Row { robot, to }) => game.set(&robot, to),
        Fact::Proposal(fact) => proposal(game, fact),
        Fact::Vote(Voting::Cast { proposal, robot, to }) => game.set(&(Question::Proposal(proposal), robot), to),
        Fact::Dynasty(fact) => {
            let count = game.rows::<dynasty::Dynasty>().len() as u64;
            match fact {
                Reign::Begun(dynasty) => game.set(&(count + 1), Some(*dynasty)),
                Reign::Unbegun {} => game.set::<Dynasty>(&count, None),
                Reign::Now { to } => game.edit(&count, |now| *now = *to),
            }
        }
        Fact::Tracker(Tracker::Logged(alteration)) => {
            let index = game.rows::<alterations::Alteration>().range((alteration.seq, u64::MIN)..).count() as u64;
            game.set(&(alteration.seq, index), Some(*alteration));
            while game.rows::<alterations::Alteration>().len() > LOG_MAX_ENTRIES {
                let gone = game.rows::<alterations::Alteration>().first().map(|(key, _)| *key).unwrap_or_default();
                game.set::<Alteration>(&gone, None);
                game.set::<Undoing>(&gone.0, None);
            }
        }
        // Of the oldest ones nobody knows by which entry.
        Fact::Tracker(Tracker::Undone { seq, by }) => {
            game.set(&seq, by.or(Some(Undoing { entry: 0, gave: Vec::new() })));
        }
        Fact::Tracker(Tracker::Redone { seq }) => game.set::<Undoing>(&seq, None),
        Fact::Holding(Held::Things { robot, to }) => game.upsert(&robot, |held: &mut Holding| held.things = to),
        Fact::Holding(Held::Part { robot, part, to }) => game.upsert(&robot, |held: &mut Holding| {
            held.parts.remove(&part);
            held.parts.extend(to.map(|price| (part, price)));
        }),
        Fact::Run(Run::Ran { robot, to }) => game.set(&robot, to),
        Fact::Virus(Virus::Seen { at }) => game.upsert(&(), |virus: &mut virus::Virus| virus.from = Some(at)),
        Fact::Virus(Virus::Loose { to }) => game.upsert(&(), |virus: &mut virus::Virus| virus.loose = to),
        Fact::Veto(Veto::Vetoed { proposal, to }) => {
            game.upsert(&proposal, |veto: &mut veto::Veto| veto.dynasty = to);
        }
        Fact::Veto(Veto::Request { proposal, to }) => {
            game.upsert(&proposal, |veto: &mut veto::Veto| veto.asked = to.is_some());
            ballot(game, &Question::Annulment(proposal), to.unwrap_or_default());
        }
        Fact::Veto(Veto::Nomination { nominee, to }) => {
            ballot(game, &Question::Nomination(nominee), to.unwrap_or_default());
        }
        Fact::Call(Judgment::Stands { number, to }) => {
            let (call, votes) = to.map_or_else(Default::default, |raised| (Some(raised.call), raised.ballot));
            game.set(&number, call);
            ballot(game, &Question::Call(number), votes);
        }
        Fact::Entry(Entry::Claimed { robot, day, stands, made }) => {
            // Of the oldest claims only the day is known: they stand at its noon.
            let noon = || format!("{day}T12:00:00Z").parse().unwrap_or(Instant::UNIX_EPOCH);
            let claim = made.unwrap_or_else(|| {
                let mut all =
                    game.rows::<power::Claimed>().iter().filter(|((by, _), _)| *by == robot).map(|(_, claim)| claim);
                let held = all.find(|claim| claim.link.is_empty() && claim.posted == noon()).cloned();
                held.unwrap_or_else(|| Claimed { seq, link: String::new(), posted: noon(), zone: "UTC".to_owned() })
            });
            game.set(&(robot, claim.seq), stands.then_some(claim));
        }
        Fact::Automatic { on } => game.upsert(&(), |settings: &mut Settings| settings.automatic = on),
        Fact::Kept => {}
    }
}

fn proposal(game: &mut Tables, fact: Docket) {
    match fact {
        Docket::Made(posted) => {
            let Posted { mut proposal, texts, ballot: votes } = *posted;
            let number = proposal.number;
            proposal.revision = texts.len().saturating_sub(1);
            for (revision, text) in texts.into_iter().enumerate() {
                game.set(&(number, revision), Some(Wording { text }));
            }
            ballot(game, &Question::Proposal(number), votes);
            game.set(&number, Some(proposal));
        }
        Docket::Unmade { number } => {
            let revisions = game.rows::<proposal::Proposal>().get(&number).map_or(0, |proposal| proposal.revision);
            (0..=revisions).for_each(|revision| game.set::<Wording>(&(number, revision), None));
            ballot(game, &Question::Proposal(number), []);
            game.set::<Proposal>(&number, None);
        }
        Docket::Corrected { number, to } => {
            let Some(proposal) = game.rows_mut::<proposal::Proposal>().get_mut(&number) else { return };
            proposal.revision += 1;
            let key = (number, proposal.revision);
            game.set(&key, Some(Wording { text: to }));
        }
        Docket::Uncorrected { number } => {
            let Some(proposal) =
                game.rows_mut::<proposal::Proposal>().get_mut(&number).filter(|proposal| proposal.revision > 0)
            else {
                return;
            };
            let key = (number, proposal.revision);
            proposal.revision -= 1;
            game.set::<Wording>(&key, None);
        }
        Docket::Stands { number, to, was } => game.edit(&number, |proposal: &mut Proposal| {
            match (&was, &to) {
                (Stands::Failed { seq: Some(seq), .. }, Stands::Pending) => proposal.returned.push(*seq),
                (Stands::Pending, Stands::Failed { seq, .. }) => proposal.returned.retain(|held| Some(*held) != *seq),
                _ => {}
            }
            proposal.stands = to;
        }),
        Docket::Claim { number, to, was, seq } => game.edit(&number, |proposal: &mut Proposal| {
            proposal.claimed = seq.zip(was).filter(|_| to.is_none());
            proposal.claim = to;
        }),
        Docket::Told { number, verdict } => game.edit(&number, |proposal: &mut Proposal| proposal.told = verdict),
    }
}

// ---- words

/// A fact in words, for the record; empty where its entry says it otherwise.
fn told(fact: &Fact, state: &State<BlogNomic>) -> String {
    match fact {
        Fact::Roster(Roster::Row { robot, to }) => Member::told(robot, None, to.as_ref(), state),
        Fact::Vote(Voting::Cast { proposal, robot, to }) => {
            Vote::told(&(Question::Proposal(*proposal), robot.clone()), None, to.as_ref(), state)
        }
        Fact::Tracker(Tracker::Undone { seq, by }) => Undoing::told(seq, None, by.as_ref(), state),
        Fact::Call(Judgment::Stands { number, to: Some(to) }) => Call::told(number, None, Some(&to.call), state),
        Fact::Proposal(Docket::Made(posted)) => Proposal::told(&posted.proposal.number, None, None, state),
        Fact::Proposal(Docket::Stands { number, to, .. }) => to.told(*number),
        Fact::Proposal(Docket::Claim { number, to, .. }) => Claim::told(to.as_ref(), *number, state),
        _ => String::new(),
    }
}
