//! Names in texts that lead to a page: “Proposal 3, “Tea””, “rule 7”, “4E15”, “entry 12”, the title of a rule.
//!
//! A name is a kind and a number of which the room knows something to show, or the title of a rule between quotation
//! marks. Nothing else of a text is read.

use port::gallery::Named;

/// A piece of a text, and the display that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run<'t> {
    pub(super) text: &'t str,
    pub(super) shows: Option<String>,
}

/// The names of a room, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    known: Option<Named>,
}

impl Names {
    /// None at all.
    pub(super) const fn none() -> Self {
        Self { known: None }
    }

    pub(super) fn new(known: Option<Named>) -> Self {
        Self { known }
    }

    /// The last entry that they take into account.
    pub(super) fn seq(&self) -> Option<u64> {
        self.known.as_ref().map(|known| known.seq)
    }

    /// Whether a display is of a numbered thing that is known.
    pub(super) fn has(&self, display: &str) -> bool {
        let of = |known: &Named| {
            let (kind, number) = display.split_once('/')?;
            Some((1..=*known.numbered.get(kind)?).contains(&number.parse().ok()?))
        };
        self.known.as_ref().and_then(of).unwrap_or(false)
    }

    /// A text in its pieces.
    pub(super) fn runs<'t>(&self, text: &'t str) -> Vec<Run<'t>> {
        let mut runs = Vec::new();
        let (mut plain, mut at) = (0, 0);
        let mut before = None;
        while let Some(first) = text[at..].chars().next() {
            let begins = !before.is_some_and(char::is_alphanumeric);
            let found = if begins { self.name(&text[at..]) } else { None };
            match found {
                Some((length, shows)) => {
                    if plain < at {
                        runs.push(Run { text: &text[plain..at], shows: None });
                    }
                    runs.push(Run { text: &text[at..at + length], shows: Some(shows) });
                    at += length;
                    plain = at;
                    before = text[..at].chars().next_back();
                }
                None => {
                    at += first.len_utf8();
                    before = Some(first);
                }
            }
        }
        if plain < text.len() {
            runs.push(Run { text: &text[plain..], shows: None });
        }
        runs
    }

    /// The name with which a text begins: its length, and the display.
    fn name(&self, text: &str) -> Option<(usize, String)> {
        let known = self.known.as_ref()?;
        if let Some(quoted) = text.strip_prefix('“') {
            let (title, _) = quoted.split_once('”')?;
            let rule = known.rules.iter().find(|rule| !title.is_empty() && rule.title == title)?;
            return Some(('“'.len_utf8() + title.len() + '”'.len_utf8(), format!("rule/{}", rule.id)));
        }
        let word = &text[..text.find(|char: char| !char.is_alphanumeric()).unwrap_or(text.len())];
        let of_rule = |number: u64| {
            let rule = known.rules.iter().find(|rule| u64::from(rule.number) == number)?;
            Some(format!("rule/{}", rule.id))
        };
        if !known.numbering.is_empty()
            && let Some(number) = word.strip_prefix(&*known.numbering).and_then(|digits| digits.parse().ok())
        {
            return of_rule(number).map(|shows| (word.len(), shows));
        }
        let digits = text[word.len()..].strip_prefix(' ')?;
        let digits = &digits[..digits.find(|char: char| !char.is_alphanumeric()).unwrap_or(digits.len())];
        // An ordinal, a fraction and a time of day are no number of a thing.
        let length = word.len() + 1 + digits.len();
        let mut behind = text[length..].chars();
        if matches!(behind.next(), Some('.' | '/' | ':' | '-'))
            && behind.next().is_some_and(|char| char.is_ascii_digit())
        {
            return None;
        }
        let number: u64 = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
        let kind = word.to_lowercase();
        let shows = match &*kind {
            "rule" => of_rule(number)?,
            "entry" => (1..=known.seq).contains(&number).then(|| format!("entry/{number}"))?,
            _ => known
                .numbered
                .get(&kind)
                .filter(|last| (1..=**last).contains(&number))
                .map(|_| format!("{kind}/{number}"))?,
        };
        Some((length + titled(&text[length..]), shows))
    }
}

/// How long the title is that stands behind a number: `, “Tea”`.
fn titled(behind: &str) -> usize {
    let Some(title) = behind.strip_prefix(", “") else { return 0 };
    title
        .find(['”', '\n'])
        .filter(|end| title[*end..].starts_with('”'))
        .map_or(0, |end| ", “".len() + end + '”'.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;
    use port::gallery::Ruled;

    fn names() -> Names {
        let rule = |id: &str, number, title: &str| Ruled { id: id.to_owned(), number, title: title.to_owned() };
        Names::new(Some(Named {
            seq: 20,
            numbered: [("proposal".to_owned(), 3)].into(),
            rules: vec![rule("4E15", 15, "Voting"), rule("time-out", 7, "Time Out")],
            numbering: "4E".to_owned(),
        }))
    }

    #[test]
    fn what_has_a_page_is_found_by_its_name_and_nothing_else_is() {
        let shown = |text: &str| -> Vec<(String, String)> {
            let runs = names().runs(text).into_iter().map(|run| (run.text.to_owned(), run.shows)).collect::<Vec<_>>();
            assert_eq!(runs.iter().map(|(text, _)| &**text).collect::<String>(), text, "nothing is lost");
            runs.into_iter().filter_map(|(text, shows)| Some((text, shows?))).collect()
        };
        let one = |text: &str, shows: &str| vec![(text.to_owned(), shows.to_owned())];
        assert_eq!(shown("Hal votes on Proposal 1, “Longer”."), one("Proposal 1, “Longer”", "proposal/1"));
        assert_eq!(shown("by proposal 3."), one("proposal 3", "proposal/3"));
        assert_eq!(shown("(rule 7, “Time Out”)"), one("rule 7, “Time Out”", "rule/time-out"));
        assert_eq!(shown("see 4E15, and “Time Out”").len(), 2);
        assert_eq!(shown("since entry 20"), one("entry 20", "entry/20"));
        for text in [
            "Proposal 4",
            "Proposal 0",
            "Proposal 1st",
            "Proposal 1.5",
            "Proposal 1:30",
            "myproposal 1",
            "4E16",
            "4E",
            "entry 21",
            "“Tea”",
            "“Time Out",
            "Proposal  1",
            "Proposal 99999999999999999999",
            "“”",
        ] {
            assert_eq!(shown(text), [], "{text}");
        }
        assert_eq!(shown("é Proposal 2, “Té\n”"), one("Proposal 2", "proposal/2"));
    }
}
