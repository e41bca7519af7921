//! A body while it is applied: what came of it so far, and what its words mean in the room as it is now.
//!
//! Reading words changes nothing in the room. It takes steps, of which a body has so many.

use std::sync::Arc;

use super::{
    super::{
        applied::Applied,
        define,
        expr::{Evaluator, Expr},
        seen::{Meant, Seen},
        setting::{Posted, Setting},
        sight::{Sight, rule_of},
        syntax::{Act, Directive, phrase_cuts, phrase_is_quoted, unquote},
        wording::{NOTHING, bare, folded},
        words::Lawful,
    },
    named::number,
};
use crate::Draft;
use crate::Id;
use crate::Num;
use crate::Refusal;
use crate::Value;
use crate::rulebook::Rule;
use crate::world::Range;

/// Most objects that one directive reaches: every player of a large room, and a dry run can still list them.
const REACHED_MAX_OBJECTS: usize = 1000;

/// A body while it is applied.
pub(super) struct Work<'a> {
    pub(super) evaluator: Evaluator,
    pub(super) setting: Setting<'a>,
    /// What the body was posted on.
    pub(super) posted: Posted,
    pub(super) applied: Applied,
    /// What the directive at hand calls by another number than the one of today, in sentences.
    pub(super) moved: Vec<String>,
    /// The directive that everything failed at.
    pub(super) failed: Option<(usize, String)>,
}

/// What a directive did, in sentences beyond its words.
pub(super) type Said = Result<Vec<String>, Refusal>;

