//! Challenges: who meets whom, who drops, by which lengths and figures.

use crate::challenge;
use crate::places;
use std::collections::BTreeSet;

use serde_json::json;

use crate::{
    play::{self, Job},
    programs::Status,
    testkit::{Kit, Mode, at, code},
};
use kernel::{
    deed::{Deed, Moderation},
    rulebook::Live,
    work::Work,
};

fn work(kit: &Kit) -> (Work, Job) {
    let work = kit.engine.view().work().unwrap();
    let job = serde_json::from_value(work.task.clone()).unwrap();
    (work, job)
}

fn lengths(kit: &Kit) -> Vec<usize> {
    kit.state().rows::<challenge::Drawn>().values().next().unwrap().lengths.clone()
}

/// A room in which a challenge by Ann's Alpha waits.
fn held() -> Kit {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.submit("Ann", "Alpha");
    kit
}

/// A room with a Hill that has places to spare, where matches are real.
fn roomy() -> Kit {
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    let id = kit.intend("set", "hill-size", "20");
    kit.to("2026-11-06T09:00");
    kit.carry_out(id).unwrap();
    kit
}

#[test]
fn j21_ten_on_the_hill_make_fifty_five_matches_each_pair_once_and_nobody_alone() {
    let (_, job) = work(&held());
    assert_eq!(job.bouts.len(), 55);
    let pairs: BTreeSet<_> = job
        .bouts
        .iter()
        .map(|bout| BTreeSet::from([bout.left.to_string(), bout.right.to_string()]))
        .inspect(|pair| assert_eq!(pair.len(), 2))
        .collect();
    assert_eq!(pairs.len(), 55);
    let challenger = job.bouts.iter().filter(|bout| *bout.left == *"program/11" || *bout.right == *"program/11");
    assert_eq!(challenger.count(), 10);
}

#[test]
fn j22_all_eleven_are_ranked_together_the_challenger_included() {
    let mut kit = Kit::begun();
    for place in 0..11_usize {
        let name = format!("New{place}");
        kit.strength(&name, 100 - i64::try_from(place).unwrap());
        kit.submit(["Ann", "Bob", "Cyd", "Dee"][place % 4], &name);
        let ranked = &places::last(&kit.state().tables).unwrap().outcome.ranked;
        assert_eq!(ranked.len(), 11);
        assert_eq!(ranked[place.min(10)].program, kit.program(&name).id);
        assert!(ranked.windows(2).all(|pair| pair[0].touches >= pair[1].touches));
    }
}

#[test]
fn j23_the_lowest_leaves_the_challenger_enters_and_all_ranks_are_new() {
    let mut kit = Kit::begun();
    kit.strength("joust9", 20);
    kit.strength("Alpha", 15);
    kit.to("2026-11-02T10:00");
    kit.submit("Ann", "Alpha");
    let ranks = ["joust9", "Alpha", "joust0", "joust1", "joust2", "joust3", "joust4", "joust5", "joust6", "joust7"];
    assert_eq!(kit.hill(), ranks);
    assert_eq!(kit.place("joust9").unwrap().touches, Some(200));
    assert_eq!(kit.program("joust8").status, Status::Dropped { at: at("2026-11-02T10:00") });
    let said = kit.heard();
    assert!(said.contains("Alpha enters the Hill at rank 2. joust8, rank 9 before, drops."), "{said}");
}

#[test]
fn j24_of_equals_who_arrived_later_ranks_lower() {
    let mut kit = Kit::begun();
    for number in 0..10 {
        kit.strength(&format!("joust{number}"), 1);
    }
    kit.strength("Alpha", 1);
    kit.submit("Ann", "Alpha");
    let house: Vec<String> = (0..10).map(|number| format!("joust{number}")).collect();
    assert_eq!(kit.hill(), house);
    // An older arrival keeps its place before a younger one, whatever their ranks were in between.
    kit.strength("Beta", 2);
    kit.submit("Bob", "Beta");
    assert_eq!(kit.hill()[0], "Beta");
    kit.strength("Beta", 1);
    kit.strength("Gamma", 0);
    kit.submit("Cyd", "Gamma");
    assert_eq!(kit.hill(), [&house[..9], &["Beta".to_owned()]].concat());
}

