//! A small game for the tests of laws: Ann, Bob and Cid have points, which they give each other; Ann is the Judge.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use serde_json::Value as Json;

use kernel::{
    Act, Draft, Game, Id, Instant, Mechanic, Mechanics, Num, Outcome, Path, Refusal, State, Value,
    deed::{Deed, Moderation},
    dice::{Dice, SEED_BYTES, Seed},
    directives::{Amending, Lawful, Names, Setting, apply, syntax},
    display::{Document, plain},
    doer::Doer,
    draft::{Opened, SALT_BYTES},
    engine::{Context, Engine, Table as _},
    entry::Change,
    frame::{FrameFact, Standing},
    mechanic::Needs,
    rulebook::{LiveKey, RuleSource},
    speech::Speech,
    viewer::Viewer,
    world::{AttrDef, Op, Range},
};

use kit::seats;

use super::{
    declared::SUSPENDED,
    room::{Hosts, PROPOSAL},
    testing::words,
};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Toy;

#[derive(Deserialize)]
struct Give {
    to: String,
    amount: i64,
    #[serde(default)]
    note: Option<String>,
}

fn points() -> Mechanic<Toy> {
    let give = |Give { to, amount, note }: Give, d: &mut Draft<'_, Toy>| {
        let (by, to) = (d.actor()?, Toy::find(d, &to)?);
        Toy::add_value(d, &Path::new(by, "points"), Num::from(-amount))?;
        Toy::add_value(d, &Path::new(to, "points"), Num::from(amount))?;
        Ok(Document::say(note.unwrap_or_default()))
    };
    Mechanic::new("points")
        .act(Act::new("give", give).player())
        .act(Act::plain("leave", |_| Ok(Document::say("gone"))).unstoppable(|_| true))
}

impl Game for Toy {
    const NAME: &'static str = "toy";

    fn keys() -> &'static [LiveKey] {
        &[]
    }
    fn mechanics() -> &'static Mechanics<Self> {
        static ALL: LazyLock<Mechanics<Toy>> =
            LazyLock::new(|| Mechanics::new(vec![points(), crate::mechanic::<Toy>(3, 9)]));
        &ALL
    }
    fn open(_: &serde_json::Map<String, Json>, _: &mut Draft<'_, Self>) -> Outcome {
        Ok(Document::default())
    }
    fn guard(_: &Needs, _: &Draft<'_, Self>) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Speech for Toy {
    const CHIEF: &'static str = "show";

    fn rulings() -> &'static str {
        ""
    }
}

impl Names for Toy {
    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        state.world.of_kind(kind).filter(|obj| Self::taken_for(state, obj).as_ref() == Some(kind)).cloned().collect()
    }
}
impl Amending for Toy {}
impl Lawful for Toy {}

/// Seconds of an nday.
const NDAY: i64 = 86_400;

impl Hosts for Toy {
    const KINDS: &'static [&'static str] = &[PROPOSAL];

    fn time(state: &State<Self>, _at: Instant) -> Vec<(&'static str, Value)> {
        let days = state.at.as_second().div_euclid(NDAY);
        vec![("nday", Value::Num((days.rem_euclid(10) + 1).into())), ("nweek", Value::Num((days / 10).into()))]
    }
    fn taken_for(state: &State<Self>, obj: &Id) -> Option<Id> {
        let rests = state.frame.seats.get(obj).is_some_and(|seat| seat.standing == Standing::Outsider);
        if rests { Some(SUSPENDED.into()) } else { state.world.kind(obj).cloned() }
    }
    fn admit(seat: &Id, d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        seats::stand(d, seat, Standing::Player);
        Ok(())
    }
    fn suspend(seat: &Id, d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        seats::stand(d, seat, Standing::Outsider);
        Ok(())
    }
    fn is_office(_: &State<Self>, name: &str) -> bool {
        name == "Judge"
    }
    fn holders(state: &State<Self>, office: &str) -> Vec<Id> {
        Self::is_office(state, office).then(|| "player/ann".into()).into_iter().collect()
    }
    fn due(state: &State<Self>, words: &str) -> Option<Instant> {
        let count = words.strip_suffix(" ndays").or_else(|| words.strip_suffix(" nday"))?;
        Some(kernel::time::seconds_after(state.at, count.parse::<i64>().ok()? * NDAY))
    }
}

