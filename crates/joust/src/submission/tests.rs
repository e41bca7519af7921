//! Submitting: what is taken, what is refused, how often, under which name.

use crate::programs;
use crate::tasks;
use serde_json::json;

use crate::{
    programs::Status,
    testkit::{Kit, Mode, SECRET, at, code},
};

#[test]
fn j11_unbalanced_brackets_are_refused_with_line_and_column_and_cost_nothing() {
    let mut kit = Kit::begun();
    for (text, words) in [
        ("+[\n->]]", "The ] at line 2, column 4 has no [ before it."),
        ("sekret\n [+", "The [ at line 2, column 2 is never closed by a ]."),
    ] {
        let refusal = kit.act("Ann", json!({"submit": {"name": "Alpha", "code": text}})).unwrap_err();
        assert_eq!((refusal.say.as_str(), refusal.rule.as_deref()), (words, Some("Programs, J11")));
        assert!(!refusal.say.contains(SECRET));
    }
    for name in ["One", "Two", "Three"] {
        kit.submit("Ann", name);
    }
}

#[test]
fn j11_run_lengths_and_stray_points_are_taken_and_the_submitter_alone_is_warned() {
    let mut kit = Kit::begun();
    let reply = kit.act("Ann", json!({"submit": {"name": "Alpha", "code": "(+)*5"}})).unwrap();
    assert!(reply.contains("(+)*5 is one +"), "{reply}");
    let reply = kit.act("Ann", json!({"submit": {"name": "Beta", "code": "rush. +"}})).unwrap();
    assert!(reply.contains("idles for one cycle"), "{reply}");
    assert!(!kit.heard().contains("idles for one"));
    let reply = kit.act("Ann", json!({"submit": {"name": "Gamma", "code": "+[-]"}})).unwrap();
    assert!(!reply.contains("but:"), "{reply}");
}

#[test]
fn j11_a_program_without_a_command_is_legal_and_one_without_text_is_missing() {
    let mut kit = Kit::begun();
    let reply = kit.act("Ann", json!({"submit": {"name": "Idle", "code": "words only"}})).unwrap();
    assert!(reply.contains("no command"), "{reply}");
    for nothing in ["", "  \n "] {
        let refusal = kit.act("Ann", json!({"submit": {"name": "None", "code": nothing}})).unwrap_err();
        assert!(refusal.say.contains("text is missing"));
    }
}

#[test]
fn j13_submitting_neither_needs_nor_makes_a_member() {
    let mut kit = Kit::begun();
    kit.submit("Ann", "Alpha");
    let state = kit.state();
    let seat = state.frame.seats.get(&programs::find(&state.tables, "Alpha").unwrap().owner).unwrap();
    assert_eq!((seat.name.as_str(), seat.standing), ("Ann", kernel::frame::Standing::Outsider));
    assert!(!kit.show("members").unwrap().contains("Ann"));
    kit.join("Bob");
    kit.submit("Bob", "Beta");
}

#[test]
fn j14_three_a_calendar_week_and_the_refusal_says_when_the_next_begins() {
    let mut kit = Kit::begun();
    kit.to("2026-11-08T23:00");
    for name in ["One", "Two", "Three"] {
        kit.submit("Ann", name);
    }
    let refusal = kit.act("Ann", json!({"submit": {"name": "Four", "code": code("Four")}})).unwrap_err();
    assert!(refusal.say.contains("you sent 3 of 3 programs this week"), "{}", refusal.say);
    assert!(refusal.say.contains("2026-11-09 00:00 UTC"));
    kit.submit("Bob", "Other");
    kit.to("2026-11-09T00:00");
    for name in ["Four", "Five", "Six"] {
        kit.submit("Ann", name);
    }
    assert!(kit.act("Ann", json!({"submit": {"name": "Seven", "code": "+"}})).is_err());
}

#[test]
fn j14_refused_submissions_do_not_count() {
    let mut kit = Kit::begun();
    for _ in 0..5 {
        assert!(kit.act("Ann", json!({"submit": {"name": "Bad", "code": "["}})).is_err());
        assert!(kit.act("Ann", json!({"submit": {"name": "joust0", "code": "+"}})).is_err());
        assert!(kit.act_in(true, "Ann", json!({"submit": {"name": "Loud", "code": "+"}})).is_err());
    }
    for name in ["One", "Two", "Three"] {
        kit.submit("Ann", name);
    }
}

#[test]
fn j15_text_in_public_is_no_submission_and_is_not_repeated() {
    let mut kit = Kit::begun();
    let refusal = kit.act_in(true, "Ann", json!({"submit": {"name": "Alpha", "code": code("Alpha")}})).unwrap_err();
    let told = serde_json::to_string(&refusal).unwrap();
    assert!(told.contains("is no submission") && !told.contains(SECRET));
    assert!(programs::find(&kit.state().tables, "Alpha").is_none());
    let refusal = kit.act_in(true, "Goethe", json!({"add": {"name": "Alpha", "code": code("Alpha")}})).unwrap_err();
    assert!(refusal.say.contains("is no submission"));
}

