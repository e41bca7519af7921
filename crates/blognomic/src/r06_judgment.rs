//! Calls for Judgment (rule 6): raised, voted on, upheld or failed, and carried out by an Admin.
//!
//! A Call is no Proposal: no deferring, no implicit vote, no veto, no limit, no time out, no reward (N50). That Robots
//! disagree the bot takes from its description (N49). The effects of its directives stand in `effects`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    figures::{DISPUTE_ROBOTS, JUDGMENT_PERCENT, REJECTION_PERCENT},
    game::{BlogNomic, D, page},
    law::{Base, Thing, established},
    roster::{self, ADMIN_STAFF},
    texts,
    votes::{self, Choice, Question, plain, score},
};
use kernel::{
    Act, Display, Id, Instant, Mechanic, Num, Refusal, State,
    directives::{self, Post},
    display::{Block, Cell, Document, Offer, cells, counted},
    entry::Audience,
    table::Row,
    time::minute,
    waiting::{End, Waiting, Wants},
};
use kit::docket::{self, Meant, Numbered};

/// Most Calls that may be open at once: more than any dispute has raised, few enough to list.
const OPEN_MAX_COUNT: usize = 100;

/// Calls that a page of the list shows, the latest first.
const LISTED_MAX_COUNT: usize = 50;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let rule = Thing::Judgment.word();
    Mechanic::new("Call for Judgment")
        .table::<Call>()
        .act(
            Act::new("raise_call", |RaiseCall { title, text }, d| raise(&title, &text, d))
                .by(rule)
                .player()
                .public("cfj raise TITLE TEXT")
                .note("Call for Judgment"),
        )
        .act(
            Act::new("vote_call", |VoteCall { call, vote }, d| self::vote(call, &vote, d))
                .by(rule)
                .player()
                .public("cfj vote 3 FOR")
                .note("Call for Judgment")
                .about(|VoteCall { call, .. }, state| about(state, call))
                .unsaid("call", |d| Some(meant(d, None).ok()?.number)),
        )
        .act(
            Act::new("judge", |Judge { call, text }, d| carry_out(call, text.as_deref(), d))
                .player()
                .office(ADMIN_STAFF)
                .public("admin judge 3")
                .note("Call for Judgment")
                .about(|Judge { call, .. }, state| about(state, Some(call))),
        )
        .display(Display::new("cfjs", |state, asked| Ok(list(state, page(asked)?))).fits(|parts| parts <= 1).listed(2))
        .display(Display::of("cfj", |state, asked| show(state, asked.rest)).fits(|parts| parts == 1))
        .settle(settle)
        .waits(waits)
}

/// The Robots who have not voted on an open Call, and the Admin Staff where one is upheld.
fn waits(state: &State<BlogNomic>) -> Vec<Waiting> {
    let wait = |call: &Call, of: Vec<Id>, wants| Waiting {
        display: format!("{}/{}", Call::DISPLAY, call.number),
        label: call.label(),
        line: match wants {
            Wants::Votes => format!("show cfj {}", call.number),
            Wants::Turn => format!("admin judge {}", call.number),
        },
        until: End::Never,
        of,
        wants,
        cast: votes::cast_on(state, call.question()),
    };
    let missing = |call: &Call| {
        let missing = |robot: &&Id| votes::of(state, &call.question(), robot).is_none();
        roster::current(state).filter(missing).cloned().collect()
    };
    let admins = || roster::current(state).filter(|robot| roster::is_admin(state, robot)).cloned().collect();
    let of = |call: &Call| match call.stands {
        Stands::Open => Some(wait(call, missing(call), Wants::Votes)),
        Stands::Upheld => Some(wait(call, admins(), Wants::Turn)),
        Stands::Done | Stands::ByHand | Stands::Failed => None,
    };
    state.rows::<Call>().values().filter_map(of).collect()
}

kit::args! {
    /// The arguments of `raise_call` (N49).
    RaiseCall { title: String, text: String }

    /// The arguments of `vote_call` (N50).
    VoteCall {
        /// Which; the only open one where it is not said.
        call: Option<u64>,
        vote: String,
    }

    /// The arguments of `judge` (N51).
    Judge {
        call: u64,
        /// Directives, where the Call has only prose.
        text: Option<String>,
    }
}

