//! Text that a game keeps back stands on no page, in no public archive, in no announcement and in no answer to a
//! stranger.
//!
//! Each game is played with words that stand nowhere else: in sealed texts, in reasons of private acts, in closed
//! fields of rows. They are looked for where they are kept as well, so that the search can find something. BlogNomic
//! and B Nomic are left out: they seal nothing, keep no row back and take no act in private.

use kernel::{
    Game, Id,
    display::plain,
    engine::{Engine, Table as _},
};
use port::{Destination, Place};
use rulekeeper::service::archive::{self, Kind};
use serde_json::Value as Json;

use super::{Site, pages::crawled};

/// Fewest numbers of a list that stands nowhere else.
const LIST_MIN_COUNT: usize = 5;

/// What strangers ask.
const ASKED: [&str; 6] = ["history", "history Ann", "show yours", "show queue", "show moves", "show program/Alpha"];

/// What is said in a room of the joust.
const JOUST: [(&str, &str); 6] = [
    ("Goethe", "joust start"),
    ("Ann", "join"),
    ("Ann", "privately joust submit Alpha >>>>>>>>>>>>+[>[+++[-]]+] canaryone"),
    ("Goethe", "privately joust add joust10 >>>>+[-] canarytwo"),
    ("Ann", "privately joust test against joust3 >>+ canarythree"),
    ("Bob", "privately joust test against Alpha >>>>+ canaryfour"),
];

/// What is said in a room of Spacenomic.
const SPACE: [(&str, &str); 5] = [
    ("Ann", "join"),
    ("Goethe", "admit Ann"),
    ("Ann", "privately move set go (77, 91) because it is canaryfive"),
    ("Ann", "privately move set cut (78, 92)"),
    ("Ann", "privately move withdraw space because of canarysix"),
];

/// A row that a game keeps back: its table, its key and its fields.
type Kept = (Id, Json, Json);

/// The rows of a room that not everybody may read.
async fn kept_rows<G: Game>(site: &Site) -> Vec<Kept> {
    let mut engine = Engine::<G>::default();
    for entry in site.hub.store().entries(site.hub.rooms()[0].id, 1, u32::MAX).await.expect("the journal can be read") {
        engine.fold(&entry.json).expect("an entry folds");
    }
    let state = engine.state();
    let tables = &state.tables;
    let rows = tables.names().flat_map(|table| tables.named_rows(table).into_iter().map(move |row| (table, row)));
    let kept = rows.filter(|(table, (key, _))| !tables.is_open(table, key, state));
    kept.map(|(table, (key, row))| (table.into(), key, Json::Object(row))).collect()
}

/// The lists of numbers in a row, as JSON and as they are told.
fn lists(row: &Json) -> Vec<String> {
    match row {
        Json::Array(items) if items.len() >= LIST_MIN_COUNT && items.iter().all(Json::is_number) => {
            let told: Vec<String> = items.iter().map(Json::to_string).collect();
            vec![row.to_string(), told.join(" ")]
        }
        Json::Array(items) => items.iter().flat_map(lists).collect(),
        Json::Object(fields) => fields.values().flat_map(lists).collect(),
        _ => Vec::new(),
    }
}

/// Whether something holds a change of a row.
fn holds(json: &Json, table: &str, key: &Json) -> bool {
    match json {
        Json::Object(fields) => {
            let is_it = fields.get("table").is_some_and(|of| of == table) && fields.get("key") == Some(key);
            is_it || fields.values().any(|field| holds(field, table, key))
        }
        Json::Array(items) => items.iter().any(|item| holds(item, table, key)),
        _ => false,
    }
}

/// Everything that a stranger can read of the room, each with its place.
async fn open_to_all(site: &mut Site) -> Vec<(String, String)> {
    let mut all = crawled(site).await;
    let store = site.hub.store().clone();
    let handle = site.hub.rooms().remove(0);
    let room = store.room(handle.id).await.expect("rooms can be read").expect("the room is there");
    let mut file = Vec::new();
    archive::export(&store, &room, Kind::Public, &mut file).await.expect("the room can be exported");
    all.push(("the public archive".to_owned(), String::from_utf8(file).expect("lines of JSON")));
    let last = handle.view().seq();
    let of_entries = (1..=last).flat_map(|seq| [format!("history {seq}"), format!("why {seq}")]);
    for line in ASKED.map(str::to_owned).into_iter().chain(of_entries) {
        let replies = site.hear("Eve", Place::Private, &line).await;
        let text: Vec<String> = replies.iter().map(|reply| plain(&reply.document)).collect();
        all.push((line, text.join("\n")));
    }
    while let Some(delivery) = site.hub.delivery_now("console").await.expect("the outbox can be read") {
        site.hub.delivered(delivery.id).await;
        if let Destination::Forum(_) = delivery.to {
            all.push(("an announcement".to_owned(), plain(&delivery.document)));
        }
    }
    all
}

