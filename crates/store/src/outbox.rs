//! The outbox: announcements on their way.
//!
//! Sent inline, an announcement is lost when the process dies between the commit and the network, or is sent for a
//! commit that fails. So it is written in the transaction of its entry, and delivered from here: at least once, in
//! order for each destination. A destination has one lease at a time, on its oldest announcement. A slow or dead holder
//! loses it after a while, and its word no longer counts except that something *was* delivered.
//!
//! Who queues, leases or strikes out does so beside others. Each first writes the row of the destination, on which the
//! others wait, and only then looks at what waits there. Who needs several destinations takes them in order.
//!
//! Nothing here is synced to the disk before it returns: after a power failure an announcement may be sent again.

use std::collections::BTreeMap;

use super::Store;
use super::args::args;
use super::db::{Connector, Presence, Row, Tx};
use super::error::{Result, StoreError, within};
use super::file;
use super::inbox;
use super::postgres;
use super::types::{COMMIT_MAX_DELIVERIES, DOCUMENT_MAX_BYTES, DeliveryRow, Lease, NewDelivery, RoomId};
use kernel::Seq;
use port::{Account, Destination, ForumAddress};

/// Most announcements that wait for one destination. When it is full, the newest one is replaced by the next, which
/// says how many were left out. A channel that was gone for a month is not to be told everything.
pub const QUEUE_MAX_DELIVERIES: u64 = 1000;

/// Announcements given up that are kept for the operator.
pub const UNDELIVERABLE_KEPT_MAX_COUNT: i64 = 1000;

/// Longest reason for giving up, in bytes; more is cut off.
pub const REASON_MAX_BYTES: usize = 512;

/// Most queues that are told of at a time.
pub const QUEUES_LISTED_MAX_COUNT: i64 = 1000;

/// What waits for one destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Where it goes.
    pub to: Destination,
    /// How many announcements wait, with the one that is being tried.
    pub pending: u64,
    /// When what the oldest of them tells took effect.
    pub oldest_at: i64,
    /// How often the oldest was tried, with the try that goes on.
    pub attempts: u32,
    /// Until when somebody has the oldest for a try, where somebody has.
    pub leased_until: Option<i64>,
}

/// An announcement that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undeliverable {
    /// Its number in the outbox.
    pub id: i64,
    /// Where it was to go.
    pub to: Destination,
    /// The room it came from.
    pub room: RoomId,
    /// The entry that it announced, where its text still is.
    pub seq: Seq,
    /// When it was given up.
    pub gave_up: i64,
    /// How often it was tried.
    pub attempts: u32,
    /// Why it was given up.
    pub reason: String,
}

/// The kind of a destination that is one person.
const PERSON: &str = "person";

/// How a destination is written in the database: service, kind, address.
fn columns(to: &Destination) -> (&str, &'static str, &str) {
    match to {
        Destination::Forum(forum) => (&forum.service, "forum", &forum.channel),
        Destination::Person(account) => (&account.service, PERSON, &account.id),
    }
}

fn destination(service: String, kind: &str, address: String) -> Destination {
    match kind {
        PERSON => Destination::Person(Account { service, id: address }),
        _ => Destination::Forum(ForumAddress { service, channel: address }),
    }
}

fn read(row: &Row) -> Result<DeliveryRow> {
    Ok(DeliveryRow {
        id: row.int(0)?,
        to: destination(row.text(1)?, &row.text(2)?, row.text(3)?),
        room: RoomId(row.int(4)?),
        seq: row.seq(5)?,
        at: row.int(6)?,
        document: row.text(7)?,
        left_out: row.small(8)?,
        attempts: row.small(9)?,
        queued: row.int_or(10)?,
        origin: row.text_or(11)?,
    })
}

