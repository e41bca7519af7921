//! What the program logs, for tests that search it: what must not be there shows at the most talkative setting first.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

/// Everything that is logged while it is set.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// What to log with, at the most talkative setting.
    pub(crate) fn dispatch(&self) -> tracing::Dispatch {
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
