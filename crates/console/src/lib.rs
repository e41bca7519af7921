//! The console: the terminal, or a pipe, as a forum of its own.
//!
//! The person at it is the operator, who can speak as anybody else of the console. So all the games can be tried alone,
//! with nothing to configure. A line is said aside: its speaker alone sees the answer. What all are told begins with an
//! asterisk. Read from a pipe, it echoes each line under its speaker's name and goes on when all consequences of it are
//! over. So the same lines make the same transcript. It knows no game and keeps nothing that outlives the process.
//!
//! ```text
//! editor    a terminal, key by key: pastes that come whole, completion, news above the line (modes, history)
//! input     a pipe, line by line, bounded
//! words     what the console itself understands: as NAME, quit
//! files     files of this machine: @FILE, and those that replies carry
//! finals    what is asked about before it is sent
//! screen    what is written, made harmless
//! ```

mod editor;
mod files;
mod finals;
mod history;
mod input;
mod modes;
mod screen;
mod words;

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::Path,
    sync::Arc,
    time::Duration,
};

use futures::future::BoxFuture;
use tokio::{
    io::AsyncWrite,
    sync::{mpsc, watch},
};

pub use editor::{Editor, LogWriter};
pub use history::{STATE_FOLDER_VARIABLE, history_file};
pub use input::{Input, read_lines};
pub use modes::Modes;
pub use screen::Style;

use catalogue::hint::{self, Form};
use editor::Purpose;
use files::{attach, save};
use finals::{QUESTION, awaiting, finals};
use kernel::display::{MARKUP_WIDTH_COLUMNS, lines_within};
use kernel::names;
use port::Desk;
use port::{
    Account, Asker, Attachment, Delivery, Destination, ForumAddress, LINE_MAX_BYTES, Line, Place, Reply, ReplyKind,
    Sent, Speaker, TEXT_CANCEL, TEXT_END,
};
use screen::Screen;
use words::{Said, messages, read};

/// What the console is called where services are named, and its one channel.
pub const SERVICE: &str = "console";

/// The account of whoever sits at it.
pub const OPERATOR: &str = "operator";

/// How long the console goes without looking for announcements although nobody told it of one. Those that a process
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

/// Where the console reads.
pub enum Keys {
    /// Lines as they come.
    Lines(mpsc::Receiver<Input>),
    /// A terminal with an editor.
    Edited(Editor),
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
    /// Whether nothing is for good: then nobody is asked before a text is sent, and who types waits for long works too.
    pub practice: bool,
}

/// A script that may be read more than once, such as after the process died in the middle of it. Its lines are known by
/// the name and their number, and each acts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its name: one for each script on one database.
    pub name: String,
    /// The first line that is done, counted from 1. Of those before it only `as` is heeded.
    pub from_line: u64,
}

/// Runs the console until its input ends, somebody leaves it, or the program stops. Gives how many refusals and faults
/// the lines of a pipe were answered with; at a terminal, whoever types has read them.
///
/// # Errors
///
/// What writing reports: nobody reads any more.
pub async fn run<W>(desk: Arc<dyn Backstage>, keys: Keys, out: W, options: Options) -> io::Result<u64>
where
    W: AsyncWrite + Unpin + Send,
{
    let (mut input, editor) = match keys {
        Keys::Lines(input) => (input, None),
        Keys::Edited(Editor { input, remote }) => (input, Some(remote)),
    };
    let edited = editor.is_some();
    let screen = Screen::new(out, options.colours, options.columns, editor);
    let mut console = Console {
        desk: desk.clone(),
        screen,
        who: Who::operator(),
        names: BTreeMap::new(),
        options,
        line: 0,
        waiting: VecDeque::new(),
        awaited: false,
        text: None,
        asked: None,
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
        let Some(next) = next else {
            // The editor has ended its line.
            if edited {
                console.screen.answered();
            }
            break;
        };
        if !console.take(next).await? {
            break;
        }
    }
    let refused = if console.options.interactive { 0 } else { console.screen.refused() };
    console.leave().await.map(|()| refused)
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
    /// Messages that were typed with the last one and come after it.
    waiting: VecDeque<String>,
    /// Whether lines belong to a text: then none of them is the console's own.
    awaited: bool,
    /// The final command that such a text is for, and as much of it as there is.
    text: Option<(String, String)>,
    /// What is sent if the answer is yes.
    asked: Option<Asked>,
}

