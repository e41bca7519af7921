//! Acts that are sealed: checked when they are taken, read by nobody, opened by the law that declares them.
//!
//! Of a sealed act the journal holds a salted hash. It opens at an instant of the room's time, is published then with its
//! salt, and waits for that with the bars and followers of other rules. Repeal destroys what was not opened.

use std::collections::BTreeMap;

use rhai::{Array, Dynamic, Map};

use kernel::{Draft, Id, Refusal, State, Value, display::Document, entry::Audience};

use super::{
    counts,
    fault::{Fault, Stop},
    params, play,
    room::Hosts,
    run::{Happening, Mode, Run, call},
    script::Function,
    stage::Stage,
    tables::{Given, Sealed, forget_sealed},
    values::{Args, held, value},
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

/// Checks an act by its body, which changes nothing; what it is given, as the body left it.
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
) -> Result<BTreeMap<String, Given>, Stop> {
    let registry = run.registry.clone();
    if let Some((act, _)) = registry.acts.get(name) {
        params::fit(stage, &registry, name, &act.params, &mut given)?;
    }
    let args = Args::new(given);
    play::judged_by(stage, run, name, &args, &|law| law == body.law)?;
    let mut why = None;
    let done = stage.attempt(&mut |stage| {
        why = call(stage, run, body, vec![Dynamic::from(args.clone())]).err();
        Err(Stop::Refused(Refusal::new("it was only checked")))
    });
    drop(done);
    run.queue.clear();
    match why {
        Some(stop) => Err(stop),
        None => all(&args.all()),
    }
}

/// Seals an act that was checked.
pub(crate) fn seal<G: Hosts>(
    d: &mut Draft<'_, G>,
    act: &str,
    by: &Id,
    given: &BTreeMap<String, Given>,
    keeps_last: bool,
) -> Document {
    if keeps_last {
        let same = |(_, sealed): &(&u64, &Sealed)| sealed.act == act && sealed.by == *by;
        let before: Vec<u64> = d.rows::<Sealed>().iter().filter(same).map(|(number, _)| *number).collect();
        before.iter().for_each(|number| forget_sealed(d, *number));
    }
    let number = d.next_number::<Sealed>();
    let secret: Id = format!("law/{number}").into();
    let bytes = serde_json::to_vec(given).unwrap_or_default();
    let hash = d.seal(secret.clone(), bytes);
    let at = d.at;
    d.put(&number, Sealed { act: act.to_owned(), by: by.clone(), at, secret, hash: hash.clone(), open: None });
    let who = G::called(d, by);
    d.tell_all(format!("{who} does “{act}” under seal, number {number}. Its hash: {hash}"));
    Document::say(format!("It is sealed as number {number}."))
}

/// The sealed acts of a law, opened and published, in the order in which they were taken.
///
/// # Errors
///
/// Where they are another law's, or cannot be opened here.
pub(crate) fn opened(stage: &mut dyn Stage, run: &mut Run, act: &str) -> Result<Array, Stop> {
    let registry = run.registry.clone();
    own(run, act)?;
    let mut found = Array::new();
    for (number, mut sealed) in stage.sealed() {
        if sealed.act != act {
            continue;
        }
        let mut is_new = false;
        if sealed.open.is_none() {
            let Some((salt, bytes)) = stage.open(&sealed.secret) else {
                let why = "what is sealed opens at an instant of the room's time: set a deed for later that opens it";
                return Err(Stop::Fault(Fault::new(why)));
            };
            let Ok(given) = serde_json::from_slice::<BTreeMap<String, Given>>(&bytes) else { continue };
            let who = stage.called(&sealed.by);
            let what = told(&given, &|obj| stage.called(obj));
            let said = format!("“{act}” of {who}, number {number}, was: {what}. Its salt: {salt}");
            stage.say(Audience::Public, Document::say(said));
            sealed.open = Some(given);
            stage.set_sealed(number, Some(sealed.clone()));
            is_new = true;
        }
        let given = sealed.open.unwrap_or_default();
        let mut map: Map = given.iter().map(|(name, is)| (name.as_str().into(), is.held())).collect();
        map.insert("by".into(), held(&Value::Ref(sealed.by.clone())));
        if is_new {
            // The laws of other rules waited for this.
            let args = Args::new(map);
            let law = run.law;
            match play::judged_by(stage, run, act, &args, &|other| other != law) {
                Ok(()) => map = args.all(),
                Err(stop) => {
                    let why = match stop {
                        Stop::Refused(why) => why.say,
                        Stop::Fault(fault) => fault.why,
                    };
                    stage.say(Audience::Public, Document::say(format!("Number {number} is void: {why}.")));
                    stage.set_sealed(number, None);
                    continue;
                }
            }
            counts::count(stage, &registry, act, Some(&sealed.by));
            run.queue.push_back(Happening { name: act.to_owned(), args: map.clone() });
        }
        found.push(Dynamic::from_map(map));
    }
    Ok(found)
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