// ---- state

/// A Call for Judgment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Call {
    pub(super) number: u64,
    by: Id,
    at: Instant,
    title: String,
    text: Arc<str>,
    /// The rules that it touches, with their revisions when it was raised.
    base: Base,
    /// What its text means by names.
    post: Post,
    stands: Stands,
}

/// What became of a Call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stands {
    /// Nothing yet (N52).
    Open,
    /// Enough are in favour; an Admin carries it out.
    Upheld,
    /// It was carried out: what its directives say was done by itself.
    Done,
    /// Its directives could not be done, or it has none, and an Admin carries it out by hand.
    ByHand,
    /// Enough are against.
    Failed,
}

impl Row<BlogNomic> for Call {
    type Key = u64;
    const TABLE: &'static str = "calls";

    fn told(_number: &u64, was: Option<&Self>, is: Option<&Self>, _state: &State<BlogNomic>) -> String {
        match (was, is) {
            (Some(was), None) => format!("{} was not raised", was.label()),
            (_, is) => is.map_or_else(String::new, |is| format!("{} is {}", is.label(), is.word())),
        }
    }
}

impl Call {
    /// It as something that is voted on.
    fn question(&self) -> Question {
        Question::Call(self.number)
    }

    fn word(&self) -> &'static str {
        match self.stands {
            Stands::Open => "open",
            Stands::Upheld => "upheld; an Admin carries it out",
            Stands::Done => "upheld and carried out",
            Stands::ByHand => "upheld and carried out by hand",
            Stands::Failed => "failed",
        }
    }
}

impl Numbered for Call {
    const DISPLAY: &'static str = "cfj";

    fn number(&self) -> u64 {
        self.number
    }

    fn label(&self) -> String {
        format!("Call for Judgment {}, “{}”", self.number, self.title)
    }

    fn is_open(&self) -> bool {
        self.stands == Stands::Open
    }
}

fn need(state: &State<BlogNomic>, number: u64) -> Result<&Call, Refusal> {
    state
        .row(&number)
        .ok_or_else(|| Refusal::new(format!("there is no Call for Judgment {number}")).instead("cfj list"))
}

/// The Call that somebody means to vote on: the one named, else the only open one.
fn meant(state: &State<BlogNomic>, number: Option<u64>) -> Result<&Call, Refusal> {
    if let Some(number) = number {
        return need(state, number);
    }
    match docket::only(state.rows::<Call>()) {
        Meant::One(only) => Ok(only),
        Meant::None => Err(Refusal::new("no Call for Judgment is open").instead("cfj list")),
        Meant::Several(first, which) => {
            Err(Refusal::new(format!("several Calls are open; say the number of yours: {which}"))
                .instead(format!("cfj vote {} FOR", first.number)))
        }
    }
}

/// The open Calls, oldest first.
fn open(state: &State<BlogNomic>) -> impl Iterator<Item = &Call> {
    docket::open(state.rows::<Call>())
}

/// The line by which an open Call is voted on, for whoever finds no Proposal to vote on.
pub(super) fn voting_line(state: &State<BlogNomic>) -> Option<String> {
    open(state).next().map(|call| format!("cfj vote {} FOR", call.number))
}

/// What a vote on a Call is about, in words.
fn about(state: &State<BlogNomic>, number: Option<u64>) -> Option<String> {
    meant(state, number).ok().map(Call::label)
}

// ---- decide

/// A Robot raises a Call (N7, N49).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot, and for directives that are none.
fn raise(title: &str, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let rule = Thing::Judgment.rule(&d.rules);
    let disputants = d.rules.need_count(&DISPUTE_ROBOTS)?;
    if roster::count(d) < disputants {
        return Err(
            Refusal::new(format!("{} must disagree, and there are fewer", counted(disputants, "Robot"))).by(rule)
        );
    }
    if open(d).count() >= OPEN_MAX_COUNT {
        return Err(Refusal::new(format!("{OPEN_MAX_COUNT} Calls are open, which is as many as the bot keeps"))
            .instead("cfj list"));
    }
    let (title, text) = (texts::one_line(title)?, texts::body(text)?);
    let post = Post::of(d, &text);
    let (report, base) = texts::report(d, &text, &post, &directives::alone)?;
    let number = d.next_number::<Call>();
    let call = Call { number, by: me.clone(), at: d.at, title, text: text.into(), base, post, stands: Stands::Open };
    let mut document = Document::titled(format!("cfj/{number}"), format!("Call for Judgment: {}", call.title))
        .para(format!("Call {number} by {}.", d.frame.name_of(&me)))
        .para(&*call.text);
    document.offers = offers(number, d.seq);
    d.put(&number, call);
    d.say(Audience::Public, document);
    let mut reply = Document::say(format!("Your Call is number {number}; vote on it, too."));
    reply.blocks.extend(report);
    Ok(reply)
}

