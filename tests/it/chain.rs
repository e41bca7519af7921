//! The chain of a journal: what was altered is named, what was published is found again, a file proves itself, and
//! forgetting breaks nothing. By the binary's verbs, on databases that the service has made.

use kernel::{
    Instant,
    chain::{self, Hash, NOTHING_BEFORE},
    entry::Change,
    frame::FrameFact,
};

use crate::{
    archive::{ill, story, tamper, well},
    house::{ALPHA, Folder, House, MODERATOR, rows, unguarded},
};

/// The hash that the room's page shows.
async fn shown_hash(house: &mut House) -> String {
    let page = house.does("Zed", "show @main room").await;
    let after = page.split("Hash of that entry").nth(1).unwrap_or_else(|| panic!("{page}"));
    let hash: String = after.chars().skip_while(|char| !char.is_ascii_hexdigit()).take(64).collect();
    assert!(chain::read_hash(&hash).is_some(), "{page}");
    hash
}

/// The hash of the last entry as `verify` tells it.
fn told_hash(said: &str) -> String {
    let line = said.lines().find(|line| line.contains("Hash of entry")).unwrap_or_else(|| panic!("{said}"));
    line.split(": ").nth(1).unwrap().trim_end_matches('.').to_owned()
}

/// A story whose files lie in a folder, and the backup of it.
async fn told(folder: &Folder) -> String {
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    house.close().await;
    well(folder, &["backup", "whole.db"]);
    well(folder, &["verify"])
}

fn again(folder: &Folder) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", folder.database()));
    }
    std::fs::copy(folder.path("whole.db"), folder.database()).unwrap();
}

#[tokio::test]
async fn the_first_altered_entry_is_named() {
    let folder = Folder::new();
    let said = told(&folder).await;
    assert!(said.contains("Everything agrees."), "{said}");
    for (sql, first) in [
        // What an independent trial did, and nothing noticed: another name, another number.
        ("UPDATE entries SET body = replace(body, 'Ann', 'Eve') WHERE seq = 3", 3),
        ("UPDATE entries SET body = replace(body, '\"recorded\"', ' \"recorded\"') WHERE seq = 5", 5),
        ("UPDATE entries SET origin = 'somebody/else' WHERE seq = 3", 3),
        ("UPDATE said SET text = text || '!' WHERE seq = 4", 4),
        ("UPDATE chain SET said = NULL WHERE seq = 4", 4),
        ("UPDATE chain SET salt = zeroblob(32) WHERE seq = 6", 6),
        ("UPDATE chain SET stored = zeroblob(32) WHERE seq = 6", 6),
        ("UPDATE chain SET hash = zeroblob(32) WHERE seq = 6", 6),
        ("DELETE FROM chain WHERE seq = 6", 6),
        (
            "INSERT INTO said (room, seq, person, text, salt) SELECT 1, seq, NULL, 'mine', zeroblob(32) FROM entries \
          WHERE seq NOT IN (SELECT seq FROM said) LIMIT 1",
            0,
        ),
    ] {
        again(&folder);
        let before = well(&folder, &["verify", "main"]);
        assert!(before.contains("Everything agrees."), "{before}");
        tamper(&folder, sql);
        let (code, said) = ill(&folder, &["verify", "main"]);
        assert_eq!(code, 1, "{sql}: {said}");
        let wrong = said.lines().find(|line| line.contains("was altered")).unwrap_or_else(|| panic!("{sql}: {said}"));
        assert!(first == 0 || wrong.contains(&format!("entry {first} was altered")), "{sql}: {said}");
    }
}

