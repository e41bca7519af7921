//! The arguments of acts: structs read by their fields alone, and those that several games share.
//!
//! Each act says what it does with them.

/// Structs of the arguments of acts, which serde reads. What they do not name may not stand beside them.
#[macro_export]
macro_rules! args {
    ($($(#[$doc:meta])* $vis:vis $name:ident { $($(#[$how:meta])* $field:ident: $of:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $vis struct $name {
            $($(#[$how])* $vis $field: $of,)*
        }
    )*};
}

args! {
    /// Somebody comes in.
    pub Join {
        /// The name of the seat, where there is none yet.
        name: Option<String>,
    }

    /// Something is proposed.
    pub Propose {
        /// Its title.
        title: String,
        /// Its text.
        text: String,
        /// Whether it is held trivial; not every game knows that.
        #[serde(default)]
        trivial: bool,
    }

    /// A vote is cast.
    pub Cast {
        /// On which; the only open one where it is not said.
        #[serde(default, deserialize_with = "crate::one_or_several")]
        on: Vec<u64>,
        /// The vote.
        vote: String,
    }
}
