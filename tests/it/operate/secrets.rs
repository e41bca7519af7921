//! No password in anything that the program writes: a secret of every kind is set, things go well and badly, and all
//! output is searched.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{
    console::Home,
    fakes::discord::{Fake, TOKEN},
    operate::{contents, names, said},
};

/// What stands in the place of every password.
const CANARY: &str = "geheim-0815-geheim";

/// How long a test waits for what should happen at once.
const PATIENCE: Duration = Duration::from_secs(120);

/// Every verb, with what it may need.
const VERBS: [&[&str]; 9] = [
    &["serve"],
    &["console"],
    &["check"],
    &["verify"],
    &["verify-dice", "main"],
    &["export", "main"],
    &["import", "file"],
    &["backup", "copy.db"],
    &["restore", "copy.db"],
];

/// Fails where the canary or the token is in a text. Base64 is how it goes to a server, and no better in a log.
fn is_silent(whence: &str, text: &str) {
    let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("\0keeper\0{CANARY}"));
    for secret in [CANARY, TOKEN, encoded.trim_end_matches('=')] {
        assert!(!text.contains(secret), "{whence} shows {secret}:\n{text}");
    }
}

#[test]
fn the_address_of_a_database_is_shown_without_user_and_password() {
    let address = format!("postgres://u:{CANARY}@h:5432/db?password={CANARY}");
    let slips = [
        address.clone(),
        format!("postgres:u:{CANARY}@h/db"),
        format!("postgres//u:{CANARY}@h/db"),
        format!("sqlite:postgres://u:{CANARY}@h/db"),
        format!("mysql://{CANARY}@[h/db"),
        format!("host=h password={CANARY} user=u"),
        format!("host = h password = {CANARY}"),
        format!("/var/lib/h;Password={CANARY}"),
        format!("file:x?key={CANARY}"),
        format!("sqlite:file:x?key={CANARY}"),
        format!("x.db?key={CANARY}"),
    ];
    let home = Home::new();
    for verb in VERBS {
        for (number, slip) in slips.iter().enumerate() {
            let told = |command: &mut Command| {
                let (code, text) = said(&command.env("RULEKEEPER_LOG", "debug").output().unwrap());
                assert!(code.is_some_and(|code| code > 0), "{verb:?} {number}: {text}");
                is_silent(&format!("{verb:?} {number}"), &text);
                text
            };
            let text = told(home.command(verb).env("DATABASE_URL", slip));
            if number == 0 && !["import", "restore"].contains(&verb[0]) {
                assert!(text.contains("postgres://h:5432/db"), "the rest of it helps: {text}");
            }
            told(home.command(&["--database", slip]).args(verb));
        }
    }
    assert_eq!(contents(&home), [], "nothing was made");
}

#[test]
fn an_address_in_the_place_of_a_path_or_a_room_is_not_repeated() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    // What a database has beside it comes and goes with who reads it.
    let others = || names(&home).into_iter().filter(|name| !name.starts_with("rulekeeper.db")).collect::<Vec<_>>();
    let before = others();
    for slip in [
        format!("postgres://u:{CANARY}@h/db"),
        format!("https://u:{CANARY}@h/db"),
        format!("postgres://u:{CANARY}/{CANARY}@h/db"),
        format!("u:{CANARY}@h/db"),
        format!("host=h password={CANARY}"),
        format!("file:x?key={CANARY}"),
    ] {
        for verb in [
            &["restore", &slip][..],
            &["--database", "other.db", "restore", &slip],
            &["import", &slip],
            &["backup", &slip],
            &["export", "main", &slip],
            &["export", &slip],
            &["verify", &slip],
            &["verify-dice", &slip],
        ] {
            let (code, text) = said(&home.command(verb).env("RULEKEEPER_LOG", "debug").output().unwrap());
            assert!(code.is_some_and(|code| code > 0), "{verb:?}: {text}");
            is_silent(&format!("{verb:?}"), &text);
            let shown = text.contains("://h") || text.contains("not shown") || text.contains("exists already");
            assert!(shown || text.contains("There is no room called (an"), "{verb:?}: {text}");
        }
    }
    assert_eq!(others(), before, "nothing was made");
}