/// What is kept of the room beside what everybody may read: sealed texts, and words.
async fn kept_texts(site: &Site) -> String {
    let (store, room) = (site.hub.store(), site.hub.rooms()[0].id);
    let mut all = String::new();
    for id in store.secret_ids(room, "").await.expect("the secrets can be listed") {
        let secret = store.get_secret(room, &id).await.expect("a secret can be read").expect("it is there");
        all.push_str(&String::from_utf8_lossy(&secret.bytes));
        all.push('\n');
    }
    for entry in store.entries(room, 1, u32::MAX).await.expect("the journal can be read") {
        all.extend(entry.said.into_iter().map(|said| said.text + "\n"));
    }
    all
}

/// Plays a room; no canary, and nothing of the rows that are kept back, is where strangers read.
async fn keeps_back<G: Game>(opens: &str, played: &[(&str, &str)], canaries: &[&str], tables: &[&str]) -> Site {
    let mut site = Site::empty().await;
    // What waits to be played is kept back until it is.
    site.hub.hold_work(true);
    site.say("Goethe", opens).await;
    for (who, line) in played {
        match line.strip_prefix("privately ") {
            Some(line) => site.whisper(who, line).await,
            None => site.say(who, line).await,
        }
    }
    let kept = kept_texts(&site).await;
    for canary in canaries {
        assert!(kept.contains(canary), "{canary} is kept nowhere: {kept}");
    }
    let rows = kept_rows::<G>(&site).await;
    for table in tables {
        assert!(rows.iter().any(|(of, ..)| **of == **table), "no row of {table} is kept back: {rows:?}");
    }
    let sought: Vec<String> =
        canaries.iter().map(|&canary| canary.to_owned()).chain(rows.iter().flat_map(|(.., row)| lists(row))).collect();
    assert!(tables.is_empty() || sought.len() > canaries.len(), "{rows:?}");
    let open = open_to_all(&mut site).await;
    for (place, text) in &open {
        for canary in &sought {
            assert!(!text.contains(canary), "{place} holds {canary}: {text}");
        }
    }
    let (_, archive) = open.iter().find(|(place, _)| place == "the public archive").expect("it was written");
    for line in archive.lines() {
        let line: Json = serde_json::from_str(line).expect("a line of JSON");
        for (table, key, _) in &rows {
            assert!(!holds(&line, table, key), "the public archive holds a row of {table}: {line}");
        }
    }
    site
}

#[tokio::test]
async fn nobody_reads_what_the_joust_keeps_back() {
    let canaries = ["canaryone", "canarytwo", "canarythree", "canaryfour"];
    let tables = ["tests", "testers", "lengths"];
    keeps_back::<joust::Joust>("room open joust main", &JOUST, &canaries, &tables).await;
}

/// What is said behind a private act is as private as the act; who said it reads it.
#[tokio::test]
async fn nobody_reads_what_spacenomic_keeps_back() {
    let opens = "room open spacenomic main ends:2027-06-30";
    let mut site = keeps_back::<spacenomic::Spacenomic>(opens, &SPACE, &["(77, 91)", "canarysix"], &[]).await;
    let last = site.hub.rooms()[0].view().seq();
    for line in [format!("why {last}"), format!("history {last}"), "history Ann".to_owned()] {
        let own = site.hear("Ann", Place::Private, &line).await;
        assert!(plain(&own[0].document).contains("because of canarysix"), "{line}: {}", plain(&own[0].document));
        let aloud = site.hear("Ann", Place::Forum(super::here()), &line).await;
        let heard = aloud.iter().filter(|reply| !reply.private).map(|reply| plain(&reply.document)).collect::<String>();
        assert!(!heard.contains("canarysix"), "{line}, where others read: {heard}");
    }
    // What a sealed act gave as its reason is sealed with it, for good.
    for entry in site.hub.store().entries(site.hub.rooms()[0].id, 1, u32::MAX).await.expect("the journal can be read") {
        let said = entry.said.map(|said| said.text).unwrap_or_default();
        assert!(!said.contains("canaryfive") && !entry.json.contains("canaryfive"), "{said}");
    }
}
