//! What is markup, what is a comment, and that visible text can always be typed back.

use super::*;

fn keys(text: &Text) -> Vec<(String, String, bool)> {
    text.spans().iter().map(|span| (span.key.to_string(), text.shown(span).to_owned(), span.counts)).collect()
}

fn seen(source: &str) -> (String, String) {
    let text = Text::parse(source);
    let list: Vec<String> = text
        .spans()
        .iter()
        .map(|span| format!("{}{}={}", if span.counts { "" } else { "hidden " }, span.key, text.shown(span)))
        .collect();
    (text.visible().to_string(), list.join("; "))
}

#[test]
fn markup_comes_off_and_nothing_else() {
    for (source, visible, spans) in [
        ("Wait [48](#timeout-hours) hours.", "Wait 48 hours.", "timeout-hours=48"),
        ("**[48](#a)** and [x](https://e.org/1)", "**48** and [x](https://e.org/1)", "a=48"),
        ("A [mackerel](#=mackerel) or [mack](#=mackerel)", "A mackerel or mack", "=mackerel=mackerel; =mackerel=mack"),
        ("[Goethe](#@contestmaster) and [Player](#-term)", "Goethe and Player", "@contestmaster=Goethe; -term=Player"),
        ("range [[-1](#min),[1](#max)] x", "range [-1,1] x", "min=-1; max=1"),
        ("a [b [48](#k) c](#=t) d", "a b 48 c d", "=t=b 48 c; k=48"),
        ("a [b] 48](#k)", "a [b] 48](#k)", ""),
        ("a [b\n\n48](#k)", "a [b\n\n48](#k)", ""),
        ("a [b\n48](#k)", "a b\n48", "k=b\n48"),
        ("[](#k) [48](#) [48](#a b) [48](#-)", "[](#k) [48](#) [48](#a b) [48](#-)", ""),
        ("![48](#k)", "!48", "k=48"),
        ("`[48](#k)`", "`48`", "k=48"),
    ] {
        assert_eq!(seen(source), (visible.to_owned(), spans.to_owned()), "{source}");
    }
}

#[test]
fn text_in_comments_defines_nothing() {
    for (source, visible, spans) in [
        ("/* [48](#k) */ [50](#k)", "/* 48 */ 50", "hidden k=48; k=50"),
        ("[[[48](#k)]] [50](#k)", "[[48]] 50", "hidden k=48; k=50"),
        ("[[ /* ]] [48](#k) */", "[[ /* ]] 48 */", "k=48"),
        ("/* [[ */ [48](#k) ]]", "/* [[ */ 48 ]]", "k=48"),
        ("/* [48](#k)", "/* 48", "k=48"),
        ("between \"/*\" and \"*/\" [48](#k) */", "between \"/*\" and \"*/\" 48 */", "k=48"),
        ("between `/*` and `*/` [48](#k) */", "between `/*` and `*/` 48 */", "k=48"),
        ("` /* [48](#k) */", "` /* 48 */", "hidden k=48"),
    ] {
        assert_eq!(seen(source), (visible.to_owned(), spans.to_owned()), "{source}");
    }
}

#[test]
fn fences_are_code_read_by_place() {
    let text = Text::parse("The source:\n```mcp\nX = [10](#k) /* \n```\n[5](#a) */ and [6](#b)\n~~~\nopen");
    assert_eq!(keys(&text), [("a".into(), "5".into(), true), ("b".into(), "6".into(), true)]);
    let contents: Vec<&str> = text.fences().iter().map(|fence| &text.visible()[fence.at.clone()]).collect();
    assert_eq!(contents, ["X = [10](#k) /* \n", "open"]);
    assert_eq!(text.fences()[0].info, "mcp");
    let hidden = Text::parse("/*\n```\n1\n```\n*/");
    assert!(!hidden.fences()[0].counts);
}

