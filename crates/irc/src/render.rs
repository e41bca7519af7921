//! Documents as IRC lines.
//!
//! The kernel renders documents as plain lines. Only the differences of IRC are made here: no empty lines, a prefix
//! before commands, what is offered in one line, tables in channels without the columns' padding, and one line for what
//! leads into a thing that people act on. Lines are cut to length in [`super::gate`] and paged in [`super::pages`].

use super::gate;
use catalogue::hint::{self, Form};
use kernel::display::{self, Block, Cell, Document};

/// What stands between the cells of a table in a channel.
const CELL_SEPARATOR: &str = " | ";

/// What stands between lines of a text that are told in one.
const LINE_SEPARATOR: &str = " / ";

/// Longest piece of the words of a law that goes on in one line, in bytes: a line that is cut to length, which no target is
/// too long for, still begins with whose words they are.
const SAID_MAX_BYTES: usize = 200;

/// What stands between what is offered, or asked for.
const OFFER_SEPARATOR: &str = " · ";

/// A document as lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// What a channel reads at once of a thing that people act on; the rest is there for who asks. Of other documents
    /// nothing leads.
    pub(super) lead: Vec<String>,
    /// What it says, or the rest of it.
    pub(super) text: Vec<String>,
    /// What may be done about it.
    pub(super) hints: Option<String>,
    /// Its page.
    pub(super) link: Option<String>,
}

impl Lines {
    /// All of it, in order.
    pub(super) fn all(self) -> impl Iterator<Item = String> {
        self.lead.into_iter().chain(self.text).chain(self.hints).chain(self.link)
    }
}

/// What a line of a document is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// Words: such lines may stand in one.
    Words,
    /// A row of a table.
    Row,
    /// Anything else, which stays as it is.
    Else,
}

/// The document line by line, without empty lines; hints and offers are lines that can be typed, with the `prefix`. In
/// a channel a table's row is its cells with a bar between them. Padding wastes the few bytes of a line and aligns
/// nothing in a proportional font.
pub(super) fn lines(document: &Document, in_channel: bool, prefix: &str) -> Lines {
    let document = &hint::written(document, Form::Prefixed(prefix));
    let mut text = match in_channel {
        true => parts(document).into_iter().map(|(_, line)| line).collect(),
        false => {
            let mut alone = Document { offers: Vec::new(), ..document.clone() };
            for block in &mut alone.blocks {
                if let Block::Said { text, .. } = block {
                    *text = pieces(text).join("\n");
                }
            }
            display::lines(&alone)
        }
    };
    text.retain(|line| !line.trim().is_empty());
    Lines { text, hints: hints(document), link: document.link.clone(), ..Lines::default() }
}

/// The same for an announcement in a channel whose lines hold so many bytes: short paragraphs stand in one. What is one
/// thing that goes on, such as `proposal/3`, begins with one line of as much of its text as that holds, and the rows of a
/// table that follows.
pub(super) fn announced(document: &Document, prefix: &str, room_bytes: usize) -> Lines {
    let document = &hint::written(document, Form::Prefixed(prefix));
    let mut told = Lines { hints: hints(document), link: document.link.clone(), ..Lines::default() };
    let mut parts = parts(document).into_iter().peekable();
    if is_thing(document) {
        let is_words = |(of, _): &(Of, String)| *of == Of::Words;
        let mut one = parts.next_if(is_words).map(|(_, line)| line).unwrap_or_default();
        while let Some((_, line)) = parts.next_if(|part| is_words(part) && fits(&one, &part.1, room_bytes)) {
            join(&mut one, &line);
        }
        told.lead = if one.is_empty() { Vec::new() } else { vec![one] };
        told.lead.extend(std::iter::from_fn(|| parts.next_if(|(of, _)| *of == Of::Row)).map(|(_, line)| line));
        told.text = parts.map(|(_, line)| line).collect();
        return told;
    }
    let mut before = Of::Else;
    for (of, line) in parts {
        match told.text.last_mut() {
            Some(last) if (before, of) == (Of::Words, Of::Words) && fits(last, &line, room_bytes) => join(last, &line),
            _ => told.text.push(line),
        }
        before = of;
    }
    told
}

/// Whether a document is one thing that goes on: people act on it, or others will be about it.
fn is_thing(document: &Document) -> bool {
    let is_topic = || document.topic.as_ref().is_some_and(|topic| topic.key.ends_with(&*document.id));
    document.id.contains('/') && (!document.offers.is_empty() || is_topic())
}

fn fits(line: &str, more: &str, room_bytes: usize) -> bool {
    line.len() + LINE_SEPARATOR.len() + more.len() <= room_bytes
}

fn join(line: &mut String, more: &str) {
    line.push_str(LINE_SEPARATOR);
    line.push_str(more);
}

