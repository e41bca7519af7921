//! Reads a source: forgiving about layout and signs, strict about meaning.
//!
//! The type of each thing (number, Robot, word, items, condition) is settled while it is read. So a mistake is refused
//! with its line and column when the source is proposed. `=` asks in a condition and sets in a statement; which of the
//! two it is follows from where it stands. No statement begins with a sign, so that no semicolon is ever needed to tell
//! where one ends.

use std::collections::BTreeMap;

use super::{
    super::inventory::kind_name,
    NESTING_MAX_LEVELS, SOURCE_MAX_BYTES,
    syntax::{
        Act, Arm, Block, Comparison, Items, Move, Number, Place, Program, Role, SourceError, Statement, Test, Who,
    },
    token::{Token, tokens},
};

/// Words of the language that stand for no value.
const RESERVED: [&str; 8] = ["and", "contains", "else", "if", "loop", "not", "or", "robots"];

/// The end of a name that stands for an item: `product_object`.
const ITEM: &str = "_object";
/// The beginning of a name that stands for how many items there are: `number_of_batteries(self)`.
const COUNT: &str = "number_of_";

/// Reads a source.
pub(crate) fn parse(source: &str) -> Result<Program, SourceError> {
    if source.len() > SOURCE_MAX_BYTES {
        let message = format!("the source is longer than {SOURCE_MAX_BYTES} bytes, which is the most that is run");
        return Err(SourceError::new(Place { line: 1, column: 1 }, message));
    }
    let (tokens, program) = (tokens(source)?, Program::of(source));
    let mut parser = Parser { tokens, next: 0, depth: 0, loops: 0, names: BTreeMap::new(), program };
    parser.program.body = parser.statements()?;
    match parser.peek() {
        Token::End => Ok(parser.program),
        _ => Err(parser.wrong("this } closes nothing")),
    }
}

impl Program {
    fn of(source: &str) -> Self {
        let lines = source.lines().map(|line| line.trim().to_owned()).collect();
        Self { body: Vec::new(), lines, keywords: Vec::new(), stats: Vec::new(), kinds: Vec::new() }
    }
}

struct Parser {
    tokens: Vec<(Place, Token)>,
    next: usize,
    /// How many brackets of either kind are open.
    depth: usize,
    /// How many loops are open.
    loops: usize,
    /// The spelling of each bare name, by the name in small letters.
    names: BTreeMap<String, String>,
    program: Program,
}

/// A part of an expression, as what it has turned out to be.
#[derive(Clone)]
struct Part {
    at: Place,
    is: Is,
}

#[derive(Clone)]
enum Is {
    Number(Number),
    Robot(Who),
    Keyword,
    Word(String),
    /// A bare name: a variable, or a word where a word is wanted.
    Name(String),
    Items(Items),
    Inventory {
        of: Who,
        moves: Vec<Move>,
    },
    Test(Test),
}

impl Is {
    fn what(&self) -> &'static str {
        match self {
            Self::Number(_) | Self::Name(_) => "a number",
            Self::Robot(_) => "a Robot",
            Self::Keyword => "the keyword",
            Self::Word(_) => "a word",
            Self::Items(_) => "an item",
            Self::Inventory { .. } => "an Inventory",
            Self::Test(_) => "a condition",
        }
    }
}

impl Part {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, SourceError> {
        Err(SourceError::new(self.at, message))
    }

    fn number(self) -> Result<Number, SourceError> {
        match self.is {
            Is::Number(number) => Ok(number),
            Is::Name(name) => Ok(Number::Variable { at: self.at, name }),
            ref other => self.wrong(format!("a number is needed here, not {}", other.what())),
        }
    }

    fn test(self) -> Result<Test, SourceError> {
        match self.is {
            Is::Test(test) => Ok(test),
            ref other => self.wrong(format!("a condition is needed here, like power(self) > 0, not {}", other.what())),
        }
    }

