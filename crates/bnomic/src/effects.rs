//! The meaning of directives in B Nomic, and the changes that the Chairman applies by hand.
//!
//! Directives themselves stand in the kernel; those of a text are done in `carried_out`, and a proposal passes in
//! `passing`.

mod by_hand;
pub(super) mod carried_out;

use std::collections::BTreeSet;

use super::{
    calendar,
    clock::{self, hands},
    emergency::{self, crisis},
    expression_names,
    game::{BNomic, D},
    keeping,
    law::{LAST_SPENT, Thing},
    ministries::{self, posts},
    passing, posted, precedence,
    proposals::{
        self,
        status::{self, Status},
    },
    quantities, registry, rule_objects,
    society::{self, players},
    stats::{
        self, AUTHOR, CLOCK, MACKEREL, MINISTER, MINISTRY, NAME, NDELAY, NUMBER, PLAYER, PROPOSAL, SCORE, STATUS,
        THE_CLOCK, called,
    },
    victory, warnings,
};
use by_hand::{apply_by_hand, apply_refresh, apply_tweak};
pub(super) use by_hand::{is_left, left_by_hand};
use kernel::{
    Act, Id, Mechanic, Num, Path, Refusal, State, Value,
    directives::{
        Amending, Lawful, Names, Place, Setting, define,
        wording::{folded, reads_as},
        words::{self, destroy, kind_among, named, ranged},
    },
    rulebook::{Rule, RuleAct, RuleOp},
    world::{AttrDef, EVERYTHING, SCOPES},
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let proposal = Act::new("apply_proposal", |Proposal { proposal, text }, d| apply_by_hand(proposal, &text, d));
    let tweak = Act::new("apply_tweak", |Tweak { tweak, text }, d| apply_tweak(tweak, &text, d));
    let refresh = Act::new("apply_refresh", |Refresh { text }, d| apply_refresh(&text, d));
    Mechanic::new("effects")
        .act(proposal.player().public(by_hand::PROPOSAL))
        .act(tweak.player().public(by_hand::TWEAK))
        .act(refresh.public(by_hand::REFRESH).note(emergency::NOTE))
        .warns(warnings::warnings)
}

kit::args! {
    /// The arguments of `apply_proposal` (B15.10).
    Proposal { proposal: u64, text: String }

    /// The arguments of `apply_tweak` (B77.2).
    Tweak { tweak: u64, text: String }

    /// The arguments of `apply_refresh` (B0.16).
    Refresh { text: String }
}

// ---- words

/// Who holds the office that some words call with its article: `the Registrar`, `the MoM` (B45.2). A Player may be called
/// like an office, and is meant by the name alone (B27.1).
fn minister_called(state: &State<BNomic>, words: &str) -> Option<Result<Id, Refusal>> {
    let office =
        words.trim().get(..4).filter(|head| head.eq_ignore_ascii_case("the ")).map(|_| words.trim()[4..].trim())?;
    let ministry = posts::find(state, office).ok()?;
    let own = folded(&called(state, &ministry));
    let other = folded(office);
    // What names the Ministry itself, or its Minister in so many words, is read as such.
    if other.starts_with("minist") || own.ends_with(&format!(" {other}")) {
        return None;
    }
    let vacant = || Refusal::new(format!("{} is Vacant", called(state, &ministry))).instead("show ministries");
    Some(posts::minister(state, &ministry).ok_or_else(vacant))
}

impl Names for BNomic {
    fn is_called(state: &State<Self>, obj: &Id, wanted: &str) -> bool {
        if **obj == *stats::BEAST && stats::BEAST_NAMES.iter().any(|name| reads_as(name, wanted)) {
            return true;
        }
        // Their names all begin so, and there may be thousands of them.
        let is_proposal = state.world.kind(obj).is_some_and(|kind| **kind == *PROPOSAL);
        (!is_proposal || wanted.starts_with(PROPOSAL)) && reads_as(&called(state, obj), wanted)
    }

    fn kind(state: &State<Self>, words: &str) -> Option<Id> {
        let wanted = folded(words);
        if let "object" | "objects" = wanted.strip_prefix("game ").unwrap_or(&wanted) {
            return Some(EVERYTHING.into());
        }
        let known = kind_among(state.world.kind_names().chain(KINDS), &wanted).map(Id::from);
        let kept = || keeping::kinds(state);
        known.or_else(|| kind_among(kept().iter().map(|kind| &**kind), &wanted).map(Id::from))
    }

