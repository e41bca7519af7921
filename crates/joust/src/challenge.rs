//! Challenges: a newcomer against the Hill, and the Hill against itself (seed 000, J21 to J30, J49 to J58).
//!
//! A challenge is fixed when its program is submitted: its lengths are drawn and its figures read then, and both are in
//! the entry. So no delay and no restart changes its result (J30, J56, J85). It is played away from the room when all
//! that was deemed before it is done. It is played by `play`; the places on the Hill stand in `places`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{
    contract,
    game::{D, Joust, Tables},
    hill, hosting, knights, notation,
    outcome::{Outcome, Pair, Standing, listed},
    phases,
    places::{self, Place},
    play::{self, Bout, Job, Played, Tell},
    playable,
    programs::{self, Program, Status},
    scoring,
    tasks::{self, Challenge, Task, Turn, as_of, awaited},
};
use kernel::{
    Event, Game, Id, Instant, Mechanic, Num, Refusal, State,
    display::{Block, Cell, Document, cells},
    entry::Audience,
    table::Row,
    time::minute,
    work::Work,
};

/// What the ids of these works begin with, and the places that a moderator corrects; the challenge's number follows.
const WORK: &str = "challenge/";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("challenge")
        .table::<Drawn>()
        .job(kernel::Job::new(WORK, awaited(work), play::play, finish))
        .corrects(|path, to, d| Some(correct(path.strip_prefix(WORK)?, to, d)))
        .hears(|event, d| {
            if let Event::Mended(_) = event {
                await_start(d);
            }
        })
}

// ---- state

/// What was drawn for a challenge that waits, by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Drawn {
    /// The length of each charge, the same for all its matches (J57).
    pub(super) lengths: Vec<usize>,
}

impl Row<Joust> for Drawn {
    type Key = u64;
    const TABLE: &'static str = "lengths";

    /// Lengths are told with the challenge's result (J56).
    fn is_open(number: &u64, state: &State<Joust>) -> bool {
        !tasks::challenges(&state.tables).any(|(_, challenge)| challenge.number == *number)
    }

    fn told(number: &u64, _: Option<&Self>, is: Option<&Self>, _: &State<Joust>) -> String {
        is.map_or_else(String::new, |is| format!("the lengths of challenge {number} are {}", listed(&is.lengths)))
    }
}

// ---- decide

/// Puts the challenge of a program on the agenda, deemed at an instant; gives its number. The lengths are drawn here.
///
/// # Errors
///
/// A [`Refusal`] where the contract's figures allow no challenge.
pub(super) fn enqueue(d: &mut D<'_>, program: u64, at: Instant) -> Result<u64, Refusal> {
    let (play, lengths) = playable::challenge(&d.rules)?;
    let first = lengths.middle - lengths.spread;
    let values = 2 * lengths.spread as u64 + 1;
    let drawn = (0..lengths.charges).map(|_| first + usize::try_from(d.draw("length", values)).unwrap_or_default());
    let drawn: Vec<usize> = drawn.collect();
    let rounds = std::iter::repeat_n(lengths.all(), lengths.rounds).flatten();
    let lengths = rounds.chain(drawn).collect();
    let number = d.next_number::<Drawn>();
    d.edit::<Program>(&program, |program| program.status = Status::Queued { challenge: number });
    d.put(&number, Drawn { lengths });
    let challenge = Challenge { number, program, play, stalled: false };
    tasks::schedule(d, at, phases::ACTS, Task::Challenge(challenge));
    Ok(number)
}

// ---- work

/// The challenge at the head of the agenda, if one is there.
fn work(joust: &Tables) -> Option<Work> {
    let (_, challenge) = head(joust)?;
    if challenge.stalled {
        return None;
    }
    let sealed = |program: &u64| programs::program(joust, *program).map(Program::secret);
    let secrets: Vec<_> = field(joust, challenge).iter().filter_map(sealed).collect();
    let bouts = pairs(&secrets)
        .map(|(left, right)| {
            // The later arrival stands on the right, and has + and - exchanged.
            Bout { left: left.clone(), right: right.clone(), exchanges_left: false, tell: Tell::Winners }
        })
        .collect();
    let job = Job { lengths: lengths(joust, challenge.number), play: challenge.play.clone(), bouts };
    let task = serde_json::to_value(job).ok()?;
    Some(Work { id: format!("{WORK}{}", challenge.number).into(), task, secrets })
}

