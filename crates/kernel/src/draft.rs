//! A draft: an entry in the making.
//!
//! Emitting is the only way to change anything, and it folds at once, so that later steps see earlier ones. A group of
//! steps can be tried as a whole. The time, the dice, the salt of seals: all are handed in.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
    sync::Arc,
};

use imbl::OrdMap;
use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::{
    Id, Instant, Num, Path, Refusal, Seq, Value,
    dice::Dice,
    directives::wording::slug,
    display::{Block, Document},
    doer::Doer,
    entry::{Audience, Because, Change, Draw, Due, Say},
    frame::{ClockMode, FrameFact},
    row_change::RowChange,
    rulebook::{LiveKey, RuleOp, views},
    state::{Kind, LastRun, State},
    table::{self, Row},
    time::seconds_after,
    world::{Attr, Op, Reads},
};

/// Length of the salt of a seal, in bytes: 128 bits, too many to guess.
pub const SALT_BYTES: usize = 16;

/// What a room is doing, before it is committed.
pub struct Draft<'a, G: Kind> {
    state: State<G>,
    /// When it takes effect.
    pub at: Instant,
    /// Who acts; nobody where an instant or a work does.
    pub doer: Doer,
    /// In whose place that person acts, where it is not eir own.
    acts_as: Option<Id>,
    /// Whether the action was said where everybody can read it.
    pub public: bool,
    /// The channel in which it was said, where it was said in one.
    pub forum: Option<Id>,
    /// Whether the message that is acted on goes on with another action.
    pub followed: bool,
    /// Whether an act that is announced is tried: what it does is taken back.
    pub tried: bool,
    /// The number of the entry in the making.
    pub seq: Seq,
    dice: &'a mut Dice,
    salt: [u8; SALT_BYTES],
    /// What the game asked to be opened for this (`Phase::opens`): gone with the draft, unless the game publishes it.
    opened: BTreeMap<Id, Option<Opened>>,
    /// What of that was read.
    read: RefCell<BTreeSet<Id>>,
    /// How the room would be, had something been otherwise, as the game asked for it ([`Mechanic::supposes`]).
    ///
    /// [`Mechanic::supposes`]: crate::mechanic::Mechanic::supposes
    would_be: Vec<Arc<dyn Any + Send + Sync>>,
    /// What is decided again here, where something is.
    then: Option<&'a Then<'a, G>>,
    /// Acts that left something out or named it, as they were typed, each with what it meant.
    meant: Vec<Meant>,
    /// The same as it is on record, where something is decided again.
    meant_then: Vec<Meant>,
    changes: Vec<Change>,
    /// In whose act each of them was made, where it was made in somebody's.
    doers: Vec<Option<Id>>,
    /// In whose act changes are made now.
    whose: Option<Id>,
    /// What changes come from now.
    by: Because,
    /// The same of the last change.
    was_by: Because,
    says: Vec<Say>,
    /// How many bytes the journal takes for both, so far.
    written: usize,
    /// How many numbers were drawn, those that are recalled too, and how many bytes the journal takes for them.
    drawn: (usize, usize),
    seals: Vec<Sealed>,
    missed: Vec<Missed>,
    /// Why the act was refused of which this is an entry all the same.
    undone: Option<Refusal>,
    /// What is left of acts that were refused, for whoever follows that: no attempt takes it back.
    left: Vec<Box<dyn Any>>,
    /// What is known beside the state where something is played again.
    replayed: Option<Recalled>,
    /// How many things are under way in it: an act, and those that are part of it.
    depth: usize,
    /// How many acts, and documents that are carried out, are under way in it, each part of the one before.
    acting: usize,
    /// What scripts did and heard so far.
    meter: Meter,
    /// Who pays for what scripts do.
    pub payer: Payer,
    /// What scripts of rules took so far that pay for themselves, by rule.
    taken: BTreeMap<Id, Taken>,
    /// What happened in an act or while a script ran, by name and with what belongs to it, and was not followed yet.
    unfollowed: Vec<(String, Json)>,
}

