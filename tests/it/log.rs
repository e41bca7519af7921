//! What the program logs, for tests that search it: what must not be there shows at the most talkative setting first.

use std::{
    io,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// A second subscriber, which nobody reads. While there is just one, `tracing` asks only the thread that first comes by
/// a place of logging whether anybody listens there. It keeps the answer for all threads, those of the test too.
static SECOND: LazyLock<tracing::Dispatch> = LazyLock::new(|| {
    let nobody = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(io::sink);
    nobody.finish().into()
});

/// Everything that is logged while it is set.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// What to log with, at the most talkative setting.
    pub(crate) fn dispatch(&self) -> tracing::Dispatch {
        LazyLock::force(&SECOND);
        let writer = self.clone();
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_ansi(false);
        log.with_writer(move || writer.clone()).finish().into()
    }

    /// What was logged up to now.
    pub(crate) fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        String::from_utf8(bytes).expect("a log is UTF-8")
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
