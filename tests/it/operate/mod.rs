//! What an operator relies on: settings that are refused alike, secrets that stay where they are, processes that know of
//! each other.

mod charges;
mod check;
mod leftovers;
mod lost;
mod packaging;
mod postgres;
mod reading;
mod rows;
mod secrets;
mod trace;
mod trouble;
mod versions;
mod watched;
mod works;

pub(crate) use postgres::server;

use std::process::Output;

use crate::console::Home;

/// All that a run wrote, and its exit code.
fn said(output: &Output) -> (Option<i32>, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), [text(&output.stdout), text(&output.stderr)].concat())
}

/// What lies in a folder: names and contents.
fn contents(home: &Home) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(home.path("")).expect("the folder is there");
    let mut found: Vec<_> = files
        .map(|file| {
            let path = file.expect("the folder can be read").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).unwrap_or_default())
        })
        .collect();
    found.sort();
    found
}

/// The names of what lies in a folder.
fn names(home: &Home) -> Vec<String> {
    contents(home).into_iter().map(|(name, _)| name).collect()
}
