//! Moves as the clause list works them out, and the test for clashes held against all orders of up to six moves.

use proptest::prelude::*;

use super::*;

fn spot(text: &str) -> Spot {
    text.parse().unwrap()
}

fn board(vertices: &[&str], edges: &[(&str, &str)], players: &[(&str, &str, bool)]) -> Board {
    let mut space = Space::default();
    for at in vertices {
        space.set_vertex(spot(at), Some(&space::GOD.into()));
    }
    for (a, b) in edges {
        space.set_edge(spot(a), spot(b), true);
    }
    let players = players.iter().map(|(name, at, mirrored)| (Id::from(*name), (at.parse().ok(), *mirrored))).collect();
    Board { space, players, reach: Some(1.into()) }
}

fn sent(moves: &[(&str, &str)]) -> Vec<Sent> {
    moves.iter().map(|(player, what)| (Id::from(*player), what.parse().unwrap())).collect()
}

fn clash_of(board: &Board, moves: &[(&str, &str)]) -> Option<Vec<usize>> {
    let moves = sent(moves);
    board.clash(&moves).map(|clash| clash.between.into_iter().collect())
}

/// What moves do in an order; nothing where one of them is illegal when its turn comes.
fn in_order(board: &Board, moves: &[Sent], order: &[usize], legal: &dyn Fn(&Board, &Sent) -> bool) -> Option<Board> {
    let mut now = board.clone();
    for index in order {
        if !legal(&now, &moves[*index]) {
            return None;
        }
        now.play(&moves[*index].0, moves[*index].1);
    }
    Some(now)
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(count - 1) {
        for at in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(at, count - 1);
            all.push(longer);
        }
    }
    all
}

