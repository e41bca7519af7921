//! The periodical evaluation (S51 to S62): its time, and the moves that it executes.
//!
//! When the time of a type comes, its moves are executed together if there is one way only. All of them are published
//! with their salts, executed or not. Types that come at one instant go in the order phi, each on the state that the
//! one before left. Moves are tested in `board` and `invented`.

use super::{
    board::{Board, Clash, Move},
    invented::{self, Tried},
    judged,
    kind::Kind,
    sealed::{Published, Sealed, Timing, What, kinds, next, phi, put_at, set_of, store, tell},
};
use crate::{
    activity,
    figures::EVALUATION_HOUR,
    game::{D, Spacenomic},
    law::by_the_rules,
    location, phases, space,
    stats::{MIRRORED, called},
};
use kernel::{
    Id, Instant, State,
    display::{Cell, Document},
    entry::{Audience, Due},
    mechanic::{Fate, Lapse},
    rulebook::{Rule, Rulebook, book::Done},
    time::{minute, seconds_after},
};

/// Moves that an announcement lists with their salts; the record of the entry has all.
const LISTED_MAX_COUNT: usize = 100;

/// Most moves that are judged each with the whole of Space and with all others: of more, only what is near the mover.
const JUDGED_MAX_COUNT: usize = 50;

/// Most moves that are illegal each by itself of which an announcement gives the reason.
const BLAMED_MAX_COUNT: usize = 20;

/// The key of an evaluation.
const KEY: &str = "evaluation";

/// A time of a type put off by its intervals, where it has passed.
pub(super) fn put_off(d: &D<'_>, kind: &Kind, next: Instant) -> Option<Instant> {
    let (period, late) = (kind.period(d)?, d.at.as_second() - next.as_second());
    (late > 0).then(|| seconds_after(next, (late / period + 1).saturating_mul(period)))
}

/// The first evaluation that a rule sets: at the hour of the day of its creation or modification, and the interval later
/// (S62). One that would be past already is put off by intervals.
pub(super) fn first(state: &State<Spacenomic>, kind: &Kind, rule: &Rule) -> Option<Instant> {
    let made = |done: Done| matches!(done, Done::Enacted | Done::Restored | Done::Amended);
    let since = rule.revisions().iter().rev().find(|revision| made(revision.done) && by_the_rules(revision))?.at;
    let (hour, period) = (state.rules.live(&EVALUATION_HOUR).ok()?.to_i64()?, kind.period(state)?);
    let midnight = since.to_zoned(jiff::tz::TimeZone::UTC).start_of_day().ok()?.timestamp();
    let first = seconds_after(midnight, hour.saturating_add(period));
    let late = since.as_second() - first.as_second();
    if late < 0 {
        return Some(first);
    }
    Some(seconds_after(first, (late / period + 1).saturating_mul(period)))
}

/// The types whose time is there, in the order phi (S57).
fn reached(state: &State<Spacenomic>, at: Instant) -> Vec<Kind> {
    phi(state).iter().filter(|kind| next(state, kind).is_some_and(|next| next <= at)).cloned().collect()
}

/// The next evaluation.
pub(in super::super) fn next_due(state: &State<Spacenomic>) -> Option<Due> {
    let at = phi(state).iter().filter_map(|kind| next(state, kind)).min()?;
    Some(Due { at, rank: phases::EVALUATION, key: KEY.into() })
}

/// The sealed moves that an evaluation opens: those that it executes, and the others, whose movers are told what became of
/// them. Nothing is opened where no move of a type is set whose time is there.
pub(in super::super) fn opens(state: &State<Spacenomic>, due: &Due) -> Vec<Id> {
    if reached(state, due.at).iter().all(|kind| set_of(state, kind).next().is_none()) {
        return Vec::new();
    }
    state.rows::<Sealed>().values().map(|sealed| sealed.secret.clone()).collect()
}

/// The time of some types is there.
pub(in super::super) fn due(d: &mut D<'_>) {
    let (at, before) = (d.at, State::clone(d));
    for kind in reached(d, at) {
        evaluate(d, &kind);
        advance(d, &kind);
    }
    blocked(d, &before);
}

