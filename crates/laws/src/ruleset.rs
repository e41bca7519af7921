//! A ruleset: a folder with `ruleset.toml` and a file for each rule, or the same as one text.
//!
//! The file `rules/109-transmutation.md` holds the text of rule 109. In one text each rule is a heading with its number and
//! title, and below it what its file would hold:
//!
//! ```text
//! ---
//! title: My game
//! ---
//! # 109 Transmutation
//! ---
//! immutable: yes
//! ---
//! A rule is Mutable or Immutable.
//! ```
//!
//! Numbers stay what they are. The fields between lines of `---` may be left out. What stands in a fence is no heading.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{
    Id, Refusal,
    directives::wording::slug,
    own_command::Languages,
    rulebook::{Rule, RuleOp, RuleSource, Rulebook, book::OPENED, page, source::fences},
};
use serde::Deserialize;

use super::{languages, shipped};

/// Longest text of a ruleset, in bytes: five times the longest known one. All of it stands in the first entry of its room.
pub const RULESET_MAX_BYTES: usize = 512 * 1024;
/// Most rules of a ruleset.
pub const RULESET_MAX_RULES: usize = 500;
/// Largest file of a ruleset, in bytes.
pub const FILE_MAX_BYTES: usize = 256 * 1024;
/// Most files of a folder of rules.
pub const FOLDER_MAX_FILES: usize = RULESET_MAX_RULES + 10;
/// What a part says that it needs where it goes into every game.
const ANY: &str = "any";
/// The ruleset that such a part comes behind where it is opened by itself.
const CLUB: &str = "club";
/// The game that plays rulesets.
const NOMIC: &str = "nomic";

/// Longest title of a rule, in characters.
pub const TITLE_MAX_CHARS: usize = 120;

/// A heading, and where its line begins and ends in the text.
struct Heading<'t> {
    number: u32,
    title: &'t str,
    line: usize,
    begins: usize,
    ends: usize,
}

/// What `ruleset.toml` says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// What the game is called.
    title: String,
    /// Which version of it this is.
    version: String,
    /// A line or two for newcomers.
    summary: String,
    /// What it is laid into: a ruleset, a game of the program, or any game. Without it this is a game.
    #[serde(default)]
    needs: String,
}

/// A ruleset, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruleset {
    /// What the game is called, where that is said.
    pub title: String,
    /// A line or two for newcomers, where that is said.
    pub summary: String,
    /// What it is laid into; empty for a game.
    pub needs: String,
    /// Its rules, in order.
    pub rules: Vec<RuleSource>,
    /// What its commands are called in other languages.
    pub languages: Languages,
}

impl Ruleset {
    /// The operations that bring its rules into force.
    pub fn opening(self) -> Vec<RuleOp> {
        self.rules.into_iter().map(|rule| rule.enact(OPENED)).collect()
    }

    /// Itself, behind the rules of the ruleset that it needs.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the program has no such ruleset.
    pub fn based(self) -> Result<Self, Refusal> {
        let first = match self.needs.as_str() {
            "" => return Ok(self),
            ANY => CLUB,
            other => other,
        };
        if !shipped::names().contains(&first) {
            let why = format!("these rules are no game by themselves: they go into a room of {first}");
            return Err(Refusal::new(why).instead("=> adopt NAME"));
        }
        let Self { mut rules, mut languages, .. } = read(&shipped::text(first)?)?;
        behind(&mut rules, self.rules)?;
        languages.extend(self.languages);
        Ok(Self { rules, languages, ..self })
    }

    /// The game whose rooms it is for; nothing where it goes into every one.
    pub fn game(&self) -> Option<&str> {
        match self.needs.as_str() {
            ANY => None,
            needs if needs.is_empty() || shipped::names().contains(&needs) => Some(NOMIC),
            needs => Some(needs),
        }
    }

    /// The directives that lay its rules in.
    pub fn directives(&self) -> String {
        let one = |rule: &RuleSource| {
            let fields: String = rule.fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
            format!("=> create rule \"{}\":\n{LINES}\n{fields}{}\n{LINES}\n", rule.title, rule.body)
        };
        self.rules.iter().map(one).collect()
    }
}

