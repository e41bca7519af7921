//! What people may look at: the Hill, programs, matches, the queue, points, notices, the contract.
//!
//! Every display reads the state as it is and changes nothing. Program text is absent: where a viewer may read it, the
//! document holds a place for it, and the service puts it there.

use bfjoust::span;

use super::{
    Joust, challenge, contract,
    figures::FIGURES,
    knights, notices,
    notices::Stands,
    play, points,
    programs::{self, Program, Status},
    scoring, watch,
};
use kernel::{
    Instant, Refusal, Seq, State,
    display::{Block, Cell, Document, counted},
    game::Viewer,
    rulebook::{Live, LiveKey, NumKind},
    time::{day, minute, months_after},
};

/// Programs that a list shows, the latest first: what commands can name.
const LIST_MAX_PROGRAMS: usize = 1000;

/// Programs that the list of displays shows, the latest first: what anybody would look at unasked.
const DISPLAYS_MAX_PROGRAMS: usize = 50;

/// The displays, for completion and for lists.
pub(super) fn list(state: &State<Joust>) -> Vec<Cell> {
    let fixed = ["hill", "matrix", "queue", "points", "members", "intents", "contract", "sections", "programs"];
    let programs = state
        .game
        .programs
        .values()
        .rev()
        .take(DISPLAYS_MAX_PROGRAMS)
        .map(|program| format!("program/{}", program.name));
    let public = fixed.map(str::to_owned).into_iter().chain(programs);
    let cells = public.map(|id| Cell::new(id.clone()).completing(id.clone()).showing(id));
    cells.chain([Cell::new("yours").completing("yours")]).collect()
}

/// The entry as of which a display is best seen: for a match, that of the latest challenge in which both met.
pub(super) fn seen_at(state: &State<Joust>, id: &str) -> Option<Seq> {
    let ["match", left, right] = id.trim_matches('/').split('/').collect::<Vec<_>>()[..] else { return None };
    let game = &state.game;
    game.met(game.find(left)?.id, game.find(right)?.id)
}

/// A display by id.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or nothing to show yet.
pub(super) fn show(state: &State<Joust>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let parts: Vec<&str> = id.trim_matches('/').split('/').collect();
    Ok(match parts[..] {
        ["hill"] => hill(state, viewer.now),
        ["matrix"] => matrix(state)?,
        ["queue"] => queue(state, viewer),
        ["points"] => points(state),
        ["members"] => members(state),
        ["intents" | "notices"] => intents(state, viewer.now),
        ["contract"] => contract(state),
        ["sections"] => sections(state),
        ["programs"] => programs(state, "programs", "Programs", |_| true),
        ["yours"] => programs(state, "yours", "Your programs", |program| viewer.seat.as_ref() == Some(&program.owner)),
        ["program", name] => program(state, state.game.need(name)?, viewer),
        ["match", left, right] => fought(state, left, right, viewer)?,
        ["watch", left, right, length] => watch::watch(state, (left, right), length, None, viewer)?,
        ["watch", left, right, length, at] => watch::watch(state, (left, right), length, Some(at), viewer)?,
        ["breakdown", left, right] => watch::breakdown(state, left, right, viewer)?,
        _ => return Err(Refusal::new("this room has no display of that name").instead("show")),
    })
}

/// A program's part of a display's name: a number without its sign, which would end a web address.
fn place(handle: &str) -> &str {
    handle.trim_start_matches('#')
}

/// The display of the match of two programs.
pub(super) fn met(joust: &Joust, one: u64, other: u64) -> String {
    let handle = |id| joust.program(id).map_or_else(|| id.to_string(), |program| joust.handle(program));
    format!("match/{}/{}", place(&handle(one)), place(&handle(other)))
}

/// A program's name, with its number where the name stands for another program.
fn named(state: &State<Joust>, program: &Program) -> Cell {
    let handle = state.game.handle(program);
    let text = if handle == program.name { handle.clone() } else { format!("{} ({handle})", program.name) };
    Cell::new(text).completing(handle.clone()).showing(format!("program/{}", place(&handle)))
}

