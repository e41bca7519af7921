//! Looking at a charge, and at two programs length by length.
//!
//! Both are for programs that are open to the reader: a picture of the tape, cycles and causes give a program away
//! (J35). Where one is hidden, a breakdown tells what challenges told already, in totals. Nothing is recorded, and
//! nothing counts. The document holds a place for the picture, which the service fills: this file sees program text
//! only while it plays ([`play()`]). Programs that are not in the room are tried in `testing`.

use bfjoust::{Cause, Charge, Machine, Reason, Run, Setup, Side, play_cancellable, runs, span};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::{collections::BTreeSet, sync::atomic::Ordering};

use super::{
    game::{Joust, Tables},
    outcome::{self, Outcome},
    places::{self, Fought},
    play::{self, Bout, Codes, Lacking, Tell},
    playable,
    programs::{self, Program, part, two},
    testing,
    tournament::Play,
};
use kernel::{
    Asked, Display, Id, Mechanic, Refusal, State,
    display::{Block, Cell, Document, Picture, Raster, counted},
    viewer::Viewer,
    work::{Bench, Work},
};

/// What the ids of these works begin with; no room ever waits for one.
const WORK: &str = "look/";

/// Moments that a picture of a whole charge shows, side by side: as many as a screen does.
const COLUMNS_MAX_COUNT: u64 = 240;

/// Rows of a picture: longer tapes show several cells in one.
const ROWS_MAX_COUNT: usize = 340;

/// Cycles between two looks at whether to stop.
const CHUNK_CYCLES: u64 = 4096;

/// Cycles that are shown one by one, from a moment on.
const WINDOW_CYCLES: u64 = 120;

/// Pictures of a film, so that it ends while somebody looks; of a short charge each shows most of the one before.
const PICTURES_MAX_COUNT: u64 = 200;

/// Pictures of a charge that a film has cycle by cycle, the one before the first cycle among them.
const FILM_MAX_COUNT: usize = 20_001;

/// Moments of a charge that are told in words.
const MOMENTS_COUNT: u64 = 8;

/// What stands for the next symbol of a program that has none.
const ENDED: &str = "ended";

/// What stands for the cell of a pointer that has left the array.
const BEYOND: &str = "beyond";

/// Behind a length: its charge with `+` and `-` of the later program exchanged.
const EXCHANGED: char = 'x';

/// The clause that hides programs.
const HIDDEN: &str = "REVEALING, J35";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("watch")
        .job(kernel::Job::new(WORK, |_| None, play, |_, _| {}))
        .display(Display::of("watch", watch).fits(|parts| parts == 3 || parts == 4))
        .display(Display::of("film", filmed).fits(|parts| parts == 3))
        .display(Display::of("breakdown", breakdown).fits(|parts| parts == 2))
}

// ---- what is asked for

/// What is to be played for somebody who looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Look {
    /// A picture of one charge.
    Watch {
        pair: Pair,
        play: Play,
        length: usize,
        /// Whether `+` and `-` of the right side are exchanged.
        swapped: bool,
        /// The display that this is, without its moment.
        display: String,
        /// The cycle after which the picture begins, one cycle a column; else it shows the whole charge.
        at: Option<u64>,
    },
    /// One charge cycle by cycle, with the code of both programs, for whoever plays it as a film.
    Film {
        pair: Pair,
        play: Play,
        length: usize,
        swapped: bool,
        /// The display of its pictures.
        display: String,
    },
    /// Every length.
    Breakdown {
        pair: Pair,
        play: Play,
        lengths: Vec<usize>,
        /// Whether `+` and `-` of the left side are exchanged where each length is fought twice; else the right side's.
        exchanges_left: bool,
        /// The display of a charge of theirs, without its length.
        watch: String,
    },
}

/// Two programs: where each is sealed, and what finds it, since two may have the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pair {
    left: (Id, String),
    right: (Id, String),
}

impl Pair {
    fn of(left: &Program, right: &Program, game: &Tables) -> Self {
        let one = |program: &Program| (program.secret(), programs::handle(game, program));
        Self { left: one(left), right: one(right) }
    }

    fn ids(&self) -> Vec<Id> {
        vec![self.left.0.clone(), self.right.0.clone()]
    }

    fn title(&self) -> String {
        format!("{} against {}", self.left.1, self.right.1)
    }
}

// ---- display

