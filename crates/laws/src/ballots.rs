//! Votes on documents: who may cast which, until when, and what they come to.
//!
//! A ballot counts and decides nothing: what the figures mean is the rule that follows `votes end`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Array, Dynamic, FnPtr, Map};
use serde::{Deserialize, Serialize};

use kernel::{
    Draft, Id, Instant, Num, Refusal, State, Value,
    directives::wording::folded,
    display::Document,
    draft::Payer,
    entry::{Audience, Due},
    table::Row,
    time::seconds_after,
    world::SCOPES,
};

use super::{
    declared::{ActDecl, ParamDecl},
    docket_page::{about, labelled},
    dockets::{self, STATE, asked},
    fault::{Given, Stop, faulty, stopped},
    moments::{Until, instant_after, told},
    natives, params, play,
    registry::Registry,
    room::Hosts,
    run::{Happening, Mode, On, Run},
    session::with,
    stage::Stage,
    tables::Enacted,
    values::{Args, Moment, Obj, as_number, as_object, as_text, held, number, same, value},
    weight,
};

/// What a ballot asks functions of its law for.
pub(crate) const WORDS: &str = "words";
pub(crate) const VOTERS: &str = "voters";
pub(crate) const WEIGHT: &str = "weight";
pub(crate) const LATEST: &str = "latest";
pub(crate) const EARLY: &str = "early";
pub(crate) const NEEDED: &str = "needed";

/// What happens when votes begin, and when their time is over.
pub(crate) const BEGIN: &str = "votes begin";
pub(crate) const END: &str = "votes end";

/// What a word of a vote means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// For it.
    For,
    /// Against it.
    Against,
    /// Neither.
    Neither,
    /// As whoever holds this office votes.
    Defers(String),
}

/// How documents of a kind are voted on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct BallotDecl {
    /// The kind of documents.
    pub kind: String,
    /// The command.
    pub name: String,
    /// The states in which a document is voted on.
    pub on: Vec<String>,
    /// The words of a vote, each with what it means; none where votes are choices or numbers.
    pub words: Vec<(String, Means)>,
    /// The bounds of a vote that is a number.
    pub number: Option<(i64, i64)>,
    /// What may be said with a vote, each with the word that it is said with.
    pub marks: BTreeMap<String, String>,
    /// Whether a vote is final.
    pub is_final: bool,
    /// How long votes last; without end where it is empty.
    pub lasts: String,
    /// Whether votes end as soon as all have voted.
    pub early: bool,
    /// How long before the end those are reminded who have not voted; not at all where it is empty.
    pub remind: String,
}

/// A vote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Vote {
    /// What it is: a word, a choice or a number.
    pub(crate) vote: Value,
    /// What was said with it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) mark: String,
    /// When it was cast.
    pub(crate) at: Instant,
    /// How often the document had been revised.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) revision: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Which document is voted on, in which ballot of it.
pub(crate) type Question = (Id, String);

impl<G> Row<G> for Vote {
    /// With whoever cast it.
    type Key = (Id, String, Id);
    const TABLE: &'static str = "law_votes";
}

/// A document that is voted on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Poll {
    /// Since when.
    pub(crate) began: Instant,
    /// How long that lasts, as its law said last.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) lasts: String,
    /// Until when, as the game's time stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Instant>,
    /// How the game counts that, where it does so in units of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) counted: Option<serde_json::Value>,
    /// When those are reminded who have not voted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) remind: Option<Instant>,
    /// Whether its time is over, and no rule has made anything of that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) over: bool,
    /// Since when no law declares its ballot: no time runs meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stands: Option<Instant>,
}

impl<G> Row<G> for Poll {
    type Key = Question;
    const TABLE: &'static str = "law_polls";

    fn told(key: &Question, was: Option<&Self>, is: Option<&Self>, _state: &State<G>) -> String {
        match (was, is) {
            (None, Some(_)) => format!("votes on {} begin", key.0),
            (Some(was), Some(is)) if is.over && !was.over => format!("votes on {} end", key.0),
            _ => String::new(),
        }
    }
}

/// The ballots of a name that laws declare, those of weaker rules last.
pub(crate) fn declared<'s, G: Hosts>(state: &'s State<G>) -> impl Iterator<Item = (&'s Id, &'s BallotDecl)> {
    state.rows::<Enacted>().iter().flat_map(|(rule, law)| law.declared.ballots.iter().map(move |is| (rule, is)))
}

