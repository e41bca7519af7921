//! What a rule can name: objects, their attributes, and the operations that change them.
//!
//! Values are reached by path. A mechanic reaches its own through a typed handle ([`Attr`]), so that a slip is a
//! compile error and not a wrong ledger. Every operation is journalled verbatim. An operation on something that is gone
//! does nothing: folding never fails. Bounds and eligibility are judged before an operation is emitted.
//!
//! An attribute is known by its name and by the kinds that have it: `color of sock` and `color of proposal` are two.
//! Definitions of one name never share a kind. One of everything ([`EVERYTHING`]) has the kinds that no other one of its
//! name has.

use std::{collections::BTreeSet, fmt, marker::PhantomData, str::FromStr};

use imbl::{OrdMap, ordmap::DiffItem};
use serde::{Deserialize, Serialize};

use super::{Id, Instant, Num, Seq, time::minute};

/// Where a value stands: an object and one of its attributes, written `player/zed.power`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, schemars::JsonSchema)]
#[schemars(from = "String", into = "String")]
pub struct Path {
    /// The object, its kind before a slash: `player/zed`.
    pub obj: Id,
    /// The attribute.
    pub attr: Id,
}

impl Path {
    /// The path of an attribute of an object.
    pub fn new(obj: impl Into<Id>, attr: impl Into<Id>) -> Self {
        Self { obj: obj.into(), attr: attr.into() }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.obj, self.attr)
    }
}

/// A text that is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not OBJECT.ATTRIBUTE")]
pub struct NotAPath(String);

impl FromStr for Path {
    type Err = NotAPath;
    fn from_str(text: &str) -> Result<Self, NotAPath> {
        match text.rsplit_once('.') {
            Some((obj, attr)) if !obj.is_empty() && !attr.is_empty() => Ok(Self::new(obj, attr)),
            _ => Err(NotAPath(text.chars().take(80).collect())),
        }
    }
}

impl Serialize for Path {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A value that a rule can speak about.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Nothing: the attribute was never set, or has no default.
    #[default]
    Null,
    /// A property.
    Bool(bool),
    /// An exact number.
    Num(Num),
    /// Text.
    Text(String),
    /// Another object.
    Ref(Id),
    /// An instant.
    Time(Instant),
    /// Articles, left to right.
    List(Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("nothing"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Num(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
            Self::Ref(value) => f.write_str(value.rsplit('/').next().unwrap_or(value)),
            Self::Time(value) => f.write_str(&minute(*value)),
            Self::List(values) => {
                f.write_str("{")?;
                for (index, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// The scope of an attribute that every object has, of whatever kind.
pub const EVERYTHING: &str = "object";

/// What stands between the kinds of a scope that has several.
pub const SCOPES: &str = " or ";

/// What an attribute is: its scope, its range and where objects start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AttrDef {
    /// Its name.
    pub id: Id,
    /// The kind of object that has it: `player`, several of them as `player or ministry`; [`EVERYTHING`] where all have.
    pub scope: Id,
    /// Which values it may hold.
    pub range: Range,
    /// What an object holds before anybody sets it.
    pub default: Value,
    /// The rule that defines it, or the document of a player that does.
    pub by: Option<Id>,
}

impl AttrDef {
    /// The kinds that its scope names; [`EVERYTHING`] is one of them where it stands there.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.scope.split(SCOPES)
    }

    /// Whether its scope names a kind. Which definition an object has is the world's to say ([`World::def`]).
    pub fn names(&self, kind: &str) -> bool {
        self.kinds().any(|named| *named == *kind)
    }

    /// Zero or blank, where it can hold that; else what it holds at first.
    pub fn blank(&self) -> Value {
        let blanks = [Value::Num(Num::default()), Value::Text(String::new()), Value::List(Vec::new())];
        let held = |value: &Value| !matches!(self.range, Range::Any) && self.range.holds(value);
        blanks.into_iter().find(held).unwrap_or_else(|| self.default.clone())
    }

    /// Whether a document defines it, an object as any other: then its name yields to whatever a rule defines.
    pub fn is_given(&self) -> bool {
        self.by.as_ref().is_some_and(|by| by.contains('/'))
    }

    /// Whether a scope names a kind that its own scope names. Two definitions of one name then cannot stand together.
    pub fn shares(&self, scope: &str) -> bool {
        scope.split(SCOPES).any(|kind| self.names(kind))
    }
}

impl fmt::Display for AttrDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.id, self.scope)
    }
}

/// Which values an attribute may hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// Anything.
    Any,
    /// True or false.
    Bool,
    /// Numbers within bounds, both inclusive, whole ones only where it says so.
    Num {
        /// The least, if any.
        min: Option<Num>,
        /// The greatest, if any.
        max: Option<Num>,
        /// Whether fractions are out of range.
        whole: bool,
    },
    /// Text.
    Text,
    /// One of these texts.
    OneOf(Vec<String>),
    /// An object of a kind, or of one of several with “or” between them.
    Ref(Id),
    /// An instant.
    Time,
    /// A list whose articles are each in a range.
    List {
        /// The range of each article.
        of: Box<Range>,
        /// The fewest articles.
        min_len: u32,
        /// The most articles.
        max_len: u32,
    },
}

