//! Approving a display (4E50): the game becomes what it would be, had the display been right when it was given.
//!
//! A display that shows something else than the record is given with what it says instead. From then on the room keeps
//! the state of that moment and what happens after it; when the display is approved, all of that is played again on the
//! state that the display tells of, and what the display shows is set to what came of it. Nothing of the past is
//! touched: what cannot happen there is left out and told. Absent: who supports and objects (`intents`).

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

use super::{
    BNomic, D, Id, Instant, Refusal, State, clock,
    display::{Block, Cell, Document},
    displays, emit,
    figures::{APPROVE_RDAYS, APPROVE_SUPPORT},
    intents::{self, Needs},
    law::{Thing, established},
    ministries, society,
    stats::{MINISTER, called},
};
use crate::kernel::{
    Draft, Game, Path, Seq, Value,
    dice::{Dice, SEED_BYTES, Seed},
    directives::{Lawful, define},
    draft::SALT_BYTES,
    engine::SETTLE_MAX_ROUNDS,
    entry::{Audience, Change, Due},
    game::{Doer, Viewer},
    time::minute,
    world::{Op, Range},
};

/// Most approvals that wait at once: each keeps a state of its own in the room's snapshot.
const OPEN_MAX_COUNT: usize = 10;

/// Most things that happen while one waits: they are played again within a moment when it is performed.
const LOG_MAX_COUNT: usize = 5_000;

/// Most of what was typed meanwhile, in bytes: it stands in every snapshot until then.
const LOG_MAX_BYTES: usize = 4 * 1024 * 1024;

/// Most values that a display is given with: they fit into one message.
const SAID_MAX_COUNT: usize = 50;

/// Lines of differences and of what is left out that an announcement shows; the others are counted.
const SHOWN_MAX_LINES: usize = 40;

// ---- state

/// The approvals that wait, and what happened since the first of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Approvals {
    open: OrdMap<u64, Arc<Approval>>,
    log: Vector<Arc<Deed>>,
    log_bytes: usize,
    /// Whether this state is one that is being worked out: it keeps nothing of all this.
    #[serde(skip)]
    simulated: bool,
}

/// An approval that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Approval {
    /// Which display.
    display: String,
    /// What it says otherwise than the record.
    says: Vec<(Path, Value)>,
    /// The room when it was announced.
    base: State<BNomic>,
}

/// Something that happened while an approval waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    /// In which entry.
    seq: Seq,
    /// When.
    at: Instant,
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
    /// Another display was approved.
    Approved {
        /// The number of its announcement.
        number: u64,
        /// Who performed it.
        by: Id,
        /// What it changed.
        changes: Vec<Change<super::Fact>>,
    },
    /// A moderator did something outside the rules.
    Outside {
        /// What it changed.
        changes: Vec<Change<super::Fact>>,
    },
}

// ---- facts

/// What happens to approvals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// One was announced: the state of this moment is kept.
    Opened {
        /// The number of its announcement.
        number: u64,
        /// Of which display.
        display: String,
        /// What it says otherwise than the record.
        says: Vec<(Path, Value)>,
    },
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
    !state.game.approvals.open.is_empty() && !state.game.approvals.simulated
}

/// Whether something of this entry was kept already.
fn is_noted(d: &D<'_>) -> bool {
    d.game.approvals.log.last().is_some_and(|deed| deed.seq == d.seq)
}

fn note(d: &mut D<'_>, what: What) {
    let deed = Deed { seq: d.seq, at: d.at, what };
    emit(d, Fact::Happened(Box::new(deed)));
}

/// The text of an action, where it will be wanted: before the action is used up.
pub(super) fn text_of(action: &super::Action, d: &D<'_>) -> Option<String> {
    watches(d).then(|| serde_json::to_string(action).ok()).flatten()
}

