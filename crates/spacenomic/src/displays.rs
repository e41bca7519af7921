//! Where each display stands in the list of them, and the colours of rules (S34).
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows.

use super::{game::Spacenomic, law::version};
use kernel::{
    Display, Mechanic, State,
    display::{Cell, Document, cells},
    rulebook::Rule,
};

// Where each display stands in the list of them: what is looked at most comes first.
pub(super) const PEOPLE: u8 = 0;
pub(super) const SPACE: u8 = 1;
pub(super) const MOVES: u8 = 2;
pub(super) const BALLOT: u8 = 3;
pub(super) const CLOCK: u8 = 4;
pub(super) const PROPOSALS: u8 = 5;
pub(super) const REQUESTS: u8 = 6;
pub(super) const COLOURS: u8 = 7;
pub(super) const ENCOURAGED: u8 = 8;
pub(super) const DECIMALS: u8 = 9;
pub(super) const EACH_PROPOSAL: u8 = 10;
pub(super) const LAWS: u8 = 11;

/// The displays of more than one mechanic, as one.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let shown = Display::new("colours", |state, _| Ok(colours(state))).also("colors").listed(COLOURS);
    Mechanic::new("displays").display(shown)
}

/// The rules with their versions and colours (S19, S34).
fn colours(state: &State<Spacenomic>) -> Document {
    let row = |rule: &Rule| {
        let number = rule.number().to_string();
        cells![
            Cell::new(number.clone()).showing(format!("rule/{number}")),
            rule.label(),
            version(rule).to_string(),
            rule.field("colour").unwrap_or("none"),
        ]
    };
    let rows = state.rules.rules().into_iter().map(row);
    Document::titled("colours", "Rules of Spacenomic, with version and colour")
        .table(["", "name", "version", "colour"], rows)
}
