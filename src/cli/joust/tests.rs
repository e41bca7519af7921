//! What `rulekeeper joust` adds to the program of the crate, whose own tests have the rest.

use std::fs;

use clap::Parser;

use super::*;

#[derive(Debug, Parser)]
struct Typed {
    #[command(flatten)]
    joust: Joust,
}

/// What the command prints; an error as its sentence, with its exit status before it.
fn run(arguments: &[&str]) -> Result<String, String> {
    let typed = Typed::try_parse_from([&["joust"], arguments].concat()).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    typed.joust.run(&mut out).map_err(|error| format!("{} {error}", error.exit_status()))?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn all_that_the_crate_does_is_here_by_the_same_arguments() {
    let dir = tempfile::tempdir().unwrap();
    let [rush, wait] = [("rush.bf", "(>)*9([-]>)*21"), ("wait.bf", ".")].map(|(name, text)| {
        let file = dir.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    });
    for (arguments, expected) in [
        (&["match", &rush, &wait, "--rules", "egojoust"][..], "10–30"),
        (&["breakdown", &rush, &wait, "--lengths", "12"], "touches: "),
        (&["hill", dir.path().to_str().unwrap()], "charges for each pair: 33"),
        (&["rank", &rush, &wait, "--rules", "egojoust", "--scoring", "points,trad"], "points        trad"),
        (&["stats", &rush, &wait, "12"], "cells from its flag at most"),
        (&["trace", &rush, &wait, "12", "--film", "--lines", "1"], "bfjoust film 1"),
        (&["watch", &rush, &wait, "12", "--at", "3"], "cycle 3 of "),
    ] {
        let told = run(arguments).unwrap();
        assert!(told.contains(expected), "{arguments:?}: {told}");
    }
}

#[test]
fn what_is_wrong_with_a_file_ends_in_2() {
    let dir = tempfile::tempdir().unwrap();
    let bad = dir.path().join("bad.bf");
    fs::write(&bad, "+\n ]").unwrap();
    let bad = bad.to_str().unwrap();
    let told = run(&["match", bad, bad]).unwrap_err();
    assert_eq!(told, format!("2 {bad} is no program. The ] at line 2, column 2 has no [ before it."));
    let told = run(&["match", bad, bad, "--room", bad]).unwrap_err();
    assert!(told.starts_with("2 ") && told.contains("bad.bf"), "{told}");
    assert!(run(&["match", bad, bad, "--room", bad, "--rules", "agora"]).unwrap_err().contains("cannot be used with"));
}
