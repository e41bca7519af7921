//! The commands of several rooms as those of one place, such as a server with channels of all of them.
//!
//! Equal names are one command there, which takes what any of them takes. What a command means, and what it needs, its
//! room says once it is known which that is.

use std::sync::Arc;

use super::{
    Catalogue,
    own::made_in,
    spec::{Command, Kind, Param, See},
};
use kernel::own_command::OwnCommand;

impl Catalogue {
    /// The same with commands that rooms have by their own rules, each with the game of its room.
    #[must_use]
    pub fn merged_with(&self, own: &[(&str, Arc<OwnCommand>)]) -> Self {
        let mut with = self.clone();
        for (game, command) in own {
            let made = made_in(&mut with, game, command);
            match with.commands.iter().position(|known| known.name == made.name) {
                Some(place) => with.put(place, union(&with.commands[place], &made)),
                None => with.add(made),
            }
        }
        with
    }

    /// The same without what every room has.
    #[must_use]
    pub fn of_games_alone(&self) -> Self {
        let mut without = self.clone();
        without.commands.retain(|command| !command.games().is_empty());
        without
    }
}

/// One command for two of one name.
fn union(one: &Command, other: &Command) -> Command {
    let mut params: Vec<Param> = one.params.iter().map(|param| either(param, other.param(&param.name))).collect();
    let more = other.params.iter().filter(|param| one.param(&param.name).is_none());
    params.extend(more.map(|param| either(param, None)));
    params.sort_by_key(|param| !param.required);
    let see = if one.see == other.see { one.see } else { See::Everyone };
    Command { params, see, private: one.private && other.private, own: one.own && other.own, ..one.clone() }
}

/// One parameter for two of one name, or for one that not all have.
fn either(one: &Param, other: Option<&Param>) -> Param {
    let Some(other) = other else { return Param { required: false, needed: Default::default(), ..one.clone() } };
    let required = one.required && other.required;
    if one.kind != other.kind {
        // Each room completes it in its own way.
        let completes = one.completes.clone().or_else(|| other.completes.clone());
        let plain = Param { help: one.help.clone(), empty: one.empty.clone(), ..Param::of(&one.name, Kind::Word) };
        return Param { required, completes, rest: one.rest || other.rest, ..plain };
    }
    let choices = match one.choices.is_empty() || other.choices.is_empty() {
        true => Vec::new(),
        false => {
            let more = other.choices.iter().filter(|choice| !one.choices.contains(choice));
            one.choices.iter().chain(more).cloned().collect()
        }
    };
    Param {
        required,
        choices,
        min: one.min.zip(other.min).map(|(one, other)| one.min(other)),
        max: one.max.zip(other.max).map(|(one, other)| one.max(other)),
        completes: one.completes.clone().or_else(|| other.completes.clone()),
        ..one.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::own_command::{OwnKind, OwnParam};

    fn own(name: &str, params: &[(&str, OwnKind, bool)]) -> Arc<OwnCommand> {
        let param = |(name, kind, required): &(&str, OwnKind, bool)| OwnParam {
            name: (*name).to_owned(),
            kind: kind.clone(),
            required: *required,
            ..Default::default()
        };
        let command = OwnCommand {
            name: name.to_owned(),
            help: format!("Do {name}"),
            by: "rule 14".to_owned(),
            params: params.iter().map(param).collect(),
            group: "Socks".to_owned(),
            seated: true,
            ..Default::default()
        };
        Arc::new(command)
    }

    fn choice(of: &[&str]) -> OwnKind {
        OwnKind::Choice(of.iter().map(|one| (*one).to_owned()).collect())
    }

    #[test]
    fn equal_names_take_what_any_of_them_takes() {
        let one =
            own("sock buy", &[("color", choice(&["Blue"]), true), ("count", OwnKind::Whole(Some(1), Some(9)), true)]);
        let other = own(
            "sock buy",
            &[("color", choice(&["Red"]), true), ("count", OwnKind::Words, true), ("for", OwnKind::Player, true)],
        );
        let merged = Catalogue::all().for_games(&["bnomic"]).merged_with(&[("bnomic", one), ("blognomic", other)]);
        let sock = merged.get("sock buy").expect("it is there");
        let shown = |param: &Param| format!("{}:{:?} {:?} {}", param.name, param.kind, param.choices, param.required);
        let shown: Vec<String> = sock.params.iter().map(shown).collect();
        assert_eq!(shown, ["color:Choice [\"Blue\", \"Red\"] true", "count:Word [] true", "for:Player [] false"]);
    }

    #[test]
    fn no_command_hides_another() {
        let own = [("bnomic", own("vote", &[("stone", OwnKind::Word, true)])), ("bnomic", own("joust", &[]))];
        let merged = Catalogue::all().for_games(&["bnomic", "joust"]).merged_with(&own);
        let vote = merged.get("vote").expect("it is there");
        assert!(vote.param("stone").is_some_and(|stone| !stone.required) && vote.param("vote").is_some());
        assert!(merged.get("joust").is_some() && merged.get("joust submit").is_some());
    }
}
