//! `rulekeeper man`: pages of the manual, made from the definition of the command line.

use std::io::Write;

use super::error::Error;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Man {
    /// The verb that the page is about; without one, the program
    verb: Option<String>,
}

impl Man {
    /// Writes a page about the command line that `command` defines.
    ///
    /// # Errors
    /// [`Error::Input`] where there is no such verb, [`Error::Output`].
    pub fn run(self, mut command: clap::Command, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        command.build();
        let about = match &self.verb {
            None => command,
            // It is found in the manual as rulekeeper-serve, which is how building has called it.
            Some(verb) => command
                .find_subcommand(verb)
                .cloned()
                .ok_or_else(|| Error::Input(format!("There is no verb {verb}: see “rulekeeper help”.")))?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(about).render(&mut page)?;
        Ok(out.write_all(&page)?)
    }
}
