//! Points and knights: who becomes one and when, what a standing rank brings, and to whom.

use serde_json::json;

use crate::testkit::{Kit, Mode, at};

/// Submits programs, the last first, that take the first places in this order. So the first has outlived nobody.
fn on_top(kit: &mut Kit, programs: &[(&str, &str)]) {
    for (index, (_, name)) in programs.iter().enumerate() {
        kit.strength(name, 100 - i64::try_from(index).unwrap());
    }
    for (who, name) in programs.iter().rev() {
        kit.submit(who, name);
    }
}

#[test]
fn j36_a_week_on_the_hill_to_the_second_makes_a_knight() {
    let mut kit = Kit::begun();
    kit.to("2026-11-03T10:00");
    on_top(&mut kit, &[("Ann", "Alpha")]);
    assert!(!kit.is_knight("Alpha", "2026-11-10T09:59:59"));
    assert!(kit.is_knight("Alpha", "2026-11-10T10:00:00"));
    assert!(kit.show("hill").unwrap().contains("from 2026-11-10"));
    kit.to("2026-11-11T10:00");
    kit.join("Zoe");
    assert!(kit.show("hill").unwrap().contains("Knight"));
    assert!(kit.show("program/Alpha").unwrap().contains("Knight since 2026-11-10 10:00 UTC"));
}

#[test]
fn j37_the_fifth_challenge_by_others_makes_a_knight_at_its_deemed_time() {
    let mut kit = Kit::begun();
    on_top(&mut kit, &[("Ann", "Plan")]);
    // Bob, Ann, Bob, the contestmaster, Cyd who fails, Bob: Ann's own does not count, so the sixth is the fifth.
    for (index, (who, strength)) in
        [("Bob", 50), ("Ann", 51), ("Bob", 52), ("Goethe", 53), ("Cyd", -9), ("Bob", 54)].into_iter().enumerate()
    {
        let (name, when) = (format!("C{index}"), format!("2026-11-03T1{index}:00"));
        kit.strength(&name, strength);
        kit.heard();
        kit.to(&when);
        assert!(!kit.is_knight("Plan", &when), "{name}");
        kit.submit(who, &name);
    }
    assert_eq!(
        (kit.place("Plan").unwrap().outlived, kit.place("Plan").unwrap().knighted),
        (5, Some(at("2026-11-03T15:00")))
    );
    assert!(!kit.is_knight("Plan", "2026-11-03T14:59:59") && kit.is_knight("Plan", "2026-11-03T15:00"));
    assert!(kit.heard().contains("Plan"), "the result tells who is knighted");
}

#[test]
fn j37_challenges_by_others_count_for_the_house_and_the_contestmasters_own_do_not() {
    let mut kit = Kit::begun();
    for (index, who) in ["Goethe", "Ann", "Bob"].into_iter().enumerate() {
        let name = format!("C{index}");
        kit.strength(&name, -1);
        kit.submit(who, &name);
    }
    assert_eq!(kit.place("joust0").unwrap().outlived, 2);
}

#[test]
fn j37_its_own_entering_challenge_does_not_count_and_five_by_one_other_do() {
    let mut kit = Kit::begun();
    on_top(&mut kit, &[("Ann", "Plan")]);
    assert_eq!(kit.place("Plan").unwrap().outlived, 0);
    for index in 0..5 {
        if index == 3 {
            kit.to("2026-11-09T00:00");
            assert!(!kit.is_knight("Plan", "2026-11-09T00:00"));
        }
        let name = format!("C{index}");
        kit.strength(&name, -1);
        kit.submit("Bob", &name);
    }
    assert!(kit.is_knight("Plan", "2026-11-09T00:00"));
}

#[test]
fn j38_dropping_ends_knighthood_and_the_same_code_starts_at_nothing() {
    let mut kit = Kit::begun();
    kit.strength("Alpha", 1);
    kit.score("Alpha", "joust9", (20, 0));
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-10T10:00");
    kit.strength("Beta", 50);
    assert!(kit.is_knight("Alpha", "2026-11-10T10:00"));
    kit.submit("Bob", "Beta");
    assert!(kit.place("Alpha").is_none());
    kit.strength("Alpha", 60);
    kit.submit("Ann", "Alpha");
    let place = kit.place("Alpha").unwrap();
    assert_eq!((place.outlived, place.knighted, place.since), (0, None, at("2026-11-10T10:00")));
    assert!(!kit.is_knight("Alpha", "2026-11-17T09:59") && kit.is_knight("Alpha", "2026-11-17T10:00"));
}

