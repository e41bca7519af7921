//! What people may look at: the displays that ministries owe.
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows.

use super::{
    BNomic, Refusal, State, calendar, clerk, clock,
    display::{Block, Cell, Document},
    effects, emergency,
    figures::JIFFY_RDAYS,
    foreign, intents, keeping, ministries, obligations, passing, precedence,
    proposals::{self, Status},
    quantities, registry, society, timetable, tweaks, victory,
};
use kernel::{display::counted, game::Viewer};

/// Proposals that the list of displays names, the latest first: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

/// The displays that there always are, of those that show more than one thing.
const FIXED: [&str; 19] = [
    "clock",
    "calendar",
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
    "emergency",
    "victory",
    "powers",
    "attributes",
    "registry",
    "quantities",
    "eras",
];

/// The displays, for completion and for lists.
pub(super) fn list(state: &State<BNomic>) -> Vec<Cell> {
    let kept = keeping::all(state).into_iter().map(|keeping| (keeping.display.clone(), keeping.about(state)));
    let fixed = FIXED.map(|id| (id.to_owned(), id.to_owned())).into_iter().chain(kept);
    let mut made = proposals::all(state, Status::Open);
    made.extend(proposals::all(state, Status::Pending));
    made.extend(proposals::all(state, Status::Historical).into_iter().rev());
    let made = made.into_iter().take(LISTED_MAX_COUNT).map(|id| id.to_string());
    let made = made.map(|id| (id.clone(), id));
    fixed.chain(made).map(|(id, text)| Cell::new(text).completing(id.clone()).showing(id)).collect()
}

/// A display by id.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn show(state: &State<BNomic>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    // Where nearly all is as at first, only what is not would be looked for.
    let document = match id.trim_matches('/') {
        "registry" => registry::brief(state),
        "powers" => precedence::brief(state),
        _ => of(state, id, viewer)?,
    };
    Ok(match clerk::standing(state, id.trim_matches('/')) {
        Some(standing) => document.para(standing),
        None => document,
    })
}

/// A display by id, as it is published where a Minister does that.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
pub(super) fn of(state: &State<BNomic>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let parts: Vec<&str> = id.trim_matches('/').split('/').collect();
    Ok(match parts[..] {
        ["clock" | "time"] => clock::show(state, viewer),
        ["schedule"] => timetable::show(state),
        ["society" | "registrar"] => society::show(state),
        ["requests"] => society::show_requests(state),
        ["ministries"] => ministries::show(state),
        ["proposals"] => proposals::list(state),
        ["ballot"] => proposals::ballot(state),
        ["ballot", nweek] => proposals::former_ballot(state, nweek)?,
        ["results"] => passing::results(state, None)?,
        ["results", nweek] => passing::results(state, Some(nweek))?,
        ["proposal", number] => proposals::show(state, number, viewer)?,
        ["dryrun", number] => effects::show(state, number)?,
        ["intents"] => intents::show(state),
        ["intent", number] => intents::show_one(state, number)?,
        ["tweaks"] => tweaks::show(state),
        ["relations"] => foreign::show(state),
        ["duties"] => obligations::show(state),
        ["victory"] => victory::show(state),
        ["powers"] => precedence::powers(state),
        ["precedence", a, b] => precedence::show(state, a, b)?,
        ["emergency"] => emergency::show(state),
        ["quantities"] => all_quantities(state),
        ["attributes"] => registry::show_attributes(state),
        ["registry"] => registry::show(state),
        ["calendar"] => calendar::show(state),
        ["eras"] => calendar::eras(),
        // Words of a name are parted like the parts of an id.
        _ => keeping::show(state, id)
            .ok_or_else(|| Refusal::new("this room has no display of that name").instead("show clock"))?,
    })
}

/// A display that is called by several words, of which a command took the first for all: `fun and games wrong`; and the text
/// behind it.
pub(super) fn widened<'t>(state: &State<BNomic>, display: &str, text: &'t str) -> (String, &'t str) {
    /// Most words of a name: a title has no more that anybody would type.
    const NAME_MAX_WORDS: usize = 8;
    let (mut name, mut rest) = (display.trim().to_owned(), text.trim_start());
    for _ in 0..NAME_MAX_WORDS {
        if kept_by(state, &name).is_some() {
            return (name, rest);
        }
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        (name, rest) = (format!("{name} {word}"), behind.trim_start());
    }
    (display.to_owned(), text)
}

/// The ministry that keeps a display, by name.
pub(super) fn kept_by(state: &State<BNomic>, display: &str) -> Option<String> {
    let head = display.split('/').next()?.to_lowercase();
    let own = KEPT.iter().find(|(_, displays)| displays.contains(&&*head)).map(|(ministry, _)| (*ministry).to_owned());
    own.or_else(|| Some(keeping::named(state, &head)?.office))
}

