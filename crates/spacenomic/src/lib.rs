//! Spacenomic (seed 003): rational votes, exact money, activity, and an end that stands in the rules.
//!
//! One file a mechanic, each with its state, facts, decisions and displays; what rules can name stands in the world
//! (`stats`). `docs/coverage/spacenomic.md` lists clause by clause what there is, and what is still absent.

mod activity;
mod before;
mod build;
mod displays;
mod effects;
mod end;
pub mod figures;
mod guard;
pub mod income;
pub mod law;
mod location;
mod map;
mod money;
mod moves;
mod phases;
mod proposals;
mod society;
pub mod space;
mod stats;
mod voting;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use kernel::{
    Draft, Game, Id, Instant, Num, Path, Refusal, Row, Rows, State,
    display::{self, Cell, Document},
    entry::Due,
    frame::ClockMode,
    game::{Around, Lapse, Viewer},
    rulebook::{LiveKey, Rule},
    time::{minute, read_instant, seconds_after},
};

/// The opening option that names who holds an office: this game has none, and the opener is meant.
const OFFICER: &str = "officer";
/// The opening option that says when the game ends.
const ENDS: &str = "ends";
/// The opening option that says how many vertices Space has a side.
const SIDE: &str = "side";
/// Vertices of Space a side where nothing else is said (S35).
const SIDE_COUNT: i64 = 3;
/// Most vertices a side: the entry that opens the room holds them all.
const SIDE_MAX_COUNT: i64 = 30;

/// A draft of this game.
type D<'a> = Draft<'a, Spacenomic>;

/// The machinery of one room. What rules can name stands in the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spacenomic {
    requests: Rows<Id, society::Request>,
    consents: Rows<Id, society::Consent>,
    activity: Rows<Id, activity::Activity>,
    proposals: Rows<u64, proposals::Proposal>,
    votes: Rows<(u64, Id), voting::Vote>,
    vertices: Rows<space::Spot, space::Vertex>,
    edges: Rows<(space::Spot, space::Spot), space::Edge>,
    moves: Rows<(moves::kind::Kind, Id), moves::Sealed>,
    evaluations: Rows<moves::kind::Kind, moves::Timing>,
    phi: Rows<(), moves::Phi>,
    income: Rows<(), income::Income>,
    end: Rows<(), end::End>,
}

/// What can be tried, as the catalogue binds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Ask to become a player (S7).
    Join {
        /// The name of the seat, where there is none yet.
        #[serde(default)]
        name: Option<String>,
    },
    /// Withdraw from the game (S8).
    Leave,
    /// Add somebody who asked (S7).
    Admit {
        /// Whom.
        player: Id,
    },
    /// Consent to the end of the game (S9).
    GiveConsent,
    /// Take that back (S9).
    WithdrawConsent,
    /// End the game (S9).
    EndGame,
    /// Make a proposal (S22).
    Propose {
        /// Its name.
        title: String,
        /// Its text.
        text: String,
        /// What no rule here knows.
        #[serde(default)]
        trivial: bool,
    },
    /// Destroy a proposal of one's own (S24).
    DestroyProposal {
        /// Which.
        proposal: u64,
    },
    /// Refresh a proposal (S72).
    RefreshProposal {
        /// Which.
        proposal: u64,
    },
    /// Vote on a proposal (S25).
    Vote {
        /// Which; the only one that exists where this is left out.
        #[serde(default, deserialize_with = "kit::one_or_several")]
        on: Vec<u64>,
        /// The vote.
        #[serde(deserialize_with = "kit::one_or_several")]
        vote: Vec<String>,
    },
    /// Transfer money (S64).
    Transfer {
        /// How much.
        amount: Num,
        /// To whom, or nowhere.
        to: String,
    },
    /// Accuse somebody of inactivity (S78).
    Accuse {
        /// Whom.
        player: Id,
        /// Of what: of inactivity.
        #[serde(default)]
        of: Option<String>,
    },
    /// Pause (S79).
    Rest,
    /// Nod (S81).
    Nod,
    /// Take the vertex on which one stands (S69).
    BuyVertex,
    /// Hand a vertex on (S68).
    GiveVertex {
        /// Which.
        vertex: String,
        /// To whom, or to god.
        to: String,
    },
    /// Set a move, sealed (S59).
    SetMove {
        /// The move.
        what: Unseen,
    },
    /// Set a move openly (S59).
    OpenMove {
        /// The move.
        what: String,
    },
    /// Withdraw a move (S59).
    WithdrawMove {
        /// Of which type.
        kind: moves::kind::Kind,
    },
}

/// A text that may be a sealed move: it never reaches a log by way of `{:?}`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Unseen(String);

impl std::fmt::Debug for Unseen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Unseen(..)")
    }
}

