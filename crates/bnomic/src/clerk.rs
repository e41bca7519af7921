//! The clerk's duties (BX9): numbers, ballots, results and displays. The bot does them in the Ministers' names as they
//! arise, unless the room leaves them to people.
//!
//! Duties left to people are owed like everything else that a Ministry owes: within a Jiffy, and the Clock waits for
//! them. The game goes on meanwhile as its rules say. Open proposals are voted on though no ballot was published, and
//! votes are counted though nobody knows the results. Ballots are made in `proposals`, results in `passing`; a late
//! Minister is met in `obligations`.

mod touched;

use std::{borrow::Cow, collections::BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    clock::hands,
    counters::{self, Counter},
    displays,
    game::{BNomic, D},
    keeping,
    law::{PREFIX, Thing, established},
    ministries::{self, posts},
    obligations::duties::{self, Task},
    passing, precedence,
    proposals::{
        self,
        status::{self, Status},
    },
    stats::{self, called},
};
use kernel::{
    Act, Id, Instant, Mechanic, Refusal, Seq, State,
    display::{Block, Cell, Document, Offer, cells},
    entry::{Audience, Change},
    table::{self, Row},
    time::minute,
    viewer::Viewer,
};
use touched::touched;

/// What a moderator's correction calls the clerk.
const PATH: &str = "clerk";

/// The ministries that do a clerk's work with proposals and with rules.
const CHANGE: &str = "Change";
const LAW: &str = "Law";

/// Under which key rooms of before keep up to which one rules have their numbers.
pub(super) const RULE: &str = "rule";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let publish = Act::new("publish", |Publish { what }, d| publish(&what, d));
    Mechanic::new("clerk")
        .table::<Left>()
        .table::<Ballot>()
        .table::<Publication>()
        .table::<Counted>()
        .table::<Numbered>()
        .act(publish.player().public("publish ballot"))
        .below(|state, display| standing(state, display.trim_matches('/')))
        .settle(settle)
        .corrects(correct)
}

kit::args! {
    /// The arguments of `publish` (BX9).
    Publish {
        /// A ballot, results, numbers, or which display.
        what: String,
    }
}

// ---- state

/// A kind of a clerk's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chore {
    /// Proposals and new rules get their numbers (4E15, 4E36).
    Numbers,
    /// A ballot is published before voting (4E15).
    Ballots,
    /// The results are published after it (4E15).
    Results,
    /// Public Displays are brought up to date (4E50).
    Displays,
}

impl Chore {
    const ALL: [Self; 4] = [Self::Numbers, Self::Ballots, Self::Results, Self::Displays];

    /// The word for it.
    fn word(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Ballots => "ballots",
            Self::Results => "results",
            Self::Displays => "displays",
        }
    }
}

/// That the room leaves a chore to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Left {}

impl Row<BNomic> for Left {
    type Key = Chore;
    const TABLE: &'static str = "left_to_people";

    fn told(chore: &Chore, _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        format!("{} are left to {}", chore.word(), if is.is_some() { "people" } else { "the bot" })
    }
}

/// The ballot that was published last in the Voting Period that runs; none before there was one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ballot {
    pub(super) lists: Vec<Id>,
}

impl Row<BNomic> for Ballot {
    type Key = ();
    const TABLE: &'static str = "ballot";

    fn told((): &(), _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        let lists =
            |ballot: &Self| format!("a ballot lists {}", kernel::display::counted(ballot.lists.len(), "proposal"));
        is.map_or_else(|| "no ballot of this Voting Period is published".to_owned(), lists)
    }
}

/// When a display was published last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Publication {
    pub(super) at: Instant,
    /// How often it was.
    pub(super) times: u64,
}

impl Row<BNomic> for Publication {
    type Key = Id;
    const TABLE: &'static str = "published";

    fn told(display: &Id, _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        is.map_or_else(String::new, |_| format!("the display {display} is published"))
    }
}

/// Up to which one rules have their numbers, while that is left to people; none while it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Numbered {
    last: u32,
}

impl Row<BNomic> for Numbered {
    type Key = ();
    const TABLE: &'static str = "numbered_rules";
}

impl Row<BNomic> for Counted {
    type Key = i64;
    const TABLE: &'static str = "unpublished_results";

