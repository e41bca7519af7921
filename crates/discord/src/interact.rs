//! Interactions: a command with its options, a window that was filled in, or a button that was pressed.
//!
//! Every interaction ends as a command of the catalogue with its values by name, so that Discord can do nothing that a
//! line cannot. Only several actions that are typed together go along as lines.

use std::{collections::BTreeMap, sync::Arc};

use serenity::all::{
    ActionRowComponent, ChannelType, CommandInteraction, ComponentInteraction, Member, MessageFlags, ModalInteraction,
    PartialChannel, Permissions, ResolvedOption, ResolvedValue, Unresolved, User,
};

use tokio::time::{sleep, timeout};

use super::{
    attached::{Fetch, fetch},
    call::{Call, How},
    menus,
    press::{Asks, Press},
    register::{FIELDS_MAX_COUNT, FILE_SUFFIX, PERSON_SUFFIX, asked, name_of},
    service::{SERVICE, forum},
    shared::{Pressed, Shared},
    windows::{self, Filled},
};
use catalogue::{
    self, BECAUSE, Catalogue, Command, Kind, Param, ROOM_KEY, Typed,
    hint::{self, ACT, ACT_LINES},
};
use kernel::{Refusal, display::Document};
use port::{Account, Asker, Called, Line, Reply, ReplyKind, Sent};

/// Something that is ready to be heard.
#[derive(Clone)]
struct Spoken {
    says: Says,
    said: String,
    private: bool,
    fetch: Option<Fetch>,
}

/// What is to be heard.
#[derive(Clone)]
enum Says {
    /// A command with its values.
    Called(Called),
    /// Lines that somebody typed.
    Lines(String),
}

impl Spoken {
    /// The command that shows the same document again: one that holds no secret.
    fn again(&self) -> Option<&Called> {
        match &self.says {
            Says::Called(called) if self.fetch.is_none() => {
                Some(called).filter(|called| Catalogue::all().get(&called.name).is_some_and(|of| !of.is_secret()))
            }
            Says::Called(_) | Says::Lines(_) => None,
        }
    }
}

