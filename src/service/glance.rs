//! What goes on in rooms, for whoever comes by: what was announced lately, what is due and what waits, who plays, where.

use std::{collections::BTreeMap, sync::Arc};

use catalogue::Catalogue;

use super::{
    commands::{record, show},
    deed::NotDone,
    gallery::{card, stranger},
    hub::{Handle, Hub},
    sealed::Reader,
    standing,
};
use kernel::{
    display::{Cell, Document},
    engine::View,
    rulebook::Rule,
    viewer::Viewer,
    waiting::Waiting,
};
use port::gallery::{Announced, FRONT_MAX_ROOMS, Front, Glance, Named, Ruled};

/// How many displays a room's own page shows whole: the chief one and what explains it.
const FIRST_MAX_COUNT: usize = 2;

/// How many announcements of a room the front page tells, and its own page.
const FRONT_NEWS_MAX_COUNT: usize = 4;
pub(super) const ROOM_NEWS_MAX_COUNT: usize = 12;

/// How far back is looked for announcements, in entries.
const LOOK_BACK_ENTRIES: u64 = 500;

/// How many entries are read at once for that.
const PAGE_ENTRIES: u32 = 50;

/// Causes of entries that tell of the record itself: the seed of the dice, the hash of the journal.
const OF_THE_RECORD: [&str; 2] = ["dice/reseed", "journal/hash"];

impl Hub {
    /// A page of rooms, those that are open first.
    pub(super) async fn front_page(&self, page: usize) -> Result<Front, NotDone> {
        let (open, closed): (Vec<_>, Vec<_>) =
            self.rooms().into_iter().partition(|handle| !handle.view().frame().closed);
        let all: Vec<_> = open.into_iter().chain(closed).collect();
        let pages = all.len().div_ceil(FRONT_MAX_ROOMS).max(1);
        let mut rooms = Vec::new();
        for handle in all.iter().skip(page.saturating_sub(1).saturating_mul(FRONT_MAX_ROOMS)).take(FRONT_MAX_ROOMS) {
            rooms.push(self.glance(handle, FRONT_NEWS_MAX_COUNT).await?);
        }
        Ok(Front { rooms, pages })
    }

    /// What goes on in a room, with so many announcements.
    pub(super) async fn glance(&self, handle: &Arc<Handle>, news: usize) -> Result<Glance, NotDone> {
        let view = handle.view();
        let frame = view.frame();
        let shown = frame.redaction_now();
        let due = view.coming().filter(|_| !frame.closed);
        let catalogue = Catalogue::of_game(view.game());
        Ok(Glance {
            room: card(handle),
            game: catalogue.title_of(view.game()).to_owned(),
            state: standing::state(&*view),
            now: self.moment_of(&*view),
            // What the program says of its own record is no news of the game.
            news: self.lately(handle, news, |cause| !OF_THE_RECORD.contains(&cause)).await?,
            waiting: view.waiting().into_iter().map(|of| Waiting { label: shown.text(&of.label), ..of }).collect(),
            due: due.map(|(what, at)| (shown.text(&what), at)),
            seats: frame.seats.iter().map(|(id, seat)| (id.clone(), seat.name.clone())).collect(),
            ways_in: self.ways_in(handle),
            first: self.first(handle, &*view).await?,
        })
    }

    /// The first displays of a room.
    async fn first(&self, handle: &Arc<Handle>, view: &dyn View) -> Result<Vec<Document>, NotDone> {
        let viewer = Viewer { now: self.moment_of(view), ..stranger() };
        let mut first = Vec::new();
        let game = view.displays().into_iter().filter_map(|cell| cell.shows);
        for id in game.filter(|id| !id.contains('/')).take(FIRST_MAX_COUNT) {
            // What cannot be shown yet is left out.
            let Ok(mut document) = show::document(view, &id, &viewer) else { continue };
            view.frame().redaction_now().document(&mut document);
            show::unseal(self, handle, &mut document, Reader::Everybody).await?;
            self.write_out(&mut document, handle);
            first.push(document);
        }
        Ok(first)
    }

    /// What a room announced to everybody lately, newest first, at most so much, by entries with such a cause.
    pub(super) async fn lately(
        &self,
        handle: &Arc<Handle>,
        most: usize,
        tells: impl Fn(&str) -> bool,
    ) -> Result<Vec<Announced>, NotDone> {
        let view = handle.view();
        let mut before = view.seq() + 1;
        let floor = before.saturating_sub(LOOK_BACK_ENTRIES);
        let mut found = Vec::new();
        while before > floor {
            let page = self.store().history(handle.id, before, PAGE_ENTRIES).await?;
            let Some(oldest) = page.last().map(|entry| entry.seq) else { break };
            for entry in page.iter().filter(|entry| tells(&entry.cause)) {
                let at = jiff::Timestamp::from_microsecond(entry.at).unwrap_or_default();
                for mut document in record::public_announcements(&*view, entry).into_iter().rev() {
                    show::unseal(self, handle, &mut document, Reader::Everybody).await?;
                    self.write_out(&mut document, handle);
                    found.push(Announced { seq: entry.seq, at, document });
                    if found.len() == most {
                        return Ok(found);
                    }
                }
            }
            before = oldest;
        }
        Ok(found)
    }
}

/// What texts of a room name that has a page. A kind of numbered things is one where the last of them can be shown. That
/// one is counted by the room, or stands among its displays.
pub(super) fn named(view: &dyn View) -> Named {
    let counted = view.frame().counted.iter().map(|(kind, last)| (kind.to_string(), *last));
    let numbered = |cell: Cell| {
        let display = cell.shows?;
        let (kind, number) = display.split_once('/')?;
        Some((kind.to_owned(), number.parse().ok()?))
    };
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    for (kind, number) in counted.chain(view.displays().into_iter().filter_map(numbered)) {
        let last = last.entry(kind).or_default();
        *last = number.max(*last);
    }
    last.retain(|kind, last| show::document(view, &format!("{kind}/{last}"), &stranger()).is_ok());
    let rule =
        |rule: &Rule| Ruled { id: rule.id().to_string(), number: rule.number(), title: rule.title().to_string() };
    Named {
        seq: view.seq(),
        numbered: last,
        rules: view.rules().rules().into_iter().map(rule).collect(),
        numbering: view.numbering().to_owned(),
    }
}
