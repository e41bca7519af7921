//! A command is read as a whole or does nothing: a word that belongs to nothing, at every place of a valid line.
//!
//! The lines are those of the rehearsals, said just before they are said as they stand, by whom and where they are said
//! there. So each meets a room in which the line without the word is legal. What stands behind a prefix on IRC, and what is
//! typed into the console, are the same lines.

use std::{collections::BTreeSet, path::Path};

use ::laws::testing::Room;
use catalogue::{Catalogue, Kind, parse};
use rulekeeper::rehearsal::{Extent, Script};
use serde_json::Map;
use store::Store;

use super::{
    laws::{OPENED, catalogue_of},
    play_all, rehearsals,
};
use crate::{
    console::Home,
    fakes::{
        desk::TestDesk,
        irc::{ACCOUNT_CAPS, Scene, network},
    },
    ministries::PLAYED,
};

/// The word that belongs to nothing.
const WORD: &str = "zzqx";

/// How many lines it is put into, in all games together.
const CORPUS_LINES: usize = 500;

/// How many of each game at least.
const GAME_LINES: usize = 100;

/// How many of the lines are said on IRC.
const PREFIXED_LINES: usize = 40;

/// Most lines of one rehearsal: so that the corpus is of many.
const SCRIPT_MAX_LINES: usize = 30;

/// Fewest lines of one: so that it is worth playing.
const SCRIPT_MIN_LINES: usize = 7;

/// The places of a line where a word can be put. They are before each word and behind the last, outside of quotation
/// marks and before a reason. So many words are the name of the command, and where its values are free, only those
/// count.
fn places(line: &str, name: Option<usize>) -> Vec<usize> {
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
    places.truncate(name.unwrap_or(usize::MAX));
    places
}

/// A line with the word at a place.
fn put(line: &str, place: usize) -> String {
    let (before, after) = line.split_at(place);
    let blank = if place == line.len() { " " } else { "" };
    format!("{before}{blank}{WORD} {after}").trim_end().to_owned()
}

/// The places of a line of one act where a word can be put; none where it is no such line. A value may be free, or left
/// out and free if it were there. Then the word would belong to it, and the places are those up to the end of the
/// command's name.
fn places_of(catalogue: &Catalogue, line: &str) -> Vec<usize> {
    let [Ok(typed)] = &parse(catalogue, line, 0)[..] else { return Vec::new() };
    let command = &typed.command;
    let free = |kind: Kind| matches!(kind, Kind::Word | Kind::Name | Kind::Phrase);
    let open = command.params.iter().any(|param| free(param.kind) && !typed.args.contains_key(&param.name));
    let text = command.params.iter().any(|param| param.rest && param.marker.is_none());
    let acts = command.acts_in_game() && command.display.is_none();
    if !acts || line.contains([';', '{', '\u{201c}']) {
        return Vec::new();
    }
    let words = |name: &str| name.split(' ').zip(line.split(' ')).all(|(one, other)| one.eq_ignore_ascii_case(other));
    let name = [&command.name].into_iter().chain(&command.aliases).find(|name| words(name));
    match name {
        Some(name) if open || text => places(line, Some(name.split(' ').count())),
        None if open || text => Vec::new(),
        _ => places(line, None),
    }
}

/// A rehearsal in which some lines are said with the word before they are said without it, and these lines.
fn with_word(path: &Path, catalogue: &Catalogue) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("the rehearsal is there");
    let lines: Vec<&str> = text.lines().collect();
    let is_expectation = |line: &&&str| {
        line.trim().starts_with(['<', '|', '@']) || line.trim().starts_with("expect ") || line.contains("> ")
    };
    let (mut out, mut said_with) = (Vec::new(), Vec::new());
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
            && said_with.len() < SCRIPT_MAX_LINES
        {
            let places = places_of(catalogue, said);
            for (index, place) in places.iter().enumerate() {
                let with = put(said, *place);
                // What cannot be read is never done. The room is asked at one place of the line, and wherever it can be read.
                let is_read = parse(catalogue, &with, 0).iter().any(Result::is_ok);
                if is_read || index == said_with.len() % places.len() {
                    out.extend([format!("{who}: {with}"), " <! .".to_owned(), "expect 0 entries".to_owned()]);
                }
            }
            said_with.extend((!places.is_empty()).then(|| said.to_owned()));
        }
        out.push((*line).to_owned());
    }
    (out.join("\n"), said_with)
}

