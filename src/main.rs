//! The program: what `rulekeeper` does when somebody types it. Everything it does is in the library.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use rulekeeper::cli;

/// Runs nomics, games whose rules the players change, on Discord and IRC
#[derive(clap::Parser)]
#[command(version)]
enum Command {
    /// Play jousts of programs in files, without a room
    #[command(subcommand)]
    Joust(cli::joust::Joust),
}

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let done = match Command::parse() {
        Command::Joust(joust) => joust.run(&mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody can be told, the exit code still says it.
            let _ = writeln!(std::io::stderr(), "{error}");
            error.exit_code()
        }
    }
}