/// What stands around the text of a rule in a directive.
const LINES: &str = "~~~~";

/// Puts rules behind others, with the numbers that follow. One with a title that is taken gets another.
///
/// # Errors
///
/// A [`Refusal`] where there is no number left.
pub fn behind(known: &mut Vec<RuleSource>, more: impl IntoIterator<Item = RuleSource>) -> Result<(), Refusal> {
    let last = known.iter().map(|rule| rule.number).max().unwrap_or(0);
    for (place, mut rule) in (1..).zip(more) {
        rule.number = last.checked_add(place).ok_or_else(|| Refusal::new("no number is left behind the last"))?;
        if known.iter().any(|other| other.title.eq_ignore_ascii_case(&rule.title)) {
            rule.title = format!("{} (laid in)", rule.title);
        }
        if known.iter().any(|other| other.id == rule.id) {
            rule.id = format!("{}-{}", rule.id, rule.number).into();
        }
        known.push(rule);
    }
    Ok(())
}

/// Whether a file of a folder is the manifest, a rule or a language, by its path in the folder.
pub fn is_read(path: &str) -> bool {
    path == MANIFEST || (path.starts_with(RULES) && path.ends_with(".md")) || languages::code(path).is_some()
}

/// The files of a folder as one text. Each comes with its path in the folder; what is neither the manifest nor a rule or a language is
/// passed over.
///
/// # Errors
///
/// A [`Refusal`] with the file that is wrong.
pub fn of_folder<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Result<String, Refusal> {
    let (mut manifest, mut rules, mut words) = (None, BTreeMap::new(), String::new());
    for (path, text) in files {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if path == MANIFEST {
            let read: Manifest =
                toml::from_str(text).map_err(|why| Refusal::new(format!("{MANIFEST}: {}", why.message())))?;
            manifest = Some(read);
        } else if let Some(code) = languages::code(path) {
            words += &languages::of_file(path, code, text)?;
        } else if let Some(name) = path.strip_prefix(RULES).and_then(|name| name.strip_suffix(".md")) {
            let (number, title) = name.split_once('-').unwrap_or((name, ""));
            let number = number.parse::<u32>().ok().filter(|_| !title.is_empty());
            let number = number.ok_or_else(|| {
                Refusal::new(format!("{path}: a rule's file is called by number and title, as in 101-obedience.md"))
            })?;
            let text = text.replace("\r\n", "\n");
            let (head, body) = fields(&text);
            let titled = field(head, "title").map(str::to_owned);
            let title = titled.unwrap_or_else(|| capital(&title.replace('-', " ")));
            let mut head = header(head.lines().filter(|line| !line.starts_with("title: ")));
            if head.is_empty() && body.starts_with("---") {
                head = "---\n---\n".to_owned();
            }
            // It would take in the rules behind it.
            let and_more = format!("{body}\nx");
            if fences(&and_more).last().is_some_and(|fence| fence.at.end == and_more.len()) {
                return Err(Refusal::new(format!("{path}: a fence begins in it and does not end")));
            }
            let body = outside(body.trim_end_matches('\n'), |line| format!("\\{line}"));
            if rules.insert(number, format!("# {number} {title}\n{head}{body}\n")).is_some() {
                return Err(Refusal::new(format!("{path}: two rules have the number {number}")));
            }
        }
    }
    let Some(Manifest { title, version, summary, needs }) = manifest else {
        return Err(Refusal::new(format!("there is no {MANIFEST} in it, which says what the game is called")));
    };
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = format!(
        "---\ntitle: {}\nversion: {}\nsummary: {}\n{}{words}---\n",
        one_line(title),
        one_line(version),
        one_line(summary),
        if needs.is_empty() { needs } else { format!("needs: {}\n", one_line(needs)) }
    );
    Ok(rules.into_values().fold(head, |text, rule| text + rule.as_str()))
}

