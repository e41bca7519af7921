//! Laws in this game: what its time, its offices and its acts are called in them, and which acts no bar reaches.
//!
//! The rules say none of that of laws; the rulings do (`docs/rulings/bnomic.md`, B4.8 and B0.19).

use super::{
    clock::hands::{self, Moment},
    emergency::crisis,
    game::BNomic,
    happenings,
    intents::{
        self,
        announced::{Act, Intent},
    },
    ministries::posts,
    moments, registry,
    society::{self, players},
    stats::{self, CLOCK, MINISTRY, OUTSIDER, PLAYER, RULE},
    victory, voting,
};
use kernel::{Id, Instant, Refusal, State, Value, directives::Names};
use serde_json::Value as Json;

/// Votes, as laws look at them.
const VOTE: &str = "vote";
/// Acts that were announced.
const INTENT: &str = "intent";
/// Those who take part in emergencies, and whether they are Paranoid (4E0).
const PEP: &str = "pep";
const PARANOID: &str = "paranoid";

impl laws::Hosts for BNomic {
    const PEOPLE: &'static [&'static str] = &[OUTSIDER];
    const EVENTS: &'static [laws::Event] = happenings::ALL;
    const BESIDE: &'static [laws::Event] = &[("usurp", &["supported"])];
    const NAMED: &'static [(&'static str, &'static str)] = &[("take", happenings::TOOK)];

    const KINDS: &'static [&'static str] = &[
        OUTSIDER,
        MINISTRY,
        CLOCK,
        registry::LIST,
        registry::CURRENCY,
        victory::CONDITION,
        victory::TROPHY,
        laws::PROPOSAL,
    ];

    // No restriction is on forfeiting (B4.8), and the Procedure of an emergency holds against all rules (B0.19).
    const UNBARRED: &'static [&'static str] = &[
        "leave",
        "panic",
        "calm",
        "emergency_forum",
        "emergency_start",
        "emergency_increment",
        "emergency_object",
        "emergency_refresh",
        "emergency_withdraw",
        "emergency_vote",
        "apply_refresh",
    ];

    // The Beast does one thing, and at once (B71.2).
    const UNCAUSED: &'static [&'static str] = &["schedule", "unschedule", "transaction"];

    const ANNOUNCE: Option<laws::Announce<Self>> = Some(|d, act| intents::announce(Act::Law(act), d));

    fn time(state: &State<Self>, _at: Instant) -> Vec<(&'static str, Value)> {
        let Moment { nweek, nday } = hands::now(state);
        // Midnights in a State of Emergency are no rdays (4E0).
        let rday = i64::try_from(hands::rdays(state)).unwrap_or(i64::MAX);
        vec![
            ("nday", Value::Num(nday.into())),
            ("nweek", Value::Num(nweek.into())),
            ("rday", Value::Num(rday.into())),
            ("voting", Value::Bool(hands::votes_run(state))),
        ]
    }

    fn plays(state: &State<Self>, seat: Option<&Id>) -> Result<(), Refusal> {
        players::plays(state, seat)
    }

    fn counted(state: &State<Self>, words: &str) -> Option<Json> {
        serde_json::to_value(moments::counted(state, words)?).ok()
    }

    // Of several, whatever comes first.
    fn over(state: &State<Self>, counted: &Json) -> Option<Instant> {
        let all: Vec<moments::Until> = serde_json::from_value(counted.clone()).ok()?;
        all.iter().filter_map(|until| moments::over(state, until)).min()
    }

    fn things(state: &State<Self>, kind: &str) -> Option<Vec<Id>> {
        match kind {
            VOTE => Some(voting::all(state).map(|(on, voter, _)| format!("{VOTE}/{on}/{voter}").into()).collect()),
            PEP => Some(crisis::peps(state)),
            INTENT => Some(state.rows::<Intent>().keys().map(|number| format!("{INTENT}/{number}").into()).collect()),
            _ => None,
        }
    }

    fn seen(state: &State<Self>, obj: &Id, name: &str) -> Option<Value> {
        let (kind, rest) = obj.split_once('/')?;
        let list = |seats: &[Id]| Value::List(seats.iter().cloned().map(Value::Ref).collect());
        match kind {
            VOTE => {
                let (on, voter, word) = voting::all(state).find(|(on, voter, _)| *rest == format!("{on}/{voter}"))?;
                Some(match name {
                    "proposal" => Value::Ref(on.clone()),
                    "voter" => Value::Ref(voter.clone()),
                    "vote" => Value::Text(word.to_owned()),
                    _ => return None,
                })
            }
            INTENT => {
                let intent = state.row::<Intent>(&rest.parse().ok()?)?;
                Some(match name {
                    "number" => Value::Num(i64::try_from(intent.number).unwrap_or(i64::MAX).into()),
                    "by" => Value::Ref(intent.by.clone()),
                    "objectors" => list(&intent.objected),
                    "supporters" => list(&intent.supported),
                    "over" => Value::Bool(intent.ended.is_some()),
                    _ => return None,
                })
            }
            RULE => {
                let rule = stats::of(state, obj)?;
                Some(match name {
                    "number" => Value::Num(i64::from(rule.number()).into()),
                    "title" => Value::Text(rule.title().to_string()),
                    "changed" => Value::Time(rule.reads_since()),
                    _ => return None,
                })
            }
            PLAYER if name == PARANOID => Some(Value::Bool(crisis::is_paranoid(state, obj))),
            MINISTRY if name == "holder" => Some(posts::minister(state, obj).map_or(Value::Null, Value::Ref)),
            _ => None,
        }
    }

    // Usurping with support is announced before, and done by its number.
    fn given(state: &State<Self>, act: &str, args: &mut serde_json::Map<String, Json>) {
        let ministry = args.get(MINISTRY).and_then(Json::as_str).and_then(|words| posts::find(state, words).ok());
        if let Some(ministry) = ministry {
            args.insert(MINISTRY.to_owned(), ministry.to_string().into());
        }
        if act == "usurp" {
            args.insert("supported".to_owned(), false.into());
        }
    }

    fn nameable(state: &State<Self>, name: &str, but: Option<&Id>) -> Result<(), Refusal> {
        laws::names_nothing(state, name, but)?;
        // What has the name already found it free.
        match Self::find(state, name) {
            Ok(_) => Ok(()),
            Err(_) => society::free(state, name, but),
        }
    }

    fn is_office(state: &State<Self>, name: &str) -> bool {
        posts::find(state, name).is_ok()
    }

    fn holders(state: &State<Self>, office: &str) -> Vec<Id> {
        let held = posts::find(state, office).ok().and_then(|post| posts::minister(state, &post));
        held.into_iter().collect()
    }
}
