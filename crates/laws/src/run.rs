//! One call of a function of a law: which law it is, what it may still ask for, what it has brought about.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use rhai::{Dynamic, FnPtr, Map};
use scoped_tls_hkt::{ReborrowMut, scoped_thread_local};

use kernel::{
    Id,
    clean::prose,
    display::Document as Display,
    draft::{Payer, Taken},
    entry::Because,
};

use super::{
    declaring::{Declaring, Document},
    engines::engines,
    fault::{Cause, Fault, Stop, TOO_DEEP, TOO_LONG},
    fuel::{fill, fuel, is_deep, measured},
    index::Index,
    limits::{ACT_MAX_BYTES, ACT_MAX_CHANGES, ACT_MAX_OPERATIONS, NESTED_MAX_LEVELS},
    reads::Reads,
    registry::{Law, Registry},
    script::{Compiled, Function, explained, frozen},
    stage::Stage,
    then::Then,
    values::Args,
};

/// What a call may do.
#[derive(Debug)]
pub(crate) enum Mode {
    /// It declares; the room is only looked at, and only rules and documents.
    Declare(Box<Declaring>),
    /// It looks: a display, a bar, a condition.
    Look,
    /// It changes the room.
    Act,
}

/// Something that happened, and that followers hear of.
#[derive(Clone, Debug)]
pub(crate) struct Happening {
    /// What: the name of an act, `change of hp of player`, `new sock`.
    pub(crate) name: String,
    /// With what.
    pub(crate) args: Map,
    /// The room when it did.
    pub(crate) then: Then,
    /// Behind how many changes it did; of a change, behind how many others.
    pub(crate) at: usize,
}

impl Happening {
    /// Something that happens now.
    pub(crate) fn now(stage: &dyn Stage, name: String, args: Map) -> Self {
        Self { name, args, then: Then::now(stage), at: stage.emitted() }
    }
}

/// A function that went wrong.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    /// The rule of its law.
    pub(crate) rule: Id,
    /// Which function: `after gnaw`.
    pub(crate) function: String,
    /// What is wrong.
    pub(crate) fault: Fault,
    /// Whose act it was the body of: such faults count once for each doer.
    pub(crate) by: Option<Id>,
}

/// What is known of a call while it lasts.
#[derive(Debug)]
pub(crate) struct Run {
    /// All laws in force.
    pub(crate) registry: Arc<Registry>,
    /// The law whose function runs.
    pub(crate) law: usize,
    /// The document whose part runs, where one does.
    pub(crate) document: Option<Arc<Document>>,
    /// What it may do.
    pub(crate) mode: Mode,
    /// How many changes there were before the function that is under way, or the group of its own within it.
    pub(crate) unit: usize,
    /// What was taken before it: its bounds count from there.
    pub(crate) from: Taken,
    /// What was taken since and has bounds of its own.
    pub(crate) apart: Taken,
    /// Whether one thing is done after another, each with such bounds.
    pub(crate) in_turn: bool,
    /// How many acts are under way within each other.
    pub(crate) depth: usize,
    /// How many calls of the engine are under way within each other.
    pub(crate) calls: usize,
    /// The laws whose functions are under way.
    pub(crate) running: BTreeSet<usize>,
    /// The functions that ran, by rule and by what each is called for, with the rule's revision then.
    pub(crate) ran: BTreeMap<(Id, String), u32>,
    /// Whether what is done was said in private.
    pub(crate) private: bool,
    /// What the doer of the act reads, where a law says so.
    pub(crate) answer: Option<String>,
    /// The same where the program says it, and no law does.
    pub(crate) reply: Option<Display>,
    /// Whether a display is made.
    pub(crate) page: bool,
    /// What was refused of something that is done portion by portion; nothing where all or none is done.
    pub(crate) portions: Option<Vec<String>>,
    /// What things had when that happened which is followed now.
    pub(crate) then: Option<Then>,
    /// What happened, and was not followed yet.
    pub(crate) queue: VecDeque<Happening>,
    /// What laws changed of an act that is judged: each parameter with the law that changed it last, and what it was first.
    pub(crate) altered: BTreeMap<String, (usize, Option<Dynamic>)>,
    /// Acts that were refused and that laws follow: they happened, whatever became of what they were part of.
    pub(crate) refused: Vec<Happening>,
    /// What was opened that was sealed, by number: it is published, whatever becomes of the act.
    pub(crate) unsealed: Vec<u64>,
    /// Whether parts of documents were not done, since the act had changed as much as one may.
    pub(crate) cut_off: bool,
    /// What went wrong, and is to be told.
    pub(crate) faults: Vec<Faulty>,
    /// Which objects hold what was looked for.
    pub(crate) index: Index,
    /// What it reads.
    pub(crate) reads: Reads,
    /// Whose act is looked at before e does it, where that is somebody.
    pub(crate) doer: Option<Id>,
    /// Whether it came to something that no look decides: a change, time, what its doer has, or what e chooses.
    pub(crate) undecided: bool,
}

