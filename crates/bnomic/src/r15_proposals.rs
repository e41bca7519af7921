//! Proposals (4E15): submission, revision, withdrawal, and the documents that list them.
//!
//! A proposal is an object of the registry with the attributes that the rule gives it. Its conflicts and dependencies
//! stand in lines at the head of its text, so that a resubmission without them leaves them empty (B15.6). Votes stand
//! in `voting`, the tally in `tally`, passing in `passing`.

mod head;
mod held;
pub(super) mod status;

pub(super) use self::held::Held;
use super::{
    clock::hands,
    effects::carried_out,
    figures::FAIL_POINTS,
    game::{BNomic, D},
    happenings,
    law::{Thing, established},
    passing, posted, registry,
    stats::{AUTHOR, BODY, CONFLICTS, DEPENDENCIES, NUMBER, PROPOSAL, STATUS, SUCCESS, TITLE, called},
    tally::Success,
    voting,
};
use head::{Parts, parts};
use kernel::{
    Act, Display, Event, Id, Mechanic, Refusal, State, Value,
    display::{Block, Cell, Document, Offer},
    entry::Audience,
    mechanic::listing,
    rulebook::book::TITLE_MAX_CHARS,
    time::minute,
    world::Op,
};
use kit::{
    args::Propose,
    docket::{self, TEXT_MAX_BYTES},
};
use status::{Status, about, all, author, headed_cells, label, listed, need, number, others, status, success};

/// Most proposals that are Pending or Open at once: the largest tally that is still counted within a moment.
const OPEN_MAX_COUNT: usize = 10_000;

/// Proposals that the list of displays names, the latest first: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

/// ndays in which the next Voting Period is looked for: more than any nweek has.
const AHEAD_MAX_COUNT: usize = 200;

/// How a text with directives below its title is typed.
const DIRECTIVES_BELOW: &str = "propose \"Dearer\" => set mackerel-rate to 4";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let propose = Act::new("propose", |Propose { title, text, trivial }, d| {
        docket::unmarked(&text, DIRECTIVES_BELOW)?;
        propose(&title, &text, trivial, d)
    });
    let revise = Act::new("revise", |Revise { proposal, title, text }, d| {
        docket::unmarked(&text, &format!("draft revise {proposal} \"Dearer\" => set mackerel-rate to 4"))?;
        revise(proposal, &title, &text, d)
    });
    let withdraw = Act::new("withdraw", |Withdraw { proposal, sure }, d| withdraw(proposal, sure.is_some(), d));
    let again = Act::new("resubmit", |Resubmit { proposal }, d| again(proposal, d));
    let by = Thing::Proposals.word();
    Mechanic::new("proposals")
        .table::<Held>()
        .act(propose.by(by).player().public(PROPOSE))
        .act(revise.by(by).player().public("draft revise 3 TITLE TEXT"))
        .act(withdraw.by(by).player().public("draft withdraw 3 yes"))
        .act(again.by(by).player().public(PROPOSE))
        .display(Display::new("proposals", |state, _| Ok(list(state))).listed(6))
        .display(
            Display::new("ballot", |state, asked| match asked.rest {
                "" => Ok(ballot(state)),
                nweek => ballot_in(state, nweek),
            })
            .fits(|parts| parts < 2)
            .listed(7),
        )
        .display(Display::of(PROPOSAL, |state, asked| show(state, asked.rest)).fits(|parts| parts == 1).beside(
            20,
            |state| {
                let mut made = all(state, Status::Open);
                made.extend(all(state, Status::Pending));
                made.extend(all(state, Status::Historical).into_iter().rev());
                made.into_iter().take(LISTED_MAX_COUNT).map(|id| listing(&id)).collect()
            },
        ))
        .settle(held::settle)
        .hears(|event, d| {
            if let Event::Mended(before) = event {
                let gone = registry::gone(before, d);
                part(before, &gone, d);
            }
        })
}

/// How one is submitted.
const PROPOSE: &str = "propose TITLE TEXT";

kit::args! {
    /// The arguments of `revise` (B15.6).
    Revise { proposal: u64, title: String, text: String }

    /// The arguments of `withdraw` (B15.9).
    Withdraw {
        proposal: u64,
        /// That it is meant, for it cannot be taken back.
        sure: Option<String>,
    }

    /// The arguments of `resubmit` (B15.29).
    Resubmit { proposal: u64 }
}

