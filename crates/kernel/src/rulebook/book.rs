//! The rulebook of a room: rules in force and repealed, every revision of each, and the live figures in their texts.
//!
//! Clones take constant time, so that a joust can be played under the rules as they read when it was asked for. Past
//! states come back from the revisions, without the journal. Figures are read in `live`; an edit by a player becomes an
//! operation in `amend`.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::{
    numeral::numerals,
    ops::{Played, RuleAct, RuleOp, Splice, TAKEN_BACK},
    source::{Span, Text},
    terms::Terms,
};
use crate::Id;
use crate::Instant;
use crate::Refusal;
use crate::Seq;

/// Longest stored text of a rule, in bytes: the longest known ruleset has fewer in all its rules together.
pub const RULE_MAX_BYTES: usize = 128 * 1024;
/// Longest title, in characters: it must fit into a list and into a button.
pub const TITLE_MAX_CHARS: usize = 200;
/// Most rules in force in a room: numbers beyond are no nomic, and a page of them still renders.
pub const RULES_MAX_COUNT: usize = 10_000;

/// Why a rule is there that the room was opened with.
pub const OPENED: &str = "the room was opened";

/// What was done to a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// It came into force.
    Enacted,
    /// Its text was changed.
    Amended,
    /// Its markup was changed and what players read was not.
    Marked,
    /// It was said whether the program plays its words.
    Settled,
    /// It got another title.
    Retitled,
    /// It got another number.
    Renumbered,
    /// Another field of it was set.
    Changed,
    /// It went out of force.
    Repealed,
    /// It came back into force.
    Restored,
}

/// A rule as it stood from one operation to the next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Revision {
    /// Counts up from 0 with every change of what players read.
    pub revision: u32,
    /// The entry that made it.
    pub seq: Seq,
    /// The instant as of which it holds.
    pub at: Instant,
    /// What was done.
    pub done: Done,
    /// What caused it, in words; may be empty.
    pub why: String,
    /// Whether the rule holds from here on.
    pub in_force: bool,
    /// Its number.
    pub number: u32,
    /// Its title; may be empty.
    pub title: Arc<str>,
    /// Its other fields.
    pub fields: Arc<BTreeMap<String, String>>,
    /// Its stored text.
    pub source: Arc<str>,
    /// How the program plays it.
    #[serde(default, skip_serializing_if = "Played::is_first")]
    pub played: Played,
}

/// A rule with all its revisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    id: Id,
    /// Never empty; the last one is how the rule stands.
    revisions: Vector<Revision>,
    /// The projection of the last revision's text.
    text: Arc<Text>,
}

/// The word behind the backticks of a law.
pub const LAW: &str = "law";

/// The laws that stand in a text, by their scripts: a rule has one, so that its lines are counted in one way.
pub fn laws_in(text: &Text) -> impl Iterator<Item = &str> {
    let fences = text.fences().iter().filter(|fence| fence.counts && fence.info.eq_ignore_ascii_case(LAW));
    fences.filter_map(|fence| text.visible().get(fence.at.clone()))
}

/// The law that stands in a text.
fn law_of(text: &Text) -> Option<&str> {
    laws_in(text).next()
}

impl Rule {
    fn new(id: Id, revisions: Vector<Revision>) -> Option<Self> {
        let source = revisions.last()?.source.clone();
        Some(Self { id, revisions, text: Text::shared(&source) })
    }

    /// The rule as a reader of its history may see it: each revision's words as `shown` gives them for its entry.
    #[must_use]
    pub fn reworded(&self, shown: impl Fn(Seq, &str) -> String) -> Self {
        let reworded = |revision: &Revision| Revision {
            why: shown(revision.seq, &revision.why),
            title: shown(revision.seq, &revision.title).into(),
            source: shown(revision.seq, &revision.source).into(),
            ..revision.clone()
        };
        let revisions: Vector<Revision> = self.revisions.iter().map(reworded).collect();
        Self { revisions, ..self.clone() }
    }

