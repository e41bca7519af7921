//! Persons, accounts, codes, being forgotten; moderators and bans.

use super::*;
use port::Account;

const HOUR: i64 = LINK_TRIES_WINDOW_MICROS;

fn account(id: &str) -> Account {
    Account { service: "irc:test".to_owned(), id: id.to_owned() }
}

async fn person(store: &Store, id: &str) -> PersonId {
    store.person_for(&account(id), id, 1).await.unwrap().id
}

#[tokio::test]
async fn an_account_is_one_person_from_its_first_word_on() {
    let (_folder, path) = folder();
    let (left, right) = (open(&path).await, open(&path).await);
    let zed = account("zed");
    assert_eq!(left.person_of(&zed).await.unwrap(), None);
    let (one, other) = tokio::join!(left.person_for(&zed, "Zed", 1), right.person_for(&zed, "Zed", 1));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    assert_eq!(one.name.as_deref(), Some("Zed"));
    assert_ne!(person(&left, "zed2").await, one.id);
    let long = "z".repeat(NAME_MAX_BYTES + 1);
    assert!(matches!(left.person_for(&account("y"), &long, 1).await, Err(StoreError::TooLarge { .. })));
    assert!(matches!(left.person_for(&account(&long), "y", 1).await, Err(StoreError::TooLarge { .. })));
}

#[tokio::test]
async fn a_link_code_works_once_and_not_after_its_time() {
    let store = Store::in_memory().await.unwrap();
    let zed = person(&store, "zed").await;
    store.put_link_code(zed, "CODE-1", 100).await.unwrap();
    let late = store.redeem_link_code(&account("zed2"), "CODE-1", 100, false).await.unwrap();
    assert_eq!(late, Linked::Wrong { tries_left: LINK_MAX_TRIES - 1 });
    let linked = store.redeem_link_code(&account("zed2"), "CODE-1", 99, false).await.unwrap();
    assert_eq!(linked, Linked::To(zed));
    assert_eq!(store.accounts(zed).await.unwrap(), [account("zed"), account("zed2")]);
    let again = store.redeem_link_code(&account("zed3"), "CODE-1", 99, false).await.unwrap();
    assert_eq!(again, Linked::Wrong { tries_left: LINK_MAX_TRIES - 1 });
    store.put_link_code(zed, "CODE-2", 200).await.unwrap();
    store.put_link_code(zed, "CODE-3", 200).await.unwrap();
    let replaced = store.redeem_link_code(&account("zed4"), "CODE-2", 99, false).await.unwrap();
    assert!(matches!(replaced, Linked::Wrong { .. }), "a person has one code");
}

#[tokio::test]
async fn the_code_itself_is_not_in_the_database() {
    let (folder, path) = folder();
    let store = open(&path).await;
    let zed = person(&store, "zed").await;
    store.put_link_code(zed, "CODE-PLAIN-TEXT", 100).await.unwrap();
    store.close().await.unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(15).any(|part| part == b"CODE-PLAIN-TEXT"));
    }
}

#[tokio::test]
async fn guessing_codes_is_stopped_and_starts_afresh_after_the_window() {
    let store = Store::in_memory().await.unwrap();
    let zed = person(&store, "zed").await;
    store.put_link_code(zed, "RIGHT", 9 * HOUR).await.unwrap();
    let thief = account("thief");
    for left in (0..LINK_MAX_TRIES).rev() {
        let wrong = store.redeem_link_code(&thief, "WRONG", 7, false).await.unwrap();
        assert_eq!(wrong, Linked::Wrong { tries_left: left });
    }
    let stopped = store.redeem_link_code(&thief, "RIGHT", 8, false).await.unwrap();
    assert_eq!(stopped, Linked::TooMany { until: 7 + HOUR });
    let still = store.redeem_link_code(&thief, "RIGHT", 6 + HOUR, false).await.unwrap();
    assert_eq!(still, Linked::TooMany { until: 7 + HOUR });
    let other = store.redeem_link_code(&account("zed2"), "RIGHT", 8, false).await.unwrap();
    assert_eq!(other, Linked::To(zed), "the tries of one account are not held against another");
    let later = store.redeem_link_code(&thief, "WRONG", 7 + HOUR, false).await.unwrap();
    assert_eq!(later, Linked::Wrong { tries_left: LINK_MAX_TRIES - 1 });
}

