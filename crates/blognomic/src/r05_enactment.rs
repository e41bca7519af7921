//! Enactment and Time Out (rules 5 and 7): when a Proposal can be enacted or failed, its payments and costs, and an
//! Admin's claim.
//!
//! A verdict is never stored as a decision. It is worked out at the moment of the act from the Robots, their votes and
//! the rules of that moment (N33 to N41, N131). The bot tells when a Proposal has become ripe, and ends it by itself
//! only where the room has that turned on (N35). The effects of a Proposal's directives stand in `effects`.

use num_rational::BigRational;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    figures::{
        EFFICIENCY_REWARD, ENACT_CLAIM, ENACT_REWARD, FAIL_PENALTY, QUORUM_DIVISOR, QUORUM_EXTRA, QUORUM_ROUNDING,
        SMALL_CLAIM, TRIVIAL_REWARD,
    },
    game::{BlogNomic, D},
    law::{Thing, established},
    phases,
    proposal::{self, Claim, Proposal, Stands, Verdict, Why},
    roster::{self, ADMIN_STAFF},
    stats::{self, EFFICIENCY, gain},
    tally, texts, time_out,
    votes::{self, Choice},
};
use kernel::{
    Act, Game, Id, Instant, Mechanic, Num, Occasion, Phase, Refusal, Seq, State,
    display::{Block, Document, Offer, counted},
    entry::Audience,
    mechanic::{Fate, Lapse, Made},
    table::Row,
    time::minute,
};
use kit::docket::Numbered;
use kit::law::rounded;

/// What happens where a Proposal is enacted.
pub(super) const PASSED: &str = "pass";
/// What happens where one is failed.
pub(super) const FAILED: &str = "fail";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("Enactment")
        .table::<Settings>()
        .act(
            Act::new("enact", |Enact { proposal, how }, d| enact(proposal, how.is_some(), d))
                .player()
                .office(ADMIN_STAFF)
                .public("admin enact 3")
                .note("Enactment")
                .about(|Enact { proposal, .. }, state| about(proposal, state))
                .unsaid("proposal", |d| Some(proposal::oldest(d)?.number)),
        )
        .act(
            Act::new("fail", |Fail { proposal }, d| fail(proposal, d))
                .player()
                .office(ADMIN_STAFF)
                .public("admin fail 3")
                .note("failure")
                .about(|Fail { proposal }, state| about(proposal, state))
                .unsaid("proposal", |d| Some(proposal::oldest(d)?.number)),
        )
        .act(
            Act::new("claim", |Claiming { proposal }, d| claim(proposal, d))
                .by(Thing::Enactment.word())
                .player()
                .office(ADMIN_STAFF)
                .public("admin claim 3")
                .note("claim for Enactment")
                .unsaid("proposal", |d| Some(latest_claim(d, &d.actor_seat()?)?.number)),
        )
        .act(
            Act::new("automatic", |Automatic { on }, d| automatic(on, d))
                .player()
                .office(ADMIN_STAFF)
                .public("admin automatic yes")
                .note("setting"),
        )
        .phase(
            Phase::new(phases::TIME_OUT, time_out::dues, |_, d| due(d))
                // A Proposal that runs out of time in a pause is over time after it.
                .lapse(|at, d| BlogNomic::within(Occasion::Due(&at), d, due))
                .fate(|_, at| Lapse {
                    what: format!("the Time Out of Proposal {}", time_out::number(at)),
                    fate: Fate::Late,
                }),
        )
        .settle(settle)
        .made(made)
}

kit::args! {
    /// The arguments of `enact` (N34).
    Enact {
        /// Which; the oldest pending one where it is not said.
        proposal: Option<u64>,
        /// “by-hand”, where its directives cannot be done any more (N36).
        how: Option<String>,
    }

    /// The arguments of `fail` (N38).
    Fail {
        /// Which; the oldest pending one where it is not said.
        proposal: Option<u64>,
    }

    /// The arguments of `claim` (N47).
    Claiming {
        /// Which; the latest one where it is not said.
        proposal: Option<u64>,
    }

    /// The arguments of `automatic` (N35).
    Automatic { on: bool }
}

