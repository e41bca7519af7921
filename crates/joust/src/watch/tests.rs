//! Watching: who may, what is seen, and that hidden programs stay hidden.

use serde_json::json;

use crate::testkit::{Kit, Mode};
use kernel::{
    display::{Block, Document, Picture},
    engine::View,
    viewer::Viewer,
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
        ("watch/Rush/Trip/151", "Ann", "code of Trip is hidden"),
        ("watch/Trip/Rush/151", "Ann", "code of Trip is hidden"),
        ("watch/Trip/joust3/151", "Ann", "code of Trip is hidden"),
        ("watch/Wait/Rush/151", "Bob", "code of Wait is hidden"),
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
    // The bot's own are public with its source.
    assert!(kit.show("watch/Rush/joust3/151").is_ok() && kit.show("watch/joust3/joust4/151").is_ok());
}

#[test]
fn a_match_leads_to_a_closer_look_where_nothing_hides() {
    let kit = kit();
    let house: Vec<String> = kit.hill().into_iter().filter(|name| name.starts_with("joust")).collect();
    let pair = format!("{}/{}", house[0], house[1]);
    let open = kit.show(&format!("match/{pair}")).unwrap();
    assert!(open.contains(&format!("show breakdown/{pair}")), "{open}");
    assert!(open.contains(&format!("show watch/{pair}/151")), "{open}");
    let hidden = kit.show(&format!("match/Trip/{}", house[0])).unwrap();
    assert!(!hidden.contains("breakdown") && !hidden.contains("watch"), "{hidden}");
    // And from each row of a breakdown to its first charge.
    let document = played(&kit, &format!("breakdown/{pair}"));
    let json = serde_json::to_string(&document).unwrap();
    assert!(json.contains(&format!("watch/{pair}/135")), "{json}");
}

#[test]
fn where_both_lose_a_breakdown_tells_what_by() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    let rush = format!("{}>[-]", ">".repeat(134));
    for (name, code) in [("Fall", rush.as_str()), ("Drop", "<")] {
        kit.act("Ann", json!({"submit": {"name": name, "code": code}})).unwrap();
        while kit.work() {}
        kit.act("Ann", json!({"reveal": {"name": name}})).unwrap();
    }
    // At 135 cells both run off the array, at 136 both come to the other's flag.
    let told = kit.show("breakdown/Fall/Fall").unwrap();
    assert!(told.contains("nobody") && told.contains("both edge") && told.contains("both flag"), "{told}");
    assert!(kit.show("breakdown/Fall/Drop").unwrap().contains("edge"));
}

#[test]
fn no_test_is_suggested_that_would_be_refused() {
    let mut kit = kit();
    kit.act("Bob", json!({"submit": {"name": "Late", "code": "<"}})).unwrap();
    while kit.work() {}
    kit.act("Bob", json!({"submit": {"name": "Later", "code": ".<"}})).unwrap();
    for (id, who, instead) in [
        ("breakdown/Late/Later", "Ann", "joust test CODE against Late"),
        ("breakdown/Late/Later", "Bob", ""),
        ("breakdown/Later/Wait", "Ann", "joust test Wait against Later"),
    ] {
        match kit.show_own(id, who) {
            Ok(_) => assert_eq!(instead, "", "{id} {who}"),
            Err(refusal) => assert!(format!("{refusal:?}").contains(instead), "{id} {who}: {refusal:?}"),
        }
    }
}

#[test]
fn no_breakdown_is_suggested_that_tells_nothing() {
    let mut kit = kit();
    for (name, code) in [("Mine", "<"), ("Other", ".<")] {
        kit.act("Goethe", json!({"add": {"name": name, "code": code}})).unwrap();
    }
    for (id, who, instead) in [
        // Both met in a challenge, of which a breakdown tells the totals.
        ("watch/Trip/joust3/151", "Ann", "joust breakdown Trip joust3"),
        ("watch/Mine/Other/151", "Ann", "joust test CODE against Mine"),
        ("watch/Wait/Mine/151", "Ann", "joust test Wait against Mine"),
        ("watch/Mine/Rush/151", "Ann", "joust test Rush against Mine"),
    ] {
        let refusal = kit.show_own(id, who).unwrap_err();
        assert!(refusal.say.contains("is hidden"), "{id}: {refusal:?}");
        assert_eq!(refusal.instead.as_deref(), Some(instead), "{id}");
    }
    // What is one's own is watched privately; where that would not help, that is not what is said.
    let refusal = kit.show_in_public("watch/Wait/Rush/151/20", "Ann").unwrap_err();
    assert_eq!(refusal.instead.as_deref(), Some("joust watch Wait Rush 151 20"));
    let refusal = kit.show_in_public("watch/Wait/Mine/151", "Ann").unwrap_err();
    assert!(refusal.say.contains("code of Mine is hidden"), "{refusal:?}");
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
fn two_programs_of_one_name_are_told_apart_by_number() {
    let mut kit = kit();
    kit.act("Goethe", json!({"add": {"name": "Same", "code": "<"}})).unwrap();
    let first = kit.program("Same").id;
    kit.act("Goethe", json!({"reveal": {"name": "Same"}})).unwrap();
    kit.act("Goethe", json!({"retract": {"name": "Same"}})).unwrap();
    kit.act("Ann", json!({"submit": {"name": "Same", "code": "."}})).unwrap();
    kit.act("Ann", json!({"reveal": {"name": "Same"}})).unwrap();
    let told = kit.show(&format!("watch/Same/{first}/151/1")).unwrap();
    assert!(told.contains(&format!("Same against #{first} on 151 cells")), "{told}");
    assert!(told.contains(&format!("Same wins in cycle 1: #{first} leaves the array.")), "{told}");
    // And where it stands then is no cell.
    assert!(told.contains(&format!("#{first} has left the array and has ended")), "{told}");
    let told = kit.show(&format!("breakdown/Same/{first}")).unwrap();
    assert!(told.contains(&format!("Same wins 33 charges, #{first} wins 0 charges")), "{told}");
}

#[test]
fn a_picture_has_a_row_for_each_cell_and_a_column_for_each_moment() {
    let mut kit = kit();
    kit.act("Ann", json!({"reveal": {"name": "Wait"}})).unwrap();
    // When a charge of 406 cycles is seen as a whole, then every second cycle is a column, and the last.
    let document = played(&kit, "watch/Rush/Wait/151");
    let Some(Block::Picture(Picture::Raster(raster))) =
        document.blocks.iter().find(|block| matches!(block, Block::Picture(_)))
    else {
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

/// A film tells a charge cycle by cycle, with the code of both; where one hides there is none.
#[test]
fn a_film_has_every_cycle_and_the_code_of_both() {
    let kit = kit();
    assert!(kit.show("film/Rush/Trip/151").is_err());
    let document = played(&kit, "film/Rush/joust3/151");
    let codes: Vec<(&str, &str)> = document
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Code { lang, text } => Some((&**lang, &**text)),
            _ => None,
        })
        .collect();
    let [("film", film), ("bf", rush), ("bf", _)] = codes[..] else { panic!("{codes:?}") };
    assert_eq!(rush, format!("{}[-]", ">".repeat(150)));
    let frames: Vec<_> = bfjoust::read_film(film.lines()).collect::<Result<_, _>>().unwrap();
    let last = frames.last().unwrap();
    assert_eq!(last.cycle + 1, frames.len() as u64);
    assert!(last.outcome.is_some(), "{last:?}");
}
