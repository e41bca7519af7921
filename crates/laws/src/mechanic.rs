//! The mechanic of all laws: it is like any other, and the kernel cannot tell that scripts stand behind it.
//!
//! A rule's law begins and ends in the entry that brings its rule into force, amends or repeals it. From then on its
//! commands, displays and attributes are read from what it declared, and its functions are called.

use std::{collections::BTreeMap, sync::Arc};

use rhai::{Dynamic, Map};
use serde::Deserialize;
use serde_json::Value as Json;

use kernel::{
    Act, Display, Draft, Event, Id, Instant, Mechanic, Outcome, Path, Phase, Refusal, State, Verb,
    clean::prose,
    display::Document,
    draft::Payer,
    entry::{Change, Due},
    mechanic::{Fate, Judged, Lapse, Proposals, Tried},
    own_command::OwnCommand,
    rulebook::{LiveKey, Played, RuleAct, RuleOp},
    table::Row,
    world::Op,
};

use super::{
    adopting, appointing, asked, ballots,
    budgets::{self, Budget},
    calendar, commands, counts,
    declared::{ActDecl, FigureDecl},
    displays,
    docket_decl::{self, Means},
    docket_page,
    docket_rows::{Docket, Poll, Vote, Wording},
    engines,
    fault::Stop,
    faults, foresight,
    fuel::looking,
    languages::Spoken,
    lifetimes,
    moments::moved,
    names, natives, params, pending,
    play::{self, Called},
    polls,
    registry::{REFUSED, Registry},
    room::{Hosts, operations},
    run::{Faulty, Happening, Mode, Run, at_its_expense, call},
    script::Function,
    sealed,
    session::{look, looking as looked_at, with},
    stage::Stage,
    tables::{
        Announced, Ask, Done, Enacted, Faults, Intent, Later, Midnight, Posted, Ran, Sealed, is_sealed, remembers,
    },
    then::Then,
    values::{Args, Obj, as_object, held},
};

/// What keys of deeds that are set for later begin with.
const LATER_KEY: &str = "law/";
/// What keys of what somebody is asked for begin with.
const ASK_KEY: &str = "law-ask/";
/// What keys of acts that need others begin with.
const INTENT_KEY: &str = "law-intent/";

/// A command of a law, as it is typed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Typed {
    act: String,
    #[serde(default)]
    args: serde_json::Map<String, Json>,
    /// For what somebody speaks who does not act emself.
    #[serde(default, rename = "as")]
    speaks_for: Option<Json>,
    /// The rule whose command it was when it was typed.
    #[serde(default)]
    of: Option<Id>,
}

/// What laws add to play: what they set for later has this rank among what shares an instant, and their displays stand at
/// this place of the list.
pub fn mechanic<G: Hosts>(rank: u8, place: u8) -> Mechanic<G> {
    let comes = move |state: &State<G>| {
        if none_plays(state) {
            return Vec::new();
        }
        let due = |at, key, number| Due { at, rank, key: format!("{key}{number}").into() };
        let asks = state.rows::<Ask>().iter().filter_map(|(number, ask)| Some(due(ask.due()?, ASK_KEY, *number)));
        let intents = state.rows::<Intent>().iter().map(|(number, intent)| due(intent.at, INTENT_KEY, *number));
        let later = budgets::coming(state).into_iter().map(|(at, number, _)| due(at, LATER_KEY, number));
        let polls = polls::coming(state, rank).into_iter();
        asks.chain(intents).chain(calendar::next(state, rank)).chain(later).chain(polls).collect()
    };
    let does = |due: Due, d: &mut Draft<'_, G>| match calendar::is_midnight(&due) {
        true => calendar::midnight(&due, d),
        false => do_later(&due, d),
    };
    // What is due inside a moderator's pause never happens.
    let lapse = |due: Due, d: &mut Draft<'_, G>| match calendar::is_midnight(&due) {
        true => calendar::passed(&due, d),
        false if is_late(d, &due) => do_later(&due, d),
        false => forget(&due, d),
    };
    engines::make(natives::register);
    Mechanic::new("laws")
        .table::<Enacted>()
        .table::<Later>()
        .table::<Ask>()
        .table::<Intent>()
        .table::<Sealed>()
        .table::<Done>()
        .table::<Faults>()
        .table::<Posted>()
        .table::<Midnight>()
        .table::<Budget>()
        .table::<Docket>()
        .table::<Wording>()
        .table::<Poll>()
        .table::<Vote>()
        .table::<Ran>()
        .table::<Spoken>()
        .act(
            Act::new(OwnCommand::ACT, |Typed { act, args, speaks_for, of }, d| {
                let is_its = |of| with(d, Mode::Look, |_, run| run.registry.rule_of(&act) == Some(&of));
                let is_another = of.and_then(is_its) == Some(false);
                if is_another || G::rests(d) {
                    return Err(none(&act));
                }
                let by = speaker(speaks_for.as_ref(), d)?;
                take(&act, &args, by, d)
            })
            .binds(binds)
            .about(|Typed { act, args, .. }, state| about(&act, args, state))
            .note("a law of the rules"),
        )
        .verb(Verb::new(&["vacate"], appointing::vacate))
        .before(judge)
        .judge(judge_changes)
        .refused(|_, d| !none_plays(d), follow_refusal)
        .after(follow)
        .begins(lifetimes::begin_amid)
        .ready(lifetimes::settle)
        .settle(declare)
        .settle(polls::see_to)
        .settle(catch_up)
        .settle(uphold)
        .settle(recount)
        .settle(release)
        .settle(budgets::keep)
        .hears(hear)
        .verb(Verb::new(&["resume law"], |said, d| {
            let words = said.sentence();
            faults::resume(d, words.strip_prefix("of ").unwrap_or(words)).map(Some)
        }))
        .verb(Verb::new(&["confirm"], |said, d| confirm(said.sentence(), d)))
        .verb(Verb::new(&["adopt"], adopting::adopt))
        .figures(figures)
        .corrects(correct)
        .seals(sealed::seals)
        .opens(|state| sealed::seals(state).into_iter().map(|(secret, _)| secret).collect())
        .readers(sealed::reader)
        .phase(Phase::new(rank, comes, does).lapse(lapse).fate(fate))
        .display(Display::among(place, displays::pages, displays::show).knows(docket_page::knows))
        .display(Display::of(displays::OFFERS, displays::offers).fits(|parts| parts > 0).personal())
        .display(Display::of(displays::OBJECTS, displays::objects).fits(|parts| parts == 1))
        .display(Display::of(pending::PENDING, pending::page_of).fits(|parts| parts == 1))
        .display(
            Display::new(sealed::PAGE, |state, asked| sealed::show(state, asked.viewer))
                .personal()
                .reads(sealed::reads),
        )
        .commands(commands::commands)
        .made(asked::made)
        .differs(foresight::differs)
        .warns(foresight::warnings)
        .waits(|state| pending::waits(state).into_iter().chain(docket_page::waits(state)).collect())
        .proposals(Proposals { waiting: docket_page::waiting, passed: docket_page::passed })
        .notes(faults::notes)
        .under(foresight::under)
        .checks(foresight::check)
}

