//! Acts that need others (4E21, 4E22): announced, objected to or supported, and then performed by who announced them.
//!
//! One mechanism for every such act: what it needs, when it ripens, when it lapses. It never happens by itself. ndays are
//! counted by the changes of the nday, so that nothing ripens while the Clock is Off; rdays by midnights (B21.4). Absent:
//! what the acts do, which stands with their mechanics.

mod shown;

use serde::{Deserialize, Serialize};

pub(super) use self::shown::coming;
use super::{
    approvals, clock,
    figures::{OBJECTION_FROM, OBJECTION_UNTIL, PERFORM_NDAYS, SUPPORT_NDAYS, WAITED_NDAYS},
    foreign,
    game::{BNomic, D},
    law::{Thing, established},
    ministries::{self, Post},
    retitling, society,
    stats::called,
    tidiness, tweaks,
};
use kernel::{Display, Id, Mechanic, Refusal, Seq, State, display::Document, mechanic, table::Row};
use shown::{detail, offers, show, show_one, when};

/// Most acts that one Player has announced and neither performed nor let lapse: enough for every office at once.
const OPEN_MAX_COUNT: usize = 20;

/// How an act is announced.
pub(super) const LINE: &str = "intend usurp Law";
/// The act that performs one.
pub(super) const PERFORMING: &str = "perform";
/// How it is performed.
pub(super) const PERFORM: &str = "perform 3";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let object = mechanic::Act::new("object_to", |Object { intent }, d| match intent {
        Some(intent) => answer(intent, Answer::Object, d),
        None => Err(Refusal::new("what was announced is objected to by its number").instead("show intents")),
    });
    let support = mechanic::Act::new("support", |Which { intent }, d| answer(intent, Answer::Support, d));
    let perform = mechanic::Act::new(PERFORMING, |Which { intent }, d| perform(intent, d));
    Mechanic::new("intents")
        .table::<Intent>()
        .act(object.by(Thing::Objecting.word()).player().public("object 3"))
        .act(support.by(Thing::Supporting.word()).player().public("object 3"))
        .act(perform.player().public(PERFORM))
        .display(Display::new("intents", |state, _| Ok(show(state))).listed(8))
        .display(Display::of("intent", |state, asked| show_one(state, asked.rest)).fits(|parts| parts == 1))
        .settle(settle)
}

kit::args! {
    /// The arguments of `object_to` (B21.5).
    Object {
        /// Which; none in what was set for later by an earlier version.
        intent: Option<u64>,
    }

    /// The arguments of `support` (B22.1) and `perform` (B21.3).
    Which { intent: u64 }
}

// ---- state

/// An act that was announced, by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    /// Counts from 1.
    number: u64,
    /// Who announced it.
    by: Id,
    /// Changes of the nday when it was announced.
    changes: u64,
    /// What it is.
    act: Act,
    /// Who objected.
    objected: Vec<Id>,
    /// Who supported it.
    supported: Vec<Id>,
    /// Changes of the nday when its support was complete.
    complete: Option<u64>,
    /// What became of it.
    ended: Option<Ended>,
    /// Midnights of the room when it was announced, for what waits in rdays.
    #[serde(default)]
    rdays: u64,
    /// Changes of the nday when the rdays of its wait were over.
    #[serde(default)]
    waited: Option<u64>,
    /// In which entry a display was given that is to be approved; 0 for all else.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) entry: Seq,
    /// How many changes the approval of a display made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) made: Option<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What can be announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    /// The Rulekeeper gives a rule another title (B36.6).
    Retitle {
        /// Which rule.
        rule: Id,
        /// Its title.
        title: String,
    },
    /// A ministry is usurped with support (B48.5).
    Usurp {
        /// Which.
        ministry: Id,
    },
    /// A tweak is activated (B77.2).
    Tweak {
        /// Whose, and in which nweek it was submitted.
        tweak: Id,
    },
    /// A Tidiness List is submitted (B32.1).
    Tidy {
        /// Its lines.
        lines: Vec<tidiness::Line>,
    },
    /// The Ambassador makes B act in another nomic (B23.2).
    Foreign {
        /// Which nomic.
        nomic: String,
        /// What B does there.
        text: String,
    },
    /// A display is approved (B50.4).
    Approve(approvals::Given),
}

