//! Documents with a law of their own: blueprints, matches, contracts.
//!
//! Such a law declares parts, and attributes. It does nothing by itself: the law of a rule reads the parts and runs
//! them. It reads nothing of the room, so that one text declares the same everywhere.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use rhai::{FnPtr, Map};

use kernel::{Id, Path, Value, rulebook::Text};

use super::{
    declared::{AttrDecl, Declaring},
    engine::{self, Compiled},
    fault::Fault,
    registry::{LAW, Registry},
    stage::Stage,
};

/// The attribute of a document that holds its text.
pub(crate) const TEXT: &str = "text";

/// How many documents are kept declared.
const KEPT_MAX_COUNT: usize = 1_024;

/// A part of a document: a power, an action of a match, a clause.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its name.
    pub(crate) name: String,
    /// Its options.
    pub(crate) options: Map,
    /// What it does; nothing where it only says something.
    pub(crate) does: Option<FnPtr>,
}

/// What a document's law declares.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// The law itself.
    pub(crate) source: Arc<str>,
    /// The same, compiled.
    pub(crate) script: Arc<Compiled>,
    /// Its parts, in order.
    pub(crate) parts: Vec<Part>,
    /// Attributes of its own objects.
    pub(crate) attrs: Vec<AttrDecl>,
}

/// The law that stands in a text; nothing where none does.
pub(crate) fn law_in(text: &Text) -> Option<&str> {
    let fence = text.fences().iter().find(|fence| fence.counts && fence.info.eq_ignore_ascii_case(LAW))?;
    text.visible().get(fence.at.clone())
}

type Kept = HashMap<String, Result<Arc<Document>, Fault>>;

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Default::default);

/// What the text of a document declares, worked out once for each text.
///
/// # Errors
///
/// What is wrong with its law, with the line.
pub(crate) fn read(stage: &mut dyn Stage, text: &str) -> Result<Arc<Document>, Fault> {
    if let Some(known) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
        return known.clone();
    }
    let read = declared(stage, text);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= KEPT_MAX_COUNT {
        kept.clear();
    }
    kept.insert(text.to_owned(), read.clone());
    read
}

fn declared(stage: &mut dyn Stage, text: &str) -> Result<Arc<Document>, Fault> {
    let text = Text::parse(text);
    let Some(source) = law_in(&text) else { return Ok(Arc::default()) };
    let told = |fault: Fault| Fault::new(fault.told(source));
    let script = engine::compile(source).map_err(told)?;
    let declaring = Declaring { document: true, ..Declaring::default() };
    let (declaring, _) =
        engine::declare(stage, &Arc::new(Registry::default()), declaring, &script.ast).map_err(told)?;
    let (parts, attrs) = (declaring.parts, declaring.declared.attrs);
    Ok(Arc::new(Document { source: source.into(), script, parts, attrs }))
}

/// The text of a document.
pub(crate) fn text_of(stage: &dyn Stage, document: &Id) -> String {
    match stage.value(&Path::new(document.clone(), TEXT)) {
        Value::Text(text) => text,
        _ => String::new(),
    }
}
