//! Atheme: the services of a network, where people have accounts. It runs beside an InspIRCd and ends with it.

use crate::{
    harness::Server,
    servers::{
        Folder, Process,
        inspircd::{LINK_PASSWORD, SERVICES_NAME},
    },
};

/// The services for the server of that name, which takes them on `link_port`. Not started yet.
pub(super) fn process(server_name: &str, link_port: u16) -> Process {
    let folder = Folder::new(Server::Atheme);
    let config = folder.write("atheme.conf", &config(server_name, link_port));
    let at = |name: &str| folder.path().join(name).display().to_string();
    let arguments = vec![
        "-n".into(),
        "-c".into(),
        config.display().to_string(),
        "-D".into(),
        folder.path().display().to_string(),
        "-l".into(),
        at("log"),
        "-p".into(),
        at("pid"),
    ];
    Process::new(Server::Atheme, arguments, folder)
}

fn config(server_name: &str, link_port: u16) -> String {
    const MODULES: [&str; 16] = [
        "protocol/inspircd",
        "backend/opensex",
        "crypto/pbkdf2v2",
        "nickserv/main",
        "nickserv/register",
        "nickserv/identify",
        "nickserv/logout",
        "nickserv/info",
        "nickserv/group",
        "nickserv/ghost",
        "nickserv/enforce",
        "nickserv/set_core",
        "saslserv/main",
        "saslserv/plain",
        "chanserv/main",
        "operserv/main",
    ];
    let modules: String = MODULES.map(|name| format!("loadmodule \"modules/{name}\";\n")).concat();
    // The fewest rounds that the hash takes: a real network's would cost every test a tenth of a second a login.
    format!(
        r#"{modules}
crypto {{ pbkdf2v2_digest = "SHA256"; pbkdf2v2_rounds = 10000; }};
serverinfo {{
    name = "{SERVICES_NAME}"; desc = "Services"; numeric = "00A"; netname = "Tests"; hidehostsuffix = "users.test";
    adminname = "Tests"; adminemail = "tests@example.org"; registeremail = "tests@example.org";
    recontime = 1; restarttime = 0; mta = "/bin/true"; loglevel = {{ error; info; network; }};
    maxlogins = 100; maxusers = 0; maxnicks = 100; maxchans = 100; auth = none; casemapping = rfc1459;
}};
uplink "{server_name}" {{
    host = "127.0.0.1"; port = {link_port}; send_password = "{LINK_PASSWORD}"; receive_password = "{LINK_PASSWORD}";
}};
nickserv {{ nick = "NickServ"; user = "NickServ"; host = "services.test"; real = "NickServ"; aliases {{ }}; }};
saslserv {{ nick = "SaslServ"; user = "SaslServ"; host = "services.test"; real = "SaslServ"; }};
chanserv {{ nick = "ChanServ"; user = "ChanServ"; host = "services.test"; real = "ChanServ"; aliases {{ }}; }};
operserv {{ nick = "OperServ"; user = "OperServ"; host = "services.test"; real = "OperServ"; aliases {{ }}; }};
general {{
    flood_msgs = 0; flood_time = 10; ratelimit_uses = 0; ratelimit_period = 60;
    commit_interval = 5; expiry_time = 0; clone_time = 0;
}};
"#
    )
}
