//! `/start`: who the bot is, what is played here, and how one begins.

use std::sync::Arc;

use crate::service::{
    fault::Fault,
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
    letters::person_id,
    standing,
};
use catalogue::Catalogue;
use kernel::display::{Block, Cell, Document, Offer, counted, room_word};

/// Most rooms that a newcomer is told of.
const ROOMS_MAX_COUNT: usize = 5;

/// What is watched by who tries the joust: two house programs that fight for a while.
const JOUST: &str = "joust watch joust0 joust1 151";

/// The steps of who has the bot where nothing is played yet.
pub(in crate::service) fn steps() -> Document {
    let steps = [
        "Open a room in a channel: ⁅room open bnomic NAME⁆. Other games are blognomic, spacenomic and joust. For rules of \
         your own: ⁅room open nomic NAME ruleset:club⁆.",
        "Say what other channels are for: ⁅forum bind @NAME CHANNEL as discussion⁆.",
        "Tell people to type “⁅start⁆” there; “⁅join⁆” gives them a seat.",
        "Make moderators with “⁅moderator add WHO⁆”. Where the network pins messages, pin how the room stands with \
         “⁅room settings pinned yes⁆”.",
    ];
    let steps = steps.iter().zip(1..).map(|(step, number)| format!("{number}. {step}"));
    steps.fold(Document::say("To have a game here takes four steps."), Document::para)
}

/// Greets somebody, or tells the rules of a room's game in a minute.
pub(super) async fn start(hearing: &Hearing<'_>, named: Option<&Arc<Handle>>, rules: bool) -> Result<Answer, Fault> {
    let hub = hearing.hub;
    let here = match named {
        Some(room) => vec![room.clone()],
        None => reachable(hearing, hub),
    };
    if rules {
        return Ok(Answer::shown(in_a_minute(&here)));
    }
    let mut document = Document::say(
        "I am Rulekeeper, a bot that runs nomics: games whose rules the players change. I keep the rules, the votes, the \
         clock and the record.",
    );
    if here.is_empty() {
        if hearing.operator || hearing.keeps_order_here() {
            document.blocks.extend(steps().blocks);
            return Ok(Answer::shown(document));
        }
        return Ok(Answer::shown(document.para("Nothing is played here yet. Rooms elsewhere: ⁅rooms⁆")));
    }
    let told = |room: &Arc<Handle>| {
        let view = room.view();
        let players = counted(view.frame().seats.len(), "seat");
        Cell::new(format!("{} ({players})", standing::line(&*view)))
    };
    let one = here.len() == 1;
    let here: Vec<_> = here.into_iter().take(ROOMS_MAX_COUNT).collect();
    document = document.para("Played here:").with(Block::List(here.iter().map(told).collect()));
    for room in &here {
        document.offers.extend(offers(hearing, room, one));
    }
    let joust = hub.rooms().into_iter().find(|room| room.view().game() == "joust" && !room.view().frame().closed);
    if let Some(room) = joust {
        let line = format!("{} {JOUST}", room_word(&room.name));
        document.offers.push(Offer::new("Try the joust", line, room.view().seq()));
    }
    Ok(Answer::shown(document.para("“⁅help⁆” lists what you can type.")))
}

/// What somebody may do first in a room.
fn offers(hearing: &Hearing<'_>, room: &Handle, only: bool) -> Vec<Offer> {
    let view = room.view();
    let (word, seq) = (room_word(&room.name), view.seq());
    let named = |label: &str| if only { label.to_owned() } else { format!("{label} ({})", room.name) };
    let seated = hearing.person.is_some_and(|person| view.frame().seat_of(&person_id(person)).is_some());
    let join = Catalogue::all().group_of(view.game()).map_or("join", |group| &group.join);
    let mut offers = Vec::new();
    if seated {
        offers.push(Offer::new(named("What waits for me?"), format!("{word} remind"), seq));
    } else {
        offers.push(Offer::new(named("Join"), format!("{word} {join}"), seq));
    }
    offers.push(Offer::new(named("The rules in a minute"), format!("{word} start rules"), seq));
    offers
}

/// The rooms of the channel, else those in which the speaker sits, else all that are open.
fn reachable(hearing: &Hearing<'_>, hub: &Hub) -> Vec<Arc<Handle>> {
    let open = |rooms: Vec<Arc<Handle>>| -> Vec<Arc<Handle>> {
        rooms.into_iter().filter(|room| !room.view().frame().closed).collect()
    };
    match (hearing.line.place.forum(), hearing.person) {
        (Some(forum), _) => open(hub.indexed(|index| index.of_forum(&forum.to_string()))),
        (None, Some(person)) => {
            let own = open(hub.indexed(|index| index.of_person(&person_id(person))));
            if own.is_empty() { open(hub.rooms()) } else { own }
        }
        (None, None) => open(hub.rooms()),
    }
}

fn in_a_minute(rooms: &[Arc<Handle>]) -> Document {
    let mut games: Vec<&str> = rooms.iter().map(|room| room.view().game()).collect();
    games.dedup();
    if games.is_empty() {
        games = Catalogue::all().games();
    }
    let groups = games.iter().filter_map(|game| Catalogue::all().group_of(game));
    let told = |document: Document, group: &Arc<catalogue::Group>| {
        let document = document.para(format!("{}: {}.", group.title, group.help));
        let document = group.minute.iter().fold(document, |document, text| document.para(text.clone()));
        document.para(format!("To take part: ⁅{}⁆", group.join))
    };
    groups.fold(Document::default(), told).para("The rules themselves: ⁅rules⁆")
}
