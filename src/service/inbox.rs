//! What could not be delivered to somebody: told of, shown, and marked as read once the answer has been handed over.
//!
//! Reading it is a command (`commands/inbox.rs`), and keeping it is the store's. An answer can be lost as well as an
//! announcement. So nothing counts as read before the adapter says that it has passed the answer on.

use super::{hub::Hub, inbox_shown::Answered, referring::Reading};
use kernel::display::{Block, Document};
use port::{Account, Line, Place, Reply, ReplyKind};

/// The id of the document that an inbox is.
pub(super) const INBOX: &str = "inbox";

impl Hub {
    /// The answers to a line have been handed over.
    pub async fn handed_over(&self, origin: &str) {
        for Answered { accounts, ids, .. } in self.inner.shown.take(origin) {
            if let Err(error) = self.inner.store.mark_read(&accounts, &ids).await {
                tracing::error!(%error, "what was read of an inbox cannot be marked; it is shown again");
            }
        }
    }

    /// Keeps for somebody's inbox what they could not be told otherwise.
    pub async fn keep_for(&self, account: &Account, document: &Document) {
        // What an inbox showed still waits there.
        if document.id == INBOX {
            return;
        }
        let written = serde_json::to_string(document).expect("a document holds nothing that JSON cannot");
        let now = self.inner.clock.now().as_microsecond();
        if let Err(error) = self.inner.store.keep_for(account, &written, now).await {
            tracing::error!(service = account.service, %error, "an answer cannot be kept for its inbox, and is lost");
        }
    }

    /// Tells somebody, beside an answer that nobody else reads, that something waits in their inbox: once.
    pub(super) async fn tell_of_inbox(&self, line: &Line, replies: &mut [Reply]) {
        let Some(account) = &line.from.account else { return };
        let alone = |reply: &&mut Reply| reply.private || matches!(line.place, Place::Private);
        if replies.iter().any(|reply| reply.document.id == INBOX) {
            return;
        }
        let Some(reply) = replies.iter_mut().filter(|reply| reply.kind != ReplyKind::Awaits).rfind(alone) else {
            return;
        };
        let told = async {
            if !self.inner.store.has_untold(account).await? {
                return Ok(false);
            }
            self.inner.store.mark_told(account).await.map(|()| true)
        };
        match told.await {
            Ok(true) => {
                let text = "Something that could not be delivered to you waits for you. Type:";
                reply.document.blocks.extend([Block::Para(text.to_owned()), Block::command("inbox")]);
                self.refer(&mut reply.document, None, &Reading::of_line(line, None));
            }
            Ok(false) => {}
            Err(error) => tracing::error!(%error, "an inbox cannot be looked at"),
        }
    }
}
