//! Reads a room from a file into the store.
//!
//! The file is read twice. The first time proves that it is whole, that its entries fold, and that dice and secrets
//! keep what the journal promises. Nothing is written before that. The second time writes it into a room that nobody
//! sees until all of it is there. People get numbers of this database. A public archive lacks what the game needs to go
//! on, so its room is closed by entries of its own, and announces nothing.

use std::{
    collections::{BTreeMap, VecDeque},
    io::BufRead,
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use super::{
    ArchiveError,
    dice::Ledger,
    format::{Banned, Body, Header, Journalled, Kind, Moderates, Person, Reader, Record, Sealed},
    persons::rename,
    proof::{Chain, Proven},
};
use crate::service::letters::person_id;
use crate::service::room::{journalled, put_seed, salts, seed_id};
use kernel::names;
use kernel::{
    Id, Instant, Seq,
    chain::{self, Hash},
    deed::{Deed, Moderation},
    dice::Seed,
    doer::Doer,
    draft::sealed_hash,
    engine::{Context, Table, View},
    entry::Change,
    frame::FrameFact,
};
use port::entropy::Entropy;
use store::{
    Ban, COMMIT_MAX_ENTRIES, COMMIT_MAX_SECRETS, Commit, NewEntry, NewRoom, PersonId, RoomId, Said, Scope, Sealer,
    Secret, SecretOp, Snapshot, Store, StoreError, Trace,
};

/// One commit takes entries and secrets up to this many bytes: what is written at once stays in memory until then.
const COMMIT_MAX_BYTES: usize = 8 * 1024 * 1024;

/// Most people that an archive names: more than any room seats.
const NAMED_MAX_PERSONS: usize = 100_000;

/// Why a room from a public archive is closed.
const CLOSED: &str = "it was opened from its public history, without the secrets that it would need to go on";

/// Opens the file from its start, as often as it is asked.
pub type Opener<'a> = &'a (dyn Fn() -> std::io::Result<Box<dyn BufRead + Send>> + Sync);

/// A room that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its number.
    pub id: RoomId,
    /// Its name.
    pub name: String,
    /// What is played in it.
    pub game: String,
    /// What the archive held: a public one gives a closed room.
    pub kind: Kind,
    /// How many entries the archive had.
    pub entries: Seq,
    /// How many of the numbers drawn were fixed in advance, as rehearsals do.
    pub fixed: u64,
}

/// An archive that was read once and found good.
pub struct Checked {
    header: Header,
    entries: Seq,
    sha256: String,
    fixed: u64,
    /// Everybody whom it names; those of a whole archive with name and accounts.
    persons: BTreeMap<Id, Person>,
    /// The room as it is after the last entry.
    table: Box<dyn Table>,
}

impl Checked {
    /// What the archive holds.
    pub fn kind(&self) -> Kind {
        self.header.kind
    }

    /// What its room was called.
    pub fn room(&self) -> &str {
        &self.header.room
    }

    /// How its room stands after its last entry.
    pub fn view(&self) -> Arc<dyn View> {
        self.table.view()
    }
}

