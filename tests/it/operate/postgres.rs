//! The whole program on Postgres: what was done is there after a restart, and two processes share it.

use super::{said, works};
use crate::console::Home;

#[path = "../../../crates/store/src/tests/postgres_server.rs"]
pub(crate) mod server;

/// What a process says, line by line, and what it answers.
fn say(home: &Home, address: &str, lines: &str) -> String {
    use std::io::Write as _;
    let mut command = home.command(&["--database", address, "console"]);
    let mut console = command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    console.stdin.take().expect("it is piped").write_all(lines.as_bytes()).unwrap();
    let said = console.wait_with_output().unwrap();
    assert!(said.status.success(), "{}", said.status);
    String::from_utf8_lossy(&said.stdout).into_owned()
}

#[test]
fn a_room_goes_on_after_a_restart_and_is_verified() {
    if server::is_left_out() {
        return;
    }
    let (home, server) = (Home::new(), server::Server::start());
    let address = server::database(server.socket(), "rooms");
    say(&home, &address, "room open spacenomic main\n");
    let said = say(&home, &address, "history\n");
    assert!(said.contains("room open spacenomic main"), "{said}");
    let verified = home.run(&["--database", &address, "verify"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let checked = home.run(&["--database", &address, "check"]);
    let checked = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.contains("its schema is the one") && checked.contains("postgres://localhost"), "{checked}");
    // This server keeps nothing that counts.
    assert!(checked.contains(" warn: database postgres://localhost") && checked.contains("fsync is off"), "{checked}");
    let reads = address.replace("postgres@", "reader@");
    let sql = "CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader";
    assert!(server::does(server.socket(), "rooms", sql));
    let refused = home.run(&["--database", &reads, "check"]);
    let why = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(!refused.status.success() && why.contains("it can be read and not written"), "{why}");
    assert!(!home.path("rulekeeper.db").exists());
}

#[test]
fn everything_is_moved_to_a_server_and_back_and_play_goes_on() {
    if server::is_left_out() {
        return;
    }
    let (home, server) = (Home::new(), server::Server::start());
    let address = server::database(server.socket(), "moved");
    home.say("room open joust main\njoust start\nas Ann\njoin\n");
    let run = |arguments: &[&str]| said(&home.run(arguments));
    let head = |said: &str| {
        let line = said.lines().find(|line| line.contains("Hash of entry")).expect("the hash is told");
        line.trim().to_owned()
    };
    let (_, before) = run(&["verify"]);
    let (code, moved) = run(&["move", "--to", &address]);
    assert_eq!(code, Some(0), "{moved}");
    assert_eq!(head(&moved), head(&before));
    assert!(!moved.contains("socket") && moved.contains("postgres://localhost"), "{moved}");
    let (code, again) = run(&["move", "--to", &address]);
    assert_eq!(code, Some(2), "{again}");
    assert!(again.contains("holds something already"), "{again}");

    assert!(say(&home, &address, "show points\n").contains("Ann"));
    let (code, back) = run(&["--database", &address, "move", "--to", "back.db"]);
    assert_eq!(code, Some(0), "{back}");
    assert_eq!(head(&back), head(&before));
    let said = home.say_to(&["--database", "back.db", "console"], "history\n");
    assert!(said.iter().any(|line| line.contains("join")), "{said:?}");
    // Where nothing could be moved nothing is left behind.
    let (code, none) = run(&["--database", "nothing.db", "move", "--to", "new.db"]);
    assert_eq!(code, Some(2), "{none}");
    assert!(!home.path("new.db").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_on_one_server_play_each_joust_once() {
    if server::is_left_out() {
        return;
    }
    let server = server::Server::start();
    works::each_joust_is_played_once_in(&server::database(server.socket(), "jousts")).await;
}
