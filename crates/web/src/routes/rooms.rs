//! All rooms at a glance, one room, and what a room is.

use std::sync::Arc;

use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::Response,
};
use serde_json::{Value as Json, json};

use crate::{
    glance::Panel,
    page::{JSON_SUFFIX, NAMELESS, Page, Site, as_json, asked, form, no_page, typed},
    render::clean,
};
use kernel::display::Document;
use port::gallery::{display_path, room_path};

/// The page of what a room is: its clock, its channels, its record.
pub(super) const ABOUT: &str = "about";

/// What a query calls the page of rooms.
const PAGE: &str = "page";

/// What this is, and what goes on in each room.
pub(super) async fn front(State(site): State<Arc<Site>>, RawQuery(query): RawQuery) -> Response {
    let asked = asked(query.as_deref(), PAGE).map_or(Some(1), |page| page.parse::<usize>().ok());
    let number = asked.filter(|page| *page > 0).unwrap_or(usize::MAX);
    let front = match site.gallery.front(number).await {
        Ok(front) => front,
        Err(why) => return site.not_shown(&why, "", false),
    };
    if number > front.pages {
        return site.not_shown(&no_page(), "", false);
    }
    let mut page = Page::new(&site, "Games whose rules the players change", None);
    page.welcome = true;
    for glance in &front.rooms {
        let names = site.names(&glance.room);
        let links = site.links(&glance.room.name, &names);
        page.panels.push(Panel::on_front(glance, links, site.invitation.as_deref()));
    }
    if front.rooms.is_empty() {
        page = page.with(&[site.gallery.rooms()], site.links("", &NAMELESS));
    }
    let address =
        |page: usize| if page == 1 { format!("{}/", site.base) } else { format!("{}/?{PAGE}={page}", site.base) };
    if number > 1 {
        page.lead(address(number - 1), "The rooms before");
    }
    if number < front.pages {
        page.lead(address(number + 1), "More rooms");
    }
    page.json = Some(format!("{}/rooms.json", site.base));
    page.answer()
}

/// All rooms as JSON.
pub(super) async fn list(State(site): State<Arc<Site>>) -> Response {
    typed(StatusCode::OK, json!({ "document": site.gallery.rooms() }).to_string(), "application/json")
}

/// What goes on in a room, its first displays, and the way to all others.
pub(super) async fn overview(State(site): State<Arc<Site>>, Path(room): Path<String>) -> Response {
    // A room may be called like another one's JSON.
    let (room, wants_json) = if site.gallery.room(&room).is_some() { (&*room, false) } else { form(&room) };
    let overview = match site.gallery.overview(room).await {
        Ok(overview) => overview,
        Err(why) => return site.not_shown(&why, room, wants_json),
    };
    let (glance, card) = (&overview.glance, &overview.glance.room);
    if wants_json {
        let displays: Vec<Json> =
            overview.displays.iter().map(|(id, title)| json!({ "id": id, "title": title })).collect();
        return as_json(card, json!({ "document": overview.about, "first": glance.first, "displays": displays }));
    }
    let names = site.names(card);
    let links = site.links(&card.name, &names);
    let mut page = Page::new(&site, &card.name, Some(card)).with(&glance.first, links);
    page.live = Some(card.seq);
    page.panels.push(Panel::new(glance, links, site.invitation.as_deref()));
    let address = |id: &str| format!("{}{}", site.base, display_path(&card.name, id));
    page.displays = overview.displays.iter().map(|(id, title)| (address(id), clean(title))).collect();
    let path = format!("{}{}", site.base, room_path(&card.name));
    page.lead(format!("{path}/{ABOUT}"), "About this room: its clock, its channels, its record");
    page.json = Some(format!("{path}{JSON_SUFFIX}"));
    page.answer()
}

/// What a room is: its clock, its channels, its record.
pub(super) async fn about(site: &Site, room: &str, wants_json: bool) -> Response {
    let overview = match site.gallery.overview(room).await {
        Ok(overview) => overview,
        Err(why) => return site.not_shown(&why, room, wants_json),
    };
    let card = &overview.glance.room;
    if wants_json {
        return as_json(card, json!({ "document": overview.about }));
    }
    let names = site.names(card);
    let links = site.links(&card.name, &names);
    let mut documents: Vec<Document> = vec![overview.about];
    for display in ["forums", "due", "rulings"] {
        documents.extend(site.gallery.show(room, display, None).await.ok().map(|shown| shown.document));
    }
    let mut page = Page::new(site, "About this room", Some(card)).with(&documents, links);
    let path = format!("{}{}", site.base, room_path(&card.name));
    page.lead(format!("{path}/feed.atom"), "What is announced, as a feed");
    page.json = Some(format!("{path}/{ABOUT}{JSON_SUFFIX}"));
    page.answer()
}