fn offers(number: u64, at_seq: u64) -> Vec<Offer> {
    ["FOR", "AGAINST"].map(|word| Offer::new(word, format!("cfj vote {number} {word}"), at_seq)).to_vec()
}

/// A Robot agrees or disagrees (N50).
///
/// # Errors
///
/// A [`Refusal`] on a resolved Call, and for anything but FOR and AGAINST.
fn vote(number: Option<u64>, said: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let choice = plain(said, "cfj vote 3 FOR")?;
    let call = meant(d, number)?;
    let (number, question) = (call.number, call.question());
    if call.stands != Stands::Open {
        return Err(Refusal::new(format!("{} is {}", call.label(), call.word())).by(Thing::Judgment.rule(&d.rules)));
    }
    votes::cast_plain(d, question.clone(), &me, choice);
    let score = score(d, &question);
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} votes {} on Call {number}: {score}.", choice.word()));
    Ok(Document::say("Your vote counts."))
}

/// An Admin carries out an upheld Call (N51): its own directives as they stand, and what else it says by hand.
///
/// # Errors
///
/// A [`Refusal`] before it is upheld and where a directive cannot be done. Also by hand where its own directives can be
/// done or were all that it says.
fn carry_out(number: u64, text: Option<&str>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let call = need(d, number)?.clone();
    let label = call.label();
    let rule = Thing::Judgment.rule(&d.rules);
    let (own, post, specified) = (call.text.clone(), call.post.clone(), texts::specified(&call.text)?);
    match (call.stands, text) {
        (Stands::Upheld, None) | (Stands::ByHand, Some(_)) => {}
        (Stands::Upheld, Some(_)) => {
            if specified.acts && doable(d, &own, &post, &label) {
                return Err(Refusal::new(format!(
                    "what {label} says in directives can be done, and is done as it stands; the rest of it by hand after that"
                ))
                .by(rule)
                .instead(format!("admin judge {number}")));
            }
        }
        (Stands::Done, Some(_)) if specified.prose => {}
        (Stands::Done, Some(_)) => {
            let say = format!("{label} was carried out, and says nothing but its directives");
            return Err(Refusal::new(say).by(rule).instead("cfj list"));
        }
        (Stands::Done | Stands::ByHand, None) => {
            return Err(Refusal::new(format!("{label} was carried out")).by(rule).instead("cfj list"));
        }
        _ => return Err(Refusal::new(format!("{label} is {}", call.word())).by(rule).instead("cfj list")),
    }
    let moved = texts::moved(d, &call.base, "raised");
    if call.stands == Stands::Upheld {
        let stands = if text.is_some() || !specified.acts { Stands::ByHand } else { Stands::Done };
        d.edit(&number, |call: &mut Call| call.stands = stands);
    }
    if let Some(text) = text {
        return texts::by_hand(d, &admin, text, &label);
    }
    let blocks = texts::carry_out(d, &own, Some(&post), &label)?;
    let name = d.frame.name_of(&admin).to_owned();
    let mut document = Document::say(format!("{name} carries out {label}."));
    document.blocks.extend(moved.map(Block::Para));
    document.blocks.extend(blocks);
    d.say(Audience::Public, document);
    Ok(Document::say("Done."))
}

/// Whether the directives of a Call can be done now: it is tried, and nothing of that stays.
fn doable(d: &mut D<'_>, text: &str, post: &Post, label: &str) -> bool {
    let mut done = false;
    let tried = d.attempt::<()>(|d| {
        done = texts::carry_out(d, text, Some(post), label).is_ok();
        Err(Refusal::new("this was only tried"))
    });
    tried.is_err() && done
}