/// A result that was kept wrongly decides an entry, which agrees with everything: who plays it again finds that.
#[tokio::test]
async fn an_entry_that_a_wrong_result_decided_is_found_by_playing_again() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    house.close().await;
    let said = well(&folder, &["verify", "--replay"]);
    assert!(said.contains("every entry comes out as it is recorded") && said.contains("Everything agrees."), "{said}");
    // Each pair has the result of another, as a row that is whole.
    let sql = "WITH shown AS (SELECT key, outcomes, row_number() OVER (ORDER BY key) AS place FROM pair_results) \
               UPDATE pair_results SET outcomes = (SELECT other.outcomes FROM shown JOIN shown other \
               ON other.place = shown.place % (SELECT COUNT(*) FROM shown) + 1 WHERE shown.key = pair_results.key)";
    assert!(unguarded(folder.database()).execute(sql, []).unwrap() > 9);
    let mut house = House::open_at(&folder.database(), "2026-11-17T12:00:00Z").await;
    house.does("Bob", &format!("privately joust submit Delta >>{ALPHA}")).await;
    house.to("2026-12-01T12:00:00Z").await;
    house.close().await;
    assert!(well(&folder, &["verify"]).contains("Everything agrees."));
    let (code, said) = ill(&folder, &["verify", "main", "--replay"]);
    assert!(code == 1 && said.contains("its work comes to another result"), "{said}");
    let (code, said) = ill(&folder, &["verify", "chain.rs", "--replay", "--against", "ab"]);
    assert!(code == 2, "{said}");
}

/// Whoever alters entries and makes all hashes anew is found by one that was published.
#[tokio::test]
async fn a_published_hash_shows_a_journal_that_was_made_anew() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    let early = shown_hash(&mut house).await;
    house.does("Ann", "join").await;
    let published = shown_hash(&mut house).await;
    let seq = house.journal("main").await.len();
    house.does("Bob", "join").await;
    house.close().await;
    for (hash, entry) in [(&published, seq), (&early, seq - 1)] {
        let said = well(&folder, &["verify", "main", "--against", hash]);
        assert!(said.contains(&format!("That hash is the one of entry {entry}:")), "{said}");
    }
    let (code, said) = ill(&folder, &["verify", "--against", &"ab".repeat(32)]);
    assert!(code == 1 && said.contains("No entry has that hash."), "{said}");
    let (code, said) = ill(&folder, &["verify", "--against", "abc"]);
    assert!(code == 2 && said.contains("is no hash"), "{said}");

    let conn = unguarded(folder.database());
    // A name in an announcement, which contradicts nothing that was decided.
    let sql =
        "SELECT e.seq, e.origin, e.body, c.salt, c.said FROM entries e JOIN chain c USING (room, seq) ORDER BY e.seq";
    type Kept = (i64, Option<String>, String, Hash, Option<Hash>);
    let kept: Vec<Kept> = rows(&conn, sql, [], |row| row.try_into()).unwrap();
    let mut before = NOTHING_BEFORE;
    for (entry, origin, mut body, salt, said) in kept {
        if entry == seq as i64 {
            let altered = body.replace("Ann joined", "Eve joined").replace("\"says\":", " \"says\":");
            assert_ne!(altered, body);
            body = altered;
        }
        let stored = chain::stored(&salt, origin.as_deref(), &body);
        let leaves = chain::leaves(&chain::key(&salt), &chain::read(&body));
        before = chain::link(&before, &stored, said.as_ref(), &leaves);
        conn.execute("UPDATE entries SET body = ?2 WHERE seq = ?1", (entry, &body)).unwrap();
        conn.execute("UPDATE chain SET stored = ?2, hash = ?3 WHERE seq = ?1", (entry, stored, before)).unwrap();
    }
    drop(conn);
    // Whoever can write to the database can write beside it.
    std::fs::remove_file(folder.path("rulekeeper.db-last")).unwrap();
    assert!(well(&folder, &["verify"]).contains("Everything agrees."), "nothing in the database contradicts it");
    let (code, said) = ill(&folder, &["verify", "--against", &published]);
    assert!(code == 1 && said.contains("No entry has that hash."), "{said}");
    let said = well(&folder, &["verify", "--against", &early]);
    assert!(said.contains(&format!("That hash is the one of entry {}:", seq - 1)), "{said}");
}

