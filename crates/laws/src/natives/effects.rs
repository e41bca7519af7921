//! What a law asks for: values, objects, acts, announcements, and the end of an act.
//!
//! Everything is judged at once, and a later line sees it. What the rules do not allow ends the act; a group of its own
//! (`attempt`) falls by itself.

use rhai::{Dynamic, Engine, FnPtr, ImmutableString, Map};

use kernel::{
    Id, Num, Path, Value,
    display::Document,
    entry::Audience,
    world::{Range, SCOPES},
};

use super::{
    super::{
        fault::{Given, Stop, faulty, refused, stopped},
        limits::ACT_MAX_EFFECTS,
        params::shown,
        play,
        run::{Mode, call_pointer},
        stage::{On, on},
        tables::Later,
        values::{Args, Obj, as_number, as_object, held, number, value},
    },
    look::{attribute, charge},
};

/// Refuses to change anything where a law only looks, and more than an act may change.
fn acts(lent: &On<'_>) -> Given<()> {
    match lent.run.mode {
        Mode::Declare(_) => Err(faulty("a law that declares changes nothing")),
        Mode::Look => Err(faulty("a display, a bar, a change and a condition change nothing")),
        Mode::Act if lent.stage.emitted() > ACT_MAX_EFFECTS => {
            Err(faulty(format!("an act makes at most {ACT_MAX_EFFECTS} changes with all that follows")))
        }
        Mode::Act => Ok(()),
    }
}

/// Sets a value of an object; `()` is the first value again.
fn set(lent: &mut On<'_>, obj: &Id, name: &str, to: &Dynamic) -> Given<()> {
    acts(lent)?;
    charge(1)?;
    if matches!(name, "exists" | "name" | "kind") {
        return Err(faulty(format!("“{name}” of an object does not change")));
    }
    let at = attribute(lent, obj, name)?;
    let to = match value(to)? {
        Value::Null => lent.stage.world().def_at(&at).map(|def| def.default.clone()).unwrap_or_default(),
        to => to,
    };
    if lent.stage.value(&at) == to {
        return Ok(());
    }
    lent.stage.set(&at, to).map_err(|why| stopped(why.into()))
}

/// Moves a number as far as its range goes; how far that was.
fn moved(lent: &mut On<'_>, obj: &Id, name: &str, by: &Num) -> Given<Dynamic> {
    acts(lent)?;
    let at = attribute(lent, obj, name)?;
    let Value::Num(was) = lent.stage.value(&at) else { return Err(faulty(format!("“{name}” is no number"))) };
    let range = lent.stage.world().def_at(&at).map(|def| def.range.clone());
    let mut to = &was + by;
    if let Some(Range::Num { min, max, .. }) = range {
        to = min.filter(|min| to < *min).unwrap_or(to);
        to = max.filter(|max| to > *max).unwrap_or(to);
    }
    set(lent, obj, name, &number(&to))?;
    Ok(number(&(&to - &was)))
}

/// Brings an object into being.
pub(crate) fn create(lent: &mut On<'_>, kind: &str, with: &Map) -> Given<Obj> {
    acts(lent)?;
    if !lent.run.registry.kinds.contains(kind) {
        return Err(faulty(format!("no law declares the kind “{kind}”")));
    }
    let name = with.get("name").map(|name| name.clone().into_string()).transpose();
    let name = name.map_err(|_| faulty("a name is a text"))?;
    let obj = lent.stage.create(&kind.into(), name.as_deref()).map_err(|why| stopped(why.into()))?;
    for (attr, to) in with.iter().filter(|(attr, _)| *attr != "name") {
        set(lent, &obj, attr, to)?;
    }
    Ok(Obj(obj))
}

/// Ends an object, and sees to what names it: by what its attribute says, that ends, stays, or has its first value again.
pub(crate) fn destroy(lent: &mut On<'_>, obj: &Id) -> Given<()> {
    acts(lent)?;
    let Some(gone) = lent.stage.world().kind(obj).cloned() else { return Ok(()) };
    lent.stage.destroy(obj).map_err(|why| stopped(why.into()))?;
    let names = |range: &Range| match range {
        Range::Ref(kinds) => kinds.split(SCOPES).any(|kind| *kind == *gone),
        _ => false,
    };
    let defs: Vec<_> = lent.stage.world().defs().filter(|def| names(&def.range)).cloned().collect();
    for def in defs {
        let having: Vec<Id> = lent.stage.world().having(&def).cloned().collect();
        charge(having.len())?;
        for holder in having {
            let at = Path::new(holder.clone(), def.id.clone());
            if lent.stage.world().value(&at) != Value::Ref(obj.clone()) {
                continue;
            }
            let kind = lent.stage.world().kind(&holder).map(ToString::to_string).unwrap_or_default();
            match lent.run.registry.gone.get(&(def.id.to_string(), kind)).map(String::as_str) {
                Some("destroy") => destroy(lent, &holder)?,
                Some(_) => {}
                None => {
                    let first = if def.default == Value::Ref(obj.clone()) { Value::Null } else { def.default.clone() };
                    set(lent, &holder, &def.id, &held(&first))?;
                }
            }
        }
    }
    Ok(())
}

