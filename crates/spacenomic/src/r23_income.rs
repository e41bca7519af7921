//! Income (S87, S88): once a day, the mean over all vertices that players own of a share that falls with the distance.
//!
//! It is exact for any number of players. The vertices are counted by distance, once for each place where players
//! stand, and the few shares that differ are added over one common denominator. Distances are counted along edges,
//! never by coordinates.

use std::collections::{BTreeMap, HashMap};

use dashu_int::{UBig, ops::Gcd};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    figures::{INCOME_EXPONENT, INCOME_HOUR, INCOME_NUMERATOR, INCOME_OFFSET, INCOME_WHOLE, THE_SUM},
    game::{D, Spacenomic},
    hosting,
    law::Thing,
    location,
    money::{is_long, short},
    phases, roster,
    space::{self, Space, Spot, player_owned},
    stats::{ACCOUNT, called},
};
use kernel::{
    Game, Id, Instant, Mechanic, Num, Phase, Row, State,
    display::{Document, cells},
    entry::{Audience, Due},
    mechanic::{Fate, Lapse},
    time::{days_after, seconds_after},
};

/// The key of a day's income.
const KEY: &str = "income";

/// Players whose gain an announcement lists; the others find it among the people.
const LISTED_MAX_COUNT: usize = 30;

/// Most digits of a common denominator, in bits: about four thousand vertices in a line. Beyond it, sums would take
/// minutes.
const DENOMINATOR_MAX_BITS: u64 = 2_000_000;

// ---- the mechanic

/// Income as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let income = Phase::new(phases::INCOME, next_due, |_, d| paid(d));
    Mechanic::new("income").by(Thing::Income.word()).table::<Income>().phase(income.lapse(lapse).fate(|_, _| fate()))
}

// ---- state

/// When income was given last, or passed over. That it was is the entry itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Income {
    last: Instant,
}

impl Row<Spacenomic> for Income {
    type Key = ();
    const TABLE: &'static str = "income";
}

/// A share: `numerator / (distance ^ exponent + offset)` (S88).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// What is divided.
    pub numerator: Num,
    /// What is added to the power of the distance.
    pub offset: Num,
    /// The power.
    pub exponent: u32,
    /// Whether the sum of all shares is divided by how many vertices there are.
    pub mean: bool,
}

impl Share {
    fn read(state: &State<Spacenomic>) -> Option<Self> {
        let rules = &state.rules;
        let exponent = rules.live_count(&INCOME_EXPONENT).ok().and_then(|exponent| u32::try_from(exponent).ok())?;
        Some(Self {
            numerator: rules.live(&INCOME_NUMERATOR).ok()?,
            offset: rules.live(&INCOME_OFFSET).ok()?,
            exponent,
            mean: rules.wording(&INCOME_WHOLE) != THE_SUM,
        })
    }

    fn at(&self, distance: u32) -> BigRational {
        let far = BigRational::from_integer(num_traits::pow(BigInt::from(distance), self.exponent as usize));
        let below = far + self.offset.as_rational();
        // The rules let no offset be zero or less; a room that was corrected by hand may have one.
        if below.is_zero() { BigRational::zero() } else { self.numerator.as_rational() / below }
    }
}

/// A graph whose vertices are numbered, so small that a thousand searches take a moment.
///
/// In a map most vertices look alike: each knows only its shape, which is how far on, in numbers, its neighbours are.
struct Numbered {
    index: HashMap<Spot, u32>,
    /// The shape of each vertex.
    shapes: Vec<u32>,
    /// Where each shape's row of neighbours begins; one more than there are shapes.
    starts: Vec<usize>,
    rows: Vec<i32>,
    /// [`MARKED`] where a vertex counts, and nothing elsewhere.
    marks: Vec<u8>,
}

/// A vertex that counts.
const MARKED: u8 = 1;
/// One that a search has met.
const MET: u8 = 2;

impl Numbered {
    fn of(space: &Space, marked: impl Fn(&Id) -> bool) -> Self {
        let index: HashMap<Spot, u32> = space.vertices().map(|(at, _)| at).zip(0..).collect();
        let marks = space.vertices().map(|(_, owner)| if marked(owner) { MARKED } else { 0 }).collect();
        let (mut starts, mut rows, mut shapes) = (vec![0], Vec::new(), Vec::new());
        let mut known: HashMap<Vec<i32>, u32> = HashMap::new();
        for ((at, _), number) in space.vertices().zip(0_u32..) {
            let on = |next| index.get(&next).map(|next: &u32| next.wrapping_sub(number).cast_signed());
            let row: Vec<i32> = space.neighbours(at).filter_map(on).collect();
            let shape = *known.entry(row).or_insert_with_key(|row| {
                rows.extend(row);
                starts.push(rows.len());
                u32::try_from(starts.len() - 2).unwrap_or(u32::MAX)
            });
            shapes.push(shape);
        }
        Self { index, shapes, starts, rows, marks }
    }

