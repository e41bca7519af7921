//! What players see of the rules.

use std::collections::BTreeMap;

use super::*;
use crate::Instant;
use crate::display::plain;
use crate::rulebook::{LiveKey, RuleAct, RuleOp, amend};

static KEYS: [LiveKey; 2] = [
    LiveKey {
        key: "hours",
        kind: NumKind::Count,
        engine_min: 0,
        engine_max: 1000,
        absent: "no proposal times out",
        rehearsal: "time-out",
        meaning: "hours after which a proposal times out",
    },
    LiveKey {
        key: "@chief",
        kind: NumKind::Name,
        engine_min: 1,
        engine_max: 64,
        absent: "there is no chief",
        rehearsal: "chief",
        meaning: "name of the chief",
    },
];

fn keys() -> Keys {
    Keys::new(&KEYS)
}

fn at(seq: u64) -> Instant {
    Instant::from_second(i64::try_from(seq).unwrap() * 3600).unwrap()
}

fn book() -> Rulebook {
    let mut book = Rulebook::default();
    let rules = [
        ("time", 7, "Time Out", "A proposal fails after [48](#hours) hours. So be it.\n\n```bf\n+[-]\n```\nThe end."),
        ("chief", 2, "", "The chief is [Ann](#@chief)."),
        ("code", 3, "Codes", "Nothing  of\nnote."),
    ];
    for (id, number, title, source) in rules {
        let fields = BTreeMap::from([("power".to_owned(), "1/2".to_owned())]);
        let act = RuleAct::Enact { number, title: title.to_owned(), fields, source: source.to_owned() };
        book.apply(&RuleOp::new(id, act).because("the room is opened"), 1, at(1));
    }
    book
}

fn shown(page: &Document) -> String {
    plain(page)
}

#[test]
fn the_list_is_in_order_and_completes_rules() {
    let page = list(&book(), "");
    let names: Vec<_> = page.cells().filter_map(|cell| cell.completes.clone()).collect();
    assert_eq!(names, ["chief", "chief", "code", "code", "time", "time"]);
    assert!(shown(&page).contains("(untitled)"));
    assert!(shown(&list(&Rulebook::default(), "")).contains("No rule is in force."));
}

#[test]
fn a_rule_shows_what_people_read_and_its_figures_with_their_places() {
    let book = book();
    let page = rule(book.get("time").unwrap(), &book, &keys(), "");
    assert_eq!(page.title, "7. Time Out");
    assert_eq!(page.blocks[0], Block::Para("A proposal fails after 48 hours. So be it.".to_owned()));
    assert_eq!(page.blocks[1], Block::Code { lang: "bf".to_owned(), text: "+[-]\n".to_owned() });
    assert_eq!(page.blocks[2], Block::Para("The end.".to_owned()));
    assert_eq!(page.blocks[3], Block::Para("power: 1/2".to_owned()));
    let cell = page.cells().next().unwrap();
    assert_eq!((cell.text.as_str(), cell.source.clone()), ("48", Some(Path::new("rule/time", "hours"))));
    assert!(!shown(&page).contains("](#"));
}

#[test]
fn a_figure_that_cannot_be_used_says_so() {
    let mut book = book();
    let edit = amend::replace_phrase(book.get("time").unwrap(), "48", "[1001](#hours)").unwrap();
    book.apply(&edit.op, 2, at(2));
    let page = shown(&rule(book.get("time").unwrap(), &book, &keys(), ""));
    assert!(page.contains("unusable, it is out of the bounds that the program can play by, 0 to 1000"), "{page}");
    book.apply(&RuleOp::new("chief", RuleAct::Repeal), 3, at(3));
    let report = shown(&Document::default().with(missing(&book, &keys()).unwrap()));
    assert!(report.contains("no rule gives it") && report.contains("Time Out says “1001”"), "{report}");
    assert!(shown(&rule(book.get("chief").unwrap(), &book, &keys(), "")).contains("Repealed 1970-01-01 03:00 UTC."));
}

