//! What a law looks at: objects and their values, figures of the rules, the room's time.
//!
//! Each object that a lookup finds counts as an operation. A law that declares sees rules only: what its functions
//! captured would else be of a moment that nobody knows afterwards.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map, NativeCallContext, Position};

use kernel::{
    Id, Num, Path, Refusal, Value,
    directives::sight::{of_rule, rule_of},
    rulebook::{
        LiveKey, NumKind,
        weekdays::{day_name, weekdays},
    },
};

use super::super::{
    ballots, counts,
    declared::{ParamDecl, ROOM, ThingDecl, kind_id},
    declaring::Part,
    documents,
    fault::{Cause, Fault, Given, Stop, faulty, refused, resting, stopped},
    faults,
    fuel::fuel,
    index::Found,
    listed::{Listed, listed},
    params::{self, path},
    reads::{Read, gives},
    run::{Mode, On, call, noting, on},
    script::Function,
    values::{Args, Choice, Long, Moment, Obj, as_object, as_text, held, number, same, value},
    weight,
};

/// How a figure is read that a law asks for by its key.
const FIGURE: LiveKey = LiveKey {
    key: "figure",
    kind: NumKind::Rational,
    engine_min: i64::MIN,
    engine_max: i64::MAX,
    absent: "the law rests",
    rehearsal: "",
    meaning: "figure",
};

/// Refuses to look where a law declares.
///
/// # Errors
///
/// A fault that says what to do instead.
pub(super) fn looks(lent: &On<'_>) -> Given<()> {
    match lent.run.mode {
        Mode::Declare(_) => {
            Err(faulty("a law that declares sees rules and documents only: look at objects within a function"))
        }
        Mode::Look | Mode::Act => Ok(()),
    }
}

/// Refuses a name that something but for one object has, or that means something else.
fn nameable(name: &str, but: Option<&Id>) -> Given<()> {
    on(|lent| {
        looks(lent)?;
        charge(lent.stage.world().size())?;
        lent.stage.nameable(name, but).map_err(|why| stopped(why.into()))
    })
}

/// Whether objects of a kind are looked at by a law that declares: documents alone are, in the law of a rule.
///
/// # Errors
///
/// As [`looks`].
fn declares(lent: &On<'_>, kind: &str) -> Given<bool> {
    match &lent.run.mode {
        Mode::Declare(declaring)
            if !declaring.document
                && (lent.run.registry.documents.contains(kind)
                    || declaring.declared.documents.iter().any(|known| known == kind)) =>
        {
            Ok(true)
        }
        Mode::Declare(_) => looks(lent).map(|()| true),
        Mode::Look | Mode::Act => Ok(false),
    }
}

/// Counts what a lookup went through.
pub(super) fn charge(count: usize) -> Given<()> {
    weight::charge(count)
}

/// Something of an object that is no attribute.
fn of_object(lent: &mut On<'_>, obj: &Id, name: &str) -> Option<Dynamic> {
    Some(match name {
        "exists" => Dynamic::from(kind(lent, obj).0),
        "name" => {
            let name = lent.stage.called(obj);
            lent.run.reads.note(|| Read::Name(obj.clone(), name.clone()));
            Dynamic::from(name)
        }
        "kind" => {
            let own = || obj.split('/').next().unwrap_or_default().to_owned();
            Dynamic::from(kind(lent, obj).1.map_or_else(own, |kind| kind.to_string()))
        }
        "number" if kind(lent, obj).1.is_some_and(|kind| lent.run.registry.dockets.contains_key(&*kind)) => {
            Dynamic::from(i64::try_from(ballots::number_of(obj)).unwrap_or(i64::MAX))
        }
        "number" | "title" | "text" | "revision" => {
            let is = of_rule(lent.stage.rules().get(rule_of(obj)?)?, name);
            lent.run.reads.doubt();
            held(&is)
        }
        _ => return None,
    })
}

