//! Encouragement (S37): the list of things that players are encouraged to do.
//!
//! Proposals put things on it and take them off.

use super::{
    displays,
    game::{D, Spacenomic},
    law::Thing,
    stats::{ENCOURAGED, THE_GAME},
};
use kernel::{
    Display, Mechanic, Refusal, State, Value, Verb,
    directives::{Lawful, syntax::unquote},
    display::{Block, Cell, Document},
    world::Op,
};

// ---- the mechanic

/// Encouragement as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let shown = Display::new("encouraged", |state, _| Ok(show(state)));
    Mechanic::new("encouragement")
        .verb(Verb::new(&["encourage"], |said, d| encourage(d, said.sentence(), true)))
        .verb(Verb::new(&["discourage"], |said, d| encourage(d, said.sentence(), false)))
        .display(shown.listed(displays::ENCOURAGED))
}

/// Puts something on the list of encouraged things, or takes it off (S37).
fn encourage(d: &mut D<'_>, what: &str, on: bool) -> Result<Option<String>, Refusal> {
    let by = Thing::Encouragement.rule(&d.rules);
    if !Thing::Encouragement.is_in(&d.rules) {
        return Err(Refusal::new("no rule has a list of encouraged things").by(by));
    }
    let what = unquote(what).trim().to_owned();
    if what.is_empty() {
        return Err(Refusal::new(
            "it does not say what players are encouraged to do: write “=> encourage drinking tea”",
        )
        .by(by));
    }
    let at = ENCOURAGED.of(&THE_GAME.into());
    let mut list = d.world.get(&ENCOURAGED, &THE_GAME.into()).unwrap_or_default();
    let item = Value::Text(what.clone());
    match (on, list.contains(&item)) {
        (true, true) => Err(Refusal::new(format!("“{what}” is encouraged already")).by(by)),
        (false, false) => Err(Refusal::new(format!("“{what}” is not encouraged")).by(by)),
        (false, true) => {
            d.op(Op::Remove { at, item });
            Ok(None)
        }
        (true, false) => {
            list.push(item.clone());
            Spacenomic::fits(d, &at, &Value::List(list))?;
            d.op(Op::Insert { at, item });
            Ok(None)
        }
    }
}

/// The list of encouraged things (S37).
fn show(state: &State<Spacenomic>) -> Document {
    let list = state.world.get(&ENCOURAGED, &THE_GAME.into()).unwrap_or_default();
    let document = Document::titled("encouraged", "What players are encouraged to do");
    if list.is_empty() {
        return document.para("Nothing yet. A proposal with “=> encourage SOMETHING” puts something here.");
    }
    document.with(Block::List(list.iter().map(|item| Cell::new(item.to_string())).collect()))
}
