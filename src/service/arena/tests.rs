//! Bounded, fair, cancellable: with a game whose works last until a test lets them go.

use std::{collections::HashSet, sync::LazyLock};

use serde_json::{Value as Json, json};
use tokio::task::{JoinHandle, yield_now};

use super::*;
use crate::service::Hub;
use crate::service::settings::Settings;
use kernel::{
    Draft, Game, Job, Mechanic, Mechanics, Needs, Outcome, Refusal,
    display::Document,
    engine::{Engine, Table},
    rulebook::LiveKey,
    speech::Speech,
};
use port::clock::Clock;
use port::entropy::Entropy;
use port::{Account, Line, Place, Reply, Sent, Speaker};

/// A game of nothing but works. One named in [`HELD`] lasts until it is taken out there, or told to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Patience;

static HELD: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
static BEGUN: LazyLock<Mutex<Vec<String>>> = LazyLock::new(Mutex::default);

/// Plays a work: it lasts as long as it is held.
fn last(work: &Work, bench: &Bench<'_>) -> Option<Json> {
    BEGUN.lock().unwrap().push(work.id.to_string());
    (bench.progress)(1, 2);
    while HELD.lock().unwrap().contains(&*work.id) {
        if bench.stop.load(Ordering::Relaxed) {
            return None;
        }
        std::thread::yield_now();
    }
    Some(json!(*work.id))
}

impl Game for Patience {
    const NAME: &'static str = "patience";

    fn keys() -> &'static [LiveKey] {
        &[]
    }
    fn mechanics() -> &'static Mechanics<Self> {
        static ALL: LazyLock<Mechanics<Patience>> =
            LazyLock::new(|| Mechanics::new(vec![Mechanic::new("works").job(Job::new("", |_| None, last, |_, _| {}))]));
        &ALL
    }
    fn open(_: &serde_json::Map<String, Json>, _: &mut Draft<'_, Self>) -> Outcome {
        Ok(Document::default())
    }
    fn guard(_: &Needs, _: &Draft<'_, Self>) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Speech for Patience {
    const CHIEF: &'static str = "show";

    fn rulings() -> &'static str {
        ""
    }
}

/// Works of one test have a prefix of their own, because all tests share what is held.
struct Scene {
    name: &'static str,
    arena: Arc<Arena>,
    store: Store,
}

impl Scene {
    async fn new(name: &'static str, threads: usize) -> Self {
        let store = Store::in_memory().await.unwrap();
        Self { name, arena: Arena::new(threads, Outcomes::default()), store }
    }

    fn id(&self, work: &str) -> String {
        format!("{}/{work}", self.name)
    }

    fn hold(&self, work: &str) {
        HELD.lock().unwrap().insert(self.id(work));
    }

    fn let_go(&self, work: &str) {
        HELD.lock().unwrap().remove(&self.id(work));
    }

    /// The works that began, in order.
    fn begun(&self) -> Vec<String> {
        let prefix = format!("{}/", self.name);
        BEGUN.lock().unwrap().iter().filter_map(|id| id.strip_prefix(&prefix)).map(str::to_owned).collect()
    }

    async fn until_begun(&self, work: &str) {
        while !self.begun().iter().any(|id| id == work) {
            yield_now().await;
        }
    }

    /// A room with some works, one after the other, as a hub sends them; what came of each.
    fn room(&self, room: i64, works: &[&str]) -> JoinHandle<Vec<Option<Json>>> {
        let (arena, store, room) = (self.arena.clone(), self.store.clone(), RoomId(room));
        let works: Vec<Id> = works.iter().map(|work| self.id(work).into()).collect();
        tokio::spawn(async move {
            let mut came = Vec::new();
            for id in works {
                if !arena.enter(room, &id) {
                    break;
                }
                let work = Work { id, task: Json::Null, secrets: Vec::new() };
                let view = Engine::<Patience>::default().view();
                let seat = arena.seat().await.unwrap();
                came.push(arena.play(room, view, work, (store.clone(), 0), seat).await.unwrap());
                arena.leave(room);
            }
            came
        })
    }
}

/// Lets every task run up to where it waits.
async fn everybody_waits() {
    for _ in 0..20 {
        yield_now().await;
    }
}

#[tokio::test]
async fn a_room_with_many_works_waits_behind_others_with_each_of_them() {
    let scene = Scene::new("fair", 1).await;
    scene.hold("a1");
    // Given a room with three works, the first under way, and two rooms that come after it.
    let first = scene.room(1, &["a1", "a2", "a3"]);
    scene.until_begun("a1").await;
    let second = scene.room(2, &["b1", "b2"]);
    everybody_waits().await;
    let third = scene.room(3, &["c1"]);
    everybody_waits().await;
    // Then no more works than there are threads are under way.
    assert_eq!(scene.begun(), ["a1"]);
    assert_eq!(scene.arena.running(), 3);
    scene.let_go("a1");
    assert_eq!(first.await.unwrap().len(), 3);
    second.await.unwrap();
    third.await.unwrap();
    // Whoever waited came before the second work of the first; who is quicker to come again is nobody's business.
    let begun = scene.begun();
    assert_eq!(begun[..3], ["a1", "b1", "c1"]);
    assert_eq!(begun.len(), 6);
    scene.arena.idle().await;
}

