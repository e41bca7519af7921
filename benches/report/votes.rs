//! What votes on documents of a law cost, and the list of those documents, in a room larger than any that is known.

use blognomic::BlogNomic;
use kernel::{
    Game as _, Id,
    viewer::Viewer,
    world::{Attr, Op},
};
use laws::testing::Room;
use nomic::Nomic;
use serde_json::json;

use crate::measure::{Bench, Row, Times};

/// How often a vote is cast.
const ROUNDS: usize = 200;

/// Players and documents of a small game.
const FEW: Size = Size { players: 3, open: 1, past: 0 };
/// Players of a large community, and documents that it votes on at once.
const MANY: Size = Size { players: 50, open: 200, past: 0 };
/// Players of the largest that is thought of.
const CROWD: Size = Size { players: 5_000, open: 1, past: 0 };
/// Documents of a community that has gone on for years.
const OLD: Size = Size { players: 50, open: 500, past: 10_000 };

/// The rules: who plays, what is proposed, what is voted.
const RULES: &str = r#"---
title: Votes
---
# 1 Players
Whoever joins plays.

```law
after("join", |a| { admit(a.by); });
```
# 2 Proposals
A player makes proposals.

```law
docket("proposal", #{states: ["Open", "Adopted", "Failed"], text: "changes", title: "yes", make: "propose"});
```
# 3 Votes
They are voted on.

```law
ballot("proposal", #{lasts: "2 days", needed: |it| [3, "quorum"]});
after("votes end", |a| { let it = a.on; it.state = "Failed"; });
```
"#;

/// In which state a document is.
const STATE: Attr<String> = Attr::new("state");

/// How large a room is.
#[derive(Clone, Copy)]
struct Size {
    players: usize,
    open: usize,
    past: usize,
}

impl Size {
    /// The same, or the smallest for a run that only shows that everything works.
    fn for_a(self, bench: &Bench) -> Self {
        let [players, open, past] = [self.players, self.open, self.past].map(|count| bench.rounds(count));
        Self { players, open, past }
    }
}

fn player(number: usize) -> String {
    format!("p{number}")
}

fn vote(room: &mut Room<Nomic>, by: usize, vote: &str) {
    let vote = json!({"law": {"act": "vote", "args": {"on": "1", "vote": vote}}});
    room.act(&player(by), &vote).expect("it is open");
}

fn propose(room: &mut Room<Nomic>) {
    let args = json!({"title": "Cake", "text": "=> amend rule 2: replace \"makes\" with \"may make\""});
    room.act(&player(0), &json!({"law": {"act": "propose", "args": args}})).expect("there is no limit");
}

/// A room with so many players and documents.
fn open(size: Size) -> Room<Nomic> {
    let options = [("rulebook".to_owned(), RULES.into())].into_iter().collect();
    let mut room = Room::open("p0", "2026-11-03T08:00:00Z", options);
    for number in 0..size.players {
        room.act(&player(number), &json!({"join": {}})).expect("anybody joins");
    }
    for _ in 0..size.open {
        propose(&mut room);
    }
    // What is over is kept as it was.
    let over = |d: &mut kernel::Draft<'_, Nomic>| {
        for number in 0..size.past {
            let doc = Id::from(format!("proposal/{}", size.open + 1 + number));
            d.op(Op::Create { obj: doc.clone(), kind: "proposal".into() });
            d.set(&STATE, &doc, "Failed".to_owned());
        }
        Ok(())
    };
    room.does("p0", over).expect("the rules know proposals");
    room
}

/// Everybody but the first votes, and then the first changes eir mind all the time.
fn votes(bench: &Bench, size: Size) -> Times {
    let size = size.for_a(bench);
    let mut room = open(size);
    for number in 1..size.players {
        vote(&mut room, number, "FOR");
    }
    let mut turns = ["FOR", "AGAINST"].into_iter().cycle();
    Times::of(bench.rounds(ROUNDS), || {
        if let Some(word) = turns.next() {
            vote(&mut room, 0, word);
        }
    })
}

/// The same in BlogNomic: each vote is counted, and what it decides is held against Quorum and the time.
fn votes_of_robots(bench: &Bench, size: Size) -> Times {
    let size = size.for_a(bench);
    let mut room: Room<BlogNomic> = Room::open(&player(0), "2026-11-03T08:00:00Z", Default::default());
    let law = |act: &str, args: serde_json::Value| json!({"law": {"act": act, "args": args}});
    for number in 1..size.players {
        room.act(&player(number), &json!({"join": {}})).expect("anybody applies");
        room.act(&player(0), &law("admin set-up", json!({"robot": player(number)}))).expect("it applied");
    }
    for number in 0..size.open {
        let args = json!({"title": format!("Cake {number}"), "text": "Nothing shall change.", "trivial": true});
        room.act(&player(number % size.players), &law("propose", args)).expect("trivial ones have no limit");
    }
    let mut vote = |by: usize, word: &str| {
        room.act(&player(by), &law("vote", json!({"on": "1", "vote": word}))).expect("it is pending");
    };
    (1..size.players).for_each(|number| vote(number, "FOR"));
    let mut turns = ["FOR", "AGAINST"].into_iter().cycle();
    Times::of(bench.rounds(ROUNDS), || {
        if let Some(word) = turns.next() {
            vote(0, word);
        }
    })
}

pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let (few, many, crowd) = (votes(bench, FEW), votes(bench, MANY), votes(bench, CROWD));
    let robots = votes_of_robots(bench, MANY);
    let room = open(OLD.for_a(bench));
    let list = Times::of(bench.rounds(ROUNDS), || {
        let shown = Nomic::mechanics().show(&room.state, "proposals", &Viewer::default());
        assert!(shown.is_ok(), "laws have that display");
    });
    vec![
        few.row("a vote by a law with 3 players and 1 document"),
        many.row("the same with 50 players and 200 open documents").ratio_to("one of few", &few),
        robots.row("a vote of BlogNomic with 50 Robots and 200 pending Proposals").ratio_to("one of few", &few),
        crowd.row("the same with 5,000 voters on one document").ratio_to("one of few", &few),
        list.row("the list of 500 open documents and 10,000 past ones").ratio_to("a vote of few", &few),
    ]
}
