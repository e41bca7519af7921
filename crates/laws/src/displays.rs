//! What laws show: their displays, what these offer for parameters, and what laws do by themselves.

use rhai::Dynamic;

use kernel::{
    Asked, Id, Outcome, Refusal, State,
    clean::prose,
    display::{Block, Cell, Document},
    viewer::Viewer,
};

use super::{
    docket_page,
    fault::Stop,
    natives, pending,
    room::{Hosts, sign},
    run::{On, call},
    script::Function,
    session::look,
    tables::{Ask, Enacted, Intent, Later},
    values::Obj,
};

/// The display that completes a parameter by a display of its law.
pub(crate) const OFFERS: &str = "offers";

/// The title of a display, with the rule whose it is: what it shows may look like a page of the program's.
pub(crate) fn signed(title: &str, sign: &str) -> String {
    format!("{} ({sign})", prose(title))
}

/// The display that completes a parameter which names something of a kind: `objects/sock`.
pub(crate) const OBJECTS: &str = "objects";

/// Most things that complete a parameter: nobody chooses among more, and each keystroke asks for them.
const OBJECTS_MAX_COUNT: usize = 1_000;

/// The things of some kinds, newest first, by what players call them.
///
/// # Errors
///
/// Where no rule gives such a kind.
pub(crate) fn objects<G: Hosts>(state: &State<G>, asked: Asked<'_>) -> Outcome {
    let cells = look(state, asked.viewer.now, |stage, run| {
        let kinds = run.registry.kinds_of(stage, asked.rest)?;
        let mut all: Vec<Id> = kinds.iter().flat_map(|kind| stage.members(kind)).collect();
        all.reverse();
        all.truncate(OBJECTS_MAX_COUNT);
        let named = all.iter().map(|id| stage.called(id));
        Some(named.map(|name| Cell::new(name.clone()).completing(name)).collect())
    });
    let cells = cells.flatten().ok_or_else(kernel::mechanic::no_display::<G>)?;
    let mut page = Document { blocks: vec![Block::List(cells)], ..Document::titled(OBJECTS, asked.rest) };
    state.frame.redaction_of_kept().seen(&mut page);
    Ok(page)
}

/// The displays of laws.
pub(crate) fn pages<G: Hosts>(state: &State<G>) -> Vec<Cell> {
    let page = |name: &str, title: String| Cell::new(title).completing(name.to_owned()).showing(name.to_owned());
    let mut pages = Vec::new();
    for (rule, law) in state.rows::<Enacted>().iter() {
        let sign = state.rules.get(rule).map(sign::<G>).unwrap_or_default();
        let shown = law.declared.displays.iter().filter(|display| !law.rests.contains(&display.name));
        pages.extend(shown.map(|display| page(&display.name, signed(&display.title, &sign))));
    }
    let is_shown = |page: &Cell| pages.iter().any(|known| known.completes == page.completes);
    let lists: Vec<Cell> = docket_page::pages(state).filter(|page| !is_shown(page)).collect();
    pages.extend(lists);
    let has_own = pages.iter().any(|page| page.completes.as_deref() == Some(pending::PENDING));
    let waits =
        !state.rows::<Ask>().is_empty() || !state.rows::<Intent>().is_empty() || !state.rows::<Later>().is_empty();
    if waits && !has_own {
        pages.push(page(pending::PENDING, "What waits for players".to_owned()));
    }
    pages
}

/// What laws put on the page that the room shows first; a display that cannot be made is left out.
pub fn front<G: Hosts>(state: &State<G>, viewer: &Viewer) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (rule, law) in state.rows::<Enacted>().iter() {
        let sign = state.rules.get(rule).map(sign::<G>).unwrap_or_default();
        for it in law.declared.displays.iter().filter(|it| it.front && !law.rests.contains(&it.name)) {
            let Ok(page) = show(state, Asked { rest: &it.name, viewer }) else { continue };
            blocks.push(Block::Para(page.title));
            // The program's own words stand on the same page.
            blocks.extend(page.blocks.into_iter().map(|block| match block {
                Block::Para(text) => Block::Said { by: sign.clone(), text },
                other => other,
            }));
        }
    }
    blocks
}

