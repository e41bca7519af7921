//! The directives of a proposal's body, each with its line, read without a look at the room.
//!
//! A directive is a line that begins with `=>` (or `→`), in words that can be typed on a phone; everything else is
//! prose. A directive that cannot be read keeps its place with the reason, so that a dry run can tell the proposer what
//! to write instead. Directives in comments and in fenced code do not count, and are noted.

mod phrase;
mod verbs;

use std::ops::Range;

use crate::Refusal;
use crate::rulebook::source::{Fence, comments, fences};

pub use phrase::{colon, split_last, split_word, unquote};
pub(super) use phrase::{cuts as phrase_cuts, is_quoted as phrase_is_quoted};
pub use verbs::{NO_VERB, VERBS};

/// Longest body, in bytes: twice the longest rule, so that a proposal may rewrite one and say why.
pub const DOCUMENT_MAX_BYTES: usize = 256 * 1024;
/// Most directives of one body, those inside others included: a whole rulebook can be replaced, and a dry run stays
/// readable.
pub const DIRECTIVES_MAX_COUNT: usize = 200;
/// How deep directives may stand in one another: a condition in a condition in a schedule.
pub const NESTING_MAX_LEVELS: usize = 3;

/// A body, read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// Its directives in order, those that cannot be read included.
    pub directives: Vec<Directive>,
    /// Lines that look like directives and do not count, with why.
    pub notes: Vec<(usize, String)>,
}

/// One directive of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// Its line, from 1.
    pub line: usize,
    /// Where it stands in the body, its block of text included, in bytes.
    pub at: Range<usize>,
    /// Its first line as it was written, without the arrow and the colon before a block.
    pub words: String,
    /// What it says; or why that cannot be read, and what to write instead.
    pub act: Result<Act, Refusal>,
}

/// What a directive says. Names, amounts and conditions are still words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// `create rule "T": text`
    CreateRule {
        /// Its title; empty where the directive gives none.
        title: String,
        /// Its number, where the directive asks for one.
        number: Option<u32>,
        /// Its text, a header of fields included.
        text: String,
    },
    /// `amend rule R: replace "old" with "new"`
    Amend {
        /// The rule.
        rule: String,
        /// The phrase.
        old: String,
        /// What stands there from then on.
        new: String,
    },
    /// `rewrite rule R: text`
    Rewrite {
        /// The rule.
        rule: String,
        /// Its text from then on, a header of fields included.
        text: String,
    },
    /// `append to rule R: text`
    Append {
        /// The rule.
        rule: String,
        /// What joins its text.
        text: String,
    },
    /// `retitle rule R to "T"`
    Retitle {
        /// The rule.
        rule: String,
        /// Its title from then on.
        title: String,
    },
    /// `renumber rule R to N`
    Renumber {
        /// The rule.
        rule: String,
        /// Its number from then on, or a place of a law's in its stead: `{number}`.
        number: String,
    },
    /// `repeal rule R`
    Repeal {
        /// The rule.
        rule: String,
    },
    /// `set KEY to VALUE`, `set ATTR of WHO to EXPR`
    Set {
        /// A figure of the rules, or an attribute of somebody.
        what: String,
        /// What it is from then on.
        to: String,
    },
    /// `define ATTR of KIND: SPEC`
    Define {
        /// The attribute.
        attr: String,
        /// The kind of object that has it.
        kind: String,
        /// Which values it holds, and what it is at first.
        spec: String,
    },
    /// `undefine ATTR`, `undefine ATTR of KIND`
    Undefine {
        /// The attribute, with a kind that has it where several kinds have one of the name.
        attr: String,
    },
    /// `raise ATTR of WHO by EXPR`, `lower …`
    Move {
        /// Whether it goes up.
        up: bool,
        /// The attribute and whose it is.
        what: String,
        /// By how much.
        by: String,
    },
    /// `award EXPR ATTR to WHO`
    Award {
        /// How much of what.
        what: String,
        /// To whom.
        who: String,
    },
    /// `give N ITEM to WHO`, `take N ITEM from WHO`
    Hand {
        /// Whether it is given.
        give: bool,
        /// How many of what.
        what: String,
        /// To or from whom.
        who: String,
    },
    /// `transfer EXPR ATTR from A to B`
    Transfer {
        /// How much of what.
        what: String,
        /// From whom.
        from: String,
        /// To whom.
        to: String,
    },
    /// `create KIND NAME`
    Create {
        /// The kind, then the name.
        what: String,
    },
    /// `destroy NAME`
    Destroy {
        /// What.
        what: String,
    },
    /// `appoint WHO OFFICE`
    Appoint {
        /// Who, then the office, where no word stands between them.
        who: String,
        /// The office, where one does.
        office: Option<String>,
    },
    /// `require EXPR`
    Require {
        /// What must hold.
        that: String,
    },
    /// `if EXPR: DIRECTIVES`
    If {
        /// The condition.
        that: String,
        /// What happens where it holds.
        then: Vec<Directive>,
    },
    /// A game's own words.
    Own {
        /// All of them, the text after the last colon left out where a block stands for it.
        words: String,
        /// The block that follows, if any.
        text: Option<String>,
    },
}

