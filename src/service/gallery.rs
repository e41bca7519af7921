//! The service as a stranger sees it, who may only look.
//!
//! Every document here is made for a stranger, a viewer without a seat. The same pieces answer `/show`, `/history` and
//! `/rooms`.

use std::{collections::BTreeMap, sync::Arc};

use futures::future::BoxFuture;

use super::{
    commands::{
        asked::Moment,
        record::{self, Wanted},
        rooms, show, trial,
    },
    deed::NotDone,
    fault::Fault,
    figures::CLASSES_SECONDS,
    glance,
    hub::{Handle, Hub},
    sealed::Reader,
};
use catalogue::instant;
use kernel::names;
use kernel::{
    Id, Refusal, Seq,
    display::{Block, Document},
    viewer::Viewer,
};
use port::gallery::{
    Announced, Card, FEED_MAX_ENTRIES, Filter, Found, Front, Gallery, Leaf, Metric, Named, NotShown, Overview,
    PAGE_MAX_ENTRIES, Rulebook, Shown, Told,
};
use store::StoreError;

/// How far back one page of a filtered journal looks, in entries; a reader goes on from there.
const LOOK_BACK_ENTRIES: u64 = 2000;

/// The viewer of every page: nobody in particular.
pub(super) fn stranger() -> Viewer {
    Viewer::default()
}

pub(super) fn card(handle: &Handle) -> Card {
    let view = handle.view();
    Card { name: handle.name.clone(), game: view.game().to_owned(), seq: view.seq() }
}

/// The first sealed text in a document.
fn sealed(document: &Document) -> Option<&Id> {
    document.blocks.iter().find_map(|block| match block {
        Block::Sealed { secret } => Some(secret),
        _ => None,
    })
}

/// An entry or a time, as typed.
fn moment(text: &str) -> Result<Moment, Refusal> {
    let text = text.trim();
    if let Ok(seq) = text.trim_start_matches('#').parse::<Seq>() {
        return Ok(Moment::Entry(seq));
    }
    let unread = || Refusal::new(format!("“{text}” is no entry and no time")).instead("12, or 2026-11-02 10:00");
    instant(text).map(Moment::Instant).ok_or_else(unread)
}

impl Hub {
    /// The room of a name: an open one first, of several closed ones the latest.
    fn named(&self, name: &str) -> Option<Arc<Handle>> {
        let found = |handle: &Arc<Handle>| names::confusable(&handle.name, name);
        let rooms: Vec<_> = self.rooms().into_iter().filter(found).collect();
        let open = rooms.iter().find(|handle| !handle.view().frame().closed).cloned();
        open.or_else(|| rooms.last().cloned())
    }

    fn need(&self, name: &str) -> Result<Arc<Handle>, Refusal> {
        self.named(name).ok_or_else(|| Refusal::new(format!("there is no room called “{name}”")))
    }

    fn not_shown(&self, why: NotDone) -> NotShown {
        let fault = match why {
            NotDone::Refused(refusal) => return NotShown::Absent(refusal),
            NotDone::Broke(fault) => fault,
            NotDone::HeardBefore => Fault::new("looking does nothing, and cannot have been done before"),
        };
        let id = hex::encode(self.inner.entropy.bytes::<4>());
        tracing::error!(fault_id = %id, %fault, "a page broke something");
        NotShown::Broke(id)
    }

    async fn whole_room(&self, room: &str) -> Result<Overview, NotDone> {
        let handle = self.need(room)?;
        let view = handle.view();
        let viewer = Viewer { now: self.moment_of(&*view), ..stranger() };
        let mut about = show::document(&*view, show::ROOM, &viewer)?;
        show::hashed(self, &handle, view.seq(), &mut about).await?;
        self.mark_time(&*view, &mut about);
        self.write_out(&mut about, &handle);
        let game = view.displays().into_iter().filter_map(|cell| cell.shows);
        let common = show::COMMON.iter().map(|(id, _)| (*id).to_owned());
        let mut displays = Vec::new();
        for id in game.filter(|id| !id.contains('/')).chain(common).filter(|id| id != show::ROOM) {
            // What cannot be shown yet is left out.
            let Ok(document) = show::document(&*view, &id, &viewer) else { continue };
            let title = if document.title.is_empty() { id.clone() } else { document.title };
            displays.push((id, title));
        }
        Ok(Overview { glance: self.glance(&handle, glance::ROOM_NEWS_MAX_COUNT).await?, about, displays })
    }