/// Something that is done in a room; what was announced.
pub(crate) type Way<'a> = &'a dyn Fn(&mut Room) -> Vec<String>;

/// A room that is played.
pub(crate) struct Room {
    pub(crate) state: State<Toy>,
    /// What is sealed, with its salt.
    pub(crate) secrets: BTreeMap<Id, Opened>,
    /// How many operations scripts took in what was done last.
    pub(crate) operations: u64,
    /// The same of all that was done.
    pub(crate) all_operations: u64,
    /// How many changes the last made.
    pub(crate) changes: usize,
    /// What those came from, in order.
    pub(crate) sources: Vec<String>,
}

impl Room {
    /// Ann with 5 points, Bob with 2, Cid with none; a rule.
    pub(crate) fn new() -> Self {
        let mut state = State::<Toy>::unopened();
        (state.seq, state.at) = (1, "2026-11-02T10:00:00Z".parse().unwrap());
        let mut room =
            Self { state, secrets: BTreeMap::new(), operations: 0, all_operations: 0, changes: 0, sources: Vec::new() };
        room.does("zed", |d| {
            d.rule(
                RuleSource::parse("constitution", "---\nnumber: 1\ntitle: Constitution\n---\nPlay.").unwrap().enact(""),
            );
            let range = Range::Num { min: Some(0.into()), max: None, whole: true };
            let (id, scope, default) = ("points".into(), "player".into(), Value::Num(0.into()));
            d.op(Op::Define(AttrDef { id, scope, range, default, by: None }));
            for (name, points) in [("ann", 5), ("bob", 2), ("cid", 0)] {
                let (seat, at) = (Id::from(format!("player/{name}")), d.at);
                d.op(Op::Create { obj: seat.clone(), kind: "player".into() });
                d.overwrite(Path::new(seat.clone(), "points"), Value::Num(points.into()));
                let called = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
                let standing = Standing::Player;
                d.frame_fact(FrameFact::Seated { seat, name: called, person: name.into(), standing, at });
            }
        });
        room
    }

    /// The same with a rule that holds a law, by its number.
    pub(crate) fn with(laws: &[(u32, &str)]) -> Self {
        let mut room = Self::new();
        for (number, law) in laws {
            let told = room.law(*number, law).join(" ");
            assert!(!told.contains("cannot be read"), "{told}");
        }
        room
    }

