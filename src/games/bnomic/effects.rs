//! What the words of directives mean in B Nomic, and what the Chairman applies by hand.
//!
//! Absent: the directives themselves, which are the kernel's, and when a proposal passes (`passing`).

use super::{
    BNomic, D, Id, Refusal, State,
    display::{Block, Document},
    law::{LAST_SPENT, Thing},
    ministries, proposals, quantities, registry, society,
    stats::{BODY, CLOCK, MACKEREL, MINISTER, MINISTRY, NAME, PLAYER, PROPOSAL, SCORE, THE_CLOCK, called},
    victory,
};
use crate::{
    games::effects as texts,
    kernel::{
        Path, Value,
        directives::{
            Lawful, Place, Setting,
            sight::folded,
            words::{destroy, ranged, slug},
        },
        rulebook::Rule,
        world::{AttrDef, Op},
    },
};

/// What is said of a text without directives.
const PROSE: &str = "It holds no directive: the Chairman applies what it says.";

impl Lawful for BNomic {
    fn called(state: &State<Self>, obj: &Id) -> String {
        called(state, obj)
    }

    fn members(state: &State<Self>, kind: &Id) -> Vec<Id> {
        if **kind == *PLAYER {
            society::players(state).cloned().collect()
        } else {
            state.world.of_kind(kind).cloned().collect()
        }
    }

    fn attribute(state: &State<Self>, words: &str, kind: &Id) -> Option<Id> {
        let wanted = folded(words);
        // What the rules call points is the score, and a mack is a mackerel (B17.1, B34.1).
        let wanted = match &*wanted {
            "point" | "points" => SCORE.id,
            "mack" | "macks" => MACKEREL.id,
            other => other,
        };
        let defs = || state.world.defs().filter(|def| def.scope == *kind).map(|def| &def.id);
        let singular = wanted.strip_suffix('s').unwrap_or(wanted);
        defs().find(|id| folded(id) == wanted).or_else(|| defs().find(|id| folded(id) == singular)).cloned()
    }

    fn declared(attr: &str) -> bool {
        registry::is_own(attr)
    }