// ---- state

impl Success {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Won => "Won",
            Self::Discarded => "Discarded",
            Self::Lost => "Lost",
            Self::Undecided => "Undecided",
        }
    }
}

/// Tells which proposals no longer depend on one that is gone, or conflict with it: it is taken off their lists next.
fn part(before: &State<BNomic>, gone: &[Id], d: &mut D<'_>) {
    let all: Vec<Id> = d.world.of_kind(PROPOSAL).cloned().collect();
    for gone in gone.iter().filter(|gone| before.world.kind(gone).is_some_and(|kind| **kind == *PROPOSAL)) {
        for (attr, word) in [(&DEPENDENCIES, "depends on"), (&CONFLICTS, "conflicts with")] {
            for other in &all {
                if !listed(d, attr, other).contains(gone) {
                    continue;
                }
                let by = author(d, other).map_or_else(String::new, |by| format!(" by {}", called(d, &by)));
                let (label, its) = (label(d, other), label(before, gone));
                d.tell_all(format!("{label}{by} no longer {word} {its}, which was taken back."));
            }
        }
    }
}

/// Says which number the first proposal of a new room gets (B15.8).
pub(super) fn first(d: &mut D<'_>, number: i64) {
    d.count(PROPOSAL, u64::try_from(number - 1).unwrap_or_default());
}

// ---- decide

/// Title and text as they were meant: where only a Body is given and it begins with a directive, there is no title (B15.5).
fn headed(title: &str, text: &str) -> (String, String) {
    match title.trim() {
        "=>" => (String::new(), format!("=> {text}")),
        title => (title.to_owned(), text.to_owned()),
    }
}

/// A title: one line of visible text.
fn one_line(title: &str) -> Result<String, Refusal> {
    let title = docket::one_line(title);
    if title.chars().count() > TITLE_MAX_CHARS {
        return Err(Refusal::new(format!("a title has at most {TITLE_MAX_CHARS} characters")));
    }
    Ok(title)
}

fn write(d: &mut D<'_>, proposal: &Id, title: String, parts: Parts) {
    let set = |ids: Vec<Id>| ids.into_iter().map(Value::Ref).collect::<Vec<_>>();
    posted::note(d, proposal, &parts.body);
    d.set(&TITLE, proposal, title);
    d.set(&BODY, proposal, parts.body);
    d.set(&CONFLICTS, proposal, set(parts.conflicts));
    d.set(&DEPENDENCIES, proposal, set(parts.needs));
}

/// A Player submits a proposal (B15.2 to B15.8).
///
/// # Errors
///
/// A [`Refusal`] for a text whose directives are none.
fn propose(title: &str, text: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let by = Thing::Proposals.rule(&d.rules);
    if trivial {
        return Err(Refusal::new("no rule here knows trivial proposals").by(by).instead(PROPOSE));
    }
    let current = |d: &D<'_>| all(d, Status::Pending).len() + all(d, Status::Open).len();
    if d.world.count(PROPOSAL) >= OPEN_MAX_COUNT && current(d) >= OPEN_MAX_COUNT {
        return Err(Refusal::new(format!("{OPEN_MAX_COUNT} proposals wait for votes, as many as the bot keeps")));
    }
    let (title, text) = headed(title, text);
    let title = one_line(&title)?;
    let parts = parts(d, &text, None)?;
    held::has_room(d, &parts.body, None)?;
    let next = i64::try_from(d.number(PROPOSAL)).unwrap_or(i64::MAX);
    let id = Id::from(format!("{PROPOSAL}/{next}"));
    d.op(Op::Create { obj: id.clone(), kind: PROPOSAL.into() });
    d.set(&NUMBER, &id, next);
    d.set(&AUTHOR, &id, me.clone());
    write(d, &id, title, parts);
    let report = forecast(d, &id)?;
    let name = called(d, &me);
    let mut document = full(d, &id);
    document.title = format!("{} by {name}", label(d, &id));
    let document = about(d, &id, document);
    d.say(Audience::Public, document);
    happenings::proposed(d, &me, &id);
    let mut reply =
        Document::say(format!("Your proposal is number {next}. Voting on it begins with the next Voting Period."));
    reply.blocks.extend(report);
    Ok(reply)
}

