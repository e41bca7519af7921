//! Order, by moderators: who moderates, who is banned, whose lines are passed over.

use std::sync::Arc;

use crate::service::deed::NotDone;
use crate::service::hearing::{Answer, Hearing};
use crate::service::hub::Handle;
use crate::service::letters::{person_id, person_number};
use adapter_console as console;
use kernel::names;
use kernel::{
    Instant, Refusal,
    display::{Cell, Document},
    frame::{Frame, former_name},
    time::minute,
};
use port::Account;
use store::{Ban, PersonId, Scope};

/// What stands where no reason is given.
const NO_REASON: &str = "none given";

/// Makes somebody a moderator, of a room or of all.
pub(in crate::service) async fn add_moderator(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
) -> Result<Answer, NotDone> {
    let scope = scope(hearing, room)?;
    let person = somebody(hearing, room, who, Unseen::Welcome).await?;
    let store = hearing.hub.store();
    if store.accounts(person).await?.is_empty() {
        let why = format!("whoever was {who} asked to be forgotten, and moderates nothing unless they come back");
        return Err(Refusal::new(why).into());
    }
    let place = place(room);
    if scope != Scope::Everywhere && moderates(hearing, Scope::Everywhere, person).await? {
        return Ok(Answer::done(Document::say(format!("{who} moderates every room already, and so {place}."))));
    }
    let now = hearing.hub.clock().now().as_microsecond();
    Ok(Answer::done(Document::say(match store.add_moderator(scope, person, hearing.person, now).await? {
        true => format!("{who} moderates {place} from now on."),
        false => format!("{who} moderates {place} already."),
    })))
}

/// Has somebody moderate no longer, a room or all.
pub(in crate::service) async fn remove_moderator(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
) -> Result<Answer, NotDone> {
    let scope = scope(hearing, room)?;
    let person = somebody(hearing, room, who, Unseen::Refused).await?;
    let place = place(room);
    let removed = hearing.hub.store().remove_moderator(scope, person).await?;
    if is_listed(hearing, person).await? {
        let why = format!("on the operator's list, {who} moderates every room and can only be removed there");
        return Err(Refusal::new(why).into());
    }
    if sits_at_console(hearing, person).await? {
        let why = format!("{who} is the operator at the console, who moderates every room as long as it is open");
        return Err(Refusal::new(why).instead("show moderators").into());
    }
    if moderates(hearing, scope, person).await? {
        let why = format!("it is every room that {who} moderates, and so {place}");
        return Err(Refusal::new(why).instead(format!("moderator remove {who} everywhere")).into());
    }
    Ok(Answer::done(Document::say(match removed {
        true => format!("{who} moderates {place} no longer."),
        false => format!("{who} does not moderate {place}."),
    })))
}

/// Whether somebody moderates a room, or all, for whatever reason the service knows.
async fn moderates(hearing: &Hearing<'_>, scope: Scope, person: PersonId) -> Result<bool, NotDone> {
    Ok(is_listed(hearing, person).await?
        || sits_at_console(hearing, person).await?
        || hearing.hub.store().is_moderator(scope, person).await?)
}

/// Whether somebody has the account of whoever sits at the console, who moderates without being on any list.
async fn sits_at_console(hearing: &Hearing<'_>, person: PersonId) -> Result<bool, NotDone> {
    let accounts = hearing.hub.store().accounts(person).await?;
    Ok(accounts.iter().any(|account| account.service == console::SERVICE && account.id == console::OPERATOR))
}

/// Whether an account of somebody is on the operator's list.
async fn is_listed(hearing: &Hearing<'_>, person: PersonId) -> Result<bool, NotDone> {
    let listed = &hearing.hub.inner.settings.moderators;
    Ok(hearing.hub.store().accounts(person).await?.iter().any(|account| listed.contains(account)))
}

