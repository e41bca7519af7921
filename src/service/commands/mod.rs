//! The commands that every room has, and those of moderators: one file a topic.
//!
//! Each handler is given a command whose words were read and whose values were bound. Whether a moderator's command
//! comes from a moderator was judged before. A game's own commands go to its room.

pub(super) mod archive;
pub(super) mod asked;
pub(super) mod correct;
pub(super) mod inbox;
pub(super) mod laws;
pub(super) mod lookup;
pub(super) mod order;
pub(super) mod people;
pub(super) mod record;
pub(super) mod remind;
pub(super) mod rooms;
pub(super) mod settings;
pub(super) mod show;
pub(super) mod start;
pub(super) mod time;
pub(super) mod trial;
pub(super) mod voted;

use std::sync::Arc;

use serde::Deserialize;

use super::{
    deed::NotDone,
    fault::Fault,
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
};
use catalogue::{self, Invocation, Typed};
use kernel::{
    Id, Instant, Refusal, Seq,
    display::{Block, Document},
    time::{between, minute},
    viewer::Viewer,
};

use asked::{Asked, Moment};

/// What every room and every moderator can do, as the catalogue binds it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Action {
    Help { topic: Option<Vec<String>> },
    Show { display: Option<String>, as_of: Option<Moment> },
    DryRun { number: u64, r#as: Option<String> },
    History { about: Option<String>, since: Option<Moment>, before: Option<Seq> },
    Why { what: Option<String> },
    Voted { on: Option<String> },
    LawCheck { script: String },
    LawNew { what: Option<String>, about: Option<String>, figure: Option<String>, changes: Option<String> },
    Rooms,
    Start { what: Option<String> },
    Version,
    Remind { switch: Option<String>, before: Option<jiff::SignedDuration>, place: Option<String> },
    Me,
    Inbox { which: Option<String> },
    Link { code: Option<String>, sure: Option<String> },
    ForgetMe { sure: Option<String> },
    RoomOpen(Box<rooms::Wanted>),
    RoomClose { reason: Option<String> },
    RoomList,
    RoomSettings { setting: Option<String>, value: Option<String>, channel: Option<String> },
    SeatGive { name: Id, account: String, reason: Option<String> },
    Entrust { name: Id },
    ForumBind { channel: Option<String>, designation: Option<String> },
    ForumUnbind { channel: Option<String> },
    ForumDesignate { designation: String, channel: Option<String> },
    ModeratorAdd { who: String, reach: Option<String> },
    ModeratorRemove { who: String, reach: Option<String> },
    ClockAccept,
    Tick { until: Option<Instant> },
    Pause { reason: Option<String> },
    Resume,
    Correct { path: String, value: String, reason: String },
    Undo { entry: Seq, sure: Option<String>, reason: Option<String> },
    RuleBind { rule: String, key: String, words: String, reason: Option<String> },
    RuleUnbind { rule: String, key: String, reason: Option<String> },
    RuleAccept { rule: String, reason: Option<String> },
    RuleByHand { rule: String, reason: Option<String> },
    Ban { who: String, reach: Option<String>, duration: Option<jiff::SignedDuration>, reason: Option<String> },
    Unban { who: String, reach: Option<String> },
    Ignore { who: String },
    Unignore { who: String },
    Export,
    Import { name: String, archive: String },
    Backup,
}

