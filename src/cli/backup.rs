//! `rulekeeper backup`: a copy of the database, taken while it is in use or not; once, or again and again.

use std::{
    future::Future,
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use jiff::{SignedDuration, Span, SpanRelativeTo};

use super::{archives, error::Error, program::Signals, restore, setup::Setup};
use crate::{config::Config, service::archive::FILE_STAMP};
use kernel::{Instant, display::counted};
use port::clock::Clock;
use store::{Address, Store, StoreError};

/// The shortest time between two copies. The names of files count in seconds, and a copy reads the whole database.
const EVERY_MIN: SignedDuration = SignedDuration::from_mins(1);

/// The longest time between two copies.
const EVERY_MAX: SignedDuration = SignedDuration::from_hours(366 * 24);

/// How many copies are kept where nobody says it.
const KEPT_DEFAULT_COUNT: NonZeroUsize = NonZeroUsize::new(14).expect("not 0");

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// The file to write, which must not exist yet; with --every, the folder to write copies to
    to: PathBuf,
    /// Go on until stopped, with a copy in each such time: 1d, 12h, 30min
    #[arg(long, value_name = "TIME", value_parser = every)]
    every: Option<SignedDuration>,
    /// How many copies are kept: the oldest goes once a newer one is whole [default: 14]
    #[arg(long, value_name = "COUNT", requires = "every")]
    keep: Option<NonZeroUsize>,
}

/// Reads a time between two copies, a day of 24 hours.
fn every(text: &str) -> Result<SignedDuration, String> {
    let span: Span = text.parse().map_err(|_| "it is a time, such as 1d, 12h or 30min".to_owned())?;
    let every = span.to_duration(SpanRelativeTo::days_are_24_hours());
    let every = every.map_err(|_| "it is counted in weeks, days, hours or minutes".to_owned())?;
    if (EVERY_MIN..=EVERY_MAX).contains(&every) {
        return Ok(every);
    }
    Err(format!("it is {} minute at least, and {} days at most", EVERY_MIN.as_mins(), EVERY_MAX.as_hours() / 24))
}

impl Backup {
    /// Writes the copy, and says so on `out`. With `--every` it goes on until a signal comes.
    ///
    /// # Errors
    /// [`Error::Input`] where there is no database to copy or the file exists, [`Error::Database`] where it or the copy fails.
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let Some(every) = self.every else { return once(setup, &self.to, out).await };
        let no_signals = |why| Error::Failed(format!("Signals cannot be waited for: {why}."));
        let mut signals = Signals::new().map_err(no_signals)?;
        let rota = Rota { every, keep: self.keep.unwrap_or(KEPT_DEFAULT_COUNT).get(), folder: self.to };
        rota.run(setup, &Clock::System, signals.next(), out).await
    }
}

async fn once(setup: &Setup, to: &Path, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let database = archives::Database::existing(setup).await?;
    archives::writable_beside(to)?;
    let copied = database.store.backup(to).await.map_err(|error| match error {
        StoreError::Exists { .. } => Error::Input(error.to_string()),
        error => database.broke(error),
    });
    // It was only read: what fails here takes nothing from the copy.
    let closed = database.close().await;
    copied.and(closed)?;
    let path = &database.path;
    agrees(to, out).await.inspect_err(|_| drop(std::fs::remove_file(to)))?;
    writeln!(out, "{} is a copy of {path}. It holds secret programs: keep it as you keep the database.", to.display())?;
    Ok(())
}

/// Checks a copy as `verify` does a database. One that does not agree would be taken for good when it is needed, and
/// `restore` refuses it.
async fn agrees(copy: &Path, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let name = Address::shown(copy);
    let broke = |error| Error::Database { path: name.clone(), error };
    let store = Store::look(copy).await.map_err(broke)?;
    let mut told = Vec::new();
    if restore::check(&store, &name, &mut told).await? == 0 {
        return Ok(());
    }
    out.write_all(&told)?;
    Err(Error::Failed(
        "The database is damaged, and no backup was made of it: restore an older one, or copy the file by hand.".into(),
    ))
}

/// Copies that are taken again and again, and how many of them stay.
struct Rota {
    every: SignedDuration,
    keep: usize,
    folder: PathBuf,
}

impl Rota {
    /// Takes copies until `stopped` is done. The first is due at once, or when the newest that lies there is old enough.
    /// A database that cannot be copied is told of and tried again at the next time, and no copy goes meanwhile. Each
    /// time the database is opened anew, so that one which was brought back meanwhile is the one that is copied.
    ///
    /// # Errors
    /// As [`Backup::run`], where the first copy fails or the folder cannot be read.
    async fn run(
        &self,
        setup: &Setup,
        clock: &Clock,
        stopped: impl Future,
        out: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        let stem = self.stem(&setup.config()?)?;
        let mut stopped = std::pin::pin!(stopped);
        let newest = self.copies(&stem)?.pop().map(|(at, _)| at);
        // A copy from after now is one of a clock that stood wrong.
        let newest = newest.filter(|at| *at <= clock.now());
        let mut due = newest.map_or(clock.now(), |at| self.after(at));
        let mut first = true;
        loop {
            tokio::select! {
                biased;
                _ = &mut stopped => return Ok(()),
                () = clock.wait_until(Some(due)) => {}
            }
            let now = clock.now();
            due = self.after(now);
            match self.turn(setup, &stem, now, out).await {
                Err(error) if !first => {
                    tracing::error!(%error, next = %due, "no backup was made, and those that lie there stay");
                }
                done => done?,
            }
            first = false;
        }
    }