    fn now(&self) -> &Revision {
        self.revisions.last().expect("a rule has at least one revision")
    }

    /// Its name in the room, which never changes.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// Its number, which orders the rules and is what players call it by.
    pub fn number(&self) -> u32 {
        self.now().number
    }

    /// Its title; may be empty.
    pub fn title(&self) -> &Arc<str> {
        &self.now().title
    }

    /// What people call it: its title, else its number.
    pub fn label(&self) -> String {
        if self.title().is_empty() { format!("Rule {}", self.number()) } else { self.title().to_string() }
    }

    /// A field of its header: `power`.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.now().fields.get(name).map(String::as_str)
    }

    /// All fields of its header but number and title.
    pub fn fields(&self) -> &BTreeMap<String, String> {
        &self.now().fields
    }

    /// Its text.
    pub fn text(&self) -> &Arc<Text> {
        &self.text
    }

    /// How the program plays it.
    pub fn played(&self) -> Played {
        self.now().played
    }

    /// Whether the program plays something of it: what it establishes, or its law.
    pub fn is_played(&self) -> bool {
        self.establishes().next().is_some() || law_of(&self.text).is_some()
    }

    /// The revision of which the program plays the words, where it plays the rule and other words stand there now. Only
    /// words outside of comments, of code, and of what is marked count. A law that changed since fits its words.
    pub fn outdated(&self) -> Option<u32> {
        let Played { revision, by_hand } = self.played();
        if by_hand || !self.in_force() || !self.is_played() || revision == self.revision() {
            return None;
        }
        let since = self.revisions.iter().filter(|held| held.revision >= revision);
        let mut texts = since.map(|held| (held.revision, Text::shared(&held.source)));
        let mut fits = texts.next()?;
        texts.for_each(|held| {
            if law_of(&held.1) != law_of(&fits.1) {
                fits = held
            }
        });
        (fits.1.words() != self.text.words()).then_some(fits.0)
    }

    /// Its revision: 0 when it is enacted, one more with every change of what players read.
    pub fn revision(&self) -> u32 {
        self.now().revision
    }

    /// Whether it holds.
    pub fn in_force(&self) -> bool {
        self.now().in_force
    }

    /// Whether it holds and reads as it did in a revision. A change that was taken back since counts for nothing.
    pub fn reads_as(&self, revision: u32) -> bool {
        let now = self.now();
        let is_same = |held: &Revision| {
            held.in_force
                && (held.number, &held.title, &held.fields) == (now.number, &now.title, &now.fields)
                && *Text::shared(&held.source).visible() == *self.text.visible()
        };
        now.in_force && self.revisions.iter().any(|held| held.revision == revision && is_same(held))
    }

    /// Whether an undo took it out of force, as if it had never been.
    pub fn is_taken_back(&self) -> bool {
        self.now().done == Done::Repealed && self.now().why.starts_with(TAKEN_BACK)
    }

    /// How it stood over time, oldest first, the present revision last.
    pub fn revisions(&self) -> &Vector<Revision> {
        &self.revisions
    }

    /// The instant since which it holds with the words that players read now; its title, number and header may be younger.
    pub fn reads_since(&self) -> Instant {
        let reads = |revision: &Revision| Text::shared(&revision.source);
        let mut pairs = self.revisions.iter().rev().zip(self.revisions.iter().rev().skip(1));
        let changed = pairs.find(|(is, was)| {
            is.in_force != was.in_force || (is.source != was.source && reads(is).visible() != reads(was).visible())
        });
        changed.map_or_else(|| self.revisions[0].at, |(is, _)| is.at)
    }

    /// What makes it stand as it did in a revision, in force or repealed; nothing where it has none of that number.
    pub fn back_to(&self, revision: u32) -> Option<Vec<RuleAct>> {
        let last = self.revisions.iter().rposition(|held| held.revision == revision)?;
        Some(self.standing_as(&Self::new(self.id.clone(), self.revisions.take(last + 1))?))
    }

    /// What makes it stand as another, in force or repealed.
    fn standing_as(&self, to: &Self) -> Vec<RuleAct> {
        match (self.in_force(), to.in_force()) {
            (true, true) => self.leading_to(to),
            (true, false) => vec![RuleAct::Repeal],
            (false, true) if self.leading_to(to).is_empty() => vec![RuleAct::Restore],
            (false, true) => vec![to.enacting()],
            (false, false) => Vec::new(),
        }
    }

    /// What brings it into force as it stands.
    fn enacting(&self) -> RuleAct {
        RuleAct::Enact {
            number: self.number(),
            title: self.title().to_string(),
            fields: self.fields().clone(),
            source: self.now().source.to_string(),
        }
    }

    /// What makes this rule read as another.
    fn leading_to(&self, to: &Self) -> Vec<RuleAct> {
        let (was, is) = (self.now(), to.now());
        let mut acts = Vec::new();
        if was.source != is.source {
            let splice = Splice::between(&was.source, &is.source);
            acts.push(match self.text.visible() == to.text.visible() {
                true => RuleAct::Mark { splice },
                false => RuleAct::Amend { from: was.revision, splice },
            });
        }
        if was.title != is.title {
            acts.push(RuleAct::Retitle { to: is.title.to_string(), was: was.title.to_string() });
        }
        if was.number != is.number {
            acts.push(RuleAct::Renumber { to: is.number, was: was.number });
        }
        let names: BTreeSet<&String> = was.fields.keys().chain(is.fields.keys()).collect();
        for name in names {
            let (was, to) = (was.fields.get(name).cloned(), is.fields.get(name).cloned());
            if was != to {
                acts.push(RuleAct::Field { name: name.clone(), to, was });
            }
        }
        // The words that the program plays are the same two texts, under the numbers that they have here.
        let words = |rule: &Self| rule.played_words();
        let wanted = words(to);
        if words(self) != wanted || was.played.by_hand != is.played.by_hand {
            let mut known = self.revisions.iter().rev();
            let known = known.find(|held| Some(Text::shared(&held.source).words()) == wanted);
            let last = acts.iter().filter(|act| !matches!(act, RuleAct::Mark { .. })).count();
            let last = was.revision + u32::try_from(last).unwrap_or(u32::MAX);
            let revision = known.map_or(last, |held| held.revision);
            let to = Played { revision, by_hand: is.played.by_hand };
            acts.push(RuleAct::Settle { to, was: was.played });
        }
        acts
    }

    /// The words of the revision that the program plays.
    fn played_words(&self) -> Option<String> {
        let played = self.revisions.iter().find(|held| held.revision == self.played().revision)?;
        Some(Text::shared(&played.source).words())
    }

    /// What it switches on as a whole.
    pub fn establishes(&self) -> impl Iterator<Item = &str> {
        self.field("establishes").unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty())
    }

    /// Whether it yields on a figure to any other rule that gives it, as the line `yields` of its header says.
    pub fn yields(&self, key: &str) -> bool {
        self.field("yields").unwrap_or_default().split(',').any(|name| name.trim() == key)
    }

    /// The places of a key that count, in order.
    pub fn places<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Span> {
        self.text.spans().iter().filter(move |span| span.counts && *span.key == *key)
    }
}

