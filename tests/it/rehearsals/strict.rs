//! A command is read as a whole or does nothing: a word that belongs to nothing, at any place of a valid line.
//!
//! The lines are those of the rehearsals, said just before they are said as they stand, by whom and where they are said
//! there. So each meets a room in which the line without the word is legal.

use std::path::Path;

use catalogue::{Catalogue, Kind, parse};
use rulekeeper::rehearsal::Script;

use super::{OPTIONS, play_all, rehearsals};

/// The word that belongs to nothing.
const WORD: &str = "zzqx";

/// How many lines it is put into, in all games together.
const CORPUS_LINES: usize = 500;

/// Most lines of one rehearsal: so that the corpus is of many.
const SCRIPT_MAX_LINES: usize = 14;

/// The places of a line where a word can be put: before each word and behind the last, outside of quotation marks and
/// before a reason.
fn places(line: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut quoted = false;
    let mut before = ' ';
    for (at, char) in line.char_indices() {
        if before == ' ' && char != ' ' && !quoted {
            if line[at..].starts_with("because ") {
                places.push(at);
                return places;
            }
            places.push(at);
        }
        quoted ^= char == '"';
        before = char;
    }
    places.push(line.len());
    places
}

/// Whether every word of a line belongs to a value that is one of a few, and none that is free is left out.
fn is_bound(catalogue: &Catalogue, line: &str) -> bool {
    let [Ok(typed)] = &parse(catalogue, line, 0)[..] else { return false };
    let command = &typed.command;
    let free = |kind: Kind| matches!(kind, Kind::Word | Kind::Name | Kind::Phrase);
    let open = command.params.iter().any(|param| free(param.kind) && !typed.args.contains_key(&param.name));
    let text = command.params.iter().any(|param| param.rest && param.marker.is_none());
    let acts = command.acts_in_game() && command.display.is_none();
    acts && !open && !text && !line.contains([';', '{', '\u{201c}'])
}

/// A rehearsal in which some lines are said with the word before they are said without it, and how many.
fn with_word(path: &Path, game: &str, from: usize) -> (String, usize) {
    let catalogue = Catalogue::all().for_games(&[game]);
    let text = std::fs::read_to_string(path).expect("the rehearsal is there");
    let lines: Vec<&str> = text.lines().collect();
    let is_expectation = |line: &&&str| {
        line.trim().starts_with(['<', '|', '@']) || line.trim().starts_with("expect ") || line.contains("> ")
    };
    let (mut out, mut count) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        let behind: Vec<&&str> = lines[at + 1..].iter().take_while(is_expectation).collect();
        let goes_on = lines.get(at + 1 + behind.len()).is_some_and(|next| next.trim().starts_with(':'))
            || lines.get(at + 1).is_some_and(|next| next.trim().starts_with(':') || next.trim().starts_with("file "));
        let refused = behind.iter().any(|line| line.trim().starts_with("<!"));
        if let Some((who, said)) = line.split_once(": ")
            && who.starts_with(char::is_uppercase)
            && !line.contains("  #")
            && !goes_on
            && !refused
            && count < SCRIPT_MAX_LINES
            && is_bound(&catalogue, said)
        {
            let places = places(said);
            let place = places[(from + count) % places.len()];
            let (before, after) = said.split_at(place);
            let blank = if place == said.len() { " " } else { "" };
            out.push(format!("{who}: {before}{blank}{WORD} {after}"));
            out.push(" <! .".to_owned());
            out.push("expect 0 entries".to_owned());
            count += 1;
        }
        out.push((*line).to_owned());
    }
    (out.join("\n"), count)
}

#[test]
fn a_word_that_belongs_to_nothing_makes_a_command_do_nothing() {
    let games = ["spacenomic", "blognomic", "joust", "bnomic"];
    let (mut scripts, mut total) = (Vec::new(), 0);
    for (index, game) in games.iter().enumerate() {
        // As many of each game as it has, and the rest of the one with most.
        let share = CORPUS_LINES * (index + 1) / games.len();
        for path in rehearsals(game) {
            let (text, count) = with_word(&path, game, total);
            if total >= share || count < SCRIPT_MAX_LINES / 2 {
                continue;
            }
            total += count;
            let name = path.display().to_string();
            scripts.push(Script::parse(&name, &text, path.parent()).unwrap_or_else(|why| panic!("{why}")));
        }
    }
    assert!(total >= CORPUS_LINES, "only {total} lines");
    let wrong: Vec<String> = play_all(&scripts, &OPTIONS)
        .iter()
        .filter(|report| !report.is_met())
        .map(|report| report.complaints())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
