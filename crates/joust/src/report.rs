//! The weekly report of the Hill: who beats whom where, who rises and falls, and the closest joust.
//!
//! It is a display that posts itself each Monday at 00:00 UTC (J14), once the awards of that instant are made. Like them
//! it waits for what is deemed to happen before (J29, J74). It does not post itself where no challenge was played since
//! the last time. Nothing is ruled by it. What a place on the Hill does not tell is kept here: who was first for how
//! long, the ranks of past weeks, and the closest match of the week. For only the last challenge of a room is kept with
//! its table of pairs.

use serde::{Deserialize, Serialize};

use super::{
    challenge, contract,
    game::{D, Joust, Tables},
    matches,
    outcome::Outcome,
    phases,
    places::{self, Place},
    play,
    programs::{self, Program, Status},
    tasks, watch,
};
use kernel::{
    Display, Instant, Mechanic, Refusal, State,
    display::{Block, Cell, Chart, Document, Picture},
    entry::{Audience, Due},
    mechanic::{Fate, Lapse, Phase, listing},
    table::Row,
    time::{between, day, next_week},
    viewer::Viewer,
};

/// Weeks whose ranks are kept: half a year, in as many columns as a screen has.
const WEEKS_MAX_COUNT: usize = 26;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let lapses =
        |_: &State<Joust>, due: &Due| Lapse { what: format!("the report of {}", day(due.at)), fate: Fate::Never };
    Mechanic::new("report")
        .table::<Chronicle>()
        .settle(settle)
        .phase(Phase::new(phases::REPORT, next_due, |due, d| post(d, due.at)).lapse(|_, d| lapse(d)).fate(lapses))
        // It is listed once there is something to tell.
        .display(Display::new("report", |state, asked| show(state, asked.viewer)).beside(2, |state| {
            let is_told = chronicle(&state.tables).seen > 0;
            is_told.then(|| listing("report")).into_iter().collect()
        }))
}

// ---- state

/// What the places on the Hill do not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
struct Chronicle {
    /// The last challenge that was looked at, and the last one that was reported.
    seen: u64,
    reported: u64,
    /// Who is first, and since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<(u64, Instant)>,
    /// The longest that somebody was first and is no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    reign: Option<Reign>,
    /// The closest match since the last report.
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<Closest>,
    /// The ranks at each report, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weeks: Vec<Week>,
}

impl Row<Joust> for Chronicle {
    type Key = ();
    const TABLE: &'static str = "chronicle";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
struct Reign {
    program: u64,
    since: Instant,
    until: Instant,
}

impl Reign {
    fn seconds(self) -> i64 {
        self.until.as_second().saturating_sub(self.since.as_second())
    }
}

/// A match, with the charges that each side won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
struct Closest {
    challenge: u64,
    left: u64,
    right: u64,
    won: (usize, usize),
}

impl Closest {
    /// The closest match of a challenge: the least margin, and of equals the most charges that somebody won.
    fn of(outcome: &Outcome) -> Option<Closest> {
        let matches = outcome.pairs.iter().map(|pair| {
            let won = |side| pair.winners.chars().filter(|winner| *winner == side).count();
            let won = (won(play::LEFT), won(play::RIGHT));
            Closest { challenge: outcome.number, left: pair.left, right: pair.right, won }
        });
        matches.filter(|found| found.won != (0, 0)).min_by_key(Closest::order)
    }