/// The number of what is due, where its key begins so.
fn number(due: &Due, before: &str) -> Option<u64> {
    due.key.strip_prefix(before)?.parse().ok()
}

/// What is due, in words. Inside a moderator's pause it never happens.
fn fate<G: Hosts>(state: &State<G>, due: &Due) -> Lapse {
    let later = number(due, LATER_KEY).and_then(|number| state.row::<Later>(&number));
    let ask = number(due, ASK_KEY).and_then(|number| state.row::<Ask>(&number));
    let intent = number(due, INTENT_KEY).and_then(|number| state.row::<Intent>(&number));
    if let Some((doc, _)) = polls::question(due) {
        let what = if due.key.starts_with(polls::REMIND_KEY) { "a reminder of" } else { "the end of" };
        let label = look(state, state.at, |stage, _| ballots::labelled(stage, &doc));
        let label = label.unwrap_or_else(|| G::called(state, &doc));
        return Lapse { what: format!("{what} the votes on {label}"), fate: Fate::PutOff };
    }
    let what = match (later, ask, intent) {
        (Some(later), ..) => match state.rules.get(&later.rule) {
            Some(rule) => format!("“{}” of rule {}, {}", later.deed, rule.number(), rule.label()),
            None => format!("“{}” of a law", later.deed),
        },
        (_, Some(ask), _) => format!("the end of the time for “{}”", ask.line(|obj| G::called(state, obj))),
        (.., Some(intent)) => format!("“{}”, as {} announced it", intent.act, G::called(state, &intent.by)),
        _ => "a midnight of laws".to_owned(),
    };
    Lapse { what, fate: if is_late(state, due) { Fate::Late } else { Fate::Never } }
}

/// Whether something is done after a pause in which it was due.
fn is_late<G: Hosts>(state: &State<G>, due: &Due) -> bool {
    number(due, LATER_KEY).and_then(|number| state.row::<Later>(&number)).is_some_and(|later| later.late)
}

/// Takes off what is due and will not happen.
fn forget<G: Hosts>(due: &Due, d: &mut Draft<'_, G>) {
    if let Some(question) = polls::question(due) {
        return polls::put_off(due, &question, d);
    }
    if let Some(number) = number(due, LATER_KEY) {
        d.delete::<Later>(&number);
    } else if let Some(number) = number(due, ASK_KEY) {
        d.delete::<Ask>(&number);
    } else if let Some(number) = number(due, INTENT_KEY) {
        d.delete::<Intent>(&number);
    }
}

// ---- acts

/// What is meant by what somebody speaks for.
fn spoken_for<G: Hosts>(words: &Json, d: &mut Draft<'_, G>) -> Result<Id, Refusal> {
    if let Some(bound) = params::link(words).as_ref().and_then(as_object) {
        let gone = || Refusal::new("whatever you spoke for when that was set is gone, and nothing else is meant");
        return d.world.exists(&bound).then_some(bound).ok_or_else(gone);
    }
    let kinds: Vec<Id> =
        with(d, Mode::Look, |_, run| run.registry.speakers.keys().map(|kind| kind.as_str().into()).collect())
            .unwrap_or_default();
    (d as &dyn Stage).find_among(&kinds, words.as_str().unwrap_or_default())
}

