//! Which move some words mean, and whether it could be executed as things stand (S55), for moves of all types.
//!
//! Nothing here changes anything. Each type has its tests in `board` or `invented`; moves are tested together in
//! `evaluation`.

use super::{
    board::{Board, Move, NoMove},
    invented,
    kind::Kind,
    sealed::What,
};
use crate::{game::Spacenomic, law::Thing};
use kernel::{Id, Refusal, State, rulebook::Rule};

/// The move that some words mean: on the map, or of the lists of rules. The type may stand before it.
///
/// # Errors
///
/// A [`Refusal`] where they are no move, or moves of two types.
pub(super) fn read(state: &State<Spacenomic>, text: &str) -> Result<What, Refusal> {
    let stated: Vec<Kind> = Kind::stated(&state.rules).into_iter().map(|(kind, _)| kind).collect();
    let named = text.trim().split_once(char::is_whitespace);
    let named = named.map(|(word, words)| (Kind::of(word.trim_end_matches(':')), words));
    let named = named.filter(|(kind, _)| stated.contains(kind));
    let words = named.as_ref().map_or(text, |(_, words)| words).trim();
    let meant = |kind: &Kind| named.as_ref().is_none_or(|(named, _)| named == kind);
    let mapped = words.parse::<Move>();
    if let Ok(what) = &mapped
        && meant(&what.kind())
    {
        return Ok(What::Mapped(*what));
    }
    let bare = words.trim_end_matches(['.', '!']).trim_end();
    let listed = stated.iter().filter(|kind| meant(kind));
    let mut found: Vec<What> = listed
        .filter_map(|kind| Some(What::Listed { of: kind.clone(), words: invented::read(state, kind, bare)? }))
        .collect();
    let by = Thing::Evaluation.rule(&state.rules);
    match (found.pop(), found.is_empty()) {
        (Some(what), true) => Ok(what),
        (Some(what), false) => {
            let say = format!("rules list such a move of more than one type: begin with the type, as in “{what}”");
            Err(Refusal::new(say).by(by))
        }
        (None, _) => {
            // Where the first words are those of one move, that one is meant.
            let near: Vec<String> =
                stated.iter().filter(|kind| meant(kind)).flat_map(|kind| invented::near(state, kind, bare)).collect();
            if !near.is_empty() {
                return Err(Refusal::new(near.join("; ")).by(by).instead("show moves"));
            }
            let more: String = Kind::stated(&state.rules).iter().map(|(kind, rule)| lists(kind, rule)).collect();
            Err(Refusal::new(format!("{}{more}", NoMove)).by(by).instead("move set go (1, 2)"))
        }
    }
}

/// Whether its mover would be inactive after a move, as things stand: what e performs makes em active first (S82).
pub(super) fn lulls(what: &What, state: &State<Spacenomic>, player: &Id) -> bool {
    match what {
        What::Mapped(_) => false,
        What::Listed { of, words } => invented::lulls(state, of, player, words),
    }
}

/// Whether a move could be executed as things stand.
///
/// # Errors
///
/// Why not, as a clause.
pub(super) fn legal(what: &What, state: &State<Spacenomic>, player: &Id) -> Result<(), String> {
    match what {
        What::Mapped(what) => Board::of(state).legal(player, *what),
        What::Listed { of, words } => invented::legal(state, of, player, words),
    }
}

/// The moves of a type that a rule invented, as the end of a sentence.
fn lists(kind: &Kind, rule: &Rule) -> String {
    match kind {
        Kind::Named(name) => format!("; {name} moves are {}", invented::listed(rule).join(", ")),
        _ => String::new(),
    }
}
