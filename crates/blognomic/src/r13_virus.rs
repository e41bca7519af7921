//! Virus! (rule 13): each Monday a random number in a random rule is halved or doubled.
//!
//! The rule says on which days of the week: a marked figure of it, `[Monday](#@virus-days)` (N83). The Control Unit may
//! let it loose at any time of such a day; where it did not, the bot does at the day's end. Every numeral that people
//! see in the body of a rule can be hit, the source of the Master Control Program included (N85). The rulebook decides
//! in one place what a numeral is.

use jiff::{ToSpan, civil::Weekday};
use num_bigint::BigInt;
use num_rational::BigRational;
use serde::{Deserialize, Serialize};

use super::{
    dynasty::{self, CONTROL_UNIT},
    figures::{VIRUS_DAYS, VIRUS_DIVISOR, VIRUS_FACTOR, VIRUS_PERCENT, VIRUS_ROUNDING},
    game::{BlogNomic, D},
    glossary,
    law::Thing,
    mcp::NUMBER_MAX_DIGITS,
    phases,
};
use kernel::{
    Act, Id, Instant, Mechanic, Num, Phase, Refusal, State,
    display::Document,
    entry::{Audience, Due},
    rulebook::{
        Rulebook, amend, diff,
        numeral::Form,
        weekdays::{day_name, weekdays},
    },
    table::Row,
};
use kit::law::rounded;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("virus")
        .table::<Virus>()
        .act(
            Act::plain("virus", let_loose)
                .by(Thing::Virus.word())
                .player()
                .office(CONTROL_UNIT)
                .public("cu virus")
                .note("virus"),
        )
        .phase(Phase::new(phases::VIRUS, next_due, |due, d| self::due(&due, d)).lapse(|due, d| lapse(&due, d)))
}

// ---- state

/// Which of its days are done: one row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Virus {
    /// The end of the last day that was seen to, or the room's opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Instant>,
    /// The day on which it was let loose last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) loose: Option<String>,
}

impl Row<BlogNomic> for Virus {
    type Key = ();
    const TABLE: &'static str = "virus";
}

/// Begins to count days when a room opens.
pub(super) fn open(d: &mut D<'_>) {
    seen(d, d.at);
}

/// Notes that its days up to an instant are done.
fn seen(d: &mut D<'_>, at: Instant) {
    d.upsert(&(), |virus: &mut Virus| virus.from = Some(at));
}

/// Whether it was let loose last on that day.
fn was_loose(d: &D<'_>, day: &str) -> bool {
    d.row::<Virus>(&()).is_some_and(|virus| virus.loose.as_deref() == Some(day))
}

// ---- decide

/// The Control Unit lets the virus loose (N83).
///
/// # Errors
///
/// A [`Refusal`] on other days, and a second time.
fn let_loose(d: &mut D<'_>) -> Result<Document, Refusal> {
    let rule = Thing::Virus.rule(&d.rules);
    let today = d.at.to_zoned(glossary::zone(d));
    d.rules.need_name(&VIRUS_DAYS)?;
    let (days, name) = (days(&d.rules), today.weekday());
    if !days.contains(&name) {
        let days: Vec<String> = days.into_iter().map(|day| format!("{}s", day_name(day))).collect();
        let (today, days) = (day_name(name), days.join(" and "));
        return Err(Refusal::new(format!("today is {today}, and the virus breaks out on {days}"))
            .by(rule)
            .instead("rule 13"));
    }
    let date = today.date().to_string();
    if was_loose(d, &date) {
        let day = day_name(name);
        return Err(Refusal::new(format!("the virus has broken out this {day} already")).by(rule).instead("history"));
    }
    break_out(d, date);
    Ok(Document::say("The virus broke out."))
}

/// The days of the week on which it breaks out, as the rules read now.
fn days(rules: &Rulebook) -> Vec<Weekday> {
    rules.live_name(&VIRUS_DAYS).ok().and_then(|days| weekdays(&days).ok()).unwrap_or_default()
}

/// Days in a week.
const DAYS_OF_WEEK: usize = 7;

/// Draws a rule, a number in it, and whether it is divided; then amends the rule (N84 to N89).
fn break_out(d: &mut D<'_>, day: String) {
    d.upsert(&(), |virus: &mut Virus| virus.loose = Some(day));
    let told = match infect(d) {
        Ok(document) => document,
        Err(why) => Document::say(format!("The virus breaks out and does nothing: {}.", why.say)),
    };
    d.say(Audience::Public, told);
}