impl Body {
    /// The directives that cannot be read, those inside others included.
    pub fn malformed(&self) -> Vec<(usize, &Refusal)> {
        fn walk<'a>(of: &'a [Directive], into: &mut Vec<(usize, &'a Refusal)>) {
            for directive in of {
                match &directive.act {
                    Err(why) => into.push((directive.line, why)),
                    Ok(Act::If { then, .. }) => walk(then, into),
                    Ok(_) => {}
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.directives, &mut found);
        found
    }

    /// Whether the directives of another body do the same as these, each in its turn. Left out of account are the words
    /// that they quote and the texts that they bring along.
    pub fn does_as(&self, other: &Self) -> bool {
        same(&self.directives, &other.directives)
    }

    /// How many directives there are, those inside others included.
    pub fn count(&self) -> usize {
        count(&self.directives)
    }

    /// Whether the text that was read says anything beside them.
    pub fn has_prose(&self, text: &str) -> bool {
        let mut prose = text.to_owned();
        for directive in self.directives.iter().rev() {
            prose.replace_range(directive.at.clone(), "");
        }
        !prose.trim().is_empty()
    }
}

fn same(one: &[Directive], other: &[Directive]) -> bool {
    let alike = |one: &Directive, other: &Directive| match (&one.act, &other.act) {
        (Ok(Act::If { that, then }), Ok(Act::If { that: others, then: thens })) => that == others && same(then, thens),
        (Ok(one), Ok(other)) => one.without_words() == other.without_words(),
        (one, other) => one.is_err() && other.is_err(),
    };
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
}

impl Act {
    /// The same without the words that it quotes and the text that it brings along.
    fn without_words(&self) -> Self {
        let mut bare = self.clone();
        match &mut bare {
            Self::CreateRule { title, text, .. } => (*title, *text) = (String::new(), String::new()),
            Self::Amend { old, new, .. } => (*old, *new) = (String::new(), String::new()),
            Self::Rewrite { text, .. } | Self::Append { text, .. } => text.clear(),
            Self::Retitle { title, .. } => title.clear(),
            Self::Own { text, .. } => *text = None,
            Self::Renumber { .. }
            | Self::Repeal { .. }
            | Self::Set { .. }
            | Self::Define { .. }
            | Self::Undefine { .. }
            | Self::Move { .. }
            | Self::Award { .. }
            | Self::Hand { .. }
            | Self::Transfer { .. }
            | Self::Create { .. }
            | Self::Destroy { .. }
            | Self::Appoint { .. }
            | Self::Require { .. }
            | Self::If { .. } => {}
        }
        bare
    }
}

fn count(of: &[Directive]) -> usize {
    let inner = |directive: &Directive| match &directive.act {
        Ok(Act::If { then, .. }) => count(then),
        _ => 0,
    };
    of.iter().map(|directive| 1 + inner(directive)).sum()
}

/// Reads a body. `owns` says of the words of a directive whether the game has a meaning of its own for them.
///
/// # Errors
///
/// Only where the body is too long or holds too many directives; what is wrong with one of them stays with it.
pub fn parse(text: &str, owns: &dyn Fn(&str) -> bool) -> Result<Body, Refusal> {
    if text.len() > DOCUMENT_MAX_BYTES {
        return Err(Refusal::new(format!("a body has at most {DOCUMENT_MAX_BYTES} bytes")));
    }
    let mut reader = Reader::new(text, 0..text.len(), 1, owns, 0);
    let mut body = Body { directives: reader.directives(false), notes: reader.notes };
    body.notes.dedup();
    if body.count() > DIRECTIVES_MAX_COUNT {
        return Err(Refusal::new(format!("one body holds at most {DIRECTIVES_MAX_COUNT} directives")));
    }
    Ok(body)
}

/// Walks over the lines of a stretch of a body.
struct Reader<'a> {
    text: &'a str,
    /// Where the stretch ends.
    end: usize,
    /// Where the next line begins.
    at: usize,
    /// Its number, from 1.
    line: usize,
    fences: Vec<Fence>,
    comments: Vec<Range<usize>>,
    owns: &'a dyn Fn(&str) -> bool,
    level: usize,
    notes: Vec<(usize, String)>,
}

/// The first line of a directive.
#[derive(Clone, Copy)]
struct Head<'a> {
    /// As it was written.
    raw: &'a str,
    /// Where that stands in the body.
    start: usize,
}

