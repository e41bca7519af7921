//! Random play of Spacenomic: for eight weeks a crowd types random lines, sensible and silly ones, into a room of the
//! real service. There are sealed moves every day.
//!
//! After every entry a ledger of this test's own says what all accounts together must have become. It knows the prices,
//! rewards and incomes of the rules. Space must be whole, since no proposal of this crowd cuts it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kernel::{
    Num, Path, Value,
    engine::{Engine, View},
    entry::{Cause, Entry},
    row_change::Fields,
};
use num_rational::BigRational;
use port::Reply;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use spacenomic::Spacenomic;

use crate::{
    crowds::{Crowd, PAUSE_MAX_HOURS, Weeks, are_well_refused, config, length, play},
    undone::is_as_if_never,
};

/// How many games of eight weeks are played; `PROPTEST_CASES` says another number.
const CASES: u32 = 6;

/// Most moves of one game, which is about three a day.
const MOVES: usize = 160;

/// Who plays. The first opens the room; the last is nobody at first.
const CROWD: [&str; 6] = ["Goethe", "Abe", "Bo", "Cog", "Dot", "Eve"];

/// What payments are tried with.
const AMOUNTS: [&str; 8] = ["1", "5", "1/3", "0.25", "40", "0", "-5", "999999999999999999999"];

