//! `rulekeeper verify`: every journal against its hashes, snapshots and promises.

use std::{io::Write, path::PathBuf};

use super::{archives, error::Error, setup::Setup};
use crate::service::archive::{self, Proven, Verified};
use kernel::{
    chain::{Hash, read_hash},
    display::counted,
};
use store::Store;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Verify {
    /// The room, or the file that it was exported to; all rooms without it
    room_or_file: Option<String>,
    /// A hash that was published: says as of which entry the journal had it
    #[arg(long, value_name = "HASH")]
    against: Option<String>,
    /// Decide every entry again, and play every joust: what comes out otherwise does not agree
    #[arg(long, conflicts_with = "against")]
    replay: bool,
}

impl Verify {
    /// Checks, and says on `out` what was found.
    ///
    /// # Errors
    /// [`Error::Failed`] where something does not agree; [`Error::Input`] where there is no such database or room;
    /// [`Error::Database`].
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let unread = |text: &String| Error::Input(format!("“{text}” is no hash: one has 64 digits of 0-9 and a-f."));
        let sought = self.against.as_ref().map(|text| read_hash(text).ok_or_else(|| unread(text))).transpose()?;
        if let Some(path) = self.room_or_file.as_ref().map(PathBuf::from).filter(|path| path.is_file()) {
            if self.replay {
                return Err(Error::Input(
                    "A file holds nothing to play again from: --replay needs a database.".to_owned(),
                ));
            }
            let broken = |error| archives::unusable(&path, error);
            let from = archives::reader(&path).map_err(|error| broken(error.into()))?;
            let proven = archive::prove(from, sought).map_err(broken)?;
            return told(&proven, sought, out);
        }
        let database = archives::Database::existing(setup).await?;
        // One moment of it, whatever the bot beside it does.
        let still = database.store.still().await.map_err(|error| database.broke(error))?;
        let mut checked = Checked { sought, replay: self.replay, ..Checked::default() };
        let done = check(&still, self.room_or_file.as_deref(), &database, &mut checked, out).await;
        still.close().await.map_err(|error| database.broke(error))?;
        database.close().await?;
        done?;
        checked.end(out)
    }
}

/// What a check of a database came to.
#[derive(Default)]
pub(super) struct Checked {
    /// How many things do not agree.
    pub(super) found: usize,
    sought: Option<Hash>,
    replay: bool,
    met: bool,
}

impl Checked {
    fn end(self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        match self.found {
            0 if self.sought.is_some() && !self.met => Err(Error::Failed("No entry has that hash.".to_owned())),
            0 => Ok(writeln!(out, "Everything agrees.")?),
            1 => Err(Error::Failed("One thing does not agree.".to_owned())),
            count => Err(Error::Failed(format!("{count} things do not agree."))),
        }
    }
}

async fn check(
    store: &Store,
    room: Option<&str>,
    database: &archives::Database,
    checked: &mut Checked,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let rooms = match room {
        Some(name) => vec![database.room(name).await?],
        None => store.rooms().await.map_err(|error| database.broke(error))?,
    };
    whole(store, &rooms, &database.path, checked, out).await?;
    for room in store.imports().await.map_err(|error| database.broke(error))? {
        writeln!(out, "An import of {} is under way or was broken off; import it again to be rid of it.", room.name)?;
    }
    Ok(())
}

/// Checks a database and some of its rooms.
pub(super) async fn whole(
    store: &Store,
    rooms: &[store::Room],
    name: &str,
    checked: &mut Checked,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let broke = |error| Error::Database { path: name.to_owned(), error };
    for complaint in store.complaints().await.map_err(broke)? {
        writeln!(out, "{name}: {complaint}.")?;
        checked.found += 1;
    }
    // What is hidden as an unfinished import, and not proven to be one, is a room like any other. It was complained of.
    let hidden = store.hidden().await.map_err(broke)?;
    for room in rooms.iter().chain(&hidden) {
        let done = archive::verify_against(store, room, checked.sought).await?;
        tell(room, &done, out)?;
        checked.found += done.found.len();
        if checked.replay && done.found.is_empty() {
            let otherwise = archive::replay(store, room).await?;
            match otherwise.len() {
                0 => writeln!(out, "  Played again, every entry comes out as it is recorded.")?,
                _ => writeln!(out, "  Played again, these come out otherwise:")?,
            }
            otherwise.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            checked.found += otherwise.len();
        }
        checked.met |= done.against.is_some();
    }
    Ok(())
}