/// A value of an object.
///
/// # Errors
///
/// Where the object is gone or has no such attribute.
pub(crate) fn get(lent: &mut On<'_>, obj: &Id, name: &str) -> Given<Dynamic> {
    let kind = lent.stage.world().kind(obj).cloned().unwrap_or_else(|| "".into());
    declares(lent, &kind)?;
    charge(1)?;
    if let Some(known) = of_object(lent, obj, name) {
        return Ok(known);
    }
    let seen = lent.stage.seen(obj, name);
    lent.run.reads.note(|| Read::Seen(obj.clone(), name.to_owned(), seen.clone()));
    if let Some(seen) = seen {
        return Ok(held(&seen));
    }
    if **obj == *ROOM
        && let Some((_, is)) = time(lent).into_iter().find(|(known, _)| *known == name)
    {
        lent.run.undecided = true;
        return Ok(held(&is));
    }
    let at = attribute(lent, obj, name)?;
    let is = lent.stage.value(&at);
    lent.run.undecided |= lent.run.doer.as_ref() == Some(obj);
    lent.run.reads.note(|| Read::Value(at, is.clone()));
    Ok(held(&is))
}

/// Whether there is an object, and of which kind.
fn kind(lent: &mut On<'_>, obj: &Id) -> (bool, Option<Id>) {
    let (there, kind) = (lent.stage.is_there(obj), lent.stage.taken_for(obj));
    lent.run.reads.note(|| Read::Kind(obj.clone(), there, kind.clone()));
    (there, kind)
}

/// Who hold an office.
pub(super) fn holders(lent: &mut On<'_>, office: &str) -> Vec<Id> {
    let all = lent.stage.holders(office);
    lent.run.reads.note(|| Read::Holders(office.to_owned(), all.clone()));
    all
}

/// The room's time, as its rules count it.
fn time(lent: &mut On<'_>) -> Vec<(&'static str, Value)> {
    let time = lent.stage.clock();
    lent.run.reads.note(|| Read::Clock(time.clone()));
    time
}

/// Where an attribute of an object stands.
///
/// # Errors
///
/// Where the object is gone or has no such attribute.
pub(crate) fn attribute(lent: &On<'_>, obj: &Id, name: &str) -> Given<Path> {
    if gives(lent.stage, obj, name) {
        return Ok(path(obj, name));
    }
    let world = lent.stage.world();
    let Some(kind) = world.kind(obj) else {
        return Err(match **obj == *ROOM {
            true => faulty(format!("no rule gives the game “{name}”")),
            false => {
                let cause =
                    if lent.stage.ended(lent.run.unit, obj) { Cause::Died } else { Cause::Other(Position::NONE) };
                stopped(Stop::Refused(Refusal::new(format!("{obj} is no more")), cause))
            }
        });
    };
    let near: Vec<&str> = world.defs_for(kind).map(|def| &*def.id).collect();
    let near = near.into_iter().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
    let near = near.map(|near| format!("; “{near}” comes nearest")).unwrap_or_default();
    Err(faulty(format!("no rule gives a {kind} “{name}”{near}")))
}

/// The objects of a kind or a class, oldest first, with these values.
///
/// # Errors
///
/// Where there is no such kind, or too many were looked at.
pub(crate) fn all(lent: &mut On<'_>, word: &str, with: &Map) -> Given<Vec<Id>> {
    let word = &*kind_id(word);
    let declares = declares(lent, word)?;
    let kinds = match lent.run.registry.kinds_of(lent.stage, word) {
        Some(kinds) => kinds,
        // It is declared by the law that runs.
        None if declares => vec![word.into()],
        None => return Err(faulty(format!("no rule knows a {word}"))),
    };
    let (mut found, mut is_ordered) = (Vec::new(), kinds.len() == 1);
    for kind in kinds {
        let members = match kept(lent, &kind, with).filter(|_| !declares) {
            Some(Found { objects, seen }) => {
                is_ordered = false;
                charge(seen)?;
                objects
            }
            None => {
                let members = lent.stage.members(&kind);
                charge(members.len())?;
                lent.run.reads.note(|| Read::Members(kind, members.clone()));
                members
            }
        };
        for obj in members {
            let mut fits = true;
            for (name, is) in with {
                if !same(&get(lent, &obj, name)?, is) {
                    fits = false;
                    break;
                }
            }
            if fits {
                found.push(obj);
            }
        }
    }
    // Each kind has its order by itself; what is looked up by a value has none.
    if !is_ordered {
        found = lent.stage.world().by_age(found);
        // Who plays may be of a kind of those who have a seat as well.
        found.dedup();
    }
    Ok(found)
}

