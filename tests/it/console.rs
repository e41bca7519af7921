//! The program as people run it: the real binary, through a pipe, with a database in a folder of its own.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::house::beside;

/// A program of a newcomer's: short enough to be typed, strong enough for the Hill.
const ALPHA: &str = ">+++>--->>+[>[+++[-]]+]";

/// How long a line may be waited for: far longer than any takes, since the machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// How long the program may take to stop once it was told to: it takes no second, where the machine is not busy.
const STOP_MAX: Duration = Duration::from_secs(60);

/// A folder with a database in it, or none yet.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for the test") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The binary, in this folder, untouched by what the environment of the test says.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rulekeeper"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        let variables = ["DATABASE_URL", "RULEKEEPER_DATABASE", "RULEKEEPER_CONFIG", "RULEKEEPER_LOG"];
        for name in
            variables.into_iter().chain(["RULEKEEPER_ARENA_THREADS", "RULEKEEPER_CLOCK_JUMP_DAYS", "PUBLIC_URL"])
        {
            command.env_remove(name);
        }
        command.env("RULEKEEPER_LOG_FORMAT", "json").env("RULEKEEPER_WEB", "off");
        command
    }

    /// Runs a verb to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Says lines to a console and reads all that it answers.
    pub(crate) fn say(&self, lines: &str) -> Vec<String> {
        self.say_to(&["console"], lines)
    }

    /// Says lines to a verb that reads them, and reads all that it answers.
    pub(crate) fn say_to(&self, arguments: &[&str], lines: &str) -> Vec<String> {
        let mut console = self.open(arguments);
        console.write(lines);
        let (status, heard) = console.end();
        // With 1 it ends where it has refused a line.
        assert!(matches!(status.code(), Some(0 | 1)), "{status}: {heard:?}");
        heard
    }

    /// Starts the program with a pipe to talk through. Its log goes to `log` in this folder.
    fn open(&self, arguments: &[&str]) -> Running {
        let log = File::options().create(true).append(true).open(self.path("log")).expect("a file for the log");
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the program starts");
        Running::reading(child.stdout.take().expect("its output is piped"), child)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).expect("the log")
    }
}

/// The program while it runs. Dropped, it is killed.
pub(crate) struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    heard: Vec<String>,
}

impl Running {
    pub(crate) fn reading(from: impl Read + Send + 'static, mut child: Child) -> Self {
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                // The test that listened is over.
                let _ = sender.send(line);
            }
        });
        Self { input: child.stdin.take(), child, lines, heard: Vec::new() }
    }

    fn write(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(lines.as_bytes()).expect("the program reads");
    }

    /// Waits for a line that holds a text.
    pub(crate) fn hear(&mut self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("nothing says {text:?}; heard: {:#?}", self.heard));
            self.heard.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Ends the input, and waits for the program to end by itself.
    fn end(mut self) -> (ExitStatus, Vec<String>) {
        drop(self.input.take());
        self.rest()
    }

    /// Lets the program stand still, or go on.
    pub(crate) fn stand(&self, still: bool) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).expect("a process id")).expect("not 0");
        kill_process(pid, if still { Signal::STOP } else { Signal::CONT }).expect("the program is there");
    }

    /// Sends a signal, and waits for the program to end in time.
    pub(crate) fn signal(mut self, signal: Signal) -> (ExitStatus, Vec<String>) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).expect("a process id")).expect("not 0");
        kill_process(pid, signal).expect("the program runs");
        // Its output ends with it.
        let (sender, ended) = mpsc::channel();
        let lines = std::mem::replace(&mut self.lines, mpsc::channel().1);
        std::thread::spawn(move || sender.send(lines.iter().collect::<Vec<_>>()));
        let rest = ended.recv_timeout(STOP_MAX).expect("it stops in time");
        self.heard.extend(rest);
        (self.child.wait().expect("it ended"), std::mem::take(&mut self.heard))
    }

    fn rest(&mut self) -> (ExitStatus, Vec<String>) {
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.heard.push(line);
        }
        (self.child.wait().expect("it ended"), std::mem::take(&mut self.heard))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines that follow one that begins so, up to the next that somebody typed.
fn after<'l>(heard: &'l [String], typed: &str) -> Vec<&'l str> {
    let at = heard.iter().position(|line| line.starts_with(typed)).unwrap_or_else(|| panic!("{typed}: {heard:#?}"));
    heard[at + 1..].iter().map(String::as_str).take_while(|line| !line.contains("> ")).collect()
}

