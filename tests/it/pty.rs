//! The real program in a real terminal: what is pasted comes whole, and what is typed is not spoiled.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt as _,
    process::{Child, ExitStatus, Stdio},
    sync::mpsc,
};

use port::LINE_MAX_BYTES;
use rustix::{
    fs::{Mode, OFlags},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize},
};
use sha2::{Digest as _, Sha256};

use super::console::{Home, PATIENCE};

mod picture;

const ROWS: u16 = 200;

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_U: &str = "\x15";
const UP: &str = "\x1b[A";
const ALT_ENTER: &str = "\x1b\r";

/// The program, and the screen that somebody sees.
struct Terminal {
    child: Child,
    keys: File,
    /// The program's end, held open so that its modes can be looked at when the program is gone.
    own: File,
    bytes: mpsc::Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    fn open(home: &Home, arguments: &[&str], columns: u16, variables: &[(&str, &str)]) -> Self {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&keys).expect("the terminal is ours");
        unlockpt(&keys).expect("the terminal is ours");
        let name = ptsname(&keys, Vec::new()).expect("its other end has a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let own = File::from(rustix::fs::open(name.as_c_str(), flags, Mode::empty()).expect("its other end opens"));
        let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&own, size).expect("it takes a size");
        let mut command = home.command(arguments);
        command.env("TERM", "xterm-256color").env("XDG_STATE_HOME", home.path("state")).env_remove("NO_COLOR");
        for (name, value) in variables {
            match *value {
                "" => command.env_remove(name),
                value => command.env(name, value),
            };
        }
        let end = || Stdio::from(own.try_clone().expect("another end"));
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("the program starts");
        let keys = File::from(keys);
        let mut reader = keys.try_clone().expect("another hand");
        let (sender, bytes) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                // The test that looked is over.
                let _ = sender.send(buffer[..count].to_vec());
            }
        });
        Self { child, keys, own, bytes, screen: vt100::Parser::new(ROWS, columns, 0) }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    fn paste(&mut self, text: &str) {
        self.press(&format!("\x1b[200~{text}\x1b[201~"));
    }

    fn seen(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the screen is as wanted, and gives it.
    fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        while !wanted(&self.seen()) {
            let bytes = self.bytes.recv_timeout(PATIENCE);
            let bytes = bytes.unwrap_or_else(|_| panic!("never seen: {what}; but:\n{}", self.seen()));
            self.screen.process(&bytes);
        }
        self.seen()
    }

    /// Waits until a text stands on the screen.
    fn shows(&mut self, text: &str) -> String {
        self.until(text, |seen| seen.contains(text))
    }

    /// Waits until the last line is this one.
    fn ends(&mut self, line: &str) -> String {
        self.until(line, |seen| seen.trim_end().lines().last() == Some(line))
    }

    /// Sends a line, and waits for the next prompt on a clean screen.
    fn send(&mut self, line: &str, prompt: &str) -> String {
        self.clear();
        self.press(&format!("{line}\r"));
        self.until(line, |seen| seen.contains(line) && seen.trim_end().lines().last() == Some(prompt.trim_end()))
    }

    /// Empties the screen that the test looks at; the program need not know.
    fn clear(&mut self) {
        self.screen.process(b"\x1b[2J\x1b[H");
    }

    fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("it ended")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn console(home: &Home) -> Terminal {
    let mut terminal = Terminal::open(home, &["console"], 120, &[]);
    terminal.ends("operator>");
    terminal
}

/// A program with a comment, of so many bytes: no byte of it is in doubt.
fn program(bytes: usize) -> String {
    let code = "(>)*8(>[-]>[+])*9";
    format!("{code} {}", "a comment ".repeat(bytes / 10 + 1))[..bytes].to_owned()
}

