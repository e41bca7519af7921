//! What a rule lists, read back, and the trial of sets of moves held against all orders.

use proptest::prelude::*;

use super::{super::super::stats, *};
use kernel::{
    Path, Value,
    frame::{FrameFact, Standing},
    rulebook::RuleSource,
    world::{AttrDef, Op, Range},
};

const FARMING: &str = "---\nnumber: 28\ntitle: Farming\nmoves: farming\n---\nAny player can farm with a period of 2 days.\n\n\
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
fn s56_the_period_stands_in_the_text() {
    for (text, seconds) in [
        ("With a period of 2 days.", Some(172_800)),
        ("a Period Of six days", Some(518_400)),
        ("a period length of 1/2 day", Some(43_200)),
        ("a period of 2 weeks, 3 days and one hour", Some(1_472_400)),
        ("a period of 2 days; a period of 3 days", None),
        ("a period of 0 days", None),
        ("a period of 2 moons", None),
        ("2 days", None),
    ] {
        assert_eq!(period::read(text).ok(), seconds, "{text}");
    }
}

#[test]
fn s55_a_rule_that_could_not_be_played_says_why() {
    let text = "A period of 2 days.\nMove \"sow <vertex>\":\n=> raise crop of <mover> by 1\n";
    assert_eq!(check("farming", text), Ok(()));
    for (name, text, why) in [
        ("two words", text.to_owned(), "one word"),
        ("farming", text.replace("of 2 days", "of days"), "cannot be read"),
        ("farming", text.replace("Move", "Moves"), "lists no move"),
        ("farming", text.replace("<vertex>", "<thing>"), "none of <number>"),
        ("farming", text.replace("<vertex>", "<vertex> <vertex>"), "twice"),
        ("farming", text.replace("<vertex>", "<vertex><number>"), "no word parts"),
        ("farming", text.replace("sow ", ""), "no word"),
        ("farming", text.replace("<mover>", "<player>"), "neither <mover>"),
        ("farming", text.replace("=> raise crop", "=> frob crop"), "cannot be read"),
        ("farming", text.replace("=>", ""), "no directive"),
        ("farming", format!("{text}{}", &text[20..]), "twice"),
    ] {
        let found = check(name, &text).expect_err(&text);
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

/// S55: the whole of a period counts, and what cannot be read is no part that is passed over.
#[test]
fn s55_a_period_is_read_whole() {
    for (text, every) in [
        ("a period of 2 days", Ok("2 days")),
        ("a period of 2 days and 3 hours.", Ok("2 days and 3 hours")),
        ("a period of 1 week, 1 day and 12 hours.", Ok("8 days and 12 hours")),
        ("with a period of 2 1/2 days", Ok("2 days and 12 hours")),
        ("a period length of 36 hours; three players", Ok("1 day and 12 hours")),
        ("a period of 2 days 3 hours", Err("“2 days 3 hours” cannot be read as one period")),
        ("a period of 2 days, in which", Err("“2 days, in which” cannot be read as one period")),
        ("a period of 2 days, 3 hours", Ok("2 days and 3 hours")),
        ("a period of 2½ days and 12 hours", Ok("3 days")),
        ("a period of 2 days. 3 hours later", Ok("2 days")),
        ("a period of 2,5 days", Err("“2,5 days” cannot be read as one period")),
        ("a period of 2 days times 2", Err("“2 days times 2” cannot be read as one period")),
        ("a period of 2 days and 2 or 3 hours", Err("“2 days and 2 or 3 hours” cannot be read as one period")),
        ("a period of 2 days and a half", Err("“2 days and a half” cannot be read as one period")),
        ("a period of 2 days or 3 days", Err("“2 days or 3 days” cannot be read as one period")),
        ("a period of 2 days (3 on feast days).", Err("“2 days (3 on feast days)” cannot be read as one period")),
        ("a period of 2 days and 1 month.", Err("“2 days and 1 month” cannot be read as one period")),
        ("a period of 2 days. A period of 3 days", Err("it gives two periods")),
    ] {
        match (period::read(text).map(span), every) {
            (Ok(read), Ok(every)) => assert_eq!(read, every, "{text}"),
            (Err(why), Err(part)) => assert!(why.contains(part), "{text}: {why}"),
            (read, _) => panic!("{text}: {read:?}"),
        }
    }
}
