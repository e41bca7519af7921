//! `rulekeeper rehearse`: plays rehearsals and says what was said and done.
//!
//! The JSON is a public interface. What a rehearsal is stands in `docs/rehearsals.md`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use super::{error::Error, setup::Setup};
use crate::rehearsal::{Options, Script, play};
use store::{self, Store, StoreError};

/// Play rehearsals: transcripts with what is expected at each step
#[derive(Debug, clap::Args)]
pub struct Rehearse {
    /// The rehearsals
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Answer with JSON, one object a line
    #[arg(long)]
    json: bool,
    /// Say only what was not as expected
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Keep what was played as a database of that name, to be looked at or exported: for one rehearsal
    #[arg(long, value_name = "DATABASE")]
    keep: Option<PathBuf>,
}

impl Rehearse {
    /// Reads all files, then plays them in order, and writes what was said and done to `out`. A reader that has closed
    /// its end has had enough: no error, unless an expectation was not met.
    ///
    /// # Errors
    /// [`Error::Input`] for files that cannot be read or understood, before any is played; [`Error::Failed`] where
    /// something was not as expected.
    pub async fn run(self, _setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let scripts: Vec<_> = self.files.iter().map(|file| Script::load(file)).collect();
        let wrong: Vec<String> =
            scripts.iter().filter_map(|script| script.as_ref().err()).map(ToString::to_string).collect();
        if !wrong.is_empty() {
            return Err(Error::Input(wrong.join("\n")));
        }
        let store = self.kept().await?;
        let (options, mut unmet) = (Options { store: store.clone(), ..Options::default() }, 0);
        let count = scripts.len();
        for script in scripts.into_iter().flatten() {
            let report = play(&script, &options).await;
            unmet += usize::from(!report.is_met());
            let text = match (self.json, self.quiet) {
                (true, _) => report.json(),
                (false, true) if report.is_met() => String::new(),
                (false, true) => report.complaints() + "\n",
                (false, false) => report.text(),
            };
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                written => written?,
            }
        }
        if let (Some(path), Some(store)) = (&self.keep, store) {
            store.close().await.map_err(|error| Error::Database { path: path.display().to_string(), error })?;
        }
        match unmet {
            0 => Ok(()),
            unmet => Err(Error::Failed(format!("{unmet} of {count} rehearsals did not go as expected."))),
        }
    }

    /// The database in which it is played, if one is to be kept: one that is not there yet.
    async fn kept(&self) -> Result<Option<Store>, Error> {
        let Some(path) = &self.keep else { return Ok(None) };
        if self.files.len() > 1 {
            return Err(Error::Input("--keep keeps one rehearsal, and several were named.".to_owned()));
        }
        let name = path.display().to_string();
        if path.exists() {
            return Err(Error::Database { path: name.clone(), error: StoreError::Exists { path: name } });
        }
        let store = Store::open(&name, store::Options::default()).await;
        store.map(Some).map_err(|error| Error::Database { path: name, error })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        rehearse: Rehearse,
    }

    /// What is written, and the exit status, for these files and options.
    fn run(files: &[(&str, &str)], options: &[&str]) -> (String, u8) {
        let folder = tempfile::tempdir().unwrap();
        let mut words = vec!["rehearse".to_owned()];
        for (name, text) in files {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            words.push(file.display().to_string());
        }
        words.extend(options.iter().map(|option| (*option).to_owned()));
        let mut out = Vec::new();
        let setup = Setup { database: None, config: None };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(Typed::parse_from(words).rehearse.run(&setup, &mut out));
        let status = done.as_ref().err().map_or(0, Error::exit_status);
        let told = done.err().map(|error| error.to_string()).unwrap_or_default();
        (String::from_utf8(out).unwrap() + told.as_str(), status)
    }

    const GOOD: &str = "# Good\nroom joust main by Goethe in #hill\nBob: join\n#hill> Bob is a member";
    const BAD: &str = "# Bad\nroom joust main by Goethe in #hill\nBob: join\n#hill> Ann is a member";

    #[test]
    fn the_exit_says_whether_all_is_as_expected() {
        let (told, status) = run(&[("good.txt", GOOD)], &[]);
        assert_eq!(status, 0, "{told}");
        assert!(told.contains("#hill> Bob is a member"), "{told}");
        assert!(told.ends_with("all 1 expectations are met\n"), "{told}");
        let (told, status) = run(&[("good.txt", GOOD), ("bad.txt", BAD)], &[]);
        assert_eq!(status, 1, "{told}");
        assert!(told.ends_with("1 of 2 rehearsals did not go as expected."), "{told}");
    }

    #[test]
    fn what_cannot_be_read_is_told_before_anything_is_played() {
        let (told, status) = run(&[("good.txt", GOOD), ("odd.txt", "dance\nsing")], &[]);
        assert_eq!(status, 2, "{told}");
        assert!(told.contains("odd.txt:1: “dance”") && told.contains("odd.txt:2: “sing”"), "{told}");
        assert!(!told.contains("Bob"), "{told}");
        let (told, status) = run(&[], &["/nowhere/none.txt"]);
        assert_eq!(status, 2);
        assert!(told.contains("none.txt cannot be read"), "{told}");
    }

    #[test]
    fn answers_can_be_json_or_only_what_is_wrong() {
        let (told, _) = run(&[("good.txt", GOOD)], &["--json"]);
        let events: Vec<serde_json::Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(events.last().unwrap()["event"], "end");
        assert_eq!(run(&[("good.txt", GOOD)], &["--quiet"]), (String::new(), 0));
        let (told, _) = run(&[("bad.txt", BAD)], &["-q"]);
        assert!(told.contains("bad.txt:4: expected an announcement to #hill"), "{told}");
    }
}
