//! What people may look at: the displays that ministries owe.
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows.

use super::{game::BNomic, keeping, precedence, registry};
use kernel::{Game, Outcome, State, game::Viewer};

/// A display by id, as people see it.
///
/// # Errors
///
/// A [`kernel::Refusal`] where there is none.
pub(super) fn show(state: &State<BNomic>, id: &str, viewer: &Viewer) -> Outcome {
    BNomic::mechanics().show(state, id, viewer)
}

/// A display by id, as it is published where a Minister does that: those that are shown in brief are whole, and nothing is
/// said of how it stands to what was published before.
///
/// # Errors
///
/// A [`kernel::Refusal`] where there is none.
pub(super) fn of(state: &State<BNomic>, id: &str, viewer: &Viewer) -> Outcome {
    match id.trim_matches('/') {
        "registry" => Ok(registry::show(state)),
        "powers" => Ok(precedence::powers(state)),
        id => BNomic::mechanics().page(state, id, viewer),
    }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ministries;
    use kernel::display::Block;
    use kernel::{
        Instant,
        dice::Seed,
        engine::{Context, Engine, Table},
        frame::ClockMode,
        game::{Deed, Doer, Moderation},
        mechanic::no_display,
    };

    fn opened() -> State<BNomic> {
        let context = Context {
            now: Instant::UNIX_EPOCH,
            seed: Seed([1; 32]),
            fresh: Seed([2; 32]),
            salt: [0; 16],
            opened: Default::default(),
            would_be: Vec::new(),
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
        for cell in BNomic::mechanics().listed(&state) {
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

    /// The list begins with those that there always are, and each has the names that it had.
    #[test]
    fn displays_are_found_by_their_names() {
        let state = opened();
        let listed = BNomic::mechanics().listed(&state);
        let ids: Vec<&str> = listed.iter().filter_map(|cell| cell.completes.as_deref()).collect();
        let fixed = [
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
        assert_eq!(ids[..fixed.len()], fixed);
        let title = |id: &str| show(&state, id, &Viewer::default()).map(|document| document.title);
        for (id, other) in [("time", "clock"), ("registrar", "society"), ("/registry/", "registry")] {
            assert_eq!(title(id), title(other), "{id}");
        }
        for id in &ids[fixed.len()..] {
            assert_eq!(title(&id.replace('-', "/")), title(id), "words of a name are parted like an id");
        }
        for id in ["", "clock/1", "proposal", "proposal/1/2", "precedence/15", "nothing"] {
            assert_eq!(title(id), Err(no_display::<BNomic>()), "{id}");
        }
    }

    /// Each display is kept by a ministry that a rule names, or is about the program's own things.
    #[test]
    fn every_display_is_kept_by_a_ministry() {
        let state = opened();
        for cell in BNomic::mechanics().listed(&state) {
            let id = cell.completes.expect("each is named");
            let by = kept_by(&state, &id).unwrap_or_else(|| panic!("{id} is kept by no ministry"));
            assert!(ministries::find(&state, &by).is_ok(), "{by} is no ministry");
        }
    }
}
