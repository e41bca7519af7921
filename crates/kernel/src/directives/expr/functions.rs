//! What the engine can do with values: the operators, the words of a room, and a handful of functions.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use rhai::{Array, Dynamic, Engine, NativeCallContext};

use super::{
    Article, Asked, Cx, Expr, Fuel, Held, Known, LIST_MAX_ITEMS, NUMBER_MAX_BITS, Outcome, Said, TEXT_MAX_BYTES, Words,
    dynamic, holds, trouble, value,
};
use crate::Id;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::Value;
use crate::directives::sight::{figure, of_rule, rule_object};
use crate::directives::wording::{bare, find_key, folded, reads_as, says_every};

/// How often a word may be made of words: `power of owner of the box`.
const OF_MAX_LEVELS: usize = 4;

/// The functions of every game, for a refusal.
const FUNCTIONS: &str = "count, sum, max, min, abs, floor, ceil, round, length, contains, item, choose, exists, number, \
    rule, player, object, value, establishes, date, or an attribute";

/// An operator of two values.
type Operator = fn(Value, Value) -> Result<Value, Refusal>;

pub(super) fn register(engine: &mut Engine, fuel: &Fuel) {
    engine.register_fn("word", |cx: Cx, words: Words| -> Outcome<Dynamic> {
        word(&cx, &words.0, 0).map(dynamic).map_err(trouble)
    });
    // What is said of each by a word alone, `where Paranoid and Active`: a property, or a group to which it belongs or not.
    engine.register_fn("property", |cx: Cx, words: Words| -> Outcome<Dynamic> {
        let value = word(&cx, &words.0, 0);
        let plain = |value: &Result<Value, Refusal>| value.as_ref().is_ok_and(|held| !matches!(held, Value::List(_)));
        let applies = cx.it.as_ref().filter(|_| !plain(&value)).and_then(|it| cx.sight.applies(&words.0, it));
        applies.map_or(value, |applies| Ok(Value::Bool(applies))).map(dynamic).map_err(trouble)
    });
    engine.register_fn("article", |cx: Cx, words: Article| -> Outcome<Dynamic> {
        let text = || Value::Text(words.0.trim().to_owned());
        charge(&cx, 1).map_err(trouble)?;
        Ok(dynamic(word(&cx, &words.0, 0).unwrap_or_else(|_| text())))
    });
    engine.register_fn("ask", |cx: Cx, name: Words, args: Array| -> Outcome<Dynamic> {
        let args = args.into_iter().map(value).collect::<Result<Vec<Value>, Refusal>>().map_err(trouble)?;
        charge(&cx, args.iter().map(weight).sum()).map_err(trouble)?;
        call(&cx, &name.0, &args).map(dynamic).map_err(trouble)
    });
    engine.register_fn(
        "filter",
        |context: NativeCallContext<'_>, cx: Cx, of: Dynamic, condition: Expr| -> Outcome<Dynamic> {
            let mut kept = Vec::new();
            for obj in objects(&value(of).map_err(trouble)?).map_err(trouble)? {
                if holds(&context, &condition, &cx, &obj)? {
                    kept.push(Value::Ref(obj));
                }
            }
            Ok(dynamic(Value::List(kept)))
        },
    );
    engine.register_indexer_get(|of: &mut Held, asked: Asked| -> Outcome<Dynamic> {
        attribute(&asked.cx, &of.0, &asked.words).map(dynamic).map_err(trouble)
    });
    engine.register_fn("said", |cx: Cx, words: Words| Said { cx, words: words.0 });
    let operators: [(&str, Operator); 12] = [
        ("+", plus),
        ("-", |a, b| Ok(Value::Num(&number(a)? - &number(b)?))),
        ("*", |a, b| Ok(Value::Num(Num::from(number(a)?.as_rational() * number(b)?.as_rational())))),
        ("/", divided),
        ("%", remainder),
        ("==", |a, b| same(&a, &b).map(Value::Bool)),
        ("!=", |a, b| same(&a, &b).map(|same| Value::Bool(!same))),
        ("<", |a, b| Ok(Value::Bool(ordered(&a, &b)?.is_lt()))),
        ("<=", |a, b| Ok(Value::Bool(ordered(&a, &b)?.is_le()))),
        (">", |a, b| Ok(Value::Bool(ordered(&a, &b)?.is_gt()))),
        (">=", |a, b| Ok(Value::Bool(ordered(&a, &b)?.is_ge()))),
        ("contains", |list, item| contains(&list, &item).map(Value::Bool)),
    ];
    for (name, operator) in operators {
        let fuel = fuel.clone();
        engine.register_fn(name, move |a: Dynamic, b: Dynamic| -> Outcome<Dynamic> {
            let work = || {
                let a = value(a)?;
                let b = match b.try_cast_result::<Said>() {
                    Ok(said) => {
                        charge(&said.cx, said.cx.sight.world().size())?;
                        // What a text is compared with is a value; what something is said to be may be an adjective.
                        let constant = said.cx.sight.constant(&said.words).filter(|_| matches!(a, Value::Text(_)));
                        match (said.applies(&a), constant) {
                            (Some(is), _) => return Ok(Value::Bool(is == (name == "=="))),
                            (None, Some(constant)) => constant,
                            (None, None) => match (&a, word(&said.cx, &said.words, 0)?) {
                                // A value of attributes that this one does not have, neither holds of it nor does not.
                                (Value::Ref(_), value @ Value::Text(_))
                                    if said.cx.sight.constant(&said.words).as_ref() == Some(&value) =>
                                {
                                    return Err(Refusal::new(format!("nothing says of that whether it is “{value}”")));
                                }
                                (_, value) => value,
                            },
                        }
                    }
                    Err(b) => value(b)?,
                };
                super::charge(&fuel, weight(&a) + weight(&b))?;
                bounded(operator(a, b)?)
            };
            work().map(dynamic).map_err(trouble)
        });
    }
    engine.register_fn("-", |a: Dynamic| -> Outcome<Dynamic> {
        value(a).and_then(number).map(|a| dynamic(Value::Num(-&a))).map_err(trouble)
    });
    engine.register_fn("!", |a: Dynamic| -> Outcome<Dynamic> {
        match value(a).map_err(trouble)? {
            Value::Bool(holds) => Ok(Dynamic::from(!holds)),
            other => {
                Err(trouble(Refusal::new(format!("“not” stands before a condition in brackets, and {other} is none"))))
            }
        }
    });
}