/// joust9 and the challenger win nothing but their own match, of which they win so many charges each.
fn against_the_last(charges: (usize, usize)) -> Kit {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 1);
    kit.score("Alpha", "joust9", charges);
    kit.submit("Ann", "Alpha");
    kit
}

#[test]
fn j25_a_challenger_level_with_the_last_does_not_enter_and_one_touch_more_does() {
    let mut level = against_the_last((6, 6));
    assert!(level.place("Alpha").is_none());
    assert_eq!((level.hill().len(), level.place("joust9").unwrap().touches), (10, Some(6)));
    assert!(level.heard().contains("Alpha comes last of 11 and does not enter the Hill. Nobody drops."));
    let mut above = against_the_last((7, 6));
    assert_eq!((above.place("Alpha").unwrap().touches, above.place("joust9")), (Some(7), None));
    assert!(above.heard().contains("joust9, rank 10 before, drops."));
}

#[test]
fn j26_every_challenge_scores_afresh() {
    let mut kit = Kit::begun();
    kit.strength("Weak", -1);
    kit.submit("Ann", "Weak");
    assert_eq!(kit.place("joust0").unwrap().touches, Some(200));
    kit.submit("Bob", "Weak2");
    assert_eq!(kit.place("joust0").unwrap().touches, Some(200));
    // An old program's rank changes although nothing of it changed.
    kit.score("joust0", "joust1", (0, 20));
    kit.submit("Bob", "Weak3");
    assert_eq!(kit.hill()[..2], ["joust1", "joust0"]);
}

#[test]
fn j27_a_failed_challenge_renews_all_ranks_and_counts_as_outlived_for_all_ten() {
    let mut kit = Kit::begun();
    kit.strength("joust9", 50);
    kit.strength("Weak", -1);
    kit.submit("Ann", "Weak");
    assert_eq!(kit.hill()[0], "joust9");
    assert!(kit.state().rows::<places::Place>().values().all(|place| place.outlived == 1 && place.touches.is_some()));
    assert!(matches!(kit.program("Weak").status, Status::Missed { .. }));
}

#[test]
fn j28_one_challenge_each_in_order_on_the_hill_that_the_last_one_left_and_each_is_announced() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.strength("Alpha", 30);
    kit.strength("Beta", 29);
    kit.submit("Ann", "Alpha");
    kit.submit("Bob", "Beta");
    kit.heard();
    assert!(kit.work());
    let first = kit.heard();
    assert!(first.contains("Challenge 1: Alpha by Ann") && !first.contains("Beta"), "{first}");
    let (_, second) = work(&kit);
    let dropped = format!("program/{}", kit.program("joust9").id);
    assert!(second.bouts.iter().all(|bout| *bout.left != *dropped && *bout.right != *dropped));
    assert!(second.bouts.iter().any(|bout| *bout.left == *"program/11" && *bout.right == *"program/12"));
    assert!(kit.work() && !kit.work());
    let second = kit.heard();
    for words in ["Challenge 2: Beta by Bob", "rank", "before", "touches", "joust8, rank 10 before, drops"] {
        assert!(second.contains(words), "{words}: {second}");
    }
    assert_eq!(kit.hill()[..2], ["Alpha", "Beta"]);
}

#[test]
fn j29_tenure_is_counted_from_the_submission_not_from_the_computing() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.strength("Alpha", 30);
    kit.strength("Beta", 29);
    kit.to("2026-11-03T10:00:00");
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-03T10:00:01");
    kit.submit("Bob", "Beta");
    kit.to("2026-11-03T10:05");
    kit.work();
    kit.to("2026-11-03T10:06");
    kit.work();
    assert_eq!(kit.place("Alpha").unwrap().since, at("2026-11-03T10:00:00"));
    assert_eq!(kit.place("Beta").unwrap().since, at("2026-11-03T10:00:01"));
    assert_eq!(kit.program("joust9").status, Status::Dropped { at: at("2026-11-03T10:00:00") });
    assert!(kit.heard().contains("Deemed to occur at 2026-11-03 10:00:01 UTC"));
}

