//! What the contest is told on: a network, the program beside it, and what people say and read.

use std::{future::Future, time::Duration};

use adapter_console::Backstage as _;
use adapter_irc::{Irc, IrcNetwork, Link};
use jiff::SignedDuration;
use port::Desk;
use port::clock::Clock;
use port::{Account, Destination, ForumAddress};
use store::{Options, Queue, Store};
use tokio::task::JoinHandle;

use crate::{
    house::{Folder, House, at},
    log::Log,
    servers::{
        Network,
        client::{Client, Message},
    },
};

/// The bot's nick, and its account where there are accounts.
pub(super) const BOT: &str = "Rulekeeper";

/// The channel of the contest.
pub(super) const CHANNEL: &str = "#joust";

/// The service of the network, as the bot calls it.
pub(super) const SERVICE: &str = "irc:net";

/// A Monday, on which the contest opens.
pub(super) const START: &str = "2026-11-02T10:00:00Z";

/// The length on which all charges are played, where dice are fixed: the number of lengths below it.
const LENGTH_151: u64 = 16;

/// More numbers than dice are drawn in a story.
const DICE_FIXED_COUNT: usize = 1000;

/// How long the bot or a server may take for what it does by itself. Reconnecting backs off meanwhile.
const WAIT_MAX: Duration = Duration::from_secs(120);

/// After this an announcement that did not arrive is tried again, whoever held it.
pub(super) const RETRY: SignedDuration = SignedDuration::from_mins(3);

/// How long another process's lock is waited for: short, because a test holds it.
const BUSY_TIMEOUT: Duration = Duration::from_millis(300);

/// A program, and by what it would be known again.
pub(super) struct Code {
    /// A word in a comment.
    pub(super) mark: &'static str,
    /// Symbols that mean nothing and that no other text has.
    pub(super) sign: &'static str,
    /// How many cycles it waits beyond them.
    pub(super) wait: usize,
}

impl Code {
    /// The text: it waits, walks over 151 cells to the enemy's flag, and strikes.
    pub(super) fn text(&self) -> String {
        let [wait, walk, strike] = [(".", self.wait), (">", 150), ("-", 128)].map(|(symbol, n)| symbol.repeat(n));
        format!("{} {}{wait}{walk}{strike}", self.mark, self.sign)
    }

    /// The same in lines short enough for everybody.
    pub(super) fn pieces(&self) -> Vec<String> {
        let text = self.text();
        let (head, tail) = text.split_at(text.len() / 2);
        vec![head.to_owned(), tail.to_owned()]
    }

    /// Whether a text shows any of it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(self.mark) || text.contains(self.sign)
    }
}

/// Tells a story with all of its log kept, also what threads beside it log.
pub(super) fn tell<F: Future<Output = ()>>(story: impl FnOnce(Log) -> F) {
    let log = Log::default();
    let dispatch = log.dispatch();
    let _guard = tracing::dispatcher::set_default(&dispatch);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // Each of its threads logs there until it ends.
        .on_thread_start(move || std::mem::forget(tracing::dispatcher::set_default(&dispatch)))
        .build()
        .expect("a runtime starts");
    runtime.block_on(story(log));
}

/// A network with the program on it.
pub(super) struct Stage {
    pub(super) network: Network,
    pub(super) house: House,
    pub(super) folder: Folder,
    settings: IrcNetwork,
    moderators: Vec<Account>,
    running: Option<(Irc, JoinHandle<()>)>,
}

impl Stage {
    /// Starts the program for a network, on an empty database; nobody is there yet.
    pub(super) async fn set(network: Network, settings: IrcNetwork, moderators: &[&str]) -> Self {
        let folder = Folder::new();
        let moderators: Vec<_> = moderators.iter().map(|id| account(id)).collect();
        let house = open(&folder, Clock::manual(at(START)), &moderators).await;
        let running = Some(run(&house, &settings));
        Self { network, house, folder, settings, moderators, running }
    }

    /// Ends the program in order and starts it again on the same database.
    pub(super) async fn restart(&mut self) {
        let (irc, scheduler) = self.running.take().expect("it runs");
        self.house.hub.stop();
        irc.stop().await;
        scheduler.await.expect("the scheduler ends by itself");
        self.house.hub.close().await.expect("the database closes");
        self.house = open(&self.folder, self.house.clock.clone(), &self.moderators).await;
        self.running = Some(run(&self.house, &self.settings));
    }

    /// Has all charges of the room be played on 151 cells.
    pub(super) async fn fix_dice(&self) {
        let numbers = vec![("length".to_owned(), LENGTH_151); DICE_FIXED_COUNT];
        self.house.hub.fix_dice(&self.house.room("main"), numbers).await;
    }

    /// Lets time pass, but nothing happen that is due.
    pub(super) fn pass(&self, time: SignedDuration) {
        let clock = &self.house.clock;
        clock.advance_to(clock.now().checked_add(time).expect("not the end of time"));
    }

    /// Waits until the bot's connection is as wanted.
    pub(super) async fn link(&self, wanted: impl Fn(&Link) -> bool) {
        let (irc, _) = self.running.as_ref().expect("it runs");
        let mut link = irc.link("net").expect("the network is known");
        let waited = tokio::time::timeout(WAIT_MAX, link.wait_for(|link| wanted(link))).await;
        waited.expect("the link changes in time").expect("the bot lives");
    }