#[tokio::test]
async fn a_file_for_everybody_proves_itself() {
    let (folder, other) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    let published = shown_hash(&mut house).await;
    let seq = house.journal("main").await.len();
    house.hub.hold_work(true);
    house.does("Ann", &format!("privately joust submit Alpha {ALPHA}")).await;
    house.close().await;
    let head = told_hash(&well(&folder, &["verify"]));

    // While a game keeps something back, and afterwards.
    well(&folder, &["export", "main", "early.jsonl"]);
    let early = well(&folder, &["verify", "early.jsonl", "--against", &published]);
    assert_eq!(told_hash(&early), head);
    // Rows that are kept back are just absent: nothing stands in their place that would need proof.
    assert!(early.contains("the file keeps back") && !early.contains("holds all"), "{early}");
    assert!(early.contains("each as its hash has it") && !early.contains("without proof"), "{early}");
    assert!(early.contains(&format!("That hash is the one of entry {seq}:")), "{early}");
    let mut house = House::open(&folder.database()).await;
    house.does("Ann", "privately joust hill @main").await;
    house.close().await;
    let said = well(&folder, &["export", "main", "late.jsonl"]);
    let late = well(&folder, &["verify", "late.jsonl", "--against", &head]);
    assert!(said.contains(&told_hash(&late)), "{said}\n{late}");
    assert!(!late.contains("without proof") && late.contains("each as its hash has it"), "{late}");
    assert!(late.contains("Nothing in it proves the room's name, or which persons"), "{late}");
    let (code, said) = ill(&folder, &["verify", "late.jsonl", "--against", &"00".repeat(32)]);
    assert!(code == 1 && said.contains("No entry has that hash."), "{said}");

    // Nothing in it can be altered, not even by somebody who knows how its lines are sealed.
    let text = std::fs::read_to_string(folder.path("late.jsonl")).unwrap();
    let said_of = |line: &str, name: &str| line.find(&format!("\"{name}\":\"")).map(|at| at + name.len() + 4);
    let altered = |line: usize, from: &str, to: &str| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(lines[line].contains(from), "{from} in {}", lines[line]);
        let mut lines = lines;
        lines[line] = lines[line].replacen(from, to, 1);
        sealed(&lines)
    };
    let with = |what: &str| text.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}"));
    let words = with("\"said\":{");
    let digit = said_of(text.lines().nth(words).unwrap(), "hash").unwrap();
    let digit = &text.lines().nth(words).unwrap()[digit..digit + 8];
    let seated = with("\"name\":\"Ann\"");
    let says = with("\"says\":[");
    for (name, forged) in [
        ("a name", altered(seated, "\"name\":\"Ann\"", "\"name\":\"Eve\"")),
        ("an announcement", altered(says, "\"para\":\"", "\"para\":\"Not ")),
        ("words", altered(words, "\"text\":\"", "\"text\":\"not ")),
        ("a hash", altered(words, digit, "00000000")),
    ] {
        std::fs::write(other.path("forged.jsonl"), forged).unwrap();
        for verb in [&["verify", "forged.jsonl"][..], &["import", "forged.jsonl"]] {
            let (code, said) = ill(&other, verb);
            assert_eq!(code, 2, "{name}: {said}");
            assert!(said.contains("was altered"), "{name}: {verb:?}: {said}");
        }
    }
}

/// An entry of a public archive with the hashes of its parts in the place of the key, and all of them kept back.
fn all_kept(line: &str) -> serde_json::Value {
    let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
    let key = chain::read_hash(line["entry"]["proof"]["key"].as_str().unwrap()).unwrap();
    let leaves = chain::leaves(&key, &line["entry"]["body"]);
    let proof = line["entry"]["proof"].as_object_mut().unwrap();
    proof.remove("key");
    let parts: Vec<_> = leaves.iter().map(|leaf| serde_json::json!({ "hash": hex::encode(leaf) })).collect();
    proof.insert("parts".to_owned(), parts.into());
    line
}

