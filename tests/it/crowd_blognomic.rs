//! Random play of BlogNomic: for eight weeks a crowd types random lines, sensible and silly ones, into a room of the
//! real service. The virus is in its rules every Monday.
//!
//! What must hold of a factory of Robots is looked for in its state after every entry, and of refusals their form is held.

use std::{collections::BTreeMap, sync::LazyLock};

use blognomic::{BlogNomic, law::RULES};
use kernel::{
    Instant, Num, Path, State, Value,
    engine::Engine,
    entry::{Cause, Entry},
    world::World,
};
use port::Reply;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::{
    crowds::{Crowd, PAUSE_MAX_HOURS, Weeks, are_well_refused, config, length, play, tables},
    undone::is_as_if_never,
};

/// How many dynasties of eight weeks are played; `PROPTEST_CASES` says another number.
const CASES: u32 = 10;

/// Most moves of one: about three a day.
const MOVES: usize = 170;

/// Who plays. The first opens the room and moderates it; the last may come later.
const CROWD: [&str; 7] = ["Goethe", "Abe", "Bo", "Cog", "Dot", "Eve", "Fay"];

/// The figures of the rules, as they are marked in them: `[50](#virus-percent)`.
static FIGURES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let marked = |text: &str| -> Vec<String> {
        let keys = text.split("](#").skip(1).filter_map(|rest| rest.split_once(')'));
        keys.map(|(key, _)| key.to_owned()).filter(|key| key.starts_with(char::is_alphabetic)).collect()
    };
    RULES.iter().flat_map(|(_, text)| marked(text)).collect()
});

