//! Reads a rehearsal. What a line means is found out from its beginning; blanks at its beginning mean nothing.
//!
//! Everything that cannot be read is told with its line, all at once, before anything is played.

use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    moment::{self, Moment},
    pattern::Pattern,
    script::{
        Act, DiceLine, Expect, FileContent, FileLine, Item, LineOf, Place, Probe, Reader, RoomLine, Script, Speech,
        ValueName, Whereto,
    },
    shorthand,
};

/// Largest rehearsal, in bytes: one with a program of the largest size written out in it.
pub const SCRIPT_MAX_BYTES: usize = 4 * 1024 * 1024;

/// How deep files may include each other.
const INCLUDED_MAX_LEVELS: usize = 4;

/// Most numbers that dice are told in advance in one line: a match of the longest kind.
const FIXED_MAX_DRAWS: usize = 2000;

/// Why a rehearsal cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadScript {
    /// The file cannot be read.
    #[error("{file} cannot be read: {why}")]
    Unreadable {
        /// As it was named.
        file: String,
        /// What the machine says.
        why: String,
    },
    /// Some lines say nothing that can be played.
    #[error("{}", .0.join("\n"))]
    Lines(Vec<String>),
}

impl Script {
    /// Reads the rehearsal in a file. Files that it includes lie beside it.
    ///
    /// # Errors
    ///
    /// [`BadScript`].
    pub fn load(file: &Path) -> Result<Self, BadScript> {
        let text = read(file, &file.display().to_string())?;
        Self::parse(&file.display().to_string(), &text, file.parent())
    }

    /// Reads a rehearsal that is called `name`. Without a folder it can include nothing.
    ///
    /// # Errors
    ///
    /// [`BadScript::Lines`].
    pub fn parse(name: &str, text: &str, folder: Option<&Path>) -> Result<Self, BadScript> {
        let mut parser = Parser {
            script: Self {
                name: name.to_owned(),
                title: String::new(),
                clauses: BTreeSet::new(),
                probes: Vec::new(),
                items: Vec::new(),
            },
            wrong: Vec::new(),
            parens_open: 0,
        };
        parser.file(name, text, folder, 0);
        if parser.wrong.is_empty() { Ok(parser.script) } else { Err(BadScript::Lines(parser.wrong)) }
    }
}

fn read(file: &Path, name: &str) -> Result<String, BadScript> {
    let unreadable = |why: &dyn fmt::Display| BadScript::Unreadable { file: name.to_owned(), why: why.to_string() };
    let length = std::fs::metadata(file).map_err(|why| unreadable(&why))?.len();
    if length > SCRIPT_MAX_BYTES as u64 {
        return Err(unreadable(&format!("it has {length} bytes, and {SCRIPT_MAX_BYTES} is the most")));
    }
    std::fs::read_to_string(file).map_err(|why| unreadable(&why))
}

struct Parser {
    script: Script,
    wrong: Vec<String>,
    /// Parentheses that are open at the end of the last speech: where it goes on, it is in the middle of a program.
    parens_open: usize,
}

impl Parser {
    fn file(&mut self, name: &str, text: &str, folder: Option<&Path>, level: usize) {
        let file: Arc<str> = name.into();
        for (index, line) in text.lines().enumerate() {
            let place = Place { file: file.clone(), line: index + 1 };
            let line = line.trim();
            if line.is_empty() || self.remark(line, level) {
                continue;
            }
            let line = without_remark(line);
            let read = match line.strip_prefix("include ") {
                Some(other) => self.include(other.trim(), folder, level),
                None => self.expanded(line).and_then(|line| self.line(&place, &line, folder)),
            };
            if let Err(why) = read {
                self.wrong.push(format!("{place}: {why}"));
            }
        }
    }

    /// A line with its shorthand written out.
    fn expanded(&mut self, line: &str) -> Result<String, String> {
        let open = if line.starts_with(':') { self.parens_open } else { 0 };
        let line = shorthand::expand(line, open)?;
        // A speech may go on below its files.
        if !line.starts_with("file ") {
            self.parens_open = shorthand::open_at_end(&line, open);
        }
        Ok(line)
    }

    /// Whether a line is a remark; the first of the file is its title.
    fn remark(&mut self, line: &str, level: usize) -> bool {
        if !line.starts_with('#') || reader(line).is_some() {
            return false;
        }
        if self.script.title.is_empty() && level == 0 {
            self.script.title = line.trim_start_matches('#').trim().to_owned();
        }
        true
    }

