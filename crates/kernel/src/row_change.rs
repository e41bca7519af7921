//! What became of a row of a table: the fields that differ, with what they were. It is plain data that knows no game.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::Id;

/// The fields of a row, or some of them.
pub type Fields = Map<String, Json>;

/// What became of a row: of its fields those that differ, with what they were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowChange {
    /// The name of the table.
    pub table: Id,
    /// The key of the row.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub key: Json,
    /// The fields that differ as they were, the whole row where it is gone now; nothing where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Fields>,
    /// The fields that differ as they are, the whole row where it is new; nothing where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Fields>,
}

impl RowChange {
    /// The change from one row to another; nothing where they are equal.
    pub fn between(table: &str, key: Json, was: Option<Fields>, to: Option<Fields>) -> Option<Self> {
        if was == to {
            return None;
        }
        let (was, to) = match (was, to) {
            (Some(mut was), Some(mut to)) => {
                was.retain(|field, value| {
                    let same = to.get(field) == Some(value);
                    if same {
                        to.remove(field);
                    }
                    !same
                });
                (Some(was), Some(to))
            }
            other => other,
        };
        Some(Self { table: table.into(), key, was, to })
    }

    /// The row after this change, from the row before it. Total: a field of a row that is not there makes one.
    pub fn apply(&self, row: Option<Fields>) -> Option<Fields> {
        let to = self.to.as_ref()?;
        let Some(was) = &self.was else { return Some(to.clone()) };
        let mut row = row.unwrap_or_default();
        row.retain(|field, _| !was.contains_key(field) || to.contains_key(field));
        row.extend(to.iter().map(|(field, value)| (field.clone(), value.clone())));
        Some(row)
    }

    /// Whether the row is as this change says that it was.
    pub fn fits(&self, row: Option<&Fields>) -> bool {
        match (&self.was, &self.to, row) {
            (None, _, row) => row.is_none(),
            (Some(_), _, None) => false,
            (Some(was), None, Some(row)) => was == row,
            (Some(was), Some(to), Some(row)) => {
                let mut differing = was.keys().chain(to.keys());
                differing.all(|field| row.get(field) == was.get(field))
            }
        }
    }
}