    async fn display(&self, room: &str, display: &str, as_of: Option<&str>) -> Result<Shown, NotDone> {
        let handle = self.need(room)?;
        let as_of = as_of.map(moment).transpose()?;
        let (mut document, seq) = show::closed(self, &handle, display, as_of, &stranger()).await?;
        let whole = sealed(&document).is_some();
        show::unseal(self, &handle, &mut document, Reader::Everybody).await?;
        show::played(self, &handle, &mut document, Reader::Everybody).await?;
        if as_of.is_none() {
            trial::add(self, &handle, &mut document).await.map_err(NotDone::Broke)?;
        }
        self.write_out(&mut document, &handle);
        let beside = match as_of {
            None => self.beside(&handle, display).await?,
            Some(_) => None,
        };
        Ok(Shown { room: card(&handle), seq, document, whole, beside })
    }

    async fn whole(&self, room: &str, display: &str, as_of: Option<&str>) -> Result<String, NotDone> {
        let handle = self.need(room)?;
        let as_of = as_of.map(moment).transpose()?;
        let (document, _) = show::closed(self, &handle, display, as_of, &stranger()).await?;
        let none = || Refusal::new(format!("“{display}” holds no text that everybody may read"));
        let secret = sealed(&document).ok_or_else(none)?;
        let kept = self.store().get_secret(handle.id, secret).await?.ok_or_else(none)?;
        Ok(String::from_utf8_lossy(&kept.bytes).into_owned())
    }

    async fn leaf(&self, room: &str, filter: &Filter) -> Result<Leaf, NotDone> {
        let handle = self.need(room)?;
        let view = handle.view();
        let wanted = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let (actor, kind, about) = (wanted(&filter.actor), wanted(&filter.kind), wanted(&filter.about));
        let actor = match &actor {
            Some(name) => Some(rooms::seat_named(&*view, name).ok_or_else(|| {
                Refusal::new(format!("nobody is called “{name}” in {}", handle.name)).instead("a name among the people")
            })?),
            None => None,
        };
        let wanted = Wanted {
            actor,
            kind: kind.as_deref(),
            about: about.as_deref(),
            from: 0,
            before: filter.before.unwrap_or(Seq::MAX),
        };
        let found = record::search(self, &handle, &wanted, PAGE_MAX_ENTRIES, LOOK_BACK_ENTRIES).await?;
        let document = record::listed(&*view, "The journal".to_owned(), &found.entries, &stranger());
        let entries = found.entries.iter().map(|entry| record::happened(&*view, entry, &stranger())).collect();
        Ok(Leaf { room: card(&handle), document, entries, older: found.rest })
    }

    async fn told(&self, room: &str, seq: Seq) -> Result<Told, NotDone> {
        let handle = self.need(room)?;
        let (mut document, mut announced) = record::page(self, &handle, seq, &stranger()).await?;
        for document in &mut announced {
            show::unseal(self, &handle, document, Reader::Everybody).await?;
            self.write_out(document, &handle);
        }
        self.write_out(&mut document, &handle);
        Ok(Told { room: card(&handle), document, announced })
    }

    async fn announced(&self, room: &str) -> Result<Vec<Announced>, NotDone> {
        let handle = self.need(room)?;
        self.lately(&handle, FEED_MAX_ENTRIES, |_| true).await
    }

