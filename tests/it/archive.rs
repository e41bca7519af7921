//! Rooms as files, and the proof of journals: through the service, and by the binary's verbs on the same database.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use kernel::{display::plain, frame::Designation};

use crate::house::{ALPHA, Folder, House, MODERATOR, START, shown, unguarded};

/// What stands in programs of these tests and nowhere else.
const SECRET: &str = "sekret";

/// A story of three weeks: two players, a challenge each, an award a week, and seeds that are revealed.
pub(crate) async fn story(house: &mut House) {
    house.does("Ann", "join").await;
    house.does("Bob", "join").await;
    house.does("Ann", &format!("privately joust submit Alpha {ALPHA} {SECRET}")).await;
    house.to("2026-11-04T12:00:00Z").await;
    house.does("Bob", &format!("privately joust submit Beta {ALPHA}+ {SECRET}")).await;
    house.to("2026-11-17T12:00:00Z").await;
    house.does("Ann", &format!("privately joust submit Gamma >{ALPHA} {SECRET}")).await;
    house.does(MODERATOR, "correct player/bob.points 2 because of a slip").await;
}

/// Runs the binary on a folder's database.
fn run(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulekeeper"))
        .args(["--database", &folder.database()])
        .args(arguments)
        .current_dir(folder.path("."))
        .env_remove("RULEKEEPER_CONFIG")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// What it says when it goes well.
pub(crate) fn well(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let (said, why) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{arguments:?}: {why}\n{said}");
    said
}

/// What it says when it does not, and with which code it ends.
pub(crate) fn ill(folder: &Folder, arguments: &[&str]) -> (i32, String) {
    let output = run(folder, arguments);
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code().unwrap(), said)
}

/// Does something to a database behind the program's back.
pub(crate) fn tamper(folder: &Folder, sql: &str) {
    assert_eq!(unguarded(folder.database()).execute(sql, []).unwrap(), 1, "{sql}");
}

/// What somebody without a seat sees of a room.
async fn sights(house: &mut House, room: &str) -> Vec<String> {
    let mut sights = Vec::new();
    for line in [
        "hill @ROOM",
        "joust points @ROOM",
        "joust matrix @ROOM",
        "show @ROOM players",
        "joust program @ROOM Alpha",
        "show @ROOM rules",
        "history @ROOM",
    ] {
        sights.push(house.does("Zed", &line.replace("ROOM", room)).await);
    }
    sights
}

#[tokio::test]
async fn a_room_moves_to_another_database_and_plays_on() {
    let (old, new) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&old.database()).await;
    story(&mut house).await;
    house.does(MODERATOR, "moderator add @main Ann").await;
    house.does(MODERATOR, "ban @main Bob because of noise").await;
    let before = house.journal("main").await;
    let acts = house.hub.store().acts(house.room("main").id, 1, before.len() as u64).await.expect("they can be read");
    assert!(!acts.is_empty());
    let sights_before = sights(&mut house, "main").await;
    house.close().await;

    let said = well(&old, &["export", "main", "main.jsonl", "--with-secrets"]);
    assert!(said.contains("secret programs"), "{said}");
    let file = old.path("main.jsonl");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
    }
    let file = file.to_str().unwrap();
    // Other people came to the new database first.
    let mut house = House::open(&new.database()).await;
    house.does("Zed", "privately link").await;
    house.close().await;
    let said = well(&new, &["import", file]);
    assert!(said.contains("@main (joust)"), "{said}");
    assert!(well(&new, &["verify"]).contains("Everything agrees."));

    let mut house = House::open_at(&new.database(), "2026-11-17T12:00:00Z").await;
    let after = house.journal("main").await;
    assert_eq!(after.len(), before.len());
    let room = house.room("main").id;
    assert_eq!(house.hub.store().acts(room, 1, after.len() as u64).await.expect("they can be read"), acts);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((before.seq, before.at, before.recorded), (after.seq, after.at, after.recorded));
        assert_eq!((&before.origin, &before.cause, &before.actor), (&after.origin, &after.cause, &after.actor));
        let text = |entry: &store::Entry| entry.said.clone().map(|said| said.text);
        assert_eq!(text(before), text(after));
    }
    assert_eq!(sights(&mut house, "main").await, sights_before);
    // Everybody is who they were, and the programs are there.
    assert!(house.does("Ann", "privately joust program @main Alpha").await.contains(SECRET));
    assert!(house.is_refused("Bob", "leave @main").await.contains("banned"));
    house.does("Ann", "pause").await;
    house.does("Ann", "resume").await;
    house.to("2026-11-24T12:00:00Z").await;
    let replies = house.say("Ann", &format!("privately joust submit Delta {ALPHA}++")).await;
    assert!(replies[0].went_well(), "{}", shown(&replies));
    assert!(house.journal("main").await.len() > after.len() + 3, "weeks and a challenge went by");
    house.close().await;
    assert!(well(&new, &["verify"]).contains("Everything agrees."));
    let (code, said) = ill(&new, &["import", file]);
    assert_eq!(code, 2);
    assert!(said.contains("called main already"), "{said}");
    assert!(well(&new, &["import", file, "--name", "copy"]).contains("@copy"));
    assert!(well(&new, &["verify", "copy"]).contains("Everything agrees."));
}

