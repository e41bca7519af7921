//! The rulebook with live numbers: rules as data, read by people and by the program alike.
//!
//! A figure that a game plays by stands in the text of a rule as a link, `[48](#timeout-hours)`. Players read, quote
//! and amend the visible part, `48`. The program asks for `timeout-hours` at the moment of use, so that an amended rule
//! changes the game without a change of the program. A rulebook that comes without markup is read as a page and bound
//! by a list.

mod align;
pub mod amend;
pub mod binding;
pub mod book;
pub mod diff;
pub mod header;
pub mod keys;
pub mod live;
pub mod numeral;
pub mod ops;
pub mod page;
pub mod source;
pub mod terms;
pub mod units;
pub mod views;
pub mod weekdays;

pub use amend::{Edit, Outcome, Rebinding};
pub use book::{RULE_MAX_BYTES, Revision, Rule, Rulebook};
pub use header::{BadHeader, RuleSource};
pub use keys::{Keys, LiveKey, NumKind, declared};
pub use live::Live;
pub use ops::{Played, RuleAct, RuleOp, Splice};
pub use source::{Mark, Span, Text, is_key};
pub use terms::Terms;
