//! Completion of a line that is being typed: one function, [`complete`], for every front end.
//!
//! A form with a field for each value names the parameter that it asks for; a line is read as far as needed. Whether
//! the line means anything, the grammar and the room say.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Catalogue, Viewer,
    bind::{COMPLETION_MAX_ITEMS, values},
    clean::folded,
    grammar::{is_bare, quote},
    lookup::Lookup,
    spec::{Command, Kind, Param, ROOM_DISPLAY, ROOM_KEY, RoomUse},
};
use kernel::display::Cell;

/// Something that is being typed.
#[derive(Clone, Debug)]
pub struct Sought {
    /// Where in the line the text begins that a completion takes the place of, in bytes.
    pub start: usize,
    /// The room that was named, if one was.
    pub room: Option<String>,
    begun: String,
    what: What,
    line: bool,
}

/// What it could be.
#[derive(Clone, Debug)]
enum What {
    /// The name of a command: the first words that there are, and the names behind a first word.
    Name(Vec<Cell>),
    /// A value of a command, or the name of a parameter that stands before one.
    Value { command: Arc<Command>, param: Option<Box<Param>>, names: Vec<Cell>, usage: String },
    /// Nothing that anybody could guess.
    Text,
}

/// A word of a line, and where it begins.
struct Word {
    start: usize,
    text: String,
}

impl Sought {
    /// A value in a field of its own. Every command that concerns rooms takes one, under a name that no parameter has.
    pub fn value(command: &Arc<Command>, param: &str, begun: &str) -> Self {
        let param = Some(Box::new(command.param(param).cloned().unwrap_or_else(room)));
        let what = What::Value { command: command.clone(), param, names: Vec::new(), usage: String::new() };
        Self { start: 0, room: None, begun: begun.to_owned(), what, line: false }
    }

    /// The end of a line, as far as it is typed. Commands that the viewer does not find in the help are left out.
    pub fn in_line(catalogue: &Catalogue, viewer: Viewer, line: &str) -> Self {
        let (mut words, last) = words(line);
        let text = |start| Self { start, room: None, begun: String::new(), what: What::Text, line: true };
        let Some(last) = last else { return text(line.len()) };
        let typed = |words: &[Word]| words.iter().map(|word| folded(&word.text)).collect::<Vec<_>>().join(" ");
        let two = words.get(..2).and_then(|two| catalogue.get(&typed(two)));
        let found = two.map(|command| (command, 2));
        let found = found.or_else(|| Some((catalogue.get(&typed(words.get(..1)?))?, 1)));
        let behind = match words.as_slice() {
            [] => names(catalogue, viewer, None),
            [head] => names(catalogue, viewer, Some(&folded(&head.text))),
            _ => Vec::new(),
        };
        let begun = folded(&last.text);
        let named = behind.iter().any(|cell| cell.completes.as_deref().is_some_and(|name| begins(name, &begun)));
        match found {
            Some((command, count)) if !(named && count == 1 && !begun.is_empty()) => {
                let command = command.clone();
                words.drain(..count);
                Self::in_values(&command, &words, last)
            }
            _ if !behind.is_empty() => {
                Self { start: last.start, room: None, begun: last.text, what: What::Name(behind), line: true }
            }
            _ => text(last.start),
        }
    }

    /// A word behind a command, where these stand before it.
    fn in_values(command: &Arc<Command>, words: &[Word], last: Word) -> Self {
        let mut given = BTreeSet::new();
        let (mut room_named, mut pending): (Option<String>, Option<&Param>) = (None, None);
        let mut at = 0;
        while at < words.len() {
            let text = &words[at].text;
            at += 1;
            if let Some(param) = pending.take() {
                given.insert(param.name.clone());
            } else if let Some(name) = text.strip_prefix('@') {
                room_named = Some(name.to_owned());
            } else if let Some((key, value)) = keyed(command, text) {
                match (key, value) {
                    (Some(param), "") => pending = Some(param),
                    (Some(param), _) => _ = given.insert(param.name.clone()),
                    (None, value) => room_named = Some(value.to_owned()),
                }
            } else if let Some((param, count)) = marked(command, &words[at - 1..]) {
                at += count - 1;
                pending = Some(param);
            } else if let Some(param) = next(command, &given)
                && !param.is_greedy()
            {
                given.insert(param.name.clone());
            }
        }
        let of = |start: usize, begun: &str, param: Option<Param>, names, given: &BTreeSet<String>| {
            let usage = usage(command, given, param.as_ref().filter(|_| !begun.is_empty()));
            let what = What::Value { command: command.clone(), param: param.map(Box::new), names, usage };
            Self { start, room: room_named.clone(), begun: begun.to_owned(), what, line: true }
        };
        if let Some(param) = pending {
            return of(last.start, &last.text, Some(param.clone()), Vec::new(), &given);
        }
        if let Some(begun) = last.text.strip_prefix('@').filter(|_| command.room != RoomUse::None) {
            return of(last.start + 1, begun, Some(room()), Vec::new(), &given);
        }
        if let Some((param, value)) = keyed(command, &last.text) {
            let param = param.cloned().unwrap_or_else(room);
            let start = last.start + last.text.len() - value.len();
            return of(start, value, Some(param), Vec::new(), &given);
        }
        let keys = command.params.iter().filter(|param| !given.contains(&param.name));
        let mut keys: Vec<Cell> =
            keys.map(|param| Cell::new(&*param.help).completing(format!("{}:", param.name))).collect();
        if command.room != RoomUse::None && room_named.is_none() {
            keys.push(Cell::new("The room that it is about").completing(format!("{ROOM_KEY}:")));
        }
        of(last.start, &last.text, next(command, &given).cloned(), keys, &given)
    }