#[test]
fn j15_nobody_but_the_submitter_reads_the_code_not_even_the_contestmaster() {
    let mut kit = Kit::begun();
    kit.submit("Ann", "Alpha");
    assert!(kit.show_own("program/Alpha", "Ann").unwrap().contains("(sealed)"));
    for who in ["Goethe", "Bob"] {
        assert!(!kit.show_own("program/Alpha", who).unwrap().contains("(sealed)"), "{who}");
    }
    assert!(!kit.show("program/Alpha").unwrap().contains("(sealed)"));
    // Not even the submitter's own, where others would see it.
    assert!(!kit.show_in_public("program/Alpha", "Ann").unwrap().contains("(sealed)"));
    assert_eq!(kit.secrets["program/11"], code("Alpha").into_bytes());
}

#[test]
fn j16_the_order_of_the_queue_is_that_in_which_the_room_had_the_whole_texts() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.to("2026-11-03T10:00:00");
    kit.submit("Bob", "Beta");
    kit.to("2026-11-03T10:00:01");
    kit.submit("Ann", "Alpha");
    kit.submit("Cyd", "Gamma");
    let queue: Vec<(String, _)> = tasks::challenges(&kit.state().tables)
        .map(|(item, challenge)| (programs::name_of(&kit.state().tables, challenge.program), item.at))
        .collect();
    let wanted = [("Beta", "2026-11-03T10:00:00"), ("Alpha", "2026-11-03T10:00:01"), ("Gamma", "2026-11-03T10:00:01")];
    assert_eq!(queue, wanted.map(|(name, when)| (name.to_owned(), at(when))));
    let reply = kit.submit("Dee", "Delta");
    assert!(reply.contains("challenge 4; 3 come before it"), "{reply}");
}

#[test]
fn j17_the_same_code_twice_is_two_entries_and_the_same_name_twice_is_refused() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.act("Ann", json!({"submit": {"name": "Alpha", "code": "+"}})).unwrap();
    kit.act("Bob", json!({"submit": {"name": "Beta", "code": "+"}})).unwrap();
    assert_eq!(tasks::challenges(&kit.state().tables).count(), 2);
    for taken in ["Alpha", "ALPHA", "joust3", "Joust3", "joustO"] {
        let refusal = kit.act("Ann", json!({"submit": {"name": taken, "code": "-"}})).unwrap_err();
        assert!(refusal.say.contains("is taken"), "{taken}");
    }
    kit.strength("Alpha", -1);
    kit.work();
    assert!(matches!(kit.program("Alpha").status, Status::Missed { .. }));
    // Once it is neither on the Hill nor in the queue, the name is free, and stands for the newer program.
    kit.submit("Cyd", "Alpha");
    assert_eq!(kit.program("Alpha").id, 13);
    assert_eq!(kit.program("#11").name, "Alpha");
}

#[test]
fn a_name_is_found_for_a_program_without_one_and_code_in_its_place_is_code() {
    let mut kit = Kit::begun();
    kit.act("Ann", json!({"submit": {"code": ">+"}})).unwrap();
    kit.act("Ann", json!({"submit": {"name": ">>+[", "code": "-]"}})).unwrap();
    assert_eq!((kit.program("Ann-1").id, kit.program("Ann-2").id), (11, 12));
    assert_eq!(kit.secrets["program/12"], b">>+[ -]");
    let refusal = kit.act("Ann", json!({"submit": {"name": "Über", "code": "+"}})).unwrap_err();
    assert!(refusal.say.contains("begins with a letter"));
    let refusal = kit.act("Ann", json!({"submit": {"name": "a+", "code": "["}})).unwrap_err();
    assert!(!refusal.say.contains("a+"));
}

#[test]
fn j18_a_submitted_program_cannot_be_withdrawn_not_even_by_leaving() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.join("Ann");
    kit.strength("Alpha", 30);
    kit.submit("Ann", "Alpha");
    assert!(kit.act("Ann", json!({"retract": {"name": "Alpha"}})).unwrap_err().say.contains("cannot be withdrawn"));
    kit.act("Ann", json!("leave")).unwrap();
    kit.work();
    assert_eq!(kit.hill()[0], "Alpha");
    assert!(kit.act("Ann", json!({"retract": {"name": "Alpha"}})).is_err());
}

