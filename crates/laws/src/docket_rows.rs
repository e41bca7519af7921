//! What a room keeps of documents beside their values: kinds that laws declared once, earlier texts, votes.

use serde::{Deserialize, Serialize};

use kernel::{Game, Id, Instant, State, Value, entry::Change, table::Row};

use super::docket_decl::DocketDecl;

/// A kind of documents that a law has declared once, as it did last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub(crate) struct Docket(pub(crate) DocketDecl);

impl<G> Row<G> for Docket {
    type Key = String;
    const TABLE: &'static str = "law_dockets";
}

/// An earlier text of a document that was revised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Wording {
    /// The text.
    pub(crate) text: String,
}

impl<G> Row<G> for Wording {
    /// Which document, and how often it had been revised.
    type Key = (Id, u32);
    const TABLE: &'static str = "law_wordings";
}

/// A vote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Vote {
    /// What it is: a word, a choice or a number.
    pub(crate) vote: Value,
    /// What was said with it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) mark: String,
    /// When it was cast.
    pub(crate) at: Instant,
    /// How often the document had been revised.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) revision: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Vote {
    /// On what a change takes or casts a vote, and whose; nothing where it is of something else.
    pub(crate) fn of<G>(change: &Change) -> Option<(Id, String, Id)> {
        match change {
            Change::Row(row) if *row.table == *<Self as Row<G>>::TABLE => serde_json::from_value(row.key.clone()).ok(),
            _ => None,
        }
    }
}

/// Which document is voted on, in which ballot of it.
pub(crate) type Question = (Id, String);

impl<G> Row<G> for Vote {
    /// With whoever cast it.
    type Key = (Id, String, Id);
    const TABLE: &'static str = "law_votes";
}

/// A document that is voted on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Poll {
    /// Since when.
    pub(crate) began: Instant,
    /// How long that lasts, as its law said last.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) lasts: String,
    /// Until when, as the game's time stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Instant>,
    /// How the game counts that, where it does so in units of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) counted: Option<serde_json::Value>,
    /// When those are reminded who have not voted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) remind: Option<Instant>,
    /// Whether its time is over, and no rule has made anything of that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) over: bool,
    /// How often its time was over.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) ends: u32,
    /// Since when no law declares its ballot: no time runs meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stands: Option<Instant>,
}

impl Poll {
    /// The same where the votes end now.
    pub(crate) fn ends_now(self, now: Instant) -> Self {
        Self { at: Some(now), counted: None, remind: None, ..self }
    }

    /// The same where an end that came to nothing comes again now.
    pub(crate) fn again(self, now: Instant) -> Self {
        Self { over: false, at: Some(now), ..self }
    }
}

impl<G> Row<G> for Poll {
    type Key = Question;
    const TABLE: &'static str = "law_polls";

    fn told(key: &Question, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (None, Some(_)) => format!("votes on {} begin", key.0),
            (Some(was), Some(is)) if is.over && !was.over => format!("votes on {} end", key.0),
            _ => String::new(),
        }
    }
}

/// Whether documents of a kind are kept, also where no law declares the kind any more.
pub(crate) fn keeps<G: Game>(state: &State<G>, kind: &str) -> bool {
    state.row::<Docket>(&kind.to_owned()).is_some()
}
