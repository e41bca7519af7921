//! Inventory: the content of a Robot's casing, as the one text field of rule 12, `3 Product, 1 Box, 2 Fuel` (N82), and
//! as a run of the Master Control Program has it.
//!
//! Players read and type the text. Every item keeps its cost when it was made, because liquid power counts it at that
//! and not at the current price (N124). Items of one kind are alike but for that, so they stand in lots, oldest first,
//! and the oldest leaves first. Kinds that no rule knows are kept as they were typed. Between runs the law has them.
//!
//! Rulings:
//!
//! - A kind is found without regard to case, blanks or plural (`product`, `Products`). It keeps the spelling in which
//!   it first came; nothing is ever respelled.
//! - Entries keep their order; a kind that is named twice is one entry with both counts.
//! - A field that is typed anew keeps what the items that stay have cost; an item beyond those is worth 0.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest text of a field, in bytes: more would not be read by anybody, and a refusal is cheaper than a page.
pub(super) const TEXT_MAX_BYTES: usize = 2 * 1024;
/// Most items of one kind: so many that no game needs more, and few enough to be worked on one by one.
pub(super) const KIND_MAX_ITEMS: u64 = 1_000_000;
/// Most kinds in one Inventory: they must still fit on a line of the table.
pub(super) const KINDS_MAX_COUNT: usize = 50;
/// Longest name of a kind, in characters.
pub(super) const KIND_MAX_CHARS: usize = 40;
/// Most that one item can have cost; with the other bounds, the worth of a whole Inventory fits into 128 bits.
pub(super) const VALUE_MAX_COUNT: i64 = 1_000_000_000_000_000_000;

/// How much of a wrong entry a refusal repeats, in characters.
const QUOTE_CHARS: usize = 40;

// ---- state

/// What one Robot holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inventory {
    /// In the order in which they came; none is empty.
    stacks: Vec<Stack>,
}

/// The items of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stack {
    /// What they are called, as it was first written.
    kind: String,
    /// What all spellings of it have in common; kept, because whoever looks for a kind compares it with every entry.
    key: String,
    /// The items, oldest first; none is empty, and neighbours differ in value.
    lots: Vec<Lot>,
}

/// Items that cost the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Lot {
    /// How many.
    pub count: u64,
    /// What each cost when it was made; 0 where nobody knows.
    pub value: i64,
}

/// Why an Inventory is not changed, as a sentence for players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum InventoryError {
    /// More text than a field holds.
    #[error("an Inventory is at most {TEXT_MAX_BYTES} bytes of text")]
    TooLong,
    /// Two commas in a row, or one at either end.
    #[error("something is missing beside a comma; write counts and kinds, like “3 Product, 1 Box, 2 Fuel”")]
    Missing,
    /// An entry that does not begin with digits and a blank.
    #[error("“{0}” does not begin with a count; write it like “3 Product”")]
    NoCount(String),
    /// A count of nothing.
    #[error("“{0}” says how many, but not of what; write it like “3 Product”")]
    NoKind(String),
    /// No items of a kind.
    #[error("“{0}” is nothing; leave out what is not there")]
    Zero(String),
    /// More items of a kind than can be.
    #[error("“{0}” is too many; an Inventory holds at most {KIND_MAX_ITEMS} of a kind")]
    TooMany(String),
    /// More kinds than can be.
    #[error("an Inventory holds at most {KINDS_MAX_COUNT} kinds of item")]
    TooManyKinds,
    /// A word that cannot name a kind.
    #[error(
        "“{0}” cannot be a kind of item. Begin each of its words with a letter, use at most {KIND_MAX_CHARS} characters, \
         and put a comma before the next count"
    )]
    BadKind(String),
    /// A cost that cannot be.
    #[error("an item cannot have cost {0}")]
    BadValue(i64),
    /// Fewer items than are to leave.
    #[error("{wanted} {kind} cannot be taken from an Inventory that holds {held}")]
    NotThere {
        /// Of which kind.
        kind: String,
        /// How many are to leave.
        wanted: u64,
        /// How many are there.
        held: u64,
    },
}

