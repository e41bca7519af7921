//! Rulebooks that a moderator brings along when a room is opened.

use super::*;

/// A page of a wiki with number words, furniture, and a source laid out oddly.
const PAGE: &str = include_str!("../../rehearsals/blognomic/scenes/ruleset.wiki");

fn file(bytes: &[u8]) -> Vec<Attachment> {
    vec![Attachment { name: "rules.txt".to_owned(), bytes: bytes.to_vec() }]
}

/// What a file of these bytes is refused with.
async fn refused(bot: &mut Bot, bytes: &[u8]) -> String {
    let answer = bot.say_with("op #nomic", "room open blognomic main", file(bytes)).await;
    assert!(bot.hub.rooms().is_empty(), "{answer}");
    assert_eq!(bot.told().await, Vec::<String>::new());
    answer
}

#[tokio::test]
async fn the_first_entry_holds_the_whole_rulebook() {
    let mut bot = Bot::new().await;
    let answer = bot.say_with("op #nomic", "room open blognomic main sure:yes", file(PAGE.as_bytes())).await;
    reads(&answer, &["18 rules were read", "44 of 48 figures", "page furniture"]);
    let told = bot.told().await.join("\n");
    assert!(!told.contains("law of the factory"), "the file is not repeated: {told}");
    let history = bot.say("op", "history").await;
    assert!(!history.contains("twenty-four hours"), "{history}");
    reads(&bot.say("Ann #nomic", "rule 5").await, &["Quorum is half the number", "half", "quorum-divisor"]);
    // The file is gone: the first entry holds all of it, once, and a room folded from its journal is the same.
    let room = bot.hub.rooms()[0].id;
    let first = bot.store.entry(room, 1).await.expect("the journal can be read").expect("the room is open");
    assert_eq!(first.json.matches("law of the factory").count(), 1);
    let said = first.said.expect("it was typed").text;
    assert!(said.contains("(a file of") && !said.contains("fewer than"), "{said}");
    bot.restart().await;
    reads(&bot.say("Ann #nomic", "rule 5").await, &["Quorum is half the number", "half", "quorum-divisor"]);
    reads(&bot.say("Ann #nomic", "show mcp").await, &["PRODUCT", "RECHARGE"]);
}

/// Rules from outside are shown first, and nothing stays of that; then the room opens by what was shown.
#[tokio::test]
async fn a_zip_is_shown_and_then_opened() {
    let club = laws::shipped::files("club").expect("it comes with the program");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, text) in club {
        zip.start_file(format!("club/{path}"), zip::write::SimpleFileOptions::default()).expect("a file of it");
        std::io::Write::write_all(&mut zip, text.as_bytes()).expect("it is in memory");
    }
    let zip = zip.finish().expect("a zip").into_inner();
    let mut bot = Bot::new().await;
    let shown = bot.say_with("op #nomic", "room open nomic main clock:manual", file(&zip)).await;
    reads(&shown, &["Nothing is open yet", "room open nomic main sure:yes", "Club: 7 rules are in force"]);
    reads(&shown, &["the command “propose” begins", "the display “season” begins", "“after votes end” begins"]);
    assert!(!shown.contains("Look at this again"), "{shown}");
    let kept = bot.store.rooms().await.expect("the store is open");
    assert!(kept.is_empty() && bot.hub.rooms().is_empty() && bot.told().await.is_empty());
    reads(&bot.say("Ann #nomic", "join").await, &["No room is bound to this channel"]);
    // Only who was shown them, and only under that name.
    reads(&bot.say("op #nomic", "room open nomic other sure:yes").await, &["You were shown no rules"]);
    reads(&bot.say("op #nomic", "room open nomic main sure:yes").await, &["Club: 7 rules are in force"]);
    reads(&bot.say("op #nomic", "room settings").await, &["clock: manual", "net/#nomic"]);
    bot.restart().await;
    reads(&bot.say("Ann #nomic", "rule 3").await, &["3. Votes"]);
}

