//! The whole rulebook of a room on one page, with a list of its rules, and the same as Markdown to take away.
//!
//! Each rule has a stable address on it (`#rule-timeout`), and leads to its own page, where its history is.

use std::fmt::Write as _;

use axum::{http::StatusCode, response::Response};
use serde_json::json;

use super::changes::{CHANGES, FROM, TO};
use crate::{
    changes::differing,
    page::{AsOf, MOMENT, Page, Site, as_json, as_of, asked, not_then, typed},
    render::{Links, clean},
};
use kernel::display::{Block, Document, counted};
use port::gallery::{room_path, segment};

/// The page of all rules, and what stands behind its path for its Markdown.
pub(super) const RULEBOOK: &str = "rulebook";
pub(super) const MARKDOWN_SUFFIX: &str = ".md";

/// What a query calls the moment since which changes are coloured.
const SINCE: &str = "since";

/// In which form a rulebook is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Page,
    Json,
    Markdown,
}

/// The rulebook of a room, now or as of a moment.
pub(super) async fn rulebook(site: &Site, room: &str, query: Option<&str>, form: Form) -> Response {
    let moment = asked(query, MOMENT);
    let book = match site.gallery.rulebook(room, moment.as_deref(), None).await {
        Ok(book) => book,
        Err(why) if form == Form::Page => return not_then(site, &why, room, "rules", moment).await,
        Err(why) => return site.not_shown(&why, room, true),
    };
    let card = &book.room;
    let rules: Vec<Document> = book.rules.iter().map(|(rule, _)| rule.clone()).collect();
    match form {
        Form::Json => return as_json(card, json!({ "as_of": book.seq, "documents": rules })),
        Form::Markdown => {
            let head = format!("# The rules of {}\n\nAs of entry {}.\n", card.name, book.seq);
            let text = rules.iter().fold(head, |mut text, rule| {
                markdown(rule, &mut text);
                text
            });
            return typed(StatusCode::OK, text, "text/markdown; charset=utf-8");
        }
        Form::Page => {}
    }
    let path = format!("{}{}/{RULEBOOK}", site.base, room_path(&card.name));
    let suffix = as_of(moment.as_deref());
    let names = site.names(card);
    let links = Links { suffix: &suffix, ..site.links(&card.name, &names) };
    let read: Vec<Document> = rules.iter().cloned().map(untabled).collect();
    let mut page = Page::new(site, "The rulebook", Some(card)).with(&read, links);
    let since = asked(query, SINCE);
    let before = match &since {
        Some(since) => match site.gallery.rulebook(room, Some(since), None).await {
            Ok(before) => Some(before),
            Err(why) => return not_then(site, &why, room, "rules", Some(since.clone())).await,
        },
        None => None,
    };
    let old: Vec<Document> = before.iter().flat_map(|book| &book.rules).map(|(rule, _)| rule.clone()).collect();
    let differs = if before.is_some() { differing(&old, &rules) } else { Vec::new() };
    for ((rule, marks), sheet) in book.rules.iter().zip(&mut page.sheets) {
        let anchor = anchor(&rule.id);
        sheet.anchored(&anchor, links.to(&rule.id));
        sheet.mark(marks, links);
        if let (Some(before), true) = (&before, differs.iter().any(|(id, ..)| *id == rule.id)) {
            let moments = format!("?{FROM}={}&{TO}={}", before.seq, book.seq);
            sheet.changed(format!("{}{}/{CHANGES}{moments}#{anchor}", site.base, room_path(&card.name)));
        }
        page.contents.push((anchor, clean(&rule.title)));
    }
    if let Some(before) = &before {
        let reads = if differs.len() == 1 { "reads" } else { "read" };
        let text = format!("{} {reads} otherwise than as of entry {}.", counted(differs.len(), "rule"), before.seq);
        page = page.with(&[Document::say(text)], links);
        page.sheets.rotate_right(1);
    }
    page.since = Some((path.clone(), clean(&since.unwrap_or_default()), clean(moment.as_deref().unwrap_or_default())));
    page.lead(format!("{}{}/{CHANGES}", site.base, room_path(&card.name)), "What changed, side by side");
    page.lead(format!("{}{}/rules", site.base, room_path(&card.name)), "The rules as a list");
    page.lead(format!("{path}.md{suffix}"), "The whole rulebook as Markdown");
    page.json = Some(format!("{path}.json{suffix}"));
    let now = moment.is_some().then_some(card.seq);
    page.moment = Some(AsOf::shown(moment, book.seq, now, path));
    page.answer()
}

/// A rule without tables: marks in its text say the same of its figures.
fn untabled(mut rule: Document) -> Document {
    rule.blocks.retain(|block| !matches!(block, Block::Table { .. }));
    rule
}

/// Where a rule stands on the page.
pub(super) fn anchor(display: &str) -> String {
    segment(&display.replace('/', "-"))
}

/// A rule as Markdown: its text and its law, without what the program says of it in tables.
fn markdown(rule: &Document, out: &mut String) {
    let mut put = |text: &str| write!(out, "\n{text}\n").expect("writing into a string does not fail");
    put(&format!("## {}", rule.title));
    for block in &rule.unmarked().blocks {
        match block {
            Block::Para(text) => put(text),
            Block::List(cells) => {
                put(&cells.iter().map(|cell| format!("- {}", cell.text)).collect::<Vec<_>>().join("\n"));
            }
            Block::Code { lang, text } => put(&format!("```{lang}\n{}\n```", text.trim_end())),
            _ => {}
        }
    }
}