/// A key that rules mark, and whether it stands for several numbers.
type MarkedKey = (Arc<str>, bool);

/// All rules of a room. Clones in constant time.
#[derive(Clone, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(from = "Stored", into = "Stored")]
pub struct Rulebook {
    rules: OrdMap<Id, Rule>,
    /// Which rules in force hold a key at a place that counts, in book order, those last that yield. Kept because a match reads a dozen.
    live: OrdMap<Arc<str>, Vec<Id>>,
    /// Which rules in force that the program plays establish something, in book order.
    established: OrdMap<Arc<str>, Vec<Id>>,
    /// Which rules in force have a field in their headers. Kept because offices are looked up by it all the time.
    fields: OrdMap<Arc<str>, Vec<Id>>,
    /// The game terms of the rules in force, from when somebody asked for them. Copies that read the same share them.
    terms: Arc<OnceLock<Terms>>,
    /// The keys that rules in force mark, likewise, and whether one stands for several numbers.
    marked: Arc<OnceLock<Vec<MarkedKey>>>,
}

impl PartialEq for Rulebook {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
    }
}

impl Eq for Rulebook {}

/// What a snapshot holds: revisions; the rest is read from them.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct Stored {
    #[schemars(with = "Vec<(Id, Vec<Revision>)>")]
    rules: Vec<(Id, Vector<Revision>)>,
}

