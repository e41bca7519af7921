//! Real servers for tests: started on loopback, each in a folder of its own, and gone with the test.
//!
//! Nothing here fakes anything, and nothing looks for servers to stop: a guard holds its own process group and ends it
//! on drop. A test process that dies without dropping (Ctrl-C, a kill) takes its servers along all the same. For a
//! watcher beside each server waits on a pipe that closes with the test process.
//!
//! Readiness is observed, by talking to the server, never assumed after a pause.

pub(crate) mod atheme;
pub(crate) mod client;
pub(crate) mod inspircd;
pub(crate) mod ngircd;

use std::{
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU16, AtomicU32, Ordering},
    time::Duration,
};

use rustix::process::{Pid, Signal, geteuid, kill_process, kill_process_group};
use tempfile::TempDir;

use crate::{harness::Server, servers::client::Client};

/// How long a server may take until it answers. They take one second; a loaded machine takes longer.
const START_MAX_SECONDS: u64 = 90;

/// How often a start is tried, with other ports each time. A port that was free may be taken by the time the server
/// binds it.
const START_TRIES: u32 = 5;

/// How long to wait between two looks at something that is about to happen.
const LOOK_AGAIN_MILLISECONDS: u64 = 20;

/// How much of a server's output a failed test shows.
const LOG_SHOWN_LINES: usize = 20;

/// How a server treats clients that send a lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flood {
    /// No limits that a test could run into by being fast.
    Lax,
    /// The server's own limits, for tests of the limiter. InspIRCd lets ten lines through at once and then one a second
    /// and closes at a backlog of 10 KB. Also, ngIRCd punishes about three a second.
    Default,
}

/// What a network is started with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// How it treats clients that send a lot.
    pub(crate) flood: Flood,
    /// Whether it has a TLS port too (InspIRCd only; needs `Openssl`).
    pub(crate) tls: bool,
}

impl Options {
    /// No limits, no TLS: what most tests want.
    pub(crate) const LAX: Self = Self { flood: Flood::Lax, tls: false };
    /// The server's own flood limits.
    pub(crate) const DEFAULT_LIMITS: Self = Self { flood: Flood::Default, tls: false };
    /// No limits, and a TLS port beside the plain one.
    pub(crate) const TLS: Self = Self { flood: Flood::Lax, tls: true };
}

/// An operator's name and password on every network, for `OPER`.
pub(crate) const OPERATOR: (&str, &str) = ("op", "op-password");

/// A running network of one IRC server, with or without services. It ends on drop.
pub(crate) struct Network {
    /// Where it listens: the loopback address.
    pub(crate) host: &'static str,
    /// Its port for plain connections. It outlives a restart.
    pub(crate) port: u16,
    /// Its port for TLS, where [`Options::tls`] asked for one.
    pub(crate) tls_port: Option<u16>,
    /// The certificate that the TLS port shows, as a PEM file: what a client has to trust.
    pub(crate) tls_certificate: Option<PathBuf>,
    /// The name that the server calls itself, unique on this machine. Readiness is a greeting from this very name, not
    /// from whatever else may listen on a port.
    pub(crate) server_name: String,
    // Before `ircd`: services end before the server they are linked to.
    services: Option<Process>,
    ircd: Process,
}

impl Network {
    /// Ends the IRC server at once, as a crash would; its services stay and try to link again.
    pub(crate) fn kill(&mut self) {
        self.ircd.kill();
    }

    /// Starts the IRC server again on the same ports, with its services where it has some. It is killed first where it
    /// still runs, and this waits until it answers. Accounts stay, channels and connections are gone.
    pub(crate) async fn restart(&mut self) {
        self.ircd.kill();
        self.ircd.start();
        // The old connections may hold the port for a moment: the server is started again until it has it.
        let mut tries = 0;
        while let Err(reason) = self.answers().await {
            tries += 1;
            assert!(tries < START_TRIES, "the server did not come back: {reason}");
            self.ircd.kill();
            self.ircd.start();
        }
        if self.services.is_some() {
            self.services_are(true).await;
        }
    }

    /// Stops the server in its tracks without closing anything, as a stalled network looks to its clients.
    pub(crate) fn freeze(&self) {
        self.ircd.signal(Signal::STOP);
    }

