//! Power (rule 9): gifts of it, and Power for entries in one's own weblog.
//!
//! Absent: what costs or pays Power in other rules; each stands with its mechanic.

use imbl::{OrdMap, OrdSet};
use serde::{Deserialize, Serialize};

use super::{
    BlogNomic, D, Id, Instant, Refusal,
    display::Document,
    emit,
    figures::{POWER_FLOOR, WEBLOG_AWARD, WEBLOG_CLAIM_HOURS},
    glossary::{self, HOUR_SECONDS},
    law::{Thing, established},
    public, roster,
    stats::{self, LINK, POWER, gain},
};
use crate::kernel::{
    Num,
    time::{minute, seconds_after},
};

/// Days of entries that are kept for each Robot, the latest: as long as anybody could claim one.
const DAYS_MAX_COUNT: usize = 1000;

// ---- state

/// The days for whose first entry each Robot has claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Entries {
    claimed: OrdMap<Id, OrdSet<String>>,
}

// ---- facts

/// What happens to claims for entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A Robot claimed for a day, or that was taken back.
    Claimed {
        /// Who.
        robot: Id,
        /// The day of the entry, in the zone of the weblog.
        day: String,
        /// Whether it stands.
        stands: bool,
    },
}

// ---- decide

/// A Robot gives Power to another (N62, N63).
///
/// # Errors
///
/// A [`Refusal`] for amounts that are none, for oneself, a Deactivated Robot, and for more than there is.
pub(super) fn give(to: &Id, amount: &Num, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Power)?;
    let me = roster::robot(d)?;
    public(d, "power give 20 NAME")?;
    let rule = Thing::Power.rule(&d.rules);
    let to = roster::other(d, to, Some(&me))?;
    if !amount.is_whole() || amount.is_negative() || amount.is_zero() {
        return Err(Refusal::new("Power is given in whole units, at least 1").by(rule).instead("power give 20 NAME"));
    }
    let (held, floor) = (stats::power(d, &me), d.rules.need(&POWER_FLOOR)?);
    let left = &held - amount;
    if held <= Num::default() || left < floor || left.is_negative() {
        return Err(Refusal::new(format!("you have {held} Power, and a gift must leave at least {floor}"))
            .by(rule)
            .instead("power give 1 NAME"));
    }
    d.add(&POWER, &me, -amount);
    d.add(&POWER, &to, amount.clone());
    let (from, name) = (d.frame.name_of(&me).to_owned(), d.frame.name_of(&to).to_owned());
    d.tell_all(format!("{from} gives {amount} Power to {name}."));
    Ok(Document::say(format!("You have {left} Power left.")))
}

/// A Robot awards itself Power for the first entry of a day in its weblog (N64). The bot takes its word and the link.
///
/// # Errors
///
/// A [`Refusal`] without a weblog, too late, and a second time for a day.
pub(super) fn entry(link: &str, posted: Instant, d: &mut D<'_>) -> Result<Document, Refusal> {
    established(&d.rules, Thing::Power)?;
    let me = roster::robot(d)?;
    public(d, "power entry LINK 2026-11-02 21:30")?;
    let rule = Thing::Power.rule(&d.rules);
    let (award, hours) = (d.rules.need(&WEBLOG_AWARD)?, d.rules.need_count(&WEBLOG_CLAIM_HOURS)?);
    let weblog = d.world.get(&LINK, &me).unwrap_or_default();
    let Some((_, address)) = weblog.split_once("://") else {
        return Err(Refusal::new("your name in the roster links to no weblog")
            .by(Thing::Glossary.rule(&d.rules))
            .instead("robot link https://example.org/blog"));
    };
    let host = |text: &str| text.split('/').next().unwrap_or_default().to_lowercase();
    if link.split_once("://").is_none_or(|(_, entry)| host(entry) != host(address)) {
        return Err(Refusal::new(format!("an entry in your weblog stands on {}", host(address)))
            .by(rule)
            .instead("robots"));
    }
    if posted > d.at {
        return Err(
            Refusal::new(format!("{} has not come yet", minute(posted))).instead("power entry LINK 2026-11-02 21:30")
        );
    }
    let hours = i64::try_from(hours).unwrap_or(i64::MAX);
    if d.at > seconds_after(posted, hours.saturating_mul(HOUR_SECONDS)) {
        return Err(Refusal::new(format!("an entry is claimed within {hours} hours of posting it")).by(rule));
    }
    let day = posted.to_zoned(glossary::weblog_zone(d, &me)).date().to_string();
    if d.game.entries.claimed.get(&me).is_some_and(|days| days.contains(&day)) {
        return Err(
            Refusal::new(format!("you have claimed for {day} already, and only its first entry counts")).by(rule)
        );
    }
    gain(d, &me, award.clone());
    emit(d, Fact::Claimed { robot: me.clone(), day: day.clone(), stands: true });
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} claims {award} Power for the first entry of {day}: {link}"));
    Ok(Document::say(format!("You gain {award} Power.")))
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BlogNomic, fact: &Fact) {
    let Fact::Claimed { robot, day, stands } = fact;
    let days = game.entries.claimed.entry(robot.clone()).or_default();
    if *stands {
        days.insert(day.clone());
        while days.len() > DAYS_MAX_COUNT {
            days.remove_min();
        }
    } else {
        days.remove(day);
    }
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    let Fact::Claimed { robot, day, stands } = fact.clone();
    Fact::Claimed { robot, day, stands: !stands }
}
