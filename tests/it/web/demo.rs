//! The pages of `rulekeeper demo` as a newcomer sees them, in a browser: at a desk and on a phone, by day and by night.
//! `RULEKEEPER_SCREENSHOTS=docs/pictures cargo test --test it web::demo` draws their pictures anew.

use std::{path::Path, process::Stdio};

use super::browser::{Browser, SCREENSHOTS};
use crate::{
    console::{Home, Running},
    harness::needs_servers,
};

/// Most of a page's height that its picture shows, in pixels.
const PICTURE_MAX_PIXELS: u64 = 1300;

/// What is looked at, and which looks of it have a picture.
const PAGES: [(&str, &str, &[&str]); 8] = [
    ("front", "/", &["", "-dark"]),
    ("proposal", "/room/dynasty/show/proposal/3", &["", "-dark", "-phone"]),
    ("rulebook", "/room/dynasty/rulebook", &["", "-dark"]),
    ("room", "/room/nomic", &["-phone", "-phone-dark"]),
    ("film", "/room/hill/show/film/Alpha/joust3/151", &["", "-dark", "-phone"]),
    ("map", "/room/space/show/map", &["-phone"]),
    ("hill", "/room/hill/show/hill", &[]),
    ("club", "/room/club", &[]),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pages_of_the_demo_fit_desks_and_phones_by_day_and_night() {
    needs_servers!(Chromium);
    let home = Home::new();
    let mut command = home.command(&["demo"]);
    command.env("RULEKEEPER_WEB", "127.0.0.1:0").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut demo = Running::reading(child.stdout.take().expect("its output is piped"), child);
    let link = demo.hear("Web pages: ");
    let site = link.rsplit_once(' ').expect("an address").1.to_owned();

    let folder = std::env::var_os(SCREENSHOTS);
    let mut browser = Browser::start().await;
    for (name, path, pictures) in PAGES {
        let all = [("", 1280, false), ("-phone-dark", 390, true), ("-phone", 390, false), ("-dark", 1280, true)];
        let looks = if folder.is_some() { all.len() } else { 2 };
        for (look, width, dark) in all.into_iter().take(looks) {
            browser.look(width, dark).await;
            browser.open(&format!("{site}{path}")).await;
            let (beyond, height, _) = browser.measure().await;
            assert!(beyond <= 0, "{path} reaches {beyond} pixels beyond a window of {width}");
            if let Some(folder) = folder.as_ref().filter(|_| pictures.contains(&look)) {
                let height = height.min(PICTURE_MAX_PIXELS);
                browser.picture(Path::new(folder), &format!("web-{name}{look}"), width, height).await;
            }
        }
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    browser.close().await;
}
