//! Pictures of a hill, as SVG and as PNG: who beats whom by how much, and how long charges last.

use std::fmt::Write as _;
use std::sync::Arc;

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb},
};

/// Sizes, in pixels: a cell of the matrix, a sign of a name, and a bar of the histogram.
const CELL: usize = 18;
const SIGN: usize = 7;
const BAR_WIDTH: usize = 22;
const BAR_HEIGHT: usize = 200;

/// Longest side of a PNG: it takes 144 MB while it is painted.
const SIDE_MAX_PIXELS: f32 = 6000.0;

/// Longest name that is shown whole, in characters.
const NAME_MAX_CHARS: usize = 30;

/// The longest rank, in characters.
const RANK_CHARS: usize = 4;

/// What the squares of margins say.
const LEGEND: &str = "blue: the row beat the column; red: it lost to it";

/// A square for each pair, row against column: blue where the row won more charges, red where fewer, and the more of
/// `charges` the darker. Rows have a rank and a name, columns the rank.
pub(super) fn margins(names: &[&str], rows: &[&[i64]], charges: i64) -> String {
    let names: Vec<String> = names.iter().map(|name| escaped(name)).collect();
    let left = SIGN * (NAME_MAX_CHARS + RANK_CHARS + 1);
    let side = CELL * names.len();
    let mut svg = head(left + side.max(SIGN * LEGEND.len()) + CELL, side + 4 * CELL);
    for rank in 1..=names.len() {
        let x = left + rank * CELL - CELL / 2;
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"8\">{rank}</text>", CELL - 4);
    }
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{LEGEND}</text>", side + 3 * CELL);
    for (row, (name, margins)) in names.iter().zip(rows).enumerate() {
        let y = row * CELL + CELL;
        let middle = y + CELL * 3 / 4;
        let (x, rank) = (left - SIGN, row + 1);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{middle}\" text-anchor=\"end\">{name} {rank}</text>");
        for (column, &margin) in margins.iter().enumerate() {
            let colour = if row == column {
                "#dddddd".to_owned()
            } else {
                let pale = 255 - 200 * margin.unsigned_abs() / charges.max(1).unsigned_abs();
                if margin < 0 { format!("rgb(255,{pale},{pale})") } else { format!("rgb({pale},{pale},255)") }
            };
            let x = left + column * CELL;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" stroke=\"white\">\
                 <title>{name} - {}: {margin}</title></rect>",
                names[column]
            );
        }
    }
    svg + "</svg>\n"
}

/// A bar for each power of two: how many charges last so many cycles, up to the limit.
pub(super) fn cycles(cycles: impl Iterator<Item = u64>, limit: u64) -> String {
    let bars = (u64::BITS - limit.leading_zeros()) as usize + 1;
    let mut counts = vec![0_usize; bars];
    for cycles in cycles {
        counts[(u64::BITS - cycles.leading_zeros()) as usize] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut svg = head(BAR_WIDTH * bars + 2 * BAR_WIDTH, BAR_HEIGHT + 3 * CELL);
    for (power, count) in counts.iter().enumerate() {
        let (x, height) = (BAR_WIDTH * (power + 1), BAR_HEIGHT * count / most);
        let (y, width) = (CELL + BAR_HEIGHT - height, BAR_WIDTH - 2);
        let (from, to) = (if power == 0 { 0 } else { 1_u64 << (power - 1) }, (1_u128 << power) - 1);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#3366cc\">\
             <title>{from} to {to} cycles: {count}</title></rect>"
        );
        let (x, y) = (x + BAR_WIDTH / 2, BAR_HEIGHT + 2 * CELL);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{power}</text>");
    }
    let (x, y) = (BAR_WIDTH, BAR_HEIGHT + 3 * CELL - 4);
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">cycles of a charge, below 2 to this power</text>");
    svg + "</svg>\n"
}

/// A picture as PNG, for what cannot show SVG. It has two pixels for each of the SVG's, and fewer where a side would be
/// longer than [`SIDE_MAX_PIXELS`]. The font comes with the program.
pub(super) fn png(svg: &str) -> Option<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(dejavu::sans_mono::regular())));
    fonts.set_monospace_family("DejaVu Sans Mono");
    let tree = Tree::from_str(svg, &Options { fontdb: Arc::new(fonts), ..Options::default() }).ok()?;
    let size = tree.size().to_int_size();
    let scale = (SIDE_MAX_PIXELS / size.width().max(size.height()) as f32).min(2.0);
    let painted = size.scale_by(scale)?;
    let mut pixels = Pixmap::new(painted.width(), painted.height())?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().ok()
}

fn head(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" \
         font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

/// A name as text of a picture: a file's name can hold anything.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for sign in name.chars().take(NAME_MAX_CHARS) {
        match sign {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            sign if sign.is_control() => text.push(char::REPLACEMENT_CHARACTER),
            sign => text.push(sign),
        }
    }
    text
}
