//! From words to values: typed words, read against one snapshot of a room, become an action's JSON.
//!
//! Binding changes nothing and waits for nothing: the snapshot is immutable and never the room's queue. The game judges
//! whether the action is allowed.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde_json::{Map, Value, json};

use super::{
    clean::{folded, quoted},
    grammar::{Step, split, steps},
    kind,
    lookup::Lookup,
    spec::{Command, Kind, Param},
    typed::{Typed, missing},
};
use kernel::{Refusal, display::Cell, own_command::OwnCommand};

/// Most completions that are offered: Discord shows no more, and nobody reads more.
pub const COMPLETION_MAX_ITEMS: usize = 25;

/// An action in the form that serde reads.
#[derive(Clone, PartialEq)]
pub struct Invocation {
    /// The name of the command.
    pub command: String,
    /// The variant of the action, in snake case.
    pub action: String,
    /// Its fields. Those that were not given are left out.
    pub args: Map<String, Value>,
    /// Whether the variant has no fields at all.
    unit: bool,
    secret: bool,
}

impl Invocation {
    /// The action as serde's externally tagged form: `{"submit": {"name": "alpha", "code": "+"}}`, or `"terminate"` for
    /// a command that takes nothing.
    pub fn to_json(&self) -> Value {
        if self.unit {
            return self.action.as_str().into();
        }
        Value::Object(Map::from_iter([(self.action.clone(), Value::Object(self.args.clone()))]))
    }
}

/// A secret value never reaches a log by way of `{:?}`.
impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Invocation");
        out.field("command", &self.command).field("action", &self.action);
        if self.secret {
            out.field("args", &"(kept secret)")
        } else {
            out.field("args", &self.args)
        };
        out.finish()
    }
}

/// Reads the values of a command against a room.
///
/// # Errors
/// When a text is still missing, a value is not of its kind, or the room does not know what it names.
pub fn bind(typed: &Typed, lookup: &dyn Lookup) -> Result<Invocation, Refusal> {
    bound(typed, lookup, 0)
}

/// The same `depth` commands deep in others. The words can be read in several ways. Then the one is meant that the room
/// knows, and those in the order of the usage line come before others.
fn bound(typed: &Typed, lookup: &dyn Lookup, depth: usize) -> Result<Invocation, Refusal> {
    let command = &typed.command;
    if let Some(param) = typed.awaits_text() {
        return Err(missing(command, param).into());
    }
    if typed.others.is_empty() {
        return read(command, &typed.args, lookup, depth, false);
    }
    let ways = || {
        std::iter::once((typed.in_order, &typed.args)).chain(typed.others.iter().map(|(order, args)| (*order, args)))
    };
    for wanted in [true, false] {
        let mut known: Vec<(&BTreeMap<String, String>, Invocation)> = Vec::new();
        for (_, args) in ways().filter(|(in_order, _)| *in_order == wanted) {
            if let Ok(way) = read(command, args, lookup, depth, true)
                && known.iter().all(|(_, other)| *other != way)
            {
                known.push((args, way));
            }
        }
        match known.len() {
            0 => {}
            1 => return Ok(known.remove(0).1),
            _ => {
                let lines: Vec<String> = known.iter().map(|(args, _)| typed.with((*args).clone()).redacted()).collect();
                let say = format!(
                    "“{command}” could be meant in {} ways, and nothing is done: {}",
                    known.len(),
                    lines.join("; or ")
                );
                return Err(command.instead(Refusal::new(say)));
            }
        }
    }
    read(command, &typed.args, lookup, depth, false)
}

/// Reads values; `strictly` where others are possible.
fn read(
    command: &Arc<Command>,
    given: &BTreeMap<String, String>,
    lookup: &dyn Lookup,
    depth: usize,
    strictly: bool,
) -> Result<Invocation, Refusal> {
    let mut args = Map::new();
    for param in &command.params {
        let Some(text) = given.get(&param.name) else { continue };
        if strictly && param.kind == Kind::Amount && !kind::is_amount(text) && lookup.number(text).is_none() {
            return Err(Refusal::new("that is no amount"));
        }
        // What is a choice of another parameter names nothing.
        let is_choice = |other: &Param| other.choices.iter().any(|choice| choice.eq_ignore_ascii_case(text));
        if strictly
            && param.skippable
            && matches!(param.kind, Kind::Word | Kind::Phrase)
            && command.params.iter().any(is_choice)
        {
            return Err(Refusal::new("that is a choice"));
        }
        args.insert(param.field(), value(command, param, text, lookup, depth)?);
    }
    if let Some(template) = &command.display {
        args = shown(template, args);
    }
    if command.own {
        args = OwnCommand::fields(&command.name, args);
    }
    Ok(Invocation {
        command: command.name.clone(),
        action: command.action.clone(),
        unit: command.params.is_empty() && command.display.is_none() && !command.own,
        secret: command.is_secret(),
        args,
    })
}

