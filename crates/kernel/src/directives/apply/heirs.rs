//! The subject of a new rule where its text does not name one. It takes over the subject of a repealed rule of the same
//! title, or of one that gave the same figure.
//!
//! People repeal a rule and write it anew; they do not know the words by which the program finds it. A subject that a
//! rule in force has is taken over by a header alone.

use std::collections::BTreeSet;

use crate::rulebook::{Rule, Rulebook, Text};

/// The subjects that a new rule takes over.
pub(super) fn subjects(rules: &Rulebook, title: &str, text: &Text) -> Vec<String> {
    let gives = |text: &Text| -> BTreeSet<String> {
        text.spans().iter().filter(|span| span.counts && span.mark().gives()).map(|span| span.key.to_string()).collect()
    };
    let new = gives(text);
    let is_former = |rule: &&Rule| {
        !rule.in_force()
            && ((!title.is_empty() && rule.title().to_lowercase() == title.to_lowercase())
                || !new.is_disjoint(&gives(rule.text())))
    };
    let mut taken: Vec<String> = Vec::new();
    for former in rules.all().iter().filter(|rule| is_former(rule)) {
        let orphaned = former.establishes().filter(|subject| rules.establishes(subject).is_none());
        for subject in orphaned {
            if !taken.iter().any(|held| held == subject) {
                taken.push(subject.to_owned());
            }
        }
    }
    taken
}
