//! What laws have of the text of rules: figures in lists, numerals, days; and another number in the place of one.

use kernel::Game;
use serde_json::json;

use crate::toy::{Room, Toy};

/// What stands in the list of a rule is there for its law, with a meaning and bounds, from the amendment on that adds it.
#[test]
fn a_list_of_a_rule_names_what_its_figures_are_of() {
    let rule = "Prices:\n\n- Red Sock (of wool): [5](#sock-red),\n- Hat: [9](#sock-hat).\n\n```law\n\
                figure(\"sock-*: count to 20\", \"price of {name}\", \"it is not sold\");\n\
                action(\"list\", [], |a| say(entries(\"sock-\").reduce(|all, one| `${all} ${one.name} ${number(one.key)}`, \
                \"\")));\n```";
    let mut room = Room::new();
    room.rule(2, rule);
    assert_eq!(room.acts("ann", "list", json!({})), ["Red Sock 5 Hat 9."]);
    room.directives("=> amend rule 2: replace \"9.\" with:\n~~~~\n[9](#sock-hat),\n- Scarf: [3](#sock-scarf).\n~~~~");
    room.directives("=> set price of Scarf to 4");
    assert_eq!(room.acts("ann", "list", json!({})), ["Red Sock 5 Hat 9 Scarf 4."]);
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| room.directives("=> set sock-scarf to 21")));
    assert!(refused.is_err());
    assert!(Toy::mechanics().keys(&room.state).any(|key| key.meaning == "price of Scarf"));
}

/// A law reads what people read, and writes another number there, with its sign; what it announces of that is signed.
#[test]
fn a_number_of_a_rule_is_written_anew() {
    let law = r#"
        action("hit", ["at: whole number", "to: number"], |a| {
            let all = numerals(rule(3));
            let done = rewrite(all[a.at], a.to, "a hit");
            say(`${all[a.at].shown} becomes ${done.shown}.` + done.page);
        });
        action("twice", [], |a| {
            let one = numerals(rule(3))[0];
            rewrite(one, 7, "once");
            rewrite(one, 8, "twice");
        });
        action("count", [], |a| say(`${all("rule").map(|one| numerals(one).len())}`));
    "#;
    let mut room = Room::with(&[(2, law)]);
    room.rule(3, "From +5 to [6](#most), at 10:30.\n\n```law\nlet n = 4;\n```\n");
    assert_eq!(room.acts("ann", "count", json!({})), ["[0, 0, 2]."]);
    let said = room.acts("ann", "hit", json!({"at": 0, "to": 12})).join("\n");
    assert!(said.contains("+5 becomes +12.") && said.contains("+ From +12 to 6"), "{said}");
    room.acts("ann", "hit", json!({"at": 1, "to": "1/2"}));
    let revised = room.state.rules.numbered(3).unwrap();
    assert!(revised.text().source().starts_with("From +12 to [1/2](#most)"), "{}", revised.text().source());
    assert_eq!(revised.revisions().last().unwrap().why, "a hit");
    assert!(room.refuses("ann", "twice", json!({})).contains("does not stand there any more"));
}

#[test]
fn a_moment_is_in_a_day_of_the_week_that_ends() {
    let law = r#"
        figure("days: weekdays", "days", "there are none");
        action("ask", [], |a| {
            let end = midnight(now());
            say(`${weekday(now())} ${end} ${weekday(end)} ${has_figure("days")} ${has_figure("none")}`);
        });
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "ask", json!({})), ["Monday 2026-11-03 00:00 UTC Tuesday false false."]);
    room.rule(3, "On [friday, Monday](#@days).");
    assert_eq!(room.acts("ann", "ask", json!({})), ["Monday 2026-11-03 00:00 UTC Tuesday true false."]);
}

/// A draw has a name on record, which is that of its rule where it has none of its own.
#[test]
fn a_draw_has_a_name() {
    let law = r#"action("throw", [], |a| { draw(6, "my-die"); draw(6); pick([1, 2], "my-pick"); });
                 action("wrong", [], |a| { draw(6, "My die"); });"#;
    let mut room = Room::with(&[(2, law)]);
    let mut labels = Vec::new();
    room.does("ann", |d| {
        Toy::mechanics().take(&json!({"law": {"act": "throw"}}), d).unwrap();
        labels = d.draws().iter().map(|draw| draw.label.clone()).collect();
    });
    assert_eq!(labels, ["my-die", "r2", "my-pick"]);
    assert!(room.act("ann", "wrong", json!({})).0.unwrap().contains("is no name of a draw"));
}
