//! The log: lines for the operator, on standard error, one an action.
//!
//! What is logged says who did what where and how long it took. Absent from it, by the types that are logged: texts that
//! people typed, programs, passwords.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::{
    adapters::console::LogWriter,
    config::{ConfigError, Environment, LOG_FORMAT_VARIABLE, LOG_VARIABLE},
};

/// What is logged when nothing else is said: an action a line, and of the crates underneath only what is wrong.
const FILTER_DEFAULT: &str = "warn,rulekeeper=info";

/// The same where somebody types at the terminal that the log would run into.
const FILTER_BESIDE_A_PROMPT: &str = "warn";

/// Starts logging; only the first call counts. `beside_a_prompt` says that somebody types at this terminal.
///
/// # Errors
///
/// A sentence, when a setting of the log means nothing.
pub fn start(beside_a_prompt: bool, environment: Environment<'_>) -> Result<(), ConfigError> {
    let default = if beside_a_prompt { FILTER_BESIDE_A_PROMPT } else { FILTER_DEFAULT };
    let wanted = environment(LOG_VARIABLE);
    let filter = EnvFilter::try_new(wanted.as_deref().unwrap_or(default)).map_err(|_| {
        ConfigError::new(format!("{LOG_VARIABLE}: write a level (error, warn, info, debug) or rulekeeper=debug."))
    })?;
    let colours = std::io::stderr().is_terminal() && environment("NO_COLOR").is_none();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(LogWriter::default).with_ansi(colours);
    // A second start, as tests do it, leaves the first one in place.
    let _ = match environment(LOG_FORMAT_VARIABLE).as_deref() {
        None | Some("text") => log.try_init(),
        Some("json") => log.json().flatten_event(true).try_init(),
        Some(_) => return Err(ConfigError::new(format!("{LOG_FORMAT_VARIABLE}: it is text or json."))),
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_means_nothing_is_named() {
        let format = |name: &str| (name == LOG_FORMAT_VARIABLE).then(|| "yaml".to_owned());
        assert!(start(false, &format).unwrap_err().to_string().contains(LOG_FORMAT_VARIABLE));
        let filter = |name: &str| (name == LOG_VARIABLE).then(|| "rulekeeper=loud".to_owned());
        assert!(start(false, &filter).unwrap_err().to_string().contains(LOG_VARIABLE));
    }
}
