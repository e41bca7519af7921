//! Getting the own nick back when it was in use at sign-in, or when the services took it away.
//!
//! With an account the services free the nick, and it is taken once they have said so; asking for both at once loses
//! the race. Without one the nick is tried now and then, and as soon as its holder is seen to leave.

use std::time::Duration;

use irc_proto::{Command, Message};
use tokio::time::Instant;

use super::config::IrcNetwork;
use super::gate::{self, WireLine};
use super::message::source;
use super::server::Server;

/// The pause between two tries. A ghost of a lost connection goes without a word where it shares no channel, so the nick is
/// back within a minute only if it is asked for that often.
pub(super) const RECOVER_EVERY: Duration = Duration::from_secs(45);

/// How often the services are asked to free the nick on one connection.
const GHOSTS_MAX_COUNT: u32 = 3;

/// Keeps watch over the own nick.
pub(super) struct NickKeeper {
    wanted: String,
    /// Whom to ask to free it.
    service: String,
    tries: u32,
    next: Option<Instant>,
}

impl NickKeeper {
    /// To be made when the sign-in is done.
    pub(super) fn new(network: &IrcNetwork, server: &Server, now: Instant) -> Self {
        let service = network.nickserv.as_ref().map_or("NickServ", |nickserv| &nickserv.service).to_owned();
        // A longer one is never to be had.
        let longest = network.nick.floor_char_boundary(server.nick_max_bytes);
        let mut keeper = Self { wanted: network.nick[..longest].to_owned(), service, tries: 0, next: None };
        if !server.is_me(&keeper.wanted) {
            keeper.next = Some(now);
        }
        keeper
    }

