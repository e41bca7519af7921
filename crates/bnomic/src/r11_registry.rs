//! The registry's own rules (4E2, 4E11, 4E33): which attributes there are, how long lists may be, which currencies.
//!
//! An attribute that a passed proposal defines is one like the game's own. Everything in its scope has it from then on,
//! at its default; displays show it and directives set it. One that a rule names in its header (`defines: charm`) goes
//! with that rule, and so do the game's own. A list attribute is an object too, with the lengths that it may have. The
//! values themselves stand in `kernel::world`.

pub(super) mod cells;

use std::collections::BTreeMap;

use super::{
    currency,
    emergency::crisis,
    expression_names,
    figures::{LIST_MAX, LIST_MIN, MACKEREL_START, POWER_DEFAULT, RETAINER_START},
    game::{BNomic, D},
    keeping,
    law::{PREFIX, Thing, established},
    ministries::posts,
    quantities,
    society::players,
    stats::{self, ACTIVE, CLOCK, MACKEREL, MINISTRY, NAME, PLAYER, PROPOSAL, RETAINER, SCORE, VESTED, called},
    victory,
};
use cells::with_table;
use kernel::{
    Display, Event, Id, Mechanic, Num, Path, Refusal, State, Value,
    directives::{
        Names, define,
        wording::{folded, slug},
        words,
    },
    display::{Block, Cell, Document, cells},
    entry::Change,
    names::Look,
    rulebook::Rule,
    world::{Attr, AttrDef, Op, Range, SCOPES},
};

/// The kind of a list attribute, as an object that has lengths (B11.5).
pub(super) const LIST: &str = "list-attribute";
/// The fewest articles that each of its values has.
pub(super) const MIN_LENGTH: Attr<i64> = Attr::new("min-length");
/// The most.
pub(super) const MAX_LENGTH: Attr<i64> = Attr::new("max-length");
/// Longest list that can be allowed: one is shown as a whole.
const LENGTH_MAX_COUNT: i64 = 10_000;

/// The kind of a currency that a proposal made (B33.1).
pub(super) const CURRENCY: &str = "currency";
/// How much of it comes for a point; nothing while no rule says so.
pub(super) const RATE: Attr<Num> = Attr::new("rate");

/// The attributes of lists and currencies: no directive undefines them.
pub(super) const OWN: [&str; 3] = [MIN_LENGTH.id, MAX_LENGTH.id, RATE.id];

/// The field of a rule's header that names the attributes which it defines.
pub(super) const DEFINES: &str = "defines";

/// The field that names the kinds of objects, beside Players, that own currency.
pub(super) const OWNERS: &str = "owners";

/// The game's own attributes that are there while a rule establishes what they belong to.
const KEPT: [(&str, Thing); 6] = [
    (SCORE.id, Thing::Points),
    (MACKEREL.id, Thing::Currency),
    (ACTIVE.id, Thing::Activity),
    (VESTED.id, Thing::Activity),
    (RETAINER.id, Thing::Retainers),
    (stats::POWER, Thing::Precedence),
];

// ---- the mechanic

/// What it adds to play. Where nearly all is as at first, only what is not would be looked for.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("registry")
        .display(Display::new("attributes", |state, _| Ok(show_attributes(state))).listed(15))
        .display(Display::new("registry", |state, _| Ok(show(state))).listed(16))
        .begins(begin)
        .settle(settle)
        .hears(|event, d| {
            if let Event::Mended(before) = event {
                gone(before, d).iter().for_each(|gone| unlink(d, gone));
            }
        })
}

/// Defines the attributes of lists and currencies.
pub(super) fn define(d: &mut D<'_>) {
    let whole = Range::Num { min: Some(0.into()), max: Some(LENGTH_MAX_COUNT.into()), whole: true };
    let rate = Range::Num { min: Some(0.into()), max: None, whole: false };
    for (id, scope, range, by) in [
        (MIN_LENGTH.id, LIST, whole.clone(), "4E11"),
        (MAX_LENGTH.id, LIST, whole, "4E11"),
        (RATE.id, CURRENCY, rate, "4E33"),
    ] {
        let default = if id == RATE.id { Value::Null } else { Value::Num(0.into()) };
        d.op(Op::Define(AttrDef { id: id.into(), scope: scope.into(), range, default, by: Some(by.into()) }));
    }
}

