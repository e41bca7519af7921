//! From source text to instructions.
//!
//! Parsing is a handful of passes with stacks of their own. So neither a megabyte of `[` nor the deepest nesting can
//! cost more than time and memory in proportion to the text. Comments are dropped. Where the notation has no
//! repetitions, their signs are comments too, and [`crate::warnings`] says so to the submitter.

use crate::code::{Ins, Op, Writer};
use crate::place::Place;
use crate::presets::{Notation, REPEAT_MAX_COUNT};
use crate::program::{PROGRAM_MAX_SYMBOLS, ParseError, ParseErrorKind};

/// What the text says, or why it is no program.
pub(crate) fn parse(source: &str, notation: Notation, symbols_max: usize) -> Result<Parsed, ParseError> {
    let at = |(kind, offset)| {
        let Place { line, column } = Place::of(source, offset);
        ParseError { kind, line, column }
    };
    let (mut tokens, symbols) = scan(source, notation, symbols_max.min(PROGRAM_MAX_SYMBOLS)).map_err(at)?;
    let mut groups = Vec::new();
    if notation.repeat_max > 0 {
        groups = group(&mut tokens).map_err(at)?;
        tokens = kept(tokens, &mut groups);
    }
    let repeats = !groups.is_empty();
    let code = write(&tokens, &groups).map_err(at)?;
    Ok(Parsed { code, symbols, repeats })
}

/// A text that is a program.
pub(crate) struct Parsed {
    pub(crate) code: Vec<Ins>,
    /// Commands as written.
    pub(crate) symbols: usize,
    /// Whether it has repetitions.
    pub(crate) repeats: bool,
}

type Fault = (ParseErrorKind, usize);

/// A sign of the text that means something. A number is that of its group, once known.
#[derive(Clone, Copy)]
struct Token {
    sign: Sign,
    offset: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// One of `> < + - .`.
    Symbol(u8),
    Open,
    Close,
    /// `(`
    Start(usize),
    /// `{`
    Inner(usize),
    /// `}`
    Outer(usize),
    /// `)` and its count, until the groups are known.
    End(usize),
}

/// A repetition: `(a)*n`, or `(a{b}c)%n` with `a` and `c` as its halves.
#[derive(Clone, Copy, Default)]
struct Group {
    n: u32,
    depth: u32,
    /// Whether it has `{` and `}`.
    braced: bool,
    /// Commands in what is repeated: of all of it, or of the two halves.
    first: usize,
    second: usize,
    /// While writing: the instruction that the half being written began after.
    start: usize,
}

fn scan(source: &str, notation: Notation, symbols_max: usize) -> Result<(Vec<Token>, usize), Fault> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut symbols = 0;
    let mut offset = 0;
    let repeats = notation.repeat_max > 0;
    // All signs are ASCII, and no byte of a longer UTF-8 character is.
    while offset < bytes.len() {
        let here = offset;
        offset += 1;
        let sign = match bytes[here] {
            b',' if notation.comma_idles => Sign::Symbol(b'.'),
            symbol @ (b'>' | b'<' | b'+' | b'-' | b'.') => Sign::Symbol(symbol),
            b'[' => Sign::Open,
            b']' => Sign::Close,
            b'(' if repeats => Sign::Start(0),
            b'{' if repeats => Sign::Inner(0),
            b'}' if repeats => Sign::Outer(0),
            b')' if repeats => {
                let count;
                (count, offset) = repeat_count(bytes, offset, notation.repeat_max);
                Sign::End(count as usize)
            }
            _ => continue,
        };
        if matches!(sign, Sign::Symbol(_) | Sign::Open | Sign::Close) {
            if symbols >= symbols_max {
                return Err((ParseErrorKind::TooLong, here));
            }
            symbols += 1;
        }
        tokens.push(Token { sign, offset: here });
    }
    Ok((tokens, symbols))
}

/// Reads the count that may stand at `offset`, after a `)`, and gives it with where the text goes on. Comments may
/// stand before the `*` and before its number, not within the number. No count is 0, a negative one `most`.
fn repeat_count(bytes: &[u8], offset: usize, most: u32) -> (u32, usize) {
    const SIGNS: &[u8] = b"+-<>.,[](){}*%0123456789";
    let skip = |from: usize| (from..bytes.len()).find(|&at| SIGNS.contains(&bytes[at])).unwrap_or(bytes.len());
    let star = skip(offset);
    if !matches!(bytes.get(star), Some(b'*' | b'%')) {
        return (0, offset);
    }
    let mut at = skip(star + 1);
    let negative = bytes.get(at) == Some(&b'-');
    if negative {
        at += 1;
    }
    let mut count = 0;
    while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
        count = (count * 10 + u32::from(digit - b'0')).min(REPEAT_MAX_COUNT);
        at += 1;
    }
    (if negative && count > 0 { most } else { count.min(most) }, at)
}

