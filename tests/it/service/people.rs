//! People: who moderates, who is banned or passed over, and several accounts of one person.

use port::Speaker;

use super::*;

/// A nick proves nothing; an account does.
#[tokio::test]
async fn moderators_are_accounts_and_not_nicks() {
    let mut bot = Bot::with_joust().await;
    let mut thief = bot.line("op #nomic", "pause");
    thief.from = Speaker {
        account: Some(account("mallory")),
        sign_in: None,
        nick: "op".to_owned(),
        operator: false,
        moderates: Vec::new(),
    };
    reads(&bot.hear(thief.clone()).await, &["Only moderators"]);
    thief.from.account = None;
    thief.text = "pause".to_owned();
    reads(&bot.hear(thief.clone()).await, &["Only moderators"]);
    thief.text = "join".to_owned();
    reads(&bot.hear(thief.clone()).await, &["does not say who you are", "log in"]);
    thief.text = "hill".to_owned();
    reads(&bot.hear(thief).await, &["The Hill"]);

    let mut away = bot.line("nobody #nomic", "pause");
    away.from.account = Some(account("op"));
    reads(&bot.hear(away).await, &["paused the room"]);
}

#[tokio::test]
async fn moderators_make_moderators_of_one_room_or_of_all() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #second", "room open joust second").await;
    reads(&bot.say("op", "moderator add @main Ann").await, &["(privately) Ann moderates @main from now on"]);
    reads(&bot.say("Ann #nomic", "pause").await, &["paused the room"]);
    reads(&bot.say("Ann #second", "pause").await, &["Only moderators"]);
    reads(&bot.say("Ann", "room open joust third").await, &["Only moderators"]);
    // Who moderates a room is told what that is not enough for, and who could do it.
    let every = ["(privately) Only moderators can do that: those of every room", "moderator add WHO everywhere"];
    let backup = bot.say("Ann", "backup").await;
    reads(&backup, &[every[0], every[1], "You moderate @main"]);
    assert!(!backup.contains("@second"), "{backup}");
    let bobs = bot.say("Bob", "backup").await;
    reads(&bobs, &every);
    assert!(!bobs.contains("You moderate"), "{bobs}");
    reads(&bot.say("Ann", "room open joust third").await, &[every[0], "who keeps order in the channel"]);
    reads(&bot.say("op", "moderator add net/cy").await, &["net/cy moderates every room"]);
    reads(&bot.say("Cy #second", "pause").await, &["paused the room"]);
    let listed = bot.say("op #nomic", "show moderators").await;
    for row in ["net/op         every room", "Ann (net/ann)  this room", "net/cy         every room"] {
        reads(&listed, &["(privately) Moderators", row]);
    }
    reads(&bot.say("Bob #nomic", "show moderators").await, &["no display of that name"]);
    reads(&bot.say("op", "moderator remove @main Ann").await, &["Ann moderates @main no longer"]);
    reads(&bot.say("Ann #nomic", "resume").await, &["Only moderators"]);
    reads(
        &bot.say("Cy", "moderator remove net/op").await,
        &["On the operator's list, net/op moderates every room", "can only be removed there"],
    );
}

/// What is typed in a channel of a room can still mean every room, and an answer says what is so.
#[tokio::test]
async fn a_moderator_of_every_room_is_made_and_unmade_from_any_channel() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #second", "room open joust second").await;
    reads(&bot.say("op #nomic", "moderator add Bob everywhere").await, &["Bob moderates every room from now on"]);
    reads(&bot.say("Bob #second", "pause").await, &["paused the room"]);
    reads(&bot.say("op #nomic", "moderator add Bob").await, &["Bob moderates every room already, and so @main"]);
    let answer = bot.say("op #nomic", "moderator remove Bob").await;
    reads(&answer, &["It is every room that Bob moderates, and so @main", "moderator remove Bob everywhere"]);
    reads(&bot.say("Bob #nomic", "pause").await, &["paused the room"]);
    reads(&bot.say("op #nomic", "moderator remove Bob everywhere").await, &["Bob moderates every room no longer"]);
    reads(&bot.say("Bob #nomic", "resume").await, &["Only moderators"]);

    reads(&bot.say("op #nomic", "moderator add Ann").await, &["Ann moderates @main"]);
    for line in ["moderator add Bob everywhere", "ban Bob from everywhere"] {
        reads(&bot.say("Ann #nomic", line).await, &["You moderate single rooms"]);
    }
}

