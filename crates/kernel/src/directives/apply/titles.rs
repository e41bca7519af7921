//! What a rule is called and what stands at the head of its text, as directives give it.
//!
//! Which rule some words mean stands in `sight`; where a new rule goes, the game says.

use std::collections::BTreeMap;

use super::super::{wording::folded, words::Lawful};
use crate::Draft;
use crate::Id;
use crate::Refusal;

/// Whether a title could be taken for the number of a rule, as the game writes these.
pub fn is_number<G: Lawful>(title: &str) -> bool {
    let words = folded(title);
    let bare = words.strip_prefix("rule").unwrap_or(&words).trim_start().trim_start_matches('#');
    bare.strip_prefix(&*G::numbering().to_lowercase()).unwrap_or(bare).parse::<u64>().is_ok()
}

/// Refuses a title that another rule has, and one that could be taken for the number of a rule.
pub(super) fn free_title<G: Lawful>(title: &str, of: Option<&Id>, d: &Draft<'_, G>) -> Result<(), Refusal> {
    if is_number::<G>(title) {
        return Err(Refusal::new(format!("“{}” would be taken for the number of a rule", title.trim())));
    }
    match d.rules.rules().into_iter().find(|rule| Some(rule.id()) != of && G::one_title(rule.title(), title)) {
        Some(rule) => Err(Refusal::new(format!("rule {} is called “{}” already", rule.number(), rule.title()))),
        None => Ok(()),
    }
}

/// An id that nothing has: the wanted one, or the same with a number.
pub(super) fn free_id(wanted: &str, taken: impl Fn(&str) -> bool) -> Id {
    let next = (2..).map(|count| format!("{wanted}-{count}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(next);
    names.find(|name| !taken(name)).unwrap_or_default().into()
}

/// The fields at the head of a rule's text, and the text without them. An empty value removes the field.
pub(super) fn header(text: &str, known: &[&str]) -> Result<(BTreeMap<String, String>, String), Refusal> {
    let mut fields = BTreeMap::new();
    let mut rest = text.trim_start_matches('\n');
    while let Some((line, after)) = rest.split_once('\n').or(Some((rest, ""))).filter(|_| !rest.is_empty()) {
        let Some((name, value)) = line.split_once(':') else { break };
        let name = name.trim().to_lowercase();
        if !known.contains(&name.as_str()) {
            break;
        }
        if fields.insert(name.clone(), value.trim().to_owned()).is_some() {
            return Err(Refusal::new(format!("“{name}” stands twice at the head of the text")));
        }
        rest = after;
    }
    Ok((fields, rest.trim_start_matches('\n').to_owned()))
}

/// A field of a rule's header that some words name: `power of rule 15`.
pub(super) fn header_field<G: Lawful>(what: &str) -> Option<(&'static str, &str)> {
    let (field, rule) = what.trim().split_once(" of ")?;
    let rule = rule.trim();
    let rule = rule.get(..5).filter(|word| word.eq_ignore_ascii_case("rule ")).map(|_| rule[5..].trim())?;
    let wanted = field.trim().strip_prefix("the ").unwrap_or(field.trim());
    G::rule_fields().iter().find(|known| known.eq_ignore_ascii_case(wanted)).map(|known| (*known, rule))
}