fn list_object(attr: &str) -> Id {
    format!("{LIST}/{attr}").into()
}

// ---- attributes

/// Defines an attribute by a directive (B11.1, B11.9); a list gets the lengths that the rule gives every list.
///
/// # Errors
///
/// A [`Refusal`] while no rule has anything on attributes.
pub(super) fn add(d: &mut D<'_>, mut def: AttrDef) -> Result<(), Refusal> {
    established(&d.rules, Thing::Attributes)?;
    if laws::are_of_laws(d, def.kinds()) {
        // Nothing of the game and nothing that was said before is about such objects.
        words::unshared(d, &def.id, &def.scope)?;
        words::define(d, def);
        return Ok(());
    }
    words::undefined(d, &def.id, &def.scope)?;
    is_free(d, &def.id)?;
    if let Range::List { min_len, max_len, .. } = &mut def.range {
        is_only_list(d, &def.id)?;
        let (min, max) = (d.rules.need_count(&LIST_MIN)?, d.rules.need_count(&LIST_MAX)?);
        // What its definition leaves open is as the rule has it.
        let min = if *min_len == 0 { min } else { u64::from(*min_len) };
        let max = if *max_len == define::LIST_MAX_ITEMS { max } else { u64::from(*max_len) };
        (*min_len, *max_len) = (u32::try_from(min).unwrap_or(u32::MAX), u32::try_from(max).unwrap_or(u32::MAX));
        fits_at_first(d, &def.id, &def.default, |count| (min..=max).contains(&count))?;
        list(d, &def.id, i64::from(*min_len), i64::from(*max_len));
    }
    words::define(d, def);
    Ok(())
}

/// Refuses a second list of a name: each list is an object, which is called as the attribute is (B11.5).
fn is_only_list(d: &D<'_>, attr: &Id) -> Result<(), Refusal> {
    match list_called(d, attr) {
        Some(def) => {
            let say = format!("“{attr}” is a list of every {} already, and each list has a name of its own", def.scope);
            Err(Refusal::new(say).by(Thing::Attributes.rule(&d.rules)).instead("show attributes"))
        }
        None => Ok(()),
    }
}

/// The list attribute of a name.
fn list_called<'a>(state: &'a State<BNomic>, attr: &str) -> Option<&'a AttrDef> {
    state.world.named(attr).iter().find(|def| matches!(def.range, Range::List { .. }))
}

/// What conditions call values: no attribute is called so.
const VALUES: [&str; 6] = ["true", "false", "yes", "no", "nothing", "none"];

/// Refuses a new attribute a name that means something in conditions already: what those said before would change (B16.3).
fn is_free(d: &D<'_>, attr: &Id) -> Result<(), Refusal> {
    let words = attr.replace('-', " ");
    let look = Look::of(&words);
    let called_so = |obj: &&Id| {
        let is_value = obj.starts_with(LIST) || obj.starts_with(CURRENCY);
        !is_value && look.is_like(&called(d, obj)) && words::keeps_name(d, obj)
    };
    // States, as of Proposals, are said of what has them: “proposal 1 is Historical”.
    let is_state = |range: &Range| matches!(range, Range::OneOf(of) if of.iter().any(|state| folded(state) == words));
    let means = VALUES.contains(&&*words)
        || d.world.defs().any(|def| is_state(&def.range) && !def.is_given())
        || posts::of_office(d, &words).is_some()
        || expression_names::group(d, &words).is_some()
        || expression_names::constant(&words).is_some()
        || BNomic::kind(d, &words).is_some()
        || d.world.objects().any(|obj| called_so(&obj));
    if !means || !d.world.named(attr).is_empty() {
        return Ok(());
    }
    Err(Refusal::new(format!("“{words}” means something already, here and in conditions"))
        .by(Thing::Attributes.rule(&d.rules))
        .instead("=> define merits of player: whole number"))
}

/// Ends an attribute: nothing has it any more (B11.3).
pub(super) fn remove(d: &mut D<'_>, def: AttrDef) {
    let list = list_object(&def.id);
    let is_other = |other: &AttrDef| *other != def && matches!(other.range, Range::List { .. });
    let is_only = !d.world.named(&def.id).iter().any(is_other);
    if matches!(def.range, Range::List { .. }) && is_only && d.world.exists(&list) {
        end(d, &list);
    }
    words::undefine(d, def);
}

