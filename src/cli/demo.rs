//! `rulekeeper demo`: five rooms with a month of play in them, to look around in and to play on.
//!
//! The month is a rehearsal that ships with the program (`demo.txt`). It is played once, into a database of its own. The
//! clocks of its rooms are moved by hand, so that nothing happens before somebody wants it to.

use std::{io::Write, path::Path};

use super::{error::Error, program, setup::Setup};
use crate::rehearsal::{Options, Script, play};
use store::{self, Address, Store};

/// The month.
const MONTH: &str = include_str!("demo.txt");

/// The database that it is played into where none is named.
const DATABASE: &str = "rulekeeper-demo.db";

/// What a newcomer may type first, and what it is.
const FIRST: [(&str, &str); 11] = [
    ("@club show proposals", "what is voted on in a club, whose rules are a folder"),
    ("@club rule Cake", "a rule that its players added"),
    ("@club tick until 2026-11-12 10:00", "a clock moves on: votes are counted"),
    ("@hill joust hill", "the Hill of the joust"),
    ("@hill joust match Alpha joust3", "a match on it"),
    ("@dynasty proposals", "what is voted on in BlogNomic"),
    ("@dynasty why quorum", "where a figure comes from"),
    ("@space show map", "the map of Spacenomic"),
    ("@nomic show results", "the last votes of B Nomic"),
    ("@nomic show tag-board", "its rulebook as a board"),
    ("@dynasty tick until 2026-11-24 00:00", "time runs out for a Proposal"),
];

/// Look around in rooms with a month of play in them, and play on
#[derive(Debug, clap::Args)]
pub struct Demo {}

impl Demo {
    /// Plays the month where it was not played yet, then runs the console and the pages on it, and no network.
    ///
    /// # Errors
    /// [`Error::Failed`] where the month does not go as it should, else as [`program::run`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let mut config = setup.config()?;
        config.database = setup.database.clone().unwrap_or_else(|| Address::new(DATABASE));
        (config.irc, config.discord) = (Vec::new(), None);
        let file = config
            .database
            .file()
            .ok_or_else(|| Error::Input("The demo is kept in a file: --database FILE".to_owned()))?;
        if !file.exists() {
            writeln!(out, "A month of five games is played into {}; this takes a moment.", config.database)?;
            played(file).await?;
        }
        for (line, what) in FIRST {
            writeln!(out, "  {line:<38}{what}")?;
        }
        out.flush()?;
        program::run(
            &config,
            program::Parts { networks: true, console: Some(program::Seat::default()), ..program::Parts::default() },
        )
        .await
    }
}

/// Plays the month into a new database. It gets its name when it is whole.
async fn played(file: &Path) -> Result<(), Error> {
    let half = format!("{}.begun", file.display());
    let wrong = |error| Error::Database { path: half.clone(), error };
    if Path::new(&half).exists() {
        std::fs::remove_file(&half)?;
    }
    let script = Script::parse("demo.txt", MONTH, None).map_err(|why| Error::Failed(why.to_string()))?;
    let store = Store::open(&half, store::Options::default()).await.map_err(wrong)?;
    let report = play(&script, &Options { store: Some(store.clone()), ..Options::default() }).await;
    store.close().await.map_err(wrong)?;
    if !report.is_met() {
        return Err(Error::Failed(report.complaints()));
    }
    std::fs::rename(&half, file)?;
    // What was noted of it belongs to that name.
    Ok(std::fs::remove_file(format!("{half}-last"))?)
}

#[cfg(test)]
mod tests {
    use port::{Account, Line, Place, Reply, Sent, Speaker, clock::Clock, entropy::Entropy};

    use super::*;
    use crate::service::{Hub, settings::Settings};

    /// A line that the operator types.
    fn typed(text: &str) -> Line {
        let account = Account { service: "console".to_owned(), id: "operator".to_owned() };
        let nick = "operator".to_owned();
        Line {
            origin: text.to_owned(),
            from: Speaker { account: Some(account), sign_in: None, nick, operator: true, moderates: Vec::new() },
            place: Place::Private,
            text: text.to_owned(),
            attachments: Vec::new(),
            sent: Sent::Typed,
        }
    }

    #[tokio::test]
    async fn the_month_is_played_once_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("demo.db");
        played(&path).await.unwrap();
        let names: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(names, ["demo.db"]);
        let store = Store::open(path.to_str().unwrap(), store::Options::default()).await.unwrap();
        let rooms = store.rooms().await.unwrap();
        assert_eq!(
            rooms.iter().map(|room| &*room.name).collect::<Vec<_>>(),
            ["club", "hill", "dynasty", "space", "nomic"]
        );
        assert!(rooms.iter().all(|room| room.last_seq > 8), "{rooms:?}");
        let hub = Hub::open(store, Clock::System, Entropy::System, Settings::default()).await.unwrap();
        for (line, _) in FIRST {
            let replies = hub.hear(typed(line)).await;
            assert!(!replies.is_empty() && replies.iter().all(Reply::went_well), "{line}: {replies:?}");
        }
    }
}
