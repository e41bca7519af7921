//! Who may read sealed texts, and texts that were typed.
//!
//! A game says where a sealed text stands, and which seats may read it. But a seat can be given to another account, so
//! that a seat proves nobody. So a sealed text remembers the person who sealed it. It opens to nobody else before the
//! game shows it to everybody, or that person agrees (ruling R1). The rule is held here, where secrets leave the store,
//! so that no game can forget it.

use super::{letters, letters::person_number};
use kernel::{
    Refusal,
    display::Block,
    engine::{Step, View},
    entry::Cause,
    viewer::Viewer,
};
use store::{PersonId, RoomId, Sealer, Secret, Store, StoreError};

/// What stands in the place of what somebody else sealed.
pub(super) const CLOSED: &str =
    "(This was sealed under another account, which has not agreed to show it to this one: ruling R1.)";

/// For whom something sealed is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// For everybody at once: the game has shown it.
    Everybody,
    /// For one person; for somebody who was never seen where there is none.
    One(Option<PersonId>),
}

/// Something sealed, as a reader finds it.
pub(super) enum Found {
    /// The text.
    Open(Secret),
    /// It is another's.
    Closed,
    /// It is not kept any more.
    Gone,
}

impl Reader {
    /// Who looks at a display. What is made for a stranger is made for everybody.
    pub(super) fn of(viewer: &Viewer) -> Self {
        if viewer.person.is_none() && viewer.seat.is_none() && !viewer.moderator {
            return Self::Everybody;
        }
        Self::One(viewer.person.as_deref().and_then(person_number))
    }

    /// The person in a seat.
    pub(super) fn in_seat(view: &dyn View, seat: &str) -> Self {
        Self::One(view.frame().seats.get(seat).and_then(|seat| person_number(&seat.person)))
    }

    /// Whether something may be opened, by who sealed it.
    pub(super) fn may(self, view: &dyn View, id: &str, sealer: &Sealer) -> bool {
        match self {
            Self::Everybody => true,
            Self::One(person) => {
                let reader = || view.reader(id).is_some_and(|seat| Self::in_seat(view, &seat) == self);
                view.is_open(id) || (person.is_some() && (sealer.person == person || reader()))
            }
        }
    }

    /// Opens something sealed.
    pub(super) async fn open(
        self,
        store: &Store,
        room: RoomId,
        view: &dyn View,
        id: &str,
    ) -> Result<Found, StoreError> {
        Ok(match store.sealed(room, id).await? {
            None => Found::Gone,
            Some((secret, sealer)) if self.may(view, id, &sealer) => Found::Open(secret),
            Some(_) => Found::Closed,
        })
    }
}

impl Found {
    /// As it stands in a document.
    pub(super) fn blocks(self) -> Vec<Block> {
        match self {
            Self::Open(secret) => letters::unsealed(Some(secret)),
            Self::Closed => vec![Block::Para(CLOSED.to_owned())],
            Self::Gone => letters::unsealed(None),
        }
    }
}

/// Refuses an act that would show everybody what another person sealed under the seat of whoever acts.
pub(super) async fn publishes_anothers(
    store: &Store,
    room: RoomId,
    before: &dyn View,
    step: &Step,
    person: Option<PersonId>,
) -> Result<Option<Refusal>, StoreError> {
    let Some(seat) = step.cause.actor() else { return Ok(None) };
    for block in step.says.iter().flat_map(|say| &say.document.blocks) {
        let Block::Sealed { secret } = block else { continue };
        if before.is_open(secret) {
            continue;
        }
        if let Some((_, sealer)) = store.sealed(room, secret).await?
            && sealer.seat.as_deref() == Some(&**seat)
            && sealer.person != person
        {
            let name = before.frame().name_of(seat);
            let why = format!(
                "that was sealed by who had the seat of {name} before you, and would be shown to everybody; they agree by \
                 “⁅entrust {name}⁆”"
            );
            return Ok(Some(Refusal::new(why).by("ruling R1").instead("why R1")));
        }
    }
    Ok(None)
}

/// What the journal calls it when a moderator gives a seat to an account.
const SEAT_GIVEN: &str = "seat";

/// Whether the words that caused an entry are for nobody else's eyes.
pub(super) fn are_words_private(cause: &Cause) -> bool {
    match cause {
        Cause::Action { private, .. } => *private,
        // What moderators do to a room, they do for everybody to read; but who gives a seat names an account.
        Cause::Moderator { act, .. } => act == SEAT_GIVEN,
        Cause::Due(_) | Cause::Job(_) => true,
    }
}

/// The same by the JSON of an entry.
pub(super) fn are_private(entry: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Caused {
        cause: Cause,
    }
    serde_json::from_str::<Caused>(entry).map_or(true, |caused| are_words_private(&caused.cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_private_where_nobody_knows() {
        assert!(are_private("no entry"));
        assert!(are_private(r#"{"seq":1,"cause":{"moderator":{"by":"p1","act":"seat"}}}"#));
        assert!(!are_private(r#"{"seq":1,"cause":{"moderator":{"by":"p1","act":"correct"}}}"#));
        assert!(!are_private(r#"{"seq":1,"cause":{"action":{"actor":null,"command":"join","private":false}}}"#));
    }
}
