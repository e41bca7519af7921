//! Rules that a room begins with beside those of seed 002, where whoever opens it names them: `with:rule-tag`.
//!
//! They are proposals of the library of laws. Any room can bring the same rules into force by a vote.

use super::{effects::carried_out, game::D};
use kernel::Refusal;

/// The proposals, by what they are called.
const ALL: &[(&str, &str)] = &[("rule-tag", include_str!("../../../docs/playing/laws/rule-tag/proposal.md"))];

/// What stands around a proposal in its page.
const FENCE: &str = "````\n";

/// Brings rules into force by their names, with commas between them.
///
/// # Errors
///
/// A [`Refusal`] for a name that is none.
pub(super) fn bring(names: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let found = ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((name, page)) = found else {
            let known: Vec<&str> = ALL.iter().map(|(known, _)| *known).collect();
            let why = format!("a room of B Nomic opens with {}, and not with “{name}”", known.join(", "));
            return Err(Refusal::new(why).instead(format!("room open bnomic NAME with:{}", known[0])));
        };
        let text = page.split(FENCE).nth(1).unwrap_or_default();
        carried_out::carry_out(d, text, &format!("the room opens with {name}"))?;
    }
    Ok(())
}
