//! The console: the terminal, or a pipe, as a forum of its own.
//!
//! Whoever sits at it is the operator, and can speak as anybody else of the console, so that all the games can be tried
//! alone, with nothing to configure. A line is said aside: its speaker alone sees the answer. What all are told begins
//! with an asterisk. Read from a pipe, it echoes each line under its speaker's name and goes on when what follows from it has
//! happened, so that the same lines make the same transcript. Absent from here: games, and everything that outlives the
//! process.
//!
//! ```text
//! input     standard input, line by line, bounded
//! words     what the console itself understands: as NAME, quit
//! files     files of this machine: @FILE, and those that replies carry
//! screen    what is written, made harmless
//! ```

mod files;
mod input;
mod screen;
mod words;

use std::{collections::BTreeMap, io, path::Path, sync::Arc, time::Duration};

use futures::future::BoxFuture;
use tokio::{
    io::AsyncWrite,
    sync::{mpsc, watch},
};

pub use input::{Input, read_lines};
pub use screen::Style;

use super::Desk;
use crate::{
    catalogue::names,
    kernel::display::{MARKUP_WIDTH_COLUMNS, lines_within},
    service::port::{
        Account, Attachment, Delivery, Destination, ForumAddress, LINE_MAX_BYTES, Line, Place, Reply, ReplyKind, Sent,
        Speaker, TEXT_CANCEL, TEXT_END,
    },
};
use files::{attach, save};
use screen::Screen;
use words::{Said, read};

/// What the console is called where services are named, and its one channel.
pub const SERVICE: &str = "console";

/// The account of whoever sits at it.
pub const OPERATOR: &str = "operator";

/// How long the console goes without looking for announcements although nobody told it of one: those that a process
/// which was killed held back come free by themselves.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// The answer to a line of a session that the service passes over. Without it, somebody who uses a name of a session
/// twice would wonder.
const NOTHING_NEW: &str = "Nothing new: this line of the session was done before.";

/// What the console needs beyond what every adapter does: it shows what follows from a line before the next prompt.
pub trait Backstage: Desk {
    /// An announcement that waits for a service now, leased as by [`Desk::next_delivery`].
    fn delivery_now<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Option<Delivery>>;

    /// Moves whenever there may be an announcement.
    fn posted(&self) -> watch::Receiver<u64>;

    /// Waits until everything has happened that follows from the lines heard so far: what is due, and long works.
    fn quiet(&self) -> BoxFuture<'_, ()>;

    /// Waits until the program is to stop.
    fn stopped(&self) -> BoxFuture<'_, ()>;
}

/// How the console looks.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether somebody types: prompts instead of echoes, and no waiting for long works.
    pub interactive: bool,
    /// Whether colours may be used.
    pub colours: bool,
    /// Asks how wide the terminal is at the moment, in columns; on a pipe nobody does.
    pub columns: Option<fn() -> Option<usize>>,
    /// What is said first, a line each.
    pub welcome: Vec<String>,
    /// What makes its lines differ from those of every other run.
    pub run: String,
    /// The script that its lines are, if they may be read again.
    pub session: Option<Session>,
}

/// A script that may be read more than once, such as after the process died in the middle of it: its lines are known
/// by the name and their number, and each acts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name: one for each script on one database.
    pub name: String,
    /// The first line that is done, counted from 1. Of those before it only `as` is heeded.
    pub from_line: u64,
}

/// Runs the console until its input ends, somebody leaves it, or the program stops.
///
/// # Errors
///
/// What writing reports: nobody reads any more.
pub async fn run<W>(
    desk: Arc<dyn Backstage>,
    mut input: mpsc::Receiver<Input>,
    out: W,
    options: Options,
) -> io::Result<()>
where
    W: AsyncWrite + Unpin + Send,
{
    let screen = Screen::new(out, options.colours);
    let mut console = Console {
        desk: desk.clone(),
        screen,
        who: Who::operator(),
        names: BTreeMap::new(),
        options,
        line: 0,
        awaited: false,
    };
    console.welcome().await?;
    let mut posted = desk.posted();
    loop {
        console.prompt().await?;
        let next = tokio::select! {
            biased;
            () = desk.stopped() => break,
            next = input.recv() => next,
            // The sender lives as long as the desk.
            _ = posted.changed() => {
                console.deliver().await?;
                continue;
            }
            () = tokio::time::sleep(LOOK_AGAIN_AFTER) => {
                console.deliver().await?;
                continue;
            }
        };
        let Some(next) = next else { break };
        if !console.take(next).await? {
            break;
        }
    }
    console.leave().await
}

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Who {
    account: String,
    name: String,
    operator: bool,
}

