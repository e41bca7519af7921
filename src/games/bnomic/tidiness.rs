//! Tidiness Lists (4E32): spelling, capitals and other trivial errors in rules, mended together without objection.
//!
//! A line names a rule, the old words and the new ones. Whether an error is trivial is for objectors. Absent: waiting for
//! them (`intents`).

use serde::{Deserialize, Serialize};

use super::{
    BNomic, D, Id, Num, Refusal, State,
    display::{Block, Cell, Document},
    figures::{TIDY_ERRORS, TIDY_NDAYS, TIDY_OBJECTIONS, TIDY_POINTS},
    intents::Needs,
    law::{PREFIX, Thing, established},
    stats::{self, called},
};
use crate::kernel::rulebook::amend;

/// Most lines of a list: more than any ruleset has had errors.
const LINES_MAX_COUNT: usize = 200;

/// A correction of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    /// Which rule.
    rule: Id,
    /// The words as they stand.
    old: String,
    /// The words as they should.
    new: String,
}

/// The sign between the words as they stand and as they should.
fn arrow(text: &str) -> Option<&'static str> {
    ["->", "→", "=>", "⇒"].into_iter().find(|arrow| text.contains(arrow))
}

/// The corrections of a list: a line each, or with semicolons between them where the next one names a rule.
fn parted<'t>(state: &State<BNomic>, text: &'t str) -> Vec<&'t str> {
    let begins = |part: &str| {
        let rule = part.split_once(':').filter(|(_, rest)| arrow(rest).is_some());
        rule.is_some_and(|(rule, _)| state.rules.find(rule.trim()).is_ok())
    };
    let mut parts = Vec::new();
    for line in text.lines() {
        let mut from = 0;
        for (at, _) in line.match_indices(';').filter(|(at, _)| begins(&line[at + 1..])) {
            parts.push(&line[from..at]);
            from = at + 1;
        }
        parts.push(&line[from..]);
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Reads a list: `15: recieve -> receive`, a line a correction (B32.1).
///
/// # Errors
///
/// A [`Refusal`] with the first line that is none, names no rule, or whose words do not stand there once.
pub(super) fn read(state: &State<BNomic>, text: &str) -> Result<Vec<Line>, Refusal> {
    let by = Thing::Tidiness.rule(&state.rules);
    let mut lines = Vec::new();
    for (index, line) in parted(state, text).into_iter().enumerate() {
        let refuse = |why: String| Refusal::new(format!("line {}: {why}", index + 1)).by(by.clone());
        let parts = line.split_once(':').and_then(|(rule, rest)| Some((rule, rest.split_once(arrow(rest)?)?)));
        let Some((rule, (old, new))) = parts else {
            return Err(refuse("a correction reads RULE: old words -> new words".to_owned())
                .instead("intend tidy 15: recieve -> receive"));
        };
        let rule = state.rules.find(rule.trim()).map_err(|why| refuse(why.say))?;
        let (old, new) = (old.trim(), new.trim());
        amend::replace_phrase(rule, old, new).map_err(|why| refuse(why.say))?;
        lines.push(Line { rule: rule.id().clone(), old: old.to_owned(), new: new.to_owned() });
        if lines.len() > LINES_MAX_COUNT {
            return Err(refuse(format!("a list has at most {LINES_MAX_COUNT} lines")));
        }
    }
    if lines.is_empty() {
        return Err(Refusal::new("say which words are to be mended")
            .by(by)
            .instead("intend tidy 15: recieve -> receive"));
    }
    Ok(lines)
}

/// What it needs: nobody who objects, after a wait of its own (B32.1).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(super) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Tidiness)?;
    Ok(Needs {
        without: Some(state.rules.need_count(&TIDY_OBJECTIONS)?),
        wait: Some(state.rules.need_count(&TIDY_NDAYS)?),
        ..Needs::default()
    })
}

/// Mends what still stands, and pays for it (B32.2).
///
/// # Errors
///
/// None but where a correction breaks the rulebook.
pub(super) fn perform(me: &Id, lines: &[Line], d: &mut D<'_>) -> Result<Document, Refusal> {
    let mut mended = Vec::new();
    for line in lines {
        let Some(rule) = d.rules.in_force(&line.rule) else { continue };
        // Words that are gone by now are skipped, and not counted.
        let Ok(edit) = amend::replace_phrase(rule, &line.old, &line.new) else { continue };
        let op = edit.op.because("a Tidiness List");
        if d.rules.check(&op).is_ok() {
            d.rule(op);
            mended.push(line.clone());
        }
    }
    let (errors, points) = (d.rules.need_count(&TIDY_ERRORS)?, d.rules.need_count(&TIDY_POINTS)?);
    let full = (mended.len() as u64).checked_div(errors).unwrap_or_default();
    let gained = Num::from(i64::try_from(full.saturating_mul(points)).unwrap_or(i64::MAX));
    let paid = established(&d.rules, Thing::Points).is_ok() && !gained.is_zero();
    if paid {
        stats::score(d, me, &gained);
    }
    let name = called(d, me);
    let price = match (paid, gained == Num::from(1)) {
        (false, _) => String::new(),
        (true, true) => ", for 1 point".to_owned(),
        (true, false) => format!(", for {gained} points"),
    };
    let mut document = Document::say(format!(
        "{name} submits a Tidiness List: {} of {} errors mended{price}.",
        mended.len(),
        lines.len()
    ));
    document.blocks.extend(preview(&mended));
    d.say(crate::kernel::entry::Audience::Public, document);
    Ok(Document::say("Done."))
}

/// What a list changes.
pub(super) fn preview(lines: &[Line]) -> Vec<Block> {
    let row = |line: &Line| {
        let number = line.rule.trim_start_matches(PREFIX);
        vec![
            Cell::new(line.rule.to_string()).showing(format!("rule/{number}")),
            Cell::new(line.old.clone()),
            Cell::new(line.new.clone()),
        ]
    };
    let head = ["rule", "reads", "shall read"].map(str::to_owned).to_vec();
    vec![Block::Table { head, rows: lines.iter().map(row).collect() }]
}
