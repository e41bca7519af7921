//! The room of a game as laws see it: a draft, lent for one call.
//!
//! What a law may set, name and create is judged by the game, as of a directive.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use kernel::{
    Draft, Id, Instant, Num, Outcome, Path, Refusal, State, Value,
    directives::{self, Lawful, Mode, Post, Setting, syntax, wording::folded, words},
    display::Document,
    draft::{Meter, Payer, Taken},
    entry::{Audience, Because, Change},
    own_command::{OwnCommand, is_taken},
    rulebook::{Rule, Rulebook},
    world::{EVERYTHING, Op, World},
};
use kit::{
    docket::{self, Unfit},
    effects,
};

use super::{
    apply::Places,
    ballots::{Poll, Question, Vote},
    budgets, called,
    declared::GAME,
    dockets::{STATE, TEXT, Wording},
    fault::Stop,
    moments::{Until, calendar, instant_after, never},
    pending,
    registry::ROOM,
    stage::{Envelope, Stage},
    tables::{Announced, Ask, Done, Enacted, Faults, Later, Posted, Sealed},
};

/// How a game announces an act of a law.
pub type Announce<G> = fn(&mut Draft<'_, G>, Announced) -> Outcome;

/// What something is called that happens, and what laws see of it.
pub type Event = (&'static str, &'static [&'static str]);

/// A game whose rules may hold laws: what its time and offices are called.
pub trait Hosts: Lawful {
    /// What its mechanics tell of by name ([`kernel::Mechanics::happened`]) and rules may follow: `pass`. An act of that
    /// name is followed by way of what is told, so that whoever asks to join has not joined.
    const EVENTS: &'static [Event] = &[];

    /// What laws see of acts beside what their commands take, by act.
    const BESIDE: &'static [Event] = &[];

    /// What laws see of something that happens by the game, under these names, or of an act that they bar; nothing where
    /// nothing is called so.
    fn holds(name: &str) -> Option<BTreeSet<String>> {
        let owned = |fields: &[&str]| fields.iter().map(|field| (*field).to_owned()).collect::<BTreeSet<_>>();
        let of =
            |all: &[Event], name: &str| all.iter().find(|(known, _)| *known == name).map(|(_, fields)| owned(fields));
        let event = of(Self::EVENTS, name);
        let called = act_called::<Self>(name);
        let is_typed = |act: &&str| !called::names(Self::NAME, act).is_empty();
        let is_called = |act: &&str| called.as_ref().is_some_and(|name| *name == Self::named(act));
        let act = Self::mechanics().acts().filter(is_typed).find(is_called);
        let held = act.map(|act| {
            let beside = of(Self::BESIDE, act).unwrap_or_default();
            called::params(Self::NAME, act).into_iter().chain(beside).chain(["by".to_owned()]).collect()
        });
        match (event, held) {
            (None, None) => None,
            (event, held) => Some(event.into_iter().chain(held).flatten().collect()),
        }
    }

    /// The acts that no bar reaches, since a rule lets nothing stop them or the room has them beside its rules.
    const UNBARRED: &'static [&'static str] = &["leave"];

    /// Acts that nobody causes another to do: they do nothing by themselves, or several things.
    const UNCAUSED: &'static [&'static str] = &[];

    /// Acts that are for nobody's eyes but their doer's, wherever they are typed: bars see who does one and nothing more,
    /// and nothing follows it.
    const PRIVATE: &'static [&'static str] = &[];

    /// Whether no law is played now, whatever the rules say.
    fn rests(_state: &State<Self>) -> bool {
        false
    }

    /// What rules call acts, where that is not what players type for them.
    const NAMED: &'static [(&'static str, &'static str)] = &[];

    /// What rules call an act: as players type it, and by its name where nobody does.
    fn named(act: &str) -> String {
        match (Self::NAMED.iter().find(|(known, _)| *known == act), called::names(Self::NAME, act).first()) {
            (Some((_, name)), _) => (*name).to_owned(),
            (None, Some(typed)) => typed.clone(),
            (None, None) => act.replace('_', " "),
        }
    }

    /// Whatever else is typed for acts, each with what rules call the act: aliases, and commands that do the same.
    fn aliases() -> BTreeMap<String, String> {
        let acts = || Self::mechanics().acts();
        let own: BTreeSet<String> =
            acts().map(Self::named).chain(Self::EVENTS.iter().map(|(name, _)| (*name).to_owned())).collect();
        let typed = acts().flat_map(|act| called::names(Self::NAME, act).iter().map(move |name| (name, act)));
        let others = typed.filter(|(name, _)| !own.contains(*name));
        others.map(|(name, act)| (name.clone(), Self::named(act))).collect()
    }

    /// The room's time, by the names that its rules use: `nday`, `nweek`.
    fn time(state: &State<Self>, at: Instant) -> Vec<(&'static str, Value)> {
        calendar(at, &Self::zone(state))
    }

    /// The zone of the days and weeks that laws wait for.
    fn zone(state: &State<Self>) -> TimeZone {
        TimeZone::get(&state.frame.zone).unwrap_or(TimeZone::UTC)
    }

    /// The kinds of objects that this game alone has by itself, also while there are none: no law declares them.
    const KINDS: &'static [&'static str];

    /// The things of a kind that the game keeps beside its world and shows to everybody: `vote`. Nothing where it keeps no
    /// such kind.
    fn things(_state: &State<Self>, _kind: &str) -> Option<Vec<Id>> {
        None
    }

    /// What everybody is shown of a thing, or of an object beside its attributes.
    fn seen(_state: &State<Self>, _obj: &Id, _name: &str) -> Option<Value> {
        None
    }

    /// Puts what an act of the game is about in the place of the words that name it, for laws to look at.
    fn given(_state: &State<Self>, _act: &str, _args: &mut serde_json::Map<String, Json>) {}

    /// Announces an act of a law that needs others, where the game's own rules have a way for such acts. Else laws announce
    /// it themselves, and what is announced has commands of its own.
    const ANNOUNCE: Option<Announce<Self>> = None;

    /// The kind of those who play.
    fn player() -> &'static str {
        "player"
    }

    /// Makes a player of somebody who has a seat and is none.
    ///
    /// # Errors
    ///
    /// Why not: most games say by rules of their own who plays.
    fn admit(_seat: &Id, _d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        Err(Refusal::new("this game says by its own rules who plays"))
    }

    /// Ends that somebody plays.
    ///
    /// # Errors
    ///
    /// As [`Hosts::admit`].
    fn dismiss(_seat: &Id, _d: &mut Draft<'_, Self>) -> Result<(), Refusal> {
        Err(Refusal::new("this game says by its own rules who plays"))
    }

    /// Refuses a name for something new, or for one object: another has it, or it means something else here.
    ///
    /// # Errors
    ///
    /// Which of the two.
    fn nameable(state: &State<Self>, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
        names_nothing(state, name, but)
    }

    /// Whether rules give an office of a name, also while nobody holds it.
    fn is_office(_state: &State<Self>, _name: &str) -> bool {
        false
    }

    /// Who holds an office.
    fn holder(_state: &State<Self>, _office: &str) -> Option<Id> {
        None
    }

    /// The instant after a length of time that the rules count in units of their own: `2 ndays`. Minutes, hours, days and
    /// weeks need no word here.
    fn due(_state: &kernel::State<Self>, _words: &str) -> Option<Instant> {
        None
    }

    /// A length of time as the game counts it from now on, where its own time may go faster or slower.
    fn counted(_state: &kernel::State<Self>, _words: &str) -> Option<Json> {
        None
    }

    /// When such a length of time is over, as things stand; the present instant where it is. Nothing where nobody knows.
    fn over(_state: &kernel::State<Self>, _counted: &Json) -> Option<Instant> {
        None
    }
}

