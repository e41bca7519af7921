//! What the end of a Voting Period of B Nomic costs, with more proposals and votes than any room has seen. It is the
//! count itself and all that follows from it, in one entry.

use bnomic::{
    BNomic,
    tally::{self, Paper, Target},
};
use kernel::{
    Instant,
    deed::{Deed, Moderation},
    dice::Seed,
    doer::Doer,
    engine::{Context, Engine, Table},
    entry::Due,
    frame::ClockMode,
};
use serde_json::{Value, json};

use crate::measure::{Bench, Row, Times};

/// The worst that is asked of the count.
const FULL: Size = Size { proposals: 10_000, voters: 1_000, votes_each: 200, links_each: 5, conflicts_each: 5 };

/// A room with more than any has seen, which can still be made by acts in seconds.
const CROWDED: Size = Size { proposals: 1_000, voters: 100, votes_each: 100, links_each: 5, conflicts_each: 5 };

/// What is enough to see that it works.
const SMALL: Size = Size { proposals: 20, voters: 5, votes_each: 10, links_each: 2, conflicts_each: 2 };

const ROUNDS: usize = 5;

/// All of them must be held before the Clock is put On.
const MINISTRIES: [&str; 13] = [
    "Ministry",
    "Change",
    "Law",
    "Time",
    "Society",
    "Foreign Relations",
    "Goods",
    "Play",
    "Questions",
    "Laundry",
    "Fauna",
    "Judging",
    "Business",
];

/// How large a tally is.
#[derive(Clone, Copy)]
struct Size {
    proposals: usize,
    voters: usize,
    votes_each: usize,
    /// Dependencies of each proposal: on those just before it, so that all of them are one chain.
    links_each: usize,
    /// Conflicts for each proposal. The later half names all of them, among its own, so that the chain holds as far as
    /// there and falls from there on.
    conflicts_each: usize,
}

impl Size {
    /// In words.
    fn told(self) -> String {
        format!(
            "{} proposals, {} voters, {} votes, {} dependencies in one chain, {} conflicts",
            self.proposals,
            self.voters,
            self.voters * self.votes_each,
            self.proposals * self.links_each,
            self.proposals * self.conflicts_each
        )
    }

    /// The first proposal of the later half.
    fn half(self) -> usize {
        self.proposals / 2 + 1
    }

    /// The one that nobody votes for: what depends on it falls before any conflict is looked at, the rest after that.
    fn doomed(self) -> usize {
        self.proposals * 3 / 4
    }

    /// Those just before a proposal, which it depends on.
    fn needs(self, number: usize) -> std::ops::Range<usize> {
        number.saturating_sub(self.links_each).max(1)..number
    }

    /// Those that it is in conflict with: far away in the later half, so that not everything is with its neighbours.
    fn conflicts(self, number: usize) -> impl Iterator<Item = usize> {
        let half = self.half();
        let far = move |step: usize| half + (number * 31 + step * 97) % (number - half);
        (1..=2 * self.conflicts_each).filter(move |_| number > half).map(far)
    }

    /// Every vote: whose, on which proposal, and whether it is FOR.
    fn votes(self) -> impl Iterator<Item = (usize, usize, bool)> {
        (0..self.voters).flat_map(move |who| (0..self.votes_each).map(move |vote| (who, vote))).map(
            move |(who, vote)| {
                let on = 1 + (who * self.votes_each + vote) % self.proposals;
                // Most are carried, so that the chain and the conflicts are gone through.
                (who, on, on != self.doomed() && (who + vote) % 13 != 0)
            },
        )
    }

    /// What the tally counts of it.
    fn papers(self) -> Vec<Paper> {
        let place = |number: usize| number - 1;
        let mut papers: Vec<Paper> = (1..=self.proposals)
            .map(|number| Paper {
                number: number as u64,
                needs: self.needs(number).map(|number| Target::Open(place(number))).collect(),
                conflicts: self.conflicts(number).map(place).collect(),
                ..Paper::default()
            })
            .collect();
        for (_, on, is_for) in self.votes() {
            let paper = &mut papers[place(on)];
            *(if is_for { &mut paper.fors } else { &mut paper.against }) += 1;
        }
        papers
    }
}

pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let (counted, size) = if bench.rounds(2) > 1 { (FULL, CROWDED) } else { (SMALL, SMALL) };
    let papers = counted.papers();
    let (counting, _) = Times::then(bench.rounds(ROUNDS), || tally::count(&papers, |stamina| stamina == 0), |_| ());
    let counting = counting.row("the tally: what is discarded, culled and won").note(&counted.told());
    let mut room = Room::open(size);
    let due = room.until_the_end(size);
    let (engine, context) = (&room.engine, room.context());
    let decide = || engine.decide(Deed::Due(due.clone()), &context).expect("what is due is never refused");
    let (times, step) = Times::then(bench.rounds(ROUNDS), decide, |step| step);
    let entry = step.entry.expect("it is written down");
    let passed = entry.matches(" passes.").count();
    assert!((size.half() - 1..size.doomed()).contains(&passed), "some fall and some pass: {passed}");
    let row = times.row("the end of voting: tally, passing, scores and results");
    vec![counting, row.note(&size.told())]
}

