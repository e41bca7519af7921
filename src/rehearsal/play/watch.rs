//! Secrets that a rehearsal watches: texts that no reply, announcement or entry may show to anybody but one person.

use super::super::pattern::fold;

/// Texts that are watched, with the account of the one who may see each.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    watched: Vec<(String, Option<String>)>,
}

impl Secrets {
    /// Watches a text from now on.
    pub(super) fn keep(&mut self, text: &str, of: Option<&str>) {
        self.watched.push((fold(text), of.map(str::to_lowercase)));
    }

    /// Ceases to watch a text; `false` when it was not watched.
    pub(super) fn publish(&mut self, text: &str) -> bool {
        let (text, before) = (fold(text), self.watched.len());
        self.watched.retain(|(watched, _)| *watched != text);
        self.watched.len() < before
    }

    /// The first secret in a text that only `reader` sees, or everybody.
    pub(super) fn shown_in(&self, lines: &[String], reader: Option<&str>) -> Option<String> {
        if self.watched.is_empty() {
            return None;
        }
        let reader = reader.map(str::to_lowercase);
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let shown = bare(&lines.concat());
        let hidden = self.watched.iter().filter(|(_, of)| of.is_none() || *of != reader);
        hidden.map(|(text, _)| text).find(|text| shown.contains(&bare(text))).cloned()
    }
}