/// What somebody was asked about.
enum Asked {
    /// A message, with its files.
    Message(String, Vec<Attachment>),
    /// The end of a text.
    End(String),
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
        if !self.options.interactive {
            return Ok(());
        }
        let asker = Asker { from: self.speaker(), place: Place::Aside(forum()), room: None };
        match (&self.asked, self.awaited) {
            (Some(_), _) => self.screen.prompt(QUESTION, asker, Purpose::Text).await,
            (None, true) => self.screen.prompt(&format!("{}>", self.who.name), asker, Purpose::Text).await,
            (None, false) => self.screen.prompt(&format!("{}>", self.who.name), asker, Purpose::Command).await,
        }
    }

    /// Does what was typed; `false` when it leaves the console.
    async fn take(&mut self, input: Input) -> io::Result<bool> {
        self.screen.answered();
        self.line += 1;
        if self.options.session.as_ref().is_some_and(|session| self.line < session.from_line) {
            self.pass_over(&input);
            return Ok(true);
        }
        let text = match input {
            Input::Line(text) => text,
            Input::GivenUp => {
                self.given_up().await?;
                return Ok(true);
            }
            refused @ (Input::TooLong { .. } | Input::Cut | Input::NoText) => {
                self.refuse(&refused).await?;
                return Ok(true);
            }
        };
        if let Some(asked) = self.asked.take() {
            self.answer(asked, &text).await?;
        } else if self.awaited {
            self.waiting.extend(text.split('\n').map(str::to_owned));
        } else {
            self.waiting.extend(messages(&text).into_iter().map(str::to_owned));
        }
        let mut first = true;
        while self.asked.is_none()
            && let Some(message) = self.waiting.pop_front()
        {
            // Each is known by a number of its own.
            self.line += u64::from(!std::mem::take(&mut first));
            if !self.do_one(message).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does one message; `false` when it leaves the console.
    async fn do_one(&mut self, text: String) -> io::Result<bool> {
        if self.awaited {
            self.echo(&text).await?;
            self.piece(text).await?;
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
                Err(why) => {
                    self.screen.say(Style::Refused, &[why]).await?;
                    // What was to be said under that name is said under no other.
                    self.drop_waiting().await?;
                }
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

    /// Somebody gave up a line, or the answer to a question.
    async fn given_up(&mut self) -> io::Result<()> {
        if let Some(asked) = self.asked.take() {
            return self.answer(asked, "n").await;
        }
        let how = match self.awaited {
            true => {
                format!("The line is given up. Your text goes on: “{TEXT_END}” ends it, “{TEXT_CANCEL}” gives it up.")
            }
            false => "The line is given up. To leave, type quit or press Ctrl-D.".to_owned(),
        };
        self.screen.say(Style::Plain, &[how]).await
    }

    /// Refuses what cannot be read; nothing of it acts.
    async fn refuse(&mut self, input: &Input) -> io::Result<()> {
        let file = "Nothing of it was done. A long text comes as a file: COMMAND @FILE";
        let text = match input {
            Input::TooLong { bytes } => {
                self.echo(&format!("({bytes} bytes)")).await?;
                format!("This line has {bytes} bytes, and {LINE_MAX_BYTES} is the most that is read. {file}")
            }
            Input::Cut => format!("This terminal cuts long lines, and the end of this one may be missing. {file}"),
            _ => "What was typed is no text in UTF-8. Nothing of it was done.".to_owned(),
        };
        self.screen.say(Style::Refused, &[text]).await
    }

    /// Does what was asked about, or leaves it, or asks again.
    async fn answer(&mut self, asked: Asked, answer: &str) -> io::Result<()> {
        match (answer.trim().to_lowercase().as_str(), asked) {
            ("y" | "yes", Asked::Message(text, files)) => self.hear_line(text, files).await?,
            ("y" | "yes", Asked::End(end)) => self.hear_line(end, Vec::new()).await?,
            ("n" | "no", Asked::Message(..)) => {
                self.screen.say(Style::Plain, &["Nothing was sent.".to_owned()]).await?;
                self.drop_waiting().await?;
            }
            ("n" | "no", Asked::End(_)) => {
                self.hear_line(TEXT_CANCEL.to_owned(), Vec::new()).await?;
                self.drop_waiting().await?;
            }
            (_, asked) => {
                self.asked = Some(asked);
                let how = "Type y to send it, or n to keep it.".to_owned();
                return self.screen.say(Style::Plain, &[how]).await;
            }
        }
        self.settle().await
    }

    /// What was typed together with something that was not done is not done either.
    async fn drop_waiting(&mut self) -> io::Result<()> {
        let left = std::mem::take(&mut self.waiting);
        if left.iter().all(|message| message.trim().is_empty()) {
            return Ok(());
        }
        self.screen.say(Style::Refused, &["What stood behind it was not done either.".to_owned()]).await
    }

    /// A line that belongs to a text. Its end is asked about where the text is final.
    async fn piece(&mut self, line: String) -> io::Result<()> {
        if catalogue::ends_text(&line)
            && let Some((command, text)) = &self.text
        {
            let told = finals::told(command, text);
            self.asked = Some(Asked::End(line));
            return self.screen.say(Style::Plain, &[told]).await;
        }
        if let Some((_, text)) = &mut self.text {
            text.push_str(&line);
            text.push('\n');
        }
        self.hear_line(line, Vec::new()).await
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
        if self.options.interactive && !self.options.practice {
            let told = finals(&text, &attachments);
            if !told.is_empty() {
                self.asked = Some(Asked::Message(text, attachments));
                return self.screen.say(Style::Plain, &told).await;
            }
        }
        let awaiting =
            awaiting(&text).filter(|_| self.options.interactive && !self.options.practice && attachments.is_empty());
        self.hear_line(text, attachments).await?;
        self.text = awaiting.filter(|_| self.awaited).map(|command| (command, String::new()));
        Ok(())
    }

    fn speaker(&self) -> Speaker {
        let Who { account, name, operator } = self.who.clone();
        Speaker {
            account: Some(Account { service: SERVICE.to_owned(), id: account }),
            sign_in: None,
            nick: name,
            operator,
            moderates: Vec::new(),
        }
    }

    async fn hear_line(&mut self, text: String, attachments: Vec<Attachment>) -> io::Result<()> {
        let ends = catalogue::ends_text(&text) || text.trim().eq_ignore_ascii_case(TEXT_CANCEL);
        let line = Line {
            origin: self.origin(),
            from: self.speaker(),
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
        if !self.awaited {
            self.text = None;
        }
        if replies.is_empty() && !awaited && self.options.session.is_some() {
            self.screen.say(Style::Plain, &[NOTHING_NEW.to_owned()]).await?;
        }
        for Reply { kind, document, file, .. } in replies {
            let style = match kind {
                ReplyKind::Done | ReplyKind::Announced | ReplyKind::Shown | ReplyKind::Awaits => Style::Plain,
                ReplyKind::Refused | ReplyKind::Unknown => Style::Refused,
                ReplyKind::Fault => Style::Fault,
            };
            let document = hint::written(&document, Form::Line);
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

    /// Shows what follows from a line. In a pipe and in a practice that includes long works. Else somebody who types does
    /// not wait for them.
    async fn settle(&mut self) -> io::Result<()> {
        self.deliver().await?;
        if self.options.interactive && !self.options.practice {
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
            let mut shown = lines_within(&hint::written(&delivery.document, Form::Line), self.columns());
            shown.extend(delivery.document.link.clone());
            match &delivery.to {
                Destination::Forum(_) => {
                    let name = |account: &String| self.names.get(account).unwrap_or(account).clone();
                    let called: Vec<String> = delivery.document.calls.iter().map(name).collect();
                    let called = if called.is_empty() { String::new() } else { format!("{}: ", called.join(", ")) };
                    if let Some(first) = shown.first_mut() {
                        first.insert_str(0, &format!("* {called}"));
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
        // Behind an editor's line nothing more is typed, and what comes now is written at once.
        if self.screen.is_edited() {
            self.screen.end().await?;
        }
        self.settle().await?;
        self.screen.end().await
    }
}

/// The channel that the console is.
pub fn forum() -> ForumAddress {
    ForumAddress { service: SERVICE.to_owned(), channel: SERVICE.to_owned() }
}
