//! B Nomic (seed 002): a Clock of nweeks and ndays, ministries, proposals with conflicts and dependencies.
//!
//! One file a rule or mechanic, each with its decisions and displays; things that rules can name stand in the world
//! (`stats`). Questions that others ask of a mechanic stand in a file below it, such as `ministries::posts`, with the
//! rows. No file here names this one: the types that all need stand in `game`. `docs/coverage/bnomic.md` lists clause
//! by clause what there is and what is missing.

mod corrected;
mod displays;
#[cfg(test)]
mod duties_tests;
mod effects;
mod expression_names;
pub mod figures;
mod game;
mod happenings;
mod hosting;
pub mod law;
#[cfg(test)]
mod laws_tests;
mod phases;
mod posted;
mod r00_emergency;
mod r00_emergency_rounds;
mod r04_society;
mod r06_fora;
mod r07_moments;
mod r07_schedule;
mod r11_registry;
mod r12_transactions;
mod r14_clock;
mod r14_midnight;
mod r14_timetable;
mod r15_passing;
mod r15_proposals;
pub mod r15_tally;
mod r15_voting;
mod r16_victory;
mod r19_scoring;
mod r21_dependent_acts;
mod r28_activity;
mod r30_quantities;
mod r31_calendar;
mod r33_currency;
mod r45_ministries;
mod r48_usurping;
mod r50_approvals;
mod r51_ministry_displays;
mod r53_obligations;
mod r75_precedence;
mod r77_tweaks;
mod rule_objects;
mod settled;
mod stats;
#[cfg(test)]
mod terms_tests;
mod warnings;

// The files of rules carry their numbers; the code calls them by their names.
use r00_emergency as emergency;
use r00_emergency_rounds as rounds;
use r04_society as society;
use r06_fora as fora;
use r07_moments as moments;
use r07_schedule as schedule;
use r11_registry as registry;
use r12_transactions as transactions;
use r14_clock as clock;
use r14_midnight as midnight;
use r14_timetable as timetable;
use r15_passing as passing;
use r15_proposals as proposals;
pub use r15_tally as tally;
use r15_voting as voting;
use r16_victory as victory;
use r19_scoring as scoring;
use r21_dependent_acts as intents;
use r28_activity as activity;
use r30_quantities as quantities;
use r31_calendar as calendar;
use r33_currency as currency;
use r45_ministries as ministries;
use r48_usurping as usurping;
use r50_approvals as approvals;
use r51_ministry_displays as keeping;
use r53_obligations as obligations;
use r75_precedence as precedence;
use r77_tweaks as tweaks;

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

pub use game::BNomic;

use clock::hands;
use emergency::crisis;
use game::{D, public};
use kernel::{
    Game, Id, Mechanics, Needs, Num, Occasion, Outcome, Path, Refusal, State, Value,
    directives::Names,
    display::{Block, Document},
    engine::{Engine, Table},
    rulebook::{LiveKey, Rule},
    speech::Speech,
    world::{Op, Range},
};
use society::players;

/// The opening option that names who holds the game's office: only whoever opens the room can.
const OFFICER: &str = "officer";

/// The opening option that says in which nweek the room begins (B14.1).
const NWEEK: &str = "nweek";
/// The one that says which number the first proposal gets (B15.8).
const FIRST_PROPOSAL: &str = "first-proposal";
/// The one that names the first Players, with commas between them (B4.11).
const FOUNDERS: &str = "founders";
/// The one that says how many Socks of each color The Company has at first, which no rule says (B68.1).
const SOCKS: &str = "socks";
/// Most of them: a drawer that a table can show.
const SOCKS_MAX_COUNT: i64 = 50;
/// The one that names rules which it begins with beside its own.
const WITH: &str = "with";
/// Greatest nweek and number that a room begins with: centuries of play before it.
const OPENING_MAX_COUNT: i64 = 1_000_000;

/// Where displays of laws stand in the list of displays.
const LAWS_PLACE: u8 = 200;

/// A room of this game in its unopened state. What is generic over games is compiled here, once.
pub fn table() -> Box<dyn Table> {
    Box::new(Engine::<BNomic>::default())
}

impl Game for BNomic {
    const NAME: &'static str = "bnomic";

