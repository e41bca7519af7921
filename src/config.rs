//! What an operator may set: by environment, by a TOML file, by flags.
//!
//! Everything has a default that works on a fresh machine: plain `rulekeeper` needs no configuration. `.env.example`
//! and `docs/operating.md` list all of it. Passwords stand in the environment or in the file, never in a flag, which
//! every user of the machine could read. Absent from here: opening anything that a setting names.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{
    adapters::{
        console,
        discord::{self, DiscordSettings},
        irc::config::{IrcNetwork, Login, NickServ, Secret},
        web::WebConfig,
    },
    service::port::Account,
};

/// Largest configuration file, in bytes: it is written by hand.
const FILE_MAX_BYTES: u64 = 1024 * 1024;

/// Most jousts that may be played at once: more threads than any machine for this has processors are a slip.
const ARENA_THREADS_MAX_COUNT: usize = 256;

/// The database when nothing else is said, beside whatever the program is started in.
pub const DATABASE_DEFAULT: &str = "rulekeeper.db";

/// The configuration file that is read when nothing else is said and it is there.
pub const FILE_DEFAULT: &str = "rulekeeper.toml";

/// The variable that names the configuration file.
pub const FILE_VARIABLE: &str = "RULEKEEPER_CONFIG";

/// The variables that name the database, the first that is set counts.
pub const DATABASE_VARIABLES: [&str; 2] = ["RULEKEEPER_DATABASE", "DATABASE_URL"];

/// The variable that says how many jousts are played at once.
pub const ARENA_THREADS_VARIABLE: &str = "RULEKEEPER_ARENA_THREADS";

/// The variable that says how many days the clock may jump ahead before an operator is asked.
pub const CLOCK_JUMP_VARIABLE: &str = "RULEKEEPER_CLOCK_JUMP_DAYS";

/// How many days the clock may jump ahead where nobody says: a long weekend without the bot asks nobody.
pub const CLOCK_JUMP_DEFAULT_DAYS: u32 = 3;

/// Most days that the clock may be let jump: ten years mean that nobody wants to be asked.
const CLOCK_JUMP_MAX_DAYS: u32 = 3650;

/// The variable with the base of links to the web pages.
pub const PUBLIC_URL_VARIABLE: &str = "PUBLIC_URL";

/// The variable that says what is logged.
pub const LOG_VARIABLE: &str = "RULEKEEPER_LOG";

/// The variable that says how log lines look: `text` or `json`.
pub const LOG_FORMAT_VARIABLE: &str = "RULEKEEPER_LOG_FORMAT";

/// Where variables are looked up: the process's environment, or what a test makes of it. A variable that is set to
/// nothing counts as not set, because that is how many supervisors clear one.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The environment of this process.
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What the configuration file holds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    /// The path of the database.
    pub database: Option<String>,
    /// Accounts that moderate every room: `irc:libera/ann`.
    pub moderators: Vec<String>,
    /// How many jousts are played at once; one less than the machine has processors when it is not given.
    pub arena_threads: Option<usize>,
    /// How many days the clock may jump ahead before an operator is asked whether it is right.
    pub clock_jump_days: Option<u32>,
    /// The base of links to the web pages.
    pub public_url: Option<String>,
    /// The IRC networks that the bot is on.
    pub irc: Vec<IrcNetwork>,
}

/// What was said on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The path of the database.
    pub database: Option<String>,
    /// The configuration file.
    pub config: Option<PathBuf>,
}

/// All settings, wherever they came from.
#[derive(Clone, Debug)]
pub struct Config {
    /// The path of the database.
    pub database: String,
    /// Accounts that moderate every room.
    pub moderators: Vec<Account>,
    /// How many jousts are played at once, from 1.
    pub arena_threads: usize,
    /// How many days the clock may jump ahead before an operator is asked, from 1.
    pub clock_jump_days: u32,
    /// The base of links to the web pages, without a slash at its end.
    pub public_url: Option<String>,
    /// The IRC networks that the bot is on.
    pub irc: Vec<IrcNetwork>,
    /// Where the web pages are.
    pub web: WebConfig,
    /// How the bot is on Discord; nothing where no token is set.
    pub discord: Option<DiscordSettings>,
}

