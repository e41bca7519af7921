//! What entries of before the contest lay in tables hold (schema 1): folded onto the tables, told, and written no more.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{
    challenge::Drawn,
    contract::{Contract, Phase},
    game::{Joust, Tables},
    notices::{self, Notice, Objection, Stands},
    outcome::{Outcome, listed},
    places::{self, Hill, Place},
    points::{Award, Awards},
    programs::{self, Program, Status},
    reading::Terms,
    tasks::{Counts, Task, Turn},
    testing::{self, Test},
    tournament::Notation,
};
use kernel::{
    Id, Instant, Seq, State,
    before::{Around, Before},
    table::Row as _,
    time::minute,
};

/// A change to the machinery, by the mechanic that it belonged to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// Office, beginning and end of the contest.
    Contract(ContractFact),
    /// Programs and their code.
    Program(ProgramFact),
    /// The Hill.
    Hill(HillFact),
    /// What waits for its turn.
    Agenda(AgendaFact),
    /// Monday's awards.
    Award(AwardFact),
    /// How programs are written.
    Notation(NotationFact),
    /// Announced intents.
    Notice(NoticeFact),
    /// Tests outside challenges.
    Test(TestFact),
    /// Nothing: what stands in the place of a fact that strangers may not read.
    Kept,
}

macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident { $($variants:tt)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($variants)* }
    )*};
}

facts! {
    /// Office, beginning and end of the contest.
    ContractFact {
        Office { name: String, seat: Option<Id> },
        Started { at: Instant },
        Ended { at: Instant },
        Adjudicated { text: String, about: Option<u64> },
    }
    /// Programs and their code.
    ProgramFact {
        Received(Program),
        Queued { program: u64, challenge: u64 },
        Retracted { program: u64 },
        Revealed { program: u64, at: Instant },
        Named { program: u64, name: String },
    }
    /// The Hill.
    HillFact {
        Put { program: u64, at: Instant },
        Taken { program: u64, at: Instant },
        Emptied { at: Instant },
        Fought(Outcome),
        Voided { program: u64, at: Instant },
        Knighted { program: u64, at: Instant },
        RevealCalled { program: u64 },
        Coming(Terms),
        Terms(Terms),
    }
    /// What waits for its turn. A challenge held its lengths.
    AgendaFact {
        Scheduled { id: u64, at: Instant, rank: u8, task: Json },
        Done { item: u64 },
        Stalled { item: u64, on: bool },
    }
    /// Monday's awards.
    AwardFact {
        Next { at: Instant },
        Made(Award),
    }
    /// How programs are written.
    NotationFact {
        Read { programs: Vec<u64>, notation: Notation },
    }
    /// Announced intents.
    NoticeFact {
        Announced(Notice),
        Objects { notice: u64, seat: Id, on: bool },
        Stands { notice: u64, to: Stands, was: Stands },
        Names { notice: u64, to: String },
    }
    /// Tests outside challenges.
    TestFact {
        Asked(Test),
        Over { test: u64 },
    }
}

impl Before for Joust {
    type Fact = Fact;

    fn fold(tables: &mut Tables, fact: &Fact, around: &Around<'_>) {
        fold(tables, fact.clone(), around.seq);
    }

    fn told(fact: &Fact, state: &State<Self>) -> Option<String> {
        told(fact, state)
    }

    fn public(fact: Fact, state: &State<Self>) -> Fact {
        public(fact, &state.tables)
    }

    fn is_kept(fact: &Fact) -> bool {
        is_kept(fact)
    }

    fn tells_draws(fact: &Fact, state: &State<Self>) -> bool {
        !waits(fact, &state.tables)
    }
}

// ---- fold