/// The same, with the parts at some places shown.
fn shown_at(line: &str, places: &[(usize, &str)]) -> serde_json::Value {
    let read: serde_json::Value = serde_json::from_str(line).unwrap();
    let key = chain::read_hash(read["entry"]["proof"]["key"].as_str().unwrap()).unwrap();
    let mut kept = all_kept(line);
    for (index, at) in places {
        let salt = hex::encode(chain::part_salt(&key, *index));
        kept["entry"]["proof"]["parts"][index] = serde_json::json!({ "at": at, "salt": salt });
    }
    kept
}

/// Whoever has a public file has the hashes of all parts that it tells, and can claim that they are kept back.
#[tokio::test]
async fn what_a_file_tells_without_proof_is_nothing_but_what_a_game_keeps_back() {
    let (folder, other) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&folder.database()).await;
    story(&mut house).await;
    let published = shown_hash(&mut house).await;
    house.close().await;
    well(&folder, &["export", "main", "main.jsonl"]);
    let text = std::fs::read_to_string(folder.path("main.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let with = |what: &str| {
        let found = lines.iter().position(|line| line.contains(what) && line.contains("\"key\":"));
        found.unwrap_or_else(|| panic!("{what}: {text}"))
    };
    let forged = |at: usize, line: &serde_json::Value| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines[at] = line.to_string();
        std::fs::write(other.path("forged.jsonl"), sealed(&lines)).unwrap();
    };
    let (seated, says) = (with("\"name\":\"Ann\""), with("\"says\":["));
    let row = with("{\"row\":{");
    let mut forgeries = Vec::new();
    let mut forge = |name: &'static str, at: usize, places: &[(usize, &str)], (from, to): (&str, &str)| {
        let line = shown_at(lines[at], places).to_string();
        assert!(line.contains(from), "{name}: {line}");
        forgeries.push((name, at, serde_json::from_str(&line.replacen(from, to, 1)).unwrap()));
    };
    forge("a head", seated, &[], ("\"seq\"", "\"seq\""));
    forge("a change of the frame", seated, &[(0, "head")], ("\"name\":\"Ann\"", "\"name\":\"Eve\""));
    forge("an announcement", says, &[(0, "head")], ("\"para\":\"", "\"para\":\"Not "));
    let read: serde_json::Value = serde_json::from_str(lines[row]).unwrap();
    let parts = chain::parts(&read["entry"]["body"]);
    let others = parts.iter().enumerate().filter(|(_, part)| !part.text.starts_with("{\"row\":"));
    let others: Vec<_> = others.map(|(index, part)| (index, &*part.at)).collect();
    assert!(others.len() < parts.len(), "{}", lines[row]);
    forge("a row as it is", row, &others, ("\"row\"", "\"row\""));
    // A placeholder has nothing beside it. There is one: that a channel became private.
    let fact = FrameFact::Designated { forum: "test/#den".into(), designation: None, at: Instant::UNIX_EPOCH };
    let placeholder = serde_json::to_value(Change::Frame(fact)).unwrap();
    let mut more = shown_at(lines[row], &[(0, "head")]);
    more["entry"]["body"]["changes"] = serde_json::json!([placeholder]);
    more["entry"]["body"]["changes"][0]["frame"]["designated"]["why"] = "Eve won".into();
    more["entry"]["body"].as_object_mut().unwrap().remove("says");
    forgeries.push(("more than a placeholder", row, more));
    for (name, at, line) in &forgeries {
        forged(*at, line);
        let (code, said) = ill(&other, &["verify", "forged.jsonl", "--against", &published]);
        assert!(code == 2 && said.contains("was altered") && said.contains("without proof"), "{name}: {said}");
        let (code, said) = ill(&other, &["import", "forged.jsonl"]);
        assert_eq!(code, 2, "{name}: {said}");
    }
    // What a game might keep back is told as such, and proves nothing.
    let mut kept = shown_at(lines[row], &[(0, "head")]);
    kept["entry"]["body"]["changes"] = serde_json::json!([placeholder]);
    for list in ["says", "draws"] {
        kept["entry"]["body"].as_object_mut().unwrap().remove(list);
    }
    forged(row, &kept);
    let said = well(&other, &["verify", "forged.jsonl", "--against", &published]);
    let seq = &kept["entry"]["body"]["seq"];
    let counted = format!(
        "1 part is told without proof, in the place of what a game keeps back. What stands there, and that it \
         belongs there, are not proved. Entries: {seq}."
    );
    assert!(said.contains(&counted) && said.contains("the file keeps back"), "{said}");
    assert!(!said.contains("each as its hash has it") && !said.contains("holds all"), "{said}");
    // Words can be taken out, which shows.
    let words = lines.iter().position(|line| line.contains("\"said\":{")).unwrap();
    let mut line: serde_json::Value = serde_json::from_str(lines[words]).unwrap();
    line["entry"].as_object_mut().unwrap().remove("said");
    forged(words, &line);
    let count = |said: &str| -> u64 {
        let line = said.lines().find(|line| line.starts_with("The words of "));
        line.map_or(0, |line| line.split(' ').nth(3).unwrap().parse().unwrap())
    };
    let whole = well(&folder, &["verify", "main.jsonl", "--against", &published]);
    let without = well(&other, &["verify", "forged.jsonl", "--against", &published]);
    assert_eq!(count(&without), count(&whole) + 1, "{whole}\n{without}");
    assert!(!without.contains("holds all"), "{without}");
}

