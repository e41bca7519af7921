//! Entries are taken back as if they had never been.

use proptest::prelude::*;

use super::*;

fn raise(play: &mut Play, by: i64) -> Seq {
    play.act(json!({"raise": {"by": by}})).unwrap().seq
}

fn text(step: &Step) -> String {
    serde_json::to_string(&step.reply).unwrap()
}

#[test]
fn what_came_later_is_decided_again() {
    let mut play = Play::open();
    let first = raise(&mut play, 70);
    // Cut to a hundred.
    let second = raise(&mut play, 70);
    play.undo(first).unwrap();
    assert_eq!(play.total(), "70", "the second is not cut any more");
    assert!(play.undo(first).unwrap_err().say.contains("taken back already, by entry 4"));
    play.undo(second).unwrap();
    assert_eq!(play.total(), "0", "both are left out");
    play.undo(4).unwrap();
    assert_eq!(play.total(), "70", "an undo that is undone brings back what it took, and the other stays out");
    assert!(play.undo(4).unwrap_err().say.contains("taken back already"));
    play.undo(5).unwrap();
    assert_eq!(play.total(), "100");
}

#[test]
fn a_monday_between_doubles_what_is_there_then() {
    let mut play = Play::open();
    let first = raise(&mut play, 5);
    raise(&mut play, 1);
    play.now = days_after(play.now, 7);
    play.run_due();
    let monday = play.engine.state.seq;
    assert_eq!(play.total(), "12");
    let step = play.undo(first).unwrap();
    assert_eq!(play.total(), "2");
    assert!(text(&step).contains("total of main: 12 becomes 2"), "{}", text(&step));
    // The instant itself is taken back, too, and does not come again.
    play.undo(monday).unwrap();
    assert_eq!((play.total(), play.run_due()), ("1".to_owned(), 0));
}

#[test]
fn what_nobody_could_have_done_no_longer_happens_and_is_told() {
    let mut play = Play::open();
    let first = raise(&mut play, 5);
    play.act(json!({"spend": {"by": 4}})).unwrap();
    assert_eq!(play.total(), "1");
    let step = play.undo(first).unwrap();
    assert_eq!(play.total(), "0");
    assert!(text(&step).contains("entry 3, try: there is not so much"), "{}", text(&step));
    let said = serde_json::to_string(&step.says).unwrap();
    assert!(said.contains("entry 3, try: there is not so much") && said.contains("outside the rules"), "{said}");
}

#[test]
fn a_recorded_draw_falls_again_and_corrections_stay() {
    let mut play = Play::open();
    let first = raise(&mut play, 5);
    play.act(json!("roll")).unwrap();
    let rolled: i64 = play.total().parse::<i64>().unwrap() - 5;
    let step = play.undo(first).unwrap();
    assert_eq!(play.total(), rolled.to_string());
    assert!(!step.entry.unwrap().contains("draws"), "nothing is drawn anew");
    let path = "pot/main.total".to_owned();
    play.moderate(Moderation::Correct { path, to: "40".into(), reason: "audit".into() }).unwrap();
    play.undo(3).unwrap();
    assert_eq!(play.total(), "40", "a moderator's value is a value, not a difference");
}

#[test]
fn what_was_done_in_private_is_decided_again_too() {
    let mut play = Play::open();
    let first = raise(&mut play, 70);
    play.does(json!({"raise": {"by": 70}}), true).unwrap();
    play.undo(first).unwrap();
    assert_eq!(play.total(), "70", "the second is not cut any more");
}

#[test]
fn what_a_line_leaves_out_means_what_it_meant() {
    let mut play = Play::open();
    play.act(json!("note")).unwrap();
    let second = play.act(json!("note")).unwrap().seq;
    play.act(json!({"praise": {}})).unwrap();
    assert_eq!(play.notes(), [(1, 0), (2, 1)]);
    let step = play.undo(second).unwrap();
    assert_eq!(play.notes(), [(1, 0)], "what was said of 2 is not said of 1");
    assert!(text(&step).contains("there is no note 2"), "{}", text(&step));
}

#[test]
fn without_what_was_said_the_changes_are_applied() {
    let mut play = Play::open();
    let first = raise(&mut play, 70);
    raise(&mut play, 70);
    play.acts[2] = None;
    play.undo(first).unwrap();
    assert_eq!(play.total(), "100", "it set the total to a hundred when it cut it");
}

