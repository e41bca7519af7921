//! What an entry announces, addressed: one letter for each forum and person that is to hear it.
//!
//! Letters are written in the transaction of their entry. Here the text of something sealed takes the place of its
//! block, because the game decided that whoever gets the letter may read it. One that goes to a single seat has it only
//! for who sealed it (`sealed.rs`). What is older than an hour, because the room is catching up, is gathered into one
//! digest for each destination.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use serde::Serialize;

use super::sealed::{CLOSED, Found, Reader};
use kernel::{
    Id, Instant, Seq,
    display::{self, Block, Cell, Document},
    draft::Sealed,
    engine::{Step, View},
    entry::{Audience, Say},
    time::minute,
};
use port::{Account, Destination, ForumAddress};
use store::{DOCUMENT_MAX_BYTES, NewDelivery, PersonId, RoomId, Scope, Sealer, Secret, Store, StoreError};

/// An announcement older than this joins a digest instead of being posted alone.
const DIGEST_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// Longest text of something sealed that is put into a letter as it is, in bytes. A channel cannot hold more in any
/// bearable number of messages. A longer one is cut, and said to be.
pub(super) const SEALED_TEXT_MAX_BYTES: usize = 16 * 1024;

/// Most letters that the announcements of one entry become. Where they would be more, each destination gets them
/// gathered. So what everybody may do at one instant still fits into a transaction.
pub(super) const APART_MAX_LETTERS: usize = 256;

/// Most announcements that one such letter gathers: a page that can still be read.
const GATHERED_MAX_COUNT: usize = 64;

/// Longest document that announcements of one instant are joined in, in bytes as JSON: two or three screens of a phone.
const JOINED_MAX_BYTES: usize = 6 * 1024;

/// What the sentence takes at most that says that a letter was cut, in bytes.
const CUT_MAX_BYTES: usize = 1024;

/// Letters in the writing.
pub(super) struct Letters<'a> {
    store: &'a Store,
    /// Accounts that moderate every room because a configuration lists them: the store does not know them.
    listed: &'a [Account],
    room: Option<RoomId>,
    view: &'a dyn View,
    now: Instant,
    unsealed: BTreeMap<Id, (Secret, Sealer)>,
    out: Vec<Letter>,
    digests: BTreeMap<Destination, Vec<(Seq, Instant, Document)>>,
}

/// What goes to one destination at one instant.
struct Letter {
    to: Destination,
    seq: Seq,
    at: Instant,
    document: Document,
}

impl<'a> Letters<'a> {
    /// Starts writing for a room, addressed by its state after the entry.
    pub(super) fn new(
        (store, listed): (&'a Store, &'a [Account]),
        room: Option<RoomId>,
        view: &'a dyn View,
        now: Instant,
    ) -> Self {
        // What a moderator runs by hand is news, however far the hands are behind the world's clock.
        let now = view.time(now);
        Self { store, listed, room, view, now, unsealed: BTreeMap::new(), out: Vec::new(), digests: BTreeMap::new() }
    }

    /// Takes note of something that the same entry seals: it is not in the store yet.
    pub(super) fn overhear(&mut self, sealed: &Sealed, sealer: &Sealer) {
        if let Some(bytes) = &sealed.bytes {
            let secret = Secret { salt: sealed.salt.to_vec(), bytes: bytes.clone() };
            self.unsealed.insert(sealed.id.clone(), (secret, sealer.clone()));
        }
    }

    /// Writes the letters of a step.
    pub(super) async fn write(&mut self, step: &Step) -> Result<(), StoreError> {
        if count(step) > APART_MAX_LETTERS {
            return self.gather(step).await;
        }
        for say in &step.says {
            let document = self.opened(say).await?;
            let stale = self.now.duration_since(step.at) > DIGEST_AFTER;
            for to in self.addresses(&say.to).await? {
                if stale {
                    self.digests.entry(to).or_default().push((step.seq, step.at, document.clone()));
                } else {
                    self.post(Letter { to, seq: step.seq, at: step.at, document: document.clone() });
                }
            }
        }
        Ok(())
    }

    /// Writes the letters of a step that announces more than its destinations can bear one by one.
    async fn gather(&mut self, step: &Step) -> Result<(), StoreError> {
        let mut gathered: BTreeMap<Destination, Vec<(Seq, Instant, Document)>> = BTreeMap::new();
        for say in &step.says {
            let document = self.opened(say).await?;
            for to in self.addresses(&say.to).await? {
                gathered.entry(to).or_default().push((step.seq, step.at, document.clone()));
            }
        }
        for (to, mut parts) in gathered {
            while !parts.is_empty() {
                let rest = parts.split_off(parts.len().min(GATHERED_MAX_COUNT));
                let document = digest(&self.view.frame().name, parts);
                self.out.push(Letter { to: to.clone(), seq: step.seq, at: step.at, document });
                parts = rest;
            }
        }
        Ok(())
    }