/// Why the configuration cannot be used, in a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// From a sentence. It may not quote a value that could be a password.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl Config {
    /// The names of the networks that the program can serve, as accounts and channels are written.
    pub fn services(&self) -> Vec<String> {
        let fixed = [console::SERVICE, discord::SERVICE].map(str::to_owned);
        fixed.into_iter().chain(self.irc.iter().map(IrcNetwork::service)).collect()
    }

    /// Gathers the settings: a flag counts before the environment, and that before the file.
    ///
    /// # Errors
    ///
    /// A sentence that names the setting, and the file with the place in it.
    pub fn gather(flags: &Flags, environment: Environment<'_>) -> Result<Self, ConfigError> {
        let named = flags.config.clone().or_else(|| environment(FILE_VARIABLE).map(PathBuf::from));
        let file = File::read(named.as_deref(), environment)?;
        let moderators = file.moderator_accounts().map_err(ConfigError)?;
        let from_environment = DATABASE_VARIABLES.iter().find_map(|name| environment(name));
        let database = flags.database.clone().or(from_environment).or(file.database);
        let threads = match environment(ARENA_THREADS_VARIABLE) {
            Some(text) => Some(text.trim().parse().map_err(|_| {
                ConfigError(format!("{ARENA_THREADS_VARIABLE}: it is a number from 1 to {ARENA_THREADS_MAX_COUNT}."))
            })?),
            None => file.arena_threads,
        };
        if threads.is_some_and(|threads| !(1..=ARENA_THREADS_MAX_COUNT).contains(&threads)) {
            return Err(ConfigError(format!("Arena threads: there are 1 to {ARENA_THREADS_MAX_COUNT}.")));
        }
        let jump = match environment(CLOCK_JUMP_VARIABLE) {
            Some(text) => Some(text.trim().parse().map_err(|_| {
                ConfigError(format!("{CLOCK_JUMP_VARIABLE}: it is a number of days from 1 to {CLOCK_JUMP_MAX_DAYS}."))
            })?),
            None => file.clock_jump_days,
        };
        if jump.is_some_and(|jump| !(1..=CLOCK_JUMP_MAX_DAYS).contains(&jump)) {
            return Err(ConfigError(format!("The clock may jump by 1 to {CLOCK_JUMP_MAX_DAYS} days.")));
        }
        let public_url =
            environment(PUBLIC_URL_VARIABLE).or(file.public_url).map(|text| base_url(&text)).transpose()?;
        let web = WebConfig::gather(environment, public_url.clone()).map_err(ConfigError)?;
        Ok(Self {
            database: database.unwrap_or_else(|| DATABASE_DEFAULT.to_owned()),
            moderators,
            arena_threads: threads.unwrap_or_else(spare_processors),
            clock_jump_days: jump.unwrap_or(CLOCK_JUMP_DEFAULT_DAYS),
            public_url,
            irc: file.irc,
            web,
            discord: DiscordSettings::gather(environment).map_err(ConfigError)?,
        })
    }
}

/// A processor stays free for the rooms, where there is more than one.
fn spare_processors() -> usize {
    std::thread::available_parallelism()
        .map_or(1, |count| count.get().saturating_sub(1).clamp(1, ARENA_THREADS_MAX_COUNT))
}

/// A base of links, without a slash at its end.
fn base_url(text: &str) -> Result<String, ConfigError> {
    let url =
        url::Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.filter(|url| url.query().is_none() && url.fragment().is_none());
    url.map(|url| url.as_str().trim_end_matches('/').to_owned()).ok_or_else(|| {
        ConfigError("The public URL is the beginning of a web address, like https://nomic.example.".to_owned())
    })
}

