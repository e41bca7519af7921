//! The id of a button or a window holds all that it carries, in 100 characters, so that it still works after a restart.
//!
//! A command stands there by its name and its values, never as a line.

use serde_json::{Value, json};

use super::attached::Fetch;
use port::Called;

/// Most characters of a button's or window's id.
const ID_MAX_CHARS: usize = 100;

/// What a press of a button, or a window, is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// Does what was offered.
    Offer(Called),
    /// Turns to a page.
    Page {
        /// Which, from 0.
        page: usize,
        /// The command that shows the document.
        of: Called,
    },
    /// A window.
    Window(Asks),
    /// A window that is kept in memory, because its command is too long for an id or a text has been typed into it.
    Kept(u64),
}

/// What a window asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// Values of a command.
    Values {
        /// The parameters.
        params: Vec<String>,
        /// The command with its other values.
        of: Called,
        /// The file that was attached for one of those.
        file: Option<Fetch>,
    },
    /// Several actions, as lines.
    Lines,
}

impl Press {
    /// The id; nothing when it would be too long, or when a file belongs to it.
    pub(super) fn id(&self) -> Option<String> {
        let id = match self {
            Self::Offer(called) => format!("o:{}", text(called)),
            Self::Page { page, of } => format!("p:{page}:{}", text(of)),
            Self::Window(Asks::Values { params, of, file: None }) => format!("w:{}:{}", params.join(","), text(of)),
            Self::Window(Asks::Values { .. }) => return None,
            Self::Window(Asks::Lines) => "a".to_owned(),
            Self::Kept(number) => format!("k:{number}"),
        };
        (id.encode_utf16().count() <= ID_MAX_CHARS).then_some(id)
    }

    /// Reads an id. The library hands over whatever Discord sends, so that anything may stand there.
    pub(super) fn read(id: &str) -> Option<Self> {
        if id == "a" {
            return Some(Self::Window(Asks::Lines));
        }
        let (kind, rest) = id.split_once(':')?;
        let headed = || rest.split_once(':').and_then(|(head, text)| Some((head, called(text)?)));
        match kind {
            "o" => Some(Self::Offer(called(rest)?)),
            "k" => rest.parse().ok().map(Self::Kept),
            "p" => headed().and_then(|(page, of)| Some(Self::Page { page: page.parse().ok()?, of })),
            "w" => headed().map(|(params, of)| {
                let params = params.split(',').map(str::to_owned).collect();
                Self::Window(Asks::Values { params, of, file: None })
            }),
            _ => None,
        }
    }
}

/// A command as text: its name, its values, its room, the entry that it was offered at, its reason. There is nothing
/// for those at the end that it has not.
fn text(called: &Called) -> String {
    let Called { name, args, room, because, offered } = called;
    let mut parts = vec![json!(name), json!(args), json!(room), json!(offered), json!(because)];
    while parts.last().is_some_and(|last| last.is_null() || *last == json!({})) {
        parts.pop();
    }
    Value::Array(parts).to_string()
}

/// Reads what [`text`] wrote.
fn called(text: &str) -> Option<Called> {
    let mut parts: Vec<Value> = serde_json::from_str(text).ok()?;
    parts.resize(5, Value::Null);
    let [name, args, room, offered, because] = <[Value; 5]>::try_from(parts).ok()?;
    Some(Called {
        name: serde_json::from_value(name).ok()?,
        args: if args.is_null() { Default::default() } else { serde_json::from_value(args).ok()? },
        room: serde_json::from_value(room).ok()?,
        because: serde_json::from_value(because).ok()?,
        offered: serde_json::from_value(offered).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(name: &str, args: &[(&str, &str)]) -> Called {
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Called { name: name.to_owned(), args, ..Called::default() }
    }

    fn window(params: &[&str], file: Option<Fetch>) -> Press {
        let params = params.iter().map(|param| (*param).to_owned()).collect();
        Press::Window(Asks::Values { params, of: called("propose", &[]), file })
    }

    #[test]
    fn ids_are_read_back() {
        let offered = Called {
            room: Some("the main: room".to_owned()),
            because: Some("it is late".to_owned()),
            offered: Some(12),
            ..called("joust object", &[("id", "3")])
        };
        let anywhere = Called { room: None, because: None, ..offered.clone() };
        for press in [
            Press::Offer(offered),
            Press::Offer(anywhere),
            Press::Page { page: 2, of: called("hill", &[("as-of", "a:\"b\"")]) },
            Press::Page { page: 0, of: called("rules", &[]) },
            window(&["text"], None),
            window(&["title", "text"], None),
            Press::Window(Asks::Lines),
            Press::Kept(7),
        ] {
            assert_eq!(Press::read(&press.id().unwrap()), Some(press));
        }
        assert_eq!(Press::Page { page: 0, of: called("rules", &[]) }.id().as_deref(), Some("p:0:[\"rules\"]"));
    }

    #[test]
    fn what_is_too_long_or_unknown_is_no_id() {
        assert_eq!(Press::Offer(called(&"x".repeat(97), &[])).id(), None);
        let file = Fetch { name: "a.txt".to_owned(), url: "https://example.org/a.txt".to_owned(), bytes: 1 };
        assert_eq!(window(&["title"], Some(file)).id(), None);
        for id in ["", "-b", "z:1:y", "k:", "o:1", "o:[1]", "p:x:[\"hill\"]", "p:2:hill"] {
            assert_eq!(Press::read(id), None, "{id}");
        }
    }
}
