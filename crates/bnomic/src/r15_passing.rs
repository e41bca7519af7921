//! Passing (4E15): how votes are read for the tally, and the effects of a Won proposal.
//!
//! Counting itself is pure and stands in `tally`. Its steps are kept, so that anybody can ask why a proposal went as it
//! did. Votes stand in `voting`, the order of events when voting ends in `voting_ends`, the meaning of directives in
//! `effects`.

pub(super) mod voting_ends;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    clock::hands,
    effects::carried_out,
    game::{BNomic, D},
    happenings,
    law::Thing,
    proposals::status::{self, Status},
    scoring::{Ended, Scores, score},
    society::players,
    stats::{BODY, CONFLICTS, DEPENDENCIES, STATUS, SUCCESS, called},
    tally::{Paper, Success, Target, Why},
    voting::{self, Word},
};
use kernel::{
    Display, Id, Mechanic, Num, Proposals, Refusal, State,
    directives::Post,
    display::{Block, Cell, Document, Offer, cells},
    table::Row,
};
use kit::effects as texts;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let results =
        Display::new("results", |state, asked| results(state, Some(asked.rest).filter(|nweek| !nweek.is_empty())));
    let dry_run = Display::of("dryrun", |state, asked| foreseen(state, asked.rest));
    Mechanic::new("passing")
        .by(Thing::Proposals.word())
        .table::<Record>()
        .display(results.fits(|parts| parts < 2))
        .display(dry_run.fits(|parts| parts == 1))
        .proposals(Proposals { waiting, passed: as_if_passed })
}

// ---- state

/// How the tally of one proposal went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Record {
    /// In which nweek.
    nweek: i64,
    /// Final votes FOR, AGAINST and SHELVE.
    votes: [u64; 3],
    /// A Quiggle at that time.
    quiggle: Num,
    /// What it became, step by step.
    steps: Vec<(u8, Success, Why)>,
    /// Whether it passed.
    passed: bool,
    /// What its directives came to, where they could not be done.
    failed: Option<String>,
    /// Whether the Chairman has carried out by hand what the program could not.
    by_hand: bool,
    /// Whose votes did not count then: they were no Registered Voters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    uncounted: Vec<Id>,
    /// What was scored for it, as it is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) scored: Vec<String>,
}

impl Row<BNomic> for Record {
    type Key = Id;
    const TABLE: &'static str = "tallies";

    fn told(id: &Id, was: Option<&Self>, is: Option<&Self>, state: &State<BNomic>) -> String {
        let label = status::label(state, id);
        let Some(is) = is else { return format!("{label} is not counted any more") };
        let counted = (was.map(|was| (was.nweek, was.votes)) != Some((is.nweek, is.votes))).then(|| {
            let [fors, against, shelved] = is.votes;
            format!("counted in nweek {}, FOR {fors}, AGAINST {against}, SHELVE {shelved}", is.nweek)
        });
        let passed = (was.is_some_and(|was| was.passed) != is.passed)
            .then(|| if is.passed { "it passes" } else { "it has not passed" }.to_owned());
        let failed = is.failed.as_ref().filter(|_| was.is_none_or(|was| was.failed != is.failed));
        let failed = failed.map(|why| format!("what it says could not be done: {why}"));
        let by_hand = (is.by_hand && was.is_none_or(|was| !was.by_hand)).then(|| "it is applied by hand".to_owned());
        let told: Vec<String> = [counted, passed, failed, by_hand].into_iter().flatten().collect();
        if told.is_empty() { String::new() } else { format!("{label}: {}", told.join("; ")) }
    }
}

impl Record {
    fn is_shelved(&self) -> bool {
        self.steps.iter().any(|(_, _, why)| matches!(why, Why::Shelved | Why::ShelvedAgain))
    }
}

/// The Final Votes on a proposal at one moment.
pub(super) struct Finals(Vec<(Id, Word)>);

impl Finals {
    pub(super) fn of(state: &State<BNomic>, proposal: &Id) -> Self {
        Self(voting::finals(state, proposal).into_iter().map(|(voter, word)| (voter.clone(), word)).collect())
    }

    fn count(&self, word: Word) -> u64 {
        self.0.iter().filter(|(_, said)| *said == word).count() as u64
    }
}

