//! How much a value of a script holds, and what it costs to copy it or go through it.
//!
//! The engine counts an operation for a native function and for a copy, however large. So size is charged here: memory
//! and time are bounded by what a law may burn.

use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};

use kernel::Value;

use super::{
    fault::{Given, TOO_LONG, faulty},
    fuel::burn,
    limits::{DISPLAY_MAX_BYTES, LIST_MAX_ITEMS},
    values::Ratio,
};

/// How many articles are copied for an operation.
const COPIED_PER_OPERATION: usize = 4;
/// How many articles are looked at for an operation, where a list or a map is worked with in its place: the engine
/// counts all of it after each such step.
const TOUCHED_PER_OPERATION: usize = 32;
/// How many bytes of a text are looked through for an operation, where a script takes a letter of it.
const LOOKED_PER_OPERATION: usize = 512;
/// How many bytes of a text a native function goes through for an operation.
const BYTES_PER_OPERATION: usize = 16;
/// What a place of a map weighs beside its value.
const PLACE_WEIGHT: usize = 3;
/// What a list or a map weighs by itself.
const HOLDER_WEIGHT: usize = 2;
/// Bits of a number that weigh as much as an article.
const BITS_PER_ARTICLE: u64 = 256;
/// Most that one value holds. The engine's own bounds are lower, and are not looked at where a place of a map is set.
const ARTICLES_MAX_COUNT: usize = LIST_MAX_ITEMS * (PLACE_WEIGHT + HOLDER_WEIGHT + 1);

/// How much a value holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    /// Values, those within it included.
    articles: usize,
    /// Bytes of its texts.
    bytes: usize,
}

impl Weight {
    /// How much a value holds; of one that holds too much, that it does.
    pub(crate) fn of(held: &Dynamic) -> Self {
        let mut weight = Self::default();
        weight.add(held);
        weight
    }

    fn add(&mut self, held: &Dynamic) {
        self.articles += 1;
        // Most are whole numbers.
        if held.is_int() || self.is_too_much() {
            return;
        }
        if let Some(text) = held.read_lock::<ImmutableString>() {
            self.bytes += text.len();
        } else if let Some(list) = held.read_lock::<Array>() {
            self.articles += HOLDER_WEIGHT;
            list.iter().for_each(|held| self.add(held));
        } else if let Some(map) = held.read_lock::<Map>() {
            self.add_places(&map);
        } else if let Some(number) = held.read_lock::<Ratio>() {
            self.articles += usize::try_from(number.bits() / BITS_PER_ARTICLE).unwrap_or(ARTICLES_MAX_COUNT);
        } else if let Some(pointer) = held.read_lock::<FnPtr>() {
            pointer.iter_curry().for_each(|held| self.add(held));
        }
    }

    fn add_places(&mut self, map: &Map) {
        self.articles += HOLDER_WEIGHT;
        for (name, held) in map {
            self.articles += PLACE_WEIGHT;
            self.bytes += name.len();
            self.add(held);
        }
    }

    fn is_too_much(self) -> bool {
        self.articles > ARTICLES_MAX_COUNT || self.bytes > DISPLAY_MAX_BYTES
    }

    /// What it takes to go through all of it.
    fn whole(self) -> usize {
        self.articles + self.bytes / BYTES_PER_OPERATION
    }
}

/// Counts operations.
///
/// # Errors
///
/// A fault where none are left.
pub(crate) fn charge(operations: usize) -> Given<()> {
    match operations == 0 || burn(u64::try_from(operations).unwrap_or(u64::MAX)) {
        true => Ok(()),
        false => Err(faulty(TOO_LONG)),
    }
}

/// Charges for a value that may be copied: its texts are shared, its lists and maps are not.
///
/// # Errors
///
/// A fault where nothing is left for it, or it holds more than a value may.
pub(crate) fn copied(held: &Dynamic) -> Given<()> {
    let weight = Weight::of(held);
    paid(weight, COPIED_PER_OPERATION, held.is_string())
}

/// Charges for a value that is worked with where it is: a place of it, its length, one article more.
///
/// # Errors
///
/// As [`copied`].
pub(crate) fn touched(held: &Dynamic) -> Given<()> {
    paid(Weight::of(held), TOUCHED_PER_OPERATION, held.is_string())
}

/// Charges for places of a map that have grown.
///
/// # Errors
///
/// As [`copied`].
pub(crate) fn grown(map: &Map) -> Given<()> {
    let mut weight = Weight::default();
    weight.add_places(map);
    paid(weight, COPIED_PER_OPERATION, false)
}

fn paid(weight: Weight, articles_per_operation: usize, is_text: bool) -> Given<()> {
    if weight.is_too_much() {
        return Err(faulty("a list or a map becomes too large for a law"));
    }
    let letters = if is_text { weight.bytes / LOOKED_PER_OPERATION } else { 0 };
    charge(weight.articles / articles_per_operation + letters)
}

/// Charges for values that a native function goes through, or has made.
///
/// # Errors
///
/// A fault where nothing is left for it.
pub(crate) fn gone_through<'a>(all: impl IntoIterator<Item = &'a Dynamic>) -> Given<()> {
    charge(all.into_iter().map(|held| Weight::of(held).whole()).sum())
}

/// Bytes of a text; none of anything else.
pub(crate) fn bytes(held: &Dynamic) -> usize {
    held.read_lock::<ImmutableString>().map_or(0, |text| text.len())
}

/// Charges for values that the journal keeps: it does so of old ones and of new ones.
///
/// # Errors
///
/// A fault where nothing is left for it.
pub(crate) fn written<'a>(values: impl IntoIterator<Item = &'a Value>) -> Given<()> {
    fn bytes(value: &Value) -> usize {
        match value {
            Value::Text(text) => text.len(),
            Value::List(list) => list.iter().map(bytes).sum(),
            Value::Null | Value::Bool(_) | Value::Num(_) | Value::Ref(_) | Value::Time(_) => BYTES_PER_OPERATION / 2,
        }
    }
    made(values.into_iter().map(bytes).sum())
}

/// Charges for bytes that are to be made.
///
/// # Errors
///
/// A fault where nothing is left for it.
pub(crate) fn made(bytes: usize) -> Given<()> {
    charge(bytes / BYTES_PER_OPERATION)
}
