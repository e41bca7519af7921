//! Random play of what laws add to B Nomic: the second half of its rules, and Rule Tag. For 40 weeks, about twenty nweeks
//! where it is played whole, a crowd buys, mutates, gnaws, sues, incorporates and tags. Meanwhile proposals change the
//! rulebook under it.
//!
//! What must hold is looked for after every entry: no mackerel comes from nowhere, no unique device is there twice, of the
//! actions of Rule Tag one of a type counts, and its turns move points and make no others than those for the ball. What
//! holds of all B Nomic is looked for in `crowd_bnomic`.

use std::collections::BTreeSet;

use bnomic::BNomic;
use kernel::{
    Id, Num, Path, Value,
    engine::{Engine, View},
    entry::{Cause, Entry},
    viewer::Viewer,
    world::World,
};
use proptest::prelude::*;

use crate::{
    crowd_bnomic::{MINISTRIES, minister},
    crowds::{Crowd, Weeks, config, length, play},
};

/// How many rooms are played; `PROPTEST_CASES` says another number.
const CASES: u32 = 5;

/// Most moves of one.
const MOVES: usize = 480;

/// Who plays. The first opens the room and moderates it.
const CROWD: [&str; 6] = ["Goethe", "Bob", "Cat", "Dan", "Eve", "Fay"];

/// What the crowd names beside its own.
const THINGS: [&str; 6] = ["Beast", "The Company", "Acme", "Lease", "Laser", "nobody"];

