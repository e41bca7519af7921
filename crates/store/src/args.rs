//! The parameters of statements: `$1`, `$2` and so on.
//!
//! A value is bound and never written into the text of a statement. It is bound as it is, without a copy.

use super::types::{PersonId, RoomId};
use kernel::Seq;

/// A parameter of a statement.
#[derive(Clone, Copy)]
pub(super) enum Arg<'a> {
    Int(Option<i64>),
    Text(Option<&'a str>),
    Bytes(Option<&'a [u8]>),
}

impl From<i64> for Arg<'_> {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<Option<i64>> for Arg<'_> {
    fn from(value: Option<i64>) -> Self {
        Self::Int(value)
    }
}

/// A number beyond what a database holds stands for the largest one: no such entry exists.
impl From<Seq> for Arg<'_> {
    fn from(value: Seq) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<RoomId> for Arg<'_> {
    fn from(value: RoomId) -> Self {
        Self::Int(Some(value.0))
    }
}

impl From<PersonId> for Arg<'_> {
    fn from(value: PersonId) -> Self {
        Self::Int(Some(value.0))
    }
}

impl From<Option<PersonId>> for Arg<'_> {
    fn from(value: Option<PersonId>) -> Self {
        Self::Int(value.map(|person| person.0))
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(Some(value))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(Some(value))
    }
}

impl<'a> From<Option<&'a str>> for Arg<'a> {
    fn from(value: Option<&'a str>) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(Some(value))
    }
}

impl<'a> From<Option<&'a [u8]>> for Arg<'a> {
    fn from(value: Option<&'a [u8]>) -> Self {
        Self::Bytes(value)
    }
}

/// The parameters `$1`, `$2`, ... of a statement.
macro_rules! args {
    ($($arg:expr),* $(,)?) => { &[$($crate::args::Arg::from($arg)),*] };
}
pub(super) use args;
