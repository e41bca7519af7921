//! Watching: who may, what is seen, and that hidden programs stay hidden.

use serde_json::json;

use crate::{
    games::joust::testkit::{Kit, Mode},
    kernel::{
        display::{Block, Document},
        engine::View,
        game::Viewer,
    },
};

/// Two programs of Ann's and one of Bob's on the Hill; Ann's rush is revealed, the others hide.
fn kit() -> Kit {
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    let rush = format!("{}[-]", ">".repeat(150));
    for (who, name, code) in [("Ann", "Rush", rush.as_str()), ("Ann", "Wait", "."), ("Bob", "Trip", "+[.]<")] {
        kit.act(who, json!({"submit": {"name": name, "code": code}})).unwrap();
        while kit.work() {}
    }
    kit.act("Ann", json!({"reveal": {"name": "Rush"}})).unwrap();
    kit
}

/// What the service would show.
fn played(kit: &Kit, id: &str) -> Document {
    let document = View::display(kit.state(), id, &Viewer::default()).unwrap();
    let [Block::Played { work }] = &document.blocks[..] else { panic!("{document:?}") };
    serde_json::from_value(kit.play(work).unwrap()).unwrap()
}

#[test]
fn who_hides_is_not_watched_and_the_refusal_names_the_rule() {
    let kit = kit();
    for (id, who, says) in [
        ("watch/Rush/Trip/151", "Ann", "Trip is hidden"),
        ("watch/Trip/Rush/151", "Ann", "Trip is hidden"),
        ("watch/Rush/joust3/151", "Ann", "joust3 is hidden"),
        ("watch/Wait/Rush/151", "Bob", "Wait is hidden"),
    ] {
        let refusal = kit.show_own(id, who).unwrap_err();
        assert!(refusal.say.contains(says), "{id}: {refusal:?}");
        assert!(format!("{refusal:?}").contains("REVEALING, J35"), "{refusal:?}");
    }
    let refusal = kit.show_in_public("watch/Wait/Rush/151", "Ann").unwrap_err();
    assert!(refusal.say.contains("privately"), "{refusal:?}");
    assert!(kit.show("watch/Wait/Rush/151").is_err());
    // Given that neither hides from whoever looks, then it is shown.
    assert!(kit.show_own("watch/Wait/Rush/151", "Ann").is_ok());
    assert!(kit.show("watch/Rush/Rush/151").is_ok());
}

#[test]
fn a_length_or_cycle_that_no_charge_has_is_refused() {
    let kit = kit();
    for id in ["watch/Rush/Rush/134", "watch/Rush/Rush/168", "watch/Rush/Rush/x", "watch/Rush/Rush/151/384001"] {
        assert!(kit.show(id).unwrap_err().say.contains(" to "), "{id}");
    }
}

#[test]
fn a_charge_is_told_in_words() {
    let mut kit = kit();
    kit.act("Ann", json!({"reveal": {"name": "Wait"}})).unwrap();
    insta::assert_snapshot!(kit.show("watch/Rush/Wait/151").unwrap());
    insta::assert_snapshot!(kit.show("watch/Rush/Wait/151/200").unwrap());
}

#[test]
fn a_picture_has_a_row_for_each_cell_and_a_column_for_each_moment() {
    let mut kit = kit();
    kit.act("Ann", json!({"reveal": {"name": "Wait"}})).unwrap();
    // When a charge of 406 cycles is seen as a whole, then every second cycle is a column, and the last.
    let document = played(&kit, "watch/Rush/Wait/151");
    let Some(Block::Raster(raster)) = document.blocks.iter().find(|block| matches!(block, Block::Raster(_))) else {
        panic!("{document:?}")
    };
    assert_eq!(raster.rows.len(), 151);
    assert!(raster.rows.iter().all(|row| row.len() == 204), "{}", raster.rows[0].len());
    assert!(raster.rows[0].starts_with("Leee") && raster.rows[150].starts_with('R'));
    assert!(raster.rows[150].ends_with('X'), "{}", raster.rows[150]);
    assert_eq!(document.plays.as_deref(), Some("watch/Rush/Wait/151/0"));
    // When it is seen from a cycle on, then each is a column, and the film goes on until the end.
    let document = played(&kit, "watch/Rush/Wait/151/100");
    assert_eq!(document.plays.as_deref(), Some("watch/Rush/Wait/151/130"));
    assert_eq!(played(&kit, "watch/Rush/Wait/151/300").plays, None);
}

#[test]
fn a_breakdown_tells_every_length_of_open_programs_and_totals_of_hidden_ones() {
    let kit = kit();
    let open = kit.show("breakdown/Rush/joust3").unwrap();
    assert!(open.contains("lengths") && open.contains("cycles"), "{open}");
    let own = kit.show_own("breakdown/Wait/Rush", "Ann").unwrap();
    insta::assert_snapshot!(own);
    // Given that one hides, then nothing is told that its challenge did not tell.
    let hidden = kit.show_own("breakdown/Trip/joust3", "Ann").unwrap();
    assert!(hidden.contains("REVEALING, J35") && hidden.contains("In challenge 3 Trip won"), "{hidden}");
    let words = ["lengths", "flag", "edge", "cap"];
    assert!(!words.iter().any(|word| hidden.contains(word)), "{hidden}");
    let met = View::display(kit.state(), "breakdown/Trip/joust3", &Viewer::default()).unwrap();
    assert!(met.blocks.iter().all(|block| matches!(block, Block::Para(_))), "nothing is played: {met:?}");
}
