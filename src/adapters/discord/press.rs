//! What a button carries, so that it still works after a restart: everything, in the 100 characters of its id.
//!
//! What a press does is absent.

use crate::kernel::Seq;

/// Most characters of a button's or window's id.
const ID_MAX_CHARS: usize = 100;

/// What a press of a button, or a window, is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// Does what was offered.
    Offer {
        /// The entry that it was offered at.
        at: Seq,
        /// The line that it types.
        line: String,
    },
    /// Turns to a page.
    Page {
        /// Which, from 0.
        page: usize,
        /// The line that shows the document.
        line: String,
    },
    /// A window that asks for the last value of a command.
    Window {
        /// The parameter.
        param: String,
        /// The command with its other values.
        line: String,
    },
    /// A window whose command is too long for an id and is kept in memory.
    Kept(u64),
    /// The window for several actions.
    Act,
}

impl Press {
    /// The id; nothing when it would be too long.
    pub(super) fn id(&self) -> Option<String> {
        let id = match self {
            Self::Offer { at, line } => format!("o:{at}:{line}"),
            Self::Page { page, line } => format!("p:{page}:{line}"),
            Self::Window { param, line } => format!("w:{param}:{line}"),
            Self::Kept(number) => format!("k:{number}"),
            Self::Act => "a".to_owned(),
        };
        (id.encode_utf16().count() <= ID_MAX_CHARS).then_some(id)
    }

    /// Reads an id. The library hands over whatever Discord sends, so that anything may stand there.
    pub(super) fn read(id: &str) -> Option<Self> {
        if id == "a" {
            return Some(Self::Act);
        }
        let (kind, rest) = id.split_once(':')?;
        if kind == "k" {
            return rest.parse().ok().map(Self::Kept);
        }
        let (head, line) = rest.split_once(':')?;
        let line = line.to_owned();
        match kind {
            "o" => Some(Self::Offer { at: head.parse().ok()?, line }),
            "p" => Some(Self::Page { page: head.parse().ok()?, line }),
            "w" => Some(Self::Window { param: head.to_owned(), line }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back() {
        for press in [
            Press::Offer { at: 12, line: "joust object id:3".to_owned() },
            Press::Page { page: 2, line: "hill as-of:\"a:b\"".to_owned() },
            Press::Window { param: "text".to_owned(), line: "joust adjudicate".to_owned() },
            Press::Kept(7),
            Press::Act,
        ] {
            assert_eq!(Press::read(&press.id().unwrap()), Some(press));
        }
    }

    #[test]
    fn what_is_too_long_or_unknown_is_no_id() {
        assert_eq!(Press::Offer { at: 1, line: "x".repeat(97) }.id(), None);
        for id in ["", "-b", "o:x:y", "z:1:y", "k:", "o:1"] {
            assert_eq!(Press::read(id), None, "{id}");
        }
    }
}
