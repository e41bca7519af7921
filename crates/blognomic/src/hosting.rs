//! Laws in this game: what happens that they may follow, and what its acts and its office are called in them.
//!
//! The rules say none of that of laws; the rulings do (`docs/rulings/blognomic.md`, N13).

use super::{
    game::{BlogNomic, D},
    robots, roster, stats,
};
use kernel::{Id, Refusal, State, Value};

impl laws::Hosts for BlogNomic {
    const KINDS: &'static [&'static str] = &[stats::ROBOT];
    const EVENTS: &'static [laws::Event] = &[
        (roster::APPLIED, &["by"]),
        (roster::JOINED, &["by"]),
        (roster::LEFT, &["by"]),
        (roster::DEACTIVATED, &["robot"]),
        (roster::REACTIVATED, &["robot"]),
        (roster::OPENED, &["by"]),
    ];

    fn seen(state: &State<Self>, obj: &Id, name: &str) -> Option<Value> {
        roster::seen(state, obj, name)
    }

    fn player() -> &'static str {
        stats::ROBOT
    }

    fn taken_for(state: &State<Self>, obj: &Id) -> Option<Id> {
        roster::taken_for(state, obj)
    }

    fn admit(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
        robots::admit(seat, d)
    }

    fn suspend(seat: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
        robots::suspend(seat, d)
    }

    fn dismiss(seat: &Id, keeps: bool, d: &mut D<'_>) -> Result<(), Refusal> {
        robots::dismiss(seat, keeps, d)
    }

    fn is_office(_state: &State<Self>, name: &str) -> bool {
        name.eq_ignore_ascii_case(roster::ADMIN_STAFF)
    }

    fn holders(state: &State<Self>, office: &str) -> Vec<Id> {
        if !Self::is_office(state, office) {
            return Vec::new();
        }
        let staff = state.world.of_kind(stats::ROBOT).filter(|robot| roster::is_admin(state, robot));
        staff.filter(|robot| roster::is_robot(state, robot)).cloned().collect()
    }

    fn plays(state: &State<Self>, seat: Option<&Id>) -> Result<(), Refusal> {
        roster::plays(state, seat)
    }
}
