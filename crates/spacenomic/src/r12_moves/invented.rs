//! Moves of types that rules invent (S55, S58, S61): their list in such a rule, their effects, and whether they clash.
//!
//! A rule with `moves: farming every 2 days` at its head has such a type, with that period, and its text lists the moves.
//! Each is a line such as `Move "give <number> to <player>":` with directives below it, as proposals have them. Nobody
//! has proven for such a type which orders of moves come to the same, so they are tried. Each set of moves is tried on
//! each state that some order of it leads to, which is as exact as trying every order. Their evaluation stands in
//! `evaluation`; `guard` says where the rules may list them.

pub(crate) mod hopeless;

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
};

use super::{
    board::Clash,
    kind::Kind,
    period::{self, span},
};
use crate::{
    activity,
    effects::body,
    figures::PERIOD_MIN_SECONDS,
    game::{D, Spacenomic},
    law::Thing,
    roster,
    space::Spot,
    stats::{ACCOUNT, FORMER, PLAYER, called},
};
use kernel::{
    Draft, Id, Instant, Num, Refusal, State,
    dice::{Dice, SEED_BYTES, Seed},
    directives::{self, Act, Body, Mode, Setting, syntax::DIRECTIVES_MAX_COUNT},
    doer::Doer,
    draft::SALT_BYTES,
    entry::Change,
    rulebook::Rule,
};
use kit::effects as texts;

/// Most moves of a rule: all of them are named where one is typed that is none.
const FORMS_MAX_COUNT: usize = 20;

/// Longest name of a type, in characters: a word of a table.
const NAME_MAX_CHARS: usize = 30;

/// Most trials at one evaluation: what the moves of ten players need, with all their orders; a moment's work.
const TRIED_MAX_COUNT: usize = 6_000;

/// What a directive calls whoever moves.
const MOVER: &str = "mover";

// ---- what a rule says

/// A move that a rule lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Form {
    /// Its words, with holes in them.
    words: String,
    parts: Vec<Part>,
    /// Its directives, with the same holes and the mover's.
    does: String,
}

/// A part of the words of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Said(String),
    Hole { name: String, kind: Hole },
}

/// What fills a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Number,
    Player,
    Vertex,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "“{}”", self.words)
    }
}

/// The words of a move, where a line begins one: `Move "sow":`.
fn head(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(['-', '*', '•']).trim_start();
    let verb = line.get(..4).filter(|verb| verb.eq_ignore_ascii_case("move"))?;
    let rest = line[verb.len()..].strip_prefix(char::is_whitespace)?.trim_start();
    let open = rest.chars().next()?;
    let closes: &[char] = match open {
        '"' | '“' | '”' | '„' => &['"', '“', '”'],
        '`' => &['`'],
        _ => return None,
    };
    let (words, after) = rest[open.len_utf8()..].split_once(closes)?;
    matches!(after.trim(), "" | ":").then_some(words.trim())
}

/// The moves that a text lists.
///
/// # Errors
///
/// What is wrong with one, as a clause.
fn forms(text: &str) -> Result<Vec<Form>, String> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (head(line), all.last_mut()) {
            (Some(words), _) => {
                let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
                all.push((words, String::new()));
            }
            (None, Some((_, does))) => {
                does.push_str(line);
                does.push('\n');
            }
            (None, None) => {}
        }
    }
    all.into_iter().map(|(words, does)| Ok(Form { parts: parts(&words)?, words, does })).collect()
}

/// The first hole of a text, `<number 2>`: what is before it, its name, and what is after it.
fn hole(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('<').map(|at| at + from) {
        let name = text[open + 1..].split_once('>').map(|(name, _)| name).filter(|name| is_hole(name));
        if let Some(name) = name {
            return Some((&text[..open], name, &text[open + 2 + name.len()..]));
        }
        from = open + 1;
    }
    None
}

/// Whether something between `<` and `>` is the name of a hole and not a comparison.
fn is_hole(name: &str) -> bool {
    let (word, figure) = name.split_once(' ').unwrap_or((name, ""));
    !word.is_empty()
        && word.chars().all(|char| char.is_ascii_alphabetic())
        && figure.chars().all(|char| char.is_ascii_digit())
}

