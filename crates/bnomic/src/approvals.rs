//! Approving a display (4E50): the game becomes what it would be, had the display been right when it was given.
//!
//! A display that shows something else than the record is given with what it says instead. From then on the room keeps
//! the state of before that announcement and what happens from there; when the display is approved, all of that is played
//! again with a display that is right when it is given, and what it shows is set to what came of it. Nothing of the past is
//! touched: what cannot happen there is left out and told. Absent: who supports and objects (`intents`), what a display
//! may say (`says`), and the playing again (`replay`).

mod lines;
mod numbers;
mod replay;
mod says;

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use self::numbers::Numbers;
use self::says::read;
pub(super) use self::{
    numbers::next,
    says::{Given, can_be_seen, preview, sentence},
};
use super::{
    BNomic, D, Id, Instant, Refusal, State, clerk, clock,
    display::{Block, Cell, Document},
    displays, emit,
    figures::{APPROVE_OBJECTIONS, APPROVE_RDAYS, APPROVE_SUPPORT},
    intents::{self, Needs},
    law::{PREFIX, Thing, established},
    ministries, passing, registry, ruled, schedule, society,
    stats::{self, MINISTER, NAME, PLAYER, SUCCESS, called},
    transactions::TRANSACTION,
};
use kernel::{
    Act, Draft, Mechanic, Path, Seq, Value,
    dice::{Dice, SEED_BYTES, Seed},
    directives::Names,
    draft::SALT_BYTES,
    entry::{Audience, Change, Due},
    game::{Around, Doer},
    rulebook::views,
    world::Op,
};

/// Most approvals that wait at once: each keeps a state of its own in the room's snapshot.
const OPEN_MAX_COUNT: usize = 20;

/// Most of one Player: nobody uses up what others may need.
const OPEN_EACH_MAX_COUNT: usize = 2;

/// Most things that happen while one waits: they are played again within a moment when it is performed.
const LOG_MAX_COUNT: usize = 5_000;

/// Most of what was typed meanwhile, in bytes: it stands in every snapshot until then.
const LOG_MAX_BYTES: usize = 4 * 1024 * 1024;

/// Lines of differences and of what is left out that an announcement shows; the others are counted.
const SHOWN_MAX_LINES: usize = 40;

/// The act that announces an approval.
const ANNOUNCE: &str = "intend_approve";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let intend = Act::new(ANNOUNCE, |Intend { display, text }, d| {
        let (display, text) = displays::widened(d, &display, text.as_deref().unwrap_or_default());
        let given = read(d, &display, text)?;
        intents::announce(intents::Act::Approve(given), d)
    });
    Mechanic::new("approvals").act(intend.player().public(intents::LINE)).settle(settle)
}

/// What happens of it before all else that follows by itself.
pub(super) fn first() -> Mechanic<BNomic> {
    Mechanic::new("approvals, first").settle(outside)
}

/// What happens of it last of all.
pub(super) fn last() -> Mechanic<BNomic> {
    Mechanic::new("approvals, last").settle(done)
}

kit::args! {
    /// The arguments of `intend_approve` (B50.4).
    Intend {
        display: String,
        /// What it says otherwise than the record, a line for each value.
        text: Option<String>,
    }
}

// ---- state

/// The approvals that wait, and what happened since the first of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Approvals {
    open: OrdMap<u64, Arc<Approval>>,
    log: Vector<Arc<Deed>>,
    log_bytes: usize,
    /// The room before the entry in the making, where that may announce an approval.
    #[serde(skip)]
    before: Option<Arc<State<BNomic>>>,
    /// What is worked out, where this state is one of those in which it is: it keeps nothing of all this.
    #[serde(skip)]
    sim: Option<Arc<replay::Sim>>,
}

