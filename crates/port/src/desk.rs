//! What an adapter needs of the service. Each adapter speaks one network and knows no game.
//!
//! An adapter turns messages of its network into [`Line`]s, renders [`Reply`]s and [`Delivery`]s, and reports what
//! became of a delivery. All it knows of the rest of the program is [`Desk`]. It judges nobody, gives no command a
//! meaning, and keeps nothing that outlives the process.

use std::{collections::BTreeMap, time::Duration};

use futures::future::BoxFuture;
use tokio::sync::watch;

use crate::{Account, Asker, Called, Completion, Delivery, ForumAddress, Hosted, Line, Reply, Standing};
use kernel::display::{Cell, Document};

/// How long an adapter may take to report what became of an announcement that it was given. In that time it may also
/// say that it is still at it. A lease has to outlast this, else an announcement that waits in a slow network's queue
/// is handed out twice.
pub const REPORT_MAX: Duration = Duration::from_secs(110);

/// What an adapter needs of the service. One desk serves all adapters, so every method that is about one network
/// names it as `service` (`console`, `irc:libera`, `discord`).
pub trait Desk: Send + Sync + 'static {
    /// Takes one line in; returns the answers for its speaker, in order. The adapter hands in the lines of one forum
    /// (and of one person in private) one after the other. Lines of different places go side by side.
    fn hear(&self, line: Line) -> BoxFuture<'_, Vec<Reply>>;

    /// The next announcement leased for this service, waiting until there is one. An adapter may ask again before it
    /// has reported on the last one. The desk never hands out an announcement whose destination still has one in
    /// flight. So each destination sees its announcements in order and a silent one holds up no other. The adapter
    /// reports within [`REPORT_MAX`], or says within that time that it is [`still_delivering`](Self::still_delivering).
    /// The future may be dropped at shutdown: what was leased then is leased again.
    fn next_delivery<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Delivery>;

    /// The network has taken the announcement with this number.
    fn delivered(&self, id: i64) -> BoxFuture<'_, ()>;

    /// The announcement with this number is sent, and whether it arrived is not known yet: nobody else is to send it. To
    /// be said again within [`REPORT_MAX`].
    fn still_delivering(&self, id: i64) -> BoxFuture<'_, ()>;

    /// The announcement with this number did not reach its destination, or nobody can know whether it did.
    fn undelivered(&self, id: i64, why: Undelivered) -> BoxFuture<'_, ()>;

    /// The thread of a channel in which a topic goes on, as [`Desk::keep_thread`] was told; only for networks with
    /// threads. A network with roles keeps which of them it made in the same way.
    fn thread_of<'a>(&'a self, forum: &'a ForumAddress, key: &'a str) -> BoxFuture<'a, Option<String>> {
        let _ = (forum, key);
        Box::pin(std::future::ready(None))
    }

    /// A topic goes on in this thread of a channel from now on, or its thread is gone.
    fn keep_thread<'a>(&'a self, forum: &'a ForumAddress, key: &'a str, thread: Option<&'a str>) -> BoxFuture<'a, ()> {
        let _ = (forum, key, thread);
        Box::pin(std::future::ready(()))
    }

    /// An announcement stands there as this message, and [`Delivery::lives`]: it is kept up to date from now on.
    fn keep_living<'a>(&'a self, delivery: &'a Delivery, at: &'a ForumAddress, message: &'a str) -> BoxFuture<'a, ()> {
        let _ = (delivery, at, message);
        Box::pin(std::future::ready(()))
    }

    /// The messages of this service that show something else by now, waiting until there are some. The adapter says of
    /// each that it is [`revised`](Self::revised).
    fn next_revisions<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Vec<Revision>> {
        let _ = service;
        Box::pin(std::future::pending())
    }

    /// A message shows what it should, or cannot any more: then it is left as it stands.
    fn revised<'a>(&'a self, revision: &'a Revision, became: Became) -> BoxFuture<'a, ()> {
        let _ = (revision, became);
        Box::pin(std::future::ready(()))
    }

    /// The room and the display that a message shows, where it is kept up to date.
    fn shown_in<'a>(&'a self, at: &'a ForumAddress, message: &'a str) -> BoxFuture<'a, Option<(String, String)>> {
        let _ = (at, message);
        Box::pin(std::future::ready(None))
    }

    /// The room of a channel in which somebody has a seat, and their name there.
    fn seat_of<'a>(&'a self, account: &'a Account, at: &'a ForumAddress) -> BoxFuture<'a, Option<(String, String)>> {
        let _ = (account, at);
        Box::pin(std::future::ready(None))
    }

    /// The channels of this service in which forums are bound, as the adapter named them in a [`ForumAddress`]. The
    /// receiver shows every later change of the list.
    fn forums(&self, service: &str) -> watch::Receiver<Vec<String>>;

    /// What completes a value of a command after the given beginning, as the asker may see it, best first. There is
    /// nothing where there is no such command or parameter. It reads a snapshot and never waits for a room.
    fn complete(&self, asker: Asker, command: String, param: String, begun: String) -> BoxFuture<'_, Vec<Cell>> {
        let _ = (asker, command, param, begun);
        Box::pin(std::future::ready(Vec::new()))
    }

    /// What completes a line that ends where somebody is typing.
    fn complete_line<'a>(&'a self, asker: Asker, text: &'a str) -> BoxFuture<'a, Completion> {
        let _ = (asker, text);
        Box::pin(std::future::ready(Completion::default()))
    }

    /// Why somebody could not do a command whatever they typed for what it still lacks, before they type it. There is
    /// nothing where they may try, or where nobody knows. It comes with the values that were typed already. Nothing
    /// changes by it.
    fn could(&self, asker: Asker, command: String, typed: BTreeMap<String, String>) -> BoxFuture<'_, Option<Document>> {
        let _ = (asker, command, typed);
        Box::pin(std::future::ready(None))
    }

    /// The answers to the line of this origin have been handed over: what they showed counts as read.
    fn handed_over<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, ()> {
        let _ = origin;
        Box::pin(std::future::ready(()))
    }

    /// An answer for this person alone reached them in no way: it is kept, for them to ask for.
    fn keep_for(&self, account: Account, document: Document) -> BoxFuture<'_, ()> {
        let _ = (account, document);
        Box::pin(std::future::ready(()))
    }

    /// The games that are played in channels of this service; the receiver shows every later change.
    fn hosted(&self, service: &str) -> watch::Receiver<Vec<Hosted>> {
        let _ = service;
        watch::Sender::new(Vec::new()).subscribe()
    }

    /// How the rooms stand that are announced in channels of this service; the receiver shows every later change.
    fn standings(&self, service: &str) -> watch::Receiver<Vec<Standing>> {
        let _ = service;
        watch::Sender::new(Vec::new()).subscribe()
    }

    /// The accounts of this service that a person of [`Roles`](crate::Roles) has.
    fn accounts_of<'a>(&'a self, service: &'a str, person: &'a str) -> BoxFuture<'a, Vec<String>> {
        let _ = (service, person);
        Box::pin(std::future::ready(Vec::new()))
    }

    /// What whoever has just brought the bot to a place reads: how a game comes there.
    fn greeting(&self) -> Document {
        Document::default()
    }

    /// What the bot is called on this service, now and whenever it can, in the place of what was told before. Nobody takes
    /// a seat under such a name.
    fn known_as(&self, service: &str, names: Vec<String>) {
        let _ = (service, names);
    }

    /// Something that moderators should hear of. A desk that has nobody to tell may leave it to the log.
    fn incident(&self, incident: Incident) -> BoxFuture<'_, ()> {
        tracing::warn!(%incident, "adapter incident");
        Box::pin(std::future::ready(()))
    }
}