#[tokio::test]
async fn a_room_that_is_closed_gives_its_place_up_at_once() {
    let scene = Scene::new("cancel", 1).await;
    scene.hold("a1");
    scene.hold("b1");
    let first = scene.room(1, &["a1"]);
    scene.until_begun("a1").await;
    let second = scene.room(2, &["b1"]);
    let third = scene.room(3, &["c1"]);
    everybody_waits().await;
    // When a room that waits is closed and then the one that plays, then neither comes to anything, and the next plays.
    scene.arena.cancel(RoomId(2));
    scene.arena.cancel(RoomId(1));
    assert_eq!(first.await.unwrap(), [None]);
    assert_eq!(second.await.unwrap(), [None]);
    assert_eq!(third.await.unwrap(), [Some(json!("cancel/c1"))]);
    assert_eq!(scene.begun(), ["a1", "c1"]);
    // A later work of the same room is not cancelled for that.
    assert_eq!(scene.room(1, &["a2"]).await.unwrap(), [Some(json!("cancel/a2"))]);
}

/// The hub says so to the arena by itself, whichever way the room is closed.
#[tokio::test]
async fn closing_a_room_cancels_its_work() {
    let scene = Scene::new("closing", 1).await;
    scene.hold("a1");
    let settings = Settings { moderators: vec![account()], arena_threads: 2, ..Settings::default() };
    let start = "2026-11-02T10:00:00Z".parse().unwrap();
    let hub = Hub::open(scene.store.clone(), Clock::manual(start), Entropy::fixed(), settings).await.unwrap();
    say(&hub, "room open joust main").await;
    say(&hub, "room open joust other").await;
    let room = |name: &str| hub.rooms().into_iter().find(|handle| handle.name == name).unwrap().id;
    let arena = hub.inner.arena.clone();
    let play = |room: RoomId, work: &str| {
        let (arena, store, id) = (arena.clone(), scene.store.clone(), Id::from(scene.id(work)));
        tokio::spawn(async move {
            assert!(arena.enter(room, &id));
            let work = Work { id, task: Json::Null, secrets: Vec::new() };
            let seat = arena.seat().await.unwrap();
            let view = Engine::<Patience>::default().view();
            let came = arena.play(room, view, work, (store, 0), seat).await.unwrap();
            arena.leave(room);
            came
        })
    };
    // Given a work of the one room under way, and one of the other.
    let (closing, other) = (play(room("main"), "a1"), play(room("other"), "b1"));
    scene.until_begun("a1").await;
    scene.until_begun("b1").await;
    assert_eq!(other.await.unwrap(), Some(json!("closing/b1")));
    assert!(arena.progress(room("main")).is_some());
    // When the room is closed, then its work comes to nothing, though nobody lets it go.
    say(&hub, "room close @main").await;
    assert_eq!(closing.await.unwrap(), None);
    assert!(arena.progress(room("main")).is_none());
}

fn account() -> Account {
    Account { service: "net".to_owned(), id: "mo".to_owned() }
}

/// The moderator says something in private, and it goes well.
async fn say(hub: &Hub, text: &str) {
    let line = Line {
        origin: text.to_owned(),
        from: Speaker {
            account: Some(account()),
            sign_in: None,
            nick: "Mo".to_owned(),
            operator: false,
            moderates: Vec::new(),
        },
        place: Place::Private,
        text: text.to_owned(),
        attachments: Vec::new(),
        sent: Sent::Typed,
    };
    let replies = hub.hear(line).await;
    assert!(replies.iter().all(Reply::went_well), "{replies:?}");
}

#[tokio::test]
async fn when_the_process_stops_all_works_do_and_none_is_taken_in() {
    let scene = Scene::new("stop", 2).await;
    ["a1", "b1", "c1"].iter().for_each(|work| scene.hold(work));
    let rooms = [scene.room(1, &["a1"]), scene.room(2, &["b1"]), scene.room(3, &["c1"])];
    scene.until_begun("a1").await;
    scene.until_begun("b1").await;
    scene.arena.stop();
    for room in rooms {
        assert_eq!(room.await.unwrap(), [None]);
    }
    assert_eq!(scene.begun().len(), 2);
    assert!(!scene.arena.enter(RoomId(4), &"stop/d1".into()));
    scene.arena.idle().await;
}

#[tokio::test]
async fn how_far_a_work_is_can_be_asked_meanwhile() {
    let scene = Scene::new("progress", 1).await;
    scene.hold("a1");
    let room = scene.room(1, &["a1"]);
    scene.until_begun("a1").await;
    while scene.arena.progress(RoomId(1)).is_some_and(|progress| progress.of == 0) {
        yield_now().await;
    }
    let progress = Progress { work: "progress/a1".into(), done: 1, of: 2 };
    assert_eq!(scene.arena.progress(RoomId(1)), Some(progress));
    scene.let_go("a1");
    room.await.unwrap();
    assert_eq!(scene.arena.progress(RoomId(1)), None);
}

#[tokio::test]
async fn whoever_looks_waits_for_no_room_and_whoever_goes_away_stops_it() {
    let scene = Scene::new("look", 1).await;
    scene.hold("a1");
    scene.hold("gone");
    let room = scene.room(1, &["a1"]);
    scene.until_begun("a1").await;
    let look = |work: &str| {
        let (arena, store) = (scene.arena.clone(), scene.store.clone());
        let work = Work { id: scene.id(work).into(), task: Json::Null, secrets: Vec::new() };
        async move { arena.look(RoomId(1), Engine::<Patience>::default().view(), work, store, 0).await.unwrap() }
    };
    assert_eq!(look("seen").await, Some(json!("look/seen")));
    // Given more lookers than places who go away, then the next has a place.
    for _ in 0..=LOOKS_MAX_COUNT {
        let looker = tokio::spawn(look("gone"));
        scene.until_begun("gone").await;
        looker.abort();
        everybody_waits().await;
    }
    assert_eq!(look("after").await, Some(json!("look/after")));
    scene.let_go("a1");
    room.await.unwrap();
}
