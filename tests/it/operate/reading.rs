//! Proofs and archives by somebody who may read the database and not write it: nothing is written then, and what cannot be
//! read is told.

use std::{
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::Path,
    process::{Command, Output},
};

use rustix::process::geteuid;

use crate::{
    console::Home,
    operate::{contents, names, said},
};

/// The number of the user who owns nothing.
const NOBODY: u32 = 65534;

fn allow(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the file is ours");
}

/// Runs a verb as somebody for whom permissions count: they do not for the superuser, as whom tests may run.
fn run_as_nobody(home: &Home, arguments: &[&str]) -> Output {
    let shared = tempfile::tempdir().expect("a folder for the program");
    allow(shared.path(), 0o755);
    let program = shared.path().join("rulekeeper");
    let built = env!("CARGO_BIN_EXE_rulekeeper");
    // Wherever it was built, nobody may have to go through a folder that is closed to em.
    if std::fs::hard_link(built, &program).is_err() {
        std::fs::copy(built, &program).expect("a copy of the program");
    }
    let mut command = Command::new(program);
    command.args(arguments).current_dir(home.path("")).env_clear().env("RULEKEEPER_WEB", "off");
    if geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().expect("the program runs")
}

/// A room, and a folder that everybody may read.
fn room() -> Home {
    let home = Home::new();
    home.say("room open joust main\njoust start\nhill\n");
    allow(&home.path("rulekeeper.db"), 0o444);
    allow(&home.path(""), 0o555);
    home
}

#[test]
fn a_database_is_proved_and_exported_without_the_right_to_write() {
    let home = room();
    let before = contents(&home);
    for (verb, told) in [
        (&["verify"][..], "Everything agrees."),
        (&["export", "main"], "\"room\""),
        (&["verify-dice", "main"], "Every draw"),
    ] {
        let (code, text) = said(&run_as_nobody(&home, verb));
        assert_eq!(code, Some(0), "{verb:?}: {text}");
        assert!(text.contains(told), "{verb:?}: {text}");
        assert_eq!(contents(&home), before, "{verb:?} writes nothing");
    }
    // The test has teeth: nobody plays on it.
    let (code, text) = said(&run_as_nobody(&home, &["console"]));
    assert!(code == Some(1) && text.contains("rulekeeper.db"), "{text}");
    allow(&home.path(""), 0o755);
}

#[test]
fn what_was_committed_last_is_read_too_or_it_is_said_that_it_cannot_be() {
    let home = room();
    allow(&home.path(""), 0o755);
    allow(&home.path("rulekeeper.db"), 0o644);
    // Given a program that was killed: its last words are in the log beside the database.
    let mut killed = home.command(&["console"]).stdin(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut input = killed.stdin.take().expect("its input is piped");
    std::io::Write::write_all(&mut input, b"joust adjudicate so be it\n").expect("it reads");
    while !contents(&home).iter().any(|(name, bytes)| {
        let said = b"so be it";
        name.ends_with("-wal") && bytes.windows(said.len()).any(|part| part == said)
    }) {
        std::thread::yield_now();
    }
    // While it lives,
    let entries =
        |text: &str| text.split("(joust): ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    let (code, living) = said(&run_as_nobody(&home, &["verify"]));
    assert!(code == Some(0) && entries(&living).is_some(), "{living}");
    killed.kill().expect("it lives");
    killed.wait().expect("it dies");
    drop(input);
    // and when it is dead,
    let before = names(&home);
    assert!(before.iter().any(|name| name.ends_with("-wal")), "{before:?}");
    let (code, dead) = said(&run_as_nobody(&home, &["verify"]));
    assert_eq!((code, entries(&dead)), (Some(0), entries(&living)), "{dead}");
    assert_eq!(names(&home), before);
    // but not where the log is closed to em.
    allow(&home.path("rulekeeper.db-wal"), 0o000);
    let (code, text) = said(&run_as_nobody(&home, &["verify"]));
    assert!(geteuid().is_root() || code == Some(1), "{text}");
    assert!(text.contains("rulekeeper.db-wal") && text.contains("cannot be read"), "{text}");
    allow(&home.path("rulekeeper.db-wal"), 0o600);
    assert!(said(&home.run(&["verify"])).1.contains("Everything agrees."));
}
