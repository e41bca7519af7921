//! Which names nobody takes (B4.2): words of the rules and of directives, and what something is called already.
//!
//! Absent: how alike two names may look (`catalogue::names`).

use super::super::{
    D, Id, Refusal,
    law::Thing,
    stats::{self, BEAST, called},
};
use crate::{
    catalogue::names::confusable,
    kernel::{Value, directives::spoken_for},
};

/// Words that rules use as names: nobody is called so (B4.2).
const TAKEN: [&str; 6] = ["the Beast", "Beast", "the Company", "Circumstances", "None Yet", "the Clock"];

/// Refuses a name that rules use as a word.
pub(super) fn unreserved(d: &D<'_>, name: &str) -> Result<(), Refusal> {
    let taken = |taken: &str| confusable(taken, name);
    // What directives and assertions mean something by is nobody's name, lest a stranger unmake what others wrote.
    let post = |post: &Id| taken(called(d, post).trim_start_matches("the "));
    let named = taken(&called(d, &BEAST.into())) || d.world.of_kind(stats::MINISTRY).any(post);
    if named || spoken_for(d, name) || TAKEN.iter().any(|word| taken(word)) {
        return Err(Refusal::new(format!("“{name}” is a word of the rules, and nobody is called so"))
            .by(Thing::Players.rule(&d.rules))
            .instead("join NAME"));
    }
    Ok(())
}

/// Refuses a name for an object that another has, or that rules use as a word (B4.2).
///
/// # Errors
///
/// A [`Refusal`] that says which.
pub(in crate::games::bnomic) fn nameable(d: &D<'_>, obj: &Id, name: &Value) -> Result<(), Refusal> {
    let Value::Text(name) = name else { return Ok(()) };
    if **obj != *BEAST {
        unreserved(d, name)?;
    }
    let alike = |other: &&Id| *other != obj && confusable(&called(d, other), name);
    match d.world.objects().find(alike) {
        None => Ok(()),
        Some(_) => Err(Refusal::new(format!("something here is called “{name}” already"))
            .by(Thing::Players.rule(&d.rules))
            .instead("show registry")),
    }
}