/// The objects of a kind that hold one of these values, where they are kept so.
fn kept(lent: &mut On<'_>, kind: &Id, with: &Map) -> Option<Found> {
    let run = &mut *lent.run;
    let (attr, found) = with.iter().find_map(|(attr, is)| {
        Some((attr, run.index.find(lent.stage, &run.registry, kind, attr, &value(is).ok()?)?))
    })?;
    run.reads.note_column(lent.stage, kind, attr);
    Some(found)
}

fn list(objects: Vec<Id>) -> Dynamic {
    Dynamic::from_array(objects.into_iter().map(|obj| Dynamic::from(Obj(obj))).collect())
}

fn first(objects: Vec<Id>) -> Dynamic {
    objects.into_iter().next().map_or(Dynamic::UNIT, |obj| Dynamic::from(Obj(obj)))
}

/// Most figures under one key that an entry says were read.
const SHOWN_MAX_COUNT: usize = 8;

/// The figures that the rules give under a key, in their order.
fn figures(lent: &mut On<'_>, key: &str) -> Given<Vec<Num>> {
    lent.run.reads.note_figures(lent.stage, key);
    let declared = lent.run.registry.figures.get(key).copied();
    if declared.is_some_and(|declared| !declared.kind.is_number()) {
        return Err(faulty(format!("the figure {key} is words: word(\"{key}\")")));
    }
    let rules = lent.stage.rules();
    let Some((rule, _)) = rules.places(key).next() else {
        return Err(resting(match (declared, lent.run.law()) {
            (Some(LiveKey { meaning, absent, .. }), _) => format!("no rule gives the {meaning}, so {absent}"),
            (None, Some(law)) => format!("rule {} gives no figure {key}", law.number),
            (None, None) => format!("no rule gives the figure {key}"),
        }));
    };
    let reader = declared.unwrap_or(&FIGURE);
    let is_list = declared.is_none_or(|declared| declared.kind == NumKind::List);
    let mut found = Vec::new();
    for span in rule.places(key) {
        let shown = rule.text().shown(span);
        let read = reader.read(shown).map(|one| vec![one]);
        let read = if is_list { read.or_else(|_| reader.read_list(shown)) } else { read };
        found.extend(read.map_err(|why| resting(format!("“{shown}” is no {}: {why}", reader.meaning)))?);
    }
    if let Mode::Declare(_) = lent.run.mode {
        return Ok(found);
    }
    let is: Vec<String> = found.iter().take(SHOWN_MAX_COUNT).map(ToString::to_string).collect();
    let more = if found.len() > SHOWN_MAX_COUNT { ", …" } else { "" };
    lent.stage.has_read(key, &format!("{}{more}", is.join(", ")));
    Ok(found)
}