#[test]
fn what_is_taken_as_it_is_recorded_is_named_and_leaves_no_range() {
    let mut play = Play::open();
    let first = raise(&mut play, 70);
    play.act(json!({"spend": {"by": 60}})).unwrap();
    raise(&mut play, 5);
    (play.acts[2], play.acts[3]) = (None, None);
    let step = play.undo(first).unwrap();
    assert_eq!(play.total(), "5");
    let said = text(&step);
    assert!(said.contains("entry 3, try: total of main would be -60, which it cannot be"), "{said}");
    assert!(said.contains("This is taken as it is recorded") && said.contains("entry 4, try\""), "{said}");
}

#[test]
fn the_opening_and_what_is_of_the_frame_alone_stay() {
    let mut play = Play::open();
    let why = play.undo(1).unwrap_err();
    assert!(why.say.contains("it opened the room") && why.instead.as_deref() == Some("room close"), "{why}");
    play.moderate(clock(ClockMode::Paused(play.now))).unwrap();
    let why = play.undo(2).unwrap_err();
    assert!(why.say.contains("paused") && why.instead.as_deref() == Some("resume"), "{why}");
}

#[test]
fn numbers_mean_what_they_meant_and_are_given_once() {
    let mut play = Play::open();
    let first = play.act(json!("note")).unwrap().seq;
    play.act(json!("note")).unwrap();
    play.act(json!({"praise": {"by": 2}})).unwrap();
    play.undo(first).unwrap();
    assert_eq!(play.notes(), [(2, 1)], "what was said of 2 is about 2");
    let third = play.act(json!("note")).unwrap().seq;
    play.undo(third).unwrap();
    let fourth = play.act(json!("note")).unwrap();
    assert!(text(&fourth).contains("note 4"), "{}", text(&fourth));
    // What took the third back is taken back: both stand beside each other.
    play.undo(fourth.seq - 1).unwrap();
    assert_eq!(play.notes(), [(2, 1), (3, 0), (4, 0)]);
}

#[test]
fn what_has_no_number_on_record_gets_one_above_all_and_keeps_it() {
    let mut play = Play::open();
    let first = raise(&mut play, 70);
    play.act(json!("pair")).unwrap();
    play.act(json!("note")).unwrap();
    play.act(json!({"praise": {"by": 2}})).unwrap();
    let undo = play.undo(first).unwrap().seq;
    assert_eq!(play.notes(), [(1, 0), (2, 1), (3, 0)], "the other of the pair is no 2");
    play.undo(undo).unwrap();
    assert_eq!(play.notes(), [(1, 0), (2, 1)]);
    assert!(text(&play.act(json!("note")).unwrap()).contains("note 4"));
    // A second time it is another one.
    play.undo(first).unwrap();
    assert_eq!(play.notes(), [(1, 0), (2, 1), (4, 0), (5, 0)]);
}

#[test]
fn what_can_be_averted_is_put_off_and_what_cannot_comes_again() {
    let mut play = Play::open();
    play.act(json!({"alarm": {"by": 2}})).unwrap();
    play.now = days_after(play.now, 4);
    assert_eq!((play.run_due(), play.total()), (1, "10".to_owned()));
    let rung = play.engine.state.seq;
    let step = play.undo(rung).unwrap();
    assert!(text(&step).contains("an alarm at 2026-11-13T10:00:00Z"), "{}", text(&step));
    assert_eq!((play.run_due(), play.total()), (0, "0".to_owned()));
    // Another undo leaves it where it was put off to.
    play.now = days_after(play.now, 1);
    let raised = raise(&mut play, 3);
    play.undo(raised).unwrap();
    assert_eq!((play.run_due(), play.total()), (0, "0".to_owned()));
    play.now = days_after(play.now, 6);
    assert_eq!((play.run_due(), play.total()), (2, "10".to_owned()), "a Monday, and the alarm");

    let mut play = Play::open();
    play.act(json!({"siren": {"by": 2}})).unwrap();
    play.now = days_after(play.now, 4);
    play.run_due();
    let step = play.undo(play.engine.state.seq).unwrap();
    assert!(text(&step).contains("alarm/1: what brought it about is still there"), "{}", text(&step));
    assert_eq!((play.run_due(), play.total()), (0, "10".to_owned()));
}

