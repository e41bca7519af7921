//! Opening and closing rooms, and binding channels to them.

use std::sync::Arc;

use serde::Deserialize;

use super::{asked::Asked, order};
use crate::service::{
    deed::{NotDone, Origin},
    hearing::{Answer, Hearing},
    hub::{Behind, Handle, Hub, OpenRoom},
};
use kernel::names;
use kernel::{
    Id, Refusal,
    deed::{Deed, Moderation},
    display::{Block, Cell, Document, Offer, cells},
    doer::Doer,
    engine::View,
    frame::{ClockMode, Designation},
    time::minute,
};

/// The parameter for a rulebook of the moderator's own, and the option of the game that gets it.
pub(in crate::service) const RULEBOOK: &str = "rulebook";

/// A room that somebody asked for, as typed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::service) struct Wanted {
    game: String,
    name: String,
    officer: Option<String>,
    zone: Option<String>,
    clock: Option<String>,
    ends: Option<String>,
    preset: Option<String>,
    side: Option<i64>,
    nweek: Option<u64>,
    first_proposal: Option<u64>,
    founders: Option<String>,
    socks: Option<i64>,
    with: Option<String>,
    ruleset: Option<String>,
    sure: Option<String>,
    rulebook: Option<String>,
}

/// Opens a room, and makes the channel where that was said its public forum.
pub(in crate::service) async fn open(hearing: &Hearing<'_>, wanted: Wanted, asked: Asked) -> Result<Answer, NotDone> {
    let hub = hearing.hub;
    if let Some(forum) = hearing.line.place.forum() {
        let id = forum.to_string();
        let taken = hub.rooms().into_iter().find(|handle| {
            let view = handle.view();
            let bound = view.frame().forums.get(id.as_str()).and_then(|forum| forum.designation()).is_some();
            bound && view.game() == wanted.game && !view.frame().closed
        });
        if let Some(handle) = taken {
            // By this line, perhaps, which is heard again.
            if hub.store().entry_of_origin(handle.id, &asked.origin).await?.is_some() {
                return Err(NotDone::HeardBefore);
            }
            let why = format!(
                "this channel carries the {} room {} already; open another in a channel of its own",
                wanted.game, handle.name
            );
            let other = format!("room open {} {}", wanted.game, wanted.name);
            return Err(Refusal::new(why).instead(other).into());
        }
    }
    let person = hearing.person().await?;
    let own_name = hearing.own_name();
    let clock = match wanted.clock.as_deref() {
        Some("manual") => ClockMode::Manual(hub.clock().now()),
        _ => ClockMode::Live,
    };
    let mut options = serde_json::Map::new();
    options.insert("officer".to_owned(), wanted.officer.unwrap_or_else(|| own_name.clone()).into());
    let own = [
        ("ends", wanted.ends.map(Into::into)),
        ("preset", wanted.preset.map(Into::into)),
        ("side", wanted.side.map(Into::into)),
        ("nweek", wanted.nweek.map(Into::into)),
        ("first-proposal", wanted.first_proposal.map(Into::into)),
        ("founders", wanted.founders.map(Into::into)),
        ("socks", wanted.socks.map(Into::into)),
        ("with", wanted.with.map(Into::into)),
        ("ruleset", wanted.ruleset.map(Into::into)),
    ];
    options.extend(own.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    if let Some(rulebook) = wanted.rulebook {
        options.insert(RULEBOOK.to_owned(), rulebook.into());
    }
    let mut new = OpenRoom {
        game: wanted.game,
        name: wanted.name,
        clock,
        zone: wanted.zone.unwrap_or_else(|| "UTC".to_owned()),
        forum: hearing.line.place.forum().map(|forum| forum.to_string().into()),
        options,
        origin: Some(asked.origin),
        said: Some(asked.said),
    };
    let doer = Hub::doer(person, &own_name);
    let is_sure = wanted.sure.is_some();
    if !is_sure && new.options.contains_key(RULEBOOK) {
        return would(hearing, doer, new).await;
    }
    let brought = |new: &OpenRoom| [RULEBOOK, "ruleset"].iter().any(|key| new.options.contains_key(*key));
    if is_sure && !brought(&new) {
        let shown = hub.inner.brought.last(hearing.account()?);
        let shown = shown.filter(|shown| shown.game == new.game && shown.name == new.name).ok_or_else(|| {
            Refusal::new(format!("you were shown no rules for a {} room “{}” lately", new.game, new.name))
                .instead("room open nomic NAME rulebook:FILE")
        })?;
        new = OpenRoom { forum: new.forum, origin: new.origin, said: new.said, ..shown };
    }
    let is_brought = brought(&new);
    let (handle, mut reply) = hub.open_room(doer, person, new).await?;
    if is_brought {
        reply.blocks.extend(of_rules(&*handle.view()));
    }
    reply.blocks.push(Block::Para(match hearing.line.place.forum() {
        // A number is no name that anybody knows it by.
        Some(forum) if forum.channel.bytes().all(|byte| byte.is_ascii_digit()) => {
            "This channel is its public forum.".to_owned()
        }
        Some(forum) => format!("{} is its public forum.", forum.channel),
        None => format!("Bind a channel to it: ⁅forum bind @{} CHANNEL as public⁆", handle.name),
    }));
    Ok(Answer::done(reply))
}

/// What rules from outside would bring, with what opens the room by them. Nothing of it stays but the rules themselves,
/// so that whoever was shown them opens the room with the same.
async fn would(hearing: &Hearing<'_>, by: Doer, new: OpenRoom) -> Result<Answer, NotDone> {
    let line = format!("room open {} {} sure:yes", new.game, new.name);
    let (view, reply) = hearing.hub.would_open(by, new.clone()).await?;
    hearing.hub.inner.brought.keep(hearing.account()?, &new);
    let mut page = Document::say(format!("Nothing is open yet. “⁅{line}⁆” opens the room, and this comes of it:"));
    page.blocks.extend(reply.blocks);
    let mut brings = view.brings();
    if let Some(more @ 1..) = brings.len().checked_sub(BROUGHT_MAX_COUNT) {
        brings.truncate(BROUGHT_MAX_COUNT);
        brings.push(format!("and {more} more"));
    }
    if !brings.is_empty() {
        page.blocks.push(Block::Para("Their laws bring:".to_owned()));
        page.blocks.push(Block::List(brings.into_iter().map(Cell::new).collect()));
    }
    let next = view.coming().map(|(what, at)| format!("First by itself, at {}: {what}.", minute(at)));
    page.blocks.extend(next.map(Block::Para).into_iter().chain(wrong(&*view)));
    (page.offers, page.offers_told) = (vec![Offer::new("Open the room", line, view.seq())], true);
    Ok(Answer::shown(page))
}

/// What rules that were brought along add, and what is wrong with them.
fn of_rules(view: &dyn View) -> Vec<Block> {
    let names: Vec<String> = view.commands().iter().map(|command| command.name.clone()).collect();
    let adds = (!names.is_empty()).then(|| Block::Para(format!("Their laws add the commands {}.", names.join(", "))));
    adds.into_iter().chain(wrong(view)).collect()
}

/// What is wrong with rules that were brought along.
fn wrong(view: &dyn View) -> Vec<Block> {
    let wrong: Vec<Cell> = view.warnings().into_iter().take(WARNED_MAX_COUNT).map(Cell::new).collect();
    let look = (!wrong.is_empty()).then(|| [Block::Para("Look at this again:".to_owned()), Block::List(wrong)]);
    look.into_iter().flatten().collect()
}

/// Most lines about what rules bring: a page that somebody reads before e says yes.
const BROUGHT_MAX_COUNT: usize = 60;

/// Most sentences about rules that were brought along: whoever mends these opens the room again.
const WARNED_MAX_COUNT: usize = 10;

/// Closes a room.
pub(in crate::service) async fn close(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    moderate_behind(hearing, handle, Moderation::Close { reason }, asked, Behind::Anyway).await
}

/// Lists all rooms.
pub(in crate::service) fn list(hub: &Hub) -> Document {
    let row = |handle: &Arc<Handle>| {
        let view = handle.view();
        let frame = view.frame();
        let state = match (frame.closed, frame.clock) {
            (true, _) => "closed",
            (false, ClockMode::Live) => "open",
            (false, ClockMode::Manual(_)) => "open, clock moved by hand",
            (false, ClockMode::Paused(_)) => "paused",
        };
        // Everybody reads this list, so it leaves private channels out.
        let open = |designation| matches!(designation, Some(Designation::Public | Designation::Discussion));
        let bound = frame.forums.iter().filter(|(_, forum)| open(forum.designation()));
        let forums: Vec<&str> = bound.map(|(id, _)| &**id).collect();
        let name = Cell::new(format!("@{}", handle.name)).completing(handle.name.clone());
        let name = name.showing(format!("@{}", handle.name));
        cells![name, view.game(), state, forums.join(", ")]
    };
    let rows: Vec<Vec<Cell>> = hub.rooms().iter().map(row).collect();
    if rows.is_empty() {
        return Document::say("There is no room yet. A moderator types: ⁅room open GAME NAME⁆");
    }
    Document::titled("rooms", "Rooms").table(["Room", "Game", "State", "Channels"], rows)
}

/// What is done to a channel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::service) enum Binding {
    /// It comes to the room, private where nothing else is said.
    Bind,
    /// Having come, it is said what it is for.
    Designate,
    /// It goes.
    Unbind,
}

