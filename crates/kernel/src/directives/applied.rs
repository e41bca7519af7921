//! What became of a body that was applied, or why it was not.
//!
//! It is plain data: it knows neither the game nor how a body is applied.

use std::collections::BTreeMap;

use crate::Id;
use crate::Refusal;
use crate::rulebook::Rebinding;

/// What became of a body that was applied.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// What became of each directive, those inside others after the one that they are in.
    pub outcomes: Vec<Outcome>,
    /// What became of the figures of rules that were amended.
    pub rebindings: Vec<Rebinding>,
    /// The rules that it touched, with the revision that each had before; `None` where it was not in force.
    pub base: BTreeMap<Id, Option<u32>>,
}

/// What became of one directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its line, from 1.
    pub line: usize,
    /// Its words.
    pub words: String,
    /// What it did, in sentences beyond its words; or why it was not done.
    pub result: Result<Vec<String>, Refusal>,
}

/// Why a body was not applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The line of the directive that could not be done, from 1.
    pub line: usize,
    /// Its words.
    pub words: String,
    /// Why.
    pub refusal: Refusal,
}

impl Failure {
    /// The refusal, with the line.
    pub fn into_refusal(self) -> Refusal {
        Refusal { say: format!("line {}: {}", self.line, self.refusal.say), ..self.refusal }
    }
}
