//! Kinds of numbered documents that laws declare: proposals, calls, elections. How one is made, revised and withdrawn.
//!
//! A document is an object of its kind. It outlives the law that declares the kind: then it is an archive.

use rhai::{Dynamic, Map};
use serde::{Deserialize, Serialize};

use kernel::{
    Draft, Game, Id, Path, Refusal, State, Value,
    display::{Document, counted},
    entry::Audience,
    table::Row,
};

use super::{
    ballots,
    docket_page::{self, labelled},
    fault::{Given, Stop, faulty, stopped},
    fuel::looking,
    names,
    natives::look,
    registry::Registry,
    room::Hosts,
    run::{Mode, On, Run, call},
    stage::Stage,
    values::{Args, Obj, as_object, as_text, held},
};

/// The attributes that every document has.
pub(crate) const TEXT: &str = "text";
pub(crate) const BY: &str = "by";
pub(crate) const MADE: &str = "made";
pub(crate) const STATE: &str = "state";
pub(crate) const REVISIONS: &str = "revisions";

/// The state of what its maker has taken back.
pub(crate) const WITHDRAWN: &str = "Withdrawn";

/// What a docket asks a function of its law for.
pub(crate) const AMISS: &str = "amiss";
pub(crate) const MARK: &str = "mark";

/// Whether a document has a title.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Title {
    /// It has none.
    #[default]
    No,
    /// It has one.
    Yes,
    /// It may have one.
    MayBeLeftOut,
}

/// A kind of numbered documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct DocketDecl {
    /// Its kind.
    pub kind: String,
    /// What a document may be; it is the first at first.
    pub states: Vec<String>,
    /// The states in which something can become of it.
    pub open: Vec<String>,
    /// Whether its text holds directives.
    pub changes: bool,
    /// Whether it has a title.
    pub title: Title,
    /// Whether no two have one title.
    pub named: bool,
    /// The command that makes one; empty where only laws do.
    pub make: String,
    /// How many of one maker may be open.
    pub limit: Option<u64>,
    /// The least number of one.
    pub first: u64,
    /// The states in which its maker may revise it.
    pub revise: Vec<String>,
    /// The states in which its maker may withdraw it.
    pub withdraw: Vec<String>,
}

/// A kind of documents that a law has declared once, as it did last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub(crate) struct Docket(pub(crate) DocketDecl);

impl<G> Row<G> for Docket {
    type Key = String;
    const TABLE: &'static str = "law_dockets";
}

/// An earlier text of a document that was revised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Wording {
    /// The text.
    pub(crate) text: String,
}

impl<G> Row<G> for Wording {
    /// Which document, and how often it had been revised.
    type Key = (Id, u32);
    const TABLE: &'static str = "law_wordings";
}

/// Notes which kinds of documents laws declare. What is declared no more stays as long as there are such documents.
pub(crate) fn note<G: Hosts>(d: &mut Draft<'_, G>, registry: &Registry) {
    for (kind, docket) in &registry.dockets {
        if d.row::<Docket>(kind).is_none_or(|Docket(known)| known != docket) {
            d.put(kind, Docket(docket.clone()));
        }
    }
    let is_bare = |kind: &&String| !registry.dockets.contains_key(*kind) && d.world.count(kind) == 0;
    let bare: Vec<String> = d.rows::<Docket>().keys().filter(is_bare).cloned().collect();
    bare.iter().for_each(|kind| drop(d.delete::<Docket>(kind)));
}

/// Whether documents of a kind are kept, also where no law declares the kind any more.
pub(crate) fn keeps<G: Game>(state: &State<G>, kind: &str) -> bool {
    state.row::<Docket>(&kind.to_owned()).is_some()
}

/// The name of the command by which makers revise documents of a kind, or withdraw them.
pub(crate) fn revise(kind: &str) -> String {
    format!("revise {kind}")
}

/// The same to withdraw them.
pub(crate) fn withdraw(kind: &str) -> String {
    format!("withdraw {kind}")
}

/// The number of a document.
pub(crate) fn number(doc: &Id) -> u64 {
    doc.rsplit('/').next().and_then(|tail| tail.parse().ok()).unwrap_or_default()
}

