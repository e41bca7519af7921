//! `rulekeeper check`: whether everything that is set can be used, before anybody relies on it.
//!
//! Every mistake is told, not the first alone. What settings name is tried as far as that changes nothing. Networks are
//! connected to and not joined, and Discord is asked who the bot is. Addresses of the web are taken and given back, and
//! the database is looked at. A process that runs is not disturbed. Checking journals is `verify`'s.

use std::{future::Future, io::Write, time::Duration};

use super::{error::Error, setup::Setup};
use crate::config::{Config, environment};
use crate::games;
use adapter_discord as discord;
use adapter_irc::probe;
use adapter_web::config::WebConfig;
use kernel::display::counted;
use store::{Address, Store, StoreError};

/// How long one thing may take that is tried: longer than a slow network needs.
const TRIED_MAX: Duration = Duration::from_secs(15);

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Check {}

/// What was tried, and what came of it.
type Found = (String, Result<String, String>);

impl Check {
    /// Looks at everything, and says on `out` what was found.
    ///
    /// # Errors
    /// [`Error::Failed`] where something is wrong.
    pub async fn run(self, setup: &Setup, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let (config, mistakes) = Config::gather_what_can_be(&setup.flags(), &environment);
        let served = config.database.file().is_some_and(Store::is_served);
        let networks = futures::future::join_all(config.irc.iter().map(|network| {
            in_time(format!("{} at {}:{}", network.service(), network.host, network.port()), probe::reach(network))
        }));
        let discord = async {
            match &config.discord {
                Some(settings) => Some(in_time("discord".to_owned(), discord::probe::ask(settings)).await),
                None => None,
            }
        };
        let (networks, discord, database, web) =
            tokio::join!(networks, discord, database(&config.database), web(&config.web, served));
        let (database, doubts) = database;
        let found: Vec<Found> = std::iter::once(database).chain(networks).chain(discord).chain(web).collect();
        for mistake in &mistakes {
            writeln!(out, "wrong: {mistake}")?;
        }
        let mut wrong = mistakes.len();
        for (what, came) in found {
            match came {
                Ok(well) => writeln!(out, "   ok: {what}: {well}")?,
                Err(why) => {
                    wrong += 1;
                    writeln!(out, "wrong: {what}: {why}")?;
                }
            }
        }
        for doubt in doubts {
            writeln!(out, " warn: database {}: {doubt}", config.database)?;
        }
        match wrong {
            0 => Ok(writeln!(out, "Everything that is set can be used.")?),
            count => Err(Error::Failed(format!("{} found.", counted(count as u64, "mistake")))),
        }
    }
}

async fn in_time(what: String, tried: impl Future<Output = Result<String, String>>) -> Found {
    let came = tokio::time::timeout(TRIED_MAX, tried).await;
    (what, came.unwrap_or_else(|_| Err(format!("there is no answer within {} seconds", TRIED_MAX.as_secs()))))
}

/// The database: whether it is one of ours, and can be written, and what its server is set to that breaks promises.
async fn database(address: &Address) -> (Found, Vec<String>) {
    let what = format!("database {address}");
    const WELL: &str = "its schema is the one of this program, and it can be written";
    const BLANK: &str = "it is blank, and the first start makes its tables";
    let server = Store::server(address.expose()).await.ok().flatten();
    let came = match Store::is_made(address.expose()).await {
        Err(error) => Err(error.to_string()),
        Ok(_) if server.as_ref().is_some_and(|server| !server.may_write) => {
            Err("it can be read and not written: its server follows another one, or the role may not write".to_owned())
        }
        Ok(is_made) => match address.file().map(|file| (file, file.exists())) {
            None if address.is_of_server() && !is_made => Ok(BLANK.to_owned()),
            None if address.is_of_server() => rooms(address).await.map(|()| WELL.to_owned()),
            None => Ok("it is in memory, and ends with the program".to_owned()),
            Some((file, false)) if Store::may_write(file) => Ok("it is not there yet, and can be made".to_owned()),
            Some((_, false)) => {
                Err("it is not there, and cannot be made: there is no folder that may be written".to_owned())
            }
            Some((file, true)) if !Store::may_write(file) => {
                Err("it can be read and not written; its file and its folder have to belong to who runs the program"
                    .to_owned())
            }
            Some((_, true)) if !is_made => Ok(BLANK.to_owned()),
            Some((_, true)) => rooms(address).await.map(|()| WELL.to_owned()),
        },
    };
    ((what, came), server.map(|server| server.doubts).unwrap_or_default())
}

/// Why a room of a database cannot be read by this program, where one cannot.
async fn rooms(address: &Address) -> Result<(), String> {
    let read = async {
        let store = Store::open_to_read(address.expose()).await?;
        let (name, rooms, missing) = (store.name(), store.rooms().await, store.missing().await);
        store.close().await?;
        Ok::<_, StoreError>((name, rooms?, missing?))
    };
    let (name, rooms, missing) = read.await.map_err(|error| error.to_string())?;
    if let Some(missing) = missing.into_iter().next() {
        return Err(missing);
    }
    rooms.iter().try_for_each(|room| {
        games::table_for(&room.game, &room.shape, &format!("The room {} in {name}", room.name)).map(drop)
    })
}

/// The addresses of the web: taken, and given back. One that a running program of ours has is as it should be.
async fn web(config: &WebConfig, served: bool) -> Vec<Found> {
    let mut found = Vec::new();
    for (what, address) in [("web pages", config.listen), ("metrics", config.metrics)] {
        let Some(address) = address else { continue };
        let came = match tokio::net::TcpListener::bind(address).await {
            Ok(_) => Ok("the address is free".to_owned()),
            Err(why) if why.kind() == std::io::ErrorKind::AddrInUse && served => {
                Ok("the address is taken, and a program runs on this database".to_owned())
            }
            Err(why) if !config.asked_for => Ok(format!("{why}: nobody asked for this address, so another will do")),
            Err(why) => Err(why.to_string()),
        };
        found.push((format!("{what} at {address}"), came));
    }
    found
}
