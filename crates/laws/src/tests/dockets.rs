//! Numbered documents and votes on them.

use serde_json::json;

use crate::toy::Room;

/// Motions that change the rules, by more votes for them than against them after two days.
const MOTIONS: &str = r#"
    docket("motion", #{states: ["Open", "Adopted", "Failed"], text: "changes", title: "yes", make: "move",
        limit: 2, first: 301, revise: "Open", withdraw: "Open"});
    ballot("motion", #{lasts: "2 days", remind: "12 hours", early: "all"});
    after("votes end", |a| {
        let m = a.on;
        let all = votes(m);
        m.state = if all.yes > all.no { "Adopted" } else { "Failed" };
        if m.state == "Adopted" { apply(m); }
    });
"#;

/// What is told of a motion that gives Bob nine points.
const DONE: &str = "By Motion 301 (Gift):\n⇒ set points of Bob to 9";

fn moves(room: &mut Room, by: &str, title: &str, text: &str) -> Vec<String> {
    room.acts(by, "move", json!({"title": title, "text": text}))
}

fn votes(room: &mut Room, by: &str, on: &str, vote: &str) -> Vec<String> {
    room.acts(by, "vote", json!({"on": on, "vote": vote}))
}

#[test]
fn a_document_is_made_voted_on_and_done() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    let said = moves(&mut room, "ann", "Gift", "=> set points of Bob to 9");
    assert!(said[0].contains("Motion: Gift") && said[0].contains("FOR: vote 301 FOR"), "{said:?}");
    let said = votes(&mut room, "ann", "301", "for");
    assert_eq!(said, ["Ann votes FOR on Motion 301 (Gift): 1 FOR, 0 AGAINST, 0 ABSTAIN."]);
    let said = votes(&mut room, "ann", "301", "AGAINST");
    assert_eq!(said, ["Ann now votes AGAINST on Motion 301 (Gift): 0 FOR, 1 AGAINST, 0 ABSTAIN."]);
    votes(&mut room, "ann", "Gift", "FOR");
    assert!(room.shows("motion/301").unwrap().contains("3 can vote."));
    let said = room.passes(36);
    assert!(said[0].contains("Without a vote so far: Bob, Cid."), "{said:?}");
    let said = ["Motion 301 (Gift) is now Adopted: 1 FOR, 0 AGAINST, 0 ABSTAIN.", DONE];
    assert_eq!(room.passes(12), said);
    assert_eq!(room.value("player/bob.points"), "9");
    assert!(room.refuses("bob", "vote", json!({"on": "301", "vote": "FOR"})).contains("it is Adopted"));
    assert!(room.shows("motions").unwrap().contains("Adopted"));
}

#[test]
fn votes_end_as_soon_as_all_have_voted() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    moves(&mut room, "ann", "Gift", "It shall be so.");
    for voter in ["ann", "bob", "cid"] {
        votes(&mut room, voter, "301", "FOR");
    }
    assert_eq!(room.passes(0), ["Motion 301 (Gift) is now Adopted: 3 FOR, 0 AGAINST, 0 ABSTAIN."]);
}

#[test]
fn what_a_document_calls_a_rule_is_what_was_called_so_when_it_was_made() {
    let mut room = Room::with(&[(2, MOTIONS), (3, "after(\"join\", |a| say(\"old\"));")]);
    moves(&mut room, "ann", "Gone", "=> repeal rule 3");
    room.directives("=> renumber rule 3 to 9");
    room.rule(3, "Another rule.");
    for voter in ["ann", "bob", "cid"] {
        votes(&mut room, voter, "301", "FOR");
    }
    let said = room.passes(0).join(" ");
    assert!(said.contains("rule 3 of then") && said.contains("is rule 9 now"), "{said}");
}

