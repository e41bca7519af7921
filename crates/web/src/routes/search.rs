//! Looking for words in a room.

use axum::response::Response;
use serde_json::json;

use crate::{
    page::{JSON_SUFFIX, Page, Site, as_json, asked},
    render::{clean, encoded},
    timeline::Timeline,
};
use kernel::{Refusal, Seq};
use port::gallery::{NotShown, room_path};

/// The page, and what a query calls the words.
pub(super) const SEARCH: &str = "search";
const WORDS: &str = "q";

/// Rules, rulings and entries that hold some words.
pub(super) async fn search(site: &Site, room: &str, query: Option<&str>, wants_json: bool) -> Response {
    let Some(words) = asked(query, WORDS) else {
        let why = NotShown::Absent(Refusal::new("say what to look for"));
        return site.not_shown(&why, room, wants_json);
    };
    let before = match asked(query, "before").map(|before| before.parse::<Seq>()).transpose() {
        Ok(before) => before,
        Err(_) => return site.not_shown(&NotShown::Absent(Refusal::new("that is no entry")), room, wants_json),
    };
    let found = match site.gallery.search(room, &words, before).await {
        Ok(found) => found,
        Err(why) if wants_json => return site.not_shown(&why, room, true),
        Err(why) => {
            let mut page = site.failed(&why, room);
            page.words = clean(&words);
            return page.answer();
        }
    };
    let card = &found.room;
    if wants_json {
        let entries: Vec<_> =
            found.entries.iter().map(|one| json!({ "seq": one.seq, "sentence": one.sentence })).collect();
        let rest = json!({ "rules": found.rules, "rulings": found.rulings, "entries": entries, "older": found.older });
        return as_json(card, rest);
    }
    let names = site.names(card);
    let links = site.links(&card.name, &names);
    let mut page = Page::new(site, &format!("“{}”", clean(&words)), Some(card));
    page.words = clean(&words);
    if !found.rules.is_empty() {
        page = page.with(&[found.rules], links);
    }
    let ruled = page.sheets.len();
    page = page.with(&found.rulings, links);
    page.sheets[ruled..].iter_mut().for_each(|sheet| sheet.anchored("", links.to("rulings")));
    page.timeline = Some(Timeline::new("What happened", &found.entries, links));
    let path = format!("{}{}/{SEARCH}", site.base, room_path(&card.name));
    let asked = format!("?{WORDS}={}", encoded(&words));
    if let Some(older) = found.older {
        page.lead(format!("{path}{asked}&before={older}"), "Older entries");
    }
    page.json = Some(format!("{path}{JSON_SUFFIX}{asked}"));
    page.answer()
}
