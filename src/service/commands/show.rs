//! `/show`: displays of a room, now or as they were. Those that every room has are made here, the others by its game.

use std::sync::Arc;

use super::{asked::Moment, order, record};
use crate::service::{
    deed::NotDone,
    hearing::{Answer, Hearing},
    hub::{Handle, Hub},
    markdown,
    sealed::{Found, Reader},
    standing::{self, STANDING},
};
use catalogue::Catalogue;
use kernel::{
    Refusal, Seq,
    display::{Block, Cell, Document, cells},
    draft::Opened,
    engine::View,
    frame::{ClockMode, Designation, Frame, Standing},
    rulebook::{Rule, views},
    time::minute,
    viewer::Viewer,
};
use store::Secret;

pub(in crate::service) use kernel::display::COMMON;

/// The display of a room itself.
pub(in crate::service) const ROOM: &str = "room";

/// The display that lists the others.
pub(super) const DISPLAYS: &str = "displays";

/// What stands behind the id of a rule in the name of the display of all its changes.
const ALL_CHANGES: &str = "/history";

/// What stands before the words in the name of the display of the places where they stand.
const SEARCH: &str = "search/";

/// Shows a display.
pub(in crate::service) async fn show(
    hearing: &Hearing<'_>,
    handle: &Arc<Handle>,
    display: &str,
    as_of: Option<Moment>,
    viewer: &Viewer,
) -> Result<Answer, NotDone> {
    if viewer.moderator
        && as_of.is_none()
        && let Some(document) = order::listed(hearing, handle, display).await?
    {
        return Ok(Answer { private: true, ..Answer::shown(document) });
    }
    // What is for the viewer's eyes alone is answered so, wherever it is asked for.
    let personal = viewer.seat.is_some() && handle.view().is_personal(display);
    let viewer = &Viewer { private: viewer.private || personal, ..viewer.clone() };
    let (document, _) = opened(hearing.hub, handle, display, as_of, viewer).await?;
    Ok(Answer { private: personal, ..Answer::shown(document) })
}

/// A display as a viewer may see it, with what is sealed in it opened, and the entry that it is as of.
pub(in crate::service) async fn opened(
    hub: &Hub,
    handle: &Handle,
    display: &str,
    as_of: Option<Moment>,
    viewer: &Viewer,
) -> Result<(Document, Seq), NotDone> {
    let (mut document, seq) = closed(hub, handle, display, as_of, viewer).await?;
    let reader = Reader::of(viewer);
    unseal(hub, handle, &mut document, reader).await?;
    played(hub, handle, &mut document, reader).await?;
    Ok((document, seq))
}

/// The same with what is sealed in it closed.
pub(in crate::service) async fn closed(
    hub: &Hub,
    handle: &Handle,
    display: &str,
    as_of: Option<Moment>,
    viewer: &Viewer,
) -> Result<(Document, Seq), NotDone> {
    let view = match as_of {
        None => handle.view(),
        Some(moment) => {
            let seq = entry_at(hub, handle, moment).await?;
            hub.as_of(handle, seq).await.map_err(NotDone::Broke)?
        }
    };
    let progress = match as_of {
        None => hub.progress(handle).await,
        Some(_) => None,
    };
    let now = match as_of {
        None => hub.moment_of(&*view),
        Some(Moment::Entry(_)) => view.at(),
        Some(Moment::Instant(at)) => at.min(hub.moment_of(&*handle.view())),
    };
    let mut viewer = Viewer { progress: progress.map(|at| (at.work, at.done, at.of)), now, ..viewer.clone() };
    for id in view.reads(display, &viewer) {
        let found = Reader::of(&viewer).open(hub.store(), handle.id, &*view, &id).await?;
        if let Found::Open(Secret { salt, bytes }) = found {
            viewer.opened.insert(id, Opened { salt, bytes });
        }
    }
    let latest = handle.view();
    let redaction_at = |seq| match seq == latest.seq() {
        true => latest.frame().redaction_now(),
        false => latest.frame().redaction(seq),
    };
    let (view, mut document) = match seen(hub, handle, &view, display, &viewer).await {
        Err(NotDone::Refused(why)) => {
            // A name that stands replaced in what is shown of then may be asked for as it stands there.
            let mut found = Err(NotDone::Refused(why));
            for meant in redaction_at(view.seq()).unredacted(display) {
                found = match seen(hub, handle, &view, &meant, &viewer).await {
                    Ok(seen) => Ok(seen),
                    Err(NotDone::Refused(_)) => found,
                    Err(broke) => Err(broke),
                };
                if !matches!(found, Err(NotDone::Refused(_))) {
                    break;
                }
            }
            found?
        }
        seen => seen?,
    };
    if document.id == ROOM {
        hashed(hub, handle, view.seq(), &mut document).await?;
    }
    // As of now seats have the names that they are shown under, and what somebody wrote reads as it does later.
    let redaction = redaction_at(view.seq());
    redaction.document(&mut document);
    if as_of.is_none() {
        hub.mark_time(&*view, &mut document);
    }
    if as_of.is_some() {
        let as_of = format!("(as of entry {})", view.seq());
        document.title = format!("{} {as_of}", document.title).trim_start().to_owned();
    }
    Ok((document, view.seq()))
}