/// The command by which documents are voted on in several ballots of one name.
pub(crate) fn act<'b>(name: &str, ballots: impl Iterator<Item = &'b BallotDecl> + Clone) -> ActDecl {
    let kinds: BTreeSet<&str> = ballots.clone().map(|ballot| ballot.kind.as_str()).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let mut words: Vec<&str> = Vec::new();
    for (word, _) in ballots.clone().flat_map(|ballot| &ballot.words) {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    let numbers = ballots.clone().filter_map(|ballot| ballot.number);
    let bounds = numbers.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    let is_open = ballots.clone().any(|ballot| ballot.words.is_empty() && ballot.number.is_none());
    let range = match (bounds, words.is_empty()) {
        _ if is_open => "anything".to_owned(),
        (Some((least, most)), true) => format!("whole number from {least} to {most}"),
        (Some(_), false) => "anything".to_owned(),
        (None, _) => format!("one of {}", words.join(", ")),
    };
    let param = |name: &str, range: String, optional: bool, help: &str, empty: &str| ParamDecl {
        name: name.to_owned(),
        range,
        optional,
        skips: false,
        first: String::new(),
        offers: String::new(),
        help: help.to_owned(),
        empty: empty.to_owned(),
    };
    let what = kinds.join(SCOPES);
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let on = ParamDecl {
        skips: true,
        ..param("on", format!("{article} {what}"), true, "Its number; without one, the only one that is voted on", "1")
    };
    let example = words
        .first()
        .map_or_else(|| bounds.map_or_else(|| "Ann".to_owned(), |of| of.1.to_string()), |word| (*word).to_owned());
    let mut params = vec![on, param("vote", range, false, "Your vote", &example)];
    let marks: BTreeSet<&str> = ballots.flat_map(|ballot| ballot.marks.keys()).map(String::as_str).collect();
    if !marks.is_empty() {
        let marks: Vec<&str> = marks.into_iter().collect();
        params.push(param("mark", format!("one of {}", marks.join(", ")), true, "What you say with it", ""));
    }
    ActDecl {
        name: name.to_owned(),
        params,
        who: "anybody".to_owned(),
        help: format!("Vote on {article} {what}"),
        examples: vec![format!("{name} 1 {example}")],
        ..ActDecl::default()
    }
}

/// The body of such a command.
///
/// # Errors
///
/// Where the engine takes no such function.
pub(crate) fn pointer(name: &str) -> Given<FnPtr> {
    let of = name.to_owned();
    natives::native("cast", move |lent, args| cast(lent, &of, args))
}

/// The ballot of a name on documents of a kind.
pub(crate) fn of<'r>(registry: &'r Registry, name: &str, kind: &str) -> Option<&'r BallotDecl> {
    registry.ballots.get(name)?.iter().map(|(_, ballot)| ballot).find(|ballot| ballot.kind == kind)
}

/// The ballots on documents of a kind.
pub(crate) fn on_kind<'r>(registry: &'r Registry, kind: &str) -> impl Iterator<Item = &'r BallotDecl> {
    registry.ballots.values().flatten().map(|(_, ballot)| ballot).filter(move |ballot| ballot.kind == kind)
}

/// A document as a vote on it names it: by its number, where the number says which is meant.
pub(crate) fn named(registry: &Registry, name: &str, doc: &Id) -> String {
    match registry.ballots.get(name).is_some_and(|all| all.len() == 1) {
        true => dockets::number(doc).to_string(),
        false => doc.to_string(),
    }
}

/// The documents that are voted on in ballots of a name.
fn open(stage: &dyn Stage, registry: &Registry, name: &str) -> Vec<Id> {
    let all = registry.ballots.get(name).into_iter().flatten();
    let kinds: Vec<&str> = all.map(|(_, ballot)| ballot.kind.as_str()).collect();
    let polls = stage.polls().into_iter().filter(|((_, of), poll)| of == name && !poll.over);
    let docs = polls.map(|((doc, _), _)| doc);
    docs.filter(|doc| stage.world().kind(doc).is_some_and(|kind| kinds.contains(&&**kind))).collect()
}

/// The only document that is voted on in ballots of a name, where there is one: it is meant where none is named.
pub(crate) fn only(stage: &dyn Stage, registry: &Registry, name: &str) -> Option<Id> {
    let mut all = open(stage, registry, name).into_iter();
    all.next().filter(|_| all.next().is_none())
}

