//! What can be tried in B Nomic: every action as the catalogue binds it, and the mechanic that takes it.
//!
//! Absent: what follows from an action by itself, and what counts as a Game Action's being taken (`mod`).

use serde::{Deserialize, Serialize};

use super::{
    D, Id, Refusal, Step, approvals, clerk, clock, currency, display::Document, displays, effects, emergency, foreign,
    intents, ministries, obligations, proposals, quantities, retitling, schedule, society, tidiness, transactions,
    tweaks, voting,
};
use kit::one_or_several;

/// How a text with directives below its title is typed.
const DIRECTIVES_BELOW: &str = "propose \"Dearer\" => set mackerel-rate to 4";

/// What can be tried, as the catalogue binds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Ask to become a Player (B4.2).
    Join {
        /// The name of the seat, where there is none yet.
        #[serde(default)]
        name: Option<String>,
    },
    /// Forfeit (B4.8).
    Leave,
    /// Ratify a request to join (B4.3).
    Ratify {
        /// Whose.
        player: Id,
    },
    /// Reject a request to join (B4.3).
    Reject {
        /// Whose.
        player: Id,
    },
    /// Take somebody's Active property (B28.5).
    Horde {
        /// Whose.
        player: Id,
    },
    /// Put the Clock On (B14.5, B14.8).
    ClockOn,
    /// Put the Clock Off (B14.7).
    ClockOff,
    /// Take a Vacant ministry (B46.1).
    Take {
        /// Which.
        ministry: String,
    },
    /// Resign a ministry (B47.1).
    Resign {
        /// Which.
        ministry: String,
    },
    /// Usurp a ministry (B48.5).
    Usurp {
        /// Which.
        ministry: String,
    },
    /// Pay points to move a Retainer (B48.4).
    Pay {
        /// Of which ministry.
        ministry: String,
        /// How many points.
        amount: String,
        /// To more or to less.
        way: ministries::Way,
    },
    /// Give mackerel (B33.2).
    GiveMackerel {
        /// How much.
        amount: String,
        /// To whom.
        to: Id,
    },
    /// Exchange points for mackerel (B33.3).
    Exchange {
        /// How many points.
        amount: String,
    },
    /// Submit a proposal (B15.5).
    Propose {
        /// Its title.
        title: String,
        /// Its text.
        text: String,
        /// What no rule here knows.
        #[serde(default)]
        trivial: bool,
    },
    /// Revise a proposal (B15.6).
    Revise {
        /// Which.
        proposal: u64,
        /// Its title.
        title: String,
        /// Its text.
        text: String,
    },
    /// Withdraw a proposal (B15.9).
    Withdraw {
        /// Which.
        proposal: u64,
        /// That it is meant, for it cannot be taken back.
        #[serde(default)]
        sure: Option<String>,
    },
    /// Submit again what was shelved (B15.29).
    Resubmit {
        /// Which.
        proposal: u64,
    },
    /// Vote on a proposal (B15.12).
    Vote {
        /// Which; the only Open one where it is not said.
        #[serde(default, deserialize_with = "one_or_several")]
        on: Vec<u64>,
        /// The vote.
        #[serde(deserialize_with = "one_or_several")]
        vote: Vec<String>,
    },
    /// Submit a tweak (B77.1).
    Tweak {
        /// Its text.
        text: String,
    },
    /// Announce that a rule will be retitled (B36.6).
    IntendRetitle {
        /// Which.
        rule: Id,
        /// Its new title.
        title: String,
    },
    /// Announce that a ministry will be usurped (B48.5).
    IntendUsurp {
        /// Which.
        ministry: String,
    },
    /// Announce that a tweak will be activated (B77.2).
    IntendTweak {
        /// Which.
        tweak: u64,
    },
    /// Perform the activation of a tweak (B77.2).
    ActivateTweak {
        /// Which.
        tweak: u64,
    },
    /// Announce a Tidiness List (B32.1).
    IntendTidy {
        /// Its lines.
        text: String,
    },
    /// Announce an act of B elsewhere (B23.2).
    IntendForeign {
        /// In which nomic.
        nomic: String,
        /// What.
        text: String,
    },
    /// Announce that a display will be approved (B50.4).
    IntendApprove {
        /// Which.
        display: String,
        /// What it says otherwise than the record, a line for each value.
        #[serde(default)]
        text: Option<String>,
    },
    /// Object to an announced act (B21.5).
    ObjectTo {
        /// Which; none in what was set for later by an earlier version.
        #[serde(default)]
        intent: Option<u64>,
    },
    /// Support an announced act (B22.1).
    Support {
        /// Which.
        intent: u64,
    },
    /// Perform what one announced (B21.3).
    Perform {
        /// Which.
        intent: u64,
    },
    /// Say what another nomic is to B (B23.1).
    RecordRelation {
        /// Which.
        nomic: String,
        /// What it is.
        text: String,
    },
    /// Challenge a display (B50.3).
    Challenge {
        /// Which.
        display: String,
        /// What is wrong in it.
        errors: String,
    },
    /// Do a duty (B50.3, B53.1).
    AnswerDuty {
        /// Which.
        duty: u64,
        /// The answer.
        text: String,
    },
    /// Do as Minister what a clerk would (BX9).
    Publish {
        /// A ballot, results, numbers, or which display.
        what: String,
    },
    /// Remove a Minister who failed a duty (B53.3).
    RemoveMinister {
        /// Of which ministry.
        ministry: String,
    },
    /// Become Paranoid (B0.4).
    Panic,
    /// Become Calm (B0.4).
    Calm,
    /// Set actions for a later time (B7.8).
    Schedule {
        /// When.
        when: String,
        /// What.
        actions: Vec<Step>,
    },
    /// Withdraw an action that is set for later (B7.10).
    Unschedule {
        /// Which.
        number: u64,
    },
    /// Take several actions as one (B12.1).
    Transaction {
        /// Actions and assertions, in order.
        actions: Vec<Step>,
    },
    /// Name the Emergency Forum (B0.8).
    EmergencyForum {
        /// Which channel.
        channel: String,
    },
    /// Start the Pause (B0.9).
    EmergencyStart,
    /// Announce an increment of the Pause (B0.9).
    EmergencyIncrement,
    /// Object to an increment (B0.9).
    EmergencyObject,
    /// Make or revise one's Refresh Proposal (B0.10).
    EmergencyRefresh {
        /// Its text.
        text: String,
    },
    /// Withdraw one's Refresh Proposal (B0.10).
    EmergencyWithdraw,
    /// Vote for a Refresh Proposal (B0.11).
    EmergencyVote {
        /// Whose.
        player: Id,
    },
    /// Hoist a flag (4E40).
    Hoist {
        /// Which.
        flag: String,
    },
    /// Apply the prose of a tweak that is active (B77.2).
    ApplyTweak {
        /// Which.
        tweak: u64,
        /// Directives.
        text: String,
    },
    /// Apply the prose of the Refresh Proposal that was selected (B0.16).
    ApplyRefresh {
        /// Directives.
        text: String,
    },
    /// Apply the prose of a proposal that passed (B15.10).
    ApplyProposal {
        /// Which.
        proposal: u64,
        /// Directives.
        text: String,
    },
}