/// The commands of a game, with those of its laws.
fn catalogue(game: &str) -> Catalogue {
    match game {
        "blognomic" => catalogue_of(&Room::<blognomic::BlogNomic>::open("zed", OPENED, Map::new())),
        "bnomic" => catalogue_of(&Room::<bnomic::BNomic>::open("Ann", OPENED, Map::new())),
        _ => Catalogue::of_game(game).clone(),
    }
}

/// The rehearsals of a game with the word in their lines, up to so many of them, and these lines.
fn corpus(game: &str, most: usize) -> (Vec<Script>, Vec<String>) {
    let catalogue = catalogue(game);
    let (mut scripts, mut all) = (Vec::new(), Vec::new());
    for path in rehearsals(game) {
        if all.len() >= most {
            break;
        }
        let (text, lines) = with_word(&path, &catalogue);
        if lines.len() >= SCRIPT_MIN_LINES {
            all.extend(lines);
            let name = path.display().to_string();
            scripts.push(Script::parse(&name, &text, path.parent()).unwrap_or_else(|why| panic!("{why}")));
        }
    }
    (scripts, all)
}

#[test]
fn a_word_that_belongs_to_nothing_makes_a_command_do_nothing() {
    let (mut scripts, mut total) = (Vec::new(), 0);
    let games = ["spacenomic", "blognomic", "joust", "bnomic"];
    for (index, game) in games.iter().enumerate() {
        // As many of each game as it has, and the rest of the one with most.
        let share = CORPUS_LINES * (index + 1) / games.len();
        let (played, lines) = corpus(game, share - total);
        assert!(lines.len() >= GAME_LINES, "only {} lines of {game}", lines.len());
        total += lines.len();
        scripts.extend(played);
    }
    assert!(total >= CORPUS_LINES, "only {total} lines");
    let wrong: Vec<String> = play_all(&scripts, |_| Extent::Whole)
        .iter()
        .filter(|report| !report.is_met())
        .map(|report| report.complaints())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What stands behind the prefix on IRC is heard as it stands there; a word before the prefix makes the line talk.
#[tokio::test(start_paused = true)]
async fn a_word_behind_a_prefix_is_heard_as_it_stands() {
    let (desk, mut ear) = TestDesk::echo();
    let (_scene, mut server) = Scene::joined(network(), ACCOUNT_CAPS, desk).await;
    let lines = rulekeeper::games::NAMES.iter().flat_map(|game| corpus(game, PREFIXED_LINES / 4).1);
    let lines: BTreeSet<String> = lines.filter(|line| line.is_ascii()).collect();
    assert!(lines.len() >= PREFIXED_LINES / 2, "{lines:?}");
    for line in lines {
        for place in places(&line, None) {
            let with = put(&line, place);
            server.send(&format!("@account=ann :ann!a@h PRIVMSG #n :{WORD} !{line}")).await;
            server.send(&format!("@account=ann :ann!a@h PRIVMSG #n :!{with}")).await;
            assert_eq!(ear.line().await.text, with);
        }
    }
}

/// Let every line of a session in the console be said with the word at every place first. Then it leaves the same
/// journal as one without it.
#[tokio::test]
async fn a_word_in_a_line_of_the_console_makes_it_do_nothing() {
    let catalogue = Catalogue::all().for_games(&["bnomic"]);
    let (mut without, mut with, mut count) = (String::new(), String::new(), 0);
    for (who, line) in PLAYED {
        without.push_str(&format!("as {who}\n{line}\n"));
        with.push_str(&format!("as {who}\n"));
        for place in places_of(&catalogue, line) {
            with.push_str(&format!("{}\n", put(line, place)));
            count += 1;
        }
        with.push_str(&format!("{line}\n"));
    }
    assert!(count > PLAYED.len(), "{with}");
    let mut journals = Vec::new();
    for lines in [without, with] {
        let home = Home::new();
        home.say(&format!("room open bnomic main founders:\"Ann, Bob\"\n{lines}"));
        let database = home.path("rulekeeper.db");
        let database = database.to_str().expect("a path in Unicode");
        let store = Store::open(database, store::Options::default()).await.expect("the database opens");
        let room = store.rooms().await.expect("the rooms can be read").remove(0);
        let entries = store.entries(room.id, 1, u32::MAX).await.expect("the journal can be read");
        journals.push(entries.into_iter().map(|entry| entry.said.map(|said| said.text)).collect::<Vec<_>>());
        store.close().await.expect("the database closes");
    }
    assert!(journals[0].len() > PLAYED.len(), "{journals:?}");
    assert_eq!(journals[0], journals[1]);
}
