//! What words mean in a room, for binding and completion: read from one snapshot, never from the room's queue.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{settings::SETTINGS, show};
use crate::service::hub::{Handle, Hub};
use catalogue::{Catalogue, Kind, Lookup, bind::pick};
use kernel::{
    Id, Num, Refusal,
    display::{Block, Cell, Document},
    engine::View,
    frame::Seat,
    viewer::Viewer,
};

/// Most entries that a completion offers, the latest first.
const ENTRIES_OFFERED: u64 = 25;

/// A room as somebody in particular sees it; without a room, the rooms that there are.
pub(in crate::service) struct RoomLookup {
    view: Option<Arc<dyn View>>,
    /// The room as it was at the moment that is asked about: names are those of then.
    past: Option<Arc<dyn View>>,
    hub: Hub,
    pub(in crate::service) viewer: Viewer,
}

impl RoomLookup {
    /// The snapshot that a command is bound against.
    pub(in crate::service) fn new(hub: &Hub, room: Option<&Handle>, viewer: Viewer) -> Self {
        Self { view: room.map(Handle::view), past: None, hub: hub.clone(), viewer }
    }

    /// The same against any state of a room, such as one that is only tried.
    pub(in crate::service) fn of(hub: &Hub, view: Arc<dyn View>, viewer: Viewer) -> Self {
        Self { view: Some(view), past: None, hub: hub.clone(), viewer }
    }

    /// The same for a command about a moment of the past.
    pub(in crate::service) fn looking_back(self, past: Arc<dyn View>) -> Self {
        Self { past: Some(past), ..self }
    }

    fn values(&self, view: &dyn View) -> Vec<Cell> {
        let shown = view.displays().into_iter().filter_map(|cell| cell.completes);
        let documents = shown.filter_map(|id| show::document(view, &id, &self.viewer).ok());
        let cells = documents.flat_map(|document| document.cells().cloned().collect::<Vec<_>>());
        let redaction = view.frame().redaction_now();
        cells.filter_map(|cell| cell.source.map(|path| cell_of(redaction.text(&path.to_string())))).collect()
    }
}

fn cell_of(text: impl Into<String>) -> Cell {
    let text = text.into();
    Cell::named(text)
}

impl Lookup for RoomLookup {
    fn number(&self, words: &str) -> Option<Num> {
        self.view.as_ref()?.number(words)
    }

    fn commands(&self) -> Arc<Catalogue> {
        self.hub.catalogue_with(self.view.iter().map(|view| view.game()).collect(), self.view.clone())
    }

    fn candidates(&self, display: &str) -> Vec<Cell> {
        self.cells(self.view.as_deref(), display)
    }

    fn resolve(&self, kind: Kind, text: &str) -> Result<Json, Refusal> {
        if kind == Kind::Instant {
            let at = catalogue::coming_after(text, self.viewer.now);
            return at.map(|at| at.to_string().into()).ok_or_else(|| Refusal::new(format!("“{text}” is no time")));
        }
        let Some(view) = self.view.as_deref() else { return Ok(text.into()) };
        let Some(past) = self.past.as_deref() else { return self.meant(view, kind, text) };
        let number = kind == Kind::Rule && text.trim_start_matches('#').parse::<u32>().is_ok();
        self.meant(past, kind, text).or_else(|why| match number {
            true => Err(Refusal::new(format!("as of entry {} no rule had the number {text}", past.seq()))
                .instead(format!("rules as of {}", past.seq()))),
            // What is called otherwise by now is known by its name of now, too.
            false => self.meant(view, kind, text).map_err(|_| why),
        })
    }
}

