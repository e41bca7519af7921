//! The configuration file as it is written: where each setting stands, and every mistake in it at once.
//!
//! A mistake is told with the file, its line and the setting. The value is never told: it may be a password, and
//! serde's own sentences quote values. What cannot be read is told and taken out, and the rest is read again, so that
//! one slip hides no other.

use std::{collections::BTreeSet, fmt, ops::Range};

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::{
    Spanned,
    de::{DeArray, DeString, DeTable, DeValue},
};

/// One step on the way to a setting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Place(usize),
}

/// The way to a setting, written `irc[0].pace.burst_lines`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting(Vec<Step>);

impl Setting {
    /// Reads what [`fmt::Display`] writes.
    pub(super) fn parse(text: &str) -> Self {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (key, places) = part.split_once('[').unwrap_or((part, ""));
            steps.push(Step::Key(key.to_owned()));
            let places = places.split('[').filter_map(|place| place.trim_end_matches(']').parse().ok());
            steps.extend(places.map(Step::Place));
        }
        Self(steps)
    }

    fn with(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    fn parent(&self) -> Self {
        Self(self.0[..self.0.len().saturating_sub(1)].to_vec())
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Place(place) => write!(f, "[{place}]")?,
                Step::Key(key) if index == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

/// The text of a configuration file, read as far as it can be.
pub(super) struct Document<'t> {
    name: &'t str,
    text: &'t str,
    root: Spanned<DeTable<'t>>,
    /// What is wrong so far, each in a sentence.
    pub(super) mistakes: Vec<String>,
    /// What was taken out because it cannot be read.
    dropped: BTreeSet<Setting>,
}

impl<'t> Document<'t> {
    /// Reads the text of a file; `name` is what it is called in messages.
    pub(super) fn new(name: &'t str, text: &'t str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut document = Self { name, text, root, mistakes: Vec::new(), dropped: BTreeSet::new() };
        for error in errors {
            let line = error.span().map_or(1, |span| document.line(span.start));
            document.mistakes.push(format!("{name}:{line}: this is no TOML: {}", error.message()));
        }
        document
    }

    fn line(&self, at: usize) -> usize {
        self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
    }

    /// A mistake in a setting, with the line where it stands, or where it would.
    pub(super) fn told(&self, path: &Setting, why: &str) -> String {
        let line = place_of(&self.root, path).map_or(1, |span| self.line(span.start));
        format!("{}:{line}: {path}: {why}", self.name)
    }

    /// How many elements a list of the file has, and which of them could be read: the places that those have here.
    pub(super) fn places_read(&self, list: &str) -> Vec<usize> {
        let count =
            self.root.get_ref().get(list).and_then(|value| value.get_ref().as_array()).map_or(0, |all| all.len());
        let list = Setting::parse(list);
        if self.dropped.contains(&list) {
            return Vec::new();
        }
        (0..count).filter(|place| !self.dropped.contains(&list.with(Step::Place(*place)))).collect()
    }

    /// Reads all settings that can be read. Without a file that is TOML, none are.
    pub(super) fn read<T: DeserializeOwned + Default>(&mut self) -> T {
        if !self.mistakes.is_empty() {
            return T::default();
        }
        let mut table = self.root.clone();
        loop {
            let error = match T::deserialize(table.clone().into_deserializer()) {
                Ok(read) => return read,
                Err(error) => error,
            };
            let found =
                error.span().and_then(|span| Some((setting_at(&self.root, &span)?, setting_at(&table, &span)?)));
            let Some((path, here)) = found.filter(|(path, _)| !path.0.is_empty()) else {
                self.mistakes.push(format!("{}: {}", self.name, plain(error.message(), None)));
                return T::default();
            };
            let missing = error.message().starts_with("missing field");
            // What was taken out before is missing now, and was told of.
            if !missing || !self.dropped.iter().any(|dropped| dropped.parent() == path) {
                let told = self.told(&path, &plain(error.message(), value_at(&self.root, &path)));
                self.mistakes.push(told);
            }
            self.dropped.insert(path);
            if !take_out(&mut table, &here) {
                return T::default();
            }
        }
    }
}

/// What serde has to say, without the value that it quotes.
fn plain(message: &str, found: Option<&DeValue<'_>>) -> String {
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("{name} is missing");
    }
    // The last one: a value that is quoted may hold these words, what follows it comes from the program.
    let expected = message.rsplit_once("expected ").map(|(_, expected)| expected);
    if message.starts_with("unknown field") {
        let settings = expected.unwrap_or("none").trim_start_matches("one of ");
        return format!("there is no such setting; there are: {settings}");
    }
    if message.starts_with("unknown variant") {
        return format!("it is one of: {}", expected.unwrap_or("none").trim_start_matches("one of "));
    }
    // What serde calls by the names of the program's types.
    let expected = expected.map(|expected| match expected {
        "u16" | "u32" | "u64" | "usize" => "a whole number, neither negative nor too large",
        expected if expected.starts_with("struct ") => "a table",
        expected => expected,
    });
    match (expected, found) {
        (Some(expected), Some(found)) => {
            format!("here stands a value of type {}, and it has to be {expected}", found.type_str())
        }
        (Some(expected), None) => format!("it has to be {expected}"),
        (None, _) => "it has none of the forms that it can have".to_owned(),
    }
}

