//! Titles of rules (4E36): the Rulekeeper changes one, without objection.
//!
//! Text, number and power of the rule stay. Objections are awaited in `intents`.

use super::{
    figures::RETITLE_OBJECTIONS,
    game::{BNomic, D},
    intents::needs::Needs,
    law::{PREFIX, Thing, established},
    ministries::posts::{self, Post},
    stats::called,
};
use kernel::{
    Id, Refusal, State,
    directives::apply::titles,
    display::Document,
    rulebook::{Rule, RuleAct, RuleOp, book::TITLE_MAX_CHARS},
};

/// What retitling needs: nobody who objects (B36.6).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(super) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Rules)?;
    Ok(Needs { without: Some(state.rules.need_count(&RETITLE_OBJECTIONS)?), ..Needs::default() })
}

/// What it is, in words.
pub(super) fn words(state: &State<BNomic>, rule: &Id, title: &str) -> String {
    let number = state.rules.get(rule).map_or(0, kernel::rulebook::Rule::number);
    format!("call {PREFIX}{number} “{title}”")
}

/// The rule and the title that somebody means.
///
/// # Errors
///
/// A [`Refusal`] where there is no such rule, or the title is none, a number or another rule's.
pub(super) fn read(state: &State<BNomic>, rule: &str, title: &str) -> Result<(Id, String), Refusal> {
    let rule = state.rules.find(rule)?;
    let title = kernel::directives::syntax::unquote(title);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() || title.chars().count() > TITLE_MAX_CHARS || title == **rule.title() {
        return Err(Refusal::new(format!("a new title has 1 to {TITLE_MAX_CHARS} characters and is another one"))
            .by(Thing::Rules.rule(&state.rules))
            .instead("rules"));
    }
    let taken = |other: &&Rule| other.id() != rule.id() && other.title().to_lowercase() == title.to_lowercase();
    let numeric = titles::is_number::<BNomic>(&title);
    if numeric || state.rules.rules().iter().any(taken) {
        return Err(Refusal::new("no two rules have one title, and none has a number for a title")
            .by(Thing::Rules.rule(&state.rules))
            .instead("rules"));
    }
    Ok((rule.id().clone(), title))
}

/// Only the Rulekeeper, at the announcement and at the performance (B36.6).
///
/// # Errors
///
/// A [`Refusal`] for everybody else.
pub(super) fn allowed(d: &D<'_>, me: &Id) -> Result<(), Refusal> {
    if posts::holds(d, me, Post::Law) {
        return Ok(());
    }
    Err(Refusal::new("only the Rulekeeper retitles rules").by(Thing::Rules.rule(&d.rules)).instead("show ministries"))
}

/// Retitles a rule.
///
/// # Errors
///
/// A [`Refusal`] where the rule is gone, or another is called so by now.
pub(super) fn perform(me: &Id, rule: &Id, title: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let was = match d.rules.in_force(rule) {
        Some(rule) => rule.title().to_string(),
        None => return Err(Refusal::new("that rule is gone").instead("rules")),
    };
    let op = RuleOp::new(rule.clone(), RuleAct::Retitle { to: title.to_owned(), was: was.clone() });
    let op = op.because("the Rulekeeper, without objection");
    d.rules.check(&op)?;
    d.rule(op);
    let name = called(d, me);
    d.tell_all(format!("{name} retitles a rule: “{was}” is “{title}” now."));
    Ok(Document::say("Done."))
}