/// A slash command.
async fn slash(shared: &Arc<Shared>, call: Call, command: &Arc<Command>, options: &[ResolvedOption<'_>]) {
    let (mut called, file) = values(command, options);
    seated(shared, command, &mut called, call.forum).await;
    let missing = missing(command, &called, file.as_ref().map(|(name, _)| name.as_str()));
    if !missing.is_empty() {
        let params = missing.iter().map(|param| param.name.clone()).collect();
        let asks = Asks::Values { params, of: called, file: file.map(|(_, file)| file) };
        return ask(shared, &call, command, asks).await;
    }
    let spoken = spoken(command, called, file.map(|(_, file)| file));
    if speak(shared, &call, &spoken, How::default()).await
        && spoken.again().is_some()
        && let Ok(permit) = shared.followed.clone().try_acquire_owned()
    {
        let shared = shared.clone();
        tokio::spawn(async move {
            follow(&shared, &call, &spoken).await;
            drop(permit);
        });
    }
}

/// Opens a window for what a command lacks. Nobody types a long text for what they could not do; where nobody can say in
/// time, they may try.
async fn ask(shared: &Shared, call: &Call, command: &Command, asks: Asks) {
    if let Asks::Values { of, .. } = &asks {
        let asker = Asker { from: call.speaker(shared), place: call.place(command.private), room: of.room.clone() };
        let could = shared.desk.could(asker, command.name.clone(), of.args.clone());
        if let Ok(Some(refusal)) = timeout(shared.settings.patience, could).await {
            return call.whisper(shared, &refusal).await;
        }
    }
    call.window(shared, windows::window(shared, call.user, call.at(), asks)).await;
}

/// The parameters that a window asks for where a command was pressed that lacks some: whatever it makes no sense without,
/// and what a window asks for beside these.
fn lacking(command: &Command, called: &Called) -> Vec<String> {
    let demanded = |param: &&Param| command.demands(param, &called.args) && !called.args.contains_key(&param.name);
    let mut lacking: Vec<&Param> = command.params.iter().filter(demanded).collect();
    if !lacking.is_empty() {
        let beside = asked(command).into_iter().filter(|param| !called.args.contains_key(&param.name));
        let beside: Vec<&Param> = beside.filter(|param| !lacking.contains(param)).collect();
        lacking.extend(beside);
    }
    lacking.into_iter().take(FIELDS_MAX_COUNT).map(|param| param.name.clone()).collect()
}

/// Most changes of one answer: with the time between them within the 15 minutes that an interaction lives.
const UPDATES_MAX_COUNT: u32 = 150;

/// Keeps an answer up to date while what it shows goes on.
async fn follow(shared: &Shared, call: &Call, spoken: &Spoken) {
    let mut before = None;
    for time in 1..=UPDATES_MAX_COUNT {
        sleep(shared.settings.refresh).await;
        let mut line = line_of(shared, call, spoken);
        line.origin = format!("{}.{time}", line.origin);
        let reply = shared.desk.hear(line).await.into_iter().next().filter(|reply| reply.kind == ReplyKind::Shown);
        let Some(reply) = reply else { return };
        let parts = shared.render(&reply.document, call.guild).parts(0, "", spoken.again());
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
async fn act(shared: &Shared, interaction: &CommandInteraction, options: &[ResolvedOption<'_>]) {
    let call = call_of_command(shared, interaction);
    let lines = options.iter().find(|option| option.name == ACT_LINES).and_then(|option| match option.value {
        ResolvedValue::String(text) => Some(text),
        _ => None,
    });
    match lines {
        Some(lines) => {
            speak(shared, &call, &several(lines), How::default()).await;
        }
        None => call.window(shared, windows::window(shared, call.user, call.at(), Asks::Lines)).await,
    }
}

/// A command, or what was chosen in a menu.
pub(super) async fn command(shared: &Arc<Shared>, interaction: &CommandInteraction) {
    if menus::is_one(interaction) {
        return menu(shared, interaction).await;
    }
    let options = interaction.data.options();
    let (name, options) = named(interaction, &options);
    if name == ACT {
        return act(shared, interaction, options).await;
    }
    let call = call_of_command(shared, interaction);
    if let Some(command) = shared.command(&name, call.at()) {
        return slash(shared, call, &command, options).await;
    }
    let why = Refusal::new("the bot does not know that command any more; type / again for those that there are");
    call.whisper(shared, &hint::refused(&why)).await;
}

/// What somebody chose in the menu of a message or of a person, answered to them alone.
async fn menu(shared: &Arc<Shared>, interaction: &CommandInteraction) {
    let call = call_of_command(shared, interaction);
    let called = menus::called(shared, interaction, call.forum).await;
    let Some((called, command)) = called.and_then(|called| {
        let command = shared.command(&called.name, call.at())?;
        Some((called, command))
    }) else {
        let why = "nothing is known of that here. Messages can be asked about that show a proposal or the like, and people \
                   who have a seat";
        return call.whisper(shared, &hint::refused(&Refusal::new(why))).await;
    };
    let spoken = Spoken { private: true, ..spoken(&command, called, None) };
    speak(shared, &call, &spoken, How::default()).await;
}

/// What completes the option that somebody is typing, as names and values; nothing where the interaction asks for no
/// completion.
pub(super) async fn complete(shared: &Shared, interaction: &CommandInteraction) -> Option<Vec<(String, String)>> {
    let options = interaction.data.options();
    let (name, options) = named(interaction, &options);
    let begun = options.iter().find_map(|option| match option.value {
        ResolvedValue::Autocomplete { value, .. } => Some(value),
        _ => None,
    })?;
    let call = call_of_command(shared, interaction);
    if name == ACT {
        return Some(complete_line(shared, &call, begun).await);
    }
    let Some(command) = shared.command(&name, call.at()) else { return Some(Vec::new()) };
    Some(completed(shared, &call, &command, options, begun).await)
}

/// What completes a line, with all that stands before.
async fn complete_line(shared: &Shared, call: &Call, begun: &str) -> Vec<(String, String)> {
    let asker = Asker { from: call.speaker(shared), place: call.place(false), room: None };
    let completion = shared.desk.complete_line(asker, begun).await;
    let before = begun.get(..completion.start).unwrap_or_default();
    let choice = |cell: kernel::display::Cell| {
        let line = format!("{before}{}", cell.completes?);
        (line.chars().count() <= CHOICE_MAX_CHARS).then(|| (line.clone(), line))
    };
    completion.cells.into_iter().filter_map(choice).take(catalogue::bind::COMPLETION_MAX_ITEMS).collect()
}

/// The name of the command of an interaction, with that of a subcommand, and the options that belong to it.
fn named<'o>(
    interaction: &CommandInteraction,
    options: &'o [ResolvedOption<'o>],
) -> (String, &'o [ResolvedOption<'o>]) {
    match options {
        [ResolvedOption { name, value: ResolvedValue::SubCommand(within), .. }] => {
            (name_of(&interaction.data.name, name), within)
        }
        _ => (interaction.data.name.to_string(), options),
    }
}

async fn completed(
    shared: &Shared,
    call: &Call,
    command: &Arc<Command>,
    options: &[ResolvedOption<'_>],
    begun: &str,
) -> Vec<(String, String)> {
    let focused = options.iter().find(|option| matches!(option.value, ResolvedValue::Autocomplete { .. }));
    let Some(name) = focused.map(|option| option.name.to_owned()) else { return Vec::new() };
    let room = values(command, options).0.room.filter(|_| name != ROOM_KEY);
    let asker = Asker { from: call.speaker(shared), place: call.place(command.private), room };
    let list = command.param(&name).is_some_and(|param| param.list);
    // Of a list only the last word is being typed.
    let (before, word) = match begun.rfind(' ').filter(|_| list) {
        Some(place) => begun.split_at(place + 1),
        None => ("", begun),
    };
    let cells = shared.desk.complete(asker, command.name.clone(), name, word.to_owned()).await;
    let choice = |cell: kernel::display::Cell| {
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
        Some(Press::Offer(called)) => {
            if !shared.first_press(&pressed) {
                return call.whisper(shared, &Document::say("You pressed that already; it counts once.")).await;
            }
            let Some(command) = shared.command(&called.name, call.at()) else { return call.outdated(shared).await };
            let params = lacking(&command, &called);
            if !params.is_empty() {
                return ask(shared, &call, &command, Asks::Values { params, of: called, file: None }).await;
            }
            let how = How { pressed: true, ..How::default() };
            speak(shared, &call, &spoken(&command, called, None), how).await;
        }
        Some(Press::Page { page, of }) => turn_page(shared, &call, interaction, page, of).await,
        Some(Press::Kept(number)) => match shared.window(number, call.user) {
            Some(kept) => call.window(shared, windows::again(shared, call.at(), number, &kept)).await,
            None => {
                let why = "the bot does not keep that text any more; it is in the file above";
                call.whisper(shared, &hint::refused(&Refusal::new(why))).await;
            }
        },
        Some(Press::Window(_)) | None => call.outdated(shared).await,
    }
}

async fn turn_page(shared: &Shared, call: &Call, interaction: &ComponentInteraction, page: usize, of: Called) {
    let Some(command) = shared.command(&of.name, call.at()) else { return call.outdated(shared).await };
    let private = interaction.message.flags.is_some_and(|flags| flags.contains(MessageFlags::EPHEMERAL));
    let shows = ["show", "help"].contains(&command.action.as_str())
        || command.display.is_some()
        || READS.contains(&command.name.as_str());
    if !shows || (command.private && !private && call.guild.is_some()) {
        return call.acknowledge(shared).await;
    }
    let spoken = spoken(&command, of, None);
    // Whoever turns a page of what all can read gets to see what all may see.
    let line = Line { place: call.place(private || spoken.private), ..line_of(shared, call, &spoken) };
    match shared.desk.hear(line).await.into_iter().next() {
        Some(reply) if reply.kind == ReplyKind::Shown => {
            call.update(shared, shared.render(&reply.document, call.guild).parts(page, "", spoken.again())).await;
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
    let typed = |component: &ActionRowComponent| match component {
        ActionRowComponent::InputText(input) => Some((input.custom_id.to_string(), input.value.clone()?)),
        _ => None,
    };
    let rows = interaction.data.components.iter().flat_map(|row| &row.components);
    // What need not be filled in comes empty.
    let texts: BTreeMap<String, String> = rows.filter_map(typed).filter(|(_, text)| !text.is_empty()).collect();
    let asks = match Press::read(&interaction.data.custom_id) {
        Some(Press::Window(asks)) => Some(asks),
        Some(Press::Kept(number)) => shared.window(number, call.user).map(|kept| kept.asks),
        Some(Press::Offer(_) | Press::Page { .. }) | None => None,
    };
    let spoken = match &asks {
        Some(Asks::Lines) => Some(several(texts.get(windows::LINES).map_or("", String::as_str))),
        Some(Asks::Values { of, file, .. }) => shared.command(&of.name, call.at()).map(|command| {
            let mut called = of.clone();
            called.args.extend(texts.clone());
            spoken(&command, called, file.clone())
        }),
        None => None,
    };
    match spoken {
        Some(spoken) => {
            let filled = Filled { asks, texts, secret: spoken.private };
            speak(shared, &call, &spoken, How { filled: Some(filled), ..How::default() }).await;
        }
        None => {
            let filled = Filled { asks: None, texts, secret: true };
            let how = How { private: true, filled: Some(filled), ..How::default() };
            call.answer(shared, how, std::future::ready(vec![windows::forgotten()])).await;
        }
    }
}

/// Has something heard and answers with what comes of it. Says whether the answer shows something that goes on.
async fn speak(shared: &Shared, call: &Call, spoken: &Spoken, how: How) -> bool {
    let (private, said, again) = (spoken.private, spoken.said.clone(), spoken.again().cloned());
    call.answer(shared, How { private, said, again, ..how }, hear(shared, call, spoken)).await
}

async fn hear(shared: &Shared, call: &Call, spoken: &Spoken) -> Vec<Reply> {
    let mut line = line_of(shared, call, spoken);
    if let Some(file) = &spoken.fetch {
        match fetch(file).await {
            Ok(attachment) => line.attachments.push(attachment),
            Err(refusal) => {
                let document = hint::refused(&refusal);
                return vec![Reply { kind: ReplyKind::Refused, private: true, document, file: None }];
            }
        }
    }
    let _turn = shared.turn(&call.turn()).await;
    shared.desk.hear(line).await
}

fn line_of(shared: &Shared, call: &Call, spoken: &Spoken) -> Line {
    let (text, sent) = match &spoken.says {
        Says::Called(called) => (String::new(), Sent::Called(called.clone())),
        Says::Lines(text) => (text.clone(), Sent::Whole),
    };
    Line {
        origin: call.origin(),
        from: call.speaker(shared),
        place: call.place(spoken.private),
        text,
        attachments: Vec::new(),
        sent,
    }
}

/// Several lines as they were typed: private as a whole where one of them is.
fn several(text: &str) -> Spoken {
    let typed = catalogue::parse(Catalogue::all(), text, 0);
    let private = typed.iter().flatten().any(|typed| typed.command.private);
    Spoken { says: Says::Lines(text.to_owned()), said: text.to_owned(), private, fetch: None }
}

/// A command with its values. Whether they are of their kinds its room judges.
fn spoken(command: &Arc<Command>, called: Called, fetch: Option<Fetch>) -> Spoken {
    let typed = Typed::from_args(command, called.args.clone(), called.room.clone())
        .and_then(|typed| typed.because(called.because.as_deref()));
    let said = typed.map_or_else(|_| format!("/{command}"), |typed| hint::said(&typed));
    Spoken { says: Says::Called(called), said, private: command.private, fetch }
}

/// The parameters that a window has to ask for: where one is missing, whatever of them is not given in another way. A
/// file gives the one that it is for.
fn missing<'c>(command: &'c Command, called: &Called, file: Option<&str>) -> Vec<&'c Param> {
    let given = |param: &Param| called.args.contains_key(&param.name) || file == Some(&param.name);
    let left: Vec<&Param> = asked(command).into_iter().filter(|param| !given(param)).collect();
    let is_demanded = left.iter().any(|param| command.demands(param, &called.args));
    if is_demanded { left } else { Vec::new() }
}

/// A command with the values of its options, and the file among them with its parameter.
fn values(command: &Command, options: &[ResolvedOption<'_>]) -> (Called, Option<(String, Fetch)>) {
    let mut called = Called { name: command.name.clone(), ..Called::default() };
    let mut file = None;
    for option in options {
        let kind = command.param(option.name).map(|param| param.kind);
        let text = match &option.value {
            ResolvedValue::String(text) | ResolvedValue::Autocomplete { value: text, .. } => plain(text, kind),
            ResolvedValue::Integer(number) => number.to_string(),
            ResolvedValue::Number(number) => number.to_string(),
            ResolvedValue::Boolean(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            ResolvedValue::Channel(channel) => channel.id.to_string(),
            ResolvedValue::Unresolved(Unresolved::Channel(id)) => id.to_string(),
            ResolvedValue::User(User { id, .. }, _) | ResolvedValue::Unresolved(Unresolved::User(id)) => {
                let name = option.name.strip_suffix(PERSON_SUFFIX).unwrap_or(option.name);
                called.args.insert(name.to_owned(), format!("{SERVICE}/{id}"));
                continue;
            }
            ResolvedValue::Attachment(sent) => {
                let fetch = Fetch { name: sent.filename.clone(), url: sent.url.clone(), bytes: sent.size as usize };
                let name = option.name.strip_suffix(FILE_SUFFIX).unwrap_or(option.name);
                file = Some((name.to_owned(), fetch));
                continue;
            }
            _ => continue,
        };
        match option.name {
            ROOM_KEY => called.room = Some(text.trim().trim_start_matches('@').to_owned()),
            BECAUSE => called.because = Some(text),
            name => {
                called.args.insert(name.to_owned(), text);
            }
        }
    }
    (called, file)
}

/// Puts the names of players in the place of their mentions; a mention of nobody who has a seat stays.
async fn seated(shared: &Shared, command: &Command, called: &mut Called, channel: u64) {
    for param in command.params.iter().filter(|param| param.kind == Kind::Player) {
        let Some(text) = called.args.get_mut(&param.name) else { continue };
        let Some((service, id)) = text.split_once('/').filter(|(service, _)| *service == SERVICE) else { continue };
        let account = Account { service: service.to_owned(), id: id.to_owned() };
        if let Some((_, name)) = shared.desk.seat_of(&account, &forum(channel)).await {
            *text = name;
        }
    }
}

/// A value as the service knows it: a mention of a person is their account, one of a channel its id.
fn plain(text: &str, kind: Option<Kind>) -> String {
    let inner = text.trim().strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match (kind, inner) {
        (Some(Kind::Account | Kind::Player), Some(inner)) => {
            let id = inner.trim_start_matches(['@', '!']);
            if digits(id) { format!("{}/{id}", SERVICE) } else { text.to_owned() }
        }
        (Some(Kind::Forum), Some(inner)) => {
            let id = inner.trim_start_matches('#');
            if digits(id) { id.to_owned() } else { text.to_owned() }
        }
        _ => text.to_owned(),
    }
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
