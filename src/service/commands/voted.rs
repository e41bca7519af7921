//! `/voted`: how somebody voted on something that is still voted on, or what they can do about it and until when.
//!
//! Games tell who voted how of what waits ([`Waiting::cast`]), so that nothing here knows one.

use std::sync::Arc;

use super::show;
use crate::service::{
    beside::ends,
    deed::NotDone,
    hearing::{Answer, Hearing},
    hub::Handle,
};
use kernel::{
    Id, Refusal,
    display::{Cell, Document, cells},
    time::minute,
    viewer::Viewer,
    waiting::{Waiting, Wants},
};

/// Says how the viewer voted on what a display shows, or on all that is voted on.
pub(super) async fn voted(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    display: Option<&str>,
    viewer: &Viewer,
) -> Result<Answer, NotDone> {
    let view = handle.view();
    let Some(seat) = &viewer.seat else {
        let why = format!("you have no seat in {}, and no vote", handle.name);
        return Err(Refusal::new(why).instead("join").into());
    };
    let mut ballots: Vec<Waiting> = view.waiting().into_iter().filter(Waiting::is_ballot).collect();
    ballots.retain(|ballot| display.is_none_or(|typed| is_named(ballot, typed)));
    let ballot = match (&ballots[..], display) {
        ([ballot], Some(_)) => ballot,
        ([], Some(typed)) => {
            let why = format!("nobody votes on “{typed}” now");
            return Err(Refusal::new(why).instead("voted").into());
        }
        _ => {
            let row = |ballot: Waiting| {
                let stands = stands(&ballot, seat);
                let label = Cell::new(ballot.label).showing(ballot.display);
                cells![label, stands, ballot.until.at().map_or_else(String::new, minute)]
            };
            let head = ["To be voted on", "your vote", "until"];
            let rows = ballots.into_iter().map(row);
            return Ok(Answer::shown(Document::default().table_or("Nothing is voted on now.", head, rows)));
        }
    };
    let display = &*ballot.display;
    let mut document = Document::say(format!("{}: {}.", ballot.label, stands(ballot, seat)));
    if let Some(ends) = ends(ballot.until, hearing.hub.moment_of(&*view)) {
        document = document.para(ends);
    }
    if waits_for(ballot, seat) {
        let (shown, _) = show::opened(hearing.hub, handle, display, None, viewer).await?;
        document.offers = shown.offers;
    }
    Ok(Answer::shown(document))
}

/// Whether something that is voted on is meant: by its display, its number or its title.
fn is_named(ballot: &Waiting, typed: &str) -> bool {
    let title = ballot.label.split_once(" (").and_then(|(_, title)| title.strip_suffix(')'));
    let number = ballot.display.rsplit('/').next();
    ballot.display == typed
        || number == Some(typed)
        || title.is_some_and(|title| {
            title.eq_ignore_ascii_case(typed) || title.replace(' ', "/").eq_ignore_ascii_case(typed)
        })
}

/// How somebody's vote on something stands, in words.
fn stands(ballot: &Waiting, seat: &Id) -> String {
    match ballot.cast.iter().find(|(voter, _)| voter == seat) {
        Some((_, vote)) => format!("you voted {vote}"),
        None if waits_for(ballot, seat) => "you have not voted on it".to_owned(),
        None => "it waits for no vote of yours".to_owned(),
    }
}

/// Whether it waits for somebody's vote.
fn waits_for(ballot: &Waiting, seat: &Id) -> bool {
    ballot.wants == Wants::Votes && ballot.of.contains(seat)
}
