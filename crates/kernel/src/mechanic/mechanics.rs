//! All mechanics of a game, asked alike and in their order.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use serde_json::{Value as Json, json};

use super::{
    Made, Mechanic, Refused,
    act::{Act, Judged, Outcome, Tried, parted, unknown},
    display::{Asked, Display, asked, listing, no_display},
    event::Event,
    job::Job,
    phase::{Fate, Lapse, Phase},
    verb::{Said, Verb},
};
use crate::{
    Id, Path, Refusal, Seq,
    directives::Setting,
    display::{Block, COMMON, Cell},
    doer::Doer,
    draft::{Draft, Payer, Supposed},
    entry::Due,
    game::Game,
    own_command::OwnCommand,
    rulebook::LiveKey,
    shape,
    state::State,
    table::{Declared, Tabled},
    viewer::Viewer,
    waiting::Waiting,
    work::{Bench, Work},
};

/// How often the "whenever" clauses of a game are asked after one deed. It is more than any real cascade needs, few
/// enough that two rules which undo each other for ever are stopped within a moment.
pub const SETTLE_MAX_ROUNDS: usize = 10_000;

/// What a game is on, for [`Game::within`].
#[derive(Clone, Copy)]
pub enum Occasion<'a, G: Game> {
    /// Somebody acts, with these arguments.
    Act(&'a Act<G>, &'a Json),
    /// Something fell due.
    Due(&'a Due),
    /// The mechanic of this name does what follows by itself.
    Settle(&'static str),
}

/// Does something with what the game does around it; whatever is done meanwhile is part of it. It comes from the rule
/// that establishes it, unless another one asks for it.
fn within<G: Game, T>(
    on: Occasion<'_, G>,
    rule: Option<&'static str>,
    d: &mut Draft<'_, G>,
    does: impl FnOnce(&mut Draft<'_, G>) -> T,
) -> T {
    d.under_way(|d| match rule.filter(|_| d.comes_from().rule.is_none()) {
        Some(rule) => d.by_rule(rule, &[], |d| G::within(on, d, does)),
        None => G::within(on, d, does),
    })
}

/// The mechanics of a game, in the order in which they do what follows by itself.
pub struct Mechanics<G: Game> {
    all: Vec<Mechanic<G>>,
    /// Where each act stands: its mechanic, and its place there.
    acts: BTreeMap<&'static str, (usize, usize)>,
    /// The shape of its rooms, once somebody asked.
    shape: OnceLock<String>,
}

impl<G: Game> Mechanics<G> {
    /// The mechanics of a game, in their order.
    ///
    /// # Panics
    ///
    /// Where two acts or two tables have one name.
    pub fn new(all: Vec<Mechanic<G>>) -> Self {
        let (mut acts, mut tables) = (BTreeMap::new(), BTreeSet::new());
        for table in all.iter().flat_map(|mechanic| &mechanic.tables) {
            assert!(tables.insert(table.name()), "two tables are called {}", table.name());
        }
        for (at, mechanic) in all.iter().enumerate() {
            for (place, act) in mechanic.acts.iter().enumerate() {
                assert!(acts.insert(act.name, (at, place)).is_none(), "two acts are called {}", act.name);
            }
        }
        Self { all, acts, shape: OnceLock::new() }
    }

    /// The shape of a room of this game ([`shape`]).
    pub(crate) fn shape(&self) -> &str {
        self.shape.get_or_init(|| shape::digest(self.all.iter().flat_map(|mechanic| &mechanic.tables)))
    }

    /// The names of all acts.
    pub fn acts(&self) -> impl Iterator<Item = &'static str> {
        self.acts.keys().copied()
    }

    /// The act of an invocation, and its arguments.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the game has no such act.
    pub fn act<'a>(&self, invocation: &'a Json) -> Result<(&Act<G>, Cow<'a, Json>), Refusal> {
        let (name, args) = parted(invocation)?;
        let (mechanic, place) = self.acts.get(name).ok_or_else(unknown)?;
        Ok((&self.all[*mechanic].acts[*place], args))
    }

    /// What an act is about in this state, where that can change.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the game has no such act.
    pub fn about(&self, state: &State<G>, invocation: &Json) -> Result<Option<String>, Refusal> {
        let (act, args) = self.act(invocation)?;
        Ok(act.about.as_ref().and_then(|about| about(&args, state)))
    }

    /// An act as it is meant now, where it leaves something out or names it.
    fn in_full(&self, invocation: &Json, d: &mut Draft<'_, G>) -> Option<Json> {
        let (act, args) = self.act(invocation).ok().filter(|(act, _)| act.unsaid.is_some() || act.binds.is_some())?;
        let mut args = args.into_owned();
        if let Some((arg, number)) = &act.unsaid
            && let Some(args) = args.as_object_mut().filter(|args| args.get(*arg).is_none_or(Json::is_null))
            && let Some(number) = number(d)
        {
            args.insert((*arg).to_owned(), number.into());
        }
        let full = json!({ act.name: act.bound(args, d) });
        (full != *invocation && !invocation.is_string()).then_some(full)
    }

    /// An act as it is kept that is set for later, and so are the acts that it holds: what their words name now they name
    /// then, by ids. Words that name nothing yet stay.
    pub fn bound(&self, invocation: &Json, d: &mut Draft<'_, G>) -> Json {
        let Ok((act, args)) = self.act(invocation) else { return invocation.clone() };
        if invocation.is_string() {
            return invocation.clone();
        }
        let mut args = args.into_owned();
        if let Some(args) = args.as_object_mut() {
            self.bind_steps(args, d);
        }
        json!({ act.name: act.bound(args, d) })
    }

    /// The same of the acts that stand in the arguments of another.
    pub fn bind_steps(&self, args: &mut serde_json::Map<String, Json>, d: &mut Draft<'_, G>) {
        for step in args.values_mut().filter_map(Json::as_array_mut).flatten() {
            if let Some(act) = step.get_mut("act") {
                *act = self.bound(act, d);
            }
        }
    }

    /// Whether no pause stops an act, and no ban.
    pub fn is_unstoppable(&self, state: &State<G>, invocation: &Json) -> bool {
        let act = self.act(invocation).ok();
        act.and_then(|(act, _)| act.unstoppable.as_ref().map(|when| when(state))).unwrap_or(false)
    }

    /// Judges an act and does what it does, by what is asked of every act first.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]; then nothing of it happens.
    pub fn take(&self, invocation: &Json, d: &mut Draft<'_, G>) -> Outcome {
        let full = d.means(invocation, |d| self.in_full(invocation, d));
        let (act, args) = self.act(full.as_ref().unwrap_or(invocation))?;
        let unstoppable = act.unstoppable.as_ref().is_some_and(|when| when(d));
        let tried = Tried { act: act.name, args: &args, unstoppable };
        let refused = self.all.iter().flat_map(|mechanic| &mechanic.refused);
        let awaiting: Vec<&Refused<G>> = refused.filter(|refused| (refused.awaits)(&tried, d)).collect();
        // Within something else it is for that to go on or not: it is told of a refusal, whatever follows that.
        if !d.is_outermost() || awaiting.is_empty() {
            return self.take_now(act, &tried, d);
        }
        let why = match d.attempt(|d| self.take_now(act, &tried, d)) {
            Ok(done) => return Ok(done),
            Err(why) => why,
        };
        let Some(answer) = awaiting.iter().find_map(|refused| (refused.follows)(&tried, &why, d)) else {
            return Err(why);
        };
        d.is_undone(why);
        self.follow(None, d);
        Ok(answer)
    }

    fn take_now(&self, act: &Act<G>, tried: &Tried<'_>, d: &mut Draft<'_, G>) -> Outcome {
        let (mut args, unstoppable) = (Cow::Borrowed(tried.args), tried.unstoppable);
        self.all.iter().flat_map(|mechanic| &mechanic.bars).try_for_each(|bars| bars(d))?;
        for before in self.all.iter().flat_map(|mechanic| &mechanic.before) {
            match before(&Tried { act: act.name, args: &args, unstoppable }, d)? {
                Judged::AsItIs => {}
                Judged::With(other) => args = Cow::Owned(other),
            }
        }
        let taken = |d: &mut Draft<'_, G>| {
            G::guard(&act.needs, d)?;
            (act.takes)(&args, d)
        };
        let (by, rule) = (d.actor_seat(), act.needs.rules.first().copied());
        let done = d.in_act_of(by, |d| d.acting(|d| within(Occasion::Act(act, &args), rule, d, taken)))?;
        self.follow(Some(&Tried { act: act.name, args: &args, unstoppable }), d);
        Ok(done)
    }

    /// Lets mechanics follow what was changed, where no act changed it.
    pub(crate) fn followed(&self, d: &mut Draft<'_, G>) {
        self.follow(None, d);
    }

    fn follow(&self, tried: Option<&Tried<'_>>, d: &mut Draft<'_, G>) {
        for mechanic in self.all.iter().filter(|mechanic| !mechanic.after.is_empty()) {
            let follows = |d: &mut Draft<'_, G>| mechanic.after.iter().for_each(|after| after(tried, d));
            G::within(Occasion::Settle(mechanic.name), d, follows);
        }
    }

    /// The commands that the room has by its own rules.
    pub fn commands(&self, state: &State<G>) -> Vec<Arc<OwnCommand>> {
        self.all.iter().flat_map(|mechanic| &mechanic.commands).flat_map(|commands| commands(state)).collect()
    }

    /// The phase of what is due, with the rule that establishes its mechanic.
    fn phase(&self, due: &Due) -> Option<(Option<&'static str>, &Phase<G>)> {
        let mut all = self.all.iter().flat_map(|of| of.phases.iter().map(|phase| (of.rule, phase)));
        all.find(|(_, phase)| phase.ranks.contains(&due.rank))
    }

    fn rests(&self, state: &State<G>) -> bool {
        self.all.iter().flat_map(|mechanic| &mechanic.rests).any(|rests| rests(state))
    }

    /// All that happens by itself by now or later, phase by phase.
    pub(crate) fn dues(&self, state: &State<G>) -> Vec<Due> {
        if self.rests(state) {
            return Vec::new();
        }
        self.all.iter().flat_map(|mechanic| &mechanic.phases).flat_map(|phase| (phase.comes)(state)).collect()
    }

    /// How many of them are the same: what shares an instant and a key is done one by one.
    pub(crate) fn count_due(&self, state: &State<G>, due: &Due) -> usize {
        self.dues(state).iter().filter(|other| *other == due).count()
    }

    /// The next of them, at whatever instant, but for what is set aside.
    pub fn next_due(&self, state: &State<G>) -> Option<Due> {
        self.next_of(state, |_| true)
    }

    /// The same among some of them.
    pub(crate) fn next_of(&self, state: &State<G>, wanted: impl Fn(&Due) -> bool) -> Option<Due> {
        let dues = self.dues(state).into_iter().filter(|due| !state.frame.is_aside(due) && wanted(due));
        dues.min_by_key(|due| (due.at, due.rank))
    }

    /// The sealed things that must be open to do what is due.
    pub fn opens(&self, state: &State<G>, due: &Due) -> Vec<Id> {
        let own = self.phase(due).and_then(|(_, phase)| phase.opens.as_ref());
        own.into_iter().flat_map(|opens| opens(state, due)).chain(self.opens_always(state)).collect()
    }

    /// The sealed things that must be open whatever is done: what a rule reads of them, nobody knows before.
    pub fn opens_always(&self, state: &State<G>) -> Vec<Id> {
        self.all.iter().flat_map(|mechanic| &mechanic.opens).flat_map(|opens| opens(state)).collect()
    }

    /// What an act by somebody supposes to have been otherwise; without one, what is due.
    pub fn supposes(&self, state: &State<G>, act: Option<(&Doer, &Json)>) -> Vec<Supposed> {
        let all = self.all.iter().filter_map(|mechanic| mechanic.supposes.as_ref());
        all.flat_map(|supposes| (supposes.wants)(state, act)).collect()
    }

    /// Makes something so that is supposed, from the room as the journal has it.
    ///
    /// # Errors
    ///
    /// Why it cannot be so.
    pub fn make_so(&self, number: u64, recorded: &State<G>, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
        let mut all = self.all.iter().filter_map(|mechanic| mechanic.supposes.as_ref());
        all.try_for_each(|supposes| (supposes.makes)(number, recorded, d))
    }

    /// Does what is due.
    pub fn due(&self, due: &Due, d: &mut Draft<'_, G>) {
        if let Some((rule, phase)) = self.phase(due) {
            d.payer = Payer::Each;
            within(Occasion::Due(due), rule, d, |d| (phase.does)(due.clone(), d));
            self.follow(None, d);
        }
    }

    /// Marks what was due inside a moderator's pause as not happening, or does what its fate is.
    pub fn lapse(&self, due: &Due, d: &mut Draft<'_, G>) {
        if let Some(lapse) = self.phase(due).and_then(|(_, phase)| phase.lapse.as_ref()) {
            lapse(due.clone(), d);
        }
    }

    /// What something that is due inside a moderator's pause is called, and what becomes of it.
    pub fn fate(&self, state: &State<G>, due: &Due) -> Lapse {
        let fate = self.phase(due).and_then(|(_, phase)| phase.fate.as_ref());
        fate.map_or_else(|| Lapse { what: due.key.to_string(), fate: Fate::Never }, |fate| fate(state, due))
    }

    /// What something due is called; by its key where it has no other name.
    pub fn called(&self, state: &State<G>, due: &Due) -> String {
        let what = self.fate(state, due).what;
        if *what == *due.key { what.replace(['/', '-'], " ") } else { what }
    }

    /// Brings into being what the rules say by now, in the midst of a body.
    pub fn begin(&self, d: &mut Draft<'_, G>) {
        let mut begin = || self.all.iter().flat_map(|mechanic| &mechanic.begins).any(|begins| begins(d));
        let _ends = (0..SETTLE_MAX_ROUNDS).any(|_| !begin());
    }

    /// Judges what a directive changed, from some change on.
    ///
    /// # Errors
    ///
    /// Why it may not change that.
    pub fn judge(&self, from: usize, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
        self.all.iter().flat_map(|mechanic| &mechanic.judges).try_for_each(|judge| judge(from, d))
    }

    /// Puts in order what was changed, before anything follows from it; whether anything was to do.
    pub fn ready(&self, d: &mut Draft<'_, G>) -> bool {
        self.all.iter().flat_map(|mechanic| &mechanic.readies).filter(|ready| ready(d)).count() > 0
    }

    /// Does one of the things that follow by themselves; whether it did.
    pub fn settle(&self, d: &mut Draft<'_, G>) -> bool {
        !self.rests(d) && self.all.iter().any(|mechanic| mechanic.settles(d))
    }

    /// Does all that follows by itself; whether that comes to an end.
    pub fn settle_all(&self, d: &mut Draft<'_, G>) -> bool {
        (0..SETTLE_MAX_ROUNDS).any(|_| !self.settle(d))
    }

    /// Tells every mechanic of what happens around the rules.
    pub fn tell(&self, event: &Event<'_, G>, d: &mut Draft<'_, G>) {
        for mechanic in &self.all {
            mechanic.hears.iter().for_each(|hears| match mechanic.rule {
                Some(rule) => d.by_rule(rule, &[], |d| hears(event, d)),
                None => hears(event, d),
            });
        }
    }

    /// Tells every mechanic, in the order of the list, of something that happened by the rules.
    pub fn happened(&self, what: &'static str, with: &Json, d: &mut Draft<'_, G>) {
        self.tell(&Event::Happened(what, with), d);
    }

    /// Tells every mechanic, in the order of the list, that an instant of the game's time has come.
    pub fn instant(&self, names: &[(&'static str, i64)], d: &mut Draft<'_, G>) {
        self.tell(&Event::Instant(names), d);
    }

    /// Corrects an attribute from which more follows than its value; nothing where nothing does.
    pub fn correct_value(&self, at: &Path, to: &str, d: &mut Draft<'_, G>) -> Option<Result<(), Refusal>> {
        self.all.iter().flat_map(|mechanic| &mechanic.corrects_value).find_map(|corrects| corrects(at, to, d))
    }

    /// Corrects something that is no attribute of the world.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where no mechanic has such a place, or it may not be so.
    pub fn correct(&self, path: &str, to: &str, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
        let corrected =
            self.all.iter().flat_map(|mechanic| &mechanic.corrects).find_map(|corrects| corrects(path, to, d));
        corrected.unwrap_or_else(|| Err(Refusal::new(format!("nothing here is called “{path}”")).instead(G::CHIEF)))
    }

    fn jobs(&self) -> impl Iterator<Item = &Job<G>> {
        self.all.iter().flat_map(|mechanic| &mechanic.jobs)
    }

    fn job(&self, id: &str) -> Option<&Job<G>> {
        self.jobs().find(|job| id.starts_with(job.prefix))
    }

    /// The long work that the room waits for, if any.
    pub fn work(&self, state: &State<G>) -> Option<Work> {
        self.jobs().find_map(|job| (job.next)(state))
    }

    /// Plays a long work, away from the room.
    pub fn play(&self, work: &Work, bench: &Bench<'_>) -> Option<Json> {
        self.job(&work.id).and_then(|job| (job.play)(work, bench))
    }

    /// Takes the result of a long work in.
    pub fn finish(&self, work: &str, result: Json, d: &mut Draft<'_, G>) {
        if let Some(job) = self.job(work) {
            d.payer = Payer::Each;
            (job.finish)(result, d);
        }
    }

    /// The sealed things that the state promises by their hashes.
    pub fn seals(&self, state: &State<G>) -> Vec<(Id, String)> {
        self.all.iter().flat_map(|mechanic| &mechanic.seals).flat_map(|seals| seals(state)).collect()
    }

    /// Whether everybody may read something sealed.
    pub fn is_open(&self, state: &State<G>, secret: &str) -> bool {
        self.all.iter().flat_map(|mechanic| &mechanic.is_open).any(|is_open| is_open(state, secret))
    }

    /// The seat that may read something sealed beside whoever sealed it.
    pub fn reader(&self, state: &State<G>, secret: &str) -> Option<Id> {
        self.all.iter().flat_map(|mechanic| &mechanic.readers).find_map(|reader| reader(state, secret))
    }

    /// What made something that is no value of the world.
    pub fn made(&self, state: &State<G>, what: &str) -> Option<Made> {
        self.all.iter().flat_map(|mechanic| &mechanic.made).find_map(|made| made(state, what))
    }

    fn verbs(&self) -> impl Iterator<Item = &Verb<G>> {
        self.all.iter().flat_map(|mechanic| &mechanic.verbs)
    }

    /// The words that directives of this game's own begin with.
    pub fn own_verbs(&self) -> impl Iterator<Item = &'static str> {
        self.verbs().map(|verb| verb.begins[0])
    }

    /// Whether a directive begins with words of this game's own.
    pub fn owns(&self, words: &str) -> bool {
        self.verbs().any(|verb| verb.rest(words).is_some())
    }

    /// Does what a directive in this game's own words says.
    ///
    /// # Errors
    ///
    /// Why it cannot be done.
    pub fn own(
        &self,
        words: &str,
        text: Option<&str>,
        setting: &Setting<'_>,
        d: &mut Draft<'_, G>,
    ) -> Result<Option<String>, Refusal> {
        let words = words.trim();
        let verb = self.verbs().find_map(|verb| Some((verb, verb.rest(words)?)));
        let (verb, rest) = verb.ok_or_else(|| Refusal::new(format!("nothing here is done by “{words}”")))?;
        (verb.does)(Said { words, rest: rest.trim(), text, setting }, d)
    }

    /// What else differs between two states by the rules of this game, a line each.
    pub fn differs(&self, before: &State<G>, after: &State<G>) -> Vec<String> {
        self.all.iter().flat_map(|mechanic| &mechanic.differs).flat_map(|differs| differs(before, after)).collect()
    }

    /// Whether a mechanic says itself what else differs in a table.
    pub(crate) fn tells(&self, table: &str) -> bool {
        let mut telling = self.all.iter().filter(|mechanic| !mechanic.differs.is_empty());
        telling.any(|mechanic| mechanic.tables.iter().any(|declared| declared.name() == table))
    }

    /// How a rule is played otherwise than it reads, in sentences.
    pub fn notes(&self, state: &State<G>, rule: &Id) -> Vec<String> {
        self.all.iter().flat_map(|mechanic| &mechanic.notes).flat_map(|notes| notes(state, rule)).collect()
    }

    /// The figures that a room plays by: those of its game, and those that its own rules declare.
    pub fn keys(&self, state: &State<G>) -> impl Iterator<Item = &'static LiveKey> {
        let own = self.all.iter().flat_map(|mechanic| &mechanic.figures).flat_map(|figures| figures(state));
        G::keys().iter().chain(own.collect::<Vec<_>>())
    }

    /// What a rule brings about, below it.
    pub fn under(&self, state: &State<G>, rule: &Id) -> Vec<Block> {
        self.all.iter().flat_map(|mechanic| &mechanic.under).flat_map(|under| under(state, rule)).collect()
    }

    /// What the rules allow, and nobody may want, in sentences.
    pub fn warnings(&self, state: &State<G>) -> Vec<String> {
        self.all.iter().flat_map(|mechanic| &mechanic.warns).flat_map(|warns| warns(state)).collect()
    }

    /// What a script would add as the law of a rule.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check(&self, state: &State<G>, script: &str) -> Outcome {
        let checks = self.all.iter().find_map(|mechanic| mechanic.checks.as_ref());
        checks.map_or_else(|| Err(Refusal::new("the rules of this game hold no laws")), |checks| checks(state, script))
    }

    /// What waits for people.
    pub fn waiting(&self, state: &State<G>) -> Vec<Waiting> {
        self.all.iter().flat_map(|mechanic| &mechanic.waits).flat_map(|waits| waits(state)).collect()
    }

    /// The proposals that wait, each with its number and its text.
    pub fn proposed(&self, state: &State<G>) -> Vec<(u64, String)> {
        let proposals = self.all.iter().find_map(|mechanic| mechanic.proposals.as_ref());
        proposals.map(|proposals| (proposals.waiting)(state)).unwrap_or_default()
    }

    /// The room as it would be if a proposal passed now.
    ///
    /// # Errors
    ///
    /// Where there is no such proposal, or it would do nothing.
    pub fn passed(&self, state: &State<G>, number: u64) -> Result<State<G>, Refusal> {
        let proposals = self.all.iter().find_map(|mechanic| mechanic.proposals.as_ref());
        let Some(proposals) = proposals else { return Err(Refusal::new("this game has no proposals")) };
        (proposals.passed)(state, number)
    }

    fn displays(&self) -> impl Iterator<Item = &Display<G>> {
        self.all.iter().flat_map(|mechanic| &mechanic.displays)
    }

    /// The display of an id, and what it is asked with.
    fn display<'a>(&self, state: &State<G>, id: &'a str) -> Option<(&Display<G>, &'a str)> {
        let (name, rest) = asked(id);
        let parts = if rest.is_empty() { 0 } else { rest.split('/').count() };
        let named = self.displays().find(|display| display.names.contains(&name) && (display.fits)(parts));
        // Words of a name come parted like the parts of an id.
        let joined = id.trim_matches('/').replace('/', "-");
        let is = |name: &str| name == id.trim_matches('/') || name == joined;
        let has = |cell: &Cell| cell.completes.as_deref().is_some_and(is);
        let own = || {
            let mut own = self.displays().filter(|display| display.among.is_some());
            let knows =
                |display: &Display<G>| display.knows.as_ref().is_some_and(|knows| knows(state, id.trim_matches('/')));
            own.find(|display| {
                display.among.as_ref().is_some_and(|among| among(state).iter().any(has)) || knows(display)
            })
        };
        let other = || self.displays().find(|display| display.names.is_empty() && display.among.is_none());
        let whole = || Some((own().or_else(other)?, id.trim_matches('/')));
        named.map(|display| (display, rest)).or_else(whole)
    }

    /// Whether a display of this name is there whatever the rules say.
    pub fn has_display(&self, name: &str) -> bool {
        COMMON.iter().any(|(common, _)| *common == name) || self.displays().any(|display| display.names.contains(&name))
    }

    /// The displays that anybody would look at unasked, the chief ones first.
    pub fn listed(&self, state: &State<G>) -> Vec<Cell> {
        let mut listed: Vec<&Display<G>> = self.displays().filter(|display| display.listed.is_some()).collect();
        listed.sort_by_key(|display| display.listed);
        let cells =
            |display: &Display<G>| match (display.beside.as_ref().or(display.among.as_ref()), display.names.first()) {
                (Some(beside), _) => beside(state),
                // What depends on who looks has no place where everybody sees it.
                (None, Some(name)) if display.personal => vec![Cell::named(*name)],
                (None, name) => name.into_iter().map(|name| listing(name)).collect(),
            };
        listed.into_iter().flat_map(cells).collect()
    }

    /// A view of the state.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where there is no such display, or the viewer may not see it.
    pub fn show(&self, state: &State<G>, id: &str, viewer: &Viewer) -> Outcome {
        let (display, rest) = self.display(state, id).ok_or_else(no_display::<G>)?;
        (display.show)(state, Asked { rest, viewer })
    }

    /// The sealed things that a display judges by, for a viewer who may read them.
    pub fn reads(&self, state: &State<G>, id: &str, viewer: &Viewer) -> Vec<Id> {
        let reads = self.display(state, id).and_then(|(display, _)| display.reads.as_ref());
        reads.map(|reads| reads(state, viewer)).unwrap_or_default()
    }

    /// Whether a display is for its viewer's eyes alone.
    pub fn is_personal(&self, state: &State<G>, id: &str) -> bool {
        self.display(state, id).is_some_and(|(display, _)| display.personal)
    }

    /// The entry as of which a display is best seen, where that is not the last one.
    pub fn seen_at(&self, state: &State<G>, id: &str) -> Option<Seq> {
        let (display, rest) = self.display(state, id)?;
        display.seen_at.as_ref().and_then(|seen_at| seen_at(state, rest))
    }
}

impl<G: Game> Tabled for G {
    fn tables() -> Box<dyn Iterator<Item = &'static Declared<Self>>> {
        Box::new(G::mechanics().all.iter().flat_map(|mechanic| &mechanic.tables))
    }
}

impl<G: Game> Mechanic<G> {
    /// Does one of the things that follow from this mechanic by themselves; whether it did.
    fn settles(&self, d: &mut Draft<'_, G>) -> bool {
        // What changes nothing would follow for ever.
        let does = |d: &mut Draft<'_, G>| {
            let before = d.emitted();
            self.settles.iter().any(|settle| settle(d) && d.emitted() > before)
        };
        !self.settles.is_empty() && within(Occasion::Settle(self.name), self.rule, d, does)
    }
}
