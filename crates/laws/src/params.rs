//! What an act of a law takes: ranges in words, read once and held against what is given.
//!
//! A range of values is read as a definition of an attribute is (`whole number from 1 to 9`). Beside those there are
//! objects by kind or class (`a player`), commands' texts, and what only laws hand each other (`anything`).

use std::collections::BTreeMap;

use rhai::{Array, Dynamic, Map};

use kernel::{
    Id, Path, Refusal, Value,
    directives::define::{self, Words},
    world::Range,
};

use super::{
    declared::{ActDecl, ParamDecl, letters},
    documents,
    fault::{Fault, Stop},
    names::{self, plural},
    registry::Registry,
    stage::Stage,
    values::{Choice, Command, Moment, Obj, as_object, as_text, held, number, same, value},
};

/// Which values a parameter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Whatever a law hands over.
    Anything,
    /// A value that a room keeps.
    Value(Range),
    /// An object of one of these kinds.
    Object(Vec<Id>),
    /// Several objects of these kinds.
    Objects(Vec<Id>),
    /// A text of so many characters, at most, out of these letters.
    Letters(usize, String),
    /// Any object.
    AnyObject,
    /// The text of a document, whose law can be read.
    Law,
    /// Choices by name, as `victim:Ann`.
    Answers,
    /// A command of the game or of a law.
    Command,
}

/// `whole number from 0` in the words of definitions, which say `at least 0`.
pub(crate) fn least(words: &str) -> String {
    let Some(at) = words.find("number from ") else { return words.to_owned() };
    let (head, rest) = words.split_at(at + "number ".len());
    let rest = rest.trim_start_matches("from ");
    let bound = rest.find([',', ' ']).unwrap_or(rest.len());
    match rest[bound..].trim_start().starts_with("to ") {
        true => words.to_owned(),
        false => format!("{head}at least {rest}"),
    }
}

/// Whether a text is of so many characters, and of these letters where they are said.
pub(crate) fn is_spelled(text: &str, count: usize, letters: &str) -> bool {
    text.chars().count() == count && (letters.is_empty() || text.chars().all(|letter| letters.contains(letter)))
}

/// Reads a range in words.
///
/// # Errors
///
/// Where it is none.
pub(crate) fn read(words: &str, registry: &Registry, stage: &dyn Stage) -> Result<Takes, Refusal> {
    let words = words.trim();
    if let Some((count, letters, _)) = letters(words) {
        return Ok(Takes::Letters(count, letters));
    }
    match words {
        "anything" | "somebody" => return Ok(Takes::Anything),
        "a law" => return Ok(Takes::Law),
        LONG_TEXT => return Ok(Takes::Value(Range::Text)),
        "a command" => return Ok(Takes::Command),
        "an object" => return Ok(Takes::AnyObject),
        "a moment" => return Ok(Takes::Value(Range::Time)),
        "answers" => return Ok(Takes::Answers),
        _ => {}
    }
    if let Some(kinds) = words.strip_prefix("list of ").and_then(|of| registry.kinds_of(stage, of)) {
        return Ok(Takes::Objects(kinds));
    }
    let bare = words.strip_prefix("a ").or_else(|| words.strip_prefix("an "));
    if let Some(kinds) = bare.and_then(|kind| registry.kinds_of(stage, kind)) {
        return Ok(Takes::Object(kinds));
    }
    let (range, _) = define::read(&least(words), &Words { kind: &|_| None, number: &|_| None, link: &|_, _| None })?;
    Ok(Takes::Value(range))
}

/// What takes the rest of a line, and of a message.
pub(crate) const LONG_TEXT: &str = "long text";

/// Ranges that are known without a law, for whoever mistypes one.
const KNOWN: &[&str] = &[
    "a command",
    "a law",
    "a moment",
    "a player",
    "an object",
    "answers",
    "anything",
    LONG_TEXT,
    "number",
    "somebody",
    "text",
    "whole number",
    "yes/no",
];

