//! Views of the crate's messages: source, tags and numerics by name.
//!
//! The crate parses what it knows into variants and leaves the rest raw; here both look the same.

use irc_proto::{Command, Message, Prefix};

/// Who sent a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The nick.
    pub(super) nick: String,
    /// The user name; empty when the server left it out.
    pub(super) user: String,
    /// The host; empty when the server left it out.
    pub(super) host: String,
}

impl Source {
    /// `user@host`, or nothing when the server left it out.
    pub(super) fn userhost(&self) -> Option<String> {
        (!self.user.is_empty() || !self.host.is_empty()).then(|| format!("{}@{}", self.user, self.host))
    }
}

/// The client that sent the message; `None` when a server did.
pub(super) fn source(message: &Message) -> Option<Source> {
    match message.prefix.as_ref()? {
        Prefix::Nickname(nick, user, host) => {
            Some(Source { nick: nick.clone(), user: user.clone(), host: host.clone() })
        }
        Prefix::ServerName(_) => None,
    }
}

/// The value of a tag: `Some("")` for a tag without one, `None` for a tag that is not there.
pub(super) fn tag<'a>(message: &'a Message, key: &str) -> Option<&'a str> {
    let tags = message.tags.as_ref()?;
    tags.iter().find(|tag| tag.0 == key).map(|tag| tag.1.as_deref().unwrap_or(""))
}

/// The number and the parameters of a numeric, whether the crate knows it or not. The first parameter is the own
/// nick.
pub(super) fn numeric(command: &Command) -> Option<(u16, Vec<&str>)> {
    match command {
        Command::Response(response, params) => Some((*response as u16, params.iter().map(String::as_str).collect())),
        Command::Raw(verb, params) if verb.len() == 3 => {
            Some((verb.parse().ok()?, params.iter().map(String::as_str).collect()))
        }
        _ => None,
    }
}

/// The text of a server's `PONG`: its last parameter.
pub(super) fn pong(command: &Command) -> Option<&str> {
    match command {
        Command::PONG(_, Some(token)) | Command::PONG(token, None) => Some(token),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Message {
        line.parse().unwrap()
    }

    #[test]
    fn known_and_unknown_numerics_look_the_same() {
        for (line, number) in [(":s 001 me :hi", 1), (":s 330 me a acc :is", 330), (":s 474 me #a :no", 474)] {
            let message = parse(line);
            let (found, params) = numeric(&message.command).unwrap();
            assert_eq!((found, params[0]), (number, "me"));
        }
        assert!(numeric(&parse(":s FOO me").command).is_none());
    }

    #[test]
    fn a_tag_without_a_value_is_there() {
        let message = parse("@account;msgid=a\\sb :a!b@c PRIVMSG #x :hi");
        assert_eq!(
            (tag(&message, "account"), tag(&message, "msgid"), tag(&message, "x")),
            (Some(""), Some("a b"), None)
        );
        assert_eq!(source(&message).unwrap().userhost().unwrap(), "b@c");
    }

    #[test]
    fn a_pong_is_found_with_and_without_a_server() {
        assert_eq!(pong(&parse(":s PONG s :rk-1").command), Some("rk-1"));
        assert_eq!(pong(&parse("PONG rk-1").command), Some("rk-1"));
    }
}