#[tokio::test]
async fn an_account_that_is_somebody_moves_only_when_told_to() {
    let store = Store::in_memory().await.unwrap();
    let (zed, yak) = (person(&store, "zed").await, person(&store, "yak").await);
    store.put_link_code(zed, "CODE", 100).await.unwrap();
    let taken = store.redeem_link_code(&account("yak"), "CODE", 1, false).await.unwrap();
    assert_eq!(taken, Linked::Taken { from: yak, to: zed });
    let moved = store.redeem_link_code(&account("yak"), "CODE", 1, true).await.unwrap();
    assert_eq!(moved, Linked::To(zed));
    assert!(store.accounts(yak).await.unwrap().is_empty());
    assert!(store.unlink_account(&account("yak")).await.unwrap());
    assert!(!store.unlink_account(&account("zed")).await.unwrap(), "the last account stays");
    assert!(!store.unlink_account(&account("nobody")).await.unwrap());
}

#[tokio::test]
async fn a_person_joins_another_whole() {
    let store = Store::in_memory().await.unwrap();
    let (zed, yak) = (person(&store, "zed").await, person(&store, "yak").await);
    store.put_link_code(yak, "YAK", 100).await.unwrap();
    assert_eq!(store.redeem_link_code(&account("yak2"), "YAK", 1, false).await.unwrap(), Linked::To(yak));
    let here = Scope::Room(RoomId(1));
    store.add_moderator(here, yak, None, 1).await.unwrap();
    store.put_link_code(zed, "ZED", 100).await.unwrap();
    assert_eq!(store.redeem_link_code(&account("yak2"), "ZED", 1, true).await.unwrap(), Linked::To(zed));
    let ids = store.accounts(zed).await.unwrap().into_iter().map(|account| account.id);
    assert_eq!(ids.collect::<Vec<_>>(), ["yak", "yak2", "zed"]);
    assert!(store.is_moderator(here, zed).await.unwrap() && !store.is_moderator(here, yak).await.unwrap());
    assert!(!store.is_reachable(yak).await.unwrap());

    // Each of the accounts brings the same person back.
    store.forget(zed, 2).await.unwrap();
    assert!(store.is_reachable(zed).await.unwrap());
    for id in ["yak", "zed", "yak2"] {
        assert_eq!(person(&store, id).await, zed, "{id}");
    }
}

#[tokio::test]
async fn a_person_has_a_bounded_number_of_accounts() {
    let store = Store::in_memory().await.unwrap();
    let zed = person(&store, "zed").await;
    for number in 1..=ACCOUNTS_MAX_COUNT {
        store.put_link_code(zed, "CODE", 100).await.unwrap();
        let linked = store.redeem_link_code(&account(&number.to_string()), "CODE", 1, false).await.unwrap();
        let full = number == ACCOUNTS_MAX_COUNT;
        assert_eq!(linked, if full { Linked::Full } else { Linked::To(zed) });
    }
}

