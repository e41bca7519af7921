//! The contract as it reads at one moment: its figures, its sections.
//!
//! No file of this game holds a figure of the rules as a constant: each mechanic asks here, at the moment of use. A
//! figure that the text no longer gives stops its mechanic, and one that cannot be read suspends it. Both are a
//! [`Gap`], and neither is replaced by a guess. Figures are declared in `figures`.

use serde::{Deserialize, Serialize};

use super::{
    figures::{self, FIGURES},
    game::Joust,
    tournament::{Lengths, Notation, Play, Scoring},
};
use kernel::{
    Num, Refusal, State,
    display::{Block, Cell, Document, cells},
    rulebook::{Live, LiveKey, NumKind, RuleOp, Rulebook},
};

/// The section that awards points.
pub(super) const POINTS: &str = "points";

/// The contract itself, which is in force until it is ended (J6).
pub(super) const CONTRACT: &str = "contract";

/// What a section establishes that makes members (J10).
pub(super) const MEMBERSHIP: &str = "membership";

/// What a section establishes that says what a program is (J11).
pub(super) const PROGRAMS: &str = "programs";

/// What a section establishes that says what a challenge is (J21).
pub(super) const CHALLENGES: &str = "challenges";

/// A figure, or why there is none.
pub(super) type Read<T> = Result<T, Gap>;

/// Why the contract gives no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// Whether the text gives none at all, so that its mechanic is no part of the contest. Else it gives one that
    /// cannot be read or borne.
    pub(super) absent: bool,
    /// In words for a player.
    pub(super) why: Refusal,
}

impl From<Gap> for Refusal {
    fn from(gap: Gap) -> Self {
        gap.why.instead("contract")
    }
}

/// The figures of the Hill, in force from one place of the agenda to the next; none where the contract does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Terms {
    /// How many programs the Hill holds at most (J12).
    pub size: Option<usize>,
    /// After so many unbroken weeks a program is a knight (J36).
    pub knight_weeks: Option<i64>,
    /// After outliving so many challenges by others a program is a knight (J37).
    pub knight_challenges: Option<u32>,
    /// How its programs are written (J11).
    pub notation: Option<Notation>,
}

/// The contract's figures.
#[derive(Clone, Copy)]
pub(super) struct Figures<'a>(&'a Rulebook);

impl<'a> Figures<'a> {
    /// The figures of a rulebook.
    pub(super) fn of(rules: &'a Rulebook) -> Self {
        Self(rules)
    }

    fn gap<T>(self, key: &LiveKey, live: Live<T>) -> Read<T> {
        let absent = matches!(live, Live::Absent);
        self.0.demand(key, live).map_err(|why| Gap { absent, why })
    }

    /// That a section in force establishes something, which has no figure to be missed by.
    pub(super) fn established(self, thing: &str) -> Read<()> {
        if self.0.establishes(thing).is_some() {
            return Ok(());
        }
        let lacks = match thing {
            MEMBERSHIP => "makes members".to_owned(),
            PROGRAMS => "says what a program is".to_owned(),
            CHALLENGES => "says what a challenge is".to_owned(),
            other => format!("has anything on {other}"),
        };
        Err(Gap { absent: true, why: Refusal::new(format!("no section of the contract {lacks} any more")) })
    }

    /// A count. Bounds are declared narrower than any type that it is asked as.
    pub(super) fn count<T: TryFrom<u64>>(self, key: &LiveKey) -> Read<T> {
        let value = self.gap(key, self.0.live_count(key))?;
        T::try_from(value).map_err(|_| Gap { absent: false, why: Refusal::new(format!("{} is too much", key.meaning)) })
    }

    fn signed(self, key: &LiveKey) -> Read<i64> {
        let value = self.gap(key, self.0.live(key))?;
        value.to_i64().ok_or_else(|| Gap { absent: false, why: Refusal::new(format!("{} is too much", key.meaning)) })
    }

    /// A count, or what holds where the text gives none.
    fn count_or<T: TryFrom<u64>>(self, key: &LiveKey, absent: T) -> Read<T> {
        match self.count(key) {
            Err(Gap { absent: true, .. }) => Ok(absent),
            other => other,
        }
    }

    /// The name of the contestmaster (J3).
    pub(super) fn contestmaster(self) -> Read<String> {
        self.gap(&figures::CONTESTMASTER, self.0.live_name(&figures::CONTESTMASTER))
    }

    /// What each rank brings, best first, and at the end what every further rank brings (J40).
    pub(super) fn schedule(self) -> Read<Vec<Num>> {
        let key = &figures::AWARD_POINTS;
        let mut schedule = self.gap(key, self.0.live_list(key))?;
        schedule.push(self.gap(&figures::AWARD_BELOW, self.0.live(&figures::AWARD_BELOW))?);
        Ok(schedule)
    }

