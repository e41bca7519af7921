//! Laws in a room of a small game: each chapter of the vocabulary, as players meet it.

mod budgets;
mod dockets;
mod doers;
mod engine;
mod faults;
mod foresight;
mod given;
mod groups;
mod hostile;
mod lifetimes;
mod memory;
mod numerals;
mod offices;
mod people;
mod random;
mod record;
mod reference;
mod speed;
mod steering;
mod terms;
mod vocabulary;
mod waiting;
mod wrong;