struct Room {
    engine: Box<dyn Table>,
    now: Instant,
}

impl Room {
    fn context(&self) -> Context {
        let (seed, fresh) = (Seed([7; 32]), Seed([8; 32]));
        Context {
            now: self.now,
            seed,
            fresh,
            salt: [0; 16],
            opened: Default::default(),
            would_be: Vec::new(),
            fixed: Default::default(),
        }
    }

    fn does(&mut self, deed: Deed) {
        self.engine = self.engine.decide(deed, &self.context()).expect("it is allowed").after;
    }

    fn acts(&mut self, who: usize, invocation: Value) {
        self.does(act(who, invocation));
    }

    /// The same, but for what 4E15 forbids about what somebody's Twin wrote. Whether it was done.
    fn tries(&mut self, who: usize, invocation: &Value) -> bool {
        match self.engine.decide(act(who, invocation.clone()), &self.context()) {
            Ok(step) => self.engine = step.after,
            Err(why) if why.say.contains("Twin") => return false,
            Err(why) => panic!("it is allowed: {why:?}"),
        }
        true
    }

    fn moderates(&mut self, act: Moderation) {
        self.does(Deed::Moderate { by: person(0), act });
    }

    /// Everything that is due happens until an nday begins.
    fn until_nday(&mut self, nday: i64) -> Due {
        loop {
            let due = self.engine.view().next_due().expect("there is always a midnight");
            if self.nday() == nday {
                return due;
            }
            self.now = due.at;
            self.does(Deed::Due(due));
        }
    }

    fn nday(&self) -> i64 {
        let at = "clock/main.nday".parse().expect("a path");
        match self.engine.view().world().value(&at) {
            kernel::Value::Num(nday) => nday.to_i64().expect("a small number"),
            other => panic!("the nday is {other}"),
        }
    }

    /// A room with all that is to be voted on.
    fn open(size: Size) -> Self {
        let mut room = Self {
            engine: Box::new(Engine::<BNomic>::default()),
            now: "2026-11-02T10:00:00Z".parse().expect("an instant"),
        };
        room.moderates(Moderation::Open {
            name: "main".to_owned(),
            clock: ClockMode::Live,
            zone: "UTC".to_owned(),
            forum: None,
            options: Default::default(),
        });
        for who in 1..size.voters {
            room.acts(who, json!({"join": {"name": format!("v{who}")}}));
            room.moderates(Moderation::Correct {
                path: format!("player/v{who}.standing"),
                to: "player".to_owned(),
                reason: "a bench".to_owned(),
            });
        }
        for ministry in MINISTRIES {
            room.acts(0, json!({"take": {"ministry": ministry}}));
        }
        for number in 1..=size.proposals {
            // A line without numbers is no such line.
            let line = |begins: &str, numbers: Vec<String>| match numbers.is_empty() {
                true => String::new(),
                false => format!("{begins}: {}\n", numbers.join(", ")),
            };
            let needs = line("Depends on", size.needs(number).map(|before| before.to_string()).collect());
            let conflicts = line("Conflicts with", size.conflicts(number).map(|other| other.to_string()).collect());
            let text = format!("{needs}{conflicts}Proposal {number} is prose.");
            let proposal = json!({"propose": {"title": format!("P{number}"), "text": text}});
            let by = (number..number + size.voters).find(|who| room.tries(who % size.voters, &proposal));
            by.expect("somebody may propose it");
        }
        room
    }

    /// Voting, up to the midnight at which it ends.
    fn until_the_end(&mut self, size: Size) -> Due {
        self.acts(0, json!("clock_on"));
        self.until_nday(9);
        for (who, on, is_for) in size.votes() {
            let word = if is_for { "FOR" } else { "AGAINST" };
            self.tries(who, &json!({"vote": {"on": [on], "vote": word}}));
        }
        self.acts(0, json!("clock_on"));
        self.until_nday(12)
    }
}

fn act(who: usize, invocation: Value) -> Deed {
    let (by, command) = (person(who), "bench".to_owned());
    Deed::Act { by, command, invocation, public: true, private: false, forum: None, followed: false }
}

fn person(who: usize) -> Doer {
    Doer { person: format!("p{who}").into(), name: if who == 0 { "Ann".to_owned() } else { format!("v{who}") } }
}
