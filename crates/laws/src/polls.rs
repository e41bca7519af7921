//! The time of votes: when they begin and end, and who is reminded before.

use std::collections::BTreeSet;

use rhai::{Dynamic, Map};

use kernel::{
    Draft, Id, Instant, Refusal, State,
    display::Document,
    draft::Payer,
    entry::{Audience, Change, Due},
    time::seconds_after,
};

use super::{
    ballots::{Stands, about, asked_of, is_on, kind_of, labelled, number_of, of, on_kind, scores, stands, tally},
    docket_decl::{BEGIN, BallotDecl, EARLY, END},
    docket_rows::{Poll, Question, Vote},
    moments::{Until, instant_after, told},
    play,
    room::Hosts,
    run::{Happening, Mode, Run},
    sealed,
    session::with,
    stage::{Stage, Touched},
    tables::declared,
    values::Obj,
};

/// What keys of the ends of votes begin with, and those of their reminders.
pub(crate) const POLL_KEY: &str = "law-poll/";
pub(crate) const REMIND_KEY: &str = "law-remind/";

/// Who has cast a vote behind so many changes.
pub fn voted<G: Hosts>(d: &Draft<'_, G>, from: usize) -> Vec<Id> {
    let casts = |(change, _): &(&Change, _)| matches!(change, Change::Row(row) if row.to.is_some());
    let by = |(change, _): (&Change, _)| Vote::of::<G>(change).map(|(.., by)| by);
    d.changes_since(from).filter(casts).filter_map(by).collect()
}

/// The line by which the oldest document is voted on that laws have votes on.
pub fn voting_line<G: Hosts>(state: &State<G>) -> Option<String> {
    let open = |(_, poll): &(&Question, &Poll)| !poll.over && poll.stands.is_none();
    let (doc, name) = state.rows::<Poll>().iter().find(open)?.0;
    let (_, ballot) = declared(state).find(|(_, ballot)| ballot.name == *name)?;
    Some(format!("{name} {} {}", number_of(doc), ballot.words.first()?.0))
}

/// What falls due with votes: their ends, and reminders before those.
pub(crate) fn coming<G: Hosts>(state: &State<G>, rank: u8) -> Vec<Due> {
    let polls = state.rows::<Poll>().iter().filter(|(_, poll)| !poll.over && poll.stands.is_none());
    // An end that comes again is another one, also at the same instant.
    let due = |begins: &str, (doc, name): &Question, ends: u32, at: Instant| Due {
        at,
        rank,
        key: format!("{begins}{doc}|{name}|{ends}").into(),
    };
    polls
        .flat_map(|(question, poll)| {
            let end = poll.at.map(|at| due(POLL_KEY, question, poll.ends, at));
            let remind = poll.remind.map(|at| due(REMIND_KEY, question, poll.ends, at));
            end.into_iter().chain(remind)
        })
        .collect()
}

/// What votes something is that is due; nothing where it is none of votes.
pub(crate) fn question(due: &Due) -> Option<Question> {
    let of = due.key.strip_prefix(POLL_KEY).or_else(|| due.key.strip_prefix(REMIND_KEY))?;
    let (doc, name) = of.rsplit_once('|')?.0.rsplit_once('|')?;
    Some((doc.into(), name.to_owned()))
}

/// Ends the votes on a document, or reminds those who have not voted.
pub(crate) fn do_due<G: Hosts>(due: &Due, question: &Question, d: &mut Draft<'_, G>) {
    let reminds = due.key.starts_with(REMIND_KEY);
    let kind = kind_of(d, &question.0);
    let rule = declared(&**d).find(|(_, ballot)| ballot.name == question.1 && ballot.kind == kind);
    if let Some((rule, _)) = rule {
        d.payer = Payer::Rule(rule.clone());
    }
    with(d, Mode::Act, |stage, run| {
        play::settle(stage, run);
        let Some(poll) = stage.poll(question) else { return };
        let registry = run.registry.clone();
        let Some(ballot) = of(&registry, &question.1, &kind) else { return };
        if reminds {
            stage.set_poll(question, Some(Poll { remind: None, ..poll }));
            return remind(stage, run, &question.0, ballot);
        }
        stage.set_poll(question, Some(Poll { over: true, ends: poll.ends + 1, remind: None, ..poll }));
        if let Err(stop) = sealed::open_votes(stage, run, question) {
            let said =
                format!("The votes on {} stay sealed: {}.", labelled(stage, &question.0), Refusal::from(stop).say);
            stage.say(Audience::Public, Document::say(said));
        }
        let args = Map::from([
            ("on".into(), Dynamic::from(Obj(question.0.clone()))),
            ("name".into(), question.1.clone().into()),
        ]);
        run.queue.push_back(Happening::now(stage, END.to_owned(), args));
        play::follow(stage, run);
        if stage.world().exists(&question.0) && is_on(stage, run, &question.0, ballot) {
            let (label, score) = (labelled(stage, &question.0), scores(stage, run, &question.0));
            let score = if score.is_empty() { "nobody voted".to_owned() } else { score };
            let said = format!("The votes on {label} are over: {score}. No rule has made anything of that yet.");
            let said = about(stage, &question.0, Document::say(said));
            stage.say(Audience::Public, said);
        }
    });
}