/// Does one command.
pub(super) async fn obey(
    hearing: &Hearing<'_>,
    room: Option<Arc<Handle>>,
    typed: &Typed,
    invocation: Invocation,
    origin: String,
    viewer: &Viewer,
) -> Result<Answer, NotDone> {
    let needed = || room.clone().ok_or_else(|| Refusal::new("say which room, as in @main").instead("rooms"));
    // Whoever says "everywhere" means no room in particular.
    let within = |reach: Option<String>| room.clone().filter(|_| reach.is_none());
    let action = Action::deserialize(invocation.to_json())
        .map_err(|why| NotDone::Broke(Fault::new(format!("the catalogue and the service disagree: {why}"))))?;
    let asked = Asked { origin, said: typed.said.clone() };
    match action {
        Action::Help { topic } => Ok(help(hearing, room.as_deref(), &topic.unwrap_or_default().join(" "), viewer)?),
        Action::Show { display, as_of } => {
            let display = display.as_deref().unwrap_or(show::DISPLAYS);
            let (handle, now) = (needed()?, as_of.is_none());
            let mut answer = show::show(hearing, &handle, display, as_of, viewer).await?;
            if now {
                trial::add(hearing.hub, &handle, &mut answer.document).await.map_err(NotDone::Broke)?;
            }
            Ok(answer)
        }
        Action::DryRun { number, r#as: Some(line) } => {
            let handle = needed()?;
            Ok(Answer::shown(trial::tried(hearing.hub, &handle, number, &line).await?))
        }
        Action::DryRun { number, r#as: None } => {
            let handle = needed()?;
            let mut answer = show::show(hearing, &handle, &format!("dryrun/{number}"), None, viewer).await?;
            trial::add(hearing.hub, &handle, &mut answer.document).await.map_err(NotDone::Broke)?;
            Ok(answer)
        }
        Action::History { about, since, before } => {
            record::history(hearing, &needed()?, about.as_deref(), (since, before), viewer).await
        }
        Action::Why { what } => record::why(hearing, room.as_ref(), what.as_deref(), viewer).await,
        Action::Voted { on } => voted::voted(hearing, &needed()?, on.as_deref(), viewer).await,
        Action::LawCheck { script } => Ok(Answer::shown(needed()?.view().check_law(&script)?)),
        Action::LawNew { what, about, figure, changes } => {
            let view = room.as_ref().map(|handle| handle.view());
            Ok(Answer::shown(laws::new(&laws::Wanted { what, about, figure, changes }, view.as_deref())?))
        }
        Action::Rooms | Action::RoomList => Ok(Answer::shown(rooms::list(hearing.hub))),
        Action::Start { what } => start::start(hearing, room.as_ref(), what.is_some()).await.map_err(NotDone::Broke),
        Action::Version => Ok(Answer::shown(version(hearing.hub))),
        Action::Remind { switch, before, place } => {
            remind::remind(hearing, &needed()?, remind::Wanted { switch, before, place }).await
        }
        Action::Me => people::me(hearing).await,
        Action::Inbox { which } => inbox::inbox(hearing, which.is_some()).await,
        Action::Link { code, sure } => people::link(hearing, code.as_deref(), sure.is_some()).await,
        Action::ForgetMe { sure } => people::forget(hearing, sure.is_some()).await,
        Action::RoomOpen(wanted) => {
            let mut short = typed.clone();
            let asked = match short.args.get_mut(rooms::RULEBOOK) {
                // The rules stand in the entry itself, and once is enough.
                Some(text) => {
                    *text = format!("(a file of {} bytes)", text.len());
                    Asked { said: short.line(), ..asked }
                }
                None => asked,
            };
            rooms::open(hearing, *wanted, asked).await
        }
        Action::RoomClose { reason } => rooms::close(hearing, &needed()?, reason, asked).await,
        Action::RoomSettings { setting: None, .. } => {
            needed().map(|room| settings::shown(&room)).map_err(NotDone::from)
        }
        Action::RoomSettings { setting: Some(setting), value, channel } => {
            let wanted = settings::Wanted { setting, value, channel };
            settings::change(hearing, &needed()?, wanted, asked).await
        }
        Action::SeatGive { name, account, reason } => {
            people::give(hearing, &needed()?, name, &account, reason, asked).await
        }
        Action::Entrust { name } => people::entrust(hearing, &needed()?, &name, asked).await,
        Action::ForumBind { channel, designation } => {
            rooms::designate(hearing, &needed()?, channel, rooms::Binding::Bind, designation, asked).await
        }
        Action::ForumDesignate { designation, channel } => {
            rooms::designate(hearing, &needed()?, channel, rooms::Binding::Designate, Some(designation), asked).await
        }
        Action::ForumUnbind { channel } => {
            rooms::designate(hearing, &needed()?, channel, rooms::Binding::Unbind, None, asked).await
        }
        Action::ModeratorAdd { who, reach } => order::add_moderator(hearing, within(reach).as_deref(), &who).await,
        Action::ModeratorRemove { who, reach } => {
            order::remove_moderator(hearing, within(reach).as_deref(), &who).await
        }
        Action::ClockAccept => time::accept_clock(hearing).await,
        Action::Tick { until } => time::tick(hearing, &needed()?, until, asked).await,
        Action::Pause { reason } => time::pause(hearing, &needed()?, reason, asked).await,
        Action::Resume => time::resume(hearing, &needed()?, asked).await,
        Action::Correct { path, value, reason } => {
            correct::correct(hearing, &needed()?, (path, value, reason), asked).await
        }
        Action::RuleBind { rule, key, words, reason } => {
            correct::bind(hearing, &needed()?, (rule, key, Some(words)), reason, asked).await
        }
        Action::RuleUnbind { rule, key, reason } => {
            correct::bind(hearing, &needed()?, (rule, key, None), reason, asked).await
        }
        Action::RuleAccept { rule, reason } => correct::settle(hearing, &needed()?, (rule, false), reason, asked).await,
        Action::RuleByHand { rule, reason } => correct::settle(hearing, &needed()?, (rule, true), reason, asked).await,
        Action::Undo { entry, sure, reason } => {
            correct::undo(hearing, &needed()?, (entry, sure.is_some()), reason, asked).await
        }
        Action::Ban { who, reach, duration, reason } => {
            order::ban(hearing, within(reach).as_deref(), &who, duration, reason).await
        }
        Action::Unban { who, reach } => order::unban(hearing, within(reach).as_deref(), &who).await,
        Action::Ignore { who } => order::ignore(hearing, &who, true).await,
        Action::Unignore { who } => order::ignore(hearing, &who, false).await,
        Action::Export => archive::export(hearing, &needed()?).await,
        Action::Import { name, archive } => archive::import(hearing, &name, &archive).await,
        Action::Backup => archive::backup(hearing).await,
    }
}

fn help(hearing: &Hearing<'_>, room: Option<&Handle>, topic: &str, viewer: &Viewer) -> Result<Answer, Refusal> {
    let catalogue = match room {
        Some(room) => hearing.hub.catalogue_in(room.view()),
        None => Arc::new(catalogue::Catalogue::all().clone()),
    };
    let reader = catalogue::Viewer { seated: viewer.seat.is_some(), moderator: viewer.moderator || hearing.operator };
    let mut page = catalogue::help::page(&catalogue, topic, reader)?;
    // What matters first to whoever plays can be done by nobody else.
    if topic.trim().is_empty() && room.is_some_and(|room| !room.view().frame().closed) && viewer.seat.is_none() {
        page.blocks.insert(0, Block::Para("You have no seat here yet: ⁅join⁆".to_owned()));
    }
    Ok(Answer::shown(page))
}

/// That the bot is here, as which version and since when.
fn version(hub: &Hub) -> Document {
    let (now, since) = (hub.clock().now(), hub.begun());
    let (version, runs, since) = (env!("CARGO_PKG_VERSION"), between(since, now), minute(since));
    Document::say(format!("Rulekeeper {version} is here. It runs for {runs} now, since {since}."))
}