    fn items(self) -> Result<(Place, Items), SourceError> {
        match self.is {
            Is::Items(items) => Ok((self.at, items)),
            ref other => self.wrong(format!("an item is needed here, like product_object, not {}", other.what())),
        }
    }
}

// ---- pieces

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self) -> Place {
        self.tokens[self.next].0
    }

    fn wrong(&self, message: impl Into<String>) -> SourceError {
        SourceError::new(self.at(), message)
    }

    /// What stands here does not belong here.
    fn unexpected(&self, wanted: &str) -> SourceError {
        let found = match self.peek() {
            Token::Name(name) => format!("“{}”", name.chars().take(40).collect::<String>()),
            Token::Number(number) => format!("“{number}”"),
            Token::Text(_) => "a word in quotation marks".to_owned(),
            Token::Sign(sign) => format!("“{sign}”"),
            Token::End => "the end of the source".to_owned(),
        };
        self.wrong(format!("{wanted} is needed here, not {found}"))
    }

    fn advance(&mut self) {
        // The last piece is the end, and stays.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn skip_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), SourceError> {
        if self.skip_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("“{sign}”"))) }
    }

    /// The name that stands here, in small letters.
    fn name(&self) -> Option<String> {
        match self.peek() {
            Token::Name(name) => Some(name.to_lowercase()),
            _ => None,
        }
    }

    fn is_name(&self, name: &str) -> bool {
        self.name().is_some_and(|found| found == name)
    }

    fn skip_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        if found {
            self.advance();
        }
        found
    }

    /// Reads what stands between brackets, one level further down.
    fn inside<T>(
        &mut self,
        open: &str,
        close: &str,
        read: impl FnOnce(&mut Self) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        let opening = self.at();
        self.expect(open)?;
        if self.depth == NESTING_MAX_LEVELS {
            let message = format!("there are more than {NESTING_MAX_LEVELS} brackets inside one another here");
            return Err(SourceError::new(opening, message));
        }
        self.depth += 1;
        let found = read(self)?;
        self.depth -= 1;
        if *self.peek() == Token::End {
            return Err(SourceError::new(opening, format!("this {open} is never closed")));
        }
        self.expect(close)?;
        Ok(found)
    }
}

// ---- statements

impl Parser {
    /// Statements up to a closing bracket or the end.
    fn statements(&mut self) -> Result<Block, SourceError> {
        let mut block = Vec::new();
        loop {
            while self.skip_sign(";") {}
            if *self.peek() == Token::End || self.is_sign("}") {
                return Ok(block);
            }
            let at = self.at();
            block.push(Statement { at, act: self.statement()? });
        }
    }

    fn block(&mut self) -> Result<Block, SourceError> {
        self.inside("{", "}", Self::statements)
    }

    fn statement(&mut self) -> Result<Act, SourceError> {
        let Some(name) = self.name() else {
            return Err(self.unexpected("a statement, which begins with if, loop or a name,"));
        };
        match name.as_str() {
            "if" => self.choice(),
            "loop" => {
                self.advance();
                if self.is_sign("(") {
                    self.inside("(", ")", Self::robots)?
                } else {
                    self.robots()?
                }
                self.loops += 1;
                let block = self.block()?;
                self.loops -= 1;
                Ok(Act::Loop(block))
            }
            "else" => Err(self.wrong("this else has no if before it")),
            _ => self.assignment(name),
        }
    }

    fn robots(&mut self) -> Result<(), SourceError> {
        if self.skip_name("robots") {
            Ok(())
        } else {
            Err(self.unexpected("robots, the one thing there is to loop over,"))
        }
    }

    fn choice(&mut self) -> Result<Act, SourceError> {
        let (mut arms, mut otherwise) = (Vec::new(), Vec::new());
        loop {
            let at = self.at();
            self.advance();
            let test = self.any()?.test()?;
            arms.push(Arm { at, test, then: self.block()? });
            if !self.skip_name("else") {
                break;
            }
            if !self.is_name("if") {
                otherwise = self.block()?;
                break;
            }
        }
        Ok(Act::If { arms, otherwise })
    }

