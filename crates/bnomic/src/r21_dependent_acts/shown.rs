//! Displays of announced acts (4E21, 4E22): the needs of each, in words, and the list of all.
//!
//! When an act ripens and lapses is reckoned in `intents`.

use super::{
    announced::{self, Act, Ended, Intent, Stage, need, needs, stage, window, words},
    needs::Needs,
};
use crate::{
    approvals,
    clock::hands,
    figures::SUPPORT_NDAYS,
    game::BNomic,
    stats::called,
    timetable::coming::{Coming, Time},
    tweaks,
};
use kernel::{
    Id, Refusal, State,
    display::{Block, Cell, Document, Offer, cells},
};

pub(super) fn offers(intent: &Intent, asked: Needs, at_seq: u64) -> Vec<Offer> {
    let offer = |label: &str, word: &str| Offer::new(label, format!("{word} {}", intent.number), at_seq);
    let mut offers = Vec::new();
    if asked.without.is_some() {
        offers.push(offer("Object", "object"));
    }
    if asked.with.is_some() {
        offers.push(offer("Support", "support"));
    }
    offers.push(offer("Perform", "perform"));
    offers
}

pub(super) fn detail(state: &State<BNomic>, act: &Act) -> Vec<Block> {
    match act {
        Act::Tweak { tweak } => tweaks::text(state, tweak),
        Act::Approve(given) => approvals::preview(state, given),
        Act::Law(act) => act.texts(state),
        Act::Usurp { .. } => Vec::new(),
    }
}

/// The nday at which the Clock stands after so many changes from an nday, where it is not set otherwise.
fn nday(state: &State<BNomic>, intent: &Intent, changes: u64) -> String {
    let elapsed = hands::changes(state).saturating_sub(intent.changes);
    let ahead = changes.checked_sub(elapsed).and_then(|ahead| usize::try_from(ahead).ok());
    let moment = match ahead {
        Some(0) => Some(hands::now(state)),
        Some(ahead) => hands::ahead(state).nth(ahead - 1).map(|(moment, _)| moment),
        None => None,
    };
    moment.map_or_else(|| format!("{changes} changes of the nday after it"), |moment| format!("nday {moment}"))
}

/// What an act waits for, in a sentence.
pub(super) fn when(state: &State<BNomic>, intent: &Intent) -> String {
    if let Stage::Dead(why) = stage(state, intent) {
        return format!("It cannot be performed any more: {why}.");
    }
    let Ok(asked) = needs(state, &intent.act) else { return "The rule that allows it is gone.".to_owned() };
    let elapsed = hands::changes(state).saturating_sub(intent.changes);
    if let Stage::Dead(why) = stage(state, intent) {
        return format!("It cannot be performed any more: {why}.");
    }
    let mut says = Vec::new();
    if let (Some(rdays), None) = (asked.rdays, intent.waited) {
        let left = rdays.saturating_sub(hands::rdays(state).saturating_sub(intent.rdays));
        let midnights = if left == 1 { "midnight".to_owned() } else { format!("{left} midnights") };
        says.push(format!(
            "It has {} of {} supporters, and {} of {} objections that end it. It can be performed after the next {midnights}; who objects or supports does so before.",
            intent.supported.len(),
            asked.with.unwrap_or_default(),
            intent.objected.len(),
            asked.without.unwrap_or_default(),
        ));
        return says.join(" ");
    }
    if let (Some(with), None) = (asked.with, intent.complete) {
        let limit = state.rules.need_count(&SUPPORT_NDAYS).unwrap_or_default();
        says.push(format!(
            "It has {} of {with} supporters and {} to find them.",
            intent.supported.len(),
            ndays(limit.saturating_sub(elapsed))
        ));
    }
    if let Some(without) = asked.without.filter(|_| asked.rdays.is_none()) {
        says.push(match (without, intent.objected.len()) {
            (1, _) => "One objection ends it.".to_owned(),
            (without, objected) => format!("{without} objections end it; it has {objected}."),
        });
    }
    if let Some((from, until)) = window(state, intent, asked) {
        says.push(match (elapsed < from, elapsed <= until) {
            _ if from > until => "As the rules stand there is no time in which it could be performed.".to_owned(),
            (true, _) => format!(
                "It can be performed from the start of {} to the end of {}.",
                nday(state, intent, from),
                nday(state, intent, until)
            ),
            (false, true) => format!("It can be performed now, to the end of {}.", nday(state, intent, until)),
            (false, false) => "Its time is over.".to_owned(),
        });
    }
    if let (Act::Tweak { tweak }, Some((from, _))) = (&intent.act, window(state, intent, asked)) {
        let ahead = from.checked_sub(elapsed).and_then(|ahead| usize::try_from(ahead).ok());
        let then = ahead.and_then(|ahead| hands::ahead(state).nth(ahead.checked_sub(1)?));
        if then.is_some_and(|(moment, _)| tweaks::is_old(state, tweak, moment.nweek)) {
            says.push("By then it is too old, unless the Clock is set otherwise: a tweak is activated in the nweek of its submission or the next.".to_owned());
        }
    }
    if !hands::is_on(state) {
        says.push("The Clock is Off, so that no nday passes.".to_owned());
    }
    says.join(" ")
}

