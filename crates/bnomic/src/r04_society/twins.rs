//! Who is whose Twin (BX16): what the rule on Twins, which comes with a later part, hangs on.
//!
//! Each mechanic says what Twins may not do to each other.

use super::players::is_player;
use crate::{game::BNomic, stats::PLAYER};
use kernel::{Id, Path, State, directives::Names};

/// Whether two Players are Twins now: the same in the attribute that makes Twins, once something defines it (BX16).
/// Nobody is their own Twin.
pub(crate) fn are_twins(state: &State<BNomic>, one: &Id, other: &Id) -> bool {
    /// The attribute by which Players are Twins, as the rule on that will call it.
    const DNA: &str = "DNA";
    let Some(attr) = BNomic::attribute(state, DNA, &PLAYER.into()) else { return false };
    let of = |player: &Id| state.world.value(&Path::new(player.clone(), attr.clone()));
    one != other && is_player(state, one) && is_player(state, other) && of(one) == of(other)
}
