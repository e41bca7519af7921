//! What laws cost: acts that they have nothing to do with, a midnight for which many of them wait, and the worst of one.

use ::laws::testing::Room;
use blognomic::BlogNomic;
use bnomic::BNomic;
use kernel::{
    Game as _, Id,
    world::{Attr, Op},
};
use serde_json::json;

use crate::measure::{Bench, Row, Times};

/// How many laws a room has.
const LAWS_COUNT: usize = 60;
/// How often an act is done.
const ROUNDS: usize = 2_000;
/// How many midnights pass.
const MIDNIGHTS_COUNT: usize = 50;

fn open() -> Room<BlogNomic> {
    Room::open("zed", "2026-11-03T08:00:00Z", Default::default())
}

/// A law with a command, a follower, a bar and a trigger of its own.
fn law(number: usize) -> String {
    format!(
        "define(\"a{number} of robot: whole number\");\n\
         action(\"act{number}\", [\"n: whole number\"], |a| {{ a.by.a{number} += a.n; }});\n\
         after(\"act{number}\", |a| say(\"heard\"));\nforbid(\"act{number}\", |a| a.n > 5, \"too much\");\n\
         at(\"start of day\", || {{ for p in players() {{ p.a{number} += 1; }} }});"
    )
}

/// What the worst law takes: all the operations of an act, in ever so many copies.
const WORST: &str = "action(\"worst\", [], |a| { let l = []; l.pad(900, 1); loop { let k = l; k.sort(); } });";

/// How many Players the room of B Nomic has.
const PLAYERS_COUNT: usize = 50;
/// How many Devices, of which each is somebody's.
const DEVICES_COUNT: usize = 500;

/// All ministries, without whose Ministers the Clock stays Off.
const MINISTRIES: &str = "Business, Change, Fauna, Foreign Relations, Goods, Judging, Laundry, Law, Ministry, Play, \
                          Questions, Society, Time";

/// Whose a Device is.
const OWNER: Attr<Id> = Attr::new("owner");
/// What a Device can do.
const TEXT: Attr<String> = Attr::new("text");

/// A power that each Device has at each midnight.
const POWER: &str = "It dawns.\n\n```law\npart(\"Dawn\", #{at: \"start of nday\"}, |a| { a.by.score += 1; });\n```";

/// A room of B Nomic with all of its laws, many Players and many objects of a text, with the Clock On.
fn crowded(text: &str) -> Room<BNomic> {
    let names: Vec<String> = (1..PLAYERS_COUNT).map(|number| format!("Player{number}")).collect();
    let founders = [("founders".to_owned(), names.join(", ").into())].into_iter().collect();
    let mut room = Room::open("Player0", "2026-11-01T08:00:00Z", founders);
    for name in &names {
        room.act(name, &json!({"join": {"name": name}})).expect("founders are Players at once");
    }
    let devices = |d: &mut kernel::Draft<'_, BNomic>| {
        for number in 0..DEVICES_COUNT {
            let device = Id::from(format!("device/{number}"));
            d.op(Op::Create { obj: device.clone(), kind: "device".into() });
            d.set(&OWNER, &device, Id::from(format!("player/player{}", number % PLAYERS_COUNT)));
            d.set(&TEXT, &device, text.to_owned());
        }
        Ok(())
    };
    room.does("Player0", devices).expect("the rules know devices");
    room.act("Player0", &json!({"take": {"ministry": MINISTRIES}})).expect("all are vacant");
    room.act("Player0", &json!("clock_on")).expect("nobody but Player0 is a Minister");
    room
}

/// A proposal that changes nothing.
fn proposed(title: &str) -> serde_json::Value {
    json!({"law": {"act": "propose", "args": {"title": title, "text": "It is so."}}})
}

/// A vote, which players change all the time: with all that follows and settles, but for the disk.
fn votes(bench: &Bench, room: &mut Room<BlogNomic>) -> Times {
    let choices = ["FOR", "AGAINST"].map(|choice| json!({"law": {"act": "vote", "args": {"on": "1", "vote": choice}}}));
    let mut turns = choices.iter().cycle();
    Times::of(bench.rounds(ROUNDS), || {
        turns.next().map(|vote| room.act("zed", vote).expect("whoever proposed may vote as well"));
    })
}

/// A proposal that is refused in the end: its dry run asks each law what would become of it.
fn proposals(bench: &Bench, room: &mut Room<BlogNomic>) -> Times {
    let mut titles = 0;
    Times::of(bench.rounds(ROUNDS), || {
        titles += 1;
        let propose = proposed(&titles.to_string());
        // The queue of one author is short.
        let _answer = room.does("zed", |d| {
            BlogNomic::mechanics().take(&propose, d).map(drop)?;
            Err(kernel::Refusal::new("it is only measured"))
        });
    })
}

pub(crate) fn rows(bench: &Bench) -> Vec<Row> {
    let mut room = open();
    room.act("zed", &proposed("One")).expect("the queue is empty");
    let (vote, proposal) = (votes(bench, &mut room), proposals(bench, &mut room));
    for number in 0..LAWS_COUNT {
        room.law(&format!("Law {number}"), &law(number));
    }
    let (vote_beside, proposal_beside) = (votes(bench, &mut room), proposals(bench, &mut room));
    let mut day = 3;
    let midnights = Times::of(bench.rounds(MIDNIGHTS_COUNT).min(25), || {
        day += 1;
        room.to(&format!("2026-11-{day:02}T08:00:00Z"));
    });
    let mut worst = open();
    worst.law("Worst", WORST);
    let worst = Times::of(bench.rounds(20), || {
        let _answer = worst.does("zed", |d| {
            let command = json!({"law": {"act": "worst", "args": {}}});
            BlogNomic::mechanics().take(&command, d).map(drop)?;
            Err(kernel::Refusal::new("it is only measured"))
        });
    });
    let [crowded, powerful] = ["", POWER].map(|text| {
        let (mut crowd, mut day) = (crowded(text), 1);
        Times::of(bench.rounds(MIDNIGHTS_COUNT).min(25), || {
            day += 1;
            crowd.to(&format!("2026-11-{day:02}T08:00:00Z"));
        })
    });
    vec![
        vote.row("a vote in a room without laws"),
        vote_beside.row("the same beside 60 laws that do not hook it").ratio_to("one without", &vote),
        proposal.row("a proposal with its dry run in a room without laws"),
        proposal_beside.row("the same beside 60 laws, each of which is asked").ratio_to("one without", &proposal),
        midnights.row("a midnight for which 60 laws wait"),
        crowded.row("a midnight of B Nomic with 50 Players and 500 Devices"),
        powerful.row("the same where each Device has a power that it triggers"),
        worst.row("a law that takes all it may, in copies of a list"),
    ]
}
