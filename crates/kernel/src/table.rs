//! Typed tables: what a game keeps beside the world, in rows that the kernel changes and compares by itself.
//!
//! A mechanic declares its tables ([`Mechanic::table`]) and changes them through a draft (`put`, `edit`, `upsert`,
//! `delete`). An entry keeps of a change the fields that differ, with what they were, so a change of status never
//! writes a long text again. A row is a JSON object.
//!
//! [`Mechanic::table`]: crate::mechanic::Mechanic::table

use std::{
    any::{Any, TypeId},
    borrow::Borrow,
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    ops::RangeBounds,
    sync::Arc,
};

use imbl::{OrdMap, ordmap::DiffItem};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
/// A value of JSON: a key, or a field of a row.
pub use serde_json::Value as Json;

use crate::{
    row_change::{Fields, RowChange},
    shape,
    state::State,
};

/// What a key of a table can be: a number, an id, a pair of them, `()` where there is one row.
pub trait Key: Ord + Clone + fmt::Debug + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}
impl<K: Ord + Clone + fmt::Debug + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static> Key for K {}

/// What a row of a table is made of: plain data.
pub trait Record: Clone + PartialEq + fmt::Debug + Serialize + Send + Sync + 'static {}
impl<R: Clone + PartialEq + fmt::Debug + Serialize + Send + Sync + 'static> Record for R {}

/// A row of a table: where it lies, and what a game knows of a change to it.
pub trait Row<G>: Record + DeserializeOwned + JsonSchema {
    /// By what a row is found.
    type Key: Key;
    /// The name of the table in the journal.
    const TABLE: &'static str;

    /// Whether everybody may read the row at this point. What is kept back is left out of public archives and pages.
    fn is_open(_key: &Self::Key, _state: &State<G>) -> bool {
        true
    }

    /// What a change did, in words, for people who read the record; nothing where the rest of the entry says it.
    fn told(_key: &Self::Key, _was: Option<&Self>, _is: Option<&Self>, _state: &State<G>) -> String {
        String::new()
    }
}

/// A game as its tables know it.
pub trait Tabled: Copy + Default + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The tables that its mechanics declare.
    fn tables() -> Box<dyn Iterator<Item = &'static Declared<Self>>>;
}

/// A table as a mechanic declares it.
pub struct Declared<G> {
    name: &'static str,
    row: TypeId,
    shape: fn(&mut SchemaGenerator) -> Schema,
    empty: fn() -> Arc<dyn Held<G>>,
}

impl<G: 'static> Declared<G> {
    /// The table of a kind of rows.
    pub(crate) fn of<R: Row<G>>() -> Self {
        let empty = || Arc::new(Rows::<R::Key, R>::default()) as Arc<dyn Held<G>>;
        let shape = shape::of_table::<R::Key, R>;
        Self { name: R::TABLE, row: TypeId::of::<R>(), shape, empty }
    }

    /// Its name in the journal.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// What its rows and their keys are written as.
    pub(crate) fn shape(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.shape)(generator)
    }
}

/// All tables of a room: those that the mechanics of its game declare. A copy costs next to nothing.
pub struct Tables<G>(Arc<BTreeMap<TypeId, Arc<dyn Held<G>>>>);

impl<G> Clone for Tables<G> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<G: Tabled> Default for Tables<G> {
    fn default() -> Self {
        Self::with(G::tables())
    }
}

