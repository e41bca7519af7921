//! Ascension (rule 16): its effects on everybody when a Dynasty begins, and the rights of its Control Unit in its first
//! days.
//!
//! A Dynasty begins in `dynasties`.

use serde::Deserialize;

use super::{
    dynasty::{self, CONTROL_UNIT, Dynasty},
    figures::{ASCENSION_DAYS, ASCENSION_POWER, EFFICIENCY_OWN, PROTECTED_FIRST, PROTECTED_LAST},
    game::{BlogNomic, D},
    holdings,
    law::{GLOSSARY, Thing, established},
    roster::{self, ADMIN_STAFF, Member, Standing},
    stats::{self, COLOURS, EFFICIENCY, HEADER, POWER, ROBOT, SEAL, TEXT_MAX_CHARS, WEBLOG},
};
use kernel::{
    Act, Display, Id, Mechanic, Path, Refusal, State,
    display::{Block, Cell, Document, cells, counted},
    entry::Audience,
    rulebook::{RuleAct, RuleOp, views},
    time::{between, days_after},
    world::Attr,
};

/// Longest Ascension Address, in characters: a page.
const ADDRESS_MAX_CHARS: usize = 4000;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let rule = Thing::Ascension.word();
    let weblog = Display::new("weblog", |state, _| Ok(show(state)));
    Mechanic::new("ascension")
        .act(
            Act::new("address", |Address { text }, d| address(&text, d))
                .by(rule)
                .player()
                .office(CONTROL_UNIT)
                .public("cu address TEXT")
                .note("Ascension"),
        )
        .act(
            Act::new("decorate", |Decorate { part, text }, d| decorate(part, &text, d))
                .by(rule)
                .player()
                .office(CONTROL_UNIT)
                .public("cu weblog header TEXT")
                .note("Ascension"),
        )
        .act(Act::plain("title", title).by(rule).player().office(ADMIN_STAFF).public("admin header").note("Ascension"))
        .act(
            Act::new("proclaim", |Proclaim { rules }, d| proclaim(&rules, d))
                .by(rule)
                .player()
                .office(CONTROL_UNIT)
                .public("cu proclaim 13 14")
                .note("Ascension"),
        )
        .display(weblog.also("blog").also("journal").listed(7))
}

kit::args! {
    /// The arguments of `address` (N113).
    Address { text: String }

    /// The arguments of `decorate` (N113).
    Decorate { part: Part, text: String }
}

/// What of the weblog is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// The header.
    Header,
    /// The colours.
    Colours,
    /// The Imperial Seal.
    Seal,
}

kit::args! {
    /// The arguments of `proclaim` (N113).
    Proclaim { rules: Vec<Id> }
}

// ---- when a Dynasty begins

/// Resets everybody, removes who slept through the Dynasty before, and awards the new Control Unit, in this order
/// (N108 to N111). Gives what there is to tell.
pub(super) fn reset(d: &mut D<'_>, cu: &Id, before: Option<&Dynasty>) -> String {
    let mut told = String::new();
    if established(&d.rules, Thing::Ascension).is_ok() {
        let robots: Vec<Id> = d.world.of_kind(ROBOT).cloned().collect();
        for robot in &robots {
            drop(holdings::retype(d, robot, ""));
            for stat in stats::columns(d) {
                let blank = d.world.def(&stat, ROBOT).map(stats::blank).unwrap_or_default();
                d.overwrite(Path::new(robot.clone(), stat), blank);
            }
        }
        told.push_str(" All figures of the GNDT are back at nothing.");
        if let Some(before) = before {
            let slept = |robot: &&Id| {
                let member = d.row::<Member>(robot);
                let sleeps = |member: &Member| member.standing == Standing::Deactivated && member.since <= before.since;
                before.asleep.contains(*robot) && member.is_some_and(sleeps)
            };
            let asleep: Vec<Id> = robots.iter().filter(slept).cloned().collect();
            for robot in asleep {
                told.push_str(&format!(" {} was Deactivated throughout and leaves the game.", d.frame.name_of(&robot)));
                roster::remove(d, &robot);
            }
        }
        if let Ok(award) = d.rules.need(&ASCENSION_POWER) {
            told.push_str(&format!(" {} gets {award} Power.", d.frame.name_of(cu)));
            d.set(&POWER, cu, award);
        }
    }
    if established(&d.rules, Thing::Dynasties).is_ok()
        && let Ok(own) = d.rules.need(&EFFICIENCY_OWN)
    {
        d.set(&EFFICIENCY, cu, own);
    }
    told
}

// ---- the first days

/// Refuses what only a new Control Unit may do, after its first days (N113).
fn first_days(d: &D<'_>) -> Result<(), Refusal> {
    let days = i64::try_from(d.rules.need_count(&ASCENSION_DAYS)?).unwrap_or(i64::MAX);
    let since = dynasty::now(d).map_or(d.at, |dynasty| dynasty.since);
    if d.at <= days_after(since, days) {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "your Dynasty began {} ago, and this is for its first {}",
        between(since, d.at),
        counted(days, "day")
    ))
    .by(Thing::Ascension.rule(&d.rules))
    .instead("dynasties"))
}