// ---- state

/// What a room has turned on: one row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Settings {
    /// Whether Proposals are ended by themselves once that can be done (N35).
    pub(super) automatic: bool,
}

impl Row<BlogNomic> for Settings {
    type Key = ();
    const TABLE: &'static str = "settings";

    fn told(_: &(), _: Option<&Self>, is: Option<&Self>, _: &State<BlogNomic>) -> String {
        let how = if is.is_some_and(|settings| settings.automatic) { "by themselves" } else { "by an Admin" };
        format!("Proposals are ended {how}")
    }
}

fn is_automatic(state: &State<BlogNomic>) -> bool {
    state.row::<Settings>(&()).is_some_and(|settings| settings.automatic)
}

/// Quorum now (N33).
///
/// # Errors
///
/// A [`Refusal`] where the rules give none.
pub(super) fn quorum(state: &State<BlogNomic>) -> Result<u64, Refusal> {
    let (divisor, extra) = (state.rules.need(&QUORUM_DIVISOR)?, state.rules.need_count(&QUORUM_EXTRA)?);
    let part = Num::from(BigRational::from_integer(roster::count(state).into()) / divisor.as_rational());
    let part = rounded(&state.rules, &QUORUM_ROUNDING, &part);
    Ok(part.to_u64().unwrap_or(u64::MAX).saturating_add(extra))
}

/// What makes Quorum, for `why`.
fn made(state: &State<BlogNomic>, what: &str) -> Option<Made> {
    let what = what.trim().to_lowercase();
    if what.strip_prefix("the ").unwrap_or(&what) != "quorum" {
        return None;
    }
    let say = quorum(state).and_then(|quorum| {
        let (divisor, extra) = (state.rules.need(&QUORUM_DIVISOR)?, state.rules.need(&QUORUM_EXTRA)?);
        let (robots, rounding) = (counted(roster::count(state), "Robot"), state.rules.wording(&QUORUM_ROUNDING));
        Ok(format!("Quorum is {quorum}: {robots} divided by {divisor}, {rounding}, plus {extra}."))
    });
    let figures = [QUORUM_DIVISOR, QUORUM_ROUNDING, QUORUM_EXTRA].map(|figure| figure.key).to_vec();
    Some(Made {
        say: say.unwrap_or_else(|why| format!("There is no Quorum: {}.", why.say.trim_end_matches('.'))),
        entry: None,
        rule: Some(Thing::Enactment.rule(&state.rules)),
        figures,
    })
}

/// What can be done with a Proposal, in a sentence.
pub(super) fn sentence(verdict: Verdict, state: &State<BlogNomic>, proposal: &Proposal) -> String {
    let quorum = quorum(state).map_or_else(|why| begun(&why.say), |quorum| format!("Quorum is {quorum}"));
    let oldest = proposal::oldest(state).is_some_and(|oldest| oldest.number == proposal.number);
    match verdict {
        Verdict { enact: true, over_time, .. } => {
            let why = if over_time { "over time, " } else { "" };
            format!("It can be enacted ({why}{quorum}).")
        }
        Verdict { fail: Some(why), .. } => format!("It can be failed: {}.", why.words()),
        _ if !oldest => format!("{quorum}; an older Proposal comes first."),
        _ => format!("{quorum}."),
    }
}