/// An approval that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Approval {
    /// Which display.
    display: String,
    /// What it says otherwise than the record.
    says: Vec<(Path, Value)>,
    /// The same in directives, for what is no value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    /// The room before the entry in which it was announced.
    base: State<BNomic>,
    /// Whether it is that; in entries of older versions, the room is the one in the midst of the announcement.
    #[serde(default)]
    whole: bool,
}

impl Approval {
    fn given(&self) -> Given {
        Given { display: self.display.clone(), says: self.says.clone(), text: self.text.clone() }
    }
}

/// Something that happened while an approval waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    /// In which entry.
    seq: Seq,
    /// When.
    at: Instant,
    /// The last numbers that were given before it, where somebody acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers: Option<Numbers>,
    /// What.
    what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    /// Somebody acted.
    Act {
        /// Which person, by the frame's id.
        person: Id,
        /// Under which name.
        name: String,
        /// Whether it was said in a Public Forum.
        public: bool,
        /// In which channel.
        #[serde(default)]
        forum: Option<Id>,
        /// The action as the catalogue bound it: text, for a later version may know other actions.
        action: String,
    },
    /// An instant came.
    Due(Due),
    /// A display was approved, by the act or at the instant that follows it in its entry.
    Approved {
        /// The number of its announcement.
        number: u64,
        /// Who performed it.
        by: Id,
        /// What it changed.
        changes: Vec<Change<super::Fact>>,
    },
    /// What was set for its time could not happen.
    Missed(Missed),
    /// A moderator did something outside the rules.
    Outside {
        /// What it changed.
        changes: Vec<Change<super::Fact>>,
    },
}

/// What was set for its time and could not happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Missed {
    /// Its number among what is set for later.
    pub(super) number: u64,
    /// Which time of several, from 1.
    pub(super) time: u32,
    /// What it is, in words.
    pub(super) what: String,
    /// Why it could not.
    pub(super) why: String,
}

// ---- facts

/// What happens to approvals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The entry in the making may announce one: the room is kept as it was before it.
    Before,
    /// One was announced.
    Opened {
        /// The number of its announcement.
        number: u64,
        /// Of which display.
        display: String,
        /// What it says otherwise than the record.
        says: Vec<(Path, Value)>,
        /// The same in directives, for what is no value.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
    },
    /// What the entry in the making does is done: the room of before is kept only where it announced one.
    After,
    /// Something happened that will be played again.
    Happened(Box<Deed>),
    /// One was performed, or cannot be any more.
    Closed {
        /// The number of its announcement.
        number: u64,
    },
}

/// Whether what happens is to be kept.
fn watches(state: &State<BNomic>) -> bool {
    let approvals = &state.game.approvals;
    (approvals.before.is_some() || !approvals.open.is_empty()) && approvals.sim.is_none()
}

/// Whether something of this entry was kept already.
fn is_noted(d: &D<'_>) -> bool {
    d.game.approvals.log.last().is_some_and(|deed| deed.seq == d.seq)
}

fn note(d: &mut D<'_>, what: What) {
    let deed = Deed { seq: d.seq, at: d.at, numbers: None, what };
    emit(d, Fact::Happened(Box::new(deed)));
}

/// Whether an act announces an approval, or may, as one of several.
fn announces(act: &str, args: &Json) -> bool {
    let steps = || args.get("actions").and_then(Json::as_array).into_iter().flatten();
    act == ANNOUNCE || (act == TRANSACTION && steps().filter_map(|step| step.get("act")).any(announces_bound))
}

/// The same of one as the catalogue bound it.
fn announces_bound(act: &Json) -> bool {
    act.as_object().into_iter().flatten().any(|(act, args)| announces(act, args))
}

/// Keeps the room of before an entry that may announce an approval, itself or by what is set for later.
fn keep(d: &mut D<'_>, may: bool) {
    if d.game.approvals.sim.is_none() && (may || schedule::any(d, announces_bound)) {
        emit(d, Fact::Before);
    }
}

