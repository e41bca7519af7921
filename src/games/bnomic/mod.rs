//! B Nomic (seed 002): a Clock of nweeks and ndays, ministries, proposals with conflicts and dependencies.
//!
//! One file a rule or mechanic, each with its state, facts, decisions and displays; what rules can name stands in the
//! world (`stats`). Absent so far: the second half of the rulebook; `docs/coverage/bnomic.md` lists clause by clause what
//! there is.

mod approvals;
mod calendar;
mod clock;
mod currency;
mod displays;
mod effects;
mod emergency;
pub mod figures;
mod foreign;
mod intents;
pub mod law;
mod ministries;
mod moments;
mod obligations;
mod passing;
mod phases;
mod posted;
mod precedence;
mod proposals;
mod quantities;
mod registry;
mod retitling;
mod rounds;
mod schedule;
mod society;
mod stats;
mod tally;
mod tidiness;
mod timetable;
mod transactions;
mod turn;
mod tweaks;
mod victory;
mod voting;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

pub use transactions::Step;

use crate::kernel::{
    Draft, Game, Id, Instant, Num, Path, Refusal, State,
    display::{self, Cell, Document},
    entry::Due,
    game::{Around, Lapse, Viewer},
    rulebook::LiveKey,
};

/// The opening option that names who holds the game's office: only whoever opens the room can.
const OFFICER: &str = "officer";

/// The opening option that says in which nweek the room begins (B14.1).
const NWEEK: &str = "nweek";
/// The one that says which number the first proposal gets (B15.8).
const FIRST_PROPOSAL: &str = "first-proposal";
/// The one that names the first Players, with commas between them (B4.11).
const FOUNDERS: &str = "founders";
/// Greatest nweek and number that a room begins with: centuries of play before it.
const OPENING_MAX_COUNT: i64 = 1_000_000;

/// A draft of this game.
type D<'a> = Draft<'a, BNomic>;

/// The machinery of one room. What rules can name stands in the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BNomic {
    time: clock::Time,
    society: society::Society,
    ministries: ministries::Ministries,
    votes: voting::Votes,
    tallies: passing::Tallies,
    intents: intents::Intents,
    tweaks: tweaks::Tweaks,
    relations: foreign::Relations,
    obligations: obligations::Obligations,
    watch: victory::Watch,
    emergency: emergency::Emergency,
    #[serde(default)]
    numbers: proposals::Numbers,
    #[serde(default)]
    approvals: approvals::Approvals,
    #[serde(default)]
    schedule: schedule::Schedule,
    #[serde(default)]
    posts: posted::Posts,
}

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
        #[serde(default)]
        on: Option<u64>,
        /// The words of the vote.
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
        /// Which.
        intent: u64,
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

/// A change to the machinery, by the mechanic that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The Clock.
    Clock(clock::Fact),
    /// Players and requests.
    Society(society::Fact),
    /// Ministries.
    Ministry(ministries::Fact),
    /// Votes.
    Vote(voting::Fact),
    /// Tallies.
    Tally(passing::Fact),
    /// Announced acts.
    Intent(intents::Fact),
    /// Tweaks.
    Tweak(tweaks::Fact),
    /// Relations with other nomics.
    Relation(foreign::Fact),
    /// What ministries owe.
    Duty(obligations::Fact),
    /// The watching of triggers.
    Victory(victory::Fact),
    /// Emergencies.
    Emergency(emergency::Fact),
    /// Numbers of proposals.
    Proposal(proposals::Fact),
    /// Approvals of displays.
    Approval(approvals::Fact),
    /// What is set for later.
    Schedule(schedule::Fact),
    /// What posted texts mean.
    Posted(posted::Fact),
    /// Nothing: what stands where taking an entry back leaves the clockwork as it is.
    Kept,
}

crate::games::law::facts!(clock: Clock, society: Society, ministries: Ministry, voting: Vote, passing: Tally, intents: Intent, tweaks: Tweak, foreign: Relation, obligations: Duty, victory: Victory, emergency: Emergency, proposals: Proposal, approvals: Approval, schedule: Schedule, posted: Posted);

/// Emits a fact of a mechanic.
fn emit(d: &mut D<'_>, fact: impl Into<Fact>) {
    d.fact(fact.into());
}

