//! What the words of directives mean in one game.
//!
//! A game that takes proposals says here what is its own. That is names, groups, what may be set and how, where a new
//! rule goes, what its rules forbid. All of it has a default that reads the world as it is, so that a small game writes
//! nothing.

use super::{
    define,
    setting::Setting,
    sight::RULE,
    wording::{find_key, folded, reads_as},
};
use crate::Draft;
use crate::Game;
use crate::Id;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::State;
use crate::Value;
use crate::names;
use crate::rulebook::{Keys, NumKind, Rule, RuleOp, amend};
use crate::world::{Attr, AttrDef, Op, Range};

/// Where a new rule goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number.
    pub number: u32,
    /// Which rules move to make room, with their numbers from then on.
    pub moves: Vec<(Id, u32)>,
}

/// How words name what there is in a room.
pub trait Names: Game {
    /// The kind of object that a word names, singular or plural.
    fn kind(state: &State<Self>, words: &str) -> Option<Id> {
        let wanted = folded(words);
        let kinds = Self::kinds(state);
        kind_among(kinds.iter().map(|kind| &**kind), &wanted).map(Id::from)
    }

    /// The one object that the word of a kind means by itself, where one bears it as its name. `every`, and the plural,
    /// mean the kind all the same.
    fn namesake(_state: &State<Self>, _words: &str) -> Option<Id> {
        None
    }

    /// Whether the word of a kind alone, as `Player`, means nobody here where there are several of it: a group is then
    /// `every player`, or `players`.
    fn says_every() -> bool {
        false
    }

    /// A group that words of this game mean besides kinds and their properties: `the Horde`.
    fn group(_state: &State<Self>, _words: &str) -> Option<Vec<Id>> {
        None
    }

    /// A value that some words are, where nobody and nothing is called so: one of those that an attribute may have.
    fn constant(state: &State<Self>, words: &str) -> Option<Value> {
        constant(state, words)
    }

    /// All kinds of objects.
    fn kinds(state: &State<Self>) -> Vec<Id> {
        state.world.kinds()
    }

    /// The objects that `every KIND` means, the oldest first.
    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        state.world.of_kind(kind).cloned().collect()
    }

    /// The object that some words name: by its name in a seat, by the name that it carries, by its own id.
    ///
    /// # Errors
    ///
    /// Where none or several are called so.
    fn find(state: &State<Self>, words: &str) -> Result<Id, Refusal> {
        named(state, words)
    }

    /// Whether that is a name, as [`folded`] has it. It is asked of every object that there is.
    fn is_called(state: &State<Self>, obj: &Id, wanted: &str) -> bool {
        reads_as(&Self::called(state, obj), wanted)
    }

    /// The attribute of objects of a kind that some words name.
    fn attribute(state: &State<Self>, words: &str, kind: &Id) -> Option<Id> {
        let wanted = folded(words);
        let singular = wanted.strip_suffix('s').unwrap_or(&wanted);
        let defs: Vec<Id> = state.world.defs_for(kind).map(|def| def.id.clone()).collect();
        let is = |text: &str| defs.iter().find(|id| folded(id) == text || folded(id) == format!("{text}s")).cloned();
        is(&wanted).or_else(|| is(singular))
    }

    /// A value, as the rules speak of it.
    fn value(state: &State<Self>, at: &Path) -> Value {
        state.world.value(at)
    }

    /// A word that expressions of this game know besides names, groups, attributes and figures.
    fn word(_state: &State<Self>, _words: &str) -> Option<Value> {
        None
    }

    /// An amount with its unit in one word, as this game writes it: the amount, and the attribute that it is of.
    fn measured(_what: &str) -> Option<(String, String)> {
        None
    }
}

/// How rules change by directives.
pub trait Amending: Names {
    /// Whether two titles are one, so that no two rules in force bear them.
    fn one_title(a: &str, b: &str) -> bool {
        folded(a) == folded(b)
    }

    /// The title of a rule that is created without one, by its number.
    ///
    /// # Errors
    ///
    /// Where the rules want every rule to be given a title.
    fn untitled(_number: u32) -> Result<String, Refusal> {
        Err(Refusal::new("a new rule has a title").instead("=> create rule \"Title\": text"))
    }

