//! Checks a journal against everything that was made of it: hashes, snapshots, seeds, secrets and draws.
//!
//! The journal is folded from its first entry, each entry compared with its hash and with what it follows. At every
//! snapshot the state must be the one that was kept. At the end it must be the one that the program would go on from.
//! Columns, seeds, secrets and draws must say what the entries say. Nothing is mended: snapshots can be dropped, a
//! journal is only ever restored from a copy.

use std::collections::VecDeque;

use serde_json::Value as Json;

use super::{dice::Ledger, tell};
use crate::service::{
    Fault,
    deed::NotDone,
    journal::{READ_PAGE_ENTRIES, read_table, unopened_of},
    replay::repeat,
    room::seed_id,
};
use kernel::{
    Instant, Seq,
    chain::{self, Hash, NOTHING_BEFORE},
    dice::{SEED_BYTES, Seed},
    draft::sealed_hash,
    engine::{Table, View},
    entry::Entry,
};
use store::{self, Link, Room, Store};

/// Longest value that is told of a difference, in characters.
const VALUE_MAX_CHARS: usize = 80;

/// What a check of a room came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many entries were folded.
    pub entries: Seq,
    /// How many snapshots were compared.
    pub snapshots: usize,
    /// How many draws of the present seed and of revealed ones were computed again.
    pub draws: u64,
    /// The last entry up to which all agree with their hashes, and its hash in hexadecimal.
    pub head: Option<(Seq, String)>,
    /// How many entries' words are gone, as they are where somebody was forgotten.
    pub wordless: u64,
    /// Entries up to this one were written in another database; 0 where none was.
    pub imported: Seq,
    /// The entry whose hash is the one that was looked for.
    pub against: Option<Seq>,
    /// What does not agree: nothing where all is well.
    pub found: Vec<String>,
}

/// Checks a room.
///
/// # Errors
///
/// A [`Fault`] where the store fails, or this program does not read the room.
pub async fn verify(store: &Store, room: &Room) -> Result<Verified, Fault> {
    verify_against(store, room, None).await
}

/// Checks a room, and looks for the entry with the hash `sought`.
///
/// # Errors
///
/// As of [`verify`].
pub async fn verify_against(store: &Store, room: &Room, sought: Option<Hash>) -> Result<Verified, Fault> {
    let mut table = unopened_of(store, room)?;
    let mut done = Verified { imported: store.imported(room.id).await?, ..Verified::default() };
    let mut chain = Chain { links: VecDeque::new(), before: Some(NOTHING_BEFORE), sound: true };
    let mut dice = Ledger::default();
    // What is appended meanwhile is left out.
    let last = store.last_seq(room.id).await?;
    let mut kept = store.snapshot_seqs(room.id).await?.into_iter().filter(|seq| *seq <= last).peekable();
    let mut whole = true;
    'journal: while table.view().seq() < last {
        let next = table.view().seq() + 1;
        let page = store.entries(room.id, next, READ_PAGE_ENTRIES).await?;
        // Also where what comes next is beyond the end: such a journal would be asked for ever.
        if page.first().is_none_or(|row| row.seq > last) {
            tell(&mut done.found, format!("entry {next} is missing, and the journal has {last}"));
            whole = false;
            break;
        }
        for row in page.into_iter().take_while(|row| row.seq <= last) {
            let hash = chain.check(store, room, &row, &mut done).await?;
            match table.audit(&row.json) {
                Ok(found) => {
                    chain.sound &= found.is_empty();
                    found.into_iter().for_each(|found| {
                        tell(&mut done.found, format!("entry {} contradicts those before it: {found}", row.seq))
                    });
                }
                Err(why) => {
                    tell(&mut done.found, why.to_string());
                    whole = false;
                    break 'journal;
                }
            }
            if let Some(hash) = hash.filter(|_| chain.sound) {
                done.head = Some((row.seq, hex::encode(hash)));
                if Some(hash) == sought {
                    done.against = Some(row.seq);
                }
            }
            if let Ok(entry) = serde_json::from_str::<Entry>(&row.json) {
                dice.enter(&entry);
                columns(&row, &entry, &mut done.found);
            }
            if kept.next_if_eq(&row.seq).is_some() {
                snapshot(store, room, &*table, &mut done).await?;
            }
        }
    }
    done.entries = table.view().seq();
    let seed = store.get_secret(room.id, &seed_id(table.view().frame().dice.epoch)).await?;
    let seed = seed.and_then(|secret| <[u8; SEED_BYTES]>::try_from(&secret.bytes[..]).ok()).map(Seed);
    if whole {
        live(store, room, &*table, &mut done).await?;
        secrets(store, room, &*table.view(), seed.as_ref(), &mut done).await?;
    }
    // The room of a public archive has a seed of its own, which was never promised.
    let promised = seed.filter(|seed| seed.commitment() == table.view().frame().dice.commitment);
    let report = dice.close(promised.as_ref());
    done.draws = report.epochs.iter().map(|epoch| epoch.draws).sum();
    report.wrong.into_iter().for_each(|wrong| tell(&mut done.found, wrong));
    Ok(done)
}

