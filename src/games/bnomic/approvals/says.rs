//! What a display is given with (4E50): values that it shows otherwise than the record, and directives for what is no
//! value.
//!
//! Values are lines `OBJECT.ATTRIBUTE = VALUE`, of rules too: `rule 15.power = 3/4`. A rule that a display of rules shows
//! and the record lacks, words in the midst of a rule, a Victory Condition: those are said as a proposal would, and
//! nothing is let pass that the display does not show. Absent: what becomes of it (`approvals`, `replay`).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    super::{
        display::Document,
        displays, effects,
        figures::FIGURES,
        keeping,
        law::PREFIX,
        passing, precedence, proposals, ruled,
        stats::{self, NAME, SUCCESS},
        victory,
    },
    BNomic, Block, Cell, D, Doer, Id, Refusal, State, Thing, called, clock, difference, drafted, list, ministries,
    society,
};
use crate::kernel::{
    Path, Value,
    directives::{Lawful, define},
    entry::Change,
    frame::FrameFact,
    game::Viewer,
    rulebook::{Keys, Rule, RuleAct, RuleOp, Rulebook, Splice, amend, book::TITLE_MAX_CHARS, views},
    world::{Op, Range},
};

/// Most values that a display is given with: they fit into one message.
const SAID_MAX_COUNT: usize = 50;

/// The display of all rules.
const RULES: &str = "rules";
/// What comes before the name of a rule, in a display of one and in a path.
const RULE: &str = "rule/";
/// The display of Powers, and of what goes with them.
const POWERS: &str = "powers";
/// The display of Victory Conditions.
const VICTORY: &str = "victory";

/// The parts of a rule, beside the fields of its header.
const TEXT: &str = "text";
const TITLE: &str = "title";
const NUMBER: &str = "number";
/// Whether it is in force.
const BEING: &str = "being";
/// The fields that the display of Powers shows.
const OF_POWERS: [&str; 3] = ["power", "overrides", "yields"];

/// What a line says of a rule itself; all else that a rule has are attributes.
const PARTS: [&str; 5] = [TEXT, TITLE, OF_POWERS[0], OF_POWERS[1], OF_POWERS[2]];

/// What caused what a display says, in the history of rules.
const WHY: &str = "what a display says";

/// A display, and what it says otherwise than the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::games::bnomic) struct Given {
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
fn page(state: &State<BNomic>, display: &str) -> Result<Document, Refusal> {
    match (display, display.strip_prefix(RULE)) {
        (RULES, _) => Ok(views::list(&state.rules, PREFIX)),
        (_, Some(rule)) => {
            let rule = state.rules.find(rule)?;
            let mut page = views::rule(rule, &state.rules, &Keys::new(FIGURES), PREFIX);
            page.blocks.extend(ruled::beside(state, rule));
            Ok(page)
        }
        _ => displays::show(state, display, &Viewer { now: state.at, ..Viewer::default() }),
    }
}

/// Whether there is such a display, those of rules and of channels included.
pub(in crate::games::bnomic) fn can_be_seen(state: &State<BNomic>, display: &str) -> bool {
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
    if display == VICTORY { vec![victory::CONDITION.into()] } else { keeping::kinds_on(state, display) }
}

/// The part of a rule that an operation changes.
fn part(act: &RuleAct) -> &str {
    match act {
        RuleAct::Enact { .. } | RuleAct::Repeal | RuleAct::Restore => BEING,
        RuleAct::Amend { .. } | RuleAct::Mark { .. } => TEXT,
        RuleAct::Retitle { .. } => TITLE,
        RuleAct::Renumber { .. } => NUMBER,
        RuleAct::Field { name, .. } => name,
    }
}

/// The path of a part of a rule, as displays have it.
fn path_of(rule: &str, part: &str) -> Path {
    Path::new(format!("{RULE}{rule}"), part.to_owned())
}

/// The rule of whose text, title or header a path is a part; nothing for attributes, also those of rules.
fn part_of(at: &Path) -> Option<&str> {
    at.obj.strip_prefix(RULE).filter(|_| PARTS.contains(&&*at.attr))
}

