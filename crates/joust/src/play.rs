//! Plays the matches that a challenge or a test asks for, away from the room.
//!
//! A charge is decided by both codes, the length and the figures alone. So every outcome is kept and no pair is played
//! twice for one length: a newcomer costs ten pairs, not fifty-five (seed 000, J58). This is the only file of the game
//! that sees program text, and nothing that it hands back holds any. The caller chooses the matches and reads their
//! outcomes.

use std::collections::{BTreeMap, BTreeSet};

use bfjoust::{Cause, Charge, Program, Reason, Rules, Setup, Side, cause_cancellable, play_cancellable};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::tournament::{Notation, Play};
use kernel::{
    Id,
    work::{Bench, Work},
};

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    /// The length of each charge, in order; the same for every match.
    pub(super) lengths: Vec<usize>,
    /// The figures to play by.
    pub(super) play: Play,
    /// The matches, in order.
    pub(super) bouts: Vec<Bout>,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bout {
    /// Under which id the one program is sealed.
    pub(super) left: Id,
    /// Under which id the other is.
    pub(super) right: Id,
    /// Whose `+` and `-` are exchanged where each length is fought twice: the left program's; else the right one's (J49).
    pub(super) exchanges_left: bool,
    /// How much of it is handed back.
    pub(super) tell: Tell,
}

/// How much of a match is handed back: cycles and causes tell much about a code (J35).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tell {
    /// The winner of each charge.
    Winners,
    /// Winner, cause and cycles of each charge.
    All,
    /// Nothing of its own: it adds to one total for all matches told so.
    Total,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Played {
    /// Everything was played; the matches in the order of the job.
    Matches {
        /// What each match hands back.
        matches: Vec<Told>,
        /// The charges won by the left programs of all matches that only add to a total.
        won: usize,
    },
    /// The texts of these programs are gone.
    Missing(Vec<Id>),
    /// These texts are no programs in the notation to play by.
    Unreadable(Vec<Id>),
}

/// What a match hands back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Told {
    /// The winner of each charge: [`LEFT`], [`RIGHT`] or [`NOBODY`]; empty where only a total is told.
    pub(super) winners: String,
    /// Cause and cycles of each charge, where all is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) details: Vec<(String, u64)>,
}

/// The left program won the charge.
pub(super) const LEFT: char = '<';
/// The right program won the charge.
pub(super) const RIGHT: char = '>';
/// Both lost the charge.
pub(super) const NOBODY: char = '=';

/// Touches of both programs of a match, from the winners of its charges (J73).
pub(super) fn touches(winners: &str, play: &Play) -> (i64, i64) {
    winners.chars().fold((0, 0), |(left, right), winner| match winner {
        LEFT => (left + play.win, right + play.loss),
        RIGHT => (left + play.loss, right + play.win),
        _ => (left + play.tie, right + play.tie),
    })
}

/// The figures as the machine takes them; lengths are handed to it charge by charge.
pub(super) fn rules(play: &Play) -> Rules {
    let mut rules = Rules::agora();
    rules.flag = play.flag;
    rules.background = play.background;
    rules.cycle_limit = play.cycle_limit;
    rules.flag_cycles = play.flag_cycles;
    rules.both_polarities = play.polarities > 1;
    rules.notation = play.notation.engine();
    rules
}

/// Plays a job; `None` when it was told to stop, or the task is none.
pub(super) fn play(work: &Work, bench: &Bench<'_>) -> Option<Json> {
    let job: Job = serde_json::from_value(work.task.clone()).ok()?;
    let ids: BTreeSet<&Id> = job.bouts.iter().flat_map(|bout| [&bout.left, &bout.right]).collect();
    let codes = match Codes::open(ids, &job.play, bench) {
        Ok(codes) => codes,
        Err(lacking) => return serde_json::to_value(Played::from(lacking)).ok(),
    };
    let distinct: BTreeSet<usize> = job.lengths.iter().copied().collect();
    let (mut matches, mut total) = (Vec::with_capacity(job.bouts.len()), 0);
    for (done, bout) in job.bouts.iter().enumerate() {
        (bench.progress)(done, job.bouts.len());
        let outcomes = codes.bout(bout, &distinct, &job.play, bench)?;
        let played = charges(&job.lengths, &job.play);
        let charges: Vec<Charge> = played.filter_map(|setup| outcomes.get(&setup).copied()).collect();
        let causes = match bout.tell {
            Tell::All => codes.causes(bout, &outcomes, &job.play, bench)?,
            Tell::Winners | Tell::Total => BTreeMap::new(),
        };
        let played = self::charges(&job.lengths, &job.play);
        let causes = played.filter_map(|setup| causes.get(&setup).copied()).collect();
        let (told, won) = tell(&charges, causes, bout.tell);
        total += won;
        matches.push(told);
    }
    (bench.progress)(job.bouts.len(), job.bouts.len());
    serde_json::to_value(Played::Matches { matches, won: total }).ok()
}

