//! Doing an announced change: the second half of a notice (seed 000, J7, J8, J20).
//!
//! An act is refused before its time and after it, against too many objections, and where the notice no longer fits.
//! Its change of the Hill goes on the agenda. Notices are given and objected to in `notices`.

use super::{
    contract,
    edits::{self, Edit},
    figures,
    game::{D, Joust},
    hill,
    notices::{self, BY_NOTICE, Kind, NOBODY_ELSE, Notice, OPENING, SUBMISSION, Stands, What, on_hill},
    phases, programs,
    reading::{CONTRACT, Figures},
    start,
    tasks::{self, Restart, Task},
};
use kernel::{Act, Mechanic, Refusal, display::Document, entry::Audience, time::minute};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    let act = Act::new("do", |Do { id, text }, d| act(id, text, d)).by(CONTRACT);
    let remove = Act::new("remove", |Remove { name }, d| act_on_program(Kind::Remove, &name, d)).by(CONTRACT);
    Mechanic::new("acts")
        .act(act.about(|Do { id, .. }, state| notices::meant(id, state)))
        .act(remove.about(|Remove { name }, state| programs::meant(&name, state)).binds(programs::numbered))
}

kit::args! {
    /// The arguments of `do`.
    Do {
        id: u64,
        /// The change once more, to be compared with the notice.
        text: Option<String>,
    }

    /// The arguments of `remove` (J20).
    Remove { name: String }
}

// ---- decide

/// The contestmaster does what a notice announced.
///
/// # Errors
///
/// A [`Refusal`] for anybody else, before its time and after it, and against too many objections. Also where what
/// stands now is not what the notice was about, or what is typed not what it says.
fn act(id: u64, text: Option<String>, d: &mut D<'_>) -> Result<Document, Refusal> {
    contract::announced(d, &format!("joust do {id}"))?;
    let rule = d.rows::<notices::Notice>().get(&id).map_or(OPENING, Notice::rule);
    let whose = if rule == SUBMISSION { SUBMISSION } else { NOBODY_ELSE };
    let master = contract::contestmaster(d, whose)?;
    let notice = notices::notice(&d.tables, id)?.clone();
    ripe(&notice, d)?;
    match &notice.what {
        What::Section(edit) | What::Tournament(edit) => {
            if text.is_some_and(|text| !edit.says(&text)) {
                return Err(Refusal::new(format!(
                    "that is not what notice {id} announced, word for word and figure for figure"
                ))
                .by(rule)
                .instead(format!("joust do {id}")));
            }
            amend(&notice, edit, d)
        }
        What::Restart { programs } => {
            if let Some(why) = start::cannot_restart(&d.tables, programs) {
                return Err(Refusal::new(why).by(BY_NOTICE).instead("show intents"));
            }
            let count = start::fitting(programs, d)?;
            let restart = Restart { notice: id, named: programs.clone(), count, master };
            Ok(on_agenda(&notice, Task::Restart(restart), d))
        }
        What::Add { program, removing } => {
            if let Some(why) = hill::cannot_add(&d.tables, *program, *removing) {
                return Err(Refusal::new(why).by(SUBMISSION).instead("hill"));
            }
            let task = Task::Add { notice: id, program: *program, removing: *removing };
            Ok(on_agenda(&notice, task, d))
        }
        What::Remove { program } => {
            on_hill(&format!("#{program}"), d)?;
            Ok(on_agenda(&notice, Task::Remove { notice: id, program: *program }, d))
        }
    }
}

/// The contestmaster adds the program of a notice, by name (J20).
///
/// # Errors
///
/// A [`Refusal`] where no notice names that program, and as [`act`].
pub(super) fn add(name: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    act_on_program(Kind::Add, name, d)
}

