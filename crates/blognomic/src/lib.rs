//! BlogNomic, the dynasty of robots (seed 001): Robots propose and vote, a Control Unit reigns, a virus eats the rules.
//!
//! One file a rule or mechanic, each with its rows, decisions and displays; what rules can name stands in the
//! world (`stats`). Time, dice and the outside are absent: they are handed in.

mod ascension;
mod before;
mod corrections;
mod displays;
mod dynasties;
mod effects;
mod enactment;
pub mod figures;
mod glossary;
mod gndt;
mod holdings;
mod inventory;
mod judgment;
pub mod law;
mod malfunction;
mod mcp;
mod parts;
mod phases;
mod power;
mod program;
mod proposals;
mod roster;
mod stats;
mod supplied;
mod undoing;
mod veto;
mod virus;
mod voting;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use kernel::{
    Draft, Game, Id, Instant, Num, Path, Refusal, Seq, State,
    display::{self, Cell, Document},
    entry::{Audience, Due},
    game::{Around, Viewer},
    rulebook::LiveKey,
    table::Rows,
};

/// The opening option that names who holds the game's office: only whoever opens the room can.
const OFFICER: &str = "officer";
/// The opening option that holds the text of a rulebook; without it the room opens with the project's own.
const RULEBOOK: &str = "rulebook";

/// The ground on which a run of the Master Control Program changes the table.
const RUN_GROUND: &str = "Master Control Program";

/// A draft of this game.
type D<'a> = Draft<'a, BlogNomic>;

/// The machinery of one room, in tables. What rules can name stands in the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlogNomic {
    members: Rows<Id, roster::Member>,
    proposals: Rows<u64, proposals::Proposal>,
    texts: Rows<(u64, usize), proposals::Wording>,
    votes: Rows<(voting::Question, Id), voting::Vote>,
    dynasties: Rows<u64, dynasties::Dynasty>,
    alterations: Rows<(Seq, u64), gndt::Alteration>,
    undoings: Rows<Seq, undoing::Undoing>,
    holdings: Rows<Id, holdings::Holding>,
    runs: Rows<Id, program::Day>,
    virus: Rows<(), virus::Virus>,
    vetoes: Rows<u64, veto::Veto>,
    calls: Rows<u64, judgment::Call>,
    claims: Rows<(Id, Seq), power::Claimed>,
    settings: Rows<(), enactment::Settings>,
}

