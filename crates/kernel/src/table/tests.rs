//! Changes of rows: what they keep, and that they lead there and back.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A row as this version of a program knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
fn what_cannot_be_read_is_kept_and_folded_by_key() {
    let (mut purse, mut unread) = (purse(), Unread::default());
    let read = |text: Json| serde_json::from_value::<RowChange>(text).unwrap();
    // A row of a later version, which has another form of face.
    fold(&mut purse, &mut unread, &read(json!({"table": "coins", "key": [1, "ann"], "to": {"face": 7}})));
    fold(&mut purse, &mut unread, &read(json!({"table": "notes", "key": 1, "to": {"worth": 5}})));
    assert_eq!(purse, super::tests::purse());
    assert!(unread.row("coins", &json!([1, "ann"])).is_some() && unread.row("notes", &json!(1)).is_some());
    // What comes after it is folded onto it, and where it can be read again it is.
    let again = json!({"table": "coins", "key": [1, "ann"], "was": {"face": 7}, "to": {"face": "tails"}});
    fold(&mut purse, &mut unread, &read(again));
    assert_eq!(purse.row::<Coin>(&(1, "ann".into())), Some(&coin("tails", None)));
    let gone = json!({"table": "notes", "key": 1, "was": {"worth": 5}});
    fold(&mut purse, &mut unread, &read(gone));
    assert!(unread.is_empty());
}

#[test]
fn a_row_that_could_not_be_read_can_be_where_it_is_written_anew() {
    let (mut folded, mut unread) = (purse(), Unread::default());
    let key = (1, Id::from("ann"));
    let change = |to: Json| serde_json::from_value(json!({"table": "coins", "key": [1, "ann"], "to": to})).unwrap();
    fold(&mut folded, &mut unread, &change(json!({"face": 7})));
    let (mut replaced, mut unread_then) = (folded.clone(), unread.clone());
    fold(&mut folded, &mut unread, &change(json!({"face": "tails"})));
    let mut to = replaced.clone();
    to.set(&key, Some(coin("tails", None)));
    assert_eq!(replace(&mut replaced, &mut unread_then, to), [change(json!({"face": "tails"}))]);
    assert_eq!((&replaced, &unread_then), (&folded, &unread));
    assert!(unread.is_empty());
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
        let (mut purse, mut unread) = (from.clone(), Unread::default());
        for change in from.differences(&to) {
            let written = serde_json::to_string(&change).unwrap();
            fold(&mut purse, &mut unread, &serde_json::from_str(&written).unwrap());
        }
        prop_assert_eq!(&purse, &to);
        prop_assert!(unread.is_empty());
        let mut replaced = from.clone();
        prop_assert_eq!(replace(&mut replaced, &mut unread, to.clone()), from.differences(&to));
        prop_assert_eq!(&replaced, &to);
    }
}
