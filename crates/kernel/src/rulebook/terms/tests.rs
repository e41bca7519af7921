//! What defines a term, what uses it, and which rules are joined (R20 to R27).

use super::*;

fn rules(sources: &[&str]) -> Vec<(Id, Text)> {
    let rule = |(number, source): (usize, &&str)| (Id::from(format!("r{number}")), Text::parse(*source));
    sources.iter().enumerate().map(rule).collect()
}

fn terms(sources: &[&str]) -> Terms {
    Terms::of(rules(sources).iter().map(|(id, text)| (id, text)))
}

/// What the second rule uses of what the first defines.
fn uses(defines: &str, text: &str) -> String {
    terms(&[defines, text]).used_by("r1").join(", ")
}

#[test]
fn a_rule_defines_what_it_marks_and_uses_what_it_says() {
    // Given a rule that defines a term, one that uses it and one that does neither
    let terms = terms(&["A [mackerel](#=mackerel) is a fish.", "Pay a mackerel.", "Pay a herring."]);

    // Then the first two are joined, whichever of them is first
    assert_eq!((terms.defined_by("r0"), terms.used_by("r0")), (vec!["mackerel"], vec![]));
    assert_eq!((terms.defined_by("r1"), terms.used_by("r1")), (vec![], vec!["mackerel"]));
    assert_eq!((terms.links("r0", "r1"), terms.links("r1", "r0")), (vec!["mackerel"], vec!["mackerel"]));
    assert!(terms.links("r0", "r2").is_empty() && terms.links("r0", "r0").is_empty());
    assert_eq!(terms.neighbours("r0"), [(&Id::from("r1"), vec!["mackerel"])]);
    assert!(terms.neighbours("r2").is_empty() && terms.neighbours("gone").is_empty());
    assert!(terms.defined_by("gone").is_empty() && terms.links("gone", "r0").is_empty());
}

#[test]
fn r23_two_rules_that_both_use_or_both_define_are_not_joined() {
    let terms = terms(&["[macks](#=fish)", "[mack](#=fish)", "macks", "macks", "[mack](#=fish) and a mack"]);
    for (from, to, joined) in
        [("r2", "r3", false), ("r0", "r1", false), ("r0", "r2", true), ("r0", "r4", true), ("r1", "r4", true)]
    {
        assert_eq!(!terms.links(from, to).is_empty(), joined, "{from} and {to}");
    }
}

#[test]
fn synonyms_share_a_meaning_and_its_first_form_names_it() {
    let terms = terms(&["A [Mackerel](#=fish) or [mack](#=FISH).", "many\nmacks", "My Mackerel\u{2019}s tail"]);
    assert_eq!((terms.used_by("r1"), terms.used_by("r2"), terms.all().len()), (vec!["Mackerel"], vec!["Mackerel"], 1));
    for words in ["MACKS", "mack's", "Ｍackerel", " mackerels "] {
        assert_eq!(terms.term(words), Some("Mackerel"), "{words}");
    }
    assert_eq!((terms.term("fish"), terms.term(""), terms.term("a mack")), (None, None, None));
}

#[test]
fn forms_are_whole_words_with_regular_endings() {
    for (defines, text, expected) in [
        ("[Ministry](#=a)", "Two Ministries.", "Ministry"),
        ("[Ministry](#=a)", "Ministry's end", "Ministry"),
        ("[Ministry](#=a)", "a minister ministers", ""),
        ("[mack](#=a)", "smack macking", ""),
        ("[m](#=a)", "a fine of m[25](#fine)", "m"),
        ("[m](#=a)", "m25", "m"),
        ("[4E34](#=a)", "see 4E34", "4E34"),
        ("[usurp](#=a)", "usurped usurping", ""),
        ("[usurp](#=a~verb)", "usurped", "usurp"),
        ("[usurp](#=a~verb)", "usurping", "usurp"),
        ("[vote](#=a~verb)", "he voted", "vote"),
        ("[Game Object](#=a)", "a game-\nobject", "Game Object"),
        ("[Game Object](#=a)", "a \"Game\" object", "Game Object"),
        ("[Game Object](#=a)", "game objections", ""),
    ] {
        assert_eq!(uses(defines, text), expected, "{defines}: {text}");
    }
}

#[test]
fn the_longest_form_has_its_words_to_itself() {
    let defines = "[Object](#=o), [Game Object](#=go), [Rule](#=r~exact), [Rule Tag Location](#=rtl)";
    for (text, expected) in [
        ("a Game Object", "Game Object"),
        ("a game. Object!", "Game Object"),
        ("an object", "Object"),
        ("Game Objects, and an object", "Game Object, Object"),
        ("the rule tag location", "Rule Tag Location"),
        ("the Rule tag", "Rule"),
        ("the rule tag", ""),
        ("all. Rules are", ""),
        ("of Rules", "Rule"),
    ] {
        assert_eq!(uses(defines, text), expected, "{text}");
    }
}

