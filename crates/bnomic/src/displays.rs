//! The displays that ministries owe.
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows. The
//! ministry of each stands in `keeping`.

use super::{game::BNomic, keeping::kept_by};
use kernel::{Game, Outcome, State, viewer::Viewer};

/// A display by id, as people see it.
///
/// # Errors
///
/// A [`kernel::Refusal`] where there is none.
pub(super) fn show(state: &State<BNomic>, id: &str, viewer: &Viewer) -> Outcome {
    BNomic::mechanics().show(state, id, viewer)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{ministries::posts, stats};
    use kernel::display::Block;
    use kernel::{
        Instant,
        deed::{Deed, Moderation},
        dice::Seed,
        directives::Names,
        doer::Doer,
        engine::{Context, Engine, Table},
        frame::ClockMode,
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
        let (mut shown, mut lines) = (BTreeSet::new(), Vec::new());
        for cell in BNomic::mechanics().listed(&state) {
            let id = cell.completes.expect("each is named");
            let document = show(&state, &id, &Viewer::default()).expect("each can be shown");
            for block in document.blocks {
                match block {
                    Block::Table { rows, .. } => {
                        shown.extend(rows.into_iter().flatten().filter_map(|cell| cell.source))
                    }
                    Block::List(cells) => lines.extend(cells.into_iter().map(|cell| cell.text)),
                    Block::Para(line) => lines.push(line),
                    _ => {}
                }
            }
        }
        for obj in state.world.objects() {
            let kind = state.world.kind(obj).expect("each has a kind");
            for def in state.world.defs_for(kind) {
                let at = kernel::Path::new(obj.clone(), def.id.clone());
                // What many have alike stands in one line: “each trophy: score 0”, “Every rule: Power 1/2.”
                let value = format!("{} {}", def.id, stats::shown(&state, &def.id, &BNomic::value(&state, &at)));
                let of = [&**kind, &*stats::called(&state, obj)];
                let told = |line: &String| {
                    line.to_lowercase().contains(&value.to_lowercase()) && of.iter().any(|of| line.contains(of))
                };
                assert!(shown.contains(&at) || lines.iter().any(told), "{at} is on no display");
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
            assert!(posts::find(&state, &by).is_ok(), "{by} is no ministry");
        }
    }
}