/// How far scripts are with a draft: what they heard of, and what they used up. An attempt that fails gives back all but
/// the operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    /// How many changes followers have heard of.
    pub heard: usize,
    /// After how many changes what named something that is gone was seen to.
    pub settled: usize,
    /// After how many changes all that laws need was put in order.
    pub ready: usize,
    /// How many operations scripts took.
    pub operations: u64,
    /// How many of those count for others than who pays now ([`Payer`]).
    pub others: u64,
    /// How many they took beside those, for things that are done in turn: each has the bounds of an act.
    pub in_turn: u64,
    /// Whether one runs: what happens meanwhile is followed when it is done.
    pub running: bool,
    /// After how many changes what must always hold was seen to; nothing before it was.
    pub upheld: Option<usize>,
    /// After how many changes votes were brought to where documents and voters are.
    pub attended: usize,
}

/// Who pays for what scripts do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Payer {
    /// Whoever asked for it.
    #[default]
    Asker,
    /// The rule whose script set it for this instant.
    Rule(Id),
    /// Each script for itself, since the game's own time has come.
    Each,
}

/// What a script took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Operations, but for what was done in turn.
    pub operations: u64,
    /// Operations for things that were done in turn.
    pub in_turn: u64,
    /// How many changes it made.
    pub changes: usize,
    /// Bytes of the journal, for what it changed and announced.
    pub bytes: usize,
    /// How much it announced.
    pub announced: usize,
    /// How many numbers it drew.
    pub drawn: usize,
}

impl Taken {
    /// What was taken with something more.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        Self {
            operations: self.operations + more.operations,
            in_turn: self.in_turn + more.in_turn,
            changes: self.changes + more.changes,
            bytes: self.bytes + more.bytes,
            announced: self.announced + more.announced,
            drawn: self.drawn + more.drawn,
        }
    }

    /// What was taken since another reading. What an attempt gave back was not taken.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            operations: self.operations.saturating_sub(before.operations),
            in_turn: self.in_turn.saturating_sub(before.in_turn),
            changes: self.changes.saturating_sub(before.changes),
            bytes: self.bytes.saturating_sub(before.bytes),
            announced: self.announced.saturating_sub(before.announced),
            drawn: self.drawn.saturating_sub(before.drawn),
        }
    }
}

/// Most operations of scripts for all that one message asks for: what is left of it then is refused. One act takes a
/// quarter of it at most.
pub const MESSAGE_MAX_OPERATIONS: u64 = 2_000_000;

thread_local! {
    /// Operations that scripts took on this thread since it began.
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// Operations that scripts took on this thread since it began: of two such numbers the difference is what was taken
/// meanwhile, for what was refused as well.
pub fn spent() -> u64 {
    SPENT.get()
}

impl Meter {
    /// Counts operations that a script took.
    pub fn spend(&mut self, operations: u64) {
        self.operations += operations;
        SPENT.set(SPENT.get() + operations);
    }

    /// Counts operations that a script took for one of several things that are done in turn.
    pub fn spend_in_turn(&mut self, operations: u64) {
        self.in_turn += operations;
        SPENT.set(SPENT.get() + operations);
    }

    /// How many operations are left to whoever pays now.
    pub fn left(&self) -> u64 {
        (MESSAGE_MAX_OPERATIONS + self.others).saturating_sub(self.operations)
    }
}

/// An act as it was typed, and as it was meant.
pub type Meant = (Json, Json);

/// What is known where something is decided again that is in the journal.
pub struct Then<'a, G: Kind> {
    /// The room before it, as the journal has it.
    pub before: &'a State<G>,
    /// What it changed, as the journal has it.
    pub changes: &'a [Change],
    /// What is supposed to have been otherwise, where something is.
    pub supposing: Option<Supposing<'a, G>>,
}

/// Something that is supposed to have been otherwise from an entry on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Supposed {
    /// The entry in which it becomes so.
    pub entry: Seq,
    /// What it is, as the game counts.
    pub number: u64,
}

/// The same, where something is decided again from that entry on.
pub struct Supposing<'a, G: Kind> {
    /// What it is, as the game counts.
    pub number: u64,
    /// The room before that entry.
    pub base: &'a State<G>,
    /// Whether it is so by now.
    pub(super) made: &'a Cell<bool>,
}

impl<G: Kind> Supposing<'_, G> {
    /// Says that it is so from now on, in the midst of its entry. Else it is made so when that entry is complete.
    pub fn is_made(&self) {
        self.made.set(true);
    }
}