#[test]
fn secret_votes_are_opened_when_their_time_is_over() {
    let secret = MOTIONS.replace("remind: \"12 hours\"", "secret: true");
    let mut room = Room::with(&[(2, &secret), (3, r#"after("vote", |a| say(`${a.by}: ${a.vote}`));"#)]);
    moves(&mut room, "ann", "Gift", "=> set points of Bob to 9");
    moves(&mut room, "bob", "Next", "It shall be so.");
    for (by, on, vote) in
        [("ann", "301", "AGAINST"), ("ann", "302", "AGAINST"), ("bob", "301", "FOR"), ("ann", "301", "FOR")]
    {
        let said = votes(&mut room, by, on, vote);
        assert!(said[0].contains("does “vote” on Motion 30") && !said[0].contains(vote), "{said:?}");
    }
    let page = room.shows("motion/301").unwrap();
    assert!(page.contains("Votes: 2 under seal.") && page.contains("Without a vote so far: Cid"), "{page}");
    // The last of all who vote ends the votes on this one, and the others stay sealed.
    votes(&mut room, "cid", "301", "AGAINST");
    let said = room.passes(0);
    assert_eq!(said.iter().filter(|line| line.contains("was: on: ")).count(), 3, "{said:?}");
    assert!(said.contains(&"Ann: FOR.".to_owned()), "{said:?}");
    assert!(said.contains(&"Motion 301 (Gift) is now Adopted: 2 FOR, 1 AGAINST, 0 ABSTAIN.".to_owned()), "{said:?}");
    assert!(room.shows("motion/302").unwrap().contains("Votes: 1 under seal."));
}

#[test]
fn the_only_open_document_is_meant_where_none_is_named() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    assert_eq!(room.refuses("ann", "vote", json!({"vote": "FOR"})), "nothing is voted on");
    moves(&mut room, "ann", "One", "One.");
    moves(&mut room, "bob", "Two", "Two.");
    let why = room.refuses("ann", "vote", json!({"vote": "FOR"}));
    assert_eq!(why, "say which of these you mean: Motion 301 (One); Motion 302 (Two)");
}

#[test]
fn a_maker_has_a_limit_and_revises_and_withdraws_eir_own() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    moves(&mut room, "ann", "One", "=> set points of Bob to 3");
    moves(&mut room, "ann", "Two", "Two.");
    let why = room.refuses("ann", "move", json!({"title": "Three", "text": "Three."}));
    assert_eq!(why, "you have 2 Motions that are open, and at most 2 may be");
    assert!(room.refuses("bob", "revise motion", json!({"on": "301", "text": "x"})).contains("is not yours"));
    room.acts("ann", "revise motion", json!({"on": "301", "text": "=> set points of Bob to 4"}));
    let page = room.shows("motion/301").unwrap();
    assert!(page.contains("Revision 1:") && page.contains("- => set points of Bob to 3"), "{page}");
    assert_eq!(room.acts("ann", "withdraw motion", json!({"on": "302"})), ["Motion 302 (Two) is now Withdrawn."]);
    assert!(room.refuses("ann", "withdraw motion", json!({"on": "302"})).contains("is Withdrawn"));
    moves(&mut room, "ann", "Three", "Three.");
}

#[test]
fn a_text_that_holds_no_directive_where_one_seems_to_stand_is_refused() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    let why = room.refuses("ann", "move", json!({"title": "One", "text": "=> frobnicate"}));
    assert!(why.starts_with("line 1: "), "{why}");
    assert_eq!(room.refuses("ann", "move", json!({"title": "One", "text": " "})), "there is no text");
}

