//! The undo of an entry gives the room in which the entry was never made: the part that the crowds of all games share.
//!
//! Beside the room stands another one, in which the entry is left out. An instant passes there as in a pause. Everything since is done again there, under the
//! same numbers and with the same dice. After the undo of the entry both are alike, and after the undo of the undo the
//! room is as it was. Seats and what is drawn anew may differ. Each game's crowd says what is typed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, atomic::AtomicBool},
};

use kernel::{
    Game, Id, Instant, Path, State,
    deed::Deed,
    dice::{Dice, Seed},
    display::lines,
    doer::Doer,
    draft::{Draft, Opened, SALT_BYTES},
    engine::{Context, Engine, Recorded, Table, View},
    entry::{Cause, Change, Due, Entry},
    frame::FrameFact,
    mechanic::Fate,
    work::{Bench, Work},
    world::World,
};
use serde_json::Value as Json;
use store::Secret;

use crate::crowds::{Crowd, Weeks, tables};

/// Last numbers, by what they count.
type Counts = imbl::OrdMap<Id, u64>;

/// What the entry is called by which a moderator takes another one back.
const UNDO: &str = "undo";

/// What the journal calls the announcement of its own hash.
const ATTEST: &str = "journal/hash";

/// How far back an entry is that is taken back, in entries.
pub(crate) const UNDONE_MAX_ENTRIES: usize = 60;

/// Takes an entry back that somebody's line or an instant made, and takes that back. `which` chooses among those of which is known
/// how the room would be without them. What no undo changes of the machinery is `stays`.
pub(crate) async fn is_as_if_never<C: Crowd>(crowd: &mut C, by: &str, which: usize, stays: fn(&str) -> bool) {
    let (Some((seq, never)), state) = (never(crowd.weeks(), which).await, crowd.weeks().beside.state().clone()) else {
        return;
    };
    let mut of = seq;
    for (wanted, what) in [(&never, "undo"), (&state, "redo")] {
        let replies = crowd.says(by, &format!("undo {of} yes because of a test")).await;
        if replies.iter().any(|reply| reply.kind.is_refusal()) {
            return;
        }
        let is_right = |line: &String| {
            let stays = line.split_once(": ").and_then(|(_, values)| values.split_once(" becomes "));
            !line.contains("by a fault of the bot") && stays.is_none_or(|(was, is)| was != is)
        };
        let lines: Vec<String> = replies.iter().flat_map(|reply| lines(&reply.document)).collect();
        assert!(lines.iter().all(is_right), "{what} of entry {seq}: {lines:?}");
        of = state.seq + 1;
        let made = entries(crowd.weeks(), of).await;
        // What was drawn anew, and what came of a work that is done anew, is not to be known before.
        if !made.iter().all(|entry| entry.draws.is_empty() && matches!(entry.cause, Cause::Moderator { .. })) {
            continue;
        }
        let now = crowd.weeks().beside.state();
        let told = format!("{what} of entry {seq}");
        let values = |state: &State<_>| {
            let mut all = values(&state.world);
            all.retain(|at, _| !stays(at));
            all
        };
        assert_eq!(differences(&values(now), &values(wanted)), Vec::<String>::new(), "{told}");
        assert_eq!(texts(now), texts(wanted), "{told}");
        let machinery = |state| machinery(state, stays);
        assert_eq!(differences(&machinery(now), &machinery(wanted)), Vec::<String>::new(), "{told}");
    }
}