#[tokio::test]
async fn names_that_nobody_has_are_refused() {
    let mut bot = Bot::with_joust().await;
    for line in ["ban Nobody", "unban Nobody", "moderator add Nobody", "moderator remove net/nobody", "ignore net:ann"]
    {
        reads(&bot.say("op #nomic", line).await, &["Nobody is called", "irc:libera/ann"]);
    }
    // Written out with its network, an account is one that will come.
    reads(&bot.say("op #nomic", "ban net/mallory").await, &["net/mallory is banned from @main"]);
    reads(&bot.say("Mallory #nomic", "join").await, &["banned you"]);
    reads(&bot.say("op #nomic", "forum designate public net/#nowhere").await, &["net/#nowhere is not bound"]);
}

#[tokio::test]
async fn networks_that_are_not_served_are_refused() {
    let mut bot = Bot::with_joust().await;
    let settings = Settings {
        moderators: vec![account(OPERATOR)],
        services: vec!["console".to_owned(), NETWORK.to_owned()],
        ..Settings::default()
    };
    bot.hub.stop();
    bot.hub = Hub::open(bot.store.clone(), bot.clock.clone(), bot.entropy.clone(), settings).await.unwrap();
    for line in ["ban nett/ann", "moderator add nett/ann", "ignore nett/ann", "forum bind @main nett/#x"] {
        reads(&bot.say("op #nomic", line).await, &["no network “nett” here; there is console, net"]);
    }
    reads(&bot.say("op #nomic", "moderator add console/zed").await, &["moderates @main"]);
}

#[tokio::test]
async fn moderators_are_not_banned() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "moderator add Ann").await;
    reads(&bot.say("Ann #nomic", "ban op").await, &["Moderators are not banned, and op moderates @main"]);
    reads(&bot.say("Ann #nomic", "ban Ann").await, &["That is you"]);
    reads(&bot.say("op #nomic", "ban Ann").await, &["Moderators are not banned", "moderator remove Ann"]);
}

/// Whoever sits at the console is on no list, and moderates all the same.
#[tokio::test]
async fn the_operator_at_the_console_is_neither_banned_nor_unmade() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "forum bind console/console as public").await;
    let mut line = bot.line("operator", "join Keeper");
    line.from.account = Some(Account { service: "console".to_owned(), id: "operator".to_owned() });
    line.from.operator = true;
    line.place = Place::Aside(ForumAddress { service: "console".to_owned(), channel: "console".to_owned() });
    reads(&bot.hear(line).await, &["You are a member"]);
    bot.say("op #nomic", "moderator add Ann").await;
    for who in ["Keeper", "console/operator"] {
        reads(
            &bot.say("Ann #nomic", &format!("ban {who}")).await,
            &["is the operator at the console", "is not banned"],
        );
        let unmade = bot.say("op #nomic", &format!("moderator remove {who}")).await;
        reads(&unmade, &["is the operator at the console, who moderates every room"]);
    }
    reads(&bot.say("op #nomic", "show bans").await, &["Nobody."]);
}

#[tokio::test]
async fn the_time_and_the_reason_of_a_ban_are_read_whole() {
    let mut bot = Bot::with_joust().await;
    let banned = bot.say("op #nomic", "ban Bob for 2 weeks and 1 day because of flooding").await;
    reads(&banned, &["until 2026-12-03 12:00 UTC", "Reason: flooding"]);
    reads(&bot.say("op #nomic", "ban Bob for 0 days").await, &["must be a length of time"]);
    for line in ["ban Bob because", "ban Bob for 2 days because", "pause because"] {
        reads(&bot.say("op #nomic", line).await, &["needs REASON"]);
    }
    reads(&bot.say("op #nomic", "pause because of the flood").await, &["paused"]);
    reads(&bot.told().await[0], &["Reason: the flood"]);
}