/// Refuses what was not said in a Public forum: no Game Action happens elsewhere (B7.1, B7.2).
fn public(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("a Game Action is a message to a Public Forum: say it in a public channel of the room")
        .by("4E7, Game Actions")
        .instead(line))
}

/// Most rounds of what rules do "whenever" something holds, after one of several actions: as the kernel has it after each.
const SETTLE_MAX_ROUNDS: usize = crate::kernel::engine::SETTLE_MAX_ROUNDS;

/// What rules do next "whenever" something holds; whether they do.
fn follow(d: &mut D<'_>) -> bool {
    approvals::settle(d)
        || clock::settle(d)
        || registry::settle(d)
        || ministries::settle(d)
        || society::settle(d)
        || intents::settle(d)
        || emergency::settle(d)
        || victory::settle(d)
        || obligations::settle(d)
}

/// Does all that follows from an action, where others come after it in the same entry.
fn settle_all(d: &mut D<'_>) {
    (0..SETTLE_MAX_ROUNDS).find(|_| !follow(d));
}

/// The same without the Clock, which is turning.
fn settle_but_clock(d: &mut D<'_>) {
    (0..SETTLE_MAX_ROUNDS).find(|_| !(ministries::settle(d) || emergency::settle(d) || victory::settle(d)));
}

/// An action as the catalogue bound it.
///
/// # Errors
///
/// A [`Refusal`] where this game knows no such action.
fn read(act: &Json) -> Result<Action, Refusal> {
    Action::deserialize(act).map_err(|why| Refusal::new(format!("this game cannot do that: {why}")).instead("help"))
}

/// Takes an action, in the name of whoever acts.
///
/// # Errors
///
/// A [`Refusal`] where it is not legal.
fn take(action: Action, d: &mut D<'_>) -> Result<Document, Refusal> {
    let (counts, approves) = (action.is_taken_now(), matches!(action, Action::IntendApprove { .. }));
    let reply = action.act(d)?;
    if let Some(me) = d.actor_seat().filter(|_| counts) {
        society::acted(d, &me);
    }
    if approves {
        approvals::announced(d);
    }
    Ok(reply)
}

impl Action {
    /// Whether it is a Game Action that happens now: what is set for later counts when it happens (B7.9).
    fn is_taken_now(&self) -> bool {
        !matches!(self, Self::Schedule { .. } | Self::Unschedule { .. })
    }

    fn act(self, d: &mut D<'_>) -> Result<Document, Refusal> {
        match self {
            Self::Join { name } => society::request(name, d),
            Self::Leave => society::forfeit(d),
            Self::Ratify { player } => society::answer(&player, society::Answer::Ratify, d),
            Self::Reject { player } => society::answer(&player, society::Answer::Reject, d),
            Self::Horde { player } => society::idle(&player, d),
            Self::ClockOn => clock::put_on(d),
            Self::ClockOff => clock::put_off(d),
            Self::Take { ministry } => ministries::take(&ministry, d),
            Self::Resign { ministry } => ministries::resign(&ministry, d),
            Self::Usurp { ministry } => ministries::usurp(&ministry, d),
            Self::Pay { ministry, amount, way } => {
                let amount = quantities::points(d, &amount)?;
                ministries::pay(&ministry, &amount, way, d)
            }
            Self::GiveMackerel { amount, to } => currency::give(&amount, &to, d),
            Self::Exchange { amount } => currency::exchange(&amount, d),
            Self::Propose { title, text, trivial } => proposals::propose(&title, &text, trivial, d),
            Self::Revise { proposal, title, text } => proposals::revise(proposal, &title, &text, d),
            Self::Withdraw { proposal, sure } => proposals::withdraw(proposal, sure.is_some(), d),
            Self::Resubmit { proposal } => proposals::again(proposal, d),
            Self::Vote { on, vote } => voting::vote(on, &vote.join(" "), d),
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
            Self::IntendTidy { text } => {
                let lines = tidiness::read(d, &text)?;
                intents::announce(intents::Act::Tidy { lines }, d)
            }
            Self::IntendForeign { nomic, text } => {
                let (nomic, text) = (foreign::line(&nomic)?, foreign::line(&text)?);
                intents::announce(intents::Act::Foreign { nomic, text }, d)
            }
            Self::IntendApprove { display, text } => {
                let given = approvals::read(d, &display, text.as_deref().unwrap_or_default())?;
                intents::announce(intents::Act::Approve(given), d)
            }
            Self::ObjectTo { intent } => intents::answer(intent, intents::Answer::Object, d),
            Self::Support { intent } => intents::answer(intent, intents::Answer::Support, d),
            Self::Perform { intent } => intents::perform(intent, d),
            Self::RecordRelation { nomic, text } => foreign::record(&nomic, &text, d),
            Self::Challenge { display, errors } => obligations::challenge(&display, &errors, d),
            Self::AnswerDuty { duty, text } => obligations::answer(duty, &text, d),
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
            Self::EmergencyRefresh { text } => emergency::refresh(Some(&text), d),
            Self::EmergencyWithdraw => emergency::refresh(None, d),
            Self::EmergencyVote { player } => emergency::vote(&player, d),
            Self::Hoist { flag } => emergency::hoist(&flag, d),
            Self::ApplyTweak { tweak, text } => effects::apply_tweak(tweak, &text, d),
            Self::ApplyRefresh { text } => effects::apply_refresh(&text, d),
            Self::ApplyProposal { proposal, text } => effects::apply_by_hand(proposal, &text, d),
        }
    }
}