/// A command of a law with its rule and with what it names now.
fn binds<G: Hosts>(args: Json, d: &mut Draft<'_, G>) -> Json {
    let Ok(Typed { act, args: given, speaks_for, of }) = Typed::deserialize(&args) else { return args };
    let speaks_for = speaks_for.map(|words| match spoken_for(&words, d) {
        Ok(obj) if words.is_string() => params::linked(&Dynamic::from(Obj(obj)), &words),
        _ => words,
    });
    let given = bound(&act, given, d);
    let (act, mut given) = instead_of_vote(&act, &given, d).unwrap_or((act, given));
    let of = of.or_else(|| with(d, Mode::Look, |_, run| run.registry.rule_of(&act).cloned()).flatten());
    given.extend(speaks_for.map(|of| (OwnCommand::AS.to_owned(), of)));
    let mut fields = OwnCommand::fields(&act, given);
    fields.extend(of.map(|of| ("of".to_owned(), of.to_string().into())));
    Json::Object(fields)
}

/// The act that a vote means whose word is no vote, with what that takes first: the document.
fn instead_of_vote<G: Hosts>(
    act: &str,
    given: &serde_json::Map<String, Json>,
    d: &mut Draft<'_, G>,
) -> Option<(String, serde_json::Map<String, Json>)> {
    with(d, Mode::Look, |stage, run| {
        let said = given.get(docket_decl::VOTE)?.as_str()?;
        let on = given.get(docket_decl::ON)?;
        let kind = ballots::kind_of(stage, &as_object(&params::link(on)?)?);
        let ballot = ballots::of(&run.registry, act, &kind)?;
        let (_, means) = ballot.words.iter().find(|(word, _)| word.eq_ignore_ascii_case(said))?;
        let Means::Does(act) = means else { return None };
        let (act, _) = command_of(&run.registry, act).ok()?;
        let takes = act.params.first()?.name.clone();
        Some((act.name.clone(), [(takes, on.clone())].into_iter().collect()))
    })
    .flatten()
}

/// The document that an act is about, with the revision of its text: an offer is of the text as it stood there.
fn about<G: Hosts>(act: &str, given: serde_json::Map<String, Json>, state: &State<G>) -> Option<String> {
    looked_at(state, state.at, |d| {
        let given = bound(act, given, d);
        with(d, Mode::Look, |stage, run| {
            let objects = given.values().filter_map(|is| as_object(&params::link(is)?));
            let doc = objects.into_iter().find(|obj| run.registry.is_docketed(obj))?;
            let label = ballots::labelled(stage, &doc);
            Some(match ballots::revisions(stage, &doc) {
                0 => format!("{label} as it was posted"),
                last => format!("{label} after revision {last}"),
            })
        })
    })?
}

/// What a condition says is meant where somebody leaves it out: to one that takes somebody, who it is.
fn unsaid(stage: &mut dyn Stage, run: &mut Run, condition: &Function, doer: Option<&Id>) -> Option<Id> {
    let law = run.registry.laws.get(condition.law)?;
    let doer = doer.filter(|_| law.script.takes(&condition.pointer, 1));
    let who = doer.into_iter().map(|who| Dynamic::from(Obj(who.clone()))).collect();
    as_object(&looking(|| call(stage, run, condition, who)).ok()?)
}

/// An object as it is named in what is kept.
fn named(obj: Id) -> Json {
    let said = Json::from(obj.to_string());
    params::linked(&Dynamic::from(Obj(obj)), &said)
}

/// What an act of a law is given, with what it names now; commands among it, too.
fn bound<G: Hosts>(
    act: &str,
    mut given: serde_json::Map<String, Json>,
    d: &mut Draft<'_, G>,
) -> serde_json::Map<String, Json> {
    let doer = d.actor_seat();
    with(d, Mode::Look, |stage, run| {
        let registry = run.registry.clone();
        if let Ok((act, function)) = command_of(&registry, act) {
            params::bind(stage, &registry, &act.params, &mut given);
            for param in act.params.iter().filter(|param| !param.meant.is_empty()) {
                if given.contains_key(&param.name) {
                    continue;
                }
                let Some(condition) = registry.condition(function.law, &param.meant) else { continue };
                if let Some(meant) = unsaid(stage, run, condition, doer.as_ref()) {
                    given.insert(param.name.clone(), named(meant));
                }
            }
            // The only document that is voted on is meant where none is named, whatever is voted on later.
            if let (true, false, Some(only)) = (
                registry.ballots.contains_key(&act.name),
                given.contains_key("on"),
                ballots::only(stage, &registry, &act.name),
            ) {
                given.insert("on".to_owned(), named(only));
            }
        }
    });
    G::mechanics().bind_steps(&mut given, d);
    given
}

