//! Judges what came of an act: replies, announcements and entries, against what the rehearsal expects of them.
//!
//! Expectations look at the outcome of the last act and of nothing before it, so that an old announcement cannot meet a
//! new expectation. Acts are played in `play`.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    pattern::{Pattern, Remembered, fold, recall},
    script::{Expect, LineOf, Place, Reader, ValueName},
};
use kernel::{Num, Path, engine::View};
use port::{Reply, ReplyKind};

/// What came of one act.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The line of the act.
    pub(super) act: Option<Place>,
    /// How many entries the room of the rehearsal got.
    pub(super) entries: u64,
    /// Whether a reply was asked for at all.
    pub(super) replies: Vec<Answered>,
    heard: Vec<Heard>,
    /// Up to where replies, and refusals, were looked at: which one, and the byte in it.
    reply_cursor: (usize, usize),
    refusal_cursor: (usize, usize),
    heard_cursors: BTreeMap<Reader, (usize, usize)>,
}

/// A reply.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) kind: ReplyKind,
    pub(super) private: bool,
    pub(super) lines: Vec<String>,
    folded: String,
    /// Whether some expectation is about it.
    expected: bool,
}

/// An announcement.
#[derive(Debug)]
struct Heard {
    to: Reader,
    lines: Vec<String>,
    folded: String,
    expected: bool,
}

/// What is wrong: what was expected, and what was instead.
pub(super) type Wrong = (String, String);

impl Outcome {
    /// Nothing came of it so far.
    pub(super) fn of(act: Place) -> Self {
        Self { act: Some(act), ..Self::default() }
    }

    /// Takes note of a reply.
    pub(super) fn reply(&mut self, reply: &Reply, lines: Vec<String>) {
        let folded = fold(&lines.join("\n"));
        self.replies.push(Answered { kind: reply.kind, private: reply.private, lines, folded, expected: false });
    }

    /// Takes note of an announcement.
    pub(super) fn announced(&mut self, to: Reader, lines: Vec<String>) {
        let folded = fold(&lines.join("\n"));
        self.heard.push(Heard { to, lines, folded, expected: false });
    }

    // ---- replies

    /// A reply that is no refusal says so, after what was expected of it before.
    pub(super) fn says(&mut self, says: &Pattern, private: bool) -> Result<Remembered, Wrong> {
        let (first, byte) = self.reply_cursor;
        for (index, reply) in self.replies.iter_mut().enumerate().skip(first) {
            if reply.kind.is_refusal() || reply.kind == ReplyKind::Fault || (private && !reply.private) {
                continue;
            }
            if let Some(found) = says.find(&reply.folded, if index == first { byte } else { 0 }) {
                self.reply_cursor = (index, found.end);
                return Ok(found.words);
            }
        }
        let whom = if private { "a reply for the speaker alone" } else { "a reply" };
        Err((format!("{whom} with “{}”", says.written()), self.said()))
    }

    /// A refusal says so.
    pub(super) fn refuses(&mut self, says: &Pattern) -> Result<Remembered, Wrong> {
        let (first, byte) = self.refusal_cursor;
        for (index, reply) in self.replies.iter_mut().enumerate().skip(first) {
            if !reply.kind.is_refusal() {
                continue;
            }
            if let Some(found) = says.find(&reply.folded, if index == first { byte } else { 0 }) {
                self.refusal_cursor = (index, found.end);
                reply.expected = true;
                return Ok(found.words);
            }
        }
        // Whatever was refused instead is told here, and not once more at the end.
        self.replies.iter_mut().for_each(|reply| reply.expected = true);
        Err((format!("a refusal with “{}”", says.written()), self.said()))
    }

    /// No reply says so; without a text, there is none.
    pub(super) fn no_reply(&self, says: Option<&Pattern>) -> Result<(), Wrong> {
        match says {
            None if self.replies.is_empty() => Ok(()),
            None => Err(("no reply".to_owned(), self.said())),
            Some(says) => match self.replies.iter().find(|reply| says.find(&reply.folded, 0).is_some()) {
                None => Ok(()),
                Some(reply) => Err((format!("no reply with “{}”", says.written()), told(&reply.lines))),
            },
        }
    }

