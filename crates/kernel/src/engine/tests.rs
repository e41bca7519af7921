//! The engine, tried with a game of one number: what every room can do, whatever is played in it.

use std::{
    collections::VecDeque,
    sync::{LazyLock, atomic::AtomicBool},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::*;
use crate::Id;
use crate::Num;
use crate::Path;
use crate::Value;
use crate::deed::Moderation;
use crate::doer::Doer;
use crate::entry::{Audience, Because, Due};
use crate::mechanic::{Act, Mechanic, Mechanics, Needs, Outcome, Phase};
use crate::rulebook::LiveKey;
use crate::speech::Speech;
use crate::table::Row;
use crate::time::{days_after, next_week, seconds_after};
use crate::work::Bench;
use crate::world::{Attr, AttrDef, Op, Range};

/// A game in which players raise a number, each Monday doubles it, and a number over a hundred is cut to a hundred.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count;

/// Where the Mondays are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
struct Hands {
    monday: Option<Instant>,
    /// Which of two rules has the last word that undo each other for ever; none where it is 0.
    tilt: u8,
}

/// Something with a number that players name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
struct Note {
    praised: u32,
}

/// Something that raises the number once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
struct Alarm {
    at: Instant,
    /// Whether nothing puts it off.
    stubborn: bool,
}

/// Something due that cannot be done, in one of the ways that there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
struct Bell {
    at: Instant,
    way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// It is due still, until the total is high.
    Stays,
    /// It is due a second after the last entry, whenever that was.
    Follows,
    Breaks,
    Endless,
}

#[derive(Deserialize)]
struct Ring {
    way: Way,
}

impl Row<Count> for Bell {
    type Key = u64;
    const TABLE: &'static str = "bells";
}

/// Bells, each of which announces something and raises the total before it goes wrong.
fn bells() -> Mechanic<Count> {
    let bell = Act::new("bell", |Ring { way }, d: &mut Draft<'_, Count>| {
        let (number, at) = (d.next_number::<Bell>(), days_after(d.at, 1));
        d.put(&number, Bell { at, way });
        Ok(Document::say("hung"))
    });
    let dues = |state: &State<Count>| -> Vec<Due> {
        let at = |bell: &Bell| match bell.way {
            Way::Follows => seconds_after(state.at.max(bell.at), 1),
            _ => bell.at,
        };
        let due = |(number, bell): (&u64, &Bell)| Due { at: at(bell), rank: 3, key: format!("bell/{number}").into() };
        state.rows::<Bell>().iter().map(due).collect()
    };
    let of = |due: &Due| due.key.trim_start_matches("bell/").parse::<u64>().unwrap_or_default();
    let rings = move |due: Due, d: &mut Draft<'_, Count>| {
        let is_high = total(d) >= Num::from(50);
        d.tell_all("A bell rings.");
        d.add(&TOTAL, &pot(), 1.into());
        match d.row::<Bell>(&of(&due)).map(|bell| bell.way) {
            Some(Way::Breaks) => panic!("it is cracked"),
            Some(Way::Endless) => {
                d.upsert(&(), |hands: &mut Hands| hands.tilt = 1);
                d.delete::<Bell>(&of(&due));
            }
            Some(Way::Stays) if is_high => _ = d.delete::<Bell>(&of(&due)),
            _ => {}
        }
    };
    let bells = Phase::new(3, dues, rings).lapse(move |due, d| _ = d.delete::<Bell>(&of(&due)));
    Mechanic::new("bells").table::<Bell>().act(bell).phase(bells)
}

impl Row<Count> for Hands {
    type Key = ();
    const TABLE: &'static str = "hands";
}

impl Row<Count> for Note {
    type Key = u64;
    const TABLE: &'static str = "notes";
}

impl Row<Count> for Alarm {
    type Key = u64;
    const TABLE: &'static str = "alarms";

