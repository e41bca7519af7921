//! What is shown of numbered documents: each with its votes, and the list of a kind.

use std::collections::BTreeSet;

use rhai::{Array, Dynamic, Map};

use kernel::{
    Asked, Draft, Id, Instant, Num, Outcome, Path, Refusal, State, Value,
    directives::{DryRun, Post},
    display::{Bars, Block, Cell, Document, MARKS, Offer, Picture, cells},
    rulebook::diff,
    time::{between, minute},
    waiting::{End, Waiting, Wants},
    world::Op,
};

use super::{
    apply::Places,
    ballots::{
        self, Tally, about, asked, asked_of, called_kind, kind_of, labelled, maker, number_of as number, revisions,
        shown, tally, title, words,
    },
    docket_decl::{BEFORE, BallotDecl, FORESEES, HEAD, MADE, MARK, NEEDED, OFFERS, PAGE, STATE, TEXT, TURN},
    docket_rows::{Docket, Poll, Question},
    fault::Stop,
    faults, fuel,
    moments::told,
    names::{self, plural},
    natives::papers,
    registry::Registry,
    room::Hosts,
    run::{Mode, On, Run, call},
    script::explained,
    session::{look, looking, with},
    stage::Stage,
    tables::Posted,
    values::{Moment, Obj, as_number, as_object, as_text, held},
};

/// Whoever made a document, as players know em; nothing where e has left, or a law made it.
fn made_by(stage: &dyn Stage, doc: &Id) -> String {
    maker(stage, doc).map(|by| stage.called(&by)).unwrap_or_default()
}

/// The same within a sentence: ` by Ann`.
fn by(stage: &dyn Stage, doc: &Id) -> String {
    Some(made_by(stage, doc)).filter(|by| !by.is_empty()).map(|by| format!(" by {by}")).unwrap_or_default()
}

fn made_at(stage: &dyn Stage, doc: &Id) -> Instant {
    match ballots::value(stage, doc, MADE) {
        Value::Time(at) => at,
        _ => stage.now(),
    }
}

/// A title of a page: `Proposal: Cake`.
fn heading(stage: &dyn Stage, kind: &str, doc: &Id) -> String {
    let kind = called_kind(stage, kind);
    title(stage, doc).map_or_else(|| format!("{kind} {}", number(doc)), |title| format!("{kind}: {title}"))
}

