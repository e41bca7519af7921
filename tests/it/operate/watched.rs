//! What an operator watches: counts, and whether the process that serves is well.

use std::{net::TcpListener, process::Stdio};

use jiff::SignedDuration;
use port::{clock::Clock, entropy::Entropy, gallery::Gallery};
use rulekeeper::service::{Hub, settings::Settings};
use rustix::process::Signal;
use store::Store;

use crate::{
    console::{Home, Running},
    house::{Folder, House, MODERATOR, START, at},
    operate::{said, trace::deliver_all},
};

/// A count of a process, with what stands behind its name.
async fn samples(hub: &Hub, name: &str) -> Vec<(String, f64)> {
    let metrics = Gallery::metrics(hub).await;
    let metric = metrics.into_iter().find(|metric| metric.name == name).expect("there is such a count");
    metric.samples
}

fn sample(rest: &str, value: f64) -> (String, f64) {
    (rest.to_owned(), value)
}

#[tokio::test]
async fn it_is_counted_how_long_the_oldest_announcement_of_each_service_has_waited() {
    const OLDEST: &str = "rulekeeper_outbox_oldest_seconds";
    let mut house = House::with_contest(":memory:").await;
    deliver_all(&house).await;
    assert_eq!(samples(&house.hub, OLDEST).await, []);
    house.clock.advance_to(house.clock.now() + SignedDuration::from_secs(10));
    house.does(MODERATOR, "joust adjudicate Begun.").await;
    house.clock.advance_to(house.clock.now() + SignedDuration::from_secs(90));
    house.does(MODERATOR, "joust adjudicate Done.").await;
    house.clock.advance_to(house.clock.now() + SignedDuration::from_secs(5));
    assert_eq!(samples(&house.hub, OLDEST).await, [sample("{service=\"test\"}", 95.0)]);
    assert!(deliver_all(&house).await > 1);
    assert_eq!(samples(&house.hub, OLDEST).await, []);

    let services = vec!["irc:net".to_owned(), "discord".to_owned()];
    let settings = Settings { services, ..Settings::default() };
    let store = Store::in_memory().await.unwrap();
    let hub = Hub::open(store, Clock::manual(at(START)), Entropy::System, settings).await.unwrap();
    let idle = [sample("{service=\"discord\"}", 0.0), sample("{service=\"irc:net\"}", 0.0)];
    assert_eq!(samples(&hub, OLDEST).await, idle, "a configured service is there before anything waits");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_counted_how_often_another_process_was_first() {
    let folder = Folder::new();
    let mut one = House::with_contest(&folder.database()).await;
    let mut other = House::open(&folder.database()).await;
    let counts = async |house: &House| {
        let count = async |name| samples(&house.hub, name).await[0].1;
        (count("rulekeeper_commits_total").await, count("rulekeeper_conflicts_total").await)
    };
    let (before, nothing) = (counts(&one).await, counts(&other).await);
    assert_eq!((before.1, nothing), (0.0, (0.0, 0.0)));
    one.does("Ann", "join").await;
    other.does("Bob", "join").await;
    assert_eq!(counts(&one).await, (before.0 + 1.0, 0.0));
    assert_eq!(counts(&other).await, (1.0, 1.0), "it decided again");
    let connections = samples(&one.hub, "rulekeeper_connections").await;
    assert!(connections.iter().map(|(_, count)| count).sum::<f64>() >= 1.0, "{connections:?}");
    one.close().await;
    other.close().await;
}

#[test]
fn whoever_watches_learns_whether_the_process_that_serves_is_well() {
    let home = Home::new();
    let web = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").to_string();
    let health = |web: &str| said(&home.command(&["health"]).env("RULEKEEPER_WEB", web).output().unwrap());
    let (code, text) = health("off");
    assert!(code == Some(2) && text.contains("RULEKEEPER_WEB"), "{text}");
    let (code, text) = health(&web);
    assert!(code == Some(1) && text.contains(&format!("Nothing answers at {web}")), "{text}");

    let mut command = home.command(&["serve"]);
    let mut child = command.env("RULEKEEPER_WEB", &web).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut served = Running::reading(child.stderr.take().expect("its log is piped"), child);
    served.hear("the web listens");
    let (code, text) = health(&web);
    assert!(code == Some(0) && text.contains("is well"), "{text}");
    assert!(served.signal(Signal::TERM).0.success());
    let (code, text) = health(&web);
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn backups_go_on_until_they_are_stopped_and_come_beside_the_running_bot() {
    let home = Home::new();
    home.say("room open joust main\njoust start\n");
    std::fs::create_dir(home.path("copies")).unwrap();
    let arguments = ["backup", "copies", "--every", "1d", "--keep", "1"];
    let start = || {
        let mut child = home.command(&arguments).stdout(Stdio::piped()).spawn().expect("it starts");
        Running::reading(child.stdout.take().expect("its output is piped"), child)
    };
    let mut first = start();
    first.hear("1 backup in copies.");
    let (status, _) = first.signal(Signal::TERM);
    assert!(status.success(), "{status}");
    let copies = || {
        let files = std::fs::read_dir(home.path("copies")).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let [copy] = &copies()[..] else { panic!("{:?}", copies()) };
    let (code, text) = said(&home.run(&["verify", "--database", &format!("copies/{copy}")]));
    assert!(code == Some(0) && text.contains("@main"), "{text}");

    // A copy of long ago goes once there is a newer one.
    std::fs::rename(home.path("copies").join(copy), home.path("copies/rulekeeper-20200102T030405Z.db")).unwrap();
    let mut second = start();
    second.hear("rulekeeper-20200102T030405Z.db was the oldest");
    second.hear("1 backup in copies.");
    assert!(second.signal(Signal::TERM).0.success());
    assert!(copies().len() == 1 && copies() != ["rulekeeper-20200102T030405Z.db"], "{:?}", copies());

    for wrong in [&["backup", "copies", "--every", "often"][..], &["backup", "copies", "--keep", "3"]] {
        let (code, text) = said(&home.run(wrong));
        assert_eq!(code, Some(2), "{text}");
    }
    let (code, text) = said(&home.run(&["backup", "nowhere", "--every", "1d"]));
    assert!(code == Some(2) && text.contains("no folder nowhere"), "{text}");
}
