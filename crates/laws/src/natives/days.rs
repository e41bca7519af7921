//! Days of the room's calendar: which day of the week a moment is in, and when that day ends.

use rhai::Engine;

use kernel::{rulebook::weekdays::day_name, time::next_midnight};

use super::{
    super::{fault::Given, run::on, values::Moment},
    look::looks,
};

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("weekday", |at: Moment| -> Given<String> {
        on(|lent| {
            looks(lent)?;
            Ok(day_name(at.0.to_zoned(lent.stage.zone()).weekday()).to_owned())
        })
    });
    engine.register_fn("midnight", |at: Moment| -> Given<Moment> {
        on(|lent| {
            looks(lent)?;
            Ok(Moment(next_midnight(at.0, &lent.stage.zone())))
        })
    });
}