/// The text that belongs to a directive.
enum Text {
    /// On its line, after a colon.
    Inline(String),
    /// In the fenced block that follows.
    Block(Range<usize>, usize),
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, within: Range<usize>, line: usize, owns: &'a dyn Fn(&str) -> bool, level: usize) -> Self {
        let part = &text[within.clone()];
        let shift = |at: Range<usize>| at.start + within.start..at.end + within.start;
        let mut blocks = fences(part);
        let comments = comments(part, &blocks).into_iter().map(shift).collect();
        for fence in &mut blocks {
            fence.at = shift(fence.at.clone());
        }
        let (at, end) = (within.start, within.end);
        Self { text, end, at, line, fences: blocks, comments, owns, level, notes: Vec::new() }
    }

    /// The next line, without its end; `None` at the end of the stretch.
    fn peek(&self) -> Option<(usize, &'a str, usize)> {
        let rest = &self.text[self.at..self.end];
        if rest.is_empty() {
            return None;
        }
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        Some((self.at, rest[..length].trim_end_matches(['\n', '\r']), self.at + length))
    }

    fn advance(&mut self, to: usize) {
        self.line += self.text[self.at..to].matches('\n').count();
        self.at = to;
    }

    fn directives(&mut self, block: bool) -> Vec<Directive> {
        let mut found = Vec::new();
        while let Some((start, raw, next)) = self.peek() {
            if let Some(fence) =
                self.fences.iter().find(|fence| fence.at.start == next && raw.trim_start().starts_with(['`', '~']))
            {
                let inside = fence.at.clone();
                self.skip_fence(inside);
                continue;
            }
            let line = self.line;
            self.advance(next);
            // A comment before the arrow is as if it were not there.
            let (start, raw) = self.uncommented(start, raw);
            let Some(head) = head(raw, start, block) else { continue };
            if self.comments.iter().any(|comment| comment.contains(&head.start)) {
                if arrow(raw).is_some() {
                    self.notes.push((line, "it stands in a comment and does not count".to_owned()));
                }
                continue;
            }
            let act = self.act(head, line);
            let at = start..self.at.max(next).min(self.end);
            found.push(Directive { line, at, words: head.raw.trim().trim_end_matches(':').to_owned(), act });
        }
        found
    }

    /// Passes over code that belongs to no directive.
    fn skip_fence(&mut self, inside: Range<usize>) {
        let opening = self.line;
        for (index, line) in self.text[inside.clone()].lines().enumerate() {
            if arrow(line).is_some() {
                self.notes.push((opening + 1 + index, "it stands in a block of code and is no directive".to_owned()));
            }
        }
        self.leave(&inside);
    }

    /// Goes on after the line that ends a fence.
    fn leave(&mut self, inside: &Range<usize>) {
        self.advance(inside.end.min(self.end));
        if let Some((_, _, next)) = self.peek() {
            self.advance(next);
        }
    }

    /// The fenced block on the following lines, if one stands there.
    fn block(&mut self) -> Result<Option<(Range<usize>, usize)>, Refusal> {
        let (at, line) = (self.at, self.line);
        while let Some((_, raw, next)) = self.peek() {
            if raw.trim().is_empty() {
                self.advance(next);
                continue;
            }
            let fence = self.fences.iter().find(|fence| fence.at.start == next);
            let Some(inside) = fence.filter(|_| raw.trim_start().starts_with(['`', '~'])).map(|fence| fence.at.clone())
            else {
                break;
            };
            if inside.end >= self.end {
                return Err(Refusal::new(format!("the block that begins on line {} has no end", self.line))
                    .instead("end it with a line of ```"));
            }
            let first = self.line + 1;
            self.leave(&inside);
            return Ok(Some((inside, first)));
        }
        (self.at, self.line) = (at, line);
        Ok(None)
    }

    /// A line from after the comments with which it begins, where an arrow stands there.
    fn uncommented(&self, start: usize, raw: &'a str) -> (usize, &'a str) {
        let mut at = start;
        loop {
            let rest = &raw[at - start..];
            let first = at + (rest.len() - rest.trim_start().len());
            match self.comments.iter().find(|comment| comment.contains(&first)) {
                Some(comment) if comment.end <= start + raw.len() => at = comment.end,
                _ => break,
            }
        }
        let rest = &raw[at - start..];
        if at > start && arrow(rest).is_some() { (at, rest) } else { (start, raw) }
    }

    /// A line of a head with what stands in comments blanked.
    fn seen(&self, head: Head<'a>) -> String {
        let mut bytes = head.raw.as_bytes().to_vec();
        for comment in &self.comments {
            for at in comment.clone() {
                if let Some(byte) = at.checked_sub(head.start).and_then(|at| bytes.get_mut(at)) {
                    *byte = b' ';
                }
            }
        }
        String::from_utf8(bytes).unwrap_or_else(|_| head.raw.to_owned())
    }

    /// The text of a directive: what stands after its colon, else the block that follows.
    fn text_of(&mut self, rest: Option<&str>) -> Result<Text, Refusal> {
        if let Some(rest) = rest.map(str::trim).filter(|rest| !rest.is_empty()) {
            return Ok(Text::Inline(rest.to_owned()));
        }
        match self.block()? {
            Some((inside, line)) => Ok(Text::Block(inside, line)),
            None => Err(Refusal::new("the text is missing")
                .instead("write it after a colon, or between two lines of ``` below the directive")),
        }
    }

    /// The same, as a text.
    fn words_of(&mut self, rest: Option<&str>) -> Result<String, Refusal> {
        Ok(match self.text_of(rest)? {
            Text::Inline(text) => text,
            Text::Block(inside, _) => unindent(&self.text[inside]),
        })
    }

    /// Directives inside a directive: on its line after the colon, else in the block that follows.
    fn inner(&mut self, rest: &'a str, rest_at: usize, line: usize) -> Result<(Vec<Directive>, Range<usize>), Refusal> {
        if self.level + 1 > NESTING_MAX_LEVELS {
            return Err(Refusal::new(format!("directives stand in one another at most {NESTING_MAX_LEVELS} deep")));
        }
        if rest.trim().is_empty() {
            let Text::Block(inside, first) = self.text_of(None)? else { return Ok((Vec::new(), 0..0)) };
            let mut reader = Reader::new(self.text, inside.clone(), first, self.owns, self.level + 1);
            let found = reader.directives(true);
            self.notes.append(&mut reader.notes);
            if found.is_empty() {
                return Err(Refusal::new("the block holds no directive"));
            }
            return Ok((found, inside));
        }
        let raw = rest.trim_end();
        let head = Head { raw, start: rest_at };
        self.level += 1;
        let act = self.act(head, line);
        self.level -= 1;
        let at = rest_at..self.at;
        Ok((vec![Directive { line, at: at.clone(), words: raw.trim().trim_end_matches(':').to_owned(), act }], at))
    }

    fn act(&mut self, head: Head<'a>, line: usize) -> Result<Act, Refusal> {
        let seen = self.seen(head);
        let words = seen.trim();
        if words.is_empty() {
            return Err(Refusal::new("nothing stands after the arrow").instead("=> raise power of Ann by 3"));
        }
        if (self.owns)(words) {
            let text = if colon(words).is_some_and(|(_, rest)| !rest.trim().is_empty()) { None } else { self.block()? };
            let text = text.map(|(inside, _)| unindent(&self.text[inside]));
            return Ok(Act::Own { words: words.to_owned(), text });
        }
        verbs::read(self, head, &seen, line)
    }
}

/// The text after the arrow of a line.
fn arrow(raw: &str) -> Option<&str> {
    let line = raw.trim_start();
    let line = line.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(line).trim_start();
    let rest = line.strip_prefix("=>").or_else(|| line.strip_prefix(['→', '⇒', '➜', '⟹']))?;
    Some(rest.trim_start())
}

fn head(raw: &str, start: usize, block: bool) -> Option<Head<'_>> {
    let words = match arrow(raw) {
        Some(words) => words,
        None if block && !raw.trim().is_empty() => raw.trim_start(),
        None => return None,
    };
    Some(Head { raw: words.trim_end(), start: start + (raw.len() - words.len()) })
}

/// The lines of a block without the white space that all of them begin with, and without its last newline.
fn unindent(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let blank = |line: &&str| !line.trim().is_empty();
    let indent = text.lines().filter(blank).map(|line| line.len() - line.trim_start_matches(' ').len()).min();
    let indent = indent.unwrap_or(0);
    let lines: Vec<&str> = text.lines().map(|line| line.get(indent..).unwrap_or_default()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests;
