//! What waits for players: acts that need others, and acts that a law asks somebody for.
//!
//! An act that needs others is announced, objected to or supported, and done in the name of whoever announced it. What
//! somebody is asked for ends when it is done; past its time laws hear that it is overdue.

use rhai::{Dynamic, Map};
use serde_json::Value as Json;

use std::collections::BTreeMap;

use kernel::{
    Asked, Draft, Id, Instant, Outcome, Refusal, State, Value,
    clean::prose,
    display::{Block, Cell, Document, Offer},
    entry::Audience,
    viewer::Viewer,
    waiting::{End, Waiting, Wants},
};

use super::{
    budgets,
    counts::Limit,
    declared::{ActDecl, ParamDecl},
    fault::Stop,
    faults,
    fuel::{fuel, looking},
    moments::{NEVER, Until, is_never, told},
    names,
    offices::holder,
    params,
    registry::Registry,
    room::{Hosts, sign},
    run::{Happening, Mode, Run, call},
    script::Function,
    stage::Stage,
    tables::{Ask, Enacted, Intent, Later},
    values::{Args, Choice, Obj, as_object, held, value},
};

pub(crate) use super::tables::PENDING;

/// The command by which somebody objects to an act that was announced.
pub(crate) const OBJECT: &str = "law object";
/// The command by which somebody supports it.
pub(crate) const SUPPORT: &str = "law support";
/// The parameter of both: its number.
pub(crate) const INTENT: &str = "intent";
/// Most acts that one player has announced at once.
const INTENTS_MAX_COUNT: usize = 20;
/// How long objections are waited for where a law does not say.
const WAITS: &str = "2 days";

// ---- acts that need others

/// What an act needs of others, in words: `without 2 objections within 2 ndays`, `with 4 support`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// How many objections stop it.
    pub objections: Option<usize>,
    /// How many supporters it has.
    pub support: usize,
    /// How long it waits.
    pub within: Option<String>,
}

impl Needs {
    /// Reads it; nothing where the words are none.
    pub(crate) fn read(words: &str) -> Option<Self> {
        let (words, within) = match words.split_once(" within ").or_else(|| words.split_once(" in ")) {
            Some((words, within)) => (words, Some(within.trim().to_owned())),
            None => (words, None),
        };
        let mut needs = Self { within, ..Self::default() };
        for need in words.split(" and ") {
            let mut parts = need.split_whitespace();
            let lead = parts.next()?;
            let second = parts.next()?;
            let (count, noun) = match second.parse::<usize>() {
                Ok(count) => (count, parts.next()?),
                Err(_) => (1, second),
            };
            match (lead, noun.trim_end_matches('s')) {
                ("without", "objection") if count > 0 => needs.objections = Some(count),
                ("with", "support" | "supporter") if count > 0 => needs.support = count,
                _ => return None,
            }
            if parts.next().is_some() {
                return None;
            }
        }
        Some(needs)
    }
}

/// Announces an act that needs others.
///
/// # Errors
///
/// Where too many wait already.
pub(crate) fn announce<G: Hosts>(
    d: &mut Draft<'_, G>,
    by: &Id,
    act: &str,
    args: &serde_json::Map<String, Json>,
    words: &str,
) -> Result<Document, Refusal> {
    let needs = Needs::read(words).unwrap_or_default();
    let waiting = d.rows::<Intent>().values().filter(|intent| intent.by == *by).count();
    if waiting >= INTENTS_MAX_COUNT {
        return Err(Refusal::new(format!("{waiting} acts that you announced wait already")).instead("show pending"));
    }
    let within = needs.within.as_deref().unwrap_or(WAITS);
    let Some(Until { at, counted }) = Stage::due(d, within) else {
        return Err(Refusal::new(format!("“{within}” is no length of time")));
    };
    let number = d.next_number::<Intent>();
    let (objections, support) = (Vec::new(), Vec::new());
    let intent = Intent {
        act: act.to_owned(),
        args: args.clone(),
        by: by.clone(),
        needs: words.to_owned(),
        at,
        counted,
        objections,
        support,
    };
    d.put(&number, intent);
    let who = G::called(d, by);
    let (short, long) = shown(d, args);
    let mut said = Document::say(format!(
        "{who} announces “{act}{short}”, number {number}: it is done {words}, {} (“⁅{OBJECT} {INTENT}:{number}⁆”, “⁅{SUPPORT} {INTENT}:{number}⁆”).",
        told(at, d.at)
    ));
    for (name, text) in long {
        said = said.para(format!("{name}:")).with(Block::Code { lang: String::new(), text });
    }
    (said.offers, said.offers_told) = (answers(number, &needs, d.seq), true);
    d.say(Audience::Public, said);
    Ok(Document::say(format!("It is announced as number {number}.")))
}