/// One thing that happens.
#[derive(Clone, Debug)]
enum Move {
    /// Ndays pass.
    Pass(i64),
    /// Somebody types a line: who, which kind of line, and what numbers choose in it.
    Type(usize, usize, [usize; 3]),
    /// Vacant ministries are taken, what is Open is voted for, and the Clock is put On.
    Turn(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let numbers = || [any::<u8>(), any::<u8>(), any::<u8>()].prop_map(|numbers| numbers.map(usize::from));
    let who = || 0..CROWD.len();
    let one = prop_oneof![
        4 => (1..7_i64).prop_map(Move::Pass),
        12 => (who(), any::<u8>(), numbers()).prop_map(|(who, what, of)| Move::Type(who, usize::from(what), of)),
        3 => who().prop_map(Move::Turn),
    ];
    prop::collection::vec(one, length(MOVES))
}

/// The ministry that Rule Tag adds.
const RULE_TAG: &str = "Rule Tag";

/// A blueprint whose devices hurt, one that heals its user, and one whose power fails.
const BLUEPRINTS: [&str; 3] = [
    "It burns.\n```law\npart(\"Burn\", #{rpg: true, cooldown: true, invoke: [\"victim: a player\"]}, |a| {\n    \
     perform(\"damage\", #{to: a.victim, points: 5, by: a.device.owner});\n});\n```",
    "It mends.\n```law\npart(\"Mend\", #{disposable: true, invoke: []}, |a| { gain(a.device.owner, \"hp\", 3); });\n```",
    "It fails.\n```law\npart(\"Fail\", #{invoke: []}, |a| { a.device.owner.luck += 1; });\n```",
];

/// What a proposal says.
fn text([a, b, c]: [usize; 3]) -> String {
    let rule = [18, 35, 37, 54, 58, 61, 66, 67, 68, 69, 70, 71, 73, 74, 79, 81, 82, 84, 85][b % 19];
    let figure = ["sock-price", "combat-points", "gone-cost", "element-day", "tag-day"][a % 5];
    let all = [
        format!("=> set {figure} to {}", 1 + c % 12),
        format!("=> append to rule {}: It is so. {c}", [17, 33, 34, 40, 57, 68][b % 6]),
        format!("=> repeal rule {rule}"),
        format!("=> raise mackerel of every active player by {}", 20 + c % 90),
        format!("=> award {} points to {}", 5 + c % 60, CROWD[a % CROWD.len()]),
        format!("=> create sock \"Sock {a}{c}\""),
        format!("=> create rule \"Swag {a}\": There is [swag](#=swag), and mackerel too."),
        format!("=> set mojo of {} to {{{}}}", CROWD[a % CROWD.len()], CROWD[c % CROWD.len()]),
        format!("=> set killer of {} to nothing", CROWD[a % CROWD.len()]),
        "Nothing.".to_owned(),
    ];
    all[(a + c) % all.len()].clone()
}

/// What somebody types. Proposals are counted back from the latest.
fn line(what: usize, [a, b, c]: [usize; 3], proposals: u64) -> String {
    let all: Vec<&str> = CROWD.into_iter().chain(THINGS).collect();
    let (whom, thing) = (CROWD[b % CROWD.len()], all[a % all.len()]);
    let color = ["Blue", "Black", "Brown", "Burnt Sienna", "Beige", "Burgundy", "Pink"][c % 7];
    let proposal = proposals.saturating_sub(a as u64 % 3).max(1);
    let rule = [1, 4, 7, 11, 14, 15, 17, 28, 33, 34, 36, 45, 61, 68, 82, 99][c % 16];
    let lines = [
        format!("sock buy {color}"),
        format!("sock transfer {color} to {thing}"),
        format!("proposal color {proposal} {color}"),
        format!("mackerel give {whom} {}", c % 30),
        format!("mackerel exchange {}", 1 + c % 3),
        format!("mutate {}{}", 1 + c % 12, ["A", "T", "G", "C", "5", "2"][a % 6]),
        format!("gnaw {whom}"),
        format!("infect {whom}"),
        format!("raise {whom}"),
        format!("blueprint create \"{}\" price:{} text:{}", ["Laser", "Balm", "Dud"][a % 3], c % 20, BLUEPRINTS[a % 3]),
        format!("device buy {}", ["Laser", "Balm", "Dud"][a % 3]),
        format!(
            "device use \"{} {}\" {} victim:{whom}",
            ["Laser", "Balm", "Dud"][a % 3],
            1 + c % 4,
            ["Burn", "Mend", "Fail"][a % 3]
        ),
        format!("device give \"{} {}\" {thing}", ["Laser", "Balm", "Dud"][a % 3], 1 + c % 4),
        format!("device destroy \"{} {}\"", ["Laser", "Balm", "Dud"][a % 3], 1 + c % 4),
        format!("blueprint bid Crown {}", 25 * (c % 4)),
        "contract create Lease Whoever wants to pays.".to_owned(),
        format!("contract {} Lease", ["join", "leave", "agree"][c % 3]),
        format!("contract breach Lease {whom} E paid nothing."),
        format!("consultation submit Is {thing} kind in {c}?"),
        format!("consultation assign Q{} {whom}", 1 + c % 9),
        format!("consultation answer {} {}", 1 + c % 9, ["YES", "NO", "PARADOX", "perhaps"][a % 4]),
        format!("consultation claim {} {}", 1 + c % 9, ["Consistent", "Inconsistent"][a % 2]),
        format!("quorum submit Battery {whom} {}", 1 + c % 9),
        format!("quorum answer {} {}", 1 + c % 6, ["GUILTY", "INNOCENT"][a % 2]),
        format!("quorum punish {} {}", 1 + c % 6, [0, 5, 30, 600][a % 4]),
        format!("beast teach Trick{} => raise hp of {whom} by 1", c % 3),
        ["beast reinforce", "beast punish", "match choose Dash", "field turn"][c % 4].to_owned(),
        format!("motnw change Word {c}"),
        format!("element change {}", ["Earth", "Air", "Fire", "Water"][c % 4]),
        format!("tag move {rule}"),
        format!("tag move {}", ["null", "4E33 mackerel", "34 macks", "14 nweek"][c % 4]),
        format!("tag grab {} {}", ["ball", "goal", "hat"][a % 3], c % 20),
        format!("tag drop {}", ["ball", "goal"][a % 2]),
        format!("secret move {rule}"),
        format!("secret grab ball {}", c % 9),
        format!("tag void {whom} move It is none"),
        format!("tag place {} {rule} It was thrown", ["ball", "goal"][a % 2]),
        format!("propose \"P{c}\" {}", text([a, b, c])),
        format!("vote {proposal} {}", ["FOR", "AGAINST"][c % 2]),
        format!("object {}", 1 + c % 9),
        format!("support {}", 1 + c % 9),
        format!("perform {}", 1 + c % 9),
        format!("ministry take {}", MINISTRIES.get(c % (MINISTRIES.len() + 1)).unwrap_or(&RULE_TAG)),
        "leave".to_owned(),
        format!("join {whom}"),
    ];
    lines[what % lines.len()].clone()
}

/// Acts by which mackerel may come or go in any way: they carry out what players wrote, or have a rate.
const FREE: [&str; 6] = ["join", "leave", "perform", "mackerel exchange", "chairman apply", "beast cause"];

/// Acts that cost something which nobody gets.
const COSTS: [&str; 8] = [
    "sock buy",
    "mutate",
    "device buy",
    "blueprint create",
    "blueprint accept",
    "quorum punish",
    "quorum unfair",
    "device use",
];

// ---- the room

struct Room {
    weeks: Weeks<BNomic>,
}

impl Room {
    fn proposals(&self) -> u64 {
        self.weeks.beside.state().world.count("proposal") as u64
    }

