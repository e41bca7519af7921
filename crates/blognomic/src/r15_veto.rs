//! Vetoes (rule 15): the Control Unit's veto, requests to annul one, strikes, and nominations for a new Control Unit.
//!
//! A veto that is annulled leaves its Proposal as if it had never been vetoed (N102). The Dynasty itself stands in
//! `dynasties`, the cost of a failed Proposal in `enactment`.

use serde::{Deserialize, Serialize};

use super::{
    dynasties,
    dynasty::{self, CONTROL_UNIT},
    enactment,
    figures::{ANNULMENT_PART, ANNULMENT_WHOLE, STRIKE_LIMIT, VETO_AGAINST},
    game::{BlogNomic, D, typed},
    law::{Thing, established},
    proposal::{self, Proposal, Stands},
    roster, tally,
    votes::{self, Choice, Question, Vote, plain, score},
};
use kernel::{
    Act, Display, Id, Mechanic, Refusal, State,
    display::{Block, Cell, Document, Offer, counted},
    entry::Audience,
    table::Row,
};
use kit::docket::Numbered;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let rule = Thing::Dynasties.word();
    Mechanic::new("veto")
        .table::<Veto>()
        .act(
            Act::new("veto", |Which { proposal }, d| veto(proposal, d))
                .by(rule)
                .player()
                .office(CONTROL_UNIT)
                .public("cu veto 3")
                .note("veto"),
        )
        .act(
            Act::new("annul", |Which { proposal }, d| request(proposal, d))
                .by(rule)
                .player()
                .public("annul request 3")
                .note("veto"),
        )
        .act(
            Act::new("vote_annul", |VoteAnnul { proposal, vote }, d| vote_on_request(proposal, &vote, d))
                .by(rule)
                .player()
                .public("annul vote 3 FOR")
                .note("veto")
                .unsaid("proposal", |d| only_request(d).ok()),
        )
        .act(
            Act::new("nominate", |Nominate { robot }, d| nominate(&robot, d))
                .by(rule)
                .player()
                .public("cu nominate Bo")
                .note("nomination"),
        )
        .display(Display::new("requests", |state, _| Ok(show(state))).listed(3))
        .settle(settle)
}

kit::args! {
    /// The argument of `veto` (N98), and of `annul` (N100).
    Which { proposal: u64 }

    /// The arguments of `vote_annul` (N101).
    VoteAnnul {
        /// About which Proposal; the only one where it is not said.
        proposal: Option<u64>,
        vote: String,
    }

    /// The arguments of `nominate` (N104).
    Nominate { robot: Id }
}

// ---- state

/// The veto of a Proposal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Veto {
    /// The number of the Dynasty that vetoed it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) dynasty: Option<u64>,
    /// Whether somebody asks that it be annulled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) asked: bool,
}

impl Row<BlogNomic> for Veto {
    type Key = u64;
    const TABLE: &'static str = "vetoes";
}

/// The Proposals about whose veto there is a request.
fn requests(state: &State<BlogNomic>) -> impl Iterator<Item = u64> {
    state.rows::<Veto>().iter().filter(|(_, veto)| veto.asked).map(|(number, _)| *number)
}

fn is_asked(state: &State<BlogNomic>, number: u64) -> bool {
    state.row::<Veto>(&number).is_some_and(|veto| veto.asked)
}

/// Who is nominated: whoever has votes for it.
fn nominees(state: &State<BlogNomic>) -> Vec<Id> {
    let all = state.rows::<Vote>().range((Question::Nomination(Id::default()), Id::default())..);
    let mut nominees: Vec<Id> = all
        .filter_map(|((question, _), _)| match question {
            Question::Nomination(nominee) => Some(nominee.clone()),
            Question::Proposal(_) | Question::Annulment(_) => None,
        })
        .collect();
    nominees.dedup();
    nominees
}

/// The veto of a Proposal as it can be offered: while somebody reigns and enough Robots are voting AGAINST it.
pub(super) fn offer(state: &State<BlogNomic>, proposal: &Proposal, at_seq: u64) -> Option<Offer> {
    established(&state.rules, Thing::Dynasties).ok()?;
    dynasty::control_unit(state)?;
    let needed = state.rules.need_count(&VETO_AGAINST).ok()?;
    let enough = proposal.is_pending() && tally::of(state, proposal).against >= needed;
    enough.then(|| Offer::new("Veto", format!("cu veto {}", proposal.number), at_seq))
}

// ---- decide

