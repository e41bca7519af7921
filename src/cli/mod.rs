//! What is typed at a shell: one file a verb, each a set of clap arguments with a `run`.
//!
//! ```text
//! check                       settings and what they name, without acting
//! serve, console              the program as it runs (program): rooms, networks, signals
//! practice                    a console in memory, by a clock moved by hand
//! rehearse                    transcripts, in memory
//! verify, verify-dice         journals against snapshots, draws against seeds
//! export, import              one room
//! backup, restore             the whole database
//! joust                       programs in files, without a room
//! ```
//!
//! A verb writes to what it is given, so that a test reads what a person would. What a person says to the bot is read
//! in `service`.

mod archives;
pub mod backup;
pub mod check;
pub mod console;
pub mod demo;
pub mod error;
pub mod export;
pub mod import;
pub mod joust;
pub mod practice;
pub mod program;
pub mod rehearse;
pub mod restore;
pub mod serve;
pub mod setup;
pub mod verify;
pub mod verify_dice;

use std::{
    future::Future,
    io::{self, IsTerminal as _, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::config::{ConfigError, environment};
use crate::logging;
use error::Error;
use setup::Setup;

/// Runs nomics, games whose rules the players change, on IRC and in this terminal
///
/// Without a command it serves the configured IRC networks, and opens a console where it is started in a terminal.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    setup: Setup,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Serve the configured IRC networks until a signal ends it
    Serve(serve::Serve),
    /// Play in this terminal, or read lines from a pipe
    Console(console::Console),
    /// Look around in rooms with a month of play in them, and play on
    Demo(demo::Demo),
    /// Try things out: nothing is kept, the clock stands until you move it, and dice fall alike every time
    Practice(practice::Practice),
    /// Play transcripts in memory and compare what happens with what they expect
    Rehearse(rehearse::Rehearse),
    /// Look whether all settings can be used: addresses, certificates, tokens, the database; nothing is done
    Check(check::Check),
    /// Replay the journals of a database and compare them with its snapshots
    Verify(verify::Verify),
    /// Write the public history of a room to a file
    Export(export::Export),
    /// Open a room from an exported file
    Import(import::Import),
    /// Write a copy of the database, while it is in use or not
    Backup(backup::Backup),
    /// Bring a backup back, where no database is yet
    Restore(restore::Restore),
    /// Play jousts of programs in files, without a room
    Joust(joust::Joust),
    /// Check the draws of a room against its seeds
    VerifyDice(verify_dice::VerifyDice),
}

/// Reads the command line, does what it says, and says how that ended.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(help) => {
            // Where nobody can be told, the exit code still says it.
            let _ = help.print();
            return ExitCode::from(u8::try_from(help.exit_code()).unwrap_or(2));
        }
    };
    match cli.run(&mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            error.exit_code()
        }
    }
}

impl Cli {
    fn run(self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let setup = self.setup;
        let at_terminal = io::stdin().is_terminal();
        let prompts =
            at_terminal && matches!(self.verb, None | Some(Verb::Console(_) | Verb::Demo(_) | Verb::Practice(_)));
        let in_memory = matches!(self.verb, Some(Verb::Rehearse(_) | Verb::Joust(_) | Verb::Practice(_)));
        logging::start(prompts || in_memory || matches!(self.verb, Some(Verb::Check(_))), &environment);
        if in_memory {
            // These read no configuration, which says it otherwise.
            let wrong = logging::mistakes(&environment);
            if !wrong.is_empty() {
                return Err(ConfigError::new(wrong).into());
            }
        }
        match self.verb {
            None if at_terminal => {
                let console = Some(program::Seat::default());
                finish(program::run(&setup.config()?, program::Parts { networks: true, console }))
            }
            None => finish(serve::Serve {}.run(&setup)),
            Some(Verb::Serve(serve)) => finish(serve.run(&setup)),
            Some(Verb::Console(console)) => finish(console.run(&setup)),
            Some(Verb::Practice(practice)) => finish(practice.run()),
            Some(Verb::Demo(demo)) => finish(demo.run(&setup, out)),
            Some(Verb::Check(check)) => finish(check.run(&setup, out)),
            Some(Verb::Rehearse(rehearse)) => finish(rehearse.run(&setup, out)),
            Some(Verb::Verify(verify)) => finish(verify.run(&setup, out)),
            Some(Verb::Export(export)) => finish(export.run(&setup, out)),
            Some(Verb::Import(import)) => finish(import.run(&setup, out)),
            Some(Verb::Backup(backup)) => finish(backup.run(&setup, out)),
            Some(Verb::Restore(restore)) => finish(restore.run(&setup, out)),
            Some(Verb::Joust(joust)) => joust.run(out),
            Some(Verb::VerifyDice(verify)) => finish(verify.run(&setup, out)),
        }
    }
}

/// Runs a verb to its end. What still runs then is left behind. A thread that waits for a terminal or writes to a pipe
/// that nobody reads cannot be asked to stop.
fn finish(verb: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|why| Error::Failed(format!("The threads that the program runs on cannot be started: {why}.")))?;
    let done = runtime.block_on(verb);
    runtime.shutdown_background();
    done
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use store::Address;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_stand_before_or_after_the_verb() {
        for line in [["rulekeeper", "--database", "a.db", "console"], ["rulekeeper", "console", "--database", "a.db"]] {
            let cli = Cli::try_parse_from(line).unwrap();
            assert_eq!(cli.setup.database.as_ref().map(Address::expose), Some("a.db"));
            assert!(matches!(cli.verb, Some(Verb::Console(_))));
        }
    }
}
