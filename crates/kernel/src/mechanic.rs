//! What a game is made of: mechanics, each a list of what it adds to play.
//!
//! A mechanic is a value: acts, phases, displays, and what follows by itself. The kernel asks all mechanics of a game
//! alike, and cannot tell who wrote one. State lies in the game's tables.
//!
//! Acts, phases, displays, verbs and jobs stand here together: each names the game, and the game names all of them. A
//! file of its own for each would be a circle of nine files.

#![expect(clippy::type_complexity, reason = "a closure is spelled out where it is kept: a name would say less")]

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value as Json, json};

use super::{
    Id, Instant, Path, Refusal, Seq,
    directives::Setting,
    display::{Block, COMMON, Cell, Document},
    draft::{Draft, Supposed},
    entry::Due,
    game::{Doer, Fate, Game, Lapse, Made, State, Viewer},
    own_command::OwnCommand,
    table::{Declared, Row},
    waiting::Waiting,
    work::{Bench, Work},
};

/// How often the "whenever" clauses of a game are asked after one deed. It is more than any real cascade needs, few
/// enough that two rules which undo each other for ever are stopped within a moment.
pub const SETTLE_MAX_ROUNDS: usize = 10_000;

/// What somebody who acts, or looks, is answered.
pub type Outcome = Result<Document, Refusal>;

type Reads<G, T> = Box<dyn Fn(&State<G>) -> T + Send + Sync>;
type Writes<G, A, T> = Box<dyn Fn(A, &mut Draft<'_, G>) -> T + Send + Sync>;

// ---- acts

/// The arguments of an act that takes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// What must hold before an act is judged: the kernel asks for it, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// What rules in force must establish, by the words of their headers.
    pub rules: Vec<&'static str>,
    /// Whether only somebody who plays may do it.
    pub player: bool,
    /// The office that only whoever holds it may do it by, as the game calls it.
    pub office: Option<&'static str>,
    /// A line as it is said in public, where the act must be.
    pub line: Option<&'static str>,
}

