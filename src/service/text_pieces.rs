//! Long texts that somebody sends in pieces, line after line in private, because their network has short lines.
//!
//! Who sends `joust submit NAME` alone, in private, is asked for the text. Everything up to a line `end text` belongs to
//! it; where actions are awaited, up to the line that ends those. What is done in a channel is begun there, and its text is sent in private: a channel's other readers get it as
//! one announcement. The moment of the action is the moment of that last line (seed 000, ruling on J16).

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use jiff::SignedDuration;

use catalogue::{self, Kind, Param};
use kernel::Instant;
use port::{ATTACHMENT_MAX_BYTES, Account, Place, TEXT_CANCEL};

/// Most people who may be in the middle of a text at once.
const PIECES_MAX_PEOPLE: usize = 1000;

/// How long a text may take to arrive: long enough for a megabyte through a slow network.
pub(super) const PIECES_WAIT: SignedDuration = SignedDuration::from_mins(60);

/// Texts that are under way.
#[derive(Default)]
pub(super) struct Pieces {
    held: Mutex<HashMap<Account, Piece>>,
}

struct Piece {
    /// The command as it was typed, without its text.
    head: String,
    /// Where that was: the action is done there.
    place: Place,
    /// The parameter that gets the text: it says which line ends that.
    param: Param,
    body: String,
    since: Instant,
    /// Whether its sender was told that a line which could be a command is a part of it.
    warned: bool,
}

/// What became of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piecing {
    /// Its sender is in the middle of nothing: it is a line of its own.
    Ordinary,
    /// It belongs to a text that goes on.
    Held,
    /// It is one of the actions that a command takes, or belongs to one.
    Collected,
    /// It ends a text: the command, where it was typed, the text, and the reason that stands behind its end.
    Whole(String, Place, String, Option<String>),
    /// It gives a text up.
    Cancelled,
    /// The text has become longer than the bot takes, in bytes, and is given up.
    TooLong(usize),
}

impl Piece {
    /// Where its lines come from. Lines in a channel are for its readers and belong to nothing.
    fn is_fed_from(&self, place: &Place) -> bool {
        match &self.place {
            Place::Forum(_) => *place == Place::Private,
            begun => begun == place,
        }
    }
}

