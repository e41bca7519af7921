//! The library of laws in `docs/playing/laws`: each of them is passed by vote and played, word for word.

use std::path::Path;

use super::{ROOT, rehearsals};

/// What stands around the body of a proposal in a page of the library.
const FENCE: &str = "````\n";

#[test]
fn every_law_of_the_library_is_played_as_it_stands() {
    let library = Path::new(ROOT).join("docs/playing/laws");
    let played = rehearsals("");
    let mut pages = 0;
    for page in std::fs::read_dir(&library).expect("the library is there") {
        let path = page.expect("it stays readable").path();
        // What is made of several rules has a test of its own.
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let body = text.split(FENCE).nth(1).unwrap_or_else(|| panic!("{}: no body of a proposal", path.display()));
        let name = path.file_stem().expect("it has a name");
        let of_law = |file: &&std::path::PathBuf| {
            file.file_stem() == Some(name) && file.parent().is_some_and(|folder| folder.ends_with("laws"))
        };
        let rehearsal = played.iter().find(of_law).unwrap_or_else(|| panic!("{}: not played", path.display()));
        let said = std::fs::read_to_string(rehearsal).expect("it is a text");
        let lines: Vec<&str> = body.lines().skip(1).map(|line| if line.is_empty() { ":" } else { line }).collect();
        let typed: Vec<&str> = said.lines().map(|line| line.strip_prefix(": ").unwrap_or(line)).collect();
        let is_there = typed.windows(lines.len()).any(|window| window == lines);
        assert!(is_there, "{} does not play what stands in {}", rehearsal.display(), path.display());
        pages += 1;
    }
    assert!(pages > 0, "the library is empty");
}

/// The rules of Rule Tag are played as its page has them, where they come by a Chairman and where they come by a vote.
#[test]
fn the_proposal_of_rule_tag_is_played_as_it_stands() {
    let page = Path::new(ROOT).join("docs/playing/laws/rule-tag/proposal.md");
    let text = std::fs::read_to_string(page).expect("the page is there");
    let body: Vec<&str> = text.split(FENCE).nth(1).expect("it holds a proposal").lines().skip(1).collect();
    for rehearsal in ["scenes/rule-tag.txt", "ruletag/passing.txt"] {
        let path = Path::new(ROOT).join("tests/rehearsals/bnomic").join(rehearsal);
        let said = std::fs::read_to_string(path).expect("the rehearsal is there");
        let typed: Vec<&str> = said.lines().map(|line| line.strip_prefix(": ").unwrap_or(line)).collect();
        let lines: Vec<&str> = body.iter().map(|line| if line.is_empty() { ":" } else { *line }).collect();
        assert!(typed.windows(lines.len()).any(|window| window == lines), "{rehearsal} plays other rules");
    }
}