#[test]
fn j30_a_challenge_is_played_under_the_text_as_it_read_at_its_submission() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    let figures = ["cycle-limit", "flag", "charges", "touches-win", "length"];
    let ids = figures.map(|figure| kit.intend("set", figure, "100"));
    kit.to("2026-11-06T11:59");
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-06T12:00");
    for id in ids {
        kit.carry_out(id).unwrap();
    }
    kit.submit("Bob", "Beta");
    kit.to("2026-11-06T12:10");
    let (_, old) = work(&kit);
    assert_eq!((old.play.cycle_limit, old.play.flag, old.play.win, old.lengths.len()), (384_000, 128, 1, 20));
    assert!(old.lengths.iter().all(|length| (135..=167).contains(length)));
    kit.work();
    let (_, new) = work(&kit);
    assert_eq!((new.play.cycle_limit, new.play.flag, new.play.win, new.lengths.len()), (100, 100, 100, 100));
    assert!(new.lengths.iter().all(|length| (84..=116).contains(length)));
    kit.work();
    assert_eq!(kit.place("joust0").unwrap().touches, Some(100_000));
}

#[test]
fn j49_a_match_is_as_many_charges_as_the_text_says() {
    let kit = held();
    assert_eq!(lengths(&kit).len(), 20);
    let (work, _) = work(&kit);
    let result = kit.play(&work).unwrap();
    let matches = result.pointer("/matches/matches").unwrap().as_array().unwrap();
    assert!(matches.iter().all(|told| told["winners"].as_str().unwrap().len() == 20));
}

#[test]
fn j50_two_programs_with_the_same_code_score_nothing_against_each_other() {
    let mut kit = roomy();
    let rush = format!("{}[-]", ">".repeat(150));
    for (who, name) in [("Ann", "Rush"), ("Bob", "Copy")] {
        kit.act(who, json!({"submit": {"name": name, "code": rush}})).unwrap();
    }
    let outcome = &places::last(&kit.state().tables).unwrap().outcome;
    let (rush, copy) = (kit.program("Rush").id, kit.program("Copy").id);
    assert_eq!((outcome.touches(rush, copy), outcome.touches(copy, rush)), (Some(0), Some(0)));
    assert_eq!((outcome.ranked.len(), outcome.pairs.len()), (12, 66));
    assert!(outcome.ranked.iter().all(|standing| standing.touches <= 20 * 11));
    assert!(outcome.ranked.iter().map(|standing| standing.touches).sum::<i64>() <= 20 * 66);
}

#[test]
fn j51_touches_of_all_matches_are_added_those_against_the_challenger_included() {
    let mut kit = Kit::begun();
    kit.score("joust0", "Alpha", (7, 3));
    kit.score("joust0", "joust1", (11, 9));
    kit.submit("Ann", "Alpha");
    assert_eq!(kit.place("joust0").unwrap().touches, Some(7 + 11 + 8 * 20));
    assert_eq!(kit.place("joust1").unwrap().touches, Some(9 + 20 + 8 * 20));
}

#[test]
fn j52_most_touches_rank_best() {
    let mut kit = Kit::begun();
    kit.strength("joust5", 40);
    kit.submit("Ann", "Alpha");
    let touches: Vec<i64> = places::ranked(&kit.state().tables).into_iter().filter_map(|place| place.touches).collect();
    assert!(touches.windows(2).all(|pair| pair[0] >= pair[1]) && kit.hill()[0] == "joust5");
}

#[test]
fn j53_a_program_can_neither_read_nor_change_code_for_it_is_not_on_the_tape() {
    // Two programs that write all over the tape end as if each were alone with it. Codes of any length are no part of
    // it. The tape has exactly as many cells as the charge's length.
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    let walker = format!("{}+", ">+".repeat(120));
    kit.act("Ann", json!({"submit": {"name": "Walker", "code": walker}})).unwrap();
    let rules = bfjoust::Rules::agora();
    let program = bfjoust::Program::parse(&walker).unwrap();
    let padded = bfjoust::Program::parse(&format!("{walker}{}", ".".repeat(10_000))).unwrap();
    let short = bfjoust::Machine::new(&program, &program, 135, &rules);
    let long = bfjoust::Machine::new(&padded, &padded, 135, &rules);
    assert_eq!(short.cells(), long.cells());
    assert_eq!(short.cells().len(), 135);
}

#[test]
fn j55_each_length_is_drawn_from_thirty_three_values_each_as_likely() {
    let mut kit = held();
    let entry = kit.last_entry();
    assert_eq!(entry.draws.len(), 20);
    assert!(entry.draws.iter().all(|draw| draw.label == "length" && draw.bound == 33));
    let drawn: Vec<usize> = entry.draws.iter().map(|draw| 135 + usize::try_from(draw.got).unwrap()).collect();
    assert_eq!(lengths(&kit), drawn);
    kit.fixed = [0, 32, 16].map(|number| ("length".to_owned(), number)).into();
    kit.work();
    kit.submit("Bob", "Beta");
    assert_eq!(lengths(&kit)[..3], [135, 167, 151]);
}

