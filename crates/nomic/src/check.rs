//! What a ruleset would bring, before anybody plays it: each law read and tried, in a room in memory.

use serde_json::{Map, json};

use super::RULEBOOK;
use kernel::{
    Instant, Refusal,
    deed::{Deed, Moderation},
    dice::{SEED_BYTES, Seed},
    doer::Doer,
    engine::{Context, Table},
    frame::ClockMode,
};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What rules add: commands, displays, followers. Also what went wrong when a function was tried once.
    pub brings: Vec<String>,
    /// What is wrong, or probably not meant.
    pub wrong: Vec<String>,
}

/// What the functions that are tried say where they go wrong.
const TRIED: &str = "tried once";

/// Opens a ruleset in an unopened room at an instant, and says what is wrong with it.
///
/// # Errors
///
/// A [`Refusal`] where it cannot be opened.
pub fn check(unopened: &dyn Table, text: &str, at: Instant) -> Result<Checked, Refusal> {
    let context = Context { seed: Seed([0; SEED_BYTES]), ..Context::bare(at) };
    let options = Map::from_iter([(RULEBOOK.to_owned(), json!(text))]);
    let (name, zone) = ("check".to_owned(), "UTC".to_owned());
    let act = Moderation::Open { name, clock: ClockMode::Live, zone, forum: None, options };
    let opened = unopened.decide(Deed::Moderate { by: Doer::default(), act }, &context)?;
    let view = opened.after.view();
    let (tried, brings) = view.brings().into_iter().partition(|line| line.starts_with(TRIED));
    let mut wrong = view.warnings();
    wrong.extend::<Vec<String>>(tried);
    Ok(Checked { brings, wrong })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{shipped, table};

    fn at() -> Instant {
        "2026-11-02T10:00:00Z".parse().unwrap()
    }

    /// Nothing is wrong with what is shipped.
    #[test]
    fn shipped_rulesets_are_sound() {
        for name in shipped::names() {
            let found = check(&*table(), &shipped::text(name).unwrap(), at()).unwrap();
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
        let sound = wrong("after(\"join\", |a| { admit(a.by); });");
        assert!(!sound.contains('\n') && sound.starts_with("Players could not change rules any more"), "{sound}");
    }
}
