//! What an operator may set: by environment, by a TOML file, by flags.
//!
//! Everything has a default that works on a fresh machine: plain `rulekeeper` needs no configuration. `.env.example`
//! and `docs/operating/settings.md` list all of it. Passwords stand in the environment or in the file, never in a flag,
//! which every user of the machine could read. Nothing that a setting names is opened here.

mod document;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use document::{Document, Setting};

use crate::logging;
use adapter_console as console;
use adapter_discord::{self as discord, DiscordSettings};
use adapter_irc::config::{IrcNetwork, Login, NickServ, Secret};
use adapter_web::WebConfig;
use port::Account;
use store::Address;

/// Largest configuration file, in bytes: it is written by hand.
const FILE_MAX_BYTES: u64 = 1024 * 1024;

/// Most jousts that may be played at once: more threads than any machine for this has processors are a slip.
const ARENA_THREADS_MAX_COUNT: usize = 256;

/// How many long works may be played at once.
const ARENA_THREADS: std::ops::RangeInclusive<usize> = 0..=ARENA_THREADS_MAX_COUNT;

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

/// How many days the clock may be let jump.
const CLOCK_JUMP_DAYS: std::ops::RangeInclusive<u32> = 1..=CLOCK_JUMP_MAX_DAYS;

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
    /// Where the database is.
    pub database: Option<Address>,
    /// Accounts that moderate every room: `irc:libera/ann`.
    pub moderators: Vec<String>,
    /// How many long works are played at once; one less than the machine has processors when it is not given. 0 leaves
    /// them to `rulekeeper worker`.
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
    /// Where the database is.
    pub database: Option<Address>,
    /// The configuration file.
    pub config: Option<PathBuf>,
}

/// All settings, wherever they came from.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the database is.
    pub database: Address,
    /// Accounts that moderate every room.
    pub moderators: Vec<Account>,
    /// How many long works are played at once; 0 leaves them to other processes.
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

/// Why the configuration cannot be used: every mistake in it, each in a sentence and on a line of its own.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ConfigError(Vec<String>);

impl ConfigError {
    /// From sentences. None may quote a value that could be a password.
    pub fn new(sentences: Vec<String>) -> Self {
        Self(sentences)
    }
}

impl Config {
    /// How many long works are played at once where nobody says it: a processor stays free for the rooms, where there is
    /// more than one.
    pub fn spare_processors() -> usize {
        std::thread::available_parallelism()
            .map_or(1, |count| count.get().saturating_sub(1).clamp(1, ARENA_THREADS_MAX_COUNT))
    }

    /// The names of the networks that the program can serve, as accounts and channels are written.
    pub fn services(&self) -> Vec<String> {
        services(&self.irc)
    }

    /// What stands before commands, by network, and by channel where it is another one there. Discord has options.
    pub fn prefixes(&self) -> BTreeMap<String, Option<String>> {
        let of_network = |network: &IrcNetwork| {
            let service = network.service();
            let of_channel = |channel: &adapter_irc::config::Channel| {
                Some((format!("{service}/{}", channel.name()), Some(channel.prefix()?.to_owned())))
            };
            let channels: Vec<_> = network.channels.iter().filter_map(of_channel).collect();
            channels.into_iter().chain([(service, Some(network.prefix.clone()))])
        };
        self.irc.iter().flat_map(of_network).chain([(discord::SERVICE.to_owned(), None)]).collect()
    }

    /// Gathers the settings: a flag counts before the environment, and that before the file.
    ///
    /// # Errors
    ///
    /// Every setting that cannot be used, with the file and the place in it.
    pub fn gather(flags: &Flags, environment: Environment<'_>) -> Result<Self, ConfigError> {
        let (config, wrong) = Self::gather_what_can_be(flags, environment);
        if wrong.is_empty() { Ok(config) } else { Err(ConfigError(wrong)) }
    }

