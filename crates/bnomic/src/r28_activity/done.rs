//! What Players did last (4E28): their last Game Action and their last vote.
//!
//! What follows from it stands in `super`.

use serde::{Deserialize, Serialize};

use crate::{
    clock::hands,
    game::{BNomic, D},
    law::{Thing, established},
    society::players::is_player,
    stats::ACTIVE,
};
use kernel::{Id, table::Row};

/// What somebody did last as a Player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Activity {
    /// The nweek of the last Game Action, as they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) acted: Option<i64>,
    /// The nweek of the last vote, as they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) voted: Option<i64>,
}

impl Row<BNomic> for Activity {
    type Key = Id;
    const TABLE: &'static str = "activity";
}

/// Notes a Game Action: whoever performs one is Active (B28.4).
pub(crate) fn acted(d: &mut D<'_>, player: &Id) {
    if !is_player(d, player) {
        return;
    }
    let nweek = hands::nweeks(d);
    d.upsert(player, |activity: &mut Activity| activity.acted = Some(nweek));
    if established(&d.rules, Thing::Activity).is_ok() {
        d.set(&ACTIVE, player, true);
    }
}

/// Notes that somebody voted in this nweek, ABSTAIN included (B28.2).
pub(crate) fn voted(d: &mut D<'_>, player: &Id) {
    let nweek = hands::nweeks(d);
    d.upsert(player, |activity: &mut Activity| activity.voted = Some(nweek));
}