/// The moment that a display is asked for as of, where the line gives one: what it names is of that time.
pub fn as_of(typed: &Typed) -> Option<Value> {
    let param = typed.command.params.iter().find(|param| param.kind == Kind::Moment && param.field() == AS_OF)?;
    kind::read(param, typed.args.get(&param.name)?).ok()
}

/// The field that says as of when a display is wanted.
const AS_OF: &str = "as_of";

/// Most commands that hold one another: a transaction for a later time that sets something for a time later still.
const NESTED_MAX_COUNT: usize = 2;

/// The commands of a text, each as `{"said": "...", "times": 1, "act": ...}`, an assertion among them as
/// `{"said": "...", "assert": "..."}`. What cannot be read comes with the reason, `{"said": "...", "unread": "..."}`.
/// What comes of it is the game's to say.
fn actions(text: &str, lookup: &dyn Lookup, depth: usize) -> Value {
    let one = |step| match step {
        Step::Assert { said, what } => json!({"said": said, "assert": what}),
        Step::Unread { said, error } => json!({"said": said, "unread": Refusal::from(error).say}),
        Step::Act(typed) => match act(&typed, lookup, depth) {
            Ok((act, times)) => json!({"said": typed.said, "times": times, "act": act}),
            Err(refusal) => json!({"said": typed.said, "unread": refusal.say}),
        },
    };
    steps(&lookup.commands(), text).into_iter().map(one).collect()
}

/// A command inside another: an action of the game, and how often.
fn act(typed: &Typed, lookup: &dyn Lookup, depth: usize) -> Result<(Value, u32), Refusal> {
    let command = &typed.command;
    let why = if !command.acts_in_game() {
        Some("does nothing in the game")
    } else if command.is_secret() {
        Some("is done in private, by itself")
    } else if typed.room.is_some() {
        Some("cannot name a room of its own here")
    } else if depth >= NESTED_MAX_COUNT {
        Some("stands too deep in other commands")
    } else {
        None
    };
    if let Some(why) = why {
        return Err(Refusal::new(format!("“{command}” {why}")));
    }
    let times = typed.times.count(lookup)?;
    Ok((bound(typed, lookup, depth + 1)?.to_json(), times))
}

fn value(command: &Command, param: &Param, text: &str, lookup: &dyn Lookup, depth: usize) -> Result<Value, Refusal> {
    if param.kind == Kind::Actions {
        return Ok(actions(text, lookup, depth));
    }
    let ill = |why| command.instead(Refusal::new(format!("In “{command}”, {why}.")));
    let one = |text: &str| {
        if param.kind == Kind::Proposal
            && let Some(number) = kernel::number::numbered(text)
        {
            return Ok(number.into());
        }
        // A number may go by a name (4E30).
        let may_be_named = match param.kind {
            Kind::Quantity | Kind::Rational => true,
            // A word may be a title.
            Kind::Proposal => text.contains(char::is_whitespace),
            _ => false,
        };
        let number = may_be_named.then(|| lookup.number(text));
        if let Some(number) = number.flatten() {
            let figures =
                Param { kind: if param.kind == Kind::Proposal { Kind::Id } else { param.kind }, ..param.clone() };
            return kind::read(&figures, &number.to_string()).map_err(ill);
        }
        let is_coming = param.kind == Kind::Instant && kind::instant(text).is_none() && kind::is_coming(text);
        if param.kind.needs_room() || is_coming {
            let found = lookup.resolve(param.kind, text);
            return found.map_err(|refusal| match refusal.instead {
                Some(_) => refusal,
                None => command.instead(refusal),
            });
        }
        kind::read(param, text).map_err(ill)
    };
    if param.several && param.kind == Kind::Proposal {
        let numbers: Vec<&str> = text.split(',').map(str::trim).filter(|number| !number.is_empty()).collect();
        // A title may have a comma in it.
        let only = one(text);
        if only.is_ok() || (numbers.len() < 2 && kernel::number::spread(text).is_none()) {
            return only.map(|only| json!([only]));
        }
        let mut all: Vec<Value> = Vec::new();
        for number in numbers {
            match kernel::number::spread(number) {
                Some(range) => all.extend(range.map(Value::from)),
                None => all.push(one(number)?),
            }
        }
        all.dedup();
        return Ok(Value::Array(all));
    }
    if !param.list {
        return one(text);
    }
    split(text).iter().map(|word| one(word)).collect::<Result<Vec<_>, _>>().map(Value::Array)
}

