//! Random play: what the crowds of all games have in common, each of which plays its game for eight weeks.
//!
//! A crowd types random lines, sensible and silly ones, into a room of the real service. After every line the room's
//! journal is folded anew by an engine beside it, and the game's own crowd checks its invariants. At the end the
//! journal is audited as `rulekeeper verify` does, and a snapshot gives the same room. Which lines are sensible no
//! crowd knows: refusals are part of the game. Each game's crowd says what is typed and what must hold.

use std::{fmt::Write as _, ops::Range};

use kernel::{
    engine::{Engine, Table as _, View},
    entry::Entry,
    game::Game,
    table::Tables,
};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Reply, ReplyKind};
use proptest::prelude::ProptestConfig;
use rulekeeper::service::archive;
use serde_json::Value as Json;
use store::Store;

use crate::{
    harness::is_all,
    house::{House, START, at, shown},
};

/// How often a failing game is made shorter: each try plays it again.
const SHRINK_MAX_TRIES: u32 = 60;

/// Of so many games one is played, unless `tests/run --all` asks for all of them.
const GAMES_PER_SAMPLE: u32 = 5;

/// Longest pause between two moves, in hours: some things run out of time, and some players sleep.
pub(crate) const PAUSE_MAX_HOURS: i64 = 20;

/// Most entries that are read at a time.
const PAGE_MAX_COUNT: u32 = 500;

/// A room of eight weeks, with an engine beside it.
pub(crate) struct Weeks<G: Game + PartialEq> {
    pub(crate) house: House,
    pub(crate) store: Store,
    /// Folds the journal beside the service.
    pub(crate) beside: Engine<G>,
    /// Everything that was typed and answered, for whoever reads a failure.
    transcript: String,
}

/// Those who play a game.
pub(crate) trait Crowd: Sized {
    /// What they play.
    type Game: Game + PartialEq;
    /// One thing that happens.
    type Move;
    /// How long each game lasts.
    const WEEKS: i64 = 8;

    /// A room as it opens, before anybody typed anything.
    async fn open(weeks: Weeks<Self::Game>) -> Self;

    /// The room.
    fn weeks(&mut self) -> &mut Weeks<Self::Game>;

    /// Does one thing.
    async fn makes(&mut self, one: &Self::Move);

    /// Looks at what must hold after an entry.
    fn holds(&mut self, before: &Engine<Self::Game>, entry: &Entry);

    /// Looks at what must hold after a line.
    fn looks(&mut self, _view: &dyn View) {}

    /// Somebody says a line; then everything that must hold is looked at.
    async fn says(&mut self, who: &str, line: &str) -> Vec<Reply> {
        let replies = self.weeks().types(who, line).await;
        self.catch_up().await;
        replies
    }

    /// Time passes.
    async fn passes(&mut self, hours: i64) {
        self.weeks().waits(hours).await;
        self.catch_up().await;
    }

    /// Folds what was journalled since, and looks at the room after each entry.
    async fn catch_up(&mut self) {
        for json in self.weeks().ahead().await {
            let weeks = self.weeks();
            let before = weeks.beside.clone();
            weeks.beside.fold(&json).expect("an entry of the journal folds");
            self.holds(&before, &serde_json::from_str(&json).expect("an entry can be read"));
        }
        let weeks = self.weeks();
        let (view, state) = (weeks.view(), weeks.beside.state());
        assert!(*view.world() == state.world && view.seq() == state.seq, "the journal gives another world");
        for (one, other) in view.rules().rules().iter().zip(state.rules.rules()) {
            assert_eq!(one.text().source(), other.text().source());
        }
        self.looks(&*view);
    }
}

impl<G: Game + PartialEq> Weeks<G> {
    async fn start() -> Self {
        let store = Store::in_memory().await.expect("there is memory");
        let house = House::by_chance(store.clone(), Clock::manual(at(START)), Entropy::fixed()).await;
        Self { house, store, beside: Engine::default(), transcript: String::new() }
    }

    /// The room as the service sees it.
    pub(crate) fn view(&self) -> std::sync::Arc<dyn View> {
        self.house.room("main").view()
    }

    /// The game's tables: by name, and the rows of each by key.
    pub(crate) fn game(&self) -> Json {
        tables(&self.beside.state().tables)
    }

