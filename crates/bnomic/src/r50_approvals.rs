//! Approving a display (4E50): the game becomes as if the display had been right when it was given.
//!
//! When it is approved, all that happened since is played again with the display right from when it was given. Its
//! values are set to the outcome. Nothing of the past is touched: acts that cannot happen there are left out and told.
//! Support and objections are awaited in `intents`; the content of a display is read in `says`. The kernel plays again
//! as for an undo.

pub(super) mod drafted;
mod lines;
mod says;

use std::collections::BTreeSet;

use serde_json::Value as Json;

pub(super) use self::says::{Given, can_be_seen, read, sentence};
use super::{
    activity,
    clock::hands,
    game::{BNomic, D},
    intents::announced::{self, Intent, PERFORMING},
    law::{PREFIX, Thing},
    ministries::{self, posts},
    passing, registry, rule_objects, schedule,
    society::{self, players},
    stats::{self, MINISTER, NAME, PLAYER, SUCCESS, called},
    transactions::TRANSACTION,
};
use drafted::{drafted, list};
use kernel::{
    Game, Id, Mechanic, Path, Refusal, Seq, State, Value,
    directives::Names,
    display::{Block, Document},
    doer::Doer,
    draft::{Supposed, Supposing, Then},
    entry::{Audience, Change},
    rulebook::{RuleAct, RuleOp, Splice, views},
    table::Row,
    world::Op,
};
use says::{RULES, WHY, page, tell, touched};

/// The act that announces an approval.
pub(super) const ANNOUNCE: &str = "intend_approve";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("approvals").supposes(wants, make_so)
}

// ---- the past

/// The approvals that an act performs, or what was set for later may: how the room would be is worked out for each.
fn wants(state: &State<BNomic>, act: Option<(&Doer, &Json)>) -> Vec<Supposed> {
    let mut found = BTreeSet::new();
    match act {
        Some((by, act)) => {
            if let Some((seat, _)) = state.frame.seat_of(&by.person) {
                performed(state, seat, act, &mut found);
            }
        }
        None => schedule::actions(state).for_each(|(by, act)| performed(state, by, act, &mut found)),
    }
    found.into_iter().collect()
}

/// The approvals that somebody performs by an action as the catalogue bound it, also as one of several.
fn performed(state: &State<BNomic>, by: &Id, action: &Json, found: &mut BTreeSet<Supposed>) {
    for (act, args) in action.as_object().into_iter().flatten() {
        if act == PERFORMING
            && let Some(number) = args.get("intent").and_then(Json::as_u64)
        {
            found.extend(announced::ripe_approval(state, number, by).map(|entry| Supposed { entry, number }));
        }
        if act == TRANSACTION {
            let steps = args.get("actions").and_then(Json::as_array).into_iter().flatten();
            steps.filter_map(|step| step.get("act")).for_each(|act| performed(state, by, act, found));
        }
    }
}

/// What an approval is worked out with, where it is.
fn supposing<'a>(d: &D<'a>) -> Option<&'a Supposing<'a, BNomic>> {
    d.then().and_then(|then| then.supposing.as_ref())
}

/// An act is complete: where it announced the approval that is being worked out, its display is right from here.
pub(super) fn announced(act: &str, d: &mut D<'_>) {
    let Some(supposing) =
        supposing(d).filter(|supposing| act == ANNOUNCE && d.frame.last_number(Intent::TABLE) == supposing.number)
    else {
        return;
    };
    if let Some(given) = announced::approval(d, supposing.number).map(|(_, given)| given.clone()) {
        // It could be read when it was announced.
        let _ = tell(d, &given);
        supposing.is_made();
    }
}

/// Makes a display right after its entry, where that cannot happen as a whole with its own display being right.
fn make_so(number: u64, recorded: &State<BNomic>, d: &mut D<'_>) -> Result<(), Refusal> {
    let Some((by, given)) = announced::approval(recorded, number) else { return Ok(()) };
    // Announcing it is an act too, and what the display says of whoever did so comes last.
    activity::done::acted(d, by);
    tell(d, given).map_err(|why| Refusal { say: format!("what the display says: {}", why.say), ..why })?;
    Ok(())
}

