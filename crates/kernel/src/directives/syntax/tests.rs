//! Bodies as players write them: what is read, with which line, and what is said of what cannot be read.

use proptest::prelude::*;

use super::*;

fn body(text: &str) -> Body {
    parse(text, &|words| words.starts_with("recharge")).unwrap()
}

fn one(text: &str) -> Result<Act, Refusal> {
    let mut found = body(text).directives;
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0).act
}

fn own(text: &str) -> String {
    text.to_owned()
}

/// What a directive is told by ends with no colon: what became of it stands behind one.
#[test]
fn the_words_of_a_directive_end_before_its_block() {
    for (text, words) in [
        ("=> create rule \"X\":\n```\nBe kind.\n```", "create rule \"X\""),
        ("=> if 1 > 0: create rule \"X\":\n```\nBe kind.\n```", "if 1 > 0: create rule \"X\""),
        ("=> create rule \"X\": Be kind.", "create rule \"X\": Be kind."),
    ] {
        assert_eq!(body(text).directives[0].words, words);
    }
}

#[test]
fn each_form_is_read_in_the_ways_that_people_write_it() {
    let amend = |old: &str, new: &str| Act::Amend { rule: own("7"), old: own(old), new: own(new) };
    for (text, act) in [
        (
            "=> create rule \"Mercy\": Be kind.",
            Act::CreateRule { title: own("Mercy"), number: None, text: own("Be kind.") },
        ),
        ("→ Create Rule “Mercy” number 9: x", Act::CreateRule { title: own("Mercy"), number: Some(9), text: own("x") }),
        (
            "=> create rule number 9 \"Mercy\": x",
            Act::CreateRule { title: own("Mercy"), number: Some(9), text: own("x") },
        ),
        ("=> create rule Mercy: a: b", Act::CreateRule { title: own("Mercy"), number: None, text: own("a: b") }),
        (
            "=> create rule \"Mercy\"\n\n```\nOne.\n\n=> two\n```\nprose",
            Act::CreateRule { title: own("Mercy"), number: None, text: own("One.\n\n=> two") },
        ),
        ("=> amend rule 7: replace \"old\" with \"new\"", amend("old", "new")),
        ("- => AMEND Rule 7: Replace “old words” with “new”.", amend("old words", "new")),
        ("=> amend rule 7 by replacing \"old\" with \"new\"", amend("old", "new")),
        ("=> amend rule 7: replace old with new", amend("old", "new")),
        (
            "=> amend rule 7: replace \"say \"hi\" now\" with \"say \"ho\" now\"",
            amend("say \"hi\" now", "say \"ho\" now"),
        ),
        ("=> amend rule 7: replace \"a\" with:\n~~~\nb\n\nc\n~~~", amend("a", "b\n\nc")),
        ("=> amend rule 7: delete \"old\"", amend("old", "")),
        ("=> amend rule 7: insert \"not\" after \"is\"", amend("is", "is not")),
        ("=> rewrite rule \"Time Out\": x", Act::Rewrite { rule: own("Time Out"), text: own("x") }),
        ("=> append to the rule Time Out: x [[y]]", Act::Append { rule: own("Time Out"), text: own("x [[y]]") }),
        ("=> retitle rule 7 to \"To Be\"", Act::Retitle { rule: own("7"), title: own("To Be") }),
        ("=> renumber rule 7 to 12.", Act::Renumber { rule: own("7"), number: own("12") }),
        ("=>repeal rule 7.", Act::Repeal { rule: own("7") }),
        ("=> set timeout-hours to 50", Act::Set { what: own("timeout-hours"), to: own("50") }),
        ("=> set power of Ann to 3", Act::Set { what: own("power of Ann"), to: own("3") }),
        (
            "=> define charm of every robot: whole number from 0 to 10, 5 at first",
            Act::Define { attr: own("charm"), kind: own("robot"), spec: own("whole number from 0 to 10, 5 at first") },
        ),
        ("=> undefine charm", Act::Undefine { attr: own("charm") }),
        (
            "=> raise power of every robot where power > 3 by 1/2",
            Act::Move { up: true, what: own("power of every robot where power > 3"), by: own("1/2") },
        ),
        ("=> lower Ann's power by 1.", Act::Move { up: false, what: own("Ann's power"), by: own("1") }),
        ("=> award 3 spare parts to Ann and Bob", Act::Award { what: own("3 spare parts"), who: own("Ann and Bob") }),
        ("=> add 3 power to Ann", Act::Award { what: own("3 power"), who: own("Ann") }),
        ("=> add to rule 7: x", Act::Append { rule: own("7"), text: own("x") }),
        ("=> remove 1 power from Ann", Act::Hand { give: false, what: own("1 power"), who: own("Ann") }),
        ("=> take a Box from Bob", Act::Hand { give: false, what: own("a Box"), who: own("Bob") }),
        (
            "=> transfer 3 power from Ann to Bob",
            Act::Transfer { what: own("3 power"), from: own("Ann"), to: own("Bob") },
        ),
        ("=> create a beacon \"North\"", Act::Create { what: own("beacon \"North\"") }),
        ("=> destroy the tower", Act::Destroy { what: own("the tower") }),
        ("=> appoint Ann Lee as the Judge", Act::Appoint { who: own("Ann Lee"), office: Some(own("Judge")) }),
        ("=> appoint Ann Judge", Act::Appoint { who: own("Ann Judge"), office: None }),
        ("=> require that power of Ann > 3", Act::Require { that: own("power of Ann > 3") }),
        (
            "=> raise power of Ann by 1 [[ raise power of Ann by 99 ]]",
            Act::Move { up: true, what: own("power of Ann"), by: own("1") },
        ),
        ("=> recharge Ann", Act::Own { words: own("recharge Ann"), text: None }),
        ("=> recharge:\n```\nx\n```", Act::Own { words: own("recharge:"), text: Some(own("x")) }),
    ] {
        assert_eq!(one(text), Ok(act), "{text}");
    }
}