impl Range {
    /// Whether a value may be stored.
    pub fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Any, _) => true,
            (Self::Bool, Value::Bool(_)) | (Self::Text, Value::Text(_)) | (Self::Time, Value::Time(_)) => true,
            (Self::Num { min, max, whole }, Value::Num(number)) => {
                min.as_ref().is_none_or(|min| number >= min)
                    && max.as_ref().is_none_or(|max| number <= max)
                    && (!whole || number.is_whole())
            }
            (Self::OneOf(texts), Value::Text(text)) => texts.contains(text),
            (Self::Ref(kinds), Value::Ref(id)) => kinds.split(SCOPES).any(|kind| id.split('/').next() == Some(kind)),
            (Self::List { of, min_len, max_len }, Value::List(values)) => {
                (*min_len as usize..=*max_len as usize).contains(&values.len())
                    && values.iter().all(|value| of.holds(value))
            }
            _ => false,
        }
    }
}

/// A typed handle on an attribute, declared by the mechanic that owns it.
pub struct Attr<T> {
    /// The attribute's name in the world.
    pub id: &'static str,
    kind: PhantomData<fn() -> T>,
}

impl<T> Attr<T> {
    /// Declares a handle.
    pub const fn new(id: &'static str) -> Self {
        Self { id, kind: PhantomData }
    }

    /// Where this attribute of an object stands.
    pub fn of(&self, obj: &Id) -> Path {
        Path { obj: obj.clone(), attr: self.id.into() }
    }
}

/// A Rust type that a value can be read as.
pub trait Reads: Sized {
    /// The value as this type; `None` where it is of another kind.
    fn read(value: &Value) -> Option<Self>;
    /// This as a value.
    fn write(self) -> Value;
}

macro_rules! reads {
    ($($kind:ty: $variant:ident),* $(,)?) => {$(
        impl Reads for $kind {
            fn read(value: &Value) -> Option<Self> {
                match value {
                    Value::$variant(value) => Some(value.clone()),
                    _ => None,
                }
            }
            fn write(self) -> Value {
                Value::$variant(self)
            }
        }
    )*};
}
reads!(bool: Bool, Num: Num, String: Text, Id: Ref, Instant: Time, Vec<Value>: List);

impl Reads for i64 {
    fn read(value: &Value) -> Option<Self> {
        Num::read(value)?.to_i64()
    }
    fn write(self) -> Value {
        Value::Num(self.into())
    }
}

/// When an object came to be: in which entry, and as which one there. It orders every list of objects, the oldest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Birth(Seq, u32);

/// What an object is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Being {
    kind: Id,
    born: Birth,
}

