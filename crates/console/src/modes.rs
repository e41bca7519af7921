//! The modes of a terminal, from the moment when the console takes it until it is given back.
//!
//! Between two lines, too, the terminal gives what is typed whole and echoes nothing, and a paste says where it begins
//! and ends. Otherwise what comes while a command is being done would be cut after 4,095 bytes.

#[cfg(unix)]
pub use unix::Modes;
#[cfg(unix)]
pub(super) use unix::{discard_input, suspend};

#[cfg(not(unix))]
pub use elsewhere::Modes;
#[cfg(not(unix))]
pub(super) use elsewhere::{discard_input, suspend};

#[cfg(unix)]
mod unix {
    use std::{
        io::{self, Write as _},
        sync::{Mutex, PoisonError},
        time::Duration,
    };

    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        process::{Signal, kill_current_process_group},
        termios::{self, LocalModes, OptionalActions, QueueSelector, Termios},
    };

    /// Has a paste say where it begins and ends, and no longer.
    const PASTES_MARKED: &[u8] = b"\x1b[?2004h";
    const PASTES_PLAIN: &[u8] = b"\x1b[?2004l";

    /// How long the process may take to stop after it was told to: the signal may go to another thread.
    const SUSPEND_PAUSE: Duration = Duration::from_millis(50);

    /// How long a terminal is quiet before what was thrown away counts as all of it.
    const DISCARD_PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

    /// How often it is emptied: a terminal holds 4 KiB, so this is a paste of 40 MB.
    const DISCARD_MAX_COUNT: usize = 10_000;

    /// How the terminal was before the console took it; the shell wants it back so.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// The terminal in the console's modes. Dropped, it has those again that it had.
    #[derive(Debug)]
    pub struct Modes(());

    impl Modes {
        /// Takes the terminal that the program was started in.
        ///
        /// # Errors
        ///
        /// What the terminal reports.
        pub fn take() -> io::Result<Self> {
            let before = termios::tcgetattr(io::stdin())?;
            let mut quiet = before.clone();
            // Ctrl-C, too, is for the line that comes next: it does not end a bot because it was pressed too soon.
            quiet.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
            termios::tcsetattr(io::stdin(), OptionalActions::Drain, &quiet)?;
            say(PASTES_MARKED)?;
            *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
            Ok(Self(()))
        }
    }

    impl Drop for Modes {
        fn drop(&mut self) {
            give_back();
            *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    fn say(sequence: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(sequence)?;
        out.flush()
    }

    /// Where the terminal is gone, nobody misses its modes.
    fn give_back() {
        let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = before.as_ref() {
            let _ = say(PASTES_PLAIN);
            let _ = termios::tcsetattr(io::stdin(), OptionalActions::Drain, before);
        }
    }

    /// Stops the program with the terminal as the shell wants it; returns when it goes on.
    pub(in super::super) fn suspend() {
        let Ok(now) = termios::tcgetattr(io::stdin()) else { return };
        give_back();
        if kill_current_process_group(Signal::TSTP).is_ok() {
            pause();
        }
        let _ = termios::tcsetattr(io::stdin(), OptionalActions::Drain, &now);
        let _ = say(PASTES_MARKED);
    }

    #[expect(clippy::disallowed_methods, reason = "on the editor's own thread, which is about to be stopped")]
    fn pause() {
        std::thread::sleep(SUSPEND_PAUSE);
    }

    /// Throws away what was typed or pasted and not read, until nothing more comes.
    pub(in super::super) fn discard_input() {
        for _ in 0..DISCARD_MAX_COUNT {
            let input = io::stdin();
            let mut more = [PollFd::new(&input, PollFlags::IN)];
            if poll(&mut more, Some(&DISCARD_PAUSE)).unwrap_or(0) == 0 {
                return;
            }
            let _ = termios::tcflush(io::stdin(), QueueSelector::IFlush);
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    /// The terminal as the editor leaves it.
    #[derive(Debug)]
    pub struct Modes(());

    impl Modes {
        /// Takes the terminal that the program was started in.
        ///
        /// # Errors
        ///
        /// None here.
        pub fn take() -> io::Result<Self> {
            Ok(Self(()))
        }
    }

    pub(in super::super) fn suspend() {}

    pub(in super::super) fn discard_input() {}
}
