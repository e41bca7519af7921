//! What a rule lists, read back, and the trial of sets of moves held against all orders.

use proptest::prelude::*;

use super::{super::sealed::Timing, *};
use crate::{law::RULES, stats};
use kernel::{
    Path, Value,
    frame::{FrameFact, Standing},
    rulebook::{RuleSource, Rulebook},
    world::{AttrDef, Op, Range},
};

const FARMING: &str = "---\nnumber: 28\ntitle: Farming\nmoves: farming every 2 days\n---\nAny player can farm.\n\n\
    Move \"sow\":\n=> raise crop of <mover> by 1\n\n\
    Move \"give <number> to <player>\":\n=> transfer <number> crop from <mover> to <player>\n\n\
    Move \"burn <player>\":\n=> set crop of <player> to 0\n\n\
    Move \"double\":\n=> raise crop of <mover> by crop of <mover>\n\n\
    Move \"envy <player>\":\n=> require crop of <player> > crop of <mover>\n=> raise crop of <mover> by 1\n";

fn now() -> Instant {
    "2026-11-02T10:00:00Z".parse().unwrap()
}

/// Players called P0, P1 and so on with so many crops.
fn room(crops: &[i64]) -> State<Spacenomic> {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), 1, VecDeque::new());
    let state = State::<Spacenomic>::unopened();
    let mut d = Draft::new(state, now(), Doer::default(), true, &mut dice, [0; SALT_BYTES]);
    stats::define(&mut d);
    d.rule(RuleSource::parse("farming", FARMING).unwrap().enact(""));
    let range = Range::Num { min: Some(0.into()), max: Some(99.into()), whole: true };
    let default = Value::Num(0.into());
    d.op(Op::Define(AttrDef { id: "crop".into(), scope: stats::PLAYER.into(), range, default, by: None }));
    for (index, crop) in crops.iter().enumerate() {
        let seat = player(index);
        d.op(Op::Create { obj: seat.clone(), kind: stats::PLAYER.into() });
        let (name, person) = (format!("P{index}"), seat.clone());
        let standing = Standing::Player;
        d.frame_fact(FrameFact::Seated { seat: seat.clone(), name, person, standing, at: now() });
        d.overwrite(Path::new(seat, "crop"), Value::Num((*crop).into()));
    }
    d.finish().state
}

fn player(index: usize) -> Id {
    format!("player/p{index}").into()
}

fn farming() -> Kind {
    Kind::of("Farming")
}

fn is_one(tried: &Tried) -> bool {
    matches!(tried, Tried::One)
}

#[test]
fn s55_words_are_read_as_the_rule_lists_them() {
    let state = room(&[1, 2]);
    for (typed, kept) in [
        ("sow", Some("sow")),
        ("SOW", Some("sow")),
        ("sow it", None),
        ("sowing", None),
        ("give 2 to P1", Some("give 2 to P1")),
        ("Give  6 1/403 to p1", Some("give 6 1/403 to P1")),
        ("give 2 to Nobody", None),
        ("give two to P1", None),
        ("give to P1", None),
        ("", None),
    ] {
        assert_eq!(read(&state, &farming(), typed).as_deref(), kept, "{typed}");
    }
    assert_eq!(read(&state, &Kind::of("fishing"), "sow"), None);
}