    /// The replies have these lines.
    pub(super) fn lines(&self, lines: &[(Place, LineOf)]) -> Result<Remembered, (Place, Wrong)> {
        let given: Vec<String> = self
            .replies
            .iter()
            .filter(|reply| !reply.kind.is_refusal())
            .flat_map(|reply| reply.lines.iter().map(|line| fold(line)))
            .filter(|line| !line.is_empty())
            .collect();
        if let Some(words) = fit(lines, &given, true) {
            return Ok(words);
        }
        // The first line that cannot be fitted is the one to look at.
        let fitting = (0..=lines.len()).rev().find(|count| fit(&lines[..*count], &given, false).is_some());
        let Some((place, _)) = lines.get(fitting.unwrap_or(0)).or(lines.last()) else { return Ok(Remembered::new()) };
        let expected = match lines.get(fitting.unwrap_or(0)) {
            Some((_, LineOf::Is(line))) => format!("the line “{}” here", line.written()),
            Some((_, LineOf::Others)) | None => "no further line".to_owned(),
        };
        Err((place.clone(), (expected, self.said())))
    }

    /// What was replied, for complaints.
    pub(super) fn said(&self) -> String {
        let sign = |reply: &Answered| match reply.kind {
            ReplyKind::Refused | ReplyKind::Unknown => "it was refused: ",
            ReplyKind::Fault => "something broke: ",
            ReplyKind::Done | ReplyKind::Announced | ReplyKind::Shown | ReplyKind::Awaits => "the reply is: ",
        };
        let all: Vec<String> =
            self.replies.iter().map(|reply| format!("{}{}", sign(reply), told(&reply.lines))).collect();
        if all.is_empty() { "there is no reply".to_owned() } else { all.join("\n") }
    }

    // ---- announcements

    /// An announcement says so, after what was expected there before.
    pub(super) fn hears(&mut self, to: &Reader, says: &Pattern) -> Result<Remembered, Wrong> {
        let (first, byte) = self.heard_cursors.get(to).copied().unwrap_or_default();
        for (index, heard) in self.heard.iter_mut().enumerate().skip(first).filter(|(_, heard)| is(&heard.to, to)) {
            if let Some(found) = says.find(&heard.folded, if index == first { byte } else { 0 }) {
                self.heard_cursors.insert(to.clone(), (index, found.end));
                heard.expected = true;
                return Ok(found.words);
            }
        }
        Err((format!("an announcement to {to} with “{}”", says.written()), self.all_heard(Some(to))))
    }

    /// No announcement says so; without a text, there is none.
    pub(super) fn hears_not(&self, to: Option<&Reader>, says: Option<&Pattern>) -> Result<(), Wrong> {
        let there = |heard: &&Heard| to.is_none_or(|to| is(&heard.to, to));
        let fits = |heard: &&Heard| says.is_none_or(|says| says.find(&heard.folded, 0).is_some());
        let Some(heard) = self.heard.iter().filter(there).find(fits) else { return Ok(()) };
        let place = to.map_or_else(String::new, |to| format!(" to {to}"));
        let expected = match says {
            None => format!("no announcement{place}"),
            Some(says) => format!("no announcement{place} with “{}”", says.written()),
        };
        Err((expected, format!("{} hears: {}", heard.to, told(&heard.lines))))
    }

    fn all_heard(&self, to: Option<&Reader>) -> String {
        let there = |heard: &&Heard| to.is_none_or(|to| is(&heard.to, to));
        let all: Vec<String> = self.heard.iter().filter(there).map(|heard| told(&heard.lines)).collect();
        if all.is_empty() { "nothing is announced there".to_owned() } else { format!("it hears: {}", all.join("\n")) }
    }

    // ---- expectations

    /// Whether something that was expected holds, of what came of the act and of the room as it is now: the words that
    /// its pattern found.
    pub(super) fn meets(
        &mut self,
        place: &Place,
        expect: &Expect,
        words: &Remembered,
        view: Result<Arc<dyn View>, Wrong>,
    ) -> Result<Remembered, (Place, Wrong)> {
        let here = |wrong: Wrong| (place.clone(), wrong);
        let held = |()| Remembered::new();
        match expect {
            Expect::Reply { says, private } => self.says(&says.with(words), *private).map_err(here),
            Expect::Refused(says) => self.refuses(&says.with(words)).map_err(here),
            Expect::NoReply(says) => {
                let says = says.as_ref().map(|says| says.with(words));
                self.no_reply(says.as_ref()).map(held).map_err(here)
            }
            Expect::Lines(lines) => {
                let with = |line: &LineOf| match line {
                    LineOf::Is(line) => LineOf::Is(line.with(words)),
                    LineOf::Others => LineOf::Others,
                };
                let lines: Vec<_> = lines.iter().map(|(place, line)| (place.clone(), with(line))).collect();
                self.lines(&lines)
            }
            Expect::Announced { to, says } => self.hears(to, &says.with(words)).map_err(here),
            Expect::NotAnnounced { to, says } => {
                let says = says.as_ref().map(|says| says.with(words));
                self.hears_not(to.as_ref(), says.as_ref()).map(held).map_err(here)
            }
            Expect::Value { what, not, is } => {
                view.and_then(|view| value(&*view, what, *not, &recall(is, words))).map(held).map_err(here)
            }
            Expect::Figure { key, not, is } => {
                view.and_then(|view| figure(&*view, key, *not, &recall(is, words))).map(held).map_err(here)
            }
            Expect::Entries(count) if self.entries == *count => Ok(Remembered::new()),
            Expect::Entries(count) => Err(here((format!("{count} entries"), format!("{} were made", self.entries)))),
        }
    }

