//! Long output: the first lines at once, the rest when somebody says `more`.
//!
//! A bot that prints forty lines into a channel is kicked out of it. The rest of a text is kept per reader and place,
//! under the reader's account and not their nick. So a private text is never continued for another person. Memory is
//! bounded: the oldest text makes room. Texts are sent by `outbound`, and people known by `identity`.

use std::collections::HashMap;

use super::identity::Who;

/// Most texts that wait for a `more`. The oldest is forgotten first.
pub(super) const PAGES_MAX_COUNT: usize = 256;

/// Most lines that are kept of one text; whoever wants more than this wants the web page.
pub(super) const PAGE_REST_MAX_LINES: usize = 400;

/// Whose text it is, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shelf {
    /// The reader; `None` for an announcement, which any reader of the channel may continue.
    pub(super) reader: Option<Who>,
    /// The folded name of the channel; `None` in private.
    pub(super) channel: Option<String>,
}

/// What is shown now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The lines.
    pub(super) lines: Vec<String>,
    /// How many are kept for a `more`.
    pub(super) left: usize,
    /// How many are left out for good, because they are too many to keep.
    pub(super) dropped: usize,
}

/// What waits for a `more`.
#[derive(Debug, Default)]
pub(super) struct Pages {
    texts: HashMap<Shelf, Text>,
    /// Counts texts, so that the most recent and the oldest are known without a clock.
    next: u64,
}

#[derive(Debug)]
struct Text {
    number: u64,
    /// What is left, last line first.
    reversed: Vec<String>,
    dropped: usize,
}

impl Pages {
    /// Shows the first `most` lines of a text and keeps the rest in place of what was kept there before. One line
    /// over the limit is shown at once: the hint would take as much room.
    pub(super) fn show(&mut self, shelf: Shelf, lines: Vec<String>, most: usize) -> Page {
        let most = if lines.len() <= most + 1 { lines.len() } else { most };
        self.cut(shelf, lines, most)
    }

    /// The same with no line over it: the hint stands in a line that is there anyhow.
    pub(super) fn cut(&mut self, shelf: Shelf, mut lines: Vec<String>, most: usize) -> Page {
        self.texts.remove(&shelf);
        if lines.len() <= most {
            return Page { lines, left: 0, dropped: 0 };
        }
        let mut rest = lines.split_off(most);
        let dropped = rest.len().saturating_sub(PAGE_REST_MAX_LINES);
        rest.truncate(PAGE_REST_MAX_LINES);
        let left = rest.len();
        rest.reverse();
        self.keep(shelf, rest, dropped);
        Page { lines, left, dropped }
    }

    /// The next `most` lines of the most recent of these texts, and which it was; `None` when nothing is left.
    pub(super) fn more(&mut self, shelves: &[Shelf], most: usize) -> Option<(Shelf, Page)> {
        let shelf = shelves
            .iter()
            .filter_map(|shelf| Some((self.texts.get(shelf)?.number, shelf)))
            .max_by_key(|(number, _)| *number)
            .map(|(_, shelf)| shelf.clone())?;
        let Text { reversed: mut rest, dropped, .. } = self.texts.remove(&shelf)?;
        let shown = if rest.len() <= most + 1 { rest.len() } else { most };
        let mut lines = rest.split_off(rest.len() - shown);
        lines.reverse();
        let left = rest.len();
        if left > 0 {
            self.keep(shelf.clone(), rest, dropped);
        }
        Some((shelf, Page { lines, left, dropped }))
    }

    fn keep(&mut self, shelf: Shelf, reversed: Vec<String>, dropped: usize) {
        if self.texts.len() >= PAGES_MAX_COUNT
            && let Some(oldest) = self.texts.iter().min_by_key(|(_, text)| text.number).map(|(shelf, _)| shelf.clone())
        {
            self.texts.remove(&oldest);
        }
        self.texts.insert(shelf, Text { number: self.next, reversed, dropped });
        self.next += 1;
    }
}

