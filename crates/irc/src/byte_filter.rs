//! Incoming bytes, made fit for the codec.
//!
//! The codec ends a connection at the first line that is not UTF-8 or that it cannot parse. So anybody in a channel
//! could throw the bot off the network with one byte of Latin-1. [`Tolerant`] stands between the socket and the codec.
//! It replaces bytes that are no UTF-8, takes CR and NUL out of lines, and drops lines that are too long or no message.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use irc_proto::Message;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Longest line that is looked at, in bytes: the 8191 of a tag section and generously more text than the 512 that
/// servers keep to. A longer one is dropped whole.
pub(super) const INCOMING_LINE_MAX_BYTES: usize = 16 * 1024;

/// How much is read from the socket at once, in bytes.
const READ_BYTES: usize = 4 * 1024;

/// Turns bytes into lines that the codec takes, whatever the bytes are.
#[derive(Debug, Default)]
pub(super) struct Sieve {
    /// The line that has begun, without its end.
    open: Vec<u8>,
    /// Whether the line that has begun is already too long.
    overlong: bool,
    /// Lines dropped so far.
    dropped: u64,
}

impl Sieve {
    /// Takes bytes in; appends complete clean lines to `out`, each with CR LF.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (body, ends) = match part.strip_suffix(b"\n") {
                Some(body) => (body, true),
                None => (part, false),
            };
            if self.open.len() + body.len() > INCOMING_LINE_MAX_BYTES {
                self.overlong = true;
                self.open.clear();
            }
            if !self.overlong {
                self.open.extend_from_slice(body);
            }
            if ends {
                self.end(out);
            }
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        let overlong = std::mem::take(&mut self.overlong);
        let line = std::mem::take(&mut self.open);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if overlong {
            return self.drop_line("too long", INCOMING_LINE_MAX_BYTES);
        }
        if line.is_empty() {
            return;
        }
        let mut text = String::from_utf8_lossy(line).replace(['\r', '\0'], " ");
        text.push_str("\r\n");
        if text.parse::<Message>().is_err() {
            return self.drop_line("not a message", line.len());
        }
        out.extend_from_slice(text.as_bytes());
    }

    fn drop_line(&mut self, why: &str, bytes: usize) {
        self.dropped += 1;
        tracing::debug!(why, bytes, dropped = self.dropped, "dropped a line from the server");
    }
}

/// A socket whose incoming side has passed the sieve.
#[derive(Debug)]
pub(super) struct Tolerant<S> {
    inner: S,
    sieve: Sieve,
    clean: Vec<u8>,
    /// How much of `clean` was handed on.
    taken: usize,
}

impl<S> Tolerant<S> {
    /// Wraps a socket.
    pub(super) fn new(inner: S) -> Self {
        Self { inner, sieve: Sieve::default(), clean: Vec::new(), taken: 0 }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Tolerant<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            if this.taken < this.clean.len() {
                let rest = &this.clean[this.taken..];
                let count = rest.len().min(buf.remaining());
                buf.put_slice(&rest[..count]);
                this.taken += count;
                return Poll::Ready(Ok(()));
            }
            this.clean.clear();
            this.taken = 0;
            let mut raw = [0; READ_BYTES];
            let mut raw = ReadBuf::new(&mut raw);
            std::task::ready!(Pin::new(&mut this.inner).poll_read(cx, &mut raw))?;
            if raw.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.sieve.push(raw.filled(), &mut this.clean);
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tolerant<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sift(bytes: &[u8]) -> (String, u64) {
        let mut sieve = Sieve::default();
        let mut out = Vec::new();
        sieve.push(bytes, &mut out);
        (String::from_utf8(out).unwrap(), sieve.dropped)
    }

    #[test]
    fn latin_1_becomes_utf_8_and_the_line_survives() {
        let (lines, dropped) = sift(b":a!b@c PRIVMSG #n :caf\xe9\r\nPING x\n");
        assert_eq!((lines.as_str(), dropped), (":a!b@c PRIVMSG #n :caf\u{fffd}\r\nPING x\r\n", 0));
    }

    #[test]
    fn a_cr_or_nul_inside_a_line_is_a_space() {
        assert_eq!(sift(b":a PRIVMSG b :x\ry\0z\r\n").0, ":a PRIVMSG b :x y z\r\n");
    }

    #[test]
    fn a_prefix_without_a_command_is_dropped_and_the_next_line_survives() {
        assert_eq!(sift(b":x :y\r\n\r\nPING z\r\n"), ("PING z\r\n".to_owned(), 1));
    }

    #[test]
    fn a_line_without_end_takes_no_memory_and_the_next_one_survives() {
        let mut sieve = Sieve::default();
        let mut out = Vec::new();
        for _ in 0..100 {
            sieve.push(&[b'x'; 4096], &mut out);
            assert!(sieve.open.len() <= INCOMING_LINE_MAX_BYTES);
        }
        sieve.push(b"\r\nPING a\r\n", &mut out);
        assert_eq!((out.as_slice(), sieve.dropped), (b"PING a\r\n".as_slice(), 1));
    }

    #[test]
    fn ten_kilobytes_pass() {
        let line = format!(":a!b@c PRIVMSG d :{}\r\n", "x".repeat(10_000));
        assert_eq!(sift(line.as_bytes()).0, line);
    }

    proptest! {
        #[test]
        fn whatever_comes_in_parses_and_does_not_depend_on_how_it_was_cut(
            lines in proptest::collection::vec(
                prop_oneof![
                    proptest::collection::vec(any::<u8>(), 0..80),
                    "(@[a-z;=]{0,9} )?(:[a-z!@.]{0,9} )?(MODE|CAP|BATCH|PRIVMSG|NICKSERV|KICK|005|[0-9]{3})( [#a-z+:*-]{0,6}){0,5}"
                        .prop_map(String::into_bytes),
                ],
                0..6,
            ),
            at in any::<proptest::sample::Index>(),
        ) {
            let bytes = lines.join(b"\r\n".as_slice());
            let (whole, _) = sift(&bytes);
            for line in whole.split_inclusive("\r\n") {
                prop_assert!(line.parse::<Message>().is_ok());
            }
            let (left, right) = bytes.split_at(at.index(bytes.len() + 1));
            let mut sieve = Sieve::default();
            let mut out = Vec::new();
            sieve.push(left, &mut out);
            sieve.push(right, &mut out);
            prop_assert_eq!(out, whole.into_bytes());
        }
    }
}
