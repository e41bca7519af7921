//! Secrets on their way in: never from a channel, whole or in pieces by private message, and repeated nowhere.

use super::*;

/// A program, with a comment that would be known again.
const CODE: &str = "hush >+++>--->>+[>[+++[-]]+]";

/// All that anybody could read of what the bot keeps and says, but for the table of secrets.
async fn everything(bot: &Bot) -> String {
    let room = bot.hub.rooms()[0].id;
    let entries = bot.store.history(room, u64::MAX, 100).await.unwrap();
    entries.iter().map(|entry| format!("{entry:?}")).collect()
}

#[tokio::test]
async fn a_secret_in_a_public_channel_is_refused_and_not_repeated() {
    let mut bot = Bot::with_joust().await;
    let answer = bot.say("Ann #nomic", &format!("joust submit Alpha {CODE}")).await;
    reads(
        &answer,
        &["(privately) Others can read this channel", "in private", "(Submission, J15)", "joust submit NAME CODE"],
    );
    assert!(!answer.contains("hush") && !everything(&bot).await.contains("hush"));
    assert!(bot.told().await.is_empty());
    reads(&bot.say("Ann", "why").await, &["Others can read this channel"]);
}

#[tokio::test]
async fn a_program_in_private_is_taken_and_its_text_is_told_to_its_owner_only() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Ann", &format!("joust submit Alpha {CODE}")).await, &["(privately) Alpha is received"]);
    let told = bot.told().await.join("\n");
    reads(&told, &["Challenge 1: Alpha by Ann"]);
    assert!(!told.contains("hush") && !everything(&bot).await.contains("hush"));
    let (own, others) = (bot.say("Ann", "joust program Alpha").await, bot.say("Bob", "joust program Alpha").await);
    assert!(own.contains(CODE) && others.contains("Alpha by Ann") && !others.contains("hush"), "{own}\n{others}");
    let operators = bot.say("op", "joust program Alpha").await;
    assert!(!operators.contains("hush"), "not even a moderator, who is contestmaster: {operators}");
}

#[tokio::test]
async fn a_long_text_comes_in_pieces_by_private_message() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Ann", "joust submit Alpha").await, &["(privately) Send the text now", "“end text”", "cancel"]);
    assert_eq!(bot.say("Ann", "hush >+++>--->>").await, "");
    // What is said elsewhere meanwhile is a line of its own; so is what somebody else says.
    reads(&bot.say("Ann #nomic", "hill").await, &["The Hill"]);
    reads(&bot.say("Bob", "hill").await, &["The Hill"]);
    bot.wait("2026-11-18T12:30:00Z").await;
    reads(
        &bot.say("Ann", "help +[>[+++[-]]+]").await,
        &["(privately) Still collecting the text", "“help” was not done"],
    );
    // Once for each text is enough.
    assert_eq!(bot.say("Ann", "join").await, "");
    reads(&bot.say("Ann", "end text").await, &["Alpha is received at 2026-11-18 12:30 UTC"]);
    reads(&bot.say("Ann", "joust program Alpha").await, &["hush >+++>--->>\nhelp +[>[+++[-]]+]"]);
    assert!(!everything(&bot).await.contains("hush"));
    reads(&bot.say("Ann", "hill").await, &["The Hill"]);
}

/// What is done in a channel is begun there; its text comes in private, and the channel hears the whole.
#[tokio::test]
async fn a_long_text_of_a_public_act_comes_in_pieces_too() {
    let mut bot = Bot::with_joust().await;
    let asked = bot.say("op #nomic", "joust intend amend points").await;
    reads(&asked, &["(privately) Send the text now to the bot in private", "“end text”"]);
    reads(&bot.say("op #nomic", "hill").await, &["The Hill"]);
    assert_eq!(bot.say("op", "Nobody earns anything.").await, "");
    reads(&bot.say("op", "join").await, &["Still collecting the text", "“join” was not done"]);
    reads(&bot.say("op", "end text").await, &["Announced as notice 1"]);
    reads(&bot.told().await.join("\n"), &["#nomic: Notice 1: new text for POINTS", "+Nobody earns anything.", "+join"]);
    let seq = bot.seq("main");
    reads(&bot.say("Ann", &format!("history {seq}")).await, &["Words: joust intend", "Nobody earns anything. join"]);

    // In one message, too.
    let line = "joust intend amend revealing\nPrograms stay hidden,\nhowever old they are.";
    reads(&bot.say("op #nomic", line).await, &["Announced as notice 2"]);
    reads(&bot.told().await.join("\n"), &["+Programs stay hidden,", "+however old they are."]);
    // What was sent off as a whole has no further lines.
    let mut whole = bot.line("op #nomic", "joust intend amend points");
    whole.sent = Sent::Whole;
    reads(&bot.hear(whole).await, &["“joust intend” needs TEXT"]);
    reads(&bot.say("op #nomic", "joust intend repeal points at once").await, &["takes no text"]);
}

