//! Nothing that falls due stops a room, whatever was done to its rules while it waited.
//!
//! A rehearsal is played, and its room is taken as it stood after one of its entries, with all that waited then. There a
//! figure is unbound, or becomes words, 0, 1 or a great number; or a rule is repealed; or a rule lets somebody destroy all
//! things of a kind, or empty or set an attribute of them, and e does. Then every deadline passes, all that people did is
//! tried once more, and moderators correct and take back. What becomes of things suspends no law, either. Which blow falls
//! where goes by numbers, so that each run is the same; `tests/run --all` strikes in every rehearsal.

use std::collections::BTreeMap;

use kernel::{
    Id, Instant, Refusal,
    deed::{Deed, Moderation},
    display::plain,
    doer::Doer,
    draft::Opened,
    engine::{Context, Recorded, Replay, Table},
    entry::{Cause, Change, Entry},
    rulebook::{Rule, RuleAct, RuleOp, RuleSource, Rulebook, Splice, amend},
    time::days_after,
    viewer::Viewer,
    work::Bench,
};
use rulekeeper::{
    games,
    rehearsal::{Extent, Options, Script, play},
};
use serde_json::{Value as Json, json};
use store::Store;

use crate::{harness::sampled, rehearsals::rehearsals};

/// Of so many rehearsals one is struck, unless `tests/run --all` asks for all of them.
const REHEARSALS_PER_STRUCK: usize = 36;

/// How often each is struck: in all of them, every figure and every rule of a game are.
const BLOWS_PER_REHEARSAL: usize = 3;

/// How far apart the blows are of which one follows another, so that neighbours are of different kinds.
const STRIDE: usize = 37;

/// How long deadlines pass for, in days: no seed has a longer one, but for months on the Hill.
const PASSING_DAYS: i64 = 40;

/// Most entries that so many days may take: several things a day.
const PASSING_MAX_ENTRIES: usize = 1_000;

/// A number that is too great for whatever it counts.
const GREAT: &str = "99999999";

/// A room with its journal, which nothing else holds.
struct Room {
    table: Box<dyn Table>,
    now: Instant,
    journal: Vec<Recorded>,
    sealed: BTreeMap<Id, Option<Opened>>,
    /// What was announced since it was struck.
    said: Vec<String>,
}

/// What befalls a room: a change of a rule, and what somebody does by it then.
struct Blow {
    what: String,
    op: RuleOp,
    act: Option<Json>,
}

impl Room {
    /// The first room of a rehearsal, after each of its entries that these thousandths come to.
    async fn each_of(script: &Script, parts: impl Iterator<Item = usize>) -> Vec<Self> {
        let store = Store::in_memory().await.expect("a store in memory");
        let options = Options { store: Some(store.clone()), extent: Extent::Whole, ..Options::default() };
        play(script, &options).await;
        let Some(room) = store.rooms().await.expect("rooms can be read").into_iter().next() else { return Vec::new() };
        let rows = store.entries(room.id, 1, u32::MAX).await.expect("a journal can be read");
        let acts = store.acts(room.id, 1, room.last_seq).await.expect("acts can be read");
        let mut secrets = BTreeMap::new();
        for id in acts.values().flat_map(|act| Recorded::opens(act)) {
            let secret = store.get_secret(room.id, &id).await.expect("secrets can be read");
            secrets.insert(id, secret.map(|secret| Opened { salt: secret.salt, bytes: secret.bytes }));
        }
        let recorded = |row: &store::Entry| recorded(row.json.clone(), acts.get(&row.seq).cloned(), &secrets);
        let mut rooms = Vec::new();
        for part in parts {
            let mut table = games::table(&room.game).expect("the game is known");
            let journal: Vec<Recorded> = rows.iter().take((rows.len() * part / 1000).max(1)).map(recorded).collect();
            journal.iter().for_each(|row| table.fold(&row.entry).expect("an entry folds"));
            let (view, mut sealed) = (table.view(), BTreeMap::new());
            for (id, _) in view.seals() {
                let secret = store.get_secret(room.id, &id).await.expect("secrets can be read");
                sealed.insert(id, secret.map(|secret| Opened { salt: secret.salt, bytes: secret.bytes }));
            }
            rooms.push(Self { now: view.at(), table, journal, sealed, said: Vec::new() });
        }
        rooms
    }

    fn does(&mut self, deed: Deed) -> Result<(), Refusal> {
        let opens = self.table.view().opens(&deed);
        let opened = opens.into_iter().map(|id| (id.clone(), self.sealed.get(&id).cloned().flatten())).collect();
        let step = self.table.decide(deed, &Context { opened, ..Context::bare(self.now) })?;
        self.said.extend(step.says.iter().map(|say| plain(&say.document)));
        if let Some(entry) = step.entry {
            self.journal.push(recorded(entry, step.act, &self.sealed));
            self.table = step.after;
        }
        for seal in step.seals {
            self.sealed.insert(seal.id, seal.bytes.map(|bytes| Opened { salt: seal.salt.to_vec(), bytes }));
        }
        Ok(())
    }

