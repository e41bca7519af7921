//! A terminal with a line editor: a typed line comes whole, however long it is.
//!
//! Read line by line, a terminal gives no more of a line than 4,095 bytes and throws the rest away. The editor takes
//! each key itself. It is `rustyline`, which writes above the line that is being typed, keeps its history private and
//! asks the terminal nothing. `reedline` asks the terminal for the cursor before each line, and many do not answer. The
//! editor is read on a thread of its own, because a read from a terminal cannot be given up. The thread is left behind
//! when the program ends.

use std::{
    borrow::Cow,
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc as threads},
    time::Duration,
};

use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Event, EventContext, EventHandler,
    ExternalPrinter, KeyCode, KeyEvent, Modifiers, RepeatCount,
    completion::{Completer, Pair},
    error::ReadlineError,
    highlight::Highlighter,
    hint::{Hint, Hinter},
    history::MemHistory,
    validate::Validator,
};
use tokio::{runtime::Handle, sync::mpsc};

use super::{
    Backstage,
    history::{ENTRIES_MAX_COUNT, History, is_kept},
    input::{Input, whole},
    modes,
    screen::harmless,
    words,
};
use port::{Asker, Completion};

/// Longest line that gets a hint, in bytes: behind more of it stands a text, and each key would cost a look at it.
const HINT_MAX_BYTES: usize = 200;

/// How long a key may wait for its hint, or Tab for its completions: whoever types feels more.
const HINT_TIMEOUT: Duration = Duration::from_millis(200);

/// Longest completion in a list, with what is said of it, and longest hint, in characters: each fits its line.
const SHOWN_MAX_CHARS: usize = 70;

/// What a line is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A command, or several.
    Command,
    /// A piece of a text, or the answer to a question: nothing completes it, and the history has no part in it.
    Text,
}

/// Asks for a line.
pub(super) struct Ask {
    /// What stands before it, plain and as it is shown.
    pub(super) prompt: (String, String),
    /// Who types.
    pub(super) asker: Asker,
    /// What for.
    pub(super) purpose: Purpose,
}

/// The console's end of the editor.
pub(super) struct Remote {
    asks: threads::Sender<Ask>,
    above: threads::Sender<String>,
}

impl Remote {
    /// Asks for the next line.
    pub(super) fn ask(&self, ask: Ask) {
        // Where the editor is gone, the end of its input says so.
        let _ = self.asks.send(ask);
    }

    /// Writes above the line that is being typed.
    pub(super) fn above(&self, text: String) {
        let _ = self.above.send(text);
    }
}

/// Where a line of the log goes while an editor has the terminal: above the line that is being typed.
static LOG: Mutex<Option<threads::Sender<String>>> = Mutex::new(None);

impl Drop for Remote {
    fn drop(&mut self) {
        *LOG.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Standard error, which does not write into a line that somebody is typing.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogWriter;

impl io::Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let above = LOG.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match above.filter(|_| io::stderr().is_terminal()) {
            Some(above) if above.send(String::from_utf8_lossy(bytes).into_owned()).is_ok() => Ok(bytes.len()),
            _ => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A terminal that is read with an editor.
pub struct Editor {
    pub(super) remote: Remote,
    pub(super) input: mpsc::Receiver<Input>,
}

impl Editor {
    /// Takes the terminal that the program was started in. The modes that it then has are those of `modes`, which the
    /// caller holds as long as the editor reads.
    ///
    /// # Errors
    ///
    /// What the terminal reports: it is none that can be edited on.
    pub fn open(desk: Arc<dyn Backstage>, colours: bool, history: Option<PathBuf>) -> io::Result<Self> {
        let config = Config::builder()
            .max_history_size(ENTRIES_MAX_COUNT)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(failed)?
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .color_mode(if colours { ColorMode::Enabled } else { ColorMode::Disabled })
            // Between two lines, too, a paste says where it ends: `modes` keeps that on.
            .bracketed_paste(false)
            .auto_add_history(false)
            .build();
        let mut reader = Reader::with_history(config.clone(), MemHistory::with_config(&config)).map_err(failed)?;
        let printer = reader.create_external_printer().map_err(failed)?;
        let kept = history.map(History::load).unwrap_or_default();
        for line in kept.lines() {
            reader.add_history_entry(line).map_err(failed)?;
        }
        reader.set_helper(Some(Helper { desk, runtime: Handle::current(), asker: None }));
        reader.bind_sequence(KeyEvent::ctrl('D'), EventHandler::Conditional(Box::new(End)));
        reader.bind_sequence(KeyEvent::ctrl('Z'), EventHandler::Conditional(Box::new(Suspend)));
        reader.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), EventHandler::Simple(Cmd::Newline));

        let (asks, asked) = threads::channel();
        let (above, news) = threads::channel();
        let (sender, input) = mpsc::channel(1);
        std::thread::Builder::new().name("console-editor".to_owned()).spawn(move || {
            read(reader, kept, &asked, &sender);
        })?;
        // It waits while somebody looks at a list of completions, so it has a thread of its own.
        std::thread::Builder::new().name("console-news".to_owned()).spawn(move || print(printer, &news))?;
        *LOG.lock().unwrap_or_else(PoisonError::into_inner) = Some(above.clone());
        Ok(Self { remote: Remote { asks, above }, input })
    }
}

type Reader = rustyline::Editor<Helper, MemHistory>;

fn failed(error: ReadlineError) -> io::Error {
    io::Error::other(error)
}

/// Reads a line for each that is asked for.
fn read(mut reader: Reader, mut kept: History, asked: &threads::Receiver<Ask>, sender: &mpsc::Sender<Input>) {
    while let Ok(Ask { prompt, asker, purpose }) = asked.recv() {
        if let Some(helper) = reader.helper_mut() {
            helper.asker = Some(asker).filter(|_| purpose == Purpose::Command);
        }
        let input = match reader.readline(&prompt) {
            Ok(text) => {
                if purpose == Purpose::Command && is_kept(&text) {
                    // What is not kept can be typed again.
                    let _ = reader.add_history_entry(text.trim());
                    kept.add(text.trim());
                }
                whole(text.as_bytes(), text.len() as u64)
            }
            Err(ReadlineError::Interrupted) => Input::GivenUp,
            // Ctrl-D, or the terminal is gone.
            Err(ReadlineError::Eof) => return,
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                // What is left of it would be taken for lines that somebody typed.
                modes::discard_input();
                Input::NoText
            }
            Err(error) => {
                tracing::warn!(%error, "the terminal cannot be read any more");
                return;
            }
        };
        if sender.blocking_send(input).is_err() {
            return;
        }
    }
}