    /// Lets a frozen server go on.
    pub(crate) fn thaw(&self) {
        self.ircd.signal(Signal::CONT);
    }

    /// Ends the services alone, in order, so that they keep their accounts. Nobody can prove an account any longer, and
    /// those who have one on the network keep it.
    pub(crate) async fn stop_services(&mut self) {
        let services = self.services.as_mut().expect("the network was started with services");
        services.signal(Signal::TERM);
        let ended = tokio::time::timeout(Duration::from_secs(START_MAX_SECONDS), async {
            while services.ended().is_none() {
                look_again().await;
            }
        });
        assert!(ended.await.is_ok(), "the services did not stop in {START_MAX_SECONDS} s{}", services.log());
        services.kill();
        self.services_are(false).await;
    }

    /// Starts services that are not running, and waits until they answer.
    pub(crate) async fn start_services(&mut self) {
        self.services.as_mut().expect("the network was started with services").start();
        self.services_are(true).await;
    }

    /// Makes an account, whose name is the nick of the connection that registers it.
    pub(crate) async fn register_account(&self, name: &str, password: &str) {
        let mut client = Client::connect(self, name).await;
        client.say("NickServ", &format!("REGISTER {password} {name}@example.org")).await;
        client.expect_text("NickServ", "is now registered").await;
        client.quit().await;
    }

    /// Whether this very server greets a client, told apart from others by its name.
    async fn answers(&mut self) -> Result<(), String> {
        let started = tokio::time::timeout(Duration::from_secs(START_MAX_SECONDS), async {
            loop {
                if let Some(end) = self.ircd.ended() {
                    return Err(end);
                }
                if let Ok(client) = Client::try_connect(self.host, self.port, "readiness").await {
                    let greeter = client.server.clone();
                    client.quit().await;
                    return if greeter == self.server_name {
                        Ok(())
                    } else {
                        Err(format!("{greeter} has port {}", self.port))
                    };
                }
                look_again().await;
            }
        });
        started.await.unwrap_or_else(|_| Err(format!("no greeting in {START_MAX_SECONDS} s{}", self.ircd.log())))
    }

    /// Waits until `NickServ` is on the network, or is gone from it: the server may notice either a moment late.
    async fn services_are(&mut self, there: bool) {
        let mut client = Client::connect(self, "readiness").await;
        let seen = tokio::time::timeout(Duration::from_secs(START_MAX_SECONDS), async {
            loop {
                if let Some(end) = self.services.as_mut().and_then(Process::ended) {
                    panic!("the services ended: {end}");
                }
                client.send("ISON NickServ").await;
                let answer = client.expect("the answer to ISON", |message| message.command == "303").await;
                if (answer.text().trim() == "NickServ") == there {
                    return;
                }
                look_again().await;
            }
        });
        if seen.await.is_err() {
            let log = self.services.as_ref().map(Process::log).unwrap_or_default();
            panic!("the services did not {} in {START_MAX_SECONDS} s{log}", if there { "link" } else { "leave" });
        }
        client.quit().await;
    }
}

/// Starts an IRC server from what `configure` writes, on other ports each time until it answers.
async fn start(configure: impl Fn(String) -> Network) -> Network {
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let mut reasons = Vec::new();
    for _ in 0..START_TRIES {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let mut network = configure(format!("p{}n{number}.test", std::process::id()));
        network.ircd.start();
        match network.answers().await {
            Ok(()) => return network,
            Err(reason) => reasons.push(reason),
        }
    }
    panic!("the server did not start in {START_TRIES} tries:\n{}", reasons.join("\n"));
}

/// A pause in a bounded loop that watches something outside this process.
async fn look_again() {
    tokio::time::sleep(Duration::from_millis(LOOK_AGAIN_MILLISECONDS)).await;
}

