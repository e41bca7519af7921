//! What a law declares: kinds, attributes, acts, and what its functions are called for.
//!
//! All of it is declared at the top of a law, where nothing can be changed.

use std::collections::BTreeSet;

use rhai::{Array, Engine, FnPtr, ImmutableString, Map};

use kernel::{names, own_command::clash, rulebook};

use super::{
    super::{
        counts::{self, Limit},
        declared::{ActDecl, AttrDecl, DisplayDecl, EACH, FigureDecl, ParamDecl, ThingDecl, kind_id},
        declaring::{Declaring, Hook, Part},
        fault::{Given, faulty},
        limits::{ACT_PARAMS_MAX_COUNT, LAW_MAX_ACTIONS},
        params,
        pending::Needs,
        play,
        registry::{LAW, NAME_MAX_BYTES, OF_RULE},
        run::{Mode, on},
        script::frozen,
        values::value,
    },
    effects::one_line,
};

/// Declares something that the law of a rule can declare.
pub(super) fn declare(does: impl FnOnce(&mut Declaring) -> Given<()>) -> Given<()> {
    declare_anywhere(|declaring| match declaring.document {
        true => Err(faulty("the law of a document declares parts and attributes alone")),
        false => does(declaring),
    })
}

/// Declares something that the law of a document can declare, too.
fn declare_anywhere(does: impl FnOnce(&mut Declaring) -> Given<()>) -> Given<()> {
    on(|lent| match &mut lent.run.mode {
        Mode::Declare(declaring) => {
            does(declaring)?;
            declaring.within()
        }
        Mode::Look | Mode::Act => Err(faulty("a function declares nothing: that stands at the top of a law")),
    })
}

/// Options by name, none of which may be unknown.
pub(super) fn known(options: &Map, names: &[&str]) -> Given<()> {
    match options.keys().find(|name| !names.contains(&name.as_str())) {
        Some(other) => Err(faulty(format!("there is no option “{other}”; there are {}", names.join(", ")))),
        None => Ok(()),
    }
}

/// An option that is a text; the empty one where it is left out.
pub(super) fn text(options: &Map, name: &str) -> Given<String> {
    let Some(is) = options.get(name) else { return Ok(String::new()) };
    is.clone().into_string().map_err(|kind| faulty(format!("the option “{name}” is a text, and this is {kind}")))
}

/// An option that is yes or no; no where it is left out.
pub(super) fn yes(options: &Map, name: &str) -> Given<bool> {
    let Some(is) = options.get(name) else { return Ok(false) };
    is.as_bool().map_err(|kind| faulty(format!("the option “{name}” is true or false, and this is {kind}")))
}

/// Whether an act is sealed, and for which office.
fn sealed(options: &Map) -> Given<(bool, String)> {
    let Some(how) = options.get("sealed").and_then(|is| is.clone().try_cast::<Map>()) else {
        return Ok((yes(options, "sealed")?, String::new()));
    };
    known(&how, &["reader"])?;
    let reader = text(&how, "reader")?;
    match reader.is_empty() {
        true => Err(faulty("what is sealed for a reader names an office: #{reader: \"Referee\"}")),
        false => Ok((true, reader)),
    }
}

/// A name of something that players type: words of letters, in lower case.
pub(super) fn name(words: &str) -> Given<String> {
    let words = words.trim();
    let fits =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    match words.split(' ').all(fits) && words.len() <= NAME_MAX_BYTES && words.split(' ').count() <= NAME_MAX_WORDS {
        true => Ok(words.to_owned()),
        false => Err(faulty(format!("“{words}” is no name of an act: one or two words of small letters"))),
    }
}

/// A name of a command, which does not begin as those do by which laws are answered.
fn command(words: &str) -> Given<String> {
    let name = name(words)?;
    if name.split(' ').next() == Some(LAW) {
        return Err(faulty(format!("no command of a law begins with “{LAW}”: the program's do")));
    }
    match name.starts_with(OF_RULE) {
        true => Err(faulty(format!("no command of a law begins with “{OF_RULE}”: a name that another rule has does"))),
        false => Ok(name),
    }
}

/// Most words of a name of an act.
const NAME_MAX_WORDS: usize = 2;

