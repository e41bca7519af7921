//! Acts that are sealed: checked when they are taken, read by nobody, opened by the law that declares them.
//!
//! Of a sealed act the journal holds a salted hash. Once opened it is published with its salt; the bars and followers of
//! other rules wait for that. What is replaced or ends unopened is kept out of reach, so that it can be brought back.

use std::collections::BTreeMap;

use rhai::{Array, Dynamic, Map};

use kernel::{
    Draft, Id, Refusal, State, Value,
    display::{Block, Cell, Document},
    entry::Audience,
    viewer::Viewer,
};

use super::{
    ballots::{self, labelled},
    declared::ActDecl,
    docket_rows::{Question, Vote, keeps},
    fault::{Fault, Stop},
    offices::holder,
    params, pending, play,
    room::Hosts,
    run::{Happening, Mode, Run, call},
    script::Function,
    stage::{Envelope, Stage},
    tables::{Ask, Given, Sealed},
    values::{Args, as_text, held, value},
};

impl Given {
    fn of(is: &Dynamic) -> Result<Self, Stop> {
        match is.clone().try_cast::<Map>() {
            Some(map) => Ok(Self::Of(all(&map)?)),
            None => value(is).map(Self::Is).map_err(|_| Stop::Fault(Fault::new("it takes what cannot be sealed"))),
        }
    }

    fn held(&self) -> Dynamic {
        match self {
            Self::Is(value) => held(value),
            Self::Of(map) => {
                Dynamic::from_map(map.iter().map(|(name, is)| (name.as_str().into(), is.held())).collect())
            }
        }
    }

    fn told(&self, called: &dyn Fn(&Id) -> String) -> String {
        match self {
            Self::Is(Value::Ref(obj)) => called(obj),
            Self::Is(other) => other.to_string(),
            Self::Of(map) => told(map, called),
        }
    }
}

fn all(map: &Map) -> Result<BTreeMap<String, Given>, Stop> {
    map.iter().filter(|(name, _)| *name != "by").map(|(name, is)| Ok((name.to_string(), Given::of(is)?))).collect()
}

fn told(given: &BTreeMap<String, Given>, called: &dyn Fn(&Id) -> String) -> String {
    given.iter().map(|(name, is)| format!("{name}: {}", is.told(called))).collect::<Vec<_>>().join(", ")
}

/// The sealed acts that must be there, with their hashes.
pub(crate) fn seals<G: Hosts>(state: &State<G>) -> Vec<(Id, String)> {
    let sealed = state.rows::<Sealed>().values().filter(|sealed| sealed.open.is_none());
    sealed.map(|sealed| (sealed.secret.clone(), sealed.hash.clone())).collect()
}

/// Checks an act by its body, which changes nothing; what it is given, as the body left it, and what it asks of others.
///
/// # Errors
///
/// Why it does not happen.
pub(crate) fn checked(
    stage: &mut dyn Stage,
    run: &mut Run,
    name: &str,
    body: &Function,
    mut given: Map,
) -> Result<(BTreeMap<String, Given>, Vec<Ask>), Stop> {
    let registry = run.registry.clone();
    if let Some((act, _)) = registry.acts.get(name) {
        params::fit(stage, &registry, name, &act.params, &mut given)?;
    }
    let args = Args::new(given);
    play::judged_by(stage, run, name, &args, &|law| law == body.law)?;
    let (mut why, mut asked) = (None, Vec::new());
    let before: Vec<u64> = stage.asks().into_iter().map(|(number, _)| number).collect();
    let done = stage.attempt(&mut |stage| {
        why = call(stage, run, body, vec![Dynamic::from(args.clone())]).err();
        let new = stage.asks().into_iter().filter(|(number, _)| !before.contains(number));
        asked = new.map(|(_, ask)| ask).collect();
        Err(Refusal::new("it was only checked").into())
    });
    drop(done);
    run.queue.clear();
    match why {
        Some(stop) => Err(stop),
        None => {
            let given = all(&args.all())?;
            // Of what is asked for, everybody may read the parameters.
            let tells =
                |ask: &Ask| ask.args.values().any(|is| given.values().any(|held| *held == Given::Is(is.clone())));
            if asked.iter().any(tells) {
                return Err(Refusal::new("its law asks others with words that are sealed, and nothing happened").into());
            }
            Ok((given, asked))
        }
    }
}

