//! All that ends with one nday and begins with the next (4E14, BX2, BX3): one list, in the order of the rulings.
//!
//! All that ends precedes all that begins (B14.17). Which nday ends, and whether the nweek and its voting end with it,
//! is fixed from the Clock first (BX1). So a proposal that passes then cannot undo it. Each end and each beginning
//! stands with its mechanic.

use super::{
    activity, calendar,
    clock::{
        self,
        hands::{self, Moment},
    },
    emergency,
    game::D,
    happenings, intents, ministries,
    moments::Turn,
    passing::voting_ends,
    proposals, registry, schedule,
    settled::settle_but_clock,
    usurping, victory,
};
use kernel::{display::Document, entry::Audience};

/// Ends the nday that was begun last and begins another.
pub(super) fn to(d: &mut D<'_>, to: Moment) {
    let from = hands::now(d);
    let (new_nweek, was_voting) = (to.nweek != from.nweek, hands::votes_run(d));
    // The hands may be set to another nweek and the same nday: then no nday ends, and the Clock goes on (B14.3, B14.11).
    let (said, steps) = (hands::hands(d), to != hands::hands(d));
    // Voting runs to the end of its nweek, also where the nday is set back to one before it (B15.11).
    let voting_ends = was_voting && new_nweek;
    let begins = |d: &D<'_>| hands::in_voting(d, to) && (new_nweek || !was_voting);
    let mut turn = Turn { from, to, changes: hands::changes(d), voting_ends, voting_begins: begins(d) };

    schedule::ends(d, &turn);
    let (before, mut results) = (d.announced(), None);
    if voting_ends {
        clock::voting_ends(d);
        results = voting_ends::tally(d);
        // Whatever passed holds for what ends now (BX7).
        while registry::settle(d) || ministries::settle(d) {}
    }
    let ahead = gone_over(d, said, new_nweek);
    let to = if new_nweek { Moment { nweek: to.nweek.saturating_add(ahead), ..to } } else { to };
    // Laws end things before the Retainers and the pay of 4E48 and 4E49, which comes last (C1).
    of_laws(d, &turn, happenings::ends);
    if new_nweek {
        // Who wins by one of these wins before the next (BX2, B16.3).
        usurping::retainers_fall(d);
        match &mut results {
            Some(results) => voting_ends::settle_here(d, results),
            None => _ = settle_but_clock(d),
        }
        let paid = ministries::ministers_are_paid(d);
        publish(d, before, results, paid);
        settle_but_clock(d);
        victory::nweek_ends(d);
    }
    // What begins goes by the rules as the end has left them (BX13).
    turn.voting_begins = begins(d);
    let voting_begins = turn.voting_begins;

    // An nweek that is set at the end of an nday which ends none begins right after this nday does.
    let nweek = if new_nweek { to.nweek } else { to.nweek.saturating_add(ahead) };
    hands::set(d, Moment { nweek, ..to });
    clock::begin(d, to, new_nweek);
    if new_nweek {
        if steps {
            clock::stop(d);
        }
        hands::note_on(d, hands::is_on(d));
        ministries::nweek_begins(d);
    }

    announce(d, to, new_nweek, voting_begins);
    if voting_begins {
        clock::voting_begins(d);
        proposals::open_all(d);
    }
    if new_nweek {
        // Who wins by the new nweek itself is still Vested by the one before (BX2).
        settle_but_clock(d);
        activity::vest(d);
        settle_but_clock(d);
    }
    calendar::begins(d, to);
    emergency::nday_begins(d, to);
    intents::nday_begins(d);
    of_laws(d, &turn, happenings::begins);
    schedule::begins(d, &turn);
}

/// Does what laws do by a turn, after the game's own ends or beginnings. Who wins by that wins before what comes next (BX2).
fn of_laws(d: &mut D<'_>, turn: &Turn, tell: fn(&mut D<'_>, &Turn)) {
    let since = d.emitted();
    tell(d, turn);
    if d.emitted() > since {
        settle_but_clock(d);
    }
}

/// The end of an nweek is one document, before what followed from it: what was voted, then what was paid.
fn publish(d: &mut D<'_>, before: usize, results: Option<Document>, paid: Option<String>) {
    let Some(results) = results else { return paid.into_iter().for_each(|paid| d.tell_all(paid)) };
    let results = paid.into_iter().fold(results, Document::para);
    d.say_before(before, |d| d.say(Audience::Public, results));
}

/// By how many nweeks what ended set the Clock ahead, or back. An nday that was set is gone over by the step that
/// follows. An nweek that was set is where it goes on from, which is told (BX1).
fn gone_over(d: &mut D<'_>, said: Moment, new_nweek: bool) -> i64 {
    let now = hands::hands(d);
    if now.nday != said.nday {
        d.tell_all(format!(
            "The nday was set to {} as it ended; the step that the Clock takes now goes over that.",
            now.nday
        ));
    }
    if now.nweek != said.nweek && new_nweek {
        d.tell_all(format!(
            "The nweek was set to {} as it ended; the step that the Clock takes now goes on from there.",
            now.nweek
        ));
    }
    now.nweek.saturating_sub(said.nweek)
}

fn announce(d: &mut D<'_>, to: Moment, new_nweek: bool, voting_begins: bool) {
    let (nday, nweek) = (calendar::day(d, to.nday), to.nweek);
    match (new_nweek, voting_begins) {
        (true, true) => {
            d.tell_all(format!("Nweek {nweek} begins, in nday {nday}: voting begins, and the Clock is Off."))
        }
        (true, false) => {
            let stands = if hands::is_on(d) { "On" } else { "Off" };
            d.tell_all(format!("Nweek {nweek} begins. The Clock is {stands}."));
        }
        (false, true) => {
            d.tell_all(format!("It is nday {nday} of nweek {nweek}: voting begins, and the Clock is Off."));
        }
        (false, false) => {}
    }
}