/// The words of a figure that a law declares: a name, days of the week, the one of several wordings by which it plays.
fn word(lent: &mut On<'_>, key: &str) -> Given<String> {
    let Some(declared) = lent.run.registry.figures.get(key).copied() else {
        return Err(faulty(format!(
            "no law declares the figure “{key}”, as in figure(\"{key}: one of the most, the least\", ..)"
        )));
    };
    if declared.kind.is_number() {
        return Err(faulty(format!("the figure {key} is a number: number(\"{key}\")")));
    }
    lent.run.reads.note_figures(lent.stage, declared.key);
    let rules = lent.stage.rules();
    let is = match declared.kind {
        NumKind::Word(_) => rules.wording(declared).to_owned(),
        _ => rules.need_name(declared).map_err(|why| resting(why.say))?,
    };
    // Days have one name each, in the order of a week.
    let is = match declared.kind {
        NumKind::Weekdays => {
            weekdays(&is).unwrap_or_default().into_iter().map(day_name).collect::<Vec<_>>().join(" and ")
        }
        _ => is,
    };
    if !matches!(lent.run.mode, Mode::Declare(_)) {
        lent.stage.has_read(declared.key, &is);
    }
    Ok(is)
}

/// The figures that stand in lists of the rule of this law, with what each is of.
fn rows(lent: &On<'_>, begins: &str) -> Given<Array> {
    let rule = lent.run.rule().and_then(|rule| lent.stage.rules().in_force(rule));
    let all: Vec<Listed> = rule.map(|rule| listed(rule.text(), begins).collect()).unwrap_or_default();
    charge(2 * all.len() + 1)?;
    let row =
        |one: Listed| Dynamic::from_map([("key".into(), one.key.into()), ("name".into(), one.name.into())].into());
    Ok(all.into_iter().map(row).collect())
}

/// Whether a rule gives a figure that can be read.
fn has_figure(lent: &mut On<'_>, key: &str) -> bool {
    let declared = lent.run.registry.figures.get(key).copied();
    let key = declared.map_or(key, |declared| declared.key);
    lent.run.reads.note_figures(lent.stage, key);
    let rules = lent.stage.rules();
    rules.places(key).next().is_some()
        && declared.is_none_or(|declared| match declared.kind {
            NumKind::List => rules.need_list(declared).is_ok(),
            kind if kind.is_number() => rules.need(declared).is_ok(),
            _ => rules.need_name(declared).is_ok(),
        })
}

/// The attributes that rules give a kind, by name.
fn columns(lent: &mut On<'_>, kind: &str) -> Given<Array> {
    looks(lent)?;
    lent.run.reads.doubt();
    let all: Vec<Dynamic> = lent.stage.world().defs_for(&kind_id(kind)).map(|def| def.id.to_string().into()).collect();
    charge(all.len() + 1)?;
    Ok(all)
}