/// One thing that happens.
#[derive(Clone, Debug)]
enum Move {
    /// Hours pass.
    Pass(i64),
    /// Somebody types a line: who, which kind of line, and what numbers choose in it.
    Type(usize, usize, [usize; 3]),
    /// Somebody proposes a change, everybody votes and an Admin ends it.
    Propose(usize, usize, [usize; 3]),
    /// Somebody raises a Call for Judgment, everybody votes and an Admin carries it out.
    Raise(usize, usize, [usize; 3]),
    /// A Proposal that somebody is against is vetoed, and all ask to have that annulled.
    Veto(usize),
    /// A Robot asks to be Deactivated, and is.
    Sleep(usize),
    /// Whoever is Deactivated asks to be Reactivated, and is.
    Wake,
    /// A Robot loses a part, and buys it again.
    Mend(usize, usize),
    /// A moderator takes an entry back, and then that.
    Undo(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let numbers = || [any::<u8>(), any::<u8>(), any::<u8>()].prop_map(|numbers| numbers.map(usize::from));
    let who = || 0..CROWD.len();
    let one = prop_oneof![
        6 => (0..=PAUSE_MAX_HOURS).prop_map(Move::Pass),
        14 => (who(), any::<u8>(), numbers()).prop_map(|(who, what, of)| Move::Type(who, usize::from(what), of)),
        4 => (who(), any::<u8>(), numbers()).prop_map(|(who, what, of)| Move::Propose(who, usize::from(what), of)),
        1 => (who(), any::<u8>(), numbers()).prop_map(|(who, what, of)| Move::Raise(who, usize::from(what), of)),
        1 => who().prop_map(Move::Veto),
        1 => who().prop_map(Move::Sleep),
        1 => Just(Move::Wake),
        1 => (who(), any::<u8>()).prop_map(|(who, part)| Move::Mend(who, usize::from(part))),
        2 => any::<u8>().prop_map(|which| Move::Undo(usize::from(which))),
    ];
    prop::collection::vec(one, length(MOVES))
}

// ---- what is typed

/// What a Proposal or a Call says.
fn text(what: usize, [a, b, c]: [usize; 3]) -> String {
    const VALUES: [&str; 12] = ["0", "1", "2", "3", "5", "7", "50", "100", "-1", "1/2", "99", "999999999999999999999"];
    let (who, whom) = (CROWD[a % CROWD.len()], CROWD[b % CROWD.len()]);
    let (value, rule) = (VALUES[c % VALUES.len()], 1 + b % 19);
    let figure = &FIGURES[a % FIGURES.len()];
    let directives = [
        format!("=> set {figure} to {value}"),
        format!("=> set {figure} to {}", 1 + c % 9),
        format!("=> set timeout-hours to {value}"),
        format!("=> set power of {who} to {value}"),
        format!("=> raise power of every robot by {value}"),
        format!("=> lower power of {who} by {value}\n=> raise power of {whom} by {value}"),
        format!("=> transfer {value} power from {who} to {whom}"),
        format!("=> give {} Product to {who}", c % 4),
        format!("=> give {} boxes to {who}", c % 4),
        format!("=> take 1 Product from {who}"),
        format!("=> set missing of {who} to {{ AI, Motherboard }}"),
        format!("=> set efficiency of {who} to {value}"),
        format!("=> raise efficiency of {who} by {}", c % 5),
        format!("=> set inventory of {who} to \"{} Product, 1 Box\"", c % 5),
        format!("=> appoint {who} Control Unit"),
        format!("=> appoint {who} Admin"),
        format!("=> create rule \"Naps {a}\": A Robot that sleeps for {c} hours wakes."),
        format!("=> repeal rule {rule}"),
        format!("=> amend rule {rule}: replace \"Power\" with \"Charge\""),
        "=> amend rule 7: replace \"hours\" with \"moons\"".to_owned(),
        format!("=> amend rule 11: replace \"price = 10\" with \"price = {value}\""),
        format!("=> amend rule 11: replace \"power(self) - 50\" with \"power(self) - {value}\""),
        "=> amend rule 11: replace \"loop (robots) {\" with \"loop (\"".to_owned(),
        format!("=> append to rule {rule}: This is not a joke."),
        format!("=> retitle rule {rule} to \"Number {c}\""),
        format!("=> renumber rule {rule} to {}", 1 + c % 20),
        format!("=> define charm{} of robot: whole number from 0 to 10, 5 at first", c % 3),
        format!("=> set charm{} of {who} to {value}", c % 3),
        "=> undefine charm1".to_owned(),
        format!("=> if power of {who} > {value}: lower power of {who} by 1"),
        format!("=> require power of {who} > {value}"),
        format!("=> create beacon \"Star {}\"", c % 2),
        format!("=> destroy {}", if c % 2 == 0 { who } else { "Star 1" }),
        format!("=> set colours of BlogNomic to \"shade {c}\""),
        "=> undefine charm0".to_owned(),
        "Everybody shall be kind.".to_owned(),
        "=> make everybody kind".to_owned(),
    ];
    directives[what % directives.len()].clone()
}

/// What somebody types. Proposals, Calls and entries are counted back from the latest.
fn line(what: usize, [a, b, c]: [usize; 3], seen: &Seen) -> String {
    let whom = if b % 23 == 0 { "Nobody" } else { CROWD[b % CROWD.len()] };
    let back = |count: u64, by: usize| (count.saturating_sub(by as u64 % 5)).max(1);
    let (proposal, call, entry) = (back(seen.proposals, a), back(seen.calls, a), back(seen.entries, a));
    let vote = ["FOR", "AGAINST", "DEFERENTIAL", "FOR trivial", "maybe"][c % 5];
    let amount = ["1", "5", "20", "50", "0", "-5", "1/2", "99999999999999999999"][c % 8];
    let part = ["AI", "Motherboard", "Memory", "Motary", "Sensory", "Wheels"][c % 6];
    let (stat, to) = [
        ("power", "50"),
        ("power", "-1"),
        ("power", "120"),
        ("efficiency", "3"),
        ("efficiency", "40"),
        ("inventory", "\"3 Product, 1 Box\""),
        ("inventory", "\"three things\""),
        ("missing", "\"AI, Motherboard\""),
        ("missing", "nothing"),
    ][c % 9];
    let day = seen.at.to_string();
    let (day, hour) = (&day[..10], &day[11..13]);
    let lines = [
        format!("vote {proposal} {vote}"),
        format!("vote {proposal} {vote}"),
        format!("vote {proposal} {vote}"),
        format!("admin enact {proposal}"),
        "admin enact".to_owned(),
        format!("admin fail {proposal}"),
        "admin fail".to_owned(),
        format!("admin claim {proposal}"),
        "admin claim".to_owned(),
        format!("mcp {} {}", ["PRODUCT", "BATTERY", "HANDOFF", "RECHARGE", "NONSENSE"][c % 5], CROWD[b % CROWD.len()]),
        format!("mcp {}", ["PRODUCT", "BATTERY", "HANDOFF", "RECHARGE", ""][c % 5]),
        format!("mcp {}", ["PRODUCT", "BATTERY", "HANDOFF", "RECHARGE", ""][c % 5]),
        format!("power give {amount} to {whom}"),
        format!("power give {amount} to {whom}"),
        format!("power entry https://example.org/{a} {day} {hour}:00"),
        format!("part buy {part}"),
        format!("gndt set {whom} {stat} {to} because I say so"),
        format!("gndt undo {entry} because nobody may do that"),
        format!("cfj vote {call} {vote}"),
        format!("admin judge {call}"),
        format!("admin judge {call} {}", text(a, [b, c, a])),
        format!("cu veto {proposal}"),
        format!("annul request {}", seen.vetoed.last().unwrap_or(&proposal)),
        format!("annul vote {} {vote}", seen.vetoed.last().unwrap_or(&proposal)),
        format!("cu nominate {whom}"),
        format!("cu efficiency {whom} {}", c as i64 % 9 - 4),
        "cu virus".to_owned(),
        "cu address Robots, hear me!".to_owned(),
        format!("cu weblog {} shade {c}", ["header", "colours", "seal"][c % 3]),
        format!("cu proclaim {} {}", 9 + a % 9, 1 + b % 17),
        "admin header".to_owned(),
        "robot sleep".to_owned(),
        "robot wake".to_owned(),
        format!("robot thank {whom}"),
        format!("robot link https://example.org/{a}"),
        format!("robot zone {}", ["America/New_York", "Asia/Tokyo", "Nowhere/Else"][c % 3]),
        format!("robot apply {} https://example.org/{a}", CROWD[a % CROWD.len()]),
        "robot apply Fay fay@example.org".to_owned(),
        format!("admin set-up {whom}"),
        format!("admin set-up {whom}"),
        format!("admin confer {whom}"),
        format!("admin deactivate {whom}"),
        format!("admin reactivate {whom}"),
        format!("admin reactivate {whom}"),
        format!("admin apply {proposal} {}", text(a, [b, c, a])),
        format!("admin automatic {}", ["yes", "no"][c % 2]),
        "admin mend 8 \"everybody\" \"everyone\"".to_owned(),
        format!("admin mend-proposal {proposal} \"kind\" \"good\""),
        format!("admin gloss {call} A gift is no vote."),
        "cu source \"price = 15\" \"price = 16\" because it is disputed".to_owned(),
        format!("propose trivial:yes \"A trifle {a}\" {}", text(b, [a, c, b])),
        ["leave", "robots", "proposals", "requests", "gndt log", "dynasties", "weblog", "cfj list", "rules"][c % 9]
            .to_owned(),
        format!("dryrun {proposal}"),
        format!("proposal {proposal}"),
        format!("why robot/{}.power", whom.to_lowercase()),
        "nonsense".to_owned(),
    ];
    lines[what % lines.len()].clone()
}

/// What the lines of a crowd count from, and who may say some of them.
struct Seen {
    proposals: u64,
    calls: u64,
    entries: u64,
    at: Instant,
    /// The Control Unit.
    cu: Option<String>,
    /// Everybody by what they are to the rules.
    standing: BTreeMap<String, String>,
    /// Proposals that were vetoed.
    vetoed: Vec<u64>,
}

impl Seen {
    /// Who says a line: mostly somebody who may.
    fn speaker(&self, who: usize, line: &str) -> String {
        let any = CROWD[who].to_owned();
        let with = |standing: &str| {
            let all: Vec<&String> =
                self.standing.iter().filter(|(_, is)| *is == standing).map(|(name, _)| name).collect();
            all.get(who % all.len().max(1)).map(|name| (*name).clone())
        };
        let fit = match line.split_whitespace().next().unwrap_or_default() {
            _ if who == 0 => None,
            "cu" if !line.starts_with("cu nominate") => self.cu.clone(),
            "admin" => Some(["Goethe", "Abe"][who % 2].to_owned()),
            _ if line == "robot wake" => with("deactivated"),
            _ if line.starts_with("robot apply") => with("left").or(with("removed")),
            _ if who > 2 => with("robot"),
            _ => None,
        };
        fit.unwrap_or(any)
    }
}

// ---- the room

struct Room {
    weeks: Weeks<BlogNomic>,
}

impl Room {
    fn seen(&self) -> Seen {
        let (game, state) = (self.weeks.game(), self.weeks.beside.state());
        let name = |robot: &str| state.frame.name_of(&kernel::Id::from(robot)).to_owned();
        let members = game["members"].as_object().into_iter().flatten();
        let numbers = |kind: &str| state.world.of_kind(kind).filter_map(number).collect::<Vec<u64>>();
        let latest = |kind: &str| numbers(kind).into_iter().max().unwrap_or_default();
        let is_vetoed =
            |number: &u64| state.world.value(&Path::new(format!("proposal/{number}"), "vetoed")) == Value::Bool(true);
        Seen {
            cu: holder(&state.world).map(|cu| name(&cu)),
            standing: members
                .map(|(id, row)| (name(id), row["standing"].as_str().unwrap_or_default().to_owned()))
                .collect(),
            vetoed: numbers("proposal").into_iter().filter(is_vetoed).collect(),
            proposals: latest("proposal"),
            calls: latest("cfj"),
            entries: self.weeks.view().seq(),
            at: self.weeks.house.clock.now(),
        }
    }

