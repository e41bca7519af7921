//! The Brainfuck Joust contest (seed 000): programs challenge a hill of ten, and knights earn points on Mondays.
//!
//! Everything that touches the Hill is an item of one ordered [`agenda`]; a challenge at its head is long work that the
//! service plays away from the room. So an award waits for the challenges deemed before it, however late they are
//! computed, and no player waits for a challenge (J74). The machine itself is absent: it is the crate `bfjoust`.
//! Program text is absent from every state and fact in here: it lies sealed, and only [`play`] opens it.

mod acts;
mod agenda;
mod challenge;
mod contract;
mod displays;
mod edits;
pub mod figures;
mod hill;
pub mod house;
mod knights;
mod made;
mod names;
mod notation;
mod notices;
mod phases;
mod play;
mod points;
mod programs;
mod reading;
mod reveal;
mod scoring;
mod start;
mod submission;
mod testing;
#[cfg(test)]
mod testkit;
mod told;
mod watch;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::kernel::{
    Draft, Game, Id, Path, Refusal, Seq, State,
    display::{Cell, Document},
    entry::{Change, Due},
    game::{Around, Bench, Fate, Lapse, Made, Viewer, Work},
    rulebook::LiveKey,
    time::day,
};

/// Largest program that is taken, in bytes of its text, comments included. The rules set no limit (J54); this one is
/// the product's, so that no program is a burden to the room's store or to a connection.
pub const PROGRAM_MAX_BYTES: usize = 1024 * 1024;

/// A draft of this game.
type D<'a> = Draft<'a, Joust>;

/// The machinery of one contest. What rules can name stands in the world: points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Joust {
    contract: contract::Contract,
    programs: programs::Programs,
    hill: hill::Hill,
    agenda: agenda::Agenda,
    sent: submission::Sent,
    awards: points::Awards,
    notices: notices::Notices,
    tests: testing::Tests,
}

/// What can be tried, as the catalogue binds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Begin the contest (J46).
    Start {
        /// The starting programs, which the contestmaster handed in; the bot's own where none are named.
        #[serde(default)]
        programs: Vec<String>,
    },
    /// Send a program (J13).
    Submit {
        /// What it is called; the bot finds a name where there is none.
        #[serde(default)]
        name: Option<String>,
        /// Its text: a secret.
        code: Secret,
    },
    /// Take a program back before the start (J47).
    Retract {
        /// Which.
        name: String,
    },
    /// Play a program outside challenges.
    Test(testing::Ask),
    /// Become a member (J10).
    Join {
        /// The name of the seat, where there is none yet.
        #[serde(default)]
        name: Option<String>,
    },
    /// Cease to be a member.
    Leave,
    /// Announce the intent to change something (J7, J8, J20).
    Intend {
        /// What kind of change.
        what: notices::Kind,
        /// What it is about: a program, or a section of the contract.
        #[serde(default)]
        subject: Option<String>,
        /// The exact change.
        #[serde(default)]
        text: Option<String>,
    },
    /// Do what was announced.
    Do {
        /// The notice.
        id: u64,
        /// The change once more, to be compared with the notice.
        #[serde(default)]
        text: Option<String>,
    },
    /// Object to a notice (J7).
    Object {
        /// Which.
        id: u64,
    },
    /// Withdraw an objection.
    Unobject {
        /// Of which notice.
        id: u64,
    },
    /// Hand a program in to start with or to be added; without code, add it as noticed (J20).
    Add {
        /// Which.
        name: String,
        /// Its text: a secret.
        #[serde(default)]
        code: Option<Secret>,
    },
    /// Remove a program from the Hill, as noticed (J20).
    Remove {
        /// Which.
        name: String,
    },
    /// Publish one's own code (J34).
    Reveal {
        /// Of which program.
        name: String,
    },
    /// Publish a decision of a dispute (J4).
    Adjudicate {
        /// What is decided.
        text: String,
        /// The entry that it is about.
        #[serde(default)]
        about: Option<u64>,
    },
    /// End the contract (J6).
    Terminate,
}

