//! A line that is being heard, and what a command of it answers.
//!
//! It is found out once for all commands of the line. What they do with it, `commands` says.

use super::{deciding::Spent, deed::Outcome, hub::Hub};
use kernel::{Id, display::Document};
use port::{Attachment, Line, Place, ReplyKind};
use store::PersonId;

/// Who said a line, and where: what all commands of the line share.
pub(super) struct Hearing<'h> {
    pub(super) hub: &'h Hub,
    pub(super) line: &'h Line,
    /// Whether the speaker is not listened to.
    pub(super) ignored: bool,
    /// Whether the speaker moderates everywhere.
    pub(super) operator: bool,
    /// The speaker's person, if there is one already.
    pub(super) person: Option<PersonId>,
    /// Whether the line asks for more than one thing.
    pub(super) several: bool,
    /// What laws have taken for it.
    pub(super) spent: Spent,
}

impl Hearing<'_> {
    /// The answer to something that was done: for the doer alone where it was said aloud and an announcement tells the
    /// same channel.
    pub(super) fn answered(&self, outcome: Outcome) -> Answer {
        let told = match &self.line.place {
            Place::Forum(forum) => outcome.announced.contains(&Id::from(forum.to_string())),
            Place::Aside(_) | Place::Private => false,
        };
        let kind = if told { ReplyKind::Announced } else { ReplyKind::Done };
        Answer { kind, ..Answer::done(outcome.reply) }
    }
}

/// What a command came to: documents for the speaker.
pub(super) struct Answer {
    pub(super) kind: ReplyKind,
    pub(super) document: Document,
    /// Whether only the speaker may see it, whatever the catalogue says.
    pub(super) private: bool,
    /// A file for the speaker.
    pub(super) file: Option<Attachment>,
}

impl Answer {
    /// Something was done.
    pub(super) fn done(document: Document) -> Self {
        Self { kind: ReplyKind::Done, document, private: false, file: None }
    }

    /// Something is shown.
    pub(super) fn shown(document: Document) -> Self {
        Self { kind: ReplyKind::Shown, document, private: false, file: None }
    }
}