/// A clause as the beginning of a sentence.
fn begun(clause: &str) -> String {
    let mut rest = clause.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

/// What can be done with a pending Proposal at an instant.
pub(super) fn verdict_at(state: &State<BlogNomic>, proposal: &Proposal, at: Instant) -> Verdict {
    let mut verdict = Verdict::default();
    if !proposal.is_pending() {
        return verdict;
    }
    let tally = tally::of(state, proposal);
    let oldest = proposal::oldest(state).is_some_and(|oldest| oldest.number == proposal.number);
    if oldest
        && established(&state.rules, Thing::Enactment).is_ok()
        && let Ok(quorum) = quorum(state)
    {
        verdict.enact = tally.fors >= quorum;
        let explicit = votes::of(state, &proposal.question(), &proposal.by);
        let explicit = explicit.filter(|_| roster::is_current(state, &proposal.by));
        verdict.fail = if explicit.is_some_and(|vote| vote.choice == Choice::Against) {
            Some(Why::SelfKill)
        } else if tally.robots < quorum {
            Some(Why::Robots)
        } else if tally.robots.saturating_sub(tally.against) < quorum {
            Some(Why::Votes)
        } else if tally.all_voted() && !verdict.enact {
            Some(Why::AllVoted)
        } else {
            None
        };
    }
    if let Some(is_for) = time_out::decides(state, proposal, at) {
        verdict.over_time = true;
        if is_for {
            verdict.enact = true;
        } else {
            verdict.fail = verdict.fail.or(Some(Why::TimeOut));
        }
    }
    verdict
}

/// What can be done with a pending Proposal as the room stands.
pub(super) fn verdict(state: &State<BlogNomic>, proposal: &Proposal) -> Verdict {
    verdict_at(state, proposal, state.at)
}

/// How many votes FOR enact a Proposal; nothing where no rule says so.
pub(super) fn needed(state: &State<BlogNomic>) -> Option<u64> {
    established(&state.rules, Thing::Enactment).ok()?;
    quorum(state).ok()
}

/// What a pending Proposal still needs to be ended, and when its time runs out, as sentences; nothing where it can be ended.
pub(super) fn needs(state: &State<BlogNomic>, proposal: &Proposal) -> Option<String> {
    let verdict = verdict(state, proposal);
    if !proposal.is_pending() || verdict.enact || verdict.fail.is_some() {
        return None;
    }
    let tally = tally::of(state, proposal);
    let mut needs = Vec::new();
    if let Some(quorum) = needed(state) {
        let (fors, against) =
            (quorum.saturating_sub(tally.fors), (tally.robots + 1).saturating_sub(quorum + tally.against));
        if fors > 0 && against > 0 {
            needs.push(format!("Still needed: {fors} more FOR to enact it, or {against} more AGAINST to fail it."));
        }
    }
    if let Some(over) = time_out::over_at(state, proposal) {
        needs.push(format!("Its time runs out at {}.", minute(over)));
    }
    (!needs.is_empty()).then(|| needs.join(" "))
}

// ---- decide

/// The Proposal that an Admin means to end: the one named, else the oldest pending.
fn meant<'a>(d: &'a D<'_>, number: Option<u64>) -> Result<&'a Proposal, Refusal> {
    match number {
        Some(number) => proposal::pending(d, number),
        None => proposal::oldest(d).ok_or_else(|| Refusal::new("no Proposal is pending").instead("show proposals")),
    }
}

/// What ending a Proposal is about, in words: a decided one is refused with what became of it.
fn about(number: Option<u64>, state: &State<BlogNomic>) -> Option<String> {
    let proposal = match number {
        Some(number) => state.row(&number),
        None => proposal::oldest(state),
    };
    proposal.map(Proposal::votable)
}

/// An Admin enacts a Proposal (N34, N53), by hand where its directives cannot be done any more (N36).
///
/// # Errors
///
/// A [`Refusal`] before it is ripe, and by hand where its directives can be done. Where they cannot all be
/// done, and it is not by hand, it stays pending.
fn enact(number: Option<u64>, by_hand: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let proposal = meant(d, number)?.clone();
    let verdict = verdict_at(d, &proposal, d.at);
    if !verdict.enact {
        return Err(not_ripe(d, &proposal, "enacted"));
    }
    let by = d.frame.name_of(&admin).to_owned();
    if by_hand {
        let Some(why) = impossible(d, &proposal) else {
            return Err(Refusal::new(format!(
                "everything that {} says in directives can be done, so nothing of it is done by hand",
                proposal.label()
            ))
            .by(Thing::Enactment.rule(&d.rules))
            .instead(format!("admin enact {}", proposal.number)));
        };
        let effects = Effects::ByHand(why);
        let done = end_enacted(d, &proposal, Some(&admin), &format!("enacted by hand by {by}"), &effects)?;
        return Ok(Document::say(format!("{} is Enacted.{done} {}", proposal.label(), left_to_hand(&proposal))));
    }
    match d.attempt(|d| end_enacted(d, &proposal, Some(&admin), &format!("enacted by {by}"), &Effects::Directives)) {
        Ok(done) => Ok(Document::say(format!("{} is Enacted.{done}", proposal.label()))),
        Err(why) => {
            let document = as_it_is(d, &proposal, &why);
            d.tell(&proposal.by, proposal.about(document.clone()));
            Ok(document)
        }
    }
}

/// Why a ripe Proposal cannot be enacted with its directives now (N36): it is tried, and nothing of that stays.
fn impossible(d: &mut D<'_>, proposal: &Proposal) -> Option<Refusal> {
    let mut why = None;
    let tried = d.attempt::<()>(|d| {
        why = end_enacted(d, proposal, None, "tried", &Effects::Directives).err();
        Err(Refusal::new("this was only tried"))
    });
    tried.err().and(why)
}

/// How what a Proposal says comes about.
enum Effects {
    /// Its directives are done.
    Directives,
    /// They cannot be, for this reason, and an Admin carries out what can still be done.
    ByHand(Refusal),
}

/// What is left to an Admin once a Proposal was enacted by hand.
fn left_to_hand(proposal: &Proposal) -> String {
    format!("What can still be done of it an Admin carries out: ⁅admin apply {} => ...⁆", proposal.number)
}

fn not_ripe(d: &D<'_>, proposal: &Proposal, what: &str) -> Refusal {
    let tally = tally::of(d, proposal);
    let verdict = verdict_at(d, proposal, d.at);
    let score = tally.score();
    Refusal::new(format!(
        "{} cannot be {what} now: {score} of {}. {}",
        proposal.label(),
        counted(tally.robots, "Robot"),
        sentence(verdict, d, proposal)
    ))
    .by(Thing::Enactment.rule(&d.rules))
    .instead("show proposals")
}

/// Enacts a Proposal: the mark, the reward by the rules as they read before it (N46, N122, N137), then its effects.
fn end_enacted(
    d: &mut D<'_>,
    proposal: &Proposal,
    admin: Option<&Id>,
    how: &str,
    effects: &Effects,
) -> Result<String, Refusal> {
    let carries: Carries<'_> = match effects {
        Effects::Directives => &mut |d| {
            let text = proposal.text(d).to_owned();
            texts::carry_out(d, &text, Some(&proposal.post), &proposal.label())
        },
        Effects::ByHand(why) => &mut |_| {
            let why = why.say.trim_end_matches('.');
            let say = format!("Nothing that it says is done by itself: {why}. {}", left_to_hand(proposal));
            Ok(vec![Block::Para(say)])
        },
    };
    let by_hand = matches!(effects, Effects::ByHand(_));
    d.carrying_out(proposal.label(), |d| enacted(d, proposal, admin, (how, by_hand), carries))
}

