//! Connections: how many, how long, and how patiently each is listened to.
//!
//! A visitor who opens connections and says nothing must not keep others out. So nobody waits for a place. Where an
//! address has its full number, or all are taken, the connection that has idled longest is closed for the newcomer.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Extension, Router, extract::Request, middleware::Next};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    sync::watch,
    task::{AbortHandle, JoinSet},
};

use super::guard::household;

/// Most connections at once: a proxy needs a few dozen, and each costs a buffer.
pub(super) const OPEN_MAX_CONNECTIONS: usize = 256;

/// Most connections of one address: a household's browsers keep six each.
pub(super) const ADDRESS_MAX_CONNECTIONS: usize = 32;

/// Most connections of this machine: a proxy here brings everybody, and still leaves room for others.
pub(super) const LOOPBACK_MAX_CONNECTIONS: usize = 192;

/// How long the head of a request may take to arrive, and a connection be idle between requests.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How long one connection is kept, however busy it is: what reads slowly without end ends here.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(120);

/// How long what is under way may take when the program stops, out of the 5 seconds that it has.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// How long to wait after the system refuses a connection, such as for want of descriptors.
const REFUSED_PAUSE: Duration = Duration::from_millis(200);

/// Longest head of a request, in bytes.
const HEAD_MAX_BYTES: usize = 16 * 1024;

/// Most header fields of a request.
const HEAD_MAX_FIELDS: usize = 64;

/// The address at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// Serves until `stop` becomes true, and what is under way then for a moment longer.
pub(super) async fn serve(listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) {
    let mut open = Open::default();
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let accepted = tokio::select! {
            () = stopped(&mut stop) => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
            Err(error) => {
                tracing::warn!(%error, "a connection to the web was not taken");
                tokio::time::sleep(REFUSED_PAUSE).await;
                continue;
            }
        };
        // Where everything that is open is being answered, the newcomer is hung up on.
        if !open.make_room(household(peer)) {
            continue;
        }
        let busy = Arc::new(AtomicBool::new(false));
        let answering = busy.clone();
        let marked = axum::middleware::from_fn(move |request: Request, next: Next| {
            let answering = Busy::begin(&answering);
            async move {
                let answer = next.run(request).await;
                drop(answering);
                answer
            }
        });
        let service = TowerToHyperService::new(router.clone().layer(Extension(Peer(peer))).layer(marked));
        let mut stop = stop.clone();
        let handle = connections.spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(HEAD_MAX_BYTES)
                .max_headers(HEAD_MAX_FIELDS)
                .serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            let ended = async {
                tokio::select! {
                    ended = connection.as_mut() => return ended,
                    () = stopped(&mut stop) => {}
                }
                connection.as_mut().graceful_shutdown();
                connection.await
            };
            // Whoever hangs up or is too slow is no fault of ours.
            let _ = tokio::time::timeout(CONNECTION_TIMEOUT, ended).await;
        });
        open.add(household(peer), Connection { handle, busy });
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(STOP_TIMEOUT, all).await;
}

/// A connection that is open.
struct Connection {
    handle: AbortHandle,
    /// Whether a request of it is being answered: then it is not closed for another.
    busy: Arc<AtomicBool>,
}

/// A request that is being answered, for as long as this is held.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn begin(busy: &Arc<AtomicBool>) -> Self {
        busy.store(true, Ordering::Relaxed);
        Self(busy.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// All connections that are open, those of each address from the oldest on.
#[derive(Default)]
struct Open {
    by: HashMap<IpAddr, Vec<Connection>>,
}

impl Open {
    fn add(&mut self, address: IpAddr, connection: Connection) {
        self.by.entry(address).or_default().push(connection);
    }

    /// Makes room for one more of an address; `false` where each that could give way is being answered.
    fn make_room(&mut self, address: IpAddr) -> bool {
        self.by.retain(|_, connections| {
            connections.retain(|connection| !connection.handle.is_finished());
            !connections.is_empty()
        });
        let most = if address.is_loopback() { LOOPBACK_MAX_CONNECTIONS } else { ADDRESS_MAX_CONNECTIONS };
        if self.by.get(&address).is_some_and(|connections| connections.len() >= most) {
            return self.close_oldest(address);
        }
        if self.by.values().map(Vec::len).sum::<usize>() < OPEN_MAX_CONNECTIONS {
            return true;
        }
        let mut addresses: Vec<(usize, IpAddr)> = self.by.iter().map(|(of, open)| (open.len(), *of)).collect();
        // Whoever has most gives way first.
        addresses.sort_unstable_by(|a, b| b.cmp(a));
        addresses.into_iter().any(|(_, of)| self.close_oldest(of))
    }

    fn close_oldest(&mut self, address: IpAddr) -> bool {
        let Some(connections) = self.by.get_mut(&address) else { return false };
        let Some(place) = connections.iter().position(|connection| !connection.busy.load(Ordering::Relaxed)) else {
            return false;
        };
        connections.remove(place).handle.abort();
        true
    }
}

/// Waits until the program stops, or nobody is left who could say so.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: u8) -> IpAddr {
        IpAddr::from([198, 51, 100, number])
    }

    /// Opens so many connections of an address, which say nothing.
    fn open(open: &mut Open, tasks: &mut JoinSet<()>, address: IpAddr, count: usize) -> Vec<Arc<AtomicBool>> {
        let one = |_| {
            let busy = Arc::new(AtomicBool::new(false));
            open.add(address, Connection { handle: tasks.spawn(std::future::pending()), busy: busy.clone() });
            busy
        };
        (0..count).map(one).collect()
    }

    #[tokio::test]
    async fn an_address_makes_room_for_itself_and_whoever_has_most_for_others() {
        let (mut held, mut tasks) = (Open::default(), JoinSet::new());
        let mine = open(&mut held, &mut tasks, of(1), ADDRESS_MAX_CONNECTIONS);
        mine[0].store(true, Ordering::Relaxed);
        assert!(held.make_room(of(1)), "the oldest that is not being answered gives way");
        assert_eq!(held.by[&of(1)].len(), ADDRESS_MAX_CONNECTIONS - 1);
        assert!(held.by[&of(1)][0].busy.load(Ordering::Relaxed));
        assert!(held.make_room(of(2)), "others have room of their own");
        assert_eq!(held.by[&of(1)].len(), ADDRESS_MAX_CONNECTIONS - 1);

        let local = IpAddr::from([127, 0, 0, 1]);
        let proxied = open(&mut held, &mut tasks, local, LOOPBACK_MAX_CONNECTIONS);
        assert!(held.make_room(local) && held.by[&local].len() == LOOPBACK_MAX_CONNECTIONS - 1);
        open(&mut held, &mut tasks, of(3), ADDRESS_MAX_CONNECTIONS);
        let some = OPEN_MAX_CONNECTIONS - held.by.values().map(Vec::len).sum::<usize>();
        open(&mut held, &mut tasks, of(4), some);
        assert!(held.make_room(of(5)), "all are taken: the proxy, which has most, gives one up");
        assert_eq!(held.by[&local].len(), LOOPBACK_MAX_CONNECTIONS - 2);
        for busy in proxied.iter().chain(&mine) {
            busy.store(true, Ordering::Relaxed);
        }
        open(&mut held, &mut tasks, of(5), 1);
        assert!(held.make_room(of(6)), "the next that has most and idles");
        assert_eq!(held.by[&of(3)].len(), ADDRESS_MAX_CONNECTIONS - 1);
    }
}
