//! Order, by moderators: who moderates, who is banned, whose lines are passed over.

use crate::{
    catalogue::names,
    kernel::{
        Instant, Refusal,
        display::{Block, Cell, Document},
        frame::Frame,
        time::minute,
    },
    service::{
        hear::{Answer, Hearing},
        hub::Handle,
        letters::{person_id, person_number},
        port::Account,
        room::NotDone,
    },
    store::{Ban, PersonId, Scope},
};

/// What stands where no reason is given.
const NO_REASON: &str = "none given";

/// Makes somebody a moderator, of a room or of all, or ends it.
pub(in crate::service) async fn moderator(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
    add: bool,
) -> Result<Answer, NotDone> {
    let person = somebody(hearing, room, who).await?;
    let scope = scope(hearing, room)?;
    let now = hearing.hub.clock().now().as_microsecond();
    let store = hearing.hub.store();
    let changed = if add {
        store.add_moderator(scope, person, hearing.person, now).await?
    } else {
        store.remove_moderator(scope, person).await?
    };
    let place = place(room);
    Ok(Answer::done(Document::say(match (add, changed) {
        (true, true) => format!("{who} moderates {place} from now on."),
        (true, false) => format!("{who} moderates {place} already."),
        (false, true) => format!("{who} moderates {place} no longer."),
        (false, false) => {
            format!("{who} does not moderate {place}; those on the operator's list can only be removed there.")
        }
    })))
}

/// Refuses all actions of somebody.
pub(in crate::service) async fn ban(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
    duration: Option<jiff::SignedDuration>,
    reason: Option<String>,
) -> Result<Answer, NotDone> {
    let person = somebody(hearing, room, who).await?;
    let now = hearing.hub.clock().now();
    let ends = duration.map(|duration| now.checked_add(duration).unwrap_or(Instant::MAX));
    let ban = Ban {
        scope: scope(hearing, room)?,
        person,
        reason: reason.unwrap_or_else(|| NO_REASON.to_owned()),
        made_by: hearing.person,
        since: now.as_microsecond(),
        ends: ends.map(Instant::as_microsecond),
    };
    hearing.hub.store().ban(&ban).await?;
    let until = ends.map_or_else(|| "for good".to_owned(), |ends| format!("until {}", minute(ends)));
    Ok(Answer::done(Document::say(format!("{who} is banned from {} {until}. Reason: {}", place(room), ban.reason))))
}

/// Lifts a ban.
pub(in crate::service) async fn unban(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
) -> Result<Answer, NotDone> {
    let person = somebody(hearing, room, who).await?;
    let place = place(room);
    Ok(Answer::done(Document::say(if hearing.hub.store().unban(scope(hearing, room)?, person).await? {
        format!("{who} is no longer banned from {place}.")
    } else {
        format!("{who} is not banned from {place}.")
    })))
}

/// Passes over somebody's lines, or listens again.
pub(in crate::service) async fn ignore(hearing: &Hearing<'_>, who: &str, ignored: bool) -> Result<Answer, NotDone> {
    let account = account_named(hearing, who)?;
    if hearing.line.from.account.as_ref() == Some(&account) {
        return Err(Refusal::new("you would not be heard any more").into());
    }
    let now = hearing.hub.clock().now().as_microsecond();
    let changed = hearing.hub.store().ignore(&account, ignored, hearing.person, now).await?;
    Ok(Answer::done(Document::say(match (ignored, changed) {
        (true, true) => format!("The bot passes over the lines of {who} from now on."),
        (true, false) => format!("The bot passes over the lines of {who} already."),
        (false, true) => format!("The bot listens to {who} again."),
        (false, false) => format!("The bot listens to {who} already."),
    })))
}

