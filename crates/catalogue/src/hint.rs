//! Hints: what a document tells its reader to do, read as commands and written as they are typed where it is read.
//!
//! A document holds each as a line of its author: behind a paragraph ([`Block::command`]), in a sentence between marks
//! ([`MARKS`](kernel::display::MARKS)), or as an offer. The service reads these lines by the commands of the room
//! ([`refer`]). Who shows the document writes them out ([`written`]): a bare line, a line behind a prefix, or a command
//! with its options. Text that is no command, such as a directive, stands everywhere as it is.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use super::{BECAUSE, Catalogue, Command, Problem, ROOM_KEY, Typed, grammar::split, parse, spec::Param, typed::accept};
use kernel::{
    Refusal,
    display::{Block, Document, Open, Reference, Told},
};
use port::Called;

/// The command for several lines at once, where commands have options.
pub const ACT: &str = "type";

/// Its option for the lines.
pub const ACT_LINES: &str = "lines";

/// What stands in a line for any name that its reader puts in.
const NAME: &str = "NAME";

/// How commands are typed at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'f> {
    /// As lines.
    Line,
    /// As lines behind a prefix: `!vote 3 FOR`.
    Prefixed(&'f str),
    /// By their names and those of their options: `/vote on:3 vote:FOR`.
    Options,
}

/// A refusal as the player reads it: what was wrong, which rule says so, what to type instead.
pub fn refused(refusal: &Refusal) -> Document {
    let mut text = sentence(&refusal.say);
    if let Some(rule) = &refusal.rule {
        text.push_str(&format!(" ({rule})"));
    }
    match &refusal.instead {
        Some(instead) => Document::say(text + " Type:").with(Block::command(instead)),
        None => Document::say(text),
    }
}

/// A sentence that begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let mut out: String = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    out.push_str(chars.as_str());
    if !out.ends_with(['.', '!', '?', '…']) {
        out.push('.');
    }
    out
}

// ---- reading

/// Reads all that a document tells its reader to do, as far as it was not read before.
pub fn refer(document: &mut Document, read: impl Fn(&str) -> Option<Reference>) {
    for line in document.told_lines() {
        if !document.references.contains_key(&line)
            && let Some(reference) = read(&line)
        {
            document.references.insert(line, reference);
        }
    }
}

/// What a line is among some commands; nothing where it is none. What it has in the place of a value is open.
pub fn reference(catalogue: &Catalogue, line: &str) -> Option<Reference> {
    reference_in(catalogue, line, |_| true)
}

/// The same where a room says which of several ways to read a line is meant.
pub fn reference_in(catalogue: &Catalogue, line: &str, is_meant: impl Fn(&Typed) -> bool) -> Option<Reference> {
    let (before, rest) = room_before(line);
    let mut read = match read(catalogue, rest)? {
        Read::Typed(typed) if typed.others.is_empty() => given(typed),
        Read::Typed(typed) => {
            let meant = typed.readings().find(is_meant);
            given(meant.unwrap_or(typed))
        }
        Read::Usage(command) => usage(&command, rest),
        Read::Several => several(rest),
    };
    read.room = before.or(read.room.take());
    if read.room.take_if(|room| room == NAME).is_some() {
        read.open.push(Open { param: ROOM_KEY.to_owned(), shown: NAME.to_owned(), required: true });
    }
    Some(Reference { line: rest.to_owned(), ..read })
}

/// The room that a line begins with, and what stands behind it.
pub fn room_before(line: &str) -> (Option<String>, &str) {
    let Some(behind) = line.strip_prefix('@') else { return (None, line) };
    let (name, rest) = match behind.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => behind.split_once(' ').unwrap_or((behind, "")),
    };
    (Some(name.to_owned()), rest.trim_start())
}

/// A command with its values, of which those are open that are the names of values.
fn given(typed: Typed) -> Reference {
    let Typed { command, args, room, reason, .. } = typed;
    let is_open = |param: &Param, value: &str| {
        let stands_for_one = value == param.placeholder() || value == param.name.to_uppercase();
        value == NAME || (stands_for_one && !param.choices.iter().any(|choice| choice == value))
    };
    let (mut given, mut left) = (Vec::new(), Vec::new());
    for param in &command.params {
        match args.get(&param.name) {
            // Whoever wrote the line wants it.
            Some(value) if is_open(param, value) => left.push(open(param, true)),
            Some(value) => given.push((param.name.clone(), value.clone())),
            None => {}
        }
    }
    let name = command.name.clone();
    Reference { name, args: given, open: left, room, because: reason, ..Reference::default() }
}

