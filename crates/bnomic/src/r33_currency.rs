//! Points and currency (4E17, 4E33): giving and exchanging.
//!
//! A gift or an exchange happens whole or not at all. Where one of the two values cannot hold its new amount, neither
//! moves (B33.2, B33.3). Mackerel is meant where no other currency is named; others come by proposals (`registry`).
//! Each mechanic that gives points does so itself.

use num_rational::BigRational;

use super::{
    figures::{MACKEREL_RATE, MACKEREL_START},
    game::{BNomic, D},
    law::{PREFIX, Thing, established},
    quantities, registry,
    society::players,
    stats::{self, MACKEREL, PLAYER, SCORE, called},
};
use kernel::{
    Act, Id, Mechanic, Num, Path, Refusal, State, Value,
    directives::wording::folded,
    display::Document,
    world::{Op, Range},
};

/// Most owners beside Players that can be named where a Player is: a name is looked for among all of them.
const NAMED_MAX_COUNT: usize = 1000;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    let give = Act::new("give_mackerel", |Give { amount, to }, d| give(&amount, &to, d));
    let exchange = Act::new("exchange", |Exchange { amount }, d| exchange(&amount, d));
    Mechanic::new("currency")
        .act(give.player().public("mackerel give NAME m5"))
        .act(exchange.by(Thing::Points.word()).player().public("mackerel exchange 3"))
}

kit::args! {
    /// The arguments of `give_mackerel` (B33.2).
    Give { amount: String, to: Id }

    /// The arguments of `exchange` (B33.3).
    Exchange { amount: String }
}

// ---- currencies

/// Gives whatever owns currency from now on the mackerel that one has at first (B11.2, B34.1).
pub(super) fn endow(d: &mut D<'_>, owner: &Id) {
    if established(&d.rules, Thing::Currency).is_ok()
        && let Ok(start) = d.rules.need(&MACKEREL_START)
    {
        d.set(&MACKEREL, owner, start);
    }
}

/// A currency: the attribute that says how much of it somebody has.
struct Currency {
    attr: Id,
    /// What it is called; nothing where it is mackerel.
    name: Option<String>,
}

impl Currency {
    fn mackerel() -> Self {
        Self { attr: MACKEREL.id.into(), name: None }
    }

    /// An amount of it, as it is written (B34.1).
    fn shown(&self, amount: &Num) -> String {
        match &self.name {
            None => format!("m{amount}"),
            Some(name) => format!("{amount} {name}"),
        }
    }

    /// The line by which so many points are exchanged for it (B33.3).
    fn exchanging(&self, points: &Num) -> String {
        let name = self.name.as_ref().map(|name| format!(" for {name}"));
        format!("mackerel exchange {points}{}", name.unwrap_or_default())
    }

    fn held(&self, state: &State<BNomic>, by: &Id) -> Num {
        match state.world.value(&Path::new(by.clone(), self.attr.clone())) {
            Value::Num(held) => held,
            _ => Num::default(),
        }
    }

    /// How much of it comes for a point.
    fn rate(&self, d: &D<'_>) -> Result<Num, Refusal> {
        match &self.name {
            None => d.rules.need(&MACKEREL_RATE),
            Some(name) => registry::rate(d, &self.attr).ok_or_else(|| {
                Refusal::new(format!("no rule gives {name} a rate of exchange"))
                    .by(Thing::Currencies.rule(&d.rules))
                    .instead("mackerel exchange 3")
            }),
        }
    }

    /// Whether it comes in whole amounts only.
    fn is_whole(&self, state: &State<BNomic>) -> bool {
        matches!(state.world.def(&self.attr, PLAYER).map(|def| &def.range), Some(Range::Num { whole: true, .. }))
    }

