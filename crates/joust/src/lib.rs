//! The Brainfuck Joust contest (seed 000): programs challenge a hill of ten, and knights earn points on Mondays.
//!
//! Everything that touches the Hill is an item of one ordered [`agenda`]; a challenge at its head is long work that the
//! service plays away from the room. So an award waits for the challenges deemed before it, however late they are
//! computed, and no player waits for a challenge (J74). The machine itself is absent: it is the crate `bfjoust`.
//! Program text is absent from every state and row in here: it lies sealed, and only [`play`] opens it.

mod acts;
mod agenda;
mod before;
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
mod watch;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use kernel::{
    Draft, Game, Id, Path, Refusal, Seq, State,
    display::{Cell, Document},
    entry::{Change, Due},
    game::{Around, Bench, Fate, Lapse, Made, Viewer, Work},
    rulebook::LiveKey,
    table::{Rows, Tables as _},
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
    contract: Rows<(), contract::Contract>,
    programs: Rows<u64, programs::Program>,
    names: Rows<String, programs::Named>,
    hill: Rows<(), hill::Hill>,
    places: Rows<u64, hill::Place>,
    stays: Rows<(u64, u64), hill::Stay>,
    results: Rows<u64, hill::Fought>,
    agenda: Rows<agenda::Turn, agenda::Task>,
    lengths: Rows<u64, challenge::Drawn>,
    counts: Rows<(), agenda::Counts>,
    awards: Rows<(), points::Awards>,
    notices: Rows<u64, notices::Notice>,
    objections: Rows<(u64, Id), notices::Objection>,
    tests: Rows<u64, testing::Test>,
    testers: Rows<Id, testing::Tester>,
}

kernel::tables! { Joust {
    contract: () => contract::Contract,
    programs: u64 => programs::Program,
    names: String => programs::Named,
    hill: () => hill::Hill,
    places: u64 => hill::Place,
    stays: (u64, u64) => hill::Stay,
    results: u64 => hill::Fought,
    agenda: agenda::Turn => agenda::Task,
    lengths: u64 => challenge::Drawn,
    counts: () => agenda::Counts,
    awards: () => points::Awards,
    notices: u64 => notices::Notice,
    objections: (u64, Id) => notices::Objection,
    tests: u64 => testing::Test,
    testers: Id => testing::Tester,
} }

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

impl Game for Joust {
    const NAME: &'static str = "joust";
    const SCHEMA: u16 = 2;
    type Action = Action;
    type Fact = before::Fact;

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Result<Document, Refusal> {
        contract::open(options, d)
    }

    fn about(state: &State<Self>, action: &Action) -> Option<String> {
        match action {
            Action::Retract { name } | Action::Add { name, .. } | Action::Remove { name } | Action::Reveal { name } => {
                let program = state.game.find(name);
                program.map(|program| format!("the program {} (#{})", program.name, program.id))
            }
            Action::Do { id, .. } | Action::Object { id } | Action::Unobject { id } => {
                state.game.notices.get(id).map(|notice| format!("notice {}", notice.id))
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

    fn fold(&mut self, fact: &before::Fact, around: &Around<'_>) {
        before::fold(self, fact.clone(), around.seq);
    }

    fn told(fact: &before::Fact, state: &State<Self>) -> Option<String> {
        before::told(fact, state)
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

    fn public(fact: before::Fact, state: &State<Self>) -> before::Fact {
        before::public(fact, &state.game)
    }

    fn is_kept(fact: &before::Fact) -> bool {
        before::is_kept(fact)
    }

    fn tells_draws(changes: &[Change<before::Fact>], state: &State<Self>) -> bool {
        changes.iter().all(|change| match change {
            Change::Row(change) => Self::row_is_open(&change.table, &change.key, state),
            Change::Fact(fact) => !before::waits(fact, &state.game),
            Change::World(_) | Change::Rule(_) | Change::Frame(_) => true,
        })
    }

    fn seals(state: &State<Self>) -> Vec<(Id, String)> {
        state.game.sealed()
    }

    fn is_open(state: &State<Self>, secret: &str) -> bool {
        programs::is_open(&state.game, secret)
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