    fn keys() -> &'static [LiveKey] {
        figures::FIGURES
    }

    fn mechanics() -> &'static Mechanics<Self> {
        static ALL: LazyLock<Mechanics<BNomic>> = LazyLock::new(|| {
            Mechanics::new(vec![
                proposals::mechanic(),
                approvals::mechanic(),
                clock::mechanic(),
                rule_objects::mechanic(),
                registry::mechanic(),
                ministries::mechanic(),
                usurping::mechanic(),
                society::mechanic(),
                activity::mechanic(),
                intents::mechanic(),
                schedule::mechanic(),
                emergency::mechanic(),
                victory::mechanic(),
                obligations::mechanic(),
                voting::mechanic(),
                passing::mechanic(),
                effects::mechanic(),
                tweaks::mechanic(),
                currency::mechanic(),
                quantities::mechanic(),
                calendar::mechanic(),
                timetable::mechanic(),
                transactions::mechanic(),
                precedence::mechanic(),
                keeping::mechanic(),
                fora::mechanic(),
                corrected::mechanic(),
                posted::mechanic(),
                laws::mechanic(phases::LAWS, LAWS_PLACE),
            ])
        });
        &ALL
    }

    fn open(options: &Map<String, Json>, d: &mut D<'_>) -> Outcome {
        let opener = d.doer.name.clone();
        let known = |key: &str, value: &Json| {
            let own = key == OFFICER && value.as_str().is_some_and(|name| name.eq_ignore_ascii_case(&opener));
            own || value.is_null() || [NWEEK, FIRST_PROPOSAL, FOUNDERS, SOCKS, WITH].contains(&key)
        };
        let number = |key: &str| match options.get(key).filter(|value| !value.is_null()) {
            None => Ok(None),
            Some(value) => match value.as_i64().filter(|number| (1..=OPENING_MAX_COUNT).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(Refusal::new(format!("“{key}” is a whole number from 1 to {OPENING_MAX_COUNT}"))),
            },
        };
        let (nweek, first, socks) = (number(NWEEK)?, number(FIRST_PROPOSAL)?, number(SOCKS)?);
        if socks.is_some_and(|socks| socks > SOCKS_MAX_COUNT) {
            return Err(Refusal::new(format!("The Company begins with at most {SOCKS_MAX_COUNT} Socks of each color")));
        }
        if let Some((other, _)) = options.iter().find(|(key, value)| !known(key, value)) {
            return Err(Refusal::new(format!(
                "B Nomic has no option “{other}” of that kind: whoever opens the room is its first Player, and every ministry is Vacant"
            )));
        }
        stats::define(d);
        registry::define(d);
        victory::define(d);
        for op in law::opening()? {
            d.rule(op);
        }
        rule_objects::keep(d);
        clock::open(d, nweek);
        ministries::settle(d);
        let opener = society::open(d)?;
        if let Some(first) = first {
            proposals::first(d, first);
        }
        if let Some(founders) = options.get(FOUNDERS).and_then(Json::as_str) {
            society::found(founders, d)?;
        }
        let with = options.get(WITH).and_then(Json::as_str).unwrap_or_default();
        for name in with.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            effects::carried_out::carry_out(d, &format!("=> adopt {name}"), &format!("the room opens with {name}"))?;
        }
        laws::declare(d);
        furnish(d, socks.unwrap_or_default())?;
        let name = stats::called(d, &opener);
        let founders = society::founders(d);
        let founders = if founders.is_empty() {
            String::new()
        } else {
            format!(" Founders are Players as soon as they join under their names: {}.", founders.join(", "))
        };
        d.tell_all(format!(
            "B Nomic is open here, in nweek {}, with the Clock Off. {name} is its first Player.{founders} Whoever wants to be one types “⁅join NAME⁆”; “⁅help⁆” tells the rest.",
            hands::now(d).nweek
        ));
        Ok(Document::say(format!(
            "The rules are in place and every ministry is Vacant; {name} is the first Player. Founders whom you named are Players as soon as they “⁅join NAME⁆”; make Players of others who ask first with “⁅correct player/NAME.standing player because ...⁆”."
        )))
    }

    fn offices(state: &State<Self>) -> Vec<(String, Vec<Id>)> {
        let all = state.world.of_kind(stats::MINISTRY);
        all.map(|post| {
            (ministries::posts::office(state, post), ministries::posts::minister(state, post).into_iter().collect())
        })
        .collect()
    }

    fn guard(needs: &Needs, d: &D<'_>) -> Result<(), Refusal> {
        needs.rules.iter().try_for_each(|rule| law::allows(&d.rules, rule))?;
        if needs.player {
            players::player(d)?;
        }
        needs.line.map_or(Ok(()), |line| public(d, line))
    }

    fn within<T>(on: Occasion<'_, Self>, d: &mut D<'_>, does: impl FnOnce(&mut D<'_>) -> T) -> T {
        match on {
            Occasion::Act(act, _) => {
                let meanwhile = act.note != emergency::NOTE && crisis::lasts(d);
                // Of an act that is refused nothing stays, nor of what is noted of it.
                let done = does(d);
                if meanwhile {
                    d.put(&(), emergency::Meanwhile { entry: d.seq });
                }
                if let Some(me) = d.actor_seat().filter(|_| act.note != schedule::NOTE) {
                    activity::done::acted(d, &me);
                }
                approvals::announced(act.name, d);
                done
            }
            Occasion::Due(_) | Occasion::Settle(_) => does(d),
        }
    }
}