    fn assignment(&mut self, name: String) -> Result<Act, SourceError> {
        let at = self.at();
        let target = self.primary()?;
        let sign = ["=", "+=", "-="].into_iter().find(|sign| self.skip_sign(sign));
        let Some(sign) = sign else { return Err(self.unexpected("“=”")) };
        let mut terms = self.terms()?;
        // `x -= 2` is `x = x - 2`.
        if sign != "=" {
            terms.iter_mut().for_each(|(plus, _)| *plus ^= sign == "-=");
            terms.insert(0, (true, target.clone()));
        }
        let value = total(at, terms)?;
        match target.is {
            Is::Name(ref name) => Ok(Act::Keep { variable: name.clone(), value: value.number()? }),
            Is::Number(Number::Stat { stat, of, .. }) => Ok(Act::Set { stat, of, value: value.number()? }),
            Is::Inventory { of, .. } => match value.is {
                Is::Inventory { of: from, moves } if from.role == of.role => Ok(Act::Store { of, moves }),
                _ => value.wrong(
                    "an Inventory is changed by what it gains and loses, like inventory(self) = inventory(self) + \
                     product_object",
                ),
            },
            Is::Number(_) => {
                target.wrong(format!("{name} is counted and cannot be set; add to an Inventory or take from one"))
            }
            _ => target.wrong(format!("{name} cannot be set")),
        }
    }
}

// ---- conditions and values, from the loosest sign to the tightest

impl Parser {
    fn any(&mut self) -> Result<Part, SourceError> {
        self.joined("||", "or", Self::all, Test::Any)
    }

    fn all(&mut self) -> Result<Part, SourceError> {
        self.joined("&&", "and", Self::negated, Test::All)
    }

    fn joined(
        &mut self,
        sign: &str,
        word: &str,
        read: fn(&mut Self) -> Result<Part, SourceError>,
        join: fn(Vec<Test>) -> Test,
    ) -> Result<Part, SourceError> {
        let first = read(self)?;
        if !self.is_sign(sign) && !self.is_name(word) {
            return Ok(first);
        }
        let at = first.at;
        let mut tests = vec![first.test()?];
        while self.skip_sign(sign) || self.skip_name(word) {
            tests.push(read(self)?.test()?);
        }
        Ok(Part { at, is: Is::Test(join(tests)) })
    }

    fn negated(&mut self) -> Result<Part, SourceError> {
        let (at, mut signs) = (self.at(), 0_usize);
        while self.skip_sign("!") || self.skip_name("not") {
            signs += 1;
        }
        let part = self.comparison()?;
        if signs == 0 {
            return Ok(part);
        }
        let test = part.test()?;
        Ok(Part { at, is: Is::Test(if signs % 2 == 0 { test } else { Test::Not(Box::new(test)) }) })
    }

    fn comparison(&mut self) -> Result<Part, SourceError> {
        let left = self.sum()?;
        let at = left.at;
        let test = if self.skip_name("contains") {
            let right = self.sum()?;
            holds(left, right)?
        } else if let Some(how) = self.compared() {
            let right = self.sum()?;
            self.compare(left, how, right)?
        } else {
            return Ok(left);
        };
        if self.is_name("contains") || self.compared().is_some() {
            return Err(self.wrong("two things are compared at a time; write && between two comparisons"));
        }
        Ok(Part { at, is: Is::Test(test) })
    }

    fn compared(&mut self) -> Option<Comparison> {
        use Comparison::{AtLeast, AtMost, Equal, Less, More, Unequal};
        [Equal, Unequal, Less, More, AtMost, AtLeast].into_iter().find(|how| self.skip_sign(how.sign()))
    }

