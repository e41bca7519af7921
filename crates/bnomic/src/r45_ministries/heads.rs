//! Notices about the heads of rules that make ministries, when rules change (4E45).
//!
//! A ministry, its office and its displays stand in the header of its rule. Other words in the text leave them, and a
//! second header that names the same ministry adds nothing. Both are told, since the text reads otherwise. The header
//! takes effect in `ministries` and `keeping`.

use super::posts::named;
use crate::{game::BNomic, keeping::KEEPS, law::PREFIX, stats::MINISTRY};
use kernel::{Id, State, rulebook::Rule};

/// The fields that hang on the one which names a ministry.
const BESIDE: [&str; 3] = ["office", KEEPS, "mini"];

/// What a change of the rules leaves as it is, or does not make, though it reads so; a sentence each.
pub(crate) fn told(before: &State<BNomic>, after: &State<BNomic>) -> Vec<String> {
    let offices = named(after);
    let tell = |rule: &Rule| {
        let was = before.rules.in_force(rule.id());
        let own = offices.iter().find(|(_, _, by)| by.id() == rule.id());
        match own {
            Some((_, name, _)) => was.and_then(|was| stays(was, rule, name)),
            None if was.is_some_and(|was| was.fields() == rule.fields()) => None,
            None => idle(rule, &offices),
        }
    };
    after.rules.rules().into_iter().filter_map(tell).collect()
}

/// The text of a ministry's rule changed, and its header did not: what that goes on to make.
fn stays(was: &Rule, rule: &Rule, name: &str) -> Option<String> {
    let text = |rule: &Rule| rule.text().visible().to_lowercase();
    let (old, new) = (text(was), text(rule));
    let keeps = rule.field(KEEPS).is_some();
    let named = new.contains(&name.to_lowercase());
    if old == new || was.fields() != rule.fields() || (named && !keeps) {
        return None;
    }
    let label = label(rule);
    let (said, field) = match beside(rule) {
        said if said.is_empty() => (String::new(), MINISTRY),
        said => (format!(", with {said}"), if keeps { KEEPS } else { MINISTRY }),
    };
    Some(format!(
        "The Ministry of {name} stands at the head of {label}, not in its text, and stays as it is{said} (=> set {field} of rule {} \
         to ... changes that).",
        rule.number()
    ))
}

/// A header that makes no ministry, though it has what belongs to one: what of it counts for nothing.
fn idle(rule: &Rule, offices: &[(Id, String, &Rule)]) -> Option<String> {
    let (label, said) = (label(rule), beside(rule));
    let name = rule.field(MINISTRY).map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return (!said.is_empty())
            .then(|| format!("The head of {label} names no ministry, so that {said} there counts for nothing."));
    };
    let (_, _, first) = offices.iter().find(|(_, other, _)| other.eq_ignore_ascii_case(name))?;
    let said = if said.is_empty() { "it".to_owned() } else { said };
    Some(format!(
        "{} makes the Ministry of {name} already: {said} at the head of {label} counts for nothing.",
        self::label(first)
    ))
}

/// What a header says beside the name of a ministry: `office: Artisan, keeps: device`.
fn beside(rule: &Rule) -> String {
    let said = BESIDE.iter().filter_map(|field| Some(format!("{field}: {}", rule.field(field)?)));
    said.collect::<Vec<_>>().join(", ")
}

/// A rule by its number and title.
fn label(rule: &Rule) -> String {
    let number = format!("{PREFIX}{}", rule.number());
    if rule.title().is_empty() { number } else { format!("{number}, {}", rule.title()) }
}