fn parts(words: &str) -> Result<Vec<Part>, String> {
    let (mut parts, mut rest) = (Vec::new(), words);
    while let Some((before, name, after)) = hole(rest) {
        let name = name.to_lowercase();
        let kind = match name.split(' ').next().unwrap_or_default() {
            "number" => Hole::Number,
            "player" => Hole::Player,
            "vertex" => Hole::Vertex,
            _ => return Err(format!("“<{name}>” in “{words}” is none of <number>, <player> and <vertex>")),
        };
        let twice = parts.iter().any(|part| matches!(part, Part::Hole { name: other, .. } if *other == name));
        if twice {
            return Err(format!(
                "“{words}” has <{name}> twice: call the second <{} 2>",
                name.split(' ').next().unwrap_or_default()
            ));
        }
        let joined = before.trim().is_empty() && !parts.is_empty();
        if joined {
            return Err(format!("no word parts <{name}> from what is before it in “{words}”"));
        }
        parts.push(Part::Said(before.trim().to_lowercase()));
        parts.push(Part::Hole { name, kind });
        rest = after;
    }
    parts.push(Part::Said(rest.trim().to_lowercase()));
    parts.retain(|part| *part != Part::Said(String::new()));
    if parts.iter().any(|part| matches!(part, Part::Said(_))) {
        Ok(parts)
    } else {
        Err("a move has no word".to_owned())
    }
}

