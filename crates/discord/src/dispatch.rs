//! The gateway's events, sent to their handlers: the commands as poise knows them, and everything else.
//!
//! poise needs a function for each command and cannot be given closures. So one function serves every leaf of the
//! catalogue and finds its command in the leaf's own data.

use std::{borrow::Cow, convert::Infallible, sync::Arc};

use poise::{ApplicationContext, BoxFuture, CommandParameter, Framework, FrameworkContext, FrameworkError};
use serenity::all::{
    AutocompleteChoice, ChannelType, CreateAutocompleteResponse, CreateInteractionResponse, FullEvent, Interaction,
};

use super::{deliver, interact, register::completes, service::SERVICE, shared::Shared};
use catalogue::{Catalogue, Command, ROOM_KEY, RoomUse, hint::ACT};

type Leaf = poise::Command<Arc<Shared>, Infallible>;

/// What a leaf's data says it is.
enum Meaning {
    Command(Arc<Command>),
    Act,
}

/// All commands of the catalogue, and what the other events mean. Servers see those that are registered there.
pub(super) fn framework(shared: &Arc<Shared>) -> Framework<Arc<Shared>, Infallible> {
    let shared = shared.clone();
    let options = poise::FrameworkOptions {
        commands: commands(Catalogue::all()),
        on_error: |error| Box::pin(complain(error)),
        event_handler: |context, event| Box::pin(happened(context, event)),
        allowed_mentions: Some(serenity::all::CreateAllowedMentions::new()),
        manual_cooldowns: true,
        ..Default::default()
    };
    let builder = Framework::builder().options(options).initialize_owners(false);
    builder
        .setup(move |_, ready, _| {
            shared.rest.set_application(ready.application.id);
            shared.guilds.connected(ready.guilds.iter().map(|guild| guild.id.get()));
            shared.guilds.changed.notify_one();
            shared.desk.known_as(SERVICE, vec![ready.user.name.to_string()]);
            tracing::info!(bot = %ready.user.name, servers = ready.guilds.len(), "on Discord");
            Box::pin(std::future::ready(Ok(shared)))
        })
        .build()
}

fn commands(catalogue: &Catalogue) -> Vec<Leaf> {
    let mut tops: Vec<Leaf> = Vec::new();
    for command in catalogue.commands() {
        match command.name.split_once(' ') {
            None => tops.push(leaf(&command.name, command)),
            Some((head, name)) => {
                let place = tops.iter().position(|top| top.name == head).unwrap_or_else(|| {
                    // Every ancestor needs an action, or poise finds nothing below it.
                    let top = Leaf { name: Cow::Owned(head.to_owned()), slash_action: Some(run), ..Leaf::default() };
                    tops.push(top);
                    tops.len() - 1
                });
                tops[place].subcommands.push(leaf(name, command));
            }
        }
    }
    let custom_data = Box::new(Meaning::Act);
    tops.push(Leaf { name: Cow::Borrowed(ACT), slash_action: Some(run), custom_data, ..Leaf::default() });
    tops
}

fn leaf(name: &str, command: &Arc<Command>) -> Leaf {
    let mut completed: Vec<&str> =
        command.params.iter().filter(|param| completes(command, param)).map(|param| param.name.as_str()).collect();
    if command.room != RoomUse::None {
        completed.push(ROOM_KEY);
    }
    Leaf {
        name: Cow::Owned(name.to_owned()),
        slash_action: Some(run),
        parameters: completed.into_iter().map(parameter).collect(),
        custom_data: Box::new(Meaning::Command(command.clone())),
        ..Leaf::default()
    }
}

/// A parameter that is completed: poise looks for no others.
fn parameter(name: &str) -> CommandParameter<Arc<Shared>, Infallible> {
    CommandParameter {
        name: Cow::Owned(name.to_owned()),
        name_localizations: Cow::Borrowed(&[]),
        description: None,
        description_localizations: Cow::Borrowed(&[]),
        required: false,
        channel_types: None,
        choices: Cow::Borrowed(&[]),
        type_setter: None,
        autocomplete_callback: Some(|context, begun| Box::pin(complete(context, begun))),
        __non_exhaustive: (),
    }
}

type Ran<'a> = Result<(), FrameworkError<'a, Arc<Shared>, Infallible>>;

