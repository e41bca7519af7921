//! What a display of a law is made of: tables, grids and maps.
//!
//! Cells of a table of objects carry the paths that they show, so that `why`, completion and corrections read them.

use std::{collections::BTreeSet, sync::Arc};

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use kernel::{
    clean::prose,
    display::{Block, Cell, Document, Graph, Place, Vertex},
};

use super::{
    super::{
        fault::{Given, faulty},
        limits::{DISPLAY_MAX_BYTES, TABLE_MAX_BYTES},
        params::{path, shown},
        run::{On, on},
        values::{as_object, as_text},
        weight,
    },
    look::{attribute, charge, get},
};

/// A page in the making. A script that copies one shares it.
#[derive(Clone, Debug)]
pub(crate) struct Page(Arc<Document>);

/// What stands in a cell, in one line.
fn text(cell: &Dynamic, lent: &On<'_>) -> String {
    if cell.is_unit() {
        return String::new();
    }
    let text = as_text(cell).unwrap_or_else(|| shown(lent.stage, cell));
    prose(&text).replace('\n', " / ")
}

/// How long a cell is, with what stands between it and the next one.
fn bytes(cell: &Cell) -> usize {
    cell.text.len() + 2
}

/// A page that is not too long.
fn within(document: Document) -> Given<Page> {
    let bytes = document.cells().map(bytes).sum();
    weight::made(bytes)?;
    match bytes > DISPLAY_MAX_BYTES {
        true => Err(faulty(format!("a display has at most {DISPLAY_MAX_BYTES} bytes"))),
        false => Ok(Page(document.into())),
    }
}

/// A table of as many rows as it may hold, and how many more there are.
fn table(heads: &[String], rows: &Array, mut row: impl FnMut(&Dynamic) -> Given<Vec<Cell>>) -> Given<Page> {
    let (mut made, mut size) = (Vec::new(), 0);
    for one in rows {
        let cells = row(one)?;
        size += cells.iter().map(bytes).sum::<usize>();
        if size > TABLE_MAX_BYTES {
            break;
        }
        made.push(cells);
    }
    let left = rows.len() - made.len();
    let page = Document::default().with(Block::table(heads, made));
    within(if left > 0 { page.para(format!("{left} more are not shown.")) } else { page })
}

/// A table of objects: a row each, and a column for each attribute.
fn of_objects(objects: &Array, attrs: &Array) -> Given<Page> {
    on(|lent| {
        let names: Vec<String> = attrs.iter().map(|attr| attr.clone().into_string().unwrap_or_default()).collect();
        table(&names, objects, |object| {
            let Some(obj) = as_object(object) else { return Err(faulty("the rows of this table are no objects")) };
            charge(names.len())?;
            let mut row = Vec::new();
            for name in &names {
                let is = get(lent, &obj, name)?;
                let kind = lent.stage.world().kind(&obj).map(ToString::to_string).unwrap_or_default();
                let nothing = lent.run.registry.nothing.get(&(name.clone(), kind)).filter(|_| is.is_unit());
                let cell = Cell::new(nothing.cloned().unwrap_or_else(|| text(&is, lent)));
                let at = path(&obj, name);
                row.push(if attribute(lent, &obj, name).is_ok() { cell.from_path(at) } else { cell });
            }
            Ok(row)
        })
    })
}

/// A table of whatever: its heads, and its rows.
fn of_rows(heads: &Array, rows: &Array) -> Given<Page> {
    on(|lent| {
        let heads: Vec<String> = heads.iter().map(|head| text(head, lent)).collect();
        table(&heads, rows, |row| {
            let Some(row) = row.clone().try_cast::<Array>() else { return Err(faulty("a row is a list")) };
            charge(row.len())?;
            Ok(row.iter().map(|is| Cell::new(text(is, lent))).collect())
        })
    })
}

/// A map: squares by row and column, whose numbers stand beside them.
fn of_squares(rows: &Array) -> Given<Page> {
    let width = rows.iter().filter_map(|row| row.as_array_ref().ok().map(|row| row.len())).max().unwrap_or_default();
    let number = |number: usize| Dynamic::from(number.to_string());
    let heads: Array = std::iter::once(Dynamic::UNIT).chain((1..=width).map(number)).collect();
    let row = |(place, row): (usize, &Dynamic)| {
        let Some(row) = row.clone().try_cast::<Array>() else { return Err(faulty("a row is a list")) };
        Ok(Dynamic::from_array(std::iter::once(number(place + 1)).chain(row).collect()))
    };
    of_rows(&heads, &rows.iter().enumerate().map(row).collect::<Given<Array>>()?)
}

/// What places of a map are called that belong to no group.
const UNGROUPED: &str = "other";

/// A point of a map: two whole numbers.
fn point(held: Option<&Dynamic>) -> Option<Place> {
    let held = held?.as_array_ref().ok()?;
    let [x, y] = &held[..] else { return None };
    Some(Place::new(x.as_int().ok()?, y.as_int().ok()?).tamed())
}

/// A place of a map. A group gets its number when it is met first.
fn vertex(held: &Dynamic, groups: &mut Vec<String>, lent: &On<'_>) -> Given<Vertex> {
    let word = |map: &Map, name: &str| map.get(name).map(|is| text(is, lent));
    let map = held.clone().try_cast::<Map>().unwrap_or_default();
    let Some(at) = point(map.get("at")) else {
        return Err(faulty("a place of a map has two whole numbers: #{at: [1, 2], name: \"home\"}"));
    };
    let cell = Cell::new(word(&map, "name").unwrap_or_else(|| at.to_string()));
    let cell = if let Some(shows) = word(&map, "shows") { cell.showing(shows) } else { cell };
    let group = word(&map, "what").filter(|what| !what.is_empty()).map(|what| {
        groups.iter().position(|known| *known == what).unwrap_or_else(|| {
            groups.push(what);
            groups.len() - 1
        })
    });
    let there = map.get("there").filter(|there| !there.is_unit()).cloned();
    let there = there.map_or_else(Array::new, |there| there.clone().try_cast().unwrap_or_else(|| vec![there]));
    charge(there.len())?;
    let there = there.iter().map(|one| Cell::new(text(one, lent))).collect();
    Ok(Vertex { at, cell, group, there, turned: 0 })
}