/// An entry, and the room as it would be now if that had never been made: what was typed since is typed again. Nothing
/// where of no entry that is known.
async fn never<G: Game + PartialEq>(weeks: &Weeks<G>, which: usize) -> Option<(u64, State<G>)> {
    let room = weeks.beside.state();
    if !room.frame.taken_back.is_empty() {
        return None;
    }
    let all = entries(weeks, 1).await;
    let acts = weeks.store.acts(weeks.house.room("main").id, 1, room.seq).await.expect("the acts can be read");
    // What is sealed still opens to nothing.
    let still: Vec<Id> = G::mechanics().seals(room).into_iter().map(|(id, _)| id).collect();
    let mut opened = BTreeMap::new();
    for id in acts.values().flat_map(|act| Recorded::opens(act)).filter(|id| !still.contains(id)) {
        let secret = weeks.store.get_secret(weeks.house.room("main").id, &id).await.expect("a secret can be read");
        opened.insert(id, secret.map(|Secret { salt, bytes }| Opened { salt, bytes }));
    }
    let acts: BTreeMap<u64, Json> =
        acts.iter().map(|(seq, act)| (*seq, serde_json::from_str(act).expect("an act can be read"))).collect();
    // What cannot be done again ends the entries that come into question: what is forgotten, or a moderator's.
    let is_again = |entry: &&Entry| match &entry.cause {
        Cause::Action { .. } => acts.contains_key(&entry.seq),
        Cause::Moderator { act, .. } => act == UNDO,
        Cause::Due(_) | Cause::Job(_) => true,
    };
    let since = all.iter().rev().take_while(is_again).count();
    let ends = all.len() - since;
    let known = &all[ends.saturating_sub(1).max(all.len().saturating_sub(UNDONE_MAX_ENTRIES))..];
    let fit = |entry: &&Entry| (matches!(entry.cause, Cause::Action { .. }) && !sits(entry)) || due_of(entry).is_some();
    let known: Vec<&Entry> = known.iter().filter(fit).collect();
    let seq = known.get(which % known.len().max(1))?.seq;
    let (before, since) = all.split_at(usize::try_from(seq).ok()? - 1);
    let mut sealed = BTreeMap::new();
    for (id, _) in G::mechanics().seals(room) {
        let secret = weeks.store.get_secret(weeks.house.room("main").id, &id).await.expect("a secret can be read");
        sealed.extend(secret.map(|secret| (id, secret.bytes.into())));
    }
    let mut other = Other::<G>::after(before, room, sealed, opened);
    let dues: BTreeMap<&Due, &Entry> = since.iter().filter_map(|entry| Some((due_of(entry)?, entry))).collect();
    for entry in since {
        let is_out = entry.seq == seq;
        other.comes_to(entry.at, Some((entry, is_out)), &dues)?;
        match due_of(entry).filter(|_| is_out) {
            Some(due) => other.passes(due, entry)?,
            None => other.goes_on(entry, acts.get(&entry.seq).filter(|_| !is_out), room)?,
        }
        other.recorded.fold(&written(entry)).expect("an entry folds");
    }
    other.comes_to(weeks.house.clock.now(), None, &dues)?;
    // What it waits for came to something else, or to nothing so far.
    let waits = |engine: &Engine<G>| G::mechanics().work(engine.state()).is_some();
    (!waits(&other.engine)).then(|| (seq, other.engine.state().clone()))
}

/// The entries of a room from one on.
async fn entries<G: Game + PartialEq>(weeks: &Weeks<G>, from: u64) -> Vec<Entry> {
    let rows = weeks.house.journal("main").await;
    let rows = rows.iter().skip(usize::try_from(from).expect("a journal fits in memory") - 1);
    rows.map(|row| serde_json::from_str(&row.json).expect("an entry can be read")).collect()
}

fn written(entry: &Entry) -> String {
    serde_json::to_string(entry).expect("an entry is JSON")
}

/// Whether somebody takes a seat in an entry.
fn sits(entry: &Entry) -> bool {
    entry.changes.iter().any(|change| matches!(change, Change::Frame(FrameFact::Seated { .. })))
}

/// What was due in an entry.
fn due_of(entry: &Entry) -> Option<&Due> {
    match &entry.cause {
        Cause::Due(due) if !due.key.starts_with("dice/") => Some(due),
        _ => None,
    }
}

