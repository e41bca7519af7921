//! `rulekeeper joust`: the program `bfjoust`, for people who try programs before they submit them, and for the tools
//! that they build.
//!
//! Its arguments and its work are those of the crate. What is added here is that it can play by a room's tournament, as
//! its exported file has it; of the room's programs it sees nothing.

use std::io::{self, Cursor, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bfjoust::{
    Tournament,
    cli::{Arguments, Failure},
};

use super::{archives, error::Error};
use crate::service::archive;

/// The arguments: those of `bfjoust`, and one more.
#[derive(Debug, clap::Args)]
pub struct Joust {
    /// Play and rank by the tournament of a room, as its exported file has it
    #[arg(long, value_name = "FILE", global = true, help_heading = "Rules", conflicts_with = "rules")]
    room: Option<PathBuf>,
    #[command(flatten)]
    arguments: Arguments,
}

impl Joust {
    /// Plays, and writes the answer to `out`. A reader that has closed its end has had enough: no error.
    ///
    /// # Errors
    /// [`Error::Input`] for a file that is no program or no room of jousts; [`Error::Output`] where the answer cannot
    /// be written.
    pub fn run(self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let given = self.room.as_deref().map(tournament).transpose()?;
        self.arguments.run(given, out).map_err(|failure| match failure {
            Failure::Input(why) => Error::Input(why),
            Failure::Output(error) => Error::Output(error),
        })
    }
}

/// What a challenge submitted at the end of an archive is played and ranked by.
fn tournament(file: &Path) -> Result<Tournament, Error> {
    // An archive is read twice, and standard input can be read once.
    let mut input = Vec::new();
    let is_input = file == Path::new("-");
    if is_input {
        let read = io::stdin().read_to_end(&mut input);
        read.map_err(|error| Error::Input(format!("Standard input cannot be read: {error}.")))?;
    }
    let input: Arc<[u8]> = input.into();
    let open = || if is_input { Ok(Box::new(Cursor::new(input.clone())) as _) } else { archives::reader(file) };
    let checked = archive::check(&open).map_err(|error| archives::unusable(file, error))?;
    let of = |why: String| Error::Input(format!("{} says nothing to joust by: {why}.", file.display()));
    if checked.view().game() != <joust::Joust as kernel::Game>::NAME {
        return Err(of("its room plays another game".to_owned()));
    }
    joust::tournament(checked.view().rules()).map_err(|refusal| of(refusal.say))
}

#[cfg(test)]
mod tests;