/// One thing that happens.
#[derive(Clone, Debug)]
enum Move {
    /// Hours pass.
    Pass(i64),
    /// Somebody types a line: who, which kind of line, and what numbers choose in it.
    Type(usize, usize, [usize; 3]),
    /// Somebody proposes a change, and everybody votes.
    Propose(usize, usize, [usize; 3]),
    /// Everybody who can sets a move, most of which are possible; in private, or for all to see.
    Go(bool, [usize; 6]),
    /// A moderator takes an entry back, and then that.
    Undo(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let number = || any::<u8>().prop_map(usize::from);
    let numbers = move || [number(), number(), number()];
    let who = || 0..CROWD.len();
    let one = prop_oneof![
        6 => (0..=PAUSE_MAX_HOURS).prop_map(Move::Pass),
        12 => (who(), number(), numbers()).prop_map(|(who, what, of)| Move::Type(who, what, of)),
        3 => (who(), number(), numbers()).prop_map(|(who, what, of)| Move::Propose(who, what, of)),
        3 => (any::<bool>(), [number(), number(), number(), number(), number(), number()])
            .prop_map(|(aloud, of)| Move::Go(aloud, of)),
        3 => number().prop_map(Move::Undo),
    ];
    prop::collection::vec(one, length(MOVES))
}

/// A place of Space as it opens, or beside it.
fn place(of: usize) -> String {
    format!("({}, {})", of % 4, of / 4 % 4)
}

/// What a move of Space or of a location reads.
fn step(what: usize, [a, b, c]: [usize; 3]) -> String {
    match what % 6 {
        0..=2 => format!("go {}", place(a)),
        3 => "flip".to_owned(),
        4 if c % 2 == 0 => format!("cut {}", place(a)),
        4 => format!("link {} {}", place(a), place(b)),
        _ => format!("build ({}, {}) on {} {}", c % 9, 4 + a % 5, place(a), place(b)),
    }
}

/// What a Proposal says: nothing that takes Space apart, and no figure that the ledger knows.
fn text(what: usize, [a, b, c]: [usize; 3]) -> String {
    let (who, whom) = (CROWD[a % CROWD.len()], CROWD[b % CROWD.len()]);
    match what % 9 {
        0 => format!("=> set location of {who} to {}", place(b)),
        1 => format!("=> give vertex {} to {whom}", place(c)),
        2 => format!("=> add edge {} {}", place(a), place(b)),
        3 => format!("=> increment {who}"),
        4 => "=> encourage kindness".to_owned(),
        5 => format!("=> order moves: {}", ["space, location", "location, space", "space"][c % 3]),
        6 => format!("=> create rule \"Naps {a}\": colour: green\n: reason: rest\n: Whoever sleeps sleeps."),
        7 => format!("=> repeal NullRule\n: => set location of {whom} to nowhere"),
        _ => "Everybody shall be kind.".to_owned(),
    }
}

/// What somebody types. Proposals are counted back from the latest.
fn line(what: usize, [a, b, c]: [usize; 3], latest: u64) -> String {
    let whom = if b % 23 == 0 { "Nobody" } else { CROWD[b % CROWD.len()] };
    let proposal = latest.saturating_sub(a as u64 % 4).max(1);
    let vote = ["1", "-1", "1/3", "-1/2", "0", "1.0000001", "1/0"][c % 7];
    let amount = AMOUNTS[c % AMOUNTS.len()];
    let lines = [
        format!("vote {proposal} {vote}"),
        format!("vote {proposal} {vote}"),
        format!("vote {proposal} {vote}"),
        format!("pay {amount} to {whom}"),
        format!("pay {amount} to nowhere"),
        format!("accuse {whom}"),
        "rest".to_owned(),
        "nod".to_owned(),
        "vertex buy".to_owned(),
        "vertex buy".to_owned(),
        format!("vertex give \"{}\" to {}", place(a), [whom, "god"][c % 2]),
        format!("privately move set {}", step(a, [b, c, a])),
        format!("move open {}", step(a, [b, c, a])),
        format!("privately move withdraw {}", ["space", "location"][c % 2]),
        format!("destroy {proposal}"),
        format!("refresh {proposal}"),
        "leave".to_owned(),
        format!("join {}", CROWD[a % CROWD.len()]),
        format!("admit {whom}"),
        ["consent give", "consent withdraw"][c % 2].to_owned(),
        format!("show {}", ["people", "moves", "space", "ballot", "clock", "decimals"][c % 6]),
        format!("show space {},{}", a % 9, b % 9),
        format!("dryrun {proposal}"),
        "nonsense".to_owned(),
    ];
    lines[what % lines.len()].clone()
}

// ---- the ledger

/// All that is in the accounts, of players and of former ones.
fn money(engine: &Engine<Spacenomic>) -> BigRational {
    let world = &engine.state().world;
    let accounts = world.of_kind("player").chain(world.of_kind("former"));
    accounts.fold(rational("0"), |sum, who| match world.value(&Path::new(who.clone(), "account")) {
        Value::Num(account) => sum + account.as_rational(),
        other => panic!("{who} has {other}"),
    })
}

fn rational(text: &str) -> BigRational {
    text.parse::<Num>().expect("a number").as_rational().clone()
}

/// The parts of the game that the ledger is kept by, as they were after an entry.
#[derive(Clone, Default)]
struct Books {
    /// Players, and where they are.
    players: BTreeMap<String, String>,
    /// Everybody who ever was a player and has an account.
    known: BTreeSet<String>,
    /// Vertices, with their owners.
    owners: BTreeMap<String, String>,
    /// What each is joined to.
    edges: BTreeMap<String, BTreeSet<String>>,
    /// Proposals that are over, with their makers, their voters and how they ended.
    over: BTreeMap<String, (String, Vec<String>, String)>,
    /// The latest proposal.
    latest: u64,
    /// When income was given last.
    income: Json,
}

impl Books {
    fn of(engine: &Engine<Spacenomic>) -> Self {
        let state = engine.state();
        let location = |who: &kernel::Id| match state.world.value(&Path::new(who.clone(), "location")) {
            Value::Text(at) => at.trim_matches(['(', ')']).replace(", ", ","),
            other => panic!("{who} is at {other}"),
        };
        let rows = |table: &str| state.tables.named_rows(table);
        let text = |of: &Json| of.as_str().unwrap_or_default().to_owned();
        let mut edges = BTreeMap::<String, BTreeSet<String>>::new();
        for (way, _) in rows("edges") {
            edges.entry(text(&way[0])).or_default().insert(text(&way[1]));
        }
        let votes = rows("votes");
        let voters = |number: &Json| {
            votes.iter().filter(|(key, _)| key[0] == *number).map(|(key, _)| text(&key[1])).collect::<Vec<String>>()
        };
        let ended = |number: &Json, proposal: &Fields| {
            let status = proposal["status"].as_object().and_then(|status| status.keys().next().cloned())?;
            Some((number.to_string(), (text(&proposal["maker"]), voters(number), status)))
        };
        let proposals = rows("proposals");
        Self {
            players: state.world.of_kind("player").map(|who| (who.to_string(), location(who))).collect(),
            known: ["player", "former"]
                .iter()
                .flat_map(|kind| state.world.of_kind(kind))
                .map(ToString::to_string)
                .collect(),
            owners: rows("vertices").iter().map(|(at, vertex)| (text(at), text(&vertex["owner"]))).collect(),
            edges,
            over: proposals.iter().filter_map(|(number, proposal)| ended(number, proposal)).collect(),
            latest: proposals.iter().filter_map(|(number, _)| number.as_u64()).max().unwrap_or_default(),
            income: json!(rows("income")),
        }
    }