// ---- reading and writing

impl Inventory {
    /// What a field says. Nothing is known of what its items cost, so they are worth 0.
    pub(super) fn parse(text: &str) -> Result<Self, InventoryError> {
        let mut inventory = Self::default();
        if text.len() > TEXT_MAX_BYTES {
            return Err(InventoryError::TooLong);
        }
        if text.trim().is_empty() {
            return Ok(inventory);
        }
        for entry in text.split(',') {
            let entry = entry.trim();
            let quoted = || quote(entry);
            if entry.is_empty() {
                return Err(InventoryError::Missing);
            }
            let (digits, name) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(InventoryError::NoCount(quoted()));
            }
            if name.trim().is_empty() {
                return Err(InventoryError::NoKind(quoted()));
            }
            // What does not fit is beyond the bound as well.
            let count = digits.parse::<u64>().unwrap_or(u64::MAX);
            if count == 0 {
                return Err(InventoryError::Zero(quoted()));
            }
            if count > KIND_MAX_ITEMS {
                return Err(InventoryError::TooMany(quoted()));
            }
            inventory.add(name, Lot { count, value: 0 })?;
        }
        Ok(inventory)
    }

    /// This Inventory with its field typed anew: of each kind the oldest items leave first, and what is new is worth 0.
    pub(super) fn retyped(&self, text: &str) -> Result<Self, InventoryError> {
        let mut fresh = Self::parse(text)?;
        for stack in &mut fresh.stacks {
            let Some(old) = self.stack(&stack.kind) else { continue };
            let (mut lots, count) = (old.lots.clone(), stack.count());
            match old.count().checked_sub(count) {
                Some(fewer) => drop(split(&mut lots, fewer)),
                None => push(&mut lots, Lot { count: count - old.count(), value: 0 }),
            }
            stack.lots = lots;
        }
        Ok(fresh)
    }
}

/// As it stands in the table: `3 Product, 1 Box, 2 Fuel`; blank when there is nothing.
impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stack) in self.stacks.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{} {}", stack.count(), stack.kind)?;
        }
        Ok(())
    }
}

/// The name of a kind as it is kept: `golden   cog` and `golden_cog` are `golden cog`.
pub(super) fn kind_name(text: &str) -> Result<String, InventoryError> {
    let fits = |word: &str| {
        word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || "-'’".contains(c))
    };
    let words: Vec<&str> = words(text).collect();
    let name = words.join(" ");
    if words.is_empty() || !words.into_iter().all(fits) || name.chars().count() > KIND_MAX_CHARS {
        return Err(InventoryError::BadKind(quote(text.trim())));
    }
    Ok(name)
}

/// What all spellings of a kind have in common: small letters, single blanks, the singular of the last word. It is
/// compared and never shown. So it may be wrong about a word as long as it is always wrong in the same way.
pub(super) fn kind_key(kind: &str) -> String {
    let mut key = words(kind).collect::<Vec<_>>().join(" ").to_lowercase();
    if key.ends_with("ies") && key.len() > "ties".len() {
        key.truncate(key.len() - "ies".len());
        key.push('y');
    } else if ["xes", "ches", "shes", "sses", "zes"].iter().any(|end| key.ends_with(end)) {
        key.truncate(key.len() - "es".len());
    } else if key.ends_with('s') && !key.ends_with("ss") {
        key.pop();
    }
    key
}

/// The beginning of what somebody typed, fit to be shown.
fn quote(text: &str) -> String {
    text.chars().take(QUOTE_CHARS).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty())
}

// ---- items

impl Stack {
    /// What the items are called.
    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    /// The items, oldest first.
    #[cfg(test)]
    pub(super) fn lots(&self) -> &[Lot] {
        &self.lots
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.lots.iter().map(|lot| lot.count).sum()
    }
}

impl Inventory {
    /// What is there, kind by kind.
    pub(super) fn stacks(&self) -> &[Stack] {
        &self.stacks
    }

