//! Players and outsiders (4E3, 4E4): requests to join, and forfeiting.
//!
//! An applicant becomes a Player once the midnights of the request are over, enough Players ratified it and too few
//! rejected it (B4.4). Midnights count, not hours. Each mechanic gives a new Player eir belongings.

mod names;
pub(super) mod players;
mod shown;
mod twins;

pub(super) use self::{
    names::{free, nameable},
    shown::coming,
    twins::are_twins,
};
use super::{
    activity,
    clock::hands,
    currency,
    emergency::crisis,
    figures::{JOIN_WAIT, JOIN_WINDOW, RATIFIERS, REJECTERS},
    game::{BNomic, D, public},
    happenings,
    intents::announced,
    law::{Thing, established},
    ministries::{self, posts::Post},
    registry, schedule,
    stats::{self, BEAST, NAME, OUTSIDER, PLAYER, called},
};
use kernel::{
    Act, Display, Event, Id, Mechanic, Refusal, State,
    display::{Document, Offer},
    frame::{FrameFact, Standing},
    world::Op,
};
use kit::{args::Join, seats};
use names::unreserved;
use players::{Founders, JOIN, Request, is_player, newcomer, player, players};
use shown::{show, show_requests};

/// Most founders: each is named in one line of a moderator.
const FOUNDERS_MAX_COUNT: usize = 50;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let join = Act::new(JOIN, |Join { name }, d| request(name, d)).by(Thing::Players.word()).public("join NAME");
    // No restrictions may be placed on when a Player may forfeit (B4.8).
    let leave = Act::plain("leave", forfeit).unstoppable(|state| established(&state.rules, Thing::Players).is_ok());
    let answered = |name, answer| {
        Act::new(name, move |Of { player }, d| self::answer(&player, answer, d))
            .by(Thing::Players.word())
            .player()
            .public("ratify NAME")
    };
    Mechanic::new("society")
        .table::<Founders>()
        .table::<Request>()
        .act(join)
        .act(leave)
        .act(answered("ratify", Answer::Ratify))
        .act(answered("reject", Answer::Reject))
        .display(Display::new("society", |state, _| Ok(show(state))).also("registrar").listed(3))
        .display(Display::new("requests", |state, _| Ok(show_requests(state))).listed(4))
        .settle(settle)
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                forgotten(seat, d);
            }
        })
}

kit::args! {
    /// The arguments of acts about a request: `ratify`, `reject` (B4.3).
    Of { player: Id }
}

// ---- state

// ---- decide

/// Makes a Player of a seat, with every attribute at its default (B4.6).
fn enrol(d: &mut D<'_>, seat: &Id) {
    stats::recast(d, seat, PLAYER);
    seats::stand(d, seat, Standing::Player);
    currency::endow(d, seat);
    activity::done::acted(d, seat);
    happenings::of_player(d, happenings::JOINED, seat);
}

/// The first Players: whoever opens the room, and the Beast (B4.10, B4.11).
///
/// # Errors
///
/// A [`Refusal`] where the opener's name is none.
pub(super) fn open(d: &mut D<'_>) -> Result<Id, Refusal> {
    d.op(Op::Create { obj: BEAST.into(), kind: PLAYER.into() });
    d.set(&NAME, &BEAST.into(), "The Operantly Conditioned Beast".to_owned());
    currency::endow(d, &BEAST.into());
    let name = d.doer.name.clone();
    let seat = seats::take(d, PLAYER, &name, Standing::Player)?;
    enrol(d, &seat);
    Ok(seat)
}

/// The moderator names the founders: whoever asks to join under one of these names is a Player at once (B4.11).
///
/// # Errors
///
/// A [`Refusal`] for more than a room begins with, and for a name that is none or belongs to somebody.
pub(super) fn found(names: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let to: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    if to.len() > FOUNDERS_MAX_COUNT {
        return Err(Refusal::new(format!("a room begins with at most {FOUNDERS_MAX_COUNT} founders")));
    }
    for (place, name) in to.iter().enumerate() {
        if let Err(why) = kernel::names::normalise(name) {
            return Err(Refusal::new(format!("the founder “{name}” cannot come under that name: {why}")));
        }
        unreserved(d, name)?;
        seats::free(d, name)?;
        if to[..place].iter().any(|before| kernel::names::confusable(before, name)) {
            return Err(Refusal::new(format!("the founder {name} is named twice")));
        }
    }
    d.upsert(&(), |founders: &mut Founders| founders.names = to);
    Ok(())
}