    /// Puts a letter behind the others. What one instant brings about, people read as one message where it holds that.
    fn post(&mut self, letter: Letter) {
        let last = self.out.iter_mut().rev().find(|last| last.to == letter.to);
        let most = letter.to.joins_max_lines();
        let length = |of: &Document| display::lines(of).len();
        let joins = |last: &&mut Letter| {
            last.at == letter.at && most > 0 && length(&last.document).saturating_add(length(&letter.document)) <= most
        };
        match last.filter(joins).filter(|last| last.takes(&letter.document)) {
            Some(last) => {
                last.seq = letter.seq;
                last.document.append(letter.document);
            }
            None => self.out.push(letter),
        }
    }

    /// All letters, digests first: what they tell is older than everything else.
    pub(super) fn finish(mut self) -> Vec<NewDelivery> {
        let fresh = std::mem::take(&mut self.out);
        for (to, mut parts) in self.digests {
            let Some((seq, at, mut last)) = parts.pop() else { continue };
            let document = if parts.is_empty() {
                last.blocks.insert(0, Block::Para(format!("({})", minute(at))));
                last
            } else {
                parts.push((seq, at, last));
                digest(&self.view.frame().name, parts)
            };
            self.out.push(Letter { to, seq, at, document });
        }
        self.out.extend(fresh);
        self.out.into_iter().map(Letter::sealed).collect()
    }

    async fn addresses(&self, audience: &Audience) -> Result<Vec<Destination>, StoreError> {
        let frame = self.view.frame();
        Ok(match audience {
            Audience::Public => frame.hearing().filter_map(forum).collect(),
            Audience::Forum(id) => forum(id).into_iter().collect(),
            Audience::Seat(seat) | Audience::Reader { seat, .. } => {
                match frame.seats.get(seat).and_then(|seat| person_number(&seat.person)) {
                    Some(person) => self.store.accounts(person).await?.into_iter().map(Destination::Person).collect(),
                    None => Vec::new(),
                }
            }
            Audience::Moderators => self.moderators().await?,
        })
    }

    /// Who moderates here; where nobody was appointed, the operator, who reads it at a console.
    async fn moderators(&self) -> Result<Vec<Destination>, StoreError> {
        let mut out: BTreeSet<Account> = self.listed.iter().cloned().collect();
        for moderator in self.store.moderators().await? {
            let here = match moderator.scope {
                Scope::Everywhere => true,
                Scope::Room(room) => Some(room) == self.room,
            };
            if here {
                out.extend(self.store.accounts(moderator.person).await?);
            }
        }
        if out.is_empty() {
            out.insert(Account { service: "console".to_owned(), id: "operator".to_owned() });
        }
        Ok(out.into_iter().map(Destination::Person).collect())
    }

    /// For whom sealed things are opened in what an audience gets.
    fn reader(&self, audience: &Audience) -> Reader {
        match audience {
            Audience::Public => Reader::Everybody,
            Audience::Seat(seat) | Audience::Reader { seat, .. } => Reader::in_seat(self.view, seat),
            Audience::Forum(_) | Audience::Moderators => Reader::One(None),
        }
    }

    /// Something sealed, as a reader finds it.
    async fn find(&self, secret: &Id, reader: Reader) -> Result<Found, StoreError> {
        match (self.unsealed.get(secret), self.room) {
            (Some((kept, sealer)), _) if reader.may(self.view, secret, sealer) => Ok(Found::Open(kept.clone())),
            (Some(_), _) => Ok(Found::Closed),
            (None, Some(room)) => reader.open(self.store, room, self.view, secret).await,
            (None, None) => Ok(Found::Gone),
        }
    }

    async fn opened(&self, say: &Say) -> Result<Document, StoreError> {
        let reader = self.reader(&say.to);
        if let Audience::Reader { of, .. } = &say.to {
            for secret in of {
                if matches!(self.find(secret, reader).await?, Found::Closed) {
                    return Ok(Document::say(CLOSED));
                }
            }
        }
        let mut document = say.document.clone();
        let mut blocks = Vec::with_capacity(document.blocks.len());
        for block in document.blocks {
            let Block::Sealed { secret } = &block else {
                blocks.push(block);
                continue;
            };
            blocks.extend(self.find(secret, reader).await?.blocks());
        }
        document.blocks = blocks;
        Ok(document)
    }
}

/// About how many letters the announcements of a step become, one by one.
pub(super) fn count(step: &Step) -> usize {
    let forums = step.after.view().frame().hearing().count().max(1);
    step.says.len().saturating_mul(forums)
}