    fn after(&self, at: Instant) -> Instant {
        at.checked_add(self.every).unwrap_or(Instant::MAX)
    }

    /// Takes one copy, and then deletes the oldest beyond the count.
    async fn turn(&self, setup: &Setup, stem: &str, now: Instant, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        once(setup, &self.folder.join(named(stem, now)), out).await?;
        let mut copies = self.copies(stem)?;
        let beyond = copies.len().saturating_sub(self.keep);
        for (_, name) in copies.drain(..beyond) {
            let path = self.folder.join(name);
            std::fs::remove_file(&path)
                .map_err(|why| Error::Failed(format!("{} cannot be deleted: {why}.", path.display())))?;
            writeln!(out, "{} was the oldest of more than {}, and is deleted.", path.display(), self.keep)?;
        }
        writeln!(out, "{} in {}.", counted(copies.len() as u64, "backup"), self.folder.display())?;
        Ok(())
    }

    /// What the names of the copies begin with: the name of the database's file.
    fn stem(&self, config: &Config) -> Result<String, Error> {
        if !self.folder.is_dir() {
            return Err(Error::Input(format!("There is no folder {} to write to.", self.folder.display())));
        }
        let file = config.database.file();
        let file = file.ok_or_else(|| {
            Error::Input(format!("{} is no file to copy; Postgres is copied by pg_dump.", config.database))
        })?;
        Ok(file.file_stem().unwrap_or_default().to_string_lossy().into_owned())
    }

    /// The copies of that database that lie in the folder, the oldest first. A copy that a moderator made, or somebody by
    /// hand under another name, is none of them.
    fn copies(&self, stem: &str) -> Result<Vec<(Instant, String)>, Error> {
        let unread = |why| Error::Failed(format!("{} cannot be read: {why}.", self.folder.display()));
        let mut copies = Vec::new();
        for file in std::fs::read_dir(&self.folder).map_err(unread)? {
            let name = file.map_err(unread)?.file_name().to_string_lossy().into_owned();
            copies.extend(taken(stem, &name).map(|at| (at, name)));
        }
        copies.sort();
        Ok(copies)
    }
}

/// What a copy is called.
fn named(stem: &str, at: Instant) -> String {
    format!("{stem}-{}.db", at.strftime(FILE_STAMP))
}

