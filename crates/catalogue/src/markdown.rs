//! `docs/commands/`, generated: a page for each game, and one for each file of commands that every room has.
//!
//! A page has what matters first, a list of its commands, and each with its parameters and examples. The page of a game
//! holds what it shares with others, in its own words. A test compares the files with what this makes, and writes them
//! anew with `UPDATE_DOCS=1`.

use std::{collections::BTreeMap, fmt::Write};

use super::{
    Catalogue,
    help::{notes, param_line},
    spec::{Command, Group},
};

/// The pages as Markdown, by the names of their files.
pub fn pages(all: &Catalogue) -> BTreeMap<String, String> {
    let heads = all.groups().iter().filter(|group| group.is_page());
    let from = "commands/*.toml";
    let mut pages: BTreeMap<_, _> = heads.clone().map(|group| (file(group), page(all, group, from))).collect();
    let mut list = String::from(INTRODUCTION);
    list.push_str("\n## Pages\n\n");
    for group in heads {
        let _ = writeln!(list, "- [{}]({}): {}.", group.title, file(group), group.help);
    }
    for name in RULESETS {
        let _ = writeln!(list, "- [`ruleset:{name}`]({name}.md): what its rules add.");
    }
    list.push_str(&generated(from));
    pages.insert("README.md".to_owned(), list);
    pages
}

/// Rulesets that are whole games: each has a page, of a room that it opens.
pub const RULESETS: [&str; 2] = ["club", "suber"];

/// The page of a ruleset, by the catalogue of a room that it opens.
///
/// # Panics
///
/// Where the catalogue is of another game.
pub fn of_ruleset(catalogue: &Catalogue, name: &str, title: &str, summary: &str) -> String {
    let game = catalogue.group_of("nomic").expect("it is of a nomic");
    let help = format!("{summary} `room open nomic NAME ruleset:{name}` opens it");
    page(catalogue, &Group { title: title.to_owned(), help, ..(**game).clone() }, &format!("rulesets/{name}/rules"))
}

fn file(group: &Group) -> String {
    format!("{}.md", group.id)
}

/// The page that begins with a group and is made from somewhere: of a game all that its rooms have of their own, else the group alone.
fn page(all: &Catalogue, head: &Group, from: &str) -> String {
    let games: Vec<&str> = head.games.iter().map(String::as_str).collect();
    let catalogue = all.for_games(&games);
    let groups: Vec<&Group> = match &games[..] {
        [] => vec![head],
        _ => catalogue.groups().iter().map(|group| &**group).filter(|group| !group.games.is_empty()).collect(),
    };
    let of = |group: &Group| -> Vec<&Command> {
        let all = catalogue.commands().iter().map(|command| &**command);
        all.filter(|command| command.group.id == group.id).collect()
    };
    let mut out = format!("# {}: commands\n\n{}.\n", head.title, head.help);
    if let [game] = games[..] {
        let _ = writeln!(out, "These exist in rooms of the game `{game}` only; [every room](common.md) has more.");
    }
    out.push_str("[How commands are typed](README.md).\n\n**What matters first:**\n\n| typed | does |\n|---|---|\n");
    for first in &head.first {
        let _ = writeln!(out, "| `{}` | {} |", first.line, first.help);
    }
    out.push_str("\n**All of it:**\n\n| about | commands |\n|---|---|\n");
    let groups: Vec<&Group> = groups.into_iter().filter(|group| !of(group).is_empty()).collect();
    for group in &groups {
        let links: Vec<String> = of(group)
            .iter()
            .map(|command| format!("[{}](#{})", command.name, command.name.replace(' ', "-")))
            .collect();
        let _ = writeln!(out, "| {} | {} |", group.title, links.join(", "));
    }
    out.push_str(&generated(from));
    for group in &groups {
        let _ = writeln!(out, "\n## {}\n\n{}.", group.title, group.help);
        of(group).into_iter().for_each(|command| command_section(&mut out, command));
    }
    out
}