/// What can be tried, as the catalogue binds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Apply to become a Robot (N8).
    Join {
        /// The name of the seat, where there is none yet.
        #[serde(default)]
        name: Option<String>,
    },
    /// The same, with the link of the roster.
    Register {
        /// The name.
        name: String,
        /// A URL or email address.
        #[serde(default)]
        link: Option<String>,
    },
    /// Say what the name in the roster links to (N119).
    Link {
        /// A URL or email address.
        link: String,
    },
    /// Say in which zone the days of one's weblog are (N120).
    Zone {
        /// An IANA name.
        zone: String,
    },
    /// Leave the game (N13).
    Leave,
    /// Name whom one has to thank for coming (N11).
    Thank {
        /// Another Robot.
        robot: Id,
    },
    /// Ask to be Deactivated (N16).
    AskDeactivate,
    /// Ask to be Reactivated (N17).
    AskReactivate,
    /// Make a Robot of an applicant (N9).
    SetUp {
        /// The applicant.
        robot: Id,
    },
    /// Make a Robot Admin Staff (N12).
    Confer {
        /// The Robot.
        robot: Id,
    },
    /// Deactivate a Robot (N16).
    Deactivate {
        /// The Robot.
        robot: Id,
    },
    /// Reactivate a Robot (N17).
    Reactivate {
        /// The Robot.
        robot: Id,
    },
    /// Make a Proposal (N18).
    Propose {
        /// Its title.
        title: String,
        /// Its text.
        text: String,
        /// Whether it is stated to be Trivial (N20).
        #[serde(default)]
        trivial: bool,
    },
    /// Vote on a Proposal (N22).
    Vote {
        /// Which; the only pending one where it is not said.
        #[serde(default, deserialize_with = "kit::one_or_several")]
        on: Vec<u64>,
        /// The vote.
        #[serde(deserialize_with = "kit::one_or_several")]
        vote: Vec<String>,
        /// That it is held Trivial.
        #[serde(default)]
        mark: Option<String>,
    },
    /// Enact a Proposal (N34).
    Enact {
        /// Which; the oldest pending one where it is not said.
        #[serde(default)]
        proposal: Option<u64>,
        /// “by-hand”, where its directives cannot be done any more (N36).
        #[serde(default)]
        how: Option<String>,
    },
    /// Fail a Proposal (N38).
    Fail {
        /// Which; the oldest pending one where it is not said.
        #[serde(default)]
        proposal: Option<u64>,
    },
    /// Claim the Power for ending a Proposal (N47).
    Claim {
        /// Which; the latest one where it is not said.
        #[serde(default)]
        proposal: Option<u64>,
    },
    /// Turn enactment by itself on or off (N35).
    Automatic {
        /// On or off.
        on: bool,
    },
    /// Carry out by hand what an Enacted Proposal says.
    Apply {
        /// Which.
        proposal: u64,
        /// Directives.
        text: String,
    },
    /// Run the Master Control Program (N69).
    Run {
        /// The keyword, if any.
        #[serde(default)]
        keyword: Option<String>,
        /// Another Robot.
        #[serde(default)]
        other: Option<Id>,
    },
    /// Update a figure in the GNDT (N58).
    Update {
        /// Whose.
        robot: Id,
        /// Which.
        stat: String,
        /// To what.
        to: String,
        /// On what ground.
        ground: String,
    },
    /// Take an alteration of the GNDT back (N59).
    Undo {
        /// Its entry.
        entry: u64,
        /// Why.
        reason: String,
    },
    /// Let the virus loose (N83).
    Virus,
    /// Veto a Proposal (N98).
    Veto {
        /// Which.
        proposal: u64,
    },
    /// Request that a veto be annulled (N100).
    Annul {
        /// Of which Proposal.
        proposal: u64,
    },
    /// Vote on such a request (N101).
    VoteAnnul {
        /// About which Proposal; the only one where it is not said.
        #[serde(default)]
        proposal: Option<u64>,
        /// The vote.
        vote: String,
    },
    /// Nominate a Control Unit (N104).
    Nominate {
        /// Whom.
        robot: Id,
    },
    /// Raise a Call for Judgment (N49).
    RaiseCall {
        /// Its title.
        title: String,
        /// Its text.
        text: String,
    },
    /// Vote on a Call (N50).
    VoteCall {
        /// Which; the only open one where it is not said.
        #[serde(default)]
        call: Option<u64>,
        /// The vote.
        vote: String,
    },
    /// Carry out an upheld Call (N51).
    Judge {
        /// Which.
        call: u64,
        /// Directives, where the Call has only prose.
        #[serde(default)]
        text: Option<String>,
    },
    /// Mend a slip in a rule (N6).
    MendRule {
        /// Which rule.
        rule: Id,
        /// The words.
        old: String,
        /// What they should be.
        new: String,
    },
    /// Mend a slip in a Proposal (N6).
    MendProposal {
        /// Which.
        proposal: u64,
        /// The words.
        old: String,
        /// What they should be.
        new: String,
    },
    /// Fit the Glossary to a resolved Call (N117).
    Gloss {
        /// The Call.
        call: u64,
        /// The words to replace; what is new is added where there are none.
        #[serde(default)]
        old: Option<String>,
        /// The new words.
        new: String,
    },
    /// Settle what the Master Control Program means (N80).
    Source {
        /// The words of the source.
        old: String,
        /// The new ones.
        new: String,
        /// Why.
        reason: String,
    },
    /// Post the Ascension Address (N113).
    Address {
        /// Its text.
        text: String,
    },
    /// Change the weblog's looks (N113).
    Decorate {
        /// What of it.
        part: ascension::Part,
        /// To what.
        text: String,
    },
    /// Put the Dynasty's name into the header (N112).
    Title,
    /// Repeal rules by proclamation (N113).
    Proclaim {
        /// Which.
        rules: Vec<Id>,
    },
    /// Claim Power for an entry in one's weblog (N64).
    Entry {
        /// Its address.
        link: String,
        /// When it was posted.
        posted: Instant,
    },
    /// Buy a part (N67).
    Buy {
        /// Which, in the words of its name.
        part: Vec<String>,
    },
    /// Give Power (N63).
    Give {
        /// How much.
        amount: Num,
        /// To whom.
        to: Id,
    },
    /// Rate a Subject (N105).
    Rate {
        /// Whom.
        robot: Id,
        /// The Imperial efficiency.
        rating: i64,
    },
}