    /// What must hold after each entry.
    fn must_hold(&self, was: &State<BlogNomic>, entry: &Entry) {
        let state = self.weeks.beside.state();
        let world = &state.world;
        let (before, game) = (tables(&was.tables), self.weeks.game());
        let standing = |game: &Json, robot: &str| game["members"][robot]["standing"].clone();
        for robot in world.of_kind("robot") {
            let Value::Num(power) = world.value(&Path::new(robot.clone(), "power")) else {
                panic!("{robot} has Power")
            };
            assert!(!power.is_negative() && power.is_whole(), "{robot} has {power} Power");
        }
        // A Control Unit is a current Robot, and has its own efficiency.
        let cu = holder(world);
        if let Some(cu) = &cu {
            assert_eq!(standing(&game, cu), "robot", "the Control Unit is a Robot");
        }
        self.ratings(world, cu.as_deref());
        // Whoever votes is a Robot at that moment; what is decided takes no votes.
        let by_moderator = matches!(entry.cause, Cause::Moderator { .. });
        let known = votes(&before);
        for (of, vote) in votes(&game) {
            let [document, ballot, robot] = &of;
            if by_moderator || known.get(&of) == Some(&vote) {
                continue;
            }
            assert_eq!(standing(&before, robot), "robot", "{robot} votes on {document}");
            let open = takes_votes(world, document, ballot) || takes_votes(&was.world, document, ballot);
            assert!(open, "{robot} votes on {document}, which is decided");
        }
        // The Glossary stands last while there is one.
        if let Some(glossary) = state.rules.in_force("glossary") {
            let last = state.rules.rules().iter().map(|rule| rule.number()).max();
            assert_eq!(Some(glossary.number()), last, "the Glossary stands last");
        }
        let numbers: Vec<u32> = state.rules.rules().iter().map(|rule| rule.number()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    }

    /// Ratings lie in their range, where the rules have one (N106, N133).
    fn ratings(&self, world: &World, cu: Option<&str>) {
        let state = self.weeks.beside.state();
        let rated = state.rules.in_force("dynasties").is_some_and(|rule| laws::law_of(rule).is_some());
        let figure = |key: &str| {
            let (rule, span) = state.rules.places(key).next()?;
            rule.text().shown(span).parse::<Num>().ok()
        };
        let (Some(least), Some(most)) = (figure("efficiency-least"), figure("efficiency-most")) else { return };
        if least > most || !rated {
            return;
        }
        for robot in world.of_kind("robot") {
            let Value::Num(rating) = world.value(&Path::new(robot.clone(), "efficiency")) else { panic!("a rating") };
            let fits = if cu == Some(&**robot) {
                figure("efficiency-own").is_none_or(|own| rating == own)
            } else {
                rating >= least && rating <= most
            };
            assert!(fits, "{robot} has the efficiency {rating}");
        }
    }
}

impl Crowd for Room {
    type Game = BlogNomic;
    type Move = Move;

