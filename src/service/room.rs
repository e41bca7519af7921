//! One running game: its engine, and the way of every deed through it.
//!
//! A room does one thing at a time. A deed is decided on the state in memory, committed with its announcements and
//! secrets in one transaction, and only then taken over. Where another process appended meanwhile, the room reads its
//! entries and decides again. Before a deed comes here, it is settled what the line means and who may say it.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

// What measures how long things take for the log; nothing of a game depends on it.
use tokio::time::Instant as Stopwatch;

use super::{
    bot_names::Called,
    deciding::{Spent, decide},
    deed::{NotDone, Origin, Outcome},
    fault::Fault,
    journal::{kept, play_again, read_on, read_table},
    letters::{self, Letters},
    sealed,
};
use kernel::{
    Id, Instant, Refusal, Seq,
    deed::Deed,
    dice::Seed,
    display::Document,
    draft::{Opened, Supposed},
    engine::{Context, Recorded, Step, Table, View},
    entry::Cause,
};
use port::{Account, clock::Clock, entropy::Entropy};
use store::{self, Commit, NewEntry, NewRoom, RoomId, Said, Salts, Sealer, Secret, SecretOp, Store, StoreError};

/// How many entries one transaction holds at the most while a room catches up. A crash costs at most this much work,
/// and readers see progress.
pub const CATCH_UP_MAX_ENTRIES: usize = 64;

/// How often a deed is decided anew because another process appended first, before it is a fault. Whoever lost reads
/// before it tries again, so it loses more often than it wins against one that never rests: few tries would not do.
const CONFLICT_RETRIES: usize = 50;

/// A snapshot is kept every so many entries: reading a room then folds at most this many.
pub const SNAPSHOT_EVERY_ENTRIES: Seq = 128;

/// What a room works with.
#[derive(Clone)]
pub struct Parts {
    /// Where its journal is.
    pub store: Store,
    /// The one clock.
    pub clock: Clock,
    /// The one source of chance.
    pub entropy: Entropy,
    /// Accounts that moderate every room because a configuration lists them.
    pub listed: Arc<[Account]>,
    /// What the bot is called.
    pub(super) called: Arc<Called>,
}

/// One running game.
pub struct Room {
    row: store::Room,
    table: Box<dyn Table>,
    seed: Seed,
    store: Store,
    clock: Clock,
    entropy: Entropy,
    listed: Arc<[Account]>,
    called: Arc<Called>,
    fixed: VecDeque<(String, u64)>,
}

impl Room {
    /// Reads a room from the store: its last usable snapshot, and the entries since.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails or the journal cannot be read.
    pub async fn load(
        row: store::Room,
        unopened: Box<dyn Table>,
        Parts { store, clock, entropy, listed, called }: Parts,
    ) -> Result<Self, Fault> {
        let table = read_table(&store, row.id, unopened, None).await?;
        let epoch = table.view().frame().dice.epoch.max(1);
        let seed = read_seed(&store, row.id, epoch).await?;
        Ok(Self { row, table, seed, store, clock, entropy, listed, called, fixed: VecDeque::new() })
    }

    /// Opens a new room by its first deed.
    ///
    /// # Errors
    ///
    /// [`NotDone`]; then there is no such room.
    pub async fn create(
        new: NewRoom,
        unopened: &dyn Table,
        deed: Deed,
        origin: Origin,
        Parts { store, clock, entropy, listed, called }: Parts,
    ) -> Result<(Self, Document), NotDone> {
        let began = Stopwatch::now();
        let seed = Seed(entropy.bytes());
        let now = clock.now();
        let context = Context {
            now,
            seed: seed.clone(),
            fresh: Seed(entropy.bytes()),
            salt: entropy.bytes(),
            opened: BTreeMap::new(),
            would_be: Vec::new(),
            fixed: VecDeque::new(),
        };
        let mut steps = vec![unopened.decide(deed, &context)?];
        let mut commit = prepare((&store, &listed), None, &mut steps, Some(&origin), now).await?;
        salt(&mut commit, &entropy);
        commit.secrets.push(put_seed(1, &seed));
        let name = new.name.clone();
        let id = match store.create_room(new, commit).await {
            Err(StoreError::NameTaken { name }) => {
                return Err(Refusal::new(format!("there is a room called {name} already")).instead("room list").into());
            }
            created => created?,
        };
        let row =
            store.room(id).await?.ok_or_else(|| Fault::new("a room that was made is there")).map_err(NotDone::Broke)?;
        steps.iter().for_each(|step| log(&name, step, Some(&origin), began));
        let step = steps.pop().ok_or_else(|| NotDone::Broke(Fault::new("opening makes an entry")))?;
        let room = Self { row, table: step.after, seed, store, clock, entropy, listed, called, fixed: VecDeque::new() };
        Ok((room, step.reply))
    }

