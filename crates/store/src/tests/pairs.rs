//! Results of jousts.

use super::*;

const DAY: i64 = 86_400_000_000;

#[tokio::test]
async fn results_come_back_in_the_order_asked_for() {
    let store = Store::in_memory().await.unwrap();
    store.put_pairs(&[("a".to_owned(), vec![1]), ("b".to_owned(), vec![2])], 1).await.unwrap();
    let keys = ["b", "c", "a", "b"].map(str::to_owned);
    let found = store.pairs(&keys, 2).await.unwrap();
    assert_eq!(found, [Some(vec![2]), None, Some(vec![1]), Some(vec![2])]);
    let many = vec![String::new(); PAIRS_AT_ONCE_MAX_COUNT + 1];
    assert!(matches!(store.pairs(&many, 1).await, Err(StoreError::TooLarge { .. })));
    let long = vec![("k".to_owned(), vec![0; PAIR_OUTCOMES_MAX_BYTES + 1])];
    assert!(matches!(store.put_pairs(&long, 1).await, Err(StoreError::TooLarge { .. })));
}

#[tokio::test]
async fn those_not_used_for_longest_are_dropped() {
    let store = Store::in_memory().await.unwrap();
    let keys: Vec<String> = (0..8).map(|number| format!("k{number}")).collect();
    for (key, now) in keys.iter().zip(0..) {
        store.put_pairs_within(&[(key.clone(), vec![0])], now * DAY, 8, 2).await.unwrap();
    }
    store.pairs(&keys[0..1], 20 * DAY).await.unwrap();
    store.put_pairs_within(&[("new".to_owned(), vec![0])], 20 * DAY, 8, 2).await.unwrap();
    let kept: Vec<bool> = store.pairs(&keys, 20 * DAY).await.unwrap().iter().map(Option::is_some).collect();
    assert_eq!(kept, [true, false, false, false, true, true, true, true]);
}