    fn minister(&self, ministry: &str) -> Option<String> {
        minister(self.weeks.beside.state(), ministry)
    }

    /// Vacant ministries are taken, what is Open is voted for, and the Clock is put On by whoever may.
    async fn turns(&mut self, who: usize) {
        for (place, ministry) in MINISTRIES.iter().chain([&RULE_TAG]).enumerate() {
            if self.minister(ministry).is_none() {
                self.says(CROWD[(who + place) % CROWD.len()], &format!("ministry take {ministry}")).await;
            }
        }
        let proposals = self.proposals();
        for number in proposals.saturating_sub(1).max(1)..=proposals {
            for voter in &CROWD[..4] {
                self.says(voter, &format!("vote {number} FOR")).await;
            }
        }
        for office in ["Change", "Ministry"] {
            if let Some(by) = self.minister(office) {
                self.says(&by, "clock on").await;
            }
        }
    }

    /// Who says a line: mostly somebody who may.
    fn speaker(&self, who: usize, line: &str) -> String {
        let office = [
            ("beast", "Fauna"),
            ("match", "Play"),
            ("field turn", "Play"),
            ("quorum punish", "Judging"),
            ("consultation assign", "Questions"),
            ("blueprint create", "Goods"),
            ("motnw", "Goods"),
            ("tag void", RULE_TAG),
            ("tag place", RULE_TAG),
        ];
        let of = office.iter().find(|(begins, _)| line.starts_with(begins)).map(|(_, office)| *office);
        let own = || line.strip_prefix("join ").unwrap_or(CROWD[who]).to_owned();
        of.and_then(|office| self.minister(office)).unwrap_or_else(own)
    }
}

/// Most points that a turn of Rule Tag makes: those for the ball. All others move, or are lost (R48, R56).
const MADE_MAX_COUNT: i64 = 25;

/// All that there is of something that objects have so much of.
fn all(world: &World, attr: &str) -> Num {
    let held = world.objects().map(|obj| world.value(&Path::new(obj.clone(), attr)));
    held.fold(Num::from(0), |sum, is| if let Value::Num(number) = is { &sum + &number } else { sum })
}

/// The nweek of the Clock.
fn nweek(world: &World) -> Value {
    world.value(&"clock/main.nweek".parse().expect("a path"))
}

impl Crowd for Room {
    type Game = BNomic;
    type Move = Move;
    const WEEKS: i64 = 40;

    async fn open(weeks: Weeks<BNomic>) -> Self {
        let mut room = Self { weeks };
        let founders = CROWD[1..].join(", ");
        let open = format!("room open bnomic main founders:\"{founders}\" socks:2 with:rule-tag");
        room.says(CROWD[0], &open).await;
        for name in &CROWD[1..] {
            room.says(name, &format!("join {name}")).await;
        }
        room
    }