fn head<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Since when a program on the Hill is a knight, or when it will be one; after the end of the contract none is made (J6).
fn knighthood(state: &State<Joust>, place: &super::hill::Place, now: Instant) -> Option<(bool, Instant)> {
    let ended = state.game.contract().ended();
    let since = knights::since(place, &state.game.hill().terms)?;
    let is_one = since <= ended.map_or(now, |end| end.min(now));
    (is_one || ended.is_none()).then_some((is_one, since))
}

fn hill(state: &State<Joust>, now: Instant) -> Document {
    let last = state.game.last();
    let ranked_by = last.map(|last| last.outcome.play.scoring).filter(|scoring| !scoring.is_touches());
    let rows = state.game.ranked().into_iter().filter_map(|place| {
        let program = state.game.program(place.program)?;
        let mut row = vec![
            Cell::new(place.rank.to_string()),
            named(state, program),
            Cell::new(state.frame.name_of(&program.owner)),
            Cell::new(place.touches.map(|touches| touches.to_string()).unwrap_or_default()),
        ];
        if ranked_by.is_some() {
            row.push(Cell::new(place.score.as_ref().map(scoring::shown).unwrap_or_default()));
        }
        row.extend([
            Cell::new(match knighthood(state, place, now) {
                Some((true, _)) => "Knight".to_owned(),
                Some((false, from)) => format!("from {}", day(from)),
                None => String::new(),
            }),
            Cell::new(day(place.since)),
        ]);
        Some(row)
    });
    let rows: Vec<_> = rows.collect();
    let score = ranked_by.map(|scoring| scoring.word().to_owned());
    let columns = head(["rank", "program", "by", "touches"]).into_iter().chain(score).chain(head(["Knight", "since"]));
    let mut document = Document::titled("hill", "The Hill");
    if rows.is_empty() {
        document = document.para(state.game.contract().stands());
    } else {
        document = document.with(Block::Table { head: columns.collect(), rows });
    }
    if let Some(last) = last {
        let name = state.game.name_of(last.outcome.challenger);
        document = document.para(format!("After challenge {}, by {name}.", last.outcome.number));
    }
    match state.game.challenges().count() {
        0 => document,
        1 => document.para("One challenge waits."),
        n => document.para(format!("{n} challenges wait.")),
    }
}

/// Lengths in order, those that follow one another without a gap as one, and how often each was drawn: `135–150, 152 ×2`.
fn stretches(mut lengths: Vec<usize>) -> String {
    lengths.sort_unstable();
    let drawn: Vec<(usize, usize)> = lengths.chunk_by(usize::eq).map(|same| (same[0], same.len())).collect();
    let stretches = drawn.chunk_by(|(one, often), (next, as_often)| next - one == 1 && often == as_often);
    let told = stretches.map(|stretch| {
        let (first, often) = stretch[0];
        let times = if often == 1 { String::new() } else { format!(" ×{often}") };
        format!("{}{times}", span((first, stretch[stretch.len() - 1].0)))
    });
    told.collect::<Vec<_>>().join(", ")
}

fn matrix(state: &State<Joust>) -> Result<Document, Refusal> {
    let last = last(state)?;
    let mut document = Document::titled("matrix", format!("Touches in challenge {}, row against column", last.number));
    document = document.with(challenge::matrix(&state.game, last));
    Ok(document)
}

fn last(state: &State<Joust>) -> Result<&challenge::Outcome, Refusal> {
    let none = || Refusal::new("no challenge has been played yet").instead("hill");
    state.game.last().map(|fought| &fought.outcome).ok_or_else(none)
}

