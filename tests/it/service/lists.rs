//! Long lists: what a page leaves out is counted, and can be reached.

use super::Bot;

/// What is said about what was left out: how many, and what shows it.
fn going_on(shown: &str) -> (usize, String) {
    let line = shown.lines().find_map(|line| line.split_once("Older, ")).expect("more is told of").1;
    let (count, display) = line.split_once(" more: ").expect("a count and a display");
    (count.parse().expect("a count"), display.to_owned())
}

#[tokio::test]
async fn the_log_of_the_gndt_goes_on_behind_its_first_page() {
    let mut bot = Bot::new().await;
    bot.say("op #blog", "room open blognomic main").await;
    for power in 1..=60 {
        bot.say("op #blog", &format!("gndt set op power {power} because count {power} was wrong")).await;
    }
    let first = bot.say("op #blog", "show gndt").await;
    assert!(first.contains("count 60 was wrong") && first.contains("count 11 was wrong"), "{first}");
    assert!(!first.contains("count 10 was wrong"), "{first}");
    let (count, way) = going_on(&first);
    assert!(count >= 10, "{first}");
    let second = bot.say("op #blog", &way).await;
    assert!(second.contains("count 10 was wrong") && second.contains("count 1 was wrong"), "{second}");
    assert!(!second.contains("count 11 was wrong") && !second.contains("Older"), "{second}");
    assert!(bot.say("op #blog", "show gndt/1").await.contains("nothing before entry 1"));
}

#[tokio::test]
async fn the_record_goes_on_behind_its_first_page() {
    let mut bot = Bot::with_joust().await;
    for count in 11..=30 {
        bot.say("op #nomic", &format!("joust intend set weekly-programs {count}")).await;
    }
    let mut line = "history".to_owned();
    let mut seen = String::new();
    for _ in 0..4 {
        let page = bot.say("op #nomic", &line).await;
        seen.push_str(&page);
        match page.lines().find_map(|line| line.strip_prefix("Older: ")) {
            Some(older) => older.clone_into(&mut line),
            None => break,
        }
    }
    for count in 11..=30 {
        assert_eq!(seen.matches(&format!("weekly-programs {count}\n")).count(), 1, "{count}: {seen}");
    }
    assert!(seen.contains("room open"), "the first entry is reached: {seen}");
    let of_one = bot.say("op #nomic", "history op before 9").await;
    assert!(!of_one.contains("weekly-programs 30"), "{of_one}");
}
