//! What a room announced to everybody, as an Atom feed for readers that look by themselves.

use askama::Template;

use super::{
    names::Names,
    render::{Links, Sheet, clean, sentence},
};
use port::gallery::{Announced, Card, entry_path, room_path};

/// Longest title of an item, in characters: a line of a feed reader.
const TITLE_MAX_CHARS: usize = 100;

/// A feed.
#[derive(Template)]
#[template(path = "feed.xml")]
pub(super) struct Feed {
    room: String,
    game: String,
    page: String,
    updated: String,
    items: Vec<Item>,
}

struct Item {
    id: String,
    page: String,
    title: String,
    updated: String,
    html: String,
}

impl Feed {
    /// The feed of a room, newest first. Links are absolute.
    pub(super) fn new(
        room: &Card,
        announced: &[Announced],
        absolute: &str,
        names: &Names,
    ) -> Result<Self, askama::Error> {
        let mut items: Vec<Item> = Vec::new();
        for (index, one) in announced.iter().enumerate() {
            let then = format!("?as-of={}", one.seq);
            let links = Links {
                base: absolute,
                room: &room.name,
                suffix: &then,
                own: "",
                figures: false,
                people: false,
                names,
            };
            let page = format!("{absolute}{}", entry_path(&room.name, one.seq));
            // An entry may announce several things; counted from its first, so that an item keeps its id.
            let place = announced[index + 1..].iter().take_while(|other| other.seq == one.seq).count();
            items.push(Item {
                id: if place == 0 { page.clone() } else { format!("{page}#{place}") },
                page,
                title: title(sentence(&one.document)),
                updated: one.at.to_string(),
                html: Sheet::new(&one.document, "", links).render()?,
            });
        }
        let updated = items.first().map_or_else(|| "1970-01-01T00:00:00Z".to_owned(), |item| item.updated.clone());
        let page = format!("{absolute}{}", room_path(&room.name));
        Ok(Self { room: clean(&room.name), game: room.game.clone(), page, updated, items })
    }
}

fn title(line: String) -> String {
    if line.chars().count() <= TITLE_MAX_CHARS {
        return line;
    }
    line.chars().take(TITLE_MAX_CHARS - 1).chain(['…']).collect()
}