#[test]
fn everyday_words_need_a_capital_within_a_sentence() {
    let defines = "[on](#=on~exact) or [switched on](#=on~exact)";
    for (text, expected) in [
        ("it is on", ""),
        ("On it goes", ""),
        ("It ends. On it goes", ""),
        ("it is On", "on"),
        ("it is ON", "on"),
        ("it is switched on", "on"),
    ] {
        assert_eq!(uses(defines, text), expected, "{text}");
    }
}

#[test]
fn only_what_people_read_uses_a_term() {
    let defines = "[mack](#=m)";
    for (text, expected) in [
        ("[[ a mack ]] /* mack */", ""),
        ("`mack` and\n```law\nmack\n```\n", ""),
        ("```mack\nx\n```\n", ""),
        ("[herring](https://mack) https://e.org/mack", ""),
        ("[mack](https://e.org)", "mack"),
        ("[2 macks](#price)", "mack"),
        ("an open [[ mack", "mack"),
        ("a [mack](#=m)", ""),
        ("a [mack](#=m) or two macks", "mack"),
    ] {
        assert_eq!(uses(defines, text), expected, "{text}");
    }
}

#[test]
fn what_stands_in_a_comment_or_in_code_defines_nothing() {
    for source in ["[[ [mack](#=m) ]]", "`[mack](#=m)`", "/* [mack](#=m) */"] {
        assert!(terms(&[source, "mack"]).all().is_empty(), "{source}");
    }
}

#[test]
fn r24_a_form_with_two_meanings_is_no_term() {
    let terms = terms(&[
        "[Quorum](#=quantity) is 3. A [headcount](#=quantity) too.",
        "[Quorum](#=document) is a document.",
        "Quorums and headcounts",
    ]);
    assert_eq!(terms.term("quorum"), None);
    assert_eq!((terms.all(), terms.used_by("r2")), (&["headcount".to_owned()][..], vec!["headcount"]));
    assert_eq!((terms.unclear_in("r2"), terms.unclear_in("r1")), (vec!["quorums"], vec!["quorum"]));
    assert!(terms.defined_by("r1").is_empty() && terms.links("r1", "r2").is_empty());
    assert_eq!(terms.links("r0", "r2"), ["headcount"]);
}

#[test]
fn a_marked_form_goes_before_one_that_only_follows() {
    let terms = terms(&["[pass](#=a) and [passes](#=b)", "two passes"]);
    assert_eq!((terms.used_by("r1"), terms.term("pass")), (vec!["passes"], Some("pass")));
}

#[test]
fn r27_excluded_forms_are_no_terms_with_their_inflections() {
    let out = "[Player](#-term), [Object](#-term), [Game Object](#-term) are no terms.";
    let given = "[Player](#=p), [Active Player](#=ap), [Contestant](#=p), [Players](#=team)";
    let terms = terms(&[out, given, "Player's, players, objects", "an Active Player", "contestants"]);
    assert_eq!(terms.all(), ["Active Player", "Contestant"]);
    assert_eq!((terms.excluded_by("r0"), terms.excluded_by("r1")), (vec!["Game Object", "Object", "Player"], vec![]));
    assert!(terms.used_by("r2").is_empty() && terms.term("PLAYERS").is_none() && terms.term("Рlayеr").is_none());
    assert_eq!((terms.used_by("r3"), terms.used_by("r4")), (vec!["Active Player"], vec!["Contestant"]));
    // What another key excludes is excluded from something else.
    assert_eq!(super::tests::terms(&["[mack](#-name) [mack](#=m)"]).all(), ["mack"]);
}

#[test]
fn letters_that_look_alike_are_the_same() {
    assert_eq!(uses("[mackerel](#=m)", "one m\u{430}\u{441}kerel"), "mackerel");
    assert_eq!(uses("[сардина](#=m)", "одна Сардина"), "сардина");
}

#[test]
fn the_rarest_term_is_offered_first() {
    let terms = terms(&["[Herring](#=h) and [Mack](#=m)", "herring mack", "herring", "herring"]);
    assert_eq!(terms.neighbours("r1"), [(&Id::from("r0"), vec!["Mack", "Herring"])]);
    assert_eq!(terms.links("r1", "r0"), ["Herring", "Mack"]);
}