#[test]
fn j19_the_contestmaster_has_an_allowance_of_eirs_and_the_house_does_not_count() {
    let mut kit = Kit::begun();
    for name in ["One", "Two", "Three"] {
        kit.submit("Goethe", name);
    }
    assert!(kit.act("Goethe", json!({"submit": {"name": "Four", "code": "+"}})).is_err());
    assert!(kit.program("One").by_master);
    let id = kit.intend("set", "contestmaster-weekly-programs", "4");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    kit.submit("Goethe", "Four");
    for name in ["Uno", "Due", "Tre"] {
        kit.submit("Ann", name);
    }
    assert!(kit.act("Ann", json!({"submit": {"name": "Quattro", "code": "+"}})).is_err());
}

#[test]
fn j47_before_the_start_a_submitter_may_retract_and_the_others_keep_their_order() {
    let mut kit = Kit::waiting();
    for (who, name) in [("Ann", "Alpha"), ("Bob", "Beta"), ("Ann", "Gamma")] {
        kit.submit(who, name);
    }
    assert!(kit.act("Bob", json!({"retract": {"name": "Alpha"}})).unwrap_err().say.contains("not yours"));
    kit.act("Bob", json!({"retract": {"name": "Beta"}})).unwrap();
    assert!(!programs::sealed(&kit.state().tables).iter().any(|(id, _)| **id == *"program/2"));
    assert!(kit.act("Bob", json!({"reveal": {"name": "Beta"}})).is_err());
    kit.mode = Mode::Held;
    kit.act("Goethe", json!({"start": {}})).unwrap();
    let order: Vec<u64> = tasks::challenges(&kit.state().tables).map(|(_, challenge)| challenge.program).collect();
    assert_eq!(order, [kit.program("Alpha").id, kit.program("Gamma").id]);
    assert!(kit.act("Ann", json!({"retract": {"name": "Gamma"}})).is_err());
}

/// Taking a program back says nothing of code that everybody may read already.
#[test]
fn j34_code_that_was_published_stays_so_when_its_program_is_taken_back() {
    let mut kit = Kit::waiting();
    kit.submit("Ann", "Alpha");
    kit.submit("Ann", "Beta");
    kit.act("Ann", json!({"reveal": {"name": "Alpha"}})).unwrap();
    let reply = kit.act("Ann", json!({"retract": {"name": "Alpha"}})).unwrap();
    assert!(reply.contains("stays so"), "{reply}");
    assert!(kit.secrets.contains_key("program/1"));
    let ids: Vec<String> = programs::sealed(&kit.state().tables).iter().map(|(id, _)| id.to_string()).collect();
    assert_eq!(ids, ["program/1", "program/2"]);
    let viewer = kernel::viewer::Viewer::default();
    assert!(crate::programs::may_read(kit.program("Alpha"), &viewer));
    kit.act("Ann", json!({"retract": {"name": "Beta"}})).unwrap();
    assert!(!crate::programs::may_read(kit.program("Beta"), &viewer));
    let again = kit.act("Ann", json!({"retract": {"name": "Beta"}})).unwrap_err();
    assert!(again.say.contains("taken back already"), "{}", again.say);
}

#[test]
fn j47_the_weekly_limit_holds_while_waiting_and_a_retraction_returns_the_place() {
    let mut kit = Kit::waiting();
    for name in ["One", "Two", "Three"] {
        kit.submit("Ann", name);
    }
    assert!(kit.act("Ann", json!({"submit": {"name": "Four", "code": "+"}})).is_err());
    kit.act("Ann", json!({"retract": {"name": "Two"}})).unwrap();
    kit.submit("Ann", "Four");
    assert!(kit.act("Ann", json!({"submit": {"name": "Five", "code": "+"}})).is_err());
    // What was sent in several weeks all enters; a place of last week is not returned to this one.
    kit.to("2026-11-10T10:00");
    kit.submit("Ann", "Five");
    kit.act("Ann", json!({"retract": {"name": "One"}})).unwrap();
    for name in ["Six", "Seven"] {
        kit.submit("Ann", name);
    }
    assert!(kit.act("Ann", json!({"submit": {"name": "Eight", "code": "+"}})).is_err());
    kit.mode = Mode::Held;
    kit.act("Goethe", json!({"start": {}})).unwrap();
    assert_eq!(tasks::challenges(&kit.state().tables).count(), 5);
}

#[test]
fn j54_code_has_no_limit_but_the_products_megabyte_and_comments_are_no_offence() {
    let mut kit = Kit::begun();
    let long = format!("{}+", "w ".repeat(512 * 1024 - 1));
    kit.act("Ann", json!({"submit": {"name": "Alpha", "code": long}})).unwrap();
    let refusal = kit.act("Ann", json!({"submit": {"name": "Beta", "code": "w".repeat(1024 * 1024 + 1)}})).unwrap_err();
    assert!(refusal.say.contains("1048576 bytes"), "{}", refusal.say);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    kit.act("Ann", json!({"submit": {"name": "Deep", "code": deep}})).unwrap();
    assert!(kit.act("Ann", json!({"submit": {"name": "Open", "code": "[".repeat(1024 * 1024)}})).is_err());
}