#[test]
fn what_a_pause_put_off_is_put_off_as_far_without_the_entry() {
    let mut play = Play::open();
    let first = raise(&mut play, 5);
    play.act(json!({"alarm": {"by": 2}})).unwrap();
    play.now = days_after(play.now, 1);
    play.moderate(clock(ClockMode::Paused(play.now))).unwrap();
    play.now = days_after(play.now, 3);
    play.moderate(clock(ClockMode::Live)).unwrap();
    let alarms = play.engine.state.rows::<Alarm>().clone();
    play.undo(first).unwrap();
    assert_eq!(*play.engine.state.rows::<Alarm>(), alarms);
    // What the pause put off was never there.
    play.undo(3).unwrap();
    assert!(play.engine.state.rows::<Alarm>().is_empty());
}

#[test]
fn what_would_have_been_announced_is_told() {
    let mut play = Play::open();
    let first = raise(&mut play, 5);
    for _ in 0..40 {
        play.act(json!("boast")).unwrap();
    }
    let step = play.undo(first).unwrap();
    let said = text(&step);
    assert!(said.contains("This would have been announced") && said.contains(": The total is 0."), "{said}");
    assert!(said.contains("10 more"), "{said}");
    let later = play.act(json!("boast")).unwrap().seq;
    assert!(!text(&play.undo(later).unwrap()).contains("announced:"));
}

/// What somebody does.
#[derive(Clone, Copy, Debug)]
enum Line {
    Raise(i64),
    Spend(i64),
    Roll,
    Days(i64),
    Undo(usize),
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let line = prop_oneof![
        4 => (0..40_i64).prop_map(Line::Raise),
        3 => (0..40_i64).prop_map(Line::Spend),
        1 => Just(Line::Roll),
        2 => (1..9_i64).prop_map(Line::Days),
        1 => (0..12_usize).prop_map(Line::Undo),
    ];
    proptest::collection::vec(line, 1..16)
}

/// Plays lines but those left out; which entry each made, where one did.
fn play(lines: &[Line], left_out: &[usize]) -> (Play, Vec<Option<Seq>>) {
    let mut play = Play::open();
    let mut made: Vec<Option<Seq>> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let step = match line {
            _ if left_out.contains(&index) => None,
            Line::Raise(by) => play.act(json!({"raise": {"by": by}})).ok(),
            Line::Spend(by) => play.act(json!({"spend": {"by": by}})).ok(),
            Line::Roll => play.act(json!("roll")).ok(),
            Line::Days(days) => {
                play.now = days_after(play.now, *days);
                play.run_due();
                None
            }
            Line::Undo(of) => made.get(*of).copied().flatten().and_then(|seq| play.undo(seq).ok()),
        };
        made.push(step.filter(|step| step.entry.is_some()).map(|step| step.seq));
    }
    (play, made)
}

proptest! {
    /// The undo of an entry gives a room in which it was never made, but for the numbers of entries and for dice.
    #[test]
    fn an_undo_is_as_if_it_had_never_been(lines in lines(), of in 0..16_usize) {
        let plain = |line: &Line| !matches!(line, Line::Undo(_) | Line::Roll);
        let lines: Vec<Line> = lines.into_iter().filter(plain).collect();
        let (mut room, made) = play(&lines, &[]);
        let Some(seq) = made.get(of).copied().flatten() else { return Ok(()) };
        // What was refused then is not said again.
        let refused = |index: &usize| made[*index].is_none() && !matches!(lines[*index], Line::Days(_));
        let mut out: Vec<usize> = (0..lines.len()).filter(refused).collect();
        out.push(of);
        let (other, _) = play(&lines, &out);
        if room.undo(seq).is_ok() {
            prop_assert_eq!(&room.engine.state.world, &other.engine.state.world);
            prop_assert_eq!(&room.engine.state.tables, &other.engine.state.tables);
        }
    }

    /// With nothing left out every room comes out as it is recorded; an undo and its undo leave it as it was.
    #[test]
    fn a_journal_that_is_played_again_comes_out_the_same(lines in lines(), of in 2..16_u64) {
        let (mut room, _) = play(&lines, &[]);
        let (before, past) = room.past(1);
        let stop = AtomicBool::new(false);
        let bench = Bench { open: &|_| None, cache: &(), stop: &stop, progress: &|_, _| {} };
        prop_assert_eq!(before.repeat(&past, &room.context(), &bench).unwrap(), Vec::<String>::new());
        let (world, game) = (room.engine.state.world.clone(), room.engine.state.tables.clone());
        if of <= room.engine.state.seq && room.undo(of).is_ok() {
            room.undo(room.engine.state.seq).unwrap();
            prop_assert_eq!(&room.engine.state.world, &world);
            prop_assert_eq!(&room.engine.state.tables, &game);
        }
    }
}
