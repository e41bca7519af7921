//! What the facts of an entry say to people, for the record. Absent: the facts themselves, which their mechanics own.

use super::{Fact, Joust, State, agenda, hill, notation, programs};
use crate::kernel::time::minute;

/// A fact in words: empty where its entry says it otherwise, `None` where its fields say enough.
pub(super) fn told(fact: &Fact, state: &State<Joust>) -> Option<String> {
    let named = |id: u64| format!("{} (#{id})", state.game.programs.name(id));
    Some(match fact {
        Fact::Kept => String::new(),
        Fact::Program(fact) => match fact {
            programs::Fact::Received(program) => {
                let owner = state.frame.name_of(&program.owner);
                format!("{} (#{}) by {owner} is received, its hash {}", program.name, program.id, program.hash)
            }
            programs::Fact::Queued { program, challenge } => {
                format!("challenge {challenge} is that of {}", named(*program))
            }
            programs::Fact::Retracted { program } => format!("{} is taken back", named(*program)),
            programs::Fact::Revealed { program, .. } => format!("the code of {} is public", named(*program)),
            programs::Fact::Named { program, name } => format!("the program #{program} is called {name} from now on"),
        },
        Fact::Hill(fact) => match fact {
            hill::Fact::Put { program, .. } => format!("{} takes the last place of the Hill", named(*program)),
            hill::Fact::Taken { program, .. } => format!("{} leaves the Hill", named(*program)),
            hill::Fact::Emptied { .. } => "nobody stays on the Hill".to_owned(),
            hill::Fact::Fought(outcome) => {
                let dropped = outcome.dropped.map_or_else(String::new, |id| format!(", {} drops", named(id)));
                let (number, by) = (outcome.number, named(outcome.challenger));
                format!("challenge {number} by {by} is played, its lengths {}{dropped}", lengths(&outcome.lengths))
            }
            hill::Fact::Voided { program, .. } => format!("the challenge of {} is struck", named(*program)),
            hill::Fact::Knighted { program, .. } => format!("{} is a Knight", named(*program)),
            hill::Fact::RevealCalled { program } => format!("the publication of {} was called for", named(*program)),
            hill::Fact::Coming(_) | hill::Fact::Terms(_) => return None,
        },
        Fact::Agenda(agenda::Fact::Scheduled(item)) => match &item.task {
            agenda::Task::Challenge(challenge) => {
                let waits = format!("challenge {} waits, deemed to occur at {}", challenge.number, minute(item.at));
                match lengths(&challenge.lengths) {
                    lengths if lengths.is_empty() => waits,
                    lengths => format!("{waits}, its lengths {lengths}"),
                }
            }
            _ => return None,
        },
        Fact::Notation(notation::Fact::Read { programs, .. }) => {
            let names: Vec<String> = programs.iter().map(|id| named(*id)).collect();
            if names.is_empty() {
                return Some(String::new());
            }
            format!("as the tournament reads now, these are programs: {}", names.join(", "))
        }
        // What was done says so itself.
        Fact::Agenda(agenda::Fact::Done { .. }) => String::new(),
        _ => return None,
    })
}

fn lengths(lengths: &[usize]) -> String {
    lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}
