//! What players do with documents: make, revise and withdraw one, and vote on one.

use rhai::{Dynamic, Map};

use kernel::{
    Id, Num, Refusal, Value,
    directives::wording::folded,
    display::{Block, Document},
    entry::Audience,
    rulebook::diff,
};

use super::{
    super::{
        ballots::{
            self, Stands, Tally, about, asked, asked_of, called_kind as called, choices, kind_of, labelled, maker,
            may_vote, named, number_of as number, of, on_kind, open, revisions, scores, shown, stands, tally, words,
        },
        docket_decl::{
            AMISS, BY, BallotDecl, DocketDecl, FIRST, LATEST, REVISIONS, STATE, TEXT, WITHDRAWN, revise, withdraw,
        },
        docket_page,
        docket_rows::Vote,
        fault::{Given, faulty, stopped},
        names::plural,
        registry::Registry,
        run::On,
        values::{Args, Obj, as_number, as_object, as_text, held, same, value},
    },
    effects::{create, set},
    look,
};

/// The kind of a document, as its docket has it.
///
/// # Errors
///
/// Where no law declares such documents.
pub(crate) fn docket<'r>(registry: &'r Registry, kind: &str) -> Given<&'r DocketDecl> {
    registry.dockets.get(kind).ok_or_else(|| faulty(format!("no law has documents of the kind “{kind}”")))
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
///
/// # Errors
///
/// Where it brings a law that cannot be read.
fn foreseen(lent: &mut On<'_>, docket: &DocketDecl, doc: &Id) -> Given<Vec<Block>> {
    if !docket.changes {
        return Ok(Vec::new());
    }
    let text = words(lent.stage, doc, TEXT);
    if let Some(ill) = lent.stage.foresee(&text, Some(doc)).ill {
        return Err(stopped(Refusal::new(ill).into()));
    }
    match docket_page::foreseen(lent.stage, lent.run, doc) {
        Ok(run) => {
            lent.stage.set_breaks(doc, &run);
            let patient = run.refused().next().map(|_| Block::Para(PATIENT.to_owned()));
            Ok(run.document().blocks.into_iter().chain(patient).collect())
        }
        Err(why) => Ok(vec![Block::Para(format!("{}.", why.say))]),
    }
}

/// What is said of directives that could not be done now, to whoever writes them.
const PATIENT: &str = "It is posted all the same: what it needs may be there when it is done.";

/// Judges the text that a document has got, and announces it. What it would do is for its maker.
fn announce(lent: &mut On<'_>, docket: &DocketDecl, doc: &Id) -> Given<Vec<Block>> {
    fits(lent, &docket.kind, doc)?;
    let foreseen = foreseen(lent, docket, doc)?;
    let announced = docket_page::announced(lent.stage, lent.run, doc);
    lent.stage.say(Audience::Public, announced);
    Ok(foreseen)
}

/// The least number that the next document may have: that of the option, or what its function says now.
pub(super) fn first(lent: &mut On<'_>, kind: &str, first: u64) -> Given<u64> {
    let args = vec![kind.to_owned().into()];
    let asked = asked(lent.stage, lent.run, (kind, "", FIRST), args).transpose().map_err(stopped)?;
    let asked = asked.and_then(|first| first.as_int().ok()).and_then(|first| u64::try_from(first).ok());
    Ok(asked.unwrap_or(first))
}

/// Announces a document that a law has made.
pub(super) fn made(lent: &mut On<'_>, doc: &Id) -> Given<()> {
    let docket = lent.run.registry.dockets.get(&kind_of(lent.stage, doc)).cloned();
    docket.map_or(Ok(()), |docket| announce(lent, &docket, doc).map(drop))
}

/// Announces the text that a document has got, and says to its maker what it would do.
fn posted(lent: &mut On<'_>, docket: &DocketDecl, doc: &Id, said: String) -> Given<()> {
    let foreseen = announce(lent, docket, doc)?;
    let mut reply = Document::say(said);
    reply.blocks.extend(foreseen);
    lent.run.reply = Some(reply);
    Ok(())
}