/// A value of a document.
pub(crate) fn value(stage: &dyn Stage, doc: &Id, attr: &str) -> Value {
    stage.world().value(&Path::new(doc.clone(), attr))
}

/// A value of a document that is a text.
pub(crate) fn words(stage: &dyn Stage, doc: &Id, attr: &str) -> String {
    match value(stage, doc, attr) {
        Value::Text(text) => text,
        _ => String::new(),
    }
}

/// Who made a document; nothing where e plays no more.
pub(crate) fn maker(stage: &dyn Stage, doc: &Id) -> Option<Id> {
    match value(stage, doc, BY) {
        Value::Ref(by) => Some(by),
        _ => None,
    }
}

/// How often a document was revised.
pub(crate) fn revisions(stage: &dyn Stage, doc: &Id) -> u32 {
    match value(stage, doc, REVISIONS) {
        Value::Num(count) => count.to_i64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default(),
        _ => 0,
    }
}

/// The kind of a document, as its docket has it.
///
/// # Errors
///
/// Where no law declares such documents.
pub(crate) fn docket<'r>(registry: &'r Registry, kind: &str) -> Given<&'r DocketDecl> {
    registry.dockets.get(kind).ok_or_else(|| faulty(format!("no law has documents of the kind “{kind}”")))
}

/// Asks a function that stands among the options of a docket or ballot; nothing where there is none.
pub(crate) fn asked(
    stage: &mut dyn Stage,
    run: &mut Run,
    (kind, of, what): (&str, &str, &str),
    args: Vec<Dynamic>,
) -> Option<Result<Dynamic, Stop>> {
    let key = (kind.to_owned(), of.to_owned(), what.to_owned());
    let function = run.registry.options.get(&key)?.clone();
    let mode = std::mem::replace(&mut run.mode, Mode::Look);
    let got = looking(|| call(stage, run, &function, args));
    run.mode = mode;
    Some(got)
}

/// Refuses what a law finds amiss with a document.
fn fits(lent: &mut On<'_>, kind: &str, doc: &Id) -> Given<()> {
    let args = vec![Dynamic::from(Obj(doc.clone()))];
    let why = asked(lent.stage, lent.run, (kind, "", AMISS), args).transpose().map_err(stopped)?;
    match why.as_ref().and_then(as_text).filter(|why| !why.is_empty()) {
        Some(why) => Err(stopped(Refusal::new(why).into())),
        None => Ok(()),
    }
}

/// What a document would do if it were done now, for whoever writes it.
fn foreseen(lent: &On<'_>, docket: &DocketDecl, doc: &Id, said: String) -> Document {
    let mut reply = Document::say(said);
    if let Some(foreseen) = lent.stage.foreseen(doc).filter(|_| docket.changes) {
        reply.blocks.extend(foreseen.blocks);
    }
    reply
}

/// Somebody makes a document.
///
/// # Errors
///
/// Why e does not: too many are open, or the text or the title is none.
pub(crate) fn make(lent: &mut On<'_>, kind: &str, args: &Args) -> Given<()> {
    let docket = docket(&lent.run.registry, kind)?.clone();
    let by = as_object(&args.get("by")).ok_or_else(|| stopped(unseated().into()))?;
    if let Some(limit) = docket.limit {
        let mine = look::all(lent, kind, &Map::from([(BY.into(), Dynamic::from(Obj(by.clone())))]))?;
        let open: Vec<&Id> = mine.iter().filter(|doc| docket.open.contains(&words(lent.stage, doc, STATE))).collect();
        if open.len() as u64 >= limit {
            let what = counted(open.len(), &names::capital(kind));
            let why = Refusal::new(format!("you have {what} that are open, and at most {limit} may be"));
            let why = match open.first().filter(|_| !docket.withdraw.is_empty()) {
                Some(first) => why.instead(format!("{} {}", withdraw(kind), number(first))),
                None => why.instead(format!("show {}", docket_page::plural(kind))),
            };
            return Err(stopped(why.into()));
        }
    }
    let title = as_text(&args.get("title")).map(|title| one_line(&title)).filter(|title| !title.is_empty());
    if let Some(title) = title.as_ref().filter(|_| docket.named) {
        lent.stage.nameable(title, None).map_err(|why| stopped(why.into()))?;
    }
    let text = as_text(&args.get(TEXT)).unwrap_or_default();
    let text = lent.stage.readable(&text, docket.changes, &docket.make).map_err(|why| stopped(why.into()))?;
    let mut with = Map::from([(TEXT.into(), held(&Value::Text(text))), (BY.into(), Dynamic::from(Obj(by)))]);
    if let Some(title) = title {
        with.insert("name".into(), title.into());
    }
    let Obj(doc) = super::natives::create(lent, kind, &with)?;
    fits(lent, kind, &doc)?;
    let announced = docket_page::announced(lent.stage, lent.run, &doc);
    lent.stage.say(Audience::Public, announced);
    let said = format!("Your {} is number {}.", names::capital(kind), number(&doc));
    lent.run.reply = Some(foreseen(lent, &docket, &doc, said));
    Ok(())
}