/// Binds a channel, says what it is for, or unbinds it.
pub(in crate::service) async fn designate(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    channel: Option<String>,
    act: Binding,
    designation: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let forum = own_forum(hearing, channel.as_deref())?;
    let held = handle.view().frame().forums.get(&forum).and_then(|forum| forum.designation());
    match (act, held) {
        (Binding::Bind, None) => {
            if let Some((service, _)) = forum.split_once('/') {
                order::served(hearing, service)?;
            }
        }
        // Bound is bound: whoever does not say as what changes nothing.
        (Binding::Bind, Some(held)) if designation.is_none() => {
            let why = format!("the channel {forum} belongs to {} already; it is {}", handle.name, held.word());
            return Err(Refusal::new(why).instead("forum designate public").into());
        }
        (Binding::Bind | Binding::Designate | Binding::Unbind, Some(_)) => {}
        (Binding::Designate | Binding::Unbind, None) => {
            let why = format!("the channel {forum} is not bound to this room");
            return Err(Refusal::new(why).instead(format!("forum bind @{} CHANNEL", handle.name)).into());
        }
    }
    let designation = (act != Binding::Unbind).then_some(designation);
    let designation = designation.map(|word| match word.as_deref() {
        Some("public") => Designation::Public,
        Some("discussion") => Designation::Discussion,
        // A newly bound forum is private until somebody says otherwise (seed 002, 4E6).
        _ => Designation::Private,
    });
    moderate(hearing, handle, Moderation::Designate { forum, designation }, asked).await
}

