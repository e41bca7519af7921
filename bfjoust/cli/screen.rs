//! A terminal that answers key by key, where there is one.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Quit,
    Pause,
    Step,
    Back,
    Leap,
    LeapBack,
    Start,
    End,
    Faster,
    Slower,
    Other,
}

impl Key {
    /// What was typed, as a terminal sends it.
    #[cfg_attr(not(unix), allow(dead_code))]
    fn of(typed: &[u8]) -> Key {
        match typed {
            b"q" | b"\x03" | b"\x1b" | b"" => Key::Quit,
            b" " | b"p" => Key::Pause,
            b"l" | b"\x1b[C" | b"\x1b[B" | b"\x1bOC" | b"\x1bOB" => Key::Step,
            b"h" | b"\x1b[D" | b"\x1b[A" | b"\x1bOD" | b"\x1bOA" => Key::Back,
            b"L" | b"\x1b[6~" => Key::Leap,
            b"H" | b"\x1b[5~" => Key::LeapBack,
            b"0" | b"\x1b[H" | b"\x1bOH" | b"\x1b[1~" => Key::Start,
            b"$" | b"\x1b[F" | b"\x1bOF" | b"\x1b[4~" => Key::End,
            b"+" | b"=" => Key::Faster,
            b"-" => Key::Slower,
            _ => Key::Other,
        }
    }
}

/// A terminal whose keys are read one by one, until this is dropped.
pub(super) struct Screen {
    #[cfg(unix)]
    terminal: std::fs::File,
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

impl Screen {
    /// A page of its own without a cursor, and back.
    pub(super) const BEGIN: &str = "\x1b[?1049h\x1b[?25l";
    pub(super) const END: &str = "\x1b[?25h\x1b[?1049l";
    /// To the top, the end of a line, and the end of all.
    pub(super) const TOP: &str = "\x1b[H";
    pub(super) const LINE: &str = "\x1b[K\r\n";
    pub(super) const REST: &str = "\x1b[J";
}

#[cfg(unix)]
impl Screen {
    /// The terminal of this process, also where standard input is a program. None where there is none.
    pub(super) fn open() -> Option<Screen> {
        use std::io::IsTerminal as _;
        use std::os::fd::AsFd as _;

        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        let input = std::io::stdin();
        let terminal = if input.is_terminal() {
            input.as_fd().try_clone_to_owned().ok()?.into()
        } else {
            std::fs::File::open("/dev/tty").ok()?
        };
        let before = tcgetattr(&terminal).ok()?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&terminal, OptionalActions::Now, &raw).ok()?;
        Some(Screen { terminal, before })
    }

    /// Columns and lines, where the terminal knows them.
    pub(super) fn size(&self) -> Option<(usize, usize)> {
        let size = rustix::termios::tcgetwinsize(&self.terminal).ok()?;
        (size.ws_col > 0 && size.ws_row > 0).then(|| (size.ws_col.into(), size.ws_row.into()))
    }

    /// The next key; `None` after a moment without one, where that is not to be waited for.
    pub(super) fn key(&mut self, soon: bool) -> Option<Key> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use std::io::Read as _;
        const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 33_000_000 };
        let mut asked = [PollFd::new(&self.terminal, PollFlags::IN)];
        if soon && poll(&mut asked, Some(&MOMENT)) == Ok(0) {
            return None;
        }
        // A key is sent in one piece. A terminal that is gone sends nothing for ever, which is to quit.
        let mut typed = [0; 8];
        let count = self.terminal.read(&mut typed).unwrap_or(0);
        Some(Key::of(&typed[..count]))
    }
}

#[cfg(unix)]
impl Drop for Screen {
    fn drop(&mut self) {
        let _ = rustix::termios::tcsetattr(&self.terminal, rustix::termios::OptionalActions::Now, &self.before);
    }
}

#[cfg(not(unix))]
impl Screen {
    /// Keys one by one are for systems that have terminals as files.
    pub(super) fn open() -> Option<Screen> {
        None
    }

    pub(super) fn size(&self) -> Option<(usize, usize)> {
        None
    }

    pub(super) fn key(&mut self, _soon: bool) -> Option<Key> {
        Some(Key::Quit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_what_terminals_send_for_them() {
        for (typed, key) in [
            (&b"q"[..], Key::Quit),
            (b"\x03", Key::Quit),
            (b" ", Key::Pause),
            (b"\x1b[C", Key::Step),
            (b"\x1bOD", Key::Back),
            (b"\x1b[5~", Key::LeapBack),
            (b"\x1b[F", Key::End),
            (b"x", Key::Other),
        ] {
            assert_eq!(Key::of(typed), key, "{typed:?}");
        }
    }
}