#[test]
fn j83_lowering_the_allowance_takes_nothing_back_and_refuses_the_next() {
    let mut kit = Kit::begun();
    let id = kit.intend("set", "weekly-programs", "2");
    kit.to("2026-11-06T09:00");
    for name in ["One", "Two", "Three"] {
        kit.submit("Ann", name);
    }
    kit.carry_out(id).unwrap();
    assert!(programs::find(&kit.state().tables, "Three").is_some());
    kit.submit("Bob", "Uno");
    kit.submit("Bob", "Due");
    for who in ["Ann", "Bob"] {
        let refusal = kit.act(who, json!({"submit": {"name": "More", "code": "+"}})).unwrap_err();
        assert!(refusal.say.contains("of 2 programs this week"), "{}", refusal.say);
    }
}

#[test]
fn names_of_the_house_are_kept_for_it_before_the_start() {
    let mut kit = Kit::waiting();
    assert!(kit.act("Ann", json!({"submit": {"name": "joust3", "code": "+"}})).unwrap_err().say.contains("is taken"));
}

#[test]
fn the_contestmaster_may_start_with_programs_of_eir_own() {
    let mut kit = Kit::waiting();
    for number in 0..10 {
        let name = format!("joust{number}");
        kit.act("Goethe", json!({"add": {"name": name, "code": code(&name)}})).unwrap();
    }
    assert!(kit.act("Ann", json!({"add": {"name": "Alpha", "code": "+"}})).is_err());
    let names: Vec<String> = (0..10).rev().map(|number| format!("joust{number}")).collect();
    assert!(kit.act("Goethe", json!({"start": {"programs": &names[..9]}})).unwrap_err().say.contains("10 programs"));
    assert!(kit.act("Goethe", json!({"start": {}})).unwrap_err().say.contains("name of one of the bot's programs"));
    let twice: Vec<&String> = names.iter().take(9).chain(names.first()).collect();
    assert!(kit.act("Goethe", json!({"start": {"programs": twice}})).unwrap_err().say.contains("named twice"));
    kit.act("Goethe", json!({"start": {"programs": names}})).unwrap();
    assert_eq!(kit.hill(), names);
    assert!(!kit.program("joust0").house);
    assert_eq!(kit.secrets["program/1"], code("joust0").into_bytes());
}

#[test]
fn what_to_type_instead_is_the_command_that_was_typed() {
    let mut kit = Kit::begun();
    let said = |kit: &mut Kit, command: &str, name: &str, code: &str| {
        let refusal = kit.act("Goethe", json!({command: {"name": name, "code": code}})).unwrap_err();
        refusal.instead.unwrap_or_default()
    };
    for (name, code, submit, add) in [
        ("joust3", "+", "joust submit OTHER-NAME CODE", "joust add OTHER-NAME CODE"),
        ("Joustl", "+", "joust submit OTHER-NAME CODE", "joust add OTHER-NAME CODE"),
        ("0x", "+", "joust submit OTHER-NAME CODE", "joust add OTHER-NAME CODE"),
        ("Alpha", " ", "joust submit NAME CODE", "joust add NAME CODE"),
    ] {
        assert_eq!(said(&mut kit, "submit", name, code), submit, "{name}");
        assert_eq!(said(&mut kit, "add", name, code), add, "{name}");
    }
}

/// A sentence begins with a capital, and a name keeps its own.
#[test]
fn no_refusal_begins_with_the_name_of_a_program() {
    let mut kit = Kit::begun();
    kit.submit("Ann", "lower");
    kit.act("Goethe", json!({"add": {"name": "gone", "code": "+"}})).unwrap();
    kit.act("Goethe", json!({"retract": {"name": "gone"}})).unwrap();
    for (who, act) in [
        ("Bob", json!({"test": {"code": "lower"}})),
        ("Goethe", json!({"test": {"code": "gone"}})),
        ("Goethe", json!({"test": {"code": "+", "against": "gone"}})),
        ("Goethe", json!({"reveal": {"name": "gone"}})),
        ("Goethe", json!({"retract": {"name": "gone"}})),
    ] {
        let refusal = kit.act(who, act.clone()).unwrap_err();
        assert!(refusal.say.starts_with("the program "), "{act}: {refusal:?}");
    }
    let refusal = kit.show("match/gone/joust3").unwrap_err();
    assert!(refusal.say.starts_with("the programs gone and joust3"), "{refusal:?}");
}
