//! The sessions of the guides and of the README, typed as they stand into the real program.
//!
//! A session is a block whose word is `session`. Its first line starts a practice, in which the same lines always bring
//! about the same. Behind each prompt stands what is typed, and below it what is answered, word for word. A line `...`
//! stands for any number of lines. `UPDATE_DOCS=1` writes answers anew where they have changed.

use std::{fs, ops::Range, path::Path};

use catalogue::{Catalogue, parse};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::{console::Home, harness::ROOT};

/// The word behind the accents of a session.
const MARK: &str = "session";

/// The verb that it is played with.
const VERB: &str = "practice";

/// The line that stands for any lines.
const ANY: &str = "...";

/// Most lines of one answer: what is longer is cut by [`ANY`].
const ANSWER_MAX_LINES: usize = 16;

/// Who speaks before anybody else does.
const OPERATOR: &str = "operator";

/// A line that is typed, and what is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Turn {
    /// The prompt and the line.
    typed: String,
    answer: Vec<String>,
}

/// A session as it stands in a document.
struct Session {
    /// Its lines, without the accents around them.
    place: Range<usize>,
    /// How it is started, and what is said first.
    start: Vec<String>,
    turns: Vec<Turn>,
}

/// The fenced blocks of a document, each with its word and the place of its text.
fn blocks(text: &str) -> Vec<(String, Range<usize>)> {
    let mut blocks: Vec<(String, Range<usize>)> = Vec::new();
    let mut open = false;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(word))) => {
                blocks.push((word.into_string(), range.start..range.start));
                open = true;
            }
            Event::Text(_) if open => {
                let (_, place) = blocks.last_mut().expect("a block is open");
                let begun = place.start < place.end;
                *place = if begun { place.start..range.end } else { range };
            }
            Event::End(_) => open = false,
            _ => {}
        }
    }
    blocks
}

/// Who speaks after a line of the console's.
fn speaker_after(speaker: &str, line: &str) -> String {
    match line.trim().split_once(' ').map_or((line.trim(), ""), |(word, name)| (word, name.trim())) {
        ("as", "") => OPERATOR.to_owned(),
        ("as", name) if !name.contains(':') => name.to_owned(),
        _ => speaker.to_owned(),
    }
}

/// Takes lines apart: what stands before the first prompt, and the turns.
fn turns<'l>(lines: impl Iterator<Item = &'l str>) -> (Vec<String>, Vec<Turn>) {
    let (mut start, mut turns, mut speaker) = (Vec::new(), Vec::<Turn>::new(), OPERATOR.to_owned());
    for line in lines {
        let line = line.trim_end();
        match (line.strip_prefix(&format!("{speaker}>")), turns.last_mut()) {
            (Some(typed), _) => {
                speaker = speaker_after(&speaker, typed);
                turns.push(Turn { typed: line.to_owned(), answer: Vec::new() });
            }
            (None, Some(turn)) => turn.answer.push(line.to_owned()),
            (None, None) => start.push(line.to_owned()),
        }
    }
    (start, turns)
}

fn sessions(text: &str) -> Vec<Session> {
    let marked = blocks(text).into_iter().filter(|(word, _)| word == MARK);
    let read = marked.map(|(_, place)| {
        let (start, turns) = turns(text[place.clone()].lines());
        Session { place, start, turns }
    });
    read.collect()
}

/// Whether lines are as they stand in a document, where [`ANY`] stands for any.
fn agree(kept: &[String], said: &[String]) -> bool {
    match kept.split_first() {
        None => said.is_empty(),
        Some((first, rest)) if first == ANY => (0..=said.len()).any(|at| agree(rest, &said[at..])),
        Some((first, rest)) => said.first() == Some(first) && agree(rest, &said[1..]),
    }
}

/// What is kept of an answer in a document: what stands there where that is still right, else the beginning.
fn kept(before: &[String], said: &[String]) -> Vec<String> {
    if agree(before, said) {
        return before.to_vec();
    }
    match said.len() > ANSWER_MAX_LINES {
        false => said.to_vec(),
        true => said[..ANSWER_MAX_LINES - 1].iter().cloned().chain([ANY.to_owned()]).collect(),
    }
}

/// The command lines that a session is started with: the last one reads what is typed.
fn commands(session: &Session) -> Vec<&str> {
    let named = |line: &'_ str| line.strip_prefix("$ ").map(str::len);
    let all = session.start.iter().filter(|line| named(line).is_some());
    all.filter_map(|line| Some(line.split_once("rulekeeper ").or_else(|| line.split_once("run -- "))?.1)).collect()
}

