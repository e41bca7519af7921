//! Robots (rule 2): who applies, joins, leaves, is Deactivated and Reactivated, and who is Admin Staff.
//!
//! Who is a Robot to which rule stands in `roster`. A Control Unit that leaves, or is Deactivated, leaves the office
//! vacant (N13). A Robot's belongings stand in `stats`.

use super::{
    alterations, dynasty,
    figures::{IDLE_WEEKS, NOMINATION_HOURS, NOMINATOR_AWARD, NOMINEE_AWARD, SETUP_AWARD},
    game::{BlogNomic, D, public, typed},
    glossary::HOUR_SECONDS,
    law::Thing,
    roster::{self, ADMIN_BY_RULE_2, Member, Standing, Wish, is_admin, is_robot, put, robot, stand, standing},
    stats::{self, ADMIN, LINK, ROBOT, ZONE, gain},
};
use kernel::{
    Act, Event, Id, Mechanic, Refusal, directives,
    display::{Document, counted},
    frame::Standing as Place,
    time::{between, seconds_after},
};
use kit::{args::Join, seats};

/// Seconds in a week of seven days, as a duration (N16).
const WEEK_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;

/// The ground of what a thanks gives.
const THANKS: &str = "naming whom to thank for coming";

/// What leads to the person behind a Robot.
pub(super) const PERSONAL: &[&str] = &[LINK.id];

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let rule = Thing::Robots.word();
    Mechanic::new("robots")
        .table::<Member>()
        .act(Act::new("join", |Join { name }, d| apply(name, None, d)).by(rule).note("application"))
        .act(Act::new("register", |Register { name, link }, d| apply(Some(name), link, d)).by(rule).note("application"))
        .act(Act::new("link", |Link { link }, d| self::link(&link, d)).note("application"))
        .act(Act::new("zone", |Zone { zone }, d| self::zone(&zone, d)).note("application"))
        .act(Act::plain("leave", leave).note("declaration"))
        .act(
            Act::new("thank", |Who { robot }, d| thank(&robot, d))
                .by(rule)
                .player()
                .public("robot thank NAME")
                .note(THANKS),
        )
        .act(Act::plain("ask_deactivate", |d| ask(Wish::Deactivation, d)).by(rule).note("declaration"))
        .act(Act::plain("ask_reactivate", |d| ask(Wish::Reactivation, d)).by(rule).note("declaration"))
        .act(
            Act::new("set_up", |Who { robot }, d| set_up(&robot, d))
                .by(rule)
                .office(ADMIN_BY_RULE_2)
                .public("admin set-up NAME")
                .note("set-up of a Robot"),
        )
        .act(
            Act::new("confer", |Who { robot }, d| confer(&robot, d))
                .by(rule)
                .office(ADMIN_BY_RULE_2)
                .public("admin confer NAME")
                .note("roster"),
        )
        .act(
            Act::new("deactivate", |Who { robot }, d| deactivate(&robot, d))
                .by(rule)
                .office(ADMIN_BY_RULE_2)
                .public("admin deactivate NAME")
                .note("roster"),
        )
        .act(
            Act::new("reactivate", |Who { robot }, d| reactivate(&robot, d))
                .by(rule)
                .office(ADMIN_BY_RULE_2)
                .public("admin reactivate NAME")
                .note("roster"),
        )
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                forgotten(seat, d);
            }
        })
}

kit::args! {
    /// The arguments of `register`: the same, with the link of the roster.
    Register { name: String, link: Option<String> }

    /// The arguments of `link` (N119).
    Link { link: String }

    /// The arguments of `zone` (N120).
    Zone { zone: String }

    /// The argument of what is done to or with one Robot: `thank` (N11), and what the Admin Staff do (N9, N12, N16, N17).
    Who { robot: Id }
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
    put(d, &robot, |member| member.may_nominate = false);
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
    let (name, link) = (d.frame.name_of(&seat).to_owned(), d.world.get(&LINK, &seat).unwrap_or_default());
    let link = if link.is_empty() { "no address yet".to_owned() } else { link };
    d.tell_all(format!(
        "{name} ({link}) applies to join BlogNomic. An Admin makes a Robot of {name} with “⁅admin set-up {}⁆”.",
        typed(&name)
    ));
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
            Some(Standing::Deactivated) => ("you are a Deactivated Robot; ask to be Reactivated", "robot wake"),
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
    if dynasty::is_office(name) || directives::spoken_for::<BlogNomic>(d, name) {
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
    Err(Refusal::new("a link is a URL that begins with https:// or http://, or an email address")
        .instead("robot link https://example.org/blog"))
}

/// The link leads to a person, so it goes with them; everything else a Robot is stays as the rules have it.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    if !d.world.get(&LINK, seat).unwrap_or_default().is_empty() {
        d.set(&LINK, seat, String::new());
    }
}

