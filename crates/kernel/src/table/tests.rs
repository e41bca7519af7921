//! Changes of rows: what they keep, and that they lead there and back.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Id;

/// A coin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
struct Coin {
    face: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
}

/// A game that keeps coins, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Purse;

impl Row<Purse> for Coin {
    type Key = (u64, Id);
    const TABLE: &'static str = "coins";
}

fn purse() -> Tables<Purse> {
    Tables::with(&[Declared::of::<Coin>()])
}

fn coin(face: &str, owner: Option<&str>) -> Coin {
    Coin { face: face.to_owned(), owner: owner.map(str::to_owned) }
}

fn change(key: &Json, was: Option<&Coin>, to: Option<&Coin>) -> Option<RowChange> {
    RowChange::between("coins", key.clone(), was.map(fields), to.map(fields))
}

#[test]
fn a_change_keeps_the_fields_that_differ() {
    let key = json!([1, "ann"]);
    let (was, to) = (coin("heads", Some("ann")), coin("heads", None));
    let change = change(&key, Some(&was), Some(&to)).unwrap();
    assert_eq!(
        serde_json::to_value(&change).unwrap(),
        json!({"table": "coins", "key": [1, "ann"], "was": {"owner": "ann"}, "to": {}})
    );
    assert_eq!(change.apply(Some(fields(&was))), Some(fields(&to)));
}

#[test]
fn a_row_that_cannot_be_read_changes_nothing() {
    let mut purse = purse();
    let read = |text: Json| serde_json::from_value::<RowChange>(text).unwrap();
    for change in [
        json!({"table": "coins", "key": [1, "ann"], "to": {"face": 7}}),
        json!({"table": "coins", "key": "ann", "to": {"face": "tails"}}),
        json!({"table": "coins", "key": [1, "ann"], "was": {}, "to": {"owner": "ann"}}),
        json!({"table": "notes", "key": 1, "to": {"worth": 5}}),
    ] {
        assert!(fold(&mut purse, &read(change.clone())).is_err(), "{change}");
        assert_eq!(purse, super::tests::purse());
    }
}

fn coins() -> impl Strategy<Value = Option<Coin>> {
    let owner = prop_oneof![Just(None), Just(Some("ann")), Just(Some("bo"))];
    proptest::option::of((prop_oneof!["heads", "tails"], owner).prop_map(|(face, owner)| coin(&face, owner)))
}

fn purses() -> impl Strategy<Value = Tables<Purse>> {
    proptest::collection::btree_map(0..6_u64, coins(), 0..6).prop_map(|coins| {
        let mut purse = purse();
        for (number, coin) in coins {
            if let Some(coin) = coin {
                purse.set(&(number, "ann".into()), Some(coin));
            }
        }
        purse
    })
}

proptest! {
    /// A change leads from the one row to the other, and it fits only what it changes.
    #[test]
    fn a_change_leads_there(was in coins(), to in coins(), other in coins()) {
        let key = json!([1, "ann"]);
        let Some(change) = change(&key, was.as_ref(), to.as_ref()) else {
            prop_assert_eq!(was, to);
            return Ok(());
        };
        let [was, to, other] = [was, to, other].map(|row| row.as_ref().map(fields));
        prop_assert_eq!(change.apply(was.clone()), to.clone());
        prop_assert!(change.fits(was.as_ref()));
        if change.fits(other.as_ref()) {
            prop_assert_eq!(other.is_some(), was.is_some());
        }
    }

    /// The differences between two games, folded onto the one, give the other.
    #[test]
    fn differences_fold_to_the_other(from in purses(), to in purses()) {
        let mut purse = from.clone();
        for change in from.differences(&to) {
            let written = serde_json::to_string(&change).unwrap();
            fold(&mut purse, &serde_json::from_str(&written).unwrap()).unwrap();
        }
        prop_assert_eq!(&purse, &to);
    }
}
