//! One connection as a stream of events: the crate's codec, polled for reading and writing by one task.
//!
//! A stalled write must not keep anybody from reading, answering `PING` and noticing that the connection is dead. So
//! both sides are polled together. Lines are handed over one at a time, so that those not yet on their way can still be
//! overtaken. A connection that lags lives; it is dead when nothing comes any more ([`super::liveness`]). `limiter` sets
//! the pace and `queue` the order.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::{Sink, Stream};
use irc_proto::error::ProtocolError;
use irc_proto::{Command, IrcCodec, Message};
use tokio::time::{Instant, Sleep};
use tokio_util::codec::Framed;

use super::byte_filter::Tolerant;
use super::dial::Socket;
use super::gate::{self, Unsendable, WireLine};
use super::liveness::{Beat, Pulse};

/// How long the server may take to close the connection after a `QUIT`.
pub(super) const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Most lines that wait for a socket that takes nothing. The session hands over one at a time; the rest are `PONG`s.
const WAITING_MAX_COUNT: usize = 64;

/// What our own `PING` asks the server to say.
const PING_TOKEN: &str = "alive";

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

/// A connection.
pub(super) struct Wire {
    lines: Framed<Tolerant<Box<dyn Socket>>, IrcCodec>,
    /// Handed over and not yet taken by the codec.
    waiting: VecDeque<WireLine>,
    /// Whether the codec holds bytes that the system has not taken.
    flushing: bool,
    /// Whether the next poll looks at the incoming side first, so that a steady stream of lines does not deafen it.
    read_first: bool,
    automatic_bytes: Vec<usize>,
    /// Whether the connection lives, once that is watched, and when to look again.
    pulse: Option<(Pulse, Pin<Box<Sleep>>)>,
}

impl Wire {
    /// Speaks IRC on a socket.
    ///
    /// # Errors
    /// Never with the encoding that is used; the crate's signature allows for unknown ones.
    pub(super) fn new(socket: Box<dyn Socket>) -> io::Result<Self> {
        let codec = IrcCodec::new("UTF-8").map_err(io::Error::other)?;
        Ok(Self {
            lines: Framed::new(Tolerant::new(socket), codec),
            waiting: VecDeque::new(),
            flushing: false,
            read_first: false,
            automatic_bytes: Vec::new(),
            pulse: None,
        })
    }

    /// Begins to ask the server whether it is there. Before it has let us in, it may not answer.
    pub(super) fn watch(&mut self) {
        let pulse = Pulse::new(Instant::now());
        let look = Box::pin(tokio::time::sleep_until(pulse.next_look()));
        self.pulse = Some((pulse, look));
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
        if let Poll::Ready(why) = self.poll_pulse(cx) {
            // A program that was held up itself finds here what has come in meanwhile.
            return match self.poll_read(cx) {
                Poll::Ready(event) => Poll::Ready(event),
                Poll::Pending => Poll::Ready(Event::Lost(why)),
            };
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

    /// Ready, with the reason, when the connection is dead.
    fn poll_pulse(&mut self, cx: &mut Context<'_>) -> Poll<String> {
        while let Some((pulse, look)) = &mut self.pulse {
            std::task::ready!(look.as_mut().poll(cx));
            let beat = pulse.beat(Instant::now());
            look.as_mut().reset(pulse.next_look());
            match beat {
                Beat::Quiet => {}
                Beat::Ask => self.say_first(gate::command("PING", &[PING_TOKEN])),
                Beat::Dead(why) => return Poll::Ready(why),
            }
        }
        Poll::Pending
    }

    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        let item = std::task::ready!(Pin::new(&mut self.lines).poll_next(cx));
        Poll::Ready(match item {
            Some(Ok(message)) => {
                if let Some((pulse, look)) = &mut self.pulse {
                    pulse.heard(matches!(message.command, Command::PONG(..)), Instant::now());
                    if pulse.next_look() < look.deadline() {
                        look.as_mut().reset(pulse.next_look());
                    }
                }
                if let Command::PING(token, _) = &message.command {
                    self.say_first(gate::command("PONG", &[token]));
                }
                Event::Received(Box::new(message))
            }
            Some(Err(error)) => Event::Lost(reason(&error)),
            None => Event::Lost("the server closed the connection".to_owned()),
        })
    }

    /// Says something by itself, before everything that waits.
    fn say_first(&mut self, line: Result<WireLine, Unsendable>) {
        match line {
            // A server that asks on and on and reads nothing is not answered: its silence ends it.
            Ok(_) if self.waiting.len() >= WAITING_MAX_COUNT => {}
            Ok(line) => {
                self.automatic_bytes.push(line.bytes());
                self.waiting.push_front(line);
            }
            Err(_) => tracing::debug!("a PING that cannot be answered"),
        }
    }

    /// Ready when there was something to write and all of it is on its way.
    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), ProtocolError>> {
        if self.is_idle() {
            return Poll::Pending;
        }
        while !self.waiting.is_empty() {
            std::task::ready!(Pin::new(&mut self.lines).poll_ready(cx))?;
            if let Some(line) = self.waiting.pop_front() {
                Pin::new(&mut self.lines).start_send(line.into_message())?;
                self.flushing = true;
            }
        }
        std::task::ready!(Pin::new(&mut self.lines).poll_flush(cx))?;
        self.flushing = false;
        Poll::Ready(Ok(()))
    }
}

/// An error without the text of the line that caused it.
fn reason(error: &ProtocolError) -> String {
    match error {
        ProtocolError::Io(error) => format!("the connection broke: {error}"),
        ProtocolError::InvalidMessage { .. } => "the server sent something that is no message".to_owned(),
    }
}