impl From<Stored> for Rulebook {
    fn from(stored: Stored) -> Self {
        let mut book = Self::default();
        for rule in stored.rules.into_iter().filter_map(|(id, revisions)| Rule::new(id, revisions)) {
            book.put(rule);
        }
        book
    }
}

impl From<Rulebook> for Stored {
    fn from(book: Rulebook) -> Self {
        Self { rules: book.rules.iter().map(|(id, rule)| (id.clone(), rule.revisions.clone())).collect() }
    }
}

impl Rulebook {
    /// Whether this is a copy of another rulebook and neither was changed since: what was worked out of one holds of both.
    pub fn is_same(&self, other: &Self) -> bool {
        self.rules.ptr_eq(&other.rules)
    }

    /// A rule by its name, in force or repealed.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id)
    }

    /// A rule in force by its name.
    pub fn in_force(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id).filter(|rule| rule.in_force())
    }

    /// A rule in force by its number.
    pub fn numbered(&self, number: u32) -> Option<&Rule> {
        self.rules().into_iter().find(|rule| rule.number() == number)
    }

    /// A rule in force by what a player calls it. That is its number, with or without `rule` before it, or its name in
    /// the room. It is its title, or the beginning of its title where only one begins so. Case matters only where
    /// titles differ in nothing else.
    ///
    /// # Errors
    ///
    /// A refusal that says so where no rule or more than one fits.
    pub fn find(&self, words: &str) -> Result<&Rule, Refusal> {
        let called = Called::read(words);
        let rules = self.rules();
        if let Some(rule) = called.among(&rules) {
            return Ok(rule);
        }
        let wanted = called.words;
        let title = |rule: &Rule| composed(rule.title()).to_lowercase();
        let like: Vec<&&Rule> = rules.iter().filter(|rule| title(rule).starts_with(&wanted)).collect();
        match &like[..] {
            [only] if !wanted.is_empty() => Ok(only),
            [_, _, ..] if !wanted.is_empty() => {
                let names: Vec<String> =
                    like.iter().take(5).map(|rule| format!("{} ({})", rule.label(), rule.number())).collect();
                Err(Refusal::new(format!("“{wanted}” fits several rules: {}", names.join(", "))).instead("rule NUMBER"))
            }
            _ => Err(Refusal::new(format!("no rule in force is called “{}”", words.trim())).instead("rules")),
        }
    }

    /// A rule by all of what a player calls it, as [`Self::find`] reads it, in force or else repealed. Of several
    /// repealed ones the last that was.
    pub fn recall(&self, words: &str) -> Option<&Rule> {
        let called = Called::read(words);
        let mut gone: Vec<&Rule> = self.rules.values().filter(|rule| !rule.in_force()).collect();
        gone.sort_by_key(|rule| Reverse(rule.now().seq));
        called.among(&self.rules()).or_else(|| called.among(&gone))
    }

    /// How many rules there ever were.
    pub fn size(&self) -> usize {
        self.rules.len()
    }

    /// The rules in force, by number.
    pub fn rules(&self) -> Vec<&Rule> {
        let mut rules: Vec<&Rule> = self.rules.values().filter(|rule| rule.in_force()).collect();
        rules.sort_by(|a, b| book_order(a, b));
        rules
    }

    /// Whether a rule in force holds a block of code.
    pub fn has_code(&self) -> bool {
        self.rules.values().any(|rule| rule.in_force() && rule.text().fences().iter().any(|fence| fence.counts))
    }

    /// The rules in force whose header has a field, by number.
    pub fn with_field(&self, name: &str) -> Vec<&Rule> {
        let mut rules: Vec<&Rule> =
            self.fields.get(name).into_iter().flatten().filter_map(|id| self.rules.get(id)).collect();
        rules.sort_by(|a, b| book_order(a, b));
        rules
    }

    /// Every rule that ever was, repealed ones too, by number.
    pub fn all(&self) -> Vec<&Rule> {
        let mut rules: Vec<&Rule> = self.rules.values().collect();
        rules.sort_by(|a, b| book_order(a, b));
        rules
    }

    /// The game terms of the rules in force.
    pub fn terms(&self) -> &Terms {
        let texts = || self.rules().into_iter().map(|rule| (rule.id(), &**rule.text()));
        self.terms.get_or_init(|| Terms::of(texts()))
    }

    /// The first rule in force that switches something on, of those that the program plays.
    pub fn establishes(&self, name: &str) -> Option<&Id> {
        self.established.get(name)?.first()
    }

    /// What the rules in force switch on.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.established.iter().filter(|(_, rules)| !rules.is_empty()).map(|(subject, _)| &**subject)
    }

    /// The rules in force that hold a key at a place that counts: in book order, those last that yield on it.
    pub fn holders(&self, key: &str) -> impl Iterator<Item = &Rule> + use<'_> {
        self.live.get(key).into_iter().flatten().filter_map(|id| self.rules.get(id))
    }

    /// The keys that rules in force mark, and whether one stands for several numbers.
    pub fn marked(&self) -> impl Iterator<Item = (&str, bool)> {
        let of = |key: &Arc<str>| {
            let mut shown = self.places(key).map(|(rule, span)| numerals(rule.text().shown(span), true).len());
            let (first, more) = (shown.next().unwrap_or_default(), shown.next().is_some());
            (key.clone(), first > 1 || more)
        };
        let marked = self.marked.get_or_init(|| self.live.keys().map(of).collect());
        marked.iter().map(|(key, many)| (&**key, *many))
    }

    /// All places of a key that count: the rules in force that hold it, as [`Self::holders`], and where.
    pub fn places<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (&'a Rule, &'a Span)> {
        let rules = self.live.get(key).map(Vec::as_slice).unwrap_or_default();
        rules
            .iter()
            .filter_map(|id| self.rules.get(id))
            .flat_map(move |rule| rule.places(key).map(move |at| (rule, at)))
    }

    /// The rulebook as it stood after an entry.
    #[must_use]
    pub fn as_of(&self, seq: Seq) -> Self {
        self.before(|revision| revision.seq <= seq)
    }

    /// The rulebook as it stood at an instant, with all that was done as of that very instant.
    #[must_use]
    pub fn at(&self, at: Instant) -> Self {
        self.before(|revision| revision.at <= at)
    }

    fn before(&self, held: impl Fn(&Revision) -> bool) -> Self {
        let mut past = Self::default();
        for rule in self.rules.values() {
            let count = rule.revisions.iter().take_while(|revision| held(revision)).count();
            let then = match count == rule.revisions.len() {
                true => Some(rule.clone()),
                false => Rule::new(rule.id.clone(), rule.revisions.take(count)),
            };
            past.rules.extend(then.map(|rule| (rule.id.clone(), rule)));
        }
        past.index_all();
        past
    }

    /// Whether an operation would do now what it says.
    ///
    /// # Errors
    ///
    /// A refusal in words for the player who asks for it, or for the undo of it.
    pub fn check(&self, op: &RuleOp) -> Result<(), Refusal> {
        let long = |source: &str| source.len() > RULE_MAX_BYTES;
        let wordy = |title: &str| title.chars().count() > TITLE_MAX_CHARS;
        let too_long = || Err(Refusal::new(format!("a rule has at most {RULE_MAX_BYTES} bytes")));
        let too_wordy = || Err(Refusal::new(format!("a title has at most {TITLE_MAX_CHARS} characters")));
        let Some(rule) = self.get(&op.rule) else {
            return match &op.act {
                RuleAct::Enact { source, .. } if long(source) => too_long(),
                RuleAct::Enact { title, .. } if wordy(title) => too_wordy(),
                RuleAct::Enact { .. } if self.rules.len() >= RULES_MAX_COUNT => {
                    Err(Refusal::new(format!("a rulebook has at most {RULES_MAX_COUNT} rules")))
                }
                RuleAct::Enact { .. } => Ok(()),
                _ => Err(Refusal::new(format!("there is no rule “{}”", op.rule)).instead("rules")),
            };
        };
        let moved = || Err(Refusal::new(format!("{} has changed since", rule.label())));
        let now = rule.now();
        match &op.act {
            RuleAct::Enact { .. } | RuleAct::Restore if now.in_force => {
                Err(Refusal::new(format!("{} is in force already", rule.label())))
            }
            RuleAct::Restore => Ok(()),
            RuleAct::Enact { source, .. } if long(source) => too_long(),
            RuleAct::Enact { title, .. } if wordy(title) => too_wordy(),
            RuleAct::Enact { .. } => Ok(()),
            _ if !now.in_force => Err(Refusal::new(format!("{} is repealed", rule.label()))),
            RuleAct::Amend { splice, .. } | RuleAct::Mark { splice } => match splice.apply(&now.source) {
                Some(source) if long(&source) => too_long(),
                Some(_) => Ok(()),
                None => moved(),
            },
            RuleAct::Settle { was, .. } if *was != now.played => moved(),
            RuleAct::Settle { .. } => Ok(()),
            RuleAct::Retitle { to, .. } if wordy(to) => too_wordy(),
            RuleAct::Retitle { was, .. } if **was != *now.title => moved(),
            RuleAct::Renumber { was, .. } if *was != now.number => moved(),
            RuleAct::Field { name, was, .. } if was.as_ref() != now.fields.get(name) => moved(),
            RuleAct::Retitle { .. } | RuleAct::Renumber { .. } | RuleAct::Field { .. } | RuleAct::Repeal => Ok(()),
        }
    }

    /// The operations after which the rules in force read as in another book: what goes first, then what comes. The
    /// revisions of this book stay.
    pub fn leading_to(&self, to: &Self) -> Vec<RuleOp> {
        let gone = self.rules().into_iter().filter(|rule| to.in_force(&rule.id).is_none());
        let mut ops: Vec<RuleOp> = gone.map(|rule| RuleOp::new(rule.id.clone(), RuleAct::Repeal)).collect();
        for rule in to.rules() {
            let held = self.get(&rule.id);
            let acts = held.map_or_else(|| vec![rule.enacting()], |held| held.standing_as(rule));
            ops.extend(acts.into_iter().map(|act| RuleOp::new(rule.id.clone(), act)));
        }
        ops
    }

    /// Applies an operation that an entry holds, as of an instant. Total: one on something that is gone, or that
    /// changes nothing, does nothing.
    pub fn apply(&mut self, op: &RuleOp, seq: Seq, at: Instant) {
        let held = self.rules.get(&op.rule);
        let Some(next) = next(held.map(Rule::now), op, seq, at) else { return };
        let mut rule = match held {
            Some(rule) => rule.clone(),
            None => match Rule::new(op.rule.clone(), Vector::unit(next.clone())) {
                Some(rule) => return self.put(rule),
                None => return,
            },
        };
        if rule.now().source != next.source {
            rule.text = Text::shared(&next.source);
        }
        rule.revisions.push_back(next);
        self.put(rule);
    }

    /// Puts a rule in the place of itself and brings the indexes along.
    fn put(&mut self, rule: Rule) {
        (self.terms, self.marked) = Default::default();
        if let Some(was) = self.rules.remove(&rule.id) {
            for (index, keys) in self.indexes().into_iter().zip(keys(&was)) {
                for key in keys {
                    let mut rest = index.remove(&key).unwrap_or_default();
                    rest.retain(|id| *id != rule.id);
                    if !rest.is_empty() {
                        index.insert(key, rest);
                    }
                }
            }
        }
        self.rules.insert(rule.id.clone(), rule.clone());
        let rules = self.rules.clone();
        for (index, keys) in self.indexes().into_iter().zip(keys(&rule)) {
            for key in keys {
                let mut all = index.get(&key).cloned().unwrap_or_default();
                all.push(rule.id.clone());
                let yields = |id: &Id| rules.get(id).is_some_and(|rule| rule.yields(&key));
                all.sort_by_key(|id| (yields(id), rules.get(id).map(Rule::number), id.clone()));
                index.insert(key, all);
            }
        }
    }

    /// What is looked up by name, in the order of [`keys`].
    fn indexes(&mut self) -> [&mut OrdMap<Arc<str>, Vec<Id>>; 3] {
        [&mut self.live, &mut self.established, &mut self.fields]
    }

    fn index_all(&mut self) {
        for rule in self.rules.clone().values() {
            self.put(rule.clone());
        }
    }
}