fn remind(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) {
    let Ok(tally) = tally(stage, run, doc, ballot) else { return };
    let Some(poll) = stage.poll(&(doc.clone(), ballot.name.clone())) else { return };
    let (Some(at), false) = (poll.at, tally.missing.is_empty()) else { return };
    let (label, ends) = (labelled(stage, doc), told(at, stage.now()));
    let said = format!("The votes on {label} end {ends}. Without a vote so far: {}.", tally.without_vote(stage));
    let said = about(stage, doc, Document::say(said));
    stage.say(Audience::Public, said);
}

/// When votes end, how the game counts that, and when somebody is reminded before.
struct Times {
    at: Option<Instant>,
    counted: Option<serde_json::Value>,
    remind: Option<Instant>,
}

/// When votes end that began at an instant, and when those are reminded who have not voted.
fn times(stage: &dyn Stage, began: Instant, ballot: &BallotDecl) -> Times {
    let wall = instant_after(began, &ballot.lasts).map(|at| Until { at: at.max(stage.now()), counted: None });
    let until = wall.or_else(|| stage.due(&ballot.lasts));
    let before = instant_after(stage.now(), &ballot.remind).map(|at| at.as_second() - stage.now().as_second());
    let remind = until.as_ref().zip(before).map(|(until, before)| seconds_after(until.at, -before));
    let (at, counted) = until.map_or((None, None), |until| (Some(until.at), until.counted));
    Times { at, counted, remind: remind.filter(|at| *at > stage.now()) }
}

/// Brings all votes to where documents, voters, votes and laws have them now. Whether there was anything to do.
pub(crate) fn see_to<G: Hosts>(d: &mut Draft<'_, G>) -> bool {
    let is_idle = declared(&**d).next().is_none() && d.rows::<Poll>().is_empty();
    let (before, from) = (d.emitted(), d.meter().attended);
    let touched = if is_idle { Touched::default() } else { Stage::touched(d, from) };
    d.meter().attended = before;
    if touched.is_nothing() {
        return false;
    }
    let Touched { objects, voted, ruled, stood } = touched;
    with(d, Mode::Act, |stage, run| {
        let registry = run.registry.clone();
        let people: Vec<Id> = objects.iter().filter(|obj| !registry.is_docketed(obj)).cloned().collect();
        leave(stage, &people);
        let mut docs = objects;
        docs.extend(voted);
        if ruled || stood || !people.is_empty() {
            docs.extend(stage.polls().into_iter().map(|((doc, _), _)| doc));
        }
        if ruled {
            let kinds: BTreeSet<&str> =
                registry.ballots.values().flatten().map(|(_, ballot)| ballot.kind.as_str()).collect();
            docs.extend(kinds.iter().flat_map(|kind| stage.members(&(*kind).into())));
        }
        for doc in docs {
            let kind = kind_of(stage, &doc);
            for ballot in on_kind(&registry, &kind) {
                let is_on = is_on(stage, run, &doc, ballot);
                attend(stage, run, &doc, ballot, is_on, ruled);
            }
        }
        play::follow(stage, run);
    });
    stand_still(d, ruled);
    d.emitted() > before
}

/// Takes votes off what is voted on that those cast who come or go: whoever comes back has not voted.
fn leave(stage: &mut dyn Stage, people: &[Id]) {
    let polls = if people.is_empty() { Vec::new() } else { stage.polls() };
    for ((doc, name), _) in polls {
        people.iter().for_each(|one| stage.set_vote(&(doc.clone(), name.clone(), one.clone()), None));
    }
}