    fn told(_: &u64, _: Option<&Self>, is: Option<&Self>, _: &State<Count>) -> String {
        is.map(|alarm| format!("an alarm at {}", alarm.at)).unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct By {
    by: i64,
}

const TOTAL: Attr<Num> = Attr::new("total");

fn pot() -> Id {
    "pot/main".into()
}

fn hands(state: &State<Count>) -> Hands {
    state.row::<Hands>(&()).cloned().unwrap_or_default()
}

fn total(state: &State<Count>) -> Num {
    state.world.get(&TOTAL, &pot()).unwrap_or_default()
}

/// The mechanics of the game: what can be done to the number, and what happens to it.
fn count() -> Mechanics<Count> {
    let raise = Act::new("raise", |By { by }, d: &mut Draft<'_, Count>| {
        d.add(&TOTAL, &pot(), by.into());
        if by < 0 { Err(Refusal::new("only up")) } else { Ok(Document::say("raised")) }
    });
    let spend = Act::new("spend", |By { by }, d: &mut Draft<'_, Count>| {
        if by < 0 || total(d) < Num::from(by) {
            return Err(Refusal::new("there is not so much"));
        }
        d.add(&TOTAL, &pot(), (-by).into());
        Ok(Document::say("spent"))
    });
    let roll = Act::plain("roll", |d: &mut Draft<'_, Count>| {
        let rolled = i64::try_from(d.draw("die", 6)).unwrap_or(0);
        d.add(&TOTAL, &pot(), (rolled + 1).into());
        Ok(Document::default())
    });
    let monday = Phase::new(
        1,
        |state: &State<Count>| {
            hands(state).monday.map(|last| Due { at: next_week(last), rank: 1, key: "monday".into() })
        },
        |due, d| {
            d.add(&TOTAL, &pot(), total(d));
            d.upsert(&(), |hands: &mut Hands| hands.monday = Some(due.at));
        },
    );
    let note = Act::plain("note", |d: &mut Draft<'_, Count>| {
        let number = d.next_number::<Note>();
        d.put(&number, Note { praised: 0 });
        Ok(Document::say(format!("note {number}")))
    });
    let pair = Act::plain("pair", |d: &mut Draft<'_, Count>| {
        // The second is only there where there is little else.
        let count = if total(d) < Num::from(10) { 2 } else { 1 };
        for _ in 0..count {
            let number = d.next_number::<Note>();
            d.put(&number, Note { praised: 0 });
        }
        Ok(Document::say("noted"))
    });
    let praise = Act::new("praise", |By { by }, d: &mut Draft<'_, Count>| {
        match d.edit::<Note>(&by.unsigned_abs(), |note| note.praised += 1) {
            true => Ok(Document::say("praised")),
            false => Err(Refusal::new(format!("there is no note {by}"))),
        }
    });
    let praise = praise.unsaid("by", |d| d.rows::<Note>().last().map(|(number, _)| *number));
    let boast = Act::plain("boast", |d: &mut Draft<'_, Count>| {
        d.tell_all(format!("The total is {}.", total(d)));
        d.add(&TOTAL, &pot(), 1.into());
        Ok(Document::say("boasted"))
    });
    let tilt = Act::new("tilt", |By { by }, d: &mut Draft<'_, Count>| {
        d.upsert(&(), |hands: &mut Hands| hands.tilt = u8::try_from(by).unwrap_or_default());
        Ok(Document::say("tilted"))
    });
    let set = |stubborn| {
        move |By { by }, d: &mut Draft<'_, Count>| {
            let (number, at) = (d.next_number::<Alarm>(), days_after(d.at, by));
            d.put(&number, Alarm { at, stubborn });
            Ok(Document::say("set"))
        }
    };
    let first = |state: &State<Count>| {
        let dues = state.rows::<Alarm>().iter().map(|(number, alarm)| (alarm.at, *number));
        dues.min().map(|(at, number)| Due { at, rank: 2, key: format!("alarm/{number}").into() })
    };
    let of = |due: &Due| due.key.trim_start_matches("alarm/").parse::<u64>().unwrap_or_default();
    let alarm = Phase::new(2, first, move |due, d: &mut Draft<'_, Count>| {
        d.delete::<Alarm>(&of(&due));
        d.add(&TOTAL, &pot(), 10.into());
        d.tell_all("An alarm rings.");
    });
    let alarm = alarm.lapse(move |due, d| {
        let until = d.put_off(&due);
        d.edit::<Alarm>(&of(&due), |alarm| alarm.at = if alarm.stubborn { alarm.at } else { until });
    });
    let swing = |d: &mut Draft<'_, Count>| {
        let tilt = hands(d).tilt;
        if tilt > 0 {
            d.upsert(&(), |hands: &mut Hands| hands.tilt = 3 - tilt);
        }
        tilt > 0
    };
    let cut = |d: &mut Draft<'_, Count>| {
        let over = total(d) > Num::from(100);
        if over {
            d.set(&TOTAL, &pot(), Num::from(100));
        }
        over
    };
    let number =
        Mechanic::new("number").act(raise).act(spend).act(roll).act(Act::plain("look", |_| Ok(Document::say("seen"))));
    let monday = monday.lapse(|due, d| d.upsert(&(), |hands: &mut Hands| hands.monday = Some(due.at)));
    let mondays = Mechanic::new("mondays").table::<Hands>().phase(monday);
    let notes =
        Mechanic::new("notes").table::<Note>().act(note).act(pair).act(praise).act(boast).act(tilt).settle(swing);
    let alarms =
        Mechanic::new("alarms").table::<Alarm>().act(Act::new("alarm", set(false))).act(Act::new("siren", set(true)));
    // It says that it did something, and did nothing.
    let idle = Mechanic::new("idle").settle(|_| true);
    Mechanics::new(vec![idle, number, mondays, notes, alarms.phase(alarm), bells(), Mechanic::new("cut").settle(cut)])
}