/// What a proposal would do if it passed now, for the answer to its author.
fn forecast(d: &D<'_>, id: &Id) -> Result<Vec<Block>, Refusal> {
    let body = d.world.get(&BODY, id).unwrap_or_default();
    carried_out::forecast(d, &body, &|d, does| passing::passes(d, id, does))
}

/// A proposal of one's own that is Pending.
fn own(d: &D<'_>, number: u64, me: &Id, what: &str) -> Result<Id, Refusal> {
    let id = need(d, number)?;
    let by = Thing::Proposals.rule(&d.rules);
    if author(d, &id).as_ref() != Some(me) {
        return Err(Refusal::new(format!("only its author can {what} {}", label(d, &id)))
            .by(by)
            .instead("show proposals"));
    }
    if status(d, &id) != Status::Pending {
        let say = format!("{} is {} and no longer Pending", label(d, &id), status(d, &id).word());
        return Err(Refusal::new(say).by(by).instead("show proposals"));
    }
    Ok(id)
}

/// The author revises a Pending proposal by submitting it again: it keeps its number (B15.6).
///
/// # Errors
///
/// A [`Refusal`] for others, once it is voted on, and for a text whose directives are none.
fn revise(number: u64, title: &str, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let id = own(d, number, &me, "revise")?;
    let (title, text) = headed(title, text);
    let title = one_line(&title)?;
    let parts = parts(d, &text, Some(&id))?;
    held::has_room(d, &parts.body, Some(&id))?;
    let (before, was, former) = (d.world.get(&BODY, &id).unwrap_or_default(), label(d, &id), others(d, &id));
    write(d, &id, title, parts);
    let report = forecast(d, &id)?;
    let after = d.world.get(&BODY, &id).unwrap_or_default();
    // The whole text stands in the message (B8.1), and what is other than before (B15.6).
    let mut document = full(d, &id);
    document.title = format!("{} is revised", label(d, &id));
    if was != label(d, &id) {
        document = document.para(format!("It was {was}."));
    }
    if former != others(d, &id) {
        document = document.para(format!("Before: {former}"));
    }
    if let Some(block) = kernel::rulebook::diff::block(&before, &after) {
        document = document.with(block);
    }
    if voting::annul(d, &id) {
        document = document.para("Votes on the former text do not count for this one.");
    }
    let document = about(d, &id, document);
    d.say(Audience::Public, document);
    let mut reply = Document::say(format!("{} reads so now.", label(d, &id)));
    reply.blocks.extend(report);
    Ok(reply)
}

/// The author withdraws a Pending proposal: it is Historical and Lost, and has failed (B15.9).
///
/// # Errors
///
/// A [`Refusal`] for others, once it is voted on, and where it was not said that this is meant.
fn withdraw(number: u64, sure: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let id = own(d, number, &me, "withdraw")?;
    if !sure {
        let points = d.rules.need(&FAIL_POINTS).ok().filter(|points| !points.is_zero());
        let points = points.filter(|_| established(&d.rules, Thing::Scoring).is_ok());
        let costs = points.map_or_else(String::new, |points| format!(", and costs you up to {points} points"));
        let say = format!("a proposal that is withdrawn has failed{costs}; it cannot be taken back");
        return Err(Refusal::new(say)
            .by(Thing::Proposals.rule(&d.rules))
            .instead(format!("draft withdraw {number} yes")));
    }
    d.set(&SUCCESS, &id, Success::Lost.word().to_owned());
    d.set(&STATUS, &id, Status::Historical.word().to_owned());
    let scored = passing::historical(d, &id);
    let name = called(d, &me);
    let mut document = Document::say(format!("{name} withdraws {}; it has failed.", label(d, &id)));
    for line in scored {
        document = document.para(line);
    }
    let document = about(d, &id, document);
    d.say(Audience::Public, document);
    Ok(Document::say(format!("{} is withdrawn.", label(d, &id))))
}