/// What a network puts behind the name of a text or a player, for a second field of it.
const BESIDE_A_FIELD: &[&str] = &["-file", "-person"];

/// The options of an action.
const ACTION_OPTIONS: &[&str] =
    &["who", "needs", "tried", "limit", "forum", "sealed", "keep", "help", "examples", "group", "answer"];

fn act(is: &str, options: &Map, params: &Array, deed: bool, units: &[String]) -> Given<ActDecl> {
    known(options, ACTION_OPTIONS)?;
    let (limit, forum) = (text(options, "limit")?, text(options, "forum")?);
    match Limit::read(&limit) {
        Some(read) if !units.contains(&read.unit) => {
            let units = units.join(", ");
            return Err(faulty(format!("“{limit}” is no limit: the periods of this game are {units}")));
        }
        None if options.contains_key("limit") => {
            let how = "“once a day”, “3 a week”, “once a week for the office”";
            return Err(faulty(format!("“{limit}” is no limit: {how}")));
        }
        _ => {}
    }
    let needs = text(options, "needs")?;
    if !needs.is_empty() && Needs::read(&needs).is_none() {
        return Err(faulty(format!(
            "“{needs}” says nothing that is needed: “without 2 objections within 2 days”, “with 4 support”"
        )));
    }
    let tried = yes(options, "tried")?;
    if tried && needs.is_empty() {
        return Err(faulty("the option “tried” is of an act that needs others: what needs nobody is done at once"));
    }
    if !["", "public", "private"].contains(&forum.as_str()) {
        return Err(faulty(format!("a forum is “public” or “private”, and not “{forum}”")));
    }
    let (sealed, reader) = sealed(options)?;
    let keep = text(options, "keep")?;
    let keeps_for = keep.strip_prefix("last for ").unwrap_or_default().to_owned();
    let keeps_last = sealed && (keep == "last" || !keeps_for.is_empty());
    if !keep.is_empty() && !keeps_last {
        return Err(faulty(format!("“keep” is “last” or “last for PARAMETER”, of sealed acts, and not “{keep}”")));
    }
    if (sealed || forum == play::PRIVATE) && !needs.is_empty() {
        return Err(faulty("an act that is sealed or private needs nothing of others: they cannot see it"));
    }
    let params = params.iter().map(ParamDecl::read).collect::<Given<Vec<_>>>()?;
    if !keeps_for.is_empty() && params.iter().all(|param| param.name != keeps_for) {
        return Err(faulty(format!("“{is}” takes no “{keeps_for}” for each of which the last is kept")));
    }
    if !deed && params.len() > ACT_PARAMS_MAX_COUNT {
        let why = "Discord shows 25 fields of a command, and a text or a player takes two";
        return Err(faulty(format!(
            "“{is}” takes {} parameters, and at most {ACT_PARAMS_MAX_COUNT}: {why}",
            params.len()
        )));
    }
    if !deed && params.iter().any(|param| param.name == "by") {
        return Err(faulty("“by” is whoever acts, and no command has a parameter of that name"));
    }
    // Where a command is typed, `_` and `-` are one.
    let mut typed = BTreeSet::new();
    if let Some(twice) = params.iter().find(|param| !typed.insert(param.name.replace('_', "-"))) {
        return Err(faulty(format!("two parameters of “{is}” are called “{}”: nobody could give both", twice.name)));
    }
    let beside =
        |name: &String| BESIDE_A_FIELD.iter().map(|behind| format!("{name}{behind}")).find(|one| typed.contains(one));
    if let Some(twice) = typed.iter().find_map(beside) {
        return Err(faulty(format!(
            "no parameter of “{is}” is called “{twice}”: Discord has a field of that name beside"
        )));
    }
    let wrong = |param: &ParamDecl| params::wrong(&param.range).or_else(|| params::wrong_at_first(param));
    if let Some(why) = params.iter().find_map(wrong) {
        return Err(faulty(why));
    }
    let examples = match options.get("examples") {
        Some(is) => is.clone().try_cast::<Array>().ok_or_else(|| faulty("the option “examples” is a list of lines"))?,
        None => Array::new(),
    };
    let name = if deed { is.trim().to_owned() } else { command(is)? };
    let needed = params.iter().any(|param| !param.optional);
    let line = |is: rhai::Dynamic| {
        let line = is.into_string().map_err(|_| faulty("an example is a line"))?;
        // Who does it, or where, may stand before its words: `as Acme: corporation pay Ann 5`.
        let parts = line.split_once(name.as_str()).filter(|(before, _)| before.is_empty() || before.ends_with(' '));
        let values = parts.map(|(_, values)| values).filter(|values| values.is_empty() || values.starts_with(' '));
        match values {
            None => Err(faulty(format!("the example “{line}” does not have the words of “{name}”"))),
            Some("") if needed => Err(faulty(format!("the example “{line}” lacks what “{name}” needs"))),
            Some(values) if params.is_empty() && !values.is_empty() => {
                Err(faulty(format!("the example “{line}” gives “{name}” more than it takes")))
            }
            Some(_) => Ok(line),
        }
    };
    let examples = examples.into_iter().map(line).collect::<Given<_>>()?;
    Ok(ActDecl {
        name,
        deed,
        params,
        who: text(options, "who")?,
        needs,
        tried,
        sealed,
        reader,
        keeps_last,
        keeps_for,
        limit,
        forum,
        help: one_line(&text(options, "help")?),
        group: one_line(&text(options, "group")?),
        answer: text(options, "answer")?,
        examples,
    })
}

