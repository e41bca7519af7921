//! How much laws may ask for: every bound has its name and its reason here.
//!
//! The figures come from laws that were played with 50 players and 500 objects. The largest of those acts stays below a
//! third of each bound.

/// Most operations of an act, or of an instant, with all that follows from it, and of a display: 25 milliseconds at 50
/// nanoseconds each.
pub const ACT_MAX_OPERATIONS: u64 = 500_000;
/// Most operations of one bar, change or condition, and of one law that declares.
pub const LOOK_MAX_OPERATIONS: u64 = 50_000;
/// Operations for each time that a native function calls a script back.
pub const CALLBACK_OPERATIONS: u64 = 10;
/// Operations for a group that is tried by itself, an act that is performed: the room is kept as it was.
pub const GROUP_OPERATIONS: usize = 100;
/// Most changes of an act with all that follows from it: each is a line of the journal.
pub const ACT_MAX_CHANGES: usize = 2_000;
/// Most bytes of the journal for an act with all that follows: old and new values, what is announced, what is drawn.
pub const ACT_MAX_BYTES: usize = 262_144;
/// Most announcements of an act with all that follows: a channel takes a few in a second.
pub const ACT_MAX_MESSAGES: usize = 100;
/// Most numbers drawn by an act with all that follows: each is kept with the entry.
pub const ACT_MAX_DRAWS: usize = 1_000;
/// Most followers that are called after one act.
pub const FOLLOWERS_MAX_COUNT: usize = 1_000;
/// How deep acts may perform acts.
pub const PERFORM_MAX_LEVELS: usize = 12;
/// How deep calls of the engine may stand in each other: an act, its groups, the conditions that those ask. Each takes
/// the stack of its own calls.
pub const NESTED_MAX_LEVELS: usize = 16;
/// Most operations of one thing that follows: what else follows has the rest.
pub const FOLLOWER_MAX_OPERATIONS: u64 = 200_000;
/// Most operations of one part of a document: what else is done has the rest.
pub const PART_MAX_OPERATIONS: u64 = 50_000;
/// How often what must always hold is seen to after one act.
pub const WHENEVER_MAX_ROUNDS: usize = 16;
/// How deep functions of a script may call each other.
pub const CALLS_MAX_LEVELS: usize = 32;
/// Most bytes of the stack that a call takes with all calls in it: half of what the threads have on which rooms decide.
/// Depths of calls, groups and expressions multiply, so that none of their bounds alone keeps to it.
pub const STACK_MAX_BYTES: usize = 1_048_576;
/// How deep an expression of a script may nest.
pub const EXPRESSION_MAX_LEVELS: usize = 48;
/// Most articles of a list or a map: more than an act can go through. So operations end what takes too much, and no
/// number of objects ends a law by itself.
pub const LIST_MAX_ITEMS: usize = 50_000;
/// Longest text of a script, in bytes.
pub const TEXT_MAX_BYTES: usize = 2_048;
/// Longest text of a display, in bytes.
pub const DISPLAY_MAX_BYTES: usize = 524_288;
/// Longest table of a display, in bytes: rows beyond are counted and not shown.
pub const TABLE_MAX_BYTES: usize = 131_072;
/// Longest law, in bytes.
pub const LAW_MAX_BYTES: usize = 24_576;
/// Most commands that one law adds.
pub const LAW_MAX_ACTIONS: usize = 20;
/// Most parameters of a command: Discord shows 25 fields, of which three are the same for each, and a text or a player may
/// take two.
pub const ACT_PARAMS_MAX_COUNT: usize = 11;
/// Longest numerator or denominator that a script makes, in bits.
pub const NUMBER_MAX_BITS: u64 = 4_096;
/// Most things that one law declares.
pub const LAW_MAX_DECLARATIONS: usize = 400;
/// How many faults of one function within a period suspend it.
pub const FAULTS_MAX_COUNT: u32 = 3;
/// Most operations that a law takes by itself within an hour of the room's time: one second at 50 nanoseconds each.
pub const HOUR_MAX_OPERATIONS: u64 = 20_000_000;
/// The same of all laws of a room.
pub const ROOM_HOUR_MAX_OPERATIONS: u64 = 100_000_000;
/// Operations for each deed that a law has set for later, beside what it does: it is an entry of its own.
pub const DEED_OPERATIONS: u64 = 10_000;
/// Most bytes of the journal that a law takes by itself within an hour.
pub const HOUR_MAX_BYTES: u64 = 1_048_576;
/// The same of all laws of a room.
pub const ROOM_HOUR_MAX_BYTES: u64 = 4_194_304;
/// Most announcements that a law makes by itself within an hour.
pub const HOUR_MAX_MESSAGES: u64 = 300;
/// The same of all laws of a room.
pub const ROOM_HOUR_MAX_MESSAGES: u64 = 900;
/// Most deeds that wait of one law: each is looked at after every entry.
pub const LATER_MAX_COUNT: u64 = 250;
/// The same of all laws of a room.
pub const ROOM_LATER_MAX_COUNT: u64 = 1_000;
/// Most things that one law asks of players at once: each is looked at after every entry.
pub const ASKS_MAX_COUNT: u64 = 250;
/// The same of all laws of a room.
pub const ROOM_ASKS_MAX_COUNT: u64 = 500;