/// How many of a list have the same values of some attributes.
fn tally(lent: &mut On<'_>, objects: &Array, attrs: &Array) -> Given<Array> {
    let mut rows: Vec<(Vec<Dynamic>, i64)> = Vec::new();
    for object in objects {
        let Some(obj) = as_object(object) else { return Err(faulty("tally counts objects")) };
        let mut key = Vec::new();
        for attr in attrs {
            key.push(get(lent, &obj, &attr.clone().into_string().unwrap_or_default())?);
        }
        charge(rows.len())?;
        match rows.iter_mut().find(|(held, _)| held.iter().zip(&key).all(|(one, other)| same(one, other))) {
            Some((_, count)) => *count += 1,
            None => rows.push((key, 1)),
        }
    }
    let row = |(key, count): (Vec<Dynamic>, i64)| {
        let names = attrs.iter().map(|attr| attr.clone().into_string().unwrap_or_default());
        let mut row: Map = names.zip(key).map(|(name, is)| (name.as_str().into(), is)).collect();
        row.insert("count".into(), count.into());
        Dynamic::from_map(row)
    };
    Ok(rows.into_iter().map(row).collect())
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Obj>("object");
    engine.register_type_with_name::<Args>("parameters");
    engine.register_type_with_name::<Long>("text");
    engine.register_type_with_name::<Moment>("moment");
    engine.register_indexer_get(|obj: &mut Obj, name: ImmutableString| noting(|lent| get(lent, &obj.0, &name)));
    engine.register_indexer_get(|args: &mut Args, name: ImmutableString| -> Given<Dynamic> {
        let held = args.get(&name);
        if held.is::<Choice>() {
            noting(|lent| lent.run.undecided = true);
            return Err(faulty(format!("“{name}” is for whoever does it to choose")));
        }
        weight::copied(&held).map(|()| held)
    });
    engine.register_indexer_set(|args: &mut Args, name: ImmutableString, to: Dynamic| -> Given<()> {
        args.set(&name, to);
        weight::grown(&args.all())
    });
    engine.register_fn("game", || Obj(ROOM.into()));
    engine.register_fn("clock", || -> Given<Map> {
        noting(|lent| {
            looks(lent)?;
            lent.run.undecided = true;
            Ok(time(lent).into_iter().map(|(name, is)| (name.into(), held(&is))).collect())
        })
    });
    engine.register_fn("now", || -> Given<Moment> {
        on(|lent| {
            looks(lent)?;
            lent.run.undecided = true;
            Ok(Moment(lent.stage.now()))
        })
    });
    engine.register_fn("all", |kind: ImmutableString| -> Given<Dynamic> {
        noting(|lent| all(lent, &kind, &Map::new()).map(list))
    });
    engine.register_fn("all", |kind: ImmutableString, with: Map| -> Given<Dynamic> {
        noting(|lent| all(lent, &kind, &with).map(list))
    });
    engine.register_fn("players", || -> Given<Dynamic> { noting(|lent| all(lent, PLAYER, &Map::new()).map(list)) });
    engine.register_fn("players", |with: Map| -> Given<Dynamic> { noting(|lent| all(lent, PLAYER, &with).map(list)) });
    engine.register_fn("find", |kind: ImmutableString| -> Given<Dynamic> {
        noting(|lent| all(lent, &kind, &Map::new()).map(first))
    });
    engine.register_fn("find", |kind: ImmutableString, with: Map| -> Given<Dynamic> {
        noting(|lent| all(lent, &kind, &with).map(first))
    });
    engine.register_fn("count", |kind: ImmutableString| -> Given<i64> {
        noting(|lent| all(lent, &kind, &Map::new()).map(|found| i64::try_from(found.len()).unwrap_or(i64::MAX)))
    });
    engine.register_fn("count", |kind: ImmutableString, with: Map| -> Given<i64> {
        noting(|lent| all(lent, &kind, &with).map(|found| i64::try_from(found.len()).unwrap_or(i64::MAX)))
    });
    engine.register_fn("tally", |objects: Array, attrs: Array| noting(|lent| tally(lent, &objects, &attrs)));
    engine.register_fn("the", |name: ImmutableString| -> Given<Obj> {
        noting(|lent| {
            looks(lent)?;
            // What a law says that there is, it need not look for.
            let things = lent.run.registry.laws.iter().flat_map(|law| &law.declared.things);
            let own = things
                .filter(|thing| thing.name == *name)
                .map(ThingDecl::object)
                .find(|obj| lent.stage.world().exists(obj));
            match own {
                Some(obj) => {
                    kind(lent, &obj);
                    Ok(Obj(obj))
                }
                None => {
                    lent.run.reads.doubt();
                    lent.stage.find(&name).map(Obj).map_err(|why| stopped(why.into()))
                }
            }
        })
    });
    engine.register_fn("nameable", |name: ImmutableString| -> Given<()> { nameable(&name, None) });
    engine.register_fn("nameable", |name: ImmutableString, but: Obj| -> Given<()> { nameable(&name, Some(&but.0)) });
    engine.register_fn("then", |obj: Obj, name: ImmutableString| -> Given<Dynamic> {
        on(|lent| {
            looks(lent)?;
            let Some(then) = lent.run.then.clone() else {
                return Err(faulty("“then” stands in what follows something: what it had when that happened"));
            };
            charge(then.length())?;
            Ok(held(&then.value(&path(&obj.0, &name))))
        })
    });
    engine.register_fn("holder", |office: ImmutableString| -> Given<Dynamic> {
        noting(|lent| {
            looks(lent)?;
            Ok(first(holders(lent, &office)))
        })
    });
    engine.register_fn("is_a", |is: Dynamic, word: ImmutableString| -> Given<bool> {
        noting(|lent| {
            looks(lent)?;
            let Some(obj) = as_object(&is) else { return Ok(false) };
            let kind = kind(lent, &obj).1;
            let held = kind.is_some_and(|kind| lent.run.registry.is_a(&kind, &word));
            Ok(held || holders(lent, &word).contains(&obj))
        })
    });
    engine.register_fn("number", |key: ImmutableString| -> Given<Dynamic> {
        noting(|lent| figures(lent, &key).map(|found| found.first().map_or(Dynamic::UNIT, number)))
    });
    engine.register_fn("numbers", |key: ImmutableString| -> Given<Array> {
        noting(|lent| figures(lent, &key).map(|found| found.iter().map(number).collect()))
    });
    engine.register_fn("has_figure", |key: ImmutableString| noting(|lent| has_figure(lent, &key)));
    engine.register_fn("word", |key: ImmutableString| noting(|lent| word(lent, &key)));
    engine.register_fn("entries", |begins: ImmutableString| noting(|lent| rows(lent, &begins)));
    engine.register_fn("due", |after: ImmutableString| -> Given<Moment> {
        on(|lent| {
            looks(lent)?;
            let at = lent.stage.due(&after);
            at.map(|until| Moment(until.at))
                .ok_or_else(|| faulty(format!("“{after}” is no length of time: “2 days”, “12 hours”")))
        })
    });
    engine.register_fn("due", |after: ImmutableString, from: Moment| -> Given<Moment> {
        let why = || faulty(format!("“{after}” is no length of time behind a moment: “2 days”, “12 hours”"));
        crate::moments::instant_after(from.0, &after).map(Moment).ok_or_else(why)
    });
    engine.register_fn("times", |act: ImmutableString, with: Map, unit: ImmutableString| -> Given<i64> {
        on(|lent| {
            looks(lent)?;
            lent.run.undecided = true;
            if let Some(other) = with.keys().find(|name| name.as_str() != "by") {
                return Err(faulty(format!("acts are counted by who did them, and not by “{other}”")));
            }
            let by =
                with.get("by").map(|by| as_object(by).ok_or_else(|| faulty("“by” is whoever did it"))).transpose()?;
            let units = counts::units(lent.stage);
            if !units.iter().any(|known| *known == *unit) {
                return Err(faulty(format!("“{unit}” is no period of this game: those are {}", units.join(", "))));
            }
            let act = lent.run.heard_as(&act);
            if !lent.run.registry.counted.contains(&act) {
                return Err(faulty(format!(
                    "“{act}” is not counted: a law names what it asks for, as in times(\"{act}\", #{{}}, \"{unit}\")"
                )));
            }
            Ok(counts::times(lent.stage, &act, by.as_ref(), &unit).into())
        })
    });
    // Whether a rule gives an object something: what reads it goes on where that rule is gone.
    engine.register_fn("has", |obj: Obj, name: ImmutableString| -> Given<bool> {
        noting(|lent| {
            looks(lent)?;
            charge(1)?;
            let seen = lent.stage.seen(&obj.0, &name);
            let given = gives(lent.stage, &obj.0, &name);
            let own = of_object(lent, &obj.0, &name).is_some() || seen.is_some();
            lent.run.reads.note(|| Read::Seen(obj.0.clone(), name.to_string(), seen));
            lent.run.reads.note(|| Read::Given(obj.0.clone(), name.to_string(), given));
            Ok(own || given)
        })
    });
    engine.register_fn("columns", |kind: ImmutableString| noting(|lent| columns(lent, &kind)));
    engine.register_fn("len", |text: &mut Long| i64::try_from(text.0.chars().count()).unwrap_or(i64::MAX));
    engine.register_fn("parts", |document: Obj| on(|lent| parts(lent, &document.0)));
    engine.register_fn("answers", |params: Array, given: Dynamic| on(|lent| answers(lent, &params, &given)));
    engine.register_fn("answers", |(): (), given: Dynamic| on(|lent| answers(lent, &Array::new(), &given)));
    for count in 0..=3 {
        holds(engine, count);
    }
}