    /// A field at the head of a rule as it is kept, where players write it otherwise.
    fn field(_state: &State<Self>, _name: &str, value: String) -> String {
        value
    }

    /// Where a new rule goes: with the number that was asked for where it is free, else after all others.
    ///
    /// # Errors
    ///
    /// Where it cannot go there.
    fn place(state: &State<Self>, _title: &str, number: Option<u32>) -> Result<Place, Refusal> {
        let last = state.rules.rules().last().map_or(0, |rule| rule.number());
        let number = number.unwrap_or(last.saturating_add(1));
        match state.rules.numbered(number) {
            Some(rule) => Err(Refusal::new(format!("{} has the number {number} already", rule.label()))),
            None => Ok(Place { number, moves: Vec::new() }),
        }
    }

    /// Which rules move, and where, when one gets another number.
    ///
    /// # Errors
    ///
    /// Where it cannot get it.
    fn renumber(state: &State<Self>, _rule: &Rule, to: u32) -> Result<Vec<(Id, u32)>, Refusal> {
        match state.rules.numbered(to) {
            Some(rule) => Err(Refusal::new(format!("{} has the number {to} already", rule.label()))),
            None => Ok(Vec::new()),
        }
    }

    /// What a refusal calls a rule.
    fn cited(rule: &Rule) -> String {
        rule.label()
    }

    /// The fields of a rule's header that players may write at the head of its text.
    fn rule_fields() -> &'static [&'static str] {
        &["establishes"]
    }

    /// What is written of a text that becomes one of a rule: what it says, but where this game has names for figures.
    /// `lost` says how many figures would be lost by such a text; nothing where it takes the place of none.
    fn worded(_state: &State<Self>, text: &str, _lost: &dyn Fn(&str) -> Option<usize>) -> String {
        text.to_owned()
    }

    /// Whether the rules let a directive change a rule so.
    ///
    /// # Errors
    ///
    /// A refusal that names the rule which forbids it.
    fn may(_state: &State<Self>, _op: &RuleOp) -> Result<(), Refusal> {
        Ok(())
    }

    /// How rules change, as a sentence for whoever sets something of one.
    fn changes() -> &'static str {
        "a rule changes by amend, rewrite, retitle, renumber or repeal"
    }
}

/// A game whose rules and state change by directives: how values change.
pub trait Lawful: Amending {
    /// Whether an attribute is one that the game's own code plays by: no directive undefines it, and while it is defined no
    /// other kind gets one of its name.
    fn declared(_attr: &str) -> bool {
        false
    }

    /// Whether something may have a value.
    ///
    /// # Errors
    ///
    /// Where it has no such attribute, where the value is out of its range, or where the rules forbid it.
    fn fits(state: &State<Self>, at: &Path, to: &Value) -> Result<(), Refusal> {
        let range = ranged(state, at)?;
        let names_nothing = *to == Value::Null && matches!(range, Range::Ref(_));
        if range.holds(to) || names_nothing { Ok(()) } else { Err(out_of_range(state, at, to, &range)) }
    }

    /// Sets a value; says what it did instead where it did something else.
    ///
    /// # Errors
    ///
    /// Where it does not fit ([`Self::fits`]), or where the rules forbid the change.
    fn set_value(d: &mut Draft<'_, Self>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
        Self::fits(d, at, &to)?;
        d.overwrite(at.clone(), to);
        Ok(None)
    }

    /// Raises a number, or lowers it by a negative amount; says what it did instead where it did something else.
    ///
    /// # Errors
    ///
    /// As [`Self::set_value`].
    fn add_value(d: &mut Draft<'_, Self>, at: &Path, by: Num) -> Result<Option<String>, Refusal> {
        add(d, at, by)
    }

    /// Adds an article at the right end of a list, or takes the first such one out of it.
    ///
    /// # Errors
    ///
    /// As [`Self::set_value`], and where the list has no such article.
    fn article(d: &mut Draft<'_, Self>, at: Path, item: Value, add: bool) -> Result<(), Refusal> {
        article(d, at, item, add)
    }

