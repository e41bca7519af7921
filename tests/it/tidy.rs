//! The rules of the repository, held as ordinary tests. They say what each part of the program may name, how files
//! begin, how limits are called, and what no tracked file may contain.
//!
//! Every rule is a function from files to findings. It is shown made-up files that break it and some that keep it
//! before it is shown the repository. So a rule that has gone blind fails too.

mod circles;
pub(crate) mod hints;
mod sentences;
mod source;

use std::collections::BTreeSet;

use catalogue::Catalogue;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use source::{File, code, paths, tracked};

/// Longest README. What does not fit belongs in `docs/`.
const README_MAX_LINES: usize = 120;

/// What a limit can count: the last word of its name.
const UNITS: &str = "\
    ACTIONS ATTRIBUTES BITS BYTES CELLS CHALLENGES CHANGES CHANNELS CHARGES CHARS CHOICES COLUMNS COMMANDS \
    CONNECTIONS COPIES COUNT CYCLES DAYS DECLARATIONS DELIVERIES DIGITS DRAWS ENTRIES EVENTS FIELDS FILES FORUMS \
    HOURS INSTANTS ITEMS JOBS LETTERS LEVELS LINES MATCHES MESSAGES MILLISECONDS MINUTES NAMES NODES \
    OBJECTS OPERATIONS OPTIONS PAGES PARAMETERS PARTS PEOPLE PERCENT PERSONS PIXELS PROGRAMS REDIRECTS REQUESTS \
    ROOMS ROUNDS ROWS RULES SECONDS SECRETS SNAPSHOTS STATEMENTS STEPS SYMBOLS TESTS TOUCHES TRIES WEEKS \
    WORDS YEARS";

/// What reaches nothing outside. The compiler sees to it that these crates name no runtime, no database and no network.
/// A test sees to it that they leave the standard library's clocks, files and sockets alone.
const PURE: [&str; 10] = [
    "bfjoust/src/",
    "crates/blognomic/",
    "crates/bnomic/",
    "crates/catalogue/src/grammar/",
    "crates/joust/",
    "crates/kernel/",
    "crates/kit/",
    "crates/laws/",
    "crates/nomic/",
    "crates/spacenomic/",
];

type Rule = fn(&[File]) -> Vec<String>;

/// Shows a rule each file of `broken` alone, which it must object to. Then come all of `kept`, which it must let pass,
/// and then the repository.
fn hold(rule: Rule, broken: &[(&str, &str)], kept: &[(&str, &str)]) {
    for (path, text) in broken {
        assert!(!rule(&[File::new(path, text)]).is_empty(), "the rule does not see what is wrong with {path}:\n{text}");
    }
    let kept: Vec<_> = kept.iter().map(|(path, text)| File::new(path, text)).collect();
    assert_eq!(rule(&kept), Vec::<String>::new(), "the rule objects to files that keep it");

    let findings = rule(&tracked());
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

/// Where Rust files of `folders` name something inside one of `forbidden`.
fn named_in(files: &[File], chosen: impl Fn(&File) -> bool, forbidden: &[&str], why: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && chosen(file)) {
        for path in paths(&code(&file.text)) {
            if forbidden.iter().any(|name| path.is_inside(name)) {
                findings.push(file.at(path.line, &format!("{}: {why}", path.segments.join("::"))));
            }
        }
    }
    findings
}

// --- What each part may name ---------------------------------------------------------------------------------------

#[test]
fn kernel_and_games_are_pure() {
    fn rule(files: &[File]) -> Vec<String> {
        const FORBIDDEN: [&str; 10] = [
            "jiff::Timestamp::now",
            "jiff::Zoned::now",
            "std::env",
            "std::fs",
            "std::io",
            "std::net",
            "std::os",
            "std::process",
            "std::thread",
            "std::time",
        ];
        // Tests may read the files that they play.
        let pure = |file: &File| file.is_below(&PURE) && !file.path.contains("/src/tests/");
        named_in(files, pure, &FORBIDDEN, "nothing in here reaches the outside; it is handed in")
    }
    hold(
        rule,
        &[
            ("crates/joust/src/a.rs", "use std::{fmt, time::Instant};"),
            ("crates/joust/src/a.rs", "fn f() { ::std::fs::read(p); }"),
            ("crates/kernel/src/a.rs", "fn f() { jiff::Timestamp::now() }"),
            ("crates/laws/src/a.rs", "use std::time::SystemTime;"),
        ],
        &[
            ("crates/kernel/src/a.rs", "// std::fs is absent\nuse std::fmt;\nconst S: &str = \"std::fs::read\";"),
            ("crates/store/src/a.rs", "use std::fs;"),
            ("crates/laws/src/tests/a.rs", "use std::fs;"),
        ],
    );
}

