//! Worlds in which attributes of one name belong to several kinds.

use proptest::prelude::*;

use super::*;

fn color(scope: &str, first: &str) -> AttrDef {
    let range = Range::OneOf(vec![first.to_owned(), "grey".to_owned()]);
    AttrDef { id: "color".into(), scope: scope.into(), range, default: Value::Text(first.to_owned()), by: None }
}

fn text(of: &str) -> Value {
    Value::Text(of.to_owned())
}

/// A sock, a proposal and a device, with the definitions of a color that are given, each beside those before it.
fn world(defs: &[AttrDef]) -> World {
    let mut world = World::default();
    for kind in ["sock", "proposal", "device"] {
        world.apply(&Op::Create { obj: format!("{kind}/one").into(), kind: kind.into() }, 1);
    }
    for def in defs {
        let op = Op::Define(def.clone());
        world.apply(&op, 1);
    }
    world
}

fn colors(world: &World) -> [Value; 3] {
    ["sock/one", "proposal/one", "device/one"].map(|obj| world.value(&Path::new(obj, "color")))
}

fn scopes(world: &World) -> Vec<&str> {
    world.defs().map(|def| &*def.scope).collect()
}

#[test]
fn two_kinds_have_attributes_of_one_name() {
    let mut world = world(&[color("sock", "pink"), color("proposal", "blue")]);
    assert_eq!(colors(&world), [text("pink"), text("blue"), Value::Null]);
    assert!(world.def("color", "sock").unwrap().range.holds(&text("pink")));
    assert!(!world.def("color", "proposal").unwrap().range.holds(&text("pink")));
    assert_eq!(world.def("color", "device"), None);

    let was = world.value(&Path::new("sock/one", "color"));
    world.apply(&Op::Set { at: Path::new("sock/one", "color"), to: text("grey"), was }, 1);
    assert_eq!(colors(&world), [text("grey"), text("blue"), Value::Null]);

    world.apply(&Op::Undefine(color("proposal", "blue")), 1);
    assert_eq!(colors(&world), [text("grey"), Value::Null, Value::Null]);
    assert_eq!(scopes(&world), ["sock"]);
}

#[test]
fn what_everything_has_gives_way_to_what_a_kind_has() {
    let world = world(&[color("object", "white"), color("sock", "pink")]);
    assert_eq!(colors(&world), [text("pink"), text("white"), text("white")]);
    let [of_all, of_socks] = world.named("color") else { panic!("{:?}", world.named("color")) };
    assert_eq!(world.having(of_all).map(|obj| &**obj).collect::<Vec<_>>(), ["proposal/one", "device/one"]);
    assert_eq!(world.having(of_socks).map(|obj| &**obj).collect::<Vec<_>>(), ["sock/one"]);
    assert_eq!(world.defs_for("sock").collect::<Vec<_>>(), [of_socks]);
}

#[test]
fn a_definition_replaces_those_that_share_a_kind_with_it() {
    let several = [color("sock", "pink"), color("proposal", "blue"), color("device", "red")];
    let joined = world(&[&several[..], &[color("proposal or sock", "white")]].concat());
    assert_eq!(scopes(&joined), ["device", "proposal or sock"]);
    assert_eq!(colors(&joined), [text("white"), text("white"), text("red")]);
    let parted = world(&[color("proposal or sock", "white"), color("sock", "pink")]);
    assert_eq!(colors(&parted), [text("pink"), Value::Null, Value::Null]);
}

