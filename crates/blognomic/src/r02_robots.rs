//! Robots (rule 2): who applies and leaves, and what becomes of whoever joins, is Deactivated or is removed.
//!
//! When that happens, and who thanks whom, the law of the rule says. Who is a Robot to which rule stands in `roster`. A
//! Robot's belongings stand in `stats`.

use super::{
    game::{BlogNomic, D, public},
    law::Thing,
    roster::{self, Member, Standing, is_robot, put, stand, standing},
    stats::{self, ADMIN, LINK, ROBOT, ZONE},
};
use kernel::{Act, Event, Game, Id, Mechanic, Refusal, directives, display::Document, frame::Standing as Place};
use kit::{args::Join, seats};
use serde_json::json;

/// What leads to the person behind a Robot.
pub(super) const PERSONAL: &[&str] = &[LINK.id];

/// How a Robot says what its name links to, by the law of the rule.
pub(super) const LINKS: &str = "robot link https://example.org/blog";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let rule = Thing::Robots.word();
    Mechanic::new("robots")
        .table::<Member>()
        .act(Act::new("join", |Join { name }, d| apply(name, None, d)).by(rule).note("application"))
        .act(Act::new("register", |Register { name, link }, d| apply(Some(name), link, d)).by(rule).note("application"))
        .act(Act::new("zone", |Zone { zone }, d| self::zone(&zone, d)).note("application"))
        .act(Act::plain("leave", leave).note("declaration"))
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                forgotten(seat, d);
            }
        })
}

kit::args! {
    /// The arguments of `register`: the same, with the link of the roster.
    Register { name: String, link: Option<String> }

    /// The arguments of `zone` (N120).
    Zone { zone: String }
}

// ---- decide

/// The first Robot: whoever opens the room (N10), as Admin. The game's office is taken elsewhere.
///
/// # Errors
///
/// A [`Refusal`] where the opener's name is none.
pub(super) fn found(d: &mut D<'_>) -> Result<Id, Refusal> {
    let name = d.doer.name.clone();
    let robot = seats::take(d, ROBOT, &name, Place::Player)?;
    stand(d, &robot, Standing::Robot);
    d.set(&ADMIN, &robot, true);
    Ok(robot)
}

/// Somebody applies to the Admin Staff (N8). That alone gives nothing.
///
/// # Errors
///
/// A [`Refusal`] for Robots, and for a name or link that is none.
fn apply(name: Option<String>, link: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    if let Some(seat) = d.actor_seat().filter(|seat| is_robot(d, seat)) {
        return back(d, &seat, name, link);
    }
    let seat = seats::come(d, ROBOT, ROBOT, name, speakable, |d, seat, name| {
        speakable(d, name)?;
        let line = format!("robot apply {}", d.frame.name_of(&seat));
        seats::rename(d, seat, name, &line)
    })?;
    let again = matches!(standing(d, &seat), Some(Standing::Left | Standing::Returning));
    if let Some(link) = link {
        d.set(&LINK, &seat, link_text(&link)?);
    }
    let at = d.at;
    put(d, &seat, |member| {
        (member.since, member.standing) = (at, if again { Standing::Returning } else { Standing::Applicant });
    });
    BlogNomic::mechanics().happened(roster::APPLIED, &json!({ "by": seat }), d);
    Ok(Document::say("Your application is with the Admin Staff; you are a Robot once one of them has set you up."))
}

/// Whoever comes back after being forgotten is the Robot that it was, and calls it anew.
///
/// # Errors
///
/// A [`Refusal`] for every other Robot, and for a name or link that is none.
fn back(d: &mut D<'_>, seat: &Id, name: Option<String>, link: Option<String>) -> Result<Document, Refusal> {
    let Some(name) = name.filter(|_| d.frame.is_nameless(seat)) else {
        let (say, line) = match standing(d, seat) {
            Some(Standing::Deactivated) => ("you are a Deactivated Robot; ask to be Reactivated", roster::WAKE),
            _ if d.frame.is_nameless(seat) => ("you are a Robot already, and have no name of your own", "join NAME"),
            _ => ("you are a Robot already", "show robots"),
        };
        return Err(Refusal::new(say).by(Thing::Robots.rule(&d.rules)).instead(line));
    };
    let link = link.map(|link| link_text(&link)).transpose()?;
    speakable(d, &name)?;
    seats::call(d, seat.clone(), &name)?;
    if let Some(link) = link {
        d.set(&LINK, seat, link);
    }
    Ok(Document::say(format!("You are the Robot that you were, and are called {} now.", d.frame.name_of(seat))))
}

/// Refuses a name that Proposals have another meaning for, such as `every robot`.
fn speakable(d: &D<'_>, name: &str) -> Result<(), Refusal> {
    let name = name.trim();
    if laws::office_named(d, name).is_some() || directives::spoken_for::<BlogNomic>(d, name) {
        let say = format!("“{name}” means something else in what Proposals do, and nobody is called so");
        return Err(Refusal::new(say).by(Thing::Robots.rule(&d.rules)).instead("robot apply NAME LINK"));
    }
    Ok(())
}