/// Refuses all actions of somebody.
pub(in crate::service) async fn ban(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
    duration: Option<jiff::SignedDuration>,
    reason: Option<String>,
) -> Result<Answer, NotDone> {
    let scope = scope(hearing, room)?;
    let person = somebody(hearing, room, who, Unseen::Welcome).await?;
    if hearing.person == Some(person) {
        return Err(Refusal::new("that is you; you could not act any more").into());
    }
    if sits_at_console(hearing, person).await? {
        let why = format!("{who} is the operator at the console, who moderates every room and is not banned");
        return Err(Refusal::new(why).instead("show moderators").into());
    }
    if moderates(hearing, scope, person).await? {
        let why = format!("moderators are not banned, and {who} moderates {}", place(room));
        return Err(Refusal::new(why).instead(format!("moderator remove {who}")).into());
    }
    let now = hearing.hub.clock().now();
    let ends = duration.map(|duration| now.checked_add(duration).unwrap_or(Instant::MAX));
    let ban = Ban {
        scope,
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
    let (scope, place) = (scope(hearing, room)?, place(room));
    let store = hearing.hub.store();
    for ban in store.bans().await?.into_iter().filter(|ban| ban.scope == scope) {
        if names::confusable(&title(hearing, room, ban.person).await?, who) {
            store.unban(scope, ban.person).await?;
            return Ok(Answer::done(Document::say(format!("{who} is no longer banned from {place}."))));
        }
    }
    let person = somebody(hearing, room, who, Unseen::Refused).await?;
    if store.unban(scope, person).await? {
        return Ok(Answer::done(Document::say(format!("{who} is no longer banned from {place}."))));
    }
    let elsewhere = store.bans().await?.into_iter().any(|ban| ban.person == person && ban.scope == Scope::Everywhere);
    if elsewhere {
        let why = format!("the ban on {who} is for every room, not for {place} alone");
        return Err(Refusal::new(why).instead(format!("unban {who} from everywhere")).into());
    }
    Err(Refusal::new(format!("nothing to lift: {who} is not banned from {place}")).instead("show bans").into())
}

/// Passes over somebody's lines, or listens again.
pub(in crate::service) async fn ignore(hearing: &Hearing<'_>, who: &str, ignored: bool) -> Result<Answer, NotDone> {
    let account = account_named(hearing, who)?;
    if ignored && !who.contains('/') && hearing.hub.store().person_meant(&account).await?.is_none() {
        return Err(nobody(who).into());
    }
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
    Ok(Some(Document::titled(display, title).table_or("Nobody.", head.iter().copied(), rows)))
}

/// Somebody by the name used in the room, with their accounts.
async fn named(hearing: &Hearing<'_>, handle: &Handle, person: PersonId) -> Result<String, NotDone> {
    let accounts: Vec<String> = hearing.hub.store().accounts(person).await?.iter().map(written).collect();
    let title = title(hearing, Some(handle), person).await?;
    Ok(match accounts.as_slice() {
        [] => format!("{title} (asked to be forgotten)"),
        [only] if *only == title => title,
        accounts => format!("{title} ({})", accounts.join(", ")),
    })
}

/// What somebody is called: as in the room, else by an account, else by the name of those who asked to be forgotten.
async fn title(hearing: &Hearing<'_>, room: Option<&Handle>, person: PersonId) -> Result<String, NotDone> {
    let id = person_id(person);
    if let Some(name) = room.and_then(|handle| Some(handle.view().frame().seat_of(&id)?.1.name.clone())) {
        return Ok(name);
    }
    let accounts = hearing.hub.store().accounts(person).await?;
    Ok(accounts.first().map_or_else(|| former_name(&id), written))
}

/// An account as it is typed.
pub(in crate::service) fn written(account: &Account) -> String {
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
    served(hearing, &service)?;
    Ok(Account { service, id: id.to_lowercase() })
}

/// Refuses a network that the program does not serve.
pub(super) fn served(hearing: &Hearing<'_>, service: &str) -> Result<(), Refusal> {
    let served = &hearing.hub.inner.settings.services;
    // Another process on this database may serve networks that this one does not know.
    let bound = |handle: &Arc<Handle>| {
        let view = handle.view();
        view.frame().forums.keys().any(|id| id.split_once('/').is_some_and(|(held, _)| held == service))
    };
    if served.is_empty() || served.iter().any(|held| held == service) || hearing.hub.rooms().iter().any(bound) {
        return Ok(());
    }
    Err(Refusal::new(format!("there is no network “{service}” here; there is {}", served.join(", "))))
}

/// What becomes of an account that the bot has never seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unseen {
    /// It is somebody, if it is written out with its network: a slip of the pen would be no account of anybody.
    Welcome,
    /// It is nobody.
    Refused,
}

/// A person by the name used in the room, else by account.
async fn somebody(
    hearing: &Hearing<'_>,
    room: Option<&Handle>,
    who: &str,
    unseen: Unseen,
) -> Result<PersonId, NotDone> {
    let store = hearing.hub.store();
    let mut sitting: Vec<PersonId> = match room {
        Some(handle) => seated(handle.view().frame(), who).into_iter().collect(),
        None => hearing.hub.rooms().iter().filter_map(|handle| seated(handle.view().frame(), who)).collect(),
    };
    sitting.sort_unstable();
    sitting.dedup();
    match sitting.as_slice() {
        [] => {}
        [person] if store.is_reachable(*person).await? => return Ok(*person),
        [_] => return Err(Refusal::new(format!("no account leads to the seat of {who} any more")).into()),
        _ => {
            let why = format!("several people are called {who}; write the account, like irc:libera/ann");
            return Err(Refusal::new(why).into());
        }
    }
    let account = account_named(hearing, who)?;
    if let Some(person) = store.person_meant(&account).await? {
        return Ok(person);
    }
    if unseen == Unseen::Refused || !who.contains('/') {
        return Err(nobody(who).into());
    }
    let now = hearing.hub.clock().now().as_microsecond();
    Ok(store.person_for(&account, &account.id, now).await?.id)
}

/// Why a name is refused that nobody has.
pub(super) fn nobody(who: &str) -> Refusal {
    let why = format!("nobody is called “{who}” here; an account is written with its network, like irc:libera/ann");
    Refusal::new(why).instead("show players")
}

fn seated(frame: &Frame, name: &str) -> Option<PersonId> {
    frame.seats.values().find(|seat| names::confusable(&seat.name, name)).and_then(|seat| person_number(&seat.person))
}