impl RoomLookup {
    /// The cells of a display of one state of the room.
    fn cells(&self, view: Option<&dyn View>, display: &str) -> Vec<Cell> {
        match (display, view) {
            ("commands", view) => {
                let own = view.map(|view| view.commands()).unwrap_or_default();
                let all = Catalogue::all().commands().iter().map(|command| cell_of(&command.name));
                all.chain(own.iter().map(|own| cell_of(&own.name))).collect()
            }
            ("rooms", _) => self.hub.rooms().iter().map(|handle| cell_of(&handle.name)).collect(),
            (_, None) => Vec::new(),
            ("players" | "accounts", Some(view)) => {
                view.frame().seats.values().map(|seat| cell_of(&seat.name)).collect()
            }
            ("displays", Some(view)) => {
                show::COMMON.iter().map(|(id, text)| Cell::new(*text).completing(*id)).chain(view.displays()).collect()
            }
            ("rules", Some(view)) => {
                let rules = view.rules().rules();
                // What a rule is called in the room may be the whole title of another.
                let word = |rule: &&kernel::rulebook::Rule| match view.rules().recall(rule.id()) {
                    Some(meant) if meant.id() == rule.id() => rule.id().to_string(),
                    _ => rule.number().to_string(),
                };
                rules.iter().map(|rule| Cell::new(rule.label()).completing(word(rule))).collect()
            }
            ("entries", Some(view)) => {
                let last = view.seq();
                (last.saturating_sub(ENTRIES_OFFERED) + 1..=last).rev().map(|seq| cell_of(seq.to_string())).collect()
            }
            ("forums", Some(view)) => {
                view.frame().forums.keys().map(|id| cell_of(id.rsplit('/').next().unwrap_or(id))).collect()
            }
            ("values", Some(view)) => self.values(view),
            ("settings", Some(_)) => SETTINGS.iter().map(|name| cell_of(*name)).collect(),
            (display, Some(view)) => {
                view.display(display, &self.viewer).map_or_else(|_| Vec::new(), |document| completing(&document))
            }
        }
    }

    /// What a text means in one state of the room.
    fn meant(&self, view: &dyn View, kind: Kind, text: &str) -> Result<Json, Refusal> {
        match kind {
            Kind::Player => {
                let frame = view.frame();
                // An id that is shown no more means nobody: its seat is named by its name alone.
                let word = |id: &Id, name: &str| if frame.is_redacted(id) { name.to_owned() } else { id.to_string() };
                let cell = |(id, seat): (&Id, &Seat)| Cell::new(&*seat.name).completing(word(id, &seat.name));
                let mut cells: Vec<Cell> = frame.seats.iter().map(cell).collect();
                for (id, names) in view.unseated() {
                    cells.extend(names.into_iter().map(|name| Cell::new(name).completing(id.to_string())));
                }
                let asker =
                    self.viewer.seat.as_ref().filter(|_| ["me", "myself"].contains(&&*text.trim().to_lowercase()));
                match (pick(kind.noun(), &cells, text), asker) {
                    (Err(_), Some(seat)) => Ok(seat.to_string().into()),
                    (picked, _) => {
                        let picked = picked?;
                        let named = |(id, seat): &(&Id, &Seat)| frame.is_redacted(id) && seat.name == picked;
                        let id = frame.seats.iter().find(named).map(|(id, _)| id.to_string());
                        Ok(id.unwrap_or(picked).into())
                    }
                }
            }
            Kind::Proposal => view.proposal(text).map(Json::from),
            Kind::Rule => {
                if let Some(rule) = view.rules().recall(text) {
                    return Ok(rule.id().to_string().into());
                }
                let rules = view.rules().all();
                let cell = |rule: &&kernel::rulebook::Rule| {
                    Cell::new(rule.title().to_string()).completing(rule.id().to_string())
                };
                let cells: Vec<Cell> = rules.iter().map(cell).collect();
                pick(kind.noun(), &cells, text).map(Json::from)
            }
            Kind::Program => match self.cells(Some(view), "programs") {
                // Numbers are given to all programs, and completion offers only what people would type.
                _ if text.trim().starts_with('#') => Ok(text.trim().into()),
                cells if cells.is_empty() => Ok(text.into()),
                cells => pick(kind.noun(), &cells, text).map(Json::from),
            },
            Kind::Display => Ok(text.trim().replace(' ', "/").into()),
            _ => Ok(text.into()),
        }
    }
}

/// What a document completes. The number of a row goes with what stands beside it, by which people know the thing.
fn completing(document: &Document) -> Vec<Cell> {
    let beside = |row: &[Cell]| -> Vec<Cell> {
        let named = |(at, cell): (usize, &Cell)| match (cell.text.parse::<u64>(), row.get(at + 1)) {
            (Ok(_), Some(next)) => Cell { text: format!("{} {}", cell.text, next.text), ..cell.clone() },
            _ => cell.clone(),
        };
        row.iter().enumerate().map(named).collect()
    };
    let blocks = document.blocks.iter().flat_map(|block| match block {
        Block::Table { rows, .. } => rows.iter().flat_map(|row| beside(row)).collect::<Vec<_>>(),
        other => Document::default().with(other.clone()).cells().cloned().collect(),
    });
    blocks.filter(|cell| cell.completes.is_some()).collect()
}
