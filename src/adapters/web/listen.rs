//! Connections: how many, how long, and how patiently each is listened to.
//!
//! Somebody who opens connections and says nothing must not keep others out. What is asked for on them is absent.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
    task::JoinSet,
};

/// Most connections at once: a proxy needs a few dozen, and each costs a buffer.
const OPEN_MAX_CONNECTIONS: usize = 256;

/// How long the head of a request may take to arrive, and a connection be idle between requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

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
    let seats = Arc::new(Semaphore::new(OPEN_MAX_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let accepted = async {
            // A connection is taken from the system's queue only when there is room for it.
            let seat = seats.clone().acquire_owned().await;
            (seat, listener.accept().await)
        };
        let accepted = tokio::select! {
            () = stopped(&mut stop) => break,
            accepted = accepted => accepted,
        };
        let (seat, stream, peer) = match accepted {
            (Ok(seat), Ok((stream, peer))) => (seat, stream, peer),
            (_, Err(error)) => {
                tracing::warn!(%error, "a connection to the web was not taken");
                tokio::time::sleep(REFUSED_PAUSE).await;
                continue;
            }
            (Err(_), _) => break,
        };
        let service = TowerToHyperService::new(router.clone().layer(Extension(Peer(peer.ip().to_canonical()))));
        let mut stop = stop.clone();
        connections.spawn(async move {
            let _seat = seat;
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
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(STOP_TIMEOUT, all).await;
}

/// Waits until the program stops, or nobody is left who could say so.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