impl Run {
    /// A call by these laws, after what others changed.
    pub(crate) fn new(registry: Arc<Registry>, mode: Mode, stage: &dyn Stage) -> Self {
        Self {
            registry,
            law: 0,
            document: None,
            mode,
            unit: stage.emitted(),
            from: stage.all_taken(),
            apart: Taken::default(),
            in_turn: false,
            depth: 0,
            calls: 0,
            running: BTreeSet::new(),
            ran: BTreeMap::new(),
            private: false,
            answer: None,
            reply: None,
            page: false,
            portions: None,
            then: None,
            queue: VecDeque::new(),
            altered: BTreeMap::new(),
            refused: Vec::new(),
            unsealed: Vec::new(),
            cut_off: false,
            faults: Vec::new(),
            index: Index::default(),
            reads: Reads::default(),
            doer: None,
            undecided: false,
        }
    }

    /// The law whose function runs.
    pub(crate) fn law(&self) -> Option<&Law> {
        self.registry.laws.get(self.law)
    }

    /// What everybody calls something that the law names which runs.
    pub(crate) fn heard_as(&self, name: &str) -> String {
        self.registry.heard_as(self.law, name).to_owned()
    }

    /// What is said, in the name of its rule, without characters that make it read otherwise than it is.
    pub(crate) fn said(&self, text: &str) -> Display {
        Display::said(self.registry.sign(self.law), prose(text))
    }

    /// Its rule.
    pub(crate) fn rule(&self) -> Option<&Id> {
        self.law().map(|law| &law.rule)
    }

    /// Whether something was learned that an act without an entry would not keep: what was sealed, or how dice fall.
    pub(crate) fn has_learned(&self, stage: &dyn Stage) -> bool {
        !self.unsealed.is_empty() || stage.all_taken().drawn > self.from.drawn
    }

    /// Whether a function went wrong: that is told, whatever becomes of the act.
    pub(crate) fn went_wrong(&self) -> bool {
        self.faults.iter().any(|faulty| !faulty.fault.rests && !faulty.fault.refused)
    }

    /// Notes why a function ended that nobody asked for: only what it requires is as it should be. Whether it went wrong.
    pub(crate) fn note_stop(&mut self, function: &Function, stop: Stop) -> bool {
        let fault = match stop {
            Stop::Refused(_, Cause::Required | Cause::Died) => return false,
            Stop::Refused(why, Cause::Other(at)) => Fault::refused(why, at),
            Stop::Fault(fault) => fault,
        };
        let went_wrong = !fault.refused;
        self.note(function, fault);
        went_wrong
    }

    /// Notes with which revision of its rule a function ran, or came to nothing as it did before.
    pub(crate) fn has_run(&mut self, stage: &dyn Stage, function: &Function) {
        let Some(law) = self.registry.laws.get(function.law) else { return };
        if let Some(rule) = stage.rules().in_force(&law.rule) {
            self.ran.insert((law.rule.clone(), function.name.clone()), rule.revision());
        }
    }

    /// What it has taken that its bounds count.
    pub(crate) fn taken(&self, stage: &dyn Stage) -> Taken {
        stage.all_taken().since(self.from).since(self.apart)
    }