/// Ends an object with all that it has, and takes it out of what named it.
pub(super) fn end(d: &mut D<'_>, obj: &Id) {
    let Some(kind) = d.world.kind(obj).cloned() else { return };
    unlink(d, obj);
    let was = d.world.values_of(obj).map(|(at, value)| (at.clone(), value.clone())).collect();
    d.op(Op::Destroy { obj: obj.clone(), kind, was });
}

/// Refuses a length that a value would then not have (B11.3, B11.5).
///
/// # Errors
///
/// A [`Refusal`] that names whose value stands in the way.
pub(super) fn fits_length(d: &D<'_>, at: &Path, to: &Value) -> Result<(), Refusal> {
    let Some(attr) = at.obj.strip_prefix(&format!("{LIST}/")) else { return Ok(()) };
    let (Some(def), Value::Num(to)) = (list_called(d, attr), to) else { return Ok(()) };
    let Some(length) = to.to_i64().and_then(|length| u64::try_from(length).ok()) else { return Ok(()) };
    let fits = |count: u64| if *at.attr == *MIN_LENGTH.id { count >= length } else { count <= length };
    fits_at_first(d, &def.id, &def.default, fits)?;
    for obj in d.world.having(def) {
        let Value::List(held) = d.world.value(&Path::new(obj.clone(), attr)) else { continue };
        if !fits(held.len() as u64) {
            return Err(Refusal::new(format!("{} has {} articles in {attr}", called(d, obj), held.len()))
                .by(Thing::Attributes.rule(&d.rules)));
        }
    }
    Ok(())
}

/// Refuses lengths that what is new would not have: no value is ever out of its range (B11.3, B11.5).
fn fits_at_first(d: &D<'_>, attr: &Id, default: &Value, fits: impl Fn(u64) -> bool) -> Result<(), Refusal> {
    let Value::List(default) = default else { return Ok(()) };
    if fits(default.len() as u64) {
        return Ok(());
    }
    let say = format!(
        "whatever is new has {} articles in {attr} at first, which would be too few or too many",
        default.len()
    );
    Err(Refusal::new(say)
        .by(Thing::Attributes.rule(&d.rules))
        .instead("=> define tags of device: list of text, {a, b} at first"))
}

/// Refuses a list with fewer articles or more than its attribute lets it have (B11.5).
///
/// # Errors
///
/// A [`Refusal`] that says how many there may be.
pub(super) fn fits_count(d: &D<'_>, attr: &str, count: usize) -> Result<(), Refusal> {
    let Some(Range::List { min_len, max_len, .. }) = list_called(d, attr).map(|def| &def.range) else { return Ok(()) };
    if (*min_len as usize..=*max_len as usize).contains(&count) {
        return Ok(());
    }
    let say = format!("{count} articles are not for {attr}, which has from {min_len} to {max_len}");
    Err(Refusal::new(say).by(Thing::Attributes.rule(&d.rules)).instead("show attributes"))
}

/// Refuses what is no longer of the kind that it is named as: who has forfeited is no Player (B11.3).
///
/// # Errors
///
/// A [`Refusal`] that names what is none.
pub(super) fn is_there(d: &D<'_>, value: &Value) -> Result<(), Refusal> {
    match value {
        Value::Ref(obj) => {
            let kind = obj.split('/').next().unwrap_or_default();
            if d.world.kind(obj).is_some_and(|held| **held == *kind) {
                return Ok(());
            }
            Err(Refusal::new(format!("{} is no {kind}", called(d, obj))).by(Thing::Attributes.rule(&d.rules)))
        }
        Value::List(items) => items.iter().try_for_each(|item| is_there(d, item)),
        _ => Ok(()),
    }
}

/// What there was in a state and is no more.
pub(super) fn gone(before: &State<BNomic>, now: &State<BNomic>) -> Vec<Id> {
    before.world.objects().filter(|obj| !now.world.exists(obj)).cloned().collect()
}