#[test]
fn s55_a_rule_that_could_not_be_played_says_why() {
    let (two_days, text) = ("every 2 days", "It is so.\nMove \"sow <vertex>\":\n=> raise crop of <mover> by 1\n");
    assert_eq!(check("farming", two_days, text), Ok(()));
    for (name, every, text, why) in [
        ("far/ming", two_days, text.to_owned(), "one word"),
        ("farming", "", text.replace("It is so", "With a period of 2 days"), "says no period"),
        ("farming", "of 2 days", text.to_owned(), "is no period"),
        ("farming", "every 59 minutes", text.to_owned(), "the least is 1 hour"),
        ("farming", two_days, text.replace("Move", "Moves"), "lists no move"),
        ("farming", two_days, text.replace("<vertex>", "<thing>"), "none of <number>"),
        ("farming", two_days, text.replace("<vertex>", "<vertex> <vertex>"), "twice"),
        ("farming", two_days, text.replace("<vertex>", "<vertex><number>"), "no word parts"),
        ("farming", two_days, text.replace("sow ", ""), "no word"),
        ("farming", two_days, text.replace("<mover>", "<player>"), "neither <mover>"),
        ("farming", two_days, text.replace("=> raise crop", "=> frob crop"), "cannot be read"),
        ("farming", two_days, text.replace("=>", ""), "no directive"),
        ("farming", two_days, format!("{text}{}", &text[10..]), "twice"),
    ] {
        let found = check(name, every, &text).expect_err(&text);
        assert!(found.contains(why), "{found}");
    }
}

/// S61: what is told of a clash are the moves that clash.
#[test]
fn s61_a_clash_names_its_moves() {
    let state = room(&[1, 5, 5]);
    let blamed = |moves: &[(usize, &str)]| {
        let moves: Vec<(Id, String)> = moves.iter().map(|(who, what)| (player(*who), (*what).to_owned())).collect();
        match try_on(&state, now(), &farming(), &moves) {
            Tried::Clash(clash) => Some((clash.between.into_iter().collect::<Vec<_>>(), clash.why)),
            _ => None,
        }
    };
    assert_eq!(blamed(&[(0, "sow"), (1, "sow"), (2, "give 1 to P0")]), None);
    assert_eq!(blamed(&[(0, "sow"), (1, "give 6 to P0")]).unwrap().0, [1]);
    let (between, why) = blamed(&[(0, "sow"), (1, "burn P2"), (2, "give 5 to P0")]).unwrap();
    assert!(between == [1, 2] && why.starts_with("P2 could not move after the others"), "{why}");
    let (between, why) = blamed(&[(0, "sow"), (1, "double"), (2, "give 1 to P1")]).unwrap();
    assert!(between == [1, 2] && why == "it matters who moves first", "{why}");
}

/// The moves of ten players are tried, those of eleven are not.
#[test]
fn s61_ten_movers_are_tried() {
    let state = room(&[1; 11]);
    let moves = |count: usize| (0..count).map(|index| (player(index), "sow".to_owned())).collect::<Vec<_>>();
    assert!(is_one(&try_on(&state, now(), &farming(), &moves(10))));
    assert!(matches!(try_on(&state, now(), &farming(), &moves(11)), Tried::Untried));
    let mut wrong = moves(11);
    wrong[3].1 = "burn Nobody".to_owned();
    assert!(matches!(try_on(&state, now(), &farming(), &wrong), Tried::Clash(clash) if clash.between.contains(&3)));
}

/// Whether every order of the moves is legal throughout, and all leave the same state.
fn by_all_orders(state: &State<Spacenomic>, moves: &[(Id, String)]) -> bool {
    fn ends(state: &State<Spacenomic>, rest: &[(Id, String)], into: &mut Vec<State<Spacenomic>>) -> bool {
        if rest.is_empty() {
            into.push(state.clone());
        }
        (0..rest.len()).all(|first| {
            let mut rest = rest.to_vec();
            let (who, what) = rest.remove(first);
            let next = ready(state, &farming(), &who, &what).and_then(|ready| after(state, now(), &ready));
            next.is_ok_and(|next| ends(&next, &rest, into))
        })
    }
    let mut found = Vec::new();
    ends(state, moves, &mut found) && found.iter().all(|end| end.world == found[0].world)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// S61: trying sets of moves is trying all orders.
    #[test]
    fn s61_sets_say_what_orders_say(
        crops in proptest::collection::vec(0_i64..6, 4),
        moves in proptest::collection::vec((0_usize..6, 0_usize..4), 1..5),
    ) {
        let state = room(&crops);
        let words = |(form, other): (usize, usize)| match form {
            0 | 5 => "sow".to_owned(),
            1 => format!("give 1 to P{other}"),
            2 => format!("burn P{other}"),
            3 => "double".to_owned(),
            _ => format!("envy P{other}"),
        };
        let moves: Vec<(Id, String)> =
            moves.into_iter().enumerate().map(|(index, what)| (player(index), words(what))).collect();
        prop_assert_eq!(is_one(&try_on(&state, now(), &farming(), &moves)), by_all_orders(&state, &moves), "{:?}", moves);
    }
}