/// The founders who are still to come.
pub(super) fn founders(state: &State<BNomic>) -> &[String] {
    state.rows::<Founders>().get(&()).map_or(&[], |founders| &founders.names)
}

/// Makes a Player of a founder who comes; whether it is one (B4.11).
fn arrives(d: &mut D<'_>, seat: &Id) -> bool {
    let name = called(d, seat);
    let to: Vec<String> = founders(d).iter().filter(|founder| !founder.eq_ignore_ascii_case(&name)).cloned().collect();
    if to == founders(d) {
        return false;
    }
    d.upsert(&(), |founders: &mut Founders| founders.names = to);
    enrol(d, seat);
    d.tell_all(format!("{name} is a Player now, as a founder whom the moderator named."));
    true
}

/// A name as it stands in a line that can be typed, whatever words are in it.
fn typed(name: &str) -> String {
    if name.chars().all(char::is_alphanumeric) { name.to_owned() } else { format!("\"{name}\"") }
}

/// A moderator makes a Player of somebody who asked, outside the rules: the first ones have nobody to ratify them
/// (B4.11).
///
/// # Errors
///
/// A [`Refusal`] where nobody of that name asked.
pub(super) fn seat_by_hand(d: &mut D<'_>, seat: &Id) -> Result<(), Refusal> {
    if !d.rows::<Request>().contains_key(seat) {
        return Err(Refusal::new(format!("{} did not ask to join", called(d, seat))).instead("show requests"));
    }
    welcome(d, seat, "by a moderator, outside the rules");
    Ok(())
}

/// A moderator makes an Outsider of a Player, outside the rules: where becoming one cannot be taken back any more.
///
/// # Errors
///
/// As [`expel`].
pub(super) fn unseat_by_hand(d: &mut D<'_>, seat: &Id) -> Result<(), Refusal> {
    expel(d, seat)?;
    let name = called(d, seat);
    d.tell_all(format!("{name} is no Player any more, by a moderator, outside the rules."));
    Ok(())
}

/// A change that was voted for makes a Player: of an Outsider at once, of anybody else under that name who comes (B15.27,
/// B0.10). Says which.
///
/// # Errors
///
/// A [`Refusal`] for whoever is one, and for a name that nobody can have.
pub(super) fn seat_by_change(d: &mut D<'_>, name: &str) -> Result<String, Refusal> {
    let is = |seat: &&Id| kernel::names::confusable(d.frame.name_of(seat), name);
    let seat = d.frame.seats.keys().find(is).cloned();
    match seat {
        Some(seat) if is_player(d, &seat) => Err(Refusal::new(format!("{name} is a Player already"))
            .by(Thing::Players.rule(&d.rules))
            .instead("show society")),
        Some(seat) => {
            d.delete::<Request>(&seat);
            enrol(d, &seat);
            Ok(format!("{name} is a Player now"))
        }
        None => {
            unreserved(d, name)?;
            seats::free(d, name)?;
            let to: Vec<String> = founders(d).iter().cloned().chain([name.to_owned()]).collect();
            if to.len() > FOUNDERS_MAX_COUNT {
                return Err(Refusal::new(format!(
                    "at most {FOUNDERS_MAX_COUNT} names wait for whoever comes under them"
                )));
            }
            d.upsert(&(), |founders: &mut Founders| founders.names = to);
            Ok(format!("{name} is a Player as soon as somebody joins under that name"))
        }
    }
}

/// A change that was voted for ends somebody's being a Player, as forfeiting does (B15.27, B0.10).
///
/// # Errors
///
/// A [`Refusal`] for the Beast, which stays one whatever is said (B4.10).
pub(super) fn expel(d: &mut D<'_>, player: &Id) -> Result<(), Refusal> {
    if **player == *BEAST {
        return Err(Refusal::new("the Beast is a Player whatever else is said").by(Thing::Players.rule(&d.rules)));
    }
    leaves(d, player);
    schedule::left(d, player);
    Ok(())
}