    /// Moves an amount of it; refuses where the value could not be held.
    fn moves(&self, d: &mut D<'_>, of: &Id, by: Num) -> Result<(), Refusal> {
        let at = Path::new(of.clone(), self.attr.clone());
        let to = Value::Num(&self.held(d, of) + &by);
        if !d.world.def(&self.attr, PLAYER).is_some_and(|def| def.range.holds(&to)) {
            return Err(Refusal::new(format!("{} cannot have {to} of it; nothing moves", called(d, of)))
                .by(Thing::Currencies.rule(&d.rules))
                .instead("show society"));
        }
        if !by.is_zero() {
            d.op(Op::Add { at, by });
        }
        Ok(())
    }
}

/// Refuses where no rule has anything on a currency.
fn stands(d: &D<'_>, currency: &Currency) -> Result<(), Refusal> {
    established(&d.rules, Thing::Currencies)?;
    if currency.name.is_none() { established(&d.rules, Thing::Currency) } else { Ok(()) }
}

/// A Player gives currency to another (B33.2).
///
/// # Errors
///
/// A [`Refusal`] for oneself, and for an amount that the purse does not hold.
fn give(amount: &str, to: &Id, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let (currency, amount) = purse(d, amount)?;
    stands(d, &currency)?;
    let to = owner(d, to, &me)?;
    let held = currency.held(d, &me);
    let parted = currency.is_whole(d) && !amount.is_whole();
    if held.is_zero() || amount.is_negative() || parted || amount > held {
        let whole = if currency.is_whole(d) { "a whole amount" } else { "an amount" };
        if held.is_zero() {
            let say = format!("you have {}, and who has none gives none, not even that", currency.shown(&held));
            return Err(Refusal::new(say).by(Thing::Currencies.rule(&d.rules)).instead("show society"));
        }
        return Err(Refusal::new(format!(
            "you give {whole} from 0 to what you have, which is {}",
            currency.shown(&held)
        ))
        .by(Thing::Currencies.rule(&d.rules))
        .instead("show society"));
    }
    currency.moves(d, &me, -&amount)?;
    currency.moves(d, &to, amount.clone())?;
    let (mine, theirs) = (called(d, &me), called(d, &to));
    d.tell_all(format!("{mine} gives {} to {theirs}.", currency.shown(&amount)));
    Ok(Document::say("Done."))
}

/// Whom currency is given to: another Player, or what else the rules let own it (B33.1).
fn owner(d: &D<'_>, to: &Id, me: &Id) -> Result<Id, Refusal> {
    let owns = d.world.kind(to).is_some_and(|kind| registry::owners(d).contains(kind));
    if owns && to != me { Ok(to.clone()) } else { players::other(d, to, Some(me)) }
}

/// What can be given currency beside Players, and what each is called.
pub(super) fn owners(state: &State<BNomic>) -> Vec<(Id, Vec<String>)> {
    let kinds = registry::owners(state);
    let others = kinds.iter().filter(|kind| ***kind != *PLAYER).flat_map(|kind| state.world.of_kind(kind));
    let names = |obj: &Id| {
        let name = called(state, obj);
        let rule =
            stats::of(state, obj).map(|rule| [format!("{PREFIX}{}", rule.number()), format!("rule {}", rule.number())]);
        let bare = name.strip_prefix("the ").map(str::to_owned);
        let ministry = name.strip_prefix("the Ministry of ").map(str::to_owned);
        [name].into_iter().chain(bare).chain(ministry).chain(rule.into_iter().flatten()).collect()
    };
    others.take(NAMED_MAX_COUNT).map(|obj| (obj.clone(), names(obj))).collect()
}