/// What somebody may say to an act that was announced.
fn answers(number: u64, needs: &Needs, seq: u64) -> Vec<Offer> {
    let objects = needs.objections.is_some().then(|| Offer::new("Object", format!("{OBJECT} {number}"), seq));
    let supports = (needs.support > 0).then(|| Offer::new("Support", format!("{SUPPORT} {number}"), seq));
    objects.into_iter().chain(supports).collect()
}

/// Longest text that stands within a line.
const SHORT_MAX_CHARS: usize = 120;

/// What an act is given, as it is typed; texts of several lines and long ones by themselves, with their names.
pub(crate) fn shown<G: Hosts>(
    state: &State<G>,
    args: &serde_json::Map<String, Json>,
) -> (String, Vec<(String, String)>) {
    let (mut short, mut long) = (String::new(), Vec::new());
    for (name, is) in args {
        let text = match params::link(is).map_or(is, |_| &is["said"]) {
            Json::String(text) if state.world.exists(text) => G::called(state, &text.as_str().into()),
            Json::String(text) => text.clone(),
            Json::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
            // Commands are shown as they were typed.
            Json::Array(steps) if !steps.is_empty() && steps.iter().all(|step| step["said"].is_string()) => {
                let said = steps.iter().filter_map(|step| step["said"].as_str());
                said.collect::<Vec<_>>().join("; ")
            }
            other => other.to_string(),
        };
        match text.contains('\n') || text.chars().count() > SHORT_MAX_CHARS {
            true => long.push((name.clone(), text)),
            false => short.push_str(&given_as(name, &text)),
        }
    }
    (short, long)
}