    // ---- the end

    /// What nobody expected: refusals, faults, and with `strict` announcements.
    pub(super) fn leftover(&self, strict: bool) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        for reply in self.replies.iter().filter(|reply| !reply.expected) {
            match reply.kind {
                ReplyKind::Refused | ReplyKind::Unknown => {
                    wrong.push(("no refusal".to_owned(), format!("it was refused: {}", told(&reply.lines))))
                }
                ReplyKind::Fault => wrong.push(("no fault".to_owned(), told(&reply.lines))),
                ReplyKind::Done | ReplyKind::Announced | ReplyKind::Shown | ReplyKind::Awaits => {}
            }
        }
        for heard in self.heard.iter().filter(|heard| strict && !heard.expected) {
            wrong.push(("no other announcement".to_owned(), format!("{} hears: {}", heard.to, told(&heard.lines))));
        }
        wrong
    }
}

/// What cannot be done in a rehearsal.
pub(super) fn cannot(what: impl Into<String>) -> Wrong {
    ("something that can be done".to_owned(), what.into())
}

fn value(view: &dyn View, what: &ValueName, not: bool, is: &str) -> Result<(), Wrong> {
    let path = match what {
        ValueName::Path(path) => path.parse::<Path>().map_err(|why| cannot(why.to_string()))?,
        ValueName::Of { attr, name } => {
            path_of(view, attr, name).ok_or_else(|| cannot(format!("nobody is called {name} here")))?
        }
    };
    let now = view.world().value(&path).to_string();
    let same = now == is || matches!((now.parse::<Num>(), is.parse::<Num>()), (Ok(now), Ok(is)) if now == is);
    same_as(&path.to_string(), same != not, not, is, &now)
}

fn figure(view: &dyn View, key: &str, not: bool, is: &str) -> Result<(), Wrong> {
    let keys = view.keys();
    let Some(known) = keys.iter().find(|known| known.key.trim_start_matches('@') == key) else {
        return Err(cannot(format!("the game has no figure {key}")));
    };
    let shown: Vec<&str> = view.rules().places(known.key).map(|(rule, span)| rule.text().shown(span)).collect();
    let now = if shown.is_empty() { "none".to_owned() } else { shown.join(" ") };
    same_as(key, (now == is) != not, not, is, &now)
}

fn same_as(what: &str, met: bool, not: bool, is: &str, now: &str) -> Result<(), Wrong> {
    if met {
        return Ok(());
    }
    let word = if not { "is not" } else { "is" };
    Err((format!("that {what} {word} {is}"), format!("it is {now}")))
}

/// The path of an attribute of whoever goes by a name in a room.
fn path_of(view: &dyn View, attr: &str, name: &str) -> Option<Path> {
    let seat = view.frame().seats.iter().find(|(_, seat)| seat.name.eq_ignore_ascii_case(name));
    seat.map(|(id, _)| Path::new(id.clone(), attr))
}

fn told(lines: &[String]) -> String {
    lines.join("\n")
}

fn is(one: &Reader, other: &Reader) -> bool {
    match (one, other) {
        (Reader::Channel(one), Reader::Channel(other)) => one == other,
        (Reader::Person(one), Reader::Person(other)) => one.to_lowercase() == other.to_lowercase(),
        _ => false,
    }
}

/// Fits expected lines to given ones, all of them or the first ones.
fn fit(expected: &[(Place, LineOf)], given: &[String], whole: bool) -> Option<Remembered> {
    let Some(((_, first), rest)) = expected.split_first() else {
        return (!whole || given.is_empty()).then(Remembered::new);
    };
    match first {
        LineOf::Is(line) => {
            let (one, others) = given.split_first()?;
            let found = line.is(one)?;
            let mut words = fit(rest, others, whole)?;
            words.extend(found.words);
            Some(words)
        }
        LineOf::Others if rest.is_empty() => Some(Remembered::new()),
        LineOf::Others => (0..=given.len()).find_map(|skipped| fit(rest, &given[skipped..], whole)),
    }
}
