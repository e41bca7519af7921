//! How a room opens: the contract with its contestmaster's name in it, and a seat for whoever opens it.
//!
//! This is above all mechanics. What the contract says at first stands in `rulebook`; the contest begins later (`start`).

use serde_json::{Map, Value as Json};

use super::{
    contract::{seat, settle},
    edits, figures,
    game::D,
    points, reading,
};
use kernel::{Refusal, display::Document};

/// The opening option that names the contestmaster.
const OFFICER: &str = "officer";

/// The opening option that chooses the text of CURRENT TOURNAMENT.
const PRESET: &str = "preset";

/// Opens a room: enacts the contract with its contestmaster's name in it, and seats whoever opens it.
///
/// # Errors
///
/// A [`Refusal`] where the options are not this game's.
pub(super) fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
    if let Some(other) = options.keys().find(|key| ![OFFICER, PRESET].contains(&key.as_str())) {
        return Err(Refusal::new(format!("the joust has no option “{other}”; it has {OFFICER} and {PRESET}")));
    }
    let preset = match options.get(PRESET) {
        None => figures::PRESETS[0].0,
        Some(Json::String(name)) => edits::preset(name)?.0,
        Some(_) => return Err(Refusal::new(format!("{PRESET} is a name"))),
    };
    let opener = seat(d)?;
    let named = match options.get(OFFICER) {
        None => d.frame.name_of(&opener).to_owned(),
        Some(Json::String(name)) if !name.trim().is_empty() => name.trim().to_owned(),
        Some(_) => return Err(Refusal::new(format!("{OFFICER} is a name"))),
    };
    for op in reading::contract(&named, preset)? {
        d.rule(op);
    }
    points::define(d);
    settle(d);
    d.tell_all(format!(
        "A Brainfuck Joust contest is open here. {named} is contestmaster and begins it with “⁅joust start⁆”; programs sent before wait for that."
    ));
    Ok(Document::say(format!("The contract is in place; {named} is contestmaster.")))
}
