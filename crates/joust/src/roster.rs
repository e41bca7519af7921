//! Displays of the programs that the room knows: lists of them, and a page of each.
//!
//! A page holds a program's text only for those who may read it. Matches are shown in `matches`, the Hill in `hill`.

use super::{
    figures,
    game::Joust,
    knights, places,
    programs::{self, Program, Status, code, may_read, met, named, need, part, part_of},
    reading::Figures,
    scoring,
};
use kernel::{
    Display, Mechanic, State,
    display::{Block, Cell, Document, counted},
    mechanic::listing,
    time::{day, minute, months_after},
    viewer::Viewer,
};

/// Programs that a list shows, the latest first: what commands can name.
const LIST_MAX_PROGRAMS: usize = 1000;

/// Programs that the list of displays shows, the latest first: what anybody would look at unasked.
const DISPLAYS_MAX_PROGRAMS: usize = 50;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let all = Display::new("programs", |state, _| Ok(list(state, "programs", "Programs", |_| true)));
    let one = Display::of("program", |state: &State<Joust>, asked| {
        Ok(show(state, need(&state.tables, asked.rest)?, asked.viewer))
    });
    let own = Display::new("yours", |state, asked| {
        Ok(list(state, "yours", "Your programs", |program| asked.viewer.seat.as_ref() == Some(&program.owner)))
    });
    Mechanic::new("roster")
        .display(all.listed(8))
        .display(one.fits(|parts| parts == 1).beside(9, latest))
        // It can be looked at in public, too. What it shows depends on who looks, so that no list leads to it.
        .display(own.beside(10, |_| vec![Cell::named("yours")]))
}

// ---- display

/// The displays of the latest programs.
fn latest(state: &State<Joust>) -> Vec<Cell> {
    let programs = state.rows::<Program>().values().rev().take(DISPLAYS_MAX_PROGRAMS);
    programs.map(|program| listing(&format!("program/{}", program.name))).collect()
}

/// Programs in a list, the latest first.
fn list(state: &State<Joust>, id: &str, title: &str, wanted: impl Fn(&Program) -> bool) -> Document {
    let all = state.rows::<Program>().values().rev().filter(|program| wanted(program)).take(LIST_MAX_PROGRAMS);
    let row = |program: &Program| {
        vec![named(state, program), Cell::new(state.frame.name_of(&program.owner)), Cell::new(standing(state, program))]
    };
    let rows = all.map(row);
    let document = Document::titled(id, title);
    document.table_or("None.", ["program", "by", "stands"], rows)
}

/// Where a program stands, in a few words.
fn standing(state: &State<Joust>, program: &Program) -> String {
    match program.status {
        Status::Waiting => "waits for the start".to_owned(),
        Status::Held => "handed in by the contestmaster".to_owned(),
        Status::Retracted => "taken back".to_owned(),
        Status::Queued { challenge } => format!("waits for challenge {challenge}"),
        Status::Hill => match places::place(&state.tables, program.id) {
            Some(place) => format!("rank {} on the Hill", place.rank),
            None => "on the Hill".to_owned(),
        },
        Status::Missed { at } => format!("did not enter the Hill, {}", day(at)),
        Status::Dropped { at } => format!("dropped from the Hill, {}", day(at)),
    }
}

/// A program, and its text where the viewer may read it.
fn show(state: &State<Joust>, program: &Program, viewer: &Viewer) -> Document {
    let owner = state.frame.name_of(&program.owner);
    let mut facts = vec![
        standing(state, program),
        format!("received {}", minute(program.received)),
        format!("hash of its text: {}", program.hash),
    ];
    if let Some(place) = places::place(&state.tables, program.id) {
        facts.push(format!("on the Hill since {}", minute(place.since)));
        let touches = place.touches.map_or("no touches yet".to_owned(), |touches| {
            format!("{touches} {} in the last challenge", if touches == 1 { "touch" } else { "touches" })
        });
        facts.push(touches);
        if let (Some(score), Some(last)) = (&place.score, places::last(&state.tables)) {
            facts.push(format!("{} {} in the last challenge", scoring::shown(score), last.outcome.play.scoring.word()));
        }
        facts.push(format!("outlived {} by others", counted(place.outlived as usize, "challenge")));
        if let Some((is_one, since)) = knights::knighthood(state, place, viewer.now) {
            let word = if is_one { "Knight since" } else { "Knight from" };
            facts.push(format!("{word} {}", minute(since)));
        }
        let months = Figures::of(&state.rules).count(&figures::REVEAL_MONTHS);
        if let (None, Ok(months), false) = (program.revealed, months, place.reveal_called) {
            facts.push(format!("its code is published at {}", minute(months_after(place.since, months))));
        }
    }
    facts.push(match program.revealed {
        Some(at) => format!("its code is public since {}", minute(at)),
        None => "its code is not public".to_owned(),
    });
    let id = format!("program/{}", part(&state.tables, program));
    let document = Document::titled(id, format!("{} by {owner} (#{})", program.name, program.id))
        .with(Block::List(facts.into_iter().map(Cell::new).collect()));
    let document = matches(state, program).into_iter().fold(document, Document::with);
    if may_read(program, viewer) { document.with(code(program)) } else { document }
}

/// How a program fared in the last challenge against each other one; nothing where it was not in it.
fn matches(state: &State<Joust>, program: &Program) -> Option<Block> {
    let last = &places::last(&state.tables)?.outcome;
    let own = part(&state.tables, program);
    let row = |other: u64| {
        let made = last.touches(program.id, other)?;
        let suffered = last.touches(other, program.id)?;
        let score = Cell::new(format!("{made} to {suffered}")).showing(met(&own, &part_of(&state.tables, other)));
        Some(vec![named(state, programs::program(&state.tables, other)?), score])
    };
    let rows: Vec<Vec<Cell>> = last.ranked.iter().filter_map(|standing| row(standing.program)).collect();
    let against = format!("against, in challenge {}", last.number);
    (!rows.is_empty()).then(|| Block::table(vec![against, "touches".to_owned()], rows))
}
