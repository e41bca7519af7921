//! Journals of schema 1: their facts, read as changes of the rows that took their place. Nothing writes facts any more.
//!
//! A fact is an object in an object in an object: its mechanic, its name, and its fields, of which most have `to` and `was`.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::game::{Spacenomic, Tables};
use kernel::{
    Instant, State,
    row_change::{Fields, RowChange},
    table::Json,
};

/// A fact as it was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Json")]
pub struct Fact(Json);

/// A fact that no version of the program wrote.
#[derive(Debug, thiserror::Error)]
#[error("{0} is no fact of Spacenomic")]
pub struct NoFact(Json);

impl TryFrom<Json> for Fact {
    type Error = NoFact;
    fn try_from(fact: Json) -> Result<Self, NoFact> {
        if rows(&fact, Instant::default()).is_some() { Ok(Self(fact)) } else { Err(NoFact(fact)) }
    }
}

/// Folds a fact onto the tables. Total.
pub(super) fn fold(game: &mut Tables, fact: &Fact, at: Instant) {
    for change in rows(&fact.0, at).unwrap_or_default() {
        let row = change.apply(game.named_row(&change.table, &change.key));
        // What is kept of somebody's activity goes with the last of it.
        let row = row.filter(|row| *change.table != *"activity" || row.values().any(|value| !is_none(value)));
        // What cannot be read was nothing to the version that wrote it either.
        let _ = game.set_named(&change.table, &change.key, row);
    }
}

/// A fact in words, as the rows tell of themselves; nothing where none changed.
pub(super) fn told(fact: &Fact, state: &State<Spacenomic>) -> Option<String> {
    let told: Option<Vec<String>> =
        rows(&fact.0, state.at)?.iter().map(|change| state.tables.told(change, state)).collect();
    told.filter(|told| !told.is_empty()).map(|told| told.concat())
}

fn is_none(value: &Json) -> bool {
    value.is_null() || *value == json!([])
}

/// The only member of an object.
fn only(json: &Json) -> Option<(&str, &Json)> {
    let members = json.as_object()?;
    members.iter().next().filter(|_| members.len() == 1).map(|(name, member)| (&**name, member))
}