fn command_section(out: &mut String, command: &Command) {
    let _ = writeln!(out, "\n### {}\n\n    {}\n\n{}.", command.name, command.usage(), command.help);
    if !command.long.is_empty() {
        let _ = writeln!(out, "{}", command.long);
    }
    let notes = notes(command);
    if !notes.is_empty() {
        let _ = writeln!(out, "{}", notes.join(" "));
    }
    if !command.params.is_empty() {
        out.push('\n');
        for param in &command.params {
            let _ = writeln!(out, "- {}", param_line(param));
        }
    }
    if !command.examples.is_empty() {
        out.push_str("\n```text\n");
        for example in &command.examples {
            let _ = writeln!(out, "{example}");
        }
        out.push_str("```\n");
    }
}

const INTRODUCTION: &str = "\
# Commands

In a channel of IRC a line is typed after a prefix, `!` or the bot's name. In private and in the console it has none.
On Discord a command is a slash command, and its values are options: `vote 3 FOR` is `/vote on:3 vote:for`. What only a
line can say goes into `/type`: several commands, `3 times`. A command is its name and its values, and nothing else. Where
a word is left over, nothing happens, and the answer says which. Capitals, blanks, typographic quotation marks and a full stop at its very end do not matter.

- Values are given by place (`joust match alpha joust3`) or by name (`joust match right:joust3 left:alpha`), in any order
  where their kinds differ. A value of several words stands in quotation marks where it could be read otherwise: `join
  name=\"Ann Lee\"`. What looks like a name and is none is text. What fits in two ways is not done, and both are shown.
- A text goes to the end of the message, line breaks and semicolons included, or to a line `end text`. Everything else
  in the line comes before it; an optional value beside it is given by name (`about:12`) or after its word
  (`against joust3`).
- Behind every act that takes no text may stand a reason: `because` and words up to the end of the line. So it may behind
  `end transaction`. On Discord it is the option `because`. A reason is kept with the act and changes nothing.
- Several commands go in one message, one a line or with `;` between them. They are done in that order, and one that is
  refused does not stop the others. Behind a word that begins no command nothing more is read. `3 times` before a command
  does it three times.
- A text can also be sent line by line. A line `end text` ends it there, too.
- What a law lets somebody speak for acts by the commands of laws: `as Acme: sock buy Blue`, or `as:Acme` behind one.
- A channel speaks to its own room. Another room is named with `@`: `show @main hill`, or `room:main`.
";

/// Where a reader who would change a page finds it.
fn generated(from: &str) -> String {
    format!("\nThis page is generated from `{from}`; change it there.\n")
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, env, fs, path::Path};

    use super::*;

    #[test]
    fn the_documents_list_the_commands_as_they_are() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands");
        let made = pages(Catalogue::all());
        if env::var_os("UPDATE_DOCS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            made.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        }
        let names = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let of_rulesets = RULESETS.map(|name| format!("{name}.md"));
        assert_eq!(names.collect::<BTreeSet<_>>(), made.keys().cloned().chain(of_rulesets).collect());
        for (name, text) in &made {
            let kept = fs::read_to_string(folder.join(name)).unwrap();
            assert!(
                &kept == text,
                "docs/commands/{name} is not what the catalogue makes: run the test again with UPDATE_DOCS=1"
            );
        }
    }

    /// Every command is on a page that people read, under its usage there; of a game on that game's.
    #[test]
    fn the_pages_show_every_usage_and_lead_to_it() {
        let pages = pages(Catalogue::all());
        for command in Catalogue::all().commands() {
            let own = command.games().iter().map(|game| format!("{game}.md"));
            let of: Vec<String> = if command.games().is_empty() { vec![file(&command.group)] } else { own.collect() };
            for page in of {
                let game = page.trim_end_matches(".md");
                let spoken = command.in_words_of(game);
                let shown = format!("\n### {}\n\n    {}\n", command.name, spoken.usage());
                assert!(pages[&page].contains(&shown), "{command} in {page}");
                assert!(
                    pages[&page].contains(&format!("](#{})", command.name.replace(' ', "-"))),
                    "{command} in {page}"
                );
            }
        }
    }

    #[test]
    fn every_page_begins_with_what_matters_first() {
        for (name, text) in pages(Catalogue::all()).iter().filter(|(name, _)| *name != "README.md") {
            let (before, after) = text.split_once("**All of it:**").unwrap();
            assert_eq!(before.lines().filter(|line| line.starts_with("| `")).count(), crate::FIRST_COUNT, "{name}");
            assert!(after.contains("\n## "), "{name}");
        }
    }
}
