//! Scripts out of bytes: whatever the vocabulary of laws allows to be said, and much that it does not.

/// Things that have a value.
const VALUES: &[&str] = &[
    "1",
    "0",
    "-7",
    "9223372036854775807",
    "(1 / 3)",
    "\"red\"",
    "\"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"",
    "true",
    "()",
    "[]",
    "[1, 2, 3]",
    "#{n: 1}",
    "a",
    "a.by",
    "x",
    "game()",
    "now()",
    "clock()",
    "players()",
    "all(\"sock\")",
    "count(\"sock\")",
    "find(\"sock\", #{color: \"red\"})",
    "the(\"Constitution\")",
    "holder(\"Judge\")",
    "number(\"price\")",
    "times(\"test\", #{}, \"day\")",
    "due(\"1 day\")",
    "create(\"sock\", #{color: \"blue\"})",
    "draw(6)",
    "a.by.hp",
    "a.by.nothing",
];

/// What is done with some of them: `$` stands for one, but for where a place of a text begins.
const DEEDS: &[&str] = &[
    "x = $;",
    "x += $;",
    "x = [$, $];",
    "x = #{p: $, q: $};",
    "x = x + x;",
    "x.push($);",
    "x[$] = $;",
    "x = $ + $;",
    "x = $ * $;",
    "x = $ / $;",
    "x = $ == $;",
    "x = `${$} and ${$}`;",
    "x.pad($, $);",
    "x.sort();",
    "x = x.map(|y| y + $);",
    "x = x.filter(|y| y != $);",
    "x = pick($);",
    "x = pick_by($, \"hp\");",
    "x = shuffle($);",
    "x = tally($, [\"color\"]);",
    "x = table($, [\"name\", \"color\"]);",
    "x = grid([[$], [$]]);",
    "a.by.hp = $;",
    "a.by.hp += $;",
    "gain(a.by, \"hp\", $);",
    "lose(a.by, \"hp\", $);",
    "destroy($);",
    "say(`${$}`);",
    "tell($, \"hello\");",
    "refuse(\"no\");",
    "require($, \"no\");",
    "perform(\"again\", #{n: $});",
    "schedule(\"1 day\", \"again\", #{n: $});",
    "unschedule(\"again\");",
    "ask($, \"test\", #{}, \"1 day\");",
    "apply(\"=> raise hp of {who} by 1\", #{who: $});",
    "apply(\"=> repeal rule 1\");",
    "attempt(|| { x = $; a.by.hp += 1; $ });",
    "if $ == $ { x = 1; } else { x = 2; }",
    "for y in $ { x = y; }",
    "while x != $ { x = $; }",
    "loop { x = $; x += $; }",
    "return $;",
];

/// A law that bytes spell: an act, a deed, a follower, a bar, a change, a trigger, what must always hold, a display.
pub(crate) fn law(data: &[u8]) -> String {
    let mut bytes = data.iter().copied();
    let mut next = |list: &[&'static str]| list[usize::from(bytes.next().unwrap_or_default()) % list.len()];
    let mut body = |deeds: usize| {
        let mut body = "let x = 0; ".to_owned();
        for _ in 0..deeds {
            let mut letters = next(DEEDS).chars().peekable();
            while let Some(letter) = letters.next() {
                match letter {
                    '$' if letters.peek() != Some(&'{') => body += next(VALUES),
                    letter => body.push(letter),
                }
            }
            body.push(' ');
        }
        body + next(VALUES)
    };
    format!(
        "kind(\"sock\"); define(\"color of sock: one of red, blue\"); define(\"hp of player: whole number from 0, 3 at first\");\n\
         action(\"test\", [], |a| {{ {} }});\ndeed(\"again\", [\"n?: anything\"], |a| {{ {} }});\n\
         after(\"test\", |a| {{ {} }});\nforbid(\"test\", |a| {{ {} }}, \"no\");\nchange(\"test\", |a| {{ {} }});\n\
         at(\"start of day\", || {{ let a = #{{by: ()}}; {} }});\nwhenever(|| {{ let a = #{{by: ()}}; {} }});\n\
         display(\"page\", \"Page\", |me| {{ let a = #{{by: me}}; {} }});",
        body(4),
        body(2),
        body(2),
        body(1),
        body(1),
        body(2),
        body(1),
        body(3),
    )
}