/// Keeps what an act is about to use up, where it will be wanted: the room of before it, and its own text. One that is
/// part of another is kept with that, or with the instant at which it happens.
pub(super) fn begins(act: &str, args: &Json, d: &mut D<'_>) -> Option<Begun> {
    if d.is_part() {
        return None;
    }
    keep(d, announces(act, args));
    let bound = |args: &Json| match args.as_object().is_some_and(|args| args.is_empty()) {
        true => json!(act),
        false => json!({ act: args }),
    };
    watches(d).then(|| Begun { action: bound(args).to_string(), numbers: Numbers::of(d) })
}

/// An action that is being done.
pub(super) struct Begun {
    action: String,
    /// The last numbers that were given before it.
    numbers: Numbers,
}

/// Keeps an action that was done.
pub(super) fn acted(begun: Option<Begun>, d: &mut D<'_>) {
    if let Some(Begun { action, numbers }) = begun.filter(|_| watches(d)) {
        let (person, name, public) = (d.doer.person.clone(), d.doer.name.clone(), d.public);
        let forum = d.forum.clone();
        let what = What::Act { person, name, public, forum, action };
        let deed = Deed { seq: d.seq, at: d.at, numbers: Some(numbers), what };
        emit(d, Fact::Happened(Box::new(deed)));
    }
}

/// Keeps the room of before an instant, where something that is set for then may announce an approval.
pub(super) fn coming(d: &mut D<'_>) {
    keep(d, false);
}

/// Keeps that something which was set for its time could not happen; where an approval is worked out, it is told there.
pub(super) fn missed(d: &mut D<'_>, missed: Missed) {
    if watches(d) || d.game.approvals.sim.is_some() {
        note(d, What::Missed(missed));
    }
}

/// Keeps an instant that came.
pub(super) fn came(due: &Due, d: &mut D<'_>) {
    if watches(d) {
        note(d, What::Due(due.clone()));
    }
}

// ---- decide

/// What approving needs: support, and nobody who objects, both within so many rdays (B50.4, B50.5).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(super) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Displays)?;
    Ok(Needs {
        without: Some(state.rules.need_count(&APPROVE_OBJECTIONS)?),
        with: Some(state.rules.need_count(&APPROVE_SUPPORT)?),
        rdays: Some(state.rules.need_count(&APPROVE_RDAYS)?),
        ..Needs::default()
    })
}

/// Keeps an approval that was just announced.
///
/// # Errors
///
/// A [`Refusal`] where as many wait as the bot keeps.
pub(super) fn open(number: u64, given: &Given, d: &mut D<'_>) -> Result<(), Refusal> {
    if d.game.approvals.sim.is_some() {
        return Ok(());
    }
    if d.game.approvals.open.len() >= OPEN_MAX_COUNT {
        return Err(Refusal::new(format!("{OPEN_MAX_COUNT} approvals wait, as many as the bot keeps"))
            .by(Thing::Displays.rule(&d.rules))
            .instead("show intents"));
    }
    let by = intents::announcer(d, number);
    let mine = d.game.approvals.open.keys().filter(|other| **other != number && intents::announcer(d, **other) == by);
    if mine.count() >= OPEN_EACH_MAX_COUNT {
        return Err(Refusal::new(format!(
            "{OPEN_EACH_MAX_COUNT} approvals of yours wait, as many as one Player may have"
        ))
        .by(Thing::Displays.rule(&d.rules))
        .instead("show intents"));
    }
    let Given { display, says, text } = given.clone();
    emit(d, Fact::Opened { number, display, says, text });
    Ok(())
}

/// What an announcement says that a display shows: the display as it was given, while it waits; the lines alone afterwards.
pub(super) fn contents(state: &State<BNomic>, number: u64, given: &Given) -> Vec<Block> {
    match state.game.approvals.open.get(&number) {
        Some(approval) => preview(&approval.base, given),
        None => says::lines(state, given),
    }
}