/// The room as it would be if a Proposal were enacted now.
///
/// # Errors
///
/// Why it cannot be.
pub(super) fn passed(state: &State<BlogNomic>, number: u64) -> Result<State<BlogNomic>, Refusal> {
    let proposal = proposal::need(state, number)?;
    kit::effects::passed(state, |d| end_enacted(d, proposal, None, "tried", &Effects::Directives).map(drop))
}

/// Enacts a pending Proposal by doing something in the place of its effects; of others, just that.
pub(super) fn tried(d: &mut D<'_>, proposal: &Proposal, does: &mut dyn FnMut(&mut D<'_>)) {
    if !proposal.is_pending() || reward(d, proposal).is_err() {
        return does(d);
    }
    let carries: Carries<'_> = &mut |d| {
        does(d);
        Ok(Vec::new())
    };
    // What refuses is the reward alone.
    let _paid = d.carrying_out(proposal.label(), |d| enacted(d, proposal, None, ("tried", false), carries));
}

/// Does what a Proposal says, and says so.
type Carries<'c> = &'c mut dyn FnMut(&mut D<'_>) -> Result<Vec<Block>, Refusal>;

fn enacted(
    d: &mut D<'_>,
    proposal: &Proposal,
    admin: Option<&Id>,
    (how, by_hand): (&str, bool),
    carries: Carries<'_>,
) -> Result<String, Refusal> {
    let (trivial, reward) = (is_trivial(d, proposal), reward(d, proposal)?);
    let claim = admin.and_then(|admin| {
        let key = if trivial { &SMALL_CLAIM } else { &ENACT_CLAIM };
        Some(Claim { by: admin.clone(), amount: d.rules.need(key).ok()? })
    });
    let (number, at) = (proposal.number, d.at);
    ended(d, number, Stands::Enacted { at, by_hand }, claim);
    if let Some(reward) = &reward {
        let figures: &[_] = if trivial { &[&TRIVIAL_REWARD] } else { &[&ENACT_REWARD, &EFFICIENCY_REWARD] };
        d.by_rule(Thing::Enactment.word(), figures, |d| gain(d, &proposal.by, reward.clone()));
    }
    let name = d.frame.name_of(&proposal.by).to_owned();
    let paid = match &reward {
        Some(reward) => format!(" {name} gains {reward} Power."),
        None => String::new(),
    };
    let moved = texts::moved(d, &proposal.base, "posted");
    let blocks = carries(d)?;
    let mut document = Document::titled(format!("proposal/{number}"), format!("{} is Enacted", proposal.label()))
        .para(format!("It was {how}.{paid}"));
    document.blocks.extend(moved.map(Block::Para));
    document.blocks.extend(blocks);
    d.say(Audience::Public, proposal.about(document));
    BlogNomic::mechanics().happened(PASSED, &json!({ "proposal": number, "author": proposal.by }), d);
    Ok(paid)
}

/// Notes what became of a Proposal, and what may be claimed for that.
fn ended(d: &mut D<'_>, number: u64, stands: Stands, claim: Option<Claim>) {
    d.edit(&number, |proposal: &mut Proposal| (proposal.stands, proposal.claim) = (stands, claim));
}

/// Whether a Proposal is Trivial by its proposer's word, or by those who voted FOR it (N20, N44).
fn is_trivial(state: &State<BlogNomic>, proposal: &Proposal) -> bool {
    proposal.trivial || tally::of(state, proposal).mostly_trivial()
}

/// What the proposer of a Proposal gains when it is enacted (N43, N44); nothing where that is no current Robot, or the rule
/// is gone.
///
/// # Errors
///
/// A [`Refusal`] where no rule gives the figure.
fn reward(state: &State<BlogNomic>, proposal: &Proposal) -> Result<Option<Num>, Refusal> {
    let proposer = &proposal.by;
    if established(&state.rules, Thing::Enactment).is_err() || !roster::is_current(state, proposer) {
        return Ok(None);
    }
    if is_trivial(state, proposal) {
        return state.rules.need(&TRIVIAL_REWARD).map(Some);
    }
    let (reward, each) = (state.rules.need(&ENACT_REWARD)?, state.rules.need(&EFFICIENCY_REWARD)?);
    let efficiency = state.world.get(&EFFICIENCY, proposer).unwrap_or_default();
    let sum = reward.as_rational() + each.as_rational() * efficiency.as_rational();
    let sum = Num::from(sum);
    // A signed scale can cost more than the reward pays; a battery still holds no less than nothing.
    let floor = -&stats::power(state, proposer);
    Ok(Some(if sum < floor { floor } else { sum }))
}

/// An Admin marks a Proposal as Failed (N38 to N42, N53).
///
/// # Errors
///
/// A [`Refusal`] before one of the reasons holds.
fn fail(number: Option<u64>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let proposal = meant(d, number)?.clone();
    let verdict = verdict_at(d, &proposal, d.at);
    let dead = verdict.over_time && verdict.enact && impossible(d, &proposal).is_some();
    let Some(why) = verdict.fail.or(dead.then_some(Why::Impossible)) else {
        return Err(not_ripe(d, &proposal, "failed"));
    };
    let by = d.frame.name_of(&admin).to_owned();
    end_failed(d, &proposal, Some(&admin), &format!("failed by {by}: {}", why.words()), false);
    Ok(Document::say(format!("{} is Failed.", proposal.label())))
}

/// Fails a Proposal, in whatever way: its proposer pays, down to zero (N45).
pub(super) fn end_failed(d: &mut D<'_>, proposal: &Proposal, admin: Option<&Id>, why: &str, vetoed: bool) {
    d.carrying_out(proposal.label(), |d| failed(d, proposal, admin, why, vetoed));
}

fn failed(d: &mut D<'_>, proposal: &Proposal, admin: Option<&Id>, why: &str, vetoed: bool) {
    let penalty = d.rules.need(&FAIL_PENALTY).unwrap_or_default();
    let paid = d.by_rule(Thing::Enactment.word(), &[&FAIL_PENALTY], |d| stats::lose(d, &proposal.by, &penalty));
    let (number, at) = (proposal.number, d.at);
    let stands = Stands::Failed { at, why: why.to_owned(), vetoed, paid: paid.clone(), seq: d.seq };
    let claim = admin.cloned().zip(d.rules.need(&SMALL_CLAIM).ok());
    ended(d, number, stands, claim.map(|(by, amount)| Claim { by, amount }));
    let name = d.frame.name_of(&proposal.by).to_owned();
    let lost = if paid.is_zero() { String::new() } else { format!(" {name} loses {paid} Power.") };
    d.say(
        Audience::Public,
        proposal.about(
            Document::titled(format!("proposal/{number}"), format!("{} is Failed", proposal.label()))
                .para(format!("It was {why}.{lost}")),
        ),
    );
    BlogNomic::mechanics().happened(FAILED, &json!({ "proposal": number, "author": proposal.by }), d);
}

/// An Admin claims the Power for ending a Proposal (N47).
///
/// # Errors
///
/// A [`Refusal`] a second time.
fn claim(number: Option<u64>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let found = match number {
        Some(number) => Some(proposal::need(d, number)?).filter(|proposal| has_claim(proposal, &admin)),
        None => latest_claim(d, &admin),
    };
    let rule = Thing::Enactment.rule(&d.rules);
    let Some((number, claim)) = found.and_then(|proposal| Some((proposal.number, proposal.claim.clone()?))) else {
        return Err(Refusal::new(
            "you have nothing to claim for that: a claim is for the Admin who ended it, and made once",
        )
        .by(rule)
        .instead("show proposals"));
    };
    gain(d, &admin, claim.amount.clone());
    let name = d.frame.name_of(&admin).to_owned();
    let amount = claim.amount.clone();
    claimed(d, number, claim, d.seq);
    d.tell_all(format!("{name} claims {amount} Power for ending Proposal {number}."));
    Ok(Document::say(format!("You gain {amount} Power.")))
}

/// Whether a seat may claim something for a Proposal that it ended.
fn has_claim(proposal: &Proposal, admin: &Id) -> bool {
    proposal.claim.as_ref().is_some_and(|claim| claim.by == *admin)
}

/// The latest Proposal for which a seat may claim something.
fn latest_claim<'s>(state: &'s State<BlogNomic>, admin: &Id) -> Option<&'s Proposal> {
    state.rows::<Proposal>().values().rev().find(|proposal| has_claim(proposal, admin))
}