/// What a name in the roster links to: a URL or an address for mail.
pub(super) fn link_text(link: &str) -> Result<String, Refusal> {
    let link = link.trim();
    let web = link.starts_with("https://") || link.starts_with("http://");
    let mail = !web && link.split_once('@').is_some_and(|(who, host)| !who.is_empty() && host.contains('.'));
    let plain = !link.chars().any(|char| char.is_whitespace() || char.is_control());
    if (web || mail) && plain && link.chars().count() <= stats::TEXT_MAX_CHARS {
        return Ok(link.to_owned());
    }
    Err(Refusal::new("a link is a URL that begins with https:// or http://, or an email address").instead(LINKS))
}

/// The link leads to a person, so it goes with them; everything else a Robot is stays as the rules have it.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    if !d.world.get(&LINK, seat).unwrap_or_default().is_empty() {
        d.set(&LINK, seat, String::new());
    }
}

/// A Robot says in which zone its weblog's days are (N120).
///
/// # Errors
///
/// A [`Refusal`] for strangers, and where there is no such zone.
fn zone(zone: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let seat = d.actor()?;
    d.set(&ZONE, &seat, zone_name(zone)?);
    Ok(Document::say(format!("The days of your weblog are those of {zone}.")))
}

/// The name of a zone, as the zone data have it.
///
/// # Errors
///
/// A [`Refusal`] where there is no such zone.
pub(super) fn zone_name(zone: &str) -> Result<String, Refusal> {
    match jiff::tz::TimeZone::get(zone) {
        Ok(_) => Ok(zone.to_owned()),
        Err(_) => Err(Refusal::new("there is no time zone of that name").instead("robot zone Europe/London")),
    }
}

/// Makes a Robot of an applicant, who begins with the Power of the richest or has eir own again (N9, N60, N61), or of
/// whoever is Deactivated (N17).
///
/// # Errors
///
/// A [`Refusal`] for Robots, and for whoever did not apply.
pub(super) fn admit(who: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    let name = d.frame.name_of(who).to_owned();
    match standing(d, who) {
        Some(Standing::Applicant) => stats::begins(d, who),
        Some(Standing::Returning | Standing::Deactivated) => {}
        Some(Standing::Robot) => return Err(Refusal::new(format!("{name} is a Robot already")).instead("robots")),
        _ => return Err(Refusal::new(format!("{name} has not applied")).instead("robots")),
    }
    stand(d, who, Standing::Robot);
    roster::voted(d, who);
    seats::stand(d, who, Place::Player);
    Ok(())
}

/// Deactivates a Robot (N16).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current one.
pub(super) fn suspend(who: &Id, d: &mut D<'_>) -> Result<(), Refusal> {
    if !roster::is_current(d, who) {
        return Err(Refusal::new(format!("{} is no active Robot", d.frame.name_of(who))).instead("robots"));
    }
    stand(d, who, Standing::Deactivated);
    Ok(())
}

/// Takes a Robot off the roster: it keeps its Power for a return (N13, N61), or may come back as a new one (N110).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no Robot.
pub(super) fn dismiss(who: &Id, keeps: bool, d: &mut D<'_>) -> Result<(), Refusal> {
    if !is_robot(d, who) {
        return Err(Refusal::new(format!("{} is no Robot", d.frame.name_of(who))).instead("robots"));
    }
    if keeps {
        stand(d, who, Standing::Left);
        d.set(&ADMIN, who, false);
        seats::stand(d, who, Place::Outsider);
    } else {
        roster::remove(d, who);
    }
    Ok(())
}

/// A Robot leaves (N13). Its Power is kept, its Proposals stay.
///
/// # Errors
///
/// A [`Refusal`] for whoever is no Robot.
fn leave(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    public(d, "leave")?;
    if !is_robot(d, &me) {
        return Err(Refusal::new("you are no Robot").by(Thing::Robots.rule(&d.rules)).instead("show robots"));
    }
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} leaves the game."));
    dismiss(&me, true, d)?;
    Ok(Document::say("You left. Your Power is kept for the day on which you come back."))
}

/// Does to a Robot what something decided says, whatever it wished itself; in words.
///
/// # Errors
///
/// A [`Refusal`] where it is so already.
pub(super) fn decree(d: &mut D<'_>, who: &Id, rests: bool) -> Result<String, Refusal> {
    let (from, word) = if rests { (Standing::Robot, "Deactivated") } else { (Standing::Deactivated, "Reactivated") };
    let name = d.frame.name_of(who).to_owned();
    if standing(d, who) != Some(from) {
        return Err(Refusal::new(format!("{name} cannot be {word} now")).instead("show robots"));
    }
    if rests { suspend(who, d) } else { admit(who, d) }?;
    Ok(format!("{name} is {word}"))
}

/// Removes a Robot that something decided removes; in words. It may come back as a new one.
///
/// # Errors
///
/// A [`Refusal`] where it is no Robot.
pub(super) fn expel(d: &mut D<'_>, who: &Id) -> Result<String, Refusal> {
    dismiss(who, false, d)?;
    Ok(format!("{} is removed from the roster", d.frame.name_of(who)))
}
