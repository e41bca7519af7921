//! Translates what a player writes into what the expression engine is given.
//!
//! The engine never sees a player's text. Every number, text, name and condition becomes a constant with a name of its
//! own (`n3`). So numbers stay exact, and names may have blanks and letters of any script. No word of the engine's
//! language can be reached. What is left is operators, brackets and five functions. Each byte of it remembers the
//! character that it comes from, for refusals.

use crate::Num;
use crate::Refusal;
use crate::Value;
use crate::directives::wording::says_every;

/// Most tokens of an expression: more is a program, and the engine is asked for none.
pub(super) const TOKENS_MAX_COUNT: usize = 500;
/// How deep conditions may stand in one another: every one multiplies the work.
const WHERE_MAX_LEVELS: usize = 3;
/// Longest single word of an expression, in characters: a number of [`Num`]'s longest text still fits.
const WORD_MAX_CHARS: usize = 200;

/// An expression as the engine is given it.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) text: String,
    /// For each byte of the text the character that it comes from, from 1.
    pub(super) origin: Vec<usize>,
    pub(super) constants: Vec<Constant>,
}

/// What a name of the code stands for.
#[derive(Debug)]
pub(super) enum Constant {
    Value(Value),
    /// The name of something in the room.
    Words(String),
    /// The name of an attribute.
    Attr(String),
    /// An article of a list: the name of something in the room, or else a text.
    Article(String),
    /// A condition on each of a list.
    Condition(Code),
}

/// What is wrong with an expression, and at which character.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) why: Refusal,
}

fn wrong(at: usize, why: impl Into<String>) -> Wrong {
    Wrong { at, why: Refusal::new(why) }
}

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    Num(Num),
    Text(String),
    Words(String),
    /// An operator as the engine writes it.
    Op(&'static str),
    Open,
    Close,
    OpenList,
    CloseList,
    Comma,
    Dot,
    Not,
    Where,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    /// The character that it begins at, from 1.
    at: usize,
}

/// Reads an expression.
pub(super) fn read(text: &str) -> Result<Code, Wrong> {
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    rewrite(&tokens, end, 0)
}

fn tokens(text: &str) -> Result<Vec<Token>, Wrong> {
    let chars: Vec<char> = text.chars().collect();
    let mut found: Vec<Token> = Vec::new();
    let mut index = 0;
    while let Some(&c) = chars.get(index) {
        let at = index + 1;
        if found.len() >= TOKENS_MAX_COUNT {
            return Err(wrong(at, format!("an expression has at most {TOKENS_MAX_COUNT} parts")));
        }
        if c.is_whitespace() {
            index += 1;
            continue;
        }
        let next = chars.get(index + 1).copied();
        if c.is_alphanumeric() || c == '_' || c == '#' {
            let (word, after) = word(&chars, index);
            if word.chars().count() > WORD_MAX_CHARS {
                return Err(wrong(at, "a word is too long"));
            }
            index = after;
            push_word(&mut found, &word, at)?;
            continue;
        }
        if let Some(close) = closing(c) {
            let inner: String = chars[at..].iter().take_while(|next| **next != close).collect();
            let length = inner.chars().count();
            if chars.get(at + length) != Some(&close) {
                return Err(wrong(at, "this quotation mark has no partner"));
            }
            index = at + length + 1;
            found.push(Token { kind: Kind::Text(inner), at });
            continue;
        }
        let (kind, length) = match (c, next) {
            ('=', Some('=')) => (Kind::Op("=="), 2),
            ('!', Some('=')) | ('<', Some('>')) => (Kind::Op("!="), 2),
            ('<', Some('=')) => (Kind::Op("<="), 2),
            ('>', Some('=')) => (Kind::Op(">="), 2),
            ('&', Some('&')) => (Kind::Op("&&"), 2),
            ('|', Some('|')) => (Kind::Op("||"), 2),
            ('=', _) => (Kind::Op("=="), 1),
            ('≠', _) => (Kind::Op("!="), 1),
            ('≤', _) => (Kind::Op("<="), 1),
            ('≥', _) => (Kind::Op(">="), 1),
            ('<', _) => (Kind::Op("<"), 1),
            ('>', _) => (Kind::Op(">"), 1),
            ('+', _) => (Kind::Op("+"), 1),
            ('-' | '−' | '–', _) => (Kind::Op("-"), 1),
            ('*' | '×', _) => (Kind::Op("*"), 1),
            ('/' | '÷', _) => (Kind::Op("/"), 1),
            ('%', _) => (Kind::Op("%"), 1),
            ('!', _) => (Kind::Not, 1),
            ('(', _) => (Kind::Open, 1),
            (')', _) => (Kind::Close, 1),
            ('[' | '{', _) => (Kind::OpenList, 1),
            (']' | '}', _) => (Kind::CloseList, 1),
            (',', _) => (Kind::Comma, 1),
            ('.', _) => (Kind::Dot, 1),
            _ => return Err(wrong(at, format!("“{c}” is nothing that an expression has"))),
        };
        index += length;
        found.push(Token { kind, at });
    }
    Ok(found)
}

