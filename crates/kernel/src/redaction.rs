//! Redaction: nobody is shown the names of people who asked to be forgotten.
//!
//! The journal keeps its facts, so such a name stands in old entries, announcements and states for ever. Every display
//! of the past takes it out, by the entry that it is as of. What was said before the seat lost its name reads as if it
//! had never had it, and a namesake who came later keeps theirs. The id of a seat is made of its first name, so it is
//! replaced wherever it is shown, as of whatever entry. Texts that people typed are deleted by the store. Texts that
//! others wrote into rules and proposals stay, since they are the game's. A text that rules keep says not since when it
//! holds a name, so a name that somebody has by now stays in it.

use imbl::Vector;
use serde::{Deserialize, Serialize};

use super::{Id, Seq, display::Document};

/// What stands for the name in an id that is shown no more; no id holds it.
const UNKNOWN: &str = "?";

/// Something that a seat was known by, and is no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Redacted {
    /// Which seat.
    pub seat: Id,
    /// A name, or what else its game counts to a person.
    pub text: String,
    /// What is shown in its place.
    pub shown: String,
    /// The entry from which it meant this seat.
    pub from: Seq,
    /// The entry from which it no longer did.
    pub until: Seq,
}

/// Replaces what people were known by who asked to be forgotten.
#[derive(Clone, Debug, Default)]
pub struct Redaction<'a> {
    /// What is replaced, and by what; the longest first.
    texts: Vec<(&'a str, &'a str)>,
    /// Ids of seats, and what is shown of them.
    ids: Vec<(&'a str, String)>,
}

impl<'a> Redaction<'a> {
    /// What is to be replaced in something that is as of an entry.
    pub(super) fn as_of(redacted: &'a Vector<Redacted>, as_of: Seq) -> Self {
        let mut texts: Vec<(&str, &str)> = redacted
            .iter()
            .filter(|gone| gone.from <= as_of && as_of < gone.until)
            .map(|gone| (gone.text.as_str(), gone.shown.as_str()))
            .collect();
        // A name that begins with another goes first.
        texts.sort_unstable_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Redaction { texts, ..Self::now(redacted) }
    }

    /// What is to be replaced in something that is as of now: the seats have their names, only ids still tell.
    pub(super) fn now(redacted: &'a Vector<Redacted>) -> Self {
        let mut ids: Vec<(&str, String)> = redacted
            .iter()
            .filter_map(|gone| Some((&*gone.seat, format!("{}/{}", gone.seat.split_once('/')?.0, gone.shown))))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Redaction { texts: Vec::new(), ids }
    }

    /// What is to be replaced in a text that rules keep, nobody knows since when: names that no seat has by now. Of a
    /// name that several gave up it is taken for the last one's.
    pub(super) fn of_kept(redacted: &'a Vector<Redacted>, is_borne: impl Fn(&str) -> bool) -> Self {
        let gone = redacted.iter().rev().filter(|gone| !is_borne(&gone.text));
        let mut texts: Vec<(&str, &str)> = gone.map(|gone| (gone.text.as_str(), gone.shown.as_str())).collect();
        // A name that begins with another goes first.
        texts.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Redaction { texts, ids: Vec::new() }
    }
}

impl Redaction<'_> {
    /// Whether there is nothing to replace.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.ids.is_empty()
    }

    /// A text that the program wrote: names stand in it as their seats spell them.
    pub fn text(&self, text: &str) -> String {
        self.apply(text, Case::Exact)
    }

    /// A text that somebody typed: names stand in it in any case.
    pub fn typed(&self, text: &str) -> String {
        self.apply(text, Case::Folded)
    }

    /// A document.
    pub fn document(&self, document: &mut Document) {
        if !self.is_empty() {
            document.each_text(&mut |text| *text = self.text(text));
        }
    }

    /// What a reader sees of a document, and nothing that comes back from one, such as an id or a line to type.
    pub fn seen(&self, document: &mut Document) {
        if !self.is_empty() {
            document.each_seen(&mut |text| *text = self.text(text));
        }
    }

    /// The ids that were meant by a text in which ids were replaced.
    pub fn meant(&self, text: &str) -> String {
        let unnamed = self.unnamed(text);
        self.ids.iter().fold(unnamed, |text, (id, shown)| replaced(&text, shown, id, Case::Exact))
    }

    /// What may be meant by a text that was read in something of the past, where names stood replaced. It gives each of
    /// them in its place again. Whoever uses these shows what comes of it through the redaction, refusals too.
    pub fn unredacted(&self, text: &str) -> Vec<String> {
        let back = self.texts.iter().map(|(name, shown)| replaced(text, shown, name, Case::Folded));
        back.filter(|back| back != text).collect()
    }

    /// What somebody asks for, without the ids that are shown no more. These mean nothing, so whoever remembers a name
    /// does not learn by asking whose it was.
    pub fn unnamed(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (id, _)| {
            let kind = id.split_once('/').map_or("", |(kind, _)| kind);
            replaced(&text, id, &format!("{kind}/{UNKNOWN}"), Case::Folded)
        })
    }

    fn apply(&self, text: &str, case: Case) -> String {
        let ids = self.ids.iter().fold(text.to_owned(), |text, (id, shown)| replaced(&text, id, shown, case));
        self.texts.iter().fold(ids, |text, (old, new)| replaced(&text, old, new, case))
    }
}