/// Something that can be tried.
pub struct Act<G: Game> {
    /// Its name, as the catalogue binds it: `give_vertex`.
    pub name: &'static str,
    /// What must hold before it is judged.
    pub needs: Needs,
    /// A word on it for the game's own use ([`Game::within`]).
    pub note: &'static str,
    takes: Box<dyn Fn(&Json, &mut Draft<'_, G>) -> Outcome + Send + Sync>,
    about: Option<Box<dyn Fn(&Json, &State<G>) -> Option<String> + Send + Sync>>,
    unsaid: Option<(&'static str, Box<dyn Fn(&State<G>, &Doer) -> Option<u64> + Send + Sync>)>,
    sealed: Option<&'static str>,
    unstoppable: Option<Reads<G, bool>>,
}

impl<G: Game> Act<G> {
    /// An act with its arguments, read by serde.
    pub fn new<A: DeserializeOwned>(
        name: &'static str,
        does: impl Fn(A, &mut Draft<'_, G>) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let takes = move |args: &Json, d: &mut Draft<'_, G>| does(read(args)?, d);
        let (needs, takes) = (Needs::default(), Box::new(takes));
        Self { name, needs, note: "", takes, about: None, unsaid: None, sealed: None, unstoppable: None }
    }

    /// An act without arguments.
    pub fn plain(name: &'static str, does: impl Fn(&mut Draft<'_, G>) -> Outcome + Send + Sync + 'static) -> Self {
        Self::new(name, move |Nothing {}, d| does(d))
    }

    /// Possible only while a rule in force establishes this.
    #[must_use]
    pub fn by(mut self, rule: &'static str) -> Self {
        self.needs.rules.push(rule);
        self
    }

    /// Only for somebody who plays.
    #[must_use]
    pub fn player(mut self) -> Self {
        self.needs.player = true;
        self
    }

    /// Only for whoever holds an office.
    #[must_use]
    pub fn office(mut self, office: &'static str) -> Self {
        self.needs.office = Some(office);
        self
    }

    /// Only where everybody can read it; `line` is how it is typed there.
    #[must_use]
    pub fn public(mut self, line: &'static str) -> Self {
        self.needs.line = Some(line);
        self
    }

    /// With a word on it for the game's own use.
    #[must_use]
    pub fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }

    /// What it is about in a state, in words, where the same line may be about something else in another. An offer
    /// whose act has come to be about something else is refused.
    #[must_use]
    pub fn about<A: DeserializeOwned>(
        mut self,
        about: impl Fn(A, &State<G>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.about = Some(Box::new(move |args, state| about(read(args).ok()?, state)));
        self
    }

    /// Which number an argument is in a state where somebody's line leaves it out. What is decided again means what it
    /// meant when it was typed.
    #[must_use]
    pub fn unsaid(
        mut self,
        arg: &'static str,
        meant: impl Fn(&State<G>, &Doer) -> Option<u64> + Send + Sync + 'static,
    ) -> Self {
        self.unsaid = Some((arg, Box::new(meant)));
        self
    }

    /// Which argument it seals: what is kept of the action names the secret in its place, and what is decided again has
    /// the text from there. The act must take what it sealed as it takes what was typed.
    #[must_use]
    pub fn sealing(mut self, arg: &'static str) -> Self {
        self.sealed = Some(arg);
        self
    }

    /// That no pause stops it and no ban, since the rules let nothing stop it. In a pause it happens at the instant at
    /// which that began.
    #[must_use]
    pub fn unstoppable(mut self, when: impl Fn(&State<G>) -> bool + Send + Sync + 'static) -> Self {
        self.unstoppable = Some(Box::new(when));
        self
    }
}

fn unknown() -> Refusal {
    Refusal::new("this game cannot do that: nothing of the kind is done in it").instead("help")
}

fn read<A: DeserializeOwned>(args: &Json) -> Result<A, Refusal> {
    A::deserialize(args).map_err(|_| unknown())
}

/// The name of the act in an invocation, and its arguments: `{"name": {...}}`, or `"name"` where it takes none.
///
/// # Errors
///
/// A [`Refusal`] where it has another form.
pub fn parted(invocation: &Json) -> Result<(&str, Cow<'_, Json>), Refusal> {
    match invocation {
        Json::String(name) => Ok((name, Cow::Owned(Json::Object(Default::default())))),
        Json::Object(fields) if fields.len() == 1 => {
            let (name, args) = fields.iter().next().ok_or_else(unknown)?;
            Ok((name, Cow::Borrowed(args)))
        }
        _ => Err(unknown()),
    }
}

// ---- phases

/// Something that falls due, at one place in the order of what shares an instant.
pub struct Phase<G: Game> {
    ranks: Vec<u8>,
    next: Reads<G, Option<Due>>,
    does: Writes<G, Due, ()>,
    lapse: Option<Writes<G, Due, ()>>,
    fate: Option<Box<dyn Fn(&State<G>, &Due) -> Lapse + Send + Sync>>,
    opens: Option<Box<dyn Fn(&State<G>, &Due) -> Vec<Id> + Send + Sync>>,
}

impl<G: Game> Phase<G> {
    /// A phase by its rank: when it is next due, and what it does then. It may not refuse: what cannot be done is
    /// announced. Inside a moderator's pause it never happens, unless [`Self::lapse`] and [`Self::fate`] say otherwise.
    pub fn new(
        rank: u8,
        next: impl Fn(&State<G>) -> Option<Due> + Send + Sync + 'static,
        does: impl Fn(Due, &mut Draft<'_, G>) + Send + Sync + 'static,
    ) -> Self {
        Self { ranks: vec![rank], next: Box::new(next), does: Box::new(does), lapse: None, fate: None, opens: None }
    }

    /// It has this rank, too: what is due at either is told apart by its key.
    #[must_use]
    pub fn also(mut self, rank: u8) -> Self {
        self.ranks.push(rank);
        self
    }

    /// Marks what was due inside a moderator's pause as not happening.
    #[must_use]
    pub fn lapse(mut self, lapse: impl Fn(Due, &mut Draft<'_, G>) + Send + Sync + 'static) -> Self {
        self.lapse = Some(Box::new(lapse));
        self
    }

    /// What it is called inside a moderator's pause, and what becomes of it; else it never happens.
    #[must_use]
    pub fn fate(mut self, fate: impl Fn(&State<G>, &Due) -> Lapse + Send + Sync + 'static) -> Self {
        self.fate = Some(Box::new(fate));
        self
    }

    /// The sealed things that must be open for it, by id. They are opened for that alone.
    #[must_use]
    pub fn opens(mut self, opens: impl Fn(&State<G>, &Due) -> Vec<Id> + Send + Sync + 'static) -> Self {
        self.opens = Some(Box::new(opens));
        self
    }
}

// ---- displays

/// What somebody asked to see.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What stands behind the display's name, its parts with `/` between them: `41`.
    pub rest: &'a str,
    /// Who looks.
    pub viewer: &'a Viewer,
}

impl Asked<'_> {
    /// The parts behind the name.
    pub fn parts(&self) -> Vec<&str> {
        if self.rest.is_empty() { Vec::new() } else { self.rest.split('/').collect() }
    }

    /// What stands behind the name as words: those of a name come joined as the parts of an address are.
    pub fn words(&self) -> String {
        self.rest.replace('/', " ")
    }
}

/// A view of the state.
pub struct Display<G: Game> {
    names: Vec<&'static str>,
    among: Option<Reads<G, Vec<Cell>>>,
    fits: fn(usize) -> bool,
    listed: Option<u8>,
    personal: bool,
    show: Box<dyn Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync>,
    beside: Option<Reads<G, Vec<Cell>>>,
    reads: Option<Box<dyn Fn(&State<G>, &Viewer) -> Vec<Id> + Send + Sync>>,
    seen_at: Option<Box<dyn Fn(&State<G>, &str) -> Option<Seq> + Send + Sync>>,
}

impl<G: Game> Display<G> {
    /// A display by its name alone: `people`.
    pub fn new(name: &'static str, show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self {
            names: vec![name],
            among: None,
            fits: |parts| parts == 0,
            listed: None,
            personal: false,
            show: Box::new(show),
            beside: None,
            reads: None,
            seen_at: None,
        }
    }

    /// A display of something that is named behind it: `proposal/41`.
    pub fn of(name: &'static str, show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self { fits: |parts| parts > 0, ..Self::new(name, show) }
    }

    /// A display of whatever no other display is called: it is asked with the whole id, and refuses what it does not know.
    pub fn other(show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static) -> Self {
        Self { names: Vec::new(), fits: |_| true, ..Self::new("", show) }
    }

    /// Displays that the room has by its own rules: each is shown by the name that its cell completes, and listed.
    pub fn among(
        place: u8,
        names: impl Fn(&State<G>) -> Vec<Cell> + Send + Sync + 'static,
        show: impl Fn(&State<G>, Asked<'_>) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        let all = Self { names: Vec::new(), fits: |_| true, ..Self::new("", show) };
        Self { among: Some(Box::new(names)), listed: Some(place), ..all }
    }

    /// With or without something behind the name, as this says of the number of its parts.
    #[must_use]
    pub fn fits(mut self, fits: fn(usize) -> bool) -> Self {
        self.fits = fits;
        self
    }

    /// It has this name, too.
    #[must_use]
    pub fn also(mut self, name: &'static str) -> Self {
        self.names.push(name);
        self
    }

    /// It stands in the list of displays, lower places first.
    #[must_use]
    pub fn listed(mut self, place: u8) -> Self {
        self.listed = Some(place);
        self
    }

    /// These stand in the list of displays in its place.
    #[must_use]
    pub fn beside(mut self, place: u8, ids: impl Fn(&State<G>) -> Vec<Cell> + Send + Sync + 'static) -> Self {
        self.listed = Some(place);
        self.beside = Some(Box::new(ids));
        self
    }

    /// It is for its viewer's eyes alone: it is answered privately wherever it is asked for.
    #[must_use]
    pub fn personal(mut self) -> Self {
        self.personal = true;
        self
    }

    /// The sealed things that it judges by, by id, for a viewer who may read them. They are opened for that look alone, in
    /// [`Viewer::opened`].
    #[must_use]
    pub fn reads(mut self, reads: impl Fn(&State<G>, &Viewer) -> Vec<Id> + Send + Sync + 'static) -> Self {
        self.reads = Some(Box::new(reads));
        self
    }

    /// The entry as of which it is best seen, where that is not the last one. Such is a thing of the past that the
    /// state no longer holds, but did then. It is asked with what stands behind the name.
    #[must_use]
    pub fn seen_at(mut self, seen_at: impl Fn(&State<G>, &str) -> Option<Seq> + Send + Sync + 'static) -> Self {
        self.seen_at = Some(Box::new(seen_at));
        self
    }
}

/// A display in a list: for everybody, and completed by its id.
pub fn listing(id: &str) -> Cell {
    Cell::named(id).showing(id)
}

/// What whoever asks for a display that a game has not is told.
pub fn no_display<G: Game>() -> Refusal {
    Refusal::new("this room has no display of that name").instead(G::CHIEF)
}

/// The name of a display, and what stands behind it.
fn asked(id: &str) -> (&str, &str) {
    let id = id.trim_matches('/');
    id.split_once('/').unwrap_or((id, ""))
}

// ---- directives

/// A directive in words of this game alone.
pub struct Verb<G: Game> {
    /// What it begins with, each of one word or more: `order moves`. The first is listed.
    begins: &'static [&'static str],
    does: Box<dyn Fn(Said<'_>, &mut Draft<'_, G>) -> Result<Option<String>, Refusal> + Send + Sync>,
}

/// A directive of a game's own as it was written.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    /// Its words.
    pub words: &'a str,
    /// What stands behind the words that it begins with.
    pub rest: &'a str,
    /// The block of text that follows it.
    pub text: Option<&'a str>,
    /// How it is carried out.
    pub setting: &'a Setting<'a>,
}