#[test]
fn j56_the_draw_comes_with_the_submission_and_is_published_with_the_result_only() {
    let mut kit = held();
    let drawn = lengths(&kit).iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let before = [kit.heard(), kit.show("queue").unwrap(), kit.show("program/Alpha").unwrap()].concat();
    assert!(!before.contains(&drawn));
    kit.work();
    let said = kit.heard();
    assert!(said.contains(&format!("Lengths: {drawn}")), "{said}");
}

#[test]
fn j57_one_sequence_for_all_matches_of_a_challenge_and_a_new_one_for_the_next() {
    let mut kit = held();
    kit.submit("Bob", "Beta");
    let sequences: Vec<Vec<usize>> =
        kit.state().rows::<challenge::Drawn>().values().map(|drawn| drawn.lengths.clone()).collect();
    assert_ne!(sequences[0], sequences[1]);
    // The job has one sequence for all its matches: there is no place for another.
    assert_eq!(work(&kit).1.lengths, sequences[0]);
    kit.work();
    assert_eq!(work(&kit).1.lengths, sequences[1]);
}

#[test]
fn j57_matches_between_programs_of_the_hill_are_read_anew_for_new_lengths() {
    let mut kit = roomy();
    // A program that wins at length 135 alone, against one that stays on its flag.
    let sniper = format!("{}[-]", ">".repeat(134));
    for (name, code) in [("Sniper", sniper.as_str()), ("Idle", ".")] {
        kit.act("Ann", json!({"submit": {"name": name, "code": code}})).unwrap();
    }
    let touches = |kit: &Kit| {
        let outcome = &places::last(&kit.state().tables).unwrap().outcome;
        outcome.touches(kit.program("Sniper").id, kit.program("Idle").id)
    };
    kit.fixed = vec![("length".to_owned(), 0); 20].into();
    kit.act("Bob", json!({"submit": {"name": "Third", "code": "."}})).unwrap();
    assert_eq!(touches(&kit), Some(20));
    kit.fixed = vec![("length".to_owned(), 1); 20].into();
    kit.act("Bob", json!({"submit": {"name": "Fourth", "code": "."}})).unwrap();
    assert_eq!(touches(&kit), Some(0));
}

#[test]
fn j58_what_was_played_is_kept_and_a_newcomer_costs_ten_pairs() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    let fixed = || vec![("length".to_owned(), 3); 20].into();
    kit.fixed = fixed();
    kit.submit("Ann", "Alpha");
    assert_eq!(*kit.cache.puts.lock().unwrap(), 55);
    kit.fixed = fixed();
    kit.act("Bob", json!({"submit": {"name": "Beta", "code": ">>>"}})).unwrap();
    assert_eq!(*kit.cache.puts.lock().unwrap(), 65);
    // The same code under another name, with other comments, plays alike.
    kit.fixed = fixed();
    kit.act("Cyd", json!({"submit": {"name": "Gamma", "code": "> again > and >"}})).unwrap();
    assert!(*kit.cache.puts.lock().unwrap() <= 66);
}

#[test]
fn j58_other_figures_reuse_nothing_and_other_lengths_are_played_as_well() {
    for (figure, value) in [("flag", "127"), ("cycle-limit", "5000"), ("cell-start", "1")] {
        let mut kit = Kit::begun();
        kit.mode = Mode::Real;
        kit.fixed = vec![("length".to_owned(), 3); 20].into();
        kit.submit("Ann", "Alpha");
        let id = kit.intend("set", figure, value);
        kit.to("2026-11-06T12:00");
        kit.carry_out(id).unwrap();
        let hill = kit.hill();
        kit.fixed = vec![("length".to_owned(), 3); 20].into();
        kit.act("Bob", json!({"submit": {"name": "Beta", "code": ">>>"}})).unwrap();
        assert_eq!(*kit.cache.puts.lock().unwrap(), 110, "{figure} {hill:?}");
    }
    let mut kit = Kit::begun();
    kit.mode = Mode::Real;
    kit.fixed = vec![("length".to_owned(), 3); 20].into();
    kit.submit("Ann", "Alpha");
    let id = kit.intend("set", "length-spread", "20");
    kit.to("2026-11-06T12:00");
    kit.carry_out(id).unwrap();
    kit.fixed = [0, 40].map(|number| ("length".to_owned(), number)).into();
    kit.submit("Bob", "Beta");
    assert_eq!(lengths_of_last(&kit)[..2], [131, 171]);
    assert_eq!(*kit.cache.puts.lock().unwrap(), 110);
}