/// Objects, the definitions of their attributes, and their values. Clones in constant time.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(from = "Stored")]
#[schemars(into = "Stored")]
pub struct World {
    objects: OrdMap<Id, Being>,
    values: OrdMap<Path, Value>,
    /// The definitions of each name, in the order of their scopes: one for most names, never none.
    defs: OrdMap<Id, Vec<AttrDef>>,
    /// All objects by age.
    #[serde(skip)]
    ages: OrdMap<Birth, Id>,
    /// The same of each kind, so that asking for a kind costs what there is of it.
    #[serde(skip)]
    kinds: OrdMap<Id, OrdMap<Birth, Id>>,
}

/// A world as it is written down.
#[derive(Deserialize, schemars::JsonSchema)]
struct Stored {
    #[schemars(with = "std::collections::BTreeMap<Id, Being>")]
    objects: OrdMap<Id, Being>,
    #[schemars(with = "std::collections::BTreeMap<Path, Value>")]
    values: OrdMap<Path, Value>,
    #[schemars(with = "std::collections::BTreeMap<Id, Vec<AttrDef>>")]
    defs: OrdMap<Id, Vec<AttrDef>>,
}

impl From<Stored> for World {
    fn from(Stored { objects, values, defs }: Stored) -> Self {
        let mut world = Self { values, defs, ..Self::default() };
        for (obj, Being { kind, born }) in &objects {
            world.bring(obj, kind, *born);
        }
        world
    }
}

impl World {
    /// Whether an object exists.
    pub fn exists(&self, obj: &str) -> bool {
        self.objects.contains_key(obj)
    }

    /// The kind of an object.
    pub fn kind(&self, obj: &str) -> Option<&Id> {
        self.objects.get(obj).map(|being| &being.kind)
    }

    /// When an object came to be.
    pub fn born(&self, obj: &str) -> Option<Birth> {
        self.objects.get(obj).map(|being| being.born)
    }

