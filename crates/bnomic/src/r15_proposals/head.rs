//! The head of a text: the lines that name the proposals which this one depends on and conflicts with (B15.6).
//!
//! Dependencies and Conflicts take effect in `tally`.

use super::status::{author, need};
use crate::{
    game::D,
    law::Thing,
    quantities, registry, society,
    stats::{CONFLICTS, DEPENDENCIES, called},
};
use kernel::{Id, Refusal, rulebook::source};
use kit::docket::TEXT_MAX_BYTES;

/// A text with the lines at its head that name other proposals taken off.
pub(super) struct Parts {
    /// What is left.
    pub(super) body: String,
    /// The proposals that it lists as Conflicts.
    pub(super) conflicts: Vec<Id>,
    /// Those that it depends on.
    pub(super) needs: Vec<Id>,
}

/// Whether a line of a head says what a proposal depends on, or what it conflicts with, and the numbers in it.
fn head(line: &str) -> Option<(bool, &str)> {
    const WORDS: [(&str, bool); 2] = [("depends on:", true), ("conflicts with:", false)];
    let line = line.trim();
    WORDS.iter().find_map(|(word, depends)| {
        let begins = line.get(..word.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(word));
        begins.then(|| (*depends, line[word.len()..].trim()))
    })
}

/// Reads the head of a text: `Depends on: 3, 4` and `Conflicts with: 5`.
///
/// # Errors
///
/// A [`Refusal`] where a number is none, names the proposal itself or a Twin's as a Conflict, and where nothing follows.
pub(super) fn parts(d: &D<'_>, text: &str, own: Option<&Id>) -> Result<Parts, Refusal> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    let (mut conflicts, mut needs, mut rest) = (Vec::new(), Vec::new(), text);
    let seen = source::blanked(text);
    loop {
        // A comment before the head is as if it were not there.
        if let Some(comment) = source::comments(rest, &[]).first().filter(|comment| comment.start == 0) {
            let after = rest[comment.end..].trim_start();
            if head(after.lines().next().unwrap_or_default()).is_some() {
                rest = after;
                continue;
            }
        }
        // A line goes on where a comment is broken.
        let seen = &seen[text.len() - rest.len()..];
        let line = seen.split('\n').next().unwrap_or_default();
        let after = rest.get(line.len() + 1..).unwrap_or_default();
        let Some((depends, numbers)) = head(line) else { break };
        let (list, is_conflict) = if depends { (&mut needs, false) } else { (&mut conflicts, true) };
        for number in numbers.split(',').map(|number| number.trim().trim_start_matches('#')) {
            let by = Thing::Proposals.rule(&d.rules);
            let named = quantities::read(d, number).ok().and_then(|number| u64::try_from(number.to_i64()?).ok());
            let named = named.ok_or_else(|| {
                Refusal::new(format!(
                    "“{number}” is no number of a proposal: such a line holds numbers with commas between them, as in “Depends \
                     on: 1, 2”"
                ))
                .by(by.clone())
                .instead("show proposals")
            })?;
            let id = need(d, named)?;
            if Some(&id) == own {
                return Err(Refusal::new("a proposal names other proposals, not itself")
                    .by(by)
                    .instead("show proposals"));
            }
            let twin = d.actor_seat().zip(author(d, &id)).filter(|(me, theirs)| society::are_twins(d, me, theirs));
            if let Some((_, twin)) = twin.filter(|_| is_conflict) {
                return Err(Refusal::new(format!(
                    "proposal {named} is by {}, your Twin now, and no Conflict names it",
                    called(d, &twin)
                ))
                .by(by)
                .instead("show proposals"));
            }
            if !list.contains(&id) {
                list.push(id);
            }
        }
        rest = after.trim_start();
        if after.is_empty() {
            break;
        }
    }
    let body = rest.trim().to_owned();
    if body.is_empty() {
        return Err(Refusal::new("say what shall change").instead("propose TITLE TEXT"));
    }
    if body.len() > TEXT_MAX_BYTES {
        return Err(Refusal::new(format!(
            "a text has at most {TEXT_MAX_BYTES} bytes, and this one has {}",
            body.len()
        )));
    }
    registry::fits_count(d, CONFLICTS.id, conflicts.len())?;
    registry::fits_count(d, DEPENDENCIES.id, needs.len())?;
    Ok(Parts { body, conflicts, needs })
}
