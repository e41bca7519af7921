//! The web pages of a real room: people play in it through the same lines as anywhere, and then its site is looked at.

pub(crate) mod browser;
mod canaries;
mod demo;
mod laws;
mod ministries;
mod pages;
mod spacenomic;

use std::sync::Arc;

use adapter_web as web;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Request, StatusCode},
};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, ForumAddress, Line, Place, Reply, Sent, Speaker};
use rulekeeper::service::Hub;
use rulekeeper::service::settings::Settings;
use store::Store;
use tower::ServiceExt as _;

/// Part of every hidden program: no page may hold it.
const SECRET: &str = "sekret";

/// Where pages invite to: the one link that leads away.
const INVITATION: &str = "https://discord.gg/abc";

/// Longest page that a test reads, in bytes.
const PAGE_MAX_BYTES: usize = 4 * 1024 * 1024;

/// A room that was played in for a while, and its pages.
struct Site {
    hub: Hub,
    router: Router,
    clock: Clock,
    lines: usize,
}

/// The channel of the room.
fn here() -> ForumAddress {
    ForumAddress { service: "console".to_owned(), channel: "here".to_owned() }
}

/// A page as it came.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Site {
    /// A room `main` on a Hill where Ann and Bob stand with programs that nobody may read.
    async fn played() -> Self {
        let mut site = Self::empty().await;
        site.say("Goethe", "room open joust main").await;
        site.say("Goethe", "joust start").await;
        site.say("Ann", "join").await;
        // Who enters the Hill is none of the dice's business here.
        let lengths = vec![("length".to_owned(), 16); 40];
        site.hub.fix_dice(&site.hub.rooms()[0], lengths).await;
        site.whisper("Ann", &format!("joust submit Alpha >>>>>>>>>>>>+[>[+++[-]]+]{SECRET}")).await;
        site.settle().await;
        site.whisper("Bob", &format!("joust submit Beta >->+>->+>->+>->+(>[-])*9[>[-]+]{SECRET}")).await;
        site.settle().await;
        site
    }

    /// The same a week later, with a rule amended twice.
    async fn amended() -> Self {
        let mut site = Self::played().await;
        for (id, value) in [(1, 2), (2, 4)] {
            site.say("Goethe", &format!("joust intend set weekly-programs {value}")).await;
            site.pass(jiff::SignedDuration::from_hours(24 * 5)).await;
            site.say("Goethe", &format!("joust do {id}")).await;
        }
        site.settle().await;
        site
    }

    async fn empty() -> Self {
        Self::where_commands_begin_with(&[]).await
    }

    /// The same where commands begin so on some services.
    async fn where_commands_begin_with(prefixes: &[(&str, &str)]) -> Self {
        let clock = Clock::manual("2026-11-02T09:00:00Z".parse().expect("an instant"));
        let prefixes =
            prefixes.iter().map(|(service, prefix)| ((*service).to_owned(), Some((*prefix).to_owned()))).collect();
        let public_url = Some("https://nomic.example/x".to_owned());
        let settings = Settings { public_url, prefixes, ..Settings::default() };
        let store = Store::in_memory().await.expect("memory for a database");
        let hub = Hub::open(store, clock.clone(), Entropy::fixed(), settings).await.expect("an empty hub");
        let router = web::router(Arc::new(hub.clone()), "https://nomic.example/x", Some(INVITATION));
        Self { hub, router, clock, lines: 0 }
    }

    async fn hear(&mut self, who: &str, place: Place, text: &str) -> Vec<Reply> {
        self.lines += 1;
        let account = Account { service: "console".to_owned(), id: who.to_lowercase() };
        let line = Line {
            origin: format!("line-{}", self.lines),
            from: Speaker {
                account: Some(account),
                sign_in: None,
                nick: who.to_owned(),
                operator: who == "Goethe",
                moderates: Vec::new(),
            },
            place,
            text: text.to_owned(),
            attachments: Vec::new(),
            sent: Sent::Typed,
        };
        self.hub.hear(line).await
    }

    /// Somebody says something in the channel, and it is done.
    async fn say(&mut self, who: &str, text: &str) {
        let replies = self.hear(who, Place::Forum(here()), text).await;
        assert!(replies.iter().all(Reply::went_well), "{replies:?}");
    }

    /// The same in private.
    async fn whisper(&mut self, who: &str, text: &str) {
        let replies = self.hear(who, Place::Private, text).await;
        assert!(replies.iter().all(Reply::went_well), "{replies:?}");
    }

    /// Whatever is to be played is played, and an hour passes.
    async fn settle(&mut self) {
        self.hub.settle().await.expect("rooms settle");
        self.pass(jiff::SignedDuration::from_hours(1)).await;
    }

    /// Time passes, and what is due meanwhile happens.
    async fn pass(&mut self, time: jiff::SignedDuration) {
        let later = self.clock.now().checked_add(time).expect("time goes on");
        self.clock.advance_to(later);
        self.hub.settle().await.expect("rooms settle");
    }

    async fn get(&self, path: &str) -> Answer {
        let request = Request::get(path).body(Body::empty()).unwrap_or_else(|why| panic!("{path}: {why}"));
        self.ask(request).await
    }

    /// The same for one visitor of many, so that a test may look at more pages than a person.
    async fn get_as(&self, path: &str, visitor: usize) -> Answer {
        let visitor = format!("198.51.{}.{}", visitor / 200 % 200, visitor % 200);
        let request = Request::get(path).header("x-forwarded-for", visitor).body(Body::empty());
        self.ask(request.unwrap_or_else(|why| panic!("{path}: {why}"))).await
    }

    async fn ask(&self, request: Request<Body>) -> Answer {
        let answer = self.router.clone().oneshot(request).await.expect("a router always answers");
        let (head, body) = answer.into_parts();
        let bytes = to_bytes(body, PAGE_MAX_BYTES).await.expect("a page of a bearable length");
        let text = String::from_utf8(bytes.to_vec()).expect("pages are UTF-8");
        Answer { status: head.status, headers: head.headers, text }
    }

    /// A page that must be there.
    async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        answer.text
    }
}