fn closing(open: char) -> Option<char> {
    match open {
        '"' => Some('"'),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        _ => None,
    }
}

/// A word or a number: letters and digits, with hyphens and apostrophes between letters, a point between digits.
fn word(chars: &[char], start: usize) -> (String, usize) {
    let mut index = start + 1;
    while let Some(&c) = chars.get(index) {
        let (before, after) = (chars[index - 1], chars.get(index + 1).copied().unwrap_or(' '));
        let joins = match c {
            '-' => before.is_alphabetic() && after.is_alphabetic(),
            '\'' | '’' => before.is_alphanumeric() && after.is_alphabetic(),
            '.' => {
                let number = chars[start..index].iter().all(char::is_ascii_digit);
                number && after.is_ascii_digit()
            }
            _ => c.is_alphanumeric() || c == '_',
        };
        if !joins {
            break;
        }
        index += 1;
    }
    (chars[start..index].iter().map(|c| if *c == '’' { '\'' } else { *c }).collect(), index)
}

/// Adds a word: an operator, a number, or part of a name.
fn push_word(found: &mut Vec<Token>, word: &str, at: usize) -> Result<(), Wrong> {
    let lower = word.to_lowercase();
    let op = |found: &mut Vec<Token>, op| {
        found.push(Token { kind: Kind::Op(op), at });
        Ok(())
    };
    // `is` comes before another word: `is not`, `is at least`.
    let is = matches!(found.last(), Some(Token { kind: Kind::Op("=="), .. }));
    let replaced = |found: &mut Vec<Token>, op: &'static str| {
        if let Some(last) = found.last_mut() {
            last.kind = Kind::Op(op);
        }
        Ok(())
    };
    match lower.as_str() {
        "and" => return op(found, "&&"),
        "or" => return op(found, "||"),
        // `is in The Horde`
        "in" if is => return replaced(found, "in"),
        "in" if matches!(found.last(), Some(Token { kind: Kind::Op("!="), .. })) => return replaced(found, "!in"),
        "in" => return op(found, "in"),
        "is" | "equals" => return op(found, "=="),
        "isn't" => return op(found, "!="),
        "not" if is => return replaced(found, "!="),
        "not" => {
            found.push(Token { kind: Kind::Not, at });
            return Ok(());
        }
        "where" => {
            found.push(Token { kind: Kind::Where, at });
            return Ok(());
        }
        _ => {}
    }
    let pair = |found: &mut Vec<Token>, first: &str| {
        let held = matches!(found.last(), Some(Token { kind: Kind::Words(words), .. }) if words.ends_with(first) && {
            let head = &words[..words.len() - first.len()];
            head.is_empty() || head.ends_with(' ')
        });
        if held && let Some(Token { kind: Kind::Words(words), .. }) = found.last_mut() {
            words.truncate(words.len() - first.len());
            let rest = words.trim_end().len();
            words.truncate(rest);
            if words.is_empty() {
                found.pop();
            }
        }
        held
    };
    for (first, second, as_op) in [
        ("at", "least", ">="),
        ("at", "most", "<="),
        ("more", "than", ">"),
        ("greater", "than", ">"),
        ("less", "than", "<"),
        ("fewer", "than", "<"),
    ] {
        if lower == second && pair(found, first) {
            return match found.last() {
                Some(Token { kind: Kind::Op("=="), .. }) => replaced(found, as_op),
                _ => op(found, as_op),
            };
        }
    }
    let digits = word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    // A name goes on: `Ann Lee`, `rule 7`.
    if let Some(Token { kind: Kind::Words(words), .. }) = found.last_mut() {
        words.push(' ');
        words.push_str(word);
        return Ok(());
    }
    let kind = if digits {
        Kind::Num(word.parse().map_err(|why| wrong(at, format!("{why}")))?)
    } else {
        Kind::Words(word.to_owned())
    };
    found.push(Token { kind, at });
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Around {
    All,
    Group,
    Call,
    List,
}

