//! Commands that a room has by its own rules, as commands like any other: typed, completed and explained in one way.
//!
//! A name that the program has itself is never given to another command. The names that a rule may not take are the
//! same for every front end, since one list holds for all of them.

use std::sync::Arc;

use super::{
    Catalogue,
    spec::{Command, Group, Kind, Param, RoomUse, See},
};
use kernel::{
    directives::wording::slug,
    own_command::{OwnCommand, OwnKind, OwnParam},
};

/// What the topics of their groups begin with in the help.
const GROUP: &str = "laws";

impl Catalogue {
    /// The same with commands that rooms have by their own rules, each with the game of its room. What has a name that
    /// is taken is left out.
    #[must_use]
    pub fn with_own(&self, own: &[(&str, Arc<OwnCommand>)]) -> Self {
        let mut with = self.clone();
        for (game, command) in own {
            if with.clashes(&command.name) {
                continue;
            }
            let made = made_in(&mut with, game, command);
            with.add(made);
        }
        with
    }

    /// Whether a name cannot be given to a command of a room: it is taken, or one is a word and the other begins with it.
    #[must_use]
    pub fn clashes(&self, name: &str) -> bool {
        let head = name.split(' ').next().unwrap_or_default();
        !self.named(name).is_empty()
            || (head != name && !self.named(head).is_empty())
            || (head == name && self.commands.iter().any(|command| command.head() == Some(name)))
    }
}

/// A command of a room as one of a catalogue, in its group there.
pub(super) fn made_in(with: &mut Catalogue, game: &str, command: &OwnCommand) -> Command {
    let id = format!("{GROUP}-{}", slug(&command.group));
    let group = match with.groups.iter().find(|group| group.id == id && group.games == [game]) {
        Some(group) => group.clone(),
        None => {
            let group = Arc::new(Group {
                id,
                title: command.group.clone(),
                help: "Commands that laws of the room's own rules add".to_owned(),
                games: vec![game.to_owned()],
                comments: with.comments,
                minute: Vec::new(),
                join: "join".to_owned(),
                first: Vec::new(),
            });
            with.groups.push(group.clone());
            group
        }
    };
    if let Some((head, _)) = command.name.split_once(' ')
        && !with.heads.contains_key(head)
    {
        with.heads.insert(head.to_owned(), format!("By {}", command.by));
    }
    made(command, group)
}

fn made(own: &OwnCommand, group: Arc<Group>) -> Command {
    Command {
        name: own.name.clone(),
        aliases: Vec::new(),
        help: own.help.clone(),
        long: format!("By {}.", own.by),
        action: OwnCommand::ACT.to_owned(),
        display: None,
        see: if own.seated { See::Seated } else { See::Everyone },
        private: own.private,
        is_final: false,
        any_forum: false,
        without_forum: false,
        room: RoomUse::Needed,
        examples: own.examples.clone(),
        words: Default::default(),
        params: own.params.iter().map(|given| param(given, own)).collect(),
        group,
        own: true,
        languages: own.words.clone(),
    }
}