/// Whether a move is legal by the words of the rules, written without the code that is tested.
fn literally(board: &Board, (player, what): &Sent) -> bool {
    let (place, mirrored) = board.players[player];
    let near = |a: Spot, b: Spot| (a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1;
    match (*what, place) {
        (Move::Go(to), None) => board.space.has(to),
        (Move::Go(to), Some(at)) => board.space.joined(at, to),
        (Move::Flip, None) => true,
        (Move::Flip, Some(at)) => {
            let from = board.space.distances(at);
            let others = board.players.iter().filter(|(other, (_, theirs))| *other != player && *theirs == mirrored);
            let seen: BTreeSet<Option<u64>> =
                others.filter_map(|(_, (spot, _))| *spot).map(|spot| from.get(&spot).copied()).collect();
            seen.len() <= 1
        }
        (_, None) => false,
        (Move::Cut(to), Some(at)) => {
            let mut after = board.space.clone();
            after.set_edge(at, to, false);
            board.space.joined(at, to) && after.connected()
        }
        (Move::Link(a, b), Some(at)) => {
            a != b
                && [a, b].into_iter().all(|end| board.space.has(end) && near(end, at))
                && near(a, b)
                && !board.space.joined(a, b)
        }
        (Move::Build(new, a, b), Some(at)) => {
            a != b && [a, b].into_iter().all(|end| board.space.has(end) && near(end, at)) && !board.space.has(new)
        }
    }
}

/// Whether every order is legal throughout and gives one result.
fn by_all_orders(board: &Board, moves: &[Sent]) -> bool {
    let mut results = orders(moves.len()).into_iter().map(|order| in_order(board, moves, &order, &literally));
    let Some(first) = results.next().flatten() else { return false };
    results.all(|result| result.as_ref() == Some(&first))
}

/// S59: what a move is written as reads back as that move, however players write it.
#[test]
fn s59_moves_read_back_as_they_are_written() {
    for (text, shown) in [
        ("go (1, 2)", "go (1, 2)"),
        ("GO 1,2", "go (1, 2)"),
        ("go to -1 -2", "go (-1, -2)"),
        ("flip", "flip"),
        ("go (3, 0).", "go (3, 0)"),
        ("Flip!", "flip"),
        ("cut (1,2)", "cut (1, 2)"),
        ("link (1,2) and (2,2)", "link (1, 2) (2, 2)"),
        ("build (5,5) on (1,2) (2,2)", "build (5, 5) on (1, 2) (2, 2)"),
    ] {
        assert_eq!(text.parse::<Move>().map(|what| what.to_string()), Ok(shown.to_owned()), "{text}");
    }
    for wrong in [
        "",
        "go",
        "go 1",
        "go (1, 2, 3)",
        "flip 1",
        "go (1.5, 2)",
        "go 1e3",
        "go 1/3",
        "go 1 of 3",
        "build (1,1) on (2,2)",
        "stay",
        "go (1, 9999999999)",
    ] {
        assert!(wrong.parse::<Move>().is_err(), "{wrong}");
    }
}

/// S40, S41, S44: whence one goes where.
#[test]
fn s40_one_goes_along_edges_and_from_nowhere_anywhere() {
    let board = board(&["0,0", "1,0", "9,9"], &[("0,0", "9,9")], &[("ada", "0,0", false), ("bo", "nowhere", false)]);
    let says = |player: &str, what: &str| board.legal(&player.into(), what.parse().unwrap());
    assert_eq!(says("ada", "go 9,9"), Ok(()));
    assert_eq!(says("ada", "go 1,0"), Err("no edge joins (0, 0) and (1, 0)".to_owned()));
    assert_eq!(says("ada", "go 0,0"), Err("no edge joins (0, 0) and (0, 0)".to_owned()));
    assert_eq!(says("bo", "go 1,0"), Ok(()));
    assert_eq!(says("bo", "go 5,5"), Err("there is no vertex (5, 5)".to_owned()));
    assert_eq!(says("bo", "flip"), Ok(()));
    assert!(says("bo", "build 2,2 on 0,0 1,0").unwrap_err().contains("from nowhere"));
}

/// S47: a bridge stays, and in a Space in pieces every edge does. S48 to S50: what is added where.
#[test]
fn s47_to_s50_space_changes_are_legal_as_the_list_says() {
    let path = board(
        &["0,0", "1,0", "1,1", "5,5"],
        &[("0,0", "1,0"), ("1,0", "1,1"), ("1,1", "5,5")],
        &[("ada", "1,0", false)],
    );
    let says = |board: &Board, what: &str| board.legal(&"ada".into(), what.parse().unwrap());
    assert_eq!(says(&path, "cut 0,0"), Err("Space would not be connected after it".to_owned()));
    assert_eq!(says(&path, "link 0,0 1,1"), Ok(()));
    assert_eq!(says(&path, "link 0,0 1,0"), Err("an edge joins (0, 0) and (1, 0) already".to_owned()));
    assert!(says(&path, "link 0,0 5,5").unwrap_err().contains("not coordinatewise adjacent"));
    assert!(says(&path, "link 0,0 0,0").unwrap_err().contains("two different"));
    assert_eq!(says(&path, "build -9,40 on 0,0 1,0"), Ok(()));
    assert_eq!(says(&path, "build 5,5 on 0,0 1,0"), Err("there is a vertex (5, 5) already".to_owned()));
    let mut ring = path.clone();
    ring.space.set_edge(spot("0,0"), spot("1,1"), true);
    assert_eq!(says(&ring, "cut 0,0"), Ok(()));
    ring.space.set_vertex(spot("7,7"), Some(&space::GOD.into()));
    assert_eq!(says(&ring, "cut 0,0"), Err("Space would not be connected after it".to_owned()));
    assert_eq!(says(&ring, "build 8,8 on 0,0 1,0"), Ok(()));
}

const PATH: [&str; 5] = ["0,0", "1,0", "2,0", "3,0", "4,0"];
const STEPS: [(&str, &str); 4] = [("0,0", "1,0"), ("1,0", "2,0"), ("2,0", "3,0"), ("3,0", "4,0")];

/// E6: who may change eir mirror-state on a path, and two moves of which either makes the other illegal.
#[test]
fn e6_mirrors_on_a_path() {
    let of = |ada: &str, bo: &str, cy: &str, mirrored: bool| {
        board(&PATH, &STEPS, &[("ada", ada, false), ("bo", bo, false), ("cy", cy, mirrored)])
    };
    let may = |board: &Board, who: &str| board.legal(&who.into(), Move::Flip).is_ok();
    assert!(may(&of("2,0", "0,0", "4,0", false), "ada"));
    assert!(!may(&of("2,0", "0,0", "4,0", false), "bo"));
    assert!(!may(&of("2,0", "0,0", "3,0", false), "ada"));
    assert!(may(&of("2,0", "0,0", "3,0", true), "ada"));
    assert!(may(&of("2,0", "0,0", "nowhere", false), "ada"));
    let both = [("ada", "flip"), ("cy", "go 3,0")];
    assert_eq!(clash_of(&of("2,0", "0,0", "4,0", false), &both), Some(vec![0, 1]));
    let two = board(&PATH, &STEPS, &[("ada", "2,0", false), ("cy", "4,0", false)]);
    assert_eq!(clash_of(&two, &both), None);
    let corners = board(
        &["0,0", "1,0", "0,1"],
        &[("0,0", "1,0"), ("1,0", "0,1"), ("0,0", "0,1")],
        &[("ada", "0,0", false), ("bo", "1,0", false), ("cy", "0,1", false)],
    );
    assert_eq!(clash_of(&corners, &[("ada", "flip"), ("bo", "flip"), ("cy", "flip")]), None);
}

/// E7: three that clash although no two of them do, of either type.
#[test]
fn e7_three_clash_and_no_two_do() {
    let mirrors = board(&PATH, &STEPS, &[("ada", "2,0", false), ("bo", "nowhere", false), ("cy", "nowhere", false)]);
    let three = [("ada", "flip"), ("bo", "go 1,0"), ("cy", "go 0,0")];
    assert_eq!(clash_of(&mirrors, &three), Some(vec![0, 1, 2]));
    let star = board(
        &["1,1", "0,0", "2,0", "1,2"],
        &[("1,1", "0,0"), ("1,1", "2,0"), ("1,1", "1,2"), ("0,0", "2,0"), ("2,0", "1,2"), ("0,0", "1,2")],
        &[("ada", "0,0", false), ("bo", "2,0", false), ("cy", "1,2", false)],
    );
    let cuts = [("ada", "cut 1,1"), ("bo", "cut 1,1"), ("cy", "cut 1,1")];
    assert_eq!(clash_of(&star, &cuts), Some(vec![0, 1, 2]));
    for (board, moves) in [(&mirrors, three), (&star, cuts)] {
        for left_out in 0..3 {
            let two: Vec<_> =
                moves.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, sent)| *sent).collect();
            assert_eq!(clash_of(board, &two), None, "without {left_out}");
        }
    }
}