    fn compare(&mut self, left: Part, how: Comparison, right: Part) -> Result<Test, SourceError> {
        let same = how == Comparison::Equal;
        let is_equality = same || how == Comparison::Unequal;
        match (&left.is, &right.is) {
            (Is::Keyword, Is::Word(word) | Is::Name(word)) | (Is::Word(word) | Is::Name(word), Is::Keyword)
                if is_equality =>
            {
                if !self.program.keywords.iter().any(|known| known.to_lowercase() == word.to_lowercase()) {
                    self.program.keywords.push(word.clone());
                }
                Ok(Test::Keyword { word: word.clone(), same })
            }
            (Is::Robot(left), Is::Robot(right)) if is_equality => Ok(Test::Robots { left: *left, right: *right, same }),
            (Is::Number(_) | Is::Name(_), Is::Number(_) | Is::Name(_)) => {
                Ok(Test::Numbers { left: left.number()?, how, right: right.number()? })
            }
            (one, two) => {
                let (one, two, sign) = (one.what(), two.what(), how.sign());
                left.wrong(format!("{one} and {two} cannot be compared by “{sign}”"))
            }
        }
    }

    fn sum(&mut self) -> Result<Part, SourceError> {
        let at = self.at();
        total(at, self.terms()?)
    }

    /// What is added up, each with its sign; `false` is minus.
    fn terms(&mut self) -> Result<Vec<(bool, Part)>, SourceError> {
        let mut terms = vec![(true, self.product()?)];
        loop {
            if self.skip_sign("+") {
                terms.push((true, self.product()?));
            } else if self.skip_sign("-") {
                terms.push((false, self.product()?));
            } else {
                return Ok(terms);
            }
        }
    }

    fn product(&mut self) -> Result<Part, SourceError> {
        let first = self.signed()?;
        if !self.is_sign("*") {
            return Ok(first);
        }
        let (at, mut factors, mut kind) = (first.at, Vec::new(), None);
        let mut part = first;
        loop {
            match part.is {
                Is::Items(items) if kind.is_none() => {
                    kind = Some(items.kind);
                    factors.push(items.count);
                }
                _ => factors.push(part.number()?),
            }
            if !self.skip_sign("*") {
                break;
            }
            part = self.signed()?;
        }
        let number = Number::Product { at, factors };
        let is = match kind {
            Some(kind) => Is::Items(Items { count: number, kind }),
            None => Is::Number(number),
        };
        Ok(Part { at, is })
    }

    fn signed(&mut self) -> Result<Part, SourceError> {
        let (at, mut plus) = (self.at(), true);
        while self.is_sign("-") || self.is_sign("+") {
            plus ^= self.is_sign("-");
            self.advance();
        }
        let part = self.primary()?;
        if plus {
            return Ok(part);
        }
        Ok(Part { at, is: Is::Number(Number::Sum { at, terms: vec![(false, part.number()?)] }) })
    }

    fn primary(&mut self) -> Result<Part, SourceError> {
        let at = self.at();
        let is = match self.peek().clone() {
            Token::Sign("(") => return self.inside("(", ")", Self::any),
            Token::Number(number) => {
                self.advance();
                Is::Number(Number::Literal(number))
            }
            Token::Text(text) => {
                self.advance();
                Is::Word(text)
            }
            Token::Name(name) => self.named(at, &name)?,
            Token::Sign(_) | Token::End => return Err(self.unexpected("a number, a name or a word")),
        };
        Ok(Part { at, is })
    }

