//! The games that this program knows. A game is a crate; a line here makes rooms of it.

use catalogue::Catalogue;
use kernel::{engine::Table, own_command};

/// The words for the games that this program knows.
pub const NAMES: &[&str] = &["joust", "blognomic", "bnomic", "spacenomic", "nomic"];

/// The engine of a game in its unopened state.
pub fn table(game: &str) -> Option<Box<dyn Table>> {
    own_command::reserve(|game, name| Catalogue::of_game(game).clashes(name));
    match game {
        "blognomic" => Some(blognomic::table()),
        "bnomic" => Some(bnomic::table()),
        "joust" => Some(joust::table()),
        "nomic" => Some(nomic::table()),
        "spacenomic" => Some(spacenomic::table()),
        _ => None,
    }
}

/// The same, where this program reads what was written in a shape.
///
/// # Errors
///
/// Why it does not, in a sentence without its full stop that begins with `what`.
pub fn table_for(game: &str, shape: &str, what: &str) -> Result<Box<dyn Table>, String> {
    match table(game) {
        Some(table) if table.shape() == shape => Ok(table),
        Some(_) => Err(format!(
            "{what} was written by another version of this program, which keeps rooms otherwise, and was left as it is: \
             read it with that version"
        )),
        None => Err(format!("{what} plays {game}, and this program knows {} alone", NAMES.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Catalogue, NAMES};
    use kernel::Game;
    use kernel::own_command::OwnCommand;

    fn acts(game: &str) -> BTreeSet<&'static str> {
        match game {
            "blognomic" => blognomic::BlogNomic::mechanics().acts().collect(),
            "bnomic" => bnomic::BNomic::mechanics().acts().collect(),
            "joust" => joust::Joust::mechanics().acts().collect(),
            "nomic" => nomic::Nomic::mechanics().acts().collect(),
            "spacenomic" => spacenomic::Spacenomic::mechanics().acts().collect(),
            other => panic!("{other} is named and not known"),
        }
    }

    /// What the command offers is the games among what comes with the program.
    #[test]
    fn every_ruleset_that_is_a_game_can_be_chosen() {
        let open = Catalogue::all().get("room open").expect("it opens rooms");
        let is_game = |name: &&str| {
            let read = laws::ruleset::read(&laws::shipped::text(name).expect("it is shipped"));
            read.expect("it reads").needs.is_empty()
        };
        let games: Vec<&str> = laws::shipped::names().into_iter().filter(is_game).collect();
        assert_eq!(open.param("ruleset").expect("it takes one").choices, games);
    }

    /// Every act can be typed, and every command of a game is an act of it.
    #[test]
    fn acts_and_commands_of_a_game_are_the_same() {
        for game in NAMES {
            let mut acts = acts(game);
            // What a law adds is typed by the name that it gives.
            assert!(acts.remove(OwnCommand::ACT), "{game} has no laws");
            let all = Catalogue::all().for_games(&[game]);
            let bound: BTreeSet<&str> = all.commands().iter().map(|command| command.action.as_str()).collect();
            let unbound: Vec<&&str> = acts.difference(&bound).collect();
            assert!(unbound.is_empty(), "no command of {game} is for {unbound:?}");
            let own = all.commands().iter().filter(|command| command.group.games.iter().any(|own| own == game));
            let missing: Vec<&str> = own
                .filter(|command| command.acts_in_game() && !acts.contains(command.action.as_str()))
                .map(|command| command.name.as_str())
                .collect();
            assert!(missing.is_empty(), "{game} has no act for {missing:?}");
        }
    }
}