/// What became of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ended {
    /// It was performed.
    Performed,
    /// It cannot be performed any more.
    Lapsed,
}

/// What an act needs of others, as the rules read now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Fewer Players than this may object.
    pub(super) without: Option<u64>,
    /// So many Players must support it.
    pub(super) with: Option<u64>,
    /// ndays to wait, where a rule gives a time of its own (B21.4).
    pub(super) wait: Option<u64>,
    /// rdays in which others object and support, where a rule gives those; then it waits for them (B50.5).
    pub(super) rdays: Option<u64>,
}

/// Why an act cannot be performed to which enough Players objected: that is told when the last of them does.
const OBJECTED: &str = "Players objected";

/// How an act stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It may become ripe.
    Waits,
    /// It can be performed.
    Ripe,
    /// It can no longer be performed, since …
    Dead(&'static str),
}

fn needs(state: &State<BNomic>, act: &Act) -> Result<Needs, Refusal> {
    match act {
        Act::Retitle { .. } => retitling::needs(state),
        Act::Usurp { .. } => ministries::needs(state),
        Act::Tweak { .. } => tweaks::needs(state),
        Act::Tidy { .. } => tidiness::needs(state),
        Act::Foreign { .. } => foreign::needs(state),
        Act::Approve(_) => approvals::needs(state),
    }
}

/// What an act is, as the end of “… announces the intention to”.
fn words(state: &State<BNomic>, act: &Act) -> String {
    match act {
        Act::Retitle { rule, title } => retitling::words(state, rule, title),
        Act::Usurp { ministry } => format!("usurp {}", ministries::ever_called(state, ministry)),
        Act::Tweak { tweak } => format!("activate {}", tweaks::label(state, tweak)),
        Act::Tidy { lines } if lines.len() == 1 => "submit a Tidiness List with 1 correction".to_owned(),
        Act::Tidy { lines } => format!("submit a Tidiness List with {} corrections", lines.len()),
        Act::Foreign { nomic, text } => format!("have B act in {nomic}: {}", text.trim_end_matches('.')),
        Act::Approve(given) => approvals::sentence(given),
    }
}

/// When an act can be performed: from so many changes of the nday after its announcement, to so many. `None` where a
/// figure that says so is gone.
fn window(state: &State<BNomic>, intent: &Intent, needs: Needs) -> Option<(u64, u64)> {
    let need = |key| state.rules.need_count(key).ok();
    if needs.rdays.is_some() {
        let from = intent.waited?.saturating_sub(intent.changes);
        return Some((from, from.saturating_add(need(&WAITED_NDAYS)?)));
    }
    let support = match intent.complete {
        Some(complete) => {
            let from = complete.saturating_sub(intent.changes);
            Some((from, from.saturating_add(need(&PERFORM_NDAYS)?)))
        }
        None => None,
    };
    let waited = match (needs.without, needs.wait) {
        (None, _) => None,
        (Some(_), Some(wait)) => {
            let from = wait.saturating_add(1);
            Some((from, wait.saturating_add(need(&WAITED_NDAYS)?)))
        }
        (Some(_), None) => Some((need(&OBJECTION_FROM)?.saturating_add(1), need(&OBJECTION_UNTIL)?)),
    };
    // Where both are needed, the time to perform runs from the later of the two (B22.4).
    match (waited, support, needs.with) {
        (Some(waited), None, None) => Some(waited),
        (None, Some(support), _) => Some(support),
        (Some(waited), Some(support), _) => Some((waited.0.max(support.0), waited.1.max(support.1))),
        (None | Some(_), None, _) => None,
    }
}

