//! A draft of any game, as laws see it and change it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use jiff::tz::TimeZone;
use serde_json::Value as Json;

use kernel::{
    Draft, Id, Instant, Num, Path, Refusal, State, Value,
    directives::{
        self, DryRun, Mode, Post, Setting,
        sight::{RULE, rule_object},
        syntax,
        wording::folded,
        words,
    },
    display::{Block, Document},
    draft::{Meter, Payer, Taken},
    entry::{Audience, Because, Change},
    frame::FrameFact,
    own_command::is_taken,
    rulebook::{Rule, Rulebook, amend, diff},
    table::Row,
    world::{Op, World},
};
use kit::{
    docket::{self, Unfit},
    effects,
};

use super::{
    apply::Places,
    budgets,
    declared::{PERSON, ROOM, SUSPENDED, SUSPENDED_TOO},
    docket_decl::{DocketDecl, TEXT},
    docket_rows::{Docket, Poll, Question, Vote, Wording},
    fault::Stop,
    foresight,
    fuel::aside,
    limits::ACT_MAX_OPERATIONS,
    moments::{Until, instant_after, never},
    offices, pending,
    room::{Hosts, OF_EVERY_GAME, act_called, is_private, operations, placed, sign},
    stage::{Envelope, Foreseen, Stage, Touched},
    tables::{Ask, Done, Faults, Later, Posted, Sealed},
};

/// Most objects of one name that a refusal lists.
const SHOWN_MAX_COUNT: usize = 5;