pub(super) fn add(is: &str, options: &Map, params: &Array, deed: bool, does: &FnPtr) -> Given<()> {
    let units = on(|lent| counts::units(lent.stage));
    declare(|declaring| {
        let act = act(is, options, params, deed, &units)?;
        let acts = &mut declaring.declared.acts;
        if acts.iter().any(|other| other.name == act.name) {
            return Err(faulty(format!("“{}” is declared twice", act.name)));
        }
        if let Some(other) = acts.iter().find(|other| !deed && !other.deed && clash(&other.name, &act.name)) {
            let why =
                format!("nobody could type both “{}” and “{}”: one begins with all of the other", act.name, other.name);
            return Err(faulty(why));
        }
        if !deed && acts.iter().filter(|act| !act.deed).count() >= LAW_MAX_ACTIONS {
            return Err(faulty(format!("a law adds at most {LAW_MAX_ACTIONS} commands")));
        }
        let hook = Hook::Act(act.name.clone());
        acts.push(act);
        declaring.hook(hook, does)
    })
}

/// `hp of player: whole number from 0, 10 at first`, in its parts.
pub(super) fn attribute(words: &str, options: &Map) -> Given<AttrDecl> {
    known(options, &["gone", "nothing"])?;
    let parts = words.split_once(':').and_then(|(what, range)| Some((what.split_once(" of ")?, range)));
    let Some(((name, of), range)) = parts else {
        return Err(faulty(format!(
            "“{words}” defines nothing: “name of kind: range”, as in “hp of player: whole number”"
        )));
    };
    let gone = text(options, "gone")?;
    if !["", "destroy", "keep"].contains(&gone.as_str()) {
        return Err(faulty(format!("“gone” is “destroy” or “keep”, and not “{gone}”")));
    }
    let (name, of, range) = (name.trim().to_owned(), kind_id(of.trim()), range.trim().to_owned());
    Ok(AttrDecl { name, of, range, gone, nothing: text(options, "nothing")?, document: String::new() })
}

fn kind(is: &str, options: &Map) -> Given<()> {
    known(options, &["law", "changes"])?;
    let (has_law, has_changes) = (yes(options, "law")?, yes(options, "changes")?);
    declare(|declaring| {
        let declared = &mut declaring.declared;
        if is.is_empty() || is.contains(['/', '.']) {
            return Err(faulty(format!("“{is}” is no name of a kind")));
        }
        let is = kind_id(is);
        if has_law {
            declared.documents.push(is.clone());
        }
        if has_changes {
            declared.changes.push(is.clone());
        }
        declared.kinds.push(is);
        Ok(())
    })
}