/// Who acts: whoever typed it, or what e speaks for where a law lets em.
fn speaker<G: Hosts>(speaks_for: Option<&Json>, d: &mut Draft<'_, G>) -> Result<Option<Id>, Refusal> {
    let by = d.actor_seat();
    let Some(words) = speaks_for else { return Ok(by) };
    let (who, what) = (d.actor()?, spoken_for(words, d)?);
    let kind = d.world.kind(&what).cloned().unwrap_or_else(|| "".into());
    let may = with(d, Mode::Look, |stage, run| {
        let function = run.registry.speakers.get(&*kind)?.clone();
        let args = [&who, &what].map(|obj| Dynamic::from(Obj(obj.clone()))).to_vec();
        Some(looking(|| call(stage, run, &function, args)).is_ok_and(|is| is.as_bool() == Ok(true)))
    });
    match may.flatten() {
        Some(true) => Ok(Some(what)),
        Some(false) => Err(Refusal::new(format!("you do not speak for {}", G::called(d, &what)))),
        None => Err(Refusal::new(format!("nobody speaks for {}", G::called(d, &what)))),
    }
}

/// A command that a law of the room adds, or an answer to one that needs others.
fn take<G: Hosts>(name: &str, given: &serde_json::Map<String, Json>, by: Option<Id>, d: &mut Draft<'_, G>) -> Outcome {
    if matches!(name, pending::OBJECT | pending::SUPPORT) {
        return answer(name == pending::OBJECT, given, d);
    }
    let public = d.public;
    let needs = with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let (act, function) = command_of(&registry, name)?;
        let label = registry.laws.get(function.law).map(|law| law.cited.clone()).unwrap_or_default();
        if act.forum == "public" && !public {
            return Err(Refusal::new("this is done where everybody can read it").by(label));
        }
        // What needs others counts when it is performed, which may be in another period.
        let limit = if act.needs.is_empty() { act.limit.as_str() } else { "" };
        registry
            .may(stage, act, by.as_ref())
            .and_then(|()| counts::within(stage, name, by.as_ref(), limit))
            .map_err(|why| why.or_by(label))?;
        if !act.needs.is_empty() {
            let mut map = pending::given(stage, given, by.as_ref());
            params::fit(stage, &registry, name, &act.params, &mut map)?;
        }
        Ok((act.needs.clone(), act.tried))
    });
    let (needs, tried) = needs.unwrap_or_else(|| Err(none(name)))?;
    match by {
        Some(by) if is_sealed(d, name) => seal(name, given, &by, d),
        Some(by) if !needs.is_empty() => {
            if tried {
                try_out(name, given, &by, d)?;
            }
            let args = bound(name, given.clone(), d);
            match G::ANNOUNCE {
                Some(announce) => announce(d, Announced { act: name.to_owned(), args }),
                None => pending::announce(d, &by, name, &args, &needs),
            }
        }
        by => perform(name, given, by.as_ref(), d),
    }
}

/// Refuses what would be refused if it were done at once.
fn try_out<G: Hosts>(
    name: &str,
    given: &serde_json::Map<String, Json>,
    by: &Id,
    d: &mut Draft<'_, G>,
) -> Result<(), Refusal> {
    let mut why = None;
    // Whatever it comes to is taken back.
    let _undone: Result<(), Refusal> = d.attempt(|d| {
        d.tried = true;
        why = perform(name, given, Some(by), d).err();
        d.tried = false;
        Err(Refusal::new("it is only tried"))
    });
    why.map_or(Ok(()), Err)
}

/// Somebody objects to an act that was announced, or supports it.
fn answer<G: Hosts>(objects: bool, given: &serde_json::Map<String, Json>, d: &mut Draft<'_, G>) -> Outcome {
    let number = given.get(pending::INTENT).and_then(|is| is.as_u64().or_else(|| is.as_str()?.parse().ok()));
    let Some(number) = number else {
        return Err(Refusal::new("what was announced is named by its number").instead("show pending"));
    };
    if pending::answer(d, number, objects)? {
        ripen(number, d);
    }
    let said = if objects { "You object to" } else { "You support" };
    Ok(Document::say(format!("{said} what is announced as number {number}.")))
}

/// The time of an act that was announced is over, or it has what it needs: it is done, or lapses.
fn ripen<G: Hosts>(number: u64, d: &mut Draft<'_, G>) {
    let Some(intent) = d.delete::<Intent>(&number) else { return };
    let done = pending::ripe(&intent)
        .and_then(|()| d.attempt(|d| perform(&intent.act, &intent.args, Some(&intent.by), d)).map_err(|why| why.say));
    let who = G::called(d, &intent.by);
    let told = match done {
        Ok(_) => format!("“{}” of {who}, number {number}, is done {}.", intent.act, intent.needs),
        Err(why) => format!("“{}” of {who}, number {number}, is not done: {why}.", intent.act),
    };
    d.tell_all(told);
}

/// Seals a command of a law, once its body let it pass. What that refuses goes to its doer alone.
fn seal<G: Hosts>(name: &str, given: &serde_json::Map<String, Json>, by: &Id, d: &mut Draft<'_, G>) -> Outcome {
    let checked = with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let (act, function) = command_of(&registry, name)?;
        let map = pending::given(stage, given, Some(by));
        let (given, asked) = sealed::checked(stage, run, name, function, map).map_err(|stop| match stop {
            Stop::Refused(why, _) => why,
            // Without the line, which might tell of what is sealed.
            Stop::Fault(_) => Refusal::new("the law cannot be carried out, and nothing happened"),
        })?;
        // What it is given stays sealed, also where it is just what was asked for.
        let seen = pending::given(stage, &serde_json::Map::new(), Some(by));
        pending::fulfil(stage, name, &seen);
        asked.into_iter().try_for_each(|ask| pending::ask(stage, &registry, ask))?;
        // It counts from now on: nobody knows when it is opened.
        counts::count(stage, &registry, name, Some(by));
        Ok((given, act.clone()))
    });
    let (given, act) = checked.unwrap_or_else(|| Err(none(name)))?;
    Ok(sealed::seal(d, name, by, &given, &act))
}

