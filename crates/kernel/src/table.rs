//! Typed tables: what a game keeps beside the world, in rows that the kernel changes and compares by itself.
//!
//! A game declares its tables with [`crate::tables!`] and changes them through a draft (`put`, `edit`, `upsert`,
//! `delete`). An entry keeps of a change the fields that differ, with what they were, so a change of status never writes
//! a long text again. A row is a JSON object. A table or a row that this version of the program cannot read is kept as it
//! is written, folded by key, and told by `verify`. Absent: what a row means.

use std::{
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

use imbl::OrdMap;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, SeqAccess, Visitor},
};
/// A value of JSON: a key, or a field of a row.
pub use serde_json::Value as Json;

use crate::{
    Id,
    game::{Game, State},
    row_change::{Fields, RowChange},
};

/// What a key of a table can be: a number, an id, a pair of them, `()` where there is one row.
pub trait Key: Ord + Clone + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}
impl<K: Ord + Clone + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Key for K {}

/// Where the rows of a type lie in a game. [`crate::tables!`] writes this.
pub trait Kept<G>: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// By what a row is found.
    type Key: Key;
    /// The name of the table in the journal.
    const TABLE: &'static str;
    /// The rows.
    fn rows(game: &G) -> &Rows<Self::Key, Self>;
    /// The rows, to fold into.
    fn rows_mut(game: &mut G) -> &mut Rows<Self::Key, Self>;
}

/// Puts a row in its place, or removes it, outside of a draft: where entries of before are folded.
pub fn set<G, R: Kept<G>>(game: &mut G, key: &R::Key, to: Option<R>) {
    match to {
        Some(row) => R::rows_mut(game).insert(key.clone(), row),
        None => R::rows_mut(game).remove(key),
    };
}

/// The same of a change to a row that there is.
pub fn edit<G, R: Kept<G>>(game: &mut G, key: &R::Key, change: impl FnOnce(&mut R)) {
    if let Some(row) = R::rows_mut(game).get_mut(key) {
        change(row);
    }
}

/// The same of a change to a row from its default. A row that comes to be its default is not kept.
pub fn upsert<G, R: Kept<G> + Default>(game: &mut G, key: &R::Key, change: impl FnOnce(&mut R)) {
    let mut row = R::rows(game).get(key).cloned().unwrap_or_default();
    change(&mut row);
    set(game, key, Some(row).filter(|row| *row != R::default()));
}

/// A row of a game's tables: what the game knows of a change to it.
pub trait Row<G: Game>: Kept<G> {
    /// Whether everybody may read the row at this point. What is kept back is left out of public archives and pages.
    fn is_open(_key: &Self::Key, _state: &State<G>) -> bool {
        true
    }

    /// What a change did, in words, for people who read the record; nothing where the rest of the entry says it.
    fn told(_key: &Self::Key, _was: Option<&Self>, _is: Option<&Self>, _state: &State<G>) -> String {
        String::new()
    }
}

/// All tables of a game, by name. [`crate::tables!`] writes this.
pub trait Tables: Sized {
    /// The names of the tables, as the journal has them.
    const TABLES: &'static [&'static str];

    /// A row by the name of its table and its key.
    fn row(&self, table: &str, key: &Json) -> Option<Fields>;

    /// Puts a row in its place, or removes it. `Err` where this program has no such table, or cannot read the key or the
    /// row; then nothing changes.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn set_row(&mut self, table: &str, key: &Json, row: Option<Fields>) -> Result<(), String>;

    /// The rows of a table with their keys; nothing where there is no such table.
    fn rows_of(&self, table: &str) -> Vec<(Json, Fields)>;

    /// What makes this game's tables of another's: the changes from `self` to `to`.
    fn differences(&self, to: &Self) -> Vec<RowChange>;

    /// Whether everybody may read a row at this point.
    fn row_is_open(table: &str, key: &Json, state: &State<Self>) -> bool;

    /// A change in words; `None` where it cannot be read any more.
    fn row_told(change: &RowChange, state: &State<Self>) -> Option<String>;
}

