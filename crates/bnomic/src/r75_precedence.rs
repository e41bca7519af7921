//! Power and precedence of rules (4E75): which of two rules wins where they contradict each other, and by which clause.
//!
//! A rule's Power stands in its header as an exact number, and so do its claims. `yields` and `overrides` list the
//! rules that it defers to or takes precedence over, `all` being every other. People judge whether two rules contradict
//! each other. The rulebook keeps the ordinary order of figures.

use super::{
    figures::POWER_DEFAULT,
    game::BNomic,
    law::{self, PREFIX, Thing, established},
    registry, stats,
};
use kernel::{
    Display, Mechanic, Num, Path, Refusal, State, Value,
    directives::syntax::unquote,
    display::{Cell, Document, cells},
    mechanic::no_display,
    rulebook::{Rule, views},
};

// ---- the mechanic

/// What it adds to play. Where nearly all is as at first, only what is not would be looked for.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let precedence = Display::of("precedence", |state, asked| match asked.parts()[..] {
        [a, b] => show(state, a, b),
        _ => Err(no_display::<BNomic>()),
    });
    Mechanic::new("precedence")
        .display(Display::new("powers", |state, _| Ok(powers(state))).listed(14))
        .display(precedence.fits(|parts| parts == 2))
}

/// The Power of a rule whose header gives none.
fn default_power(state: &State<BNomic>) -> Num {
    state.rules.need(&POWER_DEFAULT).unwrap_or_default()
}

/// The Power of a rule: from 0 to 1, else the default.
pub(super) fn power(rule: &Rule, state: &State<BNomic>) -> Num {
    rule.field("power").and_then(read_power).unwrap_or_else(|| default_power(state))
}

fn read_power(text: &str) -> Option<Num> {
    text.parse::<Num>().ok().filter(|power| !power.is_negative() && *power <= Num::from(1))
}

/// Whether some words are a Power (B75.1).
///
/// # Errors
///
/// A [`Refusal`] where they are none.
pub(super) fn is_power(text: &str) -> Result<(), Refusal> {
    match read_power(text) {
        Some(_) => Ok(()),
        None => Err(Refusal::new("a Power is a number from 0 to 1").by("4E75, Rule Powers and Precedence")),
    }
}

/// The number of a rule that a word is, with the prefix of this era or without (B36.4).
fn number_in(word: &str) -> Option<u32> {
    let bare = word.get(..PREFIX.len()).filter(|head| head.eq_ignore_ascii_case(PREFIX)).map_or(0, str::len);
    word[bare..].trim().parse().ok()
}

/// Whether a word in a header means every other rule.
fn is_all(word: &str) -> bool {
    word.eq_ignore_ascii_case("all")
}

/// Whether the header of a rule of this number can stand: its Power, and the other rules that it names (B75.1, B36.4).
///
/// # Errors
///
/// A [`Refusal`] with what cannot.
pub(super) fn fits(state: &State<BNomic>, own: u32, name: &str, value: &str) -> Result<(), Refusal> {
    let is_rule = |word: &str| {
        let why = match number_in(word) {
            None => {
                format!("“{word}” is no rule here: a header names rules by their numbers or titles, or says “all”")
            }
            Some(number) if number == own => format!("{PREFIX}{own} is that rule itself, and a header names others"),
            Some(number) if !state.rules.all().iter().any(|rule| rule.number() == number) => {
                format!("no rule has or had the number {number}")
            }
            Some(_) => return Ok(()),
        };
        Err(Refusal::new(why).by("4E36, Rules").instead("rules"))
    };
    match name {
        "power" => is_power(value),
        "overrides" | "yields" => {
            let words = value.split(',').map(str::trim).filter(|word| !word.is_empty() && !is_all(word));
            words.into_iter().try_for_each(is_rule)
        }
        _ => Ok(()),
    }
}

/// What a header names with numbers for titles, and commas between them. A rule that the same text makes has no number
/// yet that anybody knows. Nothing where it names none.
pub(super) fn numbered(state: &State<BNomic>, name: &str, value: String) -> String {
    if !matches!(name, "overrides" | "yields") {
        return value;
    }
    if ["nothing", "none", "no rule", "{}"].iter().any(|none| value.trim().eq_ignore_ascii_case(none)) {
        return String::new();
    }
    let is_known = |word: &str| number_in(word).is_some() || is_all(word);
    let number = |word: &str| match state.rules.find(unquote(word)) {
        Ok(rule) if !is_known(word) => rule.number().to_string(),
        _ => word.to_owned(),
    };
    let parts = value.split(',').map(str::trim).map(|part| part.strip_prefix("and ").map_or(part, str::trim));
    // A title may have “and” in it.
    let words = parts.flat_map(|part| match is_known(part) || state.rules.find(unquote(part)).is_ok() {
        true => vec![part],
        false => part.split(" and ").map(str::trim).collect(),
    });
    words.map(number).collect::<Vec<_>>().join(", ")
}

/// Whether a field of a rule names another rule.
fn names(rule: &Rule, field: &str, other: &Rule) -> bool {
    let listed = rule.field(field).unwrap_or_default();
    listed
        .split(',')
        .map(str::trim)
        .any(|name| is_all(name) || name.trim_start_matches(PREFIX).parse() == Ok(other.number()))
}