/// A charge between two programs at a length, as a whole or from the moment after some cycles on. Where each length is
/// fought twice, [`EXCHANGED`] behind it means the second time.
///
/// # Errors
///
/// A [`Refusal`] where a program hides from the viewer, and for what is no length or cycle of a charge.
fn watch(state: &State<Joust>, asked: Asked<'_>) -> Result<Document, Refusal> {
    charge(state, asked, false)
}

/// A charge cycle by cycle, with the code of both.
///
/// # Errors
///
/// As [`watch`].
fn filmed(state: &State<Joust>, asked: Asked<'_>) -> Result<Document, Refusal> {
    charge(state, asked, true)
}

fn charge(state: &State<Joust>, asked: Asked<'_>, is_film: bool) -> Result<Document, Refusal> {
    let (game, viewer) = (&state.tables, asked.viewer);
    let mut parts = asked.rest.split('/');
    let [left, right, length] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let at = parts.next();
    let (left, right) = (programs::need(game, left)?, programs::need(game, right)?);
    let (one, other) = (programs::handle(game, left), programs::handle(game, right));
    let hidden: Vec<&Program> = [left, right].into_iter().filter(|program| !is_open(program, viewer)).collect();
    let is_own = |program: &Program| viewer.seat.as_ref() == Some(&program.owner);
    // What cannot be helped by asking privately comes first.
    if let Some(program) = hidden.iter().find(|program| !is_own(program)).or(hidden.first()) {
        let refusal = if is_own(program) {
            let at = at.map(|at| format!(" {at}")).unwrap_or_default();
            Refusal::new(format!("watch {} privately, because it is not public", program.name))
                .instead(format!("joust watch {one} {other} {length}{at}"))
        } else {
            let instead = match last_met(state, left, right) {
                Some(_) => format!("joust breakdown {one} {other}"),
                None => test_instead(state, left, right, viewer),
            };
            Refusal::new(format!("the code of {} is hidden, and whoever watches it reads it", program.name))
                .instead(instead)
        };
        return Err(refusal.by(HIDDEN));
    }
    let (play, lengths) = playable::challenge(&state.rules)?;
    let (cells, swapped) = match length.strip_suffix(EXCHANGED) {
        Some(cells) if play.polarities > 1 => (cells, true),
        _ => (length, false),
    };
    let Some(cells) = cells.parse::<usize>().ok().filter(|cells| lengths.all().contains(cells)) else {
        let also = if play.polarities > 1 {
            format!("; with {EXCHANGED} behind, + and - are exchanged of the program that came later")
        } else {
            String::new()
        };
        let say = format!("an array has {} to {} cells{also}", lengths.all().start(), lengths.all().end());
        return Err(Refusal::new(say)
            .by("CURRENT TOURNAMENT, J55")
            .instead(format!("joust watch {one} {other} {}", lengths.middle)));
    };
    let cycle = |text: &str| text.parse::<u64>().ok().filter(|cycle| *cycle <= play.cycle_limit);
    let at = match at.map(|text| cycle(text).ok_or(text)) {
        None => None,
        Some(Ok(cycle)) => Some(cycle),
        Some(Err(_)) => {
            return Err(Refusal::new(format!("a charge has cycles from 0 to {}", play.cycle_limit))
                .by("CURRENT TOURNAMENT, J71")
                .instead(format!("joust watch {one} {other} {length}")));
        }
    };
    // Whose signs are exchanged stands on the right, as in a challenge.
    let is_turned = swapped && places::is_later(&state.tables, left.id, right.id);
    let (left, right, one, other) = if is_turned { (right, left, other, one) } else { (left, right, one, other) };
    let display = format!("watch/{}/{}/{length}", one.trim_start_matches('#'), other.trim_start_matches('#'));
    let pair = Pair::of(left, right, game);
    let id = at.map_or_else(|| display.clone(), |at| format!("{display}/{at}"));
    let id = if is_film { display.replacen("watch", "film", 1) } else { id };
    let how = if swapped { format!(", + and - of {} exchanged", pair.right.1) } else { String::new() };
    let title = format!("{} on {cells} cells{how}", pair.title());
    let ids = pair.ids();
    let look = match is_film {
        true => Look::Film { pair, play, length: cells, swapped, display },
        false => Look::Watch { pair, play, length: cells, swapped, display, at },
    };
    Ok(Document::titled(id, title).with(place(&look, ids)))
}

