//! Plays a contest for tests: a room on the kernel's engine, its clock in the test's hand, its matches made up or real.
//!
//! After every entry the kit folds the journal anew and compares, and looks for program text where none may be. So each
//! test holds both for its own story.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use serde_json::{Value as Json, json};

use super::{
    game::Joust,
    knights, notation,
    notices::Notice,
    places::{self, Place},
    play::{self, Bout, Job, Played, Told},
    points::POINTS,
    programs::{self, Program},
};
use kernel::{
    Id, Instant, Refusal, State,
    deed::{Deed, Moderation},
    dice::Seed,
    display::{Block, Document, plain},
    doer::Doer,
    engine::{Context, Engine, Recorded, Replay, Step, Table, View},
    entry::{Audience, Entry},
    frame::ClockMode,
    viewer::Viewer,
    work::{Bench, Cache, Work},
};

/// What every program of a kit holds, and nothing that anybody may read.
pub(super) const SECRET: &str = "sekret";

/// How matches end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Made up from strengths and scores, at once.
    Fake,
    /// Played on the machine, at once.
    Real,
    /// Made up, and only when the test says so.
    Held,
}

/// A room under test.
pub(super) struct Kit {
    pub(super) engine: Box<dyn Table>,
    typed: Engine<Joust>,
    pub(super) now: Instant,
    pub(super) mode: Mode,
    pub(super) fixed: VecDeque<(String, u64)>,
    /// Outcomes that were kept, and how often one was put there.
    pub(super) cache: Kept,
    pub(super) secrets: BTreeMap<Id, Vec<u8>>,
    /// Every entry, as journalled.
    pub(super) journal: Vec<String>,
    /// What each was decided from.
    acts: Vec<Option<String>>,
    said: Vec<(Audience, Document)>,
    strengths: BTreeMap<String, i64>,
    scores: BTreeMap<(String, String), (usize, usize)>,
}

#[derive(Default)]
pub(super) struct Kept {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
    pub(super) puts: Mutex<usize>,
}

impl Cache for Kept {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.kept.lock().unwrap().get(key).cloned()
    }
    fn put(&self, key: &str, value: Vec<u8>) {
        *self.puts.lock().unwrap() += 1;
        self.kept.lock().unwrap().insert(key.to_owned(), value);
    }
}

/// An instant of the tests' November 2026; the 2nd, 9th, 16th, 23rd and 30th are Mondays.
pub(super) fn at(text: &str) -> Instant {
    let text = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00") };
    let text = if text.matches(':').count() == 1 { format!("{text}:00") } else { text };
    format!("{text}Z").parse().unwrap()
}

impl Kit {
    /// A room that Goethe opened on Monday 2 November 2026, 08:00; the contest has not begun.
    pub(super) fn waiting() -> Self {
        Self::opened(json!({})).unwrap()
    }

    /// The same, with options.
    pub(super) fn opened(options: Json) -> Result<Self, Refusal> {
        let mut kit = Self {
            engine: Box::new(Engine::<Joust>::default()),
            typed: Engine::default(),
            now: at("2026-11-02T08:00"),
            mode: Mode::Fake,
            fixed: VecDeque::new(),
            cache: Kept::default(),
            secrets: BTreeMap::new(),
            journal: Vec::new(),
            acts: Vec::new(),
            said: Vec::new(),
            strengths: BTreeMap::new(),
            scores: BTreeMap::new(),
        };
        kit.open(options)?;
        kit.heard();
        Ok(kit)
    }

    /// The same, begun at 09:00. Starting programs get strength 10 for joust0 down to 1 for joust9.
    pub(super) fn begun() -> Self {
        let mut kit = Self::waiting();
        for number in 0..10 {
            kit.strength(&format!("joust{number}"), 10 - number);
        }
        kit.to("2026-11-02T09:00");
        kit.act("Goethe", json!({"start": {}})).unwrap();
        kit.heard();
        kit
    }

    fn open(&mut self, options: Json) -> Result<String, Refusal> {
        let Json::Object(options) = options else { unreachable!() };
        let act =
            Moderation::Open { name: "main".into(), clock: ClockMode::Live, zone: "UTC".into(), forum: None, options };
        self.moderate("Goethe", act)
    }

    // ---- what happens

    /// Moves the clock, doing what is due on the way.
    pub(super) fn to(&mut self, text: &str) {
        let now = at(text);
        assert!(now >= self.now, "time goes forward");
        self.now = now;
        self.catch_up();
    }

    /// Moves the clock as if nothing ran meanwhile.
    pub(super) fn sleep_to(&mut self, text: &str) {
        self.now = at(text);
    }