// --- How files are written -----------------------------------------------------------------------------------------

#[test]
fn every_module_says_why_it_exists() {
    fn rule(files: &[File]) -> Vec<String> {
        let silent = files.iter().filter(|file| file.is_rust() && !file.text.starts_with("//! "));
        silent.map(|file| file.at(1, "begin with `//!`: why it exists, and what always holds in it")).collect()
    }
    hold(
        rule,
        &[("src/a.rs", "use std::fmt;\n//! Late."), ("src/b.rs", "")],
        &[("src/a.rs", "//! Why.\n"), ("docs/a.md", "# No code\n")],
    );
}

#[test]
fn nothing_is_left_to_do_or_ignored() {
    fn rule(files: &[File]) -> Vec<String> {
        const LEFT: [&str; 4] = ["todo!", "unimplemented!", "#[ignore", "dbg!"];
        let mut findings = Vec::new();
        for file in files.iter().filter(|file| file.is_rust()) {
            for (index, line) in code(&file.text).lines().enumerate() {
                let found = LEFT.iter().filter(|word| line.contains(**word));
                findings.extend(found.map(|word| file.at(index + 1, &format!("{word} is left"))));
            }
        }
        findings
    }
    hold(
        rule,
        &[("src/a.rs", "fn f() { todo!() }"), ("tests/it/a.rs", "#[ignore = \"slow\"]\nfn f() {}")],
        &[("src/a.rs", "/// No todo!() here.\nfn f() {}")],
    );
}

#[test]
fn limits_end_in_their_unit() {
    fn rule(files: &[File]) -> Vec<String> {
        const INTEGERS: [&str; 12] =
            ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
        let mut findings = Vec::new();
        for file in files.iter().filter(|file| file.is_rust()) {
            for (index, line) in code(&file.text).lines().enumerate() {
                let Some((_, declared)) = line.split_once("const ") else { continue };
                let Some((name, rest)) = declared.split_once(':') else { continue };
                let of = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                let words: Vec<&str> = name.trim().split('_').collect();
                let is_limit = words.iter().any(|word| ["MAX", "MIN", "LIMIT"].contains(word));
                let has_unit = match words.as_slice() {
                    [.., "PER", _] => true,
                    [.., last] => UNITS.split(' ').any(|unit| unit == *last),
                    [] => false,
                };
                if is_limit && !has_unit && INTEGERS.contains(&of) {
                    findings.push(file.at(
                        index + 1,
                        &format!("{name}: call it WHAT_MAX_UNIT, with a unit such as BYTES, SECONDS, ENTRIES or COUNT"),
                    ));
                }
            }
        }
        findings
    }
    hold(
        rule,
        &[("src/a.rs", "pub const LINE_MAX: usize = 1;"), ("src/a.rs", "const MAX_LINE_LENGTH: u64 = 1;")],
        &[(
            "src/a.rs",
            "pub(crate) const LINE_MAX_BYTES: usize = 1;\nconst MARKS_MAX_PER_LETTER: usize = 2;\nconst WAIT_MAX: \
             Duration = x;\nconst PLACES: usize = 3;",
        )],
    );
}

#[test]
fn units_are_listed_once_and_in_order() {
    assert!(UNITS.split(' ').is_sorted_by(|one, next| one < next), "{UNITS}");
}

