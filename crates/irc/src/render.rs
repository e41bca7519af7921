//! Documents as IRC lines.
//!
//! The kernel renders documents as plain lines. Only the differences of IRC are made here: no empty lines, a prefix
//! before commands, tables in channels without the columns' padding. Lines are cut to length in [`super::gate`] and
//! paged in [`super::pages`].

use catalogue::hint::{self, Form};
use kernel::display::{self, Block, Cell, Document};

/// What stands between the cells of a table in a channel.
const CELL_SEPARATOR: &str = " | ";

/// The document line by line, without empty lines; hints and offers are lines that can be typed, with the `prefix`. In
/// a channel a table's row is its cells with a bar between them. Padding wastes the few bytes of a line and aligns
/// nothing in a proportional font.
pub(super) fn lines(document: &Document, in_channel: bool, prefix: &str) -> Vec<String> {
    let document = &hint::written(document, Form::Prefixed(prefix));
    let mut lines = if in_channel { compact_lines(document) } else { display::lines(document) };
    lines.extend(document.link.clone());
    lines.retain(|line| !line.trim().is_empty());
    lines
}

fn compact_lines(document: &Document) -> Vec<String> {
    let head = Document { blocks: Vec::new(), offers: Vec::new(), ..document.clone() };
    let mut out = display::lines(&head);
    for block in &document.blocks {
        match block {
            Block::Table { head, rows } => {
                out.push(row(head.iter().map(String::as_str)));
                out.extend(rows.iter().map(|cells| row(cells.iter().map(text))));
            }
            Block::Grid { columns, rows } => {
                out.push(row(std::iter::once("").chain(columns.iter().map(String::as_str))));
                out.extend(
                    rows.iter().map(|(name, cells)| row(std::iter::once(name.as_str()).chain(cells.iter().map(text)))),
                );
            }
            other => out.extend(display::lines(&Document { blocks: vec![other.clone()], ..Document::default() })),
        }
    }
    out.extend(document.hints().iter().map(|offer| format!("{}: {}", offer.label, offer.line)));
    out
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
            lines(&hill(), true, "!"),
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
        assert_eq!(lines(&hill(), false, "!")[3..], ["rank  program", "1     joust3", "10"]);
    }

    #[test]
    fn an_offer_or_a_hint_can_be_typed_as_it_stands() {
        let offer = Offer::new("Admit", "@main admit \"Cat\"".to_owned(), 1);
        let document = Document::say("Cat asks to become a player. See:").with(hint::block("members"));
        let document = Document { offers: vec![offer], ..document };
        for in_channel in [true, false] {
            let told = ["Cat asks to become a player. See: .members", "Admit: .@main admit \"Cat\""];
            assert_eq!(lines(&document, in_channel, "."), told);
            // Where the text says how, no line repeats it.
            let told_so = Document { offers_told: true, ..document.clone() };
            assert_eq!(lines(&told_so, in_channel, "."), told[..1]);
        }
    }

    #[test]
    fn the_page_of_a_document_is_its_last_line() {
        let document = Document { link: Some("https://nomic.example/room/main/entry/7".to_owned()), ..hill() };
        for in_channel in [true, false] {
            let lines = lines(&document, in_channel, "!");
            assert_eq!(lines.last().map(String::as_str), Some("https://nomic.example/room/main/entry/7"));
            assert_eq!(lines.len(), super::lines(&hill(), in_channel, "!").len() + 1);
        }
    }
}
