//! The texts of Proposals, Calls for Judgment and Admins' handiwork: their form, what their directives would do, and
//! doing it.
//!
//! A text may be prose, directives or both. Directives are tried when the text is posted, shown by a dry run at any time,
//! and done all or none (N36). When that is, Proposals and Calls say.

use super::{
    game::{BlogNomic, D},
    law::Base,
    program,
};
use kernel::{
    Id, Refusal, State,
    directives::{self, DryRun, Passing, Post},
    display::{Block, Document},
    entry::Audience,
    rulebook::book::TITLE_MAX_CHARS,
};
use kit::{
    docket::{self, TEXT_MAX_BYTES, Unfit},
    effects,
};

// ---- form

/// A title: one line of visible text.
pub(super) fn one_line(title: &str) -> Result<String, Refusal> {
    let title = docket::one_line(title);
    if title.is_empty() || title.chars().count() > TITLE_MAX_CHARS {
        return Err(
            Refusal::new(format!("a title has 1 to {TITLE_MAX_CHARS} characters")).instead("propose TITLE TEXT")
        );
    }
    Ok(title)
}

/// A text of a Proposal or a Call.
pub(super) fn body(text: &str) -> Result<String, Refusal> {
    docket::text(text).map_err(|why| {
        let say = match why {
            Unfit::Empty => "say what shall change".to_owned(),
            Unfit::Long(bytes) => format!("a text has at most {TEXT_MAX_BYTES} bytes, and this one has {bytes}"),
        };
        Refusal::new(say).instead("propose TITLE TEXT")
    })
}

// ---- trying and doing

/// What is said of a text without directives.
const PROSE: &str =
    "It holds no directive: an Admin carries it out by hand (“admin apply” for a Proposal, “admin judge” for a Call).";

/// What is said of directives that could not be done now, to whoever posts them (N36).
const PATIENT: &str = "It is posted all the same: what it needs may be there when it is done.";

/// What the directives of a text would do now that was posted, with what is done around them.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that is none.
pub(super) fn dry_run(
    state: &State<BlogNomic>,
    text: &str,
    post: &Post,
    passing: Passing<'_, BlogNomic>,
) -> Result<DryRun, Refusal> {
    effects::dry_run(state, text, state.at, Some(post), passing)
}

/// What a text's directives would do now, for the answer to whoever posts it. What cannot be done now is told, and
/// refuses nothing: something older may bring about what it needs.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn report(
    state: &State<BlogNomic>,
    text: &str,
    post: &Post,
    passing: Passing<'_, BlogNomic>,
) -> Result<(Vec<Block>, Base), Refusal> {
    let run = dry_run(state, text, post, passing)?;
    let patient = run.refused().next().map(|_| Block::Para(PATIENT.to_owned()));
    Ok((run.document().blocks.into_iter().chain(patient).collect(), run.base))
}

/// Whether a text says anything beside directives.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn has_prose(text: &str) -> Result<bool, Refusal> {
    Ok(effects::read::<BlogNomic>(text)?.has_prose(text))
}

/// Whether the directives of two texts do the same, but for the words that they quote.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn same_acts(one: &str, other: &str) -> Result<bool, Refusal> {
    Ok(effects::read::<BlogNomic>(one)?.does_as(&effects::read::<BlogNomic>(other)?))
}

/// That rules which a text touches are not as they were when it was posted or raised, as a sentence. Those who voted
/// before may have voted on something else.
pub(super) fn moved(state: &State<BlogNomic>, base: &Base, when: &str) -> Option<String> {
    let moved = directives::dry_run::moved_since(base, &state.rules);
    if moved.is_empty() {
        return None;
    }
    let have = if moved.len() == 1 { "has" } else { "have" };
    Some(format!("Since it was {when}, {} {have} changed, which it touches.", moved.join(", ")))
}

/// Does what a text's directives say, all or none, and says what changed.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that cannot be done.
pub(super) fn carry_out(d: &mut D<'_>, text: &str, post: Option<&Post>, why: &str) -> Result<Vec<Block>, Refusal> {
    let fault = program::fault(d);
    let mut blocks = d.in_act_of(None, |d| effects::carry_out_as_posted(d, text, post, why, PROSE))?;
    if let Some(now) = program::fault(d).filter(|now| fault.as_ref() != Some(now)) {
        blocks.push(Block::Para(format!("Nobody can run it until it reads again: {now}.")));
    }
    Ok(blocks)
}

/// Does directives that an Admin typed, on the ground of something decided.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or one cannot be done.
pub(super) fn by_hand(d: &mut D<'_>, admin: &Id, text: &str, ground: &str) -> Result<Document, Refusal> {
    if effects::read::<BlogNomic>(text)?.count() == 0 {
        return Err(
            Refusal::new("write what shall be done as directives").instead("admin apply 3 => set timeout-hours to 72")
        );
    }
    let blocks = carry_out(d, text, None, ground)?;
    let name = d.frame.name_of(admin).to_owned();
    let mut document = Document::say(format!("{name} carries out {ground} by hand:"));
    document.blocks.extend(blocks);
    d.say(Audience::Public, document);
    Ok(Document::say("Done."))
}