/// Keeps an action that was done.
pub(super) fn acted(action: Option<String>, d: &mut D<'_>) {
    if let Some(action) = action.filter(|_| watches(d) && !is_noted(d)) {
        let (person, name, public) = (d.doer.person.clone(), d.doer.name.clone(), d.public);
        let forum = d.forum.clone();
        note(d, What::Act { person, name, public, forum, action });
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
        without: Some(1),
        with: Some(state.rules.need_count(&APPROVE_SUPPORT)?),
        rdays: Some(state.rules.need_count(&APPROVE_RDAYS)?),
        ..Needs::default()
    })
}

/// The values that a display shows, by their paths.
fn shown(state: &State<BNomic>, display: &str) -> Result<BTreeSet<Path>, Refusal> {
    fn of(cells: &[Cell], found: &mut BTreeSet<Path>) {
        found.extend(cells.iter().filter_map(|cell| cell.source.clone()));
    }
    let document = displays::show(state, display, &Viewer::default())?;
    let mut found = BTreeSet::new();
    for block in &document.blocks {
        match block {
            Block::Table { rows, .. } => rows.iter().for_each(|row| of(row, &mut found)),
            Block::List(cells) => of(cells, &mut found),
            _ => {}
        }
    }
    Ok(found)
}

/// Reads which display is to be approved, and what it says otherwise: a line `OBJECT.ATTRIBUTE = VALUE` for each value.
///
/// # Errors
///
/// A [`Refusal`] where there is no such display, where it shows nothing that can be set, and with the line that is no
/// value of it.
pub(super) fn read(d: &D<'_>, display: &str, text: &str) -> Result<(String, Vec<(Path, Value)>), Refusal> {
    let by = Thing::Displays.rule(&d.rules);
    let display = display.trim().trim_matches('/').to_lowercase();
    let paths = shown(d, &display)?;
    if paths.is_empty() {
        return Err(Refusal::new(format!("the display “{display}” shows no value that approving it could set"))
            .by(by)
            .instead("intend approve society Ann.mackerel = 60"));
    }
    let mut says: Vec<(Path, Value)> = Vec::new();
    for line in text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()) {
        let (path, value) =
            said(d, line).map_err(|why| Refusal { say: format!("“{line}”: {}", why.say), ..why })?;
        if !paths.contains(&path) {
            return Err(Refusal::new(format!("the display “{display}” does not show {path}"))
                .by(by)
                .instead(format!("show {display}")));
        }
        if says.iter().any(|(before, _)| *before == path) {
            return Err(Refusal::new(format!("{path} is said twice")).by(by).instead("show displays"));
        }
        says.push((path, value));
        if says.len() > SAID_MAX_COUNT {
            return Err(Refusal::new(format!("a display is given with at most {SAID_MAX_COUNT} values of its own")));
        }
    }
    Ok((display, says))
}

/// A line of a display: whose attribute, and its value.
fn said(d: &D<'_>, line: &str) -> Result<(Path, Value), Refusal> {
    let wrong = || {
        Refusal::new("it does not say what is what")
            .by(Thing::Displays.rule(&d.rules))
            .instead("intend approve society Ann.mackerel = 60")
    };
    let (what, value) = line.split_once('=').ok_or_else(wrong)?;
    let (obj, attr) = what.trim().rsplit_once('.').ok_or_else(wrong)?;
    let obj = match d.world.exists(obj.trim()) {
        true => Id::from(obj.trim()),
        false => ministries::find(d, obj).or_else(|_| BNomic::find(d, obj))?,
    };
    let kind = d.world.kind(&obj).cloned().ok_or_else(wrong)?;
    let attr = BNomic::attribute(d, attr, &kind)
        .ok_or_else(|| Refusal::new(format!("{} has no “{}”", called(d, &obj), attr.trim())).instead("show society"))?;
    let path = Path::new(obj, attr);
    let range = d.world.def(&path.attr).map_or(Range::Any, |def| def.range.clone());
    let value = value.trim();
    let value = match &range {
        _ if *path.attr == *MINISTER.id && value.eq_ignore_ascii_case("vacant") => Some(Value::Null),
        _ if *path.attr == *MINISTER.id => Some(Value::Ref(society::other(d, &BNomic::find(d, value)?, None)?)),
        Range::Bool if value.eq_ignore_ascii_case("on") => Some(Value::Bool(true)),
        Range::Bool if value.eq_ignore_ascii_case("off") => Some(Value::Bool(false)),
        range => define::plain(value, range).filter(|value| range.holds(value)),
    };
    let value = value.ok_or_else(|| {
        Refusal::new(format!("{path} is {} and nothing else", define::shown(&range))).by("4E11, Attributes")
    })?;
    Ok((path, value))
}

