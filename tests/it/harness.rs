//! Decides whether a test that needs a real server can run, and says which tests were left out.
//!
//! The environment variable `RULEKEEPER_TEST_SERVERS` chooses. `required` (what `tests/run` sets) makes a missing
//! server a failure, `none` leaves all such tests out, and unset runs those whose servers are installed. A test that is
//! left out passes, because plain `cargo test` must work on any machine; it never does so silently.

use std::{
    collections::BTreeSet,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Where a test's sources lie, and with them this crate.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether everything is played and tried, and no samples: what `tests/run --all` asks for.
pub(crate) fn is_all() -> bool {
    std::env::var_os("RULEKEEPER_TEST_ALL").is_some()
}

/// One of so many, or each where all is asked for.
pub(crate) fn sampled(of: usize) -> usize {
    if is_all() { 1 } else { of }
}

/// Numbers drawn from a seed: the same in every run.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// The variable that says what happens to tests of servers.
const CHOICE: &str = "RULEKEEPER_TEST_SERVERS";

/// A program that some tests start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Server {
    /// An IRC server without services and without account tags.
    Ngircd,
    /// An IRC server with IRCv3 capabilities.
    Inspircd,
    /// Services for InspIRCd: accounts.
    Atheme,
    /// Makes the certificate of a TLS port.
    Openssl,
    /// A browser, for the web pages.
    Chromium,
}

impl Server {
    /// The name of its program, as a Debian package installs it.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Ngircd => "ngircd",
            Self::Inspircd => "inspircd",
            Self::Atheme => "atheme-services",
            Self::Openssl => "openssl",
            Self::Chromium => "chromium",
        }
    }

    /// What [`needs_servers!`] calls it.
    fn from_word(word: &str) -> Option<Self> {
        [Self::Ngircd, Self::Inspircd, Self::Atheme, Self::Openssl, Self::Chromium]
            .into_iter()
            .find(|server| format!("{server:?}") == word)
    }

    /// Its executable, searched where the shell would and in the folders of daemons, which an ordinary user's `PATH`
    /// often leaves out.
    pub(crate) fn executable(self) -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .chain(["/usr/local/sbin", "/usr/sbin", "/sbin"].map(PathBuf::from))
            .map(|folder| folder.join(self.program()))
            .find(|file| file.is_file())
    }
}

/// What the environment asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// A missing server fails the test.
    Required,
    /// Tests run where their servers are installed.
    Installed,
    /// All tests of servers are left out.
    None,
}

impl Choice {
    fn from_word(word: Option<&str>) -> Self {
        match word {
            None | Some("") => Self::Installed,
            Some("required") => Self::Required,
            Some("none") => Self::None,
            Some(other) => panic!("{CHOICE} is {other:?}; it is required, none or unset"),
        }
    }

    fn from_environment() -> Self {
        Self::from_word(std::env::var(CHOICE).ok().as_deref())
    }

    /// Why a test that needs `needed` is left out, or `None` when it runs.
    fn left_out(self, needed: &[Server], installed: impl Fn(Server) -> bool) -> Option<String> {
        let missing: Vec<_> = needed.iter().filter(|server| !installed(**server)).map(|s| s.program()).collect();
        match self {
            Self::None => Some(format!("{CHOICE}=none")),
            Self::Required | Self::Installed if missing.is_empty() => None,
            Self::Required => {
                panic!("{CHOICE}=required, but this machine lacks {}: tests/run installs it", missing.join(", "))
            }
            Self::Installed => Some(format!("this machine lacks {}", missing.join(", "))),
        }
    }
}

/// Returns from the calling test, which then counts as left out, unless the named servers are installed:
/// `needs_servers!(Inspircd, Atheme);`, as the first line of its body.
macro_rules! needs_servers {
    ($($server:ident),+ $(,)?) => {
        if !$crate::harness::can_run(module_path!(), &[$($crate::harness::Server::$server),+]) {
            return;
        }
    };
}
pub(crate) use needs_servers;

/// Whether a test of `module` that needs `servers` runs. [`needs_servers!`] asks this.
pub(crate) fn can_run(module: &str, servers: &[Server]) -> bool {
    let Some(reason) = Choice::from_environment().left_out(servers, |server| server.executable().is_some()) else {
        return true;
    };
    // The list at the end, `zz_left_out`, does not run under a filter: then every test speaks for itself.
    if std::env::args().skip(1).any(|argument| !argument.starts_with('-')) {
        tell(&format!("left out: a test of {module}, because {reason}"));
    }
    false
}