/// The rule that an act waits for, or that says it is over; where that is gone, the one by which it is.
fn rule_of(state: &State<BNomic>, intent: &Intent) -> Option<String> {
    let needs = match needs(state, &intent.act) {
        Ok(needs) => needs,
        Err(why) => return why.rule,
    };
    let thing = match needs {
        _ if stage(state, intent) == Stage::Dead(OBJECTED) => Thing::Objecting,
        Needs { rdays: Some(_), .. } => Thing::Displays,
        Needs { wait: Some(_), .. } => Thing::Tidiness,
        Needs { with: Some(_), without, .. } if without.is_none() || intent.complete.is_none() => Thing::Supporting,
        _ => Thing::Objecting,
    };
    established(&state.rules, thing).map_or_else(|why| why.rule, |()| Some(thing.rule(&state.rules)))
}

fn stage(state: &State<BNomic>, intent: &Intent) -> Stage {
    if intent.ended.is_some() {
        return Stage::Dead("it is over");
    }
    let Ok(needs) = needs(state, &intent.act) else { return Stage::Dead("the rule that allows it is gone") };
    if !society::is_player(state, &intent.by) {
        return Stage::Dead("whoever announced it is no Player any more");
    }
    if needs.without.is_some_and(|bar| intent.objected.len() as u64 >= bar) {
        return Stage::Dead(OBJECTED);
    }
    let elapsed = clock::changes(state).saturating_sub(intent.changes);
    if needs.rdays.is_some() && intent.waited.is_none() {
        return Stage::Waits;
    }
    if needs.rdays.is_some() && needs.with.is_some() && intent.complete.is_none() {
        return Stage::Dead("it found too little support in time");
    }
    if needs.with.is_some() && intent.complete.is_none() {
        let limit = state.rules.need_count(&SUPPORT_NDAYS).ok();
        return match limit {
            Some(limit) if elapsed <= limit => Stage::Waits,
            _ => Stage::Dead("it found too little support in time"),
        };
    }
    match window(state, intent, needs) {
        None => Stage::Dead("no rule says when"),
        Some((_, until)) if elapsed > until => Stage::Dead("its time is over"),
        Some((from, _)) if elapsed < from => Stage::Waits,
        Some(_) => Stage::Ripe,
    }
}

impl Row<BNomic> for Intent {
    type Key = u64;
    const TABLE: &'static str = "intents";

    fn told(number: &u64, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let Some(is) = is else { return format!("intention {number} is gone") };
        let Some(was) = was else {
            return format!("{} intends to {} (intention {number})", called(state, &is.by), words(state, &is.act));
        };
        let names = |all: &[Id]| match all {
            [] => "nobody".to_owned(),
            all => all.iter().map(|id| called(state, id)).collect::<Vec<_>>().join(", "),
        };
        let objected = (was.objected != is.objected).then(|| format!("objected to by {}", names(&is.objected)));
        let supported = (was.supported != is.supported).then(|| format!("supported by {}", names(&is.supported)));
        let ended = is.ended.filter(|ended| was.ended != Some(*ended)).map(|ended| match ended {
            Ended::Performed => "performed".to_owned(),
            Ended::Lapsed => "cannot be performed any more".to_owned(),
        });
        let told: Vec<String> = [objected, supported, ended].into_iter().flatten().collect();
        if told.is_empty() { String::new() } else { format!("intention {number}: {}", told.join("; ")) }
    }
}

fn put(d: &mut D<'_>, intent: Intent) {
    let number = intent.number;
    d.put(&number, intent);
}

fn need(state: &State<BNomic>, number: u64) -> Result<Intent, Refusal> {
    let none = || Refusal::new(format!("no act of number {number} was announced")).instead("show intents");
    state.rows::<Intent>().get(&number).cloned().ok_or_else(none)
}

// ---- decide

