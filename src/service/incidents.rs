//! Incidents of adapters of which moderators should hear, put on record in the rooms that they concern.
//!
//! An identity that ends leaves a seat without its owner, and a bot that is shut out of a channel plays on unheard.
//! Neither shows in the game, so moderators are told. A network that fails over and over must not fill journals: the
//! same words are noted once an hour. Mending is left to people.

use std::sync::Arc;

use super::{
    deed::{NotDone, Origin},
    fault::Fault,
    hub::{Handle, Hub},
    letters::{forum_address, person_id},
};
use kernel::{
    Id,
    deed::{Deed, Moderation},
    doer::Doer,
    engine::View,
    frame::{Designation, Forum, Frame},
};
use port::{ForumAddress, Incident};

/// Most characters of a note: reasons come from networks, which may say anything at any length.
const NOTE_MAX_CHARS: usize = 400;

impl Hub {
    /// Notes an incident in every open room that it concerns, and logs it. An account that has ended leaves its person,
    /// so that connections do not use up how many a person may have. The last one stays, as the mark of who it was.
    pub(super) async fn note_incident(&self, incident: Incident) {
        tracing::warn!(%incident, "adapter incident");
        let notes = match self.notes(&incident).await {
            Ok(notes) => notes,
            Err(fault) => {
                tracing::error!(%fault, "moderators are not told of an incident");
                return;
            }
        };
        if let Incident::IdentityVoided { account, .. } = &incident
            && let Err(error) = self.inner.store.unlink_account(account).await
        {
            tracing::error!(%error, "an account that has ended stays with its person");
        }
        for (handle, text, forum) in notes {
            self.note_in(&handle, text, forum).await;
        }
    }

    /// Notes something in a room, for its moderators and for a channel; the same words once an hour.
    pub(super) async fn note_in(&self, handle: &Arc<Handle>, text: String, forum: Option<Id>) {
        if !self.inner.incidents.admit(handle.id, &text, self.inner.clock.now()) {
            return;
        }
        let by = Doer::default();
        let act = Moderation::Note { text: text.clone(), forum };
        let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
        match self.perform(handle, deed, Origin::default()).await {
            Ok(_) | Err(NotDone::HeardBefore) => {}
            // Nothing can be put on record for now.
            Err(NotDone::Refused(_)) => self.inner.incidents.take_back(handle.id, &text),
            Err(NotDone::Broke(fault)) => {
                tracing::error!(room = %handle.name, %fault, "moderators are not told of an incident");
                self.inner.incidents.take_back(handle.id, &text);
            }
        }
    }

    /// The rooms that an incident concerns, what is noted there, and a channel in which it is told.
    async fn notes(&self, incident: &Incident) -> Result<Vec<(Arc<Handle>, String, Option<Id>)>, Fault> {
        let person = match incident {
            Incident::IdentityVoided { account, .. } => self.inner.store.person_of(account).await?,
            _ => None,
        };
        let concerned = |frame: &Frame| match incident {
            Incident::IdentityVoided { .. } => {
                let (_, seat) = frame.seat_of(&person_id(person.as_ref()?.id))?;
                Some(format!(
                    "{name} lost an account: {incident}. The seat stays as it is until a moderator gives it to another \
                     account: ⁅seat give {name} ACCOUNT⁆",
                    name = seat.name
                ))
            }
            Incident::ForumLost { forum, .. } => {
                let bound = frame.forums.get(forum.to_string().as_str()).and_then(|forum| forum.designation());
                bound.map(|designation| format!("A {} forum is lost: {incident}.", designation.word()))
            }
            Incident::LeftUndone { forums, .. } => {
                forums.iter().any(|forum| is_bound(frame, forum)).then(|| incident.to_string())
            }
            Incident::ServiceTroubled { service, .. } | Incident::ServiceLost { service, .. } => {
                let there = |(id, forum): (&Id, &Forum)| {
                    forum.designation().is_some() && forum_address(id).is_some_and(|forum| forum.service == *service)
                };
                frame.forums.iter().any(there).then(|| format!("A network is lost or troubled: {incident}."))
            }
        };
        let mut notes = Vec::new();
        for handle in self.rooms() {
            let view = handle.view();
            if let Some(text) = Some(view.frame()).filter(|frame| !frame.closed).and_then(concerned) {
                let forum = match &incident {
                    Incident::ForumLost { forum, .. } => another(view.frame(), &forum.to_string()),
                    Incident::LeftUndone { forums, .. } => {
                        forums.iter().find(|forum| is_bound(view.frame(), forum)).map(|forum| forum.to_string().into())
                    }
                    _ => None,
                };
                notes.push((handle, text.chars().take(NOTE_MAX_CHARS).collect(), forum));
            }
        }
        Ok(notes)
    }
}

/// Whether a channel is one of a room.
fn is_bound(frame: &Frame, forum: &ForumAddress) -> bool {
    frame.forums.get(forum.to_string().as_str()).is_some_and(|forum| forum.designation().is_some())
}