/// Most documents that a refusal names.
const NAMED_MAX_COUNT: usize = 5;

/// Somebody votes on a document.
///
/// # Errors
///
/// Why e does not.
pub(crate) fn cast(lent: &mut On<'_>, name: &str, args: &Args) -> Given<()> {
    let registry = lent.run.registry.clone();
    let refused = |why: Refusal| Err(stopped(why.into()));
    let Some(by) = as_object(&args.get("by")) else {
        return refused(Refusal::new("you have no seat in this room yet").instead("join NAME"));
    };
    let Some(doc) = as_object(&args.get("on")) else {
        let open = open(lent.stage, &registry, name);
        let labels: Vec<String> = open.iter().take(NAMED_MAX_COUNT).map(|doc| labelled(lent.stage, doc)).collect();
        return refused(match open.first() {
            None => Refusal::new("nothing is voted on"),
            Some(first) => {
                let line = format!("{name} {} {}", named(&registry, name, first), shown(lent.stage, &args.get("vote")));
                Refusal::new(format!("say which of these you mean: {}", labels.join("; "))).instead(line)
            }
        });
    };
    let label = labelled(lent.stage, &doc);
    let kind = lent.stage.world().kind(&doc).map(ToString::to_string).unwrap_or_default();
    let Some(ballot) = of(&registry, name, &kind) else {
        return refused(Refusal::new(format!("“{name}” is not of {label}")).instead(format!("show {doc}")));
    };
    let question = (doc.clone(), name.to_owned());
    if lent.stage.poll(&question).is_none_or(|poll| poll.over) {
        let state = dockets::words(lent.stage, &doc, STATE);
        let why = if ballot.on.contains(&state) { "its votes are over".to_owned() } else { format!("it is {state}") };
        return refused(Refusal::new(format!("{label} is not voted on: {why}")).instead(format!("show {doc}")));
    }
    let voters = voters(lent.stage, lent.run, &doc, ballot).map_err(stopped)?;
    if !voters.contains(&by) {
        return refused(Refusal::new(format!("you have no vote on {label}")).instead(format!("show {doc}")));
    }
    let (cast, shown) = read(lent, &doc, ballot, &args.get("vote"))?;
    let mark = as_text(&args.get("mark")).unwrap_or_default();
    if let Some(word) = ballot.marks.get(&mark).filter(|word| **word != shown) {
        let line = format!("{name} {} {word} {mark}", named(&registry, name, &doc));
        return refused(Refusal::new(format!("only a vote {word} is marked “{mark}”")).instead(line));
    }
    let key = (doc.clone(), name.to_owned(), by.clone());
    let was = lent.stage.vote(&key);
    if let Some(was) = was.as_ref().filter(|_| is_final(lent, &doc, ballot)) {
        let was = params::shown(lent.stage, &held(&was.vote));
        return refused(Refusal::new(format!("you voted {was} on {label}, and the first vote counts")));
    }
    args.set("vote", held(&cast));
    args.set("was", was.as_ref().map_or(Dynamic::UNIT, |was| held(&was.vote)));
    let (at, revision) = (lent.stage.now(), dockets::revisions(lent.stage, &doc));
    lent.stage.set_vote(&key, Some(Vote { vote: cast, mark: mark.clone(), at, revision }));
    let tally = tally(lent.stage, lent.run, &doc, ballot).map_err(stopped)?;
    let (who, now) = (lent.stage.called(&by), if was.is_some() { " now" } else { "" });
    let marked = if mark.is_empty() { String::new() } else { format!(", marked {mark}") };
    let score = tally.score(lent.stage, ballot);
    let said = Document::say(format!("{who}{now} votes {shown}{marked} on {label}: {score}."));
    let said = about(lent.stage, &doc, said);
    lent.stage.say(Audience::Public, said);
    lent.run.reply = Some(Document::say(format!("Your vote on {label} is {shown}{marked}.")));
    let is_early = ballot.early && tally.missing.is_empty() || asks_early(lent, &doc, ballot)?;
    if let Some(poll) = lent.stage.poll(&question).filter(|_| is_early) {
        lent.stage.set_poll(&question, Some(Poll { at: Some(at), counted: None, remind: None, ..poll }));
    }
    Ok(())
}