/// A Player exchanges points for currency: `3`, `3 for doubloons` (B33.3).
///
/// # Errors
///
/// A [`Refusal`] for an amount beyond the score, and where the result would be no whole number.
fn exchange(words: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = d.actor()?;
    let mut said = None;
    let (points, currency) = match words.rsplit_once(" for ") {
        // “3 points for m15” says what comes of it, too.
        Some((points, gain)) => match purse(d, gain).ok().filter(|_| named(d, gain).is_err()) {
            Some((currency, gain)) => {
                said = Some(gain);
                (points, currency)
            }
            None => (points, named(d, gain)?),
        },
        None => (words, Currency::mackerel()),
    };
    stands(d, &currency)?;
    let points = quantities::points(d, points)?;
    let (held, rate) = (d.world.get(&SCORE, &me).unwrap_or_default(), currency.rate(d)?);
    let by = Thing::Currencies.rule(&d.rules);
    if !points.is_whole() || points.is_negative() || points > held {
        return Err(Refusal::new(format!(
            "you exchange a whole number of points from 0 to your score, which is {held}"
        ))
        .by(by)
        .instead("show society"));
    }
    let gained = Num::from(BigRational::clone(points.as_rational()) * rate.as_rational());
    if currency.is_whole(d) && !gained.is_whole() {
        return Err(Refusal::new(format!(
            "{points} points are {} at a rate of {rate}, which no purse holds; nothing is exchanged",
            currency.shown(&gained)
        ))
        .by(by)
        .instead(currency.exchanging(&Num::from(2))));
    }
    if let Some(said) = said.filter(|said| *said != gained) {
        let (said, gained) = (currency.shown(&said), currency.shown(&gained));
        return Err(Refusal::new(format!(
            "{points} points are {gained} at a rate of {rate}, not {said}: nothing is exchanged"
        ))
        .by(by)
        .instead(currency.exchanging(&points)));
    }
    currency.moves(d, &me, gained.clone())?;
    d.add(&SCORE, &me, -&points);
    let mine = called(d, &me);
    let noun = if points == Num::from(1) { "point" } else { "points" };
    d.tell_all(format!("{mine} exchanges {points} {noun} for {}.", currency.shown(&gained)));
    Ok(Document::say(format!("You gain {}.", currency.shown(&gained))))
}

/// The currency that a word names, singular or plural.
fn named(d: &D<'_>, word: &str) -> Result<Currency, Refusal> {
    let wanted = folded(word);
    if ["mackerel", "mackerels", "mack", "macks", "m"].contains(&&*wanted) {
        return Ok(Currency::mackerel());
    }
    let is = |name: &str| folded(name) == wanted || format!("{}s", folded(name)) == wanted;
    let found = registry::currencies(d).into_iter().find(|(name, _)| is(name));
    found.map(|(name, attr)| Currency { attr, name: Some(name) }).ok_or_else(|| {
        Refusal::new(format!("no currency is called “{}”", word.trim()))
            .by(Thing::Currencies.rule(&d.rules))
            .instead("show registry")
    })
}

/// An amount of a currency as people write it: `5 doubloons`; `m50`, `50m`, `50 macks`, a bare number, a quantity with
/// a name (B34.1).
fn purse(d: &D<'_>, words: &str) -> Result<(Currency, Num), Refusal> {
    let lower = words.trim().to_lowercase();
    for (name, attr) in registry::currencies(d) {
        let name_folded = name.to_lowercase();
        let bare = lower.strip_suffix(&format!("{name_folded}s")).or_else(|| lower.strip_suffix(&name_folded));
        // A word of its own: “5 mack” is not “5 mac” of a currency called k.
        if let Some(bare) =
            bare.filter(|bare| bare.ends_with(|char: char| char.is_whitespace() || char.is_ascii_digit()))
        {
            return Ok((Currency { attr, name: Some(name) }, quantities::amount(d, quantities::without_of(bare))?));
        }
    }
    if lower.ends_with(" points") || lower.ends_with(" point") {
        return Err(Refusal::new("points are no currency, and nobody gives them; mackerel is given")
            .by(Thing::Currencies.rule(&d.rules))
            .instead("mackerel give NAME m5"));
    }
    let bare = ["mackerels", "mackerel", "macks", "mack"].iter().find_map(|unit| lower.strip_suffix(unit));
    let bare = quantities::without_of(bare.unwrap_or(&lower));
    let digits = |text: &str| text.starts_with(|char: char| char.is_ascii_digit() || char == '-');
    let bare = bare.strip_prefix('m').map(str::trim).filter(|rest| digits(rest)).unwrap_or(bare);
    let bare = bare.strip_suffix('m').map(str::trim).filter(|rest| digits(rest)).unwrap_or(bare);
    Ok((Currency::mackerel(), quantities::amount(d, bare)?))
}
