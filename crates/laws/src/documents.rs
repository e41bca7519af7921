//! Documents with a law of their own: blueprints, matches, contracts.
//!
//! Such a law declares parts, and attributes. It does nothing by itself: the law of a rule reads the parts and runs
//! them. It reads nothing of the room, so that one text declares the same everywhere.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use kernel::{Id, Path, Value, rulebook::Text};

use super::{
    declaring::{Declaring, Document},
    engines::engines,
    fault::{Fault, Stop},
    fuel::aside,
    limits::LOOK_MAX_OPERATIONS,
    reads::{Read, Reads},
    registry::{Registry, law_in},
    run::{Mode, Run, lend},
    script::{self, Compiled, explained},
    stage::Stage,
};

/// The attribute of a document that holds its text.
pub(crate) const TEXT: &str = "text";

/// How many documents are kept declared.
const KEPT_MAX_COUNT: usize = 1_024;

/// Runs the top level of a law, which declares and changes nothing; with it what that read of the room.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(crate) fn declare(
    stage: &mut dyn Stage,
    registry: &Arc<Registry>,
    declaring: Declaring,
    script: &Compiled,
) -> Result<(Declaring, Vec<Read>), Fault> {
    let law = declaring.law;
    let mut run = Run::new(registry.clone(), Mode::Declare(Box::new(declaring)), stage);
    run.law = law;
    run.reads = Reads::Noted(Vec::new());
    let done = aside(LOOK_MAX_OPERATIONS, || {
        lend(stage, &mut run, || script.touched.running(|| engines().acts.run_ast(&script.ast)))
    });
    match (done, run.mode) {
        (Ok(()), Mode::Declare(declaring)) => {
            declaring.fit(script)?;
            Ok((*declaring, run.reads.noted()))
        }
        (Err(why), _) => Err(match explained(*why) {
            Stop::Fault(fault) => fault,
            Stop::Refused(refusal, _) => Fault::new(refusal.say),
        }),
        (Ok(()), Mode::Look | Mode::Act) => Err(Fault::new("the law declares nothing")),
    }
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
    let script = script::compile(source).map_err(told)?;
    let declaring = Declaring { document: true, ..Declaring::default() };
    let (declaring, ..) = declare(stage, &Arc::new(Registry::default()), declaring, &script).map_err(told)?;
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
