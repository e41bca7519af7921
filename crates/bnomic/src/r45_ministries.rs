//! Ministries (4E45 to 4E47, 4E49, 4E51): who takes and leaves them, and rewards.
//!
//! A ministry exists while a rule in force names it in its header, and is Vacant or held by one Player. Holders stand
//! in `posts`, and are usurped in `usurping`; the rights of each office stand with the mechanic that it serves.

mod heads;
pub(super) mod posts;

use serde::{Deserialize, Serialize};

use super::{
    clock::hands,
    figures::{MINI_REWARD, MINISTER_REWARD, RETAINER_START},
    game::{BNomic, D},
    happenings,
    intents::announced,
    keeping,
    law::{Thing, established},
    obligations::duties,
    registry::{self, cells},
    society::players,
    stats::{ACTIVE, MACKEREL, MINISTER, MINISTRY, PLAYER, RETAINER, called},
};
use kernel::{
    Act, Display, Id, Mechanic, Num, Refusal, State, Value,
    directives::Names,
    display::{Block, Cell, Document, cells},
    rulebook::Rule,
    table::Row,
    waiting::{End, Waiting, Wants},
    world::Op,
};
use posts::{Post, ever_called, find, minis, minister, named, of};

pub(super) use heads::told;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let take = Act::new("take", |Which { ministry }, d| each(&ministry, d, take))
        .by(Thing::Taking.word())
        .player()
        .public("ministry take NAME");
    let resign = Act::new("resign", |Which { ministry }, d| each(&ministry, d, resign))
        .by(Thing::Leaving.word())
        .player()
        .public("ministry resign NAME");
    Mechanic::new("ministries")
        .table::<Tenure>()
        .act(take)
        .act(resign)
        .display(Display::new("ministries", |state, _| Ok(show(state))).listed(5))
        .begins(found)
        .settle(settle)
        .differs(told)
        .waits(waits)
}

/// Most Vacant ministries that are named at once.
const NAMED_MAX_COUNT: usize = 5;

/// The Vacant ministries, which any Player may take: they are nobody's turn.
fn waits(state: &State<BNomic>) -> Vec<Waiting> {
    let is_vacant = |(id, _, _): &(Id, String, &Rule)| state.world.exists(id) && minister(state, id).is_none();
    let vacant: Vec<String> = named(state).into_iter().filter(is_vacant).map(|(_, name, _)| name).collect();
    if vacant.is_empty() || established(&state.rules, Thing::Taking).is_err() {
        return Vec::new();
    }
    let more = match vacant.len().saturating_sub(NAMED_MAX_COUNT) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first = vacant.iter().take(NAMED_MAX_COUNT).cloned().collect::<Vec<_>>().join(", ");
    vec![Waiting {
        display: "ministries".to_owned(),
        label: format!("Vacant ministries to take: {first}{more}"),
        line: format!("ministry take {}", vacant[0]),
        until: End::Never,
        of: Vec::new(),
        wants: Wants::Turn,
        cast: Vec::new(),
    }]
}

kit::args! {
    /// The arguments of acts about a ministry: `take` (B46.1), `resign` (B47.1).
    Which { ministry: String }
}

/// Does what is said of one ministry or of several; of these all or none: `Goods, Play, Fauna`.
pub(super) fn each(
    words: &str,
    d: &mut D<'_>,
    act: impl Fn(&str, &mut D<'_>) -> Result<Document, Refusal>,
) -> Result<Document, Refusal> {
    let is_one = |words: &str| find(d, words).is_ok();
    let named: Vec<&str> = words.split(',').map(str::trim).collect();
    if is_one(words) || named.len() < 2 || !named.iter().all(|name| is_one(name)) {
        return act(words, d);
    }
    let mut reply = Document::default();
    for name in named {
        reply.blocks.extend(act(name, d)?.blocks);
    }
    Ok(reply)
}

// ---- state

/// What is remembered of the present holding of a ministry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Tenure {
    /// Whether it has been held without a break since the Clock was first On in this nweek, or before (B49.1).
    whole: bool,
    /// The nweeks in which each Player held it last, as they are counted (B48.5).
    #[schemars(with = "std::collections::BTreeMap<Id, i64>")]
    held: imbl::OrdMap<Id, i64>,
    /// Whoever held it, each once, the latest last.
    #[schemars(with = "Vec<Id>")]
    order: imbl::Vector<Id>,
    /// Whether its holder has been Active while holding it, and so loses it with that (B47.1).
    active: bool,
}

impl Row<BNomic> for Tenure {
    type Key = Id;
    const TABLE: &'static str = "tenures";

