//! What happened: the journal in sentences, and one entry.

use std::sync::Arc;

use axum::{
    extract::{Path, RawQuery, State},
    response::Response,
};
use serde_json::json;

use crate::{
    page::{JSON_SUFFIX, MOMENT, Page, Site, as_json, asked, form},
    render::{Links, clean, encoded},
    timeline::Timeline,
};
use kernel::{Refusal, Seq, display::Document};
use port::gallery::{Filter, NotShown, display_path, entry_path};

pub(super) async fn journal(
    State(site): State<Arc<Site>>,
    Path(room): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    journal_page(&site, &room, query.as_deref(), false).await
}

pub(super) async fn journal_json(
    State(site): State<Arc<Site>>,
    Path(room): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    journal_page(&site, &room, query.as_deref(), true).await
}

async fn journal_page(site: &Site, room: &str, query: Option<&str>, wants_json: bool) -> Response {
    let text = |name| asked(query, name).unwrap_or_default();
    let filter = Filter { actor: text("actor"), kind: text("kind"), about: text("about"), before: None };
    let again =
        Filter { actor: clean(&filter.actor), kind: clean(&filter.kind), about: clean(&filter.about), before: None };
    let leaf = match asked(query, "before").map(|before| (before.parse::<Seq>(), before)) {
        Some((Err(_), typed)) => Err(NotShown::Absent(Refusal::new(format!("“{typed}” is no entry")))),
        before => {
            let before = before.and_then(|(before, _)| before.ok());
            site.gallery.journal(room, &Filter { before, ..filter.clone() }).await.map(|leaf| (leaf, before))
        }
    };
    let (leaf, before) = match leaf {
        Ok(found) => found,
        Err(why) if wants_json => return site.not_shown(&why, room, true),
        Err(why) => {
            let mut page = site.failed(&why, room);
            page.filter = page.room.is_some().then_some(again);
            return page.answer();
        }
    };
    let card = &leaf.room;
    if wants_json {
        return as_json(card, json!({ "document": leaf.document, "older": leaf.older }));
    }
    let path = format!("{}{}", site.base, display_path(&card.name, "history"));
    let kept: String = [("actor", &filter.actor), ("kind", &filter.kind), ("about", &filter.about)]
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}&", encoded(value)))
        .collect();
    let names = site.names(card);
    let mut page = Page::new(site, "The journal", Some(card));
    page.timeline = Some(Timeline::new("", &leaf.entries, site.links(&card.name, &names)));
    if before.is_some() {
        page.lead(format!("{path}?{kept}"), "The latest entries");
    }
    if let Some(older) = leaf.older {
        page.lead(format!("{path}?{kept}before={older}"), "Older entries");
    }
    let before = before.map_or_else(String::new, |seq| format!("before={seq}"));
    page.json = Some(format!("{path}{JSON_SUFFIX}?{kept}{before}").trim_end_matches(['?', '&']).to_owned());
    page.filter = Some(again);
    page.answer()
}

pub(super) async fn entry(State(site): State<Arc<Site>>, Path((room, seq)): Path<(String, String)>) -> Response {
    let (seq, wants_json) = form(&seq);
    let Ok(seq) = seq.parse::<Seq>() else {
        let why = NotShown::Absent(Refusal::new("an entry has a number"));
        return site.not_shown(&why, &room, wants_json);
    };
    let told = match site.gallery.entry(&room, seq).await {
        Ok(told) => told,
        Err(why) => return site.not_shown(&why, &room, wants_json),
    };
    let card = &told.room;
    if wants_json {
        return as_json(card, json!({ "document": told.document, "announced": told.announced }));
    }
    let names = site.names(card);
    let own = format!("entry/{seq}");
    let links = Links { own: &own, ..site.links(&card.name, &names) };
    let mut page = Page::new(&site, &told.document.title, Some(card)).with(&[told.document], links);
    if !told.announced.is_empty() {
        // What was announced is about that moment: its links lead there.
        let then = format!("?{MOMENT}={seq}");
        let links_then = Links { suffix: &then, ..links };
        page = page.with(&[Document::titled("", "What it announced")], links).with(&told.announced, links_then);
    }
    let address = |seq: Seq| format!("{}{}", site.base, entry_path(&card.name, seq));
    if seq > 1 {
        page.lead(address(seq - 1), "The entry before");
    }
    if seq < card.seq {
        page.lead(address(seq + 1), "The entry after");
    }
    page.json = Some(format!("{}{JSON_SUFFIX}", address(seq)));
    page.answer()
}
