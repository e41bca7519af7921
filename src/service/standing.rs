//! How rooms stand, in a line for each channel in which one is announced: what is proposed, and what is due next.
//!
//! A network may keep it where people see it before they ask, such as in a channel's topic. It is what a stranger may
//! read. A room that did not move is not looked at again.

use std::{
    collections::BTreeSet,
    sync::{Arc, PoisonError},
};

use catalogue::Catalogue;
use tokio::sync::watch;

use super::{
    deed::NotDone,
    hub::{Handle, Hub},
    letters::{forum_address, person_number},
};
use kernel::{
    Id,
    display::{Block, Cell, Document, Offer, cells},
    engine::View,
    frame::{self, ClockMode, Designation},
    time::minute,
    viewer::Viewer,
    waiting::{Waiting, Wants},
};
use port::{Delivery, Destination, ForumAddress, Roles, Standing};

/// The display that shows it.
pub(super) const STANDING: &str = "standing";

/// Most things that wait, or people that one waits for, that are named.
const NAMED_MAX_COUNT: usize = 5;

/// Most things of a kind that wait in the display: a screen of a phone, and what Discord takes as one message.
const WAITING_MAX_COUNT: usize = 20;

impl Hub {
    /// How the rooms stand that are announced in channels of a service, and every later change of that.
    pub fn standings(&self, service: &str) -> watch::Receiver<Vec<Standing>> {
        let mut held = self.inner.outbox.standings.lock().unwrap_or_else(PoisonError::into_inner);
        let all = || self.rooms().iter().flat_map(|room| standing(room, service)).collect();
        held.entry(service.to_owned()).or_insert_with(|| watch::Sender::new(all())).subscribe()
    }

    /// Posts in a channel how a room stands, as a message that is kept up to date and pinned there.
    pub(super) async fn pin_standing(&self, room: &Arc<Handle>, forum: ForumAddress) -> Result<(), NotDone> {
        let document = self.alive(room, STANDING, &BTreeSet::new()).await?.unwrap_or_default();
        let delivery = self.told_by(room, Destination::Forum(forum), document);
        let lives = Some(format!("{}/{STANDING}", room.id));
        self.inner.outbox.post(Delivery { lives, pinned: true, ..delivery });
        self.inner.posted.send_modify(|count| *count += 1);
        Ok(())
    }

    /// The accounts of a service that a person has.
    pub(super) async fn accounts_of(&self, service: &str, person: &str) -> Vec<String> {
        let Some(person) = person_number(person) else { return Vec::new() };
        let accounts = self.store().accounts(person).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the accounts of a person cannot be read; their roles stay as they are");
            Vec::new()
        });
        accounts.into_iter().filter(|account| account.service == service).map(|account| account.id).collect()
    }

    /// Tells adapters how a room stands now.
    pub(super) fn publish_standing(&self, room: &Arc<Handle>) {
        let held = self.inner.outbox.standings.lock().unwrap_or_else(PoisonError::into_inner);
        for (service, sender) in held.iter() {
            let now = standing(room, service);
            sender.send_if_modified(|all| {
                let (before, others): (Vec<_>, Vec<_>) = all.drain(..).partition(|standing| standing.room == room.name);
                let moved = before != now;
                *all = others;
                all.extend(now);
                moved
            });
        }
    }
}

/// How a room stands, for each of its public channels of a service.
fn standing(room: &Handle, service: &str) -> Vec<Standing> {
    let view = room.view();
    let frame = view.frame();
    let channels = frame.designated(Designation::Public).filter_map(|id| Some((id, forum_address(id)?)));
    let channels: Vec<_> = channels.filter(|(_, forum)| forum.service == service).collect();
    if channels.is_empty() || frame.closed {
        return Vec::new();
    }
    let line = line(&*view);
    let of = |(id, ForumAddress { channel, .. }): (&Id, ForumAddress)| {
        let shows = frame.forums.get(id).is_some_and(|forum| forum.manner.roles);
        let roles = shows.then(|| roles(&*view));
        Standing { channel, room: room.name.clone(), line: line.clone(), roles }
    };
    channels.into_iter().map(of).collect()
}

/// Who plays in a room, and who holds which office.
fn roles(view: &dyn View) -> Roles {
    let frame = view.frame();
    let players = frame.seats.iter().filter(|(_, seat)| seat.standing == frame::Standing::Player);
    let players = players.map(|(seat, _)| seat.clone()).collect();
    let person = |seat: &Id| frame.seats.get(seat).map(|seat| seat.person.to_string());
    let held = [("player".to_owned(), players)].into_iter().chain(view.offices());
    let held = held.map(|(name, seats)| (format!("{} {name}", frame.name), seats.iter().filter_map(person).collect()));
    Roles { people: frame.seats.values().map(|seat| seat.person.to_string()).collect(), held: held.collect() }
}