/// Of several places of a figure one decides; the others say so.
#[test]
fn a_figure_that_another_place_gives_says_where() {
    let mut book = book();
    let edit =
        amend::replace_phrase(book.get("code").unwrap(), "note", "note in [3](#hours) or [4](#hours) hours").unwrap();
    book.apply(&edit.op, 2, at(2));
    let page = shown(&rule(book.get("time").unwrap(), &book, &keys(), ""));
    assert!(page.contains("not played by, since 3. Codes says 3"), "{page}");
    let page = shown(&rule(book.get("code").unwrap(), &book, &keys(), ""));
    assert!(
        page.contains("4    hours after which a proposal times out: not played by, since 3. Codes says 3"),
        "{page}"
    );
    book.apply(&RuleOp::new("code", RuleAct::Repeal), 3, at(3));
    assert!(!shown(&rule(book.get("time").unwrap(), &book, &keys(), "")).contains("not played by"));
    assert!(!shown(&rule(book.get("code").unwrap(), &book, &keys(), "")).contains("not played by, since"));
}

#[test]
fn history_tells_who_did_what_and_shows_the_last_diff() {
    let mut book = book();
    let edit = amend::replace_phrase(book.get("time").unwrap(), "48 hours", "50 hours").unwrap();
    book.apply(&edit.op.because("proposal 12 by Ann"), 5, at(5));
    let field = RuleAct::Field { name: "power".to_owned(), to: Some("1".to_owned()), was: Some("1/2".to_owned()) };
    let rule = book.get("time").unwrap();
    let page = shown(&history(rule, "", true));
    for part in [
        "proposal 12 by Ann",
        "revision 1: text amended",
        "- A proposal fails after 48 hours.",
        "+ A proposal fails after 50 hours.",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(change(rule, 0).is_some() && change(rule, 9).is_none());
    book.apply(&RuleOp::new("time", field), 6, at(6));
    assert!(shown(&history(book.get("time").unwrap(), "", true)).contains("revision 2: power: 1/2 becomes 1"));
}

/// However often a rule is amended, its page and the pages of its changes stay bounded, and each revision is on one.
#[test]
fn a_long_history_goes_on_page_by_page() {
    let mut book = book();
    for seq in 10..130 {
        let hours = format!("{} hours", if seq == 10 { 48 } else { seq - 1 });
        let edit = amend::replace_phrase(book.get("time").unwrap(), &hours, &format!("{seq} hours")).unwrap();
        book.apply(&edit.op, seq, at(seq));
    }
    let rule = book.get("time").unwrap();
    let below = history(rule, "", true);
    assert!(shown(&below).lines().count() < 40, "{}", shown(&below));
    let mut page = changes(rule, None, "", true);
    let mut told = shown(&page);
    let mut pages = 1;
    let older = |page: &Document| {
        let shows = page.cells().filter_map(|cell| cell.shows.as_deref());
        shows.filter_map(|shows| shows.rsplit_once("/history/")?.1.parse().ok()).next()
    };
    while let Some(first) = older(&page) {
        page = changes(rule, Some(first), "", true);
        told.push_str(&shown(&page));
        pages += 1;
    }
    assert_eq!(pages, 3);
    for seq in 10..130 {
        assert_eq!(told.matches(&format!("Entry {seq},")).count(), 1, "{seq}");
    }
}

#[test]
fn a_dry_run_shows_the_difference_of_two_books() {
    let (before, mut after) = (book(), book());
    let edit = amend::replace_text(after.get("time").unwrap(), "A proposal fails at once. So be it.").unwrap();
    after.apply(&edit.op, 2, at(2));
    after.apply(&RuleOp::new("chief", RuleAct::Repeal), 2, at(2));
    let retitle = RuleAct::Retitle { to: "Code".to_owned(), was: "Codes".to_owned() };
    after.apply(&RuleOp::new("code", retitle), 2, at(2));
    let page = Document { blocks: difference(&before, &after, ""), ..Document::default() };
    let page = shown(&page);
    for part in ["Repealed: 2. (untitled)", "3. Code (was 3. Codes)", "7. Time Out\n", "+ A proposal fails at once."] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(difference(&after, &after, "").is_empty());
    let report = Document::default().with(figures(&before, &after, &edit.rebindings, &keys(), "").unwrap());
    assert!(shown(&report).contains("lost: no proposal times out"), "{}", shown(&report));
    assert!(shown(&report).contains("lost: there is no chief"), "{}", shown(&report));
}

/// A figure that another rule gives from then on is told, and a place that decides nothing is told as such.
#[test]
fn what_is_played_by_otherwise_is_told() {
    let (before, mut after) = (book(), book());
    let edit = amend::replace_phrase(after.get("code").unwrap(), "note", "note in [3](#hours) hours").unwrap();
    after.apply(&edit.op, 2, at(2));
    let told = |before: &Rulebook, after: &Rulebook, lines: &[Rebinding]| {
        figures(before, after, lines, &keys(), "").map(|block| shown(&Document::default().with(block)))
    };
    let page = told(&before, &after, &edit.rebindings).unwrap();
    assert!(page.contains("48   3        3. Codes gives it now"), "{page}");
    assert!(!page.contains("nothing"), "one row for a figure: {page}");
    // Back by the repeal of the rule that took it over, of which no place was edited.
    let mut back = after.clone();
    back.apply(&RuleOp::new("code", RuleAct::Repeal), 3, at(3));
    let page = told(&after, &back, &[]).unwrap();
    assert!(page.contains("3    48       7. Time Out gives it now"), "{page}");
    // What stands behind the place that decides is not played by.
    let edit = amend::replace_phrase(before.get("time").unwrap(), "So be it", "So be it in [9](#hours)").unwrap();
    let mut after = before.clone();
    after.apply(&edit.op, 2, at(2));
    let page = told(&before, &after, &edit.rebindings).unwrap_or_default();
    assert!(page.contains("9") && page.contains("not played by: 7. Time Out gives 48"), "{page}");
    assert_eq!(told(&before, &before, &[]), None);
}

#[test]
fn search_folds_case_and_white_space() {
    let book = book();
    let page = search(&book, " NOTHING of note", "").unwrap();
    assert_eq!(page.cells().count(), 1);
    assert!(shown(&page).contains("3. Codes: Nothing of note."));
    assert_eq!(search(&book, "time out", "").unwrap().cells().next().unwrap().completes.as_deref(), Some("time"));
    assert!(search(&book, "  ", "").is_err());
    assert_eq!(search(&book, "banana", "").unwrap_err().say, "no rule in force says “banana”");
    // Words for one term are found by any of them.
    let mut book = book;
    let source = "A [journal](#=weblog) is a [Weblog](#=weblog). A diary is none.".to_owned();
    let act = RuleAct::Enact { number: 8, title: "Words".to_owned(), fields: BTreeMap::new(), source };
    book.apply(&RuleOp::new("words", act).because("a test"), 1, at(1));
    assert_eq!(search(&book, "Journal", "").unwrap().cells().count(), 2);
    assert_eq!(search(&book, "diary", "").unwrap().cells().count(), 1);
}

#[test]
fn players_find_rules_by_number_name_and_title() {
    let book = book();
    for (words, id) in
        [("7", "time"), ("Rule 7", "time"), ("#7", "time"), ("TIME  out", "time"), ("cod", "code"), ("chief", "chief")]
    {
        assert_eq!(&**book.find(words).unwrap().id(), id, "{words}");
    }
    for words in ["", "8", "x", "rule"] {
        assert!(book.find(words).is_err(), "{words}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_shown_and_searched(source in "(a|B| |\n|```|~~~|\\[|\\]\\(#k\\)|é|İ|/\\*){0,20}", words in "(a|b| |é|i̇){0,3}") {
        let mut book = Rulebook::default();
        let act = RuleAct::Enact { number: 1, title: source.clone(), fields: BTreeMap::new(), source };
        book.apply(&RuleOp::new("x", act), 1, at(1));
        rule(book.get("x").unwrap(), &book, &keys(), "");
        let _ = search(&book, &words, "");
    }
}
