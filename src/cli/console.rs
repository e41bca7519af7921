//! `rulekeeper console`: the terminal, or a pipe, and no network.

use std::io::{self, IsTerminal as _};

use super::{error::Error, program, setup::Setup};
use adapter_console::Session;

/// Longest name of a session, in characters: it is part of what each of its lines is known by.
const SESSION_MAX_CHARS: usize = 32;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Console {
    /// Number the lines of the pipe under this name, so that a line which is fed again acts once
    #[arg(long, value_name = "NAME", value_parser = session_name)]
    session: Option<String>,
    /// Begin at this line of the session; of those before it only "as" is heeded
    #[arg(long, value_name = "LINE", requires = "session", default_value_t = 1)]
    from: u64,
}

impl Console {
    /// Runs the console until its input ends, `quit` is typed or a signal comes.
    ///
    /// # Errors
    /// [`Error::Input`] where somebody types and asks for a session, else as [`program::run`].
    pub async fn run(self, setup: &Setup) -> Result<(), Error> {
        let session = self.session.map(|name| Session { name, from_line: self.from });
        if session.is_some() && io::stdin().is_terminal() {
            return Err(Error::Input(
                "A session is for lines from a pipe or a file: rulekeeper console --session NAME < FILE".to_owned(),
            ));
        }
        let parts =
            program::Parts { console: Some(program::Seat { session, practice: false }), ..program::Parts::default() };
        program::run(&setup.config()?, parts).await
    }
}

fn session_name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if text.is_empty() || text.len() > SESSION_MAX_CHARS || !text.chars().all(plain) {
        return Err(format!("a session has a name of at most {SESSION_MAX_CHARS} letters, digits, “-”, “_” and “.”"));
    }
    Ok(text.to_owned())
}