/// An act is complete: where it announced the approval that is being worked out, its display is right from here.
pub(super) fn announced(act: &str, d: &mut D<'_>) {
    if act != ANNOUNCE {
        return;
    }
    let newest = intents::newest(d);
    if let Some(sim) = d.game.approvals.sim.clone().filter(|sim| Some(sim.number) == newest) {
        // It could be read when it was announced.
        let _ = says::tell(d, &sim.given);
        clerk::is_right(d);
    }
}

/// Approves a display: what it shows becomes what it would be (B50.6, B50.7).
///
/// # Errors
///
/// A [`Refusal`] where the state of its announcement is no longer kept.
pub(super) fn perform(me: &Id, number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Displays.rule(&d.rules);
    let gone = || {
        Refusal::new("the room no longer keeps the state of that announcement")
            .by(by.clone())
            .instead("intend approve society")
    };
    if let Some(sim) = d.game.approvals.sim.clone() {
        return if replay::approved(&sim, number, d) { Ok(Document::default()) } else { Err(gone()) };
    }
    let approval = d.game.approvals.open.get(&number).cloned().ok_or_else(gone)?;
    let replay = replay::replay(d, number, &approval);
    let from = d.emitted();
    let given = approval.given();
    let (told, _) = drafted(approval.base.clone(), approval.base.at, Doer::default(), true, |d| {
        // What rests on the rest of the announcing entry is told where that is played.
        let _ = says::tell(d, &given);
    });
    let why = format!("intention {number}, an approved display");
    let (display, base, after) = (&*approval.display, &approval.base, &replay.after);
    let (changed, rules) = become_so(d, &Becoming { display, base, told: &told, after, why: &why });
    clock::said_on(d);
    let changes = d.changes()[from..].to_vec();
    emit(d, Fact::Closed { number });
    if watches(d) {
        note(d, What::Approved { number, by: me.clone(), changes });
    }
    let name = called(d, me);
    let mut document =
        Document::titled(format!("intent/{number}"), format!("{name} approves the display “{}”", approval.display));
    document = match changed.is_empty() && rules.is_empty() {
        true => document.para("Nothing of what it shows changes."),
        false => document.para("What it shows becomes what it would be, had the display been right:"),
    };
    if !changed.is_empty() {
        document = document.with(list(changed));
    }
    document.blocks.extend(rules);
    if !replay.left_out.is_empty() {
        document = document
            .para(
                "These could not have happened then, and are left out of the reckoning; what they did elsewhere stays:",
            )
            .with(list(replay.left_out));
    }
    d.say(Audience::Public, document);
    Ok(Document::say("The display is approved."))
}

/// What a display is to become right by.
struct Becoming<'a> {
    /// Which display.
    display: &'a str,
    /// The room in which it was given.
    base: &'a State<BNomic>,
    /// The same with the display being right.
    told: &'a State<BNomic>,
    /// What came of that.
    after: &'a State<BNomic>,
    /// What is said of it in the history of rules.
    why: &'a str,
}

