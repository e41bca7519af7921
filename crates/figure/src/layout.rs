//! Where everything of a document's figures lies, as shapes and texts in whole units.

use kernel::display::{Block, Cell, Picture};
use unicode_width::UnicodeWidthStr as _;

/// More figures of one document than this are not drawn.
const FIGURE_MAX_COUNT: usize = 4;

/// Longest name of a row or column that is shown whole, in characters.
pub(super) const NAME_MAX_CHARS: usize = 24;

/// How high a line of text is, and how wide a letter, in units of the layout.
pub(super) const HEIGHT: usize = 8;
pub(super) const ADVANCE: usize = 6;

/// The room around a text in a cell, in units of the layout.
pub(super) const PAD: usize = 3;

/// The room around the figure, and between two.
pub(super) const MARGIN: usize = 8;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

/// A filled rectangle with what stands in it.
pub(super) struct Square<'a> {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// The colour of its number and of the text on it; nothing where there is no number.
    pub(super) colours: Option<(Colour, Colour)>,
    pub(super) text: Label,
    /// The whole text, and where it leads.
    pub(super) cell: &'a Cell,
    /// The names of its row and column, whole.
    pub(super) names: (&'a str, &'a str),
}

/// A text. Its place is its upper left corner, or where it is turned, the lower left.
pub(super) struct Label {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) text: String,
    /// Whether it is read from below to above.
    pub(super) turned: bool,
}

/// A rectangle of a picture.
pub(super) struct Fill {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) colour: Colour,
}

/// A line.
pub(super) struct Stroke {
    /// What it goes through.
    pub(super) points: Vec<(usize, usize)>,
    /// Whether it is an edge that reaches farther than to a neighbour.
    pub(super) far: bool,
    /// Where from and where to.
    pub(super) title: String,
}

/// A vertex, or the mark of a group in the legend.
pub(super) struct Disc<'a> {
    /// Its middle.
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) radius: usize,
    pub(super) ground: Colour,
    pub(super) ink: Colour,
    /// The letter of its group, if it has one.
    pub(super) mark: Label,
    pub(super) chip: Option<Chip>,
    /// It in words.
    pub(super) title: String,
    /// Where it leads.
    pub(super) cell: &'a Cell,
}

/// Who is at a vertex, in short.
pub(super) struct Chip {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) ground: Colour,
    pub(super) ink: Colour,
    pub(super) text: Label,
}

/// A ring around a place that was asked for.
pub(super) struct Ring {
    /// Its middle.
    pub(super) x: usize,
    pub(super) y: usize,
    /// How far from it the line is drawn, which is two units wide.
    pub(super) radius: usize,
}

/// A line of a chart.
pub(super) struct Curve {
    /// What it goes through.
    pub(super) points: Vec<(usize, usize)>,
    pub(super) colour: Colour,
    /// What it shows, and its latest number.
    pub(super) title: String,
}

/// A picture whose columns are moments.
#[derive(Clone, Copy)]
pub(super) struct Strip {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) columns: usize,
    pub(super) height: usize,
    /// How wide a column is.
    pub(super) dot: usize,
    /// The colour of what is not shown yet.
    pub(super) nothing: Colour,
}

/// Where everything is.
#[derive(Default)]
pub(super) struct Layout<'a> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) squares: Vec<Square<'a>>,
    pub(super) fills: Vec<Fill>,
    /// Texts beside what is drawn.
    pub(super) names: Vec<Label>,
    /// Lines of a chart, over everything else.
    pub(super) curves: Vec<Curve>,
    /// The edges of a graph, which lie below its vertices.
    pub(super) strokes: Vec<Stroke>,
    /// The vertices of a graph, and the marks of its legend.
    pub(super) discs: Vec<Disc<'a>>,
    /// What is drawn around a place that was asked for, over the edges and under the vertices.
    pub(super) rings: Vec<Ring>,
    /// Where a picture lies that can be shown bit by bit.
    pub(super) strip: Option<Strip>,
    /// What can be said of a graph in a sentence, for who cannot see it.
    pub(super) says: String,
}

/// The layout of the figures among blocks; nothing where there is none, or none that can be drawn.
pub(super) fn layout(blocks: &[Block]) -> Option<Layout<'_>> {
    let mut layout = Layout { height: MARGIN, ..Layout::default() };
    let mut count = 0;
    for block in blocks {
        match block {
            Block::Grid { columns, rows } => layout.grid(columns, rows)?,
            Block::Graph(graph) => layout.graph(graph)?,
            // Words beside a picture say what it shows: one that cannot be drawn leaves the others where they are.
            Block::Picture(picture) if layout.picture(picture).is_some() => {}
            _ => continue,
        }
        count += 1;
        if count > FIGURE_MAX_COUNT {
            return None;
        }
    }
    (count > 0).then_some(layout)
}

impl Layout<'_> {
    fn picture(&mut self, picture: &Picture) -> Option<()> {
        match picture {
            Picture::Raster(raster) => self.raster(raster),
            Picture::Chart(chart) => self.chart(chart),
            Picture::Bars(bars) => self.bars(bars),
            Picture::Wheel(wheel) => self.wheel(wheel),
        }
    }
}

/// How wide a text is: letters of East Asia are as wide as two others.
pub(super) fn width_of(text: &str) -> usize {
    text.width() * ADVANCE
}

pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['~']).collect()
}