/// The text of a document.
fn text_of<G: Hosts>(state: &State<G>, doc: &Id) -> Result<String, Refusal> {
    match state.world.value(&Path::new(doc.clone(), TEXT)) {
        Value::Text(text) => Ok(text),
        _ => Err(Refusal::new("there is no text")),
    }
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
    fn zone(&self) -> TimeZone {
        G::zone(self)
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
        match G::things(self, kind).unwrap_or_else(|| G::members(self, kind)) {
            // Rules are there, also where the world has no objects for them.
            none if none.is_empty() && **kind == *RULE => {
                self.rules.rules().into_iter().map(|rule| rule_object(rule.id())).collect()
            }
            none if none.is_empty() && [PERSON, SUSPENDED].contains(&&**kind) => {
                let seats = self.frame.seats.keys().filter(|seat| self.taken_for(seat).as_ref() == Some(kind));
                self.world.by_age(seats.cloned())
            }
            members => members,
        }
    }
    fn taken_for(&self, obj: &Id) -> Option<Id> {
        G::taken_for(self, obj)
    }
    fn people(&self) -> &'static [&'static str] {
        G::PEOPLE
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
        let name = name.strip_suffix(SUSPENDED_TOO).unwrap_or(name);
        G::is_office(self, name) || offices::office_named(self, name).is_some()
    }
    fn holders(&self, office: &str) -> Vec<Id> {
        offices::holders(self, office)
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
        let all = kinds.iter().flat_map(|kind| self.members(kind));
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
    fn add(&mut self, at: &Path, by: Num) -> Result<(), Refusal> {
        G::add_value(self, at, by).map(drop)
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
    fn plays(&self, seat: Option<&Id>) -> Result<(), Refusal> {
        // What somebody speaks for has no seat.
        match seat {
            Some(one) if !self.frame.seats.contains_key(one) => Ok(()),
            _ => G::plays(self, seat),
        }
    }
    fn admit(&mut self, seat: &Id) -> Result<(), Refusal> {
        G::admit(seat, self)
    }
    fn suspend(&mut self, seat: &Id) -> Result<(), Refusal> {
        G::suspend(seat, self)
    }
    fn dismiss(&mut self, seat: &Id, keeps: bool) -> Result<(), Refusal> {
        G::dismiss(seat, keeps, self)
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
        Draft::put(self, document, Posted { post, breaks: Vec::new(), base: BTreeMap::new() });
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
        let label = || self.rules.get(rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        let because = places.because.clone().unwrap_or_else(label);
        let mode = if portions { Mode::LeaveOutRefused } else { Mode::AllOrNone };
        let posted = document.and_then(|document| self.row::<Posted>(document)).map(|posted| posted.post.posted(self));
        let setting = Setting { because: &because, mode, posted: posted.as_ref(), tried: false };
        let applied = match document {
            Some(_) => directives::apply(&body, self, &setting),
            None => directives::apply_by_law(&body, self, &setting),
        };
        let applied = applied.map_err(directives::Failure::into_refusal)?;
        let refused = applied.outcomes.into_iter().filter_map(|outcome| {
            let why = outcome.result.err()?;
            Some(format!("“{}”: {}", outcome.words, why.say))
        });
        Ok(refused.collect())
    }
    fn rewrite(&mut self, rule: &Id, at: Range<usize>, new: &str, why: &str) -> Result<Vec<Block>, Refusal> {
        let gone = || Refusal::new("that rule is not in force").instead("rules");
        let held = self.rules.in_force(rule).cloned().ok_or_else(gone)?;
        let edit = amend::replace_at(&held, at, new)?;
        let rules = self.rules.clone();
        let setting = Setting { because: why, mode: Mode::AllOrNone, posted: None, tried: false };
        words::rule_op(self, edit.op, &setting)?;
        let block = diff::block(held.text().visible(), edit.text.visible());
        Ok(block.into_iter().chain(effects::figures(&rules, self, &edit.rebindings)).collect())
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
    fn under_seal(&self, question: &Question) -> BTreeSet<Id> {
        let of = self.rows::<Sealed>().values().filter(|sealed| sealed.is_vote_on(question));
        of.map(|sealed| sealed.by.clone()).collect()
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
    fn each_vote(&self, (doc, name): &Question, sees: &mut dyn FnMut(&Id, &Vote)) {
        let from = self.rows::<Vote>().range((doc.clone(), name.clone(), Id::default())..);
        let own = from.take_while(|((of, named, _), _)| of == doc && named == name);
        own.for_each(|((.., by), vote)| sees(by, vote));
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
    fn foreseen(&self, doc: &Id, first: &[(Path, Num)]) -> Result<DryRun, Refusal> {
        let text = text_of(self, doc)?;
        let post = self.row::<Posted>(doc).map(|posted| &posted.post);
        // What follows anyhow from what was done so far is no part of what it would do.
        let settled = if self.emitted() > 0 { effects::passed::<G>(self, |_| Ok(())).ok() } else { None };
        let state = settled.as_ref().unwrap_or(self);
        let passing = |d: &mut Draft<'_, G>, does: &mut dyn FnMut(&mut Draft<'_, G>)| {
            first.iter().for_each(|(at, by)| d.op(Op::Add { at: at.clone(), by: by.clone() }));
            does(d);
        };
        aside(ACT_MAX_OPERATIONS, || effects::dry_run::<G>(state, &text, state.at, post, &passing))
    }
    fn foresee(&self, text: &str, doc: Option<&Id>) -> Foreseen {
        aside(ACT_MAX_OPERATIONS, || foresight::foresee(self, text, doc))
    }
    fn breaks(&self, doc: &Id) -> Vec<String> {
        self.row::<Posted>(doc).map(|posted| posted.breaks.clone()).unwrap_or_default()
    }
    fn set_breaks(&mut self, doc: &Id, run: &DryRun) {
        let breaks = run.warnings.iter().chain(&run.lost).cloned().collect();
        self.edit::<Posted>(doc, |posted| (posted.breaks, posted.base) = (breaks, run.base.clone()));
    }
    fn docket(&self, kind: &str) -> Option<&DocketDecl> {
        self.row::<Docket>(&kind.to_owned()).map(|Docket(docket)| docket)
    }
    fn carry_out(&mut self, doc: &Id, label: &str) -> Result<Vec<Block>, Refusal> {
        let text = text_of(self, doc)?;
        if effects::read::<G>(&text)?.count() == 0 {
            return Ok(Vec::new());
        }
        let post = self.row::<Posted>(doc).map(|posted| posted.post.clone());
        effects::carry_out_as_posted(self, &text, post.as_ref(), label, "")
    }
    fn moved(&self, doc: &Id) -> Option<String> {
        let moved = directives::dry_run::moved_since(&self.row::<Posted>(doc)?.base, &self.rules);
        let have = if moved.len() == 1 { "has" } else { "have" };
        let told = || format!("Since it was written, {} {have} changed, which it touches.", moved.join(", "));
        (!moved.is_empty()).then(told)
    }
    fn touched(&self, from: usize) -> Touched {
        let mut touched = Touched::default();
        let of_sealed = |key: &Json| match &self.row::<Sealed>(&key.as_u64()?)?.about {
            Some(Value::Ref(doc)) => Some(doc.clone()),
            _ => None,
        };
        let dockets = self.rows::<Docket>();
        let is_docketed = |obj: &Id| dockets.contains_key(obj.split('/').next().unwrap_or_default());
        for (change, _) in self.changes_since(from) {
            match change {
                Change::World(Op::Create { obj, .. } | Op::Destroy { obj, .. }) => {
                    touched.objects.insert(obj.clone());
                }
                Change::World(Op::Set { at, .. }) if is_docketed(&at.obj) => {
                    touched.objects.insert(at.obj.clone());
                }
                Change::Rule(_) => touched.ruled = true,
                Change::Frame(FrameFact::Stands { .. }) => touched.stood = true,
                Change::Row(row) if *row.table == *<Sealed as Row<G>>::TABLE => {
                    touched.voted.extend(of_sealed(&row.key))
                }
                other => touched.voted.extend(Vote::of::<G>(other).map(|(doc, ..)| doc)),
            }
        }
        touched
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