/// Folds a fact onto the tables. Total.
fn fold(joust: &mut Tables, fact: Fact, seq: Seq) {
    match fact {
        Fact::Contract(fact) => {
            let row = joust.rows_mut::<Contract>().get_or_default(());
            match fact {
                ContractFact::Office { name, seat } => (row.named, row.contestmaster) = (name, seat),
                ContractFact::Started { at } => row.phase = Phase::Running { since: at },
                ContractFact::Ended { at } => row.phase = Phase::Ended { at },
                ContractFact::Adjudicated { .. } => {}
            }
        }
        Fact::Program(ProgramFact::Received(program)) => {
            programs::receive(joust, Program { sent: program.status == Status::Waiting, ..program });
        }
        Fact::Program(ProgramFact::Queued { program, challenge }) => {
            programs::stands(joust, program, Status::Queued { challenge })
        }
        Fact::Program(ProgramFact::Retracted { program }) => programs::stands(joust, program, Status::Retracted),
        Fact::Program(ProgramFact::Revealed { program, at }) => {
            joust.edit(&program, |program: &mut Program| program.revealed = program.revealed.or(Some(at)));
        }
        Fact::Program(ProgramFact::Named { program, name }) => programs::call(joust, program, &name),
        Fact::Hill(fact) => hill(joust, fact, seq),
        Fact::Agenda(fact) => agenda(joust, fact),
        Fact::Award(AwardFact::Next { at }) => joust.rows_mut::<Awards>().get_or_default(()).next = Some(at),
        Fact::Award(AwardFact::Made(award)) => joust.rows_mut::<Awards>().get_or_default(()).last = Some(award),
        Fact::Notation(NotationFact::Read { programs, notation }) => {
            for program in programs {
                joust.edit(&program, |program: &mut Program| program.notation = notation);
            }
        }
        Fact::Notice(NoticeFact::Announced(notice)) => {
            joust.rows_mut::<Notice>().insert(notice.id, notice);
        }
        Fact::Notice(NoticeFact::Objects { notice, seat, on: true }) => {
            joust.rows_mut::<Objection>().insert((notice, seat), Objection {});
        }
        Fact::Notice(NoticeFact::Objects { notice, seat, on: false }) => {
            joust.rows_mut::<Objection>().remove(&(notice, seat));
        }
        Fact::Notice(NoticeFact::Stands { notice, to, .. }) => notices::notice_stands(joust, notice, to),
        Fact::Notice(NoticeFact::Names { notice, to }) => joust.edit(&notice, |notice: &mut Notice| notice.name(&to)),
        Fact::Test(TestFact::Asked(test)) => testing::receive(joust, test),
        Fact::Test(TestFact::Over { test }) => {
            joust.rows_mut::<Test>().remove(&test);
        }
        Fact::Kept => {}
    }
}

fn hill(joust: &mut Tables, fact: HillFact, seq: Seq) {
    match fact {
        HillFact::Put { program, at } => {
            places::arrives(joust, program, at);
            programs::name_means(joust, program);
        }
        HillFact::Taken { program, at } => places::leaves(joust, program, at),
        HillFact::Emptied { at } => places::emptied(joust, at),
        HillFact::Fought(outcome) => places::fought(joust, outcome, seq),
        HillFact::Voided { program, at } => programs::stands(joust, program, Status::Missed { at }),
        HillFact::Knighted { program, at } => {
            joust.edit(&program, |place: &mut Place| place.knighted = place.knighted.or(Some(at)));
        }
        HillFact::RevealCalled { program } => joust.edit(&program, |place: &mut Place| place.reveal_called = true),
        HillFact::Coming(terms) => joust.rows_mut::<Hill>().get_or_default(()).coming = terms,
        HillFact::Terms(terms) => joust.rows_mut::<Hill>().get_or_default(()).terms = terms,
    }
}

fn agenda(joust: &mut Tables, fact: AgendaFact) {
    match fact {
        AgendaFact::Scheduled { id, at, rank, task } => {
            let lengths = lengths(&task).unwrap_or_default();
            let Ok(task) = Task::deserialize(task) else { return };
            let counts = joust.rows_mut::<Counts>().get_or_default(());
            counts.items = counts.items.max(id);
            if let Task::Challenge(challenge) = &task {
                counts.challenges = counts.challenges.max(challenge.number);
                joust.rows_mut::<Drawn>().insert(challenge.number, Drawn { lengths });
            }
            joust.rows_mut::<Task>().insert(Turn { at, rank, id }, task);
        }
        AgendaFact::Done { item } => {
            let done = joust.rows::<Task>().keys().find(|turn| turn.id == item).copied();
            if let Some(Task::Challenge(challenge)) = done.and_then(|turn| joust.rows_mut::<Task>().remove(&turn)) {
                joust.rows_mut::<Drawn>().remove(&challenge.number);
            }
        }
        AgendaFact::Stalled { item, on } => {
            let turn = joust.rows::<Task>().keys().find(|turn| turn.id == item).copied();
            if let Some(Task::Challenge(challenge)) = turn.and_then(|turn| joust.rows_mut::<Task>().get_mut(&turn)) {
                challenge.stalled = on;
            }
        }
    }
}