    fn told(nweek: &i64, _: Option<&Self>, is: Option<&Self>, _: &State<BNomic>) -> String {
        let wait = if is.is_some() { "wait for the Chairman" } else { "wait no more" };
        format!("the results of nweek {nweek} {wait}")
    }
}

/// Results that were counted, as they are to be published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// The entry of the tally: names in it are of then.
    seq: Seq,
    /// What is to be published.
    document: Document,
}

/// The ministry that does a chore for the room; nothing where the bot does, which is also where no rule names one.
fn ministry_for(state: &State<BNomic>, chore: Chore, office: &str) -> Option<Id> {
    if !is_left(state, chore) {
        return None;
    }
    posts::find(state, office).ok()
}

/// Whether proposals get their numbers from the Chairman.
pub(super) fn leaves_numbers(state: &State<BNomic>) -> bool {
    ministry_for(state, Chore::Numbers, CHANGE).is_some()
}

/// Whether a published ballot lists all that is Open (B14.5, B14.6). The bot's always does.
pub(super) fn ballot_stands(state: &State<BNomic>) -> bool {
    if ministry_for(state, Chore::Ballots, CHANGE).is_none() {
        return true;
    }
    let ballot = state.rows::<Ballot>().get(&());
    ballot.is_some_and(|ballot| status::all(state, Status::Open).iter().all(|open| ballot.lists.contains(open)))
}

/// Whether people do a chore.
fn is_left(state: &State<BNomic>, chore: Chore) -> bool {
    state.rows::<Left>().contains_key(&chore)
}

fn chore_of(word: &str) -> Option<Chore> {
    Chore::ALL.into_iter().find(|chore| chore.word() == word)
}

fn put_ballot(d: &mut D<'_>, lists: Option<Vec<Id>>) {
    match lists {
        Some(lists) => d.put(&(), Ballot { lists }),
        None => drop(d.delete::<Ballot>(&())),
    }
}

fn published(d: &mut D<'_>, display: &Id) {
    let times = d.rows::<Publication>().get(display).map_or(0, |last| last.times) + 1;
    d.put(display, Publication { at: d.at, times });
}

/// Up to which one rules have their numbers, while that is left to people.
fn numbered(state: &State<BNomic>) -> Option<u32> {
    let last = state.row::<Numbered>(&()).map_or_else(|| counters::last(state, RULE), |rules| rules.last.into());
    u32::try_from(last).ok().filter(|last| *last > 0)
}

fn put_rules(d: &mut D<'_>, to: Option<u32>) {
    d.delete::<Counter>(&RULE.into());
    match to {
        Some(last) => d.put(&(), Numbered { last }),
        None => drop(d.delete::<Numbered>(&())),
    }
}

// ---- who does it

/// What somebody wrote of several kinds of a clerk's work: `ballots, results`, or `all`.
///
/// # Errors
///
/// A [`Refusal`] where a word means none.
pub(super) fn chores(text: &str) -> Result<Vec<Chore>, Refusal> {
    let words = text.replace(" and ", ",").to_lowercase();
    let mut chores = Vec::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match chore_of(word).or_else(|| chore_of(&format!("{word}s"))) {
            Some(chore) => chores.push(chore),
            None if ["all", "everything"].contains(&word) => chores.extend(Chore::ALL),
            None => {
                return Err(Refusal::new(format!(
                    "what can be left to people is numbers, ballots, results and displays, or all, and “{word}” is none of these"
                )));
            }
        }
    }
    Ok(chores)
}

/// Leaves something to people, or has the bot do it again, which then does what is owed of it.
pub(super) fn leave(d: &mut D<'_>, chore: Chore, to_people: bool) {
    if is_left(d, chore) == to_people {
        return;
    }
    if !to_people {
        take_back(d, chore);
    }
    match to_people {
        true => d.put(&chore, Left {}),
        false => drop(d.delete::<Left>(&chore)),
    }
    match chore {
        Chore::Numbers => {
            let last = to_people.then(|| last_rule(d));
            put_rules(d, last);
        }
        // Until now the bot has published whatever is Open.
        Chore::Ballots => {
            let listed = (to_people && hands::votes_run(d)).then(|| status::all(d, Status::Open));
            put_ballot(d, listed);
        }
        Chore::Results | Chore::Displays => {}
    }
}