/// A text that may be a program: it never reaches a log by way of `{:?}`.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A change to the machinery, by the mechanic that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Office, beginning and end of the contest.
    Contract(contract::Fact),
    /// Programs and their code.
    Program(programs::Fact),
    /// The Hill.
    Hill(hill::Fact),
    /// What waits for its turn.
    Agenda(agenda::Fact),
    /// Monday's awards.
    Award(points::Fact),
    /// How programs are written.
    Notation(notation::Fact),
    /// Announced intents.
    Notice(notices::Fact),
    /// Tests outside challenges.
    Test(testing::Fact),
    /// Nothing: what stands where taking an entry back leaves the clockwork as it is.
    Kept,
}

crate::games::law::facts!(
    contract: Contract,
    programs: Program,
    hill: Hill,
    agenda: Agenda,
    points: Award,
    notation: Notation,
    notices: Notice,
    testing: Test,
);

/// Emits a fact of a mechanic.
fn emit(d: &mut D<'_>, fact: impl Into<Fact>) {
    d.fact(fact.into());
}

impl Game for Joust {
    const NAME: &'static str = "joust";
    const SCHEMA: u16 = 1;
    type Action = Action;
    type Fact = Fact;

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        contract::open(options, d)
    }

    fn about(state: &State<Self>, action: &Action) -> Option<String> {
        match action {
            Action::Retract { name } | Action::Add { name, .. } | Action::Remove { name } | Action::Reveal { name } => {
                let program = state.game.programs.find(name);
                program.map(|program| format!("the program {} (#{})", program.name, program.id))
            }
            Action::Do { id, .. } | Action::Object { id } | Action::Unobject { id } => {
                state.game.notices.get(*id).map(|notice| format!("notice {}", notice.id))
            }
            _ => None,
        }
    }

    fn decide(action: Action, d: &mut D<'_>) -> Result<Document, Refusal> {
        match action {
            Action::Start { programs } => start::start(&programs, d),
            Action::Submit { name, code } => submission::submit(name, code, d),
            Action::Retract { name } => submission::retract(&name, d),
            Action::Test(ask) => testing::test(ask, d),
            Action::Join { name } => contract::join(name, d),
            Action::Leave => contract::leave(d),
            Action::Intend { what, subject, text } => notices::intend(what, subject, text, d),
            Action::Do { id, text } => acts::act(id, text, d),
            Action::Object { id } => notices::object(id, d),
            Action::Unobject { id } => notices::unobject(id, d),
            Action::Add { name, code: Some(code) } => submission::hand_in(&name, code, d),
            Action::Add { name, code: None } => acts::act_on_program(notices::Kind::Add, &name, d),
            Action::Remove { name } => acts::act_on_program(notices::Kind::Remove, &name, d),
            Action::Reveal { name } => reveal::reveal(&name, d),
            Action::Adjudicate { text, about } => contract::adjudicate(&text, about, d),
            Action::Terminate => contract::terminate(d),
        }
    }

    fn next_due(state: &State<Self>) -> Option<Due> {
        points::next_due(state).into_iter().chain(reveal::next_due(state)).min()
    }

    fn due(due: &Due, d: &mut D<'_>) {
        match due.rank {
            phases::AWARD => points::due(d),
            phases::REVEAL => reveal::due(due, d),
            _ => {}
        }
    }

    fn lapse(due: &Due, d: &mut D<'_>) {
        match due.rank {
            phases::AWARD => points::lapse(d),
            phases::REVEAL => reveal::lapse(due, d),
            _ => {}
        }
    }

    fn lapses(state: &State<Self>, due: &Due) -> Lapse {
        match due.rank {
            phases::REVEAL => reveal::lapses(state, due),
            _ => Lapse { what: format!("the award of {}", day(due.at)), fate: Fate::Never },
        }
    }

    fn settle(d: &mut D<'_>) -> bool {
        contract::settle(d) || hill::settle(d) || agenda::settle(d)
    }

    fn fold(&mut self, fact: &Fact, around: &Around<'_>) {
        match fact {
            Fact::Contract(fact) => contract::fold(self, fact),
            Fact::Program(fact) => programs::fold(self, fact),
            Fact::Hill(fact) => hill::fold(self, fact, around.seq),
            Fact::Agenda(fact) => agenda::fold(self, fact),
            Fact::Award(fact) => points::fold(self, fact),
            Fact::Notation(fact) => notation::fold(self, fact),
            Fact::Notice(fact) => notices::fold(self, fact),
            Fact::Test(fact) => testing::fold(self, fact),
            Fact::Kept => {}
        }
    }

    fn inverse(fact: &Fact, state: &State<Self>) -> Option<Fact> {
        match fact {
            Fact::Contract(_) | Fact::Program(_) | Fact::Test(_) => None,
            Fact::Hill(fact) => hill::inverse(fact),
            Fact::Agenda(fact) => agenda::inverse(fact, &state.game),
            Fact::Award(fact) => Some(points::inverse(fact)),
            Fact::Notice(fact) => notices::inverse(fact),
            // Whether a text is a program is not undone: the figures that say so follow their own text.
            Fact::Notation(_) | Fact::Kept => Some(Fact::Kept),
        }
    }

    fn told(fact: &Fact, state: &State<Self>) -> Option<String> {
        told::told(fact, state)
    }

    fn work(state: &State<Self>) -> Option<Work> {
        if state.frame.closed {
            return None;
        }
        let head = challenge::work(&state.game).or_else(|| notation::work(&state.game));
        head.or_else(|| testing::work(&state.game))
    }

    fn play(work: &Work, bench: &Bench<'_>) -> Option<Json> {
        match &*work.id {
            id if id.starts_with(watch::WORK) => watch::play(work, bench),
            id if id.starts_with(notation::WORK) => notation::play(work, bench),
            _ => play::play(work, bench),
        }
    }

    fn forgotten(seat: &Id, d: &mut D<'_>) {
        contract::forgotten(seat, d);
        programs::forgotten(seat, d);
        notices::forgotten(seat, d);
    }

    fn finish(work: &Id, result: Json, d: &mut D<'_>) {
        match &**work {
            id if id.starts_with(testing::WORK) => testing::finish(result, d),
            id if id.starts_with(notation::WORK) => notation::finish(result, d),
            _ => challenge::finish(result, d),
        }
    }

    fn public(fact: Fact, state: &State<Self>) -> Fact {
        match fact {
            Fact::Agenda(fact) => agenda::public(fact, &state.game).into(),
            // Who tries what against whom is nobody else's business.
            Fact::Test(_) => Fact::Kept,
            other => other,
        }
    }

    fn is_kept(fact: &Fact) -> bool {
        match fact {
            Fact::Kept => true,
            Fact::Agenda(fact) => agenda::is_kept(fact),
            _ => false,
        }
    }

    fn tells_draws(changes: &[Change<Fact>], state: &State<Self>) -> bool {
        !changes
            .iter()
            .any(|change| matches!(change, Change::Fact(Fact::Agenda(fact)) if agenda::waits(fact, &state.game)))
    }

    fn seals(state: &State<Self>) -> Vec<(Id, String)> {
        state.game.programs.seals()
    }

    fn is_open(state: &State<Self>, secret: &str) -> bool {
        programs::is_open(&state.game.programs, secret)
    }

    fn displays(state: &State<Self>) -> Vec<Cell> {
        displays::list(state)
    }

    fn display(state: &State<Self>, id: &str, viewer: &Viewer) -> Result<Document, Refusal> {
        displays::show(state, id, viewer)
    }

    fn seen_at(state: &State<Self>, id: &str) -> Option<Seq> {
        displays::seen_at(state, id)
    }

    fn correct(path: &str, to: &str, d: &mut D<'_>) -> Result<(), Refusal> {
        match path.split_once('/') {
            None if path == "contestmaster" => contract::correct_office(to, d),
            Some(("challenge", number)) => challenge::correct(number, to, d),
            _ => Err(Refusal::new(format!("nothing here is called “{path}”")).instead("show")),
        }
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        (*path.attr == *points::POINTS.id).then(|| reading::section(&state.rules, reading::POINTS))
    }

    fn made(state: &State<Self>, what: &str) -> Option<Made> {
        made::made(state, what)
    }

    fn rulings() -> &'static str {
        include_str!("../../../docs/rulings/joust.md")
    }
}