    fn kinds(state: &State<Self>) -> Vec<Id> {
        // There may be none of them now, and still are such things (4E3, 4E16, B33.1).
        let known = KINDS.map(Id::from);
        let kept = keeping::kinds(state);
        state.world.kinds().into_iter().chain(known).chain(kept).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        match &**kind {
            EVERYTHING => state.world.objects().cloned().collect(),
            // Every Player is an Outsider (4E4).
            stats::OUTSIDER => {
                let all = [stats::OUTSIDER, PLAYER].into_iter().flat_map(|kind| state.world.of_kind(kind));
                state.world.by_age(all.cloned())
            }
            kind => state.world.of_kind(kind).cloned().collect(),
        }
    }

    fn find(state: &State<Self>, words: &str) -> Result<Id, Refusal> {
        if let Some(rule) = rule_objects::find(state, words) {
            return Ok(rule);
        }
        // Proposals are called by their numbers (B2.1, B15.8).
        let number = folded(words).strip_prefix(PROPOSAL).and_then(|number| number.trim().parse().ok());
        match number {
            Some(number) => status::need(state, number),
            // What says that it is a rule is told what is wrong with it as one.
            None => match minister_called(state, words) {
                Some(found) => found,
                None => named(state, words)
                    .or_else(|why| named(state, &format!("the {words}")).map_err(|_| why))
                    .map_err(|why| rule_objects::missing(state, words).unwrap_or(why)),
            },
        }
    }

    fn namesake(state: &State<Self>, words: &str) -> Option<Id> {
        expression_names::namesake(state, &folded(words))
    }

    fn says_every() -> bool {
        true
    }

    fn group(state: &State<Self>, words: &str) -> Option<Vec<Id>> {
        expression_names::group(state, &folded(words))
    }

    fn constant(state: &State<Self>, words: &str) -> Option<Value> {
        expression_names::constant(&folded(words)).or_else(|| words::constant(state, words))
    }

    fn attribute(state: &State<Self>, words: &str, kind: &Id) -> Option<Id> {
        let wanted = folded(words);
        // What the rules call points is the score, a mack is a mackerel, and MinLength is one word (B17.1, B34.1, B11.5).
        let wanted = match &*wanted {
            "point" | "points" => SCORE.id,
            "mack" | "macks" => MACKEREL.id,
            "minlength" => "min length",
            "maxlength" => "max length",
            other => other,
        };
        let defs = || state.world.defs_for(kind).map(|def| &def.id);
        let singular = wanted.strip_suffix('s').unwrap_or(wanted);
        let found = defs().find(|id| folded(id) == wanted).or_else(|| defs().find(|id| folded(id) == singular));
        found.cloned().or_else(|| expression_names::attribute(wanted, kind))
    }

    fn value(state: &State<Self>, at: &Path) -> Value {
        if let Some(reckoned) = expression_names::value(state, at) {
            return reckoned;
        }
        match state.world.value(at) {
            // Where nothing else was said it is the name of the seat (B4.2).
            Value::Text(name) if name.is_empty() && *at.attr == *NAME.id => Value::Text(called(state, &at.obj)),
            // A Power stands at the head of its rule (B75.1).
            value if *at.attr == *stats::POWER => {
                stats::of(state, &at.obj).map_or(value, |rule| Value::Num(precedence::power(rule, state)))
            }
            value => value,
        }
    }

    fn word(state: &State<Self>, words: &str) -> Option<Value> {
        // The names of ndays, wherever one is typed (B31.1).
        if let Some(nday) = calendar::called(state, words.trim()) {
            return Some(Value::Num(nday.into()));
        }
        let words = folded(words);
        if words == "clock" {
            return Some(Value::Ref(THE_CLOCK.into()));
        }
        // Mackerel is written so in the rule on it (B34.1).
        if let Some(amount) = words.strip_prefix('m').and_then(|digits| digits.parse().ok()) {
            return Some(Value::Num(amount));
        }
        if let Some(value) = expression_names::word(state, &words) {
            return Some(value);
        }
        // Official quantities begin with their article (B30.1).
        let named = words.starts_with("a ") || words.starts_with("an ");
        named.then(|| quantities::read(state, &words).ok()).flatten().map(Value::Num)
    }