    /// Gives articles to an object, or takes them away where the count is negative: a number that is called so, else a
    /// list called `inventory`.
    ///
    /// # Errors
    ///
    /// Where it can hold no such thing, or has not so many.
    fn hand(d: &mut Draft<'_, Self>, obj: &Id, item: &str, count: &Num) -> Result<Option<String>, Refusal> {
        let kind = d.world.kind(obj).cloned().unwrap_or_else(|| "".into());
        if let Some(attr) = Self::attribute(d, item, &kind) {
            return Self::add_value(d, &Path::new(obj.clone(), attr), count.clone());
        }
        let at = Path::new(obj.clone(), "inventory");
        let holds = d.world.def(&at.attr, &kind).is_some_and(|def| matches!(def.range, Range::List { .. }));
        let name = Self::called(d, obj);
        if !holds {
            return Err(Refusal::new(format!("{name} cannot hold “{item}”")));
        }
        let whole = count.to_i64().filter(|count| count.unsigned_abs() <= HANDED_MAX_ITEMS);
        let Some(whole) = whole else {
            return Err(Refusal::new(format!("{count} is no number of things that can be handed over at once")));
        };
        for _ in 0..whole.unsigned_abs() {
            let Value::List(held) = d.world.value(&at) else {
                return Err(Refusal::new(format!("{name} holds nothing")));
            };
            let like = |held: &&Value| folded(&held.to_string()) == folded(item);
            if whole > 0 {
                let mut list = held.clone();
                let item = held.iter().find(like).cloned().unwrap_or_else(|| Value::Text(item.to_owned()));
                list.push(item.clone());
                let range = ranged(d, &at)?;
                if !range.holds(&Value::List(list)) {
                    return Err(Refusal::new(format!("{name} cannot hold another “{item}”")));
                }
                d.op(Op::Insert { at: at.clone(), item });
            } else {
                let Some(item) = held.iter().find(like).cloned() else {
                    return Err(Refusal::new(format!("{name} has not so many of “{item}”")));
                };
                d.op(Op::Remove { at: at.clone(), item });
            }
        }
        Ok(None)
    }

    /// Passes articles from one object to another; a game in which each is more than its name says so here.
    ///
    /// # Errors
    ///
    /// As [`Self::hand`].
    fn pass(d: &mut Draft<'_, Self>, from: &Id, to: &Id, item: &str, count: &Num) -> Result<Vec<String>, Refusal> {
        let gone = Self::hand(d, from, item, &-count)?;
        let come = Self::hand(d, to, item, count)?;
        Ok(gone.into_iter().chain(come).collect())
    }

    /// Gives an office to somebody: the figure of the rules with that name, a name itself.
    ///
    /// # Errors
    ///
    /// Where there is no such office, or the rules forbid it.
    fn appoint(
        d: &mut Draft<'_, Self>,
        who: &Id,
        office: &str,
        setting: &Setting<'_>,
    ) -> Result<Option<String>, Refusal> {
        let keys = Keys::new(Self::keys());
        let key = find_key(&keys, office).ok().filter(|key| key.kind == NumKind::Name);
        let Some(key) = key else {
            return Err(Refusal::new(format!("there is no office “{}” here", office.trim())));
        };
        let name = Self::called(d, who);
        let edit = amend::set_figure(&d.rules, key, &name)?;
        rule_op(d, edit.op, setting)?;
        Ok(None)
    }

    /// Brings an object into being ([`Draft::create`]).
    ///
    /// # Errors
    ///
    /// Where there is one already, or the rules forbid it.
    fn create(d: &mut Draft<'_, Self>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        create(d, kind, name).map(|()| None)
    }

    /// Ends an object with all its values.
    ///
    /// # Errors
    ///
    /// Where the rules forbid it; a player is never destroyed unless the game says how.
    fn destroy(d: &mut Draft<'_, Self>, obj: &Id) -> Result<Option<String>, Refusal> {
        destroy(d, obj).map(|()| None)
    }

