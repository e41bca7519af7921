//! The catalogue as Discord wants it registered: one command for each first word, with its options.
//!
//! The library's own registration is not used. Its choices are places in a list, which change their meaning with the
//! list, and it cannot carry bounds. [`super::guilds`] sends the registration.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::{Value, json};

use super::menu_names;
use catalogue::{
    BECAUSE, Catalogue, Command, Kind, Param, ROOM_KEY, RoomUse, See,
    hint::{ACT, ACT_LINES},
    i18n::Language,
};
use kernel::own_command::OwnCommand;
use port::Hosted;

/// What follows the name of a parameter in the name of the option that takes it as a file.
pub(super) const FILE_SUFFIX: &str = "-file";

/// What follows the name of a parameter in the name of the option that picks a person of the server for it.
pub(super) const PERSON_SUFFIX: &str = "-person";

/// Most characters of a description.
const DESCRIPTION_MAX_CHARS: usize = 100;

/// Most characters that a text option takes, by Discord's limit.
const TEXT_MAX_CHARS: i64 = 6000;

/// Most characters of a reason, about what fits a line on IRC.
const REASON_MAX_CHARS: i64 = 400;

/// The permission to manage a server, as Discord writes it.
const MANAGE_GUILD: &str = "32";

/// Most choices of an option; where there are more, they are completed instead.
const CHOICES_MAX_COUNT: usize = 25;

/// Most commands of a server, by their first words, by Discord's limit.
const COMMANDS_MAX_COUNT: usize = 100;

/// Most commands that share a first word, and most options of a command, by Discord's limit.
const OPTIONS_MAX_COUNT: usize = 25;

/// Most characters of all names, descriptions and values of a command with what stands under it, by Discord's limit.
const COMMAND_MAX_CHARS: usize = 8000;

/// Most fields of a window, by Discord's limit.
pub(super) const FIELDS_MAX_COUNT: usize = 5;

/// The kinds of commands' options.
mod kind {
    pub(super) const SUBCOMMAND: u8 = 1;
    pub(super) const STRING: u8 = 3;
    pub(super) const INTEGER: u8 = 4;
    pub(super) const BOOLEAN: u8 = 5;
    pub(super) const USER: u8 = 6;
    pub(super) const CHANNEL: u8 = 7;
    pub(super) const ATTACHMENT: u8 = 11;
}

/// Where commands are offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// In one server, all of it to everybody.
    Guild,
    /// In one server, with what only moderators can do for those who manage it. Its own settings may say otherwise.
    Managed,
    /// For the application: what every room has in servers and in private, and what games have in private alone, whatever
    /// servers the person shares with the bot.
    Everywhere {
        /// Whether what only moderators can do is for those who manage a server.
        managed: bool,
    },
}

impl Scope {
    fn is_managed(self) -> bool {
        matches!(self, Self::Managed | Self::Everywhere { managed: true })
    }
}

/// What a server offers by what is played in its channels.
pub fn offered(hosted: &[&Hosted]) -> Catalogue {
    let mut games: Vec<&str> = hosted.iter().map(|hosted| &*hosted.game).collect();
    games.sort_unstable();
    games.dedup();
    let own = hosted.iter().flat_map(|hosted| hosted.own.iter().map(|own| (&*hosted.game, own.clone())));
    let own: Vec<(&str, Arc<OwnCommand>)> = own.collect();
    Catalogue::all().for_games(&games).merged_with(&own)
}

/// Whether the program itself has commands under a first word.
pub(super) fn is_of_program(head: &str) -> bool {
    let all = Catalogue::all();
    head == ACT || all.get(head).is_some() || all.heads().contains_key(head)
}

/// The body of a registration, and the names of the commands of a catalogue that Discord has no place for.
pub struct Listed {
    /// All others.
    pub body: Value,
    /// Those are said by the command for lines alone.
    pub left_out: Vec<String>,
}