/// Takes something out of the attributes whose range it has left: an article goes, and what named it alone is as at first
/// (B11.3, B11.6).
pub(super) fn unlink(d: &mut D<'_>, gone: &Id) {
    let link = Value::Ref(gone.clone());
    let names = |range: &Range| matches!(range, Range::Ref(kind) if gone.split('/').next() == Some(&**kind));
    let of = |def: &&AttrDef| match &def.range {
        Range::List { of, .. } => names(of),
        range => names(range),
    };
    let defs: Vec<AttrDef> = d.world.defs().filter(of).cloned().collect();
    for mut def in defs {
        // Nor does anybody begin with it.
        match &mut def.default {
            value if *value == link => *value = Value::Null,
            Value::List(items) => items.retain(|item| *item != link),
            _ => {}
        }
        if !d.world.named(&def.id).contains(&def) {
            d.op(Op::Define(def.clone()));
        }
        let held: Vec<Id> = d.world.having(&def).cloned().collect();
        for obj in held {
            let at = Path::new(obj, def.id.clone());
            match d.world.value(&at) {
                value if value == link => d.overwrite(at, Value::Null),
                Value::List(items) => {
                    let count = items.iter().filter(|item| **item == link).count();
                    (0..count).for_each(|_| d.op(Op::Remove { at: at.clone(), item: link.clone() }));
                }
                _ => {}
            }
        }
    }
}

// ---- currencies

/// Makes a currency: the attribute of that name, which every Player then has, becomes one that is given and exchanged
/// (B33.1).
///
/// # Errors
///
/// A [`Refusal`] where the name belongs to something else.
pub(super) fn create_currency(d: &mut D<'_>, name: &str) -> Result<(), Refusal> {
    established(&d.rules, Thing::Currencies)?;
    let id: Id = slug(name).into();
    let obj: Id = format!("{CURRENCY}/{id}").into();
    let by = Thing::Currencies.rule(&d.rules);
    let taken = ["m", "mack", "mackerel", "point", "score"].contains(&id.strip_suffix('s').unwrap_or(&id));
    if taken
        || quantities::is_named(d, name)
        || quantities::read(d, name).is_ok()
        || !name.starts_with(char::is_alphabetic)
    {
        return Err(Refusal::new(format!("“{name}” would be read as something else in an amount"))
            .by(by)
            .instead("=> create currency \"Doubloon\""));
    }
    match d.world.def(&id, PLAYER) {
        _ if d.world.exists(&obj) => return Err(Refusal::new(format!("there is a currency “{name}” already")).by(by)),
        // Any amount will do, a bounded one or one in fractions: a gift that does not fit is none (B33.2).
        Some(def) if matches!(def.range, Range::Num { .. }) && !is_own(&id) => {}
        Some(_) => return Err(Refusal::new(format!("“{id}” is no number that every Player has")).by(by)),
        None => {
            let default = Value::Num(Num::default());
            let range = Range::Num { min: Some(0.into()), max: None, whole: true };
            add(d, AttrDef { id: id.clone(), scope: scope(d), range, default, by: None })?;
        }
    }
    d.op(Op::Create { obj: obj.clone(), kind: CURRENCY.into() });
    d.set(&NAME, &obj, name.to_owned());
    Ok(())
}

/// The kinds of objects that own currency: Players, and what rules in force name at their heads (`owners: ministry`).
pub(super) fn owners(state: &State<BNomic>) -> Vec<Id> {
    let mut kinds: Vec<Id> = vec![PLAYER.into()];
    if established(&state.rules, Thing::Currencies).is_err() {
        return kinds;
    }
    for kind in state.rules.rules().into_iter().filter_map(|rule| rule.field(OWNERS)).flat_map(|kinds| kinds.split(','))
    {
        let kind = BNomic::kind(state, kind).filter(|kind| !kinds.contains(kind));
        kinds.extend(kind);
    }
    kinds
}

/// Refuses owners that are no kind of object.
///
/// # Errors
///
/// A [`Refusal`] with the word that is none, and with those that there are.
pub(super) fn are_owners(state: &State<BNomic>, words: &str) -> Result<(), Refusal> {
    let kind = |words: &&str| BNomic::kind(state, words).is_none();
    match words.split(',').map(str::trim).filter(|word| !word.is_empty()).find(kind) {
        None => Ok(()),
        Some(word) => {
            let kinds = BNomic::kinds(state).join(", ");
            Err(Refusal::new(format!("“{word}” is no kind of object that could own currency; there are {kinds}"))
                .by(Thing::Currencies.rule(&state.rules))
                .instead("=> set owners of rule 33 to ministry"))
        }
    }
}

