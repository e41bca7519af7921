//! The gateway's events, sent to their handlers.
//!
//! poise is told of no command. Those that a place has are its rooms', and change with their rules. So all of them come as
//! interactions that poise does not know.

use std::{convert::Infallible, sync::Arc};

use poise::{Framework, FrameworkContext, FrameworkError};
use serenity::all::{
    AutocompleteChoice, ChannelType, CreateAutocompleteResponse, CreateInteractionResponse, FullEvent, Interaction,
};

use super::{deliver, interact, service::SERVICE, shared::Shared};

/// What the gateway's events mean.
pub(super) fn framework(shared: &Arc<Shared>) -> Framework<Arc<Shared>, Infallible> {
    let shared = shared.clone();
    let options = poise::FrameworkOptions {
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

fn choices_of(choices: Vec<(String, String)>) -> CreateAutocompleteResponse {
    let choices = choices.into_iter().map(|(name, value)| AutocompleteChoice::new(name, value)).collect();
    CreateAutocompleteResponse::new().set_choices(choices)
}

async fn complain(error: FrameworkError<'_, Arc<Shared>, Infallible>) {
    match error {
        FrameworkError::UnknownInteraction { framework, interaction, .. } => {
            let shared = framework.user_data;
            let _busy = shared.busy.acquire().await;
            let Some(choices) = interact::complete(shared, interaction).await else {
                return interact::command(shared, interaction).await;
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
    let message = shared.render(&document, None).parts(0, "", None).message;
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
            guilds.roles_here(guild.id.get(), guild.roles.keys().map(|role| role.get()));
            if guilds.is_new(guild.id.get()) {
                greet(shared, guild.owner_id.get()).await;
            }
        }
        // An outage is no removal.
        FullEvent::GuildDelete { incomplete, .. } if !incomplete.unavailable => {
            tracing::info!(server = incomplete.id.get(), "removed from a server");
            guilds.left(incomplete.id.get());
        }
        FullEvent::GuildRoleCreate { new } => guilds.role_here(new.guild_id.get(), new.id.get()),
        FullEvent::GuildRoleDelete { guild_id, removed_role_id, .. } => {
            guilds.role_lost(guild_id.get(), removed_role_id.get());
        }
        // Without the intent for members these are the bot's own.
        FullEvent::GuildRoleUpdate { .. } | FullEvent::GuildMemberUpdate { .. } => guilds.roles_changed.notify_one(),
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
