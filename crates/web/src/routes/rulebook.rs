//! The whole rulebook of a room on one page, with a list of its rules, and the same as Markdown to take away.
//!
//! Each rule has a stable address on it (`#rule-timeout`), and leads to its own page, where its history is.

use std::fmt::Write as _;

use axum::{http::StatusCode, response::Response};
use serde_json::json;

use super::{AsOf, MOMENT, Page, RULEBOOK, Site, as_json, as_of, asked, not_then, typed};
use crate::render::{Links, clean};
use kernel::display::{Block, Cell, Document};
use port::gallery::{NotShown, Shown, room_path, segment};

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
    let (list, rules) = match read(site, room, moment.as_deref()).await {
        Ok(read) => read,
        Err(why) if form == Form::Page => return not_then(site, &why, room, "rules", moment).await,
        Err(why) => return site.not_shown(&why, room, true),
    };
    let card = &list.room;
    match form {
        Form::Json => return as_json(card, json!({ "as_of": list.seq, "documents": rules })),
        Form::Markdown => {
            let head = format!("# The rules of {}\n\nAs of entry {}.\n", card.name, list.seq);
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
    let links = Links { suffix: &suffix, ..site.links(&card.name) };
    let mut page = Page::new(site, "The rulebook", Some(card)).with(&rules, links);
    for (rule, sheet) in rules.iter().zip(&mut page.sheets) {
        let anchor = anchor(&rule.id);
        sheet.anchored(&anchor, links.to(&rule.id));
        page.contents.push((anchor, clean(&rule.title)));
    }
    page.more.push((format!("{path}.md{suffix}"), "The whole rulebook as Markdown"));
    page.json = Some(format!("{path}.json{suffix}"));
    let now = moment.is_some().then_some(card.seq);
    page.moment = Some(AsOf::shown(moment, list.seq, now, path));
    page.answer()
}

/// The list of the rules in force, and each of them as it shows it.
async fn read(site: &Site, room: &str, moment: Option<&str>) -> Result<(Shown, Vec<Document>), NotShown> {
    let list = site.gallery.show(room, "rules", moment).await?;
    // All are of one moment, whatever happens meanwhile.
    let at = list.seq.to_string();
    let mut rules = Vec::new();
    for id in list.document.blocks.iter().flat_map(shown) {
        let mut rule = site.gallery.show(room, &id, Some(&at)).await?.document;
        if let Some(title) = rule.title.strip_suffix(&format!(" (as of entry {at})")) {
            rule.title = title.to_owned();
        }
        rule.id = id;
        rules.push(rule);
    }
    Ok((list, rules))
}

/// The displays of rules that a table leads to.
fn shown(block: &Block) -> Vec<String> {
    let Block::Table { rows, .. } = block else { return Vec::new() };
    let of = |cell: &Cell| cell.shows.clone().filter(|display| display.starts_with("rule/"));
    rows.iter().flatten().filter_map(of).collect()
}

/// Where a rule stands on the page.
fn anchor(display: &str) -> String {
    segment(&display.replace('/', "-"))
}

/// A rule as Markdown: its text and its law, without what the program says of it in tables.
fn markdown(rule: &Document, out: &mut String) {
    let mut put = |text: &str| write!(out, "\n{text}\n").expect("writing into a string does not fail");
    put(&format!("## {}", rule.title));
    for block in &rule.typing(str::to_owned).blocks {
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