    /// All objects of a kind, the oldest first.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Id> {
        self.kinds.get(kind).into_iter().flat_map(OrdMap::values)
    }

    /// How many objects of a kind there are.
    pub fn count(&self, kind: &str) -> usize {
        self.kinds.get(kind).map_or(0, OrdMap::len)
    }

    /// The birth of an object that comes in an entry: one that is there already keeps its own.
    fn birth(&self, obj: &str, seq: Seq) -> Birth {
        let last = self.ages.get_prev(&Birth(seq, u32::MAX)).filter(|(last, _)| last.0 == seq);
        self.born(obj).unwrap_or_else(|| last.map_or(Birth(seq, 0), |(last, _)| Birth(seq, last.1 + 1)))
    }

    fn bring(&mut self, obj: &Id, kind: &Id, born: Birth) {
        self.leave(obj);
        self.objects.insert(obj.clone(), Being { kind: kind.clone(), born });
        self.ages.insert(born, obj.clone());
        self.kinds.entry(kind.clone()).or_default().insert(born, obj.clone());
    }

    fn leave(&mut self, obj: &str) {
        let Some(Being { kind, born }) = self.objects.remove(obj) else { return };
        // On the way to another world two objects may have one birth for a while.
        let take = |held: &mut OrdMap<Birth, Id>| {
            if held.get(&born).is_some_and(|known| **known == *obj) {
                held.remove(&born);
            }
        };
        take(&mut self.ages);
        if let Some(held) = self.kinds.get_mut(&kind) {
            take(held);
            if held.is_empty() {
                self.kinds.remove(&kind);
            }
        }
    }

    /// Every object, the oldest first.
    pub fn objects(&self) -> impl Iterator<Item = &Id> {
        self.ages.values()
    }

    /// Objects in the order of lists: the oldest first, and what the world does not hold before them.
    pub fn by_age(&self, objects: impl IntoIterator<Item = Id>) -> Vec<Id> {
        let mut objects: Vec<Id> = objects.into_iter().collect();
        objects.sort_by_cached_key(|obj| self.born(obj));
        objects
    }

    /// How many objects there are.
    pub fn size(&self) -> usize {
        self.objects.len()
    }

    /// Every kind of which there is an object, or an attribute.
    pub fn kinds(&self) -> Vec<Id> {
        self.kind_names().collect::<BTreeSet<_>>().into_iter().map(Id::from).collect()
    }

    /// The same by their names, some of them several times, in no order.
    pub fn kind_names(&self) -> impl Iterator<Item = &str> {
        let scopes = self.defs().flat_map(AttrDef::kinds).filter(|scope| *scope != EVERYTHING);
        self.kinds.keys().map(|kind| &**kind).chain(scopes)
    }

    /// Every object that has an attribute.
    pub fn having<'a>(&'a self, def: &'a AttrDef) -> impl Iterator<Item = &'a Id> {
        let all = def.names(EVERYTHING);
        let is_apart = move |kind: &str| self.named(&def.id).iter().any(|other| other.names(kind));
        let of_all = self.objects().filter(move |obj| all && !self.kind(obj).is_some_and(|kind| is_apart(kind)));
        of_all.chain(def.kinds().flat_map(|kind| self.of_kind(kind)).filter(move |_| !all))
    }

    /// Every definition of an attribute, by name and scope.
    pub fn defs(&self) -> impl Iterator<Item = &AttrDef> {
        self.defs.values().flatten()
    }

    /// Every definition that objects of a kind have, by name.
    pub fn defs_for<'a, 'k>(&'a self, kind: &'k str) -> impl Iterator<Item = &'a AttrDef> + use<'a, 'k> {
        self.defs.values().filter_map(move |named| had_by(named, kind))
    }

    /// The definitions of a name, by scope.
    pub fn named(&self, attr: &str) -> &[AttrDef] {
        self.defs.get(attr).map_or(&[], Vec::as_slice)
    }

    /// What an attribute is called: by its name, and by its kinds too where others have one of that name.
    pub fn called(&self, def: &AttrDef) -> String {
        if self.named(&def.id).iter().any(|other| other.scope != def.scope) {
            def.to_string()
        } else {
            def.id.to_string()
        }
    }

    /// What differs between an earlier world and this one, in order.
    pub fn since(&self, before: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        for (was, now) in redefined(before, self) {
            let (was, now) = (was.cloned().map(Box::new), now.cloned().map(Box::new));
            found.push(Difference::Def { was, now });
        }
        for change in before.objects.diff(&self.objects) {
            match change {
                DiffItem::Add(obj, is) => found.push(Difference::Came { obj: obj.clone(), kind: is.kind.clone() }),
                DiffItem::Remove(obj, was) => found.push(Difference::Went { obj: obj.clone(), kind: was.kind.clone() }),
                DiffItem::Update { .. } => {}
            }
        }
        for change in before.values.diff(&self.values) {
            let (DiffItem::Add(at, _) | DiffItem::Update { new: (at, _), .. } | DiffItem::Remove(at, _)) = change;
            let (was, now) = (before.value(at), self.value(at));
            if was != now && self.exists(&at.obj) {
                found.push(Difference::Value { at: at.clone(), was, now });
            }
        }
        found
    }

    /// The operations that make another world of this one.
    pub fn leading_to(&self, to: &Self) -> Vec<Op> {
        let (mut went, mut came) = (Vec::new(), Vec::new());
        for change in self.objects.diff(&to.objects) {
            match change {
                DiffItem::Add(obj, Being { kind, born })
                | DiffItem::Update { new: (obj, Being { kind, born }), .. } => {
                    came.push(Op::Restore { obj: obj.clone(), kind: kind.clone(), born: *born });
                }
                DiffItem::Remove(obj, Being { kind, .. }) => {
                    let was = self.values_of(obj).map(|(at, value)| (at.clone(), value.clone())).collect();
                    went.push(Op::Destroy { obj: obj.clone(), kind: kind.clone(), was });
                }
            }
        }
        let (mut now, mut ops) = (self.clone(), [went, came].concat());
        ops.iter().for_each(|op| now.apply(op, 0));
        for change in redefined(self, to) {
            let op = match change {
                (_, Some(def)) => Op::Define(def.clone()),
                (Some(def), None) => Op::Undefine(def.clone()),
                (None, None) => continue,
            };
            now.apply(&op, 0);
            ops.push(op);
        }
        for change in now.values.clone().diff(&to.values) {
            let (at, is) = match change {
                DiffItem::Add(at, value) | DiffItem::Update { new: (at, value), .. } => (at, value.clone()),
                DiffItem::Remove(at, _) => (at, Value::Null),
            };
            ops.push(Op::Set { at: at.clone(), to: is, was: now.value(at) });
        }
        ops
    }

    /// The definition of an attribute that objects of a kind have: the one that names the kind, else the one of
    /// everything.
    pub fn def(&self, attr: &str, kind: &str) -> Option<&AttrDef> {
        had_by(self.defs.get(attr)?, kind)
    }

    /// The definition of the attribute at a path, which the kind of the object says.
    pub fn def_at(&self, path: &Path) -> Option<&AttrDef> {
        had_by(self.defs.get(&path.attr)?, self.kind(&path.obj)?)
    }

    /// The value at a path: what was set, else what the attribute is at first.
    pub fn value(&self, path: &Path) -> Value {
        match self.values.get(path) {
            Some(value) => value.clone(),
            None => self.def_at(path).map(|def| def.default.clone()).unwrap_or_default(),
        }
    }

    /// The value of an attribute of an object, typed.
    pub fn get<T: Reads>(&self, attr: &Attr<T>, obj: &Id) -> Option<T> {
        T::read(&self.value(&attr.of(obj)))
    }

    /// All values that were set on an object, by attribute.
    pub fn values_of<'a>(&'a self, obj: &'a Id) -> impl Iterator<Item = (&'a Path, &'a Value)> {
        let from = Path { obj: obj.clone(), attr: "".into() };
        self.values.range(from..).take_while(move |(path, _)| path.obj == *obj)
    }

    /// The operation that sets an attribute; it remembers what it replaces.
    pub fn setting<T: Reads>(&self, attr: &Attr<T>, obj: &Id, to: T) -> Op {
        let at = attr.of(obj);
        Op::Set { was: self.value(&at), at, to: to.write() }
    }

    fn define(&mut self, def: AttrDef) {
        self.undefine(&def);
        let named = self.defs.entry(def.id.clone()).or_default();
        let place = named.partition_point(|other| other.scope < def.scope);
        named.insert(place, def);
    }

    fn undefine(&mut self, def: &AttrDef) {
        let Some(named) = self.defs.get_mut(&def.id) else { return };
        named.retain(|other| !other.shares(&def.scope));
        if named.is_empty() {
            self.defs.remove(&def.id);
        }
    }

    /// Applies an operation of an entry. Total: one on something that is gone does nothing.
    pub fn apply(&mut self, op: &Op, seq: Seq) {
        match op {
            Op::Create { obj, kind } => self.bring(obj, kind, self.birth(obj, seq)),
            Op::Destroy { obj, was, .. } => {
                self.leave(obj);
                for (path, _) in was {
                    self.values.remove(path);
                }
            }
            Op::Add { at, by } => {
                if let Value::Num(number) = self.value(at) {
                    self.values.insert(at.clone(), Value::Num(&number + by));
                }
            }
            Op::Set { at, to, .. } => {
                if *to == Value::Null {
                    self.values.remove(at);
                } else {
                    self.values.insert(at.clone(), to.clone());
                }
            }
            Op::Insert { at, item } => {
                let mut list = self.list(at);
                list.push(item.clone());
                self.values.insert(at.clone(), Value::List(list));
            }
            Op::Remove { at, item, .. } => {
                let mut list = self.list(at);
                if let Some(index) = list.iter().position(|held| held == item) {
                    list.remove(index);
                    self.values.insert(at.clone(), Value::List(list));
                }
            }
            Op::Define(def) => self.define(def.clone()),
            Op::Undefine(def) => self.undefine(def),
            Op::Restore { obj, kind, born } => self.bring(obj, kind, *born),
        }
    }

    fn list(&self, at: &Path) -> Vec<Value> {
        match self.value(at) {
            Value::List(list) => list,
            _ => Vec::new(),
        }
    }
}

