//! Threads of topics: kept for each channel, forgotten on demand and when there are too many.

use super::*;

fn address(channel: &str) -> ForumAddress {
    ForumAddress { service: "discord".to_owned(), channel: channel.to_owned() }
}

#[tokio::test]
async fn a_thread_is_kept_for_its_channel_until_it_is_forgotten() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let (here, there) = (address("70"), address("71"));
    assert_eq!(store.thread(&here, "1/a").await.unwrap(), None);
    store.put_thread(&here, "1/a", Some("700")).await.unwrap();
    store.put_thread(&there, "1/a", Some("710")).await.unwrap();
    store.put_thread(&here, "1/a", Some("701")).await.unwrap();
    let store = {
        store.close().await.unwrap();
        open(&path).await
    };
    assert_eq!(store.thread(&here, "1/a").await.unwrap().as_deref(), Some("701"));
    assert_eq!(store.thread(&there, "1/a").await.unwrap().as_deref(), Some("710"));
    store.put_thread(&here, "1/a", None).await.unwrap();
    assert_eq!(store.thread(&here, "1/a").await.unwrap(), None);
    let long = "k".repeat(TOPIC_MAX_BYTES + 1);
    assert!(matches!(store.put_thread(&here, &long, Some("1")).await, Err(StoreError::TooLarge { .. })));
}

#[tokio::test]
async fn the_oldest_threads_give_way() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    for number in 0..5 {
        store.put_thread_within(&address("70"), &format!("1/{number}"), Some("7"), 3).await.unwrap();
    }
    for number in 0..5 {
        let kept = store.thread(&address("70"), &format!("1/{number}")).await.unwrap().is_some();
        assert_eq!(kept, number >= 2, "{number}");
    }
}
