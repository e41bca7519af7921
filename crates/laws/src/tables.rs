//! What laws keep beside the world: what each declares, what is set for later, and what was counted.
//!
//! Rows go with their law, in the entry in which it ends.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use kernel::{
    Game, Id, Instant, State, Value,
    directives::{Names, Post, wording::folded},
    table::Row,
};

use super::{
    budgets::Budget,
    declared::{Declared, GAME, PERSON, ROOM},
    docket_decl::BallotDecl,
    script::CALLED,
};

/// The page of what waits for players.
pub(crate) const PENDING: &str = "pending";

/// An act of a law that somebody announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Announced {
    /// Its name.
    pub act: String,
    /// What it is given.
    pub args: serde_json::Map<String, serde_json::Value>,
}

/// A law in force, as the entry declared it that brought it into force. What laws may say is part of its shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(extend("vocabulary" = *CALLED))]
pub struct Enacted {
    /// The revision of its rule.
    pub revision: u32,
    /// What it declares.
    pub declared: Declared,
    /// Why it declares nothing, where it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Names that it gives and that another law has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests: Vec<String>,
    /// What there is of it beside: where it cannot be read now, what it declared when it could be; in the midst of a
    /// document, what it has declared since that began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Declared>,
}

impl Enacted {
    /// Whether it says the same as another one, whatever was there before; in the midst of a document none does.
    pub(crate) fn says(&self, other: &Self) -> bool {
        let Self { revision, declared, fault, rests, kept: _ } = self;
        let is_amid = |law: &Self| law.fault.is_none() && !law.kept.is_empty();
        !is_amid(self)
            && !is_amid(other)
            && (revision, declared, fault, rests) == (&other.revision, &other.declared, &other.fault, &other.rests)
    }

    /// What there is of it: what it declares, or what is kept of it.
    pub(crate) fn stands(&self) -> &[Declared] {
        if self.kept.is_empty() { std::slice::from_ref(&self.declared) } else { &self.kept }
    }
}

impl<G> Row<G> for Enacted {
    type Key = Id;
    const TABLE: &'static str = "laws";

    fn told(_key: &Id, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (_, None) => "its law ends".to_owned(),
            (None, Some(_)) => "a law begins".to_owned(),
            (Some(_), Some(_)) => "its law is declared anew".to_owned(),
        }
    }
}

/// What the directives of a document meant when it got them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Posted {
    /// What they meant.
    pub(crate) post: Post,
    /// What they would have broken then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) breaks: Vec<String>,
    /// The rules that they touch, with their revisions then.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) base: BTreeMap<Id, Option<u32>>,
}

impl<G> Row<G> for Posted {
    type Key = Id;
    const TABLE: &'static str = "law_posted";
}

/// With which revision of its rule a function ran last without which no rule could be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Ran {
    /// The revision.
    pub(crate) revision: u32,
}

impl<G> Row<G> for Ran {
    /// The rule, and the function by what it is called for.
    type Key = (Id, String);
    const TABLE: &'static str = "law_ran";
}

/// A deed that is set for later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Later {
    /// When, as the game's time stands.
    pub at: Instant,
    /// How the game counts that, where it does so in units of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Json>,
    /// Its place among what shares an instant: the number of the rule, or what the law says.
    pub rank: i64,
    /// The rule whose law set it.
    pub rule: Id,
    /// Which deed.
    pub deed: String,
    /// With what.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, Value>,
    /// Whether it is done after a pause in which it was due; else it never happens then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

impl<G> Row<G> for Later {
    type Key = u64;
    const TABLE: &'static str = "law_later";

    fn told(_key: &u64, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (_, Some(is)) => format!("“{}” is set for {}", is.deed, kernel::time::minute(is.at)),
            (Some(was), None) => format!("“{}” is not set for later any more", was.deed),
            (None, None) => String::new(),
        }
    }
}

/// How often a function of a law went wrong, and whether it is called at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Faults {
    /// The rule of its law.
    pub rule: Id,
    /// Which function: `after vote`.
    pub function: String,
    /// The period in which they are counted, as the room's time has it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub period: String,
    /// How many there were in it.
    pub count: u32,
    /// Whose acts they were, each with the day: one doer counts once a day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doers: Vec<String>,
    /// Whether the function is called no more, until somebody resumes it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspended: bool,
    /// Whether it only rests: a figure that it reads is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rests: bool,
    /// Whether it is told in this period that something was refused to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
}

impl<G> Row<G> for Faults {
    type Key = String;
    const TABLE: &'static str = "law_faults";