/// The id of a channel that the speaker may settle.
pub(super) fn own_forum(hearing: &Hearing<'_>, channel: Option<&str>) -> Result<Id, Refusal> {
    let forum = forum_id(hearing, channel)?;
    let own = &hearing.line.from.moderates;
    if !hearing.operator && !own.is_empty() && !own.iter().any(|own| own.to_string() == *forum) {
        return Err(Refusal::new("you keep order in the channels of your own server, and that is none of them"));
    }
    Ok(forum)
}

/// The id of a channel: the one named, on the speaker's own service unless it names another, or this one.
fn forum_id(hearing: &Hearing<'_>, channel: Option<&str>) -> Result<Id, Refusal> {
    let here = hearing.line.place.forum();
    let service = here.map(|here| &here.service).or(hearing.line.from.account.as_ref().map(|account| &account.service));
    match (channel, here, service) {
        (None, Some(here), _) => Ok(here.to_string().into()),
        (None, None, _) => Err(Refusal::new("say which channel").instead("forum bind CHANNEL")),
        (Some(named), _, _) if named.contains('/') => Ok(named.into()),
        (Some(named), _, Some(service)) => Ok(format!("{service}/{named}").into()),
        (Some(_), _, None) => Err(Refusal::new("say the channel with its service, like irc:libera/#nomic")),
    }
}

/// Does a moderator's act in a room.
pub(in crate::service) async fn moderate(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    act: Moderation,
    asked: Asked,
) -> Result<Answer, NotDone> {
    moderate_behind(hearing, handle, act, asked, Behind::Refused).await
}

/// The same, with what becomes of it in a room that has very much to catch up on.
pub(in crate::service) async fn moderate_behind(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    act: Moderation,
    asked: Asked,
    behind: Behind,
) -> Result<Answer, NotDone> {
    let person = hearing.person().await?;
    let by = Hub::doer(person, &hearing.own_name());
    let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
    let origin = Origin { id: Some(asked.origin), person: Some(person), said: Some(asked.said), ..Origin::default() };
    // Its announcement tells the reason as well.
    Ok(hearing.answered(hearing.hub.perform_behind(handle, deed, origin, behind).await?))
}

/// A seat by the name used in the room.
pub(in crate::service) fn seat_named(view: &dyn View, name: &str) -> Option<Id> {
    view.frame().seats.iter().find(|(_, seat)| names::confusable(&seat.name, name)).map(|(id, _)| id.clone())
}
