//! The report of a week: what it tells, when it is posted, and when it is not.

use super::{Chronicle, Week, moves};
use crate::testkit::{Kit, Mode};

#[test]
fn a_report_is_posted_on_the_monday_after_a_challenge_and_not_without_one() {
    let mut kit = Kit::begun();
    assert!(kit.show("report").unwrap_err().say.contains("no challenge"));
    kit.to("2026-11-03T10:00");
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    kit.heard();
    kit.to("2026-11-09T00:00:00");
    let posted = kit.heard();
    assert!(posted.contains("The Hill in the week to 2026-11-09"), "{posted}");
    assert!(posted.contains("Longest reign: "), "{posted}");
    assert!(posted.contains("Closest joust: "), "{posted}");
    kit.to("2026-11-16T12:00");
    assert!(!kit.heard().contains("The Hill in the week"), "no challenge was played");
    kit.strength("Beta", 60);
    kit.submit("Bob", "Beta");
    kit.to("2026-11-23T00:00:00");
    let posted = kit.heard();
    assert!(posted.contains("New: Beta. Gone: joust8.") && !posted.contains("Down"), "{posted}");
    let shown = kit.show("report").unwrap();
    assert!(shown.contains("Ranks by week:") && shown.contains("11-09") && shown.contains("11-23"), "{shown}");
    assert!(shown.contains("winner") && shown.contains("Watch it on 151 cells"), "{shown}");
}

#[test]
fn the_longest_reign_is_told_also_when_it_is_over() {
    let mut kit = Kit::begun();
    kit.to("2026-11-03T10:00");
    kit.strength("Alpha", 50);
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-13T10:00");
    kit.strength("Beta", 60);
    kit.submit("Bob", "Beta");
    kit.to("2026-11-14T10:00");
    let shown = kit.show("report").unwrap();
    assert!(shown.contains("Longest reign: Alpha was first for 10 d."), "{shown}");
    kit.to("2026-12-13T10:00");
    kit.join("Zoe");
    let shown = kit.show("report").unwrap();
    assert!(shown.contains("Longest reign: Beta was first for 30 d, and is."), "{shown}");
}

#[test]
fn a_report_waits_for_what_is_deemed_before_it_and_reckons_by_the_deemed_time() {
    let mut kit = Kit::begun();
    kit.mode = Mode::Held;
    kit.strength("Alpha", 50);
    kit.strength("Beta", 60);
    kit.to("2026-11-03T10:00");
    kit.submit("Ann", "Alpha");
    kit.to("2026-11-04T10:00");
    kit.submit("Bob", "Beta");
    kit.to("2026-11-10T10:00");
    assert!(!kit.heard().contains("The Hill in the week"));
    kit.work();
    assert!(!kit.heard().contains("The Hill in the week"), "a challenge of that week waits");
    kit.work();
    let posted = kit.heard();
    assert!(posted.contains("The Hill in the week to 2026-11-09"), "{posted}");
    assert!(posted.contains("Longest reign: Beta was first for 4 d 14 h, and is."), "{posted}");
}

#[test]
fn who_kept_eir_place_neither_rose_nor_fell() {
    let kept = |ranked: &[u64]| Chronicle {
        weeks: vec![Week { at: kernel::Instant::UNIX_EPOCH, ranked: ranked.to_vec() }],
        ..Chronicle::default()
    };
    let told = |last: &[u64], now: &[u64]| moves(&kept(last), now, |program| format!("P{program}"));
    // 9 comes in above both: 2 is ahead of 1 now, and where it was.
    assert_eq!(told(&[1, 2], &[9, 2, 1]).as_deref(), Some("Down: P1 from 1 to 3. New: P9."));
    assert_eq!(told(&[1, 2, 3], &[2, 1, 3]).as_deref(), Some("Up: P2 from 2 to 1. Down: P1 from 1 to 2."));
    assert_eq!(told(&[1, 2, 3], &[2, 3]).as_deref(), Some("Gone: P1."));
}
