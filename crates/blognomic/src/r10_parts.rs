//! Spare Parts (rule 10): buying what was lost.
//!
//! No rule says when a part is lost: Proposals, Calls and updates of the GNDT do (N66).

use super::{
    figures::{PART_AI, PART_MEMORY, PART_MOTARY, PART_MOTHERBOARD, PART_SENSORY},
    game::{BlogNomic, D},
    holdings,
    law::Thing,
    roster,
    stats::{self, MISSING, POWER},
};
use kernel::{Act, Mechanic, Refusal, Value, display::Document, rulebook::LiveKey};

/// The parts, with the figures of their prices.
const PARTS: [(&str, &LiveKey); 5] = [
    ("AI", &PART_AI),
    ("Motherboard", &PART_MOTHERBOARD),
    ("Memory Unit", &PART_MEMORY),
    ("Motary Equipment", &PART_MOTARY),
    ("Sensory Equipment", &PART_SENSORY),
];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("parts").act(
        Act::new("buy", |Buy { part }, d| buy(&part.join(" "), d))
            .by(Thing::Parts.word())
            .player()
            .public("part buy Motherboard")
            .note("spare part"),
    )
}

kit::args! {
    /// The arguments of `buy` (N67).
    Buy {
        /// Which, in the words of its name.
        part: Vec<String>,
    }
}

// ---- names

/// The part that some words name: its name, or a beginning that no other has.
///
/// # Errors
///
/// A [`Refusal`] that lists the parts.
pub(super) fn find(words: &str) -> Result<(&'static str, &'static LiveKey), Refusal> {
    let wanted = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let mut like = PARTS.iter().filter(|(name, _)| !wanted.is_empty() && name.to_lowercase().starts_with(&wanted));
    match (like.next(), like.next()) {
        (Some(part), None) => Ok(*part),
        _ => Err(Refusal::new(format!("the parts of a Robot are {}", PARTS.map(|(name, _)| name).join(", ")))
            .instead("part buy Motherboard")),
    }
}

/// The parts that a list names, each once; `nothing` alone names none.
///
/// # Errors
///
/// A [`Refusal`] that lists the parts.
pub(super) fn lost(named: &[Value]) -> Result<Vec<Value>, Refusal> {
    let mut lost = Vec::new();
    for name in named.iter().map(ToString::to_string) {
        if named.len() == 1 && name.trim().eq_ignore_ascii_case("nothing") {
            continue;
        }
        let part = Value::Text(find(&name)?.0.to_owned());
        if !lost.contains(&part) {
            lost.push(part);
        }
    }
    Ok(lost)
}

// ---- decide

/// A Robot buys a replacement for a part that it lost (N62, N67, N68).
///
/// # Errors
///
/// A [`Refusal`] for a part that it has, and for want of Power.
fn buy(part: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let rule = Thing::Parts.rule(&d.rules);
    let (name, key) = find(part).map_err(|why| why.by(rule.clone()))?;
    let price = d.rules.need(key)?;
    let mut missing = d.world.get(&MISSING, &me).unwrap_or_default();
    let lost = |held: &Value| held.to_string().eq_ignore_ascii_case(name);
    if !missing.iter().any(lost) {
        return Err(Refusal::new(format!(
            "you have not lost your {name}, and only what is lost or broken is replaced"
        ))
        .by(rule)
        .instead("robots"));
    }
    let held = stats::power(d, &me);
    if held < price {
        return Err(Refusal::new(format!("the {name} costs {price} Power, and you have {held}"))
            .by(rule)
            .instead("robots"));
    }
    missing.retain(|held| !lost(held));
    d.add(&POWER, &me, -&price);
    d.set(&MISSING, &me, missing);
    holdings::price(d, &me, name, price.clone());
    let who = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{who} buys a new {name} for {price} Power."));
    Ok(Document::say(format!("You have {} Power left.", stats::power(d, &me))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_named_by_its_beginning() {
        assert_eq!(find("memory").unwrap().0, "Memory Unit");
        assert_eq!(find(" ai ").unwrap().0, "AI");
        for bad in ["", "mo", "wheel"] {
            assert!(find(bad).is_err(), "{bad}");
        }
    }
}
