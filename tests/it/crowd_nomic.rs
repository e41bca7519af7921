//! Random play of a nomic by its ruleset: a crowd of the club and one of the set of 1982 type random lines, adopt random
//! changes of the rules, and have a moderator mend them.
//!
//! Whatever the rules have become, written out as a folder and opened anew they are the same.

use std::collections::BTreeMap;

use kernel::{
    deed::{Deed, Moderation},
    doer::Doer,
    engine::{Context, Engine, View},
    entry::Entry,
    frame::ClockMode,
};
use laws::ruleset;
use nomic::Nomic;
use proptest::prelude::*;
use serde_json::json;

use crate::crowds::{Crowd, PAUSE_MAX_HOURS, Weeks, config, length, play};

/// How many games of each ruleset are played; `PROPTEST_CASES` says another number.
const CASES: u32 = 10;

/// Most moves of one.
const MOVES: usize = 40;

/// Who plays. The first opens the room and moderates it.
const CROWD: [&str; 5] = ["Goethe", "Ann", "Bob", "Cat", "Dan"];

/// How long the votes of both rulesets last at the most as they are shipped, in hours.
const VOTE_HOURS: i64 = 48;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Move {
    /// Hours pass.
    Pass(i64),
    /// Somebody types a line.
    Type(usize, usize, usize),
    /// Everybody proposes a change, and everybody is for it.
    Propose(usize, usize),
    /// A moderator changes the rules.
    Mend(usize, usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let number = || any::<u8>().prop_map(usize::from);
    let one = prop_oneof![
        2 => (0..=PAUSE_MAX_HOURS).prop_map(Move::Pass),
        4 => (1..CROWD.len(), number(), number()).prop_map(|(who, what, of)| Move::Type(who, what, of)),
        4 => (number(), number()).prop_map(|(what, of)| Move::Propose(what, of)),
        3 => (number(), number()).prop_map(|(what, of)| Move::Mend(what, of)),
    ];
    prop::collection::vec(one, length(MOVES))
}

/// A change of a rule with this number. Its words look like parts of a folder.
fn change(what: usize, of: usize, number: u32) -> String {
    const WORDS: [&str; 8] = [
        "Nobody is in a hurry.",
        "# 9 No heading\nWords stand under it.",
        "---\ntitle: None\n---\nBetween lines.",
        "One.\n\n---\n\ntitle: Two",
        "A fence:\n```\n# 7 Within\n```",
        "```law\nbefore(\n```",
        "[3](#days-of-rest) days of rest.\n\n```law\ncondition(\"rest\", || number(\"days-of-rest\"));\n```",
        "  Blanks before and behind, “quoted” and \"quoted\": \\ and `.  ",
    ];
    const TITLES: [&str; 6] = ["Rest", "Votes & Co: \"all\"", "of small letters", "# 5 Five", "Élan", "!?"];
    let (words, title) = (WORDS[of % WORDS.len()], TITLES[of % TITLES.len()].replace('"', "”"));
    let changes = [
        format!("=> create rule \"{title}\":\n~~~~\n{words}\n~~~~"),
        format!("=> create rule \"{title} {of}\" number {}:\n~~~~\n{words}\n~~~~", 400 + of),
        format!("=> rewrite rule {number}:\n~~~~\n{words}\n~~~~"),
        format!("=> append to rule {number}:\n~~~~\n{words}\n~~~~"),
        format!("=> retitle rule {number} to \"{title}\""),
        format!("=> renumber rule {number} to {}", 500 + of),
        format!("=> repeal rule {number}"),
        format!("=> amend rule {number}: replace \"the\" with \"each\""),
        format!("=> set days-of-rest to {of}"),
        format!("=> set open-proposals to {}", 1 + of % 5),
        format!("=> set vote-quorum to {}", of % 4),
    ];
    changes[what % changes.len()].clone()
}

/// What somebody may type; much of it is refused.
fn line(what: usize, of: usize) -> String {
    let whom = CROWD[of % CROWD.len()];
    let lines = [
        "join".to_owned(),
        "leave".to_owned(),
        format!("elect {whom}"),
        format!("reward {whom}"),
        "begin".to_owned(),
        "call".to_owned(),
        format!("judge ask “Is {whom} right?”"),
        format!("vote {} FOR", of % 9),
        "vote No".to_owned(),
        format!("transmute {}", 100 + of % 20),
        "show season".to_owned(),
        "rules".to_owned(),
    ];
    lines[what % lines.len()].clone()
}

/// A room of a ruleset that comes with the program.
struct Room<const SUBER: bool> {
    weeks: Weeks<Nomic>,
}

impl<const SUBER: bool> Room<SUBER> {
    /// The number of some rule.
    fn number(&self, of: usize) -> u32 {
        let view = self.weeks.view();
        let rules = view.rules().rules();
        rules.get(of % rules.len().max(1)).map_or(1, |rule| rule.number())
    }

    /// The rules, written out as a folder and opened anew, are the same.
    fn is_the_same_again(&self) {
        let view = self.weeks.view();
        let files = ruleset::folder_of(view.rules(), &Default::default(), "Mine");
        let files: BTreeMap<&str, &str> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let text = ruleset::of_folder(files).unwrap_or_else(|why| panic!("{}", why.say));
        let options = [("rulebook".to_owned(), json!(text))].into_iter().collect();
        let (name, zone) = ("again".to_owned(), "UTC".to_owned());
        let act = Moderation::Open { name, clock: ClockMode::Live, zone, forum: None, options };
        let deed = Deed::Moderate { by: Doer::default(), act };
        let opened = nomic::table().decide(deed, &Context::bare(view.at()));
        let again = opened.unwrap_or_else(|why| panic!("{}\n{text}", why.say)).after.view();
        assert_eq!(told(&*again), told(&*view), "{text}");
    }
}

/// The rules of a room: number, title, fields and text of each.
fn told(view: &dyn View) -> Vec<(u32, String, String, String)> {
    let rules = view.rules().rules().into_iter();
    let told = |rule: &kernel::rulebook::Rule| {
        let (title, fields) = (rule.label().to_string(), format!("{:?}", rule.fields()));
        (rule.number(), title, fields, rule.text().source().to_string())
    };
    rules.map(told).collect()
}

impl<const SUBER: bool> Crowd for Room<SUBER> {
    type Game = Nomic;
    type Move = Move;

    async fn open(weeks: Weeks<Nomic>) -> Self {
        let mut room = Self { weeks };
        let ruleset = if SUBER { "suber" } else { "club" };
        room.says(CROWD[0], &format!("room open nomic main ruleset:{ruleset}")).await;
        for name in &CROWD[1..] {
            room.says(name, "join").await;
        }
        if SUBER {
            room.says(CROWD[1], "begin").await;
        }
        room.makes(&Move::Propose(0, 0)).await;
        room
    }

    fn weeks(&mut self) -> &mut Weeks<Nomic> {
        &mut self.weeks
    }

    async fn makes(&mut self, one: &Move) {
        match *one {
            Move::Pass(hours) => self.passes(hours).await,
            Move::Type(who, what, of) => drop(self.says(CROWD[who], &line(what, of)).await),
            Move::Propose(what, of) => {
                let change = change(what, of, self.number(of));
                // Whose turn it is proposes, and one at a time is open.
                for who in &CROWD[1..] {
                    let title = if SUBER { "" } else { "\"A change\" " };
                    self.says(who, &format!("propose {title}{change}")).await;
                    self.says(who, "call").await;
                }
                for who in &CROWD[1..] {
                    self.says(who, if SUBER { "vote Yes" } else { "vote \"A change\" FOR" }).await;
                }
                self.passes(VOTE_HOURS).await;
            }
            Move::Mend(what, of) => {
                let change = change(what, of, self.number(of));
                self.says(CROWD[0], &format!("correct gamestate \"{}\" because of chance", change.replace('"', "“")))
                    .await;
            }
        }
        self.is_the_same_again();
    }

    fn holds(&mut self, _before: &Engine<Nomic>, _entry: &Entry) {}
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn what_a_club_has_become_is_a_folder(moves in moves()) {
        play::<Room<false>>(&moves);
    }

    #[test]
    fn what_the_set_of_1982_has_become_is_a_folder(moves in moves()) {
        play::<Room<true>>(&moves);
    }
}
