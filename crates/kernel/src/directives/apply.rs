//! Doing what a body says, all of it or nothing.
//!
//! Directives are done in order, so that a later one sees what an earlier one did. The first that cannot be done takes
//! the others back, unless the game leaves such ones out. What each came to is reported. Absent from here: whether the
//! body may be applied at all.

mod attributes;
mod heirs;
mod named;
pub mod titles;

use std::{collections::BTreeMap, sync::Arc};

use self::{
    attributes::{undefine_attr, unowned},
    named::{beside, kind_and_name, number, parts, path, said},
    titles::{free_id, free_title, header, header_field},
};
use super::{
    define,
    expr::{Evaluator, Expr},
    seen::{Meant, Seen},
    setting::{Mode, Posted, Setting},
    sight::{RULE, Sight},
    syntax::{Act, Body, Directive, phrase_cuts, phrase_is_quoted, unquote},
    wording::{bare, exact_key, find_key, folded, slug},
    words::{Lawful, Place, ranged, rule_op},
};
use crate::Draft;
use crate::Id;
use crate::Num;
use crate::Path;
use crate::Refusal;
use crate::Value;
use crate::rulebook::{Edit, Keys, LiveKey, Rebinding, Rule, RuleAct, RuleOp, Text, amend, units::miscounted};
use crate::world::Range;

/// The field of a header that says what a rule is on as a whole.
const ESTABLISHES: &str = "establishes";

/// Most objects that one directive reaches: every player of a large room, and a dry run can still list them.
pub const REACHED_MAX_OBJECTS: usize = 1000;

/// What became of a body that was applied.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// What became of each directive, those inside others after the one that they are in.
    pub outcomes: Vec<Outcome>,
    /// What became of the figures of rules that were amended.
    pub rebindings: Vec<Rebinding>,
    /// The rules that it touched, with the revision that each had before; `None` where it was not in force.
    pub base: BTreeMap<Id, Option<u32>>,
}

/// What became of one directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its line, from 1.
    pub line: usize,
    /// Its words.
    pub words: String,
    /// What it did, in sentences beyond its words; or why it was not done.
    pub result: Result<Vec<String>, Refusal>,
}

/// Why a body was not applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The line of the directive that could not be done, from 1.
    pub line: usize,
    /// Its words.
    pub words: String,
    /// Why.
    pub refusal: Refusal,
}

impl Failure {
    /// The refusal, with the line.
    pub fn into_refusal(self) -> Refusal {
        Refusal { say: format!("line {}: {}", self.line, self.refusal.say), ..self.refusal }
    }
}

/// Applies a body to a room.
///
/// # Errors
///
/// Where all or nothing is to happen: the first directive that cannot be done. The draft is as it was then.
pub fn apply<G: Lawful>(body: &Body, d: &mut Draft<'_, G>, setting: &Setting<'_>) -> Result<Applied, Failure> {
    let mut work = Work {
        evaluator: Evaluator::default(),
        setting: *setting,
        posted: setting.posted.cloned().unwrap_or_else(|| Posted { rules: d.rules.clone(), ..Posted::default() }),
        applied: Applied::default(),
        moved: Vec::new(),
        failed: None,
    };
    let done = d.attempt(|d| work.all(&body.directives, d));
    match (done, work.failed) {
        (Ok(()), _) => Ok(work.applied),
        (Err(refusal), Some((line, words))) => Err(Failure { line, words, refusal }),
        (Err(refusal), None) => Err(Failure { line: 1, words: String::new(), refusal }),
    }
}

struct Work<'a> {
    evaluator: Evaluator,
    setting: Setting<'a>,
    /// What the body was posted on.
    posted: Posted,
    applied: Applied,
    /// What the directive at hand calls by another number than the one of today, in sentences.
    moved: Vec<String>,
    /// The directive that everything failed at.
    failed: Option<(usize, String)>,
}

type Said = Result<Vec<String>, Refusal>;