    fn include(&mut self, other: &str, folder: Option<&Path>, level: usize) -> Result<(), String> {
        let folder = folder.ok_or("nothing can be included here")?;
        if level >= INCLUDED_MAX_LEVELS {
            return Err(format!("files include each other more than {INCLUDED_MAX_LEVELS} deep"));
        }
        let path = folder.join(other);
        let text = read(&path, other).map_err(|why| why.to_string())?;
        self.file(&path.display().to_string(), &text, path.parent(), level + 1);
        Ok(())
    }

    fn line(&mut self, place: &Place, line: &str, folder: Option<&Path>) -> Result<(), String> {
        if let Some(text) = line.strip_prefix('|') {
            return self.expected_line(place, text);
        }
        if let Some(text) = line.strip_prefix(':') {
            let speech = self.last_speech().ok_or("a line that goes on with “:” stands below what somebody says")?;
            speech.text.push('\n');
            speech.text.push_str(text.strip_prefix(' ').unwrap_or(text));
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix("file ") {
            let file = file_line(rest, folder)?;
            let speech = self.last_speech().ok_or("a file stands below what somebody says")?;
            speech.files.push(file);
            return Ok(());
        }
        if let Some(clauses) = line.strip_prefix("clauses:") {
            self.script.clauses.extend(clauses.split([',', ' ']).filter(|id| !id.is_empty()).map(str::to_owned));
            return Ok(());
        }
        if let Some(probes) = line.strip_prefix("probes:") {
            for probe in probes.split(';').map(str::trim).filter(|probe| !probe.is_empty()) {
                self.script.probes.push(read_probe(probe)?);
            }
            return Ok(());
        }
        let item = match expectation(line)? {
            Some(expect) => Item::Expect(expect),
            None => Item::Act(act(line)?),
        };
        self.script.items.push((place.clone(), item));
        Ok(())
    }

    fn expected_line(&mut self, place: &Place, text: &str) -> Result<(), String> {
        let text = text.trim();
        let line = if text == "..." { LineOf::Others } else { LineOf::Is(Pattern::new(text)) };
        match self.script.items.last_mut() {
            Some((_, Item::Expect(Expect::Lines(lines)))) => lines.push((place.clone(), line)),
            Some(_) => {
                let lines = Expect::Lines(vec![(place.clone(), line)]);
                self.script.items.push((place.clone(), Item::Expect(lines)));
            }
            None => return Err("a line with “|” stands below what it is expected of".to_owned()),
        }
        Ok(())
    }

    fn last_speech(&mut self) -> Option<&mut Speech> {
        match self.script.items.last_mut() {
            Some((_, Item::Act(Act::Say(speech)))) => Some(speech),
            _ => None,
        }
    }
}

/// A line without the remark at its end: two blanks, a number sign, a blank.
fn without_remark(line: &str) -> &str {
    let cut = line.find("  # ").map_or(line, |at| &line[..at]);
    cut.strip_suffix("  #").unwrap_or(cut).trim_end()
}

/// The reader of an announcement, and what follows the `>`.
fn reader(line: &str) -> Option<(Reader, &str)> {
    let (head, rest) = line.split_once('>')?;
    let reader = match head.split_at_checked(1)? {
        ("#", name) if !name.is_empty() => Reader::Channel(head.to_owned()),
        ("@", name) if !name.is_empty() => Reader::Person(name.to_owned()),
        _ => return None,
    };
    (!head.contains(char::is_whitespace)).then_some((reader, rest))
}

// ---- expectations

fn expectation(line: &str) -> Result<Option<Expect>, String> {
    if let Some((to, rest)) = reader(line) {
        return Ok(Some(match rest.strip_prefix('-') {
            Some(text) => Expect::NotAnnounced { to: Some(to), says: anything(text) },
            None => Expect::Announced { to, says: something(rest)? },
        }));
    }
    if line.trim_end_matches('.') == "nothing announced" {
        return Ok(Some(Expect::NotAnnounced { to: None, says: None }));
    }
    if let Some(rest) = line.strip_prefix('<') {
        return Ok(Some(match rest.split_at_checked(1) {
            Some(("!", text)) => Expect::Refused(something(text)?),
            Some(("-", text)) => Expect::NoReply(anything(text)),
            Some(("<", text)) => Expect::Reply { says: something(text)?, private: true },
            _ => Expect::Reply { says: something(rest)?, private: false },
        }));
    }
    match line.strip_prefix("expect ") {
        Some(rest) => value(rest.trim()).map(Some),
        None => Ok(None),
    }
}

fn something(text: &str) -> Result<Pattern, String> {
    let pattern = Pattern::new(text);
    if pattern.is_empty() { Err("the expected text is missing".to_owned()) } else { Ok(pattern) }
}

fn anything(text: &str) -> Option<Pattern> {
    Some(Pattern::new(text)).filter(|pattern| !pattern.is_empty())
}

fn value(text: &str) -> Result<Expect, String> {
    let text = text.trim_end_matches('.');
    if let Some(count) = text.strip_suffix(" entries").or(text.strip_suffix(" entry")) {
        let number = if count == "no" { Some(0) } else { count.trim().parse().ok() };
        return number.map(Expect::Entries).ok_or_else(|| format!("“{count}” is no number of entries"));
    }
    let (what, not, is) = [" is not ", " != ", " is ", " = "]
        .into_iter()
        .find_map(|sign| text.split_once(sign).map(|(what, is)| (what.trim(), sign.contains(['!', 'n']), is.trim())))
        .ok_or("write it like: expect points of Ann = 7")?;
    let is = is.to_owned();
    if let Some(key) = what.strip_prefix("figure ") {
        return Ok(Expect::Figure { key: key.trim().to_owned(), not, is });
    }
    let what = match what.split_once(" of ") {
        Some((attr, name)) => ValueName::Of { attr: attr.trim().to_owned(), name: name.trim().to_owned() },
        None => ValueName::Path(what.to_owned()),
    };
    Ok(Expect::Value { what, not, is })
}

// ---- acts

fn act(line: &str) -> Result<Act, String> {
    if let Some(speech) = speech(line)? {
        return Ok(Act::Say(speech));
    }
    let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let moment = |text: &str| Moment::parse(text).ok_or_else(|| format!("“{text}” is no moment"));
    Ok(match (word, rest) {
        ("at", _) => Act::At(moment(rest)?),
        ("advance", _) => Act::Advance(moment::length(rest).ok_or_else(|| format!("“{rest}” is no length of time"))?),
        ("room", _) => Act::Room(room(rest)?),
        ("use", name) if !name.is_empty() => Act::Use(name.to_owned()),
        ("again", "") => Act::Again,
        ("moderator", name) if !name.is_empty() => Act::Moderator(name.to_owned()),
        ("dice", _) => Act::Dice(dice(rest)?),
        ("show", _) => {
            let (display, reader) = match rest.rsplit_once(" for ") {
                Some((display, reader)) => (display, Some(reader.trim().to_owned())),
                None => (rest, None),
            };
            Act::Show { display: display.to_owned(), reader }
        }
        ("entry", _) => Act::Entry(rest.parse().map_err(|_| "write it like: entry -1".to_owned())?),
        ("restart", "") => Act::Restart(None),
        ("down", _) => {
            let until = rest.strip_prefix("until ").ok_or("write it like: down until Mon 10:00")?;
            Act::Restart(Some(moment(until)?))
        }
        ("hold", "work") => Act::Hold,
        ("release", "work") => Act::Release,
        ("mark", name) if !name.is_empty() && name.chars().all(char::is_alphanumeric) => Act::Mark(name.to_owned()),
        ("secret", _) => {
            let (text, of) = match rest.rsplit_once(" of ") {
                Some((text, of)) => (text, Some(of.trim().to_owned())),
                None => (rest, None),
            };
            Act::Secret { text: said(text)?, of }
        }
        ("public", _) => Act::Public(said(rest)?),
        ("strict", "") => Act::Strict(true),
        ("lenient", "") => Act::Strict(false),
        _ => return Err(format!("“{word}” begins nothing that a rehearsal knows")),
    })
}

fn said(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("the text is missing".to_owned()) } else { Ok(super::pattern::fold(text)) }
}

