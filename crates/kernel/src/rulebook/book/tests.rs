//! Rules as data: what binds, what an edit moves, what an inverse brings back.

use super::*;
use crate::Num;
use crate::rulebook::{Live, LiveKey, NumKind, ops::Splice};

const HOURS: LiveKey = LiveKey {
    key: "timeout-hours",
    kind: NumKind::Count,
    engine_min: 0,
    engine_max: 1000,
    absent: "no proposal times out",
    rehearsal: "time-out",
    meaning: "hours after which a proposal times out",
};
const POINTS: LiveKey = LiveKey { key: "points", kind: NumKind::List, ..HOURS };
const CHIEF: LiveKey = LiveKey { key: "@chief", kind: NumKind::Name, ..HOURS };

fn at(seq: Seq) -> Instant {
    Instant::from_second(i64::try_from(seq).unwrap()).unwrap()
}

fn put(book: &mut Rulebook, op: &RuleOp, seq: Seq) {
    book.apply(op, seq, at(seq));
}

fn enact(rule: &str, number: u32, establishes: &str, source: &str) -> RuleOp {
    let fields = BTreeMap::from([("establishes".to_owned(), establishes.to_owned())]);
    RuleOp::new(rule, RuleAct::Enact { number, title: rule.to_uppercase(), fields, source: source.to_owned() })
}

fn amend(book: &Rulebook, rule: &str, to: &str) -> RuleOp {
    let rule = book.get(rule).unwrap();
    let splice = Splice::between(rule.text().source(), to);
    RuleOp::new(rule.id().clone(), RuleAct::Amend { from: rule.revision(), splice })
}

fn book(rules: &[(&str, u32, &str)]) -> Rulebook {
    let mut book = Rulebook::default();
    for (seq, (rule, number, source)) in (1..).zip(rules) {
        put(&mut book, &enact(rule, *number, "", source), seq);
    }
    book
}

fn value(book: &Rulebook) -> Option<String> {
    book.live(&HOURS).ok().map(|value| value.to_string())
}

#[test]
fn a_figure_is_read_at_the_moment_of_use_and_follows_amendments() {
    let mut book = book(&[("time", 7, "After [48](#timeout-hours) hours.")]);
    let Live::Is { value: hours, rule, at } = book.live(&HOURS) else { panic!() };
    assert_eq!((hours, &*rule, at), (48.into(), "time", 6..8));
    let op = amend(&book, "time", "After [50](#timeout-hours) hours.");
    put(&mut book, &op, 2);
    assert_eq!(book.live_count(&HOURS).ok(), Some(50));
    assert_eq!(book.get("time").unwrap().revision(), 1);
}

#[test]
fn absent_and_broken_figures_are_never_replaced() {
    assert_eq!(book(&[]).live(&HOURS), Live::Absent);
    let hidden = book(&[("time", 7, "/* [48](#timeout-hours) */")]);
    assert_eq!(hidden.live(&HOURS), Live::Absent);
    assert_eq!(
        hidden.need(&HOURS).unwrap_err().say,
        "no rule gives the hours after which a proposal times out, so no proposal times out"
    );
    let broken = book(&[("time", 7, "[1001](#timeout-hours)"), ("zeit", 8, "[48](#timeout-hours)")]);
    let Live::Broken { rule, text, .. } = broken.live(&HOURS) else { panic!() };
    assert_eq!((&*rule, &*text), ("time", "1001"));
    let refusal = broken.need_count(&HOURS).unwrap_err();
    assert_eq!(refusal.rule.as_deref(), Some("TIME"));
    assert!(refusal.say.starts_with("“1001” cannot be the hours"), "{refusal}");
}

#[test]
fn of_duplicates_precedence_decides_then_the_first_place() {
    let book = book(&[("b", 10, "[3](#timeout-hours)"), ("a", 9, "[1](#timeout-hours), [2](#timeout-hours)")]);
    assert_eq!(value(&book).as_deref(), Some("1"));
    assert_eq!(book.live_by(&HOURS, |a, b| book_order(b, a)).ok(), Some(3.into()));
    assert_eq!(book.places("timeout-hours").count(), 3);
}

#[test]
fn lists_take_all_places_of_the_deciding_rule() {
    let book = book(&[("x", 1, "[8](#points) points, [5](#points), then [3/2/1](#points)"), ("y", 2, "[9](#points)")]);
    assert_eq!(book.need_list(&POINTS).unwrap(), [8, 5, 3, 2, 1].map(Num::from));
}

#[test]
fn names_are_live_too() {
    let book = book(&[("x", 1, "[Ann Lee](#@chief) decides.")]);
    assert_eq!(book.need_name(&CHIEF).unwrap(), "Ann Lee");
}