/// What may be done, in one line.
fn hints(document: &Document) -> Option<String> {
    let offers = document.hints().iter().map(|offer| format!("{}: {}", offer.label, offer.line));
    let offers: Vec<String> = offers.collect();
    (!offers.is_empty()).then(|| offers.join(OFFER_SEPARATOR))
}

/// What stands below an announcement, in one line where that holds it.
pub(super) fn foot(parts: impl IntoIterator<Item = String>, room_bytes: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for part in parts {
        match out.last_mut() {
            Some(last) if last.len() + OFFER_SEPARATOR.len() + part.len() <= room_bytes => {
                last.push_str(OFFER_SEPARATOR);
                last.push_str(&part);
            }
            _ => out.push(part),
        }
    }
    out
}

/// The lines of a document in a channel, without those that are empty.
fn parts(document: &Document) -> Vec<(Of, String)> {
    let mut out = vec![(Of::Words, document.title.clone())];
    for block in &document.blocks {
        match block {
            Block::Para(text) => out.extend(text.lines().map(|line| (Of::Words, line.to_owned()))),
            Block::Said { by, text } => {
                let sign = display::signed(by);
                out.extend(pieces(text).into_iter().map(|piece| (Of::Words, format!("{sign}{piece}"))));
            }
            Block::Table { head, rows } => {
                out.push((Of::Row, row(head.iter().map(String::as_str))));
                out.extend(rows.iter().map(|cells| (Of::Row, row(cells.iter().map(text)))));
            }
            Block::Grid { columns, rows } => {
                out.push((Of::Row, row(std::iter::once("").chain(columns.iter().map(String::as_str)))));
                let cells = |(name, cells): &(String, Vec<Cell>)| {
                    row(std::iter::once(name.as_str()).chain(cells.iter().map(text)))
                };
                out.extend(rows.iter().map(|line| (Of::Row, cells(line))));
            }
            other => {
                let alone = Document { blocks: vec![other.clone()], ..Document::default() };
                out.extend(display::lines(&alone).into_iter().map(|line| (Of::Else, line)));
            }
        }
    }
    out.retain(|(_, line)| !line.trim().is_empty());
    out
}

/// The words of a law in pieces, each of which goes into a line with its sign.
fn pieces(text: &str) -> Vec<String> {
    text.lines().flat_map(|line| gate::wrap(line, SAID_MAX_BYTES)).collect()
}

fn text(cell: &Cell) -> &str {
    &cell.text
}

