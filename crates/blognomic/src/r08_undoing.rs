//! Undoing (rule 8): a Robot takes the effects of an alteration back, and things that it used up can be done again
//! (N59).
//!
//! An undoing is an alteration like any other. Undoing it in turn uses up again what it gave back. Where that has been
//! done anew meanwhile, nothing can be had twice, and only a Call for Judgment decides. The log stands in `gndt`, and
//! each thing that is given back with its mechanic.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    alterations::{self, Alteration, Being, Figure, Object},
    game::{BlogNomic, D},
    glossary, holdings,
    law::Thing,
    program,
    stats::{self, INVENTORY, POWER, ROBOT},
};
use kernel::{
    Act, Id, Mechanic, Path, Refusal, Seq, State, Value,
    directives::{Lawful, words::destroy},
    display::{Document, Offer},
    entry::Audience,
    speech::Speech as _,
    table::Row,
    world::Op,
};

/// The line that helps where an undoing is refused.
const CALL: &str = "cfj raise TITLE TEXT";

/// The act whose ground names the entry, with what the Robot says.
pub(super) const UNDO: &str = "undo";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("undoing").table::<Undoing>().act(
        Act::new(UNDO, |Undo { entry, reason }, d| undo(entry, &reason, d))
            .by(Thing::Tracker.word())
            .player()
            .public("gndt undo 12 because nobody may do that"),
    )
}

kit::args! {
    /// The arguments of `undo` (N59).
    Undo { entry: u64, reason: String }
}

// ---- state

/// How an entry was taken back: one row by the entry that was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Undoing {
    /// The entry that did it.
    pub(super) entry: Seq,
    /// What could be done again from then on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) gave: Vec<Given>,
}

impl Row<BlogNomic> for Undoing {
    type Key = Seq;
    const TABLE: &'static str = "undoings";

    fn told(seq: &Seq, _was: Option<&Self>, is: Option<&Self>, _state: &State<BlogNomic>) -> String {
        is.map_or_else(String::new, |_| format!("the effects of entry {seq} are taken back"))
    }
}

/// What an undoing gives back beside figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Given {
    /// A run of the Master Control Program.
    Run {
        /// Whose.
        robot: Id,
        /// On which day.
        date: String,
    },
}

/// Whether the effects of an entry stand: nobody undid it, or that was undone.
pub(super) fn stands(state: &State<BlogNomic>, seq: Seq) -> bool {
    let chain = std::iter::successors(Some(seq), |seq| state.row::<Undoing>(seq).map(|undoing| undoing.entry));
    chain.count() % 2 == 1
}

/// Runs of the Master Control Program on a day that the log knows and that stand.
fn runs(state: &State<BlogNomic>, robot: &Id, date: &str) -> u64 {
    let ran = |alteration: &&Alteration| {
        alteration.by.as_ref() == Some(robot)
            && alteration.ground == program::GROUND
            && glossary::date(state, alteration.at) == date
            && stands(state, alteration.seq)
    };
    state.rows::<Alteration>().values().filter(ran).count() as u64
}

// ---- decide