/// Somebody is no Player any more.
fn leaves(d: &mut D<'_>, me: &Id) {
    ministries::vacate(d, me);
    announced::left(d, me);
    registry::unlink(d, me);
    stats::recast(d, me, OUTSIDER);
    seats::stand(d, me, Standing::Outsider);
    happenings::of_player(d, happenings::LEFT, me);
}

/// Somebody asks to become a Player (B4.2).
///
/// # Errors
///
/// A [`Refusal`] for Players, and for a name that is taken.
fn request(name: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Players.rule(&d.rules);
    let seat = match d.actor_seat() {
        Some(seat) if is_player(d, &seat) => {
            return Err(Refusal::new("you are a Player already").by(by).instead("show society"));
        }
        Some(seat) if d.rows::<Request>().contains_key(&seat) => {
            return Err(Refusal::new("you asked already, and Players may still answer; “⁅leave⁆” takes it back")
                .by(by)
                .instead("leave"));
        }
        Some(seat) => {
            let held = called(d, &seat);
            if let Some(other) = name.filter(|name| !name.trim().eq_ignore_ascii_case(&held)) {
                // Who is no Player asks under whatever name it wishes to be known by (B4.2).
                unreserved(d, &other)?;
                seats::call(d, seat.clone(), &other)?;
            }
            seat
        }
        None => newcomer(d, name)?,
    };
    if !crisis::lasts(d) && arrives(d, &seat) {
        return Ok(Document::say("You are a Player."));
    }
    let rdays = hands::rdays(d);
    d.put(&seat, Request { rdays, ratified: Vec::new(), rejected: Vec::new() });
    let name = called(d, &seat);
    let mut document = Document::say(format!("{name} asks to become a Player. Players ratify or reject that."));
    document.offers = vec![
        Offer::new("Ratify", format!("ratify {}", typed(&name)), d.seq),
        Offer::new("Reject", format!("reject {}", typed(&name)), d.seq),
    ];
    d.say(kernel::entry::Audience::Public, document);
    Ok(Document::say("Your request stands; you are a Player once enough Players have ratified it."))
}

/// How a Player answers a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// For it.
    Ratify,
    /// Against it.
    Reject,
}

/// A Player ratifies or rejects a request (B4.3 to B4.5).
///
/// # Errors
///
/// A [`Refusal`] where nobody of that name asked, and a second time.
fn answer(seat: &Id, answer: Answer, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let by = Thing::Players.rule(&d.rules);
    let Some(mut request) = d.rows::<Request>().get(seat).cloned() else {
        return Err(Refusal::new(format!("{} has no request open", called(d, seat))).by(by).instead("show requests"));
    };
    let (list, word) = match answer {
        Answer::Ratify => (&mut request.ratified, "ratifies"),
        Answer::Reject => (&mut request.rejected, "rejects"),
    };
    if list.contains(&me) {
        return Err(Refusal::new("you said so already").by(by).instead("show requests"));
    }
    list.push(me.clone());
    d.put(seat, request);
    let (mine, theirs) = (called(d, &me), called(d, seat));
    d.tell_all(format!("{mine} {word} the request of {theirs}."));
    admit(d, seat);
    Ok(Document::say(match d.rows::<Request>().contains_key(seat) && crisis::lasts(d) {
        true => "Noted. Nobody becomes a Player before the State of Emergency is over.",
        false => "Noted.",
    }))
}

/// Makes a Player of a request whose conditions hold (B4.4).
fn admit(d: &mut D<'_>, seat: &Id) {
    let Some(request) = d.rows::<Request>().get(seat) else { return };
    let need = |key| d.rules.need_count(key).ok();
    let (Some(wait), Some(ratifiers), Some(rejecters)) = (need(&JOIN_WAIT), need(&RATIFIERS), need(&REJECTERS)) else {
        return;
    };
    // An answer was completed when it was given, and stays, whoever gave it (B4.5, B21.6).
    let over = hands::rdays(d).saturating_sub(request.rdays) >= wait;
    // Joining stands still in an emergency (BX8); what was answered counts once it is over.
    if over
        && !crisis::lasts(d)
        && request.ratified.len() as u64 >= ratifiers
        && (request.rejected.len() as u64) < rejecters
    {
        welcome(d, seat, "ratified");
    }
}