    /// What the store knows of it.
    pub fn row(&self) -> &store::Room {
        &self.row
    }

    /// The state as it is now; cheap, and unmoved by what happens afterwards.
    pub fn view(&self) -> Arc<dyn View> {
        self.table.view()
    }

    /// Fixes numbers that its dice will show, by label, in the place of those fixed before: rehearsals only.
    pub fn fix_dice(&mut self, numbers: impl IntoIterator<Item = (String, u64)>) {
        self.fixed = numbers.into_iter().collect();
    }

    /// Decides a deed and commits it.
    ///
    /// # Errors
    ///
    /// [`NotDone`]; then nothing happened.
    pub async fn perform(
        &mut self,
        mut deed: impl FnMut(&dyn View) -> Result<Deed, Refusal> + Send,
        origin: Origin,
    ) -> Result<Outcome, NotDone> {
        let began = Stopwatch::now();
        for _ in 0..CONFLICT_RETRIES {
            let now = self.clock.now();
            let before = self.table.view();
            let context = self.context(now);
            let decided = match deed(&*before) {
                Ok(deed) => {
                    let opened = self.open(before.opens(&deed)).await.map_err(NotDone::Broke)?;
                    let would_be = self.suppose(&before.supposes(&deed)).await?;
                    let context = Context { opened, would_be, ..context };
                    self.judge(deed, &*before, &context, &origin.spent)
                }
                Err(refusal) => Err(refusal),
            };
            let step = match decided {
                Ok(step) => step,
                Err(refusal) => match self.still_refused(refusal, &origin).await? {
                    Some(refusal) => return Err(refusal.into()),
                    None => continue,
                },
            };
            let before = self.table.view();
            let (store, room) = (&self.store, self.row.id);
            if let Some(refusal) = sealed::publishes_anothers(store, room, &*before, &step, origin.person).await? {
                return Err(refusal.into());
            }
            let reply = step.reply.clone();
            if step.entry.is_none() {
                return Ok(Outcome { seq: None, reply, announced: BTreeSet::new() });
            }
            let (seq, announced) = (step.seq, letters::forums(&step));
            match self.commit(vec![step], Some(&origin), now, began).await {
                Ok(()) => return Ok(Outcome { seq: Some(seq), reply, announced }),
                Err(StoreError::Conflict { .. }) => self.reload().await.map_err(NotDone::Broke)?,
                Err(StoreError::DuplicateOrigin { .. }) => return Err(NotDone::HeardBefore),
                Err(error) => return Err(error.into()),
            }
        }
        Err(NotDone::Broke(Fault::new("other processes kept appending to this room")))
    }

    /// Decides a deed; what somebody does may not name somebody as the bot is called.
    fn judge(&self, deed: Deed, before: &dyn View, context: &Context, spent: &Spent) -> Result<Step, Refusal> {
        let line = if let Deed::Act { command, .. } = &deed { Some(command.clone()) } else { None };
        let step = decide(&*self.table, deed, context, spent)?;
        line.map_or(Ok(()), |line| self.called.check(before, &*step.after.view(), &line))?;
        Ok(step)
    }

