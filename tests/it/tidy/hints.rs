//! Every hint of a refusal, and every command line in a sentence, can be typed where it is read: in the console, behind
//! a prefix on IRC, and with options on Discord.

use std::collections::BTreeMap;

use adapter_discord::register::{Scope, body};
use catalogue::{
    Catalogue,
    hint::{Form, reference, told_of},
    parse,
};
use kernel::display::{MARKS, Reference};
use serde_json::Value;

use super::{hold, source::File};

/// Where a hint says what to type: the text in quotation marks behind one of these.
const HINTS: [&str; 6] =
    [".instead(", ".instead(format!(", "announced(d, ", "private(d, ", "nothing_more(text, ", "line: format!("];

/// What may stand in a hint for the values that the code puts there. For the first of them and for others it is a
/// number, a name, or one of a few words.
const FILLERS: [(&str, &str); 3] = [("12", "12"), ("alpha", "alpha"), ("12", "for")];

/// What stands for a word of the reader's in a hint, and such a word.
const PLACEHOLDERS: [(&str, &str); 14] = [
    ("ACCOUNT", "irc:libera/ann"),
    ("AGAINST", "against"),
    ("CHANNEL", "#nomic"),
    ("CODE", ">+[-]"),
    ("ENTRY", "12"),
    ("FIGURE", "hill-size"),
    ("FOR", "for"),
    ("GAME", "joust"),
    ("SECTION", "points"),
    ("SUBJECT", "points"),
    ("TEXT", "words"),
    ("VALUE", "9"),
    ("WHAT", "amend"),
    ("WHY", "because it broke"),
];

/// The hint at the beginning of a source text, blanks before it left out; nothing where something else is handed on.
fn hint(source: &str, (first, others): (&str, &str)) -> Option<String> {
    let text = source.trim_start().strip_prefix('"')?;
    let (mut hint, mut filler) = (String::new(), first);
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some(hint),
            '\\' => hint.push(chars.next()?),
            '{' => {
                chars.by_ref().find(|char| *char == '}')?;
                hint.push_str(filler);
                filler = others;
            }
            other => hint.push(other),
        }
    }
}

/// A hint with something in the places of the reader's words.
fn typed(hint: &str) -> String {
    let word = |word: &str| {
        let placeholder = PLACEHOLDERS.iter().find(|(name, _)| *name == word);
        let upper = word != "I" && word.chars().all(|char| char.is_ascii_uppercase() || char == '-');
        placeholder.map_or(if upper { "alpha" } else { word }, |(_, value)| value).to_owned()
    };
    hint.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The games in whose rooms a file speaks: its own, or all of them.
fn games_of(file: &File) -> Vec<&'static str> {
    let own = |game: &&str| file.is_below(&[&format!("crates/{game}/")]);
    match rulekeeper::games::NAMES.iter().copied().find(own) {
        Some(game) => vec![game],
        None => rulekeeper::games::NAMES.to_vec(),
    }
}

/// What can be typed where some games are played: as lines, and on Discord.
pub(crate) struct FrontEnds {
    catalogue: Catalogue,
    registered: Value,
}

impl FrontEnds {
    pub(crate) fn of(games: &[&str]) -> Self {
        let catalogue = Catalogue::all().for_games(games);
        let registered = body(&catalogue, Scope::Guild);
        Self { catalogue, registered }
    }

    /// A line as it is typed there on a front end.
    pub(crate) fn told(&self, line: &str, form: Form<'_>) -> String {
        let read = reference(&self.catalogue, line).map(|read| Reference { names_room: true, ..read });
        read.map_or_else(|| line.to_owned(), |read| told_of(&read, form))
    }

    /// Why a hint cannot be typed there, on each front end; nothing where it can.
    pub(crate) fn wrong_with(&self, line: &str) -> Option<String> {
        // A directive is a line of a proposal.
        if line.starts_with("=>") {
            return None;
        }
        let read = |text: &str| {
            let wrong = parse(&self.catalogue, &typed(text), 0).into_iter().find_map(Result::err)?;
            Some(format!("“{text}”: {wrong}"))
        };
        let prefixed = self.told(line, Form::Prefixed("!"));
        let unprefixed = (!prefixed.starts_with('!')).then(|| format!("“{prefixed}” has no prefix on IRC"));
        // In a usage line stand the names of the values, and not values.
        let is_usage = self.catalogue.commands().iter().any(|command| command.usage() == line);
        let lines = (!is_usage).then(|| read(&self.told(line, Form::Line)).or_else(|| read(&prefixed))).flatten();
        let chosen = || cannot_be_chosen(&self.registered, &self.told(line, Form::Options));
        lines.or(unprefixed).or_else(chosen)
    }
}