/// Makes what a display shows what it is in a state that was worked out, and says what that changes: values and things in
/// lines, rules as their difference.
fn become_so(d: &mut D<'_>, becoming: &Becoming<'_>) -> (Vec<String>, Vec<Block>) {
    let Becoming { display, base, after, why, .. } = *becoming;
    let before = d.rules.clone();
    for op in says::toward(&d.rules, &after.rules, |rule, part| says::shows_rule(display, rule, part)) {
        d.rule(op.because(why));
    }
    // Rules that come with it have what it says of them.
    ruled::keep(d);
    let mut changed = Vec::new();
    // A display may have another name by now, or none: what it showed when it was given counts (B50.6).
    let shown = [base, after, &**d].map(|state| says::shown(state, display).unwrap_or_default());
    let mut paths: BTreeSet<Path> = shown.into_iter().flatten().collect();
    let kinds = [base, after, &**d].map(|state| says::things(state, display));
    for kind in &kinds.into_iter().flatten().collect::<BTreeSet<Id>>() {
        let (here, there): (Vec<Id>, Vec<Id>) =
            (d.world.of_kind(kind).cloned().collect(), after.world.of_kind(kind).cloned().collect());
        let seated = **kind == *PLAYER;
        // Who joins or forfeits meanwhile does so whatever the display says.
        let claimed = |obj: &Id| !seated || society::is_player(base, obj) != society::is_player(becoming.told, obj);
        for obj in there.iter().filter(|obj| !here.contains(obj) && claimed(obj)) {
            if seated {
                let name = d.frame.name_of(obj).to_owned();
                changed.push(match society::seat_by_change(d, &name) {
                    Ok(_) => format!("{name}: becomes a Player"),
                    Err(why) => format!("{name}: becomes no Player, for {}", why.say),
                });
            } else {
                d.op(Op::Create { obj: obj.clone(), kind: kind.clone() });
                changed.push(format!("{}: comes to be", called(after, obj)));
                if let Some(name) = after.world.get(&NAME, obj) {
                    d.set(&NAME, obj, name);
                }
            }
            paths.extend(after.world.values_of(obj).map(|(path, _)| path.clone()));
        }
        for obj in here.iter().filter(|obj| !there.contains(obj) && claimed(obj)) {
            let name = called(d, obj);
            if seated {
                let posts: Vec<String> = ministries::of(d, obj).map(|post| called(d, &post)).collect();
                let vacant = if posts.is_empty() { String::new() } else { format!("; Vacant: {}", posts.join(", ")) };
                changed.push(match society::expel(d, obj) {
                    Ok(()) => format!("{name}: is no Player any more{vacant}"),
                    Err(why) => format!("{name}: stays a Player, for {}", why.say),
                });
                continue;
            }
            changed.push(format!("{name}: is gone"));
            let was = d.world.values_of(obj).map(|(path, value)| (path.clone(), value.clone())).collect();
            d.op(Op::Destroy { obj: obj.clone(), kind: kind.clone(), was });
            registry::unlink(d, obj);
        }
    }
    for path in paths {
        let (now, then) = (d.world.value(&path), after.world.value(&path));
        if now == then || !d.world.exists(&path.obj) || !after.world.exists(&path.obj) {
            continue;
        }
        // Somebody else may have come to be called so since the display was given (B4.2).
        if *path.attr == *NAME.id
            && d.world.kind(&path.obj).is_some_and(|kind| **kind == *PLAYER)
            && let Err(why) = society::nameable(d, &path.obj, &then)
        {
            changed.push(format!("{}, name: it stays, for {}", called(d, &path.obj), why.say));
            continue;
        }
        changed.push(difference(d, &path, &BNomic::value(d, &path), &BNomic::value(after, &path)));
        let (obj, attr) = (path.obj.clone(), path.attr.clone());
        d.overwrite(path, then);
        match &*attr {
            attr if *attr == *MINISTER.id => ministries::said(d, &obj),
            attr if *attr == *SUCCESS.id => passing::become_so(d, &obj, after),
            _ => {}
        }
    }
    let rules = views::difference(&before, &d.rules, PREFIX);
    (changed, rules)
}

fn difference(state: &State<BNomic>, path: &Path, was: &Value, now: &Value) -> String {
    let word = |value: &Value| match value {
        Value::Text(text) if text.is_empty() => "“”".to_owned(),
        value => stats::shown(state, &path.attr, value),
    };
    format!("{}, {}: {} becomes {}", called(state, &path.obj), path.attr, word(was), word(now))
}

fn list(lines: Vec<String>) -> Block {
    let more = lines.len().saturating_sub(SHOWN_MAX_LINES);
    let mut cells: Vec<Cell> = lines.into_iter().take(SHOWN_MAX_LINES).map(Cell::new).collect();
    if more > 0 {
        cells.push(Cell::new(format!("and {more} more")));
    }
    Block::List(cells)
}

