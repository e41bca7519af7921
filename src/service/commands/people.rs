//! Who one is: `/me`, `/link`, `/forget me`, and whose a seat is: `/seat give`.

use std::{collections::BTreeMap, sync::Arc};

use jiff::SignedDuration;

use super::{asked::Asked, order, rooms};
use crate::service::{
    deed::{NotDone, Origin},
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
    letters::{person_id, person_number},
};
use kernel::{
    Id, Instant, Refusal,
    deed::{Deed, Moderation},
    display::{Block, Cell, Document},
    engine::View,
    time::between,
};
use store::{ACCOUNTS_MAX_COUNT, Linked, PersonId};

/// How long a code that links an account counts. It is long enough to walk to another network, and short enough that a
/// code seen over a shoulder is worth little.
const LINK_CODE_LIFE: SignedDuration = SignedDuration::from_mins(15);

/// The letters of a code: none that is mistaken for another.
const CODE_LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// How many letters a code has: 50 random bits.
const CODE_LEN_CHARS: usize = 10;

/// Shows the speaker's accounts and seats.
pub(in crate::service) async fn me(hearing: &Hearing<'_>) -> Result<Answer, NotDone> {
    let account = hearing.account()?;
    let mut document = Document::titled("me", "You");
    // Where no room is, none can be joined.
    let join = || match hearing.command("join", None) {
        Ok(_) => Block::command("join"),
        Err(_) => Block::command("rooms"),
    };
    let who = format!("{} at {}.", account.id, account.service);
    let Some(person) = hearing.person else {
        // Whose words and accounts were forgotten is known again as soon as they act.
        let was = hearing.hub.store().person_meant(account).await?;
        let seats = was.map(|person| seats(hearing.hub, person)).filter(|seats| !seats.is_empty());
        return Ok(Answer::shown(match seats {
            Some(seats) => document
                .para(format!("{who} You asked to be forgotten, and these seats are yours if you come back:"))
                .with(Block::List(seats))
                .para("Type in the room, with the name that you want:")
                .with(Block::command("join NAME")),
            None => document.para(format!("{who} You have no seat anywhere yet. Type:")).with(join()),
        }));
    };
    let accounts = hearing.hub.store().accounts(person).await?;
    let cells = accounts.iter().map(|account| Cell::new(format!("{} at {}", account.id, account.service))).collect();
    document = document.para("Accounts:").with(Block::List(cells));
    let seats = seats(hearing.hub, person);
    if seats.is_empty() {
        document = document.para("No seats yet. Type:").with(join());
    } else {
        document = document.para("Seats:").with(Block::List(seats));
    }
    if hearing.operator {
        document = document.para("You moderate every room.");
    }
    Ok(Answer::shown(document))
}

/// The seats of a person, a line each.
fn seats(hub: &Hub, person: PersonId) -> Vec<Cell> {
    let seat = |handle: &Arc<Handle>| {
        let view = handle.view();
        let (_, seat) = view.frame().seat_of(&person_id(person))?;
        Some(Cell::new(format!("{} in @{} ({})", seat.name, handle.name, view.game())))
    };
    hub.rooms().iter().filter_map(seat).collect()
}