/// What a change changes, by its path; a rule that comes or goes by the path of its being.
pub(super) fn touched(change: &Change<crate::games::bnomic::Fact>) -> Option<Path> {
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
/// A [`Refusal`] where there is no such display, where it shows nothing that can be set, and with the line that is no
/// value of it or the directive that cannot be done.
pub(in crate::games::bnomic) fn read(d: &D<'_>, display: &str, text: &str) -> Result<Given, Refusal> {
    let by = Thing::Displays.rule(&d.rules);
    let display = display.trim().trim_matches('/').to_lowercase();
    let display = match display.strip_prefix(RULE) {
        Some(words) => format!("{RULE}{}", rule(d, words)?.id()),
        None => keeping::named(d, &display).unwrap_or(display),
    };
    let paths = shown(d, &display)?;
    if paths.is_empty() && things(d, &display).is_empty() && ![RULES, POWERS].contains(&&*display) {
        return Err(Refusal::new(format!(
            "the display “{display}” shows no value that approving it could set; whoever finds it wrong challenges it"
        ))
        .by(by)
        .instead("intend approve society Ann.mackerel = 60"));
    }
    let not_shown = |what: String| Refusal::new(format!("the display “{display}” does not show {what}")).by(by.clone());
    let (lines, text) = parted(text);
    let mut says: Vec<(Path, Value)> = Vec::new();
    for line in lines {
        let (path, value) =
            said(d, line).map_err(|why| Refusal { say: format!("“{line}”: {}", why.say), ..why })?;
        let shows = match part_of(&path) {
            Some(rule) => shows_rule(&display, rule, &path.attr),
            None => paths.contains(&path),
        };
        if !shows {
            return Err(not_shown(path.to_string()).instead(format!("show {display}")));
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
    let given = Given { display: display.clone(), says, text: text.trim().to_owned() };
    let mut told = Ok(());
    let (after, changes) = drafted((**d).clone(), d.at, Doer::default(), true, |d| told = tell(d, &given));
    told?;
    let paths: BTreeSet<Path> = paths.into_iter().chain(shown(&after, &display).unwrap_or_default()).collect();
    for change in &changes {
        let shows = match change {
            Change::Rule(op) => shows_rule(&display, &op.rule, part(&op.act)),
            Change::World(Op::Create { obj, kind } | Op::Destroy { obj, kind, .. } | Op::Restore { obj, kind, .. }) => {
                let rule = obj.strip_prefix(RULE).filter(|_| **kind == *ruled::RULE);
                rule.map_or_else(|| things(d, &display).contains(kind), |rule| shows_rule(&display, rule, BEING))
            }
            Change::Frame(FrameFact::Designated { .. }) => false,
            Change::World(Op::Define(_) | Op::Undefine(_)) => false,
            // What the clockwork keeps beside follows from what is shown.
            Change::Fact(_) | Change::Frame(_) => true,
            change => touched(change).is_none_or(|path| paths.contains(&path)),
        };
        if !shows {
            let what = touched(change).map_or_else(|| "what that makes or ends".to_owned(), |path| path.to_string());
            return Err(not_shown(what).instead(format!("show {display}")));
        }
    }
    Ok(given)
}

/// The lines of values, and the directives that follow them.
fn parted(text: &str) -> (impl Iterator<Item = &str>, &str) {
    let arrow = text.match_indices("=>").map(|(at, _)| at).find(|at| {
        let before = text[..*at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', ';'])
    });
    let (lines, directives) = text.split_at(arrow.unwrap_or(text.len()));
    (lines.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()), directives)
}

/// A rule in force by what somebody calls it, the prefix of numbers included.
fn rule<'a>(state: &'a State<BNomic>, words: &str) -> Result<&'a Rule, Refusal> {
    let words = words.trim();
    let bare = words.get(..PREFIX.len()).filter(|head| head.eq_ignore_ascii_case(PREFIX));
    state.rules.find(bare.map_or(words, |_| &words[PREFIX.len()..]))
}

/// A line of a display: whose attribute, and its value.
fn said(d: &D<'_>, line: &str) -> Result<(Path, Value), Refusal> {
    let wrong = || {
        Refusal::new("it does not say what is what")
            .by(Thing::Displays.rule(&d.rules))
            .instead("intend approve society Ann.mackerel = 60")
    };
    let (what, value) = line.split_once('=').ok_or_else(wrong)?;
    let what = what.trim();
    let parts = what.rsplit_once('.').or_else(|| what.rsplit_once("'s ")).or_else(|| what.rsplit_once("’s "));
    let (obj, attr) = parts.or_else(|| what.split_once(" of ").map(|(attr, obj)| (obj, attr))).ok_or_else(wrong)?;
    if let Ok(rule) = rule(d, obj)
        && BNomic::find(d, obj).map_or(true, |found| found == ruled::object(rule))
    {
        let obj = ruled::object(rule);
        match BNomic::attribute(d, attr, &ruled::RULE.into()).filter(|attr| !PARTS.contains(&&**attr)) {
            Some(attr) => return value_of(d, Path::new(obj, attr), value),
            None => return said_of(rule, attr.trim(), value.trim()),
        }
    }
    let obj = match d.world.exists(obj.trim()) {
        true => Id::from(obj.trim()),
        false => match BNomic::word(d, obj) {
            Some(Value::Ref(named)) => named,
            _ => ministries::find(d, obj).or_else(|_| BNomic::find(d, obj))?,
        },
    };
    let kind = d.world.kind(&obj).cloned().ok_or_else(wrong)?;
    let attr = BNomic::attribute(d, attr, &kind)
        .ok_or_else(|| Refusal::new(format!("{} has no “{}”", called(d, &obj), attr.trim())).instead("show society"))?;
    value_of(d, Path::new(obj, attr), value)
}

/// The value of an attribute, as a line of a display gives it.
fn value_of(d: &D<'_>, path: Path, value: &str) -> Result<(Path, Value), Refusal> {
    let range = d.world.def(&path.attr).map_or(Range::Any, |def| def.range.clone());
    // A comment behind it is none of it (4E5).
    let value = proposals::uncommented(value);
    let value = value.trim();
    let value = match &range {
        _ if *path.attr == *super::MINISTER.id && ["vacant", "nobody", "nothing"].contains(&&*value.to_lowercase()) => {
            Some(Value::Null)
        }
        _ if *path.attr == *super::MINISTER.id => Some(Value::Ref(society::other(d, &BNomic::find(d, value)?, None)?)),
        Range::Bool if value.eq_ignore_ascii_case("on") => Some(Value::Bool(true)),
        Range::Bool if value.eq_ignore_ascii_case("off") => Some(Value::Bool(false)),
        // As it is written in rules: `m60`, `A Few` (B34.1, B30.1).
        range => {
            let held = |value: &Value| range.holds(value);
            let thing =
                || matches!(range, Range::Ref(_)).then(|| BNomic::find(d, value).ok().map(Value::Ref)).flatten();
            define::plain(value, range).or_else(thing).filter(held).or_else(|| BNomic::word(d, value).filter(held))
        }
    };
    let value = value.ok_or_else(|| {
        Refusal::new(format!("{path} is {} and nothing else", define::shown(&range))).by("4E11, Attributes")
    })?;
    Ok((path, value))
}

/// The same of a rule: its text, its title, or a field of its header.
fn said_of(rule: &Rule, attr: &str, value: &str) -> Result<(Path, Value), Refusal> {
    let attr = attr.to_lowercase();
    let value = crate::kernel::directives::syntax::unquote(value).trim();
    match &*attr {
        TEXT => {}
        TITLE if value.chars().count() <= TITLE_MAX_CHARS => {}
        TITLE => return Err(Refusal::new(format!("a title has at most {TITLE_MAX_CHARS} characters"))),
        "power" => precedence::is_power(value)?,
        "overrides" | "yields" => {}
        other => {
            return Err(Refusal::new(format!("{} has no “{other}” that a line could say", rule.label()))
                .instead("intend approve powers rule 15.power = 3/4"));
        }
    }
    Ok((path_of(rule.id(), &attr), Value::Text(value.to_owned())))
}

// ---- telling

/// Makes a state one in which a display is right.
///
/// # Errors
///
/// A [`Refusal`] with what cannot be so.
pub(super) fn tell(d: &mut D<'_>, given: &Given) -> Result<(), Refusal> {
    for (path, value) in &given.says {
        match part_of(path) {
            Some(rule) => tell_rule(d, rule, &path.attr, &value.to_string())?,
            None => {
                d.overwrite(path.clone(), value.clone());
                if *path.attr == *SUCCESS.id {
                    passing::said(d, &path.obj);
                }
            }
        }
    }
    if !given.text.is_empty() {
        effects::carry_out(d, &given.text, WHY)?;
    }
    clock::said_hands(d);
    clock::said_on(d);
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
pub(in crate::games::bnomic) fn sentence(given: &Given) -> String {
    let Given { display, says, text } = given;
    match says.len() {
        _ if !text.is_empty() => format!("approve the display “{display}”, where it says otherwise than the record"),
        0 => format!("approve the display “{display}”"),
        1 => format!("approve the display “{display}”, with one value that the record has otherwise"),
        more => format!("approve the display “{display}”, with {more} values that the record has otherwise"),
    }
}

/// What a display says otherwise than the record did, in the words of lines.
pub(super) fn lines(state: &State<BNomic>, given: &Given) -> Vec<Block> {
    let line =
        |(at, to): &(Path, Value)| format!("{}, {}: {}", called(state, &at.obj), at.attr, stats::shown(state, to));
    let lines: Vec<String> = given.says.iter().map(line).collect();
    let text = (!given.text.is_empty()).then(|| Block::Para(given.text.clone()));
    (!lines.is_empty()).then(|| list(lines)).into_iter().chain(text).collect()
}

/// The display in full, as it would be approved, and what it says otherwise than the record (B50.4, B50.7).
pub(in crate::games::bnomic) fn preview(state: &State<BNomic>, given: &Given) -> Vec<Block> {
    let values = given.says.iter().filter(|(at, _)| part_of(at).is_none());
    let mut differs: Vec<String> = values
        .map(|(at, to)| (at, state.world.value(at), to))
        .filter(|(_, was, to)| was != *to)
        .map(|(at, was, to)| difference(state, at, &was, to))
        .collect();
    let (told, changes) = drafted(state.clone(), state.at, Doer::default(), true, |d| {
        // It could be when it was read.
        let _ = tell(d, given);
    });
    if !given.text.is_empty() {
        let lines = changes.iter().filter_map(|change| match change {
            Change::World(Op::Create { obj, .. }) => Some(format!("{}: comes to be", called(&told, obj))),
            Change::World(Op::Destroy { obj, .. }) => Some(format!("{}: is gone", called(state, obj))),
            Change::World(Op::Set { at, to, was }) if !given.says.iter().any(|(said, _)| said == at) => {
                Some(difference(&told, at, was, to))
            }
            _ => None,
        });
        differs.extend(lines);
    }
    let rules = views::difference(&state.rules, &told.rules, PREFIX);
    let mut blocks = page(&told, &given.display).map(|shown| shown.blocks).unwrap_or_default();
    if given.display == RULES {
        blocks.push(Block::Para(format!(
            "Each rule reads as it does after entry {}, but for what follows: show rules as of {}",
            state.seq, state.seq
        )));
    }
    if differs.is_empty() && rules.is_empty() {
        blocks.push(Block::Para("It says what the record says.".to_owned()));
        return blocks;
    }
    blocks.push(Block::Para("What it says otherwise than the record:".to_owned()));
    if !differs.is_empty() {
        blocks.push(list(differs));
    }
    blocks.extend(rules);
    blocks
}
