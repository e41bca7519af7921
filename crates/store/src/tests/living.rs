//! Messages that are kept up to date: kept once, revised, dropped, the oldest first where there are too many.

use super::*;

fn living(room: RoomId, message: &str) -> Living {
    Living {
        id: 0,
        room,
        forum: ForumAddress { service: "discord".to_owned(), channel: "70".to_owned() },
        message: message.to_owned(),
        display: "proposal/1".to_owned(),
        shown: "a".to_owned(),
    }
}

async fn held(store: &Store, room: RoomId) -> Vec<(String, String)> {
    store.living(room, "discord").await.unwrap().into_iter().map(|living| (living.message, living.shown)).collect()
}

#[tokio::test]
async fn a_message_is_kept_once_and_revised_until_it_is_dropped() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    store.keep_living(&living(hill, "1")).await.unwrap();
    store.keep_living(&Living { shown: "b".to_owned(), ..living(hill, "1") }).await.unwrap();
    assert_eq!(held(&store, hill).await, [("1".to_owned(), "a".to_owned())]);
    let id = store.living(hill, "discord").await.unwrap()[0].id;
    store.revised_living(id, "c").await.unwrap();
    store.close().await.unwrap();
    let store = open(&path).await;
    assert_eq!(held(&store, hill).await, [("1".to_owned(), "c".to_owned())]);
    assert_eq!(store.living(hill, "irc:test").await.unwrap(), []);
    store.drop_living(id).await.unwrap();
    assert_eq!(held(&store, hill).await, []);
    let long = Living { display: "d".repeat(LIVING_NAME_MAX_BYTES + 1), ..living(hill, "2") };
    assert!(matches!(store.keep_living(&long).await, Err(StoreError::TooLarge { .. })));
}

#[tokio::test]
async fn the_oldest_messages_of_a_room_give_way() {
    let (_folder, path) = folder();
    let store = open(&path).await;
    let (hill, other) = (room(&store, "hill").await, room(&store, "other").await);
    store.keep_living(&living(other, "0")).await.unwrap();
    for message in ["1", "2", "3", "4"] {
        store.keep_living_within(&living(hill, message), 2).await.unwrap();
    }
    let kept = async |of| held(&store, of).await.into_iter().map(|(message, _)| message).collect::<Vec<_>>();
    assert_eq!((kept(hill).await, kept(other).await), (vec!["3".to_owned(), "4".to_owned()], vec!["0".to_owned()]));
}