    /// Whether it has changed or written as much as an act may, with all that follows.
    pub(crate) fn is_full(&self, stage: &dyn Stage) -> bool {
        let taken = self.taken(stage);
        // What several laws do in an instant is bounded for each of them.
        !stage.pays_each() && (taken.changes > ACT_MAX_CHANGES || taken.bytes > ACT_MAX_BYTES)
    }

    /// Notes that a function went wrong: once, however often it did. What a condition did wrong that it asks is that
    /// condition's.
    pub(crate) fn note(&mut self, function: &Function, fault: Fault) {
        let Some(law) = self.registry.laws.get(function.law).filter(|_| !fault.elsewhere) else { return };
        let (rule, function) = (law.rule.clone(), function.name.clone());
        if !self.faults.iter().any(|known| known.rule == rule && known.function == function) {
            self.faults.push(Faulty { rule, function, fault, by: None });
        }
    }
}

/// That an act has changed or written too much.
pub(crate) fn full() -> String {
    format!(
        "an act makes at most {ACT_MAX_CHANGES} changes and writes at most {ACT_MAX_BYTES} bytes with all that follows"
    )
}

/// Does what a law starts by itself, where nobody has asked for it, at its own expense: what others do in the same instant
/// has its own. The bounds of an act are those of all that the law does in the entry.
pub(crate) fn at_its_expense<T>(
    stage: &mut dyn Stage,
    run: &mut Run,
    law: usize,
    does: impl FnOnce(&mut dyn Stage, &mut Run) -> T,
) -> T {
    let rule = run.registry.laws.get(law).map(|law| law.rule.clone());
    let Some(rule) = rule.filter(|_| stage.pays_each()) else { return does(stage, run) };
    stage.pay(Payer::Rule(rule.clone()));
    let so_far = *stage.taken(&rule);
    let from = std::mem::replace(&mut run.from, stage.all_taken().since(so_far));
    let apart = std::mem::take(&mut run.apart);
    let meter = *stage.meter();
    stage.meter().others = meter.operations - so_far.operations.min(meter.operations);
    let left = stage.meter().left().min(ACT_MAX_OPERATIONS);
    let outer = fill(left);
    let done = does(stage, run);
    stage.meter().spend(left.saturating_sub(fuel()));
    stage.meter().others = meter.others;
    fill(outer);
    let taken = stage.all_taken().since(run.from);
    *stage.taken(&rule) = taken;
    (run.from, run.apart) = (from, apart);
    stage.pay(Payer::Each);
    done
}