/// The rules and the languages of a room as the files of a folder, each with its path in it: read again, they are the
/// same.
pub fn folder_of(rules: &Rulebook, languages: &Languages, title: &str) -> Vec<(String, String)> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let summary = format!("As {title} reads now.");
    let manifest = format!("title = {}\nversion = \"1\"\nsummary = {}\n", quoted(title), quoted(&summary));
    let file = |rule: &Rule| {
        let stem = Some(slug(rule.title())).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "rule".to_owned());
        let fields: String = rule.fields().iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        let text = format!("---\ntitle: {}\n{fields}---\n{}\n", rule.label(), rule.text().source());
        (format!("{RULES}{}-{stem}.md", rule.number()), text)
    };
    let files = rules.rules().into_iter().map(file);
    std::iter::once((MANIFEST.to_owned(), manifest)).chain(files).chain(languages::files(languages)).collect()
}

/// A text whose lines outside of fences that look like the heading of a rule, behind backslashes or none, are otherwise.
fn outside(text: &str, other: impl Fn(&str) -> String) -> String {
    let (fences, mut at) = (fences(text), 0);
    let lines = text.split_inclusive('\n').map(|line| {
        let begins = at;
        at += line.len();
        let is_one = line.trim_start_matches('\\').starts_with("# ");
        let is_fenced = fences.iter().any(|fence| fence.at.contains(&begins));
        if is_one && !is_fenced { other(line) } else { line.to_owned() }
    });
    lines.collect()
}

/// A text with a capital at its beginning.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The file of a folder that says what the game is called.
pub const MANIFEST: &str = "ruleset.toml";
/// The folder of its rules.
const RULES: &str = "rules/";

/// A field among some.
fn field<'t>(fields: &'t str, name: &str) -> Option<&'t str> {
    fields.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// Fields as a text or a rule begins with them; nothing where there are none.
fn header<'t>(fields: impl Iterator<Item = &'t str>) -> String {
    let lines: String = fields.map(|line| format!("{line}\n")).collect();
    if lines.is_empty() { lines } else { format!("---\n{lines}---\n") }
}

/// The fields that a text or a rule begins with, and what stands behind them.
fn fields(text: &str) -> (&str, &str) {
    let rest = text.strip_prefix("---\n");
    let empty = rest.and_then(|rest| rest.strip_prefix("---\n")).map(|behind| ("", behind));
    let parts = empty.or_else(|| rest?.split_once("\n---"));
    parts.map_or(("", text), |(fields, rest)| (fields, rest.trim_start_matches('\n')))
}

/// Refuses what is no text, or is too long for a ruleset.
///
/// # Errors
///
/// A [`Refusal`] with how long it is, or with the line that is no text.
pub fn bounded(text: &str) -> Result<(), Refusal> {
    if text.len() > RULESET_MAX_BYTES {
        return Err(Refusal::new(format!("the rules have {} bytes, and {RULESET_MAX_BYTES} is the most", text.len())));
    }
    Ok(page::legible(text)?)
}

