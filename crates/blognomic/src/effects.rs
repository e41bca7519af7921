//! The meaning of directives in the words of this game, and the effects of a Proposal.
//!
//! A name, a number of a new rule or a value is read here in one way for all texts. Changes that stand only in prose an
//! Admin carries out by hand, in directives too. Directives themselves stand in the kernel; they are tried and done in
//! `texts`.

use super::{
    game::{BlogNomic, D},
    holdings,
    law::{GLOSSARY, Thing},
    robots, roster,
    stats::{self, ADMIN, INVENTORY, LINK, MISSING, ROBOT, ZONE},
};
use kernel::{
    Id, Mechanic, Num, Path, Refusal, Said, State, Value, Verb,
    directives::{
        self, Amending, Lawful, Names, Place, Setting,
        words::{self, HANDED_MAX_ITEMS, article, destroy, named, out_of_range, ranged},
    },
    rulebook::{Rule, RuleAct, RuleOp},
    speech::Speech as _,
    world::AttrDef,
};

/// Words of expressions and of the program that no figure is called by.
const WORDS: [&str; 22] = [
    "and", "or", "not", "if", "where", "every", "it", "self", "other", "rule", "rules", "now", "nothing", "true",
    "false", "yes", "no", "count", "sum", "min", "max", "keyword",
];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("effects")
        .verb(Verb::new(&["deactivate"], |said, d| decree(true, said, d)))
        .verb(Verb::new(&["reactivate"], |said, d| decree(false, said, d)))
}

// ---- what the words mean here

impl Names for BlogNomic {
    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        // “Every Robot” is every current one (N14).
        if **kind == *ROBOT {
            roster::current(state).cloned().collect()
        } else {
            state.world.of_kind(kind).cloned().collect()
        }
    }

    fn find(state: &State<Self>, words: &str) -> Result<Id, Refusal> {
        let Some(office) = laws::office_named(state, words) else { return named(state, words) };
        laws::holder(state, &office).ok_or_else(|| Refusal::new(format!("nobody is {office}")).instead("dynasties"))
    }
}

impl Amending for BlogNomic {
    fn place(state: &State<Self>, _title: &str, number: Option<u32>) -> Result<Place, Refusal> {
        let last = state.rules.rules().last().map_or(0, |rule| rule.number());
        let glossary = state.rules.in_force(GLOSSARY);
        let end = glossary.map_or(last + 1, Rule::number);
        let number = number.unwrap_or(end);
        if number == 0 || number > end {
            let number = format!("a new rule gets a number from 1 to {end}");
            return Err(match glossary {
                Some(glossary) => stands_last(glossary, &format!("{number}: ")),
                None => Refusal::new(format!("{number}, for no number before it is left out")),
            });
        }
        // Whatever stands there makes room, and what stands behind that one, up to the first number that is free.
        let behind = state.rules.rules().into_iter().filter(|rule| rule.number() >= number);
        let moves = behind.zip(number..).take_while(|(rule, next)| rule.number() == *next);
        Ok(Place { number, moves: moves.map(|(rule, _)| (rule.id().clone(), rule.number() + 1)).collect() })
    }

    fn renumber(state: &State<Self>, rule: &Rule, to: u32) -> Result<Vec<(Id, u32)>, Refusal> {
        let glossary = state.rules.in_force(GLOSSARY);
        if let Some(last) = glossary.filter(|last| rule.id() == last.id() || to >= last.number()) {
            return Err(stands_last(last, ""));
        }
        match state.rules.numbered(to) {
            Some(held) => Err(Refusal::new(format!("{} has the number {to} already", held.label()))),
            None => Ok(Vec::new()),
        }
    }

    fn cited(rule: &Rule) -> String {
        format!("rule {}, {}", rule.number(), rule.label())
    }

    fn may(state: &State<Self>, op: &RuleOp) -> Result<(), Refusal> {
        let RuleAct::Renumber { to, .. } = &op.act else { return Ok(()) };
        let glossary = state.rules.in_force(GLOSSARY).filter(|glossary| *glossary.id() == op.rule);
        let is_last = |glossary: &Rule| {
            state.rules.rules().last().is_none_or(|last| last.number() < *to || last.id() == glossary.id())
        };
        glossary.filter(|glossary| !is_last(glossary)).map_or(Ok(()), |glossary| Err(stands_last(glossary, "")))
    }
}

/// That the Glossary always stands last (N115), behind other words.
fn stands_last(glossary: &Rule, before: &str) -> Refusal {
    Refusal::new(format!("{before}the Glossary always stands last")).by(BlogNomic::cited(glossary))
}

impl Lawful for BlogNomic {
    fn declared(attr: &str) -> bool {
        stats::builtin(attr)
    }

    fn fits(state: &State<Self>, at: &Path, to: &Value) -> Result<(), Refusal> {
        let range = ranged(state, at)?;
        if let Value::Num(value) = to
            && stats::columns(state).contains(&at.attr)
            && !stats::countable(value)
        {
            return Err(Refusal::new(format!(
                "the GNDT holds figures up to {}, and {value} is beyond that",
                stats::FIGURE_MAX_COUNT
            ))
            .instead("robots"));
        }
        if !range.holds(to) {
            return Err(out_of_range(state, at, to, &range));
        }
        match to {
            Value::Num(value) if state.world.kind(&at.obj).is_some_and(|kind| **kind == *ROBOT) => {
                stats::within(state, at, value)
            }
            _ => Ok(()),
        }
    }