fn fought(state: &State<Joust>, left: &str, right: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let game = &state.game;
    let (left, right) = (game.need(left)?, game.need(right)?);
    if left.id == right.id {
        return Err(Refusal::new("no program meets itself").by("Challenge, J21").instead("matrix"));
    }
    let Some(met) = game.met(left.id, right.id) else {
        return Err(Refusal::new(format!("the programs {} and {} met in no challenge", left.name, right.name))
            .instead("matrix"));
    };
    let held = game.results.values().find(|fought| fought.seq == met).map(|fought| &fought.outcome);
    let Some((last, pair)) = held.and_then(|outcome| Some((outcome, outcome.pair(left.id, right.id)?))) else {
        let (one, other) = (game.handle(left), game.handle(right));
        return Err(Refusal::new(format!("the programs {} and {} last met in entry {met}", left.name, right.name))
            .instead(format!("joust match {one} {other} as of {met}")));
    };
    let own = if pair.left == left.id { play::LEFT } else { play::RIGHT };
    let at = |wanted: fn(char, char) -> bool| {
        let charges = play::charges(&last.lengths, &last.play).zip(pair.winners.chars());
        let won: Vec<_> = charges.filter(|(_, winner)| wanted(*winner, own)).map(|(setup, _)| setup).collect();
        let lengths = |swapped: bool| {
            let lengths = won.iter().filter(|setup| setup.swapped == swapped).map(|setup| setup.length).collect();
            let exchanged = if swapped { " with + and - exchanged" } else { "" };
            Some(stretches(lengths)).filter(|lengths| !lengths.is_empty()).map(|lengths| lengths + exchanged)
        };
        match won.len() {
            0 => "no charge".to_owned(),
            count => {
                let lengths: Vec<String> = [false, true].into_iter().filter_map(lengths).collect();
                format!("{}, at {}", counted(count, "time"), lengths.join(", and at "))
            }
        }
    };
    let title = format!("{} against {} in challenge {}", left.name, right.name, last.number);
    let touches = |of, against| last.touches(of, against).unwrap_or_default();
    let id = format!("match/{}/{}", place(&game.handle(left)), place(&game.handle(right)));
    let document = Document::titled(id, title)
        .para(format!("Touches: {} to {}", touches(left.id, right.id), touches(right.id, left.id)))
        .with(Block::List(vec![
            Cell::new(format!("{} won {}", left.name, at(|winner, own| winner == own))),
            Cell::new(format!("{} won {}", right.name, at(|winner, own| winner != own && winner != play::NOBODY))),
            Cell::new(format!("both lost {}", at(|winner, _| winner == play::NOBODY))),
        ]));
    Ok(watch::links(state, left, right, viewer).into_iter().fold(document, Document::with))
}

fn queue(state: &State<Joust>, viewer: &Viewer) -> Document {
    let mut document = Document::titled("queue", "What waits");
    let waiting = state.game.programs.values().filter(|program| program.status == Status::Waiting);
    let waiting: Vec<Vec<Cell>> = waiting
        .map(|program| {
            vec![
                Cell::new("the start"),
                named(state, program),
                Cell::new(state.frame.name_of(&program.owner)),
                Cell::new(minute(program.received)),
            ]
        })
        .collect();
    let rows = state.game.agenda.iter().map(|(turn, task)| {
        let program = task.program().and_then(|program| state.game.program(program));
        vec![
            Cell::new(task.word()),
            program.map(|program| named(state, program)).unwrap_or_default(),
            Cell::new(program.map_or("", |program| state.frame.name_of(&program.owner))),
            Cell::new(minute(turn.at)),
        ]
    });
    let rows: Vec<_> = rows.chain(waiting).collect();
    if rows.is_empty() {
        document = document.para("Nothing waits.");
    } else {
        document = document.with(Block::Table { head: head(["waits for", "program", "by", "as of"]), rows });
    }
    match &viewer.progress {
        Some((work, done, of)) => {
            let text = format!("{work}: {done} of {of} matches are played.");
            Document { under_way: true, ..document.para(text) }
        }
        None => document,
    }
}

fn points(state: &State<Joust>) -> Document {
    let mut rows: Vec<(kernel::Num, Vec<Cell>)> = state
        .frame
        .seats
        .iter()
        .filter_map(|(id, seat)| {
            let points = state.world.get(&points::POINTS, id).unwrap_or_default();
            let member = contract::is_member(state, id);
            (member || !points.is_zero()).then(|| {
                let cell = Cell::new(points.to_string()).from_path(points::POINTS.of(id));
                let name = Cell::new(seat.name.clone()).completing(seat.name.clone());
                (points, vec![name, cell, Cell::new(if member { "" } else { "no member" })])
            })
        })
        .collect();
    rows.sort_by(|one, other| other.0.cmp(&one.0));
    let rows: Vec<Vec<Cell>> = rows.into_iter().map(|(_, row)| row).collect();
    let mut document = Document::titled("points", "Points");
    document = if rows.is_empty() {
        document.para("Nobody is a member yet: join.")
    } else {
        document.with(Block::Table { head: head(["player", "points", ""]), rows })
    };
    if let Some(award) = state.game.awards.get(&()).and_then(|awards| awards.last.as_ref()) {
        document = document.para(format!("The last award, for the week from {}:", minute(award.at)));
        if award.rows.is_empty() {
            document = document.para("No program was a Knight.");
        } else {
            document = document.with(points::table(state, award));
        }
    }
    document
}