/// Refuses what was not said in public: the game is played where everybody can read it.
fn public(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("this happens in public: say it in a public channel of the room").instead(line))
}

/// A name as a command takes it: in quotation marks where it is several words.
fn typed(name: &str) -> String {
    if name.contains(char::is_whitespace) { format!("\"{name}\"") } else { name.to_owned() }
}

/// Does one complete act and logs what it changed in the table (N58).
fn logged<T>(d: &mut D<'_>, ground: &str, act: impl FnOnce(&mut D<'_>) -> T) -> T {
    let before = State::clone(d);
    let by = d.actor_seat();
    let done = act(d);
    gndt::log(d, &before, by, ground);
    done
}

impl Action {
    /// The ground on which it changes the table: what a Robot said, or what it is.
    fn ground(&self) -> String {
        let kind = match self {
            Self::Update { ground, .. } => return ground.clone(),
            Self::Undo { entry, reason } => return format!("undoing entry {entry}: {reason}"),
            Self::Join { .. } | Self::Register { .. } | Self::Link { .. } | Self::Zone { .. } => "application",
            Self::Leave | Self::AskDeactivate | Self::AskReactivate => "declaration",
            Self::Thank { .. } => "naming whom to thank for coming",
            Self::SetUp { .. } => "set-up of a Robot",
            Self::Confer { .. } | Self::Deactivate { .. } | Self::Reactivate { .. } => "roster",
            Self::Propose { .. } => "Proposal",
            Self::Vote { .. } => "vote",
            Self::Enact { .. } => "Enactment",
            Self::Fail { .. } => "failure",
            Self::Claim { .. } => "claim for Enactment",
            Self::Automatic { .. } => "setting",
            Self::Apply { .. } => "effects of a Proposal, by hand",
            Self::Run { .. } => RUN_GROUND,
            Self::Virus => "virus",
            Self::Veto { .. } | Self::Annul { .. } | Self::VoteAnnul { .. } => "veto",
            Self::Nominate { .. } => "nomination",
            Self::RaiseCall { .. } | Self::VoteCall { .. } | Self::Judge { .. } => "Call for Judgment",
            Self::MendRule { .. } | Self::MendProposal { .. } | Self::Gloss { .. } | Self::Source { .. } => {
                "correction"
            }
            Self::Address { .. } | Self::Decorate { .. } | Self::Title | Self::Proclaim { .. } => "Ascension",
            Self::Entry { .. } => "weblog entry",
            Self::Buy { .. } => "spare part",
            Self::Give { .. } => "gift",
            Self::Rate { .. } => "Imperial efficiency",
        };
        kind.to_owned()
    }