fn command_of<'r>(registry: &'r Registry, name: &str) -> Result<(&'r ActDecl, &'r Function), Refusal> {
    let found = registry.acts.get(name).filter(|(act, _)| !act.deed);
    found.map(|(act, function)| (act, function)).ok_or_else(|| none(name))
}

/// Does a command of a law as somebody, with what follows, now or as it was announced before.
///
/// # Errors
///
/// Why it is not done.
pub(crate) fn perform<G: Hosts>(
    name: &str,
    given: &serde_json::Map<String, Json>,
    by: Option<&Id>,
    d: &mut Draft<'_, G>,
) -> Outcome {
    // Somebody has asked for it, also where that was before.
    let (payer, others) = (d.payer.clone(), d.meter().others);
    if payer == Payer::Each {
        (d.payer, d.meter().others) = (Payer::Asker, d.meter().operations);
    }
    // An act that is tried is taken back anyhow, and of several that are one all are.
    let alone = !d.is_part() && !d.tried;
    let mut left = None;
    let done = with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let (act, function) = command_of(&registry, name)?;
        let Some(law) = registry.laws.get(function.law) else { return Err(none(name)) };
        registry
            .may(stage, act, by)
            .and_then(|()| counts::within(stage, name, by, &act.limit))
            .map_err(|why| why.or_by(law.cited.clone()))?;
        let map = pending::given(stage, given, by);
        (run.answer, run.reply) = (None, None);
        let (why, told) = match play::perform(stage, run, name, map) {
            Ok(got) => {
                play::follow(stage, run);
                if let Some(reply) = run.reply.take().filter(|_| run.answer.is_none()) {
                    return Ok(reply);
                }
                let said = got.into_string().ok().or_else(|| run.answer.take());
                let said = said.or_else(|| Some(act.answer.clone()).filter(|answer| !answer.is_empty()));
                return Ok(match said {
                    Some(said) => Document::said(&law.sign, prose(&said)),
                    None => Document::say(format!("“{name}” is done.")),
                });
            }
            Err(Stop::Refused(why, _)) => {
                let why = why.or_by(law.cited.clone());
                let told = undone(&why);
                (why, told)
            }
            Err(Stop::Fault(fault)) => {
                let why = format!("the law cannot be carried out, and nothing happened: {}", fault.told(&law.source));
                let counted = by.is_none_or(|by| faults::is_counted(stage, &law.rule, &function.name, by));
                // One doer counts once, whatever e learned meanwhile.
                if !counted && !fault.rests {
                    run.note(function, fault);
                    if let Some(faulty) = run.faults.last_mut() {
                        faulty.by = by.cloned();
                    }
                }
                let told = Document::say(format!("{}.", names::capital(&why)));
                (Refusal::new(why), told)
            }
        };
        // What leaves anything on record is an entry: faults are counted, laws follow a refusal, and whoever could take an act
        // back would know what was sealed, or how the next dice fall.
        if run.went_wrong() || !run.refused.is_empty() || alone && run.has_learned(stage) {
            left = Some(Left::of(run, told));
        }
        Err(why.or_by(law.cited.clone()))
    });
    (d.payer, d.meter().others) = (payer, others);
    leave(left, d);
    done.unwrap_or_else(|| Err(none(name)))
}

/// What is left of an act that was refused. Whoever asked for it is refused and takes back what e did; this stays.
struct Left {
    refused: Vec<Happening>,
    faults: Vec<Faulty>,
    unsealed: Vec<u64>,
    /// What is answered to its doer, where it was part of nothing else.
    told: Document,
}

impl Left {
    fn of(run: &mut Run, told: Document) -> Self {
        Self {
            refused: std::mem::take(&mut run.refused),
            faults: std::mem::take(&mut run.faults),
            unsealed: std::mem::take(&mut run.unsealed),
            told,
        }
    }

    /// Hands it to what goes on with it.
    fn go_on(self, run: &mut Run) {
        run.refused.extend(self.refused);
        run.faults.extend(self.faults);
        run.unsealed.extend(self.unsealed);
    }
}

/// Leaves it until what the act was part of is over. Of what is only tried nothing is left.
fn leave<G: Hosts>(left: Option<Left>, d: &mut Draft<'_, G>) {
    if d.tried {
        return;
    }
    if let Some(left) = left {
        d.left().push(Box::new(left));
    }
}

/// All that was left.
fn taken_up<G: Hosts>(d: &mut Draft<'_, G>) -> Vec<Left> {
    let left = std::mem::take(d.left()).into_iter();
    left.filter_map(|left| left.downcast::<Left>().ok()).map(|left| *left).collect()
}

