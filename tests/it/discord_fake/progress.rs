//! Answers about something that goes on: changed until it is over, and not said anew.

use std::sync::atomic::{AtomicUsize, Ordering};

use kernel::display::Document;
use port::{Reply, ReplyKind};

use super::{CHANNEL, GUILD, ann, bob, threads::start};
use crate::fakes::{
    desk::TestDesk,
    discord::{Fake, Fault},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_about_something_that_goes_on_is_changed_until_it_is_over() {
    let fake = Fake::start().await;
    fake.guild(GUILD, &[CHANNEL]);
    let asked = AtomicUsize::new(0);
    let (desk, mut ear) = TestDesk::new(move |_| {
        let played = asked.fetch_add(1, Ordering::Relaxed).min(4);
        let text = format!("{played} of 4 matches are played.");
        let document = Document { under_way: played < 4, ..Document::titled("queue", "What waits").para(text) };
        vec![Reply { kind: ReplyKind::Shown, private: false, document, file: None }]
    });
    let bot = start(&fake, &desk);
    fake.registered(GUILD, "rooms").await;
    fake.fault("PATCH", "/messages/@original", Fault::Status(502, 0), 1);
    let token = fake.slash(&ann(), CHANNEL, "rooms", &[]);
    fake.sees(&bob(), CHANNEL, "4 of 4 matches").await;
    assert_eq!(fake.state().texts(CHANNEL, bob().id).len(), 1, "one message, changed");
    assert!(fake.state().interactions[&token].original.is_some());
    // Each time it was asked for as another line: none of them could be taken for one that was heard before.
    let mut origins = std::collections::BTreeSet::new();
    for _ in 0..5 {
        origins.insert(ear.line().await.origin);
    }
    assert_eq!(origins.len(), 5);
    bot.stop().await;
    assert!(ear.heard_nothing(), "it is over");
    fake.check();
}