/// The name of the table that stands for all of a game that is in no table of its own: its one row, without a key, has
/// the fields of the game as it is written down.
pub const WHOLE: &str = "*";

/// What makes one game of another: the rows that differ, then what differs in no table.
pub(crate) fn differences<G: Game>(from: &State<G>, to: &State<G>) -> Vec<RowChange> {
    let mut changes = from.game.differences(&to.game);
    changes.extend(from.unread.differences(&to.unread));
    let (mut game, mut unread) = (from.game.clone(), from.unread.clone());
    changes.iter().for_each(|change| fold(&mut game, &mut unread, change));
    changes.extend(RowChange::between(WHOLE, Json::Null, Some(fields(&game)), Some(fields(&to.game))));
    changes
}

/// Folds a change of what is in no table. Total.
pub(crate) fn fold_whole<G: Game>(game: &mut G, unread: &mut Unread, change: &RowChange) {
    let row = change.apply(Some(fields(game)));
    match row.clone().map(|row| G::deserialize(Json::Object(row))) {
        Some(Ok(read)) => *game = read,
        _ => unread.set(&change.table, &change.key, row),
    }
}

/// A row as JSON.
///
/// # Panics
///
/// Where a row is no JSON object: a mistake in the game that declares it.
pub fn fields<R: Serialize>(row: &R) -> Fields {
    match serde_json::to_value(row) {
        Ok(Json::Object(fields)) => fields,
        other => panic!("a row is a JSON object: {other:?}"),
    }
}

/// A key as JSON.
///
/// # Panics
///
/// Where it is none.
pub fn key<K: Serialize>(key: &K) -> Json {
    serde_json::to_value(key).expect("a key is plain data")
}

/// Rows by key, in order. Written as a list of pairs, since a key of JSON is a text.
#[derive(Clone, PartialEq, Eq)]
pub struct Rows<K: Ord + Clone, R: Clone>(OrdMap<K, R>);

impl<K: Ord + Clone, R: Clone> Default for Rows<K, R> {
    fn default() -> Self {
        Self(OrdMap::new())
    }
}

impl<K: Ord + Clone + fmt::Debug, R: Clone + fmt::Debug> fmt::Debug for Rows<K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter()).finish()
    }
}

impl<K: Ord + Clone, R: Clone> Deref for Rows<K, R> {
    type Target = OrdMap<K, R>;
    fn deref(&self) -> &OrdMap<K, R> {
        &self.0
    }
}

impl<K: Ord + Clone, R: Clone> DerefMut for Rows<K, R> {
    fn deref_mut(&mut self) -> &mut OrdMap<K, R> {
        &mut self.0
    }
}

impl<K: Ord + Clone + Serialize, R: Clone + Serialize> Serialize for Rows<K, R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter())
    }
}

impl<'de, K: Ord + Clone + Deserialize<'de>, R: Clone + Deserialize<'de>> Deserialize<'de> for Rows<K, R> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs<K, R>(PhantomData<(K, R)>);
        impl<'de, K: Ord + Clone + Deserialize<'de>, R: Clone + Deserialize<'de>> Visitor<'de> for Pairs<K, R> {
            type Value = OrdMap<K, R>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of keys with their rows")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut pairs: A) -> Result<Self::Value, A::Error> {
                let mut rows = OrdMap::new();
                while let Some((key, row)) = pairs.next_element()? {
                    rows.insert(key, row);
                }
                Ok(rows)
            }
        }
        from.deserialize_seq(Pairs(PhantomData)).map(Self)
    }
}

/// Rows that this version of the program cannot read, by table and by their key as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Unread(BTreeMap<Id, BTreeMap<String, Fields>>);

impl Unread {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A row.
    pub fn row(&self, table: &str, key: &Json) -> Option<&Fields> {
        self.0.get(table)?.get(&key.to_string())
    }