#[test]
fn words_numbers_choices_weights_and_voters_are_a_laws_to_say() {
    let law = r#"
        docket("call", #{make: "call", amiss: |d| if d.text.contains("!") { "no shouting" } else { "" },
            mark: |d| if d.text.len() > 10 { "long" } else { "" }});
        ballot("call", #{name: "judge", words: #{Guilty: "against", Clear: "for", Wait: #{defers: "Judge"}},
            marks: #{firmly: "Guilty"}, latest: false, voters: |d| players().filter(|one| one != d.by),
            weight: |who, d| who.points});
        ballot("call", #{name: "rate", number: [1, 5]});
        ballot("call", #{name: "name", words: |d| players()});
        action("count", #{}, ["on: a call"], |a| {
            let v = votes(a.on, "judge");
            say(`${v.yes} ${v.no} ${v.rest} ${v.share} ${v.missing.len()} ${v.ayes.len()} ${v.words.len()}`);
            say(`${votes(a.on, "rate").sum} ${votes(a.on, "name").most}`);
        });
        action("forget", #{}, ["on: a call"], |a| lapse(a.on, a.by));
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.refuses("cid", "call", json!({"text": "Fie!"})), "no shouting");
    room.acts("cid", "call", json!({"text": "Somebody cheated."}));
    assert!(room.shows("calls").unwrap().contains("(long)"));
    assert!(room.refuses("cid", "judge", json!({"on": "1", "vote": "Clear"})).contains("you have no vote"));
    let why = room.refuses("bob", "judge", json!({"on": "1", "vote": "Clear", "mark": "firmly"}));
    assert_eq!(why, "only a vote Guilty is marked “firmly”");
    room.acts("bob", "judge", json!({"on": "1", "vote": "Wait"}));
    // Ann is the Judge: who defers to her votes as she does.
    let said = room.acts("ann", "judge", json!({"on": "1", "vote": "guilty", "mark": "firmly"}));
    assert_eq!(said, ["Ann votes Guilty, marked firmly on Call 1: 0 Clear, 7 Guilty."]);
    assert!(room.refuses("ann", "judge", json!({"on": "1", "vote": "Clear"})).contains("the first vote counts"));
    assert!(room.refuses("ann", "rate", json!({"on": "1", "vote": 6})).contains("from 1 to 5"));
    room.acts("ann", "rate", json!({"on": "1", "vote": 4}));
    room.acts("bob", "rate", json!({"on": "1", "vote": "5"}));
    room.acts("bob", "name", json!({"on": "1", "vote": "Ann"}));
    assert!(room.refuses("ann", "name", json!({"on": "1", "vote": "Zed"})).contains("it is Ann, Bob, Cid"));
    assert_eq!(room.acts("ann", "count", json!({"on": "1"})), ["0 7 0 0 0 0 1.", "9 [Ann]."]);
    room.acts("bob", "forget", json!({"on": "1"}));
    assert_eq!(room.acts("ann", "count", json!({"on": "1"})), ["0 5 0 0 1 0 1.", "4 []."]);
}

