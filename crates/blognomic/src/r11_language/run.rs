//! Runs a program on a copy of the Robots, so that a run that stops has changed nothing.
//!
//! Every line sees the changes of the lines before it (N70). Every number read, test made and item moved is a step, and
//! steps are bounded, so that no source runs for ever. A run has no time and no chance, and sees no Robot outside the
//! Machine.
//!
//! The cost of an item (N124), as ruled:
//!
//! - An item may leave one Inventory and enter another in the same bracket, or in a bracket inside of that one. Then it
//!   is the same item and keeps its value; which of the two lines stands first does not matter.
//! - Any other item that comes is made. It cost what self paid in its bracket: all that self's Power was lowered by
//!   there, brackets inside of it included. Items made in one bracket share that evenly, the first ones a rest.
//! - The program as a whole is no bracket: what is made outside of all brackets cost what was paid outside of them.

use std::collections::{BTreeMap, VecDeque};

use super::{
    super::inventory::{Lot, VALUE_MAX_COUNT, kind_key, push, revalued},
    DID_MAX_CHARS, LINE_MAX_CHARS, NUMBER_MAX_DIGITS, RUN_MAX_ITEMS, RUN_MAX_STEPS, TRACE_MAX_LINES,
    machine::{Done, Effect, Limits, Machine, Outcome, POWER, Robot, Stopped, Trace, TraceLine, Why},
    syntax::{Act, Arm, Block, Items, Move, Number, Place, Program, Role, Statement, Test, Who},
};

/// The first number beyond those of a run. Sums and products of two numbers of a run fit into 128 bits.
const BEYOND: i128 = 10_i128.pow(NUMBER_MAX_DIGITS as u32);
/// Below every value: an item whose cost is still open has such a number instead, a ticket.
const FIRST_TICKET: i64 = i64::MIN;

/// Runs a program.
pub(crate) fn run(program: &Program, machine: &Machine) -> Outcome {
    let mut run = Run::new(program, machine);
    match run.whole() {
        Ok(()) => Ok(run.done()),
        Err((at, why)) => {
            let trace = run.finished_trace();
            Err(Stopped { at, why, trace })
        }
    }
}

/// Where and why.
type Stop = (Option<Place>, Why);

struct Run<'a> {
    program: &'a Program,
    machine: &'a Machine,
    robots: BTreeMap<String, Robot>,
    /// Their names as `loop (robots)` takes them: alphabetical without regard to case (N71).
    order: Vec<&'a str>,
    /// The same for a trace, made once: a loop may stand in a loop.
    everyone: String,
    variables: BTreeMap<&'a str, i64>,
    /// The Robots of the open loops, the innermost last.
    looped: Vec<&'a str>,
    /// The open brackets, the program itself first.
    brackets: Vec<Bracket>,
    tickets: Vec<Ticket>,
    effects: Vec<Effect>,
    lines: Vec<Line>,
    left_out: u64,
    steps: u32,
}

/// What an open bracket has seen of payments and items.
#[derive(Default)]
struct Bracket {
    /// What self's Power was lowered by.
    paid: i64,
    /// Items that went and have not come anywhere, oldest first, by the key of their kind.
    gone: BTreeMap<String, VecDeque<i64>>,
    /// Tickets of items that came from nowhere, with the keys of their kinds.
    made: Vec<(String, i64)>,
}

/// What is known of a ticket.
enum Ticket {
    Open,
    /// The item is another one, which went after this one had come.
    Same(i64),
    /// What the item cost.
    Cost(i64),
}

/// A line of the trace, before all values are known.
struct Line {
    at: Place,
    did: Did,
}

enum Did {
    /// It looked at something, and all is as it was.
    Saw(String),
    /// It asked for the keyword of the run, and something else did not hold.
    Missed {
        /// What it looked at.
        saw: String,
        /// What did not hold.
        missing: String,
    },
    /// It changed something, and this says what.
    Said(String),
    /// The effect with this index says it.
    Moved(usize),
}

// ---- the whole

impl<'a> Run<'a> {
    fn new(program: &'a Program, machine: &'a Machine) -> Self {
        let mut order: Vec<&str> = machine.robots.keys().map(String::as_str).collect();
        order.sort_by_cached_key(|name| (name.to_lowercase(), *name));
        Self {
            program,
            machine,
            robots: machine.robots.clone(),
            everyone: cut(&format!("one after the other: {}", order.join(", ")), DID_MAX_CHARS),
            order,
            variables: BTreeMap::new(),
            looped: Vec::new(),
            brackets: vec![Bracket::default()],
            tickets: Vec::new(),
            effects: Vec::new(),
            lines: Vec::new(),
            left_out: 0,
            steps: 0,
        }
    }