/// A Robot takes the effects of an alteration back (N59): their difference, whatever happened since.
///
/// # Errors
///
/// A [`Refusal`] where there is no such alteration, or a figure would fall out of its range. Also where what an undoing
/// gave back has been used since.
fn undo(seq: u64, why: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = laws::player(d)?;
    let rule = Thing::Tracker.rule(&d.rules);
    let alterations: Vec<Alteration> = alterations::of(d, seq).rev().cloned().collect();
    let Some(first) = alterations.last() else {
        return Err(Refusal::new(format!("entry {seq} is no alteration that the log of the GNDT holds"))
            .by(rule)
            .instead("gndt log"));
    };
    if d.row::<Undoing>(&seq).is_some() {
        return Err(Refusal::new(format!("entry {seq} was undone already")).by(rule).instead("gndt log"));
    }
    if alterations.iter().any(|alteration| alteration.more) {
        let why = format!("entry {seq} did more than the GNDT holds, and that goes together");
        return Err(Refusal::new(why).by(rule).instead(CALL));
    }
    for alteration in &alterations {
        figures(d, &alteration.rows)?;
    }
    for alteration in &alterations {
        within_bounds(d, &alteration.rows)?;
    }
    for thing in alterations.iter().flat_map(|alteration| &alteration.things) {
        self::thing(d, thing).map_err(|why| why.by(rule.clone()).instead(CALL))?;
    }
    for row in alterations.iter().flat_map(|alteration| &alteration.rows).filter(|row| *row.stat == *INVENTORY.id) {
        holdings::list(d, &row.robot)?;
    }
    let any = |is: fn(&Object) -> bool| alterations.iter().flat_map(|alteration| &alteration.things).any(is);
    let (origin, undoes) = origin(d, seq);
    let mut gave = Vec::new();
    let again = if undoes {
        let used_up = done_by(d, seq).map(|(_, undoing)| undoing.gave.clone()).unwrap_or_default();
        for given in &used_up {
            use_up(d, origin, given)
                .map_err(|why| Refusal { instead: Some(CALL.to_owned()), ..why.by(rule.clone()) })?;
        }
        let back = !used_up.is_empty() || any(|thing| thing.to.is_none());
        if back { " What it gave back is used up again.".to_owned() } else { String::new() }
    } else {
        gave.extend(program::give_back(d, origin).map(|(robot, date)| Given::Run { robot, date }));
        let made = any(|thing| thing.was.is_none()).then_some(" What it made is gone, and can be made again.");
        gave.first().map(|_| " The day's run is given back.").into_iter().chain(made).collect()
    };
    let entry = d.seq;
    d.put(&seq, Undoing { entry, gave });
    let name = d.frame.name_of(&me).to_owned();
    let mut document = Document::say(format!(
        "{name} undoes the effects of entry {seq} ({}): {why}.{again} Whoever disputes that raises a Call for Judgment.",
        first.ground
    ));
    // A button holds no longer line.
    let line = format!("cfj raise \"Undoing entry {seq}\" Was it right?");
    document.offers = vec![Offer::new("Call for Judgment", line, d.seq)];
    d.say(Audience::Public, document);
    Ok(Document::say(format!("The effects of entry {seq} are taken back.")))
}

/// Which entry an entry took back, and what that gave back; nothing where it is no undoing.
fn done_by(state: &State<BlogNomic>, entry: Seq) -> Option<(Seq, &Undoing)> {
    let mut all = state.rows::<Undoing>().iter();
    all.find(|(_, undoing)| undoing.entry == entry).map(|(of, undoing)| (*of, undoing))
}

/// The entry that a chain of undoings began with, and whether taking this one back brings its effects about again.
fn origin(d: &D<'_>, seq: u64) -> (u64, bool) {
    let (mut origin, mut undoes) = (seq, false);
    while let Some((of, _)) = done_by(d, origin) {
        (origin, undoes) = (of, !undoes);
    }
    (origin, undoes)
}

/// Takes the difference of each figure back.
fn figures(d: &mut D<'_>, rows: &[Figure]) -> Result<(), Refusal> {
    for row in rows {
        let name = d.frame.name_of(&row.robot).to_owned();
        let no = |say: String, d: &D<'_>| Err(Refusal::new(say).by(Thing::Tracker.rule(&d.rules)).instead(CALL));
        if d.world.def(&row.stat, ROBOT).is_none() {
            return no(format!("the GNDT has no {} any more", row.stat), d);
        }
        // It is written down anew once its things are as they were.
        if *row.stat == *INVENTORY.id {
            continue;
        }
        let path = stats::path(&row.robot, &row.stat);
        let now = d.world.value(&path);
        let Some(back) = taken_back(&row.was, &row.to, &now) else {
            return no(format!("the {} of {name} has changed since", row.stat), d);
        };
        d.overwrite(path, back);
    }
    Ok(())
}

