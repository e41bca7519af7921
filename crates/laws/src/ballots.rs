//! Votes on documents: who may cast which, and what they come to.
//!
//! A ballot counts and decides nothing: what the figures mean is the rule that follows `votes end`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Array, Dynamic, Map};

use kernel::{Id, Num, Path, Value, display::Document};

use super::{
    docket_decl::{BY, BallotDecl, IMPLIED, MADE, Means, ON, REVISIONS, STATE, VOTE, VOTERS, WEIGHT, WORDS},
    docket_rows::{Question, Vote},
    fault::Stop,
    fuel::looking,
    names, params,
    reads::Read,
    registry::Registry,
    run::{Mode, Run, call},
    stage::Stage,
    values::{Moment, Obj, as_number, as_object, as_text, held, number, value as kept},
    weight,
};

/// The number of a document.
pub(crate) fn number_of(doc: &Id) -> u64 {
    doc.rsplit('/').next().and_then(|tail| tail.parse().ok()).unwrap_or_default()
}

/// The kind of a document; empty where it is no more.
pub(crate) fn kind_of(stage: &dyn Stage, doc: &Id) -> String {
    stage.world().kind(doc).map(ToString::to_string).unwrap_or_default()
}

/// A value of a document.
pub(crate) fn value(stage: &dyn Stage, doc: &Id, attr: &str) -> Value {
    stage.world().value(&Path::new(doc.clone(), attr))
}

/// A value of a document that is a text.
pub(crate) fn words(stage: &dyn Stage, doc: &Id, attr: &str) -> String {
    match value(stage, doc, attr) {
        Value::Text(text) => text,
        _ => String::new(),
    }
}

/// Who made a document; nothing where e plays no more.
pub(crate) fn maker(stage: &dyn Stage, doc: &Id) -> Option<Id> {
    match value(stage, doc, BY) {
        Value::Ref(by) => Some(by),
        _ => None,
    }
}

/// How often a document was revised.
pub(crate) fn revisions(stage: &dyn Stage, doc: &Id) -> u32 {
    match value(stage, doc, REVISIONS) {
        Value::Num(count) => count.to_i64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default(),
        _ => 0,
    }
}

/// What a document has for a title; nothing where it has none.
pub(crate) fn title(stage: &dyn Stage, doc: &Id) -> Option<String> {
    Some(words(stage, doc, "name")).filter(|title| !title.is_empty())
}

/// What sentences call a document of a kind.
pub(crate) fn called_kind(stage: &dyn Stage, kind: &str) -> String {
    stage.docket(kind).map_or_else(|| names::capital(kind), |docket| docket.one())
}

/// A document as a sentence calls it: `Proposal 3 (Cake)`.
pub(crate) fn labelled(stage: &dyn Stage, doc: &Id) -> String {
    let head = format!("{} {}", called_kind(stage, &kind_of(stage, doc)), number_of(doc));
    title(stage, doc).map_or_else(|| head.clone(), |title| format!("{head} ({title})"))
}

/// What a sentence calls an object: a document by its kind, number and title.
pub(crate) fn called(stage: &dyn Stage, registry: &Registry, obj: &Id) -> String {
    if registry.is_docketed(obj) { labelled(stage, obj) } else { stage.called(obj) }
}

/// What is said about a document, for the thread of its own that a network may keep.
pub(crate) fn about(stage: &dyn Stage, doc: &Id, said: Document) -> Document {
    said.about(doc.clone(), labelled(stage, doc))
}

/// Asks a function that stands among the options of a docket or ballot; nothing where there is none.
pub(crate) fn asked(
    stage: &mut dyn Stage,
    run: &mut Run,
    (kind, of, what): (&str, &str, &str),
    args: Vec<Dynamic>,
) -> Option<Result<Dynamic, Stop>> {
    let key = (kind.to_owned(), of.to_owned(), what.to_owned());
    let function = run.registry.options.get(&key)?.clone();
    let mode = std::mem::replace(&mut run.mode, Mode::Look);
    let got = looking(|| call(stage, run, &function, args));
    run.mode = mode;
    Some(got)
}

