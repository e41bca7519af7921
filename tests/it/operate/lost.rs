//! Entries that were answered and are gone: a database that ends earlier than somebody was told agrees with itself.

use std::fs;

use super::said;
use crate::console::Home;

#[test]
fn a_database_that_lost_its_log_is_missed() {
    let home = Home::new();
    let file = |end: &str| home.path(&format!("rulekeeper.db{end}"));
    home.say("room open joust main\njoust start\n");
    fs::copy(file(""), home.path("early.db")).unwrap();
    assert!(home.run(&["backup", "whole.db"]).status.success());
    home.say("as Ann\njoin\nas Bob\njoin\n");
    assert!(home.run(&["verify"]).status.success());

    // As where the log did not come along, or a disk has lost what it said it had.
    fs::copy(home.path("early.db"), file("")).unwrap();
    let why = "the last 2 entries of @main are missing: entry 4 was acknowledged, and the journal ends with entry 2";
    let (code, verified) = said(&home.run(&["verify"]));
    assert!(code == Some(1) && verified.contains(why), "{verified}");
    let (code, checked) = said(&home.run(&["check"]));
    assert!(code != Some(0) && checked.contains(why), "{checked}");
    let (code, refused) = said(&home.run(&["console"]));
    assert!(code != Some(0) && refused.contains(why) && refused.contains("rulekeeper.db-last"), "{refused}");

    // A backup is another database, and so is one whose owner goes on without those entries.
    fs::remove_file(file("")).unwrap();
    assert!(home.run(&["restore", "whole.db"]).status.success());
    assert!(home.run(&["verify"]).status.success());
    home.say("as Ann\njoin\n");
    fs::copy(home.path("early.db"), file("")).unwrap();
    assert!(!home.run(&["verify"]).status.success());
    fs::remove_file(file("-last")).unwrap();
    home.say("as Bob\njoin\n");
    assert!(home.run(&["verify"]).status.success());

    // Another entry than the one that was answered is as bad as none.
    fs::copy(home.path("early.db"), home.path("other.db")).unwrap();
    fs::rename(file(""), home.path("bob.db")).unwrap();
    fs::rename(home.path("other.db"), file("")).unwrap();
    let last = fs::read(file("-last")).unwrap();
    fs::remove_file(file("-last")).unwrap();
    home.say("as Cid\njoin\n");
    fs::write(file("-last"), last).unwrap();
    let (_, verified) = said(&home.run(&["verify"]));
    assert!(verified.contains("entry 3 of @main is not the one that was acknowledged"), "{verified}");
}