impl Said<'_> {
    /// What stands behind the words that it begins with, without the full stop or semicolon at the end of a sentence.
    pub fn sentence(&self) -> &str {
        self.rest.trim_end_matches(['.', ';']).trim_end()
    }
}

impl<G: Game> Verb<G> {
    /// A directive that begins with one of these. What it does may say what came of it.
    pub fn new(
        begins: &'static [&'static str],
        does: impl Fn(Said<'_>, &mut Draft<'_, G>) -> Result<Option<String>, Refusal> + Send + Sync + 'static,
    ) -> Self {
        Self { begins, does: Box::new(does) }
    }

    /// What stands behind the words that this begins with; nothing where it begins otherwise.
    fn rest<'t>(&self, words: &'t str) -> Option<&'t str> {
        self.begins.iter().find_map(|begins| behind(words, begins))
    }
}

/// What stands behind the first words of a text, whatever their case; a colon may stand right behind them.
fn behind<'t>(text: &'t str, first: &str) -> Option<&'t str> {
    let mut rest = text;
    for word in first.split(' ') {
        rest = rest.trim_start();
        let head = rest.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
        rest = &rest[head.len()..];
        if rest.starts_with(|letter: char| letter.is_alphanumeric()) {
            return None;
        }
    }
    Some(rest)
}

// ---- works

