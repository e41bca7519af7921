//! Tests: trying a program in private, outside challenges, without submitting it.
//!
//! This is the product's, not the contract's. Unlimited matches against hidden code would read it. So against hidden
//! programs a test tells one total and is rare. Against the bot's own, revealed and the asker's own programs it tells
//! everything (seed 000, J35). A test is long work that challenges go before. The tested text is sealed while it is
//! needed and destroyed afterwards.

use bfjoust::{Run, runs, span};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    contract,
    game::{D, Joust, Secret, Tables},
    names, places,
    play::{self, Bout, Job, Played, Tell, Told},
    playable, programs,
    reading::{CONTRACT, Figures},
    submission,
    tasks::awaited,
    tournament::{Lengths, Play},
};
use kernel::{
    Act, Id, Instant, Mechanic, Refusal, State,
    display::{Block, Cell, Document, cells, counted},
    table::Row,
    time::{minute, next_week, week_start},
    work::Work,
};

/// What the id of a test's work begins with; the test's number follows.
const WORK: &str = "test/";

/// Tests against hidden programs that one person has in a week. It is enough to see whether a program is any good, too
/// few to read code by probing it.
const HIDDEN_MAX_TESTS: u64 = 3;

/// Tests that wait in a room: beyond that the answer would come too late to be of use.
const WAITING_MAX_TESTS: usize = 50;

/// Lengths that a test plays; where the contract has more, they are taken at even distances.
const LENGTHS_MAX_COUNT: usize = 100;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("testing")
        .table::<Tester>()
        .table::<Test>()
        .act(Act::new("test", test).by(CONTRACT))
        .job(kernel::Job::new(WORK, awaited(work), play::play, finish))
}

kit::args! {
    /// The arguments of `test`.
    Ask {
        /// A program's text, or the name of one.
        code: Secret,
        /// The program to meet; all on the Hill where none is named.
        against: Option<String>,
    }
}

// ---- state

/// How often somebody tests against hidden programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Tester {
    /// The Monday of the last week in which they tested against hidden programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) week: Option<Instant>,
    /// How often in that week.
    pub(super) hidden: u64,
}

// Who tries what against whom is nobody else's business.
impl Row<Joust> for Tester {
    type Key = Id;
    const TABLE: &'static str = "testers";

    fn is_open(_: &Id, _: &State<Joust>) -> bool {
        false
    }
}

impl Row<Joust> for Test {
    type Key = u64;
    const TABLE: &'static str = "tests";

    fn is_open(_: &u64, _: &State<Joust>) -> bool {
        false
    }
}

/// A test that waits to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Test {
    /// Its number in the room, from 1.
    pub id: u64,
    /// Who asked.
    pub seat: Id,
    /// When.
    pub at: Instant,
    /// The tested program, where it is one of the room's.
    pub program: Option<u64>,
    /// The programs that it meets and about which everything may be told.
    pub open: Vec<u64>,
    /// Those about which only a total may be told.
    pub hidden: Vec<u64>,
    /// The lengths, each played once.
    pub lengths: Vec<usize>,
    /// The figures to play by.
    pub play: Play,
}

impl Test {
    fn secret(&self) -> Id {
        match self.program {
            Some(program) => format!("program/{program}").into(),
            None => format!("{WORK}{}", self.id).into(),
        }
    }
}

impl Tester {
    /// How many tests against hidden programs they made in the week of an instant.
    fn used(&self, at: Instant) -> u64 {
        if self.week == Some(week_start(at)) { self.hidden } else { 0 }
    }
}

/// A test waits.
fn receive(d: &mut D<'_>, test: Test) {
    if !test.hidden.is_empty() {
        let week = Some(week_start(test.at));
        d.upsert(&test.seat, |tester: &mut Tester| (tester.hidden, tester.week) = (tester.used(test.at) + 1, week));
    }
    let id = test.id;
    d.put(&id, test);
}

// ---- decide

