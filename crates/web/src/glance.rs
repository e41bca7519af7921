//! What goes on in a room, on the front page and at the head of the room's own: news, what is next, who plays, how to
//! join.

use askama::Template;

use super::{
    render::{Links, Word, clean, sentence, words},
    timeline::{Day, Item, days},
};
use figure::svg;
use kernel::{
    display::Document,
    waiting::{Waiting, Wants},
};
use port::gallery::{Announced, Glance, room_path};

/// Most names of people in a line.
const NAMED_MAX_COUNT: usize = 12;

/// Most things that wait on the front page.
const WAITING_MAX_COUNT: usize = 5;

/// A room at a glance, ready to be laid out.
#[derive(Template)]
#[template(path = "glance.html")]
pub(super) struct Panel {
    /// On the front page: the name of the room and its page.
    head: Option<(String, String)>,
    game: String,
    state: Option<String>,
    news: Vec<Day>,
    /// Where all news is.
    journal: String,
    votes: Vec<Item>,
    turns: Vec<Item>,
    due: Option<Item>,
    seats: Vec<Word>,
    ways_in: Vec<(String, String)>,
    invitation: Option<String>,
    picture: Option<(String, String)>,
}

impl Panel {
    /// A room on the front page.
    pub(super) fn on_front(glance: &Glance, links: Links<'_>, invitation: Option<&str>) -> Self {
        let page = format!("{}{}", links.base, room_path(&glance.room.name));
        let title = |block| svg(&glance.room.name, block, |_| None);
        let picture = glance.first.iter().flat_map(|document| &document.blocks).find_map(title);
        let mut panel = Self::new(glance, links, invitation);
        panel.head = Some((clean(&glance.room.name), page.clone()));
        panel.picture = picture.map(|svg| (page, svg));
        panel.votes.truncate(WAITING_MAX_COUNT);
        panel.turns.truncate(WAITING_MAX_COUNT);
        panel
    }

    /// A room on its own page.
    pub(super) fn new(glance: &Glance, links: Links<'_>, invitation: Option<&str>) -> Self {
        let (votes, turns): (Vec<_>, Vec<_>) = glance.waiting.iter().partition(|waits| waits.wants == Wants::Votes);
        let waits = |waits: &&Waiting| {
            let name = |id| glance.seats.iter().find(|(seat, _)| seat == id).map(|(_, name)| name.clone());
            let names = listed(waits.of.iter().filter_map(name).collect());
            let note = match (names.is_empty(), waits.wants) {
                (true, _) => String::new(),
                (false, Wants::Votes) => format!("without a vote: {names}"),
                (false, Wants::Turn) => format!("by {names}"),
            };
            let label = Word::new(clean(&waits.label), Some(links.to(&waits.display)));
            Item { note: clean(&note), ..Item::until(vec![label], waits.until.at(), glance.now) }
        };
        let due =
            glance.due.as_ref().map(|(what, at)| Item::until(words(&capital(what), links), Some(*at), glance.now));
        let news = |one: &Announced| Item::past(one.seq, one.at, told(&one.document, links), links);
        let mut seats = Vec::new();
        for (_, name) in glance.seats.iter().take(NAMED_MAX_COUNT) {
            seats.extend((!seats.is_empty()).then(|| Word::new(", ".to_owned(), None)));
            seats.push(Word::new(clean(name), Some(links.deeds(name))));
        }
        if glance.seats.len() > NAMED_MAX_COUNT {
            let more = format!(" and {} more", glance.seats.len() - NAMED_MAX_COUNT);
            seats.push(Word::new(more, Some(links.to("players"))));
        }
        Self {
            head: None,
            game: clean(&glance.game),
            state: glance.state.as_deref().map(clean),
            news: days(glance.news.iter().map(news), Some(glance.now)),
            journal: links.to("history"),
            votes: votes.iter().map(waits).collect(),
            turns: turns.iter().map(waits).collect(),
            due,
            seats,
            ways_in: glance.ways_in.iter().map(|(line, channel)| (clean(line), clean(channel))).collect(),
            invitation: invitation.map(str::to_owned),
            picture: None,
        }
    }
}

/// What a document says first. Where that names nothing that has a page, it leads to what the document is about.
fn told(document: &Document, links: Links<'_>) -> Vec<Word> {
    let mut words = words(&sentence(document), links);
    let about = document.topic.as_ref().filter(|topic| links.names.has(&topic.key));
    if let (Some(topic), true) = (about, words.iter().all(|word| word.href.is_none())) {
        words.iter_mut().for_each(|word| word.href = Some(links.to(&topic.key)));
    }
    words
}

/// Names as a list of words, the first of many.
fn listed(names: Vec<String>) -> String {
    let more = names.len().saturating_sub(NAMED_MAX_COUNT);
    let mut named: Vec<String> = names.into_iter().take(NAMED_MAX_COUNT).collect();
    named.extend((more > 0).then(|| format!("{more} more")));
    named.join(", ")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