/// Where two programs that hide nothing can be looked at more closely; nothing where one hides.
pub(super) fn links(state: &State<Joust>, left: &Program, right: &Program, viewer: &Viewer) -> Option<Block> {
    if !is_open(left, viewer) || !is_open(right, viewer) {
        return None;
    }
    let (_, lengths) = playable::challenge(&state.rules).ok()?;
    let pair = format!("{}/{}", part(&state.tables, left), part(&state.tables, right));
    let link = |text: String, display: String| Cell::new(format!("{text}: ⁅show {display}⁆")).showing(display);
    Some(Block::List(vec![
        link("Every length".to_owned(), format!("breakdown/{pair}")),
        link(format!("Watch it on {} cells", lengths.middle), format!("watch/{pair}/{}", lengths.middle)),
        link("The same as a film".to_owned(), format!("film/{pair}/{}", lengths.middle)),
    ]))
}

/// A picture of a whole charge between two programs on the middle length; nothing where one hides.
pub(super) fn film(state: &State<Joust>, left: &Program, right: &Program, viewer: &Viewer) -> Option<Block> {
    if !is_open(left, viewer) || !is_open(right, viewer) {
        return None;
    }
    let (play, lengths) = playable::challenge(&state.rules).ok()?;
    let pair = Pair::of(left, right, &state.tables);
    let (one, other, length) = (part(&state.tables, left), part(&state.tables, right), lengths.middle);
    let (display, ids) = (format!("watch/{one}/{other}/{length}"), pair.ids());
    Some(place(&Look::Watch { pair, play, length, swapped: false, display, at: None }, ids))
}

/// Whether a program hides nothing from whoever looks: the bot's own are public with its source (J35).
fn is_open(program: &Program, viewer: &Viewer) -> bool {
    (program.house && program.is_kept()) || programs::may_read(program, viewer)
}

/// Two programs length by length, or, where one is hidden, what their last challenge told.
///
/// # Errors
///
/// A [`Refusal`] where one is hidden and they met in no challenge.
fn breakdown(state: &State<Joust>, asked: Asked<'_>) -> Result<Document, Refusal> {
    let (game, viewer) = (&state.tables, asked.viewer);
    let (left, right) = two(asked.rest);
    let (left, right) = (programs::need(game, left)?, programs::need(game, right)?);
    let pair = Pair::of(left, right, game);
    let title = format!("{}, broken down", pair.title());
    let document = Document::titled(format!("breakdown/{}/{}", part(game, left), part(game, right)), title);
    if is_open(left, viewer) && is_open(right, viewer) {
        let (play, lengths) = playable::challenge(&state.rules)?;
        let ids = pair.ids();
        let lengths = testing::spread(lengths);
        let exchanges_left = places::is_later(&state.tables, left.id, right.id);
        let watch = format!("watch/{}/{}", part(game, left), part(game, right));
        return Ok(document.with(place(&Look::Breakdown { pair, play, lengths, exchanges_left, watch }, ids)));
    }
    let hidden = if is_open(left, viewer) { right } else { left };
    let Some((outcome, met)) = last_met(state, left, right) else {
        let say = format!("the code of {} is hidden, and no challenge that is kept told about both", hidden.name);
        return Err(Refusal::new(say).by(HIDDEN).instead(test_instead(state, left, right, viewer)));
    };
    let own = if met.left == left.id { play::LEFT } else { play::RIGHT };
    let count = |wanted: fn(char, char) -> bool| {
        counted(met.winners.chars().filter(|winner| wanted(*winner, own)).count(), "charge")
    };
    Ok(document
        .para(format!(
            "In challenge {} {} won {}, {} won {}, and both lost {}.",
            outcome.number,
            pair.left.1,
            count(|winner, own| winner == own),
            pair.right.1,
            count(|winner, own| winner != own && winner != play::NOBODY),
            count(|winner, _| winner == play::NOBODY),
        ))
        .para(format!(
            "That is all, because {} is hidden ({HIDDEN}): causes and cycles would tell its code.",
            hidden.name
        )))
}

/// The last challenge that two programs met in, where it is kept, and how their match ended.
fn last_met<'a>(state: &'a State<Joust>, left: &Program, right: &Program) -> Option<(&'a Outcome, &'a outcome::Pair)> {
    let met = places::met(&state.tables, left.id, right.id)?;
    let outcome = &state.rows::<Fought>().values().find(|fought| fought.seq == met)?.outcome;
    Some((outcome, outcome.pair(left.id, right.id)?))
}

