//! Which thread of a channel a topic goes on in, so that a restart opens none twice. A network keeps so, too, which roles
//! it made for the rooms of a channel.
//!
//! A row can go: then the topic goes on in another thread.

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, within};
use port::ForumAddress;

/// Most threads that are kept, over all channels; the oldest give way. A topic seldom lives for more than weeks.
pub const THREADS_KEPT_MAX_COUNT: i64 = 10_000;

/// Longest key of a topic, and longest name of a thread, in bytes.
pub const TOPIC_MAX_BYTES: usize = 512;

impl Store {
    /// The thread of a channel in which a topic goes on.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn thread(&self, forum: &ForumAddress, topic: &str) -> Result<Option<String>> {
        let sql = "SELECT thread, threads.whole FROM threads WHERE service = $1 AND channel = $2 AND topic = $3";
        let row = self.db.read().await?.row(sql, args![&forum.service, &forum.channel, topic]).await?;
        row.map(|row| row.text(0)).transpose()
    }

    /// Keeps the thread of a topic, or forgets it.
    ///
    /// # Errors
    /// [`super::StoreError::TooLarge`] beyond [`TOPIC_MAX_BYTES`].
    pub async fn put_thread(&self, forum: &ForumAddress, topic: &str, thread: Option<&str>) -> Result<()> {
        self.put_thread_within(forum, topic, thread, THREADS_KEPT_MAX_COUNT).await
    }

    pub(super) async fn put_thread_within(
        &self,
        forum: &ForumAddress,
        topic: &str,
        thread: Option<&str>,
        most: i64,
    ) -> Result<()> {
        within("The key of a topic, in bytes,", topic.len(), TOPIC_MAX_BYTES)?;
        within("The name of a thread, in bytes,", thread.map_or(0, str::len), TOPIC_MAX_BYTES)?;
        let mut tx = self.db.write_lazily().await?;
        let put = put(&mut tx, forum, topic, thread, most).await;
        tx.end_with(put).await
    }
}

async fn put(tx: &mut Tx, forum: &ForumAddress, topic: &str, thread: Option<&str>, most: i64) -> Result<()> {
    let sql = "DELETE FROM threads WHERE service = $1 AND channel = $2 AND topic = $3";
    tx.execute(sql, args![&forum.service, &forum.channel, topic]).await?;
    if let Some(thread) = thread {
        let sql = "INSERT INTO threads (service, channel, topic, thread) VALUES ($1, $2, $3, $4)";
        tx.execute(sql, args![&forum.service, &forum.channel, topic, thread]).await?;
        let sql = "DELETE FROM threads WHERE id <= (SELECT id FROM threads ORDER BY id DESC LIMIT 1 OFFSET $1)";
        tx.execute(sql, args![most]).await?;
    }
    Ok(())
}