/// Reads a ruleset as one text.
///
/// # Errors
///
/// A [`Refusal`] with the line of what is wrong.
pub fn read(text: &str) -> Result<Ruleset, Refusal> {
    let whole = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    bounded(&whole)?;
    let (head, text) = fields(&whole);
    let named = |name: &str| field(head, name).unwrap_or_default().to_owned();
    let above = whole[..whole.len() - text.len()].lines().count();
    let heads = headings(text, above)?;
    if heads.len() > RULESET_MAX_RULES {
        return Err(Refusal::new(format!("there are {} rules, and {RULESET_MAX_RULES} is the most", heads.len())));
    }
    let (mut numbers, mut titles) = (BTreeMap::new(), BTreeMap::new());
    let mut ids: BTreeSet<String> = BTreeSet::new();
    let mut rules = Vec::new();
    for (place, head) in heads.iter().enumerate() {
        let wrong = |why: String| Refusal::new(format!("line {}, rule {}: {why}", head.line, head.number));
        if let Some(line) = numbers.insert(head.number, head.line) {
            return Err(wrong(format!("the rule of line {line} has the number {} already", head.number)));
        }
        if let Some(line) = titles.insert(head.title.to_lowercase(), head.line) {
            return Err(wrong(format!("the rule of line {line} is called “{}” already", head.title)));
        }
        if head.title.chars().count() > TITLE_MAX_CHARS {
            return Err(wrong(format!("a title has at most {TITLE_MAX_CHARS} characters")));
        }
        let end = heads.get(place + 1).map_or(text.len(), |next| next.begins);
        let body = text[head.ends..end].trim_matches('\n');
        let (fields, body) = fields(body);
        if body.trim().is_empty() {
            return Err(wrong(format!("nothing stands under “{}”", head.title)));
        }
        let stem = Some(slug(head.title)).filter(|stem| !stem.is_empty()).unwrap_or_else(|| "rule".to_owned());
        let mut id = stem;
        while !ids.insert(id.clone()) {
            id = format!("{id}-{}", head.number);
        }
        let own = [format!("number: {}", head.number), format!("title: {}", head.title)];
        let body = outside(body, |line| line.strip_prefix('\\').unwrap_or(line).to_owned());
        let file = header(own.iter().map(String::as_str).chain(fields.lines())) + body.as_str();
        rules.push(RuleSource::parse(Id::from(id), &file).map_err(|bad| wrong(bad.why.to_owned()))?);
    }
    let (title, summary, needs) = (named("title"), named("summary"), named("needs"));
    Ok(Ruleset { title, summary, needs, rules, languages: languages::of_head(head)? })
}