/// Whether a law says that votes end now.
fn asks_early(lent: &mut On<'_>, doc: &Id, ballot: &BallotDecl) -> Given<bool> {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    let is = asked(lent.stage, lent.run, (&ballot.kind, &ballot.name, EARLY), args).transpose().map_err(stopped)?;
    Ok(is.is_some_and(|is| is.as_bool() == Ok(true)))
}

/// Whether the first vote counts.
fn is_final(lent: &mut On<'_>, doc: &Id, ballot: &BallotDecl) -> bool {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    match asked(lent.stage, lent.run, (&ballot.kind, &ballot.name, LATEST), args) {
        Some(is) => is.is_ok_and(|is| is.as_bool() == Ok(false)),
        None => ballot.is_final,
    }
}

/// What somebody votes, as it is kept and as it is shown.
fn read(lent: &mut On<'_>, doc: &Id, ballot: &BallotDecl, given: &Dynamic) -> Given<(Value, String)> {
    let text = as_text(given).unwrap_or_else(|| params::shown(lent.stage, given));
    let choices = choices(lent.stage, lent.run, doc, ballot).map_err(stopped)?;
    let shown: Vec<String> = choices.iter().map(|choice| shown(lent.stage, choice)).collect();
    let wanted = folded(&text);
    let found = choices.iter().zip(&shown).find(|(choice, shown)| same(choice, given) || folded(shown) == wanted);
    if let Some((choice, shown)) = found {
        return Ok((value(choice)?, shown.clone()));
    }
    if let Some((least, most)) = ballot.number {
        let number = as_number(given).or_else(|| text.parse().ok());
        let fits = |number: &Num| number.to_i64().is_some_and(|number| (least..=most).contains(&number));
        if let Some(number) = number.filter(fits) {
            return Ok((Value::Num(number.clone()), number.to_string()));
        }
        return Err(stopped(Refusal::new(format!("a vote is a whole number from {least} to {most}")).into()));
    }
    let label = labelled(lent.stage, doc);
    let why = format!("“{text}” is no vote on {label}: it is {}", shown.join(", "));
    let line =
        shown.first().map(|first| format!("{} {} {first}", ballot.name, named(&lent.run.registry, &ballot.name, doc)));
    Err(stopped(Refusal { instead: line, ..Refusal::new(why) }.into()))
}

/// A choice as players see it.
fn shown(stage: &dyn Stage, choice: &Dynamic) -> String {
    as_text(choice).unwrap_or_else(|| params::shown(stage, choice))
}

/// What a vote on a document may be; nothing where it is a number.
pub(crate) fn choices(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<Array, Stop> {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    match asked(stage, run, (&ballot.kind, &ballot.name, WORDS), args) {
        Some(list) => Ok(list?.try_cast::<Array>().unwrap_or_default()),
        None => Ok(ballot.words.iter().map(|(word, _)| Dynamic::from(word.clone())).collect()),
    }
}

/// Who has a vote on a document.
fn voters(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<BTreeSet<Id>, Stop> {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    if let Some(list) = asked(stage, run, (&ballot.kind, &ballot.name, VOTERS), args) {
        return Ok(list?.try_cast::<Array>().unwrap_or_default().iter().filter_map(as_object).collect());
    }
    let kinds = run.registry.kinds_of(stage, "player").unwrap_or_default();
    Ok(kinds.iter().flat_map(|kind| stage.members(kind)).collect())
}

/// A vote that counts.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    pub(crate) by: Id,
    pub(crate) vote: Vote,
    pub(crate) weight: Num,
}

/// What votes on a document come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Those of voters, in the order of their ids.
    pub(crate) cast: Vec<Cast>,
    /// Who has a vote.
    pub(crate) voters: BTreeSet<Id>,
    /// Who of them has not cast it.
    pub(crate) missing: Vec<Id>,
    /// How much weight is for, against, and neither.
    pub(crate) yes: Num,
    pub(crate) no: Num,
    pub(crate) rest: Num,
    ayes: Vec<Id>,
    noes: Vec<Id>,
    /// Weight by what was voted.
    words: Vec<(Value, Num)>,
}