/// The kinds of objects that every game has by itself.
pub(crate) const OF_EVERY_GAME: [&str; 4] = ["player", "rule", GAME, EVERYTHING];

/// The kind of proposals, where the game has them by itself.
pub const PROPOSAL: &str = "proposal";

/// Refuses a name by which something is found, but for one object.
///
/// # Errors
///
/// That it is.
pub fn names_nothing<G: Lawful>(state: &State<G>, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
    match G::find(state, name) {
        Ok(other) if Some(&other) != but => Err(Refusal::new(format!("something here is called “{name}” already"))),
        _ => Ok(()),
    }
}

/// Whether the program has a command or a display of a name by itself.
pub(crate) fn is_of_program<G: Hosts>(name: &str) -> bool {
    is_taken(G::NAME, name) || name == pending::PENDING || G::mechanics().has_display(name)
}

/// Whether a command is one of a law's that is for nobody's eyes but its doer's.
fn is_private<G: Hosts>(state: &State<G>, invocation: &Json) -> bool {
    let Some(name) = invocation.get(OwnCommand::ACT).and_then(|typed| typed.get("act")).and_then(Json::as_str) else {
        return false;
    };
    let mut acts = state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts);
    acts.any(|act| act.name == name && (act.sealed || act.forum == "private"))
}