    /// Does what is due.
    pub(super) fn catch_up(&mut self) {
        for _ in 0..1000 {
            let Some(due) = self.engine.view().next_due().filter(|due| due.at <= self.now) else { return };
            self.deed(Deed::Due(due)).unwrap();
        }
        panic!("something is due for ever");
    }

    /// Somebody acts: programs and tests in private, everything else in public.
    pub(super) fn act(&mut self, who: &str, invocation: Json) -> Result<String, Refusal> {
        let command = invocation.as_object().and_then(|map| map.keys().next().cloned()).unwrap_or_default();
        let code = invocation.pointer("/add/code").is_some_and(|code| !code.is_null());
        let public = !matches!(command.as_str(), "submit" | "test" | "retract") && !code;
        self.act_in(public, who, invocation)
    }

    /// Somebody acts, in public or in private.
    pub(super) fn act_in(&mut self, public: bool, who: &str, invocation: Json) -> Result<String, Refusal> {
        self.catch_up();
        let command = invocation.as_object().and_then(|map| map.keys().next().cloned()).unwrap_or_default();
        self.deed(Deed::Act {
            by: doer(who),
            command,
            invocation,
            public,
            private: !public,
            forum: None,
            followed: false,
        })
    }

    /// Somebody submits a program of that name, and it goes well.
    pub(super) fn submit(&mut self, who: &str, name: &str) -> String {
        self.act(who, json!({"submit": {"name": name, "code": code(name)}})).unwrap()
    }

    /// The contestmaster announces an intent; gives the notice's number.
    pub(super) fn intend(&mut self, what: &str, subject: &str, text: &str) -> u64 {
        let text = (!text.is_empty()).then_some(text);
        self.act("Goethe", json!({"intend": {"what": what, "subject": subject, "text": text}})).unwrap();
        *self.state().rows::<Notice>().last().unwrap().0
    }

    /// The contestmaster does what a notice says.
    pub(super) fn carry_out(&mut self, id: u64) -> Result<String, Refusal> {
        self.act("Goethe", json!({"do": {"id": id}}))
    }

    /// Somebody joins.
    pub(super) fn join(&mut self, who: &str) {
        self.act(who, json!({"join": {}})).unwrap();
    }

    /// A moderator acts.
    pub(super) fn moderate(&mut self, who: &str, act: Moderation) -> Result<String, Refusal> {
        self.deed(Deed::Moderate { by: doer(who), act })
    }

    /// A moderator corrects something.
    pub(super) fn correct(&mut self, path: &str, to: &str) -> Result<String, Refusal> {
        self.moderate("op", Moderation::Correct { path: path.into(), to: to.into(), reason: "test".into() })
    }

    /// A moderator takes an entry back.
    pub(super) fn undo(&mut self, seq: u64) -> Result<String, Refusal> {
        let past = self.journal.iter().zip(&self.acts);
        let past: Vec<Recorded> = past
            .map(|(entry, act)| Recorded { entry: entry.clone(), act: act.clone(), opened: Default::default() })
            .collect();
        let context = self.context();
        // What is made up is not played within the undo.
        let replay = |bench: &Bench<'_>| Engine::<Joust>::default().replay(seq, &past, &context, bench);
        let Replay::Done(replayed) = self.at_bench(self.mode != Mode::Real, replay)? else {
            unreachable!("nothing is before the first entry")
        };
        self.moderate("op", Moderation::Undo { replayed, reason: "test".into(), sure: true })
    }

    /// Forgets what an entry was decided from.
    pub(super) fn forget(&mut self, seq: u64) {
        self.acts[usize::try_from(seq).unwrap() - 1] = None;
    }

    /// Does something, and accepts it.
    pub(super) fn deed(&mut self, deed: Deed) -> Result<String, Refusal> {
        let context = self.context();
        self.fixed.clear();
        let before = self.engine.snapshot();
        let step = self.engine.decide(deed, &context);
        assert_eq!(before, self.engine.snapshot(), "deciding changes nothing");
        let reply = self.accept(step?);
        if self.mode != Mode::Held {
            while self.work() {}
        }
        Ok(reply)
    }

    fn context(&self) -> Context {
        let seq = self.engine.view().seq() + 1;
        let mut salt = [0; 16];
        salt[..8].copy_from_slice(&seq.to_be_bytes());
        Context {
            now: self.now,
            seed: Seed([7; 32]),
            fresh: Seed([7; 32]),
            salt,
            opened: Default::default(),
            would_be: Vec::new(),
            fixed: self.fixed.clone(),
        }
    }