/// A parameter with its value, as it is typed: ` matter:"Big Matter"`.
fn given_as(name: &str, value: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/');
    let (name, value) = (name.replace('_', "-"), prose(value).replace('\n', " "));
    match !value.is_empty() && value.chars().all(is_bare) {
        true => format!(" {name}:{value}"),
        false => format!(" {name}:\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// Somebody objects to an act that was announced, or supports it; whether it has all the support that it waits for.
///
/// # Errors
///
/// Where there is no such act, or it is eir own.
pub(crate) fn answer<G: Hosts>(d: &mut Draft<'_, G>, number: u64, objects: bool) -> Result<bool, Refusal> {
    let by = d.actor()?;
    let Some(mut intent) = d.row::<Intent>(&number).cloned() else {
        return Err(Refusal::new(format!("nothing that was announced has the number {number}")).instead("show pending"));
    };
    if intent.by == by && !objects {
        return Err(Refusal::new("nobody supports what e announced emself"));
    }
    let (to, other) = match objects {
        true => (&mut intent.objections, &mut intent.support),
        false => (&mut intent.support, &mut intent.objections),
    };
    if to.contains(&by) {
        return Err(Refusal::new(if objects { "you object already" } else { "you support it already" }));
    }
    other.retain(|seat| *seat != by);
    to.push(by.clone());
    let (who, does) = (G::called(d, &by), if objects { "objects to" } else { "supports" });
    d.tell_all(format!("{who} {does} “{}”, number {number}.", intent.act));
    let needs = Needs::read(&intent.needs).unwrap_or_default();
    let ripe = needs.objections.is_none() && intent.support.len() >= needs.support;
    d.put(&number, intent);
    Ok(ripe)
}

/// Whether an act that was announced has what it needs; else why not.
pub(crate) fn ripe(intent: &Intent) -> Result<(), String> {
    let needs = Needs::read(&intent.needs).unwrap_or_default();
    match needs.objections {
        Some(most) if intent.objections.len() >= most => Err(format!("{} object", intent.objections.len())),
        _ if intent.support.len() < needs.support => Err(format!("{} support it", intent.support.len())),
        _ => Ok(()),
    }
}

// ---- what is asked of players

/// An act as a line that can be sent, with what is given already.
pub(crate) fn line(act: &str, args: &BTreeMap<String, Value>, called: impl Fn(&Id) -> String) -> String {
    let text = |is: &Value| match is {
        Value::Ref(obj) => called(obj),
        Value::Text(text) => text.clone(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        other => other.to_string(),
    };
    let given = args.iter().map(|(name, is)| match is {
        Value::List(list) => given_as(name, &list.iter().map(text).collect::<Vec<_>>().join(", ")),
        is => given_as(name, &text(is)),
    });
    format!("{act}{}", given.collect::<String>())
}

impl Ask {
    /// Who is asked now.
    fn asked(&self, stage: &dyn Stage) -> Option<Id> {
        self.seat.clone().or_else(|| stage.holder(&self.office))
    }

    /// It as a line that can be sent, with what is given already.
    pub(crate) fn line(&self, called: impl Fn(&Id) -> String) -> String {
        line(&self.act, &self.args, called)
    }

    /// What is not given and has to be.
    fn missing<'d>(&self, decl: Option<&'d ActDecl>) -> Vec<&'d ParamDecl> {
        let params = decl.map_or(&[][..], |decl| &decl.params);
        params.iter().filter(|param| !param.optional && !self.args.contains_key(&param.name)).collect()
    }

    /// Whom it is asked of: somebody, or whoever holds an office.
    pub(crate) fn who(&self, called: impl Fn(&Id) -> String) -> String {
        self.seat.as_ref().map_or_else(|| self.office.clone(), called)
    }

    /// What is to be added, in words; empty where nothing is.
    fn wanting(&self, decl: Option<&ActDecl>) -> String {
        let missing: Vec<String> =
            self.missing(decl).iter().map(|param| format!("{}: {}", param.name, param.range)).collect();
        if missing.is_empty() { String::new() } else { format!(", with {}", missing.join("; ")) }
    }

    /// It in words, with what is to be added.
    fn told(&self, line: &str, decl: Option<&ActDecl>) -> String {
        format!("“⁅{line}⁆”{}", self.wanting(decl))
    }

    /// The lines by which it is done, where there are few of them.
    fn offers(&self, line: &str, decl: Option<&ActDecl>, seq: u64) -> Vec<Offer> {
        match &self.missing(decl)[..] {
            [] => vec![Offer::new(&self.act, line, seq)],
            [only] => {
                let choices = params::choices(&only.range).into_iter().take(OFFERS_MAX_COUNT);
                choices.map(|is| Offer::new(&is, format!("{line}{}", given_as(&only.name, &is)), seq)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Most lines that are offered for one thing that is asked.
const OFFERS_MAX_COUNT: usize = 5;

/// Asks somebody for an act, once however often it is asked.
///
/// # Errors
///
/// Where nobody can be asked, or too much is asked already.
pub(crate) fn ask(stage: &mut dyn Stage, registry: &Registry, ask: Ask) -> Result<(), Refusal> {
    let asks = stage.asks();
    let same = |known: &Ask| {
        known.seat == ask.seat && known.office == ask.office && known.act == ask.act && known.args == ask.args
    };
    if asks.iter().any(|(_, known)| same(known)) {
        return Ok(());
    }
    if let Some(why) = stage.is_full(&ask.rule, true) {
        return Err(Refusal::new(why));
    }
    tell(stage, registry, &ask);
    stage.set_ask(None, Some(ask));
    Ok(())
}

fn tell(stage: &mut dyn Stage, registry: &Registry, ask: &Ask) {
    let Some(who) = ask.asked(stage) else { return };
    let decl = registry.acts.get(&ask.act).map(|(act, _)| act);
    let line = ask.line(|obj| stage.called(obj));
    let now = stage.now();
    let until = ask.at.map(|at| format!(", until {}", until(at, now))).unwrap_or_default();
    let sign = names::capital(&registry.sign_of(&ask.rule));
    let mut said = Document::say(format!("{sign} asks you for {}{until}.", ask.told(&line, decl)));
    (said.offers, said.offers_told) = (ask.offers(&line, decl, stage.seq()), ask.missing(decl).is_empty());
    stage.say(Audience::Seat(who), said);
}

/// Ends what is asked for by an act that was done.
pub(crate) fn fulfil(stage: &mut dyn Stage, act: &str, args: &Map) {
    for (number, ask) in stage.asks() {
        let by = args.get("by").and_then(as_object);
        let given =
            |(name, is): (&String, &Value)| args.get(name.as_str()).and_then(|is| value(is).ok()).as_ref() == Some(is);
        if ask.act == act && by.is_some() && ask.asked(stage) == by && ask.args.iter().all(given) {
            stage.set_ask(Some(number), None);
        }
    }
}

/// Ends what is asked for and nobody could do, whatever e gave: that is no duty (4E53). Whether there was any.
pub(crate) fn release(stage: &mut dyn Stage, run: &mut Run) -> bool {
    let mut any = false;
    for (number, ask) in stage.asks() {
        if let Err(why) = possible(stage, run, &ask) {
            end(stage, number, &ask, &why);
            any = true;
        }
    }
    any
}

/// Ends what is asked for, and says why.
fn end(stage: &mut dyn Stage, number: u64, ask: &Ask, why: &Refusal) {
    let (who, line) = (ask.who(|obj| stage.called(obj)), ask.line(|obj| stage.called(obj)));
    let said = format!("{who} is not asked for “{line}” any more: {}.", why.say.trim_end_matches('.'));
    stage.say(Audience::Public, Document::say(said));
    stage.set_ask(Some(number), None);
}

/// Whether there is still all that is needed for what is asked for: the law, the act, whoever owes it, what it is about.
///
/// # Errors
///
/// What there is not.
fn stands(stage: &dyn Stage, registry: &Registry, ask: &Ask) -> Result<(), Refusal> {
    if !registry.enacted.contains_key(&ask.rule) {
        return Err(Refusal::new("the law that asked for it is gone"));
    }
    let named = ask.args.values().filter_map(|is| if let Value::Ref(obj) = is { Some(obj) } else { None });
    if let Some(gone) = named.chain(&ask.seat).find(|obj| !stage.is_there(obj)) {
        return Err(Refusal::new(format!("{} is no more", stage.called(gone))));
    }
    if ask.seat.is_none() && !stage.is_office(&ask.office) {
        return Err(Refusal::new(format!("there is no office “{}”", ask.office)));
    }
    if !registry.acts.contains_key(&ask.act) && !stage.has_act(&ask.act) {
        return Err(Refusal::new(format!("no law has “{}” any more", ask.act)));
    }
    Ok(())
}

/// Whether whoever is asked for an act could do it, if not now then later, as far as a look can tell.
///
/// # Errors
///
/// Why e cannot, whatever e gives.
fn possible(stage: &mut dyn Stage, run: &mut Run, ask: &Ask) -> Result<(), Refusal> {
    let registry = run.registry.clone();
    stands(stage, &registry, ask)?;
    let Some((act, body)) = registry.acts.get(&ask.act) else { return Ok(()) };
    if ask.seat.is_some() {
        registry.may(stage, act, ask.seat.as_ref())?;
    }
    faults::runs(stage, &registry, &ask.act, body)?;
    if Limit::read(&act.limit).is_some_and(|limit| limit.most == 0) {
        return Err(Refusal::new(format!("“{}” is for {}", ask.act, act.limit)));
    }
    let mut given = params::begun(stage, &registry, act, &ask.args)?;
    let by = ask.seat.clone().map_or_else(|| Dynamic::from(Choice), |seat| Dynamic::from(Obj(seat)));
    given.insert("by".into(), by);
    for (bar, why) in registry.bars.get(&ask.act).into_iter().flatten() {
        if faults::is_suspended(stage, &registry, bar) {
            continue;
        }
        if let Some(Ok(is)) = decided(stage, run, ask, bar, &given)
            && is.as_bool() == Ok(true)
        {
            return Err(Refusal::new(why.clone()));
        }
    }
    match decided(stage, run, ask, body, &given) {
        Some(Err(Stop::Refused(why, _))) => Err(why),
        Some(Err(Stop::Fault(fault))) => Err(Refusal::new(fault.why)),
        Some(Ok(_)) | None => Ok(()),
    }
}

/// What a function comes to by what is given alone. Nothing where it comes to a change, or where its doer may choose or
/// come to have something, or time brings it.
fn decided(
    stage: &mut dyn Stage,
    run: &mut Run,
    ask: &Ask,
    function: &Function,
    given: &Map,
) -> Option<Result<Dynamic, Stop>> {
    (run.doer, run.undecided) = (ask.seat.clone(), false);
    let got = looking(|| {
        let got = call(stage, run, function, vec![Dynamic::from(Args::new(given.clone()))]);
        run.undecided |= fuel() == 0;
        got
    });
    (!run.undecided).then_some(got)
}

/// Ends what is asked for and is about nothing any more. Gives whoever has come to hold an office what its holder is asked
/// for, with all the time for it. While nobody holds it, no time runs; whoever takes it again has what was left.
pub(crate) fn hand_over(stage: &mut dyn Stage, run: &Run) {
    if !stage.is_asked() || !matches!(run.mode, Mode::Act) {
        return;
    }
    for (number, ask) in stage.asks() {
        match stands(stage, &run.registry, &ask) {
            Ok(()) => drop(hand_over_one(stage, run, number, &ask)),
            Err(why) => end(stage, number, &ask, &why),
        }
    }
}

/// The same for one thing; whether its office has changed hands.
fn hand_over_one(stage: &mut dyn Stage, run: &Run, number: u64, ask: &Ask) -> bool {
    if ask.seat.is_some() {
        return false;
    }
    let holder = ask.asked(stage);
    let vacant = holder.is_none();
    if vacant == ask.vacant && (vacant || holder == ask.holder) {
        return false;
    }
    let mut ask = Ask { vacant, ..ask.clone() };
    if !vacant && holder != ask.holder {
        let until = stage.due(&ask.within);
        let (at, counted) = until.map_or((None, None), |until| (Some(until.at), until.counted));
        ask = Ask { at, counted, holder, late: false, ..ask };
        tell(stage, &run.registry, &ask);
    }
    stage.set_ask(Some(number), Some(ask));
    true
}

/// Past its time: laws hear of it, or whoever holds the office by now has as long as the one before. An office owes it still;
/// of somebody alone it is asked no more.
pub(crate) fn overdue(stage: &mut dyn Stage, run: &mut Run, number: u64, ask: &Ask) {
    if hand_over_one(stage, run, number, ask) {
        return;
    }
    let holder = ask.asked(stage);
    let late = Ask { late: true, ..ask.clone() };
    stage.set_ask(Some(number), Some(late).filter(|late| late.seat.is_none()));
    let mut args: Map = ask.args.iter().map(|(name, is)| (name.as_str().into(), held(is))).collect();
    args.insert("act".into(), ask.act.as_str().into());
    args.insert("by".into(), holder.map_or(Dynamic::UNIT, |by| Dynamic::from(Obj(by))));
    run.queue.push_back(Happening::now(stage, "overdue".to_owned(), args));
}

// ---- what is shown

/// All that waits, with what whoever looks may do about it.
pub(crate) fn page<G: Hosts>(state: &State<G>, viewer: &Viewer) -> Document {
    let now = viewer.now.max(state.at);
    let (mut lines, mut offers) = (Vec::new(), Vec::new());
    for (number, intent) in state.rows::<Intent>().iter() {
        let who = G::called(state, &intent.by);
        let names = |seats: &[Id]| match seats {
            [] => "nobody".to_owned(),
            seats => seats.iter().map(|seat| G::called(state, seat)).collect::<Vec<_>>().join(", "),
        };
        let (short, long) = shown(state, &intent.args);
        let long: String = long.iter().map(|(name, _)| format!(", {name}: a text")).collect();
        lines.push(format!(
            "{number}: “{}{short}”{long} by {who}, {}, {}; {} object, {} support it",
            intent.act,
            intent.needs,
            told(intent.at, now),
            names(&intent.objections),
            names(&intent.support)
        ));
        offers.extend(answers(*number, &Needs::read(&intent.needs).unwrap_or_default(), state.seq));
    }
    for ask in state.rows::<Ask>().values() {
        let (line, offered) = asked(state, ask, viewer);
        lines.push(line);
        offers.extend(offered);
    }
    let later = later(state);
    lines
        .extend(later.map(|(at, what)| format!("{what}, {}", at.map_or_else(|| NEVER.to_owned(), |at| told(at, now)))));
    let mut page = Document::titled(PENDING, "What waits for players");
    page.offers = offers.into_iter().take(PAGE_OFFERS_MAX_COUNT).collect();
    page.with(Block::List(lines.into_iter().map(Cell::new).collect()))
}

/// The page of one thing that is asked: `pending/3`.
///
/// # Errors
///
/// Where nothing of that number is asked.
pub(crate) fn page_of<G: Hosts>(state: &State<G>, of: Asked<'_>) -> Outcome {
    let ask = of.rest.parse().ok().and_then(|number: u64| state.row::<Ask>(&number));
    let ask = ask.ok_or_else(|| Refusal::new("nothing of that number is asked of anybody").instead("show pending"))?;
    let (line, offers) = asked(state, ask, of.viewer);
    let page = Document::titled(format!("{PENDING}/{}", of.rest), "What is asked for").para(format!("{line}."));
    Ok(Document { offers, ..page })
}

/// Something that is asked, in words, with what whoever looks may do about it.
fn asked<G: Hosts>(state: &State<G>, ask: &Ask, viewer: &Viewer) -> (String, Vec<Offer>) {
    let decl = declared(state, &ask.act);
    let who = ask.who(|obj| G::called(state, obj));
    let line = ask.line(|obj| G::called(state, obj));
    let left = left(ask, viewer.now.max(state.at)).map(|left| format!(", {left}")).unwrap_or_default();
    let by = state.rules.get(&ask.rule).map(sign::<G>).unwrap_or_default();
    let told = format!("{} asks {who} for {}{left}", names::capital(&by), ask.told(&line, decl));
    let is_mine = viewer.seat.is_some() && asked_of(state, ask) == viewer.seat;
    let offers = if is_mine { ask.offers(&line, decl, state.seq) } else { Vec::new() };
    (told, offers)
}

/// An act as its law declares it; nothing where it is none of a law.
fn declared<'s, G: Hosts>(state: &'s State<G>, act: &str) -> Option<&'s ActDecl> {
    state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts).find(|known| known.name == act)
}

/// Who is asked, as a room stands.
fn asked_of<G: Hosts>(state: &State<G>, ask: &Ask) -> Option<Id> {
    ask.seat.clone().or_else(|| holder(state, &ask.office))
}

/// How long there is for something, in words; nothing where it has no end.
fn left(ask: &Ask, now: Instant) -> Option<String> {
    match ask.at? {
        _ if ask.late => Some("late".to_owned()),
        _ if ask.vacant => Some("while the office is vacant no time runs".to_owned()),
        at => Some(format!("until {}", until(at, now))),
    }
}

/// What waits for people until they do it.
pub(crate) fn waits<G: Hosts>(state: &State<G>) -> Vec<Waiting> {
    let wait = |(number, ask): (&u64, &Ask)| {
        let decl = declared(state, &ask.act);
        let given = ask.line(|obj| G::called(state, obj));
        // What is to be added stands in capitals, as in the help of a command.
        let place = |param: &&ParamDecl| format!(" {}:{}", param.name.replace('_', "-"), param.name.to_uppercase());
        let line = format!("{given}{}", ask.missing(decl).iter().map(place).collect::<String>());
        Waiting {
            display: format!("{PENDING}/{number}"),
            label: format!("“{given}” is asked for{}", ask.wanting(decl)),
            until: ask.due().map_or(End::Never, End::At),
            of: asked_of(state, ask).into_iter().collect(),
            line,
            wants: Wants::Turn,
            cast: Vec::new(),
        }
    };
    let asks = state.rows::<Ask>().iter().map(wait).filter(|waits| !waits.of.is_empty());
    asks.collect()
}

/// Something that an office owes by what a law asks of it.
#[derive(Debug)]
pub struct Owed {
    /// The office.
    pub office: String,
    /// What is to be done, as it is typed.
    pub line: String,
    /// The rule whose law asks.
    pub rule: Id,
    /// How long there is for it, in words.
    pub left: String,
    /// Whether its time is over.
    pub late: bool,
}

/// What offices owe within a time, the oldest first.
pub fn owed<G: Hosts>(state: &State<G>) -> Vec<Owed> {
    let of = |ask: &Ask| {
        let left = left(ask, state.at).filter(|_| ask.seat.is_none())?;
        let line = ask.line(|obj| G::called(state, obj));
        Some(Owed { office: ask.office.clone(), line, rule: ask.rule.clone(), left, late: ask.late })
    };
    state.rows::<Ask>().values().filter_map(of).collect()
}

/// Most lines that the page offers.
const PAGE_OFFERS_MAX_COUNT: usize = 10;

/// What laws have set for later and what ends in time of what they ask, as the game's time stands, each in words; no instant
/// where nobody knows when it comes.
pub fn coming<G: Hosts>(state: &State<G>) -> Vec<(Option<Instant>, String)> {
    let called = |obj: &Id| G::called(state, obj);
    let late = |ask: &Ask| (ask.due(), format!("{} is late with “{}”", ask.who(called), ask.line(called)));
    let asks = state.rows::<Ask>().values().map(late).filter(|(due, _)| due.is_some());
    later(state).chain(asks).collect()
}

/// What laws have set for later.
fn later<G: Hosts>(state: &State<G>) -> impl Iterator<Item = (Option<Instant>, String)> + '_ {
    let text = move |is: &Value| match is {
        Value::Ref(obj) => G::called(state, obj),
        Value::Text(text) => text.clone(),
        other => other.to_string(),
    };
    let what = move |(at, _, later): (Instant, u64, &Later)| {
        let given: String = later.args.iter().map(|(name, is)| given_as(name, &text(is))).collect();
        (Some(at).filter(|at| !is_never(*at, state.at)), format!("“{}{given}”", later.deed))
    };
    budgets::coming(state).into_iter().map(what)
}

/// An instant until which something is asked, in words.
fn until(at: Instant, now: Instant) -> String {
    let told = told(at, now);
    told.strip_prefix("at ").map(str::to_owned).unwrap_or(told)
}

/// What is given with an act, as a script holds it.
pub(crate) fn given(stage: &dyn Stage, args: &serde_json::Map<String, Json>, by: Option<&Id>) -> Map {
    let mut map: Map = args.iter().map(|(name, is)| (name.as_str().into(), params::native(stage, is, name))).collect();
    map.insert("by".into(), by.map_or(Dynamic::UNIT, |by| Dynamic::from(Obj(by.clone()))));
    map
}

#[cfg(test)]
mod tests {
    use super::Needs;

    #[test]
    fn needs_are_read_as_they_are_spoken() {
        let read = |words| Needs::read(words).map(|needs| (needs.objections, needs.support, needs.within));
        assert_eq!(read("without 2 objections within 2 ndays"), Some((Some(2), 0, Some("2 ndays".to_owned()))));
        assert_eq!(read("without objection in 2 rdays"), Some((Some(1), 0, Some("2 rdays".to_owned()))));
        assert_eq!(read("with 4 support"), Some((None, 4, None)));
        assert_eq!(read("with support and without objection"), Some((Some(1), 1, None)));
        assert_eq!(read("with luck"), None);
        assert_eq!(read(""), None);
    }
}