fn lengths_of_last(kit: &Kit) -> Vec<usize> {
    places::last(&kit.state().tables).unwrap().outcome.lengths.clone()
}

#[test]
fn j66_what_is_kept_of_a_pair_serves_both_sides() {
    let kit = held();
    let (work, mut job) = work(&kit);
    let first = kit.play(&work).unwrap();
    for bout in &mut job.bouts {
        std::mem::swap(&mut bout.left, &mut bout.right);
    }
    let puts = *kit.cache.puts.lock().unwrap();
    let turned = kit.play(&Work { task: serde_json::to_value(job).unwrap(), ..work }).unwrap();
    assert_eq!(*kit.cache.puts.lock().unwrap(), puts);
    let winners = |result: &serde_json::Value| -> Vec<String> {
        let matches = result.pointer("/matches/matches").unwrap().as_array().unwrap();
        matches.iter().map(|told| told["winners"].as_str().unwrap().to_owned()).collect()
    };
    let mirror = |text: &String| {
        let mirrored = text.chars().map(|winner| match winner {
            play::LEFT => play::RIGHT,
            play::RIGHT => play::LEFT,
            other => other,
        });
        mirrored.collect::<String>()
    };
    assert_eq!(winners(&turned), winners(&first).iter().map(mirror).collect::<Vec<_>>());
}

#[test]
fn j73_a_charge_that_both_lost_gives_nobody_a_touch() {
    let mut kit = Kit::begun();
    kit.score("joust0", "joust1", (12, 5));
    kit.submit("Ann", "Alpha");
    let outcome = &places::last(&kit.state().tables).unwrap().outcome;
    let (zero, one) = (kit.program("joust0").id, kit.program("joust1").id);
    assert_eq!((outcome.touches(zero, one), outcome.touches(one, zero)), (Some(12), Some(5)));
    assert!(kit.show("match/joust0/joust1").unwrap().contains("Touches: 12 to 5"));
    assert!(kit.show("match/joust1/joust0").unwrap().contains("Touches: 5 to 12"));
}

#[test]
fn j73_touches_for_wins_ties_and_losses_are_those_of_the_text() {
    let mut kit = Kit::begun();
    let ids = [("touches-win", "3"), ("touches-tie", "1"), ("touches-loss", "-1")]
        .map(|(figure, value)| kit.intend("set", figure, value));
    kit.to("2026-11-06T12:00");
    for id in ids {
        kit.carry_out(id).unwrap();
    }
    kit.score("joust0", "joust1", (12, 5));
    kit.submit("Ann", "Alpha");
    let outcome = &places::last(&kit.state().tables).unwrap().outcome;
    let (zero, one) = (kit.program("joust0").id, kit.program("joust1").id);
    assert_eq!(outcome.touches(zero, one), Some(3 * 12 + 3 - 5));
    assert_eq!(outcome.touches(one, zero), Some(3 * 5 + 3 - 12));
}

#[test]
fn a_result_that_does_not_fit_changes_nothing() {
    let mut kit = held();
    let (good, _) = work(&kit);
    let before = kit.state().clone();
    for result in [
        json!(null),
        json!({"matches": {"matches": [], "won": 0}}),
        json!({"matches": {"matches": vec![json!({"winners": "<"}); 55], "won": 0}}),
    ] {
        kit.deed(Deed::Work { id: good.id.clone(), result }).unwrap();
        assert_eq!(kit.state(), &before);
    }
    kit.deed(Deed::Work { id: "challenge/9".into(), result: kit.fake(&good) }).unwrap();
    assert_eq!(kit.state(), &before);
}