/// The body of a registration: the commands of a catalogue. The command for lines and the menus are there with what every
/// room has.
pub fn listed(catalogue: &Catalogue, scope: Scope) -> Listed {
    let mut heads: Vec<(&str, Vec<&Command>)> = Vec::new();
    for command in catalogue.commands() {
        let head = command.head().unwrap_or(&command.name);
        match heads.iter_mut().find(|(known, _)| *known == head) {
            Some((_, commands)) => commands.push(command),
            None => heads.push((head, vec![command])),
        }
    }
    // Commands of several rooms under one name may come to more than Discord takes of one. It would refuse all others with
    // it.
    let mut left_out: Vec<String> = Vec::new();
    for (_, commands) in &mut heads {
        let (mut left, mut count) = (COMMAND_MAX_CHARS - 2 * DESCRIPTION_MAX_CHARS, 0);
        commands.retain(|command| {
            let options = options(command);
            let chars =
                chars(&json!({ "name": command.name, "description": short(&command.help), "options": options }));
            let fits = options.len() <= OPTIONS_MAX_COUNT && count < OPTIONS_MAX_COUNT && chars <= left;
            match fits {
                true => (left, count) = (left - chars, count + 1),
                false => left_out.push(command.name.clone()),
            }
            fits
        });
    }
    heads.retain(|(_, commands)| !commands.is_empty());
    let for_all = catalogue.commands().iter().any(|command| command.games().is_empty());
    let most = COMMANDS_MAX_COUNT - usize::from(for_all);
    let named = |command: &&Command| command.name.clone();
    left_out.extend(heads.iter().skip(most).flat_map(|(_, commands)| commands.iter().map(named)));
    let mut tops: Vec<Value> = Vec::new();
    for (head, commands) in heads.iter().take(most) {
        // Discord hides what stands together or not at all.
        let moderates = commands.iter().all(|command| command.see == See::Moderator);
        let mut top = match &commands[..] {
            [only] if only.name == *head => {
                let mut top = top(head, &only.help, options(only), moderates, scope);
                localise(&mut top, "name_localizations", |language| language.name(only));
                localise(&mut top, "description_localizations", |language| language.help(only));
                top
            }
            commands => {
                let help = catalogue.heads().get(*head).map_or(*head, String::as_str);
                // A command of the name of its group stands in it under the same name.
                let leaf =
                    |command: &&Command| subcommand(command, command.name.split(' ').next_back().unwrap_or(head));
                let leaves = commands.iter().map(leaf).collect();
                let mut top = top(head, help, leaves, moderates, scope);
                localise(&mut top, "description_localizations", |language| language.head(head));
                top
            }
        };
        if let Scope::Everywhere { .. } = scope {
            // 0 is a server, 1 a conversation with the bot. What games have stands in servers where they are played.
            let is_common = commands.iter().all(|command| command.games().is_empty());
            top["contexts"] = if is_common { json!([0, 1]) } else { json!([1]) };
            top["integration_types"] = json!([0]);
        }
        tops.push(top);
    }
    tell_apart(&mut tops);
    if for_all {
        let help = "Type commands as lines: several at once, or one that has no place in this list";
        tops.push(top(ACT, help, vec![act_lines()], false, scope));
        let mut menus = menu_names::registered();
        if let Scope::Everywhere { .. } = scope {
            menus.iter_mut().for_each(|menu| menu["contexts"] = json!([0]));
        }
        tops.extend(menus);
    }
    Listed { body: Value::Array(tops), left_out }
}

/// The same where nothing is left out.
pub fn body(catalogue: &Catalogue, scope: Scope) -> Value {
    listed(catalogue, scope).body
}

/// The characters of a command or an option that Discord counts, with those of all that stand in it.
fn chars(of: &Value) -> usize {
    let own = ["name", "description", "value"].iter().filter_map(|key| of[*key].as_str());
    let within = ["options", "choices"].iter().filter_map(|key| of[*key].as_array()).flatten();
    own.map(|text| text.chars().count()).chain(within.map(chars)).sum()
}

/// The name of a command, from those of a group and of what stands in it.
pub(super) fn name_of(head: &str, leaf: &str) -> String {
    if head == leaf { head.to_owned() } else { format!("{head} {leaf}") }
}

fn top(name: &str, help: &str, options: Vec<Value>, moderates: bool, scope: Scope) -> Value {
    let mut top = json!({ "type": 1, "name": name, "description": short(help), "options": options });
    if moderates && scope.is_managed() {
        top["default_member_permissions"] = MANAGE_GUILD.into();
    }
    top
}