/// S55, S56: the period at the head of a rule is read whole or not at all.
#[test]
fn s55_a_period_is_read_whole() {
    for (words, every) in [
        ("every 2 days", Ok("2 days")),
        ("every six days", Ok("6 days")),
        ("Every 2 Days and 3 hours", Ok("2 days and 3 hours")),
        ("every 2 days, 3 hours", Ok("2 days and 3 hours")),
        ("every 2 weeks, 3 days and one hour", Ok("17 days and 1 hour")),
        ("every 2 1/2 days", Ok("2 days and 12 hours")),
        ("every 2½ days and 12 hours", Ok("3 days")),
        ("every 36 hours", Ok("1 day and 12 hours")),
        ("", Err("it says no period")),
        ("2 days", Err("“2 days” is no period")),
        ("with a period of 2 days", Err("is no period")),
        ("every day", Err("“day” cannot be read as one period")),
        ("every 0 days", Err("too short")),
        ("every 2 moons", Err("“2 moons” cannot be read as one period")),
        ("every 2 days 3 hours", Err("“2 days 3 hours” cannot be read as one period")),
        ("every 2 days; every 3 days", Err("cannot be read as one period")),
        ("every 2 days, in which", Err("“2 days, in which” cannot be read as one period")),
        ("every 2,5 days", Err("“2,5 days” cannot be read as one period")),
        ("every 2 days times 2", Err("“2 days times 2” cannot be read as one period")),
        ("every 2 days and 2 or 3 hours", Err("“2 days and 2 or 3 hours” cannot be read as one period")),
        ("every 2 days and a half", Err("“2 days and a half” cannot be read as one period")),
        ("every 2 days or 3 days", Err("“2 days or 3 days” cannot be read as one period")),
        ("every 2 days (3 on feast days)", Err("“2 days (3 on feast days)” cannot be read as one period")),
        ("every 2 days and 1 month", Err("“2 days and 1 month” cannot be read as one period")),
    ] {
        match (period::every(words).map(span), every) {
            (Ok(read), Ok(every)) => assert_eq!(read, every, "{words}"),
            (Err(why), Err(part)) => assert!(why.contains(part), "{words}: {why}"),
            (read, _) => panic!("{words}: {read:?}"),
        }
    }
}

/// S56: moves of a rule whose head says no period are evaluated no more, whatever its text says, and that is told once.
#[test]
fn s56_a_rule_whose_head_says_no_period_is_told() {
    let settled = |mut state: State<Spacenomic>, farming: &str| {
        state.rules = Rulebook::default();
        let mut dice = Dice::new(Seed([0; SEED_BYTES]), 1, VecDeque::new());
        let mut d = Draft::new(state, now(), Doer::default(), true, &mut dice, [0; SALT_BYTES]);
        for (id, file) in RULES.iter().copied().chain([("farming", farming)]) {
            d.rule(RuleSource::parse(id, file).unwrap().enact(""));
        }
        while super::super::settle(&mut d) {}
        let done = d.finish();
        (done.state, done.says.len())
    };
    let is_timed = |state: &State<Spacenomic>| state.row::<Timing>(&farming()).is_some();
    let old = FARMING.replace(" every 2 days", "").replace("can farm.", "can farm with a period of 2 days.");
    let (state, told) = settled(room(&[1]), FARMING);
    assert!(is_timed(&state) && told == 0);
    let (state, told) = settled(state, &old);
    assert!(!is_timed(&state) && told == 1);
    let (state, told) = settled(state, &old);
    assert!(!is_timed(&state) && told == 0);
}