impl Store {
    /// Hands out the oldest announcement of a service that may be tried at `now`, for `lease_for` microseconds. It is
    /// the first of its destination, which nobody else is trying and which does not wait for a retry.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn lease(&self, service: &str, now: i64, lease_for: i64) -> Result<Option<DeliveryRow>> {
        let until = now.saturating_add(lease_for);
        match self.lease_until(service, now, until).await {
            // Nobody else would give back for a while what was leased all the same.
            Err(StoreError::Lost(why)) => {
                tracing::warn!(%why, service, "the connection broke during a lease; it is taken again");
                self.free_leased_until(service, until).await?;
                self.lease_until(service, now, until).await
            }
            leased => leased,
        }
    }

    async fn lease_until(&self, service: &str, now: i64, until: i64) -> Result<Option<DeliveryRow>> {
        let mut tx = self.db.write_lazily_beside().await?;
        let leased = lease(&mut tx, service, now, until).await;
        if matches!(leased, Ok(None)) {
            tx.undo().await;
            return Ok(None);
        }
        tx.end_with(leased).await
    }

    /// Gives back what was leased until an instant, alone: so whoever did so is done.
    async fn free_leased_until(&self, service: &str, until: i64) -> Result<()> {
        let mut tx = self.db.write_lazily().await?;
        let sql = "UPDATE destinations SET leased_until = NULL, attempts = attempts - 1 \
                   WHERE service = $1 AND leased_until = $2";
        let freed = tx.execute(sql, args![service, until]).await.map(drop);
        tx.end_with(freed).await
    }

    /// The earliest instant at which an announcement of a service may be tried, for a scheduler to sleep until. It is
    /// in the past when one may be tried already, and `None` when none waits.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn next_ready(&self, service: &str) -> Result<Option<i64>> {
        let sql = "SELECT MIN(CASE WHEN d.leased_until IS NOT NULL THEN d.leased_until \
                                   WHEN d.retry_at IS NOT NULL THEN d.retry_at ELSE 0 END) \
                   FROM destinations d WHERE d.service = $1 AND d.head IS NOT NULL";
        self.db.read().await?.row(sql, args![service]).await?.map_or(Ok(None), |row| row.int_or(0))
    }

    /// Strikes out an announcement that arrived, whoever tells of it. `false` when it was struck out before.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn mark_delivered(&self, id: i64) -> Result<bool> {
        match self.mark_once(id).await {
            Err(StoreError::Lost(why)) => {
                tracing::warn!(%why, id, "the connection broke; it is written down again that an announcement arrived");
                self.mark_once(id).await
            }
            marked => marked,
        }
    }

    async fn mark_once(&self, id: i64) -> Result<bool> {
        let mut tx = self.db.write_lazily_beside().await?;
        let gone = match strike_out_one(&mut tx, id).await.transpose() {
            Some(gone) => gone,
            None => {
                tx.undo().await;
                tx = self.db.write_lazily().await?;
                delivered_to_several(&mut tx, id).await
            }
        };
        tx.end_with(gone).await
    }

    /// Gives a lease back, to be tried again at `retry_at` and not before. `false` when the lease has run out and
    /// somebody else holds one, or the announcement is gone; then nothing changes.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn release(&self, lease: Lease, retry_at: i64) -> Result<bool> {
        let mut tx = self.db.write_lazily_beside().await?;
        let sql = "UPDATE destinations SET leased_until = NULL, retry_at = $3 \
                   WHERE attempts = $2 AND id = (SELECT destination FROM outbox WHERE id = $1) AND head = $1";
        let changed = tx.execute(sql, args![lease.id, i64::from(lease.attempt), retry_at]).await.map(|rows| rows > 0);
        tx.end_with(changed).await
    }

    /// Makes a lease last until an instant. `false` when it has run out and somebody else holds one, or the announcement
    /// is gone; then nothing changes.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn renew(&self, lease: Lease, until: i64) -> Result<bool> {
        let mut tx = self.db.write_lazily_beside().await?;
        let sql = "UPDATE destinations SET leased_until = $3 WHERE attempts = $2 AND leased_until IS NOT NULL \
                   AND id = (SELECT destination FROM outbox WHERE id = $1)";
        let changed = tx.execute(sql, args![lease.id, i64::from(lease.attempt), until]).await.map(|rows| rows > 0);
        tx.end_with(changed).await
    }

    /// Takes part as a process that delivers, until the store is closed or the process dies. Where no other one does,
    /// whatever is leased or claimed was so by one that is gone, and is free again at once. Says how many destinations
    /// that were. Where files cannot be locked, such leases run out by themselves.
    ///
    /// # Errors
    /// As the database and the file system report.
    pub async fn take_part(&self) -> Result<u64> {
        if let Connector::Postgres(postgres) = self.db.connector() {
            return self.take_part_by_lock(postgres.writer().await?).await;
        }
        let Some(path) = self.path() else { return Ok(0) };
        let file = file::presence(path)?;
        let alone = file.try_lock().is_ok();
        let freed = if alone { self.free_leases().await } else { Ok(0) };
        // A lock is not turned into another one in one step. Whoever comes in between finds nothing that this process leased.
        let locking = tokio::task::spawn_blocking(move || {
            if alone {
                file.unlock()?;
            }
            file.lock_shared().map(|()| file)
        });
        match locking.await.map_err(StoreError::other)? {
            Ok(file) => self.db.keep_presence(Presence::File(file)),
            Err(error) => {
                tracing::warn!(%error, "files cannot be locked here: what a process that died was delivering waits")
            }
        }
        freed
    }

    /// Whether a process delivers, or waits to, on the database as it is now.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn is_in_service(&self) -> Result<bool> {
        match self.db.connector() {
            Connector::Postgres(postgres) => {
                let mut conn = postgres.reader().await?;
                let alone = conn.is_alone().await?;
                conn.shut().await?;
                Ok(!alone)
            }
            _ => Ok(self.path().is_some_and(file::is_served)),
        }
    }

    /// The same in Postgres, by a lock that a connection holds.
    async fn take_part_by_lock(&self, mut conn: postgres::Conn) -> Result<u64> {
        let alone = conn.is_alone().await?;
        let freed = if alone { self.free_leases().await } else { Ok(0) };
        conn.share(alone).await?;
        self.db.keep_presence(Presence::Conn(Box::new(conn)));
        freed
    }

    /// Makes sure that the process still takes part, where a server may have been started anew since it began to.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn keep_part(&self) -> Result<()> {
        let Connector::Postgres(postgres) = self.db.connector() else { return Ok(()) };
        let Some(Presence::Conn(mut conn)) = self.db.take_presence() else { return Ok(()) };
        let mut kept = conn.script("SELECT 1").await;
        if kept.is_err() {
            kept = match postgres.writer().await {
                Ok(another) => {
                    *conn = another;
                    conn.share(false).await
                }
                Err(error) => Err(error),
            };
        }
        self.db.keep_presence(Presence::Conn(conn));
        kept
    }

    async fn free_leases(&self) -> Result<u64> {
        let mut tx = self.db.write_lazily().await?;
        let sql = "UPDATE destinations SET leased_until = NULL WHERE leased_until IS NOT NULL";
        let freed = tx.execute(sql, args![]).await;
        // How many had them in turn is still counted.
        let freed = match tx.execute("UPDATE claims SET until = 0", args![]).await {
            Ok(_) => freed,
            Err(error) => Err(error),
        };
        tx.end_with(freed).await
    }

    /// Frees what another process has leased of a service, which is known to be gone from it. Says how many
    /// destinations that were.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn free_leases_of(&self, service: &str) -> Result<u64> {
        let mut tx = self.db.write_lazily().await?;
        let sql = "UPDATE destinations SET leased_until = NULL WHERE service = $1 AND leased_until IS NOT NULL";
        let freed = tx.execute(sql, args![service]).await;
        tx.end_with(freed).await
    }

    /// When the oldest announcement was written that waits or is on its way, for each service that has any.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn oldest(&self) -> Result<BTreeMap<String, i64>> {
        // Numbers of announcements begin with that of their commit's last entry, so that the smallest is the oldest.
        let sql = "SELECT q.service, e.recorded, e.whole FROM \
                   (SELECT service, MIN(head) / $1 AS entry FROM destinations WHERE head IS NOT NULL GROUP BY service) q \
                   JOIN entries e ON e.id = q.entry";
        let rows = self.db.read().await?.rows(sql, args![COMMIT_MAX_DELIVERIES as i64]).await?;
        rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
    }

    /// Strikes out an announcement that cannot arrive, and keeps the reason for the operator. What was for a person is
    /// kept in their inbox, unless they got the same on another account. `false` as of [`Store::release`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn give_up(&self, lease: Lease, now: i64, reason: &str) -> Result<bool> {
        let mut tx = self.db.write_lazily().await?;
        let gone = give_up(&mut tx, lease, now, reason).await;
        tx.end_with(gone).await
    }

    /// What waits, for each destination of every service, the oldest first.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        let sql = "SELECT d.service, d.kind, d.address, \
                   d.waiting, o.at, d.attempts, d.leased_until, d.whole AND o.whole AS whole \
                   FROM destinations d JOIN outbox o ON o.id = d.head ORDER BY o.id LIMIT $1";
        let rows = self.db.read().await?.rows(sql, args![QUEUES_LISTED_MAX_COUNT]).await?;
        rows.iter()
            .map(|row| {
                Ok(Queue {
                    to: destination(row.text(0)?, &row.text(1)?, row.text(2)?),
                    pending: row.count(3)?,
                    oldest_at: row.int(4)?,
                    attempts: row.small(5)?,
                    leased_until: row.int_or(6)?,
                })
            })
            .collect()
    }

    /// How many announcements wait, in all.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn pending(&self) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM outbox";
        self.db.read().await?.row(sql, &[]).await?.map_or(Ok(0), |row| row.count(0))
    }

    /// Announcements given up, the latest first, at most [`UNDELIVERABLE_KEPT_MAX_COUNT`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn undeliverable(&self) -> Result<Vec<Undeliverable>> {
        let sql = "SELECT u.id, d.service, d.kind, d.address, u.room, u.seq, u.gave_up, u.attempts, u.reason, \
                   u.whole AND d.whole AS whole \
                   FROM undeliverable u JOIN destinations d ON d.id = u.destination ORDER BY u.id DESC LIMIT $1";
        let rows = self.db.read().await?.rows(sql, args![UNDELIVERABLE_KEPT_MAX_COUNT]).await?;
        rows.iter()
            .map(|row| {
                Ok(Undeliverable {
                    id: row.int(0)?,
                    to: destination(row.text(1)?, &row.text(2)?, row.text(3)?),
                    room: RoomId(row.int(4)?),
                    seq: row.seq(5)?,
                    gave_up: row.int(6)?,
                    attempts: row.small(7)?,
                    reason: row.text(8)?,
                })
            })
            .collect()
    }
}