/// Somebody makes a document.
///
/// # Errors
///
/// Why e does not: too many are open, or the text or the title is none.
pub(crate) fn make(lent: &mut On<'_>, kind: &str, args: &Args) -> Given<()> {
    let docket = docket(&lent.run.registry, kind)?.clone();
    let by = as_object(&args.get("by")).ok_or_else(|| stopped(Refusal::unseated().into()))?;
    if let Some(limit) = docket.limit {
        let mine = look::all(lent, kind, &Map::from([(BY.into(), Dynamic::from(Obj(by.clone())))]))?;
        let open: Vec<&Id> = mine.iter().filter(|doc| docket.open.contains(&words(lent.stage, doc, STATE))).collect();
        if open.len() as u64 >= limit {
            let what = if open.len() == 1 {
                format!("1 {}", docket.one())
            } else {
                format!("{} {}", open.len(), docket.many())
            };
            let why = Refusal::new(format!("you have {what} that are open, and at most {limit} may be"));
            let why = match open.first().filter(|_| !docket.withdraw.is_empty()) {
                Some(first) => why.instead(format!("{} {}", withdraw(kind), number(first))),
                None => why.instead(format!("show {}", plural(kind))),
            };
            return Err(stopped(why.into()));
        }
    }
    let title =
        as_text(&args.get("title")).map(|title| kit::docket::one_line(&title)).filter(|title| !title.is_empty());
    if let Some(title) = title.as_ref().filter(|_| docket.named) {
        lent.stage.nameable(title, None).map_err(|why| stopped(why.into()))?;
    }
    let text = as_text(&args.get(TEXT)).unwrap_or_default();
    let text = lent.stage.readable(&text, docket.changes, &docket.make).map_err(|why| stopped(why.into()))?;
    let mut with = Map::from([(TEXT.into(), held(&Value::Text(text))), (BY.into(), Dynamic::from(Obj(by)))]);
    if let Some(title) = title {
        with.insert("name".into(), title.into());
    }
    let act = lent.run.registry.acts.get(&docket.make).map(|(act, _)| act.params.clone()).unwrap_or_default();
    let asked = act.iter().map(|param| &param.name).filter(|name| !["title", TEXT].contains(&name.as_str()));
    let said = asked.map(|name| (name.as_str().into(), args.get(name)));
    with.extend(said.filter(|(_, is): &(_, Dynamic)| !is.is_unit()));
    let Obj(doc) = create(lent, kind, &with)?;
    let said = format!("Your {} is number {}.", docket.one(), number(&doc));
    posted(lent, &docket, &doc, said)
}