/// What only moderators look at: `moderators`, `bans` and `ignored`, as far as they concern a room. Nothing for every
/// other display.
pub(in crate::service) async fn listed(
    hearing: &Hearing<'_>,
    handle: &Handle,
    display: &str,
) -> Result<Option<Document>, NotDone> {
    let store = hearing.hub.store();
    let here = |scope: Scope| scope == Scope::Everywhere || scope == Scope::Room(handle.id);
    let place = |scope: Scope| if scope == Scope::Everywhere { "every room" } else { "this room" };
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let (title, head) = match display {
        "moderators" => {
            for account in &hearing.hub.inner.settings.moderators {
                let cells = [written(account), "every room".to_owned(), "the operator's list".to_owned()];
                rows.push(cells.map(Cell::new).to_vec());
            }
            for moderator in store.moderators().await?.into_iter().filter(|moderator| here(moderator.scope)) {
                let who = named(hearing, handle, moderator.person).await?;
                let cells = [who, place(moderator.scope).to_owned(), since(moderator.since)];
                rows.push(cells.map(Cell::new).to_vec());
            }
            ("Moderators", &["Who", "Where", "Since"][..])
        }
        "bans" => {
            let now = hearing.hub.clock().now().as_microsecond();
            let holds = |ban: &Ban| here(ban.scope) && ban.ends.is_none_or(|ends| ends > now);
            for ban in store.bans().await?.into_iter().filter(holds) {
                let until = ban.ends.map_or_else(|| "for good".to_owned(), since);
                let cells = [named(hearing, handle, ban.person).await?, place(ban.scope).to_owned(), until, ban.reason];
                rows.push(cells.map(Cell::new).to_vec());
            }
            ("Bans", &["Who", "Where", "Until", "Reason"][..])
        }
        "ignored" => {
            for ignored in store.ignored().await? {
                rows.push([written(&ignored.account), since(ignored.since)].map(Cell::new).to_vec());
            }
            ("Whose lines are passed over", &["Account", "Since"][..])
        }
        _ => return Ok(None),
    };
    let document = Document::titled(display, title);
    if rows.is_empty() {
        return Ok(Some(document.para("Nobody.")));
    }
    let head = head.iter().map(|name| (*name).to_owned()).collect();
    Ok(Some(document.with(Block::Table { head, rows })))
}

/// Somebody by the name used in the room, with their accounts.
async fn named(hearing: &Hearing<'_>, handle: &Handle, person: PersonId) -> Result<String, NotDone> {
    let store = hearing.hub.store();
    let accounts: Vec<String> = store.accounts(person).await?.iter().map(written).collect();
    let accounts = accounts.join(", ");
    Ok(match handle.view().frame().seat_of(&person_id(person)) {
        Some((_, seat)) => format!("{} ({accounts})", seat.name),
        None => accounts,
    })
}

/// An account as it is typed.
fn written(account: &Account) -> String {
    format!("{}/{}", account.service, account.id)
}

fn since(microseconds: i64) -> String {
    Instant::from_microsecond(microseconds).map_or_else(|_| String::new(), minute)
}

/// Why somebody may not act.
pub(in crate::service) fn banned(ban: &Ban) -> String {
    let until = match ban.ends.and_then(|ends| Instant::from_microsecond(ends).ok()) {
        Some(ends) => format!("until {}", minute(ends)),
        None => "for good".to_owned(),
    };
    let place = match ban.scope {
        Scope::Everywhere => "every room",
        Scope::Room(_) => "this room",
    };
    format!("a moderator banned you from {place} {until}; the reason: {}", ban.reason)
}

fn scope(hearing: &Hearing<'_>, room: Option<&Handle>) -> Result<Scope, Refusal> {
    match room {
        Some(handle) => Ok(Scope::Room(handle.id)),
        None if hearing.operator => Ok(Scope::Everywhere),
        None => Err(Refusal::new("you moderate single rooms; say which one, as in @main").instead("rooms")),
    }
}

fn place(room: Option<&Handle>) -> String {
    room.map_or_else(|| "every room".to_owned(), |handle| format!("@{}", handle.name))
}

/// An account as it is typed: `irc:libera/ann`, or an id at the speaker's own service.
pub(in crate::service) fn account_named(hearing: &Hearing<'_>, who: &str) -> Result<Account, Refusal> {
    let (service, id) = match who.split_once('/') {
        Some((service, id)) => (service.to_owned(), id),
        None => (hearing.account()?.service.clone(), who),
    };
    if id.is_empty() || service.is_empty() {
        return Err(Refusal::new(format!("“{who}” is no account; write it like irc:libera/ann")));
    }
    Ok(Account { service, id: id.to_lowercase() })
}

/// A person by the name used in the room, else by account.
async fn somebody(hearing: &Hearing<'_>, room: Option<&Handle>, who: &str) -> Result<PersonId, NotDone> {
    if let Some(handle) = room
        && let Some(person) = seated(handle.view().frame(), who)
    {
        return Ok(person);
    }
    if !who.contains('/') && room.is_none() {
        let rooms = hearing.hub.rooms();
        if let Some(person) = rooms.iter().find_map(|handle| seated(handle.view().frame(), who)) {
            return Ok(person);
        }
    }
    let account = account_named(hearing, who)?;
    let now = hearing.hub.clock().now().as_microsecond();
    Ok(hearing.hub.store().person_for(&account, &account.id, now).await?.id)
}

fn seated(frame: &Frame, name: &str) -> Option<PersonId> {
    frame.seats.values().find(|seat| names::confusable(&seat.name, name)).and_then(|seat| person_number(&seat.person))
}