    fn differences(&self, to: &Self) -> Vec<RowChange> {
        let rows = |of: &Self| -> BTreeMap<(Id, String), Fields> {
            let named = |(table, rows): (&Id, &BTreeMap<String, Fields>)| {
                rows.iter().map(|(key, row)| ((table.clone(), key.clone()), row.clone())).collect::<Vec<_>>()
            };
            of.0.iter().flat_map(named).collect()
        };
        let (mut was, is) = (rows(self), rows(to));
        let mut found = Vec::new();
        for ((table, key), row) in is {
            let before = was.remove(&(table.clone(), key.clone()));
            found.extend(RowChange::between(&table, unread_key(&key), before, Some(row)));
        }
        let gone = was.into_iter();
        found.extend(
            gone.filter_map(|((table, key), row)| RowChange::between(&table, unread_key(&key), Some(row), None)),
        );
        found
    }

    fn set(&mut self, table: &Id, key: &Json, row: Option<Fields>) {
        match row {
            Some(row) => {
                self.0.entry(table.clone()).or_default().insert(key.to_string(), row);
            }
            None => {
                if let Some(rows) = self.0.get_mut(table) {
                    rows.remove(&key.to_string());
                    if rows.is_empty() {
                        self.0.remove(table);
                    }
                }
            }
        }
    }
}

/// A key as it was before [`Unread`] wrote it.
fn unread_key(key: &str) -> Json {
    serde_json::from_str(key).unwrap_or_default()
}

/// Folds a change of a row. Total.
pub(crate) fn fold<G: Tables>(game: &mut G, unread: &mut Unread, change: &RowChange) {
    let RowChange { table, key, .. } = change;
    let held = unread.row(table, key).cloned();
    let row = change.apply(held.clone().or_else(|| game.row(table, key)));
    match game.set_row(table, key, row.clone()) {
        Ok(()) if held.is_some() => unread.set(table, key, None),
        Ok(()) => {}
        Err(_) => {
            // What could be read before cannot be now: it stands in one place only.
            let _ = game.set_row(table, key, None);
            unread.set(table, key, row);
        }
    }
}

/// Declares the tables of a game: the field of the game that holds each, its key and its row.
///
/// ```text
/// kernel::tables! { Spacenomic {
///     proposals: u64 => proposals::Proposal,
///     votes: (u64, Id) => voting::Vote,
///     clock: () => clock::Clock,
/// } }
/// ```
///
/// The field is a [`Rows`] of the key and the row, and its name is the table's name in the journal.
#[macro_export]
macro_rules! tables {
    ($game:ident { $($field:ident: $key:ty => $row:ty),* $(,)? }) => {
        $(impl $crate::table::Kept<$game> for $row {
            type Key = $key;
            const TABLE: &'static str = stringify!($field);
            fn rows(game: &$game) -> &$crate::table::Rows<$key, Self> {
                &game.$field
            }
            fn rows_mut(game: &mut $game) -> &mut $crate::table::Rows<$key, Self> {
                &mut game.$field
            }
        })*

        #[allow(unused_variables, unused_mut, reason = "a game may have no tables")]
        impl $crate::table::Tables for $game {
            const TABLES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn row(&self, table: &str, key: &$crate::table::Json) -> Option<$crate::row_change::Fields> {
                match table {
                    $(stringify!($field) => $crate::table::read_row::<$key, $row>(&self.$field, key),)*
                    _ => None,
                }
            }

            fn set_row(
                &mut self,
                table: &str,
                key: &$crate::table::Json,
                row: Option<$crate::row_change::Fields>,
            ) -> Result<(), String> {
                match table {
                    $(stringify!($field) => $crate::table::write_row::<$key, $row>(&mut self.$field, key, row),)*
                    _ => Err(format!("there is no table {table}")),
                }
            }

            fn rows_of(&self, table: &str) -> Vec<($crate::table::Json, $crate::row_change::Fields)> {
                match table {
                    $(stringify!($field) => $crate::table::all_rows(&self.$field),)*
                    _ => Vec::new(),
                }
            }

            fn differences(&self, to: &Self) -> Vec<$crate::row_change::RowChange> {
                let mut out = Vec::new();
                $($crate::table::compare(stringify!($field), &self.$field, &to.$field, &mut out);)*
                let _ = to;
                out
            }

            fn row_is_open(table: &str, key: &$crate::table::Json, state: &$crate::State<Self>) -> bool {
                match table {
                    $(stringify!($field) => $crate::table::is_open::<$game, $row>(key, state),)*
                    _ => false,
                }
            }

            fn row_told(change: &$crate::row_change::RowChange, state: &$crate::State<Self>) -> Option<String> {
                match &*change.table {
                    $(stringify!($field) => $crate::table::told::<$game, $row>(change, state),)*
                    _ => None,
                }
            }
        }
    };
}