fn print(mut printer: impl ExternalPrinter, news: &threads::Receiver<String>) {
    while let Ok(text) = news.recv() {
        if printer.print(text).is_err() {
            return;
        }
    }
}

/// Ctrl-D leaves where nothing is typed, and does nothing else.
struct End;

impl ConditionalEventHandler for End {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        Some(if context.line().is_empty() { Cmd::EndOfFile } else { Cmd::Noop })
    }
}

/// Ctrl-Z hands the terminal back to the shell until the program is called to the front again.
struct Suspend;

impl ConditionalEventHandler for Suspend {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        modes::suspend();
        Some(Cmd::Repaint)
    }
}

/// What helps somebody type: it asks the desk, as the one who types.
struct Helper {
    desk: Arc<dyn Backstage>,
    runtime: Handle,
    /// Who types a command; nobody where it is a text.
    asker: Option<Asker>,
}

impl Helper {
    fn completion(&self, begun: &str) -> Option<Completion> {
        let asker = self.asker.clone()?;
        let asked = async { tokio::time::timeout(HINT_TIMEOUT, self.desk.complete_line(asker, begun)).await };
        self.runtime.block_on(asked).ok()
    }
}

impl rustyline::Helper for Helper {}

impl Validator for Helper {}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(&self, line: &str, place: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let begun = &line[..place];
        let Some(completion) = self.completion(begun) else { return Ok((place, Vec::new())) };
        let mut pairs: Vec<Pair> = Vec::new();
        for cell in completion.cells {
            let Some(value) = cell.completes.map(|value| harmless(&value)) else { continue };
            let told = if cell.text.is_empty() || cell.text == value {
                value.clone()
            } else {
                format!("{value}  {}", cell.text)
            };
            let display = harmless(&told).chars().take(SHOWN_MAX_CHARS).collect();
            pairs.push(Pair { display, replacement: value });
        }
        let own = words::completing(begun).into_iter();
        pairs.extend(own.map(|word| Pair { display: word.to_owned(), replacement: word.to_owned() }));
        if let [only] = pairs.as_mut_slice()
            && !only.replacement.ends_with(':')
        {
            only.replacement.push(' ');
        }
        Ok((completion.start, pairs))
    }
}

/// What stands dim behind the line.
struct Shadow {
    shown: String,
    /// Whether it goes on from what is typed, so that the right arrow takes it.
    goes_on: bool,
}

impl Hint for Shadow {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.goes_on.then_some(&self.shown)
    }
}

impl Hinter for Helper {
    type Hint = Shadow;

    fn hint(&self, line: &str, place: usize, _: &Context<'_>) -> Option<Shadow> {
        if line.trim().is_empty() || place < line.len() || line.len() > HINT_MAX_BYTES {
            return None;
        }
        let Completion { start, cells, usage } = self.completion(line)?;
        let begun = &line[start..];
        if let [only] = cells.as_slice()
            && !begun.is_empty()
            && let Some(rest) = only.completes.as_deref().and_then(|value| value.strip_prefix(begun))
            && !rest.is_empty()
        {
            return Some(Shadow { shown: harmless(rest), goes_on: true });
        }
        let blank = line.ends_with(char::is_whitespace);
        let shown = || harmless(&usage).chars().take(SHOWN_MAX_CHARS).collect();
        (blank && !usage.is_empty()).then(|| Shadow { shown: shown(), goes_on: false })
    }
}

impl Highlighter for Helper {
    /// A pasted text may hold what a terminal would obey; it has no width, and is not shown.
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let shown = |sign: &char| matches!(sign, '\n' | '\t') || !sign.is_control();
        match line.chars().all(|sign| shown(&sign)) {
            true => Cow::Borrowed(line),
            false => Cow::Owned(line.chars().filter(shown).collect()),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("\x1b[2m{hint}\x1b[22m"))
    }
}
