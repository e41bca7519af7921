//! What a law declares, as data: it is written into the entry that brings the law into force.
//!
//! Folding and loading run no script. Commands, displays and attributes of a room are read from here alone.

use std::collections::BTreeMap;

use kernel::{
    Id, Value,
    directives::wording::slug,
    names,
    own_command::OwnCommand,
    rulebook::{self, LiveKey, Rule},
    world::SCOPES,
};
use serde::{Deserialize, Serialize};

use super::{
    docket_decl::{BallotDecl, DocketDecl},
    fault::{Given, faulty},
    listed::listed,
};

/// The kind of the one object that stands for the room itself.
pub(crate) const GAME: &str = "game";

/// The one object that stands for the room itself. It exists while something of the room is an attribute.
pub(crate) const ROOM: &str = "game/room";

/// Whoever has a seat, player or not. As what somebody is taken for: whoever has one and does not play.
pub const PERSON: &str = "person";

/// Who is a player to no rule but those that say so.
pub const SUSPENDED: &str = "suspended";

/// What stands behind a kind or an office where suspended ones are meant, too.
pub(crate) const SUSPENDED_TOO: &str = ", suspended or not";

/// A command or a deed that a law adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ActDecl {
    /// Its name, of one word or more: `sock buy`.
    pub name: String,
    /// Whether nobody types it: laws and directives perform it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deed: bool,
    /// What it takes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<ParamDecl>,
    /// Who may do it: a kind, a class, an office, `anybody`; players where nothing is said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// What it needs of others: `without 2 objections within 2 ndays`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub needs: String,
    /// Whether nobody announces what would be refused if it were done at once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tried: bool,
    /// How often: `once an nday`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub limit: String,
    /// Where: `public`, `private`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub forum: String,
    /// Whether it is sealed until its law opens it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Which office may read it before, where one may.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reader: String,
    /// Whether of sealed ones only the last of each doer is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_last: bool,
    /// The parameter for each thing of which the last is kept, which everybody may know; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub keeps_for: String,
    /// A line about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// How it is typed, for example.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// The heading under which the help lists it; its rule's title where nothing is said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// What its doer reads when it was done, where it says nothing itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
}

/// Something that an act takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ParamDecl {
    /// Its name.
    pub name: String,
    /// Which values, in words: `whole number from 1 to 9`.
    pub range: String,
    /// Whether it may be left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// What it is where it is left out, in words; nothing where it is nothing then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// The display of the law that completes it, where one does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub offers: String,
    /// What to give there, as a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// What a field shows in which nothing was typed yet: a value, for example.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub empty: String,
    /// The condition that says what is meant where it is left out, when it is typed; nothing where it is nothing then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub meant: String,
    /// Whether it stands first although it may be left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skips: bool,
    /// The word that may stand before it: `pay 5 to Ann`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub behind: String,
}

/// What every command takes beside its parameters: the room that is meant, and the reason.
const BESIDE: &[&str] = &["room", "because"];

/// Longest name of a parameter, in bytes: a network shows 32 characters, with what it puts behind a text or a player.
const PARAM_NAME_MAX_BYTES: usize = 24;

/// What a parameter may be given as a map.
const PARAM_OPTIONS: &[&str] = &["takes", "help", "empty", "offers", "meant", "behind"];

/// What stands behind the words of a value that is there at first.
const AT_FIRST: &str = " at first";

impl ParamDecl {
    /// Reads the words of a parameter, or a map of those with what else there is to say of it:
    /// `#{takes: "to: a player", help: "Who gets it"}`.
    ///
    /// # Errors
    ///
    /// Where it is neither.
    pub(crate) fn read(given: &rhai::Dynamic) -> Given<Self> {
        let Some(map) = given.read_lock::<rhai::Map>() else {
            return Self::of_words(&given.clone().into_string().unwrap_or_default());
        };
        if let Some(other) = map.keys().find(|key| !PARAM_OPTIONS.contains(&key.as_str())) {
            return Err(faulty(format!("a parameter has no “{other}”; it has {}", PARAM_OPTIONS.join(", "))));
        }
        let text = |name: &str| match map.get(name).map(|is| is.clone().into_string()) {
            None => Ok(String::new()),
            Some(Err(_)) => Err(faulty(format!("“{name}” of a parameter is a text"))),
            Some(Ok(text)) => match names::of_thing(&text) {
                Err(why) if name != "takes" => Err(faulty(format!("“{name}” of a parameter: {why}"))),
                _ => Ok(text),
            },
        };
        Ok(Self {
            help: text("help")?,
            empty: text("empty")?,
            offers: text("offers")?,
            skips: map.contains_key("meant"),
            meant: text("meant")?,
            behind: text("behind")?,
            ..Self::of_words(&text("takes")?)?
        })
    }

    /// Reads `name: range`, or `name?: range` where it may be left out, or `name: range, X at first` where it is X then.
    fn of_words(words: &str) -> Given<Self> {
        let Some((name, range)) = words.split_once(':') else {
            let why = format!("“{words}” is no parameter: “name: range”, as in “color: one of Blue, Black”");
            return Err(faulty(why));
        };
        let (name, optional) = match name.trim().strip_suffix('?') {
            Some(name) => (name, true),
            None => (name.trim(), false),
        };
        if name == OwnCommand::AS {
            return Err(faulty(format!("“{name}” says who speaks, and names no parameter")));
        }
        if BESIDE.contains(&name) {
            return Err(faulty(format!("every command takes “{name}” beside its parameters, and none is called so")));
        }
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(letters) {
            return Err(faulty(format!("“{name}” is no name of a parameter: a word of small letters, as in “color”")));
        }
        if name.len() > PARAM_NAME_MAX_BYTES {
            return Err(faulty(format!("a name of a parameter has at most {PARAM_NAME_MAX_BYTES} letters: “{name}”")));
        }
        let (range, first) = match range.trim().strip_suffix(AT_FIRST).and_then(|range| range.rsplit_once(',')) {
            Some((range, first)) => (range, first.trim()),
            None => (range, ""),
        };
        let optional = optional || !first.is_empty();
        let (range, first) = (range.trim().to_owned(), first.to_owned());
        let (offers, help, empty, meant, behind) = Default::default();
        let name = name.to_owned();
        Ok(Self { name, range, optional, first, offers, help, empty, meant, skips: false, behind })
    }