/// Whatever is wrong with rules is told in a sentence, and opens nothing; what is only unwise is told as well.
#[tokio::test]
async fn what_is_wrong_with_rules_is_told_before_a_room_opens() {
    let law = |law: &str| format!("# 1 Words\nWords.\n```law\n{law}\n```\n");
    let many: String = (1..=10_000).map(|number| format!("# {number} R{number}\nx\n```law\n```\n")).collect();
    for (text, told) in [
        (
            law("action(\"x\" [], |a| 1);"),
            "The law of Words cannot be read, and would do nothing: line 1, character 13",
        ),
        (law("action(\"help\", #{help: \"x\"}, [], |a| 1);"), "“help” of Words would rest, and nobody could reach it"),
        (law("let x = 1;"), "Nobody could become a player"),
        (law("after(\"join\", |a| admit(a.by));"), "Players could not change rules any more"),
        (law("") + "# 1 Twice\nx\n", "the rule of line 1 has the number 1 already"),
        (law("") + format!("# 2 {}\nx\n", "A".repeat(300)).as_str(), "a title has at most 120 characters"),
        (many, "500 is the most"),
        ("#REDIRECT [[Ruleset]]\n".to_owned(), "only leads to another; give that one"),
    ] {
        let mut bot = Bot::new().await;
        let answer = bot.say_with("op #nomic", "room open nomic main", file(text.as_bytes())).await;
        reads(&answer, &[told]);
        assert!(bot.hub.rooms().is_empty() && bot.told().await.is_empty(), "{answer}");
    }
}

#[tokio::test]
async fn what_is_no_rulebook_is_refused_with_its_lines() {
    let mut bot = Bot::new().await;
    reads(&refused(&mut bot, b"nothing but prose.\n").await, &["line 1: no heading stands in this file"]);
    let twice = PAGE.replace("== 4. Voting ==", "== 3. Proposals ==");
    reads(&refused(&mut bot, twice.as_bytes()).await, &["“Proposals” stands in line", "already"]);
    let empty = PAGE.replace("FOR, AGAINST or DEFERENTIAL; the last vote of each Robot counts.", "");
    reads(&refused(&mut bot, empty.as_bytes()).await, &["line 24: nothing stands under “Voting”"]);
    // Binary, Latin-1, UTF-16.
    reads(&refused(&mut bot, b"\x7fELF\x02\x01\x01\0\0\0\n== A ==\nx\n").await, &["line 1", "control characters"]);
    reads(&refused(&mut bot, b"== A ==\nna\xefve\n").await, &["line 2: it holds bytes that are no UTF-8"]);
    let wide: Vec<u8> = PAGE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    reads(&refused(&mut bot, &wide).await, &["line 1", "control characters"]);
    // Larger than a rulebook, larger than any file.
    reads(&refused(&mut bot, "x".repeat(300_000).as_bytes()).await, &["300000", "262144"]);
    reads(&refused(&mut bot, "x".repeat(10_000_000).as_bytes()).await, &["10000000 bytes", "1048576"]);
    // Nothing of that stays: the room opens with the right file.
    reads(&bot.say_with("op #nomic", "room open blognomic main sure:yes", file(PAGE.as_bytes())).await, &["18 rules"]);
}

#[tokio::test]
async fn a_phrase_that_is_missing_leaves_its_figure_to_people_until_it_is_bound() {
    let mut bot = Bot::new().await;
    let page = PAGE
        .replace("longer than forty-eight hours", "some forty-eight hours")
        .replace("== 13. Virus! ==", "== 13. Fever ==");
    let answer = bot.say_with("op #nomic", "room open blognomic main sure:yes", file(page.as_bytes())).await;
    reads(&answer, &["18 rules", "39 of 48 figures", "played by hand", "No rule is on virus"]);
    reads(
        &answer,
        &[
            "number of hours after which a Proposal is over time",
            "no Proposal is ever over time",
            "rule bind 7 timeout-hours",
        ],
    );
    reads(&bot.say("op", "rule bind 7 timeout-hours \"forty-eight hours\"").await, &["is “forty-eight”"]);
    reads(&bot.say("op", "rule bind 2 idle-weeks \"a week\"").await, &["bound so already"]);
    // Only moderators open rooms, and the joust has a contract of its own.
    reads(&bot.say_with("Ann #other", "room open blognomic second", file(PAGE.as_bytes())).await, &["Only moderators"]);
    reads(&bot.say_with("op #other", "room open joust second", file(PAGE.as_bytes())).await, &["no option “rulebook”"]);
}

