//! The end of voting (4E15): the tally, in the rule's order, and what passes by it.
//!
//! Everything that follows happens before the next proposal is done.

use super::{Ended, Finals, Record, Scores, again, note_scored, outcome, papers, pass, score, table};
use crate::{
    clock::hands,
    game::D,
    happenings,
    law::{Thing, established},
    proposals::status::{self, Status},
    quantities, registry, schedule,
    settled::settle_but_clock,
    stats::{STATUS, SUCCESS},
    tally::{self, Success},
    victory, voting,
};
use kernel::{
    Id, Num,
    display::{Block, Document},
    entry::{Because, Change},
};

/// Voting ends: the tally, in the rule's order (B15.20 to B15.28). Gives the results, where something is counted.
pub(crate) fn tally(d: &mut D<'_>) -> Option<Document> {
    established(&d.rules, Thing::Proposals).ok()?;
    let open = status::all(d, Status::Open);
    let nweek = hands::now(d).nweek;
    let Ok(quiggle) = quantities::quiggle(d) else {
        d.tell_all(format!("Voting of nweek {nweek} ends, but no rule says what A Quiggle is: nothing is counted, and what was Open stays so."));
        return None;
    };
    // The votes that are counted are those of now, whatever passing does to voters and to votes (B15.26).
    let finals: Vec<Finals> = open.iter().map(|id| Finals::of(d, id)).collect();
    let papers = papers(d, &open, &finals);
    let is_little = |stamina: u64| i64::try_from(stamina).is_ok_and(|stamina| Num::from(stamina) <= quiggle);
    let verdicts = tally::count(&papers, is_little);
    let mut ended: Vec<(Id, Ended)> = Vec::new();
    for ((id, paper), verdict) in open.iter().zip(&papers).zip(&verdicts) {
        d.set(&SUCCESS, id, verdict.success.word().to_owned());
        let votes = [paper.fors, paper.against, paper.shelved];
        let (steps, quiggle) = (verdict.steps.clone(), quiggle.clone());
        let uncounted = voting::uncounted(d, id);
        let to = Record {
            nweek,
            votes,
            quiggle,
            steps,
            passed: false,
            failed: None,
            by_hand: false,
            uncounted,
            scored: Vec::new(),
        };
        d.put(id, to);
        ended.push((
            id.clone(),
            Ended { passed: false, discarded: verdict.success == Success::Discarded, ever_won: verdict.ever_won },
        ));
    }
    let counted = table(d, &open, &finals);
    let mut results = Document::titled(format!("results/{nweek}"), format!("Results of nweek {nweek} of B Nomic"));
    for (id, ended) in &mut ended {
        if status::success(d, id) != Success::Won || status::status(d, id) != Status::Open {
            continue;
        }
        if established(&d.rules, Thing::Proposals).is_err() {
            let label = status::label(d, id);
            results = results.para(format!("{label} was Won, but the rule that makes it pass is gone: it stays Open."));
            continue;
        }
        ended.passed = true;
        let since = d.emitted();
        results.blocks.extend(pass(d, id));
        // What follows from it happens before the next one passes (BX2), to what a rule defined or allowed that is gone, too.
        let is_ruled = |change: &Change| matches!(change, Change::Rule(_));
        if d.changes()[since..].iter().any(is_ruled) {
            while registry::settle(d) || schedule::settle(d) || laws::declare(d) {}
        }
        happenings::of_proposal(d, happenings::PASSED, id);
        settle_here(d, &mut results);
    }
    if established(&d.rules, Thing::Proposals).is_ok() {
        let (mut scores, from) = (Scores::default(), scored_by(d, nweek, &open));
        let outer = d.come_from(Because { document: Some(from), ..Because::default() });
        for ((id, ended), finals) in ended.iter().zip(&finals) {
            if status::status(d, id) != Status::Open || established(&d.rules, Thing::Proposals).is_err() {
                continue;
            }
            let ended = ended.now(status::success(d, id));
            d.set(&STATUS, id, Status::Historical.word().to_owned());
            let (lines, noted) = score(d, id, ended, &finals.0, &mut scores);
            note_scored(d, id, noted);
            let lines: Vec<String> = std::iter::once(outcome(d, id, ended)).chain(lines).collect();
            results = results.para(lines.join(" "));
            // Who wins by this scoring wins before the next (BX2, B16.3).
            if victory::awaits(d) {
                std::mem::take(&mut scores).write(d);
                settle_here(d, &mut results);
            }
        }
        scores.write(d);
        d.come_from(outer);
        // Scores are written down in one, so that what follows by a law comes after all of them.
        for (id, _) in
            ended.iter().filter(|(id, _)| status::status(d, id) == Status::Historical).cloned().collect::<Vec<_>>()
        {
            happenings::of_proposal(d, happenings::HISTORICAL, &id);
        }
    } else if ended.iter().any(|(_, ended)| !ended.passed) {
        results = results.para("No rule makes what was counted Historical any more: it stays Open, and is not scored.");
    }
    if open.is_empty() {
        results = results.para("Nothing was Open.");
    }
    results.blocks.insert(0, counted);
    results.offers = again(d, &open);
    settle_but_clock(d);
    Some(results)
}

/// What scores come from that are written down in one: the proposal, where only one is counted.
fn scored_by(d: &D<'_>, nweek: i64, open: &[Id]) -> String {
    match open {
        [only] => status::label(d, only),
        _ if open.len() <= NAMED_MAX_COUNT => {
            let numbers: Vec<String> = open.iter().map(|id| status::number(d, id).to_string()).collect();
            format!("the results of nweek {nweek}: Proposals {}", numbers.join(", "))
        }
        _ => format!("the results of nweek {nweek}"),
    }
}

/// Most proposals that are named together as where a score comes from.
const NAMED_MAX_COUNT: usize = 12;

/// What follows from what the results say so far happens here; a win is told in its place among them, and in full behind.
pub(crate) fn settle_here(d: &mut D<'_>, results: &mut Document) {
    let (since, names) = (d.emitted(), victory::names(d));
    settle_but_clock(d);
    for name in victory::fulfilled_since(d, since, &names) {
        results.blocks.push(Block::Para(format!(
            "Here the Victory Condition “{name}” is fulfilled, and what it brings about happens before what follows; it is told below."
        )));
    }
}