/// Asks a function of a ballot about a document.
pub(crate) fn asked_of(
    stage: &mut dyn Stage,
    run: &mut Run,
    doc: &Id,
    ballot: &BallotDecl,
    what: &str,
) -> Option<Result<Dynamic, Stop>> {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    asked(stage, run, (&ballot.kind, &ballot.name, what), args)
}

/// The ballot of a name on documents of a kind.
pub(crate) fn of<'r>(registry: &'r Registry, name: &str, kind: &str) -> Option<&'r BallotDecl> {
    registry.ballots.get(name)?.iter().map(|(_, ballot)| ballot).find(|ballot| ballot.kind == kind)
}

/// The ballots on documents of a kind.
pub(crate) fn on_kind<'r>(registry: &'r Registry, kind: &str) -> impl Iterator<Item = &'r BallotDecl> {
    registry.ballots.values().flatten().map(|(_, ballot)| ballot).filter(move |ballot| ballot.kind == kind)
}

/// The ballot on documents of a kind that is meant where none is named: by `vote`, else that of the strongest rule.
pub(crate) fn first_on<'r>(registry: &'r Registry, kind: &str) -> Option<&'r BallotDecl> {
    let all = registry.ballots.values().flatten().filter(|(_, ballot)| ballot.kind == kind);
    all.min_by_key(|(law, ballot)| (ballot.name != VOTE, *law)).map(|(_, ballot)| ballot)
}

/// A document as a vote on it names it: by its number, where the number says which is meant.
pub(crate) fn named(registry: &Registry, name: &str, doc: &Id) -> String {
    match registry.ballots.get(name).is_some_and(|all| all.len() == 1) {
        true => number_of(doc).to_string(),
        false => doc.to_string(),
    }
}

