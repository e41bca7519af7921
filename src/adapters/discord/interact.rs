//! Interactions as lines: what was typed into a command's options, into a window, or onto a button.
//!
//! Every interaction ends as text that the catalogue reads, so that Discord can do nothing that a line cannot. Programs
//! go along as files, whose every character counts. What a line means, and who may say it, is absent.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};
use serenity::all::{
    ActionRowComponent, ChannelType, CommandInteraction, ComponentInteraction, Member, MessageFlags, ModalInteraction,
    PartialChannel, Permissions, ResolvedOption, ResolvedValue, Unresolved, User,
};

use tokio::time::{sleep, timeout};

use super::{
    call::{Call, How},
    press::Press,
    register::{ACT_LINES, FILE_SUFFIX, by_window},
    render::render,
    rest,
    shared::{Kept, Pressed, Shared},
};
use crate::{
    catalogue::{self, Catalogue, Command, Kind, Param, ROOM_KEY, Typed},
    kernel::{Refusal, display::Document},
    service::port::{ATTACHMENT_MAX_BYTES, Asker, Attachment, Line, Reply, ReplyKind, Sent},
};

/// Most characters of a window's text.
const WINDOW_MAX_CHARS: u32 = 4000;

/// Most characters of a window's title and of its fields' labels.
const LABEL_MAX_CHARS: usize = 45;

/// The id of a window's only field.
const FIELD: &str = "text";

/// A command's values, as they came in.
#[derive(Default)]
struct Values {
    args: BTreeMap<String, String>,
    room: Option<String>,
    /// A file, by its parameter.
    file: Option<(String, Fetch)>,
}

/// A file that is still at Discord.
#[derive(Clone)]
struct Fetch {
    name: String,
    url: String,
    bytes: usize,
}

/// A line that is ready to be heard.
struct Spoken {
    text: String,
    said: String,
    private: bool,
    code: Option<Attachment>,
    fetch: Option<Fetch>,
    sent: Sent,
}