impl Action {
    /// Whether it is a Game Action that happens now: what is set for later counts when it happens (B7.9).
    pub(super) fn is_taken_now(&self) -> bool {
        !matches!(self, Self::Schedule { .. } | Self::Unschedule { .. })
    }

    /// Whether it is an action of the game proper: not one of those with which an emergency goes on.
    pub(super) fn is_of_the_game(&self) -> bool {
        !matches!(
            self,
            Self::Panic
                | Self::Calm
                | Self::EmergencyForum { .. }
                | Self::EmergencyStart
                | Self::EmergencyIncrement
                | Self::EmergencyObject
                | Self::EmergencyRefresh { .. }
                | Self::EmergencyWithdraw
                | Self::EmergencyVote { .. }
                | Self::ApplyRefresh { .. }
        )
    }

    /// Takes it, by the mechanic that it belongs to.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where it is not legal.
    pub(super) fn act(self, d: &mut D<'_>) -> Result<Document, Refusal> {
        match self {
            Self::Join { name } => society::request(name, d),
            Self::Leave => society::forfeit(d),
            Self::Ratify { player } => society::answer(&player, society::Answer::Ratify, d),
            Self::Reject { player } => society::answer(&player, society::Answer::Reject, d),
            Self::Horde { player } => society::idle(&player, d),
            Self::ClockOn => clock::put_on(d),
            Self::ClockOff => clock::put_off(d),
            Self::Take { ministry } => each_ministry(&ministry, d, ministries::take),
            Self::Resign { ministry } => each_ministry(&ministry, d, ministries::resign),
            Self::Usurp { ministry } => each_ministry(&ministry, d, ministries::usurp),
            Self::Pay { ministry, amount, way } => {
                let amount = quantities::points(d, &amount)?;
                ministries::pay(&ministry, &amount, way, d)
            }
            Self::GiveMackerel { amount, to } => currency::give(&amount, &to, d),
            Self::Exchange { amount } => currency::exchange(&amount, d),
            Self::Propose { title, text, trivial } => {
                tweaks::unmarked(&text, DIRECTIVES_BELOW)?;
                proposals::propose(&title, &text, trivial, d)
            }
            Self::Revise { proposal, title, text } => {
                tweaks::unmarked(&text, &format!("draft revise {proposal} \"Dearer\" => set mackerel-rate to 4"))?;
                proposals::revise(proposal, &title, &text, d)
            }
            Self::Withdraw { proposal, sure } => proposals::withdraw(proposal, sure.is_some(), d),
            Self::Resubmit { proposal } => proposals::again(proposal, d),
            Self::Vote { on, vote } => voting::vote(&on, &vote, d),
            Self::Tweak { text } => tweaks::submit(&text, d),
            Self::IntendRetitle { rule, title } => {
                let (rule, title) = retitling::read(d, &rule, &title)?;
                intents::announce(intents::Act::Retitle { rule, title }, d)
            }
            Self::IntendUsurp { ministry } => {
                let ministry = ministries::find(d, &ministry)?;
                intents::announce(intents::Act::Usurp { ministry }, d)
            }
            Self::IntendTweak { tweak } => {
                let tweak = tweaks::meant(d, tweak)?;
                intents::announce(intents::Act::Tweak { tweak }, d)
            }
            Self::ActivateTweak { tweak } => intents::activate(tweak, d),
            Self::IntendTidy { text } => {
                let lines = tidiness::read(d, &text)?;
                intents::announce(intents::Act::Tidy { lines }, d)
            }
            Self::IntendForeign { nomic, text } => {
                let (nomic, text) = (foreign::line(&nomic)?, foreign::line(&text)?);
                intents::announce(intents::Act::Foreign { nomic, text }, d)
            }
            Self::IntendApprove { display, text } => {
                let (display, text) = displays::widened(d, &display, text.as_deref().unwrap_or_default());
                let given = approvals::read(d, &display, text)?;
                intents::announce(intents::Act::Approve(given), d)
            }
            Self::ObjectTo { intent: Some(intent) } => intents::answer(intent, intents::Answer::Object, d),
            Self::ObjectTo { intent: None } => {
                Err(Refusal::new("what was announced is objected to by its number").instead("show intents"))
            }
            Self::Support { intent } => intents::answer(intent, intents::Answer::Support, d),
            Self::Perform { intent } => intents::perform(intent, d),
            Self::RecordRelation { nomic, text } => foreign::record(&nomic, &text, d),
            Self::Challenge { display, errors } => obligations::challenge(&display, &errors, d),
            Self::AnswerDuty { duty, text } => obligations::answer(duty, &text, d),
            Self::Publish { what } => clerk::publish(&what, d),
            Self::RemoveMinister { ministry } => obligations::remove(&ministry, d),
            Self::Panic => emergency::feel(true, d),
            Self::Calm => emergency::feel(false, d),
            Self::Schedule { when, actions } => schedule::set(&when, actions, d),
            Self::Unschedule { number } => schedule::withdraw(number, d),
            Self::Transaction { actions } => transactions::submit(&actions, d),
            Self::EmergencyForum { channel } => emergency::name_forum(&channel, d),
            Self::EmergencyStart => emergency::start(d),
            Self::EmergencyIncrement => emergency::increment(d),
            Self::EmergencyObject => emergency::object(d),
            Self::EmergencyRefresh { text } => {
                tweaks::unmarked(&text, "emergency refresh => set mackerel-rate to 4")?;
                emergency::refresh(Some(&text), d)
            }
            Self::EmergencyWithdraw => emergency::refresh(None, d),
            Self::EmergencyVote { player } => emergency::vote(&player, d),
            Self::Hoist { flag } => emergency::hoist(&flag, d),
            Self::ApplyTweak { tweak, text } => effects::apply_tweak(tweak, &text, d),
            Self::ApplyRefresh { text } => effects::apply_refresh(&text, d),
            Self::ApplyProposal { proposal, text } => effects::apply_by_hand(proposal, &text, d),
        }
    }
}

/// Does what is said of one ministry or of several; of these all or none: `Goods, Play, Fauna`.
fn each_ministry(
    words: &str,
    d: &mut D<'_>,
    act: impl Fn(&str, &mut D<'_>) -> Result<Document, Refusal>,
) -> Result<Document, Refusal> {
    let is_one = |words: &str| ministries::find(d, words).is_ok();
    let named: Vec<&str> = words.split(',').map(str::trim).collect();
    if is_one(words) || named.len() < 2 || !named.iter().all(|name| is_one(name)) {
        return act(words, d);
    }
    let mut reply = Document::default();
    for name in named {
        reply.blocks.extend(act(name, d)?.blocks);
    }
    Ok(reply)
}