/// When a copy was taken, by its name; nothing where it is no name of a copy.
fn taken(stem: &str, name: &str) -> Option<Instant> {
    let stamp = name.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(".db")?;
    let at =
        jiff::civil::DateTime::strptime(FILE_STAMP, stamp).ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    (named(stem, at) == name).then_some(at)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, io};

    use store::Options;
    use tokio::sync::Notify;

    use super::*;

    /// What a rota writes. After each copy its clock goes on by a step, and after the last it is stopped.
    struct Told<'a> {
        text: String,
        clock: &'a Clock,
        step: SignedDuration,
        left: usize,
        stop: &'a Notify,
        /// What is done to the folder after each turn, with the number of turns that are left.
        then: &'a mut (dyn FnMut(usize) + Send),
    }

    impl Write for Told<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = str::from_utf8(bytes).expect("it writes text");
            self.text.push_str(text);
            if text.ends_with(".\n") && self.text.lines().last().is_some_and(|line| line.contains("backup")) {
                self.left -= 1;
                (self.then)(self.left);
                if self.left == 0 {
                    self.stop.notify_one();
                } else {
                    self.clock.advance_to(self.clock.now() + self.step);
                }
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A folder with a database in it.
    async fn house() -> (tempfile::TempDir, Setup) {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("house.db");
        let database = database.to_str().expect("a path in Unicode");
        Store::open(database, Options::default()).await.unwrap().close().await.unwrap();
        std::fs::create_dir(folder.path().join("copies")).unwrap();
        let setup = Setup { database: Some(Address::new(database)), config: None };
        (folder, setup)
    }

    fn rota(folder: &tempfile::TempDir, keep: usize) -> Rota {
        Rota { every: every("1d").unwrap(), keep, folder: folder.path().join("copies") }
    }

    fn lying(rota: &Rota) -> BTreeSet<String> {
        let files = std::fs::read_dir(&rota.folder).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn clock(at: &str) -> Clock {
        Clock::manual(at.parse().unwrap())
    }

    #[tokio::test]
    async fn copies_are_taken_each_day_and_the_oldest_goes_once_a_newer_one_is_whole() {
        let (folder, setup) = house().await;
        let (rota, clock, stop) = (rota(&folder, 2), clock("2026-11-02T10:00:00Z"), Notify::new());
        // Neither is a copy of this kind, though both names look like one.
        for other in ["house-20261101T100000Z.backup.db", "house-20261101T100000Z.db-old", "house-today.db"] {
            std::fs::write(rota.folder.join(other), "").unwrap();
        }
        let mut then = |_| {};
        let mut told =
            Told { text: String::new(), clock: &clock, step: rota.every, left: 4, stop: &stop, then: &mut then };
        rota.run(&setup, &clock, stop.notified(), &mut told).await.unwrap();
        let kept = ["house-20261104T100000Z.db", "house-20261105T100000Z.db"];
        let others = ["house-20261101T100000Z.backup.db", "house-20261101T100000Z.db-old", "house-today.db"];
        assert_eq!(lying(&rota), kept.into_iter().chain(others).map(str::to_owned).collect());
        let order = |what: &str| told.text.find(what).unwrap_or_else(|| panic!("{what}: {}", told.text));
        assert!(order("20261104T100000Z.db is a copy") < order("20261102T100000Z.db was the oldest"), "{}", told.text);
        assert!(told.text.ends_with(&format!("2 backups in {}.\n", rota.folder.display())), "{}", told.text);
        for copy in kept {
            let store = Store::look(&rota.folder.join(copy)).await.unwrap();
            assert_eq!(store.complaints().await.unwrap(), Vec::<String>::new());
            store.close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn who_is_started_again_takes_no_copy_before_it_is_due() {
        let (folder, setup) = house().await;
        let (rota, clock, stop) = (rota(&folder, 2), clock("2026-11-02T10:00:00Z"), Notify::new());
        let names = ["house-20261101T180000Z.db", "house-20261031T180000Z.db", "house-20261203T000000Z.db"];
        // Two stand there, and one of a clock that stood wrong.
        std::fs::write(rota.folder.join(names[0]), "").unwrap();
        std::fs::write(rota.folder.join(names[1]), "").unwrap();
        assert_eq!(rota.copies("house").unwrap().len(), 2);
        let mut then = |_| {};
        let mut told =
            Told { text: String::new(), clock: &clock, step: rota.every, left: 1, stop: &stop, then: &mut then };
        {
            let mut running = std::pin::pin!(rota.run(&setup, &clock, stop.notified(), &mut told));
            assert!(futures::poll!(&mut running).is_pending());
            assert_eq!(lying(&rota).len(), 2, "not before 18:00");
            clock.set_to("2026-11-02T18:00:00Z".parse().unwrap());
            running.await.unwrap();
        }
        assert!(lying(&rota).contains("house-20261102T180000Z.db") && !lying(&rota).contains(names[1]));

        std::fs::write(rota.folder.join(names[2]), "").unwrap();
        let (clock, stop) = (self::clock("2026-11-02T19:00:00Z"), Notify::new());
        let mut told =
            Told { text: String::new(), clock: &clock, step: rota.every, left: 1, stop: &stop, then: &mut then };
        rota.run(&setup, &clock, stop.notified(), &mut told).await.unwrap();
        assert!(told.text.contains("house-20261102T190000Z.db is a copy"), "{}", told.text);
    }

    #[tokio::test]
    async fn a_copy_that_fails_costs_none_of_those_that_lie_there() {
        let (folder, setup) = house().await;
        let (rota, clock, stop) = (rota(&folder, 1), clock("2026-11-02T10:00:00Z"), Notify::new());
        let (database, aside) = (folder.path().join("house.db"), folder.path().join("aside.db"));
        let mut then = |_| {
            // From now on there is no database, and nothing is written that could move the clock.
            std::fs::rename(&database, &aside).unwrap();
        };
        let mut told =
            Told { text: String::new(), clock: &clock, step: rota.every, left: 3, stop: &stop, then: &mut then };
        {
            let mut running = std::pin::pin!(rota.run(&setup, &clock, stop.notified(), &mut told));
            // The first is taken, the second comes to nothing, and the third is waited for.
            while clock.now() < "2026-11-03T10:00:00Z".parse::<Instant>().unwrap() {
                assert!(futures::poll!(&mut running).is_pending());
                tokio::task::yield_now().await;
            }
            assert!(futures::poll!(&mut running).is_pending());
            stop.notify_one();
            running.await.unwrap();
        }
        assert_eq!(lying(&rota), BTreeSet::from(["house-20261102T100000Z.db".to_owned()]));

        // The very first says why, since somebody has just typed it.
        let (later, mut nobody) = (self::clock("2026-11-09T10:00:00Z"), io::sink());
        let why = rota.run(&setup, &later, std::future::pending::<()>(), &mut nobody).await.unwrap_err();
        assert!(why.to_string().contains("There is no database"), "{why}");
    }

    #[test]
    fn times_between_copies_are_bounded() {
        assert_eq!(every("1d"), Ok(SignedDuration::from_hours(24)));
        assert_eq!(every("1w"), Ok(SignedDuration::from_hours(7 * 24)));
        assert_eq!(every("90min"), Ok(SignedDuration::from_mins(90)));
        for wrong in ["", "often", "1", "59s", "-1d", "400d", "1mo"] {
            assert!(every(wrong).is_err(), "{wrong}");
        }
    }
}
