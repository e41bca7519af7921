//! Transactions (4E12): several Game Actions and assertions that succeed or fail as a whole.
//!
//! The list is gone through in order, each action as if it were taken alone, with all that follows from it. The first
//! one that is not legal, or not certainly true, makes the whole fail. Then nothing of it has happened (B12.2, B12.3).
//! The catalogue reads where a transaction begins and ends in a message.

use std::sync::Arc;

use serde_json::Value as Json;

use super::{
    game::{BNomic, D},
    law::{Thing, established},
    society::players,
    stats::called,
    voting,
};
use kernel::{
    Act, Game, Mechanic, Refusal, State, Value,
    directives::{Evaluator, Seen, Sight, wording::folded},
    display::{Block, Cell, Document},
    entry::Audience,
    world::{AttrDef, Range},
};

/// The act.
pub(super) const TRANSACTION: &str = "transaction";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let submit = Act::new(TRANSACTION, |Submit { actions }, d| submit(&actions, d))
        .by(Thing::Transactions.word())
        .public("begin transaction; clock on; end transaction");
    Mechanic::new("transactions").act(submit)
}

kit::args! {
    /// The arguments of `transaction` (B12.1).
    Submit { actions: Vec<Step> }

    /// What a message says that holds several actions, as the catalogue binds it: an action, an assertion, or what could not
    /// be read.
    pub(super) Step {
        said: String,
        #[serde(default)] times: u32,
        act: Option<Json>,
        assert: Option<String>,
        unread: Option<String>,
    }
}

impl Step {
    /// The action that it is, as the catalogue bound it.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub(super) fn invocation(&self) -> Result<&Json, Refusal> {
        match (&self.act, &self.unread) {
            (Some(act), _) => Ok(act),
            (None, Some(why)) => Err(Refusal::new(why.trim_end_matches('.'))),
            (None, None) => Err(Refusal::new("that is no action")),
        }
    }
}

/// An Outsider submits a transaction (B12.1, B12.2).
///
/// # Errors
///
/// A [`Refusal`] that names the first line that makes it fail, and why.
fn submit(steps: &[Step], d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = players::outsider(d)?;
    let name = called(d, &me);
    let cells = steps.iter().map(|step| Cell::new(step.said.clone())).collect();
    let document = Document::say(format!("{name} submits a transaction, which succeeds:")).with(Block::List(cells));
    d.say(Audience::Public, document);
    let mut reply = Document::say("The transaction succeeds.");
    let followed = d.followed;
    let done = take_all(steps, &mut reply, d);
    d.followed = followed;
    if done.is_err() {
        // Nothing of it has happened, and nothing follows that an action of it was refused.
        d.left().clear();
    }
    done.map(|()| reply)
}

/// Goes through the list, up to the first line that makes it fail.
fn take_all(steps: &[Step], reply: &mut Document, d: &mut D<'_>) -> Result<(), Refusal> {
    let (evaluator, followed) = (Evaluator::default(), d.followed);
    for (index, step) in steps.iter().enumerate() {
        d.followed = followed || index + 1 < steps.len();
        let done = match &step.assert {
            Some(what) => assert(what, &evaluator, d),
            None => act(step, reply, d),
        };
        if let Err(why) = done {
            let cause = why.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
            let say = format!(
                "the transaction fails, and nothing of it happens, because of line {}, “{}”: {}{cause}",
                index + 1,
                step.said,
                why.say.trim_end_matches('.')
            );
            return Err(Refusal::new(say).by(Thing::Transactions.rule(&d.rules)));
        }
    }
    Ok(())
}