/// Says that the law of a rule still fits its words, which changed.
fn confirm<G: Hosts>(rule: &str, d: &mut Draft<'_, G>) -> Result<Option<String>, Refusal> {
    let held = d.rules.find(rule.trim().trim_start_matches("rule "))?;
    let (name, was, revision) = (held.label(), held.played(), held.revision());
    if held.outdated().is_none() {
        return Err(Refusal::new(format!("{name} is played as it reads")).instead(format!("rule {}", held.number())));
    }
    let op = RuleOp::new(held.id().clone(), RuleAct::Settle { to: Played { revision, by_hand: false }, was });
    d.rules.check(&op)?;
    d.rule(op);
    Ok(Some(format!("{name} is played as it reads now")))
}

/// A moderator resumes the law of a rule, or suspends it: `correct law/12 running`.
fn correct<G: Hosts>(path: &str, to: &str, d: &mut Draft<'_, G>) -> Option<Result<(), Refusal>> {
    let rule = path.strip_prefix("law/")?;
    Some(match to.trim() {
        "running" | "resumed" => faults::resume(d, rule).map(drop),
        "suspended" => faults::suspend(d, rule),
        other => Err(Refusal::new(format!("a law is “running” or “suspended”, and not “{other}”"))),
    })
}

fn none(name: &str) -> Refusal {
    Refusal::new(format!("no rule in force has the command “{name}”")).instead("help")
}

/// Whether no law is played in a room.
fn none_plays<G: Hosts>(state: &State<G>) -> bool {
    state.rows::<Enacted>().is_empty() || G::rests(state)
}

/// Lets laws change and bar an act of the game's own.
fn judge<G: Hosts>(tried: &Tried<'_>, d: &mut Draft<'_, G>) -> Result<Judged, Refusal> {
    let unbarred = tried.unstoppable || tried.act == OwnCommand::ACT || G::UNBARRED.contains(&tried.act);
    if unbarred || none_plays(d) {
        return Ok(Judged::AsItIs);
    }
    let name = G::named(tried.act);
    let given = given(tried, d);
    let mut left = None;
    let judged = with(d, Mode::Act, |stage, run| {
        if !run.registry.bars.contains_key(&name) && !run.registry.changes.contains_key(&name) {
            return Ok(Judged::AsItIs);
        }
        let before = happening(stage, name.clone(), &given).args;
        let args = Args::new(before.clone());
        if let Err(stop) = play::judged(stage, run, &name, &args) {
            let why = Refusal::from(stop);
            if run.went_wrong() {
                left = Some(Left::of(run, undone(&why)));
            }
            return Err(why);
        }
        let after = args.all();
        let changed = params::handed_back(&before, &after, tried.args).unwrap_or_else(|fault| {
            // The strongest rule had the last word: the act is as if no law had changed it.
            let last = run.registry.clone();
            if let Some(change) = last.changes.get(&name).and_then(|all| all.first()) {
                run.note(change, fault);
            }
            None
        });
        match changed {
            Some(_) => play::tell_changes(stage, run, &name, &after),
            None => run.altered.clear(),
        }
        Ok(changed.map_or(Judged::AsItIs, Judged::With))
    });
    leave(left, d);
    judged.unwrap_or(Ok(Judged::AsItIs))
}

/// Lets laws bar what a directive has changed.
fn judge_changes<G: Hosts>(from: usize, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
    if none_plays(d) {
        return Ok(());
    }
    let done = Arc::new(operations(d, from));
    let places = done.iter().filter_map(|(op, by)| match op {
        Op::Set { at, .. } | Op::Add { at, .. } => Some((at, by.as_ref())),
        _ => None,
    });
    // Each with in whose act it was changed last.
    let places: BTreeMap<&Path, Option<&Id>> = places.collect();
    let mut left = None;
    let judged = with(d, Mode::Act, |stage, run| {
        let before = Then::after(stage, &done, 0);
        for (at, by) in places {
            let now = stage.world().value(at);
            if let Err(stop) = play::changes(stage, run, at, (&|| before.value(at), &now), by) {
                let why = Refusal::from(stop);
                left = Some(Left::of(run, undone(&why)));
                return Err(why);
            }
        }
        Ok(())
    });
    leave(left, d);
    judged.unwrap_or(Ok(()))
}

/// The figures that laws in force declare.
fn figures<G: Hosts>(state: &State<G>) -> Vec<&'static LiveKey> {
    let of_law = |(rule, law): (&Id, &Enacted)| {
        let live = |figure: &FigureDecl| state.rules.get(rule).map(|rule| figure.live(rule)).unwrap_or_default();
        law.declared.figures.iter().flat_map(live).collect::<Vec<_>>()
    };
    state.rows::<Enacted>().iter().flat_map(of_law).collect()
}

/// The answer to an act that is refused, where something of that is kept: that makes an entry, and so the answer is no
/// refusal.
fn undone(why: &Refusal) -> Document {
    let by = why.rule.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default();
    Document::say(format!("{}{by}. Nothing happened.", names::capital(&why.say)))
}

