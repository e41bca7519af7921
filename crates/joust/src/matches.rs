//! Displays of matches: the table of the last challenge, and two programs in it.
//!
//! Every display reads the state as it is and changes nothing. Charges are played for a reader in `watch`.

use bfjoust::span;

use super::{
    challenge,
    game::Joust,
    outcome::{Outcome, Pair},
    places::{self, Fought},
    play,
    programs::{self, two},
    watch,
};
use kernel::{
    Asked, Display, Mechanic, Refusal, State,
    display::{Block, Document, cells, counted},
};

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<Joust> {
    Mechanic::new("matches").display(Display::new("matrix", |state, _| matrix(state)).listed(1)).display(
        Display::of("match", fought).fits(|parts| parts == 2).seen_at(|state: &State<Joust>, rest| {
            let (left, right) = two(rest);
            let game = &state.tables;
            places::met(game, programs::find(game, left)?.id, programs::find(game, right)?.id)
        }),
    )
}

// ---- display

/// Lengths in order, those that follow one another without a gap as one, and how often each was drawn: `135–150, 152 ×2`.
fn stretches(mut lengths: Vec<usize>) -> String {
    lengths.sort_unstable();
    let drawn: Vec<(usize, usize)> = lengths.chunk_by(usize::eq).map(|same| (same[0], same.len())).collect();
    let stretches = drawn.chunk_by(|(one, often), (next, as_often)| next - one == 1 && often == as_often);
    let told = stretches.map(|stretch| {
        let (first, often) = stretch[0];
        let times = if often == 1 { String::new() } else { format!(" ×{often}") };
        format!("{}{times}", span((first, stretch[stretch.len() - 1].0)))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The lengths of the charges of a match that ended as wanted: those as written, and those with `+` and `-` exchanged.
pub(super) fn lengths(outcome: &Outcome, pair: &Pair, wanted: impl Fn(char) -> bool) -> Vec<String> {
    let charges = play::charges(&outcome.lengths, &outcome.play).zip(pair.winners.chars());
    let found: Vec<_> = charges.filter(|(_, winner)| wanted(*winner)).map(|(setup, _)| setup).collect();
    let told = [(false, ""), (true, " with + and - exchanged")].map(|(swapped, exchanged)| {
        let lengths = found.iter().filter(|setup| setup.swapped == swapped).map(|setup| setup.length).collect();
        Some(stretches(lengths)).filter(|lengths| !lengths.is_empty()).map(|lengths| lengths + exchanged)
    });
    told.into_iter().flatten().collect()
}

/// Touches of all pairs in the last challenge.
fn matrix(state: &State<Joust>) -> Result<Document, Refusal> {
    let last = last(state)?;
    let mut document = Document::titled("matrix", format!("Touches in challenge {}, row against column", last.number));
    document = document.with(challenge::matrix(&state.tables, last));
    Ok(document)
}

fn last(state: &State<Joust>) -> Result<&Outcome, Refusal> {
    let none = || Refusal::new("no challenge has been played yet").instead("hill");
    places::last(&state.tables).map(|fought| &fought.outcome).ok_or_else(none)
}

/// How the match of two programs ended.
fn fought(state: &State<Joust>, asked: Asked<'_>) -> Result<Document, Refusal> {
    let game = &state.tables;
    let (left, right) = two(asked.rest);
    let (left, right) = (programs::need(game, left)?, programs::need(game, right)?);
    if left.id == right.id {
        return Err(Refusal::new("no program meets itself").by("Challenge, J21").instead("matrix"));
    }
    let Some(met) = places::met(game, left.id, right.id) else {
        return Err(Refusal::new(format!("the programs {} and {} met in no challenge", left.name, right.name))
            .instead("matrix"));
    };
    let held = game.rows::<Fought>().values().find(|fought| fought.seq == met).map(|fought| &fought.outcome);
    let Some((last, pair)) = held.and_then(|outcome| Some((outcome, outcome.pair(left.id, right.id)?))) else {
        let (one, other) = (programs::handle(game, left), programs::handle(game, right));
        return Err(Refusal::new(format!("the programs {} and {} last met in entry {met}", left.name, right.name))
            .instead(format!("joust match {one} {other} as of {met}")));
    };
    let own = if pair.left == left.id { play::LEFT } else { play::RIGHT };
    let at = |wanted: fn(char, char) -> bool| {
        let wanted = |winner| wanted(winner, own);
        match pair.winners.chars().filter(|winner| wanted(*winner)).count() {
            0 => "no charge".to_owned(),
            count => {
                format!("{}, at {}", counted(count, "time"), lengths(last, pair, wanted).join(", and at "))
            }
        }
    };
    let title = format!("{} against {} in challenge {}", left.name, right.name, last.number);
    let touches = |of, against| last.touches(of, against).unwrap_or_default();
    let id = programs::met(&programs::part(game, left), &programs::part(game, right));
    let document = Document::titled(id, title)
        .para(format!("Touches: {} to {}", touches(left.id, right.id), touches(right.id, left.id)))
        .with(Block::List(cells![
            format!("{} won {}", left.name, at(|winner, own| winner == own)),
            format!("{} won {}", right.name, at(|winner, own| winner != own && winner != play::NOBODY)),
            format!("both lost {}", at(|winner, _| winner == play::NOBODY)),
        ]));
    Ok(watch::links(state, left, right, asked.viewer).into_iter().fold(document, Document::with))
}

#[cfg(test)]
mod tests;
