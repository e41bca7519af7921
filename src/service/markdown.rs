//! The program's own pages, which are Markdown, as blocks of a document: rulings.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use kernel::display::{Block, Cell};

/// Reads a page: paragraphs and headings, lists, tables and code. What is emphasised or linked is plain text.
pub(super) fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut text = String::new();
    let (mut items, mut row): (Vec<Cell>, Vec<String>) = Default::default();
    let (mut head, mut rows): (Vec<String>, Vec<Vec<Cell>>) = Default::default();
    let mut lists = 0_usize;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Text(part) | Event::Html(part) | Event::InlineHtml(part) => text.push_str(&part),
            Event::Code(code) => text.push_str(&format!("“{code}”")),
            Event::SoftBreak => text.push(' '),
            Event::HardBreak => text.push('\n'),
            // A list within an item follows what the item says.
            Event::Start(Tag::List(_)) => {
                lists += 1;
                items.extend(item(&mut text));
            }
            Event::End(TagEnd::Item) => items.extend(item(&mut text)),
            Event::End(TagEnd::List(_)) => {
                lists -= 1;
                if lists == 0 {
                    blocks.push(Block::List(std::mem::take(&mut items)));
                }
            }
            Event::End(TagEnd::Paragraph) if lists > 0 => text.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) => blocks.push(Block::Para(std::mem::take(&mut text))),
            Event::End(TagEnd::CodeBlock) => {
                blocks.push(Block::Code { lang: String::new(), text: std::mem::take(&mut text) });
            }
            Event::End(TagEnd::TableCell) => row.push(std::mem::take(&mut text)),
            Event::End(TagEnd::TableHead) => head = std::mem::take(&mut row),
            Event::End(TagEnd::TableRow) => rows.push(row.drain(..).map(Cell::new).collect()),
            Event::End(TagEnd::Table) => {
                blocks.push(Block::Table { head: std::mem::take(&mut head), rows: std::mem::take(&mut rows) });
            }
            _ => {}
        }
    }
    blocks
}

/// The item of a list that ends here, where it says anything.
fn item(text: &mut String) -> Option<Cell> {
    let said = std::mem::take(text);
    let said = said.trim();
    (!said.is_empty()).then(|| Cell::new(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_a_page_when_it_is_read_then_nothing_of_its_marks_is_left() {
        let page = "# Rulings\n\n## N6: *plain* slips\n\nSpelling, and\nnothing `else` ([here](x.md)).\n\n- one\n- two\n  - \
            three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n=> set x\n```\n";
        let cells = |texts: &[&str]| texts.iter().map(|text| Cell::new(*text)).collect::<Vec<_>>();
        assert_eq!(
            blocks(page),
            [
                Block::Para("Rulings".to_owned()),
                Block::Para("N6: plain slips".to_owned()),
                Block::Para("Spelling, and nothing “else” (here).".to_owned()),
                Block::List(cells(&["one", "two", "three"])),
                Block::Table { head: vec!["a".to_owned(), "b".to_owned()], rows: vec![cells(&["1", "2"])] },
                Block::Code { lang: String::new(), text: "=> set x\n".to_owned() },
            ]
        );
    }
}