    /// What a charge is played and scored by.
    pub(super) fn play(self) -> Read<Play> {
        Ok(Play {
            flag: self.count(&figures::FLAG)?,
            background: self.count(&figures::CELL_START)?,
            cycle_limit: self.count(&figures::CYCLE_LIMIT)?,
            flag_cycles: self.count_or(&figures::FLAG_CYCLES, 1)?,
            polarities: self.count_or(&figures::POLARITIES, 1)?,
            notation: self.notation()?,
            scoring: self.scoring()?,
            win: self.signed(&figures::TOUCHES_WIN)?,
            tie: self.signed(&figures::TOUCHES_TIE)?,
            loss: self.signed(&figures::TOUCHES_LOSS)?,
        })
    }

    /// How programs are written (J11).
    pub(super) fn notation(self) -> Read<Notation> {
        let plain = Notation::default();
        Ok(Notation {
            repeat_max: self.count_or(&figures::REPEAT_MAX, plain.repeat_max)?,
            comma_cycles: self.count_or(&figures::COMMA_CYCLES, plain.comma_cycles)?,
        })
    }

    /// What programs are ranked by (J52).
    fn scoring(self) -> Read<Scoring> {
        match self.gap(&figures::SCORING, self.0.live_name(&figures::SCORING)) {
            Ok(name) => Scoring::named(&name).map_err(|why| Gap { absent: false, why }),
            Err(Gap { absent: true, .. }) => Ok(Scoring::default()),
            Err(gap) => Err(gap),
        }
    }

    /// What lengths come from.
    pub(super) fn lengths(self) -> Read<Lengths> {
        Ok(Lengths {
            charges: self.count(&figures::CHARGES)?,
            rounds: self.count_or(&figures::ROUNDS, 0)?,
            middle: self.count(&figures::LENGTH)?,
            spread: self.count(&figures::LENGTH_SPREAD)?,
        })
    }

    /// The figures of the Hill.
    pub(super) fn terms(self) -> Terms {
        Terms {
            size: self.count(&figures::HILL_SIZE).ok(),
            knight_weeks: self.count(&figures::KNIGHT_WEEKS).ok(),
            knight_challenges: self.count(&figures::KNIGHT_CHALLENGES).ok(),
            notation: self.notation().ok(),
        }
    }
}

/// The contract that a room starts with, under a contestmaster's name, its tournament by a preset.
///
/// # Errors
///
/// A [`Refusal`] where the text cannot hold that name.
pub(super) fn contract(contestmaster: &str, preset: &str) -> Result<Vec<RuleOp>, Refusal> {
    let sections =
        figures::contract(preset).map_err(|why| Refusal::new(format!("the contract cannot be read: {why}")))?;
    let mut ops = Vec::with_capacity(sections.len());
    let mut read = Rulebook::default();
    for mut section in sections {
        section.body =
            section.body.replace("[Goethe](#@contestmaster)", &format!("[{contestmaster}](#@contestmaster)"));
        let op = section.enact("the room is opened");
        read.apply(&op, 1, kernel::Instant::UNIX_EPOCH);
        ops.push(op);
    }
    match Figures::of(&read).contestmaster() {
        Ok(name) if name == contestmaster => Ok(ops),
        _ => Err(Refusal::new("this name of a contestmaster does not fit into the contract")),
    }
}

/// What people call a section: its title, else its name in the room.
pub(super) fn section(rules: &Rulebook, id: &str) -> String {
    rules.get(id).map_or_else(|| id.to_owned(), |rule| rule.label())
}

// ---- display

/// The sections and the figures of the contract, which is what an intent can be about.
pub(super) fn sections(state: &State<Joust>) -> Document {
    let sections: Vec<Cell> = state
        .rules
        .rules()
        .into_iter()
        .map(|rule| Cell::new(format!("{} ({})", rule.id(), rule.label())).completing(rule.id().to_string()))
        .collect();
    let row = |key: &LiveKey| {
        let name = key.key.trim_start_matches('@').to_owned();
        cells![Cell::named(name), figure(state, key), key.meaning]
    };
    let rows = FIGURES.iter().map(row);
    Document::titled("sections", "Sections and figures")
        .with(Block::List(sections))
        .table(["figure", "now", "meaning"], rows)
}

/// What a figure is now.
fn figure(state: &State<Joust>, key: &LiveKey) -> String {
    fn tell<T>(live: Live<T>, text: impl FnOnce(T) -> String) -> String {
        match live {
            Live::Is { value, .. } => text(value),
            Live::Absent => "none".to_owned(),
            Live::Broken { text, .. } => format!("“{text}”, suspended"),
        }
    }
    match key.kind {
        NumKind::Name | NumKind::Word(_) | NumKind::Weekdays => tell(state.rules.live_name(key), |name| name),
        NumKind::List => {
            tell(state.rules.live_list(key), |list| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }
        _ => tell(state.rules.live(key), |value| value.to_string()),
    }
}