/// The scope of every currency (B33.1).
fn scope(state: &State<BNomic>) -> Id {
    owners(state).join(SCOPES).into()
}

/// Gives every currency the owners that the rules give it now, and each owner what one has at first (B11.2, B33.1). In
/// the midst of a body nobody loses any. Says whether something was to do.
fn own(d: &mut D<'_>, amid: bool) -> bool {
    let scope = scope(d);
    let own = Some(Id::from(MACKEREL.id)).filter(|_| d.world.def(MACKEREL.id, PLAYER).is_some());
    let attrs: Vec<Id> = currencies(d).into_iter().map(|(_, attr)| attr).chain(own).collect();
    for def in attrs.iter().filter_map(|attr| d.world.def(attr, PLAYER).cloned()).collect::<Vec<_>>() {
        if def.scope == scope {
            continue;
        }
        let now = AttrDef { scope: scope.clone(), ..def.clone() };
        let left: Vec<Id> = d.world.having(&def).filter(|obj| !has(d, &now, obj)).cloned().collect();
        if amid && !left.is_empty() {
            continue;
        }
        for obj in left {
            d.overwrite(Path::new(obj, def.id.clone()), Value::Null);
        }
        // What owns the currency from now on has nothing else of its name.
        let is_other = |other: &&AttrDef| **other != def && other.shares(&scope);
        let others: Vec<AttrDef> = d.world.named(&def.id).iter().filter(is_other).cloned().collect();
        others.into_iter().for_each(|other| remove(d, other));
        d.op(Op::Define(now));
        return true;
    }
    let bare = |obj: &&Id| !d.world.values_of(obj).any(|(at, _)| *at.attr == *MACKEREL.id);
    let mut new: Vec<Id> = Vec::new();
    if attrs.last().is_some_and(|attr| **attr == *MACKEREL.id) {
        let kinds = owners(d);
        let others = kinds.iter().filter(|kind| ***kind != *PLAYER).flat_map(|kind| d.world.of_kind(kind));
        new.extend(others.filter(bare).cloned());
    }
    let before = d.emitted();
    new.iter().for_each(|obj| currency::endow(d, obj));
    d.emitted() > before
}

fn has(d: &D<'_>, def: &AttrDef, obj: &Id) -> bool {
    d.world.kind(obj).is_some_and(|kind| def.names(kind))
}

/// Ends a currency: the attribute goes with it.
pub(super) fn end_currency(d: &mut D<'_>, obj: &Id) {
    let attr = obj.strip_prefix(&format!("{CURRENCY}/")).unwrap_or_default();
    if let Some(def) = d.world.def(attr, PLAYER).cloned() {
        remove(d, def);
    }
    end(d, obj);
}

/// The currencies that proposals made: what each is called, with its attribute.
pub(super) fn currencies(state: &State<BNomic>) -> Vec<(String, Id)> {
    let of = |obj: &Id| Some((called(state, obj), Id::from(obj.strip_prefix(&format!("{CURRENCY}/"))?)));
    state.world.of_kind(CURRENCY).filter_map(of).collect()
}

/// The rate of exchange of such a currency.
pub(super) fn rate(state: &State<BNomic>, attr: &Id) -> Option<Num> {
    state.world.get(&RATE, &format!("{CURRENCY}/{attr}").into())
}

// ---- settle