impl Game for Count {
    const NAME: &'static str = "count";

    fn keys() -> &'static [LiveKey] {
        &[]
    }

    fn mechanics() -> &'static Mechanics<Self> {
        static ALL: LazyLock<Mechanics<Count>> = LazyLock::new(count);
        &ALL
    }

    fn open(_: &serde_json::Map<String, Json>, d: &mut Draft<'_, Self>) -> Outcome {
        let range = Range::Num { min: Some(0.into()), max: None, whole: true };
        let default = Value::Num(0.into());
        d.op(Op::Define(AttrDef { id: "total".into(), scope: "pot".into(), range, default, by: None }));
        d.op(Op::Create { obj: pot(), kind: "pot".into() });
        let at = next_week(d.at);
        d.upsert(&(), |hands: &mut Hands| hands.monday = Some(seconds_after(at, -1)));
        Ok(Document::say("open"))
    }

    fn guard(_: &Needs, _: &Draft<'_, Self>) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Speech for Count {
    const CHIEF: &'static str = "show";

    fn rulings() -> &'static str {
        ""
    }
}

/// A room that is played by hand: every step is folded again from its entry, and must come out the same.
struct Play {
    engine: Engine<Count>,
    again: Engine<Count>,
    seed: Seed,
    now: Instant,
    journal: Vec<String>,
    acts: Vec<Option<String>>,
}

impl Play {
    fn open() -> Self {
        let now: Instant = "2026-11-02T10:00:00Z".parse().unwrap();
        let (engine, again) = (Engine::default(), Engine::default());
        let mut play = Self { engine, again, seed: Seed([1; 32]), now, journal: Vec::new(), acts: Vec::new() };
        let (name, zone) = ("main".to_owned(), "UTC".to_owned());
        let options = serde_json::Map::new();
        play.moderate(Moderation::Open { name, clock: ClockMode::Live, zone, forum: None, options }).unwrap();
        play
    }

    fn deed(&mut self, deed: Deed) -> Result<Step, Refusal> {
        let fresh = Seed([self.journal.len() as u8 + 2; 32]);
        let context = Context {
            now: self.now,
            seed: self.seed.clone(),
            fresh,
            salt: [0; 16],
            opened: Default::default(),
            would_be: Vec::new(),
            fixed: VecDeque::new(),
        };
        let before = self.engine.state.clone();
        let step = self.engine.decide(deed, &context);
        assert_eq!(before, self.engine.state, "deciding changes nothing");
        let step = step?;
        if let Some(entry) = &step.entry {
            assert_eq!(self.again.audit(entry).unwrap(), Vec::<String>::new(), "an entry fits what it follows");
            let after: Json = serde_json::from_slice(&step.after.snapshot()).unwrap();
            let folded: Json = serde_json::from_slice(&self.again.snapshot()).unwrap();
            assert_eq!(after, folded, "an entry folds to the state that its decision left");
            self.journal.push(entry.clone());
            self.acts.push(step.act.clone());
            assert!(self.engine.restore(&step.after.snapshot()));
        }
        if let Some(seed) = &step.reseeded {
            self.seed = seed.clone();
        }
        Ok(step)
    }