/// The new Control Unit posts its Ascension Address.
///
/// # Errors
///
/// A [`Refusal`] too late, and a second time.
fn address(text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    first_days(d)?;
    let text = text.trim();
    if text.is_empty() || text.chars().count() > ADDRESS_MAX_CHARS {
        return Err(Refusal::new(format!("an Ascension Address has 1 to {ADDRESS_MAX_CHARS} characters"))
            .instead("cu address TEXT"));
    }
    if dynasty::now(d).is_some_and(|dynasty| dynasty.address.is_some()) {
        return Err(Refusal::new("the Ascension Address of this Dynasty has been posted")
            .by(Thing::Ascension.rule(&d.rules))
            .instead("dynasties"));
    }
    dynasty::alter(d, |dynasty| dynasty.address = Some(text.to_owned()));
    let name = dynasty::now(d).map(|dynasty| dynasty.called(d)).unwrap_or_default();
    d.say(Audience::Public, Document::titled("dynasties", format!("Ascension Address: {name}")).para(text));
    Ok(Document::say("Your Address stands among the Dynasties for ever."))
}

/// The new Control Unit changes the header, the colours or the Seal.
///
/// # Errors
///
/// A [`Refusal`] too late.
fn decorate(part: Part, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    first_days(d)?;
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).trim();
    if text.is_empty() || text.chars().count() > TEXT_MAX_CHARS {
        return Err(Refusal::new(format!("that has 1 to {TEXT_MAX_CHARS} characters")).instead("cu weblog header TEXT"));
    }
    let (attr, word) = match part {
        Part::Header => (&HEADER, "header"),
        Part::Colours => (&COLOURS, "colours"),
        Part::Seal => (&SEAL, "Imperial Seal"),
    };
    d.set(attr, &WEBLOG.into(), text.to_owned());
    d.tell_all(format!("The Control Unit changes the {word} of BlogNomic: {text}"));
    Ok(Document::say("Done."))
}

/// Any Admin puts the name of the Dynasty into the header (N112).
fn title(d: &mut D<'_>) -> Result<Document, Refusal> {
    let name = dynasty::now(d).map(|dynasty| dynasty.called(d)).unwrap_or_default();
    d.set(&HEADER, &WEBLOG.into(), name.clone());
    d.tell_all(format!("The header of BlogNomic reads: {name}"));
    Ok(Document::say("Done."))
}

/// The new Control Unit repeals rules by proclamation (N113, N114). Numbers mean those before the first of them.
///
/// # Errors
///
/// A [`Refusal`] too late, and for protected rules; then none is repealed.
fn proclaim(rules: &[Id], d: &mut D<'_>) -> Result<Document, Refusal> {
    first_days(d)?;
    let by = Thing::Ascension.rule(&d.rules);
    let (first, last) = (d.rules.need_count(&PROTECTED_FIRST)?, d.rules.need_count(&PROTECTED_LAST)?);
    let before = d.rules.clone();
    for id in rules {
        let Some(rule) = d.rules.in_force(id) else {
            return Err(Refusal::new("that rule is not in force").instead("rules"));
        };
        let (number, label) = (u64::from(rule.number()), rule.label());
        if **id == *GLOSSARY || (first..=last).contains(&number) {
            return Err(Refusal::new(format!(
                "no proclamation repeals rule {number}, {label}: the rules {first} to {last} and the Glossary stay"
            ))
            .by(by)
            .instead("cu proclaim 13 14"));
        }
        let op = RuleOp::new(id.clone(), RuleAct::Repeal).because("the proclamation of the Control Unit");
        d.rules.check(&op)?;
        d.rule(op);
    }
    let mut document = Document::say("The Control Unit proclaims that these rules are repealed:");
    let blocks: Vec<Block> = views::difference(&before, &d.rules, "");
    document.blocks.extend(blocks);
    d.say(Audience::Public, document);
    Ok(Document::say(match rules.len() {
        1 => "1 rule is repealed.".to_owned(),
        count => format!("{count} rules are repealed."),
    }))
}

// ---- display

/// The weblog: its header, colours and Seal (N4), and the Ascension Addresses that its sidebar links to (N113).
fn show(state: &State<BlogNomic>) -> Document {
    let row = |word: &str, attr: &Attr<String>| {
        let text = state.world.get(attr, &WEBLOG.into()).unwrap_or_default();
        // The name of a Dynasty has its founder's, who may have been forgotten since.
        let text = state.frame.redaction_of_kept().text(&text);
        cells![word, Cell::new(text).from_path(Path::new(WEBLOG, attr.id))]
    };
    let rows =
        [("header", &HEADER), ("colours", &COLOURS), ("Imperial Seal", &SEAL)].map(|(word, attr)| row(word, attr));
    let addresses = dynasty::addresses(state).map(|(name, text)| Cell::new(format!("{name}: {text}")));
    let addresses: Vec<Cell> = addresses.collect();
    let document = Document::titled("weblog", "The BlogNomic weblog").table(["", "is"], rows.to_vec());
    if addresses.is_empty() {
        return document;
    }
    document.para("Ascension Addresses, the latest first:").with(Block::List(addresses))
}