/// Another approval is performed where one is worked out, or an entry is taken back: it makes of the room what it made of
/// it. Where two displays speak of the same, the one that was announced later is right (BX10).
///
/// # Errors
///
/// A [`Refusal`] where the record does not say what it made.
fn as_recorded(number: u64, then: &Then<'_, BNomic>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let ends = |change: &Change| match change {
        Change::Row(row) if *row.table == *Intent::TABLE && row.key.as_u64() == Some(number) => {
            row.to.as_ref()?.get("made")?.as_u64()
        }
        _ => None,
    };
    let ended = then.changes.iter().enumerate().find_map(|(at, change)| Some((at, ends(change)?)));
    let changes = ended.and_then(|(at, made)| then.changes.get(at.checked_sub(usize::try_from(made).ok()?)?..at));
    let changes = changes.ok_or_else(|| Refusal::new("the record does not say what that made"))?;
    let pinned = match then.supposing.as_ref().filter(|supposing| number < supposing.number) {
        Some(supposing) => pinned(supposing, then.before),
        None => BTreeSet::new(),
    };
    let speaks = |change: &&Change| touched(change).is_none_or(|path| !pinned.contains(&path));
    let outer = d.comes_from().clone();
    changes.iter().filter(speaks).for_each(|change| redo(d, change));
    d.come_from(outer);
    made(d, number, changes.len());
    Ok(Document::default())
}

/// What the display that is worked out says, by paths.
fn pinned(supposing: &Supposing<'_, BNomic>, recorded: &State<BNomic>) -> BTreeSet<Path> {
    let Some((_, given)) = announced::approval(recorded, supposing.number) else { return BTreeSet::new() };
    let (_, changes) = drafted(supposing.base.clone(), supposing.base.at, Doer::default(), true, |d| {
        // What rests on the rest of the announcing entry is told there.
        let _ = tell(d, given);
    });
    given.says.iter().map(|(path, _)| path.clone()).chain(changes.iter().filter_map(touched)).collect()
}

/// Says how much an approval changed: what it did is found by that in its entry.
fn made(d: &mut D<'_>, number: u64, count: usize) {
    d.edit(&number, |intent: &mut Intent| intent.made = Some(count as u64));
}

/// Does a recorded change again.
fn redo(d: &mut D<'_>, change: &Change) {
    match change {
        Change::Rule(RuleOp { rule, act: RuleAct::Amend { splice, .. }, why }) => {
            let Some((from, splice)) = here(d, rule, splice) else { return };
            d.rule(RuleOp::new(rule.clone(), RuleAct::Amend { from, splice }).because(why.clone()));
        }
        Change::By(by) => drop(d.come_from(by.clone())),
        change => d.emit(change.clone()),
    }
}

/// Where an amendment finds its words in a text that reads otherwise elsewhere: in their old place, else in the only one.
fn here(d: &D<'_>, rule: &str, splice: &Splice) -> Option<(u32, Splice)> {
    let rule = d.rules.in_force(rule)?;
    let source = rule.text().source();
    if splice.apply(source).is_some() {
        return Some((rule.revision(), splice.clone()));
    }
    let mut found = source.match_indices(&splice.old).map(|(at, _)| at);
    match (found.next().filter(|_| !splice.old.is_empty()), found.next()) {
        (Some(at), None) => Some((rule.revision(), Splice { at, ..splice.clone() })),
        _ => None,
    }
}

// ---- decide

/// What an announcement says that a display shows: the display as it is given, in its entry; the lines alone afterwards.
pub(super) fn contents(state: &State<BNomic>, (number, entry): (u64, Seq), given: &Given) -> Vec<Block> {
    if state.seq == entry {
        return preview(state, given);
    }
    let mut blocks = says::lines(state, given);
    if entry > 0 {
        blocks.push(Block::Para(format!("The whole, as it was given: ⁅show intent {number} as of {entry}⁆")));
    }
    blocks
}

