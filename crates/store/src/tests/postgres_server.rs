//! A server of Postgres that ends with the process which started it. It stands by itself: the tests of the whole program
//! start one, too.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// The user that the server runs as where root, whom it refuses, plays the tests.
const USER: &str = "postgres";

/// Whether a test that needs a server is left out, which is told: where that is chosen, and where no server is installed
/// and none is required.
pub(crate) fn is_left_out() -> bool {
    let choice = std::env::var("RULEKEEPER_TEST_SERVERS").ok();
    let left_out = match choice.as_deref() {
        Some("none") => true,
        Some(_) => false,
        None => !Server::is_installed(),
    };
    if left_out {
        // Nobody to tell is no reason to fail.
        let _ = writeln!(std::io::stderr(), "a test was left out: it needs Postgres");
    }
    left_out
}

/// A new database in the server that listens at a socket.
pub(crate) fn database(socket: &str, name: &str) -> String {
    let makes = |how: &str| does(socket, "postgres", &format!("CREATE DATABASE {name} {how}"));
    // Copied as files it is there in a third of the time. Servers before version 15 know no strategies.
    assert!(makes("STRATEGY FILE_COPY") || makes(""));
    format!("postgres://{USER}@localhost/{name}?host={socket}")
}

/// Has a database do something; whether it did.
pub(crate) fn does(socket: &str, database: &str, sql: &str) -> bool {
    let done = Command::new(program("psql")).args(["-q", "-X", "-h", socket, "-U", USER, "-c", sql, database]).status();
    done.expect("psql runs").success()
}

/// What a database answers, a line for each row; nothing where it fails.
pub(crate) fn answer(socket: &str, database: &str, sql: &str) -> Option<Vec<String>> {
    let mut asked = Command::new(program("psql"));
    asked.args(["-q", "-X", "-A", "-t", "-h", socket, "-U", USER, "-c", sql, database]);
    let answer = asked.stderr(Stdio::null()).output().expect("psql runs");
    let lines = || String::from_utf8_lossy(&answer.stdout).lines().map(str::to_owned).collect();
    answer.status.success().then(lines)
}

/// A program of Postgres: Debian keeps the server's beside each other, in a folder for each version.
fn program(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin").join(name)).collect();
    found.retain(|path| path.exists());
    found.sort();
    found.pop().unwrap_or_else(|| name.into())
}

/// A command that ends with this process, as the user that the server runs as.
fn beside(name: &str, home: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if home.metadata().expect("the folder is there").uid() != rustix::process::getuid().as_raw() {
        command.args(["--reuid", USER, "--regid", USER, "--clear-groups"]);
    }
    command.args(["--pdeathsig", "QUIT", "--"]).arg(program(name)).current_dir(home);
    command
}

/// A server that ends with this process.
pub(crate) struct Server {
    process: Child,
    home: TempDir,
    sync: String,
}

impl Server {
    /// One of which nothing is kept that counts.
    pub(crate) fn start() -> Self {
        Self::with("fsync=off")
    }

    /// Whether there is a server to be started.
    pub(crate) fn is_installed() -> bool {
        Command::new(program("initdb")).arg("--version").output().is_ok()
    }

    /// One with a setting: `fsync=on` for one that keeps what is committed, as one in use does.
    pub(crate) fn with(sync: &str) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        if rustix::process::getuid().is_root() {
            let id = Command::new("id").args(["-u", USER]).output().expect("id runs");
            let id = String::from_utf8_lossy(&id.stdout).trim().parse().expect("there is such a user");
            chown(home.path(), Some(id), None).expect("root may");
        }
        furnish(&home);
        Self { process: run(&home, sync), home, sync: sync.to_owned() }
    }

    /// Ends it at once, as a crash does, and starts it anew on what it has kept.
    pub(crate) fn restart(&mut self) {
        self.crash();
        self.start_again();
    }

    /// Starts it anew where it has ended.
    pub(crate) fn start_again(&mut self) {
        self.process = run(&self.home, &self.sync);
    }

    /// Ends it at once, and does not start it.
    pub(crate) fn crash(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, rustix::process::Signal::QUIT).expect("it runs");
        self.process.wait().expect("it ends");
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> &str {
        self.home.path().to_str().expect("the folder has a plain name")
    }
}

/// Makes what a server needs to begin. To make it takes a second, so it is kept where tests of the whole program keep
/// things, and copied from then on.
fn furnish(home: &TempDir) {
    let data = home.path().join("data");
    let copies = |from: &Path, to: &Path| {
        let copied = Command::new("cp").arg("-a").arg(from).arg(to).stderr(Stdio::null()).status();
        copied.is_ok_and(|copied| copied.success())
    };
    let owner = home.path().metadata().expect("the folder is there").uid();
    // Another version makes another, and another user cannot use it.
    let name = format!("data{}-{owner}", program("initdb").display()).replace('/', "-");
    let kept = option_env!("CARGO_TARGET_TMPDIR").map(|folder| Path::new(folder).join("postgres").join(name));
    if kept.as_ref().is_some_and(|kept| copies(kept, &data)) {
        return;
    }
    let made = beside("initdb", home.path())
        .args(["-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8", "-D"])
        .arg(&data)
        .stdout(Stdio::null())
        .status();
    assert!(made.expect("initdb runs").success());
    // Whoever is first keeps it, as a whole or not at all.
    if let Some((kept, folder)) = kept.as_ref().and_then(|kept| Some((kept, kept.parent()?)))
        && std::fs::create_dir_all(folder).is_ok()
        && let Ok(part) = tempfile::tempdir_in(folder)
        && copies(&data, &part.path().join("data"))
    {
        let _ = std::fs::rename(part.path().join("data"), kept);
    }
}

fn run(home: &TempDir, sync: &str) -> Child {
    let socket = format!("unix_socket_directories={}", home.path().display());
    let mut process = beside("postgres", home.path())
        .args(["-c", "listen_addresses=", "-c", &socket, "-c", sync, "-c", "max_connections=300", "-D"])
        .arg(home.path().join("data"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("postgres runs");
    let mut said = BufReader::new(process.stderr.take().expect("it is piped")).lines();
    let ready = said.by_ref().map_while(|line| line.ok()).any(|line| line.contains("ready to accept connections"));
    assert!(ready, "the server did not start");
    // Whoever does not listen any more stops it.
    std::thread::spawn(move || said.for_each(drop));
    process
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that is killed leaves nothing that counts: its folder goes, too.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