/// Seals an act that was checked.
pub(crate) fn seal<G: Hosts>(
    d: &mut Draft<'_, G>,
    act: &str,
    by: &Id,
    given: &BTreeMap<String, Given>,
    decl: &ActDecl,
) -> Document {
    let about = given.get(&decl.keeps_for).and_then(|is| match is {
        Given::Is(value) => Some(value.clone()),
        Given::Of(_) => None,
    });
    if decl.keeps_last {
        let same = |(_, sealed): &(&u64, &Sealed)| sealed.act == act && sealed.by == *by && sealed.about == about;
        let before: Vec<u64> = d.rows::<Sealed>().iter().filter(same).map(|(number, _)| *number).collect();
        before.iter().for_each(|number| drop(d.delete::<Sealed>(number)));
    }
    let number = d.next_number::<Sealed>();
    let secret: Id = format!("law/{number}").into();
    let bytes = serde_json::to_vec(given).unwrap_or_default();
    let hash = d.seal(secret.clone(), bytes);
    let at = d.at;
    let reader = decl.reader.clone();
    let who = G::called(d, by);
    let said =
        |on: String| Document::say(format!("{who} does “{act}”{on} under seal, number {number}. Its hash: {hash}"));
    let said = match &about {
        None => said(String::new()),
        Some(Value::Ref(doc)) if d.world.kind(doc).is_some_and(|kind| keeps(d, kind)) => {
            ballots::about(d, doc, said(format!(" on {}", labelled(d, doc))))
        }
        Some(Value::Ref(obj)) => said(format!(" on {}", G::called(d, obj))),
        Some(other) => said(format!(" on {other}")),
    };
    d.say(Audience::Public, said);
    let (name, by) = (act.to_owned(), by.clone());
    d.put(&number, Sealed { act: name, by, at, secret, hash, reader, about, open: None });
    if let Some(reader) = holder(d, &decl.reader).filter(|_| !decl.reader.is_empty()) {
        let said = format!("You may read “{act}” number {number}: “⁅show {PAGE}⁆”.");
        d.say(Audience::Seat(reader), Document::say(said));
    }
    Document::say(format!("It is sealed as number {number}."))
}

/// The page of what is sealed and may be read by whoever looks.
pub(crate) const PAGE: &str = "sealed";

/// Who may read something sealed beside whoever sealed it.
pub(crate) fn reader<G: Hosts>(state: &State<G>, secret: &str) -> Option<Id> {
    let mut all = state.rows::<Sealed>().values();
    let sealed = all.find(|sealed| *sealed.secret == *secret && sealed.open.is_none() && !sealed.reader.is_empty())?;
    holder(state, &sealed.reader)
}

/// What somebody may read before it is opened: eir own, and what is sealed for an office of eirs.
fn readable<'s, G: Hosts>(state: &'s State<G>, viewer: &'s Viewer) -> impl Iterator<Item = (&'s u64, &'s Sealed)> {
    let me = viewer.seat.as_ref().filter(|_| viewer.private);
    let mine = move |sealed: &Sealed| {
        me.is_some_and(|me| sealed.by == *me || reader(state, &sealed.secret).as_ref() == Some(me))
    };
    state.rows::<Sealed>().iter().filter(move |(_, sealed)| sealed.open.is_none() && mine(sealed))
}

/// The same by id, to be opened for a look.
pub(crate) fn reads<G: Hosts>(state: &State<G>, viewer: &Viewer) -> Vec<Id> {
    readable(state, viewer).map(|(_, sealed)| sealed.secret.clone()).collect()
}