#[test]
fn a_long_paste_comes_whole_and_is_asked_about_before_it_is_sent() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let mut terminal = console(&home);
    terminal.send("as Ann", "Ann>");
    let code = program(4513 - "joust submit Cut ".len());
    assert_eq!(format!("joust submit Cut {code}").len(), 4513);

    // Not sent: it is asked about, and no is an answer.
    for no in ["n\r", CTRL_C] {
        terminal.clear();
        terminal.paste(&format!("joust submit Cut {code}"));
        terminal.press("\r");
        let hash = hex::encode(Sha256::digest(code.as_bytes()));
        let asked = terminal.ends("Send it? (y/n)");
        assert!(asked.contains(&format!("{} bytes", code.len())), "{asked}");
        assert!(asked.replace('\n', "").contains(&hash), "{asked}");
        terminal.press(no);
        let seen = terminal.ends("Ann>");
        assert!(seen.contains("Nothing was sent."), "{seen}");
    }
    assert!(!terminal.send("show yours", "Ann>").contains("Cut"));

    // Sent: what is received is as long as what was pasted.
    terminal.paste(&format!("joust submit Cut {code}"));
    terminal.press("\r");
    terminal.ends("Send it? (y/n)");
    terminal.press("perhaps\r");
    terminal.shows("Type y to send it, or n to keep it.");
    // The rest of the line is typed ahead, and what all are told comes above it.
    terminal.clear();
    terminal.press("y\rshow zzqx");
    terminal.shows("* Challenge 1: Cut by Ann");
    let seen = terminal.ends("Ann> show zzqx");
    let answered = format!(", {} bytes, SHA-256 {}.", code.len(), hex::encode(Sha256::digest(&code)));
    assert!(seen.split_whitespace().collect::<Vec<_>>().join(" ").contains(&answered), "{seen}");
    assert_eq!(seen.matches("zzqx").count(), 1, "the line was written anew, not twice: {seen}");
    terminal.press(CTRL_U);
    assert!(terminal.send("show yours", "Ann>").contains("Cut"));
}

#[test]
fn a_text_in_lines_is_asked_about_at_its_end() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let mut terminal = console(&home);
    terminal.send("as Ann", "Ann>");
    terminal.send("joust submit Lines", "Ann>");
    terminal.paste(">+\n>+");
    terminal.press("\r");
    terminal.press("end text\r");
    let seen = terminal.ends("Send it? (y/n)");
    assert!(seen.contains(" 5 bytes "), "{seen}");
    terminal.press("n\r");
    let seen = terminal.ends("Ann>");
    assert!(seen.contains("The text is given up; nothing was sent."), "{seen}");
    assert!(!terminal.send("show yours", "Ann>").contains("Lines"));
}

#[test]
fn a_paste_that_is_too_long_is_refused_and_nothing_of_it_acts() {
    let home = Home::new();
    home.say("room open joust main\n");
    let mut terminal = console(&home);
    let mut lines = "as Eve\njoin\n".to_owned();
    lines.push_str(&"joust test >+ and a comment\n".repeat(2600));
    assert!(lines.len() > LINE_MAX_BYTES);
    terminal.paste(&lines);
    terminal.press("\r");
    terminal.shows(&format!("This line has {} bytes, and {LINE_MAX_BYTES} is the most", lines.len()));
    let seen = terminal.send("show players", "operator>");
    assert!(!seen.contains("Eve"), "{seen}");
}

#[test]
fn what_is_no_text_is_refused_with_all_that_was_pasted() {
    let home = Home::new();
    home.say("room open joust main\n");
    let mut terminal = console(&home);
    let mut paste = b"\x1b[200~as Eve\njoin\n\xff\xfe\n".to_vec();
    paste.extend("join\n".repeat(4000).bytes());
    paste.extend(b"\x1b[201~");
    terminal.keys.write_all(&paste).expect("the terminal takes keys");
    terminal.shows("What was typed is no text in UTF-8.");
    let seen = terminal.ends("operator>");
    assert!(!seen.contains("is a member"), "{seen}");
    let seen = terminal.send("show players", "operator>");
    assert!(!seen.contains("Eve"), "{seen}");
}

