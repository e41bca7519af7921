//! What Proposals, Calls for Judgment and Admins' handiwork do: directives in the words of this game.
//!
//! A text may be prose, directives or both. Directives are tried when the text is posted, shown by a dry run at any time,
//! and done all or none when it is enacted (N36). What only prose says an Admin carries out by hand, in directives too.
//! Absent: the directives themselves, which are the kernel's, and when something is carried out.

use std::collections::BTreeMap;

use super::{
    dynasties, enactment,
    game::{BlogNomic, D, public},
    holdings,
    law::{GLOSSARY, Thing},
    parts, program,
    proposals::{self, Proposal},
    roster::{self, Wish},
    stats::{self, ADMIN, EFFICIENCY, INVENTORY, LINK, MISSING, POWER, ROBOT, ZONE},
};
use kernel::{
    Act, Display, Id, Mechanic, Num, Path, Refusal, Said, Seq, State, Value, Verb,
    directives::{
        self, Amending, DryRun, Lawful, Names, Place, Setting,
        words::{HANDED_MAX_ITEMS, article, destroy, named, out_of_range, ranged},
    },
    display::{Block, Document},
    entry::Audience,
    rulebook::{Rule, RuleAct, RuleOp},
    world::{AttrDef, Op},
};
use kit::docket::Numbered;
use kit::effects as texts;

/// Words of expressions and of the program that no figure is called by.
const WORDS: [&str; 22] = [
    "and", "or", "not", "if", "where", "every", "it", "self", "other", "rule", "rules", "now", "nothing", "true",
    "false", "yes", "no", "count", "sum", "min", "max", "keyword",
];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("effects")
        .act(
            Act::new("apply", |Apply { proposal, text }, d| apply_by_hand(proposal, &text, d))
                .player()
                .note("effects of a Proposal, by hand"),
        )
        .verb(Verb::new(&["deactivate"], |said, d| decree(Wish::Deactivation, said, d)))
        .verb(Verb::new(&["reactivate"], |said, d| decree(Wish::Reactivation, said, d)))
        .display(Display::of("dryrun", |state, asked| show(state, asked.rest)).fits(|parts| parts == 1))
}

kit::args! {
    /// The arguments of `apply`.
    Apply { proposal: u64, text: String }
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
        if !dynasties::is_office(words) {
            return named(state, words);
        }
        let held = dynasties::control_unit(state).cloned();
        held.ok_or_else(|| Refusal::new("nobody is Control Unit").instead("dynasties"))
    }
}

impl Amending for BlogNomic {
    fn place(state: &State<Self>, _title: &str, number: Option<u32>) -> Result<Place, Refusal> {
        let last = state.rules.rules().last().map_or(0, |rule| rule.number());
        let glossary = state.rules.in_force(GLOSSARY).map(Rule::number);
        let number = number.unwrap_or_else(|| glossary.unwrap_or(last + 1));
        let end = glossary.unwrap_or(last + 1);
        if number == 0 || number > end {
            return Err(Refusal::new(format!(
                "a new rule gets a number from 1 to {end}: the Glossary always stands last"
            ))
            .by(Thing::Glossary.rule(&state.rules)));
        }
        // Whatever stands there makes room, and what stands behind that one, up to the first number that is free.
        let behind = state.rules.rules().into_iter().filter(|rule| rule.number() >= number);
        let moves = behind.zip(number..).take_while(|(rule, next)| rule.number() == *next);
        Ok(Place { number, moves: moves.map(|(rule, _)| (rule.id().clone(), rule.number() + 1)).collect() })
    }

    fn renumber(state: &State<Self>, rule: &Rule, to: u32) -> Result<Vec<(Id, u32)>, Refusal> {
        let glossary = state.rules.in_force(GLOSSARY).map(Rule::number);
        if **rule.id() == *GLOSSARY || glossary.is_some_and(|glossary| to >= glossary) {
            return Err(Refusal::new("the Glossary always stands last").by(Thing::Glossary.rule(&state.rules)));
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
        match &op.act {
            RuleAct::Renumber { to, .. }
                if *op.rule == *GLOSSARY
                    && state
                        .rules
                        .rules()
                        .last()
                        .is_some_and(|last| last.number() >= *to && **last.id() != *GLOSSARY) =>
            {
                Err(Refusal::new("the Glossary always stands last").by(Thing::Glossary.rule(&state.rules)))
            }
            _ => Ok(()),
        }
    }
}

impl Lawful for BlogNomic {
    fn declared(attr: &str) -> bool {
        stats::builtin(attr)
    }

    fn fits(state: &State<Self>, at: &Path, to: &Value) -> Result<(), Refusal> {
        let range = ranged(state, at)?;
        if !range.holds(to) {
            return Err(out_of_range(state, at, to, &range));
        }
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
        match to {
            Value::Num(rating) if *at.attr == *EFFICIENCY.id => dynasties::may_have(state, &at.obj, rating),
            _ => Ok(()),
        }
    }