/// Puts values into the name of a display; a part whose value was not given is left out.
fn shown(template: &str, mut args: Map<String, Value>) -> Map<String, Value> {
    let mut parts = Vec::new();
    for part in template.split('/') {
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            None => parts.push(part.to_owned()),
            Some(field) => match args.remove(&field.replace('-', "_")) {
                Some(Value::String(text)) => parts.push(text),
                Some(other) => parts.push(other.to_string()),
                None => {}
            },
        }
    }
    args.insert("display".to_owned(), parts.join("/").into());
    args
}

/// The values of a parameter that go on after the given beginning, best first, at most [`COMPLETION_MAX_ITEMS`]. Every cell
/// that comes back has [`Cell::completes`].
pub(super) fn values(param: &Param, begun: &str, lookup: &dyn Lookup) -> Vec<Cell> {
    let cells = match &param.completes {
        Some(display) => lookup.candidates(display),
        None => param.choices.iter().map(Cell::named).collect(),
    };
    let begun = folded(begun.trim());
    let rank = |cell: &Cell| {
        let texts = [cell.completes.as_deref()?, &cell.text].map(folded);
        if texts.iter().any(|text| text.starts_with(&begun)) {
            return Some(0);
        }
        texts.iter().any(|text| text.contains(&begun)).then_some(1)
    };
    let mut found: Vec<(u8, Cell)> = cells.into_iter().filter_map(|cell| Some((rank(&cell)?, cell))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    let mut out: Vec<Cell> = Vec::new();
    for (_, cell) in found {
        if out.len() == COMPLETION_MAX_ITEMS {
            break;
        }
        if out.iter().all(|held| held.completes != cell.completes) {
            out.push(cell);
        }
    }
    out
}

/// The one cell that a text means: its exact value, its value or text but for capitals, or the only one that begins so.
/// `what` is a noun with its article ([`Kind::noun`]).
///
/// # Errors
/// Says that there is none, or that there are several, and which come near.
pub fn pick(what: &str, cells: &[Cell], text: &str) -> Result<String, Refusal> {
    let values = || cells.iter().filter_map(|cell| Some((cell.completes.as_deref()?, cell.text.as_str())));
    if let Some((value, _)) = values().find(|(value, _)| *value == text) {
        return Ok(value.to_owned());
    }
    let wanted = folded(text.trim());
    let chosen = |test: &dyn Fn(&str) -> bool| {
        let mut chosen: Vec<&str> = values()
            .filter(|(value, text)| test(&folded(value)) || test(&folded(text)))
            .map(|(value, _)| value)
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    };
    let mut near = chosen(&|held| held == wanted);
    if near.is_empty() && !wanted.is_empty() {
        near = chosen(&|held| held.starts_with(&wanted));
    }
    let noun = what.split_once(' ').map_or(what, |(_, noun)| noun);
    let word = quoted(text);
    let none = match &word {
        Some(word) => format!("There is no {noun} {word} here."),
        None => format!("There is no such {noun} here."),
    };
    match near.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => {
            let close = kind::nearest(&wanted, values().map(|(value, _)| value));
            Err(Refusal::new(match close {
                Some(value) => format!("{none} Did you mean “{value}”?"),
                None => none,
            }))
        }
        several => {
            let shown = &several[..several.len().min(AMBIGUITY_MAX_NAMES)];
            let word = word.unwrap_or_else(|| "That".to_owned());
            Err(Refusal::new(format!("{word} could be {}. Say which.", kind::one_of(shown))))
        }
    }
}