fn part(name: &str, options: Map, does: Option<&FnPtr>) -> Given<()> {
    declare_anywhere(|declaring| {
        if !declaring.document {
            return Err(faulty("parts stand in the law of a document"));
        }
        if declaring.parts.iter().any(|part| part.name == name) {
            return Err(faulty(format!("“{name}” is declared twice")));
        }
        declaring.parts.push(Part { name: name.to_owned(), options, does: does.map(frozen) });
        Ok(())
    })
}

fn there_is(kind: &str, name: &str, with: &Map) -> Given<()> {
    let with = with.iter().map(|(name, is)| Ok((name.to_string(), value(is)?))).collect::<Given<_>>()?;
    let kind = kind_id(kind);
    declare(|declaring| {
        let kinds = &mut declaring.declared.kinds;
        if !kinds.contains(&kind) {
            kinds.push(kind.clone());
        }
        declaring.declared.things.push(ThingDecl { kind, name: name.to_owned(), with });
        Ok(())
    })
}

fn define(words: &str, options: &Map) -> Given<()> {
    declare_anywhere(|declaring| {
        let attr = attribute(words, options)?;
        declaring.declared.attrs.push(attr);
        Ok(())
    })
}

fn figure(words: &str, meaning: &str, absent: &str) -> Given<()> {
    let Some((key, range)) = words.split_once(':') else {
        return Err(faulty(format!("“{words}” is no figure: “key: kind”, as in “vote-hours: count from 1”")));
    };
    let [key, range, meaning, absent] = [key, range, meaning, absent].map(|words| words.trim().to_owned());
    rulebook::declared([&key.replace(EACH, "x"), &range, &meaning, &absent]).map_err(faulty)?;
    declare(|declaring| {
        let figures = &mut declaring.declared.figures;
        if figures.iter().any(|other| other.key == key) {
            return Err(faulty(format!("the figure “{key}” is declared twice")));
        }
        figures.push(FigureDecl { key, range, meaning, absent });
        Ok(())
    })
}

fn display(is: &str, title: &str, options: &Map, shows: &FnPtr) -> Given<()> {
    known(options, &["front"])?;
    let (name, front) = (name(is)?, yes(options, "front")?);
    if name.contains(' ') {
        let joined = name.replace(' ', "-");
        return Err(faulty(format!("a display has a name of one word: “{joined}”")));
    }
    names::of_thing(title).map_err(|why| faulty(format!("the title of a display: {why}")))?;
    declare(|declaring| {
        declaring.declared.displays.push(DisplayDecl { name: name.clone(), title: title.to_owned(), front });
        declaring.hook(Hook::Display(name), shows)
    })
}

/// The option by which something has its place among all that is done at one instant.
///
/// # Errors
///
/// Where there are other options, or it is no whole number.
pub(super) fn ranked(options: &Map) -> Given<Option<i64>> {
    known(options, &["rank"])?;
    let read =
        |is: &rhai::Dynamic| is.as_int().map_err(|kind| faulty(format!("the rank is a whole number, and no {kind}")));
    options.get("rank").map(read).transpose()
}

fn placed(hook: Hook, options: &Map, does: &FnPtr) -> Given<()> {
    let rank = ranked(options)?;
    declare(|declaring| declaring.hook_at(hook, rank, does))
}

fn at(moment: &str, on: &Array, options: &Map, does: &FnPtr) -> Given<()> {
    let on = on.iter().map(|number| number.as_int().map_err(|_| faulty("“at” takes whole numbers")));
    placed(Hook::At(moment.to_owned(), on.collect::<Given<_>>()?), options, does)
}