impl Tally {
    /// It in words: `2 FOR, 1 AGAINST`.
    pub(crate) fn score(&self, stage: &dyn Stage, ballot: &BallotDecl) -> String {
        if ballot.number.is_some() {
            let sum: Num = self.sum();
            return format!("{} voted, {sum} together", self.cast.len());
        }
        let weight = |word: &str| {
            let of = self.words.iter().find(|(voted, _)| matches!(voted, Value::Text(text) if text == word));
            of.map(|(_, weight)| weight.clone()).unwrap_or_default()
        };
        if !ballot.words.is_empty() {
            let all = ballot.words.iter().map(|(word, _)| format!("{} {word}", weight(word)));
            return all.collect::<Vec<_>>().join(", ");
        }
        let mut all = self.words.clone();
        all.sort_by(|(_, one), (_, other)| other.cmp(one));
        let all = all.iter().map(|(voted, weight)| format!("{weight} {}", shown(stage, &held(voted))));
        let all = all.collect::<Vec<_>>().join(", ");
        if all.is_empty() { "nobody voted".to_owned() } else { all }
    }

    /// What was voted, each with its weight, as it is shown.
    pub(crate) fn amounts(&self, stage: &dyn Stage, ballot: &BallotDecl) -> Vec<(String, u64)> {
        let whole = |weight: &Num| weight.to_i64().and_then(|weight| u64::try_from(weight).ok()).unwrap_or_default();
        if ballot.words.is_empty() {
            return self.words.iter().map(|(voted, weight)| (shown(stage, &held(voted)), whole(weight))).collect();
        }
        let of = |word: &str| {
            let found = self.words.iter().find(|(voted, _)| matches!(voted, Value::Text(text) if text == word));
            found.map_or(0, |(_, weight)| whole(weight))
        };
        ballot.words.iter().map(|(word, _)| (word.clone(), of(word))).collect()
    }

    fn sum(&self) -> Num {
        let numbers = self.words.iter().filter_map(|(voted, weight)| match voted {
            Value::Num(number) => Some(Num::from(number.as_rational() * weight.as_rational())),
            _ => None,
        });
        numbers.fold(Num::default(), |sum, number| &sum + &number)
    }

    /// It as laws have it.
    pub(crate) fn map(&self) -> Map {
        let objects = |all: &[Id]| Dynamic::from_array(all.iter().map(|id| Dynamic::from(Obj(id.clone()))).collect());
        let row = |cast: &Cast| {
            Dynamic::from_map(Map::from([
                ("by".into(), Dynamic::from(Obj(cast.by.clone()))),
                ("vote".into(), held(&cast.vote.vote)),
                ("mark".into(), cast.vote.mark.clone().into()),
                ("weight".into(), number(&cast.weight)),
                ("at".into(), Dynamic::from(Moment(cast.vote.at))),
                ("revision".into(), i64::from(cast.vote.revision).into()),
            ]))
        };
        let both = &self.yes + &self.no;
        let share = if both == Num::default() {
            Num::default()
        } else {
            Num::from(self.yes.as_rational() / both.as_rational())
        };
        let best = self.words.iter().map(|(_, weight)| weight).max();
        let most = self.words.iter().filter(|(_, weight)| Some(weight) == best).map(|(voted, _)| held(voted));
        let words = self.words.iter().filter_map(|(voted, weight)| match voted {
            Value::Text(word) => Some((word.as_str().into(), number(weight))),
            Value::Ref(obj) => Some((obj.as_ref().into(), number(weight))),
            _ => None,
        });
        let voters: Vec<Id> = self.voters.iter().cloned().collect();
        Map::from([
            ("cast".into(), Dynamic::from_array(self.cast.iter().map(row).collect())),
            ("yes".into(), number(&self.yes)),
            ("no".into(), number(&self.no)),
            ("rest".into(), number(&self.rest)),
            ("share".into(), number(&share)),
            ("ayes".into(), objects(&self.ayes)),
            ("noes".into(), objects(&self.noes)),
            ("voters".into(), objects(&voters)),
            ("missing".into(), objects(&self.missing)),
            ("words".into(), Dynamic::from_map(words.collect())),
            ("most".into(), Dynamic::from_array(most.collect())),
            ("sum".into(), number(&self.sum())),
        ])
    }
}