#[test]
fn a_sentence_is_quoted_where_it_explains_or_else_uses_a_term() {
    let book = rules(&["Eat macks. A [mack](#=m) is\na fish. So it is.", "Eat fish. Two macks, please!", "Eat fish."]);
    let terms = Terms::of(book.iter().map(|(id, text)| (id, text)));
    let quote = |rule: usize, words| terms.quote(&book[rule].1, words);
    assert_eq!(quote(0, "MACKS").as_deref(), Some("A mack is a fish."));
    assert_eq!(quote(1, "mack").as_deref(), Some("Two macks, please!"));
    assert_eq!(quote(2, "fish").as_deref(), Some("Eat fish."));
    assert_eq!((quote(2, "mack"), quote(2, "")), (None, None));
}

/// R24: what players write breaks nothing, and takes no time.
#[test]
fn odd_texts_are_read() {
    let long = "x".repeat(300);
    let marks = "[a](#=a)".repeat(16_000);
    let nested = format!("{}a{}", "[".repeat(12_000), "](#=a)".repeat(12_000));
    let many: String = (0..9_000).map(|number| format!("[w{number}](#=m{number}) ")).collect();
    let sources = [
        &format!("[{long}](#=long) {long}") as &str,
        &format!("[{long}y](#=longer) {long}y"),
        "an open [[ and an open ```\n[x](#=",
        &"mack ".repeat(20_000),
        &marks,
        &nested,
        &many,
        &"On ".repeat(40_000),
        "[on](#=on~exact)",
    ];
    let terms = terms(&sources);
    assert_eq!((terms.term(&long), terms.term(&format!("{long}y"))), (Some(&long as &str), None));
    assert_eq!((terms.term("w8999s"), terms.used_by("r7")), (Some("w8999"), vec!["on"]));
}

fn any_source() -> impl proptest::strategy::Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "mack ",
        "macks ",
        "Game ",
        "Object ",
        "herring. ",
        "On ",
        "\n\n",
        "`mack` ",
        "[[ ",
        "]] ",
        "player ",
        "[mack](#=m) ",
        "[herring](#=h) ",
        "[Game Object](#=go) ",
        "[Object](#=o) ",
        "[On](#=on~exact) ",
        "[mack](#=other) ",
        "[Player](#-term) ",
        "[herrings](#=m) ",
        "[2](#figure) ",
    ]);
    use proptest::strategy::Strategy;
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest::proptest! {
    /// Which rules are joined, and by what, does not depend on the side.
    #[test]
    fn joining_is_symmetric(sources in proptest::collection::vec(any_source(), 1..6)) {
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let terms = terms(&sources);
        let ids: Vec<String> = (0..sources.len()).map(|number| format!("r{number}")).collect();
        for from in &ids {
            let near = terms.neighbours(from);
            for to in &ids {
                let links = terms.links(from, to);
                proptest::prop_assert_eq!(&links, &terms.links(to, from));
                let mut told = near.iter().find(|(id, _)| ***id == **to).map(|(_, told)| told.clone()).unwrap_or_default();
                told.sort_by_key(|term| line(term));
                proptest::prop_assert_eq!(told, links);
            }
        }
    }

    /// A comment behind a rule changes nothing, whatever it says.
    #[test]
    fn a_comment_changes_nothing(sources in proptest::collection::vec(any_source(), 1..6), said in "[a-zA-Z ]{0,12}") {
        let closed = |source: &String| format!("{}\n", source.replace("[[ ", "").replace("]] ", ""));
        let bare: Vec<String> = sources.iter().map(closed).collect();
        let told: Vec<String> = bare.iter().map(|source| format!("{source}[[ {said} [mack](#=m) mack ]]")).collect();
        proptest::prop_assert_eq!(graph(&bare), graph(&told));
    }

    /// What a meaning is called within its marks changes nothing.
    #[test]
    fn renaming_a_meaning_changes_nothing(sources in proptest::collection::vec(any_source(), 1..6)) {
        let renamed: Vec<String> = sources.iter().map(|source| source.replace("(#=m)", "(#=zz.9~x)")).collect();
        proptest::prop_assert_eq!(graph(&sources), graph(&renamed));
    }
}

/// All that anybody can ask of the terms of some rules.
fn graph(sources: &[String]) -> Vec<[Vec<String>; 3]> {
    let terms = terms(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    let owned = |terms: Vec<&str>| terms.into_iter().map(str::to_owned).collect();
    let of = |number: usize| {
        let id = format!("r{number}");
        [owned(terms.defined_by(&id)), owned(terms.used_by(&id)), owned(terms.unclear_in(&id))]
    };
    (0..sources.len()).map(of).collect()
}
