//! Hints: command lines that a reader is told to type, in the form of the place where they are read.
//!
//! A document holds a hint as a line of the catalogue ([`block`]), or in a sentence between marks of its own
//! ([`MARKS`](kernel::display::MARKS)). The renderer of the document writes it out here: a
//! bare line, a line behind a prefix, or a command with its options. Text that is no line of the catalogue, such as a
//! directive, stands everywhere as it is.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{Arc, LazyLock},
};

use super::{BECAUSE, Catalogue, Command, Problem, ROOM_KEY, Typed, parse, spec::Param};
use kernel::{
    Refusal,
    display::{Block, Document},
};
use port::Called;

/// What the code of a hint is written in.
const LANG: &str = "command";

/// The same of commands that a room has by its own rules, which nobody knows who does not know the room.
const OWN: &str = "own command";

/// The command for several lines at once, where commands have options.
pub const ACT: &str = "type";

/// Its option for the lines.
pub const ACT_LINES: &str = "lines";

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

/// Command lines as a part of a document. A single one behind a paragraph goes on in its last line.
pub fn block(lines: impl Into<String>) -> Block {
    Block::Code { lang: LANG.to_owned(), text: lines.into() }
}

/// How a command is typed, as a part of a document.
pub fn usage_of(command: &Command) -> Block {
    Block::Code { lang: if command.own { OWN } else { LANG }.to_owned(), text: command.usage() }
}

/// The command lines of such a part, as they are typed at a place.
pub fn told_lines(block: &Block, form: Form<'_>) -> Option<Vec<String>> {
    match block {
        Block::Code { lang, text } if lang == OWN => Some(text.lines().map(|line| own(line, form)).collect()),
        block => Some(lines(block)?.lines().map(|line| told(line, form)).collect()),
    }
}

/// A line of a command that a room has by its own rules: its values stand with their names.
fn own(line: &str, form: Form<'_>) -> String {
    match form {
        Form::Line => line.to_owned(),
        Form::Prefixed(prefix) => format!("{prefix}{line}"),
        Form::Options => format!("/{line}"),
    }
}

/// The command lines of such a part, where they are the program's own.
pub fn lines(block: &Block) -> Option<&str> {
    match block {
        Block::Code { lang, text } if lang == LANG => Some(text),
        _ => None,
    }
}

/// Whether a document tells its reader something to type.
pub fn is_told_in(document: &Document) -> bool {
    let told = std::cell::Cell::new(!document.offers.is_empty());
    let _ = document.typing(|line| {
        told.set(true);
        line.to_owned()
    });
    told.get() || document.blocks.iter().any(|block| told_lines(block, Form::Line).is_some())
}