    /// Waits until what waits for the network is as wanted.
    pub(super) async fn outbox(&self, what: &str, wanted: impl Fn(&[Queue]) -> bool) {
        let mut posted = self.house.hub.posted();
        let waited = tokio::time::timeout(WAIT_MAX, async {
            loop {
                posted.borrow_and_update();
                let mut queues = self.house.hub.store().queues().await.expect("the outbox can be read");
                queues.retain(|queue| queue.to.service() == SERVICE);
                if wanted(&queues) {
                    return;
                }
                // What is leased shows in the database alone.
                let _ = tokio::time::timeout(Duration::from_millis(20), posted.changed()).await;
            }
        });
        waited.await.unwrap_or_else(|_| panic!("{what}"));
    }

    /// Waits until the channel has everything that was announced.
    pub(super) async fn told(&self) {
        self.outbox("everything is delivered", |queues| queues.iter().all(|queue| queue.to != channel())).await;
    }
}

async fn open(folder: &Folder, clock: Clock, moderators: &[Account]) -> House {
    let options = Options { busy_timeout: BUSY_TIMEOUT, ..Options::default() };
    let store = Store::open(&folder.database(), options).await.expect("the database opens");
    House::with_moderators(store, clock, moderators.to_vec()).await
}

fn run(house: &House, settings: &IrcNetwork) -> (Irc, JoinHandle<()>) {
    let desk: std::sync::Arc<dyn Desk> = std::sync::Arc::new(house.hub.clone());
    let irc = Irc::start(vec![settings.clone()], desk).expect("the settings work");
    let hub = house.hub.clone();
    (irc, tokio::spawn(async move { hub.schedule().await }))
}

/// The channel as the outbox knows it.
pub(super) fn channel() -> Destination {
    Destination::Forum(ForumAddress { service: SERVICE.to_owned(), channel: CHANNEL.to_owned() })
}

/// An account of the network.
pub(super) fn account(id: &str) -> Account {
    Account { service: SERVICE.to_owned(), id: id.to_owned() }
}

/// Whether something waits for an account, and was tried in vain: no try goes on.
pub(super) fn tried_for<'q>(id: &'q str) -> impl Fn(&[Queue]) -> bool + 'q {
    let is_tried = |queue: &Queue| queue.attempts > 0 && queue.leased_until.is_none();
    move |queues| queues.iter().any(|queue| queue.to == Destination::Person(account(id)) && is_tried(queue))
}

/// Joins a channel, and waits until the bot is there too.
pub(super) async fn meet(who: &mut Client, channel: &str) {
    who.send(&format!("JOIN {channel}")).await;
    who.expect("the bot to be there", |message| {
        let named = |name: &str| name.trim_start_matches(['@', '+']) == BOT;
        let listed = || message.command == "353" && message.text().split(' ').any(named);
        message.parameters.iter().any(|parameter| parameter == channel)
            && (listed() || (message.command == "JOIN" && message.from == BOT))
    })
    .await;
}

/// Says something to the bot in private, and reads on to an answer with this in it, which nobody else gets.
pub(super) async fn asks(who: &mut Client, line: &str, part: &str) -> Message {
    who.say(BOT, line).await;
    hears(who, part).await
}

/// Reads on to a notice of the bot to this person alone.
pub(super) async fn hears(who: &mut Client, part: &str) -> Message {
    let nick = who.nick.clone();
    who.expect(&format!("{BOT} to say to {nick} alone {part:?}"), |message| {
        message.command == "NOTICE" && message.from == BOT && message.target() == nick && message.text().contains(part)
    })
    .await
}

/// Asks for a program of one's own, page by page, until its text comes.
pub(super) async fn reads_own(who: &mut Client, name: &str, code: &Code) {
    let nick = who.nick.clone();
    let mut line = format!("joust program {name}");
    loop {
        who.say(BOT, &line).await;
        let shown = who.expect("the program or a hint", |message| {
            message.target() == nick && (message.text().contains(code.mark) || message.text().ends_with("say more)"))
        });
        if shown.await.text().contains(code.mark) {
            return;
        }
        line = "more".to_owned();
    }
}

/// Says a command in the channel, and reads on to an answer there with this in it.
pub(super) async fn does(who: &mut Client, line: &str, part: &str) {
    who.say(CHANNEL, &format!("!{line}")).await;
    reads(who, part).await;
}

/// Says a command in the channel, and is told in private why it is not done.
pub(super) async fn is_refused(who: &mut Client, line: &str, part: &str) {
    who.say(CHANNEL, &format!("!{line}")).await;
    hears(who, part).await;
}

/// Reads on to something that the bot says in the channel.
pub(super) async fn reads(who: &mut Client, part: &str) -> Message {
    who.expect(&format!("{BOT} to say in {CHANNEL} {part:?}"), |message| {
        message.command == "PRIVMSG"
            && message.from == BOT
            && message.target() == CHANNEL
            && message.text().contains(part)
    })
    .await
}

/// Reads on to several things in their order; what is short may stand in one line with what came before it.
pub(super) async fn reads_on(who: &mut Client, parts: &[&str]) {
    let mut line = String::new();
    for part in parts {
        match line.split_once(part) {
            Some((_, rest)) => line = rest.to_owned(),
            None => line = reads(who, part).await.text().split_once(part).expect("it was read").1.to_owned(),
        }
    }
}

/// Takes another nick.
pub(super) async fn renames(who: &mut Client, nick: &str) {
    who.send(&format!("NICK {nick}")).await;
    let old = who.nick.clone();
    who.expect("the new nick", |message| message.command == "NICK" && message.from == old).await;
    who.nick = nick.to_owned();
}

/// The one-time code in an answer.
pub(super) fn code(answer: &Message) -> String {
    answer.text().rsplit(' ').next().expect("a code").to_owned()
}

/// How many lines of a wire hold a text.
pub(super) fn count(who: &Client, part: &str) -> usize {
    who.wire.iter().filter(|line| line.contains(part)).count()
}