#[test]
fn repeal_switches_off_what_a_rule_establishes_and_its_figures() {
    let mut book = Rulebook::default();
    put(&mut book, &enact("voting", 4, "voting, counting", "[48](#timeout-hours)"), 1);
    assert_eq!(book.establishes("counting").map(|id| &**id), Some("voting"));
    let op = RuleOp::new("voting", RuleAct::Repeal);
    put(&mut book, &op, 2);
    assert_eq!((book.establishes("voting"), value(&book)), (None, None));
    assert!(book.rules().is_empty());
    put(&mut book, &op.inverse(), 3);
    assert_eq!((book.establishes("voting").is_some(), value(&book).as_deref()), (true, Some("48")));
}

#[test]
fn as_of_gives_the_rules_of_the_past() {
    let mut book = book(&[("time", 7, "[48](#timeout-hours)")]);
    let op = amend(&book, "time", "[50](#timeout-hours)");
    put(&mut book, &op, 5);
    put(&mut book, &RuleOp::new("time", RuleAct::Repeal), 9);
    for (seq, expected) in [(0, None), (1, Some("48")), (4, Some("48")), (5, Some("50")), (8, Some("50")), (9, None)] {
        assert_eq!(value(&book.as_of(seq)).as_deref(), expected, "{seq}");
        assert_eq!(value(&book.at(at(seq))).as_deref(), expected, "{seq}");
    }
    assert_eq!(book.as_of(0), Rulebook::default());
    assert_eq!(book.as_of(9), book);
}

#[test]
fn operations_that_do_not_fit_do_nothing_and_are_refused_beforehand() {
    let mut book = book(&[("time", 7, "[48](#timeout-hours)")]);
    let stale = amend(&book, "time", "[50](#timeout-hours)");
    let op = amend(&book, "time", "gone");
    put(&mut book, &op, 2);
    let before = book.clone();
    let wrong = [
        stale,
        RuleOp::new("nowhere", RuleAct::Repeal),
        RuleOp::new("time", RuleAct::Restore),
        enact("time", 9, "", "again"),
        RuleOp::new("time", RuleAct::Retitle { to: "X".to_owned(), was: "Y".to_owned() }),
    ];
    for op in &wrong {
        assert!(book.check(op).is_err(), "{op:?}");
    }
    for op in &wrong[..4] {
        put(&mut book, op, 3);
        assert_eq!(book, before, "{op:?}");
    }
    assert!(book.check(&RuleOp::new("time", RuleAct::Repeal)).is_ok());
}

#[test]
fn a_mark_binds_without_being_a_revision() {
    let mut book = book(&[("time", 7, "After 48 hours.")]);
    let splice = Splice::between("After 48 hours.", "After [48](#timeout-hours) hours.");
    let op = RuleOp::new("time", RuleAct::Mark { splice });
    put(&mut book, &op, 2);
    assert_eq!((value(&book).as_deref(), book.get("time").unwrap().revision()), (Some("48"), 0));
    put(&mut book, &op.inverse(), 3);
    assert_eq!(value(&book), None);
}

/// What the rules say, without their history.
fn law(book: &Rulebook) -> Vec<String> {
    let stand = |rule: &&Rule| {
        format!("{} {} {} {:?} {}", rule.id(), rule.number(), rule.title(), rule.fields(), rule.text().source())
    };
    book.rules().iter().map(stand).collect()
}

fn any_op() -> impl proptest::strategy::Strategy<Value = (u8, u8, String)> {
    (0..7_u8, 0..3_u8, "([a-c ]|\\[[0-9]\\]\\(#timeout-hours\\)|/\\*|\\*/){0,6}")
}

fn build(book: &Rulebook, (kind, rule, text): &(u8, u8, String)) -> RuleOp {
    let id = ["a", "b", "c"][usize::from(*rule)];
    let now = book.get(id);
    let act = match kind {
        0 | 1 => return enact(id, u32::from(*rule), text, text),
        2 => match now {
            Some(_) => return amend(book, id, text),
            None => RuleAct::Repeal,
        },
        3 => RuleAct::Repeal,
        4 => RuleAct::Retitle { to: text.clone(), was: now.map(|rule| rule.title().to_string()).unwrap_or_default() },
        5 => RuleAct::Renumber { to: u32::try_from(text.len()).unwrap(), was: now.map_or(0, Rule::number) },
        _ => {
            let was = now.and_then(|rule| rule.field("establishes")).map(str::to_owned);
            RuleAct::Field { name: "establishes".to_owned(), to: Some(text.clone()), was }
        }
    };
    RuleOp::new(id, act)
}