/// Votes in which makers count as being for eir own, others may defer to the Judge, and the Judge may end it.
const PLEAS: &str = r#"
    docket("plea", #{states: ["Open", "Gone"], text: "changes", make: "plead", asks: ["weight?: whole number"],
        head: || `${count("plea")} in all.`, foresees: |p| [[p.by, "points", 4]], dryrun: true});
    define("weight of plea: whole number, 1 at first");
    define("last of plea: a moment");
    ballot("plea", #{words: #{FOR: "for", AGAINST: "against", DEFER: #{defers: "Judge"}, QUASH: #{does: "quash"}},
        marks: #{gladly: "FOR"}, implied: |p| [[p.by, "FOR"]], before: |p| p.last,
        also: #{FOR: ["aye"], QUASH: ["seal"]}});
    action("quash", #{who: "Judge"}, ["plea: a plea"], |a| { a.plea.state = "Gone"; answer("Quashed."); });
    page("plea", |p| if p.state == "Open" { `Weight ${p.weight}.` } else { "" });
    offers("plea", |p| if p.state == "Open" { [["Quash", line("quash", #{plea: p})]] } else { [] });
    condition("oldest", || find("plea", #{state: "Open"}));
    action("show counts", #{}, [#{takes: "plea?: a plea", meant: "oldest"}], |a| {
        let v = votes(a.plea);
        answer(`${a.plea.number}: ${v.words} ${v.cast.map(|one| `${one.vote} as ${one.counts} ${one.mark}`)}`);
    });
"#;

#[test]
fn a_vote_may_be_implied_or_defer_or_be_another_act() {
    let mut room = Room::with(&[(2, PLEAS)]);
    let said = room.acts("bob", "plead", json!({"text": "=> set points of Cid to points of Bob", "weight": 3}));
    assert!(said[0].contains("Quash: quash 1") && !said[0].contains("QUASH"), "{said:?}");
    let page = room.shows("plea/1").unwrap();
    for told in ["Votes: 1 FOR, 0 AGAINST.", "Weight 3.", "without a vote", "points of Cid: 0 becomes 6"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(room.shows("pleas").unwrap().contains("1 in all."));
    assert_eq!(votes(&mut room, "cid", "1", "DEFER"), ["Cid votes DEFER on Plea 1: 1 FOR, 0 AGAINST, 1 DEFER."]);
    let said = room.acts("ann", "vote", json!({"on": "1", "vote": "FOR", "mark": "gladly"}));
    assert_eq!(said, ["Ann votes FOR, marked gladly on Plea 1: 3 FOR, 0 AGAINST."]);
    let said = room.act("cid", "show counts", json!({})).0.unwrap();
    assert!(said.contains(r#"1: #{"FOR": 3}"#) && said.contains(r#""DEFER as FOR gladly""#), "{said}");
    votes(&mut room, "bob", "1", "AGAINST");
    assert!(room.shows("plea/1").unwrap().contains("2 FOR, 1 AGAINST"), "an express vote takes the place of the other");
    // A word that is no vote does its act, in whoever's name it is typed.
    assert!(room.refuses("bob", "vote", json!({"on": "1", "vote": "QUASH"})).contains("for the Judge alone"));
    votes(&mut room, "ann", "1", "QUASH");
    assert!(room.shows("plea/1").unwrap().contains("it is Gone"));
}

#[test]
fn what_must_hold_of_each_object_is_seen_to_for_each_alone() {
    let law = r#"
        kind("pot"); define("heat of pot: whole number"); define("state of pot: one of On, Off");
        define("seen of game: whole number");
        action("put", #{}, ["heat: whole number"], |a| create("pot", #{heat: a.heat}));
        action("heat", #{}, ["pot: a pot", "to: whole number"], |a| { a.pot.heat = a.to; });
        whenever("pot", #{state: "On"}, |p| if p.heat > 9 { p.state = "Off"; say(`${p.heat} is hot`); });
    "#;
    let mut room = Room::with(&[(2, law)]);
    assert_eq!(room.acts("ann", "put", json!({"heat": 3})).len(), 0);
    assert_eq!(room.acts("ann", "put", json!({"heat": 12})), ["12 is hot."]);
    assert_eq!(room.acts("ann", "heat", json!({"pot": "pot/1", "to": 10})), ["10 is hot."]);
    assert_eq!(room.acts("ann", "heat", json!({"pot": "pot/1", "to": 11})).len(), 0, "it is off");
}

#[test]
fn one_command_serves_all_ballots_of_a_name() {
    let other = r#"docket("call", #{make: "call"}); ballot("call", #{words: #{YES: "for", NO: "against"}});"#;
    let mut room = Room::with(&[(2, MOTIONS), (3, other)]);
    room.acts("ann", "call", json!({"text": "So?"}));
    moves(&mut room, "ann", "One", "One.");
    assert!(room.shows("call/1").unwrap().contains("YES: vote call/1 YES"));
    votes(&mut room, "ann", "call/1", "YES");
    votes(&mut room, "ann", "motion/301", "FOR");
    assert!(room.refuses("bob", "vote", json!({"on": "call/1", "vote": "FOR"})).contains("it is YES, NO"));
}

#[test]
fn documents_and_votes_outlive_the_law_that_declares_them() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    moves(&mut room, "ann", "Gift", "=> set points of Bob to 9");
    votes(&mut room, "ann", "301", "FOR");
    room.directives("=> repeal rule 2");
    let page = room.shows("motion/301").unwrap();
    assert!(page.contains("it is Open") && page.contains("No rule has a law for motions now"), "{page}");
    assert!(room.shows("motions").unwrap().contains("Gift"));
    // No time runs meanwhile.
    assert!(room.passes(24 * 30).is_empty());
    room.law(7, MOTIONS);
    assert!(room.shows("motion/301").unwrap().contains("Votes: 1 FOR"));
    assert!(room.passes(47).iter().all(|line| !line.contains("is now")));
    let said = ["Motion 301 (Gift) is now Adopted: 1 FOR, 0 AGAINST, 0 ABSTAIN.", DONE];
    assert_eq!(room.passes(2), said);
    moves(&mut room, "ann", "Next", "Next.");
    assert!(room.shows("motion/302").is_ok());
}

#[test]
fn an_amended_option_holds_from_then_on_and_is_told() {
    let mut room = Room::with(&[(2, MOTIONS)]);
    moves(&mut room, "ann", "Gift", "=> set points of Bob to 9");
    votes(&mut room, "ann", "301", "FOR");
    let said = room.directives("=> amend rule 2: replace \"2 days\" with \"3 days\"");
    assert!(said.iter().any(|line| line.starts_with("The votes on Motion 301 (Gift) end at 2026-11-05")), "{said:?}");
    // A vote whose word is gone counts as not cast.
    room.directives(r#"=> amend rule 2: replace "early: "all"" with "words: #{AYE: "for", NAY: "against"}""#);
    assert!(room.shows("motion/301").unwrap().contains("Votes: 0 AYE, 0 NAY"), "{:?}", room.shows("motion/301"));
    assert_eq!(room.passes(73).last().unwrap(), "Motion 301 (Gift) is now Failed.");
}

#[test]
fn an_end_of_votes_that_came_to_nothing_comes_again_with_another_law() {
    let broken = MOTIONS.replace("all.yes > all.no", "all.yes > number(\"nothing-of-the-sort\")");
    let mut room = Room::with(&[(2, &broken)]);
    moves(&mut room, "ann", "Gift", "=> set points of Bob to 9");
    votes(&mut room, "ann", "301", "FOR");
    let said = room.passes(48);
    assert!(said.iter().any(|line| line.contains("No rule has made anything of that yet.")), "{said:?}");
    room.directives(r#"=> amend rule 2: replace "number("nothing-of-the-sort")" with "all.no""#);
    let said = ["Motion 301 (Gift) is now Adopted: 1 FOR, 0 AGAINST, 0 ABSTAIN.", DONE];
    assert_eq!(room.passes(0), said);
}

#[test]
fn what_is_wrong_with_a_docket_or_a_ballot_is_told_where_it_stands() {
    let wrong = |law: &str| Room::new().law(2, law).join(" ");
    for (law, why) in [
        (r#"docket("two words", #{});"#, "two-words"),
        (r#"docket("call", #{sates: ["Open"]});"#, "there is no option “sates”"),
        (r#"docket("call", #{open: "Opne"});"#, "“Opne” is no state of a call"),
        (r#"docket("call", #{text: "laws"});"#, "a text is “words” or “changes”"),
        (r#"docket("call", #{title: "perhaps"});"#, "a title is"),
        (r#"docket("call", #{}); docket("call", #{});"#, "declared twice"),
        (r#"ballot("call", #{lasts: "soon"});"#, "no length of time"),
        (r#"ballot("call", #{number: [3, 1]});"#, "two whole numbers"),
        (r#"ballot("call", #{words: #{YES: "yes"}});"#, "a word of a vote is"),
        (r#"ballot("call", #{early: "soon"});"#, "“early” is “all” or a function"),
        (r#"docket("call", #{limit: "two"});"#, "a whole number from 0"),
    ] {
        let told = wrong(law);
        assert!(told.contains(why), "{law}: {told}");
    }
}

#[test]
fn what_a_text_would_bring_is_known_before() {
    let law = r#"action("look", ["what: long text"], |a| {
        let seen = foresee(a.what);
        let rules = seen.rules.map(|one| `${one.what} ${one.number}`);
        say(`${seen.directives} ${rules} ${seen.rulebook.len()} ${seen.ways} ${seen.why}`);
    });"#;
    let mut room = Room::with(&[(2, MOTIONS), (3, law)]);
    let mut sees = |text: &str| room.acts("ann", "look", json!({"what": text}))[0].clone();
    let said = sees("=> repeal rule 3\n=> set points of Bob to 9");
    assert!(said.contains(r#"2 ["repealed 3"]"#) && said.contains(r#""vote""#), "{said}");
    assert!(sees("=> repeal rule 2").contains(r#"1 ["repealed 2"]"#));
    assert!(sees("=> repeal rule 9").contains("[]"), "it cannot be done");
}

#[test]
fn what_a_vote_weighs_may_follow_from_the_votes_of_others() {
    let delegated = MOTIONS.replace(
        r#"remind: "12 hours""#,
        r#"weight: |who, m| 1 + players().filter(|one| one.proxy == who && vote_of(m, one) == ()).len()"#,
    );
    let law = format!(
        "define(\"proxy of player: a player\"); action(\"trust\", [\"whom: a player\"], |a| {{ a.by.proxy = a.whom; }});\n{delegated}"
    );
    let mut room = Room::with(&[(2, &law)]);
    room.acts("bob", "trust", json!({"whom": "Ann"}));
    moves(&mut room, "ann", "Gift", "It shall be so.");
    assert_eq!(
        votes(&mut room, "ann", "301", "FOR"),
        ["Ann votes FOR on Motion 301 (Gift): 2 FOR, 0 AGAINST, 0 ABSTAIN."]
    );
    let said = votes(&mut room, "bob", "301", "AGAINST");
    assert_eq!(said, ["Bob votes AGAINST on Motion 301 (Gift): 1 FOR, 1 AGAINST, 0 ABSTAIN."]);
}