#[tokio::test]
async fn forgetting_takes_the_person_and_their_words_and_leaves_the_facts() {
    let (folder, path) = folder();
    let store = open(&path).await;
    let hill = room(&store, "hill").await;
    let zed = store.person_for(&account("zed-the-account"), "zed-the-name", 1).await.unwrap().id;
    let yak = person(&store, "yak").await;
    let said = |person, text: &str| Some(Said { person: Some(person), text: text.to_owned() });
    let mut commit = one(0);
    commit.entries[0].said = said(zed, "zed-the-words");
    commit.entries[0].act = Some("zed-the-act".to_owned());
    let act = Some("yak-the-act".to_owned());
    commit.entries.push(NewEntry { said: said(yak, "yak-the-words"), act, ..entry(2, 0) });
    commit.outbox.push(say(&Destination::Person(account("zed-the-account")), 1, "zed-the-message"));
    commit.outbox.push(say(&Destination::Person(account("yak")), 1, "yak-the-message"));
    store.commit(hill, commit).await.unwrap();
    store.add_moderator(Scope::Everywhere, zed, None, 1).await.unwrap();
    store.put_link_code(zed, "CODE", 100).await.unwrap();
    // What a server overwrites, and when, is its own affair.
    assert_eq!(traces(&folder).len(), if store.path().is_some() { 4 } else { 0 });
    store.forget(zed, 5).await.unwrap();
    assert!(traces(&folder).is_empty());

    assert_eq!(store.person_of(&account("zed-the-account")).await.unwrap(), None);
    assert_eq!(store.person(zed).await.unwrap().unwrap().name, None);
    assert!(store.accounts(zed).await.unwrap().is_empty());
    assert!(!store.is_moderator(Scope::Everywhere, zed).await.unwrap());
    let linked = store.redeem_link_code(&account("x"), "CODE", 6, false).await.unwrap();
    assert!(matches!(linked, Linked::Wrong { .. }));
    let entries = store.entries(hill, 1, 10).await.unwrap();
    assert_eq!(entries[0].json, "{\"entry\":1}");
    assert_eq!(entries[0].said, None);
    assert_eq!(entries[1].said, said(yak, "yak-the-words"));
    assert_eq!(store.acts(hill, 1, 2).await.unwrap(), [(2, "yak-the-act".to_owned())].into());
    assert_eq!(store.queues().await.unwrap().len(), 1);
    assert!(matches!(store.forget(zed, 6).await, Err(StoreError::NoSuchPerson { .. })));
    assert!(matches!(store.put_link_code(zed, "z", 9).await, Err(StoreError::NoSuchPerson { .. })));
    assert_eq!(store.person_meant(&account("zed-the-account")).await.unwrap(), Some(zed));
    assert_eq!(store.person_of(&account("zed-the-account")).await.unwrap(), None, "asking brings nobody back");
    assert_eq!(person(&store, "zed-the-account").await, zed, "who comes back is nobody new");
    assert_eq!(store.person(zed).await.unwrap().unwrap().name.as_deref(), Some("zed-the-account"));
    store.forget(zed, 7).await.unwrap();

    store.close().await.unwrap();
    assert!(traces(&folder).is_empty());
}

/// What of a forgotten person is still in some file of the database.
fn traces(folder: &TempDir) -> Vec<&'static str> {
    let files: Vec<Vec<u8>> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    let mut traces = vec!["zed-the-name", "zed-the-words", "zed-the-act", "zed-the-message"];
    traces.retain(|trace| files.iter().any(|bytes| bytes.windows(trace.len()).any(|part| part == trace.as_bytes())));
    traces
}

#[tokio::test]
async fn moderators_are_of_a_room_or_of_all() {
    let store = Store::in_memory().await.unwrap();
    let (zed, yak) = (person(&store, "zed").await, person(&store, "yak").await);
    let (here, there) = (Scope::Room(RoomId(1)), Scope::Room(RoomId(2)));
    assert!(store.add_moderator(Scope::Everywhere, zed, None, 1).await.unwrap());
    assert!(store.add_moderator(here, yak, Some(zed), 2).await.unwrap());
    assert!(!store.add_moderator(here, yak, None, 3).await.unwrap());
    for (scope, person, is) in [
        (here, zed, true),
        (Scope::Everywhere, zed, true),
        (here, yak, true),
        (there, yak, false),
        (Scope::Everywhere, yak, false),
    ] {
        assert_eq!(store.is_moderator(scope, person).await.unwrap(), is, "{scope:?} {person}");
    }
    let expected = Moderator { scope: here, person: yak, made_by: Some(zed), since: 2 };
    assert_eq!(store.moderators().await.unwrap()[1], expected);
    assert!(!store.remove_moderator(there, yak).await.unwrap());
    assert!(store.remove_moderator(here, yak).await.unwrap());
    assert!(!store.is_moderator(here, yak).await.unwrap());
    let nobody = store.add_moderator(here, PersonId(99), None, 1).await;
    assert!(matches!(nobody, Err(StoreError::NoSuchPerson { person: 99 })));
}

