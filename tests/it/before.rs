//! Journals of earlier versions of the program: each folds to the state that it had, proves itself, and plays on.
//!
//! `tests/data/before/*.jsonl` are whole archives of rehearsals, written by the version that stands in their folder's
//! README; they are never made anew. Beside each lies its state as that version showed it.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf, process::Command};

use kernel::{display::plain, engine::View, frame::Designation, viewer::Viewer};
use port::{Account, ForumAddress, Line, Place, Reply, Speaker};

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::{
    harness::ROOT,
    house::{Folder, House, MODERATOR, shown},
};

/// The service whose accounts the archives hold.
const SERVICE: &str = "rehearsal";

fn file(name: &str) -> PathBuf {
    PathBuf::from(ROOT).join("tests/data/before").join(name)
}

/// What rules can name, and the rules, in words that a later version says too.
fn state(view: &dyn View) -> String {
    let mut out = format!("{} entries, next due {:?}\n", view.seq(), view.next_due().map(|due| due.at.to_string()));
    for (id, seat) in &view.frame().seats {
        let _ = writeln!(out, "seat {id}: {}, {:?}", seat.name, seat.standing);
    }
    let values: BTreeMap<String, String> = view
        .world()
        .objects()
        .flat_map(|object| view.world().values_of(object))
        .map(|(path, value)| (path.to_string(), value.to_string().replace('\n', "\\n")))
        .collect();
    for (path, value) in values {
        let _ = writeln!(out, "{path} = {value}");
    }
    for rule in view.rules().all() {
        let force = if rule.in_force() { "" } else { ", repealed" };
        let _ = writeln!(out, "rule {}: {}, revision {}{force}", rule.number(), rule.title(), rule.revision());
    }
    for key in view.keys() {
        for (rule, span) in view.rules().places(key.key) {
            let _ = writeln!(out, "{} = {}", key.key, rule.text().shown(span));
        }
    }
    out
}

/// What a stranger sees of the machinery that no rule names.
fn displays(view: &dyn View) -> String {
    let ids = view.displays().into_iter().filter_map(|cell| cell.shows);
    let shown = ids.map(|id| (view.display(&id, &Viewer::default()), id));
    let shown = shown.map(|(document, id)| match document {
        Ok(document) => format!("== {id}\n{}\n", plain(&document)),
        Err(refusal) => format!("== {id}\n{}\n", refusal.say),
    });
    shown.collect()
}