/// What the nearest of some words is; nothing where none is near.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names::nearest(word, known, NEAR_MIN_SHARE)
}

/// Nearest names that are worth telling, as a share of likeness.
const NEAR_MIN_SHARE: f64 = 0.8;

/// The kind that a range is of, in words; nothing where it is of none.
pub(crate) fn kind_in(words: &str) -> Option<&str> {
    let of = ["list of ", "a ", "an "].iter().find_map(|begins| words.trim().strip_prefix(begins))?;
    (!KNOWN.contains(&words.trim())).then_some(of.trim())
}

/// Why a parameter cannot be at first what its words say; nothing where it may be, or where the room alone knows.
pub(crate) fn wrong_at_first(param: &ParamDecl) -> Option<String> {
    if param.first.is_empty() || kind_in(&param.range).is_some() {
        return None;
    }
    if let Some((count, letters, _)) = letters(&param.range) {
        let spelled = is_spelled(&param.first, count, &letters);
        return (!spelled).then(|| format!("“{}” is not {}", param.first, param.range));
    }
    let none = Words { kind: &|_| None, number: &|_| None, link: &|_, _| None };
    let (range, _) = define::read(&least(&param.range), &none).ok()?;
    let fits = define::plain(&param.first, &range).is_some_and(|value| range.holds(&value));
    (!fits).then(|| format!("“{}” is not {}", param.first, param.range))
}

/// Why some words are no range, whatever kinds there are; nothing where they may be one.
pub(crate) fn wrong(words: &str) -> Option<String> {
    let words = words.trim();
    if KNOWN.contains(&words) || letters(words).is_some() || kind_in(words).is_some() {
        return None;
    }
    let none = Words { kind: &|_| None, number: &|_| None, link: &|_, _| None };
    let why = define::read(&least(words), &none).err()?.say;
    let near = nearest(words, KNOWN.iter().copied()).map(|near| format!("; “{near}” comes nearest"));
    Some(format!("“{words}” is no range: {why}{}", near.unwrap_or_default()))
}

/// Reads the range and the first value of an attribute, where kinds and classes are those of the laws.
///
/// # Errors
///
/// Where it is none, or the first value is none of it.
pub(crate) fn attribute(words: &str, registry: &Registry, stage: &dyn Stage) -> Result<(Range, Value), Refusal> {
    let kind = |words: &str| registry.scope(stage, words);
    let link = |words: &str, range: &Range| {
        let found = Value::Ref(stage.find(words).ok()?);
        range.holds(&found).then_some(found)
    };
    let written = words.trim();
    let words = match written {
        "a law" => "text".to_owned(),
        "an object" | "somebody" => "anything".to_owned(),
        other => match letters(other) {
            Some((_, _, rest)) => format!("text{rest}"),
            None => other.to_owned(),
        },
    };
    define::read(&least(&words), &Words { kind: &kind, number: &|_| None, link: &link })
}

/// The values of a parameter that has few; none where it takes others.
pub(crate) fn choices(range: &str) -> Vec<String> {
    let words = Words { kind: &|_| None, number: &|_| None, link: &|_, _| None };
    match define::read(&least(range), &words) {
        Ok((Range::OneOf(choices), _)) => choices,
        Ok((Range::Bool, _)) => ["yes", "no"].map(str::to_owned).to_vec(),
        _ => Vec::new(),
    }
}

/// Whether an object may stand in a parameter.
fn is_one(stage: &dyn Stage, kinds: &[Id], obj: &Id) -> bool {
    kinds.iter().any(|kind| stage.taken_for(obj).as_ref() == Some(kind) && stage.members(kind).contains(obj))
}

/// What a parameter takes, in words.
fn wanted(param: &ParamDecl) -> String {
    let nothing = if param.optional && param.first.is_empty() { ", or nothing" } else { "" };
    match param.range.as_str() {
        "answers" => format!("choices by name, as in “victim:Ann”{nothing}"),
        _ => format!("{}{nothing}", param.words()),
    }
}