#[test]
fn j85_the_lengths_are_the_same_after_a_restart_and_a_second_result_is_not_taken() {
    let mut kit = held();
    let (before, _) = work(&kit);
    let snapshot = kit.engine.snapshot();
    kit.engine = kit.engine.fresh();
    assert!(kit.engine.restore(&snapshot));
    let (after, _) = work(&kit);
    assert_eq!(before, after);
    let result = kit.fake(&after);
    kit.deed(Deed::Work { id: after.id.clone(), result: result.clone() }).unwrap();
    assert_eq!(kit.heard().matches("Challenge 1:").count(), 1);
    let (state, entries) = (kit.state().clone(), kit.journal.len());
    kit.deed(Deed::Work { id: after.id, result }).unwrap();
    assert_eq!((kit.state(), kit.journal.len()), (&state, entries));
    assert_eq!(kit.heard(), "");
}

#[test]
fn a_closed_room_asks_for_no_work() {
    let mut kit = held();
    kit.act("Ann", json!({"test": {"code": "+"}})).unwrap();
    assert!(kit.engine.view().work().is_some());
    kit.moderate("op", Moderation::Close { reason: None }).unwrap();
    assert!(kit.engine.view().work().is_none());
    kit.moderate("op", Moderation::Reopen).unwrap();
    assert!(kit.engine.view().work().is_some());
}

#[test]
fn work_that_is_told_to_stop_gives_nothing() {
    let kit = held();
    let (work, _) = work(&kit);
    let open = |id: &str| kit.secrets.get(id).map(|bytes| std::sync::Arc::from(bytes.as_slice()));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let bench = kernel::work::Bench { open: &open, cache: &kit.cache, stop: &stop, progress: &|_, _| {} };
    assert_eq!(kernel::engine::View::play(kit.state(), &work, &bench), None);
}

#[test]
fn a_challenge_whose_text_is_gone_waits_for_a_moderator() {
    for word in ["retry", "void"] {
        let mut kit = held();
        kit.submit("Bob", "Beta");
        let text = kit.secrets.remove("program/11").unwrap();
        let (first, _) = work(&kit);
        let result = kit.play(&first).unwrap();
        kit.deed(Deed::Work { id: first.id, result }).unwrap();
        assert!(kit.whispered("").contains("program/11"));
        assert!(kit.engine.view().work().is_none() && kit.show("queue").unwrap().contains("stands still"));
        assert!(kit.correct("challenge/2", word).is_err() && kit.correct("challenge/1", "again").is_err());
        kit.secrets.insert("program/11".into(), text);
        kit.correct("challenge/1", word).unwrap();
        assert_eq!(&*work(&kit).0.id, if word == "retry" { "challenge/1" } else { "challenge/2" });
    }
}

#[test]
fn challenges_rest_while_the_text_gives_no_figures_to_play_by() {
    let mut kit = Kit::begun();
    let id = kit.intend("amend", "tournament", "replace “After 384000 cycles” by “After a while”");
    kit.to("2026-11-06T12:00");
    kit.carry_out(id).unwrap();
    assert!(kit.heard().contains("so nobody can challenge the Hill"));
    let refusal = kit.act("Ann", json!({"submit": {"name": "Alpha", "code": code("Alpha")}})).unwrap_err();
    assert!(refusal.say.contains("nobody can challenge the Hill"), "{}", refusal.say);
    assert!(matches!(kit.state().rules.live(&super::super::figures::CYCLE_LIMIT), Live::Absent));
    let spread = kit.intend("set", "length-spread", "150");
    let back = kit.intend("amend", "tournament", "replace “After a while” by “After [384000](#cycle-limit) cycles”");
    kit.to("2026-11-11T12:00");
    kit.carry_out(back).unwrap();
    kit.submit("Ann", "Alpha");
    kit.carry_out(spread).unwrap();
    let refusal = kit.act("Ann", json!({"submit": {"name": "Beta", "code": code("Beta")}})).unwrap_err();
    assert!(refusal.say.contains("shortest tape"), "{}", refusal.say);
}

