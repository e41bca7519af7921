//! `rulekeeper move --to ADDRESS`: all that a database holds, taken to another one, from a file to Postgres or back.

use std::io::Write;

use super::{
    archives,
    error::Error,
    setup::Setup,
    verify::{Checked, whole},
};
use kernel::display::counted;
use store::{Address, Options, Store, StoreError};

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Move {
    /// Where to: a path, or the address of an empty database in Postgres
    #[arg(long, value_name = "ADDRESS")]
    to: Address,
}

impl Move {
    /// Copies everything, checks the copy, and says what to do next.
    ///
    /// # Errors
    /// [`Error::Input`] where the bot still runs or there is something at the other place; [`Error::Database`];
    /// [`Error::Failed`] where the copy does not agree with its hashes.
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let from = archives::Database::existing(setup).await?;
        let to = self.to;
        let wrong = |error: StoreError| match error {
            StoreError::Exists { .. } => {
                Error::Input(format!("{to} holds something already, and was left as it is. Name an empty database."))
            }
            error => Error::Database { path: to.to_string(), error },
        };
        if from.store.is_in_service().await.map_err(|error| from.broke(error))? {
            let why = format!("The bot runs on {}. Stop it first: what happened meanwhile would be lost.", from.path);
            return Err(Error::Input(why));
        }
        // Where nothing was, nothing is left behind by what fails.
        let is_new = to.file().is_some_and(|file| !file.exists());
        let other = Store::open(to.expose(), Options::default()).await.map_err(wrong)?;
        let moved = from.store.copy_into(&other).await;
        if let (Err(_), true, Some(file)) = (&moved, is_new, to.file()) {
            other.close().await.map_err(wrong)?;
            let _ = std::fs::remove_file(file);
        }
        let rows: u64 = moved.map_err(wrong)?.values().sum();
        let mut checked = Checked::default();
        let rooms = other.rooms().await.map_err(wrong)?;
        whole(&other, &rooms, &to.to_string(), &mut checked, out).await?;
        other.close().await.map_err(wrong)?;
        from.close().await?;
        if checked.found > 0 {
            return Err(Error::Failed(format!(
                "{to} does not agree with its hashes: do not use it. {} is as it was.",
                from.path
            )));
        }
        writeln!(out, "{to} holds all that {} holds, in {}.", from.path, counted(rows, "row"))?;
        writeln!(
            out,
            "Start the bot on {to} from now on (DATABASE_URL). {} is as it was: keep it as a backup, and start no bot on it.",
            from.path
        )?;
        Ok(())
    }
}