/// The line behind an incomplete page: how much is left, how to get it, and where it can be read whole.
pub(super) fn hint(page: &Page, ask: &str, link: Option<&str>) -> Option<String> {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    match (page.left, page.dropped) {
        (0, 0) => None,
        (0, dropped) => Some(format!("({dropped} further line{} left out)", plural(dropped))),
        (left, _) => {
            let link = link.map(|link| format!(", or read {link}")).unwrap_or_default();
            Some(format!("({left} more line{}: say {ask}{link})", plural(left)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(account: &str, channel: Option<&str>) -> Shelf {
        Shelf { reader: Some(Who::Account(account.to_owned())), channel: channel.map(str::to_owned) }
    }

    fn text(count: usize) -> Vec<String> {
        (0..count).map(|n| n.to_string()).collect()
    }

    #[test]
    fn a_long_text_comes_in_pages_and_is_complete() {
        let mut pages = Pages::default();
        let at = shelf("alice", Some("#a"));
        let first = pages.show(at.clone(), text(11), 4);
        assert_eq!((first.lines.join(" ").as_str(), first.left), ("0 1 2 3", 7));
        let (_, second) = pages.more(std::slice::from_ref(&at), 4).unwrap();
        assert_eq!((second.lines.join(" ").as_str(), second.left), ("4 5 6 7", 3));
        let (_, third) = pages.more(std::slice::from_ref(&at), 4).unwrap();
        assert_eq!((third.lines.join(" ").as_str(), third.left), ("8 9 10", 0));
        assert_eq!(pages.more(&[at], 4), None);
    }

    #[test]
    fn one_line_over_is_shown_at_once() {
        let mut pages = Pages::default();
        let page = pages.show(shelf("alice", None), text(5), 4);
        assert_eq!((page.lines.len(), page.left), (5, 0));
    }

    #[test]
    fn nobody_continues_the_text_of_somebody_else() {
        let mut pages = Pages::default();
        pages.show(shelf("alice", None), text(20), 4);
        assert_eq!(pages.more(&[shelf("mallory", None), shelf("alice", Some("#a"))], 4), None);
    }

    #[test]
    fn the_most_recent_text_is_continued_and_an_announcement_by_anybody() {
        let mut pages = Pages::default();
        let everyone = Shelf { reader: None, channel: Some("#a".to_owned()) };
        pages.show(shelf("alice", Some("#a")), text(20), 4);
        pages.show(everyone.clone(), text(30), 4);
        let candidates = |name: &str| [shelf(name, Some("#a")), shelf(name, None), everyone.clone()];
        assert_eq!(pages.more(&candidates("bob"), 4).unwrap().0, everyone);
        pages.show(shelf("alice", None), text(20), 4);
        assert_eq!(pages.more(&candidates("alice"), 4).unwrap().0, shelf("alice", None));
    }

    #[test]
    fn memory_is_bounded() {
        let mut pages = Pages::default();
        for n in 0..PAGES_MAX_COUNT + 10 {
            let page = pages.show(shelf(&n.to_string(), None), text(1000), 4);
            assert_eq!((page.left, page.dropped), (PAGE_REST_MAX_LINES, 1000 - 4 - PAGE_REST_MAX_LINES));
        }
        assert_eq!(pages.texts.len(), PAGES_MAX_COUNT);
        assert_eq!(pages.more(&[shelf("0", None)], 4), None, "the oldest made room");
    }

    #[test]
    fn the_hint_says_how_much_is_left_and_how_to_get_it() {
        let page = |left, dropped| Page { lines: Vec::new(), left, dropped };
        assert_eq!(hint(&page(0, 0), "!more", None), None);
        assert_eq!(hint(&page(12, 0), "!more", None).unwrap(), "(12 more lines: say !more)");
        assert_eq!(
            hint(&page(1, 5), "more", Some("https://x.org/1")).unwrap(),
            "(1 more line: say more, or read https://x.org/1)"
        );
        assert_eq!(hint(&page(0, 5), "more", None).unwrap(), "(5 further lines left out)");
    }
}
