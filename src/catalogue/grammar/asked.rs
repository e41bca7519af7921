//! Questions about actions: `vote 1 FOR?` does nothing (4E7, B7.1).
//!
//! Absent: what else says that an action is not meant (`waits`).

use super::{
    Typed,
    courtesies::is_farewell,
    english::{JOIN, LEAVE},
};

/// Whether somebody asks about an action of a game instead of taking it (B7.1).
pub(super) fn is_asked(typed: &Typed) -> bool {
    let command = &typed.command;
    let of_game = !command.group.games.is_empty() || [LEAVE, JOIN].contains(&&*command.action);
    // Whoever goes may ask anything behind it, and greet before it.
    let mut said = &*typed.said;
    while command.action == LEAVE
        && let Some((first, rest)) =
            [". ", "! "].iter().filter_map(|stop| said.split_once(stop)).min_by_key(|at| at.0.len())
    {
        let words: Vec<&str> = first.split_whitespace().collect();
        if !is_farewell(&words) {
            said = first;
            break;
        }
        said = rest;
    }
    let asks = said.trim_end_matches(|sign: char| sign.is_whitespace() || sign == '!').ends_with('?');
    command.display.is_none() && of_game && command.rest().is_none() && asks
}