/// Ends votes on documents that are no more, and stops the time of those that no law declares.
fn stand_still<G: Hosts>(d: &mut Draft<'_, G>, ruled: bool) {
    for (question, poll) in Stage::polls(d) {
        let Some(kind) = d.world.kind(&question.0).cloned() else {
            d.delete::<Poll>(&question);
            sealed::take_off(d, &question, |_| true);
            continue;
        };
        let is_declared = || declared(&**d).any(|(_, ballot)| ballot.name == question.1 && ballot.kind == *kind);
        if ruled && poll.stands.is_none() && !is_declared() {
            let stands = Some(d.at);
            d.put(&question, Poll { stands, ..poll });
            d.tell_all(format!("No law has votes on {} any more: they stand still.", labelled(d, &question.0)));
        }
    }
}

/// Brings one ballot on a document to where it is now.
fn attend(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl, is_on: bool, ruled: bool) {
    let question = (doc.clone(), ballot.name.clone());
    let now = stage.now();
    match (stage.poll(&question), is_on) {
        (None, false) => {}
        (Some(_), false) => {
            stage.set_poll(&question, None);
            sealed::take_off(stage, &question, |_| true);
        }
        (None, true) => {
            let Times { at, counted, remind } = times(stage, now, ballot);
            let lasts = ballot.lasts.clone();
            let poll = Poll { began: now, lasts, at, counted, remind, over: false, ends: 0, stands: None };
            stage.set_poll(&question, Some(poll));
            let on = ("on".into(), Dynamic::from(Obj(doc.clone())));
            let args = Map::from([on, ("name".into(), ballot.name.clone().into())]);
            run.queue.push_back(Happening::now(stage, BEGIN.to_owned(), args));
        }
        (Some(was), true) => {
            let poll = if ruled { by_new_rules(stage, doc, ballot, was.clone()) } else { was.clone() };
            let is_early = !poll.over && poll.at != Some(now) && ends_early(stage, run, doc, ballot);
            let poll = if is_early { poll.ends_now(now) } else { poll };
            if poll != was {
                stage.set_poll(&question, Some(poll));
            }
        }
    }
}

/// Votes as they are by rules that changed: they go on where they stood still, and last as long as their law says now.
fn by_new_rules(stage: &mut dyn Stage, doc: &Id, ballot: &BallotDecl, mut poll: Poll) -> Poll {
    let now = stage.now();
    if let Some(since) = poll.stands.take() {
        let stood = now.as_second() - since.as_second();
        poll.began = seconds_after(poll.began, stood);
        poll.at = poll.at.map(|at| seconds_after(at, stood));
        poll.remind = poll.remind.map(|at| seconds_after(at, stood));
    }
    if poll.lasts != ballot.lasts && !poll.over {
        let Times { at, counted, remind } = times(stage, poll.began, ballot);
        poll = Poll { lasts: ballot.lasts.clone(), at, counted, remind, ..poll };
        let ends = poll.at.map_or_else(|| "do not end by themselves".to_owned(), |at| format!("end {}", told(at, now)));
        let said = Document::say(format!("The votes on {} {ends} now.", labelled(stage, doc)));
        let said = about(stage, doc, said);
        stage.say(Audience::Public, said);
    }
    // The rules are others than when it came to nothing.
    if poll.over { poll.again(now) } else { poll }
}

/// Whether votes end before their time: all have voted, or their law says so.
fn ends_early(stage: &mut dyn Stage, run: &mut Run, doc: &Id, ballot: &BallotDecl) -> bool {
    let is_full = |stands: Stands| stands.is_full && stands.cast > 0;
    if ballot.early && stands(stage, run, doc, ballot).is_ok_and(is_full) {
        return true;
    }
    let key = (ballot.kind.clone(), ballot.name.clone(), EARLY.to_owned());
    let Some(function) = run.registry.options.get(&key).cloned() else { return false };
    match asked_of(stage, run, doc, ballot, EARLY) {
        Some(Ok(is)) => is.as_bool() == Ok(true),
        Some(Err(stop)) => {
            run.note_stop(&function, stop);
            false
        }
        None => false,
    }
}

/// What falls due inside a moderator's pause, in which nobody could vote: there is as much time as there would have been.
pub(crate) fn put_off<G: Hosts>(due: &Due, question: &Question, d: &mut Draft<'_, G>) {
    let until = d.put_off(due);
    let reminds = due.key.starts_with(REMIND_KEY);
    d.edit::<Poll>(question, |poll| match reminds {
        true => poll.remind = Some(until),
        false => poll.at = Some(until),
    });
}