    fn act(&mut self, invocation: Json) -> Result<Step, Refusal> {
        self.does(invocation, false)
    }

    fn does(&mut self, invocation: Json, private: bool) -> Result<Step, Refusal> {
        let by = Doer { person: "p1".into(), name: "Ann".to_owned() };
        let (command, public, forum, followed) = ("try".to_owned(), !private, None, false);
        self.deed(Deed::Act { by, command, invocation, public, private, forum, followed })
    }

    fn moderate(&mut self, act: Moderation) -> Result<Step, Refusal> {
        self.deed(Deed::Moderate { by: Doer { person: "p9".into(), name: "Mo".to_owned() }, act })
    }

    fn run_due(&mut self) -> usize {
        let mut count = 0;
        while let Some(due) = self.engine.state.next_due().filter(|due| due.at <= self.now) {
            self.deed(Deed::Due(due)).unwrap();
            count += 1;
        }
        count
    }

    fn context(&self) -> Context {
        let (now, seed, fresh) = (self.now, self.seed.clone(), Seed([9; 32]));
        Context {
            now,
            seed,
            fresh,
            salt: [0; 16],
            opened: Default::default(),
            would_be: Vec::new(),
            fixed: VecDeque::new(),
        }
    }

    fn past(&self, from: Seq) -> (Engine<Count>, Vec<Recorded>) {
        let mut before = Engine::default();
        let from = usize::try_from(from).unwrap() - 1;
        self.journal[..from].iter().for_each(|entry| before.fold(entry).unwrap());
        let past = self.journal.iter().zip(&self.acts).skip(from);
        (
            before,
            past.map(|(entry, act)| Recorded { entry: entry.clone(), act: act.clone(), opened: Default::default() })
                .collect(),
        )
    }

    fn undo(&mut self, seq: Seq) -> Result<Step, Refusal> {
        let mut from = seq;
        let replayed = loop {
            let (before, past) = self.past(from);
            let stop = AtomicBool::new(false);
            let bench = Bench { open: &|_| None, cache: &(), stop: &stop, progress: &|_, _| {} };
            match before.replay(seq, &past, &self.context(), &bench)? {
                Replay::From(earlier) => from = earlier,
                Replay::Done(replayed) => break replayed,
            }
        };
        self.moderate(Moderation::Undo { replayed, reason: "slip".to_owned(), sure: true })
    }

    fn notes(&self) -> Vec<(u64, u32)> {
        self.engine.state.rows::<Note>().iter().map(|(number, note)| (*number, note.praised)).collect()
    }

    fn total(&self) -> String {
        self.engine.state.world.value(&Path::new("pot/main", "total")).to_string()
    }
}

fn clock(mode: ClockMode) -> Moderation {
    Moderation::Clock { mode, reason: None }
}

mod aside;
mod undoing;

#[test]
fn what_follows_without_end_is_stopped_and_told_once() {
    let mut play = Play::open();
    let warned = |step: &Step| step.says.iter().filter(|say| say.to == Audience::Moderators).count();
    let step = play.act(json!({"tilt": {"by": 1}})).unwrap();
    assert_eq!(warned(&step), 1);
    assert!(step.entry.unwrap().contains("came to no end: it was stopped after 10000 steps"));
    assert_eq!(warned(&play.act(json!({"raise": {"by": 1}})).unwrap()), 0, "once");
    assert_eq!(warned(&play.act(json!({"tilt": {"by": 0}})).unwrap()), 0);
    assert!(!play.engine.state.frame.unsettled);
    assert_eq!(warned(&play.act(json!({"tilt": {"by": 1}})).unwrap()), 1, "and again after it had come to an end");
}

#[test]
fn what_is_refused_changes_nothing_and_what_shows_makes_no_entry() {
    let mut play = Play::open();
    assert!(play.act(json!({"raise": {"by": -5}})).is_err());
    assert_eq!(play.act(json!("look")).unwrap().entry, None);
    assert!(play.act(json!({"fly": {}})).unwrap_err().say.contains("cannot do that"));
    assert_eq!((play.total(), play.journal.len()), ("0".to_owned(), 1));
}