    fn rule_fields() -> &'static [&'static str] {
        &[registry::DEFINES, "establishes", "ministry", "office", "power", "overrides", "yields"]
    }

    fn word(state: &State<Self>, words: &str) -> Option<Value> {
        let words = folded(words);
        if words == "clock" {
            return Some(Value::Ref(THE_CLOCK.into()));
        }
        // Official quantities begin with their article (B30.1).
        let named = words.starts_with("a ") || words.starts_with("an ");
        named.then(|| quantities::read(state, &words).ok()).flatten().map(Value::Num)
    }

    fn set_value(d: &mut D<'_>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
        let range = ranged(d, at)?;
        victory::own_only(&at.attr)?;
        registry::fits_length(d, at, &to)?;
        let held = if *at.attr == *MINISTER.id {
            match &to {
                Value::Ref(player) => society::is_player(d, player),
                to => *to == Value::Null,
            }
        } else {
            range.holds(&to)
        };
        if !held {
            return Err(
                Refusal::new(format!("{} of {} cannot be {to}", at.attr, called(d, &at.obj))).by("4E11, Attributes")
            );
        }
        match to {
            Value::Null if *at.attr == *MINISTER.id => ministries::release(d, &at.obj),
            Value::Ref(player) if *at.attr == *MINISTER.id => {
                let office = at.obj.strip_prefix(&format!("{MINISTRY}/")).unwrap_or(&at.obj).replace('-', " ");
                ministries::appoint(d, &player, &office)?;
            }
            to => {
                d.overwrite(at.clone(), to);
                if let Some(list) = at.obj.strip_prefix(&format!("{}/", registry::LIST)) {
                    registry::lengthen(d, list);
                }
            }
        }
        Ok(None)
    }

    fn appoint(d: &mut D<'_>, who: &Id, office: &str, _setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
        let who = society::other(d, who, None)?;
        ministries::appoint(d, &who, office).map(|()| None)
    }

    fn create(d: &mut D<'_>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        if **kind == *victory::TROPHY {
            victory::own_only(victory::HOLDER.id)?;
        }
        if [PLAYER, MINISTRY, PROPOSAL, CLOCK].contains(&&**kind) {
            return Err(Refusal::new(format!("no directive makes a {kind}: the rule on it says how one comes to be"))
                .by("4E2, Game Objects"));
        }
        if **kind == *registry::CURRENCY {
            return registry::create_currency(d, name).map(|()| None);
        }
        if **kind == *registry::LIST {
            return Err(Refusal::new("a list attribute is made by defining it").instead("show attributes"));
        }
        let obj: Id = format!("{kind}/{}", slug(name)).into();
        if d.world.exists(&obj) || Self::find(d, name).is_ok() {
            return Err(Refusal::new(format!("something here is called “{name}” already")));
        }
        d.op(Op::Create { obj: obj.clone(), kind: kind.clone() });
        d.set(&NAME, &obj, name.to_owned());
        Ok(None)
    }

    fn destroy(d: &mut D<'_>, obj: &Id) -> Result<Option<String>, Refusal> {
        let kind = d.world.kind(obj).cloned().unwrap_or_else(|| "".into());
        match &*kind {
            registry::CURRENCY => registry::end_currency(d, obj),
            PLAYER | MINISTRY | PROPOSAL | CLOCK | registry::LIST => {
                return Err(Refusal::new(format!("no directive ends a {kind}: the rule on it says how one ceases"))
                    .by("4E2, Game Objects"));
            }
            _ => destroy(d, obj)?,
        }
        Ok(None)
    }

    fn define(d: &mut D<'_>, def: AttrDef) -> Result<(), Refusal> {
        registry::add(d, def)
    }

    fn undefine(d: &mut D<'_>, def: AttrDef) {
        registry::remove(d, def);
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

/// What a text's directives would do now, for the answer to its author.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none or cannot be done.
pub(super) fn report(d: &D<'_>, text: &str) -> Result<Vec<Block>, Refusal> {
    Ok(texts::report(d, text, |broken| Refusal::new(broken).instead("rules"))?.document().blocks)
}

/// What a proposal's directives would do now, for the answer to its author. What cannot be done now may come to be by
/// another that passes before it: that is told, and refuses nothing (B15.27).
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn forecast(d: &D<'_>, text: &str) -> Result<Vec<Block>, Refusal> {
    let run = texts::dry_run(d, text, d.at)?;
    let mut blocks = Vec::new();
    if let Some((outcome, why)) = run.refused().next() {
        blocks.push(Block::Para(format!(
            "As things stand now it could not be done, and nothing of it would happen: line {}: {}.",
            outcome.line, why.say
        )));
    }
    blocks.extend(run.document().blocks);
    Ok(blocks)
}

/// Does what a text's directives say.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that cannot be done.
pub(super) fn carry_out(d: &mut D<'_>, text: &str, why: &str) -> Result<Vec<Block>, Refusal> {
    texts::carry_out(d, text, why, PROSE, |_, broken| Refusal::new(broken))
}

/// What a proposal would do now, for everybody who asks.
///
/// # Errors
///
/// A [`Refusal`] where there is no such proposal.
pub(super) fn show(state: &State<BNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a proposal is named by its number").instead("dryrun 3");
    let id = proposals::need(state, number.parse().map_err(|_| none())?)?;
    let body = state.world.get(&BODY, &id).unwrap_or_default();
    let mut document = texts::dry_run(state, &body, state.at)?.document();
    document.id = format!("dryrun/{number}");
    document.title = format!("What {} would do now", proposals::label(state, &id));
    Ok(document)
}

/// The Chairman does by hand what the prose of a proposal that passed says (B15.10).
///
/// # Errors
///
/// A [`Refusal`] for others, for proposals that did not pass, and for directives that cannot be done.
pub(super) fn apply_by_hand(number: u64, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = society::player(d)?;
    super::public(d, "chairman apply 3 => set Ann.score to 5")?;
    let by = Thing::Proposals.rule(&d.rules);
    if !ministries::holds(d, &me, ministries::Post::Change) {
        return Err(Refusal::new("only the Chairman applies a proposal").by(by).instead("show ministries"));
    }
    let id = proposals::need(d, number)?;
    let label = proposals::label(d, &id);
    if !super::passing::passed(d, &id) {
        return Err(Refusal::new(format!("{label} did not pass")).by(by).instead("show proposals"));
    }
    if texts::read::<BNomic>(text)?.count() == 0 {
        return Err(
            Refusal::new("write what shall be done as directives").instead("chairman apply 3 => set Ann.score to 5")
        );
    }
    let blocks = carry_out(d, text, &label)?;
    let name = called(d, &me);
    let mut document = Document::say(format!("{name} applies {label} by hand:"));
    document.blocks.extend(blocks);
    d.say(crate::kernel::entry::Audience::Public, document);
    Ok(Document::say("Done."))
}