proptest::proptest! {
    #[test]
    fn an_operation_and_its_inverse_restore_what_the_rules_say(ops in proptest::collection::vec(any_op(), 1..12)) {
        let mut book = Rulebook::default();
        for (seq, seed) in (1..).zip(&ops) {
            let op = build(&book, seed);
            if book.check(&op).is_ok() {
                let before = law(&book);
                let mut there = book.clone();
                put(&mut there, &op, seq);
                let back = op.inverse();
                if there != book {
                    assert!(there.check(&back).is_ok(), "{op:?}");
                    put(&mut there, &back, seq + 1);
                }
                assert_eq!(law(&there), before, "{op:?}");
            }
            put(&mut book, &op, seq);
        }
    }

    #[test]
    fn a_rule_goes_back_to_each_of_its_revisions(ops in proptest::collection::vec(any_op(), 1..12)) {
        let mut book = Rulebook::default();
        for (seq, seed) in (1..).zip(&ops) {
            let op = build(&book, seed);
            put(&mut book, &op, seq);
        }
        for rule in book.all() {
            for revision in 0..=rule.revision() {
                let then = rule.revisions().iter().rev().find(|held| held.revision == revision).unwrap();
                let mut back = book.clone();
                for act in rule.back_to(revision).unwrap() {
                    let op = RuleOp::new(rule.id().clone(), act);
                    assert!(back.check(&op).is_ok(), "{op:?}");
                    put(&mut back, &op, 100);
                }
                let now = back.get(rule.id()).unwrap().revisions().last().unwrap();
                assert_eq!(now.in_force, then.in_force);
                if then.in_force {
                    let told = |held: &Revision| (held.number, held.title.clone(), held.fields.clone(), held.source.clone());
                    assert_eq!(told(now), told(then));
                }
            }
            assert_eq!(rule.back_to(rule.revision() + 1), None);
        }
    }

    #[test]
    fn a_snapshot_gives_the_same_book(ops in proptest::collection::vec(any_op(), 1..12)) {
        let mut book = Rulebook::default();
        for (seq, seed) in (1..).zip(&ops) {
            let op = build(&book, seed);
            let json = serde_json::to_string(&op).unwrap();
            assert_eq!(serde_json::from_str::<RuleOp>(&json).unwrap(), op);
            put(&mut book, &op, seq);
        }
        let again: Rulebook = serde_json::from_str(&serde_json::to_string(&book).unwrap()).unwrap();
        assert_eq!(again, book);
        assert_eq!((&again.live, &again.established), (&book.live, &book.established));
        assert_eq!(again.live(&HOURS), book.live(&HOURS));
        let last = book.as_of(1000);
        assert_eq!((&last.live, &last.established), (&book.live, &book.established));
    }
}

/// What is marked, commented or code is no word that somebody must look at; other words are, until they are settled.
#[test]
fn a_rule_is_played_by_the_words_that_were_settled_last() {
    let mut book = Rulebook::default();
    let text = "After [48](#timeout-hours) hours it [ends](#@end).\n\n```text\n-\n```";
    put(&mut book, &enact("time", 7, "time out", text), 1);
    let outdated = |book: &Rulebook| book.get("time").unwrap().outdated();
    for (seq, to, expected) in [
        (2, "After [50](#timeout-hours) hours it [begins](#@end).\n\n```text\n-\n```", None),
        (3, "After [50](#timeout-hours) hours it [begins](#@end)./* So be it. */\n\n```text\n+\n```", None),
        (4, "After 50 hours it [begins](#@end).\n\n```text\n+\n```", Some(0)),
        (5, "After [50](#timeout-hours) nights it [begins](#@end).\n\n```text\n+\n```", Some(0)),
    ] {
        let op = amend(&book, "time", to);
        put(&mut book, &op, seq);
        assert_eq!(outdated(&book), expected, "{to}");
    }
    let settle = |to: Played, was: Played| RuleOp::new("time", RuleAct::Settle { to, was });
    let (first, accepted) = (Played::default(), Played { revision: 4, by_hand: false });
    let accept = settle(accepted, first);
    put(&mut book, &accept, 6);
    assert_eq!((outdated(&book), book.get("time").unwrap().revision()), (None, 4));
    let by_hand = settle(Played { by_hand: true, ..accepted }, accepted);
    put(&mut book, &by_hand, 7);
    assert_eq!(book.establishes("time out"), None, "the program plays it no more");
    assert!(book.check(&accept).is_err(), "it was settled otherwise since");
    let stored: Rulebook = serde_json::from_value(serde_json::to_value(&book).unwrap()).unwrap();
    assert_eq!(stored, book);
    put(&mut book, &by_hand.inverse(), 8);
    assert!(book.establishes("time out").is_some());
    put(&mut book, &accept.inverse(), 9);
    assert_eq!(outdated(&book), Some(0));
}
