//! The page of a rule with a law: its script in its pieces, what it adds, when it ran and what that took.

use super::Site;

const SOCKS: &str = r#"propose "Socks" => create rule "Socks":
~~~~
A Sock costs [8](#sock-price) Power.

```law
define("feet of robot: whole number, 2 at first"); // Enough for now.
action("sock buy", [], |a| { a.by.power -= number("sock-price"); say("Undone by a moderator"); });
display("feet", "Feet", |me| table(players(), ["name", "feet"]));
```
~~~~
```rehearsal
Goethe: sock buy
expect power of Goethe = 58
```"#;

#[tokio::test]
async fn the_page_of_a_rule_shows_its_law_and_what_that_brings_about() {
    let mut site = Site::empty().await;
    site.say("Goethe", "room open blognomic main").await;
    site.say("Goethe", SOCKS).await;
    let proposals = site.page("/room/main/show/proposals").await;
    assert!(proposals.contains("Proposal 1</a> goes as expected: 1 of 1."), "{proposals}");
    site.say("Goethe", "admin enact").await;
    site.say("Goethe", "sock buy").await;
    let page = site.page("/room/main/rule/socks").await;
    for part in [
        "<span class=\"text\">&#34;sock buy&#34;</span>",
        "<span class=\"aside\">// Enough for now.</span>",
        "<p dir=\"auto\">Its law adds:</p>",
        "the command “sock buy”",
        "the display “feet”",
        "feet of robot: whole number, 2 at first",
        "Its law ran last in <a href=\"/x/room/main/entry/4\">entry 4</a>, ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let entry = site.page("/room/main/entry/4").await;
    // What it says is quoted, so that nobody takes it for the program's.
    let said = "<figure class=\"said\"><blockquote dir=\"auto\"><p>Undone by a moderator.</p></blockquote><figcaption>";
    assert!(entry.contains(said), "{entry}");
    assert!(entry.contains("Socks, line 2 of its law (sock-price 8) changed this:"), "{entry}");
}