/// Which of two rules wins, and by which clause (B75.2 to B75.6).
fn wins<'a>(a: &'a Rule, b: &'a Rule, state: &State<BNomic>) -> (&'a Rule, &'static str) {
    let arbiter = state.rules.establishes(Thing::Precedence.word());
    for (one, _) in [(a, b), (b, a)] {
        if arbiter == Some(one.id()) {
            return (one, "it is the rule on precedence, and takes precedence over all others on that");
        }
    }
    let (of_a, of_b) = (power(a, state), power(b, state));
    if of_a != of_b {
        let (high, low) = if of_a > of_b { (a, b) } else { (b, a) };
        return if names(high, "yields", low) {
            (low, "the one of higher Power says so")
        } else {
            (high, "it has the higher Power")
        };
    }
    let claims = (names(a, "overrides", b), names(b, "overrides", a));
    let yields = (names(a, "yields", b), names(b, "yields", a));
    let by_claim = match claims {
        (true, false) => Some(a),
        (false, true) => Some(b),
        _ => None,
    };
    let by_yielding = match yields {
        (true, false) => Some(b),
        (false, true) => Some(a),
        _ => None,
    };
    match (by_claim, by_yielding) {
        (Some(one), None) => (one, "their Powers are equal, and it alone claims precedence"),
        (None, Some(one)) => (one, "their Powers are equal, and only the other says that it yields"),
        (Some(one), Some(same)) if one.id() == same.id() => {
            (one, "their Powers are equal; it claims precedence, and the other yields")
        }
        _ => {
            let lower = if a.number() <= b.number() { a } else { b };
            (lower, "their Powers are equal and nothing that they say settles it: it has the lower number")
        }
    }
}

/// Which of two rules wins.
///
/// # Errors
///
/// A [`Refusal`] where one of them is no rule in force, both are the same, or no rule says who wins.
fn show(state: &State<BNomic>, a: &str, b: &str) -> Result<Document, Refusal> {
    established(&state.rules, Thing::Precedence)?;
    let (a, b) = (find(state, a)?, find(state, b)?);
    if a.id() == b.id() {
        return Err(Refusal::new("that is one rule; name two").instead("precedence 15 16"));
    }
    let (won, why) = wins(a, b, state);
    let label = law::called;
    let other = if won.id() == a.id() { b } else { a };
    Ok(Document::titled(format!("precedence/{}/{}", a.number(), b.number()), "Precedence").para(format!(
        "Where they contradict each other, {} wins over {}: {why}.",
        label(won),
        label(other)
    )))
}

/// A rule by number, with the prefix or without; another prefix means no rule of this era (B36.4).
fn find<'a>(state: &'a State<BNomic>, words: &str) -> Result<&'a Rule, Refusal> {
    let words = words.trim();
    if let Some(gone) = state.rules.get(words).filter(|rule| !rule.in_force()) {
        return Err(Refusal::new(format!("{} is repealed", law::called(gone))).by("4E36, Rules").instead("rules"));
    }
    let bare = words.get(..PREFIX.len()).filter(|head| head.eq_ignore_ascii_case(PREFIX));
    let bare = bare.map_or(words, |_| &words[PREFIX.len()..]);
    match bare.parse().ok().and_then(|number| state.rules.numbered(number)) {
        Some(rule) => Ok(rule),
        None => state.rules.find(words),
    }
}

/// What the display is called.
const TITLE: &str = "Powers of rules of B Nomic";

/// The Powers of rules, as the Rulekeeper shows them (B75.1): those whose Power or precedence is not that of every other.
fn powers(state: &State<BNomic>) -> Document {
    if established(&state.rules, Thing::Precedence).is_err() {
        return Document::titled("powers", TITLE).para("No rule in force gives rules a Power.");
    }
    let usual = state.world.def(stats::POWER, stats::RULE).map(|def| registry::first(state, def));
    let is_usual = |rule: &Rule| {
        let says = ["overrides", "yields"].iter().any(|field| rule.field(field).is_some_and(|said| !said.is_empty()));
        !says && Some(Value::Num(power(rule, state))) == usual
    };
    let apart: Vec<&Rule> = state.rules.rules().into_iter().filter(|rule| !is_usual(rule)).collect();
    match usual {
        None => with_powers(state, &state.rules.rules()),
        Some(usual) if apart.is_empty() => {
            Document::titled("powers", TITLE).para(format!("Every rule: Power {usual}."))
        }
        Some(usual) => with_powers(state, &apart).para(format!("Every other rule: Power {usual}.")),
    }
}

fn with_powers(state: &State<BNomic>, rules: &[&Rule]) -> Document {
    let row = |rule: &&Rule| {
        let number = rule.number().to_string();
        let said = |field: &str| rule.field(field).unwrap_or_default().to_owned();
        cells![
            Cell::new(format!("{PREFIX}{number}")).completing(number.clone()).showing(format!("rule/{}", rule.id())),
            views::shown_title(rule.title()),
            Cell::new(power(rule, state).to_string()).from_path(Path::new(stats::object(rule), stats::POWER)),
            said("overrides"),
            said("yields"),
        ]
    };
    Document::titled("powers", TITLE).table(["rule", "", "Power", "overrides", "yields to"], rules.iter().map(row))
}