/// Calls a function of a law, whose captured variables are its own.
///
/// # Errors
///
/// Why it ended before its end.
pub(crate) fn call(
    stage: &mut dyn Stage,
    run: &mut Run,
    function: &Function,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Stop> {
    let registry = run.registry.clone();
    let Some(law) = registry.laws.get(function.law) else {
        return Err(Stop::Fault(Fault::new("the law is not in force any more")));
    };
    let before = (std::mem::replace(&mut run.law, function.law), run.document.take());
    let (is_first, left) = (run.running.insert(function.law), fuel());
    run.has_run(stage, function);
    let got = acting(stage, run, &law.label, &law.script, &function.pointer, |stage, run| {
        enter(stage, run, &law.script, &frozen(&function.pointer), args)
    });
    if is_first {
        run.running.remove(&function.law);
        stage.has_run(&law.rule, left.saturating_sub(fuel()));
    }
    (run.law, run.document) = before;
    got
}

/// Runs a function, and says of what it changes that it comes from there. What only looks changes nothing: the figures that
/// it reads are read for whatever asks it.
fn acting(
    stage: &mut dyn Stage,
    run: &mut Run,
    of: &str,
    script: &Compiled,
    function: &FnPtr,
    runs: impl FnOnce(&mut dyn Stage, &mut Run) -> Result<Dynamic, Stop>,
) -> Result<Dynamic, Stop> {
    if !matches!(run.mode, Mode::Act) {
        return runs(stage, run);
    }
    let outer = stage.come_from(Because::default());
    let (rule, line) = (Some(of.to_owned()), Some(script.line(function)));
    stage.come_from(Because { rule, line, read: Default::default(), ..outer.clone() });
    let done = as_unit(stage, run, runs);
    stage.come_from(outer);
    done
}

/// Does something that is over where it ends itself what it is about: what it did stands.
pub(crate) fn as_unit(
    stage: &mut dyn Stage,
    run: &mut Run,
    does: impl FnOnce(&mut dyn Stage, &mut Run) -> Result<Dynamic, Stop>,
) -> Result<Dynamic, Stop> {
    let outer = std::mem::replace(&mut run.unit, stage.emitted());
    let done = does(stage, run);
    run.unit = outer;
    match done {
        Err(Stop::Refused(_, Cause::Died)) => Ok(Dynamic::UNIT),
        done => done,
    }
}

/// Goes on with a function that a script handed over: what it captured is still the caller's.
///
/// # Errors
///
/// As [`call`].
pub(crate) fn call_back(
    stage: &mut dyn Stage,
    run: &mut Run,
    pointer: &FnPtr,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Stop> {
    let script = match &run.document {
        Some(document) => Some(document.script.clone()),
        None => run.law().map(|law| law.script.clone()),
    };
    let Some(script) = script else { return Err(Stop::Fault(Fault::new("the law is not in force any more"))) };
    enter(stage, run, &script, pointer, args)
}

/// Calls a part of a document.
///
/// # Errors
///
/// As [`call`]; the line of a fault is one of the document.
pub(crate) fn call_part(
    stage: &mut dyn Stage,
    run: &mut Run,
    (document, called): (&Arc<Document>, &str),
    pointer: &FnPtr,
    args: Map,
) -> Result<Dynamic, Stop> {
    let before = run.document.replace(document.clone());
    let args = vec![Dynamic::from(Args::new(args))];
    let of = run.law().map_or_else(|| called.to_owned(), |law| format!("{}, {called}", law.label));
    let got = acting(stage, run, &of, &document.script, pointer, |stage, run| {
        enter(stage, run, &document.script, &frozen(pointer), args)
    });
    run.document = before;
    got
}

fn enter(
    stage: &mut dyn Stage,
    run: &mut Run,
    script: &Compiled,
    pointer: &FnPtr,
    args: Vec<Dynamic>,
) -> Result<Dynamic, Stop> {
    if run.calls >= NESTED_MAX_LEVELS || is_deep() {
        return Err(Stop::Fault(Fault::new(TOO_DEEP)));
    }
    run.calls += 1;
    let engine = if run.page { &engines().pages } else { &engines().acts };
    let got = measured(|| lend(stage, run, || script.touched.running(|| pointer.call(engine, &script.ast, args))));
    run.calls -= 1;
    if got.is_ok() && fuel() == 0 {
        // Some functions of the engine go on when one that they call back was ended.
        return Err(Stop::Fault(Fault::new(TOO_LONG)));
    }
    got.map_err(|why| explained(*why))
}

/// A room that is lent to the engine, with what is known of the call.
pub(crate) struct On<'a> {
    /// The room.
    pub(crate) stage: &'a mut (dyn Stage + 'a),
    /// The call.
    pub(crate) run: &'a mut Run,
}

impl<'a, 'b: 'a> ReborrowMut<'a> for On<'b> {
    type Result = On<'a>;
    fn reborrow_mut(&'a mut self) -> On<'a> {
        On { stage: &mut *self.stage, run: &mut *self.run }
    }
}

scoped_thread_local!(static mut LENT: for<'a> On<'a>);

/// Lends a room to what the engine does meanwhile.
pub(crate) fn lend<T>(stage: &mut dyn Stage, run: &mut Run, does: impl FnOnce() -> T) -> T {
    LENT.set(On { stage, run }, does)
}

/// Does something with the room that is lent.
pub(crate) fn on<T>(does: impl FnOnce(&mut On<'_>) -> T) -> T {
    noting(|lent| {
        lent.run.reads.doubt();
        does(lent)
    })
}

/// Does something with the room that is lent, and notes all that it reads.
pub(crate) fn noting<T>(does: impl FnOnce(&mut On<'_>) -> T) -> T {
    LENT.with(|mut lent| does(&mut lent))
}
