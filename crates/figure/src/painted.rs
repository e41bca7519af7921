//! Figures as PNG and as animated GIF, where only pictures can be shown.
//!
//! They are painted from the SVG. The font comes with the program, so that a machine without fonts draws the same picture.
//! Letters that it lacks, those of East Asia, come from fonts of the machine where it has any.

use std::sync::{Arc, LazyLock};

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb},
};

use super::{
    layout::{Layout, Strip, layout},
    svg::written,
};
use kernel::display::Document;

/// How many pixels a unit of the layout is wide and high: twice as many as a page has, for screens that show so many.
const SCALE: usize = 4;

/// The same of a film, of which every frame is sent.
const FILM_SCALE: usize = 2;

/// A picture that would be longer than this is painted with half as many.
const SIDE_MAX_PIXELS: usize = 4000;

/// Pictures of a film, besides the whole that it begins with.
const FRAMES_MAX_COUNT: usize = 48;

/// How long a frame is shown, in hundredths of a second: the whole, each of the others, and the last.
const DELAYS: (u16, u16, u16) = (150, 7, 300);

/// What a picture stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// As dark as chat is where nobody chose otherwise.
    #[default]
    Dark,
    /// Paper.
    Light,
}

impl Ground {
    /// The colours of the ground and of what is written on it.
    fn colours(self) -> (&'static str, &'static str) {
        match self {
            Self::Dark => ("#2b2d31", "#dbdee1"),
            Self::Light => ("#ffffff", "#202124"),
        }
    }
}

/// The fonts: those that come with the program, and behind them those of the machine.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for font in [dejavu::sans_mono::regular(), dejavu::sans::regular()] {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(font)));
    }
    fonts.load_system_fonts();
    fonts.set_monospace_family("DejaVu Sans Mono");
    Arc::new(fonts)
});

/// A picture, as the bytes of a file.
pub struct Painted {
    /// What the file's name ends with: `png`, or `gif` where it moves.
    pub ending: &'static str,
    pub bytes: Vec<u8>,
}

/// The figures of a document as a picture, which moves where there is a film among them; nothing where the document has
/// nothing that can be drawn.
pub fn painted(document: &Document, ground: Ground) -> Option<Painted> {
    let layout = layout(&document.blocks)?;
    match gif(&layout, ground) {
        Some(bytes) => Some(Painted { ending: "gif", bytes }),
        None => png(&layout, ground).map(|bytes| Painted { ending: "png", bytes }),
    }
}

/// A layout as PNG.
pub(super) fn png(layout: &Layout<'_>, ground: Ground) -> Option<Vec<u8>> {
    let long = layout.width.max(layout.height) * SCALE;
    let scale = if long > SIDE_MAX_PIXELS { SCALE / 2 } else { SCALE };
    pixels(layout, ground, scale)?.encode_png().ok()
}

/// The film of a layout as an animated GIF, which begins with the whole; nothing where it has none.
fn gif(layout: &Layout<'_>, ground: Ground) -> Option<Vec<u8>> {
    let Strip { x, y, columns, height, dot, nothing } = layout.strip?;
    let scale = FILM_SCALE;
    let whole = pixels(layout, ground, scale)?;
    let side = |pixels: u32| u16::try_from(pixels).ok();
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, side(whole.width())?, side(whole.height())?, &[]).ok()?;
    encoder.set_repeat(gif::Repeat::Infinite).ok()?;
    let mut show = |place: (usize, usize), size: (usize, usize), pixels: &mut [u8], delay: u16| {
        let [left, top, width, height] = [place.0, place.1, size.0, size.1].map(|pixels| u16::try_from(pixels).ok());
        let frame = gif::Frame::from_rgba_speed(width?, height?, pixels, 10);
        encoder.write_frame(&gif::Frame { left: left?, top: top?, delay, ..frame }).ok()
    };
    let size = (whole.width() as usize, whole.height() as usize);
    let mut pixels = whole.data().to_vec();
    show((0, 0), size, &mut pixels, DELAYS.0)?;
    let (left, top, high) = (x * scale, y * scale, height * scale);
    let wide = columns * dot * scale;
    let mut empty: Vec<u8> = [nothing[0], nothing[1], nothing[2], u8::MAX].repeat(wide * high);
    show((left, top), (wide, high), &mut empty, DELAYS.1)?;
    let step = columns.div_ceil(FRAMES_MAX_COUNT).max(1);
    for from in (0..columns).step_by(step) {
        let to = (from + step).min(columns);
        let (begin, end) = (left + from * dot * scale, left + to * dot * scale);
        let rows = (top..top + high).map(|row| &whole.data()[4 * (row * size.0 + begin)..4 * (row * size.0 + end)]);
        let mut pixels = rows.collect::<Vec<_>>().concat();
        let delay = if to == columns { DELAYS.2 } else { DELAYS.1 };
        show((begin, top), (end - begin, high), &mut pixels, delay)?;
    }
    drop(encoder);
    Some(bytes)
}

/// A layout in pixels, so many for each unit.
fn pixels(layout: &Layout<'_>, ground: Ground, scale: usize) -> Option<Pixmap> {
    let (width, height) = (layout.width, layout.height);
    let (paper, ink) = ground.colours();
    let root = format!(" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" color=\"{ink}\"");
    let paper = format!("<rect width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>");
    let svg = written(layout, &root, &paper, |_| None);
    let options = Options { fontdb: Arc::clone(&FONTS), ..Options::default() };
    let tree = Tree::from_str(&svg, &options).ok()?;
    let [wide, high] = [width, height].map(|side| u32::try_from(side * scale).ok());
    let mut pixmap = Pixmap::new(wide?, high?)?;
    let scaled = Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, scaled, &mut pixmap.as_mut());
    Some(pixmap)
}
