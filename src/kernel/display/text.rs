//! Documents as plain lines: for the console, for rehearsals, and as the base of what IRC sends.
//!
//! Colours, paging and line limits are absent: they belong to the adapter that has them.

use unicode_width::UnicodeWidthStr;

use super::{Block, Cell, Document};

/// A table wider than this, in terminal columns, is shown as one line a row instead.
pub const MARKUP_WIDTH_COLUMNS: usize = 120;

/// The document as one text.
pub fn plain(document: &Document) -> String {
    lines(document).join("\n")
}

/// The document line by line, without trailing white space.
pub fn lines(document: &Document) -> Vec<String> {
    let mut out = Vec::new();
    if !document.title.is_empty() {
        out.push(document.title.clone());
    }
    for block in &document.blocks {
        match block {
            Block::Para(text) | Block::Code { text, .. } => out.extend(text.lines().map(str::to_owned)),
            Block::Sealed { .. } => out.push("(sealed)".to_owned()),
            Block::List(cells) => out.extend(cells.iter().map(|cell| format!("- {}", cell.text))),
            Block::Table { head, rows } => table(head, rows, &mut out),
            Block::Grid { columns, rows } => {
                let head: Vec<String> = std::iter::once(String::new()).chain(columns.iter().cloned()).collect();
                let rows: Vec<Vec<Cell>> = rows
                    .iter()
                    .map(|(name, cells)| {
                        std::iter::once(Cell::new(name.clone())).chain(cells.iter().cloned()).collect()
                    })
                    .collect();
                table(&head, &rows, &mut out);
            }
        }
    }
    for offer in &document.offers {
        out.push(format!("{}: {}", offer.label, offer.line));
    }
    for line in &mut out {
        line.truncate(line.trim_end().len());
    }
    out
}

fn table(head: &[String], rows: &[Vec<Cell>], out: &mut Vec<String>) {
    let mut widths: Vec<usize> = head.iter().map(|name| name.width()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.text.width());
        }
    }
    if widths.iter().sum::<usize>() + 2 * widths.len() > MARKUP_WIDTH_COLUMNS {
        for row in rows {
            let fields: Vec<String> = head
                .iter()
                .zip(row)
                .filter(|(_, cell)| !cell.text.is_empty())
                .map(|(name, cell)| if name.is_empty() { cell.text.clone() } else { format!("{name}: {}", cell.text) })
                .collect();
            out.push(fields.join("; "));
        }
        return;
    }
    let line = |texts: &mut dyn Iterator<Item = &str>| {
        texts
            .zip(&widths)
            .map(|(text, width)| format!("{text}{}", " ".repeat(width - text.width())))
            .collect::<Vec<_>>()
            .join("  ")
    };
    out.push(line(&mut head.iter().map(String::as_str)));
    for row in rows {
        out.push(line(&mut row.iter().map(|cell| cell.text.as_str())));
    }
}