#[tokio::test]
async fn a_public_history_opens_a_closed_room() {
    let (old, new) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&old.database()).await;
    story(&mut house).await;
    let sights_before = sights(&mut house, "main").await;
    let replies = house.say(MODERATOR, "export").await;
    let [reply] = &replies[..] else { panic!("{}", shown(&replies)) };
    assert!(reply.private);
    let file = reply.file.clone().expect("a file");
    assert!(file.name.starts_with("main-") && file.name.ends_with(".jsonl"), "{}", file.name);
    let text = String::from_utf8(file.bytes.clone()).unwrap();
    house.close().await;

    // The binary writes the same file, and the file holds nobody's secrets or accounts.
    assert_eq!(well(&old, &["export", "main"]), text);
    for absent in [SECRET, ALPHA, "\n{\"secret\"", "\n{\"person\"", "account", "\"origin\"", "\"to\":{\"seat\""] {
        assert!(!text.contains(absent), "{absent}");
    }
    assert!(plain(&reply.document).contains("rulekeeper export main"));

    // Who has the file can play by the room's rules at home.
    for name in ["one.bf", "other.bf"] {
        std::fs::write(old.path(name), "[-]").unwrap();
    }
    std::fs::write(old.path("main.jsonl"), &text).unwrap();
    let told = well(&old, &["joust", "match", "one.bf", "other.bf", "--room", "main.jsonl"]);
    assert!(told.contains("135\u{2013}167"), "{told}");
    let told = well(&old, &["joust", "match", "one.bf", "other.bf", "--room", "main.jsonl", "--spread", "0"]);
    assert!(told.contains("    151  "), "{told}");

    let mut house = House::open_at(&new.database(), START).await;
    let replies = house.send(MODERATOR, "import old-main", &file.bytes).await;
    assert!(shown(&replies).contains("the room is closed"), "{}", shown(&replies));
    // Displays that name the room or its last entry differ; the contest is the same.
    let sights_after = sights(&mut house, "old-main").await;
    assert_eq!(sights_after[..6], sights_before[..6]);
    let why = house.is_refused("Ann", &format!("privately joust submit @old-main Delta {ALPHA}")).await;
    assert!(why.contains("closed"), "{why}");
    assert_eq!(house.room("old-main").view().frame().designated(Designation::Public).count(), 0);
    assert_eq!(house.hub.store().pending().await.unwrap(), 0, "a room that is imported announces nothing");
    house.to("2027-03-01T00:00:00Z").await;
    house.close().await;
    assert!(well(&new, &["verify"]).contains("Everything agrees."));
    assert!(well(&new, &["verify-dice", "old-main"]).contains("Epoch 1: "));
    let house = House::open(&new.database()).await;
    assert!(house.room("old-main").view().frame().closed, "it is there after a restart");
    house.close().await;
}

#[tokio::test]
async fn a_room_is_played_and_ranked_at_home_as_its_contract_reads() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does(MODERATOR, "join").await;
    house.does(MODERATOR, "joust intend tournament scoring points").await;
    house.to("2026-11-12T12:00:00Z").await;
    house.does(MODERATOR, "joust do 1").await;
    house.close().await;
    let export = well(&folder, &["export", "main"]);
    std::fs::write(folder.path("main.jsonl"), &export).unwrap();
    for (name, text) in [("one.bf", ALPHA), ("other.bf", "")] {
        std::fs::write(folder.path(name), text).unwrap();
    }
    let rank = ["joust", "rank", "one.bf", "other.bf", "--lengths", "151,152"];
    assert!(well(&folder, &rank).starts_with("rank  name      touches "));
    let by_file = well(&folder, &[&rank[..], &["--room", "main.jsonl"]].concat());
    assert!(by_file.starts_with("rank  name       points "), "{by_file}");
    // Also from a pipe, which can be read once.
    let mut piped = Command::new(env!("CARGO_BIN_EXE_rulekeeper"))
        .args([&rank[..], &["--room", "-"]].concat())
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    piped.stdin.take().unwrap().write_all(export.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(piped.wait_with_output().unwrap().stdout).unwrap(), by_file);
}