// --- Operators -----------------------------------------------------------------------------------------------------

fn number(of: Value) -> Result<Num, Refusal> {
    match of {
        Value::Num(number) => Ok(number),
        other => Err(Refusal::new(format!("{} is no number", shown(&other)))),
    }
}

fn shown(of: &Value) -> String {
    let text = of.to_string();
    let short: String = text.chars().take(60).collect();
    match of {
        Value::Text(_) => format!("the text “{short}”"),
        Value::Null => "nothing".to_owned(),
        _ => short,
    }
}

fn plus(a: Value, b: Value) -> Result<Value, Refusal> {
    Ok(match (a, b) {
        (Value::Text(a), b) => Value::Text(format!("{a}{b}")),
        (a, Value::Text(b)) => Value::Text(format!("{a}{b}")),
        (Value::List(mut a), Value::List(b)) => {
            a.extend(b);
            Value::List(a)
        }
        (a, b) => Value::Num(&number(a)? + &number(b)?),
    })
}

fn divided(a: Value, b: Value) -> Result<Value, Refusal> {
    let (a, b) = (number(a)?, number(b)?);
    if b.is_zero() {
        return Err(Refusal::new("nothing can be divided by zero"));
    }
    Ok(Value::Num(Num::from(a.as_rational() / b.as_rational())))
}

/// What is left over, never negative where the divisor is positive.
fn remainder(a: Value, b: Value) -> Result<Value, Refusal> {
    let (a, b) = (number(a)?, number(b)?);
    if b.is_zero() {
        return Err(Refusal::new("nothing can be divided by zero"));
    }
    let times = (a.as_rational() / b.as_rational()).floor();
    Ok(Value::Num(Num::from(a.as_rational() - times * b.as_rational())))
}

