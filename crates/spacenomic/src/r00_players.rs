//! Players, applicants and former players (S7 to S9): admitting, withdrawing, and the end by consent.
//!
//! Only a player adds a player, so that people from outside can but ask. The person who opens the room is seated by
//! that. The end by the clock stands in `end`.

use std::collections::BTreeMap;

use super::{
    activity, displays, end,
    figures::OPENING_MONEY,
    game::{D, Spacenomic, public},
    hosting,
    law::Thing,
    location,
    money::{decimal, is_long, mixed, short},
    moves::stir,
    roster::{Consent, Request, entity, is_player, missing, player, players},
    space,
    stats::{self, ACCOUNT, FORMER, LOCATION, MIRRORED, OUTSIDER, PLAYER, POINT, called},
};
use kernel::{
    Act, Asked, Display, Event, Id, Mechanic, Num, Path, Refusal, State,
    directives::syntax::unquote,
    display::{Block, Cell, Document, Offer, cells},
    entry::Audience,
    frame::Standing,
    names::confusable,
    time::minute,
};
use kit::{args::Join, seats};

/// Words that rules use as names: nobody is called so, nor as a rule is (S7).
const TAKEN: [&str; 2] = ["god", "nowhere"];

// ---- the mechanic

/// Players as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let by = Thing::Players.word();
    let of = |state: &State<Spacenomic>, asked: Asked<'_>| show_account(state, &asked.words());
    Mechanic::new("society")
        .table::<Request>()
        .table::<Consent>()
        .act(Act::new("join", |Join { name }, d: &mut D<'_>| request(name, d)).by(by).public("join NAME"))
        .act(Act::plain("leave", withdraw))
        .act(
            Act::new("admit", |Admit { player }, d: &mut D<'_>| admit(&player, d)).by(by).player().public("admit NAME"),
        )
        .act(Act::plain("give_consent", |d| consent(true, d)).by(by).player().public("consent give"))
        .act(Act::plain("withdraw_consent", |d| consent(false, d)).by(by).player().public("consent withdraw"))
        .act(Act::plain("end_game", finish).by(by).player().public("end"))
        .display(Display::new("people", |state, _| Ok(show(state))).also("money").listed(displays::PEOPLE))
        .display(Display::new("requests", |state, _| Ok(show_requests(state))).listed(displays::REQUESTS))
        .display(Display::new("decimals", |state, _| Ok(show_decimals(state))).listed(displays::DECIMALS))
        .display(Display::of("account", of))
        .corrects(|path, to, d| (path == "players").then(|| seat_by_hand(to, d)))
        .hears(|event, d| {
            if let Event::Forgotten(seat) = event {
                forgotten(d, seat);
            }
        })
}

kit::args! {
    /// The arguments of `admit` (S7).
    Admit { player: Id }
}

// ---- decide

/// Makes a player of a seat: new ones get an account, returners keep theirs (S65, S76, S91).
fn enrol(d: &mut D<'_>, seat: &Id) {
    let returns = d.world.kind(seat).is_some_and(|kind| **kind == *FORMER);
    stats::recast(d, seat, PLAYER);
    seats::stand(d, seat, Standing::Player);
    if !returns
        && Thing::Money.is_in(&d.rules)
        && let Ok(opening) = d.rules.need(&OPENING_MONEY)
    {
        d.set(&ACCOUNT, seat, opening);
    }
    activity::joined(d, seat);
    hosting::of_player(d, hosting::JOINED, seat);
}

/// Whoever opens the room is its first player: there is nobody yet who could admit em (S7).
///
/// # Errors
///
/// A [`Refusal`] where the opener's name is none.
pub(super) fn open(d: &mut D<'_>) -> Result<Id, Refusal> {
    let name = d.doer.name.clone();
    free(d, &name)?;
    let seat = seats::take(d, PLAYER, &name, Standing::Player)?;
    enrol(d, &seat);
    Ok(seat)
}

/// Refuses a name that rules use for something else.
fn free(state: &State<Spacenomic>, name: &str) -> Result<(), Refusal> {
    let rules = state.rules.rules();
    if TAKEN.into_iter().chain(rules.iter().map(|rule| &**rule.title())).any(|taken| confusable(taken, name)) {
        return Err(
            Refusal::new(format!("“{name}” is a word of the rules, and nobody is called so")).instead("join NAME")
        );
    }
    Ok(())
}

/// Somebody asks to become a player (S7): no action, since it changes no gamestate.
///
/// # Errors
///
/// A [`Refusal`] for players, a second time, outside public forums, and for a name that is taken.
fn request(name: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Players.rule(&d.rules);
    let held = d.actor_seat();
    match &held {
        Some(seat) if is_player(d, seat) => {
            return Err(Refusal::new("you are a player already").by(by).instead("show people"));
        }
        Some(seat) if d.row::<Request>(seat).is_some() => {
            let may = match players(d).next() {
                Some(_) => "any player may admit you",
                None => "no player is left, and a moderator can make you one",
            };
            return Err(Refusal::new(format!("you asked already; {may}")).by(by).instead("show requests"));
        }
        _ => {}
    }
    let may = |d: &D<'_>, name: &str| free(d, name).map_err(|refusal| refusal.by(by.clone()));
    let seat = seats::come(d, PLAYER, OUTSIDER, name, may, |d, seat, name| seats::rename(d, seat, name, "join"))?;
    let since = d.at;
    d.put(&seat, Request { since });
    let name = called(d, &seat);
    if players(d).next().is_none() {
        let line = format!("correct players \"{name}\" because no player is left");
        d.tell_all(format!(
            "{name} asks to become a player. No player is left to admit em: a moderator can, with “{line}”."
        ));
        return Ok(Document::say("Your request stands. No player is left; a moderator can make you one."));
    }
    let mut document = Document::say(format!("{name} asks to become a player. Any player may admit em."));
    document.offers = vec![Offer::new("Admit", format!("admit \"{name}\""), d.seq)];
    d.say(Audience::Public, document);
    Ok(Document::say("Your request stands; you are a player once a player admits you."))
}

/// A player adds somebody who asked (S7).
///
/// # Errors
///
/// A [`Refusal`] for others, and where nobody of that name asked.
fn admit(seat: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let by = Thing::Players.rule(&d.rules);
    if is_player(d, seat) {
        return Err(Refusal::new(format!("{} is a player already", called(d, seat))).by(by).instead("show people"));
    }
    if d.row::<Request>(seat).is_none() {
        let say = format!("{} does not ask to join, and nobody becomes a player unasked", called(d, seat));
        return Err(Refusal::new(say).by(by).instead("show requests"));
    }
    d.delete::<Request>(seat);
    enrol(d, seat);
    activity::acted(d, &me);
    let (mine, theirs) = (called(d, &me), called(d, seat));
    let account = d.world.get(&ACCOUNT, seat).unwrap_or_default();
    d.tell_all(format!("{mine} admits {theirs}, who is a player now, with {}.", mixed(&account)));
    Ok(Document::say(format!("{theirs} is a player now.")))
}

/// A moderator makes a player of somebody who asked, where no player is left to do it (S7, S13).
///
/// # Errors
///
/// A [`Refusal`] while there are players, after the end, and where nobody of that name asked.
fn seat_by_hand(name: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    end::in_play(d)?;
    let by = Thing::Players.rule(&d.rules);
    if players(d).next().is_some() {
        return Err(Refusal::new("this room has players, and any of them admits who asks")
            .by(by)
            .instead("show people"));
    }
    let wanted = unquote(name).trim().to_lowercase();
    let asks = |seat: &&Id| called(d, seat).to_lowercase() == wanted;
    let Some(seat) = d.rows::<Request>().keys().find(asks).cloned() else {
        let shown: String = name.trim().chars().take(40).collect();
        let say = format!("nobody called “{shown}” asks to join, and nobody becomes a player unasked");
        return Err(Refusal::new(say).by(by).instead("show requests"));
    };
    d.delete::<Request>(&seat);
    enrol(d, &seat);
    let (name, account) = (called(d, &seat), d.world.get(&ACCOUNT, &seat).unwrap_or_default());
    d.tell_all(format!("{name} is a player now, with {}, and admits whoever else asks.", mixed(&account)));
    Ok(())
}

/// Says what follows from that a player is gone. Moves which are set may mean nothing any more, and nobody's consent is
/// missing (S9). It says how a room goes on that the last player left.
pub(super) fn told_gone(d: &mut D<'_>, before: &State<Spacenomic>, name: &str) {
    stir::stirred(d, before, &format!("{name}, who is no player any more,"));
    if players(d).next().is_none() {
        d.tell_all("No player is left. Whoever wants to be one types “⁅join NAME⁆”, and a moderator admits the first.");
    } else if missing(d).is_empty() {
        d.tell_all("Nobody's consent to the end of the game is missing: any player may end it.");
    }
}

/// A player withdraws emself (S8); whoever only asked takes that back.
///
/// # Errors
///
/// A [`Refusal`] for whoever is neither, and outside public forums.
fn withdraw(d: &mut D<'_>) -> Result<Document, Refusal> {
    let Some(me) = d.actor_seat() else { return Err(Refusal::new("you have no seat here").instead("join NAME")) };
    if d.delete::<Request>(&me).is_some() {
        return Ok(Document::say("You no longer ask to join."));
    }
    let me = player(d)?;
    public(d, "leave")?;
    let name = called(d, &me);
    let before = State::clone(d);
    gone(d, &me);
    d.tell_all(format!("{name} withdraws from the game."));
    told_gone(d, &before, &name);
    Ok(Document::say("You are no player any more. What you own stays in your name."))
}

/// Takes a player out of the game. Votes cast, proposals and what e owns stay; the account is kept, out of play (S8, S83).
pub(super) fn gone(d: &mut D<'_>, player: &Id) {
    d.delete::<Consent>(player);
    activity::left(d, player);
    stats::recast(d, player, FORMER);
    seats::stand(d, player, Standing::Outsider);
    hosting::of_player(d, hosting::LEFT, player);
}

/// Whoever asked to be forgotten withdraws by that, and asks no more to join.
fn forgotten(d: &mut D<'_>, seat: &Id) {
    d.delete::<Request>(seat);
    if is_player(d, seat) {
        let (name, before) = (called(d, seat), State::clone(d));
        gone(d, seat);
        d.tell_all(format!("{name} is no player any more."));
        told_gone(d, &before, "Somebody");
    }
}

/// A player consents to the end of the game, or takes that back (S9).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and where it stands so already.
fn consent(given: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let by = Thing::Players.rule(&d.rules);
    if d.row::<Consent>(&me).is_some() == given {
        let say = if given { "you consented already" } else { "you have not consented" };
        return Err(Refusal::new(say).by(by).instead("show people"));
    }
    if !given && missing(d).is_empty() {
        let say = "nobody's consent is missing, and a consent can be taken back only until then";
        return Err(Refusal::new(say).by(by).instead("end"));
    }
    let since = d.at;
    if given {
        d.put(&me, Consent { since });
    } else {
        d.delete::<Consent>(&me);
    }
    let (name, missing) = (called(d, &me), missing(d).len());
    let does = if given { "consents to the end of the game" } else { "no longer consents to the end of the game" };
    d.tell_all(match missing {
        0 => format!("{name} {does}. Nobody's consent is missing: any player may end it."),
        1 => format!("{name} {does}. One consent is missing."),
        count => format!("{name} {does}. {count} consents are missing."),
    });
    Ok(Document::say("Noted."))
}

/// A player ends the game, which all players consent to (S9).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and while a consent is missing.
fn finish(d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let missing = missing(d);
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().take(10).map(|id| called(d, id)).collect();
        let more = missing.len().saturating_sub(names.len());
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        return Err(Refusal::new(format!(
            "all players must consent, and of these it is missing: {}{more}",
            names.join(", ")
        ))
        .by(Thing::Players.rule(&d.rules))
        .instead("consent give"));
    }
    let name = called(d, &me);
    end::over(d, &format!("{name} ends the game, with the consent of all players."));
    Ok(Document::say("The game is over."))
}

// ---- display

/// Everybody with what the gamestate says of em; `shown` writes an amount of money.
fn table(state: &State<Spacenomic>, shown: impl Fn(&Num) -> String) -> Block {
    // What no rule in effect has is no part of the gamestate (S11).
    let has = |thing: Thing| thing.is_in(&state.rules);
    let columns = [
        ("", true),
        ("money units", has(Thing::Money)),
        ("", true),
        ("location", has(Thing::Locations)),
        ("", has(Thing::LocationList)),
        ("point", has(Thing::Point)),
        ("", true),
    ];
    let row = |player: &Id| {
        let name = called(state, player);
        let account = state.world.get(&ACCOUNT, player).unwrap_or_default();
        let point = state.world.get(&POINT, player).unwrap_or_else(|| 1.into());
        let consents = if state.row::<Consent>(player).is_some() { "consents to the end" } else { "" };
        let all = [
            Cell::named(name),
            Cell::new(shown(&account)).from_path(ACCOUNT.of(player)),
            Cell::new(activity::words(state, player)),
            Cell::new(location::written(location::of(state, player))).from_path(LOCATION.of(player)),
            Cell::new(if location::mirrored(state, player) { "mirrored" } else { "" }).from_path(MIRRORED.of(player)),
            Cell::new(point.to_string()).from_path(POINT.of(player)),
            Cell::new(consents),
        ];
        all.into_iter().zip(columns).filter(|(_, (_, shown))| *shown).map(|(cell, _)| cell).collect()
    };
    let head = columns.iter().filter(|(_, shown)| *shown).map(|(word, _)| *word);
    Block::table(head, players(state).map(row))
}

/// What proposals defined for players, where they did.
fn defined(state: &State<Spacenomic>) -> Option<Block> {
    let declared = |id: &Id| stats::DECLARED.contains(&&**id);
    let defs: Vec<Id> = state
        .world
        .defs()
        .filter(|def| *def.scope == *PLAYER && !declared(&def.id))
        .map(|def| def.id.clone())
        .collect();
    let row = |player: &Id| {
        let value = |attr: &Id| {
            let at = Path::new(player.clone(), attr.clone());
            Cell::new(state.world.value(&at).to_string()).from_path(at)
        };
        std::iter::once(Cell::new(called(state, player))).chain(defs.iter().map(value)).collect()
    };
    let head = std::iter::once(String::new()).chain(defs.iter().map(Id::to_string));
    (!defs.is_empty()).then(|| Block::table(head, players(state).map(row)))
}

/// All players.
fn show(state: &State<Spacenomic>) -> Document {
    let mut document = Document::titled("people", "Players of Spacenomic").with(table(state, short));
    let long = |player: &&Id| state.world.get(&ACCOUNT, player).is_some_and(|account| is_long(&account));
    if let Some(player) = players(state).find(long) {
        document = document.para(format!(
            "A number with “about” before it is cut; “⁅show account {}⁆” shows one whole.",
            called(state, player)
        ));
    }
    document.blocks.extend(defined(state));
    let (space, mut owned) = (space::of(state), BTreeMap::<&Id, usize>::new());
    for (_, owner) in space.vertices() {
        *owned.entry(owner).or_default() += 1;
    }
    let kept = |id: &Id| {
        let account = state.world.get(&ACCOUNT, id).unwrap_or_default();
        let vertices = match owned.get(id) {
            None => String::new(),
            Some(1) => " and 1 vertex".to_owned(),
            Some(count) => format!(" and {count} vertices"),
        };
        Cell::new(format!("{}, with {}{vertices}", called(state, id), mixed(&account)))
    };
    let former: Vec<Cell> = state.world.of_kind(FORMER).map(kept).collect();
    if former.is_empty() {
        return document;
    }
    document.para("Once players:").with(Block::List(former))
}

/// All accounts, as decimal numbers.
fn show_decimals(state: &State<Spacenomic>) -> Document {
    Document::titled("decimals", "Players of Spacenomic, money as decimal numbers")
        .with(table(state, decimal))
        .para("A number with “about” before it is cut; “⁅show account NAME⁆” shows one whole.")
}

/// An account, whole.
///
/// # Errors
///
/// A [`Refusal`] where nobody is called so who has one.
fn show_account(state: &State<Spacenomic>, name: &str) -> Result<Document, Refusal> {
    let player = entity(state, name)?;
    let account = state.world.get(&ACCOUNT, &player).unwrap_or_default();
    let name = called(state, &player);
    Ok(Document::titled(format!("account/{name}"), format!("The account of {name}"))
        .para(format!("{account} money units, which is {}.", decimal(&account))))
}

/// Requests to join that are open.
fn show_requests(state: &State<Spacenomic>) -> Document {
    let row = |(seat, request): (&Id, &Request)| {
        let name = called(state, seat);
        cells![Cell::named(name), minute(request.since)]
    };
    let rows = state.rows::<Request>().iter().map(row);
    let document = Document::titled("requests", "Requests to become a player");
    document.table_or("Nobody is asking. “⁅join NAME⁆” does.", ["", "since"], rows)
}