    /// Directives that every game has and nothing in this one answers to.
    fn lacks() -> &'static [&'static str] {
        &[]
    }

    /// Defines an attribute.
    ///
    /// # Errors
    ///
    /// Where the rules forbid it.
    fn define(d: &mut Draft<'_, Self>, def: AttrDef) -> Result<(), Refusal> {
        define(d, def);
        Ok(())
    }

    /// Ends an attribute that the game's own code does not play by, with every value of it.
    fn undefine(d: &mut Draft<'_, Self>, def: AttrDef) {
        undefine(d, def);
    }
}

/// Emits an operation on a rule, with its cause, where the book and the game let it pass.
///
/// # Errors
///
/// Why it cannot be done.
pub fn rule_op<G: Amending>(d: &mut Draft<'_, G>, op: RuleOp, setting: &Setting<'_>) -> Result<(), Refusal> {
    let op = op.because(setting.because);
    d.rules.check(&op)?;
    G::may(d, &op)?;
    d.rule(op);
    Ok(())
}

/// Brings an object into being, by its kind and its name.
///
/// # Errors
///
/// Where something is called so already.
pub fn create<G: Lawful>(d: &mut Draft<'_, G>, kind: &Id, name: &str) -> Result<(), Refusal> {
    if G::find(d, name).is_ok_and(|other| keeps_name(d, &other)) {
        return Err(Refusal::new(format!("something here is called “{name}” already")));
    }
    let obj = d.create(kind, name);
    if G::called(d, &obj) != name {
        d.overwrite(Path::new(obj.clone(), NAME), Value::Text(name.to_owned()));
    }
    is_named(d, &obj);
    Ok(())
}

/// Sets a value; says what that did instead where it did something else. Nothing gets a name that nobody can read.
///
/// # Errors
///
/// As [`Lawful::set_value`].
pub fn set<G: Lawful>(d: &mut Draft<'_, G>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
    match &to {
        Value::Text(name) if *at.attr == *NAME => {
            names::of_thing(name).map_err(|why| Refusal::new(format!("{at}: {why}")))?;
        }
        _ => {}
    }
    G::set_value(d, at, to)
}

/// The attribute that holds what an object is called.
const NAME: &str = "name";

/// Who has named something in eir own act; nobody where a rule did, or what was decided together. Nobody else sets it.
pub const NAMED_BY: Attr<Id> = Attr::new("named-by");

/// Notes who has named something, where it is somebody's act.
pub fn is_named<G: Names>(d: &mut Draft<'_, G>, obj: &Id) {
    if let Some(by) = d.whose().cloned() {
        d.set(&NAMED_BY, obj, by);
    }
}

/// Whether the name of something yields, since one player gave it: to any that a rule gives, or what was decided together.
pub fn yields<G: Names>(state: &State<G>, obj: &Id) -> bool {
    state.world.get(&NAMED_BY, obj).is_some()
}

/// Whether the name of something is no other's, whoever names that now.
pub fn keeps_name<G: Names>(d: &Draft<'_, G>, obj: &Id) -> bool {
    d.whose().is_some() || !yields(d, obj)
}

/// Ends an object with all its values.
///
/// # Errors
///
/// Where there is none, and where it is a player.
pub fn destroy<G: Lawful>(d: &mut Draft<'_, G>, obj: &Id) -> Result<(), Refusal> {
    if d.frame.seats.contains_key(obj) {
        return Err(Refusal::new(format!("{} is a player, and no directive ends a player", G::called(d, obj))));
    }
    let Some(kind) = d.world.kind(obj).cloned() else {
        return Err(Refusal::new(format!("there is no {obj}")));
    };
    let was = d.world.values_of(obj).map(|(at, value)| (at.clone(), value.clone())).collect();
    d.op(Op::Destroy { obj: obj.clone(), kind, was });
    Ok(())
}