/// A slash command of the catalogue.
pub(super) async fn slash(
    shared: &Arc<Shared>,
    interaction: &CommandInteraction,
    command: &Arc<Command>,
    options: &[ResolvedOption<'_>],
) {
    let call = call_of_command(shared, interaction);
    let values = values(command, options);
    if let Some(param) = missing(command, &values) {
        // Nobody types a long text for what they could not do. Where nobody can say in time, they may try.
        let asker = Asker { from: call.speaker(shared), place: call.place(command.private), room: values.room.clone() };
        let could = shared.desk.could(asker, command.name.clone(), values.args.clone());
        if let Ok(Some(refusal)) = timeout(shared.settings.patience, could).await {
            return call.whisper(shared, &refusal).await;
        }
        return call.window(shared, window(shared, call.user, command, param, values)).await;
    }
    match spoken(command, values) {
        Ok(spoken) => {
            let text = spoken.text.clone();
            if speak(shared, &call, spoken, false).await
                && let Ok(permit) = shared.followed.clone().try_acquire_owned()
            {
                let shared = shared.clone();
                tokio::spawn(async move {
                    follow(&shared, &call, &text).await;
                    drop(permit);
                });
            }
        }
        Err(refusal) => call.whisper(shared, &refused(&refusal)).await,
    }
}

/// Most changes of one answer: with the time between them within the 15 minutes that an interaction lives.
const UPDATES_MAX_COUNT: u32 = 150;

/// Keeps an answer up to date while what it shows goes on.
async fn follow(shared: &Shared, call: &Call, text: &str) {
    let spoken = several(text);
    let mut before = None;
    for time in 1..=UPDATES_MAX_COUNT {
        sleep(shared.settings.refresh).await;
        let mut line = line_of(shared, call, &spoken);
        line.origin = format!("{}.{time}", line.origin);
        let reply = shared.desk.hear(line).await.into_iter().next().filter(|reply| reply.kind == ReplyKind::Shown);
        let Some(reply) = reply else { return };
        let parts = render(&reply.document).parts(0, "", Some(text));
        if before.as_ref() != Some(&parts.message) && !call.revise(shared, &parts).await {
            return;
        }
        if !reply.document.under_way {
            return;
        }
        before = Some(parts.message);
    }
}

/// The command for several actions: its lines, or a window that asks for them.
pub(super) async fn act(shared: &Shared, interaction: &CommandInteraction, options: &[ResolvedOption<'_>]) {
    let call = call_of_command(shared, interaction);
    let lines = options.iter().find(|option| option.name == ACT_LINES).and_then(|option| match option.value {
        ResolvedValue::String(text) => Some(text),
        _ => None,
    });
    match lines {
        Some(lines) => {
            speak(shared, &call, several(lines), false).await;
        }
        None => {
            let id = Press::Act.id().unwrap_or_default();
            let hint = "One action a line, such as: vote 3 for";
            call.window(shared, asking("Several actions", id, "Actions, one a line", hint, true)).await;
        }
    }
}

/// A command that this program does not know.
pub(super) async fn unknown(shared: &Shared, interaction: &CommandInteraction) {
    let why = Refusal::new("the bot does not know that command any more; type / again for those that there are");
    call_of_command(shared, interaction).whisper(shared, &refused(&why)).await;
}

/// What completes the option that somebody is typing, as names and values.
pub(super) async fn complete(
    shared: &Shared,
    interaction: &CommandInteraction,
    command: &Arc<Command>,
    options: &[ResolvedOption<'_>],
    begun: &str,
) -> Vec<(String, String)> {
    let focused = options.iter().find(|option| matches!(option.value, ResolvedValue::Autocomplete { .. }));
    let Some(name) = focused.map(|option| option.name.to_owned()) else { return Vec::new() };
    let call = call_of_command(shared, interaction);
    let room = values(command, options).room.filter(|_| name != ROOM_KEY);
    let asker = Asker { from: call.speaker(shared), place: call.place(command.private), room };
    let list = command.param(&name).is_some_and(|param| param.list);
    // Of a list only the last word is being typed.
    let (before, word) = match begun.rfind(' ').filter(|_| list) {
        Some(place) => begun.split_at(place + 1),
        None => ("", begun),
    };
    let cells = shared.desk.complete(asker, command.name.clone(), name, word.to_owned()).await;
    let choice = |cell: crate::kernel::display::Cell| {
        let value = format!("{before}{}", cell.completes?);
        let shown = if list || cell.text.trim().is_empty() { value.clone() } else { cell.text };
        (value.chars().count() <= CHOICE_MAX_CHARS).then(|| (shown.chars().take(CHOICE_MAX_CHARS).collect(), value))
    };
    cells.into_iter().filter_map(choice).take(catalogue::bind::COMPLETION_MAX_ITEMS).collect()
}

/// Most characters of a completion's name and of its value.
const CHOICE_MAX_CHARS: usize = 100;

/// A button.
pub(super) async fn press(shared: &Shared, interaction: &ComponentInteraction) {
    let call = call_of_button(shared, interaction);
    let id = &interaction.data.custom_id;
    let pressed = Pressed { user: call.user, message: interaction.message.id.get(), id: id.clone() };
    match Press::read(id) {
        Some(Press::Offer { at, line }) => {
            if !shared.first_press(&pressed) {
                return call.whisper(shared, &Document::say("You pressed that already; it counts once.")).await;
            }
            let spoken = Spoken { sent: Sent::Offered(at), ..several(&line) };
            let how = How { private: spoken.private, said: line, pressed: true, again: None };
            call.answer(shared, how, hear(shared, &call, &spoken)).await;
        }
        Some(Press::Page { page, line }) => turn_page(shared, &call, interaction, page, &line).await,
        _ => call.acknowledge(shared).await,
    }
}

async fn turn_page(shared: &Shared, call: &Call, interaction: &ComponentInteraction, page: usize, line: &str) {
    let private = interaction.message.flags.is_some_and(|flags| flags.contains(MessageFlags::EPHEMERAL));
    let spoken = several(line);
    // Whoever turns a page of what all can read gets to see what all may see.
    let place = call.place(private || spoken.private);
    if spoken.private && !private && call.guild.is_some() {
        return call.acknowledge(shared).await;
    }
    let line = Line { place, ..line_of(shared, call, &spoken) };
    let shows = catalogue::parse(Catalogue::all(), &spoken.text, 0).iter().all(|typed| match typed {
        Ok(typed) => {
            typed.command.action == "show" || typed.command.display.is_some() || typed.command.action == "help"
        }
        Err(_) => false,
    });
    if !shows && !READS.contains(&spoken.text.split([' ', ':']).next().unwrap_or_default()) {
        return call.acknowledge(shared).await;
    }
    let again = spoken.text.clone();
    match shared.desk.hear(line).await.into_iter().next() {
        Some(reply) if reply.kind == ReplyKind::Shown => {
            call.update(shared, render(&reply.document).parts(page, "", Some(&again))).await;
        }
        Some(reply) => call.whisper(shared, &reply.document).await,
        None => call.acknowledge(shared).await,
    }
}

/// The commands beside those that show displays whose answers have pages.
const READS: &[&str] = &["history", "why", "rooms", "me"];

/// A window that was sent off.
pub(super) async fn submit(shared: &Shared, interaction: &ModalInteraction) {
    let call = call_of_window(shared, interaction);
    let text = interaction
        .data
        .components
        .iter()
        .flat_map(|row| &row.components)
        .find_map(|component| match component {
            ActionRowComponent::InputText(input) => input.value.clone(),
            _ => None,
        })
        .unwrap_or_default();
    let (param, line) = match Press::read(&interaction.data.custom_id) {
        Some(Press::Act) => {
            speak(shared, &call, several(&text), false).await;
            return;
        }
        Some(Press::Window { param, line }) => (param, line),
        Some(Press::Kept(number)) => match shared.take_window(number, call.user) {
            Some(Kept { param, line, .. }) => (param, line),
            None => {
                let why = "the bot was restarted while that window was open; begin the command again";
                return call.whisper(shared, &refused(&Refusal::new(why))).await;
            }
        },
        _ => return call.acknowledge(shared).await,
    };
    let Some((command, mut values)) = begun(&line) else { return call.acknowledge(shared).await };
    values.args.insert(param, text);
    match spoken(&command, values) {
        Ok(spoken) => {
            speak(shared, &call, spoken, false).await;
        }
        Err(refusal) => call.whisper(shared, &refused(&refusal)).await,
    }
}

/// A command that lacks what its window asks for, as text. A line of the catalogue would not be read without it.
fn written(command: &Command, values: Values) -> String {
    let Values { mut args, room, .. } = values;
    args.extend(room.map(|room| (ROOM_KEY.to_owned(), room)));
    json!([command.name, args]).to_string()
}

/// Reads what [`written`] wrote.
fn begun(text: &str) -> Option<(Arc<Command>, Values)> {
    let (name, mut args): (String, BTreeMap<String, String>) = serde_json::from_str(text).ok()?;
    let room = args.remove(ROOM_KEY);
    Some((Catalogue::all().get(&name)?.clone(), Values { args, room, file: None }))
}

/// Hears a line and answers with what comes of it.
async fn speak(shared: &Shared, call: &Call, spoken: Spoken, pressed: bool) -> bool {
    let again = (spoken.code.is_none() && spoken.fetch.is_none()).then(|| spoken.text.clone());
    let how = How { private: spoken.private, said: spoken.said.clone(), pressed, again };
    call.answer(shared, how, hear(shared, call, &spoken)).await
}

async fn hear(shared: &Shared, call: &Call, spoken: &Spoken) -> Vec<Reply> {
    let mut line = line_of(shared, call, spoken);
    if let Some(file) = &spoken.fetch {
        match fetch(file).await {
            Ok(attachment) => line.attachments.push(attachment),
            Err(refusal) => {
                return vec![Reply {
                    kind: ReplyKind::Refused,
                    private: true,
                    document: refused(&refusal),
                    file: None,
                }];
            }
        }
    }
    let _turn = shared.turn(&call.turn()).await;
    shared.desk.hear(line).await
}

fn line_of(shared: &Shared, call: &Call, spoken: &Spoken) -> Line {
    Line {
        origin: call.origin(),
        from: call.speaker(shared),
        place: call.place(spoken.private),
        text: spoken.text.clone(),
        attachments: spoken.code.clone().into_iter().collect(),
        sent: spoken.sent,
    }
}

/// Several lines as they were typed: private as a whole where one of them is.
fn several(text: &str) -> Spoken {
    let typed = catalogue::parse(Catalogue::all(), text, 0);
    let private = typed.iter().flatten().any(|typed| typed.command.private);
    Spoken { text: text.to_owned(), said: text.to_owned(), private, code: None, fetch: None, sent: Sent::Whole }
}

/// A command with all its values, as a line.
fn spoken(command: &Arc<Command>, mut values: Values) -> Result<Spoken, Refusal> {
    // A program goes along as a file, unless it is a link to one.
    let coded =
        command.params.iter().find(|param| param.file && values.args.get(&param.name).is_some_and(|v| !link(v)));
    let code = coded
        .and_then(|param| values.args.remove(&param.name))
        .map(|text| Attachment { name: "code".to_owned(), bytes: text.into_bytes() });
    let fetch = values.file.take().map(|(_, file)| file);
    if code.is_some() && fetch.is_some() {
        return Err(Refusal::new("the program came twice: as a text and as a file; send it once"));
    }
    let typed = Typed::from_args(command, values.args, values.room)?;
    Ok(Spoken {
        text: typed.line(),
        said: typed.said.clone(),
        private: command.private,
        code,
        fetch,
        sent: Sent::Whole,
    })
}

fn link(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_whitespace) && (text.starts_with("https://") || text.starts_with("http://"))
}

/// The parameter that a window has to ask for.
fn missing<'c>(command: &'c Command, values: &Values) -> Option<&'c Param> {
    let given = |param: &Param| {
        values.args.contains_key(&param.name) || values.file.as_ref().is_some_and(|(name, _)| *name == param.name)
    };
    command.params.iter().find(|param| command.demands(param, &values.args) && by_window(param) && !given(param))
}

