//! The content of a display (4E50): values that it shows otherwise than the record, and directives for all else.
//!
//! Such are a rule that the record lacks, words in the midst of a rule, a Victory Condition, or who is a Player. They
//! are said as a proposal would, and nothing passes that the display does not show. Lines of values are read in `lines`
//! and take effect in `approvals`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    drafted::{drafted, list},
    lines::{self, Part},
};
use crate::{
    clock::hands,
    displays,
    effects::carried_out,
    figures::FIGURES,
    game::{BNomic, D},
    keeping,
    law::{PREFIX, Thing},
    ministries::posts,
    obligations::duties::Duty,
    passing, rule_objects,
    society::{self, players},
    stats::{self, MINISTER, NAME, OUTSIDER, PLAYER, RETAINER, SUCCESS, called},
    victory,
};
use kernel::{
    Id, Path, Refusal, State, Value,
    directives::Names,
    display::{Block, Cell, Document},
    doer::Doer,
    entry::Change,
    frame::FrameFact,
    rulebook::{Keys, Rule, RuleAct, RuleOp, Rulebook, Splice, amend, views},
    table::Row,
    viewer::Viewer,
    world::Op,
};

/// Most values that a display is given with: they fit into one message.
const SAID_MAX_COUNT: usize = 50;

/// The display of all rules.
pub(super) const RULES: &str = "rules";
/// What comes before the name of a rule, in a display of one and in a path.
const RULE: &str = "rule/";
/// The display of Powers, and of what goes with them.
const POWERS: &str = "powers";
/// The display of Victory Conditions.
const VICTORY: &str = "victory";
/// The display of Players.
const SOCIETY: &str = "society";

/// The parts of a rule, beside the fields of its header.
pub(super) const TEXT: &str = "text";
pub(super) const TITLE: &str = "title";
const NUMBER: &str = "number";
/// Whether it is in force.
const BEING: &str = "being";
/// The fields that the display of Powers shows.
const OF_POWERS: [&str; 3] = ["power", "overrides", "yields"];

/// What a line says of a rule itself; all else that a rule has are attributes.
pub(super) const PARTS: [&str; 5] = [TEXT, TITLE, OF_POWERS[0], OF_POWERS[1], OF_POWERS[2]];

/// What caused what a display says, in the history of rules.
pub(super) const WHY: &str = "what a display says";

/// A display, and what it says otherwise than the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Given {
    /// Which display.
    pub(super) display: String,
    /// The values.
    pub(super) says: Vec<(Path, Value)>,
    /// Directives.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
}

// ---- what displays show

/// A display as everybody sees it, those of rules included.
pub(super) fn page(state: &State<BNomic>, display: &str) -> Result<Document, Refusal> {
    match (display, display.strip_prefix(RULE)) {
        (RULES, _) => Ok(views::list(&state.rules, PREFIX)),
        (_, Some(rule)) => {
            let rule = state.rules.find(rule)?;
            let mut page = views::rule(rule, &state.rules, &Keys::new(FIGURES), PREFIX);
            page.blocks.extend(rule_objects::beside(state, rule));
            Ok(page)
        }
        _ => displays::show(state, display, &Viewer { now: state.at, ..Viewer::default() }),
    }
}

/// Whether there is such a display, those of rules and of channels included.
pub(crate) fn can_be_seen(state: &State<BNomic>, display: &str) -> bool {
    let display = display.trim().trim_matches('/').to_lowercase();
    display == "forums" || page(state, &display).is_ok()
}