/// How a room would be, had something been otherwise.
#[derive(Debug)]
pub struct WouldBe<G: Kind> {
    /// What.
    pub of: Supposed,
    /// The last entry of the journal that was played again.
    pub last: Seq,
    /// The room before the entry in which it becomes so.
    pub base: State<G>,
    /// The end of the amended line.
    pub after: State<G>,
    /// What could not happen there, a line each.
    pub left_out: Vec<String>,
}

/// Something that could not happen, though what it is part of did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// What, in words.
    pub what: String,
    /// Why.
    pub why: String,
}

/// What is known where something is played again on the amended line, whose frame is that of the recorded one.
#[derive(Clone, Debug)]
pub(super) struct Recalled {
    /// The last numbers that its entry gave, by what they count; none where it has no entry.
    pub(super) gave: OrdMap<Id, u64>,
    /// The last numbers of both lines: what gets a number that its entry did not give gets one above.
    pub(super) highest: OrdMap<Id, u64>,
    /// Until when is put off what lapses.
    pub(super) until: Option<Instant>,
}

/// Something to be kept in the table of secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Under which id.
    pub id: Id,
    /// Its bytes; nothing when it is to be destroyed.
    pub bytes: Option<Vec<u8>>,
    /// The salt of its hash.
    pub salt: [u8; SALT_BYTES],
}

/// Something sealed that was opened, with the salt of its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Opened {
    /// The salt of its hash.
    pub salt: Vec<u8>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Neither the secret nor its salt ever reaches a log by way of `{:?}`.
impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opened(..)")
    }
}

/// The bytes are a secret: they never reach a log by way of `{:?}`.
impl std::fmt::Debug for Sealed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealed").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<G: Kind> Deref for Draft<'_, G> {
    type Target = State<G>;
    fn deref(&self) -> &State<G> {
        &self.state
    }
}

/// What a draft came to.
#[derive(Clone, Debug)]
pub struct Finished<G: Kind> {
    /// The state after it.
    pub state: State<G>,
    /// What changed.
    pub changes: Vec<Change>,
    /// What is announced.
    pub says: Vec<Say>,
    /// What is sealed.
    pub seals: Vec<Sealed>,
    /// What could not happen.
    pub missed: Vec<Missed>,
    /// Why the act itself did not, where it is an entry all the same.
    pub undone: Option<Refusal>,
    /// Which sealed things were read.
    pub read: BTreeSet<Id>,
    /// What acts meant that left something out or named it.
    pub meant: Vec<Meant>,
}

impl<'a, G: Kind> Draft<'a, G> {
    /// A draft on top of a state.
    pub fn new(state: State<G>, at: Instant, doer: Doer, public: bool, dice: &'a mut Dice, salt: [u8; 16]) -> Self {
        let seq = state.seq + 1;
        Self {
            state,
            at,
            doer,
            acts_as: None,
            public,
            forum: None,
            followed: false,
            tried: false,
            seq,
            dice,
            salt,
            opened: BTreeMap::new(),
            read: RefCell::default(),
            would_be: Vec::new(),
            then: None,
            meant: Vec::new(),
            meant_then: Vec::new(),
            changes: Vec::new(),
            doers: Vec::new(),
            whose: None,
            by: Because::default(),
            was_by: Because::default(),
            says: Vec::new(),
            written: 0,
            drawn: (0, 0),
            seals: Vec::new(),
            missed: Vec::new(),
            undone: None,
            left: Vec::new(),
            replayed: None,
            depth: 0,
            acting: 0,
            meter: Meter::default(),
            payer: Payer::default(),
            taken: BTreeMap::new(),
            unfollowed: Vec::new(),
        }
    }

    /// Ends the draft.
    pub fn finish(mut self) -> Finished<G> {
        self.state.seq = self.seq;
        let Self { state, changes, says, seals, missed, undone, read, meant, .. } = self;
        Finished { state, changes, says, seals, missed, undone, read: read.into_inner(), meant }
    }

    /// Changes something, at once.
    pub fn emit(&mut self, change: Change) {
        fold(&mut self.state, &change, self.seq, self.at).expect("a row that is written here can be read here");
        self.note(change);
    }

    /// Notes a change, behind a word on what it comes from where the last one came from something else.
    fn note(&mut self, change: Change) {
        if self.by != self.was_by {
            self.was_by.clone_from(&self.by);
            self.push(Change::By(self.by.clone()));
        }
        self.push(change);
    }

