//! What a game asks the laws of its rules.

use kernel::{Draft, Refusal, Value};

use super::{
    fuel::looking,
    room::Hosts,
    run::{Mode, call},
    session::with,
    values::{held, value},
};

/// What the condition of a name says of a value; nothing where no rule has it.
///
/// # Errors
///
/// Why it refuses that, with the rule.
pub fn asked<G: Hosts>(d: &mut Draft<'_, G>, name: &str, of: &Value) -> Option<Result<Value, Refusal>> {
    let said = with(d, Mode::Look, |stage, run| {
        let registry = run.registry.clone();
        let function = registry.conditions.get(name)?.first()?;
        let cited = registry.laws.get(function.law).map(|law| law.cited.clone()).unwrap_or_default();
        let got = looking(|| call(stage, run, function, vec![held(of)])).map_err(|stop| {
            let why = Refusal::from(stop);
            if why.rule.is_none() { why.by(cited) } else { why }
        });
        Some(got.map(|is| value(&is).unwrap_or_default()))
    });
    said.flatten()
}