#[test]
fn no_line_ends_in_white_space() {
    fn rule(files: &[File]) -> Vec<String> {
        let mut findings = Vec::new();
        // A snapshot shows what was said as it was said.
        for file in files.iter().filter(|file| !file.path.ends_with(".snap")) {
            let lines = file.text.split('\n').enumerate();
            let trailing = lines.filter(|(_, line)| line.ends_with([' ', '\t', '\r']));
            findings.extend(trailing.map(|(index, _)| file.at(index + 1, "white space at the end of the line")));
            if !file.text.is_empty() && (!file.text.ends_with('\n') || file.text.ends_with("\n\n")) {
                findings.push(file.at(file.text.lines().count(), "a file ends in one line end"));
            }
        }
        findings
    }
    hold(
        rule,
        &[("a.md", "one \ntwo\n"), ("a.txt", "one\r\n"), ("a.toml", "one"), ("a.toml", "one\n\n")],
        &[("a.md", "one\n\ntwo\n"), ("a.snap", "one \n"), ("empty", "")],
    );
}

// --- What no tracked file contains ---------------------------------------------------------------------------------

#[test]
fn no_file_names_a_package_host_or_a_path_of_one_machine() {
    fn rule(files: &[File]) -> Vec<String> {
        // Taken apart, so that this file keeps the rule itself.
        const HOSTS: [&str; 10] = [
            concat!("crates", ".io"),
            concat!("lib", ".rs/"),
            concat!("deb", ".debian.org"),
            concat!("snapshot", ".debian.org"),
            concat!("pypi", ".org"),
            concat!("pythonhosted", ".org"),
            concat!("npmjs", "."),
            concat!("proxy", ".golang.org"),
            concat!("rubygems", ".org"),
            concat!("arti", "factory"),
        ];
        const FOLDERS: [&str; 6] = [
            concat!("/wo", "rk/"),
            concat!("/ro", "ot/"),
            concat!("/ho", "me/"),
            concat!("/Us", "ers/"),
            concat!("/fa", "rm/"),
            concat!("bash", "_jobs"),
        ];
        // What cargo itself writes for every crate.
        const INDEX: &str = concat!("registry+https://github.com/rust-lang/crates", ".io-index");
        let mut findings = Vec::new();
        for file in files {
            for (index, line) in file.text.lines().enumerate() {
                let line = if file.path == "Cargo.lock" { line.replace(INDEX, "") } else { line.to_owned() };
                let host = HOSTS.iter().find(|host| line.contains(**host));
                // A path of the machine begins there: `docs` followed by such a folder is somewhere else.
                let folder = FOLDERS.iter().find(|folder| {
                    line.match_indices(**folder)
                        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "-_.$}~".contains(c)))
                });
                if let Some(found) = host.or(folder) {
                    findings.push(file.at(index + 1, &format!("names {found}")));
                }
            }
        }
        findings
    }
    hold(
        rule,
        &[
            ("a.md", concat!("See /wo", "rk/shared/x.\n")),
            ("a.sh", concat!("cp x \"/ro", "ot/y\"\n")),
            ("a.toml", concat!("index = \"https://index.crates", ".io/\"\n")),
            ("Cargo.lock", concat!("source = \"registry+https://mirror.example/crates", ".io-index\"\n")),
        ],
        &[
            ("a.md", concat!("docs/wo", "rk/x, net", "work/x\n")),
            ("Cargo.lock", concat!("source = \"registry+https://github.com/rust-lang/crates", ".io-index\"\n")),
        ],
    );
}

/// The same list serves `cargo deny`, which few have installed.
#[test]
fn nothing_depends_on_a_banned_crate() {
    fn rule(files: &[File]) -> Vec<String> {
        let text_of = |path: &str| files.iter().find(|file| file.path == path).map_or("", |file| &file.text);
        let config: toml::Table = text_of("deny.toml").parse().expect("deny.toml is TOML");
        let banned: BTreeSet<&str> = config
            .get("bans")
            .and_then(|bans| bans.get("deny")?.as_array())
            .into_iter()
            .flatten()
            .map(|ban| ban["crate"].as_str().expect("a ban names a crate"))
            .collect();
        if banned.is_empty() {
            return vec!["deny.toml bans no crate".into()];
        }
        let lock: toml::Table = text_of("Cargo.lock").parse().expect("Cargo.lock is TOML");
        let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
        packages
            .filter_map(|package| package["name"].as_str())
            .filter(|name| banned.contains(name))
            .map(|name| format!("Cargo.lock: {name} is banned; deny.toml says why"))
            .collect()
    }
    let deny = File::new("deny.toml", "[bans]\ndeny = [{ crate = \"bad\", reason = \"\" }]");
    let lock = File::new("Cargo.lock", "[[package]]\nname = \"bad\"");
    assert_eq!(rule(&[deny, lock]).len(), 1);
    hold(
        rule,
        &[("Cargo.lock", "")],
        &[
            ("deny.toml", "[bans]\ndeny = [{ crate = \"bad\", reason = \"\" }]"),
            ("Cargo.lock", "[[package]]\nname = \"badly\""),
        ],
    );
}