    /// How long what waits longest has waited, in seconds, of each service that is configured or has something waiting.
    fn ages(&self, oldest: &BTreeMap<String, i64>) -> Vec<(String, f64)> {
        let now = self.inner.clock.now().as_microsecond();
        let configured = self.inner.settings.services.iter().map(|service| (service.as_str(), 0.0));
        let waiting =
            oldest.iter().map(|(service, at)| (service.as_str(), now.saturating_sub(*at).max(0) as f64 / 1e6));
        let ages: BTreeMap<&str, f64> = configured.chain(waiting).collect();
        ages.into_iter().map(|(service, age)| (format!("{{service=\"{service}\"}}"), age)).collect()
    }

    async fn measured(&self) -> Vec<Metric> {
        let counted = self.inner.figures.counted();
        let rooms = self.rooms();
        let open = rooms.iter().filter(|handle| !handle.view().frame().closed).count();
        let elsewhere = self.inner.elsewhere.count();
        let waiting = rooms.iter().filter(|handle| handle.view().work().is_some()).count();
        let entries: u64 = rooms.iter().map(|handle| handle.view().seq()).sum();
        let one = |name, help, kind, value: f64| Metric { name, help, kind, samples: vec![(String::new(), value)] };
        let mut out = vec![
            one("rulekeeper_rooms_open", "Rooms that are open.", "gauge", open as f64),
            one("rulekeeper_entries", "Entries in all journals.", "gauge", entries as f64),
            one("rulekeeper_jousts_running", "Long works in the arena.", "gauge", self.inner.arena.running() as f64),
            one("rulekeeper_jousts_elsewhere", "Long works that other processes play.", "gauge", elsewhere as f64),
            one("rulekeeper_jousts_waiting", "Rooms that wait for a long work.", "gauge", waiting as f64),
            one("rulekeeper_jousts_total", "Long works that were begun.", "counter", counted.works as f64),
            one("rulekeeper_lines_total", "Lines that were answered.", "counter", counted.lines as f64),
            one("rulekeeper_refusals_total", "Refusals that were answered.", "counter", counted.refusals as f64),
            one("rulekeeper_faults_total", "Faults that somebody ran into.", "counter", counted.faults as f64),
        ];
        let database = self.store().counted();
        let (commits, conflicts) = (database.commits as f64, database.conflicts as f64);
        out.push(one("rulekeeper_commits_total", "Commits of rooms that were written.", "counter", commits));
        let help = "Commits of rooms that were decided again, because another process had written first.";
        out.push(one("rulekeeper_conflicts_total", help, "counter", conflicts));
        let help = "What one process on the database does at a time: 1 where this one does it.";
        let samples = self.inner.charges.held();
        let samples =
            samples.into_iter().map(|(name, held)| (format!("{{charge=\"{name}\"}}"), f64::from(held))).collect();
        out.push(Metric { name: "rulekeeper_charges", help, kind: "gauge", samples });
        let (help, lost) = ("Charges that this process had and lost.", self.inner.charges.lost() as f64);
        out.push(one("rulekeeper_charges_lost_total", help, "counter", lost));
        let samples = [("busy", database.busy), ("idle", database.idle)];
        let samples = samples.map(|(state, count)| (format!("{{state=\"{state}\"}}"), count as f64)).to_vec();
        let help = "Connections to the database that are open.";
        out.push(Metric { name: "rulekeeper_connections", help, kind: "gauge", samples });
        let waiting = async { Ok((self.store().pending().await?, self.store().oldest().await?)) };
        match waiting.await {
            Ok((pending, oldest)) => {
                out.push(one("rulekeeper_outbox_pending", "Announcements on their way.", "gauge", pending as f64));
                let samples = self.ages(&oldest);
                let help = "How long the oldest announcement of each service has waited; 0 where none waits.";
                out.push(Metric { name: "rulekeeper_outbox_oldest_seconds", help, kind: "gauge", samples });
            }
            Err::<_, StoreError>(error) => tracing::error!(%error, "the outbox cannot be counted"),
        }
        let mut samples: Vec<(String, f64)> = CLASSES_SECONDS
            .iter()
            .zip(counted.within)
            .map(|(bound, count)| (format!("_bucket{{le=\"{bound}\"}}"), count as f64))
            .collect();
        samples.push(("_bucket{le=\"+Inf\"}".to_owned(), counted.lines as f64));
        samples.push(("_sum".to_owned(), counted.seconds));
        samples.push(("_count".to_owned(), counted.lines as f64));
        let help = "How long a line waited for its answer.";
        out.push(Metric { name: "rulekeeper_answer_seconds", help, kind: "histogram", samples });
        out
    }
}