fn run(context: ApplicationContext<'_, Arc<Shared>, Infallible>) -> BoxFuture<'_, Ran<'_>> {
    Box::pin(async move {
        let shared = context.framework.user_data;
        // A closed semaphore is never made: the permit only says that somebody is at work.
        let _busy = shared.busy.acquire().await;
        match context.command_tree.last().and_then(|leaf| leaf.custom_data.downcast_ref()) {
            Some(Meaning::Command(command)) => {
                interact::slash(shared, context.interaction, command, context.args).await;
            }
            Some(Meaning::Act) => interact::act(shared, context.interaction, context.args).await,
            None => interact::other(shared, context.interaction).await,
        }
        Ok(())
    })
}

async fn complete(context: ApplicationContext<'_, Arc<Shared>, Infallible>, begun: &str) -> CreateAutocompleteResponse {
    let shared = context.framework.user_data;
    let choices = match context.command_tree.last().and_then(|leaf| leaf.custom_data.downcast_ref()) {
        Some(Meaning::Command(command)) => {
            interact::complete(shared, context.interaction, command, context.args, begun).await
        }
        _ => Vec::new(),
    };
    choices_of(choices)
}

fn choices_of(choices: Vec<(String, String)>) -> CreateAutocompleteResponse {
    let choices = choices.into_iter().map(|(name, value)| AutocompleteChoice::new(name, value)).collect();
    CreateAutocompleteResponse::new().set_choices(choices)
}

async fn complain(error: FrameworkError<'_, Arc<Shared>, Infallible>) {
    match error {
        // A command of a room's own, or one that another version of the program registered.
        FrameworkError::UnknownInteraction { framework, interaction, .. } => {
            let shared = framework.user_data;
            let _busy = shared.busy.acquire().await;
            let Some(choices) = interact::complete_other(shared, interaction).await else {
                return interact::other(shared, interaction).await;
            };
            let response = CreateInteractionResponse::Autocomplete(choices_of(choices));
            if let Err(why) = interaction.create_response(&framework.serenity_context.http, response).await {
                tracing::warn!(%why, "a completion did not reach Discord");
            }
        }
        other => tracing::error!(error = %other, "an event of Discord's was not handled"),
    }
}

/// Tells whose server it is how a game comes there: who brought the bot Discord does not say.
async fn greet(shared: &Shared, owner: u64) {
    let document = shared.desk.greeting();
    let message = shared.render(&document).parts(0, "", None).message;
    if let Err(failure) = deliver::to_person(shared, owner, &message, None).await {
        tracing::info!(owner, %failure, "the owner of a new server takes no private messages");
    }
}

async fn happened(context: FrameworkContext<'_, Arc<Shared>, Infallible>, event: &FullEvent) -> Result<(), Infallible> {
    let shared = context.user_data;
    let guilds = &shared.guilds;
    match event {
        FullEvent::GuildCreate { guild, .. } => {
            let channels = guild.channels.values().chain(&guild.threads).map(|channel| channel.id.get());
            guilds.here(guild.id.get(), channels);
            if guilds.is_new(guild.id.get()) {
                greet(shared, guild.owner_id.get()).await;
            }
        }
        // An outage is no removal.
        FullEvent::GuildDelete { incomplete, .. } if !incomplete.unavailable => {
            tracing::info!(server = incomplete.id.get(), "removed from a server");
            guilds.left(incomplete.id.get());
        }
        FullEvent::ChannelCreate { channel } | FullEvent::ThreadCreate { thread: channel }
            if channel.kind != ChannelType::Category =>
        {
            guilds.has(channel.guild_id.get(), channel.id.get());
        }
        FullEvent::ChannelDelete { channel, .. } => guilds.lost(channel.guild_id.get(), channel.id.get()),
        FullEvent::ThreadDelete { thread, .. } => guilds.lost(thread.guild_id.get(), thread.id.get()),
        FullEvent::InteractionCreate { interaction: Interaction::Component(pressed) } => {
            let _busy = shared.busy.acquire().await;
            interact::press(shared, pressed).await;
        }
        FullEvent::InteractionCreate { interaction: Interaction::Modal(sent) } => {
            let _busy = shared.busy.acquire().await;
            interact::submit(shared, sent).await;
        }
        _ => {}
    }
    Ok(())
}