fn same(a: &Value, b: &Value) -> Result<bool, Refusal> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => Ok(a == b),
        (Value::Text(a), Value::Text(b)) => Ok(folded(a) == folded(b)),
        (Value::Ref(obj), Value::Text(name)) | (Value::Text(name), Value::Ref(obj)) => {
            Ok(folded(obj.rsplit('/').next().unwrap_or(obj)) == folded(name))
        }
        (Value::List(a), Value::List(b)) => {
            let refs = |list: &[Value]| !list.is_empty() && list.iter().all(|held| matches!(held, Value::Ref(_)));
            let stray = |list: &[Value]| list.iter().find(|held| matches!(held, Value::Text(_))).map(shown);
            // What names nobody in a list of somebodies is a slip, and no comparison.
            if let Some(stray) = stray(b).filter(|_| refs(a)).or_else(|| stray(a).filter(|_| refs(b))) {
                return Err(Refusal::new(format!("{stray} is nobody and nothing here")));
            }
            Ok(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b).unwrap_or(false)))
        }
        _ if std::mem::discriminant(a) == std::mem::discriminant(b) => Ok(a == b),
        _ => Err(Refusal::new(format!("{} and {} cannot be compared", shown(a), shown(b)))),
    }
}

fn ordered(a: &Value, b: &Value) -> Result<Ordering, Refusal> {
    match (a, b) {
        (Value::Num(a), Value::Num(b)) => Ok(a.cmp(b)),
        (Value::Time(a), Value::Time(b)) => Ok(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Ok(folded(a).cmp(&folded(b))),
        _ => Err(Refusal::new(format!("neither of {} and {} is the greater", shown(a), shown(b)))),
    }
}

fn contains(list: &Value, item: &Value) -> Result<bool, Refusal> {
    match list {
        Value::List(list) => Ok(list.iter().any(|held| same(held, item).unwrap_or(false))),
        Value::Text(text) => Ok(folded(text).contains(&folded(&item.to_string()))),
        other => Err(Refusal::new(format!("{} holds nothing", shown(other)))),
    }
}

/// How many steps it takes to read a value or to copy it.
fn weight(of: &Value) -> usize {
    match of {
        Value::List(list) => list.len(),
        Value::Text(text) => text.len() / 64,
        Value::Num(number) => {
            let exact = number.as_rational();
            usize::try_from((exact.numer().bits() + exact.denom().bits()) / 64).unwrap_or(usize::MAX)
        }
        Value::Null | Value::Bool(_) | Value::Ref(_) | Value::Time(_) => 0,
    }
}

/// A value within the bounds of what an expression may make.
fn bounded(of: Value) -> Result<Value, Refusal> {
    match &of {
        Value::Num(number) => {
            let exact = number.as_rational();
            if exact.numer().bits().max(exact.denom().bits()) > NUMBER_MAX_BITS {
                return Err(Refusal::new("this number has too many digits"));
            }
        }
        Value::Text(text) if text.len() > TEXT_MAX_BYTES => {
            return Err(Refusal::new(format!("a text here has at most {TEXT_MAX_BYTES} bytes")));
        }
        Value::List(list) if list.len() > LIST_MAX_ITEMS => {
            return Err(Refusal::new(format!("a list here has at most {LIST_MAX_ITEMS} articles")));
        }
        _ => {}
    }
    Ok(of)
}

// --- Words of a room -----------------------------------------------------------------------------------------------

/// Takes as many steps as something costs.
fn charge(cx: &Cx, steps: usize) -> Result<(), Refusal> {
    super::charge(&cx.fuel, steps)
}

/// The first plain name of an expression that is nothing in the room, whatever it were asked of.
pub(super) fn unmeant(expr: &Expr, cx: &Cx) -> Option<Refusal> {
    let names = expr.constants.iter().filter_map(|constant| match constant {
        Known::Whole(held) => Some(held),
        Known::Attr(_) => None,
    });
    for held in names {
        if let Some(inner) = held.clone().try_cast::<Expr>()
            && let Some(why) = unmeant(&inner, cx)
        {
            return Some(why);
        }
        let Some(Words(words)) = held.clone().try_cast::<Words>() else { continue };
        // What is asked of something that is nothing now may be there later; the name of a function is none of the room.
        let called =
            expr.text.match_indices(&*words).any(|(at, _)| expr.text[at + words.len()..].trim_start().starts_with('('));
        if called || words.contains(" of ") || words.contains("'s ") || words.contains("’s ") {
            continue;
        }
        let sample = |kind: &Id| cx.sight.world().of_kind(kind).next().cloned();
        let asked = cx.sight.world().kinds().iter().filter_map(sample).map(Some).chain([None]).collect::<Vec<_>>();
        let mut why = None;
        let known = asked.into_iter().any(|it| match word(&Cx { it: it.clone(), ..cx.clone() }, &words, 0) {
            Ok(_) => true,
            Err(refusal) => {
                why = Some(refusal);
                it.is_some_and(|it| cx.sight.applies(&words, &it).is_some())
            }
        });
        if !known {
            return why;
        }
    }
    None
}

fn word(cx: &Cx, words: &str, level: usize) -> Result<Value, Refusal> {
    let plain = words.trim();
    let bare = bare(plain);
    match folded(bare).as_str() {
        "nothing" | "nobody" => return Ok(Value::Null),
        "now" => return Ok(Value::Time(cx.sight.now())),
        "it" | "self" | "themself" | "themselves" => {
            return match &cx.it {
                Some(it) => Ok(Value::Ref(it.clone())),
                None => Err(Refusal::new(format!("“{bare}” means nobody here"))),
            };
        }
        _ => {}
    }
    if cx.it.is_some() {
        charge(cx, cx.sight.world().defs().count())?;
    }
    if let Some(rule) = cx.it.as_ref().and_then(|it| it.strip_prefix("rule/")).and_then(|id| cx.sight.rules().get(id)) {
        charge(cx, rule.text().visible().len() / 64)?;
        match of_rule(rule, bare) {
            Value::Null => {}
            value => return Ok(value),
        }
    }
    if let Some(it) = &cx.it
        && let Some(attr) = cx.sight.attribute(bare, it)
    {
        return Ok(cx.sight.value(&Path::new(it.clone(), attr)));
    }
    if let Some(value) = cx.sight.word(bare) {
        return Ok(value);
    }
    charge(cx, cx.sight.world().size())?;
    let found = cx.sight.find(plain).or_else(|why| if bare == plain { Err(why) } else { cx.sight.find(bare) });
    if let Some(obj) = cx.sight.namesake(bare).filter(|_| !says_every(plain)) {
        return Ok(Value::Ref(obj));
    }
    // A group is meant by its word, whoever is called so.
    let missing = match (found, cx.sight.group(bare)) {
        (Ok(obj), Some(group)) if *group == [obj.clone()] => return Ok(Value::Ref(obj)),
        (_, Some(group)) => return Ok(Value::List(group.into_iter().map(Value::Ref).collect())),
        (Ok(obj), None) => return Ok(Value::Ref(obj)),
        (Err(missing), None) => missing,
    };
    if let Ok(key) = exact_key(cx, bare) {
        return figure(&*cx.sight, key);
    }
    if level == 0
        && let Some(value) = cx.sight.constant(bare)
    {
        return Ok(value);
    }
    if level < OF_MAX_LEVELS {
        if let Some((attr, of)) = bare.split_once(" of ") {
            let of = word(cx, of, level + 1)?;
            let counted = matches!((&of, folded(attr).as_str()), (Value::List(_), "number" | "count"));
            return if counted { call(cx, "count", &[of]) } else { attribute(cx, &of, attr) };
        }
        if let Some((of, attr)) = bare.split_once("'s ") {
            let of = word(cx, of, level + 1)?;
            return attribute(cx, &of, attr);
        }
        if let Some(number) = folded(bare).strip_prefix("rule ") {
            return rule(cx, number);
        }
    }
    Err(whose(cx, bare).unwrap_or(missing))
}

/// Refuses the bare name of an attribute that several kinds have, each its own.
fn whose(cx: &Cx, words: &str) -> Option<Refusal> {
    let wanted = folded(words);
    let named: Vec<_> = cx.sight.world().defs().filter(|def| folded(&def.id) == wanted).collect();
    let forms: Vec<String> = named.iter().map(|def| format!("“{def}”")).collect();
    (named.len() > 1).then(|| Refusal::new(format!("“{words}” may be {}: say whose it is", forms.join(" or "))))
}

/// A figure by its key only: in an expression a word of a meaning would be found too easily.
fn exact_key(cx: &Cx, words: &str) -> Result<&'static crate::rulebook::LiveKey, Refusal> {
    let key = find_key(cx.sight.keys(), words)?;
    if folded(key.key.trim_start_matches('@')) == folded(words) { Ok(key) } else { Err(Refusal::new("no key")) }
}

