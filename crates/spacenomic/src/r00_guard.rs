//! Which changes of rules the ruleset disallows (S5, S6, S19, and the figures that the clock could not pass).
//!
//! A change is judged by the text of the rule afterwards. Players vote on what needs judgement, such as a contradiction
//! in words.

use super::{
    figures::{
        FIGURES, INCOME_OFFSET, PERIOD_MIN_SECONDS, VOTE_MAX, VOTE_MIN, above_zero, in_seconds, is_overridden,
        is_period, vote_range,
    },
    game::Spacenomic,
    law::{self, MOVES, NULL_RULE, Thing},
    moves::{
        invented,
        kind::{Kind, in_parts},
        period,
    },
    symmetry::symmetrical,
};
use kernel::{
    Num, Refusal, State,
    rulebook::{Keys, NumKind, Rule, RuleAct, RuleOp, Span, Text},
};

/// Whether the rules let a change of a rule be.
///
/// # Errors
///
/// A [`Refusal`] that names the rule which disallows it.
pub(super) fn may(state: &State<Spacenomic>, op: &RuleOp) -> Result<(), Refusal> {
    let rules = &state.rules;
    let by = || Thing::Rules.rule(rules);
    if rules.get(&op.rule).is_some_and(|rule| rule.number() == NULL_RULE) {
        let say = "NullRule is neither repealed nor modified, and has no colour";
        return Err(Refusal::new(say).by(by()));
    }
    subjects(op).map_err(|why| why.by(by()))?;
    let source = match &op.act {
        RuleAct::Retitle { .. } | RuleAct::Renumber { .. } => {
            return Err(Refusal::new("a rule that is modified keeps its number and its name").by(by()));
        }
        RuleAct::Enact { source, .. } => source.clone(),
        RuleAct::Amend { splice, .. } => {
            let now = rules.get(&op.rule).map(|rule| rule.text().source().clone()).unwrap_or_default();
            splice.apply(&now).unwrap_or_default()
        }
        RuleAct::Field { name, .. } if name == MOVES => {
            rules.get(&op.rule).map(|rule| rule.text().source().to_string()).unwrap_or_default()
        }
        RuleAct::Field { name, to, .. } if name == "colour" && to.is_none() && Thing::Colours.is_in(rules) => {
            let say = "every rule but NullRule has a colour";
            return Err(Refusal::new(say).by(Thing::Colours.rule(rules)));
        }
        RuleAct::Mark { .. } | RuleAct::Settle { .. } | RuleAct::Field { .. } | RuleAct::Repeal | RuleAct::Restore => {
            return Ok(());
        }
    };
    symmetrical(state, &source)?;
    let text = Text::parse(source);
    moves(state, op, &text)?;
    figures(state, op, &text)
}

/// Refuses a subject that the program does not know: nothing would come of it.
fn subjects(op: &RuleOp) -> Result<(), Refusal> {
    let words = match &op.act {
        RuleAct::Enact { fields, .. } => fields.get(law::ESTABLISHES).cloned(),
        RuleAct::Field { name, to, .. } if name == law::ESTABLISHES => to.clone(),
        _ => None,
    };
    let (words, known) = (words.unwrap_or_default(), law::subjects());
    let mut wanted = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    match wanted.find(|word| !known.iter().any(|subject| subject == word)) {
        None => Ok(()),
        Some(word) => {
            let shown: String = word.chars().take(60).collect();
            Err(Refusal::new(format!(
                "“establishes: {shown}” names nothing that the program plays by: it knows {}",
                known.join(", ")
            )))
        }
    }
}

/// Refuses a rule on moves of its own that could not be played (S55), and a second one on the same type (S6).
fn moves(state: &State<Spacenomic>, op: &RuleOp, text: &Text) -> Result<(), Refusal> {
    let head = match &op.act {
        RuleAct::Enact { fields, .. } => fields.get(MOVES).cloned(),
        RuleAct::Field { to, .. } => to.clone(),
        _ => state.rules.get(&op.rule).and_then(|rule| rule.field(MOVES)).map(str::to_owned),
    };
    let Some(head) = head.filter(|head| !head.trim().is_empty()) else { return Ok(()) };
    let (name, every) = in_parts(&head);
    let kind = Kind::of(name);
    let has_it = |field: &str| Kind::at_head(field) == kind;
    let held = |rule: &&&Rule| *rule.id() != op.rule && rule.field(MOVES).is_some_and(has_it);
    if let Some(held) = state.rules.rules().iter().find(held) {
        let say = format!("{} has {name} moves already, and the rules never contradict themselves", held.label());
        return Err(Refusal::new(say).by(Thing::Rules.rule(&state.rules)));
    }
    if let Some(thing) = kind.thing() {
        let say = match kind.is_stated(&state.rules) {
            true => format!("{name} moves are there already"),
            false => format!(
                "the name “{name}” is kept for a rule of the seed: one that takes its place has the line “establishes: {}” at its head instead",
                thing.word()
            ),
        };
        return Err(Refusal::new(say).by(Thing::Evaluation.rule(&state.rules)));
    }
    invented::check(name, every, &text.in_force()).map_err(|why| {
        let say = format!("a rule with “moves: {}” at its head could not be played: {why}", head.trim());
        Refusal::new(say).by(Thing::Evaluation.rule(&state.rules))
    })
}