/// A text as it is compared: whether its accents were typed as characters of their own is nothing that anybody sees.
fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// What a player calls a rule.
struct Called {
    /// White space folded.
    exact: String,
    /// In lower case, too.
    words: String,
    /// Where it is a number.
    number: Option<u32>,
}

impl Called {
    fn read(words: &str) -> Self {
        let exact: String = composed(&words.split_whitespace().collect::<Vec<_>>().join(" "));
        let words = exact.to_lowercase();
        let number = words.strip_prefix("rule").unwrap_or(&words).trim_start().trim_start_matches('#').parse().ok();
        Self { exact, words, number }
    }

    /// The rule that is called so. It is found by its number before all, then by its title, to the letter or where it
    /// is the title of one only. Then it is found by its name in the room, which is made of the title that it had
    /// first. Another rule may be called so by now.
    fn among<'a>(&self, rules: &[&'a Rule]) -> Option<&'a Rule> {
        let number = self.number.or_else(|| self.prefixed(rules));
        let numbered = |rule: &&&Rule| Some(rule.number()) == number;
        let exact = |rule: &&&Rule| !self.exact.is_empty() && composed(rule.title()) == self.exact;
        let titled = |rule: &&&Rule| !self.words.is_empty() && composed(rule.title()).to_lowercase() == self.words;
        let named = |rule: &&&Rule| !self.words.is_empty() && rule.id().to_lowercase() == self.words;
        let by = |is: &dyn Fn(&&&Rule) -> bool| rules.iter().find(is).copied();
        if let Some(rule) = by(&numbered).or_else(|| by(&exact)) {
            return Some(rule);
        }
        let Some(first) = by(&titled) else { return by(&named) };
        let mut others = rules.iter().filter(titled).filter(|other| other.title() != first.title());
        if first.in_force() && others.any(|other| other.in_force()) { None } else { Some(first) }
    }

    /// The number in `4E15`, where the rules of the room go by names with that prefix.
    fn prefixed(&self, rules: &[&Rule]) -> Option<u32> {
        let words = self.words.strip_prefix("rule ").unwrap_or(&self.words);
        let digits = words.trim_start_matches(|char: char| char.is_ascii_digit());
        let digits = digits.trim_start_matches(|char: char| char.is_ascii_alphabetic());
        let prefix = words
            .strip_suffix(digits)
            .filter(|prefix| !prefix.is_empty() && !prefix.ends_with(|char: char| char.is_ascii_digit()))?;
        let known = |rule: &&&Rule| {
            rule.id().to_lowercase().strip_prefix(prefix).is_some_and(|rest| rest.parse() == Ok(rule.number()))
        };
        digits.parse().ok().filter(|_| rules.iter().any(|rule| known(&rule)))
    }
}