/// Most names that an ambiguity lists: as many as fit a sentence.
const AMBIGUITY_MAX_NAMES: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, parse};

    struct Hill;

    impl Lookup for Hill {
        fn candidates(&self, display: &str) -> Vec<Cell> {
            let names: &[&str] = match display {
                "hill" | "programs" | "yours" => &["alpha", "alpine", "joust3", "Beta"],
                _ => &[],
            };
            names.iter().map(|name| Cell::new(format!("{name} of Ann")).completing(*name)).collect()
        }

        fn resolve(&self, kind: Kind, text: &str) -> Result<Value, Refusal> {
            match kind {
                Kind::Program => pick(kind.noun(), &self.candidates("hill"), text).map(Value::from),
                _ => Ok(text.into()),
            }
        }
    }

    fn json(line: &str) -> Result<String, Refusal> {
        let typed = parse(Catalogue::all(), line, 0).remove(0)?;
        bind(&typed, &Hill).map(|invocation| invocation.to_json().to_string())
    }

    #[test]
    fn lines_become_the_json_of_actions() {
        for (line, expected) in [
            ("joust terminate", r#""terminate""#),
            ("joust start", r#"{"start":{}}"#),
            ("joust start ALPHA joust3", r#"{"start":{"programs":["alpha","joust3"]}}"#),
            ("joust submit Gamma >+[-]", r#"{"submit":{"code":">+[-]","name":"Gamma"}}"#),
            ("joust test >+[-] against joust3", r#"{"test":{"against":"joust3","code":">+[-]"}}"#),
            ("joust do #3", r#"{"do":{"id":3}}"#),
            ("joust intend set length 161", r#"{"intend":{"subject":"length","text":"161","what":"set"}}"#),
            ("hill", r#"{"show":{"display":"hill"}}"#),
            ("hill as of 12", r#"{"show":{"as_of":12,"display":"hill"}}"#),
            ("joust match alpha bet", r#"{"show":{"display":"match/alpha/Beta"}}"#),
            ("show match alpha Beta", r#"{"show":{"display":"match/alpha/Beta"}}"#),
            ("tick until 2026-11-02 10:00", r#"{"tick":{"until":"2026-11-02T10:00:00Z"}}"#),
            ("ban Mallory for 3 days because x", r#"{"ban":{"duration":"72h","reason":"x","who":"Mallory"}}"#),
            ("forget me YES.", r#"{"forget_me":{"sure":"yes"}}"#),
        ] {
            assert_eq!(json(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_the_room_does_not_know_is_refused_in_a_sentence() {
        let mut said = String::new();
        for line in
            ["joust program alpah", "joust program al", "joust program zzz", "joust program >+[-]", "joust submit a"]
        {
            let refusal = json(line).unwrap_err();
            said.push_str(&format!("{}\n  {}\n", refusal.say, refusal.instead.unwrap_or_default()));
        }
        insta::assert_snapshot!(said);
    }

    #[test]
    fn completion_prefers_beginnings_and_knows_choices() {
        let of = |command: &str, param: &str, begun: &str| {
            let command = Catalogue::all().get(command).unwrap();
            let cells = values(command.param(param).unwrap(), begun, &Hill);
            cells.into_iter().filter_map(|cell| cell.completes).collect::<Vec<_>>()
        };
        assert_eq!(of("joust program", "name", "AL"), ["alpha", "alpine"]);
        assert_eq!(of("joust program", "name", "ha"), ["alpha"]);
        assert_eq!(of("joust intend", "what", "re"), ["repeal", "remove"]);
        assert_eq!(of("joust hill", "as-of", ""), Vec::<String>::new());
    }

    #[test]
    fn no_secret_is_in_the_debug_form() {
        let typed = parse(Catalogue::all(), "joust submit Gamma >>>+[-]", 0).remove(0).unwrap();
        let bound = bind(&typed, &Hill).unwrap();
        let shown = format!("{typed:?} {bound:?}");
        assert!(!shown.contains(">>>+[-]") && shown.contains("joust submit"), "{shown}");
    }
}