    /// Gathers the settings that can be used, and says of all others what is wrong with them.
    pub fn gather_what_can_be(flags: &Flags, environment: Environment<'_>) -> (Self, Vec<String>) {
        let named = flags.config.clone().or_else(|| environment(FILE_VARIABLE).map(PathBuf::from));
        let (file, mut wrong) = File::read(named.as_deref(), environment);
        wrong.extend(logging::mistakes(environment));
        let from_environment = DATABASE_VARIABLES.iter().find_map(|name| environment(name)).map(Address::new);
        let database = flags.database.clone().or(from_environment).or_else(|| file.database.clone());
        let mut threads = file.arena_threads;
        if let Some(text) = environment(ARENA_THREADS_VARIABLE) {
            threads = text.trim().parse().ok().filter(|threads| ARENA_THREADS.contains(threads));
            if threads.is_none() {
                wrong.push(format!("{ARENA_THREADS_VARIABLE}: {}", arena_threads_are()));
            }
        }
        let mut jump = file.clock_jump_days;
        if let Some(text) = environment(CLOCK_JUMP_VARIABLE) {
            jump = text.trim().parse().ok().filter(|days| CLOCK_JUMP_DAYS.contains(days));
            if jump.is_none() {
                wrong.push(format!("{CLOCK_JUMP_VARIABLE}: {}", clock_jump_days_are()));
            }
        }
        let mut public_url = file.public_url.as_deref().and_then(|text| base_url(text).ok());
        if let Some(text) = environment(PUBLIC_URL_VARIABLE) {
            public_url = base_url(&text).map_err(|why| wrong.push(format!("{PUBLIC_URL_VARIABLE}: {why}"))).ok();
        }
        let web = gathered(environment, &mut wrong, |environment| WebConfig::gather(environment, public_url.clone()));
        let discord = gathered(environment, &mut wrong, |environment| DiscordSettings::gather(environment));
        let config = Self {
            database: database.unwrap_or_else(|| Address::new(DATABASE_DEFAULT)),
            moderators: file.moderator_accounts(),
            arena_threads: threads.unwrap_or_else(Self::spare_processors),
            clock_jump_days: jump.unwrap_or(CLOCK_JUMP_DEFAULT_DAYS),
            public_url,
            irc: file.irc,
            web: web.unwrap_or_default(),
            discord: discord.flatten(),
        };
        (config, wrong)
    }
}