/// Decides every entry of a room again, and plays every joust; what comes out otherwise than it is recorded.
///
/// # Errors
///
/// As of [`verify`].
pub async fn replay(store: &Store, room: &Room) -> Result<Vec<String>, Fault> {
    let last = store.last_seq(room.id).await?;
    let played = repeat(store, room.id, unopened_of(store, room)?, last).await;
    played.map_err(|why| match why {
        NotDone::Broke(fault) => fault,
        NotDone::Refused(refusal) => Fault::new(refusal.say),
        NotDone::HeardBefore => Fault::new("a journal is read, and no line heard"),
    })
}

/// The hashes of a journal on the way through it.
struct Chain {
    links: VecDeque<Link>,
    before: Option<Hash>,
    /// Whether all entries so far agree with their hashes and with those before them.
    sound: bool,
}

impl Chain {
    /// Compares an entry with its hash; gives the hash.
    async fn check(
        &mut self,
        store: &Store,
        room: &Room,
        row: &store::Entry,
        done: &mut Verified,
    ) -> Result<Option<Hash>, Fault> {
        if self.links.is_empty() {
            self.links.extend(store.links(room.id, row.seq).await?);
        }
        let mut altered = |sound: &mut bool, what: &str| {
            *sound = false;
            tell(&mut done.found, format!("entry {} was altered: {what}", row.seq));
        };
        let Some(link) = self.links.front().filter(|link| link.seq == row.seq).cloned() else {
            self.before = None;
            altered(&mut self.sound, "its hash is missing");
            return Ok(None);
        };
        self.links.pop_front();
        let before = self.before.replace(link.hash);
        done.wordless += u64::from(link.said.is_some() && row.said.is_none());
        if row.seq > done.imported && chain::stored(&link.salt, row.origin.as_deref(), &row.json) != link.stored {
            altered(&mut self.sound, "it is not what was written");
            return Ok(Some(link.hash));
        }
        if let Some(said) = &row.said
            && (link.said.is_none() || link.said != link.said_salt.map(|salt| chain::said(&salt, &said.text)))
        {
            altered(&mut self.sound, "its words are not those that were typed");
        }
        let leaves = chain::leaves(&chain::key(&link.salt), &chain::read(&row.json));
        if before.is_some_and(|before| chain::link(&before, &link.stored, link.said.as_ref(), &leaves) != link.hash) {
            altered(&mut self.sound, "what stands there, after the entry before it, does not give its hash");
        }
        Ok(Some(link.hash))
    }
}

/// Whether what is kept beside an entry says what the entry says.
fn columns(row: &store::Entry, entry: &Entry, found: &mut Vec<String>) {
    let instant = |at: Instant| at.as_microsecond();
    let actor = entry.cause.actor().map(|actor| &**actor);
    for (what, same) in [
        ("number", row.seq == entry.seq),
        ("instant", row.at == instant(entry.at)),
        ("instant of writing", row.recorded == instant(entry.recorded)),
        ("cause", row.cause == entry.cause.label()),
        ("actor", row.actor.as_deref() == actor),
    ] {
        if !same {
            tell(found, format!("entry {}: its {what} is listed as another than it has", row.seq));
        }
    }
}