    fn act(self, d: &mut D<'_>) -> Result<Document, Refusal> {
        match self {
            Self::Join { name } => roster::apply(name, None, d),
            Self::Register { name, link } => roster::apply(Some(name), link, d),
            Self::Link { link } => roster::link(&link, d),
            Self::Zone { zone } => roster::zone(&zone, d),
            Self::Leave => roster::leave(d),
            Self::Thank { robot } => roster::nominate(&robot, d),
            Self::AskDeactivate => roster::ask(roster::Wish::Deactivation, d),
            Self::AskReactivate => roster::ask(roster::Wish::Reactivation, d),
            Self::SetUp { robot } => roster::set_up(&robot, d),
            Self::Confer { robot } => roster::confer(&robot, d),
            Self::Deactivate { robot } => roster::deactivate(&robot, d),
            Self::Reactivate { robot } => roster::reactivate(&robot, d),
            Self::Propose { title, text, trivial } => proposals::propose(&title, &text, trivial, d),
            Self::Vote { on, vote, mark } => voting::vote(&on, &vote.join(" "), mark.is_some(), d),
            Self::Enact { proposal, how } => enactment::enact(proposal, how.is_some(), d),
            Self::Fail { proposal } => enactment::fail(proposal, d),
            Self::Claim { proposal } => enactment::claim(proposal, d),
            Self::Automatic { on } => enactment::automatic(on, d),
            Self::Apply { proposal, text } => effects::apply_by_hand(proposal, &text, d),
            Self::Run { keyword, other } => program::run(keyword, other, d),
            Self::Update { robot, stat, to, ground } => gndt::update(&robot, &stat, &to, &ground, d),
            Self::Undo { entry, reason } => undoing::undo(entry, &reason, d),
            Self::Virus => virus::let_loose(d),
            Self::Veto { proposal } => veto::veto(proposal, d),
            Self::Annul { proposal } => veto::request(proposal, d),
            Self::VoteAnnul { proposal, vote } => veto::vote_on_request(proposal, &vote, d),
            Self::Nominate { robot } => veto::nominate(&robot, d),
            Self::RaiseCall { title, text } => judgment::raise(&title, &text, d),
            Self::VoteCall { call, vote } => judgment::vote(call, &vote, d),
            Self::Judge { call, text } => judgment::carry_out(call, text.as_deref(), d),
            Self::MendRule { rule, old, new } => corrections::mend_rule(&rule, &old, &new, d),
            Self::MendProposal { proposal, old, new } => corrections::mend_proposal(proposal, &old, &new, d),
            Self::Gloss { call, old, new } => corrections::gloss(call, old.as_deref(), &new, d),
            Self::Source { old, new, reason } => corrections::settle_source(&old, &new, &reason, d),
            Self::Address { text } => ascension::address(&text, d),
            Self::Decorate { part, text } => ascension::decorate(part, &text, d),
            Self::Title => ascension::title(d),
            Self::Proclaim { rules } => ascension::proclaim(&rules, d),
            Self::Entry { link, posted } => power::entry(&link, posted, d),
            Self::Buy { part } => parts::buy(&part.join(" "), d),
            Self::Give { amount, to } => power::give(&to, &amount, d),
            Self::Rate { robot, rating } => dynasties::rate(&robot, rating, d),
        }
    }
}

kernel::tables! { BlogNomic {
    members: Id => roster::Member,
    proposals: u64 => proposals::Proposal,
    texts: (u64, usize) => proposals::Wording,
    votes: (voting::Question, Id) => voting::Vote,
    dynasties: u64 => dynasties::Dynasty,
    alterations: (Seq, u64) => gndt::Alteration,
    undoings: Seq => undoing::Undoing,
    holdings: Id => holdings::Holding,
    runs: Id => program::Day,
    virus: () => virus::Virus,
    vetoes: u64 => veto::Veto,
    calls: u64 => judgment::Call,
    claims: (Id, Seq) => power::Claimed,
    settings: () => enactment::Settings,
} }

