//! How fast a charge and a challenge are played, on one core, and how fast a room takes a challenge's result in.

use bfjoust::{Program, Rules, Setup, charge, pair, play};
use joust::house::house;
use kernel::{
    Instant,
    deed::{Deed, Moderation},
    dice::Seed,
    doer::Doer,
    engine::{Context, Step, Table},
    frame::ClockMode,
};
use rulekeeper::games;
use serde_json::{Value as Json, json};

use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 20;

/// The largest Hill that a contract can have.
const HILL: usize = 64;

/// One charge that lasts to the cap, and a match over all lengths that does not.
pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let rules = Rules::agora();
    let parse = |source: &str| Program::parse(source).expect("the bench's programs balance");
    let idler = parse("+[.]");
    let runner = parse(&format!("{}[-]", ">".repeat(150)));
    let sweeper = parse("+[>[-]+]");
    let lengths: Vec<usize> = rules.lengths().collect();

    let cycles = charge(&idler, &idler, 151, &rules).cycles;
    let capped = Times::of(bench.rounds(ROUNDS), || {
        charge(&idler, &idler, 151, &rules);
    });
    let played: u64 = pair(&runner, &sweeper, &lengths, &rules).iter().map(|charge| charge.cycles).sum();
    let matched = Times::of(bench.rounds(ROUNDS), || {
        pair(&runner, &sweeper, &lengths, &rules);
    });
    // A challenge on the Hill that a contest starts with. It plays the newcomer's ten matches, where all others are
    // stored, and all fifty-five after figures were amended.
    let hill: Vec<Program> = house().iter().map(|(_, text)| parse(text)).collect();
    let newcomer = parse(&format!("{}{}", ">+>->+>-".repeat(4), "(>[-])".repeat(160)));
    let setups: Vec<Setup> = rules.setups().collect();
    let mut entry = || hill.iter().for_each(|held| drop(play(held, &newcomer, &setups, &rules)));
    let entered = Times::of(bench.rounds(ROUNDS), &mut entry);
    let whole = Times::of(bench.rounds(ROUNDS), || {
        entry();
        for (place, left) in hill.iter().enumerate() {
            hill[place + 1..].iter().for_each(|right| drop(play(left, right, &setups, &rules)));
        }
    });
    let room = Contest::on_a_full_hill();
    let (context, job) = (room.context(), room.work());
    let (taken, _) = Times::then(
        bench.rounds(ROUNDS),
        || {
            let deed = Deed::Work { id: job.0.clone(), result: job.1.clone() };
            room.table.decide(deed, &context).expect("a result is taken")
        },
        drop,
    );
    vec![
        entered.row("joust: a challenge on the Hill, all 33 lengths, the others' matches stored"),
        whole.row("joust: the same with nothing stored"),
        capped.row("joust: a charge to the cap").rate(cycles, "cycles"),
        matched.row("joust: a match over all lengths").rate(played, "cycles"),
        taken.row(&format!("joust: the result of a challenge taken in, on a Hill of {HILL}")),
    ]
}

/// A room with a contest, its matches made up.
struct Contest {
    table: Box<dyn Table>,
    now: Instant,
}

impl Contest {
    /// One whose Hill is full, with a challenge to be played.
    fn on_a_full_hill() -> Self {
        let table = games::table("joust").expect("a game that is known");
        let mut room = Self { table, now: "2026-11-02T08:00:00Z".parse().expect("an instant") };
        let (clock, zone, options) = (ClockMode::Live, "UTC".to_owned(), Default::default());
        let open = Moderation::Open { name: "main".into(), clock, zone, forum: None, options };
        room.happens(Deed::Moderate { by: doer("ann"), act: open });
        room.act("ann", true, json!({"start": {}}));
        room.act("ann", true, json!({"intend": {"what": "set", "subject": "hill-size", "text": HILL.to_string()}}));
        room.now = "2026-11-07T08:00:00Z".parse().expect("an instant");
        room.act("ann", true, json!({"do": {"id": 1}}));
        // A player may send three a week.
        for number in house().len()..=HILL {
            let submit = json!({"submit": {"name": format!("program-{number}"), "code": "+"}});
            room.act(&format!("player{}", number / 3), false, submit);
            if number < HILL {
                let (id, result) = room.work();
                room.happens(Deed::Work { id, result });
            }
        }
        room
    }

    fn context(&self) -> Context {
        let (seed, fresh) = (Seed([0; 32]), Seed([0; 32]));
        Context { now: self.now, seed, fresh, salt: [0; _], opened: [].into(), would_be: Vec::new(), fixed: [].into() }
    }

    fn happens(&mut self, deed: Deed) {
        let Step { after, .. } = self.table.decide(deed, &self.context()).expect("it happens");
        self.table = after;
    }

    fn act(&mut self, who: &str, public: bool, invocation: Json) {
        let (by, command) = (doer(who), "joust".to_owned());
        self.happens(Deed::Act { by, command, invocation, public, private: !public, forum: None, followed: false });
    }

    /// The id of the challenge that the room waits for, and a result of it in which everybody wins and loses charges.
    fn work(&self) -> (kernel::Id, Json) {
        let work = self.table.view().work().expect("a challenge waits");
        let count = |list: &str| work.task[list].as_array().map_or(0, Vec::len);
        let (bouts, charges) = (count("bouts"), count("lengths"));
        let winner =
            |bout: usize, charge: usize| ['<', '<', '>', '>', '='][(7 * bout + 5 * charge + bout * charge) % 5];
        let told =
            |bout: usize| json!({"winners": (0..charges).map(|charge| winner(bout, charge)).collect::<String>()});
        let matches: Vec<Json> = (0..bouts).map(told).collect();
        (work.id, json!({"matches": {"matches": matches, "won": 0}}))
    }
}

fn doer(name: &str) -> Doer {
    Doer { person: format!("person/{name}").into(), name: name.to_owned() }
}