/// Whether a display is one of those that the program knows without a rule's header.
pub(super) fn is_own(display: &str) -> bool {
    KEPT.iter().any(|(_, displays)| displays.contains(&display))
}

/// The displays that each ministry keeps (B51.1).
const KEPT: [(&str, &[&str]); 6] = [
    ("Law", &["rules", "rule", "powers", "victory"]),
    ("Time", &["clock", "calendar", "intents", "intent", "schedule"]),
    ("Society", &["society", "requests", "forums"]),
    ("Change", &["proposals", "proposal", "ballot", "results", "tweaks"]),
    ("Foreign Relations", &["relations"]),
    ("Ministry", &["ministries", "emergency", "duties", "quantities", "attributes", "registry", "eras"]),
];

/// The displays that a ministry keeps, in words; those of single things stand for themselves.
pub(super) fn kept(state: &State<BNomic>, ministry: &str) -> String {
    let single = ["rule", "intent", "proposal"];
    let own = KEPT.iter().filter(|(name, _)| name.eq_ignore_ascii_case(ministry)).flat_map(|(_, displays)| *displays);
    let own = own.filter(|display| !single.contains(display)).map(|display| (*display).to_owned());
    let by_header = keeping::all(state).into_iter().filter(|keeping| keeping.office.eq_ignore_ascii_case(ministry));
    own.chain(by_header.map(|keeping| keeping.display)).collect::<Vec<_>>().join(", ")
}

fn all_quantities(state: &State<BNomic>) -> Document {
    let mut rows: Vec<Vec<Cell>> = quantities::names(state)
        .into_iter()
        .map(|(name, number)| vec![Cell::new(quantities::written(state, &name)), Cell::new(number.to_string())])
        .collect();
    for name in ["An Insane Number", "A Quiggle", "A Quorum"] {
        if let Ok(number) = quantities::read(state, name) {
            rows.push(vec![Cell::new(name), Cell::new(format!("{number} now"))]);
        }
    }
    if let Ok(rdays) = state.rules.need_count(&JIFFY_RDAYS) {
        rows.push(vec![Cell::new("A Jiffy"), Cell::new(counted(rdays, "rday"))]);
    }
    Document::titled("quantities", "Official quantities of B Nomic")
        .with(Block::Table { head: vec![String::new(), String::new()], rows })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use kernel::{
        Instant,
        dice::Seed,
        engine::{Context, Engine, Table},
        frame::ClockMode,
        game::{Deed, Doer, Moderation},
    };

    fn opened() -> State<BNomic> {
        let context = Context {
            now: Instant::UNIX_EPOCH,
            seed: Seed([1; 32]),
            fresh: Seed([2; 32]),
            salt: [0; 16],
            opened: Default::default(),
            fixed: Default::default(),
        };
        let by = Doer { person: "p1".into(), name: "Ann".to_owned() };
        let act = Moderation::Open {
            name: "main".to_owned(),
            clock: ClockMode::Live,
            zone: "UTC".to_owned(),
            forum: None,
            options: Default::default(),
        };
        let step = Engine::<BNomic>::default().decide(Deed::Moderate { by, act }, &context).expect("the room opens");
        let mut engine = Engine::<BNomic>::default();
        engine.fold(&step.entry.expect("it has an entry")).expect("it can be folded");
        engine.state().clone()
    }

    /// B51.1: whatever the registry holds stands on some display.
    #[test]
    fn b51_1_every_attribute_of_every_object_is_on_a_display() {
        let state = opened();
        let mut shown = BTreeSet::new();
        for cell in list(&state) {
            let id = cell.completes.expect("each is named");
            let document = of(&state, &id, &Viewer::default()).expect("each can be shown");
            for block in document.blocks {
                if let Block::Table { rows, .. } = block {
                    shown.extend(rows.into_iter().flatten().filter_map(|cell| cell.source));
                }
            }
        }
        for obj in state.world.objects() {
            let kind = state.world.kind(obj).expect("each has a kind");
            for def in state.world.defs().filter(|def| def.covers(kind)) {
                let at = kernel::Path::new(obj.clone(), def.id.clone());
                assert!(shown.contains(&at), "{at} is on no display");
            }
        }
    }

    /// Each display is kept by a ministry that a rule names, or is about the program's own things.
    #[test]
    fn every_display_is_kept_by_a_ministry() {
        let state = opened();
        for cell in list(&state) {
            let id = cell.completes.expect("each is named");
            let by = kept_by(&state, &id).unwrap_or_else(|| panic!("{id} is kept by no ministry"));
            assert!(ministries::find(&state, &by).is_ok(), "{by} is no ministry");
        }
    }
}