/// A port on loopback that nothing listens on. It lies below the range that the system hands to outgoing connections,
/// so that no client takes it. It differs from every other port that this process was given.
fn free_port() -> u16 {
    const FIRST: u16 = 12_000;
    const COUNT: u16 = 20_000;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Test processes of several checkouts start at different places.
    let offset = (std::process::id().wrapping_mul(251) % u32::from(COUNT)) as u16;
    (0..COUNT)
        .map(|_| {
            let step = NEXT.fetch_add(1, Ordering::Relaxed);
            FIRST + ((u32::from(offset) + u32::from(step)) % u32::from(COUNT)) as u16
        })
        .find(|port| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("one of twenty thousand ports is free")
}

/// A folder for one server, which that server's user owns.
struct Folder {
    folder: TempDir,
    user: Option<User>,
}

/// Whom a server runs as.
#[derive(Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl Folder {
    /// Makes an empty folder. Servers refuse to run as root: root's tests run them as Debian's user `irc`, or as
    /// `nobody`.
    fn new(server: Server) -> Self {
        let user = geteuid().is_root().then(|| {
            let users = std::fs::read_to_string("/etc/passwd").expect("a system has its list of users");
            ["irc", "nobody"].iter().find_map(|name| find_user(&users, name)).expect("a user to run servers as")
        });
        let folder = tempfile::Builder::new()
            .prefix(&format!("rulekeeper-{}-", server.program()))
            .tempdir()
            .expect("the temporary folder is writable");
        let this = Self { folder, user };
        this.give(this.path());
        this
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file that the server may read, and returns where it lies.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).expect("the folder of a server is writable");
        self.give(&path);
        path
    }

    /// Hands a file to the server's user.
    fn give(&self, path: &Path) {
        if let Some(User { uid, gid }) = self.user {
            std::os::unix::fs::chown(path, Some(uid), Some(gid)).expect("root may give files away");
        }
    }
}

/// A user's ids in a list of users as `/etc/passwd` has it.
fn find_user(users: &str, name: &str) -> Option<User> {
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut ids = line.split(':').skip(2).map(|id| id.parse::<u32>().ok());
    Some(User { uid: ids.next()??, gid: ids.next()?? })
}

/// One server process with its watcher, in a process group of their own. Dropping it kills the group.
struct Process {
    server: Server,
    arguments: Vec<String>,
    child: Option<Child>,
    // Last: the folder goes when the process is gone.
    folder: Folder,
}

impl Process {
    /// Describes a process; nothing runs yet.
    fn new(server: Server, arguments: Vec<String>, folder: Folder) -> Self {
        Self { server, arguments, child: None, folder }
    }

    fn start(&mut self) {
        // Standard input is a pipe whose other end this process holds. When it closes, the watcher kills the server,
        // takes away the folder, and ends itself.
        const WATCHED: &str = r#"
            exec 3<&0 </dev/null
            { read -r line <&3; kill -KILL $$; rm -rf -- "$0"; } &
            exec "$@" 3<&-
        "#;
        assert!(self.child.is_none(), "{} is already running", self.server.program());
        let executable = self.server.executable().expect("needs_servers! has looked for it");
        let folder = self.folder.path();
        let output = std::fs::File::create(folder.join("output")).expect("the folder of a server is writable");
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(WATCHED).arg(folder).arg(executable).args(&self.arguments);
        command.current_dir(folder).env("HOME", folder).process_group(0).stdin(Stdio::piped());
        command.stdout(output.try_clone().expect("a file can be opened twice")).stderr(output);
        if let Some(User { uid, gid }) = self.folder.user {
            command.uid(uid).gid(gid);
        }
        self.child = Some(command.spawn().expect("a shell starts"));
    }

    /// How the process ended, with its last words, or `None` while it runs.
    fn ended(&mut self) -> Option<String> {
        let status = self.child.as_mut()?.try_wait().expect("a child can be waited for")?;
        Some(format!("{} ended: {status}{}", self.server.program(), self.log()))
    }

    /// The last lines that the process wrote: to its log, or to its output where it did not get that far.
    fn log(&self) -> String {
        let read = |name| std::fs::read(self.folder.path().join(name)).ok().filter(|text| !text.is_empty());
        let text = read("log").or_else(|| read("output")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(LOG_SHOWN_LINES)..].iter().map(|line| format!("\n    {line}")).collect()
    }

    /// Signals the server, not its watcher.
    fn signal(&self, signal: Signal) {
        let child = self.child.as_ref().expect("the process was started");
        kill_process(Pid::from_child(child), signal).expect("a child that is not yet waited for can be signalled");
    }

    /// Kills the process and its watcher, and waits until it is gone. Does nothing where none runs.
    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // The group is still ours: even where its leader is gone, its watcher waits on our pipe.
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            child.wait().expect("a killed child can be waited for");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
