//! Doing what a body says, all of it or nothing.
//!
//! Directives are done in order, so that a later one sees what an earlier one did: between two of them the rules are read
//! anew. The first that cannot be done takes the others back, unless the game leaves such ones out. The outcome of each
//! is reported.

mod attributes;
mod heirs;
mod named;
pub mod titles;
mod work;

use std::collections::BTreeMap;

use self::{
    attributes::{undefine_attr, unowned},
    named::{beside, kind_and_name, parts, path, said},
    titles::{free_id, free_title, header, header_field},
    work::{Said, Work},
};
use super::{
    applied::{Applied, Failure, Outcome},
    define,
    expr::Evaluator,
    setting::{Mode, Posted, Setting},
    sight::RULE,
    syntax::{Act, Body, Directive, unquote},
    wording::{exact_key, find_key, folded, slug},
    words::{Lawful, Place, ranged, rule_op, set},
};
use crate::Draft;
use crate::Id;
use crate::Path;
use crate::Refusal;
use crate::State;
use crate::Value;
use crate::rulebook::{Edit, Keys, LiveKey, RuleAct, RuleOp, Text, amend, units::miscounted};
use crate::world::Range;

/// The field of a header that says what a rule is on as a whole.
const ESTABLISHES: &str = "establishes";

/// Applies a body to a room.
///
/// # Errors
///
/// Where all or nothing is to happen: the first directive that cannot be done. The draft is as it was then.
pub fn apply<G: Lawful>(body: &Body, d: &mut Draft<'_, G>, setting: &Setting<'_>) -> Result<Applied, Failure> {
    d.carrying_out(setting.because, |d| apply_by_law(body, d, setting))
}

/// The same for the law of a rule that says so itself: from that its changes come, and from no document.
///
/// # Errors
///
/// As [`apply`].
pub fn apply_by_law<G: Lawful>(body: &Body, d: &mut Draft<'_, G>, setting: &Setting<'_>) -> Result<Applied, Failure> {
    let mut work = Work {
        evaluator: Evaluator::default(),
        setting: *setting,
        posted: setting.posted.cloned().unwrap_or_else(|| Posted { rules: d.rules.clone(), ..Posted::default() }),
        applied: Applied::default(),
        moved: Vec::new(),
        failed: None,
    };
    // What happens by one directive is followed when all of them are done.
    let done = d.acting(|d| d.attempt(|d| work.all(&body.directives, d)));
    match (done, work.failed) {
        (Ok(()), _) => Ok(work.applied),
        (Err(refusal), Some((line, words))) => Err(Failure { line, words, refusal }),
        (Err(refusal), None) => Err(Failure { line: 1, words: String::new(), refusal }),
    }
}

impl Work<'_> {
    fn all<G: Lawful>(&mut self, of: &[Directive], d: &mut Draft<'_, G>) -> Result<(), Refusal> {
        for directive in of {
            let kept = self.applied.clone();
            let place = self.applied.outcomes.len();
            let outcome = Outcome { line: directive.line, words: directive.words.clone(), result: Ok(Vec::new()) };
            self.applied.outcomes.push(outcome);
            let rules = d.rules.clone();
            let result = match &directive.act {
                Ok(act) => d.on_line(directive.line, |d| {
                    d.attempt(|d| {
                        let from = d.emitted();
                        let said = self.one(act, d)?;
                        // What stands in a condition is judged by itself.
                        match act {
                            Act::If { .. } => Ok(said),
                            _ => G::mechanics().judge(from, d).map(|()| said),
                        }
                    })
                }),
                Err(why) => Err(why.clone()),
            };
            // The next line is done under the rules as this one leaves them.
            if !d.rules.is_same(&rules) {
                G::mechanics().begin(d);
            }
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

    fn one<G: Lawful>(&mut self, act: &Act, d: &mut Draft<'_, G>) -> Said {
        match act {
            Act::CreateRule { title, number, text } => self.create_rule(title, *number, text, d),
            Act::Amend { rule, old, new } => {
                let rule = self.find_rule(rule, d)?;
                let lost = |new: &str| Some(amend::replace_phrase(rule, old, new).ok()?.lost());
                let written = G::worded(d, new, &lost);
                let edit = amend::replace_phrase(rule, old, &written)?;
                let said = self.edit(edit, d)?;
                let note = (written != *new).then(|| format!("“{new}” is written as “{written}”"));
                Ok(note.into_iter().chain(said).collect())
            }
            Act::Rewrite { rule, text } => {
                let rule = self.find_rule(rule, d)?;
                let (fields, text) = header(text, G::rule_fields())?;
                let id = rule.id().clone();
                let lost = |text: &str| Some(amend::replace_text(rule, text).ok()?.lost());
                let written = G::worded(d, &text, &lost);
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
                let end = rule.text().end_of_words();
                let written = G::worded(d, text, &|_| None);
                let said = named::in_figures(text, &written);
                let text = match end {
                    0 if rule.text().visible().is_empty() => written,
                    0 => format!("{written}\n\n"),
                    _ => format!("\n\n{written}"),
                };
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
                let to: u32 = number.parse().map_err(|_| Refusal::new(format!("“{number}” is no number of a rule")))?;
                if rule.number() == to {
                    return Err(Refusal::new(format!("{} has the number {number} already", rule.label())));
                }
                let (id, was) = (rule.id().clone(), rule.number());
                let moves = G::renumber(d, rule, to)?;
                let said = self.moves(moves, d)?;
                self.rule(RuleOp::new(id, RuleAct::Renumber { to, was }), d)?;
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
                let done = G::create(d, &kind, &name).map(said)?;
                // From here on the text means what it has made.
                self.posted.names.remove(&folded(&name));
                Ok(done)
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
        counted(d, &text, |key| rebindings.iter().any(|line| *line.key == *key && line.new.is_some()))?;
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
        let written = G::worded(d, &source, &|_| None);
        let noted = named::in_figures(&source, &written);
        let source = written;
        counted(d, &Text::parse(source.as_str()), |_| true)?;
        let Place { number, moves } = G::place(d, title, number)?;
        let title = if title.is_empty() { G::untitled(number)? } else { title.to_owned() };
        let mut said = self.moves(moves, d)?;
        if !fields.contains_key(ESTABLISHES) && G::rule_fields().contains(&ESTABLISHES) {
            let taken = heirs::subjects(&d.rules, &title, &Text::parse(source.as_str())).join(", ");
            if !taken.is_empty() {
                said.push(format!(
                    "it takes over “{taken}”, which no rule was on any more. The line “{ESTABLISHES}:” at the head of its text, with nothing behind it, says that it does not"
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
        let keys = Keys::of(G::mechanics().keys(d), [&d.rules]);
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
            all.extend(set(d, &at, value)?);
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
}

/// Refuses a text that gives figures anew in another unit than the program counts them in.
fn counted<G: Lawful>(state: &State<G>, text: &Text, anew: impl Fn(&str) -> bool) -> Result<(), Refusal> {
    miscounted(text, &Keys::new(G::mechanics().keys(state)), anew).map_or(Ok(()), |why| Err(Refusal::new(why)))
}

#[cfg(test)]
mod tests;