fn param(own: &OwnParam, of: &OwnCommand) -> Param {
    let plain = |kind: Kind| Param::of(&own.name, kind);
    let completed = |kind: Kind, display: &str| Param::completed(&own.name, kind, display);
    let read = match &own.kind {
        OwnKind::Whole(min, max) => Param { min: *min, max: *max, ..plain(Kind::Quantity) },
        OwnKind::Number => plain(Kind::Rational),
        OwnKind::YesNo => plain(Kind::Bool),
        OwnKind::Choice(choices) => Param { choices: choices.clone(), ..plain(Kind::Choice) },
        OwnKind::Player => completed(Kind::Player, "players"),
        OwnKind::Rule => completed(Kind::Rule, "rules"),
        OwnKind::Proposal => plain(Kind::Proposal),
        OwnKind::Object(kind) => {
            // The last may be of several words, since nothing stands behind it: The Company.
            let last = of.params.iter().rfind(|param| param.name != OwnCommand::AS);
            let words = if last.is_some_and(|last| last.name == own.name) { Kind::Phrase } else { Kind::Word };
            completed(words, &format!("objects/{kind}"))
        }
        OwnKind::Moment => plain(Kind::Instant),
        OwnKind::Word => plain(Kind::Word),
        OwnKind::Words => plain(Kind::Phrase),
        OwnKind::Command => Param { rest: true, ..plain(Kind::Actions) },
        OwnKind::Text => Param { rest: true, ..plain(Kind::Text) },
    };
    let secret_by = of.sealed.then(|| of.by.clone());
    let named = own.name == OwnCommand::AS;
    let completes = own.completes.clone().or(read.completes);
    let (help, empty) = (own.help.clone(), own.empty.clone());
    let skippable = own.skips;
    let aliases = own.also.clone();
    let marker = Some(own.behind.clone()).filter(|word| !word.is_empty());
    let (required, secret) = (own.required, of.sealed);
    Param { help, empty, required, skippable, marker, named, secret, secret_by, completes, aliases, ..read }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoRoom, bind, help, parse};
    use kernel::display::plain;

    fn buy(name: &str) -> OwnCommand {
        let color = OwnKind::Choice(vec!["Blue".to_owned(), "Black".to_owned()]);
        OwnCommand {
            name: name.to_owned(),
            help: "Buy a Sock".to_owned(),
            by: "rule 14 “Socks”".to_owned(),
            params: vec![
                OwnParam {
                    name: "color".to_owned(),
                    kind: color,
                    help: "its color".to_owned(),
                    required: true,
                    ..Default::default()
                },
                OwnParam {
                    name: "count".to_owned(),
                    kind: OwnKind::Whole(Some(1), Some(9)),
                    help: "how many".to_owned(),
                    ..Default::default()
                },
            ],
            group: "Socks".to_owned(),
            seated: true,
            ..Default::default()
        }
    }

    fn catalogue(names: &[&str]) -> Catalogue {
        let own: Vec<(&str, Arc<OwnCommand>)> = names.iter().map(|name| ("blognomic", buy(name).into())).collect();
        Catalogue::of_game("blognomic").with_own(&own)
    }

    /// What a law lets somebody speak for acts by the commands of laws, and by no others.
    #[test]
    fn a_command_of_a_rule_is_given_in_the_name_of_something() {
        let mut own = buy("sock buy");
        let kind = OwnKind::Word;
        own.params.push(OwnParam { name: "as".to_owned(), kind, help: "it".to_owned(), ..Default::default() });
        let catalogue = Catalogue::of_game("blognomic").with_own(&[("blognomic", own.into())]);
        let read = |line: &str| {
            let typed = parse(&catalogue, line, 0).remove(0).map_err(|error| error.to_string())?;
            bind(&typed, &NoRoom).map(|read| read.to_json().to_string()).map_err(|why| why.say)
        };
        let bought = r#"{"law":{"act":"sock buy","args":{"color":"Blue"},"as":"Acme"}}"#;
        for line in [
            "as Acme: sock buy Blue",
            "@main as Acme: I sock buy Blue",
            "sock buy Blue as:Acme",
            "as \"Acme\": sock buy Blue",
        ] {
            assert_eq!(read(line).as_deref(), Ok(bought), "{line}");
        }
        assert!(read("as The Firm: sock buy Blue").unwrap().contains(r#""as":"The Firm""#));
        assert_eq!(catalogue.get("sock buy").unwrap().usage(), "sock buy color:Blue|Black [count:COUNT]");
        assert!(read("sock buy Blue 2 Acme").unwrap_err().contains("left over"));
        assert!(read("as Acme: mcp PRODUCT").unwrap_err().starts_with("Everybody gives “mcp” for themselves."));
        assert!(read("as Acme: sock buy Blue as:Bob").unwrap_err().contains("twice"));
    }

    #[test]
    fn a_command_of_a_rule_is_typed_like_any_other() {
        let read = |line: &str| {
            let typed = parse(&catalogue(&["sock buy"]), line, 0).remove(0).map_err(|error| error.to_string())?;
            bind(&typed, &NoRoom).map(|read| read.to_json().to_string()).map_err(|why| why.say)
        };
        let bought = r#"{"law":{"act":"sock buy","args":{"color":"Black","count":2}}}"#;
        for line in ["sock buy black 2", "SOCK BUY count:2 color:Black", "sock buy 2 Black because they are warm"] {
            assert_eq!(read(line).as_deref(), Ok(bought), "{line}");
        }
        for line in ["sock buy", "sock buy green", "sock buy black 10", "sock buy black zzqx"] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_name_of_the_program_is_nobodys() {
        let with = catalogue(&["robots", "show", "mcp twice", "mcp", "sock", "sock buy", "sock"]);
        let own: Vec<&str> =
            with.commands().iter().filter(|command| command.own).map(|command| &*command.name).collect();
        assert_eq!(own, ["sock"]);
    }

    #[test]
    fn what_is_sealed_is_not_repeated() {
        let sealed = OwnCommand { private: true, sealed: true, ..buy("sock bid") };
        let catalogue = Catalogue::of_game("blognomic").with_own(&[("blognomic", sealed.into())]);
        let typed = parse(&catalogue, "sock bid Black 2 because they are warm", 0).remove(0).unwrap();
        assert!(typed.holds_secret());
        assert_eq!(typed.secret_by(), Some("rule 14 “Socks”"));
        for shown in ["Black", "2", "warm"] {
            assert!(!typed.said.contains(shown), "{}", typed.said);
        }
        let why = parse(&catalogue, "sock bid Black 10", 0).remove(0).unwrap_err().to_string();
        assert!(!why.contains("10"), "{why}");
    }

    #[test]
    fn the_help_says_whose_it_is() {
        let page = help::page(&catalogue(&["sock buy"]), "sock buy", help::Viewer::default()).unwrap();
        assert!(plain(&page).contains("By rule 14 “Socks”."), "{}", plain(&page));
        let all = help::page(&catalogue(&["sock buy"]), "", help::Viewer { seated: true, moderator: false }).unwrap();
        assert!(plain(&all).contains("Socks: sock buy"), "{}", plain(&all));
    }
}