/// Holds what is given against the parameters of an act, and reads texts where objects or numbers are wanted.
///
/// # Errors
///
/// A refusal that says what is missing or ill.
pub(crate) fn fit(
    stage: &mut dyn Stage,
    registry: &Registry,
    act: &str,
    params: &[ParamDecl],
    given: &mut Map,
) -> Result<(), Stop> {
    for param in params {
        let takes = read(&param.range, registry, stage)?;
        let first = || (!param.first.is_empty()).then(|| Dynamic::from(param.first.clone()));
        let Some(is) = given.get(param.name.as_str()).filter(|is| !is.is_unit()).cloned().or_else(first) else {
            if param.optional {
                given.insert(param.name.as_str().into(), Dynamic::UNIT);
                continue;
            }
            return Err(Refusal::new(format!("“{act}” needs {}: {}", param.name, param.range)).into());
        };
        if takes == Takes::Law {
            let text = as_text(&is).unwrap_or_default();
            let read = documents::read(stage, &text)
                .map_err(|fault| Refusal::new(format!("the law in {} cannot be read: {}", param.name, fault.why)))?;
            if let Some(attr) = read.attrs.iter().find(|attr| registry.is_ruled(stage, attr)) {
                return Err(Refusal::new(format!(
                    "the law in {} defines “{} of {}”, which a rule defines: it may define what no rule has",
                    param.name, attr.name, attr.of
                ))
                .into());
            }
            given.insert(param.name.as_str().into(), held(&Value::Text(text)));
            continue;
        }
        let Some(fits) = one(stage, &takes, &is) else {
            // What could not be read as one comes with the reason.
            if let (Takes::Command, Some(why)) = (&takes, as_text(&is)) {
                return Err(Refusal::new(format!("{} of “{act}”: {why}", param.name)).into());
            }
            if let Some(why) = several(stage, &takes, &is) {
                return Err(why.into());
            }
            if is_gone(stage, &is) {
                return Err(Refusal::new(format!("{} of “{act}” is gone: nothing else is meant", param.name)).into());
            }
            let kind = param.range.split_once(' ').map_or(&*param.range, |(_, kind)| kind);
            if let (Takes::Object(_), Some(obj)) = (&takes, as_object(&is)) {
                let why = Refusal::new(format!("{} is no {kind}", stage.called(&obj)));
                let all = plural(kind);
                return Err(if stage.has_display(&all) { why.instead(format!("show {all}")) } else { why }.into());
            }
            if let (Takes::Object(_), Some(text)) = (&takes, called(&is)) {
                let none = |what: &str, text: &str| Refusal::new(format!("there is no {what} {text}"));
                let quoted = format!("“{text}”");
                return Err(match registry.dockets.get(kind) {
                    Some(docket) => {
                        let text = if text.parse::<u64>().is_ok() { &text } else { &quoted };
                        none(&docket.one(), text).instead(format!("show {}", plural(kind)))
                    }
                    None => none(kind, &quoted),
                }
                .into());
            }
            let shown = shown(stage, &is);
            let want = wanted(param);
            return Err(Refusal::new(format!("{} of “{act}” cannot be {shown}: it is {want}", param.name)).into());
        };
        given.insert(param.name.as_str().into(), fits);
    }
    Ok(())
}

/// Whether something is named that is no more.
fn is_gone(stage: &dyn Stage, is: &Dynamic) -> bool {
    let gone = |is: &Dynamic| as_object(is).is_some_and(|obj| !stage.is_there(&obj));
    gone(is) || is.read_lock::<Array>().is_some_and(|list| list.iter().any(gone))
}

/// Why an act does not take what waits for it, in words. Nothing where it does.
pub(crate) fn unfit(
    stage: &mut dyn Stage,
    registry: &Registry,
    act: &ActDecl,
    args: &BTreeMap<String, Value>,
) -> Option<String> {
    let mut given: Map = args.iter().map(|(name, is)| (name.as_str().into(), held(is))).collect();
    match fit(stage, registry, &act.name, &act.params, &mut given) {
        Ok(()) => None,
        Err(Stop::Refused(why, _)) => Some(why.say),
        Err(Stop::Fault(fault)) => Some(fault.why),
    }
}