/// The bot does what people owe of something.
fn take_back(d: &mut D<'_>, chore: Chore) {
    match chore {
        Chore::Numbers => {
            number_proposals(d);
            number_rules(d);
        }
        Chore::Ballots => {
            if !ballot_stands(d) || !duties::tasks(d, |task| matches!(task, Task::Ballot { .. })).is_empty() {
                publish_ballots(d);
            }
        }
        Chore::Results => publish_results(d),
        Chore::Displays => duties::did(d, |task| matches!(task, Task::Display { .. })),
    }
}

/// A moderator says who does something, outside the rules: `clerk.ballots` is `people` or `bot`, `clerk` is everything.
///
/// # Errors
///
/// A [`Refusal`] where that names nothing of a clerk's, or nobody who could do it; `None` where it is about something else.
fn correct(path: &str, to: &str, d: &mut D<'_>) -> Option<Result<(), Refusal>> {
    let which = path.strip_prefix(PATH)?;
    let chores = match which.strip_prefix('.') {
        Some(word) => chores(word),
        None if which.is_empty() => Ok(Chore::ALL.to_vec()),
        None => return None,
    };
    let to_people = match to.trim().trim_start_matches("the ").to_lowercase().as_str() {
        "people" | "minister" | "ministers" => Ok(true),
        "bot" => Ok(false),
        _ => Err(Refusal::new("a clerk's duties are done by the “bot”, or left to “people”")
            .instead("correct clerk.ballots people because we like to")),
    };
    Some(chores.and_then(|chores| {
        let to_people = to_people?;
        chores.into_iter().for_each(|chore| leave(d, chore, to_people));
        Ok(())
    }))
}

// ---- what arises

/// Lays a duty on a ministry and tells everybody how it is done.
fn owe(d: &mut D<'_>, ministry: &Id, task: Task, text: String, rule: &str) {
    let number = duties::owe(d, ministry, text.clone(), rule, task.clone());
    let post = called(d, ministry);
    let line = task.line();
    let left = duties::left(d, number);
    let said = format!("{post} is to {text} (duty {number}, {left}): “{line}”.");
    let mut document = Document::say(ministries::capital(said));
    document.offers.push(Offer::new(line.clone(), line, d.seq));
    d.say(Audience::Public, document);
}

/// The ballot of the Voting Period that begins: the bot publishes it, or the Chairman is to.
pub(super) fn voting_begins(d: &mut D<'_>) {
    let Some(change) = ministry_for(d, Chore::Ballots, CHANGE) else { return proposals::publish(d) };
    put_ballot(d, None);
    let nweek = hands::now(d).nweek;
    let rule = Thing::Proposals.rule(&d.rules);
    owe(d, &change, Task::Ballot { nweek }, format!("publish the ballot of nweek {nweek}"), &rule);
}

/// Something became Open that stands on no ballot yet (B14.5).
pub(super) fn opened(d: &mut D<'_>, proposal: &Id) {
    if ministry_for(d, Chore::Ballots, CHANGE).is_none() {
        return proposals::publish(d);
    }
    let label = status::label(d, proposal);
    d.tell_all(format!(
        "{label} is Open, and no ballot lists it: before the Chairman puts the Clock On, one is to be published that does (⁅publish ballot⁆)."
    ));
}

/// Votes are counted: the results, where the bot publishes them, and nothing where the Chairman is to.
pub(super) fn counted(d: &mut D<'_>, results: Document) -> Option<Document> {
    let Some(change) = ministry_for(d, Chore::Results, CHANGE) else { return Some(results) };
    let (nweek, seq) = (hands::now(d).nweek, d.seq);
    d.put(&nweek, Counted { seq, document: results });
    let rule = Thing::Proposals.rule(&d.rules);
    owe(d, &change, Task::Results { nweek }, format!("publish the results of nweek {nweek}"), &rule);
    None
}

/// Whether something of a clerk's was owed anew, or is not owed any more.
fn settle(d: &mut D<'_>) -> bool {
    let proposals = proposals_to_number(d);
    let rules = rules_to_number(d);
    numbers(d, Task::Proposals, CHANGE, proposals) | numbers(d, Task::Rules, LAW, rules) | abandoned(d) | shown(d)
}

