//! Messages that live: an announcement that people act on shows what became of it, as long as it stands there.
//!
//! Such a message shows a display of its room as a stranger sees it, with what may be done about it now. So it follows
//! from the state alone, and no game knows of it. What it showed last is kept as a hash. A message is revised where its
//! display has another one by now, also after a restart. Networks that cannot edit keep none.

use std::{
    collections::BTreeSet,
    sync::{Arc, MutexGuard, PoisonError},
};

use sha2::{Digest as _, Sha256};

use super::{
    commands::show,
    deed::NotDone,
    delivering::Lived,
    gallery::stranger,
    hub::{Handle, Hub},
    letters::person_id,
    referring::Reading,
    sealed::Reader,
};
use kernel::{
    display::{Document, Offer},
    waiting::Waiting,
};
use port::{Account, Became, Called, Delivery, ForumAddress, Place, Revision, gallery::display_path};
use store::{Living, RoomId};

impl Hub {
    /// An announcement stands somewhere as a message: what it shows is kept up to date there from now on.
    pub(super) async fn keep_living(&self, delivery: &Delivery, at: &ForumAddress, message: &str) {
        let Some((room, display)) = delivery.lives.as_ref().and_then(|key| key.split_once('/')) else { return };
        let Some(room) = room.parse().ok().map(RoomId).and_then(|room| self.room(room)) else { return };
        let living = Living {
            id: 0,
            room: room.id,
            forum: at.clone(),
            message: message.to_owned(),
            display: display.to_owned(),
            // The room may have gone on since it was announced.
            shown: String::new(),
        };
        if let Err(error) = self.store().keep_living(&living).await {
            tracing::error!(%error, "a message cannot be kept up to date; it stays as it is");
        }
        self.look_again(|lived| lived.retain(|(_, of), _| *of != room.id));
    }

    fn lived(&self) -> MutexGuard<'_, Lived> {
        self.inner.outbox.lived.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has messages looked at again whose rooms did not move.
    fn look_again(&self, forget: impl FnOnce(&mut Lived)) {
        forget(&mut self.lived());
        self.inner.stirred.send_modify(|count| *count += 1);
    }

    /// The messages of a service that show something else by now, waiting until there are some.
    pub(super) async fn next_revisions(&self, service: &str) -> Vec<Revision> {
        let mut stirred = self.inner.stirred.subscribe();
        loop {
            stirred.mark_unchanged();
            let revisions = self.revisions(service).await;
            if !revisions.is_empty() {
                return revisions;
            }
            if stirred.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The messages of a service that show something else by now. A room that did not move is not looked at again.
    pub async fn revisions(&self, service: &str) -> Vec<Revision> {
        let mut out = Vec::new();
        for room in self.rooms() {
            let (of, seq) = ((service.to_owned(), room.id), room.view().seq());
            if self.lived().insert(of.clone(), seq) == Some(seq) {
                continue;
            }
            match self.store().living(room.id, service).await {
                Ok(kept) if kept.is_empty() => {}
                Ok(kept) => {
                    let ballots = ballots(&room);
                    for living in kept {
                        out.extend(self.revision(&room, living, &ballots).await);
                    }
                }
                Err(error) => {
                    tracing::error!(service, %error, "the messages that live cannot be read; they are looked at later");
                    self.lived().remove(&of);
                }
            }
        }
        out
    }

    /// What a message is to show, where it shows something else.
    async fn revision(&self, room: &Arc<Handle>, living: Living, ballots: &BTreeSet<String>) -> Option<Revision> {
        let mut document = match self.alive(room, &living.display, ballots).await {
            Ok(document) => document?,
            Err(NotDone::Broke(fault)) => {
                tracing::error!(%fault, "a message that lives cannot be shown");
                return None;
            }
            Err(_) => return None,
        };
        let shown = hash(&document);
        let args = [("display".to_owned(), living.display.clone())].into();
        let again =
            Called { name: "show".to_owned(), args, room: Some(room.name.clone()), because: None, offered: None };
        let Living { id, forum: at, message, shown: before, .. } = living;
        if shown == before {
            return None;
        }
        let place = Place::Forum(at.clone());
        self.refer(&mut document, Some(room), &Reading { place: &place, service: Some(&at.service), person: None });
        Some(Revision { id, at, message, document, again, shown })
    }

    /// The room and the display that a message shows, where it is kept up to date.
    pub(super) async fn shown_in(&self, at: &ForumAddress, message: &str) -> Option<(String, String)> {
        let living = self.store().living_at(at, message).await.unwrap_or_else(|error| {
            tracing::error!(%error, "what a message shows cannot be read");
            None
        })?;
        Some((self.room(living.room)?.name.clone(), living.display))
    }

    /// The room of a channel in which somebody has a seat, and their name there.
    pub(super) async fn seat_of(&self, account: &Account, at: &ForumAddress) -> Option<(String, String)> {
        let person = self.store().person_of(account).await.unwrap_or_else(|error| {
            tracing::error!(%error, "who an account is cannot be read");
            None
        })?;
        let rooms = self.indexed(|index| index.of_forum(&at.to_string()));
        rooms.into_iter().find_map(|room| {
            let view = room.view();
            let (_, seat) = view.frame().seat_of(&person_id(person.id))?;
            Some((room.name.clone(), seat.name.clone()))
        })
    }

    /// What became of a revision.
    pub(super) async fn revised(&self, revision: &Revision, became: Became) {
        let kept = match became {
            Became::Shown => self.store().revised_living(revision.id, &revision.shown).await,
            Became::Gone => self.store().drop_living(revision.id).await,
            Became::Away => Ok(()),
        };
        if let Err(error) = kept {
            tracing::error!(%error, "what a message shows cannot be written down; it is shown again");
        }
        if became == Became::Away {
            self.look_again(Lived::clear);
        }
    }

    /// What a message about a display shows now, in a room that takes it: nothing where there is no such display. With it
    /// come the displays of what is voted on there.
    pub(super) async fn alive(
        &self,
        room: &Arc<Handle>,
        display: &str,
        ballots: &BTreeSet<String>,
    ) -> Result<Option<Document>, NotDone> {
        let (mut document, seq) = match show::closed(self, room, display, None, &stranger()).await {
            Err(NotDone::Refused(_)) => return Ok(None),
            shown => shown?,
        };
        show::unseal(self, room, &mut document, Reader::Everybody).await?;
        // Of one thing there is a reason why it stands so; a list has none.
        if !document.offers.is_empty() && display.contains('/') {
            if ballots.contains(display) {
                document.offers.push(Offer::new("Your vote", format!("voted {display}"), seq));
            } else if document.cells().filter_map(|cell| cell.shows.as_ref()).any(|shown| ballots.contains(shown)) {
                document.offers.push(Offer::new("Your votes", "voted", seq));
            }
            document.offers.push(Offer::new("Why?", format!("why {display}"), seq));
        }
        if let Some(base) = &self.inner.settings.public_url {
            document.link = Some(format!("{base}{}", display_path(&room.name, display)));
        }
        Ok(Some(document))
    }
}

/// The displays of what is voted on in a room.
fn ballots(room: &Handle) -> BTreeSet<String> {
    room.view().waiting().into_iter().filter(Waiting::is_ballot).map(|waits| waits.display).collect()
}

/// What is shown, whenever it was offered.
fn hash(document: &Document) -> String {
    let mut document = document.clone();
    document.offers.iter_mut().for_each(|offer| offer.at_seq = 0);
    let written = serde_json::to_string(&document).expect("a document holds nothing that JSON cannot");
    hex::encode(Sha256::digest(written))
}
