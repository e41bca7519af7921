//! What is typed at a shell: one file a verb, each a set of clap arguments with a `run`.
//!
//! ```text
//! check                       settings and what they name, without acting
//! serve, console              the program as it runs (program): rooms, networks, signals
//! rehearse                    transcripts, in memory
//! verify, verify-dice         journals against snapshots, draws against seeds
//! export, import              one room
//! backup, restore             the whole database
//! joust                       programs in files, without a room
//! ```
//!
//! A verb writes to what it is given, so that a test reads what a person would. What a person says to the bot is absent:
//! that is the service's.

mod archives;
pub mod backup;
pub mod check;
pub mod console;
pub mod export;
pub mod import;
pub mod joust;
pub mod program;
pub mod rehearse;
pub mod restore;
pub mod serve;
pub mod verify;
pub mod verify_dice;

use std::{
    future::Future,
    io::{self, IsTerminal as _, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::Parser;

use crate::config::{Config, ConfigError, Flags, environment};
use crate::logging;
use crate::service::Fault;
use store::{Address, Options, Store, StoreError};

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

/// What every verb can be told.
#[derive(Clone, Debug, clap::Args)]
pub struct Setup {
    /// The database: a path, or sqlite:PATH
    #[arg(long, global = true, value_name = "PATH", help = help::DATABASE)]
    database: Option<Address>,
    /// The configuration file
    #[arg(long, global = true, value_name = "FILE", help = help::CONFIG)]
    config: Option<PathBuf>,
}

/// Help that names variables, which a documentation comment would take for code.
mod help {
    pub(super) const DATABASE: &str =
        "The database: a path, or sqlite:PATH [env: RULEKEEPER_DATABASE, DATABASE_URL] [default: rulekeeper.db]";
    pub(super) const CONFIG: &str =
        "The configuration file [env: RULEKEEPER_CONFIG] [default: rulekeeper.toml, where there is one]";
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Serve the configured IRC networks until a signal ends it
    Serve(serve::Serve),
    /// Play in this terminal, or read lines from a pipe
    Console(console::Console),
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
    #[command(subcommand)]
    Joust(joust::Joust),
    /// Check the draws of a room against its seeds
    VerifyDice(verify_dice::VerifyDice),
}

/// Why a command did not do what it was asked to. Its `Display` is a sentence for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something is wrong with what was handed in: a file or an argument.
    #[error("{0}")]
    Input(String),
    /// Settings cannot be used.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The database cannot be used.
    #[error("{}", of_database(.path, .error))]
    Database {
        /// What it was called.
        path: String,
        /// What is wrong.
        error: StoreError,
    },
    /// Something broke, or was found broken.
    #[error("{0}")]
    Failed(String),
    /// The answer could not be written.
    #[error("The answer cannot be written: {0}.")]
    Output(#[from] io::Error),
}

/// What is wrong with a database, with its name where the store's own sentence lacks it.
fn of_database(path: &str, error: &StoreError) -> String {
    match error {
        StoreError::Other(source) => format!("The database {path} cannot be used: {source}."),
        error if error.to_string().contains(path) => error.to_string(),
        error => format!("{error} ({path})"),
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Failed(fault.to_string())
    }
}

impl Error {
    /// What the process ends with: 2 for bad input, as for a bad argument, and 1 for everything else.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_status())
    }

    fn exit_status(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Config(_) => 2,
            Self::Database { .. } | Self::Failed(_) | Self::Output(_) => 1,
        }
    }
}

impl Setup {
    /// The settings, from flags, environment and file.
    ///
    /// # Errors
    /// [`Error::Config`].
    pub fn config(&self) -> Result<Config, Error> {
        Ok(Config::gather(&self.flags(), &environment)?)
    }

    fn flags(&self) -> Flags {
        Flags { database: self.database.clone(), config: self.config.clone() }
    }
}

/// Opens the database of a configuration.
///
/// # Errors
/// [`Error::Database`].
pub async fn open(config: &Config) -> Result<Store, Error> {
    let wrong = |error| Error::Database { path: config.database.to_string(), error };
    Store::open(config.database.expose(), Options::default()).await.map_err(wrong)
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
        let prompts = at_terminal && matches!(self.verb, None | Some(Verb::Console(_)));
        let in_memory = matches!(self.verb, Some(Verb::Rehearse(_) | Verb::Joust(_)));
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

/// Runs a verb to its end. What still runs then is left behind: a thread that waits for a terminal or writes to a pipe
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

    #[test]
    fn a_database_that_cannot_be_used_is_named_once() {
        let newer = Error::Database { path: "a.db".to_owned(), error: StoreError::Newer { found: 9, known: 1 } };
        assert!(newer.to_string().contains("version 9") && newer.to_string().contains("a.db"), "{newer}");
        let foreign = StoreError::Foreign { path: "a.db".to_owned() };
        let foreign = Error::Database { path: "a.db".to_owned(), error: foreign };
        assert_eq!(foreign.to_string().matches("a.db").count(), 1, "{foreign}");
        assert_eq!(newer.exit_status(), 1);
        assert_eq!(Error::Input(String::new()).exit_status(), 2);
    }
}