impl File {
    /// Reads a file; where none is named, the default one if it is there.
    ///
    /// # Errors
    ///
    /// A sentence that names the file and the place in it.
    pub fn read(named: Option<&Path>, environment: Environment<'_>) -> Result<Self, ConfigError> {
        let path: PathBuf = match named {
            Some(path) => path.to_owned(),
            None if Path::new(FILE_DEFAULT).is_file() => FILE_DEFAULT.into(),
            None => return Ok(Self::default()),
        };
        let shown = path.display();
        let fail = |why: String| ConfigError(format!("Configuration {shown}: {why}."));
        let size = std::fs::metadata(&path).map_err(|why| fail(why.to_string()))?.len();
        if size > FILE_MAX_BYTES {
            return Err(fail(format!("it has {size} bytes, more than {FILE_MAX_BYTES}")));
        }
        let text = std::fs::read_to_string(&path).map_err(|why| fail(why.to_string()))?;
        Self::parse(&text, environment).map_err(fail)
    }

    /// Reads the text of a file, and the passwords of its networks from the environment.
    ///
    /// # Errors
    ///
    /// What is wrong, with the line. The text itself is not quoted: it may hold passwords.
    pub fn parse(text: &str, environment: Environment<'_>) -> Result<Self, String> {
        let mut file: Self = toml::from_str(text).map_err(|why| {
            let line = why.span().map_or(0, |span| text[..span.start].lines().count().max(1));
            format!("line {line}: {}", why.message())
        })?;
        for network in &mut file.irc {
            passwords(network, environment);
            network.check()?;
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
                Ok(Account { service: service.to_owned(), id: id.to_ascii_lowercase() })
            }
            _ => Err(format!("moderators: “{text}” is not SERVICE/ACCOUNT, like irc:libera/ann")),
        });
        let of_networks = self.irc.iter().flat_map(|network| {
            let service = format!("irc:{}", network.name);
            network
                .moderators
                .iter()
                .map(move |id| Ok(Account { service: service.clone(), id: id.to_ascii_lowercase() }))
        });
        named.chain(of_networks).collect()
    }
}

/// The variable that holds a password of a network: `RULEKEEPER_IRC_LIBERA_SASL_PASSWORD`.
fn password_variable(network: &str, which: &str) -> String {
    let network: String = network.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_uppercase() }).collect();
    format!("RULEKEEPER_IRC_{network}_{which}PASSWORD")
}