// What the macro calls: one function a deed, for all tables.

#[doc(hidden)]
pub fn read_row<K: Key, R: Clone + Serialize>(rows: &Rows<K, R>, key: &Json) -> Option<Fields> {
    rows.get(&K::deserialize(key).ok()?).map(fields)
}

#[doc(hidden)]
pub fn write_row<K: Key, R: Clone + DeserializeOwned>(
    rows: &mut Rows<K, R>,
    key: &Json,
    row: Option<Fields>,
) -> Result<(), String> {
    let key = K::deserialize(key).map_err(|why| why.to_string())?;
    match row {
        Some(row) => {
            let row = R::deserialize(Json::Object(row)).map_err(|why| why.to_string())?;
            rows.insert(key, row);
        }
        None => {
            rows.remove(&key);
        }
    }
    Ok(())
}

#[doc(hidden)]
pub fn all_rows<K: Key, R: Clone + Serialize>(rows: &Rows<K, R>) -> Vec<(Json, Fields)> {
    rows.iter().map(|(at, row)| (key(at), fields(row))).collect()
}

#[doc(hidden)]
pub fn compare<K: Key, R: Clone + PartialEq + Serialize>(
    table: &str,
    was: &Rows<K, R>,
    to: &Rows<K, R>,
    out: &mut Vec<RowChange>,
) {
    use imbl::ordmap::DiffItem;
    out.extend(was.diff(to).filter_map(|difference| {
        let (at, was, to) = match difference {
            DiffItem::Add(at, to) => (at, None, Some(fields(to))),
            DiffItem::Update { old, new } => (old.0, Some(fields(old.1)), Some(fields(new.1))),
            DiffItem::Remove(at, was) => (at, Some(fields(was)), None),
        };
        RowChange::between(table, key(at), was, to)
    }));
}

#[doc(hidden)]
pub fn is_open<G: Game, R: Row<G>>(key: &Json, state: &State<G>) -> bool {
    R::Key::deserialize(key).is_ok_and(|key| R::is_open(&key, state))
}

#[doc(hidden)]
pub fn told<G: Game, R: Row<G>>(change: &RowChange, state: &State<G>) -> Option<String> {
    let key = R::Key::deserialize(&change.key).ok()?;
    // Fields that did not change are read where the row stands now.
    let now = || R::rows(&state.game).get(&key).map(fields);
    let whole = |side: &Option<Fields>, other: &Option<Fields>| -> Option<Option<R>> {
        let Some(part) = side else { return Some(None) };
        let mut row = match other {
            // A field that only the other side has was left out here.
            Some(other) => {
                now().unwrap_or_default().into_iter().filter(|(field, _)| !other.contains_key(field)).collect()
            }
            None => Fields::new(),
        };
        row.extend(part.clone());
        Some(Some(R::deserialize(Json::Object(row)).ok()?))
    };
    match (whole(&change.was, &change.to), whole(&change.to, &change.was)) {
        (Some(was), Some(is)) => Some(R::told(&key, was.as_ref(), is.as_ref(), state)),
        // Of an edit of a row that is gone by now only the fields that differ are on record: nobody can say what it was.
        _ if change.was.is_some() && change.to.is_some() && now().is_none() => Some(String::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