/// Queues announcements in the transaction of their entries, of which `entry` is the last one's number over all rooms.
/// Says how many gave way to newer ones.
pub(super) async fn enqueue(tx: &mut Tx, room: RoomId, entry: Option<i64>, deliveries: &[NewDelivery]) -> Result<u32> {
    let Some(entry) = entry else {
        return match deliveries {
            [] => Ok(0),
            [..] => Err(StoreError::other("an announcement was handed in without an entry")),
        };
    };
    let numbered = || (entry * COMMIT_MAX_DELIVERIES as i64..).zip(deliveries);
    let mut queues: BTreeMap<&Destination, Queueing> = BTreeMap::new();
    for (id, NewDelivery { to, document, .. }) in numbered() {
        within("A document, in bytes,", document.len(), DOCUMENT_MAX_BYTES)?;
        queues.entry(to).or_insert(Queueing { first: id, count: 0, queue: 0, vacant: 0 }).count += 1;
    }
    for (to, queueing) in &mut queues {
        take_place(tx, to, queueing).await?;
    }
    let mut left_out = 0;
    for (id, NewDelivery { to, seq, at, document }) in numbered() {
        let Some(Queueing { queue, vacant, .. }) = queues.get_mut(to) else { continue };
        if *vacant > 0 {
            *vacant -= 1;
            let sql = "INSERT INTO outbox (id, destination, room, seq, at, left_out, document, elsewhere) \
                       VALUES ($1, $2, $3, $4, $5, 0, $6, 0)";
            tx.execute(sql, args![id, *queue, room, *seq, *at, document]).await?;
        } else {
            left_out += 1;
            // The newest of a full queue is never the oldest, which alone can be leased.
            let sql = "UPDATE outbox SET room = $2, seq = $3, at = $4, document = $5, left_out = left_out + 1, elsewhere = 0 \
                       WHERE id = (SELECT MAX(o.id) FROM outbox o WHERE o.destination = $1)";
            tx.execute(sql, args![*queue, room, *seq, *at, document]).await?;
        }
    }
    Ok(left_out)
}

