//! The chain of a journal: hashes by which everybody can tell later that no entry was altered.
//!
//! An entry is taken apart into its head, its changes, its draws and what it announced. Each part has a salted hash of
//! its own, so that a part can be kept back and the rest still be checked. The hash of an entry covers the hashes of
//! its parts and a hash of all that is stored of it. It covers one of the words that caused it, and the hash of the
//! entry before. Words have a salt of their own, which goes when they are forgotten. `docs/operating/checking.md` tells
//! how to check it by hand.
//!
//! What a move to another database alters is no part of it: the ids of people, and the name of the room.

use hmac::{Hmac, Mac};
use serde::Deserialize as _;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::frame::FrameFact;

/// Length of a hash and of a salt, in bytes.
pub const HASH_BYTES: usize = 32;

/// A SHA-256, or a salt of that length.
pub type Hash = [u8; HASH_BYTES];

/// What the first entry of a journal names as the hash of the one before.
pub const NOTHING_BEFORE: Hash = [0; HASH_BYTES];

/// The lists of an entry, each with the word for one of its members, in the order in which the hash takes them.
pub const LISTS: [(&str, &str); 3] = [("changes", "change"), ("draws", "draw"), ("says", "say")];

/// The word for what an entry has beside its lists, and for the place of it.
pub const HEAD: &str = "head";

/// A part of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands in its entry: `head`, `changes/0`.
    pub at: String,
    /// What it is: `head`, `change`, `draw`, `say`.
    pub kind: &'static str,
    /// The part in JSON, written the one way that hashes are made of.
    pub text: String,
}

/// An entry as its parts are taken from: what is not in JSON is one text.
pub fn read(body: &str) -> Json {
    serde_json::from_str(body).unwrap_or_else(|_| Json::from(body))
}

/// The parts of an entry, in order.
pub fn parts(entry: &Json) -> Vec<Part> {
    let mut entry = entry.clone();
    blank(&mut entry);
    let lists = LISTS.map(|(list, kind)| {
        let taken = entry.as_object_mut().and_then(|fields| fields.remove(list));
        (list, kind, taken.and_then(|list| if let Json::Array(list) = list { Some(list) } else { None }))
    });
    let mut parts = vec![Part { at: HEAD.to_owned(), kind: HEAD, text: canonical(&entry) }];
    for (list, kind, members) in lists {
        let members = members.iter().flatten().enumerate();
        parts.extend(members.map(|(index, member)| Part {
            at: format!("{list}/{index}"),
            kind,
            text: canonical(member),
        }));
    }
    parts
}

/// Takes out of an entry what a move to another database alters.
fn blank(entry: &mut Json) {
    persons(entry, String::clear);
    name_room(entry, "");
}

/// Every id of a person in an entry.
pub fn persons(entry: &mut Json, mut each: impl FnMut(&mut String)) {
    if let Some(Json::String(by)) = entry.pointer_mut("/cause/moderator/by") {
        each(by);
    }
    for fact in frame_facts(entry) {
        let Ok(read) = FrameFact::deserialize(&*fact) else { continue };
        let Some(fields) = fact.as_object_mut().and_then(|fact| fact.values_mut().next()) else { continue };
        for name in read.persons() {
            if let Some(Json::String(id)) = fields.get_mut(name) {
                each(id);
            }
        }
    }
}

/// Gives the room another name in the entry that opens it.
pub fn name_room(entry: &mut Json, name: &str) {
    for fact in frame_facts(entry) {
        if let Some(Json::String(old)) = fact.pointer_mut("/opened/name") {
            name.clone_into(old);
        }
    }
}

fn frame_facts(entry: &mut Json) -> impl Iterator<Item = &mut Json> {
    let changes = entry.get_mut("changes").and_then(Json::as_array_mut);
    changes.into_iter().flatten().filter_map(|change| change.get_mut("frame"))
}

/// JSON written in one way only: no blanks, the fields of an object in the order of their names' bytes.
pub fn canonical(value: &Json) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Json, out: &mut String) {
    match value {
        Json::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            for (index, name) in names.into_iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                *out += &Json::from(name.as_str()).to_string();
                out.push(':');
                write(&fields[name], out);
            }
            *out += if fields.is_empty() { "{}" } else { "}" };
        }
        Json::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                write(member, out);
            }
            *out += if members.is_empty() { "[]" } else { "]" };
        }
        other => *out += &other.to_string(),
    }
}

/// The key that the salts of the parts derive from. Whoever has it can check every part, and nothing else.
pub fn key(salt: &Hash) -> Hash {
    derived(salt, "parts")
}

/// The salt of a part; they are counted from 0.
pub fn part_salt(key: &Hash, index: usize) -> Hash {
    derived(key, &index.to_string())
}

fn derived(key: &Hash, what: &str) -> Hash {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(what.as_bytes());
    mac.finalize().into_bytes().into()
}

/// The hash of a part.
pub fn part(salt: &Hash, kind: &str, text: &str) -> Hash {
    Sha256::digest(format!("{} {kind} {text}", hex::encode(salt))).into()
}

/// The hashes of all parts of an entry.
pub fn leaves(key: &Hash, entry: &Json) -> Vec<Hash> {
    let parts = parts(entry);
    parts.iter().enumerate().map(|(index, of)| part(&part_salt(key, index), of.kind, &of.text)).collect()
}

/// The hash of all that a database stores of an entry: the message that it came from, and the entry to the byte.
pub fn stored(salt: &Hash, origin: Option<&str>, body: &str) -> Hash {
    let mut hash = Sha256::new();
    hash.update(format!("{} stored {} ", hex::encode(derived(salt, "stored")), origin.unwrap_or("-")));
    hash.update(body);
    hash.finalize().into()
}

/// The hash of the words that caused an entry.
pub fn said(salt: &Hash, text: &str) -> Hash {
    part(salt, "said", text)
}

/// The hash of an entry.
pub fn link(before: &Hash, stored: &Hash, said: Option<&Hash>, leaves: &[Hash]) -> Hash {
    let mut hash = Sha256::new();
    for line in [Some(before), Some(stored), said].into_iter().chain(leaves.iter().map(Some)) {
        hash.update(line.map_or_else(|| "-".to_owned(), hex::encode));
        hash.update("\n");
    }
    hash.finalize().into()
}

/// A hash as it is written: 64 hexadecimal digits.
pub fn read_hash(text: &str) -> Option<Hash> {
    hex::decode(text.trim()).ok()?.try_into().ok()
}