impl<G: 'static> Tables<G> {
    /// These tables, without rows.
    fn with<'a>(declared: impl IntoIterator<Item = &'a Declared<G>>) -> Self {
        Self(Arc::new(declared.into_iter().map(|table| (table.row, (table.empty)())).collect()))
    }

    /// The rows of a kind, by key.
    ///
    /// # Panics
    ///
    /// Where no mechanic declares their table: a mistake in the game.
    pub fn rows<R: Row<G>>(&self) -> &Rows<R::Key, R> {
        let rows = self.0.get(&TypeId::of::<R>()).and_then(|held| held.as_any().downcast_ref());
        rows.unwrap_or_else(|| panic!("no mechanic declares the table {}", R::TABLE))
    }

    /// The rows of a kind, to change.
    ///
    /// # Panics
    ///
    /// Where no mechanic declares their table: a mistake in the game.
    pub fn rows_mut<R: Row<G>>(&mut self) -> &mut Rows<R::Key, R> {
        let held = Arc::make_mut(&mut self.0).get_mut(&TypeId::of::<R>()).map(own);
        let rows = held.and_then(|held| held.as_any_mut().downcast_mut());
        rows.unwrap_or_else(|| panic!("no mechanic declares the table {}", R::TABLE))
    }

    /// A row.
    pub fn row<R: Row<G>>(&self, key: &R::Key) -> Option<&R> {
        self.rows::<R>().get(key)
    }

    /// Puts a row in its place, or removes it.
    pub(crate) fn set<R: Row<G>>(&mut self, key: &R::Key, to: Option<R>) {
        match to {
            Some(row) => self.rows_mut::<R>().insert(key.clone(), row),
            None => drop(self.rows_mut::<R>().remove(key)),
        }
    }

    /// The names of the tables, as the journal has them.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.values().map(|held| held.table())
    }

    fn named(&self, table: &str) -> Option<&dyn Held<G>> {
        self.0.values().find(|held| held.table() == table).map(|held| &**held)
    }

    /// A row by the name of its table and its key.
    pub fn named_row(&self, table: &str, key: &Json) -> Option<Fields> {
        self.named(table)?.row(key)
    }

    /// Puts a row in its place by the name of its table, or removes it. Where this program has no such table, or cannot
    /// read the key or the row, nothing changes.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub fn set_named(&mut self, table: &str, key: &Json, row: Option<Fields>) -> Result<(), String> {
        let held = Arc::make_mut(&mut self.0).values_mut().find(|held| held.table() == table);
        held.map_or_else(|| Err(format!("there is no table {table}")), |held| own(held).set(key, row))
    }

    /// The rows of a table with their keys; nothing where there is no such table.
    pub fn named_rows(&self, table: &str) -> Vec<(Json, Fields)> {
        self.named(table).map(Held::all).unwrap_or_default()
    }

    /// What makes another room's tables of these: the changes from `self` to `to`, in the order of the tables' names.
    pub fn differences(&self, to: &Self) -> Vec<RowChange> {
        let mut pairs: Vec<_> = self.0.values().zip(to.0.values()).collect();
        pairs.sort_by_key(|(held, _)| held.table());
        let differing = pairs.into_iter().filter(|(was, is)| !Arc::ptr_eq(was, is));
        differing.flat_map(|(was, is)| was.differences(&**is)).collect()
    }

    /// Whether everybody may read a row at this point.
    pub fn is_open(&self, table: &str, key: &Json, state: &State<G>) -> bool {
        self.named(table).is_some_and(|held| held.is_open(key, state))
    }

    /// A change in words; `None` where it cannot be read any more.
    pub fn told(&self, change: &RowChange, state: &State<G>) -> Option<String> {
        self.named(&change.table)?.told(change, state)
    }
}

impl<G: 'static> PartialEq for Tables<G> {
    fn eq(&self, other: &Self) -> bool {
        let alike =
            |(one, other): (&Arc<dyn Held<G>>, &Arc<dyn Held<G>>)| Arc::ptr_eq(one, other) || one.is_equal(&**other);
        Arc::ptr_eq(&self.0, &other.0) || self.0.values().zip(other.0.values()).all(alike)
    }
}

impl<G: 'static> fmt::Debug for Tables<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.values().map(|held| (held.table(), held.all()))).finish()
    }
}

/// A table is written under its name, as a list of keys with their rows.
impl<G: 'static> Serialize for Tables<G> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let written: BTreeMap<_, _> = self.0.values().map(|held| (held.table(), held.all())).collect();
        written.serialize(to)
    }
}

impl<'de, G: Tabled> Deserialize<'de> for Tables<G> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut tables = Self::default();
        for (table, rows) in BTreeMap::<String, Vec<(Json, Fields)>>::deserialize(from)? {
            for (key, row) in rows {
                tables.set_named(&table, &key, Some(row)).map_err(serde::de::Error::custom)?;
            }
        }
        Ok(tables)
    }
}

