//! What directives mean: whatever the world and the rules hold, as laws declare it. No rule forbids anything by itself.

use super::{D, Nomic, people, rules};
use kernel::{
    Id, Mechanic, Refusal, State,
    directives::{Amending, Lawful, Names, Setting, words},
    speech::Speech,
};
use kit::effects;

/// How a moderator changes the game.
const MENDED: &str = "correct gamestate \"=> set points of Ann to 3\" because it was forgotten";

/// What is said where no law changes rules.
const NO_WAY: &str = "Players could not change rules any more: nothing would lead to a law that calls “apply”.";

/// What a moderator changes outside the rules, as a mechanic.
pub(super) fn mechanic() -> Mechanic<Nomic> {
    let no_way = |state: &State<Nomic>| laws::ways(state).is_empty().then(|| NO_WAY.to_owned()).into_iter().collect();
    Mechanic::new("effects")
        .corrects(|path, to, d| (path == "gamestate").then(|| effects::mend(to, MENDED, d)))
        .warns(no_way)
}

impl Names for Nomic {
    fn group(state: &State<Self>, words: &str) -> Option<Vec<Id>> {
        laws::class(state, words)
    }

    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        state.world.of_kind(kind).filter(|obj| people::taken_for(state, obj).as_ref() == Some(kind)).cloned().collect()
    }

    fn find(state: &State<Self>, words: &str) -> Result<Id, Refusal> {
        rules::find(state, words).map_or_else(|| words::named(state, words), Ok)
    }
}

impl Amending for Nomic {
    fn cited(rule: &kernel::rulebook::Rule) -> String {
        format!("rule {}, {}", rule.number(), rule.label())
    }

    fn untitled(number: u32) -> Result<String, Refusal> {
        Ok(format!("Rule {number}"))
    }
}

impl Lawful for Nomic {
    fn appoint(d: &mut D<'_>, who: &Id, office: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
        laws::appoint(d, who, office, setting)
    }

    fn create(d: &mut D<'_>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        may_be_made(d, kind)?;
        words::create(d, kind, name).map(|()| None)
    }

    fn destroy(d: &mut D<'_>, obj: &Id) -> Result<Option<String>, Refusal> {
        let kind = d.world.kind(obj).cloned().unwrap_or_else(|| "".into());
        may_be_made(d, &kind)
            .map_err(|_| Refusal::new(format!("{} is not destroyed by a directive", Nomic::called(d, obj))))?;
        words::destroy(d, obj).map(|()| None)
    }
}

/// Refuses kinds that no rule knows, and people.
fn may_be_made(state: &State<Nomic>, kind: &Id) -> Result<(), Refusal> {
    if laws::is_kind(state, kind) {
        return Ok(());
    }
    Err(Refusal::new(format!("the rules know no kind “{kind}” that can be made")))
}
