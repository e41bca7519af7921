//! Laws in a room of BlogNomic: a rule with a script adds a command, follows acts, bars them, and is shown.

use kernel::{Game, Num, Value, display::plain, viewer::Viewer};
use laws::testing::Room;
use serde_json::{Value as Json, json};

use super::game::BlogNomic;

fn open() -> Room<BlogNomic> {
    Room::open("zed", "2026-11-03T08:00:00Z", Default::default())
}

fn power(room: &Room<BlogNomic>) -> Num {
    let Value::Num(power) = room.value("robot/zed.power") else { panic!("Power is a number") };
    power
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
    let mut room = open();
    let said = room.does("zed", |d| kit::effects::carry_out(d, SOCKS, "a test", "").map(drop)).expect("it is done");
    assert!(said.iter().any(|line| line.contains("command “sock buy”")), "{said:?}");
    assert!(BlogNomic::mechanics().commands(&room.state).iter().any(|command| command.name == "sock buy"));

    let buy = |color: &str| json!({"law": {"act": "sock buy", "args": {"color": color}}});
    let before = power(&room);
    let said = room.act("zed", &buy("Black")).expect("it is bought");
    assert!(said.iter().any(|line| line.contains("buys a Black Sock")), "{said:?}");
    assert_eq!(&before - &power(&room), 8.into());

    let said = room.act("zed", &buy("Blue")).expect("it is bought");
    assert!(said.iter().any(|line| line.contains("there are two")), "{said:?}");
    let refusal = room.act("zed", &buy("Blue")).unwrap_err();
    assert!(refusal.say.contains("no more Socks"), "{refusal:?}");
    let page = BlogNomic::mechanics().show(&room.state, "socks", &Viewer::default()).expect("it is shown");
    assert!(plain(&page).contains("Black"), "{}", plain(&page));
}

fn propose(title: &str) -> Json {
    of_law("propose", json!({"title": title, "text": "Be kind."}))
}

/// A command of a law.
fn of_law(act: &str, args: Json) -> Json {
    json!({"law": {"act": act, "args": args}})
}

#[test]
fn a_law_follows_an_act_of_the_game_and_bars_another() {
    let mut room = open();
    room.law(
        "Meddling",
        r#"after("propose", |a| { a.by.power += 3; say(`${a.by} made ${a.title}`); });
        forbid("vote", |a| a.by.power > 10, "the mighty have no vote");
        forbid("leave", |a| true, "nobody leaves");"#,
    );
    let before = power(&room);

    let said = room.act("zed", &propose("Kindness")).expect("it is made");

    assert!(said.iter().any(|line| line.contains("zed made Kindness")), "{said:?}");
    assert_eq!(&power(&room) - &before, 3.into());
    let refusal = room.act("zed", &of_law("vote", json!({"on": "1", "vote": "FOR"}))).unwrap_err();
    assert!(refusal.say.contains("the mighty have no vote"), "{refusal:?}");
    room.act("zed", &json!("leave")).expect("no bar reaches whoever leaves");
}

#[test]
fn a_law_hears_of_what_passes_and_of_who_leaves() {
    let mut room = open();
    room.law(
        "Hearing",
        r#"after("pass", |a| { a.author.power = 99; say(`passed: ${a.proposal}`); });
        after("leave", |a| say(`farewell, ${a.by}`));"#,
    );
    room.act("zed", &propose("Kindness")).expect("it is made");
    room.act("zed", &of_law("vote", json!({"on": "1", "vote": "FOR"}))).expect("it is cast");

    let said = room.act("zed", &of_law("admin enact", json!({"proposal": "1"}))).expect("it is enacted");

    assert!(said.iter().any(|line| line.contains("passed: Proposal 1")), "{said:?}");
    assert_eq!(power(&room), 99.into());
    let said = room.act("zed", &json!("leave")).expect("it leaves");
    assert!(said.iter().any(|line| line.contains("farewell, zed")), "{said:?}");
}

#[test]
fn days_and_weeks_begin_in_the_zone_of_the_room() {
    let mut room = open();
    let midnight = |room: &Room<BlogNomic>| {
        BlogNomic::mechanics().next_due(&room.state).filter(|due| &*due.key == "law-midnight").map(|due| due.at)
    };
    assert_eq!(midnight(&room), None, "no day is due where no law waits for one");
    room.law(
        "Days",
        r#"at("start of week", || say("a week begins"));
        at("start of day", [4, 9], || say(`it is the ${clock().date}`));
        at("end of day", || say("a day ends"));"#,
    );

    assert!(midnight(&room).is_some());

    let mut said = room.to("2026-11-09T12:00:00Z");

    // The 4th to the 9th begin; the 9th is a Monday. Of one instant, ends come first, then rules as they are written.
    said.retain(|line| ["a day ends.", "a week begins."].contains(&&**line) || line.starts_with("it is the"));
    let end = "a day ends.";
    assert_eq!(said, [end, "it is the 4.", end, end, end, end, end, "a week begins.", "it is the 9."]);
}

/// Between two lines of a body the rules are read anew.
#[test]
fn a_body_is_done_line_by_line() {
    open().is_done_line_by_line("robot", "zed", "", false);
}
