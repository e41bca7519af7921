//! Corrections by a moderator, where more hangs on them than a value.
//!
//! A correction is done as if it had happened, with its consequences. One with which the game could not go on is
//! refused. The kernel sets values on which nothing hangs.

use super::{
    game::{BNomic, D},
    ministries, passing,
    proposals::status::{self, Status},
    registry, rule_objects,
    society::{self, players},
    stats::{self, AUTHOR, MINISTER, NAME, NUMBER, PROPOSAL, STATUS},
};
use kernel::{
    Id, Mechanic, Path, Refusal, Value,
    directives::{Lawful, Names},
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("corrected").corrects_value(value).corrects(|path, to, d| Some(other(path, to, d)))
}

/// Corrects an attribute of the registry; nothing where the kernel does it.
fn value(at: &Path, to: &str, d: &mut D<'_>) -> Option<Result<(), Refusal>> {
    let is_length = [registry::MIN_LENGTH.id, registry::MAX_LENGTH.id].contains(&&*at.attr);
    match &*at.attr {
        stats::POWER => {
            let to = to.parse().map_err(|_| Refusal::new(format!("“{to}” is no number")));
            Some(to.and_then(|to| rule_objects::empower(d, at, &to)))
        }
        attr if *attr == *MINISTER.id => Some(ministries::by_hand(&at.obj, to, d)),
        // What is said next sets it, where nothing speaks against it.
        attr if *attr == *NAME.id => society::nameable(d, &at.obj, &Value::Text(to.trim().to_owned())).err().map(Err),
        attr if *attr == *NUMBER.id => taken(d, &at.obj, to).map(Err),
        attr if *attr == *AUTHOR.id => Some(author(at, to, d)),
        attr if *attr == *STATUS.id => Some(status(at, to, d)),
        _ if is_length => {
            let to = to.parse().map_err(|_| Refusal::new(format!("“{to}” is no number")));
            Some(to.and_then(|to| BNomic::set_value(d, at, Value::Num(to)).map(|_| ())))
        }
        _ => None,
    }
}

/// Corrects what is no attribute, and no place of another mechanic, which were asked before.
///
/// # Errors
///
/// A [`Refusal`] where nothing is called so, or cannot be that.
fn other(path: &str, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    match path.rsplit_once('.') {
        Some((seat, "standing")) if to.trim().eq_ignore_ascii_case("player") => {
            let seat = Id::from(seat);
            society::seat_by_hand(d, &seat)
        }
        Some((seat, "standing")) if to.trim().eq_ignore_ascii_case("outsider") => {
            let seat = players::other(d, &Id::from(seat), None)?;
            society::unseat_by_hand(d, &seat)
        }
        _ => Err(Refusal::new(format!("nothing here is called “{path}”"))
            .instead("correct player/NAME.score 7 because REASON")),
    }
}

/// Why a proposal cannot have a number. Another has it, or will be given it, and one of them would not be found any
/// more (B15.8).
fn taken(d: &D<'_>, proposal: &Id, number: &str) -> Option<Refusal> {
    let number = number.parse::<i64>().ok()?;
    let newest = d.frame.last_number(PROPOSAL);
    if u64::try_from(number).is_ok_and(|number| number > newest) {
        return Some(Refusal::new(format!(
            "{newest} is the last number that was given, and {number} is still to come"
        )));
    }
    let other = d.world.of_kind(PROPOSAL).find(|id| *id != proposal && status::number(d, id) == number)?;
    Some(Refusal::new(format!("{} has that number", status::label(d, other))))
}

/// Gives a proposal another author, who is a Player.
fn author(at: &Path, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let author = BNomic::find(d, to.strip_prefix("player/").unwrap_or(to))?;
    let author = players::other(d, &author, None)?;
    d.overwrite(at.clone(), Value::Ref(author));
    Ok(())
}

/// Gives a proposal another status, but for one that no ballot would ever have (B15.29): what becomes Historical is scored, by whatever way (B19.1).
fn status(at: &Path, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let known = [Status::Pending, Status::Open, Status::Historical];
    let word = known.iter().map(|known| known.word()).find(|word| word.eq_ignore_ascii_case(to.trim()));
    let to = word.unwrap_or(to).to_owned();
    if to == Status::Pending.word() {
        passing::may_open(d, &at.obj)?;
    }
    if let Some(scored) = BNomic::set_value(d, at, Value::Text(to))? {
        d.tell_all(scored);
    }
    Ok(())
}
