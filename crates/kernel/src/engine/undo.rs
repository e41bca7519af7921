//! Taking an entry back: the difference between how the room is and how it would be without the entry.
//!
//! History stays as it is. What comes out otherwise is told in one document, and so is what would have been announced.
//! What the entries between announced is not announced again.

use super::Replayed;
use crate::display::{Block, Cell, Document};
use crate::draft::Draft;
use crate::entry::Change;
use crate::frame::FrameFact;
use crate::game::Game;
use crate::mechanic::Event;
use crate::rulebook::{ops::TAKEN_BACK, views};
use crate::state::State;
use crate::told::differences;
use crate::{Id, Refusal};

/// Most lines of one kind that are told of what comes out otherwise; more are counted.
const TOLD_MAX_LINES: usize = 30;

/// Brings a room to where it would be without an entry; says what comes out otherwise.
pub(super) fn undo<G: Game>(replayed: &Replayed, d: &mut Draft<'_, G>) -> Result<Vec<Block>, Refusal> {
    let amended = replayed.state.downcast_ref::<State<G>>().filter(|_| replayed.last + 1 == d.seq);
    let amended = amended.ok_or_else(|| Refusal::new("the room has moved on meanwhile").instead("undo ENTRY"))?;
    d.take_dice(replayed.dice.clone());
    let before = (**d).clone();
    let because = format!("{TAKEN_BACK}{} back", replayed.seq);
    for op in before.rules.leading_to(&amended.rules) {
        d.rule(op.because(&because));
    }
    for op in before.world.leading_to(&amended.world) {
        d.op(op);
    }
    for row in before.tables.differences(&amended.tables) {
        d.emit(Change::Row(row));
    }
    seats(amended, d);
    for fact in &replayed.frame {
        d.frame_fact(fact.clone());
    }
    d.count_as(amended);
    for (entry, to) in &replayed.toggled {
        d.frame_fact(FrameFact::TakenBack { entry: *entry, to: *to });
    }
    G::mechanics().tell(&Event::Mended(&before), d);
    // What names something that is gone by that was seen to where it was played again.
    d.meter().settled = d.emitted();
    // What the game makes of it is told with it.
    Ok(otherwise(&before, d, replayed))
}

/// Brings what seats are called and stand as to where the amended line has them.
fn seats<G: Game>(amended: &State<G>, d: &mut Draft<'_, G>) {
    let held: Vec<(Id, _)> = d.frame.seats.iter().map(|(id, seat)| (id.clone(), seat.clone())).collect();
    for (id, seat) in held {
        let Some(to) = amended.frame.seats.get(&id) else { continue };
        if to.standing != seat.standing {
            d.frame_fact(FrameFact::Stands { seat: id.clone(), standing: to.standing, was: seat.standing });
        }
        let is_free = || d.frame.seats.values().all(|other| !other.name.eq_ignore_ascii_case(&to.name));
        if to.name != seat.name && is_free() {
            d.frame_fact(FrameFact::Named { seat: id, name: to.name.clone(), was: seat.name });
        }
    }
}

/// What comes out otherwise, as everybody may read it.
fn otherwise<G: Game>(before: &State<G>, after: &State<G>, replayed: &Replayed) -> Vec<Block> {
    let lines: Vec<String> = differences(before, after, |_| true).into_iter().map(|(_, line)| line).collect();
    let rules = views::difference(&before.rules, &after.rules, G::numbering());
    let mut blocks = Vec::new();
    if lines.is_empty() && rules.is_empty() && replayed.stays.is_empty() && replayed.left_out.is_empty() {
        blocks.push(Block::Para("No value and no rule comes out otherwise.".to_owned()));
    }
    list(&mut blocks, "This comes out otherwise:", &lines);
    blocks.extend(rules.into_iter().take(TOLD_MAX_LINES));
    list(&mut blocks, "This stays, and is changed otherwise:", &replayed.stays);
    list(&mut blocks, "This no longer happens:", &replayed.left_out);
    list(&mut blocks, "This happens in its place:", &replayed.came);
    list(&mut blocks, "This would have been announced:", &replayed.said);
    list(&mut blocks, "This is taken as it is recorded, for it cannot be decided again:", &replayed.as_recorded);
    list(&mut blocks, "So is this, by a fault of the bot, which decides it otherwise by now:", &replayed.otherwise);
    blocks
}

fn list(blocks: &mut Vec<Block>, head: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let mut cells: Vec<Cell> = lines.iter().take(TOLD_MAX_LINES).map(Cell::new).collect();
    if let Some(more @ 1..) = lines.len().checked_sub(TOLD_MAX_LINES) {
        cells.push(Cell::new(format!("{more} more")));
    }
    blocks.extend([Block::Para(head.to_owned()), Block::List(cells)]);
}

/// A document of a sentence and what comes out otherwise.
pub(super) fn page(say: String, told: Vec<Block>) -> Document {
    let mut page = Document::say(say);
    page.blocks.extend(told);
    page
}
