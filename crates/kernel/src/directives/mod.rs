//! Directives: what a proposal, a tweak or a judgment does to rules and state, in words that players write and read.
//!
//! A body is read (`syntax`), tried on a copy of the room so that everybody sees its effect (`dry_run`), and applied
//! (`apply`). Amounts and conditions are expressions (`expr`) over a view of the room that changes nothing (`sight`),
//! which a state of a room gives (`seen`). Each game says what its words mean (`words`); `wording`, `setting` and
//! `sight` know no game. The game decides when a body is applied, and who may propose it.

pub mod applied;
pub mod apply;
pub mod define;
pub mod dry_run;
pub mod expr;
pub mod posted;
pub mod seen;
pub mod setting;
pub mod sight;
pub mod syntax;
pub mod wording;
pub mod words;

pub use applied::{Applied, Failure};
pub use apply::{apply, apply_by_law};
pub use dry_run::{DryRun, Passing, alone, dry_run, moved_since};
pub use expr::{Evaluator, evaluate};
pub use posted::Post;
pub use seen::{Seen, spoken_for, spoken_otherwise};
pub use setting::{Mode, Posted, Setting};
pub use sight::Sight;
pub use syntax::{Act, Body, Directive};
pub use words::{Amending, Lawful, Names, Place};

#[cfg(test)]
mod toy;
