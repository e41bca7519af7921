//! Laws that are wrong: each is told so before anybody votes on it, with its line and what was probably meant.

use std::{fs, path::Path};

use kernel::{Game, display::plain};

use crate::toy::{Room, Toy};

/// What stands before each law of a file: the line that is to be told, and what of it.
const NEXT_LAW: &str = "//// ";

#[test]
fn a_hundred_wrong_laws_are_told_so_beforehand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let (mut count, mut missed) = (0, Vec::new());
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        for one in text.split(NEXT_LAW).skip(1) {
            let (head, law) = one.split_once('\n').unwrap();
            let (line, why) = head.strip_prefix("line ").and_then(|head| head.split_once(": ")).unwrap_or(("", head));
            let told = Toy::mechanics().check(&Room::new().state, law);
            let told = told.map_or_else(|why| format!("Look at this again: {}", why.say), |page| plain(&page));
            let found = told.split_once("Look at this again").map_or("", |(_, found)| found);
            let is_told =
                |found: &str| found.contains(why) && (line.is_empty() || found.contains(&format!("line {line}")));
            if !found.lines().any(is_told) {
                missed.push(format!("{}: {law}wanted: {head}\ntold: {told}", file.display()));
            }
            count += 1;
        }
    }
    assert!(missed.is_empty(), "{} of {count}:\n{}", missed.len(), missed.join("\n"));
    assert_eq!(count, 100);
}