/// A command that lacks values: what the line gives of them by name, and the others open.
fn usage(command: &Arc<Command>, line: &str) -> Reference {
    let mut args = BTreeMap::new();
    for word in split(line) {
        let Some((name, value)) = word.split_once([':', '=']) else { continue };
        let Some(param) = command.param(name).filter(|param| value != param.placeholder()) else { continue };
        if let Ok(value) = accept(command, param, value) {
            args.insert(param.name.clone(), value);
        }
    }
    let left = command.params.iter().filter(|param| !args.contains_key(&param.name) && !param.named);
    let open = left.map(|param| open(param, command.demands(param, &args))).collect();
    Reference { name: command.name.clone(), args: in_order(command, &args), open, ..Reference::default() }
}

/// Values in the order of the usage line.
fn in_order(command: &Command, args: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let given = |param: &Param| Some((param.name.clone(), args.get(&param.name)?.clone()));
    command.params.iter().filter_map(given).collect()
}

fn open(param: &Param, required: bool) -> Open {
    Open { param: param.name.clone(), shown: param.placeholder(), required }
}

/// What only lines can say.
fn several(line: &str) -> Reference {
    let args = vec![(ACT_LINES.to_owned(), line.to_owned())];
    Reference { name: ACT.to_owned(), args, ..Reference::default() }
}

/// What a line of the catalogue is.
enum Read {
    /// A command with its values.
    Typed(Typed),
    /// A command, and names in the place of what the reader has to put in.
    Usage(Arc<Command>),
    /// Something that only lines can say.
    Several,
}

fn read(catalogue: &Catalogue, line: &str) -> Option<Read> {
    let begins = catalogue.commands().iter().filter(|command| line.starts_with(&command.name));
    if let Some(command) = begins.filter(|command| !command.params.is_empty()).find(|command| command.usage() == line) {
        return Some(Read::Usage(command.clone()));
    }
    let mut read = parse(catalogue, line, 1);
    // What begins with no command is none.
    if matches!(&read[..], [Err(error)] if matches!(error.problem, Problem::Unknown { .. })) {
        return None;
    }
    match (read.len(), read.pop()?) {
        (1, Ok(typed)) if typed.times.is_once() => Some(Read::Typed(typed)),
        (1, Err(error)) => error.command.map(Read::Usage),
        (1, Ok(_)) => Some(Read::Several),
        (_, last) => (last.is_ok() || read.iter().any(Result::is_ok)).then_some(Read::Several),
    }
}

// ---- writing

/// A reference as a command with the values that it has.
pub fn called(reference: &Reference) -> Called {
    let Reference { name, args, room, because, .. } = reference.clone();
    Called { name, args: args.into_iter().collect(), room, because, offered: None }
}

/// A line of a document as it is typed at a place, and what is said beside it.
pub fn told(document: &Document, line: &str, form: Form<'_>) -> Told {
    let Some(reference) = document.references.get(line) else { return (line.to_owned(), String::new()) };
    let beside = reference.said_in.as_ref().map_or_else(String::new, |channel| format!(" (in {channel})"));
    (told_of(reference, form), beside)
}

/// The same as one text.
fn whole(document: &Document, line: &str, form: Form<'_>) -> String {
    let (typed, beside) = told(document, line, form);
    format!("{typed}{beside}")
}

/// A reference as it is typed at a place.
pub fn told_of(reference: &Reference, form: Form<'_>) -> String {
    match form {
        Form::Line => reference.typed().into_owned(),
        Form::Prefixed(prefix) => format!("{prefix}{}", reference.typed()),
        Form::Options => options(reference),
    }
}

/// A document with the command lines of its sentences as they are typed at a place.
pub fn spelled<'d>(document: &'d Document, form: Form<'_>) -> Cow<'d, Document> {
    document.typing(|line| told(document, line, form))
}

/// A document with its hints and offers written out, for what shows lines of text.
#[must_use]
pub fn written(document: &Document, form: Form<'_>) -> Document {
    let mut out = Document { blocks: Vec::new(), ..document.clone() };
    for block in &spelled(document, form).blocks {
        let Some(lines) = block.commands() else {
            out.blocks.push(block.clone());
            continue;
        };
        let told: Vec<String> = lines.lines().map(|line| whole(document, line, form)).collect();
        match (told.as_slice(), out.blocks.last_mut()) {
            ([only], Some(Block::Para(before))) => before.push_str(&format!(" {only}")),
            _ => out.blocks.push(Block::Code { lang: String::new(), text: told.join("\n") }),
        }
    }
    for offer in &mut out.offers {
        offer.line = whole(document, &offer.line, form);
    }
    out
}

/// A command with its values as its options, without its secrets.
pub fn said(typed: &Typed) -> String {
    let shown = |param: &Param| Some((param.name.clone(), typed.shown(param, typed.args.get(&param.name)?)));
    let told = Reference {
        name: typed.command.name.clone(),
        args: typed.command.params.iter().filter_map(shown).collect(),
        room: typed.room.clone(),
        names_room: true,
        because: typed.shown_reason().map(str::to_owned),
        ..Reference::default()
    };
    options(&told)
}