    fn push(&mut self, change: Change) {
        self.written += written(&change);
        self.changes.push(change);
        self.doers.resize(self.changes.len(), self.whose.clone());
    }

    /// Does what a document says, as players call it: `Proposal 41, “Tea”`. Who asks why something is so is told of it.
    pub fn carrying_out<T>(&mut self, document: impl Into<String>, does: impl FnOnce(&mut Self) -> T) -> T {
        let by = Because { document: Some(document.into()), at: self.by.at, ..Because::default() };
        self.because(by, does)
    }

    /// Does what a line of that document says. What a law says comes from the line at which its function begins.
    pub(super) fn on_line<T>(&mut self, line: usize, does: impl FnOnce(&mut Self) -> T) -> T {
        let by = self.by.clone();
        self.because(if by.rule.is_some() { by } else { Because { line: Some(line), ..by } }, does)
    }

    /// Does what the rule says that establishes something or has this id, by figures of the rules.
    pub fn by_rule<T>(&mut self, word: &str, figures: &[&LiveKey], does: impl FnOnce(&mut Self) -> T) -> T {
        let rule = self.rules.establishes(word).and_then(|id| self.rules.get(id)).or_else(|| self.rules.in_force(word));
        let shown = |key: &&LiveKey| {
            let (rule, at) = self.rules.places(key.key).next()?;
            Some((key.key.to_owned(), rule.text().shown(at).to_owned()))
        };
        let (rule, read) =
            (rule.map(|rule| views::cited(rule, G::numbering())), figures.iter().filter_map(shown).collect());
        let Because { document, at, .. } = self.by.clone();
        self.because(Because { document, rule, line: None, read, at }, does)
    }

    /// Does what belongs to an instant before.
    pub fn as_of<T>(&mut self, at: Instant, does: impl FnOnce(&mut Self) -> T) -> T {
        let by = Because { at: Some(at).filter(|at| *at != self.at), ..self.by.clone() };
        self.because(by, does)
    }

    fn because<T>(&mut self, by: Because, does: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.come_from(by);
        let done = does(self);
        self.come_from(outer);
        done
    }

    /// Does what is somebody's act, or nobody's: what was decided together, or what a rule does by itself.
    pub fn in_act_of<T>(&mut self, whose: Option<Id>, does: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.act_of(whose);
        let done = does(self);
        self.act_of(outer);
        done
    }

    /// Says in whose act changes are made, from now on; gives in whose they were made before.
    pub fn act_of(&mut self, whose: Option<Id>) -> Option<Id> {
        std::mem::replace(&mut self.whose, whose)
    }

    /// In whose act changes are made now.
    pub fn whose(&self) -> Option<&Id> {
        self.whose.as_ref()
    }

    /// What changes come from now.
    pub fn comes_from(&self) -> &Because {
        &self.by
    }

    /// Says what changes come from, from now on; gives what they came from before.
    pub fn come_from(&mut self, by: Because) -> Because {
        std::mem::replace(&mut self.by, by)
    }

    /// Notes that the law from which changes come has read figures of the rules.
    pub fn has_read(&mut self, key: &str, is: &str) {
        let Because { line, read, .. } = &mut self.by;
        if line.is_some() && read.get(key).is_none_or(|known| known != is) {
            read.insert(key.to_owned(), is.to_owned());
        }
    }

    /// Puts a row in its place; nothing happens where it stands there already.
    pub fn put<R: Row<G>>(&mut self, key: &R::Key, row: R) {
        self.set_row(key, Some(row));
    }

    /// Changes a row; whether there is one.
    pub fn edit<R: Row<G>>(&mut self, key: &R::Key, change: impl FnOnce(&mut R)) -> bool {
        let Some(mut row) = self.row::<R>(key).cloned() else { return false };
        change(&mut row);
        self.set_row(key, Some(row));
        true
    }

    /// Changes a row, from its default where there is none. A row that comes to be its default is not kept.
    pub fn upsert<R: Row<G> + Default>(&mut self, key: &R::Key, change: impl FnOnce(&mut R)) {
        let mut row = self.row::<R>(key).cloned().unwrap_or_default();
        change(&mut row);
        let is_default = row == R::default();
        self.set_row(key, (!is_default).then_some(row));
    }