/// A message that is to show something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its number.
    pub id: i64,
    /// The channel or thread that it stands in.
    pub at: ForumAddress,
    /// Its id there.
    pub message: String,
    /// What it is to show.
    pub document: Document,
    /// The command that shows the same.
    pub again: Called,
    /// What the service knows by that it shows this.
    pub shown: String,
}

/// What became of a [`Revision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// The message shows it.
    Shown,
    /// The network is away: it is tried again.
    Away,
    /// The message is gone, or may not be edited.
    Gone,
}

/// Why an announcement did not reach its destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// The connection, the channel or the person is away at the moment: lease it again later.
    Retry,
    /// The destination is lost (channel deleted, the bot is banned): give up and tell moderators this reason.
    Gone(String),
}

/// Something that happened to an adapter and that moderators should hear of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incident {
    /// An identity that was bound to a connection (a network without services) has ended: the seat that it holds
    /// needs a new account. The reason is a clause such as `alice left the network`.
    IdentityVoided {
        /// The account that proves nothing any more.
        account: Account,
        /// Why.
        why: String,
    },
    /// The bot cannot be in a channel that it should be in.
    ForumLost {
        /// The channel.
        forum: ForumAddress,
        /// Why.
        why: String,
    },
    /// A network does not take something of a room: commands beyond its list, roles that the bot may not give.
    LeftUndone {
        /// The channels where it is missed.
        forums: Vec<ForumAddress>,
        /// What, and what helps: sentences.
        told: String,
    },
    /// Something about a service does not work at the moment, and is tried again.
    ServiceTroubled {
        /// The service.
        service: String,
        /// What, and why. Never holds a secret.
        why: String,
    },
    /// The adapter gave up this service until it is restarted, such as after a refused password.
    ServiceLost {
        /// The service.
        service: String,
        /// Why. Never holds a secret.
        why: String,
    },
}

impl std::fmt::Display for Incident {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::IdentityVoided { account, why } => {
                write!(f, "the identity {} at {} ended: {why}", account.id, account.service)
            }
            Self::ForumLost { forum, why } => write!(f, "the bot is not in {forum}: {why}"),
            Self::LeftUndone { told, .. } => f.write_str(told),
            Self::ServiceTroubled { service, why } => write!(f, "{service} is troubled: {why}"),
            Self::ServiceLost { service, why } => write!(f, "{service} was given up: {why}"),
        }
    }
}