/// Long work that a room waits for: part of its state, so that no restart loses it.
pub struct Job<G: Game> {
    prefix: &'static str,
    next: Reads<G, Option<Work>>,
    play: Box<dyn Fn(&Work, &Bench<'_>) -> Option<Json> + Send + Sync>,
    finish: Writes<G, Json, ()>,
}

impl<G: Game> Job<G> {
    /// Work whose ids begin with `prefix`. `play` is pure but for the cache and the signal to stop, away from the room, and
    /// gives nothing when it was told to stop. `finish` may not refuse; a result that no longer fits changes nothing.
    pub fn new(
        prefix: &'static str,
        next: impl Fn(&State<G>) -> Option<Work> + Send + Sync + 'static,
        play: impl Fn(&Work, &Bench<'_>) -> Option<Json> + Send + Sync + 'static,
        finish: impl Fn(Json, &mut Draft<'_, G>) + Send + Sync + 'static,
    ) -> Self {
        Self { prefix, next: Box::new(next), play: Box::new(play), finish: Box::new(finish) }
    }
}

// ---- mechanics

/// Something of which mechanics hear, so that what one does and another follows needs no call from file to file.
#[derive(Clone, Copy)]
pub enum Event<'a, G: Game> {
    /// A moderator's pause that began then ends, before anything lapses: what stood still in it goes on from now.
    Resumed(Instant),
    /// A moderator corrected a value or took an entry back; the state before it.
    Mended(&'a State<G>),
    /// Whoever sat in this seat asked to be forgotten: what a seat has only while somebody is there ends. The seat stays
    /// theirs if they come back.
    Forgotten(&'a Id),
    /// Something happened by the rules, which the mechanic that did it names: `pass`. What belongs to it stands by name,
    /// as the arguments of an act do.
    Happened(&'static str, &'a Json),
    /// An instant of the game's time has come, by all its names at once, each with the number of what ends or begins:
    /// `end of nday` 9. The game's own work of that instant is done.
    Instant(&'a [(&'static str, i64)]),
}

type Below<G> = Box<dyn Fn(&State<G>, &str) -> Option<String> + Send + Sync>;
type Corrects<G> = Box<dyn Fn(&str, &str, &mut Draft<'_, G>) -> Option<Result<(), Refusal>> + Send + Sync>;

/// What a mechanic needs to know of how the room would be, had something been otherwise.
struct Supposes<G: Game> {
    wants: Box<dyn Fn(&State<G>, Option<(&Doer, &Json)>) -> Vec<Supposed> + Send + Sync>,
    makes: Box<dyn Fn(u64, &State<G>, &mut Draft<'_, G>) -> Result<(), Refusal> + Send + Sync>,
}

/// The proposals of a game, for who tries one before the vote.
pub struct Proposals<G: Game> {
    /// Those that wait, each with its number and its text.
    pub waiting: fn(&State<G>) -> Vec<(u64, String)>,
    /// The room as it would be if one passed now, on a copy.
    pub passed: fn(&State<G>, u64) -> Result<State<G>, Refusal>,
}

/// What one rule, or a few that belong together, add to play.
pub struct Mechanic<G: Game> {
    /// What it is called, also where a game records on what ground something followed by itself: `activity`.
    pub name: &'static str,
    tables: Vec<Declared<G>>,
    counts: Vec<(&'static str, Reads<G, u64>)>,
    acts: Vec<Act<G>>,
    phases: Vec<Phase<G>>,
    displays: Vec<Display<G>>,
    below: Vec<Below<G>>,
    jobs: Vec<Job<G>>,
    settles: Vec<Box<dyn Fn(&mut Draft<'_, G>) -> bool + Send + Sync>>,
    hears: Vec<Box<dyn Fn(&Event<'_, G>, &mut Draft<'_, G>) + Send + Sync>>,
    bars: Vec<Box<dyn Fn(&Draft<'_, G>) -> Result<(), Refusal> + Send + Sync>>,
    before: Vec<Box<dyn Fn(&Tried<'_>, &mut Draft<'_, G>) -> Result<Judged, Refusal> + Send + Sync>>,
    refused: Vec<Refused<G>>,
    after: Vec<Box<dyn Fn(Option<&Tried<'_>>, &mut Draft<'_, G>) + Send + Sync>>,
    commands: Vec<Reads<G, Vec<Arc<OwnCommand>>>>,
    rests: Vec<Reads<G, bool>>,
    corrects_value: Vec<Box<dyn Fn(&Path, &str, &mut Draft<'_, G>) -> Option<Result<(), Refusal>> + Send + Sync>>,
    corrects: Vec<Corrects<G>>,
    seals: Vec<Reads<G, Vec<(Id, String)>>>,
    is_open: Vec<Box<dyn Fn(&State<G>, &str) -> bool + Send + Sync>>,
    readers: Vec<Box<dyn Fn(&State<G>, &str) -> Option<Id> + Send + Sync>>,
    made: Vec<Box<dyn Fn(&State<G>, &str) -> Option<Made> + Send + Sync>>,
    verbs: Vec<Verb<G>>,
    differs: Vec<Box<dyn Fn(&State<G>, &State<G>) -> Vec<String> + Send + Sync>>,
    opens: Vec<Reads<G, Vec<Id>>>,
    supposes: Option<Supposes<G>>,
    warns: Vec<Reads<G, Vec<String>>>,
    notes: Vec<Box<dyn Fn(&State<G>, &Id) -> Vec<String> + Send + Sync>>,
    under: Vec<Box<dyn Fn(&State<G>, &Id) -> Vec<Block> + Send + Sync>>,
    checks: Option<Box<dyn Fn(&State<G>, &str) -> Outcome + Send + Sync>>,
    proposals: Option<Proposals<G>>,
    waits: Vec<Reads<G, Vec<Waiting>>>,
}

impl<G: Game> Mechanic<G> {
    /// A mechanic that adds nothing yet.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            tables: Vec::new(),
            counts: Vec::new(),
            acts: Vec::new(),
            phases: Vec::new(),
            displays: Vec::new(),
            below: Vec::new(),
            jobs: Vec::new(),
            settles: Vec::new(),
            hears: Vec::new(),
            bars: Vec::new(),
            before: Vec::new(),
            refused: Vec::new(),
            after: Vec::new(),
            commands: Vec::new(),
            rests: Vec::new(),
            corrects_value: Vec::new(),
            corrects: Vec::new(),
            seals: Vec::new(),
            is_open: Vec::new(),
            readers: Vec::new(),
            made: Vec::new(),
            verbs: Vec::new(),
            differs: Vec::new(),
            opens: Vec::new(),
            supposes: None,
            warns: Vec::new(),
            checks: None,
            proposals: None,
            waits: Vec::new(),
            notes: Vec::new(),
            under: Vec::new(),
        }
    }

    /// Adds a table: what it keeps beside the world.
    #[must_use]
    pub fn table<R: Row<G>>(mut self) -> Self {
        self.tables.push(Declared::of::<R>());
        self
    }

    /// Adds a table whose rows are numbered by its name ([`Draft::next_number`]).
    #[must_use]
    pub fn numbered_table<R: Row<G, Key = u64>>(self) -> Self {
        let last = |state: &State<G>| state.rows::<R>().last().map_or(0, |(last, _)| *last);
        self.table::<R>().counts(R::TABLE, last)
    }

    /// Adds a table of before, which is read and written no more.
    #[must_use]
    pub fn former_table<R: Row<G>>(mut self) -> Self {
        self.tables.push(Declared::former::<R>());
        self
    }

    /// Says how the tables tell the last number that was given, by what it counts: entries of before numbers were counted
    /// ([`Draft::number`]) do not.
    #[must_use]
    pub fn counts(mut self, of: &'static str, last: impl Fn(&State<G>) -> u64 + Send + Sync + 'static) -> Self {
        self.counts.push((of, Box::new(last)));
        self
    }

    /// Adds something that can be tried.
    #[must_use]
    pub fn act(mut self, act: Act<G>) -> Self {
        self.acts.push(act);
        self
    }

    /// Adds something that falls due.
    #[must_use]
    pub fn phase(mut self, phase: Phase<G>) -> Self {
        self.phases.push(phase);
        self
    }

    /// Adds a view of the state.
    #[must_use]
    pub fn display(mut self, display: Display<G>) -> Self {
        self.displays.push(display);
        self
    }

    /// Says something below displays of the whole game, by the id that was asked for.
    #[must_use]
    pub fn below(mut self, below: impl Fn(&State<G>, &str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.below.push(Box::new(below));
        self
    }

    /// Adds long work.
    #[must_use]
    pub fn job(mut self, job: Job<G>) -> Self {
        self.jobs.push(job);
        self
    }

    /// Adds what rules do “whenever” something holds: one thing at a time, and whether it did. It is asked after every
    /// complete act and instant until nothing is left to do.
    #[must_use]
    pub fn settle(mut self, settle: impl Fn(&mut Draft<'_, G>) -> bool + Send + Sync + 'static) -> Self {
        self.settles.push(Box::new(settle));
        self
    }

    /// Hears of what happens around the rules.
    #[must_use]
    pub fn hears(mut self, hears: impl Fn(&Event<'_, G>, &mut Draft<'_, G>) + Send + Sync + 'static) -> Self {
        self.hears.push(Box::new(hears));
        self
    }

    /// Bars every act while something holds.
    #[must_use]
    pub fn bars(mut self, bars: impl Fn(&Draft<'_, G>) -> Result<(), Refusal> + Send + Sync + 'static) -> Self {
        self.bars.push(Box::new(bars));
        self
    }

    /// Judges every act before it is done: it may refuse it, give other arguments, or answer in its place.
    #[must_use]
    pub fn before(
        mut self,
        before: impl Fn(&Tried<'_>, &mut Draft<'_, G>) -> Result<Judged, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.before.push(Box::new(before));
        self
    }

    /// Follows an act that was refused, where something does: then there is an answer in the place of the refusal. All that
    /// the act did is taken back by then. It is asked before the act whether it would.
    #[must_use]
    pub fn refused(
        mut self,
        awaits: impl Fn(&Tried<'_>, &Draft<'_, G>) -> bool + Send + Sync + 'static,
        follows: impl Fn(&Tried<'_>, &Refusal, &mut Draft<'_, G>) -> Option<Document> + Send + Sync + 'static,
    ) -> Self {
        self.refused.push(Refused { awaits: Box::new(awaits), follows: Box::new(follows) });
        self
    }

    /// Follows every act that was done, and everything else that happened: then there is no act.
    #[must_use]
    pub fn after(mut self, after: impl Fn(Option<&Tried<'_>>, &mut Draft<'_, G>) + Send + Sync + 'static) -> Self {
        self.after.push(Box::new(after));
        self
    }

    /// Says what waits for people.
    #[must_use]
    pub fn waits(mut self, waits: impl Fn(&State<G>) -> Vec<Waiting> + Send + Sync + 'static) -> Self {
        self.waits.push(Box::new(waits));
        self
    }

    /// Says below a rule how it is played otherwise than it reads.
    #[must_use]
    pub fn notes(mut self, notes: impl Fn(&State<G>, &Id) -> Vec<String> + Send + Sync + 'static) -> Self {
        self.notes.push(Box::new(notes));
        self
    }

    /// Says below a rule, where that is shown by itself, what it brings about.
    #[must_use]
    pub fn under(mut self, under: impl Fn(&State<G>, &Id) -> Vec<Block> + Send + Sync + 'static) -> Self {
        self.under.push(Box::new(under));
        self
    }

    /// Adds the commands that the room has by its own rules.
    #[must_use]
    pub fn commands(mut self, commands: impl Fn(&State<G>) -> Vec<Arc<OwnCommand>> + Send + Sync + 'static) -> Self {
        self.commands.push(Box::new(commands));
        self
    }

    /// While this holds, nothing of the whole game falls due or follows by itself.
    #[must_use]
    pub fn rests(mut self, rests: impl Fn(&State<G>) -> bool + Send + Sync + 'static) -> Self {
        self.rests.push(Box::new(rests));
        self
    }

    /// The moderator's correction of an attribute from which more follows than its value; nothing for others.
    #[must_use]
    pub fn corrects_value(
        mut self,
        corrects: impl Fn(&Path, &str, &mut Draft<'_, G>) -> Option<Result<(), Refusal>> + Send + Sync + 'static,
    ) -> Self {
        self.corrects_value.push(Box::new(corrects));
        self
    }

    /// The moderator's correction of something that is no attribute of the world; nothing for other places.
    #[must_use]
    pub fn corrects(
        mut self,
        corrects: impl Fn(&str, &str, &mut Draft<'_, G>) -> Option<Result<(), Refusal>> + Send + Sync + 'static,
    ) -> Self {
        self.corrects.push(Box::new(corrects));
        self
    }

    /// The sealed things that the state promises by their salted hash, in hexadecimal, and that must be there.
    #[must_use]
    pub fn seals(mut self, seals: impl Fn(&State<G>) -> Vec<(Id, String)> + Send + Sync + 'static) -> Self {
        self.seals.push(Box::new(seals));
        self
    }

    /// Whether something sealed is shown to everybody, by id. Nothing else opens to anybody but the person who sealed it,
    /// whoever sits in that person's seat by now.
    #[must_use]
    pub fn is_open(mut self, is_open: impl Fn(&State<G>, &str) -> bool + Send + Sync + 'static) -> Self {
        self.is_open.push(Box::new(is_open));
        self
    }

    /// The seat that may read something sealed beside whoever sealed it, by id.
    #[must_use]
    pub fn readers(mut self, reader: impl Fn(&State<G>, &str) -> Option<Id> + Send + Sync + 'static) -> Self {
        self.readers.push(Box::new(reader));
        self
    }

    /// Adds a directive of this game's own.
    #[must_use]
    pub fn verb(mut self, verb: Verb<G>) -> Self {
        self.verbs.push(verb);
        self
    }

    /// The sealed things that must be open for whatever is due or done, by id, whichever mechanic does it.
    #[must_use]
    pub fn opens(mut self, opens: impl Fn(&State<G>) -> Vec<Id> + Send + Sync + 'static) -> Self {
        self.opens.push(Box::new(opens));
        self
    }

    /// What else differs between two states by the rules of this game, a line each.
    #[must_use]
    pub fn differs(mut self, differs: impl Fn(&State<G>, &State<G>) -> Vec<String> + Send + Sync + 'static) -> Self {
        self.differs.push(Box::new(differs));
        self
    }

    /// What the rules allow, and nobody may want, in sentences: a dry run tells it, and nothing is refused for it.
    #[must_use]
    pub fn warns(mut self, warns: impl Fn(&State<G>) -> Vec<String> + Send + Sync + 'static) -> Self {
        self.warns.push(Box::new(warns));
        self
    }

    /// Which proposals wait, and how the room would be if one passed: so that it can be tried before the vote.
    #[must_use]
    pub fn proposals(mut self, proposals: Proposals<G>) -> Self {
        self.proposals = Some(proposals);
        self
    }

    /// Says what a script would add as the law of a rule, or what is wrong with it.
    #[must_use]
    pub fn checks(mut self, checks: impl Fn(&State<G>, &str) -> Outcome + Send + Sync + 'static) -> Self {
        self.checks = Some(Box::new(checks));
        self
    }

    /// What an act by somebody, or what is due, needs to know of how the room would be. Something is supposed to have
    /// been otherwise from an entry on. Also how that is made so where its entry does not. It is made in a draft of the
    /// amended line, from the room as the journal has it after that entry.
    #[must_use]
    pub fn supposes(
        mut self,
        wants: impl Fn(&State<G>, Option<(&Doer, &Json)>) -> Vec<Supposed> + Send + Sync + 'static,
        makes: impl Fn(u64, &State<G>, &mut Draft<'_, G>) -> Result<(), Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.supposes = Some(Supposes { wants: Box::new(wants), makes: Box::new(makes) });
        self
    }

    /// What made something that is no value of the world, such as a rank, for `/why`.
    #[must_use]
    pub fn made(mut self, made: impl Fn(&State<G>, &str) -> Option<Made> + Send + Sync + 'static) -> Self {
        self.made.push(Box::new(made));
        self
    }
}

/// What follows an act that was refused.
struct Refused<G: Game> {
    awaits: Box<dyn Fn(&Tried<'_>, &Draft<'_, G>) -> bool + Send + Sync>,
    follows: Box<dyn Fn(&Tried<'_>, &Refusal, &mut Draft<'_, G>) -> Option<Document> + Send + Sync>,
}

/// An act that somebody tries.
#[derive(Clone, Copy, Debug)]
pub struct Tried<'a> {
    /// Its name.
    pub act: &'static str,
    /// Its arguments.
    pub args: &'a Json,
    /// Whether no pause and no ban stops it: then no law does, either.
    pub unstoppable: bool,
}

/// What becomes of an act that somebody tries.
#[derive(Clone, Debug)]
pub enum Judged {
    /// It is done as it was given.
    AsItIs,
    /// It is done with these arguments.
    With(Json),
    /// It is not done, and this answers it: something else came of it, which is kept.
    Instead(Document),
}

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

/// Does something with what the game does around it; whatever is done meanwhile is part of it.
fn within<G: Game, T>(on: Occasion<'_, G>, d: &mut Draft<'_, G>, does: impl FnOnce(&mut Draft<'_, G>) -> T) -> T {
    d.under_way(|d| G::within(on, d, does))
}

/// The mechanics of a game, in the order in which they do what follows by itself.
pub struct Mechanics<G: Game> {
    all: Vec<Mechanic<G>>,
    /// Where each act stands: its mechanic, and its place there.
    acts: BTreeMap<&'static str, (usize, usize)>,
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
        Self { all, acts }
    }

    /// The tables of the game.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Declared<G>> {
        self.all.iter().flat_map(|mechanic| &mechanic.tables)
    }

    /// Whether a table is read and written no more.
    pub(crate) fn is_former(&self, table: &str) -> bool {
        self.tables().any(|declared| declared.name() == table && declared.is_former())
    }

    /// The last numbers that were given as the tables tell them, by what they count.
    pub(crate) fn last_numbers(&self, state: &State<G>) -> Vec<(&'static str, u64)> {
        let counts = self.all.iter().flat_map(|mechanic| &mechanic.counts);
        counts.map(|(of, last)| (*of, last(state))).collect()
    }

    /// One of them; 0 where no table tells it.
    pub(crate) fn last_number(&self, state: &State<G>, of: &str) -> u64 {
        let mut counts = self.all.iter().flat_map(|mechanic| &mechanic.counts);
        counts.find(|(label, _)| *label == of).map_or(0, |(_, last)| last(state))
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

    /// An act with the number in it that somebody's line leaves out, as it is meant in this state.
    pub fn in_full<'a>(&self, state: &State<G>, by: &Doer, invocation: &'a Json) -> Cow<'a, Json> {
        let full = || {
            let (act, args) = self.act(invocation).ok()?;
            let (arg, meant) = act.unsaid.as_ref().filter(|(arg, _)| args.get(arg).is_none_or(Json::is_null))?;
            let (number, mut args) = (meant(state, by)?, args.into_owned());
            args.as_object_mut()?.insert((*arg).to_owned(), number.into());
            Some(json!({ act.name: args }))
        };
        full().map_or(Cow::Borrowed(invocation), Cow::Owned)
    }

    /// The argument that an act seals, taken out of it.
    pub(crate) fn take_sealed(&self, invocation: &mut Json) -> Option<&'static str> {
        let arg = self.act(invocation).ok()?.0.sealed?;
        let args = invocation.as_object_mut()?.values_mut().next()?;
        args.as_object_mut()?.remove(arg).map(|_| arg)
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
        let (act, args) = self.act(invocation)?;
        let unstoppable = act.unstoppable.as_ref().is_some_and(|when| when(d));
        let tried = Tried { act: act.name, args: &args, unstoppable };
        let refused = self.all.iter().flat_map(|mechanic| &mechanic.refused);
        let awaiting: Vec<&Refused<G>> = refused.filter(|refused| (refused.awaits)(&tried, d)).collect();
        // Within something else it is for that to go on or not.
        if !d.is_outermost() || awaiting.is_empty() {
            return self.take_now(act, &tried, d);
        }
        let done = d.attempt(|d| self.take_now(act, &tried, d));
        done.or_else(|why| awaiting.iter().find_map(|refused| (refused.follows)(&tried, &why, d)).ok_or(why))
    }

    fn take_now(&self, act: &Act<G>, tried: &Tried<'_>, d: &mut Draft<'_, G>) -> Outcome {
        let (mut args, unstoppable) = (Cow::Borrowed(tried.args), tried.unstoppable);
        self.all.iter().flat_map(|mechanic| &mechanic.bars).try_for_each(|bars| bars(d))?;
        for before in self.all.iter().flat_map(|mechanic| &mechanic.before) {
            match before(&Tried { act: act.name, args: &args, unstoppable }, d)? {
                Judged::AsItIs => {}
                Judged::With(other) => args = Cow::Owned(other),
                Judged::Instead(answer) => return Ok(answer),
            }
        }
        let taken = |d: &mut Draft<'_, G>| {
            G::guard(&act.needs, d)?;
            (act.takes)(&args, d)
        };
        let done = d.acting(|d| within(Occasion::Act(act, &args), d, taken))?;
        self.follow(Some(&Tried { act: act.name, args: &args, unstoppable }), d);
        Ok(done)
    }

    /// Lets mechanics follow what was changed, where no act changed it.
    pub(crate) fn followed(&self, d: &mut Draft<'_, G>) {
        self.follow(None, d);
    }

    fn follow(&self, tried: Option<&Tried<'_>>, d: &mut Draft<'_, G>) {
        self.all.iter().flat_map(|mechanic| &mechanic.after).for_each(|after| after(tried, d));
    }

    /// The commands that the room has by its own rules.
    pub fn commands(&self, state: &State<G>) -> Vec<Arc<OwnCommand>> {
        self.all.iter().flat_map(|mechanic| &mechanic.commands).flat_map(|commands| commands(state)).collect()
    }

    fn phases(&self) -> impl Iterator<Item = &Phase<G>> {
        self.all.iter().flat_map(|mechanic| &mechanic.phases)
    }

    fn phase(&self, due: &Due) -> Option<&Phase<G>> {
        self.phases().find(|phase| phase.ranks.contains(&due.rank))
    }

    fn rests(&self, state: &State<G>) -> bool {
        self.all.iter().flat_map(|mechanic| &mechanic.rests).any(|rests| rests(state))
    }

    /// The next thing that happens by itself, at whatever instant.
    pub fn next_due(&self, state: &State<G>) -> Option<Due> {
        if self.rests(state) { None } else { self.phases().filter_map(|phase| (phase.next)(state)).min() }
    }

    /// The sealed things that must be open to do what is due.
    pub fn opens(&self, state: &State<G>, due: &Due) -> Vec<Id> {
        let own = self.phase(due).and_then(|phase| phase.opens.as_ref());
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
        if let Some(phase) = self.phase(due) {
            within(Occasion::Due(due), d, |d| (phase.does)(due.clone(), d));
            self.follow(None, d);
        }
    }

    /// Marks what was due inside a moderator's pause as not happening, or does what its fate is.
    pub fn lapse(&self, due: &Due, d: &mut Draft<'_, G>) {
        if let Some(lapse) = self.phase(due).and_then(|phase| phase.lapse.as_ref()) {
            lapse(due.clone(), d);
        }
    }

    /// What something that is due inside a moderator's pause is called, and what becomes of it.
    pub fn fate(&self, state: &State<G>, due: &Due) -> Lapse {
        let fate = self.phase(due).and_then(|phase| phase.fate.as_ref());
        fate.map_or_else(|| Lapse { what: due.key.to_string(), fate: Fate::Never }, |fate| fate(state, due))
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
        self.all.iter().flat_map(|mechanic| &mechanic.hears).for_each(|hears| hears(event, d));
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

    /// How a rule is played otherwise than it reads, in sentences.
    pub fn notes(&self, state: &State<G>, rule: &Id) -> Vec<String> {
        self.all.iter().flat_map(|mechanic| &mechanic.notes).flat_map(|notes| notes(state, rule)).collect()
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
            own.find(|display| display.among.as_ref().is_some_and(|among| among(state).iter().any(has)))
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

    /// A view of the state, with what mechanics say below it.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where there is no such display, or the viewer may not see it.
    pub fn show(&self, state: &State<G>, id: &str, viewer: &Viewer) -> Outcome {
        let page = self.page(state, id, viewer)?;
        let below = self.all.iter().flat_map(|mechanic| &mechanic.below).filter_map(|below| below(state, id));
        Ok(below.fold(page, Document::para))
    }

    /// The same without what mechanics say below it.
    ///
    /// # Errors
    ///
    /// As [`Self::show`].
    pub fn page(&self, state: &State<G>, id: &str, viewer: &Viewer) -> Outcome {
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

impl<G: Game> Mechanic<G> {
    /// Does one of the things that follow from this mechanic by themselves; whether it did.
    fn settles(&self, d: &mut Draft<'_, G>) -> bool {
        !self.settles.is_empty()
            && within(Occasion::Settle(self.name), d, |d| self.settles.iter().any(|settle| settle(d)))
    }
}