/// The lengths that were written with a challenge.
fn lengths(task: &Json) -> Option<Vec<usize>> {
    let challenge = task.get("challenge")?;
    Vec::deserialize(challenge.get("lengths").unwrap_or(&json!([]))).ok()
}

// ---- what everybody may read

/// Whether a fact tells a challenge that has not been played.
fn waits(fact: &Fact, joust: &Tables) -> bool {
    matches!(fact, Fact::Agenda(AgendaFact::Scheduled { id, task, .. })
        if lengths(task).is_some() && joust.rows::<Task>().keys().any(|turn| turn.id == *id))
}

/// A fact without the lengths of a challenge that has not been played (J56). Who tries what is nobody else's business.
fn public(mut fact: Fact, joust: &Tables) -> Fact {
    if matches!(fact, Fact::Test(_)) {
        return Fact::Kept;
    }
    if waits(&fact, joust)
        && let Fact::Agenda(AgendaFact::Scheduled { task, .. }) = &mut fact
        && let Some(Json::Object(challenge)) = task.get_mut("challenge")
    {
        challenge.remove("lengths");
    }
    fact
}

/// Whether a fact is of a form that [`public`] gives in the place of another.
fn is_kept(fact: &Fact) -> bool {
    match fact {
        Fact::Kept => true,
        Fact::Agenda(AgendaFact::Scheduled { task, .. }) => lengths(task).is_some_and(|lengths| lengths.is_empty()),
        _ => false,
    }
}

/// A fact in words: empty where its entry says it otherwise, `None` where its fields say enough.
fn told(fact: &Fact, state: &State<Joust>) -> Option<String> {
    let named = |id: u64| format!("{} (#{id})", programs::name_of(&state.tables, id));
    Some(match fact {
        Fact::Kept | Fact::Agenda(AgendaFact::Done { .. }) => String::new(),
        Fact::Program(fact) => match fact {
            ProgramFact::Received(program) => Program::told(&program.id, None, Some(program), state),
            ProgramFact::Queued { program, challenge } => {
                format!("challenge {challenge} is that of {}", named(*program))
            }
            ProgramFact::Retracted { program } => format!("{} is taken back", named(*program)),
            ProgramFact::Revealed { program, .. } => format!("the code of {} is public", named(*program)),
            ProgramFact::Named { program, name } => format!("the program #{program} is called {name} from now on"),
        },
        Fact::Hill(fact) => match fact {
            HillFact::Put { program, .. } => format!("{} takes the last place of the Hill", named(*program)),
            HillFact::Taken { program, .. } => format!("{} leaves the Hill", named(*program)),
            HillFact::Emptied { .. } => "nobody stays on the Hill".to_owned(),
            HillFact::Fought(outcome) => places::played(outcome, state),
            HillFact::Voided { program, .. } => format!("the challenge of {} is struck", named(*program)),
            HillFact::Knighted { program, .. } => format!("{} is a Knight", named(*program)),
            HillFact::RevealCalled { program } => format!("the publication of {} was called for", named(*program)),
            HillFact::Coming(_) | HillFact::Terms(_) => return None,
        },
        Fact::Agenda(AgendaFact::Scheduled { at, task, .. }) => {
            let lengths = lengths(task)?;
            let waits = format!("challenge {} waits, deemed to occur at {}", task["challenge"]["number"], minute(*at));
            if lengths.is_empty() { waits } else { format!("{waits}, its lengths {}", listed(&lengths)) }
        }
        Fact::Notation(NotationFact::Read { programs, .. }) if programs.is_empty() => String::new(),
        Fact::Notation(NotationFact::Read { programs, .. }) => {
            let names: Vec<String> = programs.iter().map(|id| named(*id)).collect();
            format!("as the tournament reads now, these are programs: {}", names.join(", "))
        }
        Fact::Notice(NoticeFact::Announced(notice)) => Notice::told(&notice.id, None, Some(notice), state),
        _ => return None,
    })
}