impl Gallery for Hub {
    fn rooms(&self) -> Document {
        rooms::list(self)
    }

    fn front(&self, page: usize) -> BoxFuture<'_, Result<Front, NotShown>> {
        Box::pin(async move { self.front_page(page).await.map_err(|why| self.not_shown(why)) })
    }

    fn room(&self, name: &str) -> Option<Card> {
        self.named(name).map(|handle| card(&handle))
    }

    fn named(&self, room: &str) -> Option<Named> {
        Hub::named(self, room).map(|handle| glance::named(&*handle.view()))
    }

    fn moved<'a>(&'a self, room: &'a str, after: Seq) -> BoxFuture<'a, Option<Seq>> {
        Box::pin(async move {
            let mut stirred = self.inner.stirred.subscribe();
            loop {
                stirred.mark_unchanged();
                let seq = Hub::named(self, room)?.view().seq();
                if seq > after {
                    return Some(seq);
                }
                stirred.changed().await.ok()?;
            }
        })
    }

    fn overview<'a>(&'a self, room: &'a str) -> BoxFuture<'a, Result<Overview, NotShown>> {
        Box::pin(async move { self.whole_room(room).await.map_err(|why| self.not_shown(why)) })
    }

    fn show<'a>(
        &'a self,
        room: &'a str,
        display: &'a str,
        as_of: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Shown, NotShown>> {
        Box::pin(async move { self.display(room, display, as_of).await.map_err(|why| self.not_shown(why)) })
    }

    fn text<'a>(
        &'a self,
        room: &'a str,
        display: &'a str,
        as_of: Option<&'a str>,
    ) -> BoxFuture<'a, Result<String, NotShown>> {
        Box::pin(async move { self.whole(room, display, as_of).await.map_err(|why| self.not_shown(why)) })
    }

    fn journal<'a>(&'a self, room: &'a str, filter: &'a Filter) -> BoxFuture<'a, Result<Leaf, NotShown>> {
        Box::pin(async move { self.leaf(room, filter).await.map_err(|why| self.not_shown(why)) })
    }

    fn entry<'a>(&'a self, room: &'a str, seq: Seq) -> BoxFuture<'a, Result<Told, NotShown>> {
        Box::pin(async move { self.told(room, seq).await.map_err(|why| self.not_shown(why)) })
    }

    fn rulebook<'a>(
        &'a self,
        room: &'a str,
        as_of: Option<&'a str>,
        rule: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Rulebook, NotShown>> {
        Box::pin(async move {
            let handle = self.need(room)?;
            let as_of = as_of.map(moment).transpose()?;
            self.rules_at(&handle, as_of, rule).await.map_err(|why| self.not_shown(why))
        })
    }

    fn search<'a>(
        &'a self,
        room: &'a str,
        words: &'a str,
        before: Option<Seq>,
    ) -> BoxFuture<'a, Result<Found, NotShown>> {
        Box::pin(async move {
            let handle = self.need(room)?;
            self.find(&handle, words, before).await.map_err(|why| self.not_shown(why))
        })
    }

    fn announcements<'a>(&'a self, room: &'a str) -> BoxFuture<'a, Result<Vec<Announced>, NotShown>> {
        Box::pin(async move { self.announced(room).await.map_err(|why| self.not_shown(why)) })
    }

    fn ready(&self) -> BoxFuture<'_, bool> {
        Box::pin(async move { !self.is_stopping() && self.store().pending().await.is_ok() })
    }

    fn metrics(&self) -> BoxFuture<'_, Vec<Metric>> {
        Box::pin(self.measured())
    }
}
