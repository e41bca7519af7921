//! Every kind of page of a room that was played in, as the router answers it.

use std::collections::{BTreeSet, VecDeque};

use axum::http::StatusCode;
use kernel::display::Document;
use serde_json::Value as Json;

use super::{SECRET, Site};

/// Pages that play charges as they are asked for, one for each pair of programs and length.
const PLAYED: [&str; 2] = ["/show/breakdown/", "/show/watch/"];
/// How many of those a crawl reads of a kind.
const PLAYED_MAX_COUNT: usize = 6;

/// Everything that is linked from the pages (of those of [`PLAYED`] the first). It starts with the list of rooms, and
/// takes every feed and JSON beside them.
pub(super) async fn crawled(site: &Site) -> Vec<(String, String)> {
    let mut seen = BTreeSet::from(["/".to_owned()]);
    let mut queue = VecDeque::from(["/".to_owned()]);
    let mut found: Vec<(String, String)> = Vec::new();
    while let Some(path) = queue.pop_front() {
        let played = PLAYED.iter().find(|kind| path.contains(**kind));
        if played.is_some_and(|kind| found.iter().filter(|(path, _)| path.contains(kind)).count() == PLAYED_MAX_COUNT) {
            continue;
        }
        let answer = site.get_as(&path, found.len()).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        for (_, rest) in answer.text.match_indices("href=\"").map(|(at, found)| (at, &answer.text[at + found.len()..]))
        {
            let link = rest.split('"').next().unwrap_or_default().replace("&amp;", "&").replace("&#38;", "&");
            if link.starts_with('#') {
                continue;
            }
            let Some(path) = link.strip_prefix("https://nomic.example").unwrap_or(&link).strip_prefix("/x") else {
                panic!("{path} links to {link}, away from the site");
            };
            let path = path.split('#').next().unwrap_or_default().to_owned();
            if seen.insert(path.clone()) {
                queue.push_back(path);
            }
        }
        found.push((path, answer.text));
    }
    found
}