/// When something is due instead that was due inside the moderator's pause that ends: as long after it as it was due after
/// its beginning.
fn after_pause(due: &Due, d: &D<'_>) -> Instant {
    match d.frame.clock {
        ClockMode::Paused(since) => seconds_after(d.at, due.at.as_second() - since.as_second()),
        ClockMode::Live | ClockMode::Manual(_) => d.at,
    }
}

/// Refuses what was not announced publicly (S15, S16).
fn public(d: &D<'_>, line: &str) -> Result<(), Refusal> {
    if d.public {
        return Ok(());
    }
    Err(Refusal::new("an action is a public announcement: say it in a public channel of the room")
        .by(law::Thing::Rules.rule(&d.rules))
        .instead(line))
}

impl Action {
    fn act(self, d: &mut D<'_>) -> Result<Document, Refusal> {
        match self {
            Self::Join { name } => society::request(name, d),
            Self::Leave => society::withdraw(d),
            Self::Admit { player } => society::admit(&player, d),
            Self::GiveConsent => society::consent(true, d),
            Self::WithdrawConsent => society::consent(false, d),
            Self::EndGame => society::finish(d),
            Self::Propose { title, text, trivial } => proposals::propose(&title, &text, trivial, d),
            Self::DestroyProposal { proposal } => proposals::destroy(proposal, d),
            Self::RefreshProposal { proposal } => proposals::refresh(proposal, d),
            Self::Vote { on, vote } => voting::vote(&on, &vote.join(" "), d),
            Self::Transfer { amount, to } => money::pay(&amount, &to, d),
            Self::Accuse { player, of: _ } => activity::accuse(&player, d),
            Self::Rest => activity::rest(d),
            Self::Nod => activity::nod(d),
            Self::BuyVertex => space::buy(d),
            Self::GiveVertex { vertex, to } => space::give(&vertex, &to, d),
            Self::SetMove { what } => moves::set(&what.0, false, d),
            Self::OpenMove { what } => {
                public(d, "move open go (1, 2)")?;
                moves::set(&what, true, d)
            }
            Self::WithdrawMove { kind } => moves::withdraw(&kind, d),
        }
    }
}

/// What the opener asked for.
struct Options {
    ends: Option<Instant>,
    side: i64,
}

impl Options {
    fn read(options: &Map<String, Json>, opener: &str) -> Result<Self, Refusal> {
        let mut read = Self { ends: None, side: SIDE_COUNT };
        for (key, value) in options.iter().filter(|(_, value)| !value.is_null()) {
            let text = value.as_str().unwrap_or_default();
            match key.as_str() {
                OFFICER if text.eq_ignore_ascii_case(opener) => {}
                OFFICER => {
                    let say = "this game has no officers: whoever opens the room is its first player";
                    return Err(Refusal::new(say));
                }
                ENDS => {
                    let at = read_instant(text);
                    read.ends =
                        Some(at.ok_or_else(|| Refusal::new(format!("“{text}” is no time for the game to end")))?);
                }
                SIDE => match value.as_i64().filter(|side| (0..=SIDE_MAX_COUNT).contains(side)) {
                    Some(side) => read.side = side,
                    None => {
                        let say = format!("Space opens with 0 to {SIDE_MAX_COUNT} vertices a side");
                        return Err(Refusal::new(say));
                    }
                },
                other => {
                    let say = format!("Spacenomic has no option “{other}”; it has {ENDS} and {SIDE}");
                    return Err(Refusal::new(say));
                }
            }
        }
        Ok(read)
    }
}

kernel::tables! { Spacenomic {
    requests: Id => society::Request,
    consents: Id => society::Consent,
    activity: Id => activity::Activity,
    proposals: u64 => proposals::Proposal,
    votes: (u64, Id) => voting::Vote,
    vertices: space::Spot => space::Vertex,
    edges: (space::Spot, space::Spot) => space::Edge,
    moves: (moves::kind::Kind, Id) => moves::Sealed,
    evaluations: moves::kind::Kind => moves::Timing,
    phi: () => moves::Phi,
    income: () => income::Income,
    end: () => end::End,
} }