#[tokio::test]
async fn what_was_altered_in_a_file_is_noticed() {
    let (folder, other) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    house.close().await;
    well(&folder, &["export", "main", "public.jsonl"]);
    well(&folder, &["export", "main", "whole.jsonl", "--with-secrets"]);
    let dice = well(&folder, &["verify-dice", "public.jsonl"]);
    assert!(dice.contains("Epoch 1: ") && dice.contains("still open"), "{dice}");
    assert!(dice.contains("Every draw from a revealed seed is as the recipe gives it."), "{dice}");

    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let resealed = |text: &str| {
        // What somebody does who knows the format: the digest at the end is made anew.
        use sha2::Digest as _;
        let (lines, _) = text.trim_end().rsplit_once('\n').unwrap();
        let lines = format!("{lines}\n");
        let entries = lines.matches("{\"entry\":{").count();
        let digest = hex::encode(sha2::Sha256::digest(&lines));
        format!("{lines}{{\"end\":{{\"entries\":{entries},\"sha256\":\"{digest}\"}}}}\n")
    };
    let drawn = |text: &str| {
        let at = text.find("\"got\":").unwrap() + 6;
        let end = at + text[at..].find(|char: char| !char.is_ascii_digit()).unwrap();
        let number: u64 = text[at..end].parse().unwrap();
        format!("{}{}{}", &text[..at], (number + 1) % 33, &text[end..])
    };
    let without = |text: &str, line: usize| {
        let lines = text.lines().enumerate().filter(|(index, _)| *index != line);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let (public, whole) = (read("public.jsonl"), read("whole.jsonl"));
    assert_eq!(resealed(&public), public, "the test knows the format");
    for (name, text, why) in [
        ("a changed draw", drawn(&public), "digest"),
        ("a changed draw, resealed", resealed(&drawn(&public)), "the seed of epoch 1 gives"),
        ("a missing entry", without(&public, 4), "where entry 4 comes next"),
        ("a missing entry, resealed", resealed(&without(&public, 4)), "where entry 4 comes next"),
        ("a missing end", without(&public, public.lines().count() - 1), "breaks off"),
        ("more after the end", format!("{public}{{}}\n"), "after its end"),
        (
            "a changed award",
            // Who gets how many points is chance; when they are awarded is not.
            resealed(&public.replacen("\"was\":{\"next\":\"2026-11-09", "\"was\":{\"next\":\"2026-11-08", 1)),
            "contradicts",
        ),
        ("no archive", "{\"hello\":1}\n".to_owned(), "no archive"),
        ("nothing", String::new(), "no archive"),
        ("another format", public.replacen("\"format\":1", "\"format\":3", 1), "format 3"),
        ("another shape", public.replacen("\"shape\":\"", "\"shape\":\"0", 1), "another version of this program"),
        ("another game", public.replacen("\"game\":\"joust\"", "\"game\":\"chess\"", 1), "chess"),
        ("secrets in a public file", whole.replacen("\"whole\"", "\"public\"", 1), "entries and nothing else"),
        (
            "another program",
            resealed(&whole.replacen("\"id\":\"program/11\"", "\"id\":\"program/99\"", 1)),
            "program/11",
        ),
        ("no seed", resealed(&whole.replacen("\"id\":\"dice/", "\"id\":\"dices/", 3)), "seed"),
    ] {
        assert!(text != public && text != whole, "{name}: nothing is altered in\n{public}");
        std::fs::write(other.path("bad.jsonl"), &text).unwrap();
        let (code, said) = ill(&other, &["import", "bad.jsonl"]);
        assert_eq!(code, 2, "{name}: {said}");
        assert!(said.contains(why), "{name}: {said}");
        if name.contains("draw") {
            let (code, said) = ill(&other, &["verify-dice", "bad.jsonl"]);
            assert_ne!(code, 0, "{name}");
            assert!(said.contains(why), "{name}: {said}");
        }
    }
    assert!(!other.path("rulekeeper.db").exists(), "what cannot be used makes no database");
}

#[tokio::test]
async fn what_was_altered_in_a_database_is_noticed() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    let draws: Vec<u64> = house
        .journal("main")
        .await
        .iter()
        .filter(|entry| entry.json.contains("\"draws\""))
        .map(|entry| entry.seq)
        .collect();
    let last = house.journal("main").await.len();
    house.does(MODERATOR, "backup").await;
    house.close().await;
    assert!(well(&folder, &["verify"]).contains("Everything agrees."));
    let mut backup = std::fs::read_dir(folder.path(".")).unwrap().map(|file| file.unwrap().path());
    let backup = backup.find(|path| path.to_str().unwrap().ends_with(".backup.db")).expect("a backup");
    let (first_draw, last_draw) = (draws[0], draws[draws.len() - 1]);
    for (sql, verify, dice) in [
        (
            // The number after the first "got": is made another.
            format!(
                "UPDATE entries SET body = substr(body, 1, instr(body, '\"got\":') + 5) || '40' \
                 || substr(body, instr(body, '\"got\":') + 6) WHERE seq = {first_draw}"
            ),
            "the seed of epoch 1 gives",
            Some("the seed of epoch 1 gives"),
        ),
        (
            format!(
                "UPDATE entries SET body = substr(body, 1, instr(body, '\"got\":') + 5) || '40' \
                 || substr(body, instr(body, '\"got\":') + 6) WHERE seq = {last_draw}"
            ),
            "gives",
            None,
        ),
        ("DELETE FROM entries WHERE seq = 5".to_owned(), "entry 5", Some("Entry 5 of the room is missing")),
        (format!("DELETE FROM entries WHERE seq = {last}"), "is missing", Some("is missing")),
        (
            "UPDATE entries SET body = replace(body, '\"name\":\"Ann\"', '\"name\":\"Eve\"') \
             WHERE seq = (SELECT MIN(seq) FROM entries WHERE body LIKE '%\"name\":\"Ann\"%')"
                .to_owned(),
            "the state that the program goes on from",
            None,
        ),
        ("UPDATE entries SET actor = 'player/eve' WHERE seq = 3".to_owned(), "its actor", None),
        ("UPDATE secrets SET body = x'2b' WHERE id = 'program/11'".to_owned(), "program/11 is not the one", None),
        ("DELETE FROM secrets WHERE id = 'program/12'".to_owned(), "program/12 is missing", None),
        ("UPDATE heads SET next_due = 5".to_owned(), "next thing that is due", None),
        ("UPDATE entries SET body = '{}' WHERE seq = 7".to_owned(), "entry 7 cannot be read", Some("Entry 7")),
    ] {
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", folder.database()));
        }
        let said = well(&folder, &["restore", backup.to_str().unwrap()]);
        assert!(said.contains("is a copy of"), "{said}");
        snapshot_now(&folder).await;
        tamper(&folder, &sql);
        for (verb, why) in [(&["verify", "@main"][..], verify), (&["backup", "copy.db"], "The database is damaged")] {
            let (code, said) = ill(&folder, verb);
            assert_eq!(code, 1, "{verb:?} {sql}: {said}");
            assert!(said.contains(why), "{verb:?} {sql}: {said}");
            assert!(!said.contains(SECRET));
        }
        assert!(!folder.path("copy.db").exists(), "it would be taken for good when it is needed");
        if let Some(dice) = dice {
            let (code, said) = ill(&folder, &["verify-dice", "main"]);
            assert_eq!(code, 1, "{sql}: {said}");
            assert!(said.contains(dice), "{sql}: {said}");
        }
    }
}