    fn order(&self) -> (usize, std::cmp::Reverse<usize>) {
        (self.won.0.abs_diff(self.won.1), std::cmp::Reverse(self.won.0 + self.won.1))
    }
}

/// The programs on the Hill on a Monday, best first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
struct Week {
    at: Instant,
    ranked: Vec<u64>,
}

fn chronicle(joust: &Tables) -> Chronicle {
    joust.rows::<Chronicle>().get(&()).cloned().unwrap_or_default()
}

fn ranked(joust: &Tables) -> Vec<u64> {
    places::ranked(joust).into_iter().map(|place| place.program).collect()
}

// ---- decide

/// Takes note of a challenge that was played, and of another program that is first.
fn settle(d: &mut D<'_>) -> bool {
    let mut now = chronicle(&d.tables);
    let before = now.clone();
    let as_of = as_of(&now, d);
    if let Some(fought) = places::last(&d.tables).filter(|fought| fought.outcome.number > now.seen) {
        let last = (now.seen > now.reported).then_some(now.closest).flatten();
        now.closest = last.into_iter().chain(Closest::of(&fought.outcome)).min_by_key(Closest::order);
        now.seen = fought.outcome.number;
    }
    let first = ranked(&d.tables).first().copied();
    if first != now.first.map(|(program, _)| program) {
        if let Some((program, since)) = now.first {
            let reign = Reign { program, since, until: as_of };
            now.reign = now.reign.filter(|longest| longest.seconds() >= reign.seconds()).or(Some(reign));
        }
        now.first = first.map(|program| (program, as_of));
    }
    if now == before {
        return false;
    }
    d.upsert::<Chronicle>(&(), |kept| *kept = now);
    true
}

/// As of when another program is first, where one is. It is when what made it so is deemed to have happened, however late
/// that was computed (J29).
fn as_of(kept: &Chronicle, d: &D<'_>) -> Instant {
    if let Some(fought) = places::last(&d.tables).filter(|fought| fought.outcome.number > kept.seen) {
        return fought.outcome.deemed;
    }
    let was = kept.first.and_then(|(program, _)| programs::program(&d.tables, program));
    match was.map(|program| program.status) {
        Some(Status::Dropped { at }) => at,
        _ => d.at,
    }
}

/// The Monday after a challenge that was not reported yet, while the contract is in force. Nothing may wait that is deemed
/// to happen before it; what people do on that instant is of the new week (J75).
fn next_due(state: &State<Joust>) -> Option<Due> {
    let chronicle = state.rows::<Chronicle>().get(&())?;
    let last = places::last(&state.tables).filter(|last| last.outcome.number > chronicle.reported)?;
    let at = next_week(last.outcome.deemed);
    let waits = tasks::head(&state.tables).is_some_and(|(turn, _)| (turn.at, turn.rank) < (at, phases::ACTS));
    let is_due = contract::contract(&state.tables).is_running() && !waits;
    is_due.then(|| Due { at, rank: phases::REPORT, key: "report".into() })
}

/// Posts a report that could not be posted on its Monday, since a challenge of its week was not computed yet; whether it
/// did.
pub(super) fn catch_up(d: &mut D<'_>) -> bool {
    let now = d.at;
    let Some(due) = next_due(d).filter(|due| due.at < now) else { return false };
    settle(d);
    post(d, due.at);
    true
}

fn post(d: &mut D<'_>, at: Instant) {
    let document = told(d, at);
    let ranked = ranked(&d.tables);
    lapse(d);
    d.upsert::<Chronicle>(&(), |chronicle| {
        chronicle.weeks.push(Week { at, ranked });
        let surplus = chronicle.weeks.len().saturating_sub(WEEKS_MAX_COUNT);
        chronicle.weeks.drain(..surplus);
    });
    d.say(Audience::Public, document);
}

/// What was played until now is not reported any more.
fn lapse(d: &mut D<'_>) {
    let seen = places::last(&d.tables).map(|last| last.outcome.number).unwrap_or_default();
    d.upsert::<Chronicle>(&(), |chronicle| chronicle.reported = seen);
}

// ---- display

/// What is posted: the words and the picture, and where the rest is.
fn told(state: &State<Joust>, at: Instant) -> Document {
    let mut document = words(state, Document::titled("report", format!("The Hill in the week to {}", day(at))), at);
    if let Some(last) = places::last(&state.tables) {
        document = document.with(challenge::matrix(&state.tables, &last.outcome));
    }
    let links = closest(state).and_then(|(left, right)| watch::links(state, left, right, &Viewer::default()));
    document = links.into_iter().fold(document, Document::with);
    document.para("Who beats whom at which lengths, and ranks by week: ⁅show report⁆.")
}

/// All of it, as of now.
fn show(state: &State<Joust>, viewer: &Viewer) -> Result<Document, Refusal> {
    let none = || Refusal::new("no challenge has been played yet").instead("hill");
    let last = &places::last(&state.tables).ok_or_else(none)?.outcome;
    let mut document = words(state, Document::titled("report", "The Hill, week by week"), viewer.now);
    document = document
        .para(format!("Touches in challenge {}, row against column:", last.number))
        .with(challenge::matrix(&state.tables, last));
    document =
        document.table_or("Nobody beats anybody.", ["winner", "loser", "won at", "lost at"], beaten(state, last));
    let weeks = chronicle(&state.tables).weeks;
    if !weeks.is_empty() {
        document = document.para("Ranks by week:").with(by_week(state, &weeks)).with(course(state, &weeks));
    }
    if let Some((left, right)) = closest(state) {
        let film = watch::film(state, left, right, viewer);
        let links = watch::links(state, left, right, viewer);
        document = film.into_iter().chain(links).fold(document, Document::with);
    }
    Ok(document)
}

/// The oldest program, the longest reign, who rose and fell, and the closest match.
fn words(state: &State<Joust>, mut document: Document, now: Instant) -> Document {
    let game = &state.tables;
    let name = |program: u64| programs::name_of(game, program);
    let kept = chronicle(game);
    if let Some(oldest) = game.rows::<Place>().values().min_by_key(|place| (place.since, place.arrival)) {
        let (name, since) = (name(oldest.program), oldest.since);
        document = document.para(format!("Oldest: {name}, on the Hill for {}.", between(since, now)));
    }
    let reigns = kept.first.map(|(program, since)| Reign { program, since, until: now.max(since) });
    let is_first = |reign: &Reign| kept.first.is_some_and(|first| first == (reign.program, reign.since));
    // Of equals, the one that lasts.
    if let Some(reign) = reigns.into_iter().chain(kept.reign).max_by_key(|reign| (reign.seconds(), is_first(reign))) {
        let lasts = if is_first(&reign) { ", and is" } else { "" };
        let (name, long) = (name(reign.program), between(reign.since, reign.until));
        document = document.para(format!("Longest reign: {name} was first for {long}{lasts}."));
    }
    document = moves(&kept, &ranked(game), name).into_iter().fold(document, Document::para);
    if let Some(Closest { challenge, left, right, won }) = kept.closest {
        document = document.para(format!(
            "Closest joust: {} against {} in challenge {challenge}, {} charges to {}.",
            name(left),
            name(right),
            won.0,
            won.1
        ));
    }
    document
}

/// Who rose and fell since the last report, of those who were there, and who came and went.
fn moves(kept: &Chronicle, ranked: &[u64], name: impl Fn(u64) -> String) -> Option<String> {
    let last = &kept.weeks.last()?.ranked[..];
    let place = |among: &[u64], program: u64| among.iter().position(|other| *other == program);
    let stayed = |from: &[u64], among: &[u64]| -> Vec<u64> {
        from.iter().filter(|program| among.contains(program)).copied().collect()
    };
    // Whom a newcomer pushes down has not fallen, and who passes another but stands where e stood has not risen.
    let (before, now) = (stayed(last, ranked), stayed(ranked, last));
    let (mut risen, mut fallen) = (Vec::new(), Vec::new());
    for (index, program) in now.iter().enumerate() {
        let [from, to] = [last, ranked].map(|ranks| place(ranks, *program).map_or(0, |place| place + 1));
        let told = || format!("{} from {from} to {to}", name(*program));
        match place(&before, *program).map(|before| index.cmp(&before)) {
            Some(std::cmp::Ordering::Less) if to < from => risen.push(told()),
            Some(std::cmp::Ordering::Greater) if to > from => fallen.push(told()),
            _ => {}
        }
    }
    let absent = |from: &[u64], among: &[u64]| {
        from.iter().filter(|program| !among.contains(program)).map(|program| name(*program)).collect::<Vec<_>>()
    };
    let parts = [("Up", risen), ("Down", fallen), ("New", absent(ranked, last)), ("Gone", absent(last, ranked))];
    let told = parts.into_iter().filter(|(_, names)| !names.is_empty());
    let told: Vec<String> = told.map(|(what, names)| format!("{what}: {}.", names.join(", "))).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// Each pair that somebody won, the winner first, with the lengths.
fn beaten(state: &State<Joust>, last: &Outcome) -> Vec<Vec<Cell>> {
    let game = &state.tables;
    let best_first = |program: u64| last.ranked.iter().position(|standing| standing.program == program);
    let mut pairs: Vec<_> = last.pairs.iter().collect();
    pairs.sort_by_key(|pair| {
        let (one, other) = (best_first(pair.left), best_first(pair.right));
        (one.min(other), one.max(other))
    });
    let rows = pairs.into_iter().filter_map(|pair| {
        let won = |side| pair.winners.chars().filter(|winner| *winner == side).count();
        let (left, right) = (won(play::LEFT), won(play::RIGHT));
        let ((winner, side), (loser, other)) = match left.cmp(&right) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => ((pair.left, play::LEFT), (pair.right, play::RIGHT)),
            std::cmp::Ordering::Less => ((pair.right, play::RIGHT), (pair.left, play::LEFT)),
        };
        let at = |side| matches::lengths(last, pair, |winner| winner == side).join(", and at ");
        let met = programs::met(&programs::part_of(game, winner), &programs::part_of(game, loser));
        let named = |program| Cell::named(programs::name_of(game, program));
        Some(vec![named(winner).showing(met), named(loser), Cell::new(at(side)), Cell::new(at(other))])
    });
    rows.collect()
}

/// The rank of each program that is on the Hill, by the Mondays that were reported.
fn by_week(state: &State<Joust>, weeks: &[Week]) -> Block {
    let columns = weeks.iter().map(|week| day(week.at)[5..].to_owned()).collect();
    let row = |program: u64| {
        let rank = |week: &Week| week.ranked.iter().position(|other| *other == program);
        let cell = |week| rank(week).map_or_else(Cell::default, |place| Cell::new((place + 1).to_string()));
        (programs::name_of(&state.tables, program), weeks.iter().map(cell).collect())
    };
    Block::Grid { columns, rows: ranked(&state.tables).into_iter().map(row).collect() }
}

/// The same as lines, which show who rises and who falls.
fn course(state: &State<Joust>, weeks: &[Week]) -> Block {
    let line = |program: u64| {
        let rank = |week: &Week| week.ranked.iter().position(|other| *other == program);
        let ranks = weeks.iter().map(|week| rank(week).and_then(|place| i64::try_from(place + 1).ok())).collect();
        (programs::name_of(&state.tables, program), ranks)
    };
    let moments = weeks.iter().map(|week| day(week.at)[5..].to_owned()).collect();
    let lines = ranked(&state.tables).into_iter().map(line).collect();
    Block::Picture(Picture::Chart(Chart { measure: "rank".to_owned(), moments, lines, least_first: true }))
}

/// The programs of the closest match.
fn closest(state: &State<Joust>) -> Option<(&Program, &Program)> {
    let closest = chronicle(&state.tables).closest?;
    Some((programs::program(&state.tables, closest.left)?, programs::program(&state.tables, closest.right)?))
}

#[cfg(test)]
mod tests;
