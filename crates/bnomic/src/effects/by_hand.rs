//! The prose of a text, carried out by hand by the Chairman or the Coordinator (B15.10, B77.2, B0.16).
//!
//! Directives in a text are done when it takes effect (`effects`).

use super::carried_out::carry_out;
use crate::{
    emergency,
    game::{BNomic, D},
    law::Thing,
    ministries::posts,
    passing,
    proposals::status,
    stats::{BODY, called},
    tweaks,
};
use kernel::{Id, Refusal, State, display::Document, entry::Audience, rulebook::source::Text};
use kit::effects as texts;

/// How the Chairman applies a proposal.
pub(super) const PROPOSAL: &str = "chairman apply 3 => set Ann.score to 5";
/// How the Chairman applies a tweak.
pub(super) const TWEAK: &str = "chairman tweak 3 => set Ann.score to 5";
/// How the Coordinator applies a Refresh Proposal.
pub(super) const REFRESH: &str = "coordinator apply => set Ann.score to 5";

/// Whether a text says anything beside its directives, comments left out.
fn holds_prose(text: &str) -> Result<bool, Refusal> {
    let mut prose = text.to_owned();
    for directive in texts::read::<BNomic>(text)?.directives.iter().rev() {
        prose.replace_range(directive.at.clone(), "");
    }
    Ok(!Text::parse(prose).in_force().trim().is_empty())
}

/// Whether what a text says in prose is left for somebody to apply by hand.
pub(crate) fn is_left(text: &str, failed: bool) -> bool {
    failed || holds_prose(text).unwrap_or_default()
}

/// What passed or was activated and waits for the Chairman's hand, in a sentence (B15.10, B51.1).
pub(crate) fn left_by_hand(state: &State<BNomic>) -> Option<String> {
    /// The latest texts that are looked at.
    const LOOKED_MAX_COUNT: usize = 200;
    let passed = passing::to_apply(state)
        .into_iter()
        .rev()
        .take(LOOKED_MAX_COUNT)
        .filter(|id| is_left(&state.world.get(&BODY, id).unwrap_or_default(), passing::failed(state, id)));
    let mut left: Vec<String> = passed.map(|id| status::label(state, &id)).collect();
    left.reverse();
    let tweaks = tweaks::to_apply(state).into_iter().take(LOOKED_MAX_COUNT);
    left.extend(tweaks.filter(|(_, text)| is_left(text, false)).map(|(number, _)| format!("tweak {number}")));
    (!left.is_empty()).then(|| {
        format!("For the Chairman to apply (chairman apply, chairman tweak), as prose says it: {}.", left.join("; "))
    })
}

/// The Chairman who acts.
///
/// # Errors
///
/// A [`Refusal`] for everybody else.
fn chairman(d: &D<'_>, what: &str, by: &str) -> Result<Id, Refusal> {
    let me = d.actor()?;
    if posts::holds(d, &me, posts::Post::Change) {
        return Ok(me);
    }
    Err(Refusal::new(format!("only the Chairman applies {what}")).by(by).instead("show ministries"))
}

/// The Chairman does by hand what the prose of a proposal that passed says (B15.10).
///
/// # Errors
///
/// A [`Refusal`] for others, for proposals that did not pass or left nothing to do, a second time, and for directives that
/// cannot be done.
pub(super) fn apply_by_hand(number: u64, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Proposals.rule(&d.rules);
    let me = chairman(d, "a proposal", &by)?;
    let id = status::need(d, number)?;
    let label = status::label(d, &id);
    if !passing::passed(d, &id) {
        return Err(Refusal::new(format!("{label} did not pass")).by(by).instead("show proposals"));
    }
    let body = d.world.get(&BODY, &id).unwrap_or_default();
    if !passing::failed(d, &id) && !holds_prose(&body)? {
        let say = format!("{label} holds directives only, and they were done when it passed");
        return Err(Refusal::new(say).by(by).instead(format!("show proposal {number}")));
    }
    passing::by_hand(d, &id)?;
    by_hand(d, (&me, &label), &body, text, PROPOSAL)
}

/// The Chairman does by hand what the prose of a tweak says that was activated (B77.2).
///
/// # Errors
///
/// A [`Refusal`] for others, for what is no active tweak of prose, a second time, and for directives that cannot be done.
pub(super) fn apply_tweak(number: u64, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Tweaks.rule(&d.rules);
    let me = chairman(d, "a tweak", &by)?;
    let (label, body) = tweaks::active(d, number)?;
    if !holds_prose(&body)? {
        let say = format!("{label} holds directives only, and they were done when it was activated");
        return Err(Refusal::new(say).by(by).instead("show tweaks"));
    }
    tweaks::by_hand(d, number)?;
    by_hand(d, (&me, &label), &body, text, TWEAK)
}

/// The Coordinator does by hand what the Refresh Proposal says that ended the latest emergency (B0.16).
///
/// # Errors
///
/// A [`Refusal`] for others, where none was selected or it left nothing to do, a second time, and for directives that cannot
/// be done.
pub(super) fn apply_refresh(text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let (me, selected) = emergency::selected_for(d)?;
    if !selected.failed && !selected.text.is_empty() && !holds_prose(&selected.text)? {
        let say = format!("{} holds directives only, and they were done when it was selected", selected.label);
        return Err(Refusal::new(say).by(Thing::Emergency.rule(&d.rules)).instead("show emergency"));
    }
    emergency::by_hand(d)?;
    by_hand(d, (&me, &selected.label), &selected.text, text, REFRESH)
}

/// Does directives in the name of a text that says the same in prose, and tells everybody both.
fn by_hand(
    d: &mut D<'_>,
    (me, label): (&Id, &str),
    says: &str,
    text: &str,
    example: &str,
) -> Result<Document, Refusal> {
    if texts::read::<BNomic>(text)?.count() == 0 {
        return Err(Refusal::new("write what shall be done as directives").instead(example));
    }
    let blocks = d.in_act_of(None, |d| carry_out(d, text, label))?;
    let name = called(d, me);
    let mut document = match says {
        "" => Document::say(format!("{name} applies {label} by hand:")),
        says => Document::say(format!("{name} applies {label} by hand, which says:")).para(says).para("What is done:"),
    };
    document.blocks.extend(blocks);
    d.say(Audience::Public, document);
    Ok(Document::say("Done."))
}
