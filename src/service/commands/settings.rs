//! What a moderator may set about a room: how its time passes, and how it announces in each of its channels.
//!
//! A network without threads or roles passes over the settings of these.

use std::sync::Arc;

use super::{
    asked::Asked,
    rooms::{moderate, own_forum},
};
use crate::service::{
    deed::NotDone,
    hearing::{Answer, Hearing},
    hub::Handle,
    letters::forum_address,
};
use kernel::{
    Refusal,
    deed::Moderation,
    display::{Block, Cell, Document},
    engine::View,
    frame::{ClockMode, Forum, Manner},
};
use port::Destination;

/// The settings, by name.
pub(in crate::service) const SETTINGS: &[&str] = &["clock", "posts", "threads", "mentions", "roles", "pinned"];

/// Most digits of a role's number: as many as 64 bits have.
const ROLE_MAX_DIGITS: usize = 20;

/// A change that somebody asked for, as typed.
pub(super) struct Wanted {
    pub(super) setting: String,
    pub(super) value: Option<String>,
    pub(super) channel: Option<String>,
}

/// The settings of a room.
pub(super) fn shown(handle: &Handle) -> Answer {
    let view = handle.view();
    let clock = match view.frame().clock {
        ClockMode::Live => "live",
        ClockMode::Manual(_) => "manual",
        ClockMode::Paused(_) => "paused",
    };
    let yes = |yes: bool| Cell::new(if yes { "yes" } else { "no" });
    let row = |(id, forum): (&kernel::Id, &Forum)| {
        let mentions = forum.manner.mentions.as_deref().map_or("nobody".to_owned(), |role| format!("role {role}"));
        vec![
            Cell::new(&**id),
            yes(forum.hears()),
            yes(forum.manner.threads),
            Cell::new(mentions),
            yes(forum.manner.roles),
        ]
    };
    let bound = view.frame().forums.iter().filter(|(_, forum)| forum.designation().is_some());
    let rows: Vec<_> = bound.map(row).collect();
    let mut document = Document::titled("settings", "Settings").para(format!("clock: {clock} (live or manual)"));
    if !rows.is_empty() {
        document.blocks.push(Block::table(["Channel", "posts", "threads", "mentions", "roles"], rows));
    }
    Answer::shown(document)
}

/// Changes a setting.
pub(super) async fn change(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    wanted: Wanted,
    asked: Asked,
) -> Result<Answer, NotDone> {
    let act = match wanted.setting.as_str() {
        "clock" => clock(&*handle.view(), wanted.value.as_deref(), hearing)?,
        "pinned" => return pinned(hearing, handle, &wanted).await,
        "posts" | "threads" | "mentions" | "roles" => {
            let forum = own_forum(hearing, wanted.channel.as_deref())?;
            let view = handle.view();
            let was = view.frame().forums.get(&forum).map(|held| held.manner.clone()).unwrap_or_default();
            Moderation::Manner { manner: manner(was, &wanted)?, forum }
        }
        other => {
            let why = format!("there is no setting “{other}”; there are: {}", SETTINGS.join(", "));
            return Err(Refusal::new(why).instead("room settings").into());
        }
    };
    moderate(hearing, handle, act, asked).await
}

/// Has how the room stands posted in a channel, as a message that is kept up to date.
async fn pinned(hearing: &Hearing<'_>, handle: &Arc<Handle>, wanted: &Wanted) -> Result<Answer, NotDone> {
    if wanted.value.as_deref() != Some("yes") {
        let why = "the message that is pinned stays until somebody deletes it";
        return Err(Refusal::new(why).instead("room settings pinned yes").into());
    }
    let forum = own_forum(hearing, wanted.channel.as_deref())?;
    let bound = handle.view().frame().forums.get(&forum).and_then(Forum::designation).is_some();
    match forum_address(&forum).filter(|_| bound) {
        None => {
            let why = format!("the channel {forum} is not bound to this room");
            Err(Refusal::new(why).instead(format!("forum bind @{} CHANNEL", handle.name)).into())
        }
        Some(forum) if !Destination::Forum(forum.clone()).holds_screens() => {
            Err(Refusal::new("no message can be pinned on that network").instead("show standing").into())
        }
        Some(forum) => {
            hearing.hub.pin_standing(handle, forum).await?;
            Ok(Answer::done(Document::say("How the room stands is posted there, and kept up to date.")))
        }
    }
}

fn clock(view: &dyn View, value: Option<&str>, hearing: &Hearing<'_>) -> Result<Moderation, Refusal> {
    let mode = match value {
        Some("live") => ClockMode::Live,
        Some("manual") => ClockMode::Manual(view.time(hearing.hub.clock().now())),
        _ => return Err(Refusal::new("the clock is live or manual").instead("room settings clock manual")),
    };
    Ok(Moderation::Clock { mode, reason: None })
}

fn manner(was: Manner, wanted: &Wanted) -> Result<Manner, Refusal> {
    let setting = wanted.setting.as_str();
    let yes = || match wanted.value.as_deref() {
        Some("yes") => Ok(true),
        Some("no") => Ok(false),
        _ => Err(Refusal::new(format!("“{setting}” is yes or no")).instead(format!("room settings {setting} yes"))),
    };
    Ok(match setting {
        "posts" => Manner { posts: Some(yes()?), ..was },
        "threads" => Manner { threads: yes()?, ..was },
        "roles" => Manner { roles: yes()?, ..was },
        _ => Manner { mentions: role(wanted.value.as_deref())?, ..was },
    })
}

/// A role, by its mention or its number; `None` for nobody.
fn role(value: Option<&str>) -> Result<Option<String>, Refusal> {
    let text = value.unwrap_or_default();
    if text == "nobody" {
        return Ok(None);
    }
    let mention = text.strip_prefix("<@&").and_then(|text| text.strip_suffix('>'));
    let number = mention.unwrap_or(text);
    let whole = !number.is_empty() && number.len() <= ROLE_MAX_DIGITS && number.bytes().all(|b| b.is_ascii_digit());
    if !whole {
        let why = "a role is named by its mention or its number, and nobody is “nobody”";
        return Err(Refusal::new(why).instead("room settings mentions nobody"));
    }
    Ok(Some(number.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_a_mention_or_a_number() {
        assert_eq!(role(Some("<@&77>")), Ok(Some("77".to_owned())));
        assert_eq!(role(Some("77")), Ok(Some("77".to_owned())));
        assert_eq!(role(Some("nobody")), Ok(None));
        for wrong in [None, Some("@everyone"), Some("<@77>"), Some("<@&>"), Some("123456789012345678901")] {
            assert!(role(wrong).is_err(), "{wrong:?}");
        }
    }
}
