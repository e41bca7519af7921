//! Tweaks (4E77): changes of rules or state that one Player submits and activates without objection.
//!
//! A Player has one in each nweek, which is never revised and attempted once. Objections are awaited in `intents`.

use serde::{Deserialize, Serialize};

use super::{
    clock::hands,
    effects::carried_out,
    figures::{TWEAK_OBJECTIONS, TWEAKS},
    game::{BNomic, D},
    intents::needs::Needs,
    law::{Thing, established},
    posted,
    stats::called,
};
use kernel::{
    Act, Display, Id, Mechanic, Refusal, State, directives,
    display::{Block, Cell, Document, cells},
    table::Row,
};
use kit::docket::{self, TEXT_MAX_BYTES};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let submit = Act::new("tweak", |Submit { text }, d| submit(&text, d));
    Mechanic::new("tweaks")
        .table::<Tweak>()
        .act(submit.by(Thing::Tweaks.word()).player().public("tweak TEXT"))
        .display(Display::new("tweaks", |state, _| Ok(show(state))).listed(9))
}

kit::args! {
    /// The arguments of `tweak` (B77.1).
    Submit { text: String }
}

// ---- state

/// A tweak. Its key is what it is known by: `tweak/3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Tweak {
    /// Counts from 1.
    number: u64,
    /// Whose.
    by: Id,
    /// The nweek in which it was submitted.
    nweek: i64,
    /// The same as nweeks are counted.
    count: i64,
    /// Its text.
    text: String,
    /// Whether it took effect.
    done: bool,
    /// Whether the Chairman has carried out by hand what the program could not.
    by_hand: bool,
}

/// By what a tweak of a number is known.
pub(super) fn id(number: u64) -> Id {
    format!("tweak/{number}").into()
}

// ---- decide

/// A Player submits a tweak (B77.1).
///
/// # Errors
///
/// A [`Refusal`] for a second time in an nweek, and for a text whose directives are none.
fn submit(text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let by = Thing::Tweaks.rule(&d.rules);
    let (limit, nweek, count) = (d.rules.need_count(&TWEAKS)?, hands::now(d).nweek, hands::nweeks(d));
    let mine = d.rows::<Tweak>().values().filter(|tweak| tweak.by == me && tweak.count == count).count() as u64;
    if mine >= limit {
        return Err(Refusal::new(format!("{mine} of {limit} tweaks in an nweek; the next nweek allows another"))
            .by(by)
            .instead("show tweaks"));
    }
    docket::unmarked(text, "tweak => set mackerel-rate to 4")?;
    let text = docket::text(text).map_err(|_| {
        Refusal::new(format!("a tweak has 1 to {TEXT_MAX_BYTES} bytes of text")).by(by).instead("tweak TEXT")
    })?;
    let report = carried_out::forecast(d, &text, &directives::alone)?;
    let number = d.number(Tweak::TABLE);
    let id = id(number);
    let name = called(d, &me);
    posted::note(d, &id, &text);
    d.put(&id, Tweak { number, by: me, nweek, count, text: text.clone(), done: false, by_hand: false });
    d.say(
        kernel::entry::Audience::Public,
        Document::titled(format!("tweak/{number}"), format!("Tweak {number} by {name}")).para(text),
    );
    let mut reply = Document::say(format!(
        "Your tweak is number {number}. Announce its activation with “⁅intend tweak {number}⁆”."
    ));
    reply.blocks.extend(report);
    Ok(reply)
}

/// What activating one needs: nobody who objects (B77.2).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(super) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Tweaks)?;
    Ok(Needs { without: Some(state.rules.need_count(&TWEAK_OBJECTIONS)?), ..Needs::default() })
}

/// Only its submitter, in the nweek of its submission or the next (B77.2).
///
/// # Errors
///
/// A [`Refusal`] for others, and later.
pub(super) fn allowed(d: &D<'_>, me: &Id, tweak: &Id) -> Result<(), Refusal> {
    let by = Thing::Tweaks.rule(&d.rules);
    let Some(tweak) = d.rows::<Tweak>().get(tweak) else {
        return Err(Refusal::new("that tweak is gone").by(by).instead("show tweaks"));
    };
    if tweak.by != *me {
        return Err(Refusal::new("only its submitter activates a tweak").by(by).instead("show tweaks"));
    }
    if hands::nweeks(d) > tweak.count.saturating_add(1) {
        return Err(Refusal::new("it was submitted before the previous nweek").by(by).instead("tweak TEXT"));
    }
    Ok(())
}

/// Whether a tweak can no longer be activated in an nweek that is ahead (B77.2).
pub(super) fn is_old(state: &State<BNomic>, tweak: &Id, nweek: i64) -> bool {
    let ahead = nweek.saturating_sub(hands::now(state).nweek);
    let count = hands::nweeks(state).saturating_add(ahead);
    state.rows::<Tweak>().get(tweak).is_some_and(|tweak| count > tweak.count.saturating_add(1))
}