    fn accept(&mut self, step: Step) -> String {
        self.fixed = step.fixed;
        let Some(entry) = step.entry else { return plain(&step.reply) };
        assert!(!entry.contains(SECRET), "no entry holds program text");
        assert!(!plain(&step.reply).contains(SECRET), "no reply holds program text");
        self.engine = step.after;
        self.typed.fold(&entry).unwrap();
        assert_eq!(self.typed.snapshot(), self.engine.snapshot(), "folding the journal gives the same state");
        self.journal.push(entry);
        self.acts.push(step.act);
        for sealed in step.seals {
            match sealed.bytes {
                Some(bytes) => self.secrets.insert(sealed.id, bytes),
                None => self.secrets.remove(&sealed.id),
            };
        }
        // The kernel's own announcements of new dice are no part of the game.
        let own = |say: &kernel::entry::Say| !plain(&say.document).starts_with("Dice: ");
        self.said.extend(step.says.into_iter().filter(own).map(|say| (say.to, say.document)));
        plain(&step.reply)
    }

    /// Plays the long work that the room waits for, if any.
    pub(super) fn work(&mut self) -> bool {
        let Some(work) = self.engine.view().work() else { return false };
        // What is a program is never made up.
        let real = self.mode == Mode::Real || work.id.starts_with(notation::WORK);
        let result = if real { self.play(&work).unwrap() } else { self.fake(&work) };
        assert!(!result.to_string().contains(SECRET));
        let mode = std::mem::replace(&mut self.mode, Mode::Held);
        self.deed(Deed::Work { id: work.id, result }).unwrap();
        self.mode = mode;
        true
    }

    /// Plays a work on the machine.
    pub(super) fn play(&self, work: &Work) -> Option<Json> {
        self.at_bench(false, |bench| View::play(self.state(), work, bench))
    }