    /// Who holds it now is a value of the ministry.
    fn told(ministry: &Id, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let whole = |side: Option<&Self>| side.is_some_and(|tenure| tenure.whole);
        let name = ever_called(state, ministry);
        match (whole(was), whole(is)) {
            (false, true) => format!("{name} is held from before the Clock was first On"),
            (true, false) => format!("{name} is no longer held from before the Clock was first On"),
            _ => String::new(),
        }
    }
}

/// Whoever held an office, each once, the latest last.
pub(super) fn holders(state: &State<BNomic>, post: Post) -> Vec<Id> {
    let tenure = state.rows::<Tenure>().get(&post.id());
    tenure.map(|tenure| tenure.order.iter().cloned().collect()).unwrap_or_default()
}

/// The nweek in which a Player held a ministry last, as they are counted (B48.5).
pub(super) fn held_last(state: &State<BNomic>, ministry: &Id, player: &Id) -> Option<i64> {
    state.rows::<Tenure>().get(ministry).and_then(|tenure| tenure.held.get(player).copied())
}

// ---- decide

/// Gives a ministry to a Player, by whatever route: its Retainer is at the default (B48.3).
pub(super) fn install(d: &mut D<'_>, ministry: &Id, player: &Id) -> Result<(), Refusal> {
    let retained = established(&d.rules, Thing::Retainers).is_ok();
    let start = if retained { Some(d.rules.need(&RETAINER_START)?) } else { None };
    let (nweek, before_on) = (hands::nweeks(d), !hands::was_on(d));
    let active = is_active(d, player);
    d.set(&MINISTER, ministry, player.clone());
    if let Some(start) = start {
        d.set(&RETAINER, ministry, start);
    }
    d.upsert(ministry, |tenure: &mut Tenure| {
        tenure.whole = before_on;
        tenure.active = active;
        tenure.held.insert(player.clone(), nweek);
        tenure.order.retain(|before| before != player);
        tenure.order.push_back(player.clone());
    });
    duties::handed(d, ministry, None);
    happenings::took(d, player, ministry);
    Ok(())
}

fn is_active(state: &State<BNomic>, player: &Id) -> bool {
    state.world.get(&ACTIVE, player).unwrap_or_default()
}

/// Leaves a ministry Vacant, its Retainer at nothing (B48.3).
pub(super) fn release(d: &mut D<'_>, ministry: &Id) {
    let Some(was) = minister(d, ministry) else { return };
    let nweek = hands::nweeks(d);
    let at = MINISTER.of(ministry);
    d.op(Op::Set { at, to: Value::Null, was: Value::Ref(was.clone()) });
    if established(&d.rules, Thing::Retainers).is_ok() {
        d.set(&RETAINER, ministry, Num::default());
    }
    d.upsert(ministry, |tenure: &mut Tenure| {
        tenure.whole = false;
        tenure.active = false;
        tenure.held.insert(was.clone(), nweek);
    });
    duties::handed(d, ministry, Some(&was));
    announced::left_office(d, &was, ministry);
}

/// Leaves all ministries of somebody Vacant (B47.1).
pub(super) fn vacate(d: &mut D<'_>, player: &Id) {
    let posts: Vec<Id> = of(d, player).collect();
    posts.iter().for_each(|post| release(d, post));
    let names: Vec<String> = posts.iter().map(|post| called(d, post)).collect();
    match &names[..] {
        [] => {}
        [name] => d.tell_all(capital(format!("{name} is Vacant."))),
        names => d.tell_all(format!("Vacant now: {}.", names.join(", "))),
    }
}

/// Takes notice of a holder who came or went by what an approved display says: its Retainer stands as it says too.
pub(super) fn said(d: &mut D<'_>, ministry: &Id) {
    let (holder, nweek) = (minister(d, ministry), hands::nweeks(d));
    d.upsert(ministry, |tenure: &mut Tenure| {
        tenure.whole = false;
        tenure.active = false;
        if let Some(holder) = holder.clone() {
            tenure.held.insert(holder.clone(), nweek);
            tenure.order.retain(|before| *before != holder);
            tenure.order.push_back(holder);
        }
    });
    duties::handed(d, ministry, None);
}

/// Makes a Player a minister by a change of the rules.
///
/// # Errors
///
/// A [`Refusal`] where there is no such ministry.
pub(super) fn appoint(d: &mut D<'_>, player: &Id, office: &str) -> Result<(), Refusal> {
    // A rule that was just made may name the ministry.
    while settle(d) {}
    let ministry = find(d, office)?;
    if minister(d, &ministry).as_ref() == Some(player) {
        return Ok(());
    }
    install(d, &ministry, player)
}