/// A setting of the file, with the place of its name and its value.
struct Standing<'a, 't> {
    setting: Setting,
    name: Range<usize>,
    value: &'a Spanned<DeValue<'t>>,
}

/// All settings, each before those within it.
fn standing<'a, 't>(root: &'a Spanned<DeTable<'t>>) -> Vec<Standing<'a, 't>> {
    let mut all = Vec::new();
    let below = |table: &'a DeTable<'t>, way: &Setting| {
        let named = |(key, value): (&'a Spanned<DeString<'t>>, _)| {
            let setting = way.with(Step::Key(key.get_ref().to_string()));
            Standing { setting, name: key.span(), value }
        };
        table.iter().map(named).collect::<Vec<_>>()
    };
    let mut next = below(root.get_ref(), &Setting::default());
    while let Some(here) = next.pop() {
        match here.value.get_ref() {
            DeValue::Table(table) => next.extend(below(table, &here.setting)),
            DeValue::Array(list) => next.extend(list.iter().enumerate().map(|(place, value)| Standing {
                setting: here.setting.with(Step::Place(place)),
                name: value.span(),
                value,
            })),
            _ => {}
        }
        all.push(here);
    }
    all
}

/// The setting that stands at a place of the text: the innermost one.
fn setting_at(root: &Spanned<DeTable<'_>>, span: &Range<usize>) -> Option<Setting> {
    let here = standing(root).into_iter().filter(|here| here.name == *span || here.value.span() == *span);
    here.map(|here| here.setting).max_by_key(|setting| setting.0.len())
}

/// Where a setting stands, or the innermost of those that it is within.
fn place_of(root: &Spanned<DeTable<'_>>, wanted: &Setting) -> Option<Range<usize>> {
    let around = standing(root).into_iter().filter(|here| wanted.0.starts_with(&here.setting.0));
    around.max_by_key(|here| here.setting.0.len()).map(|here| here.name)
}

fn value_at<'a, 't>(root: &'a Spanned<DeTable<'t>>, wanted: &Setting) -> Option<&'a DeValue<'t>> {
    standing(root).into_iter().find(|here| here.setting == *wanted).map(|here| here.value.get_ref())
}

/// Takes a setting out; `false` where there is none.
fn take_out(root: &mut Spanned<DeTable<'_>>, path: &Setting) -> bool {
    let Some((last, way)) = path.0.split_last() else { return false };
    let Some(Step::Key(first)) = way.first().or(Some(last)) else { return false };
    if way.is_empty() {
        return root.get_mut().remove(first.as_str()).is_some();
    }
    let Some(mut here) = root.get_mut().get_mut(first.as_str()).map(Spanned::get_mut) else { return false };
    for step in &way[1..] {
        let next = match (step, here) {
            (Step::Key(key), DeValue::Table(table)) => table.get_mut(key.as_str()),
            (Step::Place(place), DeValue::Array(all)) => all.get_mut(*place),
            _ => None,
        };
        let Some(next) = next else { return false };
        here = next.get_mut();
    }
    match (last, here) {
        (Step::Key(key), DeValue::Table(table)) => table.remove(key.as_str()).is_some(),
        (Step::Place(place), DeValue::Array(all)) if *place < all.len() => {
            let mut kept = DeArray::new();
            let others = all.iter().enumerate().filter(|(other, _)| other != place);
            others.for_each(|(_, value)| kept.push(value.clone()));
            *all = kept;
            true
        }
        _ => false,
    }
}