#[test]
fn whenever_clauses_follow_the_complete_deed() {
    let mut play = Play::open();
    play.act(json!({"raise": {"by": 70}})).unwrap();
    play.act(json!({"raise": {"by": 70}})).unwrap();
    assert_eq!(play.total(), "100");
}

#[test]
fn every_instant_that_passed_happens_with_its_own_time() {
    let mut play = Play::open();
    play.act(json!({"raise": {"by": 3}})).unwrap();
    play.now = days_after(play.now, 21);
    assert_eq!(play.run_due(), 3);
    let ats: Vec<Json> =
        play.journal[2..].iter().map(|entry| serde_json::from_str::<Json>(entry).unwrap()["at"].clone()).collect();
    assert_eq!(ats, [json!("2026-11-09T00:00:00Z"), json!("2026-11-16T00:00:00Z"), json!("2026-11-23T00:00:00Z")]);
    assert_eq!(play.total(), "24");
}

#[test]
fn corrections_stay_in_range_and_name_what_there_is() {
    let mut play = Play::open();
    for (path, to) in
        [("pot/main.total", "-1"), ("pot/main.total", "1/2"), ("pot/main.total", "many"), ("pot/other.total", "1")]
    {
        let act = Moderation::Correct { path: path.to_owned(), to: to.to_owned(), reason: "audit".to_owned() };
        assert!(play.moderate(act).is_err(), "{path} {to}");
    }
    let act = Moderation::Correct { path: "pot/main.total".into(), to: "7".into(), reason: "audit".into() };
    let step = play.moderate(act).unwrap();
    assert!(matches!(step.cause, Cause::Moderator { ref act, .. } if act == "correct"));
    assert_eq!(play.total(), "7");
}

#[test]
fn a_note_tells_moderators_and_changes_nothing() {
    let mut play = Play::open();
    let (total, due) = (play.total(), play.engine.state.next_due());
    let note = Moderation::Note { text: "A network is lost.".to_owned(), forum: None };
    let step = play.moderate(note).unwrap();
    assert!(matches!(step.cause, Cause::Moderator { ref act, .. } if act == "note"));
    let heard: Vec<&Audience> = step.says.iter().map(|say| &say.to).collect();
    assert_eq!(heard, [&Audience::Moderators]);
    assert!(step.entry.is_some_and(|entry| entry.contains("A network is lost.") && !entry.contains("changes")));
    assert_eq!((play.total(), play.engine.state.next_due()), (total, due));
    let forum = Some("net/#b".into());
    let step = play.moderate(Moderation::Note { text: "A channel is lost.".to_owned(), forum }).unwrap();
    let heard: Vec<&Audience> = step.says.iter().map(|say| &say.to).collect();
    assert_eq!(heard, [&Audience::Forum("net/#b".into()), &Audience::Moderators]);
}

#[test]
fn what_falls_into_a_pause_does_not_happen() {
    let mut play = Play::open();
    play.act(json!({"raise": {"by": 3}})).unwrap();
    play.moderate(clock(ClockMode::Paused(play.now))).unwrap();
    assert!(play.act(json!({"raise": {"by": 3}})).unwrap_err().say.contains("paused"));
    play.now = days_after(play.now, 15);
    assert_eq!(play.run_due(), 0);
    play.moderate(clock(ClockMode::Live)).unwrap();
    assert_eq!((play.total(), play.run_due()), ("3".to_owned(), 0));
    play.now = days_after(play.now, 7);
    assert_eq!((play.run_due(), play.total()), (1, "6".to_owned()));
}

#[test]
fn a_clock_moved_by_hand_goes_forward_only() {
    let mut play = Play::open();
    let start = play.now;
    play.moderate(clock(ClockMode::Manual(start))).unwrap();
    play.now = days_after(start, 30);
    assert_eq!(play.engine.state.time(play.now), start);
    play.moderate(clock(ClockMode::Manual(days_after(start, 3)))).unwrap();
    assert!(play.moderate(clock(ClockMode::Manual(start))).unwrap_err().say.contains("cannot go back"));
    assert_eq!(play.engine.state.time(play.now), days_after(start, 3));
}

