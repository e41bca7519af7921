//! How often an act was done in a period of the room's time: for limits, and for laws that ask.
//!
//! An act counts when it is performed. Only those are counted that a law limits or asks about.

use kernel::{Id, Refusal};

use super::{registry::Registry, stage::Stage, tables::Count};

/// A limit in words: `once an nday`, `3 a week`, `once an nweek for the office`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// How often.
    pub(crate) most: u32,
    /// In which period.
    pub(crate) unit: String,
    /// Whether all who do it share it.
    pub(crate) shared: bool,
}

impl Limit {
    /// Reads it; nothing where the words are none.
    pub(crate) fn read(words: &str) -> Option<Self> {
        let (words, shared) = match words.trim().strip_suffix("for the office") {
            Some(words) => (words, true),
            None => (words, false),
        };
        let mut parts = words.split_whitespace();
        let most = match parts.next()? {
            "once" => 1,
            "twice" => 2,
            number => number.parse().ok()?,
        };
        let unit = parts.find(|word| !matches!(*word, "a" | "an" | "times" | "per"))?.to_owned();
        parts.next().is_none().then_some(Self { most, unit, shared })
    }
}

/// Everybody together, in the place of a seat.
const ALL: &str = "*";

fn key(act: &str, by: Option<&Id>) -> String {
    format!("{act}/{}", by.map_or(ALL, |by| &**by))
}

/// The period of the room's time by the name of its unit: the number of the nday with that of its nweek, or the day in UTC.
pub(crate) fn period(stage: &dyn Stage, unit: &str) -> String {
    let clock = stage.clock();
    let read = |unit: &str| clock.iter().find(|(name, _)| *name == unit).map(|(_, number)| number.to_string());
    // What has a number within a larger unit comes again; a period does not.
    let within = |larger: &str| format!("{}/{}", read(larger).unwrap_or_default(), read(unit).unwrap_or_default());
    let since = |seconds: i64| stage.now().as_second().div_euclid(seconds).to_string();
    match unit {
        "hour" => since(3_600),
        "day" => since(86_400),
        // The day on which time is counted from was a Thursday.
        "week" => (stage.now().as_second() + 3 * 86_400).div_euclid(604_800).to_string(),
        "month" => within("year"),
        "nday" => within("nweek"),
        other => read(other).unwrap_or_else(|| since(86_400)),
    }
}

/// The periods of the clock on the wall. The game may count one of them in its own way, and has no instants of them.
pub(crate) const WALL: [&str; 4] = ["day", "rday", "week", "hour"];

/// The periods that are kept: those of the room's time, and those of the clock on the wall.
pub(crate) fn units(stage: &dyn Stage) -> Vec<String> {
    let own = stage.clock().into_iter().map(|(name, _)| name).filter(|name| !["date", "weekday"].contains(name));
    let all = own.chain(WALL);
    let mut units: Vec<String> = all.map(str::to_owned).collect();
    units.sort();
    units.dedup();
    units
}

/// How often an act was done in the present period; by one, or by all.
pub(crate) fn times(stage: &dyn Stage, act: &str, by: Option<&Id>, unit: &str) -> u32 {
    let period = period(stage, unit);
    let done = stage.done(&key(act, by));
    done.and_then(|done| done.per.get(unit).filter(|count| count.period == period).map(|count| count.count))
        .unwrap_or(0)
}

/// Counts an act that was performed, where a law limits it or asks about it.
pub(crate) fn count(stage: &mut dyn Stage, registry: &Registry, act: &str, by: Option<&Id>) {
    if !registry.counted.contains(act) {
        return;
    }
    let units = units(stage);
    for key in [Some(key(act, None)), by.map(|by| key(act, Some(by)))].into_iter().flatten() {
        let mut done = stage.done(&key).unwrap_or_default();
        for unit in &units {
            let period = period(stage, unit);
            let held = done.per.entry(unit.clone()).or_default();
            if held.period != period {
                *held = Count { period, count: 0 };
            }
            held.count += 1;
        }
        stage.set_done(&key, Some(done));
    }
}

/// Refuses an act that was done as often as it may be.
///
/// # Errors
///
/// How often that was.
pub(crate) fn within(stage: &dyn Stage, act: &str, by: Option<&Id>, words: &str) -> Result<(), Refusal> {
    let Some(Limit { most, unit, shared }) = Limit::read(words) else { return Ok(()) };
    let by = if shared { None } else { by };
    let count = times(stage, act, by, &unit);
    if count < most {
        return Ok(());
    }
    let who = if shared { "it was done" } else { "you did it" };
    Err(Refusal::new(format!("“{act}” is for {words}, and {who} {} in this {unit}", often(count))))
}

fn often(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::Limit;

    #[test]
    fn limits_are_read_as_they_are_spoken() {
        let limit = |words| Limit::read(words).map(|limit| (limit.most, limit.unit, limit.shared));
        assert_eq!(limit("once an nday"), Some((1, "nday".to_owned(), false)));
        assert_eq!(limit("3 times a week"), Some((3, "week".to_owned(), false)));
        assert_eq!(limit("once an nweek for the office"), Some((1, "nweek".to_owned(), true)));
        assert_eq!(limit("often"), None);
        assert_eq!(limit("once a blue moon"), None);
    }
}
