//! Laws hear every act that a player can type, by whatever name it is typed.

use catalogue::{Catalogue, See};

fn all_heard<G: laws::Hosts>() {
    let is_act = |action: &str| G::mechanics().acts().any(|act| act == action);
    // What moderators do is beside the rules, whatever acts of players are called.
    let is_played = |see: See| see != See::Moderator;
    let all = Catalogue::of_game(G::NAME).commands().iter();
    let typed = all.filter(|command| is_played(command.see) && is_act(&command.action));
    let mut count = 0;
    for command in typed {
        for name in command.names() {
            let heard = laws::act_called::<G>(name);
            assert_eq!(heard, Some(G::named(&command.action)), "{} of {}", name, G::NAME);
            count += 1;
        }
    }
    assert!(count > 10, "{count} names of acts in {}", G::NAME);
}

#[test]
fn every_act_that_is_typed_is_heard() {
    all_heard::<blognomic::BlogNomic>();
    all_heard::<bnomic::BNomic>();
    all_heard::<joust::Joust>();
    all_heard::<spacenomic::Spacenomic>();
}