/// The documents that are voted on in ballots of a name.
pub(crate) fn open(stage: &dyn Stage, registry: &Registry, name: &str) -> Vec<Id> {
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

/// A choice as players see it.
pub(crate) fn shown(stage: &dyn Stage, choice: &Dynamic) -> String {
    as_text(choice).unwrap_or_else(|| params::shown(stage, choice))
}

/// What a vote on a document may be; nothing where it is a number.
pub(crate) fn choices(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<Array, Stop> {
    match asked_of(stage, run, doc, ballot, WORDS) {
        Some(list) => Ok(list?.try_cast::<Array>().unwrap_or_default()),
        None => Ok(ballot.cast().map(|(word, _)| Dynamic::from(word.clone())).collect()),
    }
}

/// Who has a vote on a document.
pub(crate) fn voters(
    stage: &mut dyn Stage,
    run: &mut Run,
    doc: &Id,
    ballot: &BallotDecl,
) -> Result<BTreeSet<Id>, Stop> {
    if let Some(list) = asked_of(stage, run, doc, ballot, VOTERS) {
        return Ok(list?.try_cast::<Array>().unwrap_or_default().iter().filter_map(as_object).collect());
    }
    let mut voters = BTreeSet::new();
    for kind in run.registry.kinds_of(stage, "player").unwrap_or_default() {
        let members = stage.members(&kind);
        voters.extend(members.iter().cloned());
        run.reads.note(|| Read::Members(kind, members));
    }
    Ok(voters)
}

/// Whether a document is voted on in a ballot, by its state or as a law says.
pub(crate) fn is_on(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> bool {
    let state = words(stage, doc, STATE);
    let said = asked_of(stage, run, doc, ballot, ON).and_then(Result::ok);
    ballot.on.contains(&state) || said.is_some_and(|is| is.as_bool() == Ok(true))
}

/// Whether a ballot asks a function of its law for something.
fn asks(run: &Run, ballot: &BallotDecl, what: &str) -> bool {
    run.registry.options.contains_key(&(ballot.kind.clone(), ballot.name.clone(), what.to_owned()))
}

/// A vote that counts.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    pub(crate) by: Id,
    /// As it was cast, or as its law has it of somebody who has cast none.
    pub(crate) vote: Vote,
    pub(crate) is_implied: bool,
    /// As it counts: that of whoever it defers to.
    pub(crate) counts: Vote,
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
    /// Who of them has cast one that is sealed.
    pub(crate) sealed: BTreeSet<Id>,
    /// How much weight is for, against, and neither.
    pub(crate) yes: Num,
    pub(crate) no: Num,
    pub(crate) rest: Num,
    ayes: Vec<Id>,
    noes: Vec<Id>,
    /// Weight by what was voted.
    words: Vec<(Value, Num)>,
}

/// Most voters who are named for not having voted.
const NAMED_MAX_COUNT: usize = 20;

impl Tally {
    /// It in words: `2 FOR, 1 AGAINST`; of sealed votes only how many there are.
    pub(crate) fn score(&self, stage: &dyn Stage, ballot: &BallotDecl) -> String {
        let sealed = format!("{} under seal", self.sealed.len());
        match (self.sealed.is_empty(), self.cast.is_empty()) {
            (true, _) => self.open_score(stage, ballot),
            (false, true) => sealed,
            (false, false) => format!("{}, {sealed}", self.open_score(stage, ballot)),
        }
    }

    fn open_score(&self, stage: &dyn Stage, ballot: &BallotDecl) -> String {
        if ballot.number.is_some() {
            let sum: Num = self.sum();
            return format!("{} voted, {sum} together", self.cast.len());
        }
        if !ballot.words.is_empty() {
            let all = self.of_words(ballot).map(|(word, weight)| format!("{weight} {word}"));
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
        let sealed = (!self.sealed.is_empty()).then(|| ("under seal".to_owned(), self.sealed.len() as u64));
        let open: Vec<(String, u64)> = match (ballot.words.is_empty(), self.cast.is_empty() && sealed.is_some()) {
            (_, true) => Vec::new(),
            (true, _) => self.words.iter().map(|(is, weight)| (shown(stage, &held(is)), whole(weight))).collect(),
            (false, _) => self.of_words(ballot).map(|(word, weight)| (word.to_owned(), whole(&weight))).collect(),
        };
        open.into_iter().chain(sealed).collect()
    }

    /// Who has not voted, in words.
    pub(crate) fn without_vote(&self, stage: &dyn Stage) -> String {
        let names: Vec<String> = self.missing.iter().take(NAMED_MAX_COUNT).map(|seat| stage.called(seat)).collect();
        let more = self.missing.len() - names.len();
        format!("{}{}", names.join(", "), if more > 0 { format!(" and {more} more") } else { String::new() })
    }

    /// The words of a ballot with their weight. One that defers is none where nobody defers in vain.
    fn of_words<'b>(&self, ballot: &'b BallotDecl) -> impl Iterator<Item = (&'b str, Num)> {
        let all = ballot.cast().map(|(word, means)| (word.as_str(), means, self.weight(word)));
        let told = all.filter(|(_, means, weight)| !matches!(means, Means::Defers(_)) || *weight != Num::default());
        told.map(|(word, _, weight)| (word, weight)).collect::<Vec<_>>().into_iter()
    }

    /// How much weight a word has.
    fn weight(&self, word: &str) -> Num {
        let of = self.words.iter().find(|(voted, _)| matches!(voted, Value::Text(text) if text == word));
        of.map(|(_, weight)| weight.clone()).unwrap_or_default()
    }

    fn sum(&self) -> Num {
        let numbers = self.words.iter().filter_map(|(voted, weight)| match voted {
            Value::Num(number) => Some(Num::from(number.as_rational() * weight.as_rational())),
            _ => None,
        });
        numbers.fold(Num::default(), |sum, number| &sum + &number)
    }

    /// It as laws have it.
    pub(crate) fn map(&self, stage: &dyn Stage) -> Map {
        let objects = |all: &[Id]| Dynamic::from_array(all.iter().map(|id| Dynamic::from(Obj(id.clone()))).collect());
        let row = |cast: &Cast| {
            let mut row = row(&cast.by, &cast.vote);
            row.insert("weight".into(), number(&cast.weight));
            row.insert("counts".into(), held(&cast.counts.vote));
            row.insert("mark".into(), cast.counts.mark.clone().into());
            Dynamic::from_map(row)
        };
        let both = &self.yes + &self.no;
        let share = if both == Num::default() {
            Num::default()
        } else {
            Num::from(self.yes.as_rational() / both.as_rational())
        };
        let best = self.words.iter().map(|(_, weight)| weight).max();
        let most = self.words.iter().filter(|(_, weight)| Some(weight) == best).map(|(voted, _)| held(voted));
        let words = self.words.iter().map(|(voted, weight)| (shown(stage, &held(voted)).into(), number(weight)));
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

/// All votes on a document as they were cast, and who has cast one that is sealed.
pub(crate) fn all_cast(stage: &dyn Stage, doc: &Id, ballot: &BallotDecl) -> (Question, Vec<(Id, Vote)>, BTreeSet<Id>) {
    let question = (doc.clone(), ballot.name.clone());
    let (votes, sealed) = (stage.votes(&question), stage.under_seal(&question));
    (question, votes, sealed)
}

/// Counts the votes on a document.
///
/// # Errors
///
/// What a function of its law stopped at.
pub(crate) fn tally(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<Tally, Stop> {
    let voters = voters(stage, run, doc, ballot)?;
    let mut tally = Tally::default();
    let (question, votes, sealed) = all_cast(stage, doc, ballot);
    drop(weight::charge(voters.len() + votes.len()));
    run.reads.note(|| Read::Votes(question, votes.clone(), sealed.clone()));
    let has_weight = asks(run, ballot, WEIGHT);
    let one = Num::from(1);
    let mut votes: BTreeMap<Id, Vote> = votes.into_iter().collect();
    votes.retain(|by, vote| !ballot.lacks(&vote.vote) && voters.contains(by));
    let mut implied = implied(stage, run, doc, ballot)?;
    implied.retain(|by, _| voters.contains(by) && !votes.contains_key(by) && !sealed.contains(by));
    let silent: BTreeSet<Id> = implied.keys().cloned().collect();
    votes.extend(implied);
    let leading = leading(stage, run, ballot, &votes);
    for (by, vote) in votes {
        let place = ballot.place(&vote.vote);
        let counts = match place.map(|place| &ballot.words[place].1) {
            Some(Means::Defers(office)) => leading.get(office).unwrap_or(&vote).clone(),
            _ => vote.clone(),
        };
        let weight = match has_weight {
            true => {
                let args = vec![Dynamic::from(Obj(by.clone())), Dynamic::from(Obj(doc.clone()))];
                let got = asked(stage, run, (&ballot.kind, &ballot.name, WEIGHT), args).transpose()?;
                got.as_ref().and_then(as_number).unwrap_or_default()
            }
            false => one.clone(),
        };
        match tally.words.iter_mut().find(|(voted, _)| *voted == counts.vote) {
            Some((_, sum)) => *sum = &*sum + &weight,
            None => tally.words.push((counts.vote.clone(), weight.clone())),
        }
        match ballot.place(&counts.vote).map(|place| &ballot.words[place].1) {
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
        let is_implied = silent.contains(&by);
        tally.cast.push(Cast { by, vote, is_implied, counts, weight });
    }
    tally.sealed = sealed;
    tally.sealed.retain(|by| voters.contains(by));
    let cast: BTreeSet<&Id> = tally.cast.iter().map(|cast| &cast.by).chain(&tally.sealed).collect();
    tally.missing = voters.iter().filter(|voter| !cast.contains(voter)).cloned().collect();
    tally.voters = voters;
    Ok(tally)
}

/// How those count who have cast no vote, as a law says.
fn implied(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<BTreeMap<Id, Vote>, Stop> {
    let Some(said) = asked_of(stage, run, doc, ballot, IMPLIED) else { return Ok(BTreeMap::new()) };
    let at = match value(stage, doc, MADE) {
        Value::Time(at) => at,
        _ => stage.now(),
    };
    let row = |row: Dynamic| {
        let row = row.try_cast::<Array>()?;
        let [by, word] = &row[..] else { return None };
        let vote = Vote { vote: kept(word).ok()?, mark: String::new(), at, revision: 0 };
        Some((as_object(by)?, vote)).filter(|(_, vote)| !ballot.lacks(&vote.vote))
    };
    Ok(said?.try_cast::<Array>().unwrap_or_default().into_iter().filter_map(row).collect())
}

/// The votes to which others defer, by the office of those who have cast them.
fn leading(
    stage: &dyn Stage,
    run: &mut Run,
    ballot: &BallotDecl,
    votes: &BTreeMap<Id, Vote>,
) -> BTreeMap<String, Vote> {
    let offices = ballot.words.iter().filter_map(|(_, means)| match means {
        Means::Defers(office) => Some(office),
        _ => None,
    });
    let mut leading = BTreeMap::new();
    for office in offices {
        let holders = stage.holders(office);
        let vote = holders.first().and_then(|holder| votes.get(holder));
        let is_vote = |vote: &&Vote| {
            let place = ballot.place(&vote.vote);
            place.is_some_and(|place| !matches!(ballot.words[place].1, Means::Defers(_)))
        };
        leading.extend(vote.filter(is_vote).map(|vote| (office.clone(), vote.clone())));
        run.reads.note(|| Read::Holders(office.clone(), holders));
    }
    leading
}

/// A vote as laws have it, without its weight.
pub(crate) fn row(by: &Id, vote: &Vote) -> Map {
    Map::from([
        ("by".into(), Dynamic::from(Obj(by.clone()))),
        ("vote".into(), held(&vote.vote)),
        ("mark".into(), vote.mark.clone().into()),
        ("at".into(), Dynamic::from(Moment(vote.at))),
        ("revision".into(), i64::from(vote.revision).into()),
    ])
}

/// How votes on a document stand, for whoever reads it.
pub(crate) struct Stands {
    /// It in words: `2 FOR, 1 AGAINST`.
    pub(crate) score: String,
    /// How many votes count.
    pub(crate) cast: usize,
    /// Whether everybody has voted who may.
    pub(crate) is_full: bool,
}

/// How votes on a document stand. Where all who play have one vote of some words, votes are counted and not listed: that
/// is done at each vote.
///
/// # Errors
///
/// What a function of its law stopped at.
pub(crate) fn stands(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> Result<Stands, Stop> {
    let is_sealed = !stage.under_seal(&(doc.clone(), ballot.name.clone())).is_empty();
    let is_plain = |(_, means): &(String, Means)| matches!(means, Means::For | Means::Against | Means::Neither);
    let asks_law = [VOTERS, WEIGHT, IMPLIED].into_iter().any(|what| asks(run, ballot, what));
    if is_sealed || asks_law || ballot.words.is_empty() || !ballot.words.iter().all(is_plain) {
        let tally = tally(stage, run, doc, ballot)?;
        let (score, cast) = (tally.score(stage, ballot), tally.voters.len() - tally.missing.len());
        return Ok(Stands { score, cast, is_full: tally.missing.is_empty() });
    }
    let kinds = run.registry.kinds_of(stage, "player").unwrap_or_default();
    let mut counts = vec![0_usize; ballot.words.len()];
    stage.each_vote(&(doc.clone(), ballot.name.clone()), &mut |by, vote| {
        if let Some(place) = ballot.place(&vote.vote)
            && stage.taken_for(by).is_some_and(|kind| kinds.contains(&kind))
        {
            counts[place] += 1;
        }
    });
    let cast: usize = counts.iter().sum();
    drop(weight::charge(cast));
    let score = counts.iter().zip(&ballot.words).map(|(count, (word, _))| format!("{count} {word}"));
    let voters: usize = kinds.iter().map(|kind| stage.members(kind).len()).sum();
    Ok(Stands { score: score.collect::<Vec<_>>().join(", "), cast, is_full: cast == voters })
}

/// Whether somebody has a vote on a document.
///
/// # Errors
///
/// What the function of its law stopped at that says who has.
pub(crate) fn may_vote(
    stage: &mut dyn Stage,
    run: &mut Run,
    (doc, by): (&Id, &Id),
    ballot: &BallotDecl,
) -> Result<bool, Stop> {
    if asks(run, ballot, VOTERS) {
        return Ok(voters(stage, run, doc, ballot)?.contains(by));
    }
    let kinds = run.registry.kinds_of(stage, "player").unwrap_or_default();
    Ok(stage.taken_for(by).is_some_and(|kind| kinds.contains(&kind)))
}

/// What all votes on a document come to, in words; empty where it is not voted on.
pub(crate) fn scores(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> String {
    let kind = kind_of(stage, doc);
    let registry = run.registry.clone();
    let mut all = Vec::new();
    for ballot in on_kind(&registry, &kind) {
        if let Ok(stands) = stands(stage, run, doc, ballot)
            && stands.cast > 0
        {
            all.push(stands.score);
        }
    }
    all.join("; ")
}