    async fn open(weeks: Weeks<BlogNomic>) -> Self {
        let mut room = Self { weeks };
        room.says(CROWD[0], "room open blognomic main").await;
        for name in &CROWD[1..6] {
            room.says(name, &format!("robot apply {name} https://example.org/{}", name.to_lowercase())).await;
            room.says(CROWD[0], &format!("admin set-up {name}")).await;
        }
        room.says(CROWD[0], "admin confer Abe").await;
        room
    }

    fn weeks(&mut self) -> &mut Weeks<BlogNomic> {
        &mut self.weeks
    }

    async fn says(&mut self, who: &str, line: &str) -> Vec<Reply> {
        let replies = self.weeks.types(who, line).await;
        are_well_refused(&replies, line);
        self.catch_up().await;
        replies
    }

    async fn makes(&mut self, one: &Move) {
        match *one {
            Move::Pass(hours) => self.passes(hours).await,
            Move::Type(who, what, of) => {
                let seen = self.seen();
                let line = line(what, of, &seen);
                self.says(&seen.speaker(who, &line), &line).await;
            }
            Move::Propose(who, what, of) => {
                let text = text(what, of);
                let mark = if of[0] % 5 == 0 { "trivial:yes " } else { "" };
                self.says(CROWD[who], &format!("propose {mark}\"Title {what}\" {text}")).await;
                let number = self.seen().proposals;
                let vote = ["FOR", "FOR", "FOR trivial", "AGAINST"][of[1] % 4];
                for voter in &CROWD[..5] {
                    self.says(voter, &format!("vote {number} {vote}")).await;
                }
                for admin in ["Goethe", "Abe"] {
                    self.says(admin, if vote == "AGAINST" { "admin fail" } else { "admin enact" }).await;
                    self.says(admin, "admin claim").await;
                }
            }
            Move::Raise(who, what, of) => {
                self.says(CROWD[who], &format!("cfj raise \"Title {what}\" {}", text(what, of))).await;
                let call = self.seen().calls;
                for voter in &CROWD[..5] {
                    self.says(voter, &format!("cfj vote {call} {}", ["FOR", "AGAINST"][of[0] % 5 / 4])).await;
                }
                self.says("Goethe", &format!("admin judge {call}")).await;
                self.says("Abe", &format!("admin judge {call}")).await;
            }
            Move::Veto(who) => {
                let seen = self.seen();
                let number = seen.proposals.max(1);
                self.says(CROWD[who], &format!("vote {number} AGAINST")).await;
                self.says(&seen.cu.unwrap_or_default(), &format!("cu veto {number}")).await;
                for number in self.seen().vetoed {
                    self.says(CROWD[who], &format!("annul request {number}")).await;
                    for voter in CROWD {
                        self.says(voter, &format!("annul vote {number} FOR")).await;
                    }
                }
            }
            Move::Sleep(who) => {
                self.says(CROWD[who], "robot sleep").await;
                self.says("Abe", &format!("admin deactivate {}", CROWD[who])).await;
            }
            Move::Wake => {
                for (name, standing) in self.seen().standing {
                    if standing == "deactivated" {
                        self.says(&name, "robot wake").await;
                        self.says("Goethe", &format!("admin reactivate {name}")).await;
                    }
                }
            }
            Move::Mend(who, part) => {
                let part = ["AI", "Motherboard", "Memory Unit", "Motary Equipment", "Sensory Equipment"][part % 5];
                self.says("Bo", &format!("gndt set {} missing \"{part}\" because of a fall", CROWD[who])).await;
                self.says(CROWD[who], &format!("part buy {part}")).await;
            }
            Move::Undo(which) => is_as_if_never(self, CROWD[0], which, stays).await,
        }
    }

