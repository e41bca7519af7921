//! What stands in the menus of messages and people: what can be done about the thing that a message shows, and what
//! somebody did.
//!
//! A message is known by what the service keeps up to date in it. So the menus know no game, and their commands are those
//! that anybody may type.

use serenity::all::{CommandInteraction, CommandType};

use super::{
    menu_names::{OF_MESSAGES, OF_PEOPLE},
    service::forum,
    shared::Shared,
};
use port::{Account, Called};

/// Whether an interaction comes from a menu.
pub(super) fn is_one(interaction: &CommandInteraction) -> bool {
    matches!(interaction.data.kind, CommandType::User | CommandType::Message)
}

/// The command that somebody chose in a menu, with its values; nothing where there is none for what it stands at.
pub(super) async fn called(shared: &Shared, interaction: &CommandInteraction, channel: u64) -> Option<Called> {
    let target = interaction.data.target_id?.get();
    let name: &str = &interaction.data.name;
    let ((_, command, param), found) = match interaction.data.kind {
        CommandType::Message => {
            let menu = OF_MESSAGES.iter().find(|(menu, ..)| *menu == name)?;
            let at = forum(interaction.channel_id.get());
            (*menu, shared.desk.shown_in(&at, &target.to_string()).await?)
        }
        CommandType::User => {
            let account = Account { service: super::service::SERVICE.to_owned(), id: target.to_string() };
            (OF_PEOPLE, shared.desk.seat_of(&account, &forum(channel)).await?)
        }
        _ => return None,
    };
    let (room, what) = found;
    // A display's name stands for itself; in a sentence it is words.
    let what = if command == "show" { what } else { what.replace('/', " ") };
    Some(Called {
        name: command.to_owned(),
        args: [(param.to_owned(), what)].into(),
        room: Some(room),
        ..Called::default()
    })
}
