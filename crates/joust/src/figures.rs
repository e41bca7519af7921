//! The figures that the contest is played by (seed 000), each read from the contract's text at the moment of use.
//!
//! The values stand in `rulebook/*.md` and nowhere in the code. A bound is what the engine can bear, not what the
//! contract allows: beyond it a mechanic is suspended. Each mechanic says what its figures do.

use kernel::rulebook::{
    BadHeader,
    NumKind::{self, Count, List, Name, Signed},
    RuleSource,
};

/// Programs on the Hill: with 64 a challenge is 2080 matches, which still ends within minutes.
const HILL_MAX_PROGRAMS: i64 = 64;
/// Submissions a week, challenges survived, objections: more than any contest sees.
const MANY: i64 = 1_000;
/// A century in days, weeks or months: no notice or tenure is longer.
const SPAN_MAX_COUNT: i64 = 36_525;
/// Points and touches of one award; totals of a century stay far from 2^63.
const AWARD_MAX_COUNT: i64 = 1_000_000;
/// Charges of a match, so that a challenge ends today.
pub(super) const MATCH_MAX_CHARGES: i64 = 1_000;
/// Length of the array, in cells: what the engine allocates for a charge.
const LENGTH_MAX_CELLS: i64 = 65_536;
/// Cycles of a charge, twenty-six times as many as the contract has, so that a challenge ends today.
const CHARGE_MAX_CYCLES: i64 = 10_000_000;
/// As written, and with one side exchanged: there is no third way to play a length.
const POLARITIES_MAX_COUNT: i64 = 2;

/// How the Hill is ranked.
const SCORINGS: NumKind = NumKind::Word(&["touches", "points", "trad", "markov"]);