/// Approves a display: what it shows becomes what it would be (B50.6, B50.7).
///
/// # Errors
///
/// A [`Refusal`] where how the room would be is not known.
pub(super) fn perform(me: &Id, number: u64, given: &Given, d: &mut D<'_>) -> Result<Document, Refusal> {
    if let Some(then) = d.then() {
        return as_recorded(number, then, d);
    }
    let Some(would) = d.would_be(number) else {
        return Err(Refusal::new("more has happened since that announcement than the bot can play again")
            .by(Thing::Displays.rule(&d.rules))
            .instead("intend approve society"));
    };
    let (base, after, left_out) = (would.base.clone(), would.after.clone(), would.left_out.clone());
    // What the entry at hand did before counts as done.
    let (after, _) = drafted(after, d.at, Doer::default(), true, |so| {
        d.changes().iter().for_each(|change| redo(so, change));
        BNomic::mechanics().settle_all(so);
    });
    let (told, _) = drafted(base.clone(), base.at, Doer::default(), true, |d| {
        // What rests on the rest of the announcing entry is told where that is played.
        let _ = tell(d, given);
    });
    let from = d.emitted();
    d.count_as(&after);
    let why = format!("intention {number}, an approved display");
    let becoming = Becoming { display: &given.display, base: &base, told: &told, after: &after, why: &why };
    let (changed, rules) = become_so(d, &becoming);
    hands::said_on(d);
    let count = d.emitted() - from;
    made(d, number, count);
    let name = called(d, me);
    let mut document =
        Document::titled(format!("intent/{number}"), format!("{name} approves the display “{}”", given.display));
    document = match changed.is_empty() && rules.is_empty() {
        true => document.para("Nothing of what it shows changes."),
        false => document.para("What it shows becomes what it would be, had the display been right:"),
    };
    if !changed.is_empty() {
        document = document.with(list(changed));
    }
    document.blocks.extend(rules);
    if !left_out.is_empty() {
        document = document
            .para(
                "These could not have happened then, and are left out of the reckoning; what they did elsewhere stays:",
            )
            .with(list(left_out));
    }
    d.say(Audience::Public, document);
    Ok(Document::say("The display is approved."))
}

/// What a display is to become right by.
struct Becoming<'a> {
    /// Which display.
    display: &'a str,
    /// The room in which it was given.
    base: &'a State<BNomic>,
    /// The same with the display being right.
    told: &'a State<BNomic>,
    /// What came of that.
    after: &'a State<BNomic>,
    /// What is said of it in the history of rules.
    why: &'a str,
}

/// Makes what a display shows what it is in a state that was worked out, and says what that changes. Values and things
/// are in lines, and rules as their difference.
fn become_so(d: &mut D<'_>, becoming: &Becoming<'_>) -> (Vec<String>, Vec<Block>) {
    let Becoming { display, base, after, why, .. } = *becoming;
    let before = d.rules.clone();
    for op in says::toward(&d.rules, &after.rules, |rule, part| says::shows_rule(display, rule, part)) {
        d.rule(op.because(why));
    }
    // Rules that come with it have what it says of them.
    rule_objects::keep(d);
    let mut changed = Vec::new();
    // A display may have another name by now, or none: what it showed when it was given counts (B50.6).
    let shown = [base, after, &**d].map(|state| says::shown(state, display).unwrap_or_default());
    let mut paths: BTreeSet<Path> = shown.into_iter().flatten().collect();
    let kinds = [base, after, &**d].map(|state| says::things(state, display));
    for kind in &kinds.into_iter().flatten().collect::<BTreeSet<Id>>() {
        let (here, there): (Vec<Id>, Vec<Id>) =
            (d.world.of_kind(kind).cloned().collect(), after.world.of_kind(kind).cloned().collect());
        let seated = **kind == *PLAYER;
        // Who joins or forfeits meanwhile does so whatever the display says.
        let claimed = |obj: &Id| !seated || players::is_player(base, obj) != players::is_player(becoming.told, obj);
        for obj in there.iter().filter(|obj| !here.contains(obj) && claimed(obj)) {
            if seated {
                let name = d.frame.name_of(obj).to_owned();
                changed.push(match society::seat_by_change(d, &name) {
                    Ok(_) => format!("{name}: becomes a Player"),
                    Err(why) => format!("{name}: becomes no Player, for {}", why.say),
                });
            } else {
                d.op(Op::Create { obj: obj.clone(), kind: kind.clone() });
                changed.push(format!("{}: comes to be", called(after, obj)));
                if let Some(name) = after.world.get(&NAME, obj) {
                    d.set(&NAME, obj, name);
                }
            }
            paths.extend(after.world.values_of(obj).map(|(path, _)| path.clone()));
        }
        for obj in here.iter().filter(|obj| !there.contains(obj) && claimed(obj)) {
            let name = called(d, obj);
            if seated {
                let posts: Vec<String> = posts::of(d, obj).map(|post| called(d, &post)).collect();
                let vacant = if posts.is_empty() { String::new() } else { format!("; Vacant: {}", posts.join(", ")) };
                changed.push(match society::expel(d, obj) {
                    Ok(()) => format!("{name}: is no Player any more{vacant}"),
                    Err(why) => format!("{name}: stays a Player, for {}", why.say),
                });
                continue;
            }
            changed.push(format!("{name}: is gone"));
            let was = d.world.values_of(obj).map(|(path, value)| (path.clone(), value.clone())).collect();
            d.op(Op::Destroy { obj: obj.clone(), kind: kind.clone(), was });
            registry::unlink(d, obj);
        }
    }
    for path in paths {
        let (now, then) = (d.world.value(&path), after.world.value(&path));
        if now == then || !d.world.exists(&path.obj) || !after.world.exists(&path.obj) {
            continue;
        }
        // Somebody else may have come to be called so since the display was given (B4.2).
        if *path.attr == *NAME.id
            && d.world.kind(&path.obj).is_some_and(|kind| **kind == *PLAYER)
            && let Err(why) = society::nameable(d, &path.obj, &then)
        {
            changed.push(format!("{}, name: it stays, for {}", called(d, &path.obj), why.say));
            continue;
        }
        changed.push(difference(d, &path, &BNomic::value(d, &path), &BNomic::value(after, &path)));
        let (obj, attr) = (path.obj.clone(), path.attr.clone());
        d.overwrite(path, then);
        match &*attr {
            attr if *attr == *MINISTER.id => ministries::said(d, &obj),
            attr if *attr == *SUCCESS.id => passing::become_so(d, &obj, after),
            _ => {}
        }
    }
    let rules = views::difference(&before, &d.rules, PREFIX);
    (changed, rules)
}

