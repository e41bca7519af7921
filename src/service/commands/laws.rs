//! The beginning of a law, for who writes one for the first time: three questions, and a text to be filled in.
//!
//! It can be pasted into a proposal as it stands, and does something small until it is filled in.

use kernel::{
    Refusal,
    display::{Block, Cell, Document, Offer},
    engine::View,
    own_command::{clash, is_taken},
};

/// What is known of a law that somebody wants.
pub(super) struct Wanted {
    /// What it is to be: a command, a follower, a bar, a moment, a display.
    pub(super) what: Option<String>,
    /// The name of that, or the act or moment that it is about.
    pub(super) about: Option<String>,
    /// The key of a number of its rule.
    pub(super) figure: Option<String>,
    /// What players have that it changes, or reads where it changes nothing.
    pub(super) changes: Option<String>,
}

/// What it may be, in words; what is asked of each next, and what may be answered.
const KINDS: &[(&str, &str, &str, &[&str])] = &[
    ("command", "A command", "What do players type for it? One or two words of small letters.", &["sock buy"]),
    ("follower", "What follows an act", "Which act or event does it follow?", &["vote", "join", "pass"]),
    ("bar", "A bar on an act", "Which act is not done by everybody?", &["vote", "propose"]),
    ("moment", "What happens at a time", "At which time?", &["start of day", "end of week"]),
    ("display", "A page", "What do players type behind “show”? One word of small letters.", &["socks"]),
];

/// The next question, or the beginning of a law where what it is and is about are known.
///
/// # Errors
///
/// Where it is to be what no law is.
pub(super) fn new(wanted: &Wanted, view: Option<&dyn View>) -> Result<Document, Refusal> {
    let page = Document::titled("law/new", "A law to begin with");
    let Some(what) = &wanted.what else {
        let lines = KINDS.iter().map(|(what, told, ..)| (*told, format!("law new {what}")));
        return Ok(asking(page.para("What is it to be?"), lines.collect(), view));
    };
    let known = KINDS.iter().find(|(kind, ..)| kind == what);
    let Some((_, _, asked, such)) = known else {
        return Err(Refusal::new(format!("a law is no “{what}”")).instead("law new"));
    };
    let Some(about) = &wanted.about else {
        let lines = such.iter().map(|about| (*about, format!("law new {what} \"{about}\"")));
        return Ok(asking(page.para(format!("{asked} For example:")), lines.collect(), view));
    };
    let about = about.trim().to_lowercase().replace(['"', '`', '\\', '\n'], "");
    if let Some(view) = view.filter(|_| what == "command") {
        let has = |other: &str| clash(other, &about);
        if is_taken(view.game(), &about) || view.commands().iter().any(|own| has(&own.name)) {
            let why = format!("there is a command “{about}” already: nobody could reach one more");
            return Err(Refusal::new(why).instead("law new command NAME"));
        }
    }
    let mut page = page
        .para("Fill it in, try it by “⁅law check⁆”, and post it as a proposal:")
        .with(Block::Code { lang: String::new(), text: skeleton(what, &about, wanted) });
    if wanted.figure.is_none() {
        let line = format!("law new {what} \"{about}\" sock-price power");
        let asked = "Which number is there in its rule, and what do players have that it changes? Both may be said:";
        page = page.para(format!("{asked} ⁅{line}⁆"));
    }
    Ok(page)
}

/// A question with some answers: buttons, or lines to send.
fn asking(page: Document, lines: Vec<(&str, String)>, view: Option<&dyn View>) -> Document {
    let cells = lines.iter().map(|(told, line)| Cell::new(format!("{told}: ⁅{line}⁆"))).collect();
    let mut page = page.with(Block::List(cells));
    if let Some(seq) = view.map(View::seq) {
        page.offers = lines.into_iter().map(|(told, line)| Offer::new(told, line, seq)).collect();
        page.offers_told = true;
    }
    page
}

/// The beginning of a law that adds, follows, bars or shows something, perhaps with a figure of its rule.
fn skeleton(what: &str, about: &str, wanted: &Wanted) -> String {
    let key = |is: &Option<String>| {
        let is = is.as_ref()?.replace(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ' '), "");
        Some(is).filter(|is| !is.is_empty())
    };
    let (figure, changes) = (key(&wanted.figure), key(&wanted.changes));
    let read = figure.as_ref().map_or_else(String::new, |key| format!("    let amount = number(\"{key}\");\n"));
    let amount = if figure.is_some() { "amount" } else { "1" };
    let shown = if figure.is_some() { " (${amount})" } else { "" };
    // What has no name of one word is written between brackets.
    let of = |who: &str| {
        let changes = changes.as_ref()?;
        let is_word = changes.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        Some(if is_word { format!("{who}.{changes}") } else { format!("{who}[\"{changes}\"]") })
    };
    let changed = |how: &str| of("a.by").map_or_else(String::new, |its| format!("    {its} {how} {amount};\n"));
    let script = match what {
        "command" => format!(
            "action(\"{about}\", #{{help: \"Say here what it does\"}}, [\"whom: a player\"], |a| {{\n{read}{}    say(`${{a.by}} does it to ${{a.whom}}{shown}`);\n}});",
            changed("-=")
        ),
        "follower" => {
            format!("after(\"{about}\", |a| {{\n{read}{}    say(`${{a.by}} did it{shown}`);\n}});", changed("+="))
        }
        "bar" => {
            let when = of("a.by").map_or_else(|| "false".to_owned(), |its| format!("{its} < {amount}"));
            format!("forbid(\"{about}\", |a| {{\n{read}    {when}\n}}, \"say here why not\");")
        }
        "moment" => {
            let all = of("one").map_or_else(String::new, |its| {
                format!("    for one in players() {{\n        {its} += {amount};\n    }}\n")
            });
            format!("at(\"{about}\", || {{\n{read}{all}    say(`It is time{shown}`);\n}});")
        }
        _ => {
            let column = changes.as_ref().map_or_else(String::new, |changes| format!(", \"{changes}\""));
            let some = of("one").filter(|_| figure.is_some());
            let some = some.map_or_else(String::new, |its| format!(".filter(|one| {its} >= {amount})"));
            format!(
                "display(\"{about}\", \"Its title\", |me| {{\n{read}    table(players(){some}, [\"name\"{column}])\n}});"
            )
        }
    };
    let marked = figure.as_ref().map_or_else(String::new, |key| format!(" The amount is [1](#{key})."));
    format!(
        "=> create rule \"Its title\":\n~~~~\nSay here in words what the law does.{marked}\n\n```law\n{script}\n```\n~~~~"
    )
}
