//! What a room of Spacenomic shows, as pages: the map as a picture with a table, rules and proposals with their links.

use axum::http::StatusCode;
use serde_json::Value as Json;

use super::Site;

/// A room in which Goethe made a proposal that passed and one that waits, and stands somewhere.
async fn played() -> Site {
    let mut site = Site::empty().await;
    site.say("Goethe", "room open spacenomic main ends:2027-06-30").await;
    site.say("Goethe", "propose \"Dear\" => amend rule 14: replace \"32\" with \"30 + 1/2\"\n=> colour rule 14 as red because it is dear").await;
    site.say("Goethe", "vote Dear 1").await;
    site.say("Goethe", "propose \"Tea & <b>Cake</b>\" => encourage tea").await;
    site.whisper("Goethe", "move set go (1, 1)").await;
    site.pass(jiff::SignedDuration::from_hours(28)).await;
    site.whisper("Goethe", "move set cut (0, 1)").await;
    site
}

#[tokio::test]
async fn the_map_is_a_picture_with_links_and_a_table() {
    let site = played().await;
    let page = site.page("/room/main/show/space").await;
    assert!(page.contains("<svg") && page.contains("<table"), "{page}");
    assert!(page.contains("(1, 1)") && page.contains("Goethe") && page.contains("god"), "{page}");
    let around = site.page("/room/main/show/space/2,2").await;
    assert!(around.contains("<svg") && around.contains("(2, 2)"), "{around}");
    let json: Json = serde_json::from_str(&site.page("/room/main/show/space.json").await).expect("it is JSON");
    assert!(json.to_string().contains("Goethe"), "{json}");
}

#[tokio::test]
async fn rules_and_proposals_have_pages_and_sealed_moves_have_none() {
    let site = played().await;
    let rule = site.page("/room/main/rule/14").await;
    assert!(rule.contains("30 + 1/2") && rule.contains("Version 1") && rule.contains("vertex-price"), "{rule}");
    let list = site.page("/room/main/show/proposals").await;
    assert!(list.contains("/x/room/main/show/proposal/2\""), "{list}");
    let proposal = site.page("/room/main/show/proposal/2").await;
    assert!(proposal.contains("encourage tea") && !proposal.contains("<b>Cake"), "{proposal}");
    let moves = site.page("/room/main/show/moves").await;
    assert!(moves.contains("sealed") && !moves.contains("cut ("), "{moves}");
    let yours = site.get("/room/main/show/yours").await;
    assert_ne!(yours.status, StatusCode::OK, "{}", yours.text);
    assert!(!yours.text.contains("cut ("), "{}", yours.text);
}