fn head(joust: &Tables) -> Option<(&Turn, &Challenge)> {
    match tasks::head(joust) {
        Some((turn, Task::Challenge(challenge))) => Some((turn, challenge)),
        _ => None,
    }
}

/// The lengths of a challenge that waits; none where they are kept back from who reads.
fn lengths(joust: &Tables, number: u64) -> Vec<usize> {
    joust.rows::<Drawn>().get(&number).map_or_else(Vec::new, |drawn| drawn.lengths.clone())
}

/// Who takes part, in the order of arrival, the challenger last (J24).
fn field(joust: &Tables, challenge: &Challenge) -> Vec<u64> {
    let mut field = places::by_arrival(joust);
    field.push(challenge.program);
    field
}

/// Every pair once, no program against itself (J21).
fn pairs<T>(field: &[T]) -> impl Iterator<Item = (&T, &T)> {
    field.iter().enumerate().flat_map(|(index, left)| field[index + 1..].iter().map(move |right| (left, right)))
}

/// Takes a challenge's result in. One that does not fit changes nothing.
fn finish(result: Json, d: &mut D<'_>) {
    let Some((turn, challenge)) = head(&d.tables).map(|(turn, challenge)| (*turn, challenge.clone())) else {
        return;
    };
    let (field, number) = (field(&d.tables, &challenge), challenge.number);
    match serde_json::from_value(result) {
        Ok(Played::Matches { matches, .. }) => {
            let lengths = lengths(&d.tables, number);
            let charges = play::charges(&lengths, &challenge.play).count();
            let fits = matches.iter().all(|told| told.winners.chars().count() == charges);
            if !fits || matches.len() != pairs(&field).count() {
                return;
            }
            let told = pairs(&field).zip(matches);
            let pairs = told.map(|((left, right), told)| Pair { left: *left, right: *right, winners: told.winners });
            let pairs = pairs.collect();
            done(d, turn, number);
            conclude(d, turn.at, challenge, &field, (lengths, pairs));
        }
        Ok(Played::Missing(missing)) => {
            d.put(&turn, Task::Challenge(Challenge { stalled: true, ..challenge }));
            let text = format!(
                "Challenge {number} cannot be played: the text of {} is gone from the table of secrets. Everything after it waits. Put the text back and say “⁅correct challenge/{number} retry because WHY⁆”, or strike the challenge with “⁅correct challenge/{number} void because WHY⁆”.",
                missing.join(", ")
            );
            d.say(Audience::Moderators, Document::say(text));
        }
        Ok(Played::Unreadable(unreadable)) => strike(d, turn, &challenge, field, &unreadable),
        Err(_) => {}
    }
}

/// A challenge is off the agenda, and what was drawn for it is no secret any more.
fn done(d: &mut D<'_>, turn: Turn, number: u64) {
    d.delete::<Task>(&turn);
    d.delete::<Drawn>(&number);
}

/// A challenge is off the agenda without having been played.
fn void(d: &mut D<'_>, turn: Turn, challenge: &Challenge) {
    done(d, turn, challenge.number);
    d.edit::<Program>(&challenge.program, |program| program.status = Status::Missed { at: turn.at });
}

/// Where the contest has not begun after all, no challenge is there: programs wait for the start (J46).
fn await_start(d: &mut D<'_>) {
    if !contract::contract(&d.tables).is_waiting() {
        return;
    }
    let early: Vec<(Turn, Challenge)> =
        tasks::challenges(&d.tables).map(|(turn, challenge)| (*turn, challenge.clone())).collect();
    for (turn, challenge) in early {
        done(d, turn, challenge.number);
        d.edit::<Program>(&challenge.program, |program| program.status = Status::Waiting);
    }
}