/// Keeps the definitions in step with the rules and with the lengths of lists; one thing at a time.
pub(super) fn settle(d: &mut D<'_>) -> bool {
    // The entry before left all of it in step.
    if !d.changes().iter().any(touches) {
        return false;
    }
    let mut lapsed = KEPT.into_iter().filter(|(_, thing)| established(&d.rules, *thing).is_err());
    let lapsed = lapsed.find_map(|(attr, _)| d.world.named(attr).first()).cloned();
    if let Some(def) = lapsed {
        remove(d, def);
        return true;
    }
    // A currency is an attribute: where that is gone there is none (B33.1).
    let gone = currencies(d).into_iter().find(|(_, attr)| d.world.def(attr, PLAYER).is_none());
    if let Some((_, attr)) = gone {
        end(d, &format!("{CURRENCY}/{attr}").into());
        return true;
    }
    if begin(d) || own(d, false) {
        return true;
    }
    let named = named_in_headers(d);
    let untied = d.world.defs().filter(|def| !is_own(&def.id)).find_map(|def| {
        let tie = defining(d, &named, def);
        (tie != def.by && (tie.is_some() || def.by.is_some())).then(|| (def.clone(), tie))
    });
    if let Some((def, tie)) = untied {
        match tie {
            Some(rule) => d.op(Op::Define(AttrDef { by: Some(rule), ..def })),
            None => remove(d, def),
        }
        return true;
    }
    let lists: Vec<Id> = d.world.of_kind(LIST).cloned().collect();
    lists.iter().any(|list| list.strip_prefix(&format!("{LIST}/")).is_some_and(|attr| lengthen(d, attr)))
}

/// Brings the attributes into being that the rules give by now, and whoever owns currency by them.
fn begin(d: &mut D<'_>) -> bool {
    let lost = |(attr, thing): &(&str, Thing)| d.world.named(attr).is_empty() && established(&d.rules, *thing).is_ok();
    match KEPT.into_iter().find(lost) {
        Some((attr, _)) => {
            regain(d, attr);
            true
        }
        None => enlist(d) || own(d, true),
    }
}

/// Whether a change may put definitions out of step: one of rules, of definitions, of objects, of a list or a currency, and
/// a value that goes.
fn touches(change: &Change) -> bool {
    match change {
        Change::World(Op::Set { to: Value::Null, .. }) => true,
        Change::World(Op::Set { at, .. } | Op::Add { at, .. }) => {
            at.obj.starts_with(LIST) || at.obj.starts_with(CURRENCY)
        }
        Change::World(_) | Change::Rule(_) => true,
        _ => false,
    }
}

/// Makes an object of every list attribute, those of the rules themselves included, with the lengths that lists have at
/// first (B11.5). Says whether there was one without.
fn enlist(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Attributes).is_err() {
        return false;
    }
    let bare = |def: &&AttrDef| matches!(def.range, Range::List { .. }) && !d.world.exists(&list_object(&def.id));
    let bare: Vec<Id> = d.world.defs().filter(bare).map(|def| def.id.clone()).collect();
    let (Ok(min), Ok(max)) = (d.rules.need_count(&LIST_MIN), d.rules.need_count(&LIST_MAX)) else { return false };
    for attr in &bare {
        let length = |length: u64| i64::try_from(length).unwrap_or(LENGTH_MAX_COUNT);
        list(d, attr, length(min), length(max));
    }
    !bare.is_empty()
}

fn list(d: &mut D<'_>, attr: &Id, min: i64, max: i64) {
    let obj = list_object(attr);
    d.op(Op::Create { obj: obj.clone(), kind: LIST.into() });
    d.set(&NAME, &obj, attr.to_string());
    d.set(&MIN_LENGTH, &obj, min);
    d.set(&MAX_LENGTH, &obj, max);
}

/// Gives the range of a list the lengths that the list has as an object, where they differ.
pub(super) fn lengthen(d: &mut D<'_>, attr: &str) -> bool {
    let Some(def) = list_called(d, attr).cloned() else { return false };
    let (Range::List { of, min_len, max_len }, obj) = (&def.range, list_object(attr)) else { return false };
    let length = |attr: &Attr<i64>| d.world.get(attr, &obj).and_then(|length| u32::try_from(length).ok());
    let (min, max) = (length(&MIN_LENGTH).unwrap_or(*min_len), length(&MAX_LENGTH).unwrap_or(*max_len));
    if (min, max) == (*min_len, *max_len) {
        return false;
    }
    let range = Range::List { of: of.clone(), min_len: min, max_len: max };
    d.op(Op::Define(AttrDef { range, ..def }));
    true
}

/// Whether an attribute is one that the program itself plays by.
pub(super) fn is_own(attr: &str) -> bool {
    stats::DECLARED.contains(&attr) || victory::PARTS.contains(&attr) || OWN.contains(&attr) || attr == crisis::FLAG.id
}