/// A page of it for one pair of eyes.
///
/// # Errors
///
/// Where others could read it.
pub(crate) fn show<G: Hosts>(state: &State<G>, viewer: &Viewer) -> Result<Document, Refusal> {
    if !viewer.private || viewer.seat.is_none() {
        return Err(Refusal::new("what is sealed is shown in private, to whoever may read it"));
    }
    let line = |(number, sealed): (&u64, &Sealed)| {
        let who = G::called(state, &sealed.by);
        let opened = viewer.opened.get(&sealed.secret);
        let given = opened.and_then(|opened| serde_json::from_slice::<BTreeMap<String, Given>>(&opened.bytes).ok());
        let what = given
            .map_or_else(|| "it is not kept any more".to_owned(), |given| told(&given, &|obj| G::called(state, obj)));
        Cell::new(format!("{number}: “{}” of {who}: {what}", sealed.act))
    };
    let lines: Vec<Cell> = readable(state, viewer).map(line).collect();
    let page = Document::titled(PAGE, "What is sealed and you may read");
    Ok(if lines.is_empty() { page.para("Nothing is.") } else { page.with(Block::List(lines)) })
}

/// The sealed acts of a law, opened and published, in the order in which they were taken.
///
/// # Errors
///
/// Where they are another law's, or cannot be opened here.
pub(crate) fn opened(stage: &mut dyn Stage, run: &mut Run, act: &str) -> Result<Array, Stop> {
    own(run, act)?;
    let (mut found, law) = (Array::new(), run.law);
    for (number, sealed) in stage.sealed() {
        if sealed.act == act
            && let Some(map) = unsealed(stage, run, number, sealed, law)?
        {
            found.push(Dynamic::from_map(map));
        }
    }
    Ok(found)
}

/// What a sealed act was given: opened now, where it was not before. Nothing where it is not kept any more, or the law of
/// another rule does not let it pass.
///
/// # Errors
///
/// Where it cannot be opened here.
fn unsealed(
    stage: &mut dyn Stage,
    run: &mut Run,
    number: u64,
    mut sealed: Sealed,
    law: usize,
) -> Result<Option<Map>, Stop> {
    let is_new = sealed.open.is_none();
    if is_new && !open(stage, run, number, &mut sealed)? {
        return Ok(None);
    }
    let given = sealed.open.clone().unwrap_or_default();
    let mut map: Map = given.iter().map(|(name, is)| (name.as_str().into(), is.held())).collect();
    map.insert("by".into(), held(&Value::Ref(sealed.by.clone())));
    if is_new {
        // The laws of other rules waited for this. What they make of it stands.
        let (args, act) = (Args::new(map), sealed.act.clone());
        match play::judged_by(stage, run, &act, &args, &|other| other != law) {
            Ok(()) => {
                map = args.all();
                play::tell_changes(stage, run, &act, &map);
                sealed.open = Some(all(&map)?);
                stage.set_sealed(number, Some(sealed));
            }
            Err(stop) => {
                let why = Refusal::from(stop).say;
                stage.say(Audience::Public, Document::say(format!("Number {number} is void: {why}.")));
                stage.set_sealed(number, None);
                return Ok(None);
            }
        }
        pending::fulfil(stage, &act, &map);
        run.queue.push_back(Happening::now(stage, act, map.clone()));
    }
    Ok(Some(map))
}

/// Opens the votes on a document that were sealed, and casts them: of each voter the latest counts.
///
/// # Errors
///
/// Where they cannot be opened here.
pub(crate) fn open_votes(stage: &mut dyn Stage, run: &mut Run, question: &Question) -> Result<(), Stop> {
    let registry = run.registry.clone();
    let Some(law) = registry.acts.get(&question.1).map(|(_, function)| function.law) else { return Ok(()) };
    for (number, sealed) in stage.sealed().into_iter().filter(|(_, sealed)| sealed.is_vote_on(question)) {
        let (by, at) = (sealed.by.clone(), sealed.at);
        if let Some(map) = unsealed(stage, run, number, sealed, law)? {
            let of = |name: &str| map.get(name).cloned().unwrap_or_default();
            let key = (question.0.clone(), question.1.clone(), by);
            if stage.vote(&key).is_none_or(|open| open.at <= at) {
                let mark = as_text(&of("mark")).unwrap_or_default();
                let vote = value(&of("vote")).map_err(|_| Stop::Fault(Fault::new("it is no vote")))?;
                stage.set_vote(&key, Some(Vote { vote, mark, at, revision: 0 }));
            }
        }
        stage.set_sealed(number, None);
    }
    Ok(())
}