    /// How far all vertices are from one, along edges.
    fn distances(&self, from: &str) -> BTreeMap<&str, i64> {
        let Some((from, _)) = self.owners.get_key_value(from) else { return BTreeMap::new() };
        let mut found = BTreeMap::from([(from.as_str(), 0)]);
        let mut ahead = VecDeque::from([from.as_str()]);
        while let Some(here) = ahead.pop_front() {
            let steps = found[here] + 1;
            for next in self.edges.get(here).into_iter().flatten() {
                if !found.contains_key(next.as_str()) {
                    found.insert(next, steps);
                    ahead.push_back(next);
                }
            }
        }
        found
    }

    /// What all gain in a day: for each player the mean, over all vertices that players own, of 2 / (d² + 2).
    fn incomes(&self) -> BigRational {
        let owned: Vec<&String> =
            self.owners.iter().filter(|(_, owner)| self.players.contains_key(*owner)).map(|(at, _)| at).collect();
        let mut sum = rational("0");
        for place in self.players.values() {
            let far = self.distances(place);
            for steps in owned.iter().filter_map(|at| far.get(at.as_str())) {
                sum += BigRational::new(2.into(), ((steps * steps + 2) * owned.len() as i64).into());
            }
        }
        sum
    }

    /// What came from nowhere less what went there, between these books and later ones, but for payments.
    fn came(&self, later: &Self) -> BigRational {
        let mut sum = rational("0");
        sum += later.known.difference(&self.known).map(|_| rational("97")).sum::<BigRational>();
        let decided: Vec<_> = later.over.iter().filter(|(number, _)| !self.over.contains_key(*number)).collect();
        let mut passed = false;
        for (_, (maker, voters, status)) in decided {
            let share = rational("2419/403");
            let plays = |who: &&String| later.players.contains_key(*who);
            match status.as_str() {
                "passed" if plays(&maker) => sum += rational("18"),
                "failed" if plays(&maker) => sum -= &share,
                "passed" | "failed" => {}
                _ => continue,
            }
            passed |= status == "passed";
            sum += voters.iter().filter(plays).map(|_| share.clone()).sum::<BigRational>();
        }
        // What a proposal gives away costs nothing; what somebody takes does.
        if !passed {
            let bought = later.owners.iter().filter(|(at, owner)| {
                let free = self.owners.get(*at).is_some_and(|before| !self.players.contains_key(before));
                free && self.owners.get(*at) != Some(owner) && later.players.contains_key(*owner)
            });
            sum -= bought.map(|_| rational("32")).sum::<BigRational>();
        }
        if self.income != later.income {
            sum += later.incomes();
        }
        sum
    }

