//! The service as adapters see it.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use tokio::sync::watch;

use super::hub::Hub;
use super::referring::Reading;
use adapter_console::Backstage;
use kernel::display::{Cell, Document};
use port::Desk;
use port::Incident;
use port::Undelivered;
use port::{
    Account, Asker, Became, Completion, Delivery, ForumAddress, Hosted, Line, Place, Reply, Revision, Standing,
};

impl Desk for Hub {
    fn hear(&self, line: Line) -> BoxFuture<'_, Vec<Reply>> {
        Box::pin(Self::hear(self, line))
    }

    fn next_delivery<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Delivery> {
        Box::pin(Self::next_delivery(self, service))
    }

    fn delivered(&self, id: i64) -> BoxFuture<'_, ()> {
        Box::pin(Self::delivered(self, id))
    }

    fn still_delivering(&self, id: i64) -> BoxFuture<'_, ()> {
        Box::pin(self.renew_delivery(id))
    }

    fn undelivered(&self, id: i64, why: Undelivered) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            match why {
                Undelivered::Retry => self.retry_delivery(id).await,
                Undelivered::Gone(why) => self.abandon_delivery(id, &why).await,
            }
        })
    }

    fn incident(&self, incident: Incident) -> BoxFuture<'_, ()> {
        Box::pin(self.note_incident(incident))
    }

    fn thread_of<'a>(&'a self, forum: &'a ForumAddress, key: &'a str) -> BoxFuture<'a, Option<String>> {
        Box::pin(Self::thread_of(self, forum, key))
    }

    fn keep_thread<'a>(&'a self, forum: &'a ForumAddress, key: &'a str, thread: Option<&'a str>) -> BoxFuture<'a, ()> {
        Box::pin(Self::keep_thread(self, forum, key, thread))
    }

    fn keep_living<'a>(&'a self, delivery: &'a Delivery, at: &'a ForumAddress, message: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(Self::keep_living(self, delivery, at, message))
    }

    fn next_revisions<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Vec<Revision>> {
        Box::pin(Self::next_revisions(self, service))
    }

    fn revised<'a>(&'a self, revision: &'a Revision, became: Became) -> BoxFuture<'a, ()> {
        Box::pin(Self::revised(self, revision, became))
    }

    fn forums(&self, service: &str) -> watch::Receiver<Vec<String>> {
        Self::forums(self, service)
    }

    fn complete(&self, asker: Asker, command: String, param: String, begun: String) -> BoxFuture<'_, Vec<Cell>> {
        Box::pin(async move { Self::complete(self, asker, &command, &param, &begun).await })
    }

    fn complete_line<'a>(&'a self, asker: Asker, text: &'a str) -> BoxFuture<'a, Completion> {
        Box::pin(Self::complete_line(self, asker, text))
    }

    fn known_as(&self, service: &str, names: Vec<String>) {
        self.inner.called.tell(service, names);
    }

    fn could(&self, asker: Asker, command: String, typed: BTreeMap<String, String>) -> BoxFuture<'_, Option<Document>> {
        Box::pin(async move { Self::could(self, asker, &command, typed).await })
    }

    fn handed_over<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(Self::handed_over(self, origin))
    }

    fn keep_for(&self, account: Account, document: Document) -> BoxFuture<'_, ()> {
        Box::pin(async move { Self::keep_for(self, &account, &document).await })
    }

    fn hosted(&self, service: &str) -> watch::Receiver<Vec<Hosted>> {
        Self::hosted(self, service)
    }

    fn shown_in<'a>(&'a self, at: &'a ForumAddress, message: &'a str) -> BoxFuture<'a, Option<(String, String)>> {
        Box::pin(Self::shown_in(self, at, message))
    }

    fn seat_of<'a>(&'a self, account: &'a Account, at: &'a ForumAddress) -> BoxFuture<'a, Option<(String, String)>> {
        Box::pin(Self::seat_of(self, account, at))
    }

    fn accounts_of<'a>(&'a self, service: &'a str, person: &'a str) -> BoxFuture<'a, Vec<String>> {
        Box::pin(Self::accounts_of(self, service, person))
    }

    fn greeting(&self) -> Document {
        let mut steps = super::commands::start::steps();
        self.refer(&mut steps, None, &Reading { place: &Place::Private, service: None, person: None });
        steps
    }

    fn standings(&self, service: &str) -> watch::Receiver<Vec<Standing>> {
        Self::standings(self, service)
    }
}

impl Backstage for Hub {
    fn delivery_now<'a>(&'a self, service: &'a str) -> BoxFuture<'a, Option<Delivery>> {
        Box::pin(async move {
            if !self.is_answered() {
                return None;
            }
            Self::delivery_now(self, service).await.unwrap_or_else(|fault| {
                tracing::error!(service, %fault, "the outbox cannot be read; it is tried again");
                None
            })
        })
    }

    fn posted(&self) -> watch::Receiver<u64> {
        self.inner.posted.subscribe()
    }

    fn quiet(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if self.is_answered()
                && let Err(fault) = self.settle().await
            {
                tracing::error!(%fault, "what is due was left undone; it is tried again");
            }
        })
    }

    fn stopped(&self) -> BoxFuture<'_, ()> {
        Box::pin(Self::stopped(self))
    }
}
