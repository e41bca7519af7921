//! What is typed at a shell: one file a verb, each a set of clap arguments with a `run`.
//!
//! ```text
//! check                       settings and what they name, without acting
//! serve, console, worker      the program as it runs (program): rooms, networks, long works, signals
//! practice                    a console in memory, by a clock moved by hand
//! rehearse                    transcripts, in memory
//! ruleset                     a folder of rules: new, checked, tested
//! verify, verify-dice         journals against snapshots, draws against seeds
//! export, import              one room
//! backup, restore, move       the whole database
//! joust                       programs in files, without a room
//! health                      whether the process that serves is well
//! completions, man            what the shell and the manual know of all this
//! ```
//!
//! A verb writes to what it is given, so that a test reads what a person would. What a person says to the bot is read
//! in `service`.

mod archives;
pub mod backup;
pub mod check;
pub mod completions;
pub mod console;
pub mod demo;
pub mod error;
pub mod export;
pub mod health;
pub mod import;
pub mod joust;
pub mod man;
pub mod move_to;
pub mod practice;
pub mod program;
pub mod rehearse;
pub mod restore;
pub mod ruleset;
pub mod serve;
pub mod setup;
pub mod verify;
pub mod verify_dice;
pub mod worker;

use std::{
    future::Future,
    io::{self, IsTerminal as _, Write},
    process::ExitCode,
};

use clap::{CommandFactory as _, Parser};

use crate::config::{ConfigError, environment};
use crate::logging;
use error::Error;
use setup::Setup;

/// Runs nomics, games whose rules the players change, on Discord, on IRC and in this terminal
///
/// Without a command it serves Discord and the networks of IRC that are set, and opens a console where it is started in a
/// terminal.
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
    /// Serve Discord, the networks of IRC that are set, and the web pages until a signal ends it
    Serve(serve::Serve),
    /// Play the long works of all rooms, for processes on the same database that leave them to it
    Worker(worker::Worker),
    /// Play in this terminal, or read lines from a pipe
    Console(console::Console),
    /// Look around in rooms with a month of play in them, and play on
    Demo(demo::Demo),
    /// Try things out: nothing is kept, the clock stands until you move it, and dice fall alike every time
    Practice(practice::Practice),
    /// Make a game of your own: a folder of rules, each of them words with a law
    Ruleset(ruleset::Ruleset),
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
    /// Take everything to another database, such as from a file to Postgres
    Move(move_to::Move),
    /// Play jousts of programs in files, without a room
    Joust(joust::Joust),
    /// Check the draws of a room against its seeds
    VerifyDice(verify_dice::VerifyDice),
    /// Ask the process that serves whether it is well, for whatever watches it
    Health(health::Health),
    /// Write what a shell needs to complete this command line
    Completions(completions::Completions),
    /// Write the page of the manual, of the program or of one verb
    Man(man::Man),
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
        let in_memory = matches!(
            self.verb,
            Some(
                Verb::Ruleset(_)
                    | Verb::Rehearse(_)
                    | Verb::Joust(_)
                    | Verb::Practice(_)
                    | Verb::Completions(_)
                    | Verb::Man(_)
            )
        );
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
                finish(program::run(&setup.config()?, program::Parts { networks: true, console, worker: false }))
            }
            None => finish(serve::Serve {}.run(&setup)),
            Some(Verb::Serve(serve)) => finish(serve.run(&setup)),
            Some(Verb::Worker(worker)) => finish(worker.run(&setup)),
            Some(Verb::Console(console)) => finish(console.run(&setup)),
            Some(Verb::Practice(practice)) => finish(practice.run()),
            Some(Verb::Demo(demo)) => finish(demo.run(&setup, out)),
            Some(Verb::Check(check)) => finish(check.run(&setup, out)),
            Some(Verb::Ruleset(ruleset)) => finish(ruleset.run(out)),
            Some(Verb::Rehearse(rehearse)) => finish(rehearse.run(&setup, out)),
            Some(Verb::Verify(verify)) => finish(verify.run(&setup, out)),
            Some(Verb::Export(export)) => finish(export.run(&setup, out)),
            Some(Verb::Import(import)) => finish(import.run(&setup, out)),
            Some(Verb::Backup(backup)) => finish(backup.run(&setup, out)),
            Some(Verb::Restore(restore)) => finish(restore.run(&setup, out)),
            Some(Verb::Move(to)) => finish(to.run(&setup, out)),
            Some(Verb::Joust(joust)) => joust.run(out),
            Some(Verb::VerifyDice(verify)) => finish(verify.run(&setup, out)),
            Some(Verb::Health(health)) => finish(health.run(&setup, out)),
            Some(Verb::Completions(completions)) => completions.run(Self::command(), out),
            Some(Verb::Man(man)) => man.run(Self::command(), out),
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

    /// What the program writes to standard output for such arguments.
    fn written(line: &[&str]) -> String {
        let mut out = Vec::new();
        Cli::try_parse_from(line).unwrap().run(&mut out).unwrap();
        String::from_utf8(out).expect("it is text")
    }

    /// All verbs, with what belongs to each.
    fn verbs() -> Vec<clap::Command> {
        let mut command = Cli::command();
        command.build();
        let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
        verbs.cloned().collect()
    }

    #[test]
    fn shells_complete_every_verb_with_its_flags() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let script = written(&["rulekeeper", "completions", shell]);
            for verb in verbs() {
                assert!(script.contains(verb.get_name()), "{shell} does not know {}", verb.get_name());
                for flag in verb.get_arguments().filter_map(|argument| argument.get_long()) {
                    assert!(script.contains(flag), "{shell} does not know --{flag} of {}", verb.get_name());
                }
            }
        }
    }

    #[test]
    fn the_manual_has_a_page_for_the_program_and_one_for_each_verb_with_its_flags() {
        // In a page a hyphen stands behind a backslash.
        let page = |line: &[&str]| written(line).replace("\\-", "-");
        let whole = page(&["rulekeeper", "man"]);
        assert!(whole.contains(".TH rulekeeper 1"), "{whole}");
        for verb in verbs() {
            let name = verb.get_name();
            assert!(whole.contains(&format!("rulekeeper-{name}(1)")), "the page leaves {name} out: {whole}");
            let own = page(&["rulekeeper", "man", name]);
            assert!(own.contains(&format!(".TH rulekeeper-{name} 1")), "{own}");
            for flag in verb.get_arguments().filter_map(|argument| argument.get_long()) {
                assert!(own.contains(&format!("--{flag}")), "the page of {name} leaves --{flag} out: {own}");
            }
        }
        let none = Cli::try_parse_from(["rulekeeper", "man", "fly"]).unwrap().run(&mut Vec::new()).unwrap_err();
        assert_eq!(none.exit_status(), 2, "{none}");
    }
}