/// How a room stands, in a line.
pub(super) fn line(view: &dyn View) -> String {
    let mut parts = vec![title(view)];
    let open: Vec<_> = view.waiting().into_iter().filter(|waits| waits.wants == Wants::Votes).collect();
    if !open.is_empty() {
        let mut named: Vec<String> = open.iter().take(NAMED_MAX_COUNT).map(|waits| waits.label.clone()).collect();
        if open.len() > NAMED_MAX_COUNT {
            named.push(format!("{} more", open.len() - NAMED_MAX_COUNT));
        }
        parts.push(format!("to be voted on: {}", named.join("; ")));
    }
    if let Some((what, at)) = view.coming() {
        parts.push(format!("next: {what} at {}", minute(at)));
    }
    parts.join(" · ")
}

fn title(view: &dyn View) -> String {
    format!("{} in @{}", Catalogue::of_game(view.game()).title_of(view.game()), view.frame().name)
}

/// Why nothing goes on in a room.
pub(super) fn state(view: &dyn View) -> Option<String> {
    match (view.frame().closed, view.frame().clock) {
        (true, _) => Some("The room is closed.".to_owned()),
        (false, ClockMode::Paused(since)) => Some(format!("The room is paused since {}.", minute(since))),
        (false, ClockMode::Live | ClockMode::Manual(_)) => None,
    }
}

/// What falls due in words: `time-out/3` is called “time out 3”.
pub(super) fn worded(key: &str) -> String {
    key.replace(['/', '-'], " ")
}

/// What was due and could not be done.
pub(super) fn aside(view: &dyn View) -> Option<Block> {
    let rows = view.aside().into_iter().take(WAITING_MAX_COUNT);
    Block::table_if_any(["Set aside", "due", "for"], rows.map(|(what, at, why)| cells![what, minute(at), why]))
}

/// How a room stands, as a display.
pub(super) fn shown(view: &dyn View, viewer: &Viewer) -> Document {
    let mut document = Document::titled(STANDING, title(view));
    document = state(view).into_iter().fold(document, Document::para);
    let seats = &view.frame().seats;
    let row = |waits: &Waiting| {
        // What plays without a seat votes by nobody's hand.
        let names: Vec<String> = waits.of.iter().filter_map(|id| Some(seats.get(id)?.name.to_string())).collect();
        let mut missing: Vec<String> = names.iter().take(NAMED_MAX_COUNT).cloned().collect();
        if names.len() > NAMED_MAX_COUNT {
            missing.push(format!("{} more", names.len() - NAMED_MAX_COUNT));
        }
        let label = Cell::new(waits.label.clone()).showing(waits.display.clone());
        cells![label, waits.until.at().map_or_else(String::new, minute), missing.join(", ")]
    };
    let all = view.waiting().into_iter();
    let (mut votes, turns): (Vec<Waiting>, Vec<Waiting>) = all.partition(|waits| waits.wants == Wants::Votes);
    // What waits for somebody in particular waits for no votes.
    votes.retain(|vote| turns.iter().all(|turn| turn.display != vote.display));
    document = document.table_or(
        "Nothing waits for votes.",
        ["To be voted on", "until", "without a vote"],
        votes.iter().take(WAITING_MAX_COUNT).map(row),
    );
    let left_out: usize = [&votes, &turns].map(|waits| waits.len().saturating_sub(WAITING_MAX_COUNT)).iter().sum();
    document
        .blocks
        .extend(Block::table_if_any(["To be done", "until", "by"], turns.iter().take(WAITING_MAX_COUNT).map(row)));
    if left_out > 0 {
        document = document.para(format!("And {left_out} more; what waits for you: ⁅remind⁆."));
    }
    if let Some((what, at)) = view.coming() {
        document = document.para(format!("Next by itself: {what} at {}.", minute(at)));
    }
    document.blocks.extend(aside(view));
    if !view.frame().closed {
        let offer = |label: &str, line: &str| Offer::new(label, line, view.seq());
        document.offers.extend(viewer.seat.is_none().then(|| offer("Join", "join")));
        document.offers.extend([offer("What waits for me?", "remind"), offer("Rules", "rules")]);
    }
    document
}