    fn set_value(d: &mut D<'_>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
        let to = match (&*at.attr, to) {
            (attr, Value::List(lost)) if *attr == *MISSING.id => Value::List(parts::lost(&lost)?),
            (attr, Value::Text(text)) if *attr == *INVENTORY.id && text == "nothing" => Value::Text(String::new()),
            (attr, Value::Text(zone)) if *attr == *ZONE.id => Value::Text(roster::zone_name(&zone)?),
            (attr, Value::Text(link)) if *attr == *LINK.id => Value::Text(roster::link_text(&link)?),
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
        if *at.attr != *MISSING.id {
            return article(d, at, item, add);
        }
        let part = Value::Text(parts::find(&item.to_string())?.0.to_owned());
        let missing = d.world.get(&MISSING, &at.obj).unwrap_or_default();
        if add && missing.contains(&part) {
            return Err(
                Refusal::new(format!("{} lacks the {part} already", Self::called(d, &at.obj))).instead("robots")
            );
        }
        article(d, at, part, add)
    }

    fn define(d: &mut D<'_>, def: AttrDef) -> Result<(), Refusal> {
        // What pending texts say must go on meaning what it meant when they were voted on (N36).
        let words = def.id.replace('-', " ");
        let spoken = dynasties::is_office(&words) || directives::spoken_for::<Self>(d, &words);
        if spoken || WORDS.contains(&&*words) || named(d, &words).is_ok() || holdings::is_thing(d, &words) {
            return Err(Refusal::new(format!(
                "“{words}” means something else in what Proposals do, and no figure is called so"
            )));
        }
        d.op(Op::Define(def));
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
        if dynasties::is_office(office) {
            dynasties::begin(d, &who, setting.because);
            return Ok(None);
        }
        match office.trim().trim_start_matches("the ").to_lowercase().as_str() {
            "admin" | "admin staff" => {
                d.set(&ADMIN, &who, true);
                Ok(None)
            }
            other => Err(Refusal::new(format!("there is no office “{other}” here: Control Unit and Admin are"))),
        }
    }

    fn destroy(d: &mut D<'_>, obj: &Id) -> Result<Option<String>, Refusal> {
        if d.world.kind(obj).is_some_and(|kind| **kind == *ROBOT) {
            return roster::expel(d, obj).map(Some);
        }
        destroy(d, obj).map(|()| None)
    }
}

/// Does what is wished for a Robot whom a directive names.
fn decree(wish: Wish, said: Said<'_>, d: &mut D<'_>) -> Result<Option<String>, Refusal> {
    let who = BlogNomic::find(d, said.sentence())?;
    roster::decree(d, &who, wish).map(Some)
}

/// A number of things that can be handed over at once.
fn whole(count: &Num) -> Result<i64, Refusal> {
    let whole = count.to_i64().filter(|count| count.unsigned_abs() <= HANDED_MAX_ITEMS);
    whole.ok_or_else(|| Refusal::new(format!("{count} is no number of things that can be handed over at once")))
}

// ---- trying and doing

/// The rules that a text touches, with the revisions on which it was tried.
pub(super) type Base = BTreeMap<Id, Option<u32>>;

/// What is said of a text without directives.
const PROSE: &str =
    "It holds no directive: an Admin carries it out by hand (“admin apply” for a Proposal, “admin judge” for a Call).";

/// What is said of directives that could not be done now, to whoever posts them (N36).
const PATIENT: &str = "It is posted all the same: what it needs may be there when it is done.";

/// What the directives of a text would do now that was posted in an entry.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that is none.
pub(super) fn dry_run(state: &State<BlogNomic>, text: &str, made: Option<Seq>) -> Result<DryRun, Refusal> {
    texts::dry_run_as_posted(state, text, state.at, texts::posted(state, made).as_ref())
}

/// What a text's directives would do now, for the answer to whoever posts it. What cannot be done now is told, and
/// refuses nothing: something older may bring about what it needs.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn report(state: &State<BlogNomic>, text: &str, made: Option<Seq>) -> Result<(Vec<Block>, Base), Refusal> {
    let run = dry_run(state, text, made)?;
    let patient = run.refused().next().map(|_| Block::Para(PATIENT.to_owned()));
    Ok((run.document().blocks.into_iter().chain(patient).collect(), run.base))
}

/// A state in which the proposer of a Proposal has the reward already, as they have it before its directives are done
/// (N46), and how that is said.
pub(super) fn rewarded(state: &State<BlogNomic>, proposal: &Proposal) -> (State<BlogNomic>, Option<Block>) {
    let mut then = state.clone();
    let paid = enactment::reward(state, proposal).ok().flatten().filter(|_| proposal.is_pending());
    let said = paid.map(|paid| {
        let said = format!("Before that {} gains {paid} Power for it.", state.frame.name_of(&proposal.by));
        then.world.apply(&Op::Add { at: stats::path(&proposal.by, POWER.id), by: paid });
        Block::Para(said)
    });
    (then, said)
}

/// What there is in a text.
pub(super) struct Specified {
    /// Directives.
    pub(super) acts: bool,
    /// Anything beside them.
    pub(super) prose: bool,
}

/// What there is in a text.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn specified(text: &str) -> Result<Specified, Refusal> {
    let body = texts::read::<BlogNomic>(text)?;
    let mut prose = text.to_owned();
    for directive in body.directives.iter().rev() {
        prose.replace_range(directive.at.clone(), "");
    }
    Ok(Specified { acts: body.count() > 0, prose: !prose.trim().is_empty() })
}

