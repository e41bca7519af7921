//! Laws in a room of BlogNomic: a rule with a script adds a command, follows acts, bars them, and is shown.

use kernel::{
    Draft, Instant, Mechanics, State, Value,
    dice::{Dice, SEED_BYTES, Seed},
    display::plain,
    engine::{Context, Engine, Table},
    frame::ClockMode,
    game::{Deed, Doer, Game, Moderation, Viewer},
};
use serde_json::json;

use super::game::BlogNomic;

fn doer(name: &str) -> Doer {
    Doer { person: name.into(), name: name.to_owned() }
}

fn open() -> State<BlogNomic> {
    let context = Context {
        now: Instant::UNIX_EPOCH,
        seed: Seed([1; SEED_BYTES]),
        fresh: Seed([2; SEED_BYTES]),
        salt: [0; 16],
        opened: Default::default(),
        would_be: Vec::new(),
        fixed: Default::default(),
    };
    let open = Moderation::Open {
        name: "main".to_owned(),
        clock: ClockMode::Live,
        zone: "UTC".to_owned(),
        forum: None,
        options: Default::default(),
    };
    let step = Engine::<BlogNomic>::default().decide(Deed::Moderate { by: doer("zed"), act: open }, &context);
    let mut engine = Engine::<BlogNomic>::default();
    engine.fold(&step.expect("it opens").entry.expect("an entry")).expect("it folds");
    engine.state().clone()
}

/// Does something in a room, with what follows; what was announced, and the room.
fn does(
    state: &State<BlogNomic>,
    something: impl FnOnce(&mut Draft<'_, BlogNomic>),
) -> (Vec<String>, State<BlogNomic>) {
    let mut dice = Dice::new(Seed([1; SEED_BYTES]), state.seq + 1, Default::default());
    let mut d = Draft::new(state.clone(), state.at, doer("zed"), true, &mut dice, [0; 16]);
    something(&mut d);
    assert!(mechanics().settle_all(&mut d));
    let said = d.said().iter().map(|say| plain(&say.document)).collect();
    (said, d.finish().state)
}

fn mechanics() -> &'static Mechanics<BlogNomic> {
    BlogNomic::mechanics()
}

const SOCKS: &str = r#"=> create rule "Socks":
~~~~
There are Socks, and a Sock costs [8](#sock-price) Power.

```law
let colors = "one of Blue, Black";
kind("sock");
define(`color of sock: ${colors}`);
define("holder of sock: a robot");
action("sock buy", [`color: ${colors}`], |a| {
    a.by.power -= number("sock-price");
    let sock = create("sock", #{color: a.color, holder: a.by});
    say(`${a.by} buys a ${a.color} Sock`);
});
after("new sock", |a| if count("sock") == 2 { say("there are two") });
forbid("sock buy", |a| count("sock") >= 2, "there are no more Socks");
display("socks", "Socks", |me| table(all("sock"), ["name", "color", "holder"]));
```
~~~~
"#;

#[test]
fn a_rule_with_a_law_adds_a_command() {
    let (said, state) = does(&open(), |d| {
        kit::effects::carry_out(d, SOCKS, "a test", "").expect("it is done");
    });
    assert!(said.iter().any(|line| line.contains("command “sock buy”")), "{said:?}");
    assert_eq!(mechanics().commands(&state).len(), 1);

    let buy = |color: &str| json!({"law": {"act": "sock buy", "args": {"color": color}}});
    let power = |state: &State<BlogNomic>| state.world.value(&"robot/zed.power".parse().unwrap());
    let before = power(&state);
    let (said, state) = does(&state, |d| drop(mechanics().take(&buy("Black"), d).expect("it is bought")));
    assert!(said.iter().any(|line| line.contains("buys a Black Sock")), "{said:?}");
    let (Value::Num(before), Value::Num(after)) = (before, power(&state)) else { panic!("Power is a number") };
    assert_eq!(&before - &after, 8.into());

    let (said, state) = does(&state, |d| drop(mechanics().take(&buy("Blue"), d).expect("it is bought")));
    assert!(said.iter().any(|line| line.contains("there are two")), "{said:?}");
    let (_, state) = does(&state, |d| {
        let refusal = mechanics().take(&buy("Blue"), d).unwrap_err();
        assert!(refusal.say.contains("no more Socks"), "{refusal:?}");
    });
    let page = mechanics().show(&state, "socks", &Viewer::default()).expect("it is shown");
    assert!(plain(&page).contains("Black"), "{}", plain(&page));
}