    /// Removes a row, and gives it.
    pub fn delete<R: Row<G>>(&mut self, key: &R::Key) -> Option<R> {
        let row = self.row::<R>(key).cloned();
        self.set_row::<R>(key, None);
        row
    }

    fn set_row<R: Row<G>>(&mut self, key: &R::Key, to: Option<R>) {
        let was = self.row::<R>(key);
        if was == to.as_ref() {
            return;
        }
        let (was, is) = (was.map(table::fields), to.as_ref().map(table::fields));
        // Two rows that are written alike are one for the journal.
        let Some(change) = RowChange::between(R::TABLE, table::key(key), was, is) else { return };
        self.state.tables.set(key, to);
        self.note(Change::Row(change));
    }

    /// Emits a fact of the room's frame.
    pub fn frame_fact(&mut self, fact: FrameFact) {
        self.emit(Change::Frame(fact));
    }

    /// Emits an operation on the world. The id of what ends is not given again.
    pub fn op(&mut self, op: Op) {
        if let Op::Destroy { obj, .. } = &op
            && is_named(obj)
        {
            self.count(obj, 1);
        }
        self.emit(Change::World(op));
    }

    /// Brings an object into being, and gives its id. That is made of its kind and a name, or a number where the name is
    /// none, and is given once: an object of the same name that comes later has another.
    pub fn create(&mut self, kind: &Id, name: &str) -> Id {
        let plain: Id = format!("{kind}/{}", slug(name)).into();
        if self.world.exists(&plain) {
            self.count(&plain, 1);
        }
        let obj: Id = match is_named(&plain).then(|| self.number(&plain)) {
            None => format!("{kind}/{}", self.number(kind)).into(),
            Some(1) => plain,
            Some(again) => format!("{plain}{AGAIN}{again}").into(),
        };
        self.op(Op::Create { obj: obj.clone(), kind: kind.clone() });
        obj
    }

    /// Emits an operation on the rules.
    pub fn rule(&mut self, op: RuleOp) {
        self.emit(Change::Rule(op));
    }

    /// Sets an attribute of an object; nothing happens when it has that value already.
    pub fn set<T: Reads>(&mut self, attr: &Attr<T>, obj: &Id, to: T) {
        let op = self.world.setting(attr, obj, to);
        if !matches!(&op, Op::Set { to, was, .. } if to == was) {
            self.op(op);
        }
    }

    /// Raises a number of an object by an amount, which may be negative.
    pub fn add(&mut self, attr: &Attr<Num>, obj: &Id, by: Num) {
        if !by.is_zero() {
            self.op(Op::Add { at: attr.of(obj), by });
        }
    }

    /// The number of a new row of a table, which counts its rows.
    pub fn next_number<R: Row<G, Key = u64>>(&mut self) -> u64 {
        self.number(R::TABLE)
    }

    /// The number of something new, by what it counts: one above the last that was ever given. An undo frees no number, and
    /// an entry that is decided again gives the numbers that it gave: what was said of 3 is about 3.
    pub fn number(&mut self, of: &str) -> u64 {
        let last = match &self.replayed {
            None => self.frame.last_number(of),
            Some(replayed) => {
                let last = self.frame.last_number(of);
                let is_recorded = replayed.gave.get(of).is_some_and(|gave| last < *gave);
                if is_recorded { last } else { replayed.highest.get(of).copied().unwrap_or_default().max(last) }
            }
        };
        let number = last.saturating_add(1);
        self.count(of, number);
        number
    }

    /// Says that numbers up to this one were given; nothing happens where as many were.
    pub fn count(&mut self, of: &str, last: u64) {
        if self.frame.last_number(of) < last {
            self.frame_fact(FrameFact::Counted { of: of.into(), last });
        }
    }

    /// Says that all numbers were given that were in another line of the room.
    pub fn count_as(&mut self, other: &State<G>) {
        other.frame.counted.iter().for_each(|(of, last)| self.count(of, *last));
    }

    /// Plays something again on the amended line.
    pub(super) fn recall(&mut self, recalled: Recalled) {
        self.replayed = Some(recalled);
    }

