//! A socket that acknowledges at once what it has read.
//!
//! The kernel keeps an acknowledgement back for some 40 ms where it expects an answer that could carry it. The last line
//! of an exchange is mostly the server's: the `PONG` of a fence. Where the server has left Nagle's algorithm on, it keeps
//! the next line back until that acknowledgement comes. So each command would wait for those 40 ms.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection over TCP. Under TLS it is the inner one.
#[derive(Debug)]
pub(super) struct Prompt(TcpStream);

impl Prompt {
    /// Wraps a connection that was made.
    pub(super) fn new(stream: TcpStream) -> Self {
        Self(stream)
    }
}

/// Sends the acknowledgement that is due. The kernel forgets this with the next answer, so that it is asked again after
/// each read.
#[cfg(target_os = "linux")]
fn acknowledge(stream: &TcpStream) {
    // Without it lines come later, and none is lost.
    let _ = stream.set_quickack(true);
}

/// Other systems have no such setting.
#[cfg(not(target_os = "linux"))]
fn acknowledge(_stream: &TcpStream) {}

impl AsyncRead for Prompt {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.0).poll_read(cx, buf))?;
        acknowledge(&self.0);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Prompt {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn what_was_read_is_acknowledged_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut prompt = Prompt::new(TcpStream::connect(listener.local_addr().unwrap()).await.unwrap());
        let (mut server, _) = listener.accept().await.unwrap();
        for _ in 0..2 {
            // As after an answer that carried an acknowledgement.
            prompt.0.set_quickack(false).unwrap();
            assert!(!prompt.0.quickack().unwrap());
            server.write_all(b"PONG\r\n").await.unwrap();
            let mut line = [0; 6];
            prompt.read_exact(&mut line).await.unwrap();
            assert!(prompt.0.quickack().unwrap());
        }
    }
}