#[test]
fn several_lines_are_one_message_between_the_consoles_own_words() {
    let home = Home::new();
    home.say("room open joust main\n");
    let mut terminal = console(&home);
    terminal.paste("as Ann\njoin\nme\nas Bob\njoin\n");
    terminal.press("\r");
    let seen = terminal.ends("Bob>");
    assert!(seen.contains("* Ann is a member") && seen.contains("* Bob is a member"), "{seen}");
    // A line that is begun by hand.
    terminal.press(&format!("me{ALT_ENTER}show players\r"));
    let seen = terminal.until("both answers", |seen| seen.contains("Seats:") && seen.matches("Ann").count() > 2);
    assert!(seen.contains("Bob> me\n"), "{seen}");
    // What was to be said under a name that is none is said under no other.
    terminal.clear();
    terminal.paste("as a/b\nleave");
    terminal.press("\r");
    terminal.shows("What stood behind it was not done either.");
    let seen = terminal.ends("Bob>");
    assert!(seen.contains("no name"), "{seen}");
    let seen = terminal.send("show players", "Bob>");
    assert!(seen.lines().any(|line| line.starts_with("Bob") && !line.starts_with("Bob>")), "{seen}");
}

#[test]
fn a_line_is_given_up_by_ctrl_c_and_left_by_ctrl_d_only_where_it_is_empty() {
    let home = Home::new();
    let mut terminal = console(&home);
    assert!(terminal.screen.screen().bracketed_paste());
    terminal.press(&format!("frobnicate{CTRL_C}"));
    terminal.shows("The line is given up.");
    let seen = terminal.ends("operator>");
    assert!(!seen.contains("no command"), "{seen}");
    terminal.press(&format!("room{CTRL_D}{CTRL_D}s\r"));
    terminal.shows("There is no room yet");
    terminal.ends("operator>");
    terminal.press(CTRL_D);
    assert!(terminal.wait().success());
    let modes = tcgetattr(&terminal.own).expect("the terminal is there").local_modes;
    assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "{modes:?}");
    while terminal.screen.screen().bracketed_paste() {
        let bytes = terminal.bytes.recv_timeout(PATIENCE).expect("pastes are as before");
        terminal.screen.process(&bytes);
    }
}

#[test]
fn the_history_is_private_and_holds_no_program() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let mut terminal = console(&home);
    terminal.send("hill", "operator>");
    terminal.send("joust test >+secret", "operator>");
    terminal.send("joust tset >+secret", "operator>");
    terminal.send("rooms", "operator>");
    terminal.press("quit\r");
    assert!(terminal.wait().success());
    let file = home.path("state/rulekeeper/history");
    let held = std::fs::read_to_string(&file).expect("the history");
    assert!(held.contains("hill\nrooms\nquit") && !held.contains("secret"), "{held}");
    let mode = |path: &std::path::Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().expect("a folder"))), (0o600, 0o700));

    let mut terminal = console(&home);
    terminal.press(&format!("{UP}{UP}{UP}"));
    terminal.ends("operator> hill");
}

#[test]
fn tab_completes_names_and_values_and_what_is_left_to_type_is_shown() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let mut terminal = console(&home);
    terminal.press("joust subm\t");
    terminal.ends("operator> joust submit NAME CODE");
    terminal.press(CTRL_C);
    terminal.shows("given up");
    terminal.clear();
    terminal.press("joust match joust");
    terminal.press("\t");
    let seen = terminal.until("all of them", |seen| seen.contains("joust9"));
    assert!(seen.contains("joust0"), "{seen}");
    terminal.press("4\t");
    terminal.until("the next value is left", |seen| {
        seen.trim_end().lines().last().is_some_and(|line| line.starts_with("operator> joust match joust4 "))
    });
    terminal.press(CTRL_C);
    terminal.shows("given up");
    terminal.press("qui\t");
    terminal.until("a word of the console's own", |seen| seen.trim_end().ends_with("operator> quit"));
}

#[test]
fn what_is_written_breaks_between_words() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &["console"], 50, &[]);
    terminal.ends("operator>");
    terminal.send("help", "operator>");
    let screen = terminal.screen.screen();
    let wrapped = (0..ROWS).filter(|row| screen.row_wrapped(*row)).map(|row| screen.contents_between(row, 0, row, 50));
    let broken: Vec<String> = wrapped.filter(|row| row.trim().contains(' ')).collect();
    assert!(broken.is_empty(), "only a word that is wider than the terminal is broken: {broken:#?}");
    assert!(terminal.seen().contains("In this console:"), "{}", terminal.seen());
}

