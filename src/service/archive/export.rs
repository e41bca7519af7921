//! Writes a room from the store into a file.
//!
//! The public archive of a room at an entry is the same file whoever writes it and whenever, as long as nobody was
//! forgotten. So its digest, told in a channel, lets players prove later what stood there. Private announcements,
//! secrets, accounts, the ids of messages, words said in private and what a game keeps back for now are left out of it.

use std::{
    collections::{BTreeMap, VecDeque},
    io::Write,
};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use serde_json::Value as Json;

use super::{
    ArchiveError,
    format::{Banned, Body, FORMAT, Header, Journalled, Kind, Moderates, Person, Record, Sealed, Words, Writer},
    persons::{Faces, rename},
    proof::Proof,
};
use crate::service::{
    Fault,
    journal::{READ_PAGE_ENTRIES, read_table, unopened_of},
    letters::{person_id, person_number},
    sealed::are_private,
};
use kernel::{
    Id, Seq,
    engine::{Disclosed, View},
    own_command::Languages,
    rulebook::Rulebook,
};
use store::{self, Link, Room, RoomId, Scope, Store};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many entries.
    pub entries: Seq,
    /// SHA-256 of all lines but the last, in hexadecimal, as it stands in the last.
    pub sha256: String,
    /// The hash of the last entry, in hexadecimal.
    pub head: String,
    /// Whether it holds names of people who asked to be forgotten.
    pub names_forgotten: bool,
}

impl Written {
    /// What whoever gets a public file should know, where somebody was forgotten: without the names it would not prove
    /// the same any more.
    pub fn keeps(&self) -> &'static str {
        match self.names_forgotten {
            true => {
                " It holds the journal as it was written, with the names of those who asked to be forgotten since: think \
                 before you pass it on."
            }
            false => "",
        }
    }
}

/// Writes a room.
///
/// # Errors
///
/// [`ArchiveError::Unusable`] where the room went on while its secrets were read, or it or an entry cannot be read;
/// [`ArchiveError::Store`] and [`ArchiveError::Io`].
pub async fn export(
    store: &Store,
    room: &Room,
    kind: Kind,
    out: &mut (dyn Write + Send),
) -> Result<Written, ArchiveError> {
    let unread = |fault: Fault| ArchiveError::unusable(format!("{fault}."));
    let unopened = unopened_of(store, room).map_err(unread)?;
    let mut writer = Writer::new(out);
    let mut faces = Faces::default();
    let last = store.last_seq(room.id).await?;
    let (game, shape) = (room.game.clone(), room.shape.clone());
    writer.put(&Record::Header(Header { format: FORMAT, shape, kind, game, room: room.name.clone() }))?;
    // The state after the last entry, which says what everybody may read of those before.
    let reader = match kind {
        Kind::Public => Some(read_table(store, room.id, unopened, Some(last)).await.map_err(unread)?.view()),
        Kind::Whole => None,
    };
    let head = entries(store, room.id, last, reader.as_deref(), &mut faces, &mut writer).await?;
    if kind == Kind::Whole {
        secrets(store, room.id, &mut faces, &mut writer).await?;
        if store.last_seq(room.id).await? != last {
            return Err(ArchiveError::unusable(
                "The room went on while it was written, so its secrets do not fit its journal: pause it, or stop the \
                 program, and try again.",
            ));
        }
        people(store, room.id, &mut faces, &mut writer).await?;
    }
    let end = writer.finish()?;
    let names_forgotten = reader.is_some_and(|view| !view.frame().redacted.is_empty());
    Ok(Written { entries: end.entries, sha256: end.sha256, head, names_forgotten })
}

/// The rules of a room as they read now.
///
/// # Errors
///
/// As [`export`].
pub async fn rules(store: &Store, room: &Room) -> Result<(Rulebook, Languages), ArchiveError> {
    let unread = |fault: Fault| ArchiveError::unusable(format!("{fault}."));
    let unopened = unopened_of(store, room).map_err(unread)?;
    let table = read_table(store, room.id, unopened, None).await.map_err(unread)?;
    let view = table.view();
    let languages = view.commands().first().map(|command| (*command.words).clone());
    Ok((view.rules().clone(), languages.unwrap_or_default()))
}