/// Keeps a snapshot of the room as it is, as a longer journal would have one.
async fn snapshot_now(folder: &Folder) {
    let house = House::open(&folder.database()).await;
    house.keep_snapshot("main").await;
    house.close().await;
}

#[tokio::test]
async fn copies_are_never_written_over_anything() {
    let folder = Folder::new();
    for verb in [&["verify"][..], &["backup", "copy.db"], &["export", "main"], &["verify-dice", "main"]] {
        let (code, said) = ill(&folder, verb);
        assert_eq!(code, 2, "{verb:?}: {said}");
        assert!(said.contains("There is no database"), "{verb:?}: {said}");
    }
    assert!(!folder.path("rulekeeper.db").exists());
    let mut house = House::with_contest(&folder.database()).await;
    let said = house.does(MODERATOR, "backup").await;
    assert!(said.contains("rulekeeper-20261102T080000Z.backup.db") && !said.contains('/'), "{said}");
    assert!(house.is_refused(MODERATOR, "backup").await.contains("this very second"));
    assert!(house.is_refused("Ann", "backup").await.contains("nly moderators"));
    house.close().await;
    let (code, said) = ill(&folder, &["restore", "rulekeeper-20261102T080000Z.backup.db"]);
    assert_eq!(code, 2);
    assert!(said.contains("exists already and was left as it is"), "{said}");
    std::fs::write(folder.path("mine.txt"), "mine").unwrap();
    for verb in [&["backup", "mine.txt"][..], &["export", "main", "mine.txt"]] {
        let (code, said) = ill(&folder, verb);
        assert_eq!(code, 2, "{verb:?}: {said}");
        assert_eq!(std::fs::read_to_string(folder.path("mine.txt")).unwrap(), "mine");
    }
    // A folder that is not there is no fault of the database.
    for verb in [&["backup", "nowhere/copy.db"][..], &["export", "main", "nowhere/main.archive"]] {
        let (code, said) = ill(&folder, verb);
        assert_eq!(code, 2);
        assert!(said.contains("There is no folder nowhere to write to."), "{said}");
    }
    let (code, said) = ill(&folder, &["export", "man"]);
    assert_eq!(code, 2);
    assert!(said.contains("Rooms: main."), "{said}");
    let mut house = House::open(":memory:").await;
    assert!(house.is_refused(MODERATOR, "backup").await.contains("memory"));
}