/// Whether somebody's vote on a proposal counts: as things are until it is counted, and as they were then afterwards.
pub(super) fn counts(state: &State<BNomic>, proposal: &Id, voter: &Id) -> bool {
    match state.rows::<Record>().get(proposal) {
        Some(record) => !record.uncounted.contains(voter),
        None => players::is_voter(state, voter),
    }
}

/// Whether a proposal passed.
pub(super) fn passed(state: &State<BNomic>, proposal: &Id) -> bool {
    state.rows::<Record>().get(proposal).is_some_and(|record| record.passed)
}

/// The proposals that passed and that nobody has applied by hand, by number.
pub(super) fn to_apply(state: &State<BNomic>) -> Vec<Id> {
    let passed = state.rows::<Record>().iter().filter(|(_, record)| record.passed && !record.by_hand);
    let mut found: Vec<Id> = passed.map(|(id, _)| id.clone()).collect();
    found.sort_by_key(|id| status::number(state, id));
    found
}

/// The proposals that were counted in an nweek, by number.
pub(super) fn counted_in(state: &State<BNomic>, nweek: i64) -> Vec<Id> {
    let counted = state.rows::<Record>().iter().filter(|(_, record)| record.nweek == nweek);
    let mut found: Vec<Id> = counted.map(|(id, _)| id.clone()).collect();
    found.sort_by_key(|id| status::number(state, id));
    found
}

/// Whether what a proposal says could not be done when it passed.
pub(super) fn failed(state: &State<BNomic>, proposal: &Id) -> bool {
    state.rows::<Record>().get(proposal).is_some_and(|record| record.failed.is_some())
}

/// How a Historical proposal ended, in a word (4E15).
pub(super) fn ending(state: &State<BNomic>, proposal: &Id) -> &'static str {
    match state.rows::<Record>().get(proposal) {
        None if status::success(state, proposal) == Success::Lost => "withdrawn",
        Some(record) if record.passed => "passed",
        _ if status::success(state, proposal) == Success::Discarded => "neither passed nor failed",
        _ => "failed",
    }
}

/// Notes that the Chairman carries out by hand what a proposal says (B15.10).
///
/// # Errors
///
/// A [`Refusal`] where that has been done.
pub(super) fn by_hand(d: &mut D<'_>, proposal: &Id) -> Result<(), Refusal> {
    if d.rows::<Record>().get(proposal).is_none_or(|record| record.by_hand) {
        let say = format!("{} was applied by hand before", status::label(d, proposal));
        return Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("propose TITLE TEXT"));
    }
    d.edit(proposal, |record: &mut Record| record.by_hand = true);
    Ok(())
}

/// A display that is right says otherwise whether a tallied proposal was Won: then that is how it ended (B50.6).
pub(super) fn said(d: &mut D<'_>, proposal: &Id) {
    let won = status::success(d, proposal) == Success::Won;
    d.edit(proposal, |record: &mut Record| record.passed = won);
}

/// What became of a proposal becomes what it was in a state that was worked out (B50.6).
pub(super) fn become_so(d: &mut D<'_>, proposal: &Id, after: &State<BNomic>) {
    match after.rows::<Record>().get(proposal) {
        Some(record) => d.put(proposal, record.clone()),
        None => drop(d.delete::<Record>(proposal)),
    }
}

/// Notes what was scored for a proposal that was counted.
fn note_scored(d: &mut D<'_>, proposal: &Id, to: Vec<String>) {
    d.edit(proposal, |record: &mut Record| record.scored = to);
}

// ---- due

/// Most shelved proposals that published results have a button for.
const AGAIN_MAX_COUNT: usize = 20;

/// What was shelved can be submitted again as a new one by its author (B15.29).
fn again(state: &State<BNomic>, proposals: &[Id]) -> Vec<Offer> {
    let shelved =
        proposals.iter().filter(|id| is_shelved(state, id) && status::status(state, id) == Status::Historical);
    shelved.take(AGAIN_MAX_COUNT).map(|id| resubmit(state, id)).collect()
}

/// The button that submits a shelved proposal again.
pub(super) fn resubmit(state: &State<BNomic>, proposal: &Id) -> Offer {
    let number = status::number(state, proposal);
    Offer::new(format!("{number} again"), format!("draft again {number}"), state.seq)
}

