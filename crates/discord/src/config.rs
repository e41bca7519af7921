//! An operator's settings of Discord, all of them by environment: the token is a password.

use std::time::Duration;

use figure::Ground;

/// The variable with the bot's token. Without it the bot is not on Discord.
pub const TOKEN_VARIABLE: &str = "DISCORD_TOKEN";

/// The variable with another base of Discord's API, without `/api`.
pub const API_BASE_VARIABLE: &str = "DISCORD_API_BASE";

/// The variable with the servers for which alone commands are registered, by id.
pub const GUILD_IDS_VARIABLE: &str = "DISCORD_GUILD_IDS";

/// The variable with the roles whose holders moderate as those with Manage Server do, by id.
pub const MODERATOR_ROLES_VARIABLE: &str = "DISCORD_MODERATOR_ROLES";

/// The variable with the ground of pictures: `dark` or `light`.
pub const PICTURES_VARIABLE: &str = "DISCORD_PICTURES";

/// How long an answer may take before it is promised for later. Discord waits 3 seconds for the first byte, and the way
/// there takes its part.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How long an answer about something that goes on stands before it is changed. A reader sees it move, and Discord's
/// limit of five changes in five seconds stays far away.
const REFRESH: Duration = Duration::from_secs(5);

/// How long the first retry of a request waits; each further one waits twice as long.
const RETRY_FIRST: Duration = Duration::from_millis(500);

/// A token, which only the connection may read.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token itself, for the one place that sends it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The bot's token.
    pub token: Token,
    /// Another base of the API, without a slash at its end; none for Discord's own.
    pub api_base: Option<String>,
    /// The servers for which commands are registered; all that the bot is in when there are none.
    pub guilds: Vec<u64>,
    /// Roles that moderate.
    pub moderator_roles: Vec<u64>,
    /// What pictures stand on. A bot cannot know what a reader chose for Discord itself, which is dark by itself.
    pub pictures: Ground,
    /// How long an answer may take before it is promised for later; less than 3 seconds. Nothing promises always.
    pub patience: Duration,
    /// How long the first retry of a request waits.
    pub retry_first: Duration,
    /// How long an answer or a message about something that goes on stands before it is changed.
    pub refresh: Duration,
}

impl Settings {
    /// With a token, and everything else as it is by itself.
    pub fn new(token: impl Into<String>) -> Self {
        Self {
            token: Token(token.into()),
            api_base: None,
            guilds: Vec::new(),
            moderator_roles: Vec::new(),
            pictures: Ground::default(),
            patience: PATIENCE,
            retry_first: RETRY_FIRST,
            refresh: REFRESH,
        }
    }

    /// Gathers the settings from variables; nothing where no token is set.
    ///
    /// # Errors
    ///
    /// A sentence that names the variable.
    pub fn gather(environment: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let get = |name: &str| environment(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let Some(token) = get(TOKEN_VARIABLE) else { return Ok(None) };
        // Serenity puts the word for bots before a token that has none.
        if !token.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
            return Err(format!("{TOKEN_VARIABLE}: it is no token; copy it anew from Discord's developer portal."));
        }
        let mut settings = Self::new(token);
        if let Some(base) = get(API_BASE_VARIABLE) {
            let url = url::Url::parse(&base).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            // A user and a password would go in the place of the token, and into messages.
            let plain = |url: &url::Url| url.username().is_empty() && url.password().is_none();
            if url.is_none_or(|url| url.host().is_none() || !plain(&url)) {
                return Err(format!(
                    "{API_BASE_VARIABLE}: it is a web address without /api, user and password, like https://discord.com."
                ));
            }
            settings.api_base = Some(base.trim_end_matches('/').to_owned());
        }
        settings.guilds = ids(GUILD_IDS_VARIABLE, get(GUILD_IDS_VARIABLE))?;
        settings.moderator_roles = ids(MODERATOR_ROLES_VARIABLE, get(MODERATOR_ROLES_VARIABLE))?;
        settings.pictures = match get(PICTURES_VARIABLE).as_deref() {
            None | Some("dark") => Ground::Dark,
            Some("light") => Ground::Light,
            Some(other) => return Err(format!("{PICTURES_VARIABLE}: “{other}” is neither dark nor light.")),
        };
        Ok(Some(settings))
    }
}

/// Ids with commas or spaces between them.
fn ids(variable: &str, text: Option<String>) -> Result<Vec<u64>, String> {
    let text = text.unwrap_or_default();
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let read = |word: &str| word.parse().ok().filter(|id| *id > 0);
    words.map(|word| read(word).ok_or_else(|| format!("{variable}: “{word}” is no id of Discord's."))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(pairs: &[(&str, &str)]) -> Result<Option<Settings>, String> {
        Settings::gather(&|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn without_a_token_there_is_no_discord() {
        assert_eq!(gathered(&[(GUILD_IDS_VARIABLE, "1")]), Ok(None));
        assert_eq!(gathered(&[(TOKEN_VARIABLE, " ")]), Ok(None));
    }

    #[test]
    fn ids_and_the_base_are_read_and_the_token_is_not_shown() {
        let pairs = [
            (TOKEN_VARIABLE, "abc"),
            (API_BASE_VARIABLE, "http://127.0.0.1:80/"),
            (GUILD_IDS_VARIABLE, "1, 2"),
            (MODERATOR_ROLES_VARIABLE, "3"),
            (PICTURES_VARIABLE, "light"),
        ];
        let settings = gathered(&pairs).unwrap().unwrap();
        assert_eq!(settings.api_base.as_deref(), Some("http://127.0.0.1:80"));
        assert_eq!((&settings.guilds[..], &settings.moderator_roles[..]), (&[1, 2][..], &[3][..]));
        assert_eq!(settings.pictures, Ground::Light);
        assert!(!format!("{settings:?}").contains("abc"));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let token = (TOKEN_VARIABLE, "abc");
        let wrong = [
            (GUILD_IDS_VARIABLE, "here"),
            (API_BASE_VARIABLE, "discord"),
            (MODERATOR_ROLES_VARIABLE, "0"),
            (PICTURES_VARIABLE, "pink"),
        ];
        for wrong in wrong {
            assert!(gathered(&[token, wrong]).unwrap_err().starts_with(wrong.0));
        }
        assert!(!gathered(&[(TOKEN_VARIABLE, "a\u{e9}b")]).unwrap_err().contains('\u{e9}'));
    }
}