/// Strikes a challenge whose challenger is no program by the notation that it is played in. Where others are none, they
/// leave the Hill, and the challenge is played without them.
fn strike(d: &mut D<'_>, turn: Turn, challenge: &Challenge, field: Vec<u64>, unreadable: &[Id]) {
    let (gone, _) = notation::apart(field, unreadable, d);
    let (challengers, gone): (Vec<u64>, Vec<u64>) = gone.into_iter().partition(|program| *program == challenge.program);
    notation::leave(d, &gone, turn.at);
    for program in challengers {
        void(d, turn, challenge);
        notation::tell_owner(d, program);
        d.tell_all(format!(
            "Challenge {} is not played: {} is no program as CURRENT TOURNAMENT reads{}.",
            challenge.number,
            programs::name_of(&d.tables, program),
            as_of(d, turn.at)
        ));
    }
}

/// Strikes a challenge whose program is not there: nobody can play it, and what comes after it is not to wait.
pub(super) fn strike_gone(d: &mut D<'_>, turn: Turn, challenge: &Challenge) {
    void(d, turn, challenge);
    d.tell_all(format!(
        "Challenge {} is not played: its program #{} is not there any more{}.",
        challenge.number,
        challenge.program,
        as_of(d, turn.at)
    ));
}

/// Ranks a challenge that was played, renews the Hill and announces it.
fn conclude(
    d: &mut D<'_>,
    deemed: Instant,
    challenge: Challenge,
    field: &[u64],
    (lengths, pairs): (Vec<usize>, Vec<Pair>),
) {
    let Challenge { number, program: challenger, play, .. } = challenge;
    let mut sums: BTreeMap<u64, i64> = field.iter().map(|program| (*program, 0)).collect();
    for pair in &pairs {
        let (left, right) = play::touches(&pair.winners, &play);
        *sums.entry(pair.left).or_default() += left;
        *sums.entry(pair.right).or_default() += right;
    }
    let scores = scoring::scores(field, &pairs, &play);
    let order: Vec<u64> = bfjoust::rank(&scores).into_iter().map(|place| field[place]).collect();
    let kept = field.iter().copied().zip(scores.iter().map(scoring::rounded));
    let kept: BTreeMap<u64, Num> = if play.scoring.is_touches() { BTreeMap::new() } else { kept.collect() };
    let size = places::hill(&d.tables).terms.size.unwrap_or(d.rows::<Place>().len());
    let dropped = order.last().copied().filter(|_| order.len() > size);
    let owner = |program: u64| programs::program(&d.tables, program).map(|program| program.owner.clone());
    let standing = |program: &u64| Standing {
        program: *program,
        touches: sums[program],
        score: kept.get(program).cloned(),
        before: places::place(&d.tables, *program).map(|place| place.rank),
        outlived: Some(*program) != dropped && owner(*program) != owner(challenger),
    };
    let by = owner(challenger);
    let ranked = order.iter().map(standing).collect();
    let outcome = Outcome { number, challenger, deemed, lengths, play, ranked, dropped, pairs };
    let since = dropped.and_then(|program| places::place(&d.tables, program)).map(|place| place.since);
    let read = outcome.play.notation;
    d.edit::<Program>(&challenger, |program| program.notation = read);
    places::fought(d, outcome.clone());
    let knighted = knights::by_challenges(&d.tables, deemed);
    for program in &knighted {
        d.edit::<Place>(program, |place| place.knighted = place.knighted.or(Some(deemed)));
    }
    let document = announcement(d, &outcome, &knighted);
    d.say(Audience::Public, document);
    if let (Some(program), Some(since)) = (dropped, since) {
        hill::after_drop(d, program, since, deemed);
    }
    let entered = dropped != Some(challenger);
    let with = json!({ "challenge": number, "program": challenger, "by": by, "entered": entered });
    Joust::mechanics().happened(hosting::FOUGHT, &with, d);
}

/// A moderator's word on a challenge that cannot be played.
///
/// # Errors
///
/// A [`Refusal`] where it is not the challenge that stands still, or the word is none.
fn correct(number: &str, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let stalled = head(&d.tables).filter(|(_, challenge)| challenge.stalled && challenge.number.to_string() == number);
    let Some((turn, challenge)) = stalled.map(|(turn, challenge)| (*turn, challenge.clone())) else {
        return Err(Refusal::new(format!("challenge {number} does not stand still")).instead("queue"));
    };
    match to.trim() {
        "retry" => d.put(&turn, Task::Challenge(Challenge { stalled: false, ..challenge })),
        "void" => void(d, turn, &challenge),
        _ => return Err(Refusal::new("say “retry” or “void”").instead(format!("correct challenge/{number} retry WHY"))),
    }
    Ok(())
}