fn window(shared: &Shared, user: u64, command: &Command, param: &Param, values: Values) -> Value {
    let line = written(command, values);
    let press = Press::Window { param: param.name.clone(), line: line.clone() };
    let id = press.id().unwrap_or_else(|| {
        let kept = Kept { user, param: param.name.clone(), line };
        Press::Kept(shared.keep_window(kept)).id().unwrap_or_default()
    });
    asking(&command.name, id, &param.help, &param.help, true)
}

/// A window with one field.
fn asking(title: &str, id: String, label: &str, hint: &str, required: bool) -> Value {
    let short = |text: &str| text.chars().take(LABEL_MAX_CHARS).collect::<String>();
    json!({
        "custom_id": id,
        "title": short(title),
        "components": [{ "type": 1, "components": [{
            "type": 4, "custom_id": FIELD, "style": 2, "label": short(label), "required": required,
            "max_length": WINDOW_MAX_CHARS, "placeholder": hint.chars().take(100).collect::<String>(),
        }] }],
    })
}

fn values(command: &Command, options: &[ResolvedOption<'_>]) -> Values {
    let mut values = Values::default();
    for option in options {
        let kind = command.param(option.name).map(|param| param.kind);
        let text = match &option.value {
            ResolvedValue::String(text) | ResolvedValue::Autocomplete { value: text, .. } => plain(text, kind),
            ResolvedValue::Integer(number) => number.to_string(),
            ResolvedValue::Number(number) => number.to_string(),
            ResolvedValue::Boolean(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            ResolvedValue::Channel(channel) => channel.id.to_string(),
            ResolvedValue::Unresolved(Unresolved::Channel(id)) => id.to_string(),
            ResolvedValue::Attachment(file) => {
                let fetch = Fetch { name: file.filename.clone(), url: file.url.clone(), bytes: file.size as usize };
                let name = option.name.strip_suffix(FILE_SUFFIX).unwrap_or(option.name);
                values.file = Some((name.to_owned(), fetch));
                continue;
            }
            _ => continue,
        };
        if option.name == ROOM_KEY {
            values.room = Some(text.trim().trim_start_matches('@').to_owned());
        } else {
            values.args.insert(option.name.to_owned(), text);
        }
    }
    values
}

/// A value as the service knows it: a mention of a person is their account, one of a channel its id.
fn plain(text: &str, kind: Option<Kind>) -> String {
    let inner = text.trim().strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (kind, inner) {
        (Some(Kind::Account), Some(inner)) => {
            let id = inner.trim_start_matches(['@', '!']);
            if digits(id) { format!("{}/{id}", super::SERVICE) } else { text.to_owned() }
        }
        (Some(Kind::Forum), Some(inner)) => {
            let id = inner.trim_start_matches('#');
            if digits(id) { id.to_owned() } else { text.to_owned() }
        }
        _ => text.to_owned(),
    }
}

/// Gets a file, of which Discord says the size: it is not believed.
async fn fetch(file: &Fetch) -> Result<Attachment, Refusal> {
    let large = || Refusal::new(format!("the file “{}” has more than {ATTACHMENT_MAX_BYTES} bytes", file.name));
    if file.bytes > ATTACHMENT_MAX_BYTES {
        return Err(large());
    }
    let lost = |why: String| {
        tracing::warn!(why, "a file could not be fetched");
        Refusal::new(format!("the file “{}” could not be fetched from Discord; send it again", file.name))
    };
    let client = rest::client().map_err(lost)?;
    let mut response = client.get(&file.url).send().await.map_err(|why| lost(why.without_url().to_string()))?;
    if !response.status().is_success() {
        return Err(lost(format!("the answer was {}", response.status())));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|why| lost(why.without_url().to_string()))? {
        if bytes.len() + chunk.len() > ATTACHMENT_MAX_BYTES {
            return Err(large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Attachment { name: file.name.clone(), bytes })
}

/// A refusal as the player reads it.
fn refused(refusal: &Refusal) -> Document {
    let mut text = refusal.say.clone();
    if let Some(first) = text.get(..1).map(str::to_uppercase) {
        text.replace_range(..1, &first);
    }
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
    if let Some(instead) = &refusal.instead {
        text.push_str(&format!(" Type: {instead}"));
    }
    Document::say(text)
}

fn call_of_command(shared: &Shared, at: &CommandInteraction) -> Call {
    let (id, token, channel, guild) = (at.id, &at.token, at.channel_id.get(), at.guild_id.map(|guild| guild.get()));
    let forum = shared.forum_of(channel, parent(at.channel.as_ref()));
    call(shared, Call { id, token: token.clone(), channel, forum, guild, ..nobody() }, &at.user, at.member.as_deref())
}

fn call_of_button(shared: &Shared, at: &ComponentInteraction) -> Call {
    let (id, token, channel, guild) = (at.id, &at.token, at.channel_id.get(), at.guild_id.map(|guild| guild.get()));
    let forum = shared.forum_of(channel, parent(at.channel.as_ref()));
    call(shared, Call { id, token: token.clone(), channel, forum, guild, ..nobody() }, &at.user, at.member.as_ref())
}

fn call_of_window(shared: &Shared, at: &ModalInteraction) -> Call {
    let (id, token, channel, guild) = (at.id, &at.token, at.channel_id.get(), at.guild_id.map(|guild| guild.get()));
    let forum = shared.forum_of(channel, parent(at.channel.as_ref()));
    call(shared, Call { id, token: token.clone(), channel, forum, guild, ..nobody() }, &at.user, at.member.as_ref())
}

/// The channel of a thread that all readers of that channel can read.
fn parent(at: Option<&PartialChannel>) -> Option<u64> {
    let public = |at: &&PartialChannel| matches!(at.kind, ChannelType::PublicThread | ChannelType::NewsThread);
    at.filter(public)?.parent_id.map(|parent| parent.get())
}

fn nobody() -> Call {
    Call {
        id: 1.into(),
        token: String::new(),
        user: 0,
        nick: String::new(),
        channel: 0,
        forum: 0,
        guild: None,
        keeps_order: false,
    }
}

fn call(shared: &Shared, mut call: Call, user: &User, member: Option<&Member>) -> Call {
    call.user = user.id.get();
    let shown =
        member.and_then(|member| member.nick.clone()).or_else(|| user.global_name.as_ref().map(ToString::to_string));
    call.nick = shown.unwrap_or_else(|| user.name.to_string());
    if let Some(member) = member {
        let manages = Permissions::MANAGE_GUILD | Permissions::ADMINISTRATOR;
        let roles = &shared.settings.moderator_roles;
        call.keeps_order = member.permissions.is_some_and(|permissions| permissions.intersects(manages))
            || member.roles.iter().any(|role| roles.contains(&role.get()));
    }
    call
}
