//! What the console writes. A terminal obeys what is written to it, and players choose names and texts. So no control
//! character of theirs reaches it, nor one that turns the direction of a line.

use std::io;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use unicode_width::UnicodeWidthStr as _;

use super::editor::{Ask, Purpose, Remote};
use kernel::rulebook::source::asides;
use port::Asker;

/// What stands for a character that is not shown.
const HIDDEN: char = char::REPLACEMENT_CHARACTER;

/// Goes to the start of the line and empties it.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Ends a colour.
const RESET: &str = "\x1b[0m";

/// What dims the text behind it, and what ends that.
const DIM: &str = "\x1b[2m";
const BRIGHT: &str = "\x1b[22m";

/// What kind of text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// An answer.
    Plain,
    /// Who speaks.
    Prompt,
    /// Why something did not happen.
    Refused,
    /// Something broke.
    Fault,
    /// What all are told.
    Announced,
}

impl Style {
    /// The sequence that begins it; nothing for plain text.
    fn begin(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Prompt => "\x1b[1m",
            Self::Refused => "\x1b[33m",
            Self::Fault => "\x1b[31m",
            Self::Announced => "\x1b[36m",
        }
    }
}

/// Where the console writes.
pub(super) struct Screen<W> {
    out: W,
    colours: bool,
    /// Asks how many columns there are; nobody does where nothing is broken into lines.
    columns: Option<fn() -> Option<usize>>,
    /// The editor that writes the line which is being typed, where there is one.
    editor: Option<Remote>,
    /// Whether a prompt stands on the last line, with whatever is typed behind it.
    prompted: bool,
    /// How many refusals and faults it has said.
    refused: u64,
}

impl<W: AsyncWrite + Unpin> Screen<W> {
    pub(super) fn new(out: W, colours: bool, columns: Option<fn() -> Option<usize>>, editor: Option<Remote>) -> Self {
        Self { out, colours, columns, editor, prompted: false, refused: 0 }
    }

    /// How many refusals and faults it has said.
    pub(super) fn refused(&self) -> u64 {
        self.refused
    }

    /// Writes lines, above the prompt if there is one.
    pub(super) async fn say(&mut self, style: Style, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.refused += u64::from(matches!(style, Style::Refused | Style::Fault));
        let mut text = String::new();
        let above = self.editor.is_some() && self.prompted;
        if !above && std::mem::take(&mut self.prompted) {
            text.push_str(if self.colours { CLEAR_LINE } else { "\n" });
        }
        let columns = self.columns.and_then(|ask| ask());
        let lines = lines.iter().flat_map(|line| line.split('\n')).map(harmless);
        let lines: Vec<String> = match columns {
            Some(columns) => lines.flat_map(|line| wrapped(&line, columns)).collect(),
            None => lines.collect(),
        };
        let said = lines.join("\n");
        let said = if self.colours { dimmed(&said) } else { said };
        for line in said.split('\n') {
            text.push_str(&self.styled(style, line));
            text.push('\n');
        }
        match self.editor.as_ref().filter(|_| above) {
            Some(editor) => {
                editor.above(text);
                Ok(())
            }
            None => self.write(&text).await,
        }
    }

    /// Writes the prompt, unless it stands there, and has a line read behind it.
    pub(super) async fn prompt(&mut self, text: &str, asker: Asker, purpose: Purpose) -> io::Result<()> {
        if std::mem::replace(&mut self.prompted, true) {
            return Ok(());
        }
        let text = harmless(text);
        let prompt = (format!("{text} "), format!("{} ", self.styled(Style::Prompt, &text)));
        match &self.editor {
            Some(editor) => {
                editor.ask(Ask { prompt, asker, purpose });
                Ok(())
            }
            None => self.write(&prompt.1).await,
        }
    }

    /// Whether an editor writes the line that is being typed.
    pub(super) fn is_edited(&self) -> bool {
        self.editor.is_some()
    }

    /// Somebody ended the line that the prompt stands on.
    pub(super) fn answered(&mut self) {
        self.prompted = false;
    }

    /// Leaves the cursor at the start of a line. What is said from now on is for nobody who types.
    pub(super) async fn end(&mut self) -> io::Result<()> {
        self.editor = None;
        if std::mem::take(&mut self.prompted) { self.write("\n").await } else { Ok(()) }
    }

    fn styled(&self, style: Style, text: &str) -> String {
        match style.begin() {
            begin if self.colours && !begin.is_empty() && !text.is_empty() => format!("{begin}{text}{RESET}"),
            _ => text.to_owned(),
        }
    }