/// The author submits a proposal that was shelved again, as a new one (B15.29).
///
/// # Errors
///
/// A [`Refusal`] for others, and for what was not shelved.
fn again(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let id = need(d, number)?;
    let by = Thing::Proposals.rule(&d.rules);
    if author(d, &id).as_ref() != Some(&me) {
        return Err(Refusal::new(format!("only its author submits {} again", label(d, &id)))
            .by(by)
            .instead("show proposals"));
    }
    passing::may_open(d, &id)?;
    if status(d, &id) != Status::Historical || !passing::is_shelved(d, &id) {
        let say = format!("{} was not shelved", label(d, &id));
        return Err(Refusal::new(say).by(by).instead(PROPOSE));
    }
    let mut text = String::new();
    for (head, attr) in [("Depends on", &DEPENDENCIES), ("Conflicts with", &CONFLICTS)] {
        let numbers: Vec<String> = listed(d, attr, &id).iter().map(|id| status::number(d, id).to_string()).collect();
        if !numbers.is_empty() {
            text.push_str(&format!("{head}: {}\n", numbers.join(", ")));
        }
    }
    text.push_str(&d.world.get(&BODY, &id).unwrap_or_default());
    propose(&d.world.get(&TITLE, &id).unwrap_or_default(), &text, false, d)
}

/// The Voting Period begins: all that is Pending becomes Open, and the ballot is published (B15.11, BX3).
pub(super) fn open_all(d: &mut D<'_>) {
    if established(&d.rules, Thing::Proposals).is_err() {
        return;
    }
    for id in all(d, Status::Pending).into_iter().filter(|id| !passing::is_barred(d, id)).collect::<Vec<_>>() {
        d.set(&STATUS, &id, Status::Open.word().to_owned());
    }
    publish(d);
}

/// Publishes the ballot of all that is Open (BX9).
pub(super) fn publish(d: &mut D<'_>) {
    let document = ballot_in(d, &hands::now(d).nweek.to_string()).unwrap_or_else(|_| ballot(d));
    d.say(Audience::Public, document);
}

/// Most proposals that a published ballot has buttons for: three each, and Discord shows 25.
const BUTTONS_MAX_COUNT: usize = 6;

// ---- display

fn offers(state: &State<BNomic>, proposal: &Id, at_seq: u64) -> Vec<Offer> {
    let number = number(state, proposal);
    let offer = |word: &str| Offer::new(format!("{number} {word}"), format!("vote {number} {word}"), at_seq);
    voting::Word::ALL.iter().map(|word| offer(word.word())).collect()
}

fn full(state: &State<BNomic>, proposal: &Id) -> Document {
    let body = state.world.get(&BODY, proposal).unwrap_or_default();
    Document::titled(proposal.to_string(), label(state, proposal)).para(others(state, proposal)).para(body)
}

/// The ballot: everything that can be voted on now.
fn ballot(state: &State<BNomic>) -> Document {
    ballot_of(state, hands::now(state).nweek, &all(state, Status::Open))
}

/// The ballot of one nweek: that of the present one while something is Open, with how to vote on it, else one that was
/// counted.
///
/// # Errors
///
/// A [`Refusal`] where nothing was counted in it.
fn ballot_in(state: &State<BNomic>, nweek: &str) -> Result<Document, Refusal> {
    let open = all(state, Status::Open);
    let now = hands::now(state).nweek;
    if !open.is_empty() && nweek == now.to_string() {
        let mut document = ballot(state);
        for id in open.iter().take(BUTTONS_MAX_COUNT) {
            document.offers.extend(offers(state, id, state.seq));
        }
        document.offers_told = true;
        return Ok(Document { id: format!("ballot/{now}"), ..document });
    }
    let (nweek, listed) = passing::of_nweek(state, nweek)?;
    let document = ballot_of(state, nweek, &listed);
    Ok(Document { id: format!("ballot/{nweek}"), ..document })
}

/// The ballot of an nweek with these on it.
pub(super) fn ballot_of(state: &State<BNomic>, nweek: i64, open: &[Id]) -> Document {
    let document = Document::titled("ballot", format!("Ballot of nweek {nweek} of B Nomic"));
    if open.is_empty() {
        return document.para("Nothing is Open.");
    }
    let first = open.iter().find(|id| status(state, id) == Status::Open);
    let how = first.map(|first| Block::Para(format!("“⁅vote {} FOR⁆” votes.", number(state, first))));
    let mut document = how.into_iter().fold(document, Document::with).with(ballot_table(state, open));
    let mut left = BALLOT_TEXT_MAX_BYTES;
    for id in open {
        let (label, body) = (label(state, id), state.world.get(&BODY, id).unwrap_or_default());
        match left.checked_sub(body.len()) {
            Some(rest) => {
                left = rest;
                document = document.para(format!("{label}:")).para(others(state, id)).para(body);
            }
            None => {
                let number = number(state, id);
                document = document.para(format!("{label}: its text is long; “⁅show proposal {number}⁆” shows it."));
            }
        }
    }
    document
}