/// The headings of a text, outside of its fences; so many lines stand above it.
fn headings(text: &str, above: usize) -> Result<Vec<Heading<'_>>, Refusal> {
    let fences = fences(text);
    let is_fenced = |at: usize| fences.iter().any(|fence| fence.at.contains(&at));
    let (mut heads, mut at) = (Vec::new(), 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let index = index + above;
        let (begins, ends) = (at, at + line.len());
        at = ends;
        let Some(words) = line.strip_prefix("# ").filter(|_| !is_fenced(begins)) else {
            if heads.is_empty() && !line.trim().is_empty() {
                let why = format!("line {}: rules begin with a heading such as “# 101 Obedience”", index + 1);
                return Err(Refusal::new(why));
            }
            continue;
        };
        let (number, title) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
        let Some(number) = number.trim_end_matches('.').parse().ok().filter(|_| !title.trim().is_empty()) else {
            let why = format!("line {}: a heading has a number and a title, as in “# 101 Obedience”", index + 1);
            return Err(Refusal::new(why));
        };
        heads.push(Heading { number, title: title.trim(), line: index + 1, begins, ends });
    }
    if heads.is_empty() {
        return Err(Refusal::new("there is no rule in it: each begins with a heading such as “# 101 Obedience”"));
    }
    Ok(heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 101 Obedience\nWhoever plays keeps the rules.\n\n# 109 Kinds of rules\n---\nimmutable: yes\n---\n\
        A rule is Mutable.\n\n```law\n# no heading\nkind(\"x\");\n```\n";

    #[test]
    fn rules_keep_their_numbers_titles_and_fields() {
        let rules = read(TEXT).unwrap().rules;
        let heads: Vec<_> = rules.iter().map(|rule| (rule.number, &*rule.title, &*rule.id)).collect();
        assert_eq!(heads, [(101, "Obedience", "obedience"), (109, "Kinds of rules", "kinds-of-rules")]);
        assert_eq!(rules[1].fields.get("immutable").map(String::as_str), Some("yes"));
        assert!(rules[1].body.starts_with("A rule is Mutable.") && rules[1].body.contains("# no heading"));
    }

    #[test]
    fn a_folder_is_the_same_as_one_text() {
        let manifest = "title = \"Mine\"\nversion = \"1\"\nsummary = \"A game.\"\n";
        let files = [
            ("ruleset.toml", manifest),
            ("rules/109-kinds-of-rules.md", "---\nimmutable: yes\n---\nA rule is Mutable.\n"),
            ("rules/101-obedience.md", "\u{feff}Whoever plays keeps the rules.\n"),
            ("rules/7-x.md", "---\ntitle: X & Y\n---\nBoth.\n"),
            ("guide.md", "# No rule\n"),
        ];
        let read = read(&of_folder(files).unwrap()).unwrap();
        assert_eq!((&*read.title, &*read.summary), ("Mine", "A game."));
        let heads: Vec<_> = read.rules.iter().map(|rule| (rule.number, &*rule.title)).collect();
        assert_eq!(heads, [(7, "X & Y"), (101, "Obedience"), (109, "Kinds of rules")]);
        assert_eq!(read.rules[1].body, "Whoever plays keeps the rules.");
        assert_eq!(read.rules[2].fields.get("immutable").map(String::as_str), Some("yes"));
        for (path, text, why) in [
            ("ruleset.toml", "title = 3", "ruleset.toml: "),
            ("rules/obedience.md", "x", "called by number and title"),
            ("rules/8-open.md", "Words.\n```law\nkind(\"x\");", "a fence begins in it and does not end"),
            ("rules/0101-twice.md", "x", "two rules have the number 101"),
        ] {
            let wrong = files.into_iter().filter(|(known, _)| *known != path).chain([(path, text)]);
            assert!(of_folder(wrong).unwrap_err().say.contains(why), "{path}");
        }
    }

    /// A line in the text of a rule is no field of it, and none of its lines goes.
    #[test]
    fn texts_go_in_word_for_word() {
        for body in [
            "One.\n\n---\n\ntitle: Two",
            "---\ntitle: Two\n---\nOne.",
            "  Blanks before and behind.  ",
            "# 2 Two\n\\# 3 Three\n```\n# 4 Four\n\\# 5 Five\n```",
        ] {
            let file = format!("---\ntitle: A\n---\n{body}\n");
            let files = [("ruleset.toml", "title = \"M\"\nversion = \"1\"\nsummary = \"S\""), ("rules/1-a.md", &*file)];
            let read = read(&of_folder(files).unwrap()).unwrap();
            assert_eq!((&*read.rules[0].title, &*read.rules[0].body), ("A", body));
        }
    }

    /// Rules that are written out and read again are the same, by number, title, fields and text.
    #[test]
    fn a_folder_that_is_written_reads_the_same() {
        let texts = [TEXT, &shipped::text("club").unwrap()].map(|text| read(text).unwrap());
        for Ruleset { rules, .. } in texts {
            let mut book = Rulebook::default();
            for op in rules.iter().cloned().map(|rule| rule.enact(OPENED)) {
                book.apply(&op, 1, kernel::Instant::UNIX_EPOCH);
            }
            let files = folder_of(&book, &Languages::new(), "Mine \"&\" yours");
            let again = of_folder(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))).unwrap();
            let again = read(&again).unwrap();
            assert_eq!((&*again.title, again.rules), ("Mine \"&\" yours", rules));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, why) in [
            ("", "there is no rule in it"),
            ("Obedience\n", "line 1: rules begin with a heading"),
            ("# Obedience\nx\n", "line 1: a heading has a number and a title"),
            ("# 1 A\nx\n# 1 B\ny\n", "line 3, rule 1: the rule of line 1 has the number 1 already"),
            ("# 1 A\nx\n# 2 a\ny\n", "line 3, rule 2: the rule of line 1 is called “a” already"),
            ("# 1 A\n\n# 2 B\ny\n", "line 1, rule 1: nothing stands under “A”"),
            ("# 1 A\n---\nx\n---\ny\n", "line 1, rule 1: a field is written NAME: VALUE"),
            ("# 1 A\nna\u{fffd}ve\n", "line 2: it holds bytes that are no UTF-8 text; save the file as UTF-8"),
            (&(1..=10_000).map(|number| format!("# {number} R{number}\nx\n")).collect::<String>(), "500 is the most"),
            (&"x".repeat(RULESET_MAX_BYTES + 1), "524288 is the most"),
            (&format!("# 1 {}\nx\n", "A".repeat(300)), "line 1, rule 1: a title has at most 120 characters"),
        ] {
            assert!(read(text).unwrap_err().say.contains(why), "{text}: {:?}", read(text));
        }
    }
}