/// What laws do by themselves: the edge of a unit of the game's time, in which ones of them, and by which rule. Where no
/// number is named it is each. They are in the order of their rules.
pub fn by_themselves<G: Hosts>(state: &State<G>) -> Vec<(String, Vec<i64>, Id)> {
    let found = look(state, state.at, |_, run| {
        let registry = run.registry.clone();
        let rule = |function: &Function| registry.laws.get(function.law).map(|law| law.rule.clone());
        let all = registry.moments.iter().flat_map(|(edge, all)| all.iter().map(move |known| (edge, known)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(_, (function, _))| (function.law, function.place));
        all.into_iter().filter_map(|(edge, (function, on))| Some((edge.clone(), on.clone(), rule(function)?))).collect()
    });
    found.unwrap_or_default()
}

/// A display of a law.
pub(crate) fn show<G: Hosts>(state: &State<G>, asked: Asked<'_>) -> Outcome {
    // Words of a name are parted like the parts of an id.
    let joined = asked.rest.replace('/', "-");
    let me = asked.viewer.seat.clone().map_or(Dynamic::UNIT, |seat| Dynamic::from(Obj(seat)));
    let shown =
        |name: &str| state.rows::<Enacted>().values().any(|law| law.declared.displays.iter().any(|it| it.name == name));
    if !shown(asked.rest)
        && let Some(page) = docket_page::show(state, asked)
    {
        return page;
    }
    let page = look(state, asked.viewer.now, |stage, run| {
        let registry = run.registry.clone();
        let (title, function) = registry.displays.get(asked.rest).or_else(|| registry.displays.get(&joined))?;
        run.page = true;
        let shown = call(stage, run, function, vec![me]);
        let law = registry.laws.get(function.law);
        let shown = shown.map(|shown| natives::page(shown, &On { stage, run })).map_err(|stop| match (stop, law) {
            (Stop::Refused(why, _), _) => why,
            (Stop::Fault(fault), None) => Refusal::new(fault.why),
            (Stop::Fault(fault), Some(law)) => {
                let why = format!("the law cannot show this: {}", fault.told(&law.source));
                Refusal::new(why).by(law.cited.clone())
            }
        });
        Some((signed(title, &registry.sign(function.law)), shown))
    });
    if asked.rest == pending::PENDING && page.as_ref().is_none_or(Option::is_none) {
        return Ok(pending::page(state, asked.viewer));
    }
    let (title, page) = page.flatten().ok_or_else(kernel::mechanic::no_display::<G>)?;
    let mut page = page.map(|page| Document { title, ..page })?;
    // What laws keep may name somebody who was forgotten since.
    state.frame.redaction_of_kept().seen(&mut page);
    Ok(page)
}

/// What a display of a law offers for a parameter: the first of each row, with the rest of it as its words.
pub(crate) fn offers<G: Hosts>(state: &State<G>, asked: Asked<'_>) -> Outcome {
    let page = show(state, asked)?;
    let rows = page.blocks.into_iter().filter_map(|block| match block {
        Block::Table { rows, .. } => Some(rows),
        _ => None,
    });
    let cell = |row: Vec<Cell>| {
        let words: Vec<&str> = row.iter().map(|cell| &*cell.text).filter(|text| !text.is_empty()).collect();
        let first = row.first().map(|cell| cell.text.clone()).unwrap_or_default();
        Cell::new(words.join(" — ")).completing(first)
    };
    let cells = rows.flatten().map(cell).collect();
    Ok(Document { blocks: vec![Block::List(cells)], ..Document::titled(OFFERS, page.title) })
}