/// What is gone is counted, and what no longer agrees is not vouched for.
#[tokio::test]
async fn a_check_vouches_for_no_more_than_agrees() {
    let folder = Folder::new();
    told(&folder).await;
    let published = told_hash(&well(&folder, &["verify", "main"]));
    let said = well(&folder, &["verify", "main", "--against", &published]);
    assert!(said.contains("still holds all that stood there then") && !said.contains("words of"), "{said}");
    tamper(&folder, "DELETE FROM said WHERE seq = 4");
    let said = well(&folder, &["verify", "main", "--against", &published]);
    assert!(said.contains("The words of 1 entry are gone") && said.contains("then, but for those words."), "{said}");
    for (sql, agrees) in [
        (
            "UPDATE entries SET body = replace(body, 'Ann', 'Eve') WHERE seq = 3",
            "Hash of entry 2, the last that agrees: ",
        ),
        ("UPDATE entries SET body = '{}' WHERE seq = 1", "No entry agrees with its hash."),
    ] {
        again(&folder);
        tamper(&folder, sql);
        let (code, said) = ill(&folder, &["verify", "main", "--against", &published]);
        assert!(code == 1 && said.contains(agrees), "{sql}: {said}");
        assert!(!said.contains("Hash of entry 0") && !said.contains("That hash is the one"), "{sql}: {said}");
    }
}

/// Lines of an archive with the digest at their end made anew.
fn sealed(lines: &[String]) -> String {
    use sha2::Digest as _;
    let lines = lines[..lines.len() - 1].iter().map(|line| format!("{line}\n")).collect::<String>();
    let entries = lines.matches("{\"entry\":{").count();
    let digest = hex::encode(sha2::Sha256::digest(&lines));
    format!("{lines}{{\"end\":{{\"entries\":{entries},\"sha256\":\"{digest}\"}}}}\n")
}

#[tokio::test]
async fn forgetting_breaks_no_hash() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    let published = shown_hash(&mut house).await;
    house.does("Ann", "privately forget me yes").await;
    assert!(
        !house.journal("main").await.iter().any(|entry| entry.said.as_ref().is_some_and(|said| said.text == "join"))
    );
    house.close().await;
    let said = well(&folder, &["verify", "--against", &published]);
    assert!(said.contains("Everything agrees.") && said.contains("That hash is the one"), "{said}");
    well(&folder, &["export", "main", "main.jsonl"]);
    well(&folder, &["verify", "main.jsonl", "--against", &published]);
    // The salt of the words went with them, so that nobody can find out by trying.
    let sql = "SELECT c.seq FROM chain c LEFT JOIN said s USING (room, seq) WHERE c.said NOT NULL AND s.salt IS NULL";
    assert!(unguarded(folder.database()).prepare(sql).unwrap().exists([]).unwrap());
}

