//! Sentences that somebody reads in a hurry are short: in documents, in the help, and in what the program says.
//!
//! What is no sentence is told by the structure of the text: code, headings, tables, and quotations, such as of rules.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{
    hold,
    source::{File, literals},
};

/// Longest sentence. A piece of code in it counts as one word.
const SENTENCE_MAX_WORDS: usize = 25;

/// What stands for a piece of code, or for what the program puts there.
const PIECE: &str = "X";

/// The sources of the program.
const SOURCES: [&str; 2] = ["crates/", "src/"];

/// The one part that speaks to a database, in its language, and to nobody else.
const SPEAKS_SQL: &str = "crates/store/";

/// The sentences of a paragraph: each ends in a mark, perhaps with a bracket or quotation mark behind it, and a blank.
fn sentences(paragraph: &str) -> Vec<&str> {
    let (mut found, mut start, mut ended) = (Vec::new(), 0, false);
    for (at, char) in paragraph.char_indices() {
        match char {
            '.' | '?' | '!' | '…' => ended = true,
            '"' | '”' | '’' | ')' | ']' => {}
            blank if blank.is_whitespace() && ended => {
                found.push(&paragraph[start..at]);
                (start, ended) = (at, false);
            }
            _ => ended = false,
        }
    }
    found.push(&paragraph[start..]);
    found
}

fn words(sentence: &str) -> usize {
    sentence.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// The sentences of a paragraph that are too long, each with its length.
fn long(paragraph: &str) -> impl Iterator<Item = String> {
    let long = sentences(paragraph).into_iter().map(|sentence| (words(sentence), sentence.trim()));
    let long = long.filter(|(words, _)| *words > SENTENCE_MAX_WORDS);
    long.map(|(words, sentence)| format!("{words} words: {sentence}"))
}

/// The paragraphs of a document and the items of its lists, each with the line on which it begins.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut paragraph, mut line, mut inside) = (Vec::new(), String::new(), 0, 0);
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let piece = match &event {
            Event::Text(text) => &**text,
            Event::Code(_) => PIECE,
            Event::SoftBreak | Event::HardBreak => " ",
            Event::Start(
                Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::Table(_) | Tag::BlockQuote(_) | Tag::HtmlBlock,
            ) => {
                inside += 1;
                ""
            }
            Event::End(
                TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Table | TagEnd::BlockQuote(_) | TagEnd::HtmlBlock,
            ) => {
                inside -= 1;
                ""
            }
            _ => "",
        };
        let is_in_line = !matches!(
            event,
            Event::Start(Tag::Paragraph | Tag::List(_) | Tag::Item)
                | Event::End(TagEnd::Paragraph | TagEnd::List(_) | TagEnd::Item)
        );
        if inside > 0 || !is_in_line {
            if !paragraph.trim().is_empty() {
                found.push((line, std::mem::take(&mut paragraph)));
            }
            paragraph.clear();
        } else {
            if paragraph.is_empty() {
                line = text[..range.start].lines().count().max(1);
            }
            paragraph.push_str(piece);
        }
    }
    found
}

/// A text of the program with a word in each place that it fills in, and with the command lines in it as one word.
fn filled_in(text: &str) -> String {
    let mut filled = text.to_owned();
    for (open, close) in [('⁅', '⁆'), ('{', '}')] {
        while let Some(start) = filled.find(open) {
            let Some(length) = filled[start..].find(close) else { break };
            filled.replace_range(start..start + length + close.len_utf8(), PIECE);
        }
    }
    filled
}

/// The texts of a file of commands: of help, and of what a game is about. A line to type is none.
fn of_commands(value: &toml::Value, found: &mut Vec<String>) {
    match value {
        toml::Value::Array(values) => values.iter().for_each(|value| of_commands(value, found)),
        toml::Value::Table(table) => {
            let told = table.iter().filter(|(key, _)| !["examples", "line", "usage"].contains(&key.as_str()));
            told.for_each(|(_, value)| of_commands(value, found));
        }
        // What stands in quotation marks is typed, or a title.
        toml::Value::String(text) => {
            let pieces = text.split('"').enumerate().map(|(at, piece)| if at % 2 == 0 { piece } else { PIECE });
            found.push(filled_in(&pieces.collect::<String>()));
        }
        _ => {}
    }
}

#[test]
fn no_sentence_is_longer_than_a_reader_in_a_hurry_reads() {
    fn rule(files: &[File]) -> Vec<String> {
        let mut findings = Vec::new();
        for file in files {
            let is_document = file.is_markdown() && (file.is_below(&["docs/"]) || file.path == "README.md");
            if is_document {
                for (line, paragraph) in paragraphs(&file.text) {
                    findings.extend(long(&paragraph).map(|what| file.at(line, &what)));
                }
            } else if file.is_below(&["commands/"]) && file.path.ends_with(".toml") {
                let mut texts = Vec::new();
                let read: toml::Table = file.text.parse().expect("a file of commands is TOML");
                of_commands(&toml::Value::Table(read), &mut texts);
                findings.extend(texts.iter().flat_map(|text| long(text)).map(|what| file.at(1, &what)));
            } else if file.is_rust()
                && file.is_below(&SOURCES)
                && !file.path.contains("test")
                && !file.is_below(&[SPEAKS_SQL])
            {
                let code = file.text.find("#[cfg(test)]\nmod ").map_or(&*file.text, |tests| &file.text[..tests]);
                for (line, literal) in literals(code) {
                    let paragraphs = literal.split('\n').map(filled_in).collect::<Vec<_>>();
                    findings.extend(paragraphs.iter().flat_map(|text| long(text)).map(|what| file.at(line, &what)));
                }
            }
        }
        findings
    }
    let twenty_six = "Word ".repeat(SENTENCE_MAX_WORDS) + "more.";
    let says = format!("d.refuse(\"{twenty_six}\")");
    let broken_line = says.replacen(" Word", " \\\n    Word", 1);
    let help = format!("[[command]]\nhelp = \"{twenty_six}\"\n");
    hold(
        rule,
        &[
            ("docs/a.md", &twenty_six),
            ("README.md", &format!("# A\n\n- {twenty_six}\n")),
            ("docs/a.md", &format!("Short. (Also.) {twenty_six} Short.")),
            ("docs/a.md", &twenty_six.replacen("Word", "[Word](a.md)", 3)),
            ("crates/joust/src/a.rs", &says),
            ("src/service/a.rs", &broken_line),
            ("commands/a.toml", &help),
        ],
        &[
            (
                "docs/a.md",
                &format!("# {twenty_six}\n\n> {twenty_six}\n\n    {twenty_six}\n\n| a |\n|---|\n| {twenty_six} |\n"),
            ),
            ("docs/a.md", &format!("It says `{twenty_six}` and “it is so.” {}", "Word ".repeat(SENTENCE_MAX_WORDS))),
            ("docs/a.md", &"Word ".repeat(SENTENCE_MAX_WORDS)),
            ("docs/a.md", &format!("Word\n- {}\n- Word\n", "Word ".repeat(SENTENCE_MAX_WORDS))),
            ("crates/store/src/a.rs", &says),
            ("crates/joust/src/tests.rs", &says),
            ("crates/joust/src/a.rs", &format!("// {twenty_six}\nd.refuse(\"⁅{twenty_six}⁆ {{}} {{{twenty_six}}}\")")),
            ("commands/a.toml", &help.replace("help", "examples")),
            ("CHANGELOG.md", &twenty_six),
        ],
    );
}