impl Game for Spacenomic {
    const NAME: &'static str = "spacenomic";
    const SCHEMA: u16 = 2;
    type Action = Action;
    type Fact = before::Fact;

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        let options = Options::read(options, &d.doer.name.clone())?;
        stats::define(d);
        for op in law::opening(options.ends)? {
            d.rule(op);
        }
        space::open(d, options.side);
        let opener = society::open(d)?;
        let name = stats::called(d, &opener);
        let end = end::instant(d).map_or_else(String::new, minute);
        if end::open(d) {
            d.tell_all(format!(
                "Spacenomic is open here, and over already: by its rules it ended just before {end}. Nothing in it changes."
            ));
            return Ok(Document::say(
                "The game is over before it began. To play it, open a room with an end that lies ahead: “ends” says when.",
            ));
        }
        d.tell_all(format!(
            "Spacenomic is open here until {end}. {name} is its first player. Whoever wants to be one types “join NAME”, and a player admits em; “help” tells the rest."
        ));
        Ok(Document::say(format!(
            "The rules are in place, and {name} is the first player. “admit NAME” adds those who ask."
        )))
    }

    fn decide(action: Action, d: &mut D<'_>) -> Result<Document, Refusal> {
        end::in_play(d)?;
        action.act(d)
    }

    fn next_due(state: &State<Self>) -> Option<Due> {
        if end::is_over(state).is_some() {
            return None;
        }
        let dues = [
            end::next_due(state),
            activity::next_due(state),
            proposals::next_due(state),
            moves::evaluation::next_due(state),
            income::next_due(state),
        ];
        dues.into_iter().flatten().min()
    }

    fn opens(state: &State<Self>, due: &Due) -> Vec<Id> {
        if due.rank == phases::EVALUATION { moves::evaluation::opens(state, due) } else { Vec::new() }
    }

    fn reads(state: &State<Self>, display: &str, viewer: &Viewer) -> Vec<Id> {
        if display.trim_matches('/') == moves::YOURS { moves::reads(state, viewer) } else { Vec::new() }
    }

    fn due(due: &Due, d: &mut D<'_>) {
        match due.rank {
            phases::END => end::due(d),
            phases::EXPIRY => proposals::due(due, d),
            phases::EVALUATION => moves::evaluation::due(d),
            phases::INCOME => income::due(d),
            _ => activity::due(due, d),
        }
    }

    fn lapse(due: &Due, d: &mut D<'_>) {
        match due.rank {
            phases::END => end::due(d),
            phases::EXPIRY => proposals::lapse(due, d),
            phases::EVALUATION => moves::evaluation::lapse(due, d),
            phases::INCOME => income::lapse(due, d),
            _ => activity::lapse(due, d),
        }
    }

    fn lapses(state: &State<Self>, due: &Due) -> Lapse {
        match due.rank {
            phases::END => end::lapses(),
            phases::EVALUATION => moves::evaluation::lapses(),
            phases::INCOME => income::lapses(),
            phases::EXPIRY => proposals::lapses(state, due),
            _ => activity::lapses(state, due),
        }
    }

    fn paused() -> &'static str {
        "evaluations and incomes that are due meanwhile do not happen; accusations, removals and expiries are put off"
    }

    fn mended(before: &State<Self>, d: &mut D<'_>) {
        moves::stirred(d, before, moves::BY_MODERATOR);
    }

    fn settle(d: &mut D<'_>) -> bool {
        end::is_over(d).is_none()
            && (activity::settle(d) || location::settle(d) || moves::settle(d) || voting::settle(d))
    }

    fn fold(&mut self, fact: &before::Fact, around: &Around<'_>) {
        before::fold(self, fact, around.at);
    }

    fn told(fact: &before::Fact, state: &State<Self>) -> Option<String> {
        before::told(fact, state)
    }

    fn forgotten(seat: &Id, d: &mut D<'_>) {
        moves::forgotten(seat, d);
        society::forgotten(d, seat);
    }

    fn seals(state: &State<Self>) -> Vec<(Id, String)> {
        moves::seals(state)
    }

    fn is_open(state: &State<Self>, secret: &str) -> bool {
        moves::is_open(state, secret)
    }

    fn is_personal(display: &str) -> bool {
        display == moves::YOURS
    }

    fn displays(state: &State<Self>) -> Vec<Cell> {
        displays::list(state)
    }

    fn display(state: &State<Self>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
        displays::show(state, id, viewer)
    }

    fn corrects(at: &Path, to: &str, d: &mut D<'_>) -> Option<Result<(), Refusal>> {
        (*at.attr == *stats::LOCATION.id).then(|| location::correct(&at.obj, to, d))
    }

    fn correct(path: &str, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
        match path {
            "gamestate" => return effects::mend(to, d),
            "players" => return society::seat_by_hand(to, d),
            _ => {}
        }
        let number = path.strip_prefix("proposal/").and_then(|rest| rest.strip_suffix(".effect"));
        match number.and_then(|number| number.parse().ok()) {
            Some(number) => effects::enter(number, to, d),
            None => Err(Refusal::new(format!("nothing here is called “{path}”")).instead("show people")),
        }
    }

    fn proposal(state: &State<Self>, words: &str) -> Result<u64, Refusal> {
        proposals::by_name(state, words).map(|proposal| proposal.number)
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        let by = state.world.def(&path.attr)?.by.clone()?;
        let rule = state.rules.get(&by)?;
        Some(format!("Rule {}, {}", rule.number(), rule.label()))
    }

    fn version(rule: &Rule) -> Option<u32> {
        Some(law::version(rule))
    }

    fn beside(_state: &State<Self>, rule: &Rule) -> Vec<display::Block> {
        vec![display::Block::Para(format!("Version {}.", law::version(rule)))]
    }

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/spacenomic.md")
    }
}