/// Which of the definitions of a name objects of a kind have.
fn had_by<'a>(named: &'a [AttrDef], kind: &str) -> Option<&'a AttrDef> {
    named.iter().find(|def| def.names(kind)).or_else(|| named.iter().find(|def| def.names(EVERYTHING)))
}

/// The definitions in which two worlds differ, by name: each with the one that it replaces or that replaces it.
fn redefined<'a>(before: &'a World, after: &'a World) -> Vec<(Option<&'a AttrDef>, Option<&'a AttrDef>)> {
    let mut found = Vec::new();
    for change in before.defs.diff(&after.defs) {
        let (DiffItem::Add(name, _) | DiffItem::Update { new: (name, _), .. } | DiffItem::Remove(name, _)) = change;
        let (was, now) = (before.named(name), after.named(name));
        let mut gone: Vec<&AttrDef> = was.iter().filter(|def| !now.contains(def)).collect();
        let come = now.iter().filter(|def| !was.contains(def)).map(|def| {
            let replaced = gone.iter().position(|other| other.shares(&def.scope));
            (replaced.map(|place| gone.remove(place)), Some(def))
        });
        let come: Vec<_> = come.collect();
        // What ends stands first: it might share a kind with what comes.
        found.extend(gone.into_iter().map(|def| (Some(def), None)));
        found.extend(come);
    }
    found
}

