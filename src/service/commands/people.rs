//! Who one is: `/me`, `/link`, `/forget me`, and whose a seat is: `/seat give`.

use std::{collections::BTreeMap, sync::Arc};

use jiff::SignedDuration;

use super::{Asked, order, rooms};
use crate::{
    kernel::{
        Id, Instant, Refusal,
        display::{Block, Cell, Document},
        engine::View,
        game::{Deed, Moderation},
        time::between,
    },
    service::{
        hear::{Answer, Hearing},
        hub::{Handle, Hub},
        letters::person_id,
        room::{NotDone, Origin},
    },
    store::{Linked, PersonId},
};

/// How long a code that links an account counts: long enough to walk to another network, short enough that a code seen
/// over a shoulder is worth little.
const LINK_CODE_LIFE: SignedDuration = SignedDuration::from_mins(15);

/// The letters of a code: none that is mistaken for another.
const CODE_LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// How many letters a code has: 50 random bits.
const CODE_LEN_CHARS: usize = 10;

/// Shows the speaker's accounts and seats.
pub(in crate::service) async fn me(hearing: &Hearing<'_>) -> Result<Answer, NotDone> {
    let account = hearing.account()?;
    let mut document = Document::titled("me", "You");
    let Some(person) = hearing.person else {
        let text = format!("{} at {}. You have no seat anywhere yet. Type: join", account.id, account.service);
        return Ok(Answer::shown(document.para(text)));
    };
    let accounts = hearing.hub.store().accounts(person).await?;
    let cells = accounts.iter().map(|account| Cell::new(format!("{} at {}", account.id, account.service))).collect();
    document = document.para("Accounts:").with(Block::List(cells));
    let seats: Vec<Cell> = hearing
        .hub
        .rooms()
        .iter()
        .filter_map(|handle| {
            let view = handle.view();
            let (_, seat) = view.frame().seat_of(&person_id(person))?;
            Some(Cell::new(format!("{} in @{} ({})", seat.name, handle.name, view.game())))
        })
        .collect();
    if seats.is_empty() {
        document = document.para("No seats yet. Type: join");
    } else {
        document = document.para("Seats:").with(Block::List(seats));
    }
    if hearing.operator {
        document = document.para("You moderate every room.");
    }
    Ok(Answer::shown(document))
}

/// Gives a code that links another account, or links this one by a code.
pub(in crate::service) async fn link(hearing: &Hearing<'_>, code: Option<&str>) -> Result<Answer, NotDone> {
    let (hub, store) = (hearing.hub, hearing.hub.store());
    let now = hub.clock().now();
    let Some(code) = code else {
        let person = hearing.person().await?;
        let code = new_code(hub);
        let ends = now.checked_add(LINK_CODE_LIFE).unwrap_or(Instant::MAX);
        store.put_link_code(person, &code.replace('-', ""), ends.as_microsecond()).await?;
        let text =
            format!("Type on your other account, in private, within {} minutes: link {code}", LINK_CODE_LIFE.as_mins());
        return Ok(Answer { private: true, ..Answer::done(Document::say(text)) });
    };
    let account = hearing.account()?;
    let typed = code.replace('-', "").to_ascii_uppercase();
    let mut linked = store.redeem_link_code(account, &typed, now.as_microsecond(), false).await?;
    let mut text = "Linked: both accounts are one person from now on.".to_owned();
    if let Linked::Taken(old) = linked {
        linked = store.redeem_link_code(account, &typed, now.as_microsecond(), true).await?;
        if let Linked::To(new) = linked {
            for left in hand_over(hearing, old, new).await? {
                text.push_str(&format!(" {left}"));
            }
        }
    }
    match linked {
        Linked::To(_) => Ok(Answer::done(Document::say(text))),
        Linked::Wrong { tries_left } => {
            let why = format!("that code is wrong or has run out; {tries_left} more tries for now");
            Err(Refusal::new(why).instead("link").into())
        }
        Linked::TooMany { until } => {
            let until = jiff::Timestamp::from_microsecond(until).unwrap_or(now);
            let why = format!("too many wrong codes; the next can be tried in {}", between(now, until));
            Err(Refusal::new(why).into())
        }
        Linked::Full => Err(Refusal::new("that person has as many accounts as the bot keeps for one").into()),
        Linked::Taken(_) => Err(Refusal::new("this account is somebody else's").into()),
    }
}

/// Gives the seats of the person that an account was before to the one that it is now; says which could not be given.
async fn hand_over(hearing: &Hearing<'_>, old: PersonId, new: PersonId) -> Result<Vec<String>, NotDone> {
    let mut left = Vec::new();
    for handle in hearing.hub.rooms() {
        let view = handle.view();
        let (had, has) = (view.frame().seat_of(&person_id(old)), view.frame().seat_of(&person_id(new)));
        match (had, has) {
            (None, _) => continue,
            (Some((_, had)), Some((_, has))) => {
                left.push(format!("In @{} you are {}; nobody sits as {} any more.", handle.name, has.name, had.name));
                continue;
            }
            (Some(_), None) => {}
        }
        let act = Moderation::Hand { from: person_id(old), to: person_id(new) };
        let by = Hub::doer(new, &hearing.own_name());
        let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
        let origin = Origin { id: Some(format!("{}.hand", hearing.line.origin)), person: Some(new), said: None };
        hearing.hub.perform(&handle, deed, origin).await?;
    }
    Ok(left)
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
    let account = order::account_named(hearing, account)?;
    let now = hearing.hub.clock().now().as_microsecond();
    let person = hearing.hub.store().person_for(&account, &account.id, now).await?.id;
    let act = Moderation::Give { seat, to: person_id(person), reason };
    rooms::moderate(hearing, handle, act, asked).await.map(Answer::done)
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
             get another name; what you did in the game stays on record under it. It cannot be undone. Type: forget me yes"
        );
        return Ok(Answer { private: true, ..Answer::done(Document::say(text)) });
    }
    for handle in hearing.hub.rooms() {
        let view = handle.view();
        let Some((seat, _)) = view.frame().seat_of(&person_id(person)) else { continue };
        let act = Moderation::Rename { seat: seat.clone(), name: format!("former{}", person.0) };
        let by = Hub::doer(person, "");
        let deed = |_: &dyn View| Ok(Deed::Moderate { by: by.clone(), act: act.clone() });
        let origin = Origin { id: Some(format!("{}.forget", hearing.line.origin)), person: None, said: None };
        hearing.hub.perform(&handle, deed, origin).await?;
    }
    hearing.hub.store().forget(person, hearing.hub.clock().now().as_microsecond()).await?;
    Ok(Answer { private: true, ..Answer::done(Document::say("You are forgotten here.")) })
}

fn new_code(hub: &Hub) -> String {
    let bytes: [u8; CODE_LEN_CHARS] = hub.inner.entropy.bytes();
    let letters: Vec<char> = bytes.iter().map(|byte| char::from(CODE_LETTERS[usize::from(byte % 32)])).collect();
    let (head, tail) = letters.split_at(CODE_LEN_CHARS / 2);
    format!("{}-{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}