#[tokio::test]
async fn a_room_takes_its_hashes_to_another_database() {
    let (old, new) = (Folder::new(), Folder::new());
    let mut house = House::with_contest(&old.database()).await;
    story(&mut house).await;
    let published = shown_hash(&mut house).await;
    let seq = house.journal("main").await.len();
    house.does("Ann", "privately forget me yes").await;
    house.close().await;
    well(&old, &["export", "main", "main.jsonl", "--with-secrets"]);
    let file = old.path("main.jsonl");
    let file = file.to_str().unwrap();
    for name in ["main", "other"] {
        well(&new, &["import", file, "--name", name]);
        let said = well(&new, &["verify", name, "--against", &published]);
        assert!(said.contains(&format!("That hash is the one of entry {seq}:")), "{said}");
        assert!(said.contains("were moved from another database"), "{said}");
    }
    let mut house = House::open_at(&new.database(), "2026-11-18T12:00:00Z").await;
    house.does("Bob", "leave @main").await;
    house.close().await;
    well(&new, &["verify", "main", "--against", &published]);
    tamper(&new, "UPDATE entries SET body = replace(body, '\"Bob\"', '\"Eve\"') WHERE room = 1 AND seq = 4");
    let (_, said) = ill(&new, &["verify", "main"]);
    assert!(said.contains("entry 4 was altered"), "{said}");
}

#[tokio::test]
async fn a_changed_journal_announces_its_hash_every_week() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    house.does("Ann", "join").await;
    let (hub, room) = (house.hub.clone(), house.room("main"));
    let announced = |entries: &[store::Entry]| entries.iter().filter(|entry| entry.cause == "journal/hash").count();
    house.to("2026-11-09T07:59:00Z").await;
    hub.attest(&room).await.unwrap();
    assert_eq!(announced(&house.journal("main").await), 0, "a week has not gone by");
    house.to("2026-11-09T08:00:00Z").await;
    let published = shown_hash(&mut house).await;
    let seq = room.view().seq();
    // The scheduler finds it out by itself.
    let scheduler = tokio::spawn({
        let hub = hub.clone();
        async move { hub.schedule().await }
    });
    let done = async {
        while room.view().frame().attested.is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), done).await.expect("the hash is announced");
    scheduler.abort();
    let entries = house.journal("main").await;
    let entry = entries.last().unwrap();
    assert_eq!((entry.seq, announced(&entries)), (seq + 1, 1));
    let text = format!("the hash of entry {seq} is {published}");
    assert!(entry.json.contains(&text), "{}", entry.json);
    let history = house.does("Zed", &format!("history @main {}", entry.seq)).await;
    assert!(history.contains(&text), "{history}");

    // Not again before a week, and not where nothing has happened since.
    house.does("Bob", "join").await;
    hub.attest(&room).await.unwrap();
    house.to("2026-11-16T07:00:00Z").await;
    hub.attest(&room).await.unwrap();
    assert_eq!(announced(&house.journal("main").await), 1);
    house.to("2026-11-16T09:00:00Z").await;
    hub.attest(&room).await.unwrap();
    hub.attest(&room).await.unwrap();
    assert_eq!(announced(&house.journal("main").await), 2);
    house.does(MODERATOR, "room close because of the test").await;
    house.to("2026-12-16T09:00:00Z").await;
    hub.attest(&room).await.unwrap();
    assert_eq!(announced(&house.journal("main").await), 2, "a closed room says nothing");
    house.close().await;
    assert!(well(&folder, &["verify", "main", "--against", &published]).contains("Everything agrees."));
}