/// The rows of a table, to change: a copy of them, where others look at these.
fn own<G: 'static>(held: &mut Arc<dyn Held<G>>) -> &mut dyn Held<G> {
    if Arc::get_mut(held).is_none() {
        *held = held.copy();
    }
    Arc::get_mut(held).expect("a copy is nobody else's")
}

/// The rows of a table, whatever they are.
trait Held<G>: Any + Send + Sync {
    fn table(&self) -> &'static str;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn copy(&self) -> Arc<dyn Held<G>>;
    fn row(&self, key: &Json) -> Option<Fields>;
    fn set(&mut self, key: &Json, row: Option<Fields>) -> Result<(), String>;
    fn all(&self) -> Vec<(Json, Fields)>;
    fn is_equal(&self, other: &dyn Held<G>) -> bool;
    fn differences(&self, to: &dyn Held<G>) -> Vec<RowChange>;
    fn is_open(&self, key: &Json, state: &State<G>) -> bool;
    fn told(&self, change: &RowChange, state: &State<G>) -> Option<String>;
}

impl<G: 'static, K: Key, R: Row<G, Key = K>> Held<G> for Rows<K, R> {
    fn table(&self) -> &'static str {
        R::TABLE
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn copy(&self) -> Arc<dyn Held<G>> {
        Arc::new(self.clone())
    }

    fn row(&self, key: &Json) -> Option<Fields> {
        self.get(&K::deserialize(key).ok()?).map(fields)
    }

    fn set(&mut self, key: &Json, row: Option<Fields>) -> Result<(), String> {
        let key = K::deserialize(key).map_err(|why| why.to_string())?;
        match row {
            Some(row) => {
                let row = R::deserialize(Json::Object(row)).map_err(|why| why.to_string())?;
                self.insert(key, row);
            }
            None => {
                self.remove(&key);
            }
        }
        Ok(())
    }

    fn all(&self) -> Vec<(Json, Fields)> {
        all(&self.map)
    }

    fn is_equal(&self, other: &dyn Held<G>) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn differences(&self, to: &dyn Held<G>) -> Vec<RowChange> {
        to.as_any().downcast_ref::<Self>().map(|to| differences_in(R::TABLE, &self.map, &to.map)).unwrap_or_default()
    }

    fn is_open(&self, key: &Json, state: &State<G>) -> bool {
        K::deserialize(key).is_ok_and(|key| R::is_open(&key, state))
    }

    fn told(&self, change: &RowChange, state: &State<G>) -> Option<String> {
        let key = K::deserialize(&change.key).ok()?;
        // Fields that did not change are read where the row stands now.
        let now = || self.get(&key).map(fields);
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
            // Of an edit of a row that is gone by now only the fields that differ are on record: nobody can say what it
            // was.
            _ if change.was.is_some() && change.to.is_some() && now().is_none() => Some(String::new()),
            _ => None,
        }
    }
}

/// Rows with their keys, as JSON.
fn all<K: Key>(rows: &OrdMap<K, Shared>) -> Vec<(Json, Fields)> {
    rows.iter().map(|(at, row)| (key(at), row.0.fields())).collect()
}

/// What makes one table of another.
fn differences_in<K: Key>(table: &str, from: &OrdMap<K, Shared>, to: &OrdMap<K, Shared>) -> Vec<RowChange> {
    let fields = |row: &Shared| row.0.fields();
    let changes = differing(from, to)
        .filter_map(|(at, was, is)| RowChange::between(table, key(at), was.map(fields), is.map(fields)));
    changes.collect()
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

/// A row of whatever kind.
trait AnyRow: Any + Send + Sync {
    fn is(&self, other: &dyn AnyRow) -> bool;
    fn fields(&self) -> Fields;
}

impl<R: Record> AnyRow for R {
    fn is(&self, other: &dyn AnyRow) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn fields(&self) -> Fields {
        fields(self)
    }
}

/// A row that several tables may share.
#[derive(Clone)]
struct Shared(Arc<dyn AnyRow>);

impl Shared {
    /// The row as it is.
    ///
    /// # Panics
    ///
    /// Where it is of another kind, which [`Rows`] let nobody put there.
    fn get<R: Record>(&self) -> &R {
        (&*self.0 as &dyn Any).downcast_ref().expect("a table has rows of one kind")
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is(&*other.0)
    }
}

/// Rows by key, in order. A copy costs next to nothing.
///
/// The map within knows no kind of row: so it is compiled once for each kind of key, of which there are few.
pub struct Rows<K, R> {
    map: OrdMap<K, Shared>,
    kind: PhantomData<R>,
}

/// What differs of a row between two tables: its key, and the row as it was and as it is.
pub type Difference<'r, K, R> = (&'r K, Option<&'r R>, Option<&'r R>);

