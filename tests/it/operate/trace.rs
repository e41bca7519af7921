//! One id leads through the log: from a line to its entry, and to what became of its announcement.

use crate::{
    house::{House, MODERATOR, SERVICE},
    log::Log,
};

/// Takes everything that waits as delivered.
pub(super) async fn deliver_all(house: &House) -> usize {
    let mut count = 0;
    while let Some(delivery) = house.hub.delivery_now(SERVICE).await.expect("the outbox can be read") {
        house.hub.delivered(delivery.id).await;
        count += 1;
    }
    count
}

#[tokio::test]
async fn one_id_leads_from_a_line_to_its_entry_and_to_its_delivery() {
    let log = Log::default();
    let _guard = tracing::dispatcher::set_default(&log.dispatch());
    let mut house = House::with_contest(":memory:").await;
    deliver_all(&house).await;
    let before = log.text().len();
    let line = house.line(MODERATOR, "joust adjudicate Begun.");
    let origin = format!("origin=\"{}", line.origin);
    assert!(!log.text().contains(&origin), "nobody has said it yet");
    assert!(house.hub.hear(line).await.iter().all(port::Reply::went_well));
    let delivery = house.hub.delivery_now(SERVICE).await.unwrap().expect("it is announced");
    house.hub.retry_delivery(delivery.id).await;
    house.clock.advance_to(house.clock.now() + jiff::SignedDuration::from_mins(1));
    assert_eq!(deliver_all(&house).await, 1);

    let text = log.text().split_off(before);
    let told = |what: &str| {
        let found = text.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what}: {text}"));
        assert!(found.contains(&origin), "{what} does not name the line: {found}");
        found.to_owned()
    };
    let entry = told(": entry ");
    // Its own place in the line as well, by which it is found in the journal.
    let place = entry.split("origin=").last().and_then(|rest| rest.split(' ').next()).expect("the place").to_owned();
    let seq = house.room("main").view().seq();
    assert_eq!(
        house.journal("main").await.pop().and_then(|entry| entry.origin),
        Some(place.trim_matches('"').to_owned())
    );
    for what in ["an announcement did not arrive", ": delivered "] {
        let found = told(what);
        for part in [&place, &format!("id={}", delivery.id), &format!("seq={seq}"), "room=\"main\""] {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}