/// A name that a rule in force gives in its header as that of an attribute that it defines.
struct Named {
    rule: Id,
    /// As the name of an attribute.
    whole: String,
    /// As the name of an attribute, and the words for the kind that has it.
    of: Option<(String, String)>,
}

/// The attributes that rules in force say in their headers that they define, in the order of the rules.
fn named_in_headers(d: &D<'_>) -> Vec<Named> {
    let of = |name: &str| name.rsplit_once(" of ").map(|(name, kind)| (slug(name), kind.to_owned()));
    let named = |rule: &Rule, name: &str| Named { rule: rule.id().clone(), whole: slug(name), of: of(name) };
    let in_header = |rule: &Rule| -> Vec<Named> {
        rule.field(DEFINES).into_iter().flat_map(|field| field.split(',')).map(|name| named(rule, name)).collect()
    };
    d.rules.with_field(DEFINES).into_iter().flat_map(in_header).collect()
}

/// The rule that says in its header that it defines an attribute: by its name, or with the kind that has it.
fn defining(d: &D<'_>, named: &[Named], def: &AttrDef) -> Option<Id> {
    let is_kind = |words: &str| BNomic::kind(d, words).is_some_and(|kind| def.names(&kind));
    let is = |Named { whole, of, .. }: &Named| {
        *whole == *def.id || of.as_ref().is_some_and(|(name, kind)| *name == *def.id && is_kind(kind))
    };
    let rule = named.iter().find(|named| is(named)).map(|named| named.rule.clone());
    // What the law of a rule defines goes with the law.
    rule.or_else(|| def.by.clone().filter(|by| laws::defines(d, by, &def.id)))
}

/// A rule establishes again what the game's own attribute belongs to: everything has it anew, at its default (B11.2).
fn regain(d: &mut D<'_>, attr: &str) {
    let Some(def) = stats::definitions().into_iter().find(|def| *def.id == *attr) else { return };
    d.op(Op::Define(def));
    if attr == MACKEREL.id {
        let all: Vec<Id> = players::players(d).cloned().collect();
        all.iter().for_each(|player| currency::endow(d, player));
    }
    if attr == RETAINER.id
        && let Ok(start) = d.rules.need(&RETAINER_START)
    {
        let all: Vec<Id> = d.world.of_kind(MINISTRY).cloned().collect();
        all.iter().for_each(|ministry| d.set(&RETAINER, ministry, start.clone()));
    }
}

// ---- display

/// The rule in force that an attribute belongs to.
pub(super) fn defined_by<'a>(state: &'a State<BNomic>, def: &AttrDef) -> Option<&'a Rule> {
    match KEPT.iter().find(|(kept, _)| **kept == *def.id) {
        Some((_, thing)) => state.rules.establishes(thing.word()).and_then(|id| state.rules.in_force(id)),
        None => def.by.as_ref().and_then(|by| state.rules.in_force(by)),
    }
}

/// What an attribute is at first: a figure of a rule where it has one (B11.2).
pub(super) fn first(state: &State<BNomic>, def: &AttrDef) -> Value {
    let figures = [
        (MACKEREL.id, &MACKEREL_START),
        (RETAINER.id, &RETAINER_START),
        (MIN_LENGTH.id, &LIST_MIN),
        (MAX_LENGTH.id, &LIST_MAX),
        (stats::POWER, &POWER_DEFAULT),
    ];
    let figure = figures.iter().find(|(attr, _)| *attr == &*def.id).and_then(|(_, key)| state.rules.need(key).ok());
    figure.map_or_else(|| def.default.clone(), Value::Num)
}

/// The attributes that proposals and rules defined for a kind, beside those that the program plays by (B11.9).
pub(super) fn added(state: &State<BNomic>, kind: &str) -> Vec<Id> {
    state.world.defs_for(kind).filter(|def| !is_own(&def.id)).map(|def| def.id.clone()).collect()
}

