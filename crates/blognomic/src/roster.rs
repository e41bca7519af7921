//! The roster: who is a Robot, applies, sleeps or has left, and who is Admin Staff.
//!
//! To every rule but rule 2 a Deactivated Robot is none (N14); within that rule it still is one (N15). How somebody comes
//! to stand as they do is rule 2 (`r02_robots`).

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    game::{BlogNomic, D},
    law::Thing,
    stats::ADMIN,
};
use kernel::{Game, Id, Instant, Refusal, State, Value, frame::Standing as Place, table::Row, time::minute};
use kit::seats;

/// The office of Admin Staff.
pub(super) const ADMIN_STAFF: &str = "Admin Staff";

/// The office of Control Unit, which the law of rule 2 gives.
pub(super) const CONTROL_UNIT: &str = "Control Unit";

/// What happens where a room opens.
pub(super) const OPENED: &str = "opening";

/// How whoever is Deactivated asks for the end of that, by the law of rule 2.
pub(super) const WAKE: &str = "robot wake";

/// What happens where somebody applies.
pub(super) const APPLIED: &str = "application";
/// What happens where somebody becomes a Robot, by whatever way.
pub(super) const JOINED: &str = "join";
/// What happens where a Robot leaves, or is removed.
pub(super) const LEFT: &str = "leave";
/// What happens to a Robot that is Deactivated.
pub(super) const DEACTIVATED: &str = "deactivate";
/// What happens to one that is Reactivated.
pub(super) const REACTIVATED: &str = "reactivate";

// ---- state

/// Somebody in the roster, who applied or ever was a Robot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Member {
    /// What the rules take them for.
    pub(super) standing: Standing,
    /// Since when.
    pub(super) since: Instant,
    /// The last vote, or when they joined or were Reactivated: what a week without a vote counts from (N16).
    pub(super) voted: Instant,
}

/// What somebody in the roster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Standing {
    /// Applied and not set up yet (N8).
    Applicant,
    /// Left or was removed, and applied again.
    Returning,
    /// A current Robot.
    Robot,
    /// Deactivated.
    Deactivated,
    /// Left the game; keeps its Power (N13, N61).
    Left,
    /// Removed at an Ascension; a new Robot if it comes back (N110).
    Removed,
}

impl Standing {
    /// What it is, in a word or two.
    fn word(self) -> &'static str {
        match self {
            Self::Applicant => "applies",
            Self::Returning => "applies again",
            Self::Robot => "Robot",
            Self::Deactivated => "Deactivated",
            Self::Left => "left",
            Self::Removed => "removed",
        }
    }
}

impl Row<BlogNomic> for Member {
    type Key = Id;
    const TABLE: &'static str = "members";

    fn told(robot: &Id, _was: Option<&Self>, is: Option<&Self>, state: &State<BlogNomic>) -> String {
        let name = state.frame.name_of(robot);
        let Some(member) = is else { return format!("{name} is not in the roster") };
        let standing = member.standing.word();
        let (since, voted) = (minute(member.since), minute(member.voted));
        format!("{name}: {standing} since {since}, a week without a vote counts from {voted}")
    }
}

/// What somebody is; nothing for whoever is not in the roster.
pub(super) fn standing(state: &State<BlogNomic>, robot: &Id) -> Option<Standing> {
    state.row::<Member>(robot).map(|member| member.standing)
}

/// What laws see of somebody in the roster beside attributes.
pub(super) fn seen(state: &State<BlogNomic>, obj: &Id, name: &str) -> Option<Value> {
    let member = state.row::<Member>(obj)?;
    match name {
        "standing" => Some(Value::Text(member.standing.word().to_owned())),
        "voted" => Some(Value::Time(member.voted)),
        _ => None,
    }
}

/// Everybody who is so, by name.
fn standing_as(state: &State<BlogNomic>, standing: Standing) -> impl Iterator<Item = &Id> {
    state.rows::<Member>().iter().filter(move |(_, member)| member.standing == standing).map(|(id, _)| id)
}

/// What rules take an object for: to all but rule 2 a Deactivated Robot is none (N14, N15).
pub(super) fn taken_for(state: &State<BlogNomic>, obj: &Id) -> Option<Id> {
    Some(match standing(state, obj) {
        None | Some(Standing::Robot) => return state.world.kind(obj).cloned(),
        Some(Standing::Deactivated) => laws::SUSPENDED.into(),
        Some(_) => laws::PERSON.into(),
    })
}

/// Whether somebody is a Robot to every rule (N14).
pub(super) fn is_current(state: &State<BlogNomic>, robot: &Id) -> bool {
    standing(state, robot) == Some(Standing::Robot)
}

/// Whether somebody is a Robot to rule 2 (N15).
pub(super) fn is_robot(state: &State<BlogNomic>, robot: &Id) -> bool {
    matches!(standing(state, robot), Some(Standing::Robot | Standing::Deactivated))
}

/// The current Robots, by name.
pub(super) fn current(state: &State<BlogNomic>) -> impl Iterator<Item = &Id> {
    standing_as(state, Standing::Robot)
}

/// The Control Unit, where the office is not vacant.
pub(super) fn control_unit(state: &State<BlogNomic>) -> Option<Id> {
    laws::holder(state, CONTROL_UNIT)
}