/// What a commit puts into the queue of a destination.
struct Queueing {
    /// The first announcement, which is the head where nothing waits.
    first: i64,
    /// How many there are.
    count: u64,
    /// The number of the destination, once it is taken.
    queue: i64,
    /// How many of them still find room there.
    vacant: u64,
}

/// Takes the row of a destination, and counts what is to be put there.
async fn take_place(tx: &mut Tx, to: &Destination, queueing: &mut Queueing) -> Result<()> {
    let (service, kind, address) = columns(to);
    let count = queueing.count as i64;
    let sql = "UPDATE destinations SET head = COALESCE(head, $5), waiting = waiting + $4 \
               WHERE service = $1 AND kind = $2 AND address = $3 RETURNING id, waiting";
    let mut row = tx.row(sql, args![service, kind, address, count, queueing.first]).await?;
    if row.is_none() {
        // Somebody else may make it at this moment.
        let sql = "INSERT INTO destinations (service, kind, address, attempts, head, waiting) VALUES ($1, $2, $3, 0, $5, $4) \
                   ON CONFLICT (service, kind, address) DO UPDATE SET head = COALESCE(destinations.head, excluded.head), \
                   waiting = destinations.waiting + excluded.waiting RETURNING id, waiting";
        row = tx.row(sql, args![service, kind, address, count, queueing.first]).await?;
    }
    let row = row.ok_or_else(|| StoreError::corrupt("a destination was not written"))?;
    queueing.queue = row.int(0)?;
    let waiting = row.count(1)?;
    queueing.vacant = queueing.count.saturating_sub(waiting.saturating_sub(QUEUE_MAX_DELIVERIES));
    if waiting > QUEUE_MAX_DELIVERIES {
        let sql = "UPDATE destinations SET waiting = $2 WHERE id = $1";
        tx.execute(sql, args![queueing.queue, QUEUE_MAX_DELIVERIES as i64]).await?;
    }
    Ok(())
}

