//! What a display of a law is made of: tables and grids.
//!
//! Cells of a table of objects carry the paths that they show, so that `why`, completion and corrections read them.

use std::sync::Arc;

use rhai::{Array, Dynamic, Engine, ImmutableString};

use kernel::display::{Block, Cell, Document};

use super::{
    super::{
        fault::{Given, faulty},
        limits::DISPLAY_MAX_BYTES,
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

fn text(cell: &Dynamic, lent: &On<'_>) -> String {
    if cell.is_unit() {
        return String::new();
    }
    as_text(cell).unwrap_or_else(|| shown(lent.stage, cell))
}

/// A page that is not too long.
fn within(document: Document) -> Given<Page> {
    let bytes: usize = document.cells().map(|cell| cell.text.len() + 2).sum();
    weight::made(bytes)?;
    match bytes > DISPLAY_MAX_BYTES {
        true => Err(faulty(format!("a display has at most {DISPLAY_MAX_BYTES} bytes"))),
        false => Ok(Page(document.into())),
    }
}

/// A table of objects: a row each, and a column for each attribute.
fn of_objects(objects: &Array, attrs: &Array) -> Given<Page> {
    on(|lent| {
        let names: Vec<String> = attrs.iter().map(|attr| attr.clone().into_string().unwrap_or_default()).collect();
        let mut rows = Vec::new();
        for object in objects {
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
            rows.push(row);
        }
        within(Document::default().with(Block::table(names, rows)))
    })
}

/// A table of whatever: its heads, and its rows.
fn of_rows(heads: &Array, rows: &Array) -> Given<Page> {
    on(|lent| {
        let heads: Vec<String> = heads.iter().map(|head| text(head, lent)).collect();
        let mut made = Vec::new();
        for row in rows {
            let Some(row) = row.clone().try_cast::<Array>() else { return Err(faulty("a row is a list")) };
            charge(row.len())?;
            made.push(row.iter().map(|is| Cell::new(text(is, lent))).collect());
        }
        within(Document::default().with(Block::table(heads, made)))
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

/// What a display came to, as a document.
pub(crate) fn document(is: Dynamic, lent: &On<'_>) -> Document {
    match is.clone().try_cast::<Page>() {
        Some(Page(document)) => Arc::unwrap_or_clone(document),
        None if is.is_unit() => Document::say("There is nothing to see."),
        None => Document::say(text(&is, lent)),
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
    engine.register_fn("+", |page: Page, other: Page| -> Given<Page> {
        let mut document = Arc::unwrap_or_clone(page.0);
        document.blocks.extend(other.0.blocks.iter().cloned());
        within(document)
    });
    engine.register_fn("+", |page: Page, text: ImmutableString| -> Given<Page> {
        within(Arc::unwrap_or_clone(page.0).para(text.to_string()))
    });
}