fn members(state: &State<Joust>) -> Document {
    let cells: Vec<Cell> = contract::members(state)
        .map(|seat| state.frame.name_of(seat))
        .map(|name| Cell::new(name).completing(name))
        .collect();
    let holder = match state.game.contract().contestmaster.as_ref() {
        Some(seat) => format!("{} is contestmaster.", state.frame.name_of(seat)),
        None => "Nobody holds the office of contestmaster.".to_owned(),
    };
    let document = Document::titled("members", "Members");
    let document = if cells.is_empty() {
        document.para("Nobody is a member yet: join.")
    } else {
        document.with(Block::List(cells))
    };
    document.para(holder)
}

fn intents(state: &State<Joust>, now: Instant) -> Document {
    let row = |notice: &notices::Notice| {
        let window = match (notice.stands, notice.window(state)) {
            (Stands::Done { at }, _) => format!("done {}", minute(at)),
            (Stands::Spent { at }, _) => format!("spent {}", minute(at)),
            (Stands::Open, Ok((from, None))) => format!("from {}", minute(from)),
            (Stands::Open, Ok((_, Some(until)))) if until < now => format!("lapsed {}", minute(until)),
            (Stands::Open, Ok((from, Some(until)))) => format!("from {} to {}", minute(from), minute(until)),
            (Stands::Open, Err(_)) => "suspended".to_owned(),
        };
        vec![
            Cell::new(notice.id.to_string()).completing(notice.id.to_string()),
            Cell::new(notice.words(state)),
            Cell::new(window),
            Cell::new(match &notice.what {
                notices::What::Section(_) => notice.objections(state).to_string(),
                _ => String::new(),
            }),
        ]
    };
    let rows: Vec<_> = state.game.notices.values().rev().map(row).collect();
    let document = Document::titled("intents", "Announced intents");
    if rows.is_empty() {
        document.para("Nothing is announced.")
    } else {
        document.with(Block::Table { head: head(["notice", "what", "when", "objections"]), rows })
    }
}

fn contract(state: &State<Joust>) -> Document {
    let mut document = Document::titled("contract", "The contract").para(state.game.contract().stands());
    for rule in state.rules.rules() {
        document =
            document.para(format!("{}. {}", rule.number(), rule.label())).para(rule.text().visible().to_string());
    }
    document
}

/// The sections and the figures of the contract, which is what an intent can be about.
fn sections(state: &State<Joust>) -> Document {
    let sections: Vec<Cell> = state
        .rules
        .rules()
        .into_iter()
        .map(|rule| Cell::new(format!("{} ({})", rule.id(), rule.label())).completing(rule.id().to_string()))
        .collect();
    let row = |key: &LiveKey| {
        let name = key.key.trim_start_matches('@').to_owned();
        vec![Cell::new(name.clone()).completing(name), Cell::new(figure(state, key)), Cell::new(key.meaning)]
    };
    let rows = FIGURES.iter().map(row).collect();
    Document::titled("sections", "Sections and figures")
        .with(Block::List(sections))
        .with(Block::Table { head: head(["figure", "now", "meaning"]), rows })
}

