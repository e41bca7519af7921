//! Duties of ministries (4E53), and challenges of their displays (4E50).
//!
//! Answers that need judgment are owed: the errors that a Player finds in a display are to be answered. What needs none
//! the bot does at once, in the Minister's name (BX9). A duty belongs to the ministry and survives its holder. The holders
//! stand in `ministries`.

pub(super) mod duties;

use super::{
    approvals,
    clock::hands,
    effects,
    emergency::{self, crisis},
    game::{BNomic, D},
    happenings, keeping,
    law::{Thing, established},
    ministries::{
        self,
        posts::{self, Post},
    },
    schedule,
    stats::called,
    timetable::coming::{Coming, Time},
};
use duties::{CLOCK_MINISTRY, Duty, Start, arises, deadline, posted, start, time_left};
use kernel::{
    Act, Display, Id, Mechanic, Refusal, State, Verb,
    directives::syntax::unquote,
    display::{Block, Cell, Document, cells, counted},
    rulebook::source,
    waiting::{End, Waiting, Wants},
};

/// Most errors that one challenge lists: each is a duty of its own.
const CHALLENGED_MAX_COUNT: usize = 20;

/// Most characters of an error, of a duty and of an answer.
const TEXT_MAX_CHARS: usize = 400;

/// Most midnights until something is late that are counted to an instant.
const MIDNIGHTS_MAX_COUNT: u64 = 400;

/// Most duties that are outstanding at once: more and the displays would be of nothing else.
const OWED_MAX_COUNT: usize = 200;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let challenge = Act::new("challenge", |Challenge { display, errors }, d| challenge(&display, &errors, d));
    let answer = Act::new("answer_duty", |Answer { duty, text }, d| answer(duty, &text, d));
    let remove = Act::new("remove_minister", |Remove { ministry }, d| remove(&ministry, d));
    let by = Thing::Obligations.word();
    let oblige = Verb::new(&["oblige"], |said, d| {
        let form =
            || Refusal::new("it does not say who is to do what").instead("=> oblige Society: Greet every newcomer.");
        let (ministry, rest) = said.rest.split_once(':').ok_or_else(form)?;
        let text = if rest.trim().is_empty() { said.text.unwrap_or_default() } else { rest };
        if text.trim().is_empty() {
            return Err(form());
        }
        let ministry = posts::find(d, unquote(ministry))?;
        lay(d, &ministry, text, said.setting.because).map(Some)
    });
    Mechanic::new("obligations")
        .table::<Start>()
        .table::<Duty>()
        .verb(oblige)
        .act(challenge.by(Thing::Displays.word()).by(by).player().public(CHALLENGE))
        .act(answer.by(by).player().public("answer 3 It is right: Ann voted."))
        .act(remove.by(by).player().public("ministry remove Law"))
        .display(Display::new("duties", |state, _| Ok(show(state))).listed(11))
        .settle(settle)
        .waits(waits)
}

/// How a display is challenged.
const CHALLENGE: &str = "challenge society Ann has 5 points, not 4";

kit::args! {
    /// The arguments of `challenge` (B50.3).
    Challenge { display: String, errors: String }

    /// The arguments of `answer_duty` (B50.3, B53.1).
    Answer { duty: u64, text: String }

    /// The arguments of `remove_minister` (B53.3).
    Remove { ministry: String }
}

// ---- state

/// What is outstanding, but for putting the Clock On (B14.8).
pub(super) fn outstanding(state: &State<BNomic>) -> usize {
    if established(&state.rules, Thing::Obligations).is_err() {
        return 0;
    }
    state.rows::<Duty>().len() + asked(state).len()
}

/// What laws ask of ministries (B53.1), each with the ministry.
fn asked(state: &State<BNomic>) -> Vec<(Id, laws::Owed)> {
    let of = |owed: laws::Owed| Some((posts::find(state, &owed.office).ok()?, owed));
    laws::owed(state).into_iter().filter_map(of).collect()
}