/// Whether a proposal was shelved when it was counted last.
pub(super) fn is_shelved(state: &State<BNomic>, proposal: &Id) -> bool {
    state.rows::<Record>().get(proposal).is_some_and(|record| record.is_shelved())
}

/// Whether a proposal was shelved in two consecutive nweeks: no later ballot has it (B15.29).
pub(super) fn is_barred(state: &State<BNomic>, proposal: &Id) -> bool {
    let record = state.rows::<Record>().get(proposal);
    record.is_some_and(|record| record.steps.iter().any(|(_, _, why)| *why == Why::ShelvedAgain))
}

/// Refuses to open what no later ballot has (B15.29).
///
/// # Errors
///
/// A [`Refusal`] for a proposal that was shelved in two consecutive nweeks.
pub(super) fn may_open(state: &State<BNomic>, proposal: &Id) -> Result<(), Refusal> {
    if !is_barred(state, proposal) {
        return Ok(());
    }
    let label = status::label(state, proposal);
    Err(Refusal::new(format!("{label} was shelved in two consecutive nweeks, and no later ballot has it"))
        .by(Thing::Proposals.rule(&state.rules))
        .instead("propose TITLE TEXT"))
}

/// A proposal has become Historical by something else than the tally: it is scored as any other (B19.1). Says who got what.
pub(super) fn historical(d: &mut D<'_>, id: &Id) -> Vec<String> {
    let record = d.rows::<Record>().get(id);
    let ended = Ended {
        passed: record.is_some_and(|record| record.passed),
        discarded: false,
        ever_won: record.is_some_and(|record| record.steps.iter().any(|(_, success, _)| *success == Success::Won)),
    };
    let ended = ended.now(status::success(d, id));
    d.carrying_out(status::label(d, id), |d| {
        let (finals, mut scores) = (Finals::of(d, id), Scores::default());
        let (lines, noted) = score(d, id, ended, &finals.0, &mut scores);
        note_scored(d, id, noted);
        scores.write(d);
        happenings::of_proposal(d, happenings::HISTORICAL, id);
        lines
    })
}

// ---- beforehand

/// The proposals that are still to be decided, with their texts.
fn waiting(state: &State<BNomic>) -> Vec<(u64, String)> {
    let ids = [Status::Open, Status::Pending].map(|wanted| status::all(state, wanted)).concat();
    let numbered = |id: &Id| Some((u64::try_from(status::number(state, id)).ok()?, state.world.get(&BODY, id)?));
    ids.iter().filter_map(numbered).collect()
}

/// The room as it would be if a proposal passed now.
fn as_if_passed(state: &State<BNomic>, number: u64) -> Result<State<BNomic>, Refusal> {
    let id = status::need(state, number)?;
    let (label, body) = (status::label(state, &id), state.world.get(&BODY, &id).unwrap_or_default());
    texts::passed(state, |d| {
        let mut done = Ok(());
        passes(d, &id, &mut |d| done = carried_out::carry_out_posted(d, &id, &body, &label).map(drop));
        done
    })
}

/// A proposal passes now, with something done for its directives: by the votes that are cast it is scored and over. One
/// that is over stays so.
pub(super) fn passes(d: &mut D<'_>, id: &Id, does: &mut dyn FnMut(&mut D<'_>)) {
    if status::status(d, id) == Status::Historical {
        return does(d);
    }
    d.set(&SUCCESS, id, Success::Won.word().to_owned());
    does(d);
    let finals = Finals::of(d, id);
    let votes = [Word::For, Word::Against, Word::Shelve].map(|word| finals.count(word));
    let (nweek, quiggle) = (hands::now(d).nweek, Num::default());
    let (steps, uncounted, scored) = (Vec::new(), voting::uncounted(d, id), Vec::new());
    let record = Record { nweek, votes, quiggle, steps, passed: true, failed: None, by_hand: false, uncounted, scored };
    d.put(id, record);
    d.set(&STATUS, id, Status::Historical.word().to_owned());
    historical(d, id);
}