/// The parts of a document, each with its options and its name. A document whose law cannot be read has none.
fn parts(lent: &mut On<'_>, document: &Id) -> Given<Array> {
    let text = get(lent, document, documents::TEXT)?;
    let text = as_text(&text).unwrap_or_default();
    let Ok(read) = documents::read(lent.stage, &text) else { return Ok(Array::new()) };
    charge(read.parts.len())?;
    let part = |part: &Part| {
        let mut options = part.options.clone();
        options.insert("name".into(), part.name.as_str().into());
        Dynamic::from_map(options)
    };
    Ok(read.parts.iter().map(part).collect())
}

/// Choices that a part lists, held against what is given.
fn answers(lent: &mut On<'_>, params: &Array, given: &Dynamic) -> Given<Map> {
    looks(lent)?;
    let params = params.iter().map(ParamDecl::read).collect::<Given<Vec<_>>>()?;
    let mut map = match (as_text(given), given.clone().try_cast::<Map>()) {
        (_, Some(map)) => map,
        (Some(text), None) => params::answers(&text).ok_or_else(|| {
            refused(format!("“{text}” says not which choice it is: choices are given by name, as in “victim:Ann”"))
        })?,
        (None, None) => Map::new(),
    };
    map.retain(|name, _| params.iter().any(|param| *param.name == **name));
    let registry = lent.run.registry.clone();
    params::fit(lent.stage, &registry, "the choices", &params, &mut map).map_err(stopped)?;
    Ok(map)
}