/// Results wait for a Minister, and the rule on the ministry is gone: the bot publishes them.
fn abandoned(d: &mut D<'_>) -> bool {
    let waits = !d.rows::<Counted>().is_empty() && ministry_for(d, Chore::Results, CHANGE).is_none();
    if waits {
        publish_results(d);
    }
    waits
}

/// Numbers are owed, or are not any more.
fn numbers(d: &mut D<'_>, task: Task, office: &str, what: Option<String>) -> bool {
    let is_owed = !duties::tasks(d, |owed| *owed == task).is_empty();
    match (what, ministry_for(d, Chore::Numbers, office)) {
        (Some(what), Some(ministry)) if !is_owed => {
            let thing = if task == Task::Rules { Thing::Rules } else { Thing::Proposals };
            let rule = thing.rule(&d.rules);
            owe(d, &ministry, task, format!("number {what}"), &rule);
        }
        // Whoever would give them is gone with the rule on that ministry.
        (Some(_), None) if task == Task::Rules => drop(number_rules(d)),
        (Some(_), None) => drop(number_proposals(d)),
        (None, _) if is_owed => duties::did(d, |owed| *owed == task),
        _ => return false,
    }
    true
}

fn unnumbered(state: &State<BNomic>) -> Vec<Id> {
    let mut found: Vec<Id> = state
        .world
        .of_kind(stats::PROPOSAL)
        .filter(|id| state.world.get(&stats::NUMBER, id).is_none())
        .cloned()
        .collect();
    found.sort_by_key(|id| status::number(state, id));
    found
}

/// What of the proposals is to be numbered, in words.
fn proposals_to_number(state: &State<BNomic>) -> Option<String> {
    is_left(state, Chore::Numbers).then_some(())?;
    let first = unnumbered(state).into_iter().next()?;
    Some(format!("what was submitted as {}", status::number(state, &first)))
}

/// The greatest number of a rule, whether or not it is in force.
fn last_rule(state: &State<BNomic>) -> u32 {
    state.rules.all().iter().map(|rule| rule.number()).max().unwrap_or_default()
}

/// What of the rules is to be numbered, in words.
fn rules_to_number(state: &State<BNomic>) -> Option<String> {
    let last = numbered(state)?;
    let new = state.rules.all().iter().filter(|rule| rule.number() > last).map(|rule| rule.number()).min()?;
    Some(format!("the new rule that gets {PREFIX}{new}"))
}

/// Displays that were changed since they were published last are owed anew.
fn shown(d: &mut D<'_>) -> bool {
    if !is_left(d, Chore::Displays) {
        return false;
    }
    let chore = table::key(&Chore::Displays);
    let mut changed: Vec<Cow<'static, str>> = Vec::new();
    for change in d.changes() {
        match change {
            // Whatever else that entry changed, nobody had published anything before it.
            Change::Row(row) if *row.table == *Left::TABLE && row.key == chore => return false,
            Change::Row(row) if *row.table == *Publication::TABLE => {
                changed.retain(|other| row.key.as_str() != Some(&**other))
            }
            change => {
                let new: Vec<_> = touched(d, change).into_iter().filter(|display| !changed.contains(display)).collect();
                changed.extend(new);
            }
        }
    }
    let owed = duties::tasks(d, |task| matches!(task, Task::Display { .. }));
    let is_owed = |display: &str| owed.iter().any(|(_, task)| matches!(task, Task::Display { id } if **id == *display));
    changed.retain(|display| !is_owed(display));
    let rule = Thing::Displays.rule(&d.rules);
    if changed.is_empty() || established(&d.rules, Thing::Displays).is_err() {
        return false;
    }
    let mut cells = Vec::new();
    for display in changed {
        let Some(ministry) = keeping::kept_by(d, &display).and_then(|office| posts::find(d, &office).ok()) else {
            continue;
        };
        let task = Task::Display { id: (&*display).into() };
        let line = task.line();
        let number = duties::owe(d, &ministry, format!("publish the display “{display}”"), &rule, task);
        let left = duties::left(d, number);
        cells.push(Cell::new(format!("{}: “{line}” (duty {number}, {left})", called(d, &ministry))));
    }
    if cells.is_empty() {
        return false;
    }
    let document = Document::say("What displays show has changed, and they are to be published anew:");
    d.say(Audience::Public, document.with(Block::List(cells)));
    true
}