/// Somebody tests a program.
///
/// # Errors
///
/// A [`Refusal`] in public, while another test of that person's runs, for what is no program, and beyond the week's tests
/// against hidden programs.
fn test(ask: Ask, d: &mut D<'_>) -> Result<Document, Refusal> {
    if d.public {
        return Err(Refusal::new("tests are made privately: the text would be read by everybody here")
            .instead("joust test CODE against PROGRAM"));
    }
    let seat = contract::seat(d)?;
    if d.rows::<Test>().values().any(|test| test.seat == seat) {
        return Err(Refusal::new("a test of yours runs already; its result comes to you privately"));
    }
    if d.rows::<Test>().len() >= WAITING_MAX_TESTS {
        return Err(Refusal::new(format!("{WAITING_MAX_TESTS} tests wait already; try again later")));
    }
    let (play, lengths) = playable::challenge(&d.rules)?;
    let id = d.next_number::<Test>();
    let program = tested(&ask.code.0, &seat, d)?;
    let (open, hidden) = opponents(ask.against.as_deref(), program, &seat, d)?;
    if !hidden.is_empty() {
        let used = d.rows::<Tester>().get(&seat).map_or(0, |tester| tester.used(d.at));
        if used >= HIDDEN_MAX_TESTS {
            return Err(Refusal::new(format!(
                "you made {used} tests against hidden programs this week; the next week begins at {}",
                minute(next_week(d.at))
            ))
            .by("REVEALING, J35")
            .instead(open_instead(&seat, d)));
        }
    }
    let warnings = match program {
        None => submission::warnings(&ask.code.0, play.notation),
        Some(_) => Vec::new(),
    };
    let test = Test { id, seat, at: d.at, program, open, hidden, lengths: spread(lengths), play };
    if program.is_none() {
        d.seal(test.secret(), ask.code.0.into_bytes());
    }
    let count = test.open.len() + test.hidden.len();
    receive(d, test);
    let reply =
        Document::say(format!("Test {id} against {}; its result comes to you privately.", counted(count, "run")));
    Ok(if warnings.is_empty() { reply } else { reply.para("It plays as it is, but:").with(Block::List(warnings)) })
}

/// The room's program that is to be tested; none where a text was sent.
fn tested(text: &str, seat: &Id, d: &D<'_>) -> Result<Option<u64>, Refusal> {
    let name = text.trim();
    if !names::is_program_name(name) && !names::is_program_number(name) {
        submission::parse(text, "joust test CODE", d)?;
        return Ok(None);
    }
    let program = programs::need(&d.tables, name)?;
    if !program.is_kept() {
        return Err(Refusal::new(format!(
            "the program {} was taken back, and nobody reads its text any more",
            program.name
        ))
        .by("CURRENT TOURNAMENT, J47")
        .instead("show yours"));
    }
    if programs::open_to(program, seat) {
        return Ok(Some(program.id));
    }
    Err(Refusal::new(format!("the program {} is somebody else's and not public", program.name)).by("REVEALING, J35"))
}

/// Whom the tested program meets: those about which everything may be told, and the others.
fn opponents(
    against: Option<&str>,
    tested: Option<u64>,
    seat: &Id,
    d: &D<'_>,
) -> Result<(Vec<u64>, Vec<u64>), Refusal> {
    let all: Vec<u64> = match against {
        Some(name) => {
            let program = programs::need(&d.tables, name)?;
            if !program.is_kept() {
                return Err(Refusal::new(format!("the program {} was taken back", program.name)).instead("hill"));
            }
            vec![program.id]
        }
        None => places::by_arrival(&d.tables),
    };
    let all: Vec<u64> = all.into_iter().filter(|program| Some(*program) != tested).collect();
    if all.is_empty() {
        return Err(Refusal::new("there is nobody to meet").instead("hill"));
    }
    let open =
        |program: &u64| programs::program(&d.tables, *program).is_some_and(|program| programs::open_to(program, seat));
    Ok(all.into_iter().partition(open))
}

/// What to type instead of a test that is beyond the week's: one against a program that hides nothing from the asker.
fn open_instead(seat: &Id, d: &D<'_>) -> String {
    let mut up = d.rows::<programs::Program>().values().filter(|program| program.is_up() && program.is_kept());
    match up.find(|program| programs::open_to(program, seat)) {
        Some(program) => format!("joust test CODE against {}", programs::handle(&d.tables, program)),
        None => "show programs".to_owned(),
    }
}

/// The lengths of the contract, each once, at even distances where there are many.
pub(super) fn spread(lengths: Lengths) -> Vec<usize> {
    let count = 2 * lengths.spread + 1;
    let step = count.div_ceil(LENGTHS_MAX_COUNT);
    lengths.all().step_by(step).collect()
}

// ---- work

/// The test that waits longest.
fn work(joust: &Tables) -> Option<Work> {
    let test = joust.rows::<Test>().values().next()?;
    let left = test.secret();
    let told = test.open.iter().map(|program| (program, Tell::All));
    let bouts: Vec<Bout> = told
        .chain(test.hidden.iter().map(|program| (program, Tell::Total)))
        .map(|(program, tell)| Bout {
            left: left.clone(),
            right: format!("program/{program}").into(),
            // A text that is not in the room yet would come last.
            exchanges_left: test.program.is_none_or(|tested| places::is_later(joust, tested, *program)),
            tell,
        })
        .collect();
    let secrets = std::iter::once(left).chain(bouts.iter().map(|bout| bout.right.clone())).collect();
    let task = serde_json::to_value(Job { lengths: test.lengths.clone(), play: test.play.clone(), bouts }).ok()?;
    Some(Work { id: format!("{WORK}{}", test.id).into(), task, secrets })
}