    /// Until when something is put off that lapses: as long after a moderator's pause as it was due after its beginning.
    pub fn put_off(&self, due: &Due) -> Instant {
        match (self.replayed.as_ref().and_then(|replayed| replayed.until), self.frame.clock) {
            (Some(until), _) => until,
            (None, ClockMode::Paused(since)) => seconds_after(self.at, due.at.as_second() - since.as_second()),
            (None, ClockMode::Live | ClockMode::Manual(_)) => self.at,
        }
    }

    /// Draws a number from 0 to `bound` - 1.
    pub fn draw(&mut self, label: &str, bound: u64) -> u64 {
        let number = self.dice.draw(label, bound);
        let (count, bytes) = self.drawn;
        let draw = Draw { label: label.to_owned(), bound, got: number, fixed: false };
        self.drawn = (count + 1, bytes + written(&draw));
        number
    }

    /// Goes on with these dice.
    pub(super) fn take_dice(&mut self, dice: Dice) {
        *self.dice = dice;
    }

    /// How many numbers were drawn so far.
    pub fn drawn(&self) -> usize {
        self.drawn.0
    }

    /// The numbers that were drawn so far.
    pub fn draws(&self) -> &[Draw] {
        self.dice.draws()
    }

    /// Announces a document.
    pub fn say(&mut self, to: Audience, document: Document) {
        let say = Say { to, document };
        self.written += written(&say);
        self.says.push(say);
    }

    /// Announces a sentence in all public forums.
    pub fn tell_all(&mut self, text: impl Into<String>) {
        self.say(Audience::Public, Document::say(text));
    }

    /// How much is announced so far.
    pub fn announced(&self) -> usize {
        self.says.len()
    }

    /// What is announced so far, in order.
    pub fn said(&self) -> &[Say] {
        &self.says
    }

    /// Announces a sentence in all public forums before what was announced since.
    pub fn tell_all_before(&mut self, since: usize, text: impl Into<String>) {
        self.say_before(since, |d| d.tell_all(text));
    }

    /// Announces what something says before what was announced since: a cause before its effects.
    pub fn say_before(&mut self, since: usize, something: impl FnOnce(&mut Self)) {
        let from = self.says.len();
        something(self);
        let said = self.says.split_off(from.min(self.says.len()));
        let since = since.min(self.says.len());
        self.says.splice(since..since, said);
    }

    /// Tells the person in a seat something, privately.
    pub fn tell(&mut self, seat: &Id, document: Document) {
        self.say(Audience::Seat(seat.clone()), document);
    }

    /// Tells the person in a seat something that tells of sealed things, privately, and only if they may read those.
    pub fn tell_reader(&mut self, seat: &Id, of: Vec<Id>, document: Document) {
        self.say(Audience::Reader { seat: seat.clone(), of }, document);
    }

    /// Seals bytes under an id and gives their salted hash in hexadecimal, which is all that an entry may hold of them.
    /// It is SHA-256 over the salt and the bytes.
    pub fn seal(&mut self, id: Id, bytes: Vec<u8>) -> String {
        let hash = sealed_hash(&self.salt, &bytes);
        self.seals.push(Sealed { id, bytes: Some(bytes), salt: self.salt });
        hash
    }

    /// Brings what was opened for this; nothing for what is not kept any more.
    #[must_use]
    pub fn with_opened(mut self, opened: BTreeMap<Id, Option<Opened>>) -> Self {
        self.opened = opened;
        self
    }

    /// Brings how the room would be, had something been otherwise.
    pub(super) fn with_would_be(mut self, would_be: Vec<Arc<dyn Any + Send + Sync>>) -> Self {
        self.would_be = would_be;
        self
    }

    /// How the room would be, had something been otherwise; nothing where it was not asked for, or cannot be worked out.
    pub fn would_be(&self, number: u64) -> Option<&WouldBe<G>> {
        let mut known = self.would_be.iter().filter_map(|known| known.downcast_ref::<WouldBe<G>>());
        known.find(|known| known.of.number == number && known.last + 1 == self.seq)
    }

    /// Says that something is decided again, whose acts mean what they meant.
    pub(super) fn deciding_again(mut self, then: Option<&'a Then<'a, G>>, meant: &[Meant]) -> Self {
        (self.then, self.meant_then) = (then, meant.to_vec());
        self
    }

