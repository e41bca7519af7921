//! Random play of the joust: for eight weeks a crowd hands in programs and takes them back, and the contestmaster
//! changes the contract. It is a room of the real service whose Hill is played for.
//!
//! What must hold of a Hill is looked for in its state after every entry.

use std::collections::BTreeSet;

use joust::{Joust, figures::FIGURES};
use kernel::{
    engine::Engine,
    entry::{Cause, Entry},
};
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::{
    crowds::{Crowd, PAUSE_MAX_HOURS, Weeks, config, length, play},
    undone::is_as_if_never,
};

/// How many contests of eight weeks are played; `PROPTEST_CASES` says another number.
const CASES: u32 = 5;

/// Most moves of one, when all games are played: two a day.
const MOVES: usize = 110;

/// Who plays. The first opens the room and is its contestmaster; the last come later, if at all.
const CROWD: [&str; 5] = ["Goethe", "Abe", "Bo", "Cog", "Dot"];

/// How many members there are at first.
const MEMBERS: usize = 4;

/// How many programs are spoken of.
const NAMES: usize = 8;

/// Days from the announcement of a change to the change.
const NOTICE_DAYS: i64 = 7;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Move {
    /// Hours pass.
    Pass(i64),
    /// Somebody types a line: who, which kind of line, and what numbers choose in it.
    Type(usize, usize, [usize; 3]),
    /// Somebody hands in a program.
    Submit(usize, [usize; 3]),
    /// The contestmaster announces a change, some object, and it is made if it can be.
    Change(usize, [usize; 3]),
    /// A moderator takes an entry back, and then that.
    Undo(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let number = || any::<u8>().prop_map(usize::from);
    let numbers = move || [number(), number(), number()];
    let who = || 0..CROWD.len();
    let one = prop_oneof![
        5 => (0..=PAUSE_MAX_HOURS).prop_map(Move::Pass),
        8 => (who(), number(), numbers()).prop_map(|(who, what, of)| Move::Type(who, what, of)),
        1 => (who(), numbers()).prop_map(|(who, of)| Move::Submit(who, of)),
        1 => (number(), numbers()).prop_map(|(what, of)| Move::Change(what, of)),
        2 => number().prop_map(Move::Undo),
    ];
    prop::collection::vec(one, length(MOVES))
}

// ---- what is typed

/// A program: some that run into the other flag, some that wait, and one that is none.
fn code([a, b, c]: [usize; 3]) -> String {
    match c % 6 {
        0 => format!("(>)*{}[-]", 1 + a % 30),
        1 => format!("(.)*{}(>)*{}(-)*128", 1 + a % 20, 9 + b % 20),
        2 => ">>>>>>>+[>[+++[-]]+]".to_owned(),
        3 => format!("(>)*{}([(+)*{}[-]]>)*21", 1 + a % 9, 1 + b % 20),
        4 => "+".to_owned(),
        _ => "[[".to_owned(),
    }
}

/// What is announced.
fn change(what: usize, [a, b, c]: [usize; 3]) -> String {
    const VALUES: [&str; 8] = ["0", "1", "2", "3", "5", "9", "-1", "many"];
    const SECTIONS: [&str; 5] = ["points", "knights", "revealing", "submission", "programs"];
    let (value, section) = (VALUES[c % VALUES.len()], SECTIONS[b % SECTIONS.len()]);
    match what % 10 {
        0..=3 => format!("set {} {value}", FIGURES[a % FIGURES.len()].key.trim_start_matches('@')),
        4 => format!("set award-points {} {} {}", 9 + a % 9, 5 + b % 9, c % 9),
        5 => format!("set knight-weeks {}", c % 3),
        6 => format!("repeal {section}"),
        7 => format!("enact {section}"),
        8 => format!("remove joust{}", a % 10),
        _ => format!("tournament cycle-limit {}", 10_000 + 1000 * (c % 9)),
    }
}

/// What somebody types. Announced changes are counted back from the latest.
fn line(what: usize, [a, b, c]: [usize; 3], latest: u64) -> String {
    let notice = latest.saturating_sub(a as u64 % 4).max(1);
    let name = if b % 3 == 0 { format!("joust{}", c % 10) } else { format!("P{}", c % NAMES) };
    let lines = [
        format!("joust object {notice}"),
        format!("joust object {notice}"),
        format!("joust unobject {notice}"),
        format!("joust do {notice}"),
        format!("joust retract {name}"),
        format!("joust reveal {name}"),
        format!("joust adjudicate {name} is a program."),
        "join".to_owned(),
        "leave".to_owned(),
        format!("joust intend {}", change(b, [c, a, b])),
        format!("joust watch {name} joust{} 12", a % 10),
        ["hill", "joust points", "joust members", "joust queue", "joust matrix", "rules"][c % 6].to_owned(),
        format!("joust breakdown {name} joust{}", a % 10),
        "nonsense".to_owned(),
    ];
    lines[what % lines.len()].clone()
}

// ---- the room

struct Room {
    weeks: Weeks<Joust>,
}

/// The numbers of what a table holds.
fn numbers(table: &Json) -> BTreeSet<u64> {
    table.as_object().into_iter().flatten().filter_map(|(number, _)| number.parse().ok()).collect()
}

impl Room {
    /// The latest announced change.
    fn latest(&self) -> u64 {
        numbers(&self.weeks.game()["notices"]).last().copied().unwrap_or_default()
    }
}

impl Crowd for Room {
    type Game = Joust;
    type Move = Move;

    async fn open(weeks: Weeks<Joust>) -> Self {
        let mut room = Self { weeks };
        room.says(CROWD[0], "room open joust main").await;
        room.says(CROWD[0], "joust start").await;
        for name in &CROWD[1..MEMBERS] {
            room.says(name, "join").await;
        }
        room
    }

    fn weeks(&mut self) -> &mut Weeks<Joust> {
        &mut self.weeks
    }

    async fn makes(&mut self, one: &Move) {
        match *one {
            Move::Pass(hours) => self.passes(hours).await,
            Move::Type(who, what, of) => {
                let line = line(what, of, self.latest());
                let who = if line.starts_with("joust do") || line.starts_with("joust intend") { 0 } else { who };
                self.says(CROWD[who], &line).await;
            }
            Move::Submit(who, of) => {
                self.says(CROWD[who], &format!("privately joust submit P{} {}", of[0] % NAMES, code(of))).await;
            }
            Move::Change(what, of) => {
                self.says(CROWD[0], &format!("joust intend {}", change(what, of))).await;
                let notice = self.latest();
                for member in &CROWD[1..1 + of[0] % MEMBERS] {
                    self.says(member, &format!("joust object {notice}")).await;
                }
                self.passes(NOTICE_DAYS * 24).await;
                self.says(CROWD[0], &format!("joust do {notice}")).await;
            }
            Move::Undo(which) => is_as_if_never(self, CROWD[0], which, stays).await,
        }
    }

    /// What stands on the Hill is a program, once; and who has handed one in keeps it.
    fn holds(&mut self, before: &Engine<Joust>, entry: &Entry) {
        let game = self.weeks.game();
        let programs = numbers(&game["programs"]);
        assert!(numbers(&game["places"]).is_subset(&programs), "{} stands on the Hill", game["places"]);
        if !matches!(entry.cause, Cause::Moderator { .. }) {
            let before = crate::crowds::tables(&before.state().tables);
            assert!(numbers(&before["programs"]).is_subset(&programs), "a program is gone");
        }
        let objections = game["objections"].as_object().into_iter().flatten();
        for (key, _) in objections {
            let (notice, _): (u64, String) = serde_json::from_str(key).expect("a notice and who objects");
            assert!(game["notices"].get(notice.to_string()).is_some(), "an objection to {notice}");
        }
    }
}

/// What an undo leaves otherwise: how many things were ever on the agenda, which counts what is done under new numbers.
fn stays(_: &str) -> bool {
    false
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn eight_weeks_of_jousts_keep_what_must_hold(moves in moves()) {
        play::<Room>(&moves);
    }
}
