//! What falls due and cannot be done: the room goes on without it, whatever is wrong with it.

use super::*;

/// A day later three bells and an alarm have rung, each as far as it can.
fn rung(ways: &[&str]) -> Play {
    let mut play = Play::open();
    for way in ways {
        play.act(json!({"bell": {"way": way}})).unwrap();
    }
    play.act(json!({"alarm": {"by": 2}})).unwrap();
    play.now = days_after(play.now, 10);
    play
}

/// What moderators are told by a step.
fn warned(step: &Step) -> Vec<String> {
    let warned = step.says.iter().filter(|say| say.to == Audience::Moderators);
    warned.map(|say| crate::display::plain(&say.document)).collect()
}

fn corrects(play: &mut Play, total: &str) {
    let (path, to, reason) = ("pot/main.total".to_owned(), total.to_owned(), "slip".to_owned());
    play.moderate(Moderation::Correct { path, to, reason }).unwrap();
}

fn due(play: &Play) -> Due {
    play.engine.state.next_due().unwrap()
}

#[test]
fn what_cannot_be_done_is_set_aside_and_stops_nothing() {
    for (way, why) in [
        ("stays", "doing it comes to nothing, as where a rule or a figure that it needs is gone"),
        ("follows", "doing it comes to nothing, as where a rule or a figure that it needs is gone"),
        ("breaks", "something broke inside the bot"),
        ("endless", "what follows from it comes to no end"),
    ] {
        let mut play = rung(&[way, way]);
        let step = play.deed(Deed::Due(due(&play))).unwrap();
        let [told] = &warned(&step)[..] else { panic!("{way} is told once") };
        assert!(told.starts_with("Set aside: bell 1, due at 2026-11-03 10:00") && told.contains(why), "{told}");
        assert_eq!((step.says.len(), play.total().as_str()), (1, "0"), "nothing of it happened");
        // The other bell, the alarm, and a Monday that doubles what that brought.
        play.run_due();
        assert_eq!(play.total(), "20", "{way}");
        let aside = play.engine.state.aside();
        let [(one, _, first), (other, _, _)] = &aside[..] else { panic!("{aside:?}") };
        assert_eq!((one.as_str(), other.as_str(), first.as_str()), ("bell 1", "bell 2", why));
    }
}

#[test]
fn it_is_tried_again_when_something_changed_and_told_only_with_another_reason() {
    let mut play = rung(&["stays", "follows"]);
    play.run_due();
    let entries = play.journal.len();
    play.act(json!({"raise": {"by": 1}})).unwrap();
    play.now = seconds_after(play.now, 60);
    assert_eq!(
        play.run_due(),
        1,
        "what is due so long after the last entry is tried once after each, and nothing else"
    );
    assert_eq!((play.run_due(), play.journal.len()), (0, entries + 2));

    corrects(&mut play, "5");
    let step = play.deed(Deed::Due(due(&play))).unwrap();
    assert_eq!(warned(&step), Vec::<String>::new(), "the reason is known");
    play.now = seconds_after(play.now, 60);
    play.run_due();
    assert_eq!((play.engine.state.aside().len(), play.total().as_str()), (2, "5"));

    corrects(&mut play, "60");
    play.now = seconds_after(play.now, 60);
    play.run_due();
    assert_eq!((play.engine.state.aside().len(), play.total().as_str()), (1, "61"));
}

#[test]
fn to_take_it_back_lets_it_pass_as_in_a_pause() {
    for way in ["stays", "breaks", "endless"] {
        let mut play = rung(&[way]);
        play.deed(Deed::Due(due(&play))).unwrap();
        let seq = play.engine.state.seq;
        play.run_due();
        play.undo(seq).unwrap();
        assert_eq!((play.engine.state.aside(), play.run_due()), (Vec::new(), 0), "{way}");
        assert!(play.engine.state.rows::<Bell>().is_empty());
        assert_eq!(play.total(), "20");
    }
}

/// An undo plays again what was set aside, and what would have been.
#[test]
fn an_undo_sets_aside_as_the_room_did() {
    let mut play = Play::open();
    play.act(json!({"raise": {"by": 60}})).unwrap();
    let raised = play.engine.state.seq;
    play.act(json!({"bell": {"way": "stays"}})).unwrap();
    play.now = days_after(play.now, 2);
    assert_eq!((play.run_due(), play.total().as_str()), (1, "61"));
    let step = play.undo(raised).unwrap();
    let told = step.says.iter().map(|say| crate::display::plain(&say.document)).collect::<String>();
    assert!(told.contains("doing it comes to nothing, as where a rule or a figure that it needs is gone"), "{told}");
    play.run_due();
    assert_eq!((play.engine.state.aside().len(), play.total().as_str()), (1, "0"));
}