/// What laws see of an act of the game's own: its arguments, and who does it. What is not said in public is nobody
/// else's: of that only who does it.
fn given<G: Hosts>(tried: &Tried<'_>, d: &Draft<'_, G>) -> Json {
    let seen = d.public && !G::PRIVATE.contains(&tried.act);
    let mut given = tried.args.as_object().filter(|_| seen).cloned().unwrap_or_default();
    if seen {
        G::given(d, tried.act, &mut given);
    }
    given.insert("by".to_owned(), d.actor_seat().map_or(Json::Null, |by| by.to_string().into()));
    let given = Json::Object(given);
    debug_assert!(is_as_told::<G>(&G::named(tried.act), &given), "{}: {given}", tried.act);
    given
}

/// Something that the game did, as scripts hold what belongs to it.
fn happening(stage: &dyn Stage, name: String, with: &Json) -> Happening {
    Happening::now(stage, name, params::native(stage, with, "").try_cast::<Map>().unwrap_or_default())
}

/// Whether something holds no more than it is said to (`Hosts::EVENTS`).
fn is_as_told<G: Hosts>(name: &str, with: &Json) -> bool {
    G::holds(name).is_none_or(|told| with.as_object().is_none_or(|with| with.keys().all(|key| told.contains(key))))
}

/// What follows from an act, or from whatever else happened. What was not said in public has no followers: they would
/// tell of it.
fn follow<G: Hosts>(tried: Option<&Tried<'_>>, d: &mut Draft<'_, G>) {
    if none_plays(d) {
        return;
    }
    let tried = tried.filter(|tried| tried.act != OwnCommand::ACT && d.public && !G::PRIVATE.contains(&tried.act));
    let told = tried.map(|tried| (G::named(tried.act), given(tried, d)));
    if let Some((name, _)) = &told {
        let by = d.actor_seat();
        with(d, Mode::Act, |stage, run| {
            let registry = run.registry.clone();
            counts::count(stage, &registry, name, by.as_ref());
        });
    }
    let told = told.filter(|(name, _)| G::EVENTS.iter().all(|(event, _)| event != name));
    d.unfollowed().extend(told);
    if waits(d) {
        return;
    }
    lifetimes::settle(d);
    all_that_follows(d);
}

/// Lets laws follow what happened, and sees to what must always hold.
fn all_that_follows<G: Hosts>(d: &mut Draft<'_, G>) {
    with(d, Mode::Act, play::follow);
    if d.emitted() > 0 {
        with(d, Mode::Act, play::whenever);
    }
    d.meter().upheld = Some(d.emitted());
}

/// Sees to what must always hold, where anything was changed since that was done; whether that changed anything. What is
/// noted beside laws, and what they ask for, is no change that they see: with that it might go on for ever.
fn uphold<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let seen = [<Vote as Row<G>>::TABLE, <Poll as Row<G>>::TABLE];
    let matters = |change: &Change| match change {
        Change::Row(row) => !remembers(&row.table) || seen.contains(&&*row.table),
        Change::By(_) => false,
        Change::World(_) | Change::Rule(_) | Change::Frame(_) => true,
    };
    let (before, upheld) = (d.emitted(), d.meter().upheld);
    let same = upheld.is_some_and(|from| !d.changes().iter().skip(from).any(matters));
    if same || none_plays(d) || waits(d) {
        return false;
    }
    with(d, Mode::Act, play::whenever);
    d.meter().upheld = Some(d.emitted());
    d.emitted() > before
}

/// Lets laws follow the refusal of an act of the game's own, in public, to a player, and of what laws refused in it. That
/// makes an entry where one does, as does all else that is left, and the answer is no refusal.
fn follow_refusal<G: Hosts>(tried: &Tried<'_>, why: &Refusal, d: &mut Draft<'_, G>) -> Option<Document> {
    let is_own = tried.act == OwnCommand::ACT;
    let is_seen = !is_own && d.public && !G::PRIVATE.contains(&tried.act) && d.actor_seat().is_some();
    let seen = is_seen.then(|| (format!("{REFUSED}{}", G::named(tried.act)), given(tried, d)));
    let left = taken_up(d);
    let told = left.last().filter(|_| is_own).map_or_else(|| undone(why), |left| left.told.clone());
    with(d, Mode::Act, |stage, run| {
        let mut any = !left.is_empty();
        left.into_iter().for_each(|left| left.go_on(run));
        if let Some((name, given)) = seen.filter(|(name, _)| run.registry.followers.contains_key(name)) {
            let mut heard = happening(stage, name, &given);
            heard.args.insert("why".into(), why.say.as_str().into());
            run.refused.push(heard);
            any = true;
        }
        if !any {
            return None;
        }
        play::follow(stage, run);
        Some(told)
    })
    .flatten()
}

/// Follows what happened in a document that no act carried out, and what is left of acts that were refused; whether there
/// was anything.
fn catch_up<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    if d.unfollowed().is_empty() && d.left().is_empty() || waits(d) {
        return false;
    }
    let left = taken_up(d);
    with(d, Mode::Act, |stage, run| {
        left.into_iter().for_each(|left| left.go_on(run));
        play::follow(stage, run);
    });
    // Where no law can be read nothing has followed it, and nothing will.
    d.unfollowed().clear();
    true
}

