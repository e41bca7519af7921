//! What directives mean: whatever the world and the rules hold, as laws declare it. No rule forbids anything by itself.

use super::{D, Nomic};
use kernel::{
    Id, Mechanic, Refusal, State,
    directives::{Amending, Lawful, Names, words},
    display::Document,
    entry::Audience,
    speech::Speech,
};
use kit::effects;

/// What is said of a text without directives.
const PROSE: &str = "It holds no directive: a moderator enters what it says.";
/// What caused a change that a moderator made outside the rules.
const CORRECTION: &str = "a correction by a moderator";

/// What a moderator changes outside the rules, as a mechanic.
pub(super) fn mechanic() -> Mechanic<Nomic> {
    Mechanic::new("effects").corrects(|path, to, d| (path == "gamestate").then(|| mend(to, d)))
}

impl Names for Nomic {}

impl Amending for Nomic {
    fn cited(rule: &kernel::rulebook::Rule) -> String {
        format!("rule {}, {}", rule.number(), rule.label())
    }

    fn untitled(number: u32) -> Result<String, Refusal> {
        Ok(format!("Rule {number}"))
    }
}

impl Lawful for Nomic {
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

/// A moderator changes the game by directives, all or none, outside the rules and on the record as such.
///
/// # Errors
///
/// A [`Refusal`] for a line that is no directive, or that cannot be done.
fn mend(text: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let text = &if text.contains('\n') { text.to_owned() } else { text.replace(" => ", "\n=> ") };
    if effects::read::<Nomic>(text)?.count() == 0 {
        return Err(Refusal::new("write what shall be as a directive")
            .instead("correct gamestate \"=> set points of Ann to 3\" because it was forgotten"));
    }
    let blocks = effects::carry_out(d, text, CORRECTION, PROSE)?;
    d.say(Audience::Public, Document { blocks, ..Document::default() });
    Ok(())
}
