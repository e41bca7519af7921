//! What was typed before, in a file of the user's own.
//!
//! Only lines are kept that were commands without a secret: a program, or what might have been one, is in no file.

use std::{
    fs::DirBuilder,
    path::{Path, PathBuf},
};

use rustyline::{
    Config,
    history::{FileHistory, History as _},
};

use super::words::{Said, messages, read};
use catalogue::{self, Catalogue};

/// Most lines that are kept.
pub(super) const ENTRIES_MAX_COUNT: usize = 1000;

/// The variable with the folder where programs keep such things.
pub const STATE_FOLDER_VARIABLE: &str = "XDG_STATE_HOME";

/// The file of the history, as the environment has it; none where there is no home.
pub fn history_file(environment: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let named = environment(STATE_FOLDER_VARIABLE).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let state = named.or_else(|| Some(std::env::home_dir()?.join(".local/state")))?;
    Some(state.join("rulekeeper/history"))
}

/// The lines of former runs, and the file that they and new ones stand in.
#[derive(Default)]
pub(super) struct History {
    kept: FileHistory,
    file: Option<PathBuf>,
}

impl History {
    /// Reads a file, which may not be there yet.
    pub(super) fn load(file: PathBuf) -> Self {
        let sized = Config::builder().max_history_size(ENTRIES_MAX_COUNT);
        let mut kept = sized.map(|config| FileHistory::with_config(&config.build())).unwrap_or_default();
        if file.exists()
            && let Err(error) = kept.load(&file)
        {
            tracing::debug!(%error, "the history of the console cannot be read");
        }
        Self { kept, file: Some(file) }
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &String> {
        self.kept.iter()
    }

    /// Keeps a line. Where that is not possible, the line is forgotten with the program's end.
    pub(super) fn add(&mut self, line: &str) {
        let Some(file) = &self.file else { return };
        let kept = self.kept.add(line).and_then(|_| {
            private_folder(file)?;
            self.kept.append(file)
        });
        if let Err(error) = kept {
            tracing::debug!(%error, "the history of the console cannot be written");
        }
    }
}

fn private_folder(file: &Path) -> std::io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether a line has a place in the history: all of it is understood, and nothing in it is secret. What is not understood
/// may be a program behind a slip of the finger.
pub(super) fn is_kept(text: &str) -> bool {
    let open = |message: &&str| match read(message) {
        Said::Line(line) => {
            let typed = catalogue::parse(Catalogue::all(), line, 1);
            !typed.is_empty() && typed.iter().all(|typed| typed.as_ref().is_ok_and(|typed| !typed.command.is_secret()))
        }
        Said::As(_) | Said::Back | Said::Leave | Said::Help | Said::Overview(_) => true,
    };
    !text.trim().is_empty() && messages(text).iter().all(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_are_understood_and_hold_no_secret_are_kept() {
        for line in ["hill", "as Ann", "/join", "as Ann\njoin\nhill", "joust match Alpha Beta"] {
            assert!(is_kept(line), "{line}");
        }
        for line in ["", "joust submit Alpha >+", "joust submti Alpha >+", "joust test >+", "as Ann\njoust submit A >+"]
        {
            assert!(!is_kept(line), "{line}");
        }
    }

    #[test]
    fn the_file_lies_where_the_environment_says() {
        let set = |value: &'static str| move |name: &str| (name == STATE_FOLDER_VARIABLE).then(|| value.to_owned());
        assert_eq!(history_file(&set("/state")), Some("/state/rulekeeper/history".into()));
        let home = history_file(&|_| None);
        assert_eq!(history_file(&set("no/absolute/path")), home, "it is ignored, as its specification says");
        assert!(home.is_none_or(|file| file.ends_with(".local/state/rulekeeper/history")));
    }
}