impl Game for BlogNomic {
    const NAME: &'static str = "blognomic";
    const SCHEMA: u16 = 2;
    type Action = Action;
    type Fact = before::Fact;

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        let opener = d.doer.name.clone();
        let known = |key: &str, value: &Json| match key {
            OFFICER => value.is_null() || value.as_str().is_some_and(|name| name.eq_ignore_ascii_case(&opener)),
            RULEBOOK => value.is_null() || value.is_string(),
            _ => value.is_null(),
        };
        if let Some((other, _)) = options.iter().find(|(key, value)| !known(key, value)) {
            return Err(Refusal::new(format!(
                "BlogNomic has no option “{other}” of that kind: whoever opens the room is its first Robot and Control Unit"
            )));
        }
        stats::define(d);
        let supplied = options.get(RULEBOOK).and_then(Json::as_str).map(supplied::read).transpose()?;
        let ops = match &supplied {
            Some(supplied) => supplied.ops.clone(),
            None => law::opening()?,
        };
        for op in ops {
            d.rules.check(&op)?;
            d.rule(op);
        }
        let opener = roster::found(d)?;
        virus::open(d);
        dynasties::begin(d, &opener, "the room was opened");
        let name = d.frame.name_of(&opener).to_owned();
        d.say(Audience::Public, displays::welcome(&name, supplied.is_some()));
        let mut reply =
            Document::say(format!("The rules are in place; {name} is the first Robot, Control Unit and Admin Staff."));
        reply.blocks.extend(supplied.iter().flat_map(|supplied| supplied.report(d)));
        Ok(reply)
    }

    fn about(state: &State<Self>, action: &Action) -> Option<String> {
        let votable = proposals::Proposal::votable;
        match action {
            // A decided one is refused with what became of it.
            Action::Enact { proposal: Some(number), .. } | Action::Fail { proposal: Some(number) } => {
                state.row(number).map(votable)
            }
            Action::Vote { on, .. } => match on.first() {
                Some(number) => state.row(number).map(votable),
                None => proposals::pending(state, None).ok().map(votable),
            },
            Action::Enact { proposal: None, .. } | Action::Fail { proposal: None } => {
                proposals::oldest(state).map(votable)
            }
            Action::VoteCall { call, .. } => judgment::about(state, *call),
            Action::Judge { call, .. } => judgment::about(state, Some(*call)),
            _ => None,
        }
    }

    fn decide(action: Action, d: &mut D<'_>) -> Result<Document, Refusal> {
        let ground = action.ground();
        logged(d, &ground, |d| action.act(d))
    }

    fn next_due(state: &State<Self>) -> Option<Due> {
        enactment::next_due(state).into_iter().chain(virus::next_due(state)).min()
    }

    fn personal() -> &'static [&'static str] {
        roster::PERSONAL
    }

    fn forgotten(seat: &Id, d: &mut D<'_>) {
        roster::forgotten(seat, d);
    }

    fn due(due: &Due, d: &mut D<'_>) {
        logged(d, "the clock", |d| match due.rank {
            phases::TIME_OUT => enactment::due(d),
            phases::VIRUS => virus::due(due, d),
            _ => {}
        });
    }

    fn lapse(due: &Due, d: &mut D<'_>) {
        match due.rank {
            phases::VIRUS => virus::lapse(due, d),
            // A Proposal that runs out of time in a pause is over time after it.
            _ => Self::due(due, d),
        }
    }

    fn settle(d: &mut D<'_>) -> bool {
        logged(d, "the range of Imperial efficiency", dynasties::settle)
            || logged(d, "malfunction", malfunction::settle)
            || logged(d, "veto", veto::settle)
            || logged(d, "Call for Judgment", judgment::settle)
            || logged(d, "Enactment", enactment::settle)
    }

    fn fold(&mut self, fact: &before::Fact, around: &Around<'_>) {
        before::fold(self, fact, around.seq);
    }

    fn displays(state: &State<Self>) -> Vec<Cell> {
        displays::list(state)
    }

    fn display(state: &State<Self>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
        displays::show(state, id, viewer)
    }

    fn told(fact: &before::Fact, state: &State<Self>) -> Option<String> {
        Some(before::told(fact, state))
    }

    fn seen_at(_state: &State<Self>, id: &str) -> Option<Seq> {
        program::seen_at(id)
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        let by = state.world.def(&path.attr)?.by.clone()?;
        Some(state.rules.get(&by)?.label())
    }

    fn alike() -> &'static [&'static [&'static str]] {
        glossary::ALIKE
    }

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/blognomic.md")
    }
}