/// The forums in which a step is announced.
pub(super) fn forums(step: &Step) -> BTreeSet<Id> {
    let view = step.after.view();
    let heard = |say: &Say| match &say.to {
        Audience::Public => view.frame().hearing().cloned().collect(),
        Audience::Forum(id) => vec![id.clone()],
        Audience::Seat(_) | Audience::Reader { .. } | Audience::Moderators => Vec::new(),
    };
    step.says.iter().flat_map(heard).collect()
}

/// The text of something sealed, and the salt with which its hash can be checked.
pub(super) fn unsealed(kept: Option<Secret>) -> Vec<Block> {
    let Some(Secret { salt, bytes }) = kept else { return vec![Block::Para("(no longer kept)".to_owned())] };
    let text = String::from_utf8_lossy(&bytes);
    let mut end = text.len().min(SEALED_TEXT_MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = if end < text.len() {
        format!("{}\n(cut after {SEALED_TEXT_MAX_BYTES} of {} bytes)", &text[..end], text.len())
    } else {
        text.into_owned()
    };
    let code = Block::Code { lang: "bf".to_owned(), text: cut };
    vec![code, Block::Para(format!("Salt of its hash: {}", hex::encode(salt)))]
}

fn digest(room: &str, parts: Vec<(Seq, Instant, Document)>) -> Document {
    let mut document = Document::titled("", format!("Meanwhile in {room}: {} announcements", parts.len()));
    for (_, at, part) in parts {
        let heading = if part.title.is_empty() { String::new() } else { format!(" {}", part.title) };
        match part.blocks.first() {
            Some(Block::Para(first)) => {
                document.blocks.push(Block::Para(format!("{}:{heading} {first}", minute(at))));
                document.blocks.extend(part.blocks.into_iter().skip(1));
            }
            _ => {
                document.blocks.push(Block::Para(format!("{}:{heading}", minute(at))));
                document.blocks.extend(part.blocks);
            }
        }
    }
    document
}

fn json(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("a document holds nothing that JSON cannot")
}

/// A document in JSON, cut where it is longer than an announcement may be: the entry has the whole.
fn written(document: &Document, seq: Seq) -> String {
    let whole = json(document);
    if whole.len() <= DOCUMENT_MAX_BYTES {
        return whole;
    }
    let mut cut = Document { blocks: Vec::new(), ..document.clone() };
    let mut left = DOCUMENT_MAX_BYTES.saturating_sub(json(&cut).len() + CUT_MAX_BYTES);
    for block in &document.blocks {
        let bytes = json(block).len() + 1;
        if bytes <= left {
            left -= bytes;
            cut.blocks.push(block.clone());
            continue;
        }
        if let Block::Table { head, rows } = block {
            let fits = |row: &&Vec<Cell>| {
                let bytes = json(row).len() + 1;
                let fits = bytes <= left;
                left = left.saturating_sub(bytes);
                fits
            };
            let rows = rows.iter().take_while(fits).cloned();
            cut.blocks.push(Block::table(head.clone(), rows));
        }
        break;
    }
    cut.blocks.push(Block::Para(format!("This is longer than an announcement can be, and cut here: ⁅history {seq}⁆")));
    json(&cut)
}

impl Letter {
    /// Whether another document can stand below its own: none that people act on, since such a one is a message for
    /// itself, and none on another topic.
    fn takes(&self, document: &Document) -> bool {
        let plain = |of: &Document| of.offers.is_empty() && !of.under_way && !of.blocks.iter().any(Block::is_drawn);
        let bytes = || json(&self.document).len() + json(document).len();
        plain(&self.document) && plain(document) && self.document.topic == document.topic && bytes() <= JOINED_MAX_BYTES
    }

    fn sealed(self) -> NewDelivery {
        let document = written(&self.document, self.seq);
        NewDelivery { to: self.to, seq: self.seq, at: self.at.as_microsecond(), document }
    }
}

fn forum(id: &Id) -> Option<Destination> {
    forum_address(id).map(Destination::Forum)
}

/// The address of a forum, from the id that entries know it by: `irc:libera/#nomic`.
pub(super) fn forum_address(id: &str) -> Option<ForumAddress> {
    let (service, channel) = id.split_once('/')?;
    Some(ForumAddress { service: service.to_owned(), channel: channel.to_owned() })
}

/// The store's number of a person, from the opaque id that entries know them by: `p17`.
pub(super) fn person_number(id: &str) -> Option<PersonId> {
    id.strip_prefix('p')?.parse().ok().map(PersonId)
}

/// The opaque id by which entries know a person.
pub(super) fn person_id(number: PersonId) -> Id {
    format!("p{number}").into()
}