fn infect(d: &mut D<'_>) -> Result<Document, Refusal> {
    // The old chance counts, also where the draw hits it (N134).
    let (percent, divisor, factor) =
        (d.rules.need(&VIRUS_PERCENT)?, d.rules.need(&VIRUS_DIVISOR)?, d.rules.need(&VIRUS_FACTOR)?);
    let rules: Vec<Id> = d.rules.rules().iter().map(|rule| rule.id().clone()).collect();
    let drawn = usize::try_from(d.draw("infected-rule", rules.len().max(1) as u64)).unwrap_or_default();
    let rule = rules.get(drawn).and_then(|id| d.rules.get(id)).cloned();
    let rule = rule.ok_or_else(|| Refusal::new("there is no rule"))?;
    let name = format!("rule {}, {}", rule.number(), rule.label());
    let mut numbers = rule.text().numerals(false);
    // What a law is made of are no words of the rule.
    let laws: Vec<_> = rule.text().fences().iter().filter(|fence| fence.info == laws::LAW).collect();
    numbers.retain(|numeral| {
        matches!(numeral.form, Form::Whole | Form::Decimal | Form::Fraction | Form::Mixed | Form::Percent)
            && laws.iter().all(|law| !law.at.contains(&numeral.at.start))
    });
    if numbers.is_empty() {
        return Err(Refusal::new(format!("it picks {name}, in which there is no number")));
    }
    let drawn = usize::try_from(d.draw("infected-number", numbers.len() as u64)).unwrap_or_default();
    let numeral = numbers.swap_remove(drawn);
    let divided = Num::from(i64::try_from(d.draw("infection", 100)).unwrap_or_default()) < percent;
    let shown = rule.text().visible()[numeral.at.clone()].to_owned();
    let to = if divided {
        let part = Num::from(numeral.value.as_rational() / divisor.as_rational());
        rounded(&d.rules, &VIRUS_ROUNDING, &part).as_rational().clone()
    } else {
        numeral.value.as_rational() * factor.as_rational()
    };
    let two = Num::from(2);
    let does = match divided {
        true if divisor == two => format!("halves {shown}"),
        true => format!("divides {shown} by {divisor}"),
        false if factor == two => format!("doubles {shown}"),
        false => format!("multiplies {shown} by {factor}"),
    };
    if to.to_integer().to_string().trim_start_matches('-').len() > NUMBER_MAX_DIGITS {
        return Err(Refusal::new(format!("it {does} in {name}, but a number has at most {NUMBER_MAX_DIGITS} digits")));
    }
    let written = written(&shown, &to);
    if written == shown {
        return Ok(Document::say(format!("The virus breaks out in {name}: it {does}, which stays {written}.")));
    }
    let edit = amend::replace_at(&rule, numeral.at, &written)?;
    d.rules.check(&edit.op)?;
    let block = diff::block(rule.text().visible(), edit.text.visible());
    let rules = d.rules.clone();
    d.rule(edit.op.because("the virus"));
    let mut document = Document::say(format!("The virus breaks out in {name}: it {does}, which becomes {written}."));
    document.blocks.extend(block);
    document.blocks.extend(kit::effects::figures(&rules, d, &edit.rebindings));
    Ok(document)
}

/// A number as it is written where another stood: with the sign that the old one showed.
fn written(before: &str, value: &BigRational) -> String {
    let text = if value.is_integer() { value.to_integer().to_string() } else { Num::from(value.clone()).to_string() };
    if before.starts_with('+') && *value > BigRational::from_integer(BigInt::from(0)) {
        format!("+{text}")
    } else {
        text
    }
}

// ---- due

/// The end of the next of its days after an instant, in the zone of BlogNomic.
fn day_end(state: &State<BlogNomic>, from: Instant) -> Option<Instant> {
    let (zone, days) = (glossary::zone(state), days(&state.rules));
    let mut day = from.to_zoned(zone.clone()).date();
    for _ in 0..=DAYS_OF_WEEK {
        let next = day.checked_add(1.day()).ok()?;
        if days.contains(&day.weekday()) {
            // A day ends with the first instant of the next one, whatever its length.
            let end = next.to_zoned(zone.clone()).ok()?.timestamp();
            if end > from {
                return Some(end);
            }
        }
        day = next;
    }
    None
}

/// The end of the next of its days.
fn next_due(state: &State<BlogNomic>) -> Option<Due> {
    let rule = state.rules.establishes(Thing::Virus.word()).and_then(|id| state.rules.get(id))?;
    // A day that was none of its days when it passed does not become one by an amendment after it.
    let amended = rule.revisions().last().map_or(state.at, |revision| revision.at);
    let at = day_end(state, state.row::<Virus>(&())?.from?.max(amended))?;
    Some(Due { at, rank: phases::VIRUS, key: "virus".into() })
}

/// One of its days has ended: where nobody let the virus loose, it breaks out by itself, if there is a Control Unit (N83).
fn due(due: &Due, d: &mut D<'_>) {
    lapse(due, d);
    let Ok(day_before) = due.at.to_zoned(glossary::zone(d)).date().checked_sub(1.day()) else { return };
    let day = day_before.to_string();
    if !was_loose(d, &day) && dynasty::control_unit(d).is_some() {
        break_out(d, day);
    }
}

/// Lets a day pass.
fn lapse(due: &Due, d: &mut D<'_>) {
    seen(d, due.at);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N86: signs belong to the number.
    #[test]
    fn n86_a_sign_is_kept() {
        let number = |value: i64| BigRational::from_integer(value.into());
        assert_eq!(written("+6", &number(12)), "+12");
        assert_eq!(written("-6", &number(-3)), "-3");
        assert_eq!(written("+1", &number(0)), "0");
    }
}