/// Longest texts that a ballot has in full, in bytes, taken together: the longest proposal, and a page can still be sent.
const BALLOT_TEXT_MAX_BYTES: usize = TEXT_MAX_BYTES;

/// What became of a proposal, in words.
fn decided(state: &State<BNomic>, id: &Id) -> String {
    match (status(state, id), success(state, id).word()) {
        (Status::Historical, success) => format!("{success}, {}", passing::ending(state, id)),
        (_, success) => success.to_owned(),
    }
}

/// The rows of a ballot: which votes are asked for, or what came of them.
fn ballot_table(state: &State<BNomic>, proposals: &[Id]) -> Block {
    let asked = voting::Word::ALL.map(voting::Word::word).join(", ");
    let row = |id: &Id| {
        let mut row = headed_cells(state, id);
        row.push(Cell::new(if status(state, id) == Status::Open { asked.clone() } else { decided(state, id) }));
        row
    };
    Block::table(["", "title", "by", "votes"], proposals.iter().map(row))
}

fn table(state: &State<BNomic>, proposals: &[Id]) -> Block {
    let row = |id: &Id| {
        let mut row = headed_cells(state, id);
        row.extend([
            Cell::new(status(state, id).word()).from_path(STATUS.of(id)),
            Cell::new(decided(state, id)).from_path(SUCCESS.of(id)),
        ]);
        row
    };
    Block::table(["", "title", "by", "status", "success"], proposals.iter().map(row))
}

/// When what is Pending becomes Open, as a sentence (4E15); nothing where no Voting Period comes.
fn opens(state: &State<BNomic>) -> Option<String> {
    let (mut nweek, mut votes_run) = (hands::now(state).nweek, hands::votes_run(state));
    for (moment, at) in hands::ahead(state).take(AHEAD_MAX_COUNT) {
        votes_run &= moment.nweek == nweek;
        nweek = moment.nweek;
        if hands::in_voting(state, moment) && !votes_run {
            let at = at.map_or_else(|| "when the Clock gets there".to_owned(), minute);
            return Some(format!("Voting on it begins with {moment}, {at}."));
        }
    }
    None
}

/// The Chairman's display: current proposals, and the latest that are over (4E15).
fn list(state: &State<BNomic>) -> Document {
    /// Historical proposals that the list shows, the latest first.
    const PAST_MAX_COUNT: usize = 30;
    let mut shown = all(state, Status::Open);
    shown.extend(all(state, Status::Pending));
    let past = all(state, Status::Historical);
    let left_out = past.len().saturating_sub(PAST_MAX_COUNT);
    shown.extend(past.into_iter().rev().take(PAST_MAX_COUNT));
    let document = Document::titled("proposals", "Proposals of B Nomic");
    if shown.is_empty() {
        return document.para("Nobody has proposed anything yet. “⁅propose TITLE TEXT⁆” does.");
    }
    let document = document.with(table(state, &shown));
    if left_out == 0 {
        return document;
    }
    document.para(format!("{left_out} older ones are left out; “⁅show proposal 1⁆” shows one by its number."))
}

/// One proposal: attributes, text, votes.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
fn show(state: &State<BNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a proposal is named by its number").instead("show proposals");
    let id = need(state, number.parse().map_err(|_| none())?)?;
    let by = author(state, &id).map(|id| called(state, &id)).unwrap_or_default();
    let mut document = full(state, &id);
    let next = match status(state, &id) {
        Status::Pending => opens(state),
        _ => None,
    };
    let next = next.map_or_else(String::new, |next| format!(" {next}"));
    let stands = format!("By {by}. {}, {}.{next}", status(state, &id).word(), success(state, &id).word());
    document.blocks.insert(0, Block::Para(stands));
    document.blocks.extend(voting::show(state, &id));
    document.blocks.extend(voting::bars(state, &id));
    document.blocks.extend(passing::steps(state, &id));
    match status(state, &id) {
        Status::Open => document.offers = offers(state, &id, state.seq),
        Status::Historical if passing::is_shelved(state, &id) => document.offers = vec![passing::resubmit(state, &id)],
        _ => {}
    }
    Ok(document)
}