/// A document as it is announced when it is made or revised: with its text, and with what may be voted.
pub(crate) fn announced(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> Document {
    let kind = kind_of(stage, doc);
    let again = if revisions(stage, doc) > 0 { ", revised" } else { "" };
    let mark = mark(stage, run, &kind, doc);
    let mut page = Document::titled(doc.to_string(), format!("{}{mark}", heading(stage, &kind, doc)))
        .para(format!("{} {}{}{again}.", called_kind(stage, &kind), number(doc), by(stage, doc)))
        .para(words(stage, doc, TEXT));
    page = breaking(stage, doc, page);
    page.offers = offers(stage, run, doc, &kind);
    about(stage, doc, page)
}

/// What a document would break, for those who vote on it.
fn breaking(stage: &dyn Stage, doc: &Id, page: Document) -> Document {
    let breaks: Vec<Cell> = stage.breaks(doc).into_iter().map(Cell::new).collect();
    if breaks.is_empty() { page } else { page.para("It would break:").with(Block::List(breaks)) }
}

/// Most buttons of one document or announcement: Discord takes 25, of which some are the program's.
pub(crate) const OFFERS_MAX_COUNT: usize = 15;

/// What a document would do if it were done now, behind what its law reckons with first.
///
/// # Errors
///
/// Where it does nothing.
pub(crate) fn foreseen(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> Result<DryRun, Refusal> {
    let first = reckoned(stage, run, doc);
    stage.foreseen(doc, &first)
}

/// What is added to values before a document is tried, as its law says.
fn reckoned(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> Vec<(Path, Num)> {
    let kind = kind_of(stage, doc);
    let first = asked(stage, run, (&kind, "", FORESEES), vec![Dynamic::from(Obj(doc.clone()))]);
    let first = first.and_then(Result::ok).and_then(Dynamic::try_cast::<Array>).unwrap_or_default();
    let row = |row: Dynamic| {
        let row = row.try_cast::<Array>()?;
        let [of, attr, by] = &row[..] else { return None };
        Some((Path::new(as_object(of)?, as_text(attr)?.as_str()), as_number(by)?))
    };
    first.into_iter().filter_map(row).collect()
}

/// What rules add to a document beside what its docket says, the strongest rule first.
fn beside(stage: &mut dyn Stage, run: &mut Run, doc: &Id, what: &'static str) -> Vec<Dynamic> {
    let functions = run.registry.beside.get(&(kind_of(stage, doc), what)).cloned().unwrap_or_default();
    let mode = std::mem::replace(&mut run.mode, Mode::Look);
    let mut said = Vec::new();
    for function in functions {
        if faults::is_suspended(stage, &run.registry, &function) {
            continue;
        }
        said.extend(fuel::looking(|| call(stage, run, &function, vec![Dynamic::from(Obj(doc.clone()))])));
    }
    run.mode = mode;
    said
}

/// What may be voted on a document, by ballots that it is open in, and what rules offer beside.
fn offers(stage: &mut dyn Stage, run: &mut Run, doc: &Id, kind: &str) -> Vec<Offer> {
    let registry = run.registry.clone();
    let seq = stage.seq();
    let mut offers = Vec::new();
    for ballot in ballots::on_kind(&registry, kind) {
        if !ballots::is_on(stage, run, doc, ballot) {
            continue;
        }
        if stage.poll(&(doc.clone(), ballot.name.clone())).is_some_and(|poll| poll.over) {
            continue;
        }
        let line = format!("{} {}", ballot.name, ballots::named(&registry, &ballot.name, doc));
        for choice in ballots::choices(stage, run, doc, ballot).unwrap_or_default() {
            let label = shown(stage, &choice);
            let typed = if label.contains(' ') { format!("\"{label}\"") } else { label.clone() };
            offers.push(Offer::new(&label, format!("{line} {typed}"), seq));
            let marks = ballot.marks.iter().filter(|(_, word)| **word == label);
            offers.extend(
                marks.map(|(mark, _)| Offer::new(format!("{label}, {mark}"), format!("{line} {typed} {mark}"), seq)),
            );
        }
    }
    offers.extend(offers_beside(stage, run, doc));
    offers.truncate(OFFERS_MAX_COUNT);
    offers
}

/// What rules offer with a document.
pub(crate) fn offers_beside(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> Vec<Offer> {
    let all = beside(stage, run, doc, OFFERS).into_iter().filter_map(Dynamic::try_cast::<Array>).flatten();
    let offer = |offer: Array| match &offer[..] {
        [label, line] => Some(Offer::new(as_text(label)?, as_text(line)?.replace(MARKS, ""), stage.seq())),
        _ => None,
    };
    all.filter_map(Dynamic::try_cast::<Array>).filter_map(offer).collect()
}

/// Most votes that one page lists.
const VOTES_MAX_COUNT: usize = 100;

/// The votes on a document in one ballot, below it.
fn votes(
    stage: &mut dyn Stage,
    run: &mut Run,
    doc: &Id,
    ballot: &BallotDecl,
    page: Document,
) -> Result<Document, Stop> {
    let tally = tally(stage, run, doc, ballot)?;
    let poll = stage.poll(&(doc.clone(), ballot.name.clone()));
    if poll.is_none() && tally.cast.is_empty() {
        return Ok(page);
    }
    let voters = if poll.is_some() { format!(" {} can vote.", tally.voters.len()) } else { String::new() };
    let mut page =
        page.para(format!("{}: {}.{voters}", names::capital(&plural(&ballot.name)), tally.score(stage, ballot)));
    let revised = revisions(stage, doc);
    let rows = tally.cast.iter().take(VOTES_MAX_COUNT).map(|cast| {
        let said = shown(stage, &held(&cast.vote.vote));
        let mark = if cast.vote.mark.is_empty() { String::new() } else { format!(", {}", cast.vote.mark) };
        let older = match cast.is_implied {
            true => "without a vote",
            false if cast.vote.revision < revised => "on an earlier text",
            false => "",
        };
        cells![stage.called(&cast.by), format!("{said}{mark}"), older]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    page.blocks.extend(Block::table_if_any(["", &ballot.name, ""], rows));
    if tally.cast.len() > VOTES_MAX_COUNT {
        page = page.para(format!("{} more are not listed.", tally.cast.len() - VOTES_MAX_COUNT));
    }
    let Some(poll) = poll else { return Ok(page) };
    page = page.with(bars(stage, run, doc, ballot, &tally));
    if !poll.over && !tally.missing.is_empty() {
        page = page.para(format!("Without a vote so far: {}.", tally.without_vote(stage)));
    }
    Ok(match (poll.over, poll.at) {
        (true, _) => page.para("The votes are over, and no rule has made anything of that yet."),
        (false, Some(at)) => page.para(format!("The votes end {}.", told(at, stage.now()))),
        (false, None) => page,
    })
}

/// The votes as bars, the first with how much it needs.
fn bars(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl, tally: &Tally) -> Block {
    let needed = asked_of(stage, run, doc, ballot, NEEDED).and_then(Result::ok);
    let needed = needed.and_then(|is| {
        let list = is.try_cast::<rhai::Array>()?;
        let [number, word] = &list[..] else { return None };
        Some((as_number(number)?.to_u64()?, as_text(word)?))
    });
    let mut bars = tally.amounts(stage, ballot);
    bars.push(("not yet".to_owned(), tally.missing.len() as u64));
    Block::Picture(Picture::Bars(Bars { bars, needed }))
}

/// One document: text, votes, earlier texts.
pub(crate) fn page(stage: &mut dyn Stage, run: &mut Run, doc: &Id) -> Result<Document, Refusal> {
    let kind = kind_of(stage, doc);
    let registry = run.registry.clone();
    let (state, by, at) = (words(stage, doc, STATE), by(stage, doc), minute(made_at(stage, doc)));
    let mark = mark(stage, run, &kind, doc);
    let mut page = Document::titled(doc.to_string(), format!("{}{mark}", heading(stage, &kind, doc)))
        .para(format!("{} {}{by}, {at}; it is {state}.", called_kind(stage, &kind), number(doc)))
        .para(words(stage, doc, TEXT));
    page = breaking(stage, doc, page);
    let docket = stage.docket(&kind).filter(|docket| docket.open.contains(&state));
    if docket.is_some() {
        page.blocks.extend(stage.moved(doc).map(Block::Para));
    }
    if docket.is_some_and(|docket| docket.dryrun) {
        let run = foreseen(stage, run, doc)?;
        if !run.outcomes.is_empty() {
            page = page.para("What it would do now:");
            page.blocks.extend(run.document().blocks);
        }
    }
    for ballot in ballots::on_kind(&registry, &kind) {
        page = votes(stage, run, doc, ballot, page).map_err(Refusal::from)?;
    }
    for said in beside(stage, run, doc, PAGE).iter().filter_map(as_text).filter(|said| !said.is_empty()) {
        page = page.para(said);
    }
    if !registry.dockets.contains_key(&kind) {
        page = page.para(format!("No rule has a law for {} now: this is kept as it was.", plural(&kind)));
    }
    page.offers = offers(stage, run, doc, &kind);
    let mut texts: Vec<String> = stage.wordings(doc);
    texts.push(words(stage, doc, TEXT));
    for (count, pair) in texts.windows(2).enumerate() {
        if let [was, is] = pair
            && let Some(block) = diff::block(was, is)
        {
            page = page.para(format!("Revision {}:", count + 1)).with(block);
        }
    }
    Ok(about(stage, doc, page))
}

/// What a law says beside the name of a document, as it stands there.
fn mark(stage: &mut dyn Stage, run: &mut Run, kind: &str, doc: &Id) -> String {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    let said = asked(stage, run, (kind, "", MARK), args).and_then(Result::ok);
    let said = said.as_ref().and_then(as_text).filter(|said| !said.is_empty());
    said.map(|said| format!(" ({said})")).unwrap_or_default()
}

/// All that is voted on, the oldest first; or what is by one command, each with what it is called there.
fn ballot(stage: &mut dyn Stage, run: &mut Run, by: Option<&str>) -> Document {
    let registry = run.registry.clone();
    let is_open = |(question, poll): &(Question, Poll)| !poll.over && by.is_none_or(|by| question.1 == by);
    let open: BTreeSet<Id> = stage.polls().into_iter().filter(is_open).map(|((doc, _), _)| doc).collect();
    let mut rows = Vec::new();
    for doc in stage.world().by_age(open) {
        let kind = kind_of(stage, &doc);
        let score = ballots::scores(stage, run, &doc);
        let label = Cell::new(labelled(stage, &doc));
        let (cell, label) = match by {
            None => (Cell::numbered(&kind, number(&doc)), label),
            Some(by) => (Cell::new(number(&doc).to_string()), label.completing(ballots::named(&registry, by, &doc))),
        };
        rows.push(cells![cell, label, made_by(stage, &doc), score]);
    }
    Document::titled(BALLOT, "What is voted on").table_or("Nothing is voted on.", ["", "what", "by", "votes"], rows)
}

/// Characters that a list shows of a text without a title.
const BEGINNING_MAX_CHARS: usize = 60;

/// How the text of a document begins.
fn beginning(stage: &dyn Stage, doc: &Id) -> String {
    let text = words(stage, doc, TEXT);
    let line = text.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(BEGINNING_MAX_CHARS).collect();
    if shown.len() < text.len() { format!("{shown}…") } else { shown }
}

/// Documents that are over, of which a list shows the latest.
const OVER_MAX_COUNT: usize = 30;

/// The documents of a kind: those that are open, the oldest first, and the latest of the others.
pub(crate) fn list(stage: &mut dyn Stage, run: &mut Run, kind: &str, open: &[String], before: Option<u64>) -> Document {
    let mut all = stage.members(&kind.into());
    all.sort_by_key(number);
    let is_open = |stage: &dyn Stage, doc: &Id| open.contains(&words(stage, doc, STATE));
    let (still, over): (Vec<Id>, Vec<Id>) = all.into_iter().partition(|doc| is_open(stage, doc));
    let mut over = over.into_iter().rev().filter(|doc| before.is_none_or(|before| number(doc) < before));
    let latest: Vec<Id> = over.by_ref().take(OVER_MAX_COUNT).collect();
    let older = over.count();
    let next = latest.last().map_or(0, number);
    let mut rows = Vec::new();
    for doc in still.iter().filter(|_| before.is_none()).chain(&latest) {
        let state = words(stage, doc, STATE);
        let is_open = open.contains(&state);
        let score = if is_open { ballots::scores(stage, run, doc) } else { String::new() };
        let stands = if score.is_empty() { state } else { format!("{state}: {score}") };
        let mark = mark(stage, run, kind, doc);
        let age = if is_open { between(made_at(stage, doc), stage.now()) } else { String::new() };
        rows.push(cells![
            Cell::numbered(kind, number(doc)),
            format!("{}{mark}", title(stage, doc).unwrap_or_else(|| beginning(stage, doc))),
            made_by(stage, doc),
            age,
            stands,
        ]);
    }
    let many = plural(kind);
    let title = stage.docket(kind).map_or_else(|| names::capital(&many), |docket| docket.many());
    let page = Document::titled(many.clone(), title);
    if rows.is_empty() {
        return page.para(match before {
            None => format!("There are no {many} yet."),
            Some(before) => format!("No {kind} before number {before} is over."),
        });
    }
    let head = asked(stage, run, (kind, "", HEAD), Vec::new()).and_then(Result::ok);
    let page = head.as_ref().and_then(as_text).into_iter().fold(page, Document::para);
    page.table(["", "what", "by", "age", "stands"], rows).going_on(older, &format!("{many}/{next}"))
}

/// What is voted on, until it is.
pub(crate) fn waits<G: Hosts>(state: &State<G>) -> Vec<Waiting> {
    if state.rows::<Docket>().is_empty() {
        return Vec::new();
    }
    let waits = look(state, state.at, |stage, run| {
        let registry = run.registry.clone();
        let mut waits = turns(stage, run);
        // What waits for somebody in particular waits for nobody's vote, who may still cast one.
        let turns: BTreeSet<String> = waits.iter().map(|wait| wait.display.clone()).collect();
        for (question, poll) in stage.polls().into_iter().filter(|(_, poll)| !poll.over) {
            let kind = kind_of(stage, &question.0);
            let Some(ballot) = ballots::of(&registry, &question.1, &kind) else { continue };
            let Ok(tally) = tally(stage, run, &question.0, ballot) else { continue };
            let until = asked_of(stage, run, &question.0, ballot, BEFORE).and_then(Result::ok);
            let until = until.and_then(Dynamic::try_cast::<Moment>).map(|moment| moment.0).or(poll.at);
            let cast = tally.cast.iter().map(|cast| (cast.by.clone(), shown(stage, &held(&cast.vote.vote))));
            waits.push(Waiting {
                display: question.0.to_string(),
                label: labelled(stage, &question.0),
                line: format!("show {}", question.0),
                until: until.map_or(End::Never, End::At),
                cast: cast.collect(),
                of: if turns.contains(&*question.0) { Vec::new() } else { tally.missing },
                wants: Wants::Votes,
            });
        }
        waits
    });
    waits.unwrap_or_default()
}

/// What waits for somebody in particular, as laws say.
fn turns(stage: &mut dyn Stage, run: &mut Run) -> Vec<Waiting> {
    let registry = run.registry.clone();
    let asks = |kind: &str| registry.options.contains_key(&(kind.to_owned(), String::new(), TURN.to_owned()));
    let mut turns = Vec::new();
    for (kind, docket) in registry.dockets.iter().filter(|(kind, _)| asks(kind)) {
        for doc in stage.members(&kind.as_str().into()) {
            if !docket.open.contains(&words(stage, &doc, STATE)) {
                continue;
            }
            let said = asked(stage, run, (kind, "", TURN), vec![Dynamic::from(Obj(doc.clone()))]);
            let Some(turn) = said.and_then(Result::ok).and_then(Dynamic::try_cast::<Map>) else { continue };
            let of = turn.get("whom").cloned().and_then(Dynamic::try_cast::<Array>).unwrap_or_default();
            turns.push(Waiting {
                display: doc.to_string(),
                label: format!(
                    "{}{}",
                    labelled(stage, &doc),
                    turn.get("what").and_then(as_text).map(|what| format!(" {what}")).unwrap_or_default()
                ),
                line: turn.get("line").and_then(as_text).unwrap_or_default().replace(MARKS, ""),
                until: End::Never,
                cast: Vec::new(),
                of: of.iter().filter_map(as_object).collect(),
                wants: Wants::Turn,
            });
        }
    }
    turns
}

// ---- displays

/// What a display is asked for, where it is one of documents.
enum Wanted {
    /// The list of a kind, from before a number.
    List(String, Vec<String>, Option<u64>),
    /// One document.
    One(Id),
    /// What one would do.
    Foreseen(u64),
    /// All that is voted on, or what is by one command.
    Ballot(Option<String>),
}

/// The display of all that is voted on, and that of what a document would do.
pub(crate) const BALLOT: &str = "ballot";
const DRY_RUN: &str = "dryrun";

/// The documents with directives that something can still become of, the oldest first of each kind.
pub(crate) fn proposed<G: Hosts>(state: &State<G>) -> Vec<Id> {
    let dockets = state.rows::<Docket>().iter().filter(|(_, Docket(docket))| docket.changes);
    let open = dockets.flat_map(|(kind, Docket(docket))| {
        let is_open = |doc: &&Id| match state.world.value(&Path::new((*doc).clone(), STATE)) {
            Value::Text(is) => docket.open.contains(&is),
            _ => false,
        };
        state.world.of_kind(kind).filter(is_open).cloned().collect::<Vec<_>>()
    });
    open.collect()
}

/// What sentences call a document of a law.
pub fn labelled_as<G: Hosts>(state: &State<G>, doc: &Id) -> String {
    look(state, state.at, |stage, _| labelled(stage, doc)).unwrap_or_else(|| doc.to_string())
}

/// What a document of a law meant by names when it was written.
pub fn post_of<'s, G: Hosts>(state: &'s State<G>, doc: &Id) -> Option<&'s Post> {
    state.row::<Posted>(doc).map(|posted| &posted.post)
}

/// Puts another text in the place of that of a document, by what is no law: votes stay, and it is announced with what
/// differs. What it would do now.
///
/// # Errors
///
/// Where no law has such documents, or the text cannot stand in one.
pub fn reword<G: Hosts>(d: &mut Draft<'_, G>, doc: &Id, text: &str, said: &str) -> Result<Vec<Block>, Refusal> {
    let none = || Refusal::new("no law has such documents now").instead("show");
    let done = with(d, Mode::Act, |stage, run| papers::reworded(&mut On { stage, run }, doc, text, said));
    done.ok_or_else(none)?.map_err(|why| Refusal::from(explained(*why)))
}

/// The same for whoever tries one before the vote: each with its number and its text.
pub(crate) fn waiting<G: Hosts>(state: &State<G>) -> Vec<(u64, String)> {
    let text = |doc: Id| match state.world.value(&Path::new(doc.clone(), TEXT)) {
        Value::Text(text) => Some((number(&doc), text)),
        _ => None,
    };
    proposed(state).into_iter().filter_map(text).collect()
}

/// The document with directives that has a number, while something can still become of it.
fn proposed_as<G: Hosts>(state: &State<G>, wanted: u64) -> Result<Id, Refusal> {
    let is_it = |doc: &Id| number(doc) == wanted;
    proposed(state).into_iter().find(is_it).ok_or_else(|| {
        let dockets = state.rows::<Docket>().iter().filter(|(_, Docket(docket))| docket.changes);
        let kinds: Vec<&str> = dockets.map(|(kind, _)| kind.as_str()).collect();
        let none = Refusal::new(format!("there is no {} {wanted} that is open", kinds.join(" or ")));
        kinds.first().map_or(none.clone(), |kind| none.instead(format!("show {}", plural(kind))))
    })
}

/// The room as it would be if what a document says were done now.
///
/// # Errors
///
/// Where there is no such document, or it would do nothing.
pub(crate) fn passed<G: Hosts>(state: &State<G>, wanted: u64) -> Result<State<G>, Refusal> {
    let doc = proposed_as(state, wanted)?;
    let first = look(state, state.at, |stage, run| reckoned(stage, run, &doc)).unwrap_or_default();
    kit::effects::passed(state, |d| {
        first.into_iter().for_each(|(at, by)| d.op(Op::Add { at, by }));
        let text = words(d, &doc, TEXT);
        Stage::directives(d, &text, &Places::default(), (&Id::default(), Some(&doc)), false).map(drop)
    })
}

fn wanted<G: Hosts>(state: &State<G>, id: &str) -> Option<Wanted> {
    let (head, rest) = id.split_once('/').unwrap_or((id, ""));
    let dockets = state.rows::<Docket>();
    if dockets.is_empty() {
        return None;
    }
    if head == DRY_RUN {
        return rest.parse().ok().map(Wanted::Foreseen);
    }
    if head == BALLOT {
        return Some(Wanted::Ballot((!rest.is_empty()).then(|| rest.to_owned())));
    }
    if dockets.contains_key(head) && !rest.is_empty() {
        return Some(Wanted::One(format!("{head}/{rest}").into()));
    }
    let (kind, Docket(docket)) = dockets.iter().find(|(kind, _)| plural(kind) == head)?;
    let before = if rest.is_empty() { None } else { Some(rest.parse().ok()?) };
    Some(Wanted::List(kind.clone(), docket.open.clone(), before))
}

/// Whether a display is one of documents.
pub(crate) fn knows<G: Hosts>(state: &State<G>, id: &str) -> bool {
    wanted(state, id).is_some()
}

/// The lists of documents, for the list of displays.
pub(crate) fn pages<G: Hosts>(state: &State<G>) -> impl Iterator<Item = Cell> + '_ {
    state.rows::<Docket>().iter().map(|(kind, Docket(docket))| {
        let many = plural(kind);
        Cell::new(docket.many()).completing(many.clone()).showing(many)
    })
}

/// A display of documents; nothing where it is none.
pub(crate) fn show<G: Hosts>(state: &State<G>, asked: Asked<'_>) -> Option<Outcome> {
    let wanted = wanted(state, asked.rest)?;
    let shows = |stage: &mut dyn Stage, run: &mut Run| match &wanted {
        Wanted::List(kind, open, before) => Ok(list(stage, run, kind, open, *before)),
        Wanted::One(doc) if stage.world().exists(doc) => page(stage, run, doc),
        Wanted::Foreseen(wanted) => {
            let doc = &proposed_as(state, *wanted)?;
            let title = format!("Dry run of {}", labelled(stage, doc));
            let page = Document::titled(format!("{DRY_RUN}/{}", number(doc)), title);
            let moved = stage.moved(doc).map(Block::Para);
            let blocks = moved.into_iter().chain(foreseen(stage, run, doc)?.document().blocks).collect();
            Ok(Document { blocks, ..page })
        }
        Wanted::Ballot(by) => Ok(ballot(stage, run, by.as_deref())),
        Wanted::One(doc) => {
            let (kind, number) = doc.split_once('/').unwrap_or_default();
            Err(Refusal::new(format!("there is no {kind} {number}")).instead(format!("show {}", plural(kind))))
        }
    };
    let shown = look(state, asked.viewer.now, shows);
    let shown = shown.unwrap_or_else(|| bare(state, asked.viewer.now, shows));
    Some(shown.map(|mut page| {
        state.frame.redaction_of_kept().seen(&mut page);
        page
    }))
}

/// The same where no law is in force.
fn bare<G: Hosts, T>(state: &State<G>, now: Instant, does: impl FnOnce(&mut dyn Stage, &mut Run) -> T) -> T {
    looking(state, now, |d| {
        let mut run = Run::new(std::sync::Arc::new(Registry::default()), Mode::Look, d);
        does(d, &mut run)
    })
}