/// `Ann: text`, `Ann (private): text`, `"Big Ann" (aside #talk): text`.
fn speech(line: &str) -> Result<Option<Speech>, String> {
    let (by, rest) = match line.strip_prefix('"') {
        Some(quoted) => match quoted.split_once('"') {
            Some((name, rest)) => (name, rest),
            None => return Ok(None),
        },
        None => {
            let end = line.find(|char: char| !char.is_alphanumeric() && !matches!(char, '-' | '_' | '\''));
            let (name, rest) = line.split_at(end.unwrap_or(line.len()));
            (name, rest)
        }
    };
    let rest = rest.trim_start();
    let (words, rest) = match rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((words, rest)) => (words, rest.trim_start()),
        None => ("", rest),
    };
    let Some(text) = rest.strip_prefix(':') else { return Ok(None) };
    if by.is_empty() {
        return Err("who says that?".to_owned());
    }
    let (mut whereto, mut proven) = (Whereto::Usual, true);
    for word in words.split_whitespace() {
        whereto = match (word, whereto) {
            ("unproven", before) => {
                proven = false;
                before
            }
            ("private", _) => Whereto::Private,
            ("aside", _) => Whereto::Aside(None),
            ("aloud", _) => Whereto::Channel(None),
            (channel, Whereto::Aside(_)) if channel.starts_with('#') => Whereto::Aside(Some(channel.to_owned())),
            (channel, _) if channel.starts_with('#') => Whereto::Channel(Some(channel.to_owned())),
            _ => return Err(format!("“{word}” is no place; there are: private, aside, aloud, #CHANNEL, unproven")),
        };
    }
    let text = text.strip_prefix(' ').unwrap_or(text).to_owned();
    Ok(Some(Speech { by: by.to_owned(), whereto, proven, text, files: Vec::new() }))
}

