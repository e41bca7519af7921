//! What changed in the rules between two entries.

use axum::response::Response;
use serde_json::{Value as Json, json};

use super::rulebook::{anchor, read};
use crate::{
    changes::{Changed, Changes, Differing, differing, texts},
    page::{MOMENT, Page, Site, as_json, asked},
    render::clean,
};
use port::gallery::{display_path, room_path};

/// The page, and what a query calls the two moments.
pub(super) const CHANGES: &str = "changes";
pub(super) const FROM: &str = "from";
pub(super) const TO: &str = "to";

/// The rules that differ between two moments: from the opening until now where none are said.
pub(super) async fn changes(site: &Site, room: &str, query: Option<&str>, wants_json: bool) -> Response {
    let (from, to) = (asked(query, FROM), asked(query, TO));
    let old = read(site, room, Some(from.as_deref().unwrap_or("1"))).await;
    let new = match old {
        Ok(old) => read(site, room, to.as_deref()).await.map(|new| (old, new)),
        Err(why) => Err(why),
    };
    let (old, new) = match new {
        Ok(both) => both,
        Err(why) => return site.not_shown(&why, room, wants_json),
    };
    let card = &new.list.room;
    let entries = (old.list.seq, new.list.seq);
    let path = format!("{}{}/{CHANGES}", site.base, room_path(&card.name));
    let href = |id: &str, gone: bool| {
        let moment = if gone { entries.0 } else { entries.1 };
        format!("{}{}?{MOMENT}={moment}", site.base, display_path(&card.name, id))
    };
    let rules = differing(&old.rules, &new.rules);
    if wants_json {
        let rule = |(id, old, new): &Differing<'_>| json!({ "id": id, "old": old.map(texts), "new": new.map(texts) });
        let all: Vec<Json> = rules.iter().map(rule).collect();
        return as_json(card, json!({ "from": entries.0, "to": entries.1, "rules": all }));
    }
    let mut page = Page::new(site, "What changed in the rules", Some(card));
    page.changes = Some(Changes {
        path: path.clone(),
        typed: (clean(&from.unwrap_or_default()), clean(&to.unwrap_or_default())),
        entries,
        rules: rules.iter().map(|of| Changed::new(of, anchor(&of.0), href(&of.0, of.2.is_none()))).collect(),
    });
    page.json = Some(format!("{path}.json?{FROM}={}&{TO}={}", entries.0, entries.1));
    page.answer()
}
