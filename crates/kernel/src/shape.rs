//! The shape of a room: a digest of all that its journal and its states are written as.
//!
//! It covers entries with whatever stands in them, the kernel's part of a state, and the tables that the mechanics of a
//! game declare: names, keys, fields, choices, what may be left out, and what stands for that. A program reads rooms of its
//! own shape and no others.
//!
//! Every type says its shape itself (`schemars::JsonSchema`), and the compiler asks each row and each key for it. The name
//! of a type is part of that, and comments are not. One with a reader of its own is known by its name and by what it says
//! that it is written as. So what a text means is not seen: whoever gives a field another meaning gives it another name.

use schemars::{
    JsonSchema, Schema, SchemaGenerator, json_schema,
    transform::{Transform, transform_subschemas},
};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::{chain::canonical, entry::Entry, frame::Frame, rulebook::Rulebook, table::Declared, world::World};

/// The shape of rooms with these tables, in hexadecimal.
pub(crate) fn digest<'a, G: 'static>(tables: impl IntoIterator<Item = &'a Declared<G>>) -> String {
    let mut generator = SchemaGenerator::default();
    let mut parts = Map::new();
    let mut part = |name: &str, shape: Schema| drop(parts.insert(name.to_owned(), shape.into()));
    part("entry", generator.subschema_for::<Entry>());
    part("frame", generator.subschema_for::<Frame>());
    part("world", generator.subschema_for::<World>());
    part("rules", generator.subschema_for::<Rulebook>());
    let mut tables: Vec<_> = tables.into_iter().collect();
    tables.sort_by_key(|table| table.name());
    for table in tables {
        part(&format!("table {}", table.name()), table.shape(&mut generator));
    }
    let mut whole = json_schema!({ "properties": parts, "$defs": generator.take_definitions(false) });
    Uncommented.transform(&mut whole);
    hex::encode(Sha256::digest(canonical(whole.as_value())))
}

/// The shape of a table of rows by key.
pub(crate) fn of_table<K: JsonSchema, R: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "prefixItems": [generator.subschema_for::<K>(), generator.subschema_for::<R>()] })
}

/// Takes out what is said of a type for people.
struct Uncommented;

impl Transform for Uncommented {
    fn transform(&mut self, shape: &mut Schema) {
        transform_subschemas(self, shape);
        for comment in ["title", "description"] {
            shape.remove(comment);
        }
        // Choices of which something is said stand by themselves, and all others in one list.
        if let Some(Json::Array(names)) = shape.remove("enum") {
            let kind = shape.remove("type");
            let each = names.into_iter().map(|name| json!({ "const": name, "type": kind }));
            shape.insert("oneOf".to_owned(), each.collect());
        }
        if let Some(Json::Array(choices)) = shape.get_mut("oneOf") {
            let each = |mut choice: Json| match choice.get_mut("oneOf").map(Json::take) {
                Some(Json::Array(each)) => each,
                _ => vec![choice],
            };
            *choices = std::mem::take(choices).into_iter().flat_map(each).collect();
            choices.sort_by_key(canonical);
        }
    }
}

#[cfg(test)]
mod tests;
