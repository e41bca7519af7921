//! The log: lines for the operator, on standard error, one an action.
//!
//! A line says who did what where and how long it took. The types that are logged keep out of it what people typed,
//! programs and passwords.

use std::io::IsTerminal as _;

use tracing_subscriber::{EnvFilter, filter::LevelFilter};

use crate::config::{Environment, LOG_FORMAT_VARIABLE, LOG_VARIABLE};
use adapter_console::LogWriter;

/// What is logged when nothing else is said: an action a line, and of the crates underneath only what is wrong.
const FILTER_DEFAULT: &str = "warn,rulekeeper=info";

/// The same where somebody types at the terminal that the log would run into.
const FILTER_BESIDE_A_PROMPT: &str = "warn";

/// Starts logging, as far as its settings can be used; only the first call counts. `beside_a_prompt` says that somebody
/// types at this terminal.
pub fn start(beside_a_prompt: bool, environment: Environment<'_>) {
    let default = if beside_a_prompt { FILTER_BESIDE_A_PROMPT } else { FILTER_DEFAULT };
    let wanted = environment(LOG_VARIABLE).and_then(|wanted| filter(&wanted));
    let filter = wanted.unwrap_or_else(|| EnvFilter::new(default));
    let colours = std::io::stderr().is_terminal() && environment("NO_COLOR").is_none();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(LogWriter::default).with_ansi(colours);
    // A second start, as tests do it, leaves the first one in place.
    let _ = match environment(LOG_FORMAT_VARIABLE).as_deref() {
        Some("json") => log.json().flatten_event(true).with_span_list(false).try_init(),
        _ => log.try_init(),
    };
}

/// What is wrong with the settings of the log, each in a sentence that begins with the variable.
pub fn mistakes(environment: Environment<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    if environment(LOG_VARIABLE).is_some_and(|wanted| filter(&wanted).is_none()) {
        wrong.push(format!("{LOG_VARIABLE}: write a level (error, warn, info, debug) or rulekeeper=debug."));
    }
    if environment(LOG_FORMAT_VARIABLE).is_some_and(|form| form != "text" && form != "json") {
        wrong.push(format!("{LOG_FORMAT_VARIABLE}: it is text or json."));
    }
    wrong
}

/// A filter, where every part of it names a level. The library takes any word for the name of a part of the program, of
/// which then everything is logged.
fn filter(wanted: &str) -> Option<EnvFilter> {
    let is_whole = |part: &str| part.contains('=') || part.parse::<LevelFilter>().is_ok();
    let parts: Vec<&str> = wanted.split(',').map(str::trim).collect();
    let whole = parts.iter().all(|part| !part.is_empty() && is_whole(part));
    if whole { EnvFilter::try_new(parts.join(",")).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_means_nothing_is_named() {
        let wrong = |variable: &'static str, value: &'static str| {
            mistakes(&move |name: &str| (name == variable).then(|| value.to_owned()))
        };
        for value in ["loud", "rulekeeper=loud", "warn,", "warn,rulekeeper"] {
            assert!(wrong(LOG_VARIABLE, value)[0].starts_with(LOG_VARIABLE), "{value}");
        }
        for value in ["debug", "OFF", "warn,rulekeeper=info", "warn, rulekeeper_irc=debug"] {
            assert_eq!(wrong(LOG_VARIABLE, value), Vec::<String>::new(), "{value}");
        }
        assert!(wrong(LOG_FORMAT_VARIABLE, "yaml")[0].starts_with(LOG_FORMAT_VARIABLE));
        assert_eq!(wrong(LOG_FORMAT_VARIABLE, "json"), Vec::<String>::new());
    }
}