/// A title as it is kept: in one line, with single blanks.
fn one_line(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unseated() -> Refusal {
    Refusal::new("you have no seat in this room yet").instead("join NAME")
}

/// A document of whoever acts that may still be changed in a way.
fn mine(lent: &On<'_>, kind: &str, args: &Args, states: &[String]) -> Given<Id> {
    let refused = |why: Refusal| Err(stopped(why.into()));
    let by = as_object(&args.get("by"));
    let Some(doc) = as_object(&args.get("on")) else {
        let why = format!("say which {} you mean", names::capital(kind));
        return refused(Refusal::new(why).instead(format!("show {}", docket_page::plural(kind))));
    };
    let label = labelled(lent.stage, &doc);
    if maker(lent.stage, &doc) != by {
        return refused(Refusal::new(format!("{label} is not yours")).instead(format!("show {doc}")));
    }
    let state = words(lent.stage, &doc, STATE);
    if !states.contains(&state) {
        return refused(Refusal::new(format!("{label} is {state}")).instead(format!("show {doc}")));
    }
    Ok(doc)
}

/// Whoever made a document puts another text in the place of its own.
///
/// # Errors
///
/// Why e may not, or what is wrong with the text.
pub(crate) fn revised(lent: &mut On<'_>, kind: &str, args: &Args) -> Given<()> {
    let docket = docket(&lent.run.registry, kind)?.clone();
    let doc = mine(lent, kind, args, &docket.revise)?;
    let text = as_text(&args.get(TEXT)).unwrap_or_default();
    let text = lent.stage.readable(&text, docket.changes, &revise(kind)).map_err(|why| stopped(why.into()))?;
    let (was, count) = (words(lent.stage, &doc, TEXT), revisions(lent.stage, &doc));
    lent.stage.set_wording(&doc, count, was);
    let set = super::natives::set;
    set(lent, &doc, TEXT, &held(&Value::Text(text)))?;
    set(lent, &doc, REVISIONS, &Dynamic::from(i64::from(count) + 1))?;
    fits(lent, kind, &doc)?;
    let announced = docket_page::announced(lent.stage, lent.run, &doc);
    lent.stage.say(Audience::Public, announced);
    let said = format!("{} has its new text.", labelled(lent.stage, &doc));
    lent.run.reply = Some(foreseen(lent, &docket, &doc, said));
    Ok(())
}

/// Whoever made a document takes it back.
///
/// # Errors
///
/// Why e may not.
pub(crate) fn withdrawn(lent: &mut On<'_>, kind: &str, args: &Args) -> Given<()> {
    let states = docket(&lent.run.registry, kind)?.withdraw.clone();
    let doc = mine(lent, kind, args, &states)?;
    super::natives::set(lent, &doc, STATE, &Dynamic::from(WITHDRAWN.to_owned()))?;
    lent.run.reply = Some(Document::say(format!("{} is withdrawn.", labelled(lent.stage, &doc))));
    Ok(())
}

/// Says what has become of a document.
pub(crate) fn became(lent: &mut On<'_>, doc: &Id) {
    let (label, now) = (labelled(lent.stage, doc), words(lent.stage, doc, STATE));
    let score = ballots::scores(lent.stage, lent.run, doc);
    let score = if score.is_empty() { score } else { format!(": {score}") };
    let said = docket_page::about(lent.stage, doc, Document::say(format!("{label} is now {now}{score}.")));
    lent.stage.say(Audience::Public, said);
}
