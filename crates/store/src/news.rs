//! News: a process on a server tells the others which rooms went on, so that they need not look all the time.
//!
//! It is told after the commit and never within it: one that tells something holds a lock over all of the server's
//! databases until it is on the disk. What is not told, because a connection broke, is found by whoever looks. In a file
//! nothing is told.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Notify;

use super::Store;
use super::conn::Connector;
use super::error::Result;
use super::types::RoomId;
use kernel::Seq;

/// Most rooms in one piece of news: a server takes 8000 bytes at a time.
const NEWS_MAX_ROOMS: usize = 180;

/// What this process did, and has not told yet. All clones share it.
#[derive(Clone, Default)]
pub(super) struct News(Arc<Untold>);

#[derive(Default)]
struct Untold {
    rooms: Mutex<BTreeMap<RoomId, Seq>>,
    came: Notify,
}

impl News {
    /// Takes note that a room has come to an entry.
    pub(super) fn note(&self, room: RoomId, seq: Seq) {
        self.0.rooms.lock().unwrap_or_else(PoisonError::into_inner).insert(room, seq);
        self.0.came.notify_one();
    }

    /// Waits until there is something to tell.
    async fn wait(&self) {
        while self.0.rooms.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            self.0.came.notified().await;
        }
    }

    /// Some of what there is to tell, as it is told: `12:507 14:3`.
    fn take(&self) -> String {
        let mut rooms = self.0.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let told: Vec<_> = std::iter::from_fn(|| rooms.pop_first()).take(NEWS_MAX_ROOMS).collect();
        let told: Vec<String> = told.iter().map(|(room, seq)| format!("{room}:{seq}")).collect();
        told.join(" ")
    }
}

/// What is told, as it was told.
fn read(told: &str) -> impl Iterator<Item = (RoomId, Seq)> {
    told.split(' ').filter_map(|part| {
        let (room, seq) = part.split_once(':')?;
        Some((RoomId(room.parse().ok()?), seq.parse().ok()?))
    })
}

impl Store {
    /// Whether processes on this database tell each other what they did.
    #[must_use]
    pub fn has_news(&self) -> bool {
        matches!(self.db.connector(), Connector::Postgres(_))
    }

    /// Tells other processes what this one does, and hears which rooms have come to which entries, its own among them.
    /// Goes on until the connection breaks; where nothing is told, for ever.
    ///
    /// # Errors
    /// As the database reports: call again.
    pub async fn news(&self, mut heard: impl FnMut(RoomId, Seq)) -> Result<Infallible> {
        let Connector::Postgres(postgres) = self.db.connector() else { return std::future::pending().await };
        let mut line = postgres.listen().await?;
        loop {
            let told = tokio::select! {
                told = line.hear() => Some(told?),
                () = self.news.wait() => None,
            };
            match told {
                Some(told) => read(&told).for_each(|(room, seq)| heard(room, seq)),
                None => line.tell(&self.news.take()).await?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_entry_of_each_room_is_told_in_pieces_that_a_server_takes() {
        let news = News::default();
        news.note(RoomId(7), 1);
        news.note(RoomId(7), 2);
        news.wait().await;
        assert_eq!(news.take(), "7:2");
        for room in 0..=NEWS_MAX_ROOMS as i64 {
            news.note(RoomId(i64::MAX - room), Seq::MAX);
        }
        let told = news.take();
        assert!(told.len() < 8000, "{}", told.len());
        assert_eq!(read(&told).count(), NEWS_MAX_ROOMS);
        assert_eq!(read(&news.take()).collect::<Vec<_>>(), [(RoomId(i64::MAX), Seq::MAX)]);
        assert_eq!(read("from elsewhere").count(), 0);
    }
}