/// What laws call the act of a game that players call so; nothing where they call none so.
pub fn act_called<G: Hosts>(name: &str) -> Option<String> {
    /// What laws call each act of a game, by every name of it.
    type Names = Arc<BTreeMap<String, String>>;
    static KNOWN: LazyLock<Mutex<BTreeMap<&str, Names>>> = LazyLock::new(Default::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let names = known.entry(G::NAME).or_insert_with(|| {
        let own = G::mechanics().acts().map(G::named).map(|name| (name.clone(), name));
        let mut names = G::aliases();
        names.extend(own);
        names.into()
    });
    names.get(name).cloned()
}

/// The operations on the world from some change on, each with whose act it was made in.
pub(crate) fn operations<G: Hosts>(d: &Draft<'_, G>, from: usize) -> Vec<(Op, Option<Id>)> {
    placed(d, from).map(|(op, _)| op).collect()
}

/// The same, each with how many changes were made before it.
fn placed<G: Hosts>(d: &Draft<'_, G>, from: usize) -> impl Iterator<Item = ((Op, Option<Id>), usize)> {
    d.changes_since(from).zip(from..).filter_map(|((change, whose), at)| match change {
        Change::World(op) => Some(((op.clone(), whose.cloned()), at)),
        _ => None,
    })
}

/// Most objects of one name that a refusal lists.
const SHOWN_MAX_COUNT: usize = 5;

/// What the law of a rule signs with: its rule by its number.
pub(crate) fn sign<G: Hosts>(rule: &Rule) -> String {
    kernel::rulebook::views::called(rule, G::numbering())
}

impl<G: Hosts> Stage for Draft<'_, G> {
    fn world(&self) -> &World {
        &self.world
    }
    fn rules(&self) -> &Rulebook {
        &self.rules
    }
    fn now(&self) -> Instant {
        self.at
    }
    fn seq(&self) -> u64 {
        self.seq
    }
    fn clock(&self) -> Vec<(&'static str, Value)> {
        G::time(self, self.at)
    }
    fn player(&self) -> &'static str {
        G::player()
    }
    fn value(&self, at: &Path) -> Value {
        G::value(self, at)
    }
    fn find(&self, words: &str) -> Result<Id, Refusal> {
        G::find(self, words)
    }
    fn members(&self, kind: &Id) -> Vec<Id> {
        G::things(self, kind).unwrap_or_else(|| G::members(self, kind))
    }
    fn is_there(&self, obj: &str) -> bool {
        let is_thing = || {
            let kind = obj.split('/').next().unwrap_or_default();
            G::things(self, kind).is_some_and(|all| all.iter().any(|known| **known == *obj))
        };
        self.world.exists(obj) || is_thing()
    }
    fn seen(&self, obj: &Id, name: &str) -> Option<Value> {
        match name {
            // Whether more acts of the same message come.
            "followed" if **obj == *ROOM => Some(Value::Bool(self.followed)),
            // The number of the entry in the making.
            "entry" if **obj == *ROOM => Some(Value::Num(i64::try_from(self.seq).unwrap_or(i64::MAX).into())),
            // Whether an act is only tried, which is announced.
            "tried" if **obj == *ROOM => Some(Value::Bool(self.tried)),
            _ => G::seen(self, obj, name),
        }
    }
    fn nameable(&self, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
        G::nameable(self, name, but)
    }
    fn called(&self, obj: &Id) -> String {
        G::called(self, obj)
    }
    fn quantity(&self, words: &str) -> Option<Num> {
        G::number(self, words)
    }
    fn cited(&self, rule: &Rule) -> String {
        G::cited(rule)
    }
    fn sign(&self, rule: &Rule) -> String {
        sign::<G>(rule)
    }
    fn is_office(&self, name: &str) -> bool {
        G::is_office(self, name)
    }
    fn holder(&self, office: &str) -> Option<Id> {
        G::holder(self, office)
    }
    fn is_of_game(&self, kind: &str) -> bool {
        OF_EVERY_GAME.contains(&kind) || G::KINDS.contains(&kind) || G::things(self, kind).is_some()
    }
    fn has_kind(&self, kind: &str) -> bool {
        self.is_of_game(kind) || self.world.kind_names().any(|known| known == kind)
    }
    fn has_act(&self, act: &str) -> bool {
        act_called::<G>(act).is_some()
    }
    fn is_taken(&self, command: &str) -> bool {
        is_taken(G::NAME, command)
    }
    fn has_display(&self, name: &str) -> bool {
        name == pending::PENDING || G::mechanics().has_display(name)
    }
    fn is_listed(&self, name: &str) -> bool {
        G::mechanics().listed(self).iter().any(|cell| cell.completes.as_deref() == Some(name))
    }
    fn happens_by_itself(&self, name: &str) -> bool {
        G::EVENTS.iter().any(|(event, _)| *event == name) || self.has_act(name)
    }
    fn holds(&self, name: &str) -> Option<BTreeSet<String>> {
        G::holds(name)
    }
    fn aliases(&self) -> BTreeMap<String, String> {
        G::aliases()
    }
    fn find_among(&self, kinds: &[Id], words: &str) -> Result<Id, Refusal> {
        let wanted = folded(words);
        let is = |obj: &Id| {
            let by_id = self.frame.tail(obj).is_some_and(|tail| folded(tail) == wanted || folded(obj) == wanted);
            by_id || G::is_called(self, obj, &wanted)
        };
        let all = kinds.iter().flat_map(|kind| G::members(self, kind));
        let found: BTreeSet<Id> = all.filter(|obj| self.world.exists(obj) && is(obj)).collect();
        let mut found: Vec<Id> = found.into_iter().collect();
        words::yield_to_others(self, &mut found);
        match found.as_slice() {
            [only] => Ok(only.clone()),
            [] => G::find(self, words).map_err(|_| Refusal::new(format!("nothing of that kind is called “{words}”"))),
            several => {
                let names: Vec<&str> = several.iter().take(SHOWN_MAX_COUNT).map(|obj| &**obj).collect();
                Err(Refusal::new(format!("“{words}” may be any of {}", names.join(", "))))
            }
        }
    }
    fn due(&self, words: &str) -> Option<Until> {
        if let Some(counted) = G::counted(self, words) {
            let at = G::over(self, &counted).unwrap_or_else(|| never(self.at));
            return Some(Until { at, counted: Some(counted) });
        }
        let at = G::due(self, words).or_else(|| instant_after(self.at, words))?;
        Some(Until { at, counted: None })
    }
    fn set(&mut self, at: &Path, to: Value) -> Result<(), Refusal> {
        directives::words::set(self, at, to).map(drop)
    }
    fn put(&mut self, at: &Path, to: Value) {
        self.overwrite(at.clone(), to);
    }
    fn create(&mut self, kind: &Id, name: Option<&str>, first: u64) -> Id {
        self.count(kind, first.saturating_sub(1));
        let number = self.number(kind);
        let obj: Id = format!("{kind}/{number}").into();
        self.op(Op::Create { obj: obj.clone(), kind: kind.clone() });
        if let Some(name) = name {
            self.overwrite(Path::new(obj.clone(), "name"), Value::Text(name.to_owned()));
            words::is_named(self, &obj);
        }
        obj
    }
    fn admit(&mut self, seat: &Id) -> Result<(), Refusal> {
        G::admit(seat, self)
    }
    fn dismiss(&mut self, seat: &Id) -> Result<(), Refusal> {
        G::dismiss(seat, self)
    }
    fn destroy(&mut self, obj: &Id) -> Result<(), Refusal> {
        G::destroy(self, obj).map(drop)
    }
    fn say(&mut self, to: Audience, mut document: Document) {
        // What laws keep may name somebody who was forgotten since.
        self.frame.redaction_of_kept().seen(&mut document);
        Draft::say(self, to, document);
    }
    fn draw(&mut self, label: &str, bound: u64) -> u64 {
        Draft::draw(self, label, bound)
    }
    fn post(&mut self, document: &Id, text: &str) {
        let gone: Vec<Id> = self.rows::<Posted>().keys().filter(|held| !self.world.exists(held)).cloned().collect();
        gone.iter().for_each(|held| drop(self.delete::<Posted>(held)));
        let post = Post::of(self, text);
        Draft::put(self, document, Posted(post));
    }
    fn directives(
        &mut self,
        text: &str,
        places: &Places,
        (rule, document): (&Id, Option<&Id>),
        portions: bool,
    ) -> Result<Vec<String>, Refusal> {
        let mut body = syntax::parse(text, &|words| G::mechanics().owns(words))?;
        places.fill(&mut body)?;
        let because = self.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        let mode = if portions { Mode::LeaveOutRefused } else { Mode::AllOrNone };
        let posted = document.and_then(|document| self.row::<Posted>(document)).map(|Posted(post)| post.posted(self));
        let setting = Setting { because: &because, mode, posted: posted.as_ref(), tried: false };
        let applied = directives::apply(&body, self, &setting).map_err(directives::Failure::into_refusal)?;
        let refused = applied.outcomes.into_iter().filter_map(|outcome| {
            let why = outcome.result.err()?;
            Some(format!("“{}”: {}", outcome.words, why.say))
        });
        Ok(refused.collect())
    }
    fn come_from(&mut self, by: Because) -> Because {
        Draft::come_from(self, by)
    }
    fn has_read(&mut self, key: &str, is: &str) {
        Draft::has_read(self, key, is);
    }
    fn has_run(&mut self, rule: &Id, operations: u64) {
        Draft::has_run(self, rule, operations);
    }
    fn emitted(&self) -> usize {
        Draft::emitted(self)
    }
    fn ended(&self, since: usize, obj: &Id) -> bool {
        let ends = |change: &Change| matches!(change, Change::World(Op::Destroy { obj: ended, .. }) if ended == obj);
        self.changes().iter().skip(since).any(ends)
    }
    fn all_taken(&self) -> Taken {
        Draft::all_taken(self)
    }
    fn pays_each(&self) -> bool {
        self.payer == Payer::Each
    }
    fn pay(&mut self, payer: Payer) {
        self.payer = payer;
    }
    fn taken(&mut self, rule: &Id) -> &mut Taken {
        Draft::taken(self).entry(rule.clone()).or_default()
    }
    fn meter(&mut self) -> &mut Meter {
        Draft::meter(self)
    }
    fn rests_until(&self, rule: &Id) -> Option<Instant> {
        if self.payer == Payer::Asker { None } else { budgets::rests_until(self, rule) }
    }
    fn is_full(&self, rule: &Id, asks: bool) -> Option<String> {
        budgets::is_full(self, rule, asks)
    }
    fn settle(&mut self) -> bool {
        let from = self.meter().ready.min(self.changes().len());
        let matters = |change: &Change| matches!(change, Change::World(Op::Destroy { .. }) | Change::Rule(_));
        self.changes()[from..].iter().any(matters) && G::mechanics().ready(self)
    }
    fn unsettled(&mut self) -> Vec<Op> {
        let settled = self.changes().len();
        let from = std::mem::replace(&mut self.meter().settled, settled);
        operations(self, from.min(settled)).into_iter().map(|(op, _)| op).collect()
    }
    fn unheard(&mut self) -> Vec<((Op, Option<Id>), usize)> {
        let heard = self.changes().len();
        let from = std::mem::replace(&mut self.meter().heard, heard).min(heard);
        placed(self, from).collect()
    }
    fn act_of(&mut self, whose: Option<Id>) -> Option<Id> {
        Draft::act_of(self, whose)
    }
    fn whose(&self) -> Option<Id> {
        Draft::whose(self).cloned()
    }
    fn happened(&mut self) -> Vec<(String, Json)> {
        std::mem::take(self.unfollowed())
    }
    fn later(&self) -> Vec<(u64, Later)> {
        self.rows::<Later>().iter().map(|(number, later)| (*number, later.clone())).collect()
    }
    fn set_later(&mut self, number: Option<u64>, to: Option<Later>) {
        let number = number.unwrap_or_else(|| self.number("law-later"));
        match to {
            Some(later) => Draft::put(self, &number, later),
            None => drop(self.delete::<Later>(&number)),
        }
    }
    fn asks(&self) -> Vec<(u64, Ask)> {
        self.rows::<Ask>().iter().map(|(number, ask)| (*number, ask.clone())).collect()
    }
    fn is_asked(&self) -> bool {
        !self.rows::<Ask>().is_empty()
    }
    fn set_ask(&mut self, number: Option<u64>, to: Option<Ask>) {
        let number = number.unwrap_or_else(|| self.next_number::<Ask>());
        match to {
            Some(ask) => Draft::put(self, &number, ask),
            None => drop(self.delete::<Ask>(&number)),
        }
    }
    fn sealed(&self) -> Vec<(u64, Sealed)> {
        self.rows::<Sealed>().iter().map(|(number, sealed)| (*number, sealed.clone())).collect()
    }
    fn set_sealed(&mut self, number: u64, to: Option<Sealed>) {
        match to {
            Some(to) => Draft::put(self, &number, to),
            None => drop(self.delete::<Sealed>(&number)),
        }
    }
    fn open(&self, secret: &Id) -> Envelope {
        if self.is_lost(secret) {
            return Envelope::Lost;
        }
        // What is only tried is taken back.
        let Some(opened) = self.opened(secret).filter(|_| !self.tried) else { return Envelope::Closed };
        let salt = opened.salt.iter().map(|byte| format!("{byte:02x}")).collect();
        Envelope::Open(salt, opened.bytes.clone())
    }
    fn polls(&self) -> Vec<(Question, Poll)> {
        self.rows::<Poll>().iter().map(|(question, poll)| (question.clone(), poll.clone())).collect()
    }
    fn poll(&self, question: &Question) -> Option<Poll> {
        self.row::<Poll>(question).cloned()
    }
    fn set_poll(&mut self, question: &Question, to: Option<Poll>) {
        match to {
            Some(to) => Draft::put(self, question, to),
            None => drop(self.delete::<Poll>(question)),
        }
    }
    fn votes(&self, (doc, name): &Question) -> Vec<(Id, Vote)> {
        let from = self.rows::<Vote>().range((doc.clone(), name.clone(), Id::default())..);
        let own = from.take_while(|((of, named, _), _)| of == doc && named == name);
        own.map(|((.., by), vote)| (by.clone(), vote.clone())).collect()
    }
    fn vote(&self, key: &(Id, String, Id)) -> Option<Vote> {
        self.row::<Vote>(key).cloned()
    }
    fn set_vote(&mut self, key: &(Id, String, Id), to: Option<Vote>) {
        match to {
            Some(to) => Draft::put(self, key, to),
            None => drop(self.delete::<Vote>(key)),
        }
    }
    fn wordings(&self, doc: &Id) -> Vec<String> {
        let from = self.rows::<Wording>().range((doc.clone(), 0)..);
        from.take_while(|((of, _), _)| of == doc).map(|(_, wording)| wording.text.clone()).collect()
    }
    fn set_wording(&mut self, doc: &Id, revision: u32, text: String) {
        Draft::put(self, &(doc.clone(), revision), Wording { text });
    }
    fn readable(&self, text: &str, changes: bool, command: &str) -> Result<String, Refusal> {
        let text = docket::text(text).map_err(|why| match why {
            Unfit::Empty => Refusal::new("there is no text"),
            Unfit::Long(bytes) => {
                Refusal::new(format!("a text has at most {} bytes, and this one {bytes}", docket::TEXT_MAX_BYTES))
            }
        })?;
        if changes {
            docket::unmarked(&text, &format!("{command} \"A title\" => set KEY to 3"))?;
            effects::read::<G>(&text)?;
        }
        Ok(text)
    }
    fn foreseen(&self, doc: &Id) -> Option<Document> {
        let Value::Text(text) = self.world.value(&Path::new(doc.clone(), TEXT)) else { return None };
        let post = self.row::<Posted>(doc).map(|Posted(post)| post);
        let foreseen = effects::dry_run::<G>(self, &text, self.at, post, &directives::alone);
        Some(foreseen.map_or_else(|why| Document::say(format!("{}.", why.say)), |foreseen| foreseen.document()))
    }
    fn touched(&self) -> (BTreeSet<Id>, bool) {
        let (mut objects, mut ruled) = (BTreeSet::new(), false);
        for change in self.changes() {
            match change {
                Change::World(Op::Create { obj, .. } | Op::Destroy { obj, .. }) => drop(objects.insert(obj.clone())),
                Change::World(Op::Set { at, .. }) if *at.attr == *STATE => drop(objects.insert(at.obj.clone())),
                Change::Rule(_) => ruled = true,
                _ => {}
            }
        }
        (objects, ruled)
    }
    fn done(&self, key: &str) -> Option<Done> {
        self.row::<Done>(&key.to_owned()).cloned()
    }
    fn set_done(&mut self, key: &str, to: Option<Done>) {
        match to {
            Some(done) => Draft::put(self, &key.to_owned(), done),
            None => drop(self.delete::<Done>(&key.to_owned())),
        }
    }
    fn faults(&self, key: &str) -> Option<Faults> {
        self.row::<Faults>(&key.to_owned()).cloned()
    }
    fn cause(&mut self, who: &Id, act: &Json) -> Result<(), Refusal> {
        let name = G::mechanics().act(act)?.0.name;
        if G::UNBARRED.contains(&name) || G::PRIVATE.contains(&name) || is_private(self, act) {
            return Err(Refusal::new("nobody does that for another"));
        }
        if G::UNCAUSED.contains(&name) {
            return Err(Refusal::new(
                "one act is caused, which is done at once: nothing for later, and not several together",
            ));
        }
        self.acting_as(who.clone(), |d| G::mechanics().take(act, d)).map(drop)
    }
    fn attempt(&mut self, steps: &mut dyn FnMut(&mut dyn Stage) -> Result<(), Stop>) -> Result<(), Stop> {
        let mut stop = None;
        let done = Draft::attempt(self, |d| {
            steps(d).map_err(|why| {
                stop = Some(why);
                Refusal::new("it was not done")
            })
        });
        done.map_err(|why| stop.unwrap_or_else(|| why.into()))
    }
}
