//! Figures that stand in a list of a rule: what each line calls the thing that its figure is of.

use kernel::rulebook::Text;

/// A figure in a line of a list.
pub(crate) struct Listed {
    /// Its key.
    pub(crate) key: String,
    /// The words with which its line begins, up to the first sign: `Motary Equipment` of
    /// `- Motary Equipment (what moves a Robot): 10`.
    pub(crate) name: String,
}

/// The figures of a text whose keys begin so, in their order.
pub(crate) fn listed<'t>(text: &'t Text, begins: &'t str) -> impl Iterator<Item = Listed> + 't {
    let spans = text.spans().iter().filter(move |span| span.counts && span.key.starts_with(begins));
    spans.filter_map(|span| {
        let before = text.visible()[..span.at.start].rsplit('\n').next().unwrap_or_default();
        let name = first_words(before);
        (!name.is_empty()).then(|| Listed { key: span.key.to_string(), name })
    })
}

/// The words with which a line begins behind the mark of a list, up to the first sign.
fn first_words(line: &str) -> String {
    let mut found = Vec::new();
    for word in line.trim_start_matches(|c: char| !c.is_alphanumeric()).split_whitespace() {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() || !word.starts_with(char::is_alphanumeric) {
            break;
        }
        found.push(bare);
        if bare.len() < word.len() {
            break;
        }
    }
    found.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_list_begins_with_what_its_figure_is_of() {
        for (line, name) in [
            ("- AI: [5](#part-a) units", "AI"),
            ("* Motary Equipment (what moves a Robot): [5](#part-a)", "Motary Equipment"),
            ("Memory Unit -- [5](#part-a) PU", "Memory Unit"),
            ("+ Jack-in-the-box, [5](#part-a)", "Jack-in-the-box"),
        ] {
            let text = Text::parse(format!("Prices of [1](#other):\n{line}\n- [7](#part-b)"));
            let found: Vec<_> = listed(&text, "part-").map(|one| (one.key, one.name)).collect();
            assert_eq!(found, [("part-a".to_owned(), name.to_owned())], "{line}");
        }
    }
}