/// A Robot or applicant says what the name in the roster links to (N119).
///
/// # Errors
///
/// A [`Refusal`] for strangers, and where it is no link.
fn link(link: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let seat = d.actor()?;
    let link = link_text(link)?;
    d.set(&LINK, &seat, link.clone());
    Ok(Document::say(format!("Your name in the roster links to {link}.")))
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

/// An Admin puts an applicant on the roster (N9, N10, N60, N61).
///
/// # Errors
///
/// A [`Refusal`] for somebody who did not apply.
fn set_up(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let name = d.frame.name_of(who).to_owned();
    let fresh = match standing(d, who) {
        Some(Standing::Applicant) => true,
        Some(Standing::Returning) => false,
        Some(Standing::Robot | Standing::Deactivated) => {
            return Err(Refusal::new(format!("{name} is a Robot already")).instead("show robots"));
        }
        _ => {
            return Err(Refusal::new(format!("{name} has not applied"))
                .by(Thing::Robots.rule(&d.rules))
                .instead("show robots"));
        }
    };
    if fresh {
        stats::begins(d, who);
    }
    let at = d.at;
    stand(d, who, Standing::Robot);
    put(d, who, |member| {
        (member.joined, member.voted) = (at, at);
        member.may_nominate = member.may_nominate && fresh;
    });
    seats::stand(d, who, Place::Player);
    // Whoever comes back is no new Robot (N61).
    let award = d.rules.need(&SETUP_AWARD).ok().filter(|_| fresh);
    if let Some(award) = &award {
        gain(d, &admin, award.clone());
    }
    let power = stats::power(d, who);
    let paid = award.map(|award| format!(" {} gets {award} Power for the set-up.", d.frame.name_of(&admin)));
    d.tell_all(format!("{name} is a Robot, with {power} Power.{}", paid.unwrap_or_default()));
    Ok(Document::say(format!("{name} stands in the roster.")))
}

/// Lets a Robot thank again whose thanks is taken back (N59).
pub(super) fn give_back(d: &mut D<'_>, seq: u64) -> Option<Id> {
    let thanks = alterations::of(d, seq).find(|alteration| alteration.ground == THANKS);
    let robot = thanks.and_then(|thanks| thanks.by.clone())?;
    put(d, &robot, |member| member.may_nominate = true);
    Some(robot)
}

/// Uses a thanks up again that was given back; whether it was still there to be used.
pub(super) fn use_up(d: &mut D<'_>, robot: &Id) -> bool {
    let may = d.row::<Member>(robot).is_some_and(|member| member.may_nominate);
    put(d, robot, |member| member.may_nominate = false);
    may
}

/// A new Robot names whom it has to thank for coming (N11).
///
/// # Errors
///
/// A [`Refusal`] too late, a second time, and for oneself or a Deactivated Robot; such a try is not used up.
fn thank(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = robot(d)?;
    let rule = Thing::Robots.rule(&d.rules);
    let hours = i64::try_from(d.rules.need_count(&NOMINATION_HOURS)?).unwrap_or(i64::MAX);
    let (nominee, mine) = (d.rules.need(&NOMINEE_AWARD)?, d.rules.need(&NOMINATOR_AWARD)?);
    let member = d.row::<Member>(&me).expect("a current Robot has a row");
    if !member.may_nominate {
        return Err(Refusal::new("you may do this only once, and as a new Robot").by(rule));
    }
    if d.at > seconds_after(member.joined, hours.saturating_mul(HOUR_SECONDS)) {
        let ago = between(member.joined, d.at);
        return Err(
            Refusal::new(format!("you joined {ago} ago, and this can be done for {}", counted(hours, "hour"))).by(rule)
        );
    }
    let who = roster::other(d, who, Some(&me))?;
    put(d, &me, |member| member.may_nominate = false);
    gain(d, &who, nominee.clone());
    gain(d, &me, mine.clone());
    let (name, mine_name) = (d.frame.name_of(&who).to_owned(), d.frame.name_of(&me).to_owned());
    d.tell_all(format!(
        "{mine_name} names {name} as the one to thank for coming: {name} gains {nominee} Power, {mine_name} {mine}."
    ));
    Ok(Document::say(format!("You gain {mine} Power.")))
}

/// An Admin makes another Robot one of the Admin Staff (N12).
///
/// # Errors
///
/// A [`Refusal`] for whoever is one, and whoever is no Robot.
fn confer(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let name = d.frame.name_of(who).to_owned();
    if !is_robot(d, who) {
        return Err(Refusal::new(format!("{name} is no Robot")).instead("show robots"));
    }
    if is_admin(d, who) {
        return Err(Refusal::new(format!("{name} is Admin Staff already")).instead("show robots"));
    }
    d.set(&ADMIN, who, true);
    let by = d.frame.name_of(&admin).to_owned();
    d.tell_all(format!("{by} makes {name} one of the Admin Staff."));
    Ok(Document::say(format!("{name} is Admin Staff.")))
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
    stand(d, &me, Standing::Left);
    d.set(&ADMIN, &me, false);
    seats::stand(d, &me, Place::Outsider);
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} leaves the game."));
    dynasty::vacate(d, &me);
    Ok(Document::say("You left. Your Power is kept for the day on which you come back."))
}