/// Whatever this entry has changed counts as published: a display that is right says it (B50.6).
pub(super) fn is_right(d: &mut D<'_>) {
    if !is_left(d, Chore::Displays) {
        return;
    }
    let shown: BTreeSet<Id> =
        d.changes().iter().flat_map(|change| touched(d, change)).map(|display| Id::from(&*display)).collect();
    for display in &shown {
        published(d, display);
    }
}

// ---- decide

/// A Minister does what a clerk would: publishes a ballot, results or a display, or gives numbers (BX9).
///
/// # Errors
///
/// A [`Refusal`] for whoever does not hold the ministry, where the bot does it, and where there is nothing to publish.
fn publish(what: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let words = what.trim().trim_end_matches('.').to_lowercase();
    let words = words.strip_prefix("the ").unwrap_or(&words);
    match chore_of(words).or_else(|| chore_of(&format!("{words}s"))) {
        Some(Chore::Numbers) => return publish_numbers(&me, d),
        Some(Chore::Ballots) => {
            holds(d, &me, Chore::Ballots, CHANGE)?;
            if !hands::votes_run(d) && duties::tasks(d, |task| matches!(task, Task::Ballot { .. })).is_empty() {
                return Err(Refusal::new("no Voting Period runs, and no ballot is owed")
                    .by(Thing::Proposals.rule(&d.rules))
                    .instead("show duties"));
            }
            tell_who(d, &me, "the ballot");
            publish_ballots(d);
        }
        Some(Chore::Results) => {
            holds(d, &me, Chore::Results, CHANGE)?;
            if d.rows::<Counted>().is_empty() {
                return Err(Refusal::new("no results wait to be published")
                    .by(Thing::Proposals.rule(&d.rules))
                    .instead("show duties"));
            }
            tell_who(d, &me, "the results");
            publish_results(d);
        }
        Some(Chore::Displays) => {
            return Err(Refusal::new("say which display")
                .by(Thing::Displays.rule(&d.rules))
                .instead("publish society"));
        }
        None => {
            let kept = keeping::named(d, words);
            publish_display(kept.as_ref().map_or(words, |kept| &*kept.display), &me, d)?;
        }
    }
    Ok(Document::say("Published."))
}

fn tell_who(d: &mut D<'_>, me: &Id, what: &str) {
    let name = called(d, me);
    d.tell_all(format!("{name} publishes {what}."));
}

/// Refuses whoever does not hold the ministry that does a chore, and where the bot does it.
fn holds(d: &D<'_>, me: &Id, chore: Chore, office: &str) -> Result<Id, Refusal> {
    let Some(ministry) = ministry_for(d, chore, office) else {
        let say = format!("the bot keeps {} here, in the Minister's name", chore.word());
        return Err(Refusal::new(say).by(Thing::Obligations.rule(&d.rules)).instead("show duties"));
    };
    if posts::minister(d, &ministry).as_ref() == Some(me) {
        return Ok(ministry);
    }
    Err(Refusal::new(format!("that is for the Minister of {}", called(d, &ministry)))
        .by(Thing::Ministries.rule(&d.rules))
        .instead("show ministries"))
}

/// Publishes a ballot of what is Open, and those of former Voting Periods that are owed.
fn publish_ballots(d: &mut D<'_>) {
    for (_, task) in duties::tasks(d, |task| matches!(task, Task::Ballot { .. })) {
        let Task::Ballot { nweek } = task else { continue };
        if nweek != hands::now(d).nweek || !hands::votes_run(d) {
            let listed = passing::counted_in(d, nweek);
            let document = proposals::ballot_of(d, nweek, &listed);
            d.say(Audience::Public, document);
        }
    }
    if hands::votes_run(d) {
        proposals::publish(d);
        let open = status::all(d, Status::Open);
        put_ballot(d, Some(open));
    }
    duties::did(d, |task| matches!(task, Task::Ballot { .. }));
}

/// Publishes all results that wait.
fn publish_results(d: &mut D<'_>) {
    for (nweek, counted) in d.rows::<Counted>().clone().iter() {
        let mut document = counted.document.clone();
        // Somebody may have been forgotten since.
        d.frame.redaction(counted.seq).document(&mut document);
        let at_seq = d.seq;
        document.offers.iter_mut().for_each(|offer| offer.at_seq = at_seq);
        d.say(Audience::Public, document);
        d.delete::<Counted>(nweek);
    }
    duties::did(d, |task| matches!(task, Task::Results { .. }));
}

