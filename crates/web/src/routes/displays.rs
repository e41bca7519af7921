//! A display of a room, now or as of a moment: a rule, a list, one thing with what goes on about it.

use std::sync::Arc;

use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::Response,
};
use serde_json::json;

use super::rulebook::RULEBOOK;
use crate::{
    page::{AsOf, JSON_SUFFIX, MOMENT, Page, Site, as_json, as_of, asked, form, not_then, typed},
    render::{Links, encoded},
    timeline::Timeline,
};
use kernel::display::Document;
use port::gallery::{display_path, room_path};

/// What stands behind the path of a page for the text that it shows the beginning of.
const TEXT_SUFFIX: &str = ".txt";

/// What an address asks for to let a film go on by itself.
const PLAY: &str = "play";

pub(super) async fn rule(
    State(site): State<Arc<Site>>,
    Path((room, rule)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let (rule, wants_json) = form(&rule);
    display_page(&site, &room, &format!("rule/{rule}"), query.as_deref(), wants_json).await
}

pub(super) async fn show(
    State(site): State<Arc<Site>>,
    Path((room, display)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    if let Some(display) = display.strip_suffix(TEXT_SUFFIX) {
        return match site.gallery.text(&room, display, asked(query.as_deref(), MOMENT).as_deref()).await {
            Ok(text) => typed(StatusCode::OK, text, "text/plain; charset=utf-8"),
            Err(why) => site.not_shown(&why, &room, false),
        };
    }
    let (display, wants_json) = form(&display);
    display_page(&site, &room, display, query.as_deref(), wants_json).await
}

pub(super) async fn display_page(
    site: &Site,
    room: &str,
    display: &str,
    query: Option<&str>,
    wants_json: bool,
) -> Response {
    let moment = asked(query, MOMENT);
    let shown = match site.gallery.show(room, display, moment.as_deref()).await {
        Ok(shown) => shown,
        Err(why) if wants_json => return site.not_shown(&why, room, true),
        Err(why) => return not_then(site, &why, room, display, moment).await,
    };
    let card = &shown.room;
    if wants_json {
        let mut json = json!({ "as_of": shown.seq, "document": shown.document });
        if let Some(outcome) = shown.beside.and_then(|beside| beside.outcome) {
            json["outcome"] = json!(outcome);
        }
        return as_json(card, json);
    }
    let path = format!("{}{}", site.base, display_path(&card.name, display));
    let suffix = as_of(moment.as_deref());
    let names = site.names(card);
    let people = display == "players";
    let links = Links { suffix: &suffix, own: display, people, ..site.links(&card.name, &names) };
    let plays = shown.document.plays.clone();
    let mut page = Page::new(site, &shown.document.title, Some(card));
    // A thing that people act on changes while somebody looks; what is played does not.
    page.live = (moment.is_none() && shown.document.plays.is_none()).then_some(card.seq);
    if let Some(beside) = &shown.beside {
        let needs = beside.needs.iter().fold(Document::default(), Document::para);
        page = page.with(&[needs].into_iter().filter(|needs| !needs.is_empty()).collect::<Vec<_>>(), links);
    }
    page = page.with(&[shown.document], links);
    if display.starts_with("rule/")
        && let Ok(book) = site.gallery.rulebook(&card.name, moment.as_deref(), Some(display)).await
        && let Some(sheet) = page.sheets.last_mut()
    {
        book.rules.iter().for_each(|(_, marks)| sheet.mark(marks, links));
    }
    if let Some(beside) = shown.beside {
        let outcome = beside.outcome.map(|outcome| Document { title: "What it would do".to_owned(), ..outcome });
        page = page.with(&outcome.into_iter().collect::<Vec<_>>(), links);
        let timeline = Timeline::new("What happened about it", &beside.entries, links);
        // Of something old it stands farther back.
        page.timeline = Some(timeline).filter(|_| !beside.entries.is_empty());
        if beside.older.is_some() {
            let about = encoded(&display.replace('/', " "));
            page.lead(format!("{}{}?about={about}", site.base, display_path(&card.name, "history")), "All about it");
        }
    }
    if let Some(next) = plays {
        let joint = if suffix.is_empty() { "?" } else { "&" };
        let playing = format!("{suffix}{joint}{PLAY}=1");
        if asked(query, PLAY).is_some() {
            page.next = Some(format!("{}{}{playing}", site.base, display_path(&card.name, &next)));
            page.lead(format!("{path}{suffix}"), "Pause");
        } else {
            page.lead(format!("{path}{playing}"), "Play");
        }
    }
    if display.starts_with("rule/") && !display.contains("/history") {
        page.lead(format!("{path}/history{suffix}"), "All changes of this rule");
    }
    if display == "rules" {
        page.lead(format!("{}{}/{RULEBOOK}{suffix}", site.base, room_path(&card.name)), "All rules on one page");
    }
    if shown.whole {
        page.lead(format!("{path}{TEXT_SUFFIX}{suffix}"), "The whole text, as plain text");
    }
    page.json = Some(format!("{path}{JSON_SUFFIX}{suffix}"));
    let now = (moment.is_some() && site.has(room, display).await).then_some(card.seq);
    page.moment = Some(AsOf::shown(moment, shown.seq, now, path));
    page.answer()
}