/// S61: a flip that is illegal by itself is the clash, whatever others do. One that others make illegal blames whose
/// moves are needed for it.
#[test]
fn s61_nobody_is_blamed_who_has_nothing_to_do_with_it() {
    let alone = board(&PATH, &STEPS, &[("ada", "0,0", false), ("bo", "1,0", false), ("cy", "2,0", false)]);
    let moves = [("ada", "flip"), ("bo", "go 2,0"), ("cy", "go 3,0")];
    assert_eq!(clash_of(&alone, &moves), Some(vec![0]));
    let joined = board(&PATH, &STEPS, &[("ada", "0,0", false), ("bo", "1,0", false), ("cy", "2,0", true)]);
    assert_eq!(clash_of(&joined, &[("bo", "flip"), ("ada", "flip"), ("cy", "flip")]), Some(vec![1, 2]));
}

/// E8, E9, E10: two removals that cut; one order only; two about one thing; two that are not.
#[test]
fn e8_to_e10_pairs_that_clash_and_pairs_that_do_not() {
    let triangle = [("0,0", "1,0"), ("1,0", "0,1"), ("0,0", "0,1")];
    let ring = board(&["0,0", "1,0", "0,1"], &triangle, &[("ada", "0,0", false), ("cy", "0,1", false)]);
    assert_eq!(clash_of(&ring, &[("ada", "cut 1,0"), ("cy", "cut 0,0")]), Some(vec![0, 1]));
    let path = board(&["0,0", "1,0", "0,1"], &triangle[..2], &[("ada", "1,0", false), ("bo", "1,0", false)]);
    assert!(clash_of(&path, &[("ada", "link 0,0 0,1"), ("bo", "cut 0,0")]).is_some());
    assert_eq!(clash_of(&path, &[("ada", "link 0,0 0,1"), ("bo", "link 0,1 0,0")]), Some(vec![0, 1]));
    let build = [("ada", "build 5,5 on 0,0 1,0"), ("bo", "build 5,5 on 1,0 0,1")];
    assert_eq!(clash_of(&path, &build), Some(vec![0, 1]));
    let apart = [("ada", "build 5,5 on 0,0 1,0"), ("bo", "build 6,6 on 1,0 0,1")];
    assert_eq!(clash_of(&path, &apart), None);
    let sent = sent(&apart);
    let one = in_order(&path, &sent, &[0, 1], &literally);
    assert!(one.is_some() && one == in_order(&path, &sent, &[1, 0], &literally));
}