    /// What must hold of Space.
    fn hold(&self) {
        for (at, row) in &self.edges {
            assert!(self.owners.contains_key(at), "an edge from where no vertex is: {at}");
            for other in row {
                assert!(at != other && self.edges.get(other).is_some_and(|back| back.contains(at)), "{at} to {other}");
            }
        }
        for (who, place) in &self.players {
            assert!(place == "nowhere" || self.owners.contains_key(place), "{who} is at {place}");
        }
        let first = self.owners.keys().next().expect("Space has a vertex");
        assert_eq!(self.distances(first).len(), self.owners.len(), "moves keep Space connected");
    }
}

// ---- the room

struct Room {
    weeks: Weeks<Spacenomic>,
    books: Books,
    /// What was paid to nowhere by the last line.
    paid: BigRational,
}

impl Crowd for Room {
    type Game = Spacenomic;
    type Move = Move;

    async fn open(weeks: Weeks<Spacenomic>) -> Self {
        let mut room = Self { weeks, books: Books::default(), paid: rational("0") };
        room.says(CROWD[0], "room open spacenomic main ends:2027-06-30").await;
        for name in &CROWD[1..5] {
            room.says(name, &format!("join {name}")).await;
            room.says(CROWD[0], &format!("admit {name}")).await;
        }
        assert_eq!(room.books.players.len(), 5);
        room
    }

    fn weeks(&mut self) -> &mut Weeks<Spacenomic> {
        &mut self.weeks
    }

    async fn says(&mut self, who: &str, line: &str) -> Vec<Reply> {
        let replies = self.weeks.types(who, line).await;
        are_well_refused(&replies, line);
        let done = replies.iter().all(|reply| !reply.kind.is_refusal());
        if done && let Some(amount) = line.strip_prefix("pay ").and_then(|rest| rest.strip_suffix(" to nowhere")) {
            self.paid = rational(amount);
        }
        self.catch_up().await;
        replies
    }

    async fn makes(&mut self, one: &Move) {
        match *one {
            Move::Pass(hours) => self.passes(hours).await,
            Move::Type(who, what, of) => {
                self.says(CROWD[who], &line(what, of, self.books.latest)).await;
            }
            Move::Propose(who, what, of) => {
                let text = text(what, of);
                self.says(CROWD[who], &format!("propose \"Title {what} {}\" {text}", self.books.latest)).await;
                let number = self.books.latest;
                for voter in CROWD {
                    let vote = ["1", "1", "1/2", "-1"][of[1] % 4];
                    self.says(voter, &format!("vote {number} {vote}")).await;
                }
            }
            Move::Go(aloud, of) => {
                for (who, of) in CROWD.into_iter().zip(of) {
                    let place = self.books.players.get(&format!("player/{}", who.to_lowercase()));
                    let near: Vec<&String> = match place {
                        Some(place) if place != "nowhere" => {
                            self.books.edges.get(place).into_iter().flatten().collect()
                        }
                        _ => self.books.owners.keys().collect(),
                    };
                    if let Some(to) = near.get(of % near.len().max(1)) {
                        let says = if aloud { "move open" } else { "privately move set" };
                        let line = format!("{says} {} ({to})", ["go", "go", "cut"][of / 7 % 3]);
                        self.says(who, &line).await;
                    }
                }
            }
            Move::Undo(which) => is_as_if_never(self, CROWD[0], which, stays).await,
        }
    }

    /// The ledger and the accounts agree, and Space is whole.
    fn holds(&mut self, before: &Engine<Spacenomic>, entry: &Entry) {
        let books = Books::of(&self.weeks.beside);
        books.hold();
        // What is taken back comes and goes without a reason of its own.
        if !matches!(entry.cause, Cause::Moderator { .. }) || entry.seq == 1 {
            let came = self.books.came(&books) - std::mem::replace(&mut self.paid, rational("0"));
            assert_eq!(money(&self.weeks.beside) - money(before), came, "money of entry {}", entry.seq);
        }
        self.books = books;
    }

    fn looks(&mut self, _view: &dyn View) {
        assert_eq!(self.paid, rational("0"), "what was paid left an account");
    }
}

/// What an undo leaves as it is: what was told, and the revisions of rules, which get new ones by it.
fn stays(at: &str) -> bool {
    at.ends_with("/from") || at.contains("/told/") || at.contains("/base/")
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn eight_weeks_in_space_keep_what_must_hold(moves in moves()) {
        play::<Room>(&moves);
    }
}