#[test]
fn a_newcomer_has_a_hill_and_sees_a_challenge() {
    let home = Home::new();
    let heard =
        home.say(&format!("room open joust main\njoust start\nhill\nas Ann\njoust submit Alpha {ALPHA}\nhill\n"));
    insta::assert_snapshot!(heard[..3].join("\n"), @r"
    Nothing is played here yet. Open a room for a joust, with you as its contestmaster:  room open joust main
    Put ten programs on its Hill:  joust start    and look at it:  hill    (help lists everything, quit leaves)
    Challenge it as somebody else:  as Ann    and then:  joust submit Alpha >+++>--->>+[>[+++[-]]+]
    ");
    assert!(after(&heard, "operator> joust start").iter().any(|line| line.contains("joust9")), "{heard:#?}");
    let hill = after(&heard, "operator> hill");
    assert_eq!(hill.iter().filter(|line| line.contains(" joust")).count(), 10, "{hill:#?}");
    let challenge = after(&heard, "Ann> joust submit");
    assert!(challenge.iter().any(|line| line.starts_with("* Challenge 1: Alpha by Ann")), "{challenge:#?}");
    let hill = after(&heard[heard.len() - 14..], "Ann> hill");
    assert!(hill.iter().any(|line| line.contains("Alpha") && line.contains("Ann")), "{hill:#?}");

    // It is all there when the program is started again.
    let heard = home.say("hill\n");
    assert_eq!(heard[0], "Rooms: @main. Type help for all that can be typed.");
    assert!(heard.iter().any(|line| line.contains("Alpha")));
    let log = home.log();
    let entry = log.lines().find(|line| line.contains("joust submit")).expect("a line for the action");
    let entry: serde_json::Value = serde_json::from_str(entry).expect("a line of the log is JSON");
    assert_eq!((&entry["room"], &entry["actor"]), (&"main".into(), &"player/ann".into()));
    assert!(entry["seq"].is_u64() && entry["duration_ms"].is_number(), "{entry}");
    assert!(!log.contains(ALPHA), "a program is in the log");
}

#[test]
fn an_announcement_ends_in_the_link_to_its_page() {
    let home = Home::new();
    let mut command = home.command(&["console"]);
    command
        .env("PUBLIC_URL", "https://nomic.example/x")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut console = Running::reading(child.stdout.take().expect("its output is piped"), child);
    console.write("room open joust main\njoin\n");
    let (status, heard) = console.end();
    assert!(status.success(), "{status}: {heard:?}");
    let links: Vec<&String> = heard.iter().filter(|line| line.contains("nomic.example")).collect();
    assert_eq!(links, ["https://nomic.example/x/room/main/entry/1", "https://nomic.example/x/room/main/entry/2"]);
}

#[test]
fn the_operator_speaks_as_others_and_again_as_itself() {
    let home = Home::new();
    let heard = home.say(
        "room open joust main\nas Ann\njoin\npause\n/as Bob Lee\n!join\nas\npause\nresume\nas a/b\nas Operator\npause\nshow players\n",
    );
    assert!(heard.contains(&"Bob Lee> !join".to_owned()), "{heard:#?}");
    let refused = after(&heard, "Ann> pause");
    assert!(refused[0].contains("Only moderators"), "{refused:?}");
    assert!(!after(&heard, "operator> pause").is_empty());
    assert!(after(&heard, "operator> as a/b")[0].contains("no name"));
    let players = after(&heard, "operator> show players");
    assert!(
        players.iter().any(|line| line.starts_with("Ann")) && players.iter().any(|line| line.starts_with("Bob Lee"))
    );
}

#[test]
fn what_cannot_be_read_is_answered_and_the_next_line_is_read() {
    let home = Home::new();
    let long = "x".repeat(80_000);
    let heard = home.say(&format!("frobnicate\n{long}\nrooms\n\u{0}\nhelp\n"));
    assert!(after(&heard, "operator> frobnicate")[0].starts_with("There is no command “frobnicate”."));
    let refused = after(&heard, "operator> (80000 bytes)");
    assert!(refused[0].contains("80000") && refused[0].contains("67584"), "{refused:?}");
    assert!(!heard.iter().any(|line| line.contains("xxxx")), "what is refused is not repeated");
    assert!(after(&heard, "operator> rooms")[0].starts_with("There is no room yet"));
    let help = after(&heard, "operator> help");
    assert!(help.contains(&"In this console:") && help.iter().any(|line| line.contains("@FILE")), "{help:#?}");
}

#[test]
fn no_control_character_of_a_player_reaches_the_terminal() {
    let home = Home::new();
    let mut console = home.open(&["console"]);
    console.write("room open joust main\nas \x1b[31mEve\njoin E\x1b]0;owned\x07ve\nas\npause because \x1b[2J\u{9b}2J\u{202e}evil\0\rlast\n");
    console.write("history\nhistory 3\n");
    let (status, heard) = console.end();
    assert_eq!(status.code(), Some(1), "some of that is refused");
    let shown = heard.join("\n");
    assert!(shown.contains("last"), "{shown}");
    let bad = |c: &char| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c);
    assert_eq!(shown.chars().find(bad), None, "{shown:?}");
}