/// A ban holds for who comes back after being forgotten, and can be lifted by what the list says.
#[tokio::test]
async fn a_ban_on_somebody_who_was_forgotten_can_be_lifted() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #nomic", "ban Bob").await;
    bot.say("Bob", "forget me yes").await;
    reads(&bot.say("Bob #nomic", "join").await, &["banned you"]);
    bot.say("Bob", "forget me yes").await;
    let listed = bot.say("op #nomic", "show bans").await;
    let name = listed.split_whitespace().find(|word| word.starts_with("former")).expect("a name for them").to_owned();
    reads(&listed, &["(asked to be forgotten)"]);
    reads(&bot.say("op #nomic", &format!("moderator add {name}")).await, &["asked to be forgotten"]);
    reads(&bot.say("op #nomic", &format!("unban {name}")).await, &["no longer banned"]);
    reads(&bot.say("Bob #nomic", "join").await, &["You are a member"]);

    // The account lifts it too.
    bot.say("op #nomic", "ban net/bob").await;
    bot.say("Bob", "forget me yes").await;
    reads(&bot.say("op #nomic", "unban net/bob").await, &["no longer banned"]);
}

#[tokio::test]
async fn a_ban_refuses_actions_until_it_ends() {
    let mut bot = Bot::with_joust().await;
    let banned = bot.say("op #nomic", "ban Bob for 2 days because the channel was flooded").await;
    reads(&banned, &["Bob is banned from @main until 2026-11-20 12:00 UTC", "Reason: the channel was flooded"]);
    reads(
        &bot.say("Bob #nomic", "leave").await,
        &["(privately) A moderator banned you", "2026-11-20 12:00", "flooded"],
    );
    reads(&bot.say("Bob", "joust submit Alpha >").await, &["banned you"]);
    reads(&bot.say("Bob #nomic", "hill").await, &["The Hill"]);
    let listed = bot.say("op #nomic", "show bans").await;
    reads(&listed, &["Bob (net/bob)", "this room", "2026-11-20 12:00 UTC", "the channel was flooded"]);
    bot.wait("2026-11-20T11:59:59Z").await;
    reads(&bot.say("Bob #nomic", "leave").await, &["banned you"]);
    bot.wait("2026-11-20T12:00:00Z").await;
    reads(&bot.say("Bob #nomic", "leave").await, &["member"]);
    reads(&bot.say("op #nomic", "show bans").await, &["Nobody."]);
}

#[tokio::test]
async fn a_ban_is_lifted_and_holds_in_its_room_only() {
    let mut bot = Bot::with_joust().await;
    bot.say("op #second", "room open joust second").await;
    reads(&bot.say("op #nomic", "ban net/bob").await, &["for good", "none given"]);
    reads(&bot.say("Bob #second", "join").await, &["You are a member"]);
    reads(&bot.say("op #nomic", "unban Bob").await, &["no longer banned"]);
    reads(&bot.say("op #nomic", "unban Bob").await, &["is not banned"]);
    reads(&bot.say("op", "ban net/bob because of spam").await, &["banned from every room"]);
    for channel in ["Bob #nomic", "Bob #second"] {
        reads(&bot.say(channel, "leave").await, &["banned you from every room"]);
    }
}

#[tokio::test]
async fn lines_of_the_ignored_are_passed_over_without_an_answer() {
    let mut bot = Bot::with_joust().await;
    reads(&bot.say("op", "ignore net/Bob").await, &["passes over the lines of net/Bob"]);
    assert_eq!(bot.say("Bob #nomic", "hill").await, "");
    assert_eq!(bot.say("Bob", "frobnicate").await, "");
    reads(&bot.say("op #nomic", "show ignored").await, &["net/bob"]);
    reads(&bot.say("op", "ignore net/op").await, &["You would not be heard any more"]);
    reads(&bot.say("op", "unignore net/bob").await, &["listens to net/bob again"]);
    reads(&bot.say("Bob #nomic", "hill").await, &["The Hill"]);
}

/// The code that `link` gave.
fn code(answer: &str) -> String {
    answer.rsplit(' ').next().expect("a code").to_owned()
}