    fn set_value(d: &mut D<'_>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
        if laws::is_of_laws(d, &at.obj) {
            Self::fits(d, at, &to)?;
            d.overwrite(at.clone(), to);
            return Ok(None);
        }
        let to = match (&*at.attr, to) {
            (attr, Value::List(lost)) if *attr == *MISSING.id => Value::List(stats::lost(d, &lost)?),
            (attr, Value::Text(text)) if *attr == *INVENTORY.id && text == "nothing" => Value::Text(String::new()),
            (attr, Value::Text(zone)) if *attr == *ZONE.id => Value::Text(robots::zone_name(&zone)?),
            (attr, Value::Text(link)) if *attr == *LINK.id => Value::Text(robots::link_text(&link)?),
            (_, to) => to,
        };
        Self::fits(d, at, &to)?;
        if *at.attr == *INVENTORY.id
            && let Value::Text(text) = &to
        {
            return holdings::retype(d, &at.obj, text).map(|()| None);
        }
        d.overwrite(at.clone(), to);
        Ok(None)
    }

    fn article(d: &mut D<'_>, at: Path, item: Value, add: bool) -> Result<(), Refusal> {
        if *at.attr != *MISSING.id || laws::is_of_laws(d, &at.obj) {
            return article(d, at, item, add);
        }
        let part = stats::part(d, &item.to_string())?;
        let missing = d.world.get(&MISSING, &at.obj).unwrap_or_default();
        if add && missing.contains(&part) {
            return Err(
                Refusal::new(format!("{} lacks the {part} already", Self::called(d, &at.obj))).instead("robots")
            );
        }
        article(d, at, part, add)
    }

    fn define(d: &mut D<'_>, def: AttrDef) -> Result<(), Refusal> {
        if laws::are_of_laws(d, def.kinds()) {
            words::define(d, def);
            return Ok(());
        }
        // What pending texts say must go on meaning what it meant when they were voted on (N36).
        let words = def.id.replace('-', " ");
        let spoken = laws::office_named(d, &words).is_some() || directives::spoken_otherwise::<Self>(d, &words);
        if spoken
            || WORDS.contains(&&*words)
            || named(d, &words).is_ok_and(|other| words::keeps_name(d, &other))
            || holdings::is_thing(d, &words)
        {
            return Err(Refusal::new(format!(
                "“{words}” means something else in what Proposals do, and no figure is called so"
            )));
        }
        words::define(d, def);
        Ok(())
    }

    fn hand(d: &mut D<'_>, obj: &Id, item: &str, count: &Num) -> Result<Option<String>, Refusal> {
        let kind = d.world.kind(obj).cloned().unwrap_or_else(|| "".into());
        if let Some(attr) = Self::attribute(d, item, &kind) {
            return Self::add_value(d, &Path::new(obj.clone(), attr), count.clone());
        }
        if *kind != *ROBOT {
            return Err(Refusal::new(format!("{} has no Inventory", Self::called(d, obj))));
        }
        holdings::hand(d, obj, item, whole(count)?).map(|()| None)
    }

    fn pass(d: &mut D<'_>, from: &Id, to: &Id, item: &str, count: &Num) -> Result<Vec<String>, Refusal> {
        let robots = [from, to].into_iter().all(|obj| d.world.kind(obj).is_some_and(|kind| **kind == *ROBOT));
        if !robots || Self::attribute(d, item, &ROBOT.into()).is_some() {
            let gone = Self::hand(d, from, item, &-count)?;
            return Ok(gone.into_iter().chain(Self::hand(d, to, item, count)?).collect());
        }
        holdings::pass(d, from, to, item, whole(count)?.unsigned_abs()).map(|()| Vec::new())
    }

    fn create(d: &mut D<'_>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        Err(if **kind == *ROBOT {
            Refusal::new(format!("a Robot begins when it is set up: {name} applies, and an Admin sets it up"))
                .by(Thing::Robots.rule(&d.rules))
                .instead("robot apply NAME LINK")
        } else {
            Refusal::new(format!("no {kind} is created here"))
        })
    }

    fn appoint(d: &mut D<'_>, who: &Id, office: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
        let who = roster::other(d, who, None)?;
        match office.trim().trim_start_matches("the ").to_lowercase().as_str() {
            "admin" | "admin staff" => {
                d.set(&ADMIN, &who, true);
                Ok(None)
            }
            _ => laws::appoint(d, &who, office, setting),
        }
    }

    fn destroy(d: &mut D<'_>, obj: &Id) -> Result<Option<String>, Refusal> {
        if d.world.kind(obj).is_some_and(|kind| **kind == *ROBOT) {
            return robots::expel(d, obj).map(Some);
        }
        destroy(d, obj).map(|()| None)
    }
}

/// Does what is wished for a Robot whom a directive names.
fn decree(rests: bool, said: Said<'_>, d: &mut D<'_>) -> Result<Option<String>, Refusal> {
    let words = said.sentence();
    let who = said.setting.meant(words, &d.world).unwrap_or_else(|| BlogNomic::find(d, words))?;
    robots::decree(d, &who, rests).map(Some)
}

/// A number of things that can be handed over at once.
fn whole(count: &Num) -> Result<i64, Refusal> {
    let whole = count.to_i64().filter(|count| count.unsigned_abs() <= HANDED_MAX_ITEMS);
    whole.ok_or_else(|| Refusal::new(format!("{count} is no number of things that can be handed over at once")))
}
