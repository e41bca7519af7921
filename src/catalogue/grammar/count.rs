//! How often something is done, as it is said before or behind it.

use super::{MESSAGE_MAX_ACTIONS, Problem, Reader, Times, VALUE_MAX_WORDS, folded, without_stops};
use crate::kernel::Num;

/// `3 times`, `twice`, `A Few times`: how often, if that is what comes next. Nothing but a whole number from 1 up is a
/// number of times (4E7, B7.5); what a name stands for only a room knows.
pub(super) fn times(reader: &mut Reader<'_>) -> Result<Option<Times>, Problem> {
    let mut ahead = *reader;
    let Some(text) = ahead.bare() else { return Ok(None) };
    let word = folded(without_stops(&text));
    let once = match word.as_str() {
        "once" => Some(1),
        "twice" => Some(2),
        "thrice" => Some(3),
        _ => None,
    };
    if once.is_some() {
        *reader = ahead;
        return Ok(once.map(Times::Count));
    }
    if matches!(&*word, "a" | "an") {
        return Ok(named_times(reader));
    }
    let Ok(number) = word.parse::<Num>() else { return Ok(None) };
    if ahead.bare().is_none_or(|text| folded(without_stops(&text)) != "times") {
        return Ok(None);
    }
    *reader = ahead;
    let times = number.to_u64().and_then(|times| u32::try_from(times).ok());
    let times = times.filter(|times| (1..=MESSAGE_MAX_ACTIONS).contains(times));
    times.map(|times| Some(Times::Count(times))).ok_or(Problem::Times { max: MESSAGE_MAX_ACTIONS })
}

/// `A Metric Bunch times`: names of numbers begin with their article.
fn named_times(reader: &mut Reader<'_>) -> Option<Times> {
    let mut ahead = *reader;
    let mut name = Vec::new();
    while name.len() <= VALUE_MAX_WORDS {
        let word = ahead.bare()?;
        if name.len() > 1 && folded(without_stops(&word)) == "times" {
            *reader = ahead;
            return Some(Times::Named(name.join(" ")));
        }
        name.push(word);
    }
    None
}