    fn measured(what: &str) -> Option<(String, String)> {
        // Mackerel is written so, and often the other way round (B34.1).
        let lower = what.trim().to_lowercase();
        let amount = lower.strip_prefix('m').or_else(|| lower.strip_suffix('m'))?;
        let number: Num = amount.parse().ok()?;
        Some((number.to_string(), MACKEREL.id.to_owned()))
    }
}

impl Amending for BNomic {
    fn rule_fields() -> &'static [&'static str] {
        &[
            registry::DEFINES,
            registry::OWNERS,
            keeping::KEEPS,
            "establishes",
            "ministry",
            "mini",
            "office",
            "power",
            "overrides",
            "yields",
        ]
    }

    fn field(state: &State<Self>, name: &str, value: String) -> String {
        precedence::numbered(state, name, value)
    }

    fn untitled(_number: u32) -> Result<String, Refusal> {
        // A rule may have a name, and need not (B36.1).
        Ok(String::new())
    }

    fn may(state: &State<Self>, op: &RuleOp) -> Result<(), Refusal> {
        let fits = |own: u32, name: &str, value: &str| match name {
            registry::OWNERS => registry::are_owners(state, value),
            _ => precedence::fits(state, own, name, value),
        };
        match &op.act {
            RuleAct::Enact { number, fields, .. } => {
                fields.iter().try_for_each(|(name, value)| fits(*number, name, value))
            }
            RuleAct::Field { name, to: Some(to), .. } => {
                if name == stats::POWER {
                    rule_objects::may_empower(state)?;
                }
                fits(state.rules.get(&op.rule).map_or(0, Rule::number), name, to)
            }
            _ => Ok(()),
        }
    }

    fn worded(state: &State<Self>, text: &str, lost: &dyn Fn(&str) -> Option<usize>) -> String {
        quantities::worded(state, text, lost)
    }

    fn place(state: &State<Self>, _title: &str, number: Option<u32>) -> Result<Place, Refusal> {
        let spent = state.rules.all().iter().map(|rule| rule.number()).max().unwrap_or(0).max(LAST_SPENT);
        let lowest = spent + 1;
        match number.filter(|number| *number != lowest) {
            None => Ok(Place { number: lowest, moves: Vec::new() }),
            Some(_) => {
                Err(Refusal::new(format!("a new rule gets the lowest number that was never used, which is {lowest}"))
                    .by("4E36, Rules"))
            }
        }
    }

    fn renumber(_state: &State<Self>, rule: &Rule, _to: u32) -> Result<Vec<(Id, u32)>, Refusal> {
        Err(Refusal::new(format!("{} keeps its number: none goes back into the set", rule.label())).by("4E36, Rules"))
    }
}

/// Kinds of objects of which there may be none now.
pub(super) const KINDS: [&str; 4] = [stats::OUTSIDER, registry::CURRENCY, victory::CONDITION, victory::TROPHY];

impl Lawful for BNomic {
    fn declared(attr: &str) -> bool {
        registry::is_own(attr)
    }