/// `joust main by Goethe in #hill with zone:Europe/London`.
fn room(text: &str) -> Result<RoomLine, String> {
    let usage = || "write it like: room joust main by Goethe in #hill".to_owned();
    let (head, rest) = text.split_once(" with ").unwrap_or((text, ""));
    let words: Vec<&str> = head.split_whitespace().collect();
    let [game, name, "by", by, "in", channel] = words[..] else { return Err(usage()) };
    if !channel.starts_with('#') {
        return Err(usage());
    }
    let [game, name, by, channel] = [game, name, by, channel].map(str::to_owned);
    Ok(RoomLine { game, name, by, channel, rest: rest.trim().to_owned() })
}

/// `length: 16 0 32`, `length from 135: 151 x20`, `length always from 135: 151`.
fn dice(text: &str) -> Result<DiceLine, String> {
    let (head, numbers) = text.split_once(':').ok_or("write it like: dice length from 135: 151 x20")?;
    let mut words = head.split_whitespace();
    let label = words.next().ok_or("what are the dice for?")?.to_owned();
    let (mut always, mut from) = (false, 0_u64);
    while let Some(word) = words.next() {
        match word {
            "always" => always = true,
            "from" => {
                let first = words.next().and_then(|first| first.parse().ok());
                from = first.ok_or("after “from” comes the lowest number that the dice can show")?;
            }
            _ => return Err(format!("“{word}” is nothing that dice know; there are: always, from N")),
        }
    }
    let mut shown: Vec<u64> = Vec::new();
    for word in numbers.split([' ', ',']).filter(|word| !word.is_empty()) {
        let wrong = || format!("“{word}” is no number from {from} on");
        if let Some(times) = word.strip_prefix('x') {
            let (last, times) = shown.last().zip(times.parse::<usize>().ok()).ok_or_else(wrong)?;
            if times == 0 || times > FIXED_MAX_DRAWS {
                return Err(wrong());
            }
            shown.extend(std::iter::repeat_n(*last, times - 1));
        } else {
            shown.push(word.parse::<u64>().ok().and_then(|number| number.checked_sub(from)).ok_or_else(wrong)?);
        }
        if shown.len() > FIXED_MAX_DRAWS {
            return Err(format!("{FIXED_MAX_DRAWS} numbers are the most"));
        }
    }
    if shown.is_empty() {
        return Err("which numbers do they show?".to_owned());
    }
    Ok(DiceLine { label, always, numbers: shown })
}

/// `alpha.bf: TEXT`, or the path of a file.
fn file_line(text: &str, folder: Option<&Path>) -> Result<FileLine, String> {
    if let Some((name, content)) = text.split_once(':') {
        let content = content.strip_prefix(' ').unwrap_or(content);
        return Ok(FileLine { name: name.trim().to_owned(), content: FileContent::Text(content.to_owned()) });
    }
    let folder = folder.ok_or("no file can be read here")?;
    let path: PathBuf = folder.join(text.trim());
    let name = path.file_name().map_or_else(|| text.to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(FileLine { name, content: FileContent::Path(path) })
}

/// `hill-size = 9`, or `rule points` for its repeal.
fn read_probe(text: &str) -> Result<Probe, String> {
    if let Some(rule) = text.strip_prefix("rule ") {
        return Ok(Probe { of: rule.trim().to_owned(), to: None });
    }
    let (key, to) = text.split_once('=').ok_or("write it like: probes: hill-size = 9; rule points")?;
    Ok(Probe { of: key.trim().to_owned(), to: Some(to.trim().to_owned()) })
}