fn rule(cx: &Cx, words: &str) -> Result<Value, Refusal> {
    charge(cx, cx.sight.rules().size())?;
    cx.sight.rule(words).map(|rule| Value::Ref(rule_object(rule.id())))
}

fn attribute(cx: &Cx, of: &Value, words: &str) -> Result<Value, Refusal> {
    let obj = match of {
        Value::Ref(obj) => obj,
        Value::List(_) => {
            let say = format!("“{words}” of a group is many values; ask for sum(GROUP, \"{words}\") or max, min");
            return Err(Refusal::new(say));
        }
        other => return Err(Refusal::new(format!("{} has no “{words}”", shown(other)))),
    };
    if let Some(rule) = obj.strip_prefix("rule/").and_then(|id| cx.sight.rules().get(id)) {
        charge(cx, rule.text().visible().len() / 64)?;
        return match of_rule(rule, words) {
            Value::Null if cx.sight.attribute(words, obj).is_some() => {
                let attr = cx.sight.attribute(words, obj).unwrap_or_else(|| words.into());
                Ok(cx.sight.value(&Path::new(obj.clone(), attr)))
            }
            Value::Null => Err(Refusal::new(format!("{} has no “{words}”", rule.label()))),
            value => Ok(value),
        };
    }
    charge(cx, cx.sight.world().defs().count())?;
    match cx.sight.attribute(words, obj) {
        Some(attr) => Ok(cx.sight.value(&Path::new(obj.clone(), attr))),
        None => Err(Refusal::new(format!("{} has no “{words}”", cx.sight.called(obj)))),
    }
}