fn figure(state: &State<Joust>, key: &LiveKey) -> String {
    fn tell<T>(live: Live<T>, text: impl FnOnce(T) -> String) -> String {
        match live {
            Live::Is { value, .. } => text(value),
            Live::Absent => "none".to_owned(),
            Live::Broken { text, .. } => format!("“{text}”, suspended"),
        }
    }
    match key.kind {
        NumKind::Name | NumKind::Word(_) => tell(state.rules.live_name(key), |name| name),
        NumKind::List => {
            tell(state.rules.live_list(key), |list| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }
        _ => tell(state.rules.live(key), |value| value.to_string()),
    }
}

fn programs(state: &State<Joust>, id: &str, title: &str, wanted: impl Fn(&Program) -> bool) -> Document {
    let all = state.game.programs.values().rev().filter(|program| wanted(program)).take(LIST_MAX_PROGRAMS);
    let row = |program: &Program| {
        vec![named(state, program), Cell::new(state.frame.name_of(&program.owner)), Cell::new(standing(state, program))]
    };
    let rows: Vec<_> = all.map(row).collect();
    let document = Document::titled(id, title);
    if rows.is_empty() {
        document.para("None.")
    } else {
        document.with(Block::Table { head: head(["program", "by", "stands"]), rows })
    }
}

/// Where a program stands, in a few words.
fn standing(state: &State<Joust>, program: &Program) -> String {
    match program.status {
        Status::Waiting => "waits for the start".to_owned(),
        Status::Held => "handed in by the contestmaster".to_owned(),
        Status::Retracted => "taken back".to_owned(),
        Status::Queued { challenge } => format!("waits for challenge {challenge}"),
        Status::Hill => match state.game.place(program.id) {
            Some(place) => format!("rank {} on the Hill", place.rank),
            None => "on the Hill".to_owned(),
        },
        Status::Missed { at } => format!("did not enter the Hill, {}", day(at)),
        Status::Dropped { at } => format!("dropped from the Hill, {}", day(at)),
    }
}

fn program(state: &State<Joust>, program: &Program, viewer: &Viewer) -> Document {
    let owner = state.frame.name_of(&program.owner);
    let mut facts = vec![
        standing(state, program),
        format!("received {}", minute(program.received)),
        format!("hash of its text: {}", program.hash),
    ];
    if let Some(place) = state.game.place(program.id) {
        facts.push(format!("on the Hill since {}", minute(place.since)));
        let touches = place.touches.map_or("no touches yet".to_owned(), |touches| {
            format!("{touches} {} in the last challenge", if touches == 1 { "touch" } else { "touches" })
        });
        facts.push(touches);
        if let (Some(score), Some(last)) = (&place.score, state.game.last()) {
            facts.push(format!("{} {} in the last challenge", scoring::shown(score), last.outcome.play.scoring.word()));
        }
        facts.push(format!("outlived {} by others", counted(place.outlived as usize, "challenge")));
        if let Some((is_one, since)) = knighthood(state, place, viewer.now) {
            let word = if is_one { "Knight since" } else { "Knight from" };
            facts.push(format!("{word} {}", minute(since)));
        }
        let months = super::reading::Figures::of(&state.rules).count(&super::figures::REVEAL_MONTHS);
        if let (None, Ok(months), false) = (program.revealed, months, place.reveal_called) {
            facts.push(format!("its code is published at {}", minute(months_after(place.since, months))));
        }
    }
    facts.push(match program.revealed {
        Some(at) => format!("its code is public since {}", minute(at)),
        None => "its code is not public".to_owned(),
    });
    let id = format!("program/{}", place(&state.game.handle(program)));
    let document = Document::titled(id, format!("{} by {owner} (#{})", program.name, program.id))
        .with(Block::List(facts.into_iter().map(Cell::new).collect()));
    let document = matches(state, program).into_iter().fold(document, Document::with);
    if programs::may_read(program, viewer) { document.with(programs::code(program)) } else { document }
}

/// How a program fared in the last challenge against each other one; nothing where it was not in it.
fn matches(state: &State<Joust>, program: &Program) -> Option<Block> {
    let last = &state.game.last()?.outcome;
    let row = |other: u64| {
        let made = last.touches(program.id, other)?;
        let suffered = last.touches(other, program.id)?;
        let score = Cell::new(format!("{made} to {suffered}")).showing(met(&state.game, program.id, other));
        Some(vec![named(state, state.game.program(other)?), score])
    };
    let rows: Vec<Vec<Cell>> = last.ranked.iter().filter_map(|standing| row(standing.program)).collect();
    let against = format!("against, in challenge {}", last.number);
    (!rows.is_empty()).then(|| Block::Table { head: vec![against, "touches".to_owned()], rows })
}

#[cfg(test)]
mod tests;
