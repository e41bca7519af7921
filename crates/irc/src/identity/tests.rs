//! Scenes of people coming, renaming, logging in and being impersonated.

use super::*;

struct Scene {
    server: Server,
    people: Identities,
    now: Instant,
}

impl Scene {
    fn new(kind: IdentityKind, caps: &str) -> Self {
        let mut server = Server::new("Keeper");
        server.observe(&format!(":s CAP * ACK :{caps}").parse().unwrap());
        Self { server, people: Identities::new(kind, "t0".to_owned()), now: Instant::now() }
    }

    fn sees(&mut self, line: &str) -> Vec<Change> {
        let message = line.parse().unwrap();
        self.server.observe(&message);
        self.people.observe(&message, &self.server, self.now)
    }

    fn says(&mut self, line: &str) -> Speaks {
        let message: Message = line.parse().unwrap();
        self.sees(line);
        self.people.speaker(&message, &source(&message).unwrap(), &self.server, self.now)
    }

    fn route(&self, account: &str, nick: &str) -> Route {
        self.people.route(&Who::Account(account.to_owned()), nick, &self.server, self.now)
    }

    fn later(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
    }
}

fn account(name: &str) -> Speaks {
    Speaks::As(Some(name.to_owned()))
}

fn to(nick: &str) -> Route {
    Route::Send(nick.to_owned())
}

const TAGS: &str = "account-tag";
const ALL: &str = "account-tag account-notify extended-join";

#[test]
fn a_tag_is_an_account_and_no_tag_is_none() {
    let mut scene = Scene::new(IdentityKind::Services, TAGS);
    assert_eq!(scene.says("@account=Alice :al!a@h PRIVMSG #n :!x"), account("alice"));
    assert_eq!(scene.says(":al!a@h PRIVMSG #n :!x"), Speaks::As(None));
    assert_eq!(scene.says("@account=* :al!a@h PRIVMSG #n :!x"), Speaks::As(None));
}

#[test]
fn a_nick_proves_nothing() {
    let mut scene = Scene::new(IdentityKind::Services, ALL);
    assert_eq!(scene.says("@account=alice :alice!a@h PRIVMSG #n :!x"), account("alice"));
    scene.sees(":alice!a@h QUIT :bye");
    assert_eq!(scene.says("@account=mallory :alice!m@evil PRIVMSG #n :!x"), account("mallory"));
    assert_eq!(scene.says(":alice!m@evil PRIVMSG #n :!x"), Speaks::As(None));
}

#[test]
fn accounts_differ_by_letters_that_only_look_alike() {
    let mut scene = Scene::new(IdentityKind::Services, TAGS);
    let kelvin = scene.says("@account=\u{212a}im :k!a@h PRIVMSG #n :!x");
    assert_ne!(kelvin, scene.says("@account=Kim :k!a@h PRIVMSG #n :!x"));
}

#[test]
fn without_tags_the_server_is_asked_and_its_answer_holds_while_changes_would_be_seen() {
    let mut scene = Scene::new(IdentityKind::Services, "account-notify extended-join");
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), Speaks::Ask);
    assert!(scene.people.ask("al".to_owned(), scene.now));
    assert!(!scene.people.ask("al".to_owned(), scene.now), "once is enough");
    scene.sees(":s 311 Keeper al a h * :real");
    scene.sees(":s 330 Keeper al Alice :is logged in as");
    assert_eq!(scene.sees(":s 318 Keeper al :end"), [Change::Resolved("al".to_owned())]);
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), account("alice"));
    scene.later(3);
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), Speaks::Ask, "nobody would tell us of a change");
    scene.sees(":al!a@h JOIN #n Alice :real");
    scene.later(3600);
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), account("alice"));
    scene.sees(":al!a@h ACCOUNT *");
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), Speaks::As(None));
}

#[test]
fn without_notifications_an_answer_is_asked_for_again() {
    let mut scene = Scene::new(IdentityKind::Services, "multi-prefix");
    scene.sees(":s 353 Keeper = #n :@Keeper al +bob");
    scene.people.ask("al".to_owned(), scene.now);
    scene.sees(":s 330 Keeper al alice :is logged in as");
    scene.sees(":s 318 Keeper al :end");
    scene.later(59);
    assert_eq!(scene.says(":al!a@h PRIVMSG #n :x"), account("alice"));
    scene.later(2);
    assert_eq!(scene.says(":al!a@h PRIVMSG #n :x"), Speaks::Ask);
    scene.people.ask("al".to_owned(), scene.now);
    scene.later(10);
    assert_eq!(scene.people.give_up(scene.now), [Change::Unanswered("al".to_owned())]);
    assert_eq!(scene.people.next_timeout(), None);
}