    /// How many of the marked vertices lie at each distance from one.
    fn counts(&self, from: u32) -> Vec<u64> {
        let mut marks = self.marks.clone();
        let (mut queue, mut begin) = (vec![from], 0);
        let mut count = u64::from(marks[from as usize]);
        marks[from as usize] |= MET;
        let mut counts = Vec::new();
        while begin < queue.len() {
            counts.push(std::mem::take(&mut count));
            let end = queue.len();
            for number in begin..end {
                let at = queue[number];
                let shape = self.shapes[at as usize] as usize;
                for on in &self.rows[self.starts[shape]..self.starts[shape + 1]] {
                    let next = at.wrapping_add_signed(*on);
                    let mark = &mut marks[next as usize];
                    if *mark & MET == 0 {
                        count += u64::from(*mark);
                        *mark |= MET;
                        queue.push(next);
                    }
                }
            }
            begin = end;
        }
        counts
    }
}

/// The greatest common divisor of two numbers that are not both zero. The one that reduces fractions takes a fifth of
/// all the time at thousands of digits.
fn divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let [a, b] = [a, b].map(|number| UBig::from_le_bytes(&number.magnitude().to_bytes_le()));
    BigInt::from_bytes_le(Sign::Plus, &a.gcd(&b).to_le_bytes())
}

/// What somebody gains at each place. It is the mean or the sum, over all marked vertices, of the share for its
/// distance. What cannot be reached gives nothing. Nothing at all where the numbers would grow beyond what the program
/// bears.
pub fn gains(
    space: &Space,
    marked: impl Fn(&Id) -> bool,
    places: impl IntoIterator<Item = Spot>,
    share: &Share,
) -> Option<BTreeMap<Spot, Num>> {
    let graph = Numbered::of(space, marked);
    let count = graph.marks.iter().filter(|mark| **mark == MARKED).count();
    let mut counted: BTreeMap<Spot, Vec<u64>> = BTreeMap::new();
    for at in places {
        if let (Some(number), false) = (graph.index.get(&at), counted.contains_key(&at)) {
            counted.insert(at, graph.counts(*number));
        }
    }
    if count == 0 {
        return Some(counted.into_keys().map(|at| (at, Num::default())).collect());
    }
    let farthest = counted.values().map(Vec::len).max().unwrap_or(0);
    let met = |distance: &u32| counted.values().any(|row| row.get(*distance as usize).is_some_and(|count| *count > 0));
    let shares: Vec<(u32, BigRational)> = (0..u32::try_from(farthest).unwrap_or(u32::MAX))
        .filter(met)
        .map(|distance| (distance, share.at(distance)))
        .collect();
    // One denominator for all: then adding is multiplying small numbers.
    let mut denominator = BigInt::one();
    for (_, share) in &shares {
        // The least common multiple. The remainder is small, and so are the numbers whose divisor is looked for.
        denominator *= share.denom() / divisor(share.denom(), &(&denominator % share.denom()));
        if denominator.bits() > DENOMINATOR_MAX_BITS {
            return None;
        }
    }
    let scaled: Vec<(u32, BigInt)> = shares
        .into_iter()
        .map(|(distance, share)| (distance, share.numer() * (&denominator / share.denom())))
        .collect();
    let below = &denominator * BigInt::from(if share.mean { count } else { 1 });
    let gain = |row: &Vec<u64>| {
        let sum: BigInt =
            scaled.iter().filter_map(|(distance, share)| Some(share * row.get(*distance as usize)?)).sum();
        let common = divisor(&sum, &below);
        Num::from(BigRational::new_raw(sum / &common, &below / common))
    };
    Some(counted.iter().map(|(at, row)| (*at, gain(row))).collect())
}

// ---- due

/// The first instant of income after another.
fn after(state: &State<Spacenomic>, at: Instant) -> Option<Instant> {
    let hour = state.rules.live(&INCOME_HOUR).ok()?.to_i64()?;
    let midnight = at.to_zoned(jiff::tz::TimeZone::UTC).start_of_day().ok()?.timestamp();
    let today = seconds_after(midnight, hour);
    Some(if today > at { today } else { days_after(today, 1) })
}

/// The next income.
pub(super) fn next_due(state: &State<Spacenomic>) -> Option<Due> {
    // Instants before these rules as they read now came to be were not theirs.
    let needed = [Thing::Income, Thing::Money, Thing::Distances, Thing::Space];
    let rules: Option<Vec<_>> =
        needed.iter().map(|thing| state.rules.establishes(thing.word()).and_then(|id| state.rules.get(id))).collect();
    Share::read(state)?;
    let since = rules?.iter().filter_map(|rule| Some(rule.revisions().last()?.at)).max()?;
    let at = after(state, state.row::<Income>(&()).map_or(since, |income| income.last.max(since)))?;
    Some(Due { at, rank: phases::INCOME, key: KEY.into() })
}

/// The income of the day, and what laws do then.
fn paid(d: &mut D<'_>) {
    due(d);
    Spacenomic::mechanics().happened(hosting::PAID, &Json::Null, d);
}