/// Gives a code that links another account, or links this one by a code.
pub(in crate::service) async fn link(hearing: &Hearing<'_>, code: Option<&str>, sure: bool) -> Result<Answer, NotDone> {
    let (hub, store) = (hearing.hub, hearing.hub.store());
    let now = hub.clock().now();
    let Some(code) = code else {
        let person = hearing.person().await?;
        let code = new_code(hub);
        let ends = now.checked_add(LINK_CODE_LIFE).unwrap_or(Instant::MAX);
        store.put_link_code(person, &code.replace('-', ""), ends.as_microsecond()).await?;
        let text = format!(
            "Type on your other account, in private, within {} minutes: ⁅link {code}⁆",
            LINK_CODE_LIFE.as_mins()
        );
        return Ok(Answer { private: true, ..Answer::done(Document::say(text)) });
    };
    let account = hearing.account()?;
    let typed = code.replace('-', "").to_ascii_uppercase();
    let mut linked = store.redeem_link_code(account, &typed, now.as_microsecond(), false).await?;
    if let Linked::Taken { from, to } = linked {
        let joining = Joining::of(hearing, from, to).await?;
        // Who was forgotten and did not come back has given the seat up where another is theirs.
        let gave_up = hearing.person.is_none() && !joining.twice_seated.is_empty();
        if let Some(both) = joining.twice_seated.first().filter(|_| !gave_up) {
            return Err(Refusal::new(format!(
                "{both}, and two seats in a room cannot become one. Play from one of the two accounts; or have the other \
                 forgotten, which gives its seat and its programs up, and link it then"
            ))
            .instead("forget me")
            .into());
        }
        if !sure && !joining.hands_over.is_empty() {
            let text = format!(
                "Nothing is done yet. Whoever has {} would have all that is yours from then on, and you what is theirs: {}. \
                 It cannot be undone. If that is you, type: ⁅link {code} yes⁆",
                joining.others.join(", "),
                joining.hands_over.join(", "),
            );
            return Ok(Answer { private: true, ..Answer::done(Document::say(text)) });
        }
        // Seats first: if the rest fails, the code still counts and can be typed again.
        hand_over(hearing, from, to).await?;
        linked = store.redeem_link_code(account, &typed, now.as_microsecond(), true).await?;
    }
    match linked {
        Linked::To(person) => {
            let accounts: Vec<String> = store.accounts(person).await?.iter().map(order::written).collect();
            let text = format!("Linked: both accounts are one person from now on, who has {}.", accounts.join(", "));
            Ok(Answer::done(Document::say(text)))
        }
        Linked::Wrong { tries_left } => {
            let tries = if tries_left == 1 { "try" } else { "tries" };
            let why = format!("that code is wrong or has run out; {tries_left} more {tries} for now");
            Err(Refusal::new(why).instead("link").into())
        }
        Linked::TooMany { until } => {
            let until = jiff::Timestamp::from_microsecond(until).unwrap_or(now);
            let why = format!("too many wrong codes; the next can be tried in {}", between(now, until));
            Err(Refusal::new(why).into())
        }
        Linked::Full => {
            let why = format!("one person has {ACCOUNTS_MAX_COUNT} accounts at the most, and that would be more");
            Err(Refusal::new(why).into())
        }
        Linked::Taken { .. } => Err(Refusal::new("this account is somebody else's").into()),
    }
}

/// What it means that the person of the speaker's account becomes the one who was given a code.
struct Joining {
    /// The accounts of the one who was given the code.
    others: Vec<String>,
    /// Seats and offices that the speaker's person has, in words.
    hands_over: Vec<String>,
    /// Rooms in which both sit, in words.
    twice_seated: Vec<String>,
}

impl Joining {
    async fn of(hearing: &Hearing<'_>, from: PersonId, to: PersonId) -> Result<Self, NotDone> {
        let (hub, store) = (hearing.hub, hearing.hub.store());
        let others = store.accounts(to).await?.iter().map(order::written).collect();
        let (mut hands_over, mut twice_seated) = (Vec::new(), Vec::new());
        for handle in hub.rooms() {
            let view = handle.view();
            let (had, has) = (view.frame().seat_of(&person_id(from)), view.frame().seat_of(&person_id(to)));
            match (had, has) {
                (Some((_, had)), Some((_, has))) => {
                    twice_seated
                        .push(format!("in @{} you sit as {}, and that person as {}", handle.name, had.name, has.name));
                }
                (Some((_, had)), None) => hands_over.push(format!("the seat of {} in @{}", had.name, handle.name)),
                (None, _) => {}
            }
        }
        if store.moderators().await?.iter().any(|moderator| moderator.person == from) {
            hands_over.push("what you moderate".to_owned());
        }
        Ok(Self { others, hands_over, twice_seated })
    }
}