#[tokio::test]
async fn two_accounts_linked_by_a_code_are_one_person_in_one_seat() {
    let mut bot = Bot::with_joust().await;
    let answer = bot.say("Ann", "link").await;
    reads(&answer, &["(privately)", "within 15 minutes", "link "]);
    let code = code(&answer);
    assert_eq!(code.len(), "K7QX2-M4PBD".len(), "{code}");
    reads(&bot.say("annie", &format!("link {}", code.to_lowercase().replace('-', ""))).await, &["Linked"]);
    reads(&bot.say("annie", "me").await, &["ann at net", "annie at net", "Ann in @main"]);
    reads(&bot.say("annie #nomic", "leave").await, &["member"]);
    reads(&bot.say("op #nomic", "show players").await, &["Ann", "outsider"]);
    reads(&bot.say("cy", &format!("link {code}")).await, &["(privately) That code is wrong or has run out"]);

    // What is said to the seat reaches both.
    let mut told = bot.told().await;
    told.retain(|text| text.starts_with("(to"));
    assert!(told.is_empty());
}

#[tokio::test]
async fn codes_run_out_and_cannot_be_guessed() {
    let mut bot = Bot::with_joust().await;
    let late = code(&bot.say("Ann", "link").await);
    bot.wait("2026-11-18T12:15:00Z").await;
    reads(&bot.say("annie", &format!("link {late}")).await, &["wrong or has run out", "4 more tries"]);
    for left in ["3", "2", "1", "0"] {
        reads(&bot.say("annie", "link AAAAA-AAAAA").await, &["wrong", left]);
    }
    let fresh = code(&bot.say("Ann", "link").await);
    reads(&bot.say("annie", &format!("link {fresh}")).await, &["Too many wrong codes"]);
    reads(&bot.say("annie #nomic", "link AAAAA-AAAAA").await, &["Others can read this channel"]);
}

/// A seat moves with its account to the person that it turns out to be, once its owner has read that.
#[tokio::test]
async fn a_linked_account_brings_its_seat() {
    let mut bot = Bot::with_joust().await;
    let code_of_cy = code(&bot.say("Cy", "link").await);
    let warned = bot.say("Bob", &format!("link {code_of_cy}")).await;
    reads(&warned, &["(privately) Nothing is done yet", "net/cy", "the seat of Bob in @main", "yes"]);
    reads(&bot.say("Cy", "me").await, &["No seats yet"]);
    reads(&bot.say("Bob", &format!("link {code_of_cy} yes")).await, &["Linked", "net/bob", "net/cy"]);
    reads(&bot.say("Cy", "me").await, &["bob at net", "cy at net", "Bob in @main"]);
    reads(&bot.say("Bob", "me").await, &["bob at net", "cy at net", "Bob in @main"]);
    reads(&bot.say("Cy #nomic", "leave").await, &["member"]);
}

#[tokio::test]
async fn two_seats_of_a_room_do_not_become_one_by_a_link() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", "joust submit Bobbin >+").await;
    let code_of_ann = code(&bot.say("Ann", "link").await);
    for sure in ["", " yes"] {
        let answer = bot.say("Bob", &format!("link {code_of_ann}{sure}")).await;
        reads(&answer, &["(privately) In @main you sit as Bob, and that person as Ann", "cannot become one"]);
    }
    reads(&bot.say("Bob", "joust program Bobbin").await, &[">+"]);
    reads(&bot.say("Bob", "me").await, &["bob at net", "Bob in @main"]);
    // The way out that the refusal names.
    bot.say("Bob", "forget me yes").await;
    reads(&bot.say("Bob", &format!("link {code_of_ann}")).await, &["Linked", "net/ann", "net/bob"]);
    reads(&bot.say("Bob", "me").await, &["Ann in @main"]);
}

/// Who was forgotten finds the seat again, also where the first thing that they do is to link.
#[tokio::test]
async fn an_account_that_was_forgotten_brings_its_seat_by_a_link() {
    let mut bot = Bot::with_joust().await;
    bot.say("Bob", "joust submit Bobbin >+").await;
    bot.say("Bob", "forget me yes").await;
    let code_of_cy = code(&bot.say("Cy", "link").await);
    reads(&bot.say("Bob", &format!("link {code_of_cy}")).await, &["Nothing is done yet", "the seat of former"]);
    reads(&bot.say("Cy", "me").await, &["No seats yet"]);
    reads(&bot.say("Bob", &format!("link {code_of_cy} yes")).await, &["Linked", "net/bob", "net/cy"]);
    for who in ["Bob", "Cy"] {
        reads(&bot.say(who, "joust program Bobbin").await, &[">+"]);
    }
    reads(&bot.say("Cy #nomic", "join Bo").await, &["You are a member"]);
    reads(&bot.say("Bob", "me").await, &["bob at net", "cy at net", "Bo in @main"]);
}