/// Notes that what may be claimed for a Proposal was claimed in an entry.
fn claimed(d: &mut D<'_>, number: u64, claim: Claim, seq: Seq) {
    d.edit(&number, |proposal: &mut Proposal| (proposal.claim, proposal.claimed) = (None, Some((seq, claim))));
}

/// Lets an Admin claim again what was claimed in an entry whose effects are taken back (N59).
pub(super) fn give_back(d: &mut D<'_>, seq: u64) -> Option<(u64, Claim)> {
    let claimed = |proposal: &Proposal| {
        proposal.claimed.as_ref().filter(|(at, _)| *at == seq).map(|(_, claim)| (proposal.number, claim.clone()))
    };
    let (number, claim) = d.rows::<Proposal>().values().find_map(claimed)?;
    d.edit(&number, |proposal: &mut Proposal| (proposal.claim, proposal.claimed) = (Some(claim.clone()), None));
    Some((number, claim))
}

/// Makes a claim again that was taken back; whether nobody has made it since.
pub(super) fn use_up(d: &mut D<'_>, number: u64, claim: &Claim, seq: u64) -> bool {
    let open = d.row::<Proposal>(&number).is_some_and(|proposal| proposal.claim.as_ref() == Some(claim));
    if open {
        claimed(d, number, claim.clone(), seq);
    }
    open
}

