//! The beginning of a law, for who writes one for the first time.
//!
//! It can be pasted into a proposal as it stands, and does something small until it is filled in.

use kernel::display::{Block, Document};

/// The beginning of a law that adds, follows, bars or shows something, perhaps with a figure of its rule.
pub(super) fn skeleton(what: &str, about: &str, figure: Option<&str>) -> Document {
    let about = about.trim().to_lowercase().replace(['"', '`', '\\', '\n'], "");
    let figure = figure.map(|key| key.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', ""));
    let read = figure.as_ref().map_or_else(String::new, |key| format!("    let amount = number(\"{key}\");\n"));
    let shown = if figure.is_some() { " (${amount})" } else { "" };
    let script = match what {
        "command" => format!(
            "action(\"{about}\", #{{help: \"Say here what it does\"}}, [\"whom: a player\"], |a| {{\n{read}    say(`${{a.by}} does it to ${{a.whom}}{shown}`);\n}});"
        ),
        "follower" => {
            format!("after(\"{about}\", |a| {{\n{read}    say(`${{a.by}} did it{shown}`);\n}});")
        }
        "bar" => format!("forbid(\"{about}\", |a| {{\n{read}    false\n}}, \"say here why not\");"),
        "moment" => format!("at(\"{about}\", || {{\n{read}    say(`it is time{shown}`);\n}});"),
        _ => format!("display(\"{about}\", \"Its title\", |me| {{\n{read}    table(players(), [\"name\"])\n}});"),
    };
    let marked = figure.as_ref().map_or_else(String::new, |key| format!(" The amount is [1](#{key})."));
    let rule = format!(
        "=> create rule \"Its title\":\n~~~~\nSay here in words what the law does.{marked}\n\n```law\n{script}\n```\n~~~~"
    );
    Document::titled("law/new", "A law to begin with")
        .para("Fill it in, try it by “⁅law check⁆”, and post it as a proposal:")
        .with(Block::Code { lang: String::new(), text: rule })
}