#[tokio::test]
async fn nothing_that_is_linked_is_missing_and_no_page_holds_a_secret() {
    let mut site = Site::amended().await;
    let mut texts = crawled(&site).await;
    assert!(texts.len() > 80, "only {} pages were found", texts.len());
    for kind in [
        "/show/program/Alpha",
        "/show/matrix",
        "/rule/submission/history",
        "/entry/5.json",
        "/feed.atom",
        "/people.json",
    ] {
        assert!(texts.iter().any(|(path, _)| path == &format!("/room/main{kind}")), "no page links to {kind}");
    }
    let last = site.hub.rooms()[0].view().seq();
    for seq in 1..=last {
        for path in ["/room/main/show/program/Alpha", "/room/main/show/program/Beta", "/room/main/show/yours"] {
            let path = format!("{path}?as-of={seq}");
            let text = site.get_as(&path, seq as usize).await.text;
            texts.push((path, text));
        }
    }
    for (path, text) in &texts {
        assert!(!text.contains(SECRET), "{path} holds the text of a hidden program");
        assert!(!text.contains("[>[-]+]"), "{path} holds the text of a hidden program");
    }
    assert_eq!(site.get("/room/main/show/program/Alpha.txt").await.status, StatusCode::NOT_FOUND);
    // The search can find something: once it is revealed, the page has it.
    site.say("Ann", "joust reveal Alpha").await;
    let shown = site.page("/room/main/show/program/Alpha").await;
    assert!(shown.contains(SECRET) && shown.contains("/x/room/main/show/program/Alpha.txt"), "{shown}");
    let whole = site.get("/room/main/show/program/Alpha.txt").await;
    assert_eq!(whole.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(whole.headers["x-content-type-options"], "nosniff");
    assert!(whole.text.starts_with(">>>>>>>>>>>>+[>[+++[-]]+]") && whole.text.ends_with(SECRET), "{}", whole.text);
    let hidden = [format!("Alpha.txt?as-of={last}"), "Beta.txt".to_owned()];
    for path in hidden {
        let answer = site.get(&format!("/room/main/show/program/{path}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.text);
    }
    let before = site.page(&format!("/room/main/show/program/Alpha?as-of={last}")).await;
    assert!(!before.contains(SECRET), "it was hidden then: {before}");
    assert!(!site.page("/room/main/show/program/Beta").await.contains(SECRET));
}

/// Whoever asked to be forgotten is named on no page, of now or of then, nor in any feed or JSON.
#[tokio::test]
async fn no_page_names_whoever_was_forgotten() {
    let mut site = Site::amended().await;
    let names = |texts: &[(String, String)]| {
        let named = texts.iter().filter(|(_, text)| text.contains("Goethe") || text.contains("goethe"));
        named.map(|(path, _)| path.clone()).collect::<Vec<_>>()
    };
    let before = names(&crawled(&site).await);
    assert!(before.len() > 20, "{before:?}");
    site.whisper("Goethe", "forget me yes").await;
    let last = site.hub.rooms()[0].view().seq();
    let mut texts = crawled(&site).await;
    for (seq, page) in (1..=last).flat_map(|seq| ["people", "rule/opening", "show/contract"].map(|page| (seq, page))) {
        for kind in ["", ".json"] {
            let path = format!("/room/main/{page}{kind}?as-of={seq}");
            let text = site.get_as(&path, texts.len()).await.text;
            texts.push((path, text));
        }
    }
    assert_eq!(names(&texts), Vec::<String>::new());
    let contract = site.page("/room/main/show/contract").await;
    assert!(contract.contains("Its contestmaster is former"), "{contract}");
}

#[tokio::test]
async fn the_hill_is_a_table_with_its_matches_as_a_figure() {
    let site = Site::played().await;
    let room = site.page("/room/main").await;
    for part in
        ["The Hill", "joust4", "<svg", "As a table", "/x/room/main/show/program/Alpha", "/x/room/main/show/points"]
    {
        assert!(room.contains(part), "{part} is missing: {room}");
    }
    assert!(!room.contains("Your programs"), "a stranger has none: {room}");
    let matrix = site.page("/room/main/show/matrix").await;
    let figure = matrix.split_once("<svg").and_then(|(_, rest)| rest.split_once("</svg>")).expect("a figure").0;
    assert!(figure.contains("<a href=\"/x/room/main/show/match/Alpha/Beta\">"), "{figure}");
    let program = site.page("/room/main/show/program/Beta").await;
    assert!(program.contains("/x/room/main/show/match/Beta/Alpha"), "{program}");
}

#[tokio::test]
async fn a_revealed_charge_can_be_stepped_through_and_played_and_a_hidden_one_not() {
    let mut site = Site::played().await;
    // Given a program that hides, then the page says why there is none, and shows no symbol of it.
    let hidden = site.get("/room/main/show/watch/Alpha/Alpha/151").await;
    assert_eq!(hidden.status, StatusCode::NOT_FOUND);
    assert!(!hidden.text.contains("<svg") && hidden.text.contains("is hidden"), "{}", hidden.text);
    site.say("Ann", "joust reveal Alpha").await;
    let whole = site.page("/room/main/show/watch/Alpha/Alpha/151").await;
    let steps = "/x/room/main/show/watch/Alpha/Alpha/151/0";
    for part in ["<svg", steps, "?play=1", "Play", "after cycle"] {
        assert!(whole.contains(part), "{part} is missing: {whole}");
    }
    assert!(!whole.contains("http-equiv=\"refresh\""), "nothing moves unasked");
    // When it plays, then each page goes on to the next by itself, until somebody pauses.
    let playing = site.page("/room/main/show/watch/Alpha/Alpha/151/0?play=1").await;
    let next = playing.split_once("url=").and_then(|(_, rest)| rest.split_once('"')).expect("the next picture").0;
    assert!(next.starts_with("/x/room/main/show/watch/Alpha/Alpha/151/") && next.ends_with("?play=1"), "{next}");
    assert!(playing.contains(&format!("<a href=\"{steps}\">Pause</a>")), "{playing}");
    assert_eq!(site.get(next.trim_start_matches("/x")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_display_can_be_seen_as_of_an_entry_and_as_of_a_time() {
    let site = Site::amended().await;
    let now = site.page("/room/main/rule/submission").await;
    assert!(now.contains("hand in 4 programs a week"), "{now}");
    let then = site.page("/room/main/rule/submission?as-of=3").await;
    assert!(then.contains("hand in 3 programs a week") && then.contains("as of entry 3"), "{then}");
    let between = site.page("/room/main/rule/submission?as-of=2026-11-08+10:00").await;
    assert!(between.contains("hand in 2 programs a week"), "{between}");
    // Links on a page of the past lead to the past.
    let hill = site.page("/room/main/show/hill?as-of=3").await;
    assert!(!hill.contains("Alpha") && hill.contains("program/joust0?as-of=3"), "{hill}");
    for moment in ["99999", "2020-01-01", "tomorrow", "0", "%00", "18446744073709551616"] {
        let answer = site.get(&format!("/room/main/show/hill?as-of={moment}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{moment}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_rule_shows_its_history_and_all_its_changes() {
    let site = Site::amended().await;
    let rule = site.page("/room/main/rule/submission").await;
    assert!(rule.contains("/x/room/main/rule/submission/history"), "{rule}");
    let changes = site.page("/room/main/rule/submission/history").await;
    for part in [
        "<span class=\"del\">- Whoever plays, member or not, may hand in 3",
        "may hand in 2",
        "<span class=\"add\">+ Whoever plays, member or not, may hand in 4",
    ] {
        assert!(changes.contains(part), "{part}: {changes}");
    }
    assert_eq!(site.get("/room/main/rule/nothing").await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.get("/room/main/rule/nothing/history").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_journal_can_be_filtered_and_leafed_through() {
    let mut site = Site::played().await;
    let ann = site.page("/room/main/journal?actor=ann").await;
    assert!(ann.contains("joust submit") && !ann.contains("joust start"), "{ann}");
    let kind = site.page("/room/main/journal?kind=CHALLENGE").await;
    assert!(kind.contains("challenge/1") && !kind.contains("joust start"), "{kind}");
    let about = site.page("/room/main/journal?about=Beta").await;
    assert!(about.contains("joust submit") && !about.contains("joust start"), "{about}");
    assert!(site.page("/room/main/journal?about=nothing+of+that+kind").await.contains("Nothing is on record"));
    assert_eq!(site.get("/room/main/journal?actor=nobody").await.status, StatusCode::NOT_FOUND);

    for number in 0..60 {
        site.say("Goethe", &format!("joust intend set weekly-programs {}", 4 + number % 5)).await;
    }
    let first = site.page("/room/main/journal?kind=intend").await;
    let link = first.split("href=\"/x").find(|rest| rest.contains(">Older entries<")).expect("there is more");
    let older = link.split('"').next().expect("a link").replace("&#38;", "&").replace("&amp;", "&");
    assert!(older.contains("kind=intend&before="), "{older}");
    let older = site.page(&older).await;
    assert_eq!(first.matches("<tr><td").count(), 50);
    assert_eq!(older.matches("<tr><td").count(), 10, "{older}");
}

#[tokio::test]
async fn the_whole_rulebook_stands_on_one_page_now_and_then() {
    let site = Site::amended().await;
    let page = site.page("/room/main/rulebook").await;
    assert!(site.page("/room/main/rules").await.contains("/room/main/rulebook\">All rules on one page"));
    let places: Vec<&str> = page.split("href=\"#rule-").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(places.len() > 3, "{page}");
    for place in places {
        assert!(page.contains(&format!("<section id=\"rule-{place}\">")), "{place}");
    }
    assert!(page.contains("href=\"/x/room/main/rule/submission\">"), "a rule leads to its own page: {page}");
    let json: Json = serde_json::from_str(&site.page("/room/main/rulebook.json").await).expect("JSON");
    let rules = json["documents"].as_array().expect("rules").len();
    let text = site.page("/room/main/rulebook.md").await;
    assert_eq!(text.matches("\n## ").count(), rules, "{text}");
    // As it was, each rule reads as it did.
    let (then, now) = (site.page("/room/main/rulebook.md?as-of=2").await, text);
    assert_ne!(then.split_once("\n## ").map(|parts| parts.1), now.split_once("\n## ").map(|parts| parts.1));
    assert_eq!(site.get("/room/main/rulebook?as-of=99999").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn beside_each_page_lies_its_json() {
    let site = Site::amended().await;
    for path in ["show/hill", "show/matrix", "rules", "people", "rule/submission", "journal", "entry/3"] {
        let json: Json = serde_json::from_str(&site.page(&format!("/room/main/{path}.json")).await).expect("JSON");
        assert_eq!((&json["room"], &json["game"]), (&"main".into(), &"joust".into()), "{path}");
        assert_eq!(json["seq"], site.hub.rooms()[0].view().seq(), "{path}");
        let document: Document = serde_json::from_value(json["document"].clone()).expect("a document");
        assert!(!document.is_empty(), "{path}");
    }
    let then: Json = serde_json::from_str(&site.page("/room/main/show/hill.json?as-of=3").await).expect("JSON");
    assert_eq!(then["as_of"], 3);
    let room: Json = serde_json::from_str(&site.page("/room/main.json").await).expect("JSON");
    assert_eq!(room["displays"][0]["id"], "hill");
    let answer = site.get("/room/main/show/nothing.json").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(serde_json::from_str::<Json>(&answer.text).expect("JSON")["error"].is_string());
    serde_json::from_str::<Json>(&site.page("/rooms.json").await).expect("JSON");
}

#[tokio::test]
async fn a_feed_is_atom_with_what_was_announced_to_everybody() {
    let site = Site::amended().await;
    let xml = site.page("/room/main/feed.atom").await;
    let feed = roxmltree::Document::parse(&xml).unwrap_or_else(|why| panic!("{why}: {xml}"));
    let entries: Vec<_> =
        feed.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry"))).collect();
    assert!(entries.len() > 4, "{xml}");
    let part = |entry: &roxmltree::Node<'_, '_>, name: &str| {
        let found = entry.children().find(|node| node.tag_name().name() == name).expect("every part is there");
        found.text().unwrap_or_default().to_owned()
    };
    let ids: BTreeSet<String> = entries.iter().map(|entry| part(entry, "id")).collect();
    assert_eq!(ids.len(), entries.len(), "every item has its own id: {ids:?}");
    assert!(ids.iter().all(|id| id.starts_with("https://nomic.example/x/room/main/entry/")), "{ids:?}");
    for entry in &entries {
        part(entry, "updated").parse::<jiff::Timestamp>().expect("an instant");
        assert!(!part(entry, "title").is_empty() && part(entry, "content").contains("<section>"));
    }
    assert!(xml.contains("Alpha"), "{xml}");
}

#[tokio::test]
async fn what_is_not_there_is_a_page_too() {
    let site = Site::played().await;
    for path in [
        "/nothing",
        "/room",
        "/room/other",
        "/room/main/nothing",
        "/room/main/show/nothing",
        "/room/main/entry/0",
        "/room/main/entry/99999",
        "/room/main/entry/x",
        "/room/main/show/program/Nobody",
        "/room/other/feed.atom",
        "/room/main/show/..%2f..%2fetc",
        "/room/%3Cscript%3E",
        "/room/main/show/%22onclick=x",
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.text);
        assert!(answer.text.contains("<h1") && !answer.text.contains("<script"), "{path}: {}", answer.text);
    }
}

/// Whoever mistypes something keeps the way around the room and what was typed.
#[tokio::test]
async fn an_error_keeps_the_way_and_what_was_typed() {
    let site = Site::played().await;
    let way = "href=\"/x/room/main/journal\"";
    for (path, typed) in [
        ("journal?actor=zzz&kind=submit", "value=\"zzz\""),
        ("journal?about=Beta&before=abc", "value=\"Beta\""),
        ("journal?before=99999999999999999999", "name=\"actor\""),
        ("show/hill?as-of=soon", "value=\"soon\""),
        ("show/hill?as-of=99999", "value=\"99999\""),
        ("show/nothing", ""),
        ("entry/x", ""),
        ("nothing", ""),
    ] {
        let answer = site.get(&format!("/room/main/{path}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.text.contains(way) && answer.text.contains(typed), "{path}: {}", answer.text);
    }
}

/// “One entry earlier” ends where the thing begins.
#[tokio::test]
async fn the_walk_into_the_past_of_a_thing_ends_with_its_beginning() {
    let site = Site::played().await;
    let before = site.page("/room/main/show/program/Alpha?as-of=2").await;
    assert!(before.contains("not to be seen as of entry 2") && !before.contains("One entry earlier"), "{before}");
    assert!(before.contains(">Now (entry "), "{before}");
    assert_eq!(site.get("/room/main/show/program/Alpha.json?as-of=2").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_slash_too_many_leads_to_the_page_and_nowhere_else() {
    let site = Site::played().await;
    for (path, to) in [
        ("/room/main/", "/x/room/main"),
        ("/room/main/show/hill/?as-of=3", "/x/room/main/show/hill?as-of=3"),
        ("/room/main/journal//", "/x/room/main/journal"),
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{path}");
        assert_eq!(answer.headers["location"], to, "{path}");
    }
    assert_eq!(site.get("//elsewhere.example/").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_room_may_be_called_like_the_json_of_another() {
    let mut site = Site::played().await;
    site.whisper("Goethe", "room open joust main.json").await;
    assert!(site.page("/").await.contains("/x/room/main.json"));
    let page = site.page("/room/main.json").await;
    assert!(page.contains("<h1") && page.contains("/x/room/main.json.json"), "{page}");
    let json: Json = serde_json::from_str(&site.page("/room/main.json.json").await).expect("JSON");
    assert_eq!(json["room"], "main.json");
}

#[tokio::test]
async fn machines_that_read_every_page_are_asked_to_leave_the_past_alone() {
    let site = Site::played().await;
    assert!(site.page("/robots.txt").await.contains("Disallow: /*?"));
    assert_eq!(site.get("/room/main/show/hill?as-of=3").await.headers["x-robots-tag"], "noindex");
    assert!(!site.get("/room/main/show/hill").await.headers.contains_key("x-robots-tag"));
}

#[tokio::test]
async fn what_players_write_stays_text() {
    let mut site = Site::played().await;
    site.say("Goethe", "joust intend amend points: \u{202e}<script>alert(1)</script> \"' & <img src=x onerror=y>")
        .await;
    for path in ["/room/main/show/intents", "/room/main/journal", "/room/main/journal?about=%3Cscript%3E%22'"] {
        let text = site.page(path).await;
        for evil in ["<script", "<img", "onerror=y>", "\u{202e}"] {
            assert!(!text.contains(evil), "{path}: {text}");
        }
    }
    assert!(site.page("/room/main/journal").await.contains("script"), "the text itself is shown");
    roxmltree::Document::parse(&site.page("/room/main/feed.atom").await).expect("the feed bears it");
}

#[tokio::test]
async fn an_announcement_links_to_its_page() {
    let site = Site::played().await;
    let mut links = Vec::new();
    while let Some(delivery) = site.hub.delivery_now("console").await.expect("the outbox can be read") {
        links.push(delivery.document.link.clone().expect("every announcement has a link"));
        site.hub.delivered(delivery.id).await;
    }
    assert!(!links.is_empty());
    for link in links {
        site.page(link.strip_prefix("https://nomic.example/x").expect("a link to the site")).await;
    }
}

#[tokio::test]
async fn an_empty_site_and_its_health_can_be_looked_at() {
    let site = Site::empty().await;
    assert!(site.page("/").await.contains("There is no room yet"));
    assert_eq!(site.page("/healthz").await, "alive\n");
    assert_eq!(site.page("/readyz").await, "ready\n");
    site.hub.stop();
    assert_eq!(site.get("/readyz").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(site.get("/healthz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn every_page_forbids_what_it_does_not_need() {
    let site = Site::played().await;
    for path in ["/", "/room/main", "/nothing", "/room/main/feed.atom", "/rooms.json", "/healthz"] {
        let answer = site.get(path).await;
        let policy = answer.headers["content-security-policy"].to_str().expect("text");
        for part in ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("script-src"), "{policy}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer", "{path}");
        assert!(
            !answer.text.contains(" style=\"") && !answer.text.contains("<style"),
            "the policy would stop it: {path}"
        );
    }
    let page = site.page("/").await;
    let style = page.split("stylesheet\" href=\"/x").nth(1).and_then(|rest| rest.split('"').next()).expect("a style");
    let answer = site.get(style).await;
    assert_eq!(answer.headers["content-type"], "text/css; charset=utf-8");
    assert!(answer.headers["cache-control"].to_str().expect("text").contains("immutable"));
}