/// Adds an article at the right end of a list, or takes the first such one out of it.
///
/// # Errors
///
/// Where the list would be out of its range, and where it has no such article.
pub fn article<G: Lawful>(d: &mut Draft<'_, G>, at: Path, item: Value, add: bool) -> Result<(), Refusal> {
    let Value::List(mut list) = d.world.value(&at) else {
        return Err(Refusal::new(format!("{} of {} is no list", at.attr, G::called(d, &at.obj))));
    };
    match list.iter().position(|held| *held == item) {
        _ if add => list.push(item.clone()),
        Some(place) => drop(list.remove(place)),
        None => return Err(Refusal::new(format!("{} of {} has no {item}", at.attr, G::called(d, &at.obj)))),
    }
    let (to, range) = (Value::List(list), ranged(d, &at)?);
    if !range.holds(&to) {
        return Err(out_of_range(d, &at, &to, &range));
    }
    d.op(if add { Op::Insert { at, item } } else { Op::Remove { at, item } });
    Ok(())
}

/// Raises a number, or lowers it by a negative amount.
///
/// # Errors
///
/// Where it is no number, or would not fit ([`Lawful::fits`]).
pub fn add<G: Lawful>(d: &mut Draft<'_, G>, at: &Path, by: Num) -> Result<Option<String>, Refusal> {
    ranged(d, at)?;
    let Value::Num(now) = d.world.value(at) else {
        let say = format!("{} of {} is no number", at.attr, G::called(d, &at.obj));
        return Err(Refusal::new(say));
    };
    G::fits(d, at, &Value::Num(&now + &by))?;
    if !by.is_zero() {
        d.op(Op::Add { at: at.clone(), by });
    }
    Ok(None)
}

/// Refuses a definition where a kind of its scope has an attribute of that name. What everything has is no hindrance: the
/// narrower definition goes before it. Nor is what a document defines: that yields.
///
/// # Errors
///
/// A refusal that says which kind has it.
pub fn unshared<G: Lawful>(state: &State<G>, attr: &Id, scope: &str) -> Result<(), Refusal> {
    if **attr == *NAMED_BY.id {
        return Err(Refusal::new(format!("“{attr}” says who has named something, and nothing else is called so")));
    }
    match state.world.named(attr).iter().find(|def| def.shares(scope) && !def.is_given()) {
        Some(def) => Err(Refusal::new(format!("“{attr}” is defined already, for every {}", def.scope))
            .instead(format!("=> {}", undefining(state, def)))),
        None => Ok(()),
    }
}

/// The same, and where the game's own code plays by an attribute of that name, whatever kind has it.
///
/// # Errors
///
/// As [`unshared`].
pub fn undefined<G: Lawful>(state: &State<G>, attr: &Id, scope: &str) -> Result<(), Refusal> {
    unshared(state, attr, scope)?;
    match state.world.named(attr).first().filter(|_| G::declared(attr)) {
        Some(own) => Err(Refusal::new(format!(
            "the game itself plays by “{attr}”, which every {} has; nothing else is called so",
            own.scope
        ))),
        None => Ok(()),
    }
}

/// The directive that ends a definition, without its arrow. It says the kind where several have one of the name.
pub fn undefining<G: Lawful>(state: &State<G>, def: &AttrDef) -> String {
    match state.world.named(&def.id) {
        [] | [_] => format!("undefine {}", def.id),
        [..] => format!("undefine {} of {}", def.id, def.kinds().next().unwrap_or_default()),
    }
}

/// Defines an attribute: everything that it is of has it from then on, as it is at first.
pub fn define<G: Lawful>(d: &mut Draft<'_, G>, def: AttrDef) {
    unset(d, &def);
    d.op(Op::Define(def));
}

/// Ends an attribute, with every value of it.
pub fn undefine<G: Lawful>(d: &mut Draft<'_, G>, def: AttrDef) {
    // What was set goes with the definition: it would come back with another one of the same name.
    unset(d, &def);
    d.op(Op::Undefine(def));
}

/// Takes away what was set of an attribute, also of what has it no longer: it would have it again if it came back.
fn unset<G: Lawful>(d: &mut Draft<'_, G>, def: &AttrDef) {
    let held = d.world.objects().map(|obj| Path::new(obj.clone(), def.id.clone()));
    let held = held.filter(|at| d.world.def_at(at).is_none_or(|of| of.shares(&def.scope)));
    let held: Vec<Path> = held.filter(|at| d.world.values_of(&at.obj).any(|(held, _)| held == at)).collect();
    for at in held {
        d.overwrite(at, Value::Null);
    }
}