/// Types the lines of a session into the program, in a folder with nothing in it.
fn played(session: &Session) -> Session {
    let lines: Vec<&str> = session
        .turns
        .iter()
        .map(|turn| turn.typed.split_once('>').map_or("", |(_, line)| line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    let home = Home::new();
    let shown = session.start.iter().filter(|line| line.starts_with("$ "));
    let (mut start, mut said, all) = (Vec::new(), Vec::new(), commands(session));
    for (place, (line, command)) in shown.zip(&all).enumerate() {
        let is_last = place + 1 == all.len();
        let typed = if is_last { format!("{}\n", lines.join("\n")) } else { String::new() };
        let heard = home.say_to(&command.split(' ').collect::<Vec<_>>(), &typed);
        let (greeting, answered) = turns(heard.iter().map(String::as_str));
        start.push(line.clone());
        start.extend(greeting);
        said = answered;
    }
    Session { place: session.place.clone(), start, turns: said }
}

/// Every document that has sessions, and whether it has to begin with one: the guides and the README.
fn documents() -> Vec<(String, bool)> {
    let folder = |under: &str| {
        let entries = fs::read_dir(Path::new(ROOT).join(under)).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|entry| format!("{under}/{}", entry.expect("readable").file_name().display())).collect();
        names.sort();
        names
    };
    let guides = folder("docs/playing").into_iter().filter(|path| path.ends_with(".md"));
    guides
        .map(|path| (path, true))
        .chain([
            ("docs/your-own-nomic.md".to_owned(), true),
            ("rulesets/rule-tag/guide.md".to_owned(), true),
            ("README.md".to_owned(), false),
        ])
        .collect()
}

#[test]
fn every_guide_begins_with_a_session_that_goes_as_it_says() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut wrong = Vec::new();
    let documents = documents();
    assert!(documents.len() > 5, "{documents:?}");
    for (path, begins) in &documents {
        let file = Path::new(ROOT).join(path);
        let mut text = fs::read_to_string(&file).expect("a document");
        let first = blocks(&text).into_iter().next();
        if *begins && first.is_none_or(|(word, _)| word != MARK) {
            wrong.push(format!("{path}: its first block is no session"));
        }
        let found = sessions(&text);
        if found.is_empty() {
            wrong.push(format!("{path}: it has no session"));
        }
        // From the last one on, so that what is written anew moves none that is still to come.
        for session in found.iter().rev() {
            if !commands(session).last().is_some_and(|command| command.starts_with(VERB)) {
                wrong.push(format!("{path}: a session begins with “$ rulekeeper {VERB}”"));
                continue;
            }
            let said = played(session);
            let mut right = vec![kept(&session.start, &said.start)];
            let typed = |turns: &[Turn]| -> Vec<String> { turns.iter().map(|turn| turn.typed.clone()).collect() };
            if typed(&session.turns) != typed(&said.turns) {
                wrong.push(format!("{path}: typed {:#?}, heard {:#?}", typed(&session.turns), typed(&said.turns)));
                continue;
            }
            for (before, now) in session.turns.iter().zip(&said.turns) {
                right.push(vec![now.typed.clone()]);
                right.push(kept(&before.answer, &now.answer));
                if before.answer.len() > ANSWER_MAX_LINES {
                    wrong.push(format!("{path}: the answer to “{}” is longer than a reader reads", before.typed));
                }
            }
            let right: String = right.concat().into_iter().map(|line| line + "\n").collect();
            if right != text[session.place.clone()] {
                match update {
                    true => text.replace_range(session.place.clone(), &right),
                    false => wrong.push(format!("{path}: this is how it goes now:\n{right}")),
                }
            }
        }
        if update {
            fs::write(&file, &text).expect("it can be written");
        }
    }
    assert!(wrong.is_empty(), "{}\nUPDATE_DOCS=1 writes the answers anew.", wrong.join("\n"));
}

/// What matters first in a game shows something in a room that was just opened, and the help begins with it.
#[test]
fn what_matters_first_is_there_in_a_room_of_each_game() {
    let all = Catalogue::all();
    for game in rulekeeper::games::NAMES {
        let first = &all.group_of(game).expect("a game has a file of commands").first;
        let shown = |line: &&str| parse(&all.for_games(&[game]), line, 0)[0].as_ref().unwrap().command.action == "show";
        let shows: Vec<&str> = first.iter().map(|first| &*first.line).filter(shown).collect();
        let rules = if *game == "nomic" { " ruleset:club" } else { "" };
        let opened = format!("room open {game} main clock:manual{rules}");
        let lines = [&[&*opened, "show nonsense"][..], &shows, &["help"]].concat();
        let heard = Home::new().say_to(&[VERB], &format!("{}\n", lines.join("\n")));
        let (_, turns) = turns(heard.iter().map(String::as_str));
        let is_refused = |turn: &Turn| turn.answer.iter().any(|line| line.contains("has no display"));
        assert_eq!(turns.len(), lines.len(), "{turns:#?}");
        assert!(is_refused(&turns[1]), "a display that is not there is refused: {:?}", turns[1]);
        let refused: Vec<_> = turns[2..turns.len() - 1].iter().filter(|turn| is_refused(turn)).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        let help = &turns.last().expect("the help was asked for").answer;
        let told: Vec<String> = first.iter().map(|first| format!("- {}: {}", first.line, first.help)).collect();
        // Whoever opens a room need not have a seat in it, and is told so first.
        let begins = help.iter().position(|line| line == "What matters first:").expect("it says what matters") + 1;
        assert_eq!(help[begins..begins + told.len()], told, "{game}");
    }
}

#[test]
fn a_session_that_goes_otherwise_is_seen() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(agree(&lines("a\n...\nd"), &lines("a\nb\nc\nd")) && agree(&lines("..."), &[]));
    assert!(!agree(&lines("a\n...\nd"), &lines("a\nb\nc")) && !agree(&lines("a"), &lines("a\nb")));
    assert_eq!(kept(&lines("a\n..."), &lines("a\nb")), lines("a\n..."));
    assert_eq!(kept(&lines("b\n..."), &lines("a\nb")), lines("a\nb"));
    let long: Vec<String> = (0..40).map(|number| number.to_string()).collect();
    assert_eq!(kept(&[], &long).len(), ANSWER_MAX_LINES);

    let text =
        "# T\n\n```session\n$ rulekeeper practice\noperator> as Ann\nYou speak.\nAnn> x\noperator> no prompt\n```\n";
    let [session] = &sessions(text)[..] else { panic!("one session") };
    assert_eq!(session.start, ["$ rulekeeper practice"]);
    assert_eq!(session.turns.len(), 2);
    assert_eq!(session.turns[1].answer, ["operator> no prompt"]);
}