async fn lease(tx: &mut Tx, service: &str, now: i64, until: i64) -> Result<Option<DeliveryRow>> {
    // What holds of it is asked again once its row is ours: somebody may have had it before.
    let sql = "UPDATE destinations SET attempts = attempts + 1, leased_until = $3, retry_at = NULL WHERE id = (\
               SELECT d.id FROM destinations d WHERE d.service = $1 AND d.head IS NOT NULL \
               AND (d.leased_until IS NULL OR d.leased_until <= $2) AND (d.retry_at IS NULL OR d.retry_at <= $2) \
               ORDER BY d.head LIMIT 1) AND head IS NOT NULL AND (leased_until IS NULL OR leased_until <= $2) \
               AND (retry_at IS NULL OR retry_at <= $2) RETURNING id";
    let Some(row) = tx.row(sql, args![service, now, until]).await? else { return Ok(None) };
    // Its number begins with that of the last entry of its commit.
    let sql = "SELECT o.id, d.service, d.kind, d.address, o.room, o.seq, o.at, o.document, o.left_out, d.attempts - 1, \
               e.recorded, e.origin, d.whole AND o.whole AND e.whole IS NOT FALSE AS whole FROM destinations d JOIN outbox o ON o.id = d.head \
               LEFT JOIN entries e ON e.id = o.id / $2 WHERE d.id = $1";
    let row = tx.row(sql, args![row.int(0)?, COMMIT_MAX_DELIVERIES as i64]).await?;
    row.as_ref()
        .ok_or_else(|| StoreError::corrupt("the oldest announcement of a destination is not there"))
        .map(read)?
        .map(Some)
}

/// An announcement whose destination is ours until the transaction ends.
struct Held {
    /// The number of the destination.
    queue: i64,
    /// Whether it is the oldest that waits there.
    is_head: bool,
    /// Whether it is for one person.
    is_private: bool,
}

