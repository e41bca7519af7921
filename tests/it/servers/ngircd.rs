//! ngIRCd: a plain IRC server. No services, no account tags: the network on which nobody can prove who they are.

use crate::{
    harness::Server,
    servers::{Flood, Folder, Network, OPERATOR, Options, Process, free_port, start},
};

/// Starts ngIRCd on a free port and waits until it answers.
pub(crate) async fn ngircd(options: Options) -> Network {
    assert!(!options.tls, "only InspIRCd is started with TLS");
    start(|server_name| {
        let port = free_port();
        let folder = Folder::new(Server::Ngircd);
        let config = folder.write("ngircd.conf", &config(&server_name, port, options.flood));
        let arguments = vec!["-n".into(), "-f".into(), config.display().to_string()];
        Network {
            host: "127.0.0.1",
            port,
            tls_port: None,
            tls_certificate: None,
            server_name,
            services: None,
            ircd: Process::new(Server::Ngircd, arguments, folder),
        }
    })
    .await
}

fn config(server_name: &str, port: u16, flood: Flood) -> String {
    let (operator, password) = OPERATOR;
    let penalty = match flood {
        Flood::Lax => "MaxPenaltyTime = 0",
        Flood::Default => "",
    };
    format!(
        "[Global]
Name = {server_name}
Info = Tests
Listen = 127.0.0.1
Ports = {port}
AdminInfo1 = Tests
AdminEMail = tests@example.org
MotdPhrase = Tests

[Limits]
MaxConnectionsIP = 0
MaxJoins = 0
MaxNickLength = 30
{penalty}

[Options]
DNS = no
Ident = no
PAM = no
OperCanUseMode = yes
SyslogFacility = local7

[Operator]
Name = {operator}
Password = {password}
"
    )
}