/// What a state becomes by something, away from the room, and what that changed.
fn drafted(
    state: State<BNomic>,
    at: Instant,
    doer: Doer,
    public: bool,
    act: impl FnOnce(&mut D<'_>),
) -> (State<BNomic>, Vec<Change<super::Fact>>) {
    // What dice would show there nobody can know; nothing that is played so far throws any.
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, VecDeque::new());
    let mut d = Draft::new(state, at, doer, public, &mut dice, [0; SALT_BYTES]);
    act(&mut d);
    let finished = d.finish();
    let mut after = finished.state;
    after.at = at;
    (after, finished.changes)
}

// ---- settle

/// Keeps what moderators did (B2.3): an entry of which nothing else was kept. Before all else that follows by itself,
/// which the playing again does anew.
fn outside(d: &mut D<'_>) -> bool {
    if d.is_part() || !watches(d) || d.emitted() == 0 || is_noted(d) {
        return false;
    }
    let changes = d.changes().to_vec();
    note(d, What::Outside { changes });
    true
}

/// Last of all that an entry does: the room of before it is kept only where it announced an approval.
fn done(d: &mut D<'_>) -> bool {
    let kept = !d.is_part() && d.game.approvals.before.is_some();
    if kept {
        emit(d, Fact::After);
    }
    kept
}

/// Ends what can no longer be performed.
fn settle(d: &mut D<'_>) -> bool {
    if !watches(d) {
        return false;
    }
    let over = d.game.approvals.open.keys().copied().find(|number| intents::is_over(d, *number));
    if let Some(number) = over {
        emit(d, Fact::Closed { number });
        return true;
    }
    let approvals = &d.game.approvals;
    if approvals.log.len() >= LOG_MAX_COUNT || approvals.log_bytes >= LOG_MAX_BYTES {
        let open: Vec<u64> = approvals.open.keys().copied().collect();
        for number in &open {
            emit(d, Fact::Closed { number: *number });
            d.tell_all(format!(
                "Intention {number}, to approve a display, is void: more has happened since than the bot can play again."
            ));
        }
        return !open.is_empty();
    }
    false
}

// ---- fold

/// Folds a fact, in a room that is like this otherwise. Total.
pub(super) fn fold(game: &mut BNomic, fact: &Fact, around: &Around<'_>) {
    let now = |game: &BNomic, seq: Seq| {
        let mut kept = game.clone();
        kept.approvals = Approvals::default();
        State {
            frame: around.frame.clone(),
            world: around.world.clone(),
            rules: around.rules.clone(),
            game: kept,
            unread: Default::default(),
            seq,
            at: around.at,
        }
    };
    match fact {
        Fact::Before => game.approvals.before = Some(Arc::new(now(game, around.seq.saturating_sub(1)))),
        Fact::Opened { number, display, says, text } => {
            let before = game.approvals.before.as_deref().cloned();
            let whole = before.is_some();
            let base = before.unwrap_or_else(|| now(game, around.seq));
            let (display, says, text) = (display.clone(), says.clone(), text.clone());
            let approval = Approval { display, says, text, base, whole };
            game.approvals.open.insert(*number, Arc::new(approval));
        }
        Fact::After => {
            game.approvals.before = None;
            forget(&mut game.approvals);
        }
        Fact::Happened(deed) => {
            game.approvals.log_bytes += deed.bytes();
            game.approvals.log.push_back(Arc::new((**deed).clone()));
        }
        Fact::Closed { number } => {
            game.approvals.open.remove(number);
            forget(&mut game.approvals);
        }
    }
}

/// What happened before the first that still waits is wanted no more.
fn forget(approvals: &mut Approvals) {
    let waits = approvals.open.values().map(|approval| approval.base.seq);
    let first = waits.chain(approvals.before.iter().map(|before| before.seq)).min();
    while let Some(deed) = approvals.log.front().filter(|deed| first.is_none_or(|first| deed.seq <= first)) {
        approvals.log_bytes = approvals.log_bytes.saturating_sub(deed.bytes());
        approvals.log.pop_front();
    }
}