/// Whether the directives of two texts do the same, but for the words that they quote.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that is none.
pub(super) fn same_acts(one: &str, other: &str) -> Result<bool, Refusal> {
    Ok(texts::read::<BlogNomic>(one)?.does_as(&texts::read::<BlogNomic>(other)?))
}

/// That rules which a text touches are not as they were when it was posted or raised, as a sentence: those who voted
/// before may have voted on something else.
pub(super) fn moved(state: &State<BlogNomic>, base: &Base, when: &str) -> Option<String> {
    let moved = directives::dry_run::moved_since(base, &state.rules);
    if moved.is_empty() {
        return None;
    }
    let have = if moved.len() == 1 { "has" } else { "have" };
    Some(format!("Since it was {when}, {} {have} changed, which it touches.", moved.join(", ")))
}

/// Does what a text's directives say, all or none, and says what changed.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that cannot be done.
pub(super) fn carry_out(d: &mut D<'_>, text: &str, made: Option<Seq>, why: &str) -> Result<Vec<Block>, Refusal> {
    let (posted, fault) = (texts::posted(d, made), program::fault(d));
    let mut blocks = texts::carry_out_as_posted(d, text, posted.as_ref(), why, PROSE)?;
    if let Some(now) = program::fault(d).filter(|now| fault.as_ref() != Some(now)) {
        blocks.push(Block::Para(format!("Nobody can run it until it reads again: {now}.")));
    }
    Ok(blocks)
}

/// What a pending Proposal would do now, for everybody who asks.
///
/// # Errors
///
/// A [`Refusal`] where there is no such Proposal.
fn show(state: &State<BlogNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a Proposal is named by its number").instead("dryrun 3");
    let proposal = proposals::need(state, number.parse().map_err(|_| none())?)?;
    let (then, paid) = rewarded(state, proposal);
    let mut document = dry_run(&then, proposal.text(state), proposal.made)?.document();
    document.blocks.splice(0..0, paid);
    if let Some(moved) = moved(state, &proposal.base, "posted").filter(|_| proposal.is_pending()) {
        document.blocks.insert(0, Block::Para(moved));
    }
    document.id = format!("dryrun/{}", proposal.number);
    document.title = format!("What {} would do now", proposal.label());
    Ok(document)
}

/// An Admin carries out by hand what the prose of an Enacted Proposal says.
///
/// # Errors
///
/// A [`Refusal`] for others, for Proposals that are not Enacted, and for directives that cannot be done.
fn apply_by_hand(number: u64, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = roster::admin(d)?;
    public(d, "admin apply 3 => set timeout-hours to 72")?;
    let proposal = proposals::need(d, number)?;
    let label = proposal.label();
    let no = |say: String| Err(Refusal::new(say).by(Thing::Enactment.rule(&d.rules)).instead("proposals"));
    let proposals::Stands::Enacted { by_hand: all, .. } = proposal.stands else {
        return no(format!("{label} is not Enacted"));
    };
    if !all && !specified(proposal.text(d))?.prose {
        return no(format!("{label} was carried out, and says nothing but its directives"));
    }
    by_hand(d, &admin, text, &label)
}

/// Does directives that an Admin typed, on the ground of something decided.
///
/// # Errors
///
/// A [`Refusal`] where there is none, or one cannot be done.
pub(super) fn by_hand(d: &mut D<'_>, admin: &Id, text: &str, ground: &str) -> Result<Document, Refusal> {
    if texts::read::<BlogNomic>(text)?.count() == 0 {
        return Err(
            Refusal::new("write what shall be done as directives").instead("admin apply 3 => set timeout-hours to 72")
        );
    }
    let blocks = carry_out(d, text, None, ground)?;
    let name = d.frame.name_of(admin).to_owned();
    let mut document = Document::say(format!("{name} carries out {ground} by hand:"));
    document.blocks.extend(blocks);
    d.say(Audience::Public, document);
    Ok(Document::say("Done."))
}