    fn weeks(&mut self) -> &mut Weeks<BNomic> {
        &mut self.weeks
    }

    async fn makes(&mut self, one: &Move) {
        match *one {
            Move::Pass(ndays) => {
                for day in 0..ndays {
                    if self.weeks.beside.state().world.value(&"clock/main.on".parse().expect("a path"))
                        == Value::Bool(false)
                    {
                        self.turns(usize::try_from(day).unwrap_or_default()).await;
                    }
                    self.passes(24).await;
                }
            }
            Move::Type(who, what, of) => {
                let line = line(what, of, self.proposals());
                let by = self.speaker(who, &line);
                self.says(&by, &line).await;
            }
            Move::Turn(who) => self.turns(who).await,
        }
    }

    fn holds(&mut self, before: &Engine<BNomic>, entry: &Entry) {
        let (was, state) = (before.state(), self.weeks.beside.state());
        let world = &state.world;
        let (had, has) = (all(&was.world, "mackerel"), all(world, "mackerel"));
        match &entry.cause {
            Cause::Action { command, .. } if COSTS.contains(&command.as_str()) => {
                assert!(has <= had, "{command}: m{had} are m{has}");
            }
            Cause::Action { command, .. } if !FREE.contains(&command.as_str()) => {
                assert_eq!(has, had, "mackerel by {command}");
            }
            // Nweeks begin with an income, and end with what proposals do.
            Cause::Due(due) if nweek(&was.world) == nweek(world) && was.seq > 0 => {
                assert!(has <= had, "m{had} are m{has} at {due:?}");
            }
            _ => {}
        }
        if nweek(&was.world) != nweek(world) && matches!(entry.cause, Cause::Due(_)) {
            let made = all(world, "gained");
            assert!(made <= Num::from(MADE_MAX_COUNT), "a turn makes {made} points");
        }
        for obj in world.objects() {
            for (path, value) in world.values_of(obj) {
                let Some(def) = world.def_at(path) else { continue };
                let names_nothing = *value == Value::Null;
                assert!(
                    names_nothing || world.kind(obj) != Some(&def.scope) || def.range.holds(value),
                    "{path} is {value}"
                );
            }
        }
        // Of a unique device there is one (B35.3).
        let value = |obj: &Id, attr: &str| world.value(&Path::new(obj.clone(), attr));
        let mut unique = BTreeSet::new();
        for device in world.of_kind("device").filter(|device| value(device, "unique") == Value::Bool(true)) {
            assert!(unique.insert(value(device, "name").to_string()), "{device} is there twice");
        }
        // One action of a type counts (R14), and what names a player names one that there is.
        let mut acts = BTreeSet::new();
        for act in world.of_kind("rule-tag-action") {
            let over = value(act, "over") == Value::Bool(true) || value(act, "voided") != Value::Text(String::new());
            let (doer, what) = (value(act, "doer"), value(act, "what"));
            assert!(over || acts.insert(format!("{doer} {what}")), "{doer} has two actions of type {what}");
        }
    }

    /// Every display is drawn.
    fn looks(&mut self, view: &dyn View) {
        // That is much work, and most of it is the same after each line.
        if view.seq().is_multiple_of(LOOKED_AT) {
            for cell in view.displays() {
                let id = cell.completes.expect("each is named");
                let shown = view.display(&id, &Viewer::default());
                // What is about things of another rule says so while that rule is repealed.
                let rests = shown.as_ref().is_err_and(|why| why.say.contains("no rule"));
                assert!(shown.is_ok() || rests, "{id}: {shown:?}");
            }
        }
    }
}

/// Of so many entries the displays are drawn after one.
const LOOKED_AT: u64 = 7;

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn twenty_nweeks_of_goods_graves_and_tag_keep_what_must_hold(moves in moves()) {
        play::<Room>(&moves);
    }
}
