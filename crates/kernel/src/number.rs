//! Exact numbers. No float ever holds a figure of a game.

use std::{fmt, ops, str::FromStr};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use unicode_normalization::UnicodeNormalization;

/// Longest text that is read as a number, in bytes: a numerator and denominator that no player types by hand.
pub const NUMBER_MAX_BYTES: usize = 200;

/// An exact rational number, written `7`, `-3`, `1/403` or `0.25`, and shown as a mixed fraction (`6 1/403`).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, schemars::JsonSchema)]
#[schemars(from = "String", into = "String")]
pub struct Num(BigRational);

impl Num {
    /// `numerator / denominator`; `None` when the denominator is zero.
    pub fn ratio(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self(BigRational::new(numerator.into(), denominator.into())))
    }

    /// Whether it has no fractional part.
    pub fn is_whole(&self) -> bool {
        self.0.is_integer()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// As a whole number; `None` when it has a fractional part or does not fit.
    pub fn to_i64(&self) -> Option<i64> {
        self.is_whole().then(|| self.0.to_integer().to_i64()).flatten()
    }

    /// The greatest whole number that is not above it, where that fits.
    pub fn floor(&self) -> Option<i64> {
        self.0.floor().to_integer().to_i64()
    }

    /// As a whole number that is not negative; `None` when it is neither, or does not fit.
    pub fn to_u64(&self) -> Option<u64> {
        self.is_whole().then(|| self.0.to_integer().to_u64()).flatten()
    }

    /// The exact value, for arithmetic that this type does not offer.
    pub fn as_rational(&self) -> &BigRational {
        &self.0
    }
}

impl From<BigRational> for Num {
    fn from(value: BigRational) -> Self {
        Self(value)
    }
}

impl From<i64> for Num {
    fn from(value: i64) -> Self {
        Self(BigRational::from_integer(value.into()))
    }
}

impl ops::Add<&Num> for &Num {
    type Output = Num;
    fn add(self, other: &Num) -> Num {
        Num(&self.0 + &other.0)
    }
}

impl ops::Sub<&Num> for &Num {
    type Output = Num;
    fn sub(self, other: &Num) -> Num {
        Num(&self.0 - &other.0)
    }
}

impl ops::Neg for &Num {
    type Output = Num;
    fn neg(self) -> Num {
        Num(-&self.0)
    }
}

/// Why a text is not a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a number; write it like 7, -3, 1/403 or 0.25")]
pub struct NotANumber(String);

impl FromStr for Num {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Self, NotANumber> {
        let fail = || NotANumber(text.chars().take(40).collect());
        let trimmed = text.trim();
        if trimmed.len() > NUMBER_MAX_BYTES {
            return Err(fail());
        }
        let whole = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<BigInt>().ok()).flatten().ok_or_else(fail)
        };
        let (negative, body) = match trimmed.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest.trim_start()),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let value = if let Some((above, below)) = body.split_once('/') {
            let (mixed, above) = match above.trim().rsplit_once(' ') {
                Some((mixed, above)) => (whole(mixed.trim())?, above),
                None => (BigInt::zero(), above.trim()),
            };
            let below = whole(below.trim())?;
            if below.is_zero() {
                return Err(fail());
            }
            BigRational::from_integer(mixed) + BigRational::new(whole(above)?, below)
        } else if let Some((before, after)) = body.split_once('.') {
            let before = if before.is_empty() { BigInt::zero() } else { whole(before)? };
            let scale = num_traits::pow(BigInt::from(10), after.len());
            BigRational::from_integer(before) + BigRational::new(whole(after)?, scale)
        } else {
            BigRational::from_integer(whole(body)?)
        };
        Ok(Self(if negative { -value } else { value }))
    }
}

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0.to_integer();
        let rest = (&self.0 - BigRational::from_integer(whole.clone())).abs();
        if rest.is_zero() {
            return write!(f, "{whole}");
        }
        let sign = if self.0.is_negative() { "-" } else { "" };
        let fraction = format!("{}/{}", rest.numer(), rest.denom());
        if whole.is_zero() { write!(f, "{sign}{fraction}") } else { write!(f, "{sign}{} {fraction}", whole.abs()) }
    }
}

impl fmt::Debug for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Journals hold `"6/403"`, never a pair of arrays of digits.
impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.denom().is_one() {
            serializer.collect_str(self.0.numer())
        } else {
            serializer.collect_str(&format_args!("{}/{}", self.0.numer(), self.0.denom()))
        }
    }
}

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // A sum in a journal may have more digits than a player may type.
        let exact = BigRational::from_str(&text).map_err(|_| de::Error::custom(NotANumber(text.clone())))?;
        Ok(Self(exact))
    }
}

/// The number that a text is by itself, with or without `#`, from 1 up. What has none yet is called by the one that it
/// gets, in parentheses.
pub fn numbered(text: &str) -> Option<i64> {
    let number: Num = plain(unmarked(text)).parse().ok()?;
    number.to_i64().filter(|whole| number.is_whole() && *whole >= 1)
}

/// The numbers of a range: `1-3`.
pub fn spread(text: &str) -> Option<std::ops::RangeInclusive<i64>> {
    let (from, to) = text.trim().split_once(['-', '\u{2013}'])?;
    let (from, to) = (numbered(from)?, numbered(to)?);
    (from < to && to - from < RANGE_MAX_COUNT).then_some(from..=to)
}

/// Most numbers that a range means: more than a ballot has.
const RANGE_MAX_COUNT: i64 = 50;

/// A number as it is called, `#3` and `(3)`, without what marks it.
pub fn unmarked(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).trim_start_matches('#')
}

/// A text with its compatibility forms made one and `/` for the fraction slash, as a number is read.
pub fn plain(text: &str) -> String {
    text.trim().nfkc().map(|char| if char == '\u{2044}' { '/' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_players_write_and_shows_mixed_fractions() {
        for (written, shown) in [
            ("7", "7"),
            ("+7", "7"),
            (" -3 ", "-3"),
            ("1/403", "1/403"),
            ("6 1/403", "6 1/403"),
            ("-7/2", "-3 1/2"),
            ("0.25", "1/4"),
            ("-.5", "-1/2"),
            ("2/4", "1/2"),
        ] {
            assert_eq!(written.parse::<Num>().unwrap().to_string(), shown, "{written}");
        }
        for wrong in ["", "-", "1/0", "x", "1e9", "1/2/3", "0x10", "1.", "٣"] {
            assert!(wrong.parse::<Num>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn journals_hold_one_string() {
        let number: Num = "6 1/403".parse().unwrap();
        let json = serde_json::to_string(&number).unwrap();
        assert_eq!(json, "\"2419/403\"");
        assert_eq!(serde_json::from_str::<Num>(&json).unwrap(), number);
    }
}