/// A contest of five with these charges of 20 won, row against column, ranked by a scoring from the first challenge on.
/// Gives the order on the Hill, with what is shown of each.
fn ranked_by(scoring: &str) -> (Kit, Vec<String>) {
    let mut kit = Kit::waiting();
    for number in 0..10 {
        kit.strength(&format!("joust{number}"), -10);
    }
    let set = |kit: &mut Kit, figure: &str, to: &str| {
        let notice = kit.intend("set", figure, to);
        kit.to(&format!("2026-11-{:02}T08:00", 6 + 4 * notice));
        kit.carry_out(notice).unwrap();
    };
    set(&mut kit, "starting-programs", "0");
    if scoring != "touches" {
        set(&mut kit, "scoring", scoring);
    }
    kit.act("Goethe", json!({"start": {}})).unwrap();
    // Sweep beats the two weak ones; Duel barely beats Sweep and loses to a weak one; the weak share the rest.
    kit.score("Sweep", "Weak", (20, 0));
    kit.score("Sweep", "Faint", (20, 0));
    kit.score("Duel", "Sweep", (11, 9));
    kit.score("Duel", "Weak", (10, 10));
    kit.score("Duel", "Faint", (20, 0));
    kit.score("Faint", "Weak", (12, 8));
    for (who, name) in [("Ann", "Weak"), ("Bob", "Faint"), ("Cyd", "Sweep"), ("Dan", "Duel")] {
        kit.submit(who, name);
    }
    let hill = kit.hill();
    (kit, hill)
}

#[test]
fn j52_a_tournament_ranks_by_the_scoring_that_it_names() {
    let (kit, hill) = ranked_by("touches");
    assert_eq!(hill, ["Sweep", "Duel", "Weak", "Faint"]);
    assert!(kit.place("Duel").unwrap().score.is_none());
    for (scoring, order, first) in [
        ("points", ["Sweep", "Duel", "Weak", "Faint"], "1.900"),
        ("trad", ["Sweep", "Duel", "Faint", "Weak"], "55.556"),
        ("markov", ["Sweep", "Duel", "Weak", "Faint"], "513.684"),
    ] {
        let (mut kit, hill) = ranked_by(scoring);
        assert_eq!(hill, order, "{scoring}");
        let score = kit.place(order[0]).unwrap().score.clone().unwrap();
        assert_eq!(crate::scoring::shown(&score), first, "{scoring}");
        for shown in [kit.heard(), kit.show("hill").unwrap()] {
            assert!(shown.contains(scoring) && shown.contains(first), "{shown}");
        }
        // Touches are told beside it, and their table too.
        assert_eq!(kit.place("Sweep").unwrap().touches, Some(49));
        assert!(kit.show(&format!("program/{}", order[0])).unwrap().contains(&format!("{first} {scoring}")));
    }
}

#[test]
fn a_challenge_waits_for_another_start_where_the_start_is_taken_back_and_its_text_is_not_known() {
    let mut kit = Kit::waiting();
    kit.act("Goethe", json!({"start": {}})).unwrap();
    let start = kit.last_entry().seq;
    kit.submit("Ann", "Alpha");
    kit.undo(start).unwrap();
    assert_eq!(kit.program("Alpha").status, Status::Waiting);
    assert!(kit.engine.view().work().is_none());
    kit.act("Goethe", json!({"start": {}})).unwrap();
    assert!(matches!(kit.program("Alpha").status, Status::Queued { .. } | Status::Hill | Status::Missed { .. }));
}

#[test]
fn j28_a_challenge_whose_program_is_not_there_is_struck_and_nothing_waits_for_it() {
    let mut kit = Kit::waiting();
    kit.mode = Mode::Held;
    kit.submit("Ann", "Alpha");
    kit.submit("Bob", "Beta");
    let beta = kit.engine.view().seq();
    kit.act("Goethe", json!({"start": {}})).unwrap();
    kit.heard();
    // The start is taken as it is recorded, with a challenge by Beta.
    kit.forget(kit.last_entry().seq);
    kit.undo(beta).unwrap();
    assert!(kit.work());
    let heard = kit.heard();
    assert!(heard.contains("Challenge 1: Alpha") && heard.contains("Challenge 2 is not played"), "{heard}");
    assert!(!kit.work());
}

/// The program plays every preset, so nobody is asked whether it does.
#[test]
fn a_preset_is_played_as_it_reads() {
    let mut kit = Kit::begun();
    let id = kit.intend("tournament", "preset", "egojoust");
    let announced = kit.heard();
    assert!(announced.contains("touches becomes trad") && !announced.contains("as of revision"), "{announced}");
    kit.to("2026-11-10T12:00");
    kit.carry_out(id).unwrap();
    let done = kit.heard();
    assert!(done.contains("is done") && !done.contains("these words changed"), "{done}");
}