/// Adds to the display of a room the hash of its journal up to an entry.
pub(in crate::service) async fn hashed(
    hub: &Hub,
    handle: &Handle,
    seq: Seq,
    document: &mut Document,
) -> Result<(), NotDone> {
    let Some(Block::Table { rows, .. }) = document.blocks.first_mut() else { return Ok(()) };
    if let Some(hash) = hub.store().hash_of(handle.id, seq).await? {
        rows.push(cells!["Hash of that entry", hex::encode(hash)]);
    }
    Ok(())
}

/// A display of a state, or of an earlier one as of which it is best seen.
async fn seen(
    hub: &Hub,
    handle: &Handle,
    view: &Arc<dyn View>,
    display: &str,
    viewer: &Viewer,
) -> Result<(Arc<dyn View>, Document), NotDone> {
    let view = match view.seen_at(display) {
        Some(seq) if seq < view.seq() => hub.as_of(handle, seq).await.map_err(NotDone::Broke)?,
        _ => view.clone(),
    };
    let document = document(&*view, display, viewer)?;
    Ok((view, document))
}

/// Puts the texts of what is sealed into a document. The game decided who may read them by their seats when it made the
/// document; whether it is who sealed them is judged here.
pub(in crate::service) async fn unseal(
    hub: &Hub,
    handle: &Handle,
    document: &mut Document,
    reader: Reader,
) -> Result<(), NotDone> {
    let view = handle.view();
    let mut blocks = Vec::with_capacity(document.blocks.len());
    for block in std::mem::take(&mut document.blocks) {
        match &block {
            Block::Sealed { secret } => {
                blocks.extend(reader.open(hub.store(), handle.id, &*view, secret).await?.blocks());
            }
            _ => blocks.push(block),
        }
    }
    document.blocks = blocks;
    Ok(())
}

/// Puts what short works come to into a document, for those whom the game made it for.
pub(in crate::service) async fn played(
    hub: &Hub,
    handle: &Handle,
    document: &mut Document,
    reader: Reader,
) -> Result<(), NotDone> {
    let mut blocks = Vec::with_capacity(document.blocks.len());
    for block in std::mem::take(&mut document.blocks) {
        let Block::Played { work } = block else {
            blocks.push(block);
            continue;
        };
        for secret in &work.secrets {
            if let Found::Closed = reader.open(hub.store(), handle.id, &*handle.view(), secret).await? {
                let why = "that would show what was sealed under another account, which has not agreed to it";
                return Err(Refusal::new(why).by("ruling R1").instead("why R1").into());
            }
        }
        let Some(made) = hub.play_at_once(handle, handle.view(), work).await.map_err(NotDone::Broke)? else {
            return Err(Refusal::new("the bot is stopping; ask again in a moment").into());
        };
        blocks.extend(made.blocks);
        document.plays = made.plays.or(document.plays.take());
    }
    document.blocks = blocks;
    Ok(())
}

/// The entry that a moment means: itself, or the last one of the time before that instant was over.
pub(in crate::service) async fn entry_at(hub: &Hub, handle: &Handle, moment: Moment) -> Result<Seq, NotDone> {
    match entry_by(hub, handle, moment).await? {
        0 => {
            let opened = minute(handle.view().frame().opened);
            Err(Refusal::new(format!("the room was not open yet at that time; it was opened at {opened}")).into())
        }
        seq => Ok(seq),
    }
}