    fn set_value(d: &mut D<'_>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
        let range = ranged(d, at)?;
        if laws::is_of_laws(d, &at.obj) {
            Self::fits(d, at, &to)?;
            d.overwrite(at.clone(), to);
            return Ok(None);
        }
        if let (stats::POWER, Value::Num(power)) = (&*at.attr, &to) {
            rule_objects::may_empower(d)?;
            return rule_objects::empower(d, at, power).map(|()| None);
        }
        victory::own_only(&at.attr)?;
        if *at.attr == *NAME.id {
            society::nameable(d, &at.obj, &to)?;
        }
        if [NUMBER.id, AUTHOR.id].contains(&&*at.attr) {
            let say = format!("the {} of a proposal is what it was given when it was submitted", at.attr);
            return Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("propose TITLE TEXT"));
        }
        registry::fits_length(d, at, &to)?;
        if *at.attr == *STATUS.id && to == Value::Text(Status::Open.word().to_owned()) {
            passing::may_open(d, &at.obj)?;
        }
        let to = match to {
            // A name in quotation marks means whoever bears it.
            Value::Text(name) if *at.attr == *MINISTER.id => Value::Ref(Self::find(d, &name)?),
            to => to,
        };
        registry::is_there(d, &to)?;
        if let Value::List(named) = &to {
            status::are_others(at, named)?;
        }
        let held = if *at.attr == *MINISTER.id {
            match &to {
                Value::Ref(player) => players::other(d, player, None).map(|_| true)?,
                to => *to == Value::Null,
            }
        } else {
            range.holds(&to)
        };
        if !held {
            let wanted =
                if *at.attr == *MINISTER.id { "a Player, or nothing".to_owned() } else { define::shown(&range) };
            return Err(Refusal::new(format!(
                "{} of {} cannot be {}: it is {}",
                at.attr,
                called(d, &at.obj),
                stats::shown(d, &at.attr, &to),
                wanted
            ))
            .by("4E11, Attributes"));
        }
        match to {
            Value::Null if *at.attr == *MINISTER.id => ministries::release(d, &at.obj),
            Value::Ref(player) if *at.attr == *MINISTER.id => {
                let office = at.obj.strip_prefix(&format!("{MINISTRY}/")).unwrap_or(&at.obj).replace('-', " ");
                ministries::appoint(d, &player, &office)?;
            }
            to => {
                let over = *at.attr == *STATUS.id && status::status(d, &at.obj) != Status::Historical;
                let opens = *at.attr == *STATUS.id && to == Value::Text(Status::Open.word().to_owned());
                let ndelay = hands::ndelay(d);
                if let (true, Value::Text(text)) = (*at.attr == *victory::CLEANUP.id, &to) {
                    posted::note(d, &at.obj, text);
                }
                d.overwrite(at.clone(), to);
                if *at.attr == *NDELAY.id {
                    clock::ndelay_changed(d, ndelay);
                }
                if opens {
                    // Whatever is Open stands on a ballot that is published (B14.5, BX9).
                    proposals::publish(d);
                }
                if over && status::status(d, &at.obj) == Status::Historical {
                    let scored = passing::historical(d, &at.obj);
                    return Ok(Some(scored.join(" ")).filter(|said| !said.is_empty()));
                }
                if let Some(fault) = victory::unreadable(d, &at.attr, &at.obj) {
                    return Ok(Some(fault));
                }
                if let Some(list) = at.obj.strip_prefix(&format!("{}/", registry::LIST)) {
                    registry::lengthen(d, list);
                }
            }
        }
        Ok(None)
    }

    fn add_value(d: &mut D<'_>, at: &Path, by: Num) -> Result<Option<String>, Refusal> {
        if laws::is_of_laws(d, &at.obj) {
            return words::add(d, at, by);
        }
        if let (stats::POWER, Value::Num(power)) = (&*at.attr, Self::value(d, at)) {
            rule_objects::may_empower(d)?;
            return rule_objects::empower(d, at, &(&power + &by)).map(|()| None);
        }
        if *at.attr == *NDELAY.id {
            let was = hands::ndelay(d);
            let said = words::add(d, at, by)?;
            clock::ndelay_changed(d, was);
            return Ok(said);
        }
        if *at.attr != *SCORE.id {
            return words::add(d, at, by);
        }
        // A loss that is larger than the score takes all of it (B17.1).
        ranged(d, at)?;
        if !by.is_whole() {
            return Err(Refusal::new("points are whole: each of them is an object")
                .by(Thing::Points.rule(&d.rules))
                .instead("=> award 3 points to Ann"));
        }
        let moved = stats::score(d, &at.obj, &by);
        Ok((moved != by).then(|| format!("{} loses {}, all that there is", called(d, &at.obj), -&moved)))
    }

    fn article(d: &mut D<'_>, at: Path, item: Value, add: bool) -> Result<(), Refusal> {
        if laws::is_of_laws(d, &at.obj) {
            return words::article(d, at, item, add);
        }
        if add {
            registry::is_there(d, &item)?;
        }
        if let (true, Value::List(mut named)) = (add, d.world.value(&at)) {
            named.push(item.clone());
            status::are_others(&at, &named)?;
        }
        words::article(d, at, item, add)
    }

    fn appoint(d: &mut D<'_>, who: &Id, office: &str, _setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
        let who = players::other(d, who, None)?;
        ministries::appoint(d, &who, office).map(|()| None)
    }

    fn create(d: &mut D<'_>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        if **kind == *victory::TROPHY {
            victory::own_only(victory::HOLDER.id)?;
        }
        if **kind == *PLAYER {
            return society::seat_by_change(d, name).map(Some);
        }
        if [MINISTRY, PROPOSAL, CLOCK, crisis::FLAGPOLE].contains(&&**kind) {
            return Err(Refusal::new(format!("no directive makes a {kind}: the rule on it says how one comes to be"))
                .by("4E2, Game Objects"));
        }
        if [EVERYTHING, stats::OUTSIDER].contains(&&**kind) {
            return Err(Refusal::new(format!("it does not say what kind of {kind} it is")).by("4E2, Game Objects"));
        }
        if **kind == *registry::CURRENCY {
            means_nothing(d, name, kind)?;
            return registry::create_currency(d, name).map(|()| None);
        }
        if **kind == *stats::RULE {
            return Err(Refusal::new("a rule is made with its text")
                .by("4E36, Rules")
                .instead("=> create rule \"Mercy\": Nobody is destroyed twice."));
        }
        if **kind == *registry::LIST {
            return Err(Refusal::new("a list attribute is made by defining it").instead("show attributes"));
        }
        means_nothing(d, name, kind)?;
        let obj = d.create(kind, name);
        d.set(&NAME, &obj, name.to_owned());
        words::is_named(d, &obj);
        Ok(None)
    }

    fn destroy(d: &mut D<'_>, obj: &Id) -> Result<Option<String>, Refusal> {
        let stays = |kind: &Id| {
            Refusal::new(format!("no directive ends a {kind}: the rule on it says how one ceases"))
                .by("4E2, Game Objects")
        };
        let kind = d.world.kind(obj).cloned().unwrap_or_else(|| "".into());
        match &*kind {
            registry::CURRENCY => registry::end_currency(d, obj),
            PLAYER => society::expel(d, obj)?,
            stats::RULE => {
                return Err(Refusal::new("a rule ends by being repealed")
                    .by("4E36, Rules")
                    .instead("=> repeal rule 81"));
            }
            MINISTRY | PROPOSAL | CLOCK | registry::LIST | crisis::FLAGPOLE => return Err(stays(&kind)),
            _ => {
                destroy(d, obj)?;
                registry::unlink(d, obj);
            }
        }
        Ok(None)
    }

    fn define(d: &mut D<'_>, def: AttrDef) -> Result<(), Refusal> {
        if ["point", "points", "mack", "macks"].contains(&&*folded(&def.id)) {
            return Err(Refusal::new(format!("“{}” is another word for what everybody has already", def.id))
                .by("4E11, Attributes")
                .instead("show attributes"));
        }
        // Every Player is an Outsider, and has what these have (4E4).
        let outsiders = format!("{PLAYER}{SCOPES}{}", stats::OUTSIDER);
        let scope: Id = if *def.scope == *stats::OUTSIDER { outsiders.into() } else { def.scope.clone() };
        registry::add(d, AttrDef { scope, ..def })
    }

    fn undefine(d: &mut D<'_>, def: AttrDef) {
        registry::remove(d, def);
    }
}

/// Refuses a name by which directives and assertions mean something already, lest nothing could say that any more. An
/// attribute may be called so where a currency is to be of that name (B33.1). Of what a Ministry keeps one thing may be
/// called as its kind is: the Field.
fn means_nothing(d: &D<'_>, name: &str, kind: &Id) -> Result<(), Refusal> {
    let words = folded(name);
    let bare = ["the ", "every ", "each ", "all ", "a ", "an "].iter().find_map(|head| words.strip_prefix(head));
    let bare = bare.unwrap_or(&words);
    let attr = d.world.defs().any(|def| folded(&def.id) == words && !def.is_given()) && **kind != *registry::CURRENCY;
    let kept = keeping::kinds(d).contains(kind);
    let is_called = |words: &str| BNomic::find(d, words).is_ok_and(|other| words::keeps_name(d, &other));
    let taken = is_called(name)
        || is_called(bare)
        || posts::find(d, name).is_ok()
        || BNomic::kind(d, bare).is_some_and(|of| !kept || of != *kind)
        || BNomic::word(d, name).is_some()
        || attr;
    if taken {
        let say = format!("“{name}” means something here already");
        return Err(Refusal::new(say).by("4E2, Game Objects").instead("show registry"));
    }
    Ok(())
}