    /// When to ask [`Self::due`] again.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.next
    }

    /// What to send now.
    pub(super) fn due(&mut self, server: &Server, now: Instant) -> Option<WireLine> {
        if self.next.is_none_or(|next| now < next) {
            return None;
        }
        if server.is_me(&self.wanted) {
            self.next = None;
            return None;
        }
        let first = self.tries == 0;
        self.next = Some(now + RECOVER_EVERY);
        self.tries = self.tries.saturating_add(1);
        if server.account.is_some() && self.tries <= GHOSTS_MAX_COUNT {
            return gate::command("PRIVMSG", &[&self.service, &format!("GHOST {}", self.wanted)]).ok();
        }
        // It was refused a moment ago, at sign-in.
        if first { None } else { self.take() }
    }

    /// Learns from a message that the server has observed.
    pub(super) fn observe(&mut self, message: &Message, server: &Server, now: Instant) -> Option<WireLine> {
        let from = source(message)?;
        let mine = server.is_me(&self.wanted);
        match &message.command {
            Command::NICK(new) if server.is_me(new) => {
                // Ours (the server has observed it already): either the nick is back, or somebody took it away.
                self.next = (!mine).then(|| self.next.unwrap_or(now + RECOVER_EVERY));
                if mine {
                    self.tries = 0;
                }
                None
            }
            Command::NICK(_) | Command::QUIT(_) if !mine && server.mapping.same(&from.nick, &self.wanted) => {
                self.take()
            }
            Command::NOTICE(_, text) if !mine => {
                let service = self.service.split('@').next().unwrap_or(&self.service);
                let about_it = server.mapping.fold(text).contains(&server.mapping.fold(&self.wanted));
                if server.mapping.same(&from.nick, service) && about_it { self.take() } else { None }
            }
            _ => None,
        }
    }

    fn take(&self) -> Option<WireLine> {
        gate::command("NICK", &[&self.wanted]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nick_that_is_too_long_for_the_server_is_not_asked_for() {
        let scene = Scene::new(&[":s 001 Kee :hi", ":s 005 Kee NICKLEN=3 :are supported"]);
        assert_eq!(scene.keeper.next_due(), None);
        let scene = Scene::new(&[":s 001 Ke1 :hi", ":s 005 Ke1 NICKLEN=3 :are supported"]);
        assert_eq!(scene.keeper.wanted, "Kee");
        assert!(scene.keeper.next_due().is_some());
    }

    struct Scene {
        server: Server,
        keeper: NickKeeper,
        now: Instant,
    }

    impl Scene {
        fn new(greeting: &[&str]) -> Self {
            let mut server = Server::new("Keeper");
            for line in greeting {
                server.observe(&line.parse().unwrap());
            }
            let now = Instant::now();
            let network = IrcNetwork::new("net", "irc.example.org", "Keeper");
            Self { keeper: NickKeeper::new(&network, &server, now), server, now }
        }

        fn sees(&mut self, line: &str) -> Option<String> {
            let message = line.parse().unwrap();
            self.server.observe(&message);
            self.keeper.observe(&message, &self.server, self.now).map(|line| line.text().trim_end().to_owned())
        }

        fn due(&mut self) -> Option<String> {
            self.keeper.due(&self.server, self.now).map(|line| line.text().trim_end().to_owned())
        }
    }

    const LOGGED_IN: &str = ":s.t 900 Keeper_ Keeper_!k@h keeper :You are now logged in";

    #[test]
    fn the_services_free_the_nick_before_it_is_taken() {
        let mut scene = Scene::new(&[":s.t 001 Keeper_ :hi", LOGGED_IN]);
        assert_eq!(scene.due().as_deref(), Some("PRIVMSG NickServ :GHOST Keeper"));
        assert_eq!(scene.due(), None);
        assert_eq!(scene.sees(":mallory!m@h NOTICE Keeper_ :Keeper has been ghosted."), None);
        let said = scene.sees(":NickServ!s@h NOTICE Keeper_ :\x02keeper\x02 has been ghosted.");
        assert_eq!(said.as_deref(), Some("NICK Keeper"));
        scene.sees(":Keeper_!k@h NICK Keeper");
        assert_eq!(scene.keeper.next_due(), None);
    }

    #[test]
    fn services_that_do_not_answer_are_asked_a_few_times_only() {
        let mut scene = Scene::new(&[":s.t 001 Keeper_ :hi", LOGGED_IN]);
        let mut said = Vec::new();
        while said.len() < 5 {
            said.extend(scene.due());
            scene.now = scene.keeper.next_due().unwrap();
        }
        assert_eq!(said[..3], ["PRIVMSG NickServ :GHOST Keeper"; 3].map(str::to_owned));
        assert_eq!(said[3..], ["NICK Keeper"; 2].map(str::to_owned));
    }

    #[test]
    fn without_services_the_nick_is_taken_when_its_holder_leaves_or_after_a_while() {
        let mut scene = Scene::new(&[":s.t 001 Keeper_ :hi"]);
        assert_eq!(scene.due(), None);
        assert_eq!(scene.sees(":keeper!x@h QUIT :bye").as_deref(), Some("NICK Keeper"));
        assert_eq!(scene.sees(":other!x@h QUIT :bye"), None);
        scene.now += RECOVER_EVERY;
        assert_eq!(scene.due().as_deref(), Some("NICK Keeper"));
    }

    #[test]
    fn the_nick_of_a_ghost_that_goes_without_a_word_is_back_within_a_minute() {
        let mut scene = Scene::new(&[":s.t 001 Keeper_ :hi"]);
        scene.due();
        for _ in 0..100 {
            let next = scene.keeper.next_due().unwrap();
            assert!(next <= scene.now + Duration::from_secs(60));
            scene.now = next;
            assert_eq!(scene.due().as_deref(), Some("NICK Keeper"));
        }
    }

    #[test]
    fn a_nick_that_is_taken_away_later_is_wanted_back() {
        let mut scene = Scene::new(&[":s.t 001 Keeper :hi"]);
        assert_eq!(scene.keeper.next_due(), None);
        scene.sees(":Keeper!k@h NICK Guest123");
        scene.now += RECOVER_EVERY;
        assert_eq!(scene.due(), None);
        scene.now = scene.keeper.next_due().unwrap();
        assert_eq!(scene.due().as_deref(), Some("NICK Keeper"));
    }
}
