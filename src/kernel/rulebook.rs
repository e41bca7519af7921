//! stub
use super::{Instant, Seq};
use serde::{Deserialize, Serialize};
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rulebook {}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleOp {}
impl RuleOp {
    pub fn inverse(&self) -> Option<RuleOp> {
        None
    }
}
impl Rulebook {
    pub fn apply(&mut self, _: &RuleOp, _: Seq, _: Instant) {}
    pub fn can_undo(&self, _: &RuleOp) -> bool {
        true
    }
}
#[derive(Clone, Debug)]
pub struct LiveKey {}