/// Notes that the penalty of a Proposal is given back where an entry failed it. So an annulment does not give it back
/// once more (N102).
///
/// # Errors
///
/// A [`Refusal`] where an annulment gave it back already.
pub(super) fn give_back_penalty(d: &mut D<'_>, seq: u64) -> Result<Option<(u64, Num)>, Refusal> {
    if let Some(proposal) = d.rows::<Proposal>().values().find(|proposal| proposal.returned.contains(&seq)) {
        return Err(Refusal::new(format!(
            "the veto of {} was annulled, and its penalty given back by that",
            proposal.label()
        ))
        .by(Thing::Dynasties.rule(&d.rules))
        .instead(format!("proposal {}", proposal.number)));
    }
    let failed = |proposal: &Proposal| match &proposal.stands {
        Stands::Failed { paid, seq: by, .. } if *by == seq && !paid.is_zero() => Some((proposal.number, paid.clone())),
        _ => None,
    };
    let Some((number, paid)) = d.rows::<Proposal>().values().find_map(failed) else { return Ok(None) };
    cost(d, number, Num::default());
    Ok(Some((number, paid)))
}

/// Notes that a penalty was paid after all; whether the Proposal still is Failed by that entry.
pub(super) fn use_up_penalty(d: &mut D<'_>, number: u64, paid: &Num, seq: u64) -> bool {
    let stands = d.row::<Proposal>(&number).map(|proposal| &proposal.stands);
    if !matches!(stands, Some(Stands::Failed { seq: by, .. }) if *by == seq) {
        return false;
    }
    cost(d, number, paid.clone());
    true
}