/// A program that cannot be read leaves everything else to play.
#[tokio::test]
async fn a_source_that_cannot_be_read_is_told() {
    let mut bot = Bot::new().await;
    let page = PAGE.replace("// Make things, if there is Power for it", "if (power(self > 50 {");
    let answer = bot.say_with("op #nomic", "room open blognomic main sure:yes", file(page.as_bytes())).await;
    reads(&answer, &["18 rules", "played by hand", "The Master Control Program cannot be run", "line 1, column"]);
    reads(&bot.say("op #nomic", "mcp PRODUCT").await, &["cannot be read at line 1"]);
}

/// However long, deep or endless a source is: the room opens, the rest is played, and a run changes nothing.
#[tokio::test]
async fn a_source_beyond_all_bounds_is_told_and_never_run() {
    let head = "// Make things, if there is Power for it";
    for (source, told) in [
        ("power(self) = power(self) + 1\n".repeat(100_000 / 30), "the source is longer than"),
        (format!("{}{}", "if (1 = 1) {".repeat(1000), "}".repeat(1000)), "brackets inside one another"),
    ] {
        let mut bot = Bot::new().await;
        let page = PAGE.replace(head, &source);
        let answer = bot.say_with("op #nomic", "room open blognomic main sure:yes", file(page.as_bytes())).await;
        reads(&answer, &["18 rules", "The Master Control Program cannot be run", told]);
        reads(&bot.say("op #nomic", "mcp").await, &[told]);
        reads(&bot.say("op #nomic", "robots").await, &["op", "50"]);
    }
    let mut bot = Bot::new().await;
    let endless = format!("X = 10{}", " X = X * X".repeat(100));
    let answer = bot
        .say_with("op #nomic", "room open blognomic main sure:yes", file(PAGE.replace(head, &endless).as_bytes()))
        .await;
    assert!(!answer.contains("cannot be run"), "{answer}");
    reads(&bot.say("op #nomic", "mcp").await, &["The run stops and changes nothing"]);
}

/// The rulebook that an environment variable names plays as any other: for texts that are nobody's to copy here.
#[tokio::test]
async fn a_rulebook_of_ones_own_loads_and_plays() {
    const VARIABLE: &str = "RULEKEEPER_TEST_RULEBOOK";
    let Some(path) = std::env::var_os(VARIABLE) else {
        return crate::harness::left_out(&format!("{VARIABLE} names no rulebook of BlogNomic"));
    };
    let page = std::fs::read(path).expect("the rulebook can be read");
    let mut bot = Bot::new().await;
    let answer = bot.say_with("op #nomic", "room open blognomic main sure:yes", file(&page)).await;
    reads(&answer, &["17 rules were read", "45 of 48 figures", "page furniture"]);
    assert!(!answer.contains("by hand"), "{answer}");
    for name in ["Abe", "Bo"] {
        bot.say(&format!("{name} #nomic"), &format!("robot apply {name} https://example.org/")).await;
        reads(&bot.say("op #nomic", &format!("admin set-up {name}")).await, &[name]);
    }
    reads(&bot.say("Abe #nomic", "propose \"Longer\" => set timeout-hours to 72").await, &["Proposal is number 1"]);
    bot.say("Bo #nomic", "vote 1 FOR").await;
    reads(&bot.say("op #nomic", "admin enact").await, &["Enacted"]);
    reads(&bot.say("Abe #nomic", "rule 7").await, &["72 hours"]);
    reads(&bot.say("Bo #nomic", "mcp PRODUCT").await, &["You have"]);
    reads(&bot.told().await.join("\n"), &["X is 15", "Bo gains 1 Product"]);
}