/// What a proposal would do now, for everybody who asks.
///
/// # Errors
///
/// A [`Refusal`] where there is no such proposal.
fn foreseen(state: &State<BNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a proposal is named by its number").instead("dryrun 3");
    let id = status::need(state, number.parse().map_err(|_| none())?)?;
    let body = state.world.get(&BODY, &id).unwrap_or_default();
    let passing = |d: &mut D<'_>, does: &mut dyn FnMut(&mut D<'_>)| passes(d, &id, does);
    let mut document = texts::dry_run(state, &body, state.at, state.row::<Post>(&id), &passing)?.document();
    document.id = format!("dryrun/{number}");
    document.title = format!("What {} would do now", status::label(state, &id));
    Ok(document)
}

/// The Open proposals as the tally sees them.
fn papers(state: &State<BNomic>, open: &[Id], finals: &[Finals]) -> Vec<Paper> {
    let nweek = hands::now(state).nweek;
    let shelved_before = |id: &Id| {
        let record = state.rows::<Record>().get(id);
        record.is_some_and(|record| record.nweek + 1 == nweek && record.is_shelved())
    };
    let places: BTreeMap<&Id, usize> = open.iter().enumerate().map(|(place, id)| (id, place)).collect();
    let paper = |(id, finals): (&Id, &Finals)| {
        let target = |other: Id| match places.get(&other) {
            Some(place) => Target::Open(*place),
            None => Target::Decided(status::success(state, &other)),
        };
        Paper {
            number: status::number(state, id).unsigned_abs(),
            fors: finals.count(Word::For),
            against: finals.count(Word::Against),
            shelved: finals.count(Word::Shelve),
            shelved_before: shelved_before(id),
            needs: status::listed(state, &DEPENDENCIES, id).into_iter().map(target).collect(),
            // Only what is Open is touched by it (B15.25).
            conflicts: status::listed(state, &CONFLICTS, id)
                .iter()
                .filter_map(|other| places.get(other).copied())
                .collect(),
        }
    };
    open.iter().zip(finals).map(paper).collect()
}

/// A proposal passes: its directives are done, all or none (B15.27).
fn pass(d: &mut D<'_>, id: &Id) -> Vec<Block> {
    let (label, body) = (status::label(d, id), d.world.get(&BODY, id).unwrap_or_default());
    let done = d.attempt(|d| d.in_act_of(None, |d| carried_out::carry_out_posted(d, id, &body, &label)));
    let (done, failed) = match done {
        Ok(done) => (done, None),
        Err(why) => {
            let say = format!("What it says could not be done, and nothing of it happens: {}.", why.say);
            (vec![Block::Para(say)], Some(why.say))
        }
    };
    // What it does in words goes on in the same line.
    let (mut line, mut blocks) = (format!("{label} passes."), Vec::new());
    for (at, block) in done.into_iter().enumerate() {
        match block {
            Block::Para(said) if at == 0 || (blocks.is_empty() && said.starts_with('⇒')) => {
                line.push_str(&format!(" {said}"))
            }
            block => blocks.push(block),
        }
    }
    blocks.insert(0, Block::Para(line));
    d.edit(id, |record: &mut Record| (record.passed, record.failed) = (true, failed));
    blocks
}

// ---- display

fn outcome(state: &State<BNomic>, id: &Id, ended: Ended) -> String {
    let label = status::label(state, id);
    match (ended.passed, ended.discarded, ended.ever_won) {
        (true, _, _) => format!("{label}: passed."),
        (false, true, _) => format!("{label}: Discarded."),
        (false, false, true) => format!("{label}: failed, once Won."),
        (false, false, false) => format!("{label}: failed."),
    }
}

fn table(state: &State<BNomic>, proposals: &[Id], finals: &[Finals]) -> Block {
    let row = |(id, finals): (&Id, &Finals)| {
        let mut row = cells![
            Cell::new(status::number(state, id).to_string()).showing(id.to_string()),
            Cell::new(status::success(state, id).word()).from_path(SUCCESS.of(id)),
        ];
        row.extend(Word::ALL.iter().map(|word| {
            let said = finals.0.iter().filter(|(_, said)| said == word);
            Cell::new(said.map(|(voter, _)| called(state, voter)).collect::<Vec<_>>().join(", "))
        }));
        row
    };
    Block::table(["", "", "FOR", "AGAINST", "ABSTAIN", "SHELVE"], proposals.iter().zip(finals).map(row))
}

