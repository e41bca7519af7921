//! Whether Discord takes the token: who the bot is, and where the gateway is. Nothing is done there.

use serenity::{all::LightMethod, http::Route};

use super::{config::Settings, rest::Rest};

/// How often a question is asked that an operator waits for.
const ASKED_MAX_TRIES: u32 = 2;

/// Asks Discord who the bot is.
///
/// # Errors
/// Why it does not answer, for the operator; without the token.
pub async fn ask(settings: &Settings) -> Result<String, String> {
    let rest = Rest::new(settings)?;
    let get = async |route| {
        rest.send((LightMethod::Get, route), None, None, ASKED_MAX_TRIES).await.map_err(|why| why.to_string())
    };
    let me = get(Route::UserMe).await?;
    let gateway = get(Route::Gateway).await?;
    let name = me["username"].as_str().ok_or("Discord does not say who the bot is")?;
    gateway["url"].as_str().ok_or("Discord names no gateway")?;
    Ok(format!("the token is taken, and the bot is {name}"))
}