    fn moderates(&mut self, act: Moderation) -> Result<(), Refusal> {
        self.does(Deed::Moderate { by: Doer::default(), act })
    }

    /// Changes a rule as if it had always been done so: by nobody's act, with nothing that follows.
    fn strikes(&mut self, op: RuleOp) {
        let last: Entry = serde_json::from_str(&self.journal.last().expect("it is open").entry).expect("an entry");
        let cause = Cause::Moderator { by: "nobody".into(), act: "blow".to_owned(), reason: None, about: None };
        let changes = vec![Change::Rule(op)];
        let entry = Entry { seq: last.seq + 1, cause, changes, draws: Vec::new(), says: Vec::new(), ..last };
        let entry = serde_json::to_string(&entry).expect("an entry is JSON");
        self.table.fold(&entry).expect("it folds");
        self.journal.push(recorded(entry, None, &self.sealed));
    }

    /// Lets every deadline pass.
    fn passes(&mut self, days: i64) {
        let until = days_after(self.now, days);
        for _ in 0..PASSING_MAX_ENTRIES {
            let Some(due) = self.table.view().next_due().filter(|due| due.at <= until) else {
                self.now = until;
                return;
            };
            self.now = self.now.max(due.at);
            let before = self.table.view().seq();
            self.does(Deed::Due(due.clone())).expect("what is due is never refused");
            assert!(self.table.view().seq() > before, "{} makes no entry", due.key);
        }
        panic!("the clock does not go on from {}", self.now);
    }

    /// All that people did is tried once more.
    fn tries(&mut self) {
        for row in self.journal.clone() {
            let Some(Json::Object(act)) = row.act.map(|act| serde_json::from_str(&act).expect("an act is JSON")) else {
                continue;
            };
            let entry: Entry = serde_json::from_str(&row.entry).expect("an entry can be read");
            let Some(act) = act.get("what").and_then(|what| what.get("act")) else { continue };
            let view = self.table.view();
            let Some(seat) = entry.cause.actor().and_then(|actor| view.frame().seats.get(actor)) else { continue };
            let by = Doer { person: seat.person.clone(), name: seat.name.clone() };
            let (public, forum) =
                (act["public"].as_bool().unwrap_or_default(), act.get("forum").and_then(Json::as_str));
            let _is_refused_or_not = self.does(acts(by, act["invocation"].clone(), public, forum.map(Id::from)));
        }
    }

    /// Takes an entry back.
    fn undoes(&mut self, seq: u64) -> Result<(), Refusal> {
        let mut from = seq;
        let replayed = loop {
            let (before, past) = self.journal.split_at(usize::try_from(from).expect("it fits") - 1);
            let mut table = self.table.fresh();
            before.iter().for_each(|row| table.fold(&row.entry).expect("an entry folds"));
            let stop = Default::default();
            let bench = Bench { open: &|_| None, cache: &(), stop: &stop, progress: &|_, _| {} };
            match table.replay(seq, past, &Context::bare(self.now), &bench)? {
                Replay::From(earlier) => from = earlier,
                Replay::Done(replayed) => break replayed,
            }
        };
        self.moderates(Moderation::Undo { replayed, reason: "a test".to_owned(), sure: true })
    }
}

/// An entry with what it was decided from.
fn recorded(entry: String, act: Option<String>, sealed: &BTreeMap<Id, Option<Opened>>) -> Recorded {
    let opens = act.as_deref().map(Recorded::opens).unwrap_or_default();
    let opened = opens.into_iter().map(|id| (id.clone(), sealed.get(&id).cloned().flatten())).collect();
    Recorded { entry, act, opened }
}

/// An act of somebody.
fn acts(by: Doer, invocation: Json, public: bool, forum: Option<Id>) -> Deed {
    let command = "again".to_owned();
    Deed::Act { by, command, invocation, public, private: false, forum, followed: false }
}

/// Every figure unbound, as words and as other numbers, every rule repealed, and every kind of things destroyed, emptied
/// and set.
fn blows(room: &Room) -> Vec<Blow> {
    let view = room.table.view();
    let rules = view.rules();
    let figures = view.keys();
    let figures = figures.iter().flat_map(|key| {
        let held = rules.holders(key.key).next();
        let unbound = held.and_then(|rule| amend::unbind(rule, key.key).ok()).map(|edit| edit.op);
        let set = ["0", "1", GREAT].map(|to| (to, amend::set_figure(rules, key, to).ok().map(|edit| edit.op)));
        let all = [("unbound", unbound), ("in words", in_words(rules, key.key))].into_iter().chain(set);
        all.filter_map(|(how, op)| Some((format!("{} {how}", key.key), op?))).collect::<Vec<_>>()
    });
    let repealed = rules
        .rules()
        .into_iter()
        .map(|rule| (format!("{} repealed", rule.label()), RuleOp::new(rule.id().clone(), RuleAct::Repeal)));
    let of_rules = figures.chain(repealed).map(|(what, op)| Blow { what, op, act: None });
    let of_things = view.world().kinds().into_iter().flat_map(|kind| {
        let attrs: Vec<Id> = view.world().defs_for(&kind).map(|def| def.id.clone()).collect();
        let set = attrs.iter().flat_map(|attr| ["()", "0", GREAT].map(|to| format!("it[\"{attr}\"] = {to}")));
        set.chain(["destroy(it)".to_owned()]).map(|does| to_all(&kind, &does)).collect::<Vec<_>>()
    });
    of_rules.chain(of_things).collect()
}