#[tokio::test]
async fn a_ban_ends_with_its_time_and_not_by_changing_accounts() {
    let store = Store::in_memory().await.unwrap();
    let (zed, yak) = (person(&store, "zed").await, person(&store, "yak").await);
    let here = Scope::Room(RoomId(1));
    let ban = Ban { scope: here, person: zed, reason: "spam".to_owned(), made_by: Some(yak), since: 1, ends: Some(50) };
    store.ban(&ban).await.unwrap();
    let holds = async |id: &str, now| store.ban_of(here, &account(id), now).await.unwrap().map(|ban| ban.person);
    assert_eq!(holds("zed", 49).await, Some(zed));
    assert_eq!(holds("zed", 50).await, None);
    assert_eq!(holds("yak", 49).await, None);
    assert_eq!(store.ban_of(Scope::Room(RoomId(2)), &account("zed"), 9).await.unwrap(), None);

    store.put_link_code(zed, "SECOND", 100).await.unwrap();
    store.redeem_link_code(&account("zed2"), "SECOND", 1, false).await.unwrap();
    store.unlink_account(&account("zed2")).await.unwrap();
    assert_eq!(holds("zed2", 49).await, Some(zed), "unlinked");

    store.ban(&Ban { ends: None, scope: Scope::Everywhere, ..ban.clone() }).await.unwrap();
    assert_eq!(holds("zed", 1000).await, Some(zed));
    store.put_link_code(yak, "CODE", 100).await.unwrap();
    store.redeem_link_code(&account("zed"), "CODE", 1, true).await.unwrap();
    assert_eq!(holds("zed", 1000).await, Some(zed), "linked to somebody else");
    store.unlink_account(&account("zed")).await.unwrap();
    assert_eq!(holds("zed", 1000).await, Some(zed), "unlinked from somebody else");
    let back = person(&store, "zed").await;
    store.ban(&Ban { person: back, ends: None, ..ban.clone() }).await.unwrap();
    store.forget(back, 9).await.unwrap();
    assert!(holds("zed", 1000).await.is_some(), "forgotten");
    for found in store.bans().await.unwrap() {
        assert!(store.unban(found.scope, found.person).await.unwrap());
    }
    assert_eq!(holds("zed", 1).await, None);
    assert!(!store.unban(here, zed).await.unwrap());
}

#[tokio::test]
async fn ignored_accounts_are_remembered() {
    let store = Store::in_memory().await.unwrap();
    let bot = account("otherbot");
    assert!(store.ignore(&bot, true, None, 1).await.unwrap());
    assert!(!store.ignore(&bot, true, None, 2).await.unwrap());
    assert!(store.standing(&bot).await.unwrap().ignored);
    assert_eq!(store.ignored().await.unwrap(), [Ignored { account: bot.clone(), made_by: None, since: 1 }]);
    assert!(store.ignore(&bot, false, None, 3).await.unwrap());
    assert_eq!(store.standing(&bot).await.unwrap(), Standing::default());
}

#[tokio::test]
async fn what_a_line_is_heard_by_is_told_at_once() {
    let store = Store::in_memory().await.unwrap();
    let (ann, bob) = (account("ann"), account("bob"));
    assert_eq!(store.standing(&ann).await.unwrap(), Standing::default());
    let person = store.person_for(&ann, "Ann", 1).await.unwrap().id;
    let room = room(&store, "hill").await;
    store.add_moderator(Scope::Room(room), person, None, 1).await.unwrap();
    let known = Standing { person: Some(person), ..Standing::default() };
    assert_eq!(store.standing(&ann).await.unwrap(), known, "a moderator of one room moderates not all");
    store.add_moderator(Scope::Everywhere, person, None, 1).await.unwrap();
    assert_eq!(store.standing(&ann).await.unwrap(), Standing { moderates_all: true, ..known });
    assert_eq!(store.standing(&bob).await.unwrap(), Standing::default());
}

