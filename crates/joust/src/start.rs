//! The start: ten programs of the contestmaster's make the first Hill, and programs sent before become challenges (seed
//! 000, J45 to J48).
//!
//! The bot brings ten programs; the contestmaster may hand in others and start with those. The bot's programs stand in
//! `house`.

use super::{
    challenge, contract, figures,
    game::{D, Joust, Tables},
    hill, house, names, places, playable,
    points::Awards,
    programs::{self, Program, Status},
    reading::{CONTRACT, Figures},
    tasks::{self, Restart, as_of},
};
use kernel::{
    Act, Id, Instant, Mechanic, Refusal,
    display::{Document, counted},
    entry::Audience,
    time::next_week,
};

/// The rule that the start goes by.
const RULE: &str = "CURRENT TOURNAMENT, J46";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let start = Act::new("start", |Start { programs }, d| start(&programs, d));
    Mechanic::new("start").act(start.by(CONTRACT).public("joust start"))
}

kit::args! {
    /// The arguments of `start` (J46).
    Start {
        /// The starting programs, which the contestmaster handed in; the bot's own where none are named.
        #[serde(default)] programs: Vec<String>,
    }
}

// ---- decide

/// The contestmaster begins the contest (J46).
///
/// # Errors
///
/// A [`Refusal`] for anybody else, once it has begun, and where the contract's figures allow no start.
fn start(names: &[String], d: &mut D<'_>) -> Result<Document, Refusal> {
    let master = contract::contestmaster(d, RULE)?;
    if !contract::contract(&d.tables).is_waiting() {
        return Err(Refusal::new("the contest has begun already").by(RULE).instead("joust intend tournament restart"));
    }
    playable::challenge(&d.rules)?;
    let named = named(names, d)?;
    let count = fitting(&named, d)?;
    let notation = Figures::of(&d.rules).notation()?;
    if let Some(old) =
        named.iter().filter_map(|id| programs::program(&d.tables, *id)).find(|held| held.notation != notation)
    {
        let say = "was handed in when CURRENT TOURNAMENT read programs otherwise";
        return Err(Refusal::new(format!("the program {} {say}", old.name))
            .by(RULE)
            .instead(format!("joust retract {}", old.name)));
    }
    if let Some(taken) = taken(&d.tables, &named) {
        return Err(Refusal::new(format!("the program {taken} has the name of one of the bot's programs"))
            .by(RULE)
            .instead(format!("joust retract {taken}")));
    }

    let at = d.at;
    d.upsert::<contract::Contract>(&(), |contract| contract.phase = contract::Phase::Running { since: at });
    d.upsert::<Awards>(&(), |awards| awards.next = Some(next_week(at)));
    let terms = Figures::of(&d.rules).terms();
    d.upsert::<places::Hill>(&(), |hill| (hill.coming, hill.terms) = (terms.clone(), terms));
    seat(named, count, &master, at, d);
    let waiting: Vec<u64> = d
        .rows::<programs::Program>()
        .values()
        .filter(|program| program.status == Status::Waiting)
        .map(|program| program.id)
        .collect();
    for program in &waiting {
        challenge::enqueue(d, *program, at)?;
    }
    announce(d, "The contest has begun", waiting.len());
    Ok(Document::say("The contest has begun."))
}

/// Programs that the contestmaster handed in to start with, by name (J45).
///
/// # Errors
///
/// A [`Refusal`] for any that was not handed in so, and for one that is named twice.
pub(super) fn named(names: &[String], d: &D<'_>) -> Result<Vec<u64>, Refusal> {
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let program = programs::need(&d.tables, name)?;
        if program.status != Status::Held {
            return Err(Refusal::new(format!(
                "the program {} is not among the programs handed in to start with",
                program.name
            ))
            .by(RULE)
            .instead(format!("joust add {} CODE", program.name)));
        }
        if ids.contains(&program.id) {
            return Err(Refusal::new(format!("the program {} is named twice", program.name)).by(RULE));
        }
        ids.push(program.id);
    }
    Ok(ids)
}