#[test]
fn directives_stand_in_one_another() {
    let text = "=> if power of Ann > 3:\n```\n=> repeal rule 7\n\nlower power of Ann by 1\n```\nprose\n=> if 1 > 0: repeal rule 2";
    let read = body(text);
    assert_eq!(read.count(), 5);
    let Ok(Act::If { then, .. }) = &read.directives[0].act else { panic!("{read:?}") };
    assert_eq!(then.iter().map(|inner| inner.line).collect::<Vec<_>>(), [3, 5]);
    assert_eq!(&text[then[0].at.clone()], "=> repeal rule 7\n");
    assert_eq!(read.directives[1].line, 8);
    let deep = one("=> if 1 > 0: if 1 > 0: if 1 > 0: if 1 > 0: repeal rule 7");
    assert!(format!("{deep:?}").contains("at most 3 deep"), "{deep:?}");
}

#[test]
fn prose_comments_and_code_are_no_directives() {
    let text = "We => think.\n[[\n=> repeal rule 1\n]]\n```\n=> repeal rule 2\n```\n  => repeal rule 3\n";
    let read = body(text);
    assert_eq!(read.directives.iter().map(|directive| directive.line).collect::<Vec<_>>(), [8]);
    assert_eq!(read.notes.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 6]);
}

#[test]
fn what_cannot_be_read_says_what_to_write() {
    for (text, say, instead) in [
        ("=>", "nothing stands after the arrow", "=> raise"),
        ("=> repael rule 7", "no word that a directive begins with", "=> repeal rule 7"),
        ("=> frobnicate", "no word that a directive begins with", ""),
        ("=> repeal", "not how “repeal” is written", "=> repeal rule 7"),
        ("=> create rule \"x\"", "the text is missing", "between two lines of ```"),
        ("=> create rule \"x\"\n```\nx", "begins on line 2 has no end", "```"),
        ("=> renumber rule 7 to many", "not how", "=> renumber rule 7 to 12"),
        ("=> amend rule 7: make it better", "not how “amend”", "replace \"old words\""),
        ("=> raise power of Ann", "not how “raise”", "by 3"),
    ] {
        let why = one(text).unwrap_err();
        assert!(
            why.say.contains(say) && why.instead.as_deref().unwrap_or_default().contains(instead),
            "{text}: {why:?}"
        );
    }
    let many = "=> repeal rule 1\n".repeat(DIRECTIVES_MAX_COUNT + 1);
    assert!(parse(&many, &|_| false).is_err());
    assert!(parse(&"x".repeat(DOCUMENT_MAX_BYTES + 1), &|_| false).is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "(?s)(=> ?|\n|```|~~~|\\[\\[|\\]\\]|\"|“|:|[a-zé]{1,6} | |rule|to|with|replace|if|amend|create|by|of){0,40}") {
        let read = parse(&text, &|_| false);
        if let Ok(read) = read {
            for directive in &read.directives {
                prop_assert!(text.get(directive.at.clone()).is_some());
                prop_assert!(directive.line <= text.matches('\n').count() + 1);
            }
        }
    }
}

#[test]
fn every_example_of_the_guide_is_read() {
    let guide = include_str!("../../../../../docs/directives.md");
    let examples: Vec<&str> =
        fences(guide).into_iter().filter(|fence| fence.info == "directives").map(|fence| &guide[fence.at]).collect();
    assert!(examples.len() >= 6, "the guide has examples");
    for example in examples {
        let read = body(example);
        assert!(read.malformed().is_empty() && read.notes.is_empty() && read.count() > 0, "{example}\n{read:?}");
        let arrows = example.lines().filter(|line| line.starts_with("=>")).count();
        assert_eq!(read.directives.len(), arrows, "{example}");
    }
    let verbs = VERBS.map(|(_, form)| form.replace("DIRECTIVE", "repeal rule 7"));
    for form in verbs {
        assert!(one(&form).is_ok(), "{form}");
    }
}