    fn named(&mut self, at: Place, written: &str) -> Result<Is, SourceError> {
        let name = written.to_lowercase();
        if let Some(role) = role(&name) {
            if role == Role::Looped && self.loops == 0 {
                return Err(self.wrong("loop_robot is known only inside the brackets of loop (robots)"));
            }
            self.advance();
            return Ok(Is::Robot(Who { at, role }));
        }
        if name == "keyword" {
            self.advance();
            return Ok(Is::Keyword);
        }
        if let Some(kind) = name.strip_suffix(ITEM) {
            let items = Items { count: Number::Literal(1), kind: item_name(at, kind)? };
            if !self.program.kinds.contains(&items.kind) {
                self.program.kinds.push(items.kind.clone());
            }
            self.advance();
            return Ok(Is::Items(items));
        }
        if RESERVED.contains(&name.as_str()) {
            return Err(self.unexpected("a number, a name or a word"));
        }
        self.advance();
        if !self.is_sign("(") {
            if name == "inventory" {
                return Err(self.unexpected("“(” and a Robot, like inventory(self),"));
            }
            return Ok(Is::Name(self.spelling(written, name)));
        }
        let of = self.inside("(", ")", Self::robot)?;
        if name == "inventory" {
            return Ok(Is::Inventory { of, moves: Vec::new() });
        }
        if let Some(kind) = name.strip_prefix(COUNT) {
            return Ok(Is::Number(Number::Held { kind: item_name(at, kind)?, of }));
        }
        if !self.program.stats.iter().any(|(known, _)| *known == name) {
            self.program.stats.push((name.clone(), at));
        }
        Ok(Is::Number(Number::Stat { at, stat: name, of }))
    }

    /// A bare name as it was first spelled, so that `X` and `x` are one variable.
    fn spelling(&mut self, written: &str, name: String) -> String {
        self.names.entry(name).or_insert_with(|| written.to_owned()).clone()
    }

    fn robot(&mut self) -> Result<Who, SourceError> {
        const WANTED: &str = "a Robot (self, other, loop_robot or the_control_unit)";
        let at = self.at();
        let Some(name) = self.name() else { return Err(self.unexpected(WANTED)) };
        if role(&name).is_none() {
            return Err(self.unexpected(WANTED));
        }
        match self.named(at, &name)? {
            Is::Robot(who) => Ok(who),
            _ => Err(self.unexpected(WANTED)),
        }
    }
}

/// Terms with their signs, as one number or one Inventory.
fn total(at: Place, mut terms: Vec<(bool, Part)>) -> Result<Part, SourceError> {
    if terms.len() == 1 {
        return Ok(terms.remove(0).1);
    }
    let inventory = terms.iter().position(|(plus, part)| *plus && matches!(part.is, Is::Inventory { .. }));
    let is = if let Some(index) = inventory {
        let Is::Inventory { of, mut moves } = terms.remove(index).1.is else { unreachable!("it was just found") };
        for (come, part) in terms {
            let (at, items) = part.items()?;
            moves.push(Move { at, come, items });
        }
        Is::Inventory { of, moves }
    } else {
        let numbers = terms.into_iter().map(|(plus, part)| Ok((plus, part.number()?)));
        Is::Number(Number::Sum { at, terms: numbers.collect::<Result<_, _>>()? })
    };
    Ok(Part { at, is })
}

fn holds(left: Part, right: Part) -> Result<Test, SourceError> {
    let of = match &left.is {
        Is::Inventory { of, moves } if moves.is_empty() => *of,
        other => return left.wrong(format!("only an Inventory contains something, not {}", other.what())),
    };
    let items = match &right.is {
        Is::Word(kind) | Is::Name(kind) => Items { count: Number::Literal(1), kind: item_name(right.at, kind)? },
        _ => right.items()?.1,
    };
    Ok(Test::Holds { of, items })
}

/// A kind as an Inventory writes it when the program makes the first one: `Product`.
fn item_name(at: Place, kind: &str) -> Result<String, SourceError> {
    if kind.is_empty() {
        return Err(SourceError::new(at, format!("an item has a name, like product{ITEM} and {COUNT}products")));
    }
    let name = kind_name(kind).map_err(|error| SourceError::new(at, error.to_string()))?.to_lowercase();
    let mut letters = name.chars();
    Ok(letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect())
}

fn role(name: &str) -> Option<Role> {
    match name {
        "self" => Some(Role::Caller),
        "other" => Some(Role::Other),
        "loop_robot" => Some(Role::Looped),
        // The leader's word may follow the leader (N95).
        "the_control_unit" | "control_unit" | "the_empress" | "the_emperor" => Some(Role::ControlUnit),
        _ => None,
    }
}
