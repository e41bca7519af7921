//! Offers: buttons outlive the state that they were made in, and the room.

use super::*;
use catalogue::Catalogue;
use port::Called;

impl Bot {
    /// Somebody takes what was offered at an entry.
    async fn takes(&mut self, who: &str, at: u64, text: &str) -> String {
        let called = hint::called(&hint::reference(Catalogue::all(), text).expect("it is a command"));
        let sent = Sent::Called(Called { offered: Some(at), ..called });
        let line = Line { sent, ..self.line(who, "") };
        self.hear(line).await
    }
}

#[tokio::test]
async fn an_offer_that_has_come_to_be_about_something_else_is_refused() {
    let mut bot = Bot::with_joust().await;
    bot.say("Ann", "joust submit Alpha <").await;
    bot.told().await;
    let first = bot.seq("main");
    // It did not enter the Hill, and its name goes to another program, which is nobody's business yet.
    bot.say("Ann", "joust submit Alpha < hush").await;
    bot.told().await;
    let stale = bot.takes("Ann #nomic", first, "joust reveal Alpha").await;
    reads(&stale, &["the program Alpha (#11)", "now it would be about the program Alpha (#12)"]);
    reads(&stale, &[&format!("offered at entry {first}"), "history"]);
    assert_eq!(bot.told().await, Vec::<String>::new());
    let last = bot.seq("main");
    reads(&bot.takes("Ann #nomic", last, "joust reveal Alpha").await, &["public now"]);
    // What its game refuses is told with the entry, too.
    let again = bot.takes("Ann #nomic", last, "joust reveal Alpha").await;
    reads(&again, &["is public since", &format!("offered at entry {last}")]);
}

#[tokio::test]
async fn an_offer_stands_while_other_things_happen() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "joust intend set weekly-programs 2").await;
    let offered = bot.seq("main");
    reads(&bot.told().await[0], &["Object: joust object 1"]);
    bot.say("Cy #nomic", "join").await;
    reads(&bot.takes("Bob #nomic", offered, "@main joust object 1").await, &["Your objection"]);
    reads(&bot.takes("Ann #nomic", offered, "@main joust object 1").await, &["Your objection"]);
}

#[tokio::test]
async fn an_offer_of_another_room_is_refused() {
    let mut bot = Bot::with_joust().await;
    for _ in 0..5 {
        bot.say("op #nomic", "joust adjudicate So be it.").await;
    }
    bot.say("op #nomic", "joust intend set weekly-programs 2").await;
    let offered = bot.seq("main");
    bot.say("op #nomic", "room close").await;
    bot.say("op #nomic", "room open joust next").await;
    bot.say("op #nomic", "joust intend set weekly-programs 2").await;
    reads(&bot.takes("Bob #nomic", offered, "joust object 1").await, &["was not offered in next"]);
    reads(&bot.takes("Bob #nomic", offered, "@main joust object 1").await, &["is closed"]);
}