/// Gives the seats of a person to the one who they turned out to be.
async fn hand_over(hearing: &Hearing<'_>, from: PersonId, to: PersonId) -> Result<(), NotDone> {
    for handle in hearing.hub.rooms() {
        let view = handle.view();
        let sits = |person| view.frame().seat_of(&person_id(person)).is_some();
        if !sits(from) || sits(to) {
            continue;
        }
        let act = Moderation::Hand { from: person_id(from), to: person_id(to) };
        let by = Hub::doer(to, &hearing.own_name());
        let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
        let origin =
            Origin { id: Some(format!("{}.hand", hearing.line.origin)), person: Some(to), ..Origin::default() };
        match hearing.hub.perform(&handle, deed, origin).await {
            Ok(_) | Err(NotDone::HeardBefore) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

/// Gives a seat to somebody else's account, for a person who lost theirs.
pub(in crate::service) async fn give(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    seat: Id,
    account: &str,
    reason: Option<String>,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let typed = account;
    let account = order::account_named(hearing, typed)?;
    if !typed.contains('/') && hearing.hub.store().person_meant(&account).await?.is_none() {
        return Err(order::nobody(typed).into());
    }
    let now = hearing.hub.clock().now().as_microsecond();
    let person = hearing.hub.store().person_for(&account, &account.id, now).await?.id;
    let act = Moderation::Give { seat, to: person_id(person), reason };
    rooms::moderate(hearing, handle, act, asked).await
}

/// Lets whoever has a seat by now read what the speaker sealed under it.
pub(in crate::service) async fn entrust(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    seat: &Id,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let (hub, view) = (hearing.hub, handle.view());
    let person = hearing.person().await?;
    let held = view.frame().seats.get(seat).and_then(|held| Some((held.name.clone(), person_number(&held.person)?)));
    let Some((name, to)) = held else {
        return Err(Refusal::new("there is no such seat in this room").instead("show players").into());
    };
    if to == person {
        return Err(Refusal::new(format!("the seat of {name} is yours, and so is what you sealed under it")).into());
    }
    if hub.store().sealed_under(handle.id, seat, person).await? == 0 {
        let why = format!("you sealed nothing under the seat of {name} that is still kept");
        return Err(Refusal::new(why).instead("why R1").into());
    }
    // First told, then done: whoever types it again after a crash in between finds it still to do.
    let by = Hub::doer(person, &hearing.own_name());
    let act = Moderation::Entrust { seat: seat.clone() };
    let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
    let origin = Origin { id: Some(asked.origin), person: Some(person), said: Some(asked.said), ..Origin::default() };
    let outcome = hub.perform(handle, deed, origin).await?;
    hub.store().entrust(handle.id, seat, person, to).await?;
    Ok(Answer::done(outcome.reply))
}

/// Removes the speaker's accounts and texts from what people see.
pub(in crate::service) async fn forget(hearing: &Hearing<'_>, sure: bool) -> Result<Answer, NotDone> {
    hearing.account()?;
    let Some(person) = hearing.person else {
        return Ok(Answer::done(Document::say("The bot knows nothing of you.")));
    };
    if !sure {
        let seats: BTreeMap<String, String> = hearing
            .hub
            .rooms()
            .iter()
            .filter_map(|handle| {
                let view = handle.view();
                let (_, seat) = view.frame().seat_of(&person_id(person))?;
                Some((handle.name.clone(), seat.name.clone()))
            })
            .collect();
        let seats: Vec<String> = seats.into_iter().map(|(room, name)| format!("{name} in @{room}")).collect();
        let seats = if seats.is_empty() { "none".to_owned() } else { seats.join(", ") };
        let text = format!(
            "This removes your accounts, the texts that you sent, and what waits to be told to you. Your seats ({seats}) \
             get another name, and leave most games; what you did stays on record under it. Of each account a \
             fingerprint (SHA-256) stays, so that bans hold, and so that your seats wait for you if you come back. It \
             cannot be undone. Type:"
        );
        let document = Document::say(text).with(Block::command("forget me yes"));
        return Ok(Answer { private: true, ..Answer::done(document) });
    }
    for handle in hearing.hub.rooms() {
        let view = handle.view();
        let Some((seat, _)) = view.frame().seat_of(&person_id(person)) else { continue };
        let act = Moderation::Forget { seat: seat.clone() };
        let by = Hub::doer(person, "");
        let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
        let origin = Origin { id: Some(format!("{}.forget", hearing.line.origin)), ..Origin::default() };
        hearing.hub.perform(&handle, deed, origin).await?;
    }
    // What stays in play stays; the rest of what was sealed goes.
    for handle in hearing.hub.rooms() {
        let seals = handle.view().seals().into_iter().map(|(id, _)| id.to_string()).collect();
        hearing.hub.store().destroy_sealed(handle.id, person, &seals).await?;
    }
    hearing.hub.inner.refusals.clear();
    hearing.hub.inner.brought.clear();
    hearing.hub.store().forget(person, hearing.hub.clock().now().as_microsecond()).await?;
    Ok(Answer { private: true, ..Answer::done(Document::say("You are forgotten here.")) })
}

fn new_code(hub: &Hub) -> String {
    let bytes: [u8; CODE_LEN_CHARS] = hub.inner.entropy.bytes();
    let letters: Vec<char> = bytes.iter().map(|byte| char::from(CODE_LETTERS[usize::from(byte % 32)])).collect();
    let (head, tail) = letters.split_at(CODE_LEN_CHARS / 2);
    format!("{}-{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}