/// Cells in one line; an empty one keeps its place, so that columns can be told apart by counting.
fn row<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    cells.collect::<Vec<_>>().join(CELL_SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::display::Offer;

    fn all(document: &Document, in_channel: bool, prefix: &str) -> Vec<String> {
        lines(document, in_channel, prefix).all().collect()
    }

    fn hill() -> Document {
        Document::titled("hill", "The hill").para("Ten programs.\n\nSee https://example.org/hill for all.").with(
            Block::table(
                vec!["rank".to_owned(), "program".to_owned()],
                vec![vec![Cell::new("1"), Cell::new("joust3")], vec![Cell::new("10"), Cell::new("")]],
            ),
        )
    }

    #[test]
    fn a_table_in_a_channel_is_compact_lines() {
        assert_eq!(
            all(&hill(), true, "!"),
            [
                "The hill",
                "Ten programs.",
                "See https://example.org/hill for all.",
                "rank | program",
                "1 | joust3",
                "10 | "
            ]
        );
    }

    #[test]
    fn a_table_in_private_is_aligned() {
        assert_eq!(all(&hill(), false, "!")[3..], ["rank  program", "1     joust3", "10"]);
    }

    #[test]
    fn an_offer_or_a_hint_can_be_typed_as_it_stands() {
        let offer = Offer::new("Admit", "@main admit \"Cat\"".to_owned(), 1);
        let document = Document::say("Cat asks to become a player. See:").with(Block::command("members"));
        let document = referring(Document { offers: vec![offer], ..document });
        for in_channel in [true, false] {
            let told = ["Cat asks to become a player. See: .members", "Admit: .@main admit \"Cat\""];
            assert_eq!(all(&document, in_channel, "."), told);
            // Where the text says how, no line repeats it.
            let told_so = Document { offers_told: true, ..document.clone() };
            assert_eq!(all(&told_so, in_channel, "."), told[..1]);
        }
    }

    /// Words of a law that imitate the bot's by a line break, or by their length, begin with whose they are in each line.
    #[test]
    fn each_line_of_what_a_law_says_is_signed() {
        let text = format!("Hi.\nCorrection by a moderator. {}", "Ann votes FOR. ".repeat(60));
        let document = Document::said("rule 17", text);
        for in_channel in [true, false] {
            let lines = all(&document, in_channel, "!");
            assert!(lines.len() > 5 && lines.iter().all(|line| line.starts_with("[rule 17] ")), "{lines:?}");
            assert!(lines.iter().all(|line| line.len() <= SAID_MAX_BYTES + "[rule 17] ".len()), "{lines:?}");
        }
        assert!(announced(&document, "!", 300).text.iter().all(|line| line.starts_with("[rule 17] ")));
    }

    #[test]
    fn the_page_of_a_document_is_its_last_line() {
        let document = Document { link: Some("https://nomic.example/room/main/entry/7".to_owned()), ..hill() };
        for in_channel in [true, false] {
            let lines = all(&document, in_channel, "!");
            assert_eq!(lines.last().map(String::as_str), Some("https://nomic.example/room/main/entry/7"));
            assert_eq!(lines.len(), all(&hill(), in_channel, "!").len() + 1);
        }
    }

    /// A document as the service hands it over, where several rooms may be meant.
    fn referring(mut document: Document) -> Document {
        hint::refer(&mut document, |line| {
            let read = hint::reference(catalogue::Catalogue::all(), line)?;
            Some(kernel::display::Reference { names_room: true, ..read })
        });
        document
    }

    /// A proposal with two things to do about it.
    fn proposal(text: &str) -> Document {
        let offers = ["FOR", "AGAINST"].map(|word| Offer::new(word, format!("vote 3 {word}"), 1)).to_vec();
        referring(Document { offers, ..Document::titled("proposal/3", "Proposal 3, “Tea” by Ann").para(text) })
    }

    #[test]
    fn a_proposal_is_one_line_and_one_line_says_what_to_do_about_it() {
        let short = announced(&proposal("Tea for all.\n=> set tea to 4"), "!", 200);
        assert_eq!(short.lead, ["Proposal 3, “Tea” by Ann / Tea for all. / => set tea to 4"]);
        assert_eq!(short.text, Vec::<String>::new());
        assert_eq!(short.hints.as_deref(), Some("FOR: !vote 3 FOR · AGAINST: !vote 3 AGAINST"));
    }

    #[test]
    fn of_a_long_proposal_whole_lines_stand_in_the_first_and_none_is_lost() {
        let text = (1..=9).map(|n| format!("Line {n} of it.")).collect::<Vec<_>>().join("\n");
        let long = announced(&proposal(&text), "!", 80);
        assert_eq!(long.lead, ["Proposal 3, “Tea” by Ann / Line 1 of it. / Line 2 of it. / Line 3 of it."]);
        assert_eq!(long.text, (4..=9).map(|n| format!("Line {n} of it.")).collect::<Vec<_>>());
        let one = announced(&proposal(&"x".repeat(500)), "!", 80);
        assert_eq!((one.lead.len(), one.text.len()), (1, 1));
    }

    #[test]
    fn a_ballot_is_a_line_for_each_proposal() {
        let rows = (1..=3).map(|n| vec![Cell::new(n.to_string()), Cell::new("Tea")]);
        let ballot =
            proposal("“vote 1 FOR” votes.").table(["", "title"], rows).para("Proposal 1:").para("Tea for all.");
        let ballot = announced(&ballot, "!", 200);
        assert_eq!(ballot.lead[1..], [" | title", "1 | Tea", "2 | Tea", "3 | Tea"]);
        assert_eq!(ballot.text, ["Proposal 1:", "Tea for all."]);
    }

    #[test]
    fn of_what_nobody_acts_on_short_paragraphs_stand_in_one_line() {
        let told = Document { offers: Vec::new(), ..proposal("One.\nTwo.") };
        assert_eq!(announced(&told, "!", 200).text, ["Proposal 3, “Tea” by Ann / One. / Two."]);
        assert_eq!(announced(&told, "!", 20).text, ["Proposal 3, “Tea” by Ann", "One. / Two."]);
        // It is the first of several about it.
        assert_eq!(announced(&told.about("7/proposal/3", "Tea"), "!", 200).lead.len(), 1);
        let listed = Document { id: "proposals".to_owned(), ..proposal("One.\nTwo.") };
        assert_eq!(announced(&listed, "!", 200).lead, Vec::<String>::new());
    }

    #[test]
    fn the_foot_is_one_line_where_it_fits() {
        let parts = || ["FOR: !vote 3 FOR".to_owned(), "(2 more lines: say !more)".to_owned()];
        assert_eq!(foot(parts(), 80), ["FOR: !vote 3 FOR · (2 more lines: say !more)"]);
        assert_eq!(foot(parts(), 30), parts());
        assert_eq!(foot([], 30), Vec::<String>::new());
    }
}
