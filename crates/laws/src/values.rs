//! Values as a script holds them, and as a room keeps them.
//!
//! A script has whole numbers, exact fractions, texts, yes and no, objects, moments, lists and maps. Nothing of it is a
//! float, and what a room keeps is copied: no script shares it.

use std::sync::{Arc, Mutex, PoisonError};

use rhai::{Array, Dynamic, Map};
use serde_json::Value as Json;

use kernel::{Id, Instant, Num, Value};

use super::{
    fault::{Given, faulty},
    limits::TEXT_MAX_BYTES,
    names::called,
};

/// An object of the room.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Obj(pub(crate) Id);

/// An exact fraction; whole numbers are the engine's own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ratio(pub(crate) Num);

impl Ratio {
    /// How long it is.
    pub(crate) fn bits(&self) -> u64 {
        let rational = self.0.as_rational();
        rational.numer().bits().max(rational.denom().bits())
    }
}

/// A moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Moment(pub(crate) Instant);

/// A text that is longer than a script may make: the law of a document. It is handed on as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Long(pub(crate) Arc<str>);

/// A command that somebody gave with an act: read, and not yet taken.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    /// As it was typed.
    pub(crate) said: String,
    /// As the catalogue bound it.
    pub(crate) act: Arc<Json>,
}

impl Command {
    /// The command in a list of what was typed, where it is one; else why there is none.
    pub(crate) fn read(is: &Json) -> Result<Self, String> {
        let Some([step]) = is.as_array().map(Vec::as_slice) else { return Err("it is one command".to_owned()) };
        let said = step["said"].as_str().unwrap_or_default().to_owned();
        match (step.get("act"), step["times"].as_u64(), step["unread"].as_str()) {
            (Some(act), Some(1), _) => Ok(Self { said, act: Arc::new(act.clone()) }),
            (Some(_), ..) => Err(format!("“{said}” is one command, done once")),
            (None, _, Some(why)) => Err(why.trim_end_matches('.').to_owned()),
            (None, ..) => Err(format!("“{said}” is no command")),
        }
    }
}

/// The parameters of an act: `a`. Whoever holds them holds the same ones, so that a change of an act reaches its body.
#[derive(Clone, Debug)]
pub(crate) struct Args(Arc<Mutex<Map>>);

impl Args {
    /// These parameters.
    pub(crate) fn new(map: Map) -> Self {
        Self(Arc::new(Mutex::new(map)))
    }

    /// A copy of them as they are now.
    pub(crate) fn all(&self) -> Map {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One of them; `()` where there is none of that name.
    pub(crate) fn get(&self, name: &str) -> Dynamic {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned().unwrap_or(Dynamic::UNIT)
    }

    /// Sets one of them.
    pub(crate) fn set(&self, name: &str, to: Dynamic) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), to);
    }

    /// Puts others in their place.
    pub(crate) fn replace(&self, map: Map) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = map;
    }
}

/// What stands in the place of a parameter that is left to the doer of an act, where it is looked at before e chooses.
#[derive(Clone, Debug)]
pub(crate) struct Choice;

/// A number as a script holds it.
pub(crate) fn number(value: &Num) -> Dynamic {
    value.to_i64().map_or_else(|| Dynamic::from(Ratio(value.clone())), Dynamic::from)
}

/// The number that a script holds.
pub(crate) fn as_number(held: &Dynamic) -> Option<Num> {
    match held.as_int() {
        Ok(whole) => Some(whole.into()),
        Err(_) => held.clone().try_cast::<Ratio>().map(|ratio| ratio.0),
    }
}

/// The object that a script holds.
pub(crate) fn as_object(held: &Dynamic) -> Option<Id> {
    held.clone().try_cast::<Obj>().map(|obj| obj.0)
}

/// A value of the room as a script holds it.
pub(crate) fn held(value: &Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(value) => Dynamic::from(*value),
        Value::Num(value) => number(value),
        Value::Text(value) if value.len() > TEXT_MAX_BYTES => Dynamic::from(Long(value.as_str().into())),
        Value::Text(value) => Dynamic::from(value.clone()),
        Value::Ref(id) => Dynamic::from(Obj(id.clone())),
        Value::Time(at) => Dynamic::from(Moment(*at)),
        Value::List(values) => Dynamic::from_array(values.iter().map(held).collect()),
    }
}

/// What a script holds, as a value of the room.
pub(crate) fn value(held: &Dynamic) -> Given<Value> {
    if held.is_unit() {
        return Ok(Value::Null);
    }
    if let Ok(value) = held.as_bool() {
        return Ok(Value::Bool(value));
    }
    if let Some(value) = as_number(held) {
        return Ok(Value::Num(value));
    }
    if let Some(id) = as_object(held) {
        return Ok(Value::Ref(id));
    }
    if let Some(Moment(at)) = held.clone().try_cast::<Moment>() {
        return Ok(Value::Time(at));
    }
    if let Some(Long(text)) = held.clone().try_cast::<Long>() {
        return Ok(Value::Text(text.to_string()));
    }
    if held.is_string() {
        return Ok(Value::Text(held.clone().into_string().unwrap_or_default()));
    }
    if let Some(list) = held.clone().try_cast::<Array>() {
        return list.iter().map(value).collect::<Given<Vec<Value>>>().map(Value::List);
    }
    Err(faulty(format!("{} is nothing that a room keeps", called(held.type_name()))))
}

/// A text of a script, however long.
pub(crate) fn as_text(held: &Dynamic) -> Option<String> {
    match held.clone().try_cast::<Long>() {
        Some(Long(text)) => Some(text.to_string()),
        None => held.clone().into_string().ok(),
    }
}

/// Whether two values of a script are the same.
pub(crate) fn same(one: &Dynamic, other: &Dynamic) -> bool {
    match (value(one), value(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
