//! The console as somebody sits at it: prompts, and news that come while a line is being typed.

use std::sync::Arc;

use adapter_console::{self as console, Input, Keys, Options};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, ForumAddress, Line, Place, Sent, Speaker};
use rulekeeper::service::Hub;
use rulekeeper::service::settings::Settings;
use store::Store;
use tokio::{
    io::{AsyncReadExt as _, DuplexStream},
    sync::mpsc,
    task::JoinHandle,
};

/// How much may be written before somebody reads, in bytes.
const SCREEN_BYTES: usize = 64 * 1024;

/// Somebody at a terminal.
struct Terminal {
    hub: Hub,
    keys: mpsc::Sender<Input>,
    screen: DuplexStream,
    seen: String,
    console: JoinHandle<std::io::Result<u64>>,
}

impl Terminal {
    async fn open(colours: bool) -> Self {
        let store = Store::in_memory().await.expect("a store in memory");
        let clock = Clock::manual("2026-11-18T12:00:00Z".parse().expect("an instant"));
        let hub = Hub::open(store, clock, Entropy::fixed(), Settings::default()).await.expect("an empty store opens");
        let (keys, input) = mpsc::channel(1);
        let (screen, out) = tokio::io::duplex(SCREEN_BYTES);
        let welcome = vec!["Welcome.".to_owned()];
        let options = Options { interactive: true, colours, welcome, run: "test".to_owned(), ..Options::default() };
        let console = tokio::spawn(console::run(Arc::new(hub.clone()), Keys::Lines(input), out, options));
        Self { hub, keys, screen, seen: String::new(), console }
    }

    async fn type_line(&self, line: &str) {
        self.keys.send(Input::Line(line.to_owned())).await.expect("the console reads");
    }

    /// Waits until the screen ends in a text, and gives what is new on it.
    async fn shows(&mut self, end: &str) -> String {
        while !self.seen.ends_with(end) {
            let mut bytes = [0; 4096];
            let count = self.screen.read(&mut bytes).await.expect("the console writes");
            assert_ne!(count, 0, "the console ended without {end:?}: {:?}", self.seen);
            self.seen.push_str(std::str::from_utf8(&bytes[..count]).expect("whole characters"));
        }
        std::mem::take(&mut self.seen)
    }
}

#[tokio::test]
async fn the_prompt_says_who_one_is() {
    let mut terminal = Terminal::open(false).await;
    assert_eq!(terminal.shows("> ").await, "Welcome.\noperator> ");
    terminal.type_line("as Ann").await;
    assert_eq!(
        terminal.shows("Ann> ").await,
        "You speak as Ann. Type “as” without a name to be the operator again.\nAnn> "
    );
    terminal.type_line("   ").await;
    assert_eq!(terminal.shows("Ann> ").await, "Ann> ", "an empty line is no line");
    terminal.type_line("AS operator").await;
    assert!(terminal.shows("operator> ").await.starts_with("You are the operator again."));
}

#[tokio::test]
async fn news_come_above_the_prompt_while_a_line_is_typed() {
    const PROMPT: &str = "\u{1b}[1moperator>\u{1b}[0m ";
    let mut terminal = Terminal::open(true).await;
    terminal.shows(PROMPT).await;
    terminal.type_line("room open joust main").await;
    terminal.shows(PROMPT).await;
    terminal.type_line("forum bind net/#nomic as public").await;
    assert!(terminal.shows(PROMPT).await.contains("net/#nomic is public"));

    let account = Account { service: "net".to_owned(), id: "bob".to_owned() };
    let bob = Line {
        origin: "bob-1".to_owned(),
        from: Speaker {
            account: Some(account),
            sign_in: None,
            nick: "Bob".to_owned(),
            operator: false,
            moderates: Vec::new(),
        },
        place: Place::Forum(ForumAddress { service: "net".to_owned(), channel: "#nomic".to_owned() }),
        text: "join".to_owned(),
        attachments: Vec::new(),
        sent: Sent::Typed,
    };
    terminal.hub.hear(bob).await;
    let news = "\u{1b}[36m* Bob is a member of the contest.\u{1b}[0m\n";
    assert_eq!(terminal.shows(PROMPT).await, format!("\r\u{1b}[K{news}{PROMPT}"));
}

#[tokio::test]
async fn it_is_left_by_word_at_the_end_of_input_and_when_the_program_stops() {
    for way in ["quit", "end", "stop"] {
        let mut terminal = Terminal::open(false).await;
        terminal.shows("operator> ").await;
        match way {
            "quit" => terminal.type_line("quit").await,
            "end" => terminal.keys = mpsc::channel(1).0,
            _ => terminal.hub.stop(),
        }
        let mut rest = String::new();
        terminal.screen.read_to_string(&mut rest).await.expect("the console ends");
        assert!(terminal.console.await.expect("the console does not break").is_ok(), "{way}");
        assert_eq!(rest, if way == "quit" { "" } else { "\n" }, "the cursor stands at the start of a line: {way}");
    }
}