/// Notes what a failed Proposal has cost its proposer.
fn cost(d: &mut D<'_>, number: u64, to: Num) {
    d.edit(&number, |proposal: &mut Proposal| {
        if let Stands::Failed { paid, .. } = &mut proposal.stands {
            *paid = to;
        }
    });
}

// ---- due

/// A Proposal is over time: settling tells the Admin Staff.
fn due(d: &mut D<'_>) {
    settle(d);
}

/// Tells what has become ripe, and ends it where the room has that turned on.
fn settle(d: &mut D<'_>) -> bool {
    let at = d.at;
    let state: &State<BlogNomic> = d;
    let changed = |proposal: &Proposal| {
        let (verdict, before) = (verdict_at(state, proposal, at), proposal.told.unwrap_or_default());
        (verdict != before).then_some((proposal.number, verdict, before))
    };
    let changed = proposal::open(state).find_map(changed);
    if let Some((number, verdict, before)) = changed {
        d.edit(&number, |proposal: &mut Proposal| proposal.told = Some(verdict));
        let news = (verdict.enact && !before.enact) || (verdict.fail.is_some() && before.fail.is_none());
        if news && !is_automatic(d) {
            tell(d, number, verdict);
        } else if news && let (false, Some(why)) = (verdict.enact, verdict.fail) {
            // At once, so that what comes over time in the same instant ends in the order of posting (N34).
            let Some(proposal) = d.row::<Proposal>(&number).cloned() else { return true };
            end_failed(d, &proposal, None, &by_itself(why), false);
        } else if news && verdict.enact {
            let Some(proposal) = d.row::<Proposal>(&number).cloned() else { return true };
            if let Err(why) = d.attempt(|d| end_enacted(d, &proposal, None, BY_ITSELF, &Effects::Directives)) {
                let document = as_it_is(d, &proposal, &why);
                d.say(Audience::Public, proposal.about(document));
            }
        } else if verdict.over_time && verdict.enact && !before.over_time {
            // That it can be enacted was told; that it can be failed by now is news where it cannot be done.
            let Some(proposal) = d.row::<Proposal>(&number).cloned() else { return true };
            if let Some(why) = impossible(d, &proposal) {
                let document = as_it_is(d, &proposal, &why);
                d.say(Audience::Public, proposal.about(document));
            }
        }
        return true;
    }
    if !is_automatic(d) {
        return false;
    }
    let ripe: Vec<(Proposal, Verdict)> = {
        let state: &State<BlogNomic> = d;
        let ripe = |proposal: &Proposal| {
            let verdict = verdict_at(state, proposal, at);
            (verdict.enact || verdict.fail.is_some()).then(|| (proposal.clone(), verdict))
        };
        proposal::open(state).filter_map(ripe).collect()
    };
    for (proposal, verdict) in ripe {
        if verdict.enact {
            // What cannot be enacted as it is waits; that was said when it became ripe.
            if d.attempt(|d| end_enacted(d, &proposal, None, BY_ITSELF, &Effects::Directives)).is_ok() {
                return true;
            }
        } else if let Some(why) = verdict.fail {
            end_failed(d, &proposal, None, &by_itself(why), false);
            return true;
        }
    }
    false
}