/// A moderator says who holds a ministry, outside the rules (B2.3): somebody, or nobody.
///
/// # Errors
///
/// A [`Refusal`] where that is no Player.
pub(super) fn by_hand(ministry: &Id, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    if ["vacant", "nobody", "nothing"].contains(&to.trim().to_lowercase().as_str()) {
        release(d, ministry);
        return Ok(());
    }
    let player = players::other(d, &BNomic::find(d, to)?, None)?;
    if minister(d, ministry).as_ref() == Some(&player) {
        return Ok(());
    }
    release(d, ministry);
    install(d, ministry, &player)
}

/// A sentence that begins with what a ministry is called.
pub(super) fn capital(sentence: String) -> String {
    sentence.strip_prefix("the ").map_or(sentence.clone(), |rest| format!("The {rest}"))
}

/// A Player takes a Vacant ministry (B46.1).
///
/// # Errors
///
/// A [`Refusal`] where somebody holds it.
fn take(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let ministry = find(d, words)?;
    let name = called(d, &ministry);
    if let Some(held) = minister(d, &ministry) {
        let say = format!("{} holds {name}; once its Retainer is spent it can be usurped", called(d, &held));
        return Err(Refusal::new(say).by(Thing::Ministries.rule(&d.rules)).instead("show ministries"));
    }
    install(d, &ministry, &me)?;
    let mine = called(d, &me);
    d.tell_all(format!("{mine} takes {name}."));
    Ok(Document::say(capital(format!("{name} is yours."))))
}

/// A Player resigns a ministry (B47.1).
///
/// # Errors
///
/// A [`Refusal`] where it is somebody else's.
fn resign(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let ministry = find(d, words)?;
    mine(d, &ministry, &me)?;
    release(d, &ministry);
    let (mine, name) = (called(d, &me), called(d, &ministry));
    d.tell_all(format!("{mine} resigns {name}; it is Vacant."));
    Ok(Document::say(capital(format!("{name} is Vacant."))))
}

fn mine(d: &D<'_>, ministry: &Id, me: &Id) -> Result<(), Refusal> {
    if minister(d, ministry).as_ref() == Some(me) {
        return Ok(());
    }
    Err(Refusal::new(format!("you do not hold {}", called(d, ministry)))
        .by(Thing::Ministries.rule(&d.rules))
        .instead("show ministries"))
}

// ---- due

/// An nweek ends: Ministers are paid (B49.1). Says who for what, if anybody is.
pub(super) fn ministers_are_paid(d: &mut D<'_>) -> Option<String> {
    established(&d.rules, Thing::Ministries).ok()?;
    let all: Vec<Id> = d.world.of_kind(MINISTRY).cloned().collect();
    let reward = d.rules.need(&MINISTER_REWARD).ok().filter(|_| established(&d.rules, Thing::MinistryRewards).is_ok());
    // What there is no attribute of cannot be paid.
    let paid = hands::was_on(d) && d.world.def(MACKEREL.id, PLAYER).is_some();
    let reward = reward.filter(|_| paid)?;
    // Who gets how much for which.
    let mut rewards: Vec<(Id, Num, Vec<String>)> = Vec::new();
    let (mini, less): (Vec<Id>, Option<Num>) = (minis(d), d.rules.need(&MINI_REWARD).ok());
    for ministry in &all {
        let reward = if mini.contains(ministry) { less.clone().unwrap_or_default() } else { reward.clone() };
        let whole = d.rows::<Tenure>().get(ministry).is_some_and(|tenure| tenure.whole);
        if let Some(player) = minister(d, ministry).filter(|_| whole) {
            d.add(&MACKEREL, &player, reward.clone());
            let post = called(d, ministry);
            let office = post.strip_prefix("the Ministry of ").unwrap_or(&post).to_owned();
            match rewards.iter_mut().find(|(who, much, _)| *who == player && *much == reward) {
                Some((_, _, offices)) => offices.push(office),
                None => rewards.push((player, reward, vec![office])),
            }
        }
    }
    let one = |(player, reward, offices): &(Id, Num, Vec<String>)| {
        let each = if offices.len() > 1 { " each" } else { "" };
        format!("{} m{reward}{each} for {}", called(d, player), offices.join(", "))
    };
    let said: Vec<String> = rewards.iter().map(one).collect();
    (!said.is_empty()).then(|| format!("Ministers are paid: {}.", said.join("; ")))
}

/// An nweek begins: whoever holds a ministry now holds it from before the Clock's first On (B49.2).
pub(super) fn nweek_begins(d: &mut D<'_>) {
    let nweek = hands::nweeks(d);
    let all: Vec<Id> = d.world.of_kind(MINISTRY).cloned().collect();
    for ministry in all {
        let holder = minister(d, &ministry);
        d.upsert(&ministry, |tenure: &mut Tenure| {
            tenure.whole = holder.is_some();
            if let Some(holder) = holder {
                tenure.held.insert(holder, nweek);
            }
        });
    }
}