/// Reads an archive and says whether it can be imported.
///
/// # Errors
///
/// [`ArchiveError::Unusable`] with what is wrong; [`ArchiveError::Io`].
pub fn check(open: Opener<'_>) -> Result<Checked, ArchiveError> {
    let (mut reader, header) = Reader::new(open()?)?;
    let table = header.unopened()?;
    names::normalise(&header.room).map_err(|why| ArchiveError::unusable(format!("The room's name: {why}.")))?;
    let mut chain = Chain::new(None);
    let mut checked = Checked { header, entries: 0, sha256: String::new(), fixed: 0, persons: BTreeMap::new(), table };
    let mut dice = Ledger::default();
    let mut altered = None;
    let mut hashes = BTreeMap::new();
    let mut seeds = BTreeMap::new();
    while let Some(record) = reader.next()? {
        match record {
            Record::Entry(entry) => {
                fold(&mut *checked.table, &entry).map_err(|why| reader.at(&why))?;
                dice.enter(&entry.body.entry);
                // Dice and contradictions first, for they say more of what was altered.
                if altered.is_none() {
                    altered = chain.enter(&entry).err();
                }
                checked.meet_all(*entry);
            }
            _ if checked.header.kind == Kind::Public => {
                return Err(reader.at("a public archive holds entries and nothing else"));
            }
            Record::Secret(secret) => {
                secret.person.iter().for_each(|person| checked.meet(person));
                let (id, secret) = opened(secret).map_err(|why| reader.at(why))?;
                hashes.insert(id.clone(), sealed_hash(&secret.salt, &secret.bytes));
                if let Ok(seed) = <[u8; 32]>::try_from(&secret.bytes[..]) {
                    seeds.insert(id, Seed(seed));
                }
            }
            Record::Person(person) => drop(checked.persons.insert(person.id.clone(), person)),
            Record::Moderator(Moderates { person, .. }) | Record::Ban(Banned { person, .. }) => checked.meet(&person),
            Record::Header(_) | Record::End(_) => {}
        }
        if checked.persons.len() > NAMED_MAX_PERSONS {
            return Err(reader.at(&format!("it names more than {NAMED_MAX_PERSONS} people")));
        }
    }
    if let Some(end) = reader.end() {
        checked.entries = end.entries;
        checked.sha256.clone_from(&end.sha256);
    }
    if checked.entries == 0 {
        return Err(ArchiveError::unusable("The archive has no entry."));
    }
    let view = checked.table.view();
    let present = seeds.get(&seed_id(view.frame().dice.epoch));
    let report = dice.close(present);
    if let Some(wrong) = report.wrong.first() {
        return Err(ArchiveError::unusable(format!("The archive's dice were altered: {wrong}.")));
    }
    if let Some(altered) = altered {
        return Err(ArchiveError::unusable(format!("The archive does not prove what it tells: {altered}.")));
    }
    checked.fixed = report.epochs.iter().map(|epoch| epoch.fixed).sum();
    if checked.header.kind == Kind::Whole {
        if present.is_none() {
            return Err(ArchiveError::unusable("The archive lacks the seed that its dice are drawn from now."));
        }
        for (id, hash) in view.seals() {
            match hashes.get(&*id) {
                Some(found) if *found == hash => {}
                Some(_) => {
                    return Err(ArchiveError::unusable(format!("The secret {id} is not the one of the journal.")));
                }
                None => return Err(ArchiveError::unusable(format!("The archive lacks the secret {id}."))),
            }
        }
    }
    Ok(checked)
}

/// Computes the chain of an archive from the file alone, and looks for an entry with the hash `sought`.
///
/// # Errors
///
/// [`ArchiveError::Unusable`] where it is no whole, unaltered archive; [`ArchiveError::Io`].
pub fn prove(from: impl BufRead, sought: Option<Hash>) -> Result<Proven, ArchiveError> {
    let (mut reader, _) = Reader::new(from)?;
    let mut chain = Chain::new(sought);
    while let Some(record) = reader.next()? {
        if let Record::Entry(entry) = record {
            chain.enter(&entry).map_err(|why| reader.at(&why))?;
        }
    }
    Ok(chain.proven)
}

impl Checked {
    /// Takes note of everybody whom an entry names, and of the name in the seat that they took.
    fn meet_all(&mut self, mut entry: Journalled) {
        for change in &entry.body.entry.changes {
            if let Change::Frame(FrameFact::Seated { person, name, .. }) = change {
                let known = self.persons.entry(person.clone());
                known.or_insert_with(|| Person { name: Some(name.clone()), ..nobody(person) });
            }
        }
        rename(&mut entry.body.json, |person| {
            self.meet(person);
            person.clone()
        });
        if let Some(person) = entry.said.and_then(|said| said.person) {
            self.meet(&person);
        }
    }

    fn meet(&mut self, person: &Id) {
        if !self.persons.contains_key(person) {
            self.persons.insert(person.clone(), nobody(person));
        }
    }
}

/// Somebody of whom nothing is known.
fn nobody(id: &Id) -> Person {
    Person { id: id.clone(), name: None, accounts: Vec::new(), traces: Vec::new() }
}

/// Folds an entry; says what is wrong with it.
fn fold(table: &mut dyn Table, entry: &Journalled) -> Result<(), String> {
    let json = entry.body.json.to_string();
    let found = table.audit(&json).map_err(|why| why.to_string())?;
    match found.first() {
        Some(found) => Err(format!("entry {} contradicts those before it: {found}", entry.body.entry.seq)),
        None => Ok(()),
    }
}

fn opened(sealed: Sealed) -> Result<(String, Secret), &'static str> {
    let salt = hex::decode(&sealed.salt).map_err(|_| "a salt that is none")?;
    let bytes = BASE64.decode(&sealed.bytes).map_err(|_| "a secret that is not in Base64")?;
    Ok((sealed.id, Secret { salt, bytes }))
}

/// What the accounts of a forgotten person are known again by.
fn traces(person: &Person) -> Result<Vec<Trace>, ArchiveError> {
    let none = || ArchiveError::unusable("The archive has a trace of an account that is none.");
    let read = |trace: &String| hex::decode(trace).ok().and_then(|bytes| Trace::try_from(bytes).ok());
    person.traces.iter().map(|trace| read(trace).ok_or_else(none)).collect()
}

