//! How a game lists the figures that it is played by; their values stand in the rules.

/// Constants of live keys by their names, and `FIGURES`, the list of them all. For each it has its key, and its kind
/// with the least and the greatest that the engine can bear. It has the rehearsal that probes it, what it is and what
/// is so without it.
#[macro_export]
macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident = $key:expr, $kind:ident ($min:expr, $max:expr), $rehearsal:expr, $meaning:expr, $absent:expr;)*) => {
        $($(#[$doc])* pub const $name: kernel::rulebook::LiveKey = kernel::rulebook::LiveKey {
            key: $key,
            kind: $kind,
            engine_min: $min,
            engine_max: $max,
            absent: $absent,
            rehearsal: $rehearsal,
            meaning: $meaning,
        };)*
        /// Every figure of the rules.
        pub static FIGURES: &[kernel::rulebook::LiveKey] = &[$($name),*];
    };
}
pub use crate::figures;