/// A refusal as the player reads it: what was wrong, which rule says so, what to type instead.
pub fn refused(refusal: &Refusal) -> Document {
    let mut text = sentence(&refusal.say);
    if let Some(rule) = &refusal.rule {
        text.push_str(&format!(" ({rule})"));
    }
    match &refusal.instead {
        Some(instead) => {
            let lang = if refusal.own { OWN } else { LANG };
            Document::say(text + " Type:").with(Block::Code { lang: lang.to_owned(), text: instead.clone() })
        }
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

/// A document with the command lines of its sentences as they are typed at a place.
pub fn spelled<'d>(document: &'d Document, form: Form<'_>) -> Cow<'d, Document> {
    document.typing(|line| match (read(line), form) {
        (Some(_), _) | (None, Form::Line) => told(line, form),
        // A command that a room has by its own rules.
        (None, form) => own(line, form),
    })
}

/// A document with its hints and offers written out, for what shows lines of text.
#[must_use]
pub fn written(document: &Document, form: Form<'_>) -> Document {
    let document = &*spelled(document, form);
    let mut out = Document { blocks: Vec::new(), ..document.clone() };
    for block in &document.blocks {
        let Some(told) = told_lines(block, form) else {
            out.blocks.push(block.clone());
            continue;
        };
        match (told.as_slice(), out.blocks.last_mut()) {
            ([only], Some(Block::Para(before))) => before.push_str(&format!(" {only}")),
            _ => out.blocks.push(Block::Code { lang: String::new(), text: told.join("\n") }),
        }
    }
    for offer in &mut out.offers {
        offer.line = told(&offer.line, form);
    }
    out
}

/// A command line as it is typed at a place.
pub fn told(line: &str, form: Form<'_>) -> String {
    match (read(line), form) {
        (None, _) | (Some(_), Form::Line) => line.to_owned(),
        (Some(_), Form::Prefixed(prefix)) => format!("{prefix}{line}"),
        (Some(Read::Usage(command)), Form::Options) => usage(&command),
        (Some(Read::Typed(typed)), Form::Options) => {
            options(&typed, typed.reason.as_deref(), |_, value| value.to_owned())
        }
        (Some(Read::Several), Form::Options) => format!("/{ACT} {ACT_LINES}:{line}"),
    }
}

/// A command line as a command with its values by name; nothing where it is not exactly one.
pub fn called(line: &str) -> Option<Called> {
    match read(line)? {
        Read::Typed(typed) => {
            let Typed { command, args, room, reason: because, .. } = typed;
            Some(Called { name: command.name.clone(), args, room, because, offered: None })
        }
        Read::Usage(_) | Read::Several => None,
    }
}

/// A command with its values as its options, without its secrets.
pub fn said(typed: &Typed) -> String {
    options(typed, typed.shown_reason(), |param, value| typed.shown(param, value))
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

fn read(line: &str) -> Option<Read> {
    let all = Catalogue::all();
    let spoken = |command: &Arc<Command>| {
        let of_games = command.words.keys().map(|game| Arc::new(command.in_words_of(game)));
        std::iter::once(command.clone()).chain(of_games).find(|command| command.usage() == line)
    };
    let begins = all.commands().iter().filter(|command| line.starts_with(&command.name));
    if let Some(command) = begins.filter(|command| !command.params.is_empty()).find_map(spoken) {
        return Some(Read::Usage(command));
    }
    let is_clear = |typed: &Typed| typed.times.is_once() && typed.others.is_empty();
    let is_one = |read: &Vec<Result<Typed, _>>| matches!(&read[..], [Ok(typed)] if is_clear(typed));
    let mut read = parse(all, line, 1);
    // What begins with no command of any game begins with none of one.
    if matches!(&read[..], [Err(error)] if matches!(error.problem, Problem::Unknown { .. })) {
        return None;
    }
    if !is_one(&read) {
        let spoken = SPOKEN.iter().map(|catalogue| parse(catalogue, line, 1));
        read = spoken.into_iter().find(is_one).unwrap_or(read);
    }
    match (read.len(), read.pop()?) {
        (1, Ok(typed)) if is_clear(&typed) => Some(Read::Typed(typed)),
        (1, Err(error)) => error.command.map(Read::Usage),
        (1, Ok(_)) => Some(Read::Several),
        (_, last) => (last.is_ok() || read.iter().any(Result::is_ok)).then_some(Read::Several),
    }
}

/// The commands of each game that has words of its own for some: what can be meant in several ways is clear in its game.
static SPOKEN: LazyLock<Vec<Catalogue>> = LazyLock::new(|| {
    let all = Catalogue::all();
    let games: BTreeSet<&String> = all.commands().iter().flat_map(|command| command.words.keys()).collect();
    games.into_iter().map(|game| all.for_games(&[game])).collect()
});

fn options(typed: &Typed, reason: Option<&str>, shown: impl Fn(&Param, &str) -> String) -> String {
    let mut out = format!("/{}", typed.command.name);
    for param in &typed.command.params {
        if let Some(value) = typed.args.get(&param.name) {
            out.push_str(&format!(" {}:{}", param.name, shown(param, value)));
        }
    }
    if let Some(room) = &typed.room {
        out.push_str(&format!(" {ROOM_KEY}:{room}"));
    }
    if let Some(reason) = reason {
        out.push_str(&format!(" {BECAUSE}:{reason}"));
    }
    out
}

/// How a command is typed with its options, those first without which it makes no sense.
fn usage(command: &Command) -> String {
    let mut out = format!("/{}", command.name);
    let (needed, free): (Vec<&Param>, Vec<&Param>) = command.params.iter().partition(|param| param.required);
    for param in needed {
        out.push_str(&format!(" {}:{}", param.name, param.placeholder()));
    }
    for param in free {
        out.push_str(&format!(" [{}:{}]", param.name, param.placeholder()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let told = told(&command.usage(), Form::Options);
            let names = command.params.iter().all(|param| told.contains(&format!("{}:", param.name)));
            assert!(names && told.starts_with(&format!("/{}", command.name)), "{told}");
        }
    }

    #[test]
    fn a_single_hint_goes_on_in_the_line_of_its_sentence() {
        let refusal = Refusal::new("nobody has that number").by("4E15").instead("rules");
        let shown = |form| kernel::display::plain(&written(&refused(&refusal), form));
        assert_eq!(shown(Form::Line), "Nobody has that number. (4E15) Type: rules");
        assert_eq!(shown(Form::Prefixed(".")), "Nobody has that number. (4E15) Type: .rules");
        let within = Document::say("Nobody has moved. “⁅vote 3 FOR⁆” votes, and “vote 3 FOR” is a quotation.");
        let shown = |form| kernel::display::plain(&written(&within, form));
        assert_eq!(
            shown(Form::Prefixed("!")),
            "Nobody has moved. “!vote 3 FOR” votes, and “vote 3 FOR” is a quotation."
        );
        assert!(shown(Form::Options).contains("“/vote on:3 vote:for” votes"), "{}", shown(Form::Options));
        let several = Document::say("For example:").with(block("vote 3 FOR\nvote FOR 4"));
        let shown = kernel::display::plain(&written(&several, Form::Prefixed("!")));
        assert_eq!(shown, "For example:\n!vote 3 FOR\n!vote FOR 4");
    }
}