kit::figures! {
    /// The name of the contestmaster (J3): amending it moves the office.
    CONTESTMASTER = "@contestmaster", Name (1, 64), "contract",
        "name of the contestmaster", "nobody holds the office";
    /// So many members who object block a change of a section (J7).
    OBJECTIONS = "objections", Count (1, MANY), "amendment",
        "number of objections that block a change", "no section can be changed without objection";
    /// Days from an intent to the earliest act (J7).
    WAIT_DAYS = "wait-days", Count (0, SPAN_MAX_COUNT), "amendment",
        "number of days before an intended change", "no section can be changed without objection";
    /// Days from an intent to the latest act (J7).
    WINDOW_DAYS = "window-days", Count (0, SPAN_MAX_COUNT), "amendment",
        "number of days after which an intended change is too late", "no section can be changed without objection";
    /// Days that a change of CURRENT TOURNAMENT stands announced before it (J8).
    TOURNAMENT_NOTICE_DAYS = "tournament-notice-days", Count (0, SPAN_MAX_COUNT), "tournament-notice",
        "number of days of notice for a change of the tournament", "the tournament cannot be changed by notice";
    /// How many programs the Hill holds at most (J12).
    HILL_SIZE = "hill-size", Count (1, HILL_MAX_PROGRAMS), "hill",
        "size of the Hill", "nobody can challenge the Hill";
    /// Programs that a player may hand in between two Mondays (J14).
    WEEKLY_PROGRAMS = "weekly-programs", Count (0, MANY), "submission",
        "number of programs that a player may hand in a week", "nobody can hand in programs";
    /// Programs that the contestmaster may hand in between two Mondays (J19).
    CONTESTMASTER_WEEKLY_PROGRAMS = "contestmaster-weekly-programs", Count (0, MANY), "submission",
        "number of programs that the contestmaster may hand in a week", "the contestmaster can hand in none";
    /// Days of notice before a program is added or removed outside challenges (J20).
    HILL_NOTICE_DAYS = "hill-notice-days", Count (0, SPAN_MAX_COUNT), "hill-notice",
        "number of days of notice for adding or removing a program", "programs come and go by challenges only";
    /// Months on the Hill after which code is published (J31).
    REVEAL_MONTHS = "reveal-months", Count (0, SPAN_MAX_COUNT), "revealing",
        "number of months after which code is published", "no code is published by itself";
    /// Weeks on the Hill from which on the submitter of a dropped program is asked to reveal it (J32).
    ASK_WEEKS = "ask-weeks", Count (0, SPAN_MAX_COUNT), "revealing",
        "number of weeks after which a fallen program's code is asked for", "nobody is asked to show code";
    /// Weeks on the Hill that make a knight (J36).
    KNIGHT_WEEKS = "knight-weeks", Count (0, SPAN_MAX_COUNT), "knights",
        "number of weeks that make a Knight", "no program becomes a Knight by age";
    /// Challenges by others outlived that make a knight (J37).
    KNIGHT_CHALLENGES = "knight-challenges", Count (0, MANY), "knights",
        "number of challenges outlived that make a Knight", "no program becomes a Knight by challenges";
    /// Points for the first, the second and so on (J40).
    AWARD_POINTS = "award-points", List (-AWARD_MAX_COUNT, AWARD_MAX_COUNT), "points",
        "schedule of points", "no points are awarded";
    /// Points below the ranks that the schedule lists (J40).
    AWARD_BELOW = "award-below", Signed (-AWARD_MAX_COUNT, AWARD_MAX_COUNT), "points",
        "number of points below the schedule", "no points are awarded";
    /// Programs that the Hill starts with (J45): the program brings ten of its own.
    STARTING_PROGRAMS = "starting-programs", Count (0, 10), "start",
        "number of starting programs", "no contest can start";
    /// Charges of a match on lengths that are drawn (J49).
    CHARGES = "charges", Count (0, MATCH_MAX_CHARGES), "match",
        "number of charges in a match", "nobody can challenge the Hill";
    /// How often a match goes through all lengths besides.
    ROUNDS = "rounds", Count (0, MATCH_MAX_CHARGES), "presets",
        "number of rounds through all lengths", "no length is fought but those that are drawn";
    /// How often each length is fought: as written, and then with `+` and `-` of one side exchanged.
    POLARITIES = "polarities", Count (1, POLARITIES_MAX_COUNT), "presets",
        "number of polarities", "each length is fought as the programs are written";
    /// What programs are ranked by (J52).
    SCORING = "@scoring", SCORINGS (0, 0), "scoring",
        "scoring", "programs are ranked by touches";
    /// The middle of the range that the array's length is drawn from, in cells (J55).
    LENGTH = "length", Count (2, LENGTH_MAX_CELLS), "match",
        "length of the array", "nobody can challenge the Hill";
    /// How far the array's length may lie from the middle, in cells (J55).
    LENGTH_SPREAD = "length-spread", Count (0, LENGTH_MAX_CELLS), "match",
        "spread of the array's length", "nobody can challenge the Hill";
    /// What a flag starts at (J59).
    FLAG = "flag", Count (0, 255), "machine",
        "value that flags start at", "nobody can challenge the Hill";
    /// What every other cell starts at (J59).
    CELL_START = "cell-start", Count (0, 255), "machine",
        "value that cells start at", "nobody can challenge the Hill";
    /// Cycles that a comma passes: none where it is a comment (J60).
    COMMA_CYCLES = "comma-cycles", Count (0, 1), "presets",
        "number of cycles that a comma passes", "a comma passes a cycle";
    /// How often a repetition repeats at most; where it is 0, its signs are comments (J11).
    REPEAT_MAX = "repeat-max", Count (0, bfjoust::REPEAT_MAX_COUNT as i64), "presets",
        "greatest number of repetitions", "the signs of repetitions are comments";
    /// A flag that is zero for so many cycles in a row is lost (J67).
    FLAG_CYCLES = "flag-cycles", Count (1, bfjoust::FLAG_MAX_CYCLES as i64), "presets",
        "number of cycles at zero that lose a flag", "a flag is lost in the first cycle at zero";
    /// Cycles after which both lose (J71).
    CYCLE_LIMIT = "cycle-limit", Count (1, CHARGE_MAX_CYCLES), "charge",
        "number of cycles of a charge", "nobody can challenge the Hill";
    /// Touches for a charge won (J73).
    TOUCHES_WIN = "touches-win", Signed (-MANY, MANY), "match",
        "number of touches for a charge won", "nobody can challenge the Hill";
    /// Touches for a charge that both lost (J73).
    TOUCHES_TIE = "touches-tie", Signed (-MANY, MANY), "match",
        "number of touches for a charge that both lost", "nobody can challenge the Hill";
    /// Touches for a charge lost (J73).
    TOUCHES_LOSS = "touches-loss", Signed (-MANY, MANY), "match",
        "number of touches for a charge lost", "nobody can challenge the Hill";
}

