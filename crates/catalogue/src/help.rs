//! The help, generated: an overview, a page a group, a page a command.
//!
//! Pages are short enough for a phone: the overview is what matters first, and one line a group. Nothing is written here by hand but the words
//! between the definitions. The caller hands in the catalogue of the room.

use super::{
    Catalogue,
    clean::{folded, quoted, without_stops},
    spec::{Command, First, Group, Param, RoomUse, See},
};
use kernel::{
    Refusal,
    display::{Block, Cell, Document, MARKS},
};

/// Who asks for help: commands that somebody cannot use are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Viewer {
    /// Whether they have a seat in the room.
    pub seated: bool,
    /// Whether they moderate.
    pub moderator: bool,
}

impl Viewer {
    /// Whether a command is shown to them.
    pub fn sees(self, command: &Command) -> bool {
        match command.see {
            See::Everyone => true,
            See::Seated => self.seated || self.moderator,
            See::Moderator => self.moderator,
        }
    }
}

/// The page for a topic: nothing, a group or first word (`joust`), or a command (`joust submit`).
///
/// # Errors
/// When there is no such topic.
pub fn page(catalogue: &Catalogue, topic: &str, viewer: Viewer) -> Result<Document, Refusal> {
    let words: Vec<String> = topic.split_whitespace().map(|word| folded(without_stops(word))).collect();
    let topic = words.join(" ");
    if topic.is_empty() {
        return Ok(overview(catalogue, viewer));
    }
    if let Some(command) = catalogue.get(&topic) {
        return Ok(command_page(command));
    }
    let group = catalogue.groups().iter().find(|group| group.id == topic);
    let listed: Vec<&Command> = match group {
        Some(group) => of_group(catalogue, group, viewer),
        None => catalogue.under(&topic).map(|command| &**command).filter(|command| viewer.sees(command)).collect(),
    };
    // All commands of a nomic of one's own are its rules'.
    let bare = group.filter(|group| catalogue.commands().iter().all(|command| command.group.id != group.id));
    if listed.is_empty() && bare.is_none() {
        let word = quoted(&topic).unwrap_or_else(|| "that".to_owned());
        return Err(Refusal::new(format!("There is no help about {word}.")).instead("help"));
    }
    let (title, help) = match group {
        Some(group) => (group.title.clone(), group.help.clone()),
        None => (topic.clone(), catalogue.heads().get(&topic).cloned().unwrap_or_default()),
    };
    let cell = |command: &Command| Cell::new(format!("{}: {}", command.name, command.help)).completing(&*command.name);
    let cells = match bare {
        Some(bare) => summaries(catalogue, viewer, |group| group.games == bare.games),
        None => listed.into_iter().map(cell).collect(),
    };
    Ok(Document::titled(format!("help/{}", topic.replace(' ', "/")), title)
        .para(format!("{help}."))
        .with(Block::List(cells))
        .para("More about one:")
        .with(Block::command("help COMMAND")))
}

fn of_group<'c>(catalogue: &'c Catalogue, group: &Group, viewer: Viewer) -> Vec<&'c Command> {
    let all = catalogue.commands().iter().map(|command| &**command);
    all.filter(|command| command.group.id == group.id && viewer.sees(command)).collect()
}

/// One line a group: its commands, those of one first word together.
fn summaries(catalogue: &Catalogue, viewer: Viewer, is_told: impl Fn(&Group) -> bool) -> Vec<Cell> {
    let mut cells = Vec::new();
    for group in catalogue.groups().iter().filter(|group| is_told(group)) {
        let commands = of_group(catalogue, group, viewer);
        if commands.is_empty() {
            continue;
        }
        let mut heads: Vec<(&str, Vec<&str>)> = Vec::new();
        for command in commands {
            let (head, second) = command.name.split_once(' ').unwrap_or((&command.name, ""));
            match heads.iter_mut().find(|(known, _)| *known == head) {
                Some((_, seconds)) => seconds.push(second),
                None => heads.push((head, vec![second])),
            }
        }
        let shown: Vec<String> = heads
            .into_iter()
            .map(
                |(head, seconds)| {
                    if seconds == [""] { head.to_owned() } else { format!("{head} {}", seconds.join("|")) }
                },
            )
            .collect();
        cells.push(Cell::new(format!("{}: {}", group.title, shown.join(", "))).completing(&*group.id));
    }
    cells
}

/// What matters first, and all of it.
fn overview(catalogue: &Catalogue, viewer: Viewer) -> Document {
    let first = catalogue.first().iter().map(|First { line, help }| {
        let [open, close] = MARKS;
        Cell::new(format!("{open}{line}{close}: {help}"))
    });
    Document::titled("help", "What you can type")
        .para("What matters first:")
        .with(Block::List(first.collect()))
        .para("All of it:")
        .with(Block::List(summaries(catalogue, viewer, |_| true)))
        .para("Several commands go in one message, one a line or with ; between them. More about one:")
        .with(Block::command("help COMMAND"))
}