/// A Robot asks the Admin Staff to be Deactivated or Reactivated (N16, N17).
///
/// # Errors
///
/// A [`Refusal`] for whoever is so already.
fn ask(wish: Wish, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let (standing, word) = match wish {
        Wish::Deactivation => (Standing::Robot, "Deactivated"),
        Wish::Reactivation => (Standing::Deactivated, "Reactivated"),
    };
    if self::standing(d, &me) != Some(standing) {
        let say = if wish == Wish::Deactivation { "you are no active Robot" } else { "you are not Deactivated" };
        return Err(Refusal::new(say).by(Thing::Robots.rule(&d.rules)).instead("show robots"));
    }
    put(d, &me, |member| member.asked = Some(wish));
    let name = d.frame.name_of(&me).to_owned();
    d.tell_all(format!("{name} asks the Admin Staff to be {word}."));
    Ok(Document::say(format!("The Admin Staff know that you want to be {word}.")))
}

/// An Admin Deactivates a Robot (N16): on its wish, for want of Power, or of votes.
///
/// # Errors
///
/// A [`Refusal`] where none of the three reasons holds.
fn deactivate(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let name = d.frame.name_of(who).to_owned();
    let Some(member) = d.row::<Member>(who).filter(|member| member.standing == Standing::Robot) else {
        return Err(Refusal::new(format!("{name} is no active Robot")).instead("show robots"));
    };
    let idle = d.rules.need_count(&IDLE_WEEKS).ok().and_then(|weeks| i64::try_from(weeks).ok());
    let idle = idle.filter(|weeks| d.at > seconds_after(member.voted, weeks.saturating_mul(WEEK_SECONDS)));
    let why = if member.asked == Some(Wish::Deactivation) {
        "as it asked".to_owned()
    } else if stats::power(d, who).is_zero() {
        "for it has no Power".to_owned()
    } else if idle.is_some() {
        format!("for its last vote was {} ago", between(member.voted, d.at))
    } else {
        let voted = between(member.voted, d.at);
        return Err(Refusal::new(format!(
            "{name} has Power, did not ask for it, and {voted} passed since its last vote, its joining or its Reactivation"
        ))
        .by(Thing::Robots.rule(&d.rules))
        .instead("show robots"));
    };
    stand(d, who, Standing::Deactivated);
    d.tell_all(format!("{name} is Deactivated, {why}."));
    dynasty::vacate(d, who);
    Ok(Document::say(format!("{name} is Deactivated.")))
}

/// An Admin Reactivates a Robot that asked for it (N17).
///
/// # Errors
///
/// A [`Refusal`] where it did not.
fn reactivate(who: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let name = d.frame.name_of(who).to_owned();
    let Some(member) = d.row::<Member>(who).filter(|member| member.standing == Standing::Deactivated) else {
        return Err(Refusal::new(format!("{name} is not Deactivated")).instead("show robots"));
    };
    if member.asked != Some(Wish::Reactivation) && d.actor_seat().as_ref() != Some(who) {
        return Err(Refusal::new(format!("{name} has not asked to be Reactivated")).by(Thing::Robots.rule(&d.rules)));
    }
    let at = d.at;
    stand(d, who, Standing::Robot);
    put(d, who, |member| member.voted = at);
    d.tell_all(format!("{name} is Reactivated."));
    Ok(Document::say(format!("{name} is active again.")))
}

/// Does to a Robot what something decided says, whatever it wished itself; in words.
///
/// # Errors
///
/// A [`Refusal`] where it is so already.
pub(super) fn decree(d: &mut D<'_>, who: &Id, wish: Wish) -> Result<String, Refusal> {
    let (from, to, word) = match wish {
        Wish::Deactivation => (Standing::Robot, Standing::Deactivated, "Deactivated"),
        Wish::Reactivation => (Standing::Deactivated, Standing::Robot, "Reactivated"),
    };
    let name = d.frame.name_of(who).to_owned();
    if standing(d, who) != Some(from) {
        return Err(Refusal::new(format!("{name} cannot be {word} now")).instead("show robots"));
    }
    stand(d, who, to);
    if wish == Wish::Deactivation {
        dynasty::vacate(d, who);
    } else {
        roster::voted(d, who);
    }
    Ok(format!("{name} is {word}"))
}

/// Removes a Robot that something decided removes; in words. It may come back as a new one.
///
/// # Errors
///
/// A [`Refusal`] where it is no Robot.
pub(super) fn expel(d: &mut D<'_>, who: &Id) -> Result<String, Refusal> {
    let name = d.frame.name_of(who).to_owned();
    if !is_robot(d, who) {
        return Err(Refusal::new(format!("{name} is no Robot")).instead("show robots"));
    }
    roster::remove(d, who);
    dynasty::vacate(d, who);
    Ok(format!("{name} is removed from the roster"))
}
