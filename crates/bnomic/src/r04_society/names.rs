//! Names that nobody takes (B4.2): words of the rules and of directives, and names that are in use.
//!
//! The likeness of two names is judged in `kernel::names`.

use crate::{
    game::{BNomic, D},
    law::Thing,
    stats::{self, called},
};
use kernel::{Id, Refusal, State, Value, directives::spoken_for, names::Look};
use laws::Enacted;

/// Words that rules use as names: nobody is called so (B4.2).
const TAKEN: [&str; 4] = ["the Company", "Circumstances", "None Yet", "the Clock"];

/// Words that name nobody, since sentences mean others by them: a name identifies (B4.2).
const NOBODYS: [&str; 28] = [
    "me",
    "myself",
    "you",
    "all",
    "everybody",
    "the",
    "to",
    "for",
    "of",
    "end",
    "end text",
    "transaction",
    "game",
    "the game",
    "then",
    "it",
    "any",
    "anybody",
    "anyone",
    "each",
    "every",
    "everyone",
    "nobody",
    "no one",
    "somebody",
    "someone",
    "author",
    "the author",
];

/// Words before the name of a kind with which it means whichever one: `any player`.
const ARTICLES: [&str; 7] = ["a", "an", "any", "each", "every", "no", "some"];

/// Kinds of whoever rules speak of so.
const KINDS: [&str; 7] = ["author", "minister", "member", "object", "outsider", "person", "player"];

/// Whether words would be read as something else than a name where somebody is named by them.
fn is_phrase(name: &str) -> bool {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let amount = |word: &String| {
        word.strip_prefix('m').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let numbered = words.len() == 2
        && ["intention", "proposal", "rule", "duty", "tweak"].contains(&&*words[0])
        && words[1].bytes().all(|byte| byte.is_ascii_digit());
    let whichever = words.len() > 1
        && ARTICLES.contains(&&*words[0])
        && words.last().is_some_and(|kind| KINDS.contains(&kind.trim_end_matches('s')));
    NOBODYS.contains(&&*words.join(" "))
        || whichever
        || words.iter().any(|word| word == "to")
        || words.windows(2).any(|pair| pair[0] == "request" && pair[1] == "of")
        || (words.len() > 1 && words.iter().any(amount))
        || numbered
}

/// Why nothing is called by a name: rules and sentences use it as a word.
fn means(state: &State<BNomic>, name: &str) -> Option<String> {
    let look = Look::of(name);
    let taken = |taken: &str| look.is_like(taken);
    // What directives and assertions mean something by is nobody's name, lest a stranger unmake what others wrote.
    let post = |post: &Id| taken(called(state, post).trim_start_matches("the "));
    let named = stats::BEAST_NAMES.iter().any(|name| taken(name)) || state.world.of_kind(stats::MINISTRY).any(post);
    // What laws call nothing is a value: `null` of Rule Tag.
    let attrs = state.rows::<Enacted>().values().flat_map(|law| &law.declared.attrs);
    let named = named || attrs.map(|attr| &*attr.nothing).any(|word| !word.is_empty() && taken(word));
    if named || spoken_for(state, name) || TAKEN.iter().any(|word| taken(word)) {
        return Some(format!("“{name}” is a word of the rules, and nobody is called so"));
    }
    is_phrase(name).then(|| format!("“{name}” identifies nobody, since it means something else in a sentence"))
}

/// Refuses a name that rules use as a word to somebody who wishes to be called so.
pub(super) fn unreserved(d: &D<'_>, name: &str) -> Result<(), Refusal> {
    match means(d, name) {
        Some(why) => Err(Refusal::new(why).by(Thing::Players.rule(&d.rules)).instead("join NAME")),
        None => Ok(()),
    }
}

/// Refuses a name that something has but for one object, or that rules use as a word (B4.2).
///
/// # Errors
///
/// A [`Refusal`] that says which.
pub(crate) fn free(state: &State<BNomic>, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
    let by = || Thing::Players.rule(&state.rules);
    if let Some(why) = means(state, name) {
        return Err(Refusal::new(why).by(by()));
    }
    let look = Look::of(name);
    let alike = |other: &&Id| Some(*other) != but && look.is_like(&called(state, other));
    match state.world.objects().find(alike) {
        None => Ok(()),
        Some(_) => {
            Err(Refusal::new(format!("something here is called “{name}” already")).by(by()).instead("show registry"))
        }
    }
}

/// The same for an object that gets a value for its name. The Beast has names of its own.
///
/// # Errors
///
/// A [`Refusal`] that says which.
pub(crate) fn nameable(d: &D<'_>, obj: &Id, name: &Value) -> Result<(), Refusal> {
    match name {
        Value::Text(name) if **obj != *stats::BEAST => free(d, name, Some(obj)),
        _ => Ok(()),
    }
}
