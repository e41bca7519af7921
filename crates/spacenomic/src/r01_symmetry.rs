//! Symmetry (S32): a rule treats no player otherwise than another, so its text refers to none.
//!
//! A reference and a name in a directive are refused; a bare word that is a name is only pointed out.

use super::{game::Spacenomic, law::Thing, roster::players};
use kernel::{Refusal, State};

/// The names of players that stand in a text as words of their own.
pub(super) fn names_in(state: &State<Spacenomic>, text: &str) -> Vec<String> {
    let names = players(state).filter_map(|id| state.frame.seats.get(id)).map(|seat| seat.name.clone());
    names.filter(|name| stands_in(name, text)).collect()
}

fn stands_in(name: &str, text: &str) -> bool {
    let part = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
    text.match_indices(name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

/// Refuses a rule that singles a player out by a reference or in a directive (S32). A bare word is only pointed out.
pub(super) fn symmetrical(state: &State<Spacenomic>, source: &str) -> Result<(), Refusal> {
    if !Thing::Symmetry.is_in(&state.rules) {
        return Ok(());
    }
    let refused = |name: &str| {
        let say = format!("a rule must not treat one player otherwise than another, and this text refers to {name}");
        Err(Refusal::new(say).by(Thing::Symmetry.rule(&state.rules)))
    };
    // References are read whatever the case of their words and the shape of their marks.
    let lower = source.to_lowercase();
    let marks = |char: char| if matches!(char, '“' | '”' | '„') { '"' } else { char };
    let close: String = lower.chars().filter(|char| !char.is_whitespace() && *char != '(').map(marks).collect();
    for player in players(state) {
        let name = state.frame.name_of(player);
        let close_name: String = name.to_lowercase().split_whitespace().collect();
        if stands_in(&player.to_lowercase(), &lower) || close.contains(&format!("player\"{close_name}\"")) {
            return refused(name);
        }
    }
    let directives = source.lines().map(str::trim_start).filter(|line| line.starts_with("=>") || line.starts_with('→'));
    // Directives are read whatever the case of their words.
    let directives = directives.collect::<Vec<_>>().join("\n").to_lowercase();
    let named = |name: &&str| stands_in(&name.to_lowercase(), &directives);
    match players(state).map(|player| state.frame.name_of(player)).find(named) {
        Some(name) => refused(name),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S32: names are found as words of their own only.
    #[test]
    fn s32_a_name_is_a_word_of_its_own() {
        for (text, found) in
            [("May pays", true), ("It may pay", false), ("Mayor", false), ("(May)", true), ("May_1", false)]
        {
            assert_eq!(stands_in("May", text), found, "{text}");
        }
    }
}