/// When acts can be performed, and when they lapse.
pub(crate) fn coming(state: &State<BNomic>) -> Vec<Coming> {
    let mut out = Vec::new();
    for intent in state.rows::<announced::Intent>().values() {
        let Ok(asked) = needs(state, &intent.act) else { continue };
        if matches!(stage(state, intent), Stage::Dead(_)) {
            continue;
        }
        let elapsed = hands::changes(state).saturating_sub(intent.changes);
        let which = format!("intention {} of {}", intent.number, called(state, &intent.by));
        if let (Some(rdays), None) = (asked.rdays, intent.waited) {
            let left = rdays.saturating_sub(hands::rdays(state).saturating_sub(intent.rdays));
            out.push(Coming::new(Time::Midnight(left), format!("{which} can be performed, or lapses")));
            continue;
        }
        if asked.with.is_some() && intent.complete.is_none() {
            let limit = state.rules.need_count(&SUPPORT_NDAYS).unwrap_or_default();
            let ends = Time::End(limit.saturating_sub(elapsed) + 1);
            out.push(Coming::new(ends, format!("{which} lapses, unless it has its support by then")));
            continue;
        }
        let Some((from, until)) = window(state, intent, asked) else { continue };
        if elapsed < from && from <= until {
            out.push(Coming::new(Time::Start(from - elapsed), format!("{which} can be performed")));
        }
        out.push(Coming::new(Time::End(until.saturating_sub(elapsed) + 1), format!("{which} lapses")));
    }
    out
}

fn ndays(count: u64) -> String {
    match count {
        0 => "the rest of this nday".to_owned(),
        1 => "this nday and the next".to_owned(),
        more => format!("this nday and {more} more"),
    }
}

/// One act, with all that it contains.
///
/// # Errors
///
/// A [`Refusal`] where none of that number was announced.
pub(crate) fn show_one(state: &State<BNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("an announced act is named by its number").instead("show intents");
    let intent = need(state, number.parse().map_err(|_| none())?)?;
    let (name, number) = (called(state, &intent.by), intent.number);
    let mut document = Document::titled(format!("intent/{number}"), format!("Intention {number} of {name}"))
        .para(format!("{name} announced the intention to {}.", words(state, &intent.act)));
    document.blocks.extend(match &intent.act {
        Act::Approve(given) => approvals::contents(state, (number, intent.entry), given),
        act => detail(state, act),
    });
    for (said, ids) in [("Objected", &intent.objected), ("Supported", &intent.supported)] {
        if !ids.is_empty() {
            let names: Vec<String> = ids.iter().map(|id| called(state, id)).collect();
            document = document.para(format!("{said}: {}.", names.join(", ")));
        }
    }
    document = document.para(standing(state, &intent));
    if let (Ok(asked), false) = (needs(state, &intent.act), matches!(stage(state, &intent), Stage::Dead(_))) {
        document.offers = offers(&intent, asked, state.seq);
    }
    Ok(document)
}

/// What became of an act, or what it waits for.
fn standing(state: &State<BNomic>, intent: &Intent) -> String {
    match (intent.ended, stage(state, intent)) {
        (Some(Ended::Performed), _) => "performed".to_owned(),
        (Some(Ended::Lapsed), _) => match stage(state, &Intent { ended: None, ..intent.clone() }) {
            Stage::Dead(why) => format!("lapsed: {why}"),
            _ => "lapsed".to_owned(),
        },
        (None, Stage::Dead(why)) => why.to_owned(),
        (None, _) => when(state, intent),
    }
}

/// All acts that are open, and the latest that are over.
pub(crate) fn show(state: &State<BNomic>) -> Document {
    /// Acts that are over which the list shows, the latest first.
    const SHOWN_MAX_COUNT: usize = 30;
    let row = |intent: &Intent| {
        let names = |ids: &[Id]| ids.iter().map(|id| called(state, id)).collect::<Vec<_>>().join(", ");
        cells![
            Cell::numbered("intent", intent.number),
            called(state, &intent.by),
            words(state, &intent.act),
            names(&intent.objected),
            names(&intent.supported),
            standing(state, intent),
        ]
    };
    // What is open is shown whole, so that nobody misses what they might object to.
    let (open, over): (Vec<_>, Vec<_>) = state
        .rows::<announced::Intent>()
        .values()
        .rev()
        .partition(|intent| !matches!(stage(state, intent), Stage::Dead(_)));
    let left = over.len().saturating_sub(SHOWN_MAX_COUNT);
    let rows: Vec<_> = open.into_iter().chain(over.into_iter().take(SHOWN_MAX_COUNT)).map(row).collect();
    let document = Document::titled("intents", "Announced intentions of B Nomic");
    let hint = "“⁅show intent 1⁆” shows what one contains, by its number.";
    if rows.is_empty() {
        return document.para("Nobody has announced anything that needs others.");
    }
    let document = document.table(["", "by", "to", "objected", "supported", ""], rows).para(hint);
    if left == 0 { document } else { document.para(format!("{left} older ones are over.")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of an nday is said in words.
    #[test]
    fn ndays_that_are_left_are_words() {
        assert_eq!(ndays(0), "the rest of this nday");
        assert_eq!(ndays(2), "this nday and 2 more");
    }
}