    fn holds(&mut self, before: &Engine<BlogNomic>, entry: &Entry) {
        self.must_hold(before.state(), entry);
    }
}

/// What an undo leaves as it is. That is what was told, the log, the Mondays that went by, and the revisions of rules,
/// which get new ones by it.
fn stays(at: &str) -> bool {
    let log = at.starts_with("/alterations/") || at.starts_with("/undoings/");
    // A rule that has its text again has been amended twice. What a law took is counted as it was done.
    let revised = ["/laws/", "/law_ran/"].iter().any(|table| at.starts_with(table)) && at.ends_with("/revision");
    // When the virus breaks out next is seen to by the entry after the one in which it should have.
    let seen_to = at == "game/room.outbreak" || at.starts_with("/law_later/");
    log || revised || seen_to || at.ends_with("/from") || at.contains("/told/") || at.contains("/base/")
}

/// The id of the Control Unit.
fn holder(world: &World) -> Option<String> {
    match world.value(&Path::new("game/room", "control-unit")) {
        Value::Ref(cu) => Some(cu.to_string()),
        _ => None,
    }
}

/// The number of a document: of `proposal/3` it is 3.
fn number(document: &kernel::Id) -> Option<u64> {
    document.rsplit_once('/')?.1.parse().ok()
}

/// Every vote: on which document, in which ballot, and whose.
fn votes(game: &Json) -> BTreeMap<[String; 3], Json> {
    let all = game["law_votes"].as_object().into_iter().flatten();
    all.map(|(key, vote)| (serde_json::from_str(key).expect("a document, a ballot and a Robot"), vote.clone()))
        .collect()
}

/// Whether votes of a ballot are taken on a document.
fn takes_votes(world: &World, document: &str, ballot: &str) -> bool {
    let value = |attr: &str| world.value(&Path::new(document, attr));
    match ballot {
        "annul vote" => value("requested") == Value::Bool(true),
        _ => matches!(value("state"), Value::Text(state) if ["Pending", "open"].contains(&state.as_str())),
    }
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn eight_weeks_of_a_crowd_keep_what_must_hold(moves in moves()) {
        play::<Room>(&moves);
    }
}
