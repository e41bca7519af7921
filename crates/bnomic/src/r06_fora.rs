//! Fora whose designation a Proposal, a Tweak or a Refresh Proposal changes (4E6): `=> designate #talk as Discussion`.
//!
//! The rules give no other manner; the moderator who binds a channel designates it first. Binding a channel is no part
//! of the game, since the room does not know the channel before.

use super::game::{BNomic, D};
use kernel::{
    Id, Mechanic, Refusal, Verb,
    directives::syntax::unquote,
    frame::{Designation, FrameFact},
};

/// The rule, as refusals call it.
const BY: &str = "4E6, Fora";

// ---- the mechanic

/// Fora as a mechanic.
pub(super) fn mechanic() -> Mechanic<BNomic> {
    Mechanic::new("fora").verb(Verb::new(&["designate"], |said, d| designate(d, said.rest).map(Some)))
}

/// Designates a Forum anew, from now on (B6.2); says what it was.
///
/// # Errors
///
/// A [`Refusal`] for a channel that is not bound to the room, and for what no Forum can be.
fn designate(d: &mut D<'_>, words: &str) -> Result<String, Refusal> {
    let form = || {
        Refusal::new("it does not say which Forum is to be Public, Discussion or Private")
            .by(BY)
            .instead("=> designate #talk as Discussion")
    };
    let (forum, term) = words.rsplit_once(char::is_whitespace).ok_or_else(form)?;
    let term = [Designation::Public, Designation::Discussion, Designation::Private]
        .into_iter()
        .find(|designation| designation.word().eq_ignore_ascii_case(unquote(term)))
        .ok_or_else(form)?;
    let forum = forum.trim_end().trim_end_matches(':').trim_end();
    let forum = [" as", " to", " to be"]
        .iter()
        .find_map(|word| {
            let head = forum.len().checked_sub(word.len())?;
            forum.get(head..).filter(|tail| tail.eq_ignore_ascii_case(word)).map(|_| forum[..head].trim_end())
        })
        .unwrap_or(forum);
    let forum = find(d, unquote(forum))?;
    let was = d.frame.forums.get(&forum).and_then(|forum| forum.designation());
    let name = name(&forum).to_owned();
    if was == Some(term) {
        return Err(Refusal::new(format!("{name} is {} already", shown(term))).by(BY).instead("show forums"));
    }
    let at = d.at;
    d.frame_fact(FrameFact::Designated { forum, designation: Some(term), at });
    let was = was.map_or_else(String::new, |was| format!(", and was {}", shown(was)));
    Ok(format!("{name} is {} from now on{was}", shown(term)))
}

/// A Forum of the room, by its address or the name of its channel.
fn find(d: &D<'_>, words: &str) -> Result<Id, Refusal> {
    let plain = |words: &str| words.trim().trim_start_matches('#').to_lowercase();
    let wanted = plain(words);
    let bound = d.frame.forums.iter().filter(|(_, forum)| forum.designation().is_some()).map(|(id, _)| id);
    let is = |id: &&Id| plain(name(id)) == wanted || id.to_lowercase() == wanted;
    let found: Vec<&Id> = bound.filter(is).collect();
    match &found[..] {
        [only] => Ok((*only).clone()),
        [] => Err(Refusal::new(format!("no channel of this room is called “{}”", words.trim()))
            .by(BY)
            .instead("show forums")),
        _ => Err(Refusal::new(format!("“{}” may be any of several channels; give the whole address", words.trim()))
            .by(BY)
            .instead("show forums")),
    }
}

/// The name of a Forum's channel.
fn name(forum: &str) -> &str {
    forum.rsplit('/').next().unwrap_or(forum)
}

fn shown(designation: Designation) -> &'static str {
    match designation {
        Designation::Public => "Public",
        Designation::Discussion => "Discussion",
        Designation::Private => "Private",
    }
}
