//! How a game speaks.

use super::{Id, Num, Path, Refusal, Value, display::Block, rulebook::Rule, state::State};

/// Names, numbers, and what rules are called.
pub trait Speech: Sized {
    /// The display that a refusal points to where it knows no better.
    const CHIEF: &'static str;

    /// The rulings on what the rules leave unclear, as Markdown with a heading for each: `docs/rulings/<game>.md`.
    fn rulings() -> &'static str;

    /// The attributes of a seat's object by which others know who it is, beside its name: an address, a link. They are
    /// taken out of what is shown of the past where somebody asked to be forgotten.
    fn personal() -> &'static [&'static str] {
        &[]
    }

    /// What players call an object.
    fn called(state: &State<Self>, obj: &Id) -> String {
        called(state, obj)
    }

    /// A value as people know it, where that stands elsewhere than in the world.
    fn shown(state: &State<Self>, at: &Path) -> String {
        state.world.value(at).to_string()
    }

    /// How the game writes a value of an attribute, where that names no object: an amount with its unit.
    fn expressed(_attr: &str, value: &Value) -> String {
        value.to_string()
    }

    /// The number that some words stand for by the rules, such as “A Few”: for how often something is done.
    fn number(_state: &State<Self>, _words: &str) -> Option<Num> {
        None
    }

    /// Whether one line may say that something is done several times.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the rule that allows it is gone.
    fn repeats(_state: &State<Self>) -> Result<(), Refusal> {
        Ok(())
    }

    /// The number of a proposal that players name.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the game knows proposals by their numbers only, or where none or several are called so.
    fn proposal(_state: &State<Self>, _words: &str) -> Result<u64, Refusal> {
        Err(Refusal::new("a proposal is named by its number here"))
    }

    /// Who can be named as a player and has no seat: each id with its names.
    fn unseated(_state: &State<Self>) -> Vec<(Id, Vec<String>)> {
        Vec::new()
    }

    /// Which rule a path of the world goes back to, for `/why`.
    fn rule_of(_state: &State<Self>, _path: &Path) -> Option<String> {
        None
    }

    /// The title of a display that every room has, where the rules give it another.
    fn heading(_display: &str) -> Option<&'static str> {
        None
    }

    /// What stands before the number of a rule wherever one is shown: `4E`.
    fn numbering() -> &'static str {
        ""
    }

    /// The version of a rule, in a game whose rules count by versions; else its revisions are counted.
    fn version(_rule: &Rule) -> Option<u32> {
        None
    }

    /// What a rule has beside its text, shown below it.
    fn beside(_state: &State<Self>, _rule: &Rule) -> Vec<Block> {
        Vec::new()
    }

    /// What becomes of what falls due while a moderator pauses the room, as a clause.
    fn paused() -> &'static str {
        "what is due meanwhile does not happen"
    }
}

/// What players call an object: by its seat, by the name that it carries, by its own id.
pub fn called<G>(state: &State<G>, obj: &Id) -> String {
    if let Some(seat) = state.frame.seats.get(obj) {
        return seat.name.clone();
    }
    match state.world.value(&Path::new(obj.clone(), "name")) {
        Value::Text(name) if !name.is_empty() => name,
        _ => obj.split_once('/').map_or(&**obj, |(_, tail)| tail).to_owned(),
    }
}