struct Writer {
    code: Code,
    /// The brackets that are open: of which kind, where the present part of it begins in the code, and where it opened.
    open: Vec<(Around, usize, usize)>,
    /// Whether a value comes next.
    wanted: bool,
}

impl Writer {
    fn emit(&mut self, text: &str, at: usize) {
        self.code.text.push_str(text);
        self.code.origin.resize(self.code.text.len(), at);
    }

    fn name(&mut self, constant: Constant, at: usize) {
        let name = format!("n{}", self.code.constants.len());
        self.code.constants.push(constant);
        self.emit(&name, at);
    }

    fn value(&mut self, shown: &str, at: usize) -> Result<(), Wrong> {
        if !self.wanted {
            return Err(wrong(at, format!("something like + or > is missing before {shown}")));
        }
        self.wanted = false;
        Ok(())
    }

    fn part(&mut self) {
        let length = self.code.text.len();
        if let Some(last) = self.open.last_mut() {
            last.1 = length;
        }
    }
}

fn rewrite(tokens: &[Token], end: usize, level: usize) -> Result<Code, Wrong> {
    let code = Code { text: String::new(), origin: Vec::new(), constants: Vec::new() };
    let mut out = Writer { code, open: vec![(Around::All, 0, 0)], wanted: true };
    let mut index = 0;
    while let Some(Token { kind, at }) = tokens.get(index) {
        let at = *at;
        index += 1;
        match kind {
            Kind::Num(number) => {
                out.value(&number.to_string(), at)?;
                out.name(Constant::Value(Value::Num(number.clone())), at);
            }
            Kind::Text(text) => {
                out.value(&format!("“{}”", text.chars().take(40).collect::<String>()), at)?;
                out.name(Constant::Value(Value::Text(text.clone())), at);
            }
            Kind::Words(words) => {
                out.value(&format!("“{words}”"), at)?;
                // `player "Ann Lee"` is as good as `player("Ann Lee")`.
                if let Some(Token { kind: Kind::Text(text), at: from }) = tokens.get(index) {
                    index += 1;
                    out.emit("ask(cx,", at);
                    out.name(Constant::Words(words.clone()), at);
                    out.emit(",[", at);
                    out.name(Constant::Value(Value::Text(text.clone())), *from);
                    out.emit("])", at);
                    continue;
                }
                // What is picked from is a group, also where its word is somebody's name too.
                let words = match tokens.get(index) {
                    Some(Token { kind: Kind::Where, .. }) if !says_every(words) => &format!("every {words}"),
                    _ => words,
                };
                let call = matches!(tokens.get(index), Some(Token { kind: Kind::Open, .. }));
                let before = index.checked_sub(2).and_then(|before| tokens.get(before));
                let article = out.open.last().is_some_and(|last| last.0 == Around::List)
                    && matches!(before, Some(Token { kind: Kind::OpenList | Kind::Comma, .. }))
                    && matches!(tokens.get(index), Some(Token { kind: Kind::CloseList | Kind::Comma, .. }));
                match words.to_lowercase().as_str() {
                    "true" | "yes" if !call => out.emit("true", at),
                    "false" | "no" if !call => out.emit("false", at),
                    _ if article => {
                        out.emit("article(cx,", at);
                        out.name(Constant::Article(words.clone()), at);
                        out.emit(")", at);
                    }
                    _ => {
                        let compared = matches!(before, Some(Token { kind: Kind::Op("==" | "!="), .. }));
                        let alone = tokens.get(index).is_none_or(|next| {
                            matches!(next.kind, Kind::Op("&&" | "||") | Kind::Close | Kind::CloseList | Kind::Comma)
                        });
                        // By itself in a condition, or beside another: `where Paranoid`, `Active and not Paranoid`.
                        let begins = before.is_none_or(|before| {
                            matches!(before.kind, Kind::Op("&&" | "||") | Kind::Not | Kind::Open | Kind::Comma)
                        });
                        let joined = [before, tokens.get(index)]
                            .into_iter()
                            .flatten()
                            .any(|beside| matches!(beside.kind, Kind::Op("&&" | "||") | Kind::Not));
                        let around = out.open.last().map_or(Around::All, |last| last.0);
                        let whole = level > 0 && matches!(around, Around::All | Around::Group);
                        out.emit(
                            match (call, compared && alone) {
                                (true, _) => "ask(cx,",
                                (false, true) => "said(cx,",
                                (false, false) if begins && alone && (joined || whole) => "property(cx,",
                                (false, false) => "word(cx,",
                            },
                            at,
                        );
                        out.name(Constant::Words(words.clone()), at);
                        if call {
                            out.emit(",[", at);
                            index += 1;
                            out.open.push((Around::Call, 0, at));
                            out.part();
                            out.wanted = true;
                        } else {
                            out.emit(")", at);
                        }
                    }
                }
            }
            Kind::Dot => {
                let Some(Token { kind: Kind::Words(words), at: from }) = tokens.get(index).filter(|_| !out.wanted)
                else {
                    return Err(wrong(
                        at,
                        "a point stands between something and one of its attributes, as in Ann.power",
                    ));
                };
                index += 1;
                out.emit("[", *from);
                out.name(Constant::Attr(words.clone()), *from);
                out.emit("]", *from);
                if matches!(tokens.get(index), Some(Token { kind: Kind::Open, .. })) {
                    return Err(wrong(*from, format!("write {words}(…) instead of a point before it")));
                }
            }
            Kind::Op(op) => {
                let sign = out.wanted && *op == "-";
                if out.wanted && !sign {
                    return Err(wrong(at, format!("nothing stands before “{op}”")));
                }
                out.emit(&format!(" {op} "), at);
                out.wanted = true;
            }
            Kind::Not => {
                out.value("“not”", at)?;
                out.emit("!", at);
                out.wanted = true;
            }
            Kind::Open | Kind::OpenList => {
                let list = *kind == Kind::OpenList;
                out.value(if list { "a list" } else { "a bracket" }, at)?;
                out.emit(if list { "[" } else { "(" }, at);
                out.open.push((if list { Around::List } else { Around::Group }, 0, at));
                out.part();
                out.wanted = true;
            }
            Kind::Close | Kind::CloseList => {
                let around = out.open.last().map_or(Around::All, |last| last.0);
                let fits = matches!(
                    (kind, around),
                    (Kind::Close, Around::Group | Around::Call) | (Kind::CloseList, Around::List)
                );
                if !fits {
                    return Err(wrong(at, "this bracket closes nothing"));
                }
                let empty = out.open.last().is_some_and(|last| last.1 == out.code.text.len());
                if out.wanted && !(empty && around != Around::Group) {
                    return Err(wrong(at, "something is missing before this bracket"));
                }
                out.emit(
                    match around {
                        Around::Call => "])",
                        Around::List => "]",
                        Around::All | Around::Group => ")",
                    },
                    at,
                );
                out.open.pop();
                out.wanted = false;
            }
            Kind::Comma => {
                let around = out.open.last().map_or(Around::All, |last| last.0);
                if out.wanted || !matches!(around, Around::Call | Around::List) {
                    return Err(wrong(at, "this comma separates nothing"));
                }
                out.emit(",", at);
                out.part();
                out.wanted = true;
            }
            Kind::Where => {
                if out.wanted {
                    return Err(wrong(at, "“where” stands after a group, as in players where power > 3"));
                }
                if level >= WHERE_MAX_LEVELS {
                    return Err(wrong(at, format!("“where” stands in “where” at most {WHERE_MAX_LEVELS} deep")));
                }
                let rest = &tokens[index..];
                let mut depth = 0_usize;
                let length = rest.iter().position(|token| match token.kind {
                    Kind::Open | Kind::OpenList => {
                        depth += 1;
                        false
                    }
                    Kind::Close | Kind::CloseList if depth > 0 => {
                        depth -= 1;
                        false
                    }
                    Kind::Close | Kind::CloseList => true,
                    Kind::Comma => depth == 0,
                    _ => false,
                });
                let length = length.unwrap_or(rest.len());
                let stop = rest.get(length).map_or(end, |token| token.at);
                let condition = rewrite(&rest[..length], stop, level + 1)?;
                index += length;
                let start = out.open.last().map_or(0, |last| last.1);
                out.code.text.insert_str(start, "filter(cx,");
                out.code.origin.splice(start..start, std::iter::repeat_n(at, "filter(cx,".len()));
                out.emit(",", at);
                out.name(Constant::Condition(condition), at);
                out.emit(")", at);
            }
        }
    }
    if let Some((_, _, at)) = out.open.get(1..).and_then(<[_]>::last) {
        return Err(wrong(*at, "this bracket is never closed"));
    }
    if out.wanted {
        return Err(wrong(
            end,
            if tokens.is_empty() { "nothing is written here" } else { "something is missing at the end" },
        ));
    }
    Ok(out.code)
}