async fn snapshot(store: &Store, room: &Room, table: &dyn Table, done: &mut Verified) -> Result<(), Fault> {
    let seq = table.view().seq();
    let Some(kept) = store.snapshot(room.id, seq).await?.filter(|kept| kept.seq == seq) else { return Ok(()) };
    let mut restored = table.fresh();
    if !restored.restore(&kept.body) {
        tell(&mut done.found, format!("the snapshot of entry {seq} cannot be read"));
        return Ok(());
    }
    done.snapshots += 1;
    let what = format!("the snapshot of entry {seq}");
    compare(&what, &restored.snapshot(), &table.snapshot(), &mut done.found);
    Ok(())
}

/// Compares with the state from which the program would go on, and with what the store lists of the room.
async fn live(store: &Store, room: &Room, table: &dyn Table, done: &mut Verified) -> Result<(), Fault> {
    let view = table.view();
    match read_table(store, room.id, table.fresh(), Some(view.seq())).await {
        Ok(live) => {
            compare("the state that the program goes on from", &live.snapshot(), &table.snapshot(), &mut done.found)
        }
        Err(fault) => tell(&mut done.found, fault.to_string()),
    }
    let Some(row) = store.room(room.id).await? else { return Ok(()) };
    let due = view.next_due().map(|due| due.at.as_microsecond());
    if row.last_seq == view.seq() && row.next_due != due {
        tell(&mut done.found, "the next thing that is due is listed with another instant than it has");
    }
    if view.frame().name != row.name {
        tell(&mut done.found, format!("the room is listed as {} and was opened as {}", row.name, view.frame().name));
    }
    Ok(())
}

async fn secrets(
    store: &Store,
    room: &Room,
    view: &dyn View,
    seed: Option<&Seed>,
    done: &mut Verified,
) -> Result<(), Fault> {
    let dice = &view.frame().dice;
    match seed {
        None => tell(&mut done.found, format!("the seed of epoch {} is missing", dice.epoch)),
        Some(seed) if seed.commitment() != dice.commitment && !view.frame().closed => {
            tell(&mut done.found, format!("the seed of epoch {} is not the one whose hash was promised", dice.epoch));
        }
        Some(_) => {}
    }
    for (id, hash) in view.seals() {
        match store.get_secret(room.id, &id).await? {
            // A room that was opened from its public history never had any.
            None if view.frame().closed => {}
            None => tell(&mut done.found, format!("the secret {id} is missing")),
            Some(secret) if sealed_hash(&secret.salt, &secret.bytes) != hash => {
                tell(&mut done.found, format!("the secret {id} is not the one of the journal"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Tells where two states differ. A state holds no secret, so its values may be shown.
fn compare(what: &str, kept: &[u8], folded: &[u8], found: &mut Vec<String>) {
    if kept == folded {
        return;
    }
    let [kept, folded] = [kept, folded].map(|state| serde_json::from_slice::<Json>(state).unwrap_or_default());
    differences(what, &mut String::new(), &kept, &folded, found);
}

fn differences(what: &str, path: &mut String, kept: &Json, folded: &Json, found: &mut Vec<String>) {
    let deeper = |path: &mut String, step: &str, kept: &Json, folded: &Json, found: &mut Vec<String>| {
        let length = path.len();
        path.push('/');
        path.push_str(step);
        differences(what, path, kept, folded, found);
        path.truncate(length);
    };
    match (kept, folded) {
        (one, other) if one == other => {}
        (Json::Object(one), Json::Object(other)) => {
            let fresh = other.keys().filter(|key| !one.contains_key(*key));
            for key in one.keys().chain(fresh) {
                let at = |map: &serde_json::Map<String, Json>| map.get(key).cloned().unwrap_or_default();
                deeper(path, key, &at(one), &at(other), found);
            }
        }
        (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                deeper(path, &index.to_string(), one, other, found);
            }
        }
        (one, other) => {
            let text = format!("{what} has {} at {path}, and the journal gives {}", short(one), short(other));
            tell(found, text);
        }
    }
}

fn short(value: &Json) -> String {
    let text = value.to_string();
    if text.chars().count() <= VALUE_MAX_CHARS {
        return text;
    }
    text.chars().take(VALUE_MAX_CHARS).chain(['…']).collect()
}