impl Who {
    fn operator() -> Self {
        Self { account: OPERATOR.to_owned(), name: OPERATOR.to_owned(), operator: true }
    }

    /// Somebody by the name that was typed; a sentence when it is none.
    fn named(name: &str) -> Result<Self, String> {
        let name = names::normalise(name).map_err(|why| format!("“{name}” is no name: {why}."))?;
        if name.eq_ignore_ascii_case(OPERATOR) {
            return Ok(Self::operator());
        }
        Ok(Self { account: name.to_lowercase(), name, operator: false })
    }

    fn greeting(&self) -> String {
        match self.operator {
            true => "You are the operator again.".to_owned(),
            false => format!("You speak as {}. Type “as” without a name to be the operator again.", self.name),
        }
    }
}

struct Console<W> {
    desk: Arc<dyn Backstage>,
    screen: Screen<W>,
    who: Who,
    /// The names under which people spoke, by account.
    names: BTreeMap<String, String>,
    options: Options,
    /// The number of the line that was read last.
    line: u64,
    /// Whether lines belong to a text: then none of them is the console's own.
    awaited: bool,
}

impl<W: AsyncWrite + Unpin + Send> Console<W> {
    /// How many columns there are for text.
    fn columns(&self) -> usize {
        self.options.columns.and_then(|ask| ask()).unwrap_or(MARKUP_WIDTH_COLUMNS)
    }

    async fn welcome(&mut self) -> io::Result<()> {
        let welcome = std::mem::take(&mut self.options.welcome);
        self.screen.say(Style::Plain, &welcome).await?;
        self.settle().await
    }

    async fn prompt(&mut self) -> io::Result<()> {
        if self.options.interactive { self.screen.prompt(&self.who.name).await } else { Ok(()) }
    }

    /// Does one line; `false` when it leaves the console.
    async fn take(&mut self, input: Input) -> io::Result<bool> {
        self.screen.answered();
        self.line += 1;
        if self.options.session.as_ref().is_some_and(|session| self.line < session.from_line) {
            self.pass_over(&input);
            return Ok(true);
        }
        let text = match input {
            Input::Line(text) => text,
            Input::TooLong { bytes } => {
                let text = format!(
                    "This line has {bytes} bytes, and {LINE_MAX_BYTES} is the most that is read. A long text comes as a \
                     file: COMMAND @FILE"
                );
                self.echo(&format!("({bytes} bytes)")).await?;
                self.screen.say(Style::Refused, &[text]).await?;
                return Ok(true);
            }
        };
        if self.awaited {
            self.echo(&text).await?;
            self.hear_line(text, Vec::new()).await?;
            self.settle().await?;
            return Ok(true);
        }
        if text.trim().is_empty() {
            return Ok(true);
        }
        self.echo(&text).await?;
        match read(&text) {
            Said::Leave => return Ok(false),
            Said::Back => self.speak_as(Who::operator()).await?,
            Said::As(name) => match Who::named(name) {
                Ok(who) => self.speak_as(who).await?,
                Err(why) => self.screen.say(Style::Refused, &[why]).await?,
            },
            Said::Help => self.screen.say(Style::Plain, &words::help()).await?,
            Said::Overview(line) => {
                self.hear(line).await?;
                self.screen.say(Style::Plain, &words::help()).await?;
            }
            Said::Line(line) => self.hear(line).await?,
        }
        self.settle().await?;
        Ok(true)
    }

    /// In a transcript everybody has to be named; at a terminal the prompt has done so.
    async fn echo(&mut self, text: &str) -> io::Result<()> {
        if self.options.interactive {
            return Ok(());
        }
        self.screen.say(Style::Prompt, &[format!("{}> {}", self.who.name, text.trim())]).await
    }

    /// Heeds who spoke in a line that was done before.
    fn pass_over(&mut self, input: &Input) {
        let Input::Line(text) = input else { return };
        match read(text) {
            Said::Back => self.become_one(Who::operator()),
            Said::As(name) => {
                if let Ok(who) = Who::named(name) {
                    self.become_one(who);
                }
            }
            Said::Leave | Said::Help | Said::Overview(_) | Said::Line(_) => {}
        }
    }