/// The parameters of an act of which some are given, with a choice in the place of each other.
///
/// # Errors
///
/// Why nobody could give the others so that the act takes them.
pub(crate) fn begun(
    stage: &dyn Stage,
    registry: &Registry,
    act: &ActDecl,
    given: &BTreeMap<String, Value>,
) -> Result<Map, Refusal> {
    if let Some(other) = given.keys().find(|name| !act.params.iter().any(|param| param.name == **name)) {
        return Err(Refusal::new(format!("“{}” has no parameter “{other}”", act.name)));
    }
    let mut begun = Map::new();
    for param in &act.params {
        let (takes, want) = (read(&param.range, registry, stage)?, wanted(param));
        let is = match (given.get(&param.name), &takes) {
            // An object may stand where its name is read.
            (Some(is @ Value::Ref(_)), Takes::Value(_) | Takes::Anything) => held(is),
            (Some(is), _) => one(stage, &takes, &held(is)).ok_or_else(|| {
                let shown = shown(stage, &held(is));
                Refusal::new(format!("{} of “{}” cannot be {shown}: it is {want}", param.name, act.name))
            })?,
            (None, Takes::Object(kinds))
                if !param.optional && kinds.iter().all(|kind| stage.members(kind).is_empty()) =>
            {
                return Err(Refusal::new(format!("“{}” needs {}: {want}, and there is none", act.name, param.name)));
            }
            (None, _) => Dynamic::from(Choice),
        };
        begun.insert(param.name.as_str().into(), is);
    }
    Ok(begun)
}

/// A value of a script as players know it.
pub(crate) fn shown(stage: &dyn Stage, is: &Dynamic) -> String {
    if let Some(command) = is.clone().try_cast::<Command>() {
        return format!("“{}”", command.said);
    }
    if let Some(list) = is.read_lock::<Array>() {
        let words = list.iter().map(|is| as_text(is).unwrap_or_else(|| shown(stage, is)));
        return words.collect::<Vec<_>>().join(", ");
    }
    match as_object(is) {
        Some(id) => stage.called(&id),
        None => match value(is) {
            Ok(Value::Text(text)) => format!("“{text}”"),
            Ok(other) => other.to_string(),
            Err(_) => names::called(is.type_name()).to_owned(),
        },
    }
}

/// The words by which an object is named: of some kinds, a number names one as well.
fn called(is: &Dynamic) -> Option<String> {
    is.as_int().ok().map(|number| number.to_string()).or_else(|| is.clone().into_string().ok())
}

/// Why some words name none of several objects; nothing where they name none at all.
fn several(stage: &dyn Stage, takes: &Takes, is: &Dynamic) -> Option<Refusal> {
    let (Takes::Object(kinds), Some(words)) = (takes, called(is)) else { return None };
    stage.find_among(kinds, &words).err().filter(|why| why.say.contains(" may be any of "))
}

