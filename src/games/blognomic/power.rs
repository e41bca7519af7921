//! Power (rule 9): gifts of it, and Power for entries in one's own weblog.
//!
//! Absent: what costs or pays Power in other rules; each stands with its mechanic.

use imbl::{OrdMap, OrdSet, Vector};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::{
    BlogNomic, D, Id, Instant, Refusal,
    display::{Document, counted},
    emit,
    figures::{POWER_FLOOR, WEBLOG_AWARD, WEBLOG_CLAIM_HOURS},
    glossary::{self, HOUR_SECONDS},
    law::{Thing, established},
    public, roster,
    stats::{self, FIGURE_MAX_COUNT, LINK, POWER, gain},
    undoing::Given,
};
use crate::kernel::{
    Num,
    time::{minute, seconds_after},
};

/// Claims that are kept of each Robot, the latest: years of them, far more than anybody could still claim for.
const CLAIMS_MAX_COUNT: usize = 1000;

// ---- state

/// For which entries each Robot has claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub(super) struct Entries {
    /// The days of claims of which nothing else is known: they were made before links were kept.
    claimed: OrdMap<Id, OrdSet<String>>,
    /// The claims, in the order in which they were made.
    made: OrdMap<Id, Vector<Claimed>>,
}

/// What a snapshot holds: once it was the days alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Now { claimed: OrdMap<Id, OrdSet<String>>, made: OrdMap<Id, Vector<Claimed>> },
    Days(OrdMap<Id, OrdSet<String>>),
}

impl From<Stored> for Entries {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Now { claimed, made } => Self { claimed, made },
            Stored::Days(claimed) => Self { claimed, made: OrdMap::new() },
        }
    }
}

/// A claim for an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// The entry of the journal in which it was made.
    seq: u64,
    /// The address of the entry of the weblog, in the form in which two are compared.
    link: String,
    /// When that was posted.
    posted: Instant,
    /// In which zone the days of the weblog were then.
    zone: String,
}

impl Claimed {
    /// The day of the entry, as days were in the weblog's zone then.
    fn day(&self) -> String {
        let zone = TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC);
        self.posted.to_zoned(zone).date().to_string()
    }

    /// Whether an instant is on the day of this entry, as days are in a zone or as they were when it was claimed for: who
    /// changes the zone gets no second first entry (N120).
    fn shares_day(&self, posted: Instant, zone: &TimeZone) -> bool {
        let then = TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC);
        let day = |at: Instant, zone: &TimeZone| at.to_zoned(zone.clone()).date();
        [zone, &then].into_iter().any(|zone| day(posted, zone) == day(self.posted, zone))
            || day(posted, zone) == day(self.posted, &then)
    }
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
        /// What else is known of it; nothing in entries that are older than that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<Box<Claimed>>,
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
        let least = if floor.is_negative() { Num::default() } else { floor };
        return Err(Refusal::new(format!("you have {held} Power, and a gift must leave at least {least}"))
            .by(rule)
            .instead("power give 1 NAME"));
    }
    if !stats::countable(&(&stats::power(d, &to) + amount)) {
        let name = d.frame.name_of(&to);
        return Err(Refusal::new(format!(
            "the GNDT holds figures up to {FIGURE_MAX_COUNT}, and {name} would have more"
        ))
        .by(rule)
        .instead("robots"));
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
        return Err(
            Refusal::new(format!("an entry is claimed within {} of posting it", counted(hours, "hour"))).by(rule)
        );
    }
    let zone = glossary::weblog_zone(d, &me);
    let day = posted.to_zoned(zone.clone()).date().to_string();
    let address = one_address(link);
    let entries = &d.game.entries;
    let mut made = entries.made.get(&me).into_iter().flatten();
    if made.clone().any(|claim| claim.link == address) {
        return Err(Refusal::new("that entry was claimed for already").by(rule).instead("history"));
    }
    if made.any(|claim| claim.shares_day(posted, &zone))
        || entries.claimed.get(&me).is_some_and(|days| days.contains(&day))
    {
        return Err(
            Refusal::new(format!("you have claimed for {day} already, and only its first entry counts")).by(rule)
        );
    }
    let name = zone.iana_name().unwrap_or("UTC").to_owned();
    let claim = Claimed { seq: d.seq, link: address, posted, zone: name };
    gain(d, &me, award.clone());
    emit(d, Fact::Claimed { robot: me.clone(), day: day.clone(), stands: true, made: Some(Box::new(claim)) });
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} claims {award} Power for the first entry of {day}: {link}"));
    Ok(Document::say(format!("You gain {award} Power.")))
}

/// An address in the form in which two are compared: one entry has no second address by a capital in its host, a slash at
/// its end or a mark inside it.
fn one_address(link: &str) -> String {
    let address = link.split_once("://").map_or(link, |(_, address)| address);
    let address = address.split('#').next().unwrap_or_default().trim_end_matches('/');
    match address.split_once('/') {
        Some((host, path)) => format!("{}/{path}", host.to_lowercase()),
        None => address.to_lowercase(),
    }
}

/// Lets a Robot claim again what was claimed in an entry whose effects are taken back (N59).
pub(super) fn give_back(d: &mut D<'_>, seq: u64) -> Option<Given> {
    let mut all = d.game.entries.made.iter().flat_map(|(robot, made)| made.iter().map(move |claim| (robot, claim)));
    let found = all.find(|(_, claim)| claim.seq == seq).map(|(robot, claim)| (robot.clone(), claim.clone()));
    let (robot, claim) = found?;
    let given = Given::Entry { robot: robot.clone(), claim: Box::new(claim.clone()) };
    let day = claim.day();
    emit(d, Fact::Claimed { robot, day, stands: false, made: Some(Box::new(claim)) });
    Some(given)
}

/// Makes a claim again that was taken back; whether nothing else has been claimed in its place.
pub(super) fn use_up(d: &mut D<'_>, robot: &Id, claim: &Claimed) -> bool {
    let zone = TimeZone::get(&claim.zone).unwrap_or(TimeZone::UTC);
    let mut made = d.game.entries.made.get(robot).into_iter().flatten();
    if made.any(|held| held.link == claim.link || held.shares_day(claim.posted, &zone)) {
        return false;
    }
    let made = Some(Box::new(claim.clone()));
    emit(d, Fact::Claimed { robot: robot.clone(), day: claim.day(), stands: true, made });
    true
}

// ---- fold

/// Folds a fact. Total.
pub(super) fn fold(game: &mut BlogNomic, fact: &Fact) {
    let Fact::Claimed { robot, day, stands, made } = fact;
    if let Some(claim) = made {
        let claims = game.entries.made.entry(robot.clone()).or_default();
        if *stands {
            claims.push_back((**claim).clone());
            while claims.len() > CLAIMS_MAX_COUNT {
                claims.pop_front();
            }
        } else {
            claims.retain(|held| held != &**claim);
        }
        return;
    }
    let days = game.entries.claimed.entry(robot.clone()).or_default();
    if *stands {
        days.insert(day.clone());
        while days.len() > CLAIMS_MAX_COUNT {
            days.remove_min();
        }
    } else {
        days.remove(day);
    }
}

/// The fact that takes another back.
pub(super) fn inverse(fact: &Fact) -> Fact {
    let Fact::Claimed { robot, day, stands, made } = fact.clone();
    Fact::Claimed { robot, day, stands: !stands, made }
}
