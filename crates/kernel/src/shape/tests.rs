//! The digest changes when a shape does, and not by what is said of it.

use serde::{Deserialize, Serialize};

use super::*;
use crate::table::Row;

/// A game that keeps coins, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Purse;

/// A version of the program, by what it keeps of a coin: the digest of its rooms.
macro_rules! version {
    ($name:ident, $key:ty, $($kind:item)*) => {
        mod $name {
            use super::*;

            $(#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)] $kind)*

            impl Row<Purse> for Coin {
                type Key = $key;
                const TABLE: &'static str = "coins";
            }
        }

        fn $name() -> String {
            digest(&[Declared::<Purse>::of::<$name::Coin>()])
        }
    };
}

version! { today, u64,
    pub(super) struct Coin { face: Face, #[serde(default)] worth: u32 }
    enum Face { Heads, Tails }
}
version! { said_otherwise, u64,
    /// # A coin
    ///
    /// One that is thrown.
    pub(super) struct Coin {
        /// What it shows.
        face: Face,
        /// What it buys.
        #[serde(default)]
        worth: u32,
    }
    enum Face {
        Heads,
        /// The arms.
        Tails,
    }
}
version! { a_field_more, u64,
    pub(super) struct Coin {
        face: Face,
        #[serde(default)] worth: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")] owner: Option<String>,
    }
    enum Face { Heads, Tails }
}
version! { a_field_less, u64,
    pub(super) struct Coin { face: Face }
    enum Face { Heads, Tails }
}
version! { a_field_of_another_name, u64,
    pub(super) struct Coin { face: Face, #[serde(default, rename = "buys")] worth: u32 }
    enum Face { Heads, Tails }
}
version! { a_field_of_another_kind, u64,
    pub(super) struct Coin { face: Face, #[serde(default)] worth: u64 }
    enum Face { Heads, Tails }
}
version! { a_field_that_cannot_be_left_out, u64,
    pub(super) struct Coin { face: Face, worth: u32 }
    enum Face { Heads, Tails }
}
version! { a_field_that_is_otherwise_where_it_is_left_out, u64,
    pub(super) struct Coin { face: Face, #[serde(default = "one")] worth: u32 }
    enum Face { Heads, Tails }
}
version! { a_choice_more, u64,
    pub(super) struct Coin { face: Face, #[serde(default)] worth: u32 }
    enum Face { Heads, Tails, Edge }
}
version! { a_choice_that_holds_something, u64,
    pub(super) struct Coin { face: Face, #[serde(default)] worth: u32 }
    enum Face { Heads(u8), Tails }
}
version! { another_key, (u64, u64),
    pub(super) struct Coin { face: Face, #[serde(default)] worth: u32 }
    enum Face { Heads, Tails }
}
version! { a_number_of_the_game, u64,
    pub(super) struct Coin { face: Face, #[serde(default)] worth: crate::Num }
    enum Face { Heads, Tails }
}
version! { a_text, u64,
    pub(super) struct Coin { face: Face, #[serde(default)] worth: String }
    enum Face { Heads, Tails }
}

fn one() -> u32 {
    1
}

#[test]
fn another_shape_of_a_row_gives_another_digest_and_a_comment_does_not() {
    let mut digests = vec![
        today(),
        a_field_more(),
        a_field_less(),
        a_field_of_another_name(),
        a_field_of_another_kind(),
        a_field_that_cannot_be_left_out(),
        a_field_that_is_otherwise_where_it_is_left_out(),
        a_choice_more(),
        a_choice_that_holds_something(),
        another_key(),
        a_number_of_the_game(),
        a_text(),
        digest::<Purse>(&[]),
    ];
    assert_eq!(said_otherwise(), today());
    let count = digests.len();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), count);
}