#[test]
fn seeds_are_promised_before_and_revealed_after_their_draws() {
    let mut play = Play::open();
    let promised = play.engine.state.frame.dice.commitment.clone();
    assert_eq!(promised, Seed([1; 32]).commitment());
    let step = play.act(json!("roll")).unwrap();
    let entry: Json = serde_json::from_str(&step.entry.unwrap()).unwrap();
    assert_eq!(entry["draws"][0]["got"], json!(Seed([1; 32]).number(step.seq, 0, 6)));
    play.now = days_after(play.now, 8);
    assert_eq!(play.run_due(), 2, "a Monday, and another seed");
    let last: Json = serde_json::from_str(play.journal.last().unwrap()).unwrap();
    let fact = &last["changes"][0]["frame"]["reseeded"];
    assert_eq!(fact["revealed"], json!(hex::encode([1; 32])));
    assert_eq!(play.engine.state.frame.dice.commitment, play.seed.commitment());
    assert_ne!(play.engine.state.frame.dice.commitment, promised);
}

#[test]
fn closed_rooms_keep_their_displays_only() {
    let mut play = Play::open();
    play.act(json!({"raise": {"by": 1}})).unwrap();
    play.moderate(Moderation::Close { reason: Some("over".to_owned()) }).unwrap();
    assert!(play.act(json!({"raise": {"by": 1}})).unwrap_err().say.contains("closed"));
    for mode in [ClockMode::Paused(play.now), ClockMode::Manual(play.now)] {
        assert!(play.moderate(clock(mode)).unwrap_err().say.contains("closed"), "{mode:?}");
    }
    for act in [
        Moderation::Correct { path: "toy.number".to_owned(), to: "3".to_owned(), reason: "x".to_owned() },
        Moderation::Give { seat: "player/ann".into(), to: "p9".into(), reason: None },
        Moderation::Bind { rule: "1".into(), key: "x".to_owned(), words: None, reason: "x".to_owned() },
        Moderation::Settle { rule: "1".into(), by_hand: true, reason: "x".to_owned() },
    ] {
        let why = play.moderate(act).unwrap_err();
        assert!(why.say.contains("this room is closed"), "{why}");
    }
    play.now = days_after(play.now, 60);
    assert_eq!(play.run_due(), 0);
    // Taking the entry back that closed it opens it again.
    assert!(play.undo(2).unwrap_err().say.contains("this room is closed"));
    play.undo(play.engine.state.seq).unwrap();
    assert!(!play.engine.state.frame.closed);
}

#[test]
fn an_entry_that_somebody_altered_contradicts_what_it_follows() {
    let mut play = Play::open();
    play.act(json!({"raise": {"by": 70}})).unwrap();
    play.act(json!({"raise": {"by": 70}})).unwrap();
    play.act(json!("roll")).unwrap();
    play.moderate(clock(ClockMode::Manual(play.now))).unwrap();
    play.moderate(clock(ClockMode::Live)).unwrap();
    play.now = days_after(play.now, 8);
    assert_eq!(play.run_due(), 2);
    let told = |from: &str, to: &str| {
        let mut engine = Engine::<Count>::default();
        let mut found = Vec::new();
        let mut altered = 0;
        for entry in &play.journal {
            altered += usize::from(entry.contains(from));
            found.extend(engine.audit(&entry.replacen(from, to, 1)).unwrap());
        }
        assert_eq!(altered, 1, "{from}");
        found.join("\n")
    };
    assert_eq!(told("\"name\":\"main\"", "\"name\":\"other\""), "");
    // Entry 3 adds 70 and then cuts what is over a hundred.
    assert!(told("\"was\":{\"num\":\"140\"}", "\"was\":{\"num\":\"150\"}").contains("total was 140"));
    assert!(told("\"was\":\"live\"", "\"was\":{\"paused\":\"2026-11-02T10:00:00Z\"}").contains("the clock"));
    let revealed = hex::encode([1; 32]);
    let said = told(&format!("\"revealed\":\"{revealed}\""), &format!("\"revealed\":\"{}\"", hex::encode([9; 32])));
    assert!(said.contains("not the one promised for epoch 1"), "{said}");
    assert!(told("\"epoch\":2", "\"epoch\":3").contains("epoch 3 of the dice after epoch 1"));
    let last = format!("\"at\":\"{}\"", play.engine.state.at);
    let early = play.journal.last().unwrap().replacen(&last, "\"at\":\"2026-11-01T00:00:00Z\"", 1);
    let mut engine = Engine::<Count>::default();
    let (_, before) = play.journal.split_last().unwrap();
    before.iter().for_each(|entry| engine.fold(entry).unwrap());
    assert!(engine.audit(&early).unwrap()[0].contains("before the entry that precedes it"));
}