#[test]
fn a_private_text_follows_the_account_and_never_the_nick() {
    let mut scene = Scene::new(IdentityKind::Services, ALL);
    scene.sees(":al!a@h JOIN #n alice :real");
    assert_eq!(scene.route("alice", "al"), to("al"));
    scene.sees(":al!a@h NICK alice_away");
    assert_eq!(scene.route("alice", "al"), to("alice_away"));
    scene.sees(":mal!m@evil JOIN #n mallory :real");
    scene.sees(":mal!m@evil NICK al");
    assert_eq!(scene.route("alice", "al"), to("alice_away"));
    scene.sees(":alice_away!a@h ACCOUNT *");
    assert_eq!(scene.route("alice", "al"), Route::Ask("alice".to_owned()), "she may be there under another nick");
    scene.sees(":mal2!m@evil JOIN #n mallory :real");
    scene.sees(":mal2!m@evil NICK alice");
    assert_eq!(scene.route("alice", "al"), Route::Nowhere);
}

#[test]
fn somebody_out_of_sight_is_proven_again_before_a_private_text() {
    let mut scene = Scene::new(IdentityKind::Services, ALL);
    scene.says("@account=alice :al!a@h PRIVMSG Keeper :x");
    assert_eq!(scene.route("alice", "al"), to("al"));
    scene.later(2);
    assert_eq!(scene.route("alice", "al"), Route::Ask("al".to_owned()));
    scene.people.ask("al".to_owned(), scene.now);
    scene.sees(":s 311 Keeper al m evil * :real");
    scene.sees(":s 330 Keeper al mallory :is logged in as");
    scene.sees(":s 318 Keeper al :end");
    assert_eq!(scene.route("alice", "al"), Route::Ask("alice".to_owned()));
    scene.people.ask("alice".to_owned(), scene.now);
    scene.sees(":s 401 Keeper alice :no such nick");
    scene.sees(":s 318 Keeper alice :end");
    assert_eq!(scene.route("alice", "al"), Route::Nowhere);
}

#[test]
fn a_guest_is_their_whole_mask() {
    let mut scene = Scene::new(IdentityKind::Services, ALL);
    scene.says(":al!a@h PRIVMSG Keeper :x");
    let who = Who::Guest(guest_mask("AL", "a@h", &scene.server));
    assert_eq!(scene.people.route(&who, "al", &scene.server, scene.now), to("al"));
    scene.says(":al!m@evil PRIVMSG Keeper :x");
    assert_eq!(scene.people.route(&who, "al", &scene.server, scene.now), Route::Nowhere);
}

#[test]
fn who_is_in_a_channel_already_is_learnt_from_who() {
    let mut scene = Scene::new(IdentityKind::Services, ALL);
    scene.sees(":s 353 Keeper = #n :@Keeper ~al +bob");
    assert_eq!(scene.route("alice", "al"), Route::Ask("al".to_owned()));
    scene.sees(":s 354 Keeper 742 #n a h al Alice");
    scene.sees(":s 354 Keeper 742 #n b h bob 0");
    scene.sees(":s 354 Keeper 999 #n b h bob mallory");
    scene.later(3600);
    assert_eq!(scene.route("alice", "al"), to("al"));
    assert_eq!(scene.people.recall("bob", &scene.server, scene.now), Speaks::As(None));
}

#[test]
fn on_a_network_without_services_an_identity_ends_with_nick_or_connection() {
    let mut scene = Scene::new(IdentityKind::Connection, "multi-prefix");
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), Speaks::As(None), "nobody would tell us of a quit");
    scene.sees(":al!a@h JOIN #n");
    let Speaks::As(Some(first)) = scene.says(":al!a@h PRIVMSG #n :x") else { panic!("no identity") };
    assert_eq!(scene.says(":al!a@h PRIVMSG Keeper :x"), account(&first));
    assert_eq!(scene.route(&first, "al"), to("al"));
    let changes = scene.sees(":al!a@h NICK bob");
    assert_eq!(
        changes,
        [Change::Left("al".to_owned()), Change::Voided(first.clone(), "al changed nick to bob".to_owned())]
    );
    assert_eq!(scene.route(&first, "al"), Route::Nowhere);
    scene.sees(":mal!m@evil JOIN #n");
    scene.sees(":mal!m@evil NICK al");
    assert_ne!(scene.says(":al!m@evil PRIVMSG #n :x"), account(&first));
    let Speaks::As(Some(second)) = scene.says(":bob!a@h PRIVMSG #n :x") else { panic!("no identity") };
    assert!(scene.sees(":bob!a@h QUIT").contains(&Change::Voided(second, "bob left the network".to_owned())));
    assert_eq!(scene.people.end().len(), 1);
}

#[test]
fn identities_end_when_the_bot_can_no_longer_see_the_person() {
    let mut scene = Scene::new(IdentityKind::Connection, "multi-prefix");
    scene.sees(":al!a@h JOIN #n");
    let Speaks::As(Some(id)) = scene.says(":al!a@h PRIVMSG #n :x") else { panic!("no identity") };
    let changes = scene.sees(":op!o@h KICK #n Keeper :out");
    assert!(matches!(&changes[..], [_, Change::Voided(ended, _)] if *ended == id));
}

#[test]
fn a_crowd_takes_bounded_memory() {
    let mut scene = Scene::new(IdentityKind::Services, ALL);
    for n in 0..PEOPLE_MAX_COUNT + 100 {
        scene.sees(&format!(":u{n}!a@h JOIN #n * :real"));
    }
    assert_eq!(scene.people.people.len(), PEOPLE_MAX_COUNT);
}
