//! `bfjoust`: charges and hills of files, in a terminal. All of it is the library's `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bfjoust::cli::main()
}