    async fn write(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes()).await?;
        self.out.flush().await
    }
}

/// A line broken between words, so that none is wider than the terminal; what goes on stands under where it began. A word
/// that is too long stays whole.
fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat((blanks + if line[blanks..].starts_with("- ") { 2 } else { 0 }).min(columns / 2));
    let mut out = Vec::new();
    let mut held = line[..blanks].to_owned();
    let mut bare = true;
    for word in line[blanks..].split(' ') {
        let blank = usize::from(!bare);
        if !bare && held.width() + blank + word.width() > columns {
            out.push(std::mem::replace(&mut held, indent.clone()).trim_end().to_owned());
        } else if !bare {
            held.push(' ');
        }
        held.push_str(word);
        bare = false;
    }
    out.push(held);
    out
}

/// Lines whose comments are dimmed, each by itself.
fn dimmed(lines: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{DIM}{line}{BRIGHT}") };
    let piece = |(aside, piece): (bool, &str)| match aside {
        true => piece.split('\n').map(line).collect::<Vec<_>>().join("\n"),
        false => piece.to_owned(),
    };
    asides(lines).into_iter().map(piece).collect()
}

/// A line as a terminal may have it.
pub(super) fn harmless(line: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = |c: char| matches!(c, '\u{2028}' | '\u{2029}');
    line.chars().map(|c| if c != '\t' && (c.is_control() || turns(c) || breaks(c)) { HIDDEN } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use port::{Place, Speaker};

    async fn written(colours: bool, style: Style, lines: &[&str]) -> String {
        let mut out = Vec::new();
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        Screen::new(&mut out, colours, None, None).say(style, &lines).await.unwrap();
        String::from_utf8(out).unwrap()
    }

    fn asker() -> Asker {
        let from =
            Speaker { account: None, sign_in: None, nick: "Ann".to_owned(), operator: false, moderates: Vec::new() };
        Asker { from, place: Place::Private, room: None }
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("- one two three", 9), ["- one two", "  three"]);
        assert_eq!(wrapped("a  b", 80), ["a  b"]);
        assert_eq!(wrapped("", 80), [""]);
        assert_eq!(wrapped("abcdefgh ij", 4), ["abcdefgh", "ij"]);
    }

    #[tokio::test]
    async fn nothing_of_a_players_text_is_obeyed_by_the_terminal() {
        let evil = "a\x1b]0;title\x07\x1b[2Jb\rc\0d\u{9b}31me\u{202e}f\u{2028}g\x7f\tz";
        let shown = written(false, Style::Plain, &[evil]).await;
        assert_eq!(
            shown,
            "a\u{fffd}]0;title\u{fffd}\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}31me\u{fffd}f\u{fffd}g\u{fffd}\tz\n"
        );
        let shown = written(true, Style::Refused, &[evil]).await;
        assert_eq!(shown.matches('\x1b').count(), 2, "the console's own colour and its end: {shown:?}");
    }

    #[tokio::test]
    async fn colours_are_used_only_where_they_may_be() {
        assert_eq!(written(false, Style::Announced, &["one", "two\nthree"]).await, "one\ntwo\nthree\n");
        assert_eq!(written(true, Style::Plain, &["one"]).await, "one\n");
        assert_eq!(written(true, Style::Announced, &["one", ""]).await, "\x1b[36mone\x1b[0m\n\n");
    }

    #[tokio::test]
    async fn comments_are_dimmed() {
        let lines = ["Tea [[ or", "coffee ]] now"];
        let dim = "Tea \x1b[2m[[ or\x1b[22m\n\x1b[2mcoffee ]]\x1b[22m now\n";
        assert_eq!(written(true, Style::Plain, &lines).await, dim);
        assert_eq!(written(false, Style::Plain, &lines).await, "Tea [[ or\ncoffee ]] now\n");
    }

    #[tokio::test]
    async fn an_announcement_takes_the_place_of_the_prompt() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, true, None, None);
        screen.prompt("Ann>", asker(), Purpose::Command).await.unwrap();
        screen.prompt("Ann>", asker(), Purpose::Command).await.unwrap();
        screen.say(Style::Plain, &["News".to_owned()]).await.unwrap();
        screen.prompt("Ann>", asker(), Purpose::Command).await.unwrap();
        screen.answered();
        screen.say(Style::Plain, &["Yes".to_owned()]).await.unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(shown, "\x1b[1mAnn>\x1b[0m \r\x1b[KNews\n\x1b[1mAnn>\x1b[0m Yes\n");
    }
}
