//! What a process leaves that failed or was killed while it made a file: nothing for long.

use std::process::{Command, Stdio};

use crate::{
    console::Home,
    operate::{names, said},
};

/// How large files may become for a process that is to fail, in blocks of 512 or 1024 bytes. It is enough for what
/// SQLite needs to open a database, too little for a whole one.
const SMALL_BLOCKS: u32 = 100;

/// The program, in a shell where no file becomes larger than that. The system kills who tries, or, where it `minds`, lets
/// the write fail.
fn cramped(home: &Home, minds: bool, arguments: &[&str]) -> Command {
    let plain = home.command(arguments);
    let trap = if minds { "trap '' XFSZ; " } else { "" };
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{trap}ulimit -f {SMALL_BLOCKS}; exec \"$@\"")).arg("sh");
    command.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.current_dir(home.path("")).stdin(Stdio::null());
    command
}

/// Whether a name is that of something unfinished.
fn unfinished(home: &Home) -> Vec<String> {
    names(home).into_iter().filter(|name| name.contains(".new-") || name.contains(".partial")).collect()
}

#[test]
fn a_backup_that_fails_leaves_nothing_and_what_one_that_was_killed_left_is_removed() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let (code, text) = said(&cramped(&home, true, &["backup", "copy.db"]).output().unwrap());
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(unfinished(&home), Vec::<String>::new(), "{text}");

    let killed = cramped(&home, false, &["backup", "copy.db"]).output().unwrap();
    assert_eq!(killed.status.code(), None, "{}", said(&killed).1);
    assert!(unfinished(&home).contains(&"copy.db.partial".to_owned()), "{:?}", names(&home));
    // One that somebody is making stays.
    std::fs::write(home.path("other.db.partial"), "").unwrap();
    std::fs::write(home.path("other.db.partial-lock"), "").unwrap();
    let held = std::fs::File::open(home.path("other.db.partial-lock")).unwrap();
    held.lock().unwrap();
    // As does a file of somebody else's.
    std::fs::write(home.path("film.partial"), "").unwrap();
    home.say("help\n");
    assert_eq!(unfinished(&home), ["film.partial", "other.db.partial", "other.db.partial-lock"]);
    drop(held);
    let (code, text) = said(&home.run(&["backup", "copy.db"]));
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(unfinished(&home), ["film.partial"]);
}

#[test]
fn a_first_start_that_was_killed_leaves_nothing_once_the_next_one_is_there() {
    let home = Home::new();
    let killed = cramped(&home, false, &["console"]).output().unwrap();
    assert_eq!(killed.status.code(), None, "{}", said(&killed).1);
    let left = unfinished(&home);
    assert!(left.iter().any(|name| name.starts_with("rulekeeper.db.new-")), "{left:?}");
    assert!(!home.path("rulekeeper.db").exists());
    home.say("room open joust main\n");
    assert_eq!(unfinished(&home), Vec::<String>::new());
    let (code, text) = said(&home.run(&["verify"]));
    assert!(code == Some(0) && text.contains("@main"), "{text}");
}