#[test]
fn a_practice_asks_about_nothing_shows_what_follows_and_keeps_nothing() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &["practice"], 160, &[]);
    terminal.ends("operator>");
    terminal.send("room open joust main clock:manual", "operator>");
    terminal.send("joust start", "operator>");
    let seen = terminal.send("joust submit Alpha >+++>--->>+[>[+++[-]]+]", "operator>");
    assert!(seen.contains("Alpha enters the Hill at rank 1.") && !seen.contains("Send it?"), "{seen}");
    terminal.press(CTRL_D);
    assert!(terminal.wait().success());
    let kept: Vec<_> =
        std::fs::read_dir(home.path("")).expect("the folder").map(|file| file.unwrap().file_name()).collect();
    assert!(kept.iter().all(|name| name == "state" || name == "log"), "{kept:?}");
}

#[test]
fn a_film_of_a_joust_is_stepped_through_by_keys() {
    const RIGHT: &str = "\x1b[C";
    const LEFT: &str = "\x1b[D";
    let home = Home::new();
    let [rush, wait] = [("rush.bf", "(>)*9(-)*128"), ("wait.bf", ".")].map(|(name, text)| {
        let file = home.path(name);
        std::fs::write(&file, text).expect("written");
        file.to_str().expect("UTF-8").to_owned()
    });
    let arguments = ["joust", "watch", &rush, &wait, "10", "--rules", "egojoust"];
    let mut terminal = Terminal::open(&home, &arguments, 40, &[]);
    terminal.shows("cycle 0 of 138");
    // What is wider than the terminal is cut: a line that wraps pushes the top of the film away.
    let seen = terminal.until("the keys", |seen| seen.contains("stands, 1 a step: space plays, arrows st"));
    assert!(!seen.contains("arrows ste"), "{seen}");
    terminal.press(RIGHT);
    terminal.shows("cycle 1 of 138");
    terminal.press(RIGHT);
    terminal.shows("left  on 2, plays >");
    terminal.press(LEFT);
    terminal.shows("cycle 1 of 138");
    terminal.press("$");
    terminal.shows("cycle 138 of 138: left wins by flag in c");
    assert!(!tcgetattr(&terminal.own).expect("its modes").local_modes.contains(LocalModes::ICANON));
    terminal.press("q");
    assert!(terminal.wait().success());
    assert!(tcgetattr(&terminal.own).expect("its modes").local_modes.contains(LocalModes::ICANON));
}

#[test]
fn a_terminal_without_an_editor_refuses_what_it_may_have_cut() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let mut terminal = Terminal::open(&home, &["console"], 120, &[("TERM", "dumb")]);
    terminal.shows("operator> ");
    let code = program(4500);
    terminal.press(&format!("joust submit Cut {code}\n"));
    terminal.shows("This terminal cuts long lines");
    terminal.press("show yours\n");
    let seen =
        terminal.until("an answer", |seen| seen.contains("show yours") && seen.trim_end().ends_with("operator>"));
    assert!(!seen.contains("is received"), "{seen}");
}

fn asked(link: &str, path: &str) -> String {
    let address = link.strip_prefix("http://").expect("a link");
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("it is heard");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    answer
}

#[test]
fn a_port_that_is_taken_never_keeps_the_console_from_opening() {
    let home = Home::new();
    // Where another test or program has it, it is taken too.
    let _taken = TcpListener::bind("127.0.0.1:8080");
    let mut terminal = Terminal::open(&home, &[], 120, &[("RULEKEEPER_WEB", "")]);
    let seen = terminal.ends("operator>");
    let line = seen.lines().find(|line| line.starts_with("Web pages: ")).unwrap_or_else(|| panic!("{seen}")).to_owned();
    assert!(line.ends_with("(port 8080 is taken by another program)"), "{line}");
    let link = line.split(' ').nth(2).expect("a link");
    assert!(asked(link, "/healthz").starts_with("HTTP/1.1 200 "));

    // An address that somebody asked for gives way to none.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[], 120, &[("RULEKEEPER_WEB", &address)]);
    let seen = terminal.ends("operator>");
    assert!(seen.contains(&format!("The web cannot listen on {address}")) && !seen.contains("Web pages"), "{seen}");
    drop(terminal);
    let output = home.command(&["serve"]).env("RULEKEEPER_WEB", &address).output().expect("the program runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(&format!("The web cannot listen on {address}, for another program does")), "{told}");
}