/// A resolved Call, for an amendment of the Glossary (N117).
///
/// # Errors
///
/// A [`Refusal`] where it is not resolved.
pub(super) fn resolved(state: &State<BlogNomic>, number: u64) -> Result<String, Refusal> {
    let call = need(state, number)?;
    if call.stands == Stands::Open {
        return Err(Refusal::new(format!("{} is not resolved", call.label()))
            .by(Thing::Glossary.rule(&state.rules))
            .instead("cfj list"));
    }
    Ok(call.label())
}

// ---- due

/// Upholds or fails what more than half of the Robots are for or against (N51, N52, N136).
fn settle(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Judgment).is_err() {
        return false;
    }
    let robots = roster::count(d);
    let (for_it, against_it) = (d.rules.need(&JUDGMENT_PERCENT).ok(), d.rules.need(&REJECTION_PERCENT).ok());
    let state: &State<BlogNomic> = d;
    let beyond = |call: &Call, choice, percent: &Option<Num>| {
        percent
            .as_ref()
            .is_some_and(|percent| votes::is_beyond(votes::count(state, call.question(), choice), robots, percent))
    };
    let decided = open(state).find_map(|call| {
        let stands = if beyond(call, Choice::For, &for_it) {
            Stands::Upheld
        } else if beyond(call, Choice::Against, &against_it) {
            Stands::Failed
        } else {
            return None;
        };
        Some(Call { stands, ..call.clone() })
    });
    let Some(call) = decided else { return false };
    let told = match call.stands {
        Stands::Upheld => {
            let line = format!("admin judge {}", call.number);
            let mut document = Document::say(format!("{} is upheld. An Admin carries it out: “{line}”.", call.label()));
            document.offers = vec![Offer::new("Carry out", line, d.seq)];
            document
        }
        _ => Document::say(format!("{} has failed and does nothing any more.", call.label())),
    };
    let number = call.number;
    d.put(&number, call);
    d.say(Audience::Public, told);
    true
}

// ---- display

/// All Calls, the latest first.
fn list(state: &State<BlogNomic>, before: Option<u64>) -> Document {
    let (shown, older) = docket::page(state.rows::<Call>().values().rev(), before, LISTED_MAX_COUNT);
    let rows = shown.iter().map(|call| {
        cells![
            Cell::numbered("cfj", call.number),
            call.title.clone(),
            state.frame.name_of(&call.by),
            format!("{}; {}", score(state, &call.question()), call.word()),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let document = Document::titled("cfjs", "Calls for Judgment");
    let Some(last) = shown.last() else {
        return document.para(match before {
            None => "Nobody has raised one. “⁅cfj raise TITLE TEXT⁆” does.".to_owned(),
            Some(before) => format!("No Call was raised before number {before}."),
        });
    };
    document.table(["", "title", "by", "stands"], rows).going_on(older, &format!("cfjs/{}", last.number))
}

/// One Call.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
fn show(state: &State<BlogNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a Call is named by its number").instead("cfj list");
    let call = need(state, number.parse().map_err(|_| none())?)?;
    let votes = votes::on(state, call.question()).map(|(robot, vote)| {
        let counts = if roster::is_current(state, robot) { "" } else { "no current Robot" };
        cells![state.frame.name_of(robot), vote.choice.word(), counts]
    });
    let mut document = Document::titled(format!("cfj/{}", call.number), format!("Call for Judgment: {}", call.title))
        .para(format!(
            "Call {} by {}, {}; it is {}.",
            call.number,
            state.frame.name_of(&call.by),
            minute(call.at),
            call.word()
        ))
        .para(&*call.text)
        .para(format!("Votes: {}.", score(state, &call.question())));
    document.blocks.extend(Block::table_if_any(["Robot", "vote", ""], votes));
    if matches!(call.stands, Stands::Open | Stands::Upheld) {
        document.blocks.extend(texts::moved(state, &call.base, "raised").map(Block::Para));
        let run = texts::dry_run(state, &call.text, &call.post, &directives::alone)?;
        if !run.outcomes.is_empty() {
            document = document.para("What it would do now:");
            document.blocks.extend(run.document().blocks);
        }
    }
    if call.stands == Stands::Open {
        document.offers = offers(call.number, state.seq);
    }
    Ok(document)
}