/// S61: a removal that only another's addition would make legal blocks all; so does building on another's new vertex.
#[test]
fn s61_nobody_builds_on_what_another_does_at_the_same_time() {
    let path = board(&["0,0", "1,0"], &[("0,0", "1,0")], &[("ada", "1,0", false), ("bo", "1,0", false)]);
    let moves = [("ada", "build 1,1 on 0,0 1,0"), ("bo", "link 1,1 0,0")];
    assert_eq!(clash_of(&path, &moves), Some(vec![1]));
}

fn small() -> impl Strategy<Value = Board> {
    let place = prop_oneof![1 => Just(None), 4 => (0_usize..6).prop_map(Some)];
    let edges = proptest::collection::vec(proptest::bool::weighted(0.55), 15);
    let players = proptest::collection::vec((place, any::<bool>()), 2..7);
    (edges, players).prop_map(|(edges, players)| {
        let spots: Vec<Spot> = (0..3).flat_map(|x| (0..2).map(move |y| Spot { x, y })).collect();
        let mut space = Space::default();
        for spot in &spots {
            space.set_vertex(*spot, Some(&space::GOD.into()));
        }
        let pairs = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b)));
        for ((a, b), _) in pairs.zip(edges).filter(|(_, on)| *on) {
            space.set_edge(spots[a], spots[b], true);
        }
        let name = |index: usize| Id::from(format!("player/{index}"));
        let players = players.into_iter().enumerate();
        let players = players.map(|(index, (at, mirrored))| (name(index), (at.map(|at| spots[at]), mirrored)));
        Board { space, players: players.collect(), reach: Some(1.into()) }
    })
}

/// A move of a type for each player, most of them legal where they stand; some have none.
fn with_moves(on_space: bool) -> impl Strategy<Value = (Board, Vec<Sent>)> {
    (small(), proptest::collection::vec(any::<proptest::sample::Index>(), 6)).prop_map(move |(board, picks)| {
        let spots: Vec<Spot> = board.space.vertices().map(|(at, _)| at).collect();
        let mut moves = Vec::new();
        for (player, pick) in board.players.keys().zip(picks) {
            let mut all: Vec<Move> = match on_space {
                false => spots.iter().map(|at| Move::Go(*at)).chain([Move::Flip; 5]).collect(),
                true => {
                    let news = [Spot { x: 9, y: 9 }, Spot { x: 8, y: 8 }, Spot { x: 0, y: 0 }];
                    let pairs = spots.iter().flat_map(|a| spots.iter().map(move |b| (*a, *b)));
                    let cuts = spots.iter().flat_map(|at| [Move::Cut(*at); 6]);
                    let links = pairs.clone().map(|(a, b)| Move::Link(a, b));
                    cuts.chain(links).chain(pairs.flat_map(|(a, b)| news.map(|new| Move::Build(new, a, b)))).collect()
                }
            };
            // An illegal one settles the matter at once, so that few of them are tried.
            let legal: Vec<Move> =
                all.iter().copied().filter(|what| literally(&board, &(player.clone(), *what))).collect();
            if !legal.is_empty() && pick.index(12) != 0 {
                all = legal;
            }
            if pick.index(7) != 0 {
                moves.push((player.clone(), *pick.get(&all)));
            }
        }
        (board, moves)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// S61: what the test says is what trying all orders says, and what is to blame clashes without the rest.
    #[test]
    fn s61_the_test_is_what_all_orders_say(
        (board, moves) in prop_oneof![with_moves(true), with_moves(false)]
    ) {
        if moves.is_empty() {
            return Ok(());
        }
        let found = board.clash(&moves);
        prop_assert_eq!(found.is_none(), by_all_orders(&board, &moves), "{:?}", found);
        if let Some(clash) = found {
            let blamed: Vec<Sent> = clash.between.iter().map(|index| moves[*index].clone()).collect();
            prop_assert!(!by_all_orders(&board, &blamed), "{:?} clash by themselves", blamed);
        }
    }
}
