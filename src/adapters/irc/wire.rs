//! One connection as a stream of events: the crate's transport, polled for reading and writing by one task.
//!
//! The transport answers `PING` and notices a dead connection, but only while somebody reads from it, and only as
//! long as a stalled write does not keep that somebody waiting. So both sides are polled together. Lines are handed
//! over one at a time, so that what is not yet on its way can still be overtaken. Pace and order are absent from
//! here.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::{Sink, Stream};
use irc::client::data::Config;
use irc::client::transport::Transport;
use irc::proto::{Command, IrcCodec, Message};
use tokio::sync::mpsc;
use tokio_util::codec::Framed;

use super::dial::Socket;
use super::gate::{self, WireLine};
use super::sieve::Tolerant;

/// How often the server is asked whether it is there.
pub(super) const PING_EVERY: Duration = Duration::from_secs(60);

/// How long it may take to answer before the connection is given up.
pub(super) const PING_TIMEOUT: Duration = Duration::from_secs(30);

/// How long the server may take to close the connection after a `QUIT`.
pub(super) const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Most lines that wait for a socket that takes nothing. The session hands over one at a time; the rest are `PONG`s.
const WAITING_MAX_COUNT: usize = 64;

/// What happened on the connection.
#[derive(Debug)]
pub(super) enum Event {
    /// The server said something.
    Received(Box<Message>),
    /// Everything handed over is on its way; the next line can come.
    Drained,
    /// The connection is lost, for this reason.
    Lost(String),
}

/// The crate's transport on a socket that has passed the sieve. Pinned, because its timers are.
type Sieved = Pin<Box<Transport<Tolerant<Box<dyn Socket>>>>>;

/// A connection.
pub(super) struct Wire {
    transport: Sieved,
    /// What the transport wants to say by itself: `PONG` and its own `PING`.
    automatic: mpsc::UnboundedReceiver<Message>,
    /// Handed over and not yet taken by the transport.
    waiting: VecDeque<WireLine>,
    /// Whether the transport holds bytes that the system has not taken.
    flushing: bool,
    /// Whether the next poll looks at the incoming side first, so that a steady stream of lines does not deafen it.
    read_first: bool,
    automatic_bytes: Vec<usize>,
}

impl Wire {
    /// Speaks IRC on a socket.
    ///
    /// # Errors
    /// Never with the encoding that is used; the crate's signature allows for unknown ones.
    pub(super) fn new(socket: Box<dyn Socket>) -> io::Result<Self> {
        let config = Config {
            ping_time: Some(PING_EVERY.as_secs() as u32),
            ping_timeout: Some(PING_TIMEOUT.as_secs() as u32),
            ..Config::default()
        };
        let codec = IrcCodec::new("UTF-8").map_err(io::Error::other)?;
        let (send, automatic) = mpsc::unbounded_channel();
        let transport = Transport::new(&config, Framed::new(Tolerant::new(socket), codec), send);
        Ok(Self {
            transport: Box::pin(transport),
            automatic,
            waiting: VecDeque::new(),
            flushing: false,
            read_first: false,
            automatic_bytes: Vec::new(),
        })
    }

    /// Whether everything handed over is on its way.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.flushing
    }

    /// Hands a line over.
    pub(super) fn send(&mut self, line: WireLine) {
        self.waiting.push_back(line);
    }

    /// The lengths of the lines that went out by themselves since the last call, for the limiter.
    pub(super) fn take_automatic_bytes(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.automatic_bytes)
    }

    /// Waits for the next event. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Event {
        poll_fn(|cx| self.poll(cx)).await
    }

    /// Says goodbye and waits for the server to close, but not long.
    pub(super) async fn quit(mut self, line: WireLine) {
        self.waiting.clear();
        self.send(line);
        let goodbye = async { while !matches!(self.next().await, Event::Lost(_)) {} };
        let _ = tokio::time::timeout(QUIT_TIMEOUT, goodbye).await;
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        while let Poll::Ready(Some(message)) = self.automatic.poll_recv(cx) {
            match automatic_line(&message.command) {
                // A server that asks on and on and reads nothing is not answered: the ping timeout ends it.
                Some(_) if self.waiting.len() >= WAITING_MAX_COUNT => {}
                Some(line) => {
                    self.automatic_bytes.push(line.bytes());
                    self.waiting.push_front(line);
                }
                None => tracing::debug!("a PING that cannot be answered"),
            }
        }
        if std::mem::take(&mut self.read_first)
            && let Poll::Ready(event) = self.poll_read(cx)
        {
            return Poll::Ready(event);
        }
        match self.poll_write(cx) {
            Poll::Ready(Ok(())) => {
                self.read_first = true;
                return Poll::Ready(Event::Drained);
            }
            Poll::Ready(Err(error)) => return Poll::Ready(Event::Lost(reason(&error))),
            Poll::Pending => {}
        }
        self.poll_read(cx)
    }

    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        self.transport.as_mut().poll_next(cx).map(|item| match item {
            Some(Ok(message)) => Event::Received(Box::new(message)),
            Some(Err(error)) => Event::Lost(reason(&error)),
            None => Event::Lost("the server closed the connection".to_owned()),
        })
    }

    /// Ready when there was something to write and all of it is on its way.
    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), irc::error::Error>> {
        if self.is_idle() {
            return Poll::Pending;
        }
        while !self.waiting.is_empty() {
            std::task::ready!(self.transport.as_mut().poll_ready(cx))?;
            if let Some(line) = self.waiting.pop_front() {
                self.transport.as_mut().start_send(line.into_message())?;
                self.flushing = true;
            }
        }
        std::task::ready!(self.transport.as_mut().poll_flush(cx))?;
        self.flushing = false;
        Poll::Ready(Ok(()))
    }
}

/// The transport's own lines pass the gate like all others.
fn automatic_line(command: &Command) -> Option<WireLine> {
    match command {
        Command::PONG(token, None) => gate::command("PONG", &[token]).ok(),
        Command::PING(token, None) => gate::command("PING", &[token]).ok(),
        _ => None,
    }
}

/// An error without the text of the line that caused it.
fn reason(error: &irc::error::Error) -> String {
    match error {
        irc::error::Error::Io(error) => format!("the connection broke: {error}"),
        irc::error::Error::PingTimeout => format!("no answer to a PING in {} seconds", PING_TIMEOUT.as_secs()),
        irc::error::Error::InvalidMessage { .. } => "the server sent something that is no message".to_owned(),
        _ => "the connection failed".to_owned(),
    }
}