/// The changes of rows that a fact was; nothing where it is none.
fn rows(fact: &Json, at: Instant) -> Option<Vec<RowChange>> {
    let (mechanic, fact) = only(fact)?;
    let (name, of) = only(fact)?;
    let change = |table: &str, key: Json, row: &dyn Fn(&Json) -> Option<Fields>| RowChange {
        table: table.into(),
        key,
        was: row(&of["was"]),
        to: row(&of["to"]),
    };
    // A row of one field, which is there while the field is.
    let field = |table: &str, key: Json, name: &str| {
        change(table, key, &|value| (!value.is_null()).then(|| Fields::from_iter([(name.to_owned(), value.clone())])))
    };
    // A row that the fact holds whole.
    let whole = |table: &str, key: Json| change(table, key, &|row| row.as_object().cloned());
    // A field of a row that has others.
    let part = |table: &str, key: &Json, name: &str| {
        change(table, key.clone(), &|value| Some(Fields::from_iter([(name.to_owned(), value.clone())])))
    };
    Some(vec![match (mechanic, name) {
        ("society", "request") => field("requests", of["seat"].clone(), "since"),
        ("society", "consent") => field("consents", of["player"].clone(), "since"),
        ("activity", "last" | "accused" | "put_off" | "lull") => part("activity", &of["player"], name),
        ("proposal", "made" | "unmade") => {
            let mut proposal = of.as_object()?.clone();
            proposal.remove("votes");
            let (is, key) = ((name == "made").then_some(proposal), of["number"].clone());
            RowChange { table: "proposals".into(), key, was: None, to: is }
        }
        ("proposal", "refreshed" | "put_off" | "entered") => part("proposals", &of["number"], name),
        ("proposal", "voted") => field("votes", json!([of["number"], of["voter"]]), "vote"),
        ("proposal", "stands") => {
            let mut stands = part("proposals", &of["number"], "status");
            // That it expired was taken back: there is time again to refresh it.
            if of["was"].get("expired").is_some()
                && of["to"] == "extant"
                && let Some(to) = &mut stands.to
            {
                to.insert("refreshed".to_owned(), json!(at));
            }
            stands
        }
        ("space", "vertex") => field("vertices", of["at"].clone(), "owner"),
        ("space", "edge") => {
            let on = of["on"].as_bool()?;
            let [was, to] = [!on, on].map(|on| on.then(Fields::new));
            let way = |from: &str, to: &str| json!([of[from], of[to]]);
            let change = |key| RowChange { table: "edges".into(), key, was: was.clone(), to: to.clone() };
            return Some(vec![change(way("a", "b")), change(way("b", "a"))]);
        }
        ("move", "set") => whole("moves", json!([of["kind"], of["player"]])),
        ("move", "timed") => whole("evaluations", of["kind"].clone()),
        ("move", "order") => part("phi", &Json::Null, "order"),
        // It changed nothing: it stood there to be read.
        ("move", "revealed") => return Some(Vec::new()),
        ("income", "given") => field("income", Json::Null, "last"),
        ("end", "over") => field("end", Json::Null, "since"),
        _ => return None,
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts one after the other, each with the row that it makes of what was there: its table, its key, and its fields.
    const FACTS: &str = r#"
        [{"society": {"request": {"seat": "ann", "to": ONE, "was": null}}}, "requests", "ann", {"since": ONE}]
        [{"society": {"request": {"seat": "ann", "to": null, "was": ONE}}}, "requests", "ann", null]
        [{"society": {"consent": {"player": "ann", "to": ONE, "was": null}}}, "consents", "ann", {"since": ONE}]
        [{"activity": {"last": {"player": "ann", "to": MOMENT, "was": null}}}, "activity", "ann", {"last": MOMENT}]
        [{"activity": {"accused": {"player": "ann", "to": [MOMENT], "was": []}}}, "activity", "ann", {"last": MOMENT, "accused": [MOMENT]}]
        [{"activity": {"last": {"player": "ann", "to": null, "was": MOMENT}}}, "activity", "ann", {"accused": [MOMENT]}]
        [{"activity": {"accused": {"player": "ann", "to": [], "was": [MOMENT]}}}, "activity", "ann", null]
        [{"activity": {"put_off": {"player": "ann", "to": TWO, "was": null}}}, "activity", "ann", {"put_off": TWO}]
        [{"activity": {"lull": {"player": "ann", "to": LULL, "was": null}}}, "activity", "ann", {"put_off": TWO, "lull": LULL}]
        [{"proposal": {"refreshed": {"number": 9, "to": TWO, "was": null}}}, "proposals", 9, null]
        [{"proposal": {"made": {"votes": {}, "refreshed": null, "status": "extant", PROPOSAL}}}, "proposals", 1, {"status": "extant", PROPOSAL}]
        [{"proposal": {"put_off": {"number": 1, "to": TWO, "was": null}}}, "proposals", 1, {"put_off": TWO, "status": "extant", PROPOSAL}]
        [{"proposal": {"put_off": {"number": 1, "to": null, "was": TWO}}}, "proposals", 1, {"status": "extant", PROPOSAL}]
        [{"proposal": {"entered": {"number": 1, "to": ["=> a"], "was": []}}}, "proposals", 1, {"entered": ["=> a"], "status": "extant", PROPOSAL}]
        [{"proposal": {"entered": {"number": 1, "to": [], "was": ["=> a"]}}}, "proposals", 1, {"status": "extant", PROPOSAL}]
        [{"proposal": {"refreshed": {"number": 1, "to": ONE, "was": null}}}, "proposals", 1, {"refreshed": ONE, "status": "extant", PROPOSAL}]
        [{"proposal": {"voted": {"number": 1, "voter": "ann", "to": "1/2", "was": null}}}, "votes", [1, "ann"], {"vote": "1/2"}]
        [{"proposal": {"voted": {"number": 1, "voter": "ann", "to": null, "was": "1/2"}}}, "votes", [1, "ann"], null]
        [{"proposal": {"stands": {"number": 1, "to": {"expired": ONE}, "was": "extant"}}}, "proposals", 1, {"refreshed": ONE, "status": {"expired": ONE}, PROPOSAL}]
        [{"proposal": {"stands": {"number": 1, "to": "extant", "was": {"expired": ONE}}}}, "proposals", 1, {"refreshed": TWO, "status": "extant", PROPOSAL}]
        [{"proposal": {"unmade": {"votes": {}, "refreshed": TWO, "status": "extant", PROPOSAL}}}, "proposals", 1, null]
        [{"space": {"vertex": {"at": "0,0", "to": "god", "was": null}}}, "vertices", "0,0", {"owner": "god"}]
        [{"space": {"edge": {"a": "0,0", "b": "0,1", "on": true}}}, "edges", ["0,1", "0,0"], {}]
        [{"space": {"edge": {"a": "0,0", "b": "0,1", "on": false}}}, "edges", ["0,0", "0,1"], null]
        [{"move": {"set": {"kind": "space", "player": "ann", "to": {"open": null, SEALED}, "was": null}}}, "moves", ["space", "ann"], {SEALED}]
        [{"move": {"revealed": {"player": "ann", "what": "flip", "salt": "cd", "hash": "ab", "executed": true}}}, "moves", ["space", "ann"], {SEALED}]
        [{"move": {"set": {"kind": "space", "player": "ann", "to": null, "was": {"open": null, SEALED}}}}, "moves", ["space", "ann"], null]
        [{"move": {"timed": {"kind": "farming", "to": TIMING, "was": null}}}, "evaluations", "farming", TIMING]
        [{"move": {"order": {"to": ["space", "farming"], "was": ["space"]}}}, "phi", null, {"order": ["space", "farming"]}]
        [{"income": {"given": {"to": ONE, "was": null}}}, "income", null, {"last": ONE}]
        [{"end": {"over": {"to": ONE, "was": null}}}, "end", null, {"since": ONE}]
        [{"end": {"over": {"to": null, "was": ONE}}}, "end", null, null]"#;

    /// What stands for what in them.
    const WORDS: [(&str, &str); 7] = [
        ("MOMENT", r#"{"at": ONE, "seq": 7}"#),
        ("LULL", r#"{"since": ONE, "paused": true}"#),
        ("PROPOSAL", r#""number": 1, "name": "More", "body": "text", "maker": "ann", "created": ONE"#),
        ("SEALED", r#""secret": "move/7", "hash": "ab", "at": ONE"#),
        ("TIMING", r#"{"next": TWO, "rule": "space-moves", "version": 1, "enacted": 1}"#),
        ("ONE", "\"2026-11-02T15:00:00Z\""),
        ("TWO", "\"2026-11-03T15:00:00Z\""),
    ];

    #[test]
    fn every_fact_of_before_is_folded_onto_rows() {
        let mut game = Tables::default();
        let facts = WORDS.iter().fold(FACTS.to_owned(), |facts, (word, json)| facts.replace(word, json));
        for line in facts.trim().lines() {
            let (fact, table, key, row): (Json, String, Json, Option<Fields>) = serde_json::from_str(line).expect(line);
            let read: Fact = serde_json::from_value(fact.clone()).expect(line);
            assert_eq!(serde_json::to_value(&read).unwrap(), fact);
            fold(&mut game, &read, "2026-11-03T15:00:00Z".parse().unwrap());
            assert_eq!(game.named_row(&table, &key), row, "{line}");
        }
        let unknown = json!({"income": {"taken": {"to": "2026-11-02T15:00:00Z"}}});
        assert!(serde_json::from_value::<Fact>(unknown).is_err());
    }
}
