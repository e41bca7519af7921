//! The whole contest as its players live it, on real IRC servers. There are the service on a database of its own, the
//! IRC adapter, and people at raw connections who type and read.
//!
//! What a rule means is rehearsed, and what a fake network can show is tested there. Here is what only the whole can
//! show: that a story of weeks holds together from socket to journal and back. The clock is moved by hand, and nothing
//! waits but for lines of a server.

mod blognomic;
mod bnomic;
mod club;
mod laws;
mod leaks;
mod outage;
mod services;
mod spacenomic;
mod stage;
mod without_services;

use adapter_irc::IrcNetwork;
use futures::future::join_all;

use self::stage::{BOT, CHANNEL, Stage, meet};
use crate::{
    irc_real::{login, settings},
    servers::{Options, client::Client, inspircd},
};

/// A network with services, the program on it, and people with accounts who have joined the channel of the story; the first
/// of them moderates.
async fn with_services<const PEOPLE: usize>(names: [&str; PEOPLE]) -> (Stage, [Client; PEOPLE]) {
    let network = inspircd::inspircd_with_accounts(Options::LAX).await;
    join_all([BOT].iter().chain(&names).map(|name| network.register_account(name, "password"))).await;
    let settings = IrcNetwork { sasl: Some(login(BOT, "password")), ..settings(&network, BOT, CHANNEL) };
    let stage = Stage::set(network, settings, &[&names[0].to_lowercase()]).await;
    let come = async |name: &str| {
        let mut client = Client::login(&stage.network, name, "password").await;
        meet(&mut client, CHANNEL).await;
        client
    };
    let everybody = join_all(names.map(come)).await.try_into().ok().expect("all of them");
    (stage, everybody)
}