// --- Functions -----------------------------------------------------------------------------------------------------

/// The objects that a value names: one, or a list of them.
fn objects(of: &Value) -> Result<Vec<Id>, Refusal> {
    let one = |value: &Value| match value {
        Value::Ref(obj) => Ok(obj.clone()),
        other => Err(Refusal::new(format!("{} is nobody and nothing of the room", shown(other)))),
    };
    match of {
        Value::List(list) => list.iter().map(one).collect(),
        one_only => one(one_only).map(|obj| vec![obj]),
    }
}

/// The numbers that a function is about: its arguments, a list of numbers, or an attribute of a group.
fn numbers(cx: &Cx, args: &[Value]) -> Result<Vec<Num>, Refusal> {
    match args {
        [Value::List(list), Value::Text(attr)] => {
            charge(cx, list.len())?;
            list.iter().map(|of| attribute(cx, of, attr).and_then(number)).collect()
        }
        [Value::List(list)] => {
            charge(cx, list.len())?;
            list.iter().cloned().map(number).collect()
        }
        all => all.iter().cloned().map(number).collect(),
    }
}

fn call(cx: &Cx, name: &str, args: &[Value]) -> Result<Value, Refusal> {
    charge(cx, 1)?;
    // `power of player("Ann Lee")`: what stands before the last `of` is asked of what the function gives.
    if let Some((attr, name)) = name.split_once(" of ") {
        return attribute(cx, &call(cx, name, args)?, attr);
    }
    let whole = |number: &Num, how: fn(&BigRational) -> BigRational| Value::Num(how(number.as_rational()).into());
    let got = match (folded(name).as_str(), args) {
        ("count", [Value::List(list)]) => Value::Num(size(list.len())),
        ("count", [Value::Ref(_)]) => Value::Num(1.into()),
        ("length", [Value::List(list)]) => Value::Num(size(list.len())),
        ("length", [Value::Text(text)]) => Value::Num(size(text.chars().count())),
        ("sum", [_, ..]) => {
            let mut sum = Num::default();
            for number in numbers(cx, args)? {
                sum = &sum + &number;
                bounded(Value::Num(sum.clone()))?;
            }
            Value::Num(sum)
        }
        ("max" | "highest", [_, ..]) => Value::Num(numbers(cx, args)?.into_iter().max().ok_or_else(empty)?),
        ("min" | "lowest", [_, ..]) => Value::Num(numbers(cx, args)?.into_iter().min().ok_or_else(empty)?),
        ("abs", [Value::Num(of)]) => Value::Num(if of.is_negative() { -of } else { of.clone() }),
        ("floor", [Value::Num(of)]) => whole(of, BigRational::floor),
        ("ceil" | "ceiling", [Value::Num(of)]) => whole(of, BigRational::ceil),
        // Halves go up: 5/2 gives 3 and -5/2 gives -2.
        ("round", [Value::Num(of)]) => whole(of, |of| (of + BigRational::new(1.into(), BigInt::from(2))).floor()),
        ("contains", [list, item]) => {
            charge(cx, if let Value::List(list) = list { list.len() } else { 1 })?;
            Value::Bool(contains(list, item)?)
        }
        ("item", [Value::List(list), Value::Num(at)]) => {
            let at = at.to_u64().and_then(|at| usize::try_from(at).ok()).and_then(|at| at.checked_sub(1));
            at.and_then(|at| list.get(at)).cloned().ok_or_else(|| Refusal::new("the list has no such article"))?
        }
        ("choose", [Value::Bool(which), yes, no]) => {
            if *which {
                yes.clone()
            } else {
                no.clone()
            }
        }
        ("exists", [Value::Text(words)]) => {
            charge(cx, cx.sight.world().size())?;
            Value::Bool(cx.sight.find(words).is_ok() || cx.sight.rule(words).is_ok())
        }
        ("number" | "figure", [Value::Text(words)]) => figure(&*cx.sight, find_key(cx.sight.keys(), words)?)?,
        ("number" | "figure", [value @ (Value::Num(_) | Value::Time(_) | Value::List(_))]) => value.clone(),
        ("rule", [Value::Text(words)]) => rule(cx, words)?,
        ("rule", [Value::Num(number)]) => rule(cx, &number.to_string())?,
        ("player" | "object", [Value::Text(words)]) => {
            charge(cx, cx.sight.world().size())?;
            Value::Ref(cx.sight.find(words)?)
        }
        ("player" | "object", [Value::Ref(obj)]) => Value::Ref(obj.clone()),
        (_, [Value::Text(words)]) if cx.sight.group(name).is_some() => {
            charge(cx, cx.sight.world().size())?;
            let group = cx.sight.group(name).unwrap_or_default();
            let wanted = folded(words);
            let mut alike = group.iter().filter(|obj| reads_as(&cx.sight.called(obj), &wanted));
            Value::Ref(match (cx.sight.find(words), alike.next(), alike.next()) {
                (Ok(found), ..) if group.contains(&found) => found,
                // Something else has the name, to which this one yields.
                (Ok(_), Some(only), None) => only.clone(),
                (found, ..) => {
                    return Err(found.err().unwrap_or_else(|| Refusal::new(format!("“{words}” is no {name}"))));
                }
            })
        }
        // What has no number yet is called by the one that it gets, in parentheses: `proposal (3)`.
        (_, [Value::Num(number)]) if cx.sight.group(name).is_some() => {
            charge(cx, cx.sight.world().size())?;
            Value::Ref(cx.sight.find(&format!("{name} {number}"))?)
        }
        ("value", [of, Value::Text(words)]) => attribute(cx, of, words)?,
        ("establishes" | "established", [Value::Text(name)]) => {
            Value::Bool(cx.sight.rules().establishes(name).is_some())
        }
        ("date" | "time", [Value::Text(text)]) => {
            let at = crate::time::read_instant(text);
            Value::Time(at.ok_or_else(|| Refusal::new(format!("“{text}” is no date and time")))?)
        }
        (_, [of @ Value::List(_)]) => attribute(cx, of, name)?,
        (_, [of @ Value::Ref(_)]) => attribute(cx, of, name).map_err(|_| unknown(name, args))?,
        _ => return Err(unknown(name, args)),
    };
    bounded(got)
}

fn size(of: usize) -> Num {
    i64::try_from(of).unwrap_or(i64::MAX).into()
}

fn empty() -> Refusal {
    Refusal::new("an empty group has no greatest and no least")
}

fn unknown(name: &str, args: &[Value]) -> Refusal {
    let given: Vec<String> = args.iter().take(4).map(shown).collect();
    Refusal::new(format!("there is no {name}({}); there are {FUNCTIONS}", given.join(", ")))
}
