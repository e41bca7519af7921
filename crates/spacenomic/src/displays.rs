//! Where each display stands in the list of them.
//!
//! Every display reads the state as it is and changes nothing; each is drawn beside the mechanic that it shows.

// Where each display stands in the list of them: what is looked at most comes first.
pub(super) const PEOPLE: u8 = 0;
pub(super) const SPACE: u8 = 1;
pub(super) const MOVES: u8 = 2;
pub(super) const BALLOT: u8 = 3;
pub(super) const CLOCK: u8 = 4;
pub(super) const PROPOSALS: u8 = 5;
pub(super) const REQUESTS: u8 = 6;
pub(super) const COLOURS: u8 = 7;
pub(super) const ENCOURAGED: u8 = 8;
pub(super) const DECIMALS: u8 = 9;
pub(super) const EACH_PROPOSAL: u8 = 10;
pub(super) const LAWS: u8 = 11;