/// A Player announces an act (B21.2, B21.7).
///
/// # Errors
///
/// A [`Refusal`] with too many acts open, and where the act could not be performed by this Player.
pub(super) fn announce(act: Act, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let asked = needs(d, &act)?;
    if asked.without.is_some() {
        established(&d.rules, Thing::Objecting)?;
    }
    if asked.with.is_some() {
        established(&d.rules, Thing::Supporting)?;
    }
    allowed(d, &me, &act)?;
    let open = |intent: &&Intent| intent.by == me && !matches!(stage(d, intent), Stage::Dead(_));
    if d.rows::<Intent>().values().filter(open).count() >= OPEN_MAX_COUNT {
        return Err(Refusal::new(format!(
            "you have announced {OPEN_MAX_COUNT} acts that are open, as many as the bot keeps"
        ))
        .instead("show intents"));
    }
    // A display is right as of the time of the attempt, so that another attempt is another act (B50.6).
    let again = d.rows::<Intent>().values().filter(|_| !matches!(act, Act::Approve(_)));
    let again = again.into_iter().find(|intent| open(intent) && intent.act == act);
    if let Some(again) = again {
        return Err(Refusal::new(format!("you have announced that already: it is intention {}", again.number))
            .instead("show intents"));
    }
    let number = d.number("intents", newest(d).unwrap_or(0) + 1);
    let what = words(d, &act);
    let intent = Intent {
        number,
        by: me.clone(),
        changes: clock::changes(d),
        entry: if matches!(act, Act::Approve(_)) { d.seq } else { 0 },
        act,
        objected: Vec::new(),
        supported: Vec::new(),
        complete: None,
        ended: None,
        rdays: clock::rdays(d),
        waited: None,
        made: None,
    };
    let name = called(d, &me);
    let mut document = Document::titled(format!("intent/{number}"), format!("Intention {number} of {name}"))
        .para(format!("{name} announces the intention to {what}."));
    document.blocks.extend(detail(d, &intent.act));
    document = document.para(when(d, &intent));
    document.offers = offers(&intent, asked, d.seq);
    put(d, intent);
    d.say(kernel::entry::Audience::Public, document);
    Ok(Document::say(format!("Your intention is number {number}.")))
}

/// Whether a Player may do an act at all now, apart from what others say of it.
fn allowed(d: &D<'_>, me: &Id, act: &Act) -> Result<(), Refusal> {
    match act {
        Act::Retitle { .. } => retitling::allowed(d, me),
        Act::Usurp { .. } | Act::Approve(_) => Ok(()),
        Act::Tweak { tweak } => tweaks::allowed(d, me, tweak),
        Act::Tidy { .. } => Ok(()),
        Act::Foreign { .. } => foreign::allowed(d, me),
    }
}

/// How a Player answers an announced act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Against it.
    Object,
    /// For it.
    Support,
}

/// A Player objects to an act or supports it (B21.5, B22.1).
///
/// # Errors
///
/// A [`Refusal`] for one's own act, once it is over, and a second time.
fn answer(number: u64, answer: Answer, d: &mut D<'_>) -> Result<Document, Refusal> {
    let thing = if answer == Answer::Object { Thing::Objecting } else { Thing::Supporting };
    let (me, by) = (d.actor()?, thing.rule(&d.rules));
    let mut intent = need(d, number)?;
    let refuse = |say: String| Err(Refusal::new(say).by(by.clone()).instead("show intents"));
    if intent.by == me {
        return refuse("that act is your own".to_owned());
    }
    if answer == Answer::Object && society::are_twins(d, &me, &intent.by) {
        return refuse(format!(
            "{} is your Twin now, and nobody objects to what a Twin attempts",
            called(d, &intent.by)
        ));
    }
    if let Stage::Dead(why) = stage(d, &intent) {
        return refuse(format!("that act cannot be performed any more: {why}"));
    }
    let asked = needs(d, &intent.act)?;
    if asked.rdays.is_some() && intent.waited.is_some() {
        return refuse("the time to object to that act or support it is over".to_owned());
    }
    let (list, word, counts) = match answer {
        Answer::Object => (&mut intent.objected, "objects to", asked.without.is_some()),
        Answer::Support => (&mut intent.supported, "supports", asked.with.is_some()),
    };
    if !counts {
        return refuse("no rule asks for that with this act".to_owned());
    }
    if list.contains(&me) {
        return refuse("you said so already".to_owned());
    }
    list.push(me.clone());
    if intent.complete.is_none() && asked.with.is_some_and(|with| intent.supported.len() as u64 >= with) {
        intent.complete = Some(clock::changes(d));
    }
    let what = words(d, &intent.act);
    let name = called(d, &me);
    let whose = called(d, &intent.by);
    let when = when(d, &intent);
    put(d, intent);
    d.tell_all(format!("{name} {word} intention {number} of {whose}, to {what}. {when}"));
    Ok(Document::say("Noted."))
}