/// Whether upper and lower case are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Exact,
    Folded,
}

fn in_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Whether the characters next to a name, the nearest first, continue it: `Bob2` and `player/bob-2` are somebody else's.
fn continues(mut chars: impl Iterator<Item = char>) -> bool {
    match chars.next() {
        Some('-') => chars.next().is_some_and(in_name),
        next => next.is_some_and(in_name),
    }
}

/// A text with every `old` that stands in it as a word of its own replaced.
fn replaced(text: &str, old: &str, new: &str, case: Case) -> String {
    let (Some(first), Some(last)) = (old.chars().next(), old.chars().next_back()) else { return text.to_owned() };
    if case == Case::Exact && !text.contains(old) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(char) = text[at..].chars().next() {
        let begins = !(in_name(first) && continues(text[..at].chars().rev()));
        let len = begins.then(|| len_at_start(&text[at..], old, case)).flatten();
        let len = len.filter(|len| !(in_name(last) && continues(text[at + len..].chars())));
        match len {
            Some(len) => {
                out.push_str(new);
                at += len;
            }
            None => {
                out.push(char);
                at += char.len_utf8();
            }
        }
    }
    out
}

/// How many bytes of a text are `old`, which it begins with.
fn len_at_start(text: &str, old: &str, case: Case) -> Option<usize> {
    if case == Case::Exact {
        return text.starts_with(old).then_some(old.len());
    }
    let mut chars = text.chars();
    for want in old.chars() {
        let char = chars.next()?;
        if !char.to_lowercase().eq(want.to_lowercase()) {
            return None;
        }
    }
    Some(text.len() - chars.as_str().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::display::{Block, Cell, Graph, Vertex};
    use crate::frame::{Frame, FrameFact, Standing};

    fn seated(frame: &mut Frame, seat: &str, name: &str, seq: Seq) {
        let fact = FrameFact::Seated {
            seat: seat.into(),
            name: name.to_owned(),
            person: "p1".into(),
            standing: Standing::Player,
            at: Instant::UNIX_EPOCH,
        };
        frame.fold(&fact, seq);
    }

    fn forgotten(frame: &mut Frame, seat: &str, name: &str, seq: Seq) {
        frame.fold(&FrameFact::Forgotten { seat: seat.into(), name: name.to_owned() }, seq);
    }

    #[test]
    fn a_name_is_replaced_as_a_word_as_of_the_entries_in_which_it_meant_the_seat() {
        let mut frame = Frame::unopened();
        seated(&mut frame, "player/bob", "Bob", 3);
        forgotten(&mut frame, "player/bob", "former1", 9);
        seated(&mut frame, "player/bob-2", "Bob", 12);
        let said = "Bob, Bob's (Bob) Bobbin Bob-2 bob player/bob.points player/bob-2";
        let redacted = "former1, former1's (former1) Bobbin Bob-2 bob player/former1.points player/bob-2";
        for seq in [3, 9] {
            assert_eq!(frame.redaction(seq).text(said), redacted);
        }
        for seq in [2, 10, 12] {
            assert_eq!(frame.redaction(seq).text("Bob player/bob"), "Bob player/former1");
        }
        assert_eq!(frame.redaction(5).typed("seat give BOB to bobby"), "seat give former1 to bobby");
        assert_eq!(frame.redaction(5).unredacted("program/FORMER1"), ["program/Bob"]);
        assert_eq!(frame.redaction(5).unredacted("program/former10"), Vec::<String>::new());
        assert_eq!(frame.redaction(10).unredacted("program/former1"), Vec::<String>::new());
        assert_eq!(frame.redaction_now().meant("player/former1.points"), "player/bob.points");
        assert_eq!(frame.redaction_now().meant("player/Bob.points player/bob-2"), "player/?.points player/bob-2");
    }

    #[test]
    fn a_name_given_up_and_taken_by_another_before_means_the_other() {
        let mut frame = Frame::unopened();
        seated(&mut frame, "player/bob", "Bob", 3);
        frame.fold(&FrameFact::Named { seat: "player/bob".into(), name: "Rob".to_owned(), was: "Bob".to_owned() }, 5);
        seated(&mut frame, "player/bob-2", "Bob", 7);
        forgotten(&mut frame, "player/bob", "former1", 9);
        assert_eq!(frame.redaction(6).text("Bob Rob"), "former1 former1");
        assert_eq!(frame.redaction(8).text("Bob Rob"), "Bob former1");
        forgotten(&mut frame, "player/bob-2", "former2", 11);
        assert_eq!(frame.redaction(6).text("Bob Rob"), "former1 former1");
        assert_eq!(frame.redaction(8).text("Bob Rob"), "former2 former1");
    }

    #[test]
    fn a_kept_text_names_nobody_by_a_name_that_was_forgotten_and_that_no_seat_has() {
        let mut frame = Frame::unopened();
        seated(&mut frame, "player/bob", "Bob", 3);
        assert_eq!(frame.redaction_of_kept().text("Bob pays Ann"), "Bob pays Ann");
        forgotten(&mut frame, "player/bob", "former1", 9);
        assert_eq!(frame.redaction_of_kept().text("Bob pays Bobbin"), "former1 pays Bobbin");
        let cell = || Cell::new("for Bob").completing("Bob").from_path("player/bob.points".parse().unwrap());
        let mut page = Document::say("Bob pays").with(Block::List(vec![cell()]));
        frame.redaction_of_kept().seen(&mut page);
        let told = Cell { text: "for former1".to_owned(), ..cell() };
        let told = Document::say("former1 pays").with(Block::List(vec![told]));
        assert_eq!(page, told);
        assert!(frame.is_nameless("player/bob") && frame.tail("player/bob").is_none());
        assert_eq!(frame.tail("player/ann"), Some("ann"));
        seated(&mut frame, "player/bob-2", "Bob", 12);
        assert_eq!(frame.redaction_of_kept().text("Bob pays"), "Bob pays");
        forgotten(&mut frame, "player/bob-2", "former2", 13);
        assert_eq!(frame.redaction_of_kept().text("Bob pays"), "former2 pays");
        let back = FrameFact::Named { seat: "player/bob".into(), name: "Bo".to_owned(), was: "former1".to_owned() };
        frame.fold(&back, 14);
        assert!(!frame.is_nameless("player/bob") && frame.is_redacted("player/bob"));
    }

    #[test]
    fn every_text_of_a_document_is_redacted() {
        let mut frame = Frame::unopened();
        seated(&mut frame, "player/bob", "Bob", 1);
        forgotten(&mut frame, "player/bob", "former1", 2);
        let cell = || Cell::named("Bob").showing("program/Bob").from_path("player/bob.points".parse().unwrap());
        let mut document = Document::titled("", "Of Bob").para("Bob").about("proposal/1", "Bob’s");
        document.blocks.extend([
            Block::table(vec!["Bob".to_owned()], vec![vec![cell()]]),
            Block::List(vec![cell()]),
            Block::Code { lang: "diff".to_owned(), text: "-Bob".to_owned() },
            Block::Grid { columns: vec!["Bob".to_owned()], rows: vec![("Bob".to_owned(), vec![cell()])] },
            Block::Graph(Graph {
                vertices: vec![Vertex { cell: cell(), there: vec![cell()], ..Vertex::default() }],
                groups: vec![cell()],
                ungrouped: "Bob".to_owned(),
                ..Graph::default()
            }),
        ]);
        document.offers.push(crate::display::Offer::new("Bob", "thank Bob".to_owned(), 1));
        frame.redaction(1).document(&mut document);
        let json = serde_json::to_string(&document).unwrap();
        assert!(!json.to_lowercase().contains("bob"), "{json}");
    }
}