/// A value without a change of it: of numbers the difference goes, all else must be as the change left it.
fn taken_back(was: &Value, to: &Value, now: &Value) -> Option<Value> {
    match (was, to, now) {
        (Value::Num(was), Value::Num(to), Value::Num(now)) => Some(Value::Num(&(now - to) + was)),
        _ => (now == to).then(|| was.clone()),
    }
}

/// Takes back what became of a thing of laws. Whether one may come back, the condition “return of” its kind says.
fn thing(d: &mut D<'_>, Object { obj, was, to }: &Object) -> Result<(), Refusal> {
    let now = Being::of(&d.world, obj);
    let name = if laws::is_room(obj) { "the game".to_owned() } else { BlogNomic::called(d, obj) };
    let changed = |what: &str| Refusal::new(format!("{what}{name} has changed since"));
    match (was, to, now) {
        (None, Some(to), Some(now)) if *to == now => destroy(d, obj)?,
        (Some(was), None, None) => {
            let Being { kind, born, values } = was.clone();
            d.op(Op::Restore { obj: obj.clone(), kind: kind.clone(), born });
            values.into_iter().for_each(|(attr, value)| d.overwrite(Path::new(obj.clone(), attr), value));
            if let Some(Err(why)) = laws::asked(d, &format!("return of {kind}"), &Value::Ref(obj.clone())) {
                return Err(Refusal::new(format!("{} since that undoing, and nothing is had twice", why.say)));
            }
        }
        (Some(was), Some(to), Some(now)) => {
            for attr in was.values.keys().chain(to.values.keys()).collect::<BTreeSet<_>>() {
                let at = Path::new(obj.clone(), attr.clone());
                let first = d.world.def_at(&at).map(|def| def.default.clone()).unwrap_or_default();
                let [was, to, now] = [was, to, &now].map(|is| is.values.get(attr).unwrap_or(&first));
                if was == to {
                    continue;
                }
                let back = taken_back(was, to, now).ok_or_else(|| changed(&format!("the {attr} of ")))?;
                BlogNomic::fits(d, &at, &back)?;
                d.overwrite(at, back);
            }
        }
        _ => return Err(changed("")),
    }
    Ok(())
}

/// Refuses where a figure is out of its range by now. One that is always the same keeps itself.
fn within_bounds(d: &D<'_>, rows: &[Figure]) -> Result<(), Refusal> {
    for row in rows {
        let path = stats::path(&row.robot, &row.stat);
        let Value::Num(now) = d.world.value(&path) else { continue };
        if *row.stat == *POWER.id && now.is_negative() {
            let name = d.frame.name_of(&row.robot);
            return Err(Refusal::new(format!("{name} would have {now} Power, and no battery holds less than nothing"))
                .by(Thing::Tracker.rule(&d.rules))
                .instead(CALL));
        }
        if stats::ends(d, &row.robot, &row.stat).is_some_and(|(least, most)| least == most) {
            continue;
        }
        let fits = BlogNomic::fits(d, &path, &Value::Num(now));
        fits.map_err(|why| Refusal { instead: Some(CALL.to_owned()), ..why })?;
    }
    Ok(())
}

/// Uses up again what an undoing gave back, as if it had stayed with the entry from which that came.
fn use_up(d: &mut D<'_>, seq: u64, given: &Given) -> Result<(), Refusal> {
    let Given::Run { robot, date } = given;
    let logged = runs(d, robot, date);
    if program::use_up(d, robot, date, logged, seq) {
        return Ok(());
    }
    let name = d.frame.name_of(robot);
    Err(Refusal::new(format!(
        "{name} has run the program again on {date} since that undoing, and nothing is had twice"
    )))
}
