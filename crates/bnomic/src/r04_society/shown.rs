//! Displays of Players and applicants (4E4).
//!
//! Players come and go in `society`.

use super::players::{self, Request, players};
use crate::{
    clock::hands,
    figures::{JOIN_WAIT, JOIN_WINDOW},
    game::BNomic,
    ministries::posts,
    registry::{self, cells},
    stats::{ACTIVE, MACKEREL, NAME, PLAYER, SCORE, VESTED, called},
    timetable::coming::{Coming, Time},
    victory,
};
use kernel::{
    Id, State,
    display::{Cell, Document, cells},
};

/// The Registrar's display: every Player with attributes and properties, those that proposals defined last (B4.1, B11.9).
pub(crate) fn show(state: &State<BNomic>) -> Document {
    let more = registry::added(state, PLAYER);
    let row = |player: &Id| {
        let cell = |attr: &str| cells::cell(state, player, attr);
        let yes = |attr: &kernel::world::Attr<bool>, word: &str, not: &str| {
            // Where no rule has the property nobody is without it either.
            let held = state.world.def(attr.id, PLAYER).map(|_| state.world.get(attr, player).unwrap_or_default());
            Cell::new(held.map_or("", |held| if held { word } else { not })).from_path(attr.of(player))
        };
        let mackerel = match state.world.def(MACKEREL.id, PLAYER) {
            Some(_) => cell(MACKEREL.id),
            None => Cell::new("").from_path(MACKEREL.of(player)),
        };
        let posts = posts::of(state, player).map(|post| called(state, &post)).collect::<Vec<_>>().join(", ");
        let name = called(state, player);
        vec![
            Cell::named(name).from_path(NAME.of(player)),
            cell(SCORE.id),
            mackerel,
            yes(&ACTIVE, "Active", "The Horde"),
            yes(&VESTED, "yes", "no"),
            Cell::new(posts),
            Cell::new(victory::win_count(state, player).to_string()),
        ]
    };
    let head = ["", "score", "mackerel", "", "Vested", "ministries", "wins"];
    let document = Document::titled("society", "Players of B Nomic").table(head, players(state).map(row));
    more.chunks(ADDED_MAX_COLUMNS).fold(document, |document, attrs| {
        let row = |player: &Id| {
            // A text that is blank for everybody is an attribute all the same (B11.9).
            let shown = |cell: Cell| if cell.text.is_empty() { Cell { text: "-".to_owned(), ..cell } } else { cell };
            let cells = attrs.iter().map(|attr| shown(cells::cell(state, player, attr)));
            std::iter::once(Cell::new(called(state, player))).chain(cells).collect()
        };
        let head = std::iter::once(String::new()).chain(attrs.iter().map(ToString::to_string));
        document.table(head.collect::<Vec<_>>(), players(state).map(row).collect::<Vec<Vec<Cell>>>())
    })
}

/// Most attributes of proposals and laws side by side, so that a table fits a line.
const ADDED_MAX_COLUMNS: usize = 5;

/// When requests can come true, and when they are void.
pub(crate) fn coming(state: &State<BNomic>) -> Vec<Coming> {
    let need = |key| state.rules.need_count(key).ok();
    let (Some(wait), Some(window)) = (need(&JOIN_WAIT), need(&JOIN_WINDOW)) else { return Vec::new() };
    let of = |(seat, request): (&Id, &Request)| {
        let (name, passed) = (called(state, seat), hands::rdays(state).saturating_sub(request.rdays));
        let at = |rdays: u64, what: String| (rdays > passed).then(|| Coming::new(Time::Midnight(rdays - passed), what));
        [
            at(wait, format!("{name} can be a Player, where enough Players ratified it")),
            at(window, format!("the request of {name} is void")),
        ]
    };
    state.rows::<players::Request>().iter().flat_map(of).flatten().collect()
}

/// Requests to join that are open.
pub(crate) fn show_requests(state: &State<BNomic>) -> Document {
    let names = |ids: &[Id]| ids.iter().map(|id| called(state, id)).collect::<Vec<_>>().join(", ");
    let row = |(seat, request): (&Id, &Request)| {
        let name = called(state, seat);
        cells![
            Cell::named(name),
            hands::rdays(state).saturating_sub(request.rdays).to_string(),
            names(&request.ratified),
            names(&request.rejected),
        ]
    };
    let rows = state.rows::<players::Request>().iter().map(row);
    let document = Document::titled("requests", "Requests to become a Player of B Nomic");
    document.table_or("Nobody is asking. “⁅join NAME⁆” does.", ["", "rdays", "ratified by", "rejected by"], rows)
}