/// Tries a group by itself: whether it happened.
fn attempt(lent: &mut On<'_>, group: &FnPtr) -> Given<bool> {
    acts(lent)?;
    let run = &mut *lent.run;
    let (law, queued) = (run.law, run.queue.len());
    let done = lent.stage.attempt(&mut |stage| {
        let got = call_pointer(stage, run, law, group, Vec::new())?;
        match got.as_bool() {
            Ok(false) => Err(Stop::Refused(kernel::Refusal::new("it was not done"))),
            _ => Ok(()),
        }
    });
    match done {
        Ok(()) => Ok(true),
        Err(Stop::Refused(_)) => {
            run.queue.truncate(queued);
            Ok(false)
        }
        Err(fault) => Err(stopped(fault)),
    }
}

fn say(lent: &mut On<'_>, text: &str, to: Option<&Id>) -> Given<()> {
    acts(lent)?;
    charge(10)?;
    let audience = to.map_or(Audience::Public, |seat| Audience::Seat(seat.clone()));
    lent.stage.say(audience, Document::say(sentence(text)));
    Ok(())
}

/// A text of a law with the full stop of a sentence.
fn sentence(text: &str) -> String {
    match text.trim_end() {
        text if text.ends_with(['.', '!', '?', ':']) => text.to_owned(),
        text => format!("{text}."),
    }
}

fn schedule(lent: &mut On<'_>, after: &str, deed: &str, args: &Map) -> Given<()> {
    acts(lent)?;
    let now = lent.stage.now();
    let Some(at) = play::instant_after(now, after) else {
        return Err(faulty(format!("“{after}” is no length of time: “2 days”, “12 hours”")));
    };
    if !lent.run.registry.acts.contains_key(deed) {
        return Err(faulty(format!("no law has the deed “{deed}”")));
    }
    let Some(rule) = lent.run.rule().cloned() else { return Ok(()) };
    let args = args.iter().map(|(name, is)| Ok((name.to_string(), value(is)?))).collect::<Given<_>>()?;
    lent.stage.set_later(None, Some(Later { at, rule, deed: deed.to_owned(), args }));
    Ok(())
}

fn unschedule(lent: &mut On<'_>, deed: &str, args: &Map) -> Given<()> {
    acts(lent)?;
    for (number, later) in lent.stage.later() {
        let mut fits = later.deed == deed;
        for (name, is) in args {
            fits &= later.args.get(name.as_str()) == Some(&value(is)?);
        }
        if fits {
            lent.stage.set_later(Some(number), None);
        }
    }
    Ok(())
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_indexer_set(|obj: &mut Obj, name: ImmutableString, to: Dynamic| -> Given<()> {
        on(|lent| set(lent, &obj.0, &name, &to))
    });
    engine.register_fn("lose", |obj: Obj, name: ImmutableString, by: Dynamic| -> Given<Dynamic> {
        let by = as_number(&by).ok_or_else(|| faulty("what is lost is a number"))?;
        on(|lent| moved(lent, &obj.0, &name, &-&by)).map(|moved| as_number(&moved).map_or(moved, |by| number(&-&by)))
    });
    engine.register_fn("gain", |obj: Obj, name: ImmutableString, by: Dynamic| -> Given<Dynamic> {
        let by = as_number(&by).ok_or_else(|| faulty("what is gained is a number"))?;
        on(|lent| moved(lent, &obj.0, &name, &by))
    });
    engine.register_fn("create", |kind: ImmutableString, with: Map| on(|lent| create(lent, &kind, &with)));
    engine.register_fn("create", |kind: ImmutableString| on(|lent| create(lent, &kind, &Map::new())));
    engine.register_fn("destroy", |obj: Obj| on(|lent| destroy(lent, &obj.0)));
    engine.register_fn("perform", |act: ImmutableString, with: Map| -> Given<Dynamic> {
        on(|lent| {
            acts(lent)?;
            play::perform(lent.stage, lent.run, &act, with).map_err(stopped)
        })
    });
    engine.register_fn("attempt", |group: FnPtr| on(|lent| attempt(lent, &group)));
    engine.register_fn("apply", |text: ImmutableString| -> Given<()> {
        on(|lent| {
            acts(lent)?;
            let rule = lent.run.rule().cloned().unwrap_or_else(|| "".into());
            lent.stage.directives(&text, &rule).map_err(|why| stopped(why.into()))
        })
    });
    engine.register_fn("schedule", |after: ImmutableString, deed: ImmutableString, args: Map| {
        on(|lent| schedule(lent, &after, &deed, &args))
    });
    engine.register_fn("unschedule", |deed: ImmutableString, args: Map| on(|lent| unschedule(lent, &deed, &args)));
    engine.register_fn("say", |text: Dynamic| -> Given<()> {
        on(|lent| {
            let text = shown(lent.stage, &text);
            say(lent, text.trim_matches(['“', '”']), None)
        })
    });
    engine.register_fn("tell", |who: Obj, text: ImmutableString| on(|lent| say(lent, &text, Some(&who.0))));
    engine.register_fn("refuse", |why: ImmutableString| -> Given<()> { Err(refused(why.as_str())) });
    engine.register_fn("require", |holds: bool, why: ImmutableString| -> Given<()> {
        if holds { Ok(()) } else { Err(refused(why.as_str())) }
    });
    // Whether a list has an object: `x in list`.
    engine.register_fn("contains", |list: rhai::Array, is: Obj| {
        list.iter().any(|held| as_object(held).is_some_and(|held| held == is.0))
    });
    engine.register_fn("contains", |args: &mut Args, name: ImmutableString| !args.get(&name).is_unit());
}