/// Keeps the state of this moment for an approval that was just announced.
///
/// # Errors
///
/// A [`Refusal`] where as many wait as the bot keeps.
pub(super) fn open(number: u64, display: &str, says: &[(Path, Value)], d: &mut D<'_>) -> Result<(), Refusal> {
    if d.game.approvals.simulated {
        return Ok(());
    }
    if d.game.approvals.open.len() >= OPEN_MAX_COUNT {
        return Err(Refusal::new(format!("{OPEN_MAX_COUNT} approvals wait, as many as the bot keeps"))
            .by(Thing::Displays.rule(&d.rules))
            .instead("show intents"));
    }
    emit(d, Fact::Opened { number, display: display.to_owned(), says: says.to_vec() });
    Ok(())
}

/// Approves a display: what it shows becomes what it would be (B50.6, B50.7).
///
/// # Errors
///
/// A [`Refusal`] where the state of its announcement is no longer kept.
pub(super) fn perform(me: &Id, number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let gone = || {
        Refusal::new("the room no longer keeps the state of that announcement")
            .by(Thing::Displays.rule(&d.rules))
            .instead("intend approve society")
    };
    let approval = d.game.approvals.open.get(&number).cloned().ok_or_else(gone)?;
    let replay = replay(d, number, &approval);
    let mut paths = shown(&replay.after, &approval.display).unwrap_or_default();
    paths.extend(shown(d, &approval.display).unwrap_or_default());
    let from = d.emitted();
    let mut changed = Vec::new();
    for path in paths {
        let (now, then) = (d.world.value(&path), replay.after.world.value(&path));
        if now == then || !d.world.exists(&path.obj) || !replay.after.world.exists(&path.obj) {
            continue;
        }
        let minister = (*path.attr == *MINISTER.id).then(|| path.obj.clone());
        changed.push(difference(d, &path, &now, &then));
        d.overwrite(path, then);
        if let Some(ministry) = minister {
            ministries::said(d, &ministry);
        }
    }
    clock::said_on(d);
    let changes = d.changes()[from..].to_vec();
    emit(d, Fact::Closed { number });
    if watches(d) {
        note(d, What::Approved { number, by: me.clone(), changes });
    }
    let name = called(d, me);
    let mut document =
        Document::titled(format!("intent/{number}"), format!("{name} approves the display “{}”", approval.display));
    document = match changed.is_empty() {
        true => document.para("Nothing of what it shows changes."),
        false => {
            document.para("What it shows becomes what it would be, had the display been right:").with(list(changed))
        }
    };
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

fn difference(state: &State<BNomic>, path: &Path, was: &Value, now: &Value) -> String {
    let word = |value: &Value| match value {
        Value::Ref(obj) => called(state, obj),
        value => value.to_string(),
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

// ---- playing again

/// What comes of playing again what happened since an announcement.
struct Replay {
    after: State<BNomic>,
    left_out: Vec<String>,
}

/// Plays what happened since an approval was announced again, on a state in which its display was right (B50.6).
fn replay(state: &State<BNomic>, number: u64, approval: &Approval) -> Replay {
    let mut base = approval.base.clone();
    base.game.approvals.simulated = true;
    let pinned: BTreeSet<&Path> = approval.says.iter().map(|(path, _)| path).collect();
    let at = base.at;
    let (mut after, _) = step(base, at, Doer::default(), true, |d| {
        // Announcing it is an act too, and what the display says of whoever did so comes last.
        if let Some(by) = intents::by(d, number) {
            society::acted(d, &by);
        }
        tell(d, &approval.says);
        Ok(())
    });
    let mut left_out = Vec::new();
    let since = approval.base.seq;
    for deed in state.game.approvals.log.iter().filter(|deed| deed.seq > since) {
        after.seq = deed.seq.saturating_sub(1);
        let (next, refused) = again(after, deed, number, &pinned);
        after = next;
        if let Some(refusal) = refused {
            left_out.push(format!("{} at {}: {}", words(state, deed), minute(deed.at), refusal.say));
        }
    }
    Replay { after, left_out }
}

fn again(state: State<BNomic>, deed: &Deed, number: u64, pinned: &BTreeSet<&Path>) -> (State<BNomic>, Option<Refusal>) {
    match &deed.what {
        What::Act { person, name, public, forum, action } => {
            let doer = Doer { person: person.clone(), name: name.clone() };
            step(state, deed.at, doer, *public, |d| {
                d.forum.clone_from(forum);
                match serde_json::from_str(action) {
                    Ok(action) => BNomic::decide(action, d).map(|_| ()),
                    Err(_) => Err(Refusal::new("this version of the program does not know such an action")),
                }
            })
        }
        What::Due(due) => step(state, deed.at, Doer::default(), true, |d| {
            BNomic::due(due, d);
            Ok(())
        }),
        // Where two displays speak of the same, the one that was announced later is right (BX10).
        What::Approved { number: other, by, changes } => step(state, deed.at, Doer::default(), true, |d| {
            let speaks = |change: &Change<super::Fact>| match change {
                Change::World(Op::Set { at, .. }) => *other > number || !pinned.contains(at),
                _ => true,
            };
            changes.iter().filter(|change| speaks(change)).for_each(|change| redo(d, change));
            society::acted(d, by);
            Ok(())
        }),
        What::Outside { changes } => step(state, deed.at, Doer::default(), true, |d| {
            changes.iter().for_each(|change| redo(d, change));
            Ok(())
        }),
    }
}

/// Makes a state one in which a display was right all along.
fn tell(d: &mut D<'_>, says: &[(Path, Value)]) {
    for (path, value) in says {
        d.overwrite(path.clone(), value.clone());
    }
    clock::said_hands(d);
    clock::said_on(d);
}

/// Does a recorded change again, but for what the working out keeps no account of.
fn redo(d: &mut D<'_>, change: &Change<super::Fact>) {
    if !matches!(change, Change::Fact(super::Fact::Approval(_))) {
        d.emit(change.clone());
    }
}

/// Takes a state one step on, with whatever follows by itself; as it was where the step is refused.
fn step(
    state: State<BNomic>,
    at: Instant,
    doer: Doer,
    public: bool,
    act: impl FnOnce(&mut D<'_>) -> Result<(), Refusal>,
) -> (State<BNomic>, Option<Refusal>) {
    let mut refused = None;
    let after = drafted(state.clone(), at, doer, public, |d| {
        refused = act(d).err();
        for _ in 0..SETTLE_MAX_ROUNDS {
            if refused.is_some() || !BNomic::settle(d) {
                break;
            }
        }
    });
    if refused.is_some() { (state, refused) } else { (after, None) }
}

/// What a state becomes by something, away from the room.
fn drafted(state: State<BNomic>, at: Instant, doer: Doer, public: bool, act: impl FnOnce(&mut D<'_>)) -> State<BNomic> {
    // What dice would show there nobody can know; nothing that is played so far throws any.
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, VecDeque::new());
    let mut d = Draft::new(state, at, doer, public, &mut dice, [0; SALT_BYTES]);
    act(&mut d);
    let mut after = d.finish().state;
    after.at = at;
    after
}

/// Who did what, for the list of what is left out.
fn words(state: &State<BNomic>, deed: &Deed) -> String {
    match &deed.what {
        What::Act { person, name, action, .. } => {
            let who = state.frame.seat_of(person).map_or_else(|| name.clone(), |(_, seat)| seat.name.clone());
            let kind: Option<serde_json::Value> = serde_json::from_str(action).ok();
            let kind = kind.as_ref().and_then(|kind| match kind {
                serde_json::Value::String(kind) => Some(kind.clone()),
                serde_json::Value::Object(fields) => fields.keys().next().cloned(),
                _ => None,
            });
            let kind = kind.unwrap_or_else(|| "something".to_owned()).replace('_', " ");
            format!("{who}, {kind} (entry {})", deed.seq)
        }
        _ => format!("entry {}", deed.seq),
    }
}

// ---- settle

/// Ends what can no longer be performed, and keeps what moderators did (B2.3).
pub(super) fn settle(d: &mut D<'_>) -> bool {
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
        for number in open {
            emit(d, Fact::Closed { number });
            d.tell_all(format!(
                "Intention {number}, to approve a display, is void: more has happened since than the bot can play again."
            ));
        }
        return true;
    }
    if d.emitted() == 0 || is_noted(d) {
        return false;
    }
    let changes = d.changes().to_vec();
    note(d, What::Outside { changes });
    true
}

// ---- fold

/// Folds a fact, in a room that is like this otherwise. Total.
pub(super) fn fold(game: &mut BNomic, fact: &Fact, around: &crate::kernel::game::Around<'_>) {
    match fact {
        Fact::Opened { number, display, says } => {
            let mut kept = game.clone();
            kept.approvals = Approvals::default();
            let base = State {
                frame: around.frame.clone(),
                world: around.world.clone(),
                rules: around.rules.clone(),
                game: kept,
                seq: around.seq,
                at: around.at,
            };
            let approval = Approval { display: display.clone(), says: says.clone(), base };
            game.approvals.open.insert(*number, Arc::new(approval));
        }
        Fact::Happened(deed) => {
            game.approvals.log_bytes += deed.bytes();
            game.approvals.log.push_back(Arc::new((**deed).clone()));
        }
        Fact::Closed { number } => {
            let approvals = &mut game.approvals;
            approvals.open.remove(number);
            // What happened before the first that still waits is wanted no more.
            let first = approvals.open.values().map(|approval| approval.base.seq).min();
            while let Some(deed) = approvals.log.front().filter(|deed| first.is_none_or(|first| deed.seq <= first)) {
                approvals.log_bytes = approvals.log_bytes.saturating_sub(deed.bytes());
                approvals.log.pop_front();
            }
        }
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
            What::Approved { changes, .. } | What::Outside { changes } => changes.len() * CHANGE_BYTES,
        }
    }
}

/// The fact that takes another back: what happened stays kept, since taking it back happens after it.
pub(super) fn inverse(fact: &Fact) -> super::Fact {
    match fact {
        Fact::Opened { number, .. } => Fact::Closed { number: *number }.into(),
        Fact::Happened(_) | Fact::Closed { .. } => super::Fact::Kept,
    }
}

// ---- display

/// What the announcement to approve a display is about, as the end of a sentence.
pub(super) fn sentence(display: &str, says: &[(Path, Value)]) -> String {
    match says.len() {
        0 => format!("approve the display “{display}”"),
        1 => format!("approve the display “{display}”, with one value that the record has otherwise"),
        more => format!("approve the display “{display}”, with {more} values that the record has otherwise"),
    }
}

/// The display in full, as it would be approved, and what it says otherwise than the record (B50.4, B50.7).
pub(super) fn preview(state: &State<BNomic>, display: &str, says: &[(Path, Value)]) -> Vec<Block> {
    let differs: Vec<String> = says
        .iter()
        .map(|(at, to)| (at, state.world.value(at), to))
        .filter(|(_, was, to)| was != *to)
        .map(|(at, was, to)| difference(state, at, &was, to))
        .collect();
    let told = drafted(state.clone(), state.at, Doer::default(), true, |d| tell(d, says));
    let mut blocks = displays::show(&told, display, &Viewer::default()).map(|shown| shown.blocks).unwrap_or_default();
    if differs.is_empty() {
        blocks.push(Block::Para("It says what the record says.".to_owned()));
    } else {
        blocks.push(Block::Para("What it says otherwise than the record:".to_owned()));
        blocks.push(list(differs));
    }
    blocks
}