/// What must always hold of each object of a kind that has these values.
fn each(kind: &str, with: &Map, does: &FnPtr) -> Given<()> {
    let with = with.iter().map(|(name, is)| Ok((name.to_string(), value(is)?))).collect::<Given<_>>()?;
    declare(|declaring| declaring.hook(Hook::Whenever(Some((kind_id(kind), with))), does))
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("kind", |is: ImmutableString| kind(&is, &Map::new()));
    engine.register_fn("kind", |is: ImmutableString, options: Map| kind(&is, &options));
    engine.register_fn("part", |name: ImmutableString, options: Map| part(&name, options, None));
    engine.register_fn("part", |name: ImmutableString, does: FnPtr| part(&name, Map::new(), Some(&does)));
    engine.register_fn("part", |name: ImmutableString, options: Map, does: FnPtr| part(&name, options, Some(&does)));
    engine.register_fn("are", |kind: ImmutableString, class: ImmutableString| {
        declare(|declaring| {
            declaring.declared.classes.push((kind_id(&kind), kind_id(&class)));
            Ok(())
        })
    });
    engine.register_fn("define", |words: ImmutableString| define(&words, &Map::new()));
    engine.register_fn("define", |words: ImmutableString, options: Map| define(&words, &options));
    engine.register_fn("figure", |words: ImmutableString, meaning: ImmutableString, absent: ImmutableString| {
        figure(&words, &meaning, &absent)
    });
    engine.register_fn("there_is", |kind: ImmutableString, name: ImmutableString| there_is(&kind, &name, &Map::new()));
    engine.register_fn("there_is", |kind: ImmutableString, name: ImmutableString, with: Map| {
        there_is(&kind, &name, &with)
    });
    engine.register_fn("action", |is: ImmutableString, params: Array, does: FnPtr| {
        add(&is, &Map::new(), &params, false, &does)
    });
    engine.register_fn("action", |is: ImmutableString, options: Map, params: Array, does: FnPtr| {
        add(&is, &options, &params, false, &does)
    });
    engine.register_fn("deed", |is: ImmutableString, params: Array, does: FnPtr| {
        add(&is, &Map::new(), &params, true, &does)
    });
    engine.register_fn("condition", |is: ImmutableString, holds: FnPtr| {
        declare(|declaring| declaring.hook(Hook::Condition(is.to_string()), &holds))
    });
    engine.register_fn("speaks_for", |kind: ImmutableString, may: FnPtr| {
        declare(|declaring| declaring.hook(Hook::Speaks(kind_id(&kind)), &may))
    });
    engine.register_fn("change", |act: ImmutableString, does: FnPtr| {
        if act.starts_with("change of ") {
            return Err(faulty("a change of a value is barred by “forbid” or followed by “after”, and not altered"));
        }
        declare(|declaring| declaring.hook(Hook::Change(act.to_string()), &does))
    });
    engine.register_fn("forbid", |act: ImmutableString, when: FnPtr, why: ImmutableString| {
        declare(|declaring| declaring.hook(Hook::Forbid(act.to_string(), why.to_string()), &when))
    });
    engine.register_fn("after", |act: ImmutableString, does: FnPtr| {
        placed(Hook::After(act.to_string()), &Map::new(), &does)
    });
    engine.register_fn("after", |act: ImmutableString, options: Map, does: FnPtr| {
        placed(Hook::After(act.to_string()), &options, &does)
    });
    engine.register_fn("at", |moment: ImmutableString, does: FnPtr| at(&moment, &Array::new(), &Map::new(), &does));
    engine.register_fn("at", |moment: ImmutableString, on: Array, does: FnPtr| at(&moment, &on, &Map::new(), &does));
    engine.register_fn("at", |moment: ImmutableString, options: Map, does: FnPtr| {
        at(&moment, &Array::new(), &options, &does)
    });
    engine.register_fn("at", |moment: ImmutableString, on: Array, options: Map, does: FnPtr| {
        at(&moment, &on, &options, &does)
    });
    engine.register_fn("whenever", |does: FnPtr| placed(Hook::Whenever(None), &Map::new(), &does));
    engine.register_fn("whenever", |options: Map, does: FnPtr| placed(Hook::Whenever(None), &options, &does));
    engine.register_fn("whenever", |kind: ImmutableString, does: FnPtr| each(&kind, &Map::new(), &does));
    engine.register_fn("whenever", |kind: ImmutableString, with: Map, does: FnPtr| each(&kind, &with, &does));
    engine.register_fn("display", |is: ImmutableString, title: ImmutableString, shows: FnPtr| {
        display(&is, &title, &Map::new(), &shows)
    });
    engine.register_fn("display", |is: ImmutableString, title: ImmutableString, options: Map, shows: FnPtr| {
        display(&is, &title, &options, &shows)
    });
}