    fn told(_key: &String, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        let Some(Self { function, .. }) = is.or(was) else { return String::new() };
        let is_suspended = |faults: Option<&Self>| faults.is_some_and(|faults| faults.suspended);
        // What did not change is known as it stands now alone: that it is suspended by now says nothing of then.
        match (is_suspended(was), is_suspended(is)) {
            (false, true) => format!("“{function}” is suspended"),
            (true, false) => format!("“{function}” is resumed"),
            (false, false) | (true, true) => format!("the faults of “{function}” are counted"),
        }
    }
}

/// How often somebody did an act, by period: `nday`, `nweek`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Done {
    /// By the name of the period.
    pub per: BTreeMap<String, Count>,
}

/// A count within a period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Count {
    /// Which one, as the room's time has it: `3/12`.
    pub period: String,
    /// How often.
    pub count: u32,
}

impl<G> Row<G> for Done {
    type Key = String;
    const TABLE: &'static str = "law_done";
}

/// An act that somebody announced, and that others object to or support.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Intent {
    /// Which act.
    pub act: String,
    /// What it is given, as it was typed.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub args: serde_json::Map<String, Json>,
    /// Whose.
    pub by: Id,
    /// What it needs, in words.
    pub needs: String,
    /// When it is done, or lapses, as the game's time stands.
    pub at: Instant,
    /// How the game counts that, where it does so in units of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Json>,
    /// Who objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<Id>,
    /// Who supports it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub support: Vec<Id>,
}

impl<G> Row<G> for Intent {
    type Key = u64;
    const TABLE: &'static str = "law_intents";

    fn told(key: &u64, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (None, Some(is)) => format!("“{}” is announced, number {key}", is.act),
            (Some(was), Some(is)) if was.objections != is.objections => format!("number {key} is objected to"),
            (Some(_), Some(_)) => format!("number {key} is supported"),
            (_, None) => format!("number {key} waits no more"),
        }
    }
}

/// An act that a law asks somebody for, with what is given already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ask {
    /// A seat, where one is asked and no office.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Id>,
    /// An office: whoever holds it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub office: String,
    /// Who held it when the time began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<Id>,
    /// The rule whose law asks.
    pub rule: Id,
    /// For which act.
    pub act: String,
    /// With what.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, Value>,
    /// How long, in words, where it is a duty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub within: String,
    /// Until when, as the game's time stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Instant>,
    /// How the game counts that, where it does so in units of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Json>,
    /// Whether nobody holds the office: no time runs meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vacant: bool,
    /// Whether the office did not do it in time, and owes it still.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

impl Ask {
    /// The instant at which it is late, as things stand.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.at.filter(|_| !self.vacant && !self.late)
    }
}

impl<G> Row<G> for Ask {
    type Key = u64;
    const TABLE: &'static str = "law_asks";

    fn told(_key: &u64, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (None, Some(is)) => format!("“{}” is asked for", is.act),
            (Some(was), None) => format!("“{}” is not asked for any more", was.act),
            (Some(was), Some(is)) if is.late && !was.late => format!("“{}” is late", is.act),
            _ => String::new(),
        }
    }
}

/// Something that a sealed act is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// A value.
    Is(Value),
    /// Choices by name.
    Of(BTreeMap<String, Given>),
}

/// An act that was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Sealed {
    /// Which act.
    pub act: String,
    /// Whose.
    pub by: Id,
    /// When.
    pub at: Instant,
    /// Under which id its parameters are kept.
    pub secret: Id,
    /// Their salted hash.
    pub hash: String,
    /// Which office may read them before, where one may.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reader: String,
    /// What it is about, where everybody may know that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Value>,
    /// What they are, where it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<BTreeMap<String, Given>>,
}

impl<G> Row<G> for Sealed {
    type Key = u64;
    const TABLE: &'static str = "law_sealed";

    fn told(key: &u64, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (None, Some(is)) => format!("“{}” is sealed, number {key}", is.act),
            (Some(_), Some(_)) => format!("number {key} is opened"),
            (_, None) => format!("number {key} is kept no more"),
        }
    }
}

/// The last midnight that was seen to for laws; or the instant at which the first one began that waits for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Midnight {
    /// When.
    pub(crate) at: Instant,
}

impl<G> Row<G> for Midnight {
    type Key = ();
    const TABLE: &'static str = "law_midnight";
}

/// Whether a table holds what laws remember of a room. The names of all these begin so, and no others do.
pub(crate) fn remembers(table: &str) -> bool {
    table.starts_with("law_")
}