/// Counts the votes on a document.
///
/// # Errors
///
/// What a function of its law stopped at.
pub(crate) fn tally(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<Tally, Stop> {
    let voters = voters(stage, run, doc, ballot)?;
    let mut tally = Tally::default();
    let means: BTreeMap<&str, &Means> = ballot.words.iter().map(|(word, means)| (word.as_str(), means)).collect();
    let votes = stage.votes(&(doc.clone(), ballot.name.clone()));
    drop(weight::charge(voters.len() + votes.len()));
    let has_weight = {
        let key = (ballot.kind.clone(), ballot.name.clone(), WEIGHT.to_owned());
        run.registry.options.contains_key(&key)
    };
    let one = Num::from(1);
    for (by, vote) in votes {
        // A word that is gone from the ballot counts as not cast.
        let word = if let Value::Text(word) = &vote.vote { Some(word.as_str()) } else { None };
        let is_gone = !ballot.words.is_empty() && word.is_none_or(|word| !means.contains_key(word));
        if is_gone || !voters.contains(&by) {
            continue;
        }
        let weight = match has_weight {
            true => {
                let args = vec![Dynamic::from(Obj(by.clone())), Dynamic::from(Obj(doc.clone()))];
                let got = asked(stage, run, (&ballot.kind, &ballot.name, WEIGHT), args).transpose()?;
                got.as_ref().and_then(as_number).unwrap_or_default()
            }
            false => one.clone(),
        };
        match tally.words.iter_mut().find(|(voted, _)| *voted == vote.vote) {
            Some((_, sum)) => *sum = &*sum + &weight,
            None => tally.words.push((vote.vote.clone(), weight.clone())),
        }
        let is = word.and_then(|word| means.get(word)).map(|means| meant(stage, doc, ballot, means));
        match is {
            Some(Means::For) => {
                tally.yes = &tally.yes + &weight;
                tally.ayes.push(by.clone());
            }
            Some(Means::Against) => {
                tally.no = &tally.no + &weight;
                tally.noes.push(by.clone());
            }
            _ => tally.rest = &tally.rest + &weight,
        }
        tally.cast.push(Cast { by, vote, weight });
    }
    let cast: BTreeSet<&Id> = tally.cast.iter().map(|cast| &cast.by).collect();
    tally.missing = voters.iter().filter(|voter| !cast.contains(voter)).cloned().collect();
    tally.voters = voters;
    Ok(tally)
}

/// What a word means that may defer to whoever holds an office.
fn meant(stage: &dyn Stage, doc: &Id, ballot: &BallotDecl, means: &Means) -> Means {
    let Means::Defers(office) = means else { return means.clone() };
    let holder = stage.holder(office);
    let vote = holder.and_then(|holder| stage.vote(&(doc.clone(), ballot.name.clone(), holder)));
    let means = vote.and_then(|vote| {
        let of = |(word, _): &&(String, Means)| matches!(&vote.vote, Value::Text(text) if text == word);
        ballot.words.iter().find(of).map(|(_, means)| means.clone())
    });
    means.filter(|means| !matches!(means, Means::Defers(_))).unwrap_or(Means::Neither)
}

/// What all votes on a document come to, in words; empty where it is not voted on.
pub(crate) fn scores(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> String {
    let kind = stage.world().kind(doc).map(ToString::to_string).unwrap_or_default();
    let registry = run.registry.clone();
    let mut all = Vec::new();
    for ballot in on_kind(&registry, &kind) {
        if let Ok(tally) = tally(stage, run, doc, ballot)
            && !tally.cast.is_empty()
        {
            all.push(tally.score(stage, ballot));
        }
    }
    all.join("; ")
}

// ---- time

/// What keys of the ends of votes begin with, and those of their reminders.
pub(crate) const POLL_KEY: &str = "law-poll/";
pub(crate) const REMIND_KEY: &str = "law-remind/";

/// What falls due with votes: their ends, and reminders before those.
pub(crate) fn coming<G: Hosts>(state: &State<G>, rank: u8) -> Vec<Due> {
    let polls = state.rows::<Poll>().iter().filter(|(_, poll)| !poll.over && poll.stands.is_none());
    let due = |begins: &str, (doc, name): &Question, at: Instant| Due {
        at,
        rank,
        key: format!("{begins}{doc}|{name}").into(),
    };
    polls
        .flat_map(|(question, poll)| {
            let end = poll.at.map(|at| due(POLL_KEY, question, at));
            let remind = poll.remind.map(|at| due(REMIND_KEY, question, at));
            end.into_iter().chain(remind)
        })
        .collect()
}

/// What votes something is that is due; nothing where it is none of votes.
pub(crate) fn question(due: &Due) -> Option<Question> {
    let of = due.key.strip_prefix(POLL_KEY).or_else(|| due.key.strip_prefix(REMIND_KEY))?;
    let (doc, name) = of.rsplit_once('|')?;
    Some((doc.into(), name.to_owned()))
}

/// Ends the votes on a document, or reminds those who have not voted.
pub(crate) fn do_due<G: Hosts>(due: &Due, question: &Question, d: &mut Draft<'_, G>) {
    let reminds = due.key.starts_with(REMIND_KEY);
    let kind = d.world.kind(&question.0).map(ToString::to_string).unwrap_or_default();
    let rule = declared(&**d).find(|(_, ballot)| ballot.name == question.1 && ballot.kind == kind);
    if let Some((rule, _)) = rule {
        d.payer = Payer::Rule(rule.clone());
    }
    with(d, Mode::Act, |stage, run| {
        play::settle(stage, run);
        let Some(poll) = stage.poll(question) else { return };
        let registry = run.registry.clone();
        let Some(ballot) = of(&registry, &question.1, &kind) else { return };
        if reminds {
            stage.set_poll(question, Some(Poll { remind: None, ..poll }));
            return remind(stage, run, &question.0, ballot);
        }
        stage.set_poll(question, Some(Poll { over: true, remind: None, ..poll }));
        let args = Map::from([
            ("on".into(), Dynamic::from(Obj(question.0.clone()))),
            ("name".into(), question.1.clone().into()),
        ]);
        run.queue.push_back(Happening::now(stage, END.to_owned(), args));
        play::follow(stage, run);
        let state = dockets::words(stage, &question.0, STATE);
        if stage.world().exists(&question.0) && ballot.on.contains(&state) {
            let (label, score) = (labelled(stage, &question.0), scores(stage, run, &question.0));
            let score = if score.is_empty() { "nobody voted".to_owned() } else { score };
            let said = format!("The votes on {label} are over: {score}. No rule has made anything of that yet.");
            let said = about(stage, &question.0, Document::say(said));
            stage.say(Audience::Public, said);
        }
    });
}

/// Most voters whom a reminder names.
const REMINDED_MAX_COUNT: usize = 20;

fn remind(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) {
    let Ok(tally) = tally(stage, run, doc, ballot) else { return };
    let Some(poll) = stage.poll(&(doc.clone(), ballot.name.clone())) else { return };
    let (Some(at), false) = (poll.at, tally.missing.is_empty()) else { return };
    let names: Vec<String> = tally.missing.iter().take(REMINDED_MAX_COUNT).map(|seat| stage.called(seat)).collect();
    let more = tally.missing.len().saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (label, ends) = (labelled(stage, doc), told(at, stage.now()));
    let said = format!("The votes on {label} end {ends}. Without a vote so far: {}{more}.", names.join(", "));
    let said = about(stage, doc, Document::say(said));
    stage.say(Audience::Public, said);
}

/// When votes end that began at an instant, and when those are reminded who have not voted.
fn times(stage: &dyn Stage, began: Instant, ballot: &BallotDecl) -> (Option<Until>, Option<Instant>) {
    let wall = instant_after(began, &ballot.lasts).map(|at| Until { at: at.max(stage.now()), counted: None });
    let until = wall.or_else(|| stage.due(&ballot.lasts));
    let before = instant_after(stage.now(), &ballot.remind).map(|at| at.as_second() - stage.now().as_second());
    let remind = until.as_ref().zip(before).map(|(until, before)| seconds_after(until.at, -before));
    (until, remind.filter(|at| *at > stage.now()))
}

/// Begins and ends votes as documents come to a state and leave it, and as laws say otherwise how long votes last.
/// Whether there was anything to do.
pub(crate) fn see_to<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    if declared(&**d).next().is_none() && d.rows::<Poll>().is_empty() {
        return false;
    }
    let before = d.emitted();
    with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let (mut docs, ruled) = stage.touched();
        if ruled {
            docs.extend(stage.polls().into_iter().map(|((doc, _), _)| doc));
            let kinds: BTreeSet<&str> =
                registry.ballots.values().flatten().map(|(_, ballot)| ballot.kind.as_str()).collect();
            docs.extend(kinds.iter().flat_map(|kind| stage.members(&(*kind).into())));
        }
        for doc in docs {
            let kind = stage.world().kind(&doc).map(ToString::to_string).unwrap_or_default();
            let state = dockets::words(stage, &doc, STATE);
            for ballot in on_kind(&registry, &kind) {
                attend(stage, run, &doc, ballot, ballot.on.contains(&state), ruled);
            }
        }
        play::follow(stage, run);
    });
    stand_still(d);
    d.emitted() > before
}