/// Takes the row of an announcement's destination; nothing where it was struck out.
async fn hold(tx: &mut Tx, id: i64) -> Result<Option<Held>> {
    let sql = "UPDATE destinations SET waiting = waiting WHERE id = (SELECT destination FROM outbox WHERE id = $1) \
               RETURNING id, head, kind";
    let Some(row) = tx.row(sql, args![id]).await? else { return Ok(None) };
    Ok(Some(Held { queue: row.int(0)?, is_head: row.int_or(1)? == Some(id), is_private: row.text(2)? == PERSON }))
}

impl Held {
    async fn strike_out(self, tx: &mut Tx, id: i64) -> Result<bool> {
        // Somebody else may have done so before it was ours.
        if tx.execute("DELETE FROM outbox WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        // Out of its turn an announcement can arrive too; the lease on the oldest then stays.
        let sql = if self.is_head {
            "UPDATE destinations SET waiting = waiting - 1, attempts = 0, leased_until = NULL, retry_at = NULL, \
             head = (SELECT MIN(o.id) FROM outbox o WHERE o.destination = $1) WHERE id = $1"
        } else {
            "UPDATE destinations SET waiting = waiting - 1 WHERE id = $1"
        };
        tx.execute(sql, args![self.queue]).await?;
        Ok(true)
    }
}

/// Strikes out what concerns its own destination alone; nothing where it concerns those of other accounts too.
async fn strike_out_one(tx: &mut Tx, id: i64) -> Result<Option<bool>> {
    let Some(held) = hold(tx, id).await? else { return Ok(Some(false)) };
    if held.is_private && inbox::doubled(tx, id).await?.is_some() {
        return Ok(None);
    }
    held.strike_out(tx, id).await.map(Some)
}

/// Strikes out what was for a person with several accounts, in a transaction that nobody else writes beside.
async fn delivered_to_several(tx: &mut Tx, id: i64) -> Result<bool> {
    inbox::note_delivered(tx, id).await?;
    strike_out(tx, id).await
}

async fn strike_out(tx: &mut Tx, id: i64) -> Result<bool> {
    match hold(tx, id).await? {
        Some(held) => held.strike_out(tx, id).await,
        None => Ok(false),
    }
}

async fn give_up(tx: &mut Tx, lease: Lease, now: i64, reason: &str) -> Result<bool> {
    let reason = &reason[..reason.floor_char_boundary(REASON_MAX_BYTES)];
    let sql = "INSERT INTO undeliverable (id, destination, room, seq, at, gave_up, attempts, reason) \
               SELECT o.id, d.id, o.room, o.seq, o.at, $3, d.attempts, $4 \
               FROM outbox o JOIN destinations d ON d.id = o.destination \
               WHERE o.id = $1 AND d.attempts = $2 AND d.head = $1";
    if tx.execute(sql, args![lease.id, i64::from(lease.attempt), now, reason]).await? == 0 {
        return Ok(false);
    }
    inbox::keep_given_up(tx, lease.id, now).await?;
    strike_out(tx, lease.id).await?;
    let sql = "DELETE FROM undeliverable \
               WHERE id <= (SELECT id FROM undeliverable ORDER BY id DESC LIMIT 1 OFFSET $1)";
    tx.execute(sql, args![UNDELIVERABLE_KEPT_MAX_COUNT]).await?;
    Ok(true)
}

/// Drops what waits for one account in private, and every trace of its address.
pub(super) async fn drop_private(tx: &mut Tx, account: &Account) -> Result<()> {
    let sql = "SELECT id, destinations.whole FROM destinations WHERE service = $1 AND kind = 'person' AND address = $2";
    let Some(row) = tx.row(sql, args![&account.service, &account.id]).await? else { return Ok(()) };
    for sql in [
        "DELETE FROM outbox WHERE destination = $1",
        "DELETE FROM undeliverable WHERE destination = $1",
        "DELETE FROM destinations WHERE id = $1",
    ] {
        tx.execute(sql, args![row.int(0)?]).await?;
    }
    Ok(())
}