/// The first of what is outstanding, in words.
pub(super) fn named(state: &State<BNomic>) -> String {
    /// Duties that a refusal names.
    const NAMED_MAX_COUNT: usize = 3;
    let owed = &state.rows::<Duty>();
    let of = |(number, duty): (&u64, &Duty)| format!("duty {number} of {}", called(state, &duty.ministry));
    let asked = asked(state).into_iter().map(|(post, owed)| format!("“{}” of {}", owed.line, called(state, &post)));
    let mut named: Vec<String> = owed.iter().map(of).chain(asked).collect();
    let more = named.len().saturating_sub(NAMED_MAX_COUNT);
    named.truncate(NAMED_MAX_COUNT);
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    named.join(", ")
}

// ---- decide

/// The parts of a list that say something: a comment alone says nothing (4E5).
fn listed(text: &str) -> Vec<&str> {
    let seen = source::blanked(text);
    let mut from = 0;
    let mut found = Vec::new();
    for part in seen.split(['\n', ';']) {
        let to = from + part.len();
        if !part.trim().is_empty() {
            found.push(text[from..to].trim());
        }
        from = to + 1;
    }
    found
}

/// A text in one line that a display can hold.
///
/// # Errors
///
/// A [`Refusal`] where it is empty or too long.
fn one_line(text: &str) -> Result<String, Refusal> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.chars().count() > TEXT_MAX_CHARS {
        return Err(Refusal::new(format!("that takes 1 to {TEXT_MAX_CHARS} characters")).instead("show duties"));
    }
    Ok(text)
}

/// A Player challenges a display: its ministry owes an answer (B50.3).
///
/// # Errors
///
/// A [`Refusal`] where no error is listed, and where no ministry keeps such a display.
fn challenge(display: &str, errors: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    // `rule 15 wrong` is about the display `rule/15`.
    if let Some((number, errors)) = errors.trim_start().split_once(char::is_whitespace)
        && ["rule", "proposal", "intent", "results", "ballot"].contains(&&*display.trim().to_lowercase())
        && number.trim_start_matches("4E").parse::<u64>().is_ok()
    {
        let number = number.trim_start_matches("4E");
        return challenge(&format!("{}/{number}", display.trim().to_lowercase()), errors, d);
    }
    let (display, errors) = super::displays::widened(d, display, errors);
    let (me, by) = (d.actor()?, Thing::Displays.rule(&d.rules));
    let errors: Vec<String> = listed(errors).into_iter().map(one_line).collect::<Result<_, _>>()?;
    if errors.is_empty() || errors.len() > CHALLENGED_MAX_COUNT {
        return Err(Refusal::new(format!(
            "a challenge lists from 1 to {CHALLENGED_MAX_COUNT} errors, each ended by “;”"
        ))
        .by(by)
        .instead(CHALLENGE));
    }
    let office = keeping::kept_by(d, display.trim()).filter(|_| approvals::can_be_seen(d, &display));
    let office = office.ok_or_else(|| {
        Refusal::new(format!("no ministry keeps a display “{}”", display.trim())).by(by.clone()).instead("show")
    })?;
    let ministry = posts::find(d, &office)?;
    if d.rows::<Duty>().len() + errors.len() > OWED_MAX_COUNT {
        return Err(Refusal::new(format!("{OWED_MAX_COUNT} duties are outstanding, as many as the bot keeps")));
    }
    let until = if posts::minister(d, &ministry).is_some() { Some(deadline(d)?) } else { None };
    let (name, post) = (called(d, &me), called(d, &ministry));
    let mut cells = Vec::new();
    for error in errors {
        let text = format!("answer for the display “{}”: {error}", display.trim());
        let (ministry, by) = (ministry.clone(), me.clone());
        let number = arises(d, Duty { ministry, text, by, until, before: None });
        cells.push(Cell::new(format!("{error} (duty {number})")));
    }
    let each = if cells.len() == 1 { "an answer" } else { "an answer to each" };
    let document =
        Document::say(format!("{name} challenges the display “{}”, and {post} owes {each}:", display.trim()))
            .with(Block::List(cells));
    d.say(kernel::entry::Audience::Public, document);
    Ok(Document::say("The challenge stands."))
}

