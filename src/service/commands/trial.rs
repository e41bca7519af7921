//! Proposals tried before the vote: what an act would do if one passed, and the rehearsals that their texts carry.
//!
//! A text may hold blocks ```` ```rehearsal ````. They are played on a copy of the room in which the proposal has passed,
//! and how that went stands wherever the proposal is shown.

use std::sync::Arc;

use super::lookup::RoomLookup;
use crate::{
    rehearsal::{Script, Verdict, Words, trial},
    service::{
        fault::Fault,
        hub::{Handle, Hub},
        trials::Of,
    },
};
use catalogue::{Catalogue, Lookup};
use kernel::{
    Instant, Refusal,
    display::{Block, Cell, Document},
    engine::View,
    rulebook::Text,
    viewer::Viewer,
};

/// What a block of a proposal is marked with that is a rehearsal of it.
const REHEARSAL: &str = "rehearsal";

/// The displays that show one proposal, by what stands before its number.
const OF_ONE: [&str; 2] = ["dryrun/", "proposal/"];

/// The displays that show those that wait.
const OF_ALL: [&str; 2] = ["ballot", "proposals"];

impl Words for Hub {
    fn catalogue(&self, view: Arc<dyn View>) -> Arc<Catalogue> {
        self.catalogue_in(view)
    }

    fn lookup(&self, view: Arc<dyn View>, viewer: Viewer) -> Box<dyn Lookup> {
        Box::new(RoomLookup::of(self, view, viewer))
    }
}

/// The rehearsals of a text, as one.
fn carried(text: &str) -> Option<String> {
    let text = Text::parse(text);
    let blocks = text.fences().iter().filter(|fence| fence.counts && fence.info.trim() == REHEARSAL);
    let blocks: Vec<&str> = blocks.filter_map(|fence| text.visible().get(fence.at.clone())).collect();
    (!blocks.is_empty()).then(|| blocks.concat())
}

/// Plays lines on a copy of a room in which a proposal has passed, away from what others wait for.
async fn played(
    hub: &Hub,
    view: Arc<dyn View>,
    number: u64,
    lines: String,
    now: Instant,
) -> Result<Result<Verdict, Refusal>, Fault> {
    let hub = hub.clone();
    let play = move || {
        let script = Script::parse(REHEARSAL, &lines, None).map_err(|why| {
            let why = why.to_string().replace(&format!("{REHEARSAL}:"), "line ");
            Refusal::new(format!("the rehearsal cannot be read: {why}"))
        })?;
        Ok(trial(&script, view.passed(number)?, now, &hub))
    };
    tokio::task::spawn_blocking(play).await.map_err(|why| Fault::new(format!("a trial came to no end: {why}")))
}

/// What somebody's act would do if a proposal passed now.
pub(super) async fn tried(hub: &Hub, handle: &Handle, number: u64, line: &str) -> Result<Document, super::NotDone> {
    if !line.contains(':') {
        return Err(Refusal::new("say who would do what").instead(format!("dryrun {number} as Ann: COMMAND")).into());
    }
    let view = handle.view();
    let now = hub.moment_of(&*view);
    let verdict = played(hub, view, number, line.to_owned(), now).await.map_err(super::NotDone::Broke)??;
    let mut heard: Vec<Cell> = verdict.heard.into_iter().map(Cell::new).collect();
    if heard.is_empty() {
        heard.push(Cell::new("Nothing is said or announced."));
    }
    let title = format!("If Proposal {number} passed now: {line}");
    Ok(Document::titled(format!("dryrun/{number}"), title).with(Block::List(heard)))
}

/// Adds to a display of proposals how their rehearsals go.
pub(in crate::service) async fn add(hub: &Hub, handle: &Handle, document: &mut Document) -> Result<(), Fault> {
    let one = OF_ONE.iter().find_map(|before| document.id.strip_prefix(before)?.parse::<u64>().ok());
    if one.is_none() && !OF_ALL.contains(&document.id.as_str()) {
        return Ok(());
    }
    let view = handle.view();
    for (number, text) in view.proposed().into_iter().filter(|(number, _)| one.is_none_or(|one| one == *number)) {
        let Some(lines) = carried(&text) else { continue };
        let told = told(hub, handle, view.clone(), number, lines).await?;
        document.blocks.extend(told.into_iter().map(Block::Para));
    }
    Ok(())
}

/// How the rehearsal of a proposal goes, in sentences.
async fn told(
    hub: &Hub,
    handle: &Handle,
    view: Arc<dyn View>,
    number: u64,
    lines: String,
) -> Result<Vec<String>, Fault> {
    let now = hub.moment_of(&*view);
    let of = Of { room: handle.id, seq: view.seq(), minute: now.as_second() / 60, number, lines };
    if let Some(told) = hub.inner.trials.get(&of) {
        return Ok(told);
    }
    let told = match played(hub, view, number, of.lines.clone(), now).await? {
        Ok(Verdict { unmet, expectations, .. }) if unmet.is_empty() => {
            vec![format!("The rehearsal of Proposal {number} goes as expected: {expectations} of {expectations}.")]
        }
        Ok(Verdict { unmet, .. }) => {
            let head = format!("The rehearsal of Proposal {number} does not go as expected:");
            std::iter::once(head).chain(unmet).collect()
        }
        Err(why) => vec![format!("The rehearsal of Proposal {number} cannot be played: {}.", why.say)],
    };
    hub.inner.trials.keep(of, told.clone());
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::carried;

    #[test]
    fn the_rehearsals_of_a_text_are_those_that_stand_outside_of_its_rules() {
        let text = "We want this.\n```rehearsal\nAnn: join\n```\n=> create rule \"A\":\n~~~~\n```law\n1\n```\n~~~~\n\
                    ```rehearsal\n< ok\n```\n";
        assert_eq!(carried(text).as_deref(), Some("Ann: join\n< ok\n"));
        assert_eq!(carried("nothing"), None);
    }
}