fn difference(state: &State<BNomic>, path: &Path, was: &Value, now: &Value) -> String {
    let word = |value: &Value| match value {
        Value::Text(text) if text.is_empty() => "“”".to_owned(),
        value => stats::shown(state, &path.attr, value),
    };
    format!("{}, {}: {} becomes {}", called(state, &path.obj), path.attr, word(was), word(now))
}

/// The display in full, as it would be approved, and what it says otherwise than the record (B50.4, B50.7).
pub(crate) fn preview(state: &State<BNomic>, given: &Given) -> Vec<Block> {
    let (told, _) = drafted(state.clone(), state.at, Doer::default(), true, |d| {
        // It could be when it was read.
        let _ = tell(d, given);
    });
    let becomes = |after: &State<BNomic>| {
        let becoming = Becoming { display: &given.display, base: state, told: &told, after, why: WHY };
        let mut changed = Default::default();
        drafted(state.clone(), state.at, Doer::default(), true, |d| changed = become_so(d, &becoming));
        changed
    };
    let (differs, rules) = becomes(&told);
    let mut blocks = page(&told, &given.display).map(|shown| shown.blocks).unwrap_or_default();
    if given.display == RULES {
        blocks.push(Block::Para(format!(
            "Each rule reads as it does after entry {}, but for what follows: ⁅show rules as of {}⁆",
            state.seq, state.seq
        )));
    }
    if differs.is_empty() && rules.is_empty() {
        blocks.push(Block::Para("It says what the record says.".to_owned()));
        return blocks;
    }
    blocks.push(Block::Para("What it says otherwise than the record:".to_owned()));
    if !differs.is_empty() {
        blocks.push(list(differs.clone()));
    }
    blocks.extend(rules);
    // What the rules do by themselves then, performing it does too.
    let (settled, _) = drafted(told.clone(), state.at, Doer::default(), true, |d| {
        BNomic::mechanics().settle_all(d);
    });
    let follows: Vec<String> = becomes(&settled).0.into_iter().filter(|line| !differs.contains(line)).collect();
    if !follows.is_empty() {
        blocks.push(Block::Para("By the rules this follows at once, so that performing it comes to:".to_owned()));
        blocks.push(list(follows));
    }
    blocks
}
