//! The start: ten programs of the contestmaster's make the first Hill, and what was sent before becomes challenges (seed
//! 000, J45 to J48).
//!
//! The bot brings ten programs; the contestmaster may hand in others and start with those. Absent: the programs
//! themselves (`house`).

use super::{
    D, challenge, contract, emit, figures, hill, house, names, points, programs,
    programs::{Program, Status},
    reading::Figures,
};
use crate::kernel::{Id, Refusal, display::Document, entry::Audience, time::next_week};

/// The rule that the start goes by.
const RULE: &str = "CURRENT TOURNAMENT, 0";

// ---- decide

/// The contestmaster begins the contest (J46).
///
/// # Errors
///
/// A [`Refusal`] for anybody else, in private, once it has begun, and where the contract's figures allow no start.
pub(super) fn start(named: &[String], d: &mut D<'_>) -> Result<Document, Refusal> {
    contract::in_force(d)?;
    contract::announced(d, "joust start")?;
    let master = contract::contestmaster(d, RULE)?;
    if !d.game.contract.is_waiting() {
        return Err(Refusal::new("the contest has begun already").by(RULE).instead("hill"));
    }
    let count: usize = Figures::of(&d.rules).count(&figures::STARTING_PROGRAMS)?;
    let size: usize = Figures::of(&d.rules).count(&figures::HILL_SIZE)?;
    challenge::playable(d)?;
    if count > size {
        return Err(Refusal::new(format!("{count} programs do not fit on a Hill of {size}"))
            .by(RULE)
            .instead("contract"));
    }
    let first = if named.is_empty() { house(count, &master, d)? } else { handed_in(named, count, &master, d)? };

    let at = d.at;
    emit(d, contract::Fact::Started { at });
    emit(d, points::Fact::Next { at: next_week(at) });
    let terms = Figures::of(&d.rules).terms();
    emit(d, hill::Fact::Coming(terms.clone()));
    emit(d, hill::Fact::Terms(terms));
    for program in first {
        emit(d, hill::Fact::Put { program, at });
    }
    let waiting: Vec<u64> =
        d.game.programs.iter().filter(|program| program.status == Status::Waiting).map(|program| program.id).collect();
    for program in &waiting {
        challenge::enqueue(d, *program, at)?;
    }
    announce(d, waiting.len());
    Ok(Document::say("The contest has begun."))
}

/// The bot's own programs, which count as written by the contestmaster (J45).
fn house(count: usize, master: &Id, d: &mut D<'_>) -> Result<Vec<u64>, Refusal> {
    let mut ids = Vec::with_capacity(count);
    for (name, code) in house::house().into_iter().take(count) {
        if let Some(other) =
            d.game.programs.iter().find(|program| program.is_up() && names::confusable(&program.name, name))
        {
            return Err(Refusal::new(format!("{} has the name of one of the bot's programs", other.name))
                .by(RULE)
                .instead(format!("joust retract {}", other.name)));
        }
        let program = Program {
            id: d.game.programs.next(),
            name: name.to_owned(),
            owner: master.clone(),
            house: true,
            by_master: true,
            hash: String::new(),
            received: d.at,
            status: Status::Held,
            revealed: None,
        };
        let hash = d.seal(program.secret(), code.as_bytes().to_vec());
        ids.push(program.id);
        emit(d, programs::Fact::Received(Program { hash, ..program }));
    }
    Ok(ids)
}

/// Programs that the contestmaster handed in to start with.
fn handed_in(named: &[String], count: usize, master: &Id, d: &D<'_>) -> Result<Vec<u64>, Refusal> {
    let mut ids = Vec::with_capacity(count);
    for name in named {
        let program = d.game.programs.need(name)?;
        if program.status != Status::Held || program.owner != *master {
            return Err(Refusal::new(format!(
                "{} is not among the programs that you handed in to start with",
                program.name
            ))
            .by(RULE)
            .instead(format!("joust add {} CODE", program.name)));
        }
        if ids.contains(&program.id) {
            return Err(Refusal::new(format!("{} is named twice", program.name)).by(RULE));
        }
        ids.push(program.id);
    }
    if ids.len() == count {
        return Ok(ids);
    }
    Err(Refusal::new(format!("the contest starts with {count} programs, and you named {}", ids.len()))
        .by(RULE)
        .instead("joust start"))
}

// ---- display

fn announce(d: &mut D<'_>, waiting: usize) {
    let names: Vec<String> = d.game.hill.places.iter().map(|place| d.game.programs.name(place.program)).collect();
    let waits = match waiting {
        0 => "No program was sent before.".to_owned(),
        1 => "One program was sent before: its challenge comes first.".to_owned(),
        n => format!("{n} programs were sent before: their challenges come first, in the order received."),
    };
    let document = Document::titled(String::new(), "The contest has begun")
        .para(format!("On the Hill, in this order: {}.", names.join(", ")))
        .para(format!("{waits} Send yours in private: joust submit NAME CODE."));
    d.say(Audience::Public, document);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::games::joust::testkit::{Kit, at};

    #[test]
    fn j45_the_first_hill_is_joust0_to_joust9_without_touches_in_the_order_of_their_numbers() {
        let kit = Kit::begun();
        let names: Vec<String> = (0..10).map(|number| format!("joust{number}")).collect();
        assert_eq!(kit.hill(), names);
        for name in &names {
            let place = kit.place(name).unwrap();
            assert_eq!((place.touches, place.since), (None, at("2026-11-02T09:00")));
            let program = kit.program(name);
            assert!(program.house && program.by_master);
            assert_eq!(Some(&program.owner), kit.state().game.contract.contestmaster());
        }
    }

    #[test]
    fn j46_the_contestmaster_begins_by_announcement_and_what_waits_becomes_challenges_in_order() {
        let mut kit = Kit::waiting();
        kit.submit("Ann", "Alpha");
        kit.submit("Bob", "Beta");
        assert!(kit.hill().is_empty());
        assert!(kit.act("Ann", json!({"start": {}})).unwrap_err().say.contains("contestmaster"));
        assert!(kit.act_in(false, "Goethe", json!({"start": {}})).unwrap_err().say.contains("announcement"));
        kit.mode = crate::games::joust::testkit::Mode::Held;
        kit.to("2026-11-03T12:00");
        kit.act("Goethe", json!({"start": {}})).unwrap();
        let order: Vec<u64> = kit.state().game.agenda.challenges().map(|(_, challenge)| challenge.program).collect();
        assert_eq!(order, [kit.program("Alpha").id, kit.program("Beta").id]);
        assert!(kit.act("Goethe", json!({"start": {}})).unwrap_err().say.contains("begun already"));
    }

    #[test]
    fn j48_what_waited_is_deemed_to_occur_at_the_start() {
        let mut kit = Kit::waiting();
        kit.strength("Alpha", 99);
        kit.submit("Ann", "Alpha");
        kit.to("2026-11-03T12:00");
        kit.act("Goethe", json!({"start": {}})).unwrap();
        assert_eq!(kit.place("Alpha").unwrap().since, at("2026-11-03T12:00"));
    }
}
