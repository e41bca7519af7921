//! Coordinates (S84 to S86): the pair that names a vertex, and which pairs are coordinatewise adjacent.
//!
//! Edges are another thing (`adjacency`).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use kernel::Num;

/// The farthest coordinate: differences of two never leave the numbers that the program counts in.
pub(super) const COORDINATE_MAX_COUNT: i64 = 1_000_000_000;

/// The coordinates of a vertex, which name it (S84, S85).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, schemars::JsonSchema)]
#[schemars(from = "String", into = "String")]
pub struct Spot {
    /// To the right.
    pub x: i64,
    /// Upwards.
    pub y: i64,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A text that is no pair of coordinates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no pair of coordinates like (2, -1), each a whole number up to {COORDINATE_MAX_COUNT} either way")]
pub struct NoSpot(String);

impl FromStr for Spot {
    type Err = NoSpot;
    fn from_str(text: &str) -> Result<Self, NoSpot> {
        let fail = || NoSpot(text.chars().take(40).collect());
        let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
        let (x, y) = inner.split_once(',').or_else(|| inner.trim().split_once(char::is_whitespace)).ok_or_else(fail)?;
        let read = |text: &str| {
            let number: i64 = text.trim().replace('\u{2212}', "-").parse().map_err(|_| fail())?;
            if number.abs() > COORDINATE_MAX_COUNT { Err(fail()) } else { Ok(number) }
        };
        Ok(Self { x: read(x)?, y: read(y)? })
    }
}

/// The pairs of coordinates in a text, in order: with parentheses or without, and with such words between them as `and`.
///
/// # Errors
///
/// Where anything else stands there.
pub(super) fn spots(text: &str) -> Result<Vec<Spot>, NoSpot> {
    /// What stands between pairs and says nothing.
    const BETWEEN: [&str; 6] = ["on", "and", "to", "with", "from", "-"];
    let between = |char: char| char.is_whitespace() || matches!(char, '(' | ')' | ',' | ';');
    let words = text.split(between).filter(|word| !word.is_empty() && !BETWEEN.contains(word));
    words.collect::<Vec<&str>>().chunks(2).map(|pair| pair.join(",").parse()).collect()
}

/// A key of maps, so that it is one string.
impl Serialize for Spot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{},{}", self.x, self.y))
    }
}

impl<'de> Deserialize<'de> for Spot {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Spot {
    /// Before all others in order.
    pub(super) const LEAST: Self = Self { x: i64::MIN, y: i64::MIN };

    /// Whether two places are coordinatewise adjacent, a place and itself included (S50, S86).
    pub(super) fn near(self, other: Self, reach: &Num) -> bool {
        let within = |a: i64, b: i64| Num::from((a - b).abs()) <= *reach;
        within(self.x, other.x) && within(self.y, other.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(text: &str) -> Spot {
        text.parse().unwrap()
    }

    /// S84: what players write for a pair, and what is none.
    #[test]
    fn s84_pairs_are_read_as_players_write_them() {
        for (text, shown) in [("(2, -1)", "(2, -1)"), ("2,-1", "(2, -1)"), (" 0 0 ", "(0, 0)"), ("(3,4)", "(3, 4)")] {
            assert_eq!(spot(text).to_string(), shown, "{text}");
        }
        for wrong in ["", "2", "(1, 2, 3)", "(1.5, 2)", "(x, 2)", "(1000000001, 0)", "(9223372036854775807, 0)"] {
            assert!(wrong.parse::<Spot>().is_err(), "{wrong}");
        }
        let json = serde_json::to_string(&spot("(2, -1)")).unwrap();
        assert_eq!((json.as_str(), serde_json::from_str::<Spot>(&json).unwrap()), ("\"2,-1\"", spot("2,-1")));
    }

    /// S86: both differences at most the reach; S50: a place is near itself.
    #[test]
    fn s86_near_is_by_both_coordinates() {
        let reach = Num::from(1);
        for (a, b, near) in [
            ("0,0", "1,1", true),
            ("0,0", "2,0", false),
            ("0,0", "0,0", true),
            ("-1,0", "0,1", true),
            ("0,0", "1,2", false),
        ] {
            assert_eq!(spot(a).near(spot(b), &reach), near, "{a} {b}");
        }
    }
}
