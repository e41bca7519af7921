//! The ministry of each Public Display (4E51), and displays of things that only a rule's header defines (4E18, 4E37,
//! 4E57, 4E70, 4E71, 4E73, 4E80).
//!
//! `keeps: device, blueprint` in the header of a rule that makes a ministry gives that ministry a display under its own
//! name. It shows all objects of those kinds, which there may then be, with all of their attributes. Displays of the
//! mechanics that the program plays stand beside them.

use super::{
    game::BNomic,
    ministries::posts,
    registry::cells,
    stats::{self, MINISTRY, called},
};
use kernel::{
    Display, Id, Mechanic, Path, State, Value,
    directives::wording::{folded, slug},
    display::{Block, Cell, Document},
    mechanic::no_display,
    rulebook::Rule,
};

/// The field of a rule's header.
pub(super) const KEEPS: &str = "keeps";

/// The attribute that holds the text of a document.
const TEXT: &str = "text";

/// What the field says where it names nothing.
const VOID: [&str; 4] = ["", "nothing", "none", "-"];

// ---- the mechanic

/// What it adds to play: displays that have a name of the program's own are found first.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    // Words of a name are parted like the parts of an id.
    let kept = Display::other(|state, asked| show(state, asked.rest).ok_or_else(no_display::<BNomic>));
    let listed = |state: &State<BNomic>| {
        let one = |kept: Keeping| Cell::new(kept.about(state)).completing(&*kept.display).showing(&*kept.display);
        all(state).into_iter().map(one).collect()
    };
    Mechanic::new("keeping").display(kept.beside(19, listed))
}

/// A display that a rule's header asks for.
pub(super) struct Keeping {
    /// Its name: the ministry's, in small letters and with hyphens.
    pub(super) display: String,
    /// What the ministry is called.
    pub(super) office: String,
    /// The kinds, as the header has them, or the ids of single objects.
    things: Vec<String>,
}

impl Keeping {
    /// What the display shows, in a line.
    fn about(&self, state: &State<BNomic>) -> String {
        let one = |thing: &String| if is_single(thing) { called(state, &Id::from(&**thing)) } else { thing.clone() };
        let things: Vec<String> = self.things.iter().map(one).collect();
        format!("What the Ministry of {} keeps: {}", self.office, things.join(", "))
    }

    fn kinds(&self) -> Vec<Id> {
        self.things.iter().filter(|thing| !is_single(thing)).map(|thing| slug(thing).into()).collect()
    }
}

/// Whether a header means a single object, and no kind.
fn is_single(thing: &str) -> bool {
    thing.contains('/')
}

/// All such displays. One that would be called like another of the game's is `ministry-clock` instead.
pub(super) fn all(state: &State<BNomic>) -> Vec<Keeping> {
    let of = |(office, rule): (String, &Rule)| {
        let things = rule.field(KEEPS)?.split(',').map(str::trim).filter(|thing| !VOID.contains(thing));
        let things: Vec<String> = things.map(str::to_owned).collect();
        let own = slug(&office);
        let display = if is_own(&own) { format!("{MINISTRY}-{own}") } else { own };
        (!things.is_empty()).then_some(Keeping { display, office, things })
    };
    posts::offices(state).filter_map(of).collect()
}

/// The displays that show an object, or the objects of a kind.
pub(super) fn showing(state: &State<BNomic>, of: &str) -> impl Iterator<Item = String> {
    let kind = of.split('/').next().unwrap_or_default();
    let shows = |thing: &String| if is_single(thing) { *thing == *of } else { slug(thing) == kind };
    let found: Vec<Keeping> = all(state).into_iter().filter(|keeping| keeping.things.iter().any(shows)).collect();
    found.into_iter().map(|keeping| keeping.display)
}

/// The kinds of things that headers name, whether or not there is one.
pub(super) fn kinds(state: &State<BNomic>) -> Vec<Id> {
    all(state).iter().flat_map(Keeping::kinds).collect()
}

/// The kinds of which a display shows all there are.
pub(super) fn kinds_on(state: &State<BNomic>, display: &str) -> Vec<Id> {
    all(state).iter().filter(|keeping| keeping.display == display).flat_map(Keeping::kinds).collect()
}

/// The one thing that is called as its kind is: the Field.
pub(super) fn namesake(state: &State<BNomic>, words: &str) -> Option<Id> {
    let kind = kinds(state).into_iter().find(|kind| folded(kind) == words)?;
    let is = |obj: &&Id| folded(&called(state, obj)).trim_start_matches("the ") == words;
    state.world.of_kind(&kind).find(is).cloned()
}