/// An nweek that was counted, and what was counted in it.
///
/// # Errors
///
/// A [`Refusal`] where that is none.
pub(super) fn of_nweek(state: &State<BNomic>, nweek: &str) -> Result<(i64, Vec<Id>), Refusal> {
    let found = nweek.trim().parse::<i64>().ok().map(|nweek| (nweek, counted_in(state, nweek)));
    let now = hands::now(state).nweek;
    let why = match found {
        Some((nweek, counted)) if !counted.is_empty() => return Ok((nweek, counted)),
        None => format!("“{}” is no nweek", nweek.trim()),
        Some((nweek, _)) if nweek < now => {
            format!("no proposal was counted in nweek {nweek}: nothing was Open in it here")
        }
        Some((nweek, _)) if nweek == now => format!("nweek {nweek} is not over: its proposals are counted at its end"),
        Some((nweek, _)) => format!("nweek {nweek} is yet to come: it is nweek {now}"),
    };
    Err(Refusal::new(why).by(Thing::Proposals.rule(&state.rules)).instead("show proposals"))
}

/// The results of an nweek, the latest where none is named. They are each vote, how each went step by step, how it
/// ended, and what was scored for it. The names of all who gained by voting stand in what was published then, and those
/// of the votes here.
///
/// # Errors
///
/// A [`Refusal`] where nothing was counted in it.
fn results(state: &State<BNomic>, nweek: Option<&str>) -> Result<Document, Refusal> {
    let latest = state.rows::<Record>().values().map(|record| record.nweek).max();
    let latest = latest.unwrap_or_else(|| hands::now(state).nweek).to_string();
    let (nweek, counted) = of_nweek(state, nweek.unwrap_or(&latest))?;
    let mut document = Document::titled(format!("results/{nweek}"), format!("Results of nweek {nweek} of B Nomic"));
    for id in &counted {
        let by = status::author(state, id).map(|by| format!(", by {}", called(state, &by))).unwrap_or_default();
        document = document.para(format!("{}{by}: {}.", status::label(state, id), ending(state, id)));
        document.blocks.extend(voting::show(state, id));
        document.blocks.extend(steps(state, id));
    }
    Ok(document)
}

/// How the tally of a proposal went, step by step.
pub(super) fn steps(state: &State<BNomic>, proposal: &Id) -> Vec<Block> {
    let Some(record) = state.rows::<Record>().get(proposal) else { return Vec::new() };
    // What was noted then may name somebody who was forgotten since.
    let kept = state.frame.redaction_of_kept();
    let [fors, against, shelved] = record.votes;
    let paper = Paper { fors, against, shelved, ..Paper::default() };
    let mut lines = vec![Cell::new(format!(
        "Counted at the end of nweek {}: Stamina {}, Strength {}; A Quiggle was {}.",
        record.nweek,
        paper.stamina(),
        paper.strength(),
        record.quiggle
    ))];
    for (step, success, why) in &record.steps {
        let why = match why {
            Why::Stamina => "its Stamina is A Quiggle or less".to_owned(),
            Why::Strong => "its Strength is positive".to_owned(),
            Why::Shelved => "its Strength is negative, and would be positive if SHELVE were FOR".to_owned(),
            Why::ShelvedAgain => {
                "it was shelved in the nweek before, too: it has failed, and no later ballot has it".to_owned()
            }
            Why::Weak => "its Strength is not positive".to_owned(),
            Why::Needs(other) => format!("it depends on Proposal {other}, which fell"),
            Why::NeedsPast => {
                let fell = |id: &Id| matches!(status::success(state, id), Success::Lost | Success::Discarded);
                let fallen = status::listed(state, &DEPENDENCIES, proposal).into_iter().filter(fell);
                let names: Vec<String> = fallen.map(|id| status::number(state, &id).to_string()).collect();
                format!("it depends on a proposal that was lost or discarded before ({})", names.join(", "))
            }
            Why::Conflict(other) => format!("it is in conflict with Proposal {other}, which came first"),
        };
        lines.push(Cell::new(format!("Step {step}: {}, since {why}.", success.word())));
    }
    if record.passed {
        let done = match &record.failed {
            None => "It passed.".to_owned(),
            Some(why) => format!("It passed, but what it says could not be done: {}.", kept.text(why)),
        };
        lines.push(Cell::new(done));
    }
    lines.extend(record.scored.iter().map(|line| Cell::new(kept.text(line))));
    vec![Block::List(lines)]
}