impl Form {
    /// Its directives with the holes filled.
    ///
    /// # Errors
    ///
    /// A hole that its words do not have, as a clause.
    fn filled(&self, with: &BTreeMap<String, String>) -> Result<String, String> {
        let (mut out, mut rest) = (String::new(), self.does.as_str());
        while let Some((before, name, after)) = hole(rest) {
            let Some(filling) = with.get(&name.to_lowercase()) else {
                return Err(format!(
                    "what {self} does speaks of <{name}>, which is neither <{MOVER}> nor in its words"
                ));
            };
            out.push_str(before);
            out.push_str(filling);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// What fills its holes in some words, and the words as they are kept; nothing where they do not fit.
    fn fits(&self, state: &State<Spacenomic>, words: &str) -> Option<(BTreeMap<String, String>, String)> {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut with = BTreeMap::new();
        let kept = fit(state, &self.parts, &words, &mut with)?;
        Some((with, kept.join(" ")))
    }

    /// Which of some words is not what stands in its place, as a clause: the words begin as those of the form do.
    fn misfit(&self, state: &State<Spacenomic>, words: &str) -> Option<String> {
        let mut rest = words;
        for (index, part) in self.parts.iter().enumerate() {
            let Part::Hole { kind, .. } = part else {
                let Part::Said(said) = part else { return None };
                let head = rest.get(..said.len()).filter(|head| head.to_lowercase() == *said)?;
                rest = rest[head.len()..].trim_start();
                continue;
            };
            let end = match self.parts.get(index + 1) {
                Some(Part::Said(said)) => rest.to_lowercase().find(&format!(" {said}"))?,
                _ => rest.len(),
            };
            let (filled, after) = (rest.get(..end)?.trim(), rest.get(end..)?);
            if filling(state, *kind, filled).is_none() && !filled.is_empty() {
                let is_former = |id: &&Id| called(state, id).eq_ignore_ascii_case(filled);
                if *kind == Hole::Player && state.world.of_kind(FORMER).any(|id| is_former(&id)) {
                    return Some(format!("{filled} is no player any more"));
                }
                let wanted = match kind {
                    Hole::Number => "number",
                    Hole::Player => "player",
                    Hole::Vertex => "vertex, as (1, 2) is",
                };
                return Some(format!("“{filled}” is no {wanted}"));
            }
            rest = after.trim_start();
        }
        None
    }
}

fn fit(
    state: &State<Spacenomic>,
    parts: &[Part],
    words: &str,
    with: &mut BTreeMap<String, String>,
) -> Option<Vec<String>> {
    match parts {
        [] => words.is_empty().then(Vec::new),
        [Part::Said(said), rest @ ..] => {
            let head = words.get(..said.len()).filter(|head| head.to_lowercase() == *said)?;
            let after = &words[head.len()..];
            let ends = after.is_empty() || after.starts_with(' ') || after.starts_with('(');
            let mut kept = fit(state, rest, after.trim_start(), with).filter(|_| ends)?;
            kept.insert(0, said.clone());
            Some(kept)
        }
        [Part::Hole { name, kind }, rest @ ..] => {
            let ends = words.char_indices().filter(|(_, char)| *char == ' ').map(|(at, _)| at).chain([words.len()]);
            // A number of two parts and a name of two words go on beyond the first blank.
            for end in ends {
                let Some((filling, shown)) = filling(state, *kind, &words[..end]) else { continue };
                if let Some(mut kept) = fit(state, rest, words[end..].trim_start(), with) {
                    with.insert(name.clone(), filling);
                    kept.insert(0, shown);
                    return Some(kept);
                }
            }
            None
        }
    }
}

/// What stands in a directive for some words, and the words as they are kept.
fn filling(state: &State<Spacenomic>, kind: Hole, words: &str) -> Option<(String, String)> {
    match kind {
        Hole::Number => {
            let number: Num = words.parse().ok()?;
            let exact = number.as_rational();
            Some((format!("({}/{})", exact.numer(), exact.denom()), number.to_string()))
        }
        Hole::Player => {
            let id = roster::by_name(state, words.trim_start_matches('@')).ok()?;
            let name = called(state, &id);
            Some((format!("player \"{name}\""), name))
        }
        Hole::Vertex => {
            let at: Spot = words.parse().ok()?;
            Some((at.to_string(), at.to_string()))
        }
    }
}

/// Refuses a rule whose moves could not be played: by the name and the period at its head, and by its text.
///
/// # Errors
///
/// What is wrong, as a clause.
pub(in super::super) fn check(name: &str, every: &str, text: &str) -> Result<(), String> {
    let word = name.chars().all(|char| char.is_alphanumeric() || char == '-') && name.chars().any(char::is_alphabetic);
    if !word || name.chars().count() > NAME_MAX_CHARS {
        return Err(format!("the name of a type of moves is one word of at most {NAME_MAX_CHARS} characters"));
    }
    let seconds = period::every(every)?;
    if seconds < PERIOD_MIN_SECONDS {
        return Err(format!("its period is {}, and the least is {}", span(seconds), span(PERIOD_MIN_SECONDS)));
    }
    let forms = forms(text)?;
    if forms.is_empty() {
        return Err("it lists no move: write “Move \"sow\":” on a line and directives below it".to_owned());
    }
    if forms.len() > FORMS_MAX_COUNT {
        return Err(format!("it lists more than {FORMS_MAX_COUNT} moves"));
    }
    for (index, form) in forms.iter().enumerate() {
        if forms[..index].iter().any(|other| other.words.eq_ignore_ascii_case(&form.words)) {
            return Err(format!("it lists {form} twice"));
        }
        let mut with = BTreeMap::from([(MOVER.to_owned(), "player \"Somebody\"".to_owned())]);
        with.extend(form.parts.iter().filter_map(|part| match part {
            Part::Said(_) => None,
            Part::Hole { name, kind: Hole::Number } => Some((name.clone(), "(1/1)".to_owned())),
            Part::Hole { name, kind: Hole::Player } => Some((name.clone(), "player \"Somebody\"".to_owned())),
            Part::Hole { name, kind: Hole::Vertex } => Some((name.clone(), "(0, 0)".to_owned())),
        }));
        let filled = form.filled(&with)?;
        let body = texts::read::<Spacenomic>(&filled)
            .map_err(|why| format!("what {form} does cannot be read: {}", why.say))?;
        match body.count() {
            0 => return Err(format!("no directive below {form} says what it does")),
            count if count > DIRECTIVES_MAX_COUNT / FORMS_MAX_COUNT => {
                let most = DIRECTIVES_MAX_COUNT / FORMS_MAX_COUNT;
                return Err(format!("{form} does more than {most} things"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The moves that a rule lists, each in quotation marks.
pub(super) fn listed(rule: &Rule) -> Vec<String> {
    forms(&rule.text().in_force()).unwrap_or_default().iter().map(Form::to_string).collect()
}

// ---- what players send

/// A player's move as it is kept, where the rule of a type lists such a one.
pub(super) fn read(state: &State<Spacenomic>, kind: &Kind, words: &str) -> Option<String> {
    let forms = forms(&kind.rule(&state.rules)?.text().in_force()).ok()?;
    forms.iter().find_map(|form| form.fits(state, words)).map(|(_, kept)| kept)
}

/// What is wrong with words that begin as a move does which the rule of a type lists.
pub(super) fn near(state: &State<Spacenomic>, kind: &Kind, words: &str) -> Vec<String> {
    let Some(rule) = kind.rule(&state.rules).filter(|_| kind.thing().is_none()) else { return Vec::new() };
    let said = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = said.to_lowercase();
    let begins = |form: &&Form| match form.parts.first() {
        Some(Part::Said(said)) => {
            words.strip_prefix(&**said).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        }
        _ => false,
    };
    let wants = |form: Form| {
        let holes = form.parts.iter().filter_map(|part| match part {
            Part::Hole { name, kind: Hole::Number } => Some(format!("<{name}> a number, as 3 or 1/2")),
            Part::Hole { name, kind: Hole::Player } => Some(format!("<{name}> the name of a player")),
            Part::Hole { name, kind: Hole::Vertex } => Some(format!("<{name}> a vertex, as (1, 2)")),
            Part::Said(_) => None,
        });
        let holes: Vec<String> = holes.collect();
        let holes =
            if holes.is_empty() { ", with nothing more".to_owned() } else { format!(", with {}", holes.join(", ")) };
        let wrong = form.misfit(state, &said).map_or_else(String::new, |wrong| format!("; {wrong}"));
        format!("a {} move is {form} by {}{holes}{wrong}", kind.word(), rule.label())
    };
    forms(&rule.text().in_force()).unwrap_or_default().into_iter().filter(|form| begins(&form)).map(wants).collect()
}

/// A move that can be tried: who makes it, and what it does as the rule reads now.
struct Ready {
    player: Id,
    because: String,
    body: Body,
}

fn ready(state: &State<Spacenomic>, kind: &Kind, player: &Id, words: &str) -> Result<Ready, String> {
    let rule = kind.rule(&state.rules).ok_or_else(|| format!("no rule in effect has {} moves", kind.word()))?;
    let forms = forms(&rule.text().in_force())?;
    let found = forms.iter().find_map(|form| Some((form, form.fits(state, words)?)));
    let (form, (mut with, _)) = found.ok_or_else(|| {
        let wrong = forms.iter().find_map(|form| form.misfit(state, words));
        wrong.unwrap_or_else(|| format!("{} lists no such move", rule.label()))
    })?;
    let name = called(state, player);
    with.insert(MOVER.to_owned(), format!("player \"{name}\""));
    let body = texts::read::<Spacenomic>(&form.filled(&with)?).map_err(|why| why.say)?;
    if body::acts(&body).iter().any(|said| gives_less_than_nothing(said.act)) {
        return Err("an amount that is less than nothing would take where it gives".to_owned());
    }
    Ok(Ready { player: player.clone(), because: format!("a {} move of {name}", kind.word()), body })
}

/// Whether a directive moves an amount that is below zero: a number that a mover filled in begins so.
fn gives_less_than_nothing(act: &Act) -> bool {
    match act {
        Act::Award { what, .. } | Act::Hand { what, .. } | Act::Transfer { what, .. } | Act::Move { by: what, .. } => {
            what.trim_start().starts_with("(-")
        }
        _ => false,
    }
}

/// The accounts of all who have one.
fn accounts(state: &State<Spacenomic>) -> BTreeMap<Id, Num> {
    let all = [PLAYER, FORMER].into_iter().flat_map(|kind| state.world.of_kind(kind));
    all.map(|id| (id.clone(), state.world.get(&ACCOUNT, id).unwrap_or_default())).collect()
}

/// What no move does.
const NO_RULE: &str = "a move changes no rule";

fn changes_law(changes: &[Change]) -> bool {
    changes.iter().any(|change| matches!(change, Change::Rule(_) | Change::Frame(_)))
}

/// Does a move, all of it or nothing.
fn act(d: &mut D<'_>, ready: &Ready) -> Result<(), Refusal> {
    d.attempt(|d| {
        let (before, held) = (d.emitted(), accounts(d));
        let setting = Setting { because: &ready.because, mode: Mode::AllOrNone, posted: None, tried: false };
        directives::apply(&ready.body, d, &setting).map_err(|failure| failure.refusal)?;
        if changes_law(&d.changes()[before..]) {
            return Err(Refusal::new(NO_RULE));
        }
        // Only the fee for a failed proposal, and a proposal, leave a debt (S66).
        let owes = |(id, now): &(Id, Num)| now.is_negative() && held.get(id).is_none_or(|before| now < before);
        match accounts(d).into_iter().find(owes) {
            Some((id, _)) => {
                let say = format!("the account of {} would go below zero", called(d, &id));
                Err(Refusal::new(say).by(Thing::Money.rule(&d.rules)))
            }
            None => Ok(()),
        }
    })
}

/// Does something on a copy of a state, at an instant.
fn on_a_copy<T>(
    state: &State<Spacenomic>,
    at: Instant,
    does: impl FnOnce(&mut D<'_>) -> Result<T, String>,
) -> Result<(State<Spacenomic>, T), String> {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, VecDeque::new());
    let mut d = Draft::new(state.clone(), at, Doer::default(), true, &mut dice, [0; SALT_BYTES]);
    let done = does(&mut d)?;
    Ok((State { seq: state.seq, ..d.finish().state }, done))
}

/// The state after a move.
fn after(state: &State<Spacenomic>, at: Instant, ready: &Ready) -> Result<State<Spacenomic>, String> {
    let moved = on_a_copy(state, at, |d| {
        // Whoever performs a move is active (S77), which the move itself or another's may ask or change.
        activity::acted(d, &ready.player);
        act(d, ready).map_err(|why| why.say)
    });
    Ok(moved?.0)
}

/// Whether a move could be executed as things stand.
///
/// # Errors
///
/// Why not, as a clause.
pub(super) fn legal(state: &State<Spacenomic>, kind: &Kind, player: &Id, words: &str) -> Result<(), String> {
    after(state, state.at, &ready(state, kind, player, words)?).map(drop)
}

/// Whether a mover would be inactive after a move, if that could be executed as things stand.
pub(super) fn lulls(state: &State<Spacenomic>, kind: &Kind, player: &Id, words: &str) -> bool {
    let then = ready(state, kind, player, words).and_then(|ready| after(state, state.at, &ready));
    then.is_ok_and(|then| !activity::is_active(&then, player))
}

/// What moves come to whose orders were tried.
pub(super) enum Tried {
    /// Every order is legal, and all come to the same.
    One,
    /// They do not.
    Clash(Clash),
    /// There are more orders than the program tries.
    Untried,
}

/// Tries all orders of moves (S61). An order goes through the sets of the moves that are done. So each set is tried
/// once on each state that it can leave behind.
pub(super) fn try_all(d: &D<'_>, kind: &Kind, moves: &[(Id, String)]) -> Tried {
    try_on(d, d.at, kind, moves)
}

fn try_on(state: &State<Spacenomic>, at: Instant, kind: &Kind, moves: &[(Id, String)]) -> Tried {
    let clash = |between: Vec<usize>, why: String| Tried::Clash(Clash { between: between.into_iter().collect(), why });
    let mut all = Vec::new();
    for (index, (player, words)) in moves.iter().enumerate() {
        match ready(state, kind, player, words) {
            Ok(ready) => all.push(ready),
            Err(why) => return clash(vec![index], why),
        }
    }
    if all.len() >= u64::BITS as usize {
        return Tried::Untried;
    }
    let holds = |set: u64, index: usize| set >> index & 1 == 1;
    let members = |set: u64| (0..moves.len()).filter(|index| holds(set, *index)).collect::<Vec<_>>();
    let (mut tried, mut apart) = (0, None);
    let mut now: BTreeMap<u64, Vec<State<Spacenomic>>> = BTreeMap::from([(0, vec![state.clone()])]);
    for _ in 0..moves.len() {
        let mut then: BTreeMap<u64, Vec<State<Spacenomic>>> = BTreeMap::new();
        for (set, states) in now {
            for (index, ready) in all.iter().enumerate().filter(|(index, _)| !holds(set, *index)) {
                let with = set | 1 << index;
                for state in &states {
                    tried += 1;
                    if tried > TRIED_MAX_COUNT {
                        return Tried::Untried;
                    }
                    let next = match after(state, at, ready) {
                        Ok(next) => next,
                        Err(why) if set == 0 => return clash(vec![index], why),
                        Err(why) => {
                            let name = called(state, &ready.player);
                            return clash(members(with), format!("{name} could not move after the others: {why}"));
                        }
                    };
                    let known = then.entry(with).or_default();
                    // Rules and frame are what they were: no move changes them.
                    if known.iter().all(|other| other.world != next.world || other.tables != next.tables) {
                        known.push(next);
                    }
                    if known.len() > 1 {
                        apart.get_or_insert(with);
                    }
                }
            }
        }
        now = then;
    }
    match (now.values().all(|states| states.len() == 1), apart) {
        (false, Some(set)) => clash(members(set), "it matters who moves first".to_owned()),
        _ => Tried::One,
    }
}

/// Does a move for good, of moves whose orders were tried.
pub(super) fn execute(d: &mut D<'_>, kind: &Kind, player: &Id, words: &str) {
    if let Ok(ready) = ready(d, kind, player, words) {
        // As a pause is: the move makes em active first, and then does what it does (S77, S79).
        activity::acted(d, player);
        // It was tried on this very state, after the same moves.
        let done = act(d, &ready);
        debug_assert!(done.is_ok(), "{done:?}");
    }
}

#[cfg(test)]
mod tests;