/// The test that tells somebody more about two programs of which one is hidden.
fn test_instead(state: &State<Joust>, left: &Program, right: &Program, viewer: &Viewer) -> String {
    let may_test = |program: &Program| viewer.seat.as_ref().is_some_and(|seat| programs::open_to(program, seat));
    let (one, other) = (programs::handle(&state.tables, left), programs::handle(&state.tables, right));
    match (may_test(left), may_test(right)) {
        (true, _) => format!("joust test {one} against {other}"),
        (false, true) => format!("joust test {other} against {one}"),
        (false, false) => format!("joust test CODE against {one}"),
    }
}

fn place(look: &Look, secrets: Vec<Id>) -> Block {
    let task = serde_json::to_value(look).unwrap_or_default();
    Block::Played { work: Work { id: WORK.into(), task, secrets } }
}

// ---- work

/// Plays what somebody looks at: a document, or nothing when it was told to stop.
fn play(work: &Work, bench: &Bench<'_>) -> Option<Json> {
    let look: Look = serde_json::from_value(work.task.clone()).ok()?;
    let document = match &look {
        Look::Watch { pair, play, length, swapped, display, at } => {
            picture(pair, play, Setup { length: *length, swapped: *swapped }, display, *at, bench)
        }
        Look::Film { pair, play, length, swapped, display } => {
            cycle_by_cycle(pair, play, Setup { length: *length, swapped: *swapped }, display, bench)
        }
        Look::Breakdown { pair, play, lengths, exchanges_left, watch } => {
            every_length(pair, play, lengths, (*exchanges_left, watch), bench)
        }
    };
    serde_json::to_value(document?).ok()
}

fn lacking(pair: &Pair, lacking: &Lacking) -> Document {
    let Lacking::Programs(ids) = lacking else { return Document::say("It cannot be played: a text is gone.") };
    let named = [&pair.left, &pair.right].into_iter().find(|(id, _)| ids.contains(id));
    let name = named.map_or("one of the two", |(_, name)| name);
    Document::say(format!("It cannot be played: {name} is no program as CURRENT TOURNAMENT reads now."))
}

fn every_length(
    pair: &Pair,
    play: &Play,
    lengths: &[usize],
    (exchanges_left, watch): (bool, &str),
    bench: &Bench<'_>,
) -> Option<Document> {
    let codes = match Codes::open(&pair.ids(), play, bench) {
        Ok(codes) => codes,
        Err(why) => return Some(lacking(pair, &why)),
    };
    let (left, right) = (pair.left.0.clone(), pair.right.0.clone());
    let bout = Bout { left, right, exchanges_left, tell: Tell::All };
    let outcomes = codes.bout(&bout, &lengths.iter().copied().collect::<BTreeSet<_>>(), play, bench)?;
    let causes = codes.causes(&bout, &outcomes, play, bench)?;
    let charges: Vec<(Setup, Charge)> = outcomes.into_iter().collect();
    let won = |side| charges.iter().filter(|(_, charge)| charge.winner == side).count();
    let (left, right) = (won(Some(Side::Left)), won(Some(Side::Right)));
    let (one, other) = (&pair.left.1, &pair.right.1);
    let mut document = Document::default().para(format!(
        "{one} wins {}, {other} wins {}, and both lose {}.",
        counted(left, "charge"),
        counted(right, "charge"),
        counted(won(None), "charge")
    ));
    for swapped in [false, true] {
        let some: Vec<_> = charges.iter().filter(|(setup, _)| setup.swapped == swapped).collect();
        if some.is_empty() {
            continue;
        }
        if swapped {
            let exchanged = if exchanges_left { one } else { other };
            document = document.para(format!("With + and - of {exchanged} exchanged:"));
        }
        let charges =
            some.iter().map(|(setup, charge)| (setup.length, (charge.winner, causes.get(setup)), charge.cycles));
        let row = |Run { lengths, how: (winner, cause), cycles }: Run<(Option<Side>, Option<&Cause>)>| {
            let winner = match winner {
                Some(Side::Left) => one,
                Some(Side::Right) => other,
                None => "nobody",
            };
            let mark = if swapped { EXCHANGED.to_string() } else { String::new() };
            let first = Cell::new(span(lengths)).showing(format!("{watch}/{}{mark}", lengths.0));
            let cause = cause.map(Cause::to_string).unwrap_or_default();
            let rest = [winner.to_owned(), cause, span(cycles)].map(Cell::new);
            std::iter::once(first).chain(rest).collect()
        };
        document = document.table(["lengths", "won by", "by", "cycles"], runs(charges).into_iter().map(row));
    }
    Some(document)
}