/// Whether it holds what rooms play on by: what ran, and how much that took, is none of it.
pub fn keeps<G: Game>(table: &str) -> bool {
    remembers(table) && ![<Ran as Row<G>>::TABLE, <Budget as Row<G>>::TABLE].contains(&table)
}

/// Whether a law in force declares a kind of objects: such objects come and go by it.
pub fn is_kind<G: Game>(state: &State<G>, kind: &str) -> bool {
    let declared = state.rows::<Enacted>().values().flat_map(Enacted::stands);
    declared.flat_map(|law| &law.kinds).any(|declared| declared == kind)
}

/// Whether an object is, or was, of a kind that laws declare, or the room itself as laws have it.
pub fn is_thing<G: Game>(state: &State<G>, obj: &str) -> bool {
    let kind = obj.split('/').next().unwrap_or_default();
    kind == GAME || is_kind(state, kind)
}

/// Whether it is a numbered document of laws, or was one.
pub fn is_document<G: Game>(state: &State<G>, obj: &str) -> bool {
    let kind = obj.split('/').next().unwrap_or_default();
    let mut dockets = state.rows::<Enacted>().values().flat_map(Enacted::stands).flat_map(|law| &law.dockets);
    dockets.any(|docket| docket.kind == *kind)
}

/// Whether an object stands for the room itself.
pub fn is_room(obj: &str) -> bool {
    obj == ROOM
}

/// Whether kinds are those of laws, or the room itself as laws have it: what the game says of its own is not about such.
pub fn are_of_laws<'a, G: Game>(state: &State<G>, mut kinds: impl Iterator<Item = &'a str>) -> bool {
    kinds.all(|kind| kind == GAME || is_kind(state, kind))
}

/// Whether an object is of such a kind.
pub fn is_of_laws<G: Game>(state: &State<G>, obj: &Id) -> bool {
    state.world.kind(obj).is_some_and(|kind| are_of_laws(state, std::iter::once(&**kind)))
}

/// Whether the law of a rule, or of a document, declares an attribute, of whatever kind.
pub fn defines<'s, G: Game>(state: &'s State<G>, by: &str, attr: &str) -> bool {
    let attrs = |law: &'s Enacted| law.stands().iter().flat_map(|law| &law.attrs);
    let mut all = state.rows::<Enacted>().iter().flat_map(|(rule, law)| attrs(law).map(move |is| (rule, is)));
    all.any(|(rule, declared)| declared.name == attr && *declared.by(rule) == *by)
}

impl fmt::Display for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.deed)
    }
}

/// The displays that laws add, each with the rule and with all that its law declares.
pub fn displays<G: Game>(state: &State<G>) -> impl Iterator<Item = (&str, &Id, &Declared)> {
    state.rows::<Enacted>().iter().flat_map(|(rule, law)| {
        let own = law.declared.displays.iter().filter(|it| !law.rests.contains(&it.name));
        own.map(move |it| (&*it.name, rule, &law.declared))
    })
}

/// The objects that a word of laws for kinds of them means: `every robot`, where players are Robots.
pub fn class<G: Names>(state: &State<G>, words: &str) -> Option<Vec<Id>> {
    let wanted = folded(words);
    let word = ["every ", "each ", "all "].iter().find_map(|every| wanted.strip_prefix(every)).unwrap_or(&wanted);
    if [Some(word), word.strip_suffix('s')].contains(&Some(PERSON)) {
        return Some(state.world.by_age(state.frame.seats.keys().filter(|seat| state.world.exists(seat)).cloned()));
    }
    let classes = state.rows::<Enacted>().values().flat_map(|law| &law.declared.classes);
    let is = |class: &str| class == word || word.strip_suffix('s') == Some(class);
    let kinds: BTreeSet<&str> = classes.filter(|(_, class)| is(class)).map(|(kind, _)| kind.as_str()).collect();
    (!kinds.is_empty()).then(|| kinds.iter().flat_map(|kind| G::members(state, &Id::from(*kind))).collect())
}

/// The ballots of a name that laws declare, those of weaker rules last.
pub(crate) fn declared<G: Game>(state: &State<G>) -> impl Iterator<Item = (&Id, &BallotDecl)> {
    state.rows::<Enacted>().iter().flat_map(|(rule, law)| law.declared.ballots.iter().map(move |is| (rule, is)))
}

/// Whether an act of a law is sealed: by itself, or as the vote of a secret ballot.
pub(crate) fn is_sealed<G: Game>(state: &State<G>, name: &str) -> bool {
    let mut acts = state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts);
    acts.any(|act| act.name == name && act.sealed)
        || declared(state).any(|(_, ballot)| ballot.name == name && ballot.secret)
}
