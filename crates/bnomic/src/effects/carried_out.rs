//! What the directives of a text do, or would do.
//!
//! All of a text happens, or nothing. What their words mean in B Nomic stands above (`effects`).

use crate::{
    calendar,
    game::{BNomic, D},
    ministries, quantities,
};
use kernel::{
    Id, Refusal, State,
    directives::{Passing, Post},
    display::Block,
};
use kit::effects as texts;

/// What is said of a text without directives.
const PROSE: &str = "It holds no directive: the Chairman applies what it says.";

/// The same of a Refresh Proposal.
const REFRESH_PROSE: &str = "It holds no directive: the Coordinator applies what it says (coordinator apply).";

/// What a text's directives would do now, with what is done around them, for the answer to its author. What cannot be
/// done now may come to be by another that passes before it: that is told, and refuses nothing (B15.27).
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(crate) fn forecast(d: &D<'_>, text: &str, passing: Passing<'_, BNomic>) -> Result<Vec<Block>, Refusal> {
    let run = texts::dry_run(d, text, d.at, None, passing)?;
    let mut blocks = run.document().blocks;
    if run.refused().next().is_some() {
        blocks.insert(0, Block::Para("As things stand now it could not be done.".to_owned()));
    }
    Ok(blocks)
}

/// Does what a text's directives say.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that cannot be done.
pub(crate) fn carry_out(d: &mut D<'_>, text: &str, why: &str) -> Result<Vec<Block>, Refusal> {
    telling(d, |d| texts::carry_out(d, text, why, PROSE))
}

/// Does what changes the rules, and says which names stand for other numbers from then on (B30.1).
fn telling(d: &mut D<'_>, act: impl FnOnce(&mut D<'_>) -> Result<Vec<Block>, Refusal>) -> Result<Vec<Block>, Refusal> {
    let before: State<BNomic> = (**d).clone();
    let mut blocks = act(d)?;
    let holidays = calendar::changed(&before, d);
    if !holidays.is_empty() {
        blocks.push(Block::Para(format!("Holidays: {}.", holidays.join("; "))));
    }
    let changed = quantities::changed(&before.rules, &d.rules);
    if !changed.is_empty() {
        blocks.push(Block::Para(format!("Official quantities: {}.", changed.join("; "))));
    }
    blocks.extend(ministries::told(&before, d).into_iter().map(Block::Para));
    Ok(blocks)
}

/// Why the directives of a text cannot be read, where they cannot.
pub(crate) fn malformed(text: &str) -> Option<String> {
    texts::read::<BNomic>(text).err().map(|why| why.say)
}

/// The same for a Refresh Proposal that was selected (B0.16), and means what it meant when it was made.
///
/// # Errors
///
/// As [`carry_out`].
pub(crate) fn carry_out_refresh(d: &mut D<'_>, id: &Id, text: &str, why: &str) -> Result<Vec<Block>, Refusal> {
    let post = d.row::<Post>(id).cloned();
    telling(d, |d| texts::carry_out_as_posted(d, text, post.as_ref(), why, REFRESH_PROSE))
}

/// The same of a text that was posted, and means what it meant then.
///
/// # Errors
///
/// As [`carry_out`].
pub(crate) fn carry_out_posted(d: &mut D<'_>, id: &Id, text: &str, why: &str) -> Result<Vec<Block>, Refusal> {
    let post = d.row::<Post>(id).cloned();
    telling(d, |d| texts::carry_out_as_posted(d, text, post.as_ref(), why, PROSE))
}