/// What an active tweak is called and what it says, for whoever applies its prose.
///
/// # Errors
///
/// A [`Refusal`] where it was not activated.
pub(super) fn active(state: &State<BNomic>, number: u64) -> Result<(String, String), Refusal> {
    let tweak = state.rows::<Tweak>().get(&id(number)).filter(|tweak| tweak.done);
    tweak.map(|tweak| (format!("tweak {number}"), tweak.text.clone())).ok_or_else(|| {
        Refusal::new(format!("no tweak {number} is active")).by(Thing::Tweaks.rule(&state.rules)).instead("show tweaks")
    })
}

/// The tweaks that are active and that nobody has applied by hand, each with its text.
pub(super) fn to_apply(state: &State<BNomic>) -> Vec<(u64, String)> {
    let active = state.rows::<Tweak>().values().filter(|tweak| tweak.done && !tweak.by_hand);
    active.map(|tweak| (tweak.number, tweak.text.clone())).collect()
}

/// Notes that the Chairman carries out by hand what a tweak says.
///
/// # Errors
///
/// A [`Refusal`] where that has been done.
pub(super) fn by_hand(d: &mut D<'_>, number: u64) -> Result<(), Refusal> {
    let id = id(number);
    if d.rows::<Tweak>().get(&id).is_none_or(|tweak| tweak.by_hand) {
        return Err(Refusal::new(format!("tweak {number} was applied by hand before"))
            .by(Thing::Tweaks.rule(&d.rules))
            .instead("tweak TEXT"));
    }
    d.edit(&id, |tweak: &mut Tweak| tweak.by_hand = true);
    Ok(())
}

/// Activates a tweak: all of it happens, or nothing.
///
/// # Errors
///
/// A [`Refusal`] with the line that cannot be done.
pub(super) fn perform(me: &Id, id: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let Some(tweak) = d.rows::<Tweak>().get(id).cloned() else {
        return Err(Refusal::new("that tweak is gone").instead("show tweaks"));
    };
    let (label, before) = (format!("tweak {}", tweak.number), d.announced());
    let blocks = carried_out::carry_out_posted(d, id, &tweak.text, &label)?;
    d.edit(id, |tweak: &mut Tweak| tweak.done = true);
    let name = called(d, me);
    let mut document = Document::say(format!("{name} activates {label}."));
    document.blocks.extend(blocks);
    d.say_before(before, |d| d.say(kernel::entry::Audience::Public, document));
    Ok(Document::say("Done."))
}

impl Row<BNomic> for Tweak {
    type Key = Id;
    const TABLE: &'static str = "tweaks";

    fn told(_: &Id, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        match (was, is) {
            (None, Some(is)) => format!("{} submits tweak {}", called(state, &is.by), is.number),
            (Some(was), None) => format!("tweak {} is gone", was.number),
            (Some(was), Some(is)) if is.by_hand != was.by_hand => format!("tweak {} is applied by hand", is.number),
            (Some(was), Some(is)) if is.done && !was.done => format!("tweak {} takes effect", is.number),
            (Some(was), Some(is)) if was.done && !is.done => format!("tweak {} has not taken effect", is.number),
            _ => String::new(),
        }
    }
}

// ---- display

/// What a tweak is called.
pub(super) fn label(state: &State<BNomic>, tweak: &Id) -> String {
    state.rows::<Tweak>().get(tweak).map_or_else(|| "a tweak".to_owned(), |tweak| format!("tweak {}", tweak.number))
}

/// Its text.
pub(super) fn text(state: &State<BNomic>, tweak: &Id) -> Vec<Block> {
    state.rows::<Tweak>().get(tweak).map(|tweak| Block::Para(tweak.text.clone())).into_iter().collect()
}

/// The latest tweaks.
fn show(state: &State<BNomic>) -> Document {
    /// Tweaks that the list shows, the latest first.
    const SHOWN_MAX_COUNT: usize = 30;
    let mut made: Vec<&Tweak> = state.rows::<Tweak>().values().collect();
    made.sort_by_key(|tweak| std::cmp::Reverse(tweak.number));
    let row = |tweak: &&Tweak| {
        let number = tweak.number.to_string();
        cells![
            Cell::named(number),
            called(state, &tweak.by),
            tweak.nweek,
            if tweak.done { "active" } else { "" },
            tweak.text.clone(),
        ]
    };
    let rows = made.iter().take(SHOWN_MAX_COUNT).map(row);
    let document = Document::titled("tweaks", "Tweaks of B Nomic");
    document.table_or("Nobody has submitted a tweak. “⁅tweak TEXT⁆” does.", ["", "by", "nweek", "", "text"], rows)
}
