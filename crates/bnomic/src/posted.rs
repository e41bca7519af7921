//! What proposals, tweaks and Refresh Proposals (B15.3, B36.4) and cleanups (4E16) were posted on.
//!
//! Others read a text, vote on it or let it pass by its meaning then. So a rule that gets another title, or a newcomer
//! under some name, changes nothing of the effects of a posted text. Names are looked up in `kernel::directives`.

use super::game::{BNomic, D};
use kernel::{Id, Mechanic, directives::Post, table::Row};

/// By the object or the machinery's name of the text.
impl Row<BNomic> for Post {
    type Key = Id;
    const TABLE: &'static str = "posts";
}

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("posted").table::<Post>()
}

/// Notes what a text is posted on.
pub(super) fn note(d: &mut D<'_>, id: &Id, text: &str) {
    let post = Post::of(d, text);
    d.put(id, post);
}