#[test]
fn what_markup_hides_is_never_new_markup() {
    for source in ["](#a[b](#k))x", "[x](#a[b](#k))", "[```](#k)\n[48](#a)", "[`](#k)``\ncode"] {
        let text = Text::parse(source);
        assert!(Text::parse(text.visible().clone()).spans().is_empty(), "{source}");
    }
}

#[test]
fn numerals_in_addresses_are_not_read() {
    let text = Text::parse("[48](#k) of [7](https://e.org/9?10=11) or https://e.org/12 and 13");
    let read: Vec<&str> = text.numerals(false).iter().map(|n| &text.visible()[n.at.clone()]).collect();
    assert_eq!(read, ["48", "7", "13"]);
}

#[test]
fn markup_is_written_back_as_it_was() {
    for source in ["[[-1](#min),[1](#max)] [a [b](#=x) c](#=y)", "[[a](#=x) c](#=y) [[[48](#k)]]"] {
        let text = Text::parse(source);
        let places: Vec<_> = text.spans().iter().map(|span| (span.key.clone(), span.at.clone())).collect();
        assert_eq!(&**Text::marked(text.visible(), &places).source(), source);
    }
}

#[test]
fn marks_that_cannot_be_written_are_left_out() {
    let visible = "a ] b 48 c\n\nd 49\n```\n50\n```";
    let place = |key: &str, shown: &str| {
        let at = visible.find(shown).unwrap();
        (Arc::from(key), at..at + shown.len())
    };
    let places = [
        place("x", "a ] b"),
        place("k", "48"),
        place("y", "c\n\nd"),
        place("l", "49"),
        place("m", "50"),
        place("no key", "a"),
    ];
    let text = Text::marked(visible, &places);
    assert_eq!(&**text.visible(), visible);
    let kept: Vec<&str> = text.spans().iter().map(|span| span.name()).collect();
    assert_eq!(kept, ["k", "l"]);
}

#[test]
fn hostile_texts_take_linear_time() {
    for piece in ["/*", "[[", "[", "](#", "`", "](#k)", "[a](#k)", "```\n", "\n\n", "` `` ", "http://", "]("] {
        let text = Text::parse(piece.repeat(60_000 / piece.len()));
        assert!(text.visible().len() <= 60_000);
        text.numerals(true);
    }
}

const SOUP: &str = r"(\[|\]|\(#k\)|\]\(#a-b\)|\[48\]\(#k\)|/\*|\*/|\[\[|\]\]|`|```\n|~~~|\n|\n\n| |48|x|#|é|\)){0,30}";

proptest::proptest! {
    #[test]
    fn any_text_parses_and_its_visible_text_is_plain(source in SOUP) {
        let text = Text::parse(source.clone());
        let again = Text::parse(text.visible().clone());
        assert_eq!(again.visible(), text.visible());
        assert!(again.spans().is_empty());
        for span in text.spans() {
            assert!(text.visible().get(span.at.clone()).is_some_and(|shown| !shown.is_empty()));
            assert_eq!(span.counts, !inside(text.comments(), span.at.start));
        }
        let places: Vec<_> = text.spans().iter().map(|span| (span.key.clone(), span.at.clone())).collect();
        let marked = Text::marked(text.visible(), &places);
        assert_eq!(marked.visible(), text.visible());
    }

    #[test]
    fn arbitrary_text_never_panics(source in "\\PC{0,200}") {
        Text::parse(source).numerals(true);
    }
}

#[test]
fn words_end_before_the_named_blocks_at_the_end() {
    for (source, words) in [
        ("Words.", "Words."),
        ("", ""),
        ("Words.\n\n```law\nx\n```\n", "Words."),
        ("```law\nx\n```", ""),
        ("Words.\n\n~~~text\ny\n~~~\n\n```law\nx\n```", "Words."),
        ("Such as:\n```\ny\n```", "Such as:\n```\ny\n```"),
        ("Words.\n```law\nx\n```\nMore.", "Words.\n```law\nx\n```\nMore."),
    ] {
        let text = Text::parse(source);
        assert_eq!(&text.visible()[..text.end_of_words()], words, "{source}");
    }
}
