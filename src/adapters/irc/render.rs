//! Documents as IRC lines.
//!
//! The kernel renders documents as plain lines; here only what IRC does differently: no empty lines, tables in
//! channels without the columns' padding. Line length and paging are absent: they belong to
//! [`super::gate`] and [`super::pages`].

use crate::kernel::display::{self, Block, Cell, Document};

/// What stands between the cells of a table in a channel.
const CELL_SEPARATOR: &str = " | ";

/// The document line by line, without empty lines. In a channel, where commands begin with a `prefix`, a table's row is
/// its cells with a bar between them, because padding wastes the few bytes of a line and aligns nothing in a proportional
/// font; and an offer is the line that can be typed there.
pub(super) fn lines(document: &Document, prefix: Option<&str>) -> Vec<String> {
    let mut lines = match prefix {
        Some(prefix) => compact_lines(document, prefix),
        None => display::lines(document),
    };
    lines.extend(document.link.clone());
    lines.retain(|line| !line.trim().is_empty());
    lines
}

fn compact_lines(document: &Document, prefix: &str) -> Vec<String> {
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
    out.extend(document.offers.iter().map(|offer| format!("{}: {prefix}{}", offer.label, offer.line)));
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
    use crate::kernel::display::Offer;

    fn hill() -> Document {
        Document::titled("hill", "The hill").para("Ten programs.\n\nSee https://example.org/hill for all.").with(
            Block::Table {
                head: vec!["rank".to_owned(), "program".to_owned()],
                rows: vec![vec![Cell::new("1"), Cell::new("joust3")], vec![Cell::new("10"), Cell::new("")]],
            },
        )
    }

    #[test]
    fn a_table_in_a_channel_is_compact_lines() {
        assert_eq!(
            lines(&hill(), Some("!")),
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
        assert_eq!(lines(&hill(), None)[3..], ["rank  program", "1     joust3", "10"]);
    }

    #[test]
    fn an_offer_in_a_channel_can_be_typed_as_it_stands() {
        let offer = Offer { label: "Admit".to_owned(), line: "@main admit \"Cat\"".to_owned(), at_seq: 1 };
        let document = Document { offers: vec![offer], ..Document::say("Cat asks to become a player.") };
        assert_eq!(lines(&document, Some("."))[1..], ["Admit: .@main admit \"Cat\""]);
        assert_eq!(lines(&document, None)[1..], ["Admit: @main admit \"Cat\""]);
    }

    #[test]
    fn the_page_of_a_document_is_its_last_line() {
        let document = Document { link: Some("https://nomic.example/room/main/entry/7".to_owned()), ..hill() };
        for prefix in [Some("!"), None] {
            let lines = lines(&document, prefix);
            assert_eq!(lines.last().map(String::as_str), Some("https://nomic.example/room/main/entry/7"));
            assert_eq!(lines.len(), super::lines(&hill(), prefix).len() + 1);
        }
    }
}