/// Refuses figures by which nothing could be played, and one that another rule gives already (S6).
fn figures(state: &State<Spacenomic>, op: &RuleOp, text: &Text) -> Result<(), Refusal> {
    let keys = Keys::new(FIGURES);
    let by = Thing::Rules.rule(&state.rules);
    let places = text.spans().iter().filter(|span| span.counts);
    let mut range = vote_range(&state.rules);
    for span in places {
        let Some(key) = keys.get(&span.key) else { continue };
        let yields = |rule: &&Rule| is_overridden(key.key) && rule.number() == NULL_RULE;
        let held = state.rules.holders(key.key).find(|rule| *rule.id() != op.rule && !yields(rule));
        if let Some(held) = held {
            let say = format!(
                "{} gives the {} already, and the rules never contradict themselves",
                held.label(),
                key.meaning
            );
            return Err(Refusal::new(say).by(by));
        }
        let twice = |other: &&Span| other.counts && other.key == span.key && text.shown(other) != text.shown(span);
        if text.spans().iter().any(|other| twice(&other)) {
            let say = format!("it gives the {} twice, and the rules never contradict themselves", key.meaning);
            return Err(Refusal::new(say).by(by));
        }
        if let Some(all) = text.beyond(span).filter(|_| key.kind != NumKind::Instant) {
            let (shown, meaning) = (text.shown(span), key.meaning);
            // Of “minus 6” and “twice 6” no number can be read, between brackets or not.
            let how = match key.part_of(all) {
                Some(_) => "write that as one number".to_owned(),
                None => format!("all of it stands between the brackets, as in “[{all}](#{})”", key.key),
            };
            let say = format!("the {meaning} would be played as “{shown}”, and the text says “{all}”: {how}");
            return Err(Refusal::new(say).by(by));
        }
        let shown = text.shown(span);
        if let Some(part) = key.part_of(shown) {
            // “- 1/2” and “minus 1/2” mean a number that is written otherwise.
            let lead = shown.trim_start().strip_suffix(part).unwrap_or_default().trim();
            let sign = if ["-", "\u{2212}", "minus", "negative"].contains(&lead) { "-" } else { "" };
            let say = format!(
                "the {} would be played as “{part}”, and “{shown}” stands between the brackets: only the number stands there, as in “[{sign}{part}](#{})”",
                key.meaning, key.key
            );
            return Err(Refusal::new(say).by(by));
        }
        let value = match key.read(text.shown(span)) {
            Ok(value) => value,
            // Without a range nobody could vote the rule out again (S25).
            Err(why) if is_overridden(key.key) => {
                let say = format!("the {} cannot be “{}”: {why}", key.meaning, text.shown(span));
                return Err(Refusal::new(say).by(Thing::Voting.rule(&state.rules)));
            }
            Err(_) => continue,
        };
        if key.kind == NumKind::Instant {
            continue;
        }
        if let Some((least, most)) = &mut range {
            match key.key {
                _ if key.key == VOTE_MIN.key => *least = value.clone(),
                _ if key.key == VOTE_MAX.key => *most = value.clone(),
                _ => {}
            }
        }
        // What would not work names the rule by which it would have to.
        let works_by = if key.key == INCOME_OFFSET.key { Thing::Income } else { Thing::Evaluation };
        let works_by = works_by.rule(&state.rules);
        if above_zero(key.key) && value <= Num::default() {
            let say = format!("the {} must be above zero", key.meaning);
            return Err(Refusal::new(say).by(works_by));
        }
        let short = |seconds: i64| seconds < PERIOD_MIN_SECONDS;
        if is_period(key.key) && in_seconds(&value).is_none_or(short) {
            let least = period::span(PERIOD_MIN_SECONDS);
            let say = format!("the {} are at least {least}, and {value} is less", key.meaning);
            return Err(Refusal::new(say).by(works_by));
        }
    }
    match range {
        Some((least, most)) if least > most => {
            let say = format!("votes would go from {least} to {most}, and nobody could vote");
            Err(Refusal::new(say).by(Thing::Voting.rule(&state.rules)))
        }
        _ => Ok(()),
    }
}