/// A third account joins the person, and takes nobody out of it.
#[tokio::test]
async fn a_third_account_joins_the_same_person() {
    let mut bot = Bot::with_joust().await;
    let code_of_ann = code(&bot.say("Ann", "link").await);
    reads(&bot.say("annie", &format!("link {code_of_ann}")).await, &["Linked"]);
    let code_of_cy = code(&bot.say("Cy", "link").await);
    reads(&bot.say("annie", &format!("link {code_of_cy}")).await, &["the seat of Ann in @main"]);
    reads(&bot.say("annie", &format!("link {code_of_cy} yes")).await, &["Linked"]);
    for who in ["Ann", "annie", "Cy"] {
        reads(&bot.say(who, "me").await, &["ann at net", "annie at net", "cy at net", "Ann in @main"]);
    }
    reads(&bot.say("Ann", &format!("link {code_of_cy}")).await, &["wrong or has run out"]);
    reads(&bot.say("op #nomic", "ban Ann").await, &["Ann is banned"]);
    for who in ["Ann", "annie", "Cy"] {
        reads(&bot.say(who, "joust test >").await, &["banned you"]);
    }
}

/// On a network without accounts a person is a connection, and a connection ends.
#[tokio::test]
async fn a_moderator_gives_a_seat_to_another_account() {
    let mut bot = Bot::with_joust().await;
    bot.say("Ann", "joust submit Alpha >+").await;
    bot.told().await;
    reads(&bot.say("Ann2 #nomic", "seat give Ann net/ann2").await, &["Only moderators"]);
    reads(&bot.say("op #nomic", "seat give Ann net/bob").await, &["sits here as Bob already"]);
    reads(&bot.say("op #nomic", "seat give Cy net/cy").await, &["Cy"]);
    assert_eq!(bot.told().await, Vec::<String>::new());
    let given = bot.say("op #nomic", "seat give Ann net/ann2 because her connection ended").await;
    reads(&given, &["The seat of Ann belongs to that account now"]);
    let told = bot.told().await;
    reads(
        &told[0],
        &["#nomic: A moderator gave the seat of Ann to another account, outside the rules", "connection ended"],
    );
    reads(&bot.say("Ann2", "me").await, &["Ann in @main"]);
    let closed = bot.say("Ann2", "joust program Alpha").await;
    assert!(closed.contains("ruling R1") && !closed.contains("Salt"), "Ann has not agreed: {closed}");
    assert!(!bot.say("Ann", "joust program Alpha").await.contains("Salt"), "it is hers no longer");
    reads(&bot.say("Ann", "me").await, &["No seats yet"]);
    let seq = bot.seq("main");
    reads(&bot.say("Bob", &format!("history {seq}")).await, &["seat (moderator) by op", "belongs to another account"]);
    reads(&bot.say("op #nomic", "seat give Ann net/ann2").await, &["sits here as Ann already"]);
    reads(&bot.say("op #nomic", &format!("undo {seq} yes")).await, &["a seat was given", "seat give NAME ACCOUNT"]);
    reads(&bot.say("op #nomic", "seat give Ann net/ann").await, &["belongs to that account now"]);
    reads(&bot.say("Ann", "me").await, &["Ann in @main"]);
}

#[tokio::test]
async fn nobody_takes_a_name_that_looks_like_anothers() {
    let mut bot = Bot::with_joust().await;
    for wanted in ["ann", "ANN", "\"Ann \"", "Ann\u{200b}"] {
        let answer = bot.say("Cy #nomic", &format!("join {wanted}")).await;
        reads(&answer, &["(privately)", "is, or looks like, the name of Ann"]);
    }
    // Letters of two scripts, of which one looks like the other.
    reads(&bot.say("Cy #nomic", "join \u{410}nn").await, &["(privately)", "letters of one script"]);
    // Who comes under a nick that looks like a name gets a number behind it.
    bot.say("ann\u{200b} #nomic", "join").await;
    reads(&bot.say("op #nomic", "show players").await, &["Ann", "ann2"]);
}