#[test]
fn j39_a_week_that_completes_exactly_on_monday_counts_for_that_monday() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.join("Bob");
    kit.to("2026-11-09T00:00:00");
    on_top(&mut kit, &[("Ann", "Alpha")]);
    kit.to("2026-11-09T00:00:01");
    on_top(&mut kit, &[("Bob", "Beta")]);
    kit.strength("Beta", 99);
    kit.to("2026-11-16T00:00");
    assert_eq!((kit.points("Ann"), kit.points("Bob")), (8, 0));
}

#[test]
fn j39_standing_rank_zero_is_lowest_and_brings_nothing() {
    let mut kit = Kit::begun();
    kit.join("Bob");
    kit.to("2026-11-08T00:00");
    on_top(&mut kit, &[("Bob", "Young")]);
    kit.heard();
    kit.to("2026-11-09T00:00");
    // Rank 1 of the Hill, no knight yet: it is not in the award at all, above or below anybody.
    assert_eq!((kit.hill()[0].as_str(), kit.points("Bob")), ("Young", 0));
    let heard = kit.heard();
    let award = heard.split("The Hill in the week to").next().unwrap();
    assert!(award.contains("Points for the week") && !award.contains("Young"), "{heard}");
}

#[test]
fn j40_points_by_standing_rank_eight_five_three_two_one_and_nothing_below() {
    let mut kit = Kit::begun();
    let players = ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay"];
    for who in players {
        kit.join(who);
    }
    let programs: Vec<(&str, String)> = players.iter().map(|who| (*who, format!("{who}Best"))).collect();
    let programs: Vec<(&str, &str)> = programs.iter().map(|(who, name)| (*who, name.as_str())).collect();
    on_top(&mut kit, &programs);
    kit.to("2026-11-16T00:00");
    assert_eq!(players.map(|who| kit.points(who)), [8, 5, 3, 2, 1, 0]);
    kit.to("2026-11-23T00:00");
    assert_eq!(players.map(|who| kit.points(who)), [16, 10, 6, 4, 2, 0]);
    let seat = "player/ann".into();
    assert_eq!(kit.state().world.value(&super::POINTS.of(&seat)).to_string(), "16");
}

#[test]
fn j40_an_award_is_published_by_itself_once_a_week_also_when_nobody_gets_anything() {
    let mut kit = Kit::begun();
    kit.to("2026-11-08T23:59:59");
    assert_eq!(kit.heard(), "");
    kit.to("2026-11-09T00:00");
    let said = kit.heard();
    assert!(said.contains("Points for the week from 2026-11-09 00:00 UTC"), "{said}");
    assert!(said.contains("No program is a Knight: nobody gets points."));
    kit.to("2026-11-15T23:59:59");
    assert_eq!(kit.heard(), "");
    kit.to("2026-11-16T00:00");
    assert!(kit.heard().contains("No member's Knight stands high enough: nobody gets points."));
}

#[test]
fn j41_the_contestmasters_programs_and_those_of_non_members_earn_nothing() {
    let mut kit = Kit::begun();
    kit.join("Goethe");
    on_top(&mut kit, &[("Goethe", "Faust"), ("Zoe", "Zeta")]);
    kit.to("2026-11-16T00:00");
    assert_eq!((kit.points("Goethe"), kit.points("Zoe")), (0, 0));
    let said = kit.heard();
    assert!(said.contains("0 (contestmaster's)") && said.contains("0 (no member)"), "{said}");
    // A member from Tuesday on: nothing for Monday, no back pay on the next.
    kit.to("2026-11-17T00:00");
    kit.join("Zoe");
    assert_eq!(kit.points("Zoe"), 0);
    kit.to("2026-11-23T00:00");
    assert_eq!(kit.points("Zoe"), 5);
}

