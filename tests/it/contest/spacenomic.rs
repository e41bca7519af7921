//! Some days of Spacenomic on a network with services. Players are admitted, moves are set in private and executed at
//! noon, and a vertex is taken. The map comes in characters, income is paid, and what the rules do not let happen is
//! told in private.

use crate::{
    contest::{
        stage::{BOT, asks, count, does, is_refused, reads, tell},
        with_services,
    },
    harness::needs_servers,
};

#[test]
fn days_in_space_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    tell(|_| story());
}

async fn story() {
    let (mut stage, [mut zed, mut abe, mut bo]) = with_services(["Zed", "Abe", "Bo"]).await;

    does(&mut zed, "room open spacenomic main ends:\"2027-06-30 20:00\"", "is its public forum").await;
    for player in [&mut abe, &mut bo] {
        let name = player.nick.clone();
        does(player, &format!("join {name}"), &format!("{name} asks to become a player")).await;
        does(&mut zed, &format!("admit {name}"), &format!("admits {name}, who is a player now, with 97")).await;
    }

    // A move is nobody's business before noon: it goes to the bot alone.
    is_refused(&mut abe, "move set go (1, 1)", "private").await;
    asks(&mut abe, "move set go (1, 1)", "Your location move is “go (1, 1)”").await;
    reads(&mut bo, "Its hash: ").await;
    asks(&mut bo, "move set go (0, 0)", "Your location move is “go (0, 0)”").await;
    stage.told().await;
    zed.settle().await;
    assert_eq!(count(&zed, "go (0, 0)"), 0, "{:?}", zed.wire);
    stage.restart().await;
    zed.expect("the bot to come back", |message| message.command == "JOIN" && message.from == BOT).await;
    stage.house.to("2026-11-03T12:00:00Z").await;
    reads(&mut zed, "The location moves of 2026-11-03 12:00 UTC are executed.").await;

    does(&mut abe, "vertex buy", "Abe transfers 32 money units to nowhere and owns (1, 1).").await;
    is_refused(&mut bo, "pay 98 to Abe", "97").await;

    // Every line of the map stands for itself, since a network shows no empty ones.
    asks(&mut bo, "show space", "Space: 9 vertices, 20 edges").await;
    for line in ["2: o---o---o", "1: o---A1--o", "0: o1--o---o"] {
        bo.expect(line, |message| message.command == "NOTICE" && message.text() == line).await;
    }
    stage.house.to("2026-11-03T21:00:00Z").await;
    reads(&mut zed, "Income of the day, from nowhere:").await;
    asks(&mut bo, "show people", "97 2/3").await;
    stage.told().await;
    for client in [&mut zed, &mut abe, &mut bo] {
        client.settle().await;
    }
}
