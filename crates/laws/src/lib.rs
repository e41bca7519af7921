//! Laws: scripts in the text of rules, by which a game is played from the moment at which the rule is in force.
//!
//! To the kernel they are a mechanic like any other. A script sees a room through `Stage` and changes it as directives
//! do; `registry` says which function is called for what, `play` in which order.

mod adopting;
mod announced;
mod apply;
mod appointing;
mod asked;
mod ballots;
mod budgets;
mod calendar;
mod called;
mod charged;
mod checker;
mod commands;
mod counts;
mod declared;
mod declaring;
mod displays;
mod docket_decl;
mod docket_page;
mod docket_rows;
mod documents;
mod draft;
mod engines;
mod fault;
mod faults;
mod foresight;
mod fuel;
mod gone;
mod index;
mod languages;
mod lifetimes;
pub mod limits;
mod listed;
mod literals;
mod mechanic;
mod moments;
mod names;
mod natives;
mod offices;
mod params;
mod pending;
mod play;
mod polls;
mod reading;
mod reads;
mod registry;
mod room;
pub mod ruleset;
mod run;
mod script;
mod sealed;
mod session;
pub mod shipped;
mod stage;
mod tables;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod then;
mod touched;
#[cfg(test)]
mod toy;
mod tried;
mod values;
mod ways;
mod weight;

pub use appointing::appoint;
pub use asked::{asked, done, said};
pub use budgets::Budget;
pub use declared::{ActDecl, Declared, PERSON, ParamDecl, SUSPENDED};
pub use displays::{by_themselves, front};
pub use docket_page::{labelled_as, post_of, reword};
pub use fault::Fault;
pub use foresight::{AGAIN, ways};
pub use languages::Spoken;
pub use mechanic::{declare, mechanic};
pub use moments::calendar;
pub use offices::{holder, office_named, offices};
pub use pending::{Needs, Owed, coming, owed};
pub use polls::{voted, voting_line};
pub use registry::{LAW, law_of};
pub use room::{Announce, Event, Hosts, PROPOSAL, act_called, names_nothing, player};
pub use tables::{
    Announced, Ask, Count, Done, Enacted, Faults, Given, Intent, Later, Sealed, are_of_laws, class, defines, displays,
    is_document, is_kind, is_of_laws, is_room, is_thing, keeps,
};