/// The values that a display shows, by their paths.
pub(super) fn shown(state: &State<BNomic>, display: &str) -> Result<BTreeSet<Path>, Refusal> {
    fn of(cells: &[Cell], found: &mut BTreeSet<Path>) {
        found.extend(cells.iter().filter_map(|cell| cell.source.clone()));
    }
    let document = page(state, display)?;
    let mut found = BTreeSet::new();
    for block in &document.blocks {
        match block {
            Block::Table { rows, .. } => rows.iter().for_each(|row| of(row, &mut found)),
            Block::List(cells) => of(cells, &mut found),
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a display shows a part of a rule.
pub(super) fn shows_rule(display: &str, rule: &str, part: &str) -> bool {
    match display {
        RULES => true,
        POWERS => [TITLE, NUMBER].contains(&part) || OF_POWERS.contains(&part),
        display => display.strip_prefix(RULE) == Some(rule),
    }
}

/// The kinds of things that a display shows all of, whichever there are.
pub(super) fn things(state: &State<BNomic>, display: &str) -> Vec<Id> {
    match display {
        VICTORY => vec![victory::CONDITION.into()],
        SOCIETY => vec![PLAYER.into()],
        display => keeping::kinds_on(state, display),
    }
}

/// The part of a rule that an operation changes.
fn part(act: &RuleAct) -> &str {
    match act {
        RuleAct::Enact { .. } | RuleAct::Repeal | RuleAct::Restore => BEING,
        RuleAct::Amend { .. } | RuleAct::Mark { .. } | RuleAct::Settle { .. } => TEXT,
        RuleAct::Retitle { .. } => TITLE,
        RuleAct::Renumber { .. } => NUMBER,
        RuleAct::Field { name, .. } => name,
    }
}

/// The path of a part of a rule, as displays have it.
pub(super) fn path_of(rule: &str, part: &str) -> Path {
    Path::new(format!("{RULE}{rule}"), part.to_owned())
}

/// The rule of whose text, title or header a path is a part; nothing for attributes, also those of rules.
fn part_of(at: &Path) -> Option<&str> {
    at.obj.strip_prefix(RULE).filter(|_| PARTS.contains(&&*at.attr))
}

/// What a change changes, by its path; a rule that comes or goes by the path of its being.
pub(super) fn touched(change: &Change) -> Option<Path> {
    match change {
        Change::World(Op::Set { at, .. } | Op::Add { at, .. } | Op::Insert { at, .. } | Op::Remove { at, .. }) => {
            Some(at.clone())
        }
        Change::Rule(op) => Some(path_of(&op.rule, part(&op.act))),
        _ => None,
    }
}

// ---- reading

/// Reads which display is to be approved, and what it says otherwise.
///
/// # Errors
///
/// A [`Refusal`] where there is no such display, and where it shows nothing that can be set. Also with the line that is
/// no value of it or the directive that cannot be done.
pub(crate) fn read(d: &D<'_>, display: &str, text: &str) -> Result<Given, Refusal> {
    let by = Thing::Displays.rule(&d.rules);
    let display = display.trim().trim_matches('/').to_lowercase();
    let display = match display.strip_prefix(RULE) {
        Some(words) => format!("{RULE}{}", lines::rule(d, words)?.id()),
        None => keeping::named(d, &display).map_or(display, |keeping| keeping.display),
    };
    let paths = shown(d, &display)?;
    if paths.is_empty() && things(d, &display).is_empty() && ![RULES, POWERS].contains(&&*display) {
        return Err(Refusal::new(format!(
            "the display “{display}” shows no value that approving it could set; whoever finds it wrong challenges it"
        ))
        .by(by)
        .instead("intend approve society Ann.mackerel = 60"));
    }
    let not_shown = |what: String| {
        let say = format!("the display “{display}” does not show {what}");
        Refusal::new(say).by(by.clone()).instead(format!("show {display}"))
    };
    let (said, text) = lines::parted(text)?;
    let mut says: Vec<(Path, Value)> = Vec::new();
    for line in said {
        let (path, value) = lines::said(d, &line)?;
        if !shows(&display, &paths, &path) {
            return Err(not_shown(path.to_string()));
        }
        if *path.attr == *NAME.id {
            society::nameable(d, &path.obj, &value)?;
        }
        if says.iter().any(|(before, _)| *before == path) {
            return Err(Refusal::new(format!("{path} is said twice")).by(by).instead("show displays"));
        }
        says.push((path, value));
        if says.len() > SAID_MAX_COUNT {
            return Err(Refusal::new(format!("a display is given with at most {SAID_MAX_COUNT} values of its own")));
        }
    }
    // What it shows as the record does is no claim of its own (BX10).
    says.retain(|(path, value)| is_otherwise(d, path, value));
    let given = Given { display: display.clone(), says, text: text.trim().to_owned() };
    let mut told = Ok(Vec::new());
    let (after, changes) = drafted((**d).clone(), d.at, Doer::default(), true, |d| told = tell(d, &given));
    let said = told?;
    let then = shown(&after, &display).unwrap_or_default();
    for (path, value) in said {
        if !shows(&display, &then, &path) {
            return Err(not_shown(path.to_string()));
        }
        if *path.attr == *NAME.id {
            society::nameable(d, &path.obj, &value)?;
        }
    }
    let paths: BTreeSet<Path> = paths.into_iter().chain(then).collect();
    // Whoever is no Player holds no Ministry.
    let gone = players::players(d).filter(|player| !players::is_player(&after, player));
    let posts: Vec<Id> = gone.flat_map(|player| posts::of(d, player)).collect();
    let left = |path: &Path| posts.iter().any(|post| [MINISTER.of(post), RETAINER.of(post)].contains(path));
    if after.frame.last_number(Duty::TABLE) > d.frame.last_number(Duty::TABLE) {
        return Err(not_shown("what a Ministry is obliged to".to_owned()));
    }
    for change in &changes {
        let shows = match change {
            Change::Rule(op) => shows_rule(&display, &op.rule, part(&op.act)),
            Change::World(Op::Create { obj, kind } | Op::Destroy { obj, kind, .. } | Op::Restore { obj, kind, .. }) => {
                let rule = obj.strip_prefix(RULE).filter(|_| **kind == *stats::RULE);
                // Whoever comes to be a Player was an Outsider, and the other way round.
                let kind = if **kind == *OUTSIDER { PLAYER } else { &**kind };
                let is_shown = || things(d, &display).iter().any(|shown| **shown == *kind);
                rule.map_or_else(is_shown, |rule| shows_rule(&display, rule, BEING))
            }
            Change::Frame(FrameFact::Designated { .. }) => false,
            Change::World(Op::Define(_) | Op::Undefine(_)) => false,
            // A name that waits for whoever comes under it is on no display.
            Change::Row(row) if *row.table == *players::Founders::TABLE => false,
            // What the clockwork keeps beside follows from what is shown.
            Change::Row(_) | Change::Frame(_) | Change::By(_) => true,
            change => touched(change).is_none_or(|path| paths.contains(&path) || left(&path)),
        };
        if !shows {
            let what = touched(change).map_or_else(|| "what that makes or ends".to_owned(), |path| path.to_string());
            return Err(not_shown(what));
        }
    }
    Ok(given)
}

/// Whether a display shows what a line of a value speaks of, where it shows the values of some paths.
fn shows(display: &str, paths: &BTreeSet<Path>, path: &Path) -> bool {
    match part_of(path) {
        Some(rule) => shows_rule(display, rule, &path.attr),
        None => paths.contains(path),
    }
}

/// Whether a value is another one than that of the record.
fn is_otherwise(state: &State<BNomic>, path: &Path, value: &Value) -> bool {
    let Some(rule) = part_of(path) else { return BNomic::value(state, path) != *value };
    let held = state.rules.in_force(rule).map(|rule| match &*path.attr {
        TEXT => rule.text().visible().to_string(),
        TITLE => rule.title().to_string(),
        field => rule.field(field).unwrap_or_default().to_owned(),
    });
    held.is_none_or(|held| held != value.to_string())
}

// ---- telling

/// Makes a state one in which a display is right; gives what lines behind directives say.
///
/// # Errors
///
/// A [`Refusal`] with what cannot be so.
pub(super) fn tell(d: &mut D<'_>, given: &Given) -> Result<Vec<(Path, Value)>, Refusal> {
    for (path, value) in &given.says {
        tell_value(d, path, value)?;
    }
    let mut behind = Vec::new();
    for part in lines::parts(&given.text)? {
        match part {
            Part::Done(directives) => {
                carried_out::carry_out(d, &directives, WHY)?;
            }
            Part::Said(line) => {
                let (path, value) = lines::said(d, &line)?;
                tell_value(d, &path, &value)?;
                behind.push((path, value));
            }
        }
    }
    hands::said_hands(d);
    hands::said_on(d);
    Ok(behind)
}

fn tell_value(d: &mut D<'_>, path: &Path, value: &Value) -> Result<(), Refusal> {
    match part_of(path) {
        Some(rule) => tell_rule(d, rule, &path.attr, &value.to_string())?,
        None => {
            d.overwrite(path.clone(), value.clone());
            if *path.attr == *SUCCESS.id {
                passing::said(d, &path.obj);
            }
        }
    }
    Ok(())
}

fn tell_rule(d: &mut D<'_>, rule: &str, part: &str, value: &str) -> Result<(), Refusal> {
    let gone = || Refusal::new("that rule is gone").instead("rules");
    let rule = d.rules.in_force(rule).ok_or_else(gone)?;
    let op = match part {
        TEXT if **rule.text().visible() == *value => return Ok(()),
        TEXT => amend::replace_text(rule, value)?.op,
        TITLE => {
            RuleOp::new(rule.id().clone(), RuleAct::Retitle { to: value.to_owned(), was: rule.title().to_string() })
        }
        field => {
            let was = rule.field(field).map(str::to_owned);
            let to = (!value.is_empty()).then(|| value.to_owned());
            RuleOp::new(rule.id().clone(), RuleAct::Field { name: field.to_owned(), to, was })
        }
    };
    let op = op.because(WHY);
    d.rules.check(&op)?;
    d.rule(op);
    Ok(())
}

/// The operations that make of rules what they are in another rulebook, as far as a display shows them.
pub(super) fn toward(now: &Rulebook, then: &Rulebook, shows: impl Fn(&str, &str) -> bool) -> Vec<RuleOp> {
    let ids: BTreeSet<&Id> = now.all().into_iter().chain(then.all()).map(Rule::id).collect();
    let mut ops = Vec::new();
    for id in ids {
        let mut add = |act: RuleAct| {
            if shows(id, part(&act)) {
                ops.push(RuleOp::new(id.clone(), act));
            }
        };
        let (held, wanted) = (now.get(id), then.in_force(id));
        match (held, wanted) {
            (None, Some(new)) => add(RuleAct::Enact {
                number: new.number(),
                title: new.title().to_string(),
                fields: new.fields().clone(),
                source: new.text().source().to_string(),
            }),
            (Some(held), None) if held.in_force() => add(RuleAct::Repeal),
            (Some(held), Some(new)) if held.in_force() || shows(id, BEING) => {
                if !held.in_force() {
                    add(RuleAct::Restore);
                }
                let splice = Splice::between(held.text().source(), new.text().source());
                if !splice.is_empty() {
                    add(RuleAct::Amend { from: held.revision(), splice });
                }
                let (was, to) = (held.title(), new.title());
                if was != to {
                    add(RuleAct::Retitle { to: to.to_string(), was: was.to_string() });
                }
                if held.number() != new.number() {
                    add(RuleAct::Renumber { to: new.number(), was: held.number() });
                }
                for (name, was, to) in fields(held.fields(), new.fields()) {
                    add(RuleAct::Field { name, to, was });
                }
            }
            _ => {}
        }
    }
    ops
}

/// The fields of two headers that differ, with what they are in each.
fn fields(
    was: &BTreeMap<String, String>,
    to: &BTreeMap<String, String>,
) -> Vec<(String, Option<String>, Option<String>)> {
    let names: BTreeSet<&String> = was.keys().chain(to.keys()).collect();
    let differs = |name: &&String| was.get(*name) != to.get(*name);
    names
        .into_iter()
        .filter(differs)
        .map(|name| (name.clone(), was.get(name).cloned(), to.get(name).cloned()))
        .collect()
}

// ---- display

/// What the announcement to approve a display is about, as the end of a sentence.
pub(crate) fn sentence(given: &Given) -> String {
    let Given { display, says, text } = given;
    match says.len() {
        _ if !text.is_empty() => format!("approve the display “{display}”, as directives have it"),
        0 => format!("approve the display “{display}”"),
        1 => format!("approve the display “{display}”, with one value that the record has otherwise"),
        more => format!("approve the display “{display}”, with {more} values that the record has otherwise"),
    }
}

/// What a display says otherwise than the record did, in the words of lines.
pub(super) fn lines(state: &State<BNomic>, given: &Given) -> Vec<Block> {
    let line = |(at, to): &(Path, Value)| {
        format!("{}, {}: {}", called(state, &at.obj), at.attr, stats::shown(state, &at.attr, to))
    };
    let lines: Vec<String> = given.says.iter().map(line).collect();
    let text = (!given.text.is_empty()).then(|| Block::Para(given.text.clone()));
    (!lines.is_empty()).then(|| list(lines)).into_iter().chain(text).collect()
}