impl Pieces {
    /// Starts to collect a text for a command; `false` when too many people are at it.
    pub(super) fn begin(&self, account: &Account, head: String, place: Place, param: &Param, now: Instant) -> bool {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, piece| now.duration_since(piece.since) < PIECES_WAIT);
        if held.len() >= PIECES_MAX_PEOPLE && !held.contains_key(account) {
            return false;
        }
        held.insert(
            account.clone(),
            Piece { head, place, param: param.clone(), body: String::new(), since: now, warned: false },
        );
        true
    }

    /// The command whose text somebody is in the middle of who sent a line that could be a command: once for each text, so
    /// that a text of such lines is no row of warnings.
    pub(super) fn warn(&self, account: &Account) -> Option<String> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let piece = held.get_mut(account).filter(|piece| !piece.warned)?;
        piece.warned = true;
        Some(piece.head.clone())
    }

    /// Gives a line to the text that its sender is in the middle of, if any.
    pub(super) fn feed(&self, account: &Account, place: &Place, line: &str, now: Instant) -> Piecing {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(piece) = held.get_mut(account).filter(|piece| piece.is_fed_from(place)) else {
            return Piecing::Ordinary;
        };
        if now.duration_since(piece.since) >= PIECES_WAIT {
            held.remove(account);
            return Piecing::Ordinary;
        }
        match line.trim() {
            word if catalogue::closes(&piece.param, word) => match held.remove(account) {
                Some(piece) => Piecing::Whole(
                    piece.head,
                    piece.place,
                    piece.body,
                    catalogue::reason_behind(line).map(str::to_owned),
                ),
                None => Piecing::Ordinary,
            },
            word if word.eq_ignore_ascii_case(TEXT_CANCEL) => {
                held.remove(account);
                Piecing::Cancelled
            }
            _ if piece.body.len() + line.len() + 1 > ATTACHMENT_MAX_BYTES => {
                held.remove(account);
                Piecing::TooLong(ATTACHMENT_MAX_BYTES)
            }
            _ => {
                piece.body.push_str(line);
                piece.body.push('\n');
                if piece.param.kind == Kind::Actions { Piecing::Collected } else { Piecing::Held }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::Catalogue;
    use port::ForumAddress;

    fn ann() -> Account {
        Account { service: "irc:test".to_owned(), id: "ann".to_owned() }
    }

    fn text() -> Param {
        Catalogue::all().get("challenge").and_then(|command| command.rest()).cloned().unwrap()
    }

    fn actions() -> Param {
        Catalogue::all().get("transaction").and_then(|command| command.param("actions")).cloned().unwrap()
    }

    const START: Instant = Instant::UNIX_EPOCH;
    const PRIVATE: Place = Place::Private;

    #[test]
    fn lines_belong_to_a_text_only_where_it_is_sent() {
        let forum = ForumAddress { service: "irc:test".to_owned(), channel: "#nomic".to_owned() };
        let (channel, aside) = (Place::Forum(forum.clone()), Place::Aside(forum));
        let pieces = Pieces::default();
        assert!(pieces.begin(&ann(), "joust adjudicate".to_owned(), channel.clone(), &text(), START));
        assert_eq!(pieces.feed(&ann(), &channel, "hill", START), Piecing::Ordinary);
        assert_eq!(pieces.feed(&ann(), &aside, "hill", START), Piecing::Ordinary);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "So be it.", START), Piecing::Held);
        let whole = Piecing::Whole("joust adjudicate".to_owned(), channel, "So be it.\n".to_owned(), None);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "end text", START), whole);
        assert!(pieces.begin(&ann(), "joust adjudicate".to_owned(), aside.clone(), &text(), START));
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "hill", START), Piecing::Ordinary);
        assert_eq!(pieces.feed(&ann(), &aside, "So be it.", START), Piecing::Held);
    }

    #[test]
    fn lines_up_to_the_end_mark_are_one_text() {
        let pieces = Pieces::default();
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "hill", START), Piecing::Ordinary);
        assert!(pieces.begin(&ann(), "joust submit Alpha".to_owned(), PRIVATE, &text(), START));
        assert_eq!(pieces.feed(&ann(), &PRIVATE, ">>+", START), Piecing::Held);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "[-]", START), Piecing::Held);
        // A dot is a part of a program.
        assert_eq!(pieces.feed(&ann(), &PRIVATE, ".", START), Piecing::Held);
        let whole = Piecing::Whole("joust submit Alpha".to_owned(), PRIVATE, ">>+\n[-]\n.\n".to_owned(), None);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, " !End Text. ", START), whole);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "hill", START), Piecing::Ordinary);
    }

    /// B12.1: the end of a transaction ends its text.
    #[test]
    fn b12_1_the_line_that_ends_what_a_command_takes_ends_its_text() {
        let pieces = Pieces::default();
        assert!(pieces.begin(&ann(), "transaction".to_owned(), PRIVATE, &actions(), START));
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "!clock on", START), Piecing::Collected);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "end text", START), Piecing::Collected);
        let so = Some("it is late.".to_owned());
        let whole = Piecing::Whole("transaction".to_owned(), PRIVATE, "!clock on\nend text\n".to_owned(), so);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "!End Transaction because it is late.", START), whole);
    }

    #[test]
    fn a_text_is_given_up_by_word_by_length_and_by_time() {
        let pieces = Pieces::default();
        assert!(pieces.begin(&ann(), "joust submit Alpha".to_owned(), PRIVATE, &text(), START));
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "Cancel", START), Piecing::Cancelled);
        assert!(pieces.begin(&ann(), "joust submit Alpha".to_owned(), PRIVATE, &text(), START));
        let long = "+".repeat(ATTACHMENT_MAX_BYTES);
        assert_eq!(pieces.feed(&ann(), &PRIVATE, &long, START), Piecing::TooLong(ATTACHMENT_MAX_BYTES));
        assert!(pieces.begin(&ann(), "joust submit Alpha".to_owned(), PRIVATE, &text(), START));
        let later = START.checked_add(PIECES_WAIT).unwrap();
        assert_eq!(pieces.feed(&ann(), &PRIVATE, "+", later), Piecing::Ordinary);
    }
}