/// What of a match is handed back, and what it adds to the total.
fn tell(charges: &[Charge], causes: Vec<Cause>, tell: Tell) -> (Told, usize) {
    if tell == Tell::Total {
        let won = charges.iter().filter(|charge| charge.winner == Some(Side::Left)).count();
        return (Told::default(), won);
    }
    let winner = |charge: &Charge| match charge.winner {
        Some(Side::Left) => LEFT,
        Some(Side::Right) => RIGHT,
        None => NOBODY,
    };
    let winners = charges.iter().map(winner).collect();
    let details = causes.iter().map(Cause::to_string).zip(charges.iter().map(|charge| charge.cycles)).collect();
    (Told { winners, details }, 0)
}

/// What each charge of a match is played on, in the order in which they are told.
pub(super) fn charges(lengths: &[usize], play: &Play) -> impl Iterator<Item = Setup> {
    lengths.iter().flat_map(|length| setups(*length, play))
}

/// How a length is played: as written, and where the contract wants it a second time with one side exchanged.
pub(super) fn setups(length: usize, play: &Play) -> impl Iterator<Item = Setup> + use<> {
    let both = rules(play).both_polarities;
    [false, true].into_iter().take(if both { 2 } else { 1 }).map(move |swapped| Setup { length, swapped })
}

/// The programs of a job, parsed, each with the hash that outcomes are kept under.
pub(super) struct Codes(BTreeMap<Id, (Program, String)>);

/// Why programs cannot be played.
pub(super) enum Lacking {
    /// Their texts are gone.
    Texts(Vec<Id>),
    /// Their texts are no programs in the notation to play by.
    Programs(Vec<Id>),
}

impl From<Lacking> for Played {
    fn from(lacking: Lacking) -> Self {
        match lacking {
            Lacking::Texts(ids) => Played::Missing(ids),
            Lacking::Programs(ids) => Played::Unreadable(ids),
        }
    }
}

/// A text, where it is there.
fn text(id: &Id, bench: &Bench<'_>) -> Option<String> {
    String::from_utf8((bench.open)(id)?.to_vec()).ok()
}

impl Codes {
    /// Those of some texts that are no programs in a notation. One that is gone is not known to be none.
    pub(super) fn unreadable(ids: &[Id], notation: Notation, bench: &Bench<'_>) -> Vec<Id> {
        let is_none = |text: String| Program::parse_as(&text, notation.engine()).is_err();
        ids.iter().filter(|id| text(id, bench).is_some_and(is_none)).cloned().collect()
    }

