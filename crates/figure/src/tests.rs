//! What every figure keeps: it lies within itself, bears any name, and is painted as it is written.

use super::{layout::layout, *};
use kernel::display::{Bars, Block, Cell, Chart, Document, Picture, Raster, Wheel};

fn chart() -> Chart {
    Chart {
        measure: "Power".to_owned(),
        moments: ["11-02", "11-09", "11-16"].map(str::to_owned).to_vec(),
        lines: vec![
            ("Ann".to_owned(), vec![Some(3), Some(7), Some(12)]),
            ("Łukasz".to_owned(), vec![None, Some(0), Some(12)]),
            ("Ωmega <b>".to_owned(), vec![Some(5), None, None]),
        ],
        least_first: false,
    }
}

fn bars() -> Bars {
    Bars {
        bars: [("FOR", 4), ("AGAINST", 1), ("not yet", 2)].map(|(name, amount)| (name.to_owned(), amount)).to_vec(),
        needed: Some((5, "Quorum".to_owned())),
    }
}

fn wheel() -> Wheel {
    let moment = |day: usize| {
        let due = if day == 9 { vec!["votes end".to_owned(), "pay".to_owned()] } else { Vec::new() };
        (day.to_string(), due)
    };
    Wheel { name: "nweek 12".to_owned(), moments: (1..=12).map(moment).collect(), now: 3 }
}

fn raster(columns: usize) -> Raster {
    let rows = ["L", ".", "a", "R"].map(|dot| dot.repeat(columns)).to_vec();
    Raster { rows, things: ("Alpha".to_owned(), "日本".to_owned()), ..Raster::default() }
}

fn png(document: &Document, ground: Ground) -> Option<Vec<u8>> {
    painted::png(&layout(&document.blocks)?, ground)
}

fn gif(document: &Document, ground: Ground) -> Option<Vec<u8>> {
    painted(document, ground).filter(|painted| painted.ending == "gif").map(|painted| painted.bytes)
}

fn drawn(picture: Picture) -> Document {
    Document::say("before").with(Block::Picture(picture)).para("after")
}

fn all() -> [Document; 4] {
    [Picture::Chart(chart()), Picture::Bars(bars()), Picture::Wheel(wheel()), Picture::Raster(raster(100))].map(drawn)
}

/// Each figure reads as it should: a look at the snapshot shows what changed.
#[test]
fn what_is_written() {
    for (name, document) in ["chart", "bars", "wheel"].into_iter().zip(all()) {
        let svg = svg(name, &document.blocks[1], |_| None).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        insta::assert_snapshot!(name, svg.replace('>', ">\n"));
    }
}

#[test]
fn everything_lies_within_the_figure() {
    for document in all() {
        let layout = layout(&document.blocks).unwrap();
        let is_inside = |x: usize, y: usize| x <= layout.width && y <= layout.height;
        for label in &layout.names {
            assert!(is_inside(label.x + layout::width_of(&label.text), label.y + layout::HEIGHT), "{}", label.text);
        }
        for fill in &layout.fills {
            assert!(is_inside(fill.x + fill.width, fill.y + fill.height));
        }
        let lines = layout.curves.iter().map(|curve| &curve.points);
        for (x, y) in lines.chain(layout.strokes.iter().map(|stroke| &stroke.points)).flatten() {
            assert!(is_inside(*x, *y));
        }
        for disc in &layout.discs {
            assert!(
                disc.x > disc.radius && disc.y > disc.radius && is_inside(disc.x + disc.radius, disc.y + disc.radius)
            );
        }
    }
}

/// Numbers stand in their order: more is higher, and of ranks the first is on top.
#[test]
fn more_is_higher_and_the_first_rank_on_top() {
    let heights = |least_first: bool| {
        let document = drawn(Picture::Chart(Chart { least_first, ..chart() }));
        let layout = layout(&document.blocks).unwrap();
        layout.curves[0].points.iter().map(|(_, y)| *y).collect::<Vec<_>>()
    };
    assert!(heights(false).is_sorted_by(|one, other| one > other), "{:?}", heights(false));
    assert!(heights(true).is_sorted_by(|one, other| one < other), "{:?}", heights(true));
}