    /// Its range in words, with what it is at first.
    pub(crate) fn words(&self) -> String {
        if self.first.is_empty() { self.range.clone() } else { format!("{}, {}{AT_FIRST}", self.range, self.first) }
    }
}

/// The id of a kind, or of several with “or” between them, as directives have it: `field-object`. “player, suspended or
/// not” are two of them.
pub(crate) fn kind_id(words: &str) -> String {
    let (words, too) = words.strip_suffix(SUSPENDED_TOO).map_or((words, None), |words| (words, Some(SUSPENDED)));
    words.split(SCOPES).map(slug).chain(too.map(str::to_owned)).collect::<Vec<_>>().join(SCOPES)
}

/// An attribute as a law writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AttrDecl {
    /// Its name.
    pub name: String,
    /// The kinds of objects that have it: `blueprint or device`.
    pub of: String,
    /// Which values, in words: `whole number from 0, 10 at first`.
    pub range: String,
    /// What becomes of an object whose value names something that is gone: `destroy`, `keep`, or else the first value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub gone: String,
    /// What nothing is called: `Circumstances`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub nothing: String,
    /// The document that defines it, where no rule does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub document: String,
}

impl AttrDecl {
    /// The rule that defines it, or the document that stands under that rule.
    pub(crate) fn by(&self, rule: &Id) -> Id {
        if self.document.is_empty() { rule.clone() } else { self.document.as_str().into() }
    }
}

/// An object that is there while the law is in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ThingDecl {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What it has at first, by attribute.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, Value>,
}

impl ThingDecl {
    /// The object itself.
    pub(crate) fn object(&self) -> Id {
        format!("{}/{}", self.kind, slug(&self.name)).into()
    }
}

/// A page that a law adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DisplayDecl {
    /// Its name: `socks`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether it also stands on the page that the room shows first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub front: bool,
}

/// What stands at the end of a key for all that begin so.
pub(crate) const EACH: char = '*';
/// What stands in the meaning of such figures for what their lines begin with.
const NAME: &str = "{name}";

/// A figure of the rules that a law plays by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FigureDecl {
    /// Its key, as rules mark it, without the sign of words; with `*` at its end, all that begin so in its rule.
    pub key: String,
    /// Which values, in words: `count from 1`, `time of day`, `one of the most, the least`.
    pub range: String,
    /// What it is: `number of hours in which a Proposal is voted on`.
    pub meaning: String,
    /// What stops when no rule gives it, as the end of "so ...".
    pub absent: String,
}

impl FigureDecl {
    /// The figures by which rules are read: one, or those of their kind that its rule lists.
    pub(crate) fn live(&self, rule: &Rule) -> Vec<&'static LiveKey> {
        let one = |key: &str, meaning: &str| rulebook::declared([key, &self.range, meaning, &self.absent]).ok();
        match self.key.strip_suffix(EACH) {
            None => one(&self.key, &self.meaning).into_iter().collect(),
            Some(begins) => listed(rule.text(), begins)
                .filter_map(|each| one(&each.key, &self.meaning.replace(NAME, &each.name)))
                .collect(),
        }
    }
}

/// All that a law declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Declared {
    /// Kinds of objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// Those of them whose objects are documents with a law of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    /// Those of them whose objects hold directives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// Kinds, each with what its objects are as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<(String, String)>,
    /// Attributes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attrs: Vec<AttrDecl>,
    /// Objects that are there while it is in force.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<ThingDecl>,
    /// Figures of the rules that it plays by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<FigureDecl>,
    /// Commands and deeds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<ActDecl>,
    /// Offices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offices: Vec<String>,
    /// Other words for those.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub office_words: BTreeMap<String, String>,
    /// Displays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<DisplayDecl>,
    /// Kinds of numbered documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dockets: Vec<DocketDecl>,
    /// Votes on those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ballots: Vec<BallotDecl>,
    /// What it changes, bars, follows, and does at an instant, each in words: `after vote`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<String>,
}

impl Declared {
    /// How many things it declares.
    pub(crate) fn size(&self) -> usize {
        let Self {
            kinds,
            documents: _,
            changes: _,
            classes,
            attrs,
            things,
            figures,
            acts,
            offices: _,
            office_words: _,
            displays,
            dockets,
            ballots,
            hooks,
        } = self;
        let objects = kinds.len() + classes.len() + attrs.len() + things.len() + dockets.len() + ballots.len();
        objects + figures.len() + acts.len() + displays.len() + hooks.len()
    }
}

/// How many characters a text has, of which letters, and what stands behind that: `text of 2 characters from ATGC, AA at
/// first`.
pub(crate) fn letters(words: &str) -> Option<(usize, String, String)> {
    let rest = words.trim().strip_prefix("text of ")?;
    let (count, rest) = rest.split_once(" character")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let (rest, at_first) = rest.find(',').map_or((rest, ""), |at| rest.split_at(at));
    let letters = rest.trim().strip_prefix("from ").unwrap_or_default();
    Some((count.parse().ok()?, letters.trim().to_owned(), at_first.to_owned()))
}