    fn become_one(&mut self, who: Who) {
        self.names.insert(who.account.clone(), who.name.clone());
        self.who = who;
    }

    async fn speak_as(&mut self, who: Who) -> io::Result<()> {
        self.become_one(who);
        self.screen.say(Style::Plain, &[self.who.greeting()]).await
    }

    /// What the line that was read last is known by: where it is read again, the same.
    fn origin(&self) -> String {
        match &self.options.session {
            // No other run begins with this sign.
            Some(session) => format!("{SERVICE}:@{}:{}", session.name, self.line),
            None => format!("{SERVICE}:{}:{}", self.options.run, self.line),
        }
    }

    async fn hear(&mut self, text: &str) -> io::Result<()> {
        let (text, attachments) = match attach(text) {
            Ok(read) => read,
            Err(why) => return self.screen.say(Style::Refused, &[why]).await,
        };
        self.hear_line(text, attachments).await
    }

    async fn hear_line(&mut self, text: String, attachments: Vec<Attachment>) -> io::Result<()> {
        let Who { account, name, operator } = self.who.clone();
        let ends = text.trim() == TEXT_END || text.trim().eq_ignore_ascii_case(TEXT_CANCEL);
        let line = Line {
            origin: self.origin(),
            from: Speaker {
                account: Some(Account { service: SERVICE.to_owned(), id: account }),
                nick: name,
                operator,
                moderates: Vec::new(),
            },
            place: Place::Aside(forum()),
            text,
            attachments,
            sent: Sent::Typed,
        };
        let origin = line.origin.clone();
        let replies = self.desk.hear(line).await;
        let awaited = std::mem::take(&mut self.awaited);
        // A line of a text is not answered before the text ends.
        self.awaited = replies.last().map_or(awaited && !ends, |last| last.kind == ReplyKind::Awaits);
        if replies.is_empty() && !awaited && self.options.session.is_some() {
            self.screen.say(Style::Plain, &[NOTHING_NEW.to_owned()]).await?;
        }
        for Reply { kind, document, file, .. } in replies {
            let style = match kind {
                ReplyKind::Done | ReplyKind::Shown | ReplyKind::Awaits => Style::Plain,
                ReplyKind::Refused => Style::Refused,
                ReplyKind::Fault => Style::Fault,
            };
            self.screen.say(style, &lines_within(&document, self.columns())).await?;
            match file.map(|file| save(Path::new("."), &file)) {
                None => {}
                Some(Ok(path)) => {
                    let text = format!("Written to the file {}.", path.file_name().unwrap_or_default().display());
                    self.screen.say(Style::Plain, &[text]).await?;
                }
                Some(Err(why)) => self.screen.say(Style::Fault, &[why]).await?,
            }
        }
        self.desk.handed_over(&origin).await;
        Ok(())
    }

    /// Shows what follows from a line. In a pipe that includes long works, which somebody who types does not wait for.
    async fn settle(&mut self) -> io::Result<()> {
        self.deliver().await?;
        if self.options.interactive {
            return Ok(());
        }
        let desk = self.desk.clone();
        tokio::select! {
            biased;
            () = desk.stopped() => {}
            () = desk.quiet() => {}
        }
        self.deliver().await
    }

    /// Shows every announcement that waits.
    async fn deliver(&mut self) -> io::Result<()> {
        while let Some(delivery) = self.desk.delivery_now(SERVICE).await {
            let mut shown = lines_within(&delivery.document, self.columns());
            shown.extend(delivery.document.link.clone());
            match &delivery.to {
                Destination::Forum(_) => {
                    if let Some(first) = shown.first_mut() {
                        first.insert_str(0, "* ");
                    }
                }
                Destination::Person(account) => {
                    let name = self.names.get(&account.id).unwrap_or(&account.id);
                    shown.insert(0, format!("* (to {name}, privately)"));
                }
            }
            self.screen.say(Style::Announced, &shown).await?;
            self.desk.delivered(delivery.id).await;
        }
        Ok(())
    }

    async fn leave(mut self) -> io::Result<()> {
        self.settle().await?;
        self.screen.end().await
    }
}

fn forum() -> ForumAddress {
    ForumAddress { service: SERVICE.to_owned(), channel: SERVICE.to_owned() }
}