/// Tells whoever has a move set that could be executed before an evaluation and cannot after it: it would block
/// everybody's (S61).
fn blocked(d: &mut D<'_>, before: &State<Spacenomic>) {
    let opened = |kind: &Kind| open(d, kind).into_iter().map(|one| (kind.clone(), one)).collect::<Vec<_>>();
    let waiting: Vec<(Kind, Opened)> = kinds(d).into_iter().flat_map(opened).collect();
    let (was, now) = (Board::of(before), Board::of(d));
    let whole = waiting.len() <= JUDGED_MAX_COUNT;
    for (kind, Opened { player, sealed, what, .. }) in waiting {
        let is_blocked = match what {
            Some(What::Mapped(what)) if !whole => {
                was.legal_but_for_others(&player, what).is_ok() && now.legal_but_for_others(&player, what).is_err()
            }
            Some(What::Mapped(what)) => was.legal(&player, what).is_ok() && now.legal(&player, what).is_err(),
            Some(what) if whole => {
                judged::legal(&what, before, &player).is_ok() && judged::legal(&what, d, &player).is_err()
            }
            Some(_) | None => false,
        };
        if is_blocked {
            let word = kind.word();
            let say = format!(
                "After this evaluation your {word} move could not be executed any more, and would block every {word} move: “⁅show yours⁆”, in private, says why."
            );
            d.tell_reader(&player, vec![sealed.secret], Document::say(say));
        }
    }
}

/// An evaluation that falls into a moderator's pause: the times go on, and the moves stay set for the next one.
pub(in super::super) fn lapse(due: Due, d: &mut D<'_>) {
    for kind in reached(d, due.at) {
        advance(d, &kind);
    }
}

/// Such an evaluation in words.
pub(in super::super) fn fate() -> Lapse {
    Lapse { what: "an evaluation of moves".to_owned(), fate: Fate::Never }
}

/// The time of a type advances by its interval as that reads now, also where nothing was executed (S56).
fn advance(d: &mut D<'_>, kind: &Kind) {
    let (Some(timing), Some(period)) = (d.row::<Timing>(kind), kind.period(d)) else { return };
    let next = seconds_after(timing.next, period);
    put_at(d, kind, next);
}

/// A move that was set, opened; without what it is where its text is not kept any more.
struct Opened {
    player: Id,
    sealed: Sealed,
    what: Option<What>,
    salt: String,
}

fn open(d: &D<'_>, kind: &Kind) -> Vec<Opened> {
    let open = |(player, sealed): (&Id, &Sealed)| {
        let opened = d.opened(&sealed.secret);
        let text = opened.and_then(|opened| std::str::from_utf8(&opened.bytes).ok());
        Opened {
            player: player.clone(),
            sealed: sealed.clone(),
            what: text.and_then(|text| What::kept(text, kind)),
            salt: opened.map(|opened| hex::encode(&opened.salt)).unwrap_or_default(),
        }
    };
    set_of(d, kind).map(open).collect()
}

/// Moves that can be executed together.
enum Plan {
    /// On the board that they were judged on.
    Mapped(Board, Vec<(Id, Move)>),
    /// As a rule lists them.
    Listed(Vec<(Id, String)>),
}

/// Whether the rules let moves of a type be executed at all (S51, S53).
///
/// # Errors
///
/// Why not, as a clause.
pub(super) fn in_effect(rules: &Rulebook, kind: &Kind) -> Result<(), String> {
    if kind.list().is_some_and(|list| !list.is_in(rules)) {
        return Err("no rule in effect lists what is valid".to_owned());
    }
    match kind.about().iter().find(|thing| !thing.is_in(rules)) {
        Some(thing) => Err(format!("no rule in effect has {}", thing.word())),
        None => Ok(()),
    }
}

/// How moves of a type are executed, if there is one way only (S61).
fn judge(d: &D<'_>, kind: &Kind, moves: &[(Id, What)]) -> Result<Plan, String> {
    in_effect(&d.rules, kind)?;
    let told = |clash: Clash| {
        if let Some(all) = illegal(d, moves) {
            return all;
        }
        let blamed = clash.between.iter().filter_map(|index| moves.get(*index));
        let blamed: Vec<String> = blamed.map(|(player, what)| format!("{} “{what}”", called(d, player))).collect();
        format!("{}: {}", blamed.join(", "), clash.why)
    };
    let (mut mapped, mut listed) = (Vec::new(), Vec::new());
    for (player, what) in moves {
        match what {
            What::Mapped(what) => mapped.push((player.clone(), *what)),
            What::Listed { words, .. } => listed.push((player.clone(), words.clone())),
        }
    }
    if matches!(kind, Kind::Named(_)) {
        return match invented::try_all(d, kind, &listed) {
            Tried::One => Ok(Plan::Listed(listed)),
            Tried::Clash(clash) => Err(told(clash)),
            Tried::Untried => Err(format!(
                "the moves of {} players have more orders than the bot can try, and a moderator enters what they do",
                listed.len()
            )),
        };
    }
    let board = Board::of(d);
    board.clash(&mapped).map_or(Ok(()), |clash| Err(told(clash)))?;
    Ok(Plan::Mapped(board, mapped))
}