/// Lays a duty on a ministry by what passed (B53.1); says by when it is to be done.
///
/// # Errors
///
/// A [`Refusal`] where the rule on duties is gone, and beyond the bound.
fn lay(d: &mut D<'_>, ministry: &Id, text: &str, because: &str) -> Result<String, Refusal> {
    established(&d.rules, Thing::Obligations)?;
    if d.rows::<Duty>().len() >= OWED_MAX_COUNT {
        return Err(Refusal::new(format!("{OWED_MAX_COUNT} duties are outstanding, as many as the bot keeps")));
    }
    let until = if posts::minister(d, ministry).is_some() { Some(deadline(d)?) } else { None };
    let text = one_line(&text.split_whitespace().collect::<Vec<_>>().join(" "))?;
    let (ministry, by) = (ministry.clone(), Id::from(because));
    let number = arises(d, Duty { ministry, text, by, until, before: None });
    Ok(format!("that is duty {number}"))
}

/// A Minister does a duty: the errors are corrected, or it is said why they are none (B50.3).
///
/// # Errors
///
/// A [`Refusal`] for others, and where nothing of that number is owed.
fn answer(number: u64, text: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let duty = need(d, number)?;
    if posts::minister(d, &duty.ministry).as_ref() != Some(&me) {
        return Err(Refusal::new(format!("that is owed by {}", called(d, &duty.ministry)))
            .by(Thing::Obligations.rule(&d.rules))
            .instead("show duties"));
    }
    let begins = text.trim_start_matches([',', '&', ' ']);
    let begins = begins.strip_prefix("and ").unwrap_or(begins).split_whitespace().next().unwrap_or_default();
    let other = begins.trim_matches(['#', ',', ':']).parse::<u64>().ok();
    if let Some(other) = other.filter(|other| d.rows::<Duty>().contains_key(other)) {
        return Err(Refusal::new(format!(
            "an answer does one duty, and this one begins with the number of another, {other}"
        ))
        .by(Thing::Obligations.rule(&d.rules))
        .instead(format!("answer {number} It is right.")));
    }
    let text = one_line(text)?;
    d.delete::<Duty>(&number);
    let name = called(d, &me);
    d.tell_all(format!("{name} answers duty {number}: {text}"));
    Ok(Document::say("Answered."))
}

fn need(state: &State<BNomic>, number: u64) -> Result<Duty, Refusal> {
    state
        .rows::<Duty>()
        .get(&number)
        .cloned()
        .ok_or_else(|| Refusal::new(format!("nothing of number {number} is owed")).instead("show duties"))
}

/// A Player removes a Minister who failed a duty (B53.3).
///
/// # Errors
///
/// A [`Refusal`] while no duty of the ministry is late.
fn remove(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let ministry = whose(words, d)?;
    let now = hands::rdays(d);
    let late = |duty: &Duty| duty.ministry == ministry && duty.until.is_some_and(|until| now >= until);
    let clock_late = posted(d, &ministry) && start(d).is_some_and(|until| now >= until);
    let law_late = asked(d).iter().any(|(post, owed)| *post == ministry && owed.late);
    if !d.rows::<Duty>().values().any(late) && !clock_late && !law_late {
        return Err(Refusal::new(format!("no duty of {} is late", called(d, &ministry)))
            .by(Thing::Obligations.rule(&d.rules))
            .instead("show duties"));
    }
    let (mine, post) = (called(d, &me), called(d, &ministry));
    d.tell_all(format!("{mine} removes the Minister of {post}, who failed a duty; it is Vacant."));
    ministries::release(d, &ministry);
    Ok(Document::say("Done."))
}

