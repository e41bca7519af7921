//! Pages as people have them, in every style, and what is told of those that cannot be read.

use super::*;

fn titles(page: &Page) -> Vec<&str> {
    page.sections.iter().map(|section| section.title.as_str()).collect()
}

fn refusal(text: &str) -> String {
    Refusal::from(read(text).unwrap_err()).say
}

#[test]
fn a_wiki_page_has_headings_furniture_and_its_own_markup() {
    let page = read(
        "{{archive}}\nFrom Example Wiki\nJump to navigation Jump to search\n\n== Contents ==\n== Robots [edit] ==\n'''Anybody''' may \
         ask [[Admin|an Admin]]; see [[Rules]].\n* one\n** two\n# first\n\n=== Ranks ===\nThere are none.\n\n== 2 Power ==\n\
         <pre>\n* X &gt; 3\n== no heading ==\n</pre>\n[[Category:Rules]]\nThis page was last edited on 1 October 2003.\n",
    );
    // A heading without a text is no rule.
    let page = page.unwrap();
    assert_eq!(titles(&page), ["Robots", "Power"]);
    assert_eq!(
        page.sections[0].body,
        "**Anybody** may ask an Admin; see Rules.\n- one\n  - two\n1. first\n\n**Ranks**\nThere are none."
    );
    assert_eq!(page.sections[1].body, "```text\n* X > 3\n== no heading ==\n```");
    assert_eq!((page.sections[0].line, page.sections[1].line), (6, 15));
    assert_eq!(page.skipped, [1..=5, 20..=21]);
    assert_eq!(
        page.passed_over("a\nb c\n\n\n\n").unwrap(),
        "Passed over as page furniture: lines 1 to 5 (“a b c”), 20 to 21 (“”)."
    );
}

#[test]
fn each_style_is_read() {
    for text in [
        "# My Nomic\n\n## 1. Robots\nText.\n\n## 2. The Power\nMore.\n",
        "My Nomic\n\nContents\n1 Robots\n2 The Power\n\n1. Robots\n\nText.\n\n2. The Power\n\nMore.\n",
        "Rule 1: Robots\n\nText.\n\nRule 2: The Power\n\nMore.\n",
        "\u{feff}My Nomic\r\n\r\nFrom Example Wiki\r\nNote: this is an archived copy.\r\n\r\nRobots\r\n\r\nText.\r\n\r\nThe Power\r\n\r\nMore.\r\n",
    ] {
        let page = read(text).unwrap();
        assert_eq!(titles(&page), ["Robots", "The Power"], "{text}");
        assert_eq!([&*page.sections[0].body, &*page.sections[1].body], ["Text.", "More."], "{text}");
    }
}

/// A short line of a program or of a list is no heading.
#[test]
fn a_title_stands_alone_and_is_no_sentence() {
    let page = read("Robots\n\nText.\n\nX = 1\n\n{\n\n}\n\n• Sensory\n\nA sentence.\n\n// A comment\n\nlower case\n\nVirus!\n\nIt eats.\n").unwrap();
    assert_eq!(titles(&page), ["Robots", "Virus!"]);
    assert!(page.sections[0].body.contains("- Sensory"), "{}", page.sections[0].body);
}

#[test]
fn what_cannot_be_read_is_told_with_its_lines() {
    assert!(refusal("only prose. nothing else.\n").contains("line 1: no heading stands"), "{}", refusal("x y.\n"));
    assert_eq!(refusal(""), refusal("only prose. nothing else.\n"));
    assert_eq!(
        refusal("== A ==\nx\n\n== the a! ==\ny\n\n== B ==\n\n== C ==\nz\n"),
        "that rulebook cannot be read: line 4: “the a!” stands in line 1 already; line 7: nothing stands under “B”"
    );
    assert!(refusal("== A ==\nfine\n\u{fffd}\u{fffd}\n").contains("line 3: it holds bytes that are no UTF-8"));
    assert!(refusal("== A ==\n\u{1}\n").contains("line 2: it holds control characters"));
    assert!(refusal("\n<!DOCTYPE html>\n<p>x</p>").contains("line 1: it is a web page; use the raw text"));
    let many: String = (0..20).map(|_| "== A ==\nx\n").collect();
    assert!(refusal(&many).ends_with("and 11 more"), "{}", refusal(&many));
    assert!(refusal(&"x".repeat(PAGE_MAX_BYTES + 1)).contains("262144 is the most"));
    assert!(refusal("== A ==\n== B ==\n").contains("nothing stands under"), "{}", refusal("== A ==\n== B ==\n"));
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(== [A-C] ==|# A|1. B|Robots|```|<pre>|\\{\\{x\\}\\}|\\[\\[|\\PC{0,9}|\n){0,30}") {
        if let Some(page) = paragraphs(&text) {
            proptest::prop_assert!(page.sections.iter().all(|section| !section.body.is_empty()));
        }
        if let Ok(page) = read(&text) {
            proptest::prop_assert!(page.sections.iter().all(|section| !section.body.is_empty()));
        }
    }
}