    fn whole(&mut self) -> Result<(), Stop> {
        let Machine { robots, caller, other, .. } = self.machine;
        if !robots.contains_key(caller) {
            return Err((None, Why::NoCaller(caller.clone())));
        }
        if let Some(other) = other {
            if other == caller {
                return Err((None, Why::OtherIsSelf(caller.clone())));
            }
            if !robots.contains_key(other) {
                return Err((None, Why::NoSuchOther(other.clone())));
            }
        }
        self.statements(&self.program.body)?;
        self.settle_costs();
        Ok(())
    }

    fn done(mut self) -> Done {
        let trace = self.finished_trace();
        let (tickets, mut robots) = (&self.tickets, std::mem::take(&mut self.robots));
        for robot in robots.values_mut() {
            robot.inventory.revalue(|value| worth(tickets, value));
        }
        Done { effects: self.effects, robots, trace }
    }

    fn finished_trace(&mut self) -> Trace {
        let tickets = &self.tickets;
        for effect in &mut self.effects {
            if let Effect::Came { lots, .. } | Effect::Went { lots, .. } = effect {
                *lots = revalued(lots, |value| worth(tickets, value));
            }
        }
        let lines = std::mem::take(&mut self.lines).into_iter().map(|Line { at, did }| {
            let text = self.program.lines.get(at.line as usize - 1).map_or("", String::as_str);
            let changed = matches!(did, Did::Said(_) | Did::Moved(_));
            let (did, missing) = match did {
                Did::Saw(said) | Did::Said(said) => (said, None),
                Did::Missed { saw, missing } => (saw, Some(missing)),
                Did::Moved(index) => (moved(&self.effects[index]), None),
            };
            let (text, did) = (cut(text, LINE_MAX_CHARS), cut(&did, DID_MAX_CHARS));
            TraceLine { line: at.line, text, did, changed, missing }
        });
        Trace { lines: lines.collect(), left_out: self.left_out }
    }

    fn step(&mut self, at: Place) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > RUN_MAX_STEPS { Err((Some(at), Why::TooLong)) } else { Ok(()) }
    }

    fn note(&mut self, at: Place, did: Did) {
        if self.lines.len() < TRACE_MAX_LINES {
            self.lines.push(Line { at, did });
        } else {
            self.left_out += 1;
        }
    }
}

// ---- statements

