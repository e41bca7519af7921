//! Reads the repository and its Rust sources as text, just well enough for the rules of [`super`]. It says which files
//! are tracked, what of a file is code, and which paths that code names. These rules need no syntax tree; the one on
//! circles of files does, and reads it by itself.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::harness::ROOT;

/// A text file of the repository.
pub(super) struct File {
    /// Where it lies, from the root, with `/` between folders.
    pub(super) path: String,
    /// What it says.
    pub(super) text: String,
}

impl File {
    /// A made-up file, for samples.
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether it is Rust.
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it is Markdown.
    pub(super) fn is_markdown(&self) -> bool {
        self.path.ends_with(".md")
    }

    /// Whether it lies in one of these folders, which end in `/`.
    pub(super) fn is_below(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// A finding in this file.
    pub(super) fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

/// Every tracked text file. Where git cannot say what is tracked (no git, an unpacked archive, a checkout of somebody
/// else's), every file that `.gitignore`'s few words leave.
pub(super) fn tracked() -> Vec<File> {
    let root = Path::new(ROOT);
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).stdin(Stdio::null()).output();
    let paths = match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            let text = String::from_utf8(output.stdout).expect("paths are UTF-8");
            text.split_terminator('\0').map(str::to_owned).collect()
        }
        _ => {
            let mut found = Vec::new();
            walk(root, root, &mut found);
            found
        }
    };
    paths
        .into_iter()
        .filter_map(|path| {
            // A file that is deleted and not yet committed so has nothing to check. Of one that is no text, such as a
            // picture, only that it is there.
            let text = String::from_utf8(std::fs::read(root.join(&path)).ok()?).unwrap_or_default();
            Some(File { path, text })
        })
        .collect()
}

fn walk(root: &Path, folder: &Path, into: &mut Vec<String>) {
    const NOT_OURS: [&str; 3] = ["target", ".git", ".env"];
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the checkout is readable")
        .map(|entry| entry.expect("the checkout is readable").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if NOT_OURS.contains(&&*name) || name.contains(".db") {
            continue;
        }
        if path.is_dir() {
            walk(root, &path, into);
        } else {
            let inside = path.strip_prefix(root).expect("a walk stays inside");
            into.push(inside.to_string_lossy().replace('\\', "/"));
        }
    }
}

/// The code of a Rust file: comments and the insides of literals are blanked, so that every remaining character stands
/// on its line.
pub(super) fn code(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |character: char| if character == '\n' { '\n' } else { ' ' };
    while at < characters.len() {
        let end = literal_or_comment_end(&characters, at);
        if end > at {
            out.extend(characters[at..end].iter().map(|character| blank(*character)));
            at = end;
        } else {
            out.push(characters[at]);
            at += 1;
        }
    }
    out
}

/// The strings of a Rust file as they are said, each with the line on which it begins.
pub(super) fn literals(text: &str) -> Vec<(usize, String)> {
    let characters: Vec<char> = text.chars().collect();
    let (mut found, mut line, mut at) = (Vec::new(), 1, 0);
    while at < characters.len() {
        let end = literal_or_comment_end(&characters, at).max(at + 1);
        let raw = characters[at] == 'r' && end > at + 1;
        if characters[at] == '"' || raw {
            let inside: String = characters[at..end].iter().collect();
            let inside = if raw { inside.trim_start_matches(['r', '#']).trim_end_matches('#') } else { &*inside };
            let inside = inside.strip_prefix('"').and_then(|inside| inside.strip_suffix('"')).unwrap_or(inside);
            found.push((line, if raw { inside.to_owned() } else { said(inside) }));
        }
        line += characters[at..end].iter().filter(|character| **character == '\n').count();
        at = end;
    }
    found
}

/// A string as it is said: with what its escapes stand for, and without the blanks behind a broken line.
fn said(inside: &str) -> String {
    let (mut said, mut rest) = (String::new(), inside.chars().peekable());
    while let Some(character) = rest.next() {
        match (character, rest.peek()) {
            ('\\', Some('\n')) => while rest.next_if(|next| next.is_whitespace()).is_some() {},
            ('\\', Some('n')) => {
                said.push('\n');
                rest.next();
            }
            ('\\', Some(_)) => said.extend(rest.next()),
            _ => said.push(character),
        }
    }
    said
}

/// Where the comment, string or character that begins at `at` ends, or `at` when none begins there.
fn literal_or_comment_end(characters: &[char], at: usize) -> usize {
    let is = |index: usize, wanted: char| characters.get(index) == Some(&wanted);
    let len = characters.len();
    match characters[at] {
        '/' if is(at + 1, '/') => (at..len).find(|index| is(*index, '\n')).unwrap_or(len),
        '/' if is(at + 1, '*') => {
            let (mut depth, mut index) = (1, at + 2);
            while depth > 0 && index < len {
                if is(index, '/') && is(index + 1, '*') {
                    (depth, index) = (depth + 1, index + 2);
                } else if is(index, '*') && is(index + 1, '/') {
                    (depth, index) = (depth - 1, index + 2);
                } else {
                    index += 1;
                }
            }
            index.min(len)
        }
        '"' => quoted_end(characters, at, '"'),
        // A character, not a lifetime: an escape, or one character and a quote.
        '\'' if is(at + 1, '\\') || (is(at + 2, '\'') && !is(at + 1, '\'')) => quoted_end(characters, at, '\''),
        'r' if at == 0 || !is_word(characters[at - 1]) || matches!(characters[at - 1], 'b' | 'c') => {
            let hashes = (at + 1..len).take_while(|index| is(*index, '#')).count();
            if !is(at + 1 + hashes, '"') {
                return at;
            }
            (at + 2 + hashes..len)
                .find(|index| is(*index, '"') && (1..=hashes).all(|hash| is(index + hash, '#')))
                .map_or(len, |index| index + 1 + hashes)
        }
        _ => at,
    }
}