/// Takes votes off a document that nobody has opened.
pub(crate) fn take_off(stage: &mut dyn Stage, question: &Question, of: impl Fn(&Id) -> bool) {
    for (number, _) in stage.sealed().into_iter().filter(|(_, is)| is.is_vote_on(question) && of(&is.by)) {
        stage.set_sealed(number, None);
    }
}

impl Sealed {
    /// Whether it is a vote on a document, in a ballot of it.
    pub(crate) fn is_vote_on(&self, (doc, name): &Question) -> bool {
        self.act == *name && matches!(&self.about, Some(Value::Ref(about)) if about == doc)
    }
}

/// Opens a sealed act and publishes it; whether it is still kept.
///
/// # Errors
///
/// Where it cannot be opened here.
fn open(stage: &mut dyn Stage, run: &mut Run, number: u64, sealed: &mut Sealed) -> Result<bool, Stop> {
    let (who, act) = (stage.called(&sealed.by), &sealed.act);
    let (salt, bytes) = match stage.open(&sealed.secret) {
        Envelope::Open(salt, bytes) => (salt, bytes),
        Envelope::Closed => return Err(Refusal::new("what is sealed is not opened for a look").into()),
        Envelope::Lost => {
            let said = format!("“{act}” of {who}, number {number}, cannot be opened: it is not kept any more.");
            stage.say(Audience::Public, Document::say(said));
            stage.set_sealed(number, None);
            return Ok(false);
        }
    };
    let Ok(given) = serde_json::from_slice::<BTreeMap<String, Given>>(&bytes) else { return Ok(false) };
    let what = told(&given, &|obj| stage.called(obj));
    let said = format!("“{act}” of {who}, number {number}, was: {what}. Its salt: {salt}");
    stage.say(Audience::Public, Document::say(said));
    // That is the program's to say, and none of what the law may.
    run.from.announced += 1;
    run.unsealed.push(number);
    sealed.open = Some(given);
    stage.set_sealed(number, Some(sealed.clone()));
    Ok(true)
}

/// Publishes what was opened, where that was taken back with what it was part of: a law read it.
pub(crate) fn publish(stage: &mut dyn Stage, run: &mut Run) {
    let read = std::mem::take(&mut run.unsealed);
    if read.is_empty() {
        return;
    }
    for (number, mut sealed) in stage.sealed() {
        if read.contains(&number) && sealed.open.is_none() {
            // It could be opened before.
            drop(open(stage, run, number, &mut sealed));
        }
    }
}

/// Ends all sealed acts of a law by the name of the act.
///
/// # Errors
///
/// Where they are another law's.
pub(crate) fn discard(stage: &mut dyn Stage, run: &Run, act: &str) -> Result<(), Stop> {
    own(run, act)?;
    for (number, sealed) in stage.sealed() {
        if sealed.act == act {
            stage.set_sealed(number, None);
        }
    }
    Ok(())
}

fn own(run: &Run, act: &str) -> Result<(), Stop> {
    let why = match run.registry.acts.get(act) {
        _ if !matches!(run.mode, Mode::Act) => "what only looks opens nothing that is sealed".to_owned(),
        Some((act, function)) if function.law == run.law && act.sealed => return Ok(()),
        // Within one rulebook names come and go: what another law sealed is not read.
        Some(_) => format!("“{act}” is no sealed act of this law"),
        None => format!("no law has the act “{act}”"),
    };
    Err(Stop::Fault(Fault::new(why)))
}
