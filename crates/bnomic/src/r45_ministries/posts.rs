//! Which ministries there are (4E45), who holds each, and what it is called.
//!
//! Nothing is changed here. Coming into an office and leaving it stand above.

use crate::{
    figures::USURP_SUPPORT,
    game::BNomic,
    intents::needs::Needs,
    law::{Thing, established},
    stats::{MINISTER, MINISTRY, called},
};
use kernel::{Id, Refusal, State, rulebook::Rule};

// ---- state

/// An office that the program itself knows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Post {
    /// The Chairman.
    Change,
    /// The Minister of Ministry.
    Ministry,
    /// The Registrar.
    Society,
}

impl Post {
    /// The ministry.
    pub(crate) fn id(self) -> Id {
        match self {
            Self::Change => "ministry/change".into(),
            Self::Ministry => "ministry/ministry".into(),
            Self::Society => "ministry/society".into(),
        }
    }
}

/// The ministries that rules in force name, each with its rule.
pub(crate) fn named(state: &State<BNomic>) -> Vec<(Id, String, &Rule)> {
    let mut all: Vec<(Id, String, &Rule)> = Vec::new();
    for rule in state.rules.with_field(MINISTRY) {
        let name = rule.field(MINISTRY).map(str::trim).filter(|name| !name.is_empty());
        let id = name.map(id);
        // Where two rules name one, it is the first one's (B75.4).
        if let Some((id, name)) = id.zip(name).filter(|(id, _)| all.iter().all(|(held, _, _)| held != id)) {
            all.push((id, name.to_owned(), rule));
        }
    }
    all
}

/// Whether a name is that of a ministry. It is asked of each object whenever something is looked for by name.
fn is_called(name: &str, ministry: &Id) -> bool {
    let tail = ministry.strip_prefix(MINISTRY).and_then(|rest| rest.strip_prefix('/'));
    !name.is_empty() && tail.is_some_and(|tail| written(name).eq(tail.chars()))
}

/// A name as it stands in an id.
fn written(name: &str) -> impl Iterator<Item = char> {
    name.chars().flat_map(char::to_lowercase).map(|char| if char == ' ' { '-' } else { char })
}

/// The ministry of a name.
fn id(name: &str) -> Id {
    format!("{MINISTRY}/{}", written(name).collect::<String>()).into()
}

/// What each ministry is called, with the rule that makes it.
pub(crate) fn offices(state: &State<BNomic>) -> impl Iterator<Item = (String, &Rule)> {
    named(state).into_iter().map(|(_, name, rule)| (name, rule))
}

/// The mini-Ministries: those whose rule says so in its header (B49.2).
pub(crate) fn minis(state: &State<BNomic>) -> Vec<Id> {
    let is = |rule: &Rule| rule.field("mini").is_some_and(|mini| mini.eq_ignore_ascii_case("yes"));
    named(state).into_iter().filter(|(_, _, rule)| is(rule)).map(|(id, _, _)| id).collect()
}

/// What a ministry is called in sentences.
pub(crate) fn name(state: &State<BNomic>, ministry: &Id) -> Option<String> {
    let mut names = state.rules.with_field(MINISTRY).into_iter().filter_map(|rule| rule.field(MINISTRY).map(str::trim));
    // Where two rules name one, it is the first one's (B75.4).
    names.find(|name| is_called(name, ministry)).map(|name| format!("the Ministry of {name}"))
}

/// What a ministry is called, also where it is gone by now: its id is its name in small letters.
pub(crate) fn ever_called(state: &State<BNomic>, ministry: &Id) -> String {
    if state.world.exists(ministry) {
        return called(state, ministry);
    }
    let office = ministry.split_once('/').map_or(&**ministry, |(_, office)| office);
    let capital = |word: &str| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect();
    let words: Vec<String> = office.split('-').map(capital).collect();
    format!("the Ministry of {}, which is gone", words.join(" "))
}

/// What the holder of a ministry is called first: the Minister of Law is Rulekeeper. Else what the ministry is called.
pub(crate) fn office(state: &State<BNomic>, ministry: &Id) -> String {
    let named = named(state).into_iter().find(|(id, _, _)| id == ministry);
    let office = named.map(|(_, name, rule)| rule.field("office").map_or(name, str::to_owned)).unwrap_or_default();
    let first = office.split(',').next().unwrap_or_default().trim();
    first.strip_prefix("The ").unwrap_or(first).to_owned()
}

/// Who holds a ministry.
pub(crate) fn minister(state: &State<BNomic>, ministry: &Id) -> Option<Id> {
    state.world.get(&MINISTER, ministry)
}

/// Whether somebody holds an office.
pub(crate) fn holds(state: &State<BNomic>, player: &Id, post: Post) -> bool {
    minister(state, &post.id()).as_ref() == Some(player)
}

/// All ministries that are Vacant.
pub(crate) fn vacant(state: &State<BNomic>) -> Vec<Id> {
    state.world.of_kind(MINISTRY).filter(|ministry| minister(state, ministry).is_none()).cloned().collect()
}

/// The ministries of a Player.
pub(crate) fn of(state: &State<BNomic>, player: &Id) -> impl Iterator<Item = Id> {
    state.world.of_kind(MINISTRY).filter(move |id| minister(state, id).as_ref() == Some(player)).cloned()
}

// ---- decide

/// The ministry that some words name: `Law`, `Ministry of Law`, `the Rulekeeper` and the like (B45.2).
///
/// # Errors
///
/// A [`Refusal`] where none is called so.
pub(crate) fn find(state: &State<BNomic>, words: &str) -> Result<Id, Refusal> {
    let bare = |text: &str| {
        let text = text.trim().to_lowercase();
        let text = text.strip_prefix("the ").unwrap_or(&text).to_owned();
        // What a post holder may be called (B45.2).
        let posts = ["ministry", "minister", "post holder", "pot holster", "post holder designate", "phd"];
        let of = posts.iter().find_map(|post| text.strip_prefix(post)?.strip_prefix(" of ")).unwrap_or(&text);
        of.strip_prefix("the ").unwrap_or(of).to_owned()
    };
    let wanted = bare(words);
    let called_so = |(_, name, rule): &&(Id, String, &Rule)| {
        let offices = rule.field("office").unwrap_or_default();
        bare(name) == wanted || offices.split(',').any(|office| bare(office) == wanted)
    };
    match named(state).iter().find(called_so) {
        Some((id, _, _)) if state.world.exists(id) => Ok(id.clone()),
        _ => Err(Refusal::new(format!("no ministry is called “{}”", words.trim()))
            .by(Thing::Ministries.rule(&state.rules))
            .instead("show ministries")),
    }
}

/// The ministry whose holder a rule calls so: the Rulekeeper, the Chairman.
pub(crate) fn of_office(state: &State<BNomic>, words: &str) -> Option<Id> {
    let bare = |text: &str| {
        let text = text.trim().to_lowercase();
        text.strip_prefix("the ").unwrap_or(&text).to_owned()
    };
    let called_so =
        |rule: &Rule| rule.field("office").is_some_and(|all| all.split(',').any(|office| bare(office) == bare(words)));
    let (id, _, _) = named(state).into_iter().find(|(_, _, rule)| called_so(rule))?;
    Some(id).filter(|id| state.world.exists(id))
}

/// What usurping with others needs: support (B48.5).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(crate) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Retainers)?;
    Ok(Needs { with: Some(state.rules.need_count(&USURP_SUPPORT)?), ..Needs::default() })
}