/// The one who announced an act performs it (B21.3, B22.3).
///
/// # Errors
///
/// A [`Refusal`] for others, before it is ripe, after it is over, and where the act itself cannot be done now.
pub(super) fn perform(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let mut intent = need(d, number)?;
    let by = rule_of(d, &intent);
    let refuse = |say: String| Err(Refusal { rule: by.clone(), ..Refusal::new(say) }.instead("show intents"));
    if intent.by != me {
        return refuse(format!("{} announced that act and performs it", called(d, &intent.by)));
    }
    match stage(d, &intent) {
        Stage::Ripe => {}
        Stage::Waits => return refuse(format!("that cannot be performed yet. {}", when(d, &intent))),
        Stage::Dead(why) => return refuse(format!("that act cannot be performed any more: {why}")),
    }
    allowed(d, &me, &intent.act)?;
    let act = intent.act.clone();
    intent.ended = Some(Ended::Performed);
    put(d, intent);
    match act {
        Act::Retitle { rule, title } => retitling::perform(&me, &rule, &title, d),
        Act::Usurp { ministry } => ministries::usurp_with_support(&me, &ministry, d),
        Act::Tweak { tweak } => tweaks::perform(&me, &tweak, d),
        Act::Tidy { lines } => tidiness::perform(&me, &lines, d),
        Act::Foreign { nomic, text } => foreign::perform(&me, &nomic, &text, d),
        Act::Approve(given) => approvals::perform(&me, number, &given, d),
    }
}

/// The number under which an act was announced last.
pub(super) fn announced(state: &State<BNomic>, act: &Act) -> Option<u64> {
    state.rows::<Intent>().values().rev().find(|intent| intent.act == *act).map(|intent| intent.number)
}

/// The number of the act that was announced last.
pub(super) fn newest(state: &State<BNomic>) -> Option<u64> {
    state.rows::<Intent>().get_max().map(|(number, _)| *number)
}

/// A display that was announced to be approved, and who announced it.
pub(super) fn approval(state: &State<BNomic>, number: u64) -> Option<(&Id, &approvals::Given)> {
    let intent = state.rows::<Intent>().get(&number)?;
    if let Act::Approve(given) = &intent.act { Some((&intent.by, given)) } else { None }
}

/// The entry in which a display was given that somebody can approve now.
pub(super) fn ripe_approval(state: &State<BNomic>, number: u64, by: &Id) -> Option<Seq> {
    let intent = state.rows::<Intent>().get(&number).filter(|intent| intent.by == *by && intent.entry > 0)?;
    (stage(state, intent) == Stage::Ripe).then_some(intent.entry)
}

// ---- due

/// Somebody is no Player any more: what was announced ends with that (B4.9).
pub(super) fn left(d: &mut D<'_>, player: &Id) {
    end(d, "whoever announced it forfeited", |intent| intent.by == *player);
}

