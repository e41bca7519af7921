//! What an operator may set: by environment, by a TOML file, by flags.
//!
//! Everything has a default that works on a fresh machine: plain `rulekeeper` needs no configuration. `.env.example`
//! and `docs/operating.md` list all of it. Passwords stand in the environment or in the file, never in a flag, which
//! every user of the machine could read.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{adapters::irc::config::IrcNetwork, service::port::Account};

/// Largest configuration file, in bytes: it is written by hand.
const FILE_MAX_BYTES: u64 = 1024 * 1024;

/// The database when nothing else is said, beside whatever the program is started in.
pub const DATABASE_DEFAULT: &str = "rulekeeper.db";

/// The configuration file that is read when nothing else is said and it is there.
pub const FILE_DEFAULT: &str = "rulekeeper.toml";

/// What the configuration file holds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    /// Accounts that moderate every room: `irc:libera/ann`.
    pub moderators: Vec<String>,
    /// How many jousts are played at once; one less than the machine has processors when it is not given.
    pub arena_threads: Option<usize>,
    /// The base of links to the web pages.
    pub public_url: Option<String>,
    /// The IRC networks that the bot is on.
    pub irc: Vec<IrcNetwork>,
}

/// Why the configuration cannot be used, in a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl File {
    /// Reads a file; where none is named, the default one if it is there.
    ///
    /// # Errors
    ///
    /// A sentence that names the file and the place in it.
    pub fn read(named: Option<&Path>) -> Result<Self, ConfigError> {
        let path: PathBuf = match named {
            Some(path) => path.to_owned(),
            None if Path::new(FILE_DEFAULT).is_file() => FILE_DEFAULT.into(),
            None => return Ok(Self::default()),
        };
        let shown = path.display();
        let fail = |why: String| ConfigError(format!("configuration {shown}: {why}"));
        let size = std::fs::metadata(&path).map_err(|why| fail(why.to_string()))?.len();
        if size > FILE_MAX_BYTES {
            return Err(fail(format!("it has {size} bytes, more than {FILE_MAX_BYTES}")));
        }
        let text = std::fs::read_to_string(&path).map_err(|why| fail(why.to_string()))?;
        Self::parse(&text).map_err(fail)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong, with the line. The text itself is not quoted: it may hold passwords.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut file: Self = toml::from_str(text).map_err(|why| {
            let line = why.span().map_or(0, |span| text[..span.start].lines().count().max(1));
            format!("line {line}: {}", why.message())
        })?;
        for network in &mut file.irc {
            network.check().map_err(|why| format!("IRC network {}: {why}", network.name))?;
        }
        file.moderator_accounts()?;
        Ok(file)
    }

    /// The accounts that moderate every room, those of the IRC networks among them.
    ///
    /// # Errors
    ///
    /// The entry that is no account.
    pub fn moderator_accounts(&self) -> Result<Vec<Account>, String> {
        let named = self.moderators.iter().map(|text| match text.split_once('/') {
            Some((service, id)) if !service.is_empty() && !id.is_empty() => {
                Ok(Account { service: service.to_owned(), id: id.to_lowercase() })
            }
            _ => Err(format!("moderators: “{text}” is not SERVICE/ACCOUNT, like irc:libera/ann")),
        });
        let of_networks = self.irc.iter().flat_map(|network| {
            let service = format!("irc:{}", network.name);
            network.moderators.iter().map(move |id| Ok(Account { service: service.clone(), id: id.to_lowercase() }))
        });
        named.chain(of_networks).collect()
    }
}