    /// Opens and parses what is needed; else what is lacking.
    pub(super) fn open<'a>(
        ids: impl IntoIterator<Item = &'a Id>,
        play: &Play,
        bench: &Bench<'_>,
    ) -> Result<Self, Lacking> {
        let notation = play.notation.engine();
        let (mut codes, mut missing, mut unreadable) = (BTreeMap::new(), Vec::new(), Vec::new());
        for id in ids {
            match text(id, bench).map(|text| Program::parse_as(&text, notation)) {
                Some(Ok(program)) => {
                    // The hash of the commands alone: comments do not change how a program plays.
                    let hash = hex::encode(Sha256::digest(program.code()));
                    codes.insert(id.clone(), (program, hash));
                }
                Some(Err(_)) => unreadable.push(id.clone()),
                None => missing.push(id.clone()),
            }
        }
        match (missing.is_empty(), unreadable.is_empty()) {
            (false, _) => Err(Lacking::Texts(missing)),
            (true, false) => Err(Lacking::Programs(unreadable)),
            (true, true) => Ok(Self(codes)),
        }
    }

    /// Two programs.
    pub(super) fn both(&self, left: &Id, right: &Id) -> Option<(&Program, &Program)> {
        Some((&self.0.get(left)?.0, &self.0.get(right)?.0))
    }

    /// The outcome of a match for each length, played where it is not known yet, all such lengths at once; `None` when
    /// told to stop.
    pub(super) fn bout(
        &self,
        bout: &Bout,
        lengths: &BTreeSet<usize>,
        play: &Play,
        bench: &Bench<'_>,
    ) -> Option<BTreeMap<Setup, Charge>> {
        let (left, left_hash) = self.0.get(&bout.left)?;
        let (right, right_hash) = self.0.get(&bout.right)?;
        let rules = rules(play);
        // Exchanging the sides mirrors every outcome (J66), so one order is kept for both. Where + and - of one program are
        // exchanged too, that one is on the right.
        let mirrored = if rules.both_polarities { bout.exchanges_left } else { left_hash > right_hash };
        let (first, second) = if mirrored { (right, left) } else { (left, right) };
        let (first_hash, second_hash) = if mirrored { (right_hash, left_hash) } else { (left_hash, right_hash) };
        let key = format!("joust/{first_hash}/{second_hash}/{}", rules.play_key());
        let mut known = bench.cache.get(&key).and_then(|kept| unpack(&kept)).unwrap_or_default();
        let setups: BTreeSet<Setup> = lengths.iter().flat_map(|length| setups(*length, play)).collect();
        let wanted: Vec<Setup> = setups.iter().copied().filter(|setup| !known.contains_key(setup)).collect();
        if !wanted.is_empty() {
            let played = play_cancellable(first, second, &wanted, &rules, bench.stop)?;
            known.extend(wanted.into_iter().zip(played));
            bench.cache.put(&key, pack(&known));
        }
        known.retain(|setup, _| setups.contains(setup));
        if mirrored {
            known = known.into_iter().map(|(setup, charge)| (setup, charge.mirrored())).collect();
        }
        Some(known)
    }

    /// What each charge of a match was lost by, on the left program's side and the right one's. `None` when told to stop.
    pub(super) fn causes(
        &self,
        bout: &Bout,
        outcomes: &BTreeMap<Setup, Charge>,
        play: &Play,
        bench: &Bench<'_>,
    ) -> Option<BTreeMap<Setup, Cause>> {
        let (left, right) = self.both(&bout.left, &bout.right)?;
        let rules = rules(play);
        let cause = |setup: Setup, charge: &Charge| {
            let mirrored = setup.swapped && bout.exchanges_left;
            let (first, second) = if mirrored { (right, left) } else { (left, right) };
            let cause = cause_cancellable(first, second, setup, charge, &rules, bench.stop)?;
            Some((setup, if mirrored { cause.mirrored() } else { cause }))
        };
        outcomes.iter().map(|(setup, charge)| cause(*setup, charge)).collect()
    }
}

/// The version of what is kept; another is not read, and the pair is played again.
const KEPT_VERSION: u8 = 1;

/// Bytes of one kept outcome: length, winner and cause, cycles.
const KEPT_BYTES: usize = 4 + 1 + 8;

/// The bit of a kept outcome's kind that says that one side was exchanged.
const KEPT_SWAPPED: u8 = 0x80;

fn pack(outcomes: &BTreeMap<Setup, Charge>) -> Vec<u8> {
    let mut bytes = vec![KEPT_VERSION];
    for (setup, charge) in outcomes {
        let code = match (charge.winner, charge.reason) {
            (Some(Side::Left), Reason::Edge) => 0,
            (Some(Side::Left), _) => 1,
            (Some(Side::Right), Reason::Edge) => 2,
            (Some(Side::Right), _) => 3,
            (None, Reason::Cap) => 4,
            (None, _) => 5,
        };
        bytes.extend(u32::try_from(setup.length).unwrap_or(u32::MAX).to_le_bytes());
        bytes.push(code | if setup.swapped { KEPT_SWAPPED } else { 0 });
        bytes.extend(charge.cycles.to_le_bytes());
    }
    bytes
}

fn unpack(bytes: &[u8]) -> Option<BTreeMap<Setup, Charge>> {
    let (&version, kept) = bytes.split_first()?;
    if version != KEPT_VERSION || kept.len() % KEPT_BYTES != 0 {
        return None;
    }
    kept.chunks_exact(KEPT_BYTES)
        .map(|kept| {
            let (winner, reason) = match kept[4] & !KEPT_SWAPPED {
                0 => (Some(Side::Left), Reason::Edge),
                1 => (Some(Side::Left), Reason::Flag),
                2 => (Some(Side::Right), Reason::Edge),
                3 => (Some(Side::Right), Reason::Flag),
                4 => (None, Reason::Cap),
                5 => (None, Reason::Both),
                _ => return None,
            };
            let length = u32::from_le_bytes(kept[..4].try_into().ok()?);
            let cycles = u64::from_le_bytes(kept[5..].try_into().ok()?);
            let setup = Setup { length: usize::try_from(length).ok()?, swapped: kept[4] & KEPT_SWAPPED != 0 };
            Some((setup, Charge { winner, reason, cycles }))
        })
        .collect()
}
