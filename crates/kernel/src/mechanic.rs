//! What a game is made of: mechanics, each a list of what it adds to play.
//!
//! A mechanic is a value: acts, phases, displays, verbs, jobs, and what follows by itself. The kernel asks all mechanics
//! of a game alike ([`Mechanics`]), and cannot tell who wrote one. State lies in the game's tables.

#![expect(clippy::type_complexity, reason = "a closure is spelled out where it is kept: a name would say less")]

mod act;
mod closure;
mod display;
mod event;
mod job;
mod mechanics;
mod phase;
mod verb;

use std::sync::Arc;

use serde_json::Value as Json;

pub use act::{Act, Judged, Needs, Nothing, Outcome, Tried, parted};
pub use display::{Asked, Display, listing, no_display};
pub use event::Event;
pub use job::Job;
pub use mechanics::{Mechanics, Occasion, SETTLE_MAX_ROUNDS};
pub use phase::{Fate, Lapse, Phase};
pub use verb::{Said, Verb};

use crate::{
    Id, Path, Refusal, Seq,
    display::{Block, Document},
    doer::Doer,
    draft::{Draft, Supposed},
    own_command::OwnCommand,
    rulebook::LiveKey,
    state::{Kind, State},
    table::{Declared, Row},
    waiting::Waiting,
};
use closure::Reads;

type Corrects<G> = Box<dyn Fn(&str, &str, &mut Draft<'_, G>) -> Option<Result<(), Refusal>> + Send + Sync>;

/// What a mechanic needs to know of how the room would be, had something been otherwise.
struct Supposes<G: Kind> {
    wants: Box<dyn Fn(&State<G>, Option<(&Doer, &Json)>) -> Vec<Supposed> + Send + Sync>,
    makes: Box<dyn Fn(u64, &State<G>, &mut Draft<'_, G>) -> Result<(), Refusal> + Send + Sync>,
}

/// The proposals of a game, for who tries one before the vote.
pub struct Proposals<G: Kind> {
    /// Those that wait, each with its number and its text.
    pub waiting: fn(&State<G>) -> Vec<(u64, String)>,
    /// The room as it would be if one passed now, on a copy.
    pub passed: fn(&State<G>, u64) -> Result<State<G>, Refusal>,
}

/// What one rule, or a few that belong together, add to play.
pub struct Mechanic<G: Kind> {
    /// What it is called, also where a game records on what ground something followed by itself: `activity`.
    pub name: &'static str,
    /// What a rule in force must establish for it, as its header has it.
    rule: Option<&'static str>,
    tables: Vec<Declared<G>>,
    acts: Vec<Act<G>>,
    phases: Vec<Phase<G>>,
    displays: Vec<Display<G>>,
    jobs: Vec<Job<G>>,
    begins: Vec<Box<dyn Fn(&mut Draft<'_, G>) -> bool + Send + Sync>>,
    judges: Vec<Box<dyn Fn(usize, &mut Draft<'_, G>) -> Result<(), Refusal> + Send + Sync>>,
    readies: Vec<Box<dyn Fn(&mut Draft<'_, G>) -> bool + Send + Sync>>,
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
    figures: Vec<fn(&State<G>) -> Vec<&'static LiveKey>>,
    under: Vec<Box<dyn Fn(&State<G>, &Id) -> Vec<Block> + Send + Sync>>,
    checks: Option<Box<dyn Fn(&State<G>, &str) -> Outcome + Send + Sync>>,
    proposals: Option<Proposals<G>>,
    waits: Vec<Reads<G, Vec<Waiting>>>,
}

impl<G: Kind> Mechanic<G> {
    /// A mechanic that adds nothing yet.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            rule: None,
            tables: Vec::new(),
            acts: Vec::new(),
            phases: Vec::new(),
            displays: Vec::new(),
            jobs: Vec::new(),
            begins: Vec::new(),
            judges: Vec::new(),
            readies: Vec::new(),
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
            figures: Vec::new(),
            under: Vec::new(),
        }
    }

    /// Adds a table: what it keeps beside the world.
    #[must_use]
    pub fn table<R: Row<G>>(mut self) -> Self {
        self.tables.push(Declared::of::<R>());
        self
    }

    /// Plays the rule in force that establishes this: who asks why something changed by it is told so. Without a word
    /// it is the rule of its first act.
    #[must_use]
    pub fn by(mut self, rule: &'static str) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Adds something that can be tried.
    #[must_use]
    pub fn act(mut self, act: Act<G>) -> Self {
        self.rule = self.rule.or(act.needs.rules.first().copied());
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

    /// Adds long work.
    #[must_use]
    pub fn job(mut self, job: Job<G>) -> Self {
        self.jobs.push(job);
        self
    }

    /// Brings into being what the rules say by now: one thing at a time, and whether it did. It is asked between two lines
    /// of a body, where rules changed. What they say no more may stay until all lines are done.
    #[must_use]
    pub fn begins(mut self, begins: impl Fn(&mut Draft<'_, G>) -> bool + Send + Sync + 'static) -> Self {
        self.begins.push(Box::new(begins));
        self
    }

    /// Adds what rules do “whenever” something holds: one thing at a time, and whether it did. It is asked after every
    /// complete act and instant until nothing is left to do.
    #[must_use]
    pub fn settle(mut self, settle: impl Fn(&mut Draft<'_, G>) -> bool + Send + Sync + 'static) -> Self {
        self.settles.push(Box::new(settle));
        self
    }

    /// Judges what a directive changed, from some change on: what it refuses is taken back.
    #[must_use]
    pub fn judge(
        mut self,
        judge: impl Fn(usize, &mut Draft<'_, G>) -> Result<(), Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.judges.push(Box::new(judge));
        self
    }

    /// Puts in order what was changed, before anything follows from it; whether anything was to do.
    #[must_use]
    pub fn ready(mut self, ready: impl Fn(&mut Draft<'_, G>) -> bool + Send + Sync + 'static) -> Self {
        self.readies.push(Box::new(ready));
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

    /// Judges every act before it is done: it may refuse it, or give other arguments.
    #[must_use]
    pub fn before(
        mut self,
        before: impl Fn(&Tried<'_>, &mut Draft<'_, G>) -> Result<Judged, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.before.push(Box::new(before));
        self
    }

    /// Follows an act that was refused, where something does: then there is an entry, and an answer in the place of the
    /// refusal. All that the act did is taken back by then. It is asked before the act whether it would. Acts that are part
    /// of something else are refused to that.
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

    /// Declares the figures that the room's own rules play by.
    #[must_use]
    pub fn figures(mut self, figures: fn(&State<G>) -> Vec<&'static LiveKey>) -> Self {
        self.figures.push(figures);
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
struct Refused<G: Kind> {
    awaits: Box<dyn Fn(&Tried<'_>, &Draft<'_, G>) -> bool + Send + Sync>,
    follows: Box<dyn Fn(&Tried<'_>, &Refusal, &mut Draft<'_, G>) -> Option<Document> + Send + Sync>,
}

/// What made something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// How it stands and how it comes about, in sentences.
    pub say: String,
    /// The last entry that made it so.
    pub entry: Option<Seq>,
    /// The rule that it follows.
    pub rule: Option<String>,
    /// The figures of the rules that it is made of, by their keys.
    pub figures: Vec<&'static str>,
}
