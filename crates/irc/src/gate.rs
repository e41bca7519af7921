//! The one outgoing gate: every line that leaves for a network is made here.
//!
//! Text that reaches a server unchecked does harm that its author may intend. A bare `\r` makes one server glue the
//! *next* message on, so that a secret of one person appears in a channel. A NUL wedges another. A line over 512 bytes
//! disconnects or is cut in the middle of a character. A leading `\x01` makes the bot speak CTCP for a player.
//! [`WireLine`] has no other constructor than the functions of this module, and the connection takes nothing else. When
//! a line goes out, and in which order, is decided elsewhere.

use irc_proto::{Command, Message, message::Tag};
use unicode_segmentation::UnicodeSegmentation;

use super::names::is_target;

/// Longest line on the wire, in bytes, its CR LF included and its tags not (RFC 1459, 2.3).
pub(super) const WIRE_LINE_MAX_BYTES: usize = 512;

/// Longest tag section that a client may send, in bytes (the `message-tags` specification).
pub(super) const CLIENT_TAGS_MAX_BYTES: usize = 4094;

/// Length that is assumed of the own host until the server has shown it, in bytes: the longest that servers pass on.
pub(super) const HOST_ASSUMED_BYTES: usize = 64;

/// Length that is assumed of the own user name until the server has shown it, in bytes (RFC 2812's nine, and a `~`).
pub(super) const USER_ASSUMED_BYTES: usize = 10;

/// Least room for text that a line has to offer, in bytes; with less, the target is refused. It holds any character
/// and most grapheme clusters.
pub(super) const TEXT_ROOM_MIN_BYTES: usize = 32;

/// Who the bot is on the wire: the server puts `:nick!user@host ` before what it passes on, and that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    /// The own nick at the moment.
    pub(super) nick: String,
    /// The own user name, once seen.
    pub(super) user: Option<String>,
    /// The own host, once seen.
    pub(super) host: Option<String>,
}

impl Mask {
    /// The length of `:nick!user@host `, in bytes.
    pub(super) fn prefix_bytes(&self) -> usize {
        let user = self.user.as_ref().map_or(USER_ASSUMED_BYTES, String::len);
        let host = self.host.as_ref().map_or(HOST_ASSUMED_BYTES, String::len);
        ":!@ ".len() + self.nick.len() + user + host
    }
}

/// How text is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// As an ordinary message.
    Privmsg,
    /// As a notice, which no bot answers.
    Notice,
}

impl Verb {
    fn word(self) -> &'static str {
        match self {
            Self::Privmsg => "PRIVMSG",
            Self::Notice => "NOTICE",
        }
    }
}

/// Why a line was not made. Holds no text: it may be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unsendable {
    /// The target is empty, a list, a mask, too long, or holds a character that breaks the line.
    #[error("the target cannot stand in a line")]
    Target,
    /// A word of a command is empty or holds a space or a control character.
    #[error("a parameter cannot stand in a line")]
    Parameter,
    /// The whole line is longer than [`WIRE_LINE_MAX_BYTES`].
    #[error("the line is longer than {WIRE_LINE_MAX_BYTES} bytes")]
    Length,
}

/// A line that is fit for the wire: one command, within the limit, without CR, LF or NUL inside.
#[derive(Clone, PartialEq)]
pub(super) struct WireLine {
    message: Message,
    bytes: usize,
}

/// The text may be a secret: only the verb, the target and the length are shown.
impl std::fmt::Debug for WireLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (verb, target) = match &self.message.command {
            Command::Raw(verb, params) if matches!(verb.as_str(), "PRIVMSG" | "NOTICE" | "JOIN" | "PART") => {
                (verb.as_str(), params.first().map_or("", String::as_str))
            }
            Command::Raw(verb, _) => (verb.as_str(), ""),
            _ => ("", ""),
        };
        f.debug_struct("WireLine").field("verb", &verb).field("target", &target).field("bytes", &self.bytes).finish()
    }
}

impl WireLine {
    fn new(command: Command) -> Result<Self, Unsendable> {
        let message = Message { tags: None, prefix: None, command };
        let text = message.to_string();
        let body = text.strip_suffix("\r\n").unwrap_or(&text);
        if body.contains(['\r', '\n', '\0']) {
            return Err(Unsendable::Parameter);
        }
        if text.len() > WIRE_LINE_MAX_BYTES {
            return Err(Unsendable::Length);
        }
        Ok(Self { bytes: text.len(), message })
    }