/// The guide's own example, computed from what stands there.
#[test]
fn the_guide_shows_how_to_check_a_hash_by_hand() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operating/checking.md")).unwrap();
    let section = guide.split("## Checking a journal").nth(1).expect("a section about it");
    let section = section.split("\n## ").next().unwrap();
    let line =
        section.lines().map(str::trim).find(|line| line.starts_with("{\"entry\":{")).expect("a line of an archive");
    let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let entry = &entry["entry"];
    let of = |name: &str| {
        chain::read_hash(entry["proof"][name].as_str().unwrap_or_default()).unwrap_or_else(|| panic!("{name}"))
    };
    let said = chain::said(&of("said_salt"), entry["said"]["text"].as_str().unwrap());
    assert_eq!(said, of("said"));
    let parts = chain::parts(&entry["body"]);
    let leaves = chain::leaves(&of("key"), &entry["body"]);
    assert_eq!(chain::link(&NOTHING_BEFORE, &of("stored"), Some(&said), &leaves), of("hash"));
    // What the commands hash, and what they print.
    for (index, (part, leaf)) in parts.iter().zip(&leaves).enumerate() {
        let salt = hex::encode(chain::part_salt(&of("key"), index));
        let text = format!("{salt} {} {}", part.kind, part.text);
        assert!(section.contains(&text), "{text}");
        assert!(section.contains(&hex::encode(leaf)), "{}", hex::encode(leaf));
    }
    assert!(section.contains(&hex::encode(said)));
}

/// Every place of the six at which an independent trial damaged a backup, and some more.
#[tokio::test]
async fn a_damaged_backup_is_not_restored() {
    let folder = Folder::new();
    let said = told(&folder).await;
    assert!(said.contains("Everything agrees."));
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", folder.database()));
    }
    for sql in [
        "UPDATE entries SET body = replace(body, 'Ann', 'Eve') WHERE seq = 3",
        "UPDATE said SET text = 'leave' WHERE seq = 3",
        "UPDATE secrets SET body = x'2b' WHERE id = 'program/11'",
        "UPDATE heads SET next_due = 5",
        "DELETE FROM entries WHERE seq = 5",
        "UPDATE entries SET clock = 7 WHERE seq = 5",
    ] {
        std::fs::copy(folder.path("whole.db"), folder.path("damaged.db")).unwrap();
        unguarded(folder.path("damaged.db")).execute_batch(sql).unwrap();
        let (code, said) = ill(&folder, &["restore", "damaged.db"]);
        assert_eq!(code, 1, "{sql}: {said}");
        assert!(!folder.path("rulekeeper.db").exists(), "{sql}: {said}");
    }
    assert!(well(&folder, &["restore", "whole.db"]).contains("is a copy of"));
    assert!(well(&folder, &["verify"]).contains("Everything agrees."));
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path(".")).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.retain(|name| !name.to_str().unwrap().starts_with("rulekeeper.db"));
    names.sort();
    assert_eq!(names, ["damaged.db", "whole.db"], "nothing is left lying about");
}

/// What `verify` reads is one moment, however much is committed beside it.
#[tokio::test]
async fn a_check_beside_the_bot_sees_one_moment() {
    let folder = Folder::new();
    let mut house = House::with_contest(&folder.database()).await;
    let still = house.hub.store().still().await.unwrap();
    let (room, last) = (house.room("main"), house.room("main").view().seq());
    assert_eq!(still.last_seq(room.id).await.unwrap(), last);
    house.does("Ann", "join").await;
    assert_eq!(still.last_seq(room.id).await.unwrap(), last);
    assert_eq!(still.complaints().await.unwrap(), Vec::<String>::new());
    let row = still.room(room.id).await.unwrap().unwrap();
    let done = rulekeeper::service::archive::verify(&still, &row).await.unwrap();
    assert_eq!((done.entries, done.found), (last, Vec::new()));
    still.close().await.unwrap();
    assert_eq!(house.hub.store().last_seq(room.id).await.unwrap(), last + 1);
    assert!(well(&folder, &["verify"]).contains("Everything agrees."), "and so does the verb");
    house.close().await;
}