fn subcommand(command: &Command, leaf: &str) -> Value {
    let mut leaf = json!({
        "type": kind::SUBCOMMAND, "name": leaf, "description": short(&command.help), "options": options(command),
    });
    localise(&mut leaf, "description_localizations", |language| language.help(command));
    leaf
}

/// Takes names in other languages off commands that would have those of others: Discord would refuse them all.
fn tell_apart(tops: &mut [Value]) {
    let names: BTreeSet<String> = tops.iter().filter_map(|top| top["name"].as_str()).map(str::to_owned).collect();
    let mut taken = BTreeSet::new();
    for of in tops.iter_mut().filter_map(|top| top.get_mut("name_localizations")?.as_object_mut()) {
        of.retain(|code, name| {
            let name = name.as_str().unwrap_or_default();
            !names.contains(name) && taken.insert((code.clone(), name.to_owned()))
        });
    }
}

/// Says something in the languages that have it, each for who reads that.
fn localise<'l>(of: &mut Value, key: &str, told: impl Fn(&'l Language) -> Option<&'l str>) {
    let said: serde_json::Map<String, Value> = Language::all()
        .iter()
        .filter_map(|language| Some((language.code.to_owned(), told(language)?.into())))
        .collect();
    if !said.is_empty() {
        of[key] = said.into();
    }
}

fn act_lines() -> Value {
    json!({
        "type": kind::STRING, "name": ACT_LINES, "required": false, "max_length": TEXT_MAX_CHARS,
        "description": "Commands as you would type them, separated by ; (leave it out for a window)",
        "autocomplete": true,
    })
}

/// The options of a command, required ones first.
fn options(command: &Command) -> Vec<Value> {
    let mut options: Vec<Value> = command.params.iter().map(|param| option(command, param)).collect();
    for param in command.params.iter().filter(|param| param.comes_later()) {
        options.push(json!({
            "type": kind::ATTACHMENT, "name": format!("{}{FILE_SUFFIX}", param.name), "required": false,
            "description": short(&format!("The same as a file: {}", param.help)),
        }));
    }
    for param in command.params.iter().filter(|param| is_picked(param)) {
        options.push(json!({
            "type": kind::USER, "name": format!("{}{PERSON_SUFFIX}", param.name), "required": false,
            "description": short(&format!("Somebody of this server: {}", param.help)),
        }));
    }
    if command.room != RoomUse::None {
        options.push(json!({
            "type": kind::STRING, "name": ROOM_KEY, "required": false, "autocomplete": true,
            "description": "Which room, where the channel alone does not say",
        }));
    }
    if command.takes_reason() {
        options.push(json!({
            "type": kind::STRING, "name": BECAUSE, "required": false, "max_length": REASON_MAX_CHARS,
            "description": "Why; it is kept with the act and changes nothing",
        }));
    }
    options.sort_by_key(|option| option["required"] != json!(true));
    options
}

fn option(command: &Command, param: &Param) -> Value {
    let mut option = json!({
        "type": option_type(param),
        "name": param.name,
        "description": short(&param.help),
        // What a window, a file or a picker can give too may be left out here.
        "required": param.required && !param.rest && !is_picked(param) && !asked(command).contains(&param),
    });
    match option_type(param) {
        kind::INTEGER => {
            for (key, bound) in [("min_value", param.min), ("max_value", param.max)] {
                if let Some(bound) = bound {
                    option[key] = bound.into();
                }
            }
        }
        kind::STRING => {
            if let Some(max) = param.max.filter(|_| !is_number(param.kind)) {
                option["max_length"] = max.clamp(1, TEXT_MAX_CHARS).into();
            }
            if completes(command, param) {
                option["autocomplete"] = true.into();
            } else if !param.choices.is_empty() {
                let choices = param.choices.iter().map(|choice| json!({ "name": choice, "value": choice }));
                option["choices"] = choices.collect();
            }
        }
        // Text channels, announcements, threads of all kinds, forums, whose posts are threads, and media.
        kind::CHANNEL => option["channel_types"] = json!([0, 5, 10, 11, 12, 15, 16]),
        _ => {}
    }
    debug_assert!(command.params.contains(param));
    option
}

/// Whether a person of the server can be picked for it. An account may be of another network too, so it can be typed as
/// well. Players are completed by their names instead: a picker would offer everybody of the server, and nobody else.
fn is_picked(param: &Param) -> bool {
    param.kind == Kind::Account && !param.list
}