    /// Does something as somebody, with all that follows; what was announced.
    pub(crate) fn does(&mut self, by: &str, something: impl FnOnce(&mut Draft<'_, Toy>)) -> Vec<String> {
        let opens = Toy::mechanics().opens_always(&self.state);
        self.does_with(by, self.opened(opens), something)
    }

    fn opened(&self, ids: Vec<Id>) -> BTreeMap<Id, Option<Opened>> {
        ids.into_iter().map(|id| (id.clone(), self.secrets.get(&id).cloned())).collect()
    }

    fn does_with(
        &mut self,
        by: &str,
        opened: BTreeMap<Id, Option<Opened>>,
        something: impl FnOnce(&mut Draft<'_, Toy>),
    ) -> Vec<String> {
        let mut dice = Dice::new(Seed([1; SEED_BYTES]), self.state.seq + 1, Default::default());
        let doer = Doer { person: by.into(), name: by.to_owned() };
        let mut d =
            Draft::new(self.state.clone(), self.state.at, doer, true, &mut dice, [0; SALT_BYTES]).with_opened(opened);
        something(&mut d);
        assert!(Toy::mechanics().settle_all(&mut d), "what follows comes to no end");
        (self.operations, self.changes) = (d.meter().operations, d.emitted());
        self.all_operations += self.operations + d.all_taken().in_turn;
        let source = |change: &Change| match change {
            Change::By(by) => Some(by.to_string()),
            _ => None,
        };
        self.sources = d.changes().iter().filter_map(source).collect();
        let done = d.finish();
        self.state = done.state;
        for sealed in done.seals {
            match sealed.bytes {
                Some(bytes) => drop(self.secrets.insert(sealed.id, Opened { salt: sealed.salt.to_vec(), bytes })),
                None => drop(self.secrets.remove(&sealed.id)),
            }
        }
        done.says.iter().map(|say| words(&say.document).trim().to_owned()).collect()
    }

    /// Puts a rule into force; what was announced.
    pub(crate) fn rule(&mut self, number: u32, text: &str) -> Vec<String> {
        self.does("zed", |d| {
            let file = format!("---\nnumber: {number}\ntitle: Rule {number}\n---\n{text}");
            d.rule(RuleSource::parse(format!("r{number}"), &file).unwrap().enact(""));
        })
    }

    /// Puts a rule with a law into force; what was announced.
    pub(crate) fn law(&mut self, number: u32, law: &str) -> Vec<String> {
        self.rule(number, &format!("It is so.\n\n```law\n{law}\n```\n"))
    }

    /// Does directives; what was announced.
    pub(crate) fn directives(&mut self, text: &str) -> Vec<String> {
        self.does("zed", |d| {
            let body = syntax::parse(text, &|words| Toy::mechanics().owns(words)).unwrap();
            let setting = Setting { because: "a test", mode: Default::default(), posted: None, tried: false };
            apply(&body, d, &setting).unwrap_or_else(|why| panic!("{why:?}"));
        })
    }

    /// Takes an act of the game's own; the answer or refusal, and what was announced.
    pub(crate) fn native(&mut self, by: &str, act: &str, args: Json) -> (Result<String, String>, Vec<String>) {
        let (mut answer, before) = (None, self.state.clone());
        let said = self.does(by, |d| {
            answer = Some(Toy::mechanics().take(&serde_json::json!({ act: args }), d));
        });
        let answer = answer.expect("it was taken").map(|document| words(&document).trim().to_owned());
        if answer.is_err() {
            self.state = before;
        }
        let said = if answer.is_ok() { said } else { Vec::new() };
        (answer.map_err(|why| why.say), said)
    }

    /// A moderator corrects something, as the engine does it.
    pub(crate) fn corrects(&mut self, path: &str, to: &str) {
        let act = Moderation::Correct { path: path.to_owned(), to: to.to_owned(), reason: "a test".to_owned() };
        let context = Context::bare(self.state.at);
        let mut engine = Engine::of(self.state.clone());
        let step = engine.decide(Deed::Moderate { by: Doer::default(), act }, &context);
        let entry = step.unwrap_or_else(|why| panic!("{path}: {}", why.say)).entry.expect("it is an entry");
        engine.fold(&entry).expect("it folds");
        self.state = engine.state().clone();
    }

    /// Takes a command of a law.
    pub(crate) fn act(&mut self, by: &str, act: &str, args: Json) -> (Result<String, String>, Vec<String>) {
        self.native(by, "law", serde_json::json!({ "act": act, "args": args }))
    }

    /// The same where it is done: what was announced.
    pub(crate) fn acts(&mut self, by: &str, act: &str, args: Json) -> Vec<String> {
        let (answer, said) = self.act(by, act, args);
        answer.unwrap_or_else(|why| panic!("{act}: {why}"));
        said
    }

    /// The same where it is refused: why.
    pub(crate) fn refuses(&mut self, by: &str, act: &str, args: Json) -> String {
        self.act(by, act, args).0.expect_err("it is refused")
    }

    /// Lets time pass, with what falls due.
    pub(crate) fn passes(&mut self, hours: i64) -> Vec<String> {
        let until = kernel::time::seconds_after(self.state.at, hours * 3_600);
        let mut said = Vec::new();
        while let Some(due) = Toy::mechanics().next_due(&self.state).filter(|due| due.at <= until) {
            self.state.at = due.at.max(self.state.at);
            let opens = Toy::mechanics().opens(&self.state, &due);
            let opened = self.opened(opens);
            said.extend(self.does_with("zed", opened, |d| Toy::mechanics().due(&due, d)));
        }
        self.state.at = until;
        said
    }

    /// A display of a law.
    pub(crate) fn shows(&self, display: &str) -> Result<String, String> {
        let page = Toy::mechanics().show(&self.state, display, &Viewer::default());
        page.map(|page| plain(&page)).map_err(|why| why.say)
    }

    /// A value, in words.
    pub(crate) fn value(&self, path: &str) -> String {
        self.state.world.value(&path.parse().unwrap()).to_string()
    }
}