/// Takes an action as often as it is listed: each time must be legal (B12.3).
fn act(step: &Step, reply: &mut Document, d: &mut D<'_>) -> Result<(), Refusal> {
    let invocation = step.invocation()?;
    let (act, args) = BNomic::mechanics().act(invocation)?;
    if act.name == TRANSACTION {
        return Err(Refusal::new("no transaction stands in another"));
    }
    if step.times != 1 {
        established(&d.rules, Thing::Actions)?;
    }
    for _ in 0..step.times {
        if act.name == voting::VOTE {
            voting::all_can_be_cast(&args, d)?;
        }
        let said = certain(d, |d| BNomic::mechanics().take(invocation, d))?;
        reply.blocks.extend(said.blocks);
        BNomic::mechanics().settle_all(d);
    }
    Ok(())
}

/// Does what must be certain: nothing of it may hang on dice (B12.3).
fn certain<T>(d: &mut D<'_>, act: impl FnOnce(&mut D<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let drawn = d.drawn();
    let done = act(d)?;
    if d.drawn() == drawn {
        return Ok(done);
    }
    Err(Refusal::new("what the dice show cannot be known for certain"))
}

/// Whether something is certainly true now (B12.3).
fn assert(what: &str, evaluator: &Evaluator, d: &D<'_>) -> Result<(), Refusal> {
    let what = what.trim().trim_end_matches(['.', '!']);
    let sight: Arc<dyn Sight> = Arc::new(Seen::<BNomic>::new(d, d.at));
    let judged = evaluator.value(what, &sight, None);
    let judged = match (judged, adjective(what, d)) {
        (Err(_), Some(plain)) => evaluator.value(&plain, &sight, None),
        (judged, _) => judged,
    };
    match judged {
        Ok(Value::Bool(true)) => Ok(()),
        Ok(Value::Bool(false)) => Err(Refusal::new("that is not true then")),
        Ok(other) => Err(Refusal::new(format!("that is {other}, and an assertion is true or not"))),
        Err(why) => Err(Refusal::new(format!("whether that is true cannot be determined: {}", why.say))),
    }
}

/// An assertion that says of somebody or something which property it has, in the words of expressions: `Ann is active`, `Bob
/// is not a Vested Player`, `the Clock is Off`, `Law is vacant` (B11.7).
fn adjective(what: &str, state: &State<BNomic>) -> Option<String> {
    let (who, said) = what.trim().split_once(" is ")?;
    let said = folded(said);
    let (is, said) = said.strip_prefix("not ").map_or((true, &*said), |said| (false, said));
    let said = said.strip_prefix("an ").or_else(|| said.strip_prefix("a ")).unwrap_or(said);
    let (is, said) = said.strip_prefix("non ").map_or((is, said), |said| (!is, said));
    let said = said.strip_suffix(" player").unwrap_or(said);
    let who = who.trim();
    let (is, condition) = match said {
        "vacant" => (is, format!("minister of {who} is nothing")),
        "off" => (!is, format!("on of {who}")),
        "player" => (is, format!("count(players where it is {who}) = 1")),
        property => {
            let is_property = |def: &&AttrDef| def.range == Range::Bool && folded(&def.id) == property;
            let def = state.world.defs().find(is_property)?;
            (is, format!("{} of {who}", def.id))
        }
    };
    Some(if is { condition } else { format!("not ({condition})") })
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use kernel::{
        Draft, Instant, State,
        dice::{Dice, SEED_BYTES, Seed},
        doer::Doer,
    };

    /// B12.3: no act of these rules draws yet, so that the guard is tried with one that does.
    #[test]
    fn b12_3_what_draws_dice_is_not_certain() {
        let mut dice = Dice::new(Seed([7; SEED_BYTES]), 1, VecDeque::new());
        let state = State::<BNomic>::unopened();
        let mut d = Draft::new(state, Instant::UNIX_EPOCH, Doer::default(), true, &mut dice, [0; 16]);
        let without = certain(&mut d, |_| Ok(3));
        assert_eq!(without.expect("nothing was drawn"), 3);
        let with = certain(&mut d, |d| Ok(d.draw("a coin", 2)));
        assert!(with.expect_err("a coin was thrown").say.contains("dice"), "it says why");
        assert!(certain(&mut d, |_| Ok(())).is_ok(), "what was drawn before does not count");
    }
}