/// Matches `(`, `{`, `}` and `)`, and numbers the groups in the tokens.
fn group(tokens: &mut [Token]) -> Result<Vec<Group>, Fault> {
    let mut groups: Vec<Group> = Vec::new();
    // The groups that are open, each with its `(`, and the `{` that are open since then.
    let mut open: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    for token in tokens {
        let fault = |kind| Err((kind, token.offset));
        match &mut token.sign {
            Sign::Start(number) => {
                *number = groups.len();
                let depth = u32::try_from(open.len()).expect("no deeper than the text is long");
                groups.push(Group { depth, ..Group::default() });
                open.push((*number, token.offset, Vec::new()));
            }
            Sign::Inner(number) => {
                // A brace within a brace belongs to the group around.
                let pending = open.last().map_or(0, |(_, _, braces)| braces.len());
                let Some(owner) = open.len().checked_sub(pending + 1) else {
                    return fault(ParseErrorKind::InnerOutside);
                };
                *number = open[owner].0;
                if groups[*number].braced {
                    return fault(ParseErrorKind::InnerTwice);
                }
                groups[*number].braced = true;
                let (_, _, braces) = open.last_mut().expect("one is open");
                braces.push(*number);
            }
            Sign::Outer(number) => match open.last_mut().and_then(|(_, _, braces)| braces.pop()) {
                Some(owner) => *number = owner,
                None => return fault(ParseErrorKind::InnerUnopened),
            },
            Sign::End(number) => {
                let Some((owner, _, braces)) = open.pop() else {
                    return fault(ParseErrorKind::GroupUnopened);
                };
                if !braces.is_empty() {
                    return fault(ParseErrorKind::InnerUnclosed);
                }
                groups[owner].n = u32::try_from(*number).expect("bounded by REPEAT_MAX_COUNT");
                *number = owner;
            }
            Sign::Symbol(_) | Sign::Open | Sign::Close => {}
        }
    }
    match open.first() {
        Some(&(_, offset, _)) => Err((ParseErrorKind::GroupUnclosed { count: open.len() }, offset)),
        None => Ok(groups),
    }
}

/// Leaves out what is repeated no times, and counts the commands in what is left. The `b` of `(a{b}c)*0` stays.
fn kept(tokens: Vec<Token>, groups: &mut [Group]) -> Vec<Token> {
    let mut left = Vec::with_capacity(tokens.len());
    let mut symbols = 0;
    // Which sign of which group ends what is being left out.
    let mut until = None;
    for token in tokens {
        if let Some(end) = until {
            until = (token.sign != end).then_some(end);
            continue;
        }
        match token.sign {
            Sign::Start(number) if groups[number].n == 0 => {
                until = Some(if groups[number].braced { Sign::Inner(number) } else { Sign::End(number) });
                continue;
            }
            Sign::Outer(number) if groups[number].n == 0 => {
                until = Some(Sign::End(number));
                continue;
            }
            Sign::Start(number) => groups[number].first = symbols,
            Sign::Inner(number) => groups[number].first = symbols - groups[number].first,
            Sign::Outer(number) => groups[number].second = symbols,
            Sign::End(number) if groups[number].braced => groups[number].second = symbols - groups[number].second,
            Sign::End(number) => groups[number].first = symbols - groups[number].first,
            Sign::Symbol(_) | Sign::Open | Sign::Close => symbols += 1,
        }
        left.push(token);
    }
    left
}

/// Matches the brackets of loops, and writes the instructions.
fn write(tokens: &[Token], groups: &[Group]) -> Result<Vec<Ins>, Fault> {
    let mut groups = groups.to_vec();
    let mut writer = Writer::default();
    // The `[` that are open: where in the text, and at which level within the `[` before.
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut level = 0;
    for token in tokens {
        let crossing = (ParseErrorKind::Crossing, token.offset);
        let mut leave = |left: bool| match (left, level) {
            (false, _) => Ok(()),
            (true, 0) if !open.is_empty() => Err(crossing),
            (true, _) => {
                level -= 1;
                Ok(())
            }
        };
        match token.sign {
            Sign::Symbol(symbol) => writer.run(Op::of_run(symbol), 1),
            Sign::Open => {
                open.push((token.offset, level));
                writer.push(Ins::bracket(Op::Open));
                level = 0;
            }
            Sign::Close => {
                let Some((_, outside)) = open.pop() else {
                    return Err((ParseErrorKind::Unopened, token.offset));
                };
                if level > 0 {
                    return Err(crossing);
                }
                writer.push(Ins::bracket(Op::Close));
                level = outside;
            }
            // A half without a command is nothing, and makes no level.
            Sign::Start(number) => {
                let group = &mut groups[number];
                level += u32::from(group.first > 0);
                group.start = writer.here();
                if group.first > 0 && group.n > 1 {
                    writer.push(Ins::counted(Op::Enter, group.depth, group.n));
                }
            }
            Sign::Inner(number) => {
                let group = &groups[number];
                if group.first > 0 && group.n > 1 {
                    writer.repeat(Op::Again, group.start, group.depth, group.n);
                }
                match (group.first > 0, group.second > 0) {
                    (true, true) => level += 1,
                    (first, _) => leave(first)?,
                }
            }
            Sign::Outer(number) => {
                let group = &mut groups[number];
                match (group.first > 0, group.second > 0) {
                    (false, true) => level += 1,
                    (first, second) => leave(first && second)?,
                }
                group.start = writer.here();
                if group.second > 0 && group.n > 1 {
                    writer.push(Ins::counted(Op::Top, group.depth, group.n));
                }
            }
            Sign::End(number) => {
                let group = &groups[number];
                let (op, commands) = if group.braced { (Op::Down, group.second) } else { (Op::Again, group.first) };
                leave(commands > 0)?;
                if commands > 0 && group.n > 1 {
                    writer.repeat(op, group.start, group.depth, group.n);
                }
            }
        }
    }
    match open.first() {
        Some(&(offset, _)) => Err((ParseErrorKind::Unclosed { count: open.len() }, offset)),
        None => Ok(writer.finish()),
    }
}
