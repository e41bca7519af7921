//! What goes on about one thing that people act on, such as a proposal: what is still needed and until when, what would
//! come of it, and what happened about it.

use std::sync::Arc;

use super::{
    commands::{
        record::{self, Wanted},
        show,
    },
    deed::NotDone,
    gallery::stranger,
    hub::{Handle, Hub},
};
use kernel::{
    Instant,
    display::Document,
    engine::View,
    time::ahead,
    viewer::Viewer,
    waiting::{End, Waiting, Wants},
};
use port::gallery::Beside;

/// What stands before the number of a proposal, and before that of what it would do.
const PROPOSAL: &str = "proposal/";
const DRY_RUN: &str = "dryrun/";

/// Most entries that are told of about one thing.
const ENTRIES_MAX_COUNT: usize = 30;

/// How far back is looked for them, in entries.
const LOOK_BACK_ENTRIES: u64 = 5_000;

impl Hub {
    /// What goes on about a thing; nothing about what is no single thing that people number.
    pub(super) async fn beside(&self, handle: &Arc<Handle>, display: &str) -> Result<Option<Beside>, NotDone> {
        let numbered = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if !display.split_once('/').is_some_and(|(kind, name)| !kind.is_empty() && numbered(name)) {
            return Ok(None);
        }
        let view = handle.view();
        let now = self.moment_of(&*view);
        let waiting = view.waiting().into_iter().filter(|waits| waits.display == display);
        let wanted = Wanted { about: Some(display), ..Wanted::default() };
        let found = record::search(self, handle, &wanted, ENTRIES_MAX_COUNT, LOOK_BACK_ENTRIES).await?;
        Ok(Some(Beside {
            needs: waiting.flat_map(|waits| needs(&*view, &waits, now)).collect(),
            outcome: self.outcome(handle, display, now),
            entries: found.entries.iter().map(|entry| record::happened(&*view, entry, &stranger())).collect(),
            older: found.rest,
        }))
    }

    /// What would come of a proposal that waits.
    fn outcome(&self, handle: &Arc<Handle>, display: &str, now: Instant) -> Option<Document> {
        let view = handle.view();
        let number = display.strip_prefix(PROPOSAL).and_then(|number| number.parse::<u64>().ok());
        let number = number.filter(|number| view.proposed().iter().any(|(waits, _)| waits == number))?;
        let viewer = Viewer { now, ..stranger() };
        let mut document = show::document(&*view, &format!("{DRY_RUN}{number}"), &viewer).ok()?;
        view.frame().redaction_now().document(&mut document);
        document.offers.clear();
        Some(document)
    }
}

/// What a thing still needs, in sentences.
fn needs(view: &dyn View, waits: &Waiting, now: Instant) -> Vec<String> {
    let names: Vec<String> = waits.of.iter().map(|id| view.frame().name_of(id).to_owned()).collect();
    let mut needs = Vec::new();
    needs.extend(ends(waits.until, now));
    if !names.is_empty() {
        let names = names.join(", ");
        needs.push(match waits.wants {
            Wants::Votes => format!("Without a vote so far: {names}."),
            Wants::Turn => format!("It waits for {names}."),
        });
    }
    needs
}

/// When something ends, as a sentence; nothing where it does not end by itself.
pub(super) fn ends(until: End, now: Instant) -> Option<String> {
    match until {
        End::At(at) => Some(format!("It ends at {}.", ahead(at, now))),
        End::Unknown => Some("It ends, and nobody knows yet when.".to_owned()),
        End::Never => None,
    }
}