/// The ministry of which somebody is removed: `Law`, `the Minister of Law`, `Cat from the Ministry of Law`.
fn whose(words: &str, d: &D<'_>) -> Result<Id, Refusal> {
    let found = posts::find(d, words);
    let Some((name, of)) = words.split_once(" from ").filter(|_| found.is_err()) else { return found };
    let ministry = posts::find(d, of)?;
    let name = name.trim().trim_matches('"');
    let holder = posts::minister(d, &ministry).map(|holder| called(d, &holder));
    if holder.as_ref().is_some_and(|holder| holder.to_lowercase() == name.to_lowercase()) {
        return Ok(ministry);
    }
    let post = called(d, &ministry);
    let is = holder.map_or_else(|| format!("{post} is Vacant"), |holder| format!("the Minister of {post} is {holder}"));
    Err(Refusal::new(format!("{is}, and not {name}")).by(Thing::Obligations.rule(&d.rules)).instead("show ministries"))
}

// ---- due

/// A midnight passed: who is nearly late is told so, and everybody who is late.
pub(super) fn midnight(d: &mut D<'_>) {
    if established(&d.rules, Thing::Obligations).is_err() {
        return;
    }
    let now = hands::rdays(d);
    let (mut late, mut owed) = (Vec::new(), Vec::new());
    for (number, duty) in d.rows::<Duty>().clone().iter() {
        let Some(until) = duty.until else { continue };
        let post = called(d, &duty.ministry);
        if until == now {
            late.push(Cell::new(format!("duty {number} of {post}: {}", duty.text)));
            owed.push((duty.ministry.clone(), duty.text.clone()));
        } else if until == now + 1
            && let Some(minister) = posts::minister(d, &duty.ministry)
        {
            let say = format!(
                "Duty {number} of {post} is late after the next midnight: {}.",
                duty.text.trim_end_matches('.')
            );
            d.tell(&minister, Document::say(say));
        }
    }
    if start(d) == Some(now) {
        late.push(Cell::new("putting the Clock On, of the Minister of Ministry"));
        owed.push((Post::Ministry.id(), "putting the Clock On".to_owned()));
    }
    if !late.is_empty() {
        let say = "Late from now on, so that any Player can remove the Minister (⁅ministry remove NAME⁆):";
        d.say(kernel::entry::Audience::Public, Document::say(say).with(Block::List(late)));
    }
    for (ministry, text) in owed {
        if let Some(minister) = posts::minister(d, &ministry) {
            happenings::late(d, &minister, &ministry, &text);
        }
    }
}

// ---- settle

/// While the Clock is Off, no ministry is Vacant and nothing else is owed, the Minister of Ministry must put it On.
/// Each time that this comes to hold anew, a new time begins (B14.8, B14.9). What is due at this very instant comes
/// first.
fn settle(d: &mut D<'_>) -> bool {
    if schedule::is_ripe(d) {
        return false;
    }
    let things = [Thing::Clock, Thing::Obligations, Thing::Ministries];
    let ruled =
        things.into_iter().all(|thing| established(&d.rules, thing).is_ok()) && posts::find(d, CLOCK_MINISTRY).is_ok();
    let must = ruled && !hands::is_on(d) && outstanding(d) == 0 && posts::vacant(d).is_empty();
    match (must, start(d)) {
        // While game time stands still nobody can (B0.19).
        (true, None) if !crisis::lasts(d) => {
            let Ok(until) = deadline(d) else { return false };
            d.put(&(), Start { until });
            let left = until.saturating_sub(hands::rdays(d));
            d.tell_all(format!(
                "No ministry is Vacant and nothing else is owed: the Minister of Ministry must put the Clock On within {}.",
                counted(left, "rday")
            ));
            true
        }
        (false, Some(_)) => {
            d.delete::<Start>(&());
            true
        }
        _ => false,
    }
}