/// Why something cannot be typed on Discord, where these commands are registered.
fn cannot_be_chosen(registered: &Value, line: &str) -> Option<String> {
    let wrong = |why: String| Some(format!("“{line}” on Discord: {why}"));
    let named = |options: &Value, name: &str| {
        options.as_array().and_then(|options| options.iter().find(|one| one["name"] == name)).cloned()
    };
    let Some(words) = line.strip_prefix('/') else { return wrong("it is no command".to_owned()) };
    let mut words = words.split(' ');
    let name = words.next().unwrap_or_default();
    let Some(mut command) = named(registered, name) else { return wrong(format!("/{name} is not registered")) };
    if command["options"].as_array().is_some_and(|options| options.iter().any(|one| one["type"] == 1)) {
        let leaf = words.next().unwrap_or_default();
        match named(&command["options"], leaf) {
            Some(found) => command = found,
            None => return wrong(format!("/{name} {leaf} is not registered")),
        }
    }
    // A value goes on up to the name of the next option.
    let mut given: Vec<(String, String)> = Vec::new();
    for word in words {
        let word = word.trim_start_matches('[').trim_end_matches(']');
        match (word.split_once(':').filter(|(key, _)| named(&command["options"], key).is_some()), given.last_mut()) {
            (Some((key, value)), _) => given.push((key.to_owned(), value.to_owned())),
            (None, Some((_, value))) => value.push_str(&format!(" {word}")),
            (None, None) => return wrong(format!("it has no option {word}")),
        }
    }
    for option in command["options"].as_array().into_iter().flatten() {
        let name = option["name"].as_str().unwrap_or_default();
        let value = given.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        match (value, option["choices"].as_array()) {
            (None, _) if option["required"] == true => return wrong(format!("it needs {name}")),
            (Some(value), Some(choices)) => {
                let is = |choice: &Value| choice["value"].as_str().is_some_and(|one| one.eq_ignore_ascii_case(value));
                // The reader's own word stands for any choice, and all of them stand with a bar between.
                let any = value == &name.to_uppercase() || value.contains('|');
                if !any && !choices.iter().any(is) {
                    return wrong(format!("{value} is no choice of {name}"));
                }
            }
            _ => {}
        }
    }
    None
}

/// What stands between two marks in a source text, with the place of each and whether it is code that is not a test's.
fn between(text: &str, [open, close]: [char; 2]) -> Vec<(usize, &str)> {
    let code = text.find("#[cfg(test)]\nmod ").map_or(text, |tests| &text[..tests]);
    let is_comment = |at: usize| code[..at].rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//"));
    let spans = code.match_indices(open).filter(|(at, _)| !is_comment(*at));
    spans.filter_map(|(at, mark)| Some((at, code[at + mark.len()..].split_once(close)?.0))).collect()
}

/// Command lines in sentences that cannot be typed where they are read, and those that nothing marks as such: they would
/// stand bare wherever they are read.
fn unmarked(files: &[File]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut places: BTreeMap<Vec<&str>, FrontEnds> = BTreeMap::new();
    let in_sentences = |file: &&File| {
        file.is_rust()
            && file.is_below(&["crates/", "src/service/"])
            && !file.path.contains("test")
            && !file.is_below(&["crates/catalogue/", "crates/kernel/src/display/"])
    };
    for file in files.iter().filter(in_sentences) {
        let games = games_of(file);
        let place = &*places.entry(games.clone()).or_insert_with(|| FrontEnds::of(&games));
        let mut look = |at: usize, span: &str, marked: bool| {
            // A line of source goes on in the next where a literal is broken.
            let source = span.replace("\\\n", "").split_whitespace().collect::<Vec<_>>().join(" ");
            let lines = FILLERS.iter().filter_map(|filler| Some((hint(&format!("\"{source}\""), *filler)?, filler.0)));
            let lines: Vec<_> = lines.collect();
            // A command that the code names is not known here.
            if lines.is_empty() || lines.iter().all(|(line, filler)| line.starts_with(filler)) {
                return;
            }
            // The name of a command alone is told with all that it takes, where that is typed in a form.
            let is_name = place.catalogue.get(&source).is_some();
            if is_name || source.starts_with("=>") {
                return;
            }
            let wrong: Vec<String> = lines.iter().filter_map(|(line, _)| place.wrong_with(line)).collect();
            match (marked, wrong.len() == lines.len()) {
                (true, true) => findings.push(file.at(file.text[..at].lines().count(), &wrong[0])),
                // One word may be a noun.
                (false, false) if source.contains(' ') => {
                    findings.push(file.at(file.text[..at].lines().count(), &format!("“{source}” is typed: mark it")));
                }
                _ => {}
            }
        };
        between(&file.text, MARKS).into_iter().for_each(|(at, span)| look(at, span, true));
        let quoted = between(&file.text, ['“', '”']);
        quoted.into_iter().filter(|(_, span)| !span.contains(MARKS[0])).for_each(|(at, span)| look(at, span, false));
    }
    findings
}