/// Tells the asker how it went.
fn finish(result: Json, d: &mut D<'_>) {
    let Some(test) = d.rows::<Test>().values().next().cloned() else { return };
    let document = match serde_json::from_value(result) {
        Ok(Played::Matches { matches, won }) if matches.len() == test.open.len() + test.hidden.len() => {
            report(d, &test, &matches, won)
        }
        Ok(Played::Missing(_)) => Document::say(format!("Test {} cannot be played: a text is gone.", test.id)),
        Ok(Played::Unreadable(_)) => {
            Document::say(format!("Test {} cannot be played: {}.", test.id, no_program(&test.play, d)))
        }
        Ok(Played::Matches { .. }) | Err(_) => return,
    };
    d.delete::<Test>(&test.id);
    if test.program.is_none() {
        d.unseal(test.secret());
    }
    // Whoever sits there by now need not be who sealed what this tells of.
    let of = std::iter::once(test.secret()).chain(test.open.iter().map(|program| format!("program/{program}").into()));
    d.tell_reader(&test.seat, of.collect(), document);
}

// ---- display

/// The result of a test, for the asker alone.
fn report(d: &D<'_>, test: &Test, matches: &[Told], won: usize) -> Document {
    let name = test.program.map_or_else(|| "your text".to_owned(), |program| programs::name_of(&d.tables, program));
    let mut document = Document::titled(String::new(), format!("Test {} of {name}", test.id)).para(format!(
        "One charge at each of {} lengths{}.",
        test.lengths.len(),
        polarities(test)
    ));
    let charges = play::charges(&test.lengths, &test.play).count();
    let (mut rows, mut single) = (Vec::new(), Vec::new());
    for (program, told) in test.open.iter().zip(matches) {
        let (own, other) = play::touches(&told.winners, &test.play);
        let count = |winner| told.winners.chars().filter(|held| *held == winner).count().to_string();
        rows.push(cells![
            programs::name_of(&d.tables, *program),
            format!("{own}:{other}"),
            count(play::LEFT),
            count(play::RIGHT),
            count(play::NOBODY),
        ]);
        let charges = play::charges(&test.lengths, &test.play).zip(told.winners.chars()).zip(&told.details);
        let charges: Vec<_> = charges.collect();
        for swapped in [false, true] {
            let some = charges.iter().filter(|((setup, _), _)| setup.swapped == swapped);
            let some =
                some.map(|((setup, winner), (cause, cycles))| (setup.length, (*winner, cause.as_str()), *cycles));
            for Run { lengths, how: (winner, cause), cycles } in runs(some) {
                let winner = match winner {
                    play::LEFT => "won",
                    play::RIGHT => "lost",
                    _ => "both lost",
                };
                let exchanged = if swapped { " exchanged" } else { "" };
                let cells = [span(lengths) + exchanged, winner.to_owned(), cause.to_owned(), span(cycles)];
                single.push(cells.map(Cell::new).to_vec());
            }
        }
    }
    if !rows.is_empty() {
        document = document.table(["against", "touches", "won", "lost", "both lost"], rows);
    }
    if let ([_], []) = (&test.open[..], &test.hidden[..]) {
        document = document.table(["lengths", "charge", "by", "cycles"], single);
    }
    match test.hidden.len() {
        0 => document,
        1 => document.para(format!("Against one hidden program: {} won of {}.", counted(won, "charge"), charges)),
        n => document.para(format!(
            "Against {n} hidden programs together: {} won of {}.",
            counted(won, "charge"),
            n * charges
        )),
    }
}

/// What each length is fought as, where that is more than once.
fn polarities(test: &Test) -> &'static str {
    match test.program {
        _ if test.play.polarities < 2 => "",
        None => ", and one more with + and - of your text exchanged, as a challenger's are",
        Some(_) => ", and one more with + and - exchanged of whichever of two came later",
    }
}

/// Why what was asked for cannot be played.
fn no_program(play: &Play, d: &D<'_>) -> &'static str {
    match Figures::of(&d.rules).notation() {
        Ok(now) if now == play.notation => "one of the two is no program as CURRENT TOURNAMENT reads now",
        _ => "one of the two was no program as CURRENT TOURNAMENT read when you asked",
    }
}

#[cfg(test)]
mod tests;
