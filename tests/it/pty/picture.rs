//! What the console looks like, drawn cell by cell from the screen of a terminal: the picture in its guide.
//! `RULEKEEPER_SCREENSHOTS=docs/pictures cargo test --test it pty::picture` draws it anew.

use vt100::{Color, Screen};

use super::{Home, ROWS, Terminal};
use crate::{harness::needs_servers, web::browser::Browser};

/// How wide the terminal is, and the picture of it, in pixels.
const COLUMNS: u16 = 92;
const WIDTH_PIXELS: u64 = 800;

/// How many of its last lines the picture shows.
const LINES_SHOWN: usize = 49;

const STYLE: &str = "\
    body { margin: 0; background: #16161d; } pre { margin: 0; padding: 14px 18px; color: #d7d7d7;\
    font: 13.5px/1.3 'DejaVu Sans Mono', monospace; }";

/// The colours of a terminal, as many have them.
const COLOURS: [&str; 16] = [
    "#16161d", "#d75f5f", "#87af5f", "#d7af5f", "#5f87d7", "#af87d7", "#5fafaf", "#d7d7d7", "#767676", "#ff8787",
    "#afd787", "#ffd787", "#87afff", "#d7afff", "#87d7d7", "#ffffff",
];

/// How a colour is written in a page; nothing for the terminal's own.
fn css(color: Color) -> Option<String> {
    match color {
        Color::Default => None,
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Idx(index @ 0..16) => Some(COLOURS[usize::from(index)].to_owned()),
        Color::Idx(index @ 16..232) => {
            let level = |place: u8| [0, 95, 135, 175, 215, 255][usize::from((index - 16) / place % 6)];
            Some(format!("#{:02x}{:02x}{:02x}", level(36), level(6), level(1)))
        }
        Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
    }
}

/// The last lines of a screen as a page, and how many of its cells are coloured.
fn page(screen: &Screen) -> (String, usize) {
    let (mut lines, mut coloured) = (Vec::new(), 0);
    for row in 0..ROWS {
        // Pieces of the line that look alike.
        let mut pieces: Vec<(String, String)> = Vec::new();
        for column in 0..COLUMNS {
            let Some(cell) = screen.cell(row, column) else { continue };
            let text = if cell.has_contents() { cell.contents() } else { " " };
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let (mut front, mut back) = (css(cell.fgcolor()), css(cell.bgcolor()));
            if cell.inverse() {
                (front, back) = (back.or(Some(COLOURS[0].to_owned())), front.or(Some(COLOURS[7].to_owned())));
            }
            let mut style = front.map(|front| format!("color:{front};")).unwrap_or_default();
            style += &back.map(|back| format!("background:{back};")).unwrap_or_default();
            style += if cell.bold() { "font-weight:bold;" } else { "" };
            style += if cell.dim() { "opacity:.65;" } else { "" };
            coloured += usize::from(!style.is_empty());
            match pieces.last_mut().filter(|(last, _)| *last == style) {
                Some((_, piece)) => piece.push_str(&text),
                None => pieces.push((style, text)),
            }
        }
        let written = |(style, text): (String, String)| match style.as_str() {
            "" => text,
            style => format!("<span style=\"{style}\">{text}</span>"),
        };
        let line: String = pieces.into_iter().map(written).collect();
        lines.push(line.trim_end().to_owned());
    }
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let shown = lines[end.saturating_sub(LINES_SHOWN)..end].join("\n");
    (format!("<!doctype html><meta charset=utf-8><style>{STYLE}</style><pre>{shown}</pre>"), coloured)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_console_as_it_looks() {
    needs_servers!(Chromium);
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &["practice"], COLUMNS, &[]);
    let mut prompt = "operator>";
    terminal.ends(prompt);
    for line in [
        "room open joust main clock:manual",
        "joust start",
        "as Ann",
        "join",
        "joust submit Alpha >+++>--->>+[>[+++[-]]+]",
        "joust match Alpha joust5",
        "joust sumbit Beta >+",
    ] {
        if line == "join" {
            // The picture begins here.
            terminal.clear();
        }
        prompt = if line == "as Ann" { "Ann>" } else { prompt };
        terminal.press(&format!("{line}\r"));
        terminal.until(line, |seen| {
            seen.contains(line) && seen.trim_end().lines().last() == Some(prompt) && !seen.trim_end().ends_with(line)
        });
    }
    let (page, coloured) = page(terminal.screen.screen());
    assert!(coloured > 0 && page.contains("Challenge"), "{page}");

    Browser::draw(&page, "console", WIDTH_PIXELS).await;
}