fn quoted_end(characters: &[char], at: usize, quote: char) -> usize {
    let mut index = at + 1;
    while index < characters.len() {
        match characters[index] {
            '\\' => index += 2,
            character if character == quote => return index + 1,
            _ => index += 1,
        }
    }
    characters.len()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// A path that code names, such as `std::fs::read`, with the line it stands on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) line: usize,
    pub(super) segments: Vec<String>,
}

impl Named {
    /// Whether it is `wanted` or something inside that.
    pub(super) fn is_inside(&self, wanted: &str) -> bool {
        let mut segments = self.segments.iter();
        wanted.split("::").all(|segment| segments.next().is_some_and(|own| own == segment))
    }
}

/// Every path of two or more segments in `code`, and every import, groups taken apart. A path whose head is a module or
/// an import of the file itself is left out. Its import was named already, and `irc::connect` may mean an adapter.
pub(super) fn paths(code: &str) -> Vec<Named> {
    let tokens = tokens(code);
    let mut local = BTreeSet::new();
    let mut named = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (line, token) = tokens[at];
        let before = at.checked_sub(1).map_or("", |index| tokens[index].1);
        // `use<'a>` in a type captures a lifetime; it imports nothing.
        if token == "use" && tokens.get(at + 1).is_none_or(|(_, next)| *next != "<") {
            at = import(&tokens, at + 1, &[], &mut named, &mut local);
        } else if token == "mod" {
            local.extend(tokens.get(at + 1).map(|(_, name)| (*name).to_owned()));
            at += 2;
        } else if starts_word(token) && !matches!(before, ".") {
            let mut segments = vec![token.to_owned()];
            at += 1;
            while at + 1 < tokens.len() && tokens[at].1 == "::" && starts_word(tokens[at + 1].1) {
                segments.push(tokens[at + 1].1.to_owned());
                at += 2;
            }
            if segments.len() > 1 {
                named.push((false, Named { line, segments }));
            }
        } else {
            at += 1;
        }
    }
    named
        .into_iter()
        .filter(|(is_import, path)| *is_import || !local.contains(&path.segments[0]))
        .map(|(_, path)| path)
        .collect()
}

/// Reads one tree of an import that begins at `at`, and returns where it ends.
fn import(
    tokens: &[(usize, &str)],
    mut at: usize,
    prefix: &[String],
    named: &mut Vec<(bool, Named)>,
    local: &mut BTreeSet<String>,
) -> usize {
    let mut segments = prefix.to_vec();
    while let Some((line, token)) = tokens.get(at).copied() {
        match token {
            "::" => at += 1,
            "{" => {
                at += 1;
                while at < tokens.len() && tokens[at].1 != "}" {
                    at = import(tokens, at, &segments, named, local);
                    if tokens.get(at).is_some_and(|(_, token)| *token == ",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "," | "}" | ";" | "as" => {
                let name = match tokens.get(at + 1) {
                    Some((_, alias)) if token == "as" => (*alias).to_owned(),
                    _ => segments.last().cloned().unwrap_or_default(),
                };
                if segments.len() > 1 {
                    local.insert(name);
                }
                named.push((true, Named { line, segments }));
                return if token == "as" { at + 2 } else { at };
            }
            // `use a::b::{self}` names `a::b`.
            "self" if !segments.is_empty() => at += 1,
            word => {
                segments.push(word.to_owned());
                at += 1;
            }
        }
    }
    at
}

fn starts_word(token: &str) -> bool {
    token.chars().next().is_some_and(|character| is_word(character) && !character.is_numeric())
}

/// Words, `::` and single signs, each with its line.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|character| !is_word(character)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            tokens.push((index + 1, token));
            rest = after.trim_start();
        }
    }
    tokens
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "a /* x /* y */ z */ b // c\n\"d // \\\" e\" f 'g' '\\'' r#\"h \" i\"# j<'k> br\"l\" m";
    let words: Vec<_> = code(text).split(|c| !is_word(c)).filter(|w| !w.is_empty()).map(str::to_owned).collect();
    assert_eq!(words, ["a", "b", "f", "j", "k", "b", "m"]);
    assert_eq!(code(text).lines().count(), text.lines().count());
}

#[test]
fn strings_are_read_as_they_are_said() {
    let text = "f(\"a \\\n    b \\\"c\\\"\"); // \"no\"\nlet it = r#\"d \"e\"#; g('\"', \"h\\ni\")";
    let found = [(1, "a b \"c\""), (3, "d \"e"), (3, "h\ni")].map(|(line, said)| (line, said.to_owned()));
    assert_eq!(literals(text), found);
}

#[test]
fn imports_are_taken_apart() {
    let found = |text: &str| -> Vec<String> {
        paths(&code(text)).into_iter().map(|path| format!("{} {}", path.line, path.segments.join("::"))).collect()
    };
    assert_eq!(
        found("use std::{\n    fs,\n    time::{self, Duration as Span},\n};\nuse ::irc;"),
        ["2 std::fs", "3 std::time", "3 std::time::Duration", "5 irc"]
    );
    assert_eq!(found("fn f() { std::fs::read(x.tokio, irc::y::<z>()) }"), ["1 std::fs::read", "1 irc::y"]);
    assert_eq!(found("mod irc;\nfn f() { irc::run() }"), Vec::<String>::new());
    assert_eq!(found("use crate::adapters::irc;\nfn f() { irc::run() }"), ["1 crate::adapters::irc"]);
    assert!(paths(&code("use std::fs as files;"))[0].is_inside("std::fs"));
    assert!(!paths(&code("use std::fsx::y;"))[0].is_inside("std::fs"));
}