fn text_of(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

/// A room beside the room, in which the same is done but for an entry, under the same numbers.
struct Other<G: Game> {
    engine: Engine<G>,
    /// The room as it is recorded, as far as this one has come.
    recorded: Engine<G>,
    /// The last entry of the room.
    last: u64,
    /// The last numbers that were given in the room, and here to what is not there.
    counted: Counts,
    /// The salt of what is sealed next.
    salt: [u8; SALT_BYTES],
    /// What is sealed, for works that come to something else here.
    sealed: BTreeMap<Id, Arc<[u8]>>,
    /// What was opened in the room by now.
    opened: BTreeMap<Id, Option<Opened>>,
}

impl<G: Game> Other<G> {
    /// A room after some of its entries.
    fn after(
        entries: &[Entry],
        room: &State<G>,
        sealed: BTreeMap<Id, Arc<[u8]>>,
        opened: BTreeMap<Id, Option<Opened>>,
    ) -> Self {
        let mut engine = Engine::<G>::default();
        for entry in entries {
            engine.fold(&written(entry)).expect("an entry folds");
        }
        Self {
            recorded: engine.clone(),
            engine,
            last: room.seq,
            counted: room.frame.counted.clone(),
            salt: [0; SALT_BYTES],
            sealed,
            opened,
        }
    }

    /// Does what was done in an entry: an act where it is handed in, a work where it is awaited here as well. Nothing where
    /// it is not to be known what it would come to.
    fn goes_on(&mut self, entry: &Entry, basis: Option<&Json>, room: &State<G>) -> Option<()> {
        match (&entry.cause, basis) {
            (Cause::Action { actor, command, .. }, Some(basis)) => {
                let act = &basis["what"]["act"];
                let seat = actor.as_ref().and_then(|actor| room.frame.seats.get(actor));
                let by = Doer {
                    person: seat.map_or_else(|| text_of(&act["by"][0]).into(), |seat| seat.person.clone()),
                    name: seat.map_or_else(|| text_of(&act["by"][1]), |seat| seat.name.clone()),
                };
                let mut salt = [0; SALT_BYTES];
                if let Some(hex) = basis["salt"].as_str() {
                    hex::decode_to_slice(hex, &mut salt).expect("a salt is hexadecimal");
                }
                // What the line leaves out is what it meant when it was typed.
                let meant = basis["meant"].as_array().into_iter().flatten();
                let meant = meant.filter(|meant| meant[0] == act["invocation"]).map(|meant| &meant[1]).next();
                let deed = Deed::Act {
                    by,
                    command: command.clone(),
                    invocation: meant.unwrap_or(&act["invocation"]).clone(),
                    public: act["public"] == true,
                    private: false,
                    forum: act["forum"].as_str().map(Into::into),
                    followed: act["followed"] == true,
                };
                self.salt = salt;
                if !self.does(deed, entry.seq, entry.at, Some(entry))? && sits(entry) {
                    return None;
                }
            }
            (Cause::Job(id), Some(basis)) if **id != *ATTEST => {
                let awaited = |engine: &Engine<G>| G::mechanics().work(engine.state());
                while let Some(own) = awaited(&self.engine).filter(|own| awaited(&self.recorded).as_ref() != Some(own))
                {
                    let result = self.plays(&own)?;
                    let is_this = own.id == *id;
                    let deed = Deed::Work { id: own.id, result };
                    self.does(deed, entry.seq, entry.at, Some(entry).filter(|_| is_this))?;
                    if is_this {
                        return Some(());
                    }
                }
                if awaited(&self.engine).is_some_and(|awaited| awaited.id == *id) {
                    let deed = Deed::Work { id: id.clone(), result: basis["what"]["work"]["result"].clone() };
                    self.does(deed, entry.seq, entry.at, Some(entry))?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// What a work comes to here; nothing where what it needs is not kept any more.
    fn plays(&self, work: &Work) -> Option<Json> {
        let open = |id: &str| self.sealed.get(id).cloned();
        work.secrets.iter().all(|id| open(id).is_some()).then_some(())?;
        let bench = Bench { open: &open, cache: &(), stop: &AtomicBool::new(false), progress: &|_, _| {} };
        G::mechanics().play(work, &bench)
    }

    /// Does what is due by an instant, and not after what is due in the next entry.
    fn comes_to(&mut self, at: Instant, next: Option<(&Entry, bool)>, known: &BTreeMap<&Due, &Entry>) -> Option<()> {
        while let Some(due) = G::mechanics().next_due(self.engine.state()).filter(|due| due.at <= at) {
            let until = next.and_then(|(entry, is_out)| Some((due_of(entry)?, is_out)));
            if until.is_some_and(|(until, is_out)| due > *until || (is_out && due == *until)) {
                break;
            }
            let entry = known.get(&due).copied();
            self.does(Deed::Due(due.clone()), entry.map_or(self.last + 1, |entry| entry.seq), due.at, entry)?;
        }
        Some(())
    }

    /// Lets an instant pass as in a pause. Nothing where it is put off or happens all the same, or gives numbers.
    fn passes(&mut self, due: &Due, entry: &Entry) -> Option<()> {
        let state = self.engine.state();
        if G::mechanics().next_due(state).as_ref() != Some(due) {
            return Some(());
        }
        if G::mechanics().fate(state, due).fate != Fate::Never {
            return None;
        }
        self.stands_before(entry.seq, self.recorded.state().frame.counted.clone());
        let mut dice = Dice::new(Seed([0; 32]), entry.seq, Default::default());
        let state = self.engine.state().clone();
        let mut d = Draft::new(state, entry.at, Doer::default(), true, &mut dice, [0; SALT_BYTES]);
        G::mechanics().lapse(due, &mut d);
        G::mechanics().settle_all(&mut d);
        let mut finished = d.finish();
        let gives = |change: &Change| matches!(change, Change::Frame(FrameFact::Counted { .. }));
        if finished.changes.iter().any(gives) || dice.drawn() > 0 {
            return None;
        }
        finished.state.at = entry.at;
        let snapshot = serde_json::to_vec(&finished.state).expect("a state is JSON");
        assert!(self.engine.restore(&snapshot));
        (G::mechanics().next_due(self.engine.state()).as_ref() != Some(due)).then_some(())
    }

    /// Does something under the number of an entry, with what was drawn in it and the numbers that it gave; whether it is
    /// done. Nothing where it supposes a past that was otherwise, or gives more numbers than its entry.
    fn does(&mut self, deed: Deed, seq: u64, now: Instant, entry: Option<&Entry>) -> Option<bool> {
        if !View::supposes(self.engine.state(), &deed).is_empty() {
            return None;
        }
        // What comes before its entry gets new numbers.
        let entry_is_next = entry.filter(|entry| entry.seq == self.recorded.state().seq + 1);
        let before = if entry_is_next.is_some() { &self.recorded.state().frame.counted } else { &self.counted };
        let before = before.clone();
        self.stands_before(seq, before);
        let draws = entry.map_or(&[][..], |entry| &entry.draws[..]);
        let fixed = draws.iter().map(|draw| (draw.label.clone(), draw.got)).collect();
        let opens = View::opens(self.engine.state(), &deed).into_iter();
        let context = Context {
            now,
            seed: Seed([0; 32]),
            fresh: Seed([1; 32]),
            salt: std::mem::take(&mut self.salt),
            opened: opens.filter_map(|id| Some((id.clone(), self.opened.get(&id)?.clone()))).collect(),
            would_be: Vec::new(),
            fixed,
        };
        let Ok(step) = self.engine.decide(deed, &context) else { return Some(false) };
        let Some(made) = step.entry else { return Some(true) };
        self.engine.fold(&made).expect("an entry folds");
        let given = counted(&serde_json::from_str(&made).expect("an entry can be read"));
        match entry_is_next.map(counted) {
            Some(recorded) => given.iter().all(|(of, last)| Some(last) <= recorded.get(of)).then_some(true),
            None => {
                self.counted.extend(given);
                Some(true)
            }
        }
    }

    /// Lets the next entry have a number, after these last numbers.
    fn stands_before(&mut self, seq: u64, counted: Counts) {
        let state = self.engine.state();
        if state.seq + 1 == seq && state.frame.counted == counted {
            return;
        }
        let mut snapshot: Json = serde_json::from_slice(&self.engine.snapshot()).expect("a snapshot is JSON");
        snapshot["seq"] = (seq - 1).into();
        snapshot["frame"]["counted"] = serde_json::to_value(counted).expect("numbers are JSON");
        assert!(self.engine.restore(snapshot.to_string().as_bytes()));
    }
}

/// The last numbers that an entry says were given, by what they count.
fn counted(entry: &Entry) -> Counts {
    let counted = entry.changes.iter().filter_map(|change| match change {
        Change::Frame(FrameFact::Counted { of, last }) => Some((of.clone(), *last)),
        _ => None,
    });
    counted.collect()
}

/// What everything has, whether somebody set it or it is so from the beginning.
fn values(world: &World) -> BTreeMap<String, String> {
    let things = world.objects().flat_map(|thing| world.defs().map(move |def| Path::new(thing.clone(), &*def.id)));
    things.map(|path| (path.to_string(), world.value(&path).to_string())).collect()
}

/// The rules in force, each with its number.
fn texts<G: Game>(state: &State<G>) -> Vec<(u32, String)> {
    state.rules.rules().iter().map(|rule| (rule.number(), rule.text().source().to_string())).collect()
}

/// The machinery, leaf by leaf, without what an undo leaves as it is.
fn machinery<G: Game>(state: &State<G>, stays: fn(&str) -> bool) -> BTreeMap<String, String> {
    fn leaves(at: &str, of: &Json, into: &mut BTreeMap<String, String>) {
        match of {
            Json::Object(fields) => fields.iter().for_each(|(key, value)| leaves(&format!("{at}/{key}"), value, into)),
            Json::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| leaves(&format!("{at}/{index}"), item, into));
            }
            Json::Null => {}
            leaf => drop(into.insert(at.to_owned(), leaf.to_string())),
        }
    }
    let mut all = BTreeMap::new();
    leaves("", &tables(&state.tables), &mut all);
    all.retain(|at, _| !stays(at));
    all
}

/// What is not the same in two of them.
fn differences(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Vec<String> {
    let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differs = keys.into_iter().filter(|key| one.get(*key) != other.get(*key));
    differs.map(|key| format!("{key}: {:?}, not {:?}", one.get(key), other.get(key))).collect()
}