/// Moves what waits for lengths of time that the game counts in its own units; whether anything moved.
fn recount<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let now = d.at;
    let later = |at: Instant, counted: &Option<Json>| moved(at, G::over(d, counted.as_ref()?), now);
    let laters: Vec<(u64, Instant)> =
        d.rows::<Later>().iter().filter_map(|(number, row)| Some((*number, later(row.at, &row.counted)?))).collect();
    let asks: Vec<(u64, Instant)> =
        d.rows::<Ask>().iter().filter_map(|(number, row)| Some((*number, later(row.at?, &row.counted)?))).collect();
    let intents: Vec<(u64, Instant)> =
        d.rows::<Intent>().iter().filter_map(|(number, row)| Some((*number, later(row.at, &row.counted)?))).collect();
    let any = !(laters.is_empty() && asks.is_empty() && intents.is_empty());
    for (number, at) in laters {
        d.edit::<Later>(&number, |row| row.at = at);
    }
    for (number, at) in asks {
        d.edit::<Ask>(&number, |row| row.at = Some(at));
    }
    for (number, at) in intents {
        d.edit::<Intent>(&number, |row| row.at = at);
    }
    any
}

/// Ends what laws ask for and nobody could do any more; whether there was any.
fn release<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    if d.rows::<Ask>().is_empty() || waits(d) {
        return false;
    }
    if let Some(any) = with(d, Mode::Look, pending::release) {
        return any;
    }
    // No law is left.
    let all: Vec<(u64, Ask)> = d.rows::<Ask>().iter().map(|(number, ask)| (*number, ask.clone())).collect();
    for (number, ask) in &all {
        let (who, line) = (ask.who(|obj| G::called(d, obj)), ask.line(|obj| G::called(d, obj)));
        d.tell_all(format!("{who} is not asked for “{line}” any more: the law that asked for it is gone."));
        d.delete::<Ask>(number);
    }
    !all.is_empty()
}

/// Hears of what happens by the game's own rules.
fn hear<G: Hosts>(event: &Event<'_, G>, d: &mut Draft<'_, G>) {
    match event {
        Event::Happened(what, about) => hear_event(what, about, d),
        Event::Instant(names) => hear_instant(names, d),
        Event::Resumed(_) | Event::Mended(_) | Event::Forgotten(_) => {}
    }
}

/// Something happened by the game's own rules.
fn hear_event<G: Hosts>(what: &str, about: &Json, d: &mut Draft<'_, G>) {
    if none_plays(d) {
        return;
    }
    debug_assert!(is_as_told::<G>(what, about), "{what}: {about}");
    d.unfollowed().push((what.to_owned(), about.clone()));
    if !waits(d) {
        with(d, Mode::Act, play::follow);
    }
}

/// Whether what happens is followed later: when the act is done that is under way, or the law that runs.
fn waits<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    d.meter().running || d.is_acting()
}

/// An instant has come: what laws do then goes by rule, and by its place in the rule.
pub(super) fn hear_instant<G: Hosts>(names: &[(&'static str, i64)], d: &mut Draft<'_, G>) {
    if none_plays(d) || d.meter().running {
        return;
    }
    with(d, Mode::Act, |stage, run| {
        play::settle(stage, run);
        let mut called = Called::default();
        while let Some(function) = called.next(run, |registry| registry.at(names)) {
            at_its_expense(stage, run, function.law, |stage, run| {
                play::by_itself(stage, run, &function, Vec::new());
                play::follow(stage, run);
            });
        }
        for (what, number) in names {
            let args = Map::from([("number".into(), Dynamic::from(*number))]);
            run.queue.push_back(Happening::now(stage, (*what).to_owned(), args));
        }
        play::follow(stage, run);
    });
}

/// Does what was set for later, and what waited for players.
fn do_later<G: Hosts>(due: &Due, d: &mut Draft<'_, G>) {
    if let Some(question) = polls::question(due) {
        return polls::do_due(due, &question, d);
    }
    if let Some(number) = number(due, INTENT_KEY) {
        return ripen(number, d);
    }
    if let Some(number) = number(due, ASK_KEY) {
        let Some(ask) = d.row::<Ask>(&number).cloned() else { return };
        d.payer = Payer::Rule(ask.rule.clone());
        let done = with(d, Mode::Act, |stage, run| {
            play::settle(stage, run);
            pending::overdue(stage, run, number, &ask);
            play::follow(stage, run);
        });
        if done.is_none() {
            d.delete::<Ask>(&number);
        }
        return;
    }
    let number = number(due, LATER_KEY);
    let Some((number, later)) = number.and_then(|number| Some((number, d.row::<Later>(&number)?.clone()))) else {
        return;
    };
    d.delete::<Later>(&number);
    d.payer = Payer::Rule(later.rule.clone());
    with(d, Mode::Act, |stage, run| {
        play::settle(stage, run);
        let args: Map = later.args.iter().map(|(name, is)| (name.as_str().into(), held(is))).collect();
        let function = run.registry.acts.get(&later.deed).map(|(_, function)| function.clone());
        if let (Err(stop), Some(function)) = (play::perform(stage, run, &later.deed, args), function) {
            run.note_stop(&function, stop);
        }
        play::follow(stage, run);
    });
}

/// Writes down what the laws in force declare, and sees to what follows and must always hold by those that begin.
pub fn declare<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let any = lifetimes::settle(d);
    if any {
        all_that_follows(d);
    }
    any
}
