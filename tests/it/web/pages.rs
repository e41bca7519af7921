//! Every kind of page of a room that was played in, as the router answers it.

use std::collections::{BTreeSet, VecDeque};

use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use futures::StreamExt as _;
use kernel::display::Document;
use port::gallery::FRONT_MAX_ROOMS;
use serde_json::Value as Json;
use tower::ServiceExt as _;

use super::{INVITATION, SECRET, Site};

/// Pages that play charges as they are asked for, one for each pair of programs and length.
const PLAYED: [&str; 3] = ["/show/breakdown/", "/show/watch/", "/show/film/"];
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
            if link.starts_with('#') || link == INVITATION {
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
    let (news, technical) = (room.find("What happened"), room.find("Hash of that entry"));
    assert!(news < room.find("The Hill") && news.is_some() && technical.is_none(), "{room}");
    assert!(site.page("/room/main/about").await.contains("Hash of that entry"));
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

/// A film comes with the code of both, for the site's own script; where a program hides there is none.
#[tokio::test]
async fn a_film_comes_with_its_programs_and_the_script_that_plays_it() {
    let mut site = Site::played().await;
    assert_eq!(site.get("/room/main/show/film/Alpha/Alpha/151").await.status, StatusCode::NOT_FOUND);
    site.say("Ann", "joust reveal Alpha").await;
    let pictures = site.page("/room/main/show/watch/Alpha/Alpha/151").await;
    assert!(pictures.contains("/x/room/main/show/film/Alpha/Alpha/151"), "{pictures}");
    let film = site.page("/room/main/show/film/Alpha/Alpha/151").await;
    for part in ["bfjoust film 1", "data-part=\"left\"", "[&#62;[+++[-]]+]", "/x/room/main/show/watch/Alpha/Alpha/151"]
    {
        assert!(film.contains(part), "{part}: {film}");
    }
    let script = film.split("<script src=\"/x").nth(1).and_then(|rest| rest.split('"').next()).expect("a script");
    let answer = site.get(script).await;
    assert_eq!(answer.headers["content-type"], "text/javascript; charset=utf-8");
    assert!(answer.headers["cache-control"].to_str().expect("text").contains("immutable"));
}

/// A page of a room follows it: the stream tells each entry, and ends with whoever reads it.
#[tokio::test]
async fn a_page_of_a_room_hears_of_what_happens_there() {
    let mut site = Site::played().await;
    let last = site.hub.rooms()[0].view().seq();
    let page = site.page("/room/main").await;
    assert!(page.contains(&format!("data-events=\"/x/room/main/events?after={last}\"")), "{page}");
    assert!(!site.page("/room/main/show/hill?as-of=3").await.contains("data-events"), "the past stays");
    let request = Request::get(format!("/room/main/events?after={last}")).body(Body::empty()).expect("a request");
    let answer = site.router.clone().oneshot(request).await.expect("a router always answers");
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut events = answer.into_body().into_data_stream();
    let mut next = async || events.next().await.expect("it goes on").expect("bytes");
    assert_eq!(next().await, "retry: 5000\n\n");
    site.say("Goethe", "joust intend set weekly-programs 4").await;
    let now = site.hub.rooms()[0].view().seq();
    assert!(now > last && next().await == format!("data: {now}\n\n"));
    assert_eq!(site.get("/room/other/events").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_display_can_be_seen_as_of_an_entry_and_as_of_a_time() {
    let site = Site::amended().await;
    let now = site.page("/room/main/rule/submission").await;
    assert!(now.contains(">4<span") && now.contains("programs a week"), "{now}");
    let then = site.page("/room/main/rule/submission?as-of=3").await;
    assert!(then.contains(">3<span") && then.contains("as of entry 3"), "{then}");
    let between = site.page("/room/main/rule/submission?as-of=2026-11-08+10:00").await;
    assert!(between.contains(">2<span"), "{between}");
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

/// Given two rooms, of which one is closed. Then the front page says what this is, what happened in each, what comes
/// next, who plays and how to join, with a picture.
#[tokio::test]
async fn the_front_page_tells_what_goes_on_and_how_to_join() {
    let mut site = Site::played().await;
    site.whisper("Goethe", "room open blognomic other").await;
    site.whisper("Goethe", "@other room close because it was a try").await;
    let front = site.page("/").await;
    for part in [
        "A nomic is a game",
        "<a href=\"/x/room/main\"><bdi>main</bdi></a>",
        "Brainfuck Joust",
        "Today</h3>",
        "/x/room/main/entry/",
        "Next by itself",
        "actor=Ann\">Ann</a>",
        "Type <code>join</code> in here (console).",
        INVITATION,
        "<svg",
        "The room is closed.",
    ] {
        assert!(front.contains(part), "{part} is missing: {front}");
    }
    assert_eq!(front.matches(INVITATION).count(), 1, "nobody is asked into a closed room");
    for page in ["0", "2", "x", "-1", "99999999999999999999"] {
        assert_eq!(site.get(&format!("/?page={page}")).await.status, StatusCode::NOT_FOUND, "{page}");
    }
    for number in 0..FRONT_MAX_ROOMS {
        site.whisper("Goethe", &format!("room open joust more{number}")).await;
    }
    let front = site.page("/").await;
    assert!(front.contains("/x/?page=2\">More rooms") && !front.contains("The room is closed."), "open ones first");
    let second = site.page("/?page=2").await;
    assert!(second.contains("The room is closed.") && second.contains("/x/\">The rooms before"), "{second}");
}

/// Given a network whose commands have a prefix. Then pages tell them with it, and where they are typed.
#[tokio::test]
async fn a_page_tells_commands_as_they_are_typed_in_the_channel_of_its_room() {
    let mut site = Site::where_commands_begin_with(&[("console", "!")]).await;
    site.say("Goethe", "room open spacenomic main").await;
    let front = site.page("/").await;
    assert!(front.contains("Type <code>!join</code> in "), "{front}");
    let proposals = site.page("/room/main/show/proposals").await;
    assert!(proposals.contains("“!propose NAME TEXT” makes one"), "{proposals}");
}

/// Given a Proposal with two votes. Then its page says what is still needed, until when, what it would do and what
/// happened about it, and others lead there by its name.
#[tokio::test]
async fn the_page_of_a_proposal_tells_what_goes_on_about_it() {
    let mut site = Site::empty().await;
    site.say("Goethe", "room open blognomic main").await;
    for name in ["Abe", "Bo", "Cog", "Dot"] {
        site.say(name, &format!("robot apply {name} https://example.org/{name}")).await;
        site.say("Goethe", &format!("admin set-up {name}")).await;
    }
    site.say("Abe", "propose \"Cheaper\" => set fail-penalty to 1").await;
    site.say("Bo", "vote 1 against").await;
    let page = site.page("/room/main/show/proposal/1").await;
    for part in [
        "It ends at 2026-11-0",
        "Without a vote so far: Cog, Dot",
        "What it would do",
        "<span class=\"del\">- When a Proposal fails, its proposer loses 5 Power.",
        "What happened about it",
        "Bo votes AGAINST on Proposal 1",
        "Bo types “vote 1 against”.",
    ] {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    assert!(!page.contains("robot apply"), "{page}");
    for path in ["/", "/room/main", "/room/main/journal"] {
        assert!(site.page(path).await.contains("<a href=\"/x/room/main/show/proposal/1\">Proposal 1"), "{path}");
    }
    let json: Json = serde_json::from_str(&site.page("/room/main/show/proposal/1.json").await).expect("JSON");
    assert!(json["outcome"]["blocks"].is_array(), "{json}");
    // Once it is over, nothing is needed any more.
    for name in ["Cog", "Dot"] {
        site.say(name, "vote 1 against").await;
    }
    site.say("Goethe", "admin fail 1").await;
    let over = site.page("/room/main/show/proposal/1").await;
    assert!(!over.contains("Without a vote") && !over.contains("What it would do"), "{over}");
    assert!(over.contains("admin fail 1"), "{over}");
}

/// An entry is told in sentences: what happened, who typed what, what changed.
#[tokio::test]
async fn an_entry_reads_as_sentences() {
    let site = Site::amended().await;
    let journal = site.page("/room/main/journal").await;
    assert!(!journal.contains("<table") && journal.contains("Goethe types “joust do 1”."), "{journal}");
    let entry = site.page("/room/main/entry/2").await;
    assert!(entry.contains("Entry 2, 2026-11-02 09:00 UTC. Goethe types “joust start”."), "{entry}");
    assert!(entry.contains("changed this:") && entry.contains("What it announced"), "{entry}");
}

#[tokio::test]
async fn the_journal_can_be_filtered_and_leafed_through() {
    let mut site = Site::played().await;
    let ann = site.page("/room/main/journal?actor=ann").await;
    assert!(ann.contains("joust submit") && !ann.contains("joust start"), "{ann}");
    let kind = site.page("/room/main/journal?kind=CHALLENGE").await;
    assert!(kind.contains("/x/room/main/entry/") && !kind.contains("joust start"), "{kind}");
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
    assert_eq!(first.matches("<li><a class=\"when\"").count(), 50);
    assert_eq!(older.matches("<li><a class=\"when\"").count(), 10, "{older}");
}

#[tokio::test]
async fn the_whole_rulebook_stands_on_one_page_now_and_then() {
    let site = Site::amended().await;
    let page = site.page("/room/main/rulebook").await;
    assert!(site.page("/room/main/rules").await.contains("/room/main/rulebook\">All rules on one page"));
    let places: Vec<&str> = page.split("href=\"#rule-").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(places.len() > 3, "{page}");
    for place in places {
        assert!(page.contains(&format!("<section id=\"rule-{place}\"")), "{place}");
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

/// Given a rule that was amended twice. Then its figure says since when it reads so and by what, changes are coloured
/// since any moment, and two moments stand side by side.
#[tokio::test]
async fn figures_say_where_they_come_from_and_changes_stand_side_by_side() {
    let site = Site::amended().await;
    let last = site.hub.rooms()[0].view().seq();
    for path in ["/room/main/rulebook", "/room/main/rule/submission"] {
        let page = site.page(path).await;
        assert!(page.contains("hand in <span class=\"mark\" tabindex=\"0\">4<span class=\"tip\""), "{path}: {page}");
        assert!(page.contains("<b>weekly-programs</b>: "), "{path}: {page}");
    }
    let then = site.page("/room/main/rule/submission?as-of=3").await;
    assert!(then.contains("hand in <span class=\"mark\" tabindex=\"0\">3<span"), "{then}");
    let coloured = site.page("/room/main/rulebook?since=3").await;
    assert_eq!(coloured.matches("class=\"changed\"").count(), 1, "{coloured}");
    assert!(coloured.contains("1 rule reads otherwise"), "{coloured}");
    assert!(coloured.contains(&format!("/x/room/main/changes?from=3&#38;to={last}#rule-submission")), "{coloured}");
    assert!(!site.page(&format!("/room/main/rulebook?since={last}")).await.contains("class=\"changed\""));
    assert_eq!(site.get("/room/main/rulebook?since=soon").await.status, StatusCode::NOT_FOUND);

    let sides = site.page(&format!("/room/main/changes?from=3&to={last}")).await;
    assert!(
        sides.contains("hand in <del>3 </del>programs") && sides.contains("hand in <ins>4 </ins>programs"),
        "{sides}"
    );
    assert!(site.page("/room/main/changes?from=3&to=3").await.contains("read the same"));
    let json: Json = serde_json::from_str(&site.page("/room/main/changes.json?from=3").await).expect("JSON");
    assert_eq!(
        (&json["from"], &json["to"], json["rules"].as_array().map(Vec::len)),
        (&3.into(), &last.into(), Some(1))
    );
    for query in ["?from=99999", "?to=0", "?from=x"] {
        assert_eq!(site.get(&format!("/room/main/changes{query}")).await.status, StatusCode::NOT_FOUND, "{query}");
    }
}

/// What holds some words is found among rules, rulings and entries, and nothing that is hidden.
#[tokio::test]
async fn words_are_found_in_rules_rulings_and_entries_and_nothing_hidden_is() {
    let mut site = Site::amended().await;
    let rules = site.page("/room/main/search?q=hand+in").await;
    assert!(rules.contains("In the rules") && rules.contains("/x/room/main/rule/submission\">"), "{rules}");
    assert!(site.page("/room/main/search?q=ALPHA").await.contains("/x/room/main/entry/"), "in any case");
    let nothing = site.page("/room/main/search?q=nothing+of+that+kind").await;
    assert!(nothing.contains("Nothing is on record"), "{nothing}");
    for words in [SECRET, "%5B%3E%5B-%5D%2B%5D"] {
        assert!(site.page(&format!("/room/main/search?q={words}")).await.contains("Nothing is on record"), "{words}");
    }
    // What a database takes for any letters is one letter here.
    for words in ["100%25", "_____", "%25", "\\"] {
        assert!(site.page(&format!("/room/main/search?q={words}")).await.contains("Nothing is on record"), "{words}");
    }
    site.say("Goethe", "joust intend amend points: <b>\"Ärger\" 5%</b>").await;
    for words in ["%C3%A4rger", "5%25", "%22%C3%84RGER%22", "%3Cb%3E"] {
        let found = site.page(&format!("/room/main/search?q={words}")).await;
        assert!(found.contains("/x/room/main/entry/") && !found.contains("<b>"), "{words}: {found}");
    }
    let json: Json = serde_json::from_str(&site.page("/room/main/search.json?q=hand+in").await).expect("JSON");
    assert!(json["rules"]["blocks"].as_array().is_some_and(|blocks| !blocks.is_empty()), "{json}");
    for query in ["", "?q=", "?q=a&before=x"] {
        assert_eq!(site.get(&format!("/room/main/search{query}")).await.status, StatusCode::NOT_FOUND, "{query}");
    }
    let long = site.get(&format!("/room/main/search?q={}", "a".repeat(201))).await;
    assert!(long.status == StatusCode::NOT_FOUND && long.text.contains("1 to 200 characters"), "{}", long.text);
    // A name that was forgotten is found no more.
    assert!(!site.page("/room/main/search?q=goethe").await.contains("Nothing is on record"));
    site.whisper("Goethe", "forget me yes").await;
    let forgotten = site.page("/room/main/search?q=goethe").await;
    assert!(forgotten.contains("Nothing is on record") && !forgotten.contains("In the rules"), "{forgotten}");
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
        for evil in ["<script>", "<img", "onerror=y>", "\u{202e}"] {
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
        assert!(!policy.contains("unsafe") && policy.contains("script-src 'self';"), "{policy}");
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