/// Such a display, however the words for it are parted; nothing where they mean none.
pub(super) fn named(state: &State<BNomic>, words: &str) -> Option<Keeping> {
    let wanted = slug(words);
    all(state).into_iter().find(|keeping| keeping.display == wanted)
}

/// A display by its name.
fn show(state: &State<BNomic>, display: &str) -> Option<Document> {
    let keeping = named(state, display)?;
    let mut document = Document::titled(keeping.display, format!("{} of B Nomic", keeping.office));
    for thing in &keeping.things {
        let single = is_single(thing).then(|| Id::from(&**thing)).filter(|obj| state.world.exists(obj));
        let objects: Vec<Id> = state.world.of_kind(&slug(thing)).cloned().chain(single).collect();
        let Some(kind) = objects.first().and_then(|first| state.world.kind(first)) else {
            document = document.para(format!("There is no {thing}."));
            continue;
        };
        // What each is called stands at the head of its row.
        let shown = |id: &str| id != stats::BODY.id && id != stats::NAME.id && id != TEXT;
        let attrs: Vec<_> = state.world.defs_for(kind).filter(|def| shown(&def.id)).collect();
        document = cells::with_table(document, state, kind, &objects, &attrs);
        // The text of a document stands below the table, where it can be read.
        for obj in &objects {
            if let Value::Text(text) = state.world.value(&Path::new(obj.clone(), TEXT))
                && !text.is_empty()
            {
                document = document.para(format!("{}:", called(state, obj)));
                document = document.with(Block::Code { lang: String::new(), text });
            }
        }
    }
    Some(document)
}

// ---- who keeps what

/// The ministry that keeps a display, by name.
pub(crate) fn kept_by(state: &State<BNomic>, display: &str) -> Option<String> {
    let head = display.split('/').next()?.to_lowercase();
    let own = KEPT.iter().find(|(_, displays)| displays.contains(&&*head)).map(|(ministry, _)| (*ministry).to_owned());
    own.or_else(|| Some(named(state, &head)?.office)).or_else(|| of_law(state, &head))
}

/// The ministry that keeps a display of a law: the one that its rule makes, else the one that keeps what the law is about,
/// else the Registrar's, who keeps Players with all that they have.
fn of_law(state: &State<BNomic>, display: &str) -> Option<String> {
    let (_, rule, declared) = laws::displays(state).find(|(name, ..)| *name == display)?;
    let made = posts::offices(state).find(|(_, maker)| maker.id() == rule).map(|(office, _)| office);
    let about = || {
        let about =
            |keeping: &Keeping| keeping.kinds().iter().any(|kind| declared.kinds.iter().any(|own| **own == **kind));
        all(state).into_iter().find(about).map(|keeping| keeping.office)
    };
    made.or_else(about).or_else(|| Some("Society".to_owned()))
}

/// Whether a display is one of those that the program knows without a rule's header.
fn is_own(display: &str) -> bool {
    KEPT.iter().any(|(_, displays)| displays.contains(&display))
}

/// The displays that each ministry keeps (B51.1).
const KEPT: [(&str, &[&str]); 5] = [
    ("Law", &["rules", "rule", "powers", "victory"]),
    ("Time", &["clock", "calendar", "intents", "intent", "schedule"]),
    ("Society", &["society", "requests", "forums"]),
    ("Change", &["proposals", "proposal", "ballot", "results", "tweaks"]),
    ("Ministry", &["ministries", "emergency", "duties", "quantities", "attributes", "registry", "eras"]),
];

/// The displays that a ministry keeps, in words; those of single things stand for themselves.
pub(crate) fn kept(state: &State<BNomic>, ministry: &str) -> String {
    let single = ["rule", "intent", "proposal"];
    let own = KEPT.iter().filter(|(name, _)| name.eq_ignore_ascii_case(ministry)).flat_map(|(_, displays)| *displays);
    let own = own.filter(|display| !single.contains(display)).map(|display| (*display).to_owned());
    let by_header = all(state).into_iter().filter(|keeping| keeping.office.eq_ignore_ascii_case(ministry));
    let keeps = |display: &String| of_law(state, display).is_some_and(|office| office.eq_ignore_ascii_case(ministry));
    let of_laws = laws::displays(state).map(|(name, ..)| name.to_owned()).filter(keeps);
    own.chain(by_header.map(|keeping| keeping.display)).chain(of_laws).collect::<Vec<_>>().join(", ")
}