fn command_page(command: &Command) -> Document {
    let mut page = Document::titled(format!("help/{}", command.name.replace(' ', "/")), command.help.clone())
        .with(Block::command(command.usage()));
    if !command.long.is_empty() {
        page = page.para(command.long.clone());
    }
    if !command.params.is_empty() {
        page = page.with(Block::List(command.params.iter().map(|param| Cell::new(param_line(param))).collect()));
    }
    if !command.examples.is_empty() {
        page = page.para("For example:").with(Block::command(command.examples.join("\n")));
    }
    let notes = notes(command);
    if notes.is_empty() { page } else { page.para(notes.join(" ")) }
}

pub(super) fn param_line(param: &Param) -> String {
    let mut line = format!("{}: {}", param.name.to_uppercase(), param.help);
    if !param.choices.is_empty() {
        line.push_str(&format!(" ({})", param.choices.join(", ")));
    }
    if !param.required {
        line.push_str(" (optional)");
    }
    line
}

pub(super) fn notes(command: &Command) -> Vec<String> {
    let mut notes = Vec::new();
    if !command.aliases.is_empty() {
        notes.push(format!("Also: {}.", command.aliases.join(", ")));
    }
    if command.private {
        notes.push("Only you see the answer.".to_owned());
    }
    match command.see {
        See::Everyone => {}
        See::Seated => notes.push("For those who have a seat.".to_owned()),
        See::Moderator => notes.push("For moderators.".to_owned()),
    }
    if command.room == RoomUse::None {
        notes.push("Concerns no room.".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint;
    use kernel::display::plain;

    fn text(topic: &str, viewer: Viewer) -> String {
        text_for("joust", topic, viewer)
    }

    fn text_for(game: &str, topic: &str, viewer: Viewer) -> String {
        shown(&Catalogue::all().for_games(&[game]), topic, viewer, hint::Form::Line)
    }

    fn shown(catalogue: &Catalogue, topic: &str, viewer: Viewer, form: hint::Form<'_>) -> String {
        let mut page = page(catalogue, topic, viewer).unwrap();
        hint::refer(&mut page, |line| hint::reference(catalogue, line));
        plain(&hint::written(&page, form))
    }

    const PLAYER: Viewer = Viewer { seated: true, moderator: false };
    const MODERATOR: Viewer = Viewer { seated: true, moderator: true };

    #[test]
    fn pages_read_well() {
        insta::assert_snapshot!("overview", text("", Viewer::default()));
        insta::assert_snapshot!("overview_for_a_moderator", text("", MODERATOR));
        insta::assert_snapshot!("joust", text("Joust", PLAYER));
        insta::assert_snapshot!("joust_submit", text("joust  submit", Viewer::default()));
        insta::assert_snapshot!("ban", text("ban", MODERATOR));
    }

    #[test]
    fn the_help_begins_with_what_matters_first_on_every_front_end() {
        let forms = [hint::Form::Line, hint::Form::Prefixed("!"), hint::Form::Options];
        let all = Catalogue::all();
        let places = all.games().into_iter().map(|game| (all.for_games(&[game]), game));
        // Where nothing is played, and where several games are, what matters in every room stands first.
        for (place, file) in places.chain([(all.for_games(&[]), "common"), (all.clone(), "common")]) {
            let first = &all.group_of(file).unwrap().first;
            for form in forms {
                let told = shown(&place, "", MODERATOR, form);
                assert!(told.len() <= GROUP_PAGE_MAX_BYTES || place == *all, "{file} {form:?}: {} bytes", told.len());
                let lines: Vec<&str> = told.lines().skip_while(|line| *line != "What matters first:").skip(1).collect();
                let told = |first: &First| {
                    let line = hint::reference(&place, &first.line).expect("it is a command");
                    format!("- {}: {}", hint::told_of(&line, form), first.help)
                };
                assert_eq!(lines[..first.len()], first.iter().map(told).collect::<Vec<_>>(), "{file} {form:?}");
            }
        }
    }

    #[test]
    fn what_somebody_cannot_use_is_left_out() {
        assert!(!text("", Viewer::default()).contains("terminate"));
        assert!(text("", PLAYER).contains("terminate"));
        assert!(!text("", PLAYER).contains("ban"));
        assert!(page(Catalogue::all(), "moderator", PLAYER).is_err());
        assert!(page(&Catalogue::all().for_games(&[]), "joust submit", MODERATOR).is_err());
        assert_eq!(page(Catalogue::all(), ">+[-]", PLAYER).unwrap_err().say, "There is no help about that.");
    }

    #[test]
    fn every_page_fits_a_phone() {
        for command in Catalogue::all().commands() {
            let game = command.games().first().map_or("joust", String::as_str);
            let page = text_for(game, &command.name, MODERATOR);
            assert!(page.len() <= PAGE_MAX_BYTES, "{}: {} bytes", command.name, page.len());
        }
        for game in Catalogue::all().games() {
            for topic in ["", game, "common", "moderator"] {
                assert!(text_for(game, topic, MODERATOR).len() <= GROUP_PAGE_MAX_BYTES, "{game} {topic}");
            }
        }
    }

    /// Two screens of a phone, and one message on Discord.
    const PAGE_MAX_BYTES: usize = 1500;

    /// One message on Discord.
    const GROUP_PAGE_MAX_BYTES: usize = 2000;
}