    /// The command whose value it is; none where it is the name of one, or a text.
    pub fn command(&self) -> Option<&Arc<Command>> {
        match &self.what {
            What::Value { command, .. } => Some(command),
            What::Name(_) | What::Text => None,
        }
    }

    /// What the command still takes, as its usage line shows it; empty where that is not known.
    pub fn usage(&self) -> &str {
        match &self.what {
            What::Value { usage, .. } => usage,
            What::Name(_) | What::Text => "",
        }
    }
}

/// What completes something that is being typed, best first, at most [`COMPLETION_MAX_ITEMS`]. Every cell that comes back
/// has [`Cell::completes`]: in a line, it is in quotation marks where it has to be.
pub fn complete(sought: &Sought, lookup: &dyn Lookup) -> Vec<Cell> {
    let begun = folded(&sought.begun);
    let begin = |cells: &[Cell]| {
        let begin = |cell: &&Cell| cell.completes.as_deref().is_some_and(|name| begins(name, &begun));
        cells.iter().filter(begin).cloned().collect::<Vec<_>>()
    };
    let mut cells = match &sought.what {
        What::Text => Vec::new(),
        What::Name(names) => begin(names),
        What::Value { param, names, .. } => {
            let mut cells = param.as_ref().map(|param| values(param, &sought.begun, lookup)).unwrap_or_default();
            for cell in cells.iter_mut().filter(|_| sought.line) {
                cell.completes = cell.completes.take().map(|value| if stands(&value) { value } else { quote(&value) });
            }
            // A value is what most people want; a name is offered where it is asked for.
            if cells.is_empty() || !begun.is_empty() {
                cells.extend(begin(names));
            }
            cells
        }
    };
    cells.truncate(COMPLETION_MAX_ITEMS);
    cells
}

/// Whether a value can stand in a line as it is.
fn stands(value: &str) -> bool {
    is_bare(value) || value.chars().all(|sign| sign.is_alphanumeric() || "-_/#.+".contains(sign))
}

fn begins(name: &str, begun: &str) -> bool {
    folded(name).starts_with(begun)
}

/// The words of the command that is being typed at the end of a line. With them comes the word that the line ends in,
/// which may be empty. There is none within quotation marks, for what stands there is anybody's.
fn words(line: &str) -> (Vec<Word>, Option<Word>) {
    let (mut words, mut quoted) = (Vec::new(), false);
    let mut word: Option<Word> = None;
    for (at, sign) in line.char_indices() {
        match sign {
            '"' => quoted = !quoted,
            ';' | '\n' if !quoted => {
                words.clear();
                word = None;
                continue;
            }
            sign if sign.is_whitespace() && !quoted => {
                words.extend(word.take());
                continue;
            }
            _ => {}
        }
        // A prefix, as networks need one, is no part of the name.
        let prefix = word.is_none() && words.is_empty() && matches!(sign, '/' | '!');
        if !prefix {
            word.get_or_insert(Word { start: at, text: String::new() }).text.push(sign);
        }
    }
    let last = word.unwrap_or(Word { start: line.len(), text: String::new() });
    (words, (!quoted).then_some(last))
}

/// The names that begin a line: first words, each once; or those behind one.
fn names(catalogue: &Catalogue, viewer: Viewer, head: Option<&str>) -> Vec<Cell> {
    let mut seen = BTreeSet::new();
    let commands = catalogue.commands().iter().filter(|command| viewer.sees(command));
    let named = commands.flat_map(|command| {
        let names = std::iter::once(&command.name).chain(&command.aliases);
        names.map(move |name| (name.as_str(), command))
    });
    let cells = named.filter_map(|(name, command)| match (head, name.split_once(' ')) {
        (None, None) => Some(Cell::new(&*command.help).completing(name)),
        (None, Some((first, _))) => {
            let help = catalogue.heads().get(first).map_or("", String::as_str);
            Some(Cell::new(help).completing(first))
        }
        (Some(head), Some((first, second))) if first == head => Some(Cell::new(&*command.help).completing(second)),
        _ => None,
    });
    cells.filter(|cell| seen.insert(cell.completes.clone())).collect()
}

/// A value under its name, `room` for none; nothing where no name of the command stands there.
fn keyed<'c, 't>(command: &'c Command, text: &'t str) -> Option<(Option<&'c Param>, &'t str)> {
    let (key, value) = text.split_once([':', '='])?;
    let key = folded(key);
    match command.param(&key) {
        None if key == ROOM_KEY && command.room != RoomUse::None => Some((None, value)),
        None => None,
        param => Some((param, value)),
    }
}

