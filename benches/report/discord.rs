//! How long people on Discord wait, and how much memory the bot takes while nobody speaks.
//!
//! The service, the adapter and a fake Discord that answers at once run in one process. So the time that Discord itself
//! and the way there take is not in the figures.

#[path = "../../tests/it/fakes/discord/mod.rs"]
#[expect(dead_code, reason = "the tests ask more of the fake")]
mod fake;

use std::sync::Arc;

use adapter_discord::{Discord, DiscordSettings};
use port::clock::Clock;
use port::entropy::Entropy;
use rulekeeper::service::Hub;
use rulekeeper::service::settings::Settings;
use store::Store;
use tokio::runtime::Runtime;

use self::fake::{Arg, Fake, Person, TOKEN};
use crate::measure::{Bench, Row, Times};

const ROUNDS: usize = 500;

const GUILD: u64 = 7;
const CHANNEL: u64 = 70;

/// A display and an action, from the slash command to the message that answers it.
pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    // A second one is as good as the first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Runtime::new().expect("a runtime starts");
    let moderator = Person::new(501, "Mod").managing();
    let (fake, bot, hub) = runtime.block_on(started(&moderator));
    let memory = memory();
    let ask = |name: &str, args: &[(&str, Arg<'_>)]| {
        runtime.block_on(async {
            let token = fake.slash(&moderator, CHANNEL, name, args);
            fake.answer(&token).await;
        });
    };
    let shown = Times::of(bench.rounds(ROUNDS), || ask("joust hill", &[]));
    let mut yes = false;
    let done = Times::of(bench.rounds(ROUNDS), || {
        yes = !yes;
        let value = if yes { "yes" } else { "no" };
        ask("room settings", &[("setting", Arg::Text("threads")), ("value", Arg::Text(value))]);
    });
    runtime.block_on(async {
        bot.stop().await;
        hub.stop();
    });
    vec![
        Row::noted("discord: memory at rest, with the fake", &memory),
        shown.row("discord: a display is answered"),
        done.row("discord: an action is answered, in memory").ratio_to("a display", &shown),
    ]
}

/// A server with a room in which a contest goes on.
async fn started(moderator: &Person) -> (Fake, Discord, Hub) {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let store = Store::in_memory().await.expect("a store");
    let clock = Clock::manual("2026-11-02T12:00:00Z".parse().expect("an instant"));
    let hub = Hub::open(store, clock, Entropy::fixed(), Settings::default()).await.expect("the service opens");
    let mut settings = DiscordSettings::new(TOKEN);
    settings.api_base = Some(fake.base());
    let bot = Discord::start(settings, Arc::new(hub.clone())).expect("the settings work");
    fake.registered(GUILD, "room").await;
    let open = [("game", Arg::Text("joust")), ("name", Arg::Text("main"))];
    fake.answer(&fake.slash(moderator, CHANNEL, "room open", &open)).await;
    fake.registered(GUILD, "joust").await;
    fake.answer(&fake.slash(moderator, CHANNEL, "joust start", &[])).await;
    for room in hub.rooms() {
        hub.finish_work(&room).await;
    }
    (fake, bot, hub)
}

/// What this process takes now, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.map_or_else(|| "memory unknown".to_owned(), |kilobytes| format!("{} MB", kilobytes / 1024))
}