/// Somebody leaves an office: what was announced as its holder ends with that (BX6).
pub(super) fn left_office(d: &mut D<'_>, player: &Id, ministry: &Id) {
    end(d, "whoever announced it left the office for it", |intent| {
        let office = match intent.act {
            Act::Retitle { .. } => Some(Post::Law),
            Act::Foreign { .. } => Some(Post::Foreign),
            _ => None,
        };
        intent.by == *player && office.is_some_and(|office| office.id() == *ministry)
    });
}

fn end(d: &mut D<'_>, why: &str, ends: impl Fn(&Intent) -> bool) {
    let made = d.rows::<Intent>().values();
    let over: Vec<Intent> = made.filter(|intent| intent.ended.is_none() && ends(intent)).cloned().collect();
    for mut intent in over {
        let (name, number, what) = (called(d, &intent.by), intent.number, words(d, &intent.act));
        // That one which Players objected to is over was told then.
        let was_over = matches!(stage(d, &intent), Stage::Dead(_));
        intent.ended = Some(Ended::Lapsed);
        put(d, intent);
        if !was_over {
            d.tell_all(format!("Intention {number} of {name}, to {what}, has lapsed: {why}."));
        }
    }
}

/// Keeps account of whether each act has its supporters, as the rules read now (B22.1).
fn settle(d: &mut D<'_>) -> bool {
    let moved = d.rows::<Intent>().values().find_map(|intent| {
        let with = needs(d, &intent.act).ok()?.with.filter(|_| intent.ended.is_none())?;
        let complete = intent.supported.len() as u64 >= with;
        (complete != intent.complete.is_some()).then(|| intent.clone())
    });
    let Some(mut intent) = moved else { return false };
    intent.complete = if intent.complete.is_none() { Some(clock::changes(d)) } else { None };
    put(d, intent);
    true
}

/// An nday began: whatever can no longer be performed is over.
pub(super) fn nday_begins(d: &mut D<'_>) {
    let over: Vec<(Intent, &'static str)> = {
        let state: &State<BNomic> = d;
        let dead = |intent: &Intent| match stage(state, intent) {
            Stage::Dead(why) if intent.ended.is_none() => Some((intent.clone(), why)),
            _ => None,
        };
        state.rows::<Intent>().values().filter_map(dead).collect()
    };
    for (mut intent, why) in over {
        let (name, number, what) = (called(d, &intent.by), intent.number, words(d, &intent.act));
        intent.ended = Some(Ended::Lapsed);
        put(d, intent);
        if why != OBJECTED {
            d.tell_all(format!("Intention {number} of {name}, to {what}, has lapsed: {why}."));
        }
    }
}

/// A midnight passed: what waits in rdays has waited (B21.4, B50.5).
pub(super) fn midnight(d: &mut D<'_>) {
    let over: Vec<Intent> = {
        let state: &State<BNomic> = d;
        let waits = |intent: &&Intent| {
            let rdays = needs(state, &intent.act).ok().and_then(|needs| needs.rdays);
            let passed = clock::rdays(state).saturating_sub(intent.rdays);
            intent.ended.is_none() && intent.waited.is_none() && rdays.is_some_and(|rdays| passed >= rdays)
        };
        state.rows::<Intent>().values().filter(waits).cloned().collect()
    };
    for mut intent in over {
        intent.waited = Some(clock::changes(d));
        let (name, number, what) = (called(d, &intent.by), intent.number, words(d, &intent.act));
        let dead = if let Stage::Dead(why) = stage(d, &intent) { Some(why) } else { None };
        intent.ended = dead.map(|_| Ended::Lapsed);
        let when = when(d, &intent);
        put(d, intent);
        if dead == Some(OBJECTED) {
            continue;
        }
        d.tell_all(match dead {
            Some(why) => format!("Intention {number} of {name}, to {what}, has lapsed: {why}."),
            None => format!("Intention {number} of {name}, to {what}, is ripe. {when}"),
        });
    }
}
