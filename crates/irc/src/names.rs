//! Names on a network: when two of them are the same, and which of them may stand in a command.
//!
//! Every comparison of nicks and channels goes through [`CaseMapping::fold`], because a network decides itself which
//! characters are one letter in two cases. Nothing here knows who is behind a nick.

/// Longest target that is ever written, in bytes. It is longer than any network's nick or channel, short enough to
/// leave most of a line to the text.
pub(super) const TARGET_MAX_BYTES: usize = 200;

/// Which characters the network takes for one letter in two cases (ISUPPORT `CASEMAPPING`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CaseMapping {
    /// `a` to `z` only.
    Ascii,
    /// Also `{}|^` for `[]\~`: the default of RFC 1459, and of a network that says nothing.
    #[default]
    Rfc1459,
    /// Also `{}|` for `[]\`.
    Rfc1459Strict,
}

impl CaseMapping {
    /// Reads the value of ISUPPORT `CASEMAPPING`; a mapping that is unknown here is taken for plain ASCII, which
    /// never makes one name of two.
    pub(super) fn named(value: &str) -> Self {
        match value.to_ascii_lowercase().as_str() {
            "rfc1459" => Self::Rfc1459,
            "rfc1459-strict" | "strict-rfc1459" => Self::Rfc1459Strict,
            _ => Self::Ascii,
        }
    }

    /// The name as a key: two names are the same on the network when their folds are equal.
    pub(super) fn fold(self, name: &str) -> String {
        name.chars()
            .map(|c| match (self, c) {
                (Self::Rfc1459 | Self::Rfc1459Strict, '[') => '{',
                (Self::Rfc1459 | Self::Rfc1459Strict, ']') => '}',
                (Self::Rfc1459 | Self::Rfc1459Strict, '\\') => '|',
                (Self::Rfc1459, '~') => '^',
                (_, c) => c.to_ascii_lowercase(),
            })
            .collect()
    }

    /// Whether the network takes both for one name.
    pub(super) fn same(self, left: &str, right: &str) -> bool {
        self.fold(left) == self.fold(right)
    }
}

/// Whether this can stand as the target of a message: one nick, one channel, or one service (`NickServ@host`).
///
/// Rejected besides what breaks a line (spaces, control characters, a leading colon) are lists (`a,b`), masks (`$*`,
/// `#*`) and everything too long. Each of them would reach more than one reader or cut the text.
pub(super) fn is_target(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= TARGET_MAX_BYTES
        && !name.starts_with([':', '$', '@', '-'])
        && name.chars().all(|c| !c.is_control() && !c.is_whitespace() && !matches!(c, ',' | '*' | '?'))
}

/// Whether this names a channel. `0` and lists are none: `JOIN 0` leaves every channel.
pub(super) fn is_channel(name: &str) -> bool {
    is_target(name) && name.len() > 1 && name.starts_with(['#', '&', '+', '!'])
}

/// Whether this can be a nick on some network: a target that is no channel and starts with no digit.
pub(super) fn is_nick(name: &str) -> bool {
    is_target(name)
        && !is_channel(name)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.contains(['!', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_decides_which_letters_are_the_same() {
        assert!(CaseMapping::Rfc1459.same("Nick[a]~\\", "nICK{A}^|"));
        assert!(!CaseMapping::Rfc1459Strict.same("a~", "a^"));
        assert!(CaseMapping::Rfc1459Strict.same("a[", "A{"));
        assert!(!CaseMapping::Ascii.same("a[", "a{"));
        assert_eq!(CaseMapping::named("ASCII"), CaseMapping::Ascii);
        assert_eq!(CaseMapping::named("rfc7613"), CaseMapping::Ascii);
    }

    #[test]
    fn a_letter_outside_ascii_never_folds_into_another() {
        assert!(!CaseMapping::Rfc1459.same("\u{212a}", "k"), "the Kelvin sign is not a k");
    }

    #[test]
    fn targets_that_reach_more_than_one_reader_are_none() {
        for bad in ["", "a b", "a\rb", "a\nb", "a\0b", "a,b", "$*", "#*", ":a", "@#ops", "a\u{a0}b", &"x".repeat(201)] {
            assert!(!is_target(bad), "{bad:?}");
        }
        for good in ["alice", "#nomic", "NickServ@services.example", "Ünïcode", "[a]^`", "&local"] {
            assert!(is_target(good), "{good:?}");
        }
        assert!(!is_channel("0") && !is_channel("#") && !is_channel("alice") && is_channel("#x"));
        assert!(is_nick("_a") && !is_nick("1a") && !is_nick("#a") && !is_nick("a!b@c"));
    }
}