/// Variables that hold secrets, right ones and broken ones.
fn with_secrets<'c>(command: &'c mut Command, web: &str) -> &'c mut Command {
    command
        .env("DISCORD_TOKEN", format!("{CANARY} \u{e9}"))
        .env("DISCORD_API_BASE", format!("https://u:{CANARY}@discord.test"))
        .env("PUBLIC_URL", format!("https://u:{CANARY}@nomic.example"))
        .env("RULEKEEPER_WEB", web)
        .env("RULEKEEPER_METRICS", format!("u:{CANARY}@127.0.0.1:9"))
        .env("RULEKEEPER_LOG", "debug")
        .env("RULEKEEPER_IRC_NET_PASSWORD", format!("{CANARY}\r\nQUIT"))
        .env("RULEKEEPER_IRC_NET_SASL_PASSWORD", format!("{CANARY}\r\nQUIT"))
}

#[test]
fn help_and_refused_settings_hold_no_password() {
    let home = Home::new();
    let file = "[[irc]]\nname = 'net'\nhost = 'irc.example.org'\nnick = 'Keeper'\nsasl = { user = 'keeper' }\n";
    std::fs::write(home.path("rulekeeper.toml"), file).unwrap();
    for verb in VERBS {
        let mut help = home.command(&verb[..1]);
        with_secrets(help.arg("--help").env("DATABASE_URL", format!("postgres://u:{CANARY}@h/db")), "off");
        let (code, text) = said(&help.output().unwrap());
        assert_eq!(code, Some(0), "{text}");
        is_silent(&format!("{verb:?} --help"), &text);
        let (code, text) = said(&with_secrets(&mut home.command(verb), &format!("{CANARY}:80")).output().unwrap());
        assert!(code.is_some_and(|code| code > 0), "{verb:?}: {text}");
        for variable in
            ["DISCORD_TOKEN: ", "DISCORD_API_BASE: ", "PUBLIC_URL: ", "RULEKEEPER_METRICS: ", "RULEKEEPER_WEB: "]
        {
            // One that comes after a wrong token is not looked at, since without a token there is no Discord.
            assert!(text.contains(variable) || variable.starts_with("DISCORD_API"), "{verb:?}, {variable}: {text}");
        }
        assert!(text.contains("rulekeeper.toml:5: irc[0].sasl.password: "), "{verb:?}: {text}");
        is_silent(&format!("{verb:?}"), &text);
    }
}

#[test]
fn a_broken_file_is_told_without_its_passwords() {
    let home = Home::new();
    let head = "[[irc]]\nname = 'net'\nhost = 'irc.example.org'\nnick = 'Keeper'\n";
    for line in [
        format!("password = {CANARY}"),
        format!("password = '{CANARY}"),
        format!("password '{CANARY}'"),
        format!("password = '{CANARY}' {CANARY}"),
        format!("password = ['{CANARY}']"),
        format!("pasword = '{CANARY}'"),
        format!("password = '{CANARY}'\npassword = '{CANARY}'"),
        format!("sasl = '{CANARY}'"),
        format!("sasl = {{ user = 'k', password = '{CANARY}', port = '{CANARY}' }}"),
        format!("sasl = {{ user = 'k' password = '{CANARY}' }}"),
        format!("port = '{CANARY}'"),
        format!("replies = '{CANARY}'"),
        format!("channels = [{{ name = '#a', key = ['{CANARY}'] }}]"),
        format!("password = \"\\u0007 {CANARY} \\q\""),
        format!("password = \"{CANARY}\\nQUIT\""),
    ] {
        std::fs::write(home.path("rulekeeper.toml"), format!("{head}{line}\n")).unwrap();
        for verb in ["verify", "check"] {
            let (code, text) = said(&home.command(&[verb]).env("RULEKEEPER_LOG", "debug").output().unwrap());
            assert!(code.is_some_and(|code| code > 0), "{line}: {text}");
            assert!(text.contains("rulekeeper.toml:5: ") || text.contains("rulekeeper.toml:6: "), "{line}: {text}");
            is_silent(&line, &text);
        }
    }
}

/// A server of an IRC network that lets nobody in by SASL, and everybody without; what it hears.
fn irc_server() -> (u16, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let heard: Arc<Mutex<String>> = Arc::default();
    let notes = heard.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let notes = notes.clone();
            std::thread::spawn(move || serve_irc(stream, &notes));
        }
    });
    (port, heard)
}