/// Opens a room from an archive that was checked. `by` is who does it, as journals know people.
///
/// # Errors
///
/// [`ArchiveError::Unusable`] where the name is taken or the file has changed since; [`ArchiveError::Store`] and
/// [`ArchiveError::Io`]. Then there is no such room.
pub async fn import(
    store: &Store,
    entropy: &Entropy,
    now: Instant,
    (name, by): (&str, Doer),
    checked: &Checked,
    open: Opener<'_>,
) -> Result<Imported, ArchiveError> {
    let name = names::normalise(name).map_err(|why| ArchiveError::unusable(format!("The room's name: {why}.")))?;
    let [_, folded] = names::keys(&name);
    // One of the same name that its process did not finish would stand in the way for ever.
    for left in store.imports().await?.into_iter().filter(|left| left.folded == folded) {
        store.abandon_import(left.id).await?;
    }
    if store.hidden().await?.iter().any(|left| left.folded == folded) {
        return Err(ArchiveError::unusable(format!(
            "There is a room called {name} already. It is hidden as an unfinished import. Nothing proves that it is \
             one, so it was left as it is: ask “rulekeeper verify”, or choose another name."
        )));
    }
    let game = checked.header.game.clone();
    let new = NewRoom {
        name: name.clone(),
        folded,
        game: game.clone(),
        shape: checked.header.shape.clone(),
        config: "{}".to_owned(),
        created: now.as_microsecond(),
        importing: true,
    };
    let id = match store.create_room(new, Commit::default()).await {
        Err(StoreError::NameTaken { name }) => {
            return Err(ArchiveError::unusable(format!("There is a room called {name} already; choose another name.")));
        }
        created => created?,
    };
    let mut filling = Filling::new((store, entropy), id, &name, checked, now)?;
    let filled = match filling.fill(open).await {
        Ok(()) => match checked.header.kind {
            Kind::Public => filling.close(by).await,
            Kind::Whole => Ok(()),
        },
        failed => failed,
    };
    let finished = match filled {
        Ok(()) => store.finish_import(id).await.map_err(ArchiveError::from),
        failed => failed,
    };
    if let Err(error) = finished {
        if let Err(also) = store.abandon_import(id).await {
            tracing::warn!(room = %name, %also, "what was written of an import that failed stays until it is tried again");
        }
        return Err(error);
    }
    Ok(Imported { id, name, game, kind: checked.header.kind, entries: checked.entries, fixed: checked.fixed })
}

/// A room while it fills.
struct Filling<'a> {
    store: &'a Store,
    entropy: &'a Entropy,
    room: RoomId,
    name: &'a str,
    checked: &'a Checked,
    now: Instant,
    table: Box<dyn Table>,
    people: BTreeMap<Id, PersonId>,
    commit: Commit,
    bytes: usize,
}

impl<'a> Filling<'a> {
    fn new(
        (store, entropy): (&'a Store, &'a Entropy),
        room: RoomId,
        name: &'a str,
        checked: &'a Checked,
        now: Instant,
    ) -> Result<Self, ArchiveError> {
        let table = checked.header.unopened()?;
        let people = BTreeMap::new();
        Ok(Self { store, entropy, room, name, checked, now, table, people, commit: Commit::default(), bytes: 0 })
    }

    async fn fill(&mut self, open: Opener<'_>) -> Result<(), ArchiveError> {
        let since = self.now.as_microsecond();
        for person in self.checked.persons.values() {
            let (name, traces) = (person.name.as_deref(), traces(person)?);
            let adopted = self.store.adopt_person(name, &person.accounts, &traces, since).await?;
            self.people.insert(person.id.clone(), adopted);
        }
        let (mut reader, header) = Reader::new(open()?)?;
        while let Some(record) = reader.next()? {
            match record {
                Record::Entry(entry) => self.entry(*entry).await?,
                Record::Secret(secret) => self.secret(secret).await?,
                Record::Moderator(moderator) => {
                    let person = self.person(&moderator.person)?;
                    self.store.add_moderator(Scope::Room(self.room), person, None, moderator.since).await?;
                }
                Record::Ban(Banned { person, reason, since, ends }) => {
                    let (person, scope) = (self.person(&person)?, Scope::Room(self.room));
                    self.store.ban(&Ban { scope, person, reason, made_by: None, since, ends }).await?;
                }
                Record::Person(_) | Record::Header(_) | Record::End(_) => {}
            }
        }
        self.flush().await?;
        let same = header == self.checked.header && reader.end().is_some_and(|end| end.sha256 == self.checked.sha256);
        if same { Ok(()) } else { Err(ArchiveError::unusable("The archive changed while it was read.")) }
    }