/// How many programs a tournament starts with.
///
/// # Errors
///
/// A [`Refusal`] where the contract does not say, they do not fit on the Hill, or another number is named.
pub(super) fn fitting(named: &[u64], d: &D<'_>) -> Result<usize, Refusal> {
    let count: usize = Figures::of(&d.rules).count(&figures::STARTING_PROGRAMS)?;
    playable::start(&d.rules)?;
    if named.is_empty() || named.len() == count {
        return Ok(count);
    }
    let say = format!("the Hill starts with {}, and you named {}", counted(count, "program"), named.len());
    Err(Refusal::new(say).by(RULE).instead("joust start"))
}

/// A program that is up, though not on the Hill, under a name that the bot's own programs are about to take.
fn taken(joust: &Tables, named: &[u64]) -> Option<String> {
    let house = house::house().map(|(name, _)| name);
    let clashes = |program: &&Program| {
        program.is_up()
            && program.status != Status::Hill
            && house.iter().any(|name| names::confusable(&program.name, name))
    };
    let found = joust.rows::<programs::Program>().values().find(clashes).filter(|_| named.is_empty());
    found.map(|program| program.name.clone())
}

/// Puts the starting programs on an empty Hill: those that were handed in, else the bot's own.
fn seat(named: Vec<u64>, count: usize, master: &Id, at: Instant, d: &mut D<'_>) {
    let first = if named.is_empty() { house(count, master, d) } else { named };
    for program in first {
        hill::put(d, program, at);
    }
}

/// The bot's own programs, which count as written by the contestmaster (J45).
fn house(count: usize, master: &Id, d: &mut D<'_>) -> Vec<u64> {
    let mut ids = Vec::with_capacity(count);
    // They are programs in every notation.
    let notation = Figures::of(&d.rules).notation().unwrap_or_default();
    let middle = Figures::of(&d.rules).lengths().map(|lengths| lengths.middle).ok();
    for (name, code) in house::house_for(middle).into_iter().take(count) {
        let program = Program {
            id: d.next_number::<Program>(),
            name: name.to_owned(),
            owner: master.clone(),
            house: true,
            by_master: true,
            hash: String::new(),
            received: d.at,
            status: Status::Held,
            sent: false,
            revealed: None,
            notation,
        };
        let hash = d.seal(program.secret(), programs::kept(code).into_bytes());
        ids.push(program.id);
        programs::receive(d, Program { hash, ..program });
    }
    ids
}

// ---- another tournament

/// Why a new tournament cannot begin as things stand; nothing where it can.
pub(super) fn cannot_restart(joust: &Tables, named: &[u64]) -> Option<String> {
    let held = |id: &&u64| programs::program(joust, **id).is_none_or(|program| program.status != Status::Held);
    if let Some(id) = named.iter().find(held) {
        return Some(format!("the program {} is not handed in and unused any more", programs::name_of(joust, *id)));
    }
    if let Some(why) = named
        .iter()
        .filter_map(|id| programs::program(joust, *id))
        .find_map(|program| places::written_otherwise(joust, program))
    {
        return Some(why);
    }
    taken(joust, named).map(|taken| format!("the program {taken} has the name of one of the bot's programs"))
}

/// Begins a new tournament whose turn has come: the old Hill is emptied, nothing of it carries over (J12).
pub(super) fn restart(d: &mut D<'_>, at: Instant, restart: Restart) {
    let Restart { notice, named, count, master } = restart;
    if let Some(why) = cannot_restart(&d.tables, &named) {
        tasks::comes_to_nothing(d, notice);
        d.tell_all(format!("The new tournament of notice {notice}{} does not begin: {why}.", as_of(d, at)));
        return;
    }
    let gone: Vec<_> = places::ranked(&d.tables).into_iter().map(|place| (place.program, place.since)).collect();
    places::emptied(d, at);
    for (program, since) in gone {
        hill::after_drop(d, program, since, at);
    }
    seat(named, count, &master, at, d);
    let title = format!("A new tournament has begun{}", as_of(d, at));
    let waiting = tasks::challenges(&d.tables).count();
    announce(d, &title, waiting);
}