#[tokio::test]
async fn somebody_from_another_database_is_who_has_their_accounts_here() {
    let store = Store::in_memory().await.unwrap();
    let (zed, yak) = (person(&store, "zed").await, person(&store, "yak").await);
    let adopt = async |name, ids: &[&str]| {
        let accounts: Vec<Account> = ids.iter().map(|id| account(id)).collect();
        store.adopt_person(name, &accounts, &[], 5).await.unwrap()
    };
    assert_eq!(adopt(Some("Zed"), &["zed-at-home", "zed", "yak"]).await, zed);
    let ids = store.accounts(zed).await.unwrap().into_iter().map(|account| account.id);
    assert_eq!(ids.collect::<Vec<_>>(), ["zed", "zed-at-home"], "nobody's account moves");
    assert_eq!(store.person_of(&account("yak")).await.unwrap().map(|person| person.id), Some(yak));
    let fresh = adopt(Some("Xan"), &["xan"]).await;
    assert!(fresh != zed && fresh != yak);
    assert_eq!(store.person(fresh).await.unwrap().unwrap().name.as_deref(), Some("Xan"));
    let nobody = adopt(None, &[]).await;
    assert_ne!(nobody, adopt(None, &[]).await);
    assert_eq!(store.accounts(nobody).await.unwrap(), []);
    let many: Vec<String> = (0..2 * ACCOUNTS_MAX_COUNT).map(|number| format!("many{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let crowd = adopt(None, &many).await;
    assert_eq!(store.accounts(crowd).await.unwrap().len(), ACCOUNTS_MAX_COUNT);
}

/// Who was forgotten elsewhere comes back here as the person that the room knows.
#[tokio::test]
async fn traces_of_forgotten_accounts_move_with_a_room() {
    let (old, new) = (Store::in_memory().await.unwrap(), Store::in_memory().await.unwrap());
    let bob = person(&old, "bob").await;
    assert_eq!(old.traces(bob).await.unwrap().len(), 0);
    old.forget(bob, 7).await.unwrap();
    let traces = old.traces(bob).await.unwrap();
    assert_eq!(traces.len(), 1);
    let adopted = new.adopt_person(None, &[], &traces, 8).await.unwrap();
    assert_eq!(new.traces(adopted).await.unwrap(), traces);
    assert_eq!(new.adopt_person(None, &[], &traces, 9).await.unwrap(), adopted, "known again");
    assert_eq!(person(&new, "bob").await, adopted, "whoever comes back is who they were");
    // Who is here already under the account is who was forgotten there.
    let here = Store::in_memory().await.unwrap();
    let known = person(&here, "bob").await;
    assert_eq!(here.adopt_person(None, &[], &traces, 8).await.unwrap(), known);
    assert_eq!(person(&here, "bob").await, known);
}

#[tokio::test]
async fn what_somebody_sealed_goes_with_them_and_to_whom_they_let_read_it() {
    let store = Store::in_memory().await.unwrap();
    let hill = room(&store, "hill").await;
    let ann_id = person(&store, "ann").await;
    let bob_id = person(&store, "bob").await;
    let eve_id = person(&store, "eve").await;
    let put = |id: &str, sealer| {
        let secret = Secret { salt: vec![1], bytes: id.as_bytes().to_vec() };
        SecretOp::Put { id: id.to_owned(), secret, sealer }
    };
    let by = |person, seat: &str| Sealer { person: Some(person), seat: Some(seat.to_owned()) };
    let seq = store.last_seq(hill).await.unwrap();
    let secrets = vec![put("a", by(ann_id, "s1")), put("b", by(ann_id, "s2")), put("c", Sealer::default())];
    store.commit(hill, Commit { secrets, ..one(seq) }).await.unwrap();
    let sealer = async |id: &str| store.sealed(hill, id).await.unwrap().unwrap().1;
    assert_eq!((sealer("a").await, sealer("c").await), (by(ann_id, "s1"), Sealer::default()));

    assert_eq!(store.sealed_under(hill, "s1", ann_id).await.unwrap(), 1);
    assert_eq!(store.entrust(hill, "s1", bob_id, eve_id).await.unwrap(), 0, "only who sealed it may");
    assert_eq!(store.entrust(hill, "s1", ann_id, eve_id).await.unwrap(), 1);
    assert_eq!((sealer("a").await.person, sealer("b").await.person), (Some(eve_id), Some(ann_id)));

    store.put_link_code(bob_id, "CODE", i64::MAX).await.unwrap();
    assert_eq!(store.redeem_link_code(&account("ann"), "CODE", 2, true).await.unwrap(), Linked::To(bob_id));
    assert_eq!(sealer("b").await.person, Some(bob_id), "two accounts are one person");

    // Whoever is forgotten leaves what is still in play.
    let secrets = vec![put("d", by(bob_id, "s2"))];
    store.commit(hill, Commit { secrets, ..one(seq + 1) }).await.unwrap();
    store.destroy_sealed(hill, bob_id, &["b".to_owned()].into()).await.unwrap();
    assert_eq!(store.secret_ids(hill, "").await.unwrap(), ["a", "b", "c"]);
}