    /// Hands a bench to something that plays.
    fn at_bench<T>(&self, stops: bool, play: impl FnOnce(&Bench<'_>) -> T) -> T {
        let open = |id: &str| self.secrets.get(id).map(|bytes| Arc::from(bytes.as_slice()));
        play(&Bench { open: &open, cache: &self.cache, stop: &AtomicBool::new(stops), progress: &|_, _| {} })
    }

    /// Makes a work's result up.
    pub(super) fn fake(&self, work: &Work) -> Json {
        let job: Job = serde_json::from_value(work.task.clone()).unwrap();
        let count = job.lengths.len();
        let mut won = 0;
        let mut told = |bout: &Bout| {
            let (left, right) = (self.name(&bout.left), self.name(&bout.right));
            let (left, right) = self.meet(&left, &right, count);
            let letters = [(play::LEFT, left), (play::RIGHT, right), (play::NOBODY, count - left - right)];
            let winners = letters.iter().map(|(letter, times)| letter.to_string().repeat(*times)).collect();
            match bout.tell {
                play::Tell::Total => {
                    won += left;
                    Told::default()
                }
                play::Tell::Winners => Told { winners, details: Vec::new() },
                play::Tell::All => Told { winners, details: vec![("flag".to_owned(), 390); count] },
            }
        };
        let matches = job.bouts.iter().map(&mut told).collect();
        serde_json::to_value(Played::Matches { matches, won }).unwrap()
    }

    fn name(&self, id: &str) -> String {
        let number = id.strip_prefix("program/").and_then(|id| id.parse().ok());
        number.map_or_else(|| id.to_owned(), |id| programs::name_of(&self.state().tables, id))
    }

    fn meet(&self, left: &str, right: &str, count: usize) -> (usize, usize) {
        let key = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        if let Some((one, other)) = self.scores.get(&key(left, right)) {
            return (*one, *other);
        }
        if let Some((other, one)) = self.scores.get(&key(right, left)) {
            return (*one, *other);
        }
        let strength = |name: &str| self.strengths.get(name).copied().unwrap_or_default();
        match strength(left).cmp(&strength(right)) {
            std::cmp::Ordering::Greater => (count, 0),
            std::cmp::Ordering::Less => (0, count),
            std::cmp::Ordering::Equal => (0, 0),
        }
    }

    /// How strong a program is: the stronger one wins every charge.
    pub(super) fn strength(&mut self, name: &str, strength: i64) {
        self.strengths.insert(name.to_owned(), strength);
    }

    /// How many charges each of two programs wins against the other.
    pub(super) fn score(&mut self, left: &str, right: &str, charges: (usize, usize)) {
        self.scores.insert((left.to_owned(), right.to_owned()), charges);
    }

    // ---- what is to be seen

    /// The state.
    pub(super) fn state(&self) -> &State<Joust> {
        self.typed.state()
    }

    /// The names on the Hill, best first.
    pub(super) fn hill(&self) -> Vec<String> {
        let state = self.state();
        places::ranked(&state.tables).into_iter().map(|place| programs::name_of(&state.tables, place.program)).collect()
    }

    /// A program by name.
    pub(super) fn program(&self, name: &str) -> &Program {
        programs::find(&self.state().tables, name).unwrap()
    }

    /// A program's place on the Hill.
    pub(super) fn place(&self, name: &str) -> Option<&Place> {
        places::place(&self.state().tables, self.program(name).id)
    }

    /// Whether a program is on the Hill and a knight at an instant.
    pub(super) fn is_knight(&self, name: &str, when: &str) -> bool {
        let terms = &places::hill(&self.state().tables).terms;
        self.place(name).is_some_and(|place| knights::is_knight(place, terms, at(when)))
    }

    /// A player's points.
    pub(super) fn points(&self, name: &str) -> i64 {
        let state = self.state();
        let seat = state.frame.seats.iter().find(|(_, seat)| seat.name == name).map(|(id, _)| id.clone());
        seat.and_then(|seat| state.world.get(&POINTS, &seat)).and_then(|points| points.to_i64()).unwrap()
    }

    /// What was said in public since the last time.
    pub(super) fn heard(&mut self) -> String {
        let (public, rest) = std::mem::take(&mut self.said).into_iter().partition(|(to, _)| *to == Audience::Public);
        self.said = rest;
        texts(&public)
    }

    /// What was said to somebody alone since the last time.
    pub(super) fn whispered(&mut self, name: &str) -> String {
        let seat = self.state().frame.seats.iter().find(|(_, seat)| seat.name == name).map(|(id, _)| id.clone());
        let is_own = |to: &Audience| match to {
            Audience::Seat(of) | Audience::Reader { seat: of, .. } => seat.as_ref() == Some(of),
            Audience::Moderators => seat.is_none(),
            Audience::Public | Audience::Forum(_) => false,
        };
        let (own, rest) = std::mem::take(&mut self.said).into_iter().partition(|(to, _)| is_own(to));
        self.said = rest;
        texts(&own)
    }

    /// A display as somebody sees it who has no seat.
    pub(super) fn show(&self, id: &str) -> Result<String, Refusal> {
        self.show_to(id, &Viewer::default())
    }

    /// A display as somebody sees it in private.
    pub(super) fn show_own(&self, id: &str, name: &str) -> Result<String, Refusal> {
        let seat = self.state().frame.seats.iter().find(|(_, seat)| seat.name == name).map(|(id, _)| id.clone());
        self.show_to(id, &Viewer { seat, private: true, ..Viewer::default() })
    }

    /// A display as somebody asks for it where everybody sees it.
    pub(super) fn show_in_public(&self, id: &str, name: &str) -> Result<String, Refusal> {
        let seat = self.state().frame.seats.iter().find(|(_, seat)| seat.name == name).map(|(id, _)| id.clone());
        self.show_to(id, &Viewer { seat, ..Viewer::default() })
    }

    fn show_to(&self, id: &str, viewer: &Viewer) -> Result<String, Refusal> {
        let viewer = Viewer { now: self.now, ..viewer.clone() };
        let mut document = View::display(self.state(), id, &viewer)?;
        let played = |block: Block| match block {
            Block::Played { work } => {
                let made: Document = serde_json::from_value(self.play(&work).unwrap()).unwrap();
                made.blocks
            }
            block => vec![block],
        };
        document.blocks = std::mem::take(&mut document.blocks).into_iter().flat_map(played).collect();
        let text = plain(&document);
        assert!(!text.contains(SECRET) && !serde_json::to_string(&document).unwrap().contains(SECRET));
        Ok(text)
    }

    /// The last entry.
    pub(super) fn last_entry(&self) -> Entry {
        serde_json::from_str(self.journal.last().unwrap()).unwrap()
    }
}

fn texts(said: &[(Audience, Document)]) -> String {
    said.iter().map(|(_, document)| plain(document)).collect::<Vec<_>>().join("\n\n")
}

/// Who acts, as the service says it.
fn doer(name: &str) -> Doer {
    Doer { person: format!("person/{}", name.to_lowercase()).into(), name: name.to_owned() }
}

/// A program's text that says in a comment what nobody may read.
pub(super) fn code(name: &str) -> String {
    format!("{SECRET} {} +", name.replace(['-', '_'], " "))
}