    fn person(&self, id: &Id) -> Result<PersonId, ArchiveError> {
        let known = self.people.get(id).copied();
        known.ok_or_else(|| ArchiveError::unusable("The archive changed while it was read."))
    }

    async fn entry(&mut self, entry: Journalled) -> Result<(), ArchiveError> {
        let Journalled { body: Body { json: mut body, entry: read }, said, act, origin, proof } = entry;
        let mut unknown = false;
        rename(&mut body, |person| match self.people.get(person) {
            Some(here) => person_id(*here),
            None => {
                unknown = true;
                person.clone()
            }
        });
        if unknown {
            return Err(ArchiveError::unusable("The archive changed while it was read."));
        }
        chain::name_room(&mut body, self.name);
        let said = match said {
            Some(said) => {
                let person = said.person.map(|person| self.person(&person)).transpose()?;
                Some(Said { person, text: said.text })
            }
            None => None,
        };
        let fresh = salts(self.entropy);
        // A public archive lacks salts, and its room is closed: it has a chain of its own.
        let salts = proof.salts(fresh.clone()).unwrap_or(fresh);
        let json = body.to_string();
        self.table.fold(&json).map_err(|why| ArchiveError::unusable(format!("The archive: {why}.")))?;
        self.bytes +=
            json.len() + said.as_ref().map_or(0, |said| said.text.len()) + act.as_ref().map_or(0, String::len);
        self.commit.entries.push(NewEntry {
            seq: read.seq,
            at: read.at.as_microsecond(),
            recorded: read.recorded.as_microsecond(),
            origin,
            cause: read.cause.label(),
            actor: read.cause.actor().map(ToString::to_string),
            json,
            said,
            act,
            salts,
        });
        if self.commit.entries.len() >= COMMIT_MAX_ENTRIES || self.bytes >= COMMIT_MAX_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    async fn secret(&mut self, secret: Sealed) -> Result<(), ArchiveError> {
        let sealer = Sealer {
            person: secret.person.as_ref().map(|person| self.person(person)).transpose()?,
            seat: secret.seat.clone(),
        };
        let (id, secret) = opened(secret).map_err(ArchiveError::unusable)?;
        self.bytes += secret.bytes.len();
        self.commit.secrets.push(SecretOp::Put { id, secret, sealer });
        if self.commit.secrets.len() >= COMMIT_MAX_SECRETS || self.bytes >= COMMIT_MAX_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    /// Closes the room: a few entries of this database's own.
    async fn close(&mut self, by: Doer) -> Result<(), ArchiveError> {
        let entropy = self.entropy;
        // The seed that was promised is not here. Nothing is drawn in a closed room, but none may lack a seed.
        let seed = Seed(entropy.bytes());
        let epoch = self.table.view().frame().dice.epoch.max(1);
        self.commit.secrets.push(put_seed(epoch, &seed));
        let view = self.table.view();
        let frame = view.frame();
        let bound = frame.forums.iter().filter(|(_, forum)| forum.designation().is_some());
        let unbind = bound.map(|(id, _)| Moderation::Designate { forum: id.clone(), designation: None });
        let mut acts: Vec<Moderation> = unbind.collect();
        if !frame.closed {
            acts.push(Moderation::Close { reason: Some(CLOSED.to_owned()) });
        }
        for act in acts {
            let context = Context {
                now: self.now,
                seed: seed.clone(),
                fresh: Seed(entropy.bytes()),
                salt: entropy.bytes(),
                opened: Default::default(),
                would_be: Vec::new(),
                fixed: VecDeque::new(),
            };
            let step = self
                .table
                .decide(Deed::Moderate { by: by.clone(), act }, &context)
                .map_err(|why| ArchiveError::unusable(format!("The room cannot be closed: {why}.")))?;
            self.commit.entries.push(NewEntry { salts: salts(entropy), ..journalled(&step, None, self.now) });
            self.table = step.after;
            if self.commit.entries.len() >= COMMIT_MAX_ENTRIES {
                self.flush().await?;
            }
        }
        self.flush().await
    }

    async fn flush(&mut self) -> Result<(), ArchiveError> {
        let view = self.table.view();
        self.commit.next_due = view.next_due().map(|due| due.at.as_microsecond());
        if !self.commit.entries.is_empty() {
            self.commit.snapshot = Some(Snapshot { seq: view.seq(), body: self.table.snapshot() });
        }
        let commit = std::mem::take(&mut self.commit);
        let committed = self.store.commit(self.room, commit).await?;
        self.commit.expected_seq = committed.last_seq;
        self.bytes = 0;
        Ok(())
    }
}