/// A rule by which somebody does something to all things of a kind, as far as that can be done.
fn to_all(kind: &str, does: &str) -> Blow {
    let law = format!("action(\"strike\", [], |a| for it in all(\"{kind}\") {{ attempt(|| {{ {does}; }}); }});");
    let rule = format!("---\nnumber: 999\ntitle: Strike\n---\nIt strikes.\n\n```law\n{law}\n```\n");
    let op = RuleSource::parse("strike", &rule).expect("it is a rule").enact("");
    let act = json!({ "law": { "act": "strike", "args": {} } });
    Blow { what: format!("{does} for every {kind}"), op, act: Some(act) }
}

/// What makes words of a figure that stay marked for it.
fn in_words(rules: &Rulebook, key: &str) -> Option<RuleOp> {
    let (rule, span) = rules.places(key).next()?;
    let source = &*rule.revisions().last()?.source;
    let old = format!("[{}](#{key}", rule.text().shown(span));
    let splice = Splice { at: source.find(&old)?, new: format!("[as many as seem right](#{key}"), old };
    Some(RuleOp::new(rule.id().clone(), RuleAct::Amend { from: rule.revision(), splice }))
}

/// Strikes a room, and sees that nothing stops it; whether somebody struck its things.
fn goes_on(mut room: Room, Blow { what, op, act }: Blow) -> bool {
    let rule = op.rule.clone();
    let revision = room.table.view().rules().get(&rule).map(Rule::revision);
    room.strikes(op);
    let seq = room.table.view().seq();
    let seats = room.table.view().frame().seats.clone();
    let mut of_things = false;
    if let Some(invocation) = act {
        // The law of the rule begins with the next entry.
        room.passes(1);
        of_things = seats.values().any(|seat| {
            let by = Doer { person: seat.person.clone(), name: seat.name.clone() };
            room.does(acts(by, invocation.clone(), true, None)).is_ok()
        });
    }
    room.passes(PASSING_DAYS);
    room.tries();
    room.passes(1);
    let view = room.table.view();
    let aside = view.aside();
    let suspended = room.said.iter().find(|said| of_things && said.contains(" is suspended in this"));
    assert!(suspended.is_none(), "{what}: {suspended:?}");
    let is_known = |(_, _, why): &(String, Instant, String)| {
        why == "doing it comes to nothing, as where a rule or a figure that it needs is gone"
    };
    assert!(aside.iter().all(is_known), "{what}: {aside:?}");
    for display in view.displays().into_iter().filter_map(|cell| cell.shows) {
        let _is_refused_or_not = view.display(&display, &Viewer { now: room.now, ..Viewer::default() });
    }
    if view.frame().closed {
        return of_things;
    }
    if let Some(revision) = revision {
        let (path, to, reason) = (format!("rule/{rule}"), format!("revision {revision}"), "a test".to_owned());
        // Somebody may have put it back meanwhile.
        let _is_refused_or_not = room.moderates(Moderation::Correct { path, to, reason });
        let back = room.table.view();
        assert!(back.rules().in_force(&rule).is_some_and(|rule| rule.reads_as(revision)), "{what} is put back");
    }
    room.undoes(seq).unwrap_or_else(|why| panic!("{what} is taken back: {}", why.say));
    room.passes(1);
    of_things
}

#[test]
fn nothing_stops_a_room_whatever_becomes_of_its_rules_and_things() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (mut count, mut of_things) = (0, 0);
    for game in games::NAMES {
        for (number, path) in rehearsals(game).iter().enumerate().step_by(sampled(REHEARSALS_PER_STRUCK)) {
            let script = Script::load(path).unwrap_or_else(|why| panic!("{why}"));
            let which = (0..BLOWS_PER_REHEARSAL).map(|blow| (number * BLOWS_PER_REHEARSAL + blow) * STRIDE);
            let rooms = runtime.block_on(Room::each_of(&script, which.clone().map(|which| 300 + which % 700)));
            for (room, which) in rooms.into_iter().zip(which) {
                let mut all = blows(&room);
                let mut struck = all.swap_remove(which % all.len());
                struck.what = format!("{} after {} entries: {}", script.name, room.journal.len(), struck.what);
                of_things += usize::from(goes_on(room, struck));
                count += 1;
            }
        }
    }
    assert!(count >= 40 && of_things >= 10, "only {count}, {of_things} of them of things");
}