/// Something that differs between two worlds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// An attribute was defined, changed or undefined.
    Def {
        /// How it was.
        was: Option<Box<AttrDef>>,
        /// How it is.
        now: Option<Box<AttrDef>>,
    },
    /// An object came to be.
    Came {
        /// Its name.
        obj: Id,
        /// Its kind.
        kind: Id,
    },
    /// An object ceased.
    Went {
        /// Its name.
        obj: Id,
        /// Its kind.
        kind: Id,
    },
    /// A value is another.
    Value {
        /// Where.
        at: Path,
        /// What it was.
        was: Value,
        /// What it is.
        now: Value,
    },
}

/// One change to the world, journalled verbatim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// An object comes to be.
    Create {
        /// Its name.
        obj: Id,
        /// Its kind.
        kind: Id,
    },
    /// An object ceases, with all its values.
    Destroy {
        /// Its name.
        obj: Id,
        /// Its kind.
        kind: Id,
        /// The values that go with it.
        was: Vec<(Path, Value)>,
    },
    /// An object comes to be by an undo, as old as it is without what is taken back.
    Restore {
        /// Its name.
        obj: Id,
        /// Its kind.
        kind: Id,
        /// When it came to be.
        born: Birth,
    },
    /// A number moves by the *effective* amount, after floors and ceilings.
    Add {
        /// Which number.
        at: Path,
        /// By how much; negative to lower it.
        by: Num,
    },
    /// A value is replaced.
    Set {
        /// Which value.
        at: Path,
        /// What it is from now on; `Null` unsets it.
        to: Value,
        /// What it was.
        was: Value,
    },
    /// An article joins a list at its right end.
    Insert {
        /// Which list.
        at: Path,
        /// The article.
        item: Value,
    },
    /// The first such article leaves a list.
    Remove {
        /// Which list.
        at: Path,
        /// The article.
        item: Value,
    },
    /// An attribute is defined, in the place of those of its name that share a kind with it. Others of its name stay.
    Define(AttrDef),
    /// An attribute is no longer defined, and none of its name that shares a kind with it.
    Undefine(AttrDef),
}

#[cfg(test)]
mod tests;
