//! Days of the week, as a marked place of a rule names them: `Monday`, `Fridays and Mondays`.
//!
//! All words of the place are such days, or it is none. What rules hold them is declared in `keys`.

use std::ops::Range;

use jiff::civil::Weekday;

/// Days of a week.
const WEEK_DAYS: usize = 7;

/// The days of a week, with Monday first.
fn week() -> impl Iterator<Item = Weekday> {
    Weekday::Monday.cycle_forward().take(WEEK_DAYS)
}

/// The name of a day.
pub const fn day_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

/// The days that a text names, in their order of a week.
///
/// # Errors
///
/// Why it names none, or something else, as a clause that begins with "it".
pub fn weekdays(text: &str) -> Result<Vec<Weekday>, String> {
    let mut found = Vec::new();
    for word in text.split([',', ' ', '\n']).filter(|word| !word.is_empty() && *word != "and") {
        found.push(weekday(word).ok_or_else(|| format!("it names “{word}”, which is no day of the week"))?);
    }
    match found.is_empty() {
        true => Err("it names no day of the week".to_owned()),
        false => Ok(week().filter(|day| found.contains(day)).collect()),
    }
}

/// Where a text names a day.
pub(super) fn places(text: &str) -> Vec<Range<usize>> {
    let mut from = 0;
    let words = text.split_inclusive(|char: char| !char.is_alphanumeric()).map(|piece| {
        let at = from;
        from += piece.len();
        at..at + piece.trim_end_matches(|char: char| !char.is_alphanumeric()).len()
    });
    words.filter(|at| weekday(&text[at.clone()]).is_some()).collect()
}

/// The whole list of days in which a place of a text stands: of “Monday” in “Monday and Tuesday” both.
pub(super) fn list_around(text: &str, place: Range<usize>) -> Range<usize> {
    let joins =
        |between: &str| !between.is_empty() && between.split([',', ' ', '\n']).all(|word| matches!(word, "" | "and"));
    let days = places(text);
    let (mut from, mut to) = (place.start, place.end);
    for day in days.iter().filter(|day| day.start >= place.end) {
        if joins(&text[to..day.start]) {
            to = day.end;
        }
    }
    for day in days.iter().rev().filter(|day| day.end <= place.start) {
        if joins(&text[day.end..from]) {
            from = day.start;
        }
    }
    from..to
}

/// The day that a word is, in the singular or the plural, whatever its case.
fn weekday(word: &str) -> Option<Weekday> {
    let one = word.strip_suffix(['s', 'S']).unwrap_or(word);
    week().find(|day| day_name(*day).eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_days_goes_on_as_far_as_days_do() {
        for (text, place, whole) in [
            ("each Monday, it", "Monday", "Monday"),
            ("each Monday and Tuesday, it", "Monday", "Monday and Tuesday"),
            ("on Fridays, Mondays\nand Tuesdays", "Mondays", "Fridays, Mondays\nand Tuesdays"),
            ("a Monday or a Friday", "Monday", "Monday"),
            ("Monday. Tuesday", "Monday", "Monday"),
        ] {
            let at = text.find(place).unwrap();
            assert_eq!(&text[list_around(text, at..at + place.len())], whole, "{text}");
        }
    }

    #[test]
    fn days_are_named_and_nothing_else() {
        use Weekday::{Friday, Monday, Thursday};
        for (text, days) in [
            ("Monday", Ok(vec![Monday])),
            ("Fridays and Mondays", Ok(vec![Monday, Friday])),
            ("FRIDAY, Thursday,\nand Monday", Ok(vec![Monday, Thursday, Friday])),
            ("hour", Err("it names “hour”, which is no day of the week")),
            ("Monday or Friday", Err("it names “or”, which is no day of the week")),
            ("Mondayish", Err("it names “Mondayish”, which is no day of the week")),
            ("and", Err("it names no day of the week")),
            ("", Err("it names no day of the week")),
        ] {
            assert_eq!(weekdays(text), days.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn days_stand_as_words_of_their_own() {
        let text = "At some point each Monday, or on “Fridays”; never on Sundayish days";
        let found: Vec<&str> = places(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["Monday", "Fridays"]);
    }
}