#[test]
fn every_command_line_in_a_sentence_can_be_typed() {
    hold(
        unmarked,
        &[
            ("crates/bnomic/src/a.rs", "d.tell_all(\"Type ⁅voto 3 FOR⁆.\")"),
            ("crates/bnomic/src/a.rs", "d.tell_all(format!(\"“vote {number} FOR” votes.\"))"),
            // A command of another game is not registered there.
            ("crates/joust/src/a.rs", "d.tell_all(\"Type ⁅vote 3 FOR⁆.\")"),
        ],
        &[
            (
                "crates/bnomic/src/a.rs",
                "d.tell_all(format!(\"“⁅vote {number} FOR⁆” votes, and “voting on” is a noun.\"))",
            ),
            (
                "crates/bnomic/src/a.rs",
                "d.tell_all(format!(\"“⁅propose TITLE TEXT⁆” does, and “⁅help⁆” tells more.\"))",
            ),
        ],
    );
}

/// Hints that cannot be typed where they are read.
fn untypable(files: &[File]) -> Vec<String> {
    // How a directive is written, and what a web address takes, is no line for the bot.
    let exempt = ["crates/kernel/src/directives/", "src/service/gallery.rs"];
    let mut findings = Vec::new();
    let mut places: BTreeMap<Vec<&str>, FrontEnds> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust() && file.is_below(&["crates/", "src/service/"])) {
        if file.is_below(&exempt) {
            continue;
        }
        let games = games_of(file);
        let place = &*places.entry(games.clone()).or_insert_with(|| FrontEnds::of(&games));
        for mark in HINTS {
            for (at, _) in file.text.match_indices(mark) {
                let read = |filler: &(&str, &str)| {
                    let line = hint(&file.text[at + mark.len()..], *filler)?;
                    // A command that the code names is not known here.
                    let known = !line.starts_with(filler.0);
                    Some(known.then(|| place.wrong_with(&line)).flatten())
                };
                let wrong: Option<Vec<String>> = FILLERS.iter().filter_map(read).collect();
                if let Some([why, ..]) = wrong.as_deref().filter(|wrong| wrong.len() == FILLERS.len()) {
                    findings.push(file.at(file.text[..at].lines().count(), why));
                }
            }
        }
    }
    findings
}

#[test]
fn every_hint_of_a_refusal_can_be_typed() {
    hold(
        untypable,
        &[
            ("crates/joust/src/a.rs", "Refusal::new(\"x\").instead(\"seats\")"),
            ("crates/joust/src/a.rs", "Refusal::new(\"x\").instead(format!(\"programme {}\", name))"),
            ("crates/kernel/src/a.rs", "Refusal::new(\"x\").instead(\n    \"rule show\",\n)"),
            // A command of another game is not registered there.
            ("crates/joust/src/a.rs", "Refusal::new(\"x\").instead(\"vote 3 FOR\")"),
        ],
        &[
            ("crates/joust/src/a.rs", "Refusal::new(\"x\").instead(\"joust submit NAME CODE\").instead(line)"),
            ("crates/joust/src/a.rs", "Refusal::new(\"x\").instead(format!(\"joust program {}\", name))"),
            ("crates/bnomic/src/a.rs", "Refusal::new(\"x\").instead(\"vote 3 FOR\")"),
            ("crates/kernel/src/directives/a.rs", "Refusal::new(\"x\").instead(\"=> raise power of Ann by 3\")"),
        ],
    );
}

/// What a command says of itself where it was mistyped, every example of the help, and what the help begins with.
#[test]
fn every_usage_line_and_example_can_be_typed() {
    for game in rulekeeper::games::NAMES {
        let place = FrontEnds::of(&[game]);
        let catalogue = &place.catalogue;
        let of_commands = catalogue.commands().iter().flat_map(|command| {
            let usage = command.usage();
            command.examples.iter().cloned().chain([usage])
        });
        let first = catalogue.groups().iter().flat_map(|group| group.first.iter().map(|first| first.line.clone()));
        for line in of_commands.chain(first) {
            let chosen = place.told(&line, Form::Options);
            assert_eq!(cannot_be_chosen(&place.registered, &chosen), None, "{game}: {line}");
            assert!(place.told(&line, Form::Prefixed("!")).ends_with(&line), "{line}");
        }
    }
}
