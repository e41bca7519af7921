//! Kinds of numbered documents and votes on them, as laws declare them: proposals, calls, elections.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use kernel::{Value, world::SCOPES};

use super::{
    declared::{ActDecl, ParamDecl},
    names::{capital, plural},
};

/// The attributes that every document has.
pub(crate) const TEXT: &str = "text";
pub(crate) const BY: &str = "by";
pub(crate) const MADE: &str = "made";
pub(crate) const STATE: &str = "state";
pub(crate) const REVISIONS: &str = "revisions";

/// The state of what its maker has taken back.
pub(crate) const WITHDRAWN: &str = "Withdrawn";

/// What a docket asks a function of its law for.
pub(crate) const TURN: &str = "turn";
pub(crate) const AMISS: &str = "amiss";
pub(crate) const FIRST: &str = "first";
pub(crate) const MARK: &str = "mark";
pub(crate) const HEAD: &str = "head";
pub(crate) const FORESEES: &str = "foresees";

/// What any rule adds to documents of a kind: sentences below them, and buttons.
pub(crate) const PAGE: &str = "page";
pub(crate) const OFFERS: &str = "offers";

/// Whether a document has a title.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Title {
    /// It has none.
    #[default]
    No,
    /// It has one.
    Yes,
    /// It may have one.
    MayBeLeftOut,
}

/// A kind of numbered documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct DocketDecl {
    /// Its kind.
    pub kind: String,
    /// What one is called in sentences, and several; empty where its kind says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<String>,
    /// Whether its page says what it would do now.
    pub dryrun: bool,
    /// What a document may be; it is the first at first.
    pub states: Vec<String>,
    /// The states in which something can become of it.
    pub open: Vec<String>,
    /// Whether its text holds directives.
    pub changes: bool,
    /// Whether it has a title.
    pub title: Title,
    /// Whether no two have one title.
    pub named: bool,
    /// The command that makes one; empty where only laws do.
    pub make: String,
    /// How many of one maker may be open.
    pub limit: Option<u64>,
    /// The least number of one.
    pub first: u64,
    /// The states in which its maker may revise it.
    pub revise: Vec<String>,
    /// The states in which its maker may withdraw it.
    pub withdraw: Vec<String>,
}

impl DocketDecl {
    /// What one is called in sentences: `Proposal`.
    pub(crate) fn one(&self) -> String {
        self.called.first().cloned().unwrap_or_else(|| capital(&self.kind))
    }

    /// What several are called: `Proposals`.
    pub(crate) fn many(&self) -> String {
        self.called.get(1).cloned().unwrap_or_else(|| capital(&plural(&self.kind)))
    }
}

/// What a ballot asks functions of its law for.
pub(crate) const WORDS: &str = "words";
pub(crate) const VOTERS: &str = "voters";
pub(crate) const WEIGHT: &str = "weight";
pub(crate) const LATEST: &str = "latest";
pub(crate) const EARLY: &str = "early";
pub(crate) const NEEDED: &str = "needed";
pub(crate) const IMPLIED: &str = "implied";
pub(crate) const BEFORE: &str = "before";

/// The document that a vote is on, as its command has it.
pub(crate) const ON: &str = "on";
/// The vote itself.
pub(crate) const VOTE: &str = "vote";

/// What happens when votes begin, and when their time is over.
pub(crate) const BEGIN: &str = "votes begin";
pub(crate) const END: &str = "votes end";

/// What a word of a vote means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// For it.
    For,
    /// Against it.
    Against,
    /// Neither.
    Neither,
    /// As whoever holds this office votes.
    Defers(String),
    /// It is no vote: it does this act on the document.
    Does(String),
}

impl BallotDecl {
    /// Which of its words a vote is; nothing for another one.
    pub(crate) fn place(&self, vote: &Value) -> Option<usize> {
        self.words.iter().position(|(word, _)| matches!(vote, Value::Text(is) if is == word))
    }

    /// Whether a vote has a word that the ballot has no more: it counts as not cast.
    pub(crate) fn lacks(&self, vote: &Value) -> bool {
        !self.words.is_empty() && self.place(vote).is_none()
    }

