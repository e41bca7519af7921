//! The offline jousts as a person or a tool starts them: what is on which stream, and the exit code.

use std::{
    fs,
    process::{Command, Output},
};

fn rulekeeper(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rulekeeper")).args(arguments).output().expect("the program starts")
}

#[test]
fn a_match_of_two_files_answers_in_json_on_the_output_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    let (left, right) = (dir.path().join("falls.bf"), dir.path().join("sleeps.bf"));
    fs::write(&left, "..<").expect("written");
    fs::write(&right, "").expect("written");
    let (left, right) = (left.to_str().expect("UTF-8"), right.to_str().expect("UTF-8"));

    let done = rulekeeper(&["joust", "match", left, right, "--lengths", "140", "--json"]);
    assert_eq!(done.status.code(), Some(0));
    assert!(done.stderr.is_empty());
    let answer =
        r#"{"left":"falls","right":"sleeps","charges":[{"length":140,"winner":"right","reason":"edge","cycles":3}]}"#;
    assert_eq!(String::from_utf8_lossy(&done.stdout), format!("{answer}\n"));

    let done = rulekeeper(&["joust", "hill", dir.path().to_str().expect("UTF-8"), "--lengths", "140"]);
    assert_eq!(done.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&done.stdout).starts_with("rank  name"));
}

#[test]
fn j11_a_bad_file_is_told_on_the_error_stream_and_ends_in_2() {
    let dir = tempfile::tempdir().expect("a directory");
    let bad = dir.path().join("bad.bf");
    fs::write(&bad, "+\n [").expect("written");
    let bad = bad.to_str().expect("UTF-8");

    let done = rulekeeper(&["joust", "match", bad, bad, "--json"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(done.stdout.is_empty());
    let told = format!("{bad} is no program. The [ at line 2, column 2 is never closed by a ].\n");
    assert_eq!(String::from_utf8_lossy(&done.stderr), told);

    let done = rulekeeper(&["joust", "match", bad]);
    assert_eq!(done.status.code(), Some(2), "an argument is missing");
}