/// The same; 0 for the time before the room was opened.
pub(in crate::service) async fn entry_by(hub: &Hub, handle: &Handle, moment: Moment) -> Result<Seq, NotDone> {
    let last = handle.view().seq();
    Ok(match moment {
        Moment::Entry(seq) if seq > last => {
            return Err(Refusal::new(format!("the last entry of this room is {last}")).instead("history").into());
        }
        Moment::Entry(seq) => seq,
        Moment::Instant(at) => hub.store().seq_at(handle.id, at.as_microsecond()).await?,
    })
}

/// A display of a state.
pub(in crate::service) fn document(view: &dyn View, display: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let display = &*view.frame().redaction_now().meant(display);
    let (head, rest) = display.split_once('/').unwrap_or((display, ""));
    match (head, rest) {
        ("rules", "") => {
            let page = headed(view, views::list_by(view.rules(), view.numbering(), &|rule| view.version(rule)));
            let of_rule = |rule: &Rule| {
                let name = format!("{}, {}", views::called(rule, view.numbering()), rule.label());
                view.notes(rule.id()).into_iter().map(move |note| format!("{name}: {note}")).collect::<Vec<_>>()
            };
            Ok(view.rules().rules().into_iter().flat_map(of_rule).fold(page, Document::para))
        }
        ("rules", rest) if rest.starts_with(SEARCH) => {
            views::search(view.rules(), rest.trim_start_matches(SEARCH), view.numbering())
        }
        ("rule", rest) if !rest.is_empty() => {
            let none = |id: &str| Refusal::new(format!("there is no rule “{id}” in this room")).instead("rules");
            match all_changes(rest) {
                Some((id, first)) => {
                    let found = named_rule(view, id);
                    found
                        .map(|rule| {
                            views::changes(
                                &in_history(rule, view.frame()),
                                first,
                                view.numbering(),
                                view.version(rule).is_none(),
                            )
                        })
                        .ok_or_else(|| none(id))
                }
                None => {
                    let rule = named_rule(view, rest).ok_or_else(|| none(rest))?;
                    let document = with_history(rule, view);
                    // Links are by what rules are called in the room, which may be the title of another.
                    Ok(match view.rules().recall(rest).filter(|other| other.id() != rule.id()) {
                        Some(other) => {
                            let number = other.number();
                            let say = format!(
                                "“{rest}” is what rule {number} is called, too: “⁅show rule {number}⁆” shows it."
                            );
                            document.para(say)
                        }
                        None => document,
                    })
                }
            }
        }
        (ROOM, "") => Ok(room(view)),
        ("forums" | "fora", "") => Ok(headed(view, forums(view, viewer))),
        ("players", "") => Ok(players(view)),
        (DISPLAYS, "") => Ok(displays(view)),
        ("rulings", "") => {
            let mut document = Document::titled("rulings", "How unclear rules are read here");
            document.blocks.extend([view.rulings(), record::ROOM_RULINGS].into_iter().flat_map(markdown::blocks));
            Ok(document)
        }
        ("due", "") => Ok(due(view)),
        (STANDING, "") => Ok(standing::shown(view, viewer)),
        _ => view.display(display, viewer),
    }
}

/// The rule of which all changes are asked for, or the first so many.
fn all_changes(rest: &str) -> Option<(&str, Option<usize>)> {
    let (id, first) = rest.rsplit_once(ALL_CHANGES)?;
    match first.strip_prefix('/') {
        None => first.is_empty().then_some((id, None)),
        Some(first) => first.parse().ok().map(|first| (id, Some(first))),
    }
}

/// A rule by its name in the room, in force or not, or by what players call it.
fn named_rule<'a>(view: &'a dyn View, words: &str) -> Option<&'a Rule> {
    view.rules().get(words).or_else(|| view.rules().recall(words)).or_else(|| view.rules().find(words).ok())
}

/// A rule, and below it how it came to be so, once it was changed.
fn with_history(rule: &Rule, view: &dyn View) -> Document {
    let mut document = views::rule(rule, view.rules(), &view.keys(), view.numbering());
    document = view.notes(rule.id()).into_iter().fold(document, Document::para);
    document.blocks.extend(view.beside(rule));
    if rule.revisions().len() > 1 {
        let history = views::history(&in_history(rule, view.frame()), view.numbering(), view.version(rule).is_none());
        document.blocks.push(Block::Para(history.title));
        document.blocks.extend(history.blocks);
    }
    document
}