/// Gathers settings from variables. A sentence about a wrong one begins with its name: it is noted, the variable is passed
/// over, and the rest is looked at.
fn gathered<T>(
    environment: Environment<'_>,
    wrong: &mut Vec<String>,
    gather: impl Fn(Environment<'_>) -> Result<T, String>,
) -> Option<T> {
    let mut passed_over: BTreeSet<String> = BTreeSet::new();
    loop {
        let rest = |name: &str| if passed_over.contains(name) { None } else { environment(name) };
        match gather(&rest) {
            Ok(gathered) => return Some(gathered),
            Err(why) => {
                let variable = why.split(':').next().unwrap_or_default().to_owned();
                wrong.push(why);
                if !passed_over.insert(variable) {
                    return None;
                }
            }
        }
    }
}

fn arena_threads_are() -> String {
    format!(
        "there are {} to {} at once; 0 leaves them to “rulekeeper worker”.",
        ARENA_THREADS.start(),
        ARENA_THREADS.end()
    )
}

fn clock_jump_days_are() -> String {
    format!("the clock may jump by {} to {} days.", CLOCK_JUMP_DAYS.start(), CLOCK_JUMP_DAYS.end())
}

/// The networks that there are, as accounts and channels are written.
fn services(irc: &[IrcNetwork]) -> Vec<String> {
    let fixed = [console::SERVICE, discord::SERVICE].map(str::to_owned);
    fixed.into_iter().chain(irc.iter().map(IrcNetwork::service)).collect()
}

/// A base of links, without a slash at its end.
fn base_url(text: &str) -> Result<String, String> {
    let url =
        url::Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.filter(|url| url.query().is_none() && url.fragment().is_none());
    let url = url.ok_or("it is the beginning of a web address, like https://nomic.example.")?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it holds a user or a password, which everybody would read in links; leave them out.".to_owned());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

impl File {
    /// Reads a file; where none is named, the default one if it is there. What cannot be used is left out, and told.
    pub fn read(named: Option<&Path>, environment: Environment<'_>) -> (Self, Vec<String>) {
        let path: PathBuf = match named {
            Some(path) => path.to_owned(),
            None if Path::new(FILE_DEFAULT).is_file() => FILE_DEFAULT.into(),
            None => return (Self::default(), Vec::new()),
        };
        let name = path.display().to_string();
        let fail = |why: String| (Self::default(), vec![format!("{name}: {why}.")]);
        let size = match std::fs::metadata(&path) {
            Ok(meta) => meta.len(),
            Err(why) => return fail(why.to_string()),
        };
        if size > FILE_MAX_BYTES {
            return fail(format!("it has {size} bytes, more than {FILE_MAX_BYTES}"));
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&name, &text, environment),
            Err(why) => fail(why.to_string()),
        }
    }

    /// Reads the text of a file, and the passwords of its networks from the environment. What cannot be used is left out,
    /// and told with the line. The text itself is not quoted: it may hold passwords.
    pub fn parse(name: &str, text: &str, environment: Environment<'_>) -> (Self, Vec<String>) {
        let mut document = Document::new(name, text);
        let mut file: Self = document.read();
        let places = document.places_read("irc");
        for network in &mut file.irc {
            passwords(network, environment);
        }
        let mut wrong = document.mistakes.split_off(0);
        for (path, why) in file.mistakes(&places) {
            wrong.push(document.told(&Setting::parse(&path), &why));
        }
        (file, wrong)
    }

    /// What serde cannot say, with the setting. `places` are those of the networks in the file.
    fn mistakes(&mut self, places: &[usize]) -> Vec<(String, String)> {
        let mut wrong = Vec::new();
        let mut tell = |path: String, why: String| wrong.push((path, why));
        if self.arena_threads.is_some_and(|threads| !ARENA_THREADS.contains(&threads)) {
            tell("arena_threads".to_owned(), arena_threads_are());
            self.arena_threads = None;
        }
        if self.clock_jump_days.is_some_and(|days| !CLOCK_JUMP_DAYS.contains(&days)) {
            tell("clock_jump_days".to_owned(), clock_jump_days_are());
            self.clock_jump_days = None;
        }
        if let Some(Err(why)) = self.public_url.as_deref().map(base_url) {
            tell("public_url".to_owned(), why);
        }
        let services: BTreeSet<String> = services(&self.irc).into_iter().collect();
        for (index, text) in self.moderators.iter().enumerate() {
            let path = format!("moderators[{index}]");
            match account(text) {
                None => tell(path, "it is not SERVICE/ACCOUNT, like irc:libera/ann.".to_owned()),
                Some(account) if !services.contains(&account.service) => {
                    let there = services.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                    let why = format!("there is no service {}; there are: {there}.", account.service);
                    tell(path, why);
                }
                Some(_) => {}
            }
        }
        let mut names = BTreeSet::new();
        let mut sound = Vec::new();
        for (network, place) in self.irc.drain(..).zip(places) {
            let mistakes = network.mistakes();
            let twice = !names.insert(network.name.clone());
            if twice {
                tell(format!("irc[{place}].name"), format!("there are two networks called {}.", network.name));
            }
            if mistakes.is_empty() && !twice {
                sound.push(network);
            }
            mistakes.into_iter().for_each(|(key, why)| tell(format!("irc[{place}].{key}"), format!("{why}.")));
        }
        self.irc = sound;
        wrong
    }

    /// The accounts that moderate every room, those of the IRC networks among them.
    pub fn moderator_accounts(&self) -> Vec<Account> {
        let named = self.moderators.iter().filter_map(|text| account(text));
        let of_networks = self.irc.iter().flat_map(|network| {
            let service = network.service();
            network.moderators.iter().map(move |id| Account { service: service.clone(), id: id.to_ascii_lowercase() })
        });
        named.chain(of_networks).collect()
    }
}

/// An account as it is written in the file.
fn account(text: &str) -> Option<Account> {
    let (service, id) = text.split_once('/').filter(|(service, id)| !service.is_empty() && !id.is_empty())?;
    Some(Account { service: service.to_owned(), id: id.to_ascii_lowercase() })
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
        assert_eq!((config.database.expose(), config.arena_threads), ("of-file.db", 3));
        assert_eq!(config.public_url.as_deref(), Some("https://nomic.example/x"));

        let set = |name: &str| match name {
            "DATABASE_URL" => Some("of-url.db".to_owned()),
            ARENA_THREADS_VARIABLE => Some("2".to_owned()),
            _ => None,
        };
        let config = Config::gather(&flags, &set).unwrap();
        assert_eq!((config.database.expose(), config.arena_threads), ("of-url.db", 2));
        let both = |name: &str| if name == "RULEKEEPER_DATABASE" { Some("ours.db".to_owned()) } else { set(name) };
        assert_eq!(Config::gather(&flags, &both).unwrap().database.expose(), "ours.db");

        let flags = Flags { database: Some(Address::new("of-flag.db")), ..flags };
        assert_eq!(Config::gather(&flags, &both).unwrap().database.expose(), "of-flag.db");
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let threads = |text: &'static str| move |name: &str| (name == ARENA_THREADS_VARIABLE).then(|| text.to_owned());
        assert_eq!(
            Config::gather(&Flags::default(), &threads("0")).unwrap().arena_threads,
            0,
            "others play long works"
        );
        for text in ["-1", "many", "1000000"] {
            let error = Config::gather(&Flags::default(), &threads(text)).unwrap_err().to_string();
            assert!(error.to_lowercase().contains("arena") && error.contains("256"), "{error}");
        }
        let url = |name: &str| (name == PUBLIC_URL_VARIABLE).then(|| "file:///etc".to_owned());
        assert!(Config::gather(&Flags::default(), &url).unwrap_err().to_string().starts_with("PUBLIC_URL: "));
        let gone = Flags { config: Some("no/such/file.toml".into()), ..Flags::default() };
        assert!(Config::gather(&gone, &nothing).unwrap_err().to_string().contains("no/such/file.toml"));
    }

    /// What is wrong with the text of a file.
    fn wrong(text: &str) -> Vec<String> {
        File::parse("a.toml", text, &nothing).1
    }

    #[test]
    fn every_mistake_in_the_file_is_told_with_its_line_and_its_setting_and_without_its_text() {
        let text = "\
moderators = ['irc:net/ann', 'hunter2', 'irc:nett/ann']
arena_threads = 257
public_url = 'https://u:hunter2@nomic.example'
colour = 'hunter2'

[[irc]]
name = 'net'
host = 'irc.example.org'
nick = 'Keeper'
port = 'hunter2, expected hunter2'
sasl = 'hunter2'
pasword = 'hunter2'
pace = { burst_lines = 0, line_every_ms = -1 }
channels = ['#a', 7]

[[irc]]
name = 'other'

[[irc]]
name = 'net'
host = 'ircs://u:hunter2@irc.example.org'
nick = 'a b'
replies = 'hunter2'
";
        let expected = [
            ("4: colour", "no such setting"),
            ("10: irc[0].port", "expected"),
            ("11: irc[0].sasl", "a table"),
            ("12: irc[0].pasword", "no such setting"),
            ("13: irc[0].pace.line_every_ms", "whole number"),
            ("14: irc[0].channels", "forms"),
            ("16: irc[1]", "missing"),
            ("23: irc[2].replies", "one of"),
            ("2: arena_threads", "0 to 256"),
            ("3: public_url", "password"),
            ("1: moderators[1]", "SERVICE/ACCOUNT"),
            ("1: moderators[2]", "irc:net"),
            ("13: irc[0].pace.burst_lines", "one line"),
            ("21: irc[2].host", "name or address"),
            ("22: irc[2].nick", "a nick"),
            ("20: irc[2].name", "two networks"),
        ];
        let found = wrong(text);
        for (place, why) in expected {
            let place = format!("a.toml:{place}: ");
            let told = found.iter().find(|told| told.starts_with(&place));
            let told = told.unwrap_or_else(|| panic!("nothing is told of {place:?}: {found:#?}"));
            assert!(told.contains(why) || why == "expected", "{told}");
        }
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        assert!(!found.iter().any(|told| told.contains("hunter2")), "{found:#?}");
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_lines_and_not_shown() {
        let found =
            wrong("moderators = []\n[[irc]]\nname = 'net'\npassword = 'hunter2\nnick = \"x\"\nsasl = hunter2\n");
        assert!(found.iter().any(|told| told.starts_with("a.toml:4: ")), "{found:#?}");
        assert!(found.iter().any(|told| told.starts_with("a.toml:6: ")), "{found:#?}");
        assert!(!found.iter().any(|told| told.contains("hunter2")), "{found:#?}");
    }

    #[test]
    fn mistakes_of_variables_are_told_together() {
        let set = |name: &str| match name {
            LOG_VARIABLE => Some("loud".to_owned()),
            LOG_FORMAT_VARIABLE => Some("yaml".to_owned()),
            ARENA_THREADS_VARIABLE => Some("257".to_owned()),
            "RULEKEEPER_WEB" | "RULEKEEPER_METRICS" => Some("here".to_owned()),
            "DISCORD_TOKEN" => Some("abc".to_owned()),
            "DISCORD_GUILD_IDS" => Some("here".to_owned()),
            "DISCORD_API_BASE" => Some("https://u:hunter2@discord.com".to_owned()),
            _ => None,
        };
        let told = Config::gather(&Flags::default(), &set).unwrap_err().to_string();
        let names: Vec<&str> = told.lines().map(|line| line.split(':').next().unwrap()).collect();
        let mut expected = vec![LOG_VARIABLE, LOG_FORMAT_VARIABLE, ARENA_THREADS_VARIABLE];
        expected.extend(["RULEKEEPER_WEB", "RULEKEEPER_METRICS", "DISCORD_API_BASE", "DISCORD_GUILD_IDS"]);
        assert_eq!(names, expected, "{told}");
        assert!(!told.contains("hunter2"), "{told}");
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
        let (file, wrong) = File::parse("a.toml", NETWORK, &set);
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(file.irc[0].sasl.as_ref().unwrap().password.expose(), "hunter2");
        let (_, wrong) = File::parse("a.toml", NETWORK, &nothing);
        assert!(
            wrong[0].starts_with("a.toml:7: irc[0].sasl.password: "),
            "a login without a password is none: {wrong:?}"
        );
    }

    #[test]
    fn moderators_are_accounts_in_lower_case() {
        let set = |_: &str| Some("hunter2".to_owned());
        let text = format!("moderators = ['discord/17', 'irc:my-net/ÄNNE']\n{NETWORK}");
        let (file, wrong) = File::parse("a.toml", &text, &set);
        assert_eq!(wrong, Vec::<String>::new());
        let accounts = file.moderator_accounts();
        let named: Vec<String> = accounts.iter().map(|account| format!("{}/{}", account.service, account.id)).collect();
        // Networks fold the letters of ASCII alone: any other folding would name somebody else's account.
        assert_eq!(named, ["discord/17", "irc:my-net/Änne", "irc:my-net/ann"]);
    }

    /// The example is what people start from: it is read, and it is no bare list of comments.
    #[test]
    fn the_example_is_a_configuration() {
        let text = include_str!("../rulekeeper.example.toml");
        let (file, wrong) = File::parse("a.toml", text, &|_| Some("hunter2".to_owned()));
        assert!(wrong.is_empty() && !file.irc.is_empty(), "{wrong:?}");
    }

    /// Every variable that is read is explained where people look for it.
    #[test]
    fn the_examples_name_every_variable() {
        let (env, operating) = (include_str!("../.env.example"), include_str!("../docs/operating/settings.md"));
        let named = [FILE_VARIABLE, ARENA_THREADS_VARIABLE, PUBLIC_URL_VARIABLE, LOG_VARIABLE, LOG_FORMAT_VARIABLE];
        let passwords = ["", "SASL_", "NICKSERV_"].map(|which| password_variable("libera", which));
        let web = [adapter_web::config::LISTEN_VARIABLE, adapter_web::config::METRICS_VARIABLE];
        let all = named.into_iter().chain(web).chain(DATABASE_VARIABLES).chain(["NO_COLOR"]);
        for name in all.chain(passwords.iter().map(String::as_str)) {
            assert!(env.contains(name), ".env.example leaves {name} out");
            assert!(operating.contains(name), "docs/operating/settings.md leaves {name} out");
        }
    }
}