    /// The line with these tags; those that would not fit or could break the line are left out.
    #[must_use]
    pub(super) fn tagged(mut self, tags: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut length = "@ ".len();
        let mut kept = Vec::new();
        for (key, value) in tags {
            // Escaping at most doubles a value.
            length += key.len() + 2 * value.len() + "=;".len();
            let clean = !value.contains(['\0', '\r', '\n']) && !key.contains(['\0', '\r', '\n', ' ', ';', '=']);
            if clean && length <= CLIENT_TAGS_MAX_BYTES {
                kept.push(Tag(key, Some(value)));
            }
        }
        if !kept.is_empty() {
            self.message.tags = Some(kept);
            self.bytes = self.message.to_string().len();
        }
        self
    }

    /// Its length on the wire, in bytes, tags and CR LF included.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The message for the codec.
    pub(super) fn into_message(self) -> Message {
        self.message
    }

    /// The line as it will stand on the wire, CR LF included. Only tests look at it: it may be a secret.
    #[cfg(test)]
    pub(super) fn text(&self) -> String {
        self.message.to_string()
    }
}

/// How much text fits behind `verb target :` when the server puts the mask before it, in bytes.
///
/// # Errors
/// When the target is none, or leaves less than [`TEXT_ROOM_MIN_BYTES`].
pub(super) fn room(verb: Verb, target: &str, mask: &Mask) -> Result<usize, Unsendable> {
    if !is_target(target) {
        return Err(Unsendable::Target);
    }
    let taken = mask.prefix_bytes() + verb.word().len() + target.len() + "  :\r\n".len();
    match WIRE_LINE_MAX_BYTES.checked_sub(taken) {
        Some(room) if room >= TEXT_ROOM_MIN_BYTES => Ok(room),
        _ => Err(Unsendable::Target),
    }
}

/// The text in as many lines as it takes, in order; together they hold every character of it.
///
/// # Errors
/// When the target is none: nothing is sent then.
pub(super) fn say(verb: Verb, target: &str, text: &str, mask: &Mask) -> Result<Vec<WireLine>, Unsendable> {
    let room = room(verb, target, mask)?;
    wrap(text, room)
        .into_iter()
        .map(|piece| WireLine::new(Command::Raw(verb.word().to_owned(), vec![target.to_owned(), piece])))
        .collect()
}

/// A CTCP reply: a notice between `\x01`, cut to one line.
///
/// # Errors
/// When the target is none.
pub(super) fn ctcp_reply(target: &str, text: &str, mask: &Mask) -> Result<WireLine, Unsendable> {
    let room = room(Verb::Notice, target, mask)? - "\x01\x01".len();
    let text = wrap(text, room).swap_remove(0);
    WireLine::new(Command::Raw(Verb::Notice.word().to_owned(), vec![target.to_owned(), format!("\x01{text}\x01")]))
}

/// Any other command. Every parameter but the last is one word; the last may hold spaces.
///
/// # Errors
/// When a parameter would break the line, or the line is too long. Nothing is replaced: a password with a CR in it
/// is refused, not changed.
pub(super) fn command(verb: &str, params: &[&str]) -> Result<WireLine, Unsendable> {
    let word = |text: &str| !text.is_empty() && !text.starts_with(':') && !text.contains([' ', '\r', '\n', '\0']);
    if !word(verb) {
        return Err(Unsendable::Parameter);
    }
    if let Some((last, words)) = params.split_last()
        && (!words.iter().all(|text| word(text)) || last.contains(['\r', '\n', '\0']))
    {
        return Err(Unsendable::Parameter);
    }
    let params = params.iter().map(|text| (*text).to_owned()).collect();
    WireLine::new(Command::Raw(verb.to_owned(), params))
}

/// The text with a space for everything that would break a line or speak for the bot. That is CR, LF, NUL, `\x01` and
/// the other control characters, but not the codes for bold, colour and the like.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !is_formatting(c) { ' ' } else { c }).collect()
}

