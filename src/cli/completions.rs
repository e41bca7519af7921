//! `rulekeeper completions`: what a shell needs to complete this command line.

use std::io::Write;

use clap_complete::Shell;

use super::error::Error;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Writes the completions for the command line that `command` defines.
    ///
    /// # Errors
    /// [`Error::Output`].
    pub fn run(self, mut command: clap::Command, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        Ok(out.write_all(&script)?)
    }
}