/// What is given as what is taken; nothing where it does not fit.
fn one(stage: &dyn Stage, takes: &Takes, is: &Dynamic) -> Option<Dynamic> {
    let text = as_text(is);
    let object = |is: &Dynamic, kinds: &[Id]| {
        let found = as_object(is).or_else(|| stage.find_among(kinds, &called(is)?).ok());
        found.filter(|obj| is_one(stage, kinds, obj)).map(|obj| Dynamic::from(Obj(obj)))
    };
    match takes {
        Takes::Anything | Takes::Law => Some(is.clone()),
        Takes::Command => is.is::<Command>().then(|| is.clone()),
        Takes::AnyObject => {
            let found = as_object(is).or_else(|| stage.find(&is.clone().into_string().ok()?).ok());
            found.filter(|obj| stage.world().exists(obj)).map(|obj| Dynamic::from(Obj(obj)))
        }
        Takes::Object(kinds) => object(is, kinds),
        Takes::Objects(kinds) => {
            let list: Array = match (is.clone().try_cast::<Array>(), text) {
                (Some(list), _) => list,
                (None, Some(text)) => text.split(',').map(|name| name.trim().to_owned().into()).collect(),
                (None, None) => return None,
            };
            list.iter().map(|is| object(is, kinds)).collect::<Option<Array>>().map(Dynamic::from_array)
        }
        Takes::Letters(count, letters) => text.filter(|text| is_spelled(text, *count, letters)).map(Dynamic::from),
        Takes::Answers => {
            is.is_map().then(|| is.clone()).or_else(|| text.and_then(|text| answers(&text)).map(Into::into))
        }
        Takes::Value(range) => {
            let own = value(is).ok().filter(|value| range.holds(value));
            let read = || define::plain(&text.clone()?, range).filter(|value| range.holds(value));
            // A number may go by a name of the rules.
            let named = || Some(Value::Num(stage.quantity(text.as_deref()?)?)).filter(|value| range.holds(value));
            own.or_else(read).or_else(named).map(|value| held(&value))
        }
    }
}

/// Choices by name: `victim:Ann, way:north`. What has no name goes on with the choice before: `victims:Ann, Bob`. Nothing
/// where the first has none.
pub(crate) fn answers(text: &str) -> Option<Map> {
    let mut read: Vec<(&str, String)> = Vec::new();
    for piece in text.split(',').filter(|_| !text.trim().is_empty()) {
        match (piece.split_once(':'), read.last_mut()) {
            (Some((name, is)), _) => read.push((name.trim(), is.trim().to_owned())),
            (None, Some((_, before))) => before.extend([", ", piece.trim()]),
            (None, None) => return None,
        }
    }
    Some(read.into_iter().map(|(name, is)| (name.into(), Dynamic::from(is))).collect())
}

/// How a game hands over a number that may be a fraction: `{"exact": "1/2"}`.
pub(crate) const EXACT: &str = "exact";

/// What words name, as it stands in an act that is set for later: `{"ref": "sock/3", "said": "Blue"}`, or a list of ids.
const REF: &str = "ref";

/// Such words with what they name.
pub(crate) fn linked(named: &Dynamic, said: &serde_json::Value) -> serde_json::Value {
    let id = |is: &Dynamic| as_object(is).map(|obj| serde_json::json!(obj));
    let all = named.read_lock::<Array>().map(|list| list.iter().filter_map(id).collect());
    serde_json::json!({ REF: all.or_else(|| id(named)), "said": said })
}

/// What such words name, also where it is gone.
pub(crate) fn link(is: &serde_json::Value) -> Option<Dynamic> {
    let one = |id: &serde_json::Value| id.as_str().map(|id| Dynamic::from(Obj(id.into())));
    match is.as_object()?.get(REF)? {
        serde_json::Value::Array(all) => Some(Dynamic::from_array(all.iter().filter_map(one).collect())),
        id => one(id),
    }
}

/// Puts what words name now in their places, for an act that is set for later; what they do not name stays. Amounts are
/// of the time when it is done.
pub(crate) fn bind(
    stage: &dyn Stage,
    registry: &Registry,
    params: &[ParamDecl],
    given: &mut serde_json::Map<String, serde_json::Value>,
) {
    for param in params {
        let Some(is) = given.get_mut(&param.name) else { continue };
        if !(is.is_string() || is.is_array() || is.is_number()) {
            continue;
        }
        let takes = read(&param.range, registry, stage);
        let Ok(takes @ (Takes::Object(_) | Takes::Objects(_) | Takes::AnyObject)) = takes else { continue };
        if let Some(named) = one(stage, &takes, &native(stage, is, &param.name)) {
            *is = linked(&named, is);
        }
    }
}

