//! Random play of B Nomic: for eight weeks a crowd types random lines, sensible and silly ones, into a room of the real
//! service. The Clock is turned now and then, proposals change rules and attributes, and displays are approved.
//!
//! What must hold of the game is looked for in its state after every entry, and every display is drawn after every line.

use bnomic::{BNomic, figures::FIGURES};
use kernel::{
    Id, Path, State, Value,
    engine::{Engine, View},
    entry::{Cause, Entry},
    viewer::Viewer,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::{
    crowds::{Crowd, PAUSE_MAX_HOURS, Weeks, config, length, play},
    undone::is_as_if_never,
};

/// How many rooms of eight weeks are played; `PROPTEST_CASES` says another number.
const CASES: u32 = 8;

/// Most moves of one: about three a day.
const MOVES: usize = 170;

/// Who plays. The first opens the room and moderates it; the last come later, if at all.
const CROWD: [&str; 8] = ["Goethe", "Bob", "Cat", "Dan", "Eve", "Fay", "Gil", "Hal"];

/// Who is a founder.
const FOUNDERS: usize = 6;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Move {
    /// Hours pass.
    Pass(i64),
    /// Somebody types a line: who, which kind of line, and what numbers choose in it.
    Type(usize, usize, [usize; 3]),
    /// Somebody proposes a change, and all vote for it as soon as they can.
    Propose(usize, usize, [usize; 3]),
    /// Whoever may puts the Clock On, and vacant ministries are taken before.
    Turn(usize),
    /// Somebody announces that a display will be approved, and the others support it.
    Approve(usize, [usize; 3]),
    /// A moderator takes an entry back, and then that.
    Undo(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let numbers = || [any::<u8>(), any::<u8>(), any::<u8>()].prop_map(|numbers| numbers.map(usize::from));
    let who = || 0..CROWD.len();
    let one = prop_oneof![
        8 => (0..=PAUSE_MAX_HOURS).prop_map(Move::Pass),
        14 => (who(), any::<u8>(), numbers()).prop_map(|(who, what, of)| Move::Type(who, usize::from(what), of)),
        5 => (who(), any::<u8>(), numbers()).prop_map(|(who, what, of)| Move::Propose(who, usize::from(what), of)),
        4 => who().prop_map(Move::Turn),
        1 => (who(), numbers()).prop_map(|(who, of)| Move::Approve(who, of)),
        1 => any::<u8>().prop_map(|which| Move::Undo(usize::from(which))),
    ];
    prop::collection::vec(one, length(MOVES))
}

/// The ministries of a room as it opens.
pub(crate) const MINISTRIES: [&str; 13] = [
    "Law",
    "Time",
    "Society",
    "Ministry",
    "Change",
    "Foreign Relations",
    "Goods",
    "Play",
    "Questions",
    "Laundry",
    "Fauna",
    "Judging",
    "Business",
];
const DISPLAYS: [&str; 7] = ["society", "clock", "ministries", "proposals", "victory", "registry", "fauna"];
const VALUES: [&str; 9] = ["0", "1", "2", "5", "12", "-1", "1/2", "yes", "99999999999999999999"];

/// What a proposal, a tweak or a Refresh Proposal says.
fn text(what: usize, [a, b, c]: [usize; 3]) -> String {
    let (who, value) = (CROWD[a % CROWD.len()], VALUES[c % VALUES.len()]);
    let (figure, rule) =
        (FIGURES[a % FIGURES.len()].key, [4, 11, 14, 15, 17, 19, 20, 28, 33, 34, 36, 48, 50, 77][b % 14]);
    let all = [
        format!("=> set {figure} to {value}"),
        format!("=> set {figure} to {}", 1 + c % 6),
        format!("=> award {value} points to {who}"),
        format!("=> raise mackerel of every active player by {}", c % 9),
        format!("=> lower score of every player by {}", c % 3),
        format!("=> define charm{} of player: whole number from 0 to 9, 3 at first", c % 2),
        format!("=> define badges{} of player: list of text", c % 2),
        format!("=> raise badges{} of {who} by star", c % 2),
        format!("=> set max-length of badges{} to {}", c % 2, b % 3),
        format!("=> raise charm{} of every non-vested player by 1", c % 2),
        format!("=> undefine charm{}", c % 2),
        format!("=> create currency \"Groat{}\"", c % 2),
        format!("=> set rate of Groat{} to {value}", c % 2),
        format!("=> destroy Groat{}", c % 2),
        format!("=> set nday of clock/main to {}", 1 + c % 14),
        format!("=> set on of clock/main to {}", ["yes", "no"][c % 2]),
        format!("=> appoint {who} as Minister of {}", MINISTRIES[b % 6]),
        format!("=> set retainer of ministry/law to {value}"),
        format!("=> create rule \"Naps {a}\": Players sleep in nday {c}."),
        format!("=> repeal rule {rule}"),
        format!("=> amend rule {rule}: replace \"Player\" with \"Person\""),
        format!("=> retitle rule {rule} to \"Number {c}\""),
        "=> create victory condition \"Rich\"\n=> set trigger of Rich to count(players where score >= 3) > 0\n=> set victors of Rich to score >= 3\n=> set cleanup of Rich to => lower score of every player by 1\n=> set prize of Rich to Gold".to_owned(),
        "Everybody shall be kind.".to_owned(),
    ];
    all[what % all.len()].clone()
}

/// What somebody types. Proposals, announcements and duties are counted back from the latest.
fn line(what: usize, [a, b, c]: [usize; 3], proposals: u64) -> String {
    let whom = CROWD[b % CROWD.len()];
    let proposal = proposals.saturating_sub(a as u64 % 5).max(1);
    let (intent, ministry) = (1 + c % 9, MINISTRIES[a % 6]);
    let word = ["FOR", "AGAINST", "SHELVE", "ABSTAIN", "maybe"][c % 5];
    let amount = ["1", "m5", "A Few", "0", "-5", "1/2", "5 groat1s", "A Metric Bunch"][c % 8];
    let lines = [
        format!("vote {proposal} {word}"),
        format!("vote {proposal} FOR"),
        format!("draft withdraw {proposal} yes"),
        format!("draft revise {proposal} \"Again {c}\" {}", text(b, [a, b, c])),
        format!("propose \"Linked\" Depends on: {proposal}\nConflicts with: {}\nNothing.", 1 + c % 4),
        "clock on".to_owned(),
        "clock off".to_owned(),
        format!("ministry take {ministry}"),
        format!("ministry resign {ministry}"),
        format!("ministry usurp {ministry}"),
        format!("ministry pay {ministry} {} {amount}", ["up", "down"][b % 2]),
        format!("ministry remove {ministry}"),
        format!("mackerel give {whom} {amount}"),
        format!("mackerel exchange {amount}"),
        format!("tweak {}", text(b, [c, a, b])),
        format!("intend tweak {}", 1 + c % 4),
        format!("intend usurp {ministry}"),
        format!("retitle {} Title {b}", 1 + c % 40),
        "tidy 1: This game -> The game\n20: Every -> Each\n38: A pronoun -> The pronoun".to_owned(),
        format!("ambassador act Agora B sends {c} ducks."),
        format!("object {intent}"),
        format!("support {intent}"),
        format!("perform {intent}"),
        format!("perform {}", intent + 9),
        format!("horde {whom}"),
        format!("challenge {} It is wrong by {c}.", DISPLAYS[b % 6]),
        format!("answer {} It is right.", 1 + c % 5),
        "panic".to_owned(),
        "calm".to_owned(),
        "emergency start".to_owned(),
        "emergency increment".to_owned(),
        format!("emergency refresh {}", text(c, [a, c, b])),
        format!("emergency vote {whom}"),
        format!("hoist {}", ["Pink Ponies", "Polka Dots", "Jolly Roger"][c % 3]),
        format!("chairman apply {proposal} {}", text(c, [b, a, c])),
        format!("join {}", CROWD[FOUNDERS + c % 2]),
        format!("ratify {whom}"),
        format!("reject {whom}"),
        "leave".to_owned(),
        format!("correct player/{}.score {} because the test says so", whom.to_lowercase(), c % 9),
        format!("show proposal/{proposal}"),
        format!("dryrun {proposal}"),
        format!("why player/{}.mackerel", whom.to_lowercase()),
    ];
    lines[what % lines.len()].clone()
}

// ---- the room

struct Room {
    weeks: Weeks<BNomic>,
}

impl Room {
    fn number(&self, path: &str) -> i64 {
        match self.weeks.beside.state().world.value(&path.parse().expect("a path")) {
            Value::Num(number) => number.to_i64().unwrap_or_default(),
            _ => 0,
        }
    }

    fn proposals(&self) -> u64 {
        self.weeks.beside.state().world.count("proposal") as u64
    }

    fn minister(&self, ministry: &str) -> Option<String> {
        minister(self.weeks.beside.state(), ministry)
    }

    /// Who says a line: mostly somebody who may.
    fn speaker(&self, who: usize, line: &str) -> String {
        let office = match line.split_whitespace().next().unwrap_or_default() {
            "chairman" => "change",
            "hoist" => "ministry",
            _ if line.starts_with("retitle") => "law",
            _ if line.starts_with("ambassador act") => "foreign-relations",
            _ if line.starts_with("correct") => return CROWD[0].to_owned(),
            _ if line.starts_with("join ") => return line["join ".len()..].to_owned(),
            _ => return CROWD[who].to_owned(),
        };
        self.minister(office).filter(|_| who != 0).unwrap_or_else(|| CROWD[who].to_owned())
    }

    /// Whether an announced act is not over.
    fn waits(&self, number: usize) -> bool {
        let game = self.weeks.game();
        let intent = &game["intents"][number.to_string()];
        intent.is_object() && intent["ended"].is_null()
    }
}

impl Crowd for Room {
    type Game = BNomic;
    type Move = Move;

    async fn open(weeks: Weeks<BNomic>) -> Self {
        let mut room = Self { weeks };
        let founders = CROWD[1..FOUNDERS].join(", ");
        room.says(CROWD[0], &format!("room open bnomic main founders:\"{founders}\"")).await;
        for name in &CROWD[1..FOUNDERS] {
            room.says(name, &format!("join {name}")).await;
        }
        room
    }

    fn weeks(&mut self) -> &mut Weeks<BNomic> {
        &mut self.weeks
    }

    async fn makes(&mut self, one: &Move) {
        match *one {
            Move::Pass(hours) => self.passes(hours).await,
            Move::Type(who, what, of) => {
                let line = line(what, of, self.proposals());
                let by = self.speaker(who, &line);
                self.says(&by, &line).await;
            }
            Move::Propose(who, what, of) => {
                self.says(CROWD[who], &format!("propose \"P{what}\" {}", text(what, of))).await;
            }
            Move::Turn(who) => {
                for (place, ministry) in MINISTRIES.iter().enumerate() {
                    if self.minister(ministry).is_none() {
                        self.says(CROWD[(who + place) % FOUNDERS], &format!("ministry take {ministry}")).await;
                    }
                }
                if self.number("clock/main.nday") >= 9 {
                    let proposals = self.proposals();
                    for number in proposals.saturating_sub(3)..=proposals {
                        for voter in &CROWD[..4] {
                            self.says(voter, &format!("vote {number} FOR")).await;
                        }
                    }
                }
                for office in ["change", "ministry"] {
                    if let Some(by) = self.minister(office) {
                        self.says(&by, "clock on").await;
                    }
                }
            }
            Move::Approve(who, [a, b, c]) => {
                let whom = CROWD[a % CROWD.len()];
                let says = [
                    format!("society {whom}.mackerel = {}; {whom}.score = {}", b % 90, c % 9),
                    format!("clock clock/main.nday = {}", 1 + b % 12),
                    format!("ministries Law.minister = {whom}; Law.retainer = {}", c % 60),
                    "society".to_owned(),
                ];
                self.says(CROWD[who], &format!("intend approve {}", says[c % says.len()])).await;
                for number in 1..30 {
                    for supporter in &CROWD[..FOUNDERS] {
                        if number % 3 == b % 3 && self.waits(number) {
                            self.says(supporter, &format!("support {number}")).await;
                        }
                    }
                }
                self.passes(49).await;
                for number in 1..30 {
                    if self.waits(number) {
                        self.says(CROWD[who], &format!("perform {number}")).await;
                    }
                }
            }
            Move::Undo(which) => is_as_if_never(self, CROWD[0], which, stays).await,
        }
    }

    fn holds(&mut self, before: &Engine<BNomic>, entry: &Entry) {
        let (was, state) = (before.state(), self.weeks.beside.state());
        let world = &state.world;
        let outside = matches!(entry.cause, Cause::Moderator { .. });
        // Every value lies in its range, or is none where none is set (B11.3).
        for obj in world.objects() {
            for (path, value) in world.values_of(obj) {
                let Some(def) = world.def_at(path) else { continue };
                let fits = world.kind(obj) != Some(&def.scope) || def.range.holds(value);
                assert!(fits, "{path} is {value}");
            }
        }
        // A ministry is held by a Player (B45.2), and the Clock shows an nday that there is.
        for ministry in world.of_kind("ministry") {
            if let Value::Ref(player) = world.value(&Path::new(ministry.clone(), "minister")) {
                assert_eq!(world.kind(&player).map(|kind| &**kind), Some("player"), "{ministry} is held by {player}");
            }
        }
        let last = FIGURES.iter().find(|figure| figure.key == "last-nday").expect("a figure");
        if let Ok(last) = state.rules.need_count(last) {
            let (nday, then) = (
                self.number("clock/main.nday"),
                was.rules.need_count(FIGURES.iter().find(|figure| figure.key == "last-nday").expect("a figure")),
            );
            let most = i64::try_from(last.max(then.unwrap_or(last))).unwrap_or(i64::MAX);
            assert!((1..=most).contains(&nday) || was.seq < 1, "nday {nday} of {most}");
        }
        // What is over stays over, and numbers are used once.
        for proposal in was.world.of_kind("proposal").filter(|_| !outside) {
            let status = |world: &kernel::world::World| world.value(&Path::new(proposal.clone(), "status")).to_string();
            if status(&was.world) == "Historical" {
                assert_eq!(status(world), "Historical", "{proposal}");
            }
        }
        // Votes are cast on what is Open.
        for (proposal, votes) in cast(state) {
            let earlier = cast(was).into_iter().find(|(other, _)| *other == proposal).map(|(_, votes)| votes);
            if earlier.as_ref() != Some(&votes) && !outside {
                let status = was.world.value(&Path::new(Id::from(proposal.as_str()), "status")).to_string();
                assert_eq!(status, "Open", "a vote on {proposal}");
            }
        }
        let next = state.next_due().expect("there is always a midnight");
        assert!(next.at > state.at || state.frame.closed, "{next:?} is not ahead");
    }

    /// Every display is drawn.
    fn looks(&mut self, view: &dyn View) {
        for cell in view.displays() {
            let id = cell.completes.expect("each is named");
            view.display(&id, &Viewer::default()).unwrap_or_else(|why| panic!("{id}: {}", why.say));
        }
    }
}

/// The name of whoever holds a ministry.
pub(crate) fn minister(state: &State<BNomic>, ministry: &str) -> Option<String> {
    let id = ministry.to_lowercase().replace(' ', "-");
    match state.world.value(&Path::new(format!("ministry/{id}"), "minister")) {
        Value::Ref(player) => Some(state.frame.name_of(&player).to_owned()),
        _ => None,
    }
}

/// All votes, by proposal.
fn cast(state: &State<BNomic>) -> Vec<(String, Json)> {
    let mut votes = BTreeMap::<String, Vec<Json>>::new();
    for (key, vote) in state.tables.named_rows("votes") {
        let on = key[0].as_str().expect("a vote is on a proposal").to_owned();
        votes.entry(on).or_default().push(json!([key[1], vote]));
    }
    votes.into_iter().map(|(on, votes)| (on, votes.into())).collect()
}

/// What an undo leaves as it is: what was told, and the revisions of rules, which get new ones by it.
fn stays(at: &str) -> bool {
    at.ends_with("/from") || at.contains("/told/") || at.contains("/base/")
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn eight_weeks_of_random_play_keep_what_must_hold(moves in moves()) {
        play::<Room>(&moves);
    }
}