/// The Control Unit vetoes a Proposal (N98, N99). Whoever calls it has asked for what the act needs.
///
/// # Errors
///
/// A [`Refusal`] for decided Proposals, and where too few vote AGAINST.
pub(super) fn veto(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let rule = Thing::Dynasties.rule(&d.rules);
    let proposal = proposal::pending(d, number)?.clone();
    let needed = d.rules.need_count(&VETO_AGAINST)?;
    let against = tally::of(d, &proposal).against;
    if against < needed {
        return Err(Refusal::new(format!(
            "{} voting AGAINST {}, and a veto needs {needed}",
            if against == 1 { "1 Robot is".to_owned() } else { format!("{against} Robots are") },
            proposal.label()
        ))
        .by(rule)
        .instead(format!("vote {number} AGAINST")));
    }
    enactment::end_failed(d, &proposal, None, "vetoed by the Control Unit", true);
    let dynasty = Some(dynasty::count(d));
    d.upsert(&number, |veto: &mut Veto| veto.dynasty = dynasty);
    Ok(Document::say(format!("{} is vetoed.", proposal.label())))
}

/// A Robot asks that a veto be annulled (N100).
///
/// # Errors
///
/// A [`Refusal`] where nothing was vetoed, or somebody asked already.
fn request(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let rule = Thing::Dynasties.rule(&d.rules);
    let proposal = proposal::need(d, number)?;
    if !matches!(proposal.stands, Stands::Failed { vetoed: true, .. }) {
        return Err(Refusal::new(format!("{} was not vetoed", proposal.label())).by(rule).instead("proposals"));
    }
    if is_asked(d, number) {
        return Err(Refusal::new("that is asked for already; vote on it")
            .by(rule)
            .instead(format!("annul vote {number} FOR")));
    }
    let (label, name) = (proposal.label(), d.frame.name_of(&me).to_owned());
    d.upsert(&number, |veto: &mut Veto| veto.asked = true);
    let mut document = Document::say(format!("{name} requests that the veto of {label} be annulled."));
    document.offers =
        ["FOR", "AGAINST"].map(|word| Offer::new(word, format!("annul vote {number} {word}"), d.seq)).to_vec();
    d.say(Audience::Public, document);
    Ok(Document::say("The request is open; vote on it, too."))
}

/// A Robot votes on a request to annul (N100, N101).
///
/// # Errors
///
/// A [`Refusal`] where there is none, or the vote is neither FOR nor AGAINST.
fn vote_on_request(number: Option<u64>, said: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let choice = plain(said, "annul vote 3 FOR")?;
    let number = number.map_or_else(|| only_request(d), Ok)?;
    if !is_asked(d, number) {
        return Err(Refusal::new(format!("nobody asks that a veto of Proposal {number} be annulled"))
            .by(Thing::Dynasties.rule(&d.rules))
            .instead(format!("annul request {number}")));
    }
    votes::cast_plain(d, Question::Annulment(number), &me, choice);
    let (name, score) = (d.frame.name_of(&me).to_owned(), score(d, &Question::Annulment(number)));
    d.tell_all(format!("{name} votes {} on annulling the veto of Proposal {number}: {score}.", choice.word()));
    Ok(Document::say("Your vote counts."))
}

/// The Proposal about whose veto there is a request, where there is exactly one.
fn only_request(state: &State<BlogNomic>) -> Result<u64, Refusal> {
    let open: Vec<u64> = requests(state).collect();
    match open[..] {
        [only] => Ok(only),
        [] => Err(Refusal::new("nobody asks that a veto be annulled").instead("annul request 3")),
        [first, ..] => {
            let which = open.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            let why = format!("several requests are open; say about which Proposal: {which}");
            Err(Refusal::new(why).instead(format!("annul vote {first} FOR")))
        }
    }
}

/// The line by which an open request is voted on, for whoever finds no Proposal to vote on.
pub(super) fn voting_line(state: &State<BlogNomic>) -> Option<String> {
    requests(state).next().map(|number| format!("annul vote {number} FOR"))
}

/// A Robot nominates a Robot for a vacant office, and votes for it by that (N104).
///
/// # Errors
///
/// A [`Refusal`] while somebody is Control Unit.
fn nominate(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let rule = Thing::Dynasties.rule(&d.rules);
    if let Some(cu) = dynasty::control_unit(d) {
        let name = d.frame.name_of(cu);
        return Err(Refusal::new(format!("{name} is Control Unit, and nominations are for a vacant office"))
            .by(rule)
            .instead("dynasties"));
    }
    let who = roster::other(d, who, None)?;
    let question = Question::Nomination(who.clone());
    votes::cast_plain(d, question.clone(), &me, Choice::For);
    let (name, nominee) = (d.frame.name_of(&me).to_owned(), d.frame.name_of(&who).to_owned());
    let score = score(d, &question);
    d.tell_all(format!(
        "{name} is for {nominee} as Control Unit: {score}. “⁅cu nominate {}⁆” joins in.",
        typed(&nominee)
    ));
    Ok(Document::say("Your vote counts."))
}