/// The contestmaster adds or removes the program of a notice, by name (J20).
///
/// # Errors
///
/// A [`Refusal`] where no notice names that program, and as [`act`].
fn act_on_program(kind: Kind, name: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    contract::contestmaster(d, SUBMISSION)?;
    let program = programs::need(&d.tables, name)?;
    let (id, name, handle) = (program.id, program.name.clone(), programs::handle(&d.tables, program));
    let about = |notice: &&Notice| {
        notice.stands == Stands::Open
            && match &notice.what {
                What::Add { program, .. } => kind == Kind::Add && *program == id,
                What::Remove { program } => kind == Kind::Remove && *program == id,
                What::Section(_) | What::Tournament(_) | What::Restart { .. } => false,
            }
    };
    // Of several notices about one program, the first that can be done.
    let notices: Vec<u64> = d.rows::<notices::Notice>().values().filter(about).map(|notice| notice.id).collect();
    let mut refused = None;
    for notice in notices {
        match d.attempt(|d| act(notice, None, d)) {
            Ok(reply) => return Ok(reply),
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    Err(refused.unwrap_or_else(|| {
        let (done, instead) = match kind {
            Kind::Add => ("added", format!("joust intend add {handle}")),
            _ => ("removed", format!("joust intend remove {handle}")),
        };
        Refusal::new(format!("no notice says that {name} is to be {done}")).by(SUBMISSION).instead(instead)
    }))
}

/// Refuses before its time, after it, and against too many objections.
fn ripe(notice: &Notice, d: &D<'_>) -> Result<(), Refusal> {
    let id = notice.id;
    let (from, until) = notice.window(d)?;
    if d.at < from {
        return Err(Refusal::new(format!("notice {id} can be done from {} on", minute(from))).by(notice.rule()));
    }
    if let Some(until) = until.filter(|until| *until < d.at) {
        return Err(Refusal::new(format!("notice {id} could be done until {}; announce it anew", minute(until)))
            .by(notice.rule())
            .instead("joust intend WHAT SUBJECT TEXT"));
    }
    if matches!(notice.what, What::Section(_)) {
        let allowed: usize = Figures::of(&d.rules).count(&figures::OBJECTIONS)?;
        let objections = notice.objections(d);
        if objections >= allowed {
            return Err(Refusal::new(format!(
                "{objections} members object to notice {id}, and {allowed} are enough to block it"
            ))
            .by(OPENING)
            .instead("show intents"));
        }
    }
    Ok(())
}

/// Changes the text, and tells which figures the program can no longer play by.
fn amend(notice: &Notice, edit: &Edit, d: &mut D<'_>) -> Result<Document, Refusal> {
    let plan = edit.plan(&d.rules)?;
    let before = d.rules.clone();
    let words = edit.words(&d.rules, true);
    let mut document = Document::titled(String::new(), format!("Notice {} is done: {words}", notice.id));
    for block in plan.blocks() {
        document = document.with(block);
    }
    notices::set(d, notice.id, Stands::Done { at: d.at });
    let why = format!("notice {}", notice.id);
    d.rule(plan.op.because(why.clone()));
    if let Some(settled) = edits::settled(&d.rules) {
        d.rule(settled.because(why));
    }
    for line in edits::stops(&before, &d.rules, "now") {
        document = document.para(line);
    }
    d.say(Audience::Public, document);
    Ok(Document::say(format!("Notice {} is done.", notice.id)))
}

fn on_agenda(notice: &Notice, task: Task, d: &mut D<'_>) -> Document {
    notices::set(d, notice.id, Stands::Done { at: d.at });
    let (at, waiting) = (d.at, d.rows::<tasks::Task>().len());
    tasks::schedule(d, at, phases::ACTS, task);
    let id = notice.id;
    Document::say(match waiting {
        0 => format!("Notice {id} is done."),
        1 => format!("Notice {id} is done as of now; it takes effect after the one thing before it on the agenda."),
        n => format!("Notice {id} is done as of now; it takes effect after the {n} things before it on the agenda."),
    })
}