/// Which moves are illegal each by itself, if any, and why: whoever mends one of them shall not be blocked by the next.
fn illegal(d: &D<'_>, moves: &[(Id, What)]) -> Option<String> {
    let board = Board::of(d);
    let whole = moves.len() <= JUDGED_MAX_COUNT;
    let why = |(player, what): &(Id, What)| {
        let judged = match what {
            What::Mapped(what) if whole => board.legal(player, *what),
            What::Mapped(what) => board.legal_but_for_others(player, *what),
            What::Listed { .. } if whole => judged::legal(what, d, player),
            What::Listed { .. } => Ok(()),
        };
        judged.err().map(|why| format!("{} “{what}”: {why}", called(d, player)))
    };
    let mut all: Vec<String> = moves.iter().filter_map(why).collect();
    let more = all.len().saturating_sub(BLAMED_MAX_COUNT);
    all.truncate(BLAMED_MAX_COUNT);
    if more > 0 {
        all.push(format!("and {more} more are illegal each by itself"));
    }
    (!all.is_empty()).then(|| all.join("; "))
}

/// Evaluates a type: executes its moves if that can be done in one way only, and publishes them (S59 to S61).
fn evaluate(d: &mut D<'_>, kind: &Kind) {
    let opened = open(d, kind);
    if opened.is_empty() {
        return;
    }
    let moves: Vec<(Id, What)> =
        opened.iter().filter_map(|one| Some((one.player.clone(), one.what.clone()?))).collect();
    let verdict = judge(d, kind, &moves);
    let executed = verdict.is_ok();
    let rows = opened.iter().take(LISTED_MAX_COUNT).map(|one| {
        let what = one.what.as_ref().map_or_else(|| "not kept any more".to_owned(), What::to_string);
        [called(d, &one.player), what, one.salt.clone(), one.sealed.hash.clone()].map(Cell::new).to_vec()
    });
    let say = match &verdict {
        Ok(_) if moves.is_empty() => format!("No {} move of {} is kept any more.", kind.word(), minute(d.at)),
        Ok(_) => format!("The {} moves of {} are executed.", kind.word(), minute(d.at)),
        Err(why) => format!("None of the {} moves of {} is executed: {why}.", kind.word(), minute(d.at)),
    };
    let mut document = Document::say(say).table(["", "move", "salt", "hash"], rows);
    if let Some(more @ 1..) = opened.len().checked_sub(LISTED_MAX_COUNT) {
        let seq = d.seq;
        document = document.para(format!("{more} more stand in the record of entry {seq}."));
    }
    d.say(Audience::Public, document);
    if let Ok(plan) = verdict {
        match plan {
            Plan::Mapped(board, moves) => {
                for (player, what) in moves {
                    execute(d, &board, &player, what);
                    activity::acted(d, &player);
                }
            }
            Plan::Listed(moves) => moves.iter().for_each(|(player, words)| invented::execute(d, kind, player, words)),
        }
    }
    for Opened { player, what, salt, .. } in opened {
        if what.is_none() {
            tell(
                d,
                &player,
                format!("The text of your {} move is not kept any more; nothing is done for it.", kind.word()),
            );
        }
        let executed = executed && what.is_some();
        // So that the entry that takes it away says what it was.
        let published = Some(Published { what, salt, executed });
        d.edit::<Sealed>(&(kind.clone(), player.clone()), |row| row.published = published);
        store(d, kind, &player, None);
    }
}

/// Does a move on the gamestate. `before` is the board that it was judged on: places count as they were then.
fn execute(d: &mut D<'_>, before: &Board, player: &Id, what: Move) {
    let at = before.players.get(player).and_then(|(at, _)| *at);
    match what {
        Move::Go(to) => location::put(d, player, Some(to)),
        Move::Flip => {
            let mirrored = location::mirrored(d, player);
            d.set(&MIRRORED, player, !mirrored);
        }
        Move::Cut(to) => {
            if let Some(at) = at {
                space::join(d, at, to, false);
            }
        }
        Move::Link(a, b) => space::join(d, a, b, true),
        Move::Build(new, a, b) => {
            space::own(d, new, Some(space::GOD.into()));
            space::join(d, new, a, true);
            space::join(d, new, b, true);
        }
    }
}