/// Gives The Company its first Socks: so many of each color that the law of the rule on Socks knows.
///
/// # Errors
///
/// A [`Refusal`] where no rule has Socks with colors.
fn furnish(d: &mut D<'_>, of_each: i64) -> Result<(), Refusal> {
    const SOCK: &str = "sock";
    const COLOR: &str = "color";
    if of_each == 0 {
        return Ok(());
    }
    let colors = match d.world.def(COLOR, SOCK).map(|def| def.range.clone()) {
        Some(Range::OneOf(colors)) => colors,
        _ => return Err(Refusal::new("no rule has Socks with colors, so that none can be there at first")),
    };
    for color in colors.iter().flat_map(|color| (0..of_each).map(move |_| color)) {
        let sock: Id = format!("{SOCK}/{}", d.number(SOCK)).into();
        d.op(Op::Create { obj: sock.clone(), kind: SOCK.into() });
        d.overwrite(Path::new(sock, COLOR), Value::Text(color.clone()));
    }
    let count = usize::try_from(of_each).unwrap_or_default() * colors.len();
    d.tell_all(format!("The Company begins with {count} Socks, {of_each} of each color."));
    Ok(())
}

impl Speech for BNomic {
    const CHIEF: &'static str = "show clock";

    fn called(state: &State<Self>, obj: &Id) -> String {
        stats::called(state, obj)
    }

    fn proposal(state: &State<Self>, words: &str) -> Result<u64, Refusal> {
        voting::titled(state, words)
    }

    fn heading(display: &str) -> Option<&'static str> {
        match display {
            "rules" => Some("Rules of B Nomic"),
            "forums" => Some("Fora of B Nomic"),
            _ => None,
        }
    }

    fn repeats(state: &State<Self>) -> Result<(), Refusal> {
        law::established(&state.rules, law::Thing::Actions)
    }

    fn number(state: &State<Self>, words: &str) -> Option<Num> {
        let named = quantities::read(state, words).ok();
        // Mackerel is written so (4E34); a proposal is called otherwise.
        named.or_else(|| {
            law::established(&state.rules, law::Thing::Currency).ok()?;
            Self::measured(words)?.0.parse().ok()
        })
    }

    fn shown(state: &State<Self>, at: &Path) -> String {
        stats::shown(state, &at.attr, &Self::value(state, at))
    }

    fn numbering() -> &'static str {
        law::PREFIX
    }

    fn beside(state: &State<Self>, rule: &Rule) -> Vec<Block> {
        rule_objects::beside(state, rule)
    }

    fn expressed(attr: &str, value: &Value) -> String {
        stats::expressed(attr, value)
    }

    fn rule_of(state: &State<Self>, path: &Path) -> Option<String> {
        let rule = registry::defined_by(state, state.world.def_at(path)?)?;
        Some(law::called(rule))
    }

    fn unseated(state: &State<Self>) -> Vec<(Id, Vec<String>)> {
        std::iter::once((stats::BEAST.into(), stats::BEAST_NAMES.map(str::to_owned).to_vec()))
            .chain(currency::owners(state))
            .collect()
    }

    fn rulings() -> &'static str {
        concat!(
            include_str!("../../../docs/rulings/bnomic.md"),
            "\n",
            include_str!("../../../rulesets/rule-tag/rulings.md")
        )
    }
}