/// The parameter before whose value these words stand, and how many words that are.
fn marked<'c>(command: &'c Command, words: &[Word]) -> Option<(&'c Param, usize)> {
    command.params.iter().find_map(|param| {
        let marker: Vec<&str> = param.marker.as_deref()?.split(' ').collect();
        let said = words.get(..marker.len())?;
        said.iter().zip(&marker).all(|(word, marker)| folded(&word.text) == *marker).then_some((param, marker.len()))
    })
}

/// The parameter whose place comes next.
fn next<'c>(command: &'c Command, given: &BTreeSet<String>) -> Option<&'c Param> {
    command.places().find(|param| param.marker.is_none() && !given.contains(&param.name))
}

/// What is still to be typed, beside a value that has been begun.
fn usage(command: &Command, given: &BTreeSet<String>, begun: Option<&Param>) -> String {
    let left = command.params.iter().filter(|param| !given.contains(&param.name));
    let left = left.filter(|param| begun.is_none_or(|begun| begun.name != param.name));
    let (greedy, plain): (Vec<&Param>, Vec<&Param>) = left.partition(|param| param.is_greedy());
    let shown: Vec<String> = plain.into_iter().chain(greedy).map(Param::usage).collect();
    shown.join(" ")
}

/// The room that a command is about, as a parameter.
fn room() -> Param {
    Param::completed(ROOM_KEY, Kind::Room, ROOM_DISPLAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Refusal;

    /// A room with two programs, one of them with a name that has to be quoted.
    struct Room;

    impl Lookup for Room {
        fn candidates(&self, display: &str) -> Vec<Cell> {
            let names: &[&str] = match display {
                "programs" | "yours" => &["Alpha", "Alpine Rose", "Beta"],
                "rooms" => &["main", "second"],
                _ => &[],
            };
            names.iter().map(|name| Cell::named(*name)).collect()
        }

        fn resolve(&self, _: Kind, text: &str) -> Result<serde_json::Value, Refusal> {
            Ok(text.into())
        }
    }

    fn completed(line: &str) -> Vec<String> {
        let sought = Sought::in_line(Catalogue::all(), Viewer { seated: true, moderator: true }, line);
        let cells = complete(&sought, &Room);
        cells.into_iter().map(|cell| format!("{}{}", &line[..sought.start], cell.completes.unwrap())).collect()
    }

    fn left(line: &str) -> String {
        Sought::in_line(Catalogue::all(), Viewer::default(), line).usage().to_owned()
    }

    #[test]
    fn names_of_commands_come_a_word_at_a_time() {
        assert!(completed("jou").contains(&"joust".to_owned()));
        assert_eq!(completed("jou").iter().filter(|line| *line == "joust").count(), 1);
        assert_eq!(completed("/joust sub"), ["/joust submit"]);
        assert_eq!(completed("hill; joust sub"), ["hill; joust submit"]);
        assert!(completed("").len() > 10);
        assert!(completed("zzqx").is_empty() && completed("zzqx a").is_empty());
        let seen = |viewer, line| complete(&Sought::in_line(Catalogue::all(), viewer, line), &Room).len();
        assert!(seen(Viewer::default(), "room ") < seen(Viewer { seated: false, moderator: true }, "room "));
    }

    #[test]
    fn values_are_completed_where_they_stand() {
        assert_eq!(completed("joust match al"), ["joust match Alpha", "joust match \"Alpine Rose\""]);
        assert_eq!(completed("joust match Alpha be"), ["joust match Alpha Beta"]);
        assert_eq!(completed("joust match \"Alpine Rose\" be"), ["joust match \"Alpine Rose\" Beta"]);
        assert_eq!(completed("joust match left:be"), ["joust match left:Beta"]);
        assert_eq!(completed("joust match left: be"), ["joust match left: Beta"]);
        assert_eq!(completed("joust hill @m"), ["joust hill @main"]);
        assert_eq!(completed("joust hill room:se"), ["joust hill room:second"]);
        assert_eq!(completed("joust match le"), ["joust match left:"], "the name of a parameter");
        assert_eq!(completed("joust submit Alpha >+"), Vec::<String>::new(), "a program is nobody's to guess");
        assert_eq!(completed("say \"joust ma"), Vec::<String>::new());
    }

    #[test]
    fn what_is_left_to_type_is_known() {
        assert_eq!(left("joust submit "), "NAME CODE");
        assert_eq!(left("joust submit Alpha "), "CODE");
        assert_eq!(left("joust submit name:Alpha "), "CODE");
        assert_eq!(left("joust submit Al"), "CODE");
        assert_eq!(left("joust"), "");
    }

    #[test]
    fn a_field_of_its_own_gets_the_bare_value() {
        let command = Catalogue::all().get("joust match").unwrap();
        let values = |param: &str, begun: &str| {
            let cells = complete(&Sought::value(command, param, begun), &Room);
            cells.into_iter().filter_map(|cell| cell.completes).collect::<Vec<_>>()
        };
        assert_eq!(values("left", "alpi"), ["Alpine Rose"]);
        assert_eq!(values("room", "m"), ["main"]);
    }
}