impl Game for BNomic {
    const NAME: &'static str = "bnomic";
    const SCHEMA: u16 = 1;
    type Action = Action;
    type Fact = Fact;

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        let opener = d.doer.name.clone();
        let known = |key: &str, value: &Json| {
            let own = key == OFFICER && value.as_str().is_some_and(|name| name.eq_ignore_ascii_case(&opener));
            own || value.is_null() || [NWEEK, FIRST_PROPOSAL, FOUNDERS].contains(&key)
        };
        let number = |key: &str| match options.get(key).filter(|value| !value.is_null()) {
            None => Ok(None),
            Some(value) => match value.as_i64().filter(|number| (1..=OPENING_MAX_COUNT).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(Refusal::new(format!("“{key}” is a whole number from 1 to {OPENING_MAX_COUNT}"))),
            },
        };
        let (nweek, first) = (number(NWEEK)?, number(FIRST_PROPOSAL)?);
        if let Some((other, _)) = options.iter().find(|(key, value)| !known(key, value)) {
            return Err(Refusal::new(format!(
                "B Nomic has no option “{other}” of that kind: whoever opens the room is its first Player, and every ministry is Vacant"
            )));
        }
        stats::define(d);
        registry::define(d);
        victory::define(d);
        emergency::define(d);
        for op in law::opening()? {
            d.rule(op);
        }
        clock::open(d, nweek);
        ministries::settle(d);
        let opener = society::open(d)?;
        if let Some(first) = first {
            proposals::first(d, first);
        }
        if let Some(founders) = options.get(FOUNDERS).and_then(Json::as_str) {
            society::found(founders, d)?;
        }
        let name = stats::called(d, &opener);
        let founders = society::founders(d);
        let founders = if founders.is_empty() {
            String::new()
        } else {
            format!(" Founders are Players as soon as they join under their names: {}.", founders.join(", "))
        };
        d.tell_all(format!(
            "B Nomic is open here, in nweek {}, with the Clock Off. {name} is its first Player.{founders} Whoever wants to be one types “join NAME”; “help” tells the rest.",
            clock::now(d).nweek
        ));
        Ok(Document::say(format!(
            "The rules are in place and every ministry is Vacant; {name} is the first Player. Founders whom you named are Players as soon as they “join NAME”; make Players of others who ask first with “correct player/NAME.standing player because ...”."
        )))
    }

    fn decide(action: Action, d: &mut D<'_>) -> Result<Document, Refusal> {
        let text = approvals::begins(&action, d);
        let reply = take(action, d)?;
        approvals::acted(text, d);
        Ok(reply)
    }

    fn next_due(state: &State<Self>) -> Option<Due> {
        let others = [emergency::next_due(state), schedule::next_due(state)];
        clock::next_due(state).into_iter().chain(others.into_iter().flatten()).min()
    }

    fn due(due: &Due, d: &mut D<'_>) {
        approvals::coming(d);
        match due.rank {
            phases::INCREMENT => emergency::due(d),
            phases::SCHEDULED => schedule::due(due, d),
            _ => clock::due(due, d),
        }
        approvals::came(due, d);
    }

    fn lapse(due: &Due, d: &mut D<'_>) {
        match due.rank {
            phases::INCREMENT => emergency::due(d),
            phases::SCHEDULED => schedule::lapse(due, d),
            _ => clock::lapse(due, d),
        }
    }

    fn lapses(state: &State<Self>, due: &Due) -> Lapse {
        match due.rank {
            phases::SCHEDULED => schedule::lapses(state, due),
            _ => Lapse { what: due.key.to_string(), done_late: false },
        }
    }

    fn number(state: &State<Self>, words: &str) -> Option<Num> {
        quantities::read(state, words).ok()
    }

    fn settle(d: &mut D<'_>) -> bool {
        approvals::outside(d) || follow(d) || approvals::done(d)
    }

    fn fold(&mut self, fact: &Fact, around: &Around<'_>) {
        match fact {
            Fact::Clock(fact) => clock::fold(self, fact),
            Fact::Society(fact) => society::fold(self, fact),
            Fact::Ministry(fact) => ministries::fold(self, fact),
            Fact::Vote(fact) => voting::fold(self, fact),
            Fact::Tally(fact) => passing::fold(self, fact),
            Fact::Intent(fact) => intents::fold(self, fact),
            Fact::Tweak(fact) => tweaks::fold(self, fact),
            Fact::Relation(fact) => foreign::fold(self, fact),
            Fact::Duty(fact) => obligations::fold(self, fact),
            Fact::Victory(fact) => victory::fold(self, fact),
            Fact::Emergency(fact) => emergency::fold(self, fact),
            Fact::Proposal(fact) => proposals::fold(self, fact),
            Fact::Approval(fact) => approvals::fold(self, fact, around),
            Fact::Schedule(fact) => schedule::fold(self, fact),
            Fact::Posted(fact) => posted::fold(self, fact),
            Fact::Kept => {}
        }
    }

    fn inverse(fact: &Fact, _state: &State<Self>) -> Option<Fact> {
        Some(match fact {
            Fact::Clock(fact) => clock::inverse(fact),
            Fact::Society(fact) => society::inverse(fact).into(),
            Fact::Ministry(fact) => ministries::inverse(fact).into(),
            Fact::Vote(fact) => voting::inverse(fact).into(),
            Fact::Tally(fact) => passing::inverse(fact).into(),
            Fact::Intent(fact) => intents::inverse(fact).into(),
            Fact::Tweak(fact) => tweaks::inverse(fact).into(),
            Fact::Relation(fact) => foreign::inverse(fact).into(),
            Fact::Duty(fact) => obligations::inverse(fact).into(),
            Fact::Victory(fact) => victory::inverse(fact).into(),
            Fact::Emergency(fact) => emergency::inverse(fact).into(),
            Fact::Proposal(fact) => proposals::inverse(fact),
            Fact::Approval(fact) => approvals::inverse(fact),
            Fact::Schedule(fact) => schedule::inverse(fact).into(),
            Fact::Posted(fact) => posted::inverse(fact).into(),
            Fact::Kept => Fact::Kept,
        })
    }

    fn displays(state: &State<Self>) -> Vec<Cell> {
        displays::list(state)
    }

    fn display(state: &State<Self>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
        displays::show(state, id, viewer)
    }

    fn corrects(at: &Path, to: &str, d: &mut D<'_>) -> Option<Result<(), Refusal>> {
        (*at.attr == *stats::MINISTER.id).then(|| ministries::by_hand(&at.obj, to, d))
    }

    fn correct(path: &str, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
        if path == "emergency.peps" {
            return emergency::declare(to, d);
        }
        match path.rsplit_once('.') {
            Some((seat, "standing")) if to.trim().eq_ignore_ascii_case("player") => {
                let seat = Id::from(seat);
                society::seat_by_hand(d, &seat)
            }
            _ => Err(Refusal::new(format!("nothing here is called “{path}”")).instead("show society")),
        }
    }

    fn forgotten(seat: &Id, d: &mut D<'_>) {
        society::forgotten(seat, d);
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        let rule = registry::defined_by(state, &path.attr)?;
        Some(format!("{}{}, {}", law::PREFIX, rule.number(), rule.label()))
    }

    fn unseated(_state: &State<Self>) -> Vec<(Id, Vec<String>)> {
        let names = ["The Operantly Conditioned Beast", "Operantly Conditioned Beast", "The Beast", "Beast"];
        vec![(stats::BEAST.into(), names.map(str::to_owned).to_vec())]
    }

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/bnomic.md")
    }
}