/// Numbers of any size, none at all, and more lines than colours: something to look at, or nothing, never a panic.
#[test]
fn charts_bear_any_number() {
    let chart = |numbers: Vec<Option<i64>>| Chart {
        moments: (0..numbers.len()).map(|moment| moment.to_string()).collect(),
        lines: vec![("x".to_owned(), numbers); 30],
        ..Chart::default()
    };
    let is_drawn = |numbers| layout(&drawn(Picture::Chart(chart(numbers))).blocks).is_some();
    assert!(is_drawn(vec![Some(7), Some(7)]) && is_drawn(vec![Some(-5), None, Some(1_000_000_000)]));
    assert!(!is_drawn(vec![]) && !is_drawn(vec![Some(1)]) && !is_drawn(vec![None, None]));
    is_drawn(vec![Some(i64::MIN), Some(i64::MAX)]);
    let document = drawn(Picture::Chart(chart(vec![Some(1), Some(2)])));
    let layout = layout(&document.blocks).unwrap();
    assert!(layout.names.iter().any(|label| label.text == "and 22 more"), "what is left out is told");
}

/// A picture that cannot be drawn leaves those beside it.
#[test]
fn one_that_cannot_be_drawn_leaves_the_others() {
    let document = drawn(Picture::Chart(Chart::default()));
    assert!(png(&document, Ground::Dark).is_none());
    let grid = Block::Grid { columns: vec!["a".to_owned()], rows: vec![("b".to_owned(), vec![Cell::new("1")])] };
    assert!(png(&document.with(grid), Ground::Dark).is_some());
}

/// What the painter makes has the layout's size and the ground that was asked for, and letters beyond ASCII are no boxes:
/// two of them differ.
#[test]
fn a_picture_has_its_size_its_ground_and_any_letter() {
    let read = |bytes: &[u8]| {
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info.width as usize, info.height as usize, pixels)
    };
    for (name, document) in ["chart", "bars", "wheel", "film"].into_iter().zip(all()) {
        let layout = layout(&document.blocks).unwrap();
        let painted = [Ground::Dark, Ground::Light].map(|ground| png(&document, ground).unwrap());
        // `RULEKEEPER_SCREENSHOTS=FOLDER` keeps them for who wants to see them.
        if let Some(folder) = std::env::var_os("RULEKEEPER_SCREENSHOTS") {
            for (ending, bytes) in ["-dark", ""].iter().zip(&painted) {
                let file = std::path::Path::new(&folder).join(format!("figure-{name}{ending}.png"));
                std::fs::write(file, bytes).unwrap();
            }
        }
        let [dark, light] = painted.map(|bytes| read(&bytes));
        assert_eq!((dark.0, dark.1), (layout.width * 4, layout.height * 4));
        assert_eq!((&dark.2[..3], &light.2[..3]), (&[0x2b, 0x2d, 0x31][..], &[255, 255, 255][..]));
    }
    let named = |name: &str| {
        let bars = Bars { bars: vec![(name.to_owned(), 1)], needed: None };
        png(&drawn(Picture::Bars(bars)), Ground::Light).unwrap()
    };
    let letters = ["Ж", "Ω", "Ł", "א", "ß"].map(named);
    for (index, letter) in letters.iter().enumerate() {
        assert!(!letters[index + 1..].contains(letter), "letter {index}");
    }
}

/// A film begins with the whole, goes through its columns, and ends as it began.
#[test]
fn a_film_moves_and_ends_with_the_whole() {
    let document = drawn(Picture::Raster(raster(100)));
    let bytes = gif(&document, Ground::Dark).unwrap();
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    let width = usize::from(decoder.width());
    let (mut canvas, mut whole, mut count, mut moved) = (Vec::new(), Vec::new(), 0, false);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let (wide, high) = (usize::from(frame.width), usize::from(frame.height));
        if count == 0 {
            canvas = frame.buffer.to_vec();
            whole = canvas.clone();
        } else {
            for row in 0..high {
                let start = 4 * ((top + row) * width + left);
                canvas[start..start + 4 * wide].copy_from_slice(&frame.buffer[4 * row * wide..4 * (row + 1) * wide]);
            }
            moved |= canvas != whole;
        }
        count += 1;
    }
    assert!(moved && count > 30, "{count} frames");
    assert_eq!(canvas, whole);
    assert!(gif(&drawn(Picture::Bars(bars())), Ground::Dark).is_none(), "only a film moves");
}