    /// Somebody types a line. Nothing ever breaks.
    pub(crate) async fn types(&mut self, who: &str, line: &str) -> Vec<Reply> {
        let replies = self.house.say(who, line).await;
        let _ = writeln!(self.transcript, "{who}: {line}");
        for reply in &replies {
            let text = shown(std::slice::from_ref(reply));
            let _ = writeln!(self.transcript, "  {:?}: {}", reply.kind, text.lines().next().unwrap_or_default());
            assert!(reply.kind != ReplyKind::Fault, "{who}: {line}\n{text}");
        }
        replies
    }

    /// The clock goes on.
    pub(crate) async fn waits(&mut self, hours: i64) {
        let to = self.house.clock.now() + jiff::SignedDuration::from_hours(hours);
        let _ = writeln!(self.transcript, "-- {to}");
        self.house.to(&to.to_string()).await;
    }

    /// The entries that were journalled since.
    async fn ahead(&self) -> Vec<String> {
        let from = self.beside.state().seq + 1;
        let entries = self.store.entries(self.house.room("main").id, from, PAGE_MAX_COUNT).await;
        entries.expect("the journal can be read").into_iter().map(|entry| entry.json.to_string()).collect()
    }

    /// The journal, the dice and a snapshot are as they should be.
    async fn ends(&self) {
        let mut other = Engine::<G>::default();
        assert!(other.restore(&self.beside.snapshot()), "the snapshot can be used");
        assert!(other.state() == self.beside.state(), "the snapshot gives another room");
        let row = self.store.rooms().await.expect("the rooms").remove(0);
        let verified = archive::verify(&self.store, &row).await.expect("the journal can be read");
        assert_eq!(verified.found, Vec::<String>::new());
        assert!(verified.entries > 10);
        let again = self.house.hub.repeat(&self.house.room("main")).await.expect("the journal can be read");
        assert_eq!(again, Vec::<String>::new(), "played again");
        let dice = archive::dice_of_room(&self.store, &row).await.expect("the journal can be read");
        assert_eq!(dice.wrong, Vec::<String>::new());
        self.house.hub.close().await.expect("the database closes");
    }
}

impl<G: Game + PartialEq> Drop for Weeks<G> {
    #[expect(clippy::print_stderr, reason = "a failing test shows what led to it")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("What was typed:\n{}", self.transcript);
        }
    }
}

/// Whether each refusal among some replies says which rule it goes back to, or that the line itself cannot be understood.
pub(crate) fn are_well_refused(replies: &[Reply], said: &str) {
    const OF_FORM: [&str; 2] = ["Type: ", "Line "];
    for reply in replies.iter().filter(|reply| reply.kind.is_refusal()) {
        let text = shown(std::slice::from_ref(reply));
        let well = text.contains('(') || OF_FORM.iter().any(|form| text.contains(form));
        assert!(well, "a refusal names its rule, or says what to type: {said}\n{text}");
    }
}

/// Plays one game to its end.
pub(crate) fn play<C: Crowd>(moves: &[C::Move]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut crowd = C::open(Weeks::start().await).await;
        let end = at(START) + jiff::SignedDuration::from_hours(C::WEEKS * 7 * 24);
        for one in moves {
            if crowd.weeks().house.clock.now() >= end {
                break;
            }
            crowd.makes(one).await;
        }
        let left = end.duration_since(crowd.weeks().house.clock.now()).as_hours();
        crowd.passes(left.max(0)).await;
        crowd.weeks().ends().await;
    });
}

/// How many moves a game has, of which there are so many at most: fewer, unless all is asked for.
pub(crate) fn length(most: usize) -> Range<usize> {
    if is_all() { most / 2..most } else { most / 4..most / 2 }
}

/// How games are made: so many of them where all is asked for, else a few, or as many as `PROPTEST_CASES` says.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let cases = if is_all() { cases } else { cases.div_ceil(GAMES_PER_SAMPLE) };
    ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases),
        max_shrink_iters: SHRINK_MAX_TRIES,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The tables of a game: by name, and the rows of each by key, which is a text or else its JSON.
pub(crate) fn tables<G: Game>(tables: &Tables<G>) -> Json {
    let text = |key: Json| key.as_str().map_or_else(|| key.to_string(), str::to_owned);
    let rows =
        |table: &str| tables.named_rows(table).into_iter().map(|(key, row)| (text(key), Json::Object(row))).collect();
    Json::Object(tables.names().map(|table| (table.to_owned(), Json::Object(rows(table)))).collect())
}
