//! What a ruleset would bring, before anybody plays it: each law read and tried, in a room in memory.

use serde_json::json;

use super::{Nomic, RULEBOOK, people::NOBODY};
use kernel::{
    Game, Instant, Refusal,
    deed::{Deed, Moderation},
    dice::{SEED_BYTES, Seed},
    display,
    doer::Doer,
    engine::{Context, Table},
    frame::{ClockMode, Standing},
};
use laws::{AGAIN, ruleset};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What rules add: commands, displays, followers. Also what went wrong when a function was tried once.
    pub brings: Vec<String>,
    /// What is wrong, or probably not meant.
    pub wrong: Vec<String>,
}

/// Who opens the room, where a game makes a player of em.
const CHECKER: &str = "Checker";

/// Who asks to play.
const NEWCOMER: &str = "Newcomer";

/// What the functions that are tried say where they go wrong.
const TRIED: &str = "tried once";

/// Opens a ruleset in an unopened room at an instant, or lays it into a room of the game that it is written for, and says
/// what is wrong with it.
///
/// # Errors
///
/// A [`Refusal`] where it cannot be opened or laid in.
pub fn check(unopened: &dyn Table, text: &str, at: Instant) -> Result<Checked, Refusal> {
    let context = Context { seed: Seed([0; SEED_BYTES]), ..Context::bare(at) };
    let is_nomic = unopened.view().game() == Nomic::NAME;
    let options = is_nomic.then(|| (RULEBOOK.to_owned(), json!(text)));
    let options = options.into_iter().collect();
    let (name, zone) = ("check".to_owned(), "UTC".to_owned());
    let by = Doer { name: CHECKER.to_owned(), ..Doer::default() };
    let act = Moderation::Open { name, clock: ClockMode::Live, zone, forum: None, options };
    let opened = unopened.decide(Deed::Moderate { by, act }, &context)?;
    let view = opened.after.view();
    if !is_nomic {
        let page = view.check_law(&ruleset::read(text)?.directives())?;
        let mut brings = display::lines(&page);
        let at = brings.iter().position(|line| line == AGAIN).unwrap_or(brings.len());
        let wrong = brings.split_off(at).into_iter().skip(1);
        let wrong = wrong.map(|line| line.trim_start_matches("- ").to_owned()).collect();
        return Ok(Checked { brings, wrong });
    }
    let (tried, brings) = view.brings().into_iter().partition(|line| line.starts_with(TRIED));
    let mut wrong = view.warnings();
    wrong.extend::<Vec<String>>(tried);
    if !wrong.iter().any(|line| line == NOBODY) {
        wrong.extend(nobody_joins(&*opened.after, &context));
    }
    Ok(Checked { brings, wrong })
}

/// Has somebody ask to play, and says so where e does not play then: nobody would be there to admit em.
fn nobody_joins(room: &dyn Table, context: &Context) -> Option<String> {
    let by = Doer { name: NEWCOMER.to_owned(), person: NEWCOMER.into() };
    let asks = Deed::Act {
        by,
        command: "join".to_owned(),
        invocation: json!({ "join": { "name": NEWCOMER } }),
        public: true,
        private: false,
        forum: None,
        followed: false,
    };
    let told = "Nobody could begin to play: the first who typed “join” was no player then";
    match room.decide(asks, context) {
        Err(why) => Some(format!("{told}: {}.", why.say)),
        Ok(joined) => {
            let view = joined.after.view();
            let plays = view.frame().seats.values().any(|seat| seat.standing == Standing::Player);
            (!plays).then(|| format!("{told}."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;
    use laws::shipped;

    fn at() -> Instant {
        "2026-11-02T10:00:00Z".parse().unwrap()
    }

    /// Nothing is wrong with the rulesets that are played here.
    #[test]
    fn shipped_rulesets_are_sound() {
        let played = |text: &String| ruleset::read(text).unwrap().game().is_none_or(|game| game == Nomic::NAME);
        for (name, text) in shipped::names()
            .into_iter()
            .map(|name| (name, shipped::text(name).unwrap()))
            .filter(|(_, text)| played(text))
        {
            let found = check(&*table(), &text, at()).unwrap();
            assert_eq!(found.wrong, Vec::<String>::new(), "{name}");
            assert!(found.brings.len() > 10, "{name}: {:?}", found.brings);
        }
    }

    #[test]
    fn what_is_wrong_with_a_law_is_found_before_anybody_plays() {
        let wrong = |law: &str| {
            check(&*table(), &format!("# 1 A\nWords.\n```law\n{law}\n```\n"), at()).unwrap().wrong.join("\n")
        };
        assert!(wrong("action(\"x\" [], |a| 1);").contains("cannot be read"));
        assert!(wrong("after(\"join\", |a| sya(\"x\"));").contains("“say” comes nearest"));
        assert!(wrong("after(\"join\", |a| admit(a.bye));").contains("“bye”"));
        assert!(wrong("action(\"x\", [], |a| { while true {} });").contains("more operations"));
        for law in ["say(\"hello\")", "refuse(\"no\")", "{ require(count(\"player\") > 5, \"no\"); admit(a.by); }"] {
            let told = wrong(&format!("after(\"join\", |a| {law});"));
            assert!(told.contains("Nobody could begin to play"), "{law}: {told}");
        }
        let sound = wrong("after(\"join\", |a| { admit(a.by); });");
        assert!(!sound.contains('\n') && sound.starts_with("Players could not change rules any more"), "{sound}");
    }
}