    /// The words that are votes.
    pub(crate) fn cast(&self) -> impl Iterator<Item = &(String, Means)> {
        self.words.iter().filter(|(_, means)| !matches!(means, Means::Does(_)))
    }
}

/// How documents of a kind are voted on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct BallotDecl {
    /// The kind of documents.
    pub kind: String,
    /// The command.
    pub name: String,
    /// The states in which a document is voted on.
    pub on: Vec<String>,
    /// The words of a vote, each with what it means; none where votes are choices or numbers.
    pub words: Vec<(String, Means)>,
    /// The bounds of a vote that is a number.
    pub number: Option<(i64, i64)>,
    /// What may be said with a vote, each with the word that it is said with.
    pub marks: BTreeMap<String, String>,
    /// What else is typed for its words: `✅` for FOR.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub also: BTreeMap<String, Vec<String>>,
    /// Whether a vote is final.
    pub is_final: bool,
    /// How long votes last; without end where it is empty.
    pub lasts: String,
    /// Whether votes end as soon as all have voted.
    pub early: bool,
    /// How long before the end those are reminded who have not voted; not at all where it is empty.
    pub remind: String,
    /// Whether votes are sealed until their time is over.
    pub secret: bool,
    /// A line about its command; a general one where it is empty.
    pub help: String,
}

/// The name of the command by which makers revise documents of a kind, or withdraw them.
pub(crate) fn revise(kind: &str) -> String {
    format!("revise {kind}")
}

/// The same to withdraw them.
pub(crate) fn withdraw(kind: &str) -> String {
    format!("withdraw {kind}")
}

/// The command by which documents are voted on in several ballots of one name: sealed, where one of them is secret.
pub(crate) fn act<'b>(name: &str, ballots: impl Iterator<Item = &'b BallotDecl> + Clone) -> ActDecl {
    let kinds: BTreeSet<&str> = ballots.clone().map(|ballot| ballot.kind.as_str()).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let mut words: Vec<&str> = Vec::new();
    for (word, _) in ballots.clone().flat_map(|ballot| &ballot.words) {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    let numbers = ballots.clone().filter_map(|ballot| ballot.number);
    let bounds = numbers.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    let is_open = ballots.clone().any(|ballot| ballot.words.is_empty() && ballot.number.is_none());
    let range = match (bounds, words.is_empty()) {
        _ if is_open => "anything".to_owned(),
        (Some((least, most)), true) => format!("whole number from {least} to {most}"),
        (Some(_), false) => "anything".to_owned(),
        (None, _) => format!("one of {}", words.join(", ")),
    };
    let param = |name: &str, range: String, optional: bool, help: &str, empty: &str| ParamDecl {
        name: name.to_owned(),
        range,
        optional,
        skips: false,
        first: String::new(),
        offers: String::new(),
        meant: String::new(),
        behind: String::new(),
        help: help.to_owned(),
        empty: empty.to_owned(),
    };
    let what = kinds.join(SCOPES);
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let on = ParamDecl {
        skips: true,
        ..param(ON, format!("{article} {what}"), true, "Its number; without one, the only one that is voted on", "1")
    };
    let example = words
        .first()
        .map_or_else(|| bounds.map_or_else(|| "Ann".to_owned(), |of| of.1.to_string()), |word| (*word).to_owned());
    let mut params = vec![on, param(VOTE, range, false, "Your vote", &example)];
    let sealed = ballots.clone().any(|ballot| ballot.secret);
    let told = ballots.clone().find(|ballot| !ballot.help.is_empty()).map(|ballot| ballot.help.clone());
    let marks: BTreeSet<&str> = ballots.flat_map(|ballot| ballot.marks.keys()).map(String::as_str).collect();
    if !marks.is_empty() {
        let marks: Vec<&str> = marks.into_iter().collect();
        params.push(param("mark", format!("one of {}", marks.join(", ")), true, "What you say with it", ""));
    }
    ActDecl {
        name: name.to_owned(),
        params,
        sealed,
        keeps_last: sealed,
        keeps_for: if sealed { ON.to_owned() } else { String::new() },
        who: "anybody".to_owned(),
        help: told.unwrap_or_else(|| format!("Vote on {article} {what}")),
        examples: vec![format!("{name} 1 {example}")],
        ..ActDecl::default()
    }
}