/// A charge in the lines of a film, and the code of both programs as the film's symbols have it.
fn cycle_by_cycle(pair: &Pair, play: &Play, setup: Setup, display: &str, bench: &Bench<'_>) -> Option<Document> {
    let codes = match Codes::open(&pair.ids(), play, bench) {
        Ok(codes) => codes,
        Err(why) => return Some(lacking(pair, &why)),
    };
    let (left, right) = codes.both(&pair.left.0, &pair.right.0)?;
    let rules = play::rules(play);
    let charge = *play_cancellable(left, right, &[setup], &rules, bench.stop)?.first()?;
    let frames = bfjoust::trace(left, right, setup, &rules).take(FILM_MAX_COUNT);
    let lines: Vec<String> = bfjoust::film(frames).collect();
    let code = |lang: &str, text: String| Block::Code { lang: lang.to_owned(), text };
    let mut document = Document::default().para(how_it_ends(pair, &charge));
    if usize::try_from(charge.cycles).is_ok_and(|cycles| cycles >= FILM_MAX_COUNT) {
        document = document.para(format!("The film shows its first {} cycles.", FILM_MAX_COUNT - 1));
    }
    let link = Cell::new(format!("In pictures: ⁅show {display}⁆")).showing(display);
    document = document.with(Block::List(vec![link])).with(code("film", lines.join("\n")));
    document = document.para(&*pair.left.1).with(code("bf", left.code()));
    Some(document.para(&*pair.right.1).with(code("bf", right.code())))
}

/// The tape over time, cells from above to below and cycles from left to right.
fn picture(
    pair: &Pair,
    play: &Play,
    setup: Setup,
    display: &str,
    at: Option<u64>,
    bench: &Bench<'_>,
) -> Option<Document> {
    let codes = match Codes::open(&pair.ids(), play, bench) {
        Ok(codes) => codes,
        Err(why) => return Some(lacking(pair, &why)),
    };
    let (left, right) = codes.both(&pair.left.0, &pair.right.0)?;
    let rules = play::rules(play);
    let charge = *play_cancellable(left, right, &[setup], &rules, bench.stop)?.first()?;
    let mut machine = Machine::set_up(left, right, setup, &rules);
    let length = setup.length;
    let end = charge.cycles;
    let from = at.unwrap_or(0).min(end);
    let (until, step) = match at {
        None => (end, end / COLUMNS_MAX_COUNT + 1),
        Some(_) => (end.min(from.saturating_add(WINDOW_CYCLES)), 1),
    };
    let cells_in_row = length.div_ceil(ROWS_MAX_COUNT);
    let mut rows = vec![String::new(); length.div_ceil(cells_in_row)];
    let mut columns = 0_usize;
    let (mut told, mut now) = (Vec::new(), None);
    let moment_step = ((until - from) / MOMENTS_COUNT).max(1);
    loop {
        let cycle = machine.cycle();
        if cycle.is_multiple_of(CHUNK_CYCLES) && bench.stop.load(Ordering::Relaxed) {
            return None;
        }
        if cycle >= from {
            let since = cycle - from;
            if since.is_multiple_of(step) || cycle == until {
                draw(&machine, cells_in_row, &mut rows);
                columns += 1;
            }
            if since == 0 {
                now = Some(moment(&machine));
            }
            if since.is_multiple_of(moment_step) || cycle == until {
                told.push(moment(&machine));
            }
        }
        if cycle >= until {
            break;
        }
        machine.step();
        if machine.cycle() == cycle {
            break;
        }
    }
    let (one, other) = (&pair.left.1, &pair.right.1);
    let raster = Raster {
        rows,
        row_names: [0, length / 2, length - 1].map(|cell| (cell / cells_in_row, cell.to_string())).to_vec(),
        column_names: vec![(0, from.to_string()), (columns.saturating_sub(1), until.to_string())],
        things: (one.clone(), other.clone()),
    };
    let mut document =
        Document::default().para(how_it_ends(pair, &charge)).with(Block::Picture(Picture::Raster(raster)));
    if let (Some(_), Some(now)) = (at, &now) {
        document = document.para(format!("After cycle {from}, of {end}: {}", in_words(pair, now)));
    }
    document = document.table(["after cycle", one, "on cell", other, "on cell", "flags"], told);
    let link = |text: &str, display: String| Cell::new(format!("{text}: ⁅show {display}⁆")).showing(display);
    let to = |cycle: u64, text: &str| link(text, format!("{display}/{cycle}"));
    let mut links = Vec::new();
    match at {
        None => {
            links.push(link("As a film", display.replacen("watch", "film", 1)));
            links.push(to(0, "Cycle by cycle"));
        }
        Some(_) => {
            links.push(link("The whole charge", display.to_owned()));
            if from > 0 {
                links.push(to(from.saturating_sub(WINDOW_CYCLES), &format!("Back {WINDOW_CYCLES} cycles")));
                links.push(to(from - 1, "Back one cycle"));
            }
            if from < end {
                links.push(to(from + 1, "On one cycle"));
                links.push(to((from + WINDOW_CYCLES).min(end), &format!("On {WINDOW_CYCLES} cycles")));
                links.push(to(end.saturating_sub(WINDOW_CYCLES), "The end"));
            }
        }
    }
    document = document.with(Block::List(links));
    // A film goes on until its picture holds the end.
    if at.is_none() || until < end {
        let next = if at.is_none() { 0 } else { from + (end / PICTURES_MAX_COUNT).max(WINDOW_CYCLES / 4) };
        document.plays = Some(format!("{display}/{next}"));
    }
    Some(document)
}