/// Rows of another shape, of no table, and entries that are not the next: nothing is folded that this program does not know.
#[test]
fn what_this_program_cannot_read_is_not_folded() {
    let mut play = Play::open();
    play.act(json!("note")).unwrap();
    let written = play.journal.pop().unwrap();
    let (mut engine, _) = play.past(2);
    let praised = r#""praised":0"#;
    for (from, to, why) in [
        (praised, r#""praised":"often""#, "the row 1 of notes cannot be read"),
        (praised, r#""loved":0"#, "the row 1 of notes cannot be read"),
        (r#""table":"notes""#, r#""table":"later""#, "there is no table later"),
        (r#"{"row":"#, r#"{"later":"#, "unknown variant"),
        (r#"{"seq":2"#, r#"{"seq":3"#, "goes on with entry 3"),
    ] {
        assert!(written.contains(from), "{written}");
        let altered = written.replacen(from, to, 1);
        for told in [engine.clone().fold(&altered).unwrap_err(), engine.clone().audit(&altered).unwrap_err()] {
            assert!(told.seq == 2 && told.why.contains(why), "{told}");
        }
    }
    engine.fold(&written).unwrap();
}

#[test]
fn changes_say_what_they_come_from() {
    let play = Play::open();
    let mut dice = Dice::new(Seed([0; 32]), 2, Default::default());
    let state = (*play.engine.state).clone();
    let mut d = Draft::new(state, play.now, Doer::default(), true, &mut dice, [0; 16]);
    let add = |d: &mut Draft<'_, Count>, by: i64| d.add(&TOTAL, &"pot/main".into(), by.into());
    add(&mut d, 1);
    d.carrying_out("Proposal 1", |d| {
        add(d, 2);
        let fails = d.attempt::<()>(|d| {
            d.carrying_out("Proposal 2", |d| add(d, 3));
            Err(Refusal::new("it cannot be done"))
        });
        assert!(fails.is_err());
        add(d, 4);
        d.carrying_out("Proposal 3", |d| add(d, 5));
    });
    add(&mut d, 6);
    d.as_of("2026-11-01T00:00:00Z".parse().unwrap(), |d| add(d, 6));
    d.come_from(Because { rule: Some("Tax".to_owned()), line: Some(4), ..Because::default() });
    d.has_read("tax", "3");
    add(&mut d, 7);
    d.has_read("tax", "3");
    add(&mut d, 8);
    d.has_read("rate", "1/2");
    add(&mut d, 9);
    let told = d.changes().iter().map(|change| match change {
        Change::By(by) => format!("by {by}"),
        Change::World(Op::Add { by, .. }) => by.to_string(),
        change => format!("{change:?}"),
    });
    let told: Vec<String> = told.collect();
    let past = "by as of 2026-11-01 00:00 UTC";
    let (law, both) = ("by Tax, line 4 of its law (tax 3)", "by Tax, line 4 of its law (rate 1/2, tax 3)");
    assert_eq!(
        told,
        ["1", "by Proposal 1", "2", "4", "by Proposal 3", "5", "by ", "6", past, "6", law, "7", "8", both, "9"]
    );
    let json = serde_json::to_string(d.changes()).unwrap();
    assert!(json.contains(r#"{"by":{"document":"Proposal 1"}}"#) && json.contains(r#"{"by":{}}"#), "{json}");
    assert!(json.contains(r#"{"by":{"rule":"Tax","line":4,"read":{"tax":"3"}}}"#), "{json}");
    let read: Vec<Change> = serde_json::from_str(&json).unwrap();
    assert_eq!(read, d.changes());
}
