//! Days of a calendar: in which day a moment is, which day of the week that is, and when it ends.

use jiff::tz::TimeZone;
use rhai::{Engine, ImmutableString};

use kernel::{
    Refusal,
    rulebook::weekdays::day_name,
    time::{between, next_midnight},
};

use super::{
    super::{
        fault::{Given, stopped},
        run::on,
        values::Moment,
    },
    look::looks,
};

/// The date of a moment in a zone.
fn date(at: Moment, zone: TimeZone) -> String {
    at.0.to_zoned(zone).date().to_string()
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("weekday", |at: Moment| -> Given<String> {
        on(|lent| {
            looks(lent)?;
            Ok(day_name(at.0.to_zoned(lent.stage.zone()).weekday()).to_owned())
        })
    });
    engine.register_fn("day", |at: Moment| -> Given<String> {
        on(|lent| {
            looks(lent)?;
            Ok(date(at, lent.stage.zone()))
        })
    });
    engine.register_fn("day", |at: Moment, zone: ImmutableString| -> Given<String> {
        let none = |_| Refusal::new(format!("there is no time zone “{zone}”: “UTC”, “Europe/London”"));
        TimeZone::get(&zone).map(|zone| date(at, zone)).map_err(|why| stopped(none(why).into()))
    });
    engine.register_fn("passed", |from: Moment, to: Moment| between(from.0, to.0));
    engine.register_fn("midnight", |at: Moment| -> Given<Moment> {
        on(|lent| {
            looks(lent)?;
            Ok(Moment(next_midnight(at.0, &lent.stage.zone())))
        })
    });
}