/// The sections of the contract in their order, by name (J9).
pub static SECTIONS: [(&str, &str); 8] = [
    ("opening", include_str!("rulebook/opening.md")),
    ("programs", include_str!("rulebook/programs.md")),
    ("hill", include_str!("rulebook/hill.md")),
    ("submission", include_str!("rulebook/submission.md")),
    ("challenge", include_str!("rulebook/challenge.md")),
    ("revealing", include_str!("rulebook/revealing.md")),
    ("points", include_str!("rulebook/points.md")),
    ("tournament", include_str!("rulebook/tournament.md")),
];

/// The section that may be changed by notice alone (J8).
pub const TOURNAMENT_SECTION: &str = "tournament";

/// The texts of [`TOURNAMENT_SECTION`] that a tournament may choose, the usual one first: seed 000, and the rules of
/// today's public hills.
pub static PRESETS: [(&str, &str); 2] =
    [("agora", include_str!("rulebook/tournament.md")), ("egojoust", include_str!("rulebook/tournament-egojoust.md"))];

/// The contract that a new room starts with, its tournament by a preset.
///
/// # Errors
///
/// Never with the files of this repository, as a test holds.
pub fn contract(preset: &str) -> Result<Vec<RuleSource>, BadHeader> {
    let chosen = PRESETS.iter().find(|(name, _)| *name == preset).map(|(_, file)| *file);
    let text = |id: &str, file| chosen.filter(|_| id == TOURNAMENT_SECTION).unwrap_or(file);
    SECTIONS.iter().map(|(id, file)| RuleSource::parse(*id, text(id, file))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{
        Instant, Num,
        rulebook::{
            Keys, Live, Outcome, Rulebook,
            amend::{replace_text, set_figure},
            keys::faults,
        },
    };

    fn book() -> Rulebook {
        book_of(PRESETS[0].0)
    }

    fn book_of(preset: &str) -> Rulebook {
        let mut book = Rulebook::default();
        for rule in contract(preset).unwrap() {
            book.apply(&rule.enact("the contest is opened"), 1, Instant::UNIX_EPOCH);
        }
        book
    }

    /// The presets of the engine and those of the contract are the same, figure by figure.
    #[test]
    fn each_preset_gives_the_figures_of_its_rules() {
        for (preset, wanted, scoring) in
            [("agora", bfjoust::Rules::agora(), "touches"), ("egojoust", bfjoust::Rules::egojoust(), "trad")]
        {
            let book = book_of(preset);
            assert!(book.missing(&Keys::new(FIGURES)).is_empty(), "{preset}");
            let figures = crate::reading::Figures::of(&book);
            let (play, lengths) = (figures.play().unwrap(), figures.lengths().unwrap());
            let mut rules = crate::play::rules(&play);
            (rules.length, rules.spread) = (lengths.middle, lengths.spread);
            assert_eq!(rules, wanted);
            assert_eq!(book.live_name(&SCORING).ok().unwrap(), scoring);
            let drawn_and_all = if preset == "agora" { (20, 0) } else { (0, 1) };
            assert_eq!((lengths.charges, lengths.rounds), drawn_and_all);
        }
    }

    #[test]
    fn declarations_are_sound() {
        assert_eq!(faults(FIGURES), [""; 0]);
    }

    /// The `LIVE` figures of all clauses, J3 to J73, in the order of the clauses.
    #[test]
    fn the_contract_gives_every_figure_of_the_seed() {
        let book = book();
        assert!(book.missing(&Keys::new(FIGURES)).is_empty());
        let counts: Vec<i64> = FIGURES
            .iter()
            .filter(|key| key.kind.is_number() && key.kind != NumKind::List)
            .map(|key| book.live(key).ok().and_then(|value| value.to_i64()).unwrap())
            .collect();
        let seed = [3, 4, 14, 7, 10, 3, 3, 7, 1, 2, 1, 5, 0, 10, 20, 0, 1, 151, 16, 128, 0, 1, 0, 1, 384_000, 1, 0, 0];
        assert_eq!(counts, seed);
        assert_eq!(book.live_list(&AWARD_POINTS).ok().unwrap(), [8, 5, 3, 2, 1].map(Num::from));
        assert!(matches!(book.live_name(&CONTESTMASTER), Live::Is { value, .. } if value == "Goethe"));
    }

    #[test]
    fn every_marked_place_is_declared_and_only_once_but_for_lists() {
        for rule in
            PRESETS.iter().flat_map(|(preset, _)| book_of(preset).rules().into_iter().cloned().collect::<Vec<_>>())
        {
            for span in rule.text().spans() {
                let key = FIGURES.iter().find(|key| *key.key == *span.key).unwrap();
                let once = rule.places(key.key).count() == 1;
                assert!(once || key.kind == NumKind::List, "{}", key.key);
            }
        }
    }

    /// J3, J7, J80: whatever figure is amended, the game follows, and nothing else moves.
    #[test]
    fn every_figure_can_be_amended_and_is_followed() {
        for key in FIGURES {
            let mut book = book_of("agora");
            let others = |book: &Rulebook| -> Vec<String> {
                let other = FIGURES.iter().filter(|other| other.key != key.key);
                other
                    .map(|other| {
                        format!(
                            "{:?}",
                            book.places(other.key).map(|(rule, at)| rule.text().shown(at)).collect::<Vec<_>>()
                        )
                    })
                    .collect()
            };
            let before = others(&book);
            let new = match key.kind {
                NumKind::Name => "Murphy",
                NumKind::Word(_) => "markov",
                NumKind::List => "13 8 5 3 2",
                _ if key.engine_max < 9 => {
                    if key.engine_min == 0 {
                        "0"
                    } else {
                        "2"
                    }
                }
                _ => "9",
            };
            let edit = set_figure(&book, key, new).unwrap();
            assert!(book.check(&edit.op).is_ok());
            book.apply(&edit.op, 2, Instant::UNIX_EPOCH);
            let shown: Vec<&str> = book.places(key.key).map(|(rule, at)| rule.text().shown(at)).collect();
            assert_eq!(shown.join(" "), new, "{}", key.key);
            assert_eq!(others(&book), before, "{}", key.key);
            // The whole section typed again as players read it keeps the figure, too.
            let rule = book.places(key.key).next().unwrap().0;
            let typed = rule.text().visible().replace("  ", " ") + "\n\nNothing else changes.";
            let edit = replace_text(rule, &typed).unwrap();
            assert!(edit.rebindings.iter().all(|line| line.outcome == Outcome::Found && line.old == line.new));
        }
    }

    #[test]
    fn repeal_of_a_section_switches_off_what_it_establishes() {
        let mut book = book();
        let all = ["contract", "membership", "amendment", "tournament notice", "programs", "hill", "submission"];
        for name in all.iter().chain(&["hill notice", "challenges", "revealing", "points", "tournament"]) {
            assert!(book.establishes(name).is_some(), "{name}");
        }
        let repeal = kernel::rulebook::RuleOp::new("points", kernel::rulebook::RuleAct::Repeal);
        book.apply(&repeal, 2, Instant::UNIX_EPOCH);
        assert_eq!((book.establishes("points"), book.live(&KNIGHT_WEEKS)), (None, Live::Absent));
    }
}