impl<'a> Run<'a> {
    fn statements(&mut self, block: &'a Block) -> Result<(), Stop> {
        for Statement { at, act } in block {
            self.step(*at)?;
            match act {
                Act::If { arms, otherwise } => self.choose(arms, otherwise)?,
                Act::Loop(block) => self.repeat(*at, block)?,
                Act::Keep { variable, value } => {
                    let value = self.number(value, *at)?;
                    self.variables.insert(variable, value);
                    self.note(*at, Did::Said(format!("{variable} is {value}")));
                }
                Act::Set { stat, of, value } => {
                    let value = self.number(value, *at)?;
                    self.set(*at, stat, *of, value)?;
                }
                Act::Store { of, moves } => {
                    let robot = self.robot(*of)?;
                    for step in moves {
                        self.transfer(robot, step)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn bracket(&mut self, block: &'a Block) -> Result<(), Stop> {
        self.brackets.push(Bracket::default());
        self.statements(block)?;
        let paid = self.settle_costs();
        // The program as a whole is no bracket.
        if let [_, .., outer] = self.brackets.as_mut_slice() {
            outer.paid = outer.paid.saturating_add(paid);
        }
        Ok(())
    }

    fn choose(&mut self, arms: &'a [Arm], otherwise: &'a Block) -> Result<(), Stop> {
        for Arm { at, test, then } in arms {
            let mut said = Vec::new();
            let holds = self.test(test, *at, &mut said)?;
            let answer = if holds { "yes" } else { "no" };
            let saw = format!("{}: {answer}", said.join(", "));
            let missing = said.pop().filter(|_| !holds && self.asks(test));
            self.note(*at, missing.map_or(Did::Saw(saw.clone()), |missing| Did::Missed { saw, missing }));
            if holds {
                return self.bracket(then);
            }
        }
        self.bracket(otherwise)
    }

    /// Whether a condition asks for the keyword of the run, beside what else it asks for.
    fn asks(&self, test: &Test) -> bool {
        let keyword = self.machine.keyword.as_deref().unwrap_or_default().trim().to_lowercase();
        match test {
            Test::Keyword { word, same } => *same && word.to_lowercase() == keyword,
            Test::All(tests) => tests.iter().any(|test| self.asks(test)),
            _ => false,
        }
    }

    fn repeat(&mut self, at: Place, block: &'a Block) -> Result<(), Stop> {
        self.note(at, Did::Saw(self.everyone.clone()));
        for index in 0..self.order.len() {
            self.step(at)?;
            self.looped.push(self.order[index]);
            self.bracket(block)?;
            self.looped.pop();
        }
        Ok(())
    }

    fn set(&mut self, at: Place, stat: &str, of: Who, wanted: i64) -> Result<(), Stop> {
        let name = self.robot(of)?;
        let known = self.robots.get_mut(name).and_then(|robot| robot.stats.get_mut(stat));
        let Some(known) = known else {
            return Err((Some(at), Why::NoSuchStat { robot: name.to_owned(), stat: stat.to_owned() }));
        };
        let before = known.value;
        let after = match known.limits {
            Limits::Free => wanted,
            Limits::Within { max: Some(most), .. } if wanted > most => {
                let (robot, stat) = (name.to_owned(), stat.to_owned());
                return Err((Some(at), Why::Above { robot, stat, value: wanted, most }));
            }
            Limits::Floor(floor) | Limits::Within { min: Some(floor), .. } if wanted < floor => {
                let (robot, stat) = (name.to_owned(), stat.to_owned());
                return Err((Some(at), Why::Below { robot, stat, value: wanted, floor }));
            }
            Limits::Floor(_) | Limits::Within { .. } => wanted,
            Limits::Range { min, max } => wanted.min(max).max(min),
            Limits::Fixed => before,
        };
        known.value = after;
        let mut did = if before == after {
            format!("{name}'s {stat} stays {before}")
        } else {
            format!("{name}'s {stat}: {before} becomes {after}")
        };
        if after != wanted {
            did.push_str(&format!(", as it cannot be {wanted}"));
        }
        self.note(at, if before == after { Did::Saw(did) } else { Did::Said(did) });
        if before == after {
            return Ok(());
        }
        if name == self.machine.caller && stat == POWER && after < before {
            let paid = &mut self.innermost().paid;
            *paid = paid.saturating_add(before - after);
        }
        self.effects.push(Effect::Stat { robot: name.to_owned(), stat: stat.to_owned(), before, after });
        Ok(())
    }
}

// ---- items

impl<'a> Run<'a> {
    fn transfer(&mut self, name: &'a str, step: &'a Move) -> Result<(), Stop> {
        let Move { at, come, items: Items { count, kind } } = step;
        let count = self.number(count, *at)?;
        if count < 0 {
            return Err((Some(*at), Why::BadCount(count)));
        }
        let lots = if *come { self.come(*at, name, kind, count)? } else { self.go(*at, name, kind, count)? };
        let (robot, kind) = (name.to_owned(), kind.clone());
        let effect = if *come { Effect::Came { robot, kind, lots } } else { Effect::Went { robot, kind, lots } };
        if count == 0 {
            self.note(*at, Did::Saw(moved(&effect)));
            return Ok(());
        }
        self.note(*at, Did::Moved(self.effects.len()));
        self.effects.push(effect);
        Ok(())
    }

    fn come(&mut self, at: Place, name: &str, kind: &str, count: i64) -> Result<Vec<Lot>, Stop> {
        let (mut lots, key) = (Vec::new(), kind_key(kind));
        for _ in 0..count {
            self.step(at)?;
            let found = self.brackets.iter_mut().rev().find_map(|bracket| bracket.gone.get_mut(&key)?.pop_front());
            let value = match found {
                Some(value) => value,
                None => self.make(at, &key)?,
            };
            push(&mut lots, Lot { count: 1, value });
        }
        let Some(robot) = self.robots.get_mut(name) else { return Ok(lots) };
        let mut put = lots.iter().map(|lot| robot.inventory.put(kind, *lot));
        match put.find_map(Result::err) {
            Some(error) => Err((Some(at), Why::Items { robot: name.to_owned(), error })),
            None => Ok(lots),
        }
    }

    /// An item that was not there before, by its ticket.
    fn make(&mut self, at: Place, key: &str) -> Result<i64, Stop> {
        if self.tickets.len() == RUN_MAX_ITEMS {
            return Err((Some(at), Why::TooManyItems));
        }
        let ticket = FIRST_TICKET + self.tickets.len() as i64;
        self.tickets.push(Ticket::Open);
        self.innermost().made.push((key.to_owned(), ticket));
        Ok(ticket)
    }

    fn go(&mut self, at: Place, name: &str, kind: &str, count: i64) -> Result<Vec<Lot>, Stop> {
        let key = kind_key(kind);
        let Some(robot) = self.robots.get_mut(name) else { return Ok(Vec::new()) };
        let taken = robot.inventory.take(kind, count.unsigned_abs());
        let lots = taken.map_err(|error| (Some(at), Why::Items { robot: name.to_owned(), error }))?;
        for lot in &lots {
            for _ in 0..lot.count {
                self.step(at)?;
                self.part_with(&key, lot.value);
            }
        }
        Ok(lots)
    }

    /// An item has gone: perhaps it is one that has already come, else it may still come.
    fn part_with(&mut self, key: &str, item: i64) {
        let item = root(&self.tickets, item);
        let made = &mut self.innermost().made;
        match made.iter().position(|(kind, ticket)| kind == key && *ticket != item) {
            Some(index) => {
                let (_, ticket) = made.remove(index);
                self.tickets[index_of(ticket)] = Ticket::Same(item);
            }
            None => self.innermost().gone.entry(key.to_owned()).or_default().push_back(item),
        }
    }

    /// Ends the innermost bracket: what was made in it has cost what was paid in it. Returns the latter.
    fn settle_costs(&mut self) -> i64 {
        let Some(Bracket { paid, made, .. }) = self.brackets.pop() else { return 0 };
        // An Inventory holds no dearer items; only sums over many payments come near it.
        let (price, many) = (paid.min(VALUE_MAX_COUNT), made.len() as i64);
        for (index, (_, ticket)) in made.into_iter().enumerate() {
            let rest = i64::from((index as i64) < price % many);
            self.tickets[index_of(ticket)] = Ticket::Cost(price / many + rest);
        }
        paid
    }

    fn innermost(&mut self) -> &mut Bracket {
        self.brackets.last_mut().expect("the program itself is open while it runs")
    }
}

/// Which item it is, after all that is known by now.
fn root(tickets: &[Ticket], mut item: i64) -> i64 {
    while let Some(Ticket::Same(other)) = tickets.get(index_of(item)) {
        item = *other;
    }
    item
}

/// What an item cost, or its ticket while that is open.
fn worth(tickets: &[Ticket], item: i64) -> i64 {
    let item = root(tickets, item);
    match tickets.get(index_of(item)) {
        Some(Ticket::Cost(cost)) => *cost,
        _ => item,
    }
}

/// The index of a ticket; of a value, one beyond all tickets.
fn index_of(item: i64) -> usize {
    usize::try_from(item.abs_diff(FIRST_TICKET)).unwrap_or(usize::MAX)
}

// ---- numbers, Robots and conditions

impl<'a> Run<'a> {
    fn number(&mut self, number: &'a Number, near: Place) -> Result<i64, Stop> {
        self.step(near)?;
        match number {
            Number::Literal(value) => Ok(*value),
            Number::Variable { at, name } => {
                let value = self.variables.get(name.as_str()).copied();
                value.ok_or_else(|| (Some(*at), Why::Unset(name.clone())))
            }
            Number::Stat { at, stat, of } => {
                let name = self.robot(*of)?;
                let value = self.robots.get(name).and_then(|robot| robot.stat(stat));
                value.ok_or_else(|| (Some(*at), Why::NoSuchStat { robot: name.to_owned(), stat: stat.clone() }))
            }
            Number::Held { kind, of } => {
                let name = self.robot(*of)?;
                let held = self.robots.get(name).map_or(0, |robot| robot.inventory.count(kind));
                Ok(i64::try_from(held).unwrap_or(i64::MAX))
            }
            Number::Sum { at, terms } => {
                let mut sum = 0;
                for (plus, term) in terms {
                    let value = i128::from(self.number(term, *at)?);
                    sum = bounded(if *plus { i128::from(sum) + value } else { i128::from(sum) - value }, *at)?;
                }
                Ok(sum)
            }
            Number::Product { at, factors } => {
                let mut product = 1;
                for factor in factors {
                    product = bounded(i128::from(product) * i128::from(self.number(factor, *at)?), *at)?;
                }
                Ok(product)
            }
        }
    }

    fn robot(&self, who: Who) -> Result<&'a str, Stop> {
        let machine = self.machine;
        match who.role {
            Role::Caller => Ok(&machine.caller),
            Role::Other => machine.other.as_deref().ok_or((Some(who.at), Why::NoOther)),
            Role::Looped => Ok(self.looped.last().copied().expect("read inside a loop only")),
            Role::ControlUnit => self.control_unit().ok_or((Some(who.at), Why::NoControlUnit)),
        }
    }

    /// The Control Unit, if it is in the Factory.
    fn control_unit(&self) -> Option<&'a str> {
        self.machine.control_unit.as_deref().filter(|name| self.robots.contains_key(*name))
    }

    /// Whether it holds; what was looked at is added to `said`. What cannot matter any more is not looked at, so that
    /// a condition may ask for the keyword first and need `other` after that.
    fn test(&mut self, test: &'a Test, near: Place, said: &mut Vec<String>) -> Result<bool, Stop> {
        self.step(near)?;
        match test {
            Test::All(tests) => {
                for test in tests {
                    if !self.test(test, near, said)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Any(tests) => {
                for test in tests {
                    if self.test(test, near, said)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::Not(test) => {
                let mut inner = Vec::new();
                let holds = self.test(test, near, &mut inner)?;
                said.push(format!("not ({})", inner.join(", ")));
                Ok(!holds)
            }
            Test::Numbers { left, how, right } => {
                let (left, right) = (self.number(left, near)?, self.number(right, near)?);
                said.push(format!("{left} {} {right}", how.sign()));
                Ok(how.holds(left, right))
            }
            Test::Robots { left, right, same } => {
                let vacant = |who: &Who| who.role == Role::ControlUnit && self.control_unit().is_none();
                if vacant(left) || vacant(right) {
                    said.push("there is no Control Unit".to_owned());
                    return Ok(!same);
                }
                let (left, right) = (self.robot(*left)?, self.robot(*right)?);
                said.push(format!("{left} {} {right}", if *same { "=" } else { "!=" }));
                Ok((left == right) == *same)
            }
            Test::Keyword { word, same } => {
                let keyword = self.machine.keyword.as_deref().map(str::trim).filter(|keyword| !keyword.is_empty());
                said.push(match keyword {
                    Some(keyword) => format!("“{keyword}” {} “{word}”", if *same { "=" } else { "!=" }),
                    None => "no keyword".to_owned(),
                });
                Ok(keyword.is_some_and(|keyword| keyword.to_lowercase() == word.to_lowercase()) == *same)
            }
            Test::Holds { of, items: Items { count, kind } } => {
                let (name, count) = (self.robot(*of)?, self.number(count, near)?);
                let held = self.robots.get(name).map_or(0, |robot| robot.inventory.count(kind));
                said.push(if held == 0 {
                    format!("{name} has no {kind}")
                } else {
                    format!("{name} has {held} {kind}")
                });
                Ok(i128::from(held) >= i128::from(count))
            }
        }
    }
}

fn bounded(value: i128, at: Place) -> Result<i64, Stop> {
    let value = if (1 - BEYOND..BEYOND).contains(&value) { i64::try_from(value).ok() } else { None };
    value.ok_or((Some(at), Why::TooLarge))
}

// ---- words

/// `Ann gains 1 Product (made at 10)`.
fn moved(effect: &Effect) -> String {
    let (robot, verb, kind, lots) = match effect {
        Effect::Came { robot, kind, lots } => (robot, "gains", kind, lots),
        Effect::Went { robot, kind, lots } => (robot, "loses", kind, lots),
        Effect::Stat { .. } => return String::new(),
    };
    let count: u64 = lots.iter().map(|lot| lot.count).sum();
    // Nobody knows what it cost, or not yet.
    let costs: Vec<String> = match lots.as_slice() {
        [lot] if lot.value > 0 => vec![lot.value.to_string()],
        lots => {
            lots.iter().filter(|lot| lot.value > 0).map(|lot| format!("{} each for {}", lot.count, lot.value)).collect()
        }
    };
    let made = if costs.is_empty() { String::new() } else { format!(" (made at {})", costs.join(", ")) };
    format!("{robot} {verb} {count} {kind}{made}")
}

fn cut(text: &str, most_chars: usize) -> String {
    match text.char_indices().nth(most_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