fn serve_irc(stream: TcpStream, notes: &Mutex<String>) {
    let mut out = stream.try_clone().expect("a socket");
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        notes.lock().expect("a note").push_str(&format!("{line}\n"));
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words[..] {
            ["CAP", "LS", ..] => ":irc.test CAP * LS :sasl account-tag".to_owned(),
            ["CAP", "REQ", ..] => format!(":irc.test CAP * ACK {}", words[2..].join(" ")),
            ["AUTHENTICATE", "PLAIN"] => "AUTHENTICATE +".to_owned(),
            ["AUTHENTICATE", what] => format!(":irc.test 904 Keeper :no such password: {what}"),
            ["CAP", "END"] => ":irc.test 001 Keeper :hello\r\n:irc.test 376 Keeper :that is all".to_owned(),
            ["PING", what] => format!(":irc.test PONG irc.test {what}"),
            ["JOIN", channel, ..] => format!(":irc.test 475 Keeper {channel} :you said {line}"),
            ["PRIVMSG", ..] => format!(":NickServ!n@services NOTICE Keeper :that is wrong: {line}"),
            _ => continue,
        };
        if write!(out, "{answer}\r\n").is_err() {
            return;
        }
    }
}

/// A page of the running program.
fn page(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the web listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("a page in UTF-8");
    answer
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").to_string()
}

#[tokio::test]
async fn a_program_that_runs_tells_no_password_to_its_log_its_metrics_or_its_console() {
    let fake = Fake::start().await;
    fake.guild(7, &[70]);
    let (port, heard) = irc_server();
    let (web, metrics) = (free_address(), free_address());
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    let network = |name: &str, rest: &str| {
        format!("[[irc]]\nname = '{name}'\nhost = '127.0.0.1'\nport = {port}\ntls = false\nnick = 'Keeper'\n{rest}\n")
    };
    let networks = [
        network("sasl", &format!("password = '{CANARY}'\nsasl = {{ user = 'keeper', password = '{CANARY}' }}")),
        network("nickserv", &format!("nickserv = {{ user = 'keeper', password = '{CANARY}' }}")),
        network("open", &format!("channels = [{{ name = '#k', key = '{CANARY}' }}]")),
    ];
    std::fs::write(home.path("rulekeeper.toml"), networks.concat()).unwrap();
    let command = |verb: &str, level: &str| {
        let mut command = home.command(&[verb]);
        command.env("DISCORD_TOKEN", TOKEN).env("DISCORD_API_BASE", fake.base()).env("RULEKEEPER_LOG", level);
        command.env("RULEKEEPER_WEB", &web).env("RULEKEEPER_METRICS", &metrics);
        command
    };
    let mut running = command("serve", "trace").stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut log = running.stderr.take().unwrap();
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = Vec::new();
        log.read_to_end(&mut text).expect("a log");
        String::from_utf8_lossy(&text).into_owned()
    });
    // The test has teeth: everything was used.
    let encoded =
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("keeper\0keeper\0{CANARY}"));
    let used = async {
        loop {
            let heard = heard.lock().unwrap().clone();
            let said = [format!("PASS {CANARY}"), format!("#k {CANARY}"), format!("keeper {CANARY}")];
            let by_sasl = heard.contains(&encoded)
                || heard.lines().any(|line| line.starts_with("AUTHENTICATE") && line.len() > 30);
            let registered = fake.state().guilds.values().any(|guild| guild.registered > 0);
            if by_sasl && registered && said.iter().all(|said| heard.replace(':', "").contains(said)) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    let came = tokio::time::timeout(PATIENCE, used).await;
    assert!(came.is_ok(), "not everything was used: {}", heard.lock().unwrap());
    let (web, metrics) = (web.clone(), metrics.clone());
    let pages = tokio::task::spawn_blocking(move || {
        [page(&metrics, "/metrics"), page(&web, "/"), page(&web, "/room/main"), page(&web, "/rooms.json")].concat()
    });
    let pages = pages.await.unwrap();
    assert!(pages.contains("rulekeeper_entries"), "{pages}");
    let pid = Pid::from_raw(i32::try_from(running.id()).unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    let status = tokio::task::spawn_blocking(move || running.wait().unwrap()).await.unwrap();
    let log = reading.await.unwrap();
    assert!(status.success() && log.contains("gave the network up"), "{log}");
    is_silent("the log", &log);
    is_silent("the web", &pages);

    // What the operator can look at, with the same settings.
    let lines = "help\nhelp moderator\nroom list\nshow\nshow queues\nshow moderators\nme\nmoderator list\n";
    let mut console = command("console", "debug");
    let console = tokio::task::spawn_blocking(move || {
        let mut child = console.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        said(&child.wait_with_output().unwrap())
    });
    let (code, text) = console.await.unwrap();
    assert!(matches!(code, Some(0 | 1)) && text.contains("moderator list"), "{text}");
    is_silent("the console", &text);
}