/// What a window asks for where it is left out: the text that a command needs, and the words beside it. So no option is
/// demanded for those. Whatever is completed or chosen is easier given as an option, and has no field; nor has what
/// would be one field too many.
pub(super) fn asked(command: &Command) -> Vec<&Param> {
    let is_needed = |param: &&Param| param.rest && (param.required || !param.needed.is_empty());
    let Some(text) = command.params.iter().find(is_needed) else { return Vec::new() };
    let is_words = |param: &&Param| {
        matches!(param.kind, Kind::Word | Kind::Name | Kind::Phrase | Kind::Text)
            && param.choices.is_empty()
            && !param.rest
            && !param.list
            && !param.named
            && !completes(command, param)
    };
    let mut words: Vec<&Param> = command.params.iter().filter(is_words).collect();
    words.sort_by_key(|param| !param.required);
    words.truncate(FIELDS_MAX_COUNT - 1);
    command.params.iter().filter(|param| *param == text || words.contains(param)).collect()
}

/// Whether typing is helped by completion.
pub(super) fn completes(command: &Command, param: &Param) -> bool {
    // What is a word in every game may be a choice in the words of one.
    let of_games = command.words.values().flat_map(|words| &words.params).filter(|other| other.name == param.name);
    let chosen = |param: &Param| !param.choices.is_empty();
    option_type(param) == kind::STRING
        && (param.completes.is_some()
            || param.choices.len() > CHOICES_MAX_COUNT
            || (param.choices.is_empty() && of_games.into_iter().any(chosen)))
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Quantity | Kind::Rational | Kind::Entry | Kind::Id | Kind::Moment)
}

fn option_type(param: &Param) -> u8 {
    match param.kind {
        // A number that a display completes is a string, because only a string's completion can be explained.
        Kind::Quantity if param.completes.is_none() && !param.list => kind::INTEGER,
        Kind::Bool => kind::BOOLEAN,
        Kind::Forum if !param.list => kind::CHANNEL,
        _ => kind::STRING,
    }
}