// --- Documents -----------------------------------------------------------------------------------------------------

/// The folder that a path lies in, as its parts.
fn folder_of(path: &str) -> Vec<&str> {
    let mut parts: Vec<_> = path.split('/').collect();
    parts.pop();
    parts
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    fn rule(files: &[File]) -> Vec<String> {
        let known: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut findings = Vec::new();
        for file in files.iter().filter(|file| file.is_markdown()) {
            for (event, range) in Parser::new(&file.text).into_offset_iter() {
                let (Event::Start(Tag::Link { dest_url: link, .. }) | Event::Start(Tag::Image { dest_url: link, .. })) =
                    event
                else {
                    continue;
                };
                let target = link.split(['#', '?']).next().unwrap_or_default().trim_end_matches('/');
                if target.is_empty() || link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                let mut parts = folder_of(&file.path);
                for part in target.split('/') {
                    match part {
                        "." => {}
                        ".." => drop(parts.pop()),
                        part => parts.push(part),
                    }
                }
                let wanted = parts.join("/");
                let exists = known.contains(wanted.as_str())
                    || known.range(format!("{wanted}/").as_str()..).next().is_some_and(|path| {
                        path.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('/'))
                    });
                if !exists {
                    let line = file.text[..range.start].lines().count().max(1);
                    findings.push(file.at(line, &format!("the link to {link} leads nowhere")));
                }
            }
        }
        findings
    }
    hold(
        rule,
        &[("docs/a.md", "[b](b.md)"), ("a.md", "![x](docs/x.png)"), ("docs/a.md", "[b][1]\n\n[1]: ../gone/b.md")],
        &[
            ("docs/a.md", "[b](b.md#c) [up](../README.md) [web](https://example.org/x) [48](#timeout-hours) [d](.)"),
            ("docs/b.md", "[folder](../docs/) `[no](link.md)`"),
            ("README.md", "[docs](docs)"),
        ],
    );
}

#[test]
fn the_readme_is_short() {
    fn rule(files: &[File]) -> Vec<String> {
        let readme = files.iter().filter(|file| file.path == "README.md");
        readme
            .filter(|file| file.text.lines().count() > README_MAX_LINES)
            .map(|file| file.at(README_MAX_LINES, "what follows belongs in docs/"))
            .collect()
    }
    let long = "x\n".repeat(README_MAX_LINES + 1);
    hold(rule, &[("README.md", &long)], &[("README.md", "# Rulekeeper\n"), ("docs/a.md", &long)]);
}

#[test]
fn the_guide_of_operators_is_about_no_game() {
    fn rule(files: &[File]) -> Vec<String> {
        let all = Catalogue::all();
        // A game is called by its title, and by its name where that is a word.
        let names = all.games().into_iter().flat_map(|game| [game, all.title_of(game)]);
        let names: Vec<String> = names.map(str::to_lowercase).collect();
        let mut findings = Vec::new();
        for file in files.iter().filter(|file| file.is_below(&["docs/operating/"])) {
            let (mut in_code, parser) = (false, Parser::new_ext(&file.text, Options::ENABLE_TABLES));
            for (event, range) in parser.into_offset_iter() {
                match event {
                    Event::Start(Tag::CodeBlock(_)) => in_code = true,
                    Event::End(TagEnd::CodeBlock) => in_code = false,
                    Event::Text(text) if !in_code => {
                        let said = text.to_lowercase();
                        let named = names.iter().filter(|name| said.contains(name.as_str()));
                        let line = file.text[..range.start].lines().count().max(1);
                        findings.extend(named.map(|name| file.at(line, &format!("{name} has a guide of its own"))));
                    }
                    _ => {}
                }
            }
        }
        findings
    }
    hold(
        rule,
        &[
            ("docs/operating/a.md", "# Operating\n\nJousts take long.\n"),
            ("docs/operating/a.md", "| a |\n|---|\n| a rule of B Nomic |\n"),
        ],
        &[
            ("docs/operating/a.md", "Type `room open joust main`.\n\n```\nspacenomic\n```\n"),
            ("docs/playing/joust.md", "A joust."),
        ],
    );
}