/// Puts passwords from the environment in the place of those of the file.
fn passwords(network: &mut IrcNetwork, environment: Environment<'_>) {
    let get = |which: &str| environment(&password_variable(&network.name, which)).map(Secret::new);
    let (server, sasl, nickserv) = (get(""), get("SASL_"), get("NICKSERV_"));
    if server.is_some() {
        network.password = server;
    }
    if let (Some(Login { password, .. }), Some(secret)) = (&mut network.sasl, sasl) {
        *password = secret;
    }
    if let (Some(NickServ { password, .. }), Some(secret)) = (&mut network.nickserv, nickserv) {
        *password = secret;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn a_flag_counts_before_the_environment_and_that_before_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.toml");
        std::fs::write(&path, "database = 'of-file.db'\narena_threads = 3\npublic_url = 'https://nomic.example/x/'\n")
            .unwrap();
        let flags = Flags { database: None, config: Some(path) };
        let config = Config::gather(&flags, &nothing).unwrap();
        assert_eq!((config.database.as_str(), config.arena_threads), ("of-file.db", 3));
        assert_eq!(config.public_url.as_deref(), Some("https://nomic.example/x"));

        let set = |name: &str| match name {
            "DATABASE_URL" => Some("of-url.db".to_owned()),
            ARENA_THREADS_VARIABLE => Some("2".to_owned()),
            _ => None,
        };
        let config = Config::gather(&flags, &set).unwrap();
        assert_eq!((config.database.as_str(), config.arena_threads), ("of-url.db", 2));
        let both = |name: &str| if name == "RULEKEEPER_DATABASE" { Some("ours.db".to_owned()) } else { set(name) };
        assert_eq!(Config::gather(&flags, &both).unwrap().database, "ours.db");

        let flags = Flags { database: Some("of-flag.db".to_owned()), ..flags };
        assert_eq!(Config::gather(&flags, &both).unwrap().database, "of-flag.db");
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let threads = |text: &'static str| move |name: &str| (name == ARENA_THREADS_VARIABLE).then(|| text.to_owned());
        for text in ["0", "many", "1000000"] {
            let error = Config::gather(&Flags::default(), &threads(text)).unwrap_err().to_string();
            assert!(error.to_lowercase().contains("arena") && error.contains("256"), "{error}");
        }
        let url = |name: &str| (name == PUBLIC_URL_VARIABLE).then(|| "file:///etc".to_owned());
        assert!(Config::gather(&Flags::default(), &url).unwrap_err().to_string().contains("public URL"));
        let gone = Flags { config: Some("no/such/file.toml".into()), ..Flags::default() };
        assert!(Config::gather(&gone, &nothing).unwrap_err().to_string().contains("no/such/file.toml"));
    }

    #[test]
    fn mistakes_in_the_file_are_told_with_their_line_and_without_its_text() {
        let error = File::parse("moderators = []\n[[irc]]\nname = 'net'\npasword = 'hunter2'\n", &nothing).unwrap_err();
        assert!(error.starts_with("line ") && !error.contains("hunter2"), "{error}");
        let error = File::parse("moderators = ['ann']", &nothing).unwrap_err();
        assert!(error.contains("irc:libera/ann"), "{error}");
    }

    const NETWORK: &str = r##"
        [[irc]]
        name = "my-net"
        host = "irc.example.org"
        nick = "Rulekeeper"
        moderators = ["Ann"]
        sasl = { user = "keeper" }
    "##;

    #[test]
    fn passwords_come_from_the_environment_too() {
        let set = |name: &str| (name == "RULEKEEPER_IRC_MY_NET_SASL_PASSWORD").then(|| "hunter2".to_owned());
        let file = File::parse(NETWORK, &set).unwrap();
        assert_eq!(file.irc[0].sasl.as_ref().unwrap().password.expose(), "hunter2");
        let error = File::parse(NETWORK, &nothing).unwrap_err();
        assert!(error.contains("password"), "a login without any password is no login: {error}");
    }

    #[test]
    fn moderators_are_accounts_in_lower_case() {
        let set = |_: &str| Some("hunter2".to_owned());
        let file = File::parse(&format!("moderators = ['discord/17', 'irc:my-net/ÄNNE']\n{NETWORK}"), &set).unwrap();
        let accounts = file.moderator_accounts().unwrap();
        let named: Vec<String> = accounts.iter().map(|account| format!("{}/{}", account.service, account.id)).collect();
        // Networks fold the letters of ASCII alone: any other folding would name somebody else's account.
        assert_eq!(named, ["discord/17", "irc:my-net/Änne", "irc:my-net/ann"]);
    }

    /// The example is what people start from: it is read, and it is no bare list of comments.
    #[test]
    fn the_example_is_a_configuration() {
        let text = include_str!("../rulekeeper.example.toml");
        let file = File::parse(text, &|_| Some("hunter2".to_owned())).unwrap();
        assert!(!file.irc.is_empty());
    }

    /// Every variable that is read is explained where people look for it.
    #[test]
    fn the_examples_name_every_variable() {
        let (env, operating) = (include_str!("../.env.example"), include_str!("../docs/operating.md"));
        let named = [FILE_VARIABLE, ARENA_THREADS_VARIABLE, PUBLIC_URL_VARIABLE, LOG_VARIABLE, LOG_FORMAT_VARIABLE];
        let passwords = ["", "SASL_", "NICKSERV_"].map(|which| password_variable("libera", which));
        let web = [crate::adapters::web::config::LISTEN_VARIABLE, crate::adapters::web::config::METRICS_VARIABLE];
        let all = named.into_iter().chain(web).chain(DATABASE_VARIABLES).chain(["NO_COLOR"]);
        for name in all.chain(passwords.iter().map(String::as_str)) {
            assert!(env.contains(name), ".env.example leaves {name} out");
            assert!(operating.contains(name), "docs/operating.md leaves {name} out");
        }
    }
}