/// Seed 000, J34: what a submitter was told at the submission can be checked once the text is public.
#[tokio::test]
async fn the_hash_of_a_program_can_be_checked_by_anybody_who_may_read_it() {
    use sha2::{Digest as _, Sha256};
    let mut bot = Bot::with_joust().await;
    let received = bot.say("Ann", "joust submit Alpha \t hush >+\r\n[-] \n").await;
    let hash = received.lines().find_map(|line| line.split_once("which the journal has: ")).unwrap().1.to_owned();
    let hidden = bot.say("Bob", "joust program Alpha").await;
    assert!(hidden.contains(&hash) && !hidden.contains("Salt"), "{hidden}");
    bot.told().await;
    bot.say("Ann #nomic", "joust reveal Alpha").await;
    let announced = bot.told().await.join("\n");
    for shown in [announced, bot.say("Bob", "joust program Alpha").await] {
        reads(&shown, &["hush >+\n[-]\n", "Salt of its hash: "]);
        let salt = shown.split_once("Salt of its hash: ").unwrap().1.lines().next().unwrap();
        let checked = Sha256::new().chain_update(hex::decode(salt).unwrap()).chain_update("hush >+\n[-]").finalize();
        assert_eq!(hex::encode(checked), hash);
    }
}

#[tokio::test]
async fn a_text_in_pieces_is_given_up_by_word_and_by_time() {
    let mut bot = Bot::with_joust().await;
    bot.say("Ann", "joust submit Alpha").await;
    bot.say("Ann", CODE).await;
    reads(&bot.say("Ann", "Cancel").await, &["given up; nothing was sent"]);
    bot.say("Ann", "joust submit Alpha").await;
    bot.wait("2026-11-18T13:00:00Z").await;
    let answer = bot.say("Ann", CODE).await;
    reads(&answer, &["There is no command"]);
    assert!(!answer.contains('>'), "too late, it is a line that means nothing, and is not repeated: {answer}");
    reads(&bot.say("Ann", "show yours").await, &["programs"]);
    reads(&bot.say("Ann #nomic", "joust submit Alpha").await, &["is sent to the bot in private, with its CODE"]);
}

#[tokio::test]
async fn a_program_comes_as_a_file() {
    let mut bot = Bot::with_joust().await;
    let mut line = bot.line("Ann", "joust submit Alpha");
    line.attachments = vec![Attachment { name: "alpha.bf".to_owned(), bytes: CODE.as_bytes().to_vec() }];
    let shown = format!("{line:?}");
    assert!(!shown.contains("hush") && !shown.contains("joust submit"), "{shown}");
    reads(&bot.hear(line.clone()).await, &["Alpha is received"]);
    line.origin = "another".to_owned();
    line.text = "hill".to_owned();
    reads(&bot.hear(line.clone()).await, &["A file came with this, and the command takes none"]);
    line.text = "joust submit Beta >+".to_owned();
    reads(&bot.hear(line).await, &["A file came with this, and the command takes none"]);
}

/// Before somebody types a text line by line, the room that is to take it is there.
#[tokio::test]
async fn no_text_is_collected_for_a_room_that_is_not_there() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("Ann", "joust test @nosuchroom").await, &["There is no room called “nosuchroom”"]);
    reads(&bot.say("Ann", "hill").await, &["The Hill"]);
}

#[tokio::test]
async fn a_command_in_the_middle_of_a_text_is_said_to_be_a_part_of_it() {
    let mut bot = Bot::with_joust().await;
    bot.say("Ann", "joust submit Alpha").await;
    assert_eq!(bot.say("Ann", CODE).await, "");
    let answer = bot.say("Ann", "joust submit Beta >>>").await;
    reads(
        &answer,
        &["(privately) Still collecting the text for “joust submit", "Alpha", "“joust submit” was not done"],
    );
    assert!(!answer.contains(">>>"), "{answer}");
    assert_eq!(bot.say("Ann", "why").await, "", "it was said once");
    reads(&bot.say("Ann", "cancel").await, &["given up"]);
    reads(&bot.say("Ann", "hill").await, &["The Hill"]);
}