/// A command with its options, those first without which it makes no sense.
fn options(of: &Reference) -> String {
    let mut out = format!("/{}", of.name);
    for (name, value) in &of.args {
        out.push_str(&format!(" {name}:{value}"));
    }
    let (needed, free): (Vec<&Open>, Vec<&Open>) = of.open.iter().partition(|open| open.required);
    for open in needed {
        out.push_str(&format!(" {}:{}", open.param, open.shown));
    }
    for open in free {
        out.push_str(&format!(" [{}:{}]", open.param, open.shown));
    }
    if let Some(room) = of.room.as_ref().filter(|_| of.names_room) {
        out.push_str(&format!(" {ROOM_KEY}:{room}"));
    }
    if let Some(reason) = &of.because {
        out.push_str(&format!(" {BECAUSE}:{reason}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line as it is typed in rooms of the first game that has such a command.
    fn told(line: &str, form: Form<'_>) -> String {
        let all = Catalogue::all();
        let mut read: Vec<_> =
            all.games().into_iter().filter_map(|game| reference(&all.for_games(&[game]), line)).collect();
        read.sort_by_key(|read| read.open.len());
        read.into_iter()
            .next()
            .map_or_else(|| line.to_owned(), |read| told_of(&Reference { names_room: true, ..read }, form))
    }

    fn shown(document: &Document, form: Form<'_>) -> String {
        let mut document = document.clone();
        refer(&mut document, |line| reference(Catalogue::of_game("bnomic"), line));
        kernel::display::plain(&written(&document, form))
    }

    #[test]
    fn a_hint_is_told_as_it_is_typed_there() {
        for (line, prefixed, options) in [
            ("vote 3 FOR", "!vote 3 FOR", "/vote on:3 vote:for"),
            ("vote FOR 3", "!vote FOR 3", "/vote on:3 vote:for"),
            ("vote 3 1/2", "!vote 3 1/2", "/vote on:3 vote:1/2"),
            ("@main joust object 3", "!@main joust object 3", "/joust object id:3 room:main"),
            ("joust submit NAME CODE", "!joust submit NAME CODE", "/joust submit name:NAME code:CODE"),
            ("undo ENTRY because REASON", "!undo ENTRY because REASON", "/undo entry:ENTRY [sure:yes] [reason:REASON]"),
            ("nod because so", "!nod because so", "/nod because:so"),
            ("3 times nod", "!3 times nod", "/type lines:3 times nod"),
            ("help", "!help", "/help"),
            ("=> set timeout-hours to 72", "=> set timeout-hours to 72", "=> set timeout-hours to 72"),
            ("a name among the people", "a name among the people", "a name among the people"),
        ] {
            assert_eq!(told(line, Form::Line), line);
            assert_eq!(told(line, Form::Prefixed("!")), prefixed);
            assert_eq!(told(line, Form::Options), options);
        }
    }

    #[test]
    fn a_usage_line_names_the_options() {
        for command in Catalogue::all().commands() {
            let told = told_of(&usage(command, &command.usage()), Form::Options);
            let names = command.params.iter().all(|param| told.contains(&format!("{}:", param.name)));
            assert!(names && told.starts_with(&format!("/{}", command.name)), "{told}");
        }
    }

    #[test]
    fn a_single_hint_goes_on_in_the_line_of_its_sentence() {
        let refusal = refused(&Refusal::new("nobody has that number").by("4E15").instead("rules"));
        assert_eq!(shown(&refusal, Form::Line), "Nobody has that number. (4E15) Type: rules");
        assert_eq!(shown(&refusal, Form::Prefixed(".")), "Nobody has that number. (4E15) Type: .rules");
        let within = Document::say("Nobody has moved. “⁅vote 3 FOR⁆” votes, and “vote 3 FOR” is a quotation.");
        assert_eq!(
            shown(&within, Form::Prefixed("!")),
            "Nobody has moved. “!vote 3 FOR” votes, and “vote 3 FOR” is a quotation."
        );
        assert!(shown(&within, Form::Options).contains("“/vote on:3 vote:for” votes"));
        let several = Document::say("For example:").with(Block::command("vote 3 FOR\nvote FOR 4"));
        assert_eq!(shown(&several, Form::Prefixed("!")), "For example:\n!vote 3 FOR\n!vote FOR 4");
    }

    #[test]
    fn what_the_reader_puts_in_is_open() {
        let read = |line: &str| {
            let read = reference(Catalogue::of_game("bnomic"), line).expect("it is a command");
            let open: Vec<String> = read.open.into_iter().map(|open| open.param).collect();
            (read.args.into_iter().map(|(name, value)| format!("{name}:{value}")).collect::<Vec<_>>().join(" "), open)
        };
        assert_eq!(read("vote 3 FOR"), ("on:3 vote:for".to_owned(), vec![]));
        assert_eq!(read("vote on:3").1, ["vote"]);
        assert_eq!(read("vote on:3").0, "on:3");
        assert_eq!(read("join NAME"), (String::new(), vec!["name".to_owned()]));
    }
}
