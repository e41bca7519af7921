//! What directives do with offices that laws give.

use kernel::{
    Draft, Id, Refusal, Said, State, Value,
    directives::{Setting, words},
};

use super::{
    asked::done,
    offices::{holders, office_named, offices, place},
    room::Hosts,
};

fn none<G: Hosts>(state: &State<G>, office: &str) -> Refusal {
    let known: Vec<String> = offices(state).into_keys().collect();
    let known = if known.is_empty() { String::new() } else { format!("; there are {}", known.join(", ")) };
    Refusal::new(format!("there is no office “{}” here{known}", office.trim()))
}

/// Gives somebody an office, as a directive has it. A law that has the deed `appoint Judge` does that for a Judge.
///
/// # Errors
///
/// Where no law gives the office, or one refuses.
pub fn appoint<G: Hosts>(
    d: &mut Draft<'_, G>,
    who: &Id,
    office: &str,
    setting: &Setting<'_>,
) -> Result<Option<String>, Refusal> {
    let named = office_named(d, office).ok_or_else(|| none(d, office))?;
    let at = place(&named);
    let given = [("who", Value::Ref(who.clone())), ("how", Value::Text(setting.because.to_owned()))];
    if let Some(done) = done(d, &format!("appoint {named}"), &given) {
        return done.map(|_| None);
    }
    match d.world.value(&at) {
        Value::List(_) => G::article(d, at, Value::Ref(who.clone()), true).map(|()| None),
        _ => words::set(d, &at, Value::Ref(who.clone())),
    }
}

/// Takes an office from whoever holds it, as a directive has it.
///
/// # Errors
///
/// Where no law gives the office, or nobody holds it.
pub(crate) fn vacate<G: Hosts>(said: Said<'_>, d: &mut Draft<'_, G>) -> Result<Option<String>, Refusal> {
    let office = said.sentence();
    let named = office_named(d, office).ok_or_else(|| none(d, office))?;
    let at = place(&named);
    if holders(d, &named).is_empty() {
        return Err(Refusal::new(format!("nobody is {named}")));
    }
    let empty = if matches!(d.world.value(&at), Value::List(_)) { Value::List(Vec::new()) } else { Value::Null };
    words::set(d, &at, empty)?;
    Ok(Some(format!("the office of {named} is vacant")))
}