/// Writes all entries, whole, or as everybody may read them where there is somebody to say so; the hash of the last.
async fn entries(
    store: &Store,
    room: RoomId,
    last: Seq,
    public: Option<&dyn View>,
    faces: &mut Faces,
    writer: &mut Writer<'_>,
) -> Result<String, ArchiveError> {
    let mut next = 1;
    let mut links = VecDeque::new();
    let mut head = String::new();
    while next <= last {
        let page = store.entries(room, next, READ_PAGE_ENTRIES).await?;
        if page.is_empty() {
            return Err(missing(next));
        }
        let end = page.last().map_or(next, |entry| entry.seq);
        let mut acts = if public.is_none() { store.acts(room, next, end).await? } else { BTreeMap::new() };
        for entry in page.into_iter().take_while(|entry| entry.seq <= last) {
            if entry.seq != next {
                return Err(missing(next));
            }
            if links.is_empty() {
                links.extend(store.links(room, next).await?);
            }
            let link: Link = links
                .pop_front()
                .filter(|link: &Link| link.seq == next)
                .ok_or_else(|| ArchiveError::unusable(format!("The hash of entry {next} of the room is missing.")))?;
            next += 1;
            let act = acts.remove(&entry.seq);
            head = hex::encode(link.hash);
            writer.put(&Record::Entry(Box::new(journalled((entry, act), &link, public, faces)?)))?;
        }
    }
    Ok(head)
}

fn missing(seq: Seq) -> ArchiveError {
    ArchiveError::unusable(format!("Entry {seq} of the room is missing."))
}

fn journalled(
    (entry, act): (store::Entry, Option<String>),
    link: &Link,
    public: Option<&dyn View>,
    faces: &mut Faces,
) -> Result<Journalled, ArchiveError> {
    let unread = |why: String| ArchiveError::unusable(format!("Entry {} cannot be read: {why}.", entry.seq));
    let stored: Json = serde_json::from_str(&entry.json).map_err(|why| unread(why.to_string()))?;
    let said = entry.said.filter(|_| public.is_none() || !are_private(&entry.json));
    let (mut body, proof) = match public {
        Some(view) => {
            let Disclosed { entry: body, parts } = view.disclosed(&entry.json).map_err(unread)?;
            let proof = Proof::public(link, &stored, &parts, said.is_some());
            (body, proof)
        }
        None => (stored, Proof::whole(link)),
    };
    rename(&mut body, |person| faces.of(person));
    let body = Body::try_from(body).map_err(|why| unread(why.to_string()))?;
    let said =
        said.map(|said| Words { person: said.person.map(|person| faces.of(&person_id(person))), text: said.text });
    Ok(Journalled { body, said, act, origin: entry.origin.filter(|_| public.is_none()), proof })
}

async fn secrets(store: &Store, room: RoomId, faces: &mut Faces, writer: &mut Writer<'_>) -> Result<(), ArchiveError> {
    let mut after = String::new();
    loop {
        let ids = store.secret_ids(room, &after).await?;
        let Some(last) = ids.last() else { return Ok(()) };
        after.clone_from(last);
        for id in ids {
            // One that is gone by now went with an entry, which is noticed at the end.
            let Some((secret, sealer)) = store.sealed(room, &id).await? else { continue };
            let (salt, bytes) = (hex::encode(&secret.salt), BASE64.encode(&secret.bytes));
            let person = sealer.person.map(|person| faces.of(&person_id(person)));
            writer.put(&Record::Secret(Sealed { id, salt, bytes, person, seat: sealer.seat }))?;
        }
    }
}

async fn people(store: &Store, room: RoomId, faces: &mut Faces, writer: &mut Writer<'_>) -> Result<(), ArchiveError> {
    let here = Scope::Room(room);
    for moderator in store.moderators().await?.into_iter().filter(|moderator| moderator.scope == here) {
        let person = faces.of(&person_id(moderator.person));
        writer.put(&Record::Moderator(Moderates { person, since: moderator.since }))?;
    }
    for ban in store.bans().await?.into_iter().filter(|ban| ban.scope == here) {
        let person = faces.of(&person_id(ban.person));
        writer.put(&Record::Ban(Banned { person, reason: ban.reason, since: ban.since, ends: ban.ends }))?;
    }
    for person in faces.all().to_vec() {
        let id: Id = faces.of(&person);
        let Some(number) = person_number(&person) else { continue };
        let name = store.person(number).await?.and_then(|person| person.name);
        let accounts = store.accounts(number).await?;
        let traces = store.traces(number).await?.iter().map(hex::encode).collect();
        writer.put(&Record::Person(Person { id, name, accounts, traces }))?;
    }
    Ok(())
}