/// The place that is nearest to the middle of all.
fn middle(vertices: &[Vertex]) -> Place {
    let half = |of: fn(Place) -> i64| {
        let all = || vertices.iter().map(|vertex| of(vertex.at));
        all().min().zip(all().max()).map_or(0, |(least, most)| least.midpoint(most))
    };
    let (x, y) = (half(|at| at.x), half(|at| at.y));
    let away = |at: &Place| u128::from(at.x.abs_diff(x)).pow(2) + u128::from(at.y.abs_diff(y)).pow(2);
    vertices.iter().map(|vertex| vertex.at).min_by_key(away).unwrap_or_default()
}

/// A map: places with what joins them.
fn of_places(places: &Array, lines: &Array, options: &Map) -> Given<Page> {
    on(|lent| {
        charge(places.len() + lines.len())?;
        let mut groups = Vec::new();
        let vertices = places.iter().map(|place| vertex(place, &mut groups, lent)).collect::<Given<Vec<Vertex>>>()?;
        let mut taken = BTreeSet::new();
        if let Some(twice) = vertices.iter().find(|vertex| !taken.insert(vertex.at)) {
            return Err(faulty(format!("a map has one place at {}", twice.at)));
        }
        let mut edges = BTreeSet::new();
        for line in lines {
            let ends = line.as_array_ref().ok().and_then(|line| match &line[..] {
                [from, to] => Some([from.as_int().ok()?, to.as_int().ok()?]),
                _ => None,
            });
            let of = |number: i64| vertices.get(usize::try_from(number).ok()?).map(|vertex| vertex.at);
            let ends = ends.and_then(|[from, to]| Some((of(from)?, of(to)?)));
            let Some((from, to)) = ends else {
                return Err(faulty("a line of a map joins two of its places, which are numbered from 0: [0, 1]"));
            };
            if from != to {
                edges.insert((from.min(to), from.max(to)));
            }
        }
        let middle = middle(&vertices);
        let graph = Graph {
            centre: point(options.get("middle")).unwrap_or(middle),
            asked: point(options.get("asked")),
            total: vertices.len(),
            vertices,
            edges: edges.into_iter().collect(),
            groups: groups.into_iter().map(Cell::new).collect(),
            ungrouped: options.get("other").map_or_else(|| UNGROUPED.to_owned(), |other| text(other, lent)),
            turned: String::new(),
        };
        within(Document::default().with(Block::Graph(graph)))
    })
}

/// A page of blocks that the program made.
pub(super) fn of_blocks(blocks: Vec<Block>) -> Given<Page> {
    within(Document { blocks, ..Document::default() })
}

/// A page as a rule announces it: its words are signed. Nothing where it is no page.
pub(super) fn said(is: &Dynamic, lent: &On<'_>) -> Given<Option<Document>> {
    let Some(Page(document)) = is.clone().try_cast::<Page>() else { return Ok(None) };
    let signed = |block: Block| match block {
        Block::Para(text) => Block::Said { by: lent.run.registry.sign(lent.run.law), text: prose(&text) },
        other => other,
    };
    let blocks: Vec<Block> = Arc::unwrap_or_clone(document).blocks.into_iter().map(signed).collect();
    match blocks.first() {
        Some(Block::Said { .. }) => Ok(Some(Document { blocks, ..Document::default() })),
        _ => Err(faulty("a page that is announced begins with words: say(\"Socks:\" + table(..))")),
    }
}

/// What a display came to, as a document.
pub(crate) fn document(is: Dynamic, lent: &On<'_>) -> Document {
    match is.clone().try_cast::<Page>() {
        Some(Page(document)) => Arc::unwrap_or_clone(document),
        None if is.is_unit() => Document::say("There is nothing to see."),
        None => Document::say(as_text(&is).map_or_else(|| text(&is, lent), |text| prose(&text))),
    }
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Page>("page");
    engine.register_fn("table", |one: Array, other: Array| -> Given<Page> {
        if one.iter().all(|is| as_object(is).is_some()) && other.iter().all(Dynamic::is_string) {
            of_objects(&one, &other)
        } else {
            of_rows(&one, &other)
        }
    });
    engine.register_fn("grid", |rows: Array| of_squares(&rows));
    engine.register_fn("graph", |places: Array, lines: Array| of_places(&places, &lines, &Map::new()));
    engine.register_fn("graph", |places: Array, lines: Array, options: Map| of_places(&places, &lines, &options));
    engine.register_fn("+", |page: Page, other: Page| -> Given<Page> {
        let mut document = Arc::unwrap_or_clone(page.0);
        document.blocks.extend(other.0.blocks.iter().cloned());
        within(document)
    });
    engine.register_fn("+", |page: Page, text: ImmutableString| -> Given<Page> {
        within(Arc::unwrap_or_clone(page.0).para(text.to_string()))
    });
    engine.register_fn("+", |text: ImmutableString, page: Page| -> Given<Page> {
        let mut document = Arc::unwrap_or_clone(page.0);
        document.blocks.insert(0, Block::Para(text.to_string()));
        within(document)
    });
}