/// Whether somebody is marked as Admin Staff.
pub(super) fn is_admin(state: &State<BlogNomic>, robot: &Id) -> bool {
    state.world.get(&ADMIN, robot).unwrap_or_default()
}

// ---- changes

/// Changes what is known of somebody; whoever is not in the roster begins as an applicant.
pub(super) fn put(d: &mut D<'_>, robot: &Id, change: impl FnOnce(&mut Member)) {
    let fresh = || Member { standing: Standing::Applicant, since: d.at, voted: d.at };
    let mut member = d.row::<Member>(robot).cloned().unwrap_or_else(fresh);
    change(&mut member);
    d.put(robot, member);
}

/// Has somebody stand so from now on.
pub(super) fn stand(d: &mut D<'_>, robot: &Id, standing: Standing) {
    let (at, was) = (d.at, self::standing(d, robot));
    put(d, robot, |member| (member.standing, member.since) = (standing, at));
    let was_one = matches!(was, Some(Standing::Robot | Standing::Deactivated));
    let (what, word) = match standing {
        Standing::Robot if was == Some(Standing::Deactivated) => (REACTIVATED, "robot"),
        Standing::Robot => (JOINED, "by"),
        Standing::Deactivated => (DEACTIVATED, "robot"),
        Standing::Left | Standing::Removed if was_one => (LEFT, "by"),
        _ => return,
    };
    BlogNomic::mechanics().happened(what, &json!({ word: robot }), d);
}

/// Puts a vote on record, for the week of rule 2 (N16).
pub(super) fn voted(d: &mut D<'_>, robot: &Id) {
    let at = d.at;
    put(d, robot, |member| member.voted = at);
}

/// Removes a Robot at an Ascension (N110): it may come back as a new one.
pub(super) fn remove(d: &mut D<'_>, robot: &Id) {
    stand(d, robot, Standing::Removed);
    d.set(&ADMIN, robot, false);
    seats::stand(d, robot, Place::Outsider);
}

// ---- guards

/// Refuses whoever is no current Robot, and says how it becomes one.
///
/// # Errors
///
/// What it is instead.
pub(super) fn plays(state: &State<BlogNomic>, seat: Option<&Id>) -> Result<(), Refusal> {
    let by = Thing::Robots.rule(&state.rules);
    let say = match seat.and_then(|seat| standing(state, seat)) {
        Some(Standing::Robot) => return Ok(()),
        Some(Standing::Deactivated) => {
            return Err(Refusal::new("you are Deactivated, and to all rules but this one a Deactivated Robot is none")
                .by(by)
                .instead(WAKE));
        }
        Some(Standing::Applicant | Standing::Returning) => {
            return Err(Refusal::new("you applied and no Admin has set you up yet").by(by).instead("show robots"));
        }
        Some(Standing::Left) => "you left the game",
        Some(Standing::Removed) => "you were removed from the roster",
        None => "you are no Robot here",
    };
    Err(Refusal::new(say).by(by).instead("robot apply NAME LINK"))
}

/// Refuses whoever acts and is no current Robot and Admin.
///
/// # Errors
///
/// A [`Refusal`] for everybody else, which names the Admin Staff.
pub(super) fn admin(d: &D<'_>) -> Result<(), Refusal> {
    let robot = laws::player(d)?;
    if is_admin(d, &robot) { Ok(()) } else { Err(no_admin(d)) }
}

fn no_admin(d: &D<'_>) -> Refusal {
    let staff: Vec<&str> = current(d).filter(|id| is_admin(d, id)).map(|id| d.frame.name_of(id)).collect();
    let staff = if staff.is_empty() { "there is none now".to_owned() } else { format!("ask {}", staff.join(", ")) };
    Refusal::new(format!("only Admin Staff do that; {staff}")).by(Thing::Robots.rule(&d.rules)).instead("show robots")
}

/// Refuses whoever acts and is not the Control Unit.
///
/// # Errors
///
/// A [`Refusal`] that names it.
pub(super) fn reigns(d: &D<'_>) -> Result<(), Refusal> {
    let me = laws::player(d)?;
    let holder = match control_unit(d) {
        Some(cu) if cu == me => return Ok(()),
        Some(cu) => format!("{} is Control Unit", d.frame.name_of(&cu)),
        None => "there is none now".to_owned(),
    };
    Err(Refusal::new(format!("only the Control Unit does that, and {holder}")).instead("show dynasties"))
}

/// A current Robot that somebody names, not oneself where `me` is given.
///
/// # Errors
///
/// A [`Refusal`] that says what the named one is instead.
pub(super) fn other(d: &D<'_>, named: &Id, me: Option<&Id>) -> Result<Id, Refusal> {
    let name = d.frame.name_of(named);
    if Some(named) == me {
        return Err(Refusal::new("that is yourself; name another Robot").instead("show robots"));
    }
    match standing(d, named) {
        Some(Standing::Robot) => Ok(named.clone()),
        Some(Standing::Deactivated) => {
            Err(Refusal::new(format!("{name} is Deactivated, and to all rules but this one no Robot"))
                .by(Thing::Robots.rule(&d.rules))
                .instead("show robots"))
        }
        _ => Err(Refusal::new(format!("{name} is no Robot")).instead("show robots")),
    }
}