#[test]
fn j42_places_of_those_who_earn_nothing_are_not_passed_down() {
    let mut kit = Kit::begun();
    for who in ["Ann", "Bob", "Goethe"] {
        kit.join(who);
    }
    // 1 joust3 (contestmaster), 2 Alpha (Ann), 3 Beta (Bob, no knight), 4 Gamma (Ann), 5 Delta (Cyd, no member), 6 Eps
    // (Bob).
    kit.strength("joust3", 200);
    kit.strength("Alpha", 199);
    kit.strength("Beta", 198);
    kit.strength("Gamma", 197);
    kit.strength("Delta", 196);
    kit.strength("Eps", 195);
    for (who, name) in [("Ann", "Alpha"), ("Ann", "Gamma"), ("Cyd", "Delta"), ("Bob", "Eps")] {
        kit.submit(who, name);
    }
    kit.to("2026-11-15T12:00");
    kit.submit("Bob", "Beta");
    let top = ["joust3", "Alpha", "Beta", "Gamma", "Delta", "Eps"];
    assert_eq!(kit.hill()[..6], top);
    assert!(!kit.is_knight("Beta", "2026-11-16"));
    kit.to("2026-11-16T00:00");
    assert_eq!([kit.points("Ann"), kit.points("Bob"), kit.points("Cyd"), kit.points("Goethe")], [7, 0, 0, 0]);
}

#[test]
fn j43_who_drops_after_monday_keeps_the_award_and_who_is_knighted_after_it_waits() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.join("Bob");
    kit.strength("Alpha", 100);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-09T00:01");
    kit.strength("Beta", 99);
    kit.submit("Bob", "Beta");
    kit.to("2026-11-16T00:01");
    // Alpha is made to drop one minute after the award; Beta becomes a knight at that very minute.
    assert_eq!((kit.points("Ann"), kit.points("Bob")), (8, 0));
    kit.strength("Alpha", -50);
    kit.submit("Cyd", "Gamma");
    assert!(kit.place("Alpha").is_none() && kit.is_knight("Beta", "2026-11-16T00:01"));
    assert_eq!((kit.points("Ann"), kit.points("Bob")), (8, 0));
    kit.to("2026-11-23T00:00");
    assert_eq!((kit.points("Ann"), kit.points("Bob")), (8, 8));
}

#[test]
fn j44_all_programs_of_one_player_earn_and_there_is_no_limit_to_how_many_are_on_the_hill() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    on_top(&mut kit, &[("Ann", "One"), ("Ann", "Two"), ("Ann", "Three")]);
    kit.to("2026-11-09T00:00:01");
    for (name, strength) in [("Four", 90), ("Five", 89)] {
        kit.strength(name, strength);
        kit.submit("Ann", name);
    }
    kit.to("2026-11-16T00:00");
    assert_eq!(kit.points("Ann"), 8 + 5 + 3);
    kit.to("2026-11-23T00:00");
    assert_eq!(kit.points("Ann"), 16 + 8 + 5 + 3 + 2 + 1);
}

#[test]
fn j79_membership_is_read_at_the_awards_instant_however_late_it_is_published() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    on_top(&mut kit, &[("Ann", "Alpha"), ("Bob", "Beta")]);
    kit.to("2026-11-15T23:59");
    kit.mode = Mode::Held;
    kit.submit("Cyd", "Gamma");
    kit.to("2026-11-16T00:01");
    kit.act("Ann", json!("leave")).unwrap();
    kit.join("Bob");
    assert_eq!(kit.points("Ann"), 0);
    kit.heard();
    kit.work();
    assert_eq!((kit.points("Ann"), kit.points("Bob")), (8, 0));
    assert!(kit.heard().contains("Points for the week from 2026-11-16 00:00 UTC (as of 2026-11-16 00:00 UTC)"));
}

#[test]
fn j80_the_schedule_is_that_of_the_awards_instant() {
    for (when, held, points) in [("2026-11-15T23:00", false, 80), ("2026-11-16T00:01", true, 8)] {
        let mut kit = Kit::begun();
        kit.join("Ann");
        on_top(&mut kit, &[("Ann", "Alpha")]);
        kit.to("2026-11-10T00:00");
        let id = kit.intend("set", "award-points", "80 5 3 2 1");
        if held {
            kit.to("2026-11-15T23:59");
            kit.mode = Mode::Held;
            kit.submit("Bob", "Beta");
        }
        kit.to(when);
        kit.carry_out(id).unwrap();
        kit.to("2026-11-16T12:00");
        if held {
            kit.work();
        }
        assert_eq!(kit.points("Ann"), points, "{when}");
    }
}