/// Says that the calling test left something out, for a reason that is no missing server.
pub(crate) fn left_out(reason: &str) {
    tell(&format!("left out: {reason}"));
}

/// Writes past the capture of the test harness, which swallows what passing tests print.
fn tell(text: &str) {
    // A closed standard error leaves nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// A test that needs servers, as found in the sources.
#[derive(Debug, PartialEq, Eq)]
struct Needy {
    name: String,
    servers: Vec<Server>,
}

/// The tests of one source file that say [`needs_servers!`], with the function that says it.
fn needy_tests(module: &str, source: &str) -> Vec<Needy> {
    let mut found = Vec::new();
    let mut function = "";
    for line in source.lines().map(str::trim_start) {
        if let Some(rest) = line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn ")) {
            function = rest.split(['(', '<']).next().unwrap_or(rest);
        }
        if let Some(words) = line.strip_prefix("needs_servers!(").and_then(|rest| rest.strip_suffix(");")) {
            let servers = words
                .split(',')
                .map(|word| Server::from_word(word.trim()).unwrap_or_else(|| panic!("{word:?} is no server")))
                .collect();
            found.push(Needy { name: format!("{module}::{function}"), servers });
        }
    }
    found
}

/// Every Rust file below `folder` with the module path that its place gives it.
fn modules(folder: &Path, prefix: &str, into: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder stays readable").path())
        .collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = if prefix.is_empty() { stem.clone() } else { format!("{prefix}::{stem}") };
        if path.is_dir() {
            modules(&path, &name, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push((if matches!(stem.as_str(), "mod" | "main") { prefix.to_owned() } else { name }, path));
        }
    }
}

/// Tells which tests this run leaves out. It reads the sources rather than collect what the tests did, because the
/// order in which tests end is nobody's promise.
pub(crate) fn tell_left_out() {
    let mut files = Vec::new();
    modules(&Path::new(ROOT).join("tests/it"), "", &mut files);
    let needy: Vec<_> = files
        .iter()
        .filter(|(module, _)| module != "harness")
        .flat_map(|(module, file)| needy_tests(module, &std::fs::read_to_string(file).expect("a source file is UTF-8")))
        .collect();
    assert!(!needy.is_empty(), "no test says needs_servers!: its spelling and this scan have come apart");

    let choice = Choice::from_environment();
    let left_out: Vec<_> = needy
        .iter()
        .filter_map(|test| {
            choice.left_out(&test.servers, |server| server.executable().is_some()).map(|reason| (test, reason))
        })
        .collect();
    if left_out.is_empty() {
        return;
    }
    let reasons: BTreeSet<&str> = left_out.iter().map(|(_, reason)| reason.as_str()).collect();
    let mut notice = format!(
        "\nLEFT OUT: {} of the tests that passed did nothing: {}.\n",
        left_out.len(),
        reasons.into_iter().collect::<Vec<_>>().join("; ")
    );
    for (test, _) in &left_out {
        notice.push_str(&format!("  {}\n", test.name));
    }
    notice.push_str("tests/run makes sure of the servers and runs them all.\n");
    tell(&notice);
}

#[test]
fn a_missing_server_leaves_a_test_out_unless_servers_are_required() {
    let needed = [Server::Inspircd, Server::Atheme];
    let only_inspircd = |server| server == Server::Inspircd;
    assert_eq!(Choice::Installed.left_out(&needed, |_| true), None);
    assert_eq!(
        Choice::Installed.left_out(&needed, only_inspircd).as_deref(),
        Some("this machine lacks atheme-services")
    );
    assert!(Choice::None.left_out(&needed, |_| true).is_some());
    assert_eq!(Choice::Required.left_out(&needed, |_| true), None);
    assert!(std::panic::catch_unwind(|| Choice::Required.left_out(&needed, only_inspircd)).is_err());
    assert_eq!(Choice::from_word(Some("required")), Choice::Required);
    assert!(std::panic::catch_unwind(|| Choice::from_word(Some("requird"))).is_err());
}

#[test]
fn the_scan_finds_the_test_and_what_it_needs() {
    let source = "#[tokio::test]\nasync fn talks() {\n    needs_servers!(Inspircd, Atheme);\n}\nfn other() {}\n";
    assert_eq!(
        needy_tests("irc::talk", source),
        [Needy { name: "irc::talk::talks".into(), servers: vec![Server::Inspircd, Server::Atheme] }]
    );
}