/// Ends votes on documents that are no more, and stops the time of those that no law declares.
fn stand_still<G: Hosts>(d: &mut Draft<'_, G>) {
    let (docs, ruled) = Stage::touched(d);
    if docs.is_empty() && !ruled {
        return;
    }
    for (question, poll) in Stage::polls(d) {
        let Some(kind) = d.world.kind(&question.0).cloned() else {
            d.delete::<Poll>(&question);
            continue;
        };
        let is_declared = || declared(&**d).any(|(_, ballot)| ballot.name == question.1 && ballot.kind == *kind);
        if ruled && poll.stands.is_none() && !is_declared() {
            let stands = Some(d.at);
            d.put(&question, Poll { stands, ..poll });
        }
    }
}

/// Sees to one ballot on a document.
fn attend(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl, is_on: bool, ruled: bool) {
    let question = (doc.clone(), ballot.name.clone());
    let now = stage.now();
    match (stage.poll(&question), is_on) {
        (None, false) => {}
        (Some(_), false) => stage.set_poll(&question, None),
        (None, true) => {
            let (until, remind) = times(stage, now, ballot);
            let (at, counted) = until.map_or((None, None), |until| (Some(until.at), until.counted));
            let lasts = ballot.lasts.clone();
            let poll = Poll { began: now, lasts, at, counted, remind, over: false, stands: None };
            stage.set_poll(&question, Some(poll));
            let on = ("on".into(), Dynamic::from(Obj(doc.clone())));
            let args = Map::from([on, ("name".into(), ballot.name.clone().into())]);
            run.queue.push_back(Happening::now(stage, BEGIN.to_owned(), args));
        }
        (Some(mut poll), true) if ruled => {
            let was = poll.clone();
            if let Some(since) = poll.stands.take() {
                let stood = now.as_second() - since.as_second();
                poll.began = seconds_after(poll.began, stood);
                poll.at = poll.at.map(|at| seconds_after(at, stood));
                poll.remind = poll.remind.map(|at| seconds_after(at, stood));
            }
            if poll.lasts != ballot.lasts && !poll.over {
                let (until, remind) = times(stage, poll.began, ballot);
                poll.lasts.clone_from(&ballot.lasts);
                (poll.at, poll.counted) = until.map_or((None, None), |until| (Some(until.at), until.counted));
                poll.remind = remind;
                let ends = poll
                    .at
                    .map_or_else(|| "do not end by themselves".to_owned(), |at| format!("end {}", told(at, now)));
                let said = Document::say(format!("The votes on {} {ends} now.", labelled(stage, doc)));
                let said = about(stage, doc, said);
                stage.say(Audience::Public, said);
            }
            // The rules are others than when it came to nothing.
            if poll.over {
                (poll.over, poll.at) = (false, Some(now));
            }
            if poll != was {
                stage.set_poll(&question, Some(poll));
            }
        }
        (Some(_), true) => {}
    }
}