#[tokio::test]
async fn a_network_carries_no_archive_with_secrets() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.close().await;
    well(&folder, &["export", "main", "whole.jsonl", "--with-secrets"]);
    let whole = std::fs::read(folder.path("whole.jsonl")).unwrap();
    house = House::open(&folder.database()).await;
    let replies = house.send(MODERATOR, "import copy", &whole).await;
    assert!(shown(&replies).contains("rulekeeper import"), "{}", shown(&replies));
    assert_eq!(house.hub.rooms().len(), 1);
    let replies = house.send(MODERATOR, "import copy", b"nothing of the kind").await;
    assert!(shown(&replies).contains("no archive"), "{}", shown(&replies));
    assert!(house.is_refused("Ann", "export").await.contains("nly moderators"));
    house.close().await;
}

/// Seed 000, J56: a file for everybody tells no more than a page does.
#[tokio::test]
async fn a_public_history_keeps_back_what_not_everybody_may_know_yet() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    house.hub.hold_work(true);
    house.does("Ann", &format!("privately joust test {ALPHA} against joust3")).await;
    house.does("Ann", &format!("privately joust submit Alpha {ALPHA}")).await;
    house.close().await;

    let public = well(&folder, &["export", "main"]);
    for kept in ["\"table\":\"lengths\"", "\"draws\"", "against:joust3", "of your text"] {
        assert!(!public.contains(kept), "{kept} is in {public}");
    }
    assert!(public.contains("\"joust submit\"") && public.contains("\"joust test\""));
    well(&folder, &["export", "main", "whole.jsonl", "--with-secrets"]);
    let whole = std::fs::read_to_string(folder.path("whole.jsonl")).unwrap();
    for kept in ["\"table\":\"lengths\"", "\"draws\"", "against:joust3"] {
        assert!(whole.contains(kept), "{kept} is not in {whole}");
    }

    std::fs::write(folder.path("public.jsonl"), &public).unwrap();
    let file = folder.path("public.jsonl");
    assert!(well(&folder, &["import", file.to_str().unwrap(), "--name", "copy"]).contains("@copy (joust)"));
    assert!(well(&folder, &["verify"]).contains("Everything agrees."));

    // Once it is played, everybody may know.
    let mut house = House::open(&folder.database()).await;
    house.does("Ann", "privately joust hill @main").await;
    house.close().await;
    assert!(well(&folder, &["export", "main"]).contains("\"table\":\"lengths\""));
}

/// Whoever has the seat by then reads no more elsewhere than here.
#[tokio::test]
async fn what_was_sealed_stays_whose_it_was_in_another_database() {
    let (folder, other) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    house.does("Ann", &format!("privately joust submit Alpha {ALPHA} {SECRET}")).await;
    house.does(MODERATOR, "seat give Ann test/eve").await;
    house.close().await;
    let file = other.path("whole.jsonl");
    well(&folder, &["export", "main", file.to_str().unwrap(), "--with-secrets"]);
    well(&other, &["import", file.to_str().unwrap()]);

    let mut house = House::open(&other.database()).await;
    let alpha = house.does("Eve", "privately joust program Alpha").await;
    assert!(alpha.contains("ruling R1") && !alpha.contains(SECRET), "{alpha}");
    house.does("Ann", "entrust Ann").await;
    assert!(house.does("Eve", "privately joust program Alpha").await.contains(SECRET));
    house.close().await;
}