/// A rule without the names that its revisions gave to people who asked to be forgotten.
fn in_history(rule: &Rule, frame: &Frame) -> Rule {
    if frame.redacted.is_empty() { rule.clone() } else { rule.reworded(|seq, text| frame.redaction(seq).text(text)) }
}

/// What can be shown, each with a line about it.
fn displays(view: &dyn View) -> Document {
    let told = Catalogue::of_game(view.game()).displays();
    // What the catalogue does not know, as it came with a rule, says so itself.
    let about = |cell: Cell| {
        let id = cell.completes.filter(|id| !id.contains('/'))?;
        let own = if cell.text == id { String::new() } else { cell.text };
        Some((told.get(&*id).map_or(own, |text| (*text).to_owned()), id))
    };
    let of_game = view.displays().into_iter().filter_map(about);
    let common = COMMON.iter().map(|(id, text)| ((*text).to_owned(), (*id).to_owned()));
    let row = |(text, id): (String, String)| cells![Cell::named(id.clone()).showing(id), text];
    let rows = of_game.chain(common).map(row);
    Document::titled(DISPLAYS, "Displays")
        .table(["Display", "What it shows"], rows)
        .para("Type “⁅show⁆” and its name, as in: ⁅show room⁆")
}

/// A display that every room has, with the title that the rules give it.
fn headed(view: &dyn View, document: Document) -> Document {
    let title = view.heading(&document.id).map_or_else(|| document.title.clone(), str::to_owned);
    Document { title, ..document }
}

fn room(view: &dyn View) -> Document {
    let frame = view.frame();
    let clock = match frame.clock {
        ClockMode::Live => "live".to_owned(),
        ClockMode::Manual(at) => format!("moved by hand; it stands at {}", minute(at)),
        ClockMode::Paused(since) => format!("paused since {}", minute(since)),
    };
    let facts = [
        ("Game", view.game().to_owned()),
        ("Opened", minute(frame.opened)),
        ("State", if frame.closed { "closed" } else { "open" }.to_owned()),
        ("Clock", clock),
        ("Zone of its days", frame.zone.clone()),
        ("Last entry", view.seq().to_string()),
        ("Seed of its dice", format!("number {}, SHA-256 {}", frame.dice.epoch, frame.dice.commitment)),
    ];
    let rows = facts.into_iter().map(|(name, value)| cells![name, value]);
    let head = vec!["Room".to_owned(), frame.name.clone()];
    Document::titled(ROOM, "").table(head, rows)
}

fn forums(view: &dyn View, viewer: &Viewer) -> Document {
    // That a private channel is there at all is nothing for strangers.
    let inside = viewer.seat.is_some() || viewer.moderator;
    let bound = view.frame().forums.iter().filter_map(|(id, forum)| Some((id, forum, forum.designation()?)));
    let bound = bound.filter(|(_, _, designation)| inside || *designation != Designation::Private);
    let rows: Vec<Vec<Cell>> = bound
        .map(|(id, forum, designation)| {
            let since = forum.history.last().map(|(since, _)| minute(*since)).unwrap_or_default();
            cells![Cell::named(&**id), designation.word(), since]
        })
        .collect();
    if rows.is_empty() {
        let text = "No channel is bound to this room. A moderator types: ⁅forum bind⁆";
        return Document::titled("forums", "Forums").para(text);
    }
    Document::titled("forums", "Forums").table(["Channel", "Designation", "Since"], rows)
}

fn players(view: &dyn View) -> Document {
    let seats = view.frame().seats.values();
    let rows: Vec<Vec<Cell>> = seats
        .map(|seat| {
            let standing = match seat.standing {
                Standing::Player => "player",
                Standing::Outsider => "outsider",
            };
            cells![Cell::named(&*seat.name), standing, minute(seat.since)]
        })
        .collect();
    if rows.is_empty() {
        return Document::titled("players", "Players")
            .para("Nobody has a seat yet. Type:")
            .with(Block::command("join"));
    }
    Document::titled("players", "Players").table(["Name", "Seated as", "Since"], rows)
}

fn due(view: &dyn View) -> Document {
    let text = match view.coming() {
        Some((what, at)) => format!("Next by itself: {what} at {}.", minute(at)),
        None => "Nothing is due by itself.".to_owned(),
    };
    let work = view.work().map(|work| format!("Being played: {}.", work.id));
    let document = work.into_iter().fold(Document::titled("due", "What is due").para(text), Document::para);
    standing::aside(view).into_iter().fold(document, Document::with)
}