    /// What an act means: as it is on record where it is decided again, else as it is found now.
    pub(super) fn means(&mut self, typed: &Json, find: impl FnOnce(&mut Self) -> Option<Json>) -> Option<Json> {
        if let Some(at) = self.meant_then.iter().position(|(then, _)| then == typed) {
            return Some(self.meant_then.remove(at).1);
        }
        let meant = find(self)?;
        self.meant.push((typed.clone(), meant.clone()));
        Some(meant)
    }

    /// What is known of what is decided again; nothing where something is decided for the first time.
    pub fn then(&self) -> Option<&'a Then<'a, G>> {
        self.then
    }

    /// Says that something could not happen, though what it is part of did.
    pub fn miss(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.missed.push(Missed { what: what.into(), why: why.into() });
    }

    /// Says that the act was refused, and something follows that: the entry holds what follows, and the act is not done.
    pub(super) fn is_undone(&mut self, why: Refusal) {
        self.undone = Some(why);
    }

    /// What is left of acts that were refused, for whoever follows that. Whoever asked for such an act is refused, and
    /// takes back what e did: this stays.
    pub fn left(&mut self) -> &mut Vec<Box<dyn Any>> {
        &mut self.left
    }

    /// Something sealed that was opened for this; nothing where it was not asked for, or is not kept any more.
    pub fn opened(&self, id: &str) -> Option<&Opened> {
        let (id, opened) = self.opened.get_key_value(id)?;
        self.read.borrow_mut().insert(id.clone());
        opened.as_ref()
    }

    /// Whether something sealed was asked for, and is not kept any more.
    pub fn is_lost(&self, id: &str) -> bool {
        self.opened.get(id).is_some_and(Option::is_none)
    }

    /// Destroys something sealed.
    pub fn unseal(&mut self, id: Id) {
        self.seals.push(Sealed { id, bytes: None, salt: self.salt });
    }

    /// Tries a group of steps: all or none of them happen.
    ///
    /// # Errors
    ///
    /// What the group refused; then the draft is as it was before. Numbers drawn meanwhile stay drawn.
    pub fn attempt<T>(&mut self, steps: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let (state, changes, says, seals) = (self.state.clone(), self.changes.len(), self.says.len(), self.seals.len());
        let (by, was_by) = (self.by.clone(), self.was_by.clone());
        let (missed, meter, unfollowed) = (self.missed.len(), self.meter, self.unfollowed.clone());
        let written = self.written;
        let made =
            self.then.and_then(|then| then.supposing.as_ref()).map(|supposing| (supposing.made, supposing.made.get()));
        steps(self).inspect_err(|_| {
            if let Some((made, was)) = made {
                made.set(was);
            }
            self.missed.truncate(missed);
            let Meter { operations, others, in_turn, .. } = self.meter;
            (self.meter, self.written) = (Meter { operations, others, in_turn, ..meter }, written);
            self.unfollowed = unfollowed;
            self.state = state;
            (self.by, self.was_by) = (by, was_by);
            self.changes.truncate(changes);
            self.doers.truncate(changes);
            self.says.truncate(says);
            self.seals.truncate(seals);
        })
    }

    /// Does something that the game does: whatever it does meanwhile is part of that.
    pub(super) fn under_way<T>(&mut self, does: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let done = does(self);
        self.depth -= 1;
        done
    }

    /// Whether what is done now is part of something else that the game does. Such are an act that was set for later,
    /// and one of several that are one.
    pub fn is_part(&self) -> bool {
        self.depth > 1
    }

    /// Whether what is done now is part of nothing that the game or a script does.
    pub(super) fn is_outermost(&self) -> bool {
        self.depth == 0 && self.acting == 0 && !self.meter.running
    }

    /// Does an act, or what a document says.
    pub(super) fn acting<T>(&mut self, does: impl FnOnce(&mut Self) -> T) -> T {
        self.acting += 1;
        let done = does(self);
        self.acting -= 1;
        done
    }

    /// Whether an act is under way, or a document carried out: what happens meanwhile is followed when that is done.
    pub fn is_acting(&self) -> bool {
        self.acting > 0
    }

    /// The seat of the one who acts.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the person has no seat in the room.
    pub fn actor(&self) -> Result<Id, Refusal> {
        self.actor_seat().ok_or_else(Refusal::unseated)
    }

    /// Does something in the place of somebody or something else, which says nothing itself.
    pub fn acting_as<T>(&mut self, who: Id, does: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.acts_as.replace(who);
        let done = does(self);
        self.acts_as = before;
        done
    }