// ---- display

fn announce(d: &mut D<'_>, title: &str, waiting: usize) {
    let names: Vec<String> =
        places::ranked(&d.tables).into_iter().map(|place| programs::name_of(&d.tables, place.program)).collect();
    let waits = match waiting {
        0 => "No challenge waits.".to_owned(),
        1 => "One program was sent before: its challenge comes first.".to_owned(),
        n => format!("{n} programs were sent before: their challenges come first, in the order received."),
    };
    let document = Document::titled(String::new(), title)
        .para(format!("On the Hill, in this order: {}.", names.join(", ")))
        .para(format!("{waits} Send yours in private: ⁅joust submit NAME CODE⁆."));
    d.say(Audience::Public, document);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{
        contract,
        programs::Status,
        tasks,
        testkit::{Kit, Mode, at},
    };

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
            assert_eq!(Some(&program.owner), contract::contract(&kit.state().tables).contestmaster.as_ref());
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
        kit.mode = Mode::Held;
        kit.to("2026-11-03T12:00");
        kit.act("Goethe", json!({"start": {}})).unwrap();
        let order: Vec<u64> = tasks::challenges(&kit.state().tables).map(|(_, challenge)| challenge.program).collect();
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

    #[test]
    fn j12_a_second_tournament_opens_with_its_own_programs_and_nothing_carries_over() {
        let mut kit = Kit::begun();
        kit.join("Ann");
        kit.strength("Alpha", 50);
        kit.submit("Ann", "Alpha");
        kit.to("2026-11-09T10:00");
        let notice = kit.intend("tournament", "restart", "");
        assert!(kit.act("Ann", json!({"object": {"id": notice}})).is_err());
        kit.to("2026-11-16T09:59:59");
        assert!(kit.carry_out(notice).is_err());
        assert!(kit.act("Goethe", json!({"start": {}})).is_err());
        kit.to("2026-11-16T10:00");
        kit.heard();
        kit.carry_out(notice).unwrap();
        let names: Vec<String> = (0..10).map(|number| format!("joust{number}")).collect();
        assert_eq!(kit.hill(), names);
        assert_eq!(kit.place("joust0").unwrap().since, at("2026-11-16T10:00"));
        assert_eq!(kit.program("Alpha").status, Status::Dropped { at: at("2026-11-16T10:00") });
        assert!(kit.heard().contains("A new tournament has begun"));
        assert!(kit.whispered("Ann").contains("Alpha dropped"));
        assert!(kit.show("matrix").is_err());
        // Points stay; the old program comes back only by being submitted again.
        assert_eq!(kit.points("Ann"), 8);
        kit.submit("Ann", "Alpha");
        assert_eq!(kit.place("Alpha").unwrap().since, at("2026-11-16T10:00"));
    }

    #[test]
    fn j12_a_second_tournament_waits_for_challenges_deemed_before_it_and_takes_later_ones_onto_its_hill() {
        let mut kit = Kit::begun();
        for number in 0..10 {
            kit.act("Goethe", json!({"add": {"name": format!("new{number}"), "code": "+"}})).unwrap();
        }
        let names: Vec<String> = (0..10).map(|number| format!("new{number}")).collect();
        let notice = kit.intend("tournament", "restart", &names.join(" "));
        let short = kit.intend("tournament", "restart", "new0 new1");
        kit.to("2026-11-10T10:00");
        assert!(kit.carry_out(short).unwrap_err().say.contains("starts with 10 programs"));
        kit.mode = Mode::Held;
        kit.strength("Alpha", 50);
        kit.strength("Beta", 60);
        kit.submit("Ann", "Alpha");
        kit.carry_out(notice).unwrap();
        kit.submit("Bob", "Beta");
        kit.work();
        assert_eq!(kit.hill(), names);
        assert!(matches!(kit.program("Alpha").status, Status::Dropped { .. }));
        kit.work();
        assert_eq!(kit.hill()[..2], ["Beta", "new0"]);
        assert!(kit.carry_out(short).is_err());
    }
}