/// The Chairman numbers proposals, the Rulekeeper rules.
fn publish_numbers(me: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let (change, law) = (holds(d, me, Chore::Numbers, CHANGE), holds(d, me, Chore::Numbers, LAW));
    if let (Err(why), Err(_)) = (&change, &law) {
        return Err(why.clone());
    }
    let mut given = Vec::new();
    if change.is_ok() {
        given.extend(number_proposals(d));
    }
    if law.is_ok() {
        given.extend(number_rules(d));
    }
    if given.is_empty() {
        return Err(Refusal::new("whatever you number has its number").instead("show duties"));
    }
    let name = called(d, me);
    let document = Document::say(format!("{name} gives these numbers:"));
    let document = document.with(Block::List(given.into_iter().map(Cell::new).collect()));
    d.say(Audience::Public, document);
    Ok(Document::say("Numbered."))
}

/// Gives each proposal its number that has none: greater than all before, in the order of submission (B15.8).
fn number_proposals(d: &mut D<'_>) -> Vec<String> {
    let mut given = Vec::new();
    for id in unnumbered(d) {
        let number = status::number(d, &id);
        d.set(&stats::NUMBER, &id, number);
        given.push(status::label(d, &id));
    }
    duties::did(d, |task| *task == Task::Proposals);
    given
}

/// The same for new rules: the lowest number that was never used (B36.2).
fn number_rules(d: &mut D<'_>) -> Vec<String> {
    let Some(last) = numbered(d) else { return Vec::new() };
    let new = d.rules.all().into_iter().filter(|rule| rule.number() > last);
    let given = new.map(|rule| format!("{PREFIX}{}, {}", rule.number(), rule.label())).collect();
    let last = last.max(last_rule(d));
    put_rules(d, Some(last));
    duties::did(d, |task| *task == Task::Rules);
    given
}

fn publish_display(display: &str, me: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    let office = keeping::kept_by(d, display).ok_or_else(|| {
        Refusal::new(format!("no ministry keeps a display “{display}”"))
            .by(Thing::Displays.rule(&d.rules))
            .instead("show duties")
    })?;
    holds(d, me, Chore::Displays, &office)?;
    let document = match display {
        "rules" => precedence::published(d),
        "forums" => forums(d),
        _ => displays::of(d, display, &Viewer { now: d.at, ..Viewer::default() })?,
    };
    tell_who(d, me, &format!("the display “{display}”"));
    d.say(Audience::Public, document);
    let display = Id::from(display);
    published(d, &display);
    duties::did(d, |task| matches!(task, Task::Display { id } if *id == display));
    Ok(())
}

/// The Public and Discussion Fora, which the Registrar displays (B4.1).
fn forums(state: &State<BNomic>) -> Document {
    use kernel::frame::Designation;
    let of = |designation: Designation| {
        let word = designation.word();
        state.frame.designated(designation).map(move |forum| cells![&**forum, word])
    };
    let rows = of(Designation::Public).chain(of(Designation::Discussion));
    Document::titled("forums", "Fora of B Nomic").table(["", ""], rows)
}

// ---- display

/// What is left to people, in a sentence; nothing where that is nothing.
pub(super) fn said(state: &State<BNomic>) -> Option<String> {
    let left: Vec<&str> = state.rows::<Left>().keys().map(|chore| chore.word()).collect();
    (!left.is_empty()).then(|| format!("Left to the Ministers, and not done by the bot: {}.", left.join(", ")))
}

/// How a display stands to the one that its Minister published, where that is left to people.
fn standing(state: &State<BNomic>, display: &str) -> Option<String> {
    let ministry = ministry_for(state, Chore::Displays, &keeping::kept_by(state, display)?)?;
    let is = |task: &Task| matches!(task, Task::Display { id } if **id == *display);
    if let Some((number, _)) = duties::tasks(state, is).first() {
        return Some(format!(
            "This is the bot's own view: {} is to publish what has changed (duty {number}).",
            called(state, &ministry)
        ));
    }
    let at = state.rows::<Publication>().get(display)?.at;
    Some(format!("Published by {} at {}; no more of it is owed.", called(state, &ministry), minute(at)))
}
