//! The walk: tries what every message and every page of a rehearsal tells its reader to do, as that reader would.

use super::{Player, READER, Wrong, broke};
use crate::rehearsal::stage::account;
use crate::service::deed::NotDone;
use kernel::{
    display::{self, Document, Reference},
    frame::Designation,
};
use port::{Delivery, Destination, ForumAddress, Place as Spot, Speaker, gallery::Gallery};

/// What a line begins with that is typed in a proposal.
const DIRECTIVE: &str = "=>";

impl Player {
    /// Tries a message: typed, as on IRC and in the console, and called by values, as on Discord.
    pub(super) async fn walk(&mut self, document: &Document, from: &Speaker, place: &Spot) -> Result<(), Wrong> {
        self.try_lines(document, (from, place), |_| false).await
    }

    /// Tries announcements, each as somebody who reads it there. What one of them adds, a later one may say is gone.
    pub(super) async fn walk_announced(&mut self, deliveries: &[Delivery]) -> Result<(), Wrong> {
        for (at, Delivery { to, document, .. }) in deliveries.iter().enumerate() {
            let (from, place) = self.reader_of(to);
            let is_gone = |line: &str| {
                deliveries[at + 1..]
                    .iter()
                    .any(|later| display::plain(&later.document).contains(&format!("no longer command “{line}”")))
            };
            self.try_lines(document, (&from, &place), is_gone).await?;
        }
        Ok(())
    }

    async fn try_lines(
        &mut self,
        document: &Document,
        (from, place): (&Speaker, &Spot),
        is_gone: impl Fn(&str) -> bool,
    ) -> Result<(), Wrong> {
        // An example of the help is a command, and need not be of anything that there is.
        let is_help = document.id.starts_with("help");
        for line in document.told_lines() {
            match document.references.get(&line) {
                Some(_) if is_help => {}
                Some(reference) => self.follow(reference, from, place).await?,
                None if line.starts_with(DIRECTIVE) || is_gone(&line) => {}
                None => {
                    self.report.unfit.insert(format!("{} is told “{line}”, which is no command", from.nick));
                }
            }
        }
        Ok(())
    }

    /// Tries what the pages of the room tell, as somebody of its public channel, for whom they are written.
    pub(super) async fn walk_pages(&mut self) -> Result<(), Wrong> {
        let Some((name, forum)) = self.handle().ok().and_then(|handle| {
            let view = handle.view();
            let forum = view.frame().designated(Designation::Public).next()?.split_once('/')?;
            let forum = ForumAddress { service: forum.0.to_owned(), channel: forum.1.to_owned() };
            Some((handle.name.clone(), forum))
        }) else {
            return Ok(());
        };
        let (from, place) = self.reader_of(&Destination::Forum(forum));
        let hub = self.stage().await?.hub.clone();
        let Ok(overview) = hub.overview(&name).await else { return Ok(()) };
        let mut pages = vec![overview.about];
        for (display, _) in &overview.displays {
            pages.extend(hub.show(&name, display, None).await.ok().map(|shown| shown.document));
        }
        for reference in pages.iter().flat_map(|page| page.references.values()) {
            self.follow(reference, &from, &place).await?;
        }
        Ok(())
    }

    async fn follow(&mut self, reference: &Reference, from: &Speaker, place: &Spot) -> Result<(), Wrong> {
        match self.stage().await?.hub.follows(from, place, reference).await {
            Err(NotDone::Refused(why)) => {
                let told = format!("{} is told “{}” ({reference:?}): {}", from.nick, reference.line, why.say);
                self.report.unfit.insert(told);
                Ok(())
            }
            Err(NotDone::Broke(fault)) => Err(broke(fault)),
            Ok(()) | Err(NotDone::HeardBefore) => Ok(()),
        }
    }

    /// Somebody who reads an announcement, and where: of a channel one of those who have a seat in the room.
    fn reader_of(&self, to: &Destination) -> (Speaker, Spot) {
        let (account, place) = match to {
            Destination::Person(account) => (account.clone(), Spot::Private),
            Destination::Forum(forum) => {
                let seats = self.handle().map(|handle| handle.view().frame().seats.clone()).unwrap_or_default();
                let name = seats.values().next().map_or(READER, |seat| &seat.name).to_owned();
                (account(&name), Spot::Forum(forum.clone()))
            }
        };
        let (nick, operator) = (account.id.clone(), self.moderators.contains(&account.id));
        let from = Speaker { account: Some(account), sign_in: None, nick, operator, moderates: Vec::new() };
        (from, place)
    }
}
