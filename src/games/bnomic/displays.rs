//! What people may look at: the displays that ministries owe.
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows.

use super::{
    BNomic, Refusal, State, calendar, clock,
    display::{Block, Cell, Document},
    effects, emergency, foreign, intents, ministries, obligations, precedence,
    proposals::{self, Status},
    quantities, society, timetable, tweaks, victory,
};
use crate::kernel::game::Viewer;

/// Proposals that the list of displays names, the latest first: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

/// The displays, for completion and for lists.
pub(super) fn list(state: &State<BNomic>) -> Vec<Cell> {
    let fixed = [
        "clock",
        "schedule",
        "society",
        "requests",
        "ministries",
        "proposals",
        "ballot",
        "intents",
        "tweaks",
        "relations",
        "duties",
        "victory",
        "powers",
        "quantities",
        "eras",
    ]
    .map(str::to_owned);
    let mut made = proposals::all(state, Status::Open);
    made.extend(proposals::all(state, Status::Pending));
    made.extend(proposals::all(state, Status::Historical).into_iter().rev());
    let made = made.into_iter().take(LISTED_MAX_COUNT).map(|id| id.to_string());
    fixed.into_iter().chain(made).map(|id| Cell::new(id.clone()).completing(id.clone()).showing(id)).collect()
}

/// A display by id.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn show(state: &State<BNomic>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let parts: Vec<&str> = id.trim_matches('/').split('/').collect();
    Ok(match parts[..] {
        ["clock" | "time"] => clock::show(state, viewer),
        ["schedule"] => timetable::show(state),
        ["society" | "registrar"] => society::show(state),
        ["requests"] => society::show_requests(state),
        ["ministries"] => ministries::show(state),
        ["proposals"] => proposals::list(state),
        ["ballot"] => proposals::ballot(state),
        ["proposal", number] => proposals::show(state, number, viewer)?,
        ["dryrun", number] => effects::show(state, number)?,
        ["intents"] => intents::show(state),
        ["tweaks"] => tweaks::show(state),
        ["relations"] => foreign::show(state),
        ["duties"] => obligations::show(state),
        ["victory"] => victory::show(state),
        ["powers"] => precedence::powers(state),
        ["precedence", a, b] => precedence::show(state, a, b)?,
        ["emergency"] => emergency::show(state),
        ["quantities"] => all_quantities(state),
        ["eras"] => calendar::eras(),
        _ => return Err(Refusal::new("this room has no display of that name").instead("show clock")),
    })
}

/// The ministry that keeps a display, by name.
pub(super) fn kept_by(display: &str) -> Option<&'static str> {
    Some(match display.split('/').next()?.to_lowercase().as_str() {
        "rules" | "rule" | "powers" | "victory" => "Law",
        "clock" | "intents" | "schedule" => "Time",
        "society" | "requests" | "forums" => "Society",
        "proposals" | "proposal" | "ballot" | "tweaks" => "Change",
        "relations" => "Foreign Relations",
        "ministries" | "emergency" | "duties" | "quantities" => "Ministry",
        _ => return None,
    })
}

fn all_quantities(state: &State<BNomic>) -> Document {
    let mut rows: Vec<Vec<Cell>> = quantities::names(state)
        .into_iter()
        .map(|(name, number)| vec![Cell::new(name), Cell::new(number.to_string())])
        .collect();
    for name in ["an insane number", "a quiggle"] {
        if let Ok(number) = quantities::read(state, name) {
            rows.push(vec![Cell::new(name), Cell::new(format!("{number} now"))]);
        }
    }
    Document::titled("quantities", "Official quantities")
        .with(Block::Table { head: vec![String::new(), String::new()], rows })
}
