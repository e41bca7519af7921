//! What the ministries of B Nomic show, as pages: the same as everywhere, with links, and as JSON beside it.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::Value as Json;

use super::Site;
use crate::ministries::{DISPLAYS, PLAYED, SHOWN};

/// What stands on a page, without its markup.
fn visible(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        text.push(' ');
    }
    text.replace("&amp;", "&").replace("&#34;", "\"").replace("&#39;", "'").replace("&gt;", ">").replace("&lt;", "<")
}

#[tokio::test]
async fn every_ministry_of_b_nomic_shows_its_displays_on_the_pages() {
    let mut site = Site::empty().await;
    site.say("Goethe", "room open bnomic main founders:\"Ann, Bob\"").await;
    for (who, said) in PLAYED {
        site.say(who, said).await;
    }
    let listed: BTreeSet<String> =
        site.hub.rooms()[0].view().displays().into_iter().filter_map(|cell| cell.shows).collect();
    for listed in listed.iter().filter(|id| !id.contains('/') && *id != "eras") {
        assert!(DISPLAYS.iter().any(|(display, _)| display == listed), "{listed} is looked at nowhere");
    }
    let room = site.page("/room/main").await;
    for (index, (display, title)) in DISPLAYS.into_iter().enumerate() {
        assert!(room.contains(&format!("/x/room/main/show/{display}\"")), "the room's page leads to no {display}");
        let answer = site.get_as(&format!("/room/main/show/{display}"), index).await;
        assert_eq!(answer.status, StatusCode::OK, "{display}: {}", answer.text);
        assert!(visible(&answer.text).contains(title), "{display}: {}", visible(&answer.text));
        let beside = site.get_as(&format!("/room/main/show/{display}.json"), index).await;
        let json: Json = serde_json::from_str(&beside.text).unwrap_or_else(|why| panic!("{display}: {why}"));
        assert!(json.to_string().contains(title), "{display}: {json}");
    }
    for (index, (display, parts)) in SHOWN.into_iter().enumerate() {
        let page = visible(&site.get_as(&format!("/room/main/show/{display}"), 100 + index).await.text);
        for part in parts {
            assert!(page.contains(part), "{part:?} in {display}: {page}");
        }
    }
    // What a display names can be followed.
    let proposals = site.page("/room/main/show/proposals").await;
    assert!(proposals.contains("/x/room/main/show/proposal/1\""), "{proposals}");
    let ministries = site.page("/room/main/show/ministries").await;
    assert!(
        ministries.contains("/x/room/main/rule/15\"") || ministries.contains("/x/room/main/rule/4E15\""),
        "{ministries}"
    );
}