#[test]
fn j81_who_holds_the_office_at_the_award_earns_nothing_and_what_the_office_submitted_never_earns() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    kit.join("Goethe");
    on_top(&mut kit, &[("Goethe", "Faust"), ("Ann", "Alpha")]);
    let id = kit.intend("set", "contestmaster", "Ann");
    kit.to("2026-11-12T00:00");
    kit.carry_out(id).unwrap();
    kit.to("2026-11-16T00:00");
    assert_eq!((kit.points("Goethe"), kit.points("Ann")), (0, 0));
    kit.strength("Faust", 101);
    kit.strength("Later", 100);
    kit.submit("Goethe", "Later");
    assert_eq!(kit.hill()[..3], ["Faust", "Later", "Alpha"].map(str::to_owned)[..]);
    kit.to("2026-11-23T12:00");
    assert_eq!((kit.points("Goethe"), kit.points("Ann")), (5, 0));
}

#[test]
fn j82_an_award_that_was_due_before_the_end_is_still_made() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    on_top(&mut kit, &[("Ann", "Alpha")]);
    kit.to("2026-11-15T23:59");
    kit.mode = Mode::Held;
    kit.submit("Bob", "Beta");
    kit.to("2026-11-17T00:00");
    kit.act("Goethe", json!("terminate")).unwrap();
    assert_eq!(kit.points("Ann"), 0);
    kit.to("2026-11-24T00:00");
    kit.work();
    assert_eq!(kit.points("Ann"), 8);
}

#[test]
fn j86_without_the_section_there_is_no_award_and_a_repeal_that_is_taken_back_never_was() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    on_top(&mut kit, &[("Ann", "Alpha")]);
    let id = kit.intend("repeal", "points", "");
    kit.to("2026-11-10T00:00");
    kit.carry_out(id).unwrap();
    let repeal = kit.state().seq;
    kit.heard();
    kit.to("2026-11-24T00:00");
    assert_eq!((kit.points("Ann"), kit.heard().as_str()), (0, ""));
    kit.undo(repeal).unwrap();
    assert_eq!(kit.points("Ann"), 16);
    kit.heard();
    kit.to("2026-11-30T00:00");
    assert_eq!(kit.points("Ann"), 24);
    assert_eq!(kit.heard().matches("Points for the week").count(), 1);
}

#[test]
fn a_schedule_that_cannot_be_read_suspends_the_award_and_says_so() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    on_top(&mut kit, &[("Ann", "Alpha")]);
    let id = kit.intend("amend", "points", "replace “8 for the first” by “[plenty](#award-points) for the first”");
    kit.to("2026-11-10T00:00");
    kit.carry_out(id).unwrap();
    kit.heard();
    kit.to("2026-11-16T00:00");
    let said = kit.heard();
    assert!(said.contains("No points are awarded for the week from 2026-11-16") && said.contains("plenty"), "{said}");
    assert_eq!(kit.points("Ann"), 0);
}

#[test]
fn who_is_a_knight_stays_one_when_the_figures_change() {
    let mut kit = Kit::begun();
    on_top(&mut kit, &[("Ann", "Old")]);
    kit.to("2026-11-08T00:00");
    on_top(&mut kit, &[("Bob", "Young")]);
    let longer = kit.intend("set", "knight-weeks", "3");
    let fewer = kit.intend("set", "knight-challenges", "1");
    kit.to("2026-11-12T00:00");
    kit.carry_out(longer).unwrap();
    assert!(kit.is_knight("Old", "2026-11-12") && kit.is_knight("Old", "2026-11-09T09:00"));
    assert!(!kit.is_knight("Young", "2026-11-28T23:59") && kit.is_knight("Young", "2026-11-29"));
    // Fewer challenges are enough at once for whoever has outlived them.
    kit.strength("Weak", -1);
    kit.submit("Cyd", "Weak");
    assert!(!kit.is_knight("Young", "2026-11-12"));
    kit.carry_out(fewer).unwrap();
    assert!(kit.is_knight("Young", "2026-11-12"));
}

#[test]
fn an_award_can_be_undone_and_points_corrected() {
    let mut kit = Kit::begun();
    kit.join("Ann");
    on_top(&mut kit, &[("Ann", "Alpha")]);
    kit.to("2026-11-16T00:00");
    let award = kit.state().seq;
    kit.correct("player/ann.points", "5").unwrap();
    assert_eq!(kit.points("Ann"), 5);
    // What a moderator said the points are they are.
    kit.undo(award).unwrap();
    assert_eq!(kit.points("Ann"), 5);
    kit.to("2026-11-23T00:00");
    assert_eq!(kit.points("Ann"), 13);
    let path = super::POINTS.of(&"player/ann".into());
    assert_eq!(kit.engine.view().rule_of(&path).as_deref(), Some("POINTS"));
}