    /// The seat of the one who acts, if there is one; of something that another acts for, what it is.
    pub fn actor_seat(&self) -> Option<Id> {
        if let Some(who) = &self.acts_as {
            return Some(who.clone());
        }
        self.frame.seat_of(&self.doer.person).map(|(id, _)| id.clone())
    }

    /// How many of its changes scripts have heard of.
    pub fn heard(&self) -> usize {
        self.meter.heard
    }

    /// How far scripts are with it.
    pub fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// What happened in an act or while a script ran, by name and with what belongs to it, for whoever follows it.
    pub fn unfollowed(&mut self) -> &mut Vec<(String, Json)> {
        &mut self.unfollowed
    }

    /// Notes that the script of a rule ran, and how many operations that took.
    pub fn has_run(&mut self, rule: &Id, operations: u64) {
        let (seq, at) = (self.seq, self.at);
        let before = self.state.ran.0.get(rule).filter(|last| last.seq == seq).map_or(0, |last| last.operations);
        self.state.ran.0.insert(rule.clone(), LastRun { seq, at, operations: before + operations });
    }

    /// What was taken so far, of everybody.
    pub fn all_taken(&self) -> Taken {
        let Meter { operations, in_turn, .. } = self.meter;
        let (changes, bytes) = (self.changes.len(), self.written + self.drawn.1);
        Taken { operations, in_turn, changes, bytes, announced: self.says.len(), drawn: self.drawn.0 }
    }

    /// What scripts of rules took so far that pay for themselves, by rule. No attempt gives any of it back.
    pub fn taken(&mut self) -> &mut BTreeMap<Id, Taken> {
        &mut self.taken
    }

    /// How many changes were emitted so far.
    pub fn emitted(&self) -> usize {
        self.changes.len()
    }

    /// What was changed so far, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The same from some change on, each with whose act it was made in.
    pub fn changes_since(&self, from: usize) -> impl Iterator<Item = (&Change, Option<&Id>)> {
        self.changes.iter().zip(self.doers.iter().map(Option::as_ref)).skip(from)
    }

    /// Replaces a value by what a display said, for corrections.
    pub fn overwrite(&mut self, at: Path, to: Value) {
        let was = self.world.value(&at);
        if to != was {
            self.op(Op::Set { at, to, was });
        }
    }
}

/// What stands before how often an id was given, from the second time on. No name brings that sign into an id.
const AGAIN: char = '~';

/// Whether an id is made of a name, and was given for the first time: others are of numbers, which are given once anyhow.
fn is_named(obj: &str) -> bool {
    let tail = obj.rsplit('/').next().unwrap_or(obj);
    !obj.contains(AGAIN) && tail.contains(|sign: char| !sign.is_ascii_digit())
}

/// Folds one change into a state: the same changes give the same state.
///
/// # Errors
///
/// Why a row cannot be read. Then nothing changes.
pub fn fold<G: Kind>(state: &mut State<G>, change: &Change, seq: Seq, at: Instant) -> Result<(), String> {
    match change {
        Change::World(op) => {
            if let Op::Set { at: path, to: Value::Text(text), .. } = op
                && G::personal().contains(&&*path.attr)
            {
                state.frame.know(&path.obj, text, seq);
            }
            state.world.apply(op, seq);
        }
        Change::Rule(op) => state.rules.apply(op, seq, at),
        Change::By(_) => {}
        Change::Frame(fact) => state.frame.fold(fact, seq),
        Change::Row(change) => table::fold(&mut state.tables, change)?,
    }
    Ok(())
}

/// How many bytes something takes in the journal. What cannot be written is told where the entry is.
fn written(what: &impl Serialize) -> usize {
    serde_json::to_string(what).map_or(0, |text| text.len())
}

/// The hash of something sealed, in hexadecimal: SHA-256 over the salt and the bytes.
pub fn sealed_hash(salt: &[u8], bytes: &[u8]) -> String {
    hex::encode(Sha256::new().chain_update(salt).chain_update(bytes).finalize())
}

/// A paragraph that the service replaces by the text of something sealed, wherever the game decided that it may be
/// read. The game itself never holds the text.
pub fn sealed_block(id: &Id) -> Block {
    Block::Sealed { secret: id.clone() }
}