/// How a Proposal is failed that nobody had to fail.
fn by_itself(why: Why) -> String {
    format!("failed by itself: {}", why.words())
}

/// How a Proposal is enacted that nobody had to enact.
const BY_ITSELF: &str = "enacted by itself, with nobody's claim";

/// What is said of a Proposal whose effects have become impossible, and what an Admin can do about it (N36).
fn as_it_is(d: &D<'_>, proposal: &Proposal, why: &Refusal) -> Document {
    let number = proposal.number;
    let (why, over) = (why.say.trim_end_matches('.'), verdict_at(d, proposal, d.at).over_time);
    let fail = if over { "failed, being over time" } else { "failed once it is over time" };
    let mut document = Document::say(format!(
        "{} cannot be enacted as it is, and stays pending with nothing of it done: {why}. It can be corrected as its \
         proposer asks, enacted by hand (“⁅admin enact {number} by-hand⁆”), or {fail}.",
        proposal.label()
    ));
    let offer = |label: &str, line: String| Offer::new(label, line, d.seq);
    document.offers = vec![offer("Enact by hand", format!("admin enact {number} by-hand"))];
    if over {
        document.offers.push(offer("Fail", format!("admin fail {number}")));
    }
    document
}

fn tell(d: &mut D<'_>, number: u64, verdict: Verdict) {
    let Some(proposal) = d.row::<Proposal>(&number) else { return };
    let (word, verb) = if verdict.enact { ("can be enacted", "enact") } else { ("can be failed", "fail") };
    let score = tally::of(d, proposal).score();
    let line = format!("admin {verb} {number}");
    let mut document =
        Document::say(format!("{} {word} by an Admin: {score}. {}", proposal.label(), sentence(verdict, d, proposal)));
    document.offers = vec![Offer::new(if verdict.enact { "Enact" } else { "Fail" }, line, d.seq)];
    let document = proposal.about(document);
    d.say(Audience::Public, document);
}

/// Turns enactment by itself on or off (N35).
///
/// # Errors
///
/// A [`Refusal`] where it is so already.
fn automatic(on: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    if is_automatic(d) == on {
        return Err(Refusal::new("it is so already").instead("show proposals"));
    }
    d.upsert(&(), |settings: &mut Settings| settings.automatic = on);
    let name = d.frame.name_of(&admin).to_owned();
    let how = if on { "by itself as soon as it can be; nobody has a claim then" } else { "by an Admin" };
    d.tell_all(format!("{name} has it so that from now on a Proposal is ended {how}."));
    Ok(Document::say("Done."))
}

/// Undoes a veto: the Proposal is pending again, and the penalty given back (N102).
pub(super) fn revive(d: &mut D<'_>, number: u64) {
    let Some(proposal) = d.row::<Proposal>(&number).cloned() else { return };
    if let Stands::Failed { paid, seq, .. } = &proposal.stands {
        gain(d, &proposal.by, paid.clone());
        d.edit(&number, |proposal: &mut Proposal| {
            proposal.returned.push(*seq);
            (proposal.stands, proposal.told) = (Stands::Pending, None);
        });
    }
}