fn run(folder: &Folder, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rulekeeper"))
        .args(["--database", &folder.database()])
        .args(arguments)
        .current_dir(folder.path("."))
        .env_remove("RULEKEEPER_CONFIG")
        .output()
        .expect("the program runs");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

/// A line of somebody whom the archive knows, in the channel that its room had.
fn line(house: &mut House, who: &str, text: &str) -> Line {
    let account = Account { service: SERVICE.to_owned(), id: who.to_lowercase() };
    let view = house.room("main").view();
    let public = view.frame().designated(Designation::Public).next().expect("a public forum");
    let (service, channel) = public.split_once('/').expect("a channel at a service");
    let forum = ForumAddress { service: service.to_owned(), channel: channel.to_owned() };
    let moderates = if who == MODERATOR { vec![forum.clone()] } else { Vec::new() };
    let from = Speaker { account: Some(account), sign_in: None, nick: who.to_owned(), operator: false, moderates };
    let line = house.line(who, text);
    let place = if line.place == Place::Private { Place::Private } else { Place::Forum(forum) };
    Line { from, place, ..line }
}

/// Brings an archive in, compares what it comes to, and goes on with it: time passes, and `acts` are done. Gives what
/// they were answered.
async fn goes_on(name: &str, now: &str, then: &str, acts: &[(&str, &str)]) -> String {
    let folder = Folder::new();
    let archive = file(&format!("{name}.jsonl"));
    run(&folder, &["import", archive.to_str().expect("a path in Unicode")]);
    assert!(run(&folder, &["verify"]).contains("Everything agrees."));

    let mut house = House::open_at(&folder.database(), now).await;
    let view = house.room("main").view();
    let kept = file(&format!("{name}.shown.txt"));
    if std::env::var_os("NEW_STATES").is_some() && !file(&format!("{name}.state.txt")).exists() {
        std::fs::write(&kept, displays(&*view)).expect("the displays are written");
    }
    // The first archives have none.
    if kept.exists() {
        assert_eq!(displays(&*view), std::fs::read_to_string(&kept).expect("the displays are kept"), "{name}");
    }
    let came_to = state(&*view);
    let kept = file(&format!("{name}.state.txt"));
    // Only for archives that are new: those of before came to what they came to.
    if std::env::var_os("NEW_STATES").is_some() && !kept.exists() {
        std::fs::write(&kept, &came_to).expect("the state is written");
    }
    assert_eq!(came_to, std::fs::read_to_string(&kept).expect("the state is kept"), "{name}");

    let before = house.room("main").view().seq();
    house.to(then).await;
    let mut answers = String::new();
    for (who, text) in acts {
        let line = line(&mut house, who, text);
        let replies = house.hub.hear(line).await;
        assert!(replies.iter().all(Reply::went_well), "{who}: {text}\n{}", shown(&replies));
        answers.push_str(&shown(&replies));
        house.hub.settle().await.expect("what follows happens");
    }
    assert!(house.room("main").view().seq() >= before + acts.len() as u64);
    house.close().await;
    assert!(run(&folder, &["verify"]).contains("Everything agrees."));
    answers
}

#[tokio::test]
async fn a_contest_of_before_goes_on() {
    let acts = [("Ann", "join"), ("Ann", "privately joust submit Late {.*9}{>*150}")];
    goes_on("joust", "2026-11-17T10:00:00Z", "2026-12-01T10:00:00Z", &acts).await;
}

/// Of before the joust's machinery lay in tables.
#[tokio::test]
async fn a_contest_of_before_tables_goes_on() {
    goes_on("joust-story", "2026-12-07T12:00:00Z", "2026-12-20T10:00:00Z", &[]).await;
    let acts = [("Ann", "privately joust submit Late {.*9}{>*150}")];
    goes_on("joust-hill", "2026-11-27T08:00:00Z", "2027-03-01T10:00:00Z", &acts).await;
}

#[tokio::test]
async fn a_dynasty_of_before_goes_on() {
    let acts =
        [("Zed", "propose \"More\" => set enact-reward to 20"), ("Cog", "propose \"Less\" => set fail-penalty to 1")];
    goes_on("blognomic", "2026-11-06T11:00:00Z", "2026-11-08T10:00:00Z", &acts).await;
}

/// A law of before entries said which line of it did something, and what figures it had read: what was set for later is
/// done, and it is played on.
#[tokio::test]
async fn a_law_of_before_goes_on() {
    let acts = [("Bo", "sock buy Black"), ("Bo", "show socks"), ("Bo", "why power of Abe"), ("Bo", "why power of Bo")];
    let answers = goes_on("blognomic-laws", "2026-11-04T11:00:00Z", "2026-11-06T11:00:00Z", &acts).await;
    for told in
        ["Black  Abe", "Black  Bo", ", by Socks (sock buy Blue)", ", by Socks, line 5 of its law (sock-price 8)"]
    {
        assert!(answers.contains(told), "{told}: {answers}");
    }
}

#[tokio::test]
async fn an_nweek_of_before_goes_on() {
    let acts = [("Ann", "propose \"More\" => set new-player-score to 3")];
    goes_on("bnomic", "2026-11-26T01:00:00Z", "2026-12-08T10:00:00Z", &acts).await;
}

/// Rules that nobody changed are renewed in a room of before: it has their laws from then on. An undo takes that back,
/// and itself.
#[tokio::test]
async fn rules_of_before_are_renewed() {
    let acts = [
        ("Ann", "rule 23"),
        (MODERATOR, "rule renew because of the laws"),
        ("Ann", "rule 23"),
        ("Dan", "ambassador record Agora friendly"),
        ("Ann", "show foreign-relations"),
        ("Ben", "propose \"More\" => set foreign-support to 3"),
        (MODERATOR, "undo 120 yes because it was too early"),
        ("Ann", "rule 23"),
    ];
    let answers = goes_on("bnomic", "2026-11-26T01:00:00Z", "2026-12-08T10:00:00Z", &acts).await;
    let (before, after) = answers.split_once("As the program has them by now").expect("they are renewed");
    let (after, undone) = after.split_once("Entry 120 is taken back").expect("it is taken back");
    assert!(!before.contains("Its law adds") && after.contains("Its law adds"), "{answers}");
    assert!(after.contains("Agora") && after.contains("friendly"), "{answers}");
    assert!(!undone.contains("Its law adds"), "{undone}");
}

/// The entry of an act as the program wrote it that decided it without a law.
fn entry_of_before(seq: u64, (who, person): (&str, &str), said: &str, change: serde_json::Value) -> String {
    let (at, command) = ("2026-11-26T00:30:00Z", said.split(' ').next());
    let cause = json!({ "action": { "actor": format!("player/{who}"), "command": command } });
    let body = json!({ "seq": seq, "at": at, "recorded": at, "cause": cause, "schema": 1, "changes": [change] });
    let said = json!({ "person": person, "text": said });
    json!({ "entry": { "body": body, "said": said, "origin": format!("line-{seq}#9.0") } }).to_string()
}

/// What the program decided by itself and a law decides by now stays as it is recorded where an entry before it is taken
/// back, and is taken back itself.
#[tokio::test]
async fn acts_of_before_that_are_laws_by_now_are_taken_back() {
    let kept = std::fs::read_to_string(file("bnomic.jsonl")).expect("the archive is kept");
    let mut lines: Vec<String> = kept.lines().map(str::to_owned).collect();
    lines.pop();
    let end = lines.iter().rposition(|line| line.starts_with(r#"{"entry""#)).expect("it has entries") + 1;
    let set = |at: &str, was: serde_json::Value, to: serde_json::Value| json!({ "world": { "set": { "at": at, "to": to, "was": was } } });
    let paid = set("player/ann.mackerel", json!({ "num": "150" }), json!({ "num": "149" }));
    let flag = set("flagpole/main.flag", json!({ "text": "Pink Ponies" }), json!({ "text": "Polka Dots" }));
    let title = json!({ "retitle": { "to": "Ballots", "was": "Proposals" } });
    let title = json!({ "rule": { "rule": "4E15", "act": title, "why": "retitled by Cat" } });
    let made = [
        entry_of_before(108, ("ann", "p1"), "mackerel burn 1", paid),
        entry_of_before(109, ("ann", "p1"), "hoist Polka Dots", flag),
        entry_of_before(110, ("cat", "p3"), "perform 1", title),
    ];
    lines.splice(end..end, made);
    let text = lines.join("\n") + "\n";
    let sum = hex::encode(Sha256::digest(&text));
    let folder = Folder::new();
    let archive = folder.path("flag.jsonl");
    std::fs::write(&archive, format!("{text}{{\"end\":{{\"entries\":110,\"sha256\":\"{sum}\"}}}}\n")).expect("a file");
    run(&folder, &["import", archive.to_str().expect("a path in Unicode")]);
    assert!(run(&folder, &["verify"]).contains("Everything agrees."));

    let mut house = House::open_at(&folder.database(), "2026-11-26T01:00:00Z").await;
    for (undone, flag, title) in
        [(108, "Polka Dots", "Ballots"), (109, "Pink Ponies", "Ballots"), (110, "Pink Ponies", "Proposals")]
    {
        for (text, told) in [
            (format!("undo {undone} yes because of a test"), format!("Entry {undone} is taken back")),
            ("show emergency".to_owned(), format!("The Threat Flag is {flag}.")),
            ("rule 15".to_owned(), format!("4E15. {title}")),
        ] {
            let line = line(&mut house, MODERATOR, &text);
            let replies = shown(&house.hub.hear(line).await);
            assert!(replies.contains(&told), "{text}: {replies}");
        }
    }
    house.close().await;
    assert!(run(&folder, &["verify"]).contains("Everything agrees."));
}

/// Actions that an earlier version kept for later are done when their time comes.
#[tokio::test]
async fn actions_that_were_set_for_later_before_are_done() {
    let acts = [("Ann", "mackerel give Bob m1"), ("Ann", "history give since 2026-11-03")];
    let answers = goes_on("bnomic-later", "2026-11-03T10:00:00Z", "2026-11-21T10:00:00Z", &acts).await;
    for done in ["scheduled/1", "scheduled/2", "scheduled/3"] {
        assert!(answers.contains(done), "{done}: {answers}");
    }
}

#[tokio::test]
async fn an_emergency_of_before_goes_on() {
    goes_on("bnomic-emergency", "2026-11-11T11:00:00Z", "2026-11-13T10:00:00Z", &[]).await;
}

#[tokio::test]
async fn a_space_of_before_goes_on() {
    let acts = [("Ada", "propose \"More\" => set income-offset to 2\n=> colour rule 23 as green because it pays")];
    goes_on("spacenomic", "2026-11-22T15:30:00Z", "2026-11-23T10:00:00Z", &acts).await;
}