/// Most things that one directive hands over: a list of them is still shown.
pub const HANDED_MAX_ITEMS: u64 = 1000;

/// The object that some words name: by its name in a seat, by the name that it carries, by its own id. Of several, one
/// whose name yields is none.
///
/// # Errors
///
/// Where none or several are called so.
pub fn named<G: Names>(state: &State<G>, words: &str) -> Result<Id, Refusal> {
    let wanted = folded(words);
    let same = |obj: &&Id| {
        let by_id = state.frame.tail(obj).is_some_and(|tail| reads_as(tail, &wanted) || reads_as(obj, &wanted));
        by_id || G::is_called(state, obj, &wanted)
    };
    // A rule is called by its number or its title, and has a word before it that says so.
    let apart = |obj: &&Id| state.world.kind(obj).is_some_and(|kind| **kind == *RULE);
    let mut found: Vec<Id> = state.world.objects().filter(|obj| !apart(obj)).filter(same).cloned().collect();
    yield_to_others(state, &mut found);
    match &found[..] {
        [only] if !wanted.is_empty() => Ok(only.clone()),
        [_, _, ..] => {
            let names: Vec<String> = found.iter().take(5).map(ToString::to_string).collect();
            Err(Refusal::new(format!("“{}” may be any of {}", words.trim(), names.join(", "))))
        }
        _ => Err(Refusal::new(format!("nobody and nothing here is called “{}”", words.trim())).instead("show")),
    }
}

/// Leaves those of several things of one name whose names do not yield, where there are such.
pub fn yield_to_others<G: Names>(state: &State<G>, found: &mut Vec<Id>) {
    if found.len() > 1 && found.iter().any(|obj| !yields(state, obj)) {
        found.retain(|obj| !yields(state, obj));
    }
}

/// The range of an attribute that an object has.
///
/// # Errors
///
/// Where the object has no such attribute.
pub fn ranged<G: Names>(state: &State<G>, at: &Path) -> Result<Range, Refusal> {
    (state.world.def_at(at))
        .map(|def| def.range.clone())
        .ok_or_else(|| Refusal::new(format!("{} has no “{}”", G::called(state, &at.obj), at.attr)))
}

/// Refuses a value that is out of a range.
pub fn out_of_range<G: Amending>(state: &State<G>, at: &Path, to: &Value, range: &Range) -> Refusal {
    let by = state.world.def_at(at).and_then(|def| def.by.clone());
    let refusal = Refusal::new(format!(
        "{} of {} would be {to}, and it is {}",
        at.attr,
        G::called(state, &at.obj),
        define::shown(range)
    ));
    match by.and_then(|rule| state.rules.get(&rule).map(G::cited)) {
        Some(rule) => refusal.by(rule),
        None => refusal,
    }
}

/// The value that some words are: one of those that an attribute may have.
pub fn constant<G: Names>(state: &State<G>, words: &str) -> Option<Value> {
    let wanted = folded(words);
    let of = |def: &AttrDef| match &def.range {
        Range::OneOf(values) => values.iter().find(|value| folded(value) == wanted).cloned(),
        _ => None,
    };
    state.world.defs().find_map(of).map(Value::Text)
}

/// The kind that a word, folded, means among some: one that is called so, else one of which it is the plural.
pub fn kind_among<'k>(kinds: impl Iterator<Item = &'k str>, wanted: &str) -> Option<&'k str> {
    let of_many = wanted.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let singulars = wanted.strip_suffix('s').map(str::to_owned).into_iter().chain(of_many);
    let singulars: Vec<String> = singulars.filter(|one| plural(one) == wanted).collect();
    let mut many = None;
    for kind in kinds {
        if reads_as(kind, wanted) {
            return Some(kind);
        }
        if many.is_none() && singulars.iter().any(|singular| reads_as(kind, singular)) {
            many = Some(kind);
        }
    }
    many
}

/// The word for several things of a kind: `players`, `ministries`.
fn plural(kind: &str) -> String {
    match kind.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{kind}s"),
    }
}
