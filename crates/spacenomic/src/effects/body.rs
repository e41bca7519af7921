//! The directives of a body one by one, those inside others included.
//!
//! They are read, and nothing is done. Their meaning in this game stands in `super`.

use kernel::directives::{Act, Body, Directive, applied::Outcome};

/// Whether a directive is a condition of all the others: it is no change, and where it does not hold nothing is done.
pub(crate) fn is_condition(outcome: &Outcome) -> bool {
    outcome.words.trim_start().to_lowercase().starts_with("require")
}

/// A directive of a body, or of another that holds it.
pub(crate) struct Said<'a> {
    pub(crate) line: usize,
    /// What it does.
    pub(crate) act: &'a Act,
    /// The directives with a condition that it stands in, by their lines.
    pub(crate) within: Vec<usize>,
}

/// Adds those of a list.
fn each<'a>(list: &'a [Directive], within: &[usize], seen: &mut Vec<Said<'a>>) {
    for directive in list {
        let Ok(act) = &directive.act else { continue };
        seen.push(Said { line: directive.line, act, within: within.to_vec() });
        if let Act::If { then, .. } = act {
            let within = [within, &[directive.line]].concat();
            each(then, &within, seen);
        }
    }
}

/// Every directive of a body, those inside others included.
pub(crate) fn acts(body: &Body) -> Vec<Said<'_>> {
    let mut seen = Vec::new();
    each(&body.directives, &[], &mut seen);
    seen
}