/// Everybody gains, the inactive too (S88).
fn due(d: &mut D<'_>) {
    let last = d.at;
    d.put(&(), Income { last });
    let Some(share) = Share::read(d) else { return };
    let players: Vec<(Id, Option<Spot>)> =
        roster::players(d).map(|player| (player.clone(), location::of(d, player))).collect();
    let places = players.iter().filter_map(|(_, at)| *at);
    let Some(gains) = gains(&space::of(d), |owner| player_owned(d, owner), places, &share) else {
        d.tell_all("Today's income cannot be worked out: its fractions have more digits than the bot can bear. Nobody gains anything.");
        return;
    };
    let (mut rows, mut long) = (Vec::new(), false);
    for (player, at) in players {
        let gain = at.and_then(|at| gains.get(&at)).cloned().unwrap_or_default();
        if gain.is_zero() {
            continue;
        }
        rows.push(cells![called(d, &player), location::written(at), short(&gain)]);
        long |= is_long(&gain);
        d.add(&ACCOUNT, &player, gain);
    }
    if rows.is_empty() {
        return;
    }
    let more = rows.len().saturating_sub(LISTED_MAX_COUNT);
    rows.truncate(LISTED_MAX_COUNT);
    let mut document = Document::say("Income of the day, from nowhere:").table(["", "at", "gains"], rows);
    if more > 0 {
        document = document.para(format!("{more} more gain as well; “⁅show people⁆” has all accounts."));
    }
    if long {
        let say = format!(
            "A number with “about” before it is cut: entry {} has the gains whole, “⁅show account NAME⁆” an account.",
            d.seq
        );
        document = document.para(say);
    }
    d.say(Audience::Public, document);
}

/// An income that falls into a moderator's pause does not happen.
fn lapse(due: Due, d: &mut D<'_>) {
    d.put(&(), Income { last: due.at });
}

/// Such an income in words.
fn fate() -> Lapse {
    Lapse { what: "a day's income".to_owned(), fate: Fate::Never }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: fn() -> Share = || Share { numerator: 2.into(), offset: 2.into(), exponent: 2, mean: true };

    fn spot(text: &str) -> Spot {
        text.parse().unwrap()
    }

    fn grid(side: i64) -> Space {
        let mut space = Space::default();
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            let owner = if (x * 7 + y * 3) % 4 == 0 { "god" } else { "player/ada" };
            space.set_vertex(Spot { x, y }, Some(&owner.into()));
            for back in [Spot { x: x - 1, y }, Spot { x, y: y - 1 }] {
                if space.has(back) {
                    space.set_edge(Spot { x, y }, back, true);
                }
            }
        }
        space
    }

    /// E3.
    #[test]
    fn e3_the_worked_incomes_come_out() {
        let mut space = Space::default();
        for (at, owner) in
            [("0,0", "player/ada"), ("1,0", "god"), ("2,0", "player/gone"), ("3,0", "player/bo"), ("1,1", "player/ada")]
        {
            space.set_vertex(spot(at), Some(&owner.into()));
        }
        for (a, b) in [("0,0", "1,0"), ("1,0", "2,0"), ("2,0", "3,0"), ("0,0", "1,1"), ("1,0", "1,1")] {
            space.set_edge(spot(a), spot(b), true);
        }
        let places = ["0,0", "1,0", "2,0", "3,0", "8,8"].map(spot);
        let players = |owner: &Id| matches!(&**owner, "player/ada" | "player/bo");
        let found = gains(&space, players, places, &TWO()).unwrap();
        for (at, expected) in [("0,0", "61/99"), ("1,0", "5/9"), ("2,0", "4/9"), ("3,0", "5/11")] {
            assert_eq!(found[&spot(at)], expected.parse().unwrap(), "at {at}");
        }
        assert_eq!(found.get(&spot("8,8")), None);
        let none = gains(&space, |_| false, places, &TWO()).unwrap();
        assert!(none.values().all(Num::is_zero));
    }

    /// S88: the shares for distances 0 to 7.
    #[test]
    fn s88_the_shares_by_distance() {
        let shares: Vec<String> = (0..8).map(|distance| Num::from(TWO().at(distance)).to_string()).collect();
        assert_eq!(shares, ["1", "2/3", "1/3", "2/11", "1/9", "2/27", "1/19", "2/51"]);
    }

    proptest::proptest! {
        /// S88: adding over one denominator is adding the terms one by one.
        #[test]
        fn s88_the_mean_is_the_sum_of_its_terms(side in 1_i64..6, x in 0_i64..6, y in 0_i64..6) {
            let space = grid(side);
            let at = Spot { x: x.min(side - 1), y: y.min(side - 1) };
            let found = gains(&space, |owner| **owner != *"god", [at], &TWO()).unwrap();
            let from = space.distances(at);
            let owned: Vec<Spot> = space.vertices().filter(|(_, owner)| ***owner != *"god").map(|(at, _)| at).collect();
            let mut sum = BigRational::zero();
            for spot in &owned {
                sum += TWO().at(u32::try_from(from[spot]).unwrap());
            }
            let mean = if owned.is_empty() { sum } else { sum / BigInt::from(owned.len()) };
            proptest::prop_assert_eq!(&found[&at], &Num::from(mean));
        }
    }
}
