//! The directive `adopt`: the rules of a ruleset go into a game that is played, behind the last one.

use kernel::{
    Draft, Refusal,
    directives::{self, Mode, Setting, syntax::unquote},
    mechanic::Said,
};
use kit::effects;

use super::{room::Hosts, ruleset, shipped};

/// Lays in the rules of a ruleset that comes with the program, and says what becomes of each.
pub(crate) fn adopt<G: Hosts>(said: Said<'_>, d: &mut Draft<'_, G>) -> Result<Option<String>, Refusal> {
    let ruleset = shipped::text(unquote(said.sentence())).map_err(|why| why.instead("=> adopt medals"))?;
    let ruleset = ruleset::read(&ruleset)?;
    if let Some(game) = ruleset.game().filter(|game| *game != G::NAME) {
        let why = format!("“{}” goes into rooms of {game}, and this is one of {}", ruleset.title, G::NAME);
        return Err(Refusal::new(why));
    }
    let fields = ruleset.rules.iter().flat_map(|rule| rule.fields.keys().map(|field| (&rule.title, field)));
    if let Some((rule, field)) = fields.into_iter().find(|(_, field)| !G::rule_fields().contains(&field.as_str())) {
        return Err(Refusal::new(format!("“{rule}” has the field “{field}”, which only the opening of a room gives")));
    }
    let body = effects::read::<G>(&ruleset.directives())?;
    let setting = Setting { posted: None, mode: Mode::AllOrNone, ..*said.setting };
    let done = directives::apply(&body, d, &setting).map_err(directives::Failure::into_refusal)?;
    let rules = ruleset.rules.iter().zip(done.outcomes);
    let rules: Vec<String> = rules
        .map(|(rule, outcome)| format!("{}: {}", rule.title, outcome.result.unwrap_or_default().join("; ")))
        .collect();
    Ok(Some(format!("{} is laid in. {}", ruleset.title, rules.join(". "))))
}