#[test]
fn a_program_comes_from_a_file_of_this_machine() {
    let home = Home::new();
    std::fs::write(home.path("alpha.bf"), format!("A comment that is a secret too\n{ALPHA}\n")).unwrap();
    let heard = home
        .say("room open joust main\njoust start\nas Ann\njoust submit Alpha @alpha.bf\njoust submit Beta @gone.bf\n");
    assert!(
        after(&heard, "Ann> joust submit Alpha @alpha.bf").iter().any(|line| line.contains("Challenge 1")),
        "{heard:#?}"
    );
    assert!(after(&heard, "Ann> joust submit Beta")[0].contains("gone.bf cannot be read"), "{heard:#?}");
    assert!(!heard.join("\n").contains("secret too") && !home.log().contains("secret too"));
}

/// A joust that takes long is given up for a signal and played at the next start. There are ten programs that do
/// nothing, which make every charge as long as the contract lets it be.
#[test]
fn a_signal_ends_the_program_in_time_and_nothing_is_lost() {
    let home = Home::new();
    let mut lines = "room open joust main\n".to_owned();
    let names: Vec<String> = (0..10).map(|number| format!("still{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        lines.push_str(&format!("joust add {name} [{}]\n", ".".repeat(number + 1)));
    }
    home.say(&format!("{lines}joust start {}\n", names.join(" ")));

    let mut console = home.open(&["console"]);
    console.write("as Ann\njoust submit Slow [............]\n");
    console.hear("is received");
    let (status, heard) = console.signal(Signal::TERM);
    assert!(status.success(), "{status}: {heard:#?}");
    assert!(!heard.iter().any(|line| line.contains("Challenge 1")), "the joust was over too soon to be given up");

    let mut again = home.open(&["console"]);
    again.hear("Rooms: @main");
    let (status, heard) = again.signal(Signal::INT);
    assert!(status.success(), "{status}: {heard:#?}");

    let heard = home.say("hill\n");
    let told: Vec<_> = heard.iter().filter(|line| line.starts_with("* Challenge 1: Slow by Ann")).collect();
    assert_eq!(told.len(), 1, "{heard:#?}");
    assert!(heard.contains(&"After challenge 1, by Slow.".to_owned()), "{heard:#?}");
}

#[test]
fn serving_ends_at_a_signal_too() {
    let home = Home::new();
    let mut command = home.command(&["serve"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut served = Running::reading(child.stderr.take().expect("its log is piped"), child);
    served.hear("nobody can reach this bot");
    let (status, heard) = served.signal(Signal::TERM);
    assert!(status.success(), "{status}: {heard:#?}");
}

fn said(output: &Output) -> (Option<i32>, String) {
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// What an operator reads when the database cannot be used: one line, with the reason.
fn refused(home: &Home, arguments: &[&str]) -> String {
    let (code, text) = said(&home.run(arguments));
    assert_eq!(code, Some(1), "{text}");
    let sentence: Vec<&str> = text.lines().filter(|line| !line.starts_with('{')).collect();
    assert_eq!(sentence.len(), 1, "{text}");
    sentence[0].to_owned()
}

/// Whoever feeds lines to it learns by the code whether all were done.
#[test]
fn a_pipe_of_which_a_line_was_refused_ends_with_a_code() {
    let home = Home::new();
    for (lines, code) in [
        ("room open joust main\njoust start\n", 0),
        ("hill\njoust nonsense\n", 1),
        ("joust submit Alpha @no-such-file\n", 1),
        ("as Ann\njoin\n", 0),
    ] {
        let mut console = home.open(&["console"]);
        console.write(lines);
        let (status, heard) = console.end();
        assert_eq!(status.code(), Some(code), "{heard:?}");
    }
}

#[test]
fn a_database_of_another_schema_is_refused_and_left_alone() {
    let home = Home::new();
    home.say("rooms\n");
    beside(home.path("rulekeeper.db")).execute_batch("UPDATE schema_versions SET sha256 = ''").unwrap();
    let before = std::fs::read(home.path("rulekeeper.db")).unwrap();
    let sentence = refused(&home, &["console"]);
    assert!(sentence.contains("another version") && sentence.contains("rulekeeper.db"), "{sentence}");
    assert_eq!(std::fs::read(home.path("rulekeeper.db")).unwrap(), before);
}

#[test]
fn a_locked_database_is_told_in_a_sentence() {
    let home = Home::new();
    home.say("rooms\n");
    let beside = beside(home.path("rulekeeper.db"));
    beside.execute_batch("BEGIN IMMEDIATE").unwrap();
    let sentence = refused(&home, &["console"]);
    assert!(sentence.contains("locked"), "{sentence}");
}

#[test]
fn a_database_that_cannot_be_opened_is_told_in_a_sentence() {
    let home = Home::new();
    let sentence = refused(&home, &["--database", "no/such/folder/a.db", "console"]);
    assert!(sentence.contains("no/such/folder/a.db"), "{sentence}");
    std::fs::write(home.path("letter.txt"), "Dear Ann, this is no database, and it is long enough to be looked at.")
        .unwrap();
    let sentence = refused(&home, &["--database", "letter.txt", "console"]);
    assert!(sentence.contains("letter.txt"), "{sentence}");
}

#[test]
fn bad_usage_ends_with_two() {
    let home = Home::new();
    std::fs::write(home.path("wrong.toml"), "moderators = 3\n").unwrap();
    for arguments in [&["frobnicate"][..], &["console", "--loud"], &["--config", "wrong.toml", "console"]] {
        let (code, text) = said(&home.run(arguments));
        assert_eq!(code, Some(2), "{text}");
        assert!(!text.is_empty());
    }
    assert!(!home.path("rulekeeper.db").exists(), "bad usage makes no database");
}

#[test]
fn a_reader_that_has_had_enough_ends_it_quietly() {
    let home = Home::new();
    let mut child = home
        .command(&["console"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("its input is piped");
    // It may have noticed already.
    let _ = input.write_all(b"rooms\nrooms\n");
    assert!(child.wait().expect("it ends").success());
}

/// Two processes share a database: what one does the other goes on from.
#[test]
fn two_consoles_on_one_database_get_along() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let (mut one, mut other) = (home.open(&["console"]), home.open(&["console"]));
    for round in 1..=2 {
        for (console, name) in [(&mut one, "Ann"), (&mut other, "Bob")] {
            console.write(&format!("as {name}\njoust submit {name}{round} {ALPHA}\nme\n"));
            console.hear("is received");
            console.hear("Seats:");
        }
    }
    for console in [one, other] {
        let (status, heard) = console.end();
        assert!(status.success(), "{heard:#?}");
        assert!(!heard.iter().any(|line| line.contains("Something broke")), "{heard:#?}");
    }
    let heard = home.say("history\nshow programs\n");
    let submissions = after(&heard, "operator> history").iter().filter(|line| line.contains("joust submit")).count();
    assert_eq!(submissions, 4, "{heard:#?}");
    let challenges = (1..=4).filter(|n| heard.iter().any(|line| line.contains(&format!("challenge/{n}")))).count();
    assert_eq!(challenges, 4, "each challenge is played once: {heard:#?}");
}

/// The machine's clock stands a month after where the program last saw it.
#[test]
fn the_program_asks_whether_its_clock_is_right() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let away = || {
        let sql = "UPDATE heartbeat SET at = at - 30 * 86400000000";
        assert_eq!(beside(home.path("rulekeeper.db")).execute(sql, []).unwrap(), 1);
    };
    away();
    let heard = home.say("hill\nas Ann\njoin\nas operator\nclock accept\nas Ann\njoin\n").join("\n");
    let mut rest = heard.as_str();
    for part in [
        "(to operator, privately)",
        "The bot's clock jumped ahead by 30 d",
        "Nothing happens here for now: the bot's clock jumped ahead by 30 d",
        "Nothing happens before somebody who moderates every room says that it is right",
        "The bot's clock is right, at ",
        "You are a member",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("no {part:?} (in this order) in:\n{heard}"));
        rest = &rest[at + part.len()..];
    }

    away();
    let lines = home.path("lines");
    std::fs::write(&lines, "hill\n").unwrap();
    let run = |days: &str| {
        let lines = File::open(&lines).unwrap();
        home.command(&["console"]).env("RULEKEEPER_CLOCK_JUMP_DAYS", days).stdin(lines).output().unwrap()
    };
    let said = String::from_utf8(run("31").stdout).unwrap();
    assert!(said.contains("joust0") && !said.contains("clock"), "{said}");
    let refused = run("0");
    let why = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && why.contains("1 to 3650 days"), "{why}");
}