/// Adds a column: each row the cell in it that a pointer is on, else the first that is not 0.
fn draw(machine: &Machine, cells_in_row: usize, rows: &mut [String]) {
    let pointers = [Side::Left, Side::Right].map(|side| machine.pointer(side));
    for (row, cells) in machine.cells().chunks(cells_in_row).enumerate() {
        let first = row * cells_in_row;
        let is_on =
            |pointer: isize| usize::try_from(pointer).is_ok_and(|at| (first..first + cells.len()).contains(&at));
        rows[row].push(match pointers.map(is_on) {
            [true, true] => 'X',
            [true, false] => 'L',
            [false, true] => 'R',
            [false, false] => match cells.iter().find(|cell| **cell != 0) {
                Some(value) => char::from(b'a' + value / 32),
                None => '.',
            },
        });
    }
}

/// A moment as a row of the table.
fn moment(machine: &Machine) -> Vec<Cell> {
    let cells = machine.cells();
    let side = |side| {
        let symbol = machine.symbol(side).map_or_else(|| ENDED.to_owned(), |symbol| symbol.to_string());
        let at = machine.pointer(side);
        let on = match usize::try_from(at).ok().and_then(|at| cells.get(at)) {
            Some(value) => format!("{at} ({value})"),
            None => BEYOND.to_owned(),
        };
        [symbol, on]
    };
    let flag = |value: Option<&u8>| value.map_or(0, |value| *value);
    let flags = format!("{} {}", flag(cells.first()), flag(cells.last()));
    let row =
        std::iter::once(machine.cycle().to_string()).chain(side(Side::Left)).chain(side(Side::Right)).chain([flags]);
    row.map(Cell::new).collect()
}

fn in_words(pair: &Pair, moment: &[Cell]) -> String {
    let [_, one, one_on, other, other_on, flags] = moment else { return String::new() };
    let side = |name: &str, on: &Cell, symbol: &Cell| {
        let next = if symbol.text == ENDED { "has ended".to_owned() } else { format!("plays {} next", symbol.text) };
        let place = if on.text == BEYOND { "has left the array".to_owned() } else { format!("is on cell {}", on.text) };
        format!("{name} {place} and {next}")
    };
    format!(
        "{}; {}; the flags are at {}.",
        side(&pair.left.1, one_on, one),
        side(&pair.right.1, other_on, other),
        flags.text.replace(' ', " and ")
    )
}

fn how_it_ends(pair: &Pair, charge: &Charge) -> String {
    let cycles = charge.cycles;
    let Some(winner) = charge.winner else {
        return match charge.reason {
            Reason::Both => format!("Both lose in cycle {cycles}."),
            _ => format!("Nobody has won after {cycles} cycles, and both lose."),
        };
    };
    let (won, lost) = match winner {
        Side::Left => (&pair.left.1, &pair.right.1),
        Side::Right => (&pair.right.1, &pair.left.1),
    };
    match charge.reason {
        Reason::Edge => format!("{won} wins in cycle {cycles}: {lost} leaves the array."),
        _ => format!("{won} wins in cycle {cycles}: the flag of {lost} is 0."),
    }
}

#[cfg(test)]
mod tests;