/// Whether this is one of several things that were typed, as the catalogue hands them over.
fn is_typed(is: &serde_json::Value) -> bool {
    is.get("said").is_some() && (is.get("act").is_some() || is.get("unread").is_some() || is.get("assert").is_some())
}

/// What the game hands over with an act of its own, as a script holds it: ids of objects are objects.
pub(crate) fn native(stage: &dyn Stage, is: &serde_json::Value, name: &str) -> Dynamic {
    use serde_json::Value as Json;
    match is {
        Json::Null => Dynamic::UNIT,
        Json::Bool(is) => Dynamic::from(*is),
        Json::Number(number) => {
            let whole = number.as_i64().unwrap_or_default();
            let obj: Id = format!("{name}/{whole}").into();
            if stage.is_there(&obj) { Dynamic::from(Obj(obj)) } else { Dynamic::from(whole) }
        }
        Json::String(text) => match stage.is_there(text) {
            true => Dynamic::from(Obj(text.as_str().into())),
            false => match kernel::time::read_instant(text) {
                Some(at) if text.contains('T') => Dynamic::from(Moment(at)),
                _ => Dynamic::from(text.clone()),
            },
        },
        Json::Array(list) if list.iter().any(is_typed) => Command::read(is).map_or_else(Dynamic::from, Dynamic::from),
        Json::Array(list) => Dynamic::from_array(list.iter().map(|is| native(stage, is, name)).collect()),
        is if link(is).is_some() => link(is).unwrap_or_default(),
        Json::Object(map) if map.len() == 1 && map.contains_key(EXACT) => {
            let exact = map[EXACT].as_str().and_then(|text| text.parse().ok());
            exact.map_or(Dynamic::UNIT, |exact| number(&exact))
        }
        Json::Object(map) => {
            Dynamic::from_map(map.iter().map(|(name, is)| (name.as_str().into(), native(stage, is, name))).collect())
        }
    }
}

/// Where the value of an attribute stands.
pub(crate) fn path(obj: &Id, attr: &str) -> Path {
    Path::new(obj.clone(), attr)
}

/// The arguments of an act of the game's own as laws changed them: those that they left alone are as they were, to the
/// byte. Nothing where they changed none.
///
/// # Errors
///
/// A fault, where a law gives what the act cannot take.
pub(crate) fn handed_back(
    before: &Map,
    after: &Map,
    args: &serde_json::Value,
) -> Result<Option<serde_json::Value>, Fault> {
    let mut handed = args.clone();
    let mut any = false;
    for (name, is) in after {
        if before.get(name).is_some_and(|was| same(was, is)) {
            continue;
        }
        let Some(place) = handed.get_mut(name.as_str()) else {
            return Err(Fault::new(format!("the act has no parameter “{name}” to change")));
        };
        *place = json(is, place, name)?;
        any = true;
    }
    Ok(any.then_some(handed))
}

/// A value of a script as the game takes it, in the form of what stood there.
fn json(is: &Dynamic, was: &serde_json::Value, name: &str) -> Result<serde_json::Value, Fault> {
    use serde_json::Value as Json;
    let none = || Fault::new(format!("“{name}” of the act cannot be {}", names::called(is.type_name())));
    if let Some(obj) = as_object(is) {
        let number = obj.rsplit('/').next().and_then(|tail| tail.parse::<u64>().ok()).filter(|_| was.is_number());
        return Ok(number.map_or_else(|| Json::from(obj.to_string()), Json::from));
    }
    Ok(match value(is).map_err(|_| none())? {
        Value::Null => Json::Null,
        Value::Bool(is) => Json::from(is),
        Value::Num(number) if was.is_string() => Json::from(number.to_string()),
        Value::Num(number) => Json::from(number.to_i64().ok_or_else(none)?),
        Value::Text(text) => Json::from(text),
        Value::Time(at) => Json::from(at.to_string()),
        Value::Ref(_) | Value::List(_) => return Err(none()),
    })
}