/// Makes a ministry of each that a rule in force names, and ends those that none names any more (B45.1).
pub(super) fn settle(d: &mut D<'_>) -> bool {
    let named: Vec<Id> = named(d).into_iter().map(|(id, ..)| id).collect();
    let held: Vec<Id> = d.world.of_kind(MINISTRY).cloned().collect();
    let mut changed = false;
    for gone in held.iter().filter(|held| !named.contains(held)) {
        if let Some(holder) = minister(d, gone) {
            let (who, post) = (called(d, &holder), written(gone));
            d.tell_all(format!("{who} holds the Ministry of {post} no more: it ended with its rule."));
        }
        release(d, gone);
        duties::ended(d, gone);
        registry::end(d, gone);
        changed = true;
    }
    changed | found(d) | leave(d)
}

/// Makes a ministry of each that a rule in force names and that there is not; whether there was one.
fn found(d: &mut D<'_>) -> bool {
    let new = |(id, _, _): &(Id, String, &Rule)| (!d.world.exists(id)).then(|| id.clone());
    let new: Vec<Id> = named(d).iter().filter_map(new).collect();
    for id in &new {
        d.op(Op::Create { obj: id.clone(), kind: MINISTRY.into() });
        if let (Ok(()), Ok(start)) = (established(&d.rules, Thing::Retainers), d.rules.need(&RETAINER_START)) {
            d.set(&RETAINER, id, start);
        }
    }
    !new.is_empty()
}

/// What a ministry was called that no rule names any more.
fn written(ministry: &str) -> String {
    let tail = ministry.rsplit('/').next().unwrap_or(ministry);
    let capital = |word: &str| word.get(..1).map_or_else(String::new, |first| first.to_uppercase() + &word[1..]);
    tail.split('-').map(capital).collect::<Vec<_>>().join(" ")
}

/// Whoever is Active no more, by whatever cause, holds no ministry any more (B47.1). The Beast was never Active.
fn leave(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Leaving).is_err() || established(&d.rules, Thing::Activity).is_err() {
        return false;
    }
    let all: Vec<Id> = d.world.of_kind(MINISTRY).cloned().collect();
    let mut changed = false;
    for ministry in all {
        let Some(holder) = minister(d, &ministry) else { continue };
        let (now, was) = (is_active(d, &holder), d.rows::<Tenure>().get(&ministry).is_some_and(|tenure| tenure.active));
        if now && !was {
            d.upsert(&ministry, |tenure: &mut Tenure| tenure.active = true);
            changed = true;
        } else if was && !now {
            release(d, &ministry);
            let (name, post) = (called(d, &holder), called(d, &ministry));
            d.tell_all(capital(format!("{post} is Vacant: {name} is not Active any more.")));
            changed = true;
        }
    }
    changed
}

// ---- display

/// The display of the Ministry of Ministry: all ministries with name, office, Retainer and holder (B51.1).
fn show(state: &State<BNomic>) -> Document {
    let more = registry::added(state, MINISTRY);
    let row = |(id, name, rule): &(Id, String, &Rule)| {
        let held = minister(state, id);
        let by = held.map_or_else(|| "Vacant".to_owned(), |held| called(state, &held));
        let retainer = state.world.get(&RETAINER, id).filter(|_| established(&state.rules, Thing::Retainers).is_ok());
        let mut row = cells![
            Cell::new(format!("Ministry of {name}")).completing(name.clone()),
            rule.field("office").unwrap_or_default(),
            Cell::new(by).from_path(MINISTER.of(id)),
            Cell::new(retainer.map(|retainer| retainer.to_string()).unwrap_or_default()).from_path(RETAINER.of(id)),
            Cell::new(format!("{}{}", super::law::PREFIX, rule.number())).showing(format!("rule/{}", rule.number())),
        ];
        row.extend(more.iter().map(|attr| cells::cell(state, id, attr)));
        row
    };
    let mut head = ["", "also", "held by", "Retainer", "rule"].map(str::to_owned).to_vec();
    head.extend(more.iter().map(ToString::to_string));
    let all: Vec<_> = named(state).into_iter().filter(|(id, _, _)| state.world.exists(id)).collect();
    let keeps = |(_, name, _): &(Id, String, &Rule)| {
        let kept = keeping::kept(state, name);
        (!kept.is_empty()).then(|| Cell::new(format!("{name}: {kept}")))
    };
    let kept: Vec<Cell> = all.iter().filter_map(keeps).collect();
    let rows = all.iter().map(row);
    Document::titled("ministries", "Ministries of B Nomic")
        .table(head, rows)
        .para("What each answers for stands in its rule; the displays that it keeps:")
        .with(Block::List(kept))
}