    /// How many of a kind there are.
    pub(super) fn count(&self, kind: &str) -> u64 {
        self.stack(kind).map_or(0, Stack::count)
    }

    /// What all items together cost when they were made: their part in liquid power (N124).
    #[cfg(test)]
    pub(super) fn worth(&self) -> i128 {
        let lots = self.stacks.iter().flat_map(|stack| &stack.lots);
        lots.map(|lot| i128::from(lot.count) * i128::from(lot.value)).sum()
    }

    /// Adds items, which are from now on the newest of their kind.
    pub(super) fn add(&mut self, kind: &str, lot: Lot) -> Result<(), InventoryError> {
        if !(0..=VALUE_MAX_COUNT).contains(&lot.value) {
            return Err(InventoryError::BadValue(lot.value));
        }
        self.put(kind, lot)
    }

    /// Takes the oldest items of a kind; the last one takes the entry with it.
    pub(super) fn take(&mut self, kind: &str, count: u64) -> Result<Vec<Lot>, InventoryError> {
        let held = self.count(kind);
        if count > held {
            let kind = self.stack(kind).map_or(kind, Stack::kind).to_owned();
            return Err(InventoryError::NotThere { kind, wanted: count, held });
        }
        let Some(index) = self.index(kind) else { return Ok(Vec::new()) };
        let taken = split(&mut self.stacks[index].lots, count);
        if self.stacks[index].lots.is_empty() {
            self.stacks.remove(index);
        }
        Ok(taken)
    }

    /// Adds items whatever their value is: while the Master Control Program runs, what an item cost may be open.
    pub(super) fn put(&mut self, kind: &str, lot: Lot) -> Result<(), InventoryError> {
        if lot.count == 0 {
            return kind_name(kind).map(drop);
        }
        let sum = self.count(kind).saturating_add(lot.count);
        if sum > KIND_MAX_ITEMS {
            return Err(InventoryError::TooMany(format!("{sum} {}", quote(kind))));
        }
        match self.index(kind) {
            Some(index) => push(&mut self.stacks[index].lots, lot),
            None => {
                let (kind, key) = (kind_name(kind)?, kind_key(kind));
                if self.stacks.len() >= KINDS_MAX_COUNT {
                    return Err(InventoryError::TooManyKinds);
                }
                self.stacks.push(Stack { kind, key, lots: vec![lot] });
            }
        }
        Ok(())
    }

    /// Gives items the value that is known by now.
    pub(super) fn revalue(&mut self, value: impl Fn(i64) -> i64) {
        for stack in &mut self.stacks {
            stack.lots = revalued(&stack.lots, &value);
        }
    }

    fn stack(&self, kind: &str) -> Option<&Stack> {
        self.index(kind).map(|index| &self.stacks[index])
    }

    fn index(&self, kind: &str) -> Option<usize> {
        let key = kind_key(kind);
        self.stacks.iter().position(|stack| stack.key == key)
    }
}

/// Lots with other values, neighbours of the same value made one.
pub(super) fn revalued(lots: &[Lot], value: impl Fn(i64) -> i64) -> Vec<Lot> {
    let mut fresh = Vec::new();
    for lot in lots {
        push(&mut fresh, Lot { count: lot.count, value: value(lot.value) });
    }
    fresh
}

/// Adds to the newest end.
pub(super) fn push(lots: &mut Vec<Lot>, lot: Lot) {
    match lots.last_mut() {
        Some(last) if last.value == lot.value => last.count += lot.count,
        _ => lots.push(lot),
    }
}

/// Takes `count` items, or all if there are fewer, from the oldest end.
fn split(lots: &mut Vec<Lot>, count: u64) -> Vec<Lot> {
    let (mut taken, mut open) = (Vec::new(), count);
    while open > 0 && !lots.is_empty() {
        let part = lots[0].count.min(open);
        taken.push(Lot { count: part, value: lots[0].value });
        lots[0].count -= part;
        open -= part;
        if lots[0].count == 0 {
            lots.remove(0);
        }
    }
    taken
}

#[cfg(test)]
mod tests;