fn tell(room: &store::Room, done: &Verified, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let (entries, snapshots, draws) = (done.entries, done.snapshots, done.draws);
    let counts = [(entries, "entry"), (snapshots as u64, "snapshot"), (draws, "draw")];
    let counts = counts.map(|(count, noun)| counted(count, noun)).join(", ");
    writeln!(out, "@{} ({}): {counts}.", room.name, room.game)?;
    match &done.head {
        Some((seq, head)) if *seq == entries && done.found.is_empty() => {
            writeln!(out, "  Hash of entry {entries}: {head}.")?;
        }
        Some((seq, head)) => writeln!(out, "  Hash of entry {seq}, the last that agrees: {head}.")?,
        None => writeln!(out, "  No entry agrees with its hash.")?,
    }
    if done.imported > 0 {
        let last = done.imported;
        writeln!(
            out,
            "  Entries up to {last} were moved from another database: who is who in them is not proved here."
        )?;
    }
    if done.wordless > 0 {
        let words = counted(done.wordless, "entry");
        writeln!(
            out,
            "  The words of {words} are gone, as those of people who were forgotten; their hashes are there."
        )?;
    }
    if let Some(seq) = done.against {
        let but = if done.wordless > 0 { ", but for those words" } else { "" };
        writeln!(
            out,
            "  That hash is the one of entry {seq}: the journal still holds all that stood there then{but}."
        )?;
    }
    for wrong in &done.found {
        writeln!(out, "  Wrong: {wrong}.")?;
    }
    Ok(())
}

/// Says what a file proves.
fn told(proven: &Proven, sought: Option<Hash>, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let Proven { entries, head, kept, unproven, unproven_entries, unproven_in, wordless, found } = proven;
    let each = if *unproven == 0 { ", each as its hash has it" } else { "" };
    writeln!(out, "{}{each}. Hash of entry {entries}: {head}.", counted(*entries, "entry"))?;
    if *kept > 0 {
        writeln!(out, "{} of entries the file keeps back, and proves that they are there.", counted(*kept, "part"))?;
    }
    if *unproven > 0 {
        let mut named = unproven_in.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match unproven_entries - unproven_in.len() as u64 {
            0 => {}
            more => named += &format!(" and {more} more"),
        }
        let are = if *unproven == 1 { "is" } else { "are" };
        writeln!(
            out,
            "{} {are} told without proof, in the place of what a game keeps back. What stands there, and that it belongs \
             there, are not proved. Entries: {named}.",
            counted(*unproven, "part")
        )?;
    }
    if *wordless > 0 {
        let entries = counted(*wordless, "entry");
        writeln!(out, "The words of {entries} are not in it: they are private, were forgotten, or were taken out.")?;
    }
    writeln!(out, "Nothing in it proves the room's name, or which persons sat, moderated and typed.")?;
    match (sought, found) {
        (None, _) => Ok(()),
        (Some(_), Some(seq)) => {
            let holds = match (kept, unproven, wordless) {
                (0, 0, 0) => "the file holds all that stood there then",
                (_, 0, _) => "what the file tells of it stood there then",
                _ => "what the file tells of it stood there then, except what is told without proof",
            };
            Ok(writeln!(out, "That hash is the one of entry {seq}: {holds}.")?)
        }
        (Some(_), None) => Err(Error::Failed("No entry has that hash.".to_owned())),
    }
}
