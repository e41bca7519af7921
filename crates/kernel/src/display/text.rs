//! Documents as plain lines: for the console, for rehearsals, and as the base of what IRC sends.
//!
//! Each adapter has its own colours, paging and line limits.

use unicode_width::UnicodeWidthStr;

use super::{Block, Cell, Document};

/// A table wider than this, in terminal columns, is shown as one line a row instead.
pub const MARKUP_WIDTH_COLUMNS: usize = 120;

/// What later lines of a broken row begin with.
const INDENT: &str = "  ";

/// The document as one text.
pub fn plain(document: &Document) -> String {
    lines(document).join("\n")
}

/// The document line by line, without trailing white space.
pub fn lines(document: &Document) -> Vec<String> {
    lines_within(document, MARKUP_WIDTH_COLUMNS)
}

/// As [`lines`], where no more columns are to be seen. A table that is wider is shown as one line a row, and such lines
/// are broken between words.
pub fn lines_within(document: &Document, columns: usize) -> Vec<String> {
    let columns = columns.min(MARKUP_WIDTH_COLUMNS);
    let document = &*document.unmarked();
    let mut out = Vec::new();
    if !document.title.is_empty() {
        out.push(document.title.clone());
    }
    for block in &document.blocks {
        match block {
            Block::Para(text) | Block::Code { text, .. } => out.extend(text.lines().map(str::to_owned)),
            Block::Said { by, text } => {
                let sign = signed(by);
                for line in text.lines() {
                    match columns {
                        MARKUP_WIDTH_COLUMNS => out.push(format!("{sign}{line}")),
                        columns => {
                            let mut pieces = Vec::new();
                            broken(line, columns.saturating_sub(sign.width()), &mut pieces);
                            out.extend(pieces.into_iter().map(|piece| format!("{sign}{piece}")));
                        }
                    }
                }
            }
            Block::Sealed { .. } => out.push("(sealed)".to_owned()),
            Block::Played { .. } | Block::Picture(_) => {}
            Block::List(cells) => out.extend(cells.iter().map(|cell| format!("- {}", cell.text))),
            Block::Table { head, rows } => table(head, rows, columns, &mut out),
            Block::Graph(graph) => {
                out.extend(graph.drawn(columns));
                for line in graph.legend(columns) {
                    match columns {
                        MARKUP_WIDTH_COLUMNS => out.push(line),
                        columns => broken(&line, columns, &mut out),
                    }
                }
            }
            Block::Grid { columns: names, rows } => {
                let head: Vec<String> = std::iter::once(String::new()).chain(names.iter().cloned()).collect();
                let rows: Vec<Vec<Cell>> = rows
                    .iter()
                    .map(|(name, cells)| {
                        std::iter::once(Cell::new(name.clone())).chain(cells.iter().cloned()).collect()
                    })
                    .collect();
                table(&head, &rows, columns, &mut out);
            }
        }
    }
    for offer in document.hints() {
        out.push(format!("{}: {}", offer.label, offer.line));
    }
    for line in &mut out {
        line.truncate(line.trim_end().len());
    }
    out
}

/// What stands before each line of words that are not the program's.
pub fn signed(by: &str) -> String {
    format!("[{by}] ")
}

/// A text broken between words, its later lines indented; a word that is too long stays whole.
fn broken(text: &str, columns: usize, out: &mut Vec<String>) {
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.trim().is_empty() && line.width() + 1 + word.width() > columns {
            out.push(std::mem::replace(&mut line, INDENT.to_owned()));
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push(line);
}

fn table(head: &[String], rows: &[Vec<Cell>], columns: usize, out: &mut Vec<String>) {
    let mut widths: Vec<usize> = head.iter().map(|name| name.width()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.text.width());
        }
    }
    if widths.iter().sum::<usize>() + 2 * widths.len() > columns {
        for row in rows {
            let fields: Vec<String> = head
                .iter()
                .zip(row)
                .filter(|(_, cell)| !cell.text.is_empty())
                .map(|(name, cell)| if name.is_empty() { cell.text.clone() } else { format!("{name}: {}", cell.text) })
                .collect();
            match columns {
                MARKUP_WIDTH_COLUMNS => out.push(fields.join("; ")),
                columns => broken(&fields.join("; "), columns, out),
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What does not fit beside each other stands below each other, and no line is wider than the reader's.
    #[test]
    fn a_table_fits_a_narrow_terminal() {
        let row = ["1", "Alpha-Centauri", "Ann", "127", "2026-11-02"].map(Cell::new).to_vec();
        let grid = Block::Grid {
            columns: (1..=11).map(|rank| rank.to_string()).collect(),
            rows: vec![("1 Alpha".to_owned(), (0..11).map(|count| Cell::new(count.to_string())).collect())],
        };
        let document = Document::default().table(["rank", "program", "by", "touches", "since"], vec![row]).with(grid);
        assert_eq!(lines(&document).len(), 4);
        let narrow = lines_within(&document, 45);
        assert!(narrow.iter().all(|line| line.width() <= 45), "{narrow:?}");
        assert_eq!(narrow[0], "rank: 1; program: Alpha-Centauri; by: Ann;");
        assert_eq!(narrow[1], "  touches: 127; since: 2026-11-02");
    }
}