#[test]
fn invariants_are_bold() {
    fn rule(files: &[File]) -> Vec<String> {
        let mut findings = Vec::new();
        for file in files.iter().filter(|file| file.path == "docs/architecture.md") {
            let (mut heading, mut inside, mut found) = (String::new(), false, 0);
            let mut events = Parser::new(&file.text).into_offset_iter().peekable();
            while let Some((event, range)) = events.next() {
                match event {
                    Event::Start(Tag::Heading { .. }) => heading.clear(),
                    Event::Text(text) => heading.push_str(&text),
                    Event::End(TagEnd::Heading(_)) => inside = heading.to_lowercase().contains("invariant"),
                    Event::Start(Tag::Item) if inside => {
                        found += 1;
                        // The items of a loose list hold paragraphs.
                        events.next_if(|(event, _)| matches!(event, Event::Start(Tag::Paragraph)));
                        if !matches!(events.peek(), Some((Event::Start(Tag::Strong), _))) {
                            let line = file.text[..range.start].lines().count() + 1;
                            findings.push(file.at(line, "an invariant begins in bold"));
                        }
                    }
                    _ => {}
                }
            }
            if found == 0 {
                findings.push(file.at(1, "it has no list under a heading that says Invariants"));
            }
        }
        findings
    }
    hold(
        rule,
        &[
            ("docs/architecture.md", "## Invariants\n\n- **Bold.**\n- plain\n"),
            ("docs/architecture.md", "## Map\n\n- a\n"),
        ],
        &[(
            "docs/architecture.md",
            "## Map\n\n- a\n\n## Invariants\n\n- **Bold.** More.\n\n- **Too.**\n\n## Rest\n\n- b\n",
        )],
    );
}

#[test]
fn every_promise_names_a_test_that_is_there() {
    /// The tests that the table of the page names, each with its line.
    fn promised(guide: &File) -> Vec<(usize, &str)> {
        let rows = guide.text.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
        let tests = rows.flat_map(|(number, row)| {
            let cell = row.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap_or_default();
            cell.split('`').skip(1).step_by(2).filter(|code| !code.contains(' ')).map(move |test| (number + 1, test))
        });
        tests.collect()
    }
    fn rule(files: &[File]) -> Vec<String> {
        let mut findings = Vec::new();
        for guide in files.iter().filter(|file| file.path == "docs/operating/promises.md") {
            let promised = promised(guide);
            for (line, test) in &promised {
                let (module, name) = test.rsplit_once("::").unwrap_or(("", test));
                let module = module.trim_end_matches("::tests").replace("::", "/");
                let told = format!("fn {name}(");
                let is_there = |file: &&File| {
                    file.is_rust() && file.path.replace("/src/", "/").contains(&module) && file.text.contains(&told)
                };
                if !files.iter().any(|file| is_there(&file)) {
                    findings.push(guide.at(*line, &format!("there is no test {test}")));
                }
            }
            if promised.is_empty() {
                findings.push(guide.at(1, "it promises nothing that is tested"));
            }
        }
        findings
    }
    let table = "# What is promised\n\n| what | test |\n|---|---|\n| Much | `chain::a_test`, `web::tests::b` |\n";
    hold(
        rule,
        &[("docs/operating/promises.md", table), ("docs/operating/promises.md", "# Operating\n")],
        &[
            ("docs/operating/promises.md", table),
            ("tests/it/chain.rs", "async fn a_test() {}"),
            ("crates/web/src/tests.rs", "fn b() {}"),
        ],
    );
}
