//! What changed in the rules between two entries.

use axum::response::Response;
use serde_json::{Value as Json, json};

use super::rulebook::anchor;
use crate::{
    changes::{Changed, Changes, Differing, differing, texts},
    page::{MOMENT, Page, Site, as_json, asked},
    render::clean,
};
use port::gallery::{Rulebook, display_path, room_path};

/// The page, and what a query calls the two moments.
pub(super) const CHANGES: &str = "changes";
pub(super) const FROM: &str = "from";
pub(super) const TO: &str = "to";

/// The rules that differ between two moments: from the opening until now where none are said.
pub(super) async fn changes(site: &Site, room: &str, query: Option<&str>, wants_json: bool) -> Response {
    let (from, to) = (asked(query, FROM), asked(query, TO));
    let old = site.gallery.rulebook(room, Some(from.as_deref().unwrap_or("1")), None).await;
    let new = match old {
        Ok(old) => site.gallery.rulebook(room, to.as_deref(), None).await.map(|new| (old, new)),
        Err(why) => Err(why),
    };
    let (old, new) = match new {
        Ok(both) => both,
        Err(why) => return site.not_shown(&why, room, wants_json),
    };
    let card = &new.room;
    let entries = (old.seq, new.seq);
    let of = |book: &Rulebook| book.rules.iter().map(|(rule, _)| rule.clone()).collect::<Vec<_>>();
    let (old_rules, new_rules) = (of(&old), of(&new));
    let path = format!("{}{}/{CHANGES}", site.base, room_path(&card.name));
    let href = |id: &str, gone: bool| {
        let moment = if gone { entries.0 } else { entries.1 };
        format!("{}{}?{MOMENT}={moment}", site.base, display_path(&card.name, id))
    };
    let rules = differing(&old_rules, &new_rules);
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