// ---- display

/// What is announced of a challenge: what came of it, everybody's ranks, the lengths and the table of pairs (J28).
fn announcement(d: &D<'_>, outcome: &Outcome, knighted: &[u64]) -> Document {
    let name = |program: u64| programs::name_of(&d.tables, program);
    let challenger = programs::program(&d.tables, outcome.challenger);
    let by = challenger.map_or("", |program| programs::by(d, program));
    let mut document =
        Document::titled(String::new(), format!("Challenge {}: {} by {by}", outcome.number, name(outcome.challenger)));
    let place =
        |program: u64| outcome.ranked.iter().position(|standing| standing.program == program).map_or(0, |at| at + 1);
    let rank = place(outcome.challenger);
    let came = match outcome.dropped {
        Some(dropped) if dropped == outcome.challenger => {
            format!(
                "{} comes last of {} and does not enter the Hill. Nobody drops.",
                name(dropped),
                outcome.ranked.len()
            )
        }
        Some(dropped) => {
            let standing = outcome.ranked.iter().find(|standing| standing.program == dropped);
            let before = standing.and_then(|standing| standing.before).unwrap_or_default();
            format!(
                "{} enters the Hill at rank {rank}. {}, rank {before} before, drops.",
                name(outcome.challenger),
                name(dropped)
            )
        }
        None => format!("{} enters the Hill at rank {rank}. There was room: nobody drops.", name(outcome.challenger)),
    };
    document = document.para(format!("{came} Deemed to occur at {}.", minute(outcome.deemed)));
    if !knighted.is_empty() {
        let names: Vec<String> = knighted.iter().map(|program| name(*program)).collect();
        let verb = if names.len() == 1 { "is a Knight" } else { "are Knights" };
        document = document.para(format!("{} {verb} from now on{}.", names.join(", "), as_of(d, outcome.deemed)));
    }
    let row = |(index, standing): (usize, &Standing)| {
        let program = programs::program(&d.tables, standing.program);
        let before = match standing.before {
            None => "new".to_owned(),
            Some(before) => before.to_string(),
        };
        let now = if Some(standing.program) == outcome.dropped { "out".to_owned() } else { (index + 1).to_string() };
        let mut row = cells![
            now,
            before,
            Cell::named(name(standing.program)),
            program.map_or("", |program| programs::by(d, program)),
            standing.touches,
        ];
        row.extend(standing.score.as_ref().map(|score| Cell::new(scoring::shown(score))));
        row
    };
    let mut head = ["rank", "before", "program", "by", "touches"].map(str::to_owned).to_vec();
    if !outcome.play.scoring.is_touches() {
        head.push(outcome.play.scoring.word().to_owned());
    }
    let rows = outcome.ranked.iter().enumerate().map(row);
    document.table(head, rows).para(format!("Lengths: {}", listed(&outcome.lengths))).with(matrix(&d.tables, outcome))
}

/// Touches of each program against each other one; the columns are the ranks, so that the table fits on a line.
pub(super) fn matrix(joust: &Tables, outcome: &Outcome) -> Block {
    let columns = (1..=outcome.ranked.len()).map(|rank| rank.to_string()).collect();
    let part = |standing: &Standing| programs::part_of(joust, standing.program);
    let parts: Vec<String> = outcome.ranked.iter().map(part).collect();
    let touches = outcome.all_touches();
    let row = |(index, standing): (usize, &Standing)| {
        let cell = |(other, against): (&Standing, &String)| {
            let touches = touches.get(&(standing.program, other.program));
            touches.map_or_else(Cell::default, |touches| {
                Cell::new(touches.to_string()).showing(programs::met(&parts[index], against))
            })
        };
        let name = format!("{} {}", index + 1, programs::name_of(joust, standing.program));
        (name, outcome.ranked.iter().zip(&parts).map(cell).collect())
    };
    Block::Grid { columns, rows: outcome.ranked.iter().enumerate().map(row).collect() }
}

#[cfg(test)]
mod tests;