/// The kind of those who play.
const PLAYER: &str = "player";

/// Why a condition stopped, to whoever asked it: what it did wrong is told of itself, once for all who ask.
fn of_condition(lent: &mut On<'_>, name: &str, condition: &Function, stop: Stop) -> Stop {
    let Stop::Fault(fault) = stop else { return stop };
    // Where nothing is left, that is whoever's who took it.
    if fault.rests || fault.elsewhere || fuel() == 0 {
        return Stop::Fault(fault);
    }
    let law = lent.run.registry.laws.get(condition.law);
    let of = law.map(|law| format!(" of rule {}", law.number)).unwrap_or_default();
    let told = law.map_or_else(|| fault.why.clone(), |law| fault.told(&law.source));
    lent.run.note(condition, fault);
    Stop::Fault(Fault { elsewhere: true, ..Fault::new(format!("the condition “{name}”{of} went wrong: {told}")) })
}

/// The question `holds(name, ...)` with so many things: false where no rule has it.
fn holds(engine: &mut Engine, count: usize) {
    let mut types = vec![std::any::TypeId::of::<ImmutableString>()];
    types.extend(std::iter::repeat_n(std::any::TypeId::of::<Dynamic>(), count));
    engine.register_raw_fn("holds", types, |_: NativeCallContext<'_>, given: &mut [&mut Dynamic]| -> Given<Dynamic> {
        let name = given[0].clone().into_string().unwrap_or_default();
        let args: Vec<Dynamic> = given[1..].iter().map(|is| (**is).clone()).collect();
        noting(|lent| {
            looks(lent)?;
            let Some(condition) = lent.run.registry.condition(lent.run.law, &name).cloned() else {
                return Ok(false.into());
            };
            if faults::is_suspended(lent.stage, &lent.run.registry, &condition) {
                return Err(resting(format!("the condition “{name}” is suspended")));
            }
            let mode = std::mem::replace(&mut lent.run.mode, Mode::Look);
            let got = call(lent.stage, lent.run, &condition, args);
            lent.run.mode = mode;
            got.map_err(|stop| stopped(of_condition(lent, &name, &condition, stop)))
        })
    });
}