/// By number, then by name.
pub fn book_order(a: &Rule, b: &Rule) -> Ordering {
    (a.number(), &a.id).cmp(&(b.number(), &b.id))
}

/// The names by which a rule is found: of its live figures, of what it establishes, of the fields of its header.
fn keys(rule: &Rule) -> [Vec<Arc<str>>; 3] {
    let fields = rule.fields().keys().filter(|_| rule.in_force()).map(|name| name.as_str().into());
    [indexed(rule), established(rule), fields.collect()]
}

fn indexed(rule: &Rule) -> Vec<Arc<str>> {
    let counts = |span: &&Span| span.counts && rule.in_force();
    unique(rule.text.spans().iter().filter(counts).map(|span| span.key.clone()).collect())
}

fn established(rule: &Rule) -> Vec<Arc<str>> {
    let played = rule.in_force() && !rule.played().by_hand;
    unique(if played { rule.establishes().map(Arc::from).collect() } else { Vec::new() })
}

fn unique(mut keys: Vec<Arc<str>>) -> Vec<Arc<str>> {
    keys.sort();
    keys.dedup();
    keys
}

/// How a rule stands after an operation; `None` where the operation does nothing to it.
fn next(now: Option<&Revision>, op: &RuleOp, seq: Seq, at: Instant) -> Option<Revision> {
    let why = op.why.clone();
    if let RuleAct::Enact { number, title, fields, source } = &op.act {
        let revision = match now {
            Some(now) if now.in_force => return None,
            Some(now) => now.revision + 1,
            None => 0,
        };
        let (title, fields) = (title.as_str().into(), Arc::new(fields.clone()));
        let (number, source) = (*number, source.as_str().into());
        let played = now.map(|now| now.played).unwrap_or_default();
        return Some(Revision {
            revision,
            seq,
            at,
            done: Done::Enacted,
            why,
            in_force: true,
            number,
            title,
            fields,
            source,
            played,
        });
    }
    let now = now?;
    let mut next = Revision { revision: now.revision + 1, seq, at, why, ..now.clone() };
    match &op.act {
        RuleAct::Restore if !now.in_force => (next.done, next.in_force) = (Done::Restored, true),
        _ if !now.in_force => return None,
        RuleAct::Amend { splice, .. } if !splice.is_empty() => {
            (next.done, next.source) = (Done::Amended, splice.apply(&now.source)?.into());
        }
        RuleAct::Mark { splice } if !splice.is_empty() => {
            (next.done, next.source) = (Done::Marked, splice.apply(&now.source)?.into());
            next.revision = now.revision;
        }
        RuleAct::Settle { to, .. } if *to != now.played => {
            (next.done, next.played, next.revision) = (Done::Settled, *to, now.revision);
        }
        RuleAct::Retitle { to, .. } if **to != *now.title => {
            (next.done, next.title) = (Done::Retitled, to.as_str().into());
        }
        RuleAct::Renumber { to, .. } if *to != now.number => (next.done, next.number) = (Done::Renumbered, *to),
        RuleAct::Field { name, to, .. } if to.as_ref() != now.fields.get(name) => {
            let mut fields = BTreeMap::clone(&now.fields);
            match to {
                Some(to) => fields.insert(name.clone(), to.clone()),
                None => fields.remove(name),
            };
            (next.done, next.fields) = (Done::Changed, Arc::new(fields));
        }
        RuleAct::Repeal => (next.done, next.in_force) = (Done::Repealed, false),
        _ => return None,
    }
    Some(next)
}

#[cfg(test)]
mod tests;
