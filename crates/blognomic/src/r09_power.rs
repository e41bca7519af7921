//! Power (rule 9): what a newcomer begins with, gifts of it, and Power for entries in one's own weblog.
//!
//! Costs and payments of other rules stand with their mechanics.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::{
    figures::{POWER_FLOOR, WEBLOG_AWARD, WEBLOG_CLAIM_HOURS},
    game::{BlogNomic, D},
    glossary::{self, HOUR_SECONDS},
    law::Thing,
    roster,
    stats::{self, FIGURE_MAX_COUNT, LINK, POWER, gain},
};
use kernel::{
    Act, Id, Instant, Mechanic, Num, Refusal, Seq, State,
    display::{Document, counted},
    table::Row,
    time::{minute, seconds_after},
};

/// Claims that are kept of each Robot, the latest: years of them, far more than anybody could still claim for.
const CLAIMS_MAX_COUNT: usize = 1000;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let rule = Thing::Power.word();
    Mechanic::new("power")
        .table::<Claimed>()
        .act(
            Act::new("entry", |Entry { link, posted }, d| entry(&link, posted, d))
                .by(rule)
                .player()
                .public("power entry LINK 2026-11-02 21:30")
                .note("weblog entry"),
        )
        .act(
            Act::new("give", |Give { amount, to }, d| give(&to, &amount, d))
                .by(rule)
                .player()
                .public("power give 20 NAME")
                .note("gift"),
        )
}

kit::args! {
    /// The arguments of `entry` (N64).
    Entry { link: String, posted: Instant }

    /// The arguments of `give` (N63).
    Give { amount: Num, to: Id }
}

// ---- state

/// A claim for an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Claimed {
    /// The entry of the journal in which it was made.
    pub(super) seq: Seq,
    /// The address of the entry of the weblog, in the form in which two are compared.
    pub(super) link: String,
    /// When that was posted.
    pub(super) posted: Instant,
    /// In which zone the days of the weblog were then.
    pub(super) zone: String,
}

impl Row<BlogNomic> for Claimed {
    type Key = (Id, Seq);
    const TABLE: &'static str = "claims";
}

impl Claimed {
    /// Whether an instant is on the day of this entry, as days are in a zone or as they were when it was claimed for.
    /// So who changes the zone gets no second first entry (N120).
    fn shares_day(&self, posted: Instant, zone: &TimeZone) -> bool {
        let then = TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC);
        let day = |at: Instant, zone: &TimeZone| at.to_zoned(zone.clone()).date();
        [zone, &then].into_iter().any(|zone| day(posted, zone) == day(self.posted, zone))
            || day(posted, zone) == day(self.posted, &then)
    }
}

/// The claims of a Robot, in the order in which they were made.
fn claims<'a>(state: &'a State<BlogNomic>, robot: &Id) -> impl Iterator<Item = &'a Claimed> {
    let all = state.rows::<Claimed>().range((robot.clone(), Seq::MIN)..=(robot.clone(), Seq::MAX));
    all.map(|(_, claim)| claim)
}

/// Keeps a claim, and of those before it as many as are kept.
fn keep(d: &mut D<'_>, robot: &Id, claim: Claimed) {
    d.put(&(robot.clone(), claim.seq), claim);
    let beyond = claims(d, robot).count().saturating_sub(CLAIMS_MAX_COUNT);
    let gone: Vec<Seq> = claims(d, robot).take(beyond).map(|claim| claim.seq).collect();
    for seq in gone {
        d.delete::<Claimed>(&(robot.clone(), seq));
    }
}

// ---- decide

/// Gives a new Robot as much Power as the richest has, where a rule of Power stands (N60).
pub(super) fn begins(d: &mut D<'_>, who: &Id) {
    if d.rules.establishes(Thing::Power.word()).is_some() {
        let highest = roster::current(d).map(|robot| stats::power(d, robot)).max().unwrap_or_default();
        d.set(&POWER, who, highest);
    }
}

/// A Robot gives Power to another (N62, N63).
///
/// # Errors
///
/// A [`Refusal`] for amounts that are none, for oneself, a Deactivated Robot, and for more than there is.
fn give(to: &Id, amount: &Num, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let rule = Thing::Power.rule(&d.rules);
    let to = roster::other(d, to, Some(&me))?;
    if !amount.is_whole() || amount.is_negative() || amount.is_zero() {
        return Err(Refusal::new("Power is given in whole units, at least 1").by(rule).instead("power give 20 NAME"));
    }
    let (held, floor) = (stats::power(d, &me), d.rules.need(&POWER_FLOOR)?);
    let left = &held - amount;
    if held <= Num::default() || left < floor || left.is_negative() {
        let why = match floor.is_negative() {
            true => Refusal::new(format!("you have {held} Power, and no battery holds less than nothing"))
                .by(Thing::Tracker.rule(&d.rules)),
            false => Refusal::new(format!("you have {held} Power, and a gift must leave at least {floor}")).by(rule),
        };
        return Err(why.instead("power give 1 NAME"));
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
fn entry(link: &str, posted: Instant, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
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
    if claims(d, &me).any(|claim| claim.link == address) {
        return Err(Refusal::new("that entry was claimed for already").by(rule).instead("history"));
    }
    if claims(d, &me).any(|claim| claim.shares_day(posted, &zone)) {
        return Err(
            Refusal::new(format!("you have claimed for {day} already, and only its first entry counts")).by(rule)
        );
    }
    let name = zone.iana_name().unwrap_or("UTC").to_owned();
    let claim = Claimed { seq: d.seq, link: address, posted, zone: name };
    gain(d, &me, award.clone());
    keep(d, &me, claim);
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} claims {award} Power for the first entry of {day}: {link}"));
    Ok(Document::say(format!("You gain {award} Power.")))
}

/// An address in the form in which two are compared. One entry has no second address by a capital in its host, a slash
/// at its end or a mark inside it.
fn one_address(link: &str) -> String {
    let address = link.split_once("://").map_or(link, |(_, address)| address);
    let address = address.split('#').next().unwrap_or_default().trim_end_matches('/');
    match address.split_once('/') {
        Some((host, path)) => format!("{}/{path}", host.to_lowercase()),
        None => address.to_lowercase(),
    }
}

/// Lets a Robot claim again what was claimed in an entry whose effects are taken back (N59).
pub(super) fn give_back(d: &mut D<'_>, seq: u64) -> Option<(Id, Claimed)> {
    let key = d.rows::<Claimed>().keys().find(|(_, made)| *made == seq)?.clone();
    let claim = d.delete::<Claimed>(&key)?;
    Some((key.0, claim))
}

/// Makes a claim again that was taken back; whether nothing else has been claimed in its place.
pub(super) fn use_up(d: &mut D<'_>, robot: &Id, claim: &Claimed) -> bool {
    let zone = TimeZone::get(&claim.zone).unwrap_or(TimeZone::UTC);
    if claims(d, robot).any(|held| held.link == claim.link || held.shares_day(claim.posted, &zone)) {
        return false;
    }
    keep(d, robot, claim.clone());
    true
}