/// A description within the limit.
fn short(text: &str) -> String {
    if text.chars().count() <= DESCRIPTION_MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(DESCRIPTION_MAX_CHARS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::own_command::{Languages, OwnKind, OwnParam, Words};

    fn each(value: &Value, visit: &mut dyn FnMut(&Value)) {
        for option in value["options"].as_array().into_iter().flatten() {
            visit(option);
            each(option, visit);
        }
    }

    fn registered() -> Vec<Value> {
        [Scope::Guild, Scope::Managed, Scope::Everywhere { managed: true }]
            .into_iter()
            .flat_map(|scope| body(Catalogue::all(), scope).as_array().unwrap().clone())
            .collect()
    }

    #[test]
    fn every_command_of_the_catalogue_is_registered_once() {
        let body = body(Catalogue::all(), Scope::Guild);
        let mut names = Vec::new();
        for top in body.as_array().unwrap().iter().filter(|top| top["type"] == 1) {
            let name = top["name"].as_str().unwrap();
            let options = top["options"].as_array().unwrap();
            let leaves: Vec<_> = options.iter().filter(|option| option["type"] == kind::SUBCOMMAND).collect();
            if leaves.is_empty() {
                names.push(name.to_owned());
            }
            names.extend(leaves.iter().map(|leaf| format!("{name} {}", leaf["name"].as_str().unwrap())));
        }
        names.sort();
        let mut wanted: Vec<String> = Catalogue::all().commands().iter().map(|command| command.name.clone()).collect();
        wanted.push(ACT.to_owned());
        wanted.sort();
        assert_eq!(names, wanted);
    }

    #[test]
    fn what_is_registered_keeps_to_discords_limits() {
        let name =
            |text: &str| (1..=32).contains(&text.chars().count()) && text.to_lowercase() == text && !text.contains(' ');
        let all = body(Catalogue::all(), Scope::Guild);
        let count = |kind: u8| all.as_array().unwrap().iter().filter(|top| top["type"] == kind).count();
        assert!(count(1) <= 100 && count(2) <= 5 && count(3) <= 5);
        assert!(listed(Catalogue::all(), Scope::Guild).left_out.is_empty());
        for top in registered().into_iter().filter(|top| top["type"] == 1) {
            let mut total = 0;
            let mut check = |at: &Value| {
                let text = |key: &str| at[key].as_str().unwrap_or_else(|| panic!("{key} of {at}"));
                assert!(name(text("name")), "{at}");
                let described = text("description").chars().count();
                assert!((1..=100).contains(&described), "{at}");
                total += text("name").chars().count() + described;
                let options = at["options"].as_array().map_or(&[][..], Vec::as_slice);
                assert!(options.len() <= 25, "{at}");
                let required: Vec<bool> = options.iter().map(|option| option["required"] == json!(true)).collect();
                assert!(required.is_sorted_by(|before, after| before >= after), "{at}");
                let mut names: Vec<&str> = options.iter().filter_map(|option| option["name"].as_str()).collect();
                names.sort_unstable();
                let count = names.len();
                names.dedup();
                assert_eq!(names.len(), count, "{at}");
                let choices = at["choices"].as_array().map_or(&[][..], Vec::as_slice);
                assert!(choices.len() <= 25 && (choices.is_empty() || at["autocomplete"] != json!(true)), "{at}");
            };
            check(&top);
            each(&top, &mut check);
            assert!(total <= 8000, "{}: {total} characters", top["name"]);
        }
    }

    /// Given a room whose game has no votes, and a law that brings them, beside a room of another game that has some. Then
    /// there is one command, in each reader's language, and in a room of the law alone in the law's words.
    #[test]
    fn a_law_fills_a_shape_of_the_program() {
        let stone = OwnParam {
            name: "stone".to_owned(),
            kind: OwnKind::Word,
            help: "The stone".to_owned(),
            required: true,
            ..Default::default()
        };
        let vote = OwnCommand {
            name: "vote".to_owned(),
            help: "Throw a stone".to_owned(),
            by: "rule 14".to_owned(),
            params: vec![stone],
            group: "Stones".to_owned(),
            seated: true,
            ..Default::default()
        };
        let hosted = |game: &str, own: &[&OwnCommand]| Hosted {
            channel: game.to_owned(),
            game: game.to_owned(),
            own: own.iter().map(|own| Arc::new((*own).clone())).collect(),
        };
        let (joust, bnomic) = (hosted("joust", &[&vote]), hosted("bnomic", &[]));
        let top = |rooms: &[&Hosted]| {
            let body = body(&offered(rooms).of_games_alone(), Scope::Guild);
            let votes = body.as_array().unwrap().iter().filter(|top| top["name"] == "vote").cloned();
            let [only] = &votes.collect::<Vec<_>>()[..] else { panic!("one command") };
            only.clone()
        };
        let alone = top(&[&joust]);
        assert!(alone["description"] == "Throw a stone" && alone["description_localizations"].is_null(), "{alone}");
        assert_eq!(alone["name_localizations"], top(&[&bnomic])["name_localizations"]);
        // What its room says in German goes by the English words, and its name in German may be nobody else's.
        let german: Words = serde_json::from_value(json!({
            "names": { "throw": "werfen", "toss": "werfen", "hurl": "vote" }, "help": { "Throw a stone": "Einen Stein werfen" },
        }))
        .unwrap();
        let words = Arc::new(Languages::from([("de".to_owned(), german)]));
        let told = OwnCommand { words, ..vote.clone() };
        let thrown = |name: &str| OwnCommand { name: name.to_owned(), ..told.clone() };
        let told = top(&[&hosted("nomic", &[&told])]);
        assert_eq!(told["description_localizations"], json!({ "de": "Einen Stein werfen" }));
        let nomic = hosted("nomic", &[&thrown("throw"), &thrown("toss"), &thrown("hurl")]);
        let body = body(&offered(&[&nomic, &bnomic]).of_games_alone(), Scope::Guild);
        let named = |name: &str| body.as_array().unwrap().iter().find(|top| top["name"] == name).unwrap().clone();
        assert_eq!(named("throw")["name_localizations"], json!({ "de": "werfen" }));
        assert!(["toss", "hurl"].iter().all(|name| named(name)["name_localizations"]["de"].is_null()), "{body}");
        let both = top(&[&bnomic, &joust]);
        let names: Vec<&str> =
            both["options"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert!(names.contains(&"stone") && names.contains(&"vote") && names.contains(&"on"), "{names:?}");
        assert!(both["options"].as_array().unwrap().iter().all(|one| one["required"] == false), "{both}");
    }

    /// Given two rooms whose commands of one name take more together than Discord has options for. Then that one is left out
    /// and said to be, and all others are there.
    #[test]
    fn what_is_too_large_for_discord_is_left_out_by_itself() {
        let own = |from: usize| {
            let param = |at: usize| OwnParam {
                name: format!("thing-{at}"),
                kind: OwnKind::Word,
                help: "x".repeat(90),
                ..Default::default()
            };
            let params: Vec<OwnParam> = (from..from + 13).map(param).collect();
            let named = |name: String| OwnCommand {
                name,
                help: "Take things".to_owned(),
                by: "rule 14".to_owned(),
                params: params.clone(),
                group: "Things".to_owned(),
                seated: true,
                ..Default::default()
            };
            let all = ["take".to_owned()].into_iter().chain((0..9).map(|at| format!("many take{at}")));
            Hosted {
                channel: from.to_string(),
                game: "joust".to_owned(),
                own: all.map(|name| Arc::new(named(name))).collect(),
            }
        };
        let one = listed(&offered(&[&own(0)]), Scope::Guild);
        assert_eq!(one.left_out, ["many take5", "many take6", "many take7", "many take8"]);
        let both = listed(&offered(&[&own(0), &own(13)]), Scope::Guild);
        assert!(both.left_out.contains(&"take".to_owned()), "{:?}", both.left_out);
        let tops = both.body.as_array().unwrap().iter();
        assert!(tops.clone().any(|top| top["name"] == "joust") && !tops.clone().any(|top| top["name"] == "take"));
        assert!(tops.clone().all(|top| chars(top) <= COMMAND_MAX_CHARS), "each is within the limit");
    }

    #[test]
    fn every_act_without_a_text_takes_a_reason() {
        for command in Catalogue::all().commands() {
            let options = options(command);
            let reason = options.iter().find(|option| option["name"] == BECAUSE);
            assert_eq!(reason.is_some(), command.takes_reason(), "{command}");
            assert!(reason.is_none_or(|reason| reason["required"] == json!(false)), "{command}");
        }
        let takes = |name: &str| Catalogue::all().get(name).unwrap().takes_reason();
        for act in ["vote", "joust retract", "join", "forum bind", "tick"] {
            assert!(takes(act), "{act}");
        }
        // A text, a display, the reason itself, help.
        for other in ["joust submit", "joust hill", "room list", "export", "pause", "ban", "help", "history"] {
            assert!(!takes(other), "{other}");
        }
    }

    #[test]
    fn options_carry_bounds_choices_and_completion() {
        let text = "title = \"T\"\nhelp = \"H\"\ngames = [\"x\"]\n[[command]]\nname = \"pay\"\nhelp = \"Pay\"\naction = \"pay\"\n\
            [[command.param]]\nname = \"note\"\nkind = \"text\"\nrest = true\nhelp = \"Why\"\n\
            [[command.param]]\nname = \"amount\"\nkind = \"quantity\"\nmin = -3\nmax = 9\nhelp = \"How much\"\n\
            [[command.param]]\nname = \"share\"\nkind = \"rational\"\nhelp = \"Part\"\n\
            [[command.param]]\nname = \"now\"\nkind = \"bool\"\nrequired = false\nhelp = \"At once\"\n\
            [[command.param]]\nname = \"to\"\nkind = \"player\"\ncompletes = \"players\"\nhelp = \"Whom\"\n\
            [[command.param]]\nname = \"how\"\nkind = \"choice\"\nchoices = [\"cash\", \"debt\"]\nhelp = \"How\"\n";
        let read = Catalogue::read(&[("t", text)]).unwrap();
        insta::assert_snapshot!(serde_json::to_string_pretty(&body(&read, Scope::Guild)[0]).unwrap());
    }

    #[test]
    fn a_catalogue_never_defines_the_command_for_several_actions() {
        assert!(Catalogue::all().get(ACT).is_none() && !Catalogue::all().heads().contains_key(ACT));
        for command in Catalogue::all().commands() {
            let is_own = |param: &Param| [FILE_SUFFIX, PERSON_SUFFIX].iter().any(|end| param.name.ends_with(end));
            assert!(!command.params.iter().any(is_own), "{command}");
        }
    }
}