/// Every attribute that is defined: of what, which values, which at first, and by which rule (B11.1).
fn show_attributes(state: &State<BNomic>) -> Document {
    let row = |def: &AttrDef| {
        let by = defined_by(state, def);
        let rule = by.map_or_else(
            || Cell::new(if is_own(&def.id) { "no rule any more" } else { "a proposal" }),
            |rule| Cell::new(format!("{PREFIX}{}", rule.number())).showing(format!("rule/{}", rule.number())),
        );
        cells![&def.id, &def.scope, define::shown(&def.range), stats::shown(state, &def.id, &first(state, def)), rule]
    };
    let rows: Vec<_> = state.world.defs().map(row).collect();
    Document::titled("attributes", "Attributes of B Nomic")
        .table(["attribute", "of every", "which is", "at first", "by"], rows)
}

/// Kinds of which a display of their own shows the game's own attributes.
const SHOWN_ELSEWHERE: [&str; 3] = [MINISTRY, CLOCK, stats::RULE];

/// What the registry is called.
const TITLE: &str = "The registry of B Nomic: what no other display shows";

/// What stands where instead.
const ELSEWHERE: &str = "What rules say (rules), what is announced, owed and requested has displays of its own.";

/// The objects of a kind with the attributes that the registry shows of them.
struct Held<'a> {
    kind: Id,
    objects: Vec<Id>,
    attrs: Vec<&'a AttrDef>,
}

fn held(state: &State<BNomic>) -> Vec<Held<'_>> {
    // Players stand whole on the Registrar's display, and what a Ministry keeps on that one's.
    let here = |kind: &Id| **kind != *PLAYER && keeping::showing(state, kind).next().is_none();
    let held = |kind: Id| {
        let elsewhere = SHOWN_ELSEWHERE.contains(&&*kind);
        let here =
            |def: &&AttrDef| *def.id != *stats::BODY.id && !(elsewhere && *def.scope == *kind && is_own(&def.id));
        let attrs: Vec<&AttrDef> = state.world.defs_for(&kind).filter(here).collect();
        let mut objects: Vec<Id> = state.world.of_kind(&kind).cloned().collect();
        if *kind == *stats::RULE {
            objects.sort_by_key(|obj| stats::of(state, obj).map(Rule::number));
        }
        (!objects.is_empty() && !attrs.is_empty()).then_some(Held { kind, objects, attrs })
    };
    state.world.kinds().into_iter().filter(here).filter_map(held).collect()
}

/// Most objects of a kind that are named where all that they have is as at first.
const NAMED_MAX_COUNT: usize = 4;

/// What no other Ministry shows: every object of every other kind, with its attributes (B2.1, B51.1). What is as at first
/// is told once for all that have it, and not in a row for each.
fn show(state: &State<BNomic>) -> Document {
    let mut document = Document::titled("registry", TITLE);
    let mut usual: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mut of in held(state) {
        // The list of proposals and each one's own display have these.
        of.attrs.retain(|def| *def.scope != *PROPOSAL || !is_own(&def.id));
        let is_usual = |obj: &Id, def: &AttrDef| {
            BNomic::value(state, &Path::new(obj.clone(), def.id.clone())) == first(state, def)
        };
        let apart: Vec<Id> =
            of.objects.iter().filter(|obj| of.attrs.iter().any(|def| !is_usual(obj, def))).cloned().collect();
        let of_some = |def: &&AttrDef| apart.iter().any(|obj| !is_usual(obj, def));
        let told: Vec<&AttrDef> = of.attrs.iter().copied().filter(of_some).collect();
        if !apart.is_empty() {
            document = with_table(document, state, &of.kind, &apart, &told);
        }
        let at_first: Vec<String> = of
            .attrs
            .iter()
            .map(|def| format!("{} {}", def.id, stats::shown(state, &def.id, &first(state, def))))
            .collect();
        let names: Vec<String> = match of.objects.len() {
            ..=NAMED_MAX_COUNT => of.objects.iter().map(|obj| called(state, obj)).collect(),
            _ => vec![format!("each {}", of.kind)],
        };
        usual.entry(at_first.join(", ")).or_default().extend(names);
    }
    let lines = usual.into_iter().filter(|(at_first, _)| !at_first.is_empty());
    let lines = lines.map(|(at_first, names)| Cell::new(format!("{}: {at_first}", names.join(", "))));
    document.para("As at first, but for what stands above:").with(Block::List(lines.collect())).para(ELSEWHERE)
}
