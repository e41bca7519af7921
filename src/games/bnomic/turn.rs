//! What ends with one nday and begins with the next (4E14, BX2, BX3): one list, in the order of the rulings.
//!
//! All that ends precedes all that begins (B14.17). Which nday ends, and whether the nweek and its voting end with it, is
//! fixed from the Clock before anything of it happens (BX1): a proposal that passes then cannot undo it. Absent: what
//! each of them does, which stands with its mechanic.

use super::{
    D, calendar,
    clock::{self, Moment},
    currency, emergency, intents, ministries,
    moments::Turn,
    passing, proposals, schedule, society, victory,
};

/// The nday at which the Paranoid may become Calm: the rule calls it by its name (B0.18).
const MULBERRY: i64 = 3;

/// Ends the nday that was begun last and begins another.
pub(super) fn to(d: &mut D<'_>, to: Moment) {
    let from = clock::now(d);
    let (new_nweek, was_voting) = (to.nweek != from.nweek, clock::in_voting(d, from));
    // An nday earlier in the same nweek ends its Voting Period as well: the period runs from the voting nday on.
    let voting_ends = was_voting && (new_nweek || !clock::in_voting(d, to));
    let voting_begins = clock::in_voting(d, to) && (new_nweek || !was_voting);
    let turn = Turn { from, to, changes: clock::changes(d), voting_ends, voting_begins };

    schedule::ends(d, &turn);
    if voting_ends {
        passing::tally(d);
    }
    if new_nweek {
        ministries::nweek_ends(d);
        victory::nweek_ends(d);
    }

    clock::set(d, to);
    clock::begin(d, to);
    if new_nweek {
        clock::stop(d);
        clock::note_on(d, false);
        ministries::nweek_begins(d);
    }

    announce(d, from, to, voting_begins);
    if voting_begins {
        clock::voting_begins(d);
        proposals::open_all(d);
    }
    if new_nweek {
        society::vest(d, from.nweek);
    }
    calendar::begins(d, to);
    if to.nday == MULBERRY {
        emergency::mulberry(d);
    }
    intents::nday_begins(d);
    if new_nweek {
        currency::nweek_begins(d);
    }
    schedule::begins(d, &turn);
}

fn announce(d: &mut D<'_>, from: Moment, to: Moment, voting_begins: bool) {
    if to.nweek != from.nweek {
        d.tell_all(format!("Nweek {} begins. The Clock is Off.", to.nweek));
    } else if voting_begins {
        d.tell_all(format!(
            "It is nday {} of nweek {}: voting begins, and the Clock is Off.",
            calendar::day(to.nday),
            to.nweek
        ));
    }
}