impl Deed {
    /// About how much of a snapshot it takes.
    fn bytes(&self) -> usize {
        /// What a change takes, beside its values.
        const CHANGE_BYTES: usize = 200;
        match &self.what {
            What::Act { action, .. } => action.len(),
            What::Due(_) => 0,
            What::Missed(missed) => missed.what.len() + missed.why.len(),
            What::Approved { changes, .. } | What::Outside { changes } => changes.len() * CHANGE_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{
        Game,
        engine::{Context, Engine, Table},
        frame::ClockMode,
        game::{Deed as Does, Moderation},
    };

    fn does(engine: &mut Engine<BNomic>, deed: Does) {
        let context = Context {
            now: Instant::UNIX_EPOCH,
            seed: Seed([1; SEED_BYTES]),
            fresh: Seed([2; SEED_BYTES]),
            salt: [0; SALT_BYTES],
            opened: Default::default(),
            fixed: Default::default(),
        };
        let entry = engine.decide(deed, &context).expect("it is allowed").entry.expect("it has an entry");
        engine.fold(&entry).expect("it can be folded");
    }

    fn acts(engine: &mut Engine<BNomic>, invocation: Json) {
        let (by, command) = (Doer { person: "p1".into(), name: "Ann".to_owned() }, "test".to_owned());
        let deed = Does::Act { by, command, invocation, public: true, private: false, forum: None, followed: false };
        does(engine, deed);
    }

    fn kept(engine: &Engine<BNomic>) -> Vec<String> {
        let one = |deed: &Arc<Deed>| match &deed.what {
            What::Act { action, .. } => action.clone(),
            What::Due(due) => due.key.to_string(),
            other => format!("{other:?}"),
        };
        engine.state().game.approvals.log.iter().map(one).collect()
    }

    /// B50.6: an act is kept as a whole, and what happens at an instant with that instant.
    #[test]
    fn b50_6_what_is_part_of_something_is_kept_with_it() {
        let mut engine = Engine::<BNomic>::default();
        let by = Doer { person: "p1".into(), name: "Ann".to_owned() };
        let (name, clock, zone) = ("main".to_owned(), ClockMode::Live, "UTC".to_owned());
        let act = Moderation::Open { name, clock, zone, forum: None, options: Default::default() };
        does(&mut engine, Does::Moderate { by, act });
        let panic = |times| json!({ "said": "panic", "times": times, "act": "panic" });
        let calm = json!({ "said": "calm", "times": 1, "act": "calm" });
        acts(&mut engine, json!({ "schedule": { "when": "1970-01-01 12:00", "actions": [panic(2)] } }));
        assert_eq!(kept(&engine), [] as [String; 0], "nothing waits yet");
        let announced = json!({ "intend_approve": { "display": "society", "text": "Ann.score = 5" } });
        acts(&mut engine, announced.clone());
        let several = json!({ "transaction": { "actions": [panic(1), calm] } });
        acts(&mut engine, several.clone());
        acts(&mut engine, json!("panic"));
        acts(&mut engine, json!("calm"));
        let due = BNomic::mechanics().next_due(engine.state()).expect("something is set for noon");
        does(&mut engine, Does::Due(due));
        let log = kept(&engine);
        let [first, second, third, fourth, missed, noon] = &log[..] else { panic!("{log:?}") };
        assert_eq!([first, second], [&announced.to_string(), &several.to_string()]);
        assert_eq!([&**third, fourth], ["\"panic\"", "\"calm\""]);
        assert!(missed.contains("already") && missed.contains("Missed"), "{missed}");
        assert_eq!(noon, "scheduled/1");
        assert!(engine.state().game.approvals.before.is_none());
    }
}