/// A document of whoever acts that may still be changed in a way.
fn mine(lent: &On<'_>, kind: &str, args: &Args, states: &[String]) -> Given<Id> {
    let refused = |why: Refusal| Err(stopped(why.into()));
    let by = as_object(&args.get("by"));
    let Some(doc) = as_object(&args.get("on")) else {
        let why = format!("say which {} you mean", called(lent.stage, kind));
        return refused(Refusal::new(why).instead(format!("show {}", plural(kind))));
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
    replaced(lent, &doc, &text)?;
    let said = format!("{} has its new text.", labelled(lent.stage, &doc));
    posted(lent, &docket, &doc, said)
}

/// Puts another text in the place of that of a document, and announces it with what differs.
///
/// # Errors
///
/// What is wrong with the text.
pub(crate) fn reworded(lent: &mut On<'_>, doc: &Id, text: &str, said: &str) -> Given<Vec<Block>> {
    let kind = kind_of(lent.stage, doc);
    let docket = docket(&lent.run.registry, &kind)?.clone();
    let text = lent.stage.readable(text, docket.changes, &docket.make).map_err(|why| stopped(why.into()))?;
    let was = replaced(lent, doc, &text)?;
    fits(lent, &kind, doc)?;
    let foreseen = foreseen(lent, &docket, doc)?;
    let mut told = about(lent.stage, doc, Document::say(said));
    told.blocks.extend(diff::block(&was, &text));
    told.offers = docket_page::announced(lent.stage, lent.run, doc).offers;
    lent.stage.say(Audience::Public, told);
    Ok(foreseen)
}

/// Puts another text in the place of that of a document, which is kept; what it was.
fn replaced(lent: &mut On<'_>, doc: &Id, text: &str) -> Given<String> {
    let (was, count) = (words(lent.stage, doc, TEXT), revisions(lent.stage, doc));
    lent.stage.set_wording(doc, count, was.clone());
    set(lent, doc, TEXT, &held(&Value::Text(text.to_owned())))?;
    set(lent, doc, REVISIONS, &Dynamic::from(i64::from(count) + 1))?;
    Ok(was)
}

/// Whoever made a document takes it back.
///
/// # Errors
///
/// Why e may not.
pub(crate) fn withdrawn(lent: &mut On<'_>, kind: &str, args: &Args) -> Given<()> {
    let states = docket(&lent.run.registry, kind)?.withdraw.clone();
    let doc = mine(lent, kind, args, &states)?;
    set(lent, &doc, STATE, &Dynamic::from(WITHDRAWN.to_owned()))?;
    lent.run.reply = Some(Document::say(format!("{} is withdrawn.", labelled(lent.stage, &doc))));
    Ok(())
}

/// Says what has become of a document.
pub(crate) fn became(lent: &mut On<'_>, doc: &Id) {
    let (label, now) = (labelled(lent.stage, doc), words(lent.stage, doc, STATE));
    let score = scores(lent.stage, lent.run, doc);
    let score = if score.is_empty() { score } else { format!(": {score}") };
    let said = about(lent.stage, doc, Document::say(format!("{label} is now {now}{score}.")));
    lent.stage.say(Audience::Public, said);
}

/// Most documents that a refusal names.
const NAMED_MAX_COUNT: usize = 5;

/// Somebody votes on a document.
///
/// # Errors
///
/// Why e does not.
pub(crate) fn cast(lent: &mut On<'_>, name: &str, args: &Args) -> Given<()> {
    let registry = lent.run.registry.clone();
    let refused = |why: Refusal| Err(stopped(why.into()));
    let Some(by) = as_object(&args.get("by")) else {
        return refused(Refusal::unseated());
    };
    let Some(doc) = as_object(&args.get("on")) else {
        let open = open(lent.stage, &registry, name);
        let labels: Vec<String> = open.iter().take(NAMED_MAX_COUNT).map(|doc| labelled(lent.stage, doc)).collect();
        return refused(match open.first() {
            None => {
                let why = Refusal::new("nothing is voted on");
                let other = lent.stage.polls().into_iter().find(|(_, poll)| !poll.over).map(|(question, _)| question);
                let line = other.and_then(|(doc, name)| {
                    let ballot = of(&registry, &name, &kind_of(lent.stage, &doc))?;
                    Some(format!("{name} {} {}", named(&registry, &name, &doc), ballot.words.first()?.0))
                });
                Refusal { instead: line, ..why }
            }
            Some(first) => {
                let line = format!("{name} {} {}", named(&registry, name, first), shown(lent.stage, &args.get("vote")));
                Refusal::new(format!("say which of these you mean: {}", labels.join("; "))).instead(line)
            }
        });
    };
    let label = labelled(lent.stage, &doc);
    let kind = kind_of(lent.stage, &doc);
    let Some(ballot) = of(&registry, name, &kind) else {
        return refused(Refusal::new(format!("“{name}” is not of {label}")).instead(format!("show {doc}")));
    };
    let question = (doc.clone(), name.to_owned());
    let is_on = ballots::is_on(lent.stage, lent.run, &doc, ballot);
    // What was made in this act is voted on when it is settled, and may be by now.
    if !is_on || lent.stage.poll(&question).is_some_and(|poll| poll.over) {
        let state = words(lent.stage, &doc, STATE);
        let why = if is_on { "its votes are over".to_owned() } else { format!("it is {state}") };
        return refused(Refusal::new(format!("{label} is not voted on: {why}")).instead(format!("show {doc}")));
    }
    if !may_vote(lent.stage, lent.run, (&doc, &by), ballot).map_err(stopped)? {
        let why = lent.stage.plays(Some(&by)).err();
        let none = || Refusal::new(format!("you have no vote on {label}")).instead(format!("show {doc}"));
        return refused(why.unwrap_or_else(none));
    }
    let (cast, shown) = read(lent, &doc, ballot, &args.get("vote"))?;
    let mark = as_text(&args.get("mark")).unwrap_or_default();
    if let Some(word) = ballot.marks.get(&mark).filter(|word| **word != shown) {
        let line = format!("{name} {} {word} {mark}", named(&registry, name, &doc));
        return refused(Refusal::new(format!("only a vote {word} is marked “{mark}”")).instead(line));
    }
    let key = (doc.clone(), name.to_owned(), by.clone());
    let was = lent.stage.vote(&key);
    let is_sealed = lent.stage.under_seal(&question).contains(&by);
    if (was.is_some() || is_sealed) && is_final(lent, &doc, ballot) {
        let was = was.map_or_else(|| "under seal".to_owned(), |was| ballots::shown(lent.stage, &held(&was.vote)));
        return refused(Refusal::new(format!("you voted {was} on {label}, and the first vote counts")));
    }
    args.set("vote", held(&cast));
    if let Some(was) = &was {
        args.set("was", held(&was.vote));
    }
    let (at, revision) = (lent.stage.now(), revisions(lent.stage, &doc));
    let offered = docket_page::offers_beside(lent.stage, lent.run, &doc);
    lent.stage.set_vote(&key, Some(Vote { vote: cast, mark: mark.clone(), at, revision }));
    let Stands { score, .. } = stands(lent.stage, lent.run, &doc, ballot).map_err(stopped)?;
    let (who, now) = (lent.stage.called(&by), if was.is_some() { " now" } else { "" });
    let marked = if mark.is_empty() { String::new() } else { format!(", marked {mark}") };
    let said = Document::say(format!("{who}{now} votes {shown}{marked} on {label}: {score}."));
    let mut said = about(lent.stage, &doc, said);
    // What the vote lets somebody do.
    said.offers = docket_page::offers_beside(lent.stage, lent.run, &doc);
    said.offers.retain(|offer| !offered.contains(offer));
    lent.stage.say(Audience::Public, said);
    lent.run.reply = Some(Document::say(format!("Your vote on {label} is {shown}{marked}.")));
    Ok(())
}

/// Whether the first vote counts.
fn is_final(lent: &mut On<'_>, doc: &Id, ballot: &BallotDecl) -> bool {
    match asked_of(lent.stage, lent.run, doc, ballot, LATEST) {
        Some(is) => is.is_ok_and(|is| is.as_bool() == Ok(false)),
        None => ballot.is_final,
    }
}

/// What somebody votes, as it is kept and as it is shown.
fn read(lent: &mut On<'_>, doc: &Id, ballot: &BallotDecl, given: &Dynamic) -> Given<(Value, String)> {
    let text = shown(lent.stage, given);
    let choices = choices(lent.stage, lent.run, doc, ballot).map_err(stopped)?;
    let shown: Vec<String> = choices.iter().map(|choice| shown(lent.stage, choice)).collect();
    let wanted = folded(&text);
    let found = choices.iter().zip(&shown).find(|(choice, shown)| same(choice, given) || folded(shown) == wanted);
    if let Some((choice, shown)) = found {
        return Ok((value(choice)?, shown.clone()));
    }
    if let Some((least, most)) = ballot.number {
        let number = as_number(given).or_else(|| text.parse().ok());
        let fits = |number: &Num| number.to_i64().is_some_and(|number| (least..=most).contains(&number));
        if let Some(number) = number.filter(fits) {
            return Ok((Value::Num(number.clone()), number.to_string()));
        }
        return Err(stopped(Refusal::new(format!("a vote is a whole number from {least} to {most}")).into()));
    }
    let label = labelled(lent.stage, doc);
    let why = format!("“{text}” is no vote on {label}: it is {}", shown.join(", "));
    let line =
        shown.first().map(|first| format!("{} {} {first}", ballot.name, named(&lent.run.registry, &ballot.name, doc)));
    Err(stopped(Refusal { instead: line, ..Refusal::new(why) }.into()))
}

/// What the votes on a document come to in the ballot of this name, else in the first one. Without a ballot nobody votes.
///
/// # Errors
///
/// What a function of its law stopped at, or that there is no ballot of that name.
pub(crate) fn asked_for(lent: &mut On<'_>, doc: &Id, name: Option<&str>) -> Given<Tally> {
    let registry = lent.run.registry.clone();
    let kind = kind_of(lent.stage, doc);
    let ballot = match name {
        Some(name) => on_kind(&registry, &kind).find(|ballot| ballot.name == name),
        None => ballots::first_on(&registry, &kind),
    };
    match (ballot, name) {
        (Some(ballot), _) => tally(lent.stage, lent.run, doc, ballot).map_err(stopped),
        (None, Some(name)) => Err(faulty(format!("no law has the votes “{name}” on a {kind}"))),
        (None, None) => Ok(Tally::default()),
    }
}