/// What falls due inside a moderator's pause, in which nobody could vote: there is as much time as there would have been.
pub(crate) fn put_off<G: Hosts>(due: &Due, question: &Question, d: &mut Draft<'_, G>) {
    let until = d.put_off(due);
    let reminds = due.key.starts_with(REMIND_KEY);
    d.edit::<Poll>(question, |poll| match reminds {
        true => poll.remind = Some(until),
        false => poll.at = Some(until),
    });
}

/// What the votes on a document come to in the ballot of this name, else in the first one. Without a ballot nobody votes.
///
/// # Errors
///
/// What a function of its law stopped at, or that there is no ballot of that name.
pub(crate) fn asked_for(lent: &mut On<'_>, doc: &Id, name: Option<&str>) -> Given<Tally> {
    let registry = lent.run.registry.clone();
    let kind = lent.stage.world().kind(doc).map(ToString::to_string).unwrap_or_default();
    match (on_kind(&registry, &kind).find(|ballot| name.is_none_or(|name| ballot.name == name)), name) {
        (Some(ballot), _) => tally(lent.stage, lent.run, doc, ballot).map_err(stopped),
        (None, Some(name)) => Err(faulty(format!("no law has the votes “{name}” on a {kind}"))),
        (None, None) => Ok(Tally::default()),
    }
}