/// Makes Players of those whose conditions came to hold by something else than an answer or a midnight (B4.4).
fn settle(d: &mut D<'_>) -> bool {
    if established(&d.rules, Thing::Players).is_err() {
        return false;
    }
    let seats: Vec<Id> = d.rows::<Request>().keys().cloned().collect();
    for seat in &seats {
        // A founder who came in an emergency.
        if !crisis::lasts(d) && arrives(d, seat) {
            d.delete::<Request>(seat);
        }
        admit(d, seat);
    }
    d.rows::<Request>().len() < seats.len() || rename(d)
}

/// Calls a Player's seat what the Player is called by now: everybody is named as displays show them.
fn rename(d: &mut D<'_>) -> bool {
    let renamed = players(d).find_map(|player| {
        let seat = d.frame.seats.get(player)?;
        let name = d.world.get(&NAME, player).filter(|name| !name.is_empty() && *name != seat.name)?;
        Some(FrameFact::Named { seat: player.clone(), name, was: seat.name.clone() })
    });
    match renamed {
        Some(fact) => d.frame_fact(fact),
        None => return false,
    }
    true
}

fn welcome(d: &mut D<'_>, seat: &Id, how: &str) {
    d.delete::<Request>(seat);
    enrol(d, seat);
    let name = called(d, seat);
    d.tell_all(format!("{name} is a Player now, {how}."));
}

/// A Player forfeits: at any time, whatever else is going on (B4.8, B4.9).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no Player, and outside public forums while there is one.
fn forfeit(d: &mut D<'_>) -> Result<Document, Refusal> {
    let Some(me) = d.actor_seat() else { return Err(Refusal::new("you have no seat here").instead("join NAME")) };
    if d.delete::<Request>(&me).is_some() {
        let name = called(d, &me);
        d.tell_all(format!("{name} no longer asks to become a Player."));
        return Ok(Document::say("You no longer ask to join."));
    }
    let me = player(d)?;
    let name = called(d, &me);
    if d.frame.designated(kernel::frame::Designation::Public).next().is_some() {
        public(d, "leave")?;
    } else if let Some(registrar) = ministries::holders(d, Post::Society).pop() {
        // Without a Public Forum it is for the Player last known as Registrar to know (B4.8).
        d.tell(&registrar, Document::say(format!("{name} forfeits and is no Player any more.")));
    }
    d.tell_all(format!("{name} forfeits and is no Player any more."));
    leaves(d, &me);
    schedule::left(d, &me);
    Ok(Document::say("You are no Player any more."))
}

/// Whoever asked to be forgotten leaves the game as one does who forfeits, and no longer asks to come in.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    d.delete::<Request>(seat);
    if is_player(d, seat) {
        let name = called(d, seat);
        d.tell_all(format!("{name} is no Player any more."));
        leaves(d, seat);
    }
    schedule::left(d, seat);
}

// ---- due

/// A midnight passed: requests are over, or come true (B4.4, B4.5).
pub(super) fn midnight(d: &mut D<'_>) {
    if established(&d.rules, Thing::Players).is_err() {
        return;
    }
    let seats: Vec<Id> = d.rows::<Request>().keys().cloned().collect();
    for seat in seats {
        admit(d, &seat);
        let window = d.rules.need_count(&JOIN_WINDOW).ok();
        let rdays = hands::rdays(d);
        let over = |request: &Request| window.is_some_and(|window| rdays.saturating_sub(request.rdays) >= window);
        let Some(request) = d.rows::<Request>().get(&seat).filter(|request| over(request)) else { continue };
        let barred = d.rules.need_count(&REJECTERS).is_ok_and(|bar| request.rejected.len() as u64 >= bar);
        let why = if barred { "too many Players rejected it" } else { "too few Players ratified it in time" };
        d.delete::<Request>(&seat);
        let name = called(d, &seat);
        d.tell_all(format!("The request of {name} is void: {why}."));
    }
}