impl Work<'_> {
    pub(super) fn sight<G: Lawful>(&self, d: &Draft<'_, G>) -> Arc<dyn Sight> {
        Arc::new(Seen::new(d, d.at).meaning(self.meant()))
    }

    fn meant(&self) -> Meant {
        Meant { posted: self.posted.clone(), touched: self.applied.base.clone() }
    }

    /// The rule that some words of the body mean.
    pub(super) fn find_rule<'d, G: Lawful>(&mut self, words: &str, d: &'d Draft<'_, G>) -> Result<&'d Rule, Refusal> {
        let rule = self.meant().rule(words, &d.rules)?;
        let then = self.posted.rules.get(rule.id()).filter(|_| !self.applied.base.contains_key(rule.id()));
        if let Some(then) = then.filter(|then| then.number() != rule.number()) {
            self.moved.push(format!("rule {} of then, {}, is rule {} now", then.number(), then.label(), rule.number()));
        }
        Ok(rule)
    }

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

    pub(super) fn condition<G: Lawful>(&self, that: &str, d: &Draft<'_, G>) -> Result<bool, Refusal> {
        match self.worked_out(that, None, d)? {
            Value::Bool(holds) => Ok(holds),
            other => Err(Refusal::new(format!("a condition is yes or no, and “{}” is {other}", that.trim()))),
        }
    }

    pub(super) fn amount<G: Lawful>(&self, words: &str, it: Option<&Id>, d: &Draft<'_, G>) -> Result<Num, Refusal> {
        match it {
            Some(it) => Ok(self.amounts(words, std::slice::from_ref(it), d)?.swap_remove(0)),
            None => number(words, self.worked_out(words, None, d)?),
        }
    }

    /// An amount for each of some objects, as all of them are now.
    pub(super) fn amounts<G: Lawful>(&self, words: &str, of: &[Id], d: &Draft<'_, G>) -> Result<Vec<Num>, Refusal> {
        if let Ok(amount) = words.trim().parse::<Num>() {
            return Ok(vec![amount; of.len()]);
        }
        let (sight, expr) = (self.sight(d), self.expression(words, d)?);
        of.iter().map(|it| number(words, self.evaluator.evaluate(&expr, &sight, Some(it))?)).collect()
    }

    /// A value of a range: written out, or worked out.
    pub(super) fn read<G: Lawful>(
        &self,
        words: &str,
        range: &Range,
        it: &Id,
        d: &Draft<'_, G>,
    ) -> Result<Value, Refusal> {
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
    pub(super) fn find<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Id, Refusal> {
        self.evaluator.charge(d.world.size())?;
        let meant = self.meant();
        meant.rule_object(words, d).map_or_else(|| meant.object(unquote(words), d), Ok)
    }

    /// Whom some words mean: somebody, several with commas or `and` between them, or a group.
    pub(super) fn who<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Vec<Id>, Refusal> {
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
        match found.iter().find(|obj| rule_of(obj).is_some() && !d.world.exists(obj)) {
            Some(_) => Err(Refusal::new(G::changes())),
            None => Ok(found),
        }
    }

    pub(super) fn only<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<Id, Refusal> {
        match &self.who(words, d)?[..] {
            [only] => Ok(only.clone()),
            all => Err(Refusal::new(format!("“{words}” is {} of them, and one is needed", all.len()))),
        }
    }

    /// `ATTR of WHO`, `WHO's ATTR`, `WHO.ATTR`; `None` where the words are nothing of the kind.
    pub(super) fn attr_of<G: Lawful>(
        &self,
        words: &str,
        d: &Draft<'_, G>,
    ) -> Result<Option<(String, Vec<Id>)>, Refusal> {
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

    /// A value that names an object, or several in a list that is written out. It is nothing where the range is no such
    /// or a name means none.
    pub(super) fn linked<G: Lawful>(&self, words: &str, range: &Range, d: &Draft<'_, G>) -> Option<Value> {
        match range {
            Range::Ref(_) => {
                let named = self.find(words, d).ok().map(Value::Ref);
                named.or_else(|| (folded(words) == NOTHING).then_some(Value::Null))
            }
            Range::List { of, .. } if matches!(**of, Range::Ref(_)) => {
                let articles = define::several(words)?;
                articles.iter().map(|article| self.linked(article, of, d)).collect::<Option<_>>().map(Value::List)
            }
            _ => None,
        }
    }

    /// Refuses rules that there are not, in directives that are not done now (`if`), but for those that the body makes.
    pub(super) fn rules_of<G: Lawful>(&mut self, then: &[Directive], d: &Draft<'_, G>) -> Result<(), Refusal> {
        let mut made: Vec<&str> = Vec::new();
        for directive in then {
            match directive.act.as_ref().map_err(Clone::clone)? {
                Act::CreateRule { title, .. } | Act::Retitle { title, .. } => made.push(title),
                Act::If { then, .. } => self.rules_of(then, d)?,
                Act::Amend { rule, .. }
                | Act::Rewrite { rule, .. }
                | Act::Append { rule, .. }
                | Act::Renumber { rule, .. }
                | Act::Repeal { rule }
                    if made.is_empty() =>
                {
                    self.find_rule(rule, d)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `Ann King`: somebody, and an office behind the name.
    pub(super) fn who_and_office<G: Lawful>(&self, words: &str, d: &Draft<'_, G>) -> Result<(Id, String), Refusal> {
        for (at, _) in words.match_indices(char::is_whitespace).collect::<Vec<_>>().into_iter().rev() {
            if let Ok(who) = self.find(words[..at].trim(), d) {
                return Ok((who, words[at..].trim().to_owned()));
            }
        }
        let first = words.split_whitespace().next().unwrap_or_default();
        self.find(first, d).map(|who| (who, words[first.len()..].trim().to_owned()))
    }

    /// `3 boxes`, `a box`, `boxes`.
    pub(super) fn count_and_item<G: Lawful>(&self, what: &str, d: &Draft<'_, G>) -> Result<(Num, String), Refusal> {
        let (first, rest) = what.trim().split_once(char::is_whitespace).unwrap_or((what.trim(), ""));
        let rest = unquote(rest);
        if rest.is_empty() {
            return Ok((1.into(), unquote(what).to_owned()));
        }
        if matches!(first.to_lowercase().as_str(), "a" | "an" | "one" | "the") {
            return Ok((1.into(), rest.to_owned()));
        }
        if first.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '-' | '+')) {
            return Ok((self.amount(first, None, d)?, rest.to_owned()));
        }
        Ok((1.into(), unquote(what).to_owned()))
    }
}
