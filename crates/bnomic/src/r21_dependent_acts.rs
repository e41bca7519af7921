//! Acts that need others (4E21, 4E22): announced, objected to or supported, and then performed by the announcer.
//!
//! One mechanism for every such act: its needs, when it ripens, when it lapses. No act happens by itself. Periods in
//! ndays are counted by the changes of the nday, so that nothing ripens while the Clock is Off. Those in rdays are
//! counted by midnights (B21.4). The announcement and its standing are kept in `announced`; the acts stand with their
//! mechanics.

pub(super) mod announced;
pub(super) mod needs;
mod shown;

use serde::de::DeserializeOwned;

pub(super) use self::shown::coming;
use super::{
    approvals,
    clock::hands,
    displays,
    game::{BNomic, D},
    law::{Thing, established},
    ministries::posts,
    society,
    stats::called,
    tweaks::{self, Tweak, id},
    usurping,
};
use announced::{Act, Ended, Intent, OBJECTED, PERFORMING, Stage, need, needs, put, rule_of, stage, words};
use kernel::{Display, Id, Mechanic, Refusal, State, display::Document, mechanic};
use shown::{detail, offers, show, show_one, when};

/// Most acts that one Player has announced and neither performed nor let lapse: enough for every office at once.
const OPEN_MAX_COUNT: usize = 20;

/// How an act is announced.
const LINE: &str = "intend usurp Law";
/// How it is performed.
const PERFORM: &str = "perform 3";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let object = mechanic::Act::new("object_to", |Object { intent }, d| match intent {
        Some(intent) => answer(intent, Answer::Object, d),
        None => Err(Refusal::new("what was announced is objected to by its number").instead("show intents")),
    });
    let support = mechanic::Act::new("support", |Which { intent }, d| answer(intent, Answer::Support, d));
    let perform = mechanic::Act::new(PERFORMING, |Which { intent }, d| perform(intent, d));
    let activate = mechanic::Act::new("activate_tweak", |Submitted { tweak }, d| activate(tweak, d));
    Mechanic::new("intents")
        .table::<Intent>()
        .act(object.by(Thing::Objecting.word()).player().public("object 3"))
        .act(support.by(Thing::Supporting.word()).player().public("object 3"))
        .act(perform.player().public(PERFORM))
        .act(activate.player().public(PERFORM))
        .act(intend("intend_usurp", |Usurp { ministry }, d| Ok(Act::Usurp { ministry: posts::find(d, &ministry)? })))
        .act(intend("intend_tweak", |Submitted { tweak }, d| Ok(Act::Tweak { tweak: meant(d, tweak)? })))
        .act(intend(approvals::ANNOUNCE, |Approve { display, text }, d| {
            let (display, text) = displays::widened(d, &display, text.as_deref().unwrap_or_default());
            Ok(Act::Approve(approvals::read(d, &display, text)?))
        }))
        .display(Display::new("intents", |state, _| Ok(show(state))).listed(8))
        .display(Display::of("intent", |state, asked| show_one(state, asked.rest)).fits(|parts| parts == 1))
        .settle(settle)
}

kit::args! {
    /// The arguments of `object_to` (B21.5).
    Object {
        /// Which; none where it was left out.
        intent: Option<u64>,
    }

    /// The arguments of `support` (B22.1) and `perform` (B21.3).
    Which { intent: u64 }

    /// The arguments of `intend_usurp` (B48.5).
    Usurp { ministry: String }

    /// The arguments of `intend_tweak` and `activate_tweak` (B77.2).
    Submitted { tweak: u64 }

    /// The arguments of `intend_approve` (B50.4).
    Approve {
        display: String,
        /// What it says otherwise than the record, a line for each value.
        text: Option<String>,
    }
}

/// An act that announces another, which is read from its arguments.
fn intend<A: DeserializeOwned>(
    name: &'static str,
    reads: impl Fn(A, &D<'_>) -> Result<Act, Refusal> + Send + Sync + 'static,
) -> mechanic::Act<BNomic> {
    mechanic::Act::new(name, move |args, d: &mut D<'_>| announce(reads(args, d)?, d)).player().public(LINE)
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
    let number = d.next_number::<Intent>();
    let what = words(d, &act);
    let intent = Intent {
        number,
        by: me.clone(),
        changes: hands::changes(d),
        entry: if matches!(act, Act::Approve(_)) { d.seq } else { 0 },
        act,
        objected: Vec::new(),
        supported: Vec::new(),
        complete: None,
        ended: None,
        rdays: hands::rdays(d),
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
        Act::Usurp { .. } | Act::Approve(_) => Ok(()),
        Act::Tweak { tweak } => tweaks::allowed(d, me, tweak),
        // The law asks who may when it is announced, and again when it is done.
        Act::Law(_) => Ok(()),
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
        intent.complete = Some(hands::changes(d));
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
fn perform(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
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
        Act::Usurp { ministry } => usurping::usurp_with_support(&me, &ministry, d),
        Act::Tweak { tweak } => tweaks::perform(&me, &tweak, d),
        Act::Approve(given) => d.in_act_of(None, |d| approvals::perform(&me, number, &given, d)),
        Act::Law(act) => act.perform(&me, d),
    }
}

// ---- due

/// Keeps account of whether each act has its supporters, as the rules read now (B22.1).
fn settle(d: &mut D<'_>) -> bool {
    let moved = d.rows::<Intent>().values().find_map(|intent| {
        let with = needs(d, &intent.act).ok()?.with.filter(|_| intent.ended.is_none())?;
        let complete = intent.supported.len() as u64 >= with;
        (complete != intent.complete.is_some()).then(|| intent.clone())
    });
    let Some(mut intent) = moved else { return false };
    intent.complete = if intent.complete.is_none() { Some(hands::changes(d)) } else { None };
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
            let passed = hands::rdays(state).saturating_sub(intent.rdays);
            intent.ended.is_none() && intent.waited.is_none() && rdays.is_some_and(|rdays| passed >= rdays)
        };
        state.rows::<Intent>().values().filter(waits).cloned().collect()
    };
    for mut intent in over {
        intent.waited = Some(hands::changes(d));
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

/// A tweak by number, for an announcement: it is attempted once.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or it was attempted before.
fn meant(state: &State<BNomic>, number: u64) -> Result<Id, Refusal> {
    let id = id(number);
    if !state.rows::<Tweak>().contains_key(&id) {
        return Err(Refusal::new(format!("there is no tweak {number}")).instead("show tweaks"));
    }
    if announced::announced(state, &Act::Tweak { tweak: id.clone() }).is_some() {
        return Err(Refusal::new(format!("the activation of tweak {number} was attempted before"))
            .by(Thing::Tweaks.rule(&state.rules))
            .instead("show tweaks"));
    }
    Ok(id)
}

/// Performs the activation of a tweak, by its number (B77.2).
///
/// # Errors
///
/// As [`perform`], and where nobody announced it.
fn activate(tweak: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    match announced::announced(d, &Act::Tweak { tweak: id(tweak) }) {
        Some(number) => perform(number, d),
        None => Err(Refusal::new(format!("nobody announced the intention to activate tweak {tweak}"))
            .by(Thing::Tweaks.rule(&d.rules))
            .instead(format!("intend tweak {tweak}"))),
    }
}
