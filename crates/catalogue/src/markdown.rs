//! `docs/commands.md`, generated: every command with its parameters and examples.
//!
//! A test compares the file with what this makes, and writes it anew with `UPDATE_DOCS=1`.

use std::fmt::Write;

use super::{
    Catalogue,
    help::{notes, param_line},
    spec::Command,
};

/// The whole list as Markdown.
pub fn markdown(catalogue: &Catalogue) -> String {
    let mut out = String::from(INTRODUCTION);
    for group in catalogue.groups() {
        let _ = writeln!(out, "\n## {}\n\n{}.", group.title, group.help);
        if !group.games.is_empty() {
            let games: Vec<String> = group.games.iter().map(|game| format!("`{game}`")).collect();
            let word = if games.len() == 1 { "game" } else { "games" };
            let _ = writeln!(out, "These exist in rooms of the {word} {} only.", games.join(", "));
        }
        for command in catalogue.commands().iter().filter(|command| command.group.id == group.id) {
            command_section(&mut out, command);
        }
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

This page is generated from `commands/*.toml`; change it there.

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

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use super::*;

    #[test]
    fn the_document_lists_the_commands_as_they_are() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
        let made = markdown(Catalogue::all());
        if env::var_os("UPDATE_DOCS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &made).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == made,
            "docs/commands.md is not what the catalogue makes: run the test again with UPDATE_DOCS=1"
        );
    }

    /// Every command is in the list that people read, under its usage.
    #[test]
    fn the_document_shows_every_usage() {
        let shown = markdown(Catalogue::all());
        for command in Catalogue::all().commands() {
            assert!(shown.contains(&format!("    {}\n", command.usage())), "{command}");
        }
    }
}
