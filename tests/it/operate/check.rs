//! Mistakes in what is set: told all at once, with their places, by every verb alike. Also `rulekeeper check`, which
//! tries what is set and does nothing.

use std::process::Command;

use crate::{
    console::Home,
    fakes::discord::{Fake, TOKEN},
    harness::needs_servers,
    operate::{contents, said},
    servers::{Options, inspircd},
};

/// A file with four mistakes.
const WRONG: &str = "\
moderators = ['foo:bar/baz']

[[irc]]
name = 'net'
host = 'irc.example.org'
nick = 'Keeper'
pace = { burst_lines = 0 }

[[irc]]
name = 'net'
host = 'irc.example.org'
nick = 'Keeper'
";

/// What is told of it, and of the log.
const TOLD: [&str; 4] = [
    "wrong.toml:1: moderators[0]: there is no service foo:bar",
    "wrong.toml:7: irc[0].pace.burst_lines: ",
    "wrong.toml:10: irc[1].name: there are two networks called net",
    "RULEKEEPER_LOG: ",
];

#[test]
fn every_verb_refuses_the_same_settings_and_tells_all_that_is_wrong() {
    let home = Home::new();
    std::fs::write(home.path("wrong.toml"), WRONG).unwrap();
    let verbs: [&[&str]; 12] = [
        &[],
        &["serve"],
        &["console"],
        &["check"],
        &["verify"],
        &["verify-dice", "main"],
        &["export", "main"],
        &["import", "file"],
        &["backup", "copy.db"],
        &["restore", "copy.db"],
        &["health"],
        &["rehearse", "file"],
    ];
    for verb in verbs {
        let mut command = home.command(&["--config", "wrong.toml"]);
        let (code, text) = said(&command.args(verb).env("RULEKEEPER_LOG", "loud").output().unwrap());
        let (reads, wanted) = match verb {
            ["rehearse", ..] => (&TOLD[3..], Some(2)),
            ["check"] => (&TOLD[..], Some(1)),
            _ => (&TOLD[..], Some(2)),
        };
        assert_eq!(code, wanted, "{verb:?}: {text}");
        for told in reads {
            assert!(text.contains(told), "{verb:?} does not say {told:?}: {text}");
        }
    }
    assert_eq!(contents(&home).len(), 1, "nothing was made");
}

/// Runs a check on a thread of its own, since what it asks answers from this one.
async fn checked(mut command: Command) -> (Option<i32>, String) {
    said(&tokio::task::spawn_blocking(move || command.output().expect("the program runs")).await.expect("it ends"))
}

#[tokio::test]
async fn a_check_asks_discord_looks_at_the_database_and_the_ports_and_changes_nothing() {
    let fake = Fake::start().await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let home = Home::new();
    let check = |home: &Home, token: &str, web: &str| {
        let mut command = home.command(&["check"]);
        command.env("DISCORD_TOKEN", token).env("DISCORD_API_BASE", fake.base()).env("RULEKEEPER_WEB", web);
        command
    };
    let (code, text) = checked(check(&home, TOKEN, "127.0.0.1:0")).await;
    assert_eq!(code, Some(0), "{text}");
    for told in
        ["ok: discord: the token is taken, and the bot is keeper", "ok: database rulekeeper.db: it is not there yet"]
    {
        assert!(text.contains(told), "{text}");
    }
    assert_eq!(contents(&home), [], "nothing was made");

    home.say("room open joust main\n");
    let before = contents(&home);
    let (code, text) = checked(check(&home, "another.token", &address)).await;
    assert_eq!(code, Some(1), "{text}");
    for told in [
        "wrong: discord: Discord does not take the token",
        "wrong: web pages at ",
        "ok: database rulekeeper.db: its schema is the one of this program",
    ] {
        assert!(text.contains(told), "{text}");
    }
    assert!(text.contains("2 mistakes found"), "{text}");
    assert_eq!(contents(&home), before, "nothing was changed");
    let requests = fake.state().requests.clone();
    assert!(!requests.is_empty() && requests.iter().all(|(method, _)| method == "GET"), "{requests:?}");

    // What is no database of ours, or one of the future, is told before anybody starts on it.
    std::fs::write(home.path("rulekeeper.db"), "this is a letter, and long enough to be looked at for what it is")
        .unwrap();
    let (code, text) = checked(check(&home, TOKEN, "off")).await;
    assert!(code == Some(1) && text.contains("wrong: database rulekeeper.db: "), "{text}");
}

#[tokio::test]
async fn a_check_connects_to_networks_with_their_certificates_and_signs_in_nowhere() {
    needs_servers!(Inspircd, Openssl);
    let network = inspircd::inspircd(Options::TLS).await;
    let certificate = network.tls_certificate.clone().expect("TLS was asked for");
    let (tls, plain) = (network.tls_port.expect("TLS was asked for"), network.port);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let home = Home::new();
    let entry = |name: &str, port: u16, rest: &str| {
        format!("[[irc]]\nname = '{name}'\nhost = 'localhost'\nnick = 'Keeper'\nport = {port}\n{rest}\n")
    };
    let ca_file = format!("ca_file = '{}'", certificate.display());
    let good = [entry("good", tls, &ca_file), entry("plain", plain, "tls = false")].concat();
    std::fs::write(home.path("rulekeeper.toml"), &good).unwrap();
    let (code, text) = checked(home.command(&["check"])).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("ok: irc:good at localhost:") && text.contains("its certificate is good"), "{text}");
    assert!(text.contains("ok: irc:plain at localhost:"), "{text}");

    std::fs::write(home.path("empty.pem"), "no certificate\n").unwrap();
    let bad = [
        good,
        entry("strange", tls, ""),
        entry("closed", closed, ""),
        entry("filed", closed, "ca_file = 'no.pem'"),
        entry("empty", tls, "ca_file = 'empty.pem'"),
    ];
    std::fs::write(home.path("rulekeeper.toml"), bad.concat()).unwrap();
    let (code, text) = checked(home.command(&["check"])).await;
    assert_eq!(code, Some(1), "{text}");
    for name in ["strange", "closed", "filed", "empty"] {
        assert!(text.contains(&format!("wrong: irc:{name} at localhost:")), "{text}");
    }
    assert!(
        text.contains("no.pem") && text.contains("ca_file empty.pem") && text.contains("4 mistakes found"),
        "{text}"
    );
}