/// Another channel of a room in which to tell that one is lost, the most private one first. It is none that more people
/// read, where the lost one was not public.
fn another(frame: &Frame, lost: &str) -> Option<Id> {
    let openness = |designation| match designation {
        Designation::Private => 0,
        Designation::Discussion => 1,
        Designation::Public => 2,
    };
    let bound = |(id, forum): (&Id, &Forum)| Some((openness(forum.designation()?), id.clone()));
    let most = openness(frame.forums.get(lost)?.designation()?);
    let others = frame.forums.iter().filter(|(id, _)| &***id != lost).filter_map(bound);
    others.filter(|(openness, _)| *openness <= most).min().map(|(_, id)| id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::{recent_notes::NOTE_REPEAT, settings::Settings};
    use kernel::Seq;
    use port::clock::Clock;
    use port::entropy::Entropy;
    use port::{Account, Destination, ForumAddress, Line, Place, Reply, Sent, Speaker};
    use store::Store;

    fn account(service: &str, id: &str) -> Account {
        Account { service: service.to_owned(), id: id.to_owned() }
    }

    /// A hub with a joust in `#a` of a network, in which Ann sits by her connection and which Mo moderates by being
    /// listed.
    async fn hub() -> Hub {
        let store = Store::in_memory().await.unwrap();
        let settings = Settings { moderators: vec![account("irc:net", "mo")], ..Settings::default() };
        let start = "2026-11-02T10:00:00Z".parse().unwrap();
        let hub = Hub::open(store, Clock::manual(start), Entropy::fixed(), settings).await.unwrap();
        for (number, (who, text)) in [("mo", "room open joust main"), ("ann~1.1", "join Ann")].into_iter().enumerate() {
            let line = Line {
                origin: number.to_string(),
                from: Speaker {
                    account: Some(account("irc:net", who)),
                    sign_in: None,
                    nick: who.to_owned(),
                    operator: false,
                    moderates: Vec::new(),
                },
                place: Place::Forum(ForumAddress { service: "irc:net".to_owned(), channel: "#a".to_owned() }),
                text: text.to_owned(),
                attachments: Vec::new(),
                sent: Sent::Typed,
            };
            let replies = hub.hear(line).await;
            assert!(replies.iter().all(Reply::went_well), "{replies:?}");
        }
        hub
    }

    /// What Mo is told since the last time, with the number of the room's last entry.
    async fn told(hub: &Hub) -> (Vec<String>, Seq) {
        let mo = Destination::Person(account("irc:net", "mo"));
        let mut told = Vec::new();
        while let Some(row) = hub.store().lease("irc:net", 0, 1).await.unwrap() {
            hub.store().mark_delivered(row.id).await.unwrap();
            told.extend((row.to == mo).then_some(row.document));
        }
        (told, hub.rooms()[0].view().seq())
    }

    #[tokio::test]
    async fn an_incident_is_told_to_the_moderators_of_the_rooms_that_it_concerns() {
        let hub = hub().await;
        let (_, before) = told(&hub).await;
        let why = || "ann left the network".to_owned();
        let forum = |channel: &str| ForumAddress { service: "irc:net".to_owned(), channel: channel.to_owned() };
        for incident in [
            Incident::IdentityVoided { account: account("irc:net", "bob~1.1"), why: why() },
            Incident::ForumLost { forum: forum("#b"), why: why() },
            Incident::ServiceLost { service: "irc:other".to_owned(), why: why() },
        ] {
            hub.note_incident(incident).await;
        }
        assert_eq!(told(&hub).await, (Vec::new(), before), "nobody here is concerned");

        let voided = Incident::IdentityVoided { account: account("irc:net", "ann~1.1"), why: why() };
        hub.note_incident(voided.clone()).await;
        hub.note_incident(voided.clone()).await;
        hub.note_incident(Incident::ForumLost { forum: forum("#a"), why: "banned".to_owned() }).await;
        hub.note_incident(Incident::ServiceLost { service: "irc:net".to_owned(), why: "refused".to_owned() }).await;
        let (told_now, seq) = told(&hub).await;
        assert_eq!((told_now.len(), seq), (3, before + 3), "{told_now:?}");
        assert!(
            told_now[0].contains("Ann lost an account") && told_now[0].contains("seat give Ann ACCOUNT"),
            "{told_now:?}"
        );
        assert!(
            told_now[1].contains("public forum is lost") && told_now[2].contains("network is lost"),
            "{told_now:?}"
        );

        hub.clock().advance_to(hub.clock().now().checked_add(NOTE_REPEAT).unwrap());
        hub.note_incident(voided).await;
        assert_eq!(told(&hub).await.1, before + 4);
    }

    #[tokio::test]
    async fn an_account_that_has_ended_leaves_its_person_unless_it_is_the_last() {
        let hub = hub().await;
        let ann = hub.store().person_of(&account("irc:net", "ann~1.1")).await.unwrap().expect("she joined").id;
        hub.store().put_link_code(ann, "CODE", i64::MAX).await.unwrap();
        hub.store().redeem_link_code(&account("irc:net", "ann~1.2"), "CODE", 0, false).await.unwrap();
        for ended in ["ann~1.1", "ann~1.2"] {
            let why = "ann left the network".to_owned();
            hub.note_incident(Incident::IdentityVoided { account: account("irc:net", ended), why }).await;
            assert_eq!(hub.store().accounts(ann).await.unwrap(), [account("irc:net", "ann~1.2")]);
        }
        let (told, _) = told(&hub).await;
        assert!(told.len() == 2 && told.iter().all(|note| note.contains("Ann lost an account")), "{told:?}");
    }
}