// ---- due

/// Annuls what enough Robots are for (N101, N102, N136), removes who was struck too often, and fills a vacant office
/// (N104).
fn settle(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Dynasties).is_err() {
        return false;
    }
    if strike_out(d) {
        return true;
    }
    let robots = roster::count(d);
    if let (Ok(part), Ok(whole)) = (d.rules.need_count(&ANNULMENT_PART), d.rules.need_count(&ANNULMENT_WHOLE)) {
        let state: &State<BlogNomic> = d;
        let enough = |number: &u64| {
            let fors = votes::count(state, Question::Annulment(*number), Choice::For);
            robots > 0 && u128::from(fors) * u128::from(whole) >= u128::from(part) * u128::from(robots)
        };
        let found = requests(state).find(enough);
        if let Some(number) = found {
            annul(d, number);
            return true;
        }
    }
    let nominees = nominees(d);
    if dynasty::control_unit(d).is_some() {
        // Nominations are over once somebody is Control Unit.
        for nominee in &nominees {
            votes::close(d, Question::Nomination(nominee.clone()));
        }
        return !nominees.is_empty();
    }
    let Ok(quorum) = enactment::quorum(d) else { return false };
    let elected = |nominee: &&Id| {
        let fors = votes::count(d, Question::Nomination((*nominee).clone()), Choice::For);
        roster::is_current(d, nominee) && fors >= quorum
    };
    let Some(nominee) = nominees.iter().find(elected) else { return false };
    dynasties::begin(d, nominee, "the Robots nominated it");
    true
}

fn annul(d: &mut D<'_>, number: u64) {
    votes::close(d, Question::Annulment(number));
    d.upsert(&number, |veto: &mut Veto| veto.asked = false);
    let Some(proposal) = d.row::<Proposal>(&number).map(Proposal::label) else { return };
    enactment::revive(d, number);
    // Whoever reigns now gets no strike for a veto of a Dynasty before (N141).
    let vetoed_by = d.row::<Veto>(&number).and_then(|veto| veto.dynasty);
    let struck = vetoed_by == Some(dynasty::count(d)) && dynasty::control_unit(d).is_some();
    if struck {
        dynasty::alter(d, |dynasty| dynasty.strikes += 1);
    }
    let strikes = dynasty::now(d).map_or(0, |dynasty| dynasty.strikes);
    let told = if struck { format!(" The Control Unit has {}.", counted(strikes, "strike")) } else { String::new() };
    d.tell_all(format!(
        "The veto of {proposal} is annulled: it is Pending again, and its proposer has the penalty back.{told}"
    ));
}

/// Removes the Control Unit where it has as many strikes as it may not have, also by a limit that fell (N103).
fn strike_out(d: &mut D<'_>) -> bool {
    let strikes = dynasty::now(d).map_or(0, |dynasty| dynasty.strikes);
    let Some(cu) = dynasty::control_unit(d).cloned().filter(|_| strikes > 0) else { return false };
    if !d.rules.need_count(&STRIKE_LIMIT).is_ok_and(|limit| strikes >= limit) {
        return false;
    }
    dynasty::vacate(d, &cu);
    d.tell_all("The Control Unit is removed. Nominations for a new one are open: “⁅cu nominate NAME⁆”.");
    true
}

// ---- display

/// Open requests and nominations.
fn show(state: &State<BlogNomic>) -> Document {
    let requests = requests(state).map(|number| {
        let score = score(state, &Question::Annulment(number));
        let text = format!("annul the veto of Proposal {number}: {score}");
        Cell::new(text).completing(number.to_string()).showing(format!("proposal/{number}"))
    });
    let nominations = nominees(state).into_iter().map(|nominee| {
        let name = state.frame.name_of(&nominee);
        Cell::new(format!("{name} as Control Unit: {}", score(state, &Question::Nomination(nominee.clone()))))
    });
    let open: Vec<Cell> = requests.chain(nominations).collect();
    let document = Document::titled("requests", "Requests and nominations");
    if open.is_empty() { document.para("None is open.") } else { document.with(Block::List(open)) }
}