#[test]
fn a_difference_tells_each_definition_by_itself() {
    let before = world(&[color("sock", "pink"), color("proposal", "blue")]);
    let after = world(&[color("device or sock", "pink"), color("object", "white")]);
    let told: Vec<(Option<Id>, Option<Id>)> = after
        .since(&before)
        .into_iter()
        .map(|difference| match difference {
            Difference::Def { was, now } => (was.map(|def| def.scope), now.map(|def| def.scope)),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        (Some("proposal".into()), None),
        (Some("sock".into()), Some("device or sock".into())),
        (None, Some("object".into())),
    ];
    assert_eq!(told, expected);
    assert_eq!(before.called(&before.named("color")[0]), "color of proposal");
    let alone = world(&[color("sock", "pink")]);
    assert_eq!(alone.called(&alone.named("color")[0]), "color");
}

/// Something that happens to a world, by numbers: which kind of thing, of what, with what.
type Step = (u8, usize, usize);

/// A world in which things came, went, were defined and were set.
fn played(steps: &[Step]) -> World {
    const KINDS: [&str; 3] = ["sock", "proposal", "device"];
    const SCOPES: [&str; 6] = ["sock", "proposal", "device", "proposal or sock", "device or sock", "object"];
    const NAMES: [&str; 2] = ["color", "weight"];
    let mut world = World::default();
    for (seq, (what, of, with)) in (1..).zip(steps) {
        let obj: Id = format!("thing/{}", of % 4).into();
        let at = Path::new(obj.clone(), NAMES[with % 2]);
        let is_there = world.exists(&obj);
        let def = AttrDef { id: NAMES[of % 2].into(), ..color(SCOPES[with % 6], ["pink", "blue"][of / 2 % 2]) };
        let op = match what % 5 {
            0 if !is_there => Op::Create { obj, kind: KINDS[with % 3].into() },
            1 if is_there => {
                let was = world.values_of(&obj).map(|(at, value)| (at.clone(), value.clone())).collect();
                Op::Destroy { kind: world.kind(&obj).unwrap().clone(), obj, was }
            }
            2 if is_there => Op::Set { was: world.value(&at), at, to: text(["grey", "pink"][with / 2 % 2]) },
            3 => Op::Define(def),
            4 => Op::Undefine(def),
            _ => continue,
        };
        // Entries of several steps.
        world.apply(&op, seq / 3);
    }
    world
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..5_u8, 0..8_usize, 0..12_usize), 0..24)
}

proptest! {
    /// What leads from one world to another gives that other, whatever they share.
    #[test]
    fn what_leads_to_a_world_gives_it(shared in steps(), here in steps(), there in steps()) {
        let from = played(&[&shared[..], &here[..]].concat());
        let to = played(&[&shared[..], &there[..]].concat());
        let mut led = from.clone();
        from.leading_to(&to).iter().for_each(|op| led.apply(op, 99));
        prop_assert_eq!(&led, &to);
        prop_assert!(from.since(&from).is_empty() && to.leading_to(&led).is_empty());
    }

    /// Objects are the oldest first, and what an undo brings back is as old as it was.
    #[test]
    fn lists_are_in_the_order_in_which_things_came(kinds in prop::collection::vec(0..3_usize, 1..20), gone in any::<prop::sample::Index>()) {
        const KINDS: [&str; 3] = ["sock", "proposal", "device"];
        let mut world = World::default();
        let mut came: Vec<(Id, &str)> = Vec::new();
        for (place, kind) in kinds.into_iter().enumerate() {
            // Later ones have names that come before.
            let (obj, kind) = (Id::from(format!("thing/{:02}", 99 - place)), KINDS[kind]);
            world.apply(&Op::Create { obj: obj.clone(), kind: kind.into() }, 1 + place as u64 / 4);
            came.push((obj, kind));
        }
        let all = |world: &World| world.objects().cloned().collect::<Vec<_>>();
        let expected: Vec<Id> = came.iter().map(|(obj, _)| obj.clone()).collect();
        prop_assert_eq!(all(&world), expected.clone());
        for kind in KINDS {
            let of: Vec<&Id> = came.iter().filter(|(_, known)| *known == kind).map(|(obj, _)| obj).collect();
            prop_assert_eq!(world.of_kind(kind).collect::<Vec<_>>(), of);
        }
        let (obj, kind) = gone.get(&came).clone();
        let mut without = world.clone();
        without.apply(&Op::Destroy { obj: obj.clone(), kind: kind.into(), was: Vec::new() }, 50);
        without.apply(&Op::Create { obj: "thing/00".into(), kind: kind.into() }, 51);
        prop_assert_eq!(all(&without).pop(), Some("thing/00".into()));
        without.leading_to(&world).iter().for_each(|op| without.apply(op, 52));
        prop_assert_eq!(all(&without), expected);
    }

    /// Each kind has one definition of a name at most, and a world is read as it is written.
    #[test]
    fn no_two_definitions_of_a_name_share_a_kind(steps in steps()) {
        let world = played(&steps);
        for name in ["color", "weight"] {
            let named = world.named(name);
            for (index, def) in named.iter().enumerate() {
                prop_assert!(named[index + 1..].iter().all(|other| !other.shares(&def.scope)));
            }
        }
        let written = serde_json::to_string(&world).unwrap();
        prop_assert_eq!(serde_json::from_str::<World>(&written).unwrap(), world);
    }
}