impl Work<'_> {
    fn all<G: Lawful>(&mut self, of: &[Directive], d: &mut Draft<'_, G>) -> Result<(), Refusal> {
        for directive in of {
            let kept = self.applied.clone();
            let place = self.applied.outcomes.len();
            let outcome = Outcome { line: directive.line, words: directive.words.clone(), result: Ok(Vec::new()) };
            self.applied.outcomes.push(outcome);
            let result = match &directive.act {
                Ok(act) => d.attempt(|d| self.one(act, d)),
                Err(why) => Err(why.clone()),
            };
            let moved = std::mem::take(&mut self.moved);
            let result = result.map(|said| moved.into_iter().chain(said).collect());
            match (&result, self.setting.mode) {
                (Err(why), Mode::AllOrNone) => {
                    self.failed.get_or_insert((directive.line, directive.words.clone()));
                    return Err(why.clone());
                }
                (Err(_), Mode::LeaveOutRefused) => {
                    let inner = self.applied.outcomes.split_off(place);
                    self.applied = kept;
                    // What stood inside of it did not happen either, and says why where it is to blame.
                    self.applied.outcomes.extend(inner);
                }
                (Ok(_), _) => {}
            }
            if let Some(outcome) = self.applied.outcomes.get_mut(place) {
                outcome.result = result;
            }
        }
        Ok(())
    }

    fn sight<G: Lawful>(&self, d: &Draft<'_, G>) -> Arc<dyn Sight> {
        Arc::new(Seen::new(d, d.at).meaning(self.meant()))
    }

    fn meant(&self) -> Meant {
        Meant { posted: self.posted.clone(), touched: self.applied.base.clone() }
    }

    /// The rule that some words of the body mean.
    fn find_rule<'d, G: Lawful>(&mut self, words: &str, d: &'d Draft<'_, G>) -> Result<&'d Rule, Refusal> {
        let rule = self.meant().rule(words, &d.rules)?;
        let then = self.posted.rules.get(rule.id()).filter(|_| !self.applied.base.contains_key(rule.id()));
        if let Some(then) = then.filter(|then| then.number() != rule.number()) {
            self.moved.push(format!("rule {} of then, {}, is rule {} now", then.number(), then.label(), rule.number()));
        }
        Ok(rule)
    }

    fn one<G: Lawful>(&mut self, act: &Act, d: &mut Draft<'_, G>) -> Said {
        match act {
            Act::CreateRule { title, number, text } => self.create_rule(title, *number, text, d),
            Act::Amend { rule, old, new } => {
                let written = G::written(d, old, new);
                let edit = amend::replace_phrase(self.find_rule(rule, d)?, old, &written)?;
                let said = self.edit(edit, d)?;
                let note = (written != *new).then(|| format!("“{new}” is written as “{written}”"));
                Ok(note.into_iter().chain(said).collect())
            }
            Act::Rewrite { rule, text } => {
                let rule = self.find_rule(rule, d)?;
                let (fields, text) = header(text, G::rule_fields())?;
                let id = rule.id().clone();
                let written = G::worded(d, Some(rule), &text);
                match amend::replace_text(rule, &written) {
                    Ok(edit) => self.edit(edit, d)?,
                    Err(why) if fields.is_empty() => return Err(why),
                    Err(_) => Vec::new(),
                };
                self.fields(&id, fields, d)?;
                Ok(named::in_figures(&text, &written))
            }
            Act::Append { rule, text } => {
                let rule = self.find_rule(rule, d)?;
                let end = rule.text().visible().len();
                let written = G::worded(d, None, text);
                let said = named::in_figures(text, &written);
                let text = if end == 0 { written } else { format!("\n\n{written}") };
                let edit = amend::replace_at(rule, end..end, &text)?;
                self.edit(edit, d)?;
                Ok(said)
            }
            Act::Retitle { rule, title } => {
                let rule = self.find_rule(rule, d)?;
                if **rule.title() == **title {
                    return Err(Refusal::new(format!("{} is called so already", rule.label())));
                }
                free_title(title, Some(rule.id()), d)?;
                let act = RuleAct::Retitle { to: title.clone(), was: rule.title().to_string() };
                let op = RuleOp::new(rule.id().clone(), act);
                self.rule(op, d)
            }
            Act::Renumber { rule, number } => {
                let rule = self.find_rule(rule, d)?;
                if rule.number() == *number {
                    return Err(Refusal::new(format!("{} has the number {number} already", rule.label())));
                }
                let (id, was) = (rule.id().clone(), rule.number());
                let moves = G::renumber(d, rule, *number)?;
                let said = self.moves(moves, d)?;
                self.rule(RuleOp::new(id, RuleAct::Renumber { to: *number, was }), d)?;
                Ok(said)
            }
            Act::Repeal { rule } => {
                let id = self.find_rule(rule, d)?.id().clone();
                self.rule(RuleOp::new(id, RuleAct::Repeal), d)
            }
            Act::Set { what, to } => self.set(what, to, d),
            Act::Define { attr, kind, spec } => self.define_attr(attr, kind, spec, d),
            Act::Undefine { attr } => undefine_attr(attr, d),
            Act::Move { up, what, by } => self.shift(*up, what, by, d),
            Act::Award { what, who } => {
                let who = self.who(who, d)?;
                let (amount, attr) = parts(what, &who, d)?;
                self.add(&who, &attr, &amount, true, d)
            }
            Act::Hand { give, what, who } => self.hand(*give, what, who, d),
            Act::Transfer { what, from, to } => self.transfer(what, from, to, d),
            Act::Create { what } => {
                let (kind, name) = kind_and_name(what, d)?;
                G::create(d, &kind, &name).map(said)
            }
            Act::Destroy { what } => {
                let gone = self.who(what, d)?;
                let mut all = Vec::new();
                for obj in gone {
                    all.extend(G::destroy(d, &obj)?);
                }
                Ok(all)
            }
            Act::Appoint { who, office } => {
                let (who, office) = match office {
                    Some(office) => (self.find(who, d)?, office.clone()),
                    None => self.who_and_office(who, d)?,
                };
                G::appoint(d, &who, unquote(&office), &self.setting).map(said)
            }
            Act::Require { that } => {
                if self.condition(that, d)? {
                    Ok(Vec::new())
                } else {
                    Err(Refusal::new(format!("“{}” does not hold", that.trim())))
                }
            }
            Act::If { that, then } => {
                if !self.condition(that, d)? {
                    if self.setting.tried {
                        self.rules_of(then, d)?;
                    }
                    return Ok(vec!["the condition does not hold, so nothing of it happens".to_owned()]);
                }
                self.all(then, d)?;
                Ok(Vec::new())
            }
            Act::Own { words, text } => G::mechanics().own(words, text.as_deref(), &self.setting, d).map(said),
        }
    }

    // --- Rules -----------------------------------------------------------------------------------------------------

    /// Emits an operation on a rule and remembers what the rule was before.
    fn rule<G: Lawful>(&mut self, op: RuleOp, d: &mut Draft<'_, G>) -> Said {
        let was = d.rules.in_force(&op.rule).map(|rule| rule.revision());
        let id = op.rule.clone();
        rule_op(d, op, &self.setting)?;
        self.applied.base.entry(id).or_insert(was);
        Ok(Vec::new())
    }

    fn edit<G: Lawful>(&mut self, edit: Edit, d: &mut Draft<'_, G>) -> Said {
        let Edit { op, text, rebindings } = edit;
        counted::<G>(&text, |key| rebindings.iter().any(|line| *line.key == *key && line.new.is_some()))?;
        self.rule(op, d)?;
        self.applied.rebindings.extend(rebindings);
        Ok(Vec::new())
    }

    fn create_rule<G: Lawful>(&mut self, title: &str, number: Option<u32>, text: &str, d: &mut Draft<'_, G>) -> Said {
        let (mut fields, source) = header(text, G::rule_fields())?;
        fields.iter_mut().for_each(|(name, value)| *value = G::field(d, name, std::mem::take(value)));
        if !title.is_empty() {
            free_title(title, None, d).map_err(|why| why.instead("=> rewrite rule …"))?;
        }
        let written = G::worded(d, None, &source);
        let noted = named::in_figures(&source, &written);
        let source = written;
        counted::<G>(&Text::parse(source.as_str()), |_| true)?;
        let Place { number, moves } = G::place(d, title, number)?;
        let title = if title.is_empty() { G::untitled(number)? } else { title.to_owned() };
        let mut said = self.moves(moves, d)?;
        if !fields.contains_key(ESTABLISHES) && G::rule_fields().contains(&ESTABLISHES) {
            let taken = heirs::subjects(&d.rules, &title, &Text::parse(source.as_str())).join(", ");
            if !taken.is_empty() {
                said.push(format!(
                    "it takes over “{taken}”, which no rule was on any more; the line “{ESTABLISHES}:” at the head of its text, with nothing behind it, says that it does not"
                ));
                fields.insert(ESTABLISHES.to_owned(), taken);
            }
        }
        let wanted = if title.is_empty() { format!("{RULE}-{number}") } else { slug(&title) };
        let id = free_id(&wanted, |id| d.rules.get(id).is_some());
        let act = RuleAct::Enact { number, title, fields, source };
        self.rule(RuleOp::new(id, act), d)?;
        Ok([format!("it becomes rule {}{number}", G::numbering())].into_iter().chain(noted).chain(said).collect())
    }

    fn moves<G: Lawful>(&mut self, moves: Vec<(Id, u32)>, d: &mut Draft<'_, G>) -> Said {
        let mut said = Vec::new();
        for (id, to) in moves {
            let Some(rule) = d.rules.in_force(&id) else { continue };
            let was = rule.number();
            said.push(format!("{} moves from {was} to {to}", rule.label()));
            self.rule(RuleOp::new(id, RuleAct::Renumber { to, was }), d)?;
        }
        Ok(said)
    }

    fn fields<G: Lawful>(&mut self, id: &Id, fields: BTreeMap<String, String>, d: &mut Draft<'_, G>) -> Said {
        for (name, value) in fields {
            let value = G::field(d, &name, value);
            let was = d.rules.get(id).and_then(|rule| rule.field(&name)).map(str::to_owned);
            let to = (!value.is_empty()).then_some(value);
            if was != to {
                self.rule(RuleOp::new(id.clone(), RuleAct::Field { name, to, was }), d)?;
            }
        }
        Ok(Vec::new())
    }

    // --- Figures and attributes ------------------------------------------------------------------------------------

    fn set<G: Lawful>(&mut self, what: &str, to: &str, d: &mut Draft<'_, G>) -> Said {
        let keys = Keys::new(G::keys());
        if let Some(key) = exact_key(&keys, unquote(what)) {
            return self.set_key(key, to, d);
        }
        if let Some((field, rule)) = header_field::<G>(what) {
            let id = self.find_rule(unquote(rule), d)?.id().clone();
            return self.fields(&id, BTreeMap::from([(field.to_owned(), unquote(to).trim().to_owned())]), d);
        }
        // What somebody has goes before figures that are only meant by some of their words.
        let whose = self.attr_of(what, d).and_then(|found| match found {
            Some((attr, who)) => {
                let paths: Result<Vec<Path>, Refusal> = who.iter().map(|obj| path(&attr, obj, d)).collect();
                paths.map(|paths| Some((who, paths)))
            }
            None => Ok(None),
        });
        let (who, paths) = match (whose, find_key(&keys, unquote(what))) {
            (Ok(Some(whose)), _) => whose,
            (_, Ok(key)) => return self.set_key(key, to, d),
            (Ok(None), Err(missing)) => return Err(unowned(what, missing, d)),
            (Err(why), Err(_)) => return Err(why),
        };
        let mut changes = Vec::new();
        for (obj, at) in who.iter().zip(paths) {
            let range = ranged(d, &at)?;
            changes.push((at, self.read(to, &range, obj, d)?));
        }
        let mut all = Vec::new();
        for (at, value) in changes {
            all.extend(G::set_value(d, &at, value)?);
        }
        Ok(all)
    }

    fn set_key<G: Lawful>(&mut self, key: &LiveKey, to: &str, d: &mut Draft<'_, G>) -> Said {
        let to = unquote(to);
        let to = match key.alone(to, &beside(key, d)) {
            Ok(written) => written.to_owned(),
            // An expression, or nothing that anybody could play by.
            Err(why) => match self.evaluator.value(to, &self.sight(d), None) {
                Ok(Value::Num(number)) => number.to_string(),
                _ => {
                    return Err(Refusal::new(format!("“{}” cannot be the {}: {why}", to.trim(), key.meaning))
                        .instead(format!("=> set {} to AMOUNT", key.key)));
                }
            },
        };
        let edit = match amend::set_figure(&d.rules, key, &to) {
            // What was posted before may have come about since, and the rest of it is still to be done.
            Err(_) if self.setting.posted.is_some() && d.rules.gives(key, &to) => {
                return Ok(vec![format!("the {} is {to} already", key.meaning)]);
            }
            edit => edit?,
        };
        self.edit(edit, d)?;
        Ok(vec![format!("the {} is {to}", key.meaning)])
    }

    fn shift<G: Lawful>(&mut self, up: bool, what: &str, by: &str, d: &mut Draft<'_, G>) -> Said {
        let Some((attr, who)) = self.attr_of(what, d)? else {
            return Err(Refusal::new(format!("“{what}” does not say whose attribute it is"))
                .instead("=> raise ATTRIBUTE of WHO by AMOUNT"));
        };
        let list = who.first().and_then(|obj| path(&attr, obj, d).ok()).and_then(|at| ranged(d, &at).ok());
        if let Some(Range::List { of, .. }) = list {
            return self.article((&who, &attr), by, &of, up, d);
        }
        self.add(&who, &attr, by, up, d)
    }

    /// Adds an article to lists, or takes one out of them.
    fn article<G: Lawful>(
        &mut self,
        (who, attr): (&[Id], &str),
        words: &str,
        of: &Range,
        add: bool,
        d: &mut Draft<'_, G>,
    ) -> Said {
        let items = define::several(words).unwrap_or_else(|| vec![words.to_owned()]);
        for obj in who {
            for words in &items {
                let (at, item) = (path(attr, obj, d)?, self.read(words, of, obj, d)?);
                G::article(d, at, item, add)?;
            }
        }
        Ok(Vec::new())
    }

    /// Adds an amount, worked out for each before the first changes.
    fn add<G: Lawful>(&mut self, who: &[Id], attr: &str, by: &str, up: bool, d: &mut Draft<'_, G>) -> Said {
        let mut changes = Vec::new();
        for (obj, by) in who.iter().zip(self.amounts(by, who, d)?) {
            changes.push((path(attr, obj, d)?, if up { by } else { -&by }));
        }
        let mut all = Vec::new();
        for (at, by) in changes {
            all.extend(G::add_value(d, &at, by)?);
        }
        Ok(all)
    }

    fn hand<G: Lawful>(&mut self, give: bool, what: &str, who: &str, d: &mut Draft<'_, G>) -> Said {
        let who = self.who(who, d)?;
        if let Ok((amount, attr)) = parts(what, &who, d)
            && !matches!(amount.to_lowercase().as_str(), "a" | "an" | "one" | "the")
        {
            return self.add(&who, &attr, &amount, give, d);
        }
        let (count, item) = self.count_and_item(what, d)?;
        let count = if give { count } else { -&count };
        let mut all = Vec::new();
        for obj in &who {
            all.extend(G::hand(d, obj, &item, &count)?);
        }
        Ok(all)
    }

    fn transfer<G: Lawful>(&mut self, what: &str, from: &str, to: &str, d: &mut Draft<'_, G>) -> Said {
        let (from, to) = (self.only(from, d)?, self.only(to, d)?);
        let both = [from.clone(), to.clone()];
        if from == to {
            return Err(Refusal::new("a transfer goes from one to another"));
        }
        if let Ok((amount, attr)) = parts(what, &both, d) {
            let amount = self.amount(&amount, Some(&from), d)?;
            if amount.is_negative() {
                return Err(Refusal::new("a transfer of less than nothing goes the other way"));
            }
            // What is taken must be there, also where a loss beyond it would take all that is.
            let at = path(&attr, &from, d)?;
            if let Value::Num(held) = d.world.value(&at) {
                G::fits(d, &at, &Value::Num(&held - &amount))?;
            }
            let mut all = said(G::add_value(d, &at, -&amount)?);
            all.extend(G::add_value(d, &path(&attr, &to, d)?, amount)?);
            return Ok(all);
        }
        let (count, item) = self.count_and_item(what, d)?;
        if count.is_negative() {
            return Err(Refusal::new("a transfer of less than nothing goes the other way"));
        }
        G::pass(d, &from, &to, &item, &count)
    }

    // --- Reading words ---------------------------------------------------------------------------------------------

    /// An expression; while it is only tried, one whose every name is something here.
    fn expression<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Expr, Refusal> {
        let expr = self.evaluator.read(words)?;
        match self.setting.tried.then(|| self.evaluator.unknown(&expr, &self.sight(d))).flatten() {
            Some(why) => Err(why),
            None => Ok(expr),
        }
    }

    /// What an expression comes to.
    fn worked_out<G: Lawful>(&self, words: &str, it: Option<&Id>, d: &Draft<'_, G>) -> Result<Value, Refusal> {
        self.evaluator.evaluate(&self.expression(words, d)?, &self.sight(d), it)
    }

    fn condition<G: Lawful>(&self, that: &str, d: &Draft<'_, G>) -> Result<bool, Refusal> {
        match self.worked_out(that, None, d)? {
            Value::Bool(holds) => Ok(holds),
            other => Err(Refusal::new(format!("a condition is yes or no, and “{}” is {other}", that.trim()))),
        }
    }

    fn amount<G: Lawful>(&self, words: &str, it: Option<&Id>, d: &Draft<'_, G>) -> Result<Num, Refusal> {
        match it {
            Some(it) => Ok(self.amounts(words, std::slice::from_ref(it), d)?.swap_remove(0)),
            None => number(words, self.worked_out(words, None, d)?),
        }
    }

    /// An amount for each of some objects, as all of them are now.
    fn amounts<G: Lawful>(&self, words: &str, of: &[Id], d: &Draft<'_, G>) -> Result<Vec<Num>, Refusal> {
        if let Ok(amount) = words.trim().parse::<Num>() {
            return Ok(vec![amount; of.len()]);
        }
        let (sight, expr) = (self.sight(d), self.expression(words, d)?);
        of.iter().map(|it| number(words, self.evaluator.evaluate(&expr, &sight, Some(it))?)).collect()
    }

    /// A value of a range: written out, or worked out.
    fn read<G: Lawful>(&self, words: &str, range: &Range, it: &Id, d: &Draft<'_, G>) -> Result<Value, Refusal> {
        if let Some(linked) = self.linked(words, range, d) {
            return Ok(linked);
        }
        let plain = define::plain(words, range);
        match (range, &plain) {
            (Range::Text | Range::Any, Some(_)) if !phrase_is_quoted(words) => {}
            (_, Some(value)) => return Ok(value.clone()),
            (_, None) => {}
        }
        let got = self.evaluator.value(words, &self.sight(d), Some(it));
        match (range, got, plain) {
            (Range::Text, Ok(Value::Text(text)), _) => Ok(Value::Text(text)),
            (Range::Text, _, Some(plain)) | (Range::Any, Err(_), Some(plain)) => Ok(plain),
            (Range::OneOf(_), Err(_), _) => {
                Err(Refusal::new(format!("“{}” is none of its values: it is {}", words.trim(), define::shown(range))))
            }
            (_, got, _) => got,
        }
    }

    /// The object that some words name. It takes steps, as looking at every object does.
    fn find<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Id, Refusal> {
        self.evaluator.charge(d.world.size())?;
        if words.len() > RULE.len()
            && let Some(rule) = self.meant().rule_object(words, d)
        {
            return Ok(rule);
        }
        let words = unquote(words);
        let posted = self.posted.names.get(&folded(words)).filter(|obj| d.world.exists(obj)).cloned();
        posted.map_or_else(|| G::find(d, words), Ok)
    }

    /// Whom some words mean: somebody, several with commas or `and` between them, or a group.
    fn who<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Vec<Id>, Refusal> {
        let words = words.trim();
        // A group is meant by its word, whoever is called so, but not where one of its own is called as the kind is.
        let kind = G::kind(d, bare(unquote(words))).filter(|_| !phrase_is_quoted(words));
        let one = folded(words);
        let one = one.strip_prefix("the ").unwrap_or(&one);
        if let Some(kind) = kind.as_ref().filter(|kind| folded(kind) == one)
            && let Ok(obj) = self.find(one, d)
            && d.world.kind(&obj) == Some(kind)
        {
            return Ok(vec![obj]);
        }
        if let Some(kind) = kind.as_ref().filter(|kind| G::says_every() && folded(kind) == one)
            && G::members(d, kind).len() > 1
        {
            return Err(Refusal::new(format!("“{words}” does not say which; each of them is “every {one}”")));
        }
        let missing = match self.find(words, d) {
            Ok(obj) if kind.is_none() => return Ok(vec![obj]),
            Ok(_) => Refusal::new(format!("“{words}” is a group")),
            Err(missing) => missing,
        };
        let group = match self.worked_out(words, None, d) {
            Ok(Value::Ref(obj)) => Ok(vec![obj]),
            Ok(Value::List(list)) => list
                .into_iter()
                .map(|value| match value {
                    Value::Ref(obj) => Ok(obj),
                    other => Err(Refusal::new(format!("“{words}” holds {other}, which is nobody and nothing here"))),
                })
                .collect(),
            Ok(other) => Err(Refusal::new(format!("“{words}” is {other}, which is nobody and nothing here"))),
            Err(why) => Err(why),
        };
        let found = group.or_else(|why| {
            let list = words.replace(" and ", ", ");
            let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
            let filtered = words.contains(" where ");
            if names.len() < 2 || filtered {
                return Err(if filtered || words.contains(['(', '.']) { why } else { missing });
            }
            names.into_iter().map(|name| self.find(name, d)).collect()
        })?;
        if found.len() > REACHED_MAX_OBJECTS {
            return Err(Refusal::new(format!("one directive reaches at most {REACHED_MAX_OBJECTS} objects")));
        }
        // In a game whose rules are no objects nothing can be done with one but to change it.
        match found.iter().find(|obj| obj.starts_with(&format!("{RULE}/")) && !d.world.exists(obj)) {
            Some(_) => Err(Refusal::new(G::changes())),
            None => Ok(found),
        }
    }

    fn only<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Id, Refusal> {
        match &self.who(words, d)?[..] {
            [only] => Ok(only.clone()),
            all => Err(Refusal::new(format!("“{words}” is {} of them, and one is needed", all.len()))),
        }
    }

    /// `ATTR of WHO`, `WHO's ATTR`, `WHO.ATTR`; `None` where the words are nothing of the kind.
    fn attr_of<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Option<(String, Vec<Id>)>, Refusal> {
        let mut why = None;
        for (attr, who) in phrase_cuts(words, &["of"]) {
            match self.who(who, d) {
                Ok(found) => return Ok(Some((unquote(attr).to_owned(), found))),
                Err(refusal) => why = why.or(Some(refusal)),
            }
        }
        let others = [words.rsplit_once("'s "), words.rsplit_once("’s "), words.rsplit_once('.')];
        for (who, attr) in others.into_iter().flatten() {
            match self.who(who, d) {
                Ok(found) => return Ok(Some((attr.trim().to_owned(), found))),
                Err(refusal) => why = why.or(Some(refusal)),
            }
        }
        why.map_or(Ok(None), Err)
    }
}

/// Refuses a text that gives figures anew in another unit than the program counts them in.
fn counted<G: Lawful>(text: &Text, anew: impl Fn(&str) -> bool) -> Result<(), Refusal> {
    miscounted(text, &Keys::new(G::keys()), anew).map_or(Ok(()), |why| Err(Refusal::new(why)))
}

#[cfg(test)]
mod tests;
