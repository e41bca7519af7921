//! Folders of rules, by the program itself: written, played, amended, written out, and played again.

use super::console::Home;

/// Votes of a proposal, and the days until they end.
const PASSED: &str = "\
    room open nomic mine clock:manual ruleset:club\n\
    as Ann\njoin\nas Bob\njoin\nas Cat\njoin\n\
    propose \"A tie passes\" => amend rule 3: replace \"(all.yes > all.no\" with \"(all.yes >= all.no\"\n\
    vote 1 FOR\nas Ann\nvote 1 FOR\nas Bob\nvote 1 FOR\nas\ntick until 2036-11-04 10:00\n";

/// Given a room whose rules were amended, then it is a folder that is sound, and a room of that folder has them.
#[test]
fn a_room_is_written_out_as_a_folder_and_played_on() {
    let home = Home::new();
    let played = home.say_to(&["console"], PASSED).join("\n");
    assert!(played.contains("(A tie passes) is now Adopted"), "{played}");
    let written = home.say_to(&["export", "mine", "--ruleset", "out"], "").join("\n");
    assert!(written.contains("9 files are in out"), "{written}");
    let sound = home.say_to(&["ruleset", "check", "out"], "").join("\n");
    assert!(sound.contains("the language “de” of its commands begins"), "{sound}");
    assert!(sound.contains("Nothing is wrong with out."), "{sound}");
    let again = home.say_to(&["practice", "out"], "rule 3\n").join("\n");
    assert!(again.contains("(all.yes >= all.no") && again.contains("7 rules are in force"), "{again}");
}