    /// How the room would be, had something been otherwise; what needs too many entries for that is left out.
    async fn suppose(&self, wanted: &[Supposed]) -> Result<Vec<Arc<dyn Any + Send + Sync>>, NotDone> {
        let mut would_be = Vec::new();
        for of in wanted.iter().copied() {
            // What dice would show there nobody can know.
            let context = self.dice_context(false);
            let play = move |table: &dyn Table, past: &[Recorded]| Ok(table.suppose(of, past, &context)?);
            let view = self.view();
            match play_again(&self.store, self.row.id, &*view, (of.entry, view.seq()), play).await {
                Ok(known) => would_be.push(known),
                Err(NotDone::Refused(_)) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(would_be)
    }

    /// What a deed would be answered now, or why it would be refused. Nothing happens, and its dice are thrown away.
    pub(super) fn would(&self, deed: Deed) -> Result<Document, Refusal> {
        decide(&*self.table, deed, &self.dice_context(false), &Spent::default()).map(|step| step.reply)
    }

    /// What a decision needs from outside, with the room's own dice or some that are thrown away.
    pub(super) fn dice_context(&self, earnest: bool) -> Context {
        let now = self.clock.now();
        if earnest { self.context(now) } else { Context::bare(now) }
    }

    /// Looks twice at a refusal. The same line may have acted before, and then it is no refusal that its speaker is to
    /// read. And another process may have changed what it was decided on, and then it is decided again (nothing).
    async fn still_refused(&mut self, refusal: Refusal, origin: &Origin) -> Result<Option<Refusal>, NotDone> {
        if let Some(id) = &origin.id
            && self.store.entry_of_origin(self.row.id, id).await?.is_some()
        {
            return Err(NotDone::HeardBefore);
        }
        let last = self.store.room(self.row.id).await?.map_or(0, |row| row.last_seq);
        if last <= self.table.view().seq() {
            return Ok(Some(refusal));
        }
        self.reload().await.map_err(NotDone::Broke)?;
        Ok(None)
    }

    /// Runs what is due by now, one entry an instant, each with its own time; how many there were. Not more than
    /// [`CATCH_UP_MAX_ENTRIES`] at a time: call again until it says 0.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails; then none of these happened.
    pub async fn run_due(&mut self) -> Result<usize, Fault> {
        let began = Stopwatch::now();
        for _ in 0..CONFLICT_RETRIES {
            let now = self.clock.now();
            let mut steps: Vec<Step> = Vec::new();
            let mut said = 0;
            while steps.len() < CATCH_UP_MAX_ENTRIES && said < letters::APART_MAX_LETTERS {
                let table: &dyn Table = steps.last().map_or(&*self.table, |step| &*step.after);
                let view = table.view();
                let Some(due) = view.next_due().filter(|due| due.at <= view.time(now)) else { break };
                let deed = Deed::Due(due);
                let opens = view.opens(&deed);
                let supposed = view.supposes(&deed);
                if !supposed.is_empty() && !steps.is_empty() {
                    // The journal has to hold what came before.
                    break;
                }
                let mut context = self.context(now);
                if let Some(last) = steps.last() {
                    context.fixed.clone_from(&last.fixed);
                    if let Some(seed) = steps.iter().rev().find_map(|step| step.reseeded.clone()) {
                        context.seed = seed;
                    }
                }
                context.opened = self.open(opens).await?;
                context.would_be = match self.suppose(&supposed).await {
                    Err(NotDone::Broke(why)) => return Err(why),
                    known => known.unwrap_or_default(),
                };
                let step = decide(table, deed, &context, &Spent::default())
                    .map_err(|why| Fault::new(format!("what is due is done or set aside, and never refused: {why}")))?;
                said += letters::count(&step);
                steps.push(step);
            }
            let count = steps.len();
            if count == 0 {
                return Ok(0);
            }
            match self.commit(steps, None, now, began).await {
                Ok(()) => return Ok(count),
                Err(StoreError::Conflict { .. }) => self.reload().await?,
                Err(error) => return Err(error.into()),
            }
        }
        Err(Fault::new("other processes kept appending to this room"))
    }

    /// The state as it was after an entry.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails or the journal cannot be read.
    pub async fn as_of(&self, seq: Seq) -> Result<Arc<dyn View>, Fault> {
        if seq >= self.table.view().seq() {
            return Ok(self.view());
        }
        Ok(read_table(&self.store, self.row.id, self.table.fresh(), Some(seq)).await?.view())
    }

    /// Reads what another process appended.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where the store fails or the journal cannot be read.
    pub async fn reload(&mut self) -> Result<(), Fault> {
        let epoch = self.table.view().frame().dice.epoch;
        if let Err(fault) = read_on(&self.store, self.row.id, &mut *self.table, Seq::MAX).await {
            // As far as it was read it stands, and somebody who has it anew finds what is wrong, if anything is.
            tracing::warn!(room = %self.row.name, %fault, "what another process appended cannot be read on; read anew");
            self.table = read_table(&self.store, self.row.id, self.table.fresh(), None).await?;
        }
        let now = self.table.view().frame().dice.epoch;
        if now != epoch {
            self.seed = read_seed(&self.store, self.row.id, now.max(1)).await?;
        }
        Ok(())
    }

    /// Opens sealed things; nothing stands for what is not kept any more.
    async fn open(&self, ids: Vec<Id>) -> Result<BTreeMap<Id, Option<Opened>>, Fault> {
        let mut opened = BTreeMap::new();
        for id in ids {
            let secret = kept(&self.store, self.row.id, &id).await?;
            opened.insert(id, secret);
        }
        Ok(opened)
    }

    fn context(&self, now: Instant) -> Context {
        Context {
            now,
            seed: self.seed.clone(),
            fresh: Seed(self.entropy.bytes()),
            salt: self.entropy.bytes(),
            opened: BTreeMap::new(),
            would_be: Vec::new(),
            fixed: self.fixed.clone(),
        }
    }

    async fn commit(
        &mut self,
        mut steps: Vec<Step>,
        origin: Option<&Origin>,
        now: Instant,
        began: Stopwatch,
    ) -> Result<(), StoreError> {
        let mut commit = prepare((&self.store, &self.listed), Some(self.row.id), &mut steps, origin, now).await?;
        salt(&mut commit, &self.entropy);
        self.store.commit(self.row.id, commit).await?;
        for step in steps {
            log(&self.row.name, &step, origin, began);
            self.fixed.clone_from(&step.fixed);
            if let Some(seed) = step.reseeded.clone() {
                self.seed = seed;
            }
            self.table = step.after;
        }
        Ok(())
    }
}

/// Writes a line about an entry for the operator: deciding it and taking it to the disk took so long, in milliseconds.
/// It holds no text that anybody typed.
fn log(room: &str, step: &Step, origin: Option<&Origin>, began: Stopwatch) {
    let actor = step.cause.actor().map(|actor| &**actor);
    let origin = origin.filter(|_| is_act(&step.cause)).and_then(|origin| origin.id.as_deref());
    let duration_ms = (began.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(room, seq = step.seq, actor, cause = %step.cause.label(), origin, duration_ms, "entry");
}

/// All that steps do to the store, as one transaction; their secrets move into it.
async fn prepare(
    (store, listed): (&Store, &[Account]),
    room: Option<RoomId>,
    steps: &mut [Step],
    origin: Option<&Origin>,
    now: Instant,
) -> Result<Commit, StoreError> {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Ok(Commit::default()) };
    let (expected, last_seq) = (first.seq - 1, last.seq);
    let after = last.after.view();
    let due_for_snapshot = last_seq / SNAPSHOT_EVERY_ENTRIES > expected / SNAPSHOT_EVERY_ENTRIES;
    let snapshot = due_for_snapshot.then(|| store::Snapshot { seq: last_seq, body: last.after.snapshot() });
    let mut letters = Letters::new((store, listed), room, &*after, now);
    let mut entries = Vec::with_capacity(steps.len());
    let mut secrets = Vec::new();
    for step in steps {
        let sealer = Sealer {
            person: origin.and_then(|origin| origin.person),
            seat: step.cause.actor().map(ToString::to_string),
        };
        for sealed in step.seals.drain(..) {
            letters.overhear(&sealed, &sealer);
            let id = sealed.id.to_string();
            secrets.push(match sealed.bytes {
                Some(bytes) => {
                    let secret = Secret { salt: sealed.salt.to_vec(), bytes };
                    SecretOp::Put { id, secret, sealer: sealer.clone() }
                }
                None => SecretOp::Delete { id },
            });
        }
        if let Some(seed) = &step.reseeded {
            secrets.push(put_seed(step.after.view().frame().dice.epoch, seed));
        }
        entries.push(journalled(step, origin, now));
        letters.write(step).await?;
    }
    Ok(Commit {
        expected_seq: expected,
        entries,
        outbox: letters.finish(),
        secrets,
        snapshot,
        next_due: after.next_due().map(|due| due.at.as_microsecond()),
        config: None,
        close: None,
    })
}

/// Whether somebody did it.
fn is_act(cause: &Cause) -> bool {
    matches!(cause, Cause::Action { .. } | Cause::Moderator { .. })
}

/// A step as it is journalled. Only what somebody did has an origin and words.
pub(super) fn journalled(step: &Step, origin: Option<&Origin>, now: Instant) -> NewEntry {
    let origin = origin.filter(|_| is_act(&step.cause));
    NewEntry {
        seq: step.seq,
        at: step.at.as_microsecond(),
        recorded: now.as_microsecond(),
        origin: origin.and_then(|origin| origin.id.clone()),
        cause: step.cause.label(),
        actor: step.cause.actor().map(ToString::to_string),
        json: step.entry.clone().unwrap_or_default(),
        said: origin.and_then(|origin| origin.said.clone().map(|text| Said { person: origin.person, text })),
        act: step.act.clone(),
        salts: Salts::default(),
    }
}

/// Salts the hashes of the entries of a commit.
fn salt(commit: &mut Commit, entropy: &Entropy) {
    commit.entries.iter_mut().for_each(|entry| entry.salts = salts(entropy));
}

/// Salts for an entry.
pub(super) fn salts(entropy: &Entropy) -> Salts {
    Salts { entry: entropy.salt("entry"), said: entropy.salt("said"), elsewhere: None }
}

/// Keeps a seed, which is nobody's.
pub(super) fn put_seed(epoch: u32, seed: &Seed) -> SecretOp {
    let secret = Secret { salt: Vec::new(), bytes: seed.0.to_vec() };
    SecretOp::Put { id: seed_id(epoch), secret, sealer: Sealer::default() }
}

/// The id of a seed among the secrets of its room.
pub(super) fn seed_id(epoch: u32) -> String {
    format!("dice/{epoch}")
}

async fn read_seed(store: &Store, room: RoomId, epoch: u32) -> Result<Seed, Fault> {
    let secret = store.get_secret(room, &seed_id(epoch)).await?;
    let bytes = secret.and_then(|secret| <[u8; 32]>::try_from(&secret.bytes[..]).ok());
    bytes.map(Seed).ok_or_else(|| Fault::new(format!("the seed of epoch {epoch} of room {room} is missing")))
}