/// What Ministers owe, each until it is late.
fn waits(state: &State<BNomic>) -> Vec<Waiting> {
    if established(&state.rules, Thing::Obligations).is_err() {
        return Vec::new();
    }
    let late = |until: Option<u64>| {
        let left = until?.checked_sub(hands::rdays(state)).filter(|left| (1..=MIDNIGHTS_MAX_COUNT).contains(left))?;
        (1..left).try_fold(hands::next_midnight_of(state)?, |at, _| Some(hands::midnight_after(at)))
    };
    let wait = |ministry: Id, label: String, line: String, until: Option<u64>| Waiting {
        display: "duties".to_owned(),
        label,
        line,
        until: late(until).map_or(End::Unknown, End::At),
        of: posts::minister(state, &ministry).into_iter().collect(),
        wants: Wants::Turn,
        cast: Vec::new(),
    };
    let clock = start(state).zip(posts::find(state, CLOCK_MINISTRY).ok());
    let clock = clock
        .map(|(until, post)| wait(post, "the Clock is to be put On".to_owned(), "clock on".to_owned(), Some(until)));
    let duties = state.rows::<Duty>().iter().map(|(number, duty)| {
        let label = format!("duty {number}, {}", duty.text);
        let mut waits = wait(duty.ministry.clone(), label, "show duties".to_owned(), duty.until);
        waits.display = format!("duties/{number}");
        waits
    });
    clock.into_iter().chain(duties).collect()
}

// ---- display

/// When duties are late.
pub(super) fn coming(state: &State<BNomic>) -> Vec<Coming> {
    if established(&state.rules, Thing::Obligations).is_err() {
        return Vec::new();
    }
    let of = |(number, duty): (&u64, &Duty)| {
        let left = duty.until?.checked_sub(hands::rdays(state)).filter(|left| *left > 0)?;
        let what = format!("duty {number} of {} is late", called(state, &duty.ministry));
        Some(Coming::new(Time::Midnight(left), what))
    };
    let left = start(state).and_then(|until| until.checked_sub(hands::rdays(state)));
    let start = left
        .filter(|left| *left > 0)
        .map(|left| Coming::new(Time::Midnight(left), "the Minister of Ministry is late with putting the Clock On"));
    start.into_iter().chain(state.rows::<Duty>().iter().filter_map(of)).collect()
}

/// What is owed, by whom, and how long there is.
fn show(state: &State<BNomic>) -> Document {
    let left = |until: Option<u64>| time_left(state, until);
    let row = |(number, duty): (&u64, &Duty)| {
        cells![
            Cell::named(number.to_string()),
            called(state, &duty.ministry),
            duty.text.clone(),
            called(state, &duty.by),
            left(duty.until),
        ]
    };
    let start = start(state).map(|until| {
        let post = posts::find(state, CLOCK_MINISTRY).map(|post| called(state, &post)).unwrap_or_default();
        let (what, by) = ("put the Clock On".to_owned(), Thing::Clock.rule(&state.rules));
        [String::new(), post, what, by, left(Some(until))].map(Cell::new).to_vec()
    });
    let by_law = |(post, owed): (Id, laws::Owed)| {
        let by = state.rules.get(&owed.rule).map(kernel::rulebook::Rule::label).unwrap_or_default();
        [String::new(), called(state, &post), owed.line, by, owed.left].map(Cell::new).to_vec()
    };
    let duties = state.rows::<Duty>().iter().map(row);
    let rows: Vec<_> = start.into_iter().chain(duties).chain(asked(state).into_iter().map(by_law)).collect();
    let mut document = Document::titled("duties", "What ministries of B Nomic owe");
    for left in [effects::left_by_hand(state), emergency::left_by_hand(state)].into_iter().flatten() {
        document = document.para(left);
    }
    if crisis::lasts(state) && !rows.is_empty() {
        document = document.para("Game time stands still in a State of Emergency: no rday passes.");
    }
    if established(&state.rules, Thing::Obligations).is_err() && !rows.is_empty() {
        document =
            document.para("No rule in force obliges a Minister: nothing of this holds up the Clock or can be late.");
    }
    document.table_or("Nothing is outstanding.", ["", "owed by", "", "asked by", "time left"], rows)
}