impl<K: Ord + Clone, R: Record> Rows<K, R> {
    /// Whether they are one copy of the same rows, so that nothing of them differs.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.map.ptr_eq(&other.map)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Whether there is a row with a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.map.contains_key(key)
    }

    /// A row.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&R>
    where
        K: Borrow<Q>,
    {
        self.map.get(key).map(Shared::get)
    }

    /// Puts a row in its place.
    pub fn insert(&mut self, key: K, row: R) {
        self.map.insert(key, Shared(Arc::new(row)));
    }

    /// Removes a row, and gives it.
    pub fn remove(&mut self, key: &K) -> Option<R> {
        self.map.remove(key).map(|row| row.get::<R>().clone())
    }

    /// All, by key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &R)> + ExactSizeIterator {
        self.map.iter().map(|(key, row)| (key, row.get()))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.map.keys()
    }

    /// The rows in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &R> + ExactSizeIterator {
        self.map.values().map(Shared::get)
    }

    /// Those with some keys, in order.
    pub fn range(&self, keys: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = (&K, &R)> {
        self.map.range(keys).map(|(key, row)| (key, row.get()))
    }

    /// The first.
    pub fn first(&self) -> Option<(&K, &R)> {
        self.map.get_min().map(|(key, row)| (key, row.get()))
    }

    /// The last.
    pub fn last(&self) -> Option<(&K, &R)> {
        self.map.get_max().map(|(key, row)| (key, row.get()))
    }

    /// What differs from here to others, by key.
    pub fn diff<'r>(&'r self, to: &'r Self) -> impl Iterator<Item = Difference<'r, K, R>> {
        differing(&self.map, &to.map).map(|(key, was, is)| (key, was.map(Shared::get), is.map(Shared::get)))
    }
}

/// What differs between two maps.
fn differing<'r, K: Ord>(
    from: &'r OrdMap<K, Shared>,
    to: &'r OrdMap<K, Shared>,
) -> impl Iterator<Item = Difference<'r, K, Shared>> {
    from.diff(to).map(|difference| match difference {
        DiffItem::Add(key, is) => (key, None, Some(is)),
        DiffItem::Update { old: (key, was), new: (_, is) } => (key, Some(was), Some(is)),
        DiffItem::Remove(key, was) => (key, Some(was), None),
    })
}

impl<K: Ord + Clone, R> Default for Rows<K, R> {
    fn default() -> Self {
        Self { map: OrdMap::new(), kind: PhantomData }
    }
}

impl<K: Clone, R> Clone for Rows<K, R> {
    fn clone(&self) -> Self {
        Self { map: self.map.clone(), kind: PhantomData }
    }
}

impl<K: Ord, R> PartialEq for Rows<K, R> {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map
    }
}

impl<K: Ord, R: Eq> Eq for Rows<K, R> {}

impl<K: Ord + Clone + fmt::Debug, R: Record> fmt::Debug for Rows<K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Folds a change of a row.
///
/// # Errors
///
/// Why the row cannot be read. Then nothing changes.
pub(crate) fn fold<G: 'static>(tables: &mut Tables<G>, change: &RowChange) -> Result<(), String> {
    let RowChange { table, key, .. } = change;
    // A row that comes whole, or goes, needs none before it: large ones cost much to write as JSON.
    let is_edit = change.was.is_some() && change.to.is_some();
    let before = if is_edit { tables.named_row(table, key) } else { None };
    let why = |why| format!("the row {key} of {table} cannot be read: {why}");
    tables.set_named(table, key, change.apply(before)).map_err(why)
}

#[cfg(test)]
mod tests;