/// Whether this is one of the codes for bold, colour, reset, monospace, reverse, italics, strike and underline.
pub(super) fn is_formatting(c: char) -> bool {
    matches!(c, '\x02' | '\x03' | '\x04' | '\x0f' | '\x11' | '\x16' | '\x1d' | '\x1e' | '\x1f')
}

/// The cleaned text in pieces of at most `room` bytes each. It is cut after a space where there is one in the second
/// half of the piece, else between grapheme clusters, else between characters. Never empty: empty text is one space,
/// because a server refuses to pass on nothing.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let text = clean(text);
    let mut rest = text.as_str();
    let mut pieces = Vec::new();
    while rest.len() > room {
        let (piece, behind) = rest.split_at(cut(rest, room));
        pieces.push(piece.to_owned());
        rest = behind;
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(if rest.is_empty() { " ".to_owned() } else { rest.to_owned() });
    }
    pieces
}

/// Where to cut text that is longer than `room`. It is at least one character on, at most `room` bytes (unless the
/// first character alone is longer, which [`TEXT_ROOM_MIN_BYTES`] rules out).
fn cut(text: &str, room: usize) -> usize {
    let mut hard = room;
    while !text.is_char_boundary(hard) {
        hard -= 1;
    }
    if hard == 0 {
        return text.chars().next().map_or(0, char::len_utf8);
    }
    if let Some(space) = text[..hard].rfind(' ')
        && space + 1 > hard / 2
    {
        return space + 1;
    }
    // A cluster that began in the first half is longer than half a line: cut it rather than the line.
    let soft = text.grapheme_indices(true).map(|(at, _)| at).take_while(|at| *at <= hard).last().unwrap_or(0);
    if soft > hard / 2 { soft } else { hard }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mask() -> Mask {
        Mask { nick: "Rulekeeper".to_owned(), user: None, host: None }
    }

    fn texts(lines: &[WireLine]) -> Vec<String> {
        lines.iter().map(WireLine::text).collect()
    }

    #[test]
    fn a_bare_cr_cannot_glue_the_next_message_on() {
        let lines = say(Verb::Privmsg, "#nomic", "hello\r", &mask()).unwrap();
        assert_eq!(texts(&lines), ["PRIVMSG #nomic :hello \r\n"]);
    }

    #[test]
    fn what_breaks_a_line_is_replaced_and_formatting_is_kept() {
        assert_eq!(clean("a\0b\rc\nd\te\x01ACTION\x7f"), "a b c d e ACTION ");
        assert_eq!(clean("\x02bold\x02 \x0304red\x0f"), "\x02bold\x02 \x0304red\x0f");
        assert_eq!(texts(&say(Verb::Notice, "bob", "", &mask()).unwrap()), ["NOTICE bob : \r\n"]);
    }

    #[test]
    fn a_text_cannot_begin_a_ctcp_request() {
        let lines = say(Verb::Privmsg, "#nomic", "\x01DCC SEND x 0 0 0\x01", &mask()).unwrap();
        assert!(!lines[0].text().contains('\x01'));
        let reply = ctcp_reply("bob", "PING 1\x01\r\nQUIT", &mask()).unwrap();
        assert_eq!(reply.text(), "NOTICE bob :\x01PING 1   QUIT\x01\r\n");
    }

    #[test]
    fn long_text_breaks_at_words() {
        let word = "abcdefgh ";
        let lines = wrap(&word.repeat(40), 100);
        assert!(lines.iter().all(|line| line.ends_with(' ') && line.len() <= 100));
        assert_eq!(lines.concat(), word.repeat(40));
    }

    #[test]
    fn a_flag_or_a_letter_with_marks_is_not_torn() {
        let flags = "\u{1f1e9}\u{1f1ea}".repeat(30);
        for piece in wrap(&flags, 100) {
            assert_eq!(piece.len() % 8, 0, "a flag is two characters of four bytes");
        }
        let zalgo = format!("a{}", "\u{301}".repeat(400));
        assert!(wrap(&zalgo, 100).iter().all(|piece| piece.len() <= 100));
    }

    #[test]
    fn unknown_hosts_are_taken_for_long_ones() {
        let known = Mask { nick: "n".to_owned(), user: Some("u".to_owned()), host: Some("h".to_owned()) };
        assert_eq!(known.prefix_bytes(), ":n!u@h ".len());
        assert_eq!(mask().prefix_bytes(), ":Rulekeeper!@ ".len() + USER_ASSUMED_BYTES + HOST_ASSUMED_BYTES);
    }

    #[test]
    fn commands_are_refused_not_mended() {
        assert_eq!(command("JOIN", &["#a", "k\ry"]), Err(Unsendable::Parameter));
        assert_eq!(command("PASS", &["a\nb"]), Err(Unsendable::Parameter));
        assert_eq!(command("NICK", &[&"n".repeat(600)]), Err(Unsendable::Length));
        assert_eq!(command("USER", &["a b", "0", "*", "Real name"]), Err(Unsendable::Parameter));
        assert_eq!(command("USER", &["u", "0", "*", "Real name"]).unwrap().text(), "USER u 0 * :Real name\r\n");
    }

    #[test]
    fn a_line_never_shows_its_text_in_debug() {
        let line = say(Verb::Privmsg, "bob", "secret", &mask()).unwrap().remove(0);
        let login = command("AUTHENTICATE", &["c2VjcmV0"]).unwrap();
        let shown = format!("{line:?} {login:?}");
        assert!(!shown.contains("secret") && !shown.contains("c2VjcmV0") && shown.contains("bob"), "{shown}");
    }

    #[test]
    fn tags_that_would_break_the_line_are_left_out() {
        let line = say(Verb::Privmsg, "#a", "x", &mask()).unwrap().remove(0);
        let tags = [("label", "7"), ("+draft/reply", "a;b c"), ("x", "a\0"), ("y", &"v".repeat(5000))];
        let line = line.tagged(tags.map(|(key, value)| (key.to_owned(), value.to_owned())));
        assert_eq!(line.text(), "@label=7;+draft/reply=a\\:b\\sc PRIVMSG #a x\r\n");
        assert_eq!(line.bytes(), line.text().len());
    }

    proptest! {
        #[test]
        fn any_text_to_any_target_stays_within_the_limits(
            text in prop_oneof![any::<String>(), "[ -~]{0,3000}", "(\\PC| |\r|\n|\0){0,1500}"],
            target in prop_oneof![any::<String>(), "#?[a-zA-Z\\[\\]]{1,220}"],
            nick in "[a-zA-Z]{1,30}",
            host in proptest::option::of("[a-z.]{1,120}"),
            notice in any::<bool>(),
        ) {
            let mask = Mask { nick, user: None, host };
            let verb = if notice { Verb::Notice } else { Verb::Privmsg };
            let Ok(lines) = say(verb, &target, &text, &mask) else {
                prop_assert!(!is_target(&target) || target.len() > 100 );
                return Ok(());
            };
            let head = format!("{} {target} ", verb.word());
            let mut together = String::new();
            for line in &lines {
                let wire = line.text();
                let body = wire.strip_suffix("\r\n").expect("ends the line");
                prop_assert!(!body.contains(['\r', '\n', '\0', '\x01']));
                prop_assert!(mask.prefix_bytes() + wire.len() <= WIRE_LINE_MAX_BYTES);
                let text = body.strip_prefix(&head).expect("one command to one target");
                together.push_str(text.strip_prefix(':').unwrap_or(text));
                let parsed: Message = wire.parse().expect("the codec reads it back");
                let (Command::PRIVMSG(to, _) | Command::NOTICE(to, _)) = parsed.command else {
                    return Err(TestCaseError::fail("not one message"));
                };
                prop_assert_eq!(&to, &target);
            }
            let expected = if text.is_empty() { " ".to_owned() } else { clean(&text) };
            prop_assert_eq!(together, expected);
        }

        #[test]
        fn any_command_is_one_line_or_refused(verb in any::<String>(), params in proptest::collection::vec(any::<String>(), 0..4)) {
            let params: Vec<&str> = params.iter().map(String::as_str).collect();
            if let Ok(line) = command(&verb, &params) {
                let wire = line.text();
                prop_assert!(wire.len() <= WIRE_LINE_MAX_BYTES);
                prop_assert!(!wire.strip_suffix("\r\n").expect("ends the line").contains(['\r', '\n', '\0']));
            }
        }
    }
}
