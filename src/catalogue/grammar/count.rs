//! How often something is done, as it is said before or behind it.

use super::{MESSAGE_MAX_ACTIONS, Problem, Reader, Times, VALUE_MAX_WORDS, folded, without_stops};
use crate::kernel::Num;

/// Numbers from two on as they are written out.
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

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
    let written = NUMBERS.iter().position(|number| *number == word).and_then(|at| i64::try_from(at + 2).ok());
    let Some(number) = written.map(Num::from).or_else(|| word.parse::<Num>().ok()) else { return Ok(None) };
    if ahead.bare().is_none_or(|text| folded(without_stops(&text)) != "times") {
        return Ok(None);
    }
    *reader = ahead;
    let times = number.to_u64().and_then(|times| u32::try_from(times).ok());
    let times = times.filter(|times| (1..=MESSAGE_MAX_ACTIONS).contains(times));
    times.map(|times| Some(Times::Count(times))).ok_or(Problem::Times { max: MESSAGE_MAX_ACTIONS })
}

/// Whether a number comes next that is written out.
pub(super) fn is_written(mut reader: Reader<'_>) -> bool {
    reader.bare().is_some_and(|word| NUMBERS.contains(&&*folded(&word)))
}

/// Goes over words that say that something follows: `do the following`, `I will do this`.
pub(super) fn skip_following(reader: &mut Reader<'_>) -> bool {
    const BEFORE: [&str; 4] = ["i", "will", "hereby", "shall"];
    const WHAT: [&str; 7] = ["the", "following", "this", "these", "things", "actions", "action"];
    let mut word = plainly(*reader);
    while let Some((_, _, behind)) = word.as_ref().filter(|(said, colon, _)| BEFORE.contains(&&**said) && !colon) {
        word = plainly(*behind);
    }
    let Some((_, false, behind)) = word.filter(|(said, ..)| said == "do") else { return false };
    let (mut end, mut any) = (behind, false);
    while let Some((_, colon, behind)) = plainly(end).filter(|(said, ..)| WHAT.contains(&&**said)) {
        (end, any) = (behind, true);
        if colon {
            break;
        }
    }
    if any {
        *reader = end;
    }
    any
}

/// The next word, whether it ends in a colon, and what stands behind it.
fn plainly(mut reader: Reader<'_>) -> Option<(String, bool, Reader<'_>)> {
    let word = reader.bare()?;
    reader.skip_space(false);
    Some((folded(without_stops(&word)), word.ends_with([':', '\u{ff1a}']), reader))
}

/// `A Metric Bunch times`: names of numbers begin with their article.
fn named_times(reader: &mut Reader<'_>) -> Option<Times> {
    let mut ahead = *reader;
    let mut name: Vec<String> = Vec::new();
    while name.len() <= VALUE_MAX_WORDS {
        let word = ahead.bare()?;
        if name.len() > 1 && folded(without_stops(&word)) == "times" {
            *reader = ahead;
            // “A Handful of times”
            let _ = name.pop_if(|last| folded(last) == "of");
            return Some(Times::Named(name.join(" ")));
        }
        name.push(word);
    }
    None
}
